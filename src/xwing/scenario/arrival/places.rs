//! SA-13: where a ship finds room: against a side of a marker, along an edge, in a corner.

use super::super::{
    Corner, Edge, MarkerSide, Scenario, ScenarioError, SideChoice, SideName, Spacing,
    marker::{MAT_MM, PlacedMarker, somewhere, towards},
};
use crate::{
    dice::{DefenceFace, DiceSource},
    geometry::{Bounds, OVERLAP_MM, Point, Pose, polygon},
    xwing::{
        base::{Footprint, base},
        ship::Ship,
        size::Size,
        table::{PlayArea, Table},
    },
};

/// Distances equal within this are a tie (SA-0).
const TIE_MM: f64 = 0.001;
/// Tries to find room for a ship at an edge.
const TRIES: u32 = 2_000;

/// Whether a ship can stand there: on the table, on no ship and no obstacle.
fn is_free(table: &Table, size: Size, pose: Pose) -> bool {
    let footprint = Footprint::new(size, pose, false);
    let corners = footprint.base().corners();
    let inside = |p: &Point| p.x >= 0.0 && p.y >= 0.0 && p.x <= table.area.width && p.y <= table.area.height;
    corners.iter().all(inside)
        && (table.ships_in_play())
            .all(|other| footprint.penetration(&Footprint::new(other.size, other.pose, false)) <= OVERLAP_MM)
        && (table.obstacles.iter()).all(|obstacle| !polygon::intersect(&corners, &obstacle.outline))
}

/// SA-13: at an even roll of the markers, against the side that a defence die names. When that side is blocked: the other
/// sides of the marker in the scenario's order, then the other markers in the same way (choice).
pub(super) fn at_marker(
    scenario: &Scenario,
    ship: &Ship,
    markers: &[PlacedMarker],
    table: &Table,
    dice: &mut dyn DiceSource,
    notes: &mut Vec<String>,
) -> Option<Pose> {
    let first = dice.choose(markers.len().max(1));
    let face = dice.defence();
    let by_die = scenario.markers.side_by_die;
    let wanted = match face {
        DefenceFace::Blank => by_die.blank,
        DefenceFace::Focus => by_die.focus,
        DefenceFace::Evade => by_die.evade,
    };
    let mut order = markers.iter().cycle().skip(first).take(markers.len());
    let found = order.by_ref().find_map(|marker| {
        let side = match wanted {
            SideChoice::Front => MarkerSide::Front,
            SideChoice::Left => MarkerSide::Left,
            SideChoice::Right => MarkerSide::Right,
            SideChoice::Back => MarkerSide::Back,
            SideChoice::Closest => closest_side(scenario, marker, table, dice),
        };
        let others = (scenario.markers.deployment_sides.iter().copied()).filter(|other| *other != side);
        std::iter::once(side)
            .chain(others)
            .map(|side| (marker, side, marker.arrival(side, ship.size)))
            .find(|(.., pose)| is_free(table, ship.size, *pose))
    });
    let (marker, side, pose) = found?;
    let face = format!("{face:?}").to_lowercase();
    let side = side.word();
    let (name, marker) = (&ship.name, &marker.id);
    notes.push(format!(
        "{name} ({}) arrives at {marker}, {side} side (rolled {face}).",
        ship.id
    ));
    Some(pose)
}

/// The deployment side closest to the nearest player ship; without one, to the player edge. The middle of a side counts
/// (choice), since two sides share each corner. Ties by a seeded roll.
fn closest_side(scenario: &Scenario, marker: &PlacedMarker, table: &Table, dice: &mut dyn DiceSource) -> MarkerSide {
    let players = || {
        table
            .ships_in_play()
            .filter(|ship| ship.side == SideName::Player.as_str())
    };
    let outline = marker.outline();
    let ships: Vec<&Ship> = players().collect();
    let away = |ship: &&Ship| polygon::distance(&outline, &base(ship.size, ship.pose).corners());
    let target: Vec<Point> = match nearest(&ships, away, dice) {
        Some(ship) => base(ship.size, ship.pose).corners().to_vec(),
        None => edge_line(table.area, scenario.player_edge).to_vec(),
    };
    let sides = &scenario.markers.deployment_sides;
    nearest(sides, |side| polygon::distance(&[marker.middle(*side)], &target), dice)
        .copied()
        .unwrap_or(MarkerSide::Front)
}

