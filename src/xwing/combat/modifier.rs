//! What can be done to dice, and what it costs.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{
    pool::{AttackTokens, DefenceTokens},
    rules::DiceRules,
};
use crate::xwing::edition::Evade;

/// What is spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Means {
    /// A focus token.
    Focus,
    /// The lock on the defender.
    Lock,
    /// A calculate token.
    Calculate,
    /// A Force charge.
    Force,
    /// An evade token.
    Evade,
}

impl fmt::Display for Means {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Means::Focus => "focus",
            Means::Lock => "lock",
            Means::Calculate => "calculate",
            Means::Force => "Force",
            Means::Evade => "evade",
        })
    }
}

/// How many of each means are spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Spending {
    /// Focus tokens.
    pub focus: u8,
    /// Locks.
    pub lock: u8,
    /// Calculate tokens.
    pub calculate: u8,
    /// Force charges.
    pub force: u8,
    /// Evade tokens.
    pub evade: u8,
}

impl Spending {
    /// So many of one means.
    pub fn of(means: Means, count: u8) -> Self {
        let mut spending = Spending::default();
        spending.add(means, count);
        spending
    }

    /// So many of one means on top.
    pub fn add(&mut self, means: Means, count: u8) {
        *match means {
            Means::Focus => &mut self.focus,
            Means::Lock => &mut self.lock,
            Means::Calculate => &mut self.calculate,
            Means::Force => &mut self.force,
            Means::Evade => &mut self.evade,
        } += count;
    }

    /// Both together.
    #[must_use]
    pub fn plus(mut self, other: Spending) -> Self {
        for (means, count) in other.each() {
            self.add(means, count);
        }
        self
    }

    /// Each means with its count.
    pub const fn each(&self) -> [(Means, u8); 5] {
        [
            (Means::Lock, self.lock),
            (Means::Focus, self.focus),
            (Means::Calculate, self.calculate),
            (Means::Force, self.force),
            (Means::Evade, self.evade),
        ]
    }

    /// All of them.
    pub fn count(&self) -> u8 {
        self.each().iter().map(|(_, count)| count).sum()
    }
}

impl fmt::Display for Spending {
    /// As in `focus, 2 calculate`; `nothing`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        for (means, count) in self.each() {
            match count {
                0 => {}
                1 => parts.push(means.to_string()),
                _ => parts.push(format!("{count} {means}")),
            }
        }
        f.write_str(if parts.is_empty() { "nothing" } else { "" })?;
        f.write_str(&parts.join(", "))
    }
}

/// Which of two equally good and equally costly means goes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SpendFirst {
    /// What works in this role only: the lock attacking, evade tokens defending (SA-10, SA-11).
    RoleOnly,
    /// What works in both roles. **choice** Where the rules name no order, that goes first which is worth the least later:
    /// calculate, focus, then the lock (it stays for the next round) or an evade token (it is never in vain), then Force.
    #[default]
    Shared,
}

/// What one use of a means does to attack dice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AttackEffect {
    /// Rerolls up to so many dice, each of them once.
    Reroll {
        /// The most dice that it rerolls.
        up_to: u8,
    },
    /// Turns so many focus results into hits, or all if there are fewer.
    FocusToHit {
        /// How many.
        count: u8,
    },
}

/// What one use of a means does to defence dice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DefenceEffect {
    /// Turns so many focus results into evades, or all if there are fewer.
    FocusToEvade {
        /// How many.
        count: u8,
    },
    /// Turns one focus or blank into an evade: a blank rather than a focus where both lie there.
    DieToEvade,
    /// Adds an evade result.
    AddEvade,
}

/// Something that a ship may use on dice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Modifier<Effect> {
    /// What it spends.
    pub means: Means,
    /// What each use does.
    pub effect: Effect,
    /// How often it can be used.
    pub uses: u8,
    /// Among equally good and equally many spent, the lower ones are spent first.
    pub rank: u8,
}

/// More than any pool has.
const ALL: u8 = u8::MAX;

/// FE-6.6: how many focus tokens may be spent for nothing beside what is spent already: one where no result would change, and
/// further ones where a step takes several.
fn idle_focus(rules: DiceRules, held: u8, spent: u8, focus_results: u8) -> u8 {
    if !rules.spends_freely() || (focus_results > 0 && spent == 0) {
        return 0;
    }
    held.min(rules.most_spent()).saturating_sub(spent)
}

impl AttackTokens {
    /// FE-6.6: how many focus tokens may be spent for nothing beside what is spent already, with so many focus results.
    pub(super) fn idle_focus(self, rules: DiceRules, spent: Spending, focus_results: u8) -> u8 {
        idle_focus(rules, self.focus, spent.focus, focus_results)
    }

    /// What these tokens can do to a pool of so many attack dice.
    pub(super) fn modifiers(self, rules: DiceRules, first: SpendFirst, dice: u8) -> [Modifier<AttackEffect>; 4] {
        let rank = |role_only: u8, shared: u8| match first {
            SpendFirst::RoleOnly => role_only,
            SpendFirst::Shared => shared,
        };
        let locks = self.lock.min(dice).min(rules.most_spent());
        let one = AttackEffect::FocusToHit { count: 1 };
        [
            modifier(Means::Lock, AttackEffect::Reroll { up_to: ALL }, locks, rank(0, 2)),
            // A second focus token finds no focus result that the first one left.
            modifier(
                Means::Focus,
                AttackEffect::FocusToHit { count: ALL },
                self.focus.min(1),
                rank(2, 1),
            ),
            modifier(Means::Calculate, one, self.calculate.min(dice), rank(1, 0)),
            modifier(Means::Force, one, self.force.min(dice), 3),
        ]
    }
}

impl DefenceTokens {
    /// FE-6.6: how many focus tokens may be spent for nothing beside what is spent already, with so many focus results.
    pub(super) fn idle_focus(self, rules: DiceRules, spent: Spending, focus_results: u8) -> u8 {
        idle_focus(rules, self.focus, spent.focus, focus_results)
    }

    /// What these tokens can do to a pool of so many defence dice.
    pub(super) fn modifiers(self, rules: DiceRules, first: SpendFirst, dice: u8) -> [Modifier<DefenceEffect>; 4] {
        let rank = |role_only: u8, shared: u8| match first {
            SpendFirst::RoleOnly => role_only,
            SpendFirst::Shared => shared,
        };
        let (effect, useful) = match rules.evade {
            Evade::AddsAResult => (DefenceEffect::AddEvade, self.evade), // FE-6.5
            Evade::ChangesADie => (DefenceEffect::DieToEvade, self.evade.min(dice)),
        };
        let evade = modifier(Means::Evade, effect, useful.min(rules.most_spent()), rank(0, 2));
        let one = DefenceEffect::FocusToEvade { count: 1 };
        let all = DefenceEffect::FocusToEvade { count: ALL };
        [
            modifier(Means::Focus, all, self.focus.min(1), rank(2, 1)),
            modifier(Means::Calculate, one, self.calculate.min(dice), rank(1, 0)),
            modifier(Means::Force, one, self.force.min(dice), 3),
            // Last: what the others leave.
            evade,
        ]
    }
}

fn modifier<Effect>(means: Means, effect: Effect, uses: u8, rank: u8) -> Modifier<Effect> {
    Modifier {
        means,
        effect,
        uses,
        rank,
    }
}
