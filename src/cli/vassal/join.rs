//! `tallyho vassal join`: sits in at a game on a server of Vassal.

mod brake;
mod inputs;
mod orders;
mod play;

use std::{
    borrow::Cow,
    io::Write as _,
    net::{Shutdown, TcpStream},
    path::PathBuf,
    sync::mpsc::RecvTimeoutError,
    time::{Duration, Instant},
};

use anyhow::{Context as _, bail};
use rand::TryRng as _;

use self::{
    brake::Brake,
    inputs::Input,
    orders::{HELP, Order},
    play::{Opponent, Seated, Told, Wishes},
};
use super::reading::Reading;
use crate::{
    bridge::vassal::{
        inventory::Inventory,
        online::{Event, Peer, Reaction, Seat},
        save::About,
        secret::Secret,
    },
    cli::{Failure, GlobalOptions, load_options},
    protocol::vassal::PieceChange,
    visible::visible,
};

/// How often a sign of life is sent; Vassal sends one every two minutes.
const SIGN_OF_LIFE: Duration = Duration::from_secs(100);
/// Lines of others that are shown at once, and then in a second.
const SHOWN_AT_ONCE: f64 = 60.0;
const SHOWN_A_SECOND: f64 = 10.0;
/// Most characters of a line that is shown.
const MOST_SHOWN: usize = 2000;
/// Most rooms that are named.
const MOST_ROOMS: usize = 10;

/// Arguments of `tallyho vassal join`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Open the room in Vassal first (Server, Private Server): who is first in a room owns it, and this program never does. Which game
is played the profile of the module tells.

  tallyho vassal join localhost:5050 Solo --module my.vmod
  tallyho vassal join localhost:5050 Solo --module my.vmod --profile my.toml")]
pub(super) struct Args {
    /// The server, as in localhost:5050
    #[arg(value_name = "HOST:PORT")]
    server: String,
    /// The room that a player has opened there
    #[arg(value_name = "ROOM")]
    room: String,
    /// The name of the module, where its file is not at hand: without the file the squares of boards are not known
    #[arg(long, value_name = "NAME", conflicts_with = "module")]
    module_name: Option<String>,
    /// What the program is called at the table
    #[arg(long, value_name = "NAME", default_value = "Tallyho")]
    name: String,
    /// Seed of everything that is rolled; left out: a new one
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Choices where the rules are silent, as a JSON object (docs/rules.md lists them); left out: the defaults
    #[arg(long, value_name = "FILE")]
    options: Option<PathBuf>,
    #[command(flatten)]
    reading: Reading,
}

/// Runs `tallyho vassal join`.
pub(super) fn run(arguments: Args, global: &GlobalOptions) -> anyhow::Result<()> {
    let catalog = match global.load_catalog()? {
        Cow::Borrowed(catalog) => catalog,
        // Read once, and needed as long as the process lives.
        Cow::Owned(catalog) => Box::leak(Box::new(catalog)),
    };
    let module = arguments.reading.module()?;
    let (name, version) = match (&module, &arguments.module_name) {
        (Some(module), _) => (module.name.clone(), module.version.clone()),
        (None, Some(name)) => (name.clone(), String::new()),
        (None, None) => bail!("give --module FILE, or --module-name NAME: players of different modules do not meet"),
    };
    let wishes = Wishes {
        seed: arguments.seed.map_or_else(random, Ok)?,
        options: load_options(arguments.options.as_deref())?,
        catalog,
        profile: arguments.reading.checked_profile()?,
        solo_side: arguments.reading.solo_side(),
    };
    let seat = Seat {
        module: name.clone(),
        module_version: version.clone(),
        room: arguments.room.clone(),
        name: arguments.name.clone(),
        connection: format!("tallyho-{:016x}", random()?),
        player: Secret::new(format!("tallyho-{:016x}", random()?)),
    };
    let about = About {
        module: name,
        module_version: version,
        ..About::default()
    };
    let peer = match &module {
        Some(module) => Peer::new(seat).with_palette(module),
        None => Peer::new(seat),
    };
    let mut table = Table {
        seated: Seated { peer, about, module },
        stream: inputs::call(&arguments.server)?,
        opponent: Opponent::new(wishes),
        chat: Shown::default(),
        rest: Shown::default(),
    };
    let inputs = inputs::of(table.stream.try_clone()?);
    table.send(&[table.seated.peer.greeting()])?;
    println!("Connected to {}. {HELP}", visible(&arguments.server));
    let mut alive = Instant::now() + SIGN_OF_LIFE;
    loop {
        let next = table.opponent.deadline().map_or(alive, |deadline| deadline.min(alive));
        let goes_on = match inputs.recv_timeout(next.saturating_duration_since(Instant::now())) {
            Ok(Input::Server(line)) => {
                let reaction = table.seated.peer.receive(&line);
                table.react(reaction)?
            }
            Ok(Input::Typed(line)) => table.obey(&line)?,
            Ok(Input::Lost(why)) => return Err(Failure::with(1, format!("the server is gone: {why}"))),
            Err(RecvTimeoutError::Timeout) => true,
            Err(RecvTimeoutError::Disconnected) => false,
        };
        if !goes_on {
            return table.leave();
        }
        let now = Instant::now();
        if now >= alive {
            table.send(&[String::new()])?;
            alive = now + SIGN_OF_LIFE;
        }
        let told = table.opponent.pass_deadline(&mut table.seated, now);
        table.tell(told)?;
    }
}

