//! How long the rules of movement and measurement take on a full table: 8 ships, 6 obstacles.

use std::hint::black_box;

use divan::Bencher;
use tallyho::{
    geometry::{Point, Pose},
    xwing::{
        edition::Edition,
        maneuver::{Maneuver, Side},
        measure::{self, Arc, Object},
        movement::{self, Alignment, MovementOptions},
        obstacle::{Obstacle, ObstacleKind},
        reposition::{self, BoostTemplate},
        ship::Ship,
        size::Size,
        table::{PlayArea, Table},
    },
};

fn main() {
    divan::main();
}

fn ship(id: &str, size: Size, x: f64, y: f64, heading: f64) -> Ship {
    Ship {
        name: id.to_owned(),
        chassis: "xwing".to_owned(),
        ..Ship::bare(id.into(), id, Edition::Second, size, Pose::new(x, y, heading))
    }
}

fn obstacle(id: &str, x: f64, y: f64) -> Obstacle {
    let corner = |index: u32| {
        let reach = if index.is_multiple_of(3) { 18.0 } else { 30.0 };
        Pose::new(x, y, f64::from(index) * 36.0).to_table(Point::new(0.0, reach))
    };
    Obstacle {
        id: id.into(),
        kind: ObstacleKind::Asteroid,
        outline: (0..10).map(corner).collect(),
    }
}

/// Ship `A` in the middle of the others; the 2 straight ends on `B` and backs up.
fn full_table() -> Table {
    let ships = vec![
        ship("A", Size::Small, 450.0, 400.0, 20.0),
        ship("B", Size::Medium, 490.0, 530.0, 200.0),
        ship("C", Size::Small, 380.0, 480.0, 90.0),
        ship("D", Size::Large, 600.0, 400.0, 270.0),
        ship("E", Size::Small, 300.0, 300.0, 0.0),
        ship("F", Size::Small, 550.0, 650.0, 180.0),
        ship("G", Size::Small, 650.0, 620.0, 210.0),
        ship("H", Size::Medium, 250.0, 700.0, 150.0),
    ];
    let rocks = [
        (400.0, 560.0),
        (560.0, 300.0),
        (330.0, 390.0),
        (620.0, 520.0),
        (240.0, 560.0),
        (470.0, 250.0),
    ];
    let obstacles = rocks
        .into_iter()
        .enumerate()
        .map(|(index, (x, y))| obstacle(&format!("O{index}"), x, y));
    Table::new(PlayArea::STANDARD, ships, obstacles.collect(), Vec::new())
}

#[divan::bench(args = ["1FW", "2FW", "4FW", "2NW", "2YW", "1TW", "2RR", "1AR", "0OR"])]
fn execute(bencher: Bencher, code: &str) {
    let table = full_table();
    let maneuver: Maneuver = code.parse().expect("a dial code");
    let ship = table.ship("A").expect("ship A");
    let options = MovementOptions::default();
    bencher.bench(|| movement::execute(black_box(&table), ship, maneuver, Alignment::Middle, &options));
}

#[divan::bench]
fn all_barrel_rolls_and_boosts(bencher: Bencher) {
    let table = full_table();
    let ship = table.ship("A").expect("ship A");
    let options = MovementOptions::default();
    bencher.bench(|| {
        for side in Side::BOTH {
            for slide in reposition::slides(ship.size) {
                black_box(reposition::barrel_roll(black_box(&table), ship, side, slide, &options));
            }
        }
        for template in BoostTemplate::ALL {
            black_box(reposition::boost(black_box(&table), ship, template, &options));
        }
    });
}

#[divan::bench]
fn distance_to_everything(bencher: Bencher) {
    let table = full_table();
    let ship = table.ship("A").expect("ship A");
    bencher.bench(|| {
        let ships = table.ships.iter().map(Object::Ship);
        let all = ships.chain(table.obstacles.iter().map(Object::Obstacle));
        all.map(|object| measure::distance(ship.size, black_box(ship.pose), &object))
            .sum::<f64>()
    });
}

#[divan::bench]
fn every_ship_in_every_arc(bencher: Bencher) {
    let table = full_table();
    let ship = table.ship("A").expect("ship A");
    bencher.bench(|| {
        let sees = |other: &Ship| {
            let object = Object::Ship(other);
            Arc::ALL
                .into_iter()
                .filter(|&arc| measure::in_arc(ship.print(), black_box(ship.pose), arc, &object))
                .count()
        };
        table.ships.iter().map(sees).sum::<usize>()
    });
}

#[divan::bench]
fn attack_range_to_every_ship(bencher: Bencher) {
    let table = full_table();
    let ship = table.ship("A").expect("ship A");
    bencher.bench(|| {
        let range = |other: &Ship| {
            measure::distance_in_arc(ship.print(), black_box(ship.pose), Arc::Front, &Object::Ship(other))
                .unwrap_or(0.0)
        };
        table.ships.iter().map(range).sum::<f64>()
    });
}

#[divan::bench]
fn obstruction_of_every_ship(bencher: Bencher) {
    let table = full_table();
    let ship = table.ship("A").expect("ship A");
    bencher.bench(|| {
        let others = table.ships.iter().filter(|other| other.id != ship.id);
        others
            .filter(|other| measure::obstructed(black_box(&table), ship, other, Arc::FullFront))
            .count()
    });
}
