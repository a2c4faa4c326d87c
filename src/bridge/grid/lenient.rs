//! Positions as people and other programs write them: other spellings of fields, numbers as text, abilities in several forms.
//! Everything is brought into the one form that [`Wire`](super::Wire) reads; what is not understood is left for it to refuse.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{GridError, text};
use crate::swm::options::Options;

/// What was passed over, in words.
#[derive(Debug, Default)]
pub(super) struct Notes(pub Vec<String>);

/// Names are compared without regard to case, blanks, hyphens and underscores.
fn plain(name: &str) -> String {
    let letters = name.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// A field of a position by any of its names.
fn position_field(name: &str) -> Option<&'static str> {
    Some(match &*plain(name) {
        "id" | "case" => "id",
        "map" | "grid" | "rows" => "map",
        "edges" | "borders" => "edges",
        "walls" => "walls",
        "doors" => "doors",
        "figures" | "pieces" | "units" | "characters" => "figures",
        "switches" | "options" | "settings" => "switches",
        "tokens" | "triggers" => "tokens",
        _ => return None,
    })
}

/// A field of a figure by any of its names.
fn figure_field(name: &str) -> Option<&'static str> {
    Some(match &*plain(name) {
        "name" => "name",
        "hp" | "hitpoints" | "currenthp" | "hpnow" | "hpcurrent" => "hp",
        "hpmax" | "maxhp" | "max" | "hitpointsmax" => "hp_max",
        "def" | "defense" | "defence" => "def",
        "atk" | "att" | "attack" => "atk",
        "dmg" | "dam" | "damage" => "dmg",
        "speed" | "move" => "speed",
        "size" | "base" => "size",
        "abilities" | "ability" | "specialabilities" | "specials" => "abilities",
        "forcepowers" | "powers" => "force_powers",
        "force" | "forcepoints" | "fp" => "force",
        "forcemax" => "force_max",
        "activated" | "hasactivated" | "acted" => "activated",
        "aitype" | "type" | "kind" => "ai_type",
        "cost" | "points" => "cost",
        "unique" => "unique",
        "living" => "living",
        "droid" => "droid",
        "melee" | "meleeattack" => "melee",
        "commander" => "commander",
        "side" | "owner" | "team" | "controller" => "side",
        "at" | "pos" | "position" | "square" | "cell" => "at",
        "modifiers" => "modifiers",
        _ => return None,
    })
}

/// A switch by any of its names.
fn switch(name: &str) -> Option<&'static str> {
    Some(match &*plain(name) {
        "foffirst" => "fof_first",
        "scootfromcover" => "scoot_from_cover",
        "aoofallback" => "aoo_fallback",
        "areamoves" => "area_moves",
        "walltouchgivescover" | "walltouchcover" | "walltouch" => "wall_touch_gives_cover",
        "adjacentpastcorners" | "diagonaladjacencyatwallcorners" | "diagonaladjacency" | "walladjacency" => {
            "adjacent_past_corners"
        }
        "coverinmovementties" | "movementtiecover" | "t3cover" => "cover_in_movement_ties",
        "forcemovement" | "forcemove" | "forceplus2" => "force_movement",
        "north" | "northedge" => "north",
        _ => return None,
    })
}

