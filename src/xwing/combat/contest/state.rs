//! Where an attack stands, and how it goes on: one transition function for real dice and for looking ahead.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::{
    super::{
        MAX_DICE, Means, SpendFirst, Spending,
        neutralize::{DamageRule, Uncancelled},
        rules::DiceRules,
    },
    effect::{Ban, CancelOrder, Capped, Change, Effect, Need, Price, Resource, ResourceKind},
    faces::{Dice, Face, FaceSet, Pool},
    picks::{each_pick, is_picked, touches},
    schedule::{Side, Stage, Window},
};

/// An attack that cannot be played by these rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ContestError {
    /// Too many resources, or too many of one.
    #[error("an attack has at most {MAX_RESOURCES} resources, and at most 31 of each")]
    Resources,
    /// Too many groups or effects.
    #[error("an attack has at most 64 effects that are used once, and 254 in all")]
    Effects,
    /// An effect that names a resource that is not there, or that could be used for ever.
    #[error("effect {0} names what is not there, or is used again and again for nothing")]
    Effect(usize),
}

/// The most resources of one attack.
pub const MAX_RESOURCES: usize = 24;

/// Both pools before the first die is rolled, what both sides can spend, and what can be done.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Contest {
    rules: DiceRules,
    rule: DamageRule,
    dice: [u8; 2],
    reinforce: u8,
    bans: u32,
    resources: Vec<Resource>,
    effects: Vec<Effect>,
    stages: Vec<Stage>,
}

/// Where an attack stands. Small and comparable: equal states have equal futures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct State {
    pub(super) attack: Pool,
    pub(super) defence: Pool,
    /// A bit for each group of effects that is used.
    pub(super) used: u64,
    /// What is left of each resource, five bits each.
    pub(super) stock: u128,
    /// What is forbidden, a bit each.
    pub(super) bans: u32,
    pub(super) order: CancelOrder,
    pub(super) stage: u8,
    /// The effect under way and which of its changes comes next; `IDLE` when none is.
    pub(super) effect: u8,
    pub(super) part: u8,
    /// Dice in the hand that are to be rolled now.
    pub(super) rolling: u8,
    /// How many dice will be rolled: attack and defence, before they are.
    pub(super) dice: [i8; 2],
    /// The fewest and the most dice that will be rolled, of either kind.
    bounds: [[u8; 2]; 2],
    /// Whether no more defence dice are rolled than there are hits and crits.
    to_results: bool,
    /// How many own dice each side may still reroll, and focus results it may still modify.
    caps: [[u8; 2]; 2],
    pub(super) guess: u8,
    /// Whether the attacker has modified attack dice, and whether any result was neutralized: nothing in the attack hangs
    /// on it, but what follows may.
    pub(super) modified: bool,
    pub(super) neutralized: bool,
}

/// Bounds of a number of dice that bound nothing.
const UNBOUND: [u8; 2] = [0, u8::MAX];

/// No effect.
pub(super) const IDLE: u8 = u8::MAX;

/// One step of a side: using an effect, going on with it, or ending its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Step {
    /// The effect's place; `None` ends the turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effect: Option<u8>,
    /// How many dice of each face its next change touches, in the order of [`Face::ALL`]; a guess is named first.
    pub pick: [u8; 5],
}

impl Step {
    /// The end of a turn.
    pub const DONE: Step = Step {
        effect: None,
        pick: [0; 5],
    };
}

/// What comes next.
#[derive(Debug, Clone, PartialEq)]
pub enum Point {
    /// A side takes one of these steps. There is at least one; when there is exactly one, nothing is to be chosen.
    Decide {
        /// The window.
        window: Window,
        /// The side.
        side: Side,
        /// What it may do.
        steps: Vec<Step>,
    },
    /// So many dice are rolled.
    Roll {
        /// Which.
        dice: Dice,
        /// How many.
        count: u8,
    },
    /// The attack is over but for this damage.
    Over(Uncancelled),
}

