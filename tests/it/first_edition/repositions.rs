//! FE-6.1 to FE-6.3: barrel roll at any slide, boost, decloak.

use std::collections::BTreeMap;

use serde::Deserialize;
use tallyho::{
    geometry::Pose,
    xwing::{
        edition::{Edition, Rules},
        maneuver::Side,
        movement::MovementOptions,
        obstacle::Obstacle,
        reposition::{self, Block, BoostTemplate, Decloak, Reposition, Sidestep},
        ship::Ship,
        size::Size,
        table::Table,
    },
};

use crate::tables::{self, assert_pose, block};

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Way {
    Left,
    Right,
    Ahead,
}

impl Way {
    fn side(self) -> Option<Side> {
        match self {
            Way::Left => Some(Side::Left),
            Way::Right => Some(Side::Right),
            Way::Ahead => None,
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Case {
    name: String,
    #[serde(default)]
    size: Option<Size>,
    #[serde(default)]
    roll: Option<Way>,
    #[serde(default)]
    decloak: Option<Way>,
    #[serde(default)]
    boost: Option<BoostTemplate>,
    #[serde(default)]
    ships: BTreeMap<String, [f64; 3]>,
    #[serde(default)]
    obstacles: Vec<[f64; 4]>,
    #[serde(default)]
    lateral: f64,
    #[serde(default)]
    legal: Vec<[f64; 2]>,
    #[serde(default)]
    worth: Vec<f64>,
    #[serde(default)]
    to: Option<[f64; 3]>,
    #[serde(default)]
    blocked: Option<String>,
}

const OPTIONS: fn() -> MovementOptions = MovementOptions::default;

fn first(id: &str, size: Size, [x, y, heading]: [f64; 3]) -> Ship {
    Ship {
        edition: Edition::First,
        ..tables::ship(id, size, x, y, heading)
    }
}

impl Case {
    fn table(&self) -> Table {
        let mover = first("A", self.size.unwrap_or(Size::Small), [0.0; 3]);
        let others = self.ships.iter().map(|(id, &at)| first(id, Size::Small, at));
        let obstacles = self.obstacles.iter().enumerate().map(|(index, &[x0, y0, x1, y1])| {
            let middle = ((x0 + x1) / 2.0, (y0 + y1) / 2.0);
            block(&format!("O{}", index + 1), middle.0, middle.1, x1 - x0, y1 - y0)
        });
        let ships = std::iter::once(mover).chain(others).collect();
        tables::table(ships, obstacles.collect::<Vec<Obstacle>>()).with_rules(Rules::FIRST)
    }

    fn check_sideways(&self, step: Sidestep, side: Side) {
        let (name, table, options) = (&self.name, self.table(), OPTIONS());
        let ship = table.ship("A").expect("the mover");
        let at = |slide_mm| match step {
            Sidestep::BarrelRoll => reposition::barrel_roll(&table, ship, side, slide_mm, &options),
            Sidestep::Decloak => reposition::decloak(&table, ship, Decloak::Sideways { side, slide_mm }, &options),
        };
        let legal = reposition::legal_slides(&table, ship, step, side, &options);
        let near = |a: f64, b: f64| (a - b).abs() < 1.5e-3;
        let as_expected = legal.intervals().len() == self.legal.len()
            && (legal.intervals().iter().zip(&self.legal))
                .all(|(found, expected)| near(found.0, expected[0]) && near(found.1, expected[1]));
        assert!(as_expected, "{name}: {legal:?}");
        let worth = reposition::places(&table, ship, step, side, &options);
        let as_expected = worth.len() == self.worth.len() && worth.iter().zip(&self.worth).all(|(a, b)| near(*a, *b));
        assert!(as_expected, "{name}: {worth:?}");
        for slide in worth {
            let end = at(slide);
            assert_eq!(
                end.blocked.is_none(),
                !self.legal.is_empty(),
                "{name}: {slide}: {end:?}"
            );
            assert_pose(end.pose, side.sign() * self.lateral, slide, 0.0);
        }
        for &[from, to] in &self.legal {
            assert!(
                at(from).blocked.is_none() && at(to).blocked.is_none(),
                "{name}: the ends that are told"
            );
            let reach = 2.0 * (to.abs().max(from.abs()));
            for outside in [from - 0.01, to + 0.01].into_iter().filter(|slide| slide.abs() < reach) {
                let known = reposition::knows_slide(&table.rules, ship.size, step, outside);
                assert!(
                    !known || at(outside).blocked.is_some(),
                    "{name}: {outside} beyond the ends"
                );
            }
        }
    }

    fn check_ahead(&self, end: &Reposition) {
        match (&self.blocked, &end.blocked) {
            (None, None) => {
                let [x, y, heading] = self.to.expect("a move that is made has an end");
                let Pose {
                    position,
                    heading: found,
                } = end.pose;
                let off = position.distance(tables::at(x, y, heading).position);
                assert!(
                    off < 1e-3 && (found - heading).abs() < 1e-6,
                    "{}: {:?}",
                    self.name,
                    end.pose
                );
            }
            (Some(expected), Some(Block::Ship(id) | Block::Obstacle(id))) => {
                assert_eq!(**id, **expected, "{}", self.name)
            }
            (expected, found) => panic!("{}: {found:?}, expected {expected:?}", self.name),
        }
    }
}

#[test]
fn fe6_1_to_fe6_3_repositions() {
    for case in super::cases::<Case>("repositions.toml") {
        let table = case.table();
        let ship = table.ship("A").expect("the mover");
        match (case.roll, case.decloak, case.boost) {
            (Some(way), None, None) => case.check_sideways(Sidestep::BarrelRoll, way.side().expect("a side")),
            (None, Some(way), None) => match way.side() {
                Some(side) => case.check_sideways(Sidestep::Decloak, side),
                None => case.check_ahead(&reposition::decloak(&table, ship, Decloak::Forward, &OPTIONS())),
            },
            (None, None, Some(template)) => case.check_ahead(&reposition::boost(&table, ship, template, &OPTIONS())),
            _ => panic!("{}: one move a case", case.name),
        }
    }
}

/// FE-7.3: a tractored ship is rolled and boosted through obstacles and onto them, but on no ship; the slides that ships
/// leave are those.
#[test]
fn fe7_3_obstacles_do_not_stop_a_tractored_ship() {
    let rock = block("O1", 60.0, 0.0, 60.0, 200.0);
    let ships = vec![
        first("A", Size::Small, [0.0; 3]),
        first("E", Size::Small, [80.0, 22.0, 0.0]),
    ];
    let table = tables::table(ships, vec![rock]).with_rules(Rules::FIRST);
    let (ship, options) = (table.ship("A").expect("A"), OPTIONS());
    let legal = reposition::legal_slides(&table, ship, Sidestep::BarrelRoll, Side::Right, &options);
    assert!(legal.is_empty(), "of its own will: {legal:?}");
    let places = reposition::places_over_obstacles(&table, ship, Sidestep::BarrelRoll, Side::Right, &options);
    assert_eq!(places, [-18.0, -20.0]);
    let end = reposition::barrel_roll(&table, ship, Side::Right, -18.0, &options);
    assert_eq!(end.blocked, Some(Block::Obstacle("O1".into())));
    assert_eq!(tables::ids(&end.crossed), ["O1"]);
}

/// The second edition's three places are what they were, asked for by the same means.
#[test]
fn three_places_are_slides_too() {
    let table = tables::table(
        vec![
            tables::ship("A", Size::Large, 0.0, 0.0, 0.0),
            tables::ship("B", Size::Small, 100.0, -75.0, 0.0),
        ],
        vec![],
    );
    let (ship, options) = (table.ship("A").expect("A"), OPTIONS());
    let places = reposition::places(&table, ship, Sidestep::BarrelRoll, Side::Right, &options);
    assert_eq!(places, [0.0, 20.0, -20.0]);
    let legal = reposition::legal_slides(&table, ship, Sidestep::BarrelRoll, Side::Right, &options);
    assert_eq!(legal.intervals(), [(0.0, 0.0), (20.0, 20.0)]);
}
