//! A whole skirmish as a state machine of values (SWM 1.3 to 1.10): initiative, phases of two activations, turns, attacks of
//! opportunity, attacks with their saves, the Force, doors.
//!
//! It stops where somebody must choose ([`Skirmish::pending`]) and goes on when the choice is given
//! ([`Skirmish::answer`]). It carries out what the rules say and refuses what they do not allow; who chooses, and why, is
//! not its concern. Everything that happens is recorded as an [`Event`].

use std::collections::BTreeSet;

use super::{
    ability::Effect,
    board::Board,
    figure::{Figure, Side},
    movement::{may_end, step_cost},
    options::Options,
    square::Square,
    targets::{self, Stance},
};
use crate::dice::D20Source;

mod attack;
pub mod audit;
pub mod event;

use attack::Task;
pub use event::{Cause, Event};

/// Figures that a side activates in a phase (SWM 1.7).
const ACTIVATIONS: u8 = 2;

/// How much farther a Force point takes a figure (SWM 1.3).
const FORCE_SQUARES: u16 = 2;

/// What somebody must choose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    /// Who won the initiative says which side goes first.
    First {
        /// The side that won.
        side: Side,
    },
    /// The next figure to activate.
    Activate {
        /// Whose.
        side: Side,
    },
    /// What the active figure does next.
    Act {
        /// The figure.
        figure: String,
    },
    /// Whether a figure attacks one that moves away from it (SWM 1.8).
    Opportunity {
        /// Who may attack.
        figure: String,
        /// Who moves.
        mover: String,
    },
    /// Whether a figure spends a Force point to repeat a roll that went against it (SWM 1.10).
    Reroll {
        /// The figure.
        figure: String,
        /// What was rolled.
        rolled: u8,
    },
    /// Whether a figure uses a Force power against a hit, by its place among those that fit.
    Defend {
        /// The figure.
        figure: String,
        /// Names of the powers that fit.
        powers: Vec<String>,
    },
}

/// A choice: each kind answers the request of its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// The side that goes first.
    First(Side),
    /// The figure that activates.
    Activate(String),
    /// The active figure walks these squares.
    Move {
        /// The squares, in order.
        way: Vec<Square>,
        /// Whether it spends a Force point to come 2 squares farther.
        force: bool,
    },
    /// The active figure attacks.
    Attack {
        /// Whom.
        target: String,
        /// Whether it gives up moving on this turn, for what rewards that.
        stays: bool,
    },
    /// The active figure uses an area attack in place of its attacks.
    Area {
        /// The ability's name.
        ability: String,
        /// The target in the middle.
        target: String,
    },
    /// The active figure is done.
    Done,
    /// Whether it does what is asked.
    Yes(bool),
    /// The power that is used, by its place; `None` to use none.
    Power(Option<usize>),
}

/// Why an answer is not accepted. The skirmish stands where it stood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// An answer to another question, or to none.
    #[error("that is no answer to what is asked")]
    NotAsked,
    /// A figure that is not there, is not of that side, or has activated.
    #[error("`{0}` cannot activate: it is not of that side, is defeated, or has activated this round")]
    Activate(String),
    /// A move that the rules do not allow.
    #[error("`{figure}` cannot move so: {why}")]
    Move {
        /// The figure.
        figure: String,
        /// What is against it.
        why: &'static str,
    },
    /// An attack that the rules do not allow.
    #[error("`{figure}` cannot make that attack: {why}")]
    Attack {
        /// The figure.
        figure: String,
        /// What is against it.
        why: &'static str,
    },
}

/// What the active figure has done on its turn.
#[derive(Debug, Clone, PartialEq, Eq)]
struct TurnState {
    figure: String,
    /// Movement before and after its attacks.
    moved: u16,
    moved_after: bool,
    attacks: u8,
    /// An area attack replaced its attacks.
    area: bool,
    force_move: bool,
    cleaved: bool,
    may_cleave: bool,
    /// Enemies that have made, or let pass, their attack of opportunity; one a turn each.
    opportunities: BTreeSet<String>,
    had_target: bool,
    /// It has given up moving.
    stays: bool,
}

/// A move that was begun and waits for an attack of opportunity.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Walk {
    way: Vec<Square>,
    next: usize,
    asked: BTreeSet<String>,
}

/// A skirmish in play.
#[derive(Debug, Clone)]
pub struct Skirmish {
    board: Board,
    options: Options,
    round: u32,
    rounds: Option<u32>,
    /// Whose phase it is.
    side: Side,
    left_in_phase: u8,
    turn: Option<TurnState>,
    walk: Option<Walk>,
    /// Attacks and saves under way, the last one first.
    tasks: Vec<Task>,
    pending: Option<Request>,
    events: Vec<Event>,
}

