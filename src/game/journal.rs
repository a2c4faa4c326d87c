//! A write-ahead journal: one JSON object a line, handed to the system before its effect leaves the program.
//!
//! Each line ends with a sum over itself and the sum of the line before, so that a byte that has changed, and a line that
//! is missing, are seen. What is damaged is never half used: everything before it is read, everything from it on is set
//! aside and named.

use std::{
    fmt,
    fs::{File, OpenOptions},
    io::{self, Read as _, Seek as _, SeekFrom},
    path::{Path, PathBuf},
};

use serde::{Serialize, de::DeserializeOwned};

mod line;

use line::Seal;

/// Where the lines of a journal are kept.
pub trait Store: io::Write + io::Seek + fmt::Debug + Send {
    /// Cuts off everything after so many bytes.
    ///
    /// # Errors
    /// Whatever the system says.
    fn cut(&mut self, length: u64) -> io::Result<()>;

    /// Forces what was written onto the disk.
    ///
    /// # Errors
    /// Whatever the system says.
    fn sync(&mut self) -> io::Result<()>;
}

impl Store for File {
    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.set_len(length)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }
}

/// An open journal. What was appended survives the end of the program; a torn last line (the machine lost its power) is
/// cut off when the journal is opened again.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    store: Box<dyn Store>,
    seal: Seal,
}

/// Why a journal cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file cannot be opened, read or shortened.
    #[error("cannot read {path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A line is whole and not an entry: another version wrote it, or it is the first one and the file no journal.
    #[error("{path}, line {line}: {source}; move the file away to start a new game")]
    Line {
        /// The file.
        path: PathBuf,
        /// 1-based.
        line: usize,
        /// What the reader said.
        source: serde_json::Error,
    },
}

/// What a journal lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// The first line that is lost, from 1.
    pub line: usize,
    /// How many lines are lost, the damaged one among them.
    pub lines: usize,
    /// How many bytes that are.
    pub bytes: usize,
    /// What is wrong with the first one.
    pub cause: String,
    /// Whether only the last line is lost, and that because its end was never written: its effect was never seen.
    pub torn: bool,
    /// Where the lost lines are kept, if they were set aside.
    pub kept: Option<PathBuf>,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.torn {
            return write!(
                f,
                "line {}, the last, was never written to its end; its {} bytes are cut off",
                self.line, self.bytes
            );
        }
        let plural = if self.lines == 1 { "" } else { "s" };
        write!(
            f,
            "line {} is damaged ({}); everything before it is there, {} line{plural} ({} bytes) from there on cannot be used",
            self.line, self.cause, self.lines, self.bytes
        )?;
        match &self.kept {
            Some(path) => write!(f, " and lie in {}", path.display()),
            None => Ok(()),
        }
    }
}

/// What a journal holds.
#[derive(Debug)]
pub struct Contents<Entry> {
    /// The entries, as far as they can be read.
    pub entries: Vec<Entry>,
    /// What is lost, if anything.
    pub damage: Option<Damage>,
    /// How many bytes the entries take.
    whole: usize,
    seal: Seal,
}

fn io_error(path: &Path) -> impl Fn(io::Error) -> JournalError {
    let path = path.to_owned();
    move |source| JournalError::Io {
        path: path.clone(),
        source,
    }
}

/// What some editors put before a text.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads the bytes of a journal; `path` is what it is called in errors.
///
/// # Errors
/// A whole line that is no entry.
pub fn parse<Entry: DeserializeOwned>(path: &Path, bytes: &[u8]) -> Result<Contents<Entry>, JournalError> {
    let mut contents = Contents {
        entries: Vec::new(),
        damage: None,
        whole: 0,
        seal: Seal::default(),
    };
    // An editor has saved it with a byte order mark: the lines behind it are as they were.
    let mark = if bytes.starts_with(MARK) { MARK.len() } else { 0 };
    // Only what ends in a line feed was written whole.
    for (index, line) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
        let lost = |cause: String, torn: bool| Damage {
            line: index + 1,
            lines: bytes[contents.whole..].split_inclusive(|&byte| byte == b'\n').count(),
            bytes: bytes.len() - contents.whole,
            cause,
            torn,
            kept: None,
        };
        let line_start = if index == 0 { mark } else { 0 };
        let Some(text) = line[line_start..].strip_suffix(b"\n") else {
            contents.damage = Some(lost("it has no end".to_owned(), true));
            break;
        };
        if !text.is_empty() {
            let verdict = contents.seal.check(text);
            let entry = serde_json::from_slice(text);
            match (verdict, entry) {
                (line::Verdict::Broken(cause), _) => {
                    contents.damage = Some(lost(cause.to_owned(), false));
                    break;
                }
                (_, Ok(entry)) => contents.entries.push(entry),
                // A first line that is no entry, and behind it none that was sealed: the file never was a journal. And a line
                // whose sum is right was written so.
                (verdict, Err(source))
                    if verdict == line::Verdict::Whole
                        || (contents.entries.is_empty()
                            && !bytes.split(|&byte| byte == b'\n').any(line::is_sealed)) =>
                {
                    return Err(JournalError::Line {
                        path: path.to_owned(),
                        line: index + 1,
                        source,
                    });
                }
                (_, Err(source)) => {
                    contents.damage = Some(lost(source.to_string(), false));
                    break;
                }
            }
        }
        contents.whole += line.len();
    }
    Ok(contents)
}

