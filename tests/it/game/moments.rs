//! The moments of an activation at a table: cards before, in and after it (SA-12), mines (SA-2), dice of obstacles (SA-7).
//! What comes of them goes out as steps, and is taken back with the activation.

use serde_json::{Value, json};
use tallyho::{
    bridge::host::{Host, HostConfig, Outgoing},
    protocol::{
        apply::{Placement, WireStep},
        event::GameEvent,
        lifecycle::ClientCapabilities,
        round::{DiceFrom, PromptTopic},
        solo::{RollParams, RollResult},
    },
};

use super::{
    devices::said,
    plain_table::{PlainTable, Session, config, everything, kind_of},
    whole_rounds::{face_to_face, leads, ledger},
};

/// `solo1` alone, flying north from (300, 300); an X-wing far ahead of it.
fn lone(ship: &'static str, pilot: Option<&'static str>) -> PlainTable {
    let mut table = face_to_face(420.0);
    table.models.remove("solo2");
    table.models.remove("xwing2");
    let at = |x, y, facing| Placement { x, y, facing };
    let solo = table.models.get_mut("solo1").unwrap();
    (solo.ship, solo.pilot, solo.at) = (ship, pilot, at(300.0, 300.0, 0.0));
    table.models.get_mut("xwing1").unwrap().at = at(300.0, 800.0, 180.0);
    table
}

/// Blank and blank: a 2 straight, Offensive.
fn straight_ahead(session: &mut Session) {
    session
        .request("solo/override", json!({"ship": "solo1", "roll": "blank/blank"}))
        .unwrap();
}

/// Begins the activation phase.
fn activation(config: HostConfig, table: PlainTable, able: &ClientCapabilities) -> Session {
    let mut session = Session::with(config, table, able);
    session.request("game/correct", json!({"phase": "activation"})).unwrap();
    session.pump();
    straight_ahead(&mut session);
    session
}

fn tokens(session: &Session, ship: &str) -> Vec<(String, u32)> {
    let tokens = &session.table.models[ship].tokens;
    tokens.iter().map(|(name, count)| (name.clone(), *count)).collect()
}

/// The kinds of the steps that changed something, in order.
fn changes(session: &Session) -> Vec<&'static str> {
    let kinds = session.table.carried_out.iter().map(|(_, step)| kind_of(step));
    kinds.filter(|kind| !matches!(*kind, "say" | "show" | "dial")).collect()
}

#[test]
fn sa_12_c6_an_action_that_a_card_gives_after_the_maneuver_is_taken_at_the_table() {
    let mut session = activation(config(1), lone("tielnfighter", Some("nightbeast")), &leads());
    session.play("ship");
    assert_eq!(
        tokens(&session, "solo1"),
        [("focus".to_owned(), 1)],
        "{}",
        session.told()
    );
    assert_eq!(changes(&session), ["move", "token"]);
    let all = said(&session).join("\n");
    assert_eq!(all.matches("uses “Night Beast”").count(), 1, "{all}");
    let reasons = session.events.iter().filter_map(|event| match event {
        GameEvent::Decided { reasons, .. } => Some(reasons),
        _ => None,
    });
    let reasons: Vec<_> = reasons.flatten().map(|reason| (&*reason.rule, &*reason.text)).collect();
    assert!(
        reasons
            .iter()
            .any(|(rule, text)| *rule == "SA-12" && text.contains("pilot:nightbeast")),
        "{reasons:?}"
    );
    // It is taken back with the activation, and comes again with it.
    session.request("solo/undo", json!({"scope": "turn"})).unwrap();
    session.pump();
    assert_eq!(session.table.models, lone("tielnfighter", Some("nightbeast")).models);
    straight_ahead(&mut session);
    session.play("ship");
    assert_eq!(tokens(&session, "solo1"), [("focus".to_owned(), 1)]);
}

#[test]
fn sa_12_what_a_card_gives_is_not_taken_again_in_the_action_step() {
    // The same ship without the card takes its focus for its action.
    let mut session = activation(config(1), lone("tielnfighter", None), &leads());
    session.play("ship");
    assert_eq!(tokens(&session, "solo1"), [("focus".to_owned(), 1)]);
    assert!(!said(&session).join("\n").contains("uses"));
}