fn other(side: Side) -> Side {
    match side {
        Side::Automated => Side::Player,
        Side::Player => Side::Automated,
    }
}

impl Skirmish {
    /// A skirmish before its first round, up to the first choice. After so many rounds it is over.
    pub fn new(board: Board, options: Options, rounds: Option<u32>, dice: &mut dyn D20Source) -> Skirmish {
        let mut skirmish = Skirmish {
            board,
            options,
            round: 0,
            rounds,
            side: Side::Player,
            left_in_phase: 0,
            turn: None,
            walk: None,
            tasks: Vec::new(),
            pending: None,
            events: Vec::new(),
        };
        skirmish.advance(dice);
        skirmish
    }

    /// What must be chosen now; `None` when the skirmish is over.
    pub fn pending(&self) -> Option<&Request> {
        self.pending.as_ref()
    }

    /// The map with the figures as they stand.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Choices of the rules.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The round, from 1.
    pub fn round(&self) -> u32 {
        self.round
    }

    /// All that has happened, in order.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The side that is left, when it is over.
    pub fn winner(&self) -> Option<Side> {
        let left = |side| self.board.side(side).next().is_some();
        match (left(Side::Player), left(Side::Automated)) {
            (true, false) => Some(Side::Player),
            (false, true) => Some(Side::Automated),
            _ => None,
        }
    }

    /// Who answers a request.
    pub fn side_of(&self, request: &Request) -> Side {
        let figure = match request {
            Request::First { side } | Request::Activate { side } => return *side,
            Request::Act { figure } | Request::Opportunity { figure, .. } => figure,
            Request::Reroll { figure, .. } | Request::Defend { figure, .. } => figure,
        };
        self.board.figure(figure).map_or(Side::Player, |figure| figure.side)
    }

    /// Takes a choice and goes on to the next one.
    ///
    /// # Errors
    /// When the rules do not allow it; nothing has changed then.
    pub fn answer(&mut self, answer: Answer, dice: &mut dyn D20Source) -> Result<(), Refused> {
        let request = self.pending.clone().ok_or(Refused::NotAsked)?;
        match (request, answer) {
            (Request::First { .. }, Answer::First(side)) => {
                self.side = side;
                self.left_in_phase = ACTIVATIONS;
                self.events.push(Event::GoesFirst { side });
            }
            (Request::Activate { side }, Answer::Activate(id)) => self.activate(side, &id)?,
            (Request::Act { .. }, Answer::Move { way, force }) => self.begin_move(way, force)?,
            (Request::Act { .. }, Answer::Attack { target, stays }) => self.begin_attack(&target, stays)?,
            (Request::Act { .. }, Answer::Area { ability, target }) => self.area(&ability, &target)?,
            (Request::Act { .. }, Answer::Done) => self.end_turn(),
            (Request::Opportunity { figure, mover }, Answer::Yes(attacks)) => {
                self.opportunity(figure, mover, attacks);
            }
            (Request::Reroll { .. }, Answer::Yes(repeats)) => self.rerolled(repeats, dice),
            (Request::Defend { powers, .. }, Answer::Power(power))
                if power.is_none_or(|power| power < powers.len()) =>
            {
                self.defended(power);
            }
            _ => return Err(Refused::NotAsked),
        }
        self.advance(dice);
        Ok(())
    }

    fn advance(&mut self, dice: &mut dyn D20Source) {
        self.pending = None;
        while self.pending.is_none() {
            if !self.tasks.is_empty() {
                self.pending = self.task_goes_on(dice);
                continue;
            }
            if self.walk.is_some() {
                self.pending = self.walk_goes_on();
                continue;
            }
            if self.winner().is_some() || self.board.side(Side::Player).next().is_none() {
                self.events.push(Event::Ended { winner: self.winner() });
                return;
            }
            if let Some(turn) = &self.turn {
                let figure = turn.figure.clone();
                if self.board.figure(&figure).is_some_and(Figure::in_play) {
                    self.pending = Some(Request::Act { figure });
                } else {
                    self.end_turn();
                }
                continue;
            }
            match self.next_activation() {
                Some(request) => self.pending = Some(request),
                None => {
                    if self.rounds.is_some_and(|rounds| self.round >= rounds) {
                        self.events.push(Event::Ended { winner: None });
                        return;
                    }
                    self.pending = Some(self.begin_round(dice));
                }
            }
        }
    }

