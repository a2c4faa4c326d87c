//! From the wire type to the table: facts from the catalog, ids checked, bounds held.

mod foreign;
mod obstacle;
mod ship;
mod weapon;

use std::collections::HashSet;

use self::{obstacle::resolve_obstacle, ship::resolve_ship};
use super::{Position, PositionError, Warning, fields::nearest, wire};
use crate::{
    geometry::Point,
    visible::{steers, visible},
    xwing::{
        ObjectId,
        catalog::Catalog,
        edition::{Edition, FirstEditionOptions, Rules},
        table::{Marker, PlayArea, Table},
    },
};

/// Most ships, obstacles and points that a position may have, each.
const MAX_OBJECTS: usize = 200;
/// Most corners of an obstacle's outline.
const MAX_CORNERS: usize = 256;
/// Farthest that anything may lie from the table's corner, mm.
const MAX_COORDINATE_MM: f64 = 20_000.0;
/// Smallest and largest side of a play area, mm.
const AREA_SIDES_MM: std::ops::RangeInclusive<f64> = 100.0..=10_000.0;
/// Longest id, bytes.
const MAX_ID_BYTES: usize = 100;
/// Most special weapons, primary weapons, actions or locks of one ship.
const MAX_LIST: usize = 100;

/// Turns the wire type into a table.
///
/// # Errors
/// As [`super::parse`], without the errors of JSON.
pub fn resolve(wire: wire::Position, catalog: &Catalog) -> Result<Position, PositionError> {
    let mut warnings = Vec::new();
    check_count("ships", wire.ships.len(), MAX_OBJECTS)?;
    check_count("obstacles", wire.obstacles.len(), MAX_OBJECTS)?;
    check_count("points", wire.points.len(), MAX_OBJECTS)?;
    for (name, side) in [("area.w", wire.area.w), ("area.h", wire.area.h)] {
        if !AREA_SIDES_MM.contains(&side) {
            return Err(PositionError::at(
                name,
                format!("{side} mm is no side of a play area: give 100 to 10000 mm, 914.4 for 3 feet"),
            ));
        }
    }
    let ids = collect_ids(&wire)?;
    let outlines = catalog.outlines();
    let catalog = catalog.of_edition(wire.edition.unwrap_or(catalog.edition()));
    let rules = rules(catalog.edition(), wire.rules.as_ref())?;
    let ships = wire
        .ships
        .into_iter()
        .enumerate()
        .map(|(index, ship)| resolve_ship(ship, &format!("ships[{index}]"), catalog, &ids, &mut warnings))
        .collect::<Result<Vec<_>, _>>()?;
    let obstacles = wire
        .obstacles
        .into_iter()
        .enumerate()
        .map(|(index, obstacle)| resolve_obstacle(obstacle, &format!("obstacles[{index}]"), outlines, &mut warnings))
        .collect::<Result<Vec<_>, _>>()?;
    let markers = wire
        .points
        .into_iter()
        .enumerate()
        .map(|(index, marker)| {
            Ok(Marker {
                position: point(&format!("points[{index}]"), marker.x, marker.y)?,
                id: marker.id.into(),
            })
        })
        .collect::<Result<Vec<_>, _>>()?;
    let area = PlayArea {
        width: wire.area.w,
        height: wire.area.h,
    };
    for (index, ship) in ships.iter().enumerate().filter(|(_, ship)| ship.in_play()) {
        let Point { x, y } = ship.pose.position;
        if x < 0.0 || y < 0.0 || x > area.width || y > area.height {
            warnings.push(Warning {
                place: format!("ships[{index}].x"),
                message: format!(
                    "`{}` stands at {x:.1},{y:.1}, off the play area, and still counts as in play",
                    ship.id
                ),
            });
        }
    }
    let table = Table::new(area, ships, obstacles, markers).with_rules(rules);
    let active = match wire.active {
        None => None,
        Some(id) => Some(known_ship(&table, "active", &id)?),
    };
    let forced_tally = match wire.forced_tally {
        None => None,
        Some(id) => match ids.get(id.as_str()) {
            Some(_) => Some(ObjectId::from(id)),
            None => {
                let message = format!(
                    "no ship, obstacle or point has the id `{}`: correct it or leave `forced_tally` out{}",
                    printable(&id),
                    suggestion(&id, ids.iter().map(String::as_str))
                );
                return Err(PositionError::at("forced_tally", message));
            }
        },
    };
    Ok(Position {
        id: wire.id,
        table,
        options: wire.rules.unwrap_or_default(),
        active,
        roll: wire.roll,
        forced_tally,
        tags: wire.tags,
        warnings,
    })
}

