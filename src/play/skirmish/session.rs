//! A skirmish from its present place to where the player leaves it. Every choice is on the disk before what comes of it is
//! shown.

use std::{
    io,
    path::{Path, PathBuf},
};

use super::{
    board,
    question::{Question, find},
};
use crate::{
    dice::{D20Source, KnownD20, SeededDice},
    play::{
        console::{Console, FAINT, STRONG},
        session::{PlayError, copy},
    },
    record::{
        Hand,
        dice::of_choice,
        skirmish::{BadBeginning, File, Header, Skirmishing, course::by},
    },
    render,
    swm::{
        commander::harmless,
        skirmish::{Answer, Correction, Event, Refused, words},
    },
};

/// What is done next.
enum Turn {
    /// The skirmish goes on.
    On,
    /// The question is asked again.
    Again,
    /// The player leaves.
    Leave,
}

/// Who chooses what.
#[derive(Debug, Clone)]
enum By {
    Commander(Hand),
    Person(Answer),
    Correction(Correction),
}

/// A skirmish in play.
#[derive(Debug)]
pub struct Session {
    game: Skirmishing,
    record: File,
    /// Where the board is drawn after each choice.
    svg: Option<PathBuf>,
    drawing_failed: bool,
}

const HELP: &str = "\
At any question:
  Enter           the choice in brackets, or what a careful player would do
  NUMBER          a choice by its number
  move C4, C4     walks there by the cheapest way that provokes nothing; `move B3 C3 C4` walks exactly so
  force C4        the same with a Force point, 2 squares farther
  attack a [staying] [with Q R]    as it says; `with`: they give up their activation for +4 each
  map, table      the map; the figures with hit points and Force
  figure ID       a figure in full
  why [ID]        the last decision of the automated side, or of a figure, with all its reasons
  log [N]         the last N things that happened
  svg FILE        draws the board into FILE
  undo [N]        takes back your last choice, or the last N, with everything since
  save FILE       copies the record
  quit            leaves; the skirmish is kept, and goes on with `tallyho play FILE`
What you have otherwise (an ability by hand, a slip):
  hp ID N         hit points        fp ID N         Force points
  put ID C4       its square        ready ID, done ID   has it activated?
  open N, close N a door by its number on the map";

/// Begins a skirmish; where dice are typed in, those of the first initiative are asked for. `None` when the player leaves.
///
/// # Errors
/// A position that cannot be played, or a console that is gone.
pub fn begin(header: &Header, console: &mut Console<'_>) -> Result<Option<Skirmishing>, PlayError> {
    let bad = |error: BadBeginning| PlayError::Skirmish(error);
    let mut known: Vec<u8> = Vec::new();
    loop {
        let typed = header.typed_dice.then_some(&*known);
        if let Some(game) = Skirmishing::begin(header.clone(), typed).map_err(bad)? {
            return Ok(Some(game));
        }
        let whose = match known.len() % 2 {
            0 => "Initiative, your die",
            _ => "Initiative, the automated side's die",
        };
        match ask_die(console, whose, header.seed, 0, known.len())? {
            Some(die) => known.push(die),
            None => return Ok(None),
        }
    }
}

/// Asks for a twenty-sided die; `None` to leave.
fn ask_die(console: &mut Console<'_>, whose: &str, seed: u64, choice: usize, known: usize) -> io::Result<Option<u8>> {
    loop {
        let Some(typed) = console.ask(&format!("{whose}: roll a d20 and type what it shows [Enter rolls]"))? else {
            return Ok(None);
        };
        if ["quit", "exit", "q"].contains(&typed.as_str()) {
            return Ok(None);
        }
        if typed.is_empty() {
            let round = u32::try_from(choice).unwrap_or(u32::MAX);
            let mut dice = SeededDice::for_activation(seed, round, &format!("rolled {known}"));
            let die = dice.d20();
            console.say(&format!("It shows {die}."))?;
            return Ok(Some(die));
        }
        match typed.parse::<u8>() {
            Ok(die @ 1..=20) => return Ok(Some(die)),
            _ => console.say(&format!("`{typed}`? Type a number from 1 to 20."))?,
        }
    }
}

impl Session {
    /// A skirmish that goes on in its record.
    pub fn new(game: Skirmishing, record: File, svg: Option<PathBuf>) -> Self {
        Session {
            game,
            record,
            svg,
            drawing_failed: false,
        }
    }

