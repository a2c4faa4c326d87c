//! The mod's dice: rolled for the program, read by their faces, typed where they misbehave.

use std::collections::BTreeMap;

use serde_json::json;
use tallyho::{
    bridge::virtual_table::{DiceFault, VirtualTable},
    protocol::solo::RollResult,
};

use super::{ScriptedServer, Setting};

/// A table with dice, connected.
fn with_dice(seed: u32) -> Setting {
    let mut table = VirtualTable::new().unwrap();
    table.set_patience(0.2);
    table.add_dice(seed).unwrap();
    let setting = Setting::on(ScriptedServer::start(), table);
    setting.wait_for_the_table();
    setting
}

fn ask(setting: &Setting, id: &str, attack: u32, defence: u32) -> String {
    setting.server.ask(
        "dice/roll",
        json!({ "rollId": id, "attack": attack, "defence": defence, "reason": "Academy Pilot attacks" }),
    )
}

fn faces(setting: &Setting, id: &str) -> RollResult {
    serde_json::from_value(setting.answer(id)["result"].clone()).unwrap()
}

/// What lay on top, in the program's words.
fn rolled(setting: &Setting) -> RollResult {
    let words = BTreeMap::from([
        ("Crit", "crit"),
        ("Hit", "hit"),
        ("Evade", "evade"),
        ("Eye", "focus"),
        ("Blank", "blank"),
    ]);
    let mut result = RollResult::default();
    for (colour, face) in setting.table.dice_rolled().unwrap() {
        let list = match &*colour {
            "Red" => &mut result.attack,
            _ => &mut result.defence,
        };
        list.push(words[&*face].to_owned());
    }
    result
}

fn press_once_shown(setting: &Setting, label: &str) {
    let there = |_: &VirtualTable| setting.buttons().iter().any(|button| button.starts_with(label));
    assert!(
        setting.table.run_until(60.0, there).unwrap(),
        "{label}: {:?}",
        setting.buttons()
    );
    setting.press(label);
}

#[test]
fn dice_are_rolled_read_and_taken_away() {
    let setting = with_dice(7);
    let initialize = &setting.server.heard("initialize")[0];
    assert_eq!(initialize["capabilities"]["dice"], true);
    let id = ask(&setting, "r1", 3, 2);
    let result = faces(&setting, &id);
    assert_eq!((result.attack.len(), result.defence.len()), (3, 2));
    assert_eq!(result, rolled(&setting));
    assert_eq!(
        setting.table.objects_of("Dice").unwrap().len(),
        5,
        "they may be looked at for a while"
    );
    setting.table.run_for(12.0).unwrap();
    assert_eq!(setting.table.objects_of("Dice").unwrap(), Vec::<String>::new());
    setting.assert_no_errors();
}

#[test]
fn a_roll_asked_for_again_is_answered_alike_also_after_a_load() {
    let setting = with_dice(8);
    let first = ask(&setting, "r1", 2, 0);
    let result = faces(&setting, &first);
    let again = ask(&setting, "r1", 2, 0);
    assert_eq!(faces(&setting, &again), result);
    setting.load(&setting.table.save().unwrap());
    let later = ask(&setting, "r1", 2, 0);
    assert_eq!(faces(&setting, &later), result);
    assert_eq!(setting.table.dice_rolled().unwrap().len(), 2, "rolled once");
    // Dice of before the load are cleared away with the next roll.
    let next = ask(&setting, "r2", 0, 3);
    assert_eq!(faces(&setting, &next).defence.len(), 3);
    assert_eq!(setting.table.objects_of("Dice").unwrap().len(), 3);
    setting.assert_no_errors();
}

#[test]
fn two_rolls_follow_each_other_and_no_dice_are_no_roll() {
    let setting = with_dice(9);
    let (first, none, second) = (
        ask(&setting, "r1", 1, 0),
        ask(&setting, "r0", 0, 0),
        ask(&setting, "r2", 0, 2),
    );
    assert_eq!(faces(&setting, &first).attack.len(), 1);
    assert_eq!(faces(&setting, &none), RollResult::default());
    assert_eq!(faces(&setting, &second).defence.len(), 2);
    assert_eq!(setting.table.dice_rolled().unwrap().len(), 3);
    setting.assert_no_errors();
}