pub(super) const BITS: u32 = 5;
pub(super) const MASK: u128 = (1 << BITS) - 1;

impl State {
    /// The attack dice as they lie; after results have cancelled each other what is left of them.
    pub fn attack_dice(&self) -> Pool {
        self.attack
    }

    /// The defence dice as they lie.
    pub fn defence_dice(&self) -> Pool {
        self.defence
    }

    /// What is left of a resource.
    pub fn left(&self, resource: u8) -> u8 {
        ((self.stock >> (u32::from(resource) * BITS)) & MASK) as u8
    }

    /// Whether an effect of a group has been used.
    pub fn is_used(&self, group: u8) -> bool {
        self.used & (1 << (group & 63)) != 0
    }

    /// Whether the attacker has modified attack dice in the step for it.
    pub fn attacker_modified(&self) -> bool {
        self.modified
    }

    /// Whether any hit or crit was neutralized.
    pub fn neutralized(&self) -> bool {
        self.neutralized
    }

    /// The effect that is under way; `None` when none is.
    pub fn under_way(&self) -> Option<u8> {
        (self.effect != IDLE).then_some(self.effect)
    }

    fn spend(&mut self, resource: u8, count: u8) {
        let count = count.min(self.left(resource));
        self.stock -= u128::from(count) << (u32::from(resource) * BITS);
    }

    pub(super) fn pool(&self, dice: Dice) -> Pool {
        match dice {
            Dice::Attack => self.attack,
            Dice::Defence => self.defence,
        }
    }

    pub(super) fn pool_mut(&mut self, dice: Dice) -> &mut Pool {
        match dice {
            Dice::Attack => &mut self.attack,
            Dice::Defence => &mut self.defence,
        }
    }

    /// How often a side may still do that with its own dice.
    pub(super) fn cap(&self, dice: Dice, what: Capped) -> u8 {
        self.caps[dice as usize][what as usize]
    }

    fn use_cap(&mut self, dice: Dice, what: Capped, count: u8) {
        let cap = &mut self.caps[dice as usize][what as usize];
        if *cap != u8::MAX {
            *cap = cap.saturating_sub(count);
        }
    }

    fn is_banned(&self, side: Side, dice: Dice, ban: Ban) -> bool {
        self.bans & ban_bit(side, dice, ban) != 0
    }
}

const fn ban_bit(side: Side, dice: Dice, ban: Ban) -> u32 {
    1 << ((side as u32 * 2 + dice as u32) * 8 + ban as u32)
}

/// What a step costs and does beside the dice.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Toll {
    /// Damage that the defender's side suffers, less what the attacker's side suffers.
    pub net: i8,
    /// What else is worth something to the attacker's side, less what is to the defender's, in hundredths of damage.
    pub prize: i16,
    /// Critical damage to the defender beside the results.
    pub crits: i8,
    /// What each side does to itself.
    pub harm: [u8; 2],
    /// What was spent, and the ranks of it.
    pub spent: u8,
    pub rank: u8,
}

