//! Positions as data: the JSON form of a table at one moment, for `tallyho decide`, bug reports and case suites.
//!
//! `docs/positions.md` describes the fields. [`parse`] turns the text into a [`Table`] whose ships carry their facts
//! from the catalog, and names the place of everything that it cannot use; [`write()`] is the way back. [`answer`]
//! holds the notations in which a decision is written.

pub mod answer;
mod fields;
mod resolve;
pub mod wire;
mod write;

use std::fmt;

pub use self::{
    answer::Answer,
    resolve::resolve,
    wire::Roll,
    write::{to_wire, write},
};
use crate::xwing::{ObjectId, catalog::Catalog, edition::FirstEditionOptions, table::Table};

/// A table at one moment, with what is asked about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Position {
    /// Names the position in answers; may be empty.
    pub id: String,
    /// Everything on the table.
    pub table: Table,
    /// The options of the first edition that made the table's rules; they mean nothing in the second.
    pub options: FirstEditionOptions,
    /// The ship to decide for, where the position names one.
    pub active: Option<ObjectId>,
    /// Dice that are already rolled (SA-3.3).
    pub roll: Roll,
    /// The object that is the tally whatever else is there (SA-3.1).
    pub forced_tally: Option<ObjectId>,
    /// Free words.
    pub tags: Vec<String>,
    /// What was not understood or was filled in; the position is usable all the same.
    pub warnings: Vec<Warning>,
}

impl Position {
    /// A position of a table about which nothing is asked yet.
    pub fn of(table: Table) -> Self {
        Position {
            id: String::new(),
            table,
            options: FirstEditionOptions::default(),
            active: None,
            roll: Roll::default(),
            forced_tally: None,
            tags: Vec::new(),
            warnings: Vec::new(),
        }
    }
}

/// Something that was not understood or was filled in. It is shown as its place, a colon and its message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// Where, as in `ships[2].size`; empty for the table as a whole.
    pub place: String,
    /// What, and what was done about it.
    pub message: String,
}

impl Warning {
    /// A warning about a field of the object at `place`.
    pub(crate) fn at(place: &str, field: &str, message: String) -> Self {
        Warning {
            place: format!("{place}.{field}"),
            message,
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place.is_empty() {
            true => f.write_str(&self.message),
            false => write!(f, "{}: {}", self.place, self.message),
        }
    }
}

/// Why a position cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PositionError {
    /// Where, as in `ships[2].size`; empty for the text as a whole.
    pub place: String,
    /// What is wrong, and the remedy.
    pub message: String,
}

impl PositionError {
    pub(crate) fn at(place: impl Into<String>, message: impl Into<String>) -> Self {
        PositionError {
            place: place.into(),
            message: message.into(),
        }
    }
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.place.is_empty() {
            f.write_str(&self.message)
        } else {
            write!(f, "{}: {}", self.place, self.message)
        }
    }
}

impl std::error::Error for PositionError {}

/// Reads one position from its JSON text.
///
/// # Errors
/// Text that is not JSON, a field of the wrong type, an id that names nothing or two things, a ship that neither the
/// catalog nor the position describes, or a number outside the bounds of `docs/positions.md`. The error names the place.
pub fn parse(json: &str, catalog: &Catalog) -> Result<Position, PositionError> {
    let (wire, mut warnings) = fields::read(json)?;
    let mut position = resolve(wire, catalog)?;
    warnings.append(&mut position.warnings);
    position.warnings = warnings;
    Ok(position)
}
