//! The zip archives in which Vassal keeps saves, logs, modules and extensions.
//!
//! What comes out of an archive is limited whatever the archive claims, so that a small file cannot fill the memory.

use std::{
    fs::File,
    io::{self, Cursor, Read, Seek, Write as _},
    path::Path,
};

use zip::{CompressionMethod, ZipArchive, ZipWriter, result::ZipError, write::SimpleFileOptions};

use super::Damage;

/// Most bytes of one entry, unpacked; the largest known build file has two megabytes, a save of a thousand pieces as many.
pub const MOST_BYTES: u64 = 128 << 20;
/// Most entries of an archive; the largest known module has some ten thousand pictures.
const MOST_ENTRIES: usize = 200_000;

/// An archive that is read from a file or from memory.
#[derive(Debug)]
pub struct Archive<R> {
    zip: ZipArchive<R>,
}

impl<R: Read + Seek> Archive<R> {
    /// Opens an archive.
    ///
    /// # Errors
    /// What is no zip archive, a damaged one, or one with too many entries.
    pub fn open(source: R) -> Result<Archive<R>, Damage> {
        let zip = ZipArchive::new(source).map_err(|error| Damage::at("the file", no_archive(&error)))?;
        if zip.len() > MOST_ENTRIES {
            return Err(Damage::at(
                "the file",
                format!("it has {} entries, more than {MOST_ENTRIES}", zip.len()),
            ));
        }
        Ok(Archive { zip })
    }

    /// The names of its entries, in its order; one whose name is no text is left out.
    pub fn names(&self) -> impl Iterator<Item = String> {
        self.zip.file_names().flatten().map(std::borrow::Cow::into_owned)
    }

    /// Whether it has an entry.
    pub fn has(&self, name: &str) -> bool {
        self.zip.index_for_name(name).is_some()
    }

    /// The bytes of an entry, or none if it is not there.
    ///
    /// # Errors
    /// An entry that is damaged, or larger than [`MOST_BYTES`] when unpacked.
    pub fn read(&mut self, name: &str) -> Result<Option<Vec<u8>>, Damage> {
        self.read_at_most(name, MOST_BYTES)
    }

    /// As [`Archive::read`], with a limit.
    ///
    /// # Errors
    /// An entry that is damaged, or larger than the limit when unpacked.
    pub fn read_at_most(&mut self, name: &str, most: u64) -> Result<Option<Vec<u8>>, Damage> {
        let entry = match self.zip.by_name(name) {
            Ok(entry) => entry,
            Err(ZipError::FileNotFound) => return Ok(None),
            Err(error) => return Err(Damage::at(name, no_archive(&error))),
        };
        let mut bytes = Vec::new();
        (entry.take(most + 1).read_to_end(&mut bytes)).map_err(|error| Damage::at(name, damaged(&error)))?;
        if bytes.len() as u64 > most {
            return Err(Damage::at(
                name,
                format!("it is larger than {} MiB when unpacked", most >> 20),
            ));
        }
        Ok(Some(bytes))
    }

    /// The first bytes of an entry, or none if it is not there; what follows is not unpacked.
    ///
    /// # Errors
    /// An entry that is damaged.
    pub fn begin(&mut self, name: &str, length: u64) -> Result<Option<Vec<u8>>, Damage> {
        let entry = match self.zip.by_name(name) {
            Ok(entry) => entry,
            Err(ZipError::FileNotFound) => return Ok(None),
            Err(error) => return Err(Damage::at(name, no_archive(&error))),
        };
        let mut bytes = Vec::new();
        (entry.take(length).read_to_end(&mut bytes)).map_err(|error| Damage::at(name, damaged(&error)))?;
        Ok(Some(bytes))
    }
}

fn no_archive(error: &ZipError) -> String {
    match error {
        ZipError::Io(error) => damaged(error),
        ZipError::UnsupportedArchive(_) | ZipError::CompressionMethodNotSupported(_) | ZipError::InvalidPassword => {
            "it is locked or packed in a way that is not read here: let Vassal write it anew".to_owned()
        }
        _ => {
            "it is no whole zip archive, as Vassal's saves, logs and modules are: it is another kind of file, damaged, or cut off".to_owned()
        }
    }
}

