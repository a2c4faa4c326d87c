//! Rounds of the first edition at a table, through the same host: no System Phase, decloaking at the start of Activation, bombs
//! in the own activation, players' activations and attacks by its rules.

mod actions;
mod contacts;
mod dials;
mod mines;
mod values;

use serde_json::json;
use tallyho::{
    bridge::host::Outgoing,
    protocol::{
        apply::{Placement, WireStep},
        event::GameEvent,
        round::RoundPhase,
    },
};

use super::{
    devices::said,
    plain_table::{PlainTable, Session, config},
    whole_rounds::{leads, ledger},
};

fn at(x: f64, y: f64, facing: f64) -> Placement {
    Placement { x, y, facing }
}

/// Two TIE fighters that the program flies and two X-wings, so far apart.
fn face_to_face(gap_mm: f64) -> PlainTable {
    let mut table = super::whole_rounds::face_to_face(gap_mm);
    table.edition = Some("first");
    for (id, ship, skill) in [
        ("solo1", "tiefighter", 1),
        ("solo2", "tiefighter", 3),
        ("xwing1", "xwing", 2),
        ("xwing2", "xwing", 8),
    ] {
        let model = table.models.get_mut(id).unwrap();
        (model.ship, model.initiative) = (ship, skill);
    }
    table
}

/// `xwing1` at (300, 100), facing north, and `solo1` far ahead of it, alone.
fn alone() -> PlainTable {
    let mut table = face_to_face(600.0);
    table.models.remove("solo2");
    table.models.remove("xwing2");
    table
}

fn give(table: &mut PlainTable, ship: &str, token: &str, count: u32) {
    let tokens = &mut table.models.get_mut(ship).unwrap().tokens;
    tokens.insert(token.to_owned(), count);
}

/// As in `focus 1, stress 1`.
fn held(session: &Session, ship: &str) -> String {
    let tokens = session.table.models[ship].tokens.iter();
    let words: Vec<String> = tokens.map(|(name, count)| format!("{name} {count}")).collect();
    words.join(", ")
}

/// The solo ship has activated, and it is the turn of `xwing1`.
fn turn_of_the_player(table: PlainTable) -> Session {
    let mut session = Session::with(config(1), table, &leads());
    session.request("game/correct", json!({"phase": "activation"})).unwrap();
    session
        .request("game/correct", json!({"ship": "solo1", "activated": "done"}))
        .unwrap();
    session.pump();
    session
}

/// The player moves a ship there, the table is read, and every question is answered so.
fn moves(session: &mut Session, ship: &str, place: Placement, answer: &str) {
    session.table.models.get_mut(ship).unwrap().at = place;
    session.consent = Some(answer.to_owned());
    session.sync();
    session.pump();
}

/// Lets everything happen; of each question the first option is chosen that contains one of these words, else its default.
fn pump_choosing(session: &mut Session, wanted: &[&str]) {
    for _ in 0..10_000 {
        if let Some(Outgoing::Prompt(prompt)) = session.waiting.front() {
            let fits = |option: &&String| wanted.iter().any(|word| option.contains(word));
            session.consent = prompt.options.iter().find(fits).cloned();
        }
        if !session.step() {
            session.consent = None;
            return;
        }
    }
    panic!("the game does not come to rest: {}", session.told());
}

/// The player moves a ship there, the table is read, and of each question the option is chosen that has one of these words.
fn moves_choosing(session: &mut Session, ship: &str, place: Placement, wanted: &[&str]) {
    session.table.models.get_mut(ship).unwrap().at = place;
    session.sync();
    pump_choosing(session, wanted);
}

fn message(session: &Session, of: &str) -> String {
    let mut events = session.events.iter().rev();
    let found = events.find_map(|event| match event {
        GameEvent::Activated { ship, message } if ship == of => Some(message.clone()),
        _ => None,
    });
    found.unwrap_or_default()
}

