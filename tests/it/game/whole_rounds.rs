//! Whole rounds at a table: phases, attacks of both sides (solo ships by SA-9 to SA-11), damage, the end phase; everything can
//! be put right, taken back and left out.

use serde_json::{Value, json};
use tallyho::{
    bridge::host::{HostConfig, Outgoing},
    protocol::{
        apply::Placement,
        event::GameEvent,
        fault::FaultKind,
        lifecycle::ClientCapabilities,
        round::{DiceFrom, PromptTopic, RoundPhase},
        solo::{PromptParams, RollParams, RollResult},
    },
};

use super::plain_table::{PlainTable, Session, config, everything};

pub fn leads() -> ClientCapabilities {
    ClientCapabilities {
        rounds: true,
        ..everything()
    }
}

/// Two X-wings and two TIE fighters that face each other, so far apart.
pub fn face_to_face(gap_mm: f64) -> PlainTable {
    let mut table = PlainTable::skirmish();
    table.models.remove("solo3");
    table.obstacles.clear();
    for (id, x, y, facing) in [
        ("solo1", 300.0, 140.0 + gap_mm, 180.0),
        ("solo2", 500.0, 140.0 + gap_mm, 180.0),
        ("xwing1", 300.0, 100.0, 0.0),
        ("xwing2", 500.0, 100.0, 0.0),
    ] {
        table.models.get_mut(id).unwrap().at = Placement { x, y, facing };
    }
    table
}

/// A session in the engagement phase of round 1, the first question or the first solo attack waiting.
pub fn engaged(config: HostConfig, capabilities: &ClientCapabilities) -> Session {
    let mut session = Session::with(config, face_to_face(150.0), capabilities);
    session.request("game/correct", json!({"phase": "engagement"})).unwrap();
    session.pump();
    session
}

/// The ledger entry of a ship.
pub fn ledger(session: &mut Session, ship: &str) -> Value {
    let status = session.status();
    let entries = status["ledger"].as_array().unwrap().clone();
    entries
        .into_iter()
        .find(|entry| entry["ship"] == ship)
        .unwrap_or_default()
}

/// Presses until the next round begins.
fn play_on(session: &mut Session) {
    let round = session.status()["round"].clone();
    for _ in 0..40 {
        session.play("ship");
        if session.status()["round"] != round {
            return;
        }
    }
    panic!("the round does not end: {}", session.status());
}

#[test]
fn a_whole_round_is_played_from_dials_to_the_end_phase() {
    let mut hits = 0;
    for seed in 0..6 {
        let mut session = Session::with(config(seed), face_to_face(420.0), &leads());
        assert_eq!(session.status()["phase"], "planning");
        assert_eq!(session.status()["plays"], "rounds");
        session.play("ship");
        assert_eq!(session.status()["phase"], "activation");
        play_on(&mut session);
        assert_eq!(session.status()["phase"], "planning");
        assert_eq!(session.status()["round"], 2);
        // SA-1: solo ships have moved and attacked, the players were asked for each of their ships.
        let mut activated = session.activated();
        activated.sort();
        assert_eq!(activated, ["solo1", "solo2"]);
        // Round tokens are off the table.
        for model in session.table.models.values() {
            for token in ["focus", "evade", "calculate", "disarm"] {
                assert!(!model.tokens.contains_key(token), "{:?}", model.tokens);
            }
        }
        let phases: Vec<RoundPhase> = session
            .events
            .iter()
            .filter_map(|event| match event {
                GameEvent::Phase { phase, .. } => Some(*phase),
                _ => None,
            })
            .collect();
        assert_eq!(
            phases,
            [RoundPhase::Activation, RoundPhase::Engagement, RoundPhase::Planning]
        );
        hits += session
            .events
            .iter()
            .filter(|event| matches!(event, GameEvent::Ledger { entry } if entry.hull < entry.hull_max || entry.shields < entry.shields_max))
            .count();
    }
    assert!(hits > 0, "nobody was ever hit");
}

