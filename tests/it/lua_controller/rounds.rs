//! Whole rounds on the panel: phases, attacks, skipping, undoing, options, and the sheet of a ship.

use serde_json::{Value, json};
use tallyho::{bridge::virtual_table::igu, protocol::apply::Outcome};

use super::{Setting, TIE, TIE_AT, WING, to};

/// The last request of a method, without its operation id.
#[track_caller]
fn last(setting: &Setting, method: &str) -> Value {
    setting.until_heard(method, 1);
    setting.table.run_for(0.3).unwrap();
    let mut params = setting.server.heard(method).pop().unwrap();
    assert!(params.as_object_mut().unwrap().remove("opId").is_some());
    params
}

/// The server plays whole rounds from now on.
fn in_rounds(setting: &Setting) {
    setting.server.tell(
        json!({ "kind": "status", "round": 3, "next": TIE, "waiting": 1, "text": "Engagement.", "phase": "engagement",
        "turn": TIE }),
    );
    setting.table.run_for(0.5).unwrap();
}

#[test]
fn the_status_line_tells_phase_and_turn_and_the_buttons_follow() {
    let setting = Setting::new();
    assert!(setting.buttons().contains(&"Plays: solo moves only".to_owned()));
    assert!(!setting.buttons().iter().any(|button| button.starts_with("Skip")));
    in_rounds(&setting);
    let shown = setting.buttons();
    assert!(
        shown[0].contains("round 3, engagement, turn of Academy Pilot"),
        "{}",
        shown[0]
    );
    assert!(shown.contains(&"Next".to_owned()) && shown.contains(&"Plays: whole rounds".to_owned()));
    for (label, method, params) in [
        ("Skip this step", "game/skip", json!({ "what": "step" })),
        ("Skip this ship", "game/skip", json!({ "what": "ship" })),
        ("Skip this phase", "game/skip", json!({ "what": "phase" })),
        ("Undo turn", "solo/undo", json!({ "scope": "turn" })),
        ("Undo phase", "solo/undo", json!({ "scope": "phase" })),
        ("Undo", "solo/undo", json!({})),
        ("Plays: whole rounds", "game/options", json!({ "plays": "activations" })),
        // There is no bag of dice on this table.
        ("Dice: the program's", "game/options", json!({ "dice": "typed" })),
        ("Dice: typed in", "game/options", json!({ "dice": "program" })),
    ] {
        setting.press(label);
        assert_eq!(last(&setting, method), params, "{label}");
    }
    assert!(!setting.buttons().contains(&"Time is up".to_owned()));
    setting.server.tell(
        json!({ "kind": "status", "round": 3, "next": "", "waiting": 0, "phase": "planning",
        "text": "Round 3, planning: go on. Shuttle: free, Protect 0, exits north. Score: attacker 0, defender 12." }),
    );
    setting.table.run_for(0.5).unwrap();
    setting.press("Time is up");
    assert_eq!(last(&setting, "game/skip"), json!({ "what": "game" }));
    setting
        .server
        .tell(json!({ "kind": "status", "round": 3, "next": "", "waiting": 0, "text": "" }));
    setting.table.run_for(0.5).unwrap();
    assert!(setting.buttons().contains(&"Plays: solo moves only".to_owned()));
    setting.assert_no_errors();
}

#[test]
fn attacks_are_told_with_their_dice() {
    let setting = Setting::new();
    in_rounds(&setting);
    setting.server.tell(
        json!({ "kind": "attack", "attacker": TIE, "defender": WING, "stage": "modified", "attack": ["crit", "hit"],
        "defence": ["evade", "blank"], "message": "Academy Pilot attacks Red Squadron Veteran." }),
    );
    setting
        .server
        .tell(json!({ "kind": "phase", "round": 3, "phase": "end" }));
    setting.table.run_for(0.5).unwrap();
    assert!(setting.chat_has("attacks Red Squadron Veteran. Attack: crit, hit. Defence: evade, blank."));
    assert!(setting.chat_has("Round 3, end phase."));
    assert!(setting.buttons()[0].contains("end phase"));
    setting.assert_no_errors();
}

