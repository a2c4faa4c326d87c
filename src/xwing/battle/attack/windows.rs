//! An attack that cards touch, window after window: what must happen happens, what may happen is asked.

use std::{fmt, sync::Arc};

use serde::{Deserialize, Serialize};

use super::{
    super::{
        Battle, Event, Refused, Request,
        conditions::{AttackScene, Chosen, Scene},
        occasion::{Happening, Occasion},
        queue::{tokens::count_of, words},
    },
    damage::as_damage,
    gather::{CardUse, Contested, Held, Suffering},
};
use crate::{
    dice::{AttackFace, DefenceFace, DiceSource},
    xwing::{
        combat::{
            AttackDice, AttackStep, DefenceDice, Means, Spending,
            contest::{
                Capped, Change, Dice, Face, Point, Pool, Price, Resource, ResourceKind, Side, State, Step, Window,
            },
        },
        damage_deck::Damage,
        effects::{
            Amount, Primitive, Selector, TokenWord, Window as CardWindow, effect::Policy,
            primitive::Resource as Recovered,
        },
        ship::Tokens,
    },
};

/// Where a contested attack stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Windows {
    /// The cards, and the attack as they make it.
    pub cards: Arc<Contested>,
    /// Where it stands.
    pub state: State,
    /// The place among the events of the effect that is under way.
    recorded: Option<usize>,
    /// Whether the attack dice have been rolled, or never will be.
    rolled: bool,
    /// A turn that its side has ended; only what must happen still does.
    ending: Option<(Window, Side)>,
    /// Steps that are still to be taken of an answer that named several.
    ahead: Vec<Step>,
}

impl Windows {
    pub(super) fn new(cards: Arc<Contested>) -> Self {
        let state = cards.contest.start();
        Windows {
            cards,
            state,
            recorded: None,
            rolled: false,
            ending: None,
            ahead: Vec::new(),
        }
    }

    /// The side whose turn it is, with the window and all that it may do.
    pub fn turn(&self) -> Option<(Window, Side, Vec<Step>)> {
        match self.cards.contest.point(&self.state) {
            Point::Decide { window, side, steps } => Some((window, side, steps)),
            _ => None,
        }
    }

    /// The choice of whoever has no opinion: the end of the turn where that is allowed, else what must be done.
    pub fn idle(&self) -> Option<DiceChoice> {
        let (_, _, steps) = self.turn()?;
        let done = steps.iter().find(|step| step.effect.is_none()).or(steps.first())?;
        Some(DiceChoice {
            step: *done,
            weighed: None,
        })
    }

    /// A step in words, as in `pilot:howlrunner: reroll 1 blank`, `spend focus: turn 2 focus results to hit`.
    pub fn words(&self, step: Step) -> String {
        let Some(place) = step.effect else {
            return "nothing more".to_owned();
        };
        let contest = &self.cards.contest;
        let name = match self.cards.card_of(step.effect) {
            Some(used) => used.id.clone(),
            None => {
                let spent = contest
                    .effects()
                    .get(usize::from(place))
                    .and_then(|effect| effect.price.first());
                format!(
                    "spend {}",
                    spent.map_or("a token", |price| means_of(contest.resources(), *price))
                )
            }
        };
        let part = contest.part(&self.state, step);
        match (part, self.cards.card_of(step.effect)) {
            (Some(Change::Prize { .. }), Some(used)) => format!("{name}: {}", words::steps(&used.aside)),
            (Some(Change::Stock { resource, by }), _) => format!("{name}: {}", self.stock_words(resource, by)),
            (Some(change), _) => format!("{name}: {}", words_of(change, step.pick)),
            (None, _) => name,
        }
    }
}

impl Windows {
    /// A resource that grows or shrinks, in words; a mark by what it means.
    fn stock_words(&self, resource: u8, by: i8) -> String {
        let holding = self.cards.holdings.get(usize::from(resource));
        if let Some(Held::Mark(mark)) = holding.map(|holding| holding.held) {
            return match self.cards.named.get(mark).copied().flatten() {
                Some(face) => format!("name {}", face.name()),
                None => "the other side has to answer".to_owned(),
            };
        }
        let count = 1;
        let what = means_of(self.cards.contest.resources(), Price::Spend { resource, count });
        let more = if by > 0 { "more" } else { "fewer" };
        format!("{} {more} of {what}", by.unsigned_abs())
    }
}

