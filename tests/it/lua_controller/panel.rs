//! Buttons, lists and questions.

use serde_json::json;
use tallyho::bridge::virtual_table::VirtualTable;

use super::{Setting, TIE, WING};

#[test]
fn a_question_is_answered_by_a_button_or_by_its_default() {
    let setting = Setting::new();
    let ask = |id: &str| {
        setting.server.ask(
            "table/prompt",
            json!({ "promptId": id, "text": "Fly it?", "options": ["Yes", "No"],
            "default": "No", "deadlineMs": 5000 }),
        )
    };
    let pressed = ask("p1");
    setting
        .table
        .run_until(3.0, |table| {
            table.buttons(&setting.controller).unwrap().iter().any(|b| b == "Yes")
        })
        .unwrap();
    setting.table.press(&setting.controller, "Yes", "White").unwrap();
    setting
        .table
        .run_until(3.0, |_| setting.server.answer(&pressed).is_some())
        .unwrap();
    assert_eq!(setting.server.answer(&pressed).unwrap()["result"]["choice"], "Yes");
    let again = ask("p1");
    setting
        .table
        .run_until(3.0, |_| setting.server.answer(&again).is_some())
        .unwrap();
    assert_eq!(
        setting.server.answer(&again).unwrap()["result"]["choice"],
        "Yes",
        "asked again, answered alike"
    );
    let left = ask("p2");
    setting
        .table
        .run_until(8.0, |_| setting.server.answer(&left).is_some())
        .unwrap();
    assert_eq!(setting.server.answer(&left).unwrap()["result"]["choice"], "No");
    setting.table.run_for(0.1).unwrap();
    assert!(
        !setting
            .table
            .buttons(&setting.controller)
            .unwrap()
            .iter()
            .any(|b| b == "Yes"),
        "the question is gone"
    );
    setting.assert_no_errors();
}

#[test]
fn buttons_press_on_with_a_fresh_table_first() {
    let setting = Setting::new();
    let syncs = setting.server.heard("table/sync").len();
    setting
        .table
        .press(&setting.controller, "Next solo ship", "White")
        .unwrap();
    assert!(
        setting
            .table
            .run_until(3.0, |_| !setting.server.heard("solo/advance").is_empty())
            .unwrap()
    );
    assert_eq!(setting.server.heard("table/sync").len(), syncs + 1);
    let order: Vec<String> = setting
        .server
        .state
        .lock()
        .unwrap()
        .heard
        .iter()
        .map(|(name, _)| name.clone())
        .collect();
    assert_eq!(order[order.len() - 2..], ["table/sync", "solo/advance"]);
    let advance = &setting.server.heard("solo/advance")[0];
    assert_eq!(
        advance["rev"],
        setting.server.heard("table/sync").pop().unwrap()["rev"],
        "the table that the press saw"
    );
    assert_eq!(
        (advance["scope"].as_str(), advance["confirm"].as_bool()),
        (Some("ship"), Some(false))
    );
    setting.table.run_for(0.5).unwrap();
    setting.table.press(&setting.controller, "Ask first", "White").unwrap();
    setting
        .table
        .press(&setting.controller, "Whole round", "White")
        .unwrap();
    assert!(
        setting
            .table
            .run_until(3.0, |_| setting.server.heard("solo/advance").len() == 2)
            .unwrap()
    );
    let second = &setting.server.heard("solo/advance")[1];
    assert_eq!(
        (second["scope"].as_str(), second["confirm"].as_bool()),
        (Some("round"), Some(true))
    );
    assert_ne!(second["opId"], advance["opId"]);
    setting.assert_no_errors();
}

#[test]
fn auto_presses_on_until_nobody_waits() {
    let setting = Setting::new();
    setting.table.press(&setting.controller, "Auto", "White").unwrap();
    for flown in 1..=3 {
        assert!(
            setting
                .table
                .run_until(5.0, |_| setting.server.heard("solo/advance").len() == flown)
                .unwrap(),
            "{flown}"
        );
        setting.table.run_for(0.3).unwrap();
        if flown == 3 {
            break;
        }
        if flown == 2 {
            let none = json!({ "ships": [], "message": "Nobody is left." });
            setting
                .server
                .state
                .lock()
                .unwrap()
                .results
                .insert("solo/advance".into(), none);
        }
        setting
            .server
            .tell(json!({ "kind": "activated", "ship": "aaaaaa", "message": "done" }));
    }
    setting.table.run_for(20.0).unwrap();
    assert_eq!(setting.server.heard("solo/advance").len(), 3);
    assert!(
        setting
            .table
            .buttons(&setting.controller)
            .unwrap()
            .contains(&"Auto: off".to_owned())
    );
    setting.assert_no_errors();
}

