//! Snapshots of Tabletop Simulator as tables: each case file in `tests/cases/tts` and what is understood of it.

use std::{
    collections::BTreeSet,
    fmt::Write as _,
    path::{Path, PathBuf},
};

use expect_test::expect_file;
use serde_json::json;
use tallyho::{
    bridge::{
        host::{Host, Outgoing},
        tts::{
            Warning,
            snapshot::{self, Reading},
            units::{Frame, UNITS_PER_MM},
        },
    },
    geometry::{Point, Pose},
    protocol::{
        apply::{ApplyParams, ApplyResult, Outcome, WireStep},
        lifecycle::{ClientCapabilities, Dialect, Role},
        snapshot::TtsSnapshot,
    },
    xwing::{
        ObjectId,
        catalog::Catalog,
        measure::{Object, ship_distance},
        ship::Ship,
        table::Table,
    },
};

fn case(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/tts").join(name)
}

fn load(name: &str) -> TtsSnapshot {
    let text = std::fs::read_to_string(case(name)).expect(name);
    serde_json::from_str(&text).expect(name)
}

fn read(raw: &TtsSnapshot) -> Reading {
    let solo: BTreeSet<ObjectId> = raw.solo.iter().map(|guid| guid.as_str().into()).collect();
    snapshot::read(raw, &solo, Catalog::embedded())
}

fn list<T: ToString>(items: impl IntoIterator<Item = T>) -> String {
    items
        .into_iter()
        .map(|item| item.to_string())
        .collect::<Vec<_>>()
        .join(" ")
}

fn ship_line(ship: &Ship) -> String {
    let Pose { position, heading } = ship.pose;
    let arcs = list(ship.turret.iter().map(|arc| format!("{arc:?}")));
    let tokens = serde_json::to_value(ship.tokens).expect("counts are numbers");
    let tokens = tokens
        .as_object()
        .expect("a record")
        .iter()
        .filter(|(_, count)| **count != json!(0));
    format!(
        "ship {} `{}` {} {} {:?} {:?} initiative {} at {:.1},{:.1} @{:.1} tokens [{}] locks [{}] turret [{arcs}] bumped [{}] \
         dial [{}] actions [{}]",
        ship.id,
        ship.name,
        ship.side,
        ship.chassis,
        ship.size,
        ship.status,
        ship.initiative,
        position.x,
        position.y,
        heading,
        list(tokens.map(|(name, count)| format!("{name} {count}"))),
        list(&ship.locks),
        list(&ship.bumped),
        list(ship.dial.maneuvers()),
        list(ship.actions.iter().map(|action| format!("{:?}", action.action.kind))),
    )
}

/// A table and its warnings in lines.
pub fn described(table: &Table, warnings: &[Warning]) -> String {
    let mut text = format!("area {:.1} x {:.1}\n", table.area.width, table.area.height);
    for ship in &table.ships {
        let _ = writeln!(text, "{}", ship_line(ship));
    }
    for obstacle in &table.obstacles {
        let centre = Object::Obstacle(obstacle).centre();
        let _ = writeln!(
            text,
            "obstacle {} {:?} at {:.1},{:.1} corners {}",
            obstacle.id,
            obstacle.kind,
            centre.x,
            centre.y,
            obstacle.outline.len()
        );
    }
    for warning in warnings {
        let _ = writeln!(text, "warning {warning}");
    }
    text
}

#[test]
fn snapshots_become_tables() {
    for (name, expected) in [
        ("skirmish.json", expect_file!["../cases/tts/skirmish.expected"]),
        ("trouble.json", expect_file!["../cases/tts/trouble.expected"]),
        ("no_mat.json", expect_file!["../cases/tts/no_mat.expected"]),
        ("bump.json", expect_file!["../cases/tts/bump.expected"]),
    ] {
        let reading = read(&load(name));
        expected.assert_eq(&described(&reading.table, &reading.warnings));
    }
}