fn means_of(resources: &[Resource], price: Price) -> &'static str {
    let place = match price {
        Price::Spend { resource, .. } => resource,
        Price::Suffer { life, .. } => life,
    };
    match resources.get(usize::from(place)).map(|resource| resource.kind) {
        Some(ResourceKind::Focus) => "focus",
        Some(ResourceKind::Evade) => "evade",
        Some(ResourceKind::Calculate) => "calculate",
        Some(ResourceKind::Reinforce) => "reinforce",
        Some(ResourceKind::Lock) => "the lock",
        Some(ResourceKind::Force) => "Force",
        Some(ResourceKind::Charge) => "a charge",
        Some(ResourceKind::Life) => "hull or shields",
        Some(ResourceKind::Token | ResourceKind::Mark) | None => "a token",
    }
}

fn dice_words(pick: [u8; 5]) -> String {
    let parts = Face::ALL.into_iter().zip(pick).filter(|(_, count)| *count > 0);
    let parts: Vec<String> = parts
        .map(|(face, count)| format!("{count} {}{}", face.name(), if count == 1 { "" } else { "s" }))
        .collect();
    if parts.is_empty() {
        "no die".to_owned()
    } else {
        parts.join(" and ")
    }
}

fn words_of(change: Change, pick: [u8; 5]) -> String {
    let whose = |dice: Dice| match dice {
        Dice::Attack => "attack",
        Dice::Defence => "defence",
    };
    match change {
        Change::Count { dice, by } => format!("{by:+} {} dice", whose(dice)),
        Change::Limit { dice, min, max } => format!("{min} to {max} {} dice", whose(dice)),
        Change::LimitToResults => "no more defence dice than hits and crits".to_owned(),
        Change::RollAgain { dice } => format!("roll all {} dice again", whose(dice)),
        Change::Cap { dice, what, most } => {
            let what = match what {
                Capped::Rerolls => "rerolled",
                Capped::Focuses => "focus results modified",
            };
            format!("at most {most} {} dice {what}", whose(dice))
        }
        Change::Prize { .. } => "what it does beside the dice".to_owned(),
        Change::Reroll { .. } => format!("reroll {}", dice_words(pick)),
        Change::Turn { to, .. } => format!("turn {} to {}", dice_words(pick), to.name()),
        Change::Add { face, count, .. } => format!("add {count} {}", face.name()),
        Change::Cancel { .. } => format!("cancel {}", dice_words(pick)),
        Change::Guess { .. } => format!("guess {} evades", pick[0]),
        Change::Forbid { dice, .. } => format!("limit what may be done with {} dice", whose(dice)),
        Change::Order(_) => "change what evades cancel".to_owned(),
        Change::Stock { by, .. } => format!("{by:+} of a resource"),
        Change::Strike { .. } => "the attack hits".to_owned(),
        Change::Wound { hits, crits, .. } => format!("{} damage", hits + crits),
    }
}

/// One step of a side in a contested attack, as it is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DiceChoice {
    /// The step: one of [`Windows::turn`].
    pub step: Step,
    /// What was expected with the effect and without it, where the side reckoned it out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weighed: Option<[f64; 2]>,
}

impl fmt::Display for DiceChoice {
    /// As in `nothing more with the dice`, `effect 1 on 1 blank`. [`Windows::words`] tells more.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.step.effect {
            None => f.write_str("nothing more with the dice"),
            Some(place) => write!(f, "effect {} on {}", place + 1, dice_words(self.step.pick)),
        }
    }
}

/// What an answer of tokens alone spends, in the order in which it is spent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Spent {
    /// The dice that the lock rerolls, in the order of [`Face::ALL`]; the turn goes on then.
    reroll: Option<[u8; 5]>,
    spending: Spending,
}

impl Spent {
    /// All of these, then the turn is over.
    pub fn all(spending: Spending) -> Self {
        Spent { reroll: None, spending }
    }
}

/// A step of the attacker as what it spends.
pub(super) fn attack_spending(step: AttackStep) -> Spent {
    match step {
        AttackStep::Reroll {
            focuses,
            blanks,
            hits,
            crits,
            ..
        } => Spent {
            reroll: Some([crits, hits, 0, focuses, blanks]),
            spending: Spending::default(),
        },
        AttackStep::Finish { spending, .. } => Spent::all(spending),
    }
}

