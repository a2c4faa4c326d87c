//! Squads: a list of stat cards as it is typed, or drawn by the dice for so many points.

use std::sync::Arc;

use super::{figure::Card, roster::Roster};
use crate::dice::D20Source;

/// The most figures of a squad.
pub const MOST_FIGURES: usize = 26;

/// A squad that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadSquad {
    /// No such card.
    #[error("there is no card `{name}`{}", near.as_ref().map_or_else(String::new, |near| format!("; did you mean `{near}`?")))]
    Unknown {
        /// What was typed.
        name: String,
        /// The card whose id is most like it.
        near: Option<String>,
    },
    /// A number that is none.
    #[error("`{0}` is no entry of a squad: write a card, or a number and a card, as in 2*old-republic-guard")]
    Entry(String),
    /// Nobody, or too many.
    #[error("a squad has 1 to {MOST_FIGURES} figures, not {0}")]
    Size(usize),
}

/// Reads a squad: cards by id or name with commas between them, each with a number where wanted (`2*old-republic-guard`).
///
/// # Errors
/// What is not understood.
pub fn read(text: &str, roster: &Roster) -> Result<Vec<Arc<Card>>, BadSquad> {
    let mut squad = Vec::new();
    for entry in text.split(',').map(str::trim).filter(|entry| !entry.is_empty()) {
        let bad = || BadSquad::Entry(entry.to_owned());
        let (count, name) = match entry.split_once('*') {
            Some((count, name)) => (count.trim().parse::<usize>().map_err(|_| bad())?, name.trim()),
            None => (1, entry),
        };
        if count == 0 || count > MOST_FIGURES {
            return Err(bad());
        }
        let found = roster.find(name).ok_or_else(|| BadSquad::Unknown {
            name: name.to_owned(),
            near: near(name, roster),
        })?;
        squad.extend(std::iter::repeat_n(Arc::clone(&found.card), count));
    }
    match squad.len() {
        1..=MOST_FIGURES => Ok(squad),
        other => Err(BadSquad::Size(other)),
    }
}

/// The id that shares the longest beginning, or a word, with what was typed.
fn near(name: &str, roster: &Roster) -> Option<String> {
    let name = name.to_lowercase();
    let alike = |id: &str| {
        let same = id.chars().zip(name.chars()).take_while(|(a, b)| a == b).count();
        let shared = id.split('-').filter(|word| name.contains(word)).count();
        same + 3 * shared
    };
    let best = roster.entries().iter().map(|entry| (alike(&entry.id), &entry.id));
    best.max_by_key(|(alike, _)| *alike)
        .filter(|(alike, _)| *alike >= 3)
        .map(|(_, id)| id.clone())
}

/// A squad by the dice: figures are drawn as long as one fits into the points that are left. Cards without a cost are not
/// drawn, unique ones at most once.
pub fn draw(roster: &Roster, points: u16, dice: &mut dyn D20Source) -> Vec<Arc<Card>> {
    let mut squad: Vec<Arc<Card>> = Vec::new();
    let mut left = points;
    while squad.len() < MOST_FIGURES {
        let fits = |card: &&Arc<Card>| {
            let taken = card.unique && squad.iter().any(|own| Arc::ptr_eq(own, card));
            (1..=left).contains(&card.cost) && !taken
        };
        let cards: Vec<&Arc<Card>> = roster.entries().iter().map(|entry| &entry.card).filter(fits).collect();
        if cards.is_empty() {
            break;
        }
        let card = Arc::clone(cards[dice.pick(cards.len())]);
        left -= card.cost;
        squad.push(card);
    }
    squad
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::SeededDice;

    #[test]
    fn squads_are_read_and_mistakes_are_named() {
        let roster = Roster::sample();
        let squad = read("2*old-republic-guard, Mira", roster).unwrap();
        let names: Vec<&str> = squad.iter().map(|card| card.name.as_str()).collect();
        assert_eq!(names, ["Old Republic Guard", "Old Republic Guard", "Mira"]);
        let error = |text: &str| read(text, roster).unwrap_err().to_string();
        assert!(error("old-republic-gard").contains("did you mean `old-republic-guard`?"));
        assert!(error("x*mira").contains("number and a card"));
        assert!(error("0*mira").contains("number and a card") && error("99*mira").contains("number and a card"));
        assert!(error(" ,").contains("not 0"));
    }

    #[test]
    fn drawn_squads_keep_to_their_points() {
        for seed in 0..20 {
            let mut dice = SeededDice::new(seed);
            let squad = draw(Roster::sample(), 100, &mut dice);
            let cost: u16 = squad.iter().map(|card| card.cost).sum();
            assert!(!squad.is_empty() && cost <= 100 && cost > 90, "{seed}: {cost}");
            let unique = squad.iter().filter(|card| card.unique);
            let names: std::collections::BTreeSet<&str> = unique.clone().map(|card| card.name.as_str()).collect();
            assert_eq!(names.len(), unique.count());
        }
    }
}
