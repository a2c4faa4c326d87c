//! What no skirmish may do, told from its events alone: an independent look at whole games. It carries every event out on a
//! map of its own and asks what the rules allow there; it knows nothing of how the skirmish came to its events.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    event::{Against, Cause, Event},
    request::Correction,
};
use crate::swm::{
    ability::{Blast, Effect},
    area,
    board::Board,
    figure::{Figure, Side},
    movement::{may_end, step_cost},
    options::Options,
    square::{Space, Square},
    targets,
};

/// Walks the events of a skirmish from its beginning. What is wrong, in words; empty when nothing is.
pub fn audit(start: &Board, options: &Options, events: &[Event]) -> Vec<String> {
    let mut audit = Audit {
        board: start.clone(),
        options,
        wrong: Vec::new(),
        index: 0,
        active: None,
        activated: BTreeSet::new(),
        phase: (Side::Player, 0),
        opening: Opening::Round,
        turn: Turn::default(),
        doors_due: None,
        owed: Vec::new(),
        over: false,
    };
    for (index, event) in events.iter().enumerate() {
        audit.index = index;
        if audit.over {
            audit.says("something happens after the end".to_owned());
            break;
        }
        audit.take(event);
    }
    audit.wrong
}

/// Where a round stands before its first activation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Opening {
    /// It has yet to begin.
    Round,
    /// Dice are due.
    Rolls,
    /// The winner of the roll chooses.
    Choice,
    /// It is under way.
    Open,
}

/// What the active figure has done.
#[derive(Debug, Default)]
struct Turn {
    /// Movement cost before its attacks, and after the first.
    walked: [u16; 2],
    attacks: u8,
    areas: u8,
    /// Attacks by powers that are still to be made, by their targets, and how many were made.
    attacks_owed: Vec<String>,
    powers: u8,
    /// Defeats by its attacks on adjacent enemies: each may have brought an attack by Cleave.
    cleaves: u8,
    opportunities: BTreeSet<String>,
    /// Force points spent without a reroll, a power or an answer to show for it: a move.
    loose_force: BTreeMap<String, u16>,
    had_target: bool,
}

struct Audit<'a> {
    board: Board,
    options: &'a Options,
    wrong: Vec<String>,
    index: usize,
    active: Option<String>,
    activated: BTreeSet<String>,
    phase: (Side, u8),
    opening: Opening,
    turn: Turn,
    /// Right after a turn, and only then, doors change: to how those beside them have them when it ends.
    doors_due: Option<Vec<bool>>,
    /// Damage of hits and failed saves that somebody may take: the figure and the most that it is.
    owed: Vec<(String, u16)>,
    over: bool,
}

