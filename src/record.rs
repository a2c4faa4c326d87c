//! Whole games written down: who chose what and why, with which dice, and what came of it.
//!
//! A record is a [journal](crate::game::journal) of one game, one JSON object a line. It says how the game began and every
//! choice since; the game itself is not in it, for it follows from them: [`game::Recorded::resume`] plays a record again and tells
//! where this program decides or rolls otherwise.
//!
//! | what | where |
//! |---|---|
//! | how a game begins | [`beginning`] |
//! | what a kind of game is, and what is the same for all kinds | [`kind`], [`game`] |
//! | the game of ships; skirmishes of the grid game | [`ships`], [`skirmish`] |
//! | the lines of a record, its file | [`mod@file`] |
//! | dice that are noted, given, typed in | [`dice`] |
//! | what happened, in words | [`words`] |
//! | where ships have been, for pictures | [`picture`] |
//! | the course of a game, moment by moment; as a page | [`course`], [`html`] |

pub mod beginning;
pub mod course;
pub mod dice;
pub mod file;
pub mod game;
pub mod html;
pub mod kind;
pub mod picture;
pub mod ships;
pub mod skirmish;
pub mod words;

pub use self::{
    beginning::{Beginning, Hand, Start},
    file::RecordError,
    game::Astray,
    ships::Header,
};

/// A game of ships that is written down.
pub type Game = game::Recorded<ships::ShipGame>;

/// The record of a game of ships that is being written.
pub type RecordFile = file::Recording<ships::ShipGame>;

/// A choice that was made and accepted in a game of ships.
pub type Answered = file::AnsweredOf<ships::ShipGame>;
