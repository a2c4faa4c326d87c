//! What is asked before a game: what is played, by whom, with which seed.

use std::io;

use super::console::Console;
use crate::{
    record::{Beginning, Start},
    sim::escort::{EscortField, EscortGame, Holder},
    solo_alpha::{Options, escort::Initiative},
    xwing::{
        catalog::{
            UpgradeFacts,
            asked::{AttackValues, MOST_ATTACK_DICE},
            normalized,
        },
        edition::Edition,
        escort::Role,
        scenario::Scenario,
        squad::xws,
    },
};

/// The squads that are proposed.
pub const fn squads(edition: Edition) -> (&'static str, &'static str) {
    match edition {
        Edition::Second => ("2*t65xwing", "4*tielnfighter"),
        Edition::First => ("2*xwing", "4*tiefighter"),
    }
}

/// A squad as an example of how one is typed.
const fn example(edition: Edition) -> &'static str {
    match edition {
        Edition::Second => "2*t65xwing/bluesquadronescort+protontorpedoes,rz1awing",
        Edition::First => "2*xwing/rookiepilot+protontorpedoes,awing",
    }
}
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
    as_usual(faction, Scenario::intro())
}

/// A game of a scenario as it is usually played.
fn as_usual(faction: &str, scenario: &Scenario) -> Start {
    Start::Scenario {
        scenario: scenario.id.clone(),
        faction: faction.to_owned(),
        enemy: usual_enemy(faction).to_owned(),
        player_ships: scenario.player_ships.usual,
        variant: None,
        ace: None,
        take: Vec::new(),
        squad: None,
        enemy_squad: None,
    }
}

const HELP: &str = "\
  Enter      what stands in brackets
  a word     one of those that are named; its beginning is enough
  quit       leaves; nothing is kept yet
The introductory scenario is a set-up of FFG's solo rules: your two ships against patrols and what comes after them. Two
squads meet in lines across obstacles. Both are played to their end; `undo`, `why` and `save` are there all the time.
A squad is a list of ships with commas between them, each with a number (2*), a pilot (/) and upgrades (+) where wanted, by
id or name: 2*t65xwing/bluesquadronescort+protontorpedoes, TIE Advanced x1/Darth Vader; or the name of an XWS file.
In Political Escort the attacker hunts the shuttle that the defender brings across the table (docs/escort.md).
`tallyho catalog show NAME` finds ids and names. The seed is a number: the same seed and choices give the same game.";

/// What is typed for a squad: the text that plays it, or what is wrong with it.
pub type ReadSquad<'r> = dyn Fn(&str) -> Result<String, String> + 'r;

/// Who asks for a game leaves, or there is nobody to ask: no game.
enum Left {
    /// Somebody typed so.
    Quit,
    /// The console is gone.
    Console(io::Error),
}

impl From<io::Error> for Left {
    fn from(error: io::Error) -> Left {
        Left::Console(error)
    }
}

/// What somebody wants to play.
#[derive(Debug, Clone, PartialEq)]
pub enum Wanted {
    /// This.
    Game(Box<Beginning>),
    /// Two squads of the first edition: which, is asked with its catalog, see [`ask_squads`].
    FirstEdition,
    /// Political Escort: with which squads, is asked with its catalog, see [`ask_escort`].
    Escort,
}

/// Asks for a game; `None` for who leaves. Who types nothing gets what stands in brackets; at the end of the input all the
/// rest is that. A squad is read as soon as it is typed, and asked for again until it can be flown. `others`: whether games of
/// the first edition are offered, too.
///
/// # Errors
/// Nobody reads any more, or the input cannot be read.
pub fn ask(
    console: &mut Console<'_>,
    squad: &ReadSquad<'_>,
    edition: Edition,
    others: bool,
    options: Options,
    seed: u64,
) -> io::Result<Option<Wanted>> {
    unless_left(ask_all(console, squad, edition, others, options, seed))
}

fn unless_left<T>(asked: Result<T, Left>) -> io::Result<Option<T>> {
    match asked {
        Ok(asked) => Ok(Some(asked)),
        Err(Left::Quit) => Ok(None),
        Err(Left::Console(error)) => Err(error),
    }
}

/// Asks for two squads of an edition, and the seed; as [`ask`].
///
/// # Errors
/// Nobody reads any more, or the input cannot be read.
pub fn ask_squads(
    console: &mut Console<'_>,
    squad: &ReadSquad<'_>,
    edition: Edition,
    options: Options,
    seed: u64,
) -> io::Result<Option<Beginning>> {
    unless_left(two_squads(console, squad, edition).and_then(|start| {
        Ok(Beginning {
            rounds: Some(ROUNDS),
            edition,
            ..Beginning::new(start, options, a_seed(console, seed)?)
        })
    }))
}

