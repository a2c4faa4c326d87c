//! The lines of a record, and its file.

use std::{
    marker::PhantomData,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::{
    Hand,
    dice::Roll,
    kind::{Head as _, Kind},
};
use crate::{
    decision::Explanation,
    game::journal::{self, Damage, Journal, JournalError},
};

/// The form of records that this program writes.
pub const FORMAT: u32 = 1;

/// The first eight bytes of the SHA-256 sum, in hexadecimal digits.
pub(crate) fn short_sum(bytes: &[u8]) -> String {
    let sum = Sha256::digest(bytes);
    sum[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A choice that was made and accepted, of whom it was asked and what it was: see [`Kind`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Answered<Who, Choice> {
    /// Which choice of the game, from 1.
    pub number: usize,
    /// The round.
    pub round: u32,
    /// Who was asked.
    #[serde(flatten)]
    pub who: Who,
    /// Who chose.
    pub by: Hand,
    /// Whether there was nothing else to choose.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub forced: bool,
    /// What was chosen.
    #[serde(flatten)]
    pub choice: Choice,
    /// Why.
    #[serde(default)]
    pub explanation: Explanation,
    /// Dice that the choice itself took: ties, and rolls of the opponent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chose_by: Vec<Roll>,
    /// Dice that were rolled for what came of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rolled: Vec<Roll>,
    /// What came of it, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<String>,
    /// A sum of what came of it, to the last bit.
    pub digest: String,
}

/// A choice in a game of some kind.
pub type AnsweredOf<K> = Answered<<K as Kind>::Who, <K as Kind>::Choice>;

/// A line of a record.
#[derive(Serialize, Deserialize)]
#[serde(tag = "entry", rename_all = "camelCase", bound = "")]
enum Entry<K: Kind> {
    /// The first.
    Game(Box<K::Header>),
    /// A choice.
    Choice(Box<AnsweredOf<K>>),
    /// All choices from this number on are taken back.
    Undone {
        /// The first that is taken back, from 1.
        from: usize,
    },
}

/// Why a record cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// Its file cannot be read, or is none.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The file cannot be made or written.
    #[error("record {path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// There is a file already.
    #[error("record {0} is there already: give it alone to go on with that game, or another name for a new one")]
    Exists(PathBuf),
    /// The line that begins the game is damaged: what follows from it is not known.
    #[error("record {path}: {damage}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is lost: all of it.
        damage: Damage,
    },
    /// The file holds something else.
    #[error("{0} is no record of a game: its first line does not begin one")]
    NoRecord(PathBuf),
    /// A newer program wrote it.
    #[error("record {path} has the form {form}, and this version reads form {FORMAT}: take a newer version")]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its form.
        form: u32,
    },
}

/// What stands in a record.
#[derive(Debug)]
pub struct Read<K: Kind> {
    /// How the game began.
    pub header: K::Header,
    /// The choices that count, in order: those that were taken back are left out.
    pub answers: Vec<AnsweredOf<K>>,
    /// What the file lost, if anything.
    pub damage: Option<Damage>,
}

fn understand<K: Kind>(
    path: &Path,
    entries: Vec<Entry<K>>,
    mut damage: Option<Damage>,
) -> Result<Read<K>, RecordError> {
    let mut entries = entries.into_iter();
    let header = match (
        entries.next(),
        damage.take_if(|damage| damage.line == 1 && !damage.torn),
    ) {
        (Some(Entry::Game(header)), _) => header,
        (None, Some(damage)) => {
            let path = path.to_owned();
            return Err(RecordError::Damaged { path, damage });
        }
        _ => return Err(RecordError::NoRecord(path.to_owned())),
    };
    if header.form() > FORMAT {
        return Err(RecordError::Newer {
            path: path.to_owned(),
            form: header.form(),
        });
    }
    let mut answers: Vec<AnsweredOf<K>> = Vec::new();
    for (line, entry) in (2..).zip(entries) {
        match entry {
            Entry::Choice(answered) if answered.number == answers.len() + 1 => answers.push(*answered),
            Entry::Undone { from } if (1..=answers.len()).contains(&from) => answers.truncate(from - 1),
            // Sums cannot be right by chance: somebody has put the file together by hand.
            Entry::Game(_) | Entry::Choice(_) | Entry::Undone { .. } => {
                damage.get_or_insert(Damage {
                    line,
                    lines: 1,
                    bytes: 0,
                    cause: "it does not follow from the line before".to_owned(),
                    torn: false,
                    kept: None,
                });
                break;
            }
        }
    }
    Ok(Read {
        header: *header,
        answers,
        damage,
    })
}

/// The first line of a file, if it begins a record of a game.
fn first_line(path: &Path) -> Option<serde_json::Value> {
    use std::io::{BufRead as _, Read as _};
    const LONGEST: u64 = 4 << 20;
    let mut line = Vec::new();
    let file = std::fs::File::open(path).ok()?.take(LONGEST);
    std::io::BufReader::new(file).read_until(b'\n', &mut line).ok()?;
    let text = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&line);
    let value: serde_json::Value = serde_json::from_slice(text).ok()?;
    (value.get("entry")? == "game").then_some(value)
}

