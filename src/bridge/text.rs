//! The readable text form of a position, which a player may type or paste in a bug report.
//!
//! ```text
//! ship A tielnfighter solo 457,300 @0 init 3
//! ship B t65xwing player 500,520 @180 pilot lukeskywalker focus 1
//! asteroid rock coreasteroid0 300,400 @30
//! active A
//! roll evade/hit
//! ```
//!
//! `docs/fixtures.md` has all words. Lines become the wire type of [`super::position`], so both forms mean the same and
//! share every check; errors name the line and the column here.

mod reader;
mod token;
mod words;
mod writer;

use std::fmt;

pub use self::{words::roll, writer::write};
use super::position::{self, Position, Warning};
use crate::xwing::catalog::Catalog;

/// Why a text cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong, and what was expected.
    pub message: String,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for TextError {}

/// Reads a position from its text form.
///
/// # Errors
/// A line that does not begin with a known word, a word that is missing or not understood, and every error of
/// [`position::resolve`]. The error names the line and the column.
pub fn parse(text: &str, catalog: &Catalog) -> Result<Position, TextError> {
    let (wire, places) = reader::read(text)?;
    let mut position = position::resolve(wire, catalog).map_err(|error| {
        let spot = places.find(&error.place);
        TextError {
            line: spot.line,
            column: spot.column,
            message: error.message,
        }
    })?;
    for Warning { place, .. } in &mut position.warnings {
        *place = places.find(place).to_string();
    }
    Ok(position)
}
