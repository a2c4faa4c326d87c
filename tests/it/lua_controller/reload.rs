//! Saving, loading and rewinding.

use serde_json::json;
use tallyho::{
    bridge::virtual_table::{VirtualTable, igu},
    protocol::apply::Outcome,
};

use super::{Setting, TIE, TIE_AT, WING, to};

#[test]
fn the_state_survives_a_reload_and_stays_small() {
    let setting = Setting::new();
    for label in ["Ask first", "Solo ships...", "player: Academy Pilot"] {
        setting.press(label);
    }
    let mut x = TIE_AT[0];
    let step = |setting: &Setting, x: f64| setting.flight("s1", to(x, 5.0, 90.0));
    // More than are remembered.
    for _ in 0..20 {
        x -= igu(80.0);
        if x < -14.0 {
            x = 14.0;
            setting.table.put(TIE, [14.0 + igu(80.0), 5.0, 90.0]).unwrap();
        }
        assert_eq!(setting.apply(step(&setting, x)).outcome, Outcome::Applied);
    }
    for i in 0..20 {
        setting.apply(
            json!({ "kind": "token", "object": TIE, "token": "focus", "count": if i % 2 == 0 { 1 } else { -1 } }),
        );
    }
    assert_eq!(
        setting
            .apply(json!({ "kind": "lock", "object": TIE, "target": WING }))
            .outcome,
        Outcome::Applied
    );
    let last = step(&setting, x - igu(80.0));
    assert_eq!(setting.apply_as("last", last.clone()).outcome, Outcome::Applied);
    let saved = setting.table.save().unwrap();
    let size = setting.table.script_state(&setting.controller).unwrap().len();
    assert!(size < 5000, "{size} bytes");
    setting.load(&saved);
    assert_eq!(setting.snapshot().solo, [TIE]);
    let seen = setting.snapshot();
    let wing = seen.ships.iter().find(|ship| ship.guid == WING).unwrap();
    assert_eq!(
        wing.locked_by.values().next().map(String::as_str),
        Some(TIE),
        "lockers are known by GUID still"
    );
    assert!(setting.buttons().contains(&"Ask first: on".to_owned()));
    assert_eq!(setting.apply_as("last", last).outcome, Outcome::Duplicate);
    setting.assert_no_errors();
}

#[test]
fn a_rewind_makes_the_step_possible_again() {
    let setting = Setting::new();
    let before = setting.table.save().unwrap();
    let step = setting.flight("s1", to(TIE_AT[0] - igu(80.0), 5.0, 90.0));
    assert_eq!(setting.apply_as("once", step.clone()).outcome, Outcome::Applied);
    setting.load(&before);
    assert!((setting.table.placement(TIE).unwrap()[0] - TIE_AT[0]).abs() < 1e-9);
    assert_eq!(
        setting.apply_as("once", step).outcome,
        Outcome::Applied,
        "the table is as if it had never happened"
    );
    setting.assert_no_errors();
}

#[test]
fn a_save_in_the_middle_of_a_move_is_told_from_where_the_ship_stands() {
    let setting = Setting::new();
    let step = setting.flight("s3", to(TIE_AT[0] - igu(160.0), 5.0, 90.0));
    setting
        .server
        .ask("table/apply", json!({ "actionId": "cut", "rev": 1, "step": step }));
    let halfway = |table: &VirtualTable| (table.placement(TIE).unwrap()[0] - TIE_AT[0]).abs() > igu(40.0);
    assert!(setting.table.run_until(5.0, halfway).unwrap());
    let cut = setting.table.save().unwrap();
    setting.load(&cut);
    let done = setting.apply_as("cut", step);
    assert_eq!(done.outcome, Outcome::Partial, "{done:?}");
    assert!(done.reason.contains("loaded again"), "{}", done.reason);
    setting.assert_no_errors();
}
