//! A served game's journal, played again: every line goes through a host as it did at the table.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{Entry, Host, Outgoing, Served};
use crate::{
    game::journal::{self, Damage, JournalError},
    protocol::fault::Fault,
};

/// What happened at one line of a journal.
#[derive(Debug, Clone)]
pub struct ReplayedLine<G: Served> {
    /// The line, from 1.
    pub line: usize,
    /// What came in, in a few words.
    pub what: String,
    /// The table as it was last seen before it.
    pub seen: Option<G::Seen>,
    /// The answer, if it was a request that is answered.
    pub answer: Option<Result<Value, Fault>>,
    /// What the game wanted sent.
    pub outgoing: Vec<Outgoing>,
    /// The step that then was on its way.
    pub step: Option<G::Step>,
}

/// A served game, played again.
#[derive(Debug, Clone)]
pub struct Replayed<G: Served> {
    /// The game's name.
    pub game: String,
    /// The seed of its dice.
    pub seed: u64,
    /// The version that began the journal.
    pub version: String,
    /// Its lines after the first, but for steps that were sent: those follow from the others.
    pub lines: Vec<ReplayedLine<G>>,
    /// Lines of steps that this version would not have sent so.
    pub astray: Vec<usize>,
    /// What the journal lost, if anything.
    pub damage: Option<Damage>,
    /// The table as it was last seen.
    pub seen: Option<G::Seen>,
}

/// Why a journal cannot be played again.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// Its file cannot be read, or is none.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The line that begins the game is damaged: what follows from it is not known.
    #[error("journal {path}: {damage}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is lost: all of it.
        damage: Damage,
    },
    /// The file holds something else.
    #[error("{0} is no journal of a served game: its first line does not begin one")]
    NoJournal(PathBuf),
}

/// Plays a journal again. The file is left as it is.
///
/// # Errors
/// A file that cannot be read or is no journal of such a game.
pub fn replay<G: Served>(path: &Path, config: &G::Config) -> Result<Replayed<G>, ReplayError> {
    let contents = journal::read::<Entry>(path)?;
    let mut entries = (1..).zip(contents.entries);
    let no_journal = || ReplayError::NoJournal(path.to_owned());
    let first = match (entries.next(), contents.damage.clone()) {
        (Some((_, first)), _) if G::begins(&first) => first,
        (None, Some(damage)) => {
            let path = path.to_owned();
            return Err(ReplayError::Damaged { path, damage });
        }
        _ => return Err(no_journal()),
    };
    let (begun, _) = G::begin(config, Some(&first), &mut Vec::new());
    let (Entry::Started {
        version, game, seed, ..
    }
    | Entry::SkirmishStarted {
        version, game, seed, ..
    }) = first
    else {
        return Err(no_journal());
    };
    let mut host = Host::of(begun, Vec::new());
    let mut replayed = Replayed {
        game,
        seed,
        version,
        lines: Vec::new(),
        astray: Vec::new(),
        damage: contents.damage,
        seen: None,
    };
    for (line, entry) in entries {
        if let Entry::Sent { action_id, step } = &entry {
            if host.on_its_way() != Some((action_id.clone(), step.clone())) {
                replayed.astray.push(line);
            }
            continue;
        }
        let seen = host.game.seen();
        let (answer, outgoing) = host.handle(&entry);
        replayed.lines.push(ReplayedLine {
            line,
            what: entry.words(),
            seen,
            answer,
            outgoing,
            step: host.game.outstanding().map(|(_, step)| step.clone()),
        });
    }
    replayed.seen = host.game.seen();
    Ok(replayed)
}

/// The first line of a journal; `None` for what is none or cannot be read.
pub fn first_line(path: &Path) -> Option<Entry> {
    journal::read::<Entry>(path).ok()?.entries.into_iter().next()
}

/// Whether a file's first line begins the journal of such a game. `false` for what cannot be read.
pub fn is_journal<G: Served>(path: &Path) -> bool {
    let contents = journal::read::<Value>(path);
    contents.is_ok_and(|contents| {
        let first = contents.entries.first();
        first.is_some_and(|entry| entry["entry"] == G::FIRST)
    })
}
