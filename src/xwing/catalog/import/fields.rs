//! Reading the fields of a JSON object one by one, with a warning for each that is not as expected.

use std::{cell::RefCell, collections::BTreeSet};

use serde_json::{Map, Value};

use super::{Warnings, warn};
use crate::xwing::{
    action::{BarAction, ColoredAction},
    catalog::{
        facts::{ForceFacts, Pool, Statline},
        normalized, notation,
    },
    maneuver::Difficulty,
    weapon::WeaponArc,
};

/// The upgrade slots of the game, of both editions.
const SLOTS: [&str; 26] = [
    "Astromech",
    "Bomb",
    "Cannon",
    "Cargo",
    "Command",
    "Configuration",
    "Crew",
    "Device",
    "Elite",
    "Force Power",
    "Gunner",
    "Hardpoint",
    "Hyperdrive",
    "Illicit",
    "Missile",
    "Modification",
    "Salvaged Astromech",
    "Sensor",
    "System",
    "Tactical Relay",
    "Talent",
    "Team",
    "Tech",
    "Title",
    "Torpedo",
    "Turret",
];

/// What kind of JSON value this is, in plain words.
pub(super) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// How a warning names a record of a list: by its id where it has one, else by its place.
pub(super) fn label(list: &str, index: usize, record: &Value) -> String {
    match record.get("xws").and_then(Value::as_str) {
        Some(xws) => format!("{list}[{xws}]"),
        None => format!("{list}[{index}]"),
    }
}

/// The fields of one JSON object. A field with `null` counts as absent.
pub(super) struct Fields<'a> {
    map: &'a Map<String, Value>,
    file: &'a str,
    path: String,
    warnings: &'a Warnings,
    /// Fields that somebody has asked for; [`Fields::finish`] reports the others.
    asked: RefCell<BTreeSet<&'static str>>,
}