#[test]
fn a_roll_that_is_taken_back_is_stopped() {
    let setting = with_dice(10);
    let (first, second, third) = (
        ask(&setting, "r1", 3, 0),
        ask(&setting, "r2", 2, 0),
        ask(&setting, "r3", 0, 1),
    );
    let rolls = |_: &VirtualTable| {
        setting
            .buttons()
            .iter()
            .any(|button| button.starts_with("Type the faces"))
    };
    assert!(setting.table.run_until(5.0, rolls).unwrap());
    // One in the air, and one that waits behind it.
    setting.server.cancel(&first);
    setting.server.cancel(&second);
    assert_eq!(faces(&setting, &third).defence.len(), 1);
    for id in [&first, &second] {
        let answer = setting.answer(id);
        assert!(
            answer["error"]["message"].as_str().unwrap().contains("no longer waits"),
            "{answer}"
        );
    }
    assert_eq!(
        setting.table.objects_of("Dice").unwrap().len(),
        1,
        "the dice of the first are gone"
    );
    // What was never asked stops nothing.
    let last = ask(&setting, "r4", 1, 0);
    setting.server.cancel("s999");
    assert_eq!(faces(&setting, &last).attack.len(), 1);
    setting.assert_no_errors();
}

#[test]
fn a_table_without_dice_says_that_it_cannot() {
    let setting = Setting::new();
    assert_eq!(setting.server.heard("initialize")[0]["capabilities"]["dice"], false);
    let id = ask(&setting, "r1", 2, 1);
    assert_eq!(setting.answer(&id)["error"]["code"], 3003);
    setting.assert_no_errors();
}

#[test]
fn dice_that_fell_or_know_numbers_only_are_read_all_the_same() {
    for fault in [DiceFault::Falling, DiceFault::Numbered] {
        let setting = with_dice(10);
        setting.table.break_dice(fault).unwrap();
        let id = ask(&setting, "r1", 2, 2);
        let result = faces(&setting, &id);
        let mut on_top = rolled(&setting);
        if fault == DiceFault::Falling {
            // What fell was rolled again, and counts then.
            on_top.attack.swap(0, 2);
            on_top.attack.truncate(2);
        }
        assert_eq!(result, on_top, "{fault:?}");
        setting.assert_no_errors();
    }
}

#[test]
fn dice_that_cannot_be_read_are_typed() {
    for fault in [DiceFault::Leaning, DiceFault::Vanishing, DiceFault::Unreadable] {
        let setting = with_dice(11);
        setting.table.break_dice(fault).unwrap();
        let id = ask(&setting, "r1", 2, 1);
        for label in ["Crit", "Hit", "Take the last die back", "Focus", "Evade", "Done"] {
            press_once_shown(&setting, label);
        }
        let result = faces(&setting, &id);
        assert_eq!(result.attack, ["crit", "focus"], "{fault:?}");
        assert_eq!(result.defence, ["evade"]);
        setting.assert_no_errors();
    }
}

#[test]
fn players_may_type_while_the_dice_roll() {
    let setting = with_dice(12);
    let id = ask(&setting, "r1", 1, 0);
    press_once_shown(&setting, "Type the faces instead");
    press_once_shown(&setting, "Blank");
    press_once_shown(&setting, "Done");
    assert_eq!(faces(&setting, &id).attack, ["blank"]);
    setting.table.run_for(15.0).unwrap();
    assert_eq!(setting.table.objects_of("Dice").unwrap(), Vec::<String>::new());
    setting.assert_no_errors();
}

#[test]
fn faces_that_nobody_types_are_refused_so_that_play_goes_on() {
    let setting = with_dice(13);
    setting.table.break_dice(DiceFault::Leaning).unwrap();
    let id = ask(&setting, "r1", 1, 0);
    assert_eq!(setting.answer(&id)["error"]["code"], 3003);
    assert!(setting.chat_has("Please type what the dice show"));
    setting.assert_no_errors();
}

#[test]
fn the_program_may_ask_for_typed_faces_and_offer_answers_of_its_own() {
    let setting = Setting::new();
    let prompt = |id: &str| {
        let params = json!({ "promptId": id, "text": "Your attack on Academy Pilot", "topic": "dice",
            "options": ["Let the program roll"], "default": "Let the program roll", "deadlineMs": 60000,
            "input": { "attack": 2, "defence": 0 } });
        setting.server.ask("table/prompt", params)
    };
    let typed = prompt("p1");
    for label in ["Hit", "Focus", "Done"] {
        press_once_shown(&setting, label);
    }
    assert_eq!(setting.answer(&typed)["result"]["choice"], "hit focus");
    let left = prompt("p2");
    press_once_shown(&setting, "Let the program roll");
    assert_eq!(setting.answer(&left)["result"]["choice"], "Let the program roll");
    setting.assert_no_errors();
}
