//! Bonus attacks: who may make one after an attack, with which weapons, against whom. One a ship and round.

use super::{
    super::{
        AttackOrder, Battle, Refused, Request,
        conditions::{AttackScene, Chosen, Scene},
        occasion::{Happening, Occasion},
        queue::places::place,
    },
    Course,
    gather::Held,
    support::{Given, bonus_of},
};
use crate::xwing::{
    ObjectId,
    effects::{
        Amount, Cost, Effect, EffectRef, Predicate, Role, TokenWord, Window, cost::Spend, predicate::ResultTest,
        primitive::BonusTarget,
    },
    measure::Arc,
    ship::Tokens,
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
    /// What else happened in it.
    pub course: Course,
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

    /// Ships have other places from now on.
    pub(in crate::xwing::battle) fn renumber(&mut self, places: &[usize]) {
        self.attacker = place(places, self.attacker);
        self.defender = place(places, self.defender);
    }

    /// What is known of how it ended.
    pub fn ended(&self, test: &ResultTest) -> Option<bool> {
        Some(match test {
            ResultTest::Hit => self.hit,
            ResultTest::Miss => !self.hit,
            ResultTest::DefenderDestroyed => self.destroyed,
            ResultTest::CardDealt => self.cards > 0,
            ResultTest::FaceupCardDealt => self.face_up > 0,
            ResultTest::Neutralized => self.course.neutralized,
            ResultTest::AttackerModifiedDice => self.course.modified,
            ResultTest::DiceNot(count) => self.course.defence_dice != *count,
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
                | ResultTest::Neutralized
                | ResultTest::AttackerModifiedDice
                | ResultTest::DiceNot(_)
        )
    }

    /// Calculate tokens, and green tokens, that a ship spent in it.
    pub fn spent(&self, ship: usize) -> (u8, u8) {
        let side = match ship {
            _ if ship == self.attacker => 0,
            _ if ship == self.defender => 1,
            _ => return (0, 0),
        };
        (self.course.calculate[side], self.course.green[side])
    }
}

/// An attack of this phase, as far as bonus attacks after it ask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fired {
    /// Who attacked.
    pub attacker: ObjectId,
    /// Whom.
    pub target: ObjectId,
    /// In which arc.
    pub arc: Arc,
    /// Whether it was the arc of a turret.
    pub turret: bool,
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
    gains: Tokens,
    taken: Taken,
}

/// A bonus attack that is made.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Taken {
    /// Whether the weapon's header asks for nothing in it.
    pub waived: bool,
    /// Whether its own charges are not paid: what the card asks for is paid instead.
    pub free: bool,
    /// Tokens that the attacker gains after it.
    pub gains_after: Vec<(TokenWord, u8)>,
}

/// What an order is while a bonus attack may be offered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum BonusAnswer {
    /// None is offered: it is the ship's ordinary attack.
    None,
    /// The bonus attack is not made.
    Declined,
    /// It is made.
    Taken(Taken),
}

impl Battle {
    /// The bonus attack that the ship which is asked for its attack may make; `None` when it is its ordinary attack.
    pub fn bonus(&self) -> Option<&Bonus> {
        self.bonus.as_ref()
    }

    /// A card gives a bonus attack whose price is paid.
    pub(in crate::xwing::battle) fn offer_bonus(
        &mut self,
        ship: ObjectId,
        card: String,
        allowed: Vec<(usize, ObjectId)>,
    ) {
        self.bonus = Some(Bonus {
            ship,
            card,
            allowed,
            price: Vec::new(),
            gains: Tokens::default(),
            taken: Taken::default(),
        });
    }

    /// Asks for a bonus attack, if an attack that is over gives anybody one: the defender before the attacker. What a bonus
    /// attack leads to comes first; then whoever is left of the attack that gave it.
    pub(super) fn ask_for_bonus(&mut self) -> Option<Request> {
        while let Some(&fought) = self.fought.last() {
            let request = self.bonus_after(fought);
            if request.is_some() {
                return request;
            }
            self.fought.pop();
        }
        None
    }

