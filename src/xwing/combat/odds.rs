//! The chance of each roll of a number of dice: eighths to a power, so a 64-bit float holds them exactly for every pool
//! that occurs in play.

use std::sync::LazyLock;

use super::pool::MAX_DICE;

/// One multiset of faces, and its chance.
#[derive(Debug, Clone, Copy)]
pub(super) struct AttackRoll {
    pub crits: u8,
    pub hits: u8,
    pub focuses: u8,
    pub blanks: u8,
    pub chance: f64,
}

/// One multiset of faces, and its chance.
#[derive(Debug, Clone, Copy)]
pub(super) struct DefenceRoll {
    pub evades: u8,
    pub focuses: u8,
    pub blanks: u8,
    pub chance: f64,
}

/// FE-0.5: all rolls of that many attack dice: 1 crit, 3 hits, 2 focus results and 2 blanks on eight faces. Beyond [`MAX_DICE`]
/// those of [`MAX_DICE`].
pub(super) fn attack(dice: u8) -> &'static [AttackRoll] {
    static ROLLS: LazyLock<Vec<Vec<AttackRoll>>> = LazyLock::new(|| (0..=MAX_DICE).map(attack_rolls).collect());
    &ROLLS[usize::from(dice.min(MAX_DICE))]
}

/// All rolls of that many defence dice: 3 evades, 2 focus results and 3 blanks on eight faces. Beyond [`MAX_DICE`] those
/// of [`MAX_DICE`].
pub(super) fn defence(dice: u8) -> &'static [DefenceRoll] {
    static ROLLS: LazyLock<Vec<Vec<DefenceRoll>>> = LazyLock::new(|| (0..=MAX_DICE).map(defence_rolls).collect());
    &ROLLS[usize::from(dice.min(MAX_DICE))]
}

fn attack_rolls(dice: u8) -> Vec<AttackRoll> {
    let mut rolls = Vec::new();
    for crits in 0..=dice {
        for hits in 0..=dice - crits {
            for focuses in 0..=dice - crits - hits {
                let blanks = dice - crits - hits - focuses;
                rolls.push(AttackRoll {
                    crits,
                    hits,
                    focuses,
                    blanks,
                    chance: chance(&[(crits, 1), (hits, 3), (focuses, 2), (blanks, 2)]),
                });
            }
        }
    }
    rolls
}

fn defence_rolls(dice: u8) -> Vec<DefenceRoll> {
    let mut rolls = Vec::new();
    for evades in 0..=dice {
        for focuses in 0..=dice - evades {
            let blanks = dice - evades - focuses;
            rolls.push(DefenceRoll {
                evades,
                focuses,
                blanks,
                chance: chance(&[(evades, 3), (focuses, 2), (blanks, 3)]),
            });
        }
    }
    rolls
}

/// The chance that a pool shows so many of each face, given on how many of the eight faces each is.
fn chance(counts: &[(u8, u128)]) -> f64 {
    // Orders times ways, in whole numbers: 20 dice stay below 2 to the power of 124.
    let factorial = |n: u8| (1..=u128::from(n)).product::<u128>();
    let dice: u8 = counts.iter().map(|(count, _)| count).sum();
    let mut orders = factorial(dice);
    let mut ways: u128 = 1;
    for &(count, faces) in counts {
        orders /= factorial(count);
        ways *= faces.pow(u32::from(count));
    }
    // A power of two divides without rounding.
    (orders * ways) as f64 / 2.0_f64.powi(3 * i32::from(dice))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chances_of_all_rolls_add_up_to_one() {
        for dice in 0..=MAX_DICE {
            let sum: f64 = attack(dice).iter().map(|roll| roll.chance).sum();
            assert!((sum - 1.0).abs() < 1e-12, "{dice} attack dice: {sum}");
            let sum: f64 = defence(dice).iter().map(|roll| roll.chance).sum();
            assert!((sum - 1.0).abs() < 1e-12, "{dice} defence dice: {sum}");
        }
    }

    #[test]
    fn one_die_has_the_faces_of_the_printed_one() {
        let chances: Vec<f64> = attack(1).iter().map(|roll| roll.chance).collect();
        assert_eq!(chances, [2.0 / 8.0, 2.0 / 8.0, 3.0 / 8.0, 1.0 / 8.0]);
        let chances: Vec<f64> = defence(1).iter().map(|roll| roll.chance).collect();
        assert_eq!(chances, [3.0 / 8.0, 2.0 / 8.0, 3.0 / 8.0]);
    }
}
