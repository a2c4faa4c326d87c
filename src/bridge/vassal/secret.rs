//! Texts that no log may show.

use std::fmt;

/// The id of a player, which is the player's password: whoever knows it can take the seat. Its `Debug` form hides it, it has no
/// `Display` form, and nothing but a save or another player of the same game is ever told it.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Secret(String);

impl Secret {
    /// Takes a text that must not be shown.
    pub fn new(text: impl Into<String>) -> Secret {
        Secret(text.into())
    }

    /// The text itself, to be written into a save or a command.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_empty() {
            "Secret(empty)"
        } else {
            "Secret(hidden)"
        })
    }
}