    /// Asks for a bonus attack that this attack gives.
    fn bonus_after(&mut self, fought: Fought) -> Option<Request> {
        for (ship, roles) in self.line_for_bonus(&fought) {
            if !self.fighters[ship].cards.has(Window::Aftermath) {
                continue;
            }
            self.renew_permits(ship);
            let (table, fighter) = (&self.table.ships[ship], &self.fighters[ship]);
            let ready = table.in_play()
                && !fighter.integrity.is_destroyed()
                && !self.bonus_made.contains(&table.id)
                && targeting::blocked(&self.table, table).is_empty();
            if !ready {
                continue;
            }
            let mut coming = roles.iter().flat_map(|role| {
                fighter
                    .cards
                    .effects(Window::Aftermath, *role)
                    .map(move |coming| (*role, coming))
            });
            let found = coming.find_map(|(role, coming)| {
                let given = bonus_of(coming.effect)?;
                let about = match role {
                    Role::Defender | Role::FriendDefends | Role::EnemyDefends => fought.defender,
                    _ => fought.attacker,
                };
                if coming.effect.on.other && about == ship {
                    return None;
                }
                let bonus = self.bonus_by(&fought, ship, about, coming.at, coming.effect, given)?;
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
        None
    }

    /// The ships that may make a bonus attack after an attack, with the parts that they have in it: the defender, its
    /// friends, the attacker, its friends.
    fn line_for_bonus(&self, fought: &Fought) -> Vec<(usize, &'static [Role])> {
        let ships = &self.table.ships;
        let friends = |of: usize| {
            let all = 0..ships.len();
            all.filter(move |&ship| ship != of && !ships[ship].is_enemy_of(&ships[of]))
        };
        let mut line: Vec<(usize, &'static [Role])> = vec![(
            fought.defender,
            &[Role::Defender, Role::FriendDefends, Role::EnemyAttacks],
        )];
        line.extend(friends(fought.defender).map(|ship| (ship, &[Role::FriendDefends, Role::EnemyAttacks][..])));
        line.push((
            fought.attacker,
            &[Role::Attacker, Role::FriendAttacks, Role::EnemyDefends],
        ));
        line.extend(friends(fought.attacker).map(|ship| (ship, &[Role::FriendAttacks, Role::EnemyDefends][..])));
        line
    }

    fn bonus_by(
        &self,
        fought: &Fought,
        own: usize,
        subject: usize,
        at: EffectRef,
        effect: &Effect,
        given: Given<'_>,
    ) -> Option<Bonus> {
        let other = match subject == fought.attacker {
            true => fought.defender,
            false => fought.attacker,
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
            of_friends: own != fought.attacker && own != fought.defender,
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
        let (price, gains) = self.bonus_price(own, other, at, &effect.cost)?;
        let chosen = match effect.choose.0.as_slice() {
            [] => None,
            [query, ..] => Some(over.query(query)?),
        };
        let ship = &self.table.ships[own];
        let fired = self.fired.iter().filter(|fired| fired.attacker == ship.id);
        let bonus = given.bonus;
        let target = |id: usize, arc: Arc| match bonus.target {
            None => true,
            Some(BonusTarget::Other) => id != fought.defender,
            Some(BonusTarget::OtherOrSameIfMissed) => id != fought.defender || !fought.hit,
            Some(BonusTarget::Same) => id == other,
            Some(BonusTarget::Attacker) => id == fought.attacker,
            Some(BonusTarget::Defender) => id == fought.defender,
            Some(BonusTarget::NotYetAttacked) => {
                let table = &self.table.ships[id].id;
                !fired.clone().any(|fired| fired.target == *table)
            }
            Some(BonusTarget::UnusedArc) => !fired.clone().any(|fired| fired.turret && fired.arc == arc),
            Some(_) => false,
        };
        let mut allowed = Vec::new();
        for (place, weapon) in ship.weapons.iter().enumerate() {
            let changed = match (given.waived, given.free) {
                (false, false) => None,
                (true, false) => Some(weapon.without_requirement()),
                (false, true) => Some(weapon.without_charges()),
                (true, true) => Some(weapon.without_requirement().without_charges()),
            };
            for (index, enemy) in self.table.ships.iter().enumerate() {
                let meant = enemy.in_play()
                    && enemy.is_enemy_of(ship)
                    && !self.fighters[index].integrity.is_destroyed()
                    && chosen.as_ref().is_none_or(|chosen| chosen.contains(&index));
                let weapon = changed.as_ref().unwrap_or(weapon);
                let legal = meant
                    .then(|| targeting::legal_target(&self.table.rules, ship, weapon, enemy))
                    .flatten();
                if let Some(LegalTarget { range, arc, .. }) = legal
                    && target(index, arc)
                    && (!given.another_weapon || place != fought.weapon)
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
            gains,
            taken: Taken {
                waived: given.waived,
                free: given.free,
                gains_after: given.gains_after,
            },
        })
    }

    /// What a bonus attack costs; `None` when the ship cannot pay.
    fn bonus_price(
        &self,
        own: usize,
        other: usize,
        at: EffectRef,
        costs: &[Cost],
    ) -> Option<(Vec<(Held, u8)>, Tokens)> {
        let (mut price, mut gains) = (Vec::new(), Tokens::default());
        for cost in costs {
            match cost {
                Cost::Charge(Amount::Fixed(count)) => {
                    if self.card_charges(own, at.card) < u32::from(*count) {
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
                Cost::Gain(gain) if gain.who.is_own() => {
                    gains.stress += u32::from(gain.stress);
                    gains.strain += u32::from(gain.strain);
                    gains.deplete += u32::from(gain.deplete);
                    gains.disarm += u32::from(gain.disarm);
                    gains.ion += u32::from(gain.ion);
                    gains.tractor += u32::from(gain.tractor);
                }
                Cost::Spend(spend) if is_own_lock(spend) => {
                    let (ship, on) = (&self.table.ships[own], &self.table.ships[other].id);
                    if !ship.locks.contains(on) {
                        return None;
                    }
                    price.push((Held::Lock, 1));
                }
                _ => return None,
            }
        }
        Some((price, gains))
    }

    /// Whether an order is the bonus attack that is offered; declining is no turn of the ship.
    pub(super) fn answer_bonus(&mut self, own: usize, order: Option<&AttackOrder>) -> Result<BonusAnswer, Refused> {
        let Some(bonus) = &self.bonus else {
            return Ok(BonusAnswer::None);
        };
        let Some(order) = order else {
            self.bonus = None;
            return Ok(BonusAnswer::Declined);
        };
        let wanted = (order.weapon, order.target.clone());
        if !bonus.allowed.contains(&wanted) {
            return Err(Refused::Attack {
                ship: bonus.ship.clone(),
                why: "the card gives no such bonus attack",
            });
        }
        let Some(bonus) = self.bonus.take() else {
            return Ok(BonusAnswer::None);
        };
        for (held, count) in bonus.price {
            match held {
                Held::Charge(card) => self.spend_charge(own, card, u32::from(count)),
                Held::Lock => {
                    let target = &order.target;
                    self.table.ships[own].locks.retain(|lock| lock != target);
                    self.record_locks(own);
                }
                _ => {
                    let force = &mut self.table.ships[own].tokens.force;
                    *force = force.saturating_sub(u32::from(count));
                    self.record_tokens(own);
                }
            }
        }
        self.add_tokens(own, &bonus.gains);
        Ok(BonusAnswer::Taken(bonus.taken))
    }
}

/// Whether the price is a lock of the own ship.
pub(super) fn is_own_lock(spend: &Spend) -> bool {
    spend.token.0 == [TokenWord::Lock] && spend.from.is_own() && spend.n.is_one() && spend.on.is_none()
}
