//! Ships and their tokens, as written.

use serde::{Deserialize, Serialize};

use super::{Action, Device, Primary, Special};
use crate::xwing::{
    action::ActionKind,
    ship::{ArcDirection, Status, Tokens},
    size::Size,
};

/// One ship. What is left out comes from the catalog.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Ship {
    /// Unique among all objects.
    pub id: String,
    /// What the players call it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Ships of different sides are enemies.
    pub side: String,
    /// xws id of the ship type.
    pub ship: String,
    /// xws id of the pilot: initiative and the pilot's own statline and actions follow from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pilot: Option<String>,
    /// xws ids, or names, of its upgrades: what they add to weapons, actions and device follows from them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub upgrades: Vec<String>,
    /// Base size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<Size>,
    /// Centre of the base, east, mm.
    pub x: f64,
    /// Centre of the base, north, mm.
    pub y: f64,
    /// Degrees clockwise from north.
    pub heading: f64,
    /// 0 to 6, 7 and more by cards; in the first edition pilot skill, 0 to 9.
    #[serde(default, alias = "skill", skip_serializing_if = "Option::is_none")]
    pub initiative: Option<u8>,
    /// Tokens beside it, and what it has locked.
    #[serde(default, skip_serializing_if = "TokenPile::is_empty")]
    pub tokens: TokenPile,
    /// Whether it is on the table.
    #[serde(default, skip_serializing_if = "is_in_play")]
    pub status: Status,
    /// Where its turret indicator points.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub turret: Vec<ArcDirection>,
    /// Special weapons.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub special: Vec<Special>,
    /// A bomb or a mine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<Device>,
    /// Actions performed this round.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub done: Vec<ActionKind>,
    /// Ships that the table's own bump left a guide's width away: range 0 (SA-0).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bumped: Vec<String>,
    /// Dial codes instead of the ship type's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dial: Option<Vec<String>>,
    /// Primary weapons instead of the ship type's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weapons: Option<Vec<Primary>>,
    /// Action bar instead of the ship type's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actions: Option<Vec<Action>>,
}

fn is_in_play(status: &Status) -> bool {
    *status == Status::InPlay
}

/// Tokens beside a ship, its locks among them.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
#[allow(
    missing_docs,
    reason = "each field is the token of that name; `Tokens` describes them"
)]
pub struct TokenPile {
    #[serde(skip_serializing_if = "is_zero")]
    pub stress: u32,
    #[serde(skip_serializing_if = "is_zero")]
    pub ion: u32,
    #[serde(skip_serializing_if = "is_zero")]
    pub focus: u32,
    #[serde(skip_serializing_if = "is_zero")]
    pub evade: u32,
    #[serde(skip_serializing_if = "is_zero")]
    pub calculate: u32,
    #[serde(skip_serializing_if = "is_zero")]
    pub disarm: u32,
    #[serde(skip_serializing_if = "is_zero")]
    pub reinforce: u32,
    #[serde(skip_serializing_if = "is_zero")]
    pub force: u32,
    #[serde(skip_serializing_if = "is_zero")]
    pub strain: u32,
    #[serde(skip_serializing_if = "is_zero")]
    pub deplete: u32,
    #[serde(skip_serializing_if = "is_zero")]
    pub tractor: u32,
    #[serde(skip_serializing_if = "is_zero")]
    pub jam: u32,
    #[serde(skip_serializing_if = "is_zero")]
    pub cloak: u32,
    #[serde(skip_serializing_if = "is_zero")]
    pub energy: u32,
    /// Ids of the objects that it has locked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lock: Vec<String>,
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

impl TokenPile {
    /// Whether nothing lies beside the ship.
    pub fn is_empty(&self) -> bool {
        *self == TokenPile::default()
    }

    /// The tokens with these locks.
    pub fn of(tokens: Tokens, lock: Vec<String>) -> Self {
        let Tokens {
            stress,
            ion,
            focus,
            evade,
            calculate,
            disarm,
            reinforce,
            force,
            strain,
            deplete,
            tractor,
            jam,
            cloak,
            energy,
        } = tokens;
        TokenPile {
            stress,
            ion,
            focus,
            evade,
            calculate,
            disarm,
            reinforce,
            force,
            strain,
            deplete,
            tractor,
            jam,
            cloak,
            energy,
            lock,
        }
    }

    /// The counted tokens, without the locks.
    pub fn counts(&self) -> Tokens {
        Tokens {
            stress: self.stress,
            ion: self.ion,
            focus: self.focus,
            evade: self.evade,
            calculate: self.calculate,
            disarm: self.disarm,
            reinforce: self.reinforce,
            force: self.force,
            strain: self.strain,
            deplete: self.deplete,
            tractor: self.tractor,
            jam: self.jam,
            cloak: self.cloak,
            energy: self.energy,
        }
    }

    /// The counter of that name, to be changed.
    pub fn count_mut(&mut self, name: &str) -> Option<&mut u32> {
        Some(match name {
            "stress" => &mut self.stress,
            "ion" => &mut self.ion,
            "focus" => &mut self.focus,
            "evade" => &mut self.evade,
            "calculate" => &mut self.calculate,
            "disarm" => &mut self.disarm,
            "reinforce" => &mut self.reinforce,
            "force" => &mut self.force,
            "strain" => &mut self.strain,
            "deplete" => &mut self.deplete,
            "tractor" => &mut self.tractor,
            "jam" => &mut self.jam,
            "cloak" => &mut self.cloak,
            "energy" => &mut self.energy,
            _ => return None,
        })
    }
}