#[test]
fn the_players_are_first_at_the_same_initiative_and_higher_initiative_engages_first() {
    let mut session = engaged(config(3), &leads());
    // xwing2 (4), then solo2 (3), xwing1 (2), solo1 (1).
    for _ in 0..6 {
        if session.status()["phase"] == "engagement" {
            session.play("ship");
        }
    }
    let order: Vec<String> = session
        .events
        .iter()
        .filter_map(|event| match event {
            GameEvent::Attack {
                attacker,
                stage: tallyho::protocol::event::AttackStage::Declared,
                ..
            } => Some(attacker.clone()),
            _ => None,
        })
        .collect();
    let mut expected = vec!["xwing2", "solo2", "xwing1", "solo1"];
    // A ship that was shot down earlier by a higher initiative does not fire.
    expected.retain(|ship| order.iter().any(|attacker| attacker == ship));
    assert_eq!(order, expected);
    assert!(order.len() >= 2, "{order:?}");
}

#[test]
fn sa_9_sa_10_and_sa_11_speak_when_a_solo_ship_attacks_and_defends() {
    let mut rules = std::collections::BTreeSet::new();
    for seed in 0..4 {
        let mut session = engaged(config(seed), &leads());
        session.play("round");
        for event in &session.events {
            if let GameEvent::Decided { reasons, .. } = event {
                rules.extend(reasons.iter().map(|reason| reason.rule.clone()));
            }
        }
    }
    for rule in ["SA-9c", "SA-9.3", "SA-10", "SA-11"] {
        assert!(rules.contains(rule), "{rule} of {rules:?}");
    }
}

#[test]
fn a_players_attack_is_asked_with_its_targets_and_what_it_spends_and_damage_is_kept() {
    let mut session = Session::with(config(1), face_to_face(150.0), &leads());
    session
        .table
        .models
        .get_mut("xwing2")
        .unwrap()
        .tokens
        .insert("focus".to_owned(), 1);
    session.sync();
    session.request("game/correct", json!({"phase": "engagement"})).unwrap();
    session.pump();
    let asked = session.prompts[0].clone();
    assert_eq!((asked.topic, &*asked.ship), (PromptTopic::Attack, "xwing2"));
    assert_eq!(asked.default, asked.options[0]);
    assert!(
        asked.options[0].starts_with("solo2: primary weapon"),
        "{:?}",
        asked.options
    );
    assert!(asked.options.iter().any(|option| option == "No attack"));
    assert!(asked.options.iter().any(|option| option == "By hand"));
    // The dice that were rolled are shown to everybody; nobody answered in time, so it attacked where it does most.
    let rolled = session.events.iter().find_map(|event| match event {
        GameEvent::Attack { attacker, attack, .. } if attacker == "xwing2" => Some(attack.clone()),
        _ => None,
    });
    let rolled = rolled.expect("the attack was declared");
    assert_eq!(rolled.len(), 3);
    // Best play: focus results become hits if there are any.
    let spent = !session.table.models["xwing2"].tokens.contains_key("focus");
    assert_eq!(spent, rolled.iter().any(|face| face == "focus"), "{rolled:?}");
    let damage = session.events.iter().find_map(|event| match event {
        GameEvent::Ledger { entry } if entry.ship == "solo2" && entry.hull < entry.hull_max => entry.hull,
        _ => None,
    });
    let hull = ledger(&mut session, "solo2")["hull"].as_u64();
    if let Some(hull_then) = damage {
        assert!(hull <= Some(u64::from(hull_then)));
    }
    // What was said at the table names the attack.
    let said = format!("{:?}", session.table.carried_out);
    assert!(said.contains("attacks solo2 with primary weapon"), "{said}");
}

/// Handles messages until the game asks for dice; the request.
fn until_dice(session: &mut Session) -> RollParams {
    for _ in 0..1000 {
        if matches!(session.waiting.front(), Some(Outgoing::Roll(_)))
            && let Some(Outgoing::Roll(roll)) = session.waiting.pop_front()
        {
            return roll;
        }
        assert!(session.step(), "no dice are asked for: {}", session.status());
    }
    panic!("no dice are asked for");
}

