//! Save files of Tabletop Simulator as tables.

use std::path::{Path, PathBuf};

use expect_test::expect_file;
use proptest::prelude::*;
use serde_json::{Value, json};
use tallyho::{bridge::tts::save, xwing::catalog::Catalog};

use super::tts_bridge::described;

fn case(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/cases/tts/save")
        .join(name)
}

fn text(name: &str) -> String {
    std::fs::read_to_string(case(name)).expect(name)
}

#[test]
fn saves_become_tables() {
    for (name, expected) in [
        ("game.json", expect_file!["../cases/tts/save/game.expected"]),
        ("odd.json", expect_file!["../cases/tts/save/odd.expected"]),
    ] {
        let (table, warnings) = save::read(&text(name), Catalog::embedded()).expect(name);
        expected.assert_eq(&described(&table, &warnings));
    }
}

#[test]
fn what_is_no_save_is_told_with_the_remedy() {
    let error = |text: &str| save::read(text, Catalog::embedded()).unwrap_err().to_string();
    assert!(error("ship A tielnfighter").contains("not JSON"));
    assert!(error("").contains("not JSON"));
    for text in ["{}", "[]", "7", r#"{"ObjectStates": {}}"#] {
        assert!(error(text).contains("Saves"), "{text}");
    }
    let (_, warnings) = save::read(r#"{"ObjectStates": []}"#, Catalog::embedded()).unwrap();
    assert!(warnings[0].message.contains("no ship"));
}

#[test]
fn a_byte_order_mark_and_the_order_of_objects_do_not_matter() {
    let plain = save::read(&text("game.json"), Catalog::embedded()).unwrap().0;
    let marked = format!("\u{feff}{}", text("game.json"));
    assert_eq!(save::read(&marked, Catalog::embedded()).unwrap().0, plain);
    let mut value: Value = serde_json::from_str(&text("game.json")).unwrap();
    value["ObjectStates"].as_array_mut().unwrap().reverse();
    assert_eq!(save::read(&value.to_string(), Catalog::embedded()).unwrap().0, plain);
}

#[test]
fn a_save_full_of_other_things_is_read_too() {
    let mut value: Value = serde_json::from_str(&text("game.json")).unwrap();
    let script = "-- a long script of the table\n".repeat(4000);
    let objects = value["ObjectStates"].as_array_mut().unwrap();
    for number in 0..30 {
        objects.push(json!({
            "GUID": format!("f{number:05x}"), "Name": "Custom_Model_Infinite_Bag", "Nickname": "Ships",
            "Transform": {"posX": 8.3E-06, "posY": 1.0, "posZ": 1E+1, "rotY": 0.0, "scaleX": 1.0},
            "LuaScript": script, "ContainedObjects": [{"Name": "Custom_Model", "Tags": ["Ship"], "Nickname": "In the bag"}],
            "ChildObjects": [{"Name": "Custom_Model", "Nickname": "Peg"}],
        }));
    }
    let large = value.to_string();
    assert!(large.len() > 3_000_000);
    let plain = save::read(&text("game.json"), Catalog::embedded()).unwrap().0;
    assert_eq!(save::read(&large, Catalog::embedded()).unwrap().0, plain);
}

/// Any JSON that is not too deep.
fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        prop_oneof!["[a-f0-9]{6}", "Ship", "Focus", "small", "\\{\"shipData\":\\{\\}\\}"].prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-zA-Z0-9]{1,6}", inner, 0..4).prop_map(|map| json!(map)),
        ]
    })
}

proptest! {
    #[test]
    fn no_value_in_any_field_breaks_the_reader(
        field in prop::sample::select(vec!["GUID", "Name", "Transform", "Nickname", "Tags", "LuaScript", "LuaScriptState", "States", "Number"]),
        index in 0..16usize,
        value in any_value(),
    ) {
        let mut save: Value = serde_json::from_str(&text("game.json")).unwrap();
        save["ObjectStates"][index][field] = value;
        prop_assert!(save::read(&save.to_string(), Catalog::embedded()).is_ok());
    }

    #[test]
    fn no_value_in_a_ships_script_state_breaks_the_reader(
        field in prop::sample::select(vec!["shipData", "arcIndicators", "finishedSetup", "tokenData", "owningPlayer", "isAi", "uiData"]),
        value in any_value(),
    ) {
        let mut save: Value = serde_json::from_str(&text("game.json")).unwrap();
        let mut state: Value = serde_json::from_str(save["ObjectStates"][2]["LuaScriptState"].as_str().unwrap()).unwrap();
        state[field] = value;
        save["ObjectStates"][2]["LuaScriptState"] = Value::from(state.to_string());
        let (table, _) = save::read(&save.to_string(), Catalog::embedded()).unwrap();
        prop_assert_eq!(table.ships.len(), 4);
    }
}
