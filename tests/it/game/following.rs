//! A player's own activation at a table: the program sees the ship move, tells the maneuver, and plays what follows as for a solo
//! ship. What the table shows is not asked, what it does not show has a default, and all of it can be taken back.

use proptest::prelude::*;
use serde_json::{Value, json};
use tallyho::{
    bridge::host::{Host, HostConfig, Outgoing},
    geometry::Pose,
    protocol::{
        apply::Placement,
        event::GameEvent,
        lifecycle::ClientCapabilities,
        round::{DiceFrom, PromptTopic},
        solo::{PromptParams, RollResult},
    },
    xwing::{
        catalog::Catalog,
        movement::{Alignment, full_end},
        size::Size,
    },
};

use super::{
    devices::said,
    plain_table::{PlainTable, Session, config, everything},
    whole_rounds::{face_to_face, leads, ledger},
};

fn at(x: f64, y: f64, facing: f64) -> Placement {
    Placement { x, y, facing }
}

/// `xwing1` alone at (300, 100), facing north, a TIE fighter far ahead of it.
fn alone() -> PlainTable {
    let mut table = face_to_face(600.0);
    table.models.remove("solo2");
    table.models.remove("xwing2");
    table
}

/// The activation phase has begun; `xwing1` (2) is after the solo ship (1), which has activated.
fn begun(config: HostConfig, table: PlainTable, able: &ClientCapabilities) -> Session {
    let mut session = Session::with(config, table, able);
    session.request("game/correct", json!({"phase": "activation"})).unwrap();
    session
        .request("game/correct", json!({"ship": "solo1", "activated": "done"}))
        .unwrap();
    session.pump();
    session
}

fn begin(table: PlainTable) -> Session {
    begun(config(1), table, &leads())
}

fn put(session: &mut Session, ship: &str, place: Placement) {
    session.table.models.get_mut(ship).unwrap().at = place;
}

/// Lets everything happen; `answers` tells what the players answer to a question, nothing before the deadline.
fn run(session: &mut Session, mut answers: impl FnMut(&PromptParams, &mut PlainTable) -> Option<String>) {
    for _ in 0..1000 {
        match session.waiting.front() {
            Some(Outgoing::Prompt(_)) => {
                let Some(Outgoing::Prompt(prompt)) = session.waiting.pop_front() else {
                    unreachable!("it was there");
                };
                let choice = answers(&prompt, &mut session.table);
                session.prompts.push(prompt.clone());
                let more = session.host.prompt_answered(&prompt.prompt_id, choice);
                session.waiting.extend(more);
            }
            Some(_) => {
                session.step();
            }
            None => return,
        }
    }
    panic!("the game does not come to rest: {}", session.told());
}

/// The player moves a ship there, and the table is read.
fn moves(session: &mut Session, ship: &str, place: Placement) {
    put(session, ship, place);
    session.sync();
}

fn answer<'a>(options: &'a [(&'a str, &'a str)]) -> impl FnMut(&PromptParams, &mut PlainTable) -> Option<String> + 'a {
    move |prompt, _| {
        let found = options.iter().find(|(about, _)| prompt.text.contains(about));
        found.map(|(_, choice)| {
            assert!(
                prompt.options.iter().any(|option| option == choice),
                "{choice}: {prompt:?}"
            );
            (*choice).to_owned()
        })
    }
}

fn tokens(session: &Session, ship: &str) -> Vec<(String, u32)> {
    let tokens = &session.table.models[ship].tokens;
    tokens.iter().map(|(name, count)| (name.clone(), *count)).collect()
}

/// As in `focus 1, stress 1`.
fn held(session: &Session, ship: &str) -> String {
    let tokens = tokens(session, ship).into_iter();
    let words: Vec<String> = tokens.map(|(name, count)| format!("{name} {count}")).collect();
    words.join(", ")
}

fn message(session: &Session, of: &str) -> String {
    let events = session.events.iter().rev();
    let mut messages = events.filter_map(|event| match event {
        GameEvent::Activated { ship, message } if ship == of => Some(message.clone()),
        _ => None,
    });
    messages.next().unwrap_or_default()
}

