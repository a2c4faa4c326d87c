//! `game/status`: how the game stands.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
    /// One line for people.
    pub text: String,
}