    fn waits(&self, side: Side) -> bool {
        self.board.side(side).any(|figure| !figure.activated)
    }

    /// SWM 1.7: two figures of a side, then two of the other, until all have activated.
    fn next_activation(&mut self) -> Option<Request> {
        if self.round == 0 {
            return None;
        }
        if self.left_in_phase == 0 || !self.waits(self.side) {
            let next = other(self.side);
            let side = if self.waits(next) { next } else { self.side };
            if !self.waits(side) {
                return None;
            }
            self.side = side;
            self.left_in_phase = ACTIVATIONS;
            self.events.push(Event::PhaseBegan { side });
        }
        Some(Request::Activate { side: self.side })
    }

    /// SWM 1.7: each side rolls; the higher one chooses; ties are rolled again.
    fn begin_round(&mut self, dice: &mut dyn D20Source) -> Request {
        self.round += 1;
        self.events.push(Event::RoundBegan { round: self.round });
        let ids: Vec<String> = self.board.figures().iter().map(|figure| figure.id.clone()).collect();
        for id in ids {
            if let Some(figure) = self.board.figure_mut(&id) {
                figure.activated = false;
            }
        }
        loop {
            let (player, automated) = (dice.d20(), dice.d20());
            self.events.push(Event::Initiative { player, automated });
            let side = match player.cmp(&automated) {
                std::cmp::Ordering::Equal => continue,
                std::cmp::Ordering::Greater => Side::Player,
                std::cmp::Ordering::Less => Side::Automated,
            };
            return Request::First { side };
        }
    }

    fn activate(&mut self, side: Side, id: &str) -> Result<(), Refused> {
        let fits = |figure: &&Figure| figure.side == side && figure.in_play() && !figure.activated;
        let figure = self
            .board
            .figure(id)
            .filter(fits)
            .ok_or_else(|| Refused::Activate(id.to_owned()))?;
        let (figure, space) = (figure.clone(), figure.space());
        let had_target = targets::sighted(&self.board, &figure, space, &self.options)
            .iter()
            .any(|enemy| enemy.legal);
        self.left_in_phase = self.left_in_phase.saturating_sub(1);
        // A turn begins for everybody: Force points may be spent again (SWM 1.10).
        let ids: Vec<String> = self.board.figures().iter().map(|figure| figure.id.clone()).collect();
        for other in ids {
            if let Some(figure) = self.board.figure_mut(&other) {
                figure.force_spent = 0;
            }
        }
        let renewal = figure.card.number(|effect| match effect {
            Effect::ForceRenewal(points) => Some(*points),
            _ => None,
        });
        if let Some(figure) = self.board.figure_mut(id) {
            figure.activated = true;
            figure.force += renewal.unwrap_or(0);
        }
        self.events.push(Event::Activated { figure: id.to_owned() });
        if let Some(points) = renewal {
            self.events.push(Event::ForceGained {
                figure: id.to_owned(),
                points,
            });
        }
        self.turn = Some(TurnState {
            figure: id.to_owned(),
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
        });
        Ok(())
    }

    fn end_turn(&mut self) {
        if let Some(turn) = self.turn.take() {
            self.events.push(Event::TurnEnded { figure: turn.figure });
        }
        let before: Vec<bool> = self.board.map().doors().iter().map(|door| door.open).collect();
        self.board.settle_doors();
        for (door, was_open) in before.into_iter().enumerate() {
            let open = self.board.map().doors()[door].open;
            if open != was_open {
                self.events.push(Event::Door { door, open });
            }
        }
    }

