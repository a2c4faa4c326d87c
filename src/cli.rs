//! The command line: one file a subcommand, this one only parses and dispatches.
//!
//! A subcommand is a module with a clap `Args` struct and `run(Args, &GlobalOptions) -> anyhow::Result<()>`. Exit codes:
//! 0 done, 1 something went wrong (said on stderr), 2 the command line itself was wrong; a subcommand that has more of them
//! ends with a [`Failure`].

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::Context as _;

use clap::{Parser, Subcommand};

use crate::{
    bridge::served::Entry,
    solo_alpha::Options,
    xwing::{
        catalog::{Catalog, asked::AttackValues, normalized},
        edition::{Edition, FirstEditionOptions, Rules},
        squad::xws,
    },
};

pub mod balance;
pub mod bench;
pub mod cards;
pub mod catalog;
mod console;
pub mod decide;
pub mod demo;
pub mod dice;
mod files;
mod help;
pub mod install;
mod interrupt;
pub mod play;
pub mod replay;
pub mod rules;
pub mod scenario;
pub mod schema;
pub mod serve;
pub mod sim;
pub mod skirmish;
pub mod squad;
pub mod status;
pub mod tournament;
pub mod vassal;

/// Sits beside a game table and flies the side nobody plays, by published solo rules, and says why.
#[derive(Debug, Parser)]
#[command(name = "tallyho", version, propagate_version = true, arg_required_else_help = true)]
pub struct Cli {
    /// Options that every subcommand accepts.
    #[command(flatten)]
    pub global: GlobalOptions,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// Options that every subcommand accepts.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Options of every command")]
pub struct GlobalOptions {
    /// Which edition is played: first or second; that of --catalog if there is one, else the second
    #[arg(long, global = true, value_name = "EDITION", env = "TALLYHO_EDITION", value_parser = edition)]
    pub edition: Option<Edition>,
    /// Read options of the first edition from this file (docs/rules.md)
    #[arg(
        long = "edition-options",
        global = true,
        value_name = "FILE",
        env = "TALLYHO_EDITION_OPTIONS"
    )]
    pub edition_options: Option<PathBuf>,
    /// Attack dice of a card whose value the data leaves open, as in twinlaserturret=3; `none` leaves its attack out (repeatable)
    #[arg(long = "value", global = true, value_name = "CARD=N", value_parser = attack_value)]
    pub values: Vec<(String, Option<u32>)>,
    /// Read ship facts from this table or data checkout in place of the built-in ones
    #[arg(long, global = true, value_name = "PATH", env = "TALLYHO_CATALOG")]
    pub catalog: Option<PathBuf>,
    /// Read obstacle outlines from this file; those of the same id replace the built-in ones
    #[arg(long, global = true, value_name = "FILE", env = "TALLYHO_OBSTACLES")]
    pub obstacles: Option<PathBuf>,
    /// Read what cards do from this file too; cards of the same id replace the built-in ones
    #[arg(long = "card-file", global = true, value_name = "FILE", env = "TALLYHO_CARDS")]
    pub card_file: Option<PathBuf>,
    /// Log more to stderr (repeat for still more)
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
    /// What a game that is gone on with, or looked at, was begun with.
    #[arg(skip)]
    pub begun: Begun,
}

/// What of its edition a game was begun with; it goes on with the same.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Begun {
    /// The edition; `None` where that is not known.
    pub edition: Option<Edition>,
    /// Options of the first edition, where they were not the usual ones.
    pub options: Option<FirstEditionOptions>,
    /// Attack values that the data leaves open (FE-SOLO-9).
    pub values: AttackValues,
}

impl GlobalOptions {
    /// The level of the log on stderr: warnings, and one step more for each `-v`.
    pub fn log_level(&self) -> tracing::level_filters::LevelFilter {
        use tracing::level_filters::LevelFilter;
        match self.verbose {
            0 => LevelFilter::WARN,
            1 => LevelFilter::INFO,
            2 => LevelFilter::DEBUG,
            _ => LevelFilter::TRACE,
        }
    }

    /// The same, with the edition that a squad file is of where neither `--edition` nor `--catalog` says one.
    fn of_file(&self, squad: &Path) -> GlobalOptions {
        let said = self.edition.is_some() || self.catalog.is_some();
        let of_file = || xws::edition_of(&crate::text_file::read(squad).ok()?);
        GlobalOptions {
            edition: if said { self.edition } else { of_file() },
            ..self.clone()
        }
    }

    /// The rules that are played: those of the catalog's edition, with `--edition-options` in the first one.
    ///
    /// # Errors
    /// When the options cannot be read, or there are some for the second edition, which has none.
    pub fn rules(&self, catalog: &Catalog) -> anyhow::Result<Rules> {
        let options = self.first_edition_options(catalog)?;
        Ok(options.map_or(catalog.rules(), |options| options.rules()))
    }

