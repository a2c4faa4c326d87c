//! A write-ahead journal: one JSON object a line, handed to the system before its effect leaves the program.

use std::{
    fmt,
    fs::{File, OpenOptions},
    io::{self, Read as _, Seek as _, SeekFrom},
    path::{Path, PathBuf},
};

use serde::{Serialize, de::DeserializeOwned};

/// Where the lines of a journal are kept.
pub trait Store: io::Write + io::Seek + fmt::Debug + Send {
    /// Cuts off everything after so many bytes.
    ///
    /// # Errors
    /// Whatever the system says.
    fn cut(&mut self, length: u64) -> io::Result<()>;
}

impl Store for File {
    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.set_len(length)
    }
}

/// An open journal. What was appended survives the end of the program; a torn last line (the machine lost its power) is
/// cut off when the journal is opened again.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    store: Box<dyn Store>,
}

/// Why a journal cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file cannot be opened, read or shortened.
    #[error("journal {path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A whole line is not an entry.
    #[error("journal {path}, line {line}: {source}; move the file away to start a new game")]
    Line {
        /// The file.
        path: PathBuf,
        /// 1-based.
        line: usize,
        /// What the reader said.
        source: serde_json::Error,
    },
}

impl Journal {
    /// Opens the journal, makes it where there is none, and reads what it holds.
    ///
    /// # Errors
    /// The file cannot be used, or a complete line of it is not an entry.
    pub fn open<Entry: DeserializeOwned>(path: &Path) -> Result<(Journal, Vec<Entry>), JournalError> {
        let failed = |source| JournalError::Io {
            path: path.to_owned(),
            source,
        };
        if path.exists() && !path.is_file() {
            return Err(failed(io::Error::other("it is not a file")));
        }
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(failed)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        // Only what ends in a line feed was written whole.
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let mut entries = Vec::new();
        for (index, line) in bytes[..whole].split(|&byte| byte == b'\n').enumerate() {
            if !line.is_empty() {
                entries.push(serde_json::from_slice(line).map_err(|source| JournalError::Line {
                    path: path.to_owned(),
                    line: index + 1,
                    source,
                })?);
            }
        }
        if whole < bytes.len() {
            file.set_len(whole as u64).map_err(failed)?;
        }
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        Ok((Journal::on(path.to_owned(), Box::new(file)), entries))
    }

    /// Appends an entry. It is not forced onto the disk: that takes longer than everything else in an answer, and protects
    /// only from a loss of power, in which the table program loses more.
    ///
    /// # Errors
    /// The disk is full or gone; what was half written is cut off again, as far as the system lets us.
    pub fn append(&mut self, entry: &impl Serialize) -> io::Result<()> {
        let mut line = serde_json::to_vec(entry)?;
        line.push(b'\n');
        let before = self.store.stream_position()?;
        let written = self.store.write_all(&line).and_then(|()| self.store.flush());
        if written.is_err() {
            // Half a line in the middle of the file would make the whole journal unreadable later.
            let _ = self.store.cut(before);
            let _ = self.store.seek(SeekFrom::Start(before));
        }
        written
    }

    /// A journal that goes on at the present place of a store; `path` is what it is called.
    pub fn on(path: PathBuf, store: Box<dyn Store>) -> Journal {
        Journal { path, store }
    }

    /// Where it lies.
    pub fn path(&self) -> &Path {
        &self.path
    }
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
    }

    #[test]
    fn what_was_appended_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.jsonl");
        let (mut journal, before) = Journal::open::<u32>(&path).unwrap();
        assert!(before.is_empty());
        for number in [1, 2, 3] {
            journal.append(&number).unwrap();
        }
        let (_, entries) = Journal::open::<u32>(&path).unwrap();
        assert_eq!(entries, [1, 2, 3]);
    }

    #[test]
    fn a_torn_last_line_is_cut_off_and_writing_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.jsonl");
        std::fs::write(&path, "1\n2\n{\"half").unwrap();
        let (mut journal, entries) = Journal::open::<u32>(&path).unwrap();
        assert_eq!(entries, [1, 2]);
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

    #[test]
    fn a_broken_line_in_the_middle_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.jsonl");
        std::fs::write(&path, "1\nnonsense\n3\n").unwrap();
        let error = Journal::open::<u32>(&path).unwrap_err().to_string();
        assert!(error.contains("line 2"), "{error}");
        assert!(error.contains("start a new game"), "{error}");
    }
}
