//! A game on a server of Vassal, without Vassal: a peer that enters the room of a human, asks for the game, follows it, and moves, turns
//! and changes pieces.
//!
//! The server holds no game; it passes messages on between those in a room. The first of them owns the room and tells newcomers the
//! game. A peer that owned a room would be asked for a game of which it knows only states, not what the module's code adds, so this
//! one never stays where it is first or alone, and never answers who asks. It knows no socket: lines go in and out.

mod actions;
pub mod lines;

use std::collections::{BTreeMap, BTreeSet};

pub use self::actions::{Palette, Refused, Restorable};
use self::lines::{Population, Received};
use super::{
    Damage,
    command::{Basic, Command, Move},
    game::Game,
    module::Module,
    secret::Secret,
};
use crate::protocol::vassal::PieceChange;

/// The room in which everybody begins, and where no game is played.
pub const HALL: &str = "Main Room";
/// Most characters of one line of chat.
const MOST_CHAT: usize = 2000;
/// Most bytes of a game; one of a thousand rich pieces has two megabytes.
const MOST_BYTES: usize = 64 << 20;
/// How often in a row a game is asked for that does not come whole.
const MOST_ASKED: u32 = 3;

/// Who the peer is, and where it wants to go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seat {
    /// The name of the module: players of different modules do not meet.
    pub module: String,
    /// The version of the module, for the players' information.
    pub module_version: String,
    /// The room of the human.
    pub room: String,
    /// What the peer is called.
    pub name: String,
    /// Its id on the server: unique, and told to everybody.
    pub connection: String,
    /// Its id in the game, which is its password.
    pub player: Secret,
}

/// What has happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// The room is not there yet; these rooms are. The peer waits: it makes none, for it would own it.
    Waiting(Vec<String>),
    /// The room is locked: its owner has to unlock it.
    Locked,
    /// The peer is in the room and has asked this player for the game.
    Entered(String),
    /// The game is here.
    Game,
    /// The game has changed.
    Changed,
    /// A player has taken back what was done with these pieces.
    TakenBack(BTreeSet<String>),
    /// A line of chat.
    Said(String),
    /// Somebody asked the peer for the game, and was told to ask the owner.
    AskedForGame(String),
    /// The peer has come to be the first in the room and has left, so that it does not own it. It comes back.
    LeftRatherThanOwn,
    /// The owner of the room has sent the peer out. It does not come back by itself.
    SentAway,
    /// A message that cannot be read. Where it was a change, the game is asked for anew.
    Unreadable(Damage),
    /// The game has not come whole however often it was asked for; it is asked for no more.
    GivenUp,
    /// The game has more bytes than any: it is forgotten, and the peer wants no more of it.
    TooLarge,
    /// The server has ended the connection.
    Closed,
}

/// Where the peer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Where {
    /// In the hall, until there is a room to enter.
    Hall,
    /// It has asked to be let into the room.
    AtTheDoor,
    /// In the room.
    Room,
    /// Sent out, or the connection has ended.
    Out,
}

/// What keeps it waiting.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Told {
    /// The room is not there; these are.
    NoRoom(Vec<String>),
    /// The room is locked.
    Locked,
}

/// What comes of a line.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reaction {
    /// Lines to be sent to the server.
    pub send: Vec<String>,
    /// What has happened.
    pub events: Vec<Event>,
}

/// The peer.
#[derive(Debug, Clone)]
pub struct Peer {
    seat: Seat,
    at: Where,
    population: Population,
    /// What is said about each room.
    rooms: BTreeMap<String, BTreeMap<String, String>>,
    /// What was last told while it waits.
    told: Option<Told>,
    game: Option<Game>,
    removed: Restorable,
    palette: Palette,
    /// How often the game was asked for since a message of it was last read.
    asked: u32,
    /// Bytes of messages since the size of the game was last looked at, on top of its size then.
    taken: usize,
    /// Most bytes of a game.
    most_bytes: usize,
}

impl Peer {
    /// A peer that is not connected yet.
    pub fn new(seat: Seat) -> Peer {
        Peer {
            seat,
            at: Where::Hall,
            population: Population::default(),
            rooms: BTreeMap::new(),
            told: None,
            game: None,
            removed: Restorable::default(),
            palette: Palette::default(),
            asked: 0,
            taken: 0,
            most_bytes: MOST_BYTES,
        }
    }

    /// With the pieces of the module's palettes, to lay new ones.
    pub fn with_palette(self, module: &Module) -> Peer {
        let palette = Palette::of(module, &self.seat.connection);
        Peer { palette, ..self }
    }

    /// The line that opens the connection.
    pub fn greeting(&self) -> String {
        lines::register(&self.seat)
    }

    /// The line that ends the connection.
    pub fn farewell() -> String {
        lines::BYE.to_owned()
    }

    /// The game, once it is here.
    pub fn game(&self) -> Option<&Game> {
        self.game.as_ref()
    }

