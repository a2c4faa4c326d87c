//! What happens when an effect is used: its price, then its steps in order. What they trigger comes to the front of the
//! queue once the effect is over.

use std::sync::Arc;

use super::{EffectId, Happening, Occasion, Pick, Resolving, Work, reveal, standing::Lasts, support, words};
use crate::{
    dice::{AttackFace, DefenceFace, DiceSource},
    geometry::{Pose, angle},
    xwing::{
        action::ActionDetail,
        battle::{
            Battle, Event, Request,
            offer::{Choice, Offer},
        },
        damage_deck::{Damage, facts::CardKind as Damaged},
        effects::{
            Amount, Cost, Primitive, Selector, TokenWord, Window,
            predicate::EventWord,
            primitive::{CardWord, FaceWord, Pool, Repair, RepairedCard, Resource, RollCheck, StepRule},
        },
        measure::{self, Object},
        ship::ArcDirection,
        weapon::Charges,
    },
};

impl Battle {
    /// Uses an effect as it was chosen.
    pub(super) fn resolve(
        &mut self,
        id: EffectId,
        occasion: Arc<Occasion>,
        choice: &Choice,
        dice: &mut dyn DiceSource,
    ) {
        let Choice::Use { targets, price } = choice else {
            return;
        };
        let Some(effect) = self.effect(id).cloned() else {
            return;
        };
        let resolving = Resolving {
            effect: id,
            occasion,
            chosen: self.chosen(&effect, targets),
            each: None,
            rest: effect.steps.iter().cloned().collect(),
        };
        self.events.push(Event::CardUsed {
            ship: self.table.ships[id.ship].id.clone(),
            card: self.card_id(id),
            window: resolving.occasion.window,
            targets: targets.clone(),
        });
        let costs: Vec<_> = (self
            .prices(&effect)
            .into_iter()
            .nth(*price)
            .unwrap_or_default()
            .into_iter())
        .cloned()
        .collect();
        self.pay(&resolving, &costs, dice);
        if costs.contains(&Cost::Action) {
            // What follows the action comes when it is over.
            self.queue.work.push(Work::Acted { index: id.ship });
        }
        self.go_on(resolving);
    }

