//! 300 positions with the answers of an independent implementation of the rules page (`docs/positions.md`).

use serde_json::Value;
use tallyho::{
    bridge::position::{self, Position},
    xwing::catalog::Catalog,
};

/// The positions, one a line.
pub const POSITIONS: &str = include_str!("../cases/positions-300.jsonl");

/// The answers, one a line, in the same order.
const EXPECTED: &str = include_str!("../cases/expected-300.jsonl");

/// Each position's line, what it says, and the answer to it.
pub fn all() -> impl Iterator<Item = (&'static str, Position, Value)> {
    POSITIONS.lines().zip(EXPECTED.lines()).map(|(line, expected)| {
        let position = position::parse(line, Catalog::embedded()).unwrap_or_else(|error| panic!("{error}: {line}"));
        let expected: Value = serde_json::from_str(expected).unwrap();
        assert_eq!(expected["id"], position.id);
        (line, position, expected)
    })
}
