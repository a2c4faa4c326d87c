//! How long decisions of the automated opponents in Star Wars Miniatures take on one core: one figure's turn with all its
//! reasons, and the order of a whole side, by number of figures and by size of the map; and what sight costs on a map that is
//! seen for the first time.

use std::sync::Arc;

use divan::{Bencher, black_box};
use tallyho::{
    dice::SeededDice,
    swm::{
        arena,
        board::Board,
        figure::{Card, Side},
        opponent::{self, Telling, activation},
        options::Options,
        roster::Roster,
        sight::Sight,
    },
};

fn main() {
    divan::main();
}

/// A skirmish of so many figures, both sides together, of the sample's cards.
fn board(width: u8, height: u8, figures: usize) -> Board {
    let cards: Vec<Arc<Card>> = (Roster::sample().entries().iter())
        .map(|entry| Arc::clone(&entry.card))
        .collect();
    let mut dice = SeededDice::new(11);
    arena::skirmish(&cards, width, height, figures / 2, &mut dice).expect("a map and cards")
}

/// One figure's turn after another, by turns for the whole side, with the sight table of the map as it stands.
fn turn(bencher: Bencher, width: u8, height: u8, figures: usize) {
    let board = board(width, height, figures);
    let options = Options::default();
    let ids: Vec<String> = board.side(Side::Automated).map(|figure| figure.id.clone()).collect();
    // The table is worked out once a map: not part of a decision.
    let _ = activation::order(&board, &options, &mut SeededDice::new(1));
    let mut next = ids.iter().cycle();
    bencher.bench_local(|| {
        let figure = board
            .figure(next.next().expect("an endless list"))
            .expect("a figure of the board");
        opponent::decide(black_box(&board), figure, &options, &mut SeededDice::new(1))
    });
}

#[divan::bench(args = [5, 10, 20, 40], sample_count = 400, sample_size = 1)]
fn turn_on_40_by_30(bencher: Bencher, figures: usize) {
    turn(bencher, 40, 30, figures);
}

#[divan::bench(args = [10, 20, 40, 80], sample_count = 400, sample_size = 1)]
fn turn_of_20_figures_on_a_square_map(bencher: Bencher, side: u8) {
    turn(bencher, side, side, 20);
}

/// The whole decision of a side, as `decide --swm --jsonl` answers it: every turn and their order, the tables of the map at hand.
fn order(bencher: Bencher, width: u8, height: u8, figures: usize) {
    let board = board(width, height, figures);
    let options = Options::default();
    let decide = || activation::order_told(black_box(&board), &options, &mut SeededDice::new(1), Telling::Brief);
    let _ = decide();
    bencher.bench_local(decide);
}

#[divan::bench(args = [5, 10, 20, 40], sample_count = 200, sample_size = 1)]
fn decision_on_40_by_30(bencher: Bencher, figures: usize) {
    order(bencher, 40, 30, figures);
}

#[divan::bench(args = [10, 20, 40, 80], sample_count = 100, sample_size = 1)]
fn decision_of_20_figures_on_a_square_map(bencher: Bencher, side: u8) {
    order(bencher, side, side, 20);
}

#[divan::bench(sample_count = 60, sample_size = 1)]
fn decision_on_a_new_map_of_40_by_30(bencher: Bencher) {
    let options = Options::default();
    let fresh = || board(40, 30, 20);
    bencher
        .with_inputs(fresh)
        .bench_local_values(|board| activation::order_told(&board, &options, &mut SeededDice::new(1), Telling::Brief));
}

#[divan::bench(sample_count = 60, sample_size = 1)]
fn first_turn_on_a_new_map_of_40_by_30(bencher: Bencher) {
    let options = Options::default();
    let fresh = || board(40, 30, 20);
    bencher.with_inputs(fresh).bench_local_values(|board| {
        let figure = board.side(Side::Automated).next().expect("a figure");
        opponent::decide(&board, figure, &options, &mut SeededDice::new(1))
    });
}

#[divan::bench(args = [10, 20, 30], sample_count = 5, sample_size = 1)]
fn sight_of_a_whole_square_map(bencher: Bencher, side: u8) {
    let board = board(side, side, 4);
    let map = board.map();
    bencher.bench_local(|| {
        let sight = Sight::new(black_box(map));
        let pairs = map.squares().flat_map(|from| map.squares().map(move |to| (from, to)));
        pairs.filter(|&(from, to)| sight.is_seen(map, from, to)).count()
    });
}