/// Two straight.
const AHEAD: Placement = Placement {
    x: 300.0,
    y: 220.0,
    facing: 0.0,
};

#[test]
fn a_player_moves_and_is_asked_for_the_action_alone() {
    let before = alone();
    let mut session = begin(alone());
    moves(&mut session, "xwing1", AHEAD);
    run(&mut session, answer(&[("which action", "Focus")]));
    assert_eq!(session.prompts.len(), 1, "{:?}", session.prompts);
    let asked = &session.prompts[0];
    assert_eq!(
        (asked.topic, &*asked.ship, &*asked.default),
        (PromptTopic::Action, "xwing1", "No action")
    );
    for option in ["No action", "Focus", "Barrel Roll"] {
        assert!(asked.options.iter().any(|other| other == option), "{option}: {asked:?}");
    }
    // Nothing is in range of its sensors.
    assert!(!asked.options.iter().any(|option| option.contains("Lock")), "{asked:?}");
    assert_eq!(held(&session, "xwing1"), "focus 1");
    assert_eq!(session.activated(), ["xwing1"]);
    assert_eq!(
        message(&session, "xwing1"),
        "xwing1 flew blue 2 straight. xwing1: focus."
    );
    assert_eq!(ledger(&mut session, "xwing1")["activated"], true);
    // All of it is taken back: the ship stands where it stood, and waits.
    session.request("solo/undo", json!({"scope": "turn"})).unwrap();
    session.pump();
    assert_eq!(session.table.models, before.models);
    assert_eq!(ledger(&mut session, "xwing1")["activated"], false);
    // And it can fly again, otherwise.
    moves(&mut session, "xwing1", at(300.0, 260.0, 0.0));
    run(&mut session, answer(&[]));
    assert_eq!(message(&session, "xwing1"), "xwing1 flew white 3 straight.");
    assert_eq!(held(&session, "xwing1"), "");
}

#[test]
fn check_difficulty_is_done_once_whoever_does_it() {
    for (stressed, done_by_hand) in [(false, false), (false, true)] {
        let mut session = begin(alone());
        assert!(!stressed);
        put(&mut session, "xwing1", at(300.0, 300.0, 180.0));
        if done_by_hand {
            session
                .table
                .models
                .get_mut("xwing1")
                .unwrap()
                .tokens
                .insert("stress".to_owned(), 1);
        }
        session.sync();
        run(&mut session, answer(&[]));
        assert!(
            message(&session, "xwing1").contains("flew red 4 Koiogran turn. xwing1 has no action: it is stressed."),
            "{}",
            session.told()
        );
        assert!(
            session.prompts.is_empty(),
            "a stressed ship is asked for no action: {:?}",
            session.prompts
        );
        assert_eq!(held(&session, "xwing1"), "stress 1", "{done_by_hand}");
        session.request("solo/undo", json!({"scope": "turn"})).unwrap();
        session.pump();
        assert_eq!(session.table.models, alone().models, "{done_by_hand}");
    }
    // A blue maneuver takes the stress off.
    let mut table = alone();
    table
        .models
        .get_mut("xwing1")
        .unwrap()
        .tokens
        .insert("stress".to_owned(), 1);
    let mut session = begin(table);
    moves(&mut session, "xwing1", AHEAD);
    run(&mut session, answer(&[("which action", "Focus")]));
    assert_eq!(held(&session, "xwing1"), "focus 1");
}

