//! Attacks, saves and damage (SWM 1.6, 1.9, 1.10), one task after the other.

use super::{
    Refused, Request, Skirmish,
    event::{Against, Cause, Event},
};
use crate::{
    dice::D20Source,
    swm::{
        ability::{Against as Hits, Effect},
        figure::Figure,
        opponent::force,
        targets::{self, Stance},
    },
};

/// What comes of a save.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Then {
    /// Without it the figure takes damage.
    OrDamage(u16),
    /// With it the figure takes no damage of a hit; else it does.
    Avoid {
        attacker: String,
        damage: u16,
        reflects: bool,
        heals: bool,
    },
    /// With it the figure that was hit takes its damage after all; else an illusion was hit.
    SeesThrough { target: String, damage: u16 },
}

/// Something under way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Task {
    /// An attack.
    Attack {
        attacker: String,
        target: String,
        cause: Cause,
        stance: Stance,
        /// The die, once it is rolled, and whether it was repeated.
        rolled: Option<(u8, bool)>,
        /// Whether somebody was asked to repeat it.
        asked: bool,
    },
    /// A hit before its damage: the target may use a power.
    Hit {
        attacker: String,
        target: String,
        adjacent: bool,
        damage: u16,
    },
    /// A save.
    Save {
        figure: String,
        against: Against,
        needs: u8,
        then: Then,
        rolled: Option<(u8, bool)>,
        asked: bool,
    },
}

impl Task {
    pub(super) fn attack(attacker: &str, target: &str, cause: Cause, stance: Stance) -> Task {
        Task::Attack {
            attacker: attacker.to_owned(),
            target: target.to_owned(),
            cause,
            stance,
            rolled: None,
            asked: false,
        }
    }

    fn save(figure: &str, against: Against, needs: u8, then: Then) -> Task {
        Task::Save {
            figure: figure.to_owned(),
            against,
            needs,
            then,
            rolled: None,
            asked: false,
        }
    }
}

impl Skirmish {
    /// Goes on with the last task, up to a choice.
    pub(super) fn task_goes_on(&mut self, dice: &mut dyn D20Source) -> Option<Request> {
        match self.tasks.last().cloned()? {
            Task::Attack {
                attacker,
                target,
                cause,
                stance,
                rolled,
                asked,
            } => self.attack_goes_on((attacker, target, cause, stance), rolled, asked, dice),
            Task::Hit {
                attacker,
                target,
                adjacent,
                damage,
            } => self.hit_goes_on(&attacker, &target, adjacent, damage),
            Task::Save {
                figure,
                against,
                needs,
                then,
                rolled,
                asked,
            } => self.save_goes_on((figure, against, needs, then), rolled, asked, dice),
        }
    }

