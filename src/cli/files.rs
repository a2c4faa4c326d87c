//! The files that a command line names. None that is written may be one that is read, or that is written too: what was in
//! it would be lost.

use std::{
    fs::OpenOptions,
    io,
    path::{Path, PathBuf},
};

use anyhow::Context as _;

use super::{Failure, GlobalOptions};
use crate::same_file::same_file;

/// The files of a command line, each with the option that names it.
#[derive(Debug, Clone, Default)]
pub(super) struct Files {
    read: Vec<(String, PathBuf)>,
    written: Vec<(String, PathBuf)>,
    /// Those of the written that are folders.
    folders: Vec<PathBuf>,
}

impl Files {
    /// Those that every subcommand reads.
    pub(super) fn of(global: &GlobalOptions) -> Files {
        Files::default()
            .reads("--edition-options", global.edition_options.as_deref())
            .reads("--catalog", global.catalog.as_deref())
            .reads("--obstacles", global.obstacles.as_deref())
            .reads("--card-file", global.card_file.as_deref())
    }

    /// A file that is read, if one is given.
    pub(super) fn reads(mut self, option: &str, path: Option<&Path>) -> Files {
        self.read
            .extend(path.filter(is_file).map(|path| (option.to_owned(), path.to_owned())));
        self
    }

    /// A file that is written, if one is given.
    pub(super) fn writes(mut self, option: &str, path: Option<&Path>) -> Files {
        self.written
            .extend(path.filter(is_file).map(|path| (option.to_owned(), path.to_owned())));
        self
    }

    /// A folder that files are written into, if one is given.
    pub(super) fn writes_into(mut self, option: &str, folder: Option<&Path>) -> Files {
        self.folders.extend(folder.map(Path::to_owned));
        self.writes(option, folder)
    }

    /// Looks for a file that would be written over.
    ///
    /// # Errors
    /// Two outputs in one file, or an output in a file that is read; with exit code 2.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        for (place, (option, path)) in self.written.iter().enumerate() {
            let shown = path.display();
            if let Some((other, _)) = self.written[..place].iter().find(|(_, other)| same_file(other, path)) {
                return Err(Failure::with(
                    2,
                    format!("{other} and {option} both write {shown}: give each a file of its own"),
                ));
            }
            if let Some((other, _)) = self.read.iter().find(|(_, other)| same_file(other, path)) {
                return Err(Failure::with(
                    2,
                    format!("{option} would write over {shown}, which is read as {other}: give another file"),
                ));
            }
        }
        Ok(())
    }

    /// Makes the folders that are written into and sees whether every output can be written, before the long work that it is
    /// to hold. What is in a file stays in it, and no file is left that was not there.
    ///
    /// # Errors
    /// A folder that cannot be made, or a file that cannot be written, with its option.
    pub(super) fn prepare(&self) -> anyhow::Result<()> {
        let (folders, files): (Vec<_>, Vec<_>) =
            (self.written.iter()).partition(|(_, path)| self.folders.iter().any(|folder| folder == path));
        for (option, folder) in folders {
            std::fs::create_dir_all(folder)
                .with_context(|| format!("{option}: cannot make {}; give another folder", folder.display()))?;
        }
        for (option, file) in files {
            try_to_write(file)
                .with_context(|| format!("{option}: cannot write {}; give another file", file.display()))?;
        }
        Ok(())
    }
}

/// Opens a file as for writing, and leaves everything as it was.
fn try_to_write(path: &Path) -> io::Result<()> {
    match std::fs::metadata(path) {
        Ok(there) if there.is_file() || there.is_dir() => OpenOptions::new().write(true).open(path).map(drop),
        // Who reads from a pipe would take this for its end.
        Ok(_) => Ok(()),
        // A link to what is not there makes it when it is written to.
        Err(_) if path.is_symlink() => Ok(()),
        Err(_) => {
            OpenOptions::new().write(true).create_new(true).open(path)?;
            std::fs::remove_file(path)
        }
    }
}

/// `-` is a pipe.
fn is_file(path: &&Path) -> bool {
    *path != Path::new("-")
}
