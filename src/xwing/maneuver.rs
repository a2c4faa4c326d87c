//! Maneuvers and dials.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// Left or right, seen from the ship.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// Port.
    Left,
    /// Starboard.
    Right,
}

impl Side {
    /// Both sides, left first.
    pub const BOTH: [Side; 2] = [Side::Left, Side::Right];

    /// +1 to the right, -1 to the left: the sign of x in the ship's frame.
    pub const fn sign(self) -> f64 {
        match self {
            Side::Left => -1.0,
            Side::Right => 1.0,
        }
    }

    /// The side in a word.
    pub const fn name(self) -> &'static str {
        match self {
            Side::Left => "left",
            Side::Right => "right",
        }
    }

    /// The other side.
    pub const fn opposite(self) -> Side {
        match self {
            Side::Left => Side::Right,
            Side::Right => Side::Left,
        }
    }
}

/// The shape of a maneuver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Bearing {
    /// Straight ahead.
    Straight,
    /// 45 degrees along a wide arc.
    Bank(Side),
    /// 90 degrees along a tight arc.
    Turn(Side),
    /// Straight, then about face.
    Koiogran,
    /// A bank, then about face.
    SegnorsLoop(Side),
    /// A turn, then another quarter turn inwards.
    TallonRoll(Side),
    /// Backwards.
    ReverseStraight,
    /// Backwards along a bank; the side is the label's.
    ReverseBank(Side),
    /// Not moving.
    Stationary,
}

impl Bearing {
    /// The side that the bearing's label names, if any.
    pub const fn side(self) -> Option<Side> {
        match self {
            Bearing::Bank(side)
            | Bearing::Turn(side)
            | Bearing::SegnorsLoop(side)
            | Bearing::TallonRoll(side)
            | Bearing::ReverseBank(side) => Some(side),
            Bearing::Straight | Bearing::Koiogran | Bearing::ReverseStraight | Bearing::Stationary => None,
        }
    }

    /// SA-5: Koiogran, Segnor, Tallon, stationary and both reverses are *advanced*.
    pub const fn is_advanced(self) -> bool {
        !matches!(self, Bearing::Straight | Bearing::Bank(_) | Bearing::Turn(_))
    }

    /// The bearing's letter in dial codes (`reference: dial codes of the ship data`).
    pub const fn letter(self) -> char {
        match self {
            Bearing::Turn(Side::Left) => 'T',
            Bearing::Bank(Side::Left) => 'B',
            Bearing::Straight => 'F',
            Bearing::Bank(Side::Right) => 'N',
            Bearing::Turn(Side::Right) => 'Y',
            Bearing::Koiogran => 'K',
            Bearing::SegnorsLoop(Side::Left) => 'L',
            Bearing::SegnorsLoop(Side::Right) => 'P',
            Bearing::TallonRoll(Side::Left) => 'E',
            Bearing::TallonRoll(Side::Right) => 'R',
            Bearing::ReverseBank(Side::Left) => 'A',
            Bearing::ReverseStraight => 'S',
            Bearing::ReverseBank(Side::Right) => 'D',
            Bearing::Stationary => 'O',
        }
    }

    /// The bearing that a dial letter means.
    pub const fn from_letter(letter: char) -> Option<Bearing> {
        Some(match letter {
            'T' => Bearing::Turn(Side::Left),
            'B' => Bearing::Bank(Side::Left),
            'F' => Bearing::Straight,
            'N' => Bearing::Bank(Side::Right),
            'Y' => Bearing::Turn(Side::Right),
            'K' => Bearing::Koiogran,
            'L' => Bearing::SegnorsLoop(Side::Left),
            'P' => Bearing::SegnorsLoop(Side::Right),
            'E' => Bearing::TallonRoll(Side::Left),
            'R' => Bearing::TallonRoll(Side::Right),
            'A' => Bearing::ReverseBank(Side::Left),
            'S' => Bearing::ReverseStraight,
            'D' => Bearing::ReverseBank(Side::Right),
            'O' => Bearing::Stationary,
            _ => return None,
        })
    }
}

/// The colour of a maneuver or an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Difficulty {
    /// Removes a stress token.
    Blue,
    /// No effect.
    White,
    /// Gains a stress token; not while stressed.
    Red,
    /// Costs 1 Force.
    Purple,
}

impl Difficulty {
    /// The colour's letter in dial codes.
    pub const fn letter(self) -> char {
        match self {
            Difficulty::Blue => 'B',
            Difficulty::White => 'W',
            Difficulty::Red => 'R',
            Difficulty::Purple => 'P',
        }
    }

    /// The colour that a dial letter means.
    pub const fn from_letter(letter: char) -> Option<Difficulty> {
        Some(match letter {
            'B' => Difficulty::Blue,
            'W' => Difficulty::White,
            'R' => Difficulty::Red,
            'P' => Difficulty::Purple,
            _ => return None,
        })
    }
}

