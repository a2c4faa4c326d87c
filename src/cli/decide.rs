//! `tallyho decide`: reads a table and says what its solo ships do, for people, for programs, or as a picture.

mod cloaked;
mod grid;
pub(super) mod input;
mod lines;

use std::{
    collections::HashSet,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, bail};
use serde::Serialize;

use self::cloaked::Decloaked;
use super::{
    GlobalOptions,
    files::Files,
    vassal::reading::{Reading, is_save},
};
use crate::{
    bridge::{
        names::Names,
        position::{Answer, Position, Warning},
        text,
    },
    decision::Reason,
    dice::{AttackFace, DefenceFace, FixedRoll, SeededDice},
    render::{self, Decided},
    solo_alpha::{
        self, Activation, DecideError, Options, Situation,
        attack::engage::{Engagement, engage, no_abilities},
    },
    xwing::{ObjectId, catalog::Titles, edition::Edition, ship::Ship},
};

/// Arguments of `tallyho decide`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A position is text like this (docs/fixtures.md), JSON (docs/positions.md), a save of Tabletop Simulator or of Vassal:

  ship A tielnfighter solo 457,300 @0 init 3
  ship B t65xwing player 500,520 @180 init 5
  roll evade/hit

  tallyho decide position.txt
  tallyho decide - --roll focus/blank --svg picture.svg < position.txt
  tallyho decide position.txt --engage
  tallyho decide --jsonl positions.jsonl > answers.jsonl
  tallyho decide --swm skirmish.txt --svg skirmish.svg
  tallyho decide game.vsav --solo-side galacticempire")]
pub struct Args {
    /// The position: a text fixture, JSON, or a save of Tabletop Simulator or Vassal; `-` or nothing reads standard input
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Decide for the ship of this id or name [default: the active ship, else all of the side `solo`]
    #[arg(long, value_name = "ID")]
    ship: Option<String>,
    /// The dice, as in evade/hit; `?` for a die that is to be rolled [default: the position's roll, else rolled]
    #[arg(long, value_name = "DEFENCE/ATTACK", value_parser = parse_roll)]
    roll: Option<Dice>,
    /// Seed of everything that is rolled: the same seed gives the same answers
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Choices of the rules where their text is silent, as a JSON object (docs/rules.md)
    #[arg(long, value_name = "FILE")]
    options: Option<PathBuf>,
    /// Print JSON with all values compared
    #[arg(long, conflicts_with = "jsonl")]
    json: bool,
    /// A position of Star Wars Miniatures (docs/swm.md): who activates in which order, and what each does
    #[arg(long, conflicts_with_all = ["engage", "roll", "options"])]
    swm: bool,
    /// Say whom the ship attacks as it stands (SA-9), in place of its activation
    #[arg(long, conflicts_with_all = ["json", "jsonl", "svg", "roll"])]
    engage: bool,
    /// Read many positions, one JSON object a line, and print one answer a line
    #[arg(long, conflicts_with = "svg")]
    jsonl: bool,
    /// Draw the table with the decision into this file (one file a ship, if there are several)
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    vassal: Reading,
}

/// Dice that are given rather than rolled.
#[derive(Debug, Clone, Copy)]
struct Dice {
    defence: Option<DefenceFace>,
    attack: Option<AttackFace>,
}

fn parse_roll(text: &str) -> Result<Dice, String> {
    let (defence, attack) = text::roll(text)?;
    Ok(Dice { defence, attack })
}

/// The round that the dice of a single decision belong to: a position does not say which it is.
const ROUND: u32 = 1;

