//! Worked cases, each named by its id in `tests/cases/solo_alpha/*.txt`.
//!
//! A case is a section: `## ID what it is about`, a position in the text form, then expectations, `=> key value`. The keys
//! are those of [`Outcome::of`]; `|` separates what a seeded roll may choose, and every choice must come up. `=> reason`
//! wants a reason whose `rule: text` holds the words.

use std::collections::BTreeSet;

use tallyho::{
    bridge::{position::Position, text},
    geometry::Pose,
    solo_alpha::Activation,
    xwing::{catalog::Catalog, ship::Ship},
};

use super::decide;

/// Enough that a choice between three comes up for sure.
const SEEDS: u64 = 40;

const FILES: [&str; 3] = [
    include_str!("../../cases/solo_alpha/tally.txt"),
    include_str!("../../cases/solo_alpha/maneuvers.txt"),
    include_str!("../../cases/solo_alpha/actions.txt"),
];

/// The sections of files: id, and the rest.
pub(crate) fn sections<'f>(files: &'f [&'f str]) -> impl Iterator<Item = (&'f str, &'f str)> {
    files
        .iter()
        .flat_map(|file| file.split("\n## ").skip(1))
        .map(|section| section.split_once(' ').expect("an id and a title"))
}

/// The position of a section, without its title and its expectations.
pub(crate) fn fixture(id: &str, section: &str) -> (Position, String) {
    let (_, body) = section.split_once('\n').expect("a title");
    let fixture: Vec<&str> = body.lines().filter(|line| !line.starts_with("=>")).collect();
    let position =
        text::parse(&fixture.join("\n"), Catalog::embedded()).unwrap_or_else(|error| panic!("{id}: {error}"));
    // The order in which ships act plays no part in a decision, so no case gives it.
    let order = |message: &str| message.contains("initiative") || message.contains("pilot skill");
    let other = position.warnings.iter().find(|warning| !order(&warning.message));
    assert_eq!(other, None, "{id}");
    (position, body.to_owned())
}

fn place(pose: Pose) -> String {
    format!("{:.1},{:.1} @{:.1}", pose.position.x, pose.position.y, pose.heading)
}

fn value(activation: &Activation, before: &Ship, key: &str) -> String {
    let approach = &activation.approach;
    let end = &activation.execution;
    match key {
        "tally" => approach.tally.as_ref().map_or("none".to_owned(), |t| t.id.to_string()),
        "rule" => approach.tally.as_ref().map_or("none", |t| t.rule.id()).to_owned(),
        "chart" => approach.chart.map_or("none", |chart| chart.name()).to_owned(),
        "exceptions" => match approach.exception_ids() {
            none if none.is_empty() => "none".to_owned(),
            ids => ids,
        },
        "maneuver" => approach.maneuver.to_string(),
        "attitude" => approach.attitude.to_string(),
        "full" => end.execution.full.to_string(),
        "pose" => place(end.pose),
        "action" => activation.action.to_string(),
        "lost" => activation
            .action
            .lost
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(", "),
        // The ship once everything is carried out.
        "stress" | "disarm" | "end" => {
            let mut after = before.clone();
            after.pose = end.pose;
            after.tokens = end.tokens;
            for action in &activation.action.sequence {
                action.apply(&mut after);
            }
            match key {
                "stress" => after.tokens.stress.to_string(),
                "disarm" => after.tokens.disarm.to_string(),
                _ => place(after.pose),
            }
        }
        "sentence" => activation.sentence.clone(),
        "device" => activation.drop.as_ref().map_or("none".to_owned(), |drop| {
            let does = if drop.check.drops { "drops" } else { "keeps" };
            format!("{does} with {} dice", drop.check.rolled.len())
        }),
        other => panic!("no such key: {other}"),
    }
}

fn reasons(activation: &Activation) -> String {
    let lines = activation.reasons.iter().map(|r| format!("{}: {}\n", r.rule, r.text));
    lines.collect()
}