/// FE-3.1, FE-4.1, FE-8.1, FE-10.1
#[test]
fn fe_3_1_whole_games_have_rounds_without_a_system_phase() {
    let mut hits = 0;
    for seed in 0..6 {
        let mut session = Session::with(config(seed), face_to_face(420.0), &leads());
        let mut rounds = 1;
        for _ in 0..160 {
            session.play("ship");
            let status = session.status();
            assert!(!status.to_string().contains("engagement phase"), "{status}");
            rounds = status["round"].as_u64().unwrap();
            if rounds > 4 {
                break;
            }
        }
        assert!(rounds > 1, "no round ends: {}", session.status());
        let phases: Vec<RoundPhase> = (session.events.iter())
            .filter_map(|event| match event {
                GameEvent::Phase { phase, .. } => Some(*phase),
                _ => None,
            })
            .collect();
        assert!(!phases.contains(&RoundPhase::System), "{phases:?}");
        assert_eq!(
            phases[..3],
            [RoundPhase::Activation, RoundPhase::Engagement, RoundPhase::Planning]
        );
        // FE-SOLO: what solo ships do is told with the ids of both.
        assert!(session.told().contains("FE-SOLO-4"), "{}", session.told());
        hits += (session.events.iter())
            .filter(|event| matches!(event, GameEvent::Ledger { entry } if entry.hull < entry.hull_max))
            .count();
    }
    assert!(hits > 0, "nobody was ever hit");
}

#[test]
fn ships_are_told_by_their_pilot_skill() {
    let mut session = Session::with(config(1), face_to_face(150.0), &leads());
    session.play("ship");
    let status = session.status()["text"].as_str().unwrap_or_default().to_owned();
    assert!(status.contains("xwing1 (pilot skill 2)"), "{status}");
    session.request("game/correct", json!({"phase": "engagement"})).unwrap();
    session.pump();
    let status = session.status()["text"].as_str().unwrap_or_default().to_owned();
    assert!(status.contains("combat"), "{status}");
}

/// FE-6.3
#[test]
fn fe_6_3_cloaked_ships_decloak_at_the_start_of_activation() {
    for (answer, place) in [
        ("Decloak ahead", at(300.0, 220.0, 0.0)),
        ("Decloak to the left", at(180.0, 100.0, 0.0)),
        ("Stay cloaked", at(300.0, 100.0, 0.0)),
    ] {
        let mut table = alone();
        give(&mut table, "xwing1", "cloak", 1);
        // Stress keeps nobody from it.
        give(&mut table, "xwing1", "stress", 1);
        let before = table.models.clone();
        let mut session = Session::with(config(1), table, &leads());
        session.consent = Some(answer.to_owned());
        session.play("ship");
        let asked: Vec<_> = (session.prompts.iter())
            .filter(|prompt| prompt.text.contains("does it decloak"))
            .collect();
        assert_eq!(asked.len(), 1, "{:?}", session.prompts);
        let model = &session.table.models["xwing1"];
        assert!(
            super::plain_table::same_place(model.at, place),
            "{answer}: {:?}",
            model.at
        );
        let cloaked = model.tokens.get("cloak").copied().unwrap_or(0);
        assert_eq!(cloaked == 0, answer != "Stay cloaked", "{answer}");
        // It has not activated by it.
        assert_eq!(ledger(&mut session, "xwing1")["activated"], false, "{answer}");
        if answer != "Stay cloaked" {
            for _ in 0..3 {
                if session.table.models != before && session.request("solo/undo", json!({"scope": "turn"})).is_ok() {
                    session.pump();
                }
            }
            assert_eq!(session.table.models, before, "{answer}");
        }
    }
}

/// FE-11.1
#[test]
fn fe_11_1_a_player_is_asked_for_a_bomb_before_the_ship_moves() {
    for answer in ["Drop it, 1 straight", "Keep it"] {
        let mut table = alone();
        table.models.get_mut("xwing1").unwrap().device =
            Some(json!({"id": "seismiccharges", "charges": 1, "max_charges": 1}));
        let mut session = Session::with(config(1), table, &leads());
        session.consent = Some(answer.to_owned());
        // The solo ship activates, then it is the player's turn.
        for _ in 0..3 {
            session.play("ship");
            if session.prompts.iter().any(|prompt| prompt.text.contains("may drop")) {
                break;
            }
        }
        let asked = session
            .prompts
            .iter()
            .filter(|prompt| prompt.text.contains("may drop"))
            .count();
        assert_eq!(asked, 1, "{:?}", session.prompts);
        assert_eq!(
            session.table.models["xwing1"].at,
            at(300.0, 100.0, 0.0),
            "it has not moved"
        );
        let left = i32::from(answer == "Keep it");
        assert_eq!(
            ledger(&mut session, "xwing1")["charges"],
            json!({"seismiccharges": left}),
            "{answer}"
        );
        assert_eq!(said(&session).join("\n").contains("please put it down"), left == 0);
        // The move that follows asks no second time.
        moves(&mut session, "xwing1", at(300.0, 220.0, 0.0), "No action");
        let asked = session
            .prompts
            .iter()
            .filter(|prompt| prompt.text.contains("may drop"))
            .count();
        assert_eq!(asked, 1, "{:?}", session.prompts);
        assert!(
            message(&session, "xwing1").contains("flew green 2 straight"),
            "{}",
            session.told()
        );
    }
}