#[test]
fn what_the_table_shows_is_not_asked() {
    // A token, and a barrel roll to the left after the move.
    let cases: [(&str, Placement, &str); 3] = [
        ("focus", AHEAD, "xwing1: focus."),
        ("", at(220.0, 220.0, 0.0), "xwing1: barrel roll left."),
        ("", at(380.0, 230.0, 0.0), "xwing1: barrel roll right (10 mm forward)."),
    ];
    for (token, place, said) in cases {
        let mut session = begin(alone());
        if !token.is_empty() {
            session
                .table
                .models
                .get_mut("xwing1")
                .unwrap()
                .tokens
                .insert(token.to_owned(), 1);
        }
        moves(&mut session, "xwing1", place);
        run(&mut session, answer(&[]));
        assert!(session.prompts.is_empty(), "{said} {:?}", session.prompts);
        assert_eq!(
            message(&session, "xwing1"),
            format!("xwing1 flew blue 2 straight. {said}")
        );
        let changed = session
            .table
            .carried_out
            .iter()
            .map(|(_, step)| super::plain_table::kind_of(step));
        assert_eq!(
            changed.filter(|kind| *kind != "say").count(),
            0,
            "nothing is left to do"
        );
        session.request("solo/undo", json!({"scope": "turn"})).unwrap();
        session.pump();
        assert_eq!(session.table.models, alone().models, "{said}");
    }
}

#[test]
fn a_token_that_is_put_down_while_the_question_waits_answers_it() {
    let mut session = begin(alone());
    moves(&mut session, "xwing1", AHEAD);
    while !matches!(session.waiting.front(), Some(Outgoing::Prompt(_))) {
        assert!(session.step(), "{}", session.told());
    }
    session.waiting.clear();
    session
        .table
        .models
        .get_mut("xwing1")
        .unwrap()
        .tokens
        .insert("focus".to_owned(), 1);
    session.sync();
    session.pump();
    assert_eq!(session.withdrawn.len(), 1);
    assert_eq!(
        message(&session, "xwing1"),
        "xwing1 flew blue 2 straight. xwing1: focus."
    );
    assert_eq!(held(&session, "xwing1"), "focus 1");
    session.request("solo/undo", json!({"scope": "turn"})).unwrap();
    session.pump();
    assert_eq!(session.table.models, alone().models);
}

#[test]
fn the_press_says_that_the_players_are_done() {
    let mut session = begin(alone());
    moves(&mut session, "xwing1", AHEAD);
    while !matches!(session.waiting.front(), Some(Outgoing::Prompt(_))) {
        assert!(session.step(), "{}", session.told());
    }
    session.waiting.clear();
    session.play("ship");
    assert_eq!(session.withdrawn.len(), 1);
    assert_eq!(session.activated(), ["xwing1"]);
    // The press itself counts: the engagement has begun.
    assert_ne!(session.status()["phase"], "activation", "{}", session.told());
}

/// A rock on the way ahead.
fn with_rock(kind: &str) -> PlainTable {
    let mut table = alone();
    table.obstacles.push(json!({"id": "rock9", "kind": kind,
        "points": [[280.0, 150.0], [320.0, 150.0], [315.0, 180.0], [285.0, 180.0]]}));
    table
}

#[test]
fn sa_7_a_player_who_flies_through_an_obstacle_rolls_as_the_game_does() {
    for (face, hurts) in [("hit", true), ("focus", false)] {
        let real = HostConfig {
            dice: DiceFrom::Table,
            ..config(1)
        };
        let able = ClientCapabilities {
            dice: true,
            rounds: true,
            ..everything()
        };
        let mut session = begun(real, with_rock("asteroid"), &able);
        moves(&mut session, "xwing1", AHEAD);
        let roll = loop {
            if let Some(Outgoing::Roll(roll)) = session.waiting.front() {
                let roll = roll.clone();
                session.waiting.pop_front();
                break roll;
            }
            assert!(session.step(), "no dice are asked for: {}", session.told());
        };
        assert_eq!((&*roll.ship, roll.attack, roll.defence), ("xwing1", 1, 0));
        let result = RollResult {
            attack: vec![face.to_owned()],
            ..RollResult::default()
        };
        let more = session.host.roll_answered(&roll.roll_id, Some(result));
        session.waiting.extend(more);
        run(&mut session, answer(&[]));
        assert_eq!(
            ledger(&mut session, "xwing1")["shields"] != 2,
            hurts,
            "{}",
            session.told()
        );
        assert!(session.prompts.is_empty(), "it has no action: {:?}", session.prompts);
        assert!(message(&session, "xwing1").contains("has no action: it met an obstacle"));
        session.request("solo/undo", json!({"scope": "turn"})).unwrap();
        session.pump();
        assert_eq!(ledger(&mut session, "xwing1")["shields"], 2);
        assert_eq!(session.table.models, alone().models);
    }
}

