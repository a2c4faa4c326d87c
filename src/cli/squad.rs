//! `tallyho squad`: squads of a squad builder or of Quick Build cards, checked against the rules of squad building (SA-13,
//! FE-1).

use std::{
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, bail};
use clap::Subcommand;

use super::{Failure, GlobalOptions, files::Files, scenario::read_squad};
use crate::{
    record::words,
    xwing::{
        catalog::{Catalog, QuickBuild},
        edition::{Edition, SameName},
        squad::{Squad, check, id_numbers, quick_build, xws},
    },
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
    /// List Quick Build cards
    Cards(Cards),
    /// Write a squad of Quick Build cards as an XWS file
    Build(Build),
}

/// Arguments of `tallyho squad check`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tallyho squad check mine.xws.json
  tallyho squad check theirs.xws.json --enemy-of mine.xws.json --waves 2,2,2
  tallyho squad check theirs.xws.json --enemy-of mine.xws.json --by threat
  tallyho squad check --edition first '2*xwing/rookiepilot+protontorpedoes,ywing'

Exit code 0: all rules hold; 3: some do not; 1: a file cannot be read.")]
struct Check {
    /// The squad: an XWS file, or as it is typed, as in '2*xwing/rookiepilot+protontorpedoes'. Without --edition and
    /// --catalog a file says itself which edition it is of
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The most points that a squad of the first edition may cost
    #[arg(long, value_name = "N", default_value_t = 100, conflicts_with = "enemy_of")]
    points: i32,
    /// It is a player squad of the introductory scenario: 18 to 23 points a ship in the first edition (FE-SOLO-14); a squad of
    /// the second is measured so anyway
    #[arg(long, conflicts_with_all = ["enemy_of", "points"])]
    player: bool,
    /// It is the enemy squad against this one: compared with it, not measured as a player squad
    #[arg(long, value_name = "FILE")]
    enemy_of: Option<PathBuf>,
    /// Ships of the enemy squad's first, second and third wave, in the file's order [default: a standard or Epic game]
    #[arg(long, value_name = "N,N,N", requires = "enemy_of", value_parser = parse_waves)]
    waves: Option<[usize; 3]>,
    /// What strength is measured in [default: Threat if the file has it for every ship, else points]. `threat` takes the
    /// Threat of the Quick Build cards that the ships fly by
    #[arg(long, value_enum, value_name = "UNIT")]
    by: Option<Unit>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Unit {
    Points,
    Threat,
}

/// Arguments of `tallyho squad cards`.
#[derive(Debug, clap::Args)]
struct Cards {
    /// A card's id, or a pilot or ship type, by xws id or name [default: all]
    #[arg(value_name = "NAME")]
    name: Vec<String>,
    /// Only cards of this faction
    #[arg(long, value_name = "FACTION")]
    faction: Option<String>,
    /// Only cards of this Threat
    #[arg(long, value_name = "N")]
    threat: Option<u32>,
}

/// Arguments of `tallyho squad build`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tallyho squad build wedgeantilles redsquadronveteran --out mine.xws.json
  tallyho scenario intro --squad mine.xws.json --seed 7

`tallyho squad cards` lists the ids.")]
struct Build {
    /// Ids of Quick Build cards
    #[arg(required = true, value_name = "CARD")]
    cards: Vec<String>,
    /// What the squad is called
    #[arg(long, default_value = "Quick Build")]
    name: String,
    /// Write into this file [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

fn parse_waves(text: &str) -> Result<[usize; 3], String> {
    let numbers: Result<Vec<usize>, _> = text.split(',').map(|number| number.trim().parse()).collect();
    let numbers = numbers.ok().and_then(|numbers| <[usize; 3]>::try_from(numbers).ok());
    let sensible = numbers.filter(|numbers| numbers.iter().all(|number| (1..=100).contains(number)));
    sensible.ok_or_else(|| "give three numbers of ships, as in 2,2,2".to_owned())
}

/// Checks a squad, lists Quick Build cards, or writes a squad of them.
///
/// # Errors
/// A file that cannot be read or is no squad; a squad that breaks a rule (exit code 3).
pub fn run(arguments: Args, global: &GlobalOptions) -> anyhow::Result<()> {
    global.log_to_stderr();
    if let Command::Build(Build { out, .. }) = &arguments.command {
        Files::of(global).writes("--out", out.as_deref()).check()?;
    }
    let catalog = match &arguments.command {
        Command::Check(check) => global.of_file(&check.file).load_catalog()?,
        _ => global.load_catalog()?,
    };
    let asks_for_cards = match &arguments.command {
        Command::Check(check) => check.by == Some(Unit::Threat),
        Command::Cards(_) | Command::Build(_) => true,
    };
    if asks_for_cards && catalog.quick_builds().is_empty() {
        return Err(no_cards(&catalog));
    }
    match arguments.command {
        Command::Check(arguments) => check(&arguments, &catalog, global.rules(&catalog)?.same_name),
        Command::Cards(arguments) => list(&arguments, &catalog, &mut io::stdout().lock()),
        Command::Build(arguments) => build(&arguments, &catalog),
    }
}

fn check(arguments: &Check, catalog: &Catalog, names: SameName) -> anyhow::Result<()> {
    let read = |path: &Path| {
        let mut squad = read_squad_or_text(path, catalog)?;
        match arguments.by {
            None => {}
            Some(Unit::Points) => squad.ships.iter_mut().for_each(|ship| ship.threat = None),
            Some(Unit::Threat) => {
                squad.find_threat(catalog);
                if let Some(ship) = squad.ships.iter().find(|ship| ship.threat.is_none()) {
                    bail!(
                        "{}: {}: no Quick Build card has that pilot with those upgrades; `tallyho squad cards {}` lists \
                         them, or give the ship a `threat`",
                        path.display(),
                        ship.place,
                        ship.pilot.as_deref().unwrap_or(&ship.ship)
                    );
                }
            }
        }
        Ok(squad)
    };
    let squad = read(&arguments.file)?;
    let player = arguments.enemy_of.as_deref().map(read).transpose()?;
    let problems = match (&player, catalog.edition()) {
        (None, Edition::Second) => check::player(&squad, catalog),
        (None, Edition::First) if arguments.player => check::player(&squad, catalog),
        (None, Edition::First) => {
            let mut problems = check::legal_by(&squad, catalog, names);
            problems.extend(check::total(&squad, arguments.points, catalog));
            problems
        }
        (Some(player), _) => check::enemy(&squad, player, arguments.waves, catalog),
    };
    let mut out = io::stdout().lock();
    describe(&squad, catalog, &mut out)?;
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
        format!(
            "{}: {} broken",
            arguments.file.display(),
            words::count(count as u32, "rule")
        ),
    ))
}

