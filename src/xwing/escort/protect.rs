//! Protect (PE-6): who may give a token to the shuttle, and what a token cancels.

use serde::{Deserialize, Serialize};

use super::ProtectOrder;
use crate::xwing::{combat::Uncancelled, measure, ship::Ship};

/// The id by which the action is ordered, as if it were the action of a card.
pub const PROTECT: &str = "mission:protect";

/// Why a ship may not protect the shuttle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoProtect {
    /// It is the shuttle, or an enemy of it.
    NoEscort,
    /// It is not at range 1 of the shuttle.
    TooFar,
    /// It is stressed.
    Stressed,
    /// It has done so this round.
    Done,
    /// One of the two is not in play.
    NotInPlay,
}

impl NoProtect {
    /// In words, after "cannot take that action".
    pub const fn says(self) -> &'static str {
        match self {
            NoProtect::NoEscort => "only another ship of the defender protects the shuttle (PE-6.1)",
            NoProtect::TooFar => "the shuttle is not at range 1 (PE-6.1)",
            NoProtect::Stressed => "it is stressed",
            NoProtect::Done => "it has protected the shuttle this round (PE-6.1)",
            NoProtect::NotInPlay => "it or the shuttle is not in play any more",
        }
    }
}

/// Whether a ship may give the shuttle a Protect token now, as its standard action or a free one (PE-6.1). `done` says
/// whether it has this round.
///
/// # Errors
/// Why not.
pub fn may_protect(escort: &Ship, shuttle: &Ship, done: bool) -> Result<(), NoProtect> {
    if escort.id == shuttle.id || escort.is_enemy_of(shuttle) {
        Err(NoProtect::NoEscort)
    } else if !escort.in_play() || !shuttle.in_play() {
        Err(NoProtect::NotInPlay)
    } else if escort.is_stressed() {
        Err(NoProtect::Stressed)
    } else if done {
        Err(NoProtect::Done)
    } else if !is_at_range_1(escort, shuttle) {
        Err(NoProtect::TooFar)
    } else {
        Ok(())
    }
}

/// Whether two ships are at range 1 of each other, contact included (FE-0.3).
pub fn is_at_range_1(a: &Ship, b: &Ship) -> bool {
    measure::range(measure::ship_distance(a, b)).is_some_and(|range| range <= 1)
}

/// A result of the attacker that a token may cancel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Die {
    /// A critical hit.
    Crit,
    /// A hit.
    Hit,
}

impl Die {
    /// In words.
    pub const fn name(self) -> &'static str {
        match self {
            Die::Crit => "critical hit",
            Die::Hit => "hit",
        }
    }
}

/// The dice that a token may cancel among these results, the worst first (PE-6.3).
pub fn cancellable(results: Uncancelled, order: ProtectOrder) -> Vec<Die> {
    let crit = results.crits > 0 && (order == ProtectOrder::Any || results.hits == 0);
    let crit = crit.then_some(Die::Crit);
    let hit = (results.hits > 0).then_some(Die::Hit);
    crit.into_iter().chain(hit).collect()
}

/// What is left of an attack when a token cancels a die before the evade results do their part (PE-6.3). `results` are the
/// attacker's results, `left` what evade results leave of them without the token: evades cancel hits first (FE-8.3).
pub fn cancel(results: Uncancelled, left: Uncancelled, die: Die) -> Uncancelled {
    let mut then = left;
    match die {
        // Where evades had cancelled every critical hit, they had cancelled every hit before.
        Die::Crit if results.crits > 0 => then.crits = then.crits.saturating_sub(1),
        // Where evades had cancelled every hit, one of them is free for a critical hit now.
        Die::Hit if results.hits > 0 && left.hits == 0 => then.crits = then.crits.saturating_sub(1),
        Die::Hit if results.hits > 0 => then.hits -= 1,
        _ => {}
    }
    then
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// FE-8.3: each evade cancels a hit, and a critical hit only when no hit is left.
    fn evaded(results: Uncancelled, evades: u8) -> Uncancelled {
        let hits = results.hits.min(evades);
        Uncancelled {
            hits: results.hits - hits,
            crits: results.crits.saturating_sub(evades - hits),
        }
    }

    proptest! {
        #[test]
        fn pe_6_3_a_die_that_is_cancelled_first_leaves_what_evades_leave_of_the_rest(
            hits in 0u8..6, crits in 0u8..6, evades in 0u8..8,
        ) {
            let results = Uncancelled { hits, crits };
            for die in cancellable(results, ProtectOrder::Any) {
                let first = match die {
                    Die::Crit => Uncancelled { hits, crits: crits - 1 },
                    Die::Hit => Uncancelled { hits: hits - 1, crits },
                };
                prop_assert_eq!(cancel(results, evaded(results, evades), die), evaded(first, evades));
            }
        }
    }
}