#[test]
fn debris_leaves_a_player_stress_and_no_action() {
    let mut session = begin(with_rock("debris"));
    moves(&mut session, "xwing1", AHEAD);
    run(&mut session, answer(&[]));
    // Stress of the debris; the blue maneuver was before it.
    assert_eq!(held(&session, "xwing1"), "stress 1");
    assert!(
        message(&session, "xwing1").contains("it is stressed"),
        "{}",
        session.told()
    );
}

#[test]
fn sa_2_a_player_who_flies_over_a_mine_sets_it_off() {
    let mut table = face_to_face(600.0);
    table.models.remove("solo2");
    let second = table.models.get_mut("xwing2").unwrap();
    second.device = Some(json!({"id": "proximitymines", "charges": 1, "max_charges": 1}));
    second.at = at(300.0, 320.0, 0.0);
    let mut session = Session::with(config(1), table, &leads());
    session.consent = Some("Drop it, 1 straight".to_owned());
    session.play("ship");
    assert!(said(&session).join("\n").contains("drops "), "{}", session.told());
    session
        .request("game/correct", json!({"ship": "solo1", "activated": "done"}))
        .unwrap();
    session.consent = None;
    moves(&mut session, "xwing1", AHEAD);
    run(&mut session, answer(&[]));
    let all = said(&session).join("\n");
    assert_eq!(all.matches("goes off").count(), 1, "{all}");
    assert!(
        all.contains("xwing1 is reached by it") || all.contains("xwing1 rolls"),
        "{all}"
    );
}

#[test]
fn a_ship_that_bumps_is_told_by_where_it_stopped() {
    let mut table = alone();
    let mut solo = table.models["solo1"].clone();
    solo.at = at(300.0, 240.0, 90.0);
    table.models.insert("solo1".to_owned(), solo);
    let mut session = begin(table);
    // A 2, 3 or 4 straight stops at the same place: the players are asked which it was.
    moves(&mut session, "xwing1", at(300.0, 200.0, 0.0));
    run(&mut session, answer(&[("which maneuver", "white 3 straight")]));
    let asked: Vec<_> = session.prompts.iter().map(|prompt| &*prompt.text).collect();
    assert_eq!(asked, ["xwing1 has moved: which maneuver was that?"]);
    let options = &session.prompts[0].options;
    assert!(options.contains(&"blue 2 straight".to_owned()), "{options:?}");
    assert!(
        message(&session, "xwing1").contains("flew white 3 straight. xwing1 has no action: it overlapped a ship."),
        "{}",
        session.told()
    );
}

#[test]
fn a_ship_that_stands_anywhere_has_activated_or_was_put_right() {
    let odd = at(350.0, 145.0, 130.0);
    // Nobody answers: as before, it has activated, and the rest is the players'.
    let mut session = begin(alone());
    moves(&mut session, "xwing1", odd);
    run(&mut session, answer(&[]));
    assert_eq!(session.prompts[0].default, "It has activated; we saw to it");
    assert_eq!(ledger(&mut session, "xwing1")["activated"], true);
    // It was only put right.
    let mut session = begin(alone());
    moves(&mut session, "xwing1", odd);
    run(
        &mut session,
        answer(&[("which maneuver", "Only put right: it still waits")]),
    );
    assert_eq!(ledger(&mut session, "xwing1")["activated"], false);
    assert!(session.activated().is_empty());
    session.sync();
    session.pump();
    assert_eq!(session.prompts.len(), 1, "it is not asked again");
    // From there it flies.
    let from = (130.0_f64).to_radians();
    let end = at(350.0 + 120.0 * from.sin(), 145.0 + 120.0 * from.cos(), 130.0);
    moves(&mut session, "xwing1", end);
    run(&mut session, answer(&[]));
    assert!(
        message(&session, "xwing1").contains("flew blue 2 straight"),
        "{}",
        session.told()
    );
}

