//! How many whole skirmishes of the grid game a core plays in a second.

use std::sync::{Arc, atomic::AtomicBool};

use tallyho::{
    sim::skirmish::{self, Ground, Muster, Plan},
    swm::roster::Roster,
};

fn main() {
    divan::main();
}

/// Skirmishes of the sample's figures on maps by the dice: columns, rows, points of each side.
#[divan::bench(args = [(12, 10, 60), (20, 14, 100), (30, 20, 200)], sample_count = 10)]
fn whole_skirmishes(bencher: divan::Bencher<'_, '_>, (width, height, points): (u8, u8, u16)) {
    const GAMES: usize = 10;
    let roster = Arc::new(Roster::sample().clone());
    let muster = || Muster::Drawn {
        roster: Arc::clone(&roster),
        points,
    };
    let plan = Plan::of(Ground::Random {
        width,
        height,
        automated: muster(),
        player: muster(),
    });
    let stop = AtomicBool::new(false);
    bencher.counter(divan::counter::ItemsCount::new(GAMES)).bench(|| {
        skirmish::run(&plan, GAMES, 1, &stop, &|| {})
            .map(|played| played.len())
            .ok()
    });
}