#[test]
fn auto_waits_while_the_program_is_busy_and_ends_at_any_other_refusal() {
    let setting = Setting::new();
    let refuse = |kind: &str| {
        let fault = json!({ "code": 2004, "message": "not now", "data": { "kind": kind, "retry": "later" } });
        setting
            .server
            .state
            .lock()
            .unwrap()
            .results
            .insert("solo/advance".into(), json!({ "!": fault }));
    };
    refuse("busy");
    setting.table.press(&setting.controller, "Auto", "White").unwrap();
    assert!(
        setting
            .table
            .run_until(12.0, |_| setting.server.heard("solo/advance").len() >= 3)
            .unwrap()
    );
    assert!(
        setting
            .table
            .buttons(&setting.controller)
            .unwrap()
            .contains(&"Auto: on".to_owned())
    );
    refuse("noTable");
    let auto_is_off = |table: &VirtualTable| {
        table
            .buttons(&setting.controller)
            .unwrap()
            .contains(&"Auto: off".to_owned())
    };
    assert!(setting.table.run_until(12.0, auto_is_off).unwrap());
    assert!(setting.chat_has("not now"));
    setting.assert_no_errors();
}

#[test]
fn ships_are_assigned_from_the_list_and_by_selection() {
    let setting = Setting::new();
    setting
        .table
        .press(&setting.controller, "Solo ships...", "White")
        .unwrap();
    setting.table.run_for(0.1).unwrap();
    setting
        .table
        .press(&setting.controller, "player: Academy Pilot", "White")
        .unwrap();
    assert!(
        setting
            .table
            .run_until(3.0, |_| !setting.server.heard("solo/assign").is_empty())
            .unwrap()
    );
    let assign = &setting.server.heard("solo/assign")[0];
    assert_eq!(
        (assign["ship"].as_str(), assign["solo"].as_bool()),
        (Some(TIE), Some(true))
    );
    assert_eq!(setting.snapshot().solo, [TIE]);
    setting.table.select(&[TIE, WING, "cccccc"]).unwrap();
    setting
        .table
        .choose_menu(&setting.controller, "Selected: solo on/off", "White")
        .unwrap();
    assert!(
        setting
            .table
            .run_until(3.0, |_| setting.server.heard("solo/assign").len() == 3)
            .unwrap()
    );
    setting.table.run_for(0.5).unwrap();
    assert_eq!(
        setting.snapshot().solo,
        [WING],
        "the TIE was given back, the X-wing taken, the rock is no ship"
    );
    setting.assert_no_errors();
}

#[test]
fn selected_solo_ships_are_set_to_waiting_and_to_done() {
    let setting = Setting::new();
    setting.table.select(&[TIE, WING]).unwrap();
    let choose = |item: &str| setting.table.choose_menu(&setting.controller, item, "White").unwrap();
    choose("Selected: waiting");
    setting.table.run_for(1.0).unwrap();
    assert!(
        setting.server.heard("solo/override").is_empty(),
        "neither is a solo ship"
    );
    setting.table.select(&[TIE]).unwrap();
    choose("Selected: solo on/off");
    setting.table.run_for(1.0).unwrap();
    setting.table.select(&[TIE, WING]).unwrap();
    for (item, word, count) in [("Selected: waiting", "waiting", 1), ("Selected: done", "done", 2)] {
        choose(item);
        assert!(
            setting
                .table
                .run_until(3.0, |_| setting.server.heard("solo/override").len() == count)
                .unwrap()
        );
        let asked = setting.server.heard("solo/override").pop().unwrap();
        assert_eq!((&asked["ship"], &asked["activated"]), (&json!(TIE), &json!(word)));
    }
    setting.assert_no_errors();
}

#[test]
fn a_build_without_the_setup_variable_has_all_its_ships_placed() {
    let setting = Setting::new();
    let placed = |setting: &Setting| {
        setting.table.press(&setting.controller, "Tallyho", "White").unwrap();
        setting.table.run_for(1.0).unwrap();
        let seen = setting.snapshot();
        seen.ships.iter().find(|ship| ship.guid == TIE).unwrap().placed
    };
    setting.table.set_variable(TIE, "finished_setup", false).unwrap();
    assert!(!placed(&setting));
    setting
        .table
        .set_variable(TIE, "finished_setup", mlua::Value::Nil)
        .unwrap();
    assert!(placed(&setting));
    setting.assert_no_errors();
}
