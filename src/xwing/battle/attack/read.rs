//! How one effect of a card reads in an attack: its conditions, its price and what it does, for the solver.
//!
//! Whatever the words here do not cover makes the effect one that is not played: [`super::support`] tells the same from
//! the card alone.

use super::{
    super::conditions::{Chosen, Scene},
    gather::{CardUse, Forbidden, Gathering, Held, Suffering},
};
use crate::xwing::{
    combat::contest::{
        Ban, CancelOrder, Change, Dice, Effect as DiceEffect, Face, FaceSet, HowMany, Need, Price, Side,
        Window as ContestWindow, WindowSet,
    },
    effects::{
        Amount, Cost, Effect, EffectRef, Predicate, Primitive, Selector, State, TokenWord, Window,
        cost::Suffer,
        effect::Duration,
        predicate::{EventWord, ResultTest},
        primitive::{
            FaceWord, Hidden, Lent, Modification, NeutralizeRule, Pool, RangeBonusRule, Resource as Recovered,
            RestrictModification, Whose,
        },
    },
    ship::Tokens,
};

/// The window of the solver that a moment is.
pub(super) const fn contest_window(window: Window) -> Option<ContestWindow> {
    Some(match window {
        Window::AttackDeclared => ContestWindow::Declared,
        Window::AttackRoll => ContestWindow::AttackRoll,
        Window::AttackRolled => ContestWindow::AttackRolled,
        Window::AttackModify => ContestWindow::AttackModify,
        Window::AttackModified => ContestWindow::AttackModified,
        Window::DefenseRoll => ContestWindow::DefenceRoll,
        Window::DefenseRolled => ContestWindow::DefenceRolled,
        Window::DefenseModify => ContestWindow::DefenceModify,
        Window::DefenseModified => ContestWindow::DefenceModified,
        Window::BeforeNeutralize => ContestWindow::BeforeNeutralize,
        Window::Neutralize => ContestWindow::Neutralize,
        Window::AfterNeutralize => ContestWindow::AfterNeutralize,
        Window::AttackDamage | Window::DamageWould => ContestWindow::Damage,
        _ => return None,
    })
}

/// One way to pay for an effect and what it does.
#[derive(Debug, Clone, Default)]
struct Draft {
    needs: Vec<Need>,
    price: Vec<Price>,
    does: Vec<Change>,
    aside: Vec<Primitive>,
    gains: Vec<(usize, Tokens)>,
    suffers: Option<(usize, Suffering)>,
    /// Whether a ship suffers for another: no trade that dice decide.
    moved: bool,
    /// Whether it may be used as often as it is paid, as the tokens that are lent may.
    repeats: bool,
}

/// Reads one effect in one window.
pub(super) struct Reading<'g, 'b, 's> {
    pub gathering: &'g mut Gathering<'b>,
    pub scene: Scene<'s>,
    pub at: EffectRef,
    pub window: Window,
    pub subject: usize,
    pub group: u8,
}