/// An edge as the line it is.
fn edge_line(area: PlayArea, edge: Edge) -> [Point; 2] {
    let PlayArea { width, height } = area;
    let [sw, se, nw, ne] = [(0.0, 0.0), (width, 0.0), (0.0, height), (width, height)].map(|(x, y)| Point::new(x, y));
    match edge {
        Edge::South => [sw, se],
        Edge::North => [nw, ne],
        Edge::West => [sw, nw],
        Edge::East => [se, ne],
    }
}

/// The one with the smallest distance; of equally near ones a seeded roll (SA-0).
pub(super) fn nearest<'a, T>(all: &'a [T], distance: impl Fn(&T) -> f64, dice: &mut dyn DiceSource) -> Option<&'a T> {
    let distances: Vec<f64> = all.iter().map(distance).collect();
    let least = distances.iter().copied().fold(f64::INFINITY, f64::min);
    let tied: Vec<usize> = (0..all.len()).filter(|&i| distances[i] <= least + TIE_MM).collect();
    match tied.len() {
        0 => None,
        1 => Some(&all[tied[0]]),
        many => Some(&all[tied[dice.choose(many)]]),
    }
}

/// SA-13: so near the player edge, facing away from it, anywhere along it that is free.
pub(super) fn at_edge(
    edge: Edge,
    ship: &Ship,
    spacing: Spacing,
    table: &Table,
    dice: &mut dyn DiceSource,
) -> Result<Pose, ScenarioError> {
    let area = table.area;
    let (least, most) = spacing.limits_mm();
    let heading = towards(edge) + 180.0;
    let (half_width, length) = (ship.size.base_mm() / 2.0, ship.size.length_mm());
    let across = match edge {
        Edge::South | Edge::North => area.width,
        Edge::West | Edge::East => area.height,
    };
    let deep = across_other(area, edge);
    // "Within" holds for the whole base, "beyond" for its nearest point.
    let farthest = if most.is_finite() { most } else { deep };
    if farthest - least.max(MAT_MM) < length {
        return Err(ScenarioError::NoRoom(format!(
            "there is no room for {} at its edge: its base is {length:.0} mm long, and its group's distance leaves {:.0} mm; \
             widen the distance, or field another ship",
            ship.id,
            (farthest - least.max(MAT_MM)).max(0.0)
        )));
    }
    for _ in 0..TRIES {
        let along = somewhere(half_width + MAT_MM, across - half_width - MAT_MM, dice);
        let out = somewhere(least.max(MAT_MM) + length / 2.0, farthest - length / 2.0, dice);
        let (x, y) = match edge {
            Edge::South => (along, out),
            Edge::North => (along, area.height - out),
            Edge::West => (out, along),
            Edge::East => (area.width - out, along),
        };
        let pose = Pose::new(x, y, heading);
        if out + length / 2.0 <= farthest + OVERLAP_MM && is_free(table, ship.size, pose) {
            return Ok(pose);
        }
    }
    Err(ScenarioError::NoRoom(format!(
        "no room for {} at its edge was found in {TRIES} tries; field fewer ships, or widen the group's distance",
        ship.id
    )))
}

/// The extent of the area away from an edge, mm.
fn across_other(area: PlayArea, edge: Edge) -> f64 {
    match edge {
        Edge::South | Edge::North => area.height,
        Edge::West | Edge::East => area.width,
    }
}

/// SA-13, the transport: in a corner by an even roll (a blocked one gives way to the next), the nose towards the opposite
/// one, the base as near to both edges as it can be on any mat.
pub(super) fn in_corner(
    ship: &Ship,
    corners: &[Corner],
    table: &Table,
    dice: &mut dyn DiceSource,
    notes: &mut Vec<String>,
) -> Option<Pose> {
    let first = dice.choose(corners.len().max(1));
    let found = (corners.iter().cycle().skip(first).take(corners.len())).find_map(|&corner| {
        let at = corner.point(table.area);
        let opposite = Point::new(table.area.width - at.x, table.area.height - at.y);
        let heading = (opposite - at).bearing();
        let upright = base(ship.size, Pose::new(0.0, 0.0, heading)).corners();
        let low = Bounds::of(&upright).low;
        let inward = |corner: f64, extent: f64, half: f64| if corner == 0.0 { half } else { extent - half };
        let pose = Pose::new(
            inward(at.x, table.area.width, MAT_MM - low.x),
            inward(at.y, table.area.height, MAT_MM - low.y),
            heading,
        );
        is_free(table, ship.size, pose).then_some((corner, pose))
    });
    let (corner, pose) = found?;
    let (name, id) = (&ship.name, &ship.id);
    notes.push(format!(
        "{name} ({id}) starts in the {} corner and makes for the opposite one.",
        corner.words()
    ));
    Some(pose)
}
