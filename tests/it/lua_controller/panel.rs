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
    let asked = |_: &VirtualTable| setting.buttons().contains(&"Yes".to_owned());
    assert!(setting.table.run_until(3.0, asked).unwrap());
    setting.press("Yes");
    assert_eq!(setting.answer(&pressed)["result"]["choice"], "Yes");
    let again = ask("p1");
    assert_eq!(
        setting.answer(&again)["result"]["choice"],
        "Yes",
        "asked again, answered alike"
    );
    let left = ask("p2");
    assert_eq!(setting.answer(&left)["result"]["choice"], "No");
    setting.table.run_for(0.1).unwrap();
    assert!(!setting.buttons().contains(&"Yes".to_owned()), "the question is gone");
    setting.assert_no_errors();
}

#[test]
fn a_question_that_is_taken_back_leaves_the_panel() {
    let setting = Setting::new();
    let ask = |id: &str, option: &str| {
        setting.server.ask(
            "table/prompt",
            json!({ "promptId": id, "text": "Fly it?", "options": [option, "No"],
            "default": "No", "deadlineMs": 600_000 }),
        )
    };
    let (first, second) = (ask("p1", "Yes"), ask("p2", "Aye"));
    let shown = |label: &str| setting.buttons().contains(&label.to_owned());
    assert!(setting.table.run_until(3.0, |_: &VirtualTable| shown("Yes")).unwrap());
    setting.server.cancel(&first);
    // The next one is shown in its place; an answer is owed all the same.
    assert!(setting.table.run_until(3.0, |_: &VirtualTable| shown("Aye")).unwrap());
    assert!(!shown("Yes"));
    assert_eq!(setting.answer(&first)["result"]["choice"], "No");
    // What was never asked takes nothing off.
    setting.server.cancel("s999");
    setting.table.run_for(1.0).unwrap();
    setting.press("Aye");
    assert_eq!(setting.answer(&second)["result"]["choice"], "Aye");
    setting.assert_no_errors();
}

#[test]
fn buttons_press_on_with_a_fresh_table_first() {
    let setting = Setting::new();
    let syncs = setting.server.heard("table/sync").len();
    setting.press("Next solo ship");
    setting.until_heard("solo/advance", 1);
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
    setting.press("Ask first");
    setting.press("Whole round");
    setting.until_heard("solo/advance", 2);
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
    setting.press("Auto");
    for flown in 1..=3 {
        setting.until_heard("solo/advance", flown);
        setting.table.run_for(0.3).unwrap();
        if flown == 3 {
            break;
        }
        if flown == 2 {
            setting.results_in("solo/advance", json!({ "ships": [], "message": "Nobody is left." }));
        }
        setting
            .server
            .tell(json!({ "kind": "activated", "ship": "aaaaaa", "message": "done" }));
    }
    setting.table.run_for(20.0).unwrap();
    assert_eq!(setting.server.heard("solo/advance").len(), 3);
    assert!(setting.buttons().contains(&"Auto: off".to_owned()));
    setting.assert_no_errors();
}

#[test]
fn auto_waits_while_the_program_is_busy_and_ends_at_any_other_refusal() {
    let setting = Setting::new();
    let refuse = |kind: &str| {
        let fault = json!({ "code": 2004, "message": "not now", "data": { "kind": kind, "retry": "later" } });
        setting.results_in("solo/advance", json!({ "!": fault }));
    };
    refuse("busy");
    setting.press("Auto");
    setting.until_heard("solo/advance", 3);
    assert!(setting.buttons().contains(&"Auto: on".to_owned()));
    refuse("noTable");
    let auto_is_off = |_: &VirtualTable| setting.buttons().contains(&"Auto: off".to_owned());
    assert!(setting.table.run_until(12.0, auto_is_off).unwrap());
    assert!(setting.chat_has("not now"));
    setting.assert_no_errors();
}

#[test]
fn ships_are_assigned_from_the_list_and_by_selection() {
    let setting = Setting::new();
    setting.press("Solo ships...");
    setting.press("player: Academy Pilot");
    setting.until_heard("solo/assign", 1);
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
    setting.until_heard("solo/assign", 3);
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
        setting.until_heard("solo/override", count);
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
