//! A served game's journal, played again: every line goes through a host as it did at the table.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{Entry, Host, HostConfig, Outgoing};
use crate::{
    game::{
        journal::{self, Damage, JournalError},
        step::Step,
    },
    protocol::{apply::WireStep, fault::Fault},
    xwing::{catalog::Catalog, table::Table},
};

/// What happened at one line of a journal.
#[derive(Debug, Clone, PartialEq)]
pub struct ReplayedLine {
    /// The line, from 1.
    pub line: usize,
    /// What came in, in a few words.
    pub what: String,
    /// The table as it was last seen before it.
    pub table: Option<Table>,
    /// The answer, if it was a request that is answered.
    pub answer: Option<Result<Value, Fault>>,
    /// What the game wanted sent.
    pub outgoing: Vec<Outgoing>,
    /// The step that then was on its way.
    pub step: Option<Step>,
}

/// A served game, played again.
#[derive(Debug, Clone, PartialEq)]
pub struct ReplayedGame {
    /// The game's name.
    pub game: String,
    /// The seed of its dice.
    pub seed: u64,
    /// The version that began the journal.
    pub version: String,
    /// Its lines after the first, but for steps that were sent: those follow from the others.
    pub lines: Vec<ReplayedLine>,
    /// Lines of steps that this version would not have sent so.
    pub astray: Vec<usize>,
    /// What the journal lost, if anything.
    pub damage: Option<Damage>,
    /// The table as it was last seen.
    pub table: Option<Table>,
}

/// Why a journal cannot be played again.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// Its file cannot be read, or is none.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The file holds something else.
    #[error("{0} is no journal of a served game: its first line does not begin one")]
    NoJournal(PathBuf),
}

impl Host {
    /// The step that is on its way, as the journal has it.
    pub(super) fn on_its_way(&self) -> Option<(String, WireStep)> {
        let sent = self.game.outstanding()?;
        Some((sent.action_id.clone(), self.wire_step(&sent.step)))
    }
}

/// Plays a journal again. The file is left as it is.
///
/// # Errors
/// A file that cannot be read or is no journal of a served game.
pub fn replay(path: &Path, catalog: &'static Catalog) -> Result<ReplayedGame, ReplayError> {
    let contents = journal::read::<Entry>(path)?;
    let mut entries = (1..).zip(contents.entries);
    let Some((
        _,
        Entry::Started {
            version,
            game,
            seed,
            options,
            dice,
            plays,
            scenario,
        },
    )) = entries.next()
    else {
        return Err(ReplayError::NoJournal(path.to_owned()));
    };
    let mut host = Host::new(HostConfig {
        seed,
        options,
        journal: None,
        game: Some(game.clone()),
        catalog,
        dice,
        plays,
        scenario: scenario.map(|served| *served),
        ..HostConfig::default()
    });
    let mut replayed = ReplayedGame {
        game,
        seed,
        version,
        lines: Vec::new(),
        astray: Vec::new(),
        damage: contents.damage,
        table: None,
    };
    for (line, entry) in entries {
        if let Entry::Sent { action_id, step } = &entry {
            if host.on_its_way() != Some((action_id.clone(), step.clone())) {
                replayed.astray.push(line);
            }
            continue;
        }
        let table = host.game.table().cloned();
        let (answer, outgoing) = host.handle(&entry);
        replayed.lines.push(ReplayedLine {
            line,
            what: words(&entry),
            table,
            answer,
            outgoing,
            step: host.game.outstanding().map(|sent| sent.step.clone()),
        });
    }
    replayed.table = host.game.table().cloned();
    Ok(replayed)
}

/// Whether a file's first line begins the journal of a served game. `false` for what cannot be read.
pub fn is_journal(path: &Path) -> bool {
    let contents = journal::read::<Value>(path);
    contents.is_ok_and(|contents| {
        contents
            .entries
            .first()
            .is_some_and(|entry| entry["entry"] == "started")
    })
}

pub(in crate::bridge) fn words(entry: &Entry) -> String {
    match entry {
        Entry::Started { .. } | Entry::SkirmishStarted { .. } => "the game begins".to_owned(),
        Entry::Attached { resumed: true, .. } => "the table is back".to_owned(),
        Entry::Attached { .. } => "a table connects".to_owned(),
        Entry::Detached => "the table goes away".to_owned(),
        Entry::Request { method, .. } => method.clone(),
        Entry::Answered { error: Some(error), .. } => format!("a step failed: {error}"),
        Entry::Answered { .. } => "a step is carried out".to_owned(),
        Entry::Prompted {
            choice: Some(choice), ..
        } => format!("the players choose: {choice}"),
        Entry::Prompted { .. } => "the players choose nothing".to_owned(),
        Entry::Rolled { .. } => "dice are rolled".to_owned(),
        Entry::Sent { .. } => "a step is sent".to_owned(),
    }
}
