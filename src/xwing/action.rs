//! Actions and action bars.

use serde::{Deserialize, Serialize};

use super::{
    ObjectId,
    maneuver::{Difficulty, Maneuver, Side},
    movement::Alignment,
    reposition::BoostTemplate,
    ship::ArcDirection,
};

/// The actions of both editions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ActionKind {
    /// A focus token.
    Focus,
    /// A calculate token.
    Calculate,
    /// An evade token.
    Evade,
    /// A lock on an object.
    Lock,
    /// Sideways.
    #[serde(rename = "Barrel Roll")]
    BarrelRoll,
    /// A short move more.
    Boost,
    /// A second maneuver at the same speed, for a disarm token.
    #[serde(rename = "SLAM")]
    Slam,
    /// Points a turret elsewhere.
    #[serde(rename = "Rotate Arc")]
    RotateArc,
    /// A reinforce token, fore or aft.
    Reinforce,
    /// Regains a charge of a torpedo, missile or device, for a disarm token.
    Reload,
    /// Gives a friendly ship an action.
    Coordinate,
    /// Gives an enemy a jam token.
    Jam,
    /// A cloak token.
    Cloak,
    /// The energy tokens of a huge ship become shields (FE-6.8); the first edition's alone.
    Recover,
}

impl ActionKind {
    /// All of them.
    pub const ALL: [ActionKind; 14] = [
        ActionKind::Focus,
        ActionKind::Calculate,
        ActionKind::Evade,
        ActionKind::Lock,
        ActionKind::BarrelRoll,
        ActionKind::Boost,
        ActionKind::Slam,
        ActionKind::RotateArc,
        ActionKind::Reinforce,
        ActionKind::Reload,
        ActionKind::Coordinate,
        ActionKind::Jam,
        ActionKind::Cloak,
        ActionKind::Recover,
    ];

    /// The action's name as the ship data writes it.
    pub const fn name(self) -> &'static str {
        match self {
            ActionKind::Focus => "Focus",
            ActionKind::Calculate => "Calculate",
            ActionKind::Evade => "Evade",
            ActionKind::Lock => "Lock",
            ActionKind::BarrelRoll => "Barrel Roll",
            ActionKind::Boost => "Boost",
            ActionKind::Slam => "SLAM",
            ActionKind::RotateArc => "Rotate Arc",
            ActionKind::Reinforce => "Reinforce",
            ActionKind::Reload => "Reload",
            ActionKind::Coordinate => "Coordinate",
            ActionKind::Jam => "Jam",
            ActionKind::Cloak => "Cloak",
            ActionKind::Recover => "Recover",
        }
    }
}

/// An action with its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ColoredAction {
    /// Which action.
    pub kind: ActionKind,
    /// Its colour.
    pub difficulty: Difficulty,
}

/// One entry of an action bar: an action, and the action it may be linked to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BarAction {
    /// The action.
    pub action: ColoredAction,
    /// The action that may follow it at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub linked: Option<ColoredAction>,
}

/// The full arc that a reinforce token covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FullArc {
    /// The full front arc.
    Fore,
    /// The full rear arc.
    Aft,
}

impl FullArc {
    /// The arc of the base.
    pub const fn arc(self) -> super::arc::Arc {
        match self {
            FullArc::Fore => super::arc::Arc::FullFront,
            FullArc::Aft => super::arc::Arc::FullRear,
        }
    }
}

/// How exactly an action is to be carried out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ActionDetail {
    /// A token; nothing to say.
    Token,
    /// A barrel roll.
    BarrelRoll {
        /// To which side.
        side: Side,
        /// How far forward of the middle it ends, mm.
        slide_mm: f64,
    },
    /// A boost.
    Boost(BoostTemplate),
    /// A SLAM.
    Slam {
        /// The maneuver, at the speed just flown.
        maneuver: Maneuver,
        /// Where a Tallon roll ends; means nothing for other bearings.
        #[serde(default)]
        alignment: Alignment,
    },
    /// A turret indicator's new direction; two for a double turret.
    RotateArc(Vec<ArcDirection>),
    /// A lock on this object.
    Lock(ObjectId),
    /// A jam token for this ship.
    Jam(ObjectId),
    /// An action for this ship.
    Coordinate(ObjectId),
    /// A reinforce token on this side.
    Reinforce(FullArc),
    /// A charge for this upgrade.
    Reload(String),
}