impl Battle {
    /// Goes on with the attack under way, up to a choice; `None` when it is over.
    pub(in crate::xwing::battle) fn duel_goes_on(&mut self, dice: &mut dyn DiceSource) -> Option<Request> {
        if let Some(request) = self.ask_for_protect() {
            return Some(request);
        }
        loop {
            let Some(duel) = self.duel.as_ref() else {
                return self.ask_for_bonus();
            };
            let Some(windows) = &duel.windows else {
                return Some(duel.request());
            };
            match windows.cards.contest.point(&windows.state) {
                Point::Roll { dice: kind, count } => self.roll_in_windows(kind, count, dice),
                Point::Over(left) => {
                    if !windows.rolled {
                        self.attack_dice_fall(Vec::new());
                    }
                    self.compare_results(as_damage(left), dice);
                    // What follows at once comes before a bonus attack.
                    return None;
                }
                Point::Decide { window, side, steps } => match by_itself(windows, window, side, &steps) {
                    Some(step) => self.take_step(DiceChoice { step, weighed: None }, dice),
                    None => {
                        let ship = match side {
                            Side::Attacker => duel.attacker.clone(),
                            Side::Defender => duel.defender.clone(),
                        };
                        return Some(match (window, side) {
                            (Window::AttackModify, Side::Attacker) => Request::ModifyAttack { ship },
                            (Window::DefenceModify, Side::Defender) => Request::ModifyDefence { ship },
                            _ => Request::Dice { ship, window },
                        });
                    }
                },
            }
        }
    }

    /// How the opponent decides about an effect where its card says so.
    pub fn effect_policy(&self, used: &CardUse) -> Option<Policy> {
        let ship = self.index(&used.owner)?;
        self.fighters[ship].cards.effect(used.at)?.effect.policy
    }

    /// A side takes one step in a contested attack.
    pub(in crate::xwing::battle) fn answer_dice(
        &mut self,
        choice: DiceChoice,
        dice: &mut dyn DiceSource,
    ) -> Result<(), Refused> {
        let duel = self.duel.as_ref().ok_or(Refused::NotAsked)?;
        let windows = duel.windows.as_ref().ok_or(Refused::NotAsked)?;
        let (_, side, steps) = windows.turn().ok_or(Refused::NotAsked)?;
        if !steps.contains(&choice.step) {
            let ship = match side {
                Side::Attacker => duel.attacker.clone(),
                Side::Defender => duel.defender.clone(),
            };
            return Err(Refused::Spending { ship });
        }
        self.take_step(choice, dice);
        Ok(())
    }

    /// Spends tokens alone in a contested attack: cards are not used, but for what must happen.
    pub(super) fn spend_in_windows(&mut self, side: Side, spent: &Spent) -> Result<(), Refused> {
        let duel = self.duel.as_mut().ok_or(Refused::NotAsked)?;
        let ship = match side {
            Side::Attacker => duel.attacker.clone(),
            Side::Defender => duel.defender.clone(),
        };
        let refused = Refused::Spending { ship };
        let windows = duel.windows.as_mut().ok_or(Refused::NotAsked)?;
        let (window, turn, _) = windows.turn().ok_or(Refused::NotAsked)?;
        let modifies = matches!(window, Window::AttackModify | Window::DefenceModify);
        if turn != side || !modifies {
            return Err(Refused::NotAsked);
        }
        let contest = &windows.cards.contest;
        // The effects of tokens follow those of cards, in the order in which contests list them.
        let place = |means: Means| {
            let own = match (side, means) {
                (Side::Attacker, Means::Lock) => 0,
                (Side::Attacker, Means::Focus) => 1,
                (Side::Attacker, Means::Calculate) => 2,
                (Side::Attacker, Means::Force) => 3,
                (Side::Defender, Means::Focus) => 4,
                (Side::Defender, Means::Calculate) => 5,
                (Side::Defender, Means::Force) => 6,
                (Side::Defender, Means::Evade) => 7,
                _ => return None,
            };
            u8::try_from(windows.cards.uses.len() + own).ok()
        };
        if let Some(pick) = spent.reroll {
            let step = Step {
                effect: place(Means::Lock),
                pick,
            };
            if step.effect.is_none() || !contest.allows(&windows.state, step) {
                return Err(refused);
            }
            windows.ahead = vec![step];
            return Ok(());
        }
        let (mut state, mut ahead) = (windows.state, Vec::new());
        for (means, count) in spent.spending.each() {
            for _ in 0..count {
                let step = contest
                    .steps(&state)
                    .into_iter()
                    .filter(|step| step.effect.is_some() && step.effect == place(means))
                    // A blank rather than a focus result.
                    .max_by_key(|step| step.pick[Face::Blank as usize])
                    .ok_or_else(|| refused.clone())?;
                state = contest.take(state, step);
                ahead.push(step);
            }
        }
        ahead.reverse();
        windows.ahead = ahead;
        windows.ending = Some((window, side));
        Ok(())
    }

