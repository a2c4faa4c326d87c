//! `table/sync`: the whole table as the client sees it, raw. Always full, never a delta.

mod reading;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

/// Parameters of `table/sync` (client request).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SyncParams {
    /// Grows with every change that the client noticed.
    #[serde(deserialize_with = "super::lenient::whole")]
    pub rev: u64,
    /// The table.
    pub snapshot: Snapshot,
}

/// A table in one of the dialects.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Snapshot {
    /// mm and degrees; the position format of `tallyho decide --json`.
    Plain {
        /// A position (see `docs/positions.md`).
        position: serde_json::Value,
    },
    /// Tabletop Simulator, raw.
    Tts(TtsSnapshot),
    /// A map of squares with figures: Star Wars Miniatures.
    Grid(super::grid::GridSnapshot),
    /// A game in Vassal, raw.
    Vassal(super::vassal::VassalSnapshot),
}

/// A Tabletop Simulator table, raw: world units, `rotY` in degrees, names as they stand there. An object without a readable
/// place is left out and a field of the wrong type is ignored, each with a warning; null stands for a field that is not
/// there.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct TtsSnapshot {
    /// Mats that may be the play area.
    pub mats: Vec<TtsMat>,
    /// Ships.
    pub ships: Vec<TtsShip>,
    /// Obstacles and mines.
    pub obstacles: Vec<TtsObstacle>,
    /// GUIDs that the player assigned as solo ships.
    pub solo: Vec<String>,
    /// Round number, if the controller counts rounds.
    pub round: u32,
    /// What could not be read; not on the wire.
    #[serde(skip)]
    pub unread: Vec<SyncWarning>,
}

impl<'de> Deserialize<'de> for TtsSnapshot {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        serde_json::Map::deserialize(deserializer).map(reading::snapshot)
    }
}

/// A play mat.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct TtsMat {
    /// GUID.
    pub guid: String,
    /// Name.
    pub name: String,
    /// World x of its centre.
    pub x: f64,
    /// World y: a parked mat lies below the table.
    pub y: f64,
    /// World z of its centre.
    pub z: f64,
    /// Half extent along x, world units.
    pub half_x: f64,
    /// Half extent along z, world units.
    pub half_z: f64,
}

/// A ship as the mod keeps it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct TtsShip {
    /// GUID.
    pub guid: String,
    /// Name on the table.
    pub name: String,
    /// `Data.shipId`: xws id.
    pub ship_id: String,
    /// Pilot's xws id where the build has one.
    pub pilot: String,
    /// `Data.Size`.
    pub size: String,
    /// `UiData.init` if present (`init3`), else `Data.initiative`, as text.
    pub initiative: String,
    /// `Data.Faction`: an integer or a string, as text.
    pub faction: String,
    /// `owningPlayer` colour, empty if none.
    pub owner: String,
    /// World x.
    pub x: f64,
    /// World z.
    pub z: f64,
    /// rotY, degrees; the nose is at local -z.
    pub rot_y: f64,
    /// `cmdBusy`.
    pub busy: bool,
    /// In a player's hand.
    pub held: bool,
    /// `finished_setup`.
    pub placed: bool,
    /// A `BUMPED` button stands on it.
    pub bumped: bool,
    /// `Data.moveSet`.
    #[serde(deserialize_with = "super::lenient::list")]
    pub move_set: Vec<String>,
    /// `Data.actSet`.
    #[serde(deserialize_with = "super::lenient::list")]
    pub act_set: Vec<String>,
    /// Turret mounts and where they point (`main` -> `front`, `leftright`, ...).
    #[serde(deserialize_with = "super::lenient::map")]
    pub turrets: BTreeMap<String, String>,
    /// Token name -> count.
    #[serde(deserialize_with = "super::lenient::map")]
    pub tokens: BTreeMap<String, u32>,
    /// Locks that lie on this ship: token GUID -> locker (GUID where the controller knows, else the token's name).
    #[serde(deserialize_with = "super::lenient::map")]
    pub locked_by: BTreeMap<String, String>,
    /// GUID of the dial assigned to it, empty if none.
    pub dial: String,
    /// Shield tokens beside its card that lie face up, where the controller can tell whose they are. A change is taken for
    /// a report of the players; the number itself may be late.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shields: Option<u32>,
    /// Names of the upgrade cards that lie with its pilot card, in any order.
    #[serde(deserialize_with = "super::lenient::list", skip_serializing_if = "Vec::is_empty")]
    pub upgrades: Vec<String>,
    /// Damage cards beside its card, face up and face down together, where the controller can tell. As `shields`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damage: Option<u32>,
}

/// An obstacle, mine or anything tagged so.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct TtsObstacle {
    /// GUID.
    pub guid: String,
    /// Name on the table.
    pub name: String,
    /// TTS state number, 1 if it has no states.
    pub state: i32,
    /// World x.
    pub x: f64,
    /// World z.
    pub z: f64,
    /// rotY, degrees.
    pub rot_y: f64,
    /// Tags.
    #[serde(deserialize_with = "super::lenient::list")]
    pub tags: Vec<String>,
    /// Outline found by probing: local x, z pairs in world units, flat.
    #[serde(deserialize_with = "super::lenient::list")]
    pub probe: Vec<f64>,
}

/// Result of `table/sync`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SyncResult {
    /// The revision taken.
    pub rev: u64,
    /// How many ships and obstacles were understood.
    pub ships: u32,
    /// Obstacles understood.
    pub obstacles: u32,
    /// What could not be used, and why.
    #[serde(deserialize_with = "super::lenient::list")]
    pub warnings: Vec<SyncWarning>,
}

/// An object that could not be used as it stands.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SyncWarning {
    /// Its id.
    pub object: String,
    /// What is wrong, and what helps.
    pub message: String,
}
