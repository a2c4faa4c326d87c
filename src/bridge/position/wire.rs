//! The position format as it is written: field for field what `docs/positions.md` describes.

use serde::{Deserialize, Serialize};

use crate::{
    dice::{AttackFace, DefenceFace},
    xwing::{
        action::{ActionKind, BarAction, ColoredAction},
        maneuver::Difficulty,
        obstacle::ObstacleKind,
        ship::{ArcDirection, Status, Tokens},
        size::Size,
        weapon::{Requirement, WeaponArc},
    },
};

/// One position.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Position {
    /// Names the position in answers.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// The play area, mm; 3 feet square where it is left out.
    #[serde(default)]
    pub area: Area,
    /// The ship to decide for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub active: Option<String>,
    /// The dice of SA-3.3; what is left out is rolled.
    #[serde(default, skip_serializing_if = "Roll::is_empty")]
    pub roll: Roll,
    /// The object that is the tally whatever else is there (SA-3.1).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forced_tally: Option<String>,
    /// All ships.
    #[serde(default)]
    pub ships: Vec<Ship>,
    /// All obstacles.
    #[serde(default)]
    pub obstacles: Vec<Obstacle>,
    /// Named points.
    #[serde(default)]
    pub points: Vec<Marker>,
    /// Free words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
}

/// The play area, mm.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Area {
    /// East-west.
    pub w: f64,
    /// South-north.
    pub h: f64,
}

impl Default for Area {
    fn default() -> Self {
        Area { w: 914.4, h: 914.4 }
    }
}

/// The two dice of SA-3.3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Roll {
    /// The defence die.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub defence: Option<DefenceFace>,
    /// The attack die.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attack: Option<AttackFace>,
}

impl Roll {
    /// Whether both dice are still to be rolled.
    pub fn is_empty(&self) -> bool {
        *self == Roll::default()
    }
}

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
    /// Base size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<Size>,
    /// Centre of the base, east, mm.
    pub x: f64,
    /// Centre of the base, north, mm.
    pub y: f64,
    /// Degrees clockwise from north.
    pub heading: f64,
    /// 0 to 6; 7 and more by cards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
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
            _ => return None,
        })
    }
}

/// A special weapon. What is left out comes from the catalog's upgrade of that id.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Special {
    /// The upgrade's xws id.
    pub id: String,
    /// Where it fires.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arc: Option<WeaponArc>,
    /// Attack dice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<u32>,
    /// Smallest range.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<u32>,
    /// Largest range.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<u32>,
    /// The header: absent means "as the catalog says", null means that it asks for nothing.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub requires: Option<Header>,
    /// Active charges left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub charges: Option<u32>,
    /// Charges that the card has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_charges: Option<u32>,
    /// Upgrade slot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slot: Option<String>,
}

/// What an attack's header asks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Header {
    /// Nothing (null).
    Nothing,
    /// One thing.
    One(Requirement),
    /// Any one of these.
    AnyOf(Vec<Requirement>),
}

impl From<Header> for Vec<Requirement> {
    fn from(header: Header) -> Self {
        match header {
            Header::Nothing => Vec::new(),
            Header::One(requirement) => vec![requirement],
            Header::AnyOf(requirements) => requirements,
        }
    }
}

impl From<Vec<Requirement>> for Header {
    fn from(requirements: Vec<Requirement>) -> Self {
        match requirements[..] {
            [] => Header::Nothing,
            [one] => Header::One(one),
            _ => Header::AnyOf(requirements),
        }
    }
}

/// Tells a field that is null from one that is absent.
fn present<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: serde::Deserializer<'de>,
    T: Deserialize<'de>,
{
    T::deserialize(deserializer).map(Some)
}

/// A bomb or a mine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Device {
    /// The upgrade's xws id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Upgrade slot; `Device` where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slot: Option<String>,
    /// Active charges left.
    pub charges: u32,
    /// Charges that the card has.
    pub max_charges: u32,
}

/// A primary weapon that replaces the ship type's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Primary {
    /// Where it fires.
    pub arc: WeaponArc,
    /// Attack dice.
    pub value: u32,
    /// Smallest range; 1 where it is left out.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub min: u32,
    /// Largest range; 3 where it is left out.
    #[serde(default = "three", skip_serializing_if = "is_three")]
    pub max: u32,
}

fn one() -> u32 {
    1
}

fn three() -> u32 {
    3
}

