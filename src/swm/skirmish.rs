//! A whole skirmish as a state machine of values (SWM 1.3 to 1.10): initiative, phases of two activations, turns, attacks of
//! opportunity, attacks with their saves, the Force, doors.
//!
//! It stops where somebody must choose ([`Skirmish::pending`]) and goes on when the choice is given
//! ([`Skirmish::answer`]). It carries out what the rules say and refuses what they do not allow; who chooses, and why, is
//! not its concern. Everything that happens is recorded as an [`Event`].

use super::{
    ability::Effect,
    board::Board,
    figure::{Figure, Side},
    options::Options,
    targets, token,
};
use crate::dice::D20Source;

mod attack;
pub mod audit;
mod correction;
pub mod event;
pub mod request;
pub mod turn;
pub mod words;

use attack::Task;
pub use event::{Cause, Event};
pub use request::{Answer, Correction, Refused, Request};
use turn::{TurnState, Walk};

/// Figures that a side activates in a phase (SWM 1.7).
const ACTIVATIONS: u8 = 2;

/// How much farther a Force point takes a figure (SWM 1.3).
pub(super) const FORCE_SQUARES: u16 = 2;

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
    /// Only one activation is played.
    single: bool,
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
            single: false,
        };
        skirmish.advance(dice);
        skirmish
    }

    /// One activation of a side on a board as it stands, for who follows a skirmish that is played elsewhere: nothing is asked
    /// any more once its turn has ended.
    pub fn activation(board: Board, options: Options, round: u32, side: Side) -> Skirmish {
        Skirmish {
            board,
            options,
            round,
            rounds: None,
            side,
            left_in_phase: 1,
            turn: None,
            walk: None,
            tasks: Vec::new(),
            pending: Some(Request::Activate { side }),
            events: Vec::new(),
            single: true,
        }
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
        // Those who wait under tokens that nobody has seen are still to be beaten.
        let waiting = self.board.tokens().iter().any(|token| !token.figures.is_empty());
        let left = |side| self.board.side(side).next().is_some() || (side == Side::Automated && waiting);
        match (left(Side::Player), left(Side::Automated)) {
            (true, false) => Some(Side::Player),
            (false, true) => Some(Side::Automated),
            _ => None,
        }
    }

    /// SWM-P2: tokens that a player figure sees now bring their figures in.
    fn look_for_tokens(&mut self) {
        if self.board.tokens().is_empty() {
            return;
        }
        for sighting in token::reveal(&mut self.board) {
            self.events.push(Event::Revealed {
                token: sighting.at,
                by: sighting.by,
                figures: sighting.figures.into_iter().collect(),
            });
        }
    }

    /// Who answers a request.
    pub fn side_of(&self, request: &Request) -> Side {
        match request {
            Request::First { side } | Request::Activate { side } => *side,
            // What is carried out by hand is the players' to say, whoever moves the figure.
            Request::ByHand { .. } => Side::Player,
            _ => {
                let figure = request.figure().and_then(|id| self.board.figure(id));
                figure.map_or(Side::Player, |figure| figure.side)
            }
        }
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
            (Request::Act { .. }, Answer::Attack { target, stays, with }) => {
                self.begin_attack(&target, stays, &with)?;
            }
            (Request::Act { .. }, Answer::Area { ability, target }) => self.area(&ability, &target)?,
            (Request::Act { .. }, Answer::Done) => self.end_turn(),
            (Request::Opportunity { figure, mover }, Answer::Yes(attacks)) => {
                self.opportunity(figure, &mover, attacks);
            }
            (Request::Reroll { .. }, Answer::Yes(repeats)) => self.rerolled(repeats, dice),
            (Request::Defend { powers, .. }, Answer::Power(power))
                if power.is_none_or(|power| power < powers.len()) =>
            {
                self.defended(power);
            }
            (Request::Riposte { .. }, Answer::Yes(attacks)) => self.riposted(attacks),
            (Request::Intercept { figure, .. }, Answer::Yes(takes)) => self.intercepted(&figure, takes),
            (Request::ByHand { .. }, Answer::Damage(damage)) => self.settled(damage),
            _ => return Err(Refused::NotAsked),
        }
        self.advance(dice);
        Ok(())
    }

    fn advance(&mut self, dice: &mut dyn D20Source) {
        self.pending = None;
        while self.pending.is_none() {
            self.look_for_tokens();
            if !self.tasks.is_empty() {
                self.pending = self.task_goes_on(dice);
                continue;
            }
            if self.walk.is_some() {
                self.pending = self.walk_goes_on();
                continue;
            }
            if self.winner().is_some() || self.board.side(Side::Player).next().is_none() {
                self.turn = None;
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
            if self.single {
                return;
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
        self.turn = Some(TurnState::new(id, had_target));
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

    /// Whether the hit that is being answered comes from an adjacent attacker.
    pub fn is_hit_from_beside(&self) -> bool {
        matches!(self.tasks.last(), Some(Task::Hit(hit)) if hit.adjacent)
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
}
