//! The lines that Vassal's server and its players exchange.

use std::{collections::BTreeMap, io::Cursor};

use base64::{Engine as _, engine::general_purpose::STANDARD as BASE64};

use super::{HALL, Seat};
use crate::bridge::vassal::{
    Damage,
    archive::{self, Archive},
    sequence::{self, Encoder},
};

/// Ends a connection.
pub const BYE: &str = "!BYE";
/// Begins a message that is packed.
const PACKED: &str = "!ZIP!";
/// Longer messages are packed, characters.
const PACK_FROM: usize = 1000;
/// Most bytes of a packed message, unpacked.
const MOST_BYTES: u64 = 32 << 20;
/// The one entry of a packed message.
const ENTRY: &str = "Dummy";
/// Begins a request for the game.
const SYNC: &str = "SYNC";
/// What stands between the parts of a line.
const TAB: char = '\t';
/// What stands between the parts of a path.
const SLASH: char = '/';
/// What stands between properties.
const BAR: char = '|';

/// Who is where on the server.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Population {
    /// Module, room, id and name of each player, in the order of the server.
    players: Vec<[String; 4]>,
}

impl Population {
    /// The rooms of a module, each with ids and names of its players, the first one first.
    pub fn rooms(&self, module: &str) -> Vec<(String, Vec<(String, String)>)> {
        let mut rooms: Vec<(String, Vec<(String, String)>)> = Vec::new();
        for [_, room, id, name] in self.players.iter().filter(|player| player[0] == module) {
            let player = (id.clone(), name.clone());
            match rooms.iter_mut().find(|(own, _)| own == room) {
                Some((_, players)) => players.push(player),
                None => rooms.push((room.clone(), vec![player])),
            }
        }
        rooms
    }
}

/// A line of the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Received {
    /// A sign of life.
    Nothing,
    /// The connection ends.
    Bye,
    /// The client is to register again.
    RegisterAgain,
    /// Who is where.
    Population(Population),
    /// What is said about each room.
    Rooms(BTreeMap<String, BTreeMap<String, String>>),
    /// A player asks for the game.
    AskedForGame {
        /// The player's id on the server.
        id: String,
        /// What the player is called.
        name: String,
    },
    /// A message of a player, unpacked.
    Message(String),
}

/// Reads a line of the server.
///
/// # Errors
/// A packed message that cannot be unpacked.
pub fn read(line: &str) -> Result<Received, Damage> {
    let line = line.trim_end_matches(['\r', '\n']);
    Ok(if line.is_empty() {
        Received::Nothing
    } else if line == BYE {
        Received::Bye
    } else if line.starts_with("REG_REQUEST\t") {
        Received::RegisterAgain
    } else if let Some(list) = line.strip_prefix("LIST\t") {
        Received::Population(population(list))
    } else if let Some(rooms) = line.strip_prefix("ROOM_INFO\t") {
        let rooms = properties(rooms).into_iter();
        Received::Rooms(rooms.map(|(room, info)| (room, properties(&info))).collect())
    } else {
        let text = match line.strip_prefix(PACKED) {
            Some(packed) => unpacked(packed)?,
            None => line.to_owned(),
        };
        match text.strip_prefix(SYNC) {
            Some(info) => {
                let info = properties(info);
                let field = |name: &str| info.get(name).cloned().unwrap_or_default();
                Received::AskedForGame {
                    id: field("id"),
                    name: field("name"),
                }
            }
            None => Received::Message(text),
        }
    })
}

fn population(list: &str) -> Population {
    let mut players = Vec::new();
    for player in sequence::tokens(list, TAB) {
        let mut parts = sequence::tokens(&player.text, '=');
        let (Some(path), info) = (parts.text(), parts.text().unwrap_or_default()) else {
            continue;
        };
        let mut path = sequence::tokens(&path, SLASH).map(|part| part.text.into_owned());
        let (Some(module), Some(room), Some(id)) = (path.next(), path.next(), path.next()) else {
            continue;
        };
        let name = properties(&info).remove("name").unwrap_or_default();
        players.push([module, room, id, name]);
    }
    Population { players }
}

