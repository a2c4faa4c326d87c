//! What is expected of a state when both sides play as well as can be, and which step is best.

use std::cmp::Ordering;

use rustc_hash::FxHashMap;

use super::{
    super::{compare, odds},
    effect::{Capped, Change, HowMany},
    faces::{Dice, Face, FaceSet},
    live::Live,
    schedule::{Side, Stage},
    state::{Contest, IDLE, Point, State, Step, Toll},
};

/// What is expected from a state on.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Worth {
    /// Expected damage of the attack, with what the defender's side suffers by its own effects, less what the attacker's
    /// side suffers by its own; what effects do beside the dice counts by its worth ([`Change::Prize`]).
    pub net: f64,
    /// Expected critical damage of the attack.
    pub crits: f64,
    /// Damage that each side is expected to do to itself: part of `net`.
    pub harm: [f64; 2],
    /// How many tokens, charges and locks each side is expected to spend: the attacker's, the defender's.
    pub spent: [f64; 2],
    /// Their ranks, added: the lower, the more of what is to be spent first.
    rank: [f64; 2],
    /// How many dice each side is expected to touch by what it spends: a card that spares a token some dice goes first
    /// (SA-12: dice effects before comparable tokens).
    paid_dice: [f64; 2],
    /// How many effects each side is expected to use.
    uses: [f64; 2],
}

impl Worth {
    /// Which is better for a side: damage, then no damage to oneself (an even trade is not made), then crits, then what the other side has to spend, then the own cost, then
    /// cards before tokens, then fewer effects used (nothing is used that changes nothing). `Greater` is better.
    pub fn compare(&self, other: &Self, side: Side) -> Ordering {
        let (own, enemy) = (side as usize, side.other() as usize);
        let (damage, crits) = (compare(self.net, other.net), compare(self.crits, other.crits));
        let (damage, crits) = match side {
            Side::Attacker => (damage, crits),
            Side::Defender => (damage.reverse(), crits.reverse()),
        };
        damage
            .then_with(|| compare(other.harm[own], self.harm[own]))
            .then(crits)
            .then_with(|| compare(self.spent[enemy], other.spent[enemy]))
            .then_with(|| compare(other.spent[own], self.spent[own]))
            .then_with(|| compare(other.rank[own], self.rank[own]))
            .then_with(|| compare(other.paid_dice[own], self.paid_dice[own]))
            .then_with(|| compare(other.uses[own], self.uses[own]))
    }

    fn add(&mut self, other: &Worth, chance: f64) {
        self.net += chance * other.net;
        self.crits += chance * other.crits;
        for side in 0..2 {
            self.harm[side] += chance * other.harm[side];
            self.spent[side] += chance * other.spent[side];
            self.rank[side] += chance * other.rank[side];
            self.paid_dice[side] += chance * other.paid_dice[side];
            self.uses[side] += chance * other.uses[side];
        }
    }

    fn pay(&mut self, toll: Toll, side: Side) {
        self.net += f64::from(toll.net) + f64::from(toll.prize) / 100.0;
        self.crits += f64::from(toll.crits);
        for (harm, suffered) in self.harm.iter_mut().zip(toll.harm) {
            *harm += f64::from(suffered);
        }
        self.spent[side as usize] += f64::from(toll.spent);
        self.rank[side as usize] += f64::from(toll.rank);
    }
}

/// A step, and what is expected when all that follows is played as well as can be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weighed {
    /// The step.
    pub step: Step,
    /// What is expected.
    pub worth: Worth,
}

/// All that a side may do now, the best first.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// Whose choice.
    pub side: Side,
    /// The steps, best first.
    pub options: Vec<Weighed>,
}

impl Choice {
    /// The step that is taken.
    pub fn best(&self) -> Weighed {
        // A choice is only made where there is a step.
        self.options[0]
    }
}

/// Solves one attack; what it has solved it remembers.
#[derive(Debug)]
pub struct Solver<'c> {
    contest: &'c Contest,
    live: Vec<Live>,
    /// Only looked up, never walked through, so that its order is of no matter.
    solved: FxHashMap<State, Weighed>,
    chances: FxHashMap<State, Vec<f64>>,
}

/// What a solver has found out about an attack: a later decision in the same attack begins with it.
#[derive(Debug, Clone, Default)]
pub struct Solved(FxHashMap<State, Weighed>);

impl Solved {
    /// How many states have been looked at.
    pub fn states(&self) -> usize {
        self.0.len()
    }
}

