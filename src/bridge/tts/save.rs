//! Saves of Tabletop Simulator: the table that lies in a save file, read into the same raw snapshot that the controller
//! sends. Fields of odd types are passed over; a save is a large file that many programs and versions had a hand in.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{
    Warning,
    obstacles::{Found, recognise},
    snapshot, tokens,
};
use crate::{
    protocol::snapshot::{TtsMat, TtsObstacle, TtsShip, TtsSnapshot},
    xwing::{ObjectId, catalog::Catalog, table::Table},
};

/// Half the side of a mat's mesh at scale 1, world units.
const MAT_HALF_EXTENT: f64 = 10.0;

/// The standard mat, for builds whose mats carry no mark.
const STANDARD_MAT: &str = "0db84a";

/// Why a text is no save.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    /// It is no JSON.
    #[error("not a Tabletop Simulator save, for it is not JSON: {}", crate::json::plain(&.0.to_string()))]
    Json(#[from] serde_json::Error),
    /// It has no objects.
    #[error(
        "not a Tabletop Simulator save: there is no list `ObjectStates` in it. Choose a file from the game's `Saves` folder"
    )]
    NoObjects,
}

/// Reads the table that a save holds. Ships that the save marks as flown by the mod's AI are the solo side, if there are
/// any; else the factions are the sides.
///
/// # Errors
/// The text is no save. Objects that cannot be used are warnings.
pub fn read(text: &str, catalog: &Catalog) -> Result<(Table, Vec<Warning>), SaveError> {
    read_both(text, catalog).map(|(_, table, warnings)| (table, warnings))
}

/// As [`read`], with the snapshot that the table was read from.
///
/// # Errors
/// The text is no save.
pub fn read_both(text: &str, catalog: &Catalog) -> Result<(TtsSnapshot, Table, Vec<Warning>), SaveError> {
    let (raw, mut warnings) = read_raw(text)?;
    if raw.ships.is_empty() {
        warnings.push(Warning::new(
            "",
            "there is no ship of the X-Wing mod on the table of this save",
        ));
    }
    let solo: BTreeSet<ObjectId> = raw.solo.iter().map(|guid| guid.as_str().into()).collect();
    let reading = snapshot::read(&raw, &solo, catalog);
    warnings.extend(reading.warnings);
    Ok((raw, reading.table, warnings))
}

/// Reads a save into the snapshot that the controller would send of it.
///
/// # Errors
/// The text is no save.
pub fn read_raw(text: &str) -> Result<(TtsSnapshot, Vec<Warning>), SaveError> {
    let save: Value = serde_json::from_str(text.trim_start_matches('\u{feff}'))?;
    let Some(objects) = save.get("ObjectStates").and_then(Value::as_array) else {
        return Err(SaveError::NoObjects);
    };
    let mut warnings = Vec::new();
    let by_guid: BTreeMap<&str, &Value> = objects.iter().map(|object| (text_of(object, "GUID"), object)).collect();
    let ship_names: BTreeSet<&str> = objects
        .iter()
        .filter(|object| is_ship(object))
        .map(|object| text_of(object, "Nickname").trim())
        .collect();
    let dials = dials(objects);
    let mut raw = TtsSnapshot::default();
    for object in objects {
        if is_ship(object) {
            let (ship, is_ai) = ship(object, &by_guid, &ship_names, &dials, &mut warnings);
            if is_ai {
                raw.solo.push(ship.guid.clone());
            }
            raw.ships.push(ship);
        } else if is_mat(object) {
            raw.mats.push(mat(object));
        } else if is_obstacle(object) {
            raw.obstacles.push(obstacle(object));
        }
    }
    Ok((raw, warnings))
}

fn text_of<'v>(object: &'v Value, key: &str) -> &'v str {
    object.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn number_of(object: &Value, key: &str) -> Option<f64> {
    object
        .get("Transform")
        .and_then(|transform| transform.get(key))
        .and_then(Value::as_f64)
}

fn tags_of(object: &Value) -> Vec<String> {
    strings(object.get("Tags"))
}

/// A list of texts; Lua writes an empty list and an empty map alike, and lists with gaps as maps.
fn strings(value: Option<&Value>) -> Vec<String> {
    let text = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    match value {
        Some(Value::Array(items)) => items.iter().filter_map(text).collect(),
        Some(Value::Object(map)) => map.values().filter_map(text).collect(),
        _ => Vec::new(),
    }
}

fn text_or_number(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) => number.to_string(),
        _ => String::new(),
    }
}

fn is_ship(object: &Value) -> bool {
    let old_style = object
        .get("CustomMesh")
        .and_then(|mesh| mesh.get("TypeIndex"))
        .and_then(Value::as_f64)
        == Some(1.0)
        && text_of(object, "LuaScript").contains("__XW_Ship");
    tags_of(object).iter().any(|tag| tag == "Ship") || old_style
}

fn is_mat(object: &Value) -> bool {
    text_of(object, "GUID") == STANDARD_MAT || text_of(object, "LuaScript").contains("__XW_Mat")
}

fn is_obstacle(object: &Value) -> bool {
    let kind = text_of(object, "Name");
    if kind.contains("Bag") || kind.contains("HandTrigger") || kind.contains("ScriptingTrigger") {
        return false;
    }
    let tags = tags_of(object);
    tags.iter().any(|tag| tag == "Obstacle" || tag == "Mine")
        || recognise(text_of(object, "Nickname")) == Found::Obstacle
}

/// Which dial belongs to which ship.
fn dials(objects: &[Value]) -> BTreeMap<String, String> {
    let assigned = |object: &Value| {
        let ship = text_of(&state(object)?, "assignedShipGUID").to_owned();
        (!ship.is_empty()).then(|| (ship, text_of(object, "GUID").to_owned()))
    };
    objects
        .iter()
        .filter(|object| text_of(object, "LuaScriptState").contains("assignedShipGUID"))
        .filter_map(assigned)
        .collect()
}

