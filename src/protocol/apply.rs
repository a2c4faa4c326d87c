//! `table/apply`: the server asks the table to carry out one step.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Parameters of `table/apply` (server **request**). One is outstanding at a time for each table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ApplyParams {
    /// Names the step for good: a client that sees it twice answers `duplicate` with the first outcome. Grows within a
    /// session and never repeats between sessions.
    pub action_id: String,
    /// Revision of the snapshot the step was computed from.
    pub rev: u64,
    /// The step.
    pub step: WireStep,
}

/// A position in the table's own units and conventions, as its `table/sync` wrote them:
/// plain: mm, mm, heading; tts: world x, world z, rotY; vassal: pixels of the map (y to the south), degrees clockwise.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Placement {
    /// x.
    pub x: f64,
    /// y (tts: world z).
    pub y: f64,
    /// Heading (tts: rotY), degrees.
    pub facing: f64,
}

/// One step for a table to carry out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum WireStep {
    /// Say something to the players: the reason of a decision, an instruction.
    Say {
        /// Whom it is about, if anyone.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        object: String,
        /// Plain text.
        text: String,
    },
    /// Show tally and arc while a decision stands: lines in the table's own units; an empty list clears them.
    Show {
        /// The deciding ship; empty: the lines are the table's own (the outlines of hyperspace markers) and stay until others
        /// come.
        object: String,
        /// Lines: x1, y1, x2, y2.
        lines: Vec<[f64; 4]>,
    },
    /// Set the dial of a ship, where one is assigned.
    Dial {
        /// The ship.
        object: String,
        /// The maneuver, with its colour, in the table's words (tts: `wbl2`; plain: `2BW`).
        code: String,
    },
    /// Move by the table's own rules.
    Move {
        /// The ship.
        object: String,
        /// The move in the table's words (tts: `bl2`, `rr1`, `s1b`; plain: dial code, `roll:left:10`, ...).
        code: String,
        /// Where it must stand beforehand; elsewhere: reject.
        from: Placement,
        /// Where it is expected to stand afterwards; what is observed counts.
        to: Placement,
    },
    /// Put a ship at an exact place, tokens along with it: turning after a flee, rolls with no move code, corrections.
    Place {
        /// The ship.
        object: String,
        /// Where it must stand beforehand.
        from: Placement,
        /// Where to put it.
        to: Placement,
    },
    /// Add or take tokens.
    Token {
        /// The ship.
        object: String,
        /// `focus`, `evade`, `calculate`, `stress`, `ion`, `disarm`, `reinforce`, `jam`, `strain`, ...
        token: String,
        /// How many; negative takes away.
        count: i32,
        /// Reinforce: `fore` or `aft`; else empty.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        side: String,
    },
    /// Put a lock of one object on another.
    Lock {
        /// The locking ship.
        object: String,
        /// The locked object.
        target: String,
        /// Take it away instead.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        remove: bool,
    },
    /// Turn a turret indicator.
    Turret {
        /// The ship.
        object: String,
        /// The mount (`main` where there is one).
        mount: String,
        /// `front`, `rear`, `left`, `right`, `frontrear`, `leftright` (tts: `back` for `rear`).
        arc: String,
    },
    /// Lay an obstacle at an exact place: the set-up of a scenario.
    Lay {
        /// The obstacle.
        object: String,
        /// Where to lay it. It has no nose: its facing is its heading in both dialects.
        to: Placement,
    },
    /// Take a ship off the table that was destroyed or fled, with its tokens, or put it back.
    Remove {
        /// The ship.
        object: String,
        /// It was taken off by mistake: put it back here.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        back: Option<Placement>,
    },
    /// Something on a map of squares, at tables of the `grid` kind.
    Board {
        /// What.
        does: super::grid::BoardStep,
    },
    /// Changes of pieces, at tables of the `vassal` kind: all of them or none, taken back together by one Undo.
    Pieces {
        /// The piece that it is about, which `observed` tells of; empty: none.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        object: String,
        /// What is changed, in order.
        changes: Vec<super::vassal::PieceChange>,
        /// What the players read with it.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        text: String,
    },
}

/// Result of `table/apply`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ApplyResult {
    /// How it went.
    pub outcome: Outcome,
    /// Why not, in plain words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// The table's revision afterwards.
    #[serde(default, deserialize_with = "super::lenient::whole")]
    pub rev: u64,
    /// Where the object of the step stands now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed: Option<Placement>,
    /// The table's own bump was met.
    #[serde(default)]
    pub bumped: bool,
    /// Ids touched by the bump, where the table knows them.
    #[serde(
        default,
        skip_serializing_if = "Vec::is_empty",
        deserialize_with = "super::lenient::list"
    )]
    pub touching: Vec<String>,
}

/// How a step went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Done.
    Applied,
    /// Begun, and ended otherwise than expected: `observed` tells how.
    Partial,
    /// Not done: `reason` says why. The table is as it was.
    Rejected,
    /// Done earlier under the same action id; the rest repeats that outcome.
    Duplicate,
}
