//! Raw snapshots with something unreadable in them: a warning names it, and the rest of the table is used.

use serde_json::{Value, json};
use tallyho::{bridge::host::Host, protocol::lifecycle::Role};

fn skirmish() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases/tts/skirmish.json");
    let mut snapshot: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    snapshot["kind"] = json!("tts");
    snapshot
}

/// The answer to `table/sync`; a decision on the table is asked for too, so that what was taken holds further on.
fn sync(snapshot: &Value) -> Value {
    let mut host = Host::new(super::game::plain_table::config(4));
    let answer = host
        .request(Role::Table, "table/sync", json!({"rev": 1, "snapshot": snapshot}))
        .0;
    let _ = host.request(Role::Table, "solo/preview", json!({}));
    answer.unwrap_or_else(|fault| panic!("{fault:?} for {snapshot}"))
}

fn warned(answer: &Value, object: Option<&str>, words: &str) -> bool {
    answer["warnings"].as_array().into_iter().flatten().any(|warning| {
        object.is_none_or(|object| warning["object"] == object)
            && warning["message"]
                .as_str()
                .is_some_and(|message| message.contains(words))
    })
}

fn same_kind(a: &Value, b: &Value) -> bool {
    std::mem::discriminant(a) == std::mem::discriminant(b)
}

/// What may stand in any field.
fn strange() -> [Value; 9] {
    [
        Value::Null,
        json!(true),
        json!("?"),
        json!([]),
        json!([1, "x", null]),
        json!({"a": [null]}),
        json!(1e308),
        json!(-1e308),
        json!(-7),
    ]
}

#[test]
fn any_field_of_any_object_may_be_anything() {
    let good = skirmish();
    let understood = sync(&good);
    for kind in ["mats", "ships", "obstacles"] {
        let objects = good[kind].as_array().unwrap();
        assert!(!objects.is_empty(), "{kind}");
        for (index, object) in objects.iter().enumerate() {
            for (field, old) in object.as_object().unwrap() {
                for new in strange() {
                    let mut snapshot = good.clone();
                    snapshot[kind][index][field] = new.clone();
                    let answer = sync(&snapshot);
                    // A mat that lies elsewhere leaves the pieces off it.
                    let moved = kind == "mats" && new == -7 && old.is_number();
                    for count in ["ships", "obstacles"].into_iter().filter(|_| !moved) {
                        let lost = understood[count]
                            .as_u64()
                            .unwrap()
                            .saturating_sub(answer[count].as_u64().unwrap());
                        assert!(
                            lost <= u64::from(count == kind),
                            "{kind} {index} {field} {new}: {answer}"
                        );
                    }
                    let scalar = new.is_boolean() || new.is_number() || new.is_string();
                    if scalar && !same_kind(old, &new) {
                        let id = (field != "guid").then(|| object["guid"].as_str().unwrap());
                        let words = format!("`{field}` is ");
                        assert!(warned(&answer, id, &words), "{kind} {index} {field} {new}: {answer}");
                    }
                }
            }
        }
    }
}

#[test]
fn an_object_without_a_place_is_left_out() {
    for (kind, field) in [("ships", "x"), ("ships", "rotY"), ("obstacles", "z")] {
        let mut snapshot = skirmish();
        snapshot[kind][0].as_object_mut().unwrap().remove(field);
        let guid = snapshot[kind][0]["guid"].as_str().unwrap().to_owned();
        let answer = sync(&snapshot);
        assert_eq!(
            answer[kind].as_u64(),
            sync(&skirmish())[kind].as_u64().map(|all| all - 1),
            "{answer}"
        );
        assert!(
            warned(&answer, Some(&guid), &format!("`{field}` is missing")),
            "{answer}"
        );
    }
}

#[test]
fn what_is_no_object_and_no_list_costs_nothing_else() {
    let understood = sync(&skirmish());
    for kind in ["mats", "ships", "obstacles", "solo", "round"] {
        for new in strange() {
            let mut snapshot = skirmish();
            snapshot[kind] = new.clone();
            let answer = sync(&snapshot);
            for other in ["ships", "obstacles"].into_iter().filter(|other| *other != kind) {
                assert_eq!(answer[other], understood[other], "{kind} {new}");
            }
            if new.is_boolean() || new == "?" {
                assert!(
                    warned(&answer, Some(""), &format!("`{kind}` is ")),
                    "{kind} {new}: {answer}"
                );
            }
            let Some(list) = skirmish()[kind].as_array().cloned() else {
                continue;
            };
            let mut snapshot = skirmish();
            snapshot[kind] = list.into_iter().chain([new.clone()]).collect();
            let answer = sync(&snapshot);
            assert_eq!(answer["ships"], understood["ships"], "{kind} {new}");
            assert_eq!(answer["obstacles"], understood["obstacles"], "{kind} {new}");
        }
    }
}

#[test]
fn whole_numbers_may_have_a_point() {
    let mut snapshot = skirmish();
    snapshot["round"] = json!(2.0);
    snapshot["obstacles"][0]["state"] = json!(1.0);
    snapshot["ships"][0]["tokens"] = json!({"Focus": 1.0});
    assert_eq!(sync(&snapshot)["warnings"], sync(&skirmish())["warnings"]);
}