    fn attack_goes_on(
        &mut self,
        (attacker, target, cause, stance): (String, String, Cause, Stance),
        rolled: Option<(u8, bool)>,
        asked: bool,
        dice: &mut dyn D20Source,
    ) -> Option<Request> {
        let (Some(by), Some(on)) = (self.board.figure(&attacker), self.board.figure(&target)) else {
            self.tasks.pop();
            return None;
        };
        // Somebody was defeated meanwhile: a twin attack, or one out of turn, falls away.
        if !by.in_play() || !on.in_play() {
            self.tasks.pop();
            return None;
        }
        let (die, repeated) = match rolled {
            Some(rolled) => rolled,
            None => {
                let die = dice.d20();
                if let Some(Task::Attack { rolled, .. }) = self.tasks.last_mut() {
                    *rolled = Some((die, false));
                }
                return None;
            }
        };
        let adjacent = self.board.are_adjacent(by.space(), on.space());
        let covered = !self.board.cover(by, by.space(), on, &self.options).is_empty();
        let (mut bonus, damage) = targets::strength(by, on, adjacent, stance);
        if repeated {
            bonus += i16::from(force::bonus(by));
        }
        let defense = targets::defense(by, on, adjacent, covered);
        // SWM 1.6: 1 misses, 20 hits; criticals do double damage, but not to Droids.
        let hit = die == 20 || (die != 1 && i16::from(die) + bonus >= defense);
        let critical = die == 20 && !on.card.has(|effect| *effect == Effect::NoCriticals);
        if !hit && !asked && force::repeats(by, false) {
            if let Some(Task::Attack { asked, .. }) = self.tasks.last_mut() {
                *asked = true;
            }
            return Some(Request::Reroll {
                figure: attacker,
                rolled: die,
            });
        }
        let splash = by.card.effects().find_map(|effect| match effect {
            Effect::Splash { damage, save } => Some((*damage, *save)),
            _ => None,
        });
        let beside: Vec<String> = (self.board.figures().iter())
            .filter(|other| other.in_play() && other.id != target && self.board.are_adjacent(other.space(), on.space()))
            .map(|other| other.id.clone())
            .collect();
        let saves = on.card.effects().find_map(|effect| match effect {
            Effect::Evade { save } if !adjacent => Some(("Evade", *save)),
            Effect::Parry { save } if adjacent => Some(("Parry", *save)),
            _ => None,
        });
        self.events.push(Event::Attacked {
            attacker: attacker.clone(),
            target: target.clone(),
            cause,
            rolled: die,
            bonus,
            defense,
            repeated,
            hit,
            critical,
        });
        self.tasks.pop();
        if let Some((damage, save)) = splash {
            let reached = beside.iter().chain((!hit).then_some(&target));
            let saves: Vec<Task> = reached
                .map(|id| Task::save(id, Against::Ability("Splash".to_owned()), save, Then::OrDamage(damage)))
                .collect();
            self.tasks.extend(saves.into_iter().rev());
        }
        if hit {
            let damage = if critical { damage * 2 } else { damage };
            match saves {
                Some((name, save)) => {
                    let then = Then::Avoid {
                        attacker,
                        damage,
                        reflects: false,
                        heals: false,
                    };
                    self.tasks
                        .push(Task::save(&target, Against::Hit(name.to_owned()), save, then));
                }
                None => self.tasks.push(Task::Hit {
                    attacker,
                    target,
                    adjacent,
                    damage,
                }),
            }
        }
        None
    }

    /// Powers of a figure that fit a hit and that it can pay, with their costs.
    fn powers(&self, figure: &Figure, adjacent: bool) -> Vec<force::Power> {
        let fits = |effect: &&Effect| match effect {
            Effect::Avoid { against, .. } => match against {
                Hits::Melee => adjacent,
                Hits::Ranged => !adjacent,
                Hits::Any => true,
            },
            Effect::Illusion { .. } | Effect::Absorb { .. } => true,
            _ => false,
        };
        let all = figure.card.abilities.iter().flat_map(|ability| {
            let effects = ability.effects.iter().filter(fits);
            effects
                .map(|effect| (ability.name.clone(), effect.clone()))
                .collect::<Vec<_>>()
        });
        all.filter_map(|(name, effect)| {
            let (Effect::Avoid { cost, .. } | Effect::Illusion { cost, .. } | Effect::Absorb { cost, .. }) = effect
            else {
                return None;
            };
            let cost = u16::from(cost);
            figure
                .may_spend_force(cost)
                .then_some(force::Power { name, cost, effect })
        })
        .collect()
    }

    fn hit_goes_on(&mut self, attacker: &str, target: &str, adjacent: bool, damage: u16) -> Option<Request> {
        let figure = self.board.figure(target)?;
        let powers = self.powers(figure, adjacent);
        if !powers.is_empty() {
            return Some(Request::Defend {
                figure: target.to_owned(),
                powers: powers.into_iter().map(|power| power.name).collect(),
            });
        }
        self.tasks.pop();
        self.strike(attacker, target, adjacent, damage);
        None
    }

    /// The answer of a figure that was hit.
    pub(super) fn defended(&mut self, power: Option<usize>) {
        let Some(Task::Hit {
            attacker,
            target,
            adjacent,
            damage,
        }) = self.tasks.pop()
        else {
            return;
        };
        let Some(figure) = self.board.figure(&target) else {
            return;
        };
        let chosen = power.and_then(|power| self.powers(figure, adjacent).into_iter().nth(power));
        let Some(power) = chosen else {
            self.strike(&attacker, &target, adjacent, damage);
            return;
        };
        self.spend_force(&target, power.cost);
        self.events.push(Event::Defended {
            figure: target.clone(),
            power: power.name.clone(),
        });
        let avoid = |save, reflects, heals| {
            let then = Then::Avoid {
                attacker: attacker.clone(),
                damage,
                reflects,
                heals,
            };
            Task::save(&target, Against::Hit(power.name.clone()), save, then)
        };
        let task = match power.effect {
            Effect::Avoid { save, reflects, .. } => avoid(save, reflects, false),
            Effect::Absorb { save, .. } => avoid(save, false, true),
            Effect::Illusion { save, .. } => {
                let then = Then::SeesThrough {
                    target: target.clone(),
                    damage,
                };
                Task::save(&attacker, Against::Illusion(target.clone()), save, then)
            }
            _ => return,
        };
        self.tasks.push(task);
    }