fn roll(session: &mut Session, asked: &RollParams, attack: &[&str], defence: &[&str]) {
    let words = |faces: &[&str]| faces.iter().map(|face| (*face).to_owned()).collect();
    let result = RollResult {
        attack: words(attack),
        defence: words(defence),
        ..RollResult::default()
    };
    let more = session.host.roll_answered(&asked.roll_id, Some(result));
    session.waiting.extend(more);
}

#[test]
fn the_tables_dice_decide_an_attack_and_the_damage_follows_from_them() {
    let can_roll = ClientCapabilities { dice: true, ..leads() };
    let real = HostConfig {
        dice: DiceFrom::Table,
        ..config(1)
    };
    let mut session = Session::with(real, face_to_face(150.0), &can_roll);
    session.request("game/correct", json!({"phase": "engagement"})).unwrap();
    let asked = until_dice(&mut session);
    assert_eq!((&*asked.ship, asked.attack, asked.defence), ("xwing2", 3, 0));
    roll(&mut session, &asked, &["hit", "hit", "Crit"], &[]);
    let asked = until_dice(&mut session);
    assert_eq!((&*asked.ship, asked.attack, asked.defence), ("solo2", 0, 3));
    roll(&mut session, &asked, &[], &["blank", "blank", "blank"]);
    // The next ship is asked for its dice when all of it is dealt.
    until_dice(&mut session);
    let entry = ledger(&mut session, "solo2");
    assert_eq!(entry["hull"], 0, "{entry}");
    assert_eq!(entry["destroyed"], true);
}

#[test]
fn dice_are_typed_in_and_nonsense_is_asked_for_again() {
    let typed = HostConfig {
        dice: DiceFrom::Typed,
        ..config(1)
    };
    let mut session = Session::with(typed, face_to_face(150.0), &leads());
    session.request("game/correct", json!({"phase": "engagement"})).unwrap();
    let next = |session: &mut Session| {
        for _ in 0..1000 {
            if let Some(Outgoing::Prompt(prompt)) = session.waiting.front() {
                let prompt = prompt.clone();
                session.waiting.pop_front();
                return prompt;
            }
            assert!(session.step());
        }
        panic!("nothing is asked");
    };
    let answer = |session: &mut Session, prompt: &PromptParams, text: &str| {
        let more = session.host.prompt_answered(&prompt.prompt_id, Some(text.to_owned()));
        session.waiting.extend(more);
    };
    let target = next(&mut session);
    assert_eq!(target.topic, PromptTopic::Attack);
    answer(&mut session, &target, &target.options[0].clone());
    let dice = next(&mut session);
    assert_eq!(dice.topic, PromptTopic::Dice);
    assert_eq!(dice.input.map(|input| (input.attack, input.defence)), Some((3, 0)));
    answer(&mut session, &dice, "two hits");
    let again = next(&mut session);
    assert!(
        again.text.contains("two hits") && again.prompt_id != dice.prompt_id,
        "{again:?}"
    );
    answer(&mut session, &again, "2h b");
    let defence = next(&mut session);
    assert_eq!(defence.input.map(|input| (input.attack, input.defence)), Some((0, 3)));
    answer(&mut session, &defence, "e b b");
    while ledger(&mut session, "solo2")["hull"] == 3 && session.step() {}
    assert_eq!(ledger(&mut session, "solo2")["hull"], 2);
}

