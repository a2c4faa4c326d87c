//! A skirmish of the grid game at the keyboard: the automated side is played by its rules, which say why; the player is asked
//! for what only the player does.
//!
//! | what | where |
//! |---|---|
//! | the board as text | [`board`] |
//! | the questions and their answers | [`question`] |
//! | the skirmish itself, its commands and undo | [`session`] |

pub mod board;
pub mod question;
pub mod session;