impl Contest {
    /// An attack with so many attack and defence dice before any effect. `first_player` has the first turn in windows
    /// that are not Modify steps.
    ///
    /// # Errors
    /// More effects or resources than a state has room for; effects that name what is not there.
    pub fn new(
        rules: DiceRules,
        rule: DamageRule,
        dice: [u8; 2],
        reinforce: u8,
        first_player: Side,
        resources: Vec<Resource>,
        effects: Vec<Effect>,
    ) -> Result<Contest, ContestError> {
        if resources.len() > MAX_RESOURCES || resources.iter().any(|resource| u128::from(resource.left) > MASK) {
            return Err(ContestError::Resources);
        }
        if effects.len() >= usize::from(IDLE) || effects.iter().any(|effect| effect.group >= 64) {
            return Err(ContestError::Effects);
        }
        let known = |resource: u8| usize::from(resource) < resources.len();
        for (place, effect) in effects.iter().enumerate() {
            let paid = effect.price.iter().all(|price| match *price {
                Price::Spend { resource, .. } => known(resource),
                Price::Suffer { life, .. } => known(life),
            });
            let needed = effect.needs.iter().all(|need| match *need {
                Need::Stock { resource, .. } | Need::NoStock { resource } => known(resource),
                Need::Results { .. } | Need::Dice { .. } | Need::Used { .. } => true,
            });
            let costs = effect.price.iter().any(|price| match *price {
                Price::Spend { count, .. } => count > 0,
                Price::Suffer { damage, .. } => damage > 0,
            });
            let stocked = effect.does.iter().all(|change| match *change {
                Change::Stock { resource, .. } => known(resource),
                _ => true,
            });
            if !paid || !needed || !stocked || (effect.repeats && !costs) || effect.does.len() >= usize::from(IDLE) {
                return Err(ContestError::Effect(place));
            }
        }
        let mut stages = Vec::new();
        for window in Window::ALL {
            let first = window.first(first_player);
            for side in [first, first.other()] {
                let used = |effect: &Effect| effect.side == side && effect.windows.has(window);
                if effects.iter().any(used) {
                    stages.push(Stage::Turn(window, side));
                }
            }
            match window {
                Window::AttackRoll => stages.push(Stage::Roll(Dice::Attack)),
                Window::DefenceRoll => stages.push(Stage::Roll(Dice::Defence)),
                Window::Neutralize => stages.push(Stage::Cancel),
                Window::AfterNeutralize => stages.push(Stage::Damage),
                Window::Damage => stages.push(Stage::Over),
                _ => {}
            }
        }
        Ok(Contest {
            rules,
            rule,
            dice: dice.map(|count| count.min(MAX_DICE)),
            reinforce,
            bans: 0,
            resources,
            effects,
            stages,
        })
    }

    /// The attack with something forbidden from its beginning.
    #[must_use]
    pub fn forbidding(mut self, side: Side, dice: Dice, ban: Ban) -> Self {
        self.bans |= ban_bit(side, dice, ban);
        self
    }

