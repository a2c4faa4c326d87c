//! `tallyho scenario`: sets a scenario up (SA-13) as a text fixture, JSON, a spawn list for Tabletop Simulator or a
//! picture, and brings in who arrives later.

mod spawn;
pub mod wishes;

use std::{
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, bail};

use self::wishes::WishArgs;
pub(super) use self::wishes::read_squad;
use super::{GlobalOptions, decide, files::Files};
use crate::{
    bridge::{
        position::{self, Position},
        text,
    },
    geometry::Point,
    render, text_file,
    xwing::{
        catalog::Catalog,
        scenario::{
            Scenario,
            arrival::{self, Arrived},
            marker::{self, PlacedMarker},
            muster::{self, Muster},
            setup,
            standing::Standing,
        },
        squad::xws,
        table::Table,
    },
};

/// Longest scenario or squad file, bytes.
const MAX_BYTES: u64 = 4 * 1024 * 1024;

/// Arguments of `tallyho scenario`.
#[derive(Debug, clap::Args)]
#[command(mut_group("side", |group| group.required(true)), after_help = "\
Examples:
  tallyho scenario intro --faction rebelalliance --seed 7 > table.txt
  tallyho scenario intro --faction scum --enemy empire --variant ace --seed 7 --format svg --out table.svg
  tallyho scenario intro --faction rebelalliance --seed 7 --table table.txt --round 4 > round4.txt

The last line brings in the ships of round 4: write `destroyed` behind the ships of table.txt that were, and give the other
options as before. docs/scenarios.md describes scenario files and the spawn list.")]
pub struct Args {
    /// The scenario: `intro`, `mirror`, or a scenario file of your own
    #[arg(value_name = "NAME|FILE")]
    scenario: String,
    /// Seed of everything that is rolled: the same seed gives the same table
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    wishes: WishArgs,
    /// Begin with this table of the same game in place of a new one, and bring in who arrives
    #[arg(long, value_name = "FILE", requires = "round")]
    table: Option<PathBuf>,
    /// The round that begins
    #[arg(long, value_name = "N", requires = "table", value_parser = clap::value_parser!(u32).range(1..))]
    round: Option<u32>,
    /// What to write
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Write into this file [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// What is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// A text fixture (docs/fixtures.md), notes as comments.
    Text,
    /// A position as JSON (docs/positions.md).
    Json,
    /// A spawn list for Tabletop Simulator, as JSON (docs/scenarios.md).
    Tts,
    /// A picture.
    Svg,
}

/// A table to write, and what belongs to it.
struct Ready {
    table: Table,
    markers: Vec<PlacedMarker>,
    /// Piece and pose of each obstacle, where they are known: only of a new table.
    obstacles: Vec<setup::PlacedObstacle>,
    notes: Vec<String>,
}

/// Sets up, or brings in, and writes.
///
/// # Errors
/// A scenario, squad or table that cannot be read; a faction, variant or ship that the scenario does not have; no layout
/// that satisfies all rules.
pub fn run(arguments: Args, global: &GlobalOptions) -> anyhow::Result<()> {
    global.log_to_stderr();
    Files::of(global)
        .reads("the scenario", Some(Path::new(&arguments.scenario)))
        .reads("--squad", arguments.wishes.squad.as_deref())
        .reads("--enemy-squad", arguments.wishes.enemy_squad.as_deref())
        .reads("--table", arguments.table.as_deref())
        .writes("--out", arguments.out.as_deref())
        .check()?;
    let catalog = global.load_catalog()?;
    let scenario = scenario(&arguments.scenario, &catalog)?;
    let wishes = arguments.wishes.wishes(&scenario, &catalog)?;
    let muster = muster::muster(&scenario, &catalog, &wishes)?;
    let ready = match arguments.table.as_deref().zip(arguments.round) {
        None => {
            let set_up = setup::set_up(&scenario, &muster, &catalog, arguments.seed)?;
            Ready {
                table: set_up.table.with_rules(global.rules(&catalog)?),
                markers: set_up.markers,
                obstacles: set_up.obstacles,
                notes: set_up.notes,
            }
        }
        Some((path, round)) => later(&scenario, &muster, &catalog, path, round, arguments.seed)?,
    };
    let ready = Ready {
        table: rounded(ready.table),
        ..ready
    };
    let title = title(&scenario, &muster, arguments.seed, arguments.round);
    let written = match arguments.format {
        Format::Text => fixture(&ready, &title, &catalog),
        Format::Json => position::write(&Position::of(ready.table.clone()), &catalog) + "\n",
        Format::Tts => spawn::list(&scenario, &muster, &ready, &title)?,
        Format::Svg => render::svg(&ready.table, None, &title),
    };
    // A fixture and a spawn list hold their notes.
    if matches!(arguments.format, Format::Json | Format::Svg) {
        for note in &ready.notes {
            crate::cli::console::tell!("note: {note}");
        }
    }
    match &arguments.out {
        Some(path) => std::fs::write(path, written).with_context(|| format!("cannot write {}", path.display())),
        None => Ok(io::stdout().lock().write_all(written.as_bytes())?),
    }
}

/// The scenario of that name, or of that file.
pub(super) fn scenario(name: &str, catalog: &Catalog) -> anyhow::Result<Scenario> {
    if let Some(known) = Scenario::named(name, catalog.edition()) {
        known.fits(catalog.edition())?;
        return Ok(known.clone());
    }
    let path = Path::new(name);
    if !path.exists() {
        bail!(
            "there is no scenario `{name}`: give `intro`, `mirror`, or the path of a scenario file (docs/scenarios.md); \
             with --edition first also `starter`"
        );
    }
    let scenario = Scenario::parse(&read_text(path)?).with_context(|| name.to_owned())?;
    let unknown: Vec<String> = scenario.unknown_to(catalog).iter().map(ToString::to_string).collect();
    if !unknown.is_empty() {
        bail!("{name}: {}", unknown.join("\n  "));
    }
    for unknown in scenario.upgrades_unknown_to(catalog) {
        crate::cli::console::tell!("note: {name}: {unknown}; its ship is played without it");
    }
    Ok(scenario)
}

/// The text of a scenario file, read and checked; `None` for one that is built in.
pub(super) fn own_text(name: &str, catalog: &Catalog) -> anyhow::Result<Option<String>> {
    let known = scenario(name, catalog)?;
    let built_in = Scenario::built_in();
    let is_built_in = built_in.into_iter().any(|other| *other == known);
    (!is_built_in).then(|| read_text(Path::new(name))).transpose()
}

/// Whom a faction fights where nobody says otherwise.
pub(super) fn usual_enemy(faction: &str) -> &'static str {
    match xws::faction(faction) {
        Some("galacticempire") => "rebelalliance",
        _ => "galacticempire",
    }
}

