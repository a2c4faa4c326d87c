//! `tallyho vassal practice`: a small module with a save, of our own making.

use std::path::PathBuf;

use anyhow::Context as _;

use crate::{bridge::vassal::practice, cli::GlobalOptions};

/// Arguments of `tallyho vassal practice`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The folder to write into; it is made if it is not there
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// Which game: figures of Star Wars Miniatures on squares, or ships of X-Wing on a mat
    #[arg(long, value_enum, default_value_t = Game::Swm)]
    game: Game,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Game {
    /// Star Wars Miniatures
    Swm,
    /// X-Wing, of the edition that --edition names
    Xwing,
}

/// Runs `tallyho vassal practice`.
pub(super) fn run(arguments: &Args, global: &GlobalOptions) -> anyhow::Result<()> {
    let (kit, stem) = match arguments.game {
        Game::Swm => (practice::skirmish()?, "practice-skirmish"),
        Game::Xwing => (practice::xwing(global.edition.unwrap_or_default())?, "practice-xwing"),
    };
    let folder = &arguments.folder;
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let mut files = vec![
        (format!("{stem}.vmod"), kit.module()?),
        (format!("{stem}.vsav"), kit.save()?),
    ];
    files.extend(kit.beside.into_iter().map(|(name, text)| (name, text.into_bytes())));
    let files: Vec<_> = files
        .into_iter()
        .map(|(name, bytes)| (folder.join(name), bytes))
        .collect();
    if let Some((there, _)) = files.iter().find(|(path, _)| path.exists()) {
        anyhow::bail!(
            "{} is there already, and is left as it is: name another folder, or take it away first",
            there.display()
        );
    }
    for (path, bytes) in files {
        std::fs::write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))?;
        println!("{}", path.display());
    }
    Ok(())
}