    /// Plays until it is over and the player has seen it, or the player leaves. Whether it is over.
    ///
    /// # Errors
    /// The console or the record is gone.
    pub fn run(&mut self, console: &mut Console<'_>) -> Result<bool, PlayError> {
        for note in self.game.notes() {
            console.say(&format!("{FAINT}{note}{FAINT:#}"))?;
        }
        let skirmish = self.game.skirmish();
        match self.game.answers().is_empty() {
            true => console.list(&words::events(skirmish.board(), skirmish.events()))?,
            false => console.say(&format!("The skirmish goes on in round {}.", skirmish.round()))?,
        }
        console.list(&board::map(skirmish.board()))?;
        console.list(&board::list(skirmish.board()))?;
        console.say("Type `help` for what can be typed.")?;
        self.draw(console)?;
        loop {
            let turn = match self.game.hand() {
                None => self.over(console)?,
                Some(Hand::Human) => self.ask(console)?,
                Some(hand) => self.advance(console, &By::Commander(hand))?,
            };
            if matches!(turn, Turn::Leave) {
                return Ok(self.game.hand().is_none());
            }
        }
    }

    /// It is over; its end can be looked at, and taken back.
    fn over(&mut self, console: &mut Console<'_>) -> Result<Turn, PlayError> {
        let asked = "The skirmish is over. Enter leaves; undo, why, log, table, map go on as before:";
        let Some(typed) = console.ask(asked)?.filter(|typed| !typed.is_empty()) else {
            return Ok(Turn::Leave);
        };
        match self.command(console, &typed)? {
            Some(turn) => Ok(turn),
            None => {
                console.say("Type `help` for what can be typed.")?;
                Ok(Turn::Again)
            }
        }
    }

    fn ask(&mut self, console: &mut Console<'_>) -> Result<Turn, PlayError> {
        let suggested = self.game.suggestion();
        let Some(question) = Question::of(self.game.skirmish(), suggested) else {
            return Ok(Turn::Leave);
        };
        console.say("")?;
        console.say(&format!("{STRONG}{}{STRONG:#}", question.heading))?;
        console.list(&question.facts)?;
        for (number, choice) in question.choices.iter().enumerate() {
            console.say(&format!("  {:>2}  {}", number + 1, choice.words))?;
        }
        let usual = question.usual.as_ref().map_or_else(String::new, |usual| {
            let place = question.choices.iter().position(|choice| choice.answer == *usual);
            match (place, usual) {
                (Some(place), _) => (place + 1).to_string(),
                (None, Answer::Move { way, .. }) => way.last().map_or_else(String::new, |end| format!("move {end}")),
                (None, other) => other.to_string(),
            }
        });
        loop {
            let Some(typed) = console.ask(&format!("Your choice? [{usual}]"))? else {
                return Ok(Turn::Leave);
            };
            match self.command(console, &typed)? {
                Some(Turn::Again) => continue,
                Some(turn) => return Ok(turn),
                None => {}
            }
            match question.meant(self.game.skirmish(), &typed) {
                Ok(answer) => match self.advance(console, &By::Person(answer))? {
                    Turn::Again => continue,
                    turn => return Ok(turn),
                },
                Err(expected) => console.say(&format!("`{typed}`? {expected}; `help` tells what else."))?,
            }
        }
    }

    /// Carries out what is typed, if it is a command. `Turn::On`: the skirmish has changed.
    fn command(&mut self, console: &mut Console<'_>, typed: &str) -> Result<Option<Turn>, PlayError> {
        let (word, rest) = typed.split_once(char::is_whitespace).unwrap_or((typed, ""));
        let rest = rest.trim();
        let skirmish = self.game.skirmish();
        match word.to_lowercase().as_str() {
            "help" | "?" => console.list(&HELP.lines().map(str::to_owned).collect::<Vec<_>>())?,
            "table" => console.list(&board::list(skirmish.board()))?,
            "map" => console.list(&board::map(skirmish.board()))?,
            "figure" | "ship" => match find(skirmish.board(), rest) {
                Some(figure) => console.list(&board::figure(figure))?,
                None => console.say(&self.nobody(rest))?,
            },
            "why" => self.why(console, rest)?,
            "log" => {
                let count = rest.parse().unwrap_or(20);
                let lines: Vec<&String> = (self.game.answers().iter())
                    .flat_map(|answered| &answered.events)
                    .collect();
                for line in &lines[lines.len().saturating_sub(count)..] {
                    console.say(line)?;
                }
            }
            "svg" if rest.is_empty() => console.say("Name a file, as in `svg board.svg`.")?,
            "svg" => match std::fs::write(rest, self.picture()) {
                Ok(()) => console.say(&format!("The board is drawn in {rest}."))?,
                Err(error) => console.say(&format!("{rest} cannot be written: {error}"))?,
            },
            "save" if rest.is_empty() => {
                let path = self.record.path().display().to_string();
                console.say(&format!(
                    "The skirmish is kept in {path} as it is played. `save FILE` makes a copy."
                ))?;
            }
            "save" => match copy(self.record.path(), Path::new(rest)) {
                Ok(()) => console.say(&format!("The skirmish so far is copied to {rest}."))?,
                Err(error) => console.say(&format!("{rest} cannot be written: {error}"))?,
            },
            "undo" => return self.undo(console, rest).map(Some),
            "quit" | "exit" | "q" => return Ok(Some(Turn::Leave)),
            word @ ("hp" | "fp" | "put" | "ready" | "open" | "close") => {
                return self.correct(console, word, rest).map(Some);
            }
            "done" if !rest.is_empty() => return self.correct(console, "done", rest).map(Some),
            _ => return Ok(None),
        }
        Ok(Some(Turn::Again))
    }

