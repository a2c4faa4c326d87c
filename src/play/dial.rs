//! Maneuvers as they are typed, and the dial as it is shown.

use anstyle::{AnsiColor, Style};

use crate::xwing::maneuver::{Bearing, Dial, Difficulty, Maneuver, Side};

/// What is typed for a maneuver: speed and letter, as in `2B`.
pub fn code(maneuver: Maneuver) -> String {
    format!("{}{}", maneuver.speed, maneuver.bearing.letter())
}

/// Speed and bearing of what was typed: `2B`, `2BW`, `2 bank left`, `2 left bank`, `2bl`, `3 straight`, `4k`, `stop`.
pub fn meant(typed: &str) -> Option<(u8, Bearing)> {
    let code = typed.trim();
    let typed = code.to_lowercase();
    // `3TR` is a red turn to the left, `3tr` a turn to the right.
    let shorthand = code != code.to_uppercase() && ["bl", "br", "tl", "tr"].iter().any(|end| typed.ends_with(end));
    if let (false, Ok(maneuver)) = (shorthand, code.to_uppercase().parse::<Maneuver>()) {
        return Some((maneuver.speed, maneuver.bearing));
    }
    if ["stop", "stationary", "0", "0o"].contains(&typed.as_str()) {
        return Some((0, Bearing::Stationary));
    }
    let speed = typed.chars().next()?.to_digit(10).filter(|&speed| speed <= 5)?;
    let rest = typed[1..].trim_start();
    let mut letters = rest.chars();
    if let (Some(letter), None) = (letters.next(), letters.next()) {
        let bearing = Bearing::from_letter(letter.to_ascii_uppercase())?;
        return Some((speed as u8, bearing));
    }
    let mut side = None;
    let mut shape = None;
    let mut reverse = false;
    let spaced: Vec<&str> = match rest {
        "bl" => vec!["bank", "left"],
        "br" => vec!["bank", "right"],
        "tl" => vec!["turn", "left"],
        "tr" => vec!["turn", "right"],
        _ => rest.split_whitespace().collect(),
    };
    for word in spaced {
        match word {
            "left" | "l" => side = Some(Side::Left),
            "right" | "r" => side = Some(Side::Right),
            "reverse" => reverse = true,
            // What belongs to the words of another one.
            "roll" | "loop" | "white" | "blue" | "red" | "purple" => {}
            "turn" if shape == Some("koiogran") => {}
            "straight" | "bank" | "turn" | "koiogran" | "kturn" | "k-turn" | "segnor's" | "segnor" | "sloop"
            | "s-loop" | "tallon" => shape = Some(word),
            _ => return None,
        }
    }
    let bearing = match (shape?, reverse, side) {
        ("straight", false, None) => Bearing::Straight,
        ("straight", true, None) => Bearing::ReverseStraight,
        ("bank", false, Some(side)) => Bearing::Bank(side),
        ("bank", true, Some(side)) => Bearing::ReverseBank(side),
        ("turn", false, Some(side)) => Bearing::Turn(side),
        ("koiogran" | "kturn" | "k-turn", false, None) => Bearing::Koiogran,
        ("segnor's" | "segnor" | "sloop" | "s-loop", false, Some(side)) => Bearing::SegnorsLoop(side),
        ("tallon", false, Some(side)) => Bearing::TallonRoll(side),
        _ => return None,
    };
    Some((speed as u8, bearing))
}

/// The colour of a difficulty.
fn style(difficulty: Difficulty) -> Style {
    match difficulty {
        Difficulty::Blue => AnsiColor::Cyan.on_default(),
        Difficulty::White => Style::new(),
        Difficulty::Red => AnsiColor::Red.on_default(),
        Difficulty::Purple => AnsiColor::Magenta.on_default(),
    }
}

/// The columns of a dial as players know them.
const COLUMNS: [(&str, Bearing); 14] = [
    ("turn <", Bearing::Turn(Side::Left)),
    ("bank <", Bearing::Bank(Side::Left)),
    ("straight", Bearing::Straight),
    ("bank >", Bearing::Bank(Side::Right)),
    ("turn >", Bearing::Turn(Side::Right)),
    ("k-turn", Bearing::Koiogran),
    ("s-loop <", Bearing::SegnorsLoop(Side::Left)),
    ("s-loop >", Bearing::SegnorsLoop(Side::Right)),
    ("tallon <", Bearing::TallonRoll(Side::Left)),
    ("tallon >", Bearing::TallonRoll(Side::Right)),
    ("back <", Bearing::ReverseBank(Side::Left)),
    ("back", Bearing::ReverseStraight),
    ("back >", Bearing::ReverseBank(Side::Right)),
    ("stop", Bearing::Stationary),
];

