//! Every kind of step, and everything that can go wrong with one.

use std::collections::BTreeSet;

use serde_json::json;
use tallyho::{
    bridge::virtual_table::{DialSpec, ShipSpec, igu},
    protocol::apply::Outcome,
    xwing::size::Size,
};

use super::{Setting, TIE, TIE_AT, WING, to};

#[test]
fn a_move_is_carried_out_by_the_mod_and_the_pose_reported() {
    let setting = Setting::new();
    // Two ahead, 120 mm towards world -x.
    let goal = to(TIE_AT[0] - igu(120.0), TIE_AT[1], 90.0);
    let done = setting.apply(setting.flight("s2", goal));
    assert_eq!(done.outcome, Outcome::Applied, "{}", done.reason);
    let observed = done.observed.unwrap();
    assert!((observed.x - (TIE_AT[0] - igu(120.0))).abs() < 1e-5 && (observed.y - 5.0).abs() < 1e-5);
    assert!(!done.bumped && done.rev > 1);
    setting.assert_no_errors();
}

#[test]
fn a_step_that_comes_again_is_answered_and_not_repeated() {
    let setting = Setting::new();
    let step = setting.flight("s1", to(TIE_AT[0] - igu(80.0), 5.0, 90.0));
    let first = setting.apply_as("same", step.clone());
    let again = setting.apply_as("same", step);
    assert_eq!(first.outcome, Outcome::Applied);
    assert_eq!(again.outcome, Outcome::Duplicate);
    assert_eq!(again.observed, first.observed);
    assert!(
        (setting.table.placement(TIE).unwrap()[0] - (TIE_AT[0] - igu(80.0))).abs() < 1e-5,
        "moved once"
    );
    setting.assert_no_errors();
}

#[test]
fn a_bump_is_partial_with_the_observed_pose() {
    let setting = Setting::new();
    setting.table.put(WING, [TIE_AT[0] - igu(100.0), 5.0, 90.0]).unwrap();
    let goal = to(TIE_AT[0] - igu(120.0), 5.0, 90.0);
    let done = setting.apply(setting.flight("s2", goal));
    assert_eq!(done.outcome, Outcome::Partial);
    assert!(done.bumped);
    let travelled = (TIE_AT[0] - done.observed.unwrap().x) / igu(1.0);
    // Base to base 60 mm, less two of the mod's guides face to face.
    assert!(travelled > 54.0 && travelled < 60.0, "{travelled}");
    setting.assert_no_errors();
}

#[test]
fn no_free_place_leaves_a_maneuver_where_it_is_and_refuses_a_boost() {
    let setting = Setting::new();
    // Just ahead, guides and all in the way: nothing from here to 80 mm ahead is free.
    setting.table.put(WING, [TIE_AT[0] - igu(38.0), 5.0, 90.0]).unwrap();
    let from = setting.placement(TIE);
    let maneuver = setting.apply(json!({ "kind": "move", "object": TIE, "code": "s1", "from": from,
        "to": to(TIE_AT[0] - igu(80.0), 5.0, 90.0) }));
    assert_eq!((maneuver.outcome, maneuver.bumped), (Outcome::Partial, true));
    let boost = setting.apply(json!({ "kind": "move", "object": TIE, "code": "s1b", "from": from,
        "to": to(TIE_AT[0] - igu(80.0), 5.0, 90.0) }));
    assert_eq!(boost.outcome, Outcome::Rejected);
    assert_eq!(setting.placement(TIE), from);
    setting.assert_no_errors();
}

#[test]
fn a_ship_stopped_at_once_has_bumped_and_is_not_taken_for_refused() {
    let setting = Setting::new();
    // A hair's breadth ahead of the guides: the first thousandth of the move would touch.
    setting.table.put(WING, [TIE_AT[0] - igu(45.15), 5.0, 90.0]).unwrap();
    let from = setting.placement(TIE);
    let done = setting.apply(json!({ "kind": "move", "object": TIE, "code": "s1", "from": from,
        "to": to(TIE_AT[0] - igu(5.15), 5.0, 90.0) }));
    assert_eq!((done.outcome, done.bumped), (Outcome::Partial, true), "{}", done.reason);
    assert!(done.reason.contains("stopped where it stood"), "{}", done.reason);
    setting.assert_no_errors();
}