fn damaged(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => "it cannot be unpacked: it is cut off".to_owned(),
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::Other => {
            "it cannot be unpacked: it is damaged".to_owned()
        }
        // What the system says of a disk or a right.
        _ => format!("it cannot be read: {error}"),
    }
}

/// Opens a file for reading that has an end: no folder, no device, no pipe.
///
/// # Errors
/// A file that is not there, or none.
pub fn open_file(path: &Path) -> Result<File, Damage> {
    let shown = || path.display().to_string();
    let told = |error: io::Error| Damage::at(shown(), format!("it cannot be opened: {error}"));
    // Before it is opened: opening a pipe waits for whoever writes into it.
    let about = std::fs::metadata(path).map_err(told)?;
    if !about.is_file() {
        return Err(Damage::at(shown(), "it cannot be opened: it is no file"));
    }
    File::open(path).map_err(told)
}

/// Writes an archive. The same entries give the same bytes: no date of today goes in.
///
/// # Errors
/// When the bytes are too many for a zip archive, or an entry comes twice.
pub fn write<'a>(entries: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> io::Result<Vec<u8>> {
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        zip.start_file(name, options).map_err(io::Error::other)?;
        zip.write_all(bytes)?;
    }
    Ok(zip.finish().map_err(io::Error::other)?.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_back_and_the_bytes_are_the_same_each_time() {
        let entries: [(&str, &[u8]); 2] = [("savedGame", b"begin_save"), ("images/a b.png", &[0, 1, 255])];
        let bytes = write(entries).unwrap();
        assert_eq!(bytes, write(entries).unwrap());
        let mut archive = Archive::open(Cursor::new(&bytes)).unwrap();
        for (name, content) in entries {
            assert_eq!(archive.read(name).unwrap().as_deref(), Some(content));
        }
        assert_eq!(archive.read("nothing").unwrap(), None);
        assert_eq!(archive.begin("savedGame", 5).unwrap().as_deref(), Some(&b"begin"[..]));
    }

    #[test]
    fn faults_are_told_in_plain_words() {
        let told = |bytes: &[u8]| match Archive::open(Cursor::new(bytes)) {
            Ok(mut archive) => archive.read("savedGame").unwrap_err().to_string(),
            Err(damage) => damage.to_string(),
        };
        assert_eq!(
            told(b"begin_save"),
            "the file: it is no whole zip archive, as Vassal's saves, logs and modules are: it is another kind of file, damaged, or cut off"
        );
        let text: Vec<u8> = (0..4000_u32).map(|at| (at * at % 251) as u8).collect();
        let mut bytes = write([("savedGame", &*text)]).unwrap();
        for byte in &mut bytes[100..140] {
            *byte ^= 0xff;
        }
        assert_eq!(told(&bytes), "savedGame: it cannot be unpacked: it is damaged");
        let folder = tempfile::tempdir().unwrap();
        let damage = open_file(folder.path()).unwrap_err();
        assert_eq!(damage.problem, "it cannot be opened: it is no file");
    }

    #[test]
    fn an_entry_that_unpacks_to_too_much_is_refused() {
        let zeros = vec![0; 3 << 20];
        let bytes = write([("savedGame", &*zeros)]).unwrap();
        assert!(bytes.len() < 1 << 16);
        let mut archive = Archive::open(Cursor::new(&bytes)).unwrap();
        let damage = archive.read_at_most("savedGame", 2 << 20).unwrap_err();
        assert_eq!(damage.to_string(), "savedGame: it is larger than 2 MiB when unpacked");
    }

    #[test]
    fn what_is_cut_off_or_changed_is_refused_and_never_panics() {
        let bytes = write([("savedGame", &b"begin_save and more and more and more"[..])]).unwrap();
        for cut in 0..bytes.len() {
            assert!(Archive::open(Cursor::new(&bytes[..cut])).is_err(), "{cut}");
        }
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 0x55;
            if let Ok(mut archive) = Archive::open(Cursor::new(&changed)) {
                let _ = archive.read("savedGame");
            }
        }
    }
}
