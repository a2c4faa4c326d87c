//! Political Escort (PE): one side brings a shuttle across the table, the other one shoots it down.
//!
//! Everything here is a function of values: who plays it, and where, is not its concern.
//!
//! | what | where |
//! |---|---|
//! | the facts of the scenario as data | [`facts`] |
//! | the shuttle itself (PE-1) | [`shuttle`] |
//! | what a squad may bring, and the shuttle's upgrades (PE-2) | [`squads`] |
//! | who attacks, edges, obstacles, where ships and shuttle begin (PE-3) | [`setup`] |
//! | the shuttle's move and what holds it up (PE-4.3, PE-5) | [`blocking`] |
//! | Protect (PE-6) | [`protect`] |
//! | when a game is over, and who has won (PE-7) | [`ending`] |
//! | the score (PE-8.1 to 8.4) | [`score`] |
//! | critical cards on the shuttle (PE-8.5) | [`critical`] |

use serde::{Deserialize, Serialize};

pub mod blocking;
pub mod critical;
pub mod ending;
pub mod facts;
pub mod protect;
pub mod score;
pub mod setup;
pub mod shuttle;
pub mod squads;

/// A player's part in one game (PE-0).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Shoots at the shuttle.
    Attacker,
    /// Has the shuttle.
    Defender,
}

impl Role {
    /// Both.
    pub const BOTH: [Role; 2] = [Role::Attacker, Role::Defender];

    /// The role in a word.
    pub const fn name(self) -> &'static str {
        match self {
            Role::Attacker => "attacker",
            Role::Defender => "defender",
        }
    }

    /// The other player's role; the one that a player has in the second game of a match (PE-3).
    pub const fn other(self) -> Role {
        match self {
            Role::Attacker => Role::Defender,
            Role::Defender => Role::Attacker,
        }
    }
}

/// What the shuttle stands on (PE-1.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ShuttleBase {
    /// A large base.
    #[default]
    Large,
    /// The token of the box.
    Token,
}

/// Which die a Protect token may cancel (PE-6.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProtectOrder {
    /// Any, a critical hit among hits, too.
    #[default]
    Any,
    /// A critical hit only when no hit is left.
    HitsFirst,
}

/// What the scenario's text leaves open, with its own choices as defaults.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct EscortOptions {
    /// PE-1.1: what the shuttle stands on.
    pub shuttle_base: ShuttleBase,
    /// PE-5.4: a shuttle that is to clear looks no farther than the 5 straight.
    pub clear_limit_5: bool,
    /// PE-6.2: unspent Protect tokens stay through the End phase.
    pub protect_persists: bool,
    /// PE-6.3: which die a Protect token may cancel.
    pub protect_order: ProtectOrder,
    /// PE-8.4: a large ship at half of its hull and shields gives half of its cost.
    pub large_half_points: bool,
}
