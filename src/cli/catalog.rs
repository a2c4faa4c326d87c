//! `tallyho catalog`: facts about ships, pilots and upgrades.

use super::GlobalOptions;

/// Arguments of `tallyho catalog`.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Runs `tallyho catalog`.
pub fn run(_arguments: Args, global: &GlobalOptions) -> anyhow::Result<()> {
    global.log_to_stderr();
    anyhow::bail!("the catalog has no commands yet")
}
