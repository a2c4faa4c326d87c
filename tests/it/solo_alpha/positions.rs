//! SA-3, SA-3.4 to SA-8: decisions against the answers of an independent implementation of the same rules, over all 300 positions.
//!
//! Where the rules leave a choice to a seeded roll the answers are sets; a decision must lie in them, and the action in the
//! set of the very maneuver and end that the decision came to. Rows are decided with several seeds, so that rolls go
//! either way.

use serde_json::Value;
use tallyho::{
    geometry::{Point, angle},
    solo_alpha::Activation,
    xwing::ObjectId,
};

use super::decide;
use crate::positions_300;

const SEEDS: u64 = 6;
const TOLERANCE: f64 = 0.05;

fn texts(value: &Value) -> Vec<&str> {
    value
        .as_array()
        .map(|list| list.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default()
}

fn ids(list: &[ObjectId]) -> Vec<&str> {
    let mut ids: Vec<&str> = list.iter().map(|id| &**id).collect();
    ids.sort_unstable();
    ids
}

/// Whether a decision's end is the expected one.
fn same_outcome(activation: &Activation, outcome: &Value) -> bool {
    let found = &activation.execution;
    let number = |key: &str| outcome[key].as_f64().unwrap_or(f64::NAN);
    let place = Point::new(number("x"), number("y"));
    let alignment = found
        .execution
        .alignment
        .map_or(String::new(), |alignment| match alignment.shift_mm() {
            0.0 => "0".to_owned(),
            shift => format!("{shift:+}"),
        });
    found.pose.position.distance(place) <= TOLERANCE
        && angle::signed(found.pose.heading - number("heading")).abs() <= TOLERANCE
        && outcome["full"] == found.execution.full
        && outcome["edge"] == found.execution.edge
        && outcome["edge_turn"].as_f64() == found.edge_turn.map(|turn| turn.degrees())
        && outcome["alignment"] == alignment.as_str()
        && texts(&outcome["bumped"]) == ids(&found.execution.bumped)
        && texts(&outcome["suffered"]) == ids(&found.execution.suffered)
        && texts(&outcome["crossed"]) == ids(&found.execution.crossed)
        && outcome["stress_after"] == found.tokens.stress
}

/// What is wrong with a decision, in words.
fn differences(activation: &Activation, expected: &Value) -> Vec<String> {
    let approach = &activation.approach;
    let mut wrong = Vec::new();
    let mut check = |what: &str, found: &str, admissible: &Value| {
        let admissible = texts(admissible);
        let fits = if admissible.is_empty() {
            found.is_empty()
        } else {
            admissible.contains(&found)
        };
        if !fits {
            wrong.push(format!("{what} {found}, expected {admissible:?}"));
        }
    };
    let admissible = &expected["admissible"];
    let tally = approach.tally.as_ref().map_or("", |tally| &tally.id);
    let chart = approach.chart.map_or("", |chart| chart.name());
    let maneuver = approach.maneuver.to_string();
    let exceptions = approach.exception_ids();
    check("tally", tally, &admissible["tally"]);
    check("chart", chart, &admissible["chart"]);
    check("maneuver", &maneuver, &admissible["maneuvers"]);
    check("exceptions", &exceptions, &admissible["exceptions"]);
    check("attitude", approach.attitude.name(), &admissible["attitude"]);
    if let Some(tally) = &approach.tally
        && expected["tally"]["rule"] != tally.rule.id()
    {
        wrong.push(format!(
            "tally by {}, expected {}",
            tally.rule.id(),
            expected["tally"]["rule"]
        ));
    }
    let branches = expected["branches"].as_array().unwrap();
    let outcomes: Vec<&Value> = branches
        .iter()
        .filter(|b| b["code"] == maneuver && b["chart"].as_str().unwrap_or("") == chart)
        .filter(|b| b["tally"].as_str().unwrap_or("") == tally && b["attitude"] == approach.attitude.name())
        .flat_map(|b| b["outcomes"].as_array().unwrap())
        .filter(|outcome| same_outcome(activation, outcome))
        .collect();
    if outcomes.is_empty() {
        wrong.push(format!(
            "no outcome like {:?}; expected {branches:?}",
            activation.execution
        ));
    }
    let action = activation.action.to_string();
    let actions = |key: &str| -> Vec<&str> {
        outcomes
            .iter()
            .flat_map(|o| o[key].as_array().unwrap())
            .filter_map(|a| a["action"].as_str())
            .collect()
    };
    if !outcomes.is_empty() && !actions("actions").contains(&&*action) {
        let near = actions("actions_satisfying").contains(&&*action);
        wrong.push(format!(
            "action {action} ({}), expected {:?}",
            if near {
                "meets the line, but is not the one"
            } else {
                "meets another line"
            },
            actions("actions")
        ));
    }
    if outcomes.len() == 1 && !activation.action.sequence.is_empty() {
        // Every way to meet the line: a superset of the admissible actions.
        let line = activation.action.sequence.iter().filter_map(|step| step.line).min();
        let others = activation.action.alternatives.iter();
        let mut found: Vec<String> = others
            .filter(|a| Some(a.line) == line)
            .map(ToString::to_string)
            .collect();
        found.push(action);
        found.sort_unstable();
        found.dedup();
        let mut satisfying = actions("actions_satisfying");
        satisfying.sort_unstable();
        if found != satisfying {
            wrong.push(format!("the line is met by {found:?}, expected {satisfying:?}"));
        }
    }
    wrong
}

#[test]
fn sa_3_to_8_decisions_agree_with_an_independent_implementation() {
    let mut wrong = Vec::new();
    let mut rows = 0;
    for (_, position, expected) in positions_300::all() {
        rows += 1;
        let mut found: Vec<String> = (0..SEEDS)
            .flat_map(|seed| differences(&decide(&position, seed), &expected))
            .collect();
        found.sort_unstable();
        found.dedup();
        // Rows that are not solid lie near a boundary or met an open reading, and agree all the same.
        wrong.extend(
            found
                .into_iter()
                .map(|text| format!("{} (solid: {}): {text}", position.id, expected["solid"])),
        );
    }
    assert_eq!(rows, 300);
    assert!(wrong.is_empty(), "{} differences\n{}", wrong.len(), wrong.join("\n"));
}
