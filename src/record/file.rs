//! The lines of a record, and its file.

use std::{
    marker::PhantomData,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use sha2::{Digest as _, Sha256};

use super::{Beginning, Hand, dice::Roll};
use crate::{
    commander::Explanation,
    game::journal::{self, Damage, Journal, JournalError},
    xwing::{ObjectId, battle::Answer, catalog::Catalog, effects::CardBook, obstacle_outlines::ObstacleOutlines},
};

/// The form of records that this program writes.
pub const FORMAT: u32 = 1;

/// The first line of a record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Header {
    /// The form of the record: [`FORMAT`].
    pub format: u32,
    /// The version of the program that began it.
    pub version: String,
    /// The sum of the facts of ships, pilots and upgrades that it was played with: see [`fingerprint`].
    pub catalog: String,
    /// The sum of the obstacle outlines, where they were a user's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub obstacles: Option<String>,
    /// The sum of what cards do, where some were a user's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cards: Option<String>,
    /// How the game began.
    pub beginning: Beginning,
    /// Whether somebody rolls the dice on their own table and types them in.
    #[serde(default)]
    pub typed_dice: bool,
}

impl Header {
    /// The header of a game that begins now.
    pub fn new(beginning: Beginning, catalog: &Catalog, typed_dice: bool) -> Header {
        Header {
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            catalog: fingerprint(catalog),
            obstacles: own_obstacles(catalog),
            cards: own_cards(catalog),
            beginning,
            typed_dice,
        }
    }
}

impl Header {
    /// What to say where the game was played with other facts than these: which, and by which option they are given.
    pub fn other_facts(&self, catalog: &Catalog) -> Option<String> {
        let mut other = Vec::new();
        if self.catalog != fingerprint(catalog) {
            other.push(("other ship facts", "--catalog"));
        }
        let own = [
            (
                &self.obstacles,
                own_obstacles(catalog),
                "obstacle outlines",
                "--obstacles",
            ),
            (&self.cards, own_cards(catalog), "cards", "--card-file"),
        ];
        let what: Vec<String> = (other
            .iter()
            .map(|(what, option)| format!("{what} (give {option} as then)")))
        .chain(
            own.into_iter()
                .filter(|(then, now, ..)| *then != now)
                .map(|(then, now, what, option)| match (then, &now) {
                    (Some(_), None) => format!("{what} of a user's own (give the same {option})"),
                    (None, _) => format!("the built-in {what} (leave {option} out)"),
                    (Some(_), Some(_)) => format!("other {what} (give the same {option})"),
                }),
        )
        .collect();
        (!what.is_empty()).then(|| format!("The game was played with {}.", what.join(" and ")))
    }
}

/// A short sum of all ships, pilots, upgrades and Quick Build cards of a catalog.
pub fn fingerprint(catalog: &Catalog) -> String {
    let facts = (
        catalog.ships(),
        catalog.pilots(),
        catalog.upgrades(),
        catalog.quick_builds(),
    );
    short_sum(format!("{facts:?}").as_bytes())
}

fn own_obstacles(catalog: &Catalog) -> Option<String> {
    let outlines = catalog.outlines();
    let own = !std::ptr::eq(outlines, ObstacleOutlines::embedded());
    own.then(|| short_sum(format!("{outlines:?}").as_bytes()))
}

fn own_cards(catalog: &Catalog) -> Option<String> {
    let book = catalog.cards();
    if std::ptr::eq(book, CardBook::embedded()) {
        return None;
    }
    let entries: Vec<_> = book.cards().collect();
    Some(short_sum(format!("{entries:?}").as_bytes()))
}