#[test]
fn the_order_of_the_objects_never_matters() {
    for name in ["skirmish.json", "trouble.json", "no_mat.json", "bump.json"] {
        let raw = load(name);
        let mut reversed = raw.clone();
        reversed.ships.reverse();
        reversed.obstacles.reverse();
        reversed.mats.reverse();
        reversed.solo.reverse();
        assert_eq!(read(&raw), read(&reversed), "{name}");
    }
}

#[test]
fn a_reported_bump_is_range_0_of_the_nearest_ship_alone() {
    let table = read(&load("bump.json")).table;
    let ship = |id: &str| table.ship(id).unwrap();
    assert_eq!(ship_distance(ship("b00001"), ship("b00002")), 0.0);
    assert!(ship_distance(ship("b00001"), ship("b00003")) > 1.0);
    // A button left from a bump long ago means nothing any more.
    assert!(ship("b00004").bumped.is_empty());
}

#[test]
fn a_rotated_ship_lies_where_the_mod_draws_it() {
    // The front edge of a ship with rotY r is at (-sin r, -cos r) of its centre, its right side at (-cos r, +sin r).
    let frame = Frame::new(-20.5142, 0.0, 16.55, 16.55);
    for rot_y in [0.0_f64, 33.0, 90.0, 180.0, 271.5] {
        let pose = frame.pose(-22.0, 3.0, rot_y);
        let (sin, cos) = rot_y.to_radians().sin_cos();
        let place = |right: f64, ahead: f64| {
            let x = -22.0 + UNITS_PER_MM * (-sin * ahead - cos * right);
            let z = 3.0 + UNITS_PER_MM * (-cos * ahead + sin * right);
            frame.point(x, z)
        };
        assert!(pose.to_table(Point::new(0.0, 20.0)).distance(place(0.0, 20.0)) < 1e-9);
        assert!(pose.to_table(Point::new(20.0, 0.0)).distance(place(20.0, 0.0)) < 1e-9);
    }
}

/// A host with the skirmish on its table; every step is answered as done.
fn played() -> Vec<ApplyParams> {
    let mut host = Host::new(super::game::plain_table::config(4));
    let capabilities = ClientCapabilities {
        dialect: Dialect::Tts,
        terse: true,
        ..super::game::plain_table::everything()
    };
    let text = std::fs::read_to_string(case("skirmish.json")).unwrap();
    let mut snapshot: serde_json::Value = serde_json::from_str(&text).unwrap();
    snapshot["kind"] = json!("tts");
    let sync = json!({"rev": 3, "snapshot": snapshot});
    let mut waiting = host.table_attached(&capabilities, false);
    let (answer, more) = host.request(Role::Table, "table/sync", sync.clone());
    waiting.extend(more);
    let answer = answer.unwrap();
    assert_eq!(
        (answer["ships"].clone(), answer["obstacles"].clone()),
        (json!(4), json!(3))
    );
    let (answer, more) = host.request(Role::Table, "solo/advance", json!({"scope": "round"}));
    assert_eq!(answer.unwrap()["ships"], json!(["a1b2c3", "d4e5f6"]));
    waiting.extend(more);
    let mut steps = Vec::new();
    while !waiting.is_empty() {
        match waiting.remove(0) {
            Outgoing::RequestSync => waiting.extend(host.request(Role::Table, "table/sync", sync.clone()).1),
            Outgoing::Apply(params) => {
                let observed = match &params.step {
                    WireStep::Move { to, .. } | WireStep::Place { to, .. } => Some(*to),
                    _ => None,
                };
                let result = ApplyResult {
                    outcome: Outcome::Applied,
                    reason: String::new(),
                    rev: 4,
                    observed,
                    bumped: false,
                    touching: Vec::new(),
                };
                waiting.extend(host.apply_answered(&params.action_id, Ok(result)));
                steps.push(params);
            }
            Outgoing::Event(_) | Outgoing::Prompt(_) | Outgoing::Roll(_) | Outgoing::Withdraw(_) => {}
        }
    }
    assert_eq!(
        host.request(Role::Cli, "game/status", json!({})).0.unwrap()["waiting"],
        json!([])
    );
    steps
}

