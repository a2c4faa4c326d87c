//! Steps and answers in the words and units of a table.

use super::{ShipTable, Units};
use crate::{
    bridge::tts,
    dice::{AttackFace, DefenceFace},
    game::{
        answers::{Answer, Outcome},
        round::Faces,
        step::{Movement, Step},
    },
    geometry::{Point, Pose},
    protocol::{
        apply::{ApplyResult, Outcome as WireOutcome, Placement, WireStep},
        lifecycle::Dialect,
        solo::RollResult,
    },
    xwing::{
        maneuver::{Bearing, Side},
        ship::ArcDirection,
    },
};

/// The mount that is turned where a table names none.
const MAIN_MOUNT: &str = "main";

impl ShipTable {
    pub(super) fn placement(&self, pose: Pose) -> Placement {
        match self.units {
            Units::Plain => Placement {
                x: pose.position.x,
                y: pose.position.y,
                facing: pose.heading,
            },
            Units::Tts(frame) => frame.placement(pose),
        }
    }

    /// Of an obstacle: it has no nose, and its heading is the table's own.
    fn lying(&self, pose: Pose) -> Placement {
        Placement {
            facing: pose.heading,
            ..self.placement(pose)
        }
    }

    fn pose(&self, placement: Placement) -> Pose {
        match self.units {
            Units::Plain => Pose::new(placement.x, placement.y, placement.facing),
            Units::Tts(frame) => frame.pose_of(placement),
        }
    }

    /// A line to be drawn. A few digits are enough to look at, and keep the message short.
    fn line(&self, (from, to): (Point, Point)) -> [f64; 4] {
        let ends = match self.units {
            Units::Plain => [from.x, from.y, to.x, to.y],
            Units::Tts(frame) => {
                let ((x1, y1), (x2, y2)) = (frame.world(from), frame.world(to));
                [x1, y1, x2, y2]
            }
        };
        ends.map(|value| (value * 1e3).round() / 1e3)
    }

    /// The step as the table understands it.
    pub(super) fn wire_step(&self, step: &Step) -> WireStep {
        match step {
            Step::Say { ship, text } => WireStep::Say {
                object: ship.as_ref().map(ToString::to_string).unwrap_or_default(),
                text: self.names.speak(text),
            },
            Step::Show { ship, lines } => WireStep::Show {
                object: ship.to_string(),
                lines: lines.iter().map(|line| self.line(*line)).collect(),
            },
            Step::Dial { ship, maneuver } => WireStep::Dial {
                object: ship.to_string(),
                code: match self.dialect {
                    Dialect::Plain | Dialect::Vassal => maneuver.to_string(),
                    Dialect::Tts => tts::moves::dial_code(*maneuver),
                },
            },
            Step::Move {
                ship,
                movement,
                from,
                to,
            } => WireStep::Move {
                object: ship.to_string(),
                code: match self.dialect {
                    Dialect::Plain | Dialect::Vassal => plain_code(*movement),
                    Dialect::Tts => tts::moves::code(*movement),
                },
                from: self.placement(*from),
                to: self.placement(*to),
            },
            Step::Place { ship, from, to } => WireStep::Place {
                object: ship.to_string(),
                from: self.placement(*from),
                to: self.placement(*to),
            },
            Step::Token { ship, token, count } => WireStep::Token {
                object: ship.to_string(),
                token: token.word().to_owned(),
                count: *count,
                side: token.side().to_owned(),
            },
            Step::Lock { ship, target, remove } => WireStep::Lock {
                object: ship.to_string(),
                target: target.to_string(),
                remove: *remove,
            },
            Step::Lay { object, to, .. } => WireStep::Lay {
                object: object.to_string(),
                to: self.lying(*to),
            },
            Step::Remove { ship, back } => WireStep::Remove {
                object: ship.to_string(),
                back: back.map(|pose| self.placement(pose)),
            },
            Step::Turret { ship, arcs } => WireStep::Turret {
                object: ship.to_string(),
                mount: self.mounts.get(&**ship).map_or(MAIN_MOUNT, String::as_str).to_owned(),
                arc: match self.dialect {
                    Dialect::Plain | Dialect::Vassal => plain_arc(arcs),
                    Dialect::Tts => tts::moves::turret_word(arcs),
                }
                .to_owned(),
            },
        }
    }

    /// An answer in mm and degrees. An error is a step that was not done.
    pub(super) fn step_answer(&self, result: Result<ApplyResult, String>) -> Answer {
        let rejected = |reason: String| Answer {
            outcome: Outcome::Rejected,
            reason,
            rev: 0,
            pose: None,
            bumped: false,
            touching: Vec::new(),
        };
        let result = match result {
            Ok(result) => result,
            Err(error) => return rejected(error),
        };
        let pose = result.observed.map(|placement| self.pose(placement));
        let finite =
            |pose: &Pose| pose.position.x.is_finite() && pose.position.y.is_finite() && pose.heading.is_finite();
        if pose.is_some_and(|pose| !finite(&pose)) {
            return rejected("the table reported a position that is not a number".to_owned());
        }
        Answer {
            outcome: match result.outcome {
                WireOutcome::Applied | WireOutcome::Duplicate => Outcome::Done,
                WireOutcome::Partial => Outcome::Partial,
                WireOutcome::Rejected => Outcome::Rejected,
            },
            reason: result.reason,
            rev: result.rev,
            pose,
            bumped: result.bumped,
            touching: result.touching.iter().map(|id| id.as_str().into()).collect(),
        }
    }
}

fn side_word(side: Side) -> &'static str {
    match side {
        Side::Left => "left",
        Side::Right => "right",
    }
}

/// A move in the plain dialect: a dial code (a Tallon roll with its end: `3ER:-10`), `roll:left:10`, `boost:straight`.
fn plain_code(movement: Movement) -> String {
    match movement {
        Movement::Maneuver { maneuver, slide_mm } => match maneuver.bearing {
            Bearing::TallonRoll(_) => format!("{maneuver}:{slide_mm}"),
            _ => maneuver.to_string(),
        },
        Movement::BarrelRoll { side, slide_mm } => format!("roll:{}:{slide_mm}", side_word(side)),
        Movement::Boost { bank } => format!("boost:{}", bank.map_or("straight", side_word)),
    }
}

fn plain_arc(arcs: &[ArcDirection]) -> &'static str {
    match tts::moves::turret_word(arcs) {
        "back" => "rear",
        "frontback" => "frontrear",
        other => other,
    }
}

/// The faces that the table named; those that it names otherwise are left out.
pub(super) fn faces(result: &RollResult) -> Faces {
    Faces {
        attack: result
            .attack
            .iter()
            .filter_map(|word| AttackFace::from_word(word))
            .collect(),
        defence: result
            .defence
            .iter()
            .filter_map(|word| DefenceFace::from_word(word))
            .collect(),
    }
}

/// A roll as players write it: `evade/hit`.
pub(super) fn parse_roll(text: &str) -> Option<(DefenceFace, AttackFace)> {
    let (defence, attack) = text.split_once('/')?;
    Some((DefenceFace::from_word(defence)?, AttackFace::from_word(attack)?))
}
