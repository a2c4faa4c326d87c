//! PE-7.1 to PE-7.4, PE-9.3, PE-9.4: what games come to, by `tests/cases/tournament/games.toml`.

use serde::Deserialize;
use tallyho::tournament::{Options, Outcome, file::Told};

use super::begun;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    squads: Option<[u32; 2]>,
    score: [u32; 2],
    ended: Option<String>,
    winner: Option<String>,
    wins: Option<String>,
    mov: Option<[i64; 2]>,
    floor: Option<[i64; 2]>,
    refused: Option<String>,
}

#[test]
fn pe_9_3_pe_9_4_games_are_worth_what_the_rules_say() {
    let cases: Cases = toml::from_str(include_str!("../../cases/tournament/games.toml")).unwrap();
    assert!(cases.case.len() > 20);
    for case in cases.case {
        let mut tournament = begun(&["def", "att"], 1, Options::default());
        for player in &mut tournament.players {
            player.squad = case.squads.map(|squads| squads[0]);
            player.shuttle = case.squads.map(|squads| squads[1]);
        }
        let winner = case.winner.as_deref().map(|winner| match winner {
            "defender" => "def",
            "attacker" => "att",
            other => other,
        });
        let told = Told {
            defender: "def",
            attacker: "att",
            score: case.score,
            ended: case.ended.as_deref(),
            winner,
        };
        match (told.game(&tournament), case.refused) {
            (Ok(game), None) => {
                let wins = match game.outcome {
                    Outcome::Defender => "defender",
                    Outcome::Attacker => "attacker",
                    Outcome::Draw => "draw",
                };
                assert_eq!(Some(wins), case.wins.as_deref(), "{}", case.name);
                let margins = |mov_floor| {
                    let (defender, attacker) = game.margins(&Options {
                        mov_floor,
                        ..Options::default()
                    });
                    Some([defender, attacker])
                };
                assert_eq!((margins(false), margins(true)), (case.mov, case.floor), "{}", case.name);
            }
            (Err(faults), Some(refused)) => {
                assert!(faults.join("\n").contains(&refused), "{}: {faults:?}", case.name);
                assert_eq!(faults.len(), 1, "{}: {faults:?}", case.name);
            }
            (found, refused) => panic!("{}: {found:?}, expected {refused:?}", case.name),
        }
    }
}