/// FE-SOLO-11
#[test]
fn fe_solo_11_a_solo_ship_rolls_for_its_bomb_in_its_own_activation() {
    let (mut dropped, mut kept) = (0, 0);
    for seed in 0..12 {
        let mut table = face_to_face(420.0);
        let bomber = table.models.get_mut("solo1").unwrap();
        bomber.device = Some(json!({"id": "seismiccharges", "charges": 1, "max_charges": 1}));
        // An X-wing behind it, in its rear arc at range 1.
        table.models.get_mut("xwing1").unwrap().at = at(300.0, 660.0, 180.0);
        let mut session = Session::with(config(seed), table, &leads());
        session.play("ship");
        let told = session.told();
        assert!(told.contains("SA-2 FE-SOLO-11"), "{told}");
        let steps = &session.table.carried_out;
        let drop = steps
            .iter()
            .position(|(_, step)| matches!(step, WireStep::Say { text, .. } if text.contains("please put it down")));
        let moved = steps
            .iter()
            .position(|(_, step)| super::plain_table::kind_of(step) == "move");
        match drop {
            Some(drop) => {
                dropped += 1;
                assert!(moved.is_none_or(|moved| drop < moved), "it drops before it moves");
                assert_eq!(ledger(&mut session, "solo1")["charges"], json!({"seismiccharges": 0}));
                assert!(told.contains("drops seismiccharges"), "{told}");
            }
            None => {
                kept += 1;
                assert_eq!(ledger(&mut session, "solo1")["charges"], json!({"seismiccharges": 1}));
            }
        }
    }
    assert!(dropped > 0 && kept > 0, "{dropped} dropped, {kept} kept");
}

/// FE-7.2: the straight is white, all ion tokens go, and every action is open.
#[test]
fn fe_7_2_an_ionized_player_flies_a_white_1_straight_and_acts_freely() {
    let mut table = alone();
    give(&mut table, "xwing1", "ion", 1);
    table.models.get_mut("solo1").unwrap().at = at(300.0, 380.0, 180.0);
    let mut session = turn_of_the_player(table);
    moves(&mut session, "xwing1", at(300.0, 180.0, 0.0), "Lock on solo1");
    let all = message(&session, "xwing1");
    assert!(all.contains("flew white 1 straight"), "{all} {}", session.told());
    assert!(
        !held(&session, "xwing1").contains("ion"),
        "{}",
        held(&session, "xwing1")
    );
    assert_eq!(session.table.models["xwing1"].locks, ["solo1"], "{:?}", session.prompts);
}

/// FE-6.7: a jam token meets the focus token at once; both go. FE-10.1: one that waits stays through the End Phase.
#[test]
fn fe_6_7_a_jam_token_takes_what_is_gained() {
    let mut table = alone();
    give(&mut table, "xwing1", "jam", 1);
    let mut session = turn_of_the_player(table);
    moves(&mut session, "xwing1", at(300.0, 220.0, 0.0), "Focus");
    assert_eq!(held(&session, "xwing1"), "", "{}", session.told());
    let mut table = alone();
    give(&mut table, "solo1", "jam", 1);
    give(&mut table, "xwing1", "evade", 1);
    let mut session = turn_of_the_player(table);
    moves(&mut session, "xwing1", at(300.0, 220.0, 0.0), "No action");
    for _ in 0..20 {
        session.play("ship");
        if session.status()["round"] == 2 {
            break;
        }
    }
    assert_eq!(session.status()["round"], 2);
    assert_eq!((&*held(&session, "solo1"), &*held(&session, "xwing1")), ("jam 1", ""));
}

