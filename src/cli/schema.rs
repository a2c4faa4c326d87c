//! `tallyho schema`: the generated description of the wire protocol.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::GlobalOptions;
use crate::protocol::schema::{Generated, generate};

/// Print, write or check `schema.json` and `methods.json`, which describe the wire protocol to programs
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Write the two files into this folder [default: print `schema.json`, write nothing]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write nothing; fail if the files in the folder (`protocol`, if none is given) are not what would be written
    #[arg(long)]
    check: bool,
}

/// Prints, writes or checks the files.
///
/// # Errors
/// They cannot be read or written, or differ.
pub fn run(arguments: Args, _: &GlobalOptions) -> anyhow::Result<()> {
    let files = generate();
    if arguments.check {
        let folder = arguments.out.as_deref().unwrap_or(Path::new("protocol"));
        let differ: Vec<_> = files
            .iter()
            .filter(|file| !is_current(file, folder))
            .map(|file| file.name)
            .collect();
        if !differ.is_empty() {
            let (names, folder) = (differ.join(" and "), folder.display());
            bail!("{names} in {folder} must be written again: tallyho schema --out {folder}");
        }
        return Ok(());
    }
    let mut out = io::stdout().lock();
    let Some(folder) = arguments.out else {
        let schema = files.iter().find(|file| file.name == "schema.json");
        write!(out, "{}", schema.map_or("", |file| &file.text))?;
        return Ok(());
    };
    std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    for file in files {
        let path = folder.join(file.name);
        std::fs::write(&path, file.text).with_context(|| path.display().to_string())?;
        writeln!(out, "{}", path.display())?;
    }
    Ok(())
}

fn is_current(file: &Generated, folder: &Path) -> bool {
    // A checkout on Windows may have other line ends.
    std::fs::read_to_string(folder.join(file.name)).is_ok_and(|text| text.replace("\r\n", "\n") == file.text)
}
