//! `tallyho demo`: a game on the virtual table, from the first press to the last, over the real wire.
//!
//! The server listens on a port of its own; the real controller connects to it, and its buttons are pressed. Two player
//! ships are flown by a simple script. The same seed gives the same game.

mod stage;
mod witness;

use std::{
    collections::BTreeMap,
    io::{self, Write},
    path::PathBuf,
    time::Duration,
};

use anyhow::{Context as _, bail};
use tokio_util::sync::CancellationToken;

use super::GlobalOptions;
use crate::{
    bridge::{
        host::{Host, HostConfig},
        tts::{
            install::{Connection, saved_object},
            moves, snapshot,
            units::Frame,
        },
        virtual_table::{VirtualTable, pilots},
    },
    geometry::Pose,
    protocol::{
        apply::{Outcome, WireStep},
        event::GameEvent,
        round::Plays,
        snapshot::TtsSnapshot,
    },
    render::{self, Trail},
    server::{http::Shared, hub::Hub, limits::Limits, listen, tokens::Tokens},
    solo_alpha::sentence::Spoken,
    xwing::{ObjectId, catalog::Catalog, table::Table},
};
use stage::Stage;
use witness::{Told, Witness};

/// Virtual seconds that anything may take. Nothing takes that long; the demo must end by itself all the same.
const PATIENCE: f64 = 120.0;
/// Virtual seconds of silence after which nothing more is expected of an activation.
const QUIET: f64 = 30.0;
/// Tokens that the End Phase takes away.
const CIRCULAR: [&str; 8] = [
    "Focus",
    "Evade",
    "Calculate",
    "Disarm",
    "Reinforce",
    "Jam",
    "Tractor",
    "Cloak",
];

/// Play a short game on the built-in virtual table and show what is decided
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Seed of the game; the same seed gives the same game
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Solo ships
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(2..=6))]
    ships: u8,
    /// Rounds to play
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=20))]
    rounds: u8,
    /// Folder for the picture; made if it is not there
    #[arg(long, value_name = "DIR", default_value = ".")]
    out: PathBuf,
}

/// Plays.
///
/// # Errors
/// The server cannot be started, or the picture cannot be written.
pub fn run(arguments: Args, global: &GlobalOptions) -> anyhow::Result<()> {
    global.log_to_stderr();
    std::fs::create_dir_all(&arguments.out).with_context(|| {
        format!(
            "cannot make the folder {}; give another one with --out",
            arguments.out.display()
        )
    })?;
    let catalog = Catalog::embedded();
    let mut out = io::stdout().lock();
    let game = Game::begin(&arguments, catalog)?;
    let picture = game.play(&mut out)?;
    let path = arguments.out.join("demo.svg");
    std::fs::write(&path, picture).with_context(|| path.display().to_string())?;
    writeln!(out, "\nThe tracks of all ships: {}", path.display())?;
    Ok(())
}

/// A game of the demo: the virtual table, the server behind it, and what was seen of both.
struct Game<'a> {
    arguments: &'a Args,
    catalog: &'static Catalog,
    stage: Stage,
    table: VirtualTable,
    controller: String,
    told: std::sync::mpsc::Receiver<Told>,
    stop: CancellationToken,
    runtime: tokio::runtime::Runtime,
}

