//! The parts of a scenario file: its words, each with what it means.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{geometry::Point, xwing::table::PlayArea};

/// Size of the play area, mm.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Area {
    /// East-west, mm.
    pub width_mm: f64,
    /// South-north, mm.
    pub height_mm: f64,
}

/// An edge of the play area.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Edge {
    /// y = 0.
    South,
    /// y = height.
    North,
    /// x = 0.
    West,
    /// x = width.
    East,
}

impl Edge {
    /// The edge on the other side of the area.
    pub const fn opposite(self) -> Edge {
        match self {
            Edge::South => Edge::North,
            Edge::North => Edge::South,
            Edge::West => Edge::East,
            Edge::East => Edge::West,
        }
    }

    /// Its word in a scenario file.
    pub const fn word(self) -> &'static str {
        match self {
            Edge::South => "south",
            Edge::North => "north",
            Edge::West => "west",
            Edge::East => "east",
        }
    }
}

/// A corner of the play area.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Corner {
    /// x = 0, y = 0.
    SouthWest,
    /// x = width, y = 0.
    SouthEast,
    /// x = 0, y = height.
    NorthWest,
    /// x = width, y = height.
    NorthEast,
}

impl Corner {
    /// As players say it.
    pub const fn words(self) -> &'static str {
        match self {
            Corner::SouthWest => "south-western",
            Corner::SouthEast => "south-eastern",
            Corner::NorthWest => "north-western",
            Corner::NorthEast => "north-eastern",
        }
    }

    /// Where it is in an area.
    pub const fn point(self, area: PlayArea) -> Point {
        match self {
            Corner::SouthWest => Point { x: 0.0, y: 0.0 },
            Corner::SouthEast => Point { x: area.width, y: 0.0 },
            Corner::NorthWest => Point { x: 0.0, y: area.height },
            Corner::NorthEast => Point {
                x: area.width,
                y: area.height,
            },
        }
    }
}

/// Who flies a ship.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SideName {
    /// The players.
    Player,
    /// The program.
    Solo,
}

impl SideName {
    /// The side's name on a table.
    pub const fn as_str(self) -> &'static str {
        match self {
            SideName::Player => "player",
            SideName::Solo => "solo",
        }
    }
}

/// How many ships the player has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerShips {
    /// The number that the counts of groups and waves are for.
    pub usual: u32,
    /// At most.
    pub most: u32,
}

/// A distance between two things, in ranges of the ruler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Spacing {
    /// Wholly within range n.
    Within(u32),
    /// At range n: more than 100 (n - 1) mm, up to 100 n mm.
    At(u32),
    /// Beyond range n.
    Beyond(u32),
}

/// Set-up keeps this far from every limit, mm, so that no rounding of a table breaks a rule.
pub const MARGIN_MM: f64 = 0.05;

impl Spacing {
    /// The distances that satisfy it, mm.
    pub fn exact_mm(self) -> (f64, f64) {
        let mm = |range: u32| f64::from(range) * 100.0;
        match self {
            Spacing::Within(n) => (0.0, mm(n)),
            Spacing::At(n) => (mm(n.saturating_sub(1)), mm(n)),
            Spacing::Beyond(n) => (mm(n), f64::INFINITY),
        }
    }

    /// The distances that satisfy it, mm, [`MARGIN_MM`] inside their limits.
    pub fn limits_mm(self) -> (f64, f64) {
        let (least, most) = self.exact_mm();
        match self {
            Spacing::Within(_) => (least, most - MARGIN_MM),
            Spacing::At(_) | Spacing::Beyond(_) => (least + MARGIN_MM, most - MARGIN_MM),
        }
    }

    /// Whether a distance satisfies it, with [`MARGIN_MM`] to spare.
    pub fn holds(self, mm: f64) -> bool {
        let (least, most) = self.limits_mm();
        least <= mm && mm <= most
    }
}

/// Where hyperspace markers lie and how they are used.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MarkerRules {
    /// How many; 0 for none.
    pub count: u32,
    /// Side of the square marker, mm.
    pub size_mm: f64,
    /// Distance of each from each other.
    pub apart: Spacing,
    /// Distance of each from every edge.
    pub from_edges: Spacing,
    /// Sides that ships are placed against. The front points towards the player edge; none points at another marker.
    pub deployment_sides: Vec<MarkerSide>,
    /// Which side, by a defence die.
    pub side_by_die: SideByDie,
}

/// A side of a marker, seen from the marker itself looking out over its front.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MarkerSide {
    /// Towards the player edge.
    Front,
    /// Its left.
    Left,
    /// Its right.
    Right,
    /// Away from the player edge.
    Back,
}

impl MarkerSide {
    /// Its word in a scenario file.
    pub const fn word(self) -> &'static str {
        match self {
            MarkerSide::Front => "front",
            MarkerSide::Left => "left",
            MarkerSide::Right => "right",
            MarkerSide::Back => "back",
        }
    }
}

/// What a face of the defence die asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SideChoice {
    /// The front.
    Front,
    /// The left side.
    Left,
    /// The right side.
    Right,
    /// The back.
    Back,
    /// The side closest to the nearest player ship; without one, the side nearest the player edge.
    Closest,
}

