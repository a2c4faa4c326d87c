//! Weapons and the arcs they fire in.

use serde::{Deserialize, Serialize};

use super::{
    ObjectId,
    edition::{RangeBonus, Rules},
};

/// The arc a weapon's card names. Turrets of the second edition and mobile arcs of the first fire in the standard arc that
/// their indicator points at; turret weapons of the first edition fire all round (FE-0.4).
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
    /// One standard arc, by the indicator. In the first edition the mobile arc: one of the four sectors between the
    /// diagonals (FE-0.4).
    #[serde(rename = "Single Turret Arc")]
    SingleTurret,
    /// Two opposite standard arcs, by the indicator.
    #[serde(rename = "Double Turret Arc")]
    DoubleTurret,
    /// Everywhere around the base.
    #[serde(rename = "All Round")]
    AllRound,
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
    /// Smallest range, 0 to 3, on a huge ship of the first edition to 5 (FE-0.3).
    pub min_range: u32,
    /// Largest range, 0 to 3, on a huge ship of the first edition to 5 (FE-0.3).
    pub max_range: u32,
    /// `None` for a primary weapon.
    pub special: Option<SpecialWeapon>,
}

impl Weapon {
    /// Whether range 1 gives an attack die and range 3 a defence die.
    pub fn has_range_bonus(&self, rules: &Rules) -> bool {
        self.special.as_ref().is_none_or(|special| match rules.range_bonus {
            RangeBonus::AllButOrdnance => !special.ordnance,
            RangeBonus::PrimariesOnly => false, // FE-8.5
        })
    }

    /// Whether a ship with so many disarm tokens may fire it.
    pub fn fires_disarmed(&self, tokens: u32) -> bool {
        let special = self.special.as_ref();
        match special.map(|special| special.permits.disarmed).unwrap_or_default() {
            WhileDisarmed::Never => tokens == 0,
            WhileDisarmed::Always => true,
            WhileDisarmed::OneToken | WhileDisarmed::OneTokenAtLocked => tokens <= 1,
        }
    }

    /// The charges of a torpedo or a missile whose card is discarded, or has lost some (FE-6.10); `None` for other weapons.
    pub fn discarded(&mut self) -> Option<&mut Charges> {
        let ordnance = |special: &&mut SpecialWeapon| matches!(special.slot.as_str(), "Torpedo" | "Missile");
        let charges = self.special.as_mut().filter(ordnance)?.charges.as_mut();
        charges.filter(|charges| charges.left < charges.max)
    }

    /// Whether it is a torpedo or a missile whose card is discarded, or has lost some charges (FE-6.10).
    pub fn is_discarded(&self) -> bool {
        let special = self.special.as_ref();
        special.is_some_and(|special| {
            matches!(special.slot.as_str(), "Torpedo" | "Missile")
                && special.charges.is_some_and(|charges| charges.left < charges.max)
        })
    }

    /// The weapon as if no card let anybody ignore what its header asks for.
    #[must_use]
    pub fn without_waivers(&self) -> Weapon {
        let mut weapon = self.clone();
        if let Some(special) = &mut weapon.special {
            special.permits.waived.clear();
        }
        weapon
    }

    /// The weapon as if an attack with it cost no charges.
    #[must_use]
    pub fn without_charges(&self) -> Weapon {
        let mut weapon = self.clone();
        if let Some(special) = &mut weapon.special {
            special.charges = None;
        }
        weapon
    }

    /// The weapon as if its header asked for nothing.
    #[must_use]
    pub fn without_requirement(&self) -> Weapon {
        let mut weapon = self.clone();
        if let Some(special) = &mut weapon.special {
            special.requires.clear();
        }
        weapon
    }

    /// Whether its charges, if its card has any, allow another attack.
    pub fn has_charge(&self) -> bool {
        let charges = self.special.as_ref().and_then(|special| special.charges);
        let more = self.special.as_ref().map_or(0, |special| special.permits.more_charges);
        charges.is_none_or(|charges| charges.max == 0 || charges.left > more)
    }

    /// Whether the header asks for a lock on the defender, or accepts one among others.
    pub fn asks_for_lock(&self) -> bool {
        let special = self.special.as_ref();
        special.is_some_and(|special| special.requires.contains(&Requirement::Lock))
    }
}

/// What only a special weapon has.
#[derive(Debug, Clone, PartialEq)]
pub struct SpecialWeapon {
    /// The upgrade slot (`Torpedo`, `Missile`, `Cannon`, `Turret`, ...).
    pub slot: String,
    /// What the header asks for: any one of these. Empty when it asks for nothing; a few cards offer a choice.
    pub requires: Vec<Requirement>,
    /// Whether an attack spends what the header asks for (FE-8.3).
    pub spends: bool,
    /// Whether it is ordnance, which has no range bonus on either side.
    pub ordnance: bool,
    /// Charges, if the card has any.
    pub charges: Option<Charges>,
    /// What cards change about firing it.
    pub permits: Permits,
}

/// What cards change about how a special weapon may be fired.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Permits {
    /// Other arcs that it may be fired in.
    pub also: Vec<OtherArc>,
    /// Ships against which its header asks for nothing now.
    pub waived: Vec<ObjectId>,
    /// Whether a disarmed ship may fire it.
    pub disarmed: WhileDisarmed,
    /// Charges that an attack costs beyond the first.
    pub more_charges: u32,
    /// Whether the cards of its ship have taken hold of it.
    pub in_force: bool,
}

/// Another arc of a weapon, with its ranges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OtherArc {
    /// The arc.
    pub arc: WeaponArc,
    /// Smallest range.
    pub min_range: u32,
    /// Largest range.
    pub max_range: u32,
}

/// Whether a disarmed ship may fire a weapon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WhileDisarmed {
    /// It may not.
    #[default]
    Never,
    /// It may.
    Always,
    /// It may while it has exactly one disarm token.
    OneToken,
    /// The same, at targets that it has locked.
    OneTokenAtLocked,
}