    fn nobody(&self, typed: &str) -> String {
        let figures = self.game.skirmish().board().figures();
        let ids: Vec<&str> = figures.iter().map(|figure| figure.id.as_str()).collect();
        format!("There is no figure `{typed}`; there are {}.", ids.join(", "))
    }

    fn correct(&mut self, console: &mut Console<'_>, word: &str, rest: &str) -> Result<Turn, PlayError> {
        let (first, second) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let second = second.trim();
        let board = self.game.skirmish().board();
        let correction = if matches!(word, "open" | "close") {
            let door = first.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
            door.map(|door| Correction::Door {
                door,
                open: word == "open",
            })
        } else {
            let Some(figure) = find(board, first).map(|figure| figure.id.clone()) else {
                console.say(&self.nobody(first))?;
                return Ok(Turn::Again);
            };
            match word {
                "hp" => second
                    .parse()
                    .ok()
                    .map(|points| Correction::HitPoints { figure, points }),
                "fp" => second.parse().ok().map(|points| Correction::Force { figure, points }),
                "put" => second.parse().ok().map(|at| Correction::Place { figure, at }),
                _ => Some(Correction::Activated {
                    figure,
                    activated: word == "done",
                }),
            }
        };
        match correction {
            Some(correction) => self.advance(console, &By::Correction(correction)),
            None => {
                console
                    .say("Write it as in `hp a 20`, `fp P 2`, `put P C4`, `ready P`, `done P`, `open 1`, `close 1`.")?;
                Ok(Turn::Again)
            }
        }
    }

    /// The last decision that was explained, of any figure or of one, in full.
    fn why(&self, console: &mut Console<'_>, figure: &str) -> io::Result<()> {
        let id = find(self.game.skirmish().board(), figure).map(|found| found.id.as_str());
        let mut answers = self.game.answers().iter().rev();
        let explained = answers.find(|answered| {
            let of = figure.is_empty() || Some(answered.figure.as_str()) == id;
            of && !answered.explanation.sentence.is_empty()
        });
        let Some(answered) = explained else {
            return console.say("There is no such decision of the automated side yet.");
        };
        console.say(&format!("Round {}: {}", answered.round, answered.explanation.sentence))?;
        let why = render::why(&answered.explanation.reasons);
        console.list(&why.lines().map(str::to_owned).collect::<Vec<_>>())
    }

    /// Takes back the last choices of the player, with everything since.
    fn undo(&mut self, console: &mut Console<'_>, rest: &str) -> Result<Turn, PlayError> {
        let count: usize = match rest.parse() {
            Ok(count) => count,
            Err(_) if rest.is_empty() => 1,
            Err(_) => {
                console.say("Say how many of your choices, as in `undo 2`.")?;
                return Ok(Turn::Again);
            }
        };
        let answers = self.game.answers();
        let own = answers
            .iter()
            .enumerate()
            .filter(|(_, answered)| answered.by == Hand::Human);
        let chosen: Vec<usize> = own.map(|(place, _)| place).collect();
        let Some(&place) = count.checked_sub(1).and_then(|back| chosen.iter().rev().nth(back)) else {
            let plural = if chosen.len() == 1 { "" } else { "s" };
            console.say(&format!("You have made {} choice{plural} so far.", chosen.len()))?;
            return Ok(Turn::Again);
        };
        let kept = answers[..place].to_vec();
        let (game, _) = Skirmishing::resume(self.game.header().clone(), &kept).map_err(PlayError::Skirmish)?;
        self.record.undone(place + 1)?;
        self.game = game;
        console.say(&format!("Back in round {}.", self.game.skirmish().round()))?;
        console.list(&board::map(self.game.skirmish().board()))?;
        self.draw(console)?;
        Ok(Turn::On)
    }