/// What is otherwise in a section than it expects.
pub(crate) fn differences(id: &str, section: &str) -> Vec<String> {
    let (position, body) = fixture(id, section);
    let mut differences = Vec::new();
    let before = position.table.ship(position.active.as_deref().unwrap()).unwrap();
    let decisions: Vec<_> = (0..SEEDS).map(|seed| decide(&position, seed)).collect();
    let mut expectations = 0;
    for line in body.lines().filter_map(|line| line.strip_prefix("=> ")) {
        expectations += 1;
        let (key, expected) = line.split_once(' ').expect("a key and a value");
        if key == "reason" {
            for decision in &decisions {
                let reasons = reasons(decision);
                if !reasons.contains(expected) {
                    differences.push(format!("{id}: no reason `{expected}` in\n{reasons}"));
                    break;
                }
            }
            continue;
        }
        let expected: BTreeSet<String> = expected.split(" | ").map(|s| s.trim().to_owned()).collect();
        let found: BTreeSet<String> = decisions.iter().map(|d| value(d, before, key)).collect();
        if found != expected {
            let (told, why) = (&decisions[0].sentence, reasons(&decisions[0]));
            differences.push(format!("{id} {key}: {found:?}, expected {expected:?}: {told}\n{why}"));
        }
    }
    if expectations == 0 {
        differences.push(format!("{id} expects nothing"));
    }
    differences
}

fn check(id: &str) {
    let (_, section) = sections(&FILES)
        .find(|(found, _)| *found == id)
        .expect("a section of that id");
    let differences = differences(id, section);
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

macro_rules! cases {
    ($($name:ident = $id:literal),* $(,)?) => {
        $(#[test] fn $name() { check($id); })*

        #[test]
        fn every_section_has_a_test() {
            let named: BTreeSet<&str> = [$($id),*].into();
            let written: BTreeSet<&str> = sections(&FILES).map(|(id, _)| id).collect();
            assert_eq!(named, written);
        }
    };
}

cases! {
    a1 = "A1", a2 = "A2", a4_two_locks = "A4-locks", a4_obstacle = "A4-obstacle", a4_point = "A4-point",
    a4_forced = "A4-forced", a6_none = "A6-none", a6_docked = "A6-docked", b1_inside = "B1-inside",
    b1_outside = "B1-outside", b2 = "B2", b3_front = "B3-front", b3_side = "B3-side", b5 = "B5", b7 = "B7",
    sa_3_1f = "SA-3.1f",
    c1 = "C1", c2_red = "C2-red", c2_white = "C2-white", c4_straight = "C4-straight", c4_blue = "C4-blue", c5 = "C5",
    c5_tally = "C5-tally", c6 = "C6", c7 = "C7", c7_blocked = "C7-blocked", d1 = "D1", d2_clear = "D2-clear",
    d2_again = "D2-again", d5 = "D5", sa_5_reverse = "SA-5-reverse", sa_5_nose = "SA-5-nose",
    sa_5_purple = "SA-5-purple", sa_6_3 = "SA-6.3", sa_6_4 = "SA-6.4", sa_7_about = "SA-7-about",
    sa_7_quarter = "SA-7-quarter", sa_7_debris = "SA-7-debris",
    e1 = "E1", e2 = "E2", e2_stressed = "E2-stressed", sa_8_d2 = "SA-8-D2", sa_8_d3 = "SA-8-D3", sa_8_b1 = "SA-8-B1",
    sa_8_o1_rotate = "SA-8-O1-rotate", sa_8_o2 = "SA-8-O2", sa_8_o3_held = "SA-8-O3-held", sa_8_o4 = "SA-8-O4",
    sa_8_1_link = "SA-8.1-link", sa_8_1_evade = "SA-8.1-evade", sa_8_done = "SA-8-done", sa_6_1 = "SA-6.1",
    sa_5_row_obstacle = "SA-5-row-obstacle", sa_5_slam_tallon = "SA-5-slam-tallon",
    sa_0_stationary = "SA-0-stationary", sa_8_b2_link = "SA-8-B2-link",
    sa_5_side = "SA-5-side", sa_5_middle = "SA-5-middle",
}
