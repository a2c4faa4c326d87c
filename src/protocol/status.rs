//! `game/status`: how the game stands.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::round::{DiceFrom, Plays, RoundPhase, ShipLedger};

/// Result of `game/status` (any role).
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct StatusResult {
    /// Whether a table is attached.
    pub table: bool,
    /// Revision of the newest snapshot; 0 before the first.
    pub rev: u64,
    /// Round; 0 before the first.
    pub round: u32,
    /// Ships that the program flies.
    #[serde(deserialize_with = "super::lenient::list")]
    pub solo: Vec<String>,
    /// Those of them that still wait this round, in order.
    #[serde(deserialize_with = "super::lenient::list")]
    pub waiting: Vec<String>,
    /// Action id of the step that the table is carrying out; empty if none.
    pub outstanding: String,
    /// The phase.
    pub phase: RoundPhase,
    /// The ship whose turn it is, of either side; empty if none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub turn: String,
    /// Id of the question that waits for the players; empty if none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub prompt: String,
    /// How much of the round is played.
    pub plays: Plays,
    /// Where dice come from.
    pub dice: DiceFrom,
    /// `first` where the first edition is played; empty: the second.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub edition: String,
    /// What is kept of each ship, in id order; empty where only activations are played.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "super::lenient::list")]
    pub ledger: Vec<ShipLedger>,
    /// One line for people.
    pub text: String,
}
