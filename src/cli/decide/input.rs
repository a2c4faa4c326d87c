//! Where a position comes from, and which of its forms it has.

use std::{
    io::{self, IsTerminal as _},
    path::Path,
};

use anyhow::{Context as _, anyhow, bail};

use crate::{
    bridge::{
        names::Names,
        position::{self, Position},
        text, tts,
    },
    protocol::snapshot::TtsSnapshot,
    text_file,
    xwing::catalog::Catalog,
};

/// Longest input, bytes; a save of a large game has about a tenth of that.
const MAX_BYTES: u64 = 512 * 1024 * 1024;

/// Reads the position of a file, or of standard input for `-` or nothing, and what its objects are called.
pub(in crate::cli) fn read(file: Option<&Path>, catalog: &Catalog) -> anyhow::Result<(Position, Names)> {
    let (name, text) = read_text(file)?;
    let (position, raw) = understood(&text, catalog).with_context(|| name)?;
    let mut names = Names::default();
    match raw {
        Some(raw) => names.learn_tts(&raw, &position.table),
        None => names.learn_ships(&position.table),
    }
    Ok((position, names))
}

/// What to call the source in errors, and the text that a file holds, or standard input for `-` or nothing.
pub(super) fn read_text(file: Option<&Path>) -> anyhow::Result<(String, String)> {
    let (name, bytes) = match file.filter(|path| *path != Path::new("-")) {
        Some(path) => {
            let name = path.display().to_string();
            let opened = std::fs::File::open(path).with_context(|| format!("cannot open {name}"))?;
            let bytes = text_file::at_most(opened, MAX_BYTES).with_context(|| format!("cannot read {name}"))?;
            (name, bytes)
        }
        None => {
            refuse_silent_terminal(file)?;
            (
                "standard input".to_owned(),
                text_file::at_most(io::stdin().lock(), MAX_BYTES)?,
            )
        }
    };
    let text = text_file::decode(bytes).map_err(|error| anyhow!("{name} is no text: {error}"))?;
    Ok((name, text))
}

/// Without a file name, someone at a terminal would wait for an answer that waits for them.
pub(super) fn refuse_silent_terminal(file: Option<&Path>) -> anyhow::Result<()> {
    if file.is_none() && io::stdin().is_terminal() {
        bail!("give a file, or `-` to type the position in; `tallyho decide --help` shows one");
    }
    Ok(())
}

/// Reads a text in whichever form it has; of a save with its snapshot.
fn understood(text: &str, catalog: &Catalog) -> anyhow::Result<(Position, Option<TtsSnapshot>)> {
    let begin = text.trim_start_matches('\u{feff}').trim_start();
    if begin.is_empty() {
        bail!("nothing is in it; `tallyho decide --help` and docs/fixtures.md show what a position looks like");
    }
    if !begin.starts_with(['{', '[']) {
        let position = text::parse(text, catalog).map_err(|error| {
            let line = text.lines().nth(error.line - 1).unwrap_or_default();
            anyhow!("{error}\n{}", pointed(line, error.column))
        })?;
        return Ok((position, None));
    }
    // A save is told by its list of objects; a search is cheap beside reading a file of many megabytes twice.
    if begin.contains("\"ObjectStates\"") {
        return from_save(text, catalog).map(|(position, raw)| (position, Some(raw)));
    }
    let position = position::parse(text, catalog);
    if position.is_err() && begin.lines().skip(1).any(|line| line.starts_with('{')) {
        return Ok((position.context("if this is one position a line, add --jsonl")?, None));
    }
    Ok((position?, None))
}

/// The table of a Tabletop Simulator save, as a position that names no ship.
fn from_save(text: &str, catalog: &Catalog) -> anyhow::Result<(Position, TtsSnapshot)> {
    let (raw, table, warnings) = tts::save::read_both(text, catalog)?;
    let mut position = Position::of(table);
    position.warnings = warnings
        .into_iter()
        .map(|warning| position::Warning {
            place: warning.object,
            message: warning.message,
        })
        .collect();
    Ok((position, raw))
}

/// The line with a mark under the column, cut to what surrounds it.
fn pointed(line: &str, column: usize) -> String {
    let letters: Vec<char> = line
        .chars()
        .map(|letter| if letter.is_control() { ' ' } else { letter })
        .collect();
    let column = column.clamp(1, letters.len() + 1);
    let from = column.saturating_sub(60);
    let shown: String = letters.iter().skip(from).take(100).collect();
    format!("  | {shown}\n  | {}^", " ".repeat(column - 1 - from))
}
