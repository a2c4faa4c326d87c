//! How a game ends, and who has won it (PE-7).

use serde::{Deserialize, Serialize};

use super::Role;
use crate::{
    geometry::{OVERLAP_MM, Pose},
    xwing::{base, scenario::Edge, size::Size, table::PlayArea},
};

/// Reaching equally far over two edges, mm.
const EQUAL_MM: f64 = 1e-6;

/// How the shuttle stands to the edges of the area (PE-7.1, PE-7.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leaving {
    /// No part of its base is beyond an edge; the edge itself is inside (FE-4.9).
    Inside,
    /// It is over the attacker's edge: it exits.
    Exits,
    /// It is over this other edge: it has fled.
    Flees(Edge),
}

/// How far a base of that size at that pose reaches over an edge, mm; negative inside.
fn beyond(area: PlayArea, size: Size, pose: Pose, edge: Edge) -> f64 {
    let over = base::base(size, pose).corners().map(|corner| match edge {
        Edge::South => -corner.y,
        Edge::North => corner.y - area.height,
        Edge::West => -corner.x,
        Edge::East => corner.x - area.width,
    });
    over.into_iter().fold(f64::NEG_INFINITY, f64::max)
}

/// Whether a shuttle that stands there has left, and how. Over two edges the one counts that it reaches farther over; equally
/// far: the attacker's (PE-7.1).
pub fn leaving(area: PlayArea, size: Size, pose: Pose, attackers_edge: Edge) -> Leaving {
    let mut farthest = (beyond(area, size, pose, attackers_edge), attackers_edge);
    for edge in [Edge::South, Edge::North, Edge::West, Edge::East] {
        let over = beyond(area, size, pose, edge);
        if edge != attackers_edge && over > farthest.0 + EQUAL_MM {
            farthest = (over, edge);
        }
    }
    match farthest {
        (over, _) if over <= OVERLAP_MM => Leaving::Inside,
        (_, edge) if edge == attackers_edge => Leaving::Exits,
        (_, edge) => Leaving::Flees(edge),
    }
}

/// What became of the shuttle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// It is on the table.
    InPlay,
    /// It has left over the attacker's edge (PE-7.1).
    Exited,
    /// It was shot down, or fled over another edge (PE-7.2).
    Destroyed,
}

/// Why a game is over (PE-7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// The shuttle left over the attacker's edge (PE-7.1).
    Exit,
    /// The shuttle was shot down (PE-7.2).
    ShotDown,
    /// The shuttle left over another edge (PE-7.2).
    Fled,
    /// At the end of a round no attacker was left (PE-7.4).
    NoAttacker,
    /// Time, or the limit of rounds (PE-7.3).
    Time,
}

impl Cause {
    /// The rule that ends the game so.
    pub const fn rule(self) -> &'static str {
        match self {
            Cause::Exit => "PE-7.1",
            Cause::ShotDown | Cause::Fled => "PE-7.2",
            Cause::NoAttacker => "PE-7.4",
            Cause::Time => "PE-7.3",
        }
    }

    /// In words, as a sentence of its own.
    pub fn sentence(self) -> String {
        let says = self.says();
        let (first, rest) = says.split_at(says.chars().next().map_or(0, char::len_utf8));
        format!("{}{rest}.", first.to_uppercase())
    }

    /// In words, as part of a sentence.
    pub const fn says(self) -> &'static str {
        match self {
            Cause::Exit => "the shuttle has left over the attacker's edge",
            Cause::ShotDown => "the shuttle is destroyed",
            Cause::Fled => "the shuttle has left over an edge that is not the attacker's and is lost",
            Cause::NoAttacker => "no attacker is left",
            Cause::Time => "time is up and the shuttle is neither out nor destroyed",
        }
    }
}

/// The winner by the cause, with the scores of attacker and defender; none: a draw (PE-7).
pub fn winner(cause: Cause, attacker: i32, defender: i32) -> Option<Role> {
    match cause {
        Cause::Exit | Cause::NoAttacker => Some(Role::Defender),
        Cause::ShotDown | Cause::Fled => Some(Role::Attacker),
        Cause::Time => match attacker.cmp(&defender) {
            std::cmp::Ordering::Greater => Some(Role::Attacker),
            std::cmp::Ordering::Less => Some(Role::Defender),
            std::cmp::Ordering::Equal => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pe_7_1_over_a_corner_the_farther_edge_counts_and_the_attackers_when_equal() {
        let at = |x, y| leaving(PlayArea::STANDARD, Size::Large, Pose::new(x, y, 0.0), Edge::North);
        assert_eq!(at(457.2, 874.4), Leaving::Inside);
        assert_eq!(at(457.2, 874.5), Leaving::Exits);
        assert_eq!(at(35.0, 880.0), Leaving::Exits);
        assert_eq!(at(30.0, 880.0), Leaving::Flees(Edge::West));
        assert_eq!(at(30.0, 884.4), Leaving::Exits);
        assert_eq!(at(457.2, 39.0), Leaving::Flees(Edge::South));
    }
}