#[test]
fn a_ship_that_stands_elsewhere_or_is_held_is_not_moved() {
    let setting = Setting::new();
    let from = setting.placement(TIE);
    setting.table.put(TIE, [TIE_AT[0] + igu(1.5), 5.0, 90.0]).unwrap();
    let step = json!({ "kind": "move", "object": TIE, "code": "s1", "from": from, "to": to(0.0, 5.0, 90.0) });
    let moved = setting.apply(step.clone());
    assert_eq!(moved.outcome, Outcome::Rejected);
    assert!(moved.reason.contains("somebody moved it"), "{}", moved.reason);
    // Within 1 mm it counts as in its place.
    setting.table.put(TIE, [TIE_AT[0] + igu(0.9), 5.0, 90.5]).unwrap();
    setting.table.hold(TIE, Some("White")).unwrap();
    let held = setting.apply(step.clone());
    assert!(held.reason.contains("held by a player"), "{}", held.reason);
    setting.table.hold(TIE, None).unwrap();
    assert_eq!(setting.apply(step).outcome, Outcome::Partial);
    setting.assert_no_errors();
}

#[test]
fn a_stuck_ship_is_told_with_the_remedy_and_freed_by_it() {
    let setting = Setting::new();
    setting.table.make_stuck(TIE).unwrap();
    let step = |setting: &Setting, x: f64| setting.flight("s1", to(x, 5.0, 90.0));
    let first = setting.apply(step(&setting, TIE_AT[0] - igu(80.0)));
    assert_eq!(first.outcome, Outcome::Partial);
    assert!(first.reason.contains("diag"), "{}", first.reason);
    let next = setting.apply(step(&setting, TIE_AT[0] - igu(160.0)));
    assert_eq!(next.outcome, Outcome::Rejected);
    setting.table.select(&[TIE]).unwrap();
    setting
        .table
        .press(&setting.controller, "Ship is stuck", "White")
        .unwrap();
    setting.table.run_for(1.0).unwrap();
    let freed = setting.apply(step(&setting, TIE_AT[0] - igu(160.0)));
    assert_eq!(freed.outcome, Outcome::Applied, "{}", freed.reason);
    setting.assert_no_errors();
}

#[test]
fn a_ship_that_the_mod_refuses_in_silence_is_noticed() {
    let setting = Setting::new();
    setting.table.refuse_moves(TIE).unwrap();
    let from = setting.placement(TIE);
    let done = setting.apply(json!({ "kind": "move", "object": TIE, "code": "s1", "from": from,
        "to": to(TIE_AT[0] - igu(80.0), 5.0, 90.0) }));
    assert_eq!(done.outcome, Outcome::Rejected);
    assert!(done.reason.contains("spawn the ship again"), "{}", done.reason);
    setting.assert_no_errors();
}

#[test]
fn exact_placement_takes_the_tokens_along() {
    let setting = Setting::new();
    assert_eq!(
        setting
            .apply(json!({ "kind": "token", "object": TIE, "token": "focus", "count": 1 }))
            .outcome,
        Outcome::Applied
    );
    let done = setting
        .apply(json!({ "kind": "place", "object": TIE, "from": setting.placement(TIE), "to": to(-4.0, -7.0, 12.5) }));
    assert_eq!(done.outcome, Outcome::Applied, "{}", done.reason);
    let observed = done.observed.unwrap();
    assert!(
        (observed.x + 4.0).abs() < 1e-5 && (observed.y + 7.0).abs() < 1e-5 && (observed.facing - 12.5).abs() < 1e-5
    );
    setting.table.run_for(1.0).unwrap();
    let token = setting
        .table
        .evaluate(
            &setting.controller,
            "return Mod.ship_tokens(Guard.object('bbbbbb'))[1].getGUID()",
        )
        .unwrap();
    let [x, z, _] = setting.table.placement(&token).unwrap();
    assert!((x + 4.0).hypot(z + 7.0) < 2.5, "the token came along: {x} {z}");
    setting.assert_no_errors();
}

