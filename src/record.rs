//! Whole games written down: who chose what and why, with which dice, and what came of it.
//!
//! A record is a [journal](crate::game::journal) of one game, one JSON object a line. It says how the game began and every
//! choice since; the battle itself is not in it, for it follows from them: [`Game::resume`] plays a record again and tells
//! where this program decides or rolls otherwise.
//!
//! | what | where |
//! |---|---|
//! | how a game begins | [`beginning`] |
//! | the lines of a record, its file | [`mod@file`] |
//! | dice that are noted, given, typed in | [`dice`] |
//! | a game that is played and written down, or played again | [`game`] |
//! | what happened, in words | [`words`] |
//! | where ships have been, for pictures | [`picture`] |
//! | the course of a game, moment by moment; as a page | [`course`], [`html`] |
//! | the same for skirmishes of the grid game | [`skirmish`] |

pub mod beginning;
pub mod course;
pub mod dice;
pub mod file;
pub mod game;
pub mod html;
pub mod picture;
pub mod skirmish;
pub mod words;

pub use self::{
    beginning::{Beginning, Hand, Start},
    file::{Answered, Header, RecordError, RecordFile},
    game::{Astray, Game},
};