/// Runs `tallyho decide`.
///
/// # Errors
/// When the input cannot be read or used, a ship cannot be decided for, or the output cannot be written.
pub fn run(arguments: Args, global: &GlobalOptions) -> anyhow::Result<()> {
    Files::of(global)
        .reads("FILE", arguments.file.as_deref())
        .reads("--options", arguments.options.as_deref())
        .writes("--svg", arguments.svg.as_deref())
        .check()?;
    let save = is_save(arguments.file.as_deref());
    if save.is_none() && arguments.vassal.is_given() {
        bail!("--profile, --module and --solo-side are for saves of Vassal (.vsav, .vlog)");
    }
    if arguments.swm {
        return grid::run(&arguments, save);
    }
    let catalog = global.load_catalog()?;
    let options = super::load_options(arguments.options.as_deref())?;
    if arguments.jsonl {
        return lines::run(&arguments, &options, &catalog, global.edition);
    }
    let (mut position, names) = match save {
        Some(path) => arguments.vassal.flight(path, &catalog)?,
        None => input::read(arguments.file.as_deref(), &catalog)?,
    };
    position.warnings.extend(other_edition(&position, global.edition));
    for warning in &position.warnings {
        crate::cli::console::tell!("warning: {warning}");
    }
    let ships: Vec<ObjectId> = chosen(&position, arguments.ship.as_deref(), &names)?
        .into_iter()
        .map(|ship| ship.id.clone())
        .collect();
    // Only now: a ship is asked for by the name that the position gives it.
    names.give_to(&mut position.table);
    let titles = Titles::of(catalog.of_edition(position.table.rules.edition));
    let decloaked = match arguments.engage {
        true => Decloaked::default(),
        false => Decloaked::at_the_start(&mut position, &ships, &arguments, &options),
    };
    let ships: Vec<&Ship> = ships.iter().filter_map(|id| position.table.ship(id)).collect();
    if arguments.engage {
        return say_engagements(&position, &names, &titles, &ships, &arguments);
    }
    let alone = ships.len() == 1;
    let mut decisions = Vec::with_capacity(ships.len());
    let mut left_out = Vec::new();
    for ship in ships {
        match decide(&position, ship, &arguments, &options) {
            Ok(mut activation) => {
                decloaked.tell(&position, &mut activation);
                decisions.push((ship, activation));
            }
            Err(error) if alone => return Err(error.into()),
            // One ship that is the player's to fly does not cost the others their answers.
            Err(error) => left_out.push(error.to_string()),
        }
    }
    for reason in &left_out {
        crate::cli::console::tell!("warning: {reason}");
    }
    if decisions.is_empty() {
        bail!("no solo ship can be decided for");
    }
    if let Some(path) = &arguments.svg {
        draw(
            path,
            arguments.file.as_deref(),
            &position,
            (&names, &titles),
            &decisions,
        )?;
    }
    let mut out = io::stdout().lock();
    if arguments.json {
        let report = Report::new(&position, left_out, (&decisions, &decloaked), &arguments)?;
        // As an I/O error, so that a reader who has seen enough is told from a failure.
        serde_json::to_writer_pretty(&mut out, &report).map_err(io::Error::from)?;
        writeln!(out)?;
        return Ok(());
    }
    if decisions.len() > 1 {
        let ids: Vec<String> = decisions.iter().map(|(ship, _)| names.speak(&ship.id)).collect();
        let words = format!(
            "{} solo ships in {} order: {}. Each is decided on the table as given; give it anew after a ship has \
             moved, or name one with --ship.",
            ids.len(),
            position.table.rules.edition.order_value(),
            ids.join(", ")
        );
        writeln!(out, "{}\n", render::paragraph(&words))?;
    }
    if let Some(key) = names.key(&position.table) {
        writeln!(out, "{}\n", render::paragraph(&key))?;
    }
    for (index, (ship, activation)) in decisions.iter().enumerate() {
        if index > 0 {
            writeln!(out, "\n{}\n", "-".repeat(60))?;
        }
        let told = in_names(&names, &titles, activation);
        write!(out, "{}", render::report(&shown(&names, &titles, &told, ship)))?;
    }
    Ok(())
}

/// That the position says itself of which edition it is, where another was asked for.
fn other_edition(position: &Position, asked: Option<Edition>) -> Option<Warning> {
    let said = position.table.rules.edition;
    let asked = asked.filter(|asked| *asked != said)?;
    Some(Warning {
        place: "edition".to_owned(),
        message: format!(
            "the position says that it is of the {} edition, and is read so; --edition {} counts where a position says nothing",
            said.name(),
            asked.name()
        ),
    })
}

