//! Bonus attacks: who may make one after an attack, with which weapons, against whom. One a ship and round.

use super::{
    super::{
        AttackOrder, Battle, Refused, Request,
        conditions::{AttackScene, Chosen, Scene},
        occasion::{Happening, Occasion},
    },
    gather::Held,
    support::bonus_of,
};
use crate::xwing::{
    ObjectId,
    effects::{
        Amount, Cost, Effect, EffectRef, Predicate, Role, Window,
        predicate::ResultTest,
        primitive::{BonusAttack, BonusTarget},
    },
    measure::Arc,
    targeting::{self, LegalTarget},
};

/// An attack that is over.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fought {
    /// The attacker's place among the ships.
    pub attacker: usize,
    /// The defender's place.
    pub defender: usize,
    /// The weapon's place among the attacker's.
    pub weapon: usize,
    /// Attack range.
    pub range: u32,
    /// The arc of the attack.
    pub arc: Arc,
    /// Whether any result was left.
    pub hit: bool,
    /// Damage cards that the defender was dealt, face up or down.
    pub cards: usize,
    /// Damage cards that it was dealt face up.
    pub face_up: usize,
    /// Whether the defender was destroyed.
    pub destroyed: bool,
}

impl Fought {
    /// The attack as conditions ask about it.
    pub fn scene(&self) -> AttackScene<'static> {
        AttackScene {
            attacker: self.attacker,
            defender: self.defender,
            weapon: self.weapon,
            range: self.range,
            arc: self.arc,
            obstructing: &[],
        }
    }

    /// What is known of how it ended.
    pub fn ended(&self, test: &ResultTest) -> Option<bool> {
        Some(match test {
            ResultTest::Hit => self.hit,
            ResultTest::Miss => !self.hit,
            ResultTest::DefenderDestroyed => self.destroyed,
            ResultTest::CardDealt => self.cards > 0,
            ResultTest::FaceupCardDealt => self.face_up > 0,
            _ => return None,
        })
    }

    /// Whether that is known of every attack.
    pub fn tells(test: &ResultTest) -> bool {
        matches!(
            test,
            ResultTest::Hit
                | ResultTest::Miss
                | ResultTest::DefenderDestroyed
                | ResultTest::CardDealt
                | ResultTest::FaceupCardDealt
        )
    }
}

/// A bonus attack that a ship may make now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bonus {
    /// The ship.
    pub ship: ObjectId,
    /// The card that gives it.
    pub card: String,
    /// Weapons by their place, each with a target.
    pub allowed: Vec<(usize, ObjectId)>,
    price: Vec<(Held, u8)>,
    stress: u32,
}

impl Battle {
    /// The bonus attack that the ship which is asked for its attack may make; `None` when it is its ordinary attack.
    pub fn bonus(&self) -> Option<&Bonus> {
        self.bonus.as_ref()
    }

    /// Asks for a bonus attack, if an attack that is over gives anybody one: the defender before the attacker.
    pub(super) fn ask_for_bonus(&mut self) -> Option<Request> {
        let fought = self.fought?;
        for (ship, role) in [(fought.defender, Role::Defender), (fought.attacker, Role::Attacker)] {
            let (table, fighter) = (&self.table.ships[ship], &self.fighters[ship]);
            let ready = table.in_play()
                && !fighter.integrity.is_destroyed()
                && fighter.cards.has(Window::Aftermath)
                && !self.bonus_made.contains(&table.id)
                && targeting::blocked(&self.table, table).is_empty();
            if !ready {
                continue;
            }
            let found = fighter.cards.effects(Window::Aftermath, role).find_map(|coming| {
                let given = bonus_of(coming.effect)?;
                let bonus = self.bonus_by(&fought, ship, coming.at, coming.effect, given)?;
                Some(Bonus {
                    card: coming.card.id.to_string(),
                    ..bonus
                })
            });
            if let Some(bonus) = found {
                // It is offered once.
                self.bonus_made.push(bonus.ship.clone());
                let ship = bonus.ship.clone();
                self.bonus = Some(bonus);
                return Some(Request::Attack { ship });
            }
        }
        self.fought = None;
        None
    }