    /// What `--edition-options` names.
    ///
    /// # Errors
    /// As [`GlobalOptions::rules`].
    pub fn first_edition_options(&self, catalog: &Catalog) -> anyhow::Result<Option<FirstEditionOptions>> {
        let Some(path) = &self.edition_options else {
            return Ok(self.begun.options);
        };
        anyhow::ensure!(
            catalog.edition() == Edition::First,
            "--edition-options are of the first edition; add `--edition first`, or leave them out"
        );
        read_options("--edition-options", path).map(Some)
    }

    /// The attack values that `--value` gives, or those of the game that goes on (FE-SOLO-9).
    pub fn attack_values(&self) -> AttackValues {
        match self.values.is_empty() {
            true => self.begun.values.clone(),
            false => self.values.iter().cloned().collect(),
        }
    }

    /// The same, with what the game of a record or a journal was begun with. What is no game, or not there, changes nothing.
    ///
    /// # Errors
    /// What is said otherwise: `--edition`, `--edition-options`, `--value`.
    fn of_game(&self, file: &Path) -> anyhow::Result<GlobalOptions> {
        let begun = match crate::record::ships::beginning_of(file) {
            Some(beginning) => Some(Begun {
                edition: Some(beginning.edition),
                options: beginning.edition_options,
                values: beginning.attack_values,
            }),
            None => match crate::bridge::served::replay::first_line(file) {
                Some(Entry::Started {
                    edition,
                    edition_options,
                    attack_values,
                    ..
                }) => Some(Begun {
                    edition,
                    options: edition_options,
                    values: attack_values,
                }),
                _ => None,
            },
        };
        let Some(begun) = begun else {
            return Ok(self.clone());
        };
        let shown = file.display();
        if let (Some(said), Some(edition)) = (self.edition, begun.edition)
            && said != edition
        {
            anyhow::bail!(
                "{shown} is a game of the {} edition; leave --edition {} out",
                edition.name(),
                said.name()
            );
        }
        if let Some(path) = &self.edition_options {
            let said: FirstEditionOptions = read_options("--edition-options", path)?;
            anyhow::ensure!(
                said == begun.options.unwrap_or_default(),
                "{shown} was begun with other options of the first edition; leave --edition-options {} out",
                path.display()
            );
        }
        anyhow::ensure!(
            self.values.is_empty() || self.attack_values() == begun.values,
            "{shown} was begun with other attack values; leave --value out"
        );
        Ok(GlobalOptions {
            edition: self.edition.or(begun.edition.filter(|_| self.catalog.is_none())),
            begun,
            ..self.clone()
        })
    }

    /// Sends the log to stderr; for the subcommands that keep no log of their own. A second call changes nothing.
    pub fn log_to_stderr(&self) {
        let _ = tracing_subscriber::fmt()
            .with_max_level(self.log_level())
            .with_ansi(crate::server::log::colours())
            .with_writer(std::io::stderr)
            .without_time()
            .try_init();
    }
}

/// The options record of the opponent that `--options` names, or its defaults.
fn load_options(file: Option<&Path>) -> anyhow::Result<Options> {
    file.map_or_else(|| Ok(Options::default()), |path| read_options("--options", path))
}

/// A record of options in the file that an argument names.
fn read_options<T: serde::de::DeserializeOwned>(argument: &str, path: &Path) -> anyhow::Result<T> {
    let read = || {
        let text = crate::text_file::read(path)?;
        // A list would be taken for the fields in their order.
        if text.trim_start().starts_with('[') {
            anyhow::bail!("it holds a list: write an object, as in {{\"option\": value}} (docs/rules.md)");
        }
        serde_json::from_str(&text).map_err(|error| anyhow::anyhow!(crate::json::plain(&error.to_string())))
    };
    read().with_context(|| format!("{argument} {} cannot be used", path.display()))
}

/// An edition as people write it.
fn edition(text: &str) -> Result<Edition, String> {
    match text.to_ascii_lowercase().as_str() {
        "first" | "1" | "1e" => Ok(Edition::First),
        "second" | "2" | "2e" => Ok(Edition::Second),
        _ => Err("write `first` or `second`".to_owned()),
    }
}