#[test]
fn a_ship_that_its_player_puts_back_waits_again() {
    let mut session = begin(alone());
    moves(&mut session, "xwing1", AHEAD);
    while !matches!(session.waiting.front(), Some(Outgoing::Prompt(_))) {
        assert!(session.step(), "{}", session.told());
    }
    session.waiting.clear();
    moves(&mut session, "xwing1", at(300.0, 100.0, 0.0));
    session.pump();
    assert_eq!(session.withdrawn.len(), 1);
    assert!(session.activated().is_empty());
    assert_eq!(ledger(&mut session, "xwing1")["activated"], false);
}

#[test]
fn what_moves_a_ship_in_its_action_its_players_place() {
    let mut session = begin(alone());
    moves(&mut session, "xwing1", AHEAD);
    run(&mut session, |prompt, table| {
        if prompt.text.contains("which action") {
            return Some("Barrel Roll".to_owned());
        }
        assert!(prompt.text.contains("Please place it"), "{prompt:?}");
        // At first it is not placed, then a little beside an end.
        let ship = table.models.get_mut("xwing1").unwrap();
        if prompt.text.contains("stands where it stood") {
            ship.at = at(221.5, 209.0, 1.0);
        }
        Some("It is placed".to_owned())
    });
    assert_eq!(
        message(&session, "xwing1"),
        "xwing1 flew blue 2 straight. xwing1: barrel roll left (10 mm back)."
    );
    session.request("solo/undo", json!({"scope": "turn"})).unwrap();
    session.pump();
    assert_eq!(session.table.models, alone().models);
    // A roll that is not made.
    moves(&mut session, "xwing1", AHEAD);
    run(
        &mut session,
        answer(&[("which action", "Barrel Roll"), ("Please place", "It does not move")]),
    );
    assert_eq!(message(&session, "xwing1"), "xwing1 flew blue 2 straight.");
}

/// The player flies “Night Beast”, who may focus after a blue maneuver.
fn night_beast() -> PlainTable {
    let mut table = alone();
    let player = table.models.get_mut("xwing1").unwrap();
    (player.ship, player.pilot) = ("tielnfighter", Some("nightbeast"));
    table
}

#[test]
fn sa_12_a_card_of_the_players_is_asked_in_their_own_activation() {
    for (uses, expected) in [(None, "evade 1"), (Some("use it"), "evade 1, focus 1")] {
        let mut session = begin(night_beast());
        moves(&mut session, "xwing1", AHEAD);
        run(&mut session, |prompt, _| {
            if prompt.text.contains("does it use") {
                return uses.map(str::to_owned);
            }
            let wanted = if prompt.text.contains("may take an action by") {
                "Focus"
            } else {
                "Evade"
            };
            Some(wanted.to_owned())
        });
        assert_eq!(
            held(&session, "xwing1"),
            expected,
            "{:?} {}",
            session.prompts,
            session.told()
        );
        session.request("solo/undo", json!({"scope": "turn"})).unwrap();
        session.pump();
        assert_eq!(session.table.models, night_beast().models);
    }
}

#[test]
fn sa_12_a_card_of_a_solo_ship_answers_in_a_players_activation() {
    // Heff Tobber acts when an enemy ship that executes a maneuver comes to be at range 0.
    let mut table = alone();
    let solo = table.models.get_mut("solo1").unwrap();
    (solo.ship, solo.pilot) = ("ut60duwing", Some("hefftobber"));
    solo.at = at(300.0, 250.0, 90.0);
    let mut session = begin(table);
    moves(&mut session, "xwing1", at(300.0, 200.0, 0.0));
    run(&mut session, answer(&[]));
    let reasons = session.told();
    assert!(said(&session).join("\n").contains("uses Heff Tobber"), "{reasons}");
    assert!(reasons.contains("SA-12"), "{reasons}");
}

