//! What may be chosen for an effect: targets and prices, as far as its conditions hold and it would do anything.

use super::{EffectId, Resolving, Work, reveal, support};
use crate::xwing::{
    action::{ActionDetail, ActionKind},
    battle::{
        Battle,
        conditions::{Chosen, Scene},
        occasion::Occasion,
        offer::Choice,
    },
    damage_deck::facts::CardKind as Damaged,
    effects::{
        Amount, Effect, Predicate, Primitive, Query, Selector, TokenWord,
        effect::Policy,
        primitive::{CardWord, Move, Recover, Repair, RepairedCard, Resource, StepRule},
    },
    maneuver::{Difficulty, Maneuver},
    reposition::{self, BoostTemplate, Reposition},
};

/// So many ways to use one effect are looked at.
const MAX_CHOICES: usize = 64;

impl Battle {
    /// Every way to use an effect now. Empty when it may not be used, or would do nothing.
    pub(super) fn choices(&self, id: EffectId, effect: &Effect, occasion: &Occasion) -> Vec<Choice> {
        if support::is_of_devices(effect) {
            return Vec::new();
        }
        if !support::is_played(effect) || self.leaves_to_the_table(effect) {
            // What the conditions say that are understood; the players know the rest.
            let scene_of = Chosen::default();
            let scene = self.scene(id, occasion, &scene_of, None);
            let holds = |condition: &Predicate| scene.holds(condition).unwrap_or(true);
            let never = effect.policy == Some(Policy::Never);
            let open = !never && effect.conditions.iter().all(holds) && self.can_be_paid(id, effect);
            return if open { by_hand(effect) } else { Vec::new() };
        }
        let prices = self.prices(effect);
        let mut found = Vec::new();
        for chosen in self.choose(id, effect, occasion) {
            let scene = self.scene(id, occasion, &chosen, None);
            let holds = effect
                .conditions
                .iter()
                .all(|condition| scene.holds(condition) == Some(true));
            if !holds || !self.does_something(&scene, &effect.steps, id) {
                continue;
            }
            for (price, costs) in prices.iter().enumerate() {
                if found.len() < MAX_CHOICES && self.can_pay(&scene, id, costs) {
                    let ships = chosen.0.iter().flat_map(|(_, ships)| ships);
                    found.push(Choice::Use {
                        targets: ships.map(|&ship| self.table.ships[ship].id.clone()).collect(),
                        price,
                    });
                }
            }
        }
        found
    }

    fn can_be_paid(&self, id: EffectId, effect: &Effect) -> bool {
        let occasion_free = Chosen::default();
        let nothing = Occasion {
            id: 0,
            window: crate::xwing::effects::Window::Passive,
            subject: Some(id.ship),
            other: None,
            what: Default::default(),
        };
        let scene = self.scene(id, &nothing, &occasion_free, None);
        self.prices(effect).iter().any(|costs| self.can_pay(&scene, id, costs))
    }

    /// Every combination of what the effect chooses.
    fn choose(&self, id: EffectId, effect: &Effect, occasion: &Occasion) -> Vec<Chosen> {
        let mut all = vec![Chosen::default()];
        for query in &effect.choose {
            let mut longer = Vec::new();
            for chosen in &all {
                let scene = self.scene(id, occasion, chosen, None);
                let Some(ships) = scene.query(query) else {
                    return Vec::new();
                };
                for pick in picks(query, &ships) {
                    // The second choice is another ship than the first.
                    if chosen
                        .0
                        .iter()
                        .any(|(_, others)| others.iter().any(|other| pick.contains(other)))
                    {
                        continue;
                    }
                    let mut more = chosen.clone();
                    more.0.push((query.name.clone(), pick));
                    longer.push(more);
                }
            }
            all = longer;
        }
        all
    }

    /// The ships that a choice names, as the conditions of the effect want them.
    pub(super) fn chosen(&self, effect: &Effect, targets: &[crate::xwing::ObjectId]) -> Chosen {
        let mut ships = targets.iter().filter_map(|id| self.index(id));
        let many = effect.choose.0.len() > 1;
        let chosen = effect.choose.iter().map(|query| {
            let one: Vec<usize> = match many {
                true => ships.next().into_iter().collect(),
                false => ships.by_ref().collect(),
            };
            (query.name.clone(), one)
        });
        Chosen(chosen.collect())
    }

