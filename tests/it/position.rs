//! The JSON form of positions: 300 of another implementation's, every kind of mistake, and noise.

use proptest::prelude::*;
use tallyho::{
    bridge::position::{self, Position, PositionError},
    xwing::{catalog::Catalog, ship::ArcDirection, weapon::Requirement},
};

use crate::positions_300;

fn parse(json: &str) -> Result<Position, PositionError> {
    position::parse(json, Catalog::embedded())
}

/// A position with one ship whose fields are these.
fn with_ship(fields: &str) -> String {
    format!(
        r#"{{"ships": [{{"id": "A", "side": "solo", "ship": "tielnfighter", "x": 1, "y": 2, "heading": 3, {fields}}}]}}"#
    )
}

#[test]
fn all_300_positions_are_read_without_a_warning_and_written_back_the_same() {
    for line in positions_300::POSITIONS.lines() {
        let position = parse(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        assert_eq!(position.warnings, [], "{}", position.id);
        assert!(position.active.is_some() && position.roll.defence.is_some() && position.roll.attack.is_some());
        let written = position::write(&position, Catalog::embedded());
        assert_eq!(parse(&written).unwrap(), position, "{written}");
    }
}

/// SA-0: the order in which a table lists its objects never matters.
#[test]
fn the_order_of_objects_does_not_matter() {
    for line in positions_300::POSITIONS.lines() {
        let mut value: serde_json::Value = serde_json::from_str(line).unwrap();
        for list in ["ships", "obstacles", "points"] {
            value[list].as_array_mut().unwrap().reverse();
        }
        assert_eq!(parse(&value.to_string()).unwrap().table, parse(line).unwrap().table);
    }
}

#[test]
fn an_error_names_the_place_and_the_remedy() {
    let cases = [
        ("", "", "the text ends where a value is to stand"),
        ("[]", "", "a list is no position"),
        ("{} {}", "", "after the position"),
        (r#"{"area": {"w": 1e999, "h": 1}}"#, "area.w", "the number is too large"),
        (r#"{"area": {"w": 0, "h": 914.4}}"#, "area.w", "914.4 for 3 feet"),
        (r#"{"ships": 3}"#, "ships", "a list is expected, not `3`"),
        (r#"{"active": "A"}"#, "active", "the position has no ships"),
        (
            r#"{"forced_tally": "P1", "points": [{"id": "P2", "x": 1, "y": 2}]}"#,
            "forced_tally",
            "no ship, obstacle or point has the id `P1`",
        ),
        (
            r#"{"roll": {"attack": "evade"}}"#,
            "roll.attack",
            "expected one of `crit`",
        ),
        (
            r#"{"points": [{"id": "", "x": 1, "y": 2}]}"#,
            "points[0].id",
            "is empty",
        ),
        (
            r#"{"points": [{"id": "P", "x": 1e12, "y": 2}]}"#,
            "points[0].x",
            "millimetres",
        ),
        (
            r#"{"points": [{"id": "a\nb", "x": 1, "y": 2}]}"#,
            "points[0].id",
            "a character that is not seen",
        ),
        (
            r#"{"points": [{"id": "P", "x": 1, "y": 2}, {"id": "P", "x": 1, "y": 2}]}"#,
            "points[1].id",
            "already another object's id",
        ),
        (
            r#"{"obstacles": [{"id": "o", "kind": "rock"}]}"#,
            "obstacles[0].kind",
            "expected one of `asteroid`",
        ),
        (
            r#"{"obstacles": [{"id": "o", "kind": "debris"}]}"#,
            "obstacles[0].points",
            "at least 3",
        ),
        (
            r#"{"obstacles": [{"id": "o", "kind": "debris", "points": [[0,0],[1,1],[2,2]]}]}"#,
            "obstacles[0].points",
            "covers no area",
        ),
        (
            r#"{"obstacles": [{"id": "o", "kind": "debris", "points": [[0,0],[9,0],[0,1e9]]}]}"#,
            "obstacles[0].points[2]",
            "millimetres",
        ),
        (
            r#"{"obstacles": [{"id": "o", "kind": "debris", "shape": "nosuchrock", "x": 1, "y": 2}]}"#,
            "obstacles[0].shape",
            "no outline is known",
        ),
        (
            &with_ship(r#""size": "tiny""#),
            "ships[0].size",
            "expected one of `small`",
        ),
        (&with_ship(r#""initiative": 60"#), "ships[0].initiative", "0 to 12"),
        (
            &with_ship(r#""initiative": -1"#),
            "ships[0].initiative",
            "from 0 to 255 is expected, not `-1`",
        ),
        (
            &with_ship(r#""dial": ["2FB", "9ZZ"]"#),
            "ships[0].dial[1]",
            "is not a dial code",
        ),
        (
            &with_ship(r#""turret": ["front", "left"]"#),
            "ships[0].turret",
            "two opposite ones",
        ),
        (
            &with_ship(r#""tokens": {"stress": 4000000}"#),
            "ships[0].tokens.stress",
            "at most",
        ),
        (
            &with_ship(r#""tokens": {"stress": -1}"#),
            "ships[0].tokens.stress",
            "from 0 to 4294967295 is expected",
        ),
        (
            &with_ship(r#""special": [{"id": "protontorpedoes", "charges": 5, "max_charges": 2}]"#),
            "ships[0].special[0].charges",
            "may not exceed",
        ),
        (
            &with_ship(r#""weapons": [{"arc": "Front Arc", "value": 3, "min": 3, "max": 1}]"#),
            "ships[0].weapons[0].max",
            "from 0 to 3",
        ),
        (
            r#"{"ships": [{"id": "A", "side": "s", "ship": "tielnfihgter", "x": 1, "y": 2, "heading": 3}]}"#,
            "ships[0].ship",
            "is `tielnfighter` meant?",
        ),
        (
            r#"{"ships": [{"id": "A", "side": "s", "ship": "tielnfighter", "x": 1, "y": 2}]}"#,
            "ships[0]",
            "missing field `heading`",
        ),
        (
            r#"{"ships": [{"id": "A", "side": "s", "ship": "tielnfighter", "x": 1, "y": 2, "heading": 1e9}]}"#,
            "ships[0].heading",
            "degrees clockwise",
        ),
        (
            r#"{"ships": [{"id": "A", "side": "s", "ship": "tielnfighter", "x": 1, "y": 2, "heading": 3,
                "actions": ["Focus", {"type": "Barrelroll"}]}]}"#,
            "ships[0].actions[1]",
            "the names are Focus, Calculate, Evade, Lock, Barrel Roll",
        ),
        (
            r#"{"ships": [{"id": "A", "side": "s", "ship": "tielnfighter", "x": 1, "y": 2, "heading": 3,
                "special": [{"id": "ioncannon", "requires": "locks"}]}]}"#,
            "ships[0].special[0].requires",
            "give lock, focus or calculate",
        ),
    ];
    for (json, place, message) in cases {
        let error = parse(json).expect_err(json);
        assert_eq!(error.place, place, "{json}: {error}");
        assert!(error.message.contains(message), "{json}: {error}");
    }
}

/// What a file quotes to a terminal steers no terminal and fills no screen.
#[test]
fn errors_and_warnings_quote_printable_text_of_bounded_length() {
    let endless = "x".repeat(1_000_000);
    let escape = r"\u001b[31m";
    for json in [
        format!(r#"{{"roll": {{"attack": "{escape}{endless}"}}}}"#),
        format!(r#"{{"forced_tally": "{escape}"}}"#),
        format!(
            r#"{{"ships": [{{"id": "A", "side": "s", "ship": "{escape}{endless}", "x": 1, "y": 2, "heading": 0}}]}}"#
        ),
    ] {
        let said = parse(&json).unwrap_err().to_string();
        assert!(said.len() < 1000 && !said.contains(char::is_control), "{said:?}");
    }
    let position = parse(&format!(r#"{{"{escape}{endless}": 1}}"#)).unwrap();
    let said = position.warnings[0].to_string();
    assert!(said.len() < 1000 && !said.contains(char::is_control), "{said:?}");
    let position = parse(&with_ship(
        r#""initiative": 1, "pilot": "a\u0007b", "name": "c\u0007d""#,
    ))
    .unwrap();
    assert!(!position.warnings[0].to_string().contains(char::is_control));
    assert_eq!(position.table.ships[0].name, "c\\u{7}d");
}

#[test]
fn too_many_objects_are_refused() {
    let points: Vec<String> = (0..201)
        .map(|i| format!(r#"{{"id": "P{i}", "x": 1, "y": 2}}"#))
        .collect();
    let error = parse(&format!(r#"{{"points": [{}]}}"#, points.join(","))).unwrap_err();
    assert_eq!(
        (error.place.as_str(), error.message.as_str()),
        ("points", "201 entries; at most 200 are taken")
    );
}

#[test]
fn what_is_not_understood_becomes_a_warning_and_the_rest_is_used() {
    let cases = [
        (
            &with_ship(r#""initiative": 3, "headnig": 3"#),
            "ships[0].headnig",
            "is `heading` meant?",
        ),
        (
            &with_ship(r#""initiative": 3, "tokens": {"stres": 1}"#),
            "ships[0].tokens.stres",
            "is `stress` meant?",
        ),
        (
            &with_ship(r#""initiative": 3, "favourite_colour": "red""#),
            "ships[0].favourite_colour",
            "docs/positions.md",
        ),
        (
            &with_ship(r#""initiative": 3, "tokens": {"lock": ["B"]}"#),
            "ships[0].tokens.lock[0]",
            "no object has the id `B`",
        ),
        (
            &with_ship(r#""initiative": 3, "size": "large""#),
            "ships[0].size",
            "another base size",
        ),
        (
            &with_ship(r#""initiative": 3, "pilot": "nobody""#),
            "ships[0].pilot",
            "no pilot `nobody`",
        ),
        (
            &with_ship(r#""initiative": 3, "special": [{"id": "nosuchgun"}]"#),
            "ships[0].special[0].id",
            "is not in the catalog",
        ),
        (
            &with_ship(r#""name": "no initiative""#),
            "ships[0].initiative",
            "`A` has no initiative given, so 1 is used",
        ),
        (
            &with_ship(r#""initiative": 3, "weapons": [{"arc": "Single Turret Arc", "value": 2}]"#),
            "ships[0].turret",
            "it points to the front",
        ),
    ];
    for (json, place, message) in cases {
        let position = parse(json).unwrap_or_else(|error| panic!("{json}: {error}"));
        let [warning] = &position.warnings[..] else {
            panic!("{json}: {:?}", position.warnings)
        };
        assert_eq!(warning.place, place, "{warning}");
        assert!(warning.message.contains(message), "{warning}");
        assert_eq!(position.table.ships.len(), 1);
    }
}

#[test]
fn a_ship_off_the_play_area_and_an_unknown_ship_with_a_size_are_used_with_a_warning() {
    let json = r#"{"ships": [{"id": "A", "side": "s", "ship": "homemade", "size": "huge", "x": -50, "y": 2,
                   "heading": 0, "initiative": 7}]}"#;
    let position = parse(json).unwrap();
    let places: Vec<_> = position.warnings.iter().map(|warning| warning.place.as_str()).collect();
    assert_eq!(places, ["ships[0].ship", "ships[0].x"]);
    let ship = &position.table.ships[0];
    assert!(ship.weapons.is_empty() && ship.dial.maneuvers().is_empty());
}

#[test]
fn the_catalog_fills_in_what_is_left_out_and_the_position_overrides_it() {
    let json = r#"{"ships": [
        {"id": "A", "side": "solo", "ship": "t65xwing", "pilot": "lukeskywalker", "x": 1, "y": 2, "heading": 363,
         "special": [{"id": "protontorpedoes"}]},
        {"id": "B", "side": "solo", "ship": "t65xwing", "initiative": 1, "x": 1, "y": 99, "heading": 0, "dial": ["2FB"],
         "weapons": [{"arc": "Double Turret Arc", "value": 5}], "turret": ["right", "left"],
         "actions": ["Focus", {"type": "Boost", "difficulty": "Red", "linked": {"type": "Lock"}}],
         "special": [{"id": "protontorpedoes", "requires": null, "charges": 0}]}]}"#;
    let position = parse(json).unwrap();
    assert_eq!(position.warnings, []);
    let [a, b] = &position.table.ships[..] else { panic!() };
    assert_eq!((a.initiative, a.pose.heading), (5, 3.0));
    let torpedoes = a.weapons.last().unwrap();
    assert_eq!((torpedoes.value, torpedoes.min_range, torpedoes.max_range), (4, 2, 3));
    let special = torpedoes.special.as_ref().unwrap();
    assert_eq!(special.requires, [Requirement::Lock]);
    assert_eq!(special.charges.map(|charges| (charges.left, charges.max)), Some((2, 2)));
    assert_eq!(
        b.dial.maneuvers().iter().map(ToString::to_string).collect::<Vec<_>>(),
        ["2FB"]
    );
    assert_eq!(b.turret, [ArcDirection::Left, ArcDirection::Right]);
    assert_eq!(b.actions.len(), 2);
    let special = b.weapons.last().unwrap().special.as_ref().unwrap();
    assert!(special.requires.is_empty());
    assert_eq!(special.charges.map(|charges| (charges.left, charges.max)), Some((0, 2)));
    let written = position::write(&position, Catalog::embedded());
    assert_eq!(parse(&written).unwrap().table, position.table);
}

proptest! {
    /// Noise of any kind gives an answer or an error, never a panic.
    #[test]
    fn noise_is_answered(noise in "\\PC*") {
        let _ = parse(&noise);
    }

    /// So does a position in which bytes were changed.
    #[test]
    fn mutated_positions_are_answered(
        line in 0..300_usize,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let mut bytes = positions_300::POSITIONS.lines().nth(line).unwrap().as_bytes().to_vec();
        for (index, byte) in changes {
            let at = index.index(bytes.len());
            bytes[at] = byte;
        }
        let _ = parse(&String::from_utf8_lossy(&bytes));
    }

    /// And one in which numbers were exchanged for extreme ones.
    #[test]
    fn extreme_numbers_are_answered(
        line in 0..300_usize,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<f64>()), 1..8),
    ) {
        let mut value: serde_json::Value = serde_json::from_str(positions_300::POSITIONS.lines().nth(line).unwrap()).unwrap();
        for (index, number) in changes {
            let mut numbers = Vec::new();
            collect_numbers(&mut value, &mut numbers);
            let at = index.index(numbers.len());
            if let Some(number) = serde_json::Number::from_f64(number) {
                *numbers[at] = number.into();
            }
        }
        if let Ok(position) = parse(&value.to_string()) {
            prop_assert!(position.table.ships.iter().all(|ship| ship.pose.position.length().is_finite()));
        }
    }
}

fn collect_numbers<'v>(value: &'v mut serde_json::Value, numbers: &mut Vec<&'v mut serde_json::Value>) {
    match value {
        serde_json::Value::Number(_) => numbers.push(value),
        serde_json::Value::Array(items) => items.iter_mut().for_each(|item| collect_numbers(item, numbers)),
        serde_json::Value::Object(map) => map.values_mut().for_each(|item| collect_numbers(item, numbers)),
        _ => {}
    }
}
