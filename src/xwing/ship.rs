//! A ship on the table, its facts already resolved from the catalog.

use std::{borrow::Cow, sync::Arc};

use serde::{Deserialize, Serialize};

mod standing;

pub use standing::{RedWhileStressed, Standing, TurnBoost};

use super::{
    ObjectId,
    action::{ActionKind, BarAction},
    edition::Edition,
    maneuver::Dial,
    obstacle::ObstacleKind,
    size::Size,
    touching::Touch,
    weapon::{Charges, Weapon, WeaponArc},
};
use crate::geometry::Pose;

/// Whether a ship takes part. Only `InPlay` ships are on the table (SA-0).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// On the table.
    #[default]
    InPlay,
    /// On its carrier.
    Docked,
    /// Waiting to be placed.
    Reserved,
    /// Shot down.
    Destroyed,
    /// Taken away, fled included.
    Removed,
}

/// A standard arc, as a turret indicator points at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ArcDirection {
    /// Ahead.
    Front,
    /// Astern.
    Rear,
    /// To port.
    Left,
    /// To starboard.
    Right,
}

impl ArcDirection {
    /// The direction in a word.
    pub const fn name(self) -> &'static str {
        match self {
            ArcDirection::Front => "front",
            ArcDirection::Rear => "rear",
            ArcDirection::Left => "left",
            ArcDirection::Right => "right",
        }
    }

    /// The standard arc that an indicator points at.
    pub const fn arc(self) -> super::arc::Arc {
        match self {
            ArcDirection::Front => super::arc::Arc::Front,
            ArcDirection::Rear => super::arc::Arc::Rear,
            ArcDirection::Left => super::arc::Arc::Left,
            ArcDirection::Right => super::arc::Arc::Right,
        }
    }
}

/// Counts of tokens beside a ship.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Tokens {
    /// Stress.
    pub stress: u32,
    /// Ion.
    pub ion: u32,
    /// Focus.
    pub focus: u32,
    /// Evade.
    pub evade: u32,
    /// Calculate.
    pub calculate: u32,
    /// Disarm.
    pub disarm: u32,
    /// Reinforce, fore and aft together.
    pub reinforce: u32,
    /// Active Force charges.
    pub force: u32,
    /// Strain.
    pub strain: u32,
    /// Deplete.
    pub deplete: u32,
    /// Tractor.
    pub tractor: u32,
    /// Jam.
    pub jam: u32,
    /// Cloak.
    pub cloak: u32,
    /// Energy of a huge ship (FE-6.8).
    #[serde(skip_serializing_if = "is_nothing")]
    pub energy: u32,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the form that serde asks for")]
const fn is_nothing(count: &u32) -> bool {
    *count == 0
}

impl Tokens {
    /// Each kind of token by name, with its count.
    pub const fn named(&self) -> [(&'static str, u32); 14] {
        [
            ("stress", self.stress),
            ("ion", self.ion),
            ("focus", self.focus),
            ("evade", self.evade),
            ("calculate", self.calculate),
            ("disarm", self.disarm),
            ("reinforce", self.reinforce),
            ("force", self.force),
            ("strain", self.strain),
            ("deplete", self.deplete),
            ("tractor", self.tractor),
            ("jam", self.jam),
            ("cloak", self.cloak),
            ("energy", self.energy),
        ]
    }
}

/// A device upgrade (bomb or mine).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Device {
    /// The upgrade's xws id where known.
    pub id: String,
    /// Its charges.
    pub charges: Charges,
}

/// A ship on the table with everything the rules ask about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Ship {
    /// The table's id.
    pub id: ObjectId,
    /// What the players call it.
    pub name: String,
    /// Who flies it; two ships of different sides are enemies.
    pub side: String,
    /// The edition that its cards and its base are printed for.
    pub edition: Edition,
    /// xws id of the ship type.
    pub chassis: String,
    /// Base size.
    pub size: Size,
    /// Centre of the base and heading.
    pub pose: Pose,
    /// Initiative, 0 to 6 (7 and more by cards).
    pub initiative: u8,
    /// Whether it is on the table.
    pub status: Status,
    /// Tokens beside it.
    pub tokens: Tokens,
    /// Ids of the objects that it has locked.
    pub locks: Vec<ObjectId>,
    /// Where its turret indicator points (two entries for a double turret).
    pub turret: Vec<ArcDirection>,
    /// The only directions that a card lets its turret indicator point in; empty when it may point anywhere.
    pub turret_limit: Vec<ArcDirection>,
    /// Obstacles that a card lets it ignore while it moves.
    pub ignored_obstacles: Vec<ObstacleKind>,
    /// Whether a card lets it attack while it is on an obstacle.
    pub fires_on_obstacles: bool,
    /// Whether a card opens it to primary attacks at range 0.
    pub open_at_range_0: bool,
    /// What cards change about how it acts and flies.
    pub standing: Standing,
    /// What it can select.
    pub dial: Arc<Dial>,
    /// Primary weapons, then special weapons.
    pub weapons: Vec<Weapon>,
    /// Its action bar.
    pub actions: Vec<BarAction>,
    /// Its device, if any; of several bomb cards the one at hand, which solo ships go by (FE-11.1).
    pub device: Option<Device>,
    /// Its other bomb cards, in the order in which it carries them.
    pub other_devices: Vec<Device>,
    /// Actions that it has performed this round; none may be performed twice.
    pub performed: Vec<ActionKind>,
    /// Ships that a table's own bump left a guide's width away: in contact until one of the pair moves (SA-0), and touching
    /// where the rules know that state (FE-4.7).
    pub bumped: Vec<ObjectId>,
    /// Ships that it touches since one of the pair overlapped the other (FE-4.7), in id order.
    pub touching: Vec<Touch>,
}