    /// Takes in a line of the server.
    pub fn receive(&mut self, line: &str) -> Reaction {
        let mut reaction = Reaction::default();
        match lines::read(line) {
            Ok(Received::Nothing) => {}
            Ok(Received::Bye) => {
                self.at = Where::Out;
                reaction.events.push(Event::Closed);
            }
            Ok(Received::RegisterAgain) => {
                self.at = Where::Hall;
                reaction.send.push(self.greeting());
            }
            Ok(Received::Population(population)) => {
                self.population = population;
                self.look_around(&mut reaction);
            }
            Ok(Received::Rooms(rooms)) => {
                self.rooms = rooms;
                self.look_around(&mut reaction);
            }
            Ok(Received::AskedForGame { id, name }) => {
                let owner = self
                    .owner()
                    .map_or_else(|| "the room's owner".to_owned(), |(_, name)| name);
                let answer = format!("- {} holds no game: ask {owner} to synchronize", self.seat.name);
                reaction.send.push(self.to_one(&id, &Command::one(Basic::Chat(answer))));
                reaction.events.push(Event::AskedForGame(name));
            }
            Ok(Received::Message(text)) => self.message(&text, &mut reaction),
            Err(damage) => reaction.events.push(Event::Unreadable(damage)),
        }
        reaction
    }

    /// The players in the room, the first one first, as ids and names.
    fn in_room(&self) -> Vec<(String, String)> {
        let rooms = self.population.rooms(&self.seat.module);
        let room = rooms.into_iter().find(|(name, _)| *name == self.seat.room);
        room.map(|(_, players)| players).unwrap_or_default()
    }

    /// Who owns the room: whom the server names, or else the first one in it.
    fn owner(&self) -> Option<(String, String)> {
        let players = self.in_room();
        let named = self.rooms.get(&self.seat.room).and_then(|room| room.get("owner"));
        let named = named.and_then(|owner| players.iter().find(|(id, _)| id == owner));
        named.or(players.first()).cloned()
    }

    /// Does what the state of the server asks for.
    fn look_around(&mut self, reaction: &mut Reaction) {
        let players = self.in_room();
        let inside = players.iter().any(|(id, _)| *id == self.seat.connection);
        let would_own = self.owner().is_some_and(|(id, _)| id == self.seat.connection);
        match self.at {
            Where::Out => {}
            Where::Hall if inside => {
                // The list is older than the leave that was asked for.
            }
            Where::Hall => self.look_for_room(&players, reaction),
            Where::AtTheDoor | Where::Room if inside && would_own => {
                self.at = Where::Hall;
                self.game = None;
                reaction.send.push(lines::join(&self.seat.module, HALL));
                reaction.events.push(Event::LeftRatherThanOwn);
            }
            Where::AtTheDoor if inside => {
                self.at = Where::Room;
                self.ask_for_game(reaction);
            }
            Where::AtTheDoor => {
                if self.is_locked() || players.is_empty() {
                    self.at = Where::Hall;
                    self.look_for_room(&players, reaction);
                }
            }
            Where::Room if !inside => {
                self.at = Where::Out;
                reaction.events.push(Event::SentAway);
            }
            Where::Room => {}
        }
    }

    fn is_locked(&self) -> bool {
        let room = self.rooms.get(&self.seat.room);
        room.and_then(|room| room.get("locked"))
            .is_some_and(|locked| locked == "true")
    }

    fn look_for_room(&mut self, players: &[(String, String)], reaction: &mut Reaction) {
        if !players.is_empty() && !self.is_locked() {
            self.at = Where::AtTheDoor;
            self.told = None;
            reaction.send.push(lines::join(&self.seat.module, &self.seat.room));
            return;
        }
        let told = if players.is_empty() {
            let rooms = self.population.rooms(&self.seat.module);
            Told::NoRoom(
                rooms
                    .into_iter()
                    .map(|(name, _)| name)
                    .filter(|name| name != HALL)
                    .collect(),
            )
        } else {
            Told::Locked
        };
        if self.told.as_ref() != Some(&told) {
            reaction.events.push(match &told {
                Told::NoRoom(rooms) => Event::Waiting(rooms.clone()),
                Told::Locked => Event::Locked,
            });
            self.told = Some(told);
        }
    }

    /// Asks for the game again, after it was given up or to be sure.
    pub fn ask_again(&mut self) -> Reaction {
        let mut reaction = Reaction::default();
        if self.at == Where::Room {
            self.asked = 0;
            self.game = None;
            self.ask_for_game(&mut reaction);
        }
        reaction
    }

    fn ask_for_game(&mut self, reaction: &mut Reaction) {
        if self.asked >= MOST_ASKED {
            reaction.events.push(Event::GivenUp);
            return;
        }
        self.asked += 1;
        if let Some((id, name)) = self.owner().filter(|(id, _)| *id != self.seat.connection) {
            reaction.send.push(lines::forward(
                &lines::path(&self.seat.module, &["*", &id]),
                &lines::ask_for_game(&self.seat),
            ));
            reaction.events.push(Event::Entered(name));
        }
    }

