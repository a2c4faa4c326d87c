//! How a skirmish at a table stands, in words.

use super::{Effect, Event, SkirmishGame, activation::Waits, event::Status};
use crate::swm::figure::Side;

impl SkirmishGame {
    /// How it stands.
    pub fn current_status(&self) -> Status {
        let board = self.board();
        let Some(board) = board else {
            return Status {
                round: self.round,
                text: "Waiting for a table.".to_owned(),
                ..Status::default()
            };
        };
        let automated = board.side(Side::Automated).map(|figure| figure.id.clone()).collect();
        let waiting = self.waiting();
        let acting = self.acting.as_ref().map(|acting| acting.figure.clone());
        let round = self.round;
        let text = match &self.acting {
            Some(acting) => {
                let doing = match (&self.outstanding, &acting.waits) {
                    (Some(sent), _) => sent.step.words(),
                    (None, Waits::Prompt(prompt)) => prompt.text.clone(),
                    (None, Waits::Roll(roll)) => roll.reason.clone(),
                    (None, Waits::Sync) => "waiting for the table to be read".to_owned(),
                    (None, Waits::Nothing) => String::new(),
                };
                format!("Round {round}: {} acts. {doing}", acting.figure)
                    .trim_end()
                    .to_owned()
            }
            None => match waiting.len() {
                0 => format!("Round {round}: all automated figures have activated."),
                1 => format!("Round {round}: 1 automated figure has yet to activate."),
                many => format!("Round {round}: {many} automated figures have yet to activate."),
            },
        };
        Status {
            round,
            automated,
            waiting,
            acting,
            text,
        }
    }

    pub(super) fn status(&mut self) {
        let status = self.current_status();
        if self.last_status.as_ref() != Some(&status) {
            self.last_status = Some(status.clone());
            self.effects.push(Effect::Event(Event::Status(status)));
        }
    }
}
