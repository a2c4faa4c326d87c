//! Twenty-sided dice of a skirmish that are noted as they are rolled.

use std::fmt;

use super::Roll;
use crate::dice::D20Source;

/// Passes dice on and notes them.
pub struct Noted<'d> {
    dice: &'d mut dyn D20Source,
    /// What was rolled.
    pub rolls: Vec<Roll>,
}

impl fmt::Debug for Noted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Noted")
            .field("rolls", &self.rolls)
            .finish_non_exhaustive()
    }
}

impl<'d> Noted<'d> {
    /// Notes what this source gives.
    pub fn new(dice: &'d mut dyn D20Source) -> Self {
        let rolls = Vec::new();
        Noted { dice, rolls }
    }
}

impl D20Source for Noted<'_> {
    fn d20(&mut self) -> u8 {
        let shows = self.dice.d20();
        self.rolls.push(Roll::D20(shows));
        shows
    }

    fn pick(&mut self, count: usize) -> usize {
        let chosen = self.dice.pick(count);
        let short = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        self.rolls.push(Roll::Choice {
            chosen: short(chosen),
            count: short(count.max(1)),
        });
        chosen
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::SeededDice;

    #[test]
    fn noted_dice_come_again() {
        let mut seeded = SeededDice::new(3);
        let mut noted = Noted::new(&mut seeded);
        let first = (noted.d20(), noted.pick(4));
        let rolls = noted.rolls;
        let mut given = crate::record::dice::Given::new(&rolls);
        assert_eq!((given.d20(), given.pick(4)), first);
        assert!(!given.is_astray());
        given.d20();
        assert!(given.is_astray());
    }
}
