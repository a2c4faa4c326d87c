//! A whole attack before its first die is rolled: what it does to be expected, and how likely each damage is.

use std::collections::BTreeMap;

use super::{
    attack::{AttackStep, Solver, State},
    defence::DefenceTable,
    modifier::SpendFirst,
    neutralize::DamageRule,
    odds,
    pool::{AttackDice, AttackTokens, DefenceTokens, MAX_DICE},
    rules::DiceRules,
};

/// Both pools, range and obstruction already counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Attack {
    /// What the rules of the table say of dice and tokens.
    pub rules: DiceRules,
    /// Attack dice, at most [`MAX_DICE`]; more count as so many.
    pub attack_dice: u8,
    /// What the attacker can spend.
    pub attack_tokens: AttackTokens,
    /// Defence dice, at most [`MAX_DICE`]; more count as so many.
    pub defence_dice: u8,
    /// What the defender can spend.
    pub defence_tokens: DefenceTokens,
    /// What the attack does when it hits.
    pub rule: DamageRule,
}

/// What an attack does when both sides spend as well as can be (SA-10, SA-11).
#[derive(Debug, Clone, PartialEq)]
pub struct Forecast {
    /// Expected damage.
    pub damage: f64,
    /// Expected damage that is not critical.
    pub hits: f64,
    /// Expected critical damage.
    pub crits: f64,
    /// The chance of exactly 0, 1, 2 ... damage, up to the most that can be.
    pub chances: Vec<f64>,
    /// How many tokens, charges and locks the attacker is expected to spend.
    pub attacker_spends: f64,
}

impl Attack {
    /// The table of the defender's answers.
    pub fn defence(&self) -> DefenceTable {
        let Attack {
            rules,
            rule,
            defence_dice,
            defence_tokens,
            ..
        } = *self;
        DefenceTable::new(rules, rule, defence_dice, defence_tokens, self.attack_dice)
    }

    /// What comes of the attack, exactly.
    pub fn forecast(&self) -> Forecast {
        let dice = self.attack_dice.min(MAX_DICE);
        let defence = self.defence();
        let mut solver = Solver::new(self.rules, dice, self.attack_tokens, &defence, SpendFirst::default());
        // States in the order of their rerolls: a reroll leads to one with fewer, so each is met with its whole chance.
        let mut open: BTreeMap<(u32, State), f64> = BTreeMap::new();
        for roll in odds::attack(dice) {
            let state = State {
                dice: AttackDice {
                    crits: roll.crits,
                    hits: roll.hits,
                    focuses: roll.focuses,
                    blanks: roll.blanks,
                    ..AttackDice::default()
                },
                rerolls: solver.all_rerolls(),
            };
            open.insert((state.rerolls.count_ones(), state), roll.chance);
        }
        let side = usize::from(dice) + 1;
        let mut ends = vec![0.0; side * side];
        let mut attacker_spends = 0.0;
        while let Some(((_, state), chance)) = open.pop_last() {
            let step = solver.solve(state).step;
            attacker_spends += chance * f64::from(step.spending().count());
            match step {
                AttackStep::Finish { changed, .. } => {
                    let (hits, crits) = (usize::from(state.dice.hits + changed), usize::from(state.dice.crits));
                    ends[hits * side + crits] += chance;
                }
                AttackStep::Reroll {
                    means, focuses, blanks, ..
                } => {
                    let bit = solver.reroll_bit(state, means);
                    for (next, share) in Solver::after_reroll(state, bit, focuses, blanks) {
                        *open.entry((next.rerolls.count_ones(), next)).or_default() += chance * share;
                    }
                }
            }
        }
        let most = match self.rule {
            DamageRule::Results => usize::from(dice),
            DamageRule::Fixed(damage) => usize::from(damage),
        };
        let mut forecast = Forecast {
            damage: 0.0,
            hits: 0.0,
            crits: 0.0,
            chances: vec![0.0; most + 1],
            attacker_spends,
        };
        for (hits, crits) in (0..=dice).flat_map(|hits| (0..=dice - hits).map(move |crits| (hits, crits))) {
            let reached = ends[usize::from(hits) * side + usize::from(crits)];
            if reached == 0.0 {
                continue;
            }
            for (damage, chance) in defence.outcomes(hits, crits) {
                let chance = reached * chance;
                forecast.hits += chance * f64::from(damage.hits);
                forecast.crits += chance * f64::from(damage.crits);
                forecast.chances[usize::from(damage.count())] += chance;
            }
        }
        forecast.damage = forecast.hits + forecast.crits;
        forecast
    }
}
