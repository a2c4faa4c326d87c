//! `tallyho serve`: the server for a table.

mod escort;

use std::borrow::Cow;
use std::io::{self, IsTerminal as _, Write};
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::{Duration, UNIX_EPOCH};

use anyhow::{Context, bail};
use rand::TryRng as _;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::scenario::wishes::WishArgs;
use super::sim::escort::EscortArgs;
use super::{Failure, GlobalOptions, scenario};
use crate::bridge::host::scenario::ServedScenario;
use crate::bridge::host::{Host, HostConfig};
use crate::bridge::skirmish::{SkirmishHost, SkirmishHostConfig};
use crate::bridge::vassal::profile::{Plays as ModulePlays, Profile};
use crate::bridge::vassal_table::VassalReader;
use crate::private_file::{create_folder, write_private};
use crate::protocol::PROTOCOL_VERSION;
use crate::protocol::round::{DiceFrom, Plays};
use crate::server::host::TableHost;
use crate::server::http::Shared;
use crate::server::hub::Hub;
use crate::server::instance::{Folders, Instance, InstanceLock, LockError};
use crate::server::limits::Limits;
use crate::server::tokens::Tokens;
use crate::server::vassal::VassalHost;
use crate::server::{listen, log, stdio};
use crate::xwing::catalog::Catalog;

/// Exit code when another server is running.
const ALREADY_RUNNING: u8 = 3;
/// Exit code when no port is free.
const PORT_TAKEN: u8 = 4;

/// Serve a table: listen on 127.0.0.1 for Tabletop Simulator, viewers and other clients
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Port on 127.0.0.1; 0 takes any free one. Left out: the first free one of the usual ten
    #[arg(long, value_name = "PORT", env = "TALLYHO_PORT")]
    port: Option<u16>,
    /// Write the port into this file once it is known
    #[arg(long, value_name = "FILE")]
    port_file: Option<PathBuf>,
    /// Speak on standard input and output instead, one JSON object a line, and open no port
    #[arg(long, conflicts_with_all = ["port", "port_file", "listen"])]
    stdio: bool,
    /// File with the two tokens; made if it is not there
    #[arg(long, value_name = "FILE", env = "TALLYHO_TOKEN_FILE")]
    token_file: Option<PathBuf>,
    /// Listen on this address instead of 127.0.0.1, for machines beyond this one
    #[arg(long, value_name = "ADDRESS", requires = "i_know")]
    listen: Option<IpAddr>,
    /// Yes, everyone who can reach that address and has the token may move the pieces, and nothing is encrypted
    #[arg(long)]
    i_know: bool,
    /// Seed of all dice; left out: a new one
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Folder for the record of the game, which a restarted server goes on with; left out: a folder of the user's
    #[arg(long, value_name = "DIR")]
    journal: Option<PathBuf>,
    /// Begin a new game even if the record of the last one is fresh; the old record is kept beside it
    #[arg(long)]
    new_game: bool,
    /// Choices where the rules are silent, as a JSON object (docs/rules.md lists them); left out: the defaults
    #[arg(long, value_name = "FILE")]
    options: Option<PathBuf>,
    /// How much is played; left out: whole rounds where the table can lead its players through them
    #[arg(long, value_name = "HOW")]
    plays: Option<PlaysChoice>,
    /// Where dice come from; players may choose otherwise at the table
    #[arg(long, value_name = "WHERE", default_value = "program")]
    dice: DiceChoice,
    /// Play Star Wars Miniatures at a table that sends maps of squares (docs/swm.md)
    #[arg(long, conflicts_with_all = ["options", "plays", "scenario"])]
    swm: bool,
    /// Lead a scenario (SA-13): `intro`, `mirror`, or a scenario file. The table may be set as `tallyho scenario` writes it for
    /// the same words and the same seed; what is not there yet is laid, or asked for
    #[arg(long, value_name = "NAME|FILE", requires = "side", requires = "seed")]
    scenario: Option<String>,
    #[command(flatten)]
    wishes: WishArgs,
    #[command(flatten)]
    escort: EscortArgs,
    /// The players' squad in Political Escort, as in '4*xwing/rookiepilot', or an XWS file
    #[arg(long, value_name = "SQUAD|FILE", requires = "escort")]
    player: Option<String>,
    /// The solo side's squad in Political Escort
    #[arg(long, value_name = "SQUAD|FILE", requires = "escort")]
    solo: Option<String>,
    /// Political Escort is over after so many rounds (PE-7.3) [default: it is played to its end]
    #[arg(long, value_name = "N", requires = "escort", value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: Option<u32>,
    /// A profile of the module that is played in Vassal; left out: the one that comes with the program (docs/vassal.md)
    #[arg(long, value_name = "FILE")]
    vassal_profile: Option<PathBuf>,
    /// End when the process with this id ends
    #[arg(long, value_name = "PID")]
    client_process_id: Option<u32>,
}