    fn save_goes_on(
        &mut self,
        (id, against, needs, then): (String, Against, u8, Then),
        rolled: Option<(u8, bool)>,
        asked: bool,
        dice: &mut dyn D20Source,
    ) -> Option<Request> {
        let Some(figure) = self.board.figure(&id).filter(|figure| figure.in_play()) else {
            self.tasks.pop();
            return None;
        };
        let (die, repeated) = match rolled {
            Some(rolled) => rolled,
            None => {
                let die = dice.d20();
                if let Some(Task::Save { rolled, .. }) = self.tasks.last_mut() {
                    *rolled = Some((die, false));
                }
                return None;
            }
        };
        let total = die + if repeated { force::bonus(figure) } else { 0 };
        let succeeds = total >= needs;
        if !succeeds && !asked && force::repeats(figure, false) {
            if let Some(Task::Save { asked, .. }) = self.tasks.last_mut() {
                *asked = true;
            }
            return Some(Request::Reroll {
                figure: id,
                rolled: die,
            });
        }
        self.tasks.pop();
        self.events.push(Event::Saved {
            figure: id.clone(),
            against,
            rolled: total,
            needs,
            repeated,
            succeeds,
        });
        match then {
            Then::OrDamage(damage) if !succeeds => self.damage(&id, damage),
            Then::OrDamage(_) => {}
            Then::Avoid {
                attacker,
                damage,
                reflects,
                heals,
            } => {
                if !succeeds {
                    let adjacent = self.are_adjacent(&attacker, &id);
                    self.strike(&attacker, &id, adjacent, damage);
                } else if reflects {
                    let against = Against::Ability("Lightsaber Reflect".to_owned());
                    self.tasks
                        .push(Task::save(&attacker, against, 11, Then::OrDamage(damage)));
                } else if heals {
                    self.heal(&id, damage);
                }
            }
            Then::SeesThrough { target, damage } if succeeds => {
                let adjacent = self.are_adjacent(&id, &target);
                self.strike(&id, &target, adjacent, damage);
            }
            Then::SeesThrough { .. } => {}
        }
        None
    }

    fn are_adjacent(&self, a: &str, b: &str) -> bool {
        match (self.board.figure(a), self.board.figure(b)) {
            (Some(a), Some(b)) => self.board.are_adjacent(a.space(), b.space()),
            _ => false,
        }
    }

    /// The answer of a figure whose roll went against it.
    pub(super) fn rerolled(&mut self, repeats: bool, dice: &mut dyn D20Source) {
        let figure = match self.tasks.last() {
            Some(Task::Attack { attacker, .. }) => attacker.clone(),
            Some(Task::Save { figure, .. }) => figure.clone(),
            _ => return,
        };
        if !repeats {
            return;
        }
        self.spend_force(&figure, 1);
        let die = dice.d20();
        if let Some(Task::Attack { rolled, .. } | Task::Save { rolled, .. }) = self.tasks.last_mut() {
            *rolled = Some((die, true));
        }
    }

