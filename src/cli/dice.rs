//! `tallyho dice`: exact attacks, from a table of pools to a table of what comes of them.

use std::{
    fmt::Write as _,
    fs::File,
    io::{self, Read, Write},
    path::PathBuf,
};

use anyhow::{Context as _, bail};

use super::GlobalOptions;
use crate::xwing::combat::{Attack, AttackTokens, DamageRule, DefenceTokens, DiceRules, MAX_DICE};

/// Arguments of `tallyho dice`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The input is CSV with a header line. The columns below are needed, in any order; others are left alone.

  case         names the row
  edition      1e or 2e
  atk_dice     attack dice rolled, range already added
  atk_focus    the attacker's focus tokens; likewise atk_lock, atk_calculate, atk_force
  def_dice     defence dice rolled, range and obstruction already added
  def_focus    the defender's focus tokens; likewise def_evade, def_calculate, def_force
  def_reinforce  its reinforce tokens whose arc the attacker is in

The output is CSV: expected damage, how much of it is hits and crits, and the chance of exactly 0, 1, 2 ... damage, both
sides spending as well as can be. Damage is uncancelled results, before shields. There are columns up to p_dmg_5, and more
where a row has more attack dice.

  tallyho dice attacks.csv > expected.csv
  tallyho dice - < attacks.csv")]
pub struct Args {
    /// The table of attacks; `-` reads standard input
    #[arg(value_name = "FILE.csv")]
    file: PathBuf,
}

/// The columns that are read, in the order in which they are named.
const COLUMNS: [&str; 13] = [
    "case",
    "edition",
    "atk_dice",
    "atk_focus",
    "atk_lock",
    "atk_calculate",
    "atk_force",
    "def_dice",
    "def_focus",
    "def_evade",
    "def_calculate",
    "def_force",
    "def_reinforce",
];

/// So much damage has a column whatever the rows are.
const LEAST_DAMAGE_COLUMNS: usize = 5;

/// After so many wrong cells the rest is not listed.
const LISTED_ERRORS: usize = 20;

/// One row of the input.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Row {
    case: String,
    attack: Attack,
}

/// Runs `tallyho dice`.
///
/// # Errors
/// When the file cannot be read, a column is missing, a cell is not what its column asks for (line and column are named,
/// and nothing is computed), or the output cannot be written.
pub fn run(arguments: Args, _global: &GlobalOptions) -> anyhow::Result<()> {
    let from_stdin = arguments.file.as_os_str() == "-";
    let name = if from_stdin {
        "standard input".to_owned()
    } else {
        arguments.file.display().to_string()
    };
    let source: Box<dyn Read> = if from_stdin {
        Box::new(io::stdin().lock())
    } else {
        Box::new(File::open(&arguments.file).with_context(|| format!("cannot open {name}"))?)
    };
    let rows = read(source).with_context(|| format!("{name} cannot be used"))?;
    write(&rows, io::stdout().lock()).context("cannot write the answers")
}

/// Reads all rows. Errors name the line and the column.
fn read(source: impl Read) -> anyhow::Result<Vec<Row>> {
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .flexible(true)
        .from_reader(source);
    let header = reader
        .byte_headers()
        .context("line 1: the header cannot be read")?
        .clone();
    let names: Vec<String> = header
        .iter()
        .enumerate()
        .map(|(index, name)| {
            // Spreadsheets put a byte order mark before the first name.
            let name = if index == 0 {
                name.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(name)
            } else {
                name
            };
            String::from_utf8_lossy(name).trim().to_owned()
        })
        .collect();
    // Nobody can say which of two is meant.
    let is_double = |column: &&str| names.iter().filter(|name| name == column).count() > 1;
    let double: Vec<&str> = COLUMNS.into_iter().filter(|column| is_double(column)).collect();
    if !double.is_empty() {
        bail!(
            "line 1: more than one column {}; give each name once",
            double.join(", ")
        );
    }
    let mut places = [0; COLUMNS.len()];
    let mut missing = Vec::new();
    for (place, column) in places.iter_mut().zip(COLUMNS) {
        match names.iter().position(|name| name == column) {
            Some(found) => *place = found,
            None => missing.push(column),
        }
    }
    if !missing.is_empty() {
        bail!(
            "line 1: no column {}; the header needs {}",
            missing.join(", "),
            COLUMNS.join(",")
        );
    }
    let (mut rows, mut errors) = (Vec::new(), Vec::new());
    let mut record = csv::ByteRecord::new();
    loop {
        let read = reader.read_byte_record(&mut record);
        let more = read.map_err(|error| {
            let line = error.position().map_or(0, csv::Position::line);
            anyhow::anyhow!("line {line}: {error}")
        })?;
        if !more {
            break;
        }
        let line = record.position().map_or(0, csv::Position::line);
        let wrong = errors.len();
        let row = row(&record, &places, line, &mut errors);
        if errors.len() == wrong {
            rows.push(row);
        }
    }
    if errors.is_empty() {
        return Ok(rows);
    }
    let mut message = String::new();
    for error in errors.iter().take(LISTED_ERRORS) {
        let _ = write!(message, "\n  {error}");
    }
    if errors.len() > LISTED_ERRORS {
        let _ = write!(message, "\n  and {} more", errors.len() - LISTED_ERRORS);
    }
    bail!("nothing was computed:{message}")
}

