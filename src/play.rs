//! A whole game at the keyboard, for somebody without a table program: the solo side is flown by Solo Alpha, which says
//! why; the player is asked for what only the player does.
//!
//! | what | where |
//! |---|---|
//! | what is played, asked before the game | [`begin`] |
//! | the conversation, its commands and undo | [`session`] |
//! | what a kind of game shows and asks | [`keyboard`], for ships [`ships`], for skirmishes of the grid game [`skirmish`] |
//! | the questions of a game of ships and their answers | [`question`] |
//! | a set-up: what is asked and proposed, places as they are typed | [`placing`] |
//! | maneuvers as they are typed, the dial | [`dial`] |
//! | the table as text | [`board`] |
//! | a terminal, or two pipes | [`console`] |
//! | a picture in a file that the player names | `picture` |
//! | a game looked at afterwards | [`viewer`] |

pub mod begin;
pub mod board;
pub mod console;
pub mod dial;
mod dice;
mod escort;
pub mod keyboard;
mod picture;
pub mod placing;
pub mod question;
pub mod session;
pub mod ships;
pub mod skirmish;
pub mod viewer;
