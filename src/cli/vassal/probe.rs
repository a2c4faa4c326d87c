//! `tallyho vassal probe`: drafts a profile for a module.

use std::{
    io::{self, Write as _},
    path::{Path, PathBuf},
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
    cli::{GlobalOptions, files::Files, serve::vassal_table},
    protocol::vassal::VassalSnapshot,
    server::instance::Folders,
    text_file,
    visible::visible,
};

/// Arguments of `tallyho vassal probe`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A save (.vsav, .vlog) with the pieces on the table, or a module (.vmod)
    #[arg(value_name = "SAVE|MODULE", required_unless_present = "live")]
    file: Option<PathBuf>,
    /// The table that the plugin has shown to `tallyho serve`, instead of a save
    #[arg(long, conflicts_with_all = ["file", "module"])]
    live: bool,
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
        .reads("SAVE|MODULE", arguments.file.as_deref())
        .reads("--module", arguments.module.as_deref())
        .writes("--out", arguments.out.as_deref())
        .check()?;
    let catalog = global.load_catalog()?;
    let snapshot = match &arguments.file {
        Some(file) => of_file(file, arguments.module.as_deref())?,
        None => live()?,
    };
    let known = Profile::for_game(&snapshot).ok();
    if let Some(profile) = &known {
        crate::cli::console::tell!(
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
        0 => crate::cli::console::tell!("Every property of these pieces has a meaning in the draft."),
        count => {
            let properties = if count == 1 { "property" } else { "properties" };
            let names: Vec<&str> = draft.unmapped.iter().map(|(name, _)| &**name).take(12).collect();
            let more = if count > names.len() { ", ..." } else { "" };
            crate::cli::console::tell!(
                "{count} {properties} could not be mapped: {}{more}",
                visible(&names.join(", "))
            );
        }
    }
    Ok(())
}

/// The table of a save, or the palettes of a module.
fn of_file(path: &Path, module: Option<&Path>) -> anyhow::Result<VassalSnapshot> {
    let shown = path.display();
    let is_module = Archive::open(archive::open_file(path)?)
        .with_context(|| shown.to_string())?
        .has(BUILD_FILE);
    if is_module {
        return Ok(probe::of_module(&Module::open(path)?));
    }
    let save = Save::open(path)?;
    let module = module.map(Module::open).transpose()?;
    Ok(table::snapshot(
        &Game::of(&save.commands)?,
        &save.about,
        module.as_ref(),
    ))
}

/// The table that the plugin has shown last, as the server has written it down.
fn live() -> anyhow::Result<VassalSnapshot> {
    let file = vassal_table(&Folders::of_user()?);
    let read = text_file::read(&file).with_context(|| {
        format!(
            "no table of Vassal has been seen: start `tallyho serve`, then Vassal with the plugin, and open a game ({})",
            file.display()
        )
    })?;
    let snapshot: VassalSnapshot = serde_json::from_str(&read)
        .with_context(|| format!("{} is damaged: connect the plugin again", file.display()))?;
    let age = std::fs::metadata(&file)
        .and_then(|about| about.modified())
        .ok()
        .and_then(|written| written.elapsed().ok());
    let minutes = age.map_or(0, |age| age.as_secs() / 60);
    crate::cli::console::tell!(
        "note: the table of `{}` with {} pieces, as the plugin showed it {}",
        visible(&snapshot.module.name),
        snapshot.pieces.len(),
        match minutes {
            0 => "just now".to_owned(),
            1 => "a minute ago".to_owned(),
            minutes => format!("{minutes} minutes ago"),
        }
    );
    Ok(snapshot)
}
