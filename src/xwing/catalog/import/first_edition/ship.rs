//! Ships of the first edition.

use std::sync::Arc;

use super::{super::ship::size, Fields, dial};
use crate::xwing::{
    action::{ActionKind, BarAction, ColoredAction},
    catalog::{
        ShipFacts,
        facts::{Pool, Statline},
        notation::{self, primary_weapon},
    },
    maneuver::{Dial, Difficulty},
    size::Size,
    weapon::{Weapon, WeaponArc},
};

/// A ship; `None` when it has no id, name or size.
pub(super) fn read(fields: &Fields<'_>) -> Option<ShipFacts> {
    // The publisher's number and what only epic games ask for.
    fields.leave_out(&["id", "epic_points", "maneuvers_energy"]);
    let xws = fields.required_text("xws", "ship")?;
    let name = fields.required_text("name", "ship")?;
    let size_text = fields.required_text("size", "ship")?;
    let Some(size) = size(size_text) else {
        fields.warn("size", &format!("`{size_text}` is no known size; the ship is left out"));
        return None;
    };
    let mut factions: Vec<String> = (fields.texts("faction").iter())
        .map(|text| fields.faction("faction", text))
        .collect();
    factions.sort();
    if factions.is_empty() {
        fields.warn("faction", "names none; the ship is left out");
        return None;
    }
    // FE-SOLO-15: what huge ships fly is written with other templates, and not flown.
    let dial = if size == Size::Huge {
        fields.leave_out(&["maneuvers", "dial"]);
        Dial::default()
    } else {
        dial::read(fields)
    };
    Some(ShipFacts {
        xws: xws.to_owned(),
        name: name.to_owned(),
        factions,
        size,
        dial: Arc::new(dial),
        stats: stats(fields),
        actions: fields.parsed("actions", "action", action),
        pilots: Vec::new(),
    })
}

/// Attack with its arcs, agility, hull, shields, energy.
fn stats(fields: &Fields<'_>) -> Statline {
    let attack: Option<u32> = fields.number("attack");
    let arcs = fields.texts("firing_arcs");
    let weapons = match attack {
        Some(_) if arcs.is_empty() => {
            fields.warn("firing_arcs", "is missing; the ship's own weapon is left out");
            Vec::new()
        }
        Some(value) => weapons(fields, &arcs, value),
        None => Vec::new(),
    };
    Statline {
        weapons,
        agility: fields.number("agility"),
        hull: fields.number("hull"),
        shields: fields.number("shields").unwrap_or(0),
        shields_recover: 0,
        energy: (fields.number("energy")).map(|value| Pool { value, recovers: 0 }),
    }
}

/// FE-0.4, FE-8.3: the primary weapon by the arcs that it fires in. The front arc is part of the two that reach farther. A
/// bullseye arc is printed for cards, and lets no weapon fire.
fn weapons(fields: &Fields<'_>, arcs: &[String], value: u32) -> Vec<Weapon> {
    let mut found = Vec::new();
    for arc in arcs {
        match arc.as_str() {
            "Front" => found.push(WeaponArc::Front),
            "Bullseye" => {}
            other => match auxiliary_arc(other) {
                Some(arc) => found.push(arc),
                None => fields.warn("firing_arcs", &format!("`{other}` is no known arc; it is left out")),
            },
        }
    }
    if found.contains(&WeaponArc::AllRound) || found.contains(&WeaponArc::FullFront) {
        found.retain(|arc| *arc != WeaponArc::Front);
    }
    found.sort();
    found.into_iter().map(|arc| primary_weapon(arc, value)).collect()
}

/// What the data calls an arc beside the front one.
pub(super) fn auxiliary_arc(name: &str) -> Option<WeaponArc> {
    match name {
        "Auxiliary Rear" => Some(WeaponArc::Rear),
        "Auxiliary 180" => Some(WeaponArc::FullFront),
        "Mobile" => Some(WeaponArc::SingleTurret),
        "Turret" => Some(WeaponArc::AllRound),
        _ => None,
    }
}

/// FE-5.6: all actions are white and none is linked.
pub(super) fn action(name: &str) -> Option<BarAction> {
    let kind = match name {
        "Target Lock" => Some(ActionKind::Lock),
        name => notation::action_kind(name),
    };
    let action = ColoredAction {
        kind: kind?,
        difficulty: Difficulty::White,
    };
    Some(BarAction { action, linked: None })
}
