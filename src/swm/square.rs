//! Squares of the grid, and the space that a figure takes up.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// A square: columns run west to east, rows north to south, both from 0. Written as on the map, as in `C4`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Square {
    /// From the northern edge.
    pub row: u8,
    /// From the western edge.
    pub column: u8,
}

impl Square {
    /// The square of a column and a row, both from 0.
    pub const fn new(column: u8, row: u8) -> Self {
        Square { row, column }
    }
}

/// The letters of a column, from 0: `A` to `Z`, then `AA`, `AB` and so on.
pub fn column_letters(column: u8) -> String {
    let letter = |index: u8| char::from(b'A' + index % 26);
    match column / 26 {
        0 => letter(column).to_string(),
        first => format!("{}{}", letter(first - 1), letter(column)),
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", column_letters(self.column), u16::from(self.row) + 1)
    }
}

impl From<Square> for String {
    fn from(square: Square) -> String {
        square.to_string()
    }
}

/// Text that names no square.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no square: write a column and a row, as in C4")]
pub struct NoSquare(pub String);

impl FromStr for Square {
    type Err = NoSquare;

    fn from_str(text: &str) -> Result<Self, NoSquare> {
        let bad = || NoSquare(text.to_owned());
        let digits = text.find(|letter: char| letter.is_ascii_digit()).ok_or_else(bad)?;
        let (letters, number) = text.split_at(digits);
        let mut column = 0_u32;
        if letters.is_empty() || letters.len() > 2 {
            return Err(bad());
        }
        for letter in letters.chars() {
            if !letter.is_ascii_alphabetic() {
                return Err(bad());
            }
            column = column * 26 + (u32::from(letter.to_ascii_uppercase()) - u32::from('A')) + 1;
        }
        let row: u8 = number.parse().map_err(|_| bad())?;
        let column = u8::try_from(column - 1).map_err(|_| bad())?;
        Ok(Square::new(column, row.checked_sub(1).ok_or_else(bad)?))
    }
}

impl TryFrom<String> for Square {
    type Error = NoSquare;

    fn try_from(text: String) -> Result<Self, NoSquare> {
        text.parse()
    }
}

/// The squares that a figure takes up: a block of `size` by `size` (SWM 1.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Space {
    /// Its north-western square.
    pub at: Square,
    /// Squares a side: 1 for small and medium figures, 2 for large, 3 for huge ones.
    pub size: u8,
}

impl Space {
    /// A block of `size` by `size` squares, its north-western one given.
    pub const fn new(at: Square, size: u8) -> Self {
        Space { at, size }
    }

    /// Its squares, row by row.
    pub fn squares(self) -> impl Iterator<Item = Square> + Clone {
        let (at, size) = (self.at, self.size);
        (0..size).flat_map(move |row| (0..size).map(move |column| Square::new(at.column + column, at.row + row)))
    }

    /// Whether a square is one of its squares.
    pub fn contains(self, square: Square) -> bool {
        let inside = |value: u8, from: u8| value >= from && value - from < self.size;
        inside(square.column, self.at.column) && inside(square.row, self.at.row)
    }

    /// Whether two spaces share a square.
    pub fn overlaps(self, other: Space) -> bool {
        let apart = |a: u8, a_size: u8, b: u8, b_size: u8| {
            u16::from(a) + u16::from(a_size) <= u16::from(b) || u16::from(b) + u16::from(b_size) <= u16::from(a)
        };
        !apart(self.at.column, self.size, other.at.column, other.size)
            && !apart(self.at.row, self.size, other.at.row, other.size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_written_as_on_the_map() {
        for (text, column, row) in [
            ("A1", 0, 0),
            ("C4", 2, 3),
            ("Z12", 25, 11),
            ("AA1", 26, 0),
            ("BC30", 54, 29),
        ] {
            let square: Square = text.parse().unwrap();
            assert_eq!((square.column, square.row), (column, row), "{text}");
            assert_eq!(square.to_string(), text);
        }
        for text in ["", "C", "4", "C0", "4C", "ABC1", "C999", "ZZ1", "C4x"] {
            assert!(text.parse::<Square>().is_err(), "{text}");
        }
        assert_eq!("c4".parse(), Ok(Square::new(2, 3)));
    }

    #[test]
    fn spaces_overlap_where_they_share_a_square() {
        let big = Space::new(Square::new(2, 2), 2);
        assert_eq!(big.squares().count(), 4);
        for column in 0..6 {
            for row in 0..6 {
                let one = Space::new(Square::new(column, row), 1);
                assert_eq!(big.overlaps(one), big.contains(one.at));
                assert_eq!(one.overlaps(big), big.contains(one.at));
            }
        }
    }
}
