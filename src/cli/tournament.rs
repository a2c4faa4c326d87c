//! `tallyho tournament`: a tournament of Political Escort in a file that a person can read, edit and go on with (PE-9).

use std::{
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, bail, ensure};
use clap::Subcommand;
use rand::TryRng as _;

use super::{GlobalOptions, files::Files};
use crate::{
    tournament::{Match, Options, Tournament, edit, page::page, pairing, report, standings},
    visible::visible,
};

mod clock;
mod kept;
mod result;

use self::kept::Kept;

/// Arguments of `tallyho tournament`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tallyho tournament new cup.toml --name 'Winter Escort' --matches 4 Ann Bob Cid Dora
  tallyho tournament pair cup.toml
  tallyho tournament result cup.toml ann 25 bob 48 exit
  tallyho tournament result cup.toml bob 41 ann 41 time
  tallyho tournament standings cup.toml --html standings.html

The file is TOML: edit it as you like, comments stay (docs/tournament.md). What is wrong in it is said with its line, and
then it is left as it is.")]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Begin a tournament: write its file
    New(New),
    /// Add players
    Add(Add),
    /// Let a player leave: no part in the matches to come, the results stay
    Leave(Leave),
    /// Pair the next match, and say why
    Pair(Pair),
    /// Enter the result of a game
    Result(result::Args),
    /// Show matches: who plays whom, why, and what was entered
    Show(Show),
    /// Rank the players
    Standings(Standings),
    /// Say what the clock of a match allows, or run it
    Clock(clock::Args),
}

/// Arguments of `tallyho tournament new`.
#[derive(Debug, clap::Args)]
struct New {
    /// The file to write; there must be none yet
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The players
    #[arg(value_name = "NAME")]
    players: Vec<String>,
    /// What the tournament is called [default: the file's name]
    #[arg(long)]
    name: Option<String>,
    /// Where all rolls come from [default: drawn]
    #[arg(long, value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: Option<u64>,
    /// How many matches are planned; three or four are advised
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(crate::tournament::MOST_MATCHES)))]
    matches: Option<u32>,
    /// A winner with fewer points than the loser has MOV 100 (PE-9.4)
    #[arg(long)]
    mov_floor: bool,
    /// Players may meet again (PE-9.5)
    #[arg(long)]
    rematch: bool,
}

/// Arguments of `tallyho tournament add`.
#[derive(Debug, clap::Args)]
struct Add {
    /// The tournament
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The players; they take part from the next match on
    #[arg(value_name = "NAME", required = true)]
    players: Vec<String>,
}

/// Arguments of `tallyho tournament leave`.
#[derive(Debug, clap::Args)]
struct Leave {
    /// The tournament
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Who, by id or name
    #[arg(value_name = "PLAYER")]
    player: String,
}

/// Arguments of `tallyho tournament pair`.
#[derive(Debug, clap::Args)]
struct Pair {
    /// The tournament
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Pair the last match anew, with those who came and without those who left since; only while no game of it is entered
    #[arg(long)]
    again: bool,
}

/// Arguments of `tallyho tournament show`.
#[derive(Debug, clap::Args)]
struct Show {
    /// The tournament
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Only this match [default: all]
    #[arg(long = "match", value_name = "N")]
    number: Option<u32>,
}

