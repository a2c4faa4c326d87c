//! When the scripted player's ships save themselves (SA-13: over the player edge), and how they get there.

use crate::{
    geometry::{Pose, angle},
    xwing::{
        battle::{Battle, Fighter},
        scenario::{Edge, SideName, departure},
        ship::Ship,
    },
};

/// A ship with no more hull and shields than this is spent when its side is beaten.
const SPENT: u32 = 2;
/// A side with less than this share of the enemies' hull and shields is beaten.
const BEATEN: f64 = 0.5;

/// The edges over which a ship gets away safely (SA-13).
fn home_edges<'b>(battle: &'b Battle, ship: &Ship) -> impl Iterator<Item = Edge> + use<'b> {
    let scenario = battle.mission().map(|play| &play.mission.scenario);
    let side = [SideName::Player, SideName::Solo]
        .into_iter()
        .find(|side| side.as_str() == ship.side);
    let edges = [Edge::South, Edge::North, Edge::West, Edge::East].into_iter();
    edges.filter(move |edge| {
        scenario
            .zip(side)
            .is_some_and(|(scenario, side)| scenario.saves(side, *edge))
    })
}

/// Whether a ship that leaves the table there gets away safely.
pub(super) fn is_safe(battle: &Battle, ship: &Ship, pose: Pose) -> bool {
    let scenario = battle.mission().map(|play| &play.mission.scenario);
    scenario.is_some_and(|scenario| departure::retreats(scenario, battle.table().area, &ship.side, ship.size, pose))
}

/// Whether a ship does better to save itself than to fight on: it is nearly shot down, its side is beaten, and there is an
/// edge to leave by.
pub(super) fn is_wise(battle: &Battle, ship: &Ship) -> bool {
    let left = |ship: &Ship| battle.fighter(&ship.id).map_or(0, Fighter::left);
    if left(ship) > SPENT || home_edges(battle, ship).next().is_none() {
        return false;
    }
    let (mut own, mut enemies) = (0, 0);
    for other in battle.table().ships_in_play() {
        match other.is_enemy_of(ship) {
            true => enemies += left(other),
            false => own += left(other),
        }
    }
    f64::from(own) < BEATEN * f64::from(enemies)
}

/// For a ship that is spent: near its edge and pointing there.
pub(super) fn homing(battle: &Battle, ship: &Ship) -> f64 {
    let area = battle.table().area;
    let worth = home_edges(battle, ship).map(|edge| {
        let (x, y) = (ship.pose.position.x, ship.pose.position.y);
        let (away, way) = match edge {
            Edge::South => (y, 180.0),
            Edge::North => (area.height - y, 0.0),
            Edge::West => (x, 270.0),
            Edge::East => (area.width - x, 90.0),
        };
        -away / 300.0 - angle::signed(way - ship.pose.heading).abs() / 120.0
    });
    worth.fold(f64::NEG_INFINITY, f64::max)
}
