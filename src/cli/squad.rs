//! `tallyho squad`: squads of a squad builder, checked against the rules of squad building (SA-13).

use std::{
    io::{self, Write as _},
    path::PathBuf,
};

use clap::Subcommand;

use super::{Failure, GlobalOptions, scenario::read_squad};
use crate::xwing::{
    catalog::Catalog,
    squad::{Squad, check},
};

/// Arguments of `tallyho squad`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Say what a squad holds and costs, and which rules it breaks
    Check(Check),
}

/// Arguments of `tallyho squad check`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
  tallyho squad check mine.xws.json
  tallyho squad check theirs.xws.json --enemy-of mine.xws.json --waves 2,2,2

Exit code 0: all rules hold; 3: some do not; 1: a file cannot be read.")]
struct Check {
    /// The squad, an XWS file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// It is the enemy squad against this one: compared with it, not measured as a player squad
    #[arg(long, value_name = "FILE")]
    enemy_of: Option<PathBuf>,
    /// Ships of the enemy squad's first, second and third wave, in the file's order [default: a standard or Epic game]
    #[arg(long, value_name = "N,N,N", requires = "enemy_of", value_parser = parse_waves)]
    waves: Option<[usize; 3]>,
}

fn parse_waves(text: &str) -> Result<[usize; 3], String> {
    let numbers: Result<Vec<usize>, _> = text.split(',').map(|number| number.trim().parse()).collect();
    let numbers = numbers.ok().and_then(|numbers| <[usize; 3]>::try_from(numbers).ok());
    let sensible = numbers.filter(|numbers| numbers.iter().all(|number| (1..=100).contains(number)));
    sensible.ok_or_else(|| "give three numbers of ships, as in 2,2,2".to_owned())
}

/// Checks a squad.
///
/// # Errors
/// A file that cannot be read or is no squad; a squad that breaks a rule (exit code 3).
pub fn run(arguments: Args, global: &GlobalOptions) -> anyhow::Result<()> {
    global.log_to_stderr();
    let Command::Check(arguments) = arguments.command;
    let catalog = global.load_catalog()?;
    let squad = read_squad(&arguments.file, &catalog)?;
    let player = (arguments.enemy_of.as_deref())
        .map(|path| read_squad(path, &catalog))
        .transpose()?;
    let problems = match &player {
        None => check::player(&squad, &catalog),
        Some(player) => check::enemy(&squad, player, arguments.waves, &catalog),
    };
    let mut out = io::stdout().lock();
    describe(&squad, &catalog, &mut out)?;
    for note in player.iter().flat_map(|player| &player.notes) {
        writeln!(out, "note: player {note}")?;
    }
    for problem in &problems {
        writeln!(out, "problem: {problem}")?;
    }
    if problems.is_empty() {
        writeln!(out, "All rules that can be checked hold.")?;
        return Ok(());
    }
    let count = problems.len();
    Err(Failure::with(
        3,
        format!("{}: {count} rule(s) broken", arguments.file.display()),
    ))
}

fn describe(squad: &Squad, catalog: &Catalog, out: &mut impl io::Write) -> io::Result<()> {
    let name = if squad.name.is_empty() { "Squad" } else { &squad.name };
    let strength = match check::Strength::of(squad, catalog) {
        Some(check::Strength::Points(points)) => format!("{points} points"),
        Some(check::Strength::Threat(threat)) => format!("Threat {threat}"),
        None => "points not known".to_owned(),
    };
    writeln!(
        out,
        "{name}: {}, {} ships, {strength}",
        squad.faction,
        squad.ships.len()
    )?;
    for ship in &squad.ships {
        let points = ship
            .points(catalog)
            .map_or_else(|| "?".to_owned(), |points| points.to_string());
        let pilot = ship.pilot.as_deref().unwrap_or("no pilot");
        let upgrades: String = ship.upgrades.iter().map(|upgrade| format!(" + {upgrade}")).collect();
        writeln!(out, "  {points:>3}  {pilot} ({}){upgrades}", ship.ship)?;
    }
    for note in &squad.notes {
        writeln!(out, "note: {note}")?;
    }
    Ok(())
}