    fn bonus_by(
        &self,
        fought: &Fought,
        own: usize,
        at: EffectRef,
        effect: &Effect,
        given: &BonusAttack,
    ) -> Option<Bonus> {
        let (subject, other) = match own == fought.attacker {
            true => (fought.attacker, fought.defender),
            false => (fought.defender, fought.attacker),
        };
        let occasion = Occasion {
            id: 0,
            window: Window::Aftermath,
            subject: Some(subject),
            other: Some(other),
            what: Happening::Moment,
        };
        let chosen = Chosen::default();
        let scene = |weapon, range, arc, defender| Scene {
            table: &self.table,
            fighters: &self.fighters,
            own,
            card: Some(at.card),
            occasion: &occasion,
            subject: Some(subject),
            of_friends: false,
            attack: Some(AttackScene {
                attacker: own,
                defender,
                weapon,
                range,
                arc,
                obstructing: &[],
            }),
            chosen: &chosen,
            each: None,
            imagined: &[],
        };
        let over = Scene {
            attack: Some(fought.scene()),
            ..scene(fought.weapon, fought.range, fought.arc, fought.defender)
        };
        let holds = |condition: &Predicate| match condition {
            Predicate::Result(test) => fought.ended(test),
            condition => over.holds(condition),
        };
        if !effect.conditions.iter().all(|condition| holds(condition) == Some(true)) {
            return None;
        }
        let (price, stress) = self.bonus_price(own, at, &effect.cost)?;
        let target = |id: usize| match given.target {
            None => true,
            Some(BonusTarget::Other) => id != other,
            Some(BonusTarget::OtherOrSameIfMissed) => id != other || !fought.hit,
            Some(BonusTarget::Same) => id == other,
            Some(BonusTarget::Attacker) => id == fought.attacker,
            Some(BonusTarget::Defender) => id == fought.defender,
            Some(_) => false,
        };
        let ship = &self.table.ships[own];
        let mut allowed = Vec::new();
        for (place, weapon) in ship.weapons.iter().enumerate() {
            for (index, enemy) in self.table.ships.iter().enumerate() {
                let meant = enemy.in_play()
                    && enemy.is_enemy_of(ship)
                    && !self.fighters[index].integrity.is_destroyed()
                    && target(index);
                let legal = meant.then(|| targeting::legal_target(ship, weapon, enemy)).flatten();
                if let Some(LegalTarget { range, arc, .. }) = legal
                    && scene(place, range, arc, index).weapon(&given.weapon) == Some(true)
                {
                    allowed.push((place, enemy.id.clone()));
                }
            }
        }
        (!allowed.is_empty()).then(|| Bonus {
            ship: ship.id.clone(),
            card: String::new(),
            allowed,
            price,
            stress,
        })
    }

    /// What a bonus attack costs; `None` when the ship cannot pay.
    fn bonus_price(&self, own: usize, at: EffectRef, costs: &[Cost]) -> Option<(Vec<(Held, u8)>, u32)> {
        let (mut price, mut stress) = (Vec::new(), 0);
        for cost in costs {
            match cost {
                Cost::Charge(Amount::Fixed(count)) => {
                    let charges = self.fighters[own].cards.get(at.card)?.charges?;
                    if charges.left < u32::from(*count) {
                        return None;
                    }
                    price.push((Held::Charge(at.card), *count));
                }
                Cost::Force(Amount::Fixed(count)) => {
                    if self.table.ships[own].tokens.force < u32::from(*count) {
                        return None;
                    }
                    price.push((Held::Force, *count));
                }
                Cost::Gain(gain) if gain.who.is_own() => stress += u32::from(gain.stress),
                _ => return None,
            }
        }
        Some((price, stress))
    }

    /// Whether an order is the bonus attack that is offered; declining is no turn of the ship.
    pub(super) fn answer_bonus(&mut self, own: usize, order: Option<&AttackOrder>) -> Result<bool, Refused> {
        let Some(bonus) = &self.bonus else {
            return Ok(false);
        };
        let Some(order) = order else {
            self.bonus = None;
            return Ok(true);
        };
        let wanted = (order.weapon, order.target.clone());
        if !bonus.allowed.contains(&wanted) {
            return Err(Refused::Attack {
                ship: bonus.ship.clone(),
                why: "the card gives no such bonus attack",
            });
        }
        let bonus = self.bonus.take().map(|bonus| (bonus.price, bonus.stress));
        let (price, stress) = bonus.unwrap_or_default();
        for (held, count) in price {
            match held {
                Held::Charge(card) => self.spend_charge(own, card, u32::from(count)),
                _ => {
                    let force = &mut self.table.ships[own].tokens.force;
                    *force = force.saturating_sub(u32::from(count));
                    self.record_tokens(own);
                }
            }
        }
        if stress > 0 {
            self.table.ships[own].tokens.stress += stress;
            self.record_tokens(own);
        }
        Ok(true)
    }
}
