//! Who stands where (PE-9.7).

use super::{Entrant, Record, Tournament, record};
use crate::dice::{DiceSource as _, SeededDice};

/// A line of the standings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// The place, counted from 1; the same for all who share it.
    pub place: usize,
    /// Whether others stand at the same place.
    pub is_shared: bool,
    /// Who.
    pub entrant: Entrant,
    /// What counts.
    pub record: Record,
}

/// The one winner of a tournament, where one is wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Winner {
    /// Who.
    pub entrant: Entrant,
    /// Why, with the values compared.
    pub why: String,
}

/// What is compared: victory points, then margin of victory, then games won as defender.
fn worth(record: &Record) -> (u32, i64, u32) {
    (record.victory_points, record.margin, record.defences_won)
}

/// The players, best first; those who are equal in all that counts share the place and stand in the order of their ids.
pub fn standings(tournament: &Tournament) -> Vec<Standing> {
    // PE-9.7
    let records = record::now(tournament);
    let mut order: Vec<Entrant> = tournament.entrants().collect();
    order.sort_by_key(|entrant| std::cmp::Reverse(worth(&records[entrant.0])));
    let worths: Vec<_> = order.iter().map(|entrant| worth(&records[entrant.0])).collect();
    (order.into_iter().zip(&worths))
        .map(|(entrant, own)| Standing {
            place: worths.iter().filter(|other| *other > own).count() + 1,
            is_shared: worths.iter().filter(|other| *other == own).count() > 1,
            entrant,
            record: records[entrant.0].clone(),
        })
        .collect()
}

/// The one winner: who stands first; among those who share the first place who won the match between them, then the roll.
/// `None` without players.
pub fn winner(tournament: &Tournament) -> Option<Winner> {
    let standings = standings(tournament);
    let mut first: Vec<Entrant> = (standings.iter())
        .take_while(|standing| standing.place == 1)
        .map(|standing| standing.entrant)
        .collect();
    let best = standings.first()?;
    let (points, margin, defences) = worth(&best.record);
    let told = format!("{points} VP, MOV {margin}, {defences} won as defender");
    if let [entrant] = first[..] {
        let why = format!("PE-9.7: {told}");
        return Some(Winner { entrant, why });
    }
    let names = |entrants: &[Entrant]| {
        let ids: Vec<&str> = entrants.iter().map(|entrant| tournament.id(*entrant)).collect();
        ids.join(", ")
    };
    let mut why = format!("PE-9.7: {} share {told}", names(&first));
    if have_all_met(tournament, &first) {
        let between = points_between(tournament, &first);
        let most = between.iter().copied().max().unwrap_or_default();
        let listed: Vec<String> = (first.iter().zip(&between))
            .map(|(entrant, points)| format!("{} {points}", tournament.id(*entrant)))
            .collect();
        why += &format!("; VP between them: {}", listed.join(", "));
        let mut points = between.into_iter();
        first.retain(|_| points.next() == Some(most));
    } else {
        why += "; not all of them have met";
    }
    let entrant = match first[..] {
        [entrant] => entrant,
        _ => {
            why += &format!("; rolled among {}", names(&first));
            let mut dice = SeededDice::for_activation(tournament.seed, tournament.next_match(), "winner");
            first[dice.choose(first.len())]
        }
    };
    Some(Winner { entrant, why })
}

/// Whether each of these has met each other: else games between them favour those who had more of them.
fn have_all_met(tournament: &Tournament, among: &[Entrant]) -> bool {
    let records = record::now(tournament);
    (among.iter().enumerate())
        .all(|(place, one)| (among[place + 1..].iter()).all(|other| records[one.0].met.contains_key(other)))
}

/// The victory points that these won from each other.
fn points_between(tournament: &Tournament, among: &[Entrant]) -> Vec<u32> {
    let games = tournament.matches.iter().flat_map(|played| &played.games);
    let between: Vec<_> = games
        .filter(|game| among.contains(&game.defender) && among.contains(&game.attacker))
        .collect();
    let of = |entrant: &Entrant| between.iter().filter(|game| game.winner() == Some(*entrant)).count() as u32;
    among.iter().map(of).collect()
}
