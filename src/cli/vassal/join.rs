//! `tallyho vassal join`: sits in at a game on a server of Vassal.

mod orders;
mod play;

use std::{
    io::{self, BufRead as _, BufReader, Read as _, Write as _},
    net::{Shutdown, TcpStream, ToSocketAddrs as _},
    sync::mpsc::{self, RecvTimeoutError, Sender},
    thread,
    time::Duration,
};

use anyhow::{Context as _, bail};
use rand::TryRng as _;

use self::{
    orders::{HELP, Order},
    play::Opponent,
};
use super::reading::Reading;
use crate::{
    bridge::vassal::{
        inventory::Inventory,
        online::{Event, Peer, Reaction, Seat},
        save::About,
        secret::Secret,
        table,
    },
    cli::{Failure, GlobalOptions},
};

/// Longest line of the server: a whole game, packed.
const LONGEST_LINE: u64 = 64 << 20;
/// How often a sign of life is sent; Vassal sends one every two minutes.
const SIGN_OF_LIFE: Duration = Duration::from_secs(100);
/// How long the server may take to answer the call.
const PATIENCE: Duration = Duration::from_secs(10);

/// Arguments of `tallyho vassal join`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Open the room in Vassal first (Server, Private Server): who is first in a room owns it, and this program never does.

  tallyho vassal join localhost:5050 Solo --module my.vmod
  tallyho vassal join localhost:5050 Solo --module my.vmod --swm --profile my.toml")]
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
    /// Play Star Wars Miniatures, not X-Wing
    #[arg(long)]
    swm: bool,
    /// Seed of everything that is rolled to decide
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    reading: Reading,
}

/// What comes in.
enum Input {
    /// A line of the server.
    Server(String),
    /// The server is gone, with what was wrong.
    Lost(String),
    /// A line that was typed.
    Typed(String),
}

/// Runs `tallyho vassal join`.
pub(super) fn run(arguments: Args, global: &GlobalOptions) -> anyhow::Result<()> {
    let catalog = global.load_catalog()?;
    let module = arguments.reading.module()?;
    let (name, version) = match (&module, &arguments.module_name) {
        (Some(module), _) => (module.name.clone(), module.version.clone()),
        (None, Some(name)) => (name.clone(), String::new()),
        (None, None) => bail!("give --module FILE, or --module-name NAME: players of different modules do not meet"),
    };
    let seat = Seat {
        module: name.clone(),
        module_version: version.clone(),
        room: arguments.room.clone(),
        name: arguments.name.clone(),
        connection: format!("tallyho-{}", random()?),
        player: Secret::new(format!("tallyho-{}", random()?)),
    };
    let about = About {
        module: name,
        module_version: version,
        ..About::default()
    };
    let mut table = Table {
        peer: Peer::new(seat),
        stream: call(&arguments.server)?,
        opponent: Opponent::new(arguments.swm, arguments.seed, arguments.reading.clone(), catalog),
        about,
        module,
    };
    let (sender, inputs) = mpsc::channel();
    listen(table.stream.try_clone()?, sender.clone());
    type_in(sender);
    table.send(&[table.peer.greeting()])?;
    println!("Connected to {}. {HELP}", arguments.server);
    loop {
        let goes_on = match inputs.recv_timeout(SIGN_OF_LIFE) {
            Ok(Input::Server(line)) => {
                let reaction = table.peer.receive(&line);
                table.react(reaction)?
            }
            Ok(Input::Typed(line)) => table.obey(&line)?,
            Ok(Input::Lost(why)) => return Err(Failure::with(1, format!("the server is gone: {why}"))),
            Err(RecvTimeoutError::Timeout) => {
                table.send(&[String::new()])?;
                true
            }
            Err(RecvTimeoutError::Disconnected) => false,
        };
        if !goes_on {
            return table.leave();
        }
    }
}

/// Letters that nobody else has.
fn random() -> anyhow::Result<String> {
    let number = rand::rngs::SysRng
        .try_next_u64()
        .context("the system gives no random numbers")?;
    Ok(format!("{number:016x}"))
}

fn call(server: &str) -> anyhow::Result<TcpStream> {
    let addresses = server
        .to_socket_addrs()
        .with_context(|| format!("`{server}` is no server: write host and port, as in localhost:5050"))?;
    let mut last = None;
    for address in addresses {
        match TcpStream::connect_timeout(&address, PATIENCE) {
            Ok(stream) => return Ok(stream),
            Err(error) => last = Some(error),
        }
    }
    match last {
        Some(error) => Err(error).with_context(|| format!("nobody answers at {server}: is the server started?")),
        None => bail!("`{server}` is no server: its name leads nowhere"),
    }
}

/// Passes the server's lines on.
fn listen(stream: TcpStream, inputs: Sender<Input>) {
    thread::spawn(move || {
        let mut reader = BufReader::new(stream);
        loop {
            let mut line = Vec::new();
            let lost = match reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
                Ok(0) => Some("it has closed the connection".to_owned()),
                Ok(_) if !line.ends_with(b"\n") && line.len() as u64 >= LONGEST_LINE => {
                    Some(format!("it sent a line of more than {} MiB", LONGEST_LINE >> 20))
                }
                Ok(_) => None,
                Err(error) => Some(error.to_string()),
            };
            let input = match lost {
                Some(why) => Input::Lost(why),
                None => Input::Server(String::from_utf8_lossy(&line).into_owned()),
            };
            let ends = matches!(input, Input::Lost(_));
            if inputs.send(input).is_err() || ends {
                return;
            }
        }
    });
}

