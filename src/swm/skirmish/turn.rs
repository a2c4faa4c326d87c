//! The turn of a figure: how far it may move, what it may attack, and in which order (SWM 1.3, 1.5, 1.8, 1.9).

use std::collections::BTreeSet;

use super::{Answer, Cause, Event, FORCE_SQUARES, Refused, Request, Skirmish, attack::Task};
use crate::swm::{
    ability::Effect,
    area,
    figure::{Card, Figure, Side},
    movement::{Manner, Ways, may_end, provokes_by_coming, provokes_by_leaving, step_cost},
    square::Square,
    targets::{self, Sighted, Stance},
};

/// An attack out of turn: nothing that rewards staying or moving counts.
pub(in crate::swm) const OUT_OF_TURN: Stance = Stance {
    moved: false,
    stays: false,
    charged: false,
};

/// What each friend adds that spends its activation on an attack (SWM 1.7).
pub(in crate::swm) const COMBINED: i16 = 4;

/// What the active figure has done on its turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TurnState {
    pub figure: String,
    /// Movement before and after its attacks.
    pub moved: u16,
    pub moved_after: bool,
    pub attacks: u8,
    /// An area attack replaced its attacks.
    pub area: bool,
    pub force_move: bool,
    pub cleaved: bool,
    pub may_cleave: bool,
    /// Enemies that have made their attack of opportunity; one a turn each.
    pub opportunities: BTreeSet<String>,
    pub had_target: bool,
    /// It has given up moving.
    pub stays: bool,
}

impl TurnState {
    pub(super) fn new(figure: &str, had_target: bool) -> TurnState {
        TurnState {
            figure: figure.to_owned(),
            moved: 0,
            moved_after: false,
            attacks: 0,
            area: false,
            force_move: false,
            cleaved: false,
            may_cleave: false,
            opportunities: BTreeSet::new(),
            had_target,
            stays: false,
        }
    }

    fn has_attacked(&self) -> bool {
        self.attacks > 0 || self.area
    }
}

/// A move that was begun and waits for an attack of opportunity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Walk {
    way: Vec<Square>,
    next: usize,
    asked: BTreeSet<String>,
}

fn has(card: &Card, effect: &Effect) -> bool {
    card.has(|other| other == effect)
}

/// Attacks that a figure may make on its turn, those of Twin Attack and Cleave not counted.
fn most_attacks(turn: &TurnState, card: &Card) -> u8 {
    match turn.moved == 0 || has(card, &Effect::ExtraAttacksDespiteMoving) {
        true => 1 + card.extra_attacks(),
        false => 1,
    }
}

/// An area attack that the active figure may use now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AreaChoice {
    /// The ability.
    pub ability: String,
    /// Targets that are legal and in its range.
    pub targets: Vec<String>,
}

impl Skirmish {
    fn active(&self) -> Option<(&TurnState, &Figure)> {
        let turn = self.turn.as_ref()?;
        Some((turn, self.board.figure(&turn.figure)?))
    }