#[test]
fn a_table_that_plays_activations_only_plays_no_cards() {
    let mut session = Session::with(config(1), lone("tielnfighter", Some("nightbeast")), &everything());
    straight_ahead(&mut session);
    session.play("ship");
    assert_eq!(changes(&session), ["move", "token"]);
    assert!(!said(&session).join("\n").contains("uses"));
}

/// The player's Heff Tobber may act when a solo ship bumps into him.
fn bumped() -> PlainTable {
    let mut table = lone("tielnfighter", None);
    let player = table.models.get_mut("xwing1").unwrap();
    (player.ship, player.pilot) = ("ut60duwing", Some("hefftobber"));
    player.at = Placement {
        x: 300.0,
        y: 420.0,
        facing: 90.0,
    };
    table
}

fn asked_about(session: &Session, card: &str) -> usize {
    session
        .prompts
        .iter()
        .filter(|prompt| prompt.text.contains(card))
        .count()
}

#[test]
fn sa_12_d2_a_card_of_the_players_is_asked_in_a_solo_ships_activation() {
    for (choice, focus) in [(None, 0), (Some("use it"), 1)] {
        let mut session = activation(config(1), bumped(), &leads());
        session.consent = choice.map(str::to_owned);
        let mut pressed = false;
        session.press("ship").unwrap();
        while let Some(outgoing) = session.waiting.front().cloned() {
            // The second question of two is about the action itself.
            if let Outgoing::Prompt(prompt) = &outgoing {
                assert_eq!(prompt.topic, PromptTopic::Ability, "{prompt:?}");
                // One decision at a time (case G2).
                if !std::mem::replace(&mut pressed, true) {
                    let status = session.status()["text"].clone();
                    assert!(status.as_str().unwrap().contains("waiting for your answer"), "{status}");
                    assert!(session.press("ship").is_err());
                }
                if prompt.options.iter().any(|option| option == "Focus") {
                    session.consent = Some("Focus".to_owned());
                }
            }
            session.step();
        }
        assert!(
            asked_about(&session, "Heff Tobber") >= 1,
            "{:?} {}",
            session.prompts,
            session.told()
        );
        let held = session.table.models["xwing1"].tokens.get("focus").copied().unwrap_or(0);
        assert_eq!(held, focus, "{choice:?} {:?} {}", session.prompts, session.told());
        assert_eq!(session.activated(), ["solo1"]);
    }
}

#[test]
fn a_question_in_an_activation_that_is_taken_back_is_withdrawn() {
    let mut session = activation(config(1), bumped(), &leads());
    session.press("ship").unwrap();
    while !matches!(session.waiting.front(), Some(Outgoing::Prompt(_))) {
        assert!(session.step(), "no question came: {}", session.told());
    }
    let Some(Outgoing::Prompt(prompt)) = session.waiting.pop_front() else {
        panic!("a question");
    };
    session.request("solo/undo", json!({})).unwrap();
    session.pump();
    assert_eq!(session.withdrawn, std::slice::from_ref(&prompt.prompt_id));
    // A late answer changes nothing.
    let more = session
        .host
        .prompt_answered(&prompt.prompt_id, Some("Use it".to_owned()));
    assert!(
        more.iter().all(|outgoing| matches!(outgoing, Outgoing::Event(_))),
        "{more:?}"
    );
    assert_eq!(session.table.models, bumped().models);
    assert!(session.activated().is_empty());
    straight_ahead(&mut session);
    session.play("ship");
    assert_eq!(session.activated(), ["solo1"]);
}

