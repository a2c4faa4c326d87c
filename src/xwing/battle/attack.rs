//! Attacks: the pools, the dice, what is spent, the damage.

use super::{AttackOrder, Battle, Event, NoAttack, Refused, Request, cards};
use crate::{
    dice::{AttackFace, DiceSource},
    xwing::{
        ObjectId,
        action::FullArc,
        combat::{
            self, Attack, AttackDice, AttackStep, AttackTokens, DamageRule, DefenceDice, DefenceTokens, Edition,
            MAX_DICE, Means, SpendFirst, Spending, Uncancelled,
        },
        damage_deck::{
            Damage,
            facts::{Pool, Window},
        },
        measure::{self, Arc, Object},
        ship::Ship,
        targeting::{self, LegalTarget},
        weapon::Weapon,
    },
};

/// An attack under way.
#[derive(Debug, Clone, PartialEq)]
pub struct Duel {
    /// The attacker.
    pub attacker: ObjectId,
    /// The defender.
    pub defender: ObjectId,
    /// The weapon's place among the attacker's.
    pub weapon: usize,
    /// Where and how far.
    pub target: LegalTarget,
    /// The pools, with what both sides still have to spend.
    pub pools: Attack,
    /// The attack dice as they lie.
    pub dice: AttackDice,
    /// The defence dice, when they are rolled.
    pub defence: Option<DefenceDice>,
}

impl Duel {
    pub(super) fn request(&self) -> Request {
        match self.defence {
            None => Request::ModifyAttack {
                ship: self.attacker.clone(),
            },
            Some(_) => Request::ModifyDefence {
                ship: self.defender.clone(),
            },
        }
    }

    /// The results that the defender's evades meet.
    pub fn results(&self) -> Uncancelled {
        Uncancelled {
            hits: self.dice.hits,
            crits: self.dice.crits,
        }
    }
}

/// A count of tokens or dice as pools have it.
fn few(count: u32) -> u8 {
    u8::try_from(count).unwrap_or(MAX_DICE).min(MAX_DICE)
}

impl Battle {
    /// The pools of an attack as it would be made: range, obstruction, tokens and damage cards counted in. The ships may
    /// stand, or have tokens, as somebody imagines.
    pub fn pools(
        &self,
        attacker: &Ship,
        defender: &Ship,
        weapon: &Weapon,
        target: &LegalTarget,
        obstructed: bool,
    ) -> Attack {
        let (ours, theirs) = (self.fighter(&attacker.id), self.fighter(&defender.id));
        let bonus = weapon.has_range_bonus();
        let near = i64::from(bonus && target.range <= 1);
        let far = i64::from(bonus && target.range == 3);
        let card = |fighter: Option<&super::Fighter>, window, pool| {
            fighter.map_or(0, |fighter| cards::dice_change(fighter, self.facts, window, pool))
        };
        let attack = i64::from(weapon.value) + near + card(ours, Window::AttackRoll, Pool::Attack)
            - i64::from(attacker.tokens.deplete > 0);
        let tractored = defender.tokens.tractor >= defender.size.ion_limit();
        let defence = i64::from(theirs.map_or(0, |fighter| fighter.agility))
            + far
            + i64::from(obstructed)
            + 2 * i64::from(defender.tokens.cloak > 0)
            + card(theirs, Window::DefenseRoll, Pool::Defence)
            - i64::from(defender.tokens.strain > 0)
            - i64::from(tractored);
        let dice = |count: i64| few(u32::try_from(count).unwrap_or(0));
        let (a, d) = (&attacker.tokens, &defender.tokens);
        let blinded = ours.is_some_and(|fighter| cards::only_force(fighter, self.facts));
        let unless_blinded = |count: u32| if blinded { 0 } else { few(count) };
        let in_arc = |arc: &&FullArc| {
            let arc = match arc {
                FullArc::Fore => Arc::FullFront,
                FullArc::Aft => Arc::FullRear,
            };
            measure::in_arc(defender.size, defender.pose, arc, &Object::Ship(attacker))
        };
        let reinforced = theirs.map_or(0, |fighter| fighter.reinforced.iter().filter(in_arc).count());
        Attack {
            edition: Edition::Second,
            attack_dice: dice(attack),
            attack_tokens: AttackTokens {
                focus: unless_blinded(a.focus),
                lock: unless_blinded(u32::from(attacker.locks.contains(&defender.id))),
                calculate: unless_blinded(a.calculate),
                force: few(a.force),
            },
            defence_dice: dice(defence),
            defence_tokens: DefenceTokens {
                focus: few(d.focus),
                evade: few(d.evade),
                calculate: few(d.calculate),
                force: few(d.force),
                reinforce: few(reinforced as u32),
            },
            rule: DamageRule::Results,
        }
    }

    /// Whether a ship can attack anybody with anything.
    pub(super) fn has_target(&self, index: usize) -> bool {
        let ship = &self.table.ships[index];
        let targets = self.table.ships.iter().zip(&self.fighters);
        targets
            .filter(|(other, fighter)| other.in_play() && other.is_enemy_of(ship) && !fighter.integrity.is_destroyed())
            .any(|(other, _)| {
                let mut weapons = ship.weapons.iter();
                weapons.any(|weapon| targeting::legal_target(ship, weapon, other).is_some())
            })
    }

