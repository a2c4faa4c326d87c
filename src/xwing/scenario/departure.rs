//! SA-13: who leaves the table over an edge, and how that counts: a player's ship that retreats, the transport that escapes.

use super::{Edge, Scenario, SideName};
use crate::{
    geometry::{CONTACT_MM, OVERLAP_MM, Point, Pose},
    xwing::{
        ObjectId,
        base::base,
        measure::Object,
        ship::Ship,
        size::Size,
        table::{Marker, PlayArea, Table},
    },
};

/// How near its goal a ship must cross the edge to escape there, mm: range 1 (choice).
const GOAL_MM: f64 = 100.0;

/// Behind the id of a ship: the id of its goal.
const GOAL: &str = "-goal";

/// The id of the point that a ship makes for: the corner that it locks as it arrives.
pub fn goal_id(ship: &str) -> ObjectId {
    format!("{ship}{GOAL}").into()
}

/// The point that a ship on the table makes for, if it makes for one: whatever else it locks later, that stays its tally.
pub fn goal<'t>(table: &'t Table, ship: &Ship) -> Option<&'t Marker> {
    let is_goal = |marker: &&Marker| marker.id.strip_suffix(GOAL) == Some(&*ship.id);
    table.markers.iter().find(is_goal)
}

/// The corner of the play area that lies opposite to where a ship stands.
pub fn opposite_corner(area: PlayArea, pose: Pose) -> Point {
    let far = |value: f64, extent: f64| if value < extent / 2.0 { extent } else { 0.0 };
    Point::new(far(pose.position.x, area.width), far(pose.position.y, area.height))
}

/// SA-13: whether a ship of that side whose base stands so, over an edge, gets away safely: any of its base lies beyond an
/// edge over which its side retreats (choice, where a base lies beyond two).
pub fn retreats(scenario: &Scenario, area: PlayArea, side: &str, size: Size, pose: Pose) -> bool {
    let side = match side {
        side if side == SideName::Player.as_str() => SideName::Player,
        side if side == SideName::Solo.as_str() => SideName::Solo,
        _ => return false,
    };
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
    goal(table, ship).is_some_and(|goal| {
        let point = Object::Marker(goal);
        crate::xwing::measure::distance(ship.size, pose, &point) <= GOAL_MM + CONTACT_MM
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sa_13_a_player_ship_is_safe_beyond_the_player_edge_alone() {
        let scenario = Scenario::intro();
        let area = scenario.play_area();
        let retreats = |side: &str, x: f64, y: f64| retreats(scenario, area, side, Size::Small, Pose::new(x, y, 0.0));
        assert!(retreats("player", 300.0, 10.0));
        assert!(!retreats("player", 300.0, 20.0), "on the table to the last millimetre");
        assert!(!retreats("player", 300.0, 910.0));
        assert!(!retreats("player", 5.0, 300.0));
        assert!(retreats("player", 5.0, 5.0), "over both edges of a corner");
        assert!(!retreats("solo", 300.0, 10.0));
        assert!(!retreats("somebody", 300.0, 10.0));
    }
}