    /// The attack with the ranks of a side's own tokens by its thrift (SA-10, SA-11).
    pub fn thrifty(&self, side: Side, first: SpendFirst) -> Cow<'_, Contest> {
        if first == SpendFirst::default() {
            return Cow::Borrowed(self);
        }
        let mut contest = self.clone();
        let own = contest.resources.iter_mut().filter(|resource| resource.side == side);
        for resource in own.filter(|resource| (Resource::OWN..Resource::FINITE_CHARGE).contains(&resource.rank)) {
            resource.rank = Resource::OWN
                + match resource.kind {
                    ResourceKind::Lock | ResourceKind::Evade => 0,
                    ResourceKind::Focus => 2,
                    ResourceKind::Force => 3,
                    _ => 1,
                };
        }
        Cow::Owned(contest)
    }

    /// What is forbidden in a state.
    pub fn bans(&self, state: &State) -> Vec<(Side, Dice, Ban)> {
        let all = [Side::Attacker, Side::Defender].into_iter().flat_map(|side| {
            let dice = [Dice::Attack, Dice::Defence].into_iter();
            dice.flat_map(move |dice| Ban::ALL.into_iter().map(move |ban| (side, dice, ban)))
        });
        all.filter(|&(side, dice, ban)| state.is_banned(side, dice, ban))
            .collect()
    }

    /// What can be done, each by its place.
    pub fn effects(&self) -> &[Effect] {
        &self.effects
    }

    /// What can be spent, each by its place.
    pub fn resources(&self) -> &[Resource] {
        &self.resources
    }

    /// The attack before anything has happened.
    pub fn start(&self) -> State {
        let mut stock = 0;
        for (place, resource) in (0u32..).zip(&self.resources) {
            stock |= u128::from(resource.left) << (place * BITS);
        }
        let mut state = State {
            attack: Pool::default(),
            defence: Pool::default(),
            used: 0,
            stock,
            bans: self.bans,
            order: CancelOrder::default(),
            stage: 0,
            effect: IDLE,
            part: 0,
            rolling: 0,
            dice: self.dice.map(|count| count as i8),
            bounds: [UNBOUND; 2],
            to_results: false,
            caps: [[u8::MAX; 2]; 2],
            guess: 0,
            modified: false,
            neutralized: false,
        };
        self.go_on(&mut state);
        state
    }

    pub(super) fn stages(&self) -> &[Stage] {
        &self.stages
    }

    /// What comes next.
    pub fn point(&self, state: &State) -> Point {
        match self.stage(state) {
            Stage::Turn(_, _) | Stage::Roll(_) if state.rolling > 0 => Point::Roll {
                dice: self.rolling(state),
                count: state.rolling,
            },
            Stage::Turn(window, side) => Point::Decide {
                window,
                side,
                steps: self.steps(state),
            },
            // The other stages go on by themselves, so a state never rests there.
            Stage::Roll(dice) => Point::Roll { dice, count: 0 },
            Stage::Cancel | Stage::Damage | Stage::Over => Point::Over(uncancelled(state.attack)),
        }
    }

    /// The window and side whose turn it is; `None` while dice are rolled and when it is over.
    pub fn turn(&self, state: &State) -> Option<(Window, Side)> {
        match self.stage(state) {
            Stage::Turn(window, side) if state.rolling == 0 => Some((window, side)),
            _ => None,
        }
    }

    pub(super) fn stage(&self, state: &State) -> Stage {
        self.stages
            .get(usize::from(state.stage))
            .copied()
            .unwrap_or(Stage::Over)
    }

    /// Which dice are in the hand.
    pub(super) fn rolling(&self, state: &State) -> Dice {
        match (self.stage(state), self.change_under_way(state)) {
            (Stage::Roll(dice), _) => dice,
            (_, Some(Change::Reroll { dice, .. } | Change::RollAgain { dice })) => *dice,
            _ => Dice::Attack,
        }
    }

    /// Whether the dice in the hand cannot be rerolled any more once they have come to rest.
    pub(super) fn counts_as_rerolling(&self, state: &State) -> bool {
        matches!(self.stage(state), Stage::Turn(..))
            && !matches!(self.change_under_way(state), Some(Change::RollAgain { .. }))
    }

    fn change_under_way(&self, state: &State) -> Option<&Change> {
        let effect = self.effects.get(usize::from(state.effect))?;
        effect.does.get(usize::from(state.part))
    }

    /// The change that a step carries out first.
    pub fn part(&self, state: &State, step: Step) -> Option<Change> {
        let effect = self.effects.get(usize::from(step.effect?))?;
        let part = if state.effect == IDLE { 0 } else { state.part };
        effect.does.get(usize::from(part)).copied()
    }

    /// The tokens that a step spends.
    pub fn spending(&self, step: Step) -> Spending {
        let effect = step.effect.and_then(|place| self.effects.get(usize::from(place)));
        let mut spending = Spending::default();
        for price in effect.iter().flat_map(|effect| &effect.price) {
            let Price::Spend { resource, count } = *price else {
                continue;
            };
            let means = match self.resources.get(usize::from(resource)).map(|resource| resource.kind) {
                Some(ResourceKind::Focus) => Means::Focus,
                Some(ResourceKind::Lock) => Means::Lock,
                Some(ResourceKind::Calculate) => Means::Calculate,
                Some(ResourceKind::Force) => Means::Force,
                Some(ResourceKind::Evade) => Means::Evade,
                _ => continue,
            };
            spending.add(means, count);
        }
        spending
    }

    /// What a side may do now. Empty when it is nobody's turn.
    pub fn steps(&self, state: &State) -> Vec<Step> {
        let Stage::Turn(window, side) = self.stage(state) else {
            return Vec::new();
        };
        let mut steps = Vec::new();
        if state.effect != IDLE {
            // An effect under way goes on; where it finds no dice it goes on without any.
            let pick = self.change_under_way(state);
            if let Some(change) = pick {
                each_pick(state, side, *change, |pick| {
                    steps.push(Step {
                        effect: Some(state.effect),
                        pick,
                    });
                });
            }
            if steps.is_empty() {
                steps.push(Step {
                    effect: Some(state.effect),
                    pick: [0; 5],
                });
            }
            return steps;
        }
        let mut must = false;
        for (place, effect) in (0u8..).zip(&self.effects) {
            if effect.side != side || !effect.windows.has(window) || !self.may_use(state, window, effect) {
                continue;
            }
            must |= effect.must;
            let before = steps.len();
            if let Some(&change) = effect.does.first() {
                each_pick(state, side, change, |pick| {
                    steps.push(Step {
                        effect: Some(place),
                        pick,
                    });
                });
            }
            let none = [0; 5];
            let freely = self.is_spent_freely(effect) && !steps[before..].iter().any(|step| step.pick == none);
            // A lock may reroll no die; a focus token is only spent for nothing where there is no focus result.
            let freely =
                freely && (steps.len() == before || matches!(effect.does.first(), Some(Change::Reroll { .. })));
            if steps.len() == before || freely {
                // Its first change finds nothing, a later one does.
                steps.push(Step {
                    effect: Some(place),
                    pick: [0; 5],
                });
            }
        }
        if !must {
            steps.push(Step::DONE);
        }
        steps
    }

    /// Whether an effect can be paid, is not forbidden, is not used already, and would touch anything.
    fn may_use(&self, state: &State, window: Window, effect: &Effect) -> bool {
        if !effect.repeats && state.is_used(effect.group) {
            return false;
        }
        let paid = effect.price.iter().all(|price| match *price {
            Price::Spend { resource, count } => state.left(resource) >= count,
            Price::Suffer { life, damage } => state.left(life) >= damage,
        });
        let holds = effect.needs.iter().all(|need| match *need {
            Need::Stock { resource, at_least } => state.left(resource) >= at_least,
            Need::NoStock { resource } => state.left(resource) == 0,
            Need::Results {
                dice,
                faces,
                at_least,
                at_most,
            } => (at_least..=at_most).contains(&state.pool(dice).count_of(faces)),
            Need::Dice { dice, at_most } => i16::from(state.dice[dice as usize]) <= i16::from(at_most),
            Need::Used { group, used } => state.is_used(group) == used,
        });
        if !paid || !holds || (window.is_modify_step() && self.is_forbidden(state, effect)) {
            return false;
        }
        self.is_spent_freely(effect) || effect.does.iter().any(|change| touches(state, effect.side, *change))
    }

    /// FE-6.6, FE-6.13: whether an effect is a focus token or a lock, which may be spent for nothing.
    fn is_spent_freely(&self, effect: &Effect) -> bool {
        let [Price::Spend { resource, .. }] = effect.price[..] else {
            return false;
        };
        let kind = self.resources.get(usize::from(resource)).map(|resource| resource.kind);
        self.rules.spends_freely()
            && effect.repeats
            && matches!(kind, Some(ResourceKind::Focus | ResourceKind::Lock))
            && matches!(effect.does[..], [Change::Reroll { .. } | Change::Turn { .. }])
    }

    /// Whether a step spends a token and touches no die, as only players do.
    pub(super) fn is_idle(&self, state: &State, step: Step) -> bool {
        let effect = step.effect.and_then(|place| self.effects.get(usize::from(place)));
        state.effect == IDLE && step.pick == [0; 5] && effect.is_some_and(|effect| self.is_spent_freely(effect))
    }

    fn is_forbidden(&self, state: &State, effect: &Effect) -> bool {
        if state.bans == 0 {
            return false;
        }
        let spends = |ask: &dyn Fn(ResourceKind) -> bool| {
            effect.price.iter().any(|price| match *price {
                Price::Spend { resource, .. } => self
                    .resources
                    .get(usize::from(resource))
                    .is_some_and(|resource| ask(resource.kind)),
                Price::Suffer { .. } => false,
            })
        };
        [Dice::Attack, Dice::Defence].into_iter().any(|dice| {
            let banned = |ban| state.is_banned(effect.side, dice, ban);
            let rerolls = || {
                let touched = |change: &Change| {
                    matches!(change, Change::Reroll { dice: other, .. } | Change::RollAgain { dice: other }
                        if *other == dice)
                };
                effect.does.iter().any(touched)
            };
            effect.modifies(dice)
                && (banned(Ban::Modify)
                    || (banned(Ban::Reroll) && rerolls())
                    || (banned(Ban::Green) && spends(&ResourceKind::is_green))
                    || (banned(Ban::Focus) && spends(&|kind| kind == ResourceKind::Focus))
                    || (banned(Ban::Calculate) && spends(&|kind| kind == ResourceKind::Calculate))
                    || (banned(Ban::Evade) && spends(&|kind| kind == ResourceKind::Evade))
                    || (banned(Ban::Lock) && spends(&|kind| kind == ResourceKind::Lock))
                    || (banned(Ban::ButForce) && !spends(&|kind| kind == ResourceKind::Force)))
        })
    }

    /// Whether a step is among those that the side may take now.
    pub fn allows(&self, state: &State, step: Step) -> bool {
        self.steps(state).contains(&step)
    }

    /// Takes a step that is allowed. The attack then waits for dice, for the next step, or is over.
    pub fn take(&self, mut state: State, step: Step) -> State {
        self.pay_and_do(&mut state, step);
        state
    }

    pub(super) fn pay_and_do(&self, state: &mut State, step: Step) -> Toll {
        let mut toll = Toll::default();
        let Some(place) = step.effect else {
            state.stage += 1;
            self.go_on(state);
            return toll;
        };
        let Some(effect) = self.effects.get(usize::from(place)) else {
            return toll;
        };
        if state.effect == IDLE {
            state.effect = place;
            state.part = 0;
            if !effect.repeats {
                state.used |= 1 << (effect.group & 63);
            }
            for price in &effect.price {
                match *price {
                    Price::Spend { resource, count } => {
                        state.spend(resource, count);
                        let Some(resource) = self.resources.get(usize::from(resource)) else {
                            continue;
                        };
                        if resource.kind != ResourceKind::Mark {
                            toll.spent += count;
                            toll.rank += count * resource.rank;
                        }
                    }
                    Price::Suffer { life, damage } => {
                        state.spend(life, damage);
                        toll.net += damage as i8 * sign(effect.side);
                        toll.harm[effect.side as usize] += damage;
                    }
                }
            }
        }
        self.change(state, step.pick, &mut toll);
        toll
    }

    /// Carries the next change of the effect under way out, and all that follow in which nothing is to be picked.
    fn change(&self, state: &mut State, pick: [u8; 5], toll: &mut Toll) {
        let Some(&change) = self.change_under_way(state) else {
            return self.finish(state);
        };
        let picked = || Face::ALL.into_iter().zip(pick).filter(|(_, count)| *count > 0);
        let side = self.effects.get(usize::from(state.effect)).map(|effect| effect.side);
        if let Change::Reroll { dice, .. } | Change::Turn { dice, .. } = change
            && side.is_some_and(|side| side.dice() == dice)
        {
            state.use_cap(dice, Capped::Focuses, pick[Face::Focus as usize]);
            if matches!(change, Change::Reroll { .. }) {
                state.use_cap(dice, Capped::Rerolls, pick.iter().sum());
            }
        }
        let attacker = side == Some(Side::Attacker);
        if attacker && matches!(self.stage(state), Stage::Turn(Window::AttackModify, _)) {
            let picked = pick.iter().any(|count| *count > 0);
            state.modified |= match change {
                Change::Reroll { dice, .. } | Change::Turn { dice, .. } => dice == Dice::Attack && picked,
                Change::RollAgain { dice } | Change::Add { dice, .. } => dice == Dice::Attack,
                _ => false,
            };
        }
        match change {
            Change::Count { dice, by } => {
                let count = &mut state.dice[dice as usize];
                *count = count.saturating_add(by);
            }
            Change::Limit { dice, min, max } => {
                let [least, most] = &mut state.bounds[dice as usize];
                *least = (*least).max(min);
                *most = (*most).min(max);
            }
            Change::LimitToResults => state.to_results = true,
            Change::Cap { dice, what, most } => {
                let cap = &mut state.caps[dice as usize][what as usize];
                *cap = (*cap).min(most);
            }
            Change::Prize { side, hundredths } => {
                toll.prize += i16::try_from(hundredths).unwrap_or(i16::MAX) * i16::from(sign(side.other()));
            }
            Change::RollAgain { dice } => {
                for face in Face::ALL {
                    for rerolled in [false, true] {
                        state.rolling += state.pool_mut(dice).take(face, rerolled, u8::MAX);
                    }
                }
                if state.rolling > 0 {
                    return;
                }
            }
            Change::Reroll { dice, .. } => {
                for (face, count) in picked() {
                    state.rolling += state.pool_mut(dice).take(face, false, count);
                }
                if state.rolling > 0 {
                    // The effect goes on when the dice have come to rest.
                    return;
                }
            }
            Change::Turn { dice, to, .. } => {
                for (face, count) in picked() {
                    let (rerolled, once) = state.pool_mut(dice).take_any(face, count);
                    state.pool_mut(dice).add(to, true, rerolled);
                    state.pool_mut(dice).add(to, false, once);
                }
            }
            Change::Cancel { dice, .. } => {
                for (face, count) in picked() {
                    state.pool_mut(dice).take_any(face, count);
                }
            }
            Change::Add { dice, face, count } => {
                let room = MAX_DICE.saturating_sub(state.pool(dice).total());
                state
                    .pool_mut(dice)
                    .add(face, !self.rules.rerolls_added(), count.min(room));
            }
            Change::Guess { .. } => state.guess = pick[0] + 1,
            Change::Forbid { side, dice, ban } => state.bans |= ban_bit(side, dice, ban),
            Change::Order(order) => state.order = order,
            Change::Stock { resource, by } => {
                let left = i16::from(state.left(resource)) + i16::from(by);
                let left = u128::from(u8::try_from(left.max(0)).unwrap_or(0)).min(MASK);
                let shift = u32::from(resource) * BITS;
                state.stock = state.stock & !(MASK << shift) | left << shift;
            }
            Change::Strike { hits, crits } => {
                state.attack = Pool::default();
                state.attack.add(Face::Hit, true, hits);
                state.attack.add(Face::Crit, true, crits);
                state.defence = Pool::default();
                state.dice = [0; 2];
                let after = |stage: &Stage| matches!(stage, Stage::Damage);
                state.effect = IDLE;
                state.stage = self.stages.iter().position(after).unwrap_or(self.stages.len()) as u8;
                return self.go_on(state);
            }
            Change::Wound { side, hits, crits } => {
                toll.net += (hits + crits) as i8 * sign(side);
                if self
                    .effects
                    .get(usize::from(state.effect))
                    .is_some_and(|effect| effect.side == side)
                {
                    toll.harm[side as usize] += hits + crits;
                }
                if side == Side::Defender {
                    toll.crits += crits as i8;
                }
            }
        }
        state.part += 1;
        self.next_change(state, toll);
    }

    /// Goes on with an effect as far as nothing is to be picked.
    fn next_change(&self, state: &mut State, toll: &mut Toll) {
        match self.change_under_way(state) {
            None => self.finish(state),
            Some(change) if is_picked(*change) => {}
            Some(_) => self.change(state, [0; 5], toll),
        }
    }

    fn finish(&self, state: &mut State) {
        state.effect = IDLE;
        state.part = 0;
        self.go_on(state);
    }

    /// Puts dice that have been rolled into the pool, and goes on.
    pub fn rolled(&self, mut state: State, faces: impl IntoIterator<Item = Face>) -> State {
        let dice = self.rolling(&state);
        let rerolled = self.counts_as_rerolling(&state);
        for face in faces {
            state.pool_mut(dice).add(face, rerolled, 1);
        }
        self.come_to_rest(&mut state);
        state
    }

    /// Goes on after dice have been put into the pool.
    pub(super) fn come_to_rest(&self, state: &mut State) -> Toll {
        let mut toll = Toll::default();
        state.rolling = 0;
        match self.stage(state) {
            Stage::Roll(dice) => {
                state.dice[dice as usize] = 0;
                if dice == Dice::Defence && state.guess > 0 {
                    if state.defence.count(Face::Evade) + 1 == state.guess {
                        state.defence.add(Face::Evade, !self.rules.rerolls_added(), 1);
                    }
                    state.guess = 0;
                }
                state.stage += 1;
                self.go_on(state);
            }
            _ => {
                state.part += 1;
                self.next_change(state, &mut toll);
            }
        }
        toll
    }

    /// Goes on where a turn has become idle.
    pub(super) fn settle(&self, state: &mut State) {
        if state.rolling == 0 {
            self.go_on(state);
        }
    }

    /// Goes on to the next stage at which anything is to be done.
    fn go_on(&self, state: &mut State) {
        loop {
            match self.stage(state) {
                Stage::Turn(window, side) => {
                    // A turn in which nothing can be done is no turn.
                    let usable = |effect: &Effect| {
                        effect.side == side && effect.windows.has(window) && self.may_use(state, window, effect)
                    };
                    if state.effect != IDLE || self.effects.iter().any(usable) {
                        return;
                    }
                }
                Stage::Roll(dice) => {
                    let [least, most] = std::mem::replace(&mut state.bounds[dice as usize], UNBOUND);
                    let results = state.attack.count_of(FaceSet::SUCCESS);
                    let results = (dice == Dice::Defence && std::mem::take(&mut state.to_results)).then_some(results);
                    let most = most.min(results.unwrap_or(u8::MAX));
                    // What may not be exceeded comes before what may not be missed.
                    let count = u8::try_from(state.dice[dice as usize]).unwrap_or(0);
                    state.rolling = count.max(least).min(most).min(MAX_DICE);
                    if state.rolling > 0 {
                        return;
                    }
                    state.dice[dice as usize] = 0;
                    if dice == Dice::Defence {
                        state.guess = 0;
                    }
                }
                Stage::Cancel => {
                    let left = self.left_after_neutralizing(state);
                    state.neutralized = left.hits + left.crits < state.attack.count_of(FaceSet::SUCCESS);
                    state.attack = Pool::default();
                    state.attack.add(Face::Hit, true, left.hits);
                    state.attack.add(Face::Crit, true, left.crits);
                    state.defence = Pool::default();
                    state.order = CancelOrder::default();
                }
                Stage::Damage => {
                    let damage = self.rule.damage(uncancelled(state.attack));
                    state.attack = Pool::default();
                    state.attack.add(Face::Hit, true, damage.hits);
                    state.attack.add(Face::Crit, true, damage.crits);
                }
                Stage::Over => return,
            }
            state.stage += 1;
        }
    }

    fn left_after_neutralizing(&self, state: &State) -> Uncancelled {
        let attack = uncancelled(state.attack);
        super::super::neutralize::neutralize_by(
            self.rules,
            state.order,
            attack,
            state.defence.count(Face::Evade),
            self.reinforce,
        )
    }
}

/// Damage counts for the attacker when the defender's side suffers it.
const fn sign(side: Side) -> i8 {
    match side {
        Side::Attacker => -1,
        Side::Defender => 1,
    }
}

fn uncancelled(attack: Pool) -> Uncancelled {
    Uncancelled {
        hits: attack.count(Face::Hit),
        crits: attack.count(Face::Crit),
    }
}
