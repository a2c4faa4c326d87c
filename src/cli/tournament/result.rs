//! `tallyho tournament result`: games are entered one by one or from a sheet of lines.

use std::path::PathBuf;

use anyhow::{Context as _, bail, ensure};

use super::{kept::Kept, print};
use crate::{
    text_file,
    tournament::{Entrant, Game, Tournament, edit, file, report},
    visible::visible,
};

/// Arguments of `tallyho tournament result`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tallyho tournament result cup.toml ann 25 bob 48 exit
  tallyho tournament result cup.toml bob 40 ann 61 --winner ann
  tallyho tournament result cup.toml ann 30 bob 48 exit --correct
  tallyho tournament result cup.toml --from results.txt

The first player is the defender. ENDING: exit (the shuttle got away), destroyed, fled (the shuttle left over another edge),
time, attackers-gone. A sheet has one game a line in the same words, with `--winner` as `winner=NAME`; names with blanks stand
in quotes, and what follows # is a remark. Nothing of a sheet is entered unless all of it can be.")]
pub(super) struct Args {
    /// The tournament
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Defender by id or name, points, attacker, points, ending
    #[arg(
        value_names = ["DEFENDER", "POINTS", "ATTACKER", "POINTS", "ENDING"],
        num_args = 1..,
        // Options may stand between the words, and what is wrong with a number is said below.
        allow_negative_numbers = true,
        required_unless_present = "from",
        conflicts_with = "from"
    )]
    game: Vec<String>,
    /// Who won, by id or name, or `draw`; needed only where the ending is not given
    #[arg(long, value_name = "PLAYER", conflicts_with = "from")]
    winner: Option<String>,
    /// The match [default: the last one]
    #[arg(long = "match", value_name = "N")]
    number: Option<u32>,
    /// Put this in place of what was entered for the same game
    #[arg(long)]
    correct: bool,
    /// Enter the games of this file, one a line
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
}

/// A player by id or name.
pub(super) fn entrant(tournament: &Tournament, word: &str) -> anyhow::Result<Entrant> {
    let found = tournament.entrant(word);
    found.with_context(|| visible(&file::unknown_player(tournament, word)))
}

/// Enters results.
///
/// # Errors
/// A game that cannot be one of the match, with what is wrong and, on a sheet, its line; nothing is entered then.
pub(super) fn run(arguments: &Args) -> anyhow::Result<()> {
    let sheet = match &arguments.from {
        Some(path) => Some(text_file::read(path).with_context(|| format!("cannot read {}", path.display()))?),
        None => None,
    };
    let kept = Kept::open(&arguments.file)?;
    let lines: Vec<(Option<usize>, Words)> = match &sheet {
        Some(sheet) => (sheet.lines().enumerate())
            .map(|(at, line)| (Some(at + 1), split(line)))
            .filter(|(_, words)| words.as_ref().is_ok_and(|words| !words.is_empty()) || words.is_err())
            .collect(),
        None => vec![(None, Ok(arguments.game.clone()))],
    };
    if let (true, Some(path)) = (lines.is_empty(), &arguments.from) {
        bail!(
            "there is no game in {}: write one a line, as in `ann 25 bob 48 exit`",
            path.display()
        );
    }
    let mut text = kept.text.clone();
    let mut tournament = kept.tournament.clone();
    let number = arguments.number.unwrap_or(tournament.matches.len() as u32);
    ensure!(
        tournament.numbered(number).is_some(),
        "match {number} is not paired; `tallyho tournament pair` pairs the next one"
    );
    let mut said = String::new();
    let mut faults = Vec::new();
    for (line, words) in lines {
        let entered = words.map_err(|fault| vec![fault]).and_then(|mut words| {
            let winner = match arguments.winner.clone() {
                Some(winner) => Some(winner),
                None => taken_winner(&mut words),
            };
            game(&tournament, number, &words, winner.as_deref(), arguments.correct)
        });
        match entered {
            Ok(game) => {
                text = edit::enter_game(&text, &tournament, number, &game)?;
                said += &format!("match {number}: {}\n", report::game_text(&tournament, &game));
                tournament = file::read(&text)?;
            }
            Err(found) => faults.extend(found.into_iter().map(|fault| match line {
                Some(line) => format!("line {line}: {}", visible(&fault)),
                None => visible(&fault),
            })),
        }
    }
    if !faults.is_empty() {
        let faults = faults.join("\n");
        match &arguments.from {
            Some(path) => bail!("nothing of {} is entered:\n{faults}", path.display()),
            None => bail!("{faults}"),
        }
    }
    kept.write(&text)?;
    print(&said)?;
    print(&format!("{}\n", report::progress(&tournament)))
}

/// The words of a line, or what is wrong with it.
type Words = Result<Vec<String>, String>;

/// Words of a line: parted by blanks or commas, together in quotes; the rest after # is a remark.
fn split(line: &str) -> Words {
    let mut words = Vec::new();
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '#' => break,
            ',' => {}
            blank if blank.is_whitespace() => {}
            '"' => {
                let word: String = letters.by_ref().take_while(|letter| *letter != '"').collect();
                if line.matches('"').count() % 2 == 1 {
                    return Err(format!("a quotation mark is missing after `{word}`"));
                }
                words.push(word);
            }
            first => {
                let mut word = String::from(first);
                while let Some(letter) =
                    letters.next_if(|letter| !letter.is_whitespace() && !matches!(letter, ',' | '#'))
                {
                    word.push(letter);
                }
                words.push(word);
            }
        }
    }
    Ok(words)
}

fn taken_winner(words: &mut Vec<String>) -> Option<String> {
    let at = words.iter().position(|word| word.starts_with("winner="))?;
    words.remove(at).strip_prefix("winner=").map(str::to_owned)
}

/// The game that words tell, if it may stand in the match.
fn game(
    tournament: &Tournament,
    number: u32,
    words: &[String],
    winner: Option<&str>,
    correct: bool,
) -> Result<Game, Vec<String>> {
    let (defender, defender_score, attacker, attacker_score, ended) = match words {
        [defender, own, attacker, other] => (defender, own, attacker, other, None),
        [defender, own, attacker, other, ended] => (defender, own, attacker, other, Some(ended.as_str())),
        _ => {
            return Err(vec![format!(
                "a game has five words, DEFENDER POINTS ATTACKER POINTS ENDING, not {}: {}; a name with blanks stands in quotes",
                words.len(),
                words.join(" ")
            )]);
        }
    };
    let points = |word: &str| {
        let points = word.parse::<u32>();
        points.map_err(|_| vec![file::no_points(word)])
    };
    let told = file::Told {
        defender,
        attacker,
        score: [points(defender_score)?, points(attacker_score)?],
        ended,
        winner,
    };
    let game = told.game(tournament)?;
    let played = tournament
        .numbered(number)
        .ok_or_else(|| vec![format!("match {number} is not paired")])?;
    let mut played = played.clone();
    if correct {
        let before = played.games.len();
        (played.games).retain(|there| (there.defender, there.attacker) != (game.defender, game.attacker));
        if played.games.len() == before && file::misplaced(tournament, &played, &game).is_none() {
            return Err(vec![
                "there is nothing to correct: the game is not entered yet".to_owned(),
            ]);
        }
    }
    match file::misplaced(tournament, &played, &game) {
        None => Ok(game),
        Some(fault) if played.game(game.defender, game.attacker).is_some() => {
            Err(vec![format!("{fault}; --correct puts this in its place")])
        }
        Some(fault) => Err(vec![fault]),
    }
}
