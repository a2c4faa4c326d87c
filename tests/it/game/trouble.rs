//! Tables that refuse, move by themselves, bump, lose their memory, or cannot do a thing.

use std::{cell::RefCell, rc::Rc};

use serde_json::json;
use tallyho::bridge::host::Outgoing;
use tallyho::protocol::{
    apply::{ApplyResult, Outcome, Placement, WireStep},
    lifecycle::ClientCapabilities,
    solo::RollResult,
};

use super::plain_table::{PlainTable, Session, answer, config, everything, kind_of, same_place};

/// Rejects the first `count` steps of a kind.
fn rejecting(session: &mut Session, kind: &'static str, count: usize) {
    let left = RefCell::new(count);
    session.table.fault = Some(Box::new(move |_, params| {
        let mut left = left.borrow_mut();
        (kind_of(&params.step) == kind && *left > 0).then(|| {
            *left -= 1;
            answer(Outcome::Rejected, None, "it is held")
        })
    }));
}

#[test]
fn a_step_rejected_once_is_tried_again_and_done_once() {
    for kind in ["say", "show", "dial", "move", "token", "lock", "place"] {
        for seed in 0..6 {
            let mut plain = Session::new(seed);
            plain.play("round");
            let mut session = Session::new(seed);
            rejecting(&mut session, kind, 1);
            session.play("round");
            assert_eq!(session.activated(), ["solo1", "solo2", "solo3"], "{kind}");
            assert_eq!(session.table.models, plain.table.models, "{kind}, seed {seed}");
        }
    }
}

#[test]
fn a_ship_that_cannot_be_moved_is_given_up_without_a_trace() {
    let mut session = Session::new(5);
    let before = session.table.models.clone();
    rejecting(&mut session, "move", 1000);
    session.play("round");
    assert_eq!(session.activated(), Vec::<String>::new());
    assert_eq!(session.table.models, before);
    assert!(session.told().contains("could not be moved"), "{}", session.told());
    assert_eq!(session.status()["waiting"], json!(["solo1", "solo2", "solo3"]));
    session.table.fault = None;
    session.play("round");
    assert_eq!(session.activated().len(), 3);
}

#[test]
fn tokens_that_cannot_be_changed_are_left_to_the_players_and_play_goes_on() {
    let mut session = Session::new(5);
    rejecting(&mut session, "token", 1000);
    for _ in 0..3 {
        session.play("round");
        session.play("ship");
    }
    assert!(session.activated().len() >= 9);
    let said = format!("{:?}", session.table.carried_out);
    assert!(said.contains("Please give"), "{said}");
}

#[test]
fn a_reposition_that_the_table_finds_no_room_for_is_placed() {
    let mut seen = 0;
    for seed in 0..30 {
        let mut plain = Session::new(seed);
        let mut session = Session::new(seed);
        session.table.fault = Some(Box::new(|_, params| match &params.step {
            WireStep::Move { code, .. } if code.starts_with("roll") || code.starts_with("boost") => {
                Some(answer(Outcome::Rejected, None, "no free place"))
            }
            _ => None,
        }));
        for _ in 0..4 {
            for session in [&mut plain, &mut session] {
                session.play("round");
                session.play("ship");
            }
        }
        seen += session.count_steps("place");
        assert_eq!(session.table.models, plain.table.models, "seed {seed}");
    }
    assert!(seen > 0, "no roll and no boost came");
}

#[test]
fn a_late_snapshot_does_not_take_the_round_back_but_a_table_put_back_does() {
    let mut session = Session::new(5);
    let mut old = session.table.snapshot();
    old["snapshot"]["position"]["round"] = json!(1);
    session.play("round");
    session.play("ship");
    session.play("ship");
    assert_eq!(session.status()["round"], 2);
    let waiting = session.status()["waiting"].clone();
    session.request("table/sync", old.clone()).unwrap();
    assert_eq!(
        (session.status()["round"].clone(), session.status()["waiting"].clone()),
        (json!(2), waiting)
    );
    session.host.table_detached();
    let outgoing = session.host.table_attached(&everything(), false);
    session.waiting.extend(outgoing);
    session.request("table/sync", old).unwrap();
    assert_eq!(session.status()["round"], 1);
    assert_eq!(session.status()["waiting"], json!(["solo1", "solo2", "solo3"]));
}