/// An attack value as people write it: `twinlaserturret=3`, or `twinlaserturret=none`.
fn attack_value(text: &str) -> Result<(String, Option<u32>), String> {
    let wrong = || "write a card and its attack dice, as in twinlaserturret=3 or twinlaserturret=none".to_owned();
    let (card, value) = text.split_once('=').ok_or_else(wrong)?;
    let value = match value.trim() {
        "none" => None,
        number => Some(number.parse().map_err(|_| wrong())?),
    };
    Ok((normalized(card), value))
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Look up ship, pilot and upgrade facts, or import them from a data checkout
    Catalog(catalog::Args),
    /// Say what cards do, and how much of them is played
    Cards(cards::Args),
    /// Say what the solo ships of a table do, and why
    Decide(decide::Args),
    /// Compute attacks exactly: expected damage when both sides spend as well as can be
    Dice(dice::Args),
    /// Write or check the files that describe the wire protocol to programs
    Schema(schema::Args),
    /// Serve a table: listen for Tabletop Simulator, viewers and other clients
    Serve(serve::Args),
    /// Ask the running server how the game stands
    Status(status::Args),
    /// Play a short game on the built-in virtual table and show what is decided
    Demo(demo::Args),
    /// Put the controller into a table program
    Install(install::Args),
    /// Set up a scenario: a ready table, and the ships that arrive later
    Scenario(scenario::Args),
    /// Check a squad of a squad builder against the rules of squad building
    Squad(squad::Args),
    /// Play a whole game in this terminal, against the opponent
    Play(play::Args),
    /// Look at a recorded game, moment by moment, or write it as one HTML file
    Replay(replay::Args),
    /// Play many games at once, Solo Alpha against a scripted player, and count
    Sim(sim::Args),
    /// Find the enemy points at which the player wins half of the games
    Balance(balance::Args),
    /// Say what is played as checksums over a fixed set of games, and how fast
    Bench(bench::Args),
    /// Run a tournament of Political Escort: pairings with reasons, results, standings
    Tournament(tournament::Args),
    /// Read Vassal's saves and modules, and sit in at a game on its server
    Vassal(vassal::Args),
    /// List the rules by id: what they are, where they are carried out, where they are tested
    Rules(rules::Args),
}

/// Parses the arguments, runs the subcommand, and turns its outcome into an exit code.
pub fn main() -> ExitCode {
    let code = run(std::env::args_os());
    if code != ExitCode::SUCCESS {
        console::let_it_be_read();
    }
    code
}

/// As [`main`], with the arguments given; the first one is the program's name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let cli = match help::parse(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version go to stdout and succeed; the rest goes to stderr.
            help::print(&error);
            return if error.use_stderr() {
                ExitCode::from(2)
            } else {
                ExitCode::SUCCESS
            };
        }
    };
    let outcome = match cli.command {
        Command::Catalog(arguments) => catalog::run(arguments, &cli.global),
        Command::Cards(arguments) => cards::run(arguments, &cli.global),
        Command::Decide(arguments) => decide::run(arguments, &cli.global),
        Command::Dice(arguments) => dice::run(arguments, &cli.global),
        Command::Schema(arguments) => schema::run(arguments, &cli.global),
        Command::Serve(arguments) => serve::run(arguments, &cli.global),
        Command::Status(arguments) => status::run(arguments, &cli.global),
        Command::Demo(arguments) => demo::run(arguments, &cli.global),
        Command::Install(arguments) => install::run(arguments, &cli.global),
        Command::Play(arguments) => play::run(arguments, &cli.global),
        Command::Replay(arguments) => replay::run(arguments, &cli.global),
        Command::Sim(arguments) => sim::run(arguments, &cli.global),
        Command::Balance(arguments) => balance::run(arguments, &cli.global),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Rules(arguments) => rules::run(arguments, &cli.global),
        Command::Tournament(arguments) => tournament::run(arguments, &cli.global),
        Command::Vassal(arguments) => vassal::run(arguments, &cli.global),
        Command::Scenario(arguments) => scenario::run(arguments, &cli.global),
        Command::Squad(arguments) => squad::run(arguments, &cli.global),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        // A reader that has seen enough (`tallyho catalog list | head`) is no failure.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            crate::cli::console::tell!("tallyho: {}", told(&error));
            error
                .downcast_ref::<Failure>()
                .map_or(ExitCode::FAILURE, |failure| ExitCode::from(failure.code))
        }
    }
}

/// An error with its causes. Errors that already say their cause do not say it twice.
fn told(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain() {
        let cause = cause.to_string();
        if text.contains(&cause) {
            continue;
        }
        if !text.is_empty() {
            text.push_str(": ");
        }
        text.push_str(&cause);
    }
    text
}

/// An error with an exit code of its own.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    code: u8,
    message: String,
}

impl Failure {
    /// Ends the program with this exit code.
    pub fn with(code: u8, message: String) -> anyhow::Error {
        Failure { code, message }.into()
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let is_broken = |io: &std::io::Error| io.kind() == std::io::ErrorKind::BrokenPipe || is_lost_named_pipe(io);
    error.chain().any(|cause| {
        let of_csv = cause.downcast_ref::<csv::Error>().map(csv::Error::kind);
        let of_csv = matches!(of_csv, Some(csv::ErrorKind::Io(io)) if is_broken(io));
        let of_json = cause.downcast_ref::<serde_json::Error>();
        let of_json = of_json.is_some_and(|json| json.io_error_kind() == Some(std::io::ErrorKind::BrokenPipe));
        of_csv || of_json || cause.downcast_ref::<std::io::Error>().is_some_and(is_broken)
    })
}

/// Windows has an error of its own for a named pipe whose reader is gone (ERROR_PIPE_NOT_CONNECTED); the shells that come
/// with Git and MSYS2 join programs with those.
fn is_lost_named_pipe(error: &std::io::Error) -> bool {
    cfg!(windows) && error.raw_os_error() == Some(233)
}
