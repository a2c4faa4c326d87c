//! `tallyho demo`: a game on the virtual table, from the first press to the last, over the real wire.
//!
//! The server listens on a port of its own; the real controller connects to it, and its buttons are pressed: whole rounds, with
//! attacks of both sides. Two player ships are flown by a simple script. The same seed gives the same game.

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
    decision::Reason,
    geometry::Pose,
    protocol::{
        apply::{Outcome, WireStep},
        event::GameEvent,
        round::{Plays, RoundPhase, ShipLedger},
        snapshot::TtsSnapshot,
    },
    render::{self, Trail},
    server::{http::Shared, hub::Hub, limits::Limits, listen, tokens::Tokens},
    solo_alpha::sentence::Spoken,
    xwing::{ObjectId, catalog::Catalog, ship::Status, table::Table},
};
use stage::Stage;
use witness::{Owed, Told, Witness};

/// Virtual seconds that anything may take. Nothing takes that long; the demo must end by itself all the same.
const PATIENCE: f64 = 120.0;
/// Presses, flights and answers that a round may take. No round takes so many.
const TURNS_MOST: usize = 2000;
/// The rules whose reasons are told: of attacks, and of what is spent on dice.
const ATTACK_RULES: [&str; 3] = ["SA-9", "SA-10", "SA-11"];
/// Reasons told of one decision.
const REASONS_MOST: usize = 2;
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
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=20))]
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

/// How the game stands, as it was told last.
#[derive(Debug, Default)]
struct State {
    round: u32,
    phase: Option<RoundPhase>,
    /// The GUID of the ship whose turn it is.
    turn: String,
}

