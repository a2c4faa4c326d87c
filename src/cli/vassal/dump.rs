//! `tallyho vassal dump`: what lies on the tables of a save.

use std::{
    io::{self, Write as _},
    path::PathBuf,
};

use crate::{
    bridge::vassal::{game::Game, inventory::Inventory, module::Module, save::Save},
    cli::{GlobalOptions, files::Files},
};

/// Arguments of `tallyho vassal dump`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A save (.vsav) or a log (.vlog) of Vassal
    #[arg(value_name = "SAVE")]
    save: PathBuf,
    /// The module (.vmod) of the game, to tell the cells of its boards
    #[arg(long, value_name = "MODULE")]
    module: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// List also what players hide, what lies face down and what is in closed decks
    #[arg(long)]
    hidden: bool,
    /// Of a log, the game as it begins
    #[arg(long)]
    start: bool,
}

/// Runs `tallyho vassal dump`.
pub(super) fn run(arguments: &Args, global: &GlobalOptions) -> anyhow::Result<()> {
    global.log_to_stderr();
    Files::of(global).reads("SAVE", Some(&arguments.save)).check()?;
    let save = Save::open(&arguments.save)?;
    let game = match arguments.start {
        true => Game::at_start_of(&save.commands)?,
        false => Game::of(&save.commands)?,
    };
    let module = arguments.module.as_deref().map(Module::open).transpose()?;
    for note in module.iter().flat_map(|module| &module.notes) {
        tracing::info!("module: {note}");
    }
    let inventory = Inventory::of(&game, &save.about, module.as_ref(), arguments.hidden);
    let mut out = io::stdout().lock();
    if arguments.json {
        serde_json::to_writer_pretty(&mut out, &inventory).map_err(io::Error::from)?;
        writeln!(out)?;
    } else {
        write!(out, "{}", inventory.in_words())?;
    }
    Ok(())
}
