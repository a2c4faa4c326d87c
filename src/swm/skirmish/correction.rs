//! What the players have otherwise: what an ability did that they carry out by hand, or a slip.

use super::{Event, Refused, Request, Skirmish, request::Correction};
use crate::{
    dice::D20Source,
    swm::{map::Place, movement::may_end},
};

impl Skirmish {
    /// Sets what the players have otherwise. What is asked is asked anew where it may have changed.
    ///
    /// # Errors
    /// What is not there or cannot be so, or a skirmish that is over; nothing has changed then.
    pub fn correct(&mut self, correction: Correction, dice: &mut dyn D20Source) -> Result<(), Refused> {
        if self.pending.is_none() {
            return Err(Refused::Correct(
                "the skirmish is over: take the last choice back first",
            ));
        }
        self.set(&correction)?;
        self.events.push(Event::Corrected { correction });
        // Dice that lie and hits that are being answered stand; whose turn it is may have changed.
        let asked = matches!(self.pending, Some(Request::First { .. }));
        let waits = self.single && matches!(self.pending, Some(Request::Activate { .. }));
        let stands = asked || waits || !self.tasks.is_empty();
        if !stands {
            self.advance(dice);
        }
        Ok(())
    }

    fn set(&mut self, correction: &Correction) -> Result<(), Refused> {
        const NOBODY: Refused = Refused::Correct("there is no such figure");
        match correction {
            Correction::HitPoints { figure: id, points } => {
                let figure = self.board.figure(id).ok_or(NOBODY)?;
                if *points > figure.card.hit_points {
                    return Err(Refused::Correct("no figure has more hit points than at the start"));
                }
                if !figure.in_play() && *points > 0 && !may_end(&self.board, figure, figure.at) {
                    return Err(Refused::Correct(
                        "somebody stands where it was: move it elsewhere first",
                    ));
                }
                if let Some(figure) = self.board.figure_mut(id) {
                    figure.hit_points = *points;
                }
            }
            Correction::Force { figure, points } => {
                self.board.figure_mut(figure).ok_or(NOBODY)?.force = *points;
            }
            Correction::Activated { figure, activated } => {
                self.board.figure_mut(figure).ok_or(NOBODY)?.activated = *activated;
            }
            Correction::Place { figure: id, at } => {
                let figure = self.board.figure(id).ok_or(NOBODY)?;
                if !self.board.map().contains_space(figure.space_at(*at)) || !may_end(&self.board, figure, *at) {
                    return Err(Refused::Correct("it cannot stand there"));
                }
                // A figure that is put elsewhere does not walk on from there.
                if self.turn.as_ref().is_some_and(|turn| turn.figure == *id) {
                    self.walk = None;
                }
                if let Some(figure) = self.board.figure_mut(id) {
                    figure.at = *at;
                }
            }
            Correction::Door { door, open } => {
                let known = self.board.map().doors().get(*door);
                let place = known.ok_or(Refused::Correct("there is no such door"))?.place;
                let inside =
                    |square| (self.board.figures().iter()).any(|own| own.in_play() && own.space().contains(square));
                if !open && matches!(place, Place::Square(square) if inside(square)) {
                    return Err(Refused::Correct("somebody stands in that door"));
                }
                self.board.set_door(*door, *open);
            }
        }
        Ok(())
    }
}