#[test]
fn a_table_that_can_only_talk_gets_instructions() {
    let can_talk = ClientCapabilities {
        steps: vec!["say".to_owned()],
        ..ClientCapabilities::default()
    };
    let mut session = Session::with(config(5), PlainTable::skirmish(), &can_talk);
    session.play("round");
    assert_eq!(session.activated().len(), 3);
    let said: Vec<_> = session
        .table
        .carried_out
        .iter()
        .filter_map(|(_, step)| match step {
            WireStep::Say { text, .. } if text.contains("Please move") => Some(text.clone()),
            _ => None,
        })
        .collect();
    assert_eq!(said.len(), 3, "{said:?}");
    assert_eq!(session.count_steps("move"), 0);
}

#[test]
fn a_ship_moved_by_the_players_meanwhile_is_planned_anew_from_where_it_stands() {
    let mut session = Session::new(5);
    session.press("ship").unwrap();
    session.pump_until("move");
    let elsewhere = Placement {
        x: 500.0,
        y: 500.0,
        facing: 45.0,
    };
    session.table.models.get_mut("solo1").unwrap().at = elsewhere;
    session.pump();
    assert_eq!(session.activated(), ["solo1"]);
    assert_eq!(session.count_steps("move"), 1);
    let from = session.table.carried_out.iter().find_map(|(_, step)| match step {
        WireStep::Move { from, .. } => Some(*from),
        _ => None,
    });
    assert!(same_place(from.unwrap(), elsewhere));
    assert!(session.told().contains("Replanned"));
}

#[test]
fn the_action_follows_from_where_the_ship_was_seen() {
    // The table stops the first ship short, as if another one stood in its way.
    let mut session = Session::new(5);
    session.table.fault = Some(Box::new(|models, params| match &params.step {
        WireStep::Move { object, from, to, .. } if object == "solo1" => {
            let halfway = Placement {
                x: (from.x + to.x) / 2.0,
                y: (from.y + to.y) / 2.0,
                facing: from.facing,
            };
            models.get_mut("solo1")?.at = halfway;
            Some(ApplyResult {
                bumped: true,
                touching: vec!["solo2".to_owned()],
                ..answer(Outcome::Partial, Some(halfway), "")
            })
        }
        _ => None,
    }));
    session.play("ship");
    assert_eq!(session.activated(), ["solo1"]);
    // SA-7: the overlap costs the action, so no green token was given.
    let tokens = &session.table.models["solo1"].tokens;
    assert!(
        ["focus", "evade", "calculate"]
            .iter()
            .all(|token| !tokens.contains_key(*token)),
        "{tokens:?}"
    );
    assert_eq!(session.count_steps("move"), 0);
    assert!(session.told().contains("loses its action"), "{}", session.told());
}

#[test]
fn a_bump_of_the_tables_own_is_laid_to_the_nearest_ship() {
    // The mod's models have guides: the ship stops 2.6 mm short of where the rules let it touch, and the table does not
    // say for whom.
    let mut table = PlainTable::skirmish();
    table.models.get_mut("solo2").unwrap().at = Placement {
        x: 300.0,
        y: 680.0,
        facing: 180.0,
    };
    let mut session = Session::with(config(5), table, &everything());
    session
        .request("solo/override", json!({"ship": "solo1", "roll": "blank/blank"}))
        .unwrap();
    session.table.fault = Some(Box::new(|models, params| match &params.step {
        WireStep::Move { object, .. } if object == "solo1" => {
            let stopped = Placement {
                x: 300.0,
                y: 722.6,
                facing: 180.0,
            };
            models.get_mut("solo1")?.at = stopped;
            Some(ApplyResult {
                bumped: true,
                ..answer(Outcome::Partial, Some(stopped), "")
            })
        }
        _ => None,
    }));
    session.play("ship");
    assert_eq!(session.activated(), ["solo1"]);
    assert!(session.told().contains("stopped by solo2"), "{}", session.told());
    assert!(
        session.table.models["solo1"].tokens.is_empty(),
        "{:?}",
        session.table.models["solo1"]
    );
}