/// The rules that an edition and its options make.
fn rules(edition: Edition, options: Option<&FirstEditionOptions>) -> Result<Rules, PositionError> {
    match (edition, options) {
        (Edition::First, Some(options)) => Ok(options.rules()),
        (edition, None) => Ok(edition.rules()),
        (Edition::Second, Some(_)) => Err(PositionError::at(
            "rules",
            "these are options of the first edition: leave them out, or give `edition` as `first`",
        )),
    }
}

fn check_count(place: &str, count: usize, limit: usize) -> Result<(), PositionError> {
    if count > limit {
        return Err(PositionError::at(
            place,
            format!("{count} entries; at most {limit} are taken"),
        ));
    }
    Ok(())
}

/// Every object's id, each checked to be a word of its own.
fn collect_ids(wire: &wire::Position) -> Result<HashSet<String>, PositionError> {
    let mut ids = HashSet::new();
    let ships = wire.ships.iter().map(|ship| &ship.id).enumerate();
    let obstacles = wire.obstacles.iter().map(|obstacle| &obstacle.id).enumerate();
    let points = wire.points.iter().map(|point| &point.id).enumerate();
    let all = (ships.map(|(i, id)| ("ships", i, id)))
        .chain(obstacles.map(|(i, id)| ("obstacles", i, id)))
        .chain(points.map(|(i, id)| ("points", i, id)));
    for (list, index, id) in all {
        let complain = |message: String| Err(PositionError::at(format!("{list}[{index}].id"), message));
        if id.is_empty() {
            return complain("is empty: give each object an id of its own".to_owned());
        }
        if id.len() > MAX_ID_BYTES {
            return complain(format!("is {} bytes long; at most {MAX_ID_BYTES} are taken", id.len()));
        }
        if id.chars().any(steers) {
            return complain("holds a character that is not seen: use printable ones".to_owned());
        }
        if !ids.insert(id.clone()) {
            return complain(format!(
                "`{id}` is already another object's id: give each object its own"
            ));
        }
    }
    Ok(ids)
}

fn known_ship(table: &Table, place: &str, id: &str) -> Result<ObjectId, PositionError> {
    match table.ship(id) {
        Some(ship) => Ok(ship.id.clone()),
        None => {
            let known: Vec<&str> = table.ships.iter().map(|ship| &*ship.id).take(20).collect();
            let id = printable(id);
            let message = match known.is_empty() {
                true => format!("no ship has the id `{id}`: the position has no ships"),
                false => format!("no ship has the id `{id}`: the ships are {}", known.join(", ")),
            };
            Err(PositionError::at(place, message))
        }
    }
}

fn suggestion<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> String {
    match nearest(word, candidates) {
        Some(known) => format!("; is `{known}` meant?"),
        None => String::new(),
    }
}

fn coordinate(place: String, value: f64) -> Result<f64, PositionError> {
    if value.abs() <= MAX_COORDINATE_MM {
        return Ok(value);
    }
    let message = format!("{value} is no place on a table: give millimetres from the south-west corner, at most 20000");
    Err(PositionError::at(place, message))
}

fn point(place: &str, x: f64, y: f64) -> Result<Point, PositionError> {
    Ok(Point::new(
        coordinate(format!("{place}.x"), x)?,
        coordinate(format!("{place}.y"), y)?,
    ))
}

fn heading(place: &str, degrees: f64) -> Result<f64, PositionError> {
    if degrees.abs() <= 1.0e6 {
        return Ok(degrees);
    }
    let message = format!("{degrees} is no heading: give degrees clockwise from north, 0 to 360");
    Err(PositionError::at(format!("{place}.heading"), message))
}

/// A name as it may be shown on one line.
fn printable(name: &str) -> String {
    visible(name).chars().take(80).collect()
}
