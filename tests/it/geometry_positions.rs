//! Movement, repositions and attack ranges against the answers of an independent implementation
//! (`tests/cases/positions-300.jsonl` and `expected-300.jsonl`).

use std::collections::BTreeSet;

use serde_json::Value;
use tallyho::{
    geometry::{Point, Pose, angle},
    xwing::{
        ObjectId,
        maneuver::{Maneuver, Side},
        measure::{self, Arc, Object},
        movement::{self, Alignment, MovementOptions},
        print::Print,
        reposition::{self, BoostTemplate, Reposition},
        ship::Ship,
        table::Table,
        weapon::{Weapon, WeaponArc},
    },
};

use crate::positions_300;

const TOLERANCE: f64 = 0.05;

struct Case {
    table: Table,
    position: Value,
    expected: Value,
}

impl Case {
    fn active(&self) -> &Ship {
        self.table.ship(self.position["active"].as_str().unwrap()).unwrap()
    }
}

fn cases() -> impl Iterator<Item = Case> {
    positions_300::all().map(|(line, position, expected)| Case {
        table: position.table,
        position: serde_json::from_str(line).unwrap(),
        expected,
    })
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

fn objects(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn alignment(text: &str) -> Alignment {
    match text {
        "10" | "+10" => Alignment::Forward,
        "-10" => Alignment::Back,
        "" | "0" => Alignment::Middle,
        other => panic!("alignment {other}"),
    }
}

fn pose_differs(pose: Pose, x: f64, y: f64, heading: f64) -> bool {
    pose.position.distance(Point::new(x, y)) > TOLERANCE || angle::signed(pose.heading - heading).abs() > TOLERANCE
}

/// Compares the id lists of an execution with an expected outcome.
fn list_differs(found: &[ObjectId], expected: &Value) -> bool {
    let found: BTreeSet<&str> = found.iter().map(|id| &**id).collect();
    found != objects(expected).iter().map(|id| id.as_str().unwrap()).collect()
}

/// SA-7: every outcome of every admissible maneuver.
#[test]
fn sa7_executions_agree_with_an_independent_implementation() {
    let mut differences = Vec::new();
    let mut compared = 0;
    for case in cases() {
        for branch in objects(&case.expected["branches"]) {
            for outcome in objects(&branch["outcomes"]) {
                let code = outcome["code"].as_str().unwrap();
                let maneuver: Maneuver = code.parse().unwrap();
                let alignment = alignment(outcome["alignment"].as_str().unwrap());
                let found = movement::execute(
                    &case.table,
                    case.active(),
                    maneuver,
                    alignment,
                    &MovementOptions::default(),
                );
                // The expected heading contains the turn at the edge.
                let turn = outcome["edge_turn"].as_f64().unwrap_or(0.0);
                let heading = number(&outcome["heading"]) - turn;
                let wrong = [
                    (
                        "pose",
                        pose_differs(found.pose, number(&outcome["x"]), number(&outcome["y"]), heading),
                    ),
                    ("t", (found.travelled_mm - number(&outcome["t"])).abs() > TOLERANCE),
                    ("full", outcome["full"] != found.full),
                    ("edge", outcome["edge"] != found.edge),
                    ("overlapped", list_differs(&found.overlapped, &outcome["overlapped"])),
                    ("bumped", list_differs(&found.bumped, &outcome["bumped"])),
                    ("crossed", list_differs(&found.crossed, &outcome["crossed"])),
                    (
                        "overlapped_obstacles",
                        list_differs(&found.overlapped_obstacles, &outcome["overlapped_obstacles"]),
                    ),
                    ("started_on", list_differs(&found.started_on, &outcome["started_on"])),
                    ("suffered", list_differs(&found.suffered, &outcome["suffered"])),
                ];
                compared += 1;
                for (what, _) in wrong.iter().filter(|(_, wrong)| *wrong) {
                    let id = &case.position["id"];
                    differences.push(format!("{id} {code} {what}: found {found:?}, expected {outcome}"));
                }
            }
        }
    }
    assert!(
        differences.is_empty(),
        "{} of {compared}\n{}",
        differences.len(),
        differences.join("\n")
    );
    assert!(compared >= 300, "{compared}");
}

/// Performs one repositioning action of the case notation; `None` for any other action.
fn perform(table: &Table, ship: &Ship, action: &str) -> Option<Reposition> {
    let options = MovementOptions::default();
    let mut parts = action.split(':');
    match parts.next()? {
        "Barrel Roll" => {
            let side = if parts.next()? == "left" {
                Side::Left
            } else {
                Side::Right
            };
            Some(reposition::barrel_roll(
                table,
                ship,
                side,
                parts.next()?.parse().unwrap(),
                &options,
            ))
        }
        "Boost" => {
            let template = match parts.next()? {
                "left" => BoostTemplate::Left,
                "right" => BoostTemplate::Right,
                _ => BoostTemplate::Straight,
            };
            Some(reposition::boost(table, ship, template, &options))
        }
        _ => None,
    }
}

/// SA-8: the barrel rolls and boosts among the expected actions succeed, and end where they should.
#[test]
fn sa8_repositions_agree_with_an_independent_implementation() {
    let mut differences = Vec::new();
    let mut compared = 0;
    for case in cases() {
        for branch in objects(&case.expected["branches"]) {
            for outcome in objects(&branch["outcomes"]) {
                let [x, y, heading] = ["x", "y", "heading"].map(|key| number(&outcome[key]));
                for action in objects(&outcome["actions_satisfying"]) {
                    let text = action["action"].as_str().unwrap();
                    let mut ship = case.active().clone();
                    ship.pose = Pose::new(x, y, heading);
                    let mut moved = false;
                    for step in text.split(" > ") {
                        if let Some(found) = perform(&case.table, &ship, step) {
                            moved = true;
                            ship.pose = found.pose;
                            if found.blocked.is_some() {
                                differences.push(format!("{} {text}: {found:?}", case.position["id"]));
                            }
                        }
                    }
                    if moved && !text.contains("SLAM") {
                        compared += 1;
                        let pose = &action["pose"];
                        if pose_differs(ship.pose, number(&pose[0]), number(&pose[1]), number(&pose[2])) {
                            differences.push(format!("{} {text}: {:?} {pose}", case.position["id"], ship.pose));
                        }
                    }
                }
            }
        }
    }
    assert!(
        differences.is_empty(),
        "{} of {compared}\n{}",
        differences.len(),
        differences.join("\n")
    );
    assert!(compared > 50, "{compared}");
}

/// SA-9: attack range inside the arc, and obstruction.
#[test]
fn sa9_attack_ranges_agree_with_an_independent_implementation() {
    let mut differences = Vec::new();
    let mut compared = 0;
    for case in cases() {
        let attacker = case.active();
        let specials = objects(&case.position["ships"])
            .iter()
            .filter(|ship| ship["id"] == *attacker.id);
        let specials: Vec<&Value> = specials.flat_map(|ship| objects(&ship["special"])).collect();
        for answer in objects(&case.expected["engage"]["answers"]) {
            let label = answer["weapon"].as_str().unwrap();
            let special = specials.iter().find(|special| special["id"] == label);
            let arc = special.map_or_else(
                || label.split(':').nth(1).unwrap(),
                |special| special["arc"].as_str().unwrap(),
            );
            let weapon = Weapon {
                id: label.to_owned(),
                arc: serde_json::from_value::<WeaponArc>(Value::from(arc)).unwrap(),
                value: 0,
                min_range: 0,
                max_range: 3,
                special: None,
            };
            let target = case.table.ship(answer["target"].as_str().unwrap()).unwrap();
            let nearest = measure::weapon_arcs(weapon.arc, &attacker.turret)
                .filter_map(|arc| {
                    let object = Object::Ship(target);
                    Some((
                        measure::distance_in_arc(attacker.print(), attacker.pose, arc, &object)?,
                        arc,
                    ))
                })
                .min_by(|a, b| a.0.total_cmp(&b.0));
            compared += 1;
            let Some((distance, arc)) = nearest else {
                differences.push(format!(
                    "{} {label}: not in arc, expected {answer}",
                    case.position["id"]
                ));
                continue;
            };
            let obstructed = measure::obstructed(&case.table, attacker, target, arc);
            if (distance - number(&answer["distance"])).abs() > TOLERANCE
                || measure::range(distance).map(u64::from) != answer["attack_range"].as_u64()
                || answer["obstructed"] != obstructed
            {
                differences.push(format!(
                    "{}: {distance} {obstructed}, expected {answer}",
                    case.position["id"]
                ));
            }
        }
    }
    assert!(
        differences.is_empty(),
        "{} of {compared}\n{}",
        differences.len(),
        differences.join("\n")
    );
    assert!(compared > 50, "{compared}");
}

/// SA-2, SA-3.2: the arc a tally is in, and the enemies that a device would be dropped on.
#[test]
fn sa3_arcs_agree_with_an_independent_implementation() {
    let mut differences = Vec::new();
    let mut charts = BTreeSet::new();
    let mut dropped_on = 0;
    for case in cases() {
        let active = case.active();
        let (size, pose) = (active.size, active.pose);
        let id = &case.position["id"];
        for branch in objects(&case.expected["branches"]) {
            let Some(tally) = branch["tally"]
                .as_str()
                .and_then(|tally| Object::find(&case.table, tally))
            else {
                continue;
            };
            let order = [
                ("bullseye", Arc::Bullseye),
                ("front", Arc::Front),
                ("side", Arc::Left),
                ("side", Arc::Right),
                ("rear", Arc::Rear),
            ];
            let chart = order
                .iter()
                .find(|(_, arc)| measure::in_arc(Print::second(size), pose, *arc, &tally))
                .map(|(name, _)| *name);
            charts.extend(chart);
            if branch["chart"].as_str() != chart {
                differences.push(format!("{id}: {chart:?}, expected {}", branch["chart"]));
            }
        }
        let enemies = case.table.ships_in_play().filter(|other| other.is_enemy_of(active));
        let threatened: Vec<ObjectId> = enemies
            .filter(|enemy| {
                let range = measure::range(measure::ship_distance(active, enemy));
                let astern = measure::in_arc(Print::second(size), pose, Arc::Rear, &Object::Ship(enemy));
                range.is_some_and(|range| range <= 1 || (range == 2 && astern))
            })
            .map(|enemy| enemy.id.clone())
            .collect();
        dropped_on += threatened.len();
        if list_differs(&threatened, &case.expected["device_check"]["enemies"]) {
            differences.push(format!(
                "{id}: {threatened:?}, expected {}",
                case.expected["device_check"]
            ));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    assert_eq!(charts.len(), 4);
    assert!(dropped_on > 100, "{dropped_on}");
}
