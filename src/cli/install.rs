//! `tallyho install`: puts what a table program needs into its place.

use std::{
    io::{self, Write as _},
    path::PathBuf,
};

use anyhow::Context as _;
use clap::Subcommand;

use super::GlobalOptions;
use crate::{
    bridge::{
        tts::install::{self, Connection, OBJECT_NAME, UserFolders},
        vassal_plugin,
    },
    protocol::DEFAULT_PORT,
    server::{
        instance::{Folders, Instance},
        tokens::Tokens,
    },
};

/// Put the controller into a table program
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    program: Program,
}

#[derive(Debug, Subcommand)]
enum Program {
    /// Write the controller into the Saved Objects of Tabletop Simulator
    Tts(TtsArgs),
    /// Write the plugin into Vassal's folder of plugins
    Vassal(VassalArgs),
}

#[derive(Debug, clap::Args)]
struct VassalArgs {
    /// Vassal's folder `plugins`; left out: where Vassal keeps it on this computer
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
struct TtsArgs {
    /// Folder of the game's Saved Objects; left out: where the game keeps them on this computer
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Show the Saved Object instead of writing it; it holds the table token
    #[arg(long)]
    print: bool,
    /// Port of the server; left out: that of the running one, else the usual one
    #[arg(long, value_name = "PORT", env = "TALLYHO_PORT", value_parser = clap::value_parser!(u16).range(1..))]
    port: Option<u16>,
    /// File with the two tokens; made if it is not there
    #[arg(long, value_name = "FILE", env = "TALLYHO_TOKEN_FILE")]
    token_file: Option<PathBuf>,
}

/// Installs.
///
/// # Errors
/// The tokens cannot be read, or the game's folder is not there or cannot be written.
pub fn run(arguments: Args, _: &GlobalOptions) -> anyhow::Result<()> {
    match arguments.program {
        Program::Tts(arguments) => tts(&arguments),
        Program::Vassal(arguments) => vassal(&arguments),
    }
}

fn vassal(arguments: &VassalArgs) -> anyhow::Result<()> {
    let folder = match &arguments.dir {
        Some(folder) => folder.clone(),
        None => vassal_plugin::plugins_folder()?,
    };
    let installed = vassal_plugin::install(&folder)?;
    let mut out = io::stdout().lock();
    let verb = if installed.replaced { "Replaced" } else { "Wrote" };
    writeln!(out, "{verb} {}.", installed.path.display())?;
    writeln!(
        out,
        "\nNext:\n  1. Start the server and leave it running: tallyho serve (for Star Wars Miniatures: tallyho serve --swm)\n  \
         2. Start Vassal again, open your module and a game. The toolbar shows `Connect` and `Next solo`.\n  \
         3. Choose the side to be played, make your moves, then press `Next solo`."
    )?;
    Ok(())
}

fn tts(arguments: &TtsArgs) -> anyhow::Result<()> {
    let folders = Folders::of_user()?;
    let running = Instance::running(&folders)?;
    let port = arguments
        .port
        .or(running.as_ref().map(|instance| instance.port))
        .unwrap_or(DEFAULT_PORT);
    let token_file = arguments
        .token_file
        .clone()
        .or(running.as_ref().map(|instance| instance.token_file.clone()))
        .unwrap_or_else(|| folders.tokens());
    let tokens = Tokens::load_or_create(&token_file)?;
    let connection = Connection {
        port,
        token: tokens.table.expose().to_owned(),
    };
    if arguments.print {
        let object = serde_json::to_string_pretty(&install::saved_object(&connection)?)?;
        writeln!(io::stdout().lock(), "{object}")?;
        return Ok(());
    }
    let folder = match &arguments.dir {
        Some(folder) => folder.clone(),
        None => {
            let user = UserFolders::of_user().context("no home folder; give the folder with --dir")?;
            install::saved_objects_folder(&user)?
        }
    };
    let installed = install::install(&folder, &connection)?;
    let mut out = io::stdout().lock();
    writeln!(out, "Wrote {} (port {port}).", installed.path.display())?;
    if let Some(before) = installed.replaced {
        let what = match (before.port == port, before.token == connection.token) {
            (false, true) => format!("port {}", before.port),
            (true, _) => "another token".to_owned(),
            (false, false) => format!("port {} and another token", before.port),
        };
        writeln!(
            out,
            "The controller that was there used {what}: delete it from your tables and put the new one there. Tables saved \
             with it hold the old one."
        )?;
    }
    writeln!(out, "\nNext:")?;
    match running {
        Some(instance) => writeln!(out, "  1. The server is running already, on port {}.", instance.port),
        None if port == DEFAULT_PORT => writeln!(out, "  1. Start the server and leave it running: tallyho serve"),
        None => writeln!(
            out,
            "  1. Start the server and leave it running: tallyho serve --port {port}"
        ),
    }?;
    writeln!(
        out,
        "  2. In Tabletop Simulator, as the host of a table with the X-Wing Unified mod: Objects > Saved Objects > {OBJECT_NAME}. \
         Put it beside the mat."
    )?;
    writeln!(
        out,
        "  3. On it, press `Solo ships...`, choose the ships to be flown, then press `Next solo ship`."
    )?;
    Ok(())
}
