//! How long one decision takes: an activation with its action and all its reasons, on one core.

use std::fmt::Write as _;

use divan::{Bencher, black_box};
use tallyho::{
    bridge::text,
    dice::{FixedRoll, SeededDice},
    solo_alpha::{self, Options, Situation, chart::Roll},
    xwing::{catalog::Catalog, table::Table},
};

fn main() {
    divan::main();
}

/// Ship types of many kinds: turrets, special weapons, linked and red actions, all sizes.
const TYPES: [&str; 8] = [
    "tielnfighter",
    "t65xwing weapon protontorpedoes charges 1/2",
    "tieininterceptor",
    "btla4ywing turret left weapon ioncannonturret",
    "fangfighter focus 1",
    "modifiedyt1300lightfreighter turret front,rear",
    "tieadvancedx1 weapon clustermissiles",
    "auzituckgunship",
];

/// So many ships, every other one solo, spread over the table as a sunflower's seeds, with six obstacles between them.
fn table(ships: usize) -> Table {
    let mut fixture = String::new();
    for index in 0..ships {
        let distance = 420.0 * ((index as f64 + 0.5) / ships as f64).sqrt();
        let (sin, cos) = tallyho::geometry::angle::sin_cos(137.508 * index as f64);
        let (kind, equipment) = TYPES[index % TYPES.len()]
            .split_once(' ')
            .unwrap_or((TYPES[index % TYPES.len()], ""));
        writeln!(
            fixture,
            "ship S{index:02} {kind} {} {:.1},{:.1} @{:.1} {equipment}",
            if index % 2 == 0 { "solo" } else { "player" },
            457.2 + distance * sin,
            457.2 + distance * cos,
            // Mostly towards the middle.
            137.508 * index as f64 + 150.0 + 7.0 * index as f64,
        )
        .expect("a string can be written to");
    }
    for (index, (x, y)) in [(250, 300), (650, 300), (300, 620), (610, 640), (450, 470), (700, 480)]
        .into_iter()
        .enumerate()
    {
        writeln!(fixture, "asteroid R{index} coreasteroid{index} {x},{y} @{}", index * 50)
            .expect("a string can be written to");
    }
    text::parse(&fixture, Catalog::embedded())
        .unwrap_or_else(|error| panic!("{error}"))
        .table
}

/// One decision after another, by turns for every solo ship with every roll.
fn decide(bencher: Bencher, ships: usize) {
    let table = table(ships);
    let (options, situation) = (Options::default(), Situation::default());
    let solo: Vec<_> = table.ships.iter().filter(|ship| ship.side == "solo").collect();
    let mut turns = solo
        .iter()
        .flat_map(|ship| Roll::all().map(|roll| (ship.id.clone(), roll)))
        .collect::<Vec<_>>()
        .into_iter()
        .cycle();
    bencher
        .with_inputs(|| turns.next().expect("an endless list"))
        .bench_local_values(|(ship, roll)| {
            let mut dice = FixedRoll {
                defence: Some(roll.defence),
                attack: Some(roll.attack),
                rest: SeededDice::new(1),
            };
            solo_alpha::decide(black_box(&table), &ship, &situation, &options, &mut dice)
        });
}

#[divan::bench(args = [2, 8, 20, 40], sample_size = 1, sample_count = 5000)]
fn activation_with_action(bencher: Bencher, ships: usize) {
    decide(bencher, ships);
}
