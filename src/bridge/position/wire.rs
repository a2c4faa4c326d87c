//! The position format as it is written: field for field what `docs/positions.md` describes.

mod action;
mod ship;
mod weapon;

use serde::{Deserialize, Serialize};

pub use self::{
    action::{Action, Colour, Linked},
    ship::{Ship, TokenPile},
    weapon::{Device, Header, Primary, Special},
};
use crate::{
    dice::{AttackFace, DefenceFace},
    xwing::{
        edition::{Edition, FirstEditionOptions},
        obstacle::ObstacleKind,
    },
};

/// One position.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Position {
    /// Names the position in answers.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// The edition that its ships are of; the catalog's where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edition: Option<Edition>,
    /// Options of the first edition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<FirstEditionOptions>,
    /// The play area, mm; 3 feet square where it is left out.
    #[serde(default)]
    pub area: Area,
    /// The ship to decide for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub active: Option<String>,
    /// The dice of SA-3.3; what is left out is rolled.
    #[serde(default, skip_serializing_if = "Roll::is_empty")]
    pub roll: Roll,
    /// The object that is the tally whatever else is there (SA-3.1).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forced_tally: Option<String>,
    /// All ships.
    #[serde(default)]
    pub ships: Vec<Ship>,
    /// All obstacles.
    #[serde(default)]
    pub obstacles: Vec<Obstacle>,
    /// Named points.
    #[serde(default)]
    pub points: Vec<Marker>,
    /// Free words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
}

/// The play area, mm.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Area {
    /// East-west.
    pub w: f64,
    /// South-north.
    pub h: f64,
}

impl Default for Area {
    fn default() -> Self {
        Area { w: 914.4, h: 914.4 }
    }
}

/// The two dice of SA-3.3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Roll {
    /// The defence die.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub defence: Option<DefenceFace>,
    /// The attack die.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attack: Option<AttackFace>,
}

impl Roll {
    /// Whether both dice are still to be rolled.
    pub fn is_empty(&self) -> bool {
        *self == Roll::default()
    }
}

/// An obstacle: `points`, or a known `shape` placed at `x`, `y` and turned to `heading`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Obstacle {
    /// Unique among all objects.
    pub id: String,
    /// What it is.
    pub kind: ObstacleKind,
    /// Its outline on the table, mm.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<[f64; 2]>,
    /// The id of a known outline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shape: Option<String>,
    /// Where the outline's origin lies, east, mm.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub x: Option<f64>,
    /// Where the outline's origin lies, north, mm.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub y: Option<f64>,
    /// How far it is turned, degrees clockwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heading: Option<f64>,
}

/// A named point.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Marker {
    /// Unique among all objects.
    pub id: String,
    /// East, mm.
    pub x: f64,
    /// North, mm.
    pub y: f64,
}

/// The field names of each object, for the remedy of a misspelt one.
pub const FIELDS: &[&str] = &[
    "id",
    "edition",
    "rules",
    "area",
    "active",
    "roll",
    "forced_tally",
    "ships",
    "obstacles",
    "points",
    "tags",
    "w",
    "h",
    "defence",
    "attack",
    "name",
    "side",
    "ship",
    "pilot",
    "upgrades",
    "size",
    "x",
    "y",
    "heading",
    "initiative",
    "tokens",
    "status",
    "turret",
    "special",
    "device",
    "done",
    "bumped",
    "dial",
    "weapons",
    "actions",
    "stress",
    "ion",
    "focus",
    "evade",
    "calculate",
    "disarm",
    "reinforce",
    "force",
    "strain",
    "deplete",
    "tractor",
    "jam",
    "cloak",
    "energy",
    "lock",
    "arc",
    "value",
    "min",
    "max",
    "requires",
    "charges",
    "max_charges",
    "slot",
    "type",
    "difficulty",
    "linked",
    "kind",
    "shape",
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::*;

    fn keys(value: &Value, found: &mut BTreeSet<String>) {
        match value {
            Value::Object(map) => map.iter().for_each(|(key, value)| {
                found.insert(key.clone());
                keys(value, found);
            }),
            Value::Array(items) => items.iter().for_each(|item| keys(item, found)),
            _ => {}
        }
    }

    /// The list of names is what a misspelt one is compared with, so it must be whole and hold nothing else.
    #[test]
    fn the_list_of_fields_is_that_of_a_position_with_everything() {
        let json = r#"{"id": "p", "edition": "first", "rules": {}, "area": {"w": 1, "h": 2}, "active": "S", "roll": {"defence": "evade", "attack": "hit"},
            "forced_tally": "P", "tags": ["t"], "points": [{"id": "P", "x": 1, "y": 2}],
            "obstacles": [{"id": "O", "kind": "debris", "points": [[1, 2]], "shape": "s", "x": 1, "y": 2, "heading": 3}],
            "ships": [{"id": "S", "name": "n", "side": "s", "ship": "t", "pilot": "p", "upgrades": ["u"], "size": "small", "x": 1, "y": 2,
                "heading": 3, "initiative": 4, "status": "docked", "turret": ["left"], "bumped": ["S"], "done": ["Focus"],
                "tokens": {"stress": 1, "ion": 1, "focus": 1, "evade": 1, "calculate": 1, "disarm": 1, "reinforce": 1,
                    "force": 1, "strain": 1, "deplete": 1, "tractor": 1, "jam": 1, "cloak": 1, "energy": 1, "lock": ["O"]},
                "special": [{"id": "w", "arc": "Front Arc", "value": 1, "min": 1, "max": 2, "requires": "lock",
                    "charges": 1, "max_charges": 2, "slot": "Cannon"}],
                "device": {"id": "d", "slot": "Device", "charges": 1, "max_charges": 2}, "dial": ["1FB"],
                "weapons": [{"arc": "Front Arc", "value": 1, "min": 0, "max": 2}],
                "actions": [{"type": "Focus", "difficulty": "Red", "linked": {"type": "Lock", "difficulty": "White"}}]}]}"#;
        let position: Position = serde_json::from_str(json).unwrap();
        let mut found = BTreeSet::new();
        keys(&serde_json::to_value(&position).unwrap(), &mut found);
        assert_eq!(found, FIELDS.iter().map(|field| (*field).to_owned()).collect());
    }
}