/// A number that nobody else has.
fn random() -> anyhow::Result<u64> {
    rand::rngs::SysRng
        .try_next_u64()
        .context("the system gives no random numbers")
}

/// The game on the server, as the program sits at it.
struct Table {
    seated: Seated,
    stream: TcpStream,
    opponent: Opponent,
    /// What others say.
    chat: Shown,
    /// What else happens on the server.
    rest: Shown,
}

/// Lines that others have caused: they are shown only so fast.
struct Shown {
    brake: Brake,
    /// Lines that were not shown since the last one.
    left_out: u64,
}

impl Default for Shown {
    fn default() -> Shown {
        Shown {
            brake: Brake::new(SHOWN_A_SECOND, SHOWN_AT_ONCE, Instant::now()),
            left_out: 0,
        }
    }
}

impl Shown {
    fn show(&mut self, line: &str) {
        if !self.brake.lets_pass(Instant::now()) {
            self.left_out += 1;
            return;
        }
        match std::mem::take(&mut self.left_out) {
            0 => {}
            1 => show("(one line more was not shown)"),
            left_out => show(&format!("({left_out} lines more were not shown)")),
        }
        show(line);
    }
}

impl Table {
    fn send(&mut self, lines: &[String]) -> anyhow::Result<()> {
        for line in lines {
            let line = format!("{line}\n");
            self.stream
                .write_all(line.as_bytes())
                .context("the server takes nothing more")?;
        }
        Ok(())
    }

    /// Sends and shows what the opponent has done.
    fn tell(&mut self, told: Told) -> anyhow::Result<()> {
        self.send(&told.send)?;
        told.said.iter().for_each(|line| show(line));
        Ok(())
    }

    /// Sends what the peer answers and tells what has happened. Whether the game goes on.
    fn react(&mut self, reaction: Reaction) -> anyhow::Result<bool> {
        self.send(&reaction.send)?;
        for event in reaction.events {
            let pieces = self.seated.peer.game().map_or(0, |game| game.pieces().count());
            let shown = match event {
                Event::Said(_) => &mut self.chat,
                _ => &mut self.rest,
            };
            told(&event, pieces).iter().for_each(|told| shown.show(told));
            let told = match &event {
                Event::SentAway | Event::Closed => return Ok(false),
                Event::TooLarge => {
                    let why = "the game on the server has more pieces than any game; it was left";
                    self.leave()?;
                    return Err(Failure::with(1, why.to_owned()));
                }
                Event::Game | Event::Changed => self.opponent.look(&mut self.seated),
                Event::TakenBack(pieces) => self.opponent.taken_back(&mut self.seated, pieces),
                _ => Told::default(),
            };
            self.tell(told)?;
        }
        Ok(true)
    }

