//! The file of a tournament on the disk: nothing that was entered is lost.
//!
//! A change is written beside the file under another name, forced to the disk, then renamed over it. That other file is also
//! what keeps two commands from changing the tournament at once: it is made before the file is read and must not be there.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write as _},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, bail};

use crate::{
    text_file::{self, NotText},
    toml_text,
    tournament::{Tournament, file},
};

/// How long another command may take with the file.
const PATIENCE: Duration = Duration::from_secs(3);

/// A tournament's file that is being changed.
#[derive(Debug)]
pub(super) struct Kept {
    path: PathBuf,
    beside: Beside,
    /// What stands in it.
    pub text: String,
    /// What that means.
    pub tournament: Tournament,
}

/// Reads a tournament: the text and its meaning.
///
/// # Errors
/// It cannot be read, or has faults, named by their lines.
pub(super) fn read(path: &Path) -> anyhow::Result<(String, Tournament)> {
    let shown = path.display();
    let bytes = text_file::bytes(path).with_context(|| format!("cannot read {shown}"))?;
    let text = match text_file::decode(bytes.clone()) {
        Ok(text) => text,
        Err(NotText::Utf8 { at }) => {
            bail!(
                "{shown}: line {}: {}",
                toml_text::line_of(&bytes, at),
                NotText::Utf8 { at }
            )
        }
        Err(error) => bail!("{shown}: line 1: {error}"),
    };
    match file::read(&text) {
        Ok(tournament) => Ok((text, tournament)),
        Err(faults) => bail!("{shown} is left as it is:\n{faults}"),
    }
}

impl Kept {
    /// Opens a tournament for a change.
    ///
    /// # Errors
    /// As [`read`]; or another command is at it.
    pub(super) fn open(path: &Path) -> anyhow::Result<Kept> {
        // A link stays a link; what it points to is changed.
        let path = fs::canonicalize(path).with_context(|| format!("cannot read {}", path.display()))?;
        let beside = Beside::claim(&path)?;
        let (text, tournament) = read(&path)?;
        Ok(Kept {
            path,
            beside,
            text,
            tournament,
        })
    }

    /// Writes the file of a new tournament.
    ///
    /// # Errors
    /// It is there already, or cannot be written, or would have faults.
    pub(super) fn begin(path: &Path, text: &str) -> anyhow::Result<()> {
        file::read(text)?;
        let shown = path.display();
        let mut made =
            (OpenOptions::new().write(true).create_new(true).open(path)).with_context(|| match path.exists() {
                true => format!("{shown} is there already: give another name"),
                false => format!("cannot write {shown}"),
            })?;
        (made.write_all(text.as_bytes()).and_then(|()| made.sync_all()))
            .with_context(|| format!("cannot write {shown}"))
    }

    /// Puts a new text in place of the old one.
    ///
    /// # Errors
    /// It would have faults, or cannot be written; the old text stays.
    pub(super) fn write(mut self, text: &str) -> anyhow::Result<Tournament> {
        let tournament = file::read(text)?;
        let shown = self.path.display();
        // Somebody's editor may have saved in the meantime; what they entered wins.
        if read(&self.path)?.0 != self.text {
            bail!("{shown} was changed in the meantime: nothing is written, do it again");
        }
        self.beside
            .replace(&self.path, text)
            .with_context(|| format!("cannot write {shown}"))?;
        Ok(tournament)
    }
}

/// The file beside the tournament's, there for as long as a change takes.
#[derive(Debug)]
struct Beside {
    path: PathBuf,
    file: Option<File>,
}

impl Beside {
    fn claim(path: &Path) -> anyhow::Result<Beside> {
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(".new");
        let beside = path.with_file_name(name);
        let begun = Instant::now();
        loop {
            match OpenOptions::new().write(true).create_new(true).open(&beside) {
                Ok(file) => {
                    return Ok(Beside {
                        path: beside,
                        file: Some(file),
                    });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    if begun.elapsed() > PATIENCE {
                        bail!(
                            "{} is there: another command changes the tournament, or one was stopped half-way. If none runs, \
                             delete that file",
                            beside.display()
                        );
                    }
                    thread::sleep(Duration::from_millis(20));
                }
                Err(error) => return Err(error).with_context(|| format!("cannot write {}", beside.display())),
            }
        }
    }

    fn replace(&mut self, path: &Path, text: &str) -> io::Result<()> {
        let Some(mut file) = self.file.take() else {
            return Ok(());
        };
        let written = (|| {
            file.write_all(text.as_bytes())?;
            file.set_permissions(fs::metadata(path)?.permissions())?;
            file.sync_all()?;
            drop(file);
            fs::rename(&self.path, path)
        })();
        if written.is_err() {
            let _ = fs::remove_file(&self.path);
        }
        written
    }
}

impl Drop for Beside {
    /// Nothing was written: the place is free again.
    fn drop(&mut self) {
        if self.file.take().is_some() {
            let _ = fs::remove_file(&self.path);
        }
    }
}