/// The dial as a grid of what is typed, fastest first: blue maneuvers with a `+`, red ones with a `!`, purple ones with a
/// `*`; in colours too, which a writer that shows none leaves out.
pub fn grid(dial: &Dial) -> Vec<String> {
    const WIDTH: usize = 9;
    let has = |bearing: Bearing| dial.maneuvers().iter().any(|entry| entry.bearing == bearing);
    let columns: Vec<_> = COLUMNS.into_iter().filter(|(_, bearing)| has(*bearing)).collect();
    let cell = |text: &str| format!("{text:<WIDTH$}");
    let heads = columns.iter().map(|(name, _)| cell(name));
    let mut lines = vec![format!("  {}", heads.collect::<String>().trim_end())];
    for speed in (0..=5).rev() {
        if !dial.maneuvers().iter().any(|entry| entry.speed == speed) {
            continue;
        }
        let cells = columns.iter().map(|(_, bearing)| {
            let entry = dial
                .maneuvers()
                .iter()
                .find(|entry| (entry.speed, entry.bearing) == (speed, *bearing));
            entry.map_or_else(
                || cell(""),
                |entry| {
                    let mark = match entry.difficulty {
                        Difficulty::White => "",
                        Difficulty::Blue => "+",
                        Difficulty::Red => "!",
                        Difficulty::Purple => "*",
                    };
                    let style = style(entry.difficulty);
                    let text = code(*entry) + mark;
                    let rest = " ".repeat(WIDTH.saturating_sub(text.len()));
                    format!("{style}{text}{style:#}{rest}")
                },
            )
        });
        lines.push(format!("  {}", cells.collect::<String>().trim_end()));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maneuvers_are_understood_as_people_write_them() {
        let cases = [
            ("2B", (2, Bearing::Bank(Side::Left))),
            ("2bw", (2, Bearing::Bank(Side::Left))),
            (" 2 bank left ", (2, Bearing::Bank(Side::Left))),
            ("2 left bank", (2, Bearing::Bank(Side::Left))),
            ("2bl", (2, Bearing::Bank(Side::Left))),
            ("3tr", (3, Bearing::Turn(Side::Right))),
            ("3TR", (3, Bearing::Turn(Side::Left))),
            ("3 straight", (3, Bearing::Straight)),
            ("3f", (3, Bearing::Straight)),
            ("white 3 straight", (9, Bearing::Straight)),
            ("4k", (4, Bearing::Koiogran)),
            ("4 Koiogran turn", (4, Bearing::Koiogran)),
            ("3 tallon roll right", (3, Bearing::TallonRoll(Side::Right))),
            ("3 Segnor's loop left", (3, Bearing::SegnorsLoop(Side::Left))),
            ("1 reverse bank right", (1, Bearing::ReverseBank(Side::Right))),
            ("1 reverse straight", (1, Bearing::ReverseStraight)),
            ("stop", (0, Bearing::Stationary)),
        ];
        for (typed, expected) in cases {
            // 9: not understood.
            let expected = (expected.0 != 9).then_some(expected);
            assert_eq!(meant(typed), expected, "{typed}");
        }
        for typed in [
            "",
            "7 straight",
            "2 bank",
            "2 straight left",
            "left",
            "2 loop",
            "2\u{e9}",
            "\u{e9}",
        ] {
            assert_eq!(meant(typed), None, "{typed}");
        }
    }

    #[test]
    fn a_dial_is_a_grid_of_what_is_typed() {
        let dial = Dial::new(["3FB", "2BW", "2NW", "4KR", "0OR"].map(|code| code.parse().unwrap()));
        let plain: Vec<String> = grid(&dial)
            .iter()
            .map(|line| anstream::adapter::strip_str(line).to_string())
            .collect();
        assert_eq!(
            plain,
            [
                "  bank <   straight bank >   k-turn   stop",
                "                             4K!",
                "           3F+",
                "  2B                2N",
                "                                      0O!",
            ]
        );
    }
}
