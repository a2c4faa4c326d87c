//! Cards outside attacks at a table (SA-12): what is announced, asked and decided.

use serde_json::json;
use tallyho::bridge::host::{Host, HostConfig, Outgoing};
use tallyho::protocol::{apply::WireStep, event::GameEvent, solo::PromptParams};

use super::{
    devices::said,
    plain_table::{PlainTable, Session, config},
    whole_rounds::{face_to_face, leads},
};

/// Notes that name a card.
fn notes_about(session: &Session, card: &str) -> Vec<String> {
    let events = session.events.iter();
    let notes = events.filter_map(|event| match event {
        GameEvent::Note { message } if message.contains(card) => Some(message.clone()),
        _ => None,
    });
    notes.collect()
}

#[test]
fn cards_that_are_asked_are_announced_once_and_played_ones_are_not() {
    let mut table = face_to_face(420.0);
    for (id, ship, pilot) in [
        ("solo1", "firesprayclasspatrolcraft", "zamwesell"),
        ("solo2", "tielnfighter", "howlrunner"),
    ] {
        let model = table.models.get_mut(id).unwrap();
        (model.ship, model.pilot) = (ship, Some(pilot));
    }
    let mut session = Session::with(config(1), table, &leads());
    let notes = notes_about(&session, "pilot:zamwesell");
    assert_eq!(notes.len(), 1, "{}", session.told());
    assert!(notes[0].contains("asked about"), "{notes:?}");
    assert!(notes_about(&session, "howlrunner").is_empty());
    for _ in 0..3 {
        session.sync();
        session.play("ship");
    }
    assert_eq!(
        notes_about(&session, "it is asked about").len() + notes_about(&session, "only a part").len(),
        1
    );
}

/// Two ships face each other at range 1, the others are gone; the engagement begins.
fn engagement(prepare: impl FnOnce(&mut PlainTable), consent: Option<&str>) -> Session {
    let mut table = face_to_face(80.0);
    table.models.remove("solo2");
    table.models.remove("xwing2");
    prepare(&mut table);
    let mut session = Session::with(config(1), table, &leads());
    session.consent = consent.map(str::to_owned);
    session.request("game/correct", json!({"phase": "engagement"})).unwrap();
    session.pump();
    session
}

fn asked_about<'s>(session: &'s Session, card: &str) -> Vec<&'s PromptParams> {
    session
        .prompts
        .iter()
        .filter(|prompt| prompt.text.contains(card))
        .collect()
}

fn jingoist(initiative: u8, focus: u32) -> impl FnOnce(&mut PlainTable) {
    move |table| {
        let solo = table.models.get_mut("solo1").unwrap();
        (solo.pilot, solo.initiative) = (Some("isbjingoist"), initiative);
        let player = table.models.get_mut("xwing1").unwrap();
        if focus > 0 {
            player.tokens.insert("focus".to_owned(), focus);
        }
    }
}

#[test]
fn sa_12_d1_the_player_chooses_what_a_card_of_a_solo_ship_does_to_its_ship() {
    // Before the X-wing has attacked the solo side chooses deplete, afterwards strain. It spends a focus in its attack;
    // without one there is nothing to choose.
    for (initiative, focus, token, questions) in [(5, 1, "deplete", 1), (1, 2, "strain", 1), (1, 0, "strain", 0)] {
        let consent = (initiative == 1).then_some("gain 1 deplete or strain token");
        let session = engagement(jingoist(initiative, focus), consent);
        let asked = asked_about(&session, "ISB Jingoist");
        assert_eq!(asked.len(), questions, "{:?} {}", session.prompts, session.told());
        for prompt in asked {
            assert_eq!(prompt.options.len(), 2, "{prompt:?}");
            assert!(prompt.options[0].contains("lose"), "{prompt:?}");
            // The default costs the least by the table of losses: a focus matters before the attack.
            if initiative == 5 {
                assert_eq!(prompt.default, prompt.options[1], "{prompt:?}");
            }
        }
        let tokens = &session.table.models["xwing1"].tokens;
        assert_eq!(tokens.get(token), Some(&1), "{tokens:?} {}", session.told());
        assert!(session.told().contains("SA-12"));
    }
}

#[test]
fn sa_12_d2_a_solo_ship_chooses_what_a_card_of_the_player_does_to_it() {
    let ventress = |focus: u32| {
        move |table: &mut PlainTable| {
            let player = table.models.get_mut("xwing1").unwrap();
            (player.ship, player.pilot) = ("lancerclasspursuitcraft", Some("asajjventress"));
            player.tokens.insert("force".to_owned(), 2);
            if focus > 0 {
                let solo = table.models.get_mut("solo1").unwrap();
                solo.tokens.insert("focus".to_owned(), focus);
            }
        }
    };
    for focus in [1, 0] {
        let session = engagement(ventress(focus), Some("Use it on solo1"));
        let asked = asked_about(&session, "Asajj Ventress");
        assert_eq!(asked.len(), 1, "{:?} {}", session.prompts, session.told());
        assert_eq!(asked[0].default, "None");
        let tokens = &session.table.models["solo1"].tokens;
        assert_eq!(tokens.get("stress"), Some(&1), "{tokens:?} {}", session.told());
        let used = "xwing1 uses Asajj Ventress on solo1.";
        assert_eq!(
            said(&session).join("\n").matches(used).count(),
            1,
            "{}",
            said(&session).join("\n")
        );
        // Its price: 1 Force, before what the attack takes.
        let first = session.table.carried_out.iter().find_map(|(_, step)| match step {
            WireStep::Token { token, count, .. } if token == "force" => Some(*count),
            _ => None,
        });
        assert_eq!(first, Some(-1));
    }
    // Nobody answers: it is not used, and play goes on.
    let session = engagement(ventress(1), None);
    assert_eq!(asked_about(&session, "Asajj Ventress").len(), 1);
    assert_eq!(session.table.models["solo1"].tokens.get("stress"), None);
}

