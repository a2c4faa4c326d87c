//! Modify Attack Dice, the attacker's side: the rerolls and spends that lead to the most expected damage (SA-11).
//!
//! A decision process: a state is the dice as they lie and the rerolls that are left. Each step rerolls, or ends the window
//! by changing results. Rerolls come before changes, for a change loses nothing by waiting until all dice have come to
//! rest. Hits are not rerolled, and a reroll takes as many blanks as it may: a blank can only become better. What else a
//! player may do where the rules allow it is in [`offered`].

use std::cmp::Ordering;

use rustc_hash::FxHashMap;

use serde::{Deserialize, Serialize};

use super::{
    compare,
    defence::DefenceTable,
    modifier::{AttackEffect, Means, Modifier, SpendFirst, Spending},
    odds,
    pool::{AttackDice, AttackTokens, MAX_DICE},
    rules::DiceRules,
};

/// What is expected of a state of the dice, or of a step, when everything after it is played as well as can be.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct AttackWorth {
    /// Expected damage.
    pub damage: f64,
    /// Expected critical damage, part of the damage.
    pub crits: f64,
    /// How many tokens, charges and locks are expected to be spent from here on.
    pub spent: f64,
    /// Their ranks, added: the lower, the more of what is to be spent first.
    rank: f64,
}

impl AttackWorth {
    /// SA-11: more damage is better, then more of it critical, then less spent, then what is to be spent first. `Greater`
    /// is better.
    fn compare(&self, other: &Self) -> Ordering {
        compare(self.damage, other.damage)
            .then_with(|| compare(self.crits, other.crits))
            .then_with(|| compare(other.spent, self.spent))
            .then_with(|| compare(other.rank, self.rank))
    }

    fn add(&mut self, other: &AttackWorth, chance: f64) {
        self.damage += chance * other.damage;
        self.crits += chance * other.crits;
        self.spent += chance * other.spent;
        self.rank += chance * other.rank;
    }
}

/// One step of the attacker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum AttackStep {
    /// Spends a means and rerolls so many dice, all at once; then decides anew.
    Reroll {
        /// What is spent.
        means: Means,
        /// Focus results to reroll.
        focuses: u8,
        /// Blanks to reroll.
        blanks: u8,
        /// Hits to reroll (FE-8.7): no best play, but a player may.
        #[serde(default, skip_serializing_if = "is_none")]
        hits: u8,
        /// Crits to reroll, likewise.
        #[serde(default, skip_serializing_if = "is_none")]
        crits: u8,
    },
    /// Spends these, turns so many focus results into hits, and is done. With nothing spent the dice stay as they are.
    Finish {
        /// What is spent; may be nothing.
        spending: Spending,
        /// How many focus results become hits.
        changed: u8,
    },
}

const fn is_none(dice: &u8) -> bool {
    *dice == 0
}

impl AttackStep {
    /// What the step itself spends.
    pub fn spending(&self) -> Spending {
        match self {
            AttackStep::Reroll { means, .. } => Spending::of(*means, 1),
            AttackStep::Finish { spending, .. } => *spending,
        }
    }

    /// The dice that it rerolls: how many, and what they show; crits first. None where it rerolls nothing.
    pub fn rerolled(&self) -> impl Iterator<Item = (u8, &'static str)> + use<> {
        let dice = match *self {
            AttackStep::Finish { .. } => [0; 4],
            AttackStep::Reroll {
                focuses,
                blanks,
                hits,
                crits,
                ..
            } => [crits, hits, focuses, blanks],
        };
        let shown = ["crit", "hit", "focus result", "blank"];
        dice.into_iter().zip(shown).filter(|(count, _)| *count > 0)
    }
}

/// A step, and what is expected of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AttackOption {
    /// The step.
    pub step: AttackStep,
    /// What is expected when all that follows is played as well as can be.
    pub worth: AttackWorth,
}

