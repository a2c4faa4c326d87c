//! Who attacks whom with what.

use std::borrow::Cow;

use super::{
    super::{AttackOrder, Battle, Event, NoAttack, Refused, conditions::AttackScene},
    Course, Duel, Windows,
    bonus::{BonusAnswer, Fired},
};
use crate::{
    dice::{AttackFace, DiceSource},
    xwing::{
        ObjectId,
        combat::{AttackDice, Spending, contest::Side},
        measure::{self, Object},
        targeting::{self, LegalTarget},
        weapon::{Requirement, WeaponArc},
    },
};

impl Battle {
    /// Whether a ship can attack anybody with anything.
    pub(in crate::xwing::battle) fn has_target(&self, index: usize) -> bool {
        let ship = &self.table.ships[index];
        let targets = self.table.ships.iter().zip(&self.fighters);
        targets
            .filter(|(other, fighter)| other.in_play() && other.is_enemy_of(ship) && !fighter.integrity.is_destroyed())
            .any(|(other, _)| {
                let mut weapons = ship.weapons.iter();
                weapons.any(|weapon| targeting::legal_target(&self.table.rules, ship, weapon, other).is_some())
            })
    }

    pub(in crate::xwing::battle) fn declare(
        &mut self,
        id: &str,
        order: Option<AttackOrder>,
        dice: &mut dyn DiceSource,
    ) -> Result<(), Refused> {
        let index = self.asked(id)?;
        let bonus = match self.answer_bonus(index, order.as_ref())? {
            BonusAnswer::None => None,
            BonusAnswer::Declined => return Ok(()),
            BonusAnswer::Taken(taken) => Some(taken),
        };
        let ship = &self.table.ships[index];
        let attacker = ship.id.clone();
        let Some(AttackOrder { weapon, target }) = order else {
            let (ship, cause) = (attacker, NoAttack::Declined);
            self.events.push(Event::HeldFire { ship, cause });
            return Ok(());
        };
        let refuse = |why| Refused::Attack {
            ship: attacker.clone(),
            why,
        };
        let arms = ship
            .weapons
            .get(weapon)
            .ok_or_else(|| refuse("it has no such weapon"))?;
        let other = self.index(&target).ok_or_else(|| refuse("there is no such ship"))?;
        let defender = &self.table.ships[other];
        if !defender.in_play() || !defender.is_enemy_of(ship) || self.fighters[other].integrity.is_destroyed() {
            return Err(refuse("that ship is no enemy in play"));
        }
        let waived = bonus.as_ref().is_some_and(|bonus| bonus.waived);
        let free = bonus.as_ref().is_some_and(|bonus| bonus.free);
        let mut fired = Cow::Borrowed(arms);
        if waived {
            fired = Cow::Owned(fired.without_requirement());
        }
        if free {
            fired = Cow::Owned(fired.without_charges());
        }
        let legal = targeting::legal_target(&self.table.rules, ship, &fired, defender)
            .ok_or_else(|| refuse("the ship is not in arc and range, or the weapon is not ready"))?;
        let legal = LegalTarget {
            range: self.treated_range(index, legal.range),
            ..legal
        };
        // What the header asks for and the ship has not is ignored at a price.
        let asks =
            !waived && targeting::legal_target(&self.table.rules, ship, &fired.without_waivers(), defender).is_none();
        let waiver = asks.then(|| self.waiver(index, weapon, other)).flatten();
        let turret = matches!(arms.arc, WeaponArc::SingleTurret | WeaponArc::DoubleTurret);
        // What is paid for the attack is not there for its dice.
        self.pay_waiver(index, waiver.unwrap_or(0));
        if !waived && waiver.is_none() {
            self.pay_header(index, weapon, &target);
        }
        let (ship, defender) = (&self.table.ships[index], &self.table.ships[other]);
        let mut obstructing = measure::obstructing(&self.table, ship, defender, legal.arc);
        if self.sees_past_obstacles(index, other, weapon, &legal) {
            let here = |id: &ObjectId| {
                let obstacle = self.table.obstacles.iter().find(|obstacle| obstacle.id == *id);
                obstacle.is_none_or(|obstacle| {
                    let distance = measure::distance(ship.size, ship.pose, &Object::Obstacle(obstacle));
                    measure::range(distance) == Some(0)
                })
            };
            obstructing.retain(here);
        }
        let obstructed = !obstructing.is_empty();
        let pools = self.pools(ship, defender, &ship.weapons[weapon], &legal, obstructed);
        let scene = AttackScene {
            attacker: index,
            defender: other,
            weapon,
            range: legal.range,
            arc: legal.arc,
            obstructing: &obstructing,
        };
        let cards = self.contested(scene, &pools);
        self.fired.push(Fired {
            attacker: attacker.clone(),
            target: target.clone(),
            arc: legal.arc,
            turret,
        });
        self.duel = Some(Duel {
            attacker,
            defender: target,
            weapon,
            target: legal,
            obstructed,
            bonus: bonus.is_some(),
            pools,
            dice: AttackDice::default(),
            defence: None,
            spent: Spending::default(),
            settled: [0; 2],
            locks_spent: 0,
            windows: cards.map(Windows::new),
            course: Course::default(),
            gains_after: bonus.map(|bonus| bonus.gains_after).unwrap_or_default(),
        });
        let special = self.table.ships[index].weapons[weapon].special.as_mut();
        if let Some(special) = special.filter(|_| !free) {
            let count = 1 + special.permits.more_charges;
            if let Some(charges) = &mut special.charges {
                charges.left = charges.left.saturating_sub(count);
            }
        }
        self.tell_what_is_forbidden();
        if self.duel.as_ref().is_some_and(|duel| duel.windows.is_none()) {
            let rolled: Vec<AttackFace> = (0..pools.attack_dice).map(|_| dice.attack()).collect();
            self.attack_dice_fall(rolled);
        }
        Ok(())
    }

