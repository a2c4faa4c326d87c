//! What a kind of game shows and asks at the keyboard. The conversation itself is the same for all, see [`super::session`].

use std::io;

use super::console::Console;
use crate::{
    decision::Reason,
    record::{file::AnsweredOf, game::Recorded, kind::Kind},
};

/// Words of a kind of game.
#[derive(Debug, Clone, Copy)]
pub struct Words {
    /// What its pieces stand on.
    pub table: &'static str,
    /// What can be typed.
    pub help: &'static str,
}

/// A question as it is shown.
#[derive(Debug, Clone, PartialEq)]
pub struct Sheet {
    /// Who is asked, and for what.
    pub heading: String,
    /// What ought to be known about it, and the choices.
    pub lines: Vec<String>,
    /// The choice for who types nothing.
    pub usual: String,
}

/// What is asked.
#[derive(Debug, Clone, PartialEq)]
pub enum Asks<Choice, Question> {
    /// There is nothing to choose: this is done.
    Settled(Choice),
    /// Somebody has to choose.
    Open(Question),
}

/// A game that is played at the keyboard.
pub trait AtKeyboard: Kind {
    /// Its words.
    const WORDS: Words;
    /// A question to the player.
    type Question;

    /// The table as a map of letters.
    fn map(&self) -> Vec<String>;
    /// The pieces, a line each.
    fn list(&self) -> Vec<String>;
    /// A piece in full: the one of this id or name, or for an empty text the one that is asked.
    ///
    /// # Errors
    /// There is none; what there is.
    fn piece(&self, typed: &str) -> Result<Vec<String>, String>;

    /// What is asked now, with a suggestion for who types nothing; `None` when nothing is.
    fn asks(&self, suggested: Option<&Self::Choice>) -> Option<Asks<Self::Choice, Self::Question>>;
    /// What is asked further once this is chosen; `None`: nothing. Choosing the same again means no more.
    fn asks_further(&self, _chosen: &Self::Choice, _suggested: Option<&Self::Choice>) -> Option<Self::Question> {
        None
    }
    /// A question as it is shown.
    fn sheet(&self, question: &Self::Question) -> Sheet;
    /// What is meant by what was typed.
    ///
    /// # Errors
    /// What can be typed.
    fn meant(&self, question: &Self::Question, typed: &str) -> Result<Self::Choice, String>;
    /// What the player sets otherwise, where the first word says so; an error says how it is written.
    fn correction(&self, _word: &str, _rest: &str) -> Option<Result<Self::Choice, String>> {
        None
    }

    /// Whether it is the piece that somebody means.
    fn is_meant(&self, who: &Self::Who, typed: &str) -> bool;
    /// The reasons of a decision as they are shown to a player.
    fn shown(&self, reasons: &[Reason]) -> Vec<Reason> {
        reasons.to_vec()
    }
    /// Why there is no decision to explain, of a piece or of any.
    fn unexplained(&self, typed: &str) -> String;
    /// Whose dice are rolled, for who is asked to roll them: for a choice of the player, or for one of the opponent.
    fn rolls_for(&self, choice: Option<&Self::Choice>) -> String;
    /// Whose die of the beginning is rolled, and what for; so many were rolled before it. Those of the initiative are rolled in
    /// turns for both sides.
    fn rolls_to_begin(_header: &Self::Header, before: usize) -> String {
        match before % 2 {
            0 => "Initiative, your die".to_owned(),
            _ => format!("Initiative, {}'s die", Self::OPPONENT),
        }
    }
    /// What is said where a choice of a commander is refused.
    fn misplanned(refused: &Self::Refused) -> String;
    /// Where the game is, as in `in round 3`.
    fn place(&self) -> String {
        format!("in round {}", self.round())
    }
    /// Where the game is after choices were taken back.
    fn back(&self) -> Vec<String>;

    /// Shows a choice and what came of it, which is what has happened since `before`.
    ///
    /// # Errors
    /// Nobody reads any more.
    fn tell(&self, before: &Self, answered: &AnsweredOf<Self>, console: &mut Console<'_>) -> io::Result<()>;
    /// The table as SVG, with the last choice.
    fn picture(game: &Recorded<Self>) -> String;
}
