//! Actions and action bars.

use serde::{Deserialize, Serialize};

use super::maneuver::Difficulty;

/// The actions of the second edition.
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
}

impl ActionKind {
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