/// All steps that an attacker may take now, the best first.
#[derive(Debug, Clone, PartialEq)]
pub struct AttackChoice {
    /// The steps, best first; the one that spends nothing is among them.
    pub options: Vec<AttackOption>,
}

impl AttackChoice {
    /// The step that is taken.
    pub fn best(&self) -> &AttackOption {
        // Spending nothing is always an option.
        &self.options[0]
    }
}

/// What an attacker does next with the dice as they lie, against a defender that has yet to roll. Of more than
/// [`MAX_DICE`] dice the best ones count.
pub fn choose(
    rules: DiceRules,
    dice: AttackDice,
    tokens: AttackTokens,
    defence: &DefenceTable,
    first: SpendFirst,
) -> AttackChoice {
    let dice = dice.bounded();
    let mut solver = Solver::new(rules, dice.count(), tokens, defence, first);
    let state = State {
        dice,
        rerolls: solver.all_rerolls(),
    };
    let mut options = Vec::new();
    solver.each_step(state, |option| options.push(option));
    // A stable sort, and steps are listed in a fixed order: the same choice every time.
    options.sort_by(|a, b| b.worth.compare(&a.worth));
    AttackChoice { options }
}

/// All steps that a player may take, those of [`choose`] first among equals: where the rules let tokens be spent freely, also
/// a focus token that changes nothing (FE-6.6), and a lock that rerolls any of the dice, hits too, or none (FE-6.13, FE-8.7).
/// `settled` are the hits and crits that were rerolled already.
pub fn offered(
    rules: DiceRules,
    dice: AttackDice,
    settled: [u8; 2],
    tokens: AttackTokens,
    defence: &DefenceTable,
    first: SpendFirst,
) -> AttackChoice {
    let mut choice = choose(rules, dice, tokens, defence, first);
    if !rules.spends_freely() {
        return choice;
    }
    let dice = dice.bounded();
    let mut more = Vec::new();
    for option in &choice.options {
        if let AttackStep::Finish { spending, changed } = option.step {
            for idle in 1..=tokens.idle_focus(rules, spending, dice.focuses + dice.rerolled_focuses) {
                more.push(AttackOption {
                    step: AttackStep::Finish {
                        spending: spending.plus(Spending::of(Means::Focus, idle)),
                        changed,
                    },
                    worth: AttackWorth {
                        spent: option.worth.spent + f64::from(idle),
                        ..option.worth
                    },
                });
            }
        }
    }
    let mut solver = Solver::new(rules, dice.count(), tokens, defence, first);
    if let Some(reroll) = solver
        .rerolls
        .first()
        .copied()
        .filter(|reroll| reroll.means == Means::Lock)
    {
        let rerolls = solver.all_rerolls();
        let state = State { dice, rerolls };
        let bit = solver.reroll_bit(state, reroll.means);
        let [hits, crits] = [dice.hits, dice.crits].map(|count| 0..=count);
        for (hits, crits) in hits.flat_map(|hits| crits.clone().map(move |crits| (hits, crits))) {
            if hits > dice.hits.saturating_sub(settled[0]) || crits > dice.crits.saturating_sub(settled[1]) {
                continue;
            }
            for (focuses, blanks) in
                (0..=dice.focuses).flat_map(|focuses| (0..=dice.blanks).map(move |blanks| (focuses, blanks)))
            {
                let step = AttackStep::Reroll {
                    means: reroll.means,
                    focuses,
                    blanks,
                    hits,
                    crits,
                };
                if choice.options.iter().any(|option| option.step == step) {
                    continue;
                }
                let mut left = state;
                left.dice.hits -= hits;
                left.dice.crits -= crits;
                let mut worth = AttackWorth {
                    spent: 1.0,
                    rank: f64::from(reroll.rank),
                    ..AttackWorth::default()
                };
                for (next, chance) in Solver::after_rerolling(left, bit, focuses, blanks, hits + crits) {
                    worth.add(&solver.solve(next).worth, chance);
                }
                more.push(AttackOption { step, worth });
            }
        }
    }
    choice.options.extend(more);
    choice.options.sort_by(|a, b| b.worth.compare(&a.worth));
    choice
}

