//! `tallyho replay`: a game that was recorded, moment by moment in the terminal, or as one HTML file.

mod served;

use std::{
    borrow::Cow,
    io::{self, IsTerminal as _, Write as _},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, bail};

use super::{Failure, GlobalOptions, files::Files};
use crate::{
    bridge::{
        host::{HostConfig, ShipTable},
        served::{
            Served,
            replay::{Replayed, is_journal, replay},
        },
        skirmish::{GridTable, SkirmishHostConfig},
    },
    game::journal::Damage,
    play::{console::Console, viewer},
    record::{
        course::{self, Course, Staged, ships::ShipScene},
        file::{self, Read},
        html,
        ships::ShipGame,
        skirmish::SkirmishGame,
        words,
    },
    xwing::catalog::Catalog,
};

/// Exit code of `--check` when this version decides otherwise.
const ASTRAY: u8 = 3;
/// Exit code where the record is damaged, or nothing of it can be read.
pub(super) const DAMAGED: u8 = 3;

/// Arguments of `tallyho replay`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tallyho replay evening.jsonl
  tallyho replay evening.jsonl --html evening.html
  tallyho replay evening.jsonl --list

FILE is the record of `tallyho play` or of `tallyho sim --record`, or the journal that `tallyho serve` keeps. The game is
played again by this program, and compared: where it decides otherwise than the record, that is said.")]
pub struct Args {
    /// The record, or the journal of a served game
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Write the game as one HTML file that needs nothing else
    #[arg(long, value_name = "OUT")]
    html: Option<PathBuf>,
    /// Print all moments, a line each
    #[arg(long)]
    list: bool,
    /// Only play it again and compare: exit code 3 where this version decides or rolls otherwise, or the record is damaged
    #[arg(long, conflicts_with_all = ["html", "list"])]
    check: bool,
}

/// Replays.
///
/// # Errors
/// A file that cannot be read or written, or is no record; with `--check` a game that goes another way.
pub fn run(arguments: Args, global: &GlobalOptions) -> anyhow::Result<()> {
    global.log_to_stderr();
    Files::of(global)
        .reads("FILE", Some(&arguments.file))
        .writes("--html", arguments.html.as_deref())
        .check()?;
    let file = &arguments.file;
    if let Some(damage) = file::lost_from_the_first_line(file) {
        return Err(Failure::with(
            DAMAGED,
            format!("{} is damaged: {damage}", file.display()),
        ));
    }
    if is_journal::<GridTable>(file) {
        let game = replay::<GridTable>(file, &SkirmishHostConfig::default())?;
        return show(&arguments, Looked::of(game, served::skirmish));
    }
    if file::is_skirmish(file) {
        return show(&arguments, recorded::<SkirmishGame>(file::read(file)?, &())?);
    }
    show(&arguments, course(file, &global.of_game(file)?)?)
}

/// Compares, writes or shows a game that was played again, as is asked for.
fn show<S: viewer::Mapped + html::Drawn>(arguments: &Args, looked: Looked<S>) -> anyhow::Result<()> {
    let Looked { course, astray, damage } = looked;
    if arguments.check {
        let file = arguments.file.display();
        for warning in &course.warnings {
            crate::cli::console::tell!("note: {warning}");
        }
        if let Some(damage) = damage {
            return Err(Failure::with(DAMAGED, format!("{file} is damaged: {damage}")));
        }
        if astray {
            return Err(Failure::with(ASTRAY, format!("{file}: this version goes another way")));
        }
        let moments = words::count(course.moments.len() as u32, "moment");
        writeln!(io::stdout().lock(), "{moments}, as recorded")?;
        return Ok(());
    }
    if let Some(path) = &arguments.html {
        let page = html::write(&course)?;
        std::fs::write(path, page).with_context(|| format!("cannot write {}", path.display()))?;
    }
    if arguments.list {
        let mut output = io::stdout().lock();
        for line in viewer::list(&course) {
            writeln!(output, "{line}")?;
        }
    }
    if arguments.html.is_some() || arguments.list {
        for note in course.notes.iter().chain(&course.warnings) {
            crate::cli::console::tell!("note: {note}");
        }
        return Ok(());
    }
    let stdin = io::stdin();
    let echo = !stdin.is_terminal();
    let mut input = stdin.lock();
    let mut output = anstream::stdout().lock();
    viewer::view(&course, &mut Console::new(&mut input, &mut output, echo))?;
    output.flush()?;
    Ok(())
}

/// A game that was played again.
struct Looked<S> {
    course: Course<S>,
    /// Whether it goes another way than its file says.
    astray: bool,
    /// What its file lost.
    damage: Option<Damage>,
}

impl<S> Looked<S> {
    /// A served game.
    fn of<G: Served>(game: Replayed<G>, course: impl FnOnce(Replayed<G>) -> Course<S>) -> Looked<S> {
        Looked {
            astray: !game.astray.is_empty(),
            damage: game.damage.clone(),
            course: course(game),
        }
    }
}

/// A record, played again.
fn recorded<K: Staged>(read: Read<K>, facts: &K::Facts) -> anyhow::Result<Looked<K::Scene>> {
    let damage = read.damage.clone();
    let (course, astray) = course::of(read, facts)?;
    Ok(Looked {
        course,
        astray: !astray.is_empty(),
        damage,
    })
}

/// The game in a file, played again.
fn course(path: &Path, global: &GlobalOptions) -> anyhow::Result<Looked<ShipScene>> {
    let catalog = global.load_catalog()?;
    if is_journal::<ShipTable>(path) {
        let catalog: &'static Catalog = match catalog {
            Cow::Borrowed(catalog) => catalog,
            // Read once, and needed as long as the process lives.
            Cow::Owned(catalog) => Box::leak(Box::new(catalog)),
        };
        let config = HostConfig {
            catalog,
            ..HostConfig::default()
        };
        return Ok(Looked::of(replay::<ShipTable>(path, &config)?, served::course));
    }
    if path.is_file() && !file::is_record(path) {
        bail!(
            "{} is neither a record of `tallyho play` or `tallyho sim --record` nor the journal of a served game",
            path.display()
        );
    }
    let read = file::read::<ShipGame>(path)?;
    let other_facts = read.header.other_facts(&catalog);
    let looked = recorded(read, &catalog);
    let Some(other) = other_facts else {
        return looked;
    };
    // The likeliest cause of all else comes first.
    let mut looked = looked.with_context(|| other.clone())?;
    looked.course.warnings.insert(0, other);
    Ok(looked)
}
