//! Attacks, saves and damage (SWM 1.6, 1.9, 1.10), one task after the other.

use super::{
    Refused, Request, Skirmish,
    event::{Against, Cause, Event},
    turn::{OUT_OF_TURN, TurnState},
};
use crate::{
    dice::D20Source,
    swm::{
        ability::{Against as Hits, Effect},
        area,
        figure::Figure,
        opponent::force,
        targets::{self, Stance},
    },
};

/// A die that was rolled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Die {
    shows: u8,
    /// Whether it was repeated with the Force.
    repeated: bool,
    /// Whether somebody was asked to repeat it.
    asked: bool,
}

/// An attack under way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Attack {
    attacker: String,
    target: String,
    cause: Cause,
    stance: Stance,
    /// What combined fire adds.
    combined: i16,
    die: Option<Die>,
}

/// A hit before its damage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Hit {
    pub attacker: String,
    pub target: String,
    pub adjacent: bool,
    pub damage: u16,
    /// Powers that were used against it and failed.
    used: Vec<String>,
}

/// What comes of a save.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Then {
    /// Without it the figure takes damage.
    OrDamage(u16),
    /// With it the figure takes no damage of a hit; else the hit goes on.
    Avoid {
        hit: Hit,
        /// The attacker takes the damage on a save.
        reflects: Option<String>,
        heals: bool,
    },
    /// With it the figure that was hit takes its damage after all; else an illusion was hit.
    SeesThrough(Hit),
}

/// Something under way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Task {
    /// An attack.
    Attack(Attack),
    /// A hit before its damage: the target may use a power.
    Hit(Hit),
    /// A save.
    Save {
        figure: String,
        against: Against,
        needs: u8,
        then: Then,
        die: Option<Die>,
    },
    /// Damage before it is taken: a friend may take it, and the players may know better.
    Damage {
        figure: String,
        damage: u16,
        hit: Option<Hit>,
        /// Friends that let it pass.
        passed: Vec<String>,
        /// Whether the players were asked how much of it is left.
        settled: bool,
    },
    /// A figure that was hit may attack back.
    Riposte {
        figure: String,
        attacker: String,
        cost: u16,
    },
}

impl Task {
    pub(super) fn attack(attacker: &str, target: &str, cause: Cause, stance: Stance) -> Task {
        Task::combined_attack(attacker, target, cause, stance, 0)
    }

    pub(super) fn combined_attack(attacker: &str, target: &str, cause: Cause, stance: Stance, combined: i16) -> Task {
        Task::Attack(Attack {
            attacker: attacker.to_owned(),
            target: target.to_owned(),
            cause,
            stance,
            combined,
            die: None,
        })
    }

    fn save(figure: &str, against: Against, needs: u8, then: Then) -> Task {
        Task::Save {
            figure: figure.to_owned(),
            against,
            needs,
            then,
            die: None,
        }
    }

    fn damage(figure: &str, damage: u16, hit: Option<Hit>) -> Task {
        Task::Damage {
            figure: figure.to_owned(),
            damage,
            hit,
            passed: Vec::new(),
            settled: false,
        }
    }
}

impl Skirmish {
    /// Goes on with the last task, up to a choice.
    pub(super) fn task_goes_on(&mut self, dice: &mut dyn D20Source) -> Option<Request> {
        match self.tasks.last().cloned()? {
            Task::Attack(attack) => self.attack_goes_on(attack, dice),
            Task::Hit(hit) => self.hit_goes_on(hit),
            Task::Save {
                figure,
                against,
                needs,
                then,
                die,
            } => self.save_goes_on((figure, against, needs, then), die, dice),
            Task::Damage {
                figure,
                damage,
                hit,
                passed,
                settled,
            } => self.damage_goes_on((figure, damage, hit), &passed, settled),
            Task::Riposte { figure, attacker, .. } => {
                let here = |id: &str| self.board.figure(id).is_some_and(Figure::in_play);
                if here(&figure) && here(&attacker) {
                    return Some(Request::Riposte { figure, attacker });
                }
                self.tasks.pop();
                None
            }
        }
    }