fn truth(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(truth) => Some(*truth),
        Value::Number(number) => number.as_f64().map(|number| number != 0.0),
        Value::String(text) => match &*plain(text) {
            "true" | "yes" | "on" | "1" => Some(true),
            "false" | "no" | "off" | "0" | "" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

/// A whole number out of a number with a fraction of 0 or out of text such as `+5`; anything else as it is.
fn whole(value: Value) -> Value {
    let number = match &value {
        Value::Number(number) if !number.is_i64() && !number.is_u64() => number.as_f64(),
        Value::String(text) => text.trim().trim_start_matches('+').parse::<f64>().ok(),
        _ => None,
    };
    match number.filter(|number| number.fract() == 0.0 && number.abs() < 1e6) {
        Some(number) => json!(number as i64),
        None => value,
    }
}

/// The fields of the object at `place` under their own names; the rest as they are. Fields that are null are left out.
///
/// # Errors
/// A field that is there under two of its names, with different values.
fn renamed(
    object: Map<String, Value>,
    place: &str,
    name: impl Fn(&str) -> Option<&'static str>,
) -> Result<Map<String, Value>, GridError> {
    let mut fields = Map::new();
    let mut written: BTreeMap<String, String> = BTreeMap::new();
    for (key, value) in object.into_iter().filter(|(_, value)| !value.is_null()) {
        let own = name(&key).map_or_else(|| key.clone(), str::to_owned);
        let other = written.insert(own.clone(), key.clone());
        if let Some(other) = other.filter(|_| fields.get(&own) != Some(&value)) {
            return Err(GridError::Json {
                place: if place.is_empty() {
                    key.clone()
                } else {
                    format!("{place}.{key}")
                },
                message: format!("it means the same as `{other}`; leave one of them out"),
            });
        }
        fields.insert(own, value);
    }
    Ok(fields)
}

/// A position in the form that is read.
pub(super) fn position(value: Value, notes: &mut Notes) -> Result<Value, GridError> {
    let Value::Object(object) = value else {
        return Ok(value);
    };
    let mut object = renamed(object, "", position_field)?;
    if let Some(id) = object.get_mut("id").filter(|id| id.is_number()) {
        *id = json!(id.to_string());
    }
    if let Some(Value::String(rows)) = object.get("map") {
        let rows: Vec<&str> = rows.lines().collect();
        object.insert("map".to_owned(), json!(rows));
    }
    let mut edges = match object.remove("edges") {
        Some(Value::Array(edges)) => edges,
        Some(other) => {
            object.insert("edges".to_owned(), other);
            Vec::new()
        }
        None => Vec::new(),
    };
    for (field, word) in [("walls", "wall"), ("doors", "door")] {
        if let Some(Value::Array(list)) = object.remove(field) {
            edges.extend(list.into_iter().map(|one| edge(one, word)));
        }
    }
    if !edges.is_empty() {
        object.insert("edges".to_owned(), Value::Array(edges));
    }
    if let Some(figures) = object.remove("figures") {
        object.insert("figures".to_owned(), all_figures(figures)?);
    }
    if let Some(switches) = object.remove("switches") {
        object.insert("switches".to_owned(), all_switches(switches, notes)?);
    }
    if let Some(Value::Array(tokens)) = object.get_mut("tokens") {
        for (index, token) in tokens.iter_mut().enumerate() {
            if let Value::Object(token) = token {
                let place = format!("tokens[{index}]");
                *token = renamed(std::mem::take(token), &place, |name| match &*plain(name) {
                    "at" | "square" | "pos" => Some("at"),
                    "figures" | "spawns" => Some("figures"),
                    _ => None,
                })?;
                if let Some(Value::String(one)) = token.get("figures") {
                    let letters: Vec<&str> = one.split([',', ' ']).filter(|id| !id.is_empty()).collect();
                    token.insert("figures".to_owned(), json!(letters));
                }
            }
        }
    }
    Ok(Value::Object(object))
}

/// A wall or a door between two squares: `C4-D4`, `["C4", "D4"]`, `{between: ["C4", "D4"], open: true}`.
fn edge(value: Value, word: &str) -> Value {
    let squares = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(pair) => match &pair[..] {
            [Value::String(a), Value::String(b)] => Some(format!("{a}-{b}")),
            _ => None,
        },
        _ => None,
    };
    match &value {
        Value::String(text) if text.contains(' ') => value,
        Value::Object(object) => {
            let between = object.get("between").or_else(|| object.get("at")).and_then(squares);
            let open = object.get("open").and_then(truth).unwrap_or(false);
            match between {
                Some(between) if open => json!(format!("open {between}")),
                Some(between) => json!(format!("{word} {between}")),
                None => value,
            }
        }
        other => squares(other).map_or(value.clone(), |squares| json!(format!("{word} {squares}"))),
    }
}

fn all_figures(value: Value) -> Result<Value, GridError> {
    let named: Vec<(String, Value)> = match value {
        Value::Object(object) => object.into_iter().collect(),
        // A list of figures that say their letters themselves.
        Value::Array(list) => {
            let mut named = Vec::new();
            for (index, figure) in list.into_iter().enumerate() {
                let letter = ["id", "letter"].iter().find_map(|key| figure.get(key)?.as_str());
                match letter.map(str::to_owned) {
                    Some(letter) => named.push((letter, figure)),
                    None => {
                        return Err(GridError::Json {
                            place: format!("figures[{index}]"),
                            message: "it has no `id`: the letter that stands for it on the map".to_owned(),
                        });
                    }
                }
            }
            named
        }
        other => return Ok(other),
    };
    let mut figures = Map::new();
    for (id, value) in named {
        let value = figure(&id, value)?;
        if figures.contains_key(&id) {
            return Err(GridError::Figure {
                id,
                message: "it is described twice: give each figure a letter of its own".to_owned(),
            });
        }
        figures.insert(id, value);
    }
    Ok(Value::Object(figures))
}

fn figure(id: &str, value: Value) -> Result<Value, GridError> {
    let object = match value {
        Value::Object(object) => object,
        // As in a line of text: `20/14/+5/10 : Grenades 10`.
        Value::String(line) => {
            let (_, figure) = text::figure(&format!("{id} {line}")).map_err(|message| GridError::Figure {
                id: id.to_owned(),
                message,
            })?;
            return Ok(serde_json::to_value(figure).unwrap_or_default());
        }
        Value::Null => return Ok(json!({})),
        other => return Ok(other),
    };
    let mut object = renamed(object, &format!("figures.{id}"), figure_field)?;
    for letter in ["id", "letter"] {
        if object.get(letter).and_then(Value::as_str) == Some(id) {
            object.remove(letter);
        }
    }
    for field in ["hp", "hp_max", "def", "atk", "dmg", "speed", "force", "cost"] {
        if let Some(value) = object.get_mut(field) {
            *value = whole(value.take());
        }
    }
    // Hit points below 0 are none.
    if let Some(value) = object
        .get_mut("hp")
        .filter(|value| value.as_i64().is_some_and(|points| points < 0))
    {
        *value = json!(0);
    }
    let mut abilities = list_of_abilities(object.remove("abilities"));
    abilities.extend(list_of_abilities(object.remove("force_powers")));
    for (field, name) in [("droid", "Droid"), ("melee", "Melee Attack")] {
        if object.remove(field).as_ref().and_then(truth) == Some(true) {
            abilities.push(json!(name));
        }
    }
    if let Some(rating) = object.remove("force_max").map(whole).and_then(|rating| rating.as_u64()) {
        abilities.push(json!(format!("Force {rating}")));
    }
    if !abilities.is_empty() {
        object.insert("abilities".to_owned(), Value::Array(abilities));
    }
    for field in ["activated", "unique", "living", "commander"] {
        if let Some(value) = object.get_mut(field) {
            // The text of a commander effect says that there is one.
            let said = value.is_object() || value.is_array() || value.is_string() && field == "commander";
            match truth(value) {
                Some(truth) => *value = json!(truth),
                None if said => *value = json!(true),
                None => {}
            }
        }
    }
    type Meaning = fn(&str) -> Option<&'static str>;
    let words: [(&str, Meaning); 2] = [
        ("ai_type", |word| match word {
            "shooter" | "ranged" => Some("shooter"),
            "melee" | "meleeattacker" => Some("melee"),
            "hybrid" => Some("hybrid"),
            _ => None,
        }),
        ("side", |word| match word {
            "player" | "players" | "pc" | "human" => Some("player"),
            "automated" | "af" | "ai" | "enemy" | "solo" => Some("automated"),
            _ => None,
        }),
    ];
    for (field, meaning) in words {
        let word = object.get(field).and_then(Value::as_str).map(plain);
        match word.as_deref() {
            Some("" | "auto") => drop(object.remove(field)),
            Some(word) => {
                if let Some(word) = meaning(word) {
                    object.insert(field.to_owned(), json!(word));
                }
            }
            None => {}
        }
    }
    Ok(Value::Object(object))
}

/// Abilities as a list of names with their numbers: from a list of texts, of `{key, n}` and the like, from one text with commas
/// or semicolons, or from an object.
fn list_of_abilities(value: Option<Value>) -> Vec<Value> {
    match value {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::String(text)) => {
            let names = text.split([',', ';']).map(str::trim).filter(|name| !name.is_empty());
            names.map(|name| json!(name)).collect()
        }
        Some(Value::Object(object)) => object
            .into_iter()
            .filter_map(|(name, value)| pair(&name, &value))
            .collect(),
        Some(Value::Array(list)) => list.into_iter().filter_map(ability).collect(),
        Some(other) => vec![other],
    }
}

