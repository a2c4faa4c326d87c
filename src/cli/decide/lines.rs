//! `tallyho decide --jsonl`: many positions, one a line, answered one a line as they come.

use std::{
    io::{self, BufRead, BufReader, BufWriter, Read, Write},
    path::Path,
};

use anyhow::{Context as _, bail};
use serde::{Deserialize, Serialize};

use super::{Args, chosen, cloaked::Decloaked, decide, engagement, input, other_edition};
use crate::{
    bridge::{
        names::Names,
        position::{self, Answer},
    },
    cli::told,
    record::words,
    solo_alpha::{DecideError, Options},
    xwing::{ObjectId, catalog::Catalog, edition::Edition, ship::Ship},
};

/// Longest line, bytes.
const MAX_LINE_BYTES: u64 = 16 * 1024 * 1024;

/// The answer to a line that cannot be answered.
#[derive(Debug, Serialize)]
struct Failure {
    /// The position's id, if it has one.
    id: Option<String>,
    /// The number of the line, from 1.
    line: usize,
    /// What is wrong.
    error: String,
}

/// Runs over all lines of a file or of standard input.
pub(super) fn run(
    arguments: &Args,
    options: &Options,
    catalog: &Catalog,
    edition: Option<Edition>,
) -> anyhow::Result<()> {
    each(arguments, |text| answer(text, arguments, options, (catalog, edition)))
}

/// Answers every line of a file or of standard input.
pub(super) fn each<A: Serialize>(arguments: &Args, answer: impl Fn(&str) -> anyhow::Result<A>) -> anyhow::Result<()> {
    let file = arguments.file.as_deref().filter(|path| *path != Path::new("-"));
    let source: Box<dyn Read> = match file {
        Some(path) => Box::new(std::fs::File::open(path).with_context(|| format!("cannot open {}", path.display()))?),
        None => {
            input::refuse_silent_terminal(arguments.file.as_deref())?;
            Box::new(io::stdin().lock())
        }
    };
    let source = BufReader::with_capacity(1 << 16, source);
    let out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    answer_all(source, out, answer)
}

fn answer_all<A: Serialize>(
    mut source: BufReader<impl Read>,
    mut out: impl Write,
    answer: impl Fn(&str) -> anyhow::Result<A>,
) -> anyhow::Result<()> {
    let (mut number, mut answered, mut failed) = (0_usize, 0_usize, 0_usize);
    let mut line = Vec::new();
    loop {
        // Nobody should wait for an answer that is already there: what is written goes out before a read that may block.
        if source.buffer().is_empty() {
            out.flush()?;
        }
        line.clear();
        let read = (&mut source).take(MAX_LINE_BYTES + 1).read_until(b'\n', &mut line)?;
        if read == 0 {
            break;
        }
        number += 1;
        let too_long = line.len() as u64 > MAX_LINE_BYTES && line.last() != Some(&b'\n');
        if too_long {
            skip_line(&mut source)?;
        }
        let answer = match (too_long, std::str::from_utf8(&line)) {
            (true, _) => Err(Failure {
                id: None,
                line: number,
                error: format!("longer than {} MiB", MAX_LINE_BYTES >> 20),
            }),
            (_, Err(error)) => Err(Failure {
                id: None,
                line: number,
                error: format!("no text: byte {} is not UTF-8", error.valid_up_to()),
            }),
            (_, Ok(text)) if text.trim_matches('\u{feff}').trim().is_empty() => continue,
            // Without its end, so that an error is not put into the line after it.
            (_, Ok(text)) => answer(text.trim_start_matches('\u{feff}').trim_end()).map_err(|error| Failure {
                id: id_of(text),
                line: number,
                error: told(&error),
            }),
        };
        match answer {
            Ok(answer) => {
                answered += 1;
                serde_json::to_writer(&mut out, &answer).map_err(io::Error::from)?;
            }
            Err(failure) => {
                failed += 1;
                serde_json::to_writer(&mut out, &failure).map_err(io::Error::from)?;
            }
        }
        out.write_all(b"\n")?;
    }
    out.flush()?;
    if failed > 0 {
        let total = answered + failed;
        let total = words::count(total as u32, "position");
        bail!("{failed} of {total} could not be answered; their lines have an `error`");
    }
    Ok(())
}

/// The answer to a position.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Decided {
    /// For the ship that is named, or the only solo ship.
    One(Box<Answer>),
    /// For every solo ship, in initiative order, on the table as given.
    Each {
        id: String,
        decisions: Vec<Answer>,
        warnings: Vec<String>,
    },
}

fn answer(
    text: &str,
    arguments: &Args,
    options: &Options,
    (catalog, edition): (&Catalog, Option<Edition>),
) -> anyhow::Result<Decided> {
    let mut position = position::parse(text, catalog)?;
    position.warnings.extend(other_edition(&position, edition));
    let mut names = Names::default();
    if arguments.ship.is_some() {
        names.learn_ships(&position.table);
    }
    let ships: Vec<ObjectId> = (chosen(&position, arguments.ship.as_deref(), &names)?.into_iter())
        .map(|ship| ship.id.clone())
        .collect();
    let decloaked = Decloaked::at_the_start(&mut position, &ships, arguments, options);
    let ships: Vec<&Ship> = ships.iter().filter_map(|id| position.table.ship(id)).collect();
    let mut warnings: Vec<String> = position.warnings.iter().map(ToString::to_string).collect();
    let one = |ship: &Ship, warnings: Vec<String>| {
        let activation = decide(&position, ship, arguments, options)?;
        let attack = engagement(&position, ship, arguments)?.attack;
        let mut answer = Answer::new(&position.id, &activation, attack.as_ref(), warnings);
        decloaked.answer(&mut answer);
        Ok::<_, DecideError>(answer)
    };
    if let [ship] = ships[..] {
        return Ok(Decided::One(Box::new(one(ship, warnings)?)));
    }
    let mut decisions = Vec::with_capacity(ships.len());
    for ship in ships {
        match one(ship, Vec::new()) {
            Ok(decision) => decisions.push(decision),
            // One ship that is the player's to fly does not cost the others their answers.
            Err(error) => warnings.push(error.to_string()),
        }
    }
    if decisions.is_empty() {
        bail!("no solo ship can be decided for: {}", warnings.join("; "));
    }
    Ok(Decided::Each {
        id: position.id.clone(),
        decisions,
        warnings,
    })
}

/// The id of a position that is otherwise not understood.
fn id_of(text: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Named {
        id: serde_json::Value,
    }
    match serde_json::from_str::<Named>(text).ok()?.id {
        serde_json::Value::String(id) => Some(id),
        serde_json::Value::Number(id) => Some(id.to_string()),
        _ => None,
    }
}

/// Leaves the rest of a line that is too long.
fn skip_line(source: &mut impl BufRead) -> io::Result<()> {
    loop {
        let available = source.fill_buf()?;
        if available.is_empty() {
            return Ok(());
        }
        match available.iter().position(|byte| *byte == b'\n') {
            Some(end) => {
                source.consume(end + 1);
                return Ok(());
            }
            None => {
                let all = available.len();
                source.consume(all);
            }
        }
    }
}
