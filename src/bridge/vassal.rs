//! Vassal: saves, logs and modules of the game engine, and the commands that its players send each other (`docs/vassal.md`).
//!
//! Everything rests on [`sequence`]: tokens joined by a character, escaped by a backslash. A game is a tree of commands
//! ([`command`]) that add, move and change pieces ([`piece`]); a save ([`save`]) holds the commands that set the game up, a log
//! further ones. Nothing is run: a trait's state is read and written, its behaviour belongs to Vassal. What is not known is
//! carried along as it is, so that a save that was read is written back byte for byte.

pub mod archive;
pub mod command;
pub mod game;
pub mod inventory;
pub mod module;
pub mod obfuscation;
pub mod online;
pub mod outline;
pub mod piece;
pub mod practice;
pub mod probe;
pub mod profile;
pub mod save;
pub mod secret;
pub mod sequence;
pub mod table;
pub mod traits;

/// Something that cannot be read. It is shown as its place, a colon and what is wrong; it never quotes a command, which could
/// hold a player's password.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct Damage {
    /// Where, as in `savedGame, command 3.17, piece 1234`.
    pub place: String,
    /// What is wrong, and where there is one the remedy.
    pub problem: String,
}

impl Damage {
    pub(crate) fn at(place: impl Into<String>, problem: impl Into<String>) -> Damage {
        Damage {
            place: place.into(),
            problem: problem.into(),
        }
    }

    /// The same within something larger.
    pub(crate) fn within(self, place: &str) -> Damage {
        Damage {
            place: format!("{place}, {}", self.place),
            ..self
        }
    }
}
