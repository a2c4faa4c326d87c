//! XWS, the interchange format of squad builders: version 2, and what real files have beyond it.
//!
//! Read leniently: ids in any spelling, `name` in place of `id`, the slot names and factions of older files, an empty list
//! in place of a map. What is not known becomes a note; points of the file are only compared. A file that is no squad at
//! all is refused.

use serde_json::{Map, Value};

use super::{Squad, SquadShip};
use crate::{
    json,
    visible::visible,
    xwing::catalog::{Catalog, normalized},
};

/// No squad has more ships than this.
const MOST_SHIPS: usize = 100;
/// No ship has more Threat than this.
const MOST_THREAT: u32 = 20;
/// Longest piece of a file that is repeated in a message, characters.
const LONGEST_WORD: usize = 60;

/// Why a text is no squad.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum XwsError {
    /// Not JSON.
    #[error("this is no JSON: {0}; export the squad as XWS")]
    Json(String),
    /// JSON of another form.
    #[error("{place}: {message}")]
    Form {
        /// Where, as in `pilots[2].id`.
        place: String,
        /// What is wrong, and what to do.
        message: String,
    },
}

fn wrong(place: impl Into<String>, message: impl Into<String>) -> XwsError {
    XwsError::Form {
        place: place.into(),
        message: message.into(),
    }
}

/// The seven factions, with what older files and people call them.
const FACTIONS: [(&str, &[&str]); 7] = [
    ("rebelalliance", &["rebel", "rebels"]),
    ("galacticempire", &["imperial", "imperials", "empire"]),
    ("scumandvillainy", &["scum", "scumvillainy"]),
    ("resistance", &[]),
    ("firstorder", &[]),
    ("galacticrepublic", &["republic"]),
    ("separatistalliance", &["separatist", "separatists", "cis"]),
];

/// The factions' printed names, by their xws ids.
pub const FACTION_NAMES: [(&str, &str); 7] = [
    ("rebelalliance", "Rebel Alliance"),
    ("galacticempire", "Galactic Empire"),
    ("scumandvillainy", "Scum and Villainy"),
    ("resistance", "Resistance"),
    ("firstorder", "First Order"),
    ("galacticrepublic", "Galactic Republic"),
    ("separatistalliance", "Separatist Alliance"),
];

/// The printed name of the faction of this xws id.
pub fn faction_name(id: &str) -> Option<&'static str> {
    FACTION_NAMES
        .iter()
        .find(|(known, _)| *known == id)
        .map(|(_, name)| *name)
}

/// The xws id of a faction from its id, its name or an older name.
pub fn faction(text: &str) -> Option<&'static str> {
    let id = normalized(text);
    let found = FACTIONS
        .iter()
        .find(|(faction, others)| *faction == id || others.contains(&id.as_str()));
    found.map(|(faction, _)| *faction)
}

/// Slot keys of older files, normalized, and what they are now.
const SLOTS: [(&str, &str); 9] = [
    ("amd", "astromech"),
    ("samd", "astromech"),
    ("astromechdroid", "astromech"),
    ("salvagedastromech", "astromech"),
    ("ept", "talent"),
    ("elitepilottalent", "talent"),
    ("mod", "modification"),
    ("system", "sensor"),
    ("bomb", "device"),
];

/// Shortened and printable, for messages.
fn shown(text: &str) -> String {
    let beginning: String = text.chars().take(LONGEST_WORD).collect();
    let more = if beginning.len() < text.len() { "..." } else { "" };
    visible(&beginning) + more
}

/// Reads a squad.
///
/// # Errors
/// Text that is not JSON, is no object, or has no list of pilots.
pub fn read(text: &str, catalog: &Catalog) -> Result<Squad, XwsError> {
    let value: Value = serde_json::from_str(text.trim_start_matches('\u{feff}'))
        .map_err(|error| XwsError::Json(json::plain(&error.to_string())))?;
    let Value::Object(file) = &value else {
        return Err(wrong("the file", "holds no object; export the squad as XWS"));
    };
    let mut squad = Squad {
        name: file.get("name").and_then(Value::as_str).map_or_else(String::new, shown),
        ..Squad::default()
    };
    match file.get("faction").and_then(Value::as_str) {
        Some(text) => match faction(text) {
            Some(id) => squad.faction = id.to_owned(),
            None => squad.notes.push(format!(
                "faction: `{}` is not known; the pilots' faction is taken",
                shown(text)
            )),
        },
        None => squad
            .notes
            .push("faction: is missing; the pilots' faction is taken".into()),
    }
    let pilots = match file.get("pilots") {
        Some(Value::Array(pilots)) => pilots,
        Some(_) => return Err(wrong("pilots", "is no list; export the squad as XWS")),
        None => return Err(wrong("pilots", "is missing; export the squad as XWS")),
    };
    if pilots.len() > MOST_SHIPS {
        return Err(wrong(
            "pilots",
            format!("has {} entries; a squad has at most {MOST_SHIPS}", pilots.len()),
        ));
    }
    for (index, entry) in pilots.iter().enumerate() {
        let place = format!("pilots[{index}]");
        let Value::Object(entry) = entry else {
            return Err(wrong(
                place,
                "is no object; a pilot is { \"id\": ..., \"upgrades\": { ... } }",
            ));
        };
        if let Some(ship) = ship(entry, place, catalog, &mut squad) {
            squad.ships.push(ship);
        }
    }
    if squad.faction.is_empty()
        && let Some(pilot) = squad.ships.iter().find_map(|ship| ship.pilot(catalog))
    {
        squad.faction.clone_from(&pilot.faction);
    }
    if let Some(obstacles) = file.get("obstacles").and_then(Value::as_array) {
        for obstacle in obstacles.iter().filter_map(Value::as_str) {
            match catalog.outlines().find(obstacle) {
                Some(outline) => squad.obstacles.push(outline.id.clone()),
                None => squad
                    .notes
                    .push(format!("obstacles: `{}` is not known; it is left out", shown(obstacle))),
            }
        }
    }
    // Points of a file are not trusted: builders disagree, and prices change.
    if let (Some(file), Some(own)) = (file.get("points").and_then(Value::as_i64), squad.points(catalog))
        && file != i64::from(own)
    {
        squad.notes.push(format!(
            "points: the file says {file}, the catalog {own}; the catalog's are used"
        ));
    }
    Ok(squad)
}

