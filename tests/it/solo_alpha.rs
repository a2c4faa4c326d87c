//! The Solo Alpha opponent as a whole.

pub(crate) mod cases;
mod laws;
mod lines;
mod positions;

use tallyho::{
    bridge::position::Position,
    dice::{FixedRoll, SeededDice},
    solo_alpha::{self, Activation, Options, Situation},
};

/// Decides for the active ship of a position, with its roll; everything else is rolled from the seed.
fn decide(position: &Position, seed: u64) -> Activation {
    let mut dice = FixedRoll {
        defence: position.roll.defence,
        attack: position.roll.attack,
        rest: SeededDice::new(seed),
    };
    let situation = Situation {
        forced_tally: position.forced_tally.clone(),
    };
    let active = position.active.as_deref().expect("the position names an active ship");
    solo_alpha::decide(&position.table, active, &situation, &Options::default(), &mut dice)
        .unwrap_or_else(|error| panic!("{}: {error}", position.id))
}
