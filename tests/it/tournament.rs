//! Tournaments of Political Escort (PE-9): games, faults of files, pairings, byes, standings, and the command line.

mod command;
mod faults;
mod games;
mod laws;
mod pairings;
mod standings;

use tallyho::tournament::{Ending, Entrant, Game, Match, Options, Outcome, Pairing, Player, Tournament};

/// A tournament without matches.
pub fn begun(players: &[&str], seed: u64, options: Options) -> Tournament {
    let mut players: Vec<Player> = (players.iter())
        .map(|id| Player {
            id: (*id).to_owned(),
            name: (*id).to_owned(),
            squad: None,
            shuttle: None,
            from: 1,
            until: None,
        })
        .collect();
    players.sort_by(|one, other| one.id.cmp(&other.id));
    Tournament {
        name: "Cup".to_owned(),
        seed,
        planned: None,
        options,
        players,
        matches: Vec::new(),
    }
}

/// A game that one of the two won by 50 points, or nobody.
pub fn game(defender: Entrant, attacker: Entrant, winner: Option<Entrant>) -> Game {
    let (ended, outcome, score) = match winner {
        Some(winner) if winner == defender => (Ending::Exit, Outcome::Defender, (50, 0)),
        Some(_) => (Ending::Destroyed, Outcome::Attacker, (0, 50)),
        None => (Ending::Time, Outcome::Draw, (0, 0)),
    };
    Game {
        defender,
        attacker,
        defender_score: score.0,
        attacker_score: score.1,
        ended: Some(ended),
        outcome,
    }
}

/// Adds a match in the short form of `tests/cases/tournament/pairings.toml`.
pub fn play(tournament: &mut Tournament, words: &[&str]) {
    let mut played = Match {
        number: tournament.next_match(),
        ..Match::default()
    };
    for word in words {
        let (who, what) = word.split_once(' ').unwrap();
        let entrant = |id: &str| tournament.entrant(id).unwrap_or_else(|| panic!("no player {id}"));
        let Some((one, other)) = who.split_once('-') else {
            played.bye = Some(entrant(who));
            continue;
        };
        let (one, other) = (entrant(one), entrant(other));
        let winners = match what {
            "2" => [Some(one), Some(one)],
            "1" => [Some(one), Some(other)],
            "0" => [Some(other), Some(other)],
            _ => [None, None],
        };
        played.games.push(game(one, other, winners[0]));
        played.games.push(game(other, one, winners[1]));
        played.pairings.push(Pairing {
            players: [one, other],
            why: String::new(),
        });
    }
    tournament.matches.push(played);
}