#[test]
fn an_attack_is_taken_back_step_by_step_and_comes_out_the_same_again() {
    for scope in ["step", "turn", "phase"] {
        let mut session = engaged(config(2), &leads());
        session.play("round");
        let after = (
            session.table.models.clone(),
            session.status()["ledger"].clone(),
            session.status()["round"].clone(),
        );
        for _ in 0..40 {
            if session.status()["phase"] == "planning" && session.status()["round"] == 1 {
                break;
            }
            let undone = session.request("solo/undo", json!({"scope": scope}));
            undone.unwrap_or_else(|fault| panic!("{scope}: {fault} {}", session.status()));
            while session
                .waiting
                .iter()
                .any(|outgoing| !matches!(outgoing, Outgoing::Prompt(_)))
            {
                let next = session.waiting.pop_front().unwrap();
                if !matches!(next, Outgoing::Prompt(_)) {
                    session.waiting.push_front(next);
                    session.step();
                }
            }
            session.waiting.clear();
        }
        // Nothing of it is left: whole ships, every token where it was.
        assert_eq!(session.status()["phase"], "planning", "{scope}");
        assert_eq!(session.table.models, face_to_face(150.0).models, "{scope}");
        for entry in session.status()["ledger"].as_array().unwrap() {
            assert_eq!(
                (&entry["hull"], &entry["shields"]),
                (&entry["hullMax"], &entry["shieldsMax"]),
                "{scope}: {entry}"
            );
        }
        session.request("game/correct", json!({"phase": "engagement"})).unwrap();
        session.pump();
        session.play("round");
        let again = (
            session.table.models.clone(),
            session.status()["ledger"].clone(),
            session.status()["round"].clone(),
        );
        assert_eq!(again, after, "{scope}");
    }
}

#[test]
fn players_put_right_what_is_kept() {
    let mut session = Session::with(config(4), face_to_face(420.0), &leads());
    let correct = |session: &mut Session, change: Value| {
        let answer = session.request("game/correct", change.clone());
        session.pump();
        answer.unwrap_or_else(|fault| panic!("{change}: {fault}"))
    };
    correct(&mut session, json!({"ship": "xwing1", "hits": 3}));
    let entry = ledger(&mut session, "xwing1");
    assert_eq!((&entry["shields"], &entry["hull"]), (&json!(0), &json!(3)), "{entry}");
    correct(&mut session, json!({"ship": "xwing1", "shields": 1, "hull": 4}));
    let entry = ledger(&mut session, "xwing1");
    assert_eq!((&entry["shields"], &entry["hull"]), (&json!(1), &json!(4)));
    correct(
        &mut session,
        json!({"ship": "xwing1", "card": {"change": "dealFaceUp", "name": "Structural Damage"}}),
    );
    let entry = ledger(&mut session, "xwing1");
    assert_eq!(entry["faceUp"], json!(["structural-damage"]), "{entry}");
    assert_eq!((&entry["shields"], &entry["hull"]), (&json!(1), &json!(3)));
    correct(
        &mut session,
        json!({"ship": "xwing1", "card": {"change": "repair", "name": "structural-damage"}}),
    );
    let entry = ledger(&mut session, "xwing1");
    assert_eq!((entry.get("faceUp"), &entry["faceDown"]), (None, &json!(1)), "{entry}");
    correct(&mut session, json!({"ship": "solo1", "activated": "done"}));
    assert_eq!(session.status()["waiting"], json!(["solo2"]));
    correct(&mut session, json!({"round": 7, "phase": "activation"}));
    assert_eq!(
        (session.status()["round"].clone(), session.status()["phase"].clone()),
        (json!(7), json!("activation"))
    );
    // A ship that is shot down by hand leaves the table.
    correct(&mut session, json!({"ship": "solo1", "hits": 3}));
    assert!(session.table.models["solo1"].off);
    assert_eq!(ledger(&mut session, "solo1")["destroyed"], true);
    session.request("solo/undo", json!({})).unwrap();
    session.pump();
    assert!(!session.table.models["solo1"].off);
    assert_eq!(ledger(&mut session, "solo1")["hull"], 3);
    for (wrong, kind) in [
        (json!({"ship": "moon", "hits": 1}), FaultKind::UnknownObject),
        (json!({"hits": 1}), FaultKind::InvalidParams),
        (json!({"ship": "solo1", "hits": 1000}), FaultKind::InvalidParams),
        (
            json!({"ship": "solo1", "tokens": {"luck": 1}}),
            FaultKind::UnknownObject,
        ),
        (
            json!({"ship": "solo1", "card": {"change": "dealFaceUp", "name": "bad luck"}}),
            FaultKind::UnknownObject,
        ),
        (json!({"ship": "solo1", "state": "lost"}), FaultKind::InvalidParams),
        (json!({"ship": "solo1", "engaged": "maybe"}), FaultKind::InvalidParams),
        (
            json!({"ship": "solo1", "hull": 4_000_000_000_u32}),
            FaultKind::InvalidParams,
        ),
        (json!({"ship": "solo1", "hullMax": "lots"}), FaultKind::InvalidParams),
        (
            json!({"ship": "solo1", "tokens": {"focus": 100}}),
            FaultKind::InvalidParams,
        ),
        (
            json!({"ship": "solo1", "charges": {"protonbombs": 1}}),
            FaultKind::UnknownObject,
        ),
        (json!({"ship": "solo1", "reinforced": "left"}), FaultKind::InvalidParams),
        (json!({"phase": "over"}), FaultKind::InvalidParams),
        (json!({"phase": "lunch"}), FaultKind::InvalidParams),
        (json!({"round": 0}), FaultKind::InvalidParams),
    ] {
        let fault = session.request("game/correct", wrong.clone()).unwrap_err();
        assert_eq!(fault.kind, kind, "{wrong}");
        // It names the field, or the ship, that is wrong.
        let fields = wrong.as_object().unwrap().iter();
        let named = fields.filter(|(field, value)| {
            fault.message.contains(field.as_str()) || value.as_str().is_some_and(|text| fault.message.contains(text))
        });
        assert!(
            named.count() > 0 || fault.message.starts_with("ship: "),
            "{wrong}: {}",
            fault.message
        );
        assert!(fault.message.len() > 20, "{wrong}: {}", fault.message);
    }
}

