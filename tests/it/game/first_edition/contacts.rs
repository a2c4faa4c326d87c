//! FE-4.7 at a table: players say which ships touch each other, whatever the table has reported.

use serde_json::json;
use tallyho::bridge::host::HostConfig;

use super::{
    super::{
        plain_table::{Session, config},
        whole_rounds::{leads, ledger},
    },
    alone, at, moves,
};

/// `xwing1` has flown against `solo1`, by an overlap or so that it just fits.
fn against(bumps: bool, config: HostConfig) -> Session {
    let mut table = alone();
    let way = if bumps { 252.0 } else { 260.0 };
    table.models.get_mut("solo1").unwrap().at = at(300.0, way, 180.0);
    let mut session = Session::with(config, table, &leads());
    session.request("game/correct", json!({"phase": "activation"})).unwrap();
    session
        .request("game/correct", json!({"ship": "solo1", "activated": "done"}))
        .unwrap();
    session.pump();
    moves(&mut session, "xwing1", at(300.0, way - 40.0, 0.0), "No action");
    session
}

/// Whether the player is asked whom `xwing1` attacks.
fn is_asked(session: &mut Session) -> bool {
    session.prompts.clear();
    session.consent = Some("No attack".to_owned());
    for _ in 0..6 {
        session.play("ship");
    }
    let asked = session.prompts.iter();
    asked
        .filter(|prompt| prompt.ship == "xwing1" && prompt.text.contains("whom does it attack"))
        .count()
        > 0
}

#[test]
fn fe_4_7_players_say_whether_two_ships_touch_and_take_it_back() {
    for bumps in [false, true] {
        for told in [None, Some(bumps), Some(!bumps)] {
            for undone in [false, true] {
                let mut session = against(bumps, config(1));
                if let Some(touching) = told {
                    let correction = json!({"ship": "xwing1", "touching": {"solo1": touching}});
                    let answer = session.request("game/correct", correction).unwrap();
                    let words = if touching {
                        "it touches solo1"
                    } else {
                        "it does not touch solo1"
                    };
                    assert!(answer["message"].as_str().unwrap().contains(words), "{answer}");
                    session.pump();
                    if undone {
                        session.request("solo/undo", json!({"scope": "step"})).unwrap();
                        session.pump();
                    }
                }
                let touching = told.filter(|_| !undone).unwrap_or(bumps);
                // Both ships of the pair know of it, and another look at the table changes nothing.
                session.sync();
                session.pump();
                for (ship, other) in [("xwing1", "solo1"), ("solo1", "xwing1")] {
                    let entry = ledger(&mut session, ship);
                    let (one, none) = if touching {
                        ("touching", "against")
                    } else {
                        ("against", "touching")
                    };
                    assert_eq!(entry[one], json!([other]), "{bumps} {told:?} {undone}: {entry}");
                    assert!(entry.get(none).is_none(), "{bumps} {told:?} {undone}: {entry}");
                }
                assert_eq!(is_asked(&mut session), !touching, "{bumps} {told:?} {undone}");
            }
        }
    }
}

#[test]
fn fe_4_7_what_was_told_of_touching_is_over_when_one_of_them_moves_away() {
    let mut session = against(false, config(1));
    session
        .request("game/correct", json!({"ship": "xwing1", "touching": {"solo1": true}}))
        .unwrap();
    session.pump();
    session.table.models.get_mut("solo1").unwrap().at = at(300.0, 330.0, 180.0);
    session.sync();
    session.pump();
    // A model that was only nudged by hand: the state of the pair stays until it is told, or one of them has moved by the rules.
    session
        .request("game/correct", json!({"ship": "xwing1", "touching": {"solo1": false}}))
        .unwrap();
    session.pump();
    let entry = ledger(&mut session, "xwing1");
    assert!(
        entry.get("touching").is_none() && entry.get("against").is_none(),
        "{entry}"
    );
}

#[test]
fn ships_that_stand_apart_or_are_not_there_cannot_be_said_to_touch() {
    let mut session = against(false, config(1));
    session.table.models.get_mut("solo1").unwrap().at = at(300.0, 700.0, 180.0);
    session.sync();
    session.pump();
    for (other, told) in [("solo1", "mm apart"), ("xwing1", "mm apart"), ("xwing9", "no ship")] {
        let correction = json!({"ship": "xwing1", "touching": {other: true}});
        let fault = session.request("game/correct", correction).unwrap_err();
        assert!(fault.message.contains(told), "{other}: {}", fault.message);
    }
    // That two ships do not touch may be said of any.
    let correction = json!({"ship": "xwing1", "touching": {"solo1": false}});
    assert!(session.request("game/correct", correction).is_ok());
    let fault = session
        .request("game/correct", json!({"touching": {"solo1": true}}))
        .unwrap_err();
    assert!(fault.message.contains("ship: it is missing"), "{}", fault.message);
}

/// What players told is in the journal: a server that is started again knows it.
#[test]
fn fe_4_7_a_resumed_game_knows_what_was_told() {
    let folder = tempfile::tempdir().unwrap();
    let recorded = || HostConfig {
        journal: Some(folder.path().join("game.jsonl")),
        ..config(1)
    };
    let mut session = against(false, recorded());
    session
        .request("game/correct", json!({"ship": "xwing1", "touching": {"solo1": true}}))
        .unwrap();
    session.pump();
    let Session { table, host, .. } = session;
    drop(host);
    let mut resumed = Session::with(recorded(), table, &leads());
    let entry = ledger(&mut resumed, "solo1");
    assert_eq!(entry["touching"], json!(["xwing1"]), "{entry}");
}
