//! A whole game at the keyboard, for somebody without a table program: the solo side is flown by Solo Alpha, which says
//! why; the player is asked for what only the player does.
//!
//! | what | where |
//! |---|---|
//! | what is played, asked before the game | [`begin`] |
//! | the questions of a game and their answers | [`question`] |
//! | maneuvers as they are typed, the dial | [`dial`] |
//! | the table as text | [`board`] |
//! | a terminal, or two pipes | [`console`] |
//! | the game itself, its commands and undo | [`session`] |
//! | a game looked at afterwards | [`viewer`] |
//! | a skirmish of the grid game | [`skirmish`] |

pub mod begin;
pub mod board;
pub mod console;
pub mod dial;
pub mod question;
pub mod session;
pub mod skirmish;
pub mod viewer;