    pub(super) fn declare(
        &mut self,
        id: &str,
        order: Option<AttackOrder>,
        dice: &mut dyn DiceSource,
    ) -> Result<(), Refused> {
        let index = self.asked(id)?;
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
        let legal = targeting::legal_target(ship, arms, defender)
            .ok_or_else(|| refuse("the ship is not in arc and range, or the weapon is not ready"))?;
        let obstructed = measure::obstructed(&self.table, ship, defender, legal.arc);
        let pools = self.pools(ship, defender, arms, &legal, obstructed);
        let rolled: Vec<AttackFace> = (0..pools.attack_dice).map(|_| dice.attack()).collect();
        self.events.push(Event::Attacked {
            attacker: attacker.clone(),
            defender: target.clone(),
            weapon,
            range: legal.range,
            obstructed,
            rolled: rolled.clone(),
        });
        self.duel = Some(Duel {
            attacker,
            defender: target,
            weapon,
            target: legal,
            pools,
            dice: AttackDice::rolled(&rolled),
            defence: None,
        });
        let special = self.table.ships[index].weapons[weapon].special.as_mut();
        if let Some(charges) = special.and_then(|special| special.charges.as_mut()) {
            charges.left = charges.left.saturating_sub(1);
        }
        Ok(())
    }

    pub(super) fn modify_attack(
        &mut self,
        id: &str,
        step: AttackStep,
        dice: &mut dyn DiceSource,
    ) -> Result<(), Refused> {
        let index = self.asked(id)?;
        let attacker = self.table.ships[index].id.clone();
        let refused = Refused::Spending { ship: attacker.clone() };
        let Some(duel) = &mut self.duel else {
            return Err(Refused::NotAsked);
        };
        let mut rerolled = Vec::new();
        match step {
            AttackStep::Reroll { means, focuses, blanks } => {
                let there = focuses <= duel.dice.focuses && blanks <= duel.dice.blanks;
                if means != Means::Lock || duel.pools.attack_tokens.lock == 0 || !there {
                    return Err(refused);
                }
                rerolled = (0..focuses + blanks).map(|_| dice.attack()).collect();
                duel.dice = duel.dice.rerolled(focuses, blanks, &rerolled);
                duel.pools.attack_tokens.lock -= 1;
                let defender = duel.defender.clone();
                self.table.ships[index].locks.retain(|lock| *lock != defender);
            }
            AttackStep::Finish { spending, changed } => {
                let have = duel.pools.attack_tokens;
                let focuses = duel.dice.focuses + duel.dice.rerolled_focuses;
                let singles = spending.calculate + spending.force;
                let most = if spending.focus > 0 {
                    focuses
                } else {
                    focuses.min(singles)
                };
                let fits = spending.focus <= have.focus
                    && spending.calculate <= have.calculate
                    && spending.force <= have.force
                    && spending.lock == 0
                    && spending.evade == 0
                    && changed <= most;
                if !fits {
                    return Err(refused);
                }
                duel.dice.hits += changed;
                let rolled: Vec<_> = (0..duel.pools.defence_dice).map(|_| dice.defence()).collect();
                duel.defence = Some(DefenceDice::rolled(&rolled));
                let defender = duel.defender.clone();
                self.events.push(Event::AttackModified {
                    attacker,
                    step,
                    rerolled,
                });
                self.events.push(Event::Defended { defender, rolled });
                self.spend(index, spending);
                return Ok(());
            }
        }
        self.events.push(Event::AttackModified {
            attacker,
            step,
            rerolled,
        });
        Ok(())
    }

    pub(super) fn modify_defence(
        &mut self,
        id: &str,
        spending: Spending,
        dice: &mut dyn DiceSource,
    ) -> Result<(), Refused> {
        let index = self.asked(id)?;
        let Some(duel) = self.duel.clone() else {
            return Err(Refused::NotAsked);
        };
        let Attack {
            edition,
            rule,
            defence_tokens,
            ..
        } = duel.pools;
        let lying = duel.defence.unwrap_or_default();
        let choice = combat::defence::choose(
            edition,
            rule,
            duel.results(),
            lying,
            defence_tokens,
            SpendFirst::default(),
        );
        let option = choice.options.iter().find(|option| option.spending == spending);
        let option = option.ok_or_else(|| Refused::Spending {
            ship: duel.defender.clone(),
        })?;
        let damage = Damage {
            hits: option.damage.hits,
            crits: option.damage.crits,
        };
        self.duel = None;
        self.spend(index, spending);
        self.events.push(Event::AttackResolved {
            attacker: duel.attacker.clone(),
            defender: duel.defender,
            spent: spending,
            damage,
        });
        if self.table.ships[index].tokens.strain > 0 {
            self.table.ships[index].tokens.strain -= 1;
            self.record_tokens(index);
        }
        let attacker = self.asked(&duel.attacker)?;
        if self.table.ships[attacker].tokens.deplete > 0 {
            self.table.ships[attacker].tokens.deplete -= 1;
            self.record_tokens(attacker);
        }
        if damage != Damage::default() {
            self.suffer(index, damage, dice);
        }
        Ok(())
    }

    fn spend(&mut self, index: usize, spending: Spending) {
        if spending.count() == 0 {
            return;
        }
        let tokens = &mut self.table.ships[index].tokens;
        for (count, spent) in [
            (&mut tokens.focus, spending.focus),
            (&mut tokens.calculate, spending.calculate),
            (&mut tokens.force, spending.force),
            (&mut tokens.evade, spending.evade),
        ] {
            *count = count.saturating_sub(u32::from(spent));
        }
        self.record_tokens(index);
    }
}
