//! Political Escort played automatically (PE-A): what the scenario adds to how solo ships fly.
//!
//! | what | where |
//! |---|---|
//! | who is the first player (PE-A1) | [`first`] |
//! | the shuttle's maneuver (PE-A2) | [`race`] |
//! | whom escorts and attackers are after, whom they lock and attack (PE-A3 to A5) | [`aims`] |
//! | Protect (PE-A6, PE-A7) | [`protect`] |
//! | set-up (PE-A8) | [`placing`] |
//!
//! PE-A9: solo ships stop at the edges as they always do; the shuttle alone leaves, and its moves are chosen by [`race`].

use serde::{Deserialize, Serialize};

pub mod aims;
pub mod first;
pub mod placing;
pub mod protect;
pub mod race;

/// Who has initiative (PE-A1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Initiative {
    /// As FE-2.1 says, by squad points.
    #[default]
    Points,
    /// The human, whatever the points.
    Human,
}

/// Whom escorts are after (PE-A3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EscortTally {
    /// The attacker nearest to the shuttle, within range 3 of it.
    #[default]
    Guard,
    /// As SA-3.1 says.
    Solo,
    /// A point ahead of the shuttle.
    Screen,
}

/// Whom attackers are after (PE-A4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AttackerTally {
    /// The shuttle.
    #[default]
    Shuttle,
    /// The half with the lower ids the shuttle, the others as SA-3.1 says.
    Mixed,
    /// As SA-3.1 says.
    Solo,
}

/// What is left open about playing the scenario automatically, with the page's defaults (PE-A).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct EscortPlay {
    /// PE-A1.
    pub initiative: Initiative,
    /// PE-A3.
    pub escort_tally: EscortTally,
    /// PE-A4.
    pub attacker_tally: AttackerTally,
}
