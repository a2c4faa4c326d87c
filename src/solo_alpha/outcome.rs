//! SA-7: the maneuver as it is expected to come out, the turn at the edge, and what Check Difficulty leaves.

use super::{
    action::thousandths,
    approach::{Approach, Heed},
    chart::Word,
    nearest::TIE_MM,
    options::Options,
};
use crate::{
    decision::{Compared, Reason},
    dice::DiceSource,
    geometry::{Pose, angle},
    xwing::{
        ObjectId,
        edition::{
            Rules,
            topic::{BarrelRoll, Tallon},
        },
        maneuver::Side,
        measure::{self, Object},
        movement::{self, EdgePolicy, Execution, MovementOptions, consequences::tokens_after, observed::observed},
        ship::{Ship, Tokens},
        table::Table,
    },
};

/// How a ship that was stopped at the edge turns (SA-7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EdgeTurn {
    /// 90 degrees to that side.
    Quarter(Side),
    /// 180 degrees.
    About,
}

impl EdgeTurn {
    /// The turn in degrees, right positive.
    pub const fn degrees(self) -> f64 {
        match self {
            EdgeTurn::Quarter(side) => 90.0 * side.sign(),
            EdgeTurn::About => 180.0,
        }
    }
}

/// A maneuver as it is expected to come out.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// How it is executed, before any turn at the edge.
    pub execution: Execution,
    /// The turn at the edge (SA-7).
    pub edge_turn: Option<EdgeTurn>,
    /// Where the ship stands at the end.
    pub pose: Pose,
    /// Its tokens at the end: after Check Difficulty, obstacles, the edge and the ion maneuver.
    pub tokens: Tokens,
    /// Other alignments of a Tallon roll that would complete.
    pub rejected: Vec<Execution>,
}

/// The movement options that the opponent's options mean for solo ships: they never flee (SA-7).
pub(super) fn movement_options(options: &Options) -> MovementOptions {
    MovementOptions {
        guides: options.guides_overlap,
        edge: EdgePolicy::Stop,
    }
}

/// The ids of the rule that sets a Tallon roll or a barrel roll down where several places would do.
pub(super) const fn aligning(rules: &Rules) -> &'static str {
    match rules.barrel_roll {
        BarrelRoll::ThreePlaces => "SA-5",
        BarrelRoll::AnySlide => "SA-5 FE-SOLO-7",
    }
}

/// Which of several values best heeds a word, with ties (SA-0): towards takes the smallest, away the largest.
pub(super) fn best_heeding(word: Word, distances: &[f64]) -> Vec<usize> {
    let best = match word {
        Word::Towards => distances.iter().copied().fold(f64::INFINITY, f64::min),
        Word::Away => distances.iter().copied().fold(f64::NEG_INFINITY, f64::max),
    };
    (0..distances.len())
        .filter(|&i| (distances[i] - best).abs() <= TIE_MM)
        .collect()
}

/// Executes the approach's maneuver from where the ship stands, and applies SA-7 and the difficulty.
pub(super) fn expect(
    table: &Table,
    ship: &Ship,
    approach: &Approach,
    options: &Options,
    dice: &mut dyn DiceSource,
    reasons: &mut Vec<Reason>,
) -> Outcome {
    let ends = movement::executions(table, ship, approach.maneuver, &movement_options(options));
    let (execution, rejected) = align(table, ship, ends, approach.heed.as_ref(), dice, reasons);
    let edge_turn = execution
        .edge
        .then(|| turn_at_edge(table, execution.pose, dice, reasons));
    let pose = match edge_turn {
        Some(turn) => Pose {
            position: execution.pose.position,
            heading: angle::normalize(execution.pose.heading + turn.degrees()),
        },
        None => execution.pose,
    };
    if !execution.overlapped.is_empty() {
        reasons.push(Reason {
            rule: "SA-7".to_owned(),
            text: format!(
                "{} would end on {}: it backs up along the template",
                execution.maneuver,
                execution.overlapped.join(", ")
            ),
            compared: Vec::new(),
        });
    }
    if !execution.suffered.is_empty() {
        reasons.push(Reason {
            rule: "SA-7".to_owned(),
            text: format!("it meets {}", execution.suffered.join(", ")),
            compared: Vec::new(),
        });
    }
    let tokens = tokens_after(table, ship, &execution);
    Outcome {
        execution,
        edge_turn,
        pose,
        tokens,
        rejected,
    }
}

