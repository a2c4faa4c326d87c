//! The files that a command line names. None that is written may be one that is read, or that is written too: what was in
//! it would be lost.

use std::path::{Path, PathBuf};

use super::{Failure, GlobalOptions};
use crate::same_file::same_file;

/// The files of a command line, each with the option that names it.
#[derive(Debug, Default)]
pub(super) struct Files {
    read: Vec<(String, PathBuf)>,
    written: Vec<(String, PathBuf)>,
}

impl Files {
    /// Those that every subcommand reads.
    pub(super) fn of(global: &GlobalOptions) -> Files {
        Files::default()
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
}

/// `-` is a pipe.
fn is_file(path: &&Path) -> bool {
    *path != Path::new("-")
}
