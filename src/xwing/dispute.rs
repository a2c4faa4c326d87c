//! FE-0.8, FE-14.13: a question that the rules do not answer, settled by dice.

use std::fmt;

use crate::dice::{AttackFace, DiceSource};

/// So many dice each side rolls.
pub const DICE: usize = 3;

/// So often equal rolls are rolled again before the first side has its way: no honest die comes near it.
const MOST_ROLLS: usize = 50;

/// The rolls of two sides about a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dispute {
    /// Each roll of both, one after the other: all but the last are even.
    pub rolls: Vec<[[AttackFace; DICE]; 2]>,
}

impl Dispute {
    /// Both sides roll three attack dice, the first side first. **choice** Equal numbers of focus results are rolled again.
    pub fn settle(dice: &mut dyn DiceSource) -> Dispute {
        let mut rolls = Vec::new();
        while rolls.len() < MOST_ROLLS {
            let roll = [(); 2].map(|()| [(); DICE].map(|()| dice.attack()));
            rolls.push(roll);
            if focuses(&roll[0]) != focuses(&roll[1]) {
                break;
            }
        }
        Dispute { rolls }
    }

    /// The place of the side that decides: the one with most focus results in the last roll.
    pub fn winner(&self) -> usize {
        let second = |roll: &[[AttackFace; DICE]; 2]| focuses(&roll[1]) > focuses(&roll[0]);
        usize::from(self.rolls.last().is_some_and(second))
    }
}

impl fmt::Display for Dispute {
    /// As in `focus, hit, blank against hit, hit, blank`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, [first, second]) in self.rolls.iter().enumerate() {
            let words = |roll: &[AttackFace; DICE]| roll.map(AttackFace::word).join(", ");
            let again = if number > 0 { "; again " } else { "" };
            write!(f, "{again}{} against {}", words(first), words(second))?;
        }
        Ok(())
    }
}

fn focuses(roll: &[AttackFace]) -> usize {
    roll.iter().filter(|face| **face == AttackFace::Focus).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::DefenceFace;

    struct Rolls(std::vec::IntoIter<AttackFace>);

    impl DiceSource for Rolls {
        fn attack(&mut self) -> AttackFace {
            self.0.next().unwrap_or(AttackFace::Blank)
        }
        fn defence(&mut self) -> DefenceFace {
            DefenceFace::Blank
        }
        fn choose(&mut self, _count: usize) -> usize {
            0
        }
    }

    #[test]
    fn fe_0_8_most_focus_results_decide_and_equal_ones_are_rolled_again() {
        use AttackFace::{Blank, Crit, Focus, Hit};
        for (faces, rolls, winner) in [
            (vec![Focus, Hit, Blank, Hit, Crit, Hit], 1, 0),
            (vec![Focus, Hit, Blank, Focus, Focus, Blank], 1, 1),
            (
                vec![
                    Hit, Hit, Hit, Crit, Crit, Crit, Blank, Blank, Blank, Focus, Blank, Blank,
                ],
                2,
                1,
            ),
            // Dice that never differ end, too.
            (Vec::new(), MOST_ROLLS, 0),
        ] {
            let dispute = Dispute::settle(&mut Rolls(faces.into_iter()));
            assert_eq!((dispute.rolls.len(), dispute.winner()), (rolls, winner), "{dispute}");
        }
    }
}
