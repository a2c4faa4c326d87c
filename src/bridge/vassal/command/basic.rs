//! Single commands: pieces added, removed, changed and moved, chat, players, boards, entries of a log.

use std::fmt;

use super::Command;
use crate::bridge::vassal::{
    Damage,
    piece::Piece,
    secret::Secret,
    sequence::{self, Encoder, Tokens},
};

/// What Vassal writes where there is nothing.
const NOTHING: &str = "null";
/// What stands between the parts of a basic command.
const PART: char = '/';
/// What stands between the parts of most others.
const TAB: char = '\t';
/// Ends the first token of a command that lays out the boards of a map.
const BOARDS: &str = "BoardPicker";

/// One command.
#[derive(Clone, PartialEq, Eq)]
pub enum Basic {
    /// Nothing; it keeps others together.
    Null,
    /// The set-up of a game begins: whatever is there is cleared away.
    BeginSave,
    /// The set-up ends: the game is on.
    EndSave,
    /// A new piece.
    Add {
        /// What it is called from now on.
        id: Option<String>,
        /// What it is, and how it stands.
        piece: Piece,
    },
    /// A piece goes.
    Remove {
        /// Which one.
        id: String,
    },
    /// A piece takes on a new state.
    Change {
        /// Which one.
        id: String,
        /// The whole new state.
        new: String,
        /// The state that it had; then only what differs changes.
        old: Option<String>,
    },
    /// A piece goes elsewhere.
    Move(Move),
    /// A line of chat: `* ` begins those of the system, `- ` grey ones, `<name> - ` those of players.
    Chat(String),
    /// A player takes a side.
    Player {
        /// The player's id, which is a password.
        id: Secret,
        /// What the player is called.
        name: String,
        /// Which side.
        side: String,
    },
    /// A player leaves the sides.
    PlayerLeaves {
        /// The player's id, which is a password.
        id: Secret,
    },
    /// The boards of a map.
    Boards {
        /// The map's name.
        map: String,
        /// In the order of the save.
        boards: Vec<PlacedBoard>,
    },
    /// An entry of a log, carried out at its turn.
    Log(Box<Command>),
    /// In a log: an undo begins or ends.
    Undo {
        /// Whether it begins.
        begins: bool,
    },
    /// Whatever else, as it is.
    Other(String),
}

/// A piece goes elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Move {
    /// Which one.
    pub id: Option<String>,
    /// The map where it goes; none: off every map.
    pub map: Option<String>,
    /// Where on that map, pixels: east and south.
    pub to: (i32, i32),
    /// The piece that then lies right below it in a stack.
    pub under: Option<String>,
    /// The map where it was.
    pub old_map: Option<String>,
    /// Where it was.
    pub from: (i32, i32),
    /// The piece that lay right below it.
    pub old_under: Option<String>,
    /// Who moves it.
    pub player: Option<Secret>,
}

/// A board as it lies on a map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedBoard {
    /// Its name in the module.
    pub name: String,
    /// Whether it is turned by a half.
    pub reversed: bool,
    /// Its column among the boards, from 0.
    pub column: i32,
    /// Its row among the boards, from 0.
    pub row: i32,
}

fn or_nothing(text: &Option<String>) -> &str {
    text.as_deref().unwrap_or(NOTHING)
}

fn unless_nothing(text: Option<std::borrow::Cow<'_, str>>) -> Option<String> {
    text.filter(|text| text != NOTHING).map(std::borrow::Cow::into_owned)
}