#[test]
fn the_sheet_of_a_ship_corrects_everything_that_is_kept_of_it() {
    let setting = Setting::new();
    in_rounds(&setting);
    setting.server.tell(json!({ "kind": "ledger", "entry": {
        "ship": WING, "solo": false, "hull": 3, "hullMax": 4, "shields": 1, "shieldsMax": 2, "faceUp": ["fuelleak"],
        "faceDown": 0, "force": 1, "forceMax": 2, "charges": { "upgrade:protontorpedoes": 2 }, "activated": true,
        "engaged": false } }));
    setting.table.run_for(0.5).unwrap();
    setting.table.select(&[WING]).unwrap();
    setting.press("Ship sheet...");
    let shown = setting.buttons().join("|");
    assert!(
        shown.contains("hull 3 of 4, shields 1 of 2, Force 1 of") || shown.contains("hull 3 of 4, shields 1 of 2,"),
        "{shown}"
    );
    let torpedoes = "protontorpedoes: 2, spend";
    for (label, field, value) in [
        ("Suffers a hit", "hits", json!(1)),
        ("Suffers a crit", "crits", json!(1)),
        ("Shield lost", "shields", json!(0)),
        ("Shield back", "shields", json!(2)),
        ("Hull -1", "hull", json!(2)),
        ("Hull +1", "hull", json!(4)),
        ("Hull value +1", "hullMax", json!(5)),
        ("Card face up", "card", json!({ "change": "dealFaceUp", "name": "" })),
        (
            "Card face down",
            "card",
            json!({ "change": "dealFaceDown", "name": "" }),
        ),
        (
            "Repair fuelleak",
            "card",
            json!({ "change": "repair", "name": "fuelleak" }),
        ),
        (
            "Discard fuelleak",
            "card",
            json!({ "change": "discard", "name": "fuelleak" }),
        ),
        ("Force spent", "force", json!(0)),
        (torpedoes, "charges", json!({ "upgrade:protontorpedoes": 1 })),
        (
            "protontorpedoes: charge back",
            "charges",
            json!({ "upgrade:protontorpedoes": 3 }),
        ),
        ("Has moved", "activated", json!("waiting")),
        ("Has yet to engage", "engaged", json!("done")),
        ("Shot down, or gone", "state", json!("destroyed")),
    ] {
        setting.press(label);
        assert_eq!(
            last(&setting, "game/correct"),
            json!({ "ship": WING, field: value }),
            "{label}"
        );
    }
    setting.press("Close ship sheet");
    assert!(!setting.buttons().iter().any(|button| button.starts_with("Suffers")));
    setting.assert_no_errors();
}

/// FE-4.7, FE-3.3, FE-4.3: what only the players know of ships that stand against each other, and of their dials.
#[test]
fn the_sheet_says_which_ships_touch_and_what_is_wrong_with_a_dial() {
    for edition in ["first", ""] {
        let setting = Setting::new();
        let status = json!({ "table": true, "rev": 1, "round": 2, "plays": "rounds", "phase": "activation", "dice": "program",
            "turn": WING, "text": "", "edition": edition,
            "ledger": [{ "ship": WING, "hull": 4, "hullMax": 4, "shields": 2, "shieldsMax": 2, "against": [TIE] }] });
        setting.results_in("game/status", status);
        setting.load(&setting.table.save().unwrap());
        let known = |_: &_| setting.buttons().contains(&"Plays: whole rounds".to_owned());
        assert!(setting.table.run_until(8.0, known).unwrap(), "{:?}", setting.buttons());
        setting.table.select(&[WING]).unwrap();
        setting.press("Ship sheet...");
        let contact = |word: &str| {
            let shown = setting.buttons();
            let wanted = shown
                .iter()
                .find(|label| label.starts_with("Touches ") && label.ends_with(word));
            wanted.unwrap_or_else(|| panic!("{shown:?}")).clone()
        };
        setting.press(&contact(": yes"));
        assert_eq!(
            last(&setting, "game/correct"),
            json!({ "ship": WING, "touching": { TIE: true } })
        );
        setting.server.tell(json!({ "kind": "ledger", "entry": {
            "ship": WING, "solo": false, "hull": 4, "hullMax": 4, "shields": 2, "shieldsMax": 2, "touching": [TIE] } }));
        setting.table.run_for(0.5).unwrap();
        setting.press(&contact(": no"));
        assert_eq!(
            last(&setting, "game/correct"),
            json!({ "ship": WING, "touching": { TIE: false } })
        );
        for (label, dial) in [("No dial was set", "missing"), ("Red, and stressed", "red")] {
            let offered = setting.buttons().iter().any(|button| button == label);
            assert_eq!(offered, edition == "first", "{label}");
            if offered {
                setting.press(label);
                assert_eq!(
                    last(&setting, "game/correct"),
                    json!({ "ship": WING, "dial": dial }),
                    "{label}"
                );
            }
        }
        // Who has moved has revealed its dial.
        setting.server.tell(json!({ "kind": "ledger", "entry": {
            "ship": WING, "solo": false, "hull": 4, "hullMax": 4, "shields": 2, "shieldsMax": 2, "activated": true } }));
        setting.table.run_for(0.5).unwrap();
        assert!(
            !setting
                .buttons()
                .iter()
                .any(|button| button == "No dial was set" || button.starts_with("Touches"))
        );
        setting.assert_no_errors();
    }
}

