//! The journal of a served skirmish, played again: every line goes through a host as it did at the table.

use std::path::Path;

use super::{SkirmishHost, SkirmishHostConfig};
use crate::{
    bridge::host::{
        Entry, Outgoing,
        replay::{ReplayError, words},
    },
    game::journal::{self, Damage},
    swm::board::Board,
};

/// What happened at one line of a journal.
#[derive(Debug, Clone)]
pub struct ReplayedLine {
    /// The line, from 1.
    pub line: usize,
    /// What came in, in a few words.
    pub what: String,
    /// The board before it, as far as one was seen.
    pub board: Option<Board>,
    /// What the game wanted sent.
    pub outgoing: Vec<Outgoing>,
}

/// A served skirmish, played again.
#[derive(Debug, Clone)]
pub struct ReplayedSkirmish {
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
    /// The board at the end.
    pub board: Option<Board>,
}

/// Plays a journal again. The file is left as it is.
///
/// # Errors
/// A file that cannot be read or is no journal of a served skirmish.
pub fn replay(path: &Path) -> Result<ReplayedSkirmish, ReplayError> {
    let contents = journal::read::<Entry>(path)?;
    let mut entries = (1..).zip(contents.entries);
    let Some((
        _,
        Entry::SkirmishStarted {
            version,
            game,
            seed,
            typed_dice,
        },
    )) = entries.next()
    else {
        return Err(ReplayError::NoJournal(path.to_owned()));
    };
    let mut host = SkirmishHost::new(SkirmishHostConfig {
        seed,
        game: Some(game.clone()),
        typed_dice,
        ..SkirmishHostConfig::default()
    });
    let mut replayed = ReplayedSkirmish {
        game,
        seed,
        version,
        lines: Vec::new(),
        astray: Vec::new(),
        damage: contents.damage,
        board: None,
    };
    for (line, entry) in entries {
        if let Entry::Sent { action_id, step } = &entry {
            if host.on_its_way() != Some((action_id.clone(), step.clone())) {
                replayed.astray.push(line);
            }
            continue;
        }
        let board = host.game.board().cloned();
        let (_, outgoing) = host.handle(&entry);
        replayed.lines.push(ReplayedLine {
            line,
            what: words(&entry),
            board,
            outgoing,
        });
    }
    replayed.board = host.game.board().cloned();
    Ok(replayed)
}

/// Whether a file's first line begins the journal of a served skirmish. `false` for what cannot be read.
pub fn is_journal(path: &Path) -> bool {
    let contents = journal::read::<serde_json::Value>(path);
    contents.is_ok_and(|contents| {
        contents
            .entries
            .first()
            .is_some_and(|entry| entry["entry"] == "skirmishStarted")
    })
}