/// `grenades: 20`, `double_attack: true`; nothing where it is false.
fn pair(name: &str, value: &Value) -> Option<Value> {
    match (whole(value.clone()), truth(value)) {
        (Value::Number(number), _) => Some(json!(format!("{name} {number}"))),
        (_, Some(false)) => None,
        _ => Some(json!(name)),
    }
}

fn ability(value: Value) -> Option<Value> {
    match &value {
        Value::Null => None,
        Value::Array(list) => match &list[..] {
            [Value::String(name)] => Some(json!(name)),
            [Value::String(name), number] => pair(name, number),
            _ => Some(value),
        },
        Value::Object(object) => {
            let field = |names: &[&str]| names.iter().find_map(|name| object.get(*name));
            let name = field(&["key", "name", "ability"]).and_then(Value::as_str);
            match (name, object.iter().next()) {
                (Some(name), _) => Some(match field(&["n", "value", "number", "amount", "x"]) {
                    Some(number) if !number.is_null() => pair(name, number)?,
                    _ => json!(name),
                }),
                (None, Some((name, number))) if object.len() == 1 => pair(name, number),
                _ => Some(value),
            }
        }
        _ => Some(value),
    }
}

/// Switches under their own names; unknown ones are noted and left out.
fn all_switches(value: Value, notes: &mut Notes) -> Result<Value, GridError> {
    let Value::Object(object) = value else {
        return Ok(value);
    };
    let known = serde_json::to_value(Options::default()).unwrap_or_default();
    let mut switches = Map::new();
    for (name, value) in object.into_iter().filter(|(_, value)| !value.is_null()) {
        let Some(own) = switch(&name) else {
            let all: Vec<String> = known
                .as_object()
                .map(|all| all.keys().cloned().collect())
                .unwrap_or_default();
            notes.0.push(format!(
                "switches.{name}: no such switch; it is left aside. There are {}",
                all.join(", ")
            ));
            continue;
        };
        let value = switch_value(own, value);
        if switches.get(own).is_some_and(|other| *other != value) {
            return Err(GridError::Json {
                place: format!("switches.{name}"),
                message: format!("`{own}` is set twice, and not alike; leave one of them out"),
            });
        }
        switches.insert(own.to_owned(), value);
    }
    Ok(Value::Object(switches))
}