    fn take_step(&mut self, choice: DiceChoice, dice: &mut dyn DiceSource) {
        let Some(duel) = &mut self.duel else { return };
        let Some(windows) = &mut duel.windows else { return };
        let (cards, before, step) = (Arc::clone(&windows.cards), windows.state, choice.step);
        let after = cards.contest.take(before, step);
        windows.state = after;
        windows.ahead.retain(|ahead| *ahead != step || before != after);
        if windows.ahead.last() == Some(&step) {
            windows.ahead.pop();
        }
        duel.sync();
        let Some(place) = step.effect else {
            return;
        };
        let begins = before.under_way() != Some(place);
        self.record_step(&cards, &before, choice, begins);
        self.settle_stock(&cards, &before, &after, step.effect);
        if !begins {
            return;
        }
        let Some(used) = cards.card_of(step.effect) else {
            return;
        };
        for (ship, tokens) in &used.gains {
            self.add_tokens(*ship, tokens);
        }
        if let Some((ship, suffering)) = used.suffers {
            let Suffering { hits, crits, matching } = suffering;
            let crit = step.pick[Face::Crit as usize] > 0;
            let damage = Damage {
                hits: hits + if crit { 0 } else { matching },
                crits: crits + if crit { matching } else { 0 },
            };
            self.suffer(ship, damage, dice);
        }
        for primitive in &used.aside {
            self.happens_aside(used.ship, &used.chosen, primitive, used.paid, dice);
        }
    }

    /// Takes over what was spent and gained of resources.
    fn settle_stock(&mut self, cards: &Contested, before: &State, after: &State, used: Option<u8>) {
        // What an effect takes away is not spent.
        let effect = after.under_way().or(before.under_way()).or(used);
        let effect = effect.and_then(|place| cards.contest.effects().get(usize::from(place)));
        let paid = |place: u8| {
            let mut prices = effect.iter().flat_map(|effect| &effect.price);
            prices.any(|price| matches!(price, Price::Spend { resource, .. } if *resource == place))
        };
        for (place, holding) in (0_u8..).zip(&cards.holdings) {
            let change = i64::from(after.left(place)) - i64::from(before.left(place));
            if change == 0 {
                continue;
            }
            let count = change.unsigned_abs() as u32;
            match holding.held {
                Held::Token(word) => {
                    if change < 0 && paid(place) {
                        self.note_spent(holding.ship, word, count as u8);
                    }
                    self.gain(holding.ship, word, change);
                }
                Held::Lock => {
                    let Some(duel) = &self.duel else { continue };
                    let attacker = self.index(&duel.attacker);
                    let enemy = attacker.is_some_and(|attacker| {
                        self.table.ships[holding.ship].is_enemy_of(&self.table.ships[attacker])
                    });
                    let other = if enemy { &duel.attacker } else { &duel.defender }.clone();
                    match (change > 0, self.index(&other)) {
                        (true, Some(other)) => self.acquire_lock(holding.ship, other),
                        _ => self.table.ships[holding.ship].locks.retain(|lock| *lock != other),
                    }
                }
                Held::Force => {
                    let force = &mut self.table.ships[holding.ship].tokens.force;
                    *force = u32::try_from(i64::from(*force) + change).unwrap_or(0);
                    self.record_tokens(holding.ship);
                }
                Held::Charge(card) if change < 0 => self.spend_charge(holding.ship, card, count),
                Held::Charge(card) => {
                    self.fighters[holding.ship].cards.recover(card, count);
                }
                Held::Shield => {
                    let shields = &mut self.fighters[holding.ship].integrity.shields;
                    *shields = shields.saturating_sub(count as u8);
                    self.record_shields(holding.ship);
                }
                // Damage is suffered when the effect is used; marks are of the attack alone.
                Held::Life | Held::Mark(_) => {}
            }
        }
    }

