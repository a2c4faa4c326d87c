//! Moves in the mod's own words: move codes, dial codes, turret arcs.

use crate::{
    game::step::Movement,
    xwing::{
        maneuver::{Bearing, Difficulty, Maneuver, Side},
        ship::ArcDirection,
    },
};

fn side_letter(side: Side) -> char {
    match side {
        Side::Left => 'l',
        Side::Right => 'r',
    }
}

/// The move code of a maneuver, without colour: `s2`, `bl2`, `k4`, `bl2s`, `tr3t`, `s1r`, `s0`.
pub fn maneuver_code(maneuver: Maneuver) -> String {
    let speed = maneuver.speed;
    match maneuver.bearing {
        Bearing::Straight => format!("s{speed}"),
        Bearing::Stationary => "s0".to_owned(),
        Bearing::Bank(side) => format!("b{}{speed}", side_letter(side)),
        Bearing::Turn(side) => format!("t{}{speed}", side_letter(side)),
        Bearing::Koiogran => format!("k{speed}"),
        Bearing::SegnorsLoop(side) => format!("b{}{speed}s", side_letter(side)),
        Bearing::TallonRoll(side) => format!("t{}{speed}t", side_letter(side)),
        Bearing::ReverseStraight => format!("s{speed}r"),
        Bearing::ReverseBank(side) => format!("b{}{speed}r", side_letter(side)),
    }
}

/// The move code of any move. A Tallon roll's end is named as its own new facing sees it: set back along the old
/// heading is its front (`ft`), set forward its back (`bt`).
pub fn code(movement: Movement) -> String {
    match movement {
        Movement::Maneuver { maneuver, slide_mm } => {
            let code = maneuver_code(maneuver);
            match maneuver.bearing {
                Bearing::TallonRoll(_) if slide_mm < 0.0 => code.trim_end_matches('t').to_owned() + "ft",
                Bearing::TallonRoll(_) if slide_mm > 0.0 => code.trim_end_matches('t').to_owned() + "bt",
                _ => code,
            }
        }
        Movement::BarrelRoll { side, slide_mm } => {
            let end = match slide_mm {
                slide if slide > 0.0 => 1,
                slide if slide < 0.0 => 3,
                _ => 2,
            };
            format!("r{}{end}", side_letter(side))
        }
        Movement::Boost { bank: None } => "s1b".to_owned(),
        Movement::Boost { bank: Some(side) } => format!("b{}1b", side_letter(side)),
    }
}

/// A dial entry in the mod's words: the colour's letter and the move code, `wbl2`.
pub fn dial_code(maneuver: Maneuver) -> String {
    let colour = maneuver.difficulty.letter().to_ascii_lowercase();
    format!("{colour}{}", maneuver_code(maneuver))
}

/// A dial entry of a ship's `moveSet`. `None`: a move that no dial of the game has (a sideslip, a pivot).
pub fn parse_dial_code(text: &str) -> Option<Maneuver> {
    let text = text.trim().to_ascii_lowercase();
    let mut letters = text.chars();
    let difficulty = Difficulty::from_letter(letters.next()?.to_ascii_uppercase())?;
    let code: Vec<char> = letters.collect();
    let side = |letter: char| match letter {
        'l' | 'e' => Some(Side::Left),
        'r' => Some(Side::Right),
        _ => None,
    };
    let speed = |digit: char| digit.to_digit(10).filter(|&speed| speed <= 5).map(|speed| speed as u8);
    let (speed, bearing) = match code[..] {
        ['s', digit] => match speed(digit)? {
            0 => (0, Bearing::Stationary),
            speed => (speed, Bearing::Straight),
        },
        ['s', digit, 'r'] => (speed(digit)?, Bearing::ReverseStraight),
        ['k', digit] => (speed(digit)?, Bearing::Koiogran),
        ['b', letter, digit] => (speed(digit)?, Bearing::Bank(side(letter)?)),
        ['b', letter, digit, 's'] => (speed(digit)?, Bearing::SegnorsLoop(side(letter)?)),
        ['b', letter, digit, 'r'] => (speed(digit)?, Bearing::ReverseBank(side(letter)?)),
        ['t', letter, digit] => (speed(digit)?, Bearing::Turn(side(letter)?)),
        ['t', letter, digit, 't'] => (speed(digit)?, Bearing::TallonRoll(side(letter)?)),
        _ => return None,
    };
    Some(Maneuver {
        speed,
        bearing,
        difficulty,
    })
}