/// FE-2.1, FE-SOLO-2: where totals decide it, who is first at the same skill is asked once, before the first dials are revealed.
#[test]
fn fe_2_1_initiative_is_asked_where_squads_decide_it() {
    let mut by_roll = std::collections::BTreeSet::new();
    for seed in 0..8 {
        for (answer, first) in [
            ("The players", Some("xwing1")),
            ("The solo ships", Some("solo1")),
            ("The solo side chooses", None),
        ] {
            let mut table = alone();
            table.rules = Some(json!({"soloInitiativeByPoints": true}));
            table.models.get_mut("xwing1").unwrap().initiative = 1;
            let mut session = Session::with(config(seed), table, &leads());
            session.consent = Some(answer.to_owned());
            session.play("ship");
            assert_eq!(session.prompts.len(), 1, "{:?}", session.prompts);
            assert!(session.prompts[0].text.contains("FE-2.1"), "{:?}", session.prompts);
            session.consent = None;
            session.play("ship");
            let is_solo_first = session.activated() == ["solo1"];
            match first {
                Some(first) => assert_eq!(is_solo_first, first == "solo1", "{answer} {}", session.told()),
                None => {
                    let takes = session.told().contains("takes initiative");
                    assert_eq!(is_solo_first, takes, "{}", session.told());
                    by_roll.insert(takes);
                }
            }
            assert_eq!(
                session
                    .prompts
                    .iter()
                    .filter(|prompt| prompt.text.contains("FE-2.1"))
                    .count(),
                1
            );
        }
    }
    assert_eq!(by_roll.len(), 2, "a roll decides it either way");
    // As played by default nobody is asked.
    let mut session = Session::with(config(1), alone(), &leads());
    session.play("ship");
    assert!(!session.prompts.iter().any(|prompt| prompt.text.contains("FE-2.1")));
}

/// FE-4.7: ships that stand against each other without an overlap may attack each other, and that is told.
#[test]
fn fe_4_7_a_contact_that_just_fits_is_no_touching() {
    for (bumps, attacks) in [(false, true), (true, false)] {
        let mut table = alone();
        // The end of its 2 straight is (300, 220): the bases meet there, or one is in the other's way.
        let way = if bumps { 252.0 } else { 260.0 };
        table.models.get_mut("solo1").unwrap().at = at(300.0, way, 180.0);
        let mut session = turn_of_the_player(table);
        moves(&mut session, "xwing1", at(300.0, way - 40.0, 0.0), "No action");
        assert!(
            message(&session, "xwing1").contains("flew green 2 straight"),
            "{}",
            session.told()
        );
        assert_eq!(
            session.told().contains("no overlap was reported"),
            !bumps,
            "{}",
            session.told()
        );
        session.prompts.clear();
        session.consent = Some("No attack".to_owned());
        for _ in 0..6 {
            session.play("ship");
        }
        let asked = session
            .prompts
            .iter()
            .any(|prompt| prompt.ship == "xwing1" && prompt.text.contains("whom does it attack"));
        assert_eq!(asked, attacks, "{bumps}: {:?}", session.prompts);
    }
}

/// FE-6.1: a roll ends wherever it fits along its side, and is told by where the ship was put.
#[test]
fn fe_6_1_a_player_rolls_to_any_slide() {
    for (x, slide, said) in [
        (220.0, 0.0, "barrel roll left."),
        (380.0, 7.0, "barrel roll right (7 mm forward)."),
        (220.0, -17.0, "barrel roll left (17 mm back)."),
    ] {
        // The move and the roll in one, and the roll after it was asked for.
        for asked in [false, true] {
            let mut table = alone();
            table.models.get_mut("xwing1").unwrap().ship = "tiefighter";
            let before = table.models.clone();
            let mut session = turn_of_the_player(table);
            let end = at(x, 220.0 + slide, 0.0);
            if asked {
                session.table.models.get_mut("xwing1").unwrap().at = at(300.0, 220.0, 0.0);
                session.sync();
                for (about, answer) in [("which action", "Barrel Roll"), ("Please place it", "It is placed")] {
                    while !matches!(session.waiting.front(), Some(Outgoing::Prompt(prompt)) if prompt.text.contains(about))
                    {
                        assert!(session.step(), "{about}: {}", session.told());
                    }
                    session.table.models.get_mut("xwing1").unwrap().at = if about == "which action" {
                        at(300.0, 220.0, 0.0)
                    } else {
                        end
                    };
                    session.consent = Some(answer.to_owned());
                    session.step();
                }
                session.pump();
            } else {
                moves(&mut session, "xwing1", end, "No action");
            }
            let told = message(&session, "xwing1");
            assert!(told.ends_with(said), "{asked}: {told} {}", session.told());
            session.request("solo/undo", json!({"scope": "turn"})).unwrap();
            session.pump();
            assert_eq!(session.table.models, before, "{said}");
        }
    }
}
