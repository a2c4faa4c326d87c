//! A decision in a few named points: the same in the picture and in plain text.

use super::decision::{Decided, Ghost};
use crate::{
    geometry::Pose,
    solo_alpha::{
        Activation,
        action::{ActionDetail, PlannedAction},
        outcome::EdgeTurn,
        sentence::{Named, Performs, SpokenIn},
    },
    xwing::{ObjectId, edition::Edition, maneuver::Side, reposition::BoostTemplate, ship::Ship},
};

/// The main points by name, in the order of the rules. `ship` is the ship as it was before.
pub fn facts(activation: &Activation, ship: &Ship) -> Vec<(&'static str, String)> {
    let Activation {
        approach,
        execution: outcome,
        action,
        ..
    } = activation;
    let mut facts = Vec::new();
    let tally = match &approach.tally {
        Some(tally) => format!("{}, {:.1} mm away ({})", tally.id, tally.distance_mm, tally.rule.id()),
        None if ship.is_ionized() => "none, since it is ionized".to_owned(),
        None => "none".to_owned(),
    };
    facts.push(("Tally", tally));
    if let Some(chart) = approach.chart {
        facts.push(("Chart", chart.to_string()));
    }
    let mut roll = approach.roll.to_string();
    if approach.die != approach.roll.defence {
        roll.push_str(", the defence die then became focus");
    }
    facts.push(("Roll", roll));
    facts.push(("Entry", approach.entry.clone()));
    if !approach.exceptions.is_empty() {
        facts.push(("Exceptions", approach.exception_ids().replace('+', ", ")));
    }
    let code = approach.maneuver;
    facts.push(("Maneuver", format!("{} ({code})", SpokenIn(ship.edition, code))));
    facts.push(("Ends at", end(activation)));
    let (before, after) = (ship.tokens.stress, outcome.tokens.stress);
    if before != after {
        facts.push(("Stress", format!("{before}, then {after}")));
    }
    facts.push(("Attitude", approach.attitude.name().to_owned()));
    facts.push(("Action", Performs(ship.edition, action).to_string()));
    facts
}

/// Where the ship ends, and what happened on the way.
fn end(activation: &Activation) -> String {
    let outcome = &activation.execution;
    let executed = &outcome.execution;
    let mut words = pose(outcome.pose);
    let joined = |ids: &[ObjectId]| ids.join(", ");
    if !executed.overlapped.is_empty() {
        words.push_str(&format!(", backed up from {}", joined(&executed.overlapped)));
    }
    if !executed.bumped.is_empty() {
        words.push_str(&format!(", touching {}", joined(&executed.bumped)));
    }
    match outcome.edge_turn {
        Some(EdgeTurn::About) => words.push_str(", stopped at the edge and turned about"),
        Some(EdgeTurn::Quarter(_)) => words.push_str(", stopped at the edge and turned 90 degrees"),
        None => {}
    }
    if !executed.suffered.is_empty() {
        words.push_str(&format!(", suffers {}", joined(&executed.suffered)));
    }
    words
}

/// A pose as the text form of positions writes it, to a tenth.
fn pose(pose: Pose) -> String {
    format!("{:.1},{:.1} @{:.1}", pose.position.x, pose.position.y, pose.heading)
}

/// An action that moves a ship, as players say it.
fn spoken(edition: Edition, action: &PlannedAction) -> String {
    match &action.detail {
        ActionDetail::BarrelRoll { side: Side::Left, .. } => "barrel roll left".to_owned(),
        ActionDetail::BarrelRoll { side: Side::Right, .. } => "barrel roll right".to_owned(),
        ActionDetail::Boost(BoostTemplate::Left) => "boost left".to_owned(),
        ActionDetail::Boost(BoostTemplate::Straight) => "boost straight".to_owned(),
        ActionDetail::Boost(BoostTemplate::Right) => "boost right".to_owned(),
        ActionDetail::Boost(BoostTemplate::TurnLeft) => "boost left by the turn".to_owned(),
        ActionDetail::Boost(BoostTemplate::TurnRight) => "boost right by the turn".to_owned(),
        ActionDetail::Slam { maneuver, .. } => format!("SLAM {}", SpokenIn(edition, *maneuver)),
        _ => Named(edition, action).to_string(),
    }
}

impl<'a> Decided<'a> {
    /// What a picture shows of an activation. `ship` is the ship as it was before.
    pub fn of(activation: &'a Activation, ship: &Ship) -> Self {
        let outcome = &activation.execution;
        let mut rejected: Vec<Ghost> = (activation.approach.rejected.iter())
            .map(|left| Ghost {
                label: left.maneuver.to_string(),
                pose: left.full_end,
                maneuver: Some(left.maneuver),
            })
            .collect();
        rejected.extend(outcome.rejected.iter().map(|left| Ghost {
            label: left.maneuver.to_string(),
            pose: left.pose,
            maneuver: None,
        }));
        let moved = |from: Pose, to: Pose| from.position.distance(to.position) > 1.0 || from.heading != to.heading;
        for left in &activation.action.rejected {
            let label = spoken(ship.edition, &left.action);
            // A barrel roll's three end positions lie on top of each other: the first, the middle, stands for all.
            let known = rejected.iter().any(|ghost| ghost.label == label);
            if moved(outcome.pose, left.action.pose_after) && !known {
                rejected.push(Ghost {
                    label,
                    pose: left.action.pose_after,
                    maneuver: None,
                });
            }
        }
        let mut actions = Vec::new();
        let mut from = outcome.pose;
        for step in &activation.action.sequence {
            if moved(from, step.pose_after) {
                actions.push(Ghost {
                    label: spoken(ship.edition, step),
                    pose: step.pose_after,
                    maneuver: None,
                });
                from = step.pose_after;
            }
        }
        Decided {
            ship: activation.ship.clone(),
            sentence: &activation.sentence,
            facts: facts(activation, ship),
            reasons: &activation.reasons,
            tally: activation.approach.tally.as_ref().map(|tally| tally.id.clone()),
            maneuver: Some(activation.approach.maneuver),
            end: Some(outcome.pose),
            actions,
            rejected,
        }
    }
}
