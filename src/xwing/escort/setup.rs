//! The set-up of a game (PE-3): who attacks, which edge is whose, where the shuttle may stand.

use super::facts::EscortFacts;
use crate::{
    geometry::Pose,
    xwing::{
        placing::{self, Misplaced},
        scenario::Edge,
        size::Size,
        table::PlayArea,
    },
};

/// The steps of a set-up, in their order (PE-3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Step {
    /// Who has initiative, and who attacks in the first game.
    Initiative,
    /// Six obstacles, three from each player.
    Obstacles,
    /// The defender picks his edge.
    Edges,
    /// Both squads, in ascending pilot skill.
    Ships,
    /// The shuttle, as if its skill were 12.
    Shuttle,
    /// Shields, decks, the rest.
    Rest,
}

impl Step {
    /// All, in their order.
    pub const ALL: [Step; 6] = [
        Step::Initiative,
        Step::Obstacles,
        Step::Edges,
        Step::Ships,
        Step::Shuttle,
        Step::Rest,
    ];

    /// What is done, in words.
    pub const fn says(self) -> &'static str {
        match self {
            Step::Initiative => "initiative; its holder says who attacks first",
            Step::Obstacles => "six obstacles, three from each player, one in turn",
            Step::Edges => "the defender picks his edge, the attacker has the opposite one",
            Step::Ships => "both squads in ascending pilot skill, within range 1 of their edges",
            Step::Shuttle => "the shuttle, within range 1 of the defender's edge",
            Step::Rest => "shields, damage decks, the rest",
        }
    }
}

/// The attacker of each game of a match, by the place of the player: who has initiative stays the same and says who attacks
/// first, then roles swap (PE-3).
pub const fn attackers(attacks_first: usize) -> [usize; 2] {
    [attacks_first, 1 - attacks_first]
}

/// The skill at which ships of a game are placed, lowest first: the shuttle's is 12 (PE-3).
pub fn placing_skill(skill: u8, is_shuttle: bool) -> u8 {
    if is_shuttle {
        EscortFacts::embedded().shuttle.set_up_skill
    } else {
        skill
    }
}

/// Why a ship may not be placed so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadPlace {
    /// A part of it is off the play area.
    OffTheArea,
    /// It reaches out of the band along its edge.
    OutOfTheBand,
}

impl BadPlace {
    /// In words, with the remedy.
    pub const fn says(self) -> &'static str {
        match self {
            BadPlace::OffTheArea => "a part of its base is off the play area; put it inside",
            BadPlace::OutOfTheBand => {
                "it is not within range 1 of its edge; put it nearer, with its hindmost point on the edge line if it is too deep"
            }
        }
    }
}

/// Whether a base of that size may be placed at that pose along an edge, at any facing (FE-2.4, PE-3): wholly within range 1
/// of the edge, or filling that depth if it is turned so that it is deeper.
///
/// # Errors
/// Why not.
pub fn may_be_placed(area: PlayArea, size: Size, pose: Pose, edge: Edge) -> Result<(), BadPlace> {
    let wrong = placing::check_base(area, &"the ship".into(), size, pose, edge);
    match wrong.first() {
        None => Ok(()),
        Some(Misplaced::OffTheArea { .. }) => Err(BadPlace::OffTheArea),
        Some(_) => Err(BadPlace::OutOfTheBand),
    }
}
