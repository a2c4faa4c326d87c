//! The commands of which a game consists, as a tree.
//!
//! A command with others after it is a sequence with the escape character between them; its first token is what the command does
//! itself, and that may be nothing. Each text that is read is written back as it was, whatever it holds.

mod basic;

use std::fmt;

pub use self::basic::{Basic, Move, PlacedBoard};
use super::{
    Damage,
    sequence::{self, Encoder, Quotes},
};

/// What stands between commands: the escape character.
const SEPARATOR: char = '\u{1b}';
/// Deepest nesting of commands; saves have two or three levels.
const DEEPEST: usize = 100;
/// Most commands of a text. A large save has some thousands; each takes a few hundred bytes of memory, though it may be a single
/// letter of the text.
const MOST: usize = 500_000;

/// A command, or several in order.
#[derive(Clone, PartialEq, Eq)]
pub struct Command {
    body: Body,
    quotes: Quotes,
}

#[derive(Clone, PartialEq, Eq)]
enum Body {
    One {
        basic: Basic,
        /// How it was spelled, where it would be written otherwise.
        spelled: Option<Box<str>>,
    },
    Many(Vec<Command>),
}

impl Command {
    /// One command.
    pub fn one(basic: Basic) -> Command {
        Command {
            body: Body::One { basic, spelled: None },
            quotes: Quotes::default(),
        }
    }

    /// Commands that are carried out in this order, and undone together.
    pub fn many(commands: impl IntoIterator<Item = Command>) -> Command {
        Command {
            body: Body::Many(commands.into_iter().collect()),
            quotes: Quotes::default(),
        }
    }

    /// Reads a tree of commands.
    ///
    /// # Errors
    /// A known command that lacks a part, with its number in the tree: `command 3.1` is the first part of the third one.
    pub fn read(text: &str) -> Result<Command, Damage> {
        read(text, &mut Vec::new(), &mut 0)
    }

    /// The text, as Vassal writes it.
    pub fn write(&self) -> String {
        match &self.body {
            Body::One {
                spelled: Some(spelled), ..
            } => spelled.to_string(),
            Body::One { basic, spelled: None } => basic.write(),
            Body::Many(commands) => {
                let mut encoder = Encoder::new(SEPARATOR);
                for command in commands {
                    encoder.push_as(&command.write(), command.quotes);
                }
                encoder.finish()
            }
        }
    }

    /// All single commands in order, without those that do nothing.
    pub fn basics(&self) -> Vec<&Basic> {
        let mut found = Vec::new();
        self.collect(&mut found);
        found
    }

    fn collect<'a>(&'a self, found: &mut Vec<&'a Basic>) {
        match &self.body {
            Body::One { basic: Basic::Null, .. } => {}
            Body::One { basic, .. } => found.push(basic),
            Body::Many(commands) => commands.iter().for_each(|command| command.collect(found)),
        }
    }
}

impl From<Basic> for Command {
    fn from(basic: Basic) -> Command {
        Command::one(basic)
    }
}

/// What the commands are, without how they were spelled, which may hold passwords.
impl fmt::Debug for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.body {
            Body::One { basic, .. } => basic.fmt(f),
            Body::Many(commands) => f.debug_list().entries(commands).finish(),
        }
    }
}

fn read(text: &str, path: &mut Vec<usize>, count: &mut usize) -> Result<Command, Damage> {
    *count += 1;
    if *count > MOST {
        return Err(Damage::at(place(path), format!("there are more than {MOST} commands")));
    }
    if path.len() > DEEPEST {
        return Err(Damage::at(
            place(path),
            format!("commands are nested more than {DEEPEST} deep"),
        ));
    }
    let mut tokens = sequence::tokens(text, SEPARATOR).peekable();
    let single = tokens.peek().is_none_or(|token| token.text == text);
    let body = if single {
        let basic = Basic::read(text).map_err(|damage| damage.within(&place(path)))?;
        let spelled = (basic.write() != text).then(|| text.into());
        Body::One { basic, spelled }
    } else {
        let mut commands = Vec::new();
        for (index, token) in tokens.enumerate() {
            path.push(index + 1);
            let mut command = read(&token.text, path, count)?;
            path.pop();
            command.quotes = token.quotes;
            commands.push(command);
        }
        Body::Many(commands)
    };
    Ok(Command {
        body,
        quotes: Quotes::default(),
    })
}

