//! Modify Defense Dice, the defender's side: cancel as much as can be with as little as does it (SA-10).

use std::cmp::Ordering;

use super::{
    modifier::{DefenceEffect, Means, Modifier, SpendFirst, Spending},
    neutralize::{DamageRule, Uncancelled, neutralize},
    odds,
    pool::{DefenceDice, DefenceTokens, MAX_DICE},
    rules::DiceRules,
};
use crate::xwing::edition::Evade;

/// One way to spend on defence dice, and what comes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DefenceOption {
    /// What is spent.
    pub spending: Spending,
    /// The evade results then.
    pub evades: u8,
    /// The damage then.
    pub damage: Uncancelled,
    /// The ranks of what is spent, added.
    rank: u32,
}

impl DefenceOption {
    /// SA-10: less damage, less of it critical, less spent, what is to be spent first spent first.
    fn compare(&self, other: &Self) -> Ordering {
        let key = |option: &Self| {
            let damage = option.damage;
            (
                damage.count(),
                damage.crits,
                option.spending.count(),
                option.rank,
                option.spending,
            )
        };
        key(self).cmp(&key(other))
    }
}

/// All that a defender may spend, the best first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DefenceChoice {
    /// The ways to spend, best first; the one that spends nothing is among them.
    pub options: Vec<DefenceOption>,
}

impl DefenceChoice {
    /// What is spent.
    pub fn best(&self) -> &DefenceOption {
        // Spending nothing is always an option.
        &self.options[0]
    }
}

/// What a defender makes of the dice that it has rolled against so many hits and crits. Of more than [`MAX_DICE`] dice the
/// best ones count.
pub fn choose(
    rules: DiceRules,
    rule: DamageRule,
    attack: Uncancelled,
    dice: DefenceDice,
    tokens: DefenceTokens,
    first: SpendFirst,
) -> DefenceChoice {
    let dice = dice.bounded();
    let modifiers = tokens.modifiers(rules, first, dice.count());
    let mut options = Vec::new();
    each_spending(
        &modifiers,
        dice,
        0,
        Spending::default(),
        0,
        &mut |dice, added, spending, rank| {
            let evades = dice.evades.saturating_add(added);
            let left = neutralize(rules, attack.hits, attack.crits, evades, tokens.reinforce);
            options.push(DefenceOption {
                spending,
                evades,
                damage: rule.damage(left),
                rank,
            });
        },
    );
    options.sort_by(DefenceOption::compare);
    DefenceChoice { options }
}

/// All that a player may spend, the best first: where the rules let tokens be spent freely, also a focus token that changes
/// nothing (FE-6.6).
pub fn offered(
    rules: DiceRules,
    rule: DamageRule,
    attack: Uncancelled,
    dice: DefenceDice,
    tokens: DefenceTokens,
    first: SpendFirst,
) -> DefenceChoice {
    let mut choice = choose(rules, rule, attack, dice, tokens, first);
    let mut more = Vec::new();
    for option in &choice.options {
        for idle in 1..=tokens.idle_focus(rules, option.spending, dice.focuses) {
            let mut option = *option;
            option.spending.add(Means::Focus, idle);
            more.push(option);
        }
    }
    choice.options.extend(more);
    choice.options.sort_by(DefenceOption::compare);
    choice
}

