//! The actions of FE-6 at a table, of players' ships and of solo ships (FE-SOLO-8, FE-SOLO-12).

use serde_json::{Value, json};
use tallyho::{bridge::host::Outgoing, protocol::apply::WireStep};

use super::{
    super::{
        plain_table::{PlainTable, Session, config},
        whole_rounds::{leads, ledger},
    },
    alone, at, face_to_face, give, held, message, moves_choosing, pump_choosing, turn_of_the_player,
};

/// `xwing1` is another ship.
fn flies(mut table: PlainTable, ship: &'static str) -> PlainTable {
    table.models.get_mut("xwing1").unwrap().ship = ship;
    table
}

/// FE-6.3, FE-6.9, FE-6.10, FE-6.11: actions that leave tokens, cards and arcs.
#[test]
fn fe_6_players_take_actions_that_the_table_carries_out() {
    for (ship, wanted, tokens, said) in [
        ("tiephantom", &["Cloak"][..], "cloak 1", "cloak"),
        (
            "auzituckgunship",
            &["Reinforce...", "Reinforce fore"],
            "reinforce 1",
            "reinforce fore",
        ),
        (
            "auzituckgunship",
            &["Reinforce...", "Reinforce aft"],
            "reinforce 1",
            "reinforce aft",
        ),
        (
            "alphaclassstarwing",
            &["Reload", "reload", "Proton"],
            "disarm 1",
            "reload",
        ),
    ] {
        let mut table = flies(alone(), ship);
        if ship == "alphaclassstarwing" {
            table.models.get_mut("xwing1").unwrap().upgrades = vec!["protontorpedoes"];
        }
        let before = table.models.clone();
        let mut session = turn_of_the_player(table);
        if ship == "alphaclassstarwing" {
            // The torpedoes are fired.
            let fired = json!({"ship": "xwing1", "charges": {"protontorpedoes": 0}});
            session.request("game/correct", fired).unwrap();
            session.pump();
        }
        moves_choosing(&mut session, "xwing1", at(300.0, 220.0, 0.0), wanted);
        assert_eq!(held(&session, "xwing1"), tokens, "{ship}: {:?}", session.prompts);
        let all = message(&session, "xwing1").to_lowercase();
        assert!(all.contains(said), "{ship}: {all}");
        if ship == "alphaclassstarwing" {
            assert_eq!(ledger(&mut session, "xwing1")["charges"], json!({"protontorpedoes": 1}));
        }
        session.request("solo/undo", json!({"scope": "turn"})).unwrap();
        session.pump();
        assert_eq!(session.table.models, before, "{ship}");
        if ship == "alphaclassstarwing" {
            assert_eq!(ledger(&mut session, "xwing1")["charges"], json!({"protontorpedoes": 0}));
        }
    }
}

/// FE-6.11
#[test]
fn fe_6_11_a_player_points_the_mobile_arc_at_any_sector() {
    let mut session = turn_of_the_player(flies(alone(), "lancerclasspursuitcraft"));
    moves_choosing(
        &mut session,
        "xwing1",
        at(300.0, 260.0, 0.0),
        &["Rotate Arc", "Turret to the rear"],
    );
    let turned = session.table.carried_out.iter().find_map(|(_, step)| match step {
        WireStep::Turret { object, .. } if object == "xwing1" => Some(format!("{step:?}")),
        _ => None,
    });
    assert!(
        turned.is_some_and(|arcs| arcs.to_lowercase().contains("rear")),
        "{:?} {}",
        session.prompts,
        session.told()
    );
}

/// FE-6.7: an enemy in the own front arc at range 2.
#[test]
fn fe_6_7_a_player_jams_an_enemy() {
    let mut table = flies(alone(), "tiereaper");
    table.models.get_mut("solo1").unwrap().at = at(300.0, 400.0, 180.0);
    give(&mut table, "solo1", "evade", 1);
    let mut session = turn_of_the_player(table);
    moves_choosing(&mut session, "xwing1", at(300.0, 220.0, 0.0), &["Jam"]);
    assert!(
        message(&session, "xwing1").to_lowercase().contains("jam on solo1"),
        "{:?} {}",
        session.prompts,
        session.told()
    );
    // The jam token and the evade token meet.
    assert_eq!(held(&session, "solo1"), "", "{}", session.told());
}