#[test]
fn steps_are_asked_for_in_the_mods_words_and_units() {
    let steps = played();
    let mut lines = String::new();
    for params in &steps {
        let _ = writeln!(lines, "{}", serde_json::to_string(&params.step).unwrap());
    }
    expect_file!["../cases/tts/skirmish.steps"].assert_eq(&lines);
    // The ship with a dial has it set to the move that follows.
    let dial = steps.iter().find_map(|params| match &params.step {
        WireStep::Dial { object, code } => Some((object.clone(), code.clone())),
        _ => None,
    });
    let code = steps.iter().find_map(|params| match &params.step {
        WireStep::Move { object, code, .. } if object == "a1b2c3" => Some(code.clone()),
        _ => None,
    });
    let (ship, dial) = dial.expect("a dial is assigned");
    assert_eq!(ship, "a1b2c3");
    assert_eq!(dial[1..], code.expect("it moves"));
    let raw = load("skirmish.json");
    let first = steps.iter().find_map(|params| match &params.step {
        WireStep::Move { from, .. } => Some(*from),
        _ => None,
    });
    let (from, ship) = (first.unwrap(), &raw.ships[0]);
    assert!(
        (from.x - ship.x).abs() < 1e-9 && (from.y - ship.z).abs() < 1e-9 && (from.facing - ship.rot_y).abs() < 1e-9
    );
}

#[test]
fn sentences_and_reasons_speak_names_and_machine_fields_ids() {
    let mut host = Host::new(super::game::plain_table::config(4));
    let text = std::fs::read_to_string(case("skirmish.json")).unwrap();
    let mut snapshot: serde_json::Value = serde_json::from_str(&text).unwrap();
    snapshot["kind"] = json!("tts");
    // Two rocks of one name, one right ahead of the first ship.
    let ship = snapshot["ships"][0].clone();
    let ahead = ship["rotY"].as_f64().unwrap().to_radians();
    let rock = |guid: &str, distance: f64| {
        json!({"guid": guid, "name": "Asteroid 4", "state": 1, "rotY": 20.0,
            "x": ship["x"].as_f64().unwrap() - distance * ahead.sin(),
            "z": ship["z"].as_f64().unwrap() - distance * ahead.cos()})
    };
    snapshot["obstacles"] = json!([rock("0b57a9", 8.0), rock("0b57aa", 3.0)]);
    let (answer, _) = host.request(Role::Table, "table/sync", json!({"rev": 3, "snapshot": snapshot}));
    assert_eq!(answer.unwrap()["obstacles"], 2);
    let guids: Vec<String> = snapshot["ships"]
        .as_array()
        .unwrap()
        .iter()
        .chain(snapshot["obstacles"].as_array().unwrap())
        .map(|object| object["guid"].as_str().unwrap().to_owned())
        .collect();
    let ship = ship["guid"].as_str().unwrap();
    let mut met = 0;
    for defence in ["evade", "focus", "blank"] {
        for attack in ["crit", "hit", "focus", "blank"] {
            let roll = json!({"ship": ship, "roll": format!("{defence}/{attack}")});
            let (answer, _) = host.request(Role::Viewer, "solo/override", roll);
            answer.unwrap();
            let (answer, _) = host.request(Role::Viewer, "solo/preview", json!({"ship": ship}));
            let answer = answer.unwrap();
            assert_eq!(answer["ship"], ship);
            let mut texts = vec![answer["sentence"].as_str().unwrap()];
            texts.extend(
                answer["reasons"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|reason| reason["text"].as_str().unwrap()),
            );
            for text in texts {
                assert!(!guids.iter().any(|guid| text.contains(guid)), "{text}");
                met += usize::from(text.contains("Asteroid 4 2"));
            }
        }
    }
    assert!(met > 0, "no roll led into the rock");
    let forced = json!({"ship": ship, "tally": "0b57a9"});
    let (answer, _) = host.request(Role::Viewer, "solo/override", forced);
    let message = answer.unwrap()["message"].as_str().unwrap().to_owned();
    assert!(message.ends_with("its tally is Asteroid 4."), "{message}");
}