#[test]
fn sa_12_d1_nobody_in_the_arc_is_no_question() {
    let session = engagement(
        |table| {
            jingoist(5, 1)(table);
            table.models.get_mut("solo1").unwrap().at.facing = 0.0;
        },
        None,
    );
    assert!(
        asked_about(&session, "ISB Jingoist").is_empty(),
        "{:?}",
        session.prompts
    );
}

#[test]
fn sa_12_d5_what_the_program_does_not_play_is_one_question_with_no_as_its_default() {
    let mut table = face_to_face(420.0);
    let model = table.models.get_mut("solo1").unwrap();
    (model.ship, model.pilot) = ("firesprayclasspatrolcraft", Some("zamwesell"));
    let mut session = Session::with(config(1), table, &leads());
    session.play("ship");
    let asked = asked_about(&session, "Zam Wesell");
    assert_eq!(asked.len(), 1, "{:?} {}", session.prompts, session.told());
    let options = [
        "None",
        "the condition youdbettermeanbusiness",
        "the condition youshouldthankme",
    ];
    assert_eq!(
        (&*asked[0].default, &asked[0].options[..]),
        ("None", &options.map(str::to_owned)[..])
    );
    assert!(session.told().contains("ask pilot:zamwesell"), "{}", session.told());
    assert_eq!(session.status()["phase"], "activation");
}

#[test]
fn a_question_about_a_card_is_asked_again_after_a_kill_and_its_answer_counts_once() {
    let folder = tempfile::tempdir().unwrap();
    let recorded = || HostConfig {
        journal: Some(folder.path().join("game.jsonl")),
        ..config(1)
    };
    let mut table = face_to_face(80.0);
    table.models.remove("solo2");
    table.models.remove("xwing2");
    jingoist(5, 1)(&mut table);
    let mut session = Session::with(recorded(), table, &leads());
    session.request("game/correct", json!({"phase": "engagement"})).unwrap();
    while !matches!(session.waiting.front(), Some(Outgoing::Prompt(_))) {
        assert!(session.step(), "no question came: {}", session.told());
    }
    session.waiting.clear();
    session.host = Host::new(recorded());
    let outgoing = session.host.table_attached(&leads(), true);
    session.waiting.extend(outgoing);
    session.sync();
    session.pump();
    let asked = asked_about(&session, "ISB Jingoist");
    assert!(!asked.is_empty(), "{}", session.told());
    assert!(
        asked.iter().all(|prompt| prompt.prompt_id == asked[0].prompt_id),
        "{asked:?}"
    );
    assert_eq!(
        session.table.models["xwing1"].tokens.get("deplete"),
        Some(&1),
        "{}",
        session.told()
    );
}

#[test]
fn sa_12_d5_a_card_that_no_file_knows_is_one_question_a_game() {
    let mut table = face_to_face(420.0);
    for id in ["solo1", "solo2"] {
        table.models.get_mut(id).unwrap().upgrades = vec!["Coffee Stain"];
    }
    let mut session = Session::with(config(1), table, &leads());
    assert_eq!(asked_about(&session, "Coffeestain").len(), 1, "{:?}", session.prompts);
    assert_eq!(asked_about(&session, "Coffeestain")[0].default, "None");
    assert!(session.told().contains("ask upgrade:coffeestain"), "{}", session.told());
    assert_eq!(
        notes_about(&session, "upgrade:coffeestain: the card is not known").len(),
        1
    );
    for _ in 0..12 {
        session.sync();
        session.play("ship");
    }
    assert!(session.status()["round"].as_u64() > Some(1), "play goes on");
    assert_eq!(asked_about(&session, "Coffeestain").len(), 1);
}

#[test]
fn upgrades_of_a_plain_table_bring_their_weapons_and_are_played() {
    let mut table = face_to_face(150.0);
    table.models.get_mut("solo1").unwrap().upgrades = vec!["concussionmissiles"];
    let mut session = Session::with(config(1), table, &leads());
    let entry = super::whole_rounds::ledger(&mut session, "solo1");
    assert_eq!(entry["charges"], json!({"concussionmissiles": 3}), "{entry}");
}

/// Nobody is left to play against; what cards ask at the end of a round is asked all the same.
#[test]
fn the_end_phase_of_a_side_that_is_alone_asks_about_its_cards() {
    let mut table = face_to_face(150.0);
    table.models.remove("xwing2");
    let model = table.models.get_mut("solo1").unwrap();
    (model.ship, model.pilot) = ("btla4ywing", Some("graysquadronbomber"));
    model.upgrades = vec!["ioncannonturret", "agilegunner"];
    let mut session = Session::with(config(1), table, &leads());
    session
        .request("game/correct", json!({"ship": "xwing1", "state": "destroyed"}))
        .unwrap();
    session.pump();
    let asked = |session: &Session| {
        let events = session.events.iter();
        let about = events.filter(
            |event| matches!(event, GameEvent::Decided { sentence, .. } if sentence.contains("upgrade:agilegunner")),
        );
        about.count()
    };
    for round in 2..4 {
        for _ in 0..8 {
            if session.status()["round"] == json!(round) {
                break;
            }
            let _ = session.press("ship");
            session.pump();
        }
        assert_eq!(session.status()["round"], json!(round), "{}", session.told());
        assert_eq!(asked(&session), round - 1, "once a round: {}", session.told());
    }
}