/// How much is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum PlaysChoice {
    /// Phases, attacks and damage, too
    Rounds,
    /// Only the activations of the solo ships
    Activations,
}

/// Where dice come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum DiceChoice {
    /// The program rolls and shows the faces
    Program,
    /// The table rolls its own dice, where it can
    Table,
    /// The players roll by hand and type the faces
    Typed,
}

impl DiceChoice {
    /// As the protocol says it.
    const fn from(self) -> DiceFrom {
        match self {
            DiceChoice::Program => DiceFrom::Program,
            DiceChoice::Table => DiceFrom::Table,
            DiceChoice::Typed => DiceFrom::Typed,
        }
    }
}

/// Serves until it is told to end.
///
/// # Errors
/// The folders, tokens or port cannot be used; another server is running; no port is free.
pub fn run(arguments: Args, global: &GlobalOptions) -> anyhow::Result<()> {
    let folders = Folders::of_user()?;
    // Buffered lines are written when the guard goes.
    let _log = log::start(&folders.logs(), global.log_level())?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .context("cannot start the runtime")?;
    let outcome = runtime.block_on(async {
        if arguments.stdio {
            talk(&arguments, global, &folders).await
        } else {
            listen_and_serve(&arguments, global, &folders).await
        }
    });
    // Reading standard input blocks a thread that nothing can wake.
    runtime.shutdown_timeout(Duration::from_millis(100));
    if let Err(error) = &outcome {
        tracing::error!(target: log::OUTCOME, "{error:#}");
    }
    outcome
}

/// How old a game's record may be for a started server to go on with it: an evening's break, not last week's table.
const FRESH: Duration = Duration::from_secs(12 * 60 * 60);

/// The file with the game's record. One that is too old, or not wanted, is moved aside under the time of its last line.
fn journal(arguments: &Args, folders: &Folders) -> anyhow::Result<PathBuf> {
    let folder = arguments.journal.clone().unwrap_or_else(|| folders.games());
    create_folder(&folder)?;
    // The two games keep records of their own: one goes on when the other has been played meanwhile.
    let name = if arguments.swm { "skirmish" } else { "game" };
    let file = folder.join(format!("{name}.jsonl"));
    let Ok(written) = std::fs::metadata(&file).and_then(|file| file.modified()) else {
        return Ok(file);
    };
    // A clock that was set back makes a record of the future, which is as fresh as can be.
    let stale = written.elapsed().is_ok_and(|age| age > FRESH);
    if stale || arguments.new_game {
        let seconds = written.duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        let aside = folder.join(format!("{name}-{seconds}.jsonl"));
        std::fs::rename(&file, &aside).with_context(|| format!("cannot keep the old record as {}", aside.display()))?;
        tracing::info!(record = %aside.display(), "the old game is set aside");
    }
    Ok(file)
}

fn host(arguments: &Args, global: &GlobalOptions, folders: &Folders) -> anyhow::Result<Box<dyn TableHost>> {
    let seed = match arguments.seed {
        Some(seed) => seed,
        None => rand::rngs::SysRng
            .try_next_u64()
            .context("no random bytes from the system; give --seed")?,
    };
    // Someone who speaks over standard input keeps a record only where told to: several such servers may run at once.
    let journal = match (arguments.stdio, &arguments.journal) {
        (true, None) => None,
        _ => Some(journal(arguments, folders)?),
    };
    if arguments.swm {
        tracing::info!(seed, ?journal, "a skirmish begins");
        let host = SkirmishHost::new(SkirmishHostConfig {
            seed,
            journal,
            dice: arguments.dice.from(),
            ..SkirmishHostConfig::default()
        });
        return before_vassal(
            arguments,
            Box::new(host),
            ModulePlays::StarWarsMiniatures,
            Catalog::embedded(),
            folders,
        );
    }
    let mut options = super::load_options(arguments.options.as_deref())?;
    // Its ships are of the first edition, and its file may name options of that.
    let told = escort::told(arguments, global)?;
    let of_escort = told.as_ref().map(|told| told.global.clone());
    let global = of_escort.as_ref().unwrap_or(global);
    // A game goes on in its own edition, whatever the table is started with.
    let begun = journal.as_deref().map(|file| global.of_game(file)).transpose();
    let begun = begun.context("the recorded game would go on; start with --new-game for another one")?;
    let global = begun.as_ref().unwrap_or(global);
    tracing::info!(seed, ?journal, "a game begins");
    let catalog = match global.load_catalog()? {
        Cow::Borrowed(catalog) => catalog,
        // Read once, and needed as long as the process lives.
        Cow::Owned(catalog) => Box::leak(Box::new(catalog)),
    };
    let escort = told.map(|told| told.read(arguments, catalog)).transpose()?;
    if let Some((_, play)) = &escort {
        options.escort = *play;
    }
    let led = arguments.scenario.is_some() || escort.is_some();
    let scenario = served_scenario(arguments, catalog)?;
    if let Some(served) = &scenario {
        // What it lacks is said now, not at the table.
        served.open(catalog, seed)?;
    }
    let host = Host::new(HostConfig {
        seed,
        scenario,
        escort: escort.map(|(game, _)| game),
        journal,
        catalog,
        edition_options: global.first_edition_options(catalog)?,
        attack_values: global.attack_values(),
        options,
        plays: match arguments.plays {
            Some(PlaysChoice::Rounds) => Some(Plays::Rounds),
            Some(PlaysChoice::Activations) => Some(Plays::Activations),
            // Who leads a scenario counts its rounds and keeps its ships.
            None => led.then_some(Plays::Rounds),
        },
        dice: arguments.dice.from(),
        ..HostConfig::default()
    });
    before_vassal(arguments, Box::new(host), ModulePlays::XWing, catalog, folders)
}

