//! The facts of ships, pilots and upgrades: ids, names and numbers, never a card's text.

use std::{collections::BTreeMap, sync::Arc};

use serde::{Deserialize, Serialize};

use super::notation;
use crate::xwing::{
    action::BarAction,
    maneuver::Dial,
    size::Size,
    weapon::{Requirement, Weapon, WeaponArc},
};

/// A ship type as one or more factions fly it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShipFacts {
    /// xws id, as in `t65xwing`.
    pub xws: String,
    /// The printed name.
    pub name: String,
    /// xws ids of the factions that fly it with these facts. A faction whose facts differ has a record of its own.
    pub factions: Vec<String>,
    /// Base size.
    pub size: Size,
    /// What it can select; empty where the data has no dial (a piece that flies its docked ship's dial).
    #[serde(with = "notation::dial", default)]
    pub dial: Arc<Dial>,
    /// Attack, agility, hull, shields, energy.
    #[serde(default)]
    pub stats: Statline,
    /// The action bar, in the data's order.
    #[serde(with = "notation::actions", default)]
    pub actions: Vec<BarAction>,
    /// xws ids of its pilots of these factions, sorted. Filled in when a table is read, not stored in it.
    #[serde(skip)]
    pub pilots: Vec<String>,
}

/// Attack, agility, hull, shields, energy: of a ship, or of a pilot who has another one than the ship.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Statline {
    /// Primary weapons, all of id `primary` and range 1-3, told apart by their arcs. Empty for an unarmed ship.
    #[serde(with = "notation::primary_weapons", default)]
    pub weapons: Vec<Weapon>,
    /// Agility; `None` where the data does not say (huge ships of the 2.x data).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agility: Option<u32>,
    /// Hull; `None` where the data does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hull: Option<u32>,
    /// Shields; 0 where the data names none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub shields: u32,
    /// Shields that come back each round (huge ships).
    #[serde(default, skip_serializing_if = "is_zero")]
    pub shields_recover: u32,
    /// Energy (huge ships).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub energy: Option<Pool>,
}

/// Charges, Force or energy: how many, and how many come back each round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pool {
    /// How many at most.
    pub value: u32,
    /// How many come back each round; negative where one is lost each round.
    #[serde(default, skip_serializing_if = "is_zero_signed")]
    pub recovers: i32,
}

/// Force charges of a card.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ForceFacts {
    /// How many at most.
    pub value: u32,
    /// How many come back each round.
    #[serde(default, skip_serializing_if = "is_zero_signed")]
    pub recovers: i32,
    /// `dark`, `light`, both, or nothing where the data names none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub side: Vec<String>,
}

/// A pilot.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PilotFacts {
    /// xws id.
    pub xws: String,
    /// The printed name. Several pilots may share one.
    pub name: String,
    /// The line beneath the name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub caption: String,
    /// xws id of the ship type.
    pub ship: String,
    /// xws id of the faction.
    pub faction: String,
    /// Initiative, 7 and 8 for huge ships; pilot skill in the first edition.
    pub initiative: u8,
    /// Initiative at which a huge ship engages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engagement: Option<u8>,
    /// 0 for a generic pilot, else how many may fly at once: 1 for a unique one.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub limited: u32,
    /// Squad points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<i32>,
    /// Points for upgrades (3.x data with separate loadout points).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loadout: Option<i32>,
    /// Upgrade slots, repeated where there are several of a kind.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub slots: Vec<String>,
    /// Keywords.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keywords: Vec<String>,
    /// Charges.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub charges: Option<Pool>,
    /// Force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub force: Option<ForceFacts>,
    /// An action bar in place of the ship's.
    #[serde(
        with = "notation::optional_actions",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub actions: Option<Vec<BarAction>>,
    /// A statline in place of the ship's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stats: Option<Statline>,
    /// Whether the card has no text, where the data tells: then nothing of it is left to the players.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub without_text: bool,
    /// Name of the ship ability on this pilot's card.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub ship_ability: String,
    /// xws ids of the conditions that the card may assign.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<String>,
    /// xws ids of the upgrades that are part of the card.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub standard_loadout: Vec<String>,
    /// Arcs in which special weapons of a slot may be fired besides their own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub slot_arcs: Vec<SlotArc>,
}

