//! SA-13: placing the ships that arrive: at markers by the dice, at the player edge, in corners.

mod places;

use self::places::{at_edge, at_marker, in_corner, nearest};
use super::{
    Arrives, Group, LockOnArrival, Scenario, ScenarioError, departure,
    marker::PlacedMarker,
    muster::{Muster, Recruit},
    standing::Standing,
    wave,
};
use crate::{
    dice::{DiceSource, SeededDice},
    geometry::{CONTACT_MM, Pose},
    xwing::{
        ObjectId,
        measure::{Object, distance},
        ship::{Ship, Status},
        table::{Marker, Table},
    },
};

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
    in_order(scenario, &mut coming);
    let mut locks = Vec::new();
    for recruit in coming {
        let id = recruit.ship.id.clone();
        let mut dice = SeededDice::for_activation(seed, round, &id);
        let placed = place_of(scenario, &recruit, markers, table, &mut dice, &mut arrived.notes)?;
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

/// SA-13: ascending initiative; the first player's ships before others of the same initiative.
fn in_order(scenario: &Scenario, coming: &mut [Recruit]) {
    let second = |ship: &Ship| ship.side != scenario.first_player.as_str();
    let own = scenario.edition.rules().same_skill;
    let rank = |ship: &Ship| (ship.initiative, second(ship));
    coming.sort_by(|Recruit { ship: a, .. }, Recruit { ship: b, .. }| {
        (rank(a), own.order(&a.id)).cmp(&(rank(b), own.order(&b.id)))
    });
}

/// The ships that are placed at set-up, in the order in which they are (SA-13), whatever stands on a table already.
///
/// # Errors
/// A variant that the scenario does not have.
pub fn at_set_up(scenario: &Scenario, muster: &Muster) -> Result<Vec<Recruit>, ScenarioError> {
    let variant = muster.variant.as_deref();
    let arrivals = wave::arrivals(scenario, variant, muster.player_ships, 0, &Standing::default())?;
    let mut coming: Vec<Recruit> = Vec::new();
    for arrival in &arrivals {
        let own = muster.recruits.iter().filter(|recruit| recruit.group == arrival.group);
        coming.extend(own.take(arrival.count as usize).cloned());
    }
    in_order(scenario, &mut coming);
    Ok(coming)
}

/// Where a ship finds its place by the dice, on the table as it stands; `None` if every place is blocked.
///
/// # Errors
/// No room at an edge.
pub fn place_of(
    scenario: &Scenario,
    recruit: &Recruit,
    markers: &[PlacedMarker],
    table: &Table,
    dice: &mut dyn DiceSource,
    notes: &mut Vec<String>,
) -> Result<Option<Pose>, ScenarioError> {
    let Some(group) = scenario.group(&recruit.group) else {
        return Ok(None);
    };
    let ship = &recruit.ship;
    let edge = scenario.player_edge;
    Ok(match &group.arrives {
        Arrives::PlayerEdge(spacing) => Some(at_edge(edge, ship, *spacing, table, dice)?),
        Arrives::FarEdge(spacing) => Some(at_edge(edge.opposite(), ship, *spacing, table, dice)?),
        Arrives::Corner(corners) => in_corner(ship, corners, table, dice, notes),
        Arrives::Marker => at_marker(scenario, ship, markers, table, dice, notes),
    })
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

/// SA-13, the variants: the lock that a ship acquires as it arrives.
pub fn lock_on_arrival(
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
            let position = departure::opposite_corner(table.area, ship.pose);
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