/// Arguments of `tallyho tournament standings`.
#[derive(Debug, clap::Args)]
struct Standings {
    /// The tournament
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Write standings and matches as one HTML page, to show and to print
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write the standings as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Runs `tallyho tournament`.
///
/// # Errors
/// A file that cannot be read or written, or has faults, named by their lines; a result that cannot be; a match that cannot be
/// paired yet.
pub fn run(arguments: Args, global: &GlobalOptions) -> anyhow::Result<()> {
    global.log_to_stderr();
    match arguments.command {
        Command::New(arguments) => new(arguments),
        Command::Add(arguments) => add(&arguments),
        Command::Leave(arguments) => leave(&arguments),
        Command::Pair(arguments) => pair(&arguments),
        Command::Result(arguments) => result::run(&arguments),
        Command::Show(arguments) => show(&arguments),
        Command::Standings(arguments) => standings(&arguments, global),
        Command::Clock(arguments) => clock::run(&arguments),
    }
}

fn print(text: &str) -> anyhow::Result<()> {
    Ok(io::stdout().lock().write_all(text.as_bytes())?)
}

fn new(arguments: New) -> anyhow::Result<()> {
    let seed = match arguments.seed {
        Some(seed) => seed,
        // Short, so that it can be written down and typed.
        None => u64::from(
            rand::rngs::SysRng
                .try_next_u32()
                .context("no random bytes from the system; give --seed")?,
        ),
    };
    let stem = || {
        arguments
            .file
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    };
    let name = arguments.name.clone().unwrap_or_else(stem);
    let options = Options {
        mov_floor: arguments.mov_floor,
        rematch: arguments.rematch,
    };
    let empty = edit::new(&name, seed, arguments.matches, options);
    let text = with_players(empty, &arguments.players)?;
    Kept::begin(&arguments.file, &text)?;
    let shown = arguments.file.display();
    let next = match arguments.players.len() {
        0 | 1 => format!("tallyho tournament add {shown} NAME ..."),
        _ => format!("tallyho tournament pair {shown}"),
    };
    print(&format!(
        "{shown} is begun with {} and seed {seed}; next: {next}\n",
        report::players(arguments.players.len())
    ))
}

/// The text with players added, each under an id of its own.
fn with_players(mut text: String, names: &[String]) -> anyhow::Result<String> {
    for name in names {
        let tournament = crate::tournament::file::read(&text)?;
        let name = name.trim();
        ensure!(!name.is_empty(), "a player without a name: give each one");
        let known = (tournament.players.iter()).find(|player| player.name.to_lowercase() == name.to_lowercase());
        if let Some(known) = known {
            bail!("{} plays already, as `{}`: give another name", visible(name), known.id);
        }
        text = edit::add_player(&text, &free_id(&tournament, name), name, tournament.next_match())?;
    }
    Ok(text)
}

/// A name as an id: small letters, digits and hyphens, with a number where another player has it.
fn free_id(tournament: &Tournament, name: &str) -> String {
    let mut id = String::new();
    for letter in name.chars().flat_map(char::to_lowercase) {
        match letter.is_alphanumeric() {
            true => id.push(letter),
            false if !id.is_empty() && !id.ends_with('-') => id.push('-'),
            false => {}
        }
    }
    let id = match id.trim_end_matches('-') {
        "" => "player",
        id => id,
    };
    let is_free =
        |id: &str| id != crate::tournament::file::DRAW && tournament.players.iter().all(|player| player.id != id);
    match is_free(id) {
        true => id.to_owned(),
        false => (2..)
            .map(|number| format!("{id}-{number}"))
            .find(|id| is_free(id))
            .unwrap_or_default(),
    }
}

fn add(arguments: &Add) -> anyhow::Result<()> {
    let kept = Kept::open(&arguments.file)?;
    let number = kept.tournament.next_match();
    let text = with_players(kept.text.clone(), &arguments.players)?;
    kept.write(&text)?;
    let names: Vec<String> = arguments.players.iter().map(|name| visible(name.trim())).collect();
    print(&format!("{} from match {number} on\n", names.join(", ")))
}

fn leave(arguments: &Leave) -> anyhow::Result<()> {
    let kept = Kept::open(&arguments.file)?;
    let entrant = result::entrant(&kept.tournament, &arguments.player)?;
    let id = kept.tournament.id(entrant).to_owned();
    let until = kept.tournament.matches.len() as u32;
    // Before the first match there is nothing to keep, and `until = 0` would be read as a mistake.
    ensure!(
        until >= kept.tournament.player(entrant).from,
        "{id} has not played: take the [[player]] out of the file"
    );
    let text = edit::takes_part(&kept.text, &id, edit::Part::Until(until))?;
    kept.write(&text)?;
    print(&format!("{} leaves after match {until}\n", visible(&id)))
}

fn pair(arguments: &Pair) -> anyhow::Result<()> {
    let kept = Kept::open(&arguments.file)?;
    let mut text = kept.text.clone();
    if arguments.again {
        let last = kept.tournament.matches.last().context("no match is paired yet")?;
        ensure!(
            last.games.is_empty(),
            "match {} has games entered: it stays as it is paired",
            last.number
        );
        text = anew(&kept, last.number)?;
    }
    let tournament = crate::tournament::file::read(&text)?;
    let paired = pairing::pair(&tournament)?;
    let text = edit::add_match(&text, &tournament, &paired)?;
    let tournament = kept.write(&text)?;
    print(&match_of(&tournament, &paired))
}

/// The text without its last match. Who came or left since it was paired does so before it now.
fn anew(kept: &Kept, number: u32) -> anyhow::Result<String> {
    let mut text = edit::remove_last_match(&kept.text)?;
    for player in &kept.tournament.players {
        let id = &player.id;
        if player.from == number + 1 {
            text = edit::takes_part(&text, id, edit::Part::From(number))?;
        }
        if player.until == Some(number) {
            ensure!(
                player.from < number,
                "{} leaves without a match: take the [[player]] out of the file",
                visible(id)
            );
            text = edit::takes_part(&text, id, edit::Part::Until(number - 1))?;
        }
    }
    Ok(text)
}

fn match_of(tournament: &Tournament, played: &Match) -> String {
    report::match_text(tournament, played)
}

fn show(arguments: &Show) -> anyhow::Result<()> {
    let tournament = kept::read(&arguments.file)?.1;
    if let Some(number) = arguments.number {
        let played = (tournament.numbered(number)).with_context(|| format!("match {number} is not paired"))?;
        return print(&match_of(&tournament, played));
    }
    let matches: Vec<String> = (tournament.matches.iter())
        .map(|played| match_of(&tournament, played))
        .collect();
    let head = format!("{}, {}\n", visible(&tournament.name), report::progress(&tournament));
    let players = |(at, _): (usize, _)| report::named(&tournament, crate::tournament::Entrant(at));
    let players: Vec<String> = tournament.players.iter().enumerate().map(players).collect();
    print(&format!(
        "{head}{}\n{}{}",
        players.join(", "),
        if matches.is_empty() { "" } else { "\n" },
        matches.join("\n")
    ))
}

fn standings(arguments: &Standings, global: &GlobalOptions) -> anyhow::Result<()> {
    (Files::of(global).reads("FILE", Some(&arguments.file)))
        .writes("--html", arguments.html.as_deref())
        .writes("--json", arguments.json.as_deref())
        .check()?;
    let tournament = kept::read(&arguments.file)?.1;
    if let Some(path) = &arguments.html {
        write(path, &page(&tournament))?;
    }
    if let Some(path) = &arguments.json {
        write(path, &format!("{:#}\n", json(&tournament)))?;
    }
    print(&report::standings_text(&tournament))
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    if path == Path::new("-") {
        return print(text);
    }
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

fn json(tournament: &Tournament) -> serde_json::Value {
    let rows: Vec<_> = (standings::standings(tournament).into_iter())
        .map(|standing| {
            let player = tournament.player(standing.entrant);
            serde_json::json!({
                "place": standing.place,
                "shared": standing.is_shared,
                "id": player.id,
                "name": player.name,
                "victoryPoints": standing.record.victory_points,
                "marginOfVictory": standing.record.margin,
                "wonAsDefender": standing.record.defences_won,
                "games": standing.record.games,
                "won": standing.record.won,
                "byes": standing.record.byes,
            })
        })
        .collect();
    let winner = standings::winner(tournament).filter(|_| report::is_over(tournament));
    serde_json::json!({
        "name": tournament.name,
        "matches": tournament.matches.len(),
        "planned": tournament.planned,
        "standings": rows,
        "winner": winner.map(|winner| serde_json::json!({
            "id": tournament.id(winner.entrant),
            "why": winner.why,
        })),
    })
}