#[test]
fn the_game_is_asked_how_it_stands_when_the_table_was_loaded() {
    let setting = Setting::new();
    let status = json!({ "table": true, "rev": 1, "round": 2, "plays": "rounds", "phase": "activation", "dice": "typed",
        "turn": WING, "text": "", "ledger": [{ "ship": WING, "hull": 4, "hullMax": 4, "shields": 2, "shieldsMax": 2 }] });
    setting.results_in("game/status", status);
    setting.load(&setting.table.save().unwrap());
    let known = |_: &_| {
        let shown = setting.buttons();
        shown.contains(&"Plays: whole rounds".to_owned()) && shown.contains(&"Dice: typed in".to_owned())
    };
    assert!(setting.table.run_until(8.0, known).unwrap(), "{:?}", setting.buttons());
    setting.table.select(&[WING]).unwrap();
    setting.press("Ship sheet...");
    assert!(setting.buttons().join("|").contains("hull 4 of 4"));
    setting.assert_no_errors();
}

#[test]
fn a_ship_that_was_shot_down_is_put_beside_the_mat_and_back() {
    let setting = Setting::new();
    let token = json!({ "kind": "token", "object": TIE, "token": "focus", "count": 1 });
    assert_eq!(setting.apply(token).outcome, Outcome::Applied);
    for (locker, target) in [(TIE, WING), (WING, TIE)] {
        let lock = json!({ "kind": "lock", "object": locker, "target": target });
        assert_eq!(setting.apply(lock).outcome, Outcome::Applied);
    }
    let removal = json!({ "kind": "remove", "object": TIE });
    assert_eq!(setting.apply_as("off", removal.clone()).outcome, Outcome::Applied);
    let [x, z, _] = setting.table.placement(TIE).unwrap();
    assert!(x.abs() > 16.55 + igu(20.0) || z.abs() > 16.55 + igu(20.0), "{x} {z}");
    assert!(setting.table.tokens(TIE).unwrap().is_empty());
    assert!(
        setting.table.tokens(WING).unwrap().is_empty(),
        "its lock on others is gone"
    );
    assert_eq!(setting.apply_as("off", removal).outcome, Outcome::Duplicate);
    // A second one finds another place.
    let other = setting.apply(json!({ "kind": "remove", "object": WING }));
    assert_eq!(other.outcome, Outcome::Applied);
    assert_ne!(setting.table.placement(WING).unwrap()[1], z);
    let back = setting.apply(json!({ "kind": "remove", "object": TIE, "back": to(TIE_AT[0], TIE_AT[1], TIE_AT[2]) }));
    assert_eq!(back.outcome, Outcome::Applied, "{}", back.reason);
    assert_eq!(setting.table.placement(TIE).unwrap(), TIE_AT);
    setting.assert_no_errors();
}

#[test]
fn a_ship_from_reserve_counts_as_set_up_once_it_is_placed() {
    let setting = Setting::new();
    setting.table.put(TIE, [25.0, 3.0, 0.0]).unwrap();
    setting.table.set_variable(TIE, "finished_setup", false).unwrap();
    setting.table.run_for(2.0).unwrap();
    let placed = setting.apply(json!({ "kind": "place", "object": TIE, "from": to(25.0, 3.0, 0.0),
        "to": to(10.0, 12.0, 45.0) }));
    assert_eq!(placed.outcome, Outcome::Applied, "{}", placed.reason);
    assert_eq!(setting.table.variable(TIE, "finished_setup").unwrap(), "true");
    setting.assert_no_errors();
}

/// A question may have more answers than fit on the panel.
#[test]
fn many_answers_are_shown_page_by_page() {
    let setting = Setting::new();
    let options: Vec<String> = (1..=20).map(|number| format!("Attack ship {number:02}")).collect();
    let id = setting.server.ask(
        "table/prompt",
        json!({ "promptId": "p1", "text": "Whom does Red Squadron Veteran attack?", "topic": "attack", "ship": WING,
            "options": options, "default": "Attack ship 01", "deadlineMs": 60000 }),
    );
    setting.table.run_for(0.5).unwrap();
    assert!(!setting.buttons().contains(&"Attack ship 15".to_owned()));
    setting.press("More answers (1 of 3)");
    setting.press("Attack ship 15");
    assert!(
        setting
            .table
            .run_until(3.0, |_| setting.server.answer(&id).is_some())
            .unwrap()
    );
    assert_eq!(
        setting.server.answer(&id).unwrap()["result"]["choice"],
        "Attack ship 15"
    );
    setting.assert_no_errors();
}