/// The outcome of a move that was seen to end at `pose`, by what was expected of it.
pub(super) fn observe(
    table: &Table,
    ship: &Ship,
    expected: &Outcome,
    pose: Pose,
    touching: &[ObjectId],
    options: &Options,
) -> Outcome {
    let maneuver = expected.execution.maneuver;
    let execution = observed(table, ship, maneuver, pose, touching, &movement_options(options));
    // SA-7: stopped at the edge where it was expected to be, it turns as was decided.
    let edge_turn = expected.edge_turn.filter(|_| execution.edge);
    let turned = edge_turn.map_or(0.0, EdgeTurn::degrees);
    let tokens = tokens_after(table, ship, &execution);
    Outcome {
        pose: Pose {
            position: pose.position,
            heading: angle::normalize(pose.heading + turned),
        },
        execution,
        edge_turn,
        tokens,
        rejected: Vec::new(),
    }
}

/// SA-5: the alignment of a Tallon roll that best heeds the row; without a requirement the middle first.
fn align(
    table: &Table,
    ship: &Ship,
    mut ends: Vec<Execution>,
    heed: Option<&Heed>,
    dice: &mut dyn DiceSource,
    reasons: &mut Vec<Reason>,
) -> (Execution, Vec<Execution>) {
    if ends.len() == 1 {
        return (ends.remove(0), Vec::new());
    }
    let object = heed.and_then(|heed| Some((heed.word, Object::find(table, &heed.object)?)));
    let index = match object {
        Some((word, object)) => {
            let distances: Vec<_> = ends
                .iter()
                .map(|end| measure::distance(ship.size, end.pose, &object))
                .collect();
            let best = best_heeding(word, &distances);
            let index = best[if best.len() > 1 {
                dice.choose(best.len()).min(best.len() - 1)
            } else {
                0
            }];
            reasons.push(Reason {
                rule: aligning(&table.rules).to_owned(),
                text: format!(
                    "Tallon roll aligned {:+} mm: of the ends that complete, {} {}",
                    shifted(&ends[index]),
                    word.name(),
                    object.id()
                ),
                compared: ends
                    .iter()
                    .zip(&distances)
                    .enumerate()
                    .map(|(i, (end, &distance))| Compared {
                        candidate: format!("{:+} mm", shifted(end)),
                        value: Some(distance),
                        unit: "mm".to_owned(),
                        verdict: if i == index { "taken" } else { "left" }.to_owned(),
                    })
                    .collect(),
            });
            index
        }
        // The list has the middle first, if it completes.
        None if ends[0].alignment == Some(movement::Alignment::Middle) => 0,
        // FE-SOLO-7: without the middle what is nearest to it.
        None if table.rules.tallon == Tallon::AnySlide => 0,
        None => dice.choose(ends.len()).min(ends.len() - 1),
    };
    (ends.remove(index), ends)
}

/// How far forward a Tallon roll is set down, mm, as it is written.
fn shifted(end: &Execution) -> f64 {
    thousandths(end.alignment.map_or(0.0, movement::Alignment::shift_mm))
}

/// SA-7: 90 or 180 degrees, whichever points the ship nearer to the centre of the play area.
fn turn_at_edge(table: &Table, stopped: Pose, dice: &mut dyn DiceSource, reasons: &mut Vec<Reason>) -> EdgeTurn {
    const TIE_DEGREES: f64 = 1e-6;
    let bearing = (table.area.centre() - stopped.position).bearing();
    let off_nose = |turn: EdgeTurn| angle::signed(bearing - stopped.heading - turn.degrees()).abs();
    let turns = [
        EdgeTurn::About,
        EdgeTurn::Quarter(Side::Left),
        EdgeTurn::Quarter(Side::Right),
    ];
    let [about, left, right] = turns.map(off_nose);
    let least = about.min(left).min(right);
    let turn = if about <= least + TIE_DEGREES {
        EdgeTurn::About
    } else if (left - right).abs() <= TIE_DEGREES {
        EdgeTurn::Quarter(Side::BOTH[dice.choose(2).min(1)])
    } else if left < right {
        EdgeTurn::Quarter(Side::Left)
    } else {
        EdgeTurn::Quarter(Side::Right)
    };
    reasons.push(Reason {
        rule: "SA-7".to_owned(),
        text: format!(
            "a solo ship never flees: it stops at the edge and turns {} towards the middle of the table; after Check \
             Difficulty it gains 1 {} and 1 stress",
            match turn {
                EdgeTurn::About => "180 degrees",
                EdgeTurn::Quarter(Side::Left) => "90 degrees to the left",
                EdgeTurn::Quarter(Side::Right) => "90 degrees to the right",
            },
            table.rules.edition.words().disarm
        ),
        compared: [("180", about), ("90 left", left), ("90 right", right)]
            .map(|(candidate, value)| Compared {
                candidate: candidate.to_owned(),
                value: Some(value),
                unit: "degrees".to_owned(),
                verdict: "off the nose".to_owned(),
            })
            .to_vec(),
    });
    turn
}
