//! The way back: a position as JSON text, without what the catalog says anyway.

use super::{Position, wire};
use crate::xwing::{
    catalog::Catalog,
    edition::{Edition, FirstEditionOptions},
    obstacle::Obstacle,
    ship::Ship,
    weapon::Weapon,
};

/// Writes a position as one line of JSON that [`super::parse`] reads back to the same table.
pub fn write(position: &Position, catalog: &Catalog) -> String {
    // The wire type has no map with keys that are not text and no number that may fail, so this cannot go wrong; an
    // infinite coordinate, which no parsed position has, is written as null.
    serde_json::to_string(&to_wire(position, catalog)).unwrap_or_default()
}

/// The wire type of a position. What a ship has from the catalog is left out.
pub fn to_wire(position: &Position, catalog: &Catalog) -> wire::Position {
    let table = &position.table;
    let edition = table.rules.edition;
    let catalog = catalog.of_edition(edition);
    let options = Some(position.options).filter(|_| edition == Edition::First);
    wire::Position {
        id: position.id.clone(),
        // Silence means the edition of whoever reads it, so that only the usual one is left out.
        edition: Some(edition).filter(|edition| *edition != Edition::default()),
        rules: options.filter(|options| *options != FirstEditionOptions::default()),
        area: wire::Area {
            w: table.area.width,
            h: table.area.height,
        },
        active: position.active.as_deref().map(str::to_owned),
        roll: position.roll,
        forced_tally: position.forced_tally.as_deref().map(str::to_owned),
        ships: table.ships.iter().map(|ship| self::ship(ship, catalog)).collect(),
        obstacles: table.obstacles.iter().map(obstacle).collect(),
        points: (table.markers.iter())
            .map(|marker| wire::Marker {
                id: marker.id.to_string(),
                x: marker.position.x,
                y: marker.position.y,
            })
            .collect(),
        tags: position.tags.clone(),
    }
}

fn ship(ship: &Ship, catalog: &Catalog) -> wire::Ship {
    let facts = catalog.ship(&ship.chassis);
    let primaries: Vec<Weapon> = (ship.weapons.iter().filter(|weapon| weapon.special.is_none()))
        .cloned()
        .collect();
    let same_dial = facts.is_some_and(|facts| facts.dial == ship.dial);
    let same_weapons = facts.is_some_and(|facts| facts.stats.weapons == primaries);
    let same_actions = facts.is_some_and(|facts| facts.actions == ship.actions);
    wire::Ship {
        id: ship.id.to_string(),
        name: Some(ship.name.clone()).filter(|name| !name.is_empty()),
        side: ship.side.clone(),
        ship: ship.chassis.clone(),
        // A pilot's own statline and actions are already in the ship and are written where they differ.
        pilot: None,
        upgrades: Vec::new(),
        size: Some(ship.size),
        x: ship.pose.position.x,
        y: ship.pose.position.y,
        heading: ship.pose.heading,
        initiative: Some(ship.initiative),
        tokens: wire::TokenPile::of(ship.tokens, ship.locks.iter().map(|id| id.to_string()).collect()),
        status: ship.status,
        turret: ship.turret.clone(),
        special: ship.weapons.iter().filter_map(special).collect(),
        device: ship.device.as_ref().map(|device| wire::Device {
            id: Some(device.id.clone()),
            slot: None,
            charges: device.charges.left,
            max_charges: device.charges.max,
        }),
        done: ship.performed.clone(),
        bumped: ship.bumped.iter().map(|id| id.to_string()).collect(),
        dial: (!same_dial).then(|| ship.dial.maneuvers().iter().map(ToString::to_string).collect()),
        weapons: (!same_weapons).then(|| primaries.iter().map(primary).collect()),
        actions: (!same_actions).then(|| ship.actions.iter().copied().map(Into::into).collect()),
    }
}

fn primary(weapon: &Weapon) -> wire::Primary {
    wire::Primary {
        arc: weapon.arc,
        value: weapon.value,
        min: weapon.min_range,
        max: weapon.max_range,
    }
}

fn special(weapon: &Weapon) -> Option<wire::Special> {
    let special = weapon.special.as_ref()?;
    Some(wire::Special {
        id: weapon.id.clone(),
        arc: Some(weapon.arc),
        value: Some(weapon.value),
        min: Some(weapon.min_range),
        max: Some(weapon.max_range),
        requires: Some(special.requires.clone().into()),
        charges: special.charges.map(|charges| charges.left),
        max_charges: special.charges.map(|charges| charges.max),
        slot: Some(special.slot.clone()),
    })
}

fn obstacle(obstacle: &Obstacle) -> wire::Obstacle {
    wire::Obstacle {
        id: obstacle.id.to_string(),
        kind: obstacle.kind,
        points: obstacle.outline.iter().map(|corner| [corner.x, corner.y]).collect(),
        shape: None,
        x: None,
        y: None,
        heading: None,
    }
}