impl Audit<'_> {
    fn says(&mut self, what: String) {
        self.wrong.push(format!("event {}: {what}", self.index));
    }

    fn check(&mut self, holds: bool, what: impl FnOnce() -> String) {
        if !holds {
            self.says(what());
        }
    }

    fn take(&mut self, event: &Event) {
        if !matches!(event, Event::Door { .. }) {
            self.doors_are_settled();
        }
        match event {
            Event::RoundBegan { .. } => self.round_began(),
            Event::Initiative { player, automated } => self.initiative(*player, *automated),
            Event::GoesFirst { side } => {
                self.check(self.opening == Opening::Choice, || "nobody has won the roll".to_owned());
                self.opening = Opening::Open;
                self.phase = (*side, 0);
            }
            Event::PhaseBegan { side } => {
                let (before, count) = self.phase;
                let waiting = self.waiting(before);
                self.check(count >= 2 || waiting == 0, || {
                    format!("a phase ends after {count} activations")
                });
                self.phase = (*side, 0);
            }
            Event::Activated { figure } => self.activated(figure),
            Event::ForceGained { figure, points } => {
                let renewal = self.number(figure, |effect| match effect {
                    Effect::ForceRenewal(points) => Some(*points),
                    _ => None,
                });
                self.check(renewal == Some(*points), || {
                    format!("{figure} gains {points} Force points")
                });
                if let Some(figure) = self.board.figure_mut(figure) {
                    figure.force += points;
                }
            }
            Event::ForceSpent { figure, points } => self.force_spent(figure, *points),
            Event::Revealed { token, by, figures } => self.revealed(*token, by, figures),
            Event::Stepped { figure, from, to } => self.stepped(figure, *from, *to),
            Event::CombinedFire { attacker, friends } => self.combined(attacker, friends),
            Event::Attacked { .. } => self.attacked(event),
            Event::Saved { .. } => self.saved(event),
            Event::Area {
                attacker,
                ability,
                target,
                affected,
            } => self.area(attacker, ability, target, affected),
            Event::Defended { figure, power } => {
                let own = self.board.figure(figure);
                let known = own.is_some_and(|own| own.card.abilities.iter().any(|ability| ability.name == *power));
                self.check(known, || format!("{figure} uses {power}, which it has not"));
                self.justify(figure);
            }
            Event::Intercepted { figure, ally } => {
                let adjacent = self.adjacent(figure, ally);
                let guards = self.has(figure, &Effect::TakesDamageOfFriends);
                let friends = self.side(figure) == self.side(ally);
                self.check(adjacent && guards && friends, || {
                    format!("{figure} takes the damage of {ally}")
                });
                // Splash may be owed beside the hit, and is less.
                let mut hits = self.owed.iter_mut().filter(|(id, _)| id == ally).collect::<Vec<_>>();
                hits.sort_by_key(|(_, most)| *most);
                match hits.pop() {
                    Some(hit) => hit.0.clone_from(figure),
                    None => self.says(format!("{figure} takes damage that {ally} does not have")),
                }
            }
            Event::DamageSet { figure, to, .. } => {
                if let Some(owed) = self.owed.iter_mut().rev().find(|(id, _)| id == figure) {
                    owed.1 = *to;
                }
            }
            Event::Corrected { correction } => self.corrected(correction),
            Event::Damaged { figure, damage, left } => self.damaged(figure, *damage, *left),
            Event::Healed { figure, left } => {
                let most = self.board.figure(figure).map_or(0, |own| own.card.hit_points);
                self.check(*left <= most, || {
                    format!("{figure} has more hit points than at the start")
                });
                if let Some(figure) = self.board.figure_mut(figure) {
                    figure.hit_points = *left;
                }
            }
            Event::Defeated { figure } => {
                let down = self.board.figure(figure).is_some_and(|own| own.hit_points == 0);
                self.check(down, || format!("{figure} is defeated with hit points left"));
            }
            Event::TurnEnded { figure } => self.turn_ended(figure),
            Event::Door { door, open } => {
                self.check(self.doors_due.is_some(), || {
                    format!("door {door} moves in the middle of a turn")
                });
                self.board.set_door(*door, *open);
            }
            Event::Ended { winner } => {
                let left = |side| self.board.side(side).next().is_some();
                let right = match winner {
                    Some(Side::Player) => left(Side::Player) && !left(Side::Automated),
                    Some(Side::Automated) => left(Side::Automated) && !left(Side::Player),
                    None => left(Side::Player) == left(Side::Automated),
                };
                self.check(right, || format!("{winner:?} wins, and others are left"));
                self.over = true;
            }
        }
    }

    fn has(&self, id: &str, effect: &Effect) -> bool {
        let own = self.board.figure(id);
        own.is_some_and(|own| own.card.has(|other| other == effect))
    }

    fn number<T>(&self, id: &str, of: impl Fn(&Effect) -> Option<T>) -> Option<T> {
        self.board.figure(id)?.card.number(of)
    }

    fn side(&self, id: &str) -> Option<Side> {
        self.board.figure(id).map(|own| own.side)
    }

    fn waiting(&self, side: Side) -> usize {
        let figures = self.board.side(side);
        figures.filter(|figure| !self.activated.contains(&figure.id)).count()
    }

    fn adjacent(&self, a: &str, b: &str) -> bool {
        match (self.board.figure(a), self.board.figure(b)) {
            (Some(a), Some(b)) => self.board.are_adjacent(a.space(), b.space()),
            _ => false,
        }
    }

    /// After a turn every door is as those who stand beside it have it (SWM 1.2).
    fn doors_are_settled(&mut self) {
        let Some(right) = self.doors_due.take() else {
            return;
        };
        let now = self.board.map().doors().iter().map(|door| door.open);
        let wrong = !now.eq(right);
        self.check(!wrong, || "a door is not as those beside it have it".to_owned());
    }

    fn round_began(&mut self) {
        let waiting = !self.activated.is_empty() && self.waiting(Side::Player) + self.waiting(Side::Automated) > 0;
        self.check(!waiting, || "a round begins before all have activated".to_owned());
        self.activated.clear();
        self.opening = Opening::Rolls;
        for id in self.ids() {
            if let Some(figure) = self.board.figure_mut(&id) {
                figure.activated = false;
            }
        }
    }

    fn ids(&self) -> Vec<String> {
        self.board.figures().iter().map(|figure| figure.id.clone()).collect()
    }

    fn initiative(&mut self, player: u8, automated: u8) {
        let fair = [player, automated].iter().all(|die| (1..=20).contains(die));
        self.check(fair, || "a die shows no number from 1 to 20".to_owned());
        self.check(self.opening == Opening::Rolls, || "dice for nothing".to_owned());
        if player != automated {
            self.opening = Opening::Choice;
        }
    }

    fn activated(&mut self, id: &str) {
        let Some(own) = self.board.figure(id) else {
            self.says(format!("{id} is no figure"));
            return;
        };
        let (side, in_play) = (own.side, own.in_play());
        let had_target = self.is_legal(id, None);
        let fresh = self.activated.insert(id.to_owned());
        self.check(fresh && in_play, || format!("{id} activates twice, or defeated"));
        self.check(self.active.is_none(), || {
            format!("{id} activates in another one's turn")
        });
        let due = side == self.phase.0 && self.opening == Opening::Open;
        self.check(due, || format!("{id} activates in the other side's phase"));
        self.phase.1 += 1;
        let count = self.phase.1;
        self.check(count <= 2, || format!("{id} is number {count} of a phase"));
        self.active = Some(id.to_owned());
        self.turn = Turn {
            had_target,
            ..Turn::default()
        };
        for other in self.ids() {
            if let Some(figure) = self.board.figure_mut(&other) {
                figure.force_spent = 0;
                figure.activated |= other == id;
            }
        }
    }

    fn force_spent(&mut self, id: &str, points: u16) {
        let (may, has) = match self.board.figure(id) {
            Some(own) => (own.may_spend_force(points), own.force),
            None => (false, 0),
        };
        self.check(may, || format!("{id} spends {points} Force points, with {has} left"));
        *self.turn.loose_force.entry(id.to_owned()).or_default() += 1;
        if let Some(figure) = self.board.figure_mut(id) {
            figure.force = figure.force.saturating_sub(points);
            figure.force_spent += 1;
        }
    }

    /// Something is there to show for Force points that were spent.
    fn justify(&mut self, id: &str) {
        let paid = match self.turn.loose_force.get_mut(id) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        };
        self.check(paid, || format!("{id} uses the Force without a point for it"));
    }

    /// Only a player figure that sees a token within 8 squares brings its figures in, all of them (SWM-P2).
    fn revealed(&mut self, at: Square, by: &str, figures: &BTreeMap<String, Square>) {
        let token = Space::new(at, 1);
        let sees = self.board.figure(by).is_some_and(|own| {
            let range = self.board.ranges(own.space()).to_space(token);
            own.side == Side::Player
                && own.in_play()
                && range.is_some_and(|range| range <= 8)
                && self.board.sees(own.space(), token)
        });
        self.check(sees, || format!("{by} does not see the token at {at}"));
        let waiting = self.board.tokens().iter().find(|token| token.at == at).cloned();
        self.check(waiting.is_some(), || format!("no token lies at {at}"));
        self.board.remove_token(at);
        for mut own in waiting.into_iter().flat_map(|token| token.figures) {
            let Some(&square) = figures.get(&own.id) else { continue };
            own.at = square;
            let id = own.id.clone();
            let stands = self.board.add(own).is_ok();
            self.check(stands, || format!("{id} comes in at {square}, where it cannot stand"));
        }
    }

    fn stepped(&mut self, id: &str, from: Square, to: Square) {
        let cost = self.board.figure(id).and_then(|own| {
            (own.at == from)
                .then(|| step_cost(&self.board, own, from, to))
                .flatten()
        });
        let turn = self.active.as_deref() == Some(id);
        self.check(turn && cost.is_some(), || format!("{id} steps from {from} to {to}"));
        let after = usize::from(self.turn.attacks + self.turn.areas > 0);
        self.turn.walked[after] += cost.unwrap_or(0);
        if let Some(figure) = self.board.figure_mut(id) {
            figure.at = to;
        }
    }

    /// Whether a figure may attack another one, or anybody.
    fn is_legal(&self, attacker: &str, target: Option<&str>) -> bool {
        let Some(own) = self.board.figure(attacker) else {
            return false;
        };
        let seen = targets::sighted(&self.board, own, own.space(), self.options);
        let mut legal = seen.iter().filter(|enemy| enemy.legal);
        legal.any(|enemy| target.is_none_or(|target| enemy.figure.id == target))
    }

    fn combined(&mut self, attacker: &str, friends: &[String]) {
        let melee = |id: &str| self.board.figure(id).is_none_or(|own| own.card.is_melee());
        let fits = friends.iter().all(|id| {
            !self.activated.contains(id) && !melee(id) && id != attacker && self.side(id) == self.side(attacker)
        });
        self.check(fits && !melee(attacker), || {
            format!("{attacker} combines fire with {friends:?}")
        });
        for id in friends {
            self.activated.insert(id.clone());
            if let Some(figure) = self.board.figure_mut(id) {
                figure.activated = true;
            }
        }
    }

    fn attacked(&mut self, event: &Event) {
        let Event::Attacked {
            attacker,
            target,
            cause,
            rolled,
            bonus,
            defense,
            repeated,
            hit,
            critical,
        } = event
        else {
            return;
        };
        let right = *rolled == 20 || (*rolled != 1 && i16::from(*rolled) + bonus >= *defense);
        self.check(right == *hit, || {
            format!("{rolled} {bonus:+} against {defense} is read wrongly")
        });
        let droid = self.has(target, &Effect::NoCriticals);
        self.check(*critical == (*rolled == 20 && !droid), || {
            format!("a critical: {critical}, with {rolled} on {target}")
        });
        if *repeated {
            self.justify(attacker);
        }
        let adjacent = self.adjacent(attacker, target);
        match cause {
            Cause::Turn => {
                let legal = self.is_legal(attacker, Some(target)) && self.active.as_deref() == Some(attacker);
                self.check(legal, || {
                    format!("{attacker} attacks {target}, no legal target, or not on its turn")
                });
                let shooting = self.turn.walked[1] == 0 || self.turn.cleaves > 0;
                self.check(shooting, || {
                    format!("{attacker} attacks after it has moved from its attack")
                });
                self.turn.attacks += 1;
            }
            Cause::Twin => {
                let twin = [Effect::TwinAttack, Effect::TwinAttackAdjacent];
                let has = twin.iter().any(|effect| self.has(attacker, effect));
                self.check(has && self.turn.attacks + self.turn.powers > 0, || {
                    format!("{attacker} attacks twice at once")
                });
            }
            Cause::Power => {
                let own = self.active.as_deref() == Some(attacker);
                let owed = self.turn.attacks_owed.iter().position(|id| id == target);
                self.check(own && owed.is_some(), || {
                    format!("{attacker} attacks {target} by a power that does not reach it")
                });
                if let Some(owed) = owed {
                    self.turn.attacks_owed.remove(owed);
                }
                self.turn.powers += 1;
            }
            Cause::Opportunity => {
                let first = self.turn.opportunities.insert(attacker.clone());
                let mover = self.active.as_deref() == Some(target);
                self.check(first && adjacent && mover, || {
                    format!("{attacker} takes an opportunity against {target} that it does not have")
                });
            }
            Cause::Riposte => {
                self.justify(attacker);
                self.check(adjacent || self.has_reach(target), || {
                    format!("{attacker} answers from afar")
                });
            }
        }
        let splash = self.number(attacker, |effect| match effect {
            Effect::Splash { damage, .. } => Some(*damage),
            _ => None,
        });
        if let (true, Some(own)) = (hit, self.board.figure(attacker)) {
            // The most that any bonus of its card can add; doubled by a critical.
            let more = own.card.effects().fold(0, |more, effect| match effect {
                Effect::Bonus { damage, .. } | Effect::AttackAfterDoubleMove { damage, .. } => more + damage,
                _ => more,
            });
            let more = more.saturating_add_signed(own.modifiers.damage.max(0));
            let most = (own.card.damage + more) * if *critical { 2 } else { 1 };
            self.owed.push((target.clone(), most));
        }
        if let Some(damage) = splash {
            for id in self.ids() {
                if id == *target || self.adjacent(&id, target) {
                    self.owed.push((id, damage));
                }
            }
        }
    }

    fn has_reach(&self, id: &str) -> bool {
        let reach = self.number(id, |effect| match effect {
            Effect::Reach(squares) => Some(*squares),
            _ => None,
        });
        reach.is_some()
    }

    fn saved(&mut self, event: &Event) {
        let Event::Saved {
            figure,
            against,
            rolled,
            bonus,
            needs,
            repeated,
            succeeds,
        } = event
        else {
            return;
        };
        let right = rolled.saturating_add(*bonus) >= *needs && (1..=20).contains(rolled);
        self.check(right == *succeeds, || format!("a save of {rolled} against {needs}"));
        self.check(*bonus == 0 || *repeated, || {
            format!("{figure} adds {bonus} to a first roll")
        });
        if *repeated {
            self.justify(figure);
        }
        if let (Against::Ability(_), false) = (against, succeeds) {
            // Poison, splash, blasts and what is thrown back: none is more than the hit that it came with.
            let most = self.owed.iter().map(|(_, most)| *most).max().unwrap_or(0);
            let poison = self.active.as_deref().and_then(|id| {
                self.number(id, |effect| match effect {
                    Effect::Poison { damage, .. } => Some(*damage),
                    _ => None,
                })
            });
            self.owed.push((figure.clone(), most.max(poison.unwrap_or(0))));
        }
    }

    fn area(&mut self, attacker: &str, ability: &str, target: &str, affected: &[String]) {
        let around = self
            .board
            .figure(attacker)
            .is_some_and(|own| area::of(&own.card).any(|area| area.ability == ability && !area.has_target()));
        let thrown = self.board.figure(attacker).is_some_and(|own| {
            let throws = area::of(&own.card).any(|area| area.ability == ability && area.reach == Blast::Thrown);
            let seen = || targets::sighted_to_throw(&self.board, own, own.space(), self.options);
            throws
                && seen()
                    .iter()
                    .any(|enemy| enemy.legal && enemy.figure.id == target && enemy.range <= 6)
        });
        let legal = match around {
            true => self.adjacent(attacker, target),
            false => thrown || self.is_legal(attacker, Some(target)),
        };
        let legal = legal && self.active.as_deref() == Some(attacker);
        self.check(legal, || format!("{attacker} bombs {target}, no legal target"));
        let own = self.board.figure(attacker).cloned();
        let area = own
            .as_ref()
            .and_then(|own| area::of(&own.card).find(|area| area.ability == ability));
        // Whoever must be in it, and how many of those who may.
        let reach = area.map_or(Blast::Everybody, |area| area.reach);
        let in_play = self.board.figures().iter().filter(|own| own.in_play());
        let blast: Vec<String> = in_play
            .filter(|own| match reach {
                Blast::AroundSelf => own.id != attacker && self.adjacent(&own.id, attacker),
                Blast::Alone | Blast::Thrown => own.id == target,
                Blast::AdjacentEnemies => self.adjacent(&own.id, attacker) && self.side(&own.id) != self.side(attacker),
                Blast::Everybody | Blast::Some(_) => own.id == target || self.adjacent(&own.id, target),
            })
            .map(|own| own.id.clone())
            .collect();
        let right = match reach {
            Blast::Some(most) => {
                let count = blast.len().min(1 + usize::from(most));
                affected.len() == count && affected.iter().all(|id| blast.contains(id))
            }
            _ => blast == affected,
        };
        self.check(right, || format!("{affected:?} are in the blast, not {blast:?}"));
        let damage = area.map(|area| area.damage);
        for _ in 0..area.map_or(0, |area| area.attacks) {
            self.turn.attacks_owed.extend(affected.iter().cloned());
        }
        if area.is_some_and(|area| area.cost > 0) {
            self.justify(attacker);
        }
        self.check(damage.is_some(), || format!("{attacker} has no {ability}"));
        for id in affected {
            self.owed.push((id.clone(), damage.unwrap_or(0)));
        }
        self.turn.areas += 1;
    }

    fn damaged(&mut self, id: &str, damage: u16, left: u16) {
        let before = self.board.figure(id).map_or(0, |own| own.hit_points);
        self.check(before.saturating_sub(damage) == left, || {
            format!("{id} has {left} hit points after {damage} damage to {before}")
        });
        let owed = self.owed.iter().any(|(who, most)| who == id && *most >= damage);
        self.check(owed, || format!("{id} takes {damage} damage that nothing did to it"));
        if let Some(figure) = self.board.figure_mut(id) {
            figure.hit_points = left;
        }
        if left == 0 {
            self.turn.cleaves += 1;
        }
    }

    fn corrected(&mut self, correction: &Correction) {
        match correction {
            Correction::HitPoints { figure, points } => {
                if let Some(figure) = self.board.figure_mut(figure) {
                    figure.hit_points = *points;
                }
            }
            Correction::Force { figure, points } => {
                if let Some(figure) = self.board.figure_mut(figure) {
                    figure.force = *points;
                }
            }
            Correction::Activated { figure, activated } => {
                match activated {
                    true => self.activated.insert(figure.clone()),
                    false => self.activated.remove(figure),
                };
                if let Some(figure) = self.board.figure_mut(figure) {
                    figure.activated = *activated;
                }
            }
            Correction::Place { figure, at } => {
                if let Some(figure) = self.board.figure_mut(figure) {
                    figure.at = *at;
                }
            }
            Correction::Door { door, open } => self.board.set_door(*door, *open),
        }
    }

    fn turn_ended(&mut self, id: &str) {
        let Some(own) = self.board.figure(id).cloned() else {
            return;
        };
        if Figure::in_play(&own) {
            let stands = may_end(&self.board, &own, own.at);
            self.check(stands, || {
                format!("{id} ends its turn at {} where it cannot stand", own.at)
            });
        }
        let has = |effect: &Effect| own.card.has(|other| other == effect);
        let turn = std::mem::take(&mut self.turn);
        // A Force point that nothing else was done with takes it 2 squares farther.
        let farther = if turn.loose_force.get(id).is_some_and(|count| *count > 0) {
            2
        } else {
            0
        };
        let single = own.single_move() + farther;
        let [before, after] = turn.walked;
        let walked = before + after;
        let fought = turn.attacks + turn.areas > 0;
        let charges = own
            .card
            .has(|effect| matches!(effect, Effect::AttackAfterDoubleMove { .. }));
        let most = if fought && !charges {
            single
        } else {
            own.double_move() + farther
        };
        self.check(walked <= most, || format!("{id} walks {walked} of {most}"));
        let split = before == 0 || after == 0 || has(&Effect::MobileAttack);
        self.check(split, || format!("{id} moves before and after its attack"));
        let held = has(&Effect::CannotMove) || has(&Effect::MovesOnlyWithoutTarget) && turn.had_target;
        self.check(walked == 0 || !held, || format!("{id} must not move"));
        let one = !has(&Effect::AttackOrMove) || walked == 0 || turn.attacks == 0;
        self.check(one, || format!("{id} attacks and moves"));
        let cleave = if has(&Effect::Cleave) { turn.cleaves.min(1) } else { 0 };
        let more = walked == 0 || has(&Effect::ExtraAttacksDespiteMoving);
        let may = 1 + if more { own.card.extra_attacks() } else { 0 } + cleave;
        self.check(turn.attacks <= may, || format!("{id} attacks {} times", turn.attacks));
        self.check(turn.areas == 0 || turn.areas == 1 && turn.attacks <= cleave, || {
            format!("{id} bombs and attacks")
        });
        self.active = None;
        self.owed.clear();
        self.doors_due = Some(self.board.doors_by_rule());
    }
}
