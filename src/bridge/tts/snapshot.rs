//! A raw snapshot as a table of the rules.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Warning, models, obstacles,
    ships::{self, Sides},
    units::{Frame, UNITS_PER_MM, played_mat},
};
use crate::{
    game::LoosePiece,
    protocol::snapshot::{TtsShip, TtsSnapshot},
    xwing::{ObjectId, catalog::Catalog, measure, ship::Ship, table::Table},
};

/// How far the mod's own bump may leave two ships apart, mm: both have guides of up to 2.7 mm.
const BUMP_GAP_MM: f64 = 5.5;

/// Half the side of the area that is taken where no mat was found, mm: too far for any edge to matter.
const NO_MAT_HALF_MM: f64 = 1500.0;

/// What was understood of a snapshot.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// The table.
    pub table: Table,
    /// Where it lies in the world.
    pub frame: Frame,
    /// Ships with a dial assigned.
    pub dials: BTreeSet<ObjectId>,
    /// Turret mount by GUID: `main`, or the first one where there is no such.
    pub mounts: BTreeMap<String, String>,
    /// Obstacles that lie beside the mat.
    pub loose: Vec<LoosePiece>,
    /// What could not be used, or was filled in.
    pub warnings: Vec<Warning>,
}

/// Reads a snapshot. `solo` are the ships that the program flies. The order of the objects does not matter.
pub fn read(snapshot: &TtsSnapshot, solo: &BTreeSet<ObjectId>, catalog: &Catalog) -> Reading {
    let unread = snapshot.unread.iter();
    let mut warnings = unread
        .map(|warning| Warning::new(&*warning.object, &*warning.message))
        .collect();
    let raw_ships = usable_ships(snapshot, &mut warnings);
    let frame = frame(snapshot, &raw_ships, &mut warnings);
    let sides = Sides::of(&raw_ships, raw_ships.iter().any(|ship| solo.contains(&*ship.guid)));
    let guids: BTreeMap<&str, &str> = raw_ships.iter().map(|ship| (&*ship.guid, &*ship.name)).collect();
    let mut ships: Vec<Ship> = Vec::new();
    let mut dials = BTreeSet::new();
    let mut mounts = BTreeMap::new();
    for raw in &raw_ships {
        let is_solo = solo.contains(&*raw.guid);
        let ship = ships::convert(raw, &frame, sides, is_solo, catalog, &mut warnings);
        if !raw.dial.is_empty() {
            dials.insert(ship.id.clone());
        }
        let mount = raw.turrets.get_key_value("main").or(raw.turrets.first_key_value());
        mounts.extend(mount.map(|(mount, _)| (raw.guid.clone(), mount.clone())));
        ships.push(ship);
    }
    warnings.extend(models::found(&raw_ships, catalog));
    for raw in &raw_ships {
        for locker in ships::lockers(raw, &guids, &mut warnings) {
            if let Some(ship) = ships.iter_mut().find(|ship| ship.id == locker) {
                ship.locks.push(raw.guid.as_str().into());
            }
        }
    }
    let bumped: BTreeSet<&str> = raw_ships
        .iter()
        .filter(|ship| ship.bumped)
        .map(|ship| &*ship.guid)
        .collect();
    pair_bumps(&mut ships, &bumped);
    let mut raw_obstacles: Vec<_> = snapshot.obstacles.iter().collect();
    raw_obstacles.sort_by(|a, b| a.guid.cmp(&b.guid));
    let mut seen = BTreeSet::new();
    let raw_obstacles: Vec<_> = raw_obstacles
        .into_iter()
        .filter(|raw| [raw.x, raw.z, raw.rot_y].iter().all(|value| value.is_finite()))
        .filter(|raw| seen.insert(raw.guid.clone()))
        .collect();
    let loose = raw_obstacles
        .iter()
        .filter_map(|raw| obstacles::loose(raw, &frame, catalog.outlines()));
    let loose = loose.collect();
    let obstacles = raw_obstacles
        .into_iter()
        .filter_map(|raw| obstacles::convert(raw, &frame, catalog.outlines(), &mut warnings))
        .collect();
    Reading {
        table: Table::new(frame.area(), ships, obstacles, Vec::new()).with_rules(catalog.rules()),
        frame,
        dials,
        mounts,
        loose,
        warnings,
    }
}