impl Basic {
    /// Reads one command.
    pub(super) fn read(text: &str) -> Result<Basic, Damage> {
        let parts = |rest| sequence::tokens(rest, PART);
        Ok(if text.is_empty() {
            Basic::Null
        } else if text == "begin_save" {
            Basic::BeginSave
        } else if text == "end_save" {
            Basic::EndSave
        } else if let Some(rest) = text.strip_prefix("+/") {
            add(parts(rest))?
        } else if let Some(id) = text.strip_prefix("-/") {
            Basic::Remove { id: id.to_owned() }
        } else if let Some(rest) = text.strip_prefix("D/") {
            change(parts(rest))?
        } else if let Some(rest) = text.strip_prefix("M/") {
            moved(parts(rest))?
        } else if let Some(line) = text.strip_prefix("CHAT") {
            Basic::Chat(line.to_owned())
        } else if let Some(rest) = text.strip_prefix("PLAYER\t") {
            player(sequence::tokens(rest, TAB))?
        } else if let Some(rest) = text.strip_prefix("PYREMOVE\t") {
            let id = sequence::tokens(rest, TAB).text().unwrap_or_default();
            Basic::PlayerLeaves {
                id: Secret::new(id.into_owned()),
            }
        } else if let Some(logged) = text.strip_prefix("LOG\t") {
            Basic::Log(Box::new(Command::read(logged)?))
        } else if let Some(word) = text.strip_prefix("UNDO\t") {
            Basic::Undo { begins: word == "true" }
        } else {
            boards(text).unwrap_or_else(|| Basic::Other(text.to_owned()))
        })
    }

    /// The text, as Vassal writes it.
    pub(super) fn write(&self) -> String {
        match self {
            Basic::Null => String::new(),
            Basic::BeginSave => "begin_save".to_owned(),
            Basic::EndSave => "end_save".to_owned(),
            Basic::Add { id, piece } => {
                let mut parts = Encoder::after("+/", PART);
                parts.push(or_nothing(id)).push(&piece.kind()).push(&piece.state());
                parts.finish()
            }
            Basic::Remove { id } => format!("-/{id}"),
            Basic::Change { id, new, old } => {
                let mut parts = Encoder::after("D/", PART);
                parts.push(id).push(new);
                if let Some(old) = old {
                    parts.push(old);
                }
                parts.finish()
            }
            Basic::Move(own) => own.write(),
            Basic::Chat(line) => format!("CHAT{line}"),
            Basic::Player { id, name, side } => {
                let mut parts = Encoder::after("PLAYER\t", TAB);
                parts.push(id.reveal()).push(name).push(side);
                parts.finish()
            }
            Basic::PlayerLeaves { id } => {
                let mut parts = Encoder::after("PYREMOVE\t", TAB);
                parts.push(id.reveal());
                parts.finish()
            }
            Basic::Boards { map, boards } => {
                let mut parts = Encoder::new(TAB);
                parts.push(&format!("{map}{BOARDS}"));
                for board in boards {
                    let mut name = Encoder::new(PART);
                    name.push(&board.name);
                    if board.reversed {
                        name.push("rev");
                    }
                    parts.push(&name.finish());
                    parts.push(&board.column.to_string()).push(&board.row.to_string());
                }
                parts.finish()
            }
            Basic::Log(command) => format!("LOG\t{}", command.write()),
            Basic::Undo { begins } => format!("UNDO\t{begins}"),
            Basic::Other(text) => text.clone(),
        }
    }
}

fn add(mut parts: Tokens<'_>) -> Result<Basic, Damage> {
    let id = unless_nothing(parts.text());
    let place = || format!("piece {}", or_nothing(&id));
    let Some(kind) = parts.text() else {
        return Err(Damage::at(place(), "it has no type: it is cut off"));
    };
    let Some(state) = parts.text() else {
        return Err(Damage::at(place(), "it has a type but no state: it is cut off"));
    };
    let piece = Piece::read(&kind, &state).map_err(|damage| damage.within(&place()))?;
    Ok(Basic::Add { id, piece })
}

fn change(mut parts: Tokens<'_>) -> Result<Basic, Damage> {
    let id = parts.text().unwrap_or_default().into_owned();
    let Some(new) = parts.text() else {
        return Err(Damage::at(
            format!("piece {id}"),
            "a change without a state: it is cut off",
        ));
    };
    let new = new.into_owned();
    let old = parts.text().map(std::borrow::Cow::into_owned);
    Ok(Basic::Change { id, new, old })
}

