//! The shuttle's move, and what holds it up (PE-5): opposing ships may do so for one round only, if it goes straight on.

use serde::{Deserialize, Serialize};

use super::{EscortOptions, shuttle::STRAIGHT};
use crate::{
    geometry::OVERLAP_MM,
    xwing::{
        ObjectId,
        base::Footprint,
        maneuver::{Bearing, Maneuver},
        movement::{self, Alignment, Departure, EdgePolicy, Execution, MovementOptions},
        ship::Ship,
        table::Table,
    },
};

/// The straights that clear as the text lists them (PE-5.3).
const FIRST_CLEARING: u8 = 3;
const LAST_LISTED: u8 = 5;
/// No base on any play area is this far from another: the search for a clear place ends here at the latest (PE-5.4).
const LAST_CLEARING: u8 = 200;

/// What the shuttle may do about being blocked (PE-5.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BlockState {
    /// At the start, and after every move that was no blocked straight.
    #[default]
    Free,
    /// After a straight that was blocked: the next one, if it is blocked too, clears.
    Primed,
}

impl BlockState {
    /// The state in a word.
    pub const fn name(self) -> &'static str {
        match self {
            BlockState::Free => "free",
            BlockState::Primed => "primed",
        }
    }
}

/// Whether the shuttle's player could choose its maneuver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Choosing {
    /// Freely.
    Free,
    /// It is ionized, or a card forbids straights (PE-5.7).
    Bound,
}

/// A move of the shuttle.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// The move. One that cleared has the longer straight that was flown, in the green of the one that was chosen (PE-5.5).
    pub execution: Execution,
    /// The enemies that blocked it, in id order; empty when it was not blocked (PE-5.1).
    pub blocked_by: Vec<ObjectId>,
    /// The speed of the straight that it cleared the blockers with.
    pub cleared: Option<u8>,
    /// The state before it.
    pub before: BlockState,
    /// The state after it.
    pub after: BlockState,
}

/// How a shuttle moves: it leaves over edges (PE-7), and never stops at one.
pub const fn movement(guides: bool) -> MovementOptions {
    MovementOptions {
        guides,
        edge: EdgePolicy::Flee,
    }
}

/// The enemies that block a move (PE-5.1); those that it stops at touch the shuttle, so they cannot attack it (PE-5.8): it ends partially, and they lie under its full end or touch it where it stops.
pub fn blockers(table: &Table, shuttle: &Ship, execution: &Execution, guides: bool) -> Vec<ObjectId> {
    if execution.full {
        return Vec::new();
    }
    let end = movement::full_end(shuttle.size, shuttle.pose, execution.maneuver, Alignment::Middle);
    let footprint = Footprint::new(shuttle.size, end, guides);
    let lies_under = |other: &Ship| {
        let theirs = Footprint::new(other.size, other.pose, guides);
        footprint.penetration(&theirs) > OVERLAP_MM
    };
    (table.ships_in_play())
        .filter(|other| other.is_enemy_of(shuttle))
        .filter(|other| execution.bumped.contains(&other.id) || lies_under(other))
        .map(|other| other.id.clone())
        .collect()
}

/// Moves the shuttle by a maneuver from its pose on the table (PE-5). `guides` says whether guides count for overlap.
pub fn fly(
    table: &Table,
    shuttle: &Ship,
    maneuver: Maneuver,
    choosing: Choosing,
    before: BlockState,
    options: &EscortOptions,
    guides: bool,
) -> Run {
    let departure = Departure::new(table, shuttle, &movement(guides));
    let execution = departure.execute(maneuver, Alignment::Middle);
    let blocked_by = blockers(table, shuttle, &execution, guides);
    let straight = (maneuver.speed, maneuver.bearing) == (STRAIGHT.speed, STRAIGHT.bearing);
    let run = |execution, blocked_by, cleared, after| Run {
        execution,
        blocked_by,
        cleared,
        before,
        after,
    };
    match (choosing, straight, blocked_by.is_empty(), before) {
        // PE-5.7
        (Choosing::Bound, ..) => run(execution, blocked_by, None, before),
        (Choosing::Free, true, false, BlockState::Free) => run(execution, blocked_by, None, BlockState::Primed),
        (Choosing::Free, true, false, BlockState::Primed) => match clear(&departure, maneuver, options) {
            Some(clear) => {
                let speed = clear.maneuver.speed;
                run(clear, blocked_by, Some(speed), BlockState::Free)
            }
            // PE-5.4, `clear_limit_5`
            None => run(execution, blocked_by, None, BlockState::Primed),
        },
        // PE-5.6, PE-10.5: a bank starts the count anew.
        (Choosing::Free, ..) => run(execution, blocked_by, None, BlockState::Free),
    }
}

/// A maneuver of the shuttle as a table has carried it out, `execution` being what was seen, by the same state machine (PE-5.2).
/// A longer straight than the 2 has cleared; a blocked straight that should have and did not leaves the shuttle primed.
pub fn seen(
    table: &Table,
    shuttle: &Ship,
    execution: Execution,
    choosing: Choosing,
    before: BlockState,
    options: &EscortOptions,
    guides: bool,
) -> Run {
    let flown = execution.maneuver;
    if flown.bearing == STRAIGHT.bearing && flown.speed > STRAIGHT.speed {
        let chosen = Maneuver {
            speed: STRAIGHT.speed,
            ..flown
        };
        let run = fly(table, shuttle, chosen, choosing, before, options, guides);
        return Run {
            execution,
            cleared: Some(flown.speed),
            after: BlockState::Free,
            ..run
        };
    }
    let straight = (flown.speed, flown.bearing) == (STRAIGHT.speed, STRAIGHT.bearing);
    let blocked_by = blockers(table, shuttle, &execution, guides);
    let after = match choosing {
        Choosing::Bound => before,
        Choosing::Free if straight && !blocked_by.is_empty() => BlockState::Primed,
        Choosing::Free => BlockState::Free,
    };
    Run {
        execution,
        blocked_by,
        cleared: None,
        before,
        after,
    }
}

/// The shortest straight whose end lies on no ship (PE-5.3): 3, 4, 5, and then on, 40 mm more each (PE-5.4).
fn clear(departure: &Departure<'_>, chosen: Maneuver, options: &EscortOptions) -> Option<Execution> {
    let last = if options.clear_limit_5 {
        LAST_LISTED
    } else {
        LAST_CLEARING
    };
    (FIRST_CLEARING..=last).find_map(|speed| {
        let longer = Maneuver {
            speed,
            bearing: Bearing::Straight,
            difficulty: chosen.difficulty,
        };
        let execution = departure.execute(longer, Alignment::Middle);
        execution.full.then_some(execution)
    })
}