    fn note_spent(&mut self, ship: usize, word: TokenWord, count: u8) {
        let Some(duel) = &mut self.duel else { return };
        let id = &self.table.ships[ship].id;
        if *id == duel.attacker {
            duel.course.spent(Side::Attacker, word, count);
        } else if *id == duel.defender {
            duel.course.spent(Side::Defender, word, count);
        }
    }

    pub(super) fn spend_charge(&mut self, ship: usize, card: usize, count: u32) {
        if self.fighters[ship].cards.spend(card, count) {
            return;
        }
        let Some(id) = self.fighters[ship].cards.get(card).map(|card| card.id.xws.clone()) else {
            return;
        };
        let weapons = &mut self.table.ships[ship].weapons;
        let charges = (weapons.iter_mut())
            .filter(|weapon| weapon.id == id)
            .find_map(|weapon| weapon.special.as_mut()?.charges.as_mut());
        if let Some(charges) = charges {
            charges.left = charges.left.saturating_sub(count);
        }
    }

    /// A ship gains tokens of a kind, or loses them.
    pub(super) fn gain(&mut self, ship: usize, word: TokenWord, change: i64) {
        let Some(count) = count_of(&mut self.table.ships[ship].tokens, word) else {
            return;
        };
        *count = u32::try_from((i64::from(*count) + change).max(0)).unwrap_or(0);
        self.settle_jam(ship);
        self.record_tokens(ship);
    }

    pub(super) fn add_tokens(&mut self, ship: usize, more: &Tokens) {
        for (word, count) in [
            (TokenWord::Stress, more.stress),
            (TokenWord::Strain, more.strain),
            (TokenWord::Deplete, more.deplete),
            (TokenWord::Disarm, more.disarm),
            (TokenWord::Ion, more.ion),
            (TokenWord::Tractor, more.tractor),
        ] {
            if count > 0 {
                self.gain(ship, word, i64::from(count));
            }
        }
    }

    /// The ships that a selector of an effect means in the attack under way.
    fn selected_in_attack(&self, own: usize, chosen: &Chosen, selector: &Selector) -> Vec<usize> {
        let Some(duel) = &self.duel else { return Vec::new() };
        let (Some(attacker), Some(defender)) = (self.index(&duel.attacker), self.index(&duel.defender)) else {
            return Vec::new();
        };
        let enemy = self.table.ships[own].is_enemy_of(&self.table.ships[attacker]);
        let (subject, other) = if enemy {
            (defender, attacker)
        } else {
            (attacker, defender)
        };
        let occasion = Occasion {
            id: 0,
            window: CardWindow::AttackModify,
            subject: Some(subject),
            other: Some(other),
            what: Happening::Moment,
        };
        let scene = Scene {
            table: &self.table,
            fighters: &self.fighters,
            own,
            card: None,
            occasion: &occasion,
            subject: Some(subject),
            of_friends: false,
            attack: Some(AttackScene {
                attacker,
                defender,
                weapon: duel.weapon,
                range: duel.target.range,
                arc: duel.target.arc,
                obstructing: &[],
            }),
            chosen,
            each: None,
            imagined: &[],
        };
        scene.select(selector).unwrap_or_default()
    }