/// FE-6.4: any free action, also of a ship that has yet to activate.
#[test]
fn fe_6_4_a_player_coordinates_a_friend() {
    let mut table = flies(face_to_face(600.0), "upsilonclassshuttle");
    table.models.remove("solo2");
    let mut session = turn_of_the_player(table);
    moves_choosing(&mut session, "xwing1", at(300.0, 260.0, 0.0), &["Coordinate", "Focus"]);
    assert_eq!(
        held(&session, "xwing2"),
        "focus 1",
        "{:?} {}",
        session.prompts,
        session.told()
    );
    assert_eq!(held(&session, "xwing1"), "");
    // FE-5.4: it has focused this round.
    session.prompts.clear();
    moves_choosing(&mut session, "xwing2", at(500.0, 220.0, 0.0), &["Focus"]);
    let offered = session
        .prompts
        .iter()
        .any(|prompt| prompt.options.iter().any(|option| option == "Focus"));
    assert!(!offered, "{:?}", session.prompts);
}

/// FE-6.12: a maneuver of the speed that was flown, and weapons disabled.
#[test]
fn fe_6_12_a_player_slams() {
    let table = flies(alone(), "kwing");
    let before = table.models.clone();
    let mut session = turn_of_the_player(table);
    session.table.models.get_mut("xwing1").unwrap().at = at(300.0, 220.0, 0.0);
    session.sync();
    for _ in 0..200 {
        match session.waiting.front() {
            Some(Outgoing::Prompt(prompt)) if prompt.text.contains("which action") => {
                session.consent = Some("SLAM".into())
            }
            Some(Outgoing::Prompt(prompt)) if prompt.text.contains("Please place it") => {
                session.table.models.get_mut("xwing1").unwrap().at = at(300.0, 340.0, 0.0);
                session.consent = Some("It is placed".into());
            }
            _ => session.consent = None,
        }
        if !session.step() {
            break;
        }
    }
    assert!(
        message(&session, "xwing1").contains("SLAM by the green 2 straight"),
        "{:?} {}",
        session.prompts,
        session.told()
    );
    assert_eq!(held(&session, "xwing1"), "disarm 1");
    session.request("solo/undo", json!({"scope": "turn"})).unwrap();
    session.pump();
    assert_eq!(session.table.models, before);
}

/// Plays the activation of a solo ship of that kind by many seeds: how often what is looked for came of it.
fn solo_does(ship: &'static str, prepare: impl Fn(&mut PlainTable), found: impl Fn(&mut Session) -> bool) -> usize {
    solo_does_after(ship, prepare, None, found)
}

/// As [`solo_does`], after the players have told something.
fn solo_does_after(
    ship: &'static str,
    prepare: impl Fn(&mut PlainTable),
    told: Option<Value>,
    found: impl Fn(&mut Session) -> bool,
) -> usize {
    let mut times = 0;
    for seed in 0..40 {
        let mut table = face_to_face(300.0);
        table.models.get_mut("solo1").unwrap().ship = ship;
        prepare(&mut table);
        let mut session = Session::with(config(seed), table, &leads());
        if let Some(told) = told.clone() {
            session.request("game/correct", told).unwrap();
            session.pump();
        }
        session.play("ship");
        times += usize::from(found(&mut session));
    }
    times
}

fn has(token: &'static str) -> impl Fn(&mut Session) -> bool {
    move |session| session.table.models["solo1"].tokens.contains_key(token)
}