fn ship(entry: &Map<String, Value>, place: String, catalog: &Catalog, squad: &mut Squad) -> Option<SquadShip> {
    let word = |key: &str| entry.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
    let own_ship = word("ship").and_then(|text| catalog.find_ship(text));
    // Some builders write `name` in place of `id`; older files do as well, with the ship beside it.
    let text = word("id").or_else(|| word("name"));
    let found = |text: &str| {
        let ship = own_ship.map(|ship| ship.xws.as_str());
        let mut pilots = catalog.find_pilots(text, ship);
        if pilots.is_empty() {
            pilots = catalog.find_pilots(text, None);
        }
        // A name that several pilots share means the one of the squad's faction.
        let own = pilots
            .iter()
            .position(|pilot| pilot.faction == squad.faction)
            .unwrap_or(0);
        (!pilots.is_empty()).then(|| pilots[own])
    };
    let pilot = text.and_then(found);
    let Some(chassis) = pilot
        .map(|pilot| pilot.ship.as_str())
        .or(own_ship.map(|ship| ship.xws.as_str()))
    else {
        let what = match text {
            Some(text) => format!("the pilot `{}` is not known", shown(text)),
            None => "has neither `id` nor `name`".to_owned(),
        };
        squad.notes.push(format!(
            "{place}: {what}; the ship is left out. A newer catalog may know it: --catalog"
        ));
        return None;
    };
    if pilot.is_none() {
        let text = shown(text.unwrap_or_default());
        squad.notes.push(format!(
            "{place}: the pilot `{text}` is not known; a `{chassis}` without pilot is taken"
        ));
    }
    let mut ship = SquadShip {
        pilot: pilot.map(|pilot| pilot.xws.clone()),
        ship: chassis.to_owned(),
        // Builders leave a standard loadout out, since it is part of the card.
        upgrades: pilot.map_or_else(Vec::new, |pilot| pilot.standard_loadout.clone()),
        threat: threat(entry, &place, &mut squad.notes),
        place,
    };
    upgrades(entry.get("upgrades"), &mut ship, catalog, &mut squad.notes);
    Some(ship)
}

/// The Threat of a Quick Build card, where the file says it.
fn threat(entry: &Map<String, Value>, place: &str, notes: &mut Vec<String>) -> Option<u32> {
    let value = entry.get("threat").filter(|value| !value.is_null())?;
    let threat = value.as_u64().and_then(|threat| u32::try_from(threat).ok());
    let sensible = threat.filter(|threat| (0..=MOST_THREAT).contains(threat));
    if sensible.is_none() {
        notes.push(format!(
            "{place}.threat: is no whole number from 0 to {MOST_THREAT}; it is left out"
        ));
    }
    sensible
}

fn upgrades(value: Option<&Value>, ship: &mut SquadShip, catalog: &Catalog, notes: &mut Vec<String>) {
    let own = ship.upgrades.clone();
    let slots = match value {
        None | Some(Value::Null) => return,
        Some(Value::Object(slots)) => slots,
        // Builders written in PHP or Lua write an empty map as a list.
        Some(Value::Array(list)) if list.is_empty() => return,
        Some(_) => {
            notes.push(format!("{}.upgrades: is no map of slots; it is left out", ship.place));
            return;
        }
    };
    for (slot, cards) in slots {
        let cards: Vec<&Value> = match cards {
            Value::Array(cards) => cards.iter().collect(),
            Value::Null => continue,
            card => vec![card],
        };
        let slot_shown = shown(slot);
        for card in cards {
            let place = format!("{}.upgrades.{slot_shown}", ship.place);
            let Some(text) = card.as_str() else {
                notes.push(format!("{place}: an entry is no text; it is left out"));
                continue;
            };
            let Some((upgrade, _)) = catalog.find_upgrade(text) else {
                notes.push(format!(
                    "{place}: the upgrade `{}` is not known; it is left out",
                    shown(text)
                ));
                continue;
            };
            let key = normalized(slot);
            let key = SLOTS
                .iter()
                .find(|(old, _)| *old == key)
                .map_or(key.as_str(), |(_, new)| new);
            let takes = upgrade.sides.iter().flat_map(|side| &side.slots);
            if !takes.clone().any(|slot| normalized(slot) == key) {
                let kind = upgrade.sides.first().map_or("", |side| side.kind());
                notes.push(format!("{place}: `{}` takes the slot {kind}", upgrade.xws));
            }
            // A builder that lists a standard loadout names what is there already.
            if own.contains(&upgrade.xws) {
                continue;
            }
            ship.upgrades.push(upgrade.xws.clone());
        }
    }
}
