//! `game/event`: what happened, for everyone who watches.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::round::{RoundPhase, ShipLedger};
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
    /// A phase began.
    Phase {
        /// Its round.
        round: u32,
        /// Which.
        phase: RoundPhase,
    },
    /// Something happened in an attack: it was declared, dice were rolled or changed, damage was dealt.
    Attack {
        /// The attacker.
        attacker: String,
        /// The defender.
        defender: String,
        /// How far it is.
        stage: AttackStage,
        /// The attack dice as they lie: `crit`, `hit`, `focus`, `blank`.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        attack: Vec<String>,
        /// The defence dice as they lie: `evade`, `focus`, `blank`.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        defence: Vec<String>,
        /// One sentence.
        message: String,
    },
    /// What is kept of a ship has changed.
    Ledger {
        /// All of it.
        entry: ShipLedger,
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
        /// The phase; left out where only activations are played.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        phase: Option<RoundPhase>,
        /// The ship whose turn it is, of either side; empty if none.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        turn: String,
        /// One line.
        text: String,
    },
}

/// How far an attack is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum AttackStage {
    /// Declared; the attack dice lie as rolled.
    Declared,
    /// The attacker has changed its dice.
    Modified,
    /// The defence dice lie as rolled.
    Defended,
    /// Over; what it did is dealt.
    Resolved,
}