    /// Whether any of these steps would change anything.
    pub(super) fn does_something(&self, scene: &Scene<'_>, steps: &[Primitive], id: EffectId) -> bool {
        steps.iter().any(|step| self.step_does_something(scene, step, id))
    }

    fn step_does_something(&self, scene: &Scene<'_>, step: &Primitive, id: EffectId) -> bool {
        let ships = |selector: &Selector| scene.select(selector).unwrap_or_default();
        let in_play = |ship: &usize| scene.ship(*ship).in_play();
        match step {
            Primitive::GainToken(gain) => {
                let most = self.amount(scene, &gain.n).unwrap_or(0);
                most > 0 && ships(&gain.who).iter().any(in_play)
            }
            Primitive::RemoveToken(remove) => {
                let has = |ship: &usize| {
                    remove
                        .token
                        .iter()
                        .any(|word| scene.tokens(*word, *ship).is_some_and(|n| n > 0))
                };
                ships(&remove.who).iter().any(has)
            }
            Primitive::TransferToken(transfer) => {
                let has = |ship: &usize| {
                    let mut words = transfer.token.iter();
                    words.any(|word| scene.tokens(*word, *ship).is_some_and(|n| n > 0))
                };
                ships(&transfer.from).iter().any(has) && ships(&transfer.to).iter().any(in_play)
            }
            Primitive::AcquireLock(lock) => {
                let on = ships(&lock.on);
                ships(&lock.who)
                    .iter()
                    .any(|&who| on.iter().any(|&on| self.can_lock(who, on)))
            }
            Primitive::Recover(recover) => ships(&recover.who)
                .iter()
                .any(|&ship| self.lacks(scene, recover, ship, id)),
            Primitive::Lose(lose) => ships(&lose.who).iter().any(|&ship| match lose.what {
                Resource::Shield => self.fighters[ship].integrity.shields > 0,
                Resource::Force => self.table.ships[ship].tokens.force > 0,
                Resource::Charge => self.charges(id).is_some_and(|charges| charges.left > 0),
                Resource::Energy | Resource::Recovery => false,
            }),
            Primitive::PerformAction(perform) => {
                let able = |&ship: &usize| !self.given_actions(scene, perform, ship, id).is_empty();
                ships(&perform.who).iter().any(able)
            }
            Primitive::RotateArc(rotate) => {
                let turns = |ship: &usize| self.table.ships[*ship].turret_turns().next().is_some();
                rotate.to.is_none() && ships(&rotate.who).iter().any(turns)
            }
            Primitive::Reposition(moves) => {
                let able = |&ship: &usize| !self.moves(ship, &moves.any_of.0).is_empty();
                ships(&moves.who).iter().any(able)
            }
            Primitive::RotateShip(rotate) => ships(&rotate.who).iter().any(in_play),
            Primitive::Repair(repair) if repair.card == RepairedCard::This => self.is_damage_at(id.ship, id.card),
            Primitive::Repair(repair) => ships(&repair.who).iter().any(|&ship| self.can_repair(repair, ship)),
            Primitive::Expose(expose) => {
                let able = |&ship: &usize| !self.fighters[ship].integrity.face_down.is_empty();
                ships(&expose.who).iter().any(able)
            }
            Primitive::DealDamage(deal) => ships(&deal.who).iter().any(in_play),
            Primitive::DiscardWeapon(discard) => {
                let has = |ship: &usize| !self.discardable(*ship).is_empty();
                ships(&discard.who).iter().any(has)
            }
            Primitive::Destroy(destroy) => ships(&destroy.who).iter().any(in_play),
            Primitive::OpponentChoice(_) if self.opponent_in(scene).is_none() => false,
            Primitive::OwnerChoice(branches) | Primitive::OpponentChoice(branches) => {
                branches.iter().any(|branch| self.does_something(scene, branch, id))
            }
            Primitive::ForEach(each) => {
                let found = scene.query(&each.of).unwrap_or_default();
                found.iter().any(|&ship| {
                    let scene = Scene {
                        each: Some(ship),
                        ..*scene
                    };
                    self.does_something(&scene, &each.steps, id)
                })
            }
            Primitive::RollCheck(_) => true,
            Primitive::BonusAttack(attack) => {
                let target = support::bonus_target(attack, scene);
                !self.bonus_targets(id, attack, target).is_empty()
            }
            Primitive::KeepToken(keep) => {
                let has = |ship: &usize| {
                    let mut words = keep.token.iter();
                    words.any(|word| scene.tokens(*word, *ship).is_some_and(|n| n > 0))
                };
                ships(&keep.who).iter().any(has)
            }
            Primitive::Condition(condition) => match &condition.remove {
                Some(_) => true,
                None => ships(&condition.to).iter().any(in_play),
            },
            Primitive::FlipCard(flip) => {
                let chosen: Vec<usize> = scene.chosen.0.iter().flat_map(|(_, ships)| ships).copied().collect();
                let whose = if chosen.is_empty() { vec![id.ship] } else { chosen };
                self.can_turn_card(id, flip.card, &whose)
            }
            Primitive::ChangeManeuver(words) => {
                let by = self.effect(id).map_or(0, |effect| support::made_harder(&effect.steps));
                let subject = scene.occasion.subject;
                subject.is_some_and(|ship| !self.other_maneuvers(ship, &words.0, by).is_empty())
            }
            Primitive::ChangeDifficulty(change) => self.can_change_difficulty(scene, change.by.unwrap_or(0)),
            Primitive::Initiative(set) => {
                let other = |ship: &usize| {
                    let value = self.initiative_by(scene, set, id);
                    value.is_some_and(|value| value != scene.ship(*ship).initiative)
                };
                ships(&set.who).iter().any(other)
            }
            Primitive::StressPermission(_) | Primitive::IgnoreObstacles(_) | Primitive::LockRule(_) => true,
            Primitive::StepRule(rules) => rules.contains(&StepRule::PassiveSensorsOn),
            _ => false,
        }
    }