/// One entry of a dial. Its text form is the dial code: speed, bearing letter, colour letter (`2FB`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Maneuver {
    /// 0 to 5.
    pub speed: u8,
    /// The shape.
    pub bearing: Bearing,
    /// The colour.
    pub difficulty: Difficulty,
}

impl Maneuver {
    /// The ion maneuver (SA-6.1): a blue 1 straight, whatever the dial says.
    pub const ION: Maneuver = Maneuver {
        speed: 1,
        bearing: Bearing::Straight,
        difficulty: Difficulty::Blue,
    };

    /// The ion maneuver of the first edition (FE-7.2): a white 1 straight.
    pub const WHITE_ION: Maneuver = Maneuver {
        difficulty: Difficulty::White,
        ..Maneuver::ION
    };
}

impl fmt::Display for Maneuver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.speed, self.bearing.letter(), self.difficulty.letter())
    }
}

/// A text that is not a dial code.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadManeuverCode {
    /// It is none at all.
    #[error(
        "`{0}` is not a dial code: write speed 0-5, a bearing letter of TBFNYKLPERASDO, a colour letter of BWRP, as in 2FB"
    )]
    Malformed(String),
    /// Not moving, and yet a speed.
    #[error("`{0}` is stationary with a speed: write 0O and the colour, as in 0OR")]
    StationaryWithSpeed(String),
    /// Speed 0 of a shape that no dial has at speed 0.
    #[error(
        "`{0}` has speed 0, which only banks of huge ships and stationary maneuvers have: write a speed of 1-5, or 0O to stay"
    )]
    NoSpeed(String),
}

impl From<Maneuver> for String {
    fn from(maneuver: Maneuver) -> String {
        maneuver.to_string()
    }
}

impl TryFrom<String> for Maneuver {
    type Error = BadManeuverCode;

    fn try_from(code: String) -> Result<Self, Self::Error> {
        code.parse()
    }
}

impl FromStr for Maneuver {
    type Err = BadManeuverCode;

    fn from_str(code: &str) -> Result<Self, Self::Err> {
        let bad = || BadManeuverCode::Malformed(code.to_owned());
        let mut letters = code.chars();
        let speed = letters
            .next()
            .and_then(|c| c.to_digit(10))
            .filter(|&s| s <= 5)
            .ok_or_else(bad)?;
        let bearing = letters.next().and_then(Bearing::from_letter).ok_or_else(bad)?;
        let difficulty = letters.next().and_then(Difficulty::from_letter).ok_or_else(bad)?;
        if letters.next().is_some() {
            return Err(bad());
        }
        match (speed, bearing) {
            (0, Bearing::Stationary | Bearing::Bank(_)) => {}
            (0, _) => return Err(BadManeuverCode::NoSpeed(code.to_owned())),
            (_, Bearing::Stationary) => return Err(BadManeuverCode::StationaryWithSpeed(code.to_owned())),
            _ => {}
        }
        Ok(Maneuver {
            speed: speed as u8,
            bearing,
            difficulty,
        })
    }
}

/// The maneuvers a ship can select, sorted and without repeats.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Dial(Vec<Maneuver>);

impl Dial {
    /// A dial of these maneuvers, in any order.
    pub fn new(maneuvers: impl IntoIterator<Item = Maneuver>) -> Self {
        let mut maneuvers: Vec<_> = maneuvers.into_iter().collect();
        maneuvers.sort();
        maneuvers.dedup();
        Self(maneuvers)
    }

    /// All entries, by speed, then bearing.
    pub fn maneuvers(&self) -> &[Maneuver] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_speed_of_zero_belongs_to_banks_and_to_not_moving() {
        let malformed = |code: &str| Err(BadManeuverCode::Malformed(code.to_owned()));
        for code in ["0OR", "0BR", "0NW", "1FB", "5KR", "1AR", "2PW", "3TP"] {
            assert_eq!(
                code.parse::<Maneuver>().map(|maneuver| maneuver.to_string()),
                Ok(code.to_owned())
            );
        }
        for letter in "TFYKLPERASD".chars() {
            let code = format!("0{letter}W");
            assert_eq!(code.parse::<Maneuver>(), Err(BadManeuverCode::NoSpeed(code)));
        }
        for speed in 1..=5 {
            let code = format!("{speed}OW");
            assert_eq!(
                code.parse::<Maneuver>(),
                Err(BadManeuverCode::StationaryWithSpeed(code))
            );
        }
        for code in ["", "6FB", "2FX", "2FBB", "2ZB", "xFB"] {
            assert_eq!(code.parse::<Maneuver>(), malformed(code));
        }
    }
}