/// The ships to decide for: the one named, else the position's, else all of the side `solo`, in initiative order.
fn chosen<'p>(position: &'p Position, named: Option<&str>, names: &Names) -> anyhow::Result<Vec<&'p Ship>> {
    let table = &position.table;
    if let Some(id) = named.or(position.active.as_deref()) {
        return Ok(vec![named_ship(position, id, names)?]);
    }
    let mut ships: Vec<&Ship> = table.ships_in_play().filter(|ship| ship.side == "solo").collect();
    if ships.is_empty() {
        let known: Vec<String> = (table.ships_in_play()).map(described).collect();
        match known.is_empty() {
            true => bail!("there is no ship on the table to decide for"),
            false => bail!(
                "no ship is of the side `solo`: name the ship to decide for with --ship; there are {}",
                known.join(", ")
            ),
        }
    }
    // The table lists ships by id, and the sort keeps that order among equals (FE-SOLO-2).
    ships.sort_by_key(|ship| ship.initiative);
    Ok(ships)
}

/// The ship of that id, else the only one of that name, else the one that is told by it, as in `Academy Pilot 2`.
fn named_ship<'p>(position: &'p Position, name: &str, names: &Names) -> anyhow::Result<&'p Ship> {
    let table = &position.table;
    if let Some(ship) = table.ship(name) {
        return Ok(ship);
    }
    let mut of_name = table.ships.iter().filter(|ship| ship.name.eq_ignore_ascii_case(name));
    match (of_name.next(), of_name.next()) {
        (Some(ship), None) => Ok(ship),
        (Some(one), Some(other)) => bail!("`{name}` is the name of {} and {}: give the id", one.id, other.id),
        (None, _) => {
            let told = |ship: &&Ship| names.of(&ship.id).is_some_and(|told| told.eq_ignore_ascii_case(name));
            if let Some(ship) = table.ships.iter().find(told) {
                return Ok(ship);
            }
            let known: Vec<String> = table.ships.iter().map(described).collect();
            bail!("there is no ship `{name}`; there are {}", known.join(", "));
        }
    }
}

fn described(ship: &Ship) -> String {
    match ship.name.is_empty() || ship.name == *ship.id {
        true => format!("{} ({})", ship.id, ship.side),
        false => format!("{} {} ({})", ship.id, ship.name, ship.side),
    }
}

fn decide(position: &Position, ship: &Ship, arguments: &Args, options: &Options) -> Result<Activation, DecideError> {
    let given = arguments.roll.unwrap_or(Dice {
        defence: None,
        attack: None,
    });
    let mut dice = FixedRoll {
        defence: given.defence.or(position.roll.defence),
        attack: given.attack.or(position.roll.attack),
        rest: SeededDice::for_activation(arguments.seed, ROUND, &ship.id),
    };
    let situation = Situation {
        forced_tally: position.forced_tally.clone(),
    };
    solo_alpha::decide(&position.table, &ship.id, &situation, options, &mut dice)
}

/// SA-9: the attack that a ship makes as the position has it.
fn engagement(position: &Position, ship: &Ship, arguments: &Args) -> Result<Engagement, DecideError> {
    let mut dice = SeededDice::for_activation(arguments.seed, ROUND, &ship.id);
    engage(&position.table, &ship.id, &no_abilities, &mut dice)
}

/// Prints whom each ship attacks, the highest initiative first, as ships engage.
fn say_engagements(
    position: &Position,
    names: &Names,
    titles: &Titles,
    ships: &[&Ship],
    arguments: &Args,
) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    if let Some(key) = names.key(&position.table) {
        writeln!(out, "{}\n", render::paragraph(&key))?;
    }
    let mut order = ships.to_vec();
    order.sort_by_key(|ship| std::cmp::Reverse(ship.initiative));
    for (index, ship) in order.into_iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        let Engagement { sentence, reasons, .. } = engagement(position, ship, arguments)?;
        let sentence = render::paragraph(&titles.speak(&names.speak(&sentence)));
        let why = render::why(&reasons_in_names(names, titles, &reasons));
        write!(out, "{sentence}\n\n{why}")?;
    }
    Ok(())
}

/// The activation with names in place of ids that no player reads, in whatever is told of it.
fn in_names(names: &Names, titles: &Titles, activation: &Activation) -> Activation {
    Activation {
        sentence: titles.speak(&names.speak(&activation.sentence)),
        reasons: reasons_in_names(names, titles, &activation.reasons),
        ..activation.clone()
    }
}