impl Reading<'_, '_, '_> {
    fn own(&self) -> usize {
        self.scene.own
    }

    /// The dice of the subject.
    fn subject_dice(&self) -> Dice {
        match self.subject == self.gathering.attack.attacker {
            true => Dice::Attack,
            false => Dice::Defence,
        }
    }

    /// The dice of the window; after both are rolled those of the subject.
    fn window_dice(&self) -> Dice {
        match self.window {
            Window::AttackRoll | Window::AttackRolled | Window::AttackModify | Window::AttackModified => Dice::Attack,
            Window::DefenseRoll | Window::DefenseRolled | Window::DefenseModify | Window::DefenseModified => {
                Dice::Defence
            }
            _ => self.subject_dice(),
        }
    }

    /// Adds the effect, once for each way to choose, to pay and to pick. Nothing when it does not come up, or says more
    /// than is played.
    pub fn effect(&mut self, effect: &Effect) {
        let lasts = !matches!(effect.until, None | Some(Duration::Attack));
        if lasts || effect.replaces != (self.window == Window::DamageWould) {
            return;
        }
        match effect.choose.0.as_slice() {
            [] => self.chosen(effect, &Chosen::default()),
            [query] if query.count.is_one() => {
                for target in self.scene.query(query).unwrap_or_default() {
                    let chosen = Chosen(vec![(query.name.clone(), vec![target])]);
                    self.chosen(effect, &chosen);
                }
            }
            _ => {}
        }
    }

    fn chosen(&mut self, effect: &Effect, chosen: &Chosen) {
        let scene = Scene { chosen, ..self.scene };
        let mut here = Reading {
            gathering: &mut *self.gathering,
            scene,
            ..*self
        };
        let mut needs = Vec::new();
        for condition in &effect.conditions {
            match here.condition(condition) {
                Some(more) => needs.extend(more),
                None => return,
            }
        }
        let Some(prices) = here.prices(&effect.cost) else {
            return;
        };
        let side = here.gathering.side(here.own());
        for price in prices {
            let draft = Draft {
                needs: needs.iter().copied().chain(price.needs.iter().copied()).collect(),
                ..price
            };
            let picked = match effect.steps.as_slice() {
                [Primitive::OpponentChoice(options)] if effect.cost.is_empty() && !effect.may => {
                    here.opponent_choice(&draft, options)
                }
                steps => here.steps(&draft, steps).map(|drafts| (side, !effect.may, drafts)),
            };
            if let Some((side, must, drafts)) = picked {
                for draft in drafts {
                    here.add(side, must, draft, chosen);
                }
            }
        }
    }

    /// What the other side picks among: it must pick one unless one of them is nothing.
    fn opponent_choice(&mut self, draft: &Draft, options: &[Vec<Primitive>]) -> Option<(Side, bool, Vec<Draft>)> {
        let side = self.gathering.side(self.own()).other();
        let must = options.iter().all(|option| !option.is_empty());
        let mut drafts = Vec::new();
        for option in options.iter().filter(|option| !option.is_empty()) {
            drafts.extend(self.steps(draft, option)?);
        }
        Some((side, must, drafts))
    }

    fn add(&mut self, side: Side, must: bool, draft: Draft, chosen: &Chosen) {
        let Some(window) = contest_window(self.window) else {
            return;
        };
        let fighter = &self.gathering.battle.fighters[self.own()];
        let Some(card) = fighter.cards.get(self.at.card) else {
            return;
        };
        let (id, owner) = (
            card.id.to_string(),
            self.gathering.battle.table.ships[self.own()].id.clone(),
        );
        let forbids = |change: &Change| matches!(change, Change::Forbid { .. });
        if must
            && draft.needs.is_empty()
            && draft.price.is_empty()
            && draft.aside.is_empty()
            && draft.does.iter().all(forbids)
        {
            // What is forbidden anyway is forbidden from the beginning, and has to be told.
            for change in draft.does {
                if let Change::Forbid { side, dice, ban } = change {
                    self.gathering.forbidden.push(Forbidden {
                        side,
                        dice,
                        ban,
                        owner: owner.clone(),
                        card: id.clone(),
                        at: self.at,
                    });
                }
            }
            return;
        }
        if draft.does.is_empty() {
            return;
        }
        self.gathering.tools.cards.push(DiceEffect {
            windows: WindowSet::of(&[window]),
            side,
            group: self.group,
            repeats: draft.repeats,
            must,
            referred: draft.moved,
            needs: draft.needs,
            price: draft.price,
            does: draft.does,
        });
        self.gathering.uses.push(CardUse {
            ship: self.own(),
            at: self.at,
            window: self.window,
            owner,
            id,
            gains: draft.gains,
            suffers: draft.suffers,
            aside: draft.aside,
            chosen: chosen.clone(),
        });
    }

    // Conditions.

    /// What must hold at the moment of use; `None` when it does not hold now, or is not known.
    fn condition(&mut self, predicate: &Predicate) -> Option<Vec<Need>> {
        match predicate {
            Predicate::Result(test) => return self.result(*test).map(|need| vec![need]),
            Predicate::Event(words) if self.window == Window::DamageWould => {
                let [word] = words.0.as_slice() else { return None };
                let faces = match word {
                    EventWord::Damage => FaceSet::SUCCESS,
                    EventWord::Hit => FaceSet::of(&[Face::Hit]),
                    EventWord::Crit => FaceSet::of(&[Face::Crit]),
                    _ => return None,
                };
                return Some(vec![at_least(Dice::Attack, faces, 1)]);
            }
            Predicate::AllOf(inner) => {
                let mut needs = Vec::new();
                for predicate in inner {
                    needs.extend(self.condition(predicate)?);
                }
                return Some(needs);
            }
            Predicate::Not(inner) => {
                if let Some(resource) = self.stock(inner) {
                    return Some(vec![Need::NoStock { resource }]);
                }
            }
            _ => {}
        }
        let holds = self.scene.holds(predicate)?;
        if !holds {
            return None;
        }
        let stock = self
            .stock(predicate)
            .map(|resource| Need::Stock { resource, at_least: 1 });
        Some(stock.into_iter().collect())
    }

    /// The resource of the attack's ships that a state is about, so that it counts as it is when the effect is used.
    fn stock(&mut self, predicate: &Predicate) -> Option<u8> {
        let (state, ship) = match predicate {
            Predicate::Own(state) => (state, self.own()),
            Predicate::Subject(state) => (state, self.subject),
            Predicate::Other(state) => (state, self.scene.other()?),
            _ => return None,
        };
        let attack = self.gathering.attack;
        let held = match state {
            State::ChargeActive => Held::Charge(self.at.card),
            _ if ship != attack.attacker && ship != attack.defender => return None,
            State::Focused => Held::Token(TokenWord::Focus),
            State::Evading => Held::Token(TokenWord::Evade),
            State::Calculating => Held::Token(TokenWord::Calculate),
            State::ForceActive => Held::Force,
            State::HasLockOnOther => Held::Lock,
            State::HasLockOnDefender if ship == attack.attacker => Held::Lock,
            _ => return None,
        };
        let of = if matches!(held, Held::Charge(_)) {
            self.own()
        } else {
            ship
        };
        Some(self.gathering.resource(of, held))
    }

    fn result(&self, test: ResultTest) -> Option<Need> {
        let dice = self.window_dice();
        match test {
            ResultTest::Hit => Some(at_least(Dice::Attack, FaceSet::SUCCESS, 1)),
            ResultTest::ResultsAtLeast(count) => Some(at_least(Dice::Attack, FaceSet::SUCCESS, count)),
            ResultTest::ResultsExceedShields => {
                let defender = &self.gathering.battle.fighters[self.gathering.attack.defender];
                let shields = defender.integrity.shields;
                Some(at_least(Dice::Attack, FaceSet::SUCCESS, shields.saturating_add(1)))
            }
            ResultTest::OnlyBlank => Some(at_most(dice, FaceSet::SUCCESS.with(FaceSet::of(&[Face::Focus])), 0)),
            ResultTest::DiceAtMost(count)
                if self.window != Window::AttackRoll && self.window != Window::DefenseRoll =>
            {
                Some(at_most(dice, FaceSet::ANY, count))
            }
            _ => None,
        }
    }

    // Prices.

    /// The ways to pay all of it; `None` for a price that is not known, or that nobody can ever pay.
    fn prices(&mut self, costs: &[Cost]) -> Option<Vec<Draft>> {
        let mut ways = vec![Draft::default()];
        for cost in costs {
            let mut next = Vec::new();
            for way in &ways {
                next.extend(self.price(way, cost)?);
            }
            ways = next;
        }
        Some(ways)
    }

    fn price(&mut self, way: &Draft, cost: &Cost) -> Option<Vec<Draft>> {
        let own = self.own();
        let mut way = way.clone();
        match cost {
            Cost::Charge(amount) => {
                let resource = self.gathering.resource(own, Held::Charge(self.at.card));
                let count = self.number(amount)?;
                way.price.push(Price::Spend { resource, count });
            }
            Cost::Force(amount) => {
                let resource = self.gathering.resource(own, Held::Force);
                let count = self.number(amount)?;
                way.price.push(Price::Spend { resource, count });
            }
            Cost::Spend(spend) => {
                let count = self.number(&spend.n)?;
                let from = self.one(&spend.from)?;
                let mut ways = Vec::new();
                for word in spend.token.iter().flat_map(|word| word.kinds()) {
                    let held = match word {
                        TokenWord::Lock => Held::Lock,
                        TokenWord::EnemyLock => return None,
                        word => Held::Token(*word),
                    };
                    let resource = self.gathering.resource(from, held);
                    let mut way = way.clone();
                    way.price.push(Price::Spend { resource, count });
                    ways.push(way);
                }
                return Some(ways);
            }
            Cost::Gain(gain) => {
                let who = self.one(&gain.who)?;
                let tokens = Tokens {
                    stress: u32::from(gain.stress),
                    strain: u32::from(gain.strain),
                    deplete: u32::from(gain.deplete),
                    disarm: u32::from(gain.disarm),
                    ion: u32::from(gain.ion),
                    tractor: u32::from(gain.tractor),
                    ..Tokens::default()
                };
                way.gains.push((who, tokens));
            }
            Cost::Suffer(Suffer {
                who,
                hit,
                crit,
                matching,
            }) => {
                let who = self.one(who)?;
                let life = self.gathering.resource(who, Held::Life);
                let damage = hit.saturating_add(*crit).saturating_add(*matching);
                way.price.push(Price::Suffer { life, damage });
                let suffering = Suffering {
                    hits: *hit,
                    crits: *crit,
                    matching: *matching,
                };
                way.suffers = Some((who, suffering));
                // Damage that a friend takes over is moved, not saved.
                way.moved = who != self.gathering.attack.attacker && who != self.gathering.attack.defender;
            }
            Cost::Shield(amount) => {
                let damage = self.number(amount)?;
                let life = self.gathering.resource(own, Held::Shield);
                way.price.push(Price::Suffer { life, damage });
            }
            Cost::Die(die) => {
                let count = self.number(&die.n)?;
                let dice = self.subject_dice();
                let faces = faces(&die.faces.0, dice)?;
                way.needs.push(at_least(dice, faces, count));
                way.does.push(Change::Cancel {
                    dice,
                    faces,
                    how_many: HowMany::Exactly(count),
                });
            }
            Cost::Either(prices) => {
                let mut ways = Vec::new();
                for price in prices {
                    let mut branch = vec![way.clone()];
                    for cost in price {
                        let mut next = Vec::new();
                        for way in &branch {
                            next.extend(self.price(way, cost)?);
                        }
                        branch = next;
                    }
                    ways.extend(branch);
                }
                return Some(ways);
            }
            _ => return None,
        }
        Some(vec![way])
    }

    /// A number that is known before the effect is used.
    fn number(&self, amount: &Amount) -> Option<u8> {
        match amount {
            Amount::Fixed(count) => Some(*count),
            Amount::ForEach(query) => u8::try_from(self.scene.query(query)?.len()).ok(),
            _ => None,
        }
    }

    fn how_many(&self, n: Option<&Amount>, up_to: Option<&Amount>) -> Option<HowMany> {
        match (n, up_to) {
            (Some(Amount::All), None) => Some(HowMany::All),
            (Some(Amount::Any), None) | (None, Some(Amount::Any | Amount::All)) => Some(HowMany::UpTo(u8::MAX)),
            (Some(Amount::Between(_, most)), None) | (None, Some(Amount::Between(_, most))) => {
                Some(HowMany::UpTo(*most))
            }
            (Some(amount), None) => self.number(amount).map(HowMany::Exactly),
            (None, Some(amount)) => self.number(amount).map(HowMany::UpTo),
            _ => None,
        }
    }

    fn one(&self, selector: &Selector) -> Option<usize> {
        match self.scene.select(selector)?.as_slice() {
            [one] => Some(*one),
            _ => None,
        }
    }

    // What it does.

    /// The ways in which steps may come out; `None` for steps that are not known.
    fn steps(&mut self, draft: &Draft, steps: &[Primitive]) -> Option<Vec<Draft>> {
        let mut ways = vec![draft.clone()];
        let mut place = 0;
        while let Some(step) = steps.get(place) {
            place += 1;
            let mut next = Vec::new();
            for way in &ways {
                match (step, steps.get(place)) {
                    (Primitive::OwnerChoice(options), _) => {
                        for option in options {
                            next.extend(self.steps(way, option)?);
                        }
                    }
                    (Primitive::HiddenInformation(hidden), Some(Primitive::AddResult(added)))
                        if hidden.what == Hidden::GuessNumber && self.window == Window::DefenseRoll =>
                    {
                        if added.face != FaceWord::Evade || !added.n.is_one() {
                            return None;
                        }
                        let mut way = way.clone();
                        way.does.push(Change::Guess { least: 1 });
                        next.push(way);
                    }
                    (Primitive::LendResource(lent), _) => {
                        if !lent.instead_of.is_empty() {
                            return None;
                        }
                        for what in lent.what.iter() {
                            let mut way = way.clone();
                            if self.lend(&mut way, *what, &lent.owner, &lent.spender).is_some() {
                                next.push(way);
                            }
                        }
                    }
                    _ => {
                        let mut way = way.clone();
                        self.step(&mut way, step, 1)?;
                        next.push(way);
                    }
                }
            }
            if matches!(step, Primitive::HiddenInformation(_)) {
                place += 1;
            }
            ways = next;
        }
        Some(ways)
    }

    /// Adds one step, so many times; `None` when it is not known.
    fn step(&mut self, way: &mut Draft, step: &Primitive, times: u8) -> Option<()> {
        let scaled = |how_many| match how_many {
            HowMany::Exactly(count) => HowMany::Exactly(count.saturating_mul(times)),
            HowMany::UpTo(count) => HowMany::UpTo(count.saturating_mul(times)),
            HowMany::All => HowMany::All,
        };
        match step {
            Primitive::DiceCount(count) => {
                let dice = self.pool(count.dice)?;
                let by = i8::try_from(i16::from(count.by) * i16::from(times)).ok()?;
                way.does.push(Change::Count { dice, by });
            }
            Primitive::DiceLimit(limit) => {
                let dice = self.pool(limit.dice)?;
                let bound = |amount: &Option<Amount>, none: u8| match amount {
                    None => Some(none),
                    Some(amount) => self.number(amount),
                };
                way.does.push(Change::Limit {
                    dice,
                    min: bound(&limit.min, 0)?,
                    max: bound(&limit.max, 20)?,
                });
            }
            Primitive::Reroll(reroll) => {
                if reroll.uncounted {
                    return None;
                }
                let dice = self.pool(reroll.dice)?;
                let faces = if reroll.faces.is_empty() {
                    FaceSet::ANY
                } else {
                    faces(&reroll.faces.0, dice)?
                };
                let how_many = scaled(self.how_many(reroll.n.as_ref(), reroll.up_to.as_ref())?);
                way.does.push(Change::Reroll { dice, faces, how_many });
            }
            Primitive::ChangeResult(change) => {
                if change.by.is_some() {
                    return None;
                }
                let dice = self.whose(change.whose);
                way.does.push(Change::Turn {
                    dice,
                    from: faces(&change.from.0, dice)?,
                    to: face(change.to, dice)?,
                    how_many: scaled(self.how_many(change.n.as_ref(), change.up_to.as_ref())?),
                });
            }
            Primitive::AddResult(added) => {
                let dice = self.whose(added.whose);
                let (face, count) = (face(added.face, dice)?, self.number(&added.n)?.saturating_mul(times));
                way.does.push(Change::Add { dice, face, count });
            }
            Primitive::CancelResult(cancel) => {
                let only = |face| cancel.faces.0.iter().all(|word| *word == face);
                let dice = match self.window {
                    Window::BeforeNeutralize | Window::AfterNeutralize | Window::AttackDamage => {
                        match only(FaceWord::Evade) {
                            true => Dice::Defence,
                            false => Dice::Attack,
                        }
                    }
                    _ => self.window_dice(),
                };
                way.does.push(Change::Cancel {
                    dice,
                    faces: faces(&cancel.faces.0, dice)?,
                    how_many: scaled(self.how_many(Some(&cancel.n), None)?),
                });
            }
            Primitive::PreventDamage(prevent) if self.window == Window::DamageWould => {
                if self.one(&prevent.who)? != self.gathering.attack.defender {
                    return None;
                }
                way.does.push(Change::Cancel {
                    dice: Dice::Attack,
                    faces: FaceSet::SUCCESS,
                    how_many: scaled(self.how_many(Some(&prevent.n), None)?),
                });
            }
            Primitive::RestrictModification(rule) => self.restrict(way, rule)?,
            Primitive::NeutralizeOrder(order) => way.does.push(Change::Order(match order.rule {
                NeutralizeRule::CritFirst => CancelOrder::CritsFirst,
                NeutralizeRule::EvadeNotCrit => CancelOrder::HitsOnly,
            })),
            Primitive::RangeBonus(bonus) => {
                let dice = self.whose(bonus.whose);
                let by = self.bonus_change(dice, bonus.rule);
                if by != 0 {
                    way.does.push(Change::Count { dice, by });
                }
            }
            Primitive::TreatAsHit(_) => way.does.push(Change::Strike { hits: 0, crits: 0 }),
            Primitive::DealDamage(dealt) => {
                let who = self.one(&dealt.who)?;
                if dealt.matching > 0 || dealt.facedown > 0 {
                    return None;
                }
                if who == self.gathering.attack.attacker || who == self.gathering.attack.defender {
                    way.does.push(Change::Wound {
                        side: self.gathering.side(who),
                        hits: dealt.hit,
                        crits: dealt.crit,
                    });
                }
                way.aside.push(step.clone());
            }
            Primitive::GainToken(gained) => {
                let who = self.one(&gained.who)?;
                let [word] = gained.token.0.as_slice() else { return None };
                let [kind] = word.kinds() else { return None };
                let count = self.number(&gained.n)?.saturating_mul(times);
                self.gain(way, who, *kind, i8::try_from(count).ok()?, step)?;
            }
            Primitive::RemoveToken(removed) => {
                let who = self.one(&removed.who)?;
                let [word] = removed.token.0.as_slice() else {
                    return None;
                };
                let [kind] = word.kinds() else { return None };
                let count = self.number(&removed.n)?.saturating_mul(times);
                self.gain(way, who, *kind, -i8::try_from(count).ok()?, step)?;
            }
            Primitive::Recover(recovered) => {
                let who = self.one(&recovered.who)?;
                let count = i8::try_from(self.number(&recovered.n)?.saturating_mul(times)).ok()?;
                let held = match (recovered.what, recovered.of) {
                    (Recovered::Force, _) => Held::Force,
                    (Recovered::Charge, None) if who == self.own() => Held::Charge(self.at.card),
                    _ => return None,
                };
                let resource = self.gathering.resource(who, held);
                way.does.push(Change::Stock { resource, by: count });
            }
            Primitive::InflictInstead(instead) => {
                let owner = self.gathering.battle.table.ships[self.own()].id.clone();
                self.gathering.inflict = Some((owner, instead.clone()));
            }
            Primitive::ForEach(each) => {
                let count = u8::try_from(self.scene.query(&each.of)?.len()).ok()?;
                let [step] = each.steps.as_slice() else { return None };
                let named_each = |step: &Primitive| {
                    matches!(
                        step,
                        Primitive::Reroll(_)
                            | Primitive::ChangeResult(_)
                            | Primitive::AddResult(_)
                            | Primitive::DiceCount(_)
                            | Primitive::CancelResult(_)
                    )
                };
                if !named_each(step) {
                    return None;
                }
                if count > 0 {
                    self.step(way, step, count.saturating_mul(times))?;
                }
            }
            _ => return None,
        }
        Some(())
    }

    /// Tokens that come or go: those that dice may be modified with count in the attack.
    fn gain(&mut self, way: &mut Draft, who: usize, kind: TokenWord, by: i8, step: &Primitive) -> Option<()> {
        let attack = self.gathering.attack;
        let counts = matches!(kind, TokenWord::Focus | TokenWord::Evade | TokenWord::Calculate)
            && (who == attack.attacker || who == attack.defender);
        match kind {
            TokenWord::Lock | TokenWord::EnemyLock => return None,
            _ if counts => {
                let resource = self.gathering.resource(who, Held::Token(kind));
                way.does.push(Change::Stock { resource, by });
            }
            _ => way.aside.push(step.clone()),
        }
        Some(())
    }

    fn restrict(&mut self, way: &mut Draft, rule: &RestrictModification) -> Option<()> {
        if rule.max_rerolls.is_some() {
            return None;
        }
        let dice = self.whose(rule.whose);
        let side = match dice {
            Dice::Attack => Side::Attacker,
            Dice::Defence => Side::Defender,
        };
        let mut bans = Vec::new();
        for word in rule.forbid.iter() {
            bans.extend_from_slice(match word {
                Modification::All => &[Ban::Modify],
                Modification::Reroll => &[Ban::Reroll],
                Modification::SpendFocus => &[Ban::Focus],
                Modification::SpendCalculate => &[Ban::Calculate],
                Modification::SpendEvade => &[Ban::Evade],
                Modification::SpendGreen => &[Ban::Green],
                Modification::SpendToken => &[Ban::Green, Ban::Lock],
                Modification::SpendLock | Modification::LockReroll => &[Ban::Lock],
                _ => return None,
            });
        }
        match rule.only.0.as_slice() {
            [] => {}
            [Modification::Force] => bans.push(Ban::ButForce),
            _ => return None,
        }
        let forbid = |ban| Change::Forbid { side, dice, ban };
        way.does.extend(bans.into_iter().map(forbid));
        Some(())
    }

    /// A ship may spend what another one has: the default of the token, paid by the other.
    fn lend(&mut self, way: &mut Draft, what: Lent, owner: &Selector, spender: &Selector) -> Option<()> {
        let (owner, spender) = (self.one(owner)?, self.one(spender)?);
        if spender != self.subject || owner == spender {
            return None;
        }
        let dice = self.subject_dice();
        let success = face(FaceWord::Success, dice)?;
        let focus = FaceSet::of(&[Face::Focus]);
        let turn = |from, how_many| Change::Turn {
            dice,
            from,
            to: success,
            how_many,
        };
        let (held, change) = match what {
            Lent::Focus => (Held::Token(TokenWord::Focus), turn(focus, HowMany::All)),
            Lent::Calculate => (Held::Token(TokenWord::Calculate), turn(focus, HowMany::Exactly(1))),
            Lent::Force | Lent::ForceAsDefault => (Held::Force, turn(focus, HowMany::Exactly(1))),
            Lent::Evade if dice == Dice::Defence => {
                let from = FaceSet::of(&[Face::Focus, Face::Blank]);
                (Held::Token(TokenWord::Evade), turn(from, HowMany::Exactly(1)))
            }
            _ => return None,
        };
        let resource = self.gathering.resource(owner, held);
        way.price.push(Price::Spend { resource, count: 1 });
        way.does.push(change);
        way.repeats = true;
        Some(())
    }

    /// How many dice the range bonus changes by when a rule of a card takes its place.
    fn bonus_change(&self, dice: Dice, rule: RangeBonusRule) -> i8 {
        let attack = self.gathering.attack;
        let ship = &self.gathering.battle.table.ships[attack.attacker];
        let has = ship
            .weapons
            .get(attack.weapon)
            .is_some_and(|weapon| weapon.has_range_bonus());
        let (now, near) = match dice {
            Dice::Attack => (has && attack.range <= 1, 1),
            Dice::Defence => (has && attack.range == 3, 0),
        };
        match rule {
            RangeBonusRule::None => -i8::from(now),
            RangeBonusRule::AsRange1 => near - i8::from(now),
        }
    }

    fn pool(&self, pool: Pool) -> Option<Dice> {
        Some(match pool {
            Pool::Attack => Dice::Attack,
            Pool::Defence => Dice::Defence,
            Pool::Own => self.subject_dice(),
            Pool::Check => return None,
        })
    }

    fn whose(&self, whose: Option<Whose>) -> Dice {
        let own = self.subject_dice();
        match whose {
            None => self.window_dice(),
            Some(Whose::Own) => own,
            Some(Whose::Other) if own == Dice::Attack => Dice::Defence,
            Some(Whose::Other) => Dice::Attack,
        }
    }
}

const fn at_least(dice: Dice, faces: FaceSet, count: u8) -> Need {
    Need::Results {
        dice,
        faces,
        at_least: count,
        at_most: u8::MAX,
    }
}

const fn at_most(dice: Dice, faces: FaceSet, count: u8) -> Need {
    Need::Results {
        dice,
        faces,
        at_least: 0,
        at_most: count,
    }
}

fn face(word: FaceWord, dice: Dice) -> Option<Face> {
    Some(match word {
        FaceWord::Hit => Face::Hit,
        FaceWord::Crit => Face::Crit,
        FaceWord::Evade => Face::Evade,
        FaceWord::Focus => Face::Focus,
        FaceWord::Blank => Face::Blank,
        FaceWord::Success if dice == Dice::Attack => Face::Hit,
        FaceWord::Success => Face::Evade,
        FaceWord::Matching | FaceWord::Named | FaceWord::Any => return None,
    })
}

fn faces(words: &[FaceWord], dice: Dice) -> Option<FaceSet> {
    let mut set = FaceSet::NONE;
    for word in words {
        set = set.with(match word {
            FaceWord::Any => FaceSet::ANY,
            word => FaceSet::of(&[face(*word, dice)?]),
        });
    }
    Some(set)
}
