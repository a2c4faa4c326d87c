//! What an effect costs in an attack, in all ways in which it may be paid.

use super::{Draft, Reading, at_least, faces};
use crate::xwing::{
    catalog::Catalog,
    combat::contest::{Change, HowMany, Price},
    effects::{
        Amount, CardKind, Cost, Query, Selector, State, TokenWord,
        cost::{ChargedCard, Suffer},
        selector::Party,
    },
    ship::Tokens,
};

use super::super::gather::{Held, Suffering};

impl Reading<'_, '_, '_> {
    /// The ways to pay all of it; `None` for a price that is not known, or that nobody can ever pay.
    pub(super) fn prices(&mut self, costs: &[Cost]) -> Option<Vec<Draft>> {
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

    /// The cards of the own ship whose charges pay, by their places.
    fn charged_cards(&self, word: ChargedCard) -> Option<Vec<usize>> {
        let own = self.own();
        let battle = self.gathering.battle;
        let slot = match word {
            ChargedCard::Torpedo => Some("Torpedo"),
            ChargedCard::Missile => Some("Missile"),
            ChargedCard::Weapon => None,
            ChargedCard::Astromech => return Some(self.upgrades_with_charges("Astromech")),
            ChargedCard::Illicit => return Some(self.upgrades_with_charges("Illicit")),
            ChargedCard::Upgrade => return None,
        };
        let fired = (own == self.gathering.attack.attacker).then_some(self.gathering.attack.weapon);
        let weapons = battle.table.ships[own].weapons.iter().enumerate();
        let meant = weapons.filter(|(place, weapon)| match slot {
            Some(slot) => weapon.special.as_ref().is_some_and(|special| special.slot == slot),
            None => Some(*place) == fired && weapon.special.is_some(),
        });
        let ids: Vec<&str> = meant.map(|(_, weapon)| weapon.id.as_str()).collect();
        let cards = battle.fighters[own].cards.iter().enumerate();
        let charged = cards.filter(|(_, card)| ids.contains(&card.id.xws.as_str()));
        Some(charged.map(|(place, _)| place).collect())
    }

    /// Upgrades of the own ship of a type, by their places, whose charges do not come back.
    fn upgrades_with_charges(&self, slot: &str) -> Vec<usize> {
        let catalog = Catalog::embedded();
        let cards = self.gathering.battle.fighters[self.own()].cards.iter().enumerate();
        let meant = cards.filter(|(_, card)| {
            let facts = (card.id.kind == CardKind::Upgrade)
                .then(|| catalog.upgrade(&card.id.xws))
                .flatten();
            let side = facts.and_then(|facts| facts.sides.get(usize::from(card.id.side)));
            card.charges.is_some() && card.recovers == 0 && side.is_some_and(|side| side.kind() == slot)
        });
        meant.map(|(place, _)| place).collect()
    }

    fn price(&mut self, way: &Draft, cost: &Cost) -> Option<Vec<Draft>> {
        let own = self.own();
        let mut way = way.clone();
        match cost {
            Cost::Charge(amount) => {
                let resource = self.gathering.resource(own, Held::Charge(self.at.card));
                let left = self.gathering.tools.resources.get(usize::from(resource))?.left;
                let counts = match amount {
                    Amount::Any => 1..=left,
                    Amount::Between(least, most) => *least..=left.min(*most),
                    amount => {
                        let count = self.number(amount)?;
                        count..=count
                    }
                };
                let ways = counts.map(|count| {
                    let mut way = way.clone();
                    way.price.push(Price::Spend { resource, count });
                    way.paid = Some(count);
                    way
                });
                return Some(ways.collect());
            }
            Cost::ChargeOf(charge) => {
                let count = self.number(&charge.n)?;
                let cards = self.charged_cards(charge.card)?;
                let ways = cards.into_iter().map(|card| {
                    let resource = self.gathering.resource(own, Held::Charge(card));
                    let mut way = way.clone();
                    way.price.push(Price::Spend { resource, count });
                    way
                });
                return Some(ways.collect());
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
                    let (from, held) = match word {
                        TokenWord::Lock => (from, Held::Lock),
                        // A lock on the opponent is the one that the own ship has.
                        TokenWord::EnemyLock if Some(from) == self.scene.other() => (own, Held::Lock),
                        TokenWord::EnemyLock => continue,
                        word => (from, Held::Token(*word)),
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
    pub(super) fn number(&self, amount: &Amount) -> Option<u8> {
        match amount {
            Amount::Fixed(count) => Some(*count),
            Amount::ForEach(query) => u8::try_from(self.count(query)?).ok(),
            _ => None,
        }
    }

    /// How many there are of what a query names: ships, tokens, or locks.
    pub(super) fn count(&self, query: &Query) -> Option<u32> {
        let tokens = |of: usize| {
            let words = query.state.iter().flat_map(|state| match state {
                State::Has(set) => set.0.clone(),
                State::Stressed => vec![TokenWord::Stress],
                _ => Vec::new(),
            });
            let counts: Option<Vec<u32>> = words.map(|word| self.scene.tokens(word, of)).collect();
            counts.map(|counts| counts.iter().sum())
        };
        match query.who {
            Party::OwnToken => tokens(self.own()),
            Party::OtherToken => tokens(self.scene.other()?),
            Party::FriendlyLockOnDefender => {
                let ships = &self.gathering.battle.table.ships;
                let (own, defender) = (&ships[self.own()], &ships[self.gathering.attack.defender].id);
                let locks = ships.iter().filter(|ship| ship.in_play() && !ship.is_enemy_of(own));
                Some(locks.filter(|ship| ship.locks.contains(defender)).count() as u32)
            }
            _ => self.scene.query(query).map(|found| found.len() as u32),
        }
    }

    pub(super) fn how_many(&self, n: Option<&Amount>, up_to: Option<&Amount>, paid: Option<u8>) -> Option<HowMany> {
        match (n, up_to) {
            (Some(Amount::Matching), None) => paid.map(HowMany::Exactly),
            (None, Some(Amount::Matching)) => paid.map(HowMany::UpTo),
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

    pub(super) fn one(&self, selector: &Selector) -> Option<usize> {
        match self.scene.select(selector)?.as_slice() {
            [one] => Some(*one),
            _ => None,
        }
    }
}
