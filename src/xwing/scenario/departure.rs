//! SA-13: who leaves the table over an edge, and how that counts: a player's ship that retreats, the transport that escapes.

use super::{Edge, Scenario, SideName};
use crate::{
    geometry::{CONTACT_MM, OVERLAP_MM, Point, Pose},
    xwing::{ObjectId, base::base, measure::Object, ship::Ship, size::Size, table::Table},
};

/// How near its goal a ship must cross the edge to escape there, mm: range 1 (choice).
const GOAL_MM: f64 = 100.0;

/// The id of the point that a ship makes for: the corner that it locks as it arrives.
pub fn goal_id(ship: &str) -> ObjectId {
    format!("{ship}-goal").into()
}

/// SA-13: whether a ship of that side whose base stands so, over an edge, gets away safely: any of its base lies beyond an
/// edge over which its side retreats (choice, where a base lies beyond two).
pub fn retreats(scenario: &Scenario, side: &str, size: Size, pose: Pose) -> bool {
    let side = match side {
        side if side == SideName::Player.as_str() => SideName::Player,
        side if side == SideName::Solo.as_str() => SideName::Solo,
        _ => return false,
    };
    let area = scenario.play_area();
    let corners = base(size, pose).corners();
    let beyond = |edge: Edge| {
        let out = |corner: &Point| match edge {
            Edge::South => -corner.y,
            Edge::North => corner.y - area.height,
            Edge::West => -corner.x,
            Edge::East => corner.x - area.width,
        };
        corners.iter().any(|corner| out(corner) > OVERLAP_MM)
    };
    [Edge::South, Edge::North, Edge::West, Edge::East]
        .into_iter()
        .any(|edge| scenario.saves(side, edge) && beyond(edge))
}

/// SA-13, the transport: whether a ship that would stand so, over an edge, has reached the corner that it makes for, and
/// leaves the table there: its base lies within range 1 of that point. A solo ship flees nowhere else (SA-7).
pub fn escapes(table: &Table, ship: &Ship, pose: Pose) -> bool {
    let goal = goal_id(&ship.id);
    ship.locks.contains(&goal)
        && (table.markers.iter().filter(|marker| marker.id == goal)).any(|marker| {
            let point = Object::Marker(marker);
            crate::xwing::measure::distance(ship.size, pose, &point) <= GOAL_MM + CONTACT_MM
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sa_13_a_player_ship_is_safe_beyond_the_player_edge_alone() {
        let scenario = Scenario::intro();
        let retreats = |side: &str, x: f64, y: f64| retreats(scenario, side, Size::Small, Pose::new(x, y, 0.0));
        assert!(retreats("player", 300.0, 10.0));
        assert!(!retreats("player", 300.0, 20.0), "on the table to the last millimetre");
        assert!(!retreats("player", 300.0, 910.0));
        assert!(!retreats("player", 5.0, 300.0));
        assert!(retreats("player", 5.0, 5.0), "over both edges of a corner");
        assert!(!retreats("solo", 300.0, 10.0));
        assert!(!retreats("somebody", 300.0, 10.0));
    }
}
