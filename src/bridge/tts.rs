//! The Tabletop Simulator bridge: raw facts of the X-Wing Unified mod in, domain values out, and back. `docs/tts.md`
//! describes what is read and what is asked for.

pub mod install;
pub mod models;
pub mod moves;
pub mod obstacles;
pub mod save;
pub mod ships;
pub mod snapshot;
pub mod tokens;
pub mod units;

/// Something that could not be used as it stands, or was filled in: which object, what is wrong, and what helps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// GUID of the object, or its name where it has none; empty for the table as a whole.
    pub object: String,
    /// What is wrong and what helps.
    pub message: String,
}

impl Warning {
    pub(crate) fn new(object: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            object: object.into(),
            message: message.into(),
        }
    }
}

impl std::fmt::Display for Warning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.object.is_empty() {
            f.write_str(&self.message)
        } else {
            write!(f, "{}: {}", self.object, self.message)
        }
    }
}
