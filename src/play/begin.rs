//! What is asked before a game: what is played, by whom, with which seed.

use std::io;

use super::console::Console;
use crate::{
    record::{Beginning, Start},
    solo_alpha::Options,
    xwing::scenario::Scenario,
};

/// The squads that are proposed.
pub const SQUADS: (&str, &str) = ("2*t65xwing", "4*tielnfighter");
/// After so many rounds a game of two squads is over, unless somebody wants it otherwise.
pub const ROUNDS: u32 = 20;

/// The players' faction that is proposed.
const FACTION: &str = "rebelalliance";

/// The usual enemy of a faction.
pub fn usual_enemy(faction: &str) -> &'static str {
    match faction {
        "galacticempire" => "rebelalliance",
        _ => "galacticempire",
    }
}

/// A game of the introductory scenario as it is usually played.
pub fn intro(faction: &str) -> Start {
    Start::Scenario {
        scenario: Scenario::intro().id.clone(),
        faction: faction.to_owned(),
        enemy: usual_enemy(faction).to_owned(),
        player_ships: Scenario::intro().player_ships.usual,
        variant: None,
        ace: None,
        take: Vec::new(),
        squad: None,
        enemy_squad: None,
    }
}

/// Asks for a game. Who types nothing gets what stands in brackets; at the end of the input all the rest is that.
///
/// # Errors
/// Nobody reads any more, or the input cannot be read.
pub fn ask(console: &mut Console<'_>, options: Options, seed: u64) -> io::Result<Beginning> {
    console.say("A new game. Press Enter for what stands in brackets.")?;
    let scenario = one_of(
        console,
        "What is played? scenario: the introductory scenario; squads: two squads",
        &["scenario", "squads"],
    )?;
    let start = if scenario == "squads" {
        console.say(
            "A squad is a list of ships, as in 2*t65xwing/bluesquadronescort+protontorpedoes,rz1awing (docs/play.md).",
        )?;
        Start::Squads {
            player: text(console, "Your squad?", SQUADS.0)?,
            solo: text(console, "The solo side's squad?", SQUADS.1)?,
        }
    } else {
        let scenario = Scenario::intro();
        let mut factions: Vec<&str> = scenario.squads.iter().map(|squad| squad.faction.as_str()).collect();
        factions.sort_by_key(|faction| *faction != FACTION);
        let faction = one_of(console, "Your faction?", &factions)?;
        let mut enemies = factions.clone();
        enemies.sort_by_key(|enemy| *enemy != usual_enemy(&faction));
        let enemy = one_of(console, "The solo side's faction?", &enemies)?;
        let mut variants = vec!["none"];
        variants.extend(scenario.variants.iter().map(|variant| variant.id.as_str()));
        let chosen = one_of(console, "Which variant?", &variants)?;
        let mut start = intro(&faction);
        if let Start::Scenario { enemy: of, variant, .. } = &mut start {
            *of = enemy;
            *variant = (chosen != "none").then_some(chosen);
        }
        start
    };
    let seed = loop {
        match text(console, "Seed of the dice?", &seed.to_string())?.parse() {
            Ok(seed) => break seed,
            Err(_) => console.say("A seed is a whole number, as in 7.")?,
        }
    };
    let squads = matches!(start, Start::Squads { .. });
    Ok(Beginning {
        rounds: squads.then_some(ROUNDS),
        ..Beginning::new(start, options, seed)
    })
}

fn text(console: &mut Console<'_>, question: &str, usual: &str) -> io::Result<String> {
    let answer = console.ask(&format!("{question} [{usual}]"))?.unwrap_or_default();
    Ok(match answer.is_empty() {
        true => usual.to_owned(),
        false => answer,
    })
}

/// One of these words; the first one is for who types nothing.
fn one_of(console: &mut Console<'_>, question: &str, words: &[&str]) -> io::Result<String> {
    let usual = words.first().copied().unwrap_or_default();
    if words.len() > 2 {
        console.say(&format!("There are {}.", words.join(", ")))?;
    }
    loop {
        let typed = text(console, question, usual)?;
        let found: Vec<&str> = (words.iter().copied())
            .filter(|word| word.starts_with(&typed.to_lowercase()))
            .collect();
        let exact = words.iter().copied().find(|word| word.eq_ignore_ascii_case(&typed));
        match (exact, found.as_slice()) {
            (Some(word), _) | (None, &[word]) => return Ok(word.to_owned()),
            _ => console.say(&format!("`{typed}` is none of {}.", words.join(", ")))?,
        }
    }
}