    /// Plays a choice: first in a copy, then it is recorded, then it counts and is shown.
    fn advance(&mut self, console: &mut Console<'_>, by: &By) -> Result<Turn, PlayError> {
        let (seed, number) = (self.game.header().seed, self.game.answers().len() + 1);
        let mut known: Vec<u8> = Vec::new();
        let game = loop {
            let mut trial = self.game.clone();
            let mut seeded = of_choice(seed, number);
            let refused = if self.game.header().typed_dice {
                let mut typed = KnownD20::new(&known, seeded);
                let refused = play(&mut trial, by, &mut typed);
                if typed.is_missing() {
                    let whose = match by {
                        By::Person(answer) => format!("For `{answer}`"),
                        _ => "For the automated side".to_owned(),
                    };
                    match ask_die(console, &whose, seed, number, known.len())? {
                        Some(die) => known.push(die),
                        None => return Ok(Turn::Leave),
                    }
                    continue;
                }
                refused
            } else {
                play(&mut trial, by, &mut seeded)
            };
            match (refused, by) {
                (None, _) => break trial,
                (Some(refused), By::Person(_) | By::Correction(_)) => {
                    console.say(&format!("That cannot be done: {refused}."))?;
                    return Ok(Turn::Again);
                }
                // A plan from before a correction may not fit any more: the figure does the least it can.
                (Some(refused), By::Commander(_)) => {
                    console.say(&format!("What was planned cannot be done any more: {refused}."))?;
                    let Some(request) = self.game.skirmish().pending() else {
                        return Ok(Turn::Leave);
                    };
                    let instead = harmless(self.game.skirmish(), request);
                    return self.advance(console, &By::Person(instead));
                }
            }
        };
        if let Some(answered) = game.answers().last() {
            self.record.choice(answered)?;
        }
        let before = self.game.skirmish().events().len();
        self.game = game;
        self.tell(console, before)?;
        self.draw(console)?;
        Ok(Turn::On)
    }

    /// Shows the last choice and what came of it.
    fn tell(&self, console: &mut Console<'_>, before: usize) -> io::Result<()> {
        let Some(answered) = self.game.answers().last() else {
            return Ok(());
        };
        let board = self.game.skirmish().board();
        if !answered.explanation.sentence.is_empty() {
            let style = board
                .figure(&answered.figure)
                .map(|figure| board::side_style(figure.side));
            let style = style.unwrap_or_else(|| board::side_style(crate::swm::figure::Side::Automated));
            let who = if answered.figure.is_empty() {
                by(answered.by)
            } else {
                &answered.figure
            };
            console.say(&format!("{style}{who}{style:#}: {}", answered.explanation.sentence))?;
        }
        for line in &answered.events {
            console.say(&format!("  {line}"))?;
        }
        let events = &self.game.skirmish().events()[before..];
        let shown = |event: &Event| matches!(event, Event::RoundBegan { .. } | Event::PhaseBegan { .. });
        if events.iter().any(shown) {
            console.list(&board::map(board))?;
        }
        if events.iter().any(|event| matches!(event, Event::RoundBegan { .. })) {
            console.list(&board::list(board))?;
        }
        Ok(())
    }

    fn picture(&self) -> String {
        let skirmish = self.game.skirmish();
        render::grid_svg(
            skirmish.board(),
            None,
            skirmish.options(),
            &format!("Round {}", skirmish.round()),
        )
    }

    fn draw(&mut self, console: &mut Console<'_>) -> io::Result<()> {
        let Some(path) = &self.svg else { return Ok(()) };
        match std::fs::write(path, self.picture()) {
            Ok(()) => self.drawing_failed = false,
            // Said once, not after every choice.
            Err(error) if !self.drawing_failed => {
                console.say(&format!("The board cannot be drawn in {}: {error}", path.display()))?;
                self.drawing_failed = true;
            }
            Err(_) => {}
        }
        Ok(())
    }
}

fn play(game: &mut Skirmishing, by: &By, dice: &mut dyn D20Source) -> Option<Refused> {
    match by {
        By::Commander(hand) => game.play(*hand, dice).err(),
        By::Person(answer) => game.answer(answer.clone(), dice).err(),
        By::Correction(correction) => game.correct(correction.clone(), dice).err(),
    }
}