/// A squad file, or a squad as it is typed.
fn read_squad_or_text(path: &Path, catalog: &Catalog) -> anyhow::Result<Squad> {
    let typed = path
        .to_str()
        .filter(|text| !path.is_file() && !text.contains(['.', '\\']));
    match typed {
        Some(text) => Ok(crate::sim::squad::cards(text, catalog)?),
        None => read_squad(path, catalog),
    }
}

fn describe(squad: &Squad, catalog: &Catalog, out: &mut impl io::Write) -> io::Result<()> {
    let name = if squad.name.is_empty() { "Squad" } else { &squad.name };
    let points = squad
        .points(catalog)
        .map_or_else(|| "points not known".to_owned(), |points| format!("{points} points"));
    let strength = match squad.threat() {
        Some(threat) => format!("Threat {threat}, {points}"),
        None => points,
    };
    writeln!(
        out,
        "{name}: {}, {}, {strength}",
        xws::faction_name(&squad.faction).unwrap_or(&squad.faction),
        words::count(squad.ships.len() as u32, "ship")
    )?;
    // FE-1.5: copies have numbers on their cards and bases.
    let numbers = match catalog.edition() {
        Edition::First => id_numbers::id_numbers(squad, false),
        Edition::Second => vec![None; squad.ships.len()],
    };
    for (ship, number) in squad.ships.iter().zip(numbers) {
        let number = number.map_or_else(String::new, |number| format!(" {number}"));
        let points = ship
            .points(catalog)
            .map_or_else(|| "?".to_owned(), |points| points.to_string());
        let pilot = ship
            .pilot
            .as_deref()
            .map_or("no pilot", |pilot| pilot_name(pilot, catalog));
        let upgrades = with_upgrades(&ship.upgrades, catalog);
        let flown = catalog.ship(&ship.ship).map_or(&*ship.ship, |ship| &*ship.name);
        writeln!(out, "  {points:>3}  {pilot}{number} ({flown}){upgrades}")?;
    }
    for note in &squad.notes {
        writeln!(out, "note: {note}")?;
    }
    Ok(())
}