/// A game of the demo: the virtual table, the server behind it, and what was seen of both.
struct Game<'a> {
    arguments: &'a Args,
    catalog: &'static Catalog,
    stage: Stage,
    table: VirtualTable,
    controller: String,
    told: std::sync::mpsc::Receiver<Told>,
    owed: Owed,
    state: State,
    /// What is kept of each ship, by its GUID.
    kept: BTreeMap<String, ShipLedger>,
    /// What each ship is called, by its GUID.
    names: BTreeMap<String, String>,
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
            plays: Some(Plays::Rounds),
            ..HostConfig::default()
        });
        let owed = Owed::default();
        let witness = Witness::new(host, sender, owed.clone());
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
            owed,
            state: State::default(),
            kept: BTreeMap::new(),
            names: BTreeMap::new(),
            stop,
            runtime,
        })
    }

    /// Plays all rounds and returns the picture.
    fn play(mut self, out: &mut impl Write) -> anyhow::Result<String> {
        writeln!(
            out,
            "A game on the virtual table: {} solo ships, 2 players' ships, {} rounds, seed {}.\nThe real controller presses its \
             own buttons; the players fly by a script and take the answers that are marked.\n",
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
            let (table, _) = self.look(out)?;
            for ship in table.ships_in_play() {
                trails.entry(ship.id.clone()).or_default().push(ship.pose);
            }
            let goes_on = self.play_round(round, out)?;
            self.sum_up(out)?;
            writeln!(out)?;
            if !goes_on {
                break;
            }
        }
        let (table, _) = self.look(out)?;
        let picture = self.picture(&table, trails);
        let errors = self.table.script_errors();
        self.stop.cancel();
        self.runtime.shutdown_timeout(Duration::from_millis(200));
        if !errors.is_empty() {
            bail!("the controller's script failed: {}", errors.join("; "));
        }
        Ok(picture)
    }

    /// What the round has left of each ship.
    fn sum_up(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let left: Vec<String> = (self.kept.values())
            .map(|entry| {
                let name = self.names.get(&entry.ship).unwrap_or(&entry.ship);
                match (entry.destroyed, entry.hull) {
                    (true, _) => format!("{name} shot down"),
                    (false, hull) => format!("{name} {}+{}", hull.unwrap_or(0), entry.shields),
                }
            })
            .collect();
        let text = format!("Hull and shields left: {}.", left.join(", "));
        let options = textwrap::Options::new(110)
            .initial_indent("  ")
            .subsequent_indent("    ");
        writeln!(out, "{}", textwrap::fill(&text, options))?;
        Ok(())
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
    fn look(&mut self, out: &mut impl Write) -> anyhow::Result<(Table, Frame)> {
        self.press("Tallyho")?;
        let heard = self.wait("the table", |told| matches!(told, Told::Synced(_)))?;
        for told in &heard {
            self.narrate(told, out)?;
        }
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

    fn introduce(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        let (table, _) = self.look(out)?;
        self.names = (table.ships.iter())
            .map(|ship| (ship.id.to_string(), ship.name.clone()))
            .collect();
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

    /// Plays a round: the players fly by the script and take the first answer to what they are asked, the button does the rest.
    /// Whether the game goes on.
    fn play_round(&mut self, round: u32, out: &mut impl Write) -> anyhow::Result<bool> {
        self.press("Next")?;
        for _ in 0..TURNS_MOST {
            self.table.run_for(0.3)?;
            self.hear(out)?;
            if self.state.phase == Some(RoundPhase::Over) {
                return Ok(false);
            }
            if self.state.round > round {
                return Ok(true);
            }
            if self.evaluate("Panel.questions.n > 0")? {
                self.answer()?;
            } else if !self.is_calm()? {
                self.table.run_for(0.3)?;
            } else if self.state.phase == Some(RoundPhase::Activation) && self.stage.players.contains(&self.state.turn)
            {
                let turn = self.state.turn.clone();
                self.fly_player(&turn, out)?;
            } else {
                self.press("Next")?;
            }
        }
        bail!("round {round} does not end: {:?}", self.state)
    }

    /// Writes what was told since the last time.
    fn hear(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        let told: Vec<Told> = self.told.try_iter().collect();
        for told in told {
            self.narrate(&told, out)?;
        }
        Ok(())
    }

    fn evaluate(&self, condition: &str) -> anyhow::Result<bool> {
        let code = format!("return tostring({condition})");
        Ok(self.table.evaluate(&self.controller, &code)? == "true")
    }

    /// Nothing is on its way and nothing is owed: no press, no step, no look.
    fn is_calm(&self) -> anyhow::Result<bool> {
        let idle = "Link.state == 'up' and not Panel.pressed and Link.outbox.n == 0 and Steps.running == nil \
                    and Steps.waiting.n == 0";
        Ok(self.owed.is_nothing() && self.evaluate(idle)?)
    }

    /// Takes a focus where an action is asked for, else the default.
    fn answer(&self) -> anyhow::Result<()> {
        self.table.run_for(0.1)?;
        let buttons = self.table.buttons(&self.controller)?;
        let focus = buttons.iter().find(|label| *label == "Focus");
        let Some(label) = focus.or_else(|| buttons.iter().find(|label| label.ends_with("(default)"))) else {
            return Ok(());
        };
        self.press(label)
    }

    /// Writes what was told, and keeps what is known from it.
    fn narrate(&mut self, told: &Told, out: &mut impl Write) -> anyhow::Result<()> {
        let names = &self.names;
        let name = |guid: &str| names.get(guid).cloned().unwrap_or_else(|| guid.to_owned());
        match told {
            Told::Event(GameEvent::Status { round, phase, turn, .. }) => {
                self.state = State {
                    round: *round,
                    phase: *phase,
                    turn: turn.clone(),
                };
            }
            Told::Event(GameEvent::Phase { phase, .. }) if *phase == RoundPhase::Engagement => {
                writeln!(out, "  The engagement:")?;
            }
            Told::Event(GameEvent::Ledger { entry }) => {
                self.kept.insert(entry.ship.clone(), entry.clone());
            }
            Told::Event(GameEvent::Attack { attacker, message, .. }) => {
                let solo = self.stage.solo.contains(attacker);
                let whose = if solo { "solo  " } else { "player" };
                writeln!(out, "    {whose}  {message}")?;
            }
            Told::Event(GameEvent::Decided {
                ship,
                sentence,
                reasons,
            }) => {
                let wrapped = |text: &str, first, next| {
                    let options = textwrap::Options::new(110)
                        .initial_indent(first)
                        .subsequent_indent(next);
                    textwrap::fill(text, options)
                };
                // Of what it does with its dice the sentence tells nobody's name.
                let name = name(ship);
                let told = match sentence.starts_with(&name) {
                    true => sentence.clone(),
                    false => format!("{name}: {sentence}"),
                };
                writeln!(out, "{}", wrapped(&told, "  ", "    "))?;
                // Why it attacks whom, and spends what; the reasons of a flight are in its sentence.
                let says_more = |reason: &&Reason| !sentence.to_lowercase().starts_with(&reason.text.to_lowercase());
                let of_attacks = (reasons.iter())
                    .filter(|reason| ATTACK_RULES.contains(&&*reason.rule))
                    .filter(says_more);
                for reason in of_attacks.take(REASONS_MOST) {
                    let text = format!("{}: {}", reason.rule, reason.text);
                    writeln!(out, "{}", wrapped(&text, "      ", "        "))?;
                }
            }
            Told::Event(GameEvent::Activated { ship, message }) if self.stage.players.contains(ship) => {
                writeln!(out, "      {message}")?;
            }
            Told::Event(GameEvent::Replanned { message, .. } | GameEvent::Note { message }) => {
                writeln!(out, "    ! {message}")?;
            }
            Told::Applied(step, result) => {
                let (who, does) = match step {
                    WireStep::Move { object, code, .. } => (object, format!("is moved by the mod, {code}")),
                    WireStep::Place { object, .. } => (object, "is placed".to_owned()),
                    WireStep::Token {
                        object, token, count, ..
                    } if *count < 0 => (object, format!("sheds {} {token}", -count)),
                    WireStep::Token {
                        object, token, count, ..
                    } => (object, format!("takes {count} {token}")),
                    WireStep::Lock { object, target, remove } if *remove => {
                        (object, format!("breaks its lock on {}", name(target)))
                    }
                    WireStep::Lock { object, target, .. } => (object, format!("locks {}", name(target))),
                    WireStep::Lay { object, .. } => (object, "is laid down".to_owned()),
                    WireStep::Remove { object, .. } => (object, "leaves the table".to_owned()),
                    WireStep::Turret { object, arc, .. } => (object, format!("points its turret {arc}")),
                    WireStep::Dial { object, code } => (object, format!("sets its dial to {code}")),
                    WireStep::Say { .. }
                    | WireStep::Show { .. }
                    // Tables of ships have no map of squares and no pieces of Vassal.
                    | WireStep::Board { .. }
                    | WireStep::Pieces { .. } => return Ok(()),
                };
                let done = format!("{} {does}", name(who));
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
            Told::Event(_) | Told::Synced(_) | Told::Assigned => {}
        }
        Ok(())
    }

    /// Flies a player's ship by the script, with the mod's own calls.
    fn fly_player(&mut self, guid: &str, out: &mut impl Write) -> anyhow::Result<()> {
        let (table, _) = self.look(out)?;
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
        writeln!(
            out,
            "  {} (player) flies {}: now at {:.0}, {:.0} mm, heading {:.0}",
            ship.name,
            Spoken(choice.maneuver),
            pose.position.x,
            pose.position.y,
            pose.heading,
        )?;
        // The program sees where it stands, and plays what follows; a ship that did not move is passed over.
        self.press(if moved { "Tallyho" } else { "Skip this ship" })
    }

    /// The table with the tracks of all ships. GUIDs say nothing to a reader: ships and obstacles are numbered.
    fn picture(&self, table: &Table, trails: BTreeMap<ObjectId, Vec<Pose>>) -> String {
        let mut numbered = table.clone();
        for ship in &mut numbered.ships {
            // The table only sees that it lies beside the mat.
            if self.kept.get(&*ship.id).is_some_and(|entry| entry.destroyed) {
                ship.status = Status::Destroyed;
            }
        }
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