#[test]
fn tokens_come_and_go_one_by_one_although_the_mod_sheds_whole_stacks() {
    let setting = Setting::new();
    let token = |count: i32| {
        let done = setting.apply(json!({ "kind": "token", "object": TIE, "token": "stress", "count": count }));
        assert_eq!(done.outcome, Outcome::Applied, "{}", done.reason);
        setting.table.run_for(1.0).unwrap();
        setting
            .table
            .tokens(TIE)
            .unwrap()
            .get("Stress")
            .copied()
            .unwrap_or_default()
    };
    assert_eq!(token(1), 1);
    assert_eq!(token(2), 3);
    assert_eq!(token(-1), 2);
    assert_eq!(token(-5), 0, "never below none");
    let reinforce =
        setting.apply(json!({ "kind": "token", "object": TIE, "token": "reinforce", "count": 1, "side": "fore" }));
    assert_eq!(reinforce.outcome, Outcome::Applied);
    let unknown = setting.apply(json!({ "kind": "token", "object": TIE, "token": "force", "count": 1 }));
    assert_eq!(unknown.outcome, Outcome::Rejected);
    assert!(unknown.reason.contains("by hand"), "{}", unknown.reason);
    setting.assert_no_errors();
}

#[test]
fn locks_are_known_by_guid_even_between_ships_of_one_name() {
    let setting = Setting::new();
    // A third ship of the same name as the TIE.
    let twin = setting
        .table
        .add_ship(&ShipSpec {
            guid: "dddddd".into(),
            name: "Academy Pilot".into(),
            ship_id: "tielnfighter".into(),
            size: Some(Size::Small),
            placement: [-5.0, -5.0, 0.0],
            ..ShipSpec::default()
        })
        .unwrap();
    let lock = |object: &str, remove: bool| {
        let done = setting.apply(json!({ "kind": "lock", "object": object, "target": WING, "remove": remove }));
        assert_eq!(done.outcome, Outcome::Applied, "{}", done.reason);
        setting.table.run_for(0.5).unwrap();
        let before = setting.server.heard("table/sync").len();
        setting.table.press(&setting.controller, "Tallyho", "White").unwrap();
        assert!(
            setting
                .table
                .run_until(3.0, |_| setting.server.heard("table/sync").len() > before)
                .unwrap()
        );
        let seen = setting.snapshot();
        let wing = seen.ships.iter().find(|ship| ship.guid == WING).unwrap();
        wing.locked_by.values().cloned().collect::<BTreeSet<String>>()
    };
    assert_eq!(lock(TIE, false), BTreeSet::from([TIE.to_owned()]));
    assert_eq!(lock(&twin, false), BTreeSet::from([TIE.to_owned(), twin.clone()]));
    assert_eq!(lock(TIE, false).len(), 2, "a lock that is there is not laid twice");
    assert_eq!(lock(TIE, true), BTreeSet::from([twin.clone()]));
    assert_eq!(
        lock(TIE, true),
        BTreeSet::from([twin.clone()]),
        "no lock to take away is no error"
    );
    let rock = setting.apply(json!({ "kind": "lock", "object": TIE, "target": "cccccc" }));
    assert_eq!(rock.outcome, Outcome::Rejected);
    setting.assert_no_errors();
}

#[test]
fn turrets_dials_lines_and_words() {
    let setting = Setting::new();
    let turret = setting.apply(json!({ "kind": "turret", "object": WING, "mount": "main", "arc": "rear" }));
    assert_eq!(turret.outcome, Outcome::Applied, "{}", turret.reason);
    assert_eq!(setting.table.turret(WING, "main").unwrap(), "back");
    assert_eq!(
        setting
            .apply(json!({ "kind": "turret", "object": TIE, "mount": "main", "arc": "rear" }))
            .outcome,
        Outcome::Rejected
    );
    assert_eq!(
        setting
            .apply(json!({ "kind": "dial", "object": TIE, "code": "wbl2" }))
            .outcome,
        Outcome::Rejected,
        "no dial is assigned"
    );
    let dial = setting
        .table
        .add_dial(&DialSpec {
            guid: String::new(),
            ship: TIE.into(),
        })
        .unwrap();
    for code in ["wbl2", "bs1"] {
        let set = setting.apply(json!({ "kind": "dial", "object": TIE, "code": code }));
        assert_eq!(set.outcome, Outcome::Applied, "{}", set.reason);
        assert_eq!(setting.table.variable(&dial, "setStat").unwrap(), "true");
        assert_eq!(setting.table.variable(&dial, "setMan").unwrap(), code[1..]);
    }
    let moved = setting.apply(setting.flight("s1", to(TIE_AT[0] - igu(80.0), 5.0, 90.0)));
    assert_eq!(moved.outcome, Outcome::Applied);
    assert_eq!(
        setting.table.variable(&dial, "setStat").unwrap(),
        "false",
        "the dial is open again"
    );
    setting.apply(json!({ "kind": "show", "object": TIE, "lines": [[0.0, 0.0, 5.0, 5.0], [1.0, 1.0, 2.0, 2.0]] }));
    assert_eq!(setting.table.vector_lines(), 2);
    setting.apply(json!({ "kind": "show", "object": TIE, "lines": [] }));
    assert_eq!(setting.table.vector_lines(), 0);
    setting.apply(json!({ "kind": "say", "object": TIE, "text": "Academy Pilot turns [b]hard[/b] – because." }));
    assert!(setting.chat_has("Academy Pilot turns"));
    setting.assert_no_errors();
}