/// Reads a journal and leaves it as it is.
///
/// # Errors
/// The file cannot be read, or a whole line of it is no entry.
pub fn read<Entry: DeserializeOwned>(path: &Path) -> Result<Contents<Entry>, JournalError> {
    let bytes = crate::text_file::bytes(path).map_err(io_error(path))?;
    parse(path, &bytes)
}

impl Journal {
    /// Opens the journal, makes it where there is none, and reads what it holds. Damaged lines are taken out of it and set
    /// aside in a file beside it.
    ///
    /// # Errors
    /// The file cannot be used, or a whole line of it is no entry.
    pub fn open<Entry: DeserializeOwned>(path: &Path) -> Result<(Journal, Contents<Entry>), JournalError> {
        let failed = io_error(path);
        if path.exists() && !path.is_file() {
            return Err(failed(io::Error::other("it is not a file")));
        }
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(&failed)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(&failed)?;
        let mut contents = parse(path, &bytes)?;
        let whole = contents.whole;
        if let Some(damage) = &mut contents.damage {
            if !damage.torn {
                damage.kept = Some(set_aside(path, &bytes[whole..]).map_err(&failed)?);
            }
            file.set_len(whole as u64).map_err(&failed)?;
        }
        file.seek(SeekFrom::End(0)).map_err(&failed)?;
        let journal = Journal {
            path: path.to_owned(),
            store: Box::new(file),
            seal: contents.seal.clone(),
        };
        Ok((journal, contents))
    }

    /// Appends an entry. It is not forced onto the disk: that takes longer than everything else in an answer, and protects
    /// only from a loss of power, in which the table program loses more. Who has the time calls [`Journal::sync`].
    ///
    /// # Errors
    /// The disk is full or gone; what was half written is cut off again, as far as the system lets us.
    pub fn append(&mut self, entry: &impl Serialize) -> io::Result<()> {
        let mut seal = self.seal.clone();
        let mut line = seal.close(serde_json::to_vec(entry)?);
        line.push(b'\n');
        let before = self.store.stream_position()?;
        // Two programs on one journal would write over each other's lines.
        if self.store.seek(SeekFrom::End(0))? != before {
            self.store.seek(SeekFrom::Start(before))?;
            return Err(io::Error::other(format!(
                "another program has written to {} meanwhile: end one of the two, and open it again",
                self.path.display()
            )));
        }
        let written = self.store.write_all(&line).and_then(|()| self.store.flush());
        match written {
            Ok(()) => self.seal = seal,
            Err(_) => {
                // Half a line in the middle of the file would make the whole journal unreadable later.
                let _ = self.store.cut(before);
                let _ = self.store.seek(SeekFrom::Start(before));
            }
        }
        written
    }

    /// Forces what was appended onto the disk: it survives a loss of power, too.
    ///
    /// # Errors
    /// Whatever the system says.
    pub fn sync(&mut self) -> io::Result<()> {
        self.store.sync()
    }

    /// A journal that goes on at the present place of a store; `path` is what it is called.
    pub fn on(path: PathBuf, store: Box<dyn Store>) -> Journal {
        Journal {
            path,
            store,
            seal: Seal::default(),
        }
    }

    /// Where it lies.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Writes lines that cannot be used into a new file beside the journal.
fn set_aside(path: &Path, bytes: &[u8]) -> io::Result<PathBuf> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    for number in 1_u32.. {
        let aside = path.with_file_name(match number {
            1 => format!("{name}.damaged"),
            _ => format!("{name}.damaged-{number}"),
        });
        let made = OpenOptions::new().write(true).create_new(true).open(&aside);
        match made {
            Ok(mut file) => {
                io::Write::write_all(&mut file, bytes)?;
                file.sync_data()?;
                return Ok(aside);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("there is no free name for the damaged lines"))
}

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    /// A disk with room for so many lines; of the next one half is written before it is full. Copies are the same disk.
    #[derive(Debug, Clone, Default)]
    pub(crate) struct SmallDisk(Arc<Mutex<(io::Cursor<Vec<u8>>, usize)>>);

    impl SmallDisk {
        pub(crate) fn leave_room_for(&self, lines: usize) {
            self.0.lock().unwrap().1 = lines;
        }

        pub(crate) fn text(&self) -> String {
            String::from_utf8(self.0.lock().unwrap().0.get_ref().clone()).unwrap()
        }
    }

    impl io::Write for SmallDisk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let (lines, room) = &mut *self.0.lock().unwrap();
            if *room == 0 {
                return lines
                    .write(&bytes[..bytes.len() / 2])
                    .and(Err(io::ErrorKind::StorageFull.into()));
            }
            *room -= 1;
            lines.write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl io::Seek for SmallDisk {
        fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
            self.0.lock().unwrap().0.seek(to)
        }
    }