fn unpacked(packed: &str) -> Result<String, Damage> {
    let place = "a packed message";
    let bytes = BASE64
        .decode(packed.trim())
        .map_err(|error| Damage::at(place, format!("it is no base64: {error}")))?;
    let mut archive = Archive::open(Cursor::new(bytes)).map_err(|damage| damage.within(place))?;
    let name = archive.names().next().unwrap_or_default();
    let bytes = archive
        .read_at_most(&name, MOST_BYTES)
        .map_err(|damage| damage.within(place))?
        .unwrap_or_default();
    String::from_utf8(bytes).map_err(|_| Damage::at(place, "it is not UTF-8"))
}

/// The line by which a client registers; it is then in the hall.
pub fn register(seat: &Seat) -> String {
    let mut line = Encoder::after("REG\t", TAB);
    line.push(&seat.connection)
        .push(&path(&seat.module, &[HALL]))
        .push(&info(seat));
    line.finish()
}

/// The line by which a client goes to a room.
pub fn join(module: &str, room: &str) -> String {
    format!("JOIN\t{}", path(module, &[room]))
}

/// The line that passes a message on to those of a path; long messages are packed.
pub fn forward(path: &str, message: &str) -> String {
    let mut line = Encoder::after("FWD\t", TAB);
    let packed = (message.chars().count() > PACK_FROM || message.contains('\n'))
        .then(|| archive::write([(ENTRY, message.as_bytes())]).ok())
        .flatten();
    match packed {
        Some(packed) => line.push(path).push(&format!("{PACKED}{}", BASE64.encode(packed))),
        None => line.push(path).push(message),
    };
    line.finish()
}

/// The message that asks for the game.
pub fn ask_for_game(seat: &Seat) -> String {
    format!("{SYNC}{}", info(seat))
}

/// A path on the server: the module, then a room or `*`, then a player or `~` and who is left out.
pub fn path(module: &str, parts: &[&str]) -> String {
    sequence::join([module].iter().chain(parts), SLASH)
}

/// What the server tells others about the peer.
fn info(seat: &Seat) -> String {
    let all = [
        ("name", &*seat.name),
        ("id", &*seat.connection),
        ("looking", "false"),
        ("away", "false"),
        ("client", concat!("Tallyho ", env!("CARGO_PKG_VERSION"))),
        ("moduleVersion", &*seat.module_version),
        ("crc", ""),
        ("combinedCrc", ""),
        ("profile", ""),
    ];
    sequence::join(
        all.iter()
            .map(|(name, value)| format!("{}={}", stored(name), stored(value))),
        BAR,
    )
}

/// A name or a value as Java stores it in a properties file.
fn stored(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\\' | '=' | ':' | '#' | '!' | ' ' => out.extend(['\\', letter]),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            ' '..='~' => out.push(letter),
            letter => {
                for unit in letter.encode_utf16(&mut [0; 2]) {
                    out.push_str(&format!("\\u{unit:04X}"));
                }
            }
        }
    }
    out
}

/// Properties as Vassal joins them: lines of a Java properties file with `|` between them.
pub fn properties(text: &str) -> BTreeMap<String, String> {
    let lines = sequence::tokens(text, BAR).map(|line| line.text.into_owned());
    lines.filter_map(|line| property(line.trim_start())).collect()
}

/// One line of a Java properties file.
fn property(line: &str) -> Option<(String, String)> {
    if line.is_empty() || line.starts_with(['#', '!']) {
        return None;
    }
    let mut escaped = false;
    let end = line.char_indices().find(|(_, letter)| {
        let ends = !escaped && matches!(letter, '=' | ':' | ' ' | '\t');
        escaped = !escaped && *letter == '\\';
        ends
    });
    let Some((end, separator)) = end else {
        return Some((loaded(line), String::new()));
    };
    let mut value = line[end + separator.len_utf8()..].trim_start_matches([' ', '\t']);
    if separator.is_whitespace() {
        value = value
            .strip_prefix(['=', ':'])
            .unwrap_or(value)
            .trim_start_matches([' ', '\t']);
    }
    Some((loaded(&line[..end]), loaded(value)))
}

