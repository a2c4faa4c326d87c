//! What an effect does in an attack: to the dice, and beside them.

use super::{Draft, Reading, at_least, at_most, face, faces, faces_of, owner, rerolls_at_a_price};
use crate::xwing::{
    combat::contest::{
        Ban, CancelOrder, Capped, Change, Dice, Face, FaceSet, HowMany, Need, Price, Side, Window as ContestWindow,
    },
    effects::{
        Amount, OneOrMany, Primitive, Selector, TokenWord, Window,
        primitive::{
            AcquireLock, DamageCardRuleWord, FaceWord, GainToken, Hidden, Lent, Modification, NeutralizeRule, Pool,
            Prevented, RangeBonusRule, RemoveToken, Resource as Recovered, RestrictModification, Stat, TransferToken,
            Whose,
        },
        selector::Party,
    },
};

use super::super::gather::{Held, Suffering};

/// More dice than these are not rerolled at a price: nobody would pay for them.
const MAX_REROLLED: u8 = 6;

impl Reading<'_, '_, '_> {
    /// The ways in which steps may come out; `None` for steps that are not known.
    pub(super) fn steps(&mut self, draft: &Draft, steps: &[Primitive]) -> Option<Vec<Draft>> {
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
                    (Primitive::ChangeResult(change), _) if change.to == FaceWord::Named => {
                        for face in self.nameable() {
                            let mut way = way.clone();
                            let resource = self.named(face);
                            way.does.push(Change::Stock { resource, by: 1 });
                            next.push(way);
                        }
                    }
                    (Primitive::AddResult(added), _) if added.face == FaceWord::Matching => {
                        let (dice, count) = (self.whose(added.whose), self.number(&added.n)?);
                        for face in faces_of(dice) {
                            let mut way = way.clone();
                            let only = FaceSet::of(&[face]);
                            way.needs.push(at_least(dice, only, 1));
                            way.needs.push(at_most(dice, FaceSet::ANY.without(only), 0));
                            way.does.push(Change::Add { dice, face, count });
                            next.push(way);
                        }
                    }
                    (Primitive::RestrictModification(rule), _) if rule.forbid.0 == [Modification::SpendNamed] => {
                        let dice = self.whose(rule.whose);
                        for ban in [Ban::Focus, Ban::Evade, Ban::Calculate] {
                            let mut way = way.clone();
                            way.does.push(Change::Forbid {
                                side: owner(dice),
                                dice,
                                ban,
                            });
                            next.push(way);
                        }
                    }
                    (Primitive::TransferToken(moved), _) => {
                        for kind in moved.token.iter().flat_map(|word| word.kinds()) {
                            let mut way = way.clone();
                            if self.transfer(&mut way, moved, *kind)? {
                                next.push(way);
                            }
                        }
                    }
                    (Primitive::RemoveToken(removed), _) => {
                        // Of several kinds whoever uses it picks one that is there.
                        let (who, count) = (self.one(&removed.who)?, self.number(&removed.n)?);
                        let found = next.len();
                        for kind in removed.token.iter().flat_map(|word| word.kinds()) {
                            let mut way = way.clone();
                            if self.lose(&mut way, who, *kind, count)? {
                                next.push(way);
                            }
                        }
                        if next.len() == found {
                            next.push(way.clone());
                        }
                    }
                    (Primitive::GainToken(gained), _) if gained.token.0 == [TokenWord::Jam] => {
                        let who = self.one(&gained.who)?;
                        next.extend(self.jam(way, who, step)?);
                    }
                    _ => {
                        let mut way = way.clone();
                        self.step(&mut way, step, 1)?;
                        next.push(way);
                    }
                }
            }
            if matches!(step, Primitive::HiddenInformation(hidden) if hidden.what == Hidden::GuessNumber) {
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
                if limit.max == Some(Amount::Matching) {
                    let resource = self.gathering.pending((self.own(), self.at, 0));
                    way.does.push(Change::Stock { resource, by: 1 });
                    self.limit_to_results(resource);
                    return Some(());
                }
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
                let dice = self.pool(reroll.dice)?;
                if reroll.uncounted {
                    way.does.push(Change::RollAgain { dice });
                    return Some(());
                }
                let faces = if reroll.faces.is_empty() {
                    FaceSet::ANY
                } else {
                    faces(&reroll.faces.0, dice)?
                };
                let how_many = scaled(self.how_many(reroll.n.as_ref(), reroll.up_to.as_ref(), way.paid)?);
                way.does.push(Change::Reroll { dice, faces, how_many });
            }
            Primitive::ChangeResult(change) => {
                let dice = self.whose(change.whose);
                way.does.push(Change::Turn {
                    dice,
                    from: faces(&change.from.0, dice)?,
                    to: face(change.to, dice)?,
                    how_many: scaled(self.how_many(change.n.as_ref(), change.up_to.as_ref(), way.paid)?),
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
                    how_many: scaled(self.how_many(Some(&cancel.n), None, way.paid)?),
                });
            }
            Primitive::PreventDamage(prevent) if self.window == Window::DamageWould => {
                if self.one(&prevent.who)? != self.gathering.attack.defender {
                    return None;
                }
                // A card that would be dealt faceup is the one of a crit.
                let faces = match prevent.what {
                    Some(Prevented::Card) => FaceSet::of(&[Face::Crit]),
                    _ => FaceSet::SUCCESS,
                };
                way.does.push(Change::Cancel {
                    dice: Dice::Attack,
                    faces,
                    how_many: scaled(self.how_many(Some(&prevent.n), None, way.paid)?),
                });
            }
            Primitive::DamageCardRule(rule) if self.window == Window::DamageWould => {
                if self.one(&rule.who)? != self.gathering.attack.defender {
                    return None;
                }
                let (from, to) = match rule.rule {
                    DamageCardRuleWord::Facedown => (Face::Crit, Face::Hit),
                    DamageCardRuleWord::Faceup => (Face::Hit, Face::Crit),
                    _ => return None,
                };
                way.does.push(Change::Turn {
                    dice: Dice::Attack,
                    from: FaceSet::of(&[from]),
                    to,
                    how_many: HowMany::Exactly(1),
                });
            }
            Primitive::RestrictModification(rule) => self.restrict(way, rule)?,
            // What obstructs is counted when the attack is declared.
            Primitive::ObstructionRule(_) => {}
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
                if dealt.matching > 0 {
                    // Damage of the kind that the effect takes away: the ship has no choice about it.
                    let suffering = Suffering {
                        matching: dealt.matching,
                        ..Suffering::default()
                    };
                    way.suffers = Some((who, suffering));
                    return Some(());
                }
                if who == self.gathering.attack.attacker || who == self.gathering.attack.defender {
                    way.does.push(Change::Wound {
                        side: self.gathering.side(who),
                        hits: dealt.hit + dealt.facedown,
                        crits: dealt.crit,
                    });
                }
                way.aside.push(step.clone());
            }
            Primitive::Expose(exposed) => {
                let who = self.one(&exposed.who)?;
                if !self.gathering.battle.fighters[who].integrity.face_down.is_empty() {
                    way.aside.push(step.clone());
                }
            }
            Primitive::Lose(lost) => {
                let who = self.one(&lost.who)?;
                let shields = self.gathering.battle.fighters[who].integrity.shields;
                if lost.what != Recovered::Shield {
                    return None;
                }
                if shields > 0 {
                    way.aside.push(step.clone());
                }
            }
            Primitive::AcquireLock(lock) => self.lock(way, lock, step)?,
            Primitive::RotateArc(rotate) => {
                let (who, to) = (self.one(&rotate.who)?, self.one(rotate.to.as_ref()?)?);
                if self.gathering.battle.turn_towards(who, to).is_some() {
                    way.aside.push(step.clone());
                }
            }
            Primitive::StatChange(change) if change.stat == Stat::AgilityAsSpeed => {
                let fighter = &self.gathering.battle.fighters[self.own()];
                let speed = i64::from(fighter.set?.speed);
                let by = i8::try_from(speed - i64::from(fighter.agility)).ok()?;
                if by != 0 {
                    way.does.push(Change::Count {
                        dice: Dice::Defence,
                        by,
                    });
                }
            }
            Primitive::GainToken(gained) => {
                let who = self.one(&gained.who)?;
                let [word] = gained.token.0.as_slice() else { return None };
                let [kind] = word.kinds() else { return None };
                let count = match gained.n {
                    Amount::Matching => way.paid?,
                    ref amount => self.number(amount)?,
                };
                let by = i8::try_from(count.saturating_mul(times)).ok()?;
                self.gain(way, who, *kind, by, step)?;
            }
            Primitive::Recover(recovered) => {
                let who = self.one(&recovered.who)?;
                let count = i8::try_from(self.number(&recovered.n)?.saturating_mul(times)).ok()?;
                let held = match (recovered.what, recovered.of) {
                    (Recovered::Shield, _) => {
                        let fighter = &self.gathering.battle.fighters[who];
                        if fighter.integrity.shields < fighter.shields {
                            way.aside.push(step.clone());
                        }
                        return Some(());
                    }
                    (Recovered::Force, _) => Held::Force,
                    (Recovered::Charge, None) if who == self.own() => Held::Charge(self.at.card),
                    _ => return None,
                };
                let resource = self.gathering.resource(who, held);
                way.does.push(Change::Stock { resource, by: count });
            }
            // Which card it is nobody looks at here: any of them.
            Primitive::HiddenInformation(hidden) if hidden.what == Hidden::OwnChoiceOfCard => {}
            Primitive::InflictInstead(instead) => {
                let owner = self.gathering.battle.table.ships[self.own()].id.clone();
                self.gathering.inflict = Some((owner, instead.clone()));
            }
            Primitive::ForEach(each) => {
                let count = u8::try_from(self.count(&each.of)?).ok()?;
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

    /// The side that uses an effect in place of the card's own.
    pub(super) fn changes_by(&self, steps: &[Primitive]) -> Option<Side> {
        match steps {
            [Primitive::ChangeResult(change)] => Some(self.gathering.side(self.one(change.by.as_ref()?)?)),
            _ => None,
        }
    }

    /// Dice that are rerolled at the price of a token each: one way for each number of them.
    pub(super) fn priced_reroll(&mut self, draft: &Draft, steps: &[Primitive]) -> Option<Vec<Draft>> {
        let (reroll, gained) = rerolls_at_a_price(steps)?;
        let dice = self.pool(reroll.dice)?;
        let ways = (1..=MAX_REROLLED).map(|count| {
            let mut way = draft.clone();
            way.paid = Some(count);
            way.needs.push(at_least(dice, FaceSet::ANY, count));
            way.does.push(Change::Reroll {
                dice,
                faces: FaceSet::ANY,
                how_many: HowMany::Exactly(count),
            });
            let paid = GainToken {
                n: Amount::Matching,
                ..gained.clone()
            };
            way.aside.push(Primitive::GainToken(paid));
            way
        });
        Some(ways.collect())
    }

    /// A ship loses tokens of a kind. Whether it has any.
    fn lose(&mut self, way: &mut Draft, who: usize, kind: TokenWord, count: u8) -> Option<bool> {
        let one = Primitive::RemoveToken(RemoveToken {
            who: Selector::Party(self.party_of(who)?),
            token: OneOrMany::from(kind),
            n: Amount::Fixed(count),
        });
        if self.scene.tokens(kind, who)? == 0 || matches!(kind, TokenWord::Lock | TokenWord::EnemyLock) {
            return Some(false);
        }
        self.gain(way, who, kind, -i8::try_from(count).ok()?, &one)?;
        Some(true)
    }

    /// The word for a ship that has a part in the attack, or for the own one.
    fn party_of(&self, ship: usize) -> Option<Party> {
        let attack = self.gathering.attack;
        match ship {
            _ if ship == self.own() => Some(Party::Own),
            _ if ship == attack.attacker => Some(Party::Attacker),
            _ if ship == attack.defender => Some(Party::Defender),
            _ if self.scene.party(Party::Target)?.contains(&ship) => Some(Party::Target),
            _ => None,
        }
    }

    /// A token, or a lock on the opponent, goes from one ship to another. Whether there is any to go.
    fn transfer(&mut self, way: &mut Draft, moved: &TransferToken, kind: TokenWord) -> Option<bool> {
        let (from, to, count) = (self.one(&moved.from)?, self.one(&moved.to)?, self.number(&moved.n)?);
        let held = match kind {
            TokenWord::Lock => Held::Lock,
            TokenWord::Focus | TokenWord::Evade | TokenWord::Calculate => Held::Token(kind),
            // Other tokens are of no use in the attack.
            _ => return Some(false),
        };
        if from == to {
            return Some(false);
        }
        let (resource, gained) = (self.gathering.resource(from, held), self.gathering.resource(to, held));
        if kind == TokenWord::Lock {
            way.needs.push(Need::NoStock { resource: gained });
        }
        way.price.push(Price::Spend { resource, count });
        way.does.push(Change::Stock {
            resource: gained,
            by: i8::try_from(count).ok()?,
        });
        Some(true)
    }

    /// A ship acquires a lock: one of the attack on its opponent has it at once.
    fn lock(&mut self, way: &mut Draft, lock: &AcquireLock, step: &Primitive) -> Option<()> {
        let on = self.one(&lock.on)?;
        let attack = self.gathering.attack;
        let who = self.scene.select(&lock.who)?;
        if let [who] = who.as_slice() {
            let opponents = [(attack.attacker, attack.defender), (attack.defender, attack.attacker)];
            if opponents.contains(&(*who, on)) {
                let resource = self.gathering.resource(*who, Held::Lock);
                way.needs.push(Need::NoStock { resource });
                way.does.push(Change::Stock { resource, by: 1 });
                return Some(());
            }
        }
        if who.iter().any(|who| self.gathering.battle.can_lock(*who, on)) {
            way.aside.push(step.clone());
        }
        Some(())
    }

    /// A ship gains a jam token: a green token or a lock of it goes, or the token stays.
    fn jam(&mut self, way: &Draft, who: usize, step: &Primitive) -> Option<Vec<Draft>> {
        let mut way = way.clone();
        let ship = &self.gathering.battle.table.ships[who];
        let tokens = [TokenWord::Focus, TokenWord::Evade, TokenWord::Calculate];
        let held = tokens
            .into_iter()
            .find(|kind| self.scene.tokens(*kind, who).is_some_and(|count| count > 0));
        let attack = self.gathering.attack;
        let opponent = match who {
            _ if who == attack.attacker => Some(attack.defender),
            _ if who == attack.defender => Some(attack.attacker),
            _ => None,
        };
        let opponent = opponent.map(|other| &self.gathering.battle.table.ships[other].id);
        match held {
            // The token goes with what it jams, in the order in which jam tokens do.
            Some(kind) => {
                let resource = self.gathering.resource(who, Held::Token(kind));
                way.does.push(Change::Stock { resource, by: -1 });
            }
            // A reinforce token is counted into the attack already.
            None if ship.tokens.reinforce > 0 => return Some(Vec::new()),
            None if opponent.is_some() && ship.locks.last() == opponent => {
                let resource = self.gathering.resource(who, Held::Lock);
                way.does.push(Change::Stock { resource, by: -1 });
            }
            None => way.aside.push(step.clone()),
        }
        Some(vec![way])
    }

    /// The faces that may be named for the dice of the window.
    fn nameable(&self) -> Vec<Face> {
        faces_of(self.window_dice())
    }

    /// The place of the mark that a face has been named for the dice of the window. Once they are rolled without it, their
    /// roller must turn one to it.
    fn named(&mut self, face: Face) -> u8 {
        let dice = self.window_dice();
        let resource = self.gathering.naming(self.own(), self.at, dice, face);
        let only = FaceSet::of(&[face]);
        let window = match dice {
            Dice::Attack => ContestWindow::AttackRolled,
            Dice::Defence => ContestWindow::DefenceRolled,
        };
        let follows = Draft {
            needs: vec![at_most(dice, only, 0)],
            price: vec![Price::Spend { resource, count: 1 }],
            does: vec![Change::Turn {
                dice,
                from: FaceSet::ANY.without(only),
                to: face,
                how_many: HowMany::Exactly(1),
            }],
            window: Some(window),
            repeats: true,
            ..Draft::default()
        };
        self.follow(owner(dice), true, follows);
        resource
    }

    /// Once it was marked, no more defence dice are rolled than there are hits and crits.
    fn limit_to_results(&mut self, resource: u8) {
        let side = self.gathering.side(self.own());
        let follows = Draft {
            price: vec![Price::Spend { resource, count: 1 }],
            does: vec![Change::LimitToResults],
            window: Some(ContestWindow::DefenceRoll),
            repeats: true,
            ..Draft::default()
        };
        self.follow(side, true, follows);
    }

    fn restrict(&mut self, way: &mut Draft, rule: &RestrictModification) -> Option<()> {
        let dice = self.whose(rule.whose);
        let side = owner(dice);
        if let Some(most) = rule.max_rerolls {
            let what = Capped::Rerolls;
            way.does.push(Change::Cap { dice, what, most });
        }
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
                Modification::SecondFocus => {
                    let (what, most) = (Capped::Focuses, 1);
                    way.does.push(Change::Cap { dice, what, most });
                    &[]
                }
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
            .is_some_and(|weapon| weapon.has_range_bonus(&self.gathering.battle.table.rules));
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