/// Asks for the squads of Political Escort and the upgrades of their shuttles, until the scenario can be played with them
/// (PE-2), and for the seed. `usual` are the squads that are proposed, `field` reads and checks them.
///
/// # Errors
/// Nobody reads any more, or the input cannot be read.
pub fn ask_escort(
    console: &mut Console<'_>,
    squad: &ReadSquad<'_>,
    usual: [&str; 2],
    field: &dyn Fn(EscortGame) -> Result<EscortField, String>,
    seed: u64,
) -> io::Result<Option<(EscortField, u64)>> {
    unless_left(escort_squads(console, squad, usual, field).and_then(|field| Ok((field, a_seed(console, seed)?))))
}

fn escort_squads(
    console: &mut Console<'_>,
    squad: &ReadSquad<'_>,
    usual: [&str; 2],
    field: &dyn Fn(EscortGame) -> Result<EscortField, String>,
) -> Result<EscortField, Left> {
    console.say("A squad has 100 points, the upgrades of its shuttle included, which flies when it defends (PE-2).")?;
    loop {
        let upgrades = |console: &mut Console<'_>, question: &str| -> Result<Vec<String>, Left> {
            let typed = text(console, question, "none", HELP)?;
            let names = typed.split(['+', ',']).map(str::trim);
            let names = names.filter(|name| !name.is_empty() && !name.eq_ignore_ascii_case("none"));
            Ok(names.map(str::to_owned).collect())
        };
        let game = EscortGame {
            player: a_squad(console, "Your squad?", usual[0], squad)?,
            player_shuttle: upgrades(console, "Upgrades of your shuttle, with + between them?")?,
            solo: a_squad(console, "The solo side's squad?", usual[1], squad)?,
            solo_shuttle: upgrades(console, "Upgrades of its shuttle?")?,
            ..EscortGame::default()
        };
        match field(game) {
            Ok(field) => return Ok(field),
            Err(problem) => console.say(&format!("That cannot be played: {problem}."))?,
        }
    }
}

/// Asks for yes or no; no at the end of the input, and yes for who types nothing.
///
/// # Errors
/// Nobody reads any more, or the input cannot be read.
pub fn ask_yes(console: &mut Console<'_>, question: &str) -> io::Result<bool> {
    loop {
        let Some(typed) = console.ask(&format!("{question} [yes]"))? else {
            return Ok(false);
        };
        match typed.to_lowercase().as_str() {
            "" | "y" | "yes" => return Ok(true),
            "n" | "no" | "quit" | "exit" | "q" => return Ok(false),
            _ => console.say("Type yes or no.")?,
        }
    }
}

const ATTACK_HELP: &str = "\
  a number   the attack dice on the card
  none       the ships fly without this weapon
  quit       leaves; nothing is kept yet
The data does not say the value, and it is never guessed (FE-SOLO-9). It is kept in the record; `--value CARD=N` gives it
beforehand.";

/// Asks for attack values that the data leaves open (FE-SOLO-9); `None` for who leaves. At the end of the input, and for who
/// types nothing, a card is flown without its attack.
///
/// # Errors
/// Nobody reads any more, or the input cannot be read.
pub fn attack_values(console: &mut Console<'_>, open: &[&UpgradeFacts]) -> io::Result<Option<AttackValues>> {
    let mut values = AttackValues::new();
    for upgrade in open {
        let question = format!(
            "How many attack dice does {} have? Nobody has told; read it on the card.",
            upgrade.name
        );
        let value = loop {
            let typed = match text(console, &question, "none", ATTACK_HELP) {
                Ok(typed) => typed.to_lowercase(),
                Err(Left::Quit) => return Ok(None),
                Err(Left::Console(error)) => return Err(error),
            };
            match (&*typed, typed.parse()) {
                ("none", _) => break None,
                (_, Ok(number)) if (1..=MOST_ATTACK_DICE).contains(&number) => break Some(number),
                _ => console.say(&format!(
                    "That is a whole number from 1 to {MOST_ATTACK_DICE}, as in 2, or none."
                ))?,
            }
        };
        values.insert(upgrade.xws.clone(), value);
    }
    Ok(Some(values))
}

fn two_squads(console: &mut Console<'_>, squad: &ReadSquad<'_>, edition: Edition) -> Result<Start, Left> {
    console.say(&format!(
        "A squad is a list of ships, as in {} (`help` tells more).",
        example(edition)
    ))?;
    let (player, solo) = squads(edition);
    Ok(Start::Squads {
        player: a_squad(console, "Your squad?", player, squad)?,
        solo: a_squad(console, "The solo side's squad?", solo, squad)?,
    })
}

fn a_seed(console: &mut Console<'_>, seed: u64) -> Result<u64, Left> {
    loop {
        match text(console, "Seed of the dice?", &seed.to_string(), HELP)?.parse() {
            Ok(seed) => return Ok(seed),
            Err(_) => console.say("A seed is a whole number, as in 7.")?,
        }
    }
}