impl PilotFacts {
    /// The id that squad builders of the first edition write: several pilots may share it, and this catalog has the ship and
    /// the faction behind it.
    pub fn shared_id(&self) -> &str {
        let without = |text: &'_ str, end: &str| {
            text.strip_suffix(end)
                .and_then(|text| text.strip_suffix('-'))
                .map(str::len)
        };
        let id = self.xws.as_str();
        let length = without(id, &self.faction).unwrap_or(id.len());
        let length = without(&id[..length], &self.ship).unwrap_or(length);
        &id[..length]
    }
}

/// An arc in which the special weapons of a slot may be fired.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlotArc {
    /// The slot.
    pub slot: String,
    /// The arc.
    pub arc: WeaponArc,
}

/// An upgrade card.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UpgradeFacts {
    /// xws id.
    pub xws: String,
    /// The printed name.
    pub name: String,
    /// 0 for no limit, else how many may be in play at once.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub limited: u32,
    /// Points, if it can be bought.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
    /// Who may equip it: every entry must hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub restrictions: Vec<Restriction>,
    /// Whether it comes only as part of a standard loadout.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub standard_loadout_only: bool,
    /// Whether a ship may have only one of it (FE-1.4, `Limited` on cards of the first edition).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub once_per_ship: bool,
    /// Whether its text is an action of its own (`Action:` on cards of the first edition).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub action: bool,
    /// Its sides: one, or two for configurations and dual cards. The first is up at setup.
    pub sides: Vec<SideFacts>,
}

/// Points of an upgrade.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Cost {
    /// The same for every ship.
    Fixed(i32),
    /// Depends on the ship that equips it.
    Variable {
        /// `agility`, `initiative` or `size`.
        by: String,
        /// Points by the value of that property.
        values: BTreeMap<String, i32>,
    },
}

/// One entry of an upgrade's restrictions: any one of the named facts satisfies it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Restriction {
    /// xws ids of factions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub factions: Vec<String>,
    /// xws ids of ship types.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ships: Vec<String>,
    /// Base sizes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sizes: Vec<Size>,
    /// Keywords of the pilot.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keywords: Vec<String>,
    /// The squad includes a card of one of these names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// Names of ship abilities.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ship_abilities: Vec<String>,
    /// Slots of which an upgrade must be equipped.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub equipped: Vec<String>,
    /// Arcs of a primary weapon.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arcs: Vec<WeaponArc>,
    /// Agility values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agility: Vec<u32>,
    /// `dark` or `light`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub force_sides: Vec<String>,
    /// An action on the bar: a name, with a colour before it where only that colour counts (`red Boost`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// Not on a limited pilot.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub non_limited: bool,
    /// Only one card of this kind in a squad.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub solitary: bool,
    /// If one ship of the type has it, all must.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub standardized: bool,
    /// Lowest initiative or pilot skill.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_initiative: Option<u8>,
    /// Shield values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shields: Vec<u32>,
    /// Greatest hull value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_hull: Option<u32>,
    /// Slots that the ship must have, each of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub slots: Vec<String>,
    /// A slot that the ship may not have.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub without_slot: String,
    /// xws ids of upgrades that the ship must have beside this one, each of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<String>,
    /// Slots in which the ship may have unique upgrades only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unique_in: Vec<String>,
}