    /// The next step of an effect.
    pub(super) fn step(&mut self, mut resolving: Resolving, dice: &mut dyn DiceSource) -> Option<Request> {
        let step = resolving.rest.pop_front()?;
        let id = resolving.effect;
        let ships = |battle: &Battle, selector: &Selector| {
            let scene = battle.scene(id, &resolving.occasion, &resolving.chosen, resolving.each);
            scene.select(selector).unwrap_or_default()
        };
        let amount = |battle: &Battle, amount: &Amount| {
            let scene = battle.scene(id, &resolving.occasion, &resolving.chosen, resolving.each);
            battle.amount(&scene, amount).unwrap_or(0)
        };
        match step {
            Primitive::GainToken(gain) => {
                let count = amount(self, &gain.n).min(MOST);
                let mut kinds: Vec<TokenWord> = gain.token.iter().flat_map(|word| word.kinds()).copied().collect();
                kinds.dedup();
                for ship in ships(self, &gain.who) {
                    match kinds.as_slice() {
                        [kind] => self.gain_tokens(ship, *kind, count, id.ship),
                        _ => {
                            let pick = Pick::Gain {
                                ship,
                                kinds: kinds.clone(),
                                count,
                            };
                            return self.pick_token(resolving, pick, ship, dice);
                        }
                    }
                }
            }
            Primitive::RemoveToken(remove) => {
                let count = amount(self, &remove.n);
                for ship in ships(self, &remove.who) {
                    let scene = self.scene(id, &resolving.occasion, &resolving.chosen, resolving.each);
                    let kinds = self.kinds_held(&scene, &remove.token.0, ship);
                    let held: u32 = kinds.iter().filter_map(|kind| scene.tokens(*kind, ship)).sum();
                    if kinds.len() > 1 && count < held {
                        let pick = Pick::Lose { ship, kinds, count };
                        return self.pick_token(resolving, pick, ship, dice);
                    }
                    let mut left = count;
                    for kind in kinds {
                        left = left.saturating_sub(self.take(ship, kind, left));
                    }
                }
            }
            Primitive::TransferToken(transfer) => {
                let (from, to) = (ships(self, &transfer.from), ships(self, &transfer.to));
                let count = amount(self, &transfer.n);
                if let (Some(&from), Some(&to)) = (from.first(), to.first()) {
                    let scene = self.scene(id, &resolving.occasion, &resolving.chosen, resolving.each);
                    let kinds = self.kinds_held(&scene, &transfer.token.0, from);
                    let mut left = count;
                    for kind in kinds {
                        let moved = self.take(from, kind, left);
                        self.gain_tokens(to, kind, moved, id.ship);
                        left = left.saturating_sub(moved);
                    }
                }
            }
            Primitive::AcquireLock(lock) => {
                let on = ships(self, &lock.on);
                for who in ships(self, &lock.who) {
                    for &on in &on {
                        self.acquire_lock(who, on);
                    }
                }
            }
            Primitive::Recover(recover) => {
                let count = amount(self, &recover.n);
                for ship in ships(self, &recover.who) {
                    match recover.what {
                        Resource::Charge => {
                            let of = recover.of.unwrap_or(CardWord::This);
                            for card in self.lacking(ship, of, id).into_iter().take(1) {
                                self.change_charges_of(ship, card, i64::from(count.min(MOST)));
                            }
                        }
                        Resource::Shield => self.recover_shields(ship, count),
                        Resource::Force => {
                            let most = self.fighters[ship].force;
                            let force = &mut self.table.ships[ship].tokens.force;
                            *force = force.saturating_add(count).min(most.max(*force));
                            self.record_tokens(ship);
                        }
                        Resource::Energy | Resource::Recovery => {}
                    }
                }
            }
            Primitive::Lose(lose) => {
                let count = amount(self, &lose.n).min(MOST);
                for ship in ships(self, &lose.who) {
                    match lose.what {
                        Resource::Charge => self.change_charges(id, -i64::from(count)),
                        Resource::Shield => (0..count).for_each(|_| self.lose_shield(ship)),
                        Resource::Force => {
                            let force = &mut self.table.ships[ship].tokens.force;
                            *force = force.saturating_sub(count);
                            self.record_tokens(ship);
                        }
                        Resource::Energy | Resource::Recovery => {}
                    }
                }
            }
            Primitive::PerformAction(perform) => {
                for ship in ships(self, &perform.who) {
                    let scene = self.scene(id, &resolving.occasion, &resolving.chosen, resolving.each);
                    let actions = self.given_actions(&scene, &perform, ship, id);
                    if !actions.is_empty() {
                        self.go_on(resolving);
                        self.give_action(id, ship, actions, perform.even_while_stressed);
                        return None;
                    }
                }
            }
            Primitive::RotateArc(rotate) => {
                if let Some(&ship) = ships(self, &rotate.who).first() {
                    let turns = self.table.ships[ship].turret_turns();
                    let choices: Vec<_> = turns.map(|arcs| Choice::Turn(arcs.to_vec())).collect();
                    return self.pick(resolving, Pick::Turn { ship }, id.ship, ship, choices, dice);
                }
            }
            Primitive::Reposition(moves) => {
                if let Some(&ship) = ships(self, &moves.who).first() {
                    let ends = self.moves(ship, &moves.any_of.0);
                    let choices: Vec<_> = ends.into_iter().map(|(detail, _)| Choice::Move(detail)).collect();
                    return self.pick(resolving, Pick::Move { ship }, id.ship, ship, choices, dice);
                }
            }
            Primitive::RotateShip(rotate) => {
                if let Some(&ship) = ships(self, &rotate.who).first() {
                    let choices = reveal::rotations(&rotate).map(Choice::Rotate).collect();
                    return self.pick(resolving, Pick::Rotate { ship }, id.ship, ship, choices, dice);
                }
            }
            Primitive::DealDamage(deal) => {
                for ship in ships(self, &deal.who) {
                    if deal.facedown > 0 {
                        self.deal_facedown(ship, deal.facedown, dice);
                    }
                    let damage = Damage {
                        hits: deal.hit,
                        crits: deal.crit,
                    };
                    if damage != Damage::default() {
                        self.suffer(ship, damage, dice);
                    }
                }
            }
            Primitive::DiscardWeapon(discard) => {
                if let Some(&ship) = ships(self, &discard.who).first() {
                    let choices = self.discardable(ship);
                    return self.pick(resolving, Pick::Discard { ship }, ship, ship, choices, dice);
                }
            }
            Primitive::Repair(repair) if repair.card == RepairedCard::This => {
                self.repair_at(id.ship, id.card);
            }
            Primitive::Repair(repair) => {
                let count = amount(self, &repair.n);
                for ship in ships(self, &repair.who) {
                    for _ in 0..count.min(MOST) {
                        if !self.repair_one(&repair, ship) {
                            break;
                        }
                    }
                }
            }
            Primitive::Expose(expose) => {
                let count = amount(self, &expose.n);
                for ship in ships(self, &expose.who) {
                    self.expose(ship, count.min(MOST), dice);
                }
            }
            Primitive::Destroy(destroy) => {
                for ship in ships(self, &destroy.who) {
                    let left = self.fighters[ship].left();
                    let hits = u8::try_from(left).unwrap_or(u8::MAX);
                    self.suffer(ship, Damage { hits, crits: 0 }, dice);
                }
            }
            Primitive::ForEach(each) => {
                let scene = self.scene(id, &resolving.occasion, &resolving.chosen, resolving.each);
                let found = scene.query(&each.of).unwrap_or_default();
                let turn = |ship| Resolving {
                    each: Some(ship),
                    rest: each.steps.iter().cloned().collect(),
                    ..resolving.clone()
                };
                let turns: Vec<Resolving> = found.into_iter().rev().map(turn).collect();
                self.go_on(resolving);
                turns.into_iter().for_each(|turn| self.go_on(turn));
                return None;
            }
            Primitive::RollCheck(check) => {
                let count = amount(self, &check.n).min(MOST);
                let then = self.roll(&check, count, id, dice);
                then.into_iter().rev().for_each(|step| resolving.rest.push_front(step));
            }
            Primitive::OwnerChoice(branches) => return self.pick_branch(resolving, branches, id.ship, dice),
            Primitive::OpponentChoice(branches) => {
                let scene = self.scene(id, &resolving.occasion, &resolving.chosen, resolving.each);
                // Nobody of the other side is concerned: there is nothing for it to choose.
                let chooser = self.opponent_in(&scene)?;
                return self.pick_branch(resolving, branches, chooser, dice);
            }
            Primitive::KeepToken(keep) => {
                let count = amount(self, &keep.n);
                for ship in ships(self, &keep.who) {
                    let scene = self.scene(id, &resolving.occasion, &resolving.chosen, resolving.each);
                    let kinds = self.kinds_held(&scene, &keep.token.0, ship);
                    self.keep_tokens(ship, &kinds, count);
                }
            }
            Primitive::BonusAttack(attack) => {
                let scene = self.scene(id, &resolving.occasion, &resolving.chosen, resolving.each);
                let target = support::bonus_target(&attack, &scene);
                self.go_on(resolving);
                self.bonus_later(id, &attack, target);
                return None;
            }
            Primitive::Condition(condition) => {
                for ship in ships(self, &condition.to) {
                    self.bring_condition(id, &condition, ship);
                }
            }
            Primitive::FlipCard(flip) => {
                // Whose configuration or reinforce token: the chosen ships', if any were chosen.
                let chosen: Vec<usize> = resolving
                    .chosen
                    .0
                    .iter()
                    .flat_map(|(_, ships)| ships)
                    .copied()
                    .collect();
                let whose = if chosen.is_empty() { vec![id.ship] } else { chosen };
                self.turn_card(id, flip.card, &whose);
            }
            Primitive::ChangeManeuver(words) => {
                if let Some(ship) = resolving.occasion.subject {
                    return self.pick_maneuver(resolving, ship, &words.0, dice);
                }
            }
            Primitive::ChangeDifficulty(change) => {
                if let (Some(ship), Some(by)) = (resolving.occasion.subject, change.by) {
                    self.change_flight(ship, |now| crate::xwing::maneuver::Maneuver {
                        difficulty: reveal::harder(now.difficulty, by),
                        ..now
                    });
                }
            }
            Primitive::Initiative(set) => {
                for ship in ships(self, &set.who) {
                    let scene = self.scene(id, &resolving.occasion, &resolving.chosen, resolving.each);
                    let value = self.initiative_by(&scene, &set, id);
                    let until = self.effect(id).and_then(|effect| effect.until);
                    if let (Some(value), Some(until)) = (value, until) {
                        self.last(ship, Lasts::Initiative(value), until);
                    }
                }
            }
            Primitive::StressPermission(_) | Primitive::IgnoreObstacles(_) | Primitive::LockRule(_) => {
                if let Some(until) = self.effect(id).and_then(|effect| effect.until) {
                    self.last(id.ship, Lasts::Step(Box::new(step)), until);
                }
            }
            Primitive::StepRule(rules)
                if rules
                    .iter()
                    .any(|rule| matches!(rule, StepRule::NoMoreActions | StepRule::SkipAction)) =>
            {
                self.queue.acted_before = Some(self.table.ships[id.ship].id.clone());
            }
            // What else there is belongs to other moments, or is asked.
            _ => {}
        }
        self.go_on(resolving);
        None
    }

