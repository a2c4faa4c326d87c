//! SA-13: placing the ships that arrive: at markers by the dice, at the player edge, in corners.

use super::{
    Arrives, Corner, Edge, Group, LockOnArrival, MarkerSide, Scenario, ScenarioError, SideChoice, SideName, Spacing,
    departure,
    marker::{MAT_MM, PlacedMarker, somewhere, towards},
    muster::{Muster, Recruit},
    standing::Standing,
    wave,
};
use crate::{
    dice::{DefenceFace, DiceSource, SeededDice},
    geometry::{CONTACT_MM, OVERLAP_MM, Point, Pose, polygon},
    xwing::{
        ObjectId,
        base::{Footprint, base},
        measure::{Object, distance},
        ship::{Ship, Status},
        size::Size,
        table::{Marker, PlayArea, Table},
    },
};

/// Distances equal within this are a tie (SA-0).
const TIE_MM: f64 = 0.001;
/// Tries to find room for a ship at the player edge.
const TRIES: u32 = 2_000;

/// What was placed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Arrived {
    /// The ships placed, in order.
    pub ships: Vec<ObjectId>,
    /// What the players ought to know: rolls, blocked sides, ships that wait.
    pub notes: Vec<String>,
}

/// Places everyone who arrives at the beginning of a round (0: set-up) on the table: in ascending initiative, of one
/// initiative the first player's ships first. Rolls come from the seed, the round and the ship's id, so a wave is a
/// function of the table as it stands.
///
/// A ship that finds every side blocked by a ship or an obstacle stays in reserve, the first of its group for the next
/// wave (choice).
///
/// # Errors
/// No room at the player edge, or a variant that the scenario does not have.
pub fn bring_in(
    scenario: &Scenario,
    muster: &Muster,
    markers: &[PlacedMarker],
    table: &mut Table,
    round: u32,
    seed: u64,
) -> Result<Arrived, ScenarioError> {
    let standing = Standing::of(scenario, table);
    let variant = muster.variant.as_deref();
    let arrivals = wave::arrivals(scenario, variant, muster.player_ships, round, &standing)?;
    let mut arrived = Arrived::default();
    let mut coming: Vec<Recruit> = Vec::new();
    for arrival in &arrivals {
        let group = scenario.group(&arrival.group).filter(|_| arrival.count > 0);
        coming.extend(group.map_or_else(Vec::new, |group| {
            called_up(muster, group, arrival.count, table, &mut arrived.notes)
        }));
    }
    // SA-13: ascending initiative; the first player's ships before others of the same initiative.
    let second = |ship: &Ship| ship.side != scenario.first_player.as_str();
    coming.sort_by(|a, b| {
        (a.ship.initiative, second(&a.ship), &a.ship.id).cmp(&(b.ship.initiative, second(&b.ship), &b.ship.id))
    });
    let mut locks = Vec::new();
    for recruit in coming {
        let Some(group) = scenario.group(&recruit.group) else {
            continue;
        };
        let id = recruit.ship.id.clone();
        let mut dice = SeededDice::for_activation(seed, round, &id);
        let placed = match &group.arrives {
            Arrives::PlayerEdge(spacing) => {
                let edge = scenario.player_edge;
                Some(at_edge(scenario, edge, &recruit.ship, *spacing, table, &mut dice)?)
            }
            Arrives::FarEdge(spacing) => {
                let edge = scenario.player_edge.opposite();
                Some(at_edge(scenario, edge, &recruit.ship, *spacing, table, &mut dice)?)
            }
            Arrives::Corner(corners) => in_corner(&recruit.ship, corners, table, &mut dice, &mut arrived.notes),
            Arrives::Marker => at_marker(scenario, &recruit.ship, markers, table, &mut dice, &mut arrived.notes),
        };
        let mut ship = recruit.ship;
        let Some(pose) = placed else {
            let name = &ship.name;
            arrived
                .notes
                .push(format!("{name} ({id}) finds no room to arrive and waits."));
            put(table, ship);
            continue;
        };
        ship.pose = pose;
        ship.status = Status::InPlay;
        put(table, ship);
        arrived.ships.push(id.clone());
        locks.extend(recruit.lock.map(|lock| (id, lock, dice)));
    }
    // Once all are there, so that a ship of low initiative finds somebody to lock (choice).
    for (id, lock, mut dice) in locks {
        if let Some(mut ship) = table.ship(&id).cloned() {
            lock_on_arrival(&mut ship, lock, table, &mut dice, &mut arrived.notes);
            put(table, ship);
        }
    }
    Ok(arrived)
}

/// The next ships of a group: those that wait, in the muster's order, then destroyed ones as new ships (choice; the text
/// lets destroyed models come back as reinforcements).
fn called_up(muster: &Muster, group: &Group, count: u32, table: &Table, notes: &mut Vec<String>) -> Vec<Recruit> {
    let own = || muster.recruits.iter().filter(|recruit| recruit.group == group.id);
    let waits = |recruit: &&Recruit| {
        table
            .ship(&recruit.ship.id)
            .is_none_or(|ship| ship.status == Status::Reserved)
    };
    let mut called: Vec<Recruit> = own().filter(waits).take(count as usize).cloned().collect();
    let missing = count as usize - called.len();
    if missing == 0 {
        return called;
    }
    if !group.destroyed_return {
        let id = &group.id;
        notes.push(format!(
            "The group `{id}` has {missing} ships fewer than the wave asks for."
        ));
        return called;
    }
    let destroyed = |recruit: &&Recruit| {
        table
            .ship(&recruit.ship.id)
            .is_some_and(|ship| ship.status == Status::Destroyed)
    };
    let highest = (table.ships.iter().map(|ship| &ship.id))
        .chain(own().map(|recruit| &recruit.ship.id))
        .filter_map(|id| {
            id.strip_prefix(group.id.as_str())?
                .strip_prefix('-')?
                .parse::<u32>()
                .ok()
        })
        .fold(0, u32::max);
    let back: Vec<Recruit> = (own().filter(destroyed).take(missing).zip(highest + 1..))
        .map(|(recruit, number)| muster.another(recruit, number))
        .collect();
    for recruit in &back {
        let name = &recruit.ship.name;
        notes.push(format!(
            "{name} comes as {}: no other ship of its group is left.",
            recruit.ship.id
        ));
    }
    called.extend(back);
    called
}