    /// Does what was typed. Whether the game goes on.
    fn obey(&mut self, line: &str) -> anyhow::Result<bool> {
        let order = match Order::read(line) {
            Ok(order) => order,
            Err(why) => {
                show(&why);
                return Ok(true);
            }
        };
        let seated = &mut self.seated;
        let told = match order {
            Order::Nothing => Told::default(),
            Order::Quit => return Ok(false),
            Order::Help => Told::note(HELP),
            Order::Say(text) => Told {
                send: vec![seated.peer.say(&text)],
                said: Vec::new(),
            },
            Order::Dump => {
                match seated.peer.game() {
                    Some(game) => print!(
                        "{}",
                        Inventory::of(game, &seated.about, seated.module.as_ref(), false).in_words()
                    ),
                    None => println!("There is no game yet."),
                }
                Told::default()
            }
            Order::Change(change) => {
                let change = seated.peer.game().map_or(Ok(vec![]), |game| change.of(game));
                match change {
                    Ok(changes) => return self.change(&changes).map(|()| true),
                    Err(why) => Told::note(why),
                }
            }
            Order::Decide(piece) => match seated.meant(&piece) {
                Ok(piece) => self.opponent.preview(seated, &piece),
                Err(why) => Told::note(why),
            },
            Order::Play(piece) => match seated.meant(&piece) {
                Ok(piece) => self.opponent.advance(seated, &piece),
                Err(why) => Told::note(why),
            },
            Order::Why => self.opponent.why(),
            Order::Undo => self.opponent.undo(seated),
            Order::Status => self.opponent.status(seated),
            Order::Confirm(on) => {
                self.opponent.confirm(on);
                Told::note(if on {
                    "Each decision is a question first."
                } else {
                    "Decisions are carried out at once."
                })
            }
            Order::Answer(text) => self.opponent.answer(seated, &text),
            Order::Sync => {
                let reaction = seated.peer.ask_again();
                return self.react(reaction);
            }
        };
        self.tell(told)?;
        Ok(true)
    }

    fn change(&mut self, changes: &[PieceChange]) -> anyhow::Result<()> {
        match self.seated.peer.change(changes, "") {
            Ok(line) => self.send(&[line])?,
            Err(refused) => show(&format!("Not done: {refused}.")),
        }
        let told = self.opponent.look(&mut self.seated);
        self.tell(told)
    }

    fn leave(&mut self) -> anyhow::Result<()> {
        // The server may be gone already; then there is nobody to say it to.
        let _ = self.send(&[Peer::farewell()]);
        let _ = self.stream.shutdown(Shutdown::Both);
        println!("Left the server.");
        Ok(())
    }
}

/// Prints a line. Chat and names may hold anything: what steers a terminal or turns a line around is written out.
fn show(line: &str) {
    let line: String = line.chars().take(MOST_SHOWN).collect();
    println!("{}", visible(&line));
}

/// An event in words; a change of the game is seen at the table and told nobody.
fn told(event: &Event, pieces: usize) -> Option<String> {
    let text = match event {
        Event::Waiting(rooms) if rooms.is_empty() => {
            "The room is not there yet, and no other is. Open it in Vassal; I wait, for I must not be the first in it."
                .to_owned()
        }
        Event::Waiting(rooms) => {
            let more = if rooms.len() > MOST_ROOMS { ", ..." } else { "" };
            let rooms: Vec<&str> = rooms.iter().map(String::as_str).take(MOST_ROOMS).collect();
            format!(
                "The room is not there yet; there is {}{more}. Open it in Vassal; I wait, for I must not be the first in it.",
                rooms.join(", ")
            )
        }
        Event::Locked => "The room is locked: its owner has to unlock it. I wait.".to_owned(),
        Event::Entered(owner) => format!("In the room; I have asked {owner} for the game."),
        Event::Game => format!("The game is here: {pieces} pieces."),
        Event::Changed | Event::TakenBack(_) => return None,
        Event::Said(line) => line.clone(),
        Event::AskedForGame(name) => format!("{name} asked me for the game; I hold none and said so."),
        Event::LeftRatherThanOwn => {
            "I had come to be the first in the room and left it, so that I do not own it.".to_owned()
        }
        Event::SentAway => "The owner of the room has sent me out.".to_owned(),
        Event::Unreadable(damage) => format!("A message cannot be read: {damage}."),
        Event::GivenUp => {
            "The game has not come whole however often I asked. Type `sync` to ask again, or open it anew in Vassal."
                .to_owned()
        }
        Event::TooLarge => "The game has more bytes than any.".to_owned(),
        Event::Closed => "The server has ended the connection.".to_owned(),
    };
    Some(text)
}
