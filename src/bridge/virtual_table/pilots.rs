//! The script that flies the players' ships: no rules of an opponent, only good sense.

use crate::{
    geometry::angle,
    xwing::{
        maneuver::{Difficulty, Maneuver},
        movement::{self, Alignment, EdgePolicy, MovementOptions},
        ship::Ship,
        table::Table,
    },
};

/// A distance that suits two arcs of range 1 to 3, mm from centre to centre.
const GOOD_DISTANCE: f64 = 200.0;

/// What a script pilot does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Choice {
    /// Its maneuver.
    pub maneuver: Maneuver,
    /// Whether an action is left to it.
    pub may_act: bool,
}

/// The plain maneuver that ends well: on the table, on nothing, pointing at the nearest enemy from a fair distance. The
/// dial's order settles ties.
pub fn choose(table: &Table, ship: &Ship) -> Option<Choice> {
    let options = MovementOptions {
        guides: true,
        edge: EdgePolicy::Flee,
    };
    let stressed = ship.is_stressed();
    let mut best: Option<(f64, Choice)> = None;
    for &maneuver in ship.dial.maneuvers() {
        if maneuver.bearing.is_advanced() || maneuver.difficulty == Difficulty::Purple {
            continue;
        }
        if stressed && maneuver.difficulty == Difficulty::Red {
            continue;
        }
        let end = movement::execute(table, ship, maneuver, Alignment::Middle, &options);
        let mut score = table
            .ships_in_play()
            .filter(|other| other.is_enemy_of(ship))
            .map(|enemy| {
                let offset = enemy.pose.position - end.pose.position;
                let aside = angle::signed(offset.bearing() - end.pose.heading).abs();
                aside + (offset.length() - GOOD_DISTANCE).abs() * 0.3
            })
            .fold(f64::INFINITY, f64::min);
        if score.is_infinite() {
            // Nobody is left to fight: stay near the middle.
            score = end.pose.position.distance(table.area.centre());
        }
        score += if end.edge { 10_000.0 } else { 0.0 };
        score += if end.full { 0.0 } else { 400.0 };
        score += 150.0 * end.suffered.len() as f64;
        score += if maneuver.difficulty == Difficulty::Red {
            60.0
        } else {
            0.0
        };
        let may_act = end.full
            && end.suffered.is_empty()
            && maneuver.difficulty != Difficulty::Red
            && (!stressed || maneuver.difficulty == Difficulty::Blue);
        if best.is_none_or(|(least, _)| score < least) {
            best = Some((score, Choice { maneuver, may_act }));
        }
    }
    best.map(|(_, choice)| choice)
}
