//! Taking an activation back.

use serde_json::json;
use tallyho::protocol::fault::FaultKind;

use super::plain_table::Session;

#[test]
fn undo_restores_the_table_and_the_ship_waits_again() {
    for seed in 0..20 {
        let mut session = Session::new(seed);
        for _ in 0..2 {
            session.play("round");
            session.play("ship");
        }
        session.play("ship");
        let before = session.table.models.clone();
        let waiting = session.status()["waiting"].clone();
        session.play("ship");
        assert_ne!(session.table.models, before, "seed {seed}");
        session.request("solo/undo", json!({})).unwrap();
        session.pump();
        for (id, model) in &before {
            let now = &session.table.models[id];
            assert_eq!(now.at, model.at, "{id}, seed {seed}");
            assert_eq!(now.tokens, model.tokens, "{id}, seed {seed}");
            assert_eq!(now.locks, model.locks, "{id}, seed {seed}");
        }
        assert_eq!(session.status()["waiting"], waiting);
    }
}

#[test]
fn what_is_done_again_after_an_undo_is_the_same() {
    let mut session = Session::new(7);
    session.play("ship");
    let after = session.table.models.clone();
    session.request("solo/undo", json!({})).unwrap();
    session.pump();
    session.play("ship");
    assert_eq!(session.table.models, after);
}

#[test]
fn undo_goes_back_activation_by_activation() {
    let mut session = Session::new(3);
    let before = session.table.models.clone();
    session.play("round");
    for left in [2, 1, 0] {
        session.request("solo/undo", json!({})).unwrap();
        session.pump();
        assert_eq!(session.status()["waiting"].as_array().unwrap().len(), 3 - left);
    }
    assert_eq!(session.table.models, before);
    assert_eq!(
        session.request("solo/undo", json!({})).unwrap_err().kind,
        FaultKind::NothingToDo
    );
}

#[test]
fn undo_stops_an_activation_that_runs() {
    for kind in ["say", "move"] {
        let mut session = Session::new(5);
        let before = session.table.models.clone();
        session.press("round").unwrap();
        session.pump_until(kind);
        session.request("solo/undo", json!({})).unwrap();
        session.pump();
        assert_eq!(session.table.models, before, "{kind}");
        assert_eq!(session.status()["waiting"], json!(["solo1", "solo2", "solo3"]));
        session.play("round");
        assert_eq!(session.activated().len(), 3);
    }
}

#[test]
fn undo_while_the_players_are_asked_leaves_the_ship_waiting() {
    let mut session = Session::new(5);
    session.request("solo/advance", json!({"confirm": true})).unwrap();
    while !matches!(
        session.waiting.front(),
        Some(tallyho::bridge::host::Outgoing::Prompt(_))
    ) {
        assert!(session.step());
    }
    session.request("solo/undo", json!({})).unwrap();
    session.pump();
    assert_eq!(session.table.carried_out, []);
    assert_eq!(session.play("ship")["ships"], json!(["solo1"]));
}
