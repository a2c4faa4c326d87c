//! Taking activations back, and what the players set.

use std::collections::BTreeSet;

use super::{Effect, Event, Refusal, SkirmishGame, Step, Waits};
use crate::{
    dice::SeededDice,
    swm::{
        board::Board,
        figure::Side,
        skirmish::{Correction, Skirmish},
    },
};

/// How it was before an activation.
#[derive(Debug, Clone)]
pub(super) struct Before {
    pub figure: String,
    pub board: Board,
    pub activated: BTreeSet<String>,
    pub round: u32,
}

impl SkirmishGame {
    /// Takes back the last activation, or the one under way while it waits for the players. One sentence.
    ///
    /// # Errors
    /// Nothing to take back, or a step on its way.
    pub fn undo(&mut self) -> Result<String, Refusal> {
        if let Some(sent) = self.outstanding.as_ref().filter(|_| self.acting.is_none()) {
            return Err(Refusal::Busy(sent.step.words()));
        }
        if let Some(acting) = &self.acting {
            if self.outstanding.is_some() || acting.waits == Waits::Sync {
                return Err(Refusal::Busy(acting.figure.clone()));
            }
            self.board = Some(self.shown(acting.skirmish.board().clone()));
        }
        let now = self.board.clone().ok_or(Refusal::NoTable)?;
        let before = self.history.pop().ok_or(Refusal::Nothing("take back"))?;
        self.acting = None;
        self.queue = 0;
        self.steps.clear();
        for figure in before.board.figures() {
            let differs = now.figure(&figure.id).is_none_or(|other| {
                (other.at, other.hit_points, other.force, other.activated)
                    != (figure.at, figure.hit_points, figure.force, figure.activated)
            });
            if differs {
                self.steps.push_back(Step::Put {
                    figure: figure.id.clone(),
                    at: figure.at,
                    hit_points: figure.hit_points,
                    force: figure.force,
                    activated: figure.activated,
                });
            }
        }
        let doors = now.map().doors().iter().zip(before.board.map().doors());
        for (number, (_, old)) in doors.enumerate().filter(|(_, (new, old))| new.open != old.open) {
            self.steps.push_back(Step::Door {
                door: number,
                place: old.place,
                open: old.open,
            });
        }
        self.board = Some(before.board);
        self.activated = before.activated;
        self.round = before.round;
        self.go_on();
        self.status();
        Ok(format!("The activation of {} is taken back.", before.figure))
    }

    /// The board without the steps that have not been sent.
    fn shown(&self, board: Board) -> Board {
        // Steps that wait have changed `self.board` already; the table is asked to put everything back all the same.
        self.board.clone().unwrap_or(board)
    }

    /// What the players have otherwise: on the board, until the table is seen again. One sentence.
    ///
    /// # Errors
    /// Nobody of that name, or what cannot be so; an activation under way.
    pub fn correct(&mut self, corrections: Vec<Correction>) -> Result<String, Refusal> {
        if let Some(acting) = &self.acting {
            return Err(Refusal::Busy(acting.figure.clone()));
        }
        let board = self.board.clone().ok_or(Refusal::NoTable)?;
        let mut skirmish = Skirmish::activation(board, self.options.clone(), self.round, Side::Automated);
        let mut dice = SeededDice::new(self.config.seed);
        for correction in &corrections {
            skirmish.correct(correction.clone(), &mut dice)?;
            if let Correction::Activated { figure, activated } = correction {
                match activated {
                    true => self.activated.insert(figure.clone()),
                    false => self.activated.remove(figure),
                };
            }
        }
        let words = crate::swm::skirmish::words::events(skirmish.board(), skirmish.events());
        self.board = Some(skirmish.board().clone());
        let message = words.join(" ");
        self.effects.push(Effect::Event(Event::Note(message.clone())));
        self.status();
        Ok(message)
    }
}
