//! SA-3.5: what the ship is minded to do after its move.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::dice::DefenceFace;

/// The attitude of one activation (SA-3.5). It chooses the action ladder of SA-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Attitude {
    /// From an evade.
    Defensive,
    /// From a focus.
    Balanced,
    /// From a blank.
    Offensive,
}

impl Attitude {
    /// The attitude that a defence die means.
    pub const fn from_die(die: DefenceFace) -> Attitude {
        match die {
            DefenceFace::Evade => Attitude::Defensive,
            DefenceFace::Focus => Attitude::Balanced,
            DefenceFace::Blank => Attitude::Offensive,
        }
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Attitude::Defensive => "Defensive",
            Attitude::Balanced => "Balanced",
            Attitude::Offensive => "Offensive",
        }
    }
}

impl fmt::Display for Attitude {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
