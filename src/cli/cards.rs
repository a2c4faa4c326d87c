//! `tallyho cards`: what cards do, and how much of them is played.

use std::{
    collections::BTreeSet,
    io::{self, Write},
};

use serde::Serialize;

use super::GlobalOptions;
use crate::xwing::{
    battle::support::INTERPRETERS,
    catalog::{
        Catalog,
        coverage::{CardState, Coverage, Tally, entry_of, states},
        normalized,
    },
    effects::{CardId, Support},
};

/// Arguments of `tallyho cards`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tallyho cards                  how many cards are played, partly played, asked about
  tallyho cards Howlrunner       what a card does in the words of the language, and what of it is played
  tallyho cards --state asked    the cards that are asked about

The language is described in docs/cards.md; a file of your own is given with --card-file.")]
pub struct Args {
    /// A card's id (`pilot:howlrunner`), xws id or name [default: the count of all cards]
    #[arg(value_name = "NAME")]
    name: Vec<String>,
    /// List the cards of this state
    #[arg(long, value_enum, value_name = "STATE", conflicts_with = "name")]
    state: Option<State>,
    /// Only cards that this faction may have (xws id)
    #[arg(long, value_name = "FACTION", requires = "state")]
    faction: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum State {
    Played,
    Partly,
    Asked,
}

impl State {
    const fn support(self) -> Support {
        match self {
            State::Played => Support::Played,
            State::Partly => Support::Partly,
            State::Asked => Support::Asked,
        }
    }
}

/// Prints what is known of cards.
///
/// # Errors
/// When the catalog or the card file cannot be read, no card is of that name, or the output cannot be written.
pub fn run(arguments: Args, global: &GlobalOptions) -> anyhow::Result<()> {
    global.log_to_stderr();
    let catalog = global.load_catalog()?;
    if let Some(note) = facts_only(&catalog) {
        crate::cli::console::tell!("note: {note}");
    }
    let mut out = io::stdout().lock();
    if let Some(state) = arguments.state {
        return list(
            &catalog,
            state.support(),
            arguments.faction.as_deref(),
            arguments.json,
            &mut out,
        );
    }
    if arguments.name.is_empty() {
        let coverage = Coverage::of(&catalog, INTERPRETERS);
        return match arguments.json {
            true => json(&coverage, &mut out),
            false => write_coverage(&coverage, &mut out),
        };
    }
    show(&catalog, &arguments.name.join(" "), arguments.json, &mut out)
}

/// What to say where no card has an entry, as in the first edition: there are facts alone, however many cards there are.
fn facts_only(catalog: &Catalog) -> Option<String> {
    is_facts_only(catalog).then(|| {
        format!(
            "cards of the {} edition are facts only: slots, costs, actions, values, weapons and bombs are played; what their texts \
             say is left to the players, who are told when such a card is there. Damage cards are played",
            catalog.edition().name()
        )
    })
}

fn is_facts_only(catalog: &Catalog) -> bool {
    catalog.cards().cards().next().is_none()
}

fn json(value: &impl Serialize, out: &mut impl Write) -> anyhow::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    writeln!(out)?;
    Ok(())
}

const fn word(state: Support) -> &'static str {
    match state {
        Support::Played => "played",
        Support::Partly => "partly",
        Support::Asked => "asked",
    }
}

fn write_coverage(coverage: &Coverage, out: &mut impl Write) -> anyhow::Result<()> {
    let head = |out: &mut dyn Write, what: &str| {
        writeln!(
            out,
            "{what:24} {:>6} {:>7} {:>7} {:>7}",
            "cards", "played", "partly", "asked"
        )
    };
    let line = |out: &mut dyn Write, what: &str, tally: &Tally| {
        let (total, Tally { played, partly, asked }) = (tally.total(), *tally);
        writeln!(out, "{what:24} {total:6} {played:7} {partly:7} {asked:7}")
    };
    head(out, "by kind")?;
    for (kind, tally) in &coverage.kinds {
        line(out, kind, tally)?;
    }
    line(out, "all", &coverage.all)?;
    writeln!(out)?;
    head(out, "by faction")?;
    for (faction, tally) in &coverage.factions {
        line(out, faction, tally)?;
    }
    writeln!(out)?;
    head(out, "by window")?;
    for (window, tally) in &coverage.windows {
        line(out, window.word(), tally)?;
    }
    Ok(())
}