    /// Whether an attack counts as one on an adjacent enemy: Melee Reach makes it so on the figure's own turn.
    fn counts_as_adjacent(&self, by: &Figure, on: &Figure, cause: Cause) -> bool {
        if self.board.are_adjacent(by.space(), on.space()) {
            return true;
        }
        let reach = by.card.number(|effect| match effect {
            Effect::Reach(squares) => Some(*squares),
            _ => None,
        });
        let own_turn = matches!(cause, Cause::Turn | Cause::Twin | Cause::Power);
        let range = || self.board.ranges(on.space()).to_space(by.space());
        own_turn && reach.is_some_and(|reach| range().is_some_and(|range| range <= reach))
    }

    fn attack_goes_on(&mut self, attack: Attack, dice: &mut dyn D20Source) -> Option<Request> {
        let (Some(by), Some(on)) = (self.board.figure(&attack.attacker), self.board.figure(&attack.target)) else {
            self.tasks.pop();
            return None;
        };
        // Somebody was defeated meanwhile: a twin attack, or one out of turn, falls away.
        if !by.in_play() || !on.in_play() {
            self.tasks.pop();
            return None;
        }
        let Some(die) = attack.die else {
            self.rolled(dice.d20(), false);
            return None;
        };
        let Attack {
            attacker,
            target,
            cause,
            stance,
            combined,
            ..
        } = attack;
        let adjacent = self.counts_as_adjacent(by, on, cause);
        let covered = !adjacent
            && (self.board).is_covered(
                by.space(),
                on.space(),
                &self.board.screens_without(by, on),
                &self.options,
            );
        let (mut bonus, damage) = targets::strength(by, on, adjacent, stance);
        bonus += combined;
        if die.repeated {
            bonus += i16::from(force::bonus(by));
        }
        let defense = targets::defense(by, on, adjacent, covered);
        // SWM 1.6: 1 misses, 20 hits; criticals do double damage, but not to Droids.
        let hit = die.shows == 20 || (die.shows != 1 && i16::from(die.shows) + bonus >= defense);
        let critical = die.shows == 20 && !on.card.has(|effect| *effect == Effect::NoCriticals);
        if !hit && !die.asked && force::repeats(by, false) {
            let request = Request::Reroll {
                figure: attacker,
                rolled: die.shows,
                bonus,
                needs: defense,
                attack: true,
            };
            self.asks();
            return Some(request);
        }
        let splash = by.card.number(|effect| match effect {
            Effect::Splash { damage, save } => Some((*damage, *save)),
            _ => None,
        });
        let beside: Vec<String> = (self.board.figures().iter())
            .filter(|other| other.in_play() && other.id != target && self.board.are_adjacent(other.space(), on.space()))
            .map(|other| other.id.clone())
            .collect();
        let saves = on.card.abilities.iter().find_map(|ability| {
            ability.effects.iter().find_map(|effect| match effect {
                Effect::Evade { save } if !adjacent => Some((ability.name.clone(), *save)),
                Effect::Parry { save } if adjacent => Some((ability.name.clone(), *save)),
                _ => None,
            })
        });
        self.events.push(Event::Attacked {
            attacker: attacker.clone(),
            target: target.clone(),
            cause,
            rolled: die.shows,
            bonus,
            defense,
            repeated: die.repeated,
            hit,
            critical: hit && critical,
        });
        self.tasks.pop();
        if let Some((damage, save)) = splash {
            let reached = beside.iter().chain((!hit).then_some(&target));
            let saves: Vec<Task> = reached
                .map(|id| Task::save(id, Against::Ability("Splash".to_owned()), save, Then::OrDamage(damage)))
                .collect();
            self.tasks.extend(saves.into_iter().rev());
        }
        if !hit {
            return None;
        }
        let hit = Hit {
            attacker,
            target: target.clone(),
            adjacent,
            damage: if critical { damage.saturating_mul(2) } else { damage },
            used: Vec::new(),
        };
        self.tasks.push(match saves {
            Some((name, save)) => {
                let then = Then::Avoid {
                    hit,
                    reflects: None,
                    heals: false,
                };
                Task::save(&target, Against::Hit(name), save, then)
            }
            None => Task::Hit(hit),
        });
        None
    }

