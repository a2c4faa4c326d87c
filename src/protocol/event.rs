//! `game/event`: what happened, for everyone who watches.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::decision::Reason;

/// Parameters of `game/event` (server notification).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EventParams {
    /// Number of the event in its session, without gaps.
    pub seq: u64,
    /// What happened.
    pub event: GameEvent,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum GameEvent {
    /// A decision was made.
    Decided {
        /// The ship.
        ship: String,
        /// One sentence.
        sentence: String,
        /// Why; left out for terse clients.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        reasons: Vec<Reason>,
    },
    /// An activation is over.
    Activated {
        /// The ship.
        ship: String,
        /// One sentence.
        message: String,
    },
    /// A plan was given up or changed.
    Replanned {
        /// The ship.
        ship: String,
        /// Why.
        message: String,
    },
    /// A new round.
    Round {
        /// Its number.
        round: u32,
    },
    /// Anything the players should read.
    Note {
        /// The text.
        message: String,
    },
    /// What the overlay and the status line show.
    Status {
        /// Round.
        round: u32,
        /// Next solo ship, empty if none waits.
        next: String,
        /// Solo ships that still wait.
        waiting: u32,
        /// One line.
        text: String,
    },
}