/// One row; what is wrong with it goes to `errors`.
fn row(record: &csv::ByteRecord, places: &[usize; COLUMNS.len()], line: u64, errors: &mut Vec<String>) -> Row {
    let cell = |column: usize| record.get(places[column]).map(String::from_utf8_lossy);
    let mut wrong = |column: usize, found: &str, expected: &str| {
        errors.push(format!("line {line}, column {}: {found}; {expected}", COLUMNS[column]));
    };
    let rules = match cell(1).as_deref() {
        Some("1e") => DiceRules::FIRST,
        Some("2e") => DiceRules::SECOND,
        other => {
            wrong(1, &quoted(other), "write 1e or 2e");
            DiceRules::default()
        }
    };
    let mut count = |column: usize, most: u8, what: &str| -> u8 {
        let text = cell(column);
        match text.as_deref().map(str::parse::<u64>) {
            Some(Ok(count)) if count <= u64::from(most) => count as u8,
            _ => {
                wrong(
                    column,
                    &quoted(text.as_deref()),
                    &format!("write a whole number of {what} from 0 to {most}"),
                );
                0
            }
        }
    };
    let attack = Attack {
        rules,
        attack_dice: count(2, MAX_DICE, "dice"),
        attack_tokens: AttackTokens {
            focus: count(3, u8::MAX, "tokens"),
            lock: count(4, u8::MAX, "locks"),
            calculate: count(5, u8::MAX, "tokens"),
            force: count(6, u8::MAX, "charges"),
        },
        defence_dice: count(7, MAX_DICE, "dice"),
        defence_tokens: DefenceTokens {
            focus: count(8, u8::MAX, "tokens"),
            evade: count(9, u8::MAX, "tokens"),
            calculate: count(10, u8::MAX, "tokens"),
            force: count(11, u8::MAX, "charges"),
            reinforce: count(12, u8::MAX, "tokens"),
        },
        rule: DamageRule::Results,
    };
    let case = match record.get(places[0]).map(std::str::from_utf8) {
        Some(Ok(case)) => case.to_owned(),
        Some(Err(_)) => {
            wrong(0, "it is not UTF-8", "save the file as UTF-8");
            String::new()
        }
        None => {
            wrong(0, &quoted(None), "name the row");
            String::new()
        }
    };
    Row { case, attack }
}

fn quoted(cell: Option<&str>) -> String {
    match cell {
        None => "the line ends before it".to_owned(),
        Some("") => "it is empty".to_owned(),
        Some(text) => format!("`{text}` is not possible"),
    }
}

/// Writes the answers.
fn write(rows: &[Row], out: impl Write) -> anyhow::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    let most = rows.iter().map(|row| usize::from(row.attack.attack_dice)).max();
    let columns = most.unwrap_or(0).max(LEAST_DAMAGE_COLUMNS);
    let mut header: Vec<String> = ["case", "expected_damage", "expected_hits", "expected_crits"]
        .map(str::to_owned)
        .to_vec();
    header.extend((0..=columns).map(|damage| format!("p_dmg_{damage}")));
    writer.write_record(&header)?;
    for row in rows {
        let forecast = row.attack.forecast();
        let mut cells = vec![row.case.clone()];
        cells.extend([forecast.damage, forecast.hits, forecast.crits].map(number));
        cells.extend((0..=columns).map(|damage| number(forecast.chances.get(damage).copied().unwrap_or(0.0))));
        writer.write_record(&cells)?;
    }
    writer.flush()?;
    Ok(())
}

/// Twelve digits behind the point.
fn number(value: f64) -> String {
    format!("{value:.12}")
}