    /// A die of the task under way.
    fn rolled(&mut self, shows: u8, repeated: bool) {
        if let Some(Task::Attack(Attack { die, .. }) | Task::Save { die, .. }) = self.tasks.last_mut() {
            *die = Some(Die {
                shows,
                repeated,
                asked: repeated,
            });
        }
    }

    /// Somebody is asked to repeat the die of the task under way.
    fn asks(&mut self) {
        if let Some(Task::Attack(Attack { die: Some(die), .. }) | Task::Save { die: Some(die), .. }) =
            self.tasks.last_mut()
        {
            die.asked = true;
        }
    }

    /// Powers of a figure that fit a hit and that it can pay, with their costs.
    fn powers(&self, hit: &Hit) -> Vec<force::Power> {
        let Some(figure) = self.board.figure(&hit.target) else {
            return Vec::new();
        };
        let mut powers = Vec::new();
        for ability in figure.card.abilities.iter().filter(|own| !hit.used.contains(&own.name)) {
            for effect in &ability.effects {
                let cost = match effect {
                    Effect::Avoid { against, cost, .. } => match against {
                        Hits::Melee if !hit.adjacent => continue,
                        Hits::Ranged if hit.adjacent => continue,
                        _ => *cost,
                    },
                    Effect::Illusion { cost, .. } | Effect::Absorb { cost, .. } => *cost,
                    _ => continue,
                };
                let cost = u16::from(cost);
                if figure.may_spend_force(cost) {
                    powers.push(force::Power {
                        name: ability.name.clone(),
                        cost,
                        effect: effect.clone(),
                    });
                }
            }
        }
        powers
    }

    fn hit_goes_on(&mut self, hit: Hit) -> Option<Request> {
        let here = self.board.figure(&hit.target).is_some_and(Figure::in_play);
        let powers = if here { self.powers(&hit) } else { Vec::new() };
        if !powers.is_empty() {
            return Some(Request::Defend {
                figure: hit.target,
                attacker: hit.attacker,
                damage: hit.damage,
                powers: powers.into_iter().map(|power| power.name).collect(),
            });
        }
        self.tasks.pop();
        if here {
            self.strike(hit);
        }
        None
    }

    /// The answer of a figure that was hit.
    pub(super) fn defended(&mut self, power: Option<usize>) {
        let Some(Task::Hit(mut hit)) = self.tasks.pop() else {
            return;
        };
        let chosen = power.and_then(|power| self.powers(&hit).into_iter().nth(power));
        let Some(power) = chosen else {
            self.strike(hit);
            return;
        };
        self.spend_force(&hit.target, power.cost);
        self.events.push(Event::Defended {
            figure: hit.target.clone(),
            power: power.name.clone(),
        });
        hit.used.push(power.name.clone());
        let (attacker, target) = (hit.attacker.clone(), hit.target.clone());
        let task = match power.effect {
            Effect::Avoid { save, reflects, .. } => {
                let then = Then::Avoid {
                    hit,
                    reflects: reflects.then(|| power.name.clone()),
                    heals: false,
                };
                Task::save(&target, Against::Hit(power.name), save, then)
            }
            Effect::Absorb { save, .. } => {
                let then = Then::Avoid {
                    hit,
                    reflects: None,
                    heals: true,
                };
                Task::save(&target, Against::Hit(power.name), save, then)
            }
            Effect::Illusion { save, .. } => {
                Task::save(&attacker, Against::Illusion(target), save, Then::SeesThrough(hit))
            }
            _ => return,
        };
        self.tasks.push(task);
    }