    /// Somebody picks one of several things; one that does nothing is no choice, but for the empty one.
    fn pick_branch(
        &mut self,
        resolving: Resolving,
        branches: Vec<Vec<Primitive>>,
        chooser: usize,
        dice: &mut dyn DiceSource,
    ) -> Option<Request> {
        let id = resolving.effect;
        let scene = self.scene(id, &resolving.occasion, &resolving.chosen, resolving.each);
        let possible = |(index, branch): (usize, &Vec<Primitive>)| {
            let does = branch.is_empty() || self.does_something(&scene, branch, id);
            does.then(|| Choice::Branch {
                index,
                says: words::steps(branch),
            })
        };
        let choices: Vec<Choice> = branches.iter().enumerate().filter_map(possible).collect();
        let about = resolving
            .each
            .or_else(|| resolving.chosen.0.first()?.1.first().copied());
        self.pick(
            resolving,
            Pick::Branch(branches),
            chooser,
            about.unwrap_or(id.ship),
            choices,
            dice,
        )
    }

    /// Somebody picks the kind of a token: the player of the card.
    fn pick_token(
        &mut self,
        resolving: Resolving,
        pick: Pick,
        about: usize,
        dice: &mut dyn DiceSource,
    ) -> Option<Request> {
        let (Pick::Gain { kinds, .. } | Pick::Lose { kinds, .. }) = &pick else {
            return None;
        };
        let choices = kinds.iter().map(|kind| Choice::Token(*kind)).collect();
        let chooser = resolving.effect.ship;
        self.pick(resolving, pick, chooser, about, choices, dice)
    }