/// That the catalog has no Quick Build cards, and so no Threat.
fn no_cards(catalog: &Catalog) -> anyhow::Error {
    match catalog.edition() {
        Edition::First => anyhow::anyhow!(
            "the first edition has no Quick Build cards and no Threat: squads are built in points, which `tallyho squad check` \
             counts"
        ),
        Edition::Second => {
            anyhow::anyhow!("the catalog has no Quick Build cards: leave --catalog out, or import one with them")
        }
    }
}

/// One line a card.
fn list(arguments: &Cards, catalog: &Catalog, out: &mut impl io::Write) -> anyhow::Result<()> {
    let name = arguments.name.join(" ");
    let mut cards: Vec<&QuickBuild> = match name.is_empty() {
        true => catalog.quick_builds().iter().collect(),
        false => catalog.find_quick_builds(&name),
    };
    if cards.is_empty() {
        bail!("no Quick Build card of `{name}` is in the catalog; give the id or the name of a pilot or a ship type");
    }
    if let Some(text) = &arguments.faction {
        let faction = xws::faction(text).with_context(|| {
            format!("--faction {text}: there is no such faction; `tallyho catalog list` names them")
        })?;
        cards.retain(|card| card.faction == faction);
    }
    cards.retain(|card| arguments.threat.is_none_or(|threat| card.threat == threat));
    for card in cards {
        writeln!(out, "{:32} {}", card.id, card_text(card, catalog))?;
    }
    Ok(())
}

/// The printed name of a pilot of this id; the id where the catalog does not know it.
fn pilot_name<'n>(xws: &'n str, catalog: &'n Catalog) -> &'n str {
    catalog.pilot(xws).map_or(xws, |pilot| &pilot.name)
}

/// Upgrades by their printed names, as in ` + Deadeye Shot`.
fn with_upgrades(upgrades: &[String], catalog: &Catalog) -> String {
    let name = |xws: &String| catalog.upgrade(xws).map_or(xws.clone(), |upgrade| upgrade.name.clone());
    upgrades.iter().map(|xws| format!(" + {}", name(xws))).collect()
}

/// A card's Threat, faction and ships, for people.
pub(super) fn card_text(card: &QuickBuild, catalog: &Catalog) -> String {
    let ships = card.pilots.iter().map(|entry| {
        let upgrades = with_upgrades(&entry.upgrades, catalog);
        format!("{}{upgrades}", pilot_name(&entry.pilot, catalog))
    });
    let ships: Vec<String> = ships.collect();
    let faction = xws::faction_name(&card.faction).unwrap_or(&card.faction);
    format!("Threat {}  {faction}  {}", card.threat, ships.join(" and "))
}

fn build(arguments: &Build, catalog: &Catalog) -> anyhow::Result<()> {
    let mut cards = Vec::new();
    for text in &arguments.cards {
        cards.push(the_card(text, catalog)?);
    }
    let squad = quick_build::squad(&arguments.name, &cards, catalog);
    for note in &squad.notes {
        crate::cli::console::tell!("note: {note}");
    }
    for problem in check::legal(&squad, catalog) {
        crate::cli::console::tell!("problem: {problem}");
    }
    let text = format!("{:#}\n", squad.to_xws(catalog));
    match &arguments.out {
        Some(path) => std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display())),
        None => Ok(io::stdout().lock().write_all(text.as_bytes())?),
    }
}

/// The one Quick Build card that a text means.
pub(super) fn the_card<'c>(text: &str, catalog: &'c Catalog) -> anyhow::Result<&'c QuickBuild> {
    match catalog.find_quick_builds(text)[..] {
        [card] => Ok(card),
        [] => bail!("there is no Quick Build card `{text}`; `tallyho squad cards` lists them"),
        [..] => bail!("`{text}` means several Quick Build cards; `tallyho squad cards {text}` lists their ids"),
    }
}