/// A name or a value as Java loads it.
fn loaded(text: &str) -> String {
    let mut units: Vec<u16> = Vec::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        let letter = match letter {
            '\\' => match letters.next() {
                Some('t') => '\t',
                Some('n') => '\n',
                Some('r') => '\r',
                Some('f') => '\u{c}',
                Some('u') => {
                    // Letters beyond the first plane come as two units.
                    let digits: String = letters.by_ref().take(4).collect();
                    units.push(u16::from_str_radix(&digits, 16).unwrap_or(0xfffd));
                    continue;
                }
                Some(other) => other,
                None => break,
            },
            letter => letter,
        };
        units.extend_from_slice(letter.encode_utf16(&mut [0; 2]));
    }
    String::from_utf16_lossy(&units)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::bridge::vassal::secret::Secret;

    fn seat() -> Seat {
        Seat {
            module: "A/B \u{e9}".to_owned(),
            module_version: "1.0".to_owned(),
            room: "Solo".to_owned(),
            name: "Tally|ho=x".to_owned(),
            connection: "tallyho.1".to_owned(),
            player: Secret::new("hunter2"),
        }
    }

    #[test]
    fn lines_as_vassal_writes_them() {
        assert_eq!(join("Lab", "Solo"), "JOIN\tLab/Solo");
        assert_eq!(path("A/B", &["*", "id"]), "A\\/B/*/id");
        assert_eq!(forward("Lab/Solo/~me", "a\tb"), "FWD\tLab/Solo/~me\ta\\\tb");
        let line = register(&seat());
        assert!(
            line.starts_with("REG\ttallyho.1\tA\\/B \u{e9}/Main Room\tname="),
            "{line}"
        );
        assert!(!line.contains("hunter2"));
    }

    #[test]
    fn the_population_and_what_is_said_about_rooms() {
        let list = "LIST\tLab/Main Room/x.1=name\\=Bob|ip\\=127.0.0.1\tLab/Solo/ann.2=name\\=Ann\\ B|away\\=false\tOther/Solo/z.3=name\\=Zed";
        let Ok(Received::Population(population)) = read(list) else {
            panic!("no population")
        };
        let rooms = population.rooms("Lab");
        assert_eq!(
            rooms,
            [
                ("Main Room".to_owned(), vec![("x.1".to_owned(), "Bob".to_owned())]),
                ("Solo".to_owned(), vec![("ann.2".to_owned(), "Ann B".to_owned())])
            ]
        );
        let Ok(Received::Rooms(rooms)) = read("ROOM_INFO\tSolo\\ Game=owner\\=ann.2\\|locked\\=true|Main\\ Room=")
        else {
            panic!("no rooms")
        };
        assert_eq!(rooms["Solo Game"]["owner"], "ann.2");
        assert_eq!(rooms["Solo Game"]["locked"], "true");
    }

    #[test]
    fn long_messages_are_packed_and_come_back() {
        let long = "begin_save\u{1b}".repeat(500);
        let line = forward("Lab/Solo", &long);
        let mut parts = sequence::tokens(line.strip_prefix("FWD\t").unwrap(), TAB);
        parts.text();
        let packed = parts.text().unwrap().into_owned();
        assert!(packed.starts_with("!ZIP!") && packed.len() < 1000 && !packed.contains('\n'));
        assert_eq!(read(&packed), Ok(Received::Message(long)));
        for broken in ["!ZIP!x", "!ZIP!AAAA", "!ZIP!"] {
            assert!(read(broken).is_err(), "{broken}");
        }
    }

    #[test]
    fn who_asks_for_the_game_is_told_by_name() {
        let message = ask_for_game(&seat());
        let asked = Received::AskedForGame {
            id: "tallyho.1".to_owned(),
            name: "Tally|ho=x".to_owned(),
        };
        assert_eq!(read(&message), Ok(asked));
    }

    proptest! {
        #[test]
        fn properties_come_back(name in "[^\r\n]{1,9}", value in ".{0,9}") {
            let text = sequence::join([format!("{}={}", stored(&name), stored(&value))], BAR);
            let read = properties(&text);
            prop_assert_eq!(read.get(&name), Some(&value), "{}", text);
        }
    }
}
