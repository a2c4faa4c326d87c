//! `tallyho schema`: the generated description of the wire protocol.

use std::io::{self, Write as _};
use std::path::PathBuf;

use anyhow::{Context, bail};

use super::GlobalOptions;
use crate::protocol::schema::{Generated, generate};

/// Write or check `schema.json` and `methods.json`, which describe the wire protocol to programs
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Folder of the two files
    #[arg(long, value_name = "DIR", default_value = "protocol")]
    out: PathBuf,
    /// Write nothing; fail if the files in the folder are not what would be written
    #[arg(long)]
    check: bool,
}

/// Writes or checks the files.
///
/// # Errors
/// They cannot be read or written, or differ.
pub fn run(arguments: Args, _: &GlobalOptions) -> anyhow::Result<()> {
    let files = generate();
    if arguments.check {
        let differ: Vec<_> = files
            .iter()
            .filter(|file| !is_current(file, &arguments))
            .map(|file| file.name)
            .collect();
        if !differ.is_empty() {
            bail!(
                "{} in {} must be written again: tallyho schema --out {}",
                differ.join(" and "),
                arguments.out.display(),
                arguments.out.display()
            );
        }
        return Ok(());
    }
    std::fs::create_dir_all(&arguments.out).with_context(|| arguments.out.display().to_string())?;
    for file in files {
        let path = arguments.out.join(file.name);
        std::fs::write(&path, file.text).with_context(|| path.display().to_string())?;
        writeln!(io::stdout().lock(), "{}", path.display())?;
    }
    Ok(())
}

fn is_current(file: &Generated, arguments: &Args) -> bool {
    // A checkout on Windows may have other line ends.
    std::fs::read_to_string(arguments.out.join(file.name)).is_ok_and(|text| text.replace("\r\n", "\n") == file.text)
}