fn read_text(path: &Path) -> anyhow::Result<String> {
    let name = path.display();
    let length = std::fs::metadata(path)
        .with_context(|| format!("cannot read {name}"))?
        .len();
    if length > MAX_BYTES {
        bail!("{name} is longer than {} MiB, so it is no such file", MAX_BYTES >> 20);
    }
    text_file::read(path).with_context(|| format!("cannot read {name}"))
}

/// A table of a game that is under way, with those who arrive in a round (SA-13).
fn later(
    scenario: &Scenario,
    muster: &Muster,
    catalog: &Catalog,
    path: &Path,
    round: u32,
    seed: u64,
) -> anyhow::Result<Ready> {
    let (read, _) = decide::input::read(Some(path), catalog)?;
    let mut table = read.table;
    let mut notes: Vec<String> = read.warnings.iter().map(ToString::to_string).collect();
    let markers = marker::shown_on(scenario, &table);
    if markers.len() != scenario.markers.count as usize {
        bail!(
            "{}: has {} points named marker-1 and so on, the scenario {} markers; begin with the table that `tallyho \
             scenario` wrote",
            path.display(),
            markers.len(),
            scenario.markers.count
        );
    }
    // Whether it ended is a matter of the round before: nothing has arrived yet.
    let standing = Standing::of(scenario, &table);
    let arrived = match scenario.ended(round.saturating_sub(1), &standing) {
        Some(ending) => Arrived {
            notes: vec![format!("The game has ended. {}", ending.says)],
            ..Arrived::default()
        },
        None => arrival::bring_in(scenario, muster, &markers, &mut table, round, seed)?,
    };
    if arrived.ships.is_empty() && arrived.notes.is_empty() {
        notes.push(format!("Nobody arrives in round {round}."));
    }
    notes.extend(arrived.notes);
    Ok(Ready {
        table,
        markers,
        obstacles: Vec::new(),
        notes,
    })
}

/// Ten to the power of the digits behind the point that are written: finer than any table.
const FINE: f64 = 10_000.0;

/// A table whose places are short to write.
fn rounded(mut table: Table) -> Table {
    let round = |value: f64| (value * FINE).round() / FINE;
    let rounded_point = |at: Point| Point::new(round(at.x), round(at.y));
    for ship in &mut table.ships {
        ship.pose.position = rounded_point(ship.pose.position);
        ship.pose.heading = round(ship.pose.heading);
    }
    for obstacle in &mut table.obstacles {
        obstacle.outline = obstacle.outline.map(rounded_point);
    }
    for marker in &mut table.markers {
        marker.position = rounded_point(marker.position);
    }
    table
}

fn title(scenario: &Scenario, muster: &Muster, seed: u64, round: Option<u32>) -> String {
    let variant = muster
        .variant
        .as_deref()
        .map_or_else(String::new, |variant| format!(", variant {variant}"));
    let when = round.map_or_else(|| "set-up".to_owned(), |round| format!("round {round}"));
    let (name, faction, enemy) = (&scenario.name, &muster.faction, &muster.enemy);
    format!("{name}: {faction} against {enemy}{variant}, seed {seed}, {when}")
}

/// The text fixture, with the notes as comments.
fn fixture(ready: &Ready, title: &str, catalog: &Catalog) -> String {
    let mut lines = vec![format!("# {title}")];
    for marker in &ready.markers {
        let (id, pose) = (&marker.id, marker.pose);
        lines.push(format!("# {id}: front @{}, {} mm square", pose.heading, marker.size_mm));
    }
    lines.extend(
        ready
            .notes
            .iter()
            .map(|note| format!("# {}", note.replace(char::is_control, " "))),
    );
    lines.push(text::write(&Position::of(ready.table.clone()), catalog));
    lines.join("\n")
}