    fn save_goes_on(
        &mut self,
        (id, against, needs, then): (String, Against, u8, Then),
        die: Option<Die>,
        dice: &mut dyn D20Source,
    ) -> Option<Request> {
        let Some(figure) = self.board.figure(&id).filter(|figure| figure.in_play()) else {
            self.tasks.pop();
            // An attacker that is gone sees through nothing, and what it hit stands as it was.
            return None;
        };
        let Some(die) = die else {
            self.rolled(dice.d20(), false);
            return None;
        };
        let bonus = if die.repeated { force::bonus(figure) } else { 0 };
        // SWM 1.6: a save is no attack; 1 and 20 mean nothing more.
        let succeeds = die.shows.saturating_add(bonus) >= needs;
        if !succeeds && !die.asked && force::repeats(figure, false) {
            self.asks();
            return Some(Request::Reroll {
                figure: id,
                rolled: die.shows,
                bonus: 0,
                needs: i16::from(needs),
                attack: false,
            });
        }
        self.tasks.pop();
        self.events.push(Event::Saved {
            figure: id.clone(),
            against,
            rolled: die.shows,
            bonus,
            needs,
            repeated: die.repeated,
            succeeds,
        });
        match then {
            Then::OrDamage(damage) if !succeeds => self.tasks.push(Task::damage(&id, damage, None)),
            Then::OrDamage(_) => {}
            Then::Avoid { hit, .. } if !succeeds => self.tasks.push(Task::Hit(hit)),
            Then::Avoid { hit, reflects, heals } => {
                if let Some(power) = reflects {
                    let then = Then::OrDamage(hit.damage);
                    self.tasks
                        .push(Task::save(&hit.attacker, Against::Ability(power), REFLECTED, then));
                } else if heals {
                    self.heal(&id, hit.damage);
                }
                self.may_answer(&hit);
            }
            Then::SeesThrough(hit) if succeeds => self.tasks.push(Task::Hit(hit)),
            Then::SeesThrough(hit) => self.may_answer(&hit),
        }
        None
    }

    /// The answer of a figure whose roll went against it.
    pub(super) fn rerolled(&mut self, repeats: bool, dice: &mut dyn D20Source) {
        let figure = match self.tasks.last() {
            Some(Task::Attack(attack)) => attack.attacker.clone(),
            Some(Task::Save { figure, .. }) => figure.clone(),
            _ => return,
        };
        if repeats {
            self.spend_force(&figure, 1);
            self.rolled(dice.d20(), true);
        }
    }

    /// A hit comes through.
    fn strike(&mut self, hit: Hit) {
        self.tasks
            .push(Task::damage(&hit.target.clone(), hit.damage, Some(hit)));
    }

    /// SWM 1.10, Riposte: a figure that was hit from beside it may attack back.
    fn may_answer(&mut self, hit: &Hit) {
        let Some(figure) = self.board.figure(&hit.target).filter(|figure| figure.in_play()) else {
            return;
        };
        let cost = figure.card.number(|effect| match effect {
            Effect::Riposte { cost } => Some(u16::from(*cost)),
            _ => None,
        });
        if let Some(cost) = cost.filter(|&cost| hit.adjacent && figure.may_spend_force(cost)) {
            self.tasks.push(Task::Riposte {
                figure: hit.target.clone(),
                attacker: hit.attacker.clone(),
                cost,
            });
        }
    }

    /// The answer of a figure that may attack back.
    pub(super) fn riposted(&mut self, attacks: bool) {
        let Some(Task::Riposte { figure, attacker, cost }) = self.tasks.pop() else {
            return;
        };
        if attacks {
            self.spend_force(&figure, cost);
            self.tasks
                .push(Task::attack(&figure, &attacker, Cause::Riposte, OUT_OF_TURN));
        }
    }