    impl Store for SmallDisk {
        fn cut(&mut self, length: u64) -> io::Result<()> {
            let length = usize::try_from(length).unwrap();
            self.0.lock().unwrap().0.get_mut().truncate(length);
            Ok(())
        }

        fn sync(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn what_was_appended_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.jsonl");
        let (mut journal, before) = Journal::open::<u32>(&path).unwrap();
        assert!(before.entries.is_empty());
        for number in [1, 2, 3] {
            journal.append(&number).unwrap();
        }
        let (_, contents) = Journal::open::<u32>(&path).unwrap();
        assert_eq!(contents.entries, [1, 2, 3]);
    }

    #[test]
    fn a_torn_last_line_is_cut_off_and_writing_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.jsonl");
        std::fs::write(&path, "1\n2\n{\"half").unwrap();
        let (mut journal, contents) = Journal::open::<u32>(&path).unwrap();
        assert_eq!(contents.entries, [1, 2]);
        assert!(contents.damage.is_some_and(|damage| damage.torn && damage.line == 3));
        journal.append(&3).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "1\n2\n3\n");
    }

    #[test]
    fn a_line_that_does_not_fit_is_an_error_and_leaves_no_half_line() {
        let disk = SmallDisk::default();
        disk.leave_room_for(2);
        let mut journal = Journal::on(PathBuf::from("game.jsonl"), Box::new(disk.clone()));
        assert!(journal.append(&"first").is_ok() && journal.append(&"second").is_ok());
        assert_eq!(journal.append(&"third").unwrap_err().kind(), io::ErrorKind::StorageFull);
        assert_eq!(disk.text(), "\"first\"\n\"second\"\n");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_device_is_no_place_for_a_journal() {
        assert!(Journal::open::<u32>(Path::new("/dev/full")).is_err());
    }

    #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
    struct Line {
        number: u32,
        text: String,
    }

    fn lines() -> Vec<Line> {
        let text = ["a", "{\"sum\":\"", "\u{e9}\n", "", "e"];
        (0..)
            .zip(text)
            .map(|(number, text)| Line {
                number,
                text: text.to_owned(),
            })
            .collect()
    }

    fn journal_of(lines: &[Line]) -> Vec<u8> {
        let disk = SmallDisk::default();
        disk.leave_room_for(100);
        let mut journal = Journal::on(PathBuf::from("game.jsonl"), Box::new(disk.clone()));
        for line in lines {
            journal.append(line).unwrap();
        }
        disk.text().into_bytes()
    }

    #[test]
    fn cut_at_any_byte_all_whole_lines_are_read() {
        let bytes = journal_of(&lines());
        for length in 0..=bytes.len() {
            let whole = bytes[..length].iter().filter(|&&byte| byte == b'\n').count();
            let contents = parse::<Line>(Path::new("game.jsonl"), &bytes[..length]).unwrap();
            assert_eq!(contents.entries, lines()[..whole]);
            let at_an_end = length == 0 || bytes[length - 1] == b'\n';
            assert_eq!(contents.damage.is_none(), at_an_end, "{length}");
        }
    }

    #[test]
    fn a_bit_that_is_flipped_anywhere_is_seen_and_everything_before_it_is_read() {
        let bytes = journal_of(&lines());
        for at in 0..bytes.len() {
            let line = bytes[..at].iter().filter(|&&byte| byte == b'\n').count();
            for bit in 0..8 {
                let mut damaged = bytes.clone();
                damaged[at] ^= 1 << bit;
                match parse::<Line>(Path::new("game.jsonl"), &damaged) {
                    Ok(contents) => {
                        let damage = contents.damage.unwrap();
                        let read = contents.entries.len();
                        // A first line that seems to have no sum is read, if it is whole but for that.
                        let first = line == 0 && read == 1;
                        assert!(read == line || first, "byte {at}, bit {bit}: {damage}");
                        assert_eq!(contents.entries, lines()[..read], "byte {at}, bit {bit}");
                        assert_eq!(damage.line, read + 1, "byte {at}, bit {bit}: {damage}");
                    }
                    // A first line that is none means that the file is no journal.
                    Err(error) => assert!(line == 0 && error.to_string().contains("line 1"), "{error}"),
                }
            }
        }
    }

    #[test]
    fn a_byte_order_mark_before_the_first_line_changes_nothing_behind_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.jsonl");
        let marked = [MARK, &journal_of(&lines())].concat();
        std::fs::write(&path, &marked).unwrap();
        let (mut journal, contents) = Journal::open::<Line>(&path).unwrap();
        assert_eq!((contents.entries, contents.damage), (lines(), None));
        journal.append(&lines()[0]).unwrap();
        drop(journal);
        let contents = read::<Line>(&path).unwrap();
        assert_eq!((contents.entries.len(), contents.damage), (lines().len() + 1, None));
        assert!(std::fs::read(&path).unwrap().starts_with(&marked));
    }

    #[test]
    fn a_line_that_is_missing_doubled_or_exchanged_is_seen() {
        let bytes = journal_of(&lines());
        let whole: Vec<&[u8]> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
        for (order, read) in [
            (&[0, 1, 3, 4][..], 2),
            (&[0, 1, 1, 2], 2),
            (&[0, 2, 1, 3], 1),
            (&[0, 4], 1),
        ] {
            let changed: Vec<u8> = order.iter().flat_map(|&line| whole[line]).copied().collect();
            let contents = parse::<Line>(Path::new("game.jsonl"), &changed).unwrap();
            assert_eq!(contents.entries, lines()[..read], "{order:?}");
            assert!(contents.damage.is_some());
        }
    }

    #[test]
    fn damaged_lines_are_set_aside_and_writing_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.jsonl");
        for round in 1..=2_u32 {
            let mut bytes = journal_of(&lines());
            let third = bytes
                .iter()
                .enumerate()
                .filter(|(_, byte)| **byte == b'\n')
                .nth(1)
                .unwrap()
                .0
                + 4;
            bytes[third] ^= 4;
            std::fs::write(&path, &bytes).unwrap();
            let (mut journal, contents) = Journal::open::<Line>(&path).unwrap();
            assert_eq!(contents.entries, lines()[..2]);
            let damage = contents.damage.unwrap();
            assert_eq!((damage.line, damage.lines), (3, 3));
            let kept = damage.kept.clone().unwrap();
            assert!(
                damage.to_string().contains("line 3") && damage.to_string().contains("game.jsonl.damaged"),
                "{damage}"
            );
            assert_eq!(std::fs::read(&kept).unwrap(), bytes[third - 3..], "{round}");
            journal.append(&lines()[2]).unwrap();
            journal.sync().unwrap();
            let contents = read::<Line>(&path).unwrap();
            assert_eq!(contents.entries, lines()[..3]);
            assert!(contents.damage.is_none());
        }
        assert!(folder.path().join("game.jsonl.damaged-2").exists());
    }

    #[test]
    fn two_writers_do_not_write_over_each_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.jsonl");
        let (mut first, _) = Journal::open::<Line>(&path).unwrap();
        let (mut second, _) = Journal::open::<Line>(&path).unwrap();
        second.append(&lines()[0]).unwrap();
        let refused = first.append(&lines()[1]).unwrap_err().to_string();
        assert!(
            refused.contains("another program") && refused.contains("game.jsonl"),
            "{refused}"
        );
        second.append(&lines()[1]).unwrap();
        let contents = read::<Line>(&path).unwrap();
        assert_eq!(contents.entries, lines()[..2]);
        assert!(contents.damage.is_none());
    }

    #[test]
    fn a_journal_without_sums_is_read_and_gets_them() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.jsonl");
        std::fs::write(&path, "{\"number\":0,\"text\":\"a\"}\n").unwrap();
        let (mut journal, contents) = Journal::open::<Line>(&path).unwrap();
        assert_eq!(contents.entries, lines()[..1]);
        journal.append(&lines()[1]).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.ends_with("\"}\n") && text.contains("\",\"sum\":\""), "{text}");
        assert_eq!(read::<Line>(&path).unwrap().entries, lines()[..2]);
        // From then on a line without a sum is no line of this journal.
        std::fs::write(&path, text + "{\"number\":2,\"text\":\"x\"}\n").unwrap();
        assert_eq!(read::<Line>(&path).unwrap().entries, lines()[..2]);
    }

    #[test]
    fn what_another_version_wrote_is_named_and_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.jsonl");
        std::fs::write(&path, journal_of(&lines())).unwrap();
        let error = Journal::open::<u32>(&path).unwrap_err().to_string();
        assert!(
            error.contains("line 1") && error.contains("start a new game"),
            "{error}"
        );
        assert_eq!(std::fs::read(&path).unwrap(), journal_of(&lines()));
    }
}