/// The ships that have an id of their own and a place, in id order.
fn usable_ships(snapshot: &TtsSnapshot, warnings: &mut Vec<Warning>) -> Vec<TtsShip> {
    let mut raw: Vec<&TtsShip> = snapshot.ships.iter().collect();
    // Of two with the same GUID the same one is taken, however they are listed.
    raw.sort_by(|a, b| a.guid.cmp(&b.guid).then(a.x.total_cmp(&b.x)).then(a.z.total_cmp(&b.z)));
    let mut ships: Vec<TtsShip> = Vec::new();
    for ship in raw {
        let name = if ship.name.is_empty() { "a ship" } else { &ship.name };
        if ship.guid.is_empty() {
            warnings.push(Warning::new(
                name,
                "it has no GUID and is left out; pick it up and put it down again",
            ));
        } else if ships.last().is_some_and(|last| last.guid == ship.guid) {
            warnings.push(Warning::new(
                &*ship.guid,
                format!("{name}: two ships have this GUID; only one counts. Copy the other one again"),
            ));
        } else if ![ship.x, ship.z, ship.rot_y].iter().all(|value| value.is_finite()) {
            warnings.push(Warning::new(
                &*ship.guid,
                format!("{name}: its position is not a number, so it is left out; put it back on the mat"),
            ));
        } else {
            ships.push(ship.clone());
        }
    }
    ships
}

fn frame(snapshot: &TtsSnapshot, ships: &[TtsShip], warnings: &mut Vec<Warning>) -> Frame {
    let places: Vec<(f64, f64)> = ships.iter().map(|ship| (ship.x, ship.z)).collect();
    if let Some(mat) = played_mat(&snapshot.mats, &places) {
        return Frame::of_mat(mat);
    }
    warnings.push(Warning::new(
        "",
        "no play mat was found, so nobody minds the edges of the table; choose a mat with the mod's layout controller",
    ));
    let middle = |values: &dyn Fn(&(f64, f64)) -> f64| {
        let low = places.iter().map(values).fold(f64::INFINITY, f64::min);
        let high = places.iter().map(values).fold(f64::NEG_INFINITY, f64::max);
        if low <= high { (low + high) / 2.0 } else { 0.0 }
    };
    let half = NO_MAT_HALF_MM * UNITS_PER_MM;
    Frame::new(middle(&|place| place.0), middle(&|place| place.1), half, half)
}

/// SA-0: a ship that the table reports as bumped is at range 0 of the nearest ship within a guide's width.
fn pair_bumps(ships: &mut [Ship], bumped: &BTreeSet<&str>) {
    let mut pairs = Vec::new();
    for (index, ship) in ships.iter().enumerate() {
        if !ship.in_play() || !bumped.contains(&*ship.id) {
            continue;
        }
        let nearest = ships
            .iter()
            .enumerate()
            .filter(|(other, that)| *other != index && that.in_play())
            .map(|(other, that)| (other, measure::ship_distance(ship, that)))
            .filter(|(_, gap)| *gap <= BUMP_GAP_MM)
            .min_by(|a, b| a.1.total_cmp(&b.1).then_with(|| ships[a.0].id.cmp(&ships[b.0].id)));
        if let Some((other, _)) = nearest {
            pairs.push((index, other));
        }
    }
    for (a, b) in pairs {
        for (ship, other) in [(a, b), (b, a)] {
            let id = ships[other].id.clone();
            if !ships[ship].bumped.contains(&id) {
                ships[ship].bumped.push(id);
            }
        }
    }
}
