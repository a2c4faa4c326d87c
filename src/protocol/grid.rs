//! Tables of squares: their snapshot in `table/sync`, and the steps that `table/apply` asks them for.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A map of squares with its figures (see `docs/swm.md`): the dialect of tables that play Star Wars Miniatures. Squares are
/// written as `C4`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct GridSnapshot {
    /// Rows of cells, as the text form of a position has them.
    #[serde(deserialize_with = "super::lenient::list")]
    pub map: Vec<String>,
    /// Walls and doors between squares: `wall C4-D4`, `door C4-D4`, `open C4-D4`.
    #[serde(deserialize_with = "super::lenient::list", skip_serializing_if = "Vec::is_empty")]
    pub edges: Vec<String>,
    /// Figures by their ids: small letters are automated, capitals the players', unless `side` says otherwise. Fields as in
    /// the JSON form of a position: hit points `hp`, `def`, `atk`, `dmg`, `at`, `abilities`, `force`, `activated` and so on.
    #[serde(deserialize_with = "super::lenient::map")]
    pub figures: BTreeMap<String, serde_json::Value>,
    /// Choices of the rules that differ from the defaults.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub switches: Option<serde_json::Value>,
    /// Round number, if the table counts rounds.
    #[serde(deserialize_with = "super::lenient::whole")]
    pub round: u64,
}

/// One thing that a table of squares carries out. All of them say how it is afterwards, so that one that is carried out
/// twice changes nothing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum BoardStep {
    /// Walk a figure along squares.
    Walk {
        /// The figure.
        figure: String,
        /// Where it must stand beforehand; elsewhere: reject.
        from: String,
        /// The squares, the last one being where it stops.
        way: Vec<String>,
    },
    /// Show an attack: the dice were rolled, what comes of it follows.
    Attack {
        /// The attacker.
        figure: String,
        /// The target.
        target: String,
        /// The die.
        rolled: u8,
        /// The die with all that is added to it.
        total: i32,
        /// What it must reach.
        defense: i32,
        /// Whether it hits.
        hit: bool,
        /// Whether it does double damage.
        critical: bool,
        /// One sentence.
        text: String,
    },
    /// Set a figure's hit points.
    Damage {
        /// The figure.
        figure: String,
        /// What it has left.
        left: u16,
    },
    /// Set a figure's Force points.
    Force {
        /// The figure.
        figure: String,
        /// What it has left.
        left: u16,
    },
    /// Mark whether a figure has activated this round.
    Activated {
        /// The figure.
        figure: String,
        /// Whether it has.
        activated: bool,
    },
    /// Take a defeated figure off the map.
    Remove {
        /// The figure.
        figure: String,
    },
    /// Put a figure back as it was: what undoing does.
    Put {
        /// The figure.
        figure: String,
        /// Its square.
        at: String,
        /// Its hit points.
        hp: u16,
        /// Its Force points.
        force: u16,
        /// Whether it has activated this round.
        activated: bool,
    },
    /// Open or close a door.
    Door {
        /// Where it is: a square, or two with a hyphen between them, as in `edges`.
        place: String,
        /// Whether it is open.
        open: bool,
    },
}