fn moved(mut parts: Tokens<'_>) -> Result<Basic, Damage> {
    let id = unless_nothing(parts.text());
    let place = format!("piece {}", or_nothing(&id));
    let map = unless_nothing(parts.text());
    let point = |parts: &mut Tokens<'_>| {
        let mut number = || parts.text().and_then(|text| text.parse::<i32>().ok());
        number()
            .zip(number())
            .ok_or_else(|| Damage::at(place.clone(), "its place is no number"))
    };
    let to = point(&mut parts)?;
    let under = unless_nothing(parts.text());
    let old_map = unless_nothing(parts.text());
    let from = point(&mut parts)?;
    let old_under = unless_nothing(parts.text());
    let player = parts.text().map(|player| Secret::new(player.into_owned()));
    Ok(Basic::Move(Move {
        id,
        map,
        to,
        under,
        old_map,
        from,
        old_under,
        player,
    }))
}

impl Move {
    fn write(&self) -> String {
        let mut parts = Encoder::after("M/", PART);
        parts.push(or_nothing(&self.id)).push(or_nothing(&self.map));
        parts.push(&self.to.0.to_string()).push(&self.to.1.to_string());
        parts.push(or_nothing(&self.under)).push(or_nothing(&self.old_map));
        parts.push(&self.from.0.to_string()).push(&self.from.1.to_string());
        parts.push(or_nothing(&self.old_under));
        if let Some(player) = &self.player {
            parts.push(player.reveal());
        }
        parts.finish()
    }
}

fn player(mut parts: Tokens<'_>) -> Result<Basic, Damage> {
    let id = Secret::new(parts.text().unwrap_or_default().into_owned());
    let (Some(name), Some(side)) = (parts.text(), parts.text()) else {
        return Err(Damage::at("a player", "the name or the side is missing: it is cut off"));
    };
    Ok(Basic::Player {
        id,
        name: name.into_owned(),
        side: side.into_owned(),
    })
}

/// The boards of a map, if that is what the text lays out.
fn boards(text: &str) -> Option<Basic> {
    let mut tokens = sequence::tokens(text, TAB);
    let first = tokens.text()?;
    let map = first.strip_suffix(BOARDS)?.to_owned();
    let mut boards = Vec::new();
    while let Some(board) = tokens.text() {
        let mut parts = sequence::tokens(&board, PART);
        boards.push(PlacedBoard {
            name: parts.text()?.into_owned(),
            reversed: parts.text().is_some_and(|word| word == "rev"),
            column: tokens.text()?.parse().ok()?,
            row: tokens.text()?.parse().ok()?,
        });
    }
    Some(Basic::Boards { map, boards })
}

/// Which command it is and of which piece; never the text of others, since it could be a password.
impl fmt::Debug for Basic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Basic::Null => f.write_str("Null"),
            Basic::BeginSave => f.write_str("BeginSave"),
            Basic::EndSave => f.write_str("EndSave"),
            Basic::Add { id, piece } => f.debug_struct("Add").field("id", id).field("piece", piece).finish(),
            Basic::Remove { id } => f.debug_struct("Remove").field("id", id).finish(),
            Basic::Change { id, .. } => f.debug_struct("Change").field("id", id).finish_non_exhaustive(),
            Basic::Move(own) => own.fmt(f),
            Basic::Chat(line) => f.debug_tuple("Chat").field(line).finish(),
            Basic::Player { id, name, side } => (f.debug_struct("Player"))
                .field("id", id)
                .field("name", name)
                .field("side", side)
                .finish(),
            Basic::PlayerLeaves { id } => f.debug_struct("PlayerLeaves").field("id", id).finish(),
            Basic::Boards { map, boards } => (f.debug_struct("Boards"))
                .field("map", map)
                .field("boards", boards)
                .finish(),
            Basic::Log(command) => f.debug_tuple("Log").field(command).finish(),
            Basic::Undo { begins } => f.debug_struct("Undo").field("begins", begins).finish(),
            Basic::Other(text) => write!(f, "Other({} bytes)", text.len()),
        }
    }
}