/// The dice and which of the rerolls are still to be had (a bit each).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct State {
    pub dice: AttackDice,
    pub rerolls: u32,
}

/// One use of a reroll.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Reroll {
    means: Means,
    up_to: u8,
    rank: u8,
}

/// Solves the attacker's window for one pool against one defender.
pub(super) struct Solver<'a> {
    defence: &'a DefenceTable,
    rerolls: Vec<Reroll>,
    changes: Vec<Modifier<AttackEffect>>,
    /// Best ends, by crits, hits and focus results.
    ends: Vec<Option<AttackOption>>,
    side: usize,
    /// Only looked up, never walked through, so that its order is of no matter.
    solved: FxHashMap<State, AttackOption>,
}

impl<'a> Solver<'a> {
    pub fn new(rules: DiceRules, dice: u8, tokens: AttackTokens, defence: &'a DefenceTable, first: SpendFirst) -> Self {
        let (mut rerolls, mut changes) = (Vec::new(), Vec::new());
        for modifier in tokens.modifiers(rules, first, dice) {
            match modifier.effect {
                _ if modifier.uses == 0 => {}
                AttackEffect::Reroll { up_to } => {
                    let reroll = Reroll {
                        means: modifier.means,
                        up_to,
                        rank: modifier.rank,
                    };
                    rerolls.extend((0..modifier.uses).map(|_| reroll));
                }
                AttackEffect::FocusToHit { .. } => changes.push(modifier),
            }
        }
        let side = usize::from(dice.min(MAX_DICE)) + 1;
        Solver {
            defence,
            rerolls,
            changes,
            ends: vec![None; side * side * side],
            side,
            solved: FxHashMap::default(),
        }
    }

    /// All rerolls still to be had.
    pub fn all_rerolls(&self) -> u32 {
        (1 << self.rerolls.len()) - 1
    }

    /// The best step in a state.
    pub fn solve(&mut self, state: State) -> AttackOption {
        let at_rest = state.dice.focuses + state.dice.blanks == 0;
        if state.rerolls == 0 || at_rest {
            return self.end(state.dice);
        }
        if let Some(solved) = self.solved.get(&state) {
            return *solved;
        }
        let mut best: Option<AttackOption> = None;
        self.each_step(state, |option| {
            if best.is_none_or(|best| option.worth.compare(&best.worth) == Ordering::Greater) {
                best = Some(option);
            }
        });
        let best = best.unwrap_or_else(|| self.end(state.dice));
        self.solved.insert(state, best);
        best
    }

    /// The states that a reroll may lead to, each with its chance.
    pub fn after_reroll(state: State, reroll: u32, focuses: u8, blanks: u8) -> impl Iterator<Item = (State, f64)> {
        Self::after_rerolling(state, reroll, focuses, blanks, 0)
    }

    /// The same with so many dice more in the hand, which lie in the state no longer.
    fn after_rerolling(
        state: State,
        reroll: u32,
        focuses: u8,
        blanks: u8,
        others: u8,
    ) -> impl Iterator<Item = (State, f64)> {
        odds::attack(focuses + blanks + others).iter().map(move |roll| {
            let mut dice = state.dice;
            dice.focuses -= focuses;
            dice.blanks -= blanks;
            dice.crits += roll.crits;
            dice.hits += roll.hits;
            dice.rerolled_focuses += roll.focuses;
            dice.rerolled_blanks += roll.blanks;
            let rerolls = state.rerolls & !reroll;
            (State { dice, rerolls }, roll.chance)
        })
    }

    /// The bit of the reroll that a step uses in a state.
    pub fn reroll_bit(&self, state: State, means: Means) -> u32 {
        let uses = self.rerolls.iter().enumerate();
        uses.filter(|(index, reroll)| state.rerolls & (1 << index) != 0 && reroll.means == means)
            .map(|(index, _)| 1 << index)
            .next()
            .unwrap_or(0)
    }