/// FE-SOLO-8: the lines of the ladders that only ships of some kinds reach.
#[test]
fn fe_solo_8_solo_ships_take_the_actions_of_their_bars_at_a_table() {
    let nothing = |_: &mut PlainTable| {};
    assert!(solo_does("auzituckgunship", nothing, has("reinforce")) > 0, "reinforce");
    assert!(
        solo_does("kwing", nothing, |session| session.told().contains("SLAM by the")) > 0,
        "SLAM"
    );
    let jams = |session: &mut Session| {
        let mut models = session.table.models.values();
        models.any(|model| model.side == "player" && model.tokens.contains_key("jam"))
    };
    let near = |table: &mut PlainTable| table.models.get_mut("xwing1").unwrap().at = at(250.0, 180.0, 0.0);
    assert!(solo_does("tiereaper", near, jams) > 0, "jam");
    let turns = |session: &mut Session| session.count_steps("turret") > 0;
    let behind = |table: &mut PlainTable| {
        table.models.get_mut("solo1").unwrap().at = at(300.0, 440.0, 0.0);
        table.models.get_mut("xwing1").unwrap().at = at(300.0, 330.0, 0.0);
    };
    assert!(solo_does("lancerclasspursuitcraft", behind, turns) > 0, "rotate arc");
    let coordinates = |session: &mut Session| !session.table.models["solo2"].tokens.is_empty();
    assert!(solo_does("upsilonclassshuttle", nothing, coordinates) > 0, "coordinate");
    // It flies away from the one enemy, and its torpedoes are fired.
    let away = |table: &mut PlainTable| {
        table.models.remove("xwing2");
        let model = table.models.get_mut("solo1").unwrap();
        (model.upgrades, model.at) = (vec!["protontorpedoes"], at(300.0, 500.0, 0.0));
    };
    let fired = json!({"ship": "solo1", "charges": {"protontorpedoes": 0}});
    let reloads = |session: &mut Session| {
        let charges: Value = ledger(session, "solo1")["charges"].clone();
        charges == json!({"protontorpedoes": 1}) && session.table.models["solo1"].tokens.contains_key("disarm")
    };
    assert!(
        solo_does_after("alphaclassstarwing", away, Some(fired), reloads) > 0,
        "reload"
    );
}

/// FE-SOLO-8, option `soloCloak`: never without it.
#[test]
fn fe_solo_8_a_solo_ship_cloaks_where_the_option_lets_it() {
    for on in [false, true] {
        let far = |table: &mut PlainTable| {
            table.rules = Some(json!({"soloCloak": on}));
            // Nobody in its arcs, and it has an evade token.
            table.models.remove("xwing2");
            table.models.get_mut("xwing1").unwrap().at.facing = 180.0;
            table.models.get_mut("solo1").unwrap().at = at(600.0, 500.0, 90.0);
            give(table, "solo1", "evade", 1);
        };
        let cloaked = solo_does("tiephantom", far, has("cloak"));
        assert_eq!(cloaked > 0, on, "{on}: {cloaked}");
    }
}

/// FE-SOLO-12: towards its tally.
#[test]
fn fe_solo_12_a_cloaked_solo_ship_decloaks_when_activation_begins() {
    let cloaked = |table: &mut PlainTable| give(table, "solo1", "cloak", 1);
    let decloaks = |session: &mut Session| {
        let model = &session.table.models["solo1"];
        !model.tokens.contains_key("cloak") && session.told().contains("FE-SOLO-12")
    };
    assert_eq!(solo_does("tiephantom", cloaked, decloaks), 40);
}

/// FE-SOLO-8: what damage cards let a ship do comes just before its tokens.
#[test]
fn fe_solo_8_solo_ships_repair_damage_cards_at_a_table() {
    let mut repaired = 0;
    for seed in 0..24 {
        let mut session = Session::with(config(seed), face_to_face(600.0), &leads());
        let dealt = json!({"ship": "solo1", "card": {"change": "dealFaceUp", "name": "Damaged Sensor Array"}});
        session.request("game/correct", dealt).unwrap();
        pump_choosing(&mut session, &[]);
        assert_eq!(ledger(&mut session, "solo1")["faceUp"], json!(["damaged-sensor-array"]));
        session.play("ship");
        let all = session.told();
        let entry = ledger(&mut session, "solo1");
        let is_repaired = entry.get("faceUp").is_none();
        assert_eq!(is_repaired, entry["faceDown"] == 1, "{entry}");
        repaired += usize::from(is_repaired);
        // It closes every other line.
        for token in ["focus", "evade"] {
            assert!(!session.table.models["solo1"].tokens.contains_key(token), "{all}");
        }
        session.request("solo/undo", json!({"scope": "turn"})).unwrap();
        session.pump();
        assert_eq!(ledger(&mut session, "solo1")["faceUp"], json!(["damaged-sensor-array"]));
    }
    // A die decides, and a stressed ship repairs nothing.
    assert!(repaired > 0 && repaired < 24, "{repaired}");
}