    pub(super) fn pick(
        &mut self,
        resolving: Resolving,
        pick: Pick,
        chooser: usize,
        about: usize,
        mut choices: Vec<Choice>,
        dice: &mut dyn DiceSource,
    ) -> Option<Request> {
        let id = resolving.effect;
        // A move may be left; of other things one has to be taken.
        let must = !matches!(pick, Pick::Turn { .. } | Pick::Move { .. } | Pick::Rotate { .. });
        match choices.len() {
            0 => {
                self.go_on(resolving);
                return None;
            }
            1 if must => {
                let choice = choices.pop();
                self.apply_pick(resolving, pick, choice, dice);
                return None;
            }
            _ => {}
        }
        let offer = Box::new(Offer {
            ship: self.table.ships[chooser].id.clone(),
            owner: self.table.ships[id.ship].id.clone(),
            card: self.card_id(id),
            effect: id.effect,
            window: resolving.occasion.window,
            about: Some(self.table.ships[about].id.clone()),
            choices,
            must,
            default: must.then_some(0),
            asks: None,
        });
        let request = Request::Effect(offer.clone());
        let resolving = Box::new(resolving);
        self.queue.work.push(Work::Pick { resolving, pick, offer });
        Some(request)
    }

    /// Carries out what somebody picked.
    pub(super) fn picked(
        &mut self,
        resolving: Resolving,
        pick: Pick,
        choice: Option<Choice>,
        dice: &mut dyn DiceSource,
    ) {
        self.apply_pick(resolving, pick, choice, dice);
    }