    fn message(&mut self, text: &str, reaction: &mut Reaction) {
        let command = match Command::read(text) {
            Ok(command) => command,
            Err(damage) => return self.lost(damage, reaction),
        };
        let basics = command.basics();
        for basic in &basics {
            if let Basic::Chat(line) = basic {
                reaction.events.push(Event::Said(line.clone()));
            }
        }
        // In the hall there is nothing but chat.
        if self.at != Where::Room {
            return;
        }
        let begins = basics.iter().any(|basic| matches!(basic, Basic::BeginSave));
        let changes = basics
            .iter()
            .any(|basic| !matches!(basic, Basic::Chat(_) | Basic::Other(_)));
        if begins {
            self.game = Some(Game::default());
            self.taken = 0;
        }
        let back = if self.takes_back(&basics) {
            basics.iter().filter_map(|basic| changed(basic)).collect()
        } else {
            BTreeSet::new()
        };
        let Some(game) = self.game.as_mut().filter(|_| changes) else {
            return;
        };
        if let Err(damage) = game.carry_out(&command) {
            return self.lost(damage, reaction);
        }
        self.taken += text.len();
        if self.taken > self.most_bytes {
            // Changes take the place of others: what counts is what is there now.
            self.taken = game.bytes();
            if self.taken > self.most_bytes / 2 {
                self.game = None;
                self.removed = Restorable::default();
                self.at = Where::Out;
                reaction.events.push(Event::TooLarge);
                return;
            }
        }
        if begins {
            self.asked = 0;
            reaction.events.push(Event::Game);
        } else {
            reaction.events.push(Event::Changed);
        }
        if !back.is_empty() {
            reaction.events.push(Event::TakenBack(back));
        }
    }

    /// Whether a message takes back what the peer has done. Logs mark it; to those in the room Vassal (3.6) sends the reverse
    /// changes alone, with the line of chat that told of them behind a word of its own language (`* UNDO: <Tallyho> - ...`).
    fn takes_back(&self, basics: &[&Basic]) -> bool {
        let mine = format!("<{}> - ", self.seat.name);
        basics.iter().any(|basic| match basic {
            Basic::Undo { begins } => *begins,
            Basic::Chat(line) => line.starts_with('*') && line.contains(&mine),
            _ => false,
        })
    }

    /// A change could not be followed: what is known of the game may be wrong, so it is asked for anew.
    fn lost(&mut self, damage: Damage, reaction: &mut Reaction) {
        reaction.events.push(Event::Unreadable(damage));
        if self.at == Where::Room && self.game.take().is_some() {
            self.ask_for_game(reaction);
        }
    }

    /// Changes pieces, all of them or none, as one step that one Undo takes back, and says a sentence. The line to be sent.
    ///
    /// # Errors
    /// What only a Vassal with the module can do, a piece that is not there or has moved, or no game yet; then nothing has changed.
    pub fn change(&mut self, changes: &[PieceChange], text: &str) -> Result<String, Refused> {
        let game = self
            .game
            .as_ref()
            .filter(|_| self.at == Where::Room)
            .ok_or(Refused::NoGame)?;
        let mut after = game.clone();
        let mut removed = self.removed.clone();
        let mut palette = self.palette.clone();
        let mut commands = Vec::new();
        for change in changes {
            let more = match change {
                PieceChange::Add { slot, at } => vec![palette.lay(slot, at, &after)?],
                change => actions::commands(&after, &removed, change, &self.seat.player)?,
            };
            for command in &more {
                removed.note(&after, command);
                after
                    .carry_out(command)
                    .map_err(|damage| Refused::Unusable(damage.to_string()))?;
            }
            commands.extend(more);
        }
        if !text.is_empty() {
            commands.push(self.chat_of(text));
        }
        self.game = Some(after);
        self.removed = removed;
        self.palette = palette;
        Ok(self.to_others(&Command::many(commands)))
    }

    /// Says a line in the room. The line to be sent.
    pub fn say(&self, text: &str) -> String {
        self.to_others(&self.chat_of(text))
    }

    fn chat_of(&self, text: &str) -> Command {
        // A line feed would end the message.
        let letters = text
            .chars()
            .map(|letter| if letter.is_control() { ' ' } else { letter });
        let text: String = letters.take(MOST_CHAT).collect();
        Command::one(Basic::Chat(format!("<{}> - {text}", self.seat.name)))
    }

    fn to_others(&self, command: &Command) -> String {
        let me = format!("~{}", self.seat.connection);
        lines::forward(
            &lines::path(&self.seat.module, &[&self.seat.room, &me]),
            &command.write(),
        )
    }

    fn to_one(&self, id: &str, command: &Command) -> String {
        lines::forward(&lines::path(&self.seat.module, &["*", id]), &command.write())
    }
}

/// The piece that a command changes.
fn changed(basic: &Basic) -> Option<String> {
    match basic {
        Basic::Add { id: Some(id), .. }
        | Basic::Remove { id }
        | Basic::Change { id, .. }
        | Basic::Move(Move { id: Some(id), .. }) => Some(id.clone()),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