impl<'c> Solver<'c> {
    /// A solver of this attack.
    pub fn new(contest: &'c Contest) -> Self {
        Solver {
            contest,
            live: contest.live(),
            solved: FxHashMap::default(),
            chances: FxHashMap::default(),
        }
    }

    /// A solver of this attack that goes on where one of the very same attack has stopped.
    pub fn resuming(contest: &'c Contest, Solved(solved): Solved) -> Self {
        Solver {
            solved,
            ..Solver::new(contest)
        }
    }

    /// What it has found out.
    pub fn into_solved(self) -> Solved {
        Solved(self.solved)
    }

    /// How many states have been looked at.
    pub fn states(&self) -> usize {
        self.solved.len()
    }

    /// What is expected from a state on.
    pub fn worth(&mut self, state: &State) -> Worth {
        self.solve(*state).worth
    }

    /// What the side whose turn it is may do, best first; `None` when it is nobody's turn.
    pub fn choose(&mut self, state: &State) -> Option<Choice> {
        let state = self.plain(*state);
        let Point::Decide { side, steps, .. } = self.contest.point(&state) else {
            return None;
        };
        let weighed = steps.into_iter().map(|step| Weighed {
            step,
            worth: self.weigh(state, side, step),
        });
        let mut options: Vec<Weighed> = weighed.collect();
        // A stable sort, and steps are listed in a fixed order: the same choice every time.
        options.sort_by(|a, b| b.worth.compare(&a.worth, side));
        Some(Choice { side, options })
    }

    /// The chance of exactly 0, 1, 2 ... damage by the attack's own results.
    pub fn chances(&mut self, state: &State) -> Vec<f64> {
        let state = self.plain(*state);
        if let Some(chances) = self.chances.get(&state) {
            return chances.clone();
        }
        let mut chances = Vec::new();
        let mut mix = |other: &[f64], chance: f64| {
            if chances.len() < other.len() {
                chances.resize(other.len(), 0.0);
            }
            for (sum, part) in chances.iter_mut().zip(other) {
                *sum += chance * part;
            }
        };
        match self.contest.stage(&state) {
            Stage::Turn(..) | Stage::Roll(_) if state.rolling > 0 => {
                let mut next = Vec::new();
                self.each_roll(state, |_, after, _, chance| next.push((after, chance)));
                for (after, chance) in next {
                    mix(&self.chances(&after), chance);
                }
            }
            Stage::Turn(..) => {
                let mut after = state;
                self.contest.pay_and_do(&mut after, self.solve(state).step);
                mix(&self.chances(&after), 1.0);
            }
            _ => {
                let damage = state.attack_dice().count_of(FaceSet::SUCCESS);
                let mut certain = vec![0.0; usize::from(damage) + 1];
                certain[usize::from(damage)] = 1.0;
                mix(&certain, 1.0);
            }
        }
        self.chances.insert(state, chances.clone());
        chances
    }

    fn solve(&mut self, state: State) -> Weighed {
        let state = self.plain(state);
        if let Some(solved) = self.solved.get(&state) {
            return *solved;
        }
        let solved = match self.contest.stage(&state) {
            Stage::Turn(..) | Stage::Roll(_) if state.rolling > 0 => {
                let mut next = Vec::new();
                self.each_roll(state, |_, after, toll, chance| next.push((after, toll, chance)));
                let mut worth = Worth::default();
                for (after, toll, chance) in next {
                    let mut here = self.solve(after).worth;
                    here.pay(toll, Side::Attacker);
                    worth.add(&here, chance);
                }
                Weighed {
                    step: Step::DONE,
                    worth,
                }
            }
            Stage::Turn(_, side) => self.best(state, side),
            _ => Weighed {
                step: Step::DONE,
                worth: Worth {
                    net: f64::from(state.attack_dice().count_of(FaceSet::SUCCESS)),
                    crits: f64::from(state.attack_dice().count(Face::Crit)),
                    ..Worth::default()
                },
            },
        };
        self.solved.insert(state, solved);
        solved
    }

    fn best(&mut self, state: State, side: Side) -> Weighed {
        let steps = self.contest.steps(&state);
        let mut best: Option<Weighed> = None;
        for &step in &steps {
            let passed_over = self.is_referred(&state, step)
                || self.is_dominated(&state, side, step)
                || self.contest.is_idle(&state, step);
            if steps.len() > 1 && passed_over {
                continue;
            }
            let worth = self.weigh(state, side, step);
            if best.is_none_or(|best| worth.compare(&best.worth, side) == Ordering::Greater) {
                best = Some(Weighed { step, worth });
            }
        }
        best.unwrap_or(Weighed {
            step: Step::DONE,
            worth: Worth::default(),
        })
    }

