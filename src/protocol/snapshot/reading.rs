//! A raw snapshot read leniently: an object, or a field of one, that cannot be read becomes a warning, and the rest of the
//! table is used.

use serde::de::DeserializeOwned;
use serde_json::{Map, Number, Value};

use super::{SyncWarning, TtsSnapshot};

/// Coordinates and angles beyond this are none: a world of Tabletop Simulator is a few hundred units wide, and what is
/// much larger leaves the range of exact arithmetic.
const LARGEST: f64 = 1e6;

/// A kind of object in the snapshot.
struct Kind {
    /// The field that lists them.
    field: &'static str,
    /// What one is called.
    word: &'static str,
    /// Numbers without which the object lies nowhere.
    place: &'static [&'static str],
}

const MATS: Kind = Kind {
    field: "mats",
    word: "mat",
    place: &["x", "y", "z", "halfX", "halfZ"],
};
const SHIPS: Kind = Kind {
    field: "ships",
    word: "ship",
    place: &["x", "z", "rotY"],
};
const OBSTACLES: Kind = Kind {
    field: "obstacles",
    word: "obstacle",
    place: &["x", "z", "rotY"],
};

/// What can be read of a snapshot, and warnings for the rest.
pub(super) fn snapshot(mut fields: Map<String, Value>) -> TtsSnapshot {
    let mut unread = Vec::new();
    TtsSnapshot {
        mats: objects(&mut fields, &MATS, &mut unread),
        ships: objects(&mut fields, &SHIPS, &mut unread),
        obstacles: objects(&mut fields, &OBSTACLES, &mut unread),
        solo: solo(&mut fields, &mut unread),
        round: round(&mut fields, &mut unread),
        unread,
    }
}

fn warn(unread: &mut Vec<SyncWarning>, object: &str, message: String) {
    unread.push(SyncWarning {
        object: object.to_owned(),
        message,
    });
}

/// The entries of a list; Lua writes an empty one as a map too, and leaves out what is nil.
fn entries(fields: &mut Map<String, Value>, field: &str, unread: &mut Vec<SyncWarning>) -> Vec<Value> {
    match fields.remove(field) {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(items)) => items,
        Some(Value::Object(items)) => items.into_iter().map(|(_, item)| item).collect(),
        Some(other) => {
            let message = format!(
                "`{field}` is {} where a list belongs, so it counts as empty; set up the controller anew",
                described(&other)
            );
            warn(unread, "", message);
            Vec::new()
        }
    }
}

fn objects<T: DeserializeOwned>(fields: &mut Map<String, Value>, kind: &Kind, unread: &mut Vec<SyncWarning>) -> Vec<T> {
    let entries = entries(fields, kind.field, unread);
    let numbered = entries.into_iter().enumerate();
    numbered
        .filter_map(|(index, entry)| object(entry, index + 1, kind, unread))
        .collect()
}

/// One object. A field that cannot be read is left out; without its place the whole object is.
fn object<T: DeserializeOwned>(entry: Value, number: usize, kind: &Kind, unread: &mut Vec<SyncWarning>) -> Option<T> {
    let Kind { field, word, place } = kind;
    let mut record = match entry {
        Value::Object(record) => record,
        // An empty record of Lua; it lies nowhere.
        Value::Array(items) if items.is_empty() => Map::new(),
        other => {
            let what = described(&other);
            let message = format!(
                "entry {number} of `{field}` is {what} and no {word}, so it is left out; set up the controller anew"
            );
            warn(unread, "", message);
            return None;
        }
    };
    record.retain(|_, value| !value.is_null());
    let text = |name: &str| record.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
    let (guid, name) = (text("guid").map(str::to_owned), text("name").map(str::to_owned));
    let called = name.unwrap_or_else(|| format!("{word} {number} of the snapshot"));
    // Without a GUID the name is all that tells the object.
    let id = guid.as_ref().unwrap_or(&called).clone();
    for needed in *place {
        let usable = record
            .get(*needed)
            .and_then(Value::as_f64)
            .is_some_and(|value| value.abs() <= LARGEST);
        if !usable {
            let what = record.get(*needed).map_or_else(|| "missing".to_owned(), described);
            let message = format!(
                "{called}: `{needed}` is {what}, so the {word} is left out; pick it up and put it back on the mat"
            );
            warn(unread, &id, message);
            return None;
        }
    }
    if let Ok(whole) = serde_json::from_value(Value::Object(record.clone())) {
        return Some(whole);
    }
    // Every field has a default, so each can be tried alone.
    let mut readable = Map::new();
    for (name, value) in record {
        let value = with_whole_numbers(value);
        if serde_json::from_value::<T>(Value::Object(Map::from_iter([(name.clone(), value.clone())]))).is_ok() {
            readable.insert(name, value);
        } else {
            let what = described(&value);
            let message = format!(
                "{called}: `{name}` is {what} that cannot be used there, so it is ignored; check the script of this {word}, or put \
                 a fresh copy on the table"
            );
            warn(unread, &id, message);
        }
    }
    serde_json::from_value(Value::Object(readable)).ok()
}

fn solo(fields: &mut Map<String, Value>, unread: &mut Vec<SyncWarning>) -> Vec<String> {
    let mut solo = Vec::new();
    for entry in entries(fields, "solo", unread) {
        match entry {
            Value::String(guid) => solo.push(guid),
            other => {
                let what = described(&other);
                let message = format!("`solo` holds {what} where a GUID belongs; assign the solo ships again");
                warn(unread, "", message);
            }
        }
    }
    solo
}

fn round(fields: &mut Map<String, Value>, unread: &mut Vec<SyncWarning>) -> u32 {
    let Some(value) = fields.remove("round").filter(|value| !value.is_null()) else {
        return 0;
    };
    let value = with_whole_numbers(value);
    let round = value.as_u64().and_then(|round| u32::try_from(round).ok());
    round.unwrap_or_else(|| {
        let what = described(&value);
        warn(
            unread,
            "",
            format!("`round` is {what} that is no round, so the program counts itself"),
        );
        0
    })
}

/// `3.0` as `3`: Lua knows one kind of number.
fn with_whole_numbers(value: Value) -> Value {
    match value {
        Value::Number(number) => {
            let whole = number
                .as_f64()
                .filter(|float| float.fract() == 0.0 && float.abs() < 9e15);
            // The bound makes the conversion exact.
            Value::Number(whole.map_or(number, |float| Number::from(float as i64)))
        }
        Value::Array(items) => items.into_iter().map(with_whole_numbers).collect(),
        Value::Object(fields) => fields
            .into_iter()
            .map(|(name, value)| (name, with_whole_numbers(value)))
            .collect(),
        other => other,
    }
}

/// A value in words, short however long it is.
fn described(value: &Value) -> String {
    match value {
        Value::Null => "nothing".to_owned(),
        Value::Bool(truth) => format!("{truth}"),
        Value::Number(number) => format!("the number {number}"),
        Value::String(text) => format!("the text `{}`", text.chars().take(40).collect::<String>()),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "a record".to_owned(),
    }
}