/// The player flies Sabine Wren, who may roll or boost before she activates.
fn sabine() -> PlainTable {
    let mut table = alone();
    let player = table.models.get_mut("xwing1").unwrap();
    (player.ship, player.pilot) = ("tielnfighter", Some("sabinewren-tielnfighter"));
    table
}

#[test]
fn sa_12_what_comes_before_a_player_reveals_its_dial_is_asked_when_it_is_its_turn() {
    let mut session = Session::with(config(1), sabine(), &leads());
    session.request("game/correct", json!({"phase": "activation"})).unwrap();
    run(&mut session, answer(&[]));
    assert!(
        session.prompts.is_empty(),
        "the solo ship comes first: {:?}",
        session.prompts
    );
    session
        .request("game/correct", json!({"ship": "solo1", "activated": "done"}))
        .unwrap();
    session.sync();
    run(&mut session, |prompt, table| {
        if prompt.text.contains("does it use") {
            return Some("use it".to_owned());
        }
        if prompt.text.contains("may take an action by") {
            return Some("Barrel Roll".to_owned());
        }
        table.models.get_mut("xwing1").unwrap().at = at(380.0, 100.0, 0.0);
        Some("It is placed".to_owned())
    });
    assert!(
        said(&session).join("\n").contains("uses Sabine Wren"),
        "{}",
        session.told()
    );
    assert!(session.activated().is_empty(), "it has not moved yet");
    // It may fly now, and is not asked about the card again.
    let asked = session.prompts.len();
    moves(&mut session, "xwing1", at(380.0, 220.0, 0.0));
    run(&mut session, answer(&[]));
    assert!(message(&session, "xwing1").contains("2 straight"), "{}", session.told());
    let later: Vec<_> = session.prompts[asked..].iter().map(|prompt| &*prompt.text).collect();
    assert!(later.iter().all(|text| text.contains("which action")), "{later:?}");
    // Each is taken back by itself.
    for _ in 0..2 {
        session.request("solo/undo", json!({"scope": "step"})).unwrap();
        session.pump();
    }
    assert_eq!(session.table.models, sabine().models);
}

#[test]
fn a_damage_card_is_repaired_by_the_action_that_it_offers() {
    let mut session = begin(alone());
    session
        .request(
            "game/correct",
            json!({"ship": "xwing1", "card": {"change": "dealFaceUp", "name": "Fuel Leak"}}),
        )
        .unwrap();
    session.pump();
    assert_eq!(ledger(&mut session, "xwing1")["faceUp"], json!(["fuel-leak"]));
    moves(&mut session, "xwing1", AHEAD);
    run(&mut session, answer(&[("which action", "The action of Fuel Leak")]));
    assert_eq!(
        ledger(&mut session, "xwing1")["faceUp"],
        Value::Null,
        "{}",
        session.told()
    );
    assert_eq!(ledger(&mut session, "xwing1")["faceDown"], 1);
    session.request("solo/undo", json!({"scope": "turn"})).unwrap();
    session.pump();
    assert_eq!(ledger(&mut session, "xwing1")["faceUp"], json!(["fuel-leak"]));
}

#[test]
fn a_coordinated_friend_is_asked_for_its_action() {
    let mut table = face_to_face(600.0);
    table.models.remove("solo2");
    let coordinator = table.models.get_mut("xwing1").unwrap();
    coordinator.ship = "lambdaclasst4ashuttle";
    let mut session = begin(table);
    moves(&mut session, "xwing1", at(300.0, 260.0, 0.0));
    let mut asked = Vec::new();
    run(&mut session, |prompt, _| {
        asked.push(prompt.text.clone());
        if !prompt.text.contains("which action") {
            return None;
        }
        let wanted = if prompt.ship == "xwing1" { "Coordinate" } else { "Focus" };
        prompt.options.iter().find(|option| option.starts_with(wanted)).cloned()
    });
    assert!(
        message(&session, "xwing1").contains("xwing1: coordinate xwing2. xwing2: focus."),
        "{asked:?} {}",
        session.told()
    );
    assert_eq!(held(&session, "xwing2"), "focus 1");
}