    fn damage_goes_on(
        &mut self,
        (id, damage, hit): (String, u16, Option<Hit>),
        passed: &[String],
        settled: bool,
    ) -> Option<Request> {
        let Some(figure) = self.board.figure(&id).filter(|figure| figure.in_play()) else {
            self.tasks.pop();
            return None;
        };
        // Damage of a hit may go to somebody beside the target, once.
        if hit.as_ref().is_some_and(|hit| hit.target == id) {
            let guard = self.board.side(figure.side).find(|friend| {
                friend.id != id
                    && !passed.contains(&friend.id)
                    && friend.card.has(|effect| *effect == Effect::TakesDamageOfFriends)
                    && self.board.are_adjacent(friend.space(), figure.space())
            });
            if let Some(guard) = guard {
                return Some(Request::Intercept {
                    figure: guard.id.clone(),
                    ally: id,
                    damage,
                });
            }
        }
        let abilities = figure.card.abilities.iter();
        let by_hand: Vec<String> = abilities
            .filter(|ability| ability.effects.contains(&Effect::Ask))
            .map(ToString::to_string)
            .collect();
        if !settled && !by_hand.is_empty() && damage > 0 {
            return Some(Request::ByHand {
                figure: id,
                damage,
                abilities: by_hand,
            });
        }
        self.tasks.pop();
        self.damage(&id, damage);
        if let Some(hit) = hit {
            self.after_hit(&id, &hit);
        }
        None
    }

    /// What follows a hit whose damage was taken by somebody: Cleave, poison, Riposte.
    fn after_hit(&mut self, taken_by: &str, hit: &Hit) {
        let by = self.board.figure(&hit.attacker);
        let on = self.board.figure(taken_by);
        let (Some(by), Some(on)) = (by, on) else { return };
        let own = taken_by == hit.target;
        if !on.in_play() {
            let cleaves = by.card.has(|effect| *effect == Effect::Cleave);
            let adjacent = if own {
                hit.adjacent
            } else {
                self.board.are_adjacent(by.space(), on.space())
            };
            if let Some(turn) = self.turn.as_mut().filter(|turn| turn.figure == hit.attacker)
                && adjacent
                && cleaves
            {
                turn.may_cleave = true;
            }
        }
        if !own {
            return;
        }
        let poison = by.card.abilities.iter().find_map(|ability| {
            ability.effects.iter().find_map(|effect| match effect {
                Effect::Poison {
                    damage,
                    save,
                    at_any_range,
                } if on.card.living && (hit.adjacent || *at_any_range) => Some((ability.name.clone(), *damage, *save)),
                _ => None,
            })
        });
        let poison = poison.filter(|_| on.in_play());
        self.may_answer(hit);
        if let Some((name, damage, save)) = poison {
            let against = Against::Ability(name);
            self.tasks
                .push(Task::save(taken_by, against, save, Then::OrDamage(damage)));
        }
    }

    /// The answer of a figure that may take the damage of a friend.
    pub(super) fn intercepted(&mut self, guard: &str, takes: bool) {
        let Some(Task::Damage { figure, passed, .. }) = self.tasks.last_mut() else {
            return;
        };
        if !takes {
            passed.push(guard.to_owned());
            return;
        }
        let ally = std::mem::replace(figure, guard.to_owned());
        self.events.push(Event::Intercepted {
            figure: guard.to_owned(),
            ally,
        });
    }

    /// The players' answer how much damage is taken.
    pub(super) fn settled(&mut self, left: u16) {
        let Some(Task::Damage {
            figure,
            damage,
            settled,
            ..
        }) = self.tasks.last_mut()
        else {
            return;
        };
        let (figure, before) = (figure.clone(), *damage);
        (*damage, *settled) = (left, true);
        if left != before {
            self.events.push(Event::DamageSet {
                figure,
                from: before,
                to: left,
            });
        }
    }