    /// FE-8.3: the cost of an attack is paid as it is declared: a lock or a focus token that the header asks for, where the
    /// weapon's text spends it. A lock that is spent so rerolls nothing (FE-6.13).
    fn pay_header(&mut self, index: usize, weapon: usize, target: &ObjectId) {
        let ship = &mut self.table.ships[index];
        let Some(special) = ship.weapons.get(weapon).and_then(|weapon| weapon.special.as_ref()) else {
            return;
        };
        if !special.spends {
            return;
        }
        let asks = |requirement| special.requires.contains(&requirement);
        if asks(Requirement::Lock) && ship.locks.contains(target) {
            ship.locks.retain(|lock| lock != target);
            let (ship, locks) = (ship.id.clone(), ship.locks.clone());
            self.events.push(Event::Locks { ship, locks });
        } else if asks(Requirement::Focus) && ship.tokens.focus > 0 {
            ship.tokens.focus -= 1;
            self.record_tokens(index);
        } else if asks(Requirement::Calculate) && ship.tokens.calculate > 0 {
            ship.tokens.calculate -= 1;
            self.record_tokens(index);
        }
    }

    /// What cards forbid in the attack is told before a die is rolled.
    fn tell_what_is_forbidden(&mut self) {
        let Some(duel) = &self.duel else { return };
        for forbidden in duel.windows.iter().flat_map(|windows| &windows.cards.forbidden) {
            let ship = match forbidden.side {
                Side::Attacker => &duel.attacker,
                Side::Defender => &duel.defender,
            };
            self.events.push(Event::Forbidden {
                ship: ship.clone(),
                owner: forbidden.owner.clone(),
                card: forbidden.card.clone(),
                ban: forbidden.ban,
            });
        }
    }

    /// The attack dice are rolled.
    pub(super) fn attack_dice_fall(&mut self, rolled: Vec<AttackFace>) {
        if let Some(duel) = &mut self.duel {
            duel.dice = AttackDice::rolled(&rolled);
            self.events.push(Event::Attacked {
                attacker: duel.attacker.clone(),
                defender: duel.defender.clone(),
                weapon: duel.weapon,
                range: duel.target.range,
                obstructed: duel.obstructed,
                bonus: duel.bonus,
                rolled,
            });
        }
    }
}