impl<'a> Game<'a> {
    /// Sets the table up, starts the server and connects.
    fn begin(arguments: &'a Args, catalog: &'static Catalog) -> anyhow::Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .context("cannot start the runtime")?;
        let (sender, told) = std::sync::mpsc::channel();
        let stop = CancellationToken::new();
        let tokens = Tokens::random()?;
        let host = Host::new(HostConfig {
            seed: arguments.seed,
            game: Some(format!("demo{}", arguments.seed)),
            catalog,
            plays: Some(Plays::Activations),
            ..HostConfig::default()
        });
        let witness = Witness::new(host, sender);
        // Virtual time runs faster than any player presses.
        let limits = Limits {
            rate: 10_000.0,
            burst: 10_000.0,
            ..Limits::default()
        };
        let port = runtime.block_on(async {
            let listener = listen::bind(None, Some(0))
                .await
                .context("no port of this computer can be used")?;
            let port = listener.local_addr()?.port();
            let (hub, _) = Hub::start(Box::new(witness), tokens.clone(), limits);
            let shared = Shared::new(hub.clone(), tokens.clone(), limits);
            tokio::spawn(listen::serve(listener, shared, hub, limits, stop.clone()));
            anyhow::Ok(port)
        })?;
        let table = VirtualTable::new()?;
        let stage = Stage::set(&table, catalog, arguments.seed, arguments.ships)?;
        let connection = Connection {
            port,
            token: tokens.table.expose().to_owned(),
        };
        let controller = table.spawn_saved_object(&saved_object(&connection)?)?;
        Ok(Self {
            arguments,
            catalog,
            stage,
            table,
            controller,
            told,
            stop,
            runtime,
        })
    }

    /// Plays all rounds and returns the picture.
    fn play(mut self, out: &mut impl Write) -> anyhow::Result<String> {
        writeln!(
            out,
            "A game on the virtual table: {} solo ships, 2 players' ships, {} rounds, seed {}.\nThe real controller presses its \
             own buttons; nobody shoots yet.\n",
            self.arguments.ships, self.arguments.rounds, self.arguments.seed
        )?;
        self.connect()?;
        for ship in &self.stage.solo.clone() {
            self.assign(ship)?;
        }
        self.introduce(out)?;
        let mut trails: BTreeMap<ObjectId, Vec<Pose>> = BTreeMap::new();
        for round in 1..=u32::from(self.arguments.rounds) {
            writeln!(out, "Round {round}")?;
            let (table, _) = self.look()?;
            for ship in table.ships_in_play() {
                trails.entry(ship.id.clone()).or_default().push(ship.pose);
            }
            self.play_round(out)?;
            self.table.clear_tokens(&CIRCULAR)?;
            self.table.run_for(0.5)?;
            writeln!(out)?;
        }
        let (table, _) = self.look()?;
        let picture = self.picture(&table, trails);
        let errors = self.table.script_errors();
        self.stop.cancel();
        self.runtime.shutdown_timeout(Duration::from_millis(200));
        if !errors.is_empty() {
            bail!("the controller's script failed: {}", errors.join("; "));
        }
        Ok(picture)
    }

    /// Waits until the controller has connected and sent the table.
    fn connect(&mut self) -> anyhow::Result<()> {
        self.wait("the controller to connect", |told| matches!(told, Told::Synced(_)))?;
        Ok(())
    }

    /// Lets time pass until the wanted thing was told; returns everything told until then.
    fn wait(&self, what: &str, wanted: impl Fn(&Told) -> bool) -> anyhow::Result<Vec<Told>> {
        let heard = self.listen(PATIENCE, &wanted)?;
        if !heard.iter().any(wanted) {
            let chat = self.table.chat();
            let last = chat.len().saturating_sub(5);
            bail!("waited for {what} in vain; the chat says: {}", chat[last..].join(" | "));
        }
        Ok(heard)
    }

    /// Lets time pass until the wanted thing was told, at most so many virtual seconds; returns everything told.
    fn listen(&self, seconds: f64, wanted: impl Fn(&Told) -> bool) -> anyhow::Result<Vec<Told>> {
        let mut heard = Vec::new();
        self.table.run_until(seconds, |_| {
            let before = heard.len();
            heard.extend(self.told.try_iter());
            heard[before..].iter().any(&wanted)
        })?;
        Ok(heard)
    }

    fn press(&self, label: &str) -> anyhow::Result<()> {
        // Buttons are drawn a frame after something changed.
        self.table.run_for(0.1)?;
        Ok(self.table.press(&self.controller, label, "Black")?)
    }

    /// Makes a ship a solo ship by the controller's own list.
    fn assign(&self, ship: &str) -> anyhow::Result<()> {
        let open = |table: &VirtualTable| {
            table
                .buttons(&self.controller)
                .is_ok_and(|buttons| buttons.iter().any(|label| label == "Close ship list"))
        };
        if !open(&self.table) {
            self.press("Solo ships...")?;
            self.table.run_until(1.0, open)?;
        }
        let row = self
            .table
            .buttons(&self.controller)?
            .into_iter()
            .find(|label| label.ends_with(&format!("({ship})")))
            .with_context(|| format!("the controller lists no ship {ship}"))?;
        self.press(&row)?;
        self.wait("a ship to be assigned", |told| matches!(told, Told::Assigned))?;
        Ok(())
    }

    /// Has the controller read the table, and reads what it sent as the server does.
    fn look(&self) -> anyhow::Result<(Table, Frame)> {
        self.press("Tallyho")?;
        let heard = self.wait("the table", |told| matches!(told, Told::Synced(_)))?;
        let raw: &TtsSnapshot = heard
            .iter()
            .rev()
            .find_map(|told| match told {
                Told::Synced(raw) => Some(&**raw),
                _ => None,
            })
            .context("no table was sent")?;
        let solo = self.stage.solo.iter().map(|guid| guid.as_str().into()).collect();
        let reading = snapshot::read(raw, &solo, self.catalog);
        Ok((reading.table, reading.frame))
    }

    fn introduce(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let (table, _) = self.look()?;
        for ship in table.ships_in_play() {
            let solo = self.stage.solo.iter().any(|guid| **guid == *ship.id);
            let flown = if solo { "solo  " } else { "player" };
            writeln!(
                out,
                "  {flown}  {} ({}), initiative {}, at {:.0}, {:.0} mm, heading {:.0}",
                ship.name, ship.chassis, ship.initiative, ship.pose.position.x, ship.pose.position.y, ship.pose.heading
            )?;
        }
        writeln!(out)?;
        Ok(())
    }

    /// All ships by initiative; of one initiative the solo ships fly first.
    fn play_round(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let (table, _) = self.look()?;
        let mut initiatives: Vec<u8> = table.ships_in_play().map(|ship| ship.initiative).collect();
        initiatives.sort_unstable();
        initiatives.dedup();
        for initiative in initiatives {
            let flies_now = |guid: &String| {
                table
                    .ship(guid)
                    .is_some_and(|ship| ship.in_play() && ship.initiative == initiative)
            };
            if self.stage.solo.iter().any(flies_now) {
                self.fly_solo(&table, out)?;
            }
            for guid in self.stage.players.iter().filter(|guid| flies_now(guid)) {
                self.fly_player(guid, out)?;
            }
        }
        Ok(())
    }

    /// Presses the button for all solo ships of this initiative and waits until they are done.
    fn fly_solo(&self, before: &Table, out: &mut impl Write) -> anyhow::Result<()> {
        // After a round the first press only says that another one begins a new one.
        for _ in 0..2 {
            self.press("This initiative")?;
            let heard = self.wait("an answer to the button", |told| matches!(told, Told::Advanced(_)))?;
            let ships = heard.iter().rev().find_map(|told| match told {
                Told::Advanced(ships) => Some(ships.len()),
                _ => None,
            });
            let Some(count) = ships.filter(|&count| count > 0) else {
                continue;
            };
            let mut left = count;
            for told in &heard {
                left -= self.narrate(told, before, out)?.min(left);
            }
            while left > 0 {
                let heard = self.listen(QUIET, |told| !matches!(told, Told::Synced(_)))?;
                if heard.is_empty() {
                    writeln!(out, "    ! The program gave the rest of this initiative up.")?;
                    break;
                }
                for told in &heard {
                    left -= self.narrate(told, before, out)?.min(left);
                }
            }
            return Ok(());
        }
        Ok(())
    }

    /// Writes what was told; returns how many activations ended with it.
    fn narrate(&self, told: &Told, table: &Table, out: &mut impl Write) -> anyhow::Result<usize> {
        let name = |guid: &str| {
            table
                .ship(guid)
                .map_or_else(|| guid.to_owned(), |ship| ship.name.clone())
        };
        match told {
            Told::Event(GameEvent::Decided { sentence, .. }) => {
                writeln!(
                    out,
                    "  {}",
                    textwrap::fill(sentence, textwrap::Options::new(110).subsequent_indent("    "))
                )?;
            }
            Told::Event(GameEvent::Activated { .. }) => return Ok(1),
            Told::Event(GameEvent::Replanned { message, .. } | GameEvent::Note { message }) => {
                writeln!(out, "    ! {message}")?;
                return Ok(usize::from(message.contains("is not flown")));
            }
            Told::Applied(step, result) => {
                let done = match step {
                    WireStep::Move { code, .. } => format!("the mod moves it by {code}"),
                    WireStep::Place { .. } => "is placed".to_owned(),
                    WireStep::Token { token, count, .. } if *count < 0 => format!("sheds {} {token}", -count),
                    WireStep::Token { token, count, .. } => format!("takes {count} {token}"),
                    WireStep::Lock { target, remove, .. } if *remove => format!("breaks its lock on {}", name(target)),
                    WireStep::Lock { target, .. } => format!("locks {}", name(target)),
                    WireStep::Lay { .. } => "is laid down".to_owned(),
                    WireStep::Board { .. } | WireStep::Pieces { .. } => "changes the map".to_owned(),
                    WireStep::Remove { .. } => "leaves the table".to_owned(),
                    WireStep::Turret { arc, .. } => format!("points its turret {arc}"),
                    WireStep::Dial { code, .. } => format!("sets its dial to {code}"),
                    WireStep::Say { .. } | WireStep::Show { .. } => return Ok(0),
                };
                let how = match result.outcome {
                    Outcome::Applied | Outcome::Duplicate => String::new(),
                    Outcome::Partial => format!(" ({})", result.reason),
                    Outcome::Rejected => format!(" (refused: {})", result.reason),
                };
                let place = match (step, result.observed) {
                    (WireStep::Move { .. } | WireStep::Place { .. }, Some(observed)) => {
                        let pose = self.stage.frame.pose_of(observed);
                        let bump = if result.bumped { ", bumped" } else { "" };
                        format!(
                            ": now at {:.0}, {:.0} mm, heading {:.0}{bump}",
                            pose.position.x, pose.position.y, pose.heading
                        )
                    }
                    _ => String::new(),
                };
                writeln!(out, "      {done}{place}{how}")?;
            }
            Told::Event(_) | Told::Synced(_) | Told::Advanced(_) | Told::Assigned => {}
        }
        Ok(0)
    }

    /// Flies a player's ship by the script, with the mod's own calls.
    fn fly_player(&self, guid: &str, out: &mut impl Write) -> anyhow::Result<()> {
        let (table, _) = self.look()?;
        let Some(ship) = table.ship(guid).filter(|ship| ship.in_play()) else {
            return Ok(());
        };
        let Some(choice) = pilots::choose(&table, ship) else {
            writeln!(out, "  {} (player) has no maneuver to choose.", ship.name)?;
            return Ok(());
        };
        let code = moves::maneuver_code(choice.maneuver);
        let moved = self.table.fly(guid, &code)?;
        self.table
            .run_until(PATIENCE, |table| table.at_rest(guid).unwrap_or(true))?;
        self.table.run_for(0.2)?;
        let [x, z, rot_y] = self.table.placement(guid)?;
        let pose = self.stage.frame.pose(x, z, rot_y);
        let focus = moved && choice.may_act;
        if focus {
            self.table.take_token(guid, "Focus")?;
            self.table.run_for(0.6)?;
        }
        writeln!(
            out,
            "  {} (player) flies {}: now at {:.0}, {:.0} mm, heading {:.0}{}",
            ship.name,
            Spoken(choice.maneuver),
            pose.position.x,
            pose.position.y,
            pose.heading,
            if focus { "; focus" } else { "" }
        )?;
        Ok(())
    }

    /// The table with the tracks of all ships. GUIDs say nothing to a reader: ships and obstacles are numbered.
    fn picture(&self, table: &Table, trails: BTreeMap<ObjectId, Vec<Pose>>) -> String {
        let mut numbered = table.clone();
        let name = |id: &ObjectId| -> ObjectId {
            let stage = &self.stage;
            let lists = [("P", &stage.players), ("S", &stage.solo), ("", &stage.obstacles)];
            let place = |list: &[String]| list.iter().position(|guid| **guid == **id);
            lists
                .into_iter()
                .find_map(|(letter, list)| Some(format!("{letter}{}", place(list)? + 1).into()))
                .unwrap_or_else(|| id.clone())
        };
        for ship in &mut numbered.ships {
            ship.id = name(&ship.id);
        }
        for obstacle in &mut numbered.obstacles {
            obstacle.id = name(&obstacle.id);
        }
        let trails: Vec<Trail> = trails
            .into_iter()
            .filter_map(|(id, poses)| {
                let ship = table.ship(&id)?;
                Some(Trail {
                    ship: name(&id),
                    side: ship.side.clone(),
                    size: ship.size,
                    poses,
                })
            })
            .collect();
        let lines = [
            format!("{} rounds, seed {}.", self.arguments.rounds, self.arguments.seed),
            "Solo ships (S) fly by the Solo Alpha rules, the players' ships (P) by a simple script.".to_owned(),
        ];
        render::svg_history(&numbered, &[], &trails, "Tallyho demo", &lines)
    }
}
