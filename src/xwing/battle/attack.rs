//! Attacks: the pools, the dice, what is spent, what cards do, the damage.
//!
//! | what | where |
//! |---|---|
//! | dice and tokens | `pools` |
//! | the declaration, and what cards permit in it | `declare`, `permits` |
//! | an attack of tokens alone | `tokens` |
//! | which effects of cards come up, and how one reads | [`gather`], `read` |
//! | an attack that cards touch, window after window | `windows` |
//! | what results do | `damage` |
//! | what happens beside the dice is worth | `worth` |
//! | bonus attacks after an attack | `bonus` |
//! | what of cards is played here | [`support`] |

use super::Request;
use crate::xwing::{
    ObjectId,
    combat::{Attack, AttackDice, DefenceDice, MAX_DICE, Spending, Uncancelled, contest::Side},
    effects::TokenWord,
    targeting::LegalTarget,
};

mod bonus;
mod damage;
mod declare;
pub mod gather;
pub(super) mod permits;
mod pools;
mod read;
pub mod support;
mod tokens;
mod windows;
mod worth;

pub use self::{
    bonus::{Bonus, Fired, Fought},
    gather::{CardUse, Contested, Forbidden},
    windows::{DiceChoice, Windows},
};

/// An attack under way.
#[derive(Debug, Clone, PartialEq)]
pub struct Duel {
    /// The attacker.
    pub attacker: ObjectId,
    /// The defender.
    pub defender: ObjectId,
    /// The weapon's place among the attacker's.
    pub weapon: usize,
    /// Where and how far.
    pub target: LegalTarget,
    /// Whether something lies in the way.
    pub obstructed: bool,
    /// Whether it is a bonus attack.
    pub bonus: bool,
    /// The pools, with what both sides still have to spend.
    pub pools: Attack,
    /// The attack dice as they lie.
    pub dice: AttackDice,
    /// The defence dice, when they are rolled.
    pub defence: Option<DefenceDice>,
    /// What the defender has spent.
    pub spent: Spending,
    /// How many of the hits and crits were rerolled, and are not again (FE-8.7).
    pub settled: [u8; 2],
    /// How many locks the attacker has spent on its dice.
    locks_spent: u8,
    /// The windows, when cards have a say in the attack.
    pub windows: Option<Windows>,
    /// What happened in it that is asked about afterwards.
    course: Course,
    /// Tokens that the attacker gains after its bonus attack.
    gains_after: Vec<(TokenWord, u8)>,
}

/// What happened in an attack that effects after it ask about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Course {
    /// Whether the attacker modified attack dice.
    pub modified: bool,
    /// Whether any hit or crit was neutralized.
    pub neutralized: bool,
    /// How many defence dice were rolled at first.
    pub defence_dice: u8,
    /// Calculate tokens that the attacker and the defender have spent.
    pub calculate: [u8; 2],
    /// Green tokens that they have spent.
    pub green: [u8; 2],
}

impl Course {
    fn spent(&mut self, side: Side, word: TokenWord, count: u8) {
        let place = side as usize;
        if word == TokenWord::Calculate {
            self.calculate[place] = self.calculate[place].saturating_add(count);
        }
        if TokenWord::Green.kinds().contains(&word) {
            self.green[place] = self.green[place].saturating_add(count);
        }
    }
}

impl Duel {
    /// What is asked in an attack of tokens alone.
    fn request(&self) -> Request {
        match self.defence {
            None => Request::ModifyAttack {
                ship: self.attacker.clone(),
            },
            Some(_) => Request::ModifyDefence {
                ship: self.defender.clone(),
            },
        }
    }

    /// The results that the defender's evades meet.
    pub fn results(&self) -> Uncancelled {
        Uncancelled {
            hits: self.dice.hits,
            crits: self.dice.crits,
        }
    }
}

/// A count of tokens or dice as pools have it.
fn few(count: u32) -> u8 {
    u8::try_from(count).unwrap_or(MAX_DICE).min(MAX_DICE)
}