fn is_one(range: &u32) -> bool {
    *range == 1
}

fn is_three(range: &u32) -> bool {
    *range == 3
}

/// An action that replaces one of the ship type's, in the words of the ship data; the name alone means a white action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Action {
    /// A white action.
    Name(ActionKind),
    /// With its colour, and what it is linked to.
    Full {
        /// Which action.
        #[serde(rename = "type")]
        kind: ActionKind,
        /// Its colour.
        #[serde(default)]
        difficulty: Colour,
        /// The action that may follow at once.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        linked: Option<Linked>,
    },
}

/// The second half of a linked action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Linked {
    /// Which action.
    #[serde(rename = "type")]
    pub kind: ActionKind,
    /// Its colour.
    #[serde(default)]
    pub difficulty: Colour,
}

/// A colour as the ship data capitalises it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the colours of `Difficulty`")]
pub enum Colour {
    #[serde(alias = "blue")]
    Blue,
    #[default]
    #[serde(alias = "white")]
    White,
    #[serde(alias = "red")]
    Red,
    #[serde(alias = "purple")]
    Purple,
}

impl From<Colour> for Difficulty {
    fn from(colour: Colour) -> Self {
        match colour {
            Colour::Blue => Difficulty::Blue,
            Colour::White => Difficulty::White,
            Colour::Red => Difficulty::Red,
            Colour::Purple => Difficulty::Purple,
        }
    }
}

impl From<Difficulty> for Colour {
    fn from(difficulty: Difficulty) -> Self {
        match difficulty {
            Difficulty::Blue => Colour::Blue,
            Difficulty::White => Colour::White,
            Difficulty::Red => Colour::Red,
            Difficulty::Purple => Colour::Purple,
        }
    }
}

impl From<Action> for BarAction {
    fn from(action: Action) -> Self {
        let (kind, difficulty, linked) = match action {
            Action::Name(kind) => (kind, Colour::White, None),
            Action::Full {
                kind,
                difficulty,
                linked,
            } => (kind, difficulty, linked),
        };
        BarAction {
            action: ColoredAction {
                kind,
                difficulty: difficulty.into(),
            },
            linked: linked.map(|linked| ColoredAction {
                kind: linked.kind,
                difficulty: linked.difficulty.into(),
            }),
        }
    }
}

impl From<BarAction> for Action {
    fn from(bar: BarAction) -> Self {
        Action::Full {
            kind: bar.action.kind,
            difficulty: bar.action.difficulty.into(),
            linked: bar.linked.map(|linked| Linked {
                kind: linked.kind,
                difficulty: linked.difficulty.into(),
            }),
        }
    }
}

/// An obstacle: `points`, or a known `shape` placed at `x`, `y` and turned to `heading`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Obstacle {
    /// Unique among all objects.
    pub id: String,
    /// What it is.
    pub kind: ObstacleKind,
    /// Its outline on the table, mm.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<[f64; 2]>,
    /// The id of a known outline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shape: Option<String>,
    /// Where the outline's origin lies, east, mm.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub x: Option<f64>,
    /// Where the outline's origin lies, north, mm.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub y: Option<f64>,
    /// How far it is turned, degrees clockwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heading: Option<f64>,
}

/// A named point.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Marker {
    /// Unique among all objects.
    pub id: String,
    /// East, mm.
    pub x: f64,
    /// North, mm.
    pub y: f64,
}

/// The field names of each object, for the remedy of a misspelt one.
pub const FIELDS: &[&str] = &[
    "id",
    "area",
    "active",
    "roll",
    "forced_tally",
    "ships",
    "obstacles",
    "points",
    "tags",
    "w",
    "h",
    "defence",
    "attack",
    "name",
    "side",
    "ship",
    "pilot",
    "size",
    "x",
    "y",
    "heading",
    "initiative",
    "tokens",
    "status",
    "turret",
    "special",
    "device",
    "done",
    "bumped",
    "dial",
    "weapons",
    "actions",
    "stress",
    "ion",
    "focus",
    "evade",
    "calculate",
    "disarm",
    "reinforce",
    "force",
    "strain",
    "deplete",
    "tractor",
    "jam",
    "cloak",
    "lock",
    "arc",
    "value",
    "min",
    "max",
    "requires",
    "charges",
    "max_charges",
    "slot",
    "type",
    "difficulty",
    "linked",
    "kind",
    "shape",
];