    /// The ship of the other side whose player chooses within an effect: the first that it is about.
    pub(super) fn opponent_in(&self, scene: &Scene<'_>) -> Option<usize> {
        let enemy = |ship: &usize| self.table.ships[*ship].is_enemy_of(&self.table.ships[scene.own]);
        let chosen = scene.chosen.0.iter().flat_map(|(_, ships)| ships.iter().copied());
        let mut about = (scene.each.into_iter())
            .chain(chosen)
            .chain(scene.other())
            .chain(scene.subject);
        about.find(enemy)
    }

    /// Whether the maneuver that is to be executed would have another colour, and could still be executed.
    fn can_change_difficulty(&self, scene: &Scene<'_>, by: i8) -> bool {
        let (Some(ship), Some(moved)) = (scene.occasion.subject, scene.occasion.maneuver()) else {
            return false;
        };
        let now = moved.maneuver;
        let then = Maneuver {
            difficulty: reveal::harder(now.difficulty, by),
            ..now
        };
        now != then && !moved.ionized && self.allowed(ship, then) == then
    }

    fn can_repair(&self, repair: &Repair, ship: usize) -> bool {
        let integrity = &self.fighters[ship].integrity;
        let kind = |wanted: Damaged| {
            let mut cards = integrity.face_up.iter();
            cards.any(|card| card.facts(self.facts).is_some_and(|facts| facts.kind == wanted))
        };
        match repair.card {
            RepairedCard::Faceup => !integrity.face_up.is_empty(),
            RepairedCard::FaceupShip => kind(Damaged::Ship),
            RepairedCard::FaceupPilot => kind(Damaged::Pilot),
            RepairedCard::Facedown => !integrity.face_down.is_empty(),
            RepairedCard::Any => !integrity.face_up.is_empty() || !integrity.face_down.is_empty(),
            RepairedCard::This | RepairedCard::Same | RepairedCard::FacedownThenFaceupShip => false,
        }
    }

