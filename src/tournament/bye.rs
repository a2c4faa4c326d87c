//! Who sits out a match of an odd number of players (PE-9.6).

use super::{Entrant, Record, Tournament};
use crate::dice::{DiceSource as _, SeededDice};

/// A bye, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bye {
    /// Who.
    pub entrant: Entrant,
    /// Why, with the values compared.
    pub why: String,
}

/// The bye of a match among those who take part in it. It is given before the match is paired, so that another bye never
/// comes of who has met whom.
pub fn bye(tournament: &Tournament, number: u32, playing: &[Entrant], records: &[Record]) -> Option<Bye> {
    if playing.len().is_multiple_of(2) {
        return None;
    }
    let record = |entrant: &Entrant| &records[entrant.0];
    // PE-9.6: nobody has a second bye while another has had none.
    let fewest = playing.iter().map(|entrant| record(entrant).byes).min()?;
    let spared: Vec<Entrant> = (playing.iter().copied())
        .filter(|entrant| record(entrant).byes > fewest)
        .collect();
    let mut able: Vec<Entrant> = (playing.iter().copied())
        .filter(|entrant| record(entrant).byes == fewest)
        .collect();
    // The worst record first: victory points, then margin; stable, so equal ones stay in the order of their ids.
    let worth = |entrant: &Entrant| (record(entrant).victory_points, record(entrant).margin);
    able.sort_by_key(worth);
    let worst = worth(able.first()?);
    let level = able.iter().take_while(|entrant| worth(entrant) == worst).count();
    let mut dice = SeededDice::for_activation(tournament.seed, number, "bye");
    let entrant = able[if level > 1 { dice.choose(level) } else { 0 }];
    let id = |entrant: &Entrant| tournament.id(*entrant).to_owned();
    let told = |entrant: &Entrant| format!("{} with {} VP, MOV {}", id(entrant), worth(entrant).0, worth(entrant).1);
    let mut why = match level {
        _ if number == 1 => format!("PE-9.6: rolled among all {level} in the first match"),
        1 => {
            let next = able.get(1).map(|next| format!("; next {}", told(next)));
            format!(
                "PE-9.6: the worst record, {}{}",
                told(&entrant),
                next.unwrap_or_default()
            )
        }
        _ => {
            let level: Vec<String> = able[..level].iter().map(id).collect();
            let (points, margin) = worst;
            format!(
                "PE-9.6: the worst record, {points} VP, MOV {margin}, rolled among {}",
                level.join(", ")
            )
        }
    };
    if !spared.is_empty() {
        let spared: Vec<String> = spared.iter().map(id).collect();
        why += &format!("; had one already: {}", spared.join(", "));
    }
    Some(Bye { entrant, why })
}