#[test]
fn a_players_activation_survives_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let recorded = || HostConfig {
        journal: Some(folder.path().join("game.jsonl")),
        ..config(1)
    };
    let mut session = begun(recorded(), alone(), &leads());
    moves(&mut session, "xwing1", at(300.0, 300.0, 180.0));
    while !matches!(session.waiting.front(), Some(Outgoing::Apply(params)) if super::plain_table::kind_of(&params.step) == "token")
    {
        assert!(session.step(), "no step came: {}", session.told());
    }
    session.waiting.clear();
    session.host = Host::new(recorded());
    let outgoing = session.host.table_attached(&leads(), true);
    session.waiting.extend(outgoing);
    run(&mut session, answer(&[]));
    assert_eq!(held(&session, "xwing1"), "stress 1");
    assert_eq!(session.activated(), ["xwing1"]);
}

#[test]
fn the_rest_of_a_players_activation_can_be_left_out() {
    let mut session = begin(alone());
    moves(&mut session, "xwing1", AHEAD);
    while !matches!(session.waiting.front(), Some(Outgoing::Prompt(_))) {
        assert!(session.step(), "{}", session.told());
    }
    session.waiting.clear();
    let answer = session.request("game/skip", json!({"what": "ship"})).unwrap();
    assert_eq!(answer["message"], "xwing1 counts as activated; the rest is left out.");
    session.pump();
    assert_eq!(session.activated(), ["xwing1"]);
}

#[test]
fn ships_that_were_moved_together_are_followed_one_after_the_other() {
    let mut table = face_to_face(600.0);
    table.models.remove("solo2");
    let mut session = begin(table);
    put(&mut session, "xwing2", at(500.0, 220.0, 0.0));
    put(&mut session, "xwing1", AHEAD);
    session.sync();
    run(&mut session, answer(&[("which action", "Focus")]));
    // In the order of their initiative.
    assert_eq!(session.activated(), ["xwing1", "xwing2"]);
    assert_eq!(
        (held(&session, "xwing1"), held(&session, "xwing2")),
        ("focus 1".to_owned(), "focus 1".to_owned())
    );
}

#[test]
fn a_players_ship_that_moves_off_the_edge_has_fled() {
    let mut table = alone();
    table.models.get_mut("xwing1").unwrap().at = at(300.0, 80.0, 180.0);
    let mut session = begin(table);
    moves(&mut session, "xwing1", at(300.0, 0.0, 180.0));
    run(&mut session, answer(&[]));
    assert!(session.table.models["xwing1"].off, "{}", session.told());
    assert!(
        said(&session).join("\n").contains("leaves the play area"),
        "{}",
        session.told()
    );
    session.request("solo/undo", json!({"scope": "turn"})).unwrap();
    session.pump();
    assert!(!session.table.models["xwing1"].off);
    assert_eq!(session.table.models["xwing1"].at, at(300.0, 80.0, 180.0));
}

/// What a player does with a ship before the table is read.
#[derive(Debug, Clone)]
enum Deed {
    /// A maneuver of its dial, by its place there.
    Flies(usize),
    /// It is put anywhere.
    Put(f64, f64, f64),
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        6 => (0..16_usize).prop_map(Deed::Flies),
        1 => (60.0..850.0_f64, 60.0..850.0_f64, 0.0..360.0_f64).prop_map(|(x, y, facing)| Deed::Put(x, y, facing)),
    ]
}

/// Cards of both sides and a rock: all that can come up in a player's activation.
fn crowded(seed: u64) -> PlainTable {
    let mut table = face_to_face(200.0);
    for (id, ship, pilot) in [
        ("solo1", "ut60duwing", "hefftobber"),
        ("xwing1", "tielnfighter", "nightbeast"),
        ("xwing2", "tielnfighter", "sabinewren-tielnfighter"),
    ] {
        let model = table.models.get_mut(id).unwrap();
        (model.ship, model.pilot) = (ship, Some(pilot));
    }
    let kind = ["asteroid", "debris", "gascloud"][(seed % 3) as usize];
    table.obstacles.push(json!({"id": "rock9", "kind": kind,
        "points": [[270.0, 160.0], [330.0, 160.0], [325.0, 200.0], [275.0, 200.0]]}));
    table
}