/// Passes on what is typed. Its end is no end of the game: a program that runs beside others has nobody at its keyboard.
fn type_in(inputs: Sender<Input>) {
    thread::spawn(move || {
        // What is no UTF-8 (an old terminal's letters) spoils its own word, not the rest.
        for line in io::stdin().lock().split(b'\n') {
            let Ok(line) = line else { return };
            let line = String::from_utf8_lossy(&line);
            if inputs
                .send(Input::Typed(line.trim_end_matches('\r').to_owned()))
                .is_err()
            {
                return;
            }
        }
    });
}

/// The game on the server, as the program sits at it.
struct Table<'c> {
    peer: Peer,
    stream: TcpStream,
    opponent: Opponent<'c>,
    about: About,
    module: Option<crate::bridge::vassal::module::Module>,
}

impl Table<'_> {
    fn send(&mut self, lines: &[String]) -> anyhow::Result<()> {
        for line in lines {
            let line = format!("{line}\n");
            self.stream
                .write_all(line.as_bytes())
                .context("the server takes nothing more")?;
        }
        Ok(())
    }

    /// Sends what the peer answers and tells what has happened. Whether the game goes on.
    fn react(&mut self, reaction: Reaction) -> anyhow::Result<bool> {
        self.send(&reaction.send)?;
        for event in reaction.events {
            if let Some(told) = told(&event, self.peer.game().map_or(0, |game| game.pieces().count())) {
                println!("{told}");
            }
            if matches!(event, Event::SentAway | Event::Closed) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Does what was typed. Whether the game goes on.
    fn obey(&mut self, line: &str) -> anyhow::Result<bool> {
        let order = match Order::read(line) {
            Ok(order) => order,
            Err(why) => {
                println!("{why}");
                return Ok(true);
            }
        };
        match order {
            Order::Nothing => {}
            Order::Quit => return Ok(false),
            Order::Help => println!("{HELP}"),
            Order::Say(text) => {
                let line = self.peer.say(&text);
                self.send(&[line])?;
            }
            Order::Dump => match self.peer.game() {
                Some(game) => print!(
                    "{}",
                    Inventory::of(game, &self.about, self.module.as_ref(), false).in_words()
                ),
                None => println!("There is no game yet."),
            },
            Order::Change(change) => {
                let change = self.peer.game().map_or(Ok(vec![]), |game| change.of(game));
                match change {
                    Ok(changes) => self.change(&changes, "")?,
                    Err(why) => println!("{why}"),
                }
            }
            Order::Round => {
                self.opponent.next_round();
                println!("A new round: every ship of the solo side is to activate.");
            }
            Order::Decide => self.decide(false)?,
            Order::Play => self.decide(true)?,
        }
        Ok(true)
    }

    fn change(&mut self, changes: &[crate::protocol::vassal::PieceChange], text: &str) -> anyhow::Result<()> {
        match self.peer.change(changes, text) {
            Ok(line) => self.send(&[line])?,
            Err(refused) => println!("Not done: {refused}."),
        }
        Ok(())
    }

    /// Says what the next one of the solo side does, and carries it out as far as pieces go.
    fn decide(&mut self, carry_out: bool) -> anyhow::Result<()> {
        let Some(game) = self.peer.game() else {
            println!("There is no game yet.");
            return Ok(());
        };
        let snapshot = table::snapshot(game, &self.about, self.module.as_ref());
        let planned = match self.opponent.plan(snapshot) {
            Ok(planned) => planned,
            Err(error) => {
                println!("{error:#}");
                return Ok(());
            }
        };
        for note in &planned.notes {
            println!("note: {note}");
        }
        println!("{}", planned.sentence);
        if carry_out {
            self.change(&planned.changes, &planned.sentence)?;
            self.opponent.done(&planned);
        }
        Ok(())
    }

    fn leave(&mut self) -> anyhow::Result<()> {
        // The server may be gone already; then there is nobody to say it to.
        let _ = self.send(&[Peer::farewell()]);
        let _ = self.stream.shutdown(Shutdown::Both);
        println!("Left the server.");
        Ok(())
    }
}

/// An event in words; a change of the game is seen at the table and told nobody.
fn told(event: &Event, pieces: usize) -> Option<String> {
    let text = match event {
        Event::Waiting(rooms) if rooms.is_empty() => {
            "The room is not there yet, and no other is. Open it in Vassal; I wait, for I must not be the first in it."
                .to_owned()
        }
        Event::Waiting(rooms) => format!(
            "The room is not there yet; there is {}. Open it in Vassal; I wait, for I must not be the first in it.",
            rooms.join(", ")
        ),
        Event::Locked => "The room is locked: its owner has to unlock it. I wait.".to_owned(),
        Event::Entered(owner) => format!("In the room; I have asked {owner} for the game."),
        Event::Game => format!("The game is here: {pieces} pieces."),
        Event::Changed => return None,
        Event::Said(line) => line.clone(),
        Event::AskedForGame(name) => format!("{name} asked me for the game; I hold none and said so."),
        Event::LeftRatherThanOwn => {
            "I had come to be the first in the room and left it, so that I do not own it.".to_owned()
        }
        Event::SentAway => "The owner of the room has sent me out.".to_owned(),
        Event::Unreadable(damage) => format!("A message cannot be read: {damage}. I ask for the game anew."),
        Event::Closed => "The server has ended the connection.".to_owned(),
    };
    // Chat and names may hold anything.
    Some(
        text.chars()
            .map(|letter| if letter.is_control() { ' ' } else { letter })
            .collect(),
    )
}