/// A side choice for each face of the defence die.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SideByDie {
    /// For a blank.
    pub blank: SideChoice,
    /// For a focus.
    pub focus: SideChoice,
    /// For an evade.
    pub evade: SideChoice,
}

/// Where obstacles lie.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ObstacleRules {
    /// Obstacle ids, one an obstacle.
    pub pieces: Vec<String>,
    /// Distance from every edge.
    pub from_edges: Spacing,
    /// Distance from each other.
    pub apart: Spacing,
    /// Distance from every marker.
    pub from_markers: Spacing,
    /// Whether none may lie straight in front of a marker's deployment side.
    #[serde(default)]
    pub off_deployment_sides: bool,
}

/// Over which edge ships of a side leave safely.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Retreat {
    /// The edge.
    pub edge: RetreatEdge,
    /// Whose ships.
    pub side: SideName,
}

/// An edge to retreat over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RetreatEdge {
    /// The player's.
    Player,
    /// Any.
    Any,
}

/// Ships that arrive together and are counted together.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// Small letters; its ships are called by it and a number.
    pub id: String,
    /// Who flies them.
    pub side: SideName,
    /// Where they are placed.
    pub arrives: Arrives,
    /// Which pilots, in the order in which they arrive.
    pub ships: Vec<Recruits>,
    /// Whether a wave that asks for more ships than are waiting brings destroyed ones back as new ships.
    #[serde(default)]
    pub destroyed_return: bool,
    /// What each locks as it arrives.
    pub lock: Option<LockOnArrival>,
    /// Whether its numbers stay the same however many ships the player has.
    #[serde(default)]
    pub unscaled: bool,
}

/// Where ships of a group are placed.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Arrives {
    /// At a marker by an even roll, against a side by a die.
    Marker,
    /// So near the player edge, facing away from it.
    PlayerEdge(Spacing),
    /// So near the edge opposite to the player edge, facing away from it.
    FarEdge(Spacing),
    /// In one of these corners by an even roll, facing the opposite one.
    Corner(Vec<Corner>),
}

/// Pilots of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recruits {
    /// Which pilot of the ship type.
    pub pilot: PilotChoice,
    /// How many, 1 if not given.
    #[serde(default = "one")]
    pub count: u32,
}

const fn one() -> u32 {
    1
}

/// Which pilot of a ship type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PilotChoice {
    /// The non-limited pilot of the highest initiative.
    Highest,
    /// The non-limited pilot of the lowest initiative.
    Lowest,
}

/// What a ship locks as it arrives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LockOnArrival {
    /// The nearest enemy ship.
    NearestEnemy,
    /// The corner opposite to the one it arrives in, so that this point is its tally (SA-3.1a).
    OppositeCorner,
}

/// What is placed when.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wave {
    /// At the beginning of this round; 0 is set-up.
    pub round: u32,
    /// Only under this condition.
    pub when: Option<Condition>,
    /// How many ships of which group.
    pub place: BTreeMap<String, u32>,
}

/// A condition on the number of destroyed ships of some groups together.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Condition {
    /// The groups.
    pub destroyed: Vec<String>,
    /// At least so many.
    pub at_least: Option<u32>,
    /// At most so many.
    pub at_most: Option<u32>,
}

/// What may be played differently.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variant {
    /// Its name on the command line.
    pub id: String,
    /// What it is about.
    pub name: String,
    /// One ship of a group is flown by the ace of its type.
    pub ace: Option<AceRule>,
    /// Further waves.
    #[serde(rename = "wave", default)]
    pub waves: Vec<Wave>,
}

/// One ship of a group is flown by a limited pilot with upgrades.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AceRule {
    /// The group; its first ship to arrive is the ace.
    pub group: String,
    /// What the ace locks as it arrives.
    pub lock: Option<LockOnArrival>,
}

/// When the game ends.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ending {
    /// As soon as this side has no ship in play.
    pub without: SideName,
    /// Not before this round, 1 if not given.
    #[serde(default = "one")]
    pub from_round: u32,
    /// What the players are told.
    pub says: String,
}

/// The ships of a faction.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FactionShips {
    /// xws id of the faction.
    pub faction: String,
    /// For each group the ship types to choose from; the first is fielded unless another is taken.
    pub ships: BTreeMap<String, Vec<ShipChoice>>,
    /// For each ship type its ace.
    #[serde(default)]
    pub aces: BTreeMap<String, Ace>,
}

/// A ship type with its upgrades.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShipChoice {
    /// xws id of the ship type.
    pub ship: String,
    /// xws id of the pilot, in place of the one that the group asks for.
    #[serde(default)]
    pub pilot: Option<String>,
    /// xws ids of the upgrades.
    #[serde(default)]
    pub upgrades: Vec<String>,
    /// xws id of the faction whose pilots fly it, where that is an ally of the squad's own (FE-1.2).
    #[serde(default)]
    pub faction: Option<String>,
}

impl ShipChoice {
    /// Whose pilots fly it in a squad of that faction.
    pub fn flown_by<'a>(&'a self, squad: &'a str) -> &'a str {
        self.faction.as_deref().unwrap_or(squad)
    }
}

/// A limited pilot with upgrades.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ace {
    /// xws id of the pilot.
    pub pilot: String,
    /// xws ids of the upgrades.
    #[serde(default)]
    pub upgrades: Vec<String>,
}