/// The game behind a host that understands tables of Vassal, too.
fn before_vassal(
    arguments: &Args,
    host: Box<dyn TableHost>,
    plays: ModulePlays,
    catalog: &'static Catalog,
    folders: &Folders,
) -> anyhow::Result<Box<dyn TableHost>> {
    if let Some(file) = &arguments.vassal_profile {
        // What is wrong with it is said now, not at the table.
        Profile::open(file)?;
    }
    let reader = VassalReader::new(plays, catalog, arguments.vassal_profile.clone());
    let host = VassalHost::around(host, reader);
    if arguments.stdio {
        return Ok(Box::new(host));
    }
    // Beside the records of games, as a folder of the user's own.
    create_folder(&folders.games())?;
    Ok(Box::new(host.keeping(vassal_table(folders))))
}

/// Where the server writes down what lies on a table of Vassal, for `tallyho vassal probe --live`.
pub(super) fn vassal_table(folders: &Folders) -> PathBuf {
    folders.games().join("vassal-table.json")
}

/// The scenario that is asked for.
fn served_scenario(arguments: &Args, catalog: &Catalog) -> anyhow::Result<Option<ServedScenario>> {
    let Some(name) = &arguments.scenario else {
        return Ok(None);
    };
    if arguments.plays == Some(PlaysChoice::Activations) {
        bail!("a scenario is led through whole rounds: leave --plays activations out");
    }
    let text = scenario::own_text(name, catalog)?;
    arguments.wishes.served(name, text, catalog).map(Some)
}

/// What there is to do at the table, for someone who sees the window.
const fn who_connects(swm: bool) -> &'static str {
    match swm {
        // Tabletop Simulator's controller knows tables of ships alone.
        true => {
            "A table of squares connects now: Vassal by its plugin (`tallyho install vassal`), or a client of your own \
             (protocol/README.md)."
        }
        false => {
            "Put the controller on the table (`tallyho install tts`), or open Vassal with the plugin (`tallyho install vassal`)."
        }
    }
}

async fn listen_and_serve(arguments: &Args, global: &GlobalOptions, folders: &Folders) -> anyhow::Result<()> {
    let signals = Signals::catch()?;
    let mut lock = match InstanceLock::take(folders) {
        Ok(lock) => lock,
        Err(error @ LockError::Running(_)) => return Err(Failure::with(ALREADY_RUNNING, error.to_string())),
        Err(LockError::Io(error)) => return Err(error.into()),
    };
    // Only now: another server might be writing the same record.
    let host = host(arguments, global, folders)?;
    let token_file = arguments.token_file.clone().unwrap_or_else(|| folders.tokens());
    let tokens = Tokens::load_or_create(&token_file)?;
    let listener = listen::bind(arguments.listen, arguments.port)
        .await
        .map_err(|error| match error.kind() {
            io::ErrorKind::AddrInUse => Failure::with(PORT_TAKEN, error.to_string()),
            _ => error.into(),
        })?;
    let address = listener.local_addr()?;
    if !address.ip().is_loopback() {
        tracing::warn!(%address, "listening beyond this machine: whoever has the token may move the pieces");
    }
    let token_file = std::path::absolute(&token_file).unwrap_or(token_file);
    lock.publish(&Instance::here(address.port(), token_file.clone()))?;
    if let Some(file) = &arguments.port_file {
        write_private(file, &address.port().to_string())?;
    }
    let line = json!({
        "event": "listening",
        "port": address.port(),
        "url": format!("http://{address}"),
        "protocol": PROTOCOL_VERSION,
        "version": env!("CARGO_PKG_VERSION"),
        "pid": std::process::id(),
        "tokenFile": token_file,
    });
    say(&line.to_string())?;
    // Programs read the line above; someone who sees the window reads this one.
    if io::stderr().is_terminal() {
        crate::cli::console::tell!(
            "Tallyho listens on {address}. {} Ctrl-C ends it.",
            who_connects(arguments.swm)
        );
    }
    tracing::info!(%address, "listening");

    let limits = Limits::default();
    let (hub, hub_task) = Hub::start(host, tokens.clone(), limits);
    let stop = CancellationToken::new();
    tokio::spawn(stop_when_told(signals, stop.clone(), arguments.client_process_id));
    let shared = Shared::new(hub.clone(), tokens, limits);
    listen::serve(listener, shared, hub, limits, stop).await?;
    // The game's record is complete once its task has ended.
    let _ = tokio::time::timeout(limits.shutdown, hub_task).await;
    tracing::info!("ended");
    drop(lock);
    Ok(())
}

