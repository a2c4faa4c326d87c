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

/// How many squares a figure takes up (SWM 1.3): 1x1 small and medium, 2x2 large, 3x3 huge, anything larger colossal. Written as
/// one number where both sides are equal, else as in `6x12`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "BaseForm", try_from = "BaseForm")]
pub struct Base {
    /// Squares from west to east.
    pub wide: u8,
    /// Squares from north to south.
    pub high: u8,
}

/// The most squares a side of a base.
pub const MOST_BASE_SQUARES: u8 = 20;

impl Base {
    /// One square.
    pub const ONE: Base = Base { wide: 1, high: 1 };

    /// A base of other than one square.
    pub const fn is_big(self) -> bool {
        self.wide > 1 || self.high > 1
    }

    /// How many squares it has.
    pub const fn squares(self) -> usize {
        self.wide as usize * self.high as usize
    }
}

impl Default for Base {
    fn default() -> Self {
        Base::ONE
    }
}

impl From<u8> for Base {
    fn from(side: u8) -> Base {
        Base { wide: side, high: side }
    }
}

impl fmt::Display for Base {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.wide == self.high {
            true => write!(f, "{}", self.wide),
            false => write!(f, "{}x{}", self.wide, self.high),
        }
    }
}

/// How a base is written in files.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum BaseForm {
    Side(u8),
    Text(String),
}

impl From<Base> for BaseForm {
    fn from(base: Base) -> BaseForm {
        match base.wide == base.high {
            true => BaseForm::Side(base.wide),
            false => BaseForm::Text(base.to_string()),
        }
    }
}

impl TryFrom<BaseForm> for Base {
    type Error = NoBase;

    fn try_from(form: BaseForm) -> Result<Base, NoBase> {
        match form {
            BaseForm::Side(side) => side.to_string().parse(),
            BaseForm::Text(text) => text.parse(),
        }
    }
}

/// Text that names no base.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no base: write squares a side, as in 2, or 6x12, or small, medium, large, huge; at most {MOST_BASE_SQUARES} a side"
)]
pub struct NoBase(pub String);

impl FromStr for Base {
    type Err = NoBase;

    fn from_str(text: &str) -> Result<Base, NoBase> {
        let bad = || NoBase(text.to_owned());
        let plain = text.trim().to_ascii_lowercase();
        let side = |text: &str| {
            let side: Option<u8> = text.trim().parse().ok();
            side.filter(|side| (1..=MOST_BASE_SQUARES).contains(side))
                .ok_or_else(bad)
        };
        Ok(match (&*plain, plain.split_once('x')) {
            ("small" | "medium", _) => Base::ONE,
            ("large", _) => Base::from(2),
            ("huge", _) => Base::from(3),
            (_, Some((wide, high))) => Base {
                wide: side(wide)?,
                high: side(high)?,
            },
            (one, None) => Base::from(side(one)?),
        })
    }
}

/// The squares that a figure takes up: a block of its base's size (SWM 1.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Space {
    /// Its north-western square.
    pub at: Square,
    /// Its sides.
    pub base: Base,
}

impl Space {
    /// A block of squares, its north-western one given; a number for a base is that many squares a side.
    pub fn new(at: Square, base: impl Into<Base>) -> Self {
        Space { at, base: base.into() }
    }

    /// Its squares, row by row.
    pub fn squares(self) -> impl Iterator<Item = Square> + Clone {
        let (at, base) = (self.at, self.base);
        (0..base.high)
            .flat_map(move |row| (0..base.wide).map(move |column| Square::new(at.column + column, at.row + row)))
    }

    /// Whether a square is one of its squares.
    pub fn contains(self, square: Square) -> bool {
        let inside = |value: u8, from: u8, size: u8| value >= from && value - from < size;
        inside(square.column, self.at.column, self.base.wide) && inside(square.row, self.at.row, self.base.high)
    }

    /// Whether two spaces share a square.
    pub fn overlaps(self, other: Space) -> bool {
        let apart = |a: u8, a_size: u8, b: u8, b_size: u8| {
            u16::from(a) + u16::from(a_size) <= u16::from(b) || u16::from(b) + u16::from(b_size) <= u16::from(a)
        };
        !apart(self.at.column, self.base.wide, other.at.column, other.base.wide)
            && !apart(self.at.row, self.base.high, other.at.row, other.base.high)
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
    fn bases_are_written_as_one_number_or_two() {
        for (text, wide, high) in [
            ("1", 1, 1),
            ("2", 2, 2),
            ("Huge", 3, 3),
            ("6x12", 6, 12),
            ("large", 2, 2),
        ] {
            assert_eq!(text.parse(), Ok(Base { wide, high }), "{text}");
        }
        for text in ["", "0", "x", "2x", "21", "3x0", "big"] {
            assert!(text.parse::<Base>().is_err(), "{text}");
        }
        let long = Base { wide: 6, high: 12 };
        assert_eq!(serde_json::to_string(&[long, Base::ONE]).unwrap(), r#"["6x12",1]"#);
        assert_eq!(
            serde_json::from_str::<Vec<Base>>(r#"["6x12",1]"#).unwrap(),
            [long, Base::ONE]
        );
        assert_eq!(Space::new(Square::new(1, 1), long).squares().count(), long.squares());
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