    fn apply_pick(&mut self, mut resolving: Resolving, pick: Pick, choice: Option<Choice>, dice: &mut dyn DiceSource) {
        let by = resolving.effect.ship;
        match (pick, choice) {
            (Pick::Branch(branches), Some(Choice::Branch { index, .. })) => {
                let steps = branches.into_iter().nth(index).unwrap_or_default();
                steps.into_iter().rev().for_each(|step| resolving.rest.push_front(step));
            }
            (Pick::Gain { ship, count, .. }, Some(Choice::Token(kind))) => self.gain_tokens(ship, kind, count, by),
            (Pick::Lose { ship, kinds, count }, Some(Choice::Token(kind))) => {
                let taken = self.take(ship, kind, count);
                // More than there was of that kind: the rest comes from the others.
                let mut left = count - taken;
                for other in kinds.into_iter().filter(|other| *other != kind) {
                    left = left.saturating_sub(self.take(ship, other, left));
                }
            }
            (Pick::Turn { ship }, Some(Choice::Turn(arcs))) => self.turn_turret(ship, arcs),
            (Pick::Move { ship }, Some(Choice::Move(detail))) => self.move_by_effect(ship, detail, dice),
            (Pick::Rotate { ship }, Some(Choice::Rotate(degrees))) => {
                let pose = self.table.ships[ship].pose;
                let heading = angle::normalize(pose.heading + f64::from(degrees));
                self.table.ships[ship].pose = Pose { heading, ..pose };
                self.record_move(ship, None, pose);
            }
            (Pick::Discard { ship }, Some(Choice::Branch { index, .. })) => self.discard_weapon(ship, index),
            (Pick::Maneuver { ship, options }, Some(Choice::Branch { index, .. })) => {
                if let Some(maneuver) = options.get(index) {
                    self.change_flight(ship, |_| *maneuver);
                }
            }
            _ => {}
        }
        self.go_on(resolving);
    }

    /// The special weapons of a ship that can be discarded, each as a choice by its place among the weapons.
    pub(super) fn discardable(&self, ship: usize) -> Vec<Choice> {
        let weapons = self.table.ships[ship].weapons.iter().enumerate();
        let lies = weapons.filter(|(_, weapon)| weapon.special.is_some() && weapon.has_charge());
        let choices = lies.map(|(index, weapon)| Choice::Branch {
            index,
            says: format!("discard {}", weapon.id),
        });
        choices.collect()
    }

    /// The card of a special weapon is discarded: it has no charge any more, if it ever had one.
    fn discard_weapon(&mut self, ship: usize, weapon: usize) {
        let Some(weapon) = self.table.ships[ship].weapons.get_mut(weapon) else {
            return;
        };
        let id = weapon.id.clone();
        if let Some(special) = &mut weapon.special {
            let max = special.charges.map_or(1, |charges| charges.max.max(1));
            special.charges = Some(Charges { left: 0, max });
        }
        self.events.push(Event::CardCharges {
            ship: self.table.ships[ship].id.clone(),
            card: format!("upgrade:{id}"),
            left: 0,
        });
    }

    /// A turret turns without an action.
    pub(in crate::xwing::battle) fn turn_turret(&mut self, ship: usize, arcs: Vec<ArcDirection>) {
        self.table.ships[ship].turret.clone_from(&arcs);
        let detail = ActionDetail::RotateArc(arcs);
        self.record_move(ship, Some(detail), self.table.ships[ship].pose);
    }

    /// Where a turret may be turned so that another ship is in its arc; `None` when it is already, or nowhere.
    pub(in crate::xwing::battle) fn turn_towards(&self, ship: usize, other: usize) -> Option<Vec<ArcDirection>> {
        let (own, object) = (&self.table.ships[ship], Object::Ship(&self.table.ships[other]));
        let holds = |arcs: &[ArcDirection]| {
            let mut arcs = arcs.iter();
            arcs.any(|arc| measure::in_arc(own.print(), own.pose, arc.arc(), &object))
        };
        if holds(&own.turret) {
            return None;
        }
        own.turret_turns()
            .find(|arcs| holds(arcs))
            .map(<[ArcDirection]>::to_vec)
    }

    /// A boost or a barrel roll that is no action.
    fn move_by_effect(&mut self, ship: usize, detail: ActionDetail, dice: &mut dyn DiceSource) {
        let options = self.movement(ship);
        let (table, subject) = (&self.table, &self.table.ships[ship]);
        let end = match detail {
            ActionDetail::Boost(template) => crate::xwing::reposition::boost(table, subject, template, &options),
            ActionDetail::BarrelRoll { side, slide_mm } => {
                crate::xwing::reposition::barrel_roll(table, subject, side, slide_mm, &options)
            }
            _ => return,
        };
        if end.blocked.is_none() {
            let what = match detail {
                ActionDetail::Boost(_) => EventWord::Boost,
                _ => EventWord::BarrelRoll,
            };
            let from = std::mem::replace(&mut self.table.ships[ship].pose, end.pose);
            self.record_move(ship, Some(detail), from);
            self.go_over(ship, &end.crossed, dice);
            let happening = Happening::Repositioned {
                what,
                obstacles: end.crossed,
            };
            self.open(Window::RepositionEvent, Some(ship), None, happening);
        }
    }