/// What is kept of the ships, and whose turn it is.
fn state(session: &mut Session) -> Value {
    let status = session.status();
    json!({"ledger": status["ledger"], "round": status["round"], "phase": status["phase"]})
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    /// Whatever a player does in the activation of a ship, whatever is answered, and wherever it is stopped: taken back, table
    /// and game are as they were, and the round can be played from there.
    #[test]
    fn whatever_a_player_does_in_an_activation_can_be_taken_back(
        seed in 0..12_u64,
        deed in deed(),
        second in any::<bool>(),
        token in prop::sample::select(vec!["", "focus", "evade", "stress"]),
        answers in prop::collection::vec(0..9_usize, 8),
        handled in prop::option::of(0..20_usize),
        between in prop::sample::select(vec!["", "focus", "read"]),
    ) {
        let mut session = begun(config(seed), crowded(seed), &leads());
        session.request("game/correct", json!({"ship": "solo2", "activated": "done"})).unwrap();
        run(&mut session, |_, _| None);
        let id = if second { "xwing2" } else { "xwing1" };
        let before = (session.table.models.clone(), state(&mut session));
        let model = session.table.models.get_mut(id).unwrap();
        model.at = match deed {
            Deed::Flies(place) => {
                let dial = Catalog::embedded().ship("tielnfighter").unwrap().dial.maneuvers().to_vec();
                let from = Pose::new(model.at.x, model.at.y, model.at.facing);
                let end = full_end(Size::Small, from, dial[place % dial.len()], Alignment::Middle);
                at(end.position.x, end.position.y, end.heading)
            }
            Deed::Put(x, y, facing) => at(x, y, facing),
        };
        if !token.is_empty() {
            model.tokens.insert(token.to_owned(), 1);
        }
        session.sync();
        let mut asked = 0;
        let mut left = handled;
        for _ in 0..2000 {
            if left == Some(0) {
                break;
            }
            left = left.map(|left| left - 1);
            let Some(Outgoing::Prompt(prompt)) = session.waiting.front().cloned() else {
                if session.step() {
                    continue;
                }
                break;
            };
            session.waiting.pop_front();
            let number = answers[asked % answers.len()];
            asked += 1;
            let mut choice = prompt.options.get(number % (prompt.options.len() + 1)).cloned();
            if prompt.text.contains("Please place it") && number % 2 == 0 {
                choice = Some("It is placed".to_owned());
                session.table.models.get_mut(&prompt.ship).unwrap().at.x += 80.0;
            } else if between == "focus" && asked == 1 && prompt.ship == id {
                session.table.models.get_mut(id).unwrap().tokens.insert("focus".to_owned(), 1);
                session.sync();
            } else if between == "read" {
                session.sync();
            }
            // Only put right: nothing has happened that could be taken back.
            let choice = choice.filter(|choice| !choice.starts_with("Only put right"));
            let more = session.host.prompt_answered(&prompt.prompt_id, choice);
            session.waiting.extend(more);
        }
        session.request("solo/undo", json!({"scope": "turn"})).unwrap();
        run(&mut session, |_, _| None);
        // What was stopped may have been what comes before the turn of the ship after it.
        if ledger(&mut session, id)["activated"] == true {
            session.request("solo/undo", json!({"scope": "turn"})).unwrap();
            run(&mut session, |_, _| None);
        }
        prop_assert_eq!(&session.table.models, &before.0, "{}", session.told());
        prop_assert_eq!(state(&mut session), before.1.clone(), "{}", session.told());
        session.sync();
        run(&mut session, |_, _| None);
        prop_assert_eq!(state(&mut session), before.1);
        let mut presses = 0;
        while session.status()["round"] == 1 {
            let _ = session.press("round");
            run(&mut session, |_, _| None);
            presses += 1;
            prop_assert!(presses < 30, "{}", session.status());
        }
    }
}