/// Calls `visit` with every way to use the modifiers, in their order: dice, added evades, what was spent and its rank.
/// Nothing is spent that touches no die.
fn each_spending(
    modifiers: &[Modifier<DefenceEffect>],
    dice: DefenceDice,
    added: u8,
    spending: Spending,
    rank: u32,
    visit: &mut impl FnMut(DefenceDice, u8, Spending, u32),
) {
    let Some((modifier, rest)) = modifiers.split_first() else {
        return visit(dice, added, spending, rank);
    };
    let (mut dice, mut added, mut spending, mut rank) = (dice, added, spending, rank);
    each_spending(rest, dice, added, spending, rank, visit);
    for _ in 0..modifier.uses {
        match modifier.effect {
            DefenceEffect::FocusToEvade { .. } if dice.focuses == 0 => return,
            DefenceEffect::FocusToEvade { count } => {
                let changed = count.min(dice.focuses);
                dice.focuses -= changed;
                dice.evades += changed;
            }
            DefenceEffect::DieToEvade if dice.blanks > 0 => {
                dice.blanks -= 1;
                dice.evades += 1;
            }
            DefenceEffect::DieToEvade if dice.focuses > 0 => {
                dice.focuses -= 1;
                dice.evades += 1;
            }
            DefenceEffect::DieToEvade => return,
            DefenceEffect::AddEvade => added += 1,
        }
        spending.add(modifier.means, 1);
        rank += u32::from(modifier.rank);
        each_spending(rest, dice, added, spending, rank, visit);
    }
}

/// What is to be expected of a defender that has yet to roll, for every number of hits and crits.
#[derive(Debug, Clone)]
pub struct DefenceTable {
    /// Chance of each number of evade results, everything useful spent.
    evades: Vec<f64>,
    /// Expected damage and critical damage, by hits and crits.
    expected: Vec<(f64, f64)>,
    rules: DiceRules,
    reinforce: u8,
    rule: DamageRule,
}

/// Hits and crits up to the largest pool.
const SIDE: usize = MAX_DICE as usize + 1;

impl DefenceTable {
    /// The table of a defender with so many dice (at most [`MAX_DICE`]) and these tokens, against at most so many attack
    /// dice.
    ///
    /// More evade results never hurt it, so its best answer to any attack cancels as much as it could at most.
    pub fn new(rules: DiceRules, rule: DamageRule, dice: u8, tokens: DefenceTokens, attack_dice: u8) -> Self {
        let dice = dice.min(MAX_DICE);
        let added = match rules.evade {
            Evade::AddsAResult => tokens.evade.min(rules.most_spent()),
            Evade::ChangesADie => 0,
        };
        let mut evades = vec![0.0; usize::from(dice) + usize::from(added) + 1];
        for roll in odds::defence(dice) {
            let lying = DefenceDice {
                evades: roll.evades,
                focuses: roll.focuses,
                blanks: roll.blanks,
            };
            evades[usize::from(most_evades(rules, lying, tokens))] += roll.chance;
        }
        let mut table = DefenceTable {
            evades,
            expected: vec![(0.0, 0.0); SIDE * SIDE],
            rules,
            reinforce: tokens.reinforce,
            rule,
        };
        let most = attack_dice.min(MAX_DICE);
        for hits in 0..=most {
            for crits in 0..=most - hits {
                let mut expected = (0.0, 0.0);
                for (damage, chance) in table.outcomes(hits, crits) {
                    expected.0 += chance * f64::from(damage.count());
                    expected.1 += chance * f64::from(damage.crits);
                }
                table.expected[usize::from(hits) * SIDE + usize::from(crits)] = expected;
            }
        }
        table
    }

    /// Expected damage and expected critical damage of so many hits and crits.
    pub fn expected(&self, hits: u8, crits: u8) -> (f64, f64) {
        self.expected[usize::from(hits) * SIDE + usize::from(crits)]
    }

    /// The damage of so many hits and crits, by what the defender may roll, each with its chance.
    pub fn outcomes(&self, hits: u8, crits: u8) -> impl Iterator<Item = (Uncancelled, f64)> {
        (0..).zip(&self.evades).map(move |(evades, &chance)| {
            let left = neutralize(self.rules, hits, crits, evades, self.reinforce);
            (self.rule.damage(left), chance)
        })
    }
}

/// The most evade results that dice and tokens can make.
fn most_evades(rules: DiceRules, dice: DefenceDice, tokens: DefenceTokens) -> u8 {
    let mut most = 0;
    let modifiers = tokens.modifiers(rules, SpendFirst::default(), dice.count());
    each_spending(&modifiers, dice, 0, Spending::default(), 0, &mut |dice, added, _, _| {
        most = most.max(dice.evades + added);
    });
    most
}