fn put(table: &mut Table, ship: Ship) {
    match table.ships.binary_search_by(|other| other.id.cmp(&ship.id)) {
        Ok(index) => table.ships[index] = ship,
        Err(index) => table.ships.insert(index, ship),
    }
}

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
fn at_marker(
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
    let side = format!("{side:?}").to_lowercase();
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
        None => player_edge(scenario).to_vec(),
    };
    let sides = &scenario.markers.deployment_sides;
    nearest(sides, |side| polygon::distance(&[marker.middle(*side)], &target), dice)
        .copied()
        .unwrap_or(MarkerSide::Front)
}

/// The player edge as the line it is.
fn player_edge(scenario: &Scenario) -> [Point; 2] {
    let PlayArea { width, height } = scenario.play_area();
    let [sw, se, nw, ne] = [(0.0, 0.0), (width, 0.0), (0.0, height), (width, height)].map(|(x, y)| Point::new(x, y));
    match scenario.player_edge {
        Edge::South => [sw, se],
        Edge::North => [nw, ne],
        Edge::West => [sw, nw],
        Edge::East => [se, ne],
    }
}

/// The one with the smallest distance; of equally near ones a seeded roll (SA-0).
fn nearest<'a, T>(all: &'a [T], distance: impl Fn(&T) -> f64, dice: &mut dyn DiceSource) -> Option<&'a T> {
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
fn at_edge(
    scenario: &Scenario,
    edge: Edge,
    ship: &Ship,
    spacing: Spacing,
    table: &Table,
    dice: &mut dyn DiceSource,
) -> Result<Pose, ScenarioError> {
    let area = scenario.play_area();
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

fn corner_point(area: PlayArea, corner: Corner) -> Point {
    match corner {
        Corner::SouthWest => Point::new(0.0, 0.0),
        Corner::SouthEast => Point::new(area.width, 0.0),
        Corner::NorthWest => Point::new(0.0, area.height),
        Corner::NorthEast => Point::new(area.width, area.height),
    }
}

/// SA-13, the transport: in a corner by an even roll (a blocked one gives way to the next), the nose towards the opposite
/// one, the base as near to both edges as it can be on any mat.
fn in_corner(
    ship: &Ship,
    corners: &[Corner],
    table: &Table,
    dice: &mut dyn DiceSource,
    notes: &mut Vec<String>,
) -> Option<Pose> {
    let first = dice.choose(corners.len().max(1));
    let found = (corners.iter().cycle().skip(first).take(corners.len())).find_map(|&corner| {
        let at = corner_point(table.area, corner);
        let opposite = Point::new(table.area.width - at.x, table.area.height - at.y);
        let heading = (opposite - at).bearing();
        let upright = base(ship.size, Pose::new(0.0, 0.0, heading)).corners();
        let (low, _) = polygon::bounding_box(&upright);
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
        "{name} ({id}) starts in the corner {corner:?} and makes for the opposite one."
    ));
    Some(pose)
}

/// SA-13, the variants: the lock that a ship acquires as it arrives.
fn lock_on_arrival(
    ship: &mut Ship,
    lock: LockOnArrival,
    table: &mut Table,
    dice: &mut dyn DiceSource,
    notes: &mut Vec<String>,
) {
    match lock {
        LockOnArrival::NearestEnemy => {
            let enemies: Vec<&Ship> = table.ships_in_play().filter(|other| other.is_enemy_of(ship)).collect();
            let away = |enemy: &&Ship| {
                let apart = distance(ship.size, ship.pose, &Object::Ship(enemy));
                if apart <= CONTACT_MM { 0.0 } else { apart }
            };
            match nearest(&enemies, away, dice) {
                Some(enemy) => {
                    notes.push(format!("{} ({}) locks {}.", ship.name, ship.id, enemy.name));
                    ship.locks = vec![enemy.id.clone()];
                }
                None => notes.push(format!("{} ({}) finds nobody to lock.", ship.name, ship.id)),
            }
        }
        LockOnArrival::OppositeCorner => {
            let area = table.area;
            let low = |value: f64, extent: f64| if value < extent / 2.0 { extent } else { 0.0 };
            let position = Point::new(
                low(ship.pose.position.x, area.width),
                low(ship.pose.position.y, area.height),
            );
            let id = departure::goal_id(&ship.id);
            if let Err(index) = table.markers.binary_search_by(|marker| marker.id.cmp(&id)) {
                table.markers.insert(
                    index,
                    Marker {
                        id: id.clone(),
                        position,
                    },
                );
            }
            ship.locks = vec![id];
        }
    }
}