    /// A hit comes through.
    fn strike(&mut self, attacker: &str, target: &str, adjacent: bool, damage: u16) {
        let Some(figure) = self.board.figure(target) else {
            return;
        };
        let living = figure.card.living;
        let riposte = figure.card.effects().find_map(|effect| match effect {
            Effect::Riposte { cost } => Some(u16::from(*cost)),
            _ => None,
        });
        let riposte = riposte.filter(|&cost| adjacent && figure.may_spend_force(cost));
        let by = self.board.figure(attacker).cloned();
        let poison = by.as_ref().and_then(|by| {
            by.card.effects().find_map(|effect| match effect {
                Effect::Poison {
                    damage,
                    save,
                    at_any_range,
                } if living && (adjacent || *at_any_range) => Some((*damage, *save)),
                _ => None,
            })
        });
        self.damage(target, damage);
        let down = !self.board.figure(target).is_some_and(Figure::in_play);
        if down {
            let cleaves = by.is_some_and(|by| by.card.has(|effect| *effect == Effect::Cleave));
            if let Some(turn) = self
                .turn
                .as_mut()
                .filter(|turn| turn.figure == attacker && adjacent && cleaves)
            {
                turn.may_cleave = true;
            }
            return;
        }
        if let Some((damage, save)) = poison {
            let against = Against::Ability("Poison".to_owned());
            self.tasks
                .push(Task::save(target, against, save, Then::OrDamage(damage)));
        }
        if let Some(cost) = riposte {
            self.spend_force(target, cost);
            let stance = Stance {
                moved: false,
                stays: false,
                charged: false,
            };
            self.tasks.push(Task::attack(target, attacker, Cause::Riposte, stance));
        }
    }

    fn damage(&mut self, id: &str, damage: u16) {
        let Some(figure) = self.board.figure_mut(id).filter(|figure| figure.in_play()) else {
            return;
        };
        let less: u16 = figure
            .card
            .effects()
            .map(|effect| match effect {
                Effect::DamageReduction(less) => *less,
                _ => 0,
            })
            .sum();
        let damage = damage.saturating_sub(less);
        if damage == 0 {
            return;
        }
        figure.hit_points = figure.hit_points.saturating_sub(damage);
        let left = figure.hit_points;
        self.events.push(Event::Damaged {
            figure: id.to_owned(),
            damage,
            left,
        });
        if left == 0 {
            self.events.push(Event::Defeated { figure: id.to_owned() });
        }
    }

    fn heal(&mut self, id: &str, points: u16) {
        let Some(figure) = self.board.figure_mut(id) else {
            return;
        };
        figure.hit_points = figure.card.hit_points.min(figure.hit_points + points);
        let left = figure.hit_points;
        self.events.push(Event::Healed {
            figure: id.to_owned(),
            left,
        });
    }

    /// An area attack in place of the attacks of a turn.
    pub(super) fn area(&mut self, ability: &str, target: &str) -> Result<(), Refused> {
        let Some(turn) = self.turn.clone() else {
            return Err(Refused::NotAsked);
        };
        let refuse = |why| Refused::Attack {
            figure: turn.figure.clone(),
            why,
        };
        let figure = self.board.figure(&turn.figure).ok_or(Refused::NotAsked)?.clone();
        let area = (figure.card.abilities.iter())
            .filter(|own| own.name == ability)
            .flat_map(|own| &own.effects)
            .find_map(|effect| match effect {
                Effect::Area { within, damage, save } => Some((*within, *damage, *save)),
                _ => None,
            });
        let (within, damage, save) = area.ok_or_else(|| refuse("it has no such area attack"))?;
        if turn.area || turn.attacks > 0 {
            return Err(refuse("an area attack replaces all its attacks"));
        }
        if turn.moved > figure.card.speed + if turn.force_move { super::FORCE_SQUARES } else { 0 } {
            return Err(refuse("it has made a double move"));
        }
        let seen = targets::sighted(&self.board, &figure, figure.space(), &self.options);
        let enemy = seen.iter().find(|enemy| enemy.figure.id == target && enemy.legal);
        let enemy = enemy.ok_or_else(|| refuse("that figure is no legal target"))?;
        if within.is_some_and(|most| enemy.range > most) {
            return Err(refuse("that figure is out of its range"));
        }
        let middle = enemy.figure.space();
        let affected: Vec<String> = (self.board.figures().iter())
            .filter(|other| other.in_play() && (other.id == target || self.board.are_adjacent(other.space(), middle)))
            .map(|other| other.id.clone())
            .collect();
        self.events.push(Event::Area {
            attacker: turn.figure.clone(),
            ability: ability.to_owned(),
            target: target.to_owned(),
            affected: affected.clone(),
        });
        let saves: Vec<Task> = (affected.iter())
            .map(|id| Task::save(id, Against::Ability(ability.to_owned()), save, Then::OrDamage(damage)))
            .collect();
        self.tasks.extend(saves.into_iter().rev());
        if let Some(turn) = &mut self.turn {
            turn.area = true;
        }
        Ok(())
    }
}
