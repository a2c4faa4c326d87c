//! The notations in which a decision is written for programs: dial codes, rule ids, ids of objects.

use serde::Serialize;

use crate::solo_alpha::{
    Activation,
    attack::engage::PlannedAttack,
    device::{DropMoment, OwnDrop},
};

/// One decision: a line of `tallyho decide --jsonl`. `docs/positions.md` describes the fields.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Answer {
    /// The position's id.
    pub id: String,
    /// Whose decision it is.
    pub ship: String,
    /// The tally's id; null for an ionized ship and where there is nothing to be after.
    pub tally: Option<String>,
    /// `bullseye`, `front`, `side` or `rear`; null without a tally.
    pub chart: Option<&'static str>,
    /// Ids of the exceptions of SA-6 that were met, joined by `+`; empty if there were none.
    pub exceptions: String,
    /// The dial code, as in `2FB`.
    pub maneuver: String,
    /// `Defensive`, `Balanced` or `Offensive`.
    pub attitude: &'static str,
    /// Where the ship ends, east, mm.
    pub x: f64,
    /// Where the ship ends, north, mm.
    pub y: f64,
    /// Where it points at the end, degrees clockwise from north.
    pub heading: f64,
    /// How it decloaks before it activates: `forward`, `left:0`, `right:+5`; `none` if every way is blocked (FE-SOLO-12).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decloak: Option<String>,
    /// The device that it drops in its activation, or rolls for and keeps (FE-SOLO-11).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device: Option<Drop>,
    /// Whether the maneuver is fully executed.
    pub full: bool,
    /// Ships that it ends in contact with.
    pub bumped: Vec<String>,
    /// Whether it was stopped at the edge (SA-7).
    pub edge: bool,
    /// Obstacles under the template.
    pub crossed: Vec<String>,
    /// Obstacles whose effect it suffers.
    pub suffered: Vec<String>,
    /// The actions joined by ` > `; `none`, or `lost` with the Perform Action step.
    pub action: String,
    /// SA-9: the attack that it makes when it engages from where the position has it, before any move; null if it makes none.
    pub engage: Option<Attack>,
    /// What of the position was not understood or was filled in.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// The roll for a device.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Drop {
    /// The upgrade's id.
    pub id: String,
    /// Whether it is dropped.
    pub drops: bool,
    /// Whether the drop is the ship's action; else it comes before the move.
    pub action: bool,
    /// The faces rolled, one an enemy near.
    pub rolled: Vec<&'static str>,
}

impl Drop {
    fn new(drop: &OwnDrop) -> Self {
        Drop {
            id: drop.check.device.clone(),
            drops: drop.check.drops,
            action: drop.moment == DropMoment::AsItsAction,
            rolled: drop.check.rolled.iter().map(|face| face.word()).collect(),
        }
    }
}

/// The attack of a decision.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Attack {
    /// The id of a special weapon; a primary one by arc and value, as in `primary:Front Arc:3`.
    pub weapon: String,
    /// The defender's id.
    pub target: String,
    /// Attack range, measured inside the arc.
    pub attack_range: u32,
    /// The distance that the range comes from, mm.
    pub distance: f64,
    /// Whether an obstacle lies in the way.
    pub obstructed: bool,
}

impl Attack {
    fn new(attack: &PlannedAttack) -> Self {
        Attack {
            weapon: attack.weapon_name.clone(),
            target: attack.target.id.to_string(),
            attack_range: attack.target.range,
            distance: rounded(attack.target.distance_mm),
            obstructed: !attack.obstructing.is_empty(),
        }
    }
}

impl Answer {
    /// The answer for an activation of the position with this id, and for the attack that the ship would make as it stands.
    pub fn new(id: &str, activation: &Activation, attack: Option<&PlannedAttack>, warnings: Vec<String>) -> Self {
        let Activation {
            approach, execution, ..
        } = activation;
        let executed = &execution.execution;
        Answer {
            id: id.to_owned(),
            ship: activation.ship.to_string(),
            tally: approach.tally.as_ref().map(|tally| tally.id.to_string()),
            chart: approach.chart.map(|chart| chart.name()),
            exceptions: approach.exception_ids(),
            maneuver: approach.maneuver.to_string(),
            attitude: approach.attitude.name(),
            x: rounded(execution.pose.position.x),
            y: rounded(execution.pose.position.y),
            heading: rounded(execution.pose.heading),
            decloak: None,
            device: activation.drop.as_ref().map(Drop::new),
            full: executed.full,
            bumped: texts(&executed.bumped),
            edge: executed.edge,
            crossed: texts(&executed.crossed),
            suffered: texts(&executed.suffered),
            action: activation.action.to_string(),
            engage: attack.map(Attack::new),
            warnings,
        }
    }
}

fn texts(ids: &[crate::xwing::ObjectId]) -> Vec<String> {
    ids.iter().map(|id| id.to_string()).collect()
}

/// To a nanometre: what is beyond is noise of the arithmetic.
fn rounded(value: f64) -> f64 {
    let rounded = (value * 1.0e6).round() / 1.0e6;
    // Not -0.0, which JSON would show.
    rounded + 0.0
}