/// The first eight bytes of the SHA-256 sum, in hexadecimal digits.
pub(crate) fn short_sum(bytes: &[u8]) -> String {
    let sum = Sha256::digest(bytes);
    sum[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A choice that was made and accepted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Answered {
    /// Which choice of the game, from 1.
    pub number: usize,
    /// The round.
    pub round: u32,
    /// The ship that was asked.
    pub ship: ObjectId,
    /// Who chose.
    pub by: Hand,
    /// Whether there was nothing else to choose.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub forced: bool,
    /// What was chosen.
    pub answer: Answer,
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

/// The first line of a record of some kind of game.
pub trait Head: Clone + Serialize + DeserializeOwned {
    /// The form of the record.
    fn form(&self) -> u32;
}

/// A choice in a record of some kind of game.
pub trait Numbered: Clone + Serialize + DeserializeOwned {
    /// Which choice of the game, from 1.
    fn number(&self) -> usize;
}

impl Head for Header {
    fn form(&self) -> u32 {
        self.format
    }
}

impl Numbered for Answered {
    fn number(&self) -> usize {
        self.number
    }
}

/// A line of a record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "entry", rename_all = "camelCase")]
enum Entry<H, A> {
    /// The first.
    Game(Box<H>),
    /// A choice.
    Choice(Box<A>),
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
pub struct Read<H = Header, A = Answered> {
    /// How the game began.
    pub header: H,
    /// The choices that count, in order: those that were taken back are left out.
    pub answers: Vec<A>,
    /// What the file lost, if anything.
    pub damage: Option<Damage>,
}

fn understand<H: Head, A: Numbered>(
    path: &Path,
    entries: Vec<Entry<H, A>>,
    mut damage: Option<Damage>,
) -> Result<Read<H, A>, RecordError> {
    let mut entries = entries.into_iter();
    let Some(Entry::Game(header)) = entries.next() else {
        return Err(RecordError::NoRecord(path.to_owned()));
    };
    if header.form() > FORMAT {
        return Err(RecordError::Newer {
            path: path.to_owned(),
            form: header.form(),
        });
    }
    let mut answers: Vec<A> = Vec::new();
    for (line, entry) in (2..).zip(entries) {
        match entry {
            Entry::Choice(answered) if answered.number() == answers.len() + 1 => answers.push(*answered),
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
    let value: serde_json::Value = serde_json::from_slice(&line).ok()?;
    (value.get("entry")? == "game").then_some(value)
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
/// A file that cannot be read or is no record.
pub fn read_as<H: Head, A: Numbered>(path: &Path) -> Result<Read<H, A>, RecordError> {
    let contents = journal::read::<Entry<H, A>>(path)?;
    understand(path, contents.entries, contents.damage)
}

/// As [`read_as`], from bytes that are called `path` in messages.
///
/// # Errors
/// Bytes that are no record.
pub fn parse_as<H: Head, A: Numbered>(path: &Path, bytes: &[u8]) -> Result<Read<H, A>, RecordError> {
    let contents = journal::parse::<Entry<H, A>>(path, bytes)?;
    understand(path, contents.entries, contents.damage)
}

/// As [`read_as`], the record of a game of ships.
///
/// # Errors
/// A file that cannot be read or is no such record.
pub fn read(path: &Path) -> Result<Read, RecordError> {
    read_as(path)
}

/// As [`parse_as`], the record of a game of ships.
///
/// # Errors
/// Bytes that are no such record.
pub fn parse(path: &Path, bytes: &[u8]) -> Result<Read, RecordError> {
    parse_as(path, bytes)
}

/// The record of a game of ships that is being written.
pub type RecordFile = Recording<Header, Answered>;

/// A record that is being written.
#[derive(Debug)]
pub struct Recording<H, A> {
    journal: Journal,
    kind: PhantomData<fn(H, A)>,
}

impl<H: Head, A: Numbered> Recording<H, A> {
    /// Begins a record in a new file.
    ///
    /// # Errors
    /// There is such a file already, or none can be made.
    pub fn create(path: &Path, header: &H) -> Result<Self, RecordError> {
        if std::fs::metadata(path).is_ok_and(|file| !file.is_file() || file.len() > 0) {
            return Err(RecordError::Exists(path.to_owned()));
        }
        let (journal, _) = Journal::open::<Entry<H, A>>(path)?;
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
    pub fn write_whole(path: &Path, header: &H, answers: &[A]) -> Result<(), RecordError> {
        let mut file = Self::create(path, header)?;
        let mut append = || {
            for answered in answers {
                file.journal
                    .append(&Entry::<H, A>::Choice(Box::new(answered.clone())))?;
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
    pub fn open(path: &Path) -> Result<(Self, Read<H, A>), RecordError> {
        // Looked at first: opening it to write sets damaged lines aside, which is nothing to do to a file of another kind.
        read_as::<H, A>(path)?;
        let (journal, contents) = Journal::open::<Entry<H, A>>(path)?;
        let read = understand(path, contents.entries, contents.damage)?;
        let kind = PhantomData;
        Ok((Recording { journal, kind }, read))
    }

    /// Writes a choice down. When this returns it is on the disk.
    ///
    /// # Errors
    /// The disk is full or gone.
    pub fn choice(&mut self, answered: &A) -> Result<(), RecordError> {
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

    fn write(&mut self, entry: &Entry<H, A>) -> Result<(), RecordError> {
        let written = self.journal.append(entry).and_then(|()| self.journal.sync());
        written.map_err(|source| RecordError::Io {
            path: self.journal.path().to_owned(),
            source,
        })
    }
}
