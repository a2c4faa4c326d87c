//! What is placed in a set-up, in words.

use std::fmt::Write as _;

use super::title;
use crate::xwing::{
    deployment::{At, Placement, Turn},
    placing::OBSTACLES,
    table::Table,
};

/// All that is left, as it is proposed.
pub const REST: &str = "all that is left is placed as it is proposed";

/// What is asked, in words.
pub fn asked(turn: &Turn, table: &Table) -> String {
    match turn {
        Turn::Obstacle { side, number } => {
            format!("obstacle {number} of {OBSTACLES}, {} to lay (FE-2.2)", whose(*side))
        }
        Turn::Edge { side } => format!("the edge, {} to pick (FE-2.3)", whose(*side)),
        Turn::Ship { side, ships } => {
            let names = ships.iter().map(|id| called(table, id));
            let names: Vec<String> = names.collect();
            format!("{}, {} to place (FE-2.4)", names.join(" or "), whose(*side))
        }
    }
}

const fn whose(side: usize) -> &'static str {
    match side {
        0 => "yours",
        _ => "the solo side's",
    }
}

fn called(table: &Table, ship: &str) -> String {
    table.ship(ship).map_or_else(|| ship.to_owned(), title)
}

/// A place as it is typed: `300,450 @45`, with a digit behind the point where it is needed.
pub fn at(at: At) -> String {
    let mut text = String::new();
    for (before, number) in [("", at.x), (",", at.y), (" @", at.heading)] {
        let tenths = (number * 10.0).round() / 10.0;
        // Writing to a string cannot fail.
        let _ = write!(text, "{before}{tenths}");
    }
    text
}

/// What is placed.
pub fn chosen(placement: &Placement, table: &Table) -> String {
    match placement {
        Placement::Obstacle { piece, at } => format!("{piece} at {}", self::at(*at)),
        Placement::NoObstacle => "no obstacle".to_owned(),
        Placement::Edge { edge, .. } => format!("the {} edge", edge.word()),
        Placement::Ship { ship, at } => format!("{} at {}", called(table, ship), self::at(*at)),
    }
}

/// What a side places, as a sentence.
pub fn sentence(side: usize, placement: &Placement, table: &Table) -> String {
    let (who, s) = match side {
        0 => ("You", ""),
        _ => ("The solo side", "s"),
    };
    let verb = match placement {
        Placement::Obstacle { .. } | Placement::NoObstacle => "lay",
        Placement::Edge { .. } => "take",
        Placement::Ship { .. } => "place",
    };
    format!("{who} {verb}{s} {}.", chosen(placement, table))
}
