//! Attacks: the two pools of dice, what may be spent on them, and what comes of it, exactly.
//!
//! Nothing here samples. A pool is a multiset of faces, its rolls are enumerated with their chances, and both sides spend
//! as well as can be over all that is still unknown: the attacker for the most expected damage, then the most expected
//! critical damage, the defender for the least; each with as little as does it (SA-10, SA-11).
//!
//! | what | where |
//! |---|---|
//! | dice and tokens of both sides | [`pool`] |
//! | what the rules of the table say of them | [`rules`] |
//! | chances of a roll | `odds` |
//! | Neutralize Results, and what an attack does that hits | [`neutralize`] |
//! | what can be done to dice: reroll, change, add | [`modifier`] |
//! | the attacker's rerolls and spends | [`attack`] |
//! | the defender's spends | [`defence`] |
//! | a whole attack before its first die is rolled | [`forecast`] |
//! | attacks in which cards touch the dice too: every window, exactly | [`contest`] |
//!
//! The order of an attack is fixed, so it is solved from its end: the defender's answer is one table over hits and crits,
//! and the attacker's window is a decision process that ends in that table. That is the fast path, for tokens alone; an
//! attack that cards touch is a [`contest::Contest`], which agrees with it where there are no cards.

pub mod attack;
pub mod contest;
pub mod defence;
pub mod forecast;
pub mod modifier;
pub mod neutralize;
mod odds;
pub mod pool;
pub mod rules;

pub use self::{
    attack::{AttackChoice, AttackOption, AttackStep, AttackWorth},
    defence::{DefenceChoice, DefenceOption, DefenceTable},
    forecast::{Attack, Forecast},
    modifier::{Means, SpendFirst, Spending},
    neutralize::{DamageRule, Uncancelled},
    pool::{AttackDice, AttackTokens, DefenceDice, DefenceTokens, MAX_DICE},
    rules::DiceRules,
};

/// Expected values that differ by less are equal: they differ by rounding only.
const EQUAL: f64 = 1e-12;

/// Compares two expected values, those within rounding of each other as equal.
fn compare(a: f64, b: f64) -> std::cmp::Ordering {
    if (a - b).abs() <= EQUAL {
        std::cmp::Ordering::Equal
    } else {
        a.total_cmp(&b)
    }
}