impl Ship {
    /// A ship in play of which nothing is known but its base and whose it is: initiative 1, no dial, no weapons, no actions, no
    /// tokens.
    pub fn bare(id: ObjectId, side: &str, edition: Edition, size: Size, pose: Pose) -> Ship {
        Ship {
            id,
            name: String::new(),
            side: side.to_owned(),
            edition,
            chassis: String::new(),
            size,
            pose,
            initiative: 1,
            status: Status::InPlay,
            tokens: Tokens::default(),
            locks: Vec::new(),
            turret: Vec::new(),
            turret_limit: Vec::new(),
            ignored_obstacles: Vec::new(),
            fires_on_obstacles: false,
            open_at_range_0: false,
            standing: Standing::default(),
            dial: Arc::default(),
            weapons: Vec::new(),
            actions: Vec::new(),
            device: None,
            other_devices: Vec::new(),
            performed: Vec::new(),
            bumped: Vec::new(),
            touching: Vec::new(),
        }
    }

    /// Its devices, the one at hand first.
    pub fn devices(&self) -> impl Iterator<Item = &Device> {
        self.device.iter().chain(&self.other_devices)
    }

    /// Its devices, to be changed.
    pub fn devices_mut(&mut self) -> impl Iterator<Item = &mut Device> {
        self.device.iter_mut().chain(&mut self.other_devices)
    }

    /// Takes the device of that id to hand; the one that was at hand comes into its place. Nothing happens if the ship has
    /// none of that id.
    pub fn take_device(&mut self, id: &str) {
        if let Some(place) = self.other_devices.iter().position(|device| device.id == id)
            && let Some(at_hand) = &mut self.device
        {
            std::mem::swap(at_hand, &mut self.other_devices[place]);
        }
    }

    /// The ship with the device of that id at hand.
    pub fn holding(&self, id: &str) -> Cow<'_, Ship> {
        let mut ship = Cow::Borrowed(self);
        if self.device.as_ref().is_some_and(|device| device.id != id) {
            ship.to_mut().take_device(id);
        }
        ship
    }

    /// Whether it is on the table (SA-0).
    pub fn in_play(&self) -> bool {
        self.status == Status::InPlay
    }

    /// Whether the other ship is an enemy (SA-0).
    pub fn is_enemy_of(&self, other: &Ship) -> bool {
        self.side != other.side
    }

    /// Whether it has any stress token.
    pub fn is_stressed(&self) -> bool {
        self.tokens.stress > 0
    }

    /// Every way in which its turret indicator may be turned from where it points: one direction, or two for a double turret.
    pub fn turret_turns(&self) -> impl Iterator<Item = &'static [ArcDirection]> {
        use ArcDirection::{Front, Left, Rear, Right};
        let has = |arc| self.weapons.iter().any(|weapon| weapon.arc == arc);
        let double = has(WeaponArc::DoubleTurret);
        let directions: &[&[ArcDirection]] = match (has(WeaponArc::SingleTurret), double) {
            (_, true) => &[&[Front, Rear], &[Left, Right]],
            (true, false) => &[&[Front], &[Rear], &[Left], &[Right]],
            (false, false) => &[],
        };
        directions.iter().copied().filter(move |arcs| {
            let pointed = |arc: &ArcDirection| self.turret.contains(arc);
            // It must point elsewhere. A double turret may be told by one of its two directions.
            let here = (double && arcs.iter().any(pointed)) || arcs.iter().all(pointed);
            !here && self.may_point(arcs)
        })
    }

    /// Whether cards let its turret indicator point there.
    pub fn may_point(&self, arcs: &[ArcDirection]) -> bool {
        self.turret_limit.is_empty() || arcs.iter().all(|arc| self.turret_limit.contains(arc))
    }

    /// Ion tokens that ionize it (SA-6.1, FE-7.2).
    pub fn ion_limit(&self) -> u32 {
        self.edition.rules().ion_limit(self.size)
    }

    /// SA-6.1: 1, 2, 3 ion tokens on a small, medium, large base.
    pub fn is_ionized(&self) -> bool {
        self.tokens.ion >= self.ion_limit()
    }
}