    /// Calls `visit` with every step in a state: the ends first, then the rerolls, few dice before many.
    fn each_step(&mut self, state: State, mut visit: impl FnMut(AttackOption)) {
        let dice = state.dice;
        self.each_end(dice.crits, dice.hits, dice.focuses + dice.rerolled_focuses, &mut visit);
        for index in 0..self.rerolls.len() {
            let (bit, reroll) = (1 << index, self.rerolls[index]);
            // Of several that do the same, the first one that is left stands for all.
            let same = |other: usize| state.rerolls & (1 << other) != 0 && self.rerolls[other] == reroll;
            if state.rerolls & bit == 0 || (0..index).any(same) {
                continue;
            }
            for focuses in 0..=dice.focuses.min(reroll.up_to) {
                let blanks = dice.blanks.min(reroll.up_to - focuses);
                if focuses + blanks == 0 {
                    continue;
                }
                let mut worth = AttackWorth {
                    spent: 1.0,
                    rank: f64::from(reroll.rank),
                    ..AttackWorth::default()
                };
                for (next, chance) in Self::after_reroll(state, bit, focuses, blanks) {
                    worth.add(&self.solve(next).worth, chance);
                }
                visit(AttackOption {
                    step: AttackStep::Reroll {
                        means: reroll.means,
                        focuses,
                        blanks,
                        hits: 0,
                        crits: 0,
                    },
                    worth,
                });
            }
        }
    }

    /// The best end of the window with the dice as they lie.
    fn end(&mut self, dice: AttackDice) -> AttackOption {
        let focuses = dice.focuses + dice.rerolled_focuses;
        let index = (usize::from(dice.crits) * self.side + usize::from(dice.hits)) * self.side + usize::from(focuses);
        if let Some(end) = self.ends[index] {
            return end;
        }
        let mut best: Option<AttackOption> = None;
        self.each_end(dice.crits, dice.hits, focuses, &mut |option: AttackOption| {
            if best.is_none_or(|best| option.worth.compare(&best.worth) == Ordering::Greater) {
                best = Some(option);
            }
        });
        let best = best.unwrap_or(AttackOption {
            step: AttackStep::Finish {
                spending: Spending::default(),
                changed: 0,
            },
            worth: AttackWorth::default(),
        });
        self.ends[index] = Some(best);
        best
    }

    /// Calls `visit` with every way to end the window, spending nothing first.
    fn each_end(&self, crits: u8, hits: u8, focuses: u8, visit: &mut impl FnMut(AttackOption)) {
        let start = End {
            focuses,
            changed: 0,
            spending: Spending::default(),
            rank: 0,
        };
        each_change(&self.changes, start, &mut |end| {
            let (damage, expected_crits) = self.defence.expected(hits + end.changed, crits);
            visit(AttackOption {
                step: AttackStep::Finish {
                    spending: end.spending,
                    changed: end.changed,
                },
                worth: AttackWorth {
                    damage,
                    crits: expected_crits,
                    spent: f64::from(end.spending.count()),
                    rank: f64::from(end.rank),
                },
            });
        });
    }
}

/// Changes so far.
#[derive(Debug, Clone, Copy)]
struct End {
    focuses: u8,
    changed: u8,
    spending: Spending,
    rank: u32,
}

/// Calls `visit` with every way to use the changes, in their order. Nothing is spent that touches no die.
fn each_change(changes: &[Modifier<AttackEffect>], end: End, visit: &mut impl FnMut(End)) {
    let Some((change, rest)) = changes.split_first() else {
        return visit(end);
    };
    each_change(rest, end, visit);
    let AttackEffect::FocusToHit { count } = change.effect else {
        return;
    };
    let mut end = end;
    for _ in 0..change.uses {
        let changed = count.min(end.focuses);
        if changed == 0 {
            return;
        }
        end.focuses -= changed;
        end.changed += changed;
        end.spending.add(change.means, 1);
        end.rank += u32::from(change.rank);
        each_change(rest, end, visit);
    }
}