#[test]
fn a_question_in_an_activation_survives_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let recorded = || HostConfig {
        journal: Some(folder.path().join("game.jsonl")),
        ..config(1)
    };
    let mut session = activation(recorded(), bumped(), &leads());
    session.press("ship").unwrap();
    while !matches!(session.waiting.front(), Some(Outgoing::Prompt(_))) {
        assert!(session.step(), "no question came: {}", session.told());
    }
    session.waiting.clear();
    session.host = Host::new(recorded());
    let outgoing = session.host.table_attached(&leads(), true);
    session.waiting.extend(outgoing);
    session.pump();
    assert_eq!(asked_about(&session, "Heff Tobber"), 1, "{:?}", session.prompts);
    assert_eq!(session.activated(), ["solo1"]);
    let mut ids: Vec<_> = session.table.carried_out.iter().map(|(id, _)| id).collect();
    ids.dedup();
    assert_eq!(ids.len(), session.table.carried_out.len());
}

#[test]
fn a_question_in_an_activation_is_passed_over() {
    let mut session = activation(config(1), bumped(), &leads());
    session.press("ship").unwrap();
    while !matches!(session.waiting.front(), Some(Outgoing::Prompt(_))) {
        assert!(session.step(), "no question came: {}", session.told());
    }
    session.waiting.clear();
    let answer = session.request("game/skip", json!({})).unwrap();
    assert_eq!(answer["message"], "Taken: None.");
    session.pump();
    assert_eq!(session.withdrawn.len(), 1);
    assert_eq!(session.activated(), ["solo1"]);
}

/// The X-wing ahead of the solo ship drops a mine behind itself, where the solo ship comes to lie.
fn mined() -> Session {
    let mut table = lone("tielnfighter", None);
    let player = table.models.get_mut("xwing1").unwrap();
    player.device = Some(json!({"id": "proximitymines", "charges": 1, "max_charges": 1}));
    player.at = Placement {
        x: 300.0,
        y: 520.0,
        facing: 0.0,
    };
    let mut session = Session::with(config(1), table, &leads());
    session.consent = Some("Drop it, 1 straight".to_owned());
    session.play("ship");
    assert!(
        said(&session).join("\n").contains("drops proximitymines"),
        "{}",
        session.told()
    );
    session
        .request("game/correct", json!({"ship": "xwing1", "activated": "done"}))
        .unwrap();
    session.pump();
    session
}

#[test]
fn sa_2_a_mine_that_is_flown_over_at_a_table_goes_off() {
    let mut session = mined();
    if session.activated().is_empty() {
        straight_ahead(&mut session);
        session.play("ship");
    }
    let all = said(&session).join("\n");
    assert_eq!(all.matches("proximitymines goes off").count(), 1, "{all}");
    assert_eq!(all.matches("solo1 is reached by it: rolled").count(), 1, "{all}");
}

/// A rock right ahead of the solo ship.
fn rock(table: &mut PlainTable) {
    table.obstacles.push(json!({"id": "rock9", "kind": "asteroid",
        "points": [[280.0, 390.0], [320.0, 390.0], [315.0, 430.0], [285.0, 430.0]]}));
}

/// Waits until dice are asked for.
fn asked_for_dice(session: &mut Session) -> RollParams {
    for _ in 0..1000 {
        if let Some(Outgoing::Roll(roll)) = session.waiting.front() {
            let roll = roll.clone();
            session.waiting.pop_front();
            return roll;
        }
        assert!(session.step(), "no dice are asked for: {}", session.told());
    }
    panic!("no dice are asked for");
}

#[test]
fn sa_7_the_dice_of_an_obstacle_are_the_tables_where_the_players_chose_so() {
    for (face, hurts) in [("hit", true), ("crit", true), ("focus", false)] {
        for rounds in [true, false] {
            let mut table = lone("tielnfighter", None);
            rock(&mut table);
            let real = HostConfig {
                dice: DiceFrom::Table,
                ..config(1)
            };
            let able = ClientCapabilities {
                dice: true,
                rounds,
                ..everything()
            };
            let mut session = Session::with(real, table, &able);
            if rounds {
                session.request("game/correct", json!({"phase": "activation"})).unwrap();
                session.pump();
            }
            straight_ahead(&mut session);
            session.press("ship").unwrap();
            let asked = asked_for_dice(&mut session);
            // The approach is set: the first dice are the rock's, and the ship has moved.
            assert_eq!((&*asked.ship, asked.attack, asked.defence), ("solo1", 1, 0));
            assert!(changes(&session).contains(&"move"));
            let result = RollResult {
                attack: vec![face.to_owned()],
                ..RollResult::default()
            };
            let more = session.host.roll_answered(&asked.roll_id, Some(result));
            session.waiting.extend(more);
            session.pump();
            let told = session.told();
            assert!(
                told.contains(&format!("solo1 meets an asteroid: rolled {face}")),
                "{told}"
            );
            match rounds {
                true => assert_eq!(ledger(&mut session, "solo1")["hull"] != 3, hurts, "{face}"),
                false => assert_eq!(
                    said(&session).join("\n").contains("Please deal it the damage"),
                    hurts,
                    "{face}"
                ),
            }
            assert_eq!(session.activated(), ["solo1"]);
        }
    }
}