    fn weigh(&mut self, state: State, side: Side, step: Step) -> Worth {
        let mut after = state;
        let toll = self.contest.pay_and_do(&mut after, step);
        let mut worth = self.solve(after).worth;
        worth.pay(toll, side);
        if step.effect.is_some() && state.effect == IDLE {
            worth.uses[side as usize] += 1.0;
            if toll.spent > 0 {
                worth.paid_dice[side as usize] += step.pick.iter().map(|&count| f64::from(count)).sum::<f64>();
            }
        }
        worth
    }

    /// Whether a step begins an effect about which somebody else decides.
    pub fn is_referred(&self, state: &State, step: Step) -> bool {
        let effect = step
            .effect
            .and_then(|place| self.contest.effects().get(usize::from(place)));
        state.effect == IDLE && effect.is_some_and(|effect| effect.referred && !effect.must)
    }

    /// What would be expected if the effects of a group could not be used any more.
    pub fn worth_without(&mut self, state: &State, group: u8) -> Worth {
        let mut state = *state;
        state.used |= 1 << (group & 63);
        self.contest.settle(&mut state);
        self.worth(&state)
    }

    /// Whether a step rerolls own dice worse than another one does: successes, or fewer blanks than it could. A blank can
    /// only become better where nothing else wants blanks.
    fn is_dominated(&self, state: &State, side: Side, step: Step) -> bool {
        let effect = step
            .effect
            .and_then(|place| self.contest.effects().get(usize::from(place)));
        let part = if state.effect == IDLE { 0 } else { state.part };
        let change = effect.and_then(|effect| effect.does.get(usize::from(part)));
        let Some(&Change::Reroll {
            dice,
            faces,
            how_many: HowMany::UpTo(most),
        }) = change
        else {
            return false;
        };
        if dice != side.dice() {
            return false;
        }
        let most = most.min(state.cap(dice, Capped::Rerolls));
        let [crits, hits, evades, focuses, blanks] = step.pick;
        if crits + hits + evades > 0 {
            return true;
        }
        let wanted = self.live[usize::from(state.stage)].touched[dice as usize].has(Face::Blank);
        let there = state.pool(dice).at(Face::Blank, false);
        !wanted && faces.has(Face::Blank) && blanks < there.min(most.saturating_sub(focuses))
    }

    /// Calls `visit` with every roll of the dice in the hand: the faces, the state then, what it costs, the chance.
    fn each_roll(&self, state: State, mut visit: impl FnMut([u8; 5], State, Toll, f64)) {
        let dice = self.contest.rolling(&state);
        let rerolled = self.contest.counts_as_rerolling(&state);
        let mut put = |faces: [u8; 5], chance: f64| {
            let mut after = state;
            for (face, count) in Face::ALL.into_iter().zip(faces) {
                after.pool_mut(dice).add(face, rerolled, count);
            }
            let toll = self.contest.come_to_rest(&mut after);
            visit(faces, after, toll, chance);
        };
        match dice {
            Dice::Attack => {
                for roll in odds::attack(state.rolling) {
                    put([roll.crits, roll.hits, 0, roll.focuses, roll.blanks], roll.chance);
                }
            }
            Dice::Defence => {
                for roll in odds::defence(state.rolling) {
                    put([0, 0, roll.evades, roll.focuses, roll.blanks], roll.chance);
                }
            }
        }
    }

    /// The state without what makes no difference any more, so that equal futures are solved once.
    fn plain(&self, mut state: State) -> State {
        let live = &self.live[usize::from(state.stage).min(self.live.len() - 1)];
        state.used &= live.groups;
        state.stock &= live.stock;
        (state.modified, state.neutralized) = (false, false);
        for dice in [Dice::Attack, Dice::Defence] {
            let (rerolled, touched) = (live.rerolled[dice as usize], live.touched[dice as usize]);
            let pool = state.pool_mut(dice);
            for face in Face::ALL {
                if !rerolled.has(face) {
                    *pool = pool.merged(face);
                    if !touched.has(face) && !FaceSet::SUCCESS.has(face) {
                        pool.take(face, false, u8::MAX);
                    }
                }
            }
        }
        state
    }
}
