//! Weapons and the arcs they fire in.

use serde::{Deserialize, Serialize};

/// The arc a weapon's card names. Turrets fire in the standard arc their indicator points at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum WeaponArc {
    /// Standard front arc.
    #[serde(rename = "Front Arc")]
    Front,
    /// Standard rear arc.
    #[serde(rename = "Rear Arc")]
    Rear,
    /// Standard left arc.
    #[serde(rename = "Left Arc")]
    Left,
    /// Standard right arc.
    #[serde(rename = "Right Arc")]
    Right,
    /// The half-plane ahead of the side hashmarks.
    #[serde(rename = "Full Front Arc")]
    FullFront,
    /// The half-plane behind them.
    #[serde(rename = "Full Rear Arc")]
    FullRear,
    /// The 15 mm strip ahead.
    #[serde(rename = "Bullseye Arc")]
    Bullseye,
    /// One standard arc, by the indicator.
    #[serde(rename = "Single Turret Arc")]
    SingleTurret,
    /// Two opposite standard arcs, by the indicator.
    #[serde(rename = "Double Turret Arc")]
    DoubleTurret,
}

/// What an attack's header asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Requirement {
    /// A lock on the defender.
    Lock,
    /// A focus token.
    Focus,
    /// A calculate token.
    Calculate,
}

/// Charges of a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Charges {
    /// Active charges left.
    pub left: u32,
    /// How many the card has.
    pub max: u32,
}

/// One weapon as mounted on a ship of the table.
#[derive(Debug, Clone, PartialEq)]
pub struct Weapon {
    /// The upgrade's xws id, or `primary`.
    pub id: String,
    /// Where it fires.
    pub arc: WeaponArc,
    /// Attack dice.
    pub value: u32,
    /// Smallest range, 0 to 3.
    pub min_range: u32,
    /// Largest range, 0 to 3.
    pub max_range: u32,
    /// `None` for a primary weapon.
    pub special: Option<SpecialWeapon>,
}

/// What only a special weapon has.
#[derive(Debug, Clone, PartialEq)]
pub struct SpecialWeapon {
    /// The upgrade slot (`Torpedo`, `Missile`, `Cannon`, `Turret`, ...).
    pub slot: String,
    /// What the header asks for: any one of these. Empty when it asks for nothing; a few cards offer a choice.
    pub requires: Vec<Requirement>,
    /// Charges, if the card has any.
    pub charges: Option<Charges>,
}