/// Turret arcs in the mod's words. Several turrets cannot be told apart here; the first arcs count.
pub fn turret_word(arcs: &[ArcDirection]) -> &'static str {
    match arcs {
        [ArcDirection::Front, ArcDirection::Rear, ..] | [ArcDirection::Rear, ArcDirection::Front, ..] => "frontback",
        [ArcDirection::Left, ArcDirection::Right, ..] | [ArcDirection::Right, ArcDirection::Left, ..] => "leftright",
        [ArcDirection::Rear, ..] => "back",
        [ArcDirection::Left, ..] => "left",
        [ArcDirection::Right, ..] => "right",
        [ArcDirection::Front, ..] | [] => "front",
    }
}

/// Turret arcs that a word of the mod means; also the words of the plain dialect.
pub fn parse_turret_word(word: &str) -> Option<Vec<ArcDirection>> {
    Some(match word.trim().to_ascii_lowercase().as_str() {
        "front" => vec![ArcDirection::Front],
        "back" | "rear" => vec![ArcDirection::Rear],
        "left" => vec![ArcDirection::Left],
        "right" => vec![ArcDirection::Right],
        "frontback" | "frontrear" => vec![ArcDirection::Front, ArcDirection::Rear],
        "leftright" => vec![ArcDirection::Left, ArcDirection::Right],
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn maneuver(code: &str) -> Maneuver {
        code.parse().unwrap()
    }

    #[test]
    fn every_bearing_has_its_code_and_comes_back() {
        for (ours, theirs) in [
            ("2FB", "bs2"),
            ("0OR", "rs0"),
            ("2BW", "wbl2"),
            ("3NW", "wbr3"),
            ("1TR", "rtl1"),
            ("3YB", "btr3"),
            ("4KR", "rk4"),
            ("2LR", "rbl2s"),
            ("3PR", "rbr3s"),
            ("3ER", "rtl3t"),
            ("2RP", "ptr2t"),
            ("1SR", "rs1r"),
            ("1AR", "rbl1r"),
            ("1DW", "wbr1r"),
        ] {
            assert_eq!(dial_code(maneuver(ours)), theirs);
            assert_eq!(parse_dial_code(theirs), Some(maneuver(ours)), "{theirs}");
        }
    }

    #[test]
    fn other_spellings_are_read_and_other_moves_are_not() {
        assert_eq!(parse_dial_code("WTE1"), Some(maneuver("1TW")));
        for text in [
            "", "w", "wtl", "wtl1z", "xs2", "ws9", "wbl2t", "wtl1s", "wtl1r", "wé2", "bs22",
        ] {
            assert_eq!(parse_dial_code(text), None, "{text}");
        }
    }

    #[test]
    fn ends_of_rolls_are_named() {
        let roll = |side, slide_mm| code(Movement::BarrelRoll { side, slide_mm });
        assert_eq!(roll(Side::Left, 10.0), "rl1");
        assert_eq!(roll(Side::Right, 0.0), "rr2");
        assert_eq!(roll(Side::Right, -20.0), "rr3");
        let tallon = |slide_mm| {
            code(Movement::Maneuver {
                maneuver: maneuver("3ER"),
                slide_mm,
            })
        };
        assert_eq!(tallon(0.0), "tl3t");
        assert_eq!(tallon(-10.0), "tl3ft");
        assert_eq!(tallon(10.0), "tl3bt");
        assert_eq!(code(Movement::Boost { bank: None }), "s1b");
        assert_eq!(
            code(Movement::Boost {
                bank: Some(Side::Right)
            }),
            "br1b"
        );
    }

    #[test]
    fn turret_words_come_back() {
        for word in ["front", "back", "left", "right", "frontback", "leftright"] {
            assert_eq!(turret_word(&parse_turret_word(word).unwrap()), word);
        }
        assert_eq!(parse_turret_word("up"), None);
    }
}
