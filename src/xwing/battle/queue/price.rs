//! What effects cost: all of it or nothing, paid when the effect resolves.

use super::EffectId;
use crate::{
    dice::DiceSource,
    xwing::{
        battle::{Battle, conditions::Scene},
        damage_deck::Damage,
        effects::{Amount, Cost, Effect, TokenWord},
        weapon::Charges,
    },
};

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
        let card = self.fighters[id.ship].cards.get(id.card)?;
        card.charges.or_else(|| {
            let mut weapons = self.table.ships[id.ship].weapons.iter();
            let weapon = weapons.find(|weapon| weapon.id == card.id.xws)?;
            weapon.special.as_ref()?.charges
        })
    }

    /// Changes the charges of an effect's card by so many, within what the card has.
    pub(super) fn change_charges(&mut self, id: EffectId, by: i64) {
        let change = |charges: &mut Charges| {
            let left = i64::from(charges.left) + by;
            charges.left = u32::try_from(left.max(0)).unwrap_or(u32::MAX).min(charges.max);
        };
        let Some(card) = self.fighters[id.ship].cards.get_mut(id.card) else {
            return;
        };
        let left = match &mut card.charges {
            Some(charges) => {
                change(charges);
                charges.left
            }
            None => {
                let mut weapons = self.table.ships[id.ship].weapons.iter_mut();
                let weapon = weapons.find(|weapon| weapon.id == card.id.xws);
                let charges = weapon.and_then(|weapon| weapon.special.as_mut()?.charges.as_mut());
                let Some(charges) = charges else { return };
                change(charges);
                charges.left
            }
        };
        self.events.push(crate::xwing::battle::Event::CardCharges {
            ship: self.table.ships[id.ship].id.clone(),
            card: self.card_id(id),
            left,
        });
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
            Cost::Action
            | Cost::ChargeOf(_)
            | Cost::Energy(_)
            | Cost::Die(_)
            | Cost::FlipThis
            | Cost::HarderManeuver(_) => false,
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
                // These cannot be paid here, so no effect with them comes so far.
                _ => {}
            }
        }
    }
}