    /// How far the active figure may still move: `None` when it may not any more.
    fn movement_left(&self, turn: &TurnState, figure: &Figure) -> Result<u16, &'static str> {
        let has = |effect: &Effect| figure.card.has(|other| other == effect);
        if has(&Effect::CannotMove) {
            return Err("it never moves");
        }
        if has(&Effect::MovesOnlyWithoutTarget) && turn.had_target {
            return Err("it had somebody to attack where it stood");
        }
        if turn.stays {
            return Err("it has given up moving for its attack");
        }
        let attacked = turn.attacks > 0 || turn.area;
        if attacked && has(&Effect::AttackOrMove) {
            return Err("it cannot attack and move in one turn");
        }
        let speed = figure.card.number(|effect| match effect {
            Effect::Speed(squares) => Some(*squares),
            _ => None,
        });
        let mut most = speed.unwrap_or(figure.card.speed);
        let mobile = has(&Effect::MobileAttack);
        if turn.attacks > 1 && !has(&Effect::ExtraAttacksDespiteMoving) {
            return Err("its extra attacks are made instead of moving");
        }
        if attacked && !mobile && turn.moved > 0 && !turn.moved_after {
            return Err("it has moved before its attack");
        }
        if !attacked {
            most *= 2;
        }
        if turn.force_move {
            most += FORCE_SQUARES;
        }
        Ok(most.saturating_sub(turn.moved))
    }

    /// How far the active figure may still move, in movement cost; 0 when it may not.
    pub fn may_still_move(&self) -> u16 {
        let turn = self.turn.as_ref();
        let figure = turn.and_then(|turn| self.board.figure(&turn.figure));
        match (turn, figure) {
            (Some(turn), Some(figure)) => self.movement_left(turn, figure).unwrap_or(0),
            _ => 0,
        }
    }

    /// Whether the active figure has moved.
    pub fn has_moved(&self) -> bool {
        self.turn.as_ref().is_some_and(|turn| turn.moved > 0)
    }

    /// Whether the active figure has attacked.
    pub fn has_attacked(&self) -> bool {
        self.turn.as_ref().is_some_and(|turn| turn.attacks > 0 || turn.area)
    }

    /// How many attacks the active figure may still make.
    pub fn attacks_left(&self) -> u8 {
        let turn = self.turn.as_ref();
        let figure = turn.and_then(|turn| self.board.figure(&turn.figure));
        let (Some(turn), Some(figure)) = (turn, figure) else {
            return 0;
        };
        let has = |effect: &Effect| figure.card.has(|other| other == effect);
        let single = figure.card.speed + if turn.force_move { FORCE_SQUARES } else { 0 };
        let barred =
            turn.area || turn.moved_after || (turn.moved > 0 && has(&Effect::AttackOrMove)) || turn.moved > single;
        let most = if turn.moved == 0 || has(&Effect::ExtraAttacksDespiteMoving) {
            1 + figure.card.extra_attacks()
        } else {
            1
        };
        if barred { 0 } else { most.saturating_sub(turn.attacks) }
    }

    /// Whether the hit that is being answered comes from an adjacent attacker.
    pub fn is_hit_from_beside(&self) -> bool {
        matches!(self.tasks.last(), Some(Task::Hit { adjacent: true, .. }))
    }

    fn begin_move(&mut self, way: Vec<Square>, force: bool) -> Result<(), Refused> {
        let Some(turn) = self.turn.clone() else {
            return Err(Refused::NotAsked);
        };
        let refuse = |why| Refused::Move {
            figure: turn.figure.clone(),
            why,
        };
        let figure = self.board.figure(&turn.figure).ok_or(Refused::NotAsked)?.clone();
        let mut planned = turn.clone();
        if force {
            let ascetic = figure.card.has(|effect| *effect == Effect::NoForceRerollOrMove);
            if turn.force_move || ascetic || !figure.may_spend_force(1) {
                return Err(refuse("it has no Force point to spend on its move"));
            }
            planned.force_move = true;
        }
        let most = self.movement_left(&planned, &figure).map_err(refuse)?;
        let mut cost = 0;
        let mut at = figure.at;
        if way.is_empty() {
            return Err(refuse("it names no square"));
        }
        for &square in &way {
            let step = step_cost(&self.board, &figure, at, square);
            cost += step.ok_or_else(|| {
                refuse("a step leads through a wall, a pit or an enemy, or over more than one square")
            })?;
            at = square;
        }
        if cost > most {
            return Err(refuse("it is farther than the figure may move"));
        }
        if !may_end(&self.board, &figure, at) {
            return Err(refuse(
                "it cannot end on a square that is taken, or over a pit or in a gap",
            ));
        }
        if force {
            self.spend_force(&turn.figure, 1);
        }
        planned.moved += cost;
        planned.moved_after |= turn.attacks > 0 || turn.area;
        self.turn = Some(planned);
        self.walk = Some(Walk {
            way,
            next: 0,
            asked: BTreeSet::new(),
        });
        Ok(())
    }

    fn spend_force(&mut self, id: &str, points: u16) {
        if let Some(figure) = self.board.figure_mut(id) {
            figure.force = figure.force.saturating_sub(points);
            figure.force_spent += 1;
            self.events.push(Event::ForceSpent {
                figure: id.to_owned(),
                points,
            });
        }
    }

    /// Takes the steps of a move; stops where somebody may attack the mover (SWM 1.8).
    fn walk_goes_on(&mut self) -> Option<Request> {
        let turn = self.turn.as_ref()?;
        let mover = self.board.figure(&turn.figure)?.clone();
        let Some(walk) = &mut self.walk else { return None };
        if !mover.in_play() || walk.next >= walk.way.len() {
            self.walk = None;
            return None;
        }
        let to = walk.way[walk.next];
        let beside = self.board.enemies(&mover).find(|enemy| {
            !turn.opportunities.contains(&enemy.id)
                && !walk.asked.contains(&enemy.id)
                && enemy.card.can_attack()
                && self.board.are_adjacent(enemy.space(), mover.space())
        });
        if let Some(enemy) = beside {
            return Some(Request::Opportunity {
                figure: enemy.id.clone(),
                mover: mover.id,
            });
        }
        walk.next += 1;
        walk.asked.clear();
        let from = mover.at;
        if let Some(figure) = self.board.figure_mut(&mover.id) {
            figure.at = to;
        }
        self.events.push(Event::Stepped {
            figure: mover.id,
            from,
            to,
        });
        None
    }

    fn opportunity(&mut self, figure: String, mover: String, attacks: bool) {
        if let Some(walk) = &mut self.walk {
            // Asked again at the next square, unless it attacks: one attack for each enemy and turn.
            walk.asked.insert(figure.clone());
        }
        if !attacks {
            return;
        }
        if let Some(turn) = &mut self.turn {
            turn.opportunities.insert(figure.clone());
        }
        let stance = Stance {
            moved: false,
            stays: false,
            charged: false,
        };
        self.tasks
            .push(Task::attack(&figure, &mover, Cause::Opportunity, stance));
    }

    fn begin_attack(&mut self, target: &str, stays: bool) -> Result<(), Refused> {
        let Some(turn) = self.turn.clone() else {
            return Err(Refused::NotAsked);
        };
        let refuse = |why| Refused::Attack {
            figure: turn.figure.clone(),
            why,
        };
        let figure = self.board.figure(&turn.figure).ok_or(Refused::NotAsked)?.clone();
        let has = |effect: &Effect| figure.card.has(|other| other == effect);
        let seen = targets::sighted(&self.board, &figure, figure.space(), &self.options);
        let enemy = seen.iter().find(|enemy| enemy.figure.id == target);
        let legal = enemy.is_some_and(|enemy| enemy.legal);
        if !legal {
            return Err(refuse("that figure is no legal target"));
        }
        if !figure.card.can_attack() {
            return Err(refuse("it has no attack"));
        }
        let adjacent = enemy.is_some_and(|enemy| enemy.adjacent);
        if turn.may_cleave && adjacent && !turn.cleaved {
            let mut next = turn.clone();
            (next.cleaved, next.may_cleave) = (true, false);
            self.turn = Some(next);
        } else {
            if turn.area {
                return Err(refuse("an area attack has replaced its attacks"));
            }
            let speed = figure.card.number(|effect| match effect {
                Effect::Speed(squares) => Some(*squares),
                _ => None,
            });
            let mut single = speed.unwrap_or(figure.card.speed);
            if turn.force_move {
                single += FORCE_SQUARES;
            }
            let charge = figure
                .card
                .has(|effect| matches!(effect, Effect::AttackAfterDoubleMove { melee, .. } if adjacent || !melee));
            if turn.moved > single && !charge {
                return Err(refuse("it has made a double move"));
            }
            if turn.moved > 0 && has(&Effect::AttackOrMove) {
                return Err(refuse("it cannot attack and move in one turn"));
            }
            if turn.moved_after {
                return Err(refuse("it has moved after its attack"));
            }
            let most = if turn.moved == 0 || has(&Effect::ExtraAttacksDespiteMoving) {
                1 + figure.card.extra_attacks()
            } else {
                1
            };
            if turn.attacks >= most {
                return Err(refuse("it has made all its attacks"));
            }
            let mut next = turn.clone();
            next.attacks += 1;
            self.turn = Some(next);
        }
        let stays = (stays || turn.stays) && turn.moved == 0;
        if let Some(next) = &mut self.turn {
            next.stays = stays;
        }
        let stance = Stance {
            moved: turn.moved > 0,
            stays,
            charged: turn.moved > figure.card.speed,
        };
        let twin = has(&Effect::TwinAttack) || (has(&Effect::TwinAttackAdjacent) && adjacent);
        // Worked off from the end of the list: the twin of the attack comes after it.
        if twin {
            self.tasks.push(Task::attack(&turn.figure, target, Cause::Twin, stance));
        }
        self.tasks.push(Task::attack(&turn.figure, target, Cause::Turn, stance));
        Ok(())
    }
}