#[test]
fn unknown_steps_and_ships_are_refused_in_words() {
    let setting = Setting::new();
    assert_eq!(
        setting.apply(json!({ "kind": "teleport", "object": TIE })).outcome,
        Outcome::Rejected
    );
    let gone = setting.apply(json!({ "kind": "token", "object": "ffffff", "token": "focus", "count": 1 }));
    assert!(gone.reason.contains("gone"), "{}", gone.reason);
    let id = setting.server.ask(
        "dice/roll",
        json!({ "rollId": "r", "attack": 1, "defence": 0, "reason": "" }),
    );
    setting
        .table
        .run_until(5.0, |_| setting.server.answer(&id).is_some())
        .unwrap();
    assert_eq!(setting.server.answer(&id).unwrap()["error"]["code"], 3003);
    let id = setting.server.ask("table/dance", json!({}));
    setting
        .table
        .run_until(5.0, |_| setting.server.answer(&id).is_some())
        .unwrap();
    assert_eq!(setting.server.answer(&id).unwrap()["error"]["code"], -32601);
    setting.assert_no_errors();
}

#[test]
fn a_mod_call_that_vanishes_in_the_middle_rejects_the_step() {
    let setting = Setting::new();
    setting.table.remove_mod_call("API_PerformMove").unwrap();
    setting.table.remove_mod_call("proxyPerformAction").unwrap();
    let from = setting.placement(TIE);
    let moved =
        setting.apply(json!({ "kind": "move", "object": TIE, "code": "s1", "from": from, "to": to(0.0, 5.0, 90.0) }));
    assert_eq!(moved.outcome, Outcome::Rejected);
    assert!(moved.reason.contains("The mod failed"), "{}", moved.reason);
    let token = setting.apply(json!({ "kind": "token", "object": TIE, "token": "focus", "count": 1 }));
    assert_eq!(token.outcome, Outcome::Rejected);
    assert!(token.reason.contains("by hand"), "{}", token.reason);
    setting.assert_no_errors();
}

#[test]
fn a_mark_of_an_earlier_bump_is_no_bump_of_a_later_step() {
    let setting = Setting::new();
    setting.table.put(WING, [TIE_AT[0] - igu(100.0), 5.0, 90.0]).unwrap();
    let bump = setting.apply(setting.flight("s2", to(TIE_AT[0] - igu(120.0), 5.0, 90.0)));
    assert!(bump.bumped);
    assert_eq!(setting.table.buttons(TIE).unwrap(), ["BUMPED"]);
    let token = setting.apply(json!({ "kind": "token", "object": TIE, "token": "stress", "count": 1 }));
    assert_eq!((token.outcome, token.bumped), (Outcome::Applied, false));
    let from = setting.placement(TIE);
    let place = setting.apply(json!({ "kind": "place", "object": TIE, "from": from, "to": to(8.0, 8.0, 0.0) }));
    assert_eq!((place.outcome, place.bumped), (Outcome::Applied, false));
    assert_eq!(setting.table.buttons(TIE).unwrap(), Vec::<String>::new());
    setting.assert_no_errors();
}