    /// What an effect does beside the dice.
    fn happens_aside(
        &mut self,
        own: usize,
        chosen: &Chosen,
        primitive: &Primitive,
        paid: Option<u8>,
        dice: &mut dyn DiceSource,
    ) {
        let who = |battle: &Battle, selector| battle.selected_in_attack(own, chosen, selector);
        match primitive {
            Primitive::DealDamage(dealt) => {
                for ship in who(self, &dealt.who) {
                    if dealt.facedown > 0 {
                        self.deal_facedown(ship, dealt.facedown, dice);
                    }
                    let damage = Damage {
                        hits: dealt.hit,
                        crits: dealt.crit,
                    };
                    if damage != Damage::default() {
                        self.suffer(ship, damage, dice);
                    }
                }
            }
            Primitive::GainToken(gained) => {
                for ship in who(self, &gained.who) {
                    let count = match gained.n {
                        Amount::Matching => paid,
                        ref amount => amount.at_most(),
                    };
                    if let (Some(word), Some(count)) = (gained.token.iter().next(), count) {
                        self.gain(ship, *word, i64::from(count));
                    }
                }
            }
            Primitive::AcquireLock(lock) => {
                let on = who(self, &lock.on);
                for ship in who(self, &lock.who) {
                    on.iter().for_each(|&on| self.acquire_lock(ship, on));
                }
            }
            Primitive::Expose(exposed) => {
                for ship in who(self, &exposed.who) {
                    self.expose(ship, exposed.n.at_most().map_or(1, u32::from), dice);
                }
            }
            Primitive::Lose(lost) if lost.what == Recovered::Shield => {
                for ship in who(self, &lost.who) {
                    (0..lost.n.at_most().unwrap_or(1)).for_each(|_| self.lose_shield(ship));
                }
            }
            Primitive::Recover(recovered) if recovered.what == Recovered::Shield => {
                for ship in who(self, &recovered.who) {
                    self.recover_shields(ship, recovered.n.at_most().map_or(1, u32::from));
                }
            }
            Primitive::RotateArc(rotate) => {
                let to = rotate.to.as_ref().map(|to| who(self, to)).unwrap_or_default();
                if let ([ship], [to]) = (who(self, &rotate.who).as_slice(), to.as_slice())
                    && let Some(arcs) = self.turn_towards(*ship, *to)
                {
                    self.turn_turret(*ship, arcs);
                }
            }
            Primitive::RemoveToken(removed) => {
                for ship in who(self, &removed.who) {
                    if let (Some(word), Some(count)) = (removed.token.iter().next(), removed.n.at_most()) {
                        self.gain(ship, *word, -i64::from(count));
                    }
                }
            }
            _ => {}
        }
    }

    fn record_step(&mut self, cards: &Contested, before: &State, choice: DiceChoice, begins: bool) {
        let step = choice.step;
        let Some(duel) = &mut self.duel else { return };
        let Some(windows) = &mut duel.windows else { return };
        let side = cards.contest.turn(before).map(|(_, side)| side);
        let Some(used) = cards.card_of(step.effect) else {
            let spending = cards.contest.spending(step);
            match side {
                Some(Side::Attacker) => {
                    let picked = step.pick;
                    let step = match spending.lock {
                        0 => AttackStep::Finish {
                            spending,
                            changed: picked.iter().sum(),
                        },
                        _ => AttackStep::Reroll {
                            means: Means::Lock,
                            focuses: picked[Face::Focus as usize],
                            blanks: picked[Face::Blank as usize],
                            hits: picked[Face::Hit as usize],
                            crits: picked[Face::Crit as usize],
                        },
                    };
                    windows.recorded = Some(self.events.len());
                    self.events.push(Event::AttackModified {
                        attacker: duel.attacker.clone(),
                        step,
                        rerolled: Vec::new(),
                    });
                }
                _ => duel.spent = duel.spent.plus(spending),
            }
            return;
        };
        let touched = Face::ALL.into_iter().zip(step.pick);
        let guess = matches!(cards.contest.part(before, step), Some(Change::Guess { .. }));
        let touched: Vec<Face> = touched
            .filter(|_| !guess)
            .flat_map(|(face, count)| std::iter::repeat_n(face, usize::from(count)))
            .collect();
        if !begins
            && let Some(Event::EffectUsed { touched: all, .. }) =
                windows.recorded.and_then(|place| self.events.get_mut(place))
        {
            all.extend(touched);
            return;
        }
        let added = cards.contest.effects().get(usize::from(step.effect.unwrap_or(0)));
        let added = added.map_or(0, |effect| {
            let counts = effect.does.iter().map(|change| match change {
                Change::Add { count, .. } => *count,
                Change::Guess { .. } => 1,
                _ => 0,
            });
            counts.sum()
        });
        windows.recorded = Some(self.events.len());
        self.events.push(Event::EffectUsed {
            ship: used.owner.clone(),
            card: used.id.clone(),
            effect: used.at.effect,
            window: used.window,
            touched,
            rolled: Vec::new(),
            added,
            weighed: choice.weighed,
        });
    }

