//! What each player has so far: victory points, margin of victory, games won as defender, byes, opponents.

use std::collections::BTreeMap;

use super::{Entrant, Game, Match, Tournament};

/// Victory points of a bye (PE-9.6).
pub const BYE_VICTORY_POINTS: u32 = 2;

/// Margin of victory of a bye: as two average games (PE-9.6).
pub const BYE_MARGIN: i64 = 200;

/// A player's record.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Record {
    /// One a game won, two a bye (PE-9.3, PE-9.6).
    pub victory_points: u32,
    /// Margin of victory, summed over all games (PE-9.4).
    pub margin: i64,
    /// Games won as defender (PE-9.7); a bye adds none.
    pub defences_won: u32,
    /// Games played.
    pub games: u32,
    /// Games won.
    pub won: u32,
    /// Byes had.
    pub byes: u32,
    /// How often each opponent was met.
    pub met: BTreeMap<Entrant, u32>,
    /// The matches in which the opponent had fewer victory points (PE-9.5).
    pub went_down: Vec<u32>,
}

/// The records after the first matches of a tournament, by player.
pub fn after(tournament: &Tournament, matches: usize) -> Vec<Record> {
    let mut records = vec![Record::default(); tournament.players.len()];
    for played in tournament.matches.iter().take(matches) {
        note_meetings(&mut records, played);
        for game in &played.games {
            note_game(&mut records, game, tournament);
        }
        // PE-9.6
        if let Some(bye) = played.bye {
            let record = &mut records[bye.0];
            record.victory_points += BYE_VICTORY_POINTS;
            record.margin += BYE_MARGIN;
            record.byes += 1;
        }
    }
    records
}

/// The records of everything that was entered.
pub fn now(tournament: &Tournament) -> Vec<Record> {
    after(tournament, tournament.matches.len())
}

/// Who meets whom, by the records before the match.
fn note_meetings(records: &mut [Record], played: &Match) {
    for pairing in &played.pairings {
        let [one, other] = pairing.players;
        let points = [one, other].map(|entrant| records[entrant.0].victory_points);
        for (place, (entrant, opponent)) in [(one, other), (other, one)].into_iter().enumerate() {
            *records[entrant.0].met.entry(opponent).or_default() += 1;
            if points[place] > points[1 - place] {
                records[entrant.0].went_down.push(played.number);
            }
        }
    }
}

fn note_game(records: &mut [Record], game: &Game, tournament: &Tournament) {
    let (margins, points) = (game.margins(&tournament.options), game.victory_points());
    for (entrant, margin, points) in [
        (game.defender, margins.0, points.0),
        (game.attacker, margins.1, points.1),
    ] {
        let record = &mut records[entrant.0];
        record.games += 1;
        record.margin += margin;
        record.victory_points += points;
        record.won += points;
    }
    records[game.defender.0].defences_won += points.0;
}