fn reasons_in_names(names: &Names, titles: &Titles, reasons: &[Reason]) -> Vec<Reason> {
    let mut told = reasons.to_vec();
    for reason in &mut told {
        reason.text = titles.speak(&names.speak(&reason.text));
        for compared in &mut reason.compared {
            compared.candidate = titles.speak(&names.speak(&compared.candidate));
        }
    }
    told
}

/// What people are shown of an activation that tells names.
fn shown<'a>(names: &Names, titles: &Titles, told: &'a Activation, ship: &Ship) -> Decided<'a> {
    let mut decided = Decided::of(told, ship);
    for (_, fact) in &mut decided.facts {
        *fact = titles.speak(&names.speak(fact));
    }
    decided
}

/// Draws each decision; several go into one file each, with the ship's id in its name.
fn draw(
    path: &Path,
    read: Option<&Path>,
    position: &Position,
    (names, titles): (&Names, &Titles),
    decisions: &[(&Ship, Activation)],
) -> anyhow::Result<()> {
    let mut taken = HashSet::new();
    let table = names.on_a_picture(&position.table);
    for (ship, activation) in decisions {
        let path = match decisions.len() {
            1 => path.to_owned(),
            _ => beside(path, &ship.id, &mut taken),
        };
        let title = match position.id.is_empty() {
            true => names.speak(&ship.id),
            false => format!("{}: {}", position.id, names.speak(&ship.id)),
        };
        let told = in_names(names, titles, activation);
        let decided = shown(names, titles, &told, ship);
        Files::default()
            .reads("FILE", read)
            .writes("--svg", Some(&path))
            .check()?;
        let picture = render::svg(&table, Some(&decided), &title);
        std::fs::write(&path, picture).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// `picture.svg` and `A` make `picture-A.svg`. An id may hold anything, a file name may not; where two ids then make the same
/// name, on a system that takes `a` for `A` too, the later one gets a number.
fn beside(path: &Path, id: &str, taken: &mut HashSet<String>) -> PathBuf {
    let safe = |letter: char| {
        if letter.is_alphanumeric() || "-_.".contains(letter) {
            letter
        } else {
            '_'
        }
    };
    let id: String = id.chars().map(safe).collect();
    let mut name = id.clone();
    for number in 2.. {
        if taken.insert(name.to_lowercase()) {
            break;
        }
        name = format!("{id}-{number}");
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().unwrap_or("svg".as_ref()).to_string_lossy();
    path.with_file_name(format!("{stem}-{name}.{extension}"))
}

/// What `--json` prints.
#[derive(Debug, Serialize)]
struct Report<'a> {
    id: &'a str,
    warnings: Vec<String>,
    decisions: Vec<Explained<'a>>,
}

/// An answer with everything that led to it.
#[derive(Debug, Serialize)]
struct Explained<'a> {
    #[serde(flatten)]
    answer: Answer,
    /// The whole in one sentence.
    sentence: &'a str,
    /// The dice as rolled.
    roll: String,
    /// The chart's entry that was carried out.
    entry: &'a str,
    /// Why, in the order of the rules.
    reasons: &'a [Reason],
    /// The attack in one sentence.
    engage_sentence: String,
    /// Why this attack.
    engage_reasons: Vec<Reason>,
}

impl<'a> Report<'a> {
    fn new(
        position: &'a Position,
        left_out: Vec<String>,
        (decisions, decloaked): (&'a [(&Ship, Activation)], &Decloaked),
        arguments: &Args,
    ) -> Result<Self, DecideError> {
        let warnings = position.warnings.iter().map(ToString::to_string);
        let explained = decisions.iter().map(|(ship, activation)| {
            let engagement = engagement(position, ship, arguments)?;
            let mut answer = Answer::new(&position.id, activation, engagement.attack.as_ref(), Vec::new());
            decloaked.answer(&mut answer);
            Ok(Explained {
                answer,
                sentence: &activation.sentence,
                roll: activation.approach.roll.to_string(),
                entry: &activation.approach.entry,
                reasons: &activation.reasons,
                engage_sentence: engagement.sentence,
                engage_reasons: engagement.reasons,
            })
        });
        Ok(Report {
            id: &position.id,
            warnings: warnings.chain(left_out).collect(),
            decisions: explained.collect::<Result<_, DecideError>>()?,
        })
    }
}