/// What the object's script saved.
fn state(object: &Value) -> Option<Value> {
    serde_json::from_str(text_of(object, "LuaScriptState")).ok()
}

fn ship(
    object: &Value,
    by_guid: &BTreeMap<&str, &Value>,
    ship_names: &BTreeSet<&str>,
    dials: &BTreeMap<String, String>,
    warnings: &mut Vec<Warning>,
) -> (TtsShip, bool) {
    let guid = text_of(object, "GUID").to_owned();
    let name = text_of(object, "Nickname").trim().to_owned();
    let state = state(object).unwrap_or_else(|| {
        warnings.push(Warning::new(
            &*guid,
            format!("{name}: its script saved nothing that can be read, so only its place is known; spawn it again with the mod and save"),
        ));
        Value::Null
    });
    let data = state.get("shipData").cloned().unwrap_or(Value::Null);
    let ui_initiative = text_or_number(state.get("uiData").and_then(|ui| ui.get("init")));
    let mut ship = TtsShip {
        ship_id: text_of(&data, "shipId").to_owned(),
        pilot: text_of(&data, "xws").to_owned(),
        size: text_of(&data, "Size").to_owned(),
        initiative: if ui_initiative.is_empty() {
            text_or_number(data.get("initiative"))
        } else {
            ui_initiative
        },
        faction: text_or_number(data.get("Faction")),
        owner: text_of(&state, "owningPlayer").to_owned(),
        x: number_of(object, "posX").unwrap_or(f64::NAN),
        z: number_of(object, "posZ").unwrap_or(f64::NAN),
        rot_y: number_of(object, "rotY").unwrap_or(f64::NAN),
        // Builds that do not save it place ships at once.
        placed: state.get("finishedSetup").and_then(Value::as_bool).unwrap_or(true),
        move_set: strings(data.get("moveSet")),
        act_set: strings(data.get("actSet")),
        turrets: turrets(&state),
        dial: dials.get(&guid).cloned().unwrap_or_default(),
        ..TtsShip::default()
    };
    for token in token_guids(&state) {
        let Some(object) = by_guid.get(token.as_str()) else {
            continue;
        };
        let kind = text_of(object, "Nickname").trim();
        let is_lock = text_of(object, "LuaScript").contains("targetLock")
            || (tokens::parse(kind).is_none() && ship_names.contains(kind));
        if is_lock {
            ship.locked_by.insert(token, kind.to_owned());
        } else {
            let number = object
                .get("Number")
                .and_then(Value::as_f64)
                .unwrap_or(1.0)
                .clamp(1.0, 99.0);
            *ship.tokens.entry(kind.to_owned()).or_default() += number as u32;
        }
    }
    if ship.ship_id.is_empty() {
        warnings.push(Warning::new(
            &*guid,
            format!("{name}: the save does not say what ship it is; spawn it again with the mod and save"),
        ));
    }
    ship.guid = guid;
    ship.name = name;
    let is_ai = state.get("isAi").and_then(Value::as_bool).unwrap_or(false);
    (ship, is_ai)
}

fn turrets(state: &Value) -> BTreeMap<String, String> {
    let Some(mounts) = state.get("arcIndicators").and_then(Value::as_object) else {
        return BTreeMap::new();
    };
    mounts
        .iter()
        .filter_map(|(mount, indicator)| {
            let arc = indicator.get("arc").and_then(Value::as_str)?;
            Some((mount.clone(), arc.to_owned()))
        })
        .collect()
}

/// GUIDs of the tokens: a list, or the keys of a map.
fn token_guids(state: &Value) -> Vec<String> {
    match state.get("tokenData").and_then(|tokens| tokens.get("tokens")) {
        Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        Some(Value::Object(map)) => map
            .iter()
            .map(|(key, value)| match value {
                // A list with gaps: numbers as keys.
                Value::String(guid) if key.parse::<u32>().is_ok() && guid.len() == 6 => guid.clone(),
                _ => key.clone(),
            })
            .collect(),
        _ => Vec::new(),
    }
}

fn mat(object: &Value) -> TtsMat {
    TtsMat {
        guid: text_of(object, "GUID").to_owned(),
        name: text_of(object, "Nickname").to_owned(),
        x: number_of(object, "posX").unwrap_or(f64::NAN),
        y: number_of(object, "posY").unwrap_or(f64::NAN),
        z: number_of(object, "posZ").unwrap_or(f64::NAN),
        half_x: MAT_HALF_EXTENT * number_of(object, "scaleX").unwrap_or(0.0),
        half_z: MAT_HALF_EXTENT * number_of(object, "scaleZ").unwrap_or(0.0),
    }
}

fn obstacle(object: &Value) -> TtsObstacle {
    TtsObstacle {
        guid: text_of(object, "GUID").to_owned(),
        name: text_of(object, "Nickname").trim().to_owned(),
        state: current_state(object),
        x: number_of(object, "posX").unwrap_or(f64::NAN),
        z: number_of(object, "posZ").unwrap_or(f64::NAN),
        rot_y: number_of(object, "rotY").unwrap_or(f64::NAN),
        tags: tags_of(object),
        probe: Vec::new(),
    }
}

/// `States` lists every state but the one that lies on the table.
fn current_state(object: &Value) -> i32 {
    let Some(states) = object.get("States").and_then(Value::as_object) else {
        return 1;
    };
    let others: BTreeSet<i32> = states.keys().filter_map(|key| key.parse().ok()).collect();
    (1..).find(|state| !others.contains(state)).unwrap_or(1)
}
