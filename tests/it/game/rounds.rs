//! Whose turn it is, round after round. No dial is set before the activation (SA-1).

use serde_json::json;
use tallyho::{
    bridge::host::Outgoing,
    protocol::{event::GameEvent, fault::FaultKind},
};

use super::plain_table::{PlainTable, Session, config, everything};

#[test]
fn every_solo_ship_acts_once_a_round_in_initiative_order() {
    let mut session = Session::new(5);
    for round in 1..=6 {
        session.events.clear();
        let answer = session.play("round");
        assert_eq!(answer["ships"], json!(["solo1", "solo2", "solo3"]), "round {round}");
        assert_eq!(session.activated(), ["solo1", "solo2", "solo3"]);
        assert_eq!(session.status()["round"], round);
        assert_eq!(session.status()["waiting"], json!([]));
        // One press too many only offers the next round, the one after begins it.
        let offer = session.play("ship");
        assert_eq!(offer["ships"], json!([]));
        assert!(offer["message"].as_str().unwrap().contains("Press again"), "{offer}");
        if round < 6 {
            // The next press of the loop begins it.
            assert_eq!(session.status()["round"], round);
        }
    }
}

#[test]
fn scopes_play_one_ship_one_initiative_or_the_round() {
    let mut session = Session::new(5);
    assert_eq!(session.play("ship")["ships"], json!(["solo1"]));
    assert_eq!(session.play("initiative")["ships"], json!(["solo2", "solo3"]));
    assert_eq!(session.activated(), ["solo1", "solo2", "solo3"]);
}

#[test]
fn a_named_ship_acts_out_of_order_but_not_twice() {
    let mut session = Session::new(5);
    let advance = |session: &mut Session, ship: &str| {
        let answer = session.request("solo/advance", json!({"ship": ship}));
        session.pump();
        answer
    };
    assert_eq!(advance(&mut session, "solo3").unwrap()["ships"], json!(["solo3"]));
    assert_eq!(advance(&mut session, "solo3").unwrap_err().kind, FaultKind::Illegal);
    assert_eq!(advance(&mut session, "xwing1").unwrap_err().kind, FaultKind::Illegal);
    assert_eq!(
        advance(&mut session, "nobody").unwrap_err().kind,
        FaultKind::UnknownObject
    );
    assert_eq!(session.activated(), ["solo3"]);
}

#[test]
fn the_tables_own_round_number_begins_a_round() {
    let mut session = Session::new(5);
    session.play("round");
    let mut snapshot = session.table.snapshot();
    snapshot["snapshot"]["position"]["round"] = json!(2);
    session.request("table/sync", snapshot).unwrap();
    session.pump();
    assert_eq!(session.status()["waiting"], json!(["solo1", "solo2", "solo3"]));
    assert!(session.events.contains(&GameEvent::Round { round: 2 }));
}

#[test]
fn g2_a_second_press_is_refused_and_loses_nothing() {
    let mut session = Session::new(5);
    session.press("ship").unwrap();
    session.pump_until("move");
    let refused = session.press("round").unwrap_err();
    assert_eq!(refused.kind, FaultKind::Busy);
    assert!(refused.message.contains("still acting"), "{refused}");
    session.pump();
    assert_eq!(session.activated(), ["solo1"]);
    assert_eq!(session.count_steps("move"), 1);
    assert_eq!(session.play("ship")["ships"], json!(["solo2"]));
}

#[test]
fn the_same_press_twice_counts_once() {
    let mut session = Session::new(5);
    let press = json!({"opId": "p1", "scope": "ship"});
    let first = session.request("solo/advance", press.clone()).unwrap();
    session.pump();
    let second = session.request("solo/advance", press).unwrap();
    session.pump();
    assert_eq!(first, second);
    assert_eq!(session.activated(), ["solo1"]);
}

#[test]
fn the_order_in_which_a_table_lists_its_objects_never_matters() {
    for seed in 0..5 {
        let mut one = Session::new(seed);
        let mut reversed = PlainTable::skirmish();
        reversed.reversed = true;
        let mut other = Session::with(config(seed), reversed, &everything());
        for _ in 0..4 {
            one.play("round");
            one.play("ship");
            other.play("round");
            other.play("ship");
        }
        assert_eq!(one.table.carried_out, other.table.carried_out);
        assert_eq!(one.table.models, other.table.models);
    }
}

#[test]
fn a_preview_says_what_then_happens_and_carries_nothing_out() {
    for seed in 0..8 {
        let mut session = Session::new(seed);
        let before = session.table.models.clone();
        let preview = session.request("solo/preview", json!({})).unwrap();
        assert_eq!(session.request("solo/preview", json!({})).unwrap(), preview);
        assert_eq!(session.table.models, before);
        assert!(!preview["reasons"].as_array().unwrap().is_empty());
        session.play("ship");
        let said = session.events.iter().find_map(|event| match event {
            GameEvent::Decided { sentence, .. } => Some(sentence.clone()),
            _ => None,
        });
        assert_eq!(said.as_deref(), preview["sentence"].as_str());
    }
}

