//! XWS, the interchange format of squad builders: version 2, version 1 of the first edition, and what real files have beyond
//! them.
//!
//! Read leniently: ids in any spelling, `name` in place of `id`, the slot names and factions of older files, an empty list
//! in place of a map. What is not known becomes a note; points of the file are only compared. A file that is no squad at
//! all is refused.

use std::{cmp::Ordering, collections::BTreeMap};

use serde_json::{Map, Value, json};

use super::{Squad, SquadShip};
use crate::{
    json,
    visible::visible,
    xwing::{
        catalog::{Catalog, PilotFacts, normalized},
        edition::Edition,
    },
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

/// Slot keys of older files, normalized, and the slots that they mean in the second edition and in the first.
const SLOTS: [(&str, [&str; 2]); 9] = [
    ("amd", ["astromech", "astromech"]),
    ("samd", ["astromech", "salvagedastromech"]),
    ("astromechdroid", ["astromech", "astromech"]),
    ("salvagedastromech", ["astromech", "salvagedastromech"]),
    ("ept", ["talent", "elite"]),
    ("elitepilottalent", ["talent", "elite"]),
    ("mod", ["modification", "modification"]),
    ("system", ["sensor", "system"]),
    ("bomb", ["device", "bomb"]),
];

/// The slot, normalized, that a key of a file means.
fn slot_of(key: &str, edition: Edition) -> String {
    let key = normalized(key);
    let meant = SLOTS
        .iter()
        .find(|(old, _)| *old == key)
        .map(|(_, slots)| match edition {
            Edition::Second => slots[0],
            Edition::First => slots[1],
        });
    meant.map_or(key, str::to_owned)
}

/// The key that a file of the first edition has for a slot.
fn key_of(slot: &str) -> String {
    match slot {
        "Astromech" => "amd".to_owned(),
        "Salvaged Astromech" => "samd".to_owned(),
        "Elite" => "ept".to_owned(),
        "Modification" => "mod".to_owned(),
        other => normalized(other),
    }
}

/// The edition that a file says it is for: by its version (1 and less for the first edition), else by which edition's catalog
/// knows its ships. `None` for what is no squad or names nothing that tells.
pub fn edition_of(text: &str) -> Option<Edition> {
    let value: Value = serde_json::from_str(text.trim_start_matches('\u{feff}')).ok()?;
    edition_of_file(&value)
}

/// The number before the first point of a file's version.
fn major_version(value: &Value) -> Option<u32> {
    match value.get("version") {
        Some(Value::String(version)) => version
            .split('.')
            .next()
            .and_then(|major| major.trim().parse::<u32>().ok()),
        Some(Value::Number(version)) => version.as_f64().map(|version| version as u32),
        _ => None,
    }
}

/// The edition of files of that version: 1 and less are the first edition's.
const fn of_version(major: u32) -> Edition {
    if major < 2 { Edition::First } else { Edition::Second }
}

fn edition_of_file(value: &Value) -> Option<Edition> {
    let version = major_version(value);
    let pilots = value.get("pilots")?.as_array()?;
    let ships = || pilots.iter().filter_map(|pilot| pilot.get("ship")?.as_str());
    let known = |edition| {
        let catalog = Catalog::embedded_for(edition);
        ships().filter(|ship| catalog.ship(ship).is_some()).count()
    };
    // Ids tell more than a number: builders of the second edition have written old ones.
    match known(Edition::Second).cmp(&known(Edition::First)) {
        Ordering::Less => Some(Edition::First),
        Ordering::Greater => Some(Edition::Second),
        Ordering::Equal => version.map(of_version),
    }
}

/// The squad as a file of version 1, for builders of the first edition. [`read`] reads it back.
pub(super) fn version_1(squad: &Squad, catalog: &Catalog) -> Value {
    let ships = squad.ships.iter().map(|ship| {
        let mut slots: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for upgrade in &ship.upgrades {
            let side = catalog.upgrade(upgrade).and_then(|facts| facts.sides.first());
            slots
                .entry(key_of(side.map_or("", |side| side.kind())))
                .or_default()
                .push(upgrade);
        }
        let name = ship.pilot(catalog).map(PilotFacts::shared_id);
        json!({ "name": name, "ship": ship.ship, "upgrades": slots, "points": ship.points(catalog) })
    });
    let faction = match squad.faction.as_str() {
        "rebelalliance" | "resistance" => "rebel",
        "galacticempire" | "firstorder" => "imperial",
        "scumandvillainy" => "scum",
        other => other,
    };
    json!({
        "version": "1.0.0",
        "name": squad.name,
        "faction": faction,
        "pilots": ships.collect::<Vec<Value>>(),
        "points": squad.points(catalog),
    })
}

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
    let own = catalog.edition();
    if let Some(other) = edition_of_file(&value).filter(|edition| *edition != own) {
        let (own, other) = (own.name(), other.name());
        return Err(wrong(
            "version",
            format!(
                "this is a squad of the {other} edition, and ships of the {own} are flown here; give --edition {other}, or \
                 export it for the {own} edition"
            ),
        ));
    }
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
    if own == Edition::First && major_version(&value).is_some_and(|major| of_version(major) != own) {
        squad.notes.push(
            "version: is that of the second edition; the ships are the first's, so it is taken as its squad".into(),
        );
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
        let factions = catalog.edition().rules().factions;
        // A name that several pilots share means the one of the squad's faction.
        let own = pilots
            .iter()
            .position(|pilot| factions.fly_together(&pilot.faction, &squad.faction))
            .unwrap_or(0);
        (!pilots.is_empty()).then(|| pilots[own])
    };
    let pilot = text.and_then(found);
    if let (Some(said), Some(pilot)) = (word("ship"), pilot) {
        let flies = &pilot.ship;
        match own_ship {
            Some(own) if own.xws != *flies => squad.notes.push(format!(
                "{place}.ship: the file says `{}`, the pilot `{}` flies `{flies}`, which is taken",
                own.xws, pilot.xws
            )),
            None => squad.notes.push(format!(
                "{place}.ship: `{}` is not known; the `{flies}` of the pilot is taken",
                shown(said)
            )),
            Some(_) => {}
        }
    }
    let Some(chassis) = pilot
        .map(|pilot| pilot.ship.as_str())
        .or(own_ship.map(|ship| ship.xws.as_str()))
    else {
        let what = match text {
            Some(text) => format!("the pilot `{}` is not known", shown(text)),
            None => "has neither `id` nor `name`".to_owned(),
        };
        squad.notes.push(format!(
            "{place}: {what}; the ship is left out. {}",
            of_another(catalog, word("ship").or(text).unwrap_or_default())
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

/// Where a card that is not known may be known: in the other edition, or in a newer catalog.
fn of_another(catalog: &Catalog, text: &str) -> String {
    match catalog.other_edition_of(text) {
        Some(other) => format!("It is of the {name} edition: --edition {name}", name = other.name()),
        None => "A newer catalog may know it: --catalog".to_owned(),
    }
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
            let key = slot_of(slot, catalog.edition());
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