async fn talk(arguments: &Args, global: &GlobalOptions, folders: &Folders) -> anyhow::Result<()> {
    let signals = Signals::catch()?;
    let host = host(arguments, global, folders)?;
    let limits = Limits::default();
    let (hub, hub_task) = Hub::start(host, Tokens::random()?, limits);
    let stop = CancellationToken::new();
    tokio::spawn(stop_when_told(signals, stop.clone(), arguments.client_process_id));
    let conversation = stdio::run(tokio::io::stdin(), tokio::io::stdout(), &hub, &limits);
    let end = tokio::select! {
        end = conversation => end,
        () = stop.cancelled() => stdio::End::Orderly,
    };
    hub.shutdown().await;
    let _ = tokio::time::timeout(limits.shutdown, hub_task).await;
    match end {
        stdio::End::Orderly => Ok(()),
        stdio::End::Abrupt => bail!("the client went away without `shutdown` and `exit`"),
    }
}

/// One line on standard output; a program that started us reads it.
fn say(line: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()
}

/// Cancels `stop` on Ctrl-C, on the system's wish to end, or when the client's process is gone.
async fn stop_when_told(mut signals: Signals, stop: CancellationToken, client: Option<u32>) {
    let why = tokio::select! {
        why = signals.next() => why,
        why = client_gone(client) => why,
    };
    tracing::info!("ending: {why}");
    stop.cancel();
}

/// The signals that end the server. They are caught from the moment this is made, so it is made before anyone is told that
/// the server is there.
#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
    hang_up: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn catch() -> io::Result<Signals> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Signals {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hang_up: signal(SignalKind::hangup())?,
        })
    }

    async fn next(&mut self) -> &'static str {
        tokio::select! {
            _ = self.interrupt.recv() => "interrupted",
            _ = self.terminate.recv() => "terminated",
            _ = self.hang_up.recv() => "hung up",
        }
    }
}

/// The signals that end the server.
#[cfg(windows)]
struct Signals {
    interrupt: tokio::signal::windows::CtrlC,
    // The one that a program can send to another one that it has started in a group of its own.
    interrupt_group: tokio::signal::windows::CtrlBreak,
    close: tokio::signal::windows::CtrlClose,
    shutdown: tokio::signal::windows::CtrlShutdown,
}

#[cfg(windows)]
impl Signals {
    fn catch() -> io::Result<Signals> {
        use tokio::signal::windows::{ctrl_break, ctrl_c, ctrl_close, ctrl_shutdown};
        Ok(Signals {
            interrupt: ctrl_c()?,
            interrupt_group: ctrl_break()?,
            close: ctrl_close()?,
            shutdown: ctrl_shutdown()?,
        })
    }

    async fn next(&mut self) -> &'static str {
        tokio::select! {
            _ = self.interrupt.recv() => "interrupted",
            _ = self.interrupt_group.recv() => "interrupted",
            _ = self.close.recv() => "console closed",
            _ = self.shutdown.recv() => "system shutting down",
        }
    }
}

/// Waits until the process is gone; for ever if there is none to watch.
async fn client_gone(client: Option<u32>) -> &'static str {
    let Some(client) = client else {
        return std::future::pending().await;
    };
    let client = sysinfo::Pid::from_u32(client);
    let mut system = sysinfo::System::new();
    let mut started = None;
    loop {
        system.refresh_processes(sysinfo::ProcessesToUpdate::Some(&[client]), true);
        let Some(process) = system.process(client) else {
            return "the client's process is gone";
        };
        // The system gives old numbers to new processes.
        if *started.get_or_insert(process.start_time()) != process.start_time() {
            return "the client's process is gone";
        }
        tokio::time::sleep(Duration::from_secs(2)).await;
    }
}
