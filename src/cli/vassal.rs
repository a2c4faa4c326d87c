//! `tallyho vassal`: Vassal's saves, logs and modules.

mod dump;
mod join;
mod practice;
mod probe;
pub(super) mod reading;

use clap::Subcommand;

use super::GlobalOptions;

/// Arguments of `tallyho vassal`.
#[derive(Debug, clap::Args)]
#[command(
    arg_required_else_help = true,
    after_help = "\
Examples:
  tallyho vassal dump game.vsav --module module.vmod
  tallyho vassal probe game.vsav --module module.vmod > my-module.toml
  tallyho decide game.vsav --profile my-module.toml
  tallyho vassal join localhost:5050 Solo --module module.vmod
  tallyho vassal practice folder --game swm
  tallyho vassal practice folder --game xwing --edition first"
)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List what lies on the tables of a save or at the end of a log: names, places, facings, properties
    Dump(dump::Args),
    /// Sit in at a game on Vassal's own server, without the plugin
    Join(join::Args),
    /// Draft a profile for a module: what its pieces are in the game, and which of their properties are unknown
    Probe(probe::Args),
    /// Write a small module with a save, to try things out in Vassal without anybody's module
    Practice(practice::Args),
}

/// Runs `tallyho vassal`.
///
/// # Errors
/// What its subcommands tell.
pub fn run(arguments: Args, global: &GlobalOptions) -> anyhow::Result<()> {
    match arguments.command {
        Command::Dump(arguments) => dump::run(&arguments, global),
        Command::Join(arguments) => join::run(arguments, global),
        Command::Probe(arguments) => probe::run(&arguments, global),
        Command::Practice(arguments) => practice::run(&arguments, global),
    }
}
