//! Whole rounds at a table: phases, attacks of both sides, damage, the end phase; everything can be put right, taken back
//! and left out.

use serde_json::{Value, json};
use tallyho::{
    bridge::host::HostConfig,
    protocol::{
        apply::Placement,
        event::GameEvent,
        lifecycle::ClientCapabilities,
        round::{PromptTopic, RoundPhase},
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
    assert!(asked.options[0].starts_with("solo2: primary"), "{:?}", asked.options);
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
    assert!(said.contains("attacks solo2 with primary"), "{said}");
}