/// As in `command 3.17`.
fn place(path: &[usize]) -> String {
    match path {
        [] => "command 1".to_owned(),
        path => {
            let numbers: Vec<String> = path.iter().map(ToString::to_string).collect();
            format!("command {}", numbers.join("."))
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::bridge::vassal::{
        piece::{Piece, Trait},
        secret::Secret,
    };

    fn piece() -> Piece {
        Piece::new(
            [Trait::new("rotate;1;;;;;Facing", "-90.0")],
            Trait::new("piece;;;a.png;Vader", "Main Map;125;175;7;0"),
        )
    }

    /// Texts as Vassal writes them (its source, and saves), and what they are.
    #[test]
    fn commands_as_vassal_writes_them() {
        let cases: Vec<(&str, Command)> = vec![
            ("", Basic::Null.into()),
            ("begin_save", Basic::BeginSave.into()),
            ("end_save", Basic::EndSave.into()),
            (
                "+/1234/rotate;1;;;;;Facing\tpiece;;;a.png;Vader/-90.0\tMain Map;125;175;7;0",
                Basic::Add {
                    id: Some("1234".to_owned()),
                    piece: piece(),
                }
                .into(),
            ),
            ("-/1234", Basic::Remove { id: "1234".to_owned() }.into()),
            (
                "D/1234/new\\/state/old",
                Basic::Change {
                    id: "1234".to_owned(),
                    new: "new/state".to_owned(),
                    old: Some("old".to_owned()),
                }
                .into(),
            ),
            (
                "M/1234/Main Map/125/-175/null/null/0/0/null/pw",
                Basic::Move(Move {
                    id: Some("1234".to_owned()),
                    map: Some("Main Map".to_owned()),
                    to: (125, -175),
                    under: None,
                    old_map: None,
                    from: (0, 0),
                    old_under: None,
                    player: Some(Secret::new("pw")),
                })
                .into(),
            ),
            ("CHAT* Vader / moves", Basic::Chat("* Vader / moves".to_owned()).into()),
            (
                "PLAYER\tpw\tAnn\tSolitaire",
                Basic::Player {
                    id: Secret::new("pw"),
                    name: "Ann".to_owned(),
                    side: "Solitaire".to_owned(),
                }
                .into(),
            ),
            (
                "Main MapBoardPicker\tHoth\\/Echo/rev\t0\t1",
                Basic::Other("x".to_owned()).into(),
            ),
            ("UNDO\ttrue", Basic::Undo { begins: true }.into()),
            (
                "LOG\t-/5",
                Basic::Log(Box::new(Basic::Remove { id: "5".to_owned() }.into())).into(),
            ),
            (
                "begin_save\u{1b}\u{1b}a\\\u{1b}b\u{1b}end_save",
                Command::many([
                    Basic::BeginSave.into(),
                    Basic::Null.into(),
                    Command::many([Basic::Other("a".to_owned()).into(), Basic::Other("b".to_owned()).into()]),
                    Basic::EndSave.into(),
                ]),
            ),
        ];
        for (text, command) in cases {
            let read = Command::read(text).unwrap();
            assert_eq!(read.write(), text);
            // A board's name is a sequence of its own within its token.
            if text.contains("BoardPicker") {
                let [Basic::Boards { map, boards }] = read.basics()[..] else {
                    panic!("{read:?}")
                };
                assert_eq!(map, "Main Map");
                assert_eq!(boards.len(), 1);
                continue;
            }
            assert_eq!(read, command, "{text:?}");
        }
    }

    #[test]
    fn damage_is_told_with_its_place_and_without_the_text() {
        for (text, told) in [
            (
                "+/12/x",
                "command 1, piece 12: it has a type but no state: it is cut off",
            ),
            ("begin_save\u{1b}\u{1b}+/7/a;\\\tpiece;;;;/s", ""),
            (
                "begin_save\u{1b}+/7/a;\tpiece;;;;/s",
                "command 2, piece 7, state: it has 1 levels where its type has 2: it is cut off",
            ),
            ("a\u{1b}M/1/Map/x/5", "command 2, piece 1: its place is no number"),
            (
                "a\u{1b}b\\\u{1b}D/1",
                "command 2.2, piece 1: a change without a state: it is cut off",
            ),
            (
                "PLAYER\thunter2",
                "command 1, a player: the name or the side is missing: it is cut off",
            ),
        ] {
            let damage = Command::read(text)
                .err()
                .map(|damage| damage.to_string())
                .unwrap_or_default();
            assert_eq!(damage, told, "{text:?}");
        }
    }

    #[test]
    fn no_password_is_shown() {
        for text in [
            "PLAYER\thunter2\tAnn\tRebels",
            "PYREMOVE\thunter2",
            "M/1/Map/1/2/null/Map/3/4/null/hunter2",
            "+/1/hide;x\tpiece;;;;/hunter2\tnull;0;0;;0",
            "D/1/hunter2\tnull;0;0;;0/null\tnull;0;0;;0",
            "LOG\tPLAYER\thunter2\tAnn\tRebels",
            "SYNCid=hunter2|name=Ann",
            "Whatever\thunter2",
        ] {
            let command = Command::read(text).unwrap();
            let shown = format!("{command:?} {command:#?}");
            assert!(!shown.contains("hunter2"), "{shown}");
            assert_eq!(command.write(), text);
        }
    }

    fn any_command() -> impl Strategy<Value = String> {
        let part = prop::sample::select(vec![
            "\u{1b}",
            "\\",
            "'",
            "/",
            "\t",
            ";",
            "+/",
            "-/",
            "D/",
            "M/",
            "CHAT",
            "LOG\t",
            "1",
            "null",
            "piece;;;;",
            "-3",
            "é",
            "PLAYER\t",
            "MapBoardPicker\t",
            "begin_save",
            "UNDO\t",
            "true",
        ]);
        prop::collection::vec(part, 0..24).prop_map(|parts| parts.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]
        #[test]
        fn whatever_can_be_read_is_written_back_as_it_was(text in any_command()) {
            if let Ok(command) = Command::read(&text) {
                prop_assert_eq!(command.write(), text);
            }
        }
    }
}