    fn lacks(&self, scene: &Scene<'_>, recover: &Recover, ship: usize, id: EffectId) -> bool {
        let fighter = &self.fighters[ship];
        match recover.what {
            Resource::Shield => fighter.integrity.shields < fighter.shields,
            Resource::Force => scene.ship(ship).tokens.force < fighter.force,
            Resource::Charge => {
                let of = recover.of.unwrap_or(CardWord::This);
                !self.lacking(ship, of, id).is_empty()
            }
            Resource::Energy | Resource::Recovery => false,
        }
    }

    /// How many an amount is: the most, where whoever uses the effect chooses.
    pub(super) fn amount(&self, scene: &Scene<'_>, amount: &Amount) -> Option<u32> {
        match amount {
            Amount::Fixed(number) => Some(u32::from(*number)),
            Amount::Between(_, most) => Some(u32::from(*most)),
            // As many as there are: whoever takes them stops there.
            Amount::All | Amount::Any => Some(u32::MAX),
            Amount::Matching => match scene.occasion.what {
                super::Happening::Token { count, .. } => Some(count),
                _ => None,
            },
            Amount::ForEach(query) => scene.query(query).map(|found| found.len() as u32),
        }
    }

    /// The moves that are no actions which a ship could make.
    pub(super) fn moves(&self, ship: usize, words: &[Move]) -> Vec<(ActionDetail, Reposition)> {
        let (table, subject, options) = (&self.table, &self.table.ships[ship], self.movement(ship));
        let mut all = Vec::new();
        for word in words {
            match word {
                Move::BarrelRoll => all.extend(reposition::ends(table, subject, ActionKind::BarrelRoll, &options)),
                Move::Boost => {
                    let ends = reposition::ends(table, subject, ActionKind::Boost, &options);
                    let plain =
                        |detail: &ActionDetail| subject.color_of(detail, Difficulty::White) == Some(Difficulty::White);
                    all.extend(ends.filter(|(detail, _)| plain(detail)));
                }
                Move::BoostStraight => all.push((
                    ActionDetail::Boost(BoostTemplate::Straight),
                    reposition::boost(table, subject, BoostTemplate::Straight, &options),
                )),
                Move::Decloak => {}
            }
        }
        all.retain(|(_, end)| end.blocked.is_none());
        all
    }

    /// The kinds of a set of words of which a ship has a token.
    pub(super) fn kinds_held(&self, scene: &Scene<'_>, words: &[TokenWord], ship: usize) -> Vec<TokenWord> {
        let mut kinds: Vec<TokenWord> = words.iter().flat_map(|word| word.kinds()).copied().collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds.retain(|kind| scene.tokens(*kind, ship).is_some_and(|count| count > 0));
        kinds
    }

    /// The effect goes on with these steps before everything else.
    pub(super) fn go_on(&mut self, resolving: Resolving) {
        if !resolving.rest.is_empty() {
            self.queue.work.push(Work::Steps(Box::new(resolving)));
        }
    }
}

/// What players may tell about an effect that they carry out: which of the conditions that the card names was assigned,
/// else that it is done.
fn by_hand(effect: &Effect) -> Vec<Choice> {
    let conditions = effect.steps.iter().flat_map(|step| match step {
        Primitive::Condition(condition) => &condition.one_of[..],
        _ => &[],
    });
    let named = conditions.enumerate().map(|(index, id)| Choice::Branch {
        index,
        says: format!("the condition {id}"),
    });
    let named: Vec<Choice> = named.collect();
    if named.is_empty() { vec![Choice::Done] } else { named }
}

/// The ways to pick from what qualifies.
fn picks(query: &Query, ships: &[usize]) -> Vec<Vec<usize>> {
    match query.count {
        // One after the other, each its own pick.
        Amount::Fixed(1) => ships.iter().map(|&ship| vec![ship]).collect(),
        // As many as may be: more is better for whoever uses it.
        _ if ships.is_empty() => Vec::new(),
        Amount::Fixed(number) | Amount::Between(_, number) => {
            vec![ships[..ships.len().min(usize::from(number))].to_vec()]
        }
        _ => vec![ships.to_vec()],
    }
}