fn list(
    catalog: &Catalog,
    state: Support,
    faction: Option<&str>,
    as_json: bool,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let faction = faction.map(normalized);
    let found: Vec<CardState> = states(catalog, INTERPRETERS)
        .into_iter()
        .filter(|card| card.state == state && !card.blank)
        .filter(|card| match &faction {
            Some(faction) => card.factions.is_empty() || card.factions.contains(faction),
            None => true,
        })
        .collect();
    if as_json {
        return json(&found, out);
    }
    for card in &found {
        writeln!(out, "{:44} {}", card.id.to_string(), card.name)?;
    }
    Ok(())
}

/// One card, for a program.
#[derive(Serialize)]
struct Shown<'c> {
    id: &'c CardId,
    name: &'c str,
    factions: &'c [String],
    state: Support,
    /// The entry of the book, in its own form.
    entry: Option<serde_json::Value>,
    /// What of each effect is played.
    effects: Vec<Support>,
}

fn show(catalog: &Catalog, name: &str, as_json: bool, out: &mut impl Write) -> anyhow::Result<()> {
    let wanted = normalized(name);
    // The ids that a name of the catalog means; what somebody calls a ship may have several cards.
    let means: BTreeSet<String> = catalog
        .find_pilots(name, None)
        .iter()
        .map(|pilot| pilot.xws.clone())
        .chain(catalog.find_upgrade(name).map(|(upgrade, _)| upgrade.xws.clone()))
        .collect();
    let all = states(catalog, INTERPRETERS);
    let found: Vec<&CardState> = all
        .iter()
        .filter(|card| {
            let id = card.id.to_string();
            id == name.trim()
                || normalized(&card.name) == wanted
                || card.id.xws == wanted
                || means.contains(&card.id.xws)
        })
        .collect();
    if found.is_empty() {
        anyhow::bail!(
            "no card is called `{name}`; `tallyho catalog list --pilots` lists pilots, `tallyho cards --state played` cards"
        );
    }
    if as_json {
        let shown: Vec<Shown<'_>> = found.iter().map(|card| shown(catalog, card)).collect();
        return json(&shown, out);
    }
    for (place, card) in found.iter().enumerate() {
        if place > 0 {
            writeln!(out)?;
        }
        write_card(catalog, card, out)?;
    }
    Ok(())
}

fn shown<'c>(catalog: &Catalog, card: &'c CardState) -> Shown<'c> {
    let entry = entry_of(catalog, &card.id);
    Shown {
        id: &card.id,
        name: &card.name,
        factions: &card.factions,
        state: card.state,
        entry: entry.and_then(|entry| serde_json::to_value(&**entry).ok()),
        effects: entry.map_or_else(Vec::new, |entry| {
            let effects = entry.effects.iter();
            effects.map(|effect| effect.support(INTERPRETERS)).collect()
        }),
    }
}

fn write_card(catalog: &Catalog, card: &CardState, out: &mut impl Write) -> anyhow::Result<()> {
    let factions = match card.factions.is_empty() {
        true => "any faction".to_owned(),
        false => card.factions.join(", "),
    };
    writeln!(out, "{} ({}; {factions}): {}", card.name, card.id, word(card.state))?;
    let Some(entry) = entry_of(catalog, &card.id) else {
        let what = match is_facts_only(catalog) {
            true => "facts only: what its text says is left to the players",
            false => "no entry: its effects are asked about",
        };
        writeln!(out, "  {what}")?;
        return Ok(());
    };
    if entry.blank {
        writeln!(out, "  no text")?;
    }
    if entry.grants {
        writeln!(out, "  the catalog carries what it gives: actions, slots, values")?;
    }
    if let Some(weapon) = &entry.weapon {
        writeln!(out, "  a weapon: {}", weapon.in_words())?;
    }
    if let Some(unread) = &entry.unread {
        writeln!(out, "  not said here: {unread}")?;
    }
    if entry.draft {
        writeln!(out, "  a draft: not yet compared with the card")?;
    }
    for (place, effect) in entry.effects.iter().enumerate() {
        writeln!(out, "  {}. {}", place + 1, word(effect.support(INTERPRETERS)))?;
        for line in effect.in_words() {
            writeln!(out, "     {line}")?;
        }
    }
    Ok(())
}
