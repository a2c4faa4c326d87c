//! `tallyho vassal probe`: drafts a profile for a module.

use std::{
    io::{self, Write as _},
    path::PathBuf,
};

use anyhow::Context as _;

use crate::{
    bridge::vassal::{
        archive::{self, Archive},
        game::Game,
        module::{BUILD_FILE, Module},
        probe,
        profile::{Plays, Profile},
        save::Save,
        table,
    },
    cli::{GlobalOptions, files::Files},
};

/// Arguments of `tallyho vassal probe`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A save (.vsav, .vlog) with the pieces on the table, or a module (.vmod)
    #[arg(value_name = "SAVE|MODULE")]
    file: PathBuf,
    /// The module (.vmod) of the save, to tell where the squares of its boards are
    #[arg(long, value_name = "MODULE")]
    module: Option<PathBuf>,
    /// Which game the module plays [default: that of its profile if one comes with the program, else swm]
    #[arg(long, value_enum)]
    game: Option<Which>,
    /// Write the draft into this file [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Which {
    /// Star Wars Miniatures
    Swm,
    /// X-Wing
    Xwing,
}

/// Runs `tallyho vassal probe`.
pub(super) fn run(arguments: &Args, global: &GlobalOptions) -> anyhow::Result<()> {
    Files::of(global)
        .reads("SAVE|MODULE", Some(&arguments.file))
        .reads("--module", arguments.module.as_deref())
        .writes("--out", arguments.out.as_deref())
        .check()?;
    let catalog = global.load_catalog()?;
    let shown = arguments.file.display();
    let is_module = Archive::open(archive::open_file(&arguments.file)?)
        .with_context(|| shown.to_string())?
        .has(BUILD_FILE);
    let snapshot = if is_module {
        probe::of_module(&Module::open(&arguments.file)?)
    } else {
        let save = Save::open(&arguments.file)?;
        let module = arguments.module.as_deref().map(Module::open).transpose()?;
        table::snapshot(&Game::of(&save.commands)?, &save.about, module.as_ref())
    };
    let known = Profile::for_game(&snapshot).ok();
    if let Some(profile) = &known {
        eprintln!(
            "note: a profile for this module comes with the program: {}",
            profile.name
        );
    }
    let game = match (arguments.game, known) {
        (Some(Which::Xwing), _) => Plays::XWing,
        (None, Some(profile)) => profile.game,
        (Some(Which::Swm) | None, _) => Plays::StarWarsMiniatures,
    };
    let draft = probe::draft(&snapshot, game, &catalog);
    match &arguments.out {
        Some(path) => std::fs::write(path, &draft.text).with_context(|| format!("cannot write {}", path.display()))?,
        None => io::stdout().lock().write_all(draft.text.as_bytes())?,
    }
    match draft.unmapped.len() {
        0 => eprintln!("Every property of these pieces has a meaning in the draft."),
        count => {
            let properties = if count == 1 { "property" } else { "properties" };
            let names: Vec<&str> = draft.unmapped.iter().map(|(name, _)| &**name).take(12).collect();
            let more = if count > names.len() { ", ..." } else { "" };
            eprintln!("{count} {properties} could not be mapped: {}{more}", names.join(", "));
        }
    }
    Ok(())
}