    fn record_move(&mut self, ship: usize, detail: Option<ActionDetail>, from: Pose) {
        let ship = &self.table.ships[ship];
        self.events.push(Event::Moved {
            ship: ship.id.clone(),
            detail,
            from,
            to: ship.pose,
        });
    }

    fn repair_one(&mut self, repair: &Repair, ship: usize) -> bool {
        let integrity = &self.fighters[ship].integrity;
        let facts = self.facts;
        let of_kind = |wanted: Damaged| {
            let mut cards = integrity.face_up.iter().copied();
            cards.find(|card| card.facts(facts).is_some_and(|facts| facts.kind == wanted))
        };
        let face_up = match repair.card {
            RepairedCard::Faceup | RepairedCard::Any => integrity.face_up.last().copied(),
            RepairedCard::FaceupShip => of_kind(Damaged::Ship),
            RepairedCard::FaceupPilot => of_kind(Damaged::Pilot),
            _ => None,
        };
        if let Some(card) = face_up {
            return self.repair(ship, card);
        }
        let face_down = matches!(repair.card, RepairedCard::Facedown | RepairedCard::Any);
        match integrity.face_down.last().copied() {
            Some(card) if face_down => {
                let deck = self.decks.of(&self.table.ships[ship].side);
                self.fighters[ship].integrity.discard_face_down(card, deck);
                let ship = self.table.ships[ship].id.clone();
                self.events.push(Event::Discarded { ship, card });
                true
            }
            _ => false,
        }
    }

    /// Dice outside an attack: the steps that follow from them.
    fn roll(&mut self, check: &RollCheck, count: u32, id: EffectId, dice: &mut dyn DiceSource) -> Vec<Primitive> {
        let (mut attack, mut defence) = (Vec::new(), Vec::new());
        match check.dice {
            Pool::Defence => defence.extend((0..count).map(|_| dice.defence())),
            _ => attack.extend((0..count).map(|_| dice.attack())),
        }
        let shows = |faces: &[FaceWord]| {
            let attack = attack
                .iter()
                .filter(|face| faces.iter().any(|word| attack_face(*word, **face)));
            let defence = defence
                .iter()
                .filter(|face| faces.iter().any(|word| defence_face(*word, **face)));
            attack.count() + defence.count()
        };
        let mut then = Vec::new();
        for branch in &check.branches {
            let times = match (shows(&branch.faces.0), branch.per_die) {
                (0, _) => 0,
                (_, false) => 1,
                (times, true) => times,
            };
            for _ in 0..times {
                then.extend(branch.steps.iter().cloned());
            }
        }
        self.events.push(Event::CardDice {
            ship: self.table.ships[id.ship].id.clone(),
            card: self.card_id(id),
            attack,
            defence,
        });
        then
    }
}

/// No effect gives or takes more than so much at once.
const MOST: u32 = 20;

fn attack_face(word: FaceWord, face: AttackFace) -> bool {
    match word {
        FaceWord::Hit => face == AttackFace::Hit,
        FaceWord::Crit => face == AttackFace::Crit,
        FaceWord::Focus => face == AttackFace::Focus,
        FaceWord::Blank => face == AttackFace::Blank,
        FaceWord::Success => matches!(face, AttackFace::Hit | AttackFace::Crit),
        FaceWord::Any => true,
        FaceWord::Evade | FaceWord::Matching | FaceWord::Named => false,
    }
}

fn defence_face(word: FaceWord, face: DefenceFace) -> bool {
    match word {
        FaceWord::Evade | FaceWord::Success => face == DefenceFace::Evade,
        FaceWord::Focus => face == DefenceFace::Focus,
        FaceWord::Blank => face == DefenceFace::Blank,
        FaceWord::Any => true,
        FaceWord::Hit | FaceWord::Crit | FaceWord::Matching | FaceWord::Named => false,
    }
}
