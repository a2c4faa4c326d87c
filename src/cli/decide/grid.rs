//! `tallyho decide --swm`: who activates in which order in Star Wars Miniatures, and what each figure does.

use std::{
    io::{self, Write as _},
    path::Path,
};

use anyhow::{Context as _, anyhow, bail};
use serde::Serialize;

use super::{Args, beside, input, lines};
use crate::{
    bridge::grid::{self, Answer, GridPosition},
    decision::Reason,
    dice::SeededDice,
    render,
    swm::opponent::{
        Telling,
        activation::{self, Waiting},
    },
};

/// An answer with everything that led to it.
#[derive(Debug, Serialize)]
struct Report<'a> {
    #[serde(flatten)]
    answer: Answer,
    /// Why the first one is first.
    order_reason: Reason,
    /// Why each does what it does.
    reasons: std::collections::BTreeMap<&'a str, &'a [Reason]>,
}

/// What the words of the order mean.
const TIERS: &str = "Tier 1 stands beside an enemy, tier 2 has one within 6 squares, tier 3 has none so near. In a tier the fewest \
    hit points come first, then the best attack, then the most damage of the attacks that it would make, then north, then east.";

fn order(position: &GridPosition, seed: u64) -> (Vec<Waiting>, Reason) {
    activation::order(&position.board, &position.options, &mut SeededDice::new(seed))
}

fn answer(position: GridPosition, seed: u64) -> Answer {
    let mut dice = SeededDice::new(seed);
    let (order, _) = activation::order_told(&position.board, &position.options, &mut dice, Telling::Brief);
    Answer::new(&position.id, &order, &position.sightings, position.warnings)
}

/// Runs `tallyho decide --swm`.
///
/// # Errors
/// When the input cannot be read or used, or the output cannot be written.
pub(super) fn run(arguments: &Args, save: Option<&Path>) -> anyhow::Result<()> {
    if arguments.jsonl {
        return lines::each(arguments, |text| Ok(answer(grid::parse_json(text)?, arguments.seed)));
    }
    let mut position = match save {
        Some(path) => arguments.vassal.skirmish(path)?,
        None => {
            let (name, text) = input::read_text(arguments.file.as_deref())?;
            grid::parse(&text)
                .map_err(|error| anyhow!("{error}"))
                .with_context(|| name)?
        }
    };
    for warning in std::mem::take(&mut position.warnings) {
        crate::cli::console::tell!("warning: {}", grid::spoken(&warning));
    }
    let (mut order, reason) = order(&position, arguments.seed);
    if let Some(id) = &arguments.ship {
        let waiting: Vec<String> = order.iter().map(|waiting| waiting.figure.clone()).collect();
        order.retain(|waiting| waiting.figure == *id);
        if order.is_empty() && !waiting.is_empty() {
            bail!(
                "no automated figure `{id}` has yet to activate; there {} {}",
                if waiting.len() == 1 { "is" } else { "are" },
                waiting.join(", ")
            );
        }
    }
    if order.is_empty() {
        bail!("no automated figure has yet to activate: small letters on the map are automated");
    }
    if let Some(path) = &arguments.svg {
        let mut taken = std::collections::HashSet::new();
        let mut drawn = Vec::new();
        for waiting in &order {
            let path = match order.len() {
                1 => path.clone(),
                _ => beside(path, &waiting.figure, &mut taken),
            };
            let picture = render::grid_svg(&position.board, Some(&waiting.turn), &position.options, &position.id);
            std::fs::write(&path, picture).with_context(|| format!("cannot write {}", path.display()))?;
            drawn.push(path.display().to_string());
        }
        // Several pictures have names that nobody gave.
        if drawn.len() > 1 {
            crate::cli::console::tell!("drawn: {}", drawn.join(", "));
        }
    }
    let mut out = io::stdout().lock();
    if arguments.json {
        let report = Report {
            answer: Answer::new(&position.id, &order, &position.sightings, Vec::new()),
            order_reason: reason,
            reasons: order
                .iter()
                .map(|waiting| (&*waiting.figure, &*waiting.turn.reasons))
                .collect(),
        };
        serde_json::to_writer_pretty(&mut out, &report).map_err(io::Error::from)?;
        writeln!(out)?;
        return Ok(());
    }
    let ids: Vec<&str> = order.iter().map(|waiting| &*waiting.figure).collect();
    writeln!(
        out,
        "{}\n",
        render::paragraph(&format!("Order if nothing changes: {}.", ids.join(", ")))
    )?;
    write!(out, "{}", render::why(&[reason]))?;
    writeln!(out, "{}", render::paragraph(TIERS))?;
    for waiting in &order {
        let turn = &waiting.turn;
        writeln!(
            out,
            "\n{}\n",
            render::paragraph(&format!("{} ({}, {})", turn.sentence, turn.kind.name(), turn.rule))
        )?;
        write!(out, "{}", render::why(&turn.reasons))?;
    }
    Ok(())
}