/// What a record or a journal of a game lost where its first line is damaged, so that it cannot be told which game it is.
/// `None` for all other files.
pub fn lost_from_the_first_line(path: &Path) -> Option<Damage> {
    let contents = journal::read::<serde_json::Value>(path).ok()?;
    let damage = contents.damage.filter(|damage| !damage.torn)?;
    contents.entries.is_empty().then_some(damage)
}

/// Whether a file's first line begins a record of this kind. `false` for what cannot be read.
pub fn is_record(path: &Path) -> bool {
    first_line(path).is_some_and(|line| line.get("position").is_none())
}

/// Whether a file's first line begins the record of a skirmish. `false` for what cannot be read.
pub fn is_skirmish(path: &Path) -> bool {
    first_line(path).is_some_and(|line| line.get("position").is_some())
}

/// Reads a record and leaves it as it is.
///
/// # Errors
/// A file that cannot be read or is no record of this kind.
pub fn read<K: Kind>(path: &Path) -> Result<Read<K>, RecordError> {
    let contents = journal::read::<Entry<K>>(path)?;
    understand(path, contents.entries, contents.damage)
}

/// As [`read`], from bytes that are called `path` in messages.
///
/// # Errors
/// Bytes that are no record of this kind.
pub fn parse<K: Kind>(path: &Path, bytes: &[u8]) -> Result<Read<K>, RecordError> {
    let contents = journal::parse::<Entry<K>>(path, bytes)?;
    understand(path, contents.entries, contents.damage)
}

/// A record that is being written.
#[derive(Debug)]
pub struct Recording<K> {
    journal: Journal,
    kind: PhantomData<fn(K)>,
}

impl<K: Kind> Recording<K> {
    /// Begins a record in a new file.
    ///
    /// # Errors
    /// There is such a file already, or none can be made.
    pub fn create(path: &Path, header: &K::Header) -> Result<Self, RecordError> {
        if std::fs::metadata(path).is_ok_and(|file| !file.is_file() || file.len() > 0) {
            return Err(RecordError::Exists(path.to_owned()));
        }
        let (journal, _) = Journal::open::<Entry<K>>(path)?;
        let mut file = Recording {
            journal,
            kind: PhantomData,
        };
        file.write(&Entry::Game(Box::new(header.clone())))?;
        Ok(file)
    }

    /// Writes a whole game that is over, and forces it onto the disk once.
    ///
    /// # Errors
    /// There is such a file already, or the disk is full or gone.
    pub fn write_whole(path: &Path, header: &K::Header, answers: &[AnsweredOf<K>]) -> Result<(), RecordError> {
        let mut file = Self::create(path, header)?;
        let mut append = || {
            for answered in answers {
                file.journal.append(&Entry::<K>::Choice(Box::new(answered.clone())))?;
            }
            file.journal.sync()
        };
        append().map_err(|source| RecordError::Io {
            path: path.to_owned(),
            source,
        })
    }

    /// Goes on with a record.
    ///
    /// # Errors
    /// A file that cannot be used or is no record.
    pub fn open(path: &Path) -> Result<(Self, Read<K>), RecordError> {
        // Looked at first: opening it to write sets damaged lines aside, which is nothing to do to a file of another kind.
        read::<K>(path)?;
        let (journal, contents) = Journal::open::<Entry<K>>(path)?;
        let read = understand(path, contents.entries, contents.damage)?;
        let kind = PhantomData;
        Ok((Recording { journal, kind }, read))
    }

    /// Writes a choice down. When this returns it is on the disk.
    ///
    /// # Errors
    /// The disk is full or gone.
    pub fn choice(&mut self, answered: &AnsweredOf<K>) -> Result<(), RecordError> {
        self.write(&Entry::Choice(Box::new(answered.clone())))
    }

    /// Takes back all choices from this number on.
    ///
    /// # Errors
    /// The disk is full or gone.
    pub fn undone(&mut self, from: usize) -> Result<(), RecordError> {
        self.write(&Entry::Undone { from })
    }

    /// Where it lies.
    pub fn path(&self) -> &Path {
        self.journal.path()
    }

    fn write(&mut self, entry: &Entry<K>) -> Result<(), RecordError> {
        let written = self.journal.append(entry).and_then(|()| self.journal.sync());
        written.map_err(|source| RecordError::Io {
            path: self.journal.path().to_owned(),
            source,
        })
    }
}
