//! The board of a skirmish at a moment.

use super::Staged;
use crate::{
    record::{file::AnsweredOf, kind::Kind as _, skirmish::SkirmishGame},
    swm::board::Board,
};

/// The figures on their squares.
#[derive(Debug, Clone)]
pub struct GridScene {
    /// The figure that is asked; empty where a side is.
    pub figure: String,
    /// The board.
    pub board: Board,
}

impl Staged for SkirmishGame {
    type Scene = GridScene;

    fn scene(&self) -> GridScene {
        let asked = self.pending().and_then(|request| request.figure());
        GridScene {
            figure: asked.unwrap_or_default().to_owned(),
            board: self.skirmish().board().clone(),
        }
    }

    fn phase(&self) -> &str {
        ""
    }

    fn said(&self, answered: &AnsweredOf<Self>) -> String {
        match answered.explanation.sentence.as_str() {
            "" => self.sentence(&answered.choice),
            sentence => sentence.to_owned(),
        }
    }

    fn draw(&self, _scene: &mut GridScene, _answered: &AnsweredOf<Self>, _before: usize) {}
}
