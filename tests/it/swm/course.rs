//! Short skirmishes of given choices and dice, `tests/cases/swm/skirmishes.txt`: everything that happens is compared.

use std::{fmt::Write as _, fs, path::Path};

use tallyho::{
    bridge::grid,
    dice::D20Source,
    swm::skirmish::{Answer, Skirmish, audit, words},
};

/// Dice that lie ready; what is rolled after them, as the initiative of a next round, is 15 and 3 in turns.
struct Ready(std::vec::IntoIter<u8>, bool);

impl D20Source for Ready {
    fn d20(&mut self) -> u8 {
        self.0.next().unwrap_or_else(|| {
            self.1 = !self.1;
            if self.1 { 15 } else { 3 }
        })
    }

    fn pick(&mut self, _: usize) -> usize {
        0
    }
}

/// Plays a case and writes down what came of every choice, as the file has it.
fn play(case: &str) -> String {
    let (mut position, mut choices, mut dice) = (String::new(), Vec::new(), Vec::new());
    let mut head = String::new();
    for line in case.lines() {
        match line.split_at_checked(2) {
            Some(("> ", choice)) => choices.push(choice),
            Some(("= ", _)) => continue,
            _ if line.starts_with("dice ") => {
                dice.extend(line[5..].split_whitespace().map(|die| die.parse::<u8>().unwrap()));
                let _ = writeln!(head, "{line}");
            }
            _ => {
                position += &format!("{line}\n");
                let _ = writeln!(head, "{line}");
            }
        }
    }
    let position = grid::parse_text(&position).unwrap_or_else(|error| panic!("{error}\n{case}"));
    let mut dice = Ready(dice.into_iter(), false);
    let (start, options) = (position.board, position.options);
    let mut skirmish = Skirmish::new(start.clone(), options.clone(), None, &mut dice);
    let mut text = head;
    for choice in choices {
        let answer: Answer = choice.parse().unwrap_or_else(|error| panic!("{error}"));
        let before = skirmish.events().len();
        let _ = writeln!(text, "> {choice}");
        match skirmish.answer(answer, &mut dice) {
            Ok(()) => {
                for line in words::events(skirmish.board(), &skirmish.events()[before..]) {
                    let _ = writeln!(text, "= {line}");
                }
            }
            Err(refused) => {
                let _ = writeln!(text, "= refused: {refused}");
            }
        }
    }
    if dice.0.len() > 0 {
        let _ = writeln!(text, "= {} dice are left", dice.0.len());
    }
    let wrong = audit::audit(&start, &options, skirmish.events());
    assert!(wrong.is_empty(), "{wrong:#?}\n{text}");
    text
}

#[test]
fn swm_1_6_to_1_10_skirmishes_of_given_dice_go_as_written() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/swm/skirmishes.txt");
    let file = fs::read_to_string(&path).unwrap();
    let cases: Vec<&str> = file.split_inclusive("\n\n").collect();
    assert!(cases.len() > 10);
    let played: Vec<String> = cases
        .iter()
        .map(|case| match case.trim().starts_with('#') {
            true => format!("{}\n", case.trim_end()),
            false => play(case.trim_end()),
        })
        .collect();
    let played = played.join("\n");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&path, &played).unwrap();
    }
    assert!(played == file, "UPDATE_EXPECT=1 shows what plays otherwise:\n{played}");
}