impl<'a> Fields<'a> {
    /// The fields of `value`; a warning and `None` when it is no object.
    pub(super) fn of(value: &'a Value, file: &'a str, path: &str, warnings: &'a Warnings) -> Option<Fields<'a>> {
        let Some(map) = value.as_object() else {
            let problem = format!("expected an object, found {}; it is left out", kind(value));
            warn(warnings, file, path, &problem);
            return None;
        };
        Some(Fields {
            map,
            file,
            path: path.to_owned(),
            warnings,
            asked: RefCell::default(),
        })
    }

    /// Reports a problem with a field of this object.
    pub(super) fn warn(&self, key: &str, problem: &str) {
        warn(self.warnings, self.file, &self.path_of(key), problem);
    }

    fn path_of(&self, key: &str) -> String {
        match (self.path.is_empty(), key.is_empty()) {
            (true, _) => key.to_owned(),
            (_, true) => self.path.clone(),
            _ => format!("{}.{key}", self.path),
        }
    }

    /// The field, if it is there.
    pub(super) fn get(&self, key: &'static str) -> Option<&'a Value> {
        self.asked.borrow_mut().insert(key);
        self.map.get(key).filter(|value| !value.is_null())
    }

    /// Names fields that are left out on purpose, or that are asked for only when others can be read.
    pub(super) fn leave_out(&self, keys: &[&'static str]) {
        self.asked.borrow_mut().extend(keys);
    }

    /// Reports each field that nobody has asked for.
    pub(super) fn finish(&self) {
        let asked = self.asked.borrow();
        for key in self.map.keys().filter(|key| !asked.contains(key.as_str())) {
            self.warn(key, "this field is not known; it is left out");
        }
    }

    fn unexpected(&self, key: &str, expected: &str, value: &Value) {
        let found = match value {
            Value::String(text) => format!("the text `{text}`"),
            Value::Number(number) => format!("the number {number}"),
            other => kind(other).to_owned(),
        };
        self.warn(
            key,
            &format!("expected {expected}, found {found}; the field is left out"),
        );
    }

    /// A text.
    pub(super) fn text(&self, key: &'static str) -> Option<&'a str> {
        let value = self.get(key)?;
        let text = value.as_str();
        if text.is_none() {
            self.unexpected(key, "text", value);
        }
        text
    }

    /// A text without which the record is of no use.
    pub(super) fn required_text(&self, key: &'static str, what: &str) -> Option<&'a str> {
        match self.text(key) {
            Some(text) if !text.trim().is_empty() => Some(text),
            _ => {
                self.left_out_without(key, what);
                None
            }
        }
    }

    /// A whole number without which the record is of no use.
    pub(super) fn required_number<T: TryFrom<i64>>(&self, key: &'static str, what: &str) -> Option<T> {
        let number = self.number(key);
        if number.is_none() {
            self.left_out_without(key, what);
        }
        number
    }

    fn left_out_without(&self, key: &'static str, what: &str) {
        let problem = if self.get(key).is_some() {
            "cannot be used"
        } else {
            "is missing"
        };
        self.warn(key, &format!("{problem}; the {what} is left out"));
    }

    /// A whole number of a type; a number written as text is taken, with a warning.
    pub(super) fn number<T: TryFrom<i64>>(&self, key: &'static str) -> Option<T> {
        self.number_of(key, self.get(key)?)
    }

    fn number_of<T: TryFrom<i64>>(&self, key: &str, value: &Value) -> Option<T> {
        let number = match value {
            // `2.0` is a whole number too.
            Value::Number(number) => {
                (number.as_i64()).or_else(|| number.as_f64().filter(|n| n.fract() == 0.0).map(|n| n as i64))
            }
            Value::String(text) => {
                let number = text.trim().parse().ok();
                if number.is_some() {
                    self.warn(
                        key,
                        &format!("a number is written as text (\"{text}\"); it is taken as a number"),
                    );
                }
                number
            }
            _ => None,
        };
        let Some(number) = number else {
            self.unexpected(key, "a whole number", value);
            return None;
        };
        let converted = T::try_from(number).ok();
        if converted.is_none() {
            self.warn(key, &format!("{number} is out of range; the field is left out"));
        }
        converted
    }

    /// `true` or `false`; absent means `false`.
    pub(super) fn flag(&self, key: &'static str) -> bool {
        let Some(value) = self.get(key) else {
            return false;
        };
        value.as_bool().unwrap_or_else(|| {
            self.unexpected(key, "true or false", value);
            false
        })
    }

    /// The items of a list; absent means none.
    pub(super) fn list(&self, key: &'static str) -> &'a [Value] {
        match self.get(key) {
            None => &[],
            Some(Value::Array(items)) => items,
            Some(other) => {
                self.unexpected(key, "a list", other);
                &[]
            }
        }
    }

    /// The objects of a list.
    pub(super) fn records(&self, key: &'static str) -> Vec<Fields<'a>> {
        let items = self.list(key).iter().enumerate();
        items
            .filter_map(|(index, item)| {
                let path = self.path_of(&label(key, index, item));
                Fields::of(item, self.file, &path, self.warnings)
            })
            .collect()
    }

    /// The texts of a list, in its order.
    pub(super) fn texts(&self, key: &'static str) -> Vec<String> {
        self.parsed(key, "text", |text| Some(text.to_owned()))
    }

    /// The numbers of a list, in its order.
    pub(super) fn numbers(&self, key: &'static str) -> Vec<u32> {
        let items = self.list(key).iter().enumerate();
        items
            .filter_map(|(index, item)| self.number_of(&format!("{key}[{index}]"), item))
            .collect()
    }

    /// The items of a list of texts that `parse` understands; a warning for each other one.
    pub(super) fn parsed<T>(&self, key: &'static str, what: &str, parse: impl Fn(&str) -> Option<T>) -> Vec<T> {
        let mut found = Vec::new();
        for (index, item) in self.list(key).iter().enumerate() {
            let place = format!("{key}[{index}]");
            match item.as_str() {
                None => self.unexpected(&place, "text", item),
                Some(text) => match parse(text) {
                    Some(value) => found.push(value),
                    None => self.warn(&place, &format!("`{text}` is no known {what}; it is left out")),
                },
            }
        }
        found
    }

    /// An object.
    pub(super) fn object(&self, key: &'static str) -> Option<Fields<'a>> {
        Fields::of(self.get(key)?, self.file, &self.path_of(key), self.warnings)
    }

    /// The slots of a list; an unknown one is kept, with a warning, so that a new slot does not hide a card.
    pub(super) fn slots(&self, key: &'static str) -> Vec<String> {
        let mut slots = self.texts(key);
        for (index, slot) in slots.iter_mut().enumerate() {
            *slot = self.slot(&format!("{key}[{index}]"), slot);
        }
        slots
    }

    /// The slot as the game writes it.
    pub(super) fn slot(&self, key: &str, text: &str) -> String {
        let known = SLOTS.iter().find(|slot| normalized(slot) == normalized(text));
        known.map(ToString::to_string).unwrap_or_else(|| {
            self.warn(key, &format!("`{text}` is no known slot; it is kept as it is"));
            text.to_owned()
        })
    }

    /// The id of a faction, from an id (3.x) or a display name (2.x).
    pub(super) fn faction(&self, key: &str, text: &str) -> String {
        const FACTIONS: [&str; 7] = [
            "rebelalliance",
            "galacticempire",
            "scumandvillainy",
            "firstorder",
            "resistance",
            "galacticrepublic",
            "separatistalliance",
        ];
        let id = normalized(text);
        if !FACTIONS.contains(&id.as_str()) {
            self.warn(key, &format!("`{text}` is no known faction; it is kept as `{id}`"));
        }
        id
    }

    /// The arc that a field names.
    pub(super) fn arc(&self, key: &'static str) -> Option<WeaponArc> {
        let text = self.text(key)?;
        let arc = notation::weapon_arc(text);
        if arc.is_none() {
            self.warn(key, &format!("`{text}` is no known arc; the weapon is left out"));
        }
        arc
    }

    /// `{value, recovers}`.
    pub(super) fn pool(&self, key: &'static str) -> Option<Pool> {
        let fields = self.object(key)?;
        fields.leave_out(&["recovers"]);
        let pool = fields.number("value").map(|value| Pool {
            value,
            recovers: fields.number("recovers").unwrap_or(0),
        });
        if pool.is_none() && fields.get("value").is_none() {
            fields.warn("value", "is missing; the field is left out");
        }
        fields.finish();
        pool
    }

    /// `{value, recovers, side}`.
    pub(super) fn force(&self, key: &'static str) -> Option<ForceFacts> {
        let fields = self.object(key)?;
        fields.leave_out(&["recovers", "side"]);
        let force = fields.number("value").map(|value| ForceFacts {
            value,
            recovers: fields.number("recovers").unwrap_or(0),
            side: fields.texts("side"),
        });
        if force.is_none() && fields.get("value").is_none() {
            fields.warn("value", "is missing; the field is left out");
        }
        fields.finish();
        force
    }

    /// One action `{type, difficulty}` of this object, with the colour white where none is named.
    pub(super) fn colored_action(&self) -> Option<ColoredAction> {
        self.leave_out(&["difficulty"]);
        let Some(name) = self.text("type") else {
            self.warn("type", "is missing; the action is left out");
            return None;
        };
        let Some(kind) = notation::action_kind(name) else {
            self.warn("type", &format!("`{name}` is no known action; it is left out"));
            return None;
        };
        let difficulty = match self.text("difficulty") {
            None => Difficulty::White,
            Some(colour) => notation::difficulty(colour).unwrap_or_else(|| {
                self.warn("difficulty", &format!("`{colour}` is no known colour; white is taken"));
                Difficulty::White
            }),
        };
        Some(ColoredAction { kind, difficulty })
    }

    /// One action of a bar, with its link.
    pub(super) fn bar_action(&self) -> Option<BarAction> {
        let action = self.colored_action();
        let linked = self.object("linked").and_then(|linked| {
            let action = linked.colored_action();
            linked.finish();
            action
        });
        self.finish();
        action.map(|action| BarAction { action, linked })
    }

    /// An action bar.
    pub(super) fn actions(&self, key: &'static str) -> Vec<BarAction> {
        self.records(key).iter().filter_map(Fields::bar_action).collect()
    }

    /// A statline.
    pub(super) fn statline(&self, key: &'static str) -> Statline {
        let mut line = Statline::default();
        for stat in self.records(key) {
            // Remotes name the ranges of their attack, which are those of every primary weapon.
            stat.leave_out(&["minrange", "maxrange", "ordnance"]);
            let name = stat.text("type");
            let value: Option<u32> = stat.number("value");
            let recovers: i32 = stat.number("recovers").unwrap_or(0);
            if value.is_none() && stat.get("value").is_none() {
                stat.warn("value", "is missing; the stat is left out");
            }
            match (name, value) {
                (Some("attack"), Some(value)) => {
                    if stat.get("arc").is_none() {
                        stat.warn("arc", "is missing; the weapon is left out");
                    }
                    line.weapons
                        .extend(stat.arc("arc").map(|arc| notation::primary_weapon(arc, value)));
                }
                (Some("agility"), Some(value)) => line.agility = Some(value),
                (Some("hull"), Some(value)) => line.hull = Some(value),
                (Some("shields"), Some(value)) => {
                    line.shields = value;
                    line.shields_recover = recovers.max(0).unsigned_abs();
                }
                (Some("energy"), Some(value)) => line.energy = Some(Pool { value, recovers }),
                (Some(other), Some(_)) => {
                    stat.warn("type", &format!("`{other}` is no known stat; it is left out"));
                }
                (None, _) => stat.warn("type", "is missing; the stat is left out"),
                (_, None) => {}
            }
            stat.finish();
        }
        line
    }
}