#[test]
fn real_dice_decide_where_the_table_has_some_and_the_program_rolls_where_they_fail() {
    for (attack, defence, expected) in [
        (vec!["hit"], vec!["evade"], Some("evade/hit")),
        (vec!["hit"], vec![], None),
    ] {
        let can_roll = ClientCapabilities {
            dice: true,
            ..everything()
        };
        let real = tallyho::bridge::host::HostConfig {
            dice: tallyho::protocol::round::DiceFrom::Table,
            ..config(5)
        };
        let mut session = Session::with(real, PlainTable::skirmish(), &can_roll);
        session.press("ship").unwrap();
        while !matches!(session.waiting.front(), Some(Outgoing::Roll(_))) {
            assert!(session.step());
        }
        let Some(Outgoing::Roll(roll)) = session.waiting.pop_front() else {
            unreachable!()
        };
        assert_eq!((roll.attack, roll.defence), (1, 1));
        let result = RollResult {
            attack: attack.into_iter().map(str::to_owned).collect(),
            defence: defence.into_iter().map(str::to_owned).collect(),
            ..RollResult::default()
        };
        let more = session.host.roll_answered(&roll.roll_id, Some(result));
        session.waiting.extend(more);
        session.pump();
        assert_eq!(session.activated(), ["solo1"]);
        match expected {
            Some(expected) => assert!(
                session.told().contains(&format!("rolled {expected}")),
                "{}",
                session.told()
            ),
            None => assert!(session.told().contains("the program rolled"), "{}", session.told()),
        }
    }
}

#[test]
fn a_move_that_the_table_only_claims_is_not_believed() {
    let mut session = Session::new(5);
    let claims = Rc::new(RefCell::new(0));
    let counted = Rc::clone(&claims);
    session.table.fault = Some(Box::new(move |models, params| match &params.step {
        WireStep::Move { object, .. } if *counted.borrow() < 1 => {
            *counted.borrow_mut() += 1;
            Some(answer(Outcome::Applied, Some(models[object].at), ""))
        }
        _ => None,
    }));
    session.play("ship");
    assert_eq!(*claims.borrow(), 1);
    assert_eq!(session.activated(), ["solo1"]);
    assert_eq!(session.count_steps("move"), 1);
}

#[test]
fn a_move_whose_answer_is_lost_is_not_made_twice() {
    let mut session = Session::new(5);
    session.press("ship").unwrap();
    session.pump_until("move");
    // It is carried out, but the answer that arrives is an error.
    let Some(tallyho::bridge::host::Outgoing::Apply(params)) = session.waiting.pop_front() else {
        panic!("a move waits")
    };
    session.table.apply(&params);
    let after = session.table.models["solo1"].at;
    let more = session
        .host
        .apply_answered(&params.action_id, Err("the line broke".to_owned()));
    session.waiting.extend(more);
    session.pump();
    assert_eq!(session.activated(), ["solo1"]);
    assert_eq!(session.count_steps("move"), 1);
    // Late and repeated answers change nothing.
    let late = session.host.apply_answered(&params.action_id, Err("again".to_owned()));
    assert!(
        late.iter()
            .all(|outgoing| !matches!(outgoing, tallyho::bridge::host::Outgoing::Apply(_)))
    );
    let moved_by_action = session.table.models["solo1"].at != after;
    assert!(!moved_by_action || session.count_steps("move") == 1);
}

#[test]
fn a_table_that_was_put_back_before_the_move_starts_the_activation_again() {
    let mut session = Session::new(5);
    let before = session.table.models.clone();
    session.press("ship").unwrap();
    session.pump_until("move");
    session.step();
    // Rewound: the ship is where it was, the table remembers nothing, and connects anew.
    session.table.models = before;
    session.table.memory.clear();
    session.table.carried_out.clear();
    session.waiting.clear();
    session.host.table_detached();
    let outgoing = session.host.table_attached(&everything(), false);
    session.waiting.extend(outgoing);
    session.pump();
    assert_eq!(session.activated(), ["solo1"]);
    assert_eq!(session.count_steps("move"), 1);
    let mut plain = Session::new(5);
    plain.play("ship");
    assert_eq!(session.table.models, plain.table.models);
}

#[test]
fn a_ship_that_leaves_the_table_ends_its_activation() {
    let mut session = Session::new(5);
    session.press("round").unwrap();
    session.pump_until("move");
    session.table.models.remove("solo1");
    session.pump();
    assert!(session.told().contains("no longer on the table"), "{}", session.told());
    session.play("round");
    assert_eq!(session.activated(), ["solo2", "solo3"]);
}

#[test]
fn another_set_of_ships_is_another_game() {
    let mut session = Session::new(5);
    session.play("round");
    session.table.models = PlainTable::skirmish()
        .models
        .into_iter()
        .map(|(id, model)| (format!("new{id}"), model))
        .collect();
    session.sync();
    session.pump();
    assert_eq!(session.status()["round"], 1);
    assert_eq!(session.status()["waiting"], json!(["newsolo1", "newsolo2", "newsolo3"]));
}