    /// How far the active figure may still move, in movement cost, or why it may not.
    fn movement_left(turn: &TurnState, figure: &Figure) -> Result<u16, &'static str> {
        let has = |effect: &Effect| has(&figure.card, effect);
        if has(&Effect::CannotMove) {
            return Err("it never moves");
        }
        if has(&Effect::MovesOnlyWithoutTarget) && turn.had_target {
            return Err("it had somebody to attack where it stood");
        }
        if turn.stays {
            return Err("it has given up moving for its attack");
        }
        let attacked = turn.has_attacked();
        if attacked && has(&Effect::AttackOrMove) {
            return Err("it cannot attack and move in one turn");
        }
        if turn.attacks > 1 && !has(&Effect::ExtraAttacksDespiteMoving) {
            return Err("its extra attacks are made instead of moving");
        }
        if attacked && !has(&Effect::MobileAttack) && turn.moved > 0 && !turn.moved_after {
            return Err("it has moved before its attack");
        }
        let mut most = if attacked {
            figure.single_move()
        } else {
            figure.double_move()
        };
        if turn.force_move {
            most += FORCE_SQUARES;
        }
        Ok(most.saturating_sub(turn.moved))
    }

    /// How far the active figure may still move, in movement cost; 0 when it may not.
    pub fn may_still_move(&self) -> u16 {
        let active = self.active();
        active.map_or(0, |(turn, figure)| Self::movement_left(turn, figure).unwrap_or(0))
    }

    /// How far the active figure may move so that it may still attack afterwards; the whole of it once it has attacked.
    pub fn may_move_and_attack(&self) -> u16 {
        let Some((turn, figure)) = self.active() else {
            return 0;
        };
        let left = Self::movement_left(turn, figure).unwrap_or(0);
        let single = figure.single_move() + if turn.force_move { FORCE_SQUARES } else { 0 };
        match turn.has_attacked() {
            true => left,
            false if has(&figure.card, &Effect::AttackOrMove) => 0,
            false => left.min(single.saturating_sub(turn.moved)),
        }
    }

    /// Whether the active figure may spend a Force point to come 2 squares farther.
    pub fn may_move_by_force(&self) -> bool {
        self.active().is_some_and(|(turn, figure)| {
            !turn.force_move
                && !has(&figure.card, &Effect::NoForceRerollOrMove)
                && figure.may_spend_force(1)
                && Self::movement_left(turn, figure).is_ok()
        })
    }

    /// Whether the active figure has moved.
    pub fn has_moved(&self) -> bool {
        self.turn.as_ref().is_some_and(|turn| turn.moved > 0)
    }

    /// Whether the active figure has attacked.
    pub fn has_attacked(&self) -> bool {
        self.turn.as_ref().is_some_and(TurnState::has_attacked)
    }

    /// How many attacks the active figure may still make, on whatever is near enough.
    pub fn attacks_left(&self) -> u8 {
        let Some((turn, figure)) = self.active() else {
            return 0;
        };
        let cleave = u8::from(turn.may_cleave && !turn.cleaved);
        match Self::may_attack(turn, figure, true) {
            Ok(()) => most_attacks(turn, &figure.card).saturating_sub(turn.attacks) + cleave,
            Err(_) => cleave,
        }
    }

    /// Whether the active figure may make one more attack, that of Cleave aside.
    fn may_attack(turn: &TurnState, figure: &Figure, adjacent: bool) -> Result<(), &'static str> {
        let card = &figure.card;
        if !card.can_attack() {
            return Err("it has no attack");
        }
        if turn.area {
            return Err("an area attack has replaced its attacks");
        }
        let single = figure.single_move() + if turn.force_move { FORCE_SQUARES } else { 0 };
        let charges =
            card.has(|effect| matches!(effect, Effect::AttackAfterDoubleMove { melee, .. } if adjacent || !melee));
        if turn.moved > single && !charges {
            return Err("it has made a double move");
        }
        if turn.moved > 0 && has(card, &Effect::AttackOrMove) {
            return Err("it cannot attack and move in one turn");
        }
        if turn.moved_after {
            return Err("it has moved after its attack");
        }
        if turn.attacks >= most_attacks(turn, card) {
            return Err("it has made all its attacks");
        }
        Ok(())
    }

    /// The enemies that the active figure sees, each with whether it may attack it now.
    pub fn sighted_now(&self) -> Vec<Sighted<'_>> {
        let Some((turn, figure)) = self.active() else {
            return Vec::new();
        };
        let mut seen = targets::sighted(&self.board, figure, figure.space(), &self.options);
        for enemy in &mut seen {
            let cleaves = turn.may_cleave && !turn.cleaved && enemy.adjacent;
            enemy.legal &= cleaves || Self::may_attack(turn, figure, enemy.adjacent).is_ok();
        }
        seen
    }

    /// Why the active figure may not attack another one now, in words; `None` where it may.
    pub fn why_not(&self, target: &str) -> Option<String> {
        let (turn, figure) = self.active()?;
        let Some(other) = self.board.figure(target) else {
            return Some("no such figure is there".to_owned());
        };
        targets::why_not(&self.board, figure, other, &self.options).or_else(|| {
            let mut now = self.sighted_now().into_iter();
            let legal = now.any(|enemy| enemy.figure.id == target && enemy.legal);
            let adjacent = self.board.are_adjacent(figure.space(), other.space());
            let why = Self::may_attack(turn, figure, adjacent).err();
            (!legal).then(|| why.unwrap_or("it has made its attack").to_owned())
        })
    }

    /// The words for an attack on a figure that is no legal target.
    pub(super) fn no_target(&self, target: &str) -> String {
        let name = self
            .board
            .figure(target)
            .map_or_else(|| target.to_owned(), Figure::called);
        match self.why_not(target) {
            Some(why) => format!("{name} is no legal target: {why}"),
            None => format!("{name} is no legal target"),
        }
    }

    /// The area attacks that the active figure may use now.
    pub fn areas_now(&self) -> Vec<AreaChoice> {
        let Some((turn, figure)) = self.active() else {
            return Vec::new();
        };
        if Self::may_bomb(turn, figure).is_err() {
            return Vec::new();
        }
        let seen = targets::sighted(&self.board, figure, figure.space(), &self.options);
        let usable = |own: &area::AreaAttack<'_>| {
            (own.cost == 0 || figure.may_spend_force(own.cost)) && !(own.whole_turn && turn.moved > 0)
        };
        let all = area::of(&figure.card).filter(usable).map(|own| {
            let reached = own.targets(&self.board, figure, figure.space(), &seen, &self.options);
            AreaChoice {
                ability: own.ability.to_owned(),
                targets: reached.iter().map(|enemy| enemy.figure.id.clone()).collect(),
            }
        });
        all.filter(|choice| !choice.targets.is_empty()).collect()
    }

    /// Whether an area attack may still replace the attacks of the turn.
    pub(super) fn may_bomb(turn: &TurnState, figure: &Figure) -> Result<(), &'static str> {
        if turn.has_attacked() {
            return Err("an area attack replaces all its attacks");
        }
        if turn.moved > figure.single_move() + if turn.force_move { FORCE_SQUARES } else { 0 } {
            return Err("it has made a double move");
        }
        Ok(())
    }

    /// Friends that may spend their activation on an attack of the active figure on a target (SWM 1.7): not by or for
    /// melee figures, and they must see the target.
    pub fn may_combine(&self, target: &str) -> Vec<&Figure> {
        let (Some((_, attacker)), Some(target)) = (self.active(), self.board.figure(target)) else {
            return Vec::new();
        };
        if attacker.card.is_melee() {
            return Vec::new();
        }
        let friends = self.board.side(attacker.side).filter(|friend| {
            friend.id != attacker.id
                && !friend.activated
                && !friend.card.is_melee()
                && friend.card.can_attack()
                && self.board.sees(friend.space(), target.space())
        });
        friends.collect()
    }

    /// Where the active figure can go with so much movement: `careful`, without provoking an attack of opportunity.
    pub fn ways_now(&self, budget: u16, careful: bool) -> Option<Ways<'_>> {
        let (_, figure) = self.active()?;
        let manner = Manner::of(figure);
        let manner = if careful { manner } else { manner.reckless() };
        Some(Ways::from(&self.board, figure, figure.at, manner, budget))
    }

    pub(super) fn begin_move(&mut self, way: Vec<Square>, force: bool) -> Result<(), Refused> {
        let Some((turn, figure)) = self.active() else {
            return Err(Refused::NotAsked);
        };
        let (turn, figure) = (turn.clone(), figure.clone());
        let refuse = |why| Refused::Move {
            figure: turn.figure.clone(),
            why,
        };
        let mut planned = turn.clone();
        if force {
            if !self.may_move_by_force() {
                return Err(refuse("it has no Force point to spend on its move"));
            }
            planned.force_move = true;
        }
        let most = Self::movement_left(&planned, &figure).map_err(refuse)?;
        let mut cost: u16 = 0;
        let mut at = figure.at;
        if way.is_empty() {
            return Err(refuse("it names no square"));
        }
        for &square in &way {
            let step = step_cost(&self.board, &figure, at, square);
            let step = step.ok_or_else(|| {
                refuse("a step leads through a wall, a pit or an enemy, or over more than one square")
            })?;
            cost = cost.saturating_add(step);
            if cost > most {
                return Err(refuse("it is farther than the figure may move"));
            }
            at = square;
        }
        if !may_end(&self.board, &figure, at) {
            return Err(refuse(
                "it cannot end on a square that is taken, or over a pit or in a gap",
            ));
        }
        if !self.may_stop(at, most) {
            return Err(refuse(
                "it is Savage: it must end its move beside an enemy, which it can",
            ));
        }
        if force {
            self.spend_force(&turn.figure, 1);
        }
        planned.moved += cost;
        planned.moved_after |= turn.has_attacked();
        self.turn = Some(planned);
        self.walk = Some(Walk {
            way,
            next: 0,
            asked: BTreeSet::new(),
        });
        Ok(())
    }

    /// Whether the active figure may end a move of so much movement at most on a square, as far as Savage is concerned: beside an
    /// enemy, if there is such a square that it can come to or stands on (SWM 1.9).
    pub fn may_stop(&self, at: Square, most: u16) -> bool {
        let Some((_, figure)) = self.active() else {
            return false;
        };
        if !has(&figure.card, &Effect::EndsBesideEnemy) {
            return true;
        }
        let beside = |at: Square| {
            let space = figure.space_at(at);
            (self.board.enemies(figure)).any(|enemy| self.board.are_adjacent(space, enemy.space()))
        };
        if beside(at) {
            return true;
        }
        let ways = Ways::from(&self.board, figure, figure.at, Manner::of(figure).reckless(), most);
        !ways.ends(most).any(|(end, _)| beside(end))
    }

    /// Takes the steps of a move; stops where somebody may attack the mover (SWM 1.8).
    pub(super) fn walk_goes_on(&mut self) -> Option<Request> {
        let turn = self.turn.as_ref()?;
        let mover = self.board.figure(&turn.figure)?;
        let Some(walk) = &mut self.walk else { return None };
        if !mover.in_play() {
            self.walk = None;
            return None;
        }
        let next = walk.way.get(walk.next).copied();
        let beside = self.board.enemies(mover).find(|enemy| {
            let leaves = next.is_some() && provokes_by_leaving(&self.board, mover, enemy);
            let comes = walk.next > 0 && provokes_by_coming(&self.board, mover, enemy);
            (leaves || comes)
                && !turn.opportunities.contains(&enemy.id)
                && !walk.asked.contains(&enemy.id)
                && enemy.card.can_attack()
        });
        let (id, from) = (mover.id.clone(), mover.at);
        if let Some(enemy) = beside {
            return Some(Request::Opportunity {
                figure: enemy.id.clone(),
                mover: id,
            });
        }
        let Some(to) = next else {
            self.walk = None;
            return None;
        };
        walk.next += 1;
        walk.asked.clear();
        if let Some(figure) = self.board.figure_mut(&id) {
            figure.at = to;
        }
        self.events.push(Event::Stepped { figure: id, from, to });
        None
    }

    pub(super) fn opportunity(&mut self, figure: String, mover: &str, attacks: bool) {
        if let Some(walk) = &mut self.walk {
            // Asked again at the next square, unless it attacks: one attack for each enemy and turn.
            walk.asked.insert(figure.clone());
        }
        if !attacks {
            return;
        }
        // A single attack, without the second one of Twin Attack.
        self.tasks
            .push(Task::attack(&figure, mover, Cause::Opportunity, OUT_OF_TURN));
        if let Some(turn) = &mut self.turn {
            turn.opportunities.insert(figure);
        }
    }

    pub(super) fn begin_attack(&mut self, target: &str, stays: bool, with: &[String]) -> Result<(), Refused> {
        let Some((turn, figure)) = self.active() else {
            return Err(Refused::NotAsked);
        };
        let refuse = |why: &str| Refused::Attack {
            figure: turn.figure.clone(),
            why: why.to_owned(),
        };
        let card = &figure.card;
        let seen = targets::sighted(&self.board, figure, figure.space(), &self.options);
        let enemy = seen.iter().find(|enemy| enemy.figure.id == target && enemy.legal);
        let adjacent = enemy.ok_or_else(|| refuse(&self.no_target(target)))?.adjacent;
        let able: Vec<&str> = self.may_combine(target).iter().map(|friend| &*friend.id).collect();
        let distinct: BTreeSet<&String> = with.iter().collect();
        if distinct.len() < with.len() || with.iter().any(|friend| !able.contains(&friend.as_str())) {
            return Err(refuse(
                "a friend that combines fire must be there, see the target, have yet to activate, and be no melee figure, nor must the attacker",
            ));
        }
        let mut next = turn.clone();
        if turn.may_cleave && adjacent && !turn.cleaved {
            (next.cleaved, next.may_cleave) = (true, false);
        } else {
            Self::may_attack(turn, figure, adjacent).map_err(refuse)?;
            next.attacks += 1;
        }
        // What rewards that it does not move counts from where it cannot move any more.
        let held = Self::movement_left(&next, figure).is_err();
        next.stays = (stays || turn.stays || held) && turn.moved == 0;
        let single = figure.single_move() + if turn.force_move { FORCE_SQUARES } else { 0 };
        let stance = Stance {
            moved: turn.moved > 0,
            stays: next.stays,
            charged: turn.moved > single,
        };
        let twin = has(card, &Effect::TwinAttack) || (has(card, &Effect::TwinAttackAdjacent) && adjacent);
        let attacker = turn.figure.clone();
        self.turn = Some(next);
        for friend in with {
            if let Some(friend) = self.board.figure_mut(friend) {
                friend.activated = true;
            }
        }
        if !with.is_empty() {
            self.events.push(Event::CombinedFire {
                attacker: attacker.clone(),
                friends: with.to_vec(),
            });
        }
        // Worked off from the end of the list: the twin of the attack comes after it.
        if twin {
            self.tasks.push(Task::attack(&attacker, target, Cause::Twin, stance));
        }
        let combined = COMBINED * i16::try_from(with.len()).unwrap_or_default();
        self.tasks
            .push(Task::combined_attack(&attacker, target, Cause::Turn, stance, combined));
        Ok(())
    }

    /// Whether a side has somebody who has yet to activate.
    pub(super) fn waits(&self, side: Side) -> bool {
        self.board.side(side).any(|figure| !figure.activated)
    }
}

/// A move to a square by the cheapest way that provokes nothing, or else by the cheapest; `None` where none leads.
pub fn walk_to(skirmish: &Skirmish, to: Square, force: bool) -> Option<Answer> {
    let budget = skirmish.may_still_move() + if force { FORCE_SQUARES } else { 0 };
    if !skirmish.board().map().contains(to) {
        return None;
    }
    let way = [true, false].into_iter().find_map(|careful| {
        let ways = skirmish.ways_now(budget, careful)?;
        let cost = ways.cost(to)?;
        (cost <= budget && ways.may_end(to)).then(|| ways.way(to))
    })?;
    (!way.is_empty()).then_some(Answer::Move { way, force })
}