    fn roll_in_windows(&mut self, kind: Dice, count: u8, dice: &mut dyn DiceSource) {
        let attack: Vec<AttackFace> = match kind {
            Dice::Attack => (0..count).map(|_| dice.attack()).collect(),
            Dice::Defence => Vec::new(),
        };
        let defence: Vec<DefenceFace> = match kind {
            Dice::Attack => Vec::new(),
            Dice::Defence => (0..count).map(|_| dice.defence()).collect(),
        };
        let faces = attack.iter().map(|&face| Face::from(face));
        let faces: Vec<Face> = faces.chain(defence.iter().map(|&face| Face::from(face))).collect();
        let Some(duel) = &mut self.duel else { return };
        let Some(windows) = &mut duel.windows else { return };
        let cards = Arc::clone(&windows.cards);
        let before = windows.state;
        let first = before.under_way().is_none();
        let after = cards.contest.rolled(before, faces.iter().copied());
        windows.state = after;
        let recorded = windows.recorded;
        if !first {
            match recorded.and_then(|place| self.events.get_mut(place)) {
                Some(Event::EffectUsed { rolled, .. }) => rolled.extend(faces),
                Some(Event::AttackModified { rerolled, .. }) => rerolled.extend(attack),
                _ => {}
            }
        } else if kind == Dice::Attack {
            windows.rolled = true;
            self.attack_dice_fall(attack);
        } else {
            let defender = duel.defender.clone();
            duel.course.defence_dice = count;
            // An attack without a die is an attack, and the record says so before its defence.
            if !std::mem::replace(&mut windows.rolled, true) {
                self.attack_dice_fall(Vec::new());
            }
            self.events.push(Event::Defended {
                defender,
                rolled: defence,
            });
        }
        self.settle_stock(&cards, &before, &after, None);
        if let Some(duel) = &mut self.duel {
            duel.sync();
        }
    }
}

/// The step that is taken without asking: the only one; what an answer has named before; one that must happen and leaves
/// nothing to choose.
fn by_itself(windows: &Windows, window: Window, side: Side, steps: &[Step]) -> Option<Step> {
    if let [only] = steps {
        return Some(*only);
    }
    if let Some(next) = windows.ahead.last().filter(|next| steps.contains(next)) {
        return Some(*next);
    }
    let effects = windows.cards.contest.effects();
    let must = |step: &&Step| {
        let effect = step.effect.and_then(|place| effects.get(usize::from(place)));
        effect.is_some_and(|effect| effect.must)
    };
    // Several effects of one card that must be used are one choice between them.
    let group = |step: &Step| {
        let effect = step.effect.and_then(|place| effects.get(usize::from(place)));
        effect.map(|effect| (effect.group, effect.must))
    };
    let ways = |step: &Step| {
        let same = |other: &&Step| other.effect == step.effect || group(other) == group(step);
        steps.iter().filter(same).count()
    };
    if windows.state.under_way().is_none()
        && let Some(step) = steps.iter().filter(must).find(|step| ways(step) == 1)
    {
        return Some(*step);
    }
    if windows.ending == Some((window, side)) {
        let done = steps.iter().find(|step| step.effect.is_none());
        return done
            .or_else(|| steps.iter().find(must))
            .or_else(|| steps.first())
            .copied();
    }
    None
}

impl super::Duel {
    /// Takes the dice over from the windows.
    fn sync(&mut self) {
        let Some(windows) = &self.windows else { return };
        let (attack, defence) = (windows.state.attack_dice(), windows.state.defence_dice());
        self.dice = attack_dice(attack);
        if defence.total() > 0 {
            self.defence = Some(DefenceDice {
                evades: defence.count(Face::Evade),
                focuses: defence.count(Face::Focus),
                blanks: defence.count(Face::Blank),
            });
        }
    }
}

fn attack_dice(pool: Pool) -> AttackDice {
    AttackDice {
        crits: pool.count(Face::Crit),
        hits: pool.count(Face::Hit),
        focuses: pool.at(Face::Focus, false),
        blanks: pool.at(Face::Blank, false),
        rerolled_focuses: pool.at(Face::Focus, true),
        rerolled_blanks: pool.at(Face::Blank, true),
    }
}