fn switch_value(name: &str, value: Value) -> Value {
    let word = value.as_str().map(plain);
    let meant = match (name, word.as_deref()) {
        ("aoo_fallback", Some("nextpc" | "next")) => Some("next_pc"),
        ("aoo_fallback", Some("stay" | "none")) => Some("stay"),
        ("north", Some("firstrow" | "top" | "up" | "north")) => Some("first_row"),
        ("north", Some("lastrow" | "bottom" | "down" | "south")) => Some("last_row"),
        ("north", Some("firstcolumn" | "left" | "west")) => Some("first_column"),
        ("north", Some("lastcolumn" | "right" | "east")) => Some("last_column"),
        _ => None,
    };
    match (meant, truth(&value)) {
        (Some(word), _) => json!(word),
        (None, Some(truth)) if !matches!(name, "north" | "aoo_fallback") => json!(truth),
        _ => value,
    }
}

/// A switch as a line of text gives it: its own name and value.
pub(super) fn one_switch(name: &str, value: &str) -> Option<(&'static str, Value)> {
    let own = switch(name)?;
    Some((own, switch_value(own, json!(value))))
}

#[cfg(test)]
mod tests {
    use crate::bridge::grid::{self, GridPosition};

    fn read(json: &str) -> GridPosition {
        grid::parse_json(json).unwrap_or_else(|error| panic!("{error}\n{json}"))
    }