#[test]
fn a_count_that_is_too_large_is_told_with_its_range() {
    let mut session = engaged(config(2), &leads());
    for (field, range) in [
        ("hits", "0 to 50"),
        ("hull", "0 to 99"),
        ("hullMax", "0 to 99"),
        ("shields", "0 to 99"),
        ("force", "0 to 99"),
    ] {
        for count in [100_u64, 99_999_999, 99_999_999_999] {
            let fault = session
                .request("game/correct", json!({"ship": "solo1", field: count}))
                .unwrap_err();
            assert_eq!(fault.kind, FaultKind::InvalidParams);
            assert!(fault.message.contains(&format!("{field}: it is {range}")), "{fault:?}");
        }
    }
    let fault = session
        .request("game/correct", json!({"round": 99_999_999_999_u64}))
        .unwrap_err();
    assert!(fault.message.contains("round: it is 1 to 1000"), "{fault:?}");
}

#[test]
fn what_is_waited_for_is_skipped() {
    let mut session = engaged(config(2), &leads());
    session.request("game/correct", json!({"phase": "engagement"})).unwrap();
    // The question for xwing2 is open: skipped, its ship makes no attack.
    while !matches!(session.waiting.front(), Some(Outgoing::Prompt(_))) {
        assert!(session.step());
    }
    session.waiting.clear();
    assert_eq!(session.status()["turn"], "xwing2");
    session.request("game/skip", json!({"what": "ship"})).unwrap();
    session.pump();
    assert_ne!(session.status()["turn"], "xwing2");
    session.request("game/skip", json!({"what": "phase"})).unwrap();
    session.pump();
    assert_eq!(
        (session.status()["phase"].clone(), session.status()["round"].clone()),
        (json!("planning"), json!(2))
    );
    for phase in ["activation", "engagement"] {
        session.request("game/skip", json!({"what": "phase"})).unwrap();
        session.step();
        session.step();
        assert_eq!(session.status()["phase"], phase);
    }
    let nothing = Session::with(config(2), face_to_face(420.0), &leads()).request("game/skip", json!({}));
    assert_eq!(nothing.unwrap_err().kind, FaultKind::NothingToDo);
}

#[test]
fn a_step_that_the_table_never_answers_is_skipped_and_left_to_the_players() {
    let mut session = Session::with(config(2), face_to_face(420.0), &leads());
    session.press("ship").unwrap();
    session.pump_until("move");
    session.waiting.clear();
    let answer = session.request("game/skip", json!({})).unwrap();
    assert!(answer["message"].as_str().unwrap().contains("Please move"), "{answer}");
    session.pump();
    assert_eq!(session.activated().len(), 1);
}

