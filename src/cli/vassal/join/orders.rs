//! What is typed at a game on a server.

use crate::{
    bridge::vassal::game::Game,
    protocol::vassal::{PieceChange, Spot},
};

/// What can be typed.
pub(super) const HELP: &str = "Type: play, decide, why, undo, status, confirm on, confirm off, answer N, dump, sync, move PIECE X Y, \
                               turn PIECE DEGREES, set PIECE PROPERTY VALUE, say WORDS, quit. `play PIECE` and `decide PIECE` take \
                               that one first. A piece is named by its id or its name; one with blanks stands between double quotes.";

/// An order.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Order {
    /// An empty line.
    Nothing,
    /// What can be typed.
    Help,
    /// A line of chat.
    Say(String),
    /// What lies on the table.
    Dump,
    /// What the next one of the solo side does, or that piece.
    Decide(String),
    /// The same, carried out.
    Play(String),
    /// Why the last one was decided so.
    Why,
    /// Take the last activation back.
    Undo,
    /// How the game stands.
    Status,
    /// Whether each decision is a question first.
    Confirm(bool),
    /// The answer to a question.
    Answer(String),
    /// Ask for the game again.
    Sync,
    /// A change of a piece.
    Change(Change),
    /// Leave.
    Quit,
}

/// A change of a piece, which is named as players name it.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Change {
    /// Elsewhere on its map.
    Move(String, i32, i32),
    /// To a heading.
    Turn(String, f64),
    /// A property to a value.
    Set(String, String, String),
}

/// The words of a line; what stands between double quotes is one.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, part) in line.split('"').enumerate() {
        match index % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    words
}

impl Order {
    /// Reads a line.
    pub(super) fn read(line: &str) -> Result<Order, String> {
        let words = words(line);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let whole = |text: &str| text.parse::<i32>().map_err(|_| format!("`{text}` is no whole number"));
        Ok(match words[..] {
            [] => Order::Nothing,
            ["help" | "?"] => Order::Help,
            ["quit" | "exit"] => Order::Quit,
            ["dump"] => Order::Dump,
            ["decide"] => Order::Decide(String::new()),
            ["decide", piece] => Order::Decide(piece.to_owned()),
            ["play"] => Order::Play(String::new()),
            ["play", piece] => Order::Play(piece.to_owned()),
            ["why"] => Order::Why,
            ["undo"] => Order::Undo,
            ["status"] => Order::Status,
            ["confirm"] | ["confirm", "on"] => Order::Confirm(true),
            ["confirm", "off"] => Order::Confirm(false),
            ["answer", ..] => Order::Answer(line.trim_start().trim_start_matches("answer").trim().to_owned()),
            ["sync"] => Order::Sync,
            ["say", ..] => Order::Say(line.trim_start().trim_start_matches("say").trim().to_owned()),
            ["move", piece, x, y] => Order::Change(Change::Move(piece.to_owned(), whole(x)?, whole(y)?)),
            ["turn", piece, degrees] => match degrees.parse::<f64>() {
                Ok(degrees) if degrees.is_finite() => Order::Change(Change::Turn(piece.to_owned(), degrees)),
                _ => return Err(format!("`{degrees}` is no number of degrees")),
            },
            ["set", piece, property, value] => {
                Order::Change(Change::Set(piece.to_owned(), property.to_owned(), value.to_owned()))
            }
            _ => return Err(format!("That is not understood. {HELP}")),
        })
    }
}

impl Change {
    /// The change of the piece that is meant.
    pub(super) fn of(&self, game: &Game) -> Result<Vec<PieceChange>, String> {
        let named = match self {
            Change::Move(piece, ..) | Change::Turn(piece, _) | Change::Set(piece, ..) => piece,
        };
        let piece = found(game, named)?;
        Ok(vec![match self {
            Change::Move(_, x, y) => {
                let at = game.place(&piece).unwrap_or_default();
                let spot = |x, y| Spot {
                    map: String::new(),
                    x,
                    y,
                };
                PieceChange::Move {
                    piece,
                    from: spot(at.x, at.y),
                    to: spot(*x, *y),
                    drag: false,
                }
            }
            Change::Turn(_, heading) => PieceChange::Turn {
                piece,
                heading: *heading,
            },
            Change::Set(_, name, value) => PieceChange::Property {
                piece,
                name: name.clone(),
                value: value.clone(),
            },
        }])
    }
}

/// The id of the piece that an id or a name means.
pub(super) fn found(game: &Game, named: &str) -> Result<String, String> {
    if game.piece(named).is_some() {
        return Ok(named.to_owned());
    }
    let open = game.pieces().filter(|(id, _)| game.concealed(id).is_none());
    let named_so: Vec<&str> = open
        .filter(|(_, piece)| piece.name().eq_ignore_ascii_case(named))
        .map(|(id, _)| id)
        .collect();
    match named_so[..] {
        [id] => Ok(id.to_owned()),
        [] => Err(format!("no piece is called `{named}`; `dump` lists them")),
        _ => Err(format!(
            "several pieces are called `{named}`: name one by its id: {}",
            named_so.join(", ")
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bridge::vassal::practice;

    #[test]
    fn orders() {
        for (line, order) in [
            ("", Ok(Order::Nothing)),
            ("  say  hello \"you\" ", Ok(Order::Say("hello \"you\"".to_owned()))),
            (
                "move \"Visas Marr\" 5 -6",
                Ok(Order::Change(Change::Move("Visas Marr".to_owned(), 5, -6))),
            ),
            ("play \"Visas Marr\"", Ok(Order::Play("Visas Marr".to_owned()))),
            ("decide", Ok(Order::Decide(String::new()))),
            ("answer  2", Ok(Order::Answer("2".to_owned()))),
            ("confirm off", Ok(Order::Confirm(false))),
            ("turn 17 90.5", Ok(Order::Change(Change::Turn("17".to_owned(), 90.5)))),
            ("turn 17 NaN", Err("`NaN` is no number of degrees".to_owned())),
            ("move 17 x 5", Err("`x` is no whole number".to_owned())),
        ] {
            assert_eq!(Order::read(line), order, "{line}");
        }
        assert!(Order::read("jump").unwrap_err().contains("Type: play"));
    }

    #[test]
    fn pieces_are_meant_by_name_where_only_one_has_it() {
        let game = Game::of(&practice::skirmish().unwrap().commands()).unwrap();
        let moved = Change::Move("visas marr".to_owned(), 125, 425).of(&game).unwrap();
        let PieceChange::Move { from, to, .. } = &moved[0] else {
            panic!("{moved:?}")
        };
        assert_eq!((from.x, from.y, to.x, to.y), (75, 425, 125, 425));
        for (name, told) in [
            ("Old Republic Guard", "several pieces"),
            ("Lurker", "no piece is called"),
            ("x", "no piece is called"),
        ] {
            let why = Change::Turn(name.to_owned(), 0.0).of(&game).unwrap_err();
            assert!(why.starts_with(told), "{why}");
        }
    }
}
