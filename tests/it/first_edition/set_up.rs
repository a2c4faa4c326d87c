//! FE-2.2 to FE-2.4, FE-14.3: where obstacles and ships may be placed, and by whom.

use serde::Deserialize;
use tallyho::{
    geometry::{Point, Pose},
    xwing::{
        edition::{FirstEditionOptions, Rules},
        obstacle::Obstacle,
        placing::{self, Misplaced},
        scenario::Edge,
        size::Size,
        table::{PlayArea, Table},
    },
};

use crate::tables::{asteroid, bare_ship};

#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Case {
    name: String,
    #[serde(default)]
    obstacles: Vec<[f64; 4]>,
    #[serde(default)]
    size: Option<Size>,
    #[serde(default)]
    at: [f64; 3],
    #[serde(default)]
    wrong: Vec<String>,
    #[serde(default)]
    in_2012: Option<Vec<String>>,
}

fn rulebook_2012() -> Rules {
    let options = FirstEditionOptions {
        rulebook_2012: true,
        ..FirstEditionOptions::default()
    };
    options.rules()
}

fn found(case: &Case, rules: &Rules) -> Vec<Misplaced> {
    let outlines = case.obstacles.iter().enumerate().map(|(index, &[x0, y0, x1, y1])| {
        let corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)];
        asteroid(&format!("O{}", index + 1), corners.map(|(x, y)| Point::new(x, y)))
    });
    let obstacles: Vec<Obstacle> = outlines.collect();
    let [x, y, heading] = case.at;
    let ships: Vec<_> = case
        .size
        .iter()
        .map(|&size| bare_ship("S", size, Pose::new(x, y, heading)))
        .collect();
    let table = Table::new(PlayArea::STANDARD, ships, obstacles, Vec::new()).with_rules(*rules);
    // Each obstacle is placed where those after it in the list lie already.
    let obstacles = (table.obstacles.iter().enumerate())
        .flat_map(|(index, obstacle)| placing::check_obstacle(rules, table.area, obstacle, &table.obstacles[index..]));
    let ships = (table.ships.iter()).flat_map(|ship| placing::check_ship(&table, ship, Edge::South, false));
    obstacles.chain(ships).collect()
}

#[test]
fn fe2_2_and_fe2_4_places_of_obstacles_and_ships() {
    for case in super::cases::<Case>("set-up.toml") {
        let in_2012 = case.in_2012.as_ref().unwrap_or(&case.wrong);
        for (rules, expected) in [(Rules::FIRST, &case.wrong), (rulebook_2012(), in_2012)] {
            let wrong = found(&case, &rules);
            let told = wrong.iter().map(Misplaced::to_string).collect::<Vec<_>>();
            let as_expected = told.len() == expected.len()
                && told
                    .iter()
                    .zip(expected)
                    .all(|(told, expected)| told.starts_with(expected.as_str()));
            assert!(as_expected, "{}: {told:?}, expected {expected:?}", case.name);
            assert!(
                told.iter().all(|told| told.contains(": ")),
                "{}: no remedy in {told:?}",
                case.name
            );
        }
    }
}

/// FE-2.4: no ship is placed on another.
#[test]
fn fe2_4_ships_are_placed_beside_each_other() {
    let ship = |id: &str, x: f64| bare_ship(id, Size::Small, Pose::new(x, 50.0, 0.0));
    let table = |x: f64| {
        Table::new(
            PlayArea::STANDARD,
            vec![ship("A", 200.0), ship("B", x)],
            Vec::new(),
            Vec::new(),
        )
    };
    assert_eq!(
        placing::check_ship(&table(240.0), &ship("A", 200.0), Edge::South, false),
        []
    );
    let on = Misplaced::OnShip {
        id: "A".into(),
        other: "B".into(),
    };
    assert_eq!(
        placing::check_ship(&table(239.0), &ship("A", 200.0), Edge::South, false),
        [on]
    );
}

/// FE-2.2, FE-2.3, FE-14.3: who begins, and who picks an edge. FE-2.4: in which order ships are placed.
#[test]
fn fe14_3_who_begins_to_place() {
    let old = rulebook_2012();
    for initiative in [0, 1] {
        assert_eq!(placing::first_to_place(&Rules::FIRST, initiative, Some(1)), initiative);
        assert_eq!(placing::picks_edge(&Rules::FIRST, initiative, Some(1)), 1 - initiative);
        assert_eq!(placing::first_to_place(&old, initiative, Some(1)), 1);
        assert_eq!(placing::picks_edge(&old, initiative, Some(1)), 0, "the Rebel side");
        assert_eq!(placing::first_to_place(&old, initiative, None), initiative);
    }
    let mut ships = [
        ("A", 5, false),
        ("B", 1, false),
        ("C", 5, true),
        ("D", 1, true),
        ("E", 1, true),
    ];
    placing::in_placing_order(&mut ships, |ship| ship.1, |ship| ship.2);
    assert_eq!(ships.map(|ship| ship.0), ["D", "E", "B", "C", "A"]);
}