#[test]
fn whole_rounds_are_chosen_for_a_table_that_does_not_ask_for_them() {
    let mut session = Session::with(config(2), face_to_face(420.0), &everything());
    assert_eq!(session.status()["plays"], "activations");
    let refused = session.request("game/correct", json!({"ship": "solo1", "hits": 1}));
    assert_eq!(refused.unwrap_err().kind, FaultKind::NotImplemented);
    session
        .request("game/options", json!({"plays": "rounds", "dice": "typed"}))
        .unwrap();
    let status = session.status();
    assert_eq!(
        (&status["plays"], &status["dice"], &status["phase"]),
        (&json!("rounds"), &json!("typed"), &json!("planning"))
    );
    assert_eq!(ledger(&mut session, "xwing1")["hull"], 4);
}

#[test]
fn tokens_that_are_seen_during_the_engagement_count() {
    let mut session = engaged(config(2), &leads());
    session.request("game/correct", json!({"phase": "engagement"})).unwrap();
    while !matches!(session.waiting.front(), Some(Outgoing::Prompt(_))) {
        assert!(session.step());
    }
    // While the player thinks, a focus token is laid beside the ship.
    session
        .table
        .models
        .get_mut("xwing2")
        .unwrap()
        .tokens
        .insert("focus".to_owned(), 1);
    session.table.rev += 1;
    session.sync();
    session.prompts.clear();
    session.pump();
    let spends = session
        .prompts
        .iter()
        .find(|prompt| prompt.topic == PromptTopic::Spend && prompt.ship == "xwing2");
    let rolled_focus = session.events.iter().any(|event| {
        matches!(event, GameEvent::Attack { attacker, attack, .. } if attacker == "xwing2" && attack.iter().any(|face| face == "focus"))
    });
    assert_eq!(spends.is_some(), rolled_focus);
}

#[test]
fn players_are_asked_about_the_effects_of_their_cards_in_an_attack() {
    let (mut offered, mut used) = (0, 0);
    for seed in 0..8 {
        let mut table = face_to_face(150.0);
        for (id, pilot, x) in [
            ("xwing1", "howlrunner", 430.0),
            ("xwing2", "blacksquadronace-tielnfighter", 500.0),
        ] {
            let model = table.models.get_mut(id).unwrap();
            (model.ship, model.pilot) = ("tielnfighter", Some(pilot));
            model.at.x = x;
        }
        let mut session = Session::with(config(seed), table, &leads());
        session.request("game/correct", json!({"phase": "engagement"})).unwrap();
        session.pump();
        let cards = |text: &String| text.contains("pilot:howlrunner");
        offered += session
            .prompts
            .iter()
            .filter(|prompt| prompt.options.iter().any(cards))
            .count();
        used += session
            .table
            .carried_out
            .iter()
            .filter(|(_, step)| format!("{step:?}").contains("uses pilot:howlrunner"))
            .count();
        for prompt in &session.prompts {
            assert!(prompt.options.contains(&prompt.default), "{prompt:?}");
        }
    }
    assert!(offered > 0 && used > 0, "{offered} offered, {used} used");
}

#[test]
fn a_round_that_is_over_cannot_be_left_out() {
    let mut session = Session::with(config(4), face_to_face(420.0), &leads());
    for ship in ["xwing1", "xwing2"] {
        session
            .request("game/correct", json!({"ship": ship, "state": "destroyed"}))
            .unwrap();
        session.pump();
    }
    for _ in 0..8 {
        if session.status()["phase"] == "over" {
            let fault = session.request("game/skip", json!({"what": "phase"})).unwrap_err();
            assert_eq!(fault.kind, FaultKind::NothingToDo);
            assert!(fault.message.contains("the round is over"), "{}", fault.message);
            return;
        }
        let _ = session.press("ship");
        session.pump();
    }
    panic!("the round does not end: {}", session.status());
}