/// One side of an upgrade card.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SideFacts {
    /// The printed title; empty where it is the upgrade's name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// The slots it takes up; the first one is its type (`Torpedo`, `Talent`, ...).
    pub slots: Vec<String>,
    /// The special weapon on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attack: Option<AttackFacts>,
    /// Charges. A card of the first edition that is discarded when its attack is made or its bomb dropped has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub charges: Option<Pool>,
    /// Force that it adds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub force: Option<ForceFacts>,
    /// What it adds to the ship, as far as the data says so in a form that a program can read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grants: Vec<Grant>,
    /// The device that it drops or launches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<DeviceFacts>,
    /// Name of the ship ability that replaces the ship's.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub ship_ability: String,
    /// xws ids of the conditions that it may assign.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<String>,
}

impl SideFacts {
    /// The card's type: its first slot.
    pub fn kind(&self) -> &str {
        self.slots.first().map_or("", String::as_str)
    }
}

/// When an upgrade's attack may be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AttackMode {
    /// When the ship engages, like any weapon.
    #[default]
    Engage,
    /// Only as a bonus attack, or when something happens.
    Bonus,
    /// It changes the ship's primary weapon.
    Primary,
}

/// The attack of an upgrade.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AttackFacts {
    /// Where it fires.
    pub arc: WeaponArc,
    /// Attack dice; `None` where the data does not say (FE-SOLO-9).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<u32>,
    /// Smallest range.
    pub min_range: u32,
    /// Largest range, up to 5 on huge ships.
    pub max_range: u32,
    /// Whether no range bonus applies.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ordnance: bool,
    /// When it may be made.
    #[serde(default, skip_serializing_if = "is_default")]
    pub mode: AttackMode,
    /// What the header asks for: any one of these; empty when it asks for nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requires: Vec<Requirement>,
    /// Whether what the header asks for is spent by the attack, and not only held (FE-8.3).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub spends: bool,
}

/// Something that an upgrade adds to its ship.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Grant {
    /// An action for the bar.
    Action(#[serde(with = "notation::action")] BarAction),
    /// A change of `hull`, `shields`, `agility`, `energy`, `attack` or `skill` (pilot skill).
    Stat {
        /// Which.
        stat: String,
        /// By how much.
        amount: i32,
        /// For `attack`: of which primary weapon; of all where none is named.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        arc: Option<WeaponArc>,
    },
    /// A slot more or less.
    Slot {
        /// Which.
        slot: String,
        /// How many; [`Grant::ALL_SLOTS`] takes away all that there are.
        amount: i32,
        /// The most that an upgrade in the new slot may cost.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        max_cost: Option<i32>,
    },
    /// One more slot, of these the one that the player picks.
    SlotChoice(Vec<String>),
    /// Upgrades of the ship cost less, but not less than nothing.
    Discount {
        /// The slot of the upgrades; empty for all.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        slot: String,
        /// By how much.
        amount: i32,
    },
    /// Force. Where the side has [`SideFacts::force`] too, that one counts and this only names the sides.
    Force {
        /// How many.
        amount: i32,
        /// `dark` or `light`.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        side: Vec<String>,
    },
    /// A turret indicator.
    Arc(WeaponArc),
}

impl Grant {
    /// More slots than any ship has.
    pub const ALL_SLOTS: i32 = -9;
}

/// What kind of thing a device card puts on the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum DeviceKind {
    /// Goes off at the end of the Activation Phase. In the first edition dropped when the dial is revealed (FE-11.1).
    Bomb,
    /// Goes off when a ship overlaps it. In the first edition dropped as an action (FE-11.1).
    Mine,
    /// Has stats of its own.
    Remote,
    /// Counts as an obstacle.
    Obstacle,
}

/// A device.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeviceFacts {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: DeviceKind,
    /// Initiative of a remote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub initiative: Option<u8>,
    /// Stats of a remote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stats: Option<Statline>,
    /// Charges of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub charges: Option<Pool>,
}

fn is_zero(value: &u32) -> bool {
    *value == 0
}

fn is_zero_signed(value: &i32) -> bool {
    *value == 0
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
