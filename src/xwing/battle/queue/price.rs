//! What effects cost: all of it or nothing, paid when the effect resolves.

use super::EffectId;
use crate::{
    dice::DiceSource,
    xwing::{
        battle::{Battle, conditions::Scene},
        damage_deck::Damage,
        device::DeviceBook,
        effects::{Amount, Cost, Effect, TokenWord, primitive::CardWord},
        ship::Ship,
        weapon::Charges,
    },
};

/// The charges of a card that are counted with the weapon or the device that it is.
pub(in crate::xwing::battle) fn counted_with(ship: &Ship, xws: &str) -> Option<Charges> {
    let weapon = ship.weapons.iter().find(|weapon| weapon.id == *xws);
    let special = weapon.and_then(|weapon| weapon.special.as_ref()?.charges);
    special.or_else(|| Some(ship.device.as_ref().filter(|device| device.id == *xws)?.charges))
}

impl Battle {
    /// The prices of an effect, one of which is paid; an effect without a price has one that is empty.
    pub(super) fn prices<'e>(&self, effect: &'e Effect) -> Vec<Vec<&'e Cost>> {
        let mut prices = vec![Vec::new()];
        for cost in &effect.cost {
            match cost {
                Cost::Either(ways) => {
                    let longer = prices
                        .iter()
                        .flat_map(|price| ways.iter().map(move |way| price.iter().copied().chain(way).collect()));
                    prices = longer.collect();
                }
                cost => prices.iter_mut().for_each(|price| price.push(cost)),
            }
        }
        prices
    }

    /// The charges of an effect's card, wherever they are counted.
    pub(super) fn charges(&self, id: EffectId) -> Option<Charges> {
        self.charges_of(id.ship, id.card)
    }

    /// The charges of a card: with the card, the weapon that it is, or the device.
    pub(super) fn charges_of(&self, ship: usize, card: usize) -> Option<Charges> {
        let card = self.fighters[ship].cards.get(card)?;
        card.charges
            .or_else(|| counted_with(&self.table.ships[ship], &card.id.xws))
    }

    /// Changes the charges of a card by so many, within what the card has.
    pub(super) fn change_charges_of(&mut self, ship: usize, card: usize, by: i64) {
        let Some(in_play) = self.fighters[ship].cards.get_mut(card) else {
            return;
        };
        let subject = &mut self.table.ships[ship];
        let charges = match &mut in_play.charges {
            Some(charges) => Some(charges),
            None => {
                let xws = &in_play.id.xws;
                let device = subject.device.as_mut().filter(|device| device.id == *xws);
                let weapon = subject.weapons.iter_mut().find(|weapon| weapon.id == *xws);
                let special = weapon.and_then(|weapon| weapon.special.as_mut()?.charges.as_mut());
                special.or(device.map(|device| &mut device.charges))
            }
        };
        let Some(charges) = charges else { return };
        let left = i64::from(charges.left) + by;
        charges.left = u32::try_from(left.max(0)).unwrap_or(u32::MAX).min(charges.max);
        let left = charges.left;
        self.events.push(crate::xwing::battle::Event::CardCharges {
            ship: self.table.ships[ship].id.clone(),
            card: self.fighters[ship].cards[card].id.to_string(),
            left,
        });
    }

    /// Changes the charges of an effect's card by so many, within what the card has.
    pub(super) fn change_charges(&mut self, id: EffectId, by: i64) {
        self.change_charges_of(id.ship, id.card, by);
    }

    /// The cards of a ship whose charges a word means and that lack one, those that lack the most first.
    pub(super) fn lacking(&self, ship: usize, word: CardWord, id: EffectId) -> Vec<usize> {
        let slots = |card: usize| self.fighters[ship].slots.get(card).map_or(&[][..], Vec::as_slice);
        let has = |card: usize, wanted: &str| slots(card).iter().any(|slot| slot == wanted);
        let meant = |card: &usize| match word {
            CardWord::This => ship == id.ship && *card == id.card,
            CardWord::Upgrade | CardWord::Chosen => !slots(*card).is_empty(),
            CardWord::Talent => has(*card, "Talent"),
            CardWord::Illicit => has(*card, "Illicit"),
            CardWord::Astromech => has(*card, "Astromech"),
            CardWord::Weapon => {
                let xws = &self.fighters[ship].cards[*card].id.xws;
                self.table.ships[ship].weapons.iter().any(|weapon| weapon.id == *xws)
            }
            CardWord::Any => true,
        };
        let keeps = |card: usize| {
            let device = DeviceBook::embedded().device(&self.fighters[ship].cards[card].id.xws);
            device.is_some_and(|device| device.keeps_no_charge)
        };
        let lacks = |card: usize| {
            let charges = self.charges_of(ship, card).filter(|_| !keeps(card));
            charges.map_or(0, |charges| charges.max.saturating_sub(charges.left))
        };
        let all = 0..self.fighters[ship].cards.len();
        let mut found: Vec<usize> = all.filter(|card| meant(card) && lacks(*card) > 0).collect();
        found.sort_by_key(|card| std::cmp::Reverse(lacks(*card)));
        found
    }

    /// Whether a price can be paid.
    pub(super) fn can_pay(&self, scene: &Scene<'_>, id: EffectId, costs: &[&Cost]) -> bool {
        costs.iter().all(|cost| self.can_pay_one(scene, id, cost))
    }

    fn can_pay_one(&self, scene: &Scene<'_>, id: EffectId, cost: &Cost) -> bool {
        let own = scene.ship(id.ship);
        let number = |amount: &Amount| amount.at_most().map(u32::from);
        match cost {
            Cost::Charge(amount) => {
                let left = self.charges(id).map_or(0, |charges| charges.left);
                number(amount).is_some_and(|number| left >= number)
            }
            Cost::Force(amount) => number(amount).is_some_and(|number| own.tokens.force >= number),
            Cost::Shield(amount) => {
                let shields = u32::from(self.fighters[id.ship].integrity.shields);
                number(amount).is_some_and(|number| shields >= number)
            }
            Cost::Spend(spend) => {
                let from = scene.select(&spend.from).unwrap_or_default();
                let (Some(number), [ship]) = (number(&spend.n), from.as_slice()) else {
                    return false;
                };
                match spend.on.as_ref().map(|on| scene.select(on).unwrap_or_default()) {
                    // A lock on somebody.
                    Some(on) => on
                        .iter()
                        .any(|&on| scene.ship(*ship).locks.contains(&scene.ship(on).id)),
                    None => {
                        let held = |word: &TokenWord| scene.tokens(*word, *ship).unwrap_or(0);
                        spend.token.iter().map(held).sum::<u32>() >= number
                    }
                }
            }
            Cost::Gain(gain) => !scene.select(&gain.who).unwrap_or_default().is_empty(),
            Cost::Suffer(suffer) => suffer.matching == 0 && !scene.select(&suffer.who).unwrap_or_default().is_empty(),
            Cost::Expose(amount) => {
                let lying = self.fighters[id.ship].integrity.face_down.len() as u32;
                number(amount).is_some_and(|number| lying >= number)
            }
            Cost::Either(ways) => {
                let mut ways = ways.iter();
                ways.any(|way| way.iter().all(|cost| self.can_pay_one(scene, id, cost)))
            }
            Cost::Action => self.may_act_by(id),
            Cost::ChargeOf(_) | Cost::Energy(_) | Cost::Die(_) | Cost::FlipThis | Cost::HarderManeuver(_) => false,
        }
    }

    /// Pays a price that can be paid.
    pub(super) fn pay(&mut self, resolving: &super::Resolving, costs: &[Cost], dice: &mut dyn DiceSource) {
        let id = resolving.effect;
        for cost in costs {
            let most = |amount: &Amount| amount.at_most().map_or(0, u32::from);
            let who = |battle: &Battle, selector| {
                let scene = battle.scene(id, &resolving.occasion, &resolving.chosen, resolving.each);
                scene.select(selector).unwrap_or_default()
            };
            match cost {
                Cost::Charge(amount) => self.change_charges(id, -i64::from(most(amount))),
                Cost::Force(amount) => {
                    let force = &mut self.table.ships[id.ship].tokens.force;
                    *force = force.saturating_sub(most(amount));
                    self.record_tokens(id.ship);
                }
                Cost::Shield(amount) => {
                    for _ in 0..most(amount) {
                        self.lose_shield(id.ship);
                    }
                }
                Cost::Spend(spend) => {
                    let Some(&from) = who(self, &spend.from).first() else {
                        continue;
                    };
                    match spend.on.as_ref().map(|on| who(self, on)) {
                        Some(on) => {
                            for on in on {
                                let gone = self.table.ships[on].id.clone();
                                self.table.ships[from].locks.retain(|lock| *lock != gone);
                            }
                        }
                        None => {
                            let scene = self.scene(id, &resolving.occasion, &resolving.chosen, resolving.each);
                            let kinds = self.kinds_held(&scene, &spend.token.0, from);
                            for kind in kinds {
                                if self.take(from, kind, most(&spend.n)) > 0 {
                                    break;
                                }
                            }
                        }
                    }
                }
                Cost::Gain(gain) => {
                    for ship in who(self, &gain.who) {
                        for (kind, count) in [
                            (TokenWord::Stress, gain.stress),
                            (TokenWord::Strain, gain.strain),
                            (TokenWord::Deplete, gain.deplete),
                            (TokenWord::Disarm, gain.disarm),
                            (TokenWord::Ion, gain.ion),
                            (TokenWord::Tractor, gain.tractor),
                        ] {
                            self.gain_tokens(ship, kind, u32::from(count), id.ship);
                        }
                    }
                }
                Cost::Suffer(suffer) => {
                    for ship in who(self, &suffer.who) {
                        let damage = Damage {
                            hits: suffer.hit,
                            crits: suffer.crit,
                        };
                        self.suffer(ship, damage, dice);
                    }
                }
                Cost::Expose(amount) => self.expose(id.ship, most(amount), dice),
                Cost::Action => self.act_by(id),
                // These cannot be paid here, so no effect with them comes so far.
                _ => {}
            }
        }
    }
}