    #[test]
    fn figures_are_understood_however_they_are_written() {
        let plain = r#"{"map": [".a .. .P"], "figures": {
            "a": {"hp": 20, "def": 14, "atk": 5, "dmg": 10, "abilities": ["Double Attack", "Grenades 20"], "force": 1},
            "P": {"hp": 60, "def": 16, "atk": 8, "dmg": 20, "activated": true, "ai_type": "melee"}}}"#;
        let expected = read(plain);
        for other in [
            r#"{"map": ".a .. .P", "figures": {
                "a": {"HP": "20", "Defense": 14.0, "attack": "+5", "damage": 10, "abilities": "double_attack; grenades:20",
                      "force_points": 1},
                "P": {"hp": 60, "def": 16, "atk": 8, "dmg": 20, "Activated": "yes", "type": "Melee", "abilities": null}}}"#,
            r#"{"grid": ["  A  B  C", "1 .a .. .P"], "figures": [
                {"id": "a", "hp": 20, "def": 14, "atk": 5, "dmg": 10, "force": 1,
                 "abilities": [{"key": "double_attack"}, {"key": "grenades", "n": 20}]},
                {"letter": "P", "hp": 60, "def": 16, "atk": 8, "dmg": 20, "activated": 1, "ai_type": "melee"}]}"#,
            r#"{"map": [".a...P"], "figures": {
                "a": {"hp": 20, "def": 14, "atk": 5, "dmg": 10, "abilities": {"double_attack": true, "grenades": 20},
                      "force": 1, "side": "AF"},
                "P": "60/16/+8/20 activated type melee"}}"#,
        ] {
            let found = read(other);
            assert_eq!(found.board.figures(), expected.board.figures(), "{other}");
            assert!(found.warnings.is_empty(), "{:?}", found.warnings);
        }
        let card = &expected.board.figure("a").unwrap().card;
        assert_eq!(
            (card.extra_attacks(), expected.board.figure("a").unwrap().has_force()),
            (1, true)
        );
    }

    #[test]
    fn switches_are_understood_by_their_names_and_unknown_ones_are_said() {
        let position = read(
            r#"{"map": [".a .P"], "switches": {"FoF first": "no", "wall_touch_cover": false, "north": "bottom",
                "aoo-fallback": "stay", "area_moves": 1, "diagonal_adjacency": true, "no_such": 3}}"#,
        );
        let options = &position.options;
        assert!(!options.fof_first && !options.wall_touch_gives_cover && options.area_moves);
        assert!(options.adjacent_past_corners);
        assert_eq!(serde_json::to_value(options.north).unwrap(), "last_row");
        assert_eq!(serde_json::to_value(options.aoo_fallback).unwrap(), "stay");
        assert!(
            position
                .warnings
                .iter()
                .any(|warning| warning.contains("switches.no_such")),
            "{:?}",
            position.warnings
        );
    }

    #[test]
    fn what_cannot_be_meant_is_refused_with_its_place() {
        for (json, place) in [
            (r#"{"map": [".a"], "figures": {"a": {"hp": "many"}}}"#, "figures.a.hp"),
            (r#"{"map": [".a"], "figures": {"a": {"hp": 12.5}}}"#, "figures.a.hp"),
            (r#"{"map": [".a"], "figures": [{"hp": 5}]}"#, "figures[0]"),
            (r#"{"map": [".a ..", ".."]}"#, "row 2"),
            (r#"{"map": [".a x."]}"#, "B1"),
            (
                r#"{"map": [".a"], "switches": {"north": "up and away"}}"#,
                "switches.north",
            ),
            (r#"{"map": [".a ..", ".. .a"]}"#, "figures.a"),
            (
                r#"{"map": [".a"], "tokens": [{"at": "A1", "figures": ["b"]}]}"#,
                "figures.b",
            ),
            (r#"{"map": [".a"], "figures": {"a": {"atk": 32767}}}"#, "atk"),
            (r#"{"map": [".a"], "figures": {"a": {"speed": 101}}}"#, "speed"),
            (
                r#"{"map": [".a", ".P"], "tokens": [{"at": "A1", "figures": ["P"]}]}"#,
                "figures.P",
            ),
            (
                r#"{"map": [".a", ".P"], "tokens": [{"at": "A1", "figures": ["a"]}]}"#,
                "figures.a",
            ),
            (r#"{"map": []}"#, "height"),
            ("[]", "map: height"),
            ("7", "the position"),
        ] {
            let error = grid::parse_json(json).expect_err(json).to_string();
            assert!(error.contains(place), "{json}: {error}");
        }
    }

    #[test]
    fn walls_and_doors_between_squares_come_in_several_forms() {
        for (json, shut) in [
            (r#"{"map": [".a .P"], "edges": ["wall A1-B1"]}"#, true),
            (r#"{"map": [".a .P"], "walls": ["A1-B1"]}"#, true),
            (r#"{"map": [".a .P"], "doors": [["B1", "A1"]]}"#, true),
            (
                r#"{"map": [".a .P"], "doors": [{"between": "A1-B1", "open": true}]}"#,
                false,
            ),
        ] {
            let board = read(json).board;
            let space = |id: &str| board.figure(id).unwrap().space();
            assert_eq!(board.sees(space("a"), space("P")), !shut, "{json}");
        }
    }
}