#[test]
fn the_players_may_consent_let_the_deadline_pass_or_say_not_now() {
    let ask = json!({"scope": "round", "confirm": true});
    let mut session = Session::new(5);
    session.request("solo/advance", ask.clone()).unwrap();
    session.pump();
    assert_eq!(session.prompts.len(), 3);
    let first = &session.prompts[0];
    assert!(first.options.contains(&first.default) && first.deadline_ms > 0);
    assert_eq!(session.activated().len(), 3);

    let mut session = Session::new(5);
    session.consent = Some("Not now".to_owned());
    session.request("solo/advance", ask).unwrap();
    session.pump();
    assert_eq!(session.prompts.len(), 1);
    assert_eq!(session.table.carried_out, []);
    assert_eq!(session.status()["waiting"], json!(["solo1", "solo2", "solo3"]));
    // Nothing is stuck afterwards.
    session.consent = None;
    session.play("round");
    assert_eq!(session.activated().len(), 3);
}

#[test]
fn players_override_roll_tally_and_flag() {
    let mut session = Session::new(5);
    session
        .request(
            "solo/override",
            json!({"ship": "solo1", "roll": "blank/blank", "tally": "rock1"}),
        )
        .unwrap();
    let preview = session.request("solo/preview", json!({"ship": "solo1"})).unwrap();
    let sentence = preview["sentence"].as_str().unwrap();
    assert!(
        sentence.contains("blank/blank") && sentence.contains("rock1"),
        "{sentence}"
    );
    session
        .request("solo/override", json!({"ship": "solo1", "tally": "none"}))
        .unwrap();
    let preview = session.request("solo/preview", json!({"ship": "solo1"})).unwrap();
    assert!(!preview["sentence"].as_str().unwrap().contains("rock1"));
    session
        .request("solo/override", json!({"ship": "solo2", "activated": "done"}))
        .unwrap();
    assert_eq!(session.status()["waiting"], json!(["solo1", "solo3"]));
    session.play("round");
    session
        .request("solo/override", json!({"ship": "solo1", "activated": "waiting"}))
        .unwrap();
    assert_eq!(session.play("round")["ships"], json!(["solo1"]));
    for (wrong, kind) in [
        (json!({"ship": "solo1", "roll": "evade"}), FaultKind::InvalidParams),
        (json!({"ship": "solo1", "activated": "yes"}), FaultKind::InvalidParams),
        (json!({"ship": "solo1", "tally": "moon"}), FaultKind::UnknownObject),
        (json!({"ship": "moon"}), FaultKind::UnknownObject),
        (json!({"ship": 7}), FaultKind::InvalidParams),
    ] {
        assert_eq!(
            session.request("solo/override", wrong.clone()).unwrap_err().kind,
            kind,
            "{wrong}"
        );
    }
}

#[test]
fn a_ship_is_assigned_and_released() {
    let mut session = Session::new(5);
    session
        .request("solo/assign", json!({"ship": "solo3", "solo": false}))
        .unwrap();
    assert_eq!(session.play("round")["ships"], json!(["solo1", "solo2"]));
    session
        .request("solo/assign", json!({"ship": "solo3", "solo": true}))
        .unwrap();
    assert_eq!(session.play("round")["ships"], json!(["solo3"]));
}

#[test]
fn requests_before_the_first_snapshot_are_answered_with_the_remedy() {
    let mut host = tallyho::bridge::host::Host::new(config(1));
    let role = tallyho::protocol::lifecycle::Role::Cli;
    let (answer, _) = host.request(role, "solo/advance", json!({}));
    assert_eq!(answer.unwrap_err().kind, FaultKind::NoTable);
    host.table_attached(&everything(), false);
    let (answer, _) = host.request(role, "solo/advance", json!({}));
    assert!(answer.unwrap_err().message.contains("table/sync"));
    let (answer, _) = host.request(role, "solo/undo", json!({}));
    assert_eq!(answer.unwrap_err().kind, FaultKind::NothingToDo);
    let (answer, _) = host.request(
        role,
        "table/sync",
        json!({"rev": 1, "snapshot": {"kind": "plain", "position": 3}}),
    );
    assert_eq!(answer.unwrap_err().kind, FaultKind::InvalidParams);
}

#[test]
fn a_press_that_follows_a_snapshot_needs_no_other_one() {
    let asked_for = |session: &Session| session.waiting.contains(&Outgoing::RequestSync);
    let mut session = Session::new(5);
    session.table.rev = 7;
    session.sync();
    session.waiting.clear();
    session.request("solo/advance", json!({"rev": 7})).unwrap();
    assert!(!asked_for(&session));
    session.pump();
    assert_eq!(session.activated(), ["solo1"]);
    // What was carried out since makes it old, and so does another number.
    for rev in [7, 6] {
        session.request("solo/advance", json!({"rev": rev})).unwrap();
        assert!(asked_for(&session), "{rev}");
        session.pump();
    }
    assert_eq!(session.activated(), ["solo1", "solo2", "solo3"]);
}