    fn damage(&mut self, id: &str, damage: u16) {
        let Some(figure) = self.board.figure_mut(id).filter(|figure| figure.in_play()) else {
            return;
        };
        let less = figure.card.effects().fold(0_u16, |less, effect| match effect {
            Effect::DamageReduction(own) => less.saturating_add(*own),
            _ => less,
        });
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
        figure.hit_points = figure.card.hit_points.min(figure.hit_points.saturating_add(points));
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
        let refuse = |why: &str| Refused::Attack {
            figure: turn.figure.clone(),
            why: why.to_owned(),
        };
        let figure = self.board.figure(&turn.figure).ok_or(Refused::NotAsked)?;
        let area = area::of(&figure.card).find(|own| own.ability == ability);
        let area = area.ok_or_else(|| refuse("it has no such area attack"))?;
        Self::may_bomb(&turn, figure).map_err(refuse)?;
        if area.whole_turn && turn.moved > 0 {
            return Err(refuse("it replaces the whole turn, and the figure has moved"));
        }
        if area.cost > 0 && !figure.may_spend_force(area.cost) {
            return Err(refuse("it has not the Force points for it"));
        }
        let seen = targets::sighted(&self.board, figure, figure.space(), &self.options);
        let fitting = area.targets(&self.board, figure, figure.space(), &seen, &self.options);
        let enemy = fitting.into_iter().find(|enemy| enemy.figure.id == target);
        let far = seen.iter().find(|enemy| enemy.figure.id == target);
        let far = far.is_some_and(|enemy| area.within.is_some_and(|most| enemy.range > most));
        let enemy = enemy.ok_or_else(|| match far {
            true => refuse("that figure is out of its range"),
            false => refuse(&self.no_target(target)),
        })?;
        let affected = area.affected(&self.board, figure, figure.space(), enemy.figure);
        let affected: Vec<String> = affected.into_iter().map(|other| other.id.clone()).collect();
        let (save, damage, cost, whole_turn) = (area.save, area.damage, area.cost, area.whole_turn);
        let attacks = area.attacks;
        let twin = figure.card.has(|effect| *effect == Effect::TwinAttack);
        if cost > 0 {
            self.spend_force(&turn.figure, cost);
        }
        self.events.push(Event::Area {
            attacker: turn.figure.clone(),
            ability: ability.to_owned(),
            target: target.to_owned(),
            affected: affected.clone(),
        });
        match save {
            _ if attacks > 0 => {
                let stance = Stance {
                    moved: turn.moved > 0,
                    stays: turn.stays && turn.moved == 0,
                    charged: false,
                };
                // Worked off from the end of the list, each attack before its twin.
                for id in affected.iter().rev() {
                    for _ in 0..attacks {
                        let attack = |cause| Task::attack(&turn.figure, id, cause, stance);
                        self.tasks.extend(twin.then(|| attack(Cause::Twin)));
                        self.tasks.push(attack(Cause::Power));
                    }
                }
            }
            Some(save) => {
                let saves: Vec<Task> = (affected.iter())
                    .map(|id| Task::save(id, Against::Ability(ability.to_owned()), save, Then::OrDamage(damage)))
                    .collect();
                self.tasks.extend(saves.into_iter().rev());
            }
            None => {
                let all: Vec<Task> = affected.iter().map(|id| Task::damage(id, damage, None)).collect();
                self.tasks.extend(all.into_iter().rev());
            }
        }
        let turn = TurnState {
            stays: turn.stays || whole_turn,
            ..turn
        };
        self.turn = Some(TurnState { area: true, ..turn });
        Ok(())
    }
}

/// The save of an attacker whose hit is thrown back at it (SWM 1.10).
const REFLECTED: u8 = 11;