fn ask_all(
    console: &mut Console<'_>,
    squad: &ReadSquad<'_>,
    edition: Edition,
    others: bool,
    options: Options,
    seed: u64,
) -> Result<Wanted, Left> {
    console.say("A new game. Press Enter for what stands in brackets; `help` explains, `quit` leaves.")?;
    let (question, words) = match others {
        true => (
            "What is played? scenario: the introductory scenario; squads: two squads; first: two squads of the first edition; \
             escort: Political Escort",
            &["scenario", "squads", "first", "escort"][..],
        ),
        false => (
            "What is played? scenario: the introductory scenario; squads: two squads",
            &["scenario", "squads"][..],
        ),
    };
    let scenario = one_of(console, question, words)?;
    match scenario.as_str() {
        "first" => return Ok(Wanted::FirstEdition),
        "escort" => return Ok(Wanted::Escort),
        _ => {}
    }
    let start = if scenario == "squads" {
        two_squads(console, squad, edition)?
    } else {
        let scenario = Scenario::named("intro", edition).unwrap_or(Scenario::intro());
        let mut factions: Vec<&str> = scenario.squads.iter().map(|squad| squad.faction.as_str()).collect();
        factions.sort_by_key(|faction| *faction != FACTION);
        let faction = one_of(console, "Your faction?", &factions)?;
        let mut enemies = factions.clone();
        enemies.sort_by_key(|enemy| *enemy != usual_enemy(&faction));
        let enemy = one_of(console, "The solo side's faction?", &enemies)?;
        let mut variants = vec!["none"];
        variants.extend(scenario.variants.iter().map(|variant| variant.id.as_str()));
        let chosen = one_of(console, "Which variant?", &variants)?;
        let mut start = as_usual(&faction, scenario);
        if let Start::Scenario { enemy: of, variant, .. } = &mut start {
            *of = enemy;
            *variant = (chosen != "none").then_some(chosen);
        }
        start
    };
    let seed = a_seed(console, seed)?;
    let squads = matches!(start, Start::Squads { .. });
    Ok(Wanted::Game(Box::new(Beginning {
        rounds: squads.then_some(ROUNDS),
        edition,
        ..Beginning::new(start, options, seed)
    })))
}

/// Asks for what the rules leave to the player of a game of Political Escort: initiative (PE-A1, FE-2.1), and for its holder
/// the role (PE-3). Nothing is asked that is settled; `None` for who leaves.
///
/// # Errors
/// Nobody reads any more, or the input cannot be read.
pub fn ask_roles(console: &mut Console<'_>, field: &EscortField, wish: Initiative) -> io::Result<Option<EscortGame>> {
    let ask = |console: &mut Console<'_>| {
        let mut game = field.game().clone();
        if game.initiative.is_none() && field.player_chooses(wish) {
            let question = "You choose who has initiative (PE-A1). you: your side; solo: the solo side";
            game.initiative = Some(match one_of(console, question, &["you", "solo"])?.as_str() {
                "you" => Holder::Player,
                _ => Holder::Solo,
            });
        }
        if game.role.is_none() && game.initiative == Some(Holder::Player) {
            let question = "You have initiative and say who attacks (PE-3). Are you attacker or defender?";
            game.role = Some(match one_of(console, question, &["attacker", "defender"])?.as_str() {
                "attacker" => Role::Attacker,
                _ => Role::Defender,
            });
        }
        Ok(game)
    };
    match ask(console) {
        Ok(game) => Ok(Some(game)),
        Err(Left::Quit) => Ok(None),
        Err(Left::Console(error)) => Err(error),
    }
}

fn text(console: &mut Console<'_>, question: &str, usual: &str, help: &str) -> Result<String, Left> {
    loop {
        let answer = console.ask(&format!("{question} [{usual}]"))?.unwrap_or_default();
        match answer.to_lowercase().as_str() {
            "" => return Ok(usual.to_owned()),
            "quit" | "exit" | "q" => return Err(Left::Quit),
            "help" | "?" => console.list(&help.lines().map(str::to_owned).collect::<Vec<_>>())?,
            _ => return Ok(answer),
        }
    }
}

/// A squad that can be flown.
fn a_squad(console: &mut Console<'_>, question: &str, usual: &str, read: &ReadSquad<'_>) -> Result<String, Left> {
    loop {
        match read(&text(console, question, usual, HELP)?) {
            Ok(squad) => return Ok(squad),
            Err(problem) => console.say(&format!("That squad cannot be flown: {problem}."))?,
        }
    }
}

/// One of these words; the first one is for who types nothing.
fn one_of(console: &mut Console<'_>, question: &str, words: &[&str]) -> Result<String, Left> {
    let usual = words.first().copied().unwrap_or_default();
    if words.len() > 2 {
        console.say(&format!("There are {}.", words.join(", ")))?;
    }
    loop {
        let typed = text(console, question, usual, HELP)?;
        let found: Vec<&str> = (words.iter().copied())
            .filter(|word| word.starts_with(&normalized(&typed)) && !normalized(&typed).is_empty())
            .collect();
        // Factions have other names too: `rebels`, `Galactic Empire`.
        let named = xws::faction(&typed).unwrap_or(&typed);
        let exact = words.iter().copied().find(|word| word.eq_ignore_ascii_case(named));
        match (exact, found.as_slice()) {
            (Some(word), _) | (None, &[word]) => return Ok(word.to_owned()),
            _ => console.say(&format!("`{typed}` is none of {}.", words.join(", ")))?,
        }
    }
}
