//! `tallyho replay`: a game that was recorded, moment by moment in the terminal, or as one HTML file.

mod served;

use std::{
    borrow::Cow,
    io::{self, IsTerminal as _, Write as _},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, bail};

use super::{Failure, GlobalOptions};
use crate::{
    bridge::host::replay::{self, is_journal},
    play::{console::Console, viewer},
    record::{
        course::Course,
        file::{self, fingerprint},
        html,
    },
    xwing::catalog::Catalog,
};

/// Exit code of `--check` when this version decides otherwise.
const ASTRAY: u8 = 3;

/// Arguments of `tallyho replay`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
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
    /// Only play it again and compare: exit code 3 where this version decides or rolls otherwise
    #[arg(long, conflicts_with_all = ["html", "list"])]
    check: bool,
}

/// Replays.
///
/// # Errors
/// A file that cannot be read or written, or is no record; with `--check` a game that goes another way.
pub fn run(arguments: Args, global: &GlobalOptions) -> anyhow::Result<()> {
    global.log_to_stderr();
    let (course, astray) = course(&arguments.file, global)?;
    if arguments.check {
        for note in &course.notes {
            eprintln!("note: {note}");
        }
        if astray {
            return Err(Failure::with(
                ASTRAY,
                format!("{}: this version goes another way", arguments.file.display()),
            ));
        }
        println!("{} moments, each as it was recorded", course.moments.len());
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
        for note in &course.notes {
            eprintln!("note: {note}");
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

/// The course of the game in a file, and whether it goes another way than the file says.
fn course(path: &Path, global: &GlobalOptions) -> anyhow::Result<(Course, bool)> {
    let catalog = global.load_catalog()?;
    if is_journal(path) {
        let catalog: &'static Catalog = match catalog {
            Cow::Borrowed(catalog) => catalog,
            // Read once, and needed as long as the process lives.
            Cow::Owned(catalog) => Box::leak(Box::new(catalog)),
        };
        let game = replay::replay(path, catalog)?;
        let astray = !game.astray.is_empty();
        return Ok((served::course(game), astray));
    }
    if path.is_file() && !file::is_record(path) {
        bail!(
            "{} is neither a record of `tallyho play` or `tallyho sim --record` nor the journal of a served game",
            path.display()
        );
    }
    let read = file::read(path)?;
    let facts = fingerprint(&catalog);
    let other_facts = read.header.catalog != facts;
    let (mut course, astray) = Course::of(read.header, &read.answers, &catalog)?;
    if other_facts {
        let note = "The game was played with other ship facts than these (see --catalog).".to_owned();
        course.notes.push(note);
    }
    if let Some(damage) = read.damage {
        course.notes.push(format!("The record was damaged: {damage}."));
    }
    Ok((course, !astray.is_empty()))
}