#[test]
fn sa_7_the_dice_of_an_obstacle_are_typed_where_the_players_chose_so() {
    let mut table = lone("tielnfighter", None);
    rock(&mut table);
    let typed = HostConfig {
        dice: DiceFrom::Typed,
        ..config(1)
    };
    let mut session = activation(typed, table, &leads());
    session.consent = Some("crit".to_owned());
    session.play("ship");
    let asked: Vec<_> = session
        .prompts
        .iter()
        .filter(|prompt| prompt.topic == PromptTopic::Dice)
        .collect();
    assert_eq!(asked.len(), 1, "{:?}", session.prompts);
    assert!(asked[0].text.contains("solo1 rolls 1 attack die"), "{asked:?}");
    assert!(
        session.told().contains("solo1 meets an asteroid: rolled crit"),
        "{}",
        session.told()
    );
    // The next one's approach is typed, too: attack die first (SA-3.3).
    session
        .request("game/correct", json!({"ship": "solo1", "activated": "waiting"}))
        .unwrap();
    session.consent = Some("hit blank".to_owned());
    session.prompts.clear();
    session.play("ship");
    let approach = &session.prompts[0];
    assert_eq!(approach.input.map(|input| (input.attack, input.defence)), Some((1, 1)));
    assert!(session.told().contains("blank/hit"), "{}", session.told());
}

#[test]
fn standing_effects_are_in_force_at_a_table() {
    // Dash Rendar ignores obstacles while he moves; another pilot of his ship does not.
    for (pilot, meets) in [("dashrendar", false), ("wildspacefringer", true)] {
        let mut table = lone("yt2400lightfreighter", Some(pilot));
        rock(&mut table);
        let mut session = activation(config(1), table, &leads());
        session.play("ship");
        assert_eq!(session.activated(), ["solo1"], "{}", session.told());
        let met = session.told().contains("solo1 meets an asteroid");
        assert_eq!(met, meets, "{pilot}: {}", session.told());
    }
}

#[test]
fn what_cards_do_at_set_up_is_done_once_at_a_table() {
    let table = lone("xiclasslightshuttle", Some("agenttierny"));
    let mut session = Session::with(config(1), table, &leads());
    let uses = |session: &Session| session.told().matches("uses Agent Tierny").count();
    let first = uses(&session);
    assert_eq!(first, 1, "{}", session.told());
    session.sync();
    session.pump();
    assert_eq!(uses(&session), first);
}

/// What a table reports as another round while a question waits.
#[test]
fn a_question_that_falls_away_holds_no_activation_up() {
    let mut session = activation(config(1), bumped(), &leads());
    session.press("ship").unwrap();
    while !matches!(session.waiting.front(), Some(Outgoing::Prompt(_))) {
        assert!(session.step(), "no question came: {}", session.told());
    }
    session.waiting.clear();
    let correct: Value = json!({"ship": "xwing1", "shields": 1});
    session.request("game/correct", correct).unwrap();
    session.pump();
    assert_eq!(session.withdrawn.len(), 1);
    assert_eq!(
        asked_about(&session, "Heff Tobber"),
        1,
        "it is asked again: {:?}",
        session.prompts
    );
    assert_eq!(session.activated(), ["solo1"]);
    let removed = |(_, step): &(String, WireStep)| matches!(step, WireStep::Remove { .. });
    assert!(!session.table.carried_out.iter().any(removed));
}
