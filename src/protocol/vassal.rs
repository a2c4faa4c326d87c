//! Tables of Vassal: their raw snapshot in `table/sync`, and the changes of pieces that `table/apply` asks them for.
//!
//! The plugin knows no game. It says what lies there in Vassal's own words and pixels; which piece is what, the program
//! reads from a profile of the module.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A Vassal game as its player may see it: nothing that is hidden, masked or in somebody's hand. Positions are whole
/// pixels of a map, y to the south; headings are degrees clockwise from the picture's own up.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct VassalSnapshot {
    /// The module.
    pub module: VassalModule,
    /// The side of the roster that the player holds; empty if none.
    pub side: String,
    /// The side that the program plays, as chosen at the toolbar: a side of the roster, or whatever word the profile looks
    /// for; empty: what the profile says.
    pub automates: String,
    /// Maps that are open to all players.
    #[serde(deserialize_with = "super::lenient::list")]
    pub maps: Vec<VassalMap>,
    /// Pieces on these maps: no stacks, no decks, no masks.
    #[serde(deserialize_with = "super::lenient::list")]
    pub pieces: Vec<VassalPiece>,
    /// Global properties of the module that can change, such as the turn number.
    #[serde(deserialize_with = "super::lenient::map", skip_serializing_if = "BTreeMap::is_empty")]
    pub properties: BTreeMap<String, String>,
    /// Dice buttons of the module.
    #[serde(deserialize_with = "super::lenient::list", skip_serializing_if = "Vec::is_empty")]
    pub dice: Vec<VassalDice>,
}

/// Which module it is.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct VassalModule {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Version of Vassal.
    pub vassal: String,
}

/// A map.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct VassalMap {
    /// Its name.
    pub name: String,
    /// The boards that lie on it.
    #[serde(deserialize_with = "super::lenient::list")]
    pub boards: Vec<VassalBoard>,
}

/// A board of a map.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct VassalBoard {
    /// Its name.
    pub name: String,
    /// Left edge, pixels of the map.
    pub x: i32,
    /// Upper edge, pixels of the map.
    pub y: i32,
    /// Width, pixels.
    pub width: i32,
    /// Height, pixels.
    pub height: i32,
    /// Turned by half a turn.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub reversed: bool,
    /// Its grid; none: pieces lie anywhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grid: Option<VassalGrid>,
}

/// A grid of squares. Other grids are named, and no more is told of them.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct VassalGrid {
    /// `square`, `hex`, `region`, `zoned` or the name of the module's own class. A zoned grid whose only zone-less grid is one
    /// of squares is `square`.
    pub kind: String,
    /// Width of a square, pixels.
    pub dx: f64,
    /// Height of a square, pixels.
    pub dy: f64,
    /// Centre of the first square, pixels from the board's left edge.
    pub x0: f64,
    /// Centre of the first square, pixels from the board's upper edge.
    pub y0: f64,
}

/// A piece.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct VassalPiece {
    /// Vassal's own id: stable for the life of the game.
    pub id: String,
    /// The name as players see it.
    pub name: String,
    /// The name without labels and prefixes (`BasicName`).
    #[serde(skip_serializing_if = "String::is_empty")]
    pub basic: String,
    /// The slot of the palette that it came from.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub gpid: String,
    /// The map it lies on.
    pub map: String,
    /// Its centre.
    pub x: i32,
    /// Its centre.
    pub y: i32,
    /// Sum of its rotators; none: it has no rotator.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heading: Option<f64>,
    /// Its outline's width and height at heading 0, pixels.
    pub width: i32,
    /// Its outline's height, pixels.
    pub height: i32,
    /// Number of the piece in its stack, from below; pieces of one stack have the same place.
    #[serde(skip_serializing_if = "is_zero")]
    pub layer: i32,
    /// It may not be moved by the player (`restrict` of another side).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub restricted: bool,
    /// Marks, dynamic properties, levels of layers (`NAME_Level`) and texts of property sheets (`SHEET.FIELD`).
    #[serde(deserialize_with = "super::lenient::map", skip_serializing_if = "BTreeMap::is_empty")]
    pub properties: BTreeMap<String, String>,
    /// Texts of its labels as they stand in its state, variables not filled in (`$this_is_a_ship$`).
    #[serde(deserialize_with = "super::lenient::list", skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<String>,
    /// Corners of its outline at heading 0, pixels east and south of its centre, where the module gives it one of its own
    /// (`nonRect2`).
    #[serde(deserialize_with = "super::lenient::list", skip_serializing_if = "Vec::is_empty")]
    pub outline: Vec<[f64; 2]>,
}

fn is_zero(number: &i32) -> bool {
    *number == 0
}

/// A dice button.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct VassalDice {
    /// Its name.
    pub name: String,
    /// How many dice it rolls.
    pub count: u32,
    /// How many sides they have.
    pub sides: u32,
}

/// A point of a map.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Spot {
    /// The map; empty: the one that the piece lies on.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub map: String,
    /// Pixels from its left edge.
    pub x: i32,
    /// Pixels from its upper edge.
    pub y: i32,
}

/// One change of a piece. Each says how it is afterwards, so that one that is carried out twice changes nothing (but `key`
/// and `add`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum PieceChange {
    /// Move it.
    Move {
        /// The piece.
        piece: String,
        /// Where it must lie beforehand (or `to`); elsewhere: reject.
        from: Spot,
        /// Where it lies afterwards.
        to: Spot,
        /// As if dragged with the mouse: it snaps to the grid, joins stacks, and the module reports it. Otherwise it lies at
        /// that pixel exactly.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        drag: bool,
    },
    /// Turn it: the rotator with the most facings, so that the sum of all is this heading or the nearest that can be had.
    Turn {
        /// The piece.
        piece: String,
        /// Its heading afterwards.
        heading: f64,
    },
    /// Set a dynamic property, or the level of a layer (`NAME_Level`).
    Property {
        /// The piece.
        piece: String,
        /// The property's name.
        name: String,
        /// Its value afterwards.
        value: String,
    },
    /// Press a key on it, for what only the module's own traits do.
    Key {
        /// The piece.
        piece: String,
        /// `CODE,MODIFIERS` as modules write it, or the name of a named stroke.
        stroke: String,
    },
    /// Take it off the game.
    Remove {
        /// The piece.
        piece: String,
    },
    /// Put a piece back that was taken off.
    Restore {
        /// The piece.
        piece: String,
        /// Where it lies afterwards.
        at: Spot,
    },
    /// Lay a new piece from the palette.
    Add {
        /// Its slot's id (`gpid`), or its name where only one slot has it.
        slot: String,
        /// Where it lies afterwards.
        at: Spot,
    },
}
