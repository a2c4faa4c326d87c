//! A game from its present place to where the player leaves it. Every choice is on the disk before what comes of it is shown.

use std::{
    borrow::Cow,
    io,
    path::{Path, PathBuf},
};

use super::{
    board,
    console::{Console, FAINT, STRONG},
    dial,
    question::Question,
};
use crate::{
    dice::{DiceSource as _, SeededDice},
    record::{
        Answered, Game, Hand, RecordError, RecordFile,
        beginning::BadBeginning,
        dice::{Missing, Roll, Typed, attack_face, defence_face, of_choice},
        words,
    },
    render,
    same_file::same_file,
    sim::{self, squad},
    xwing::{
        battle::{Answer, Event, Phase, Request},
        catalog::Catalog,
        ship::Ship,
    },
};

/// Why a game cannot go on. What was accepted is in its record.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// Nobody reads any more, or the input cannot be read.
    #[error("the game is left: {0}")]
    Console(#[from] io::Error),
    /// The record cannot be written: the last choice does not count.
    #[error("the last choice is not recorded and does not count: {0}")]
    Record(#[from] RecordError),
    /// The beginning, played before, cannot be played again.
    #[error(transparent)]
    Beginning(#[from] BadBeginning),
    /// The beginning of a skirmish cannot be played.
    #[error(transparent)]
    Skirmish(crate::record::skirmish::BadBeginning),
}

/// What is done next.
enum Turn {
    /// The game goes on.
    On,
    /// The question is asked again.
    Again,
    /// The player leaves.
    Leave,
}

/// Who chooses.
#[derive(Debug, Clone)]
enum By {
    Commander(Hand),
    Person(Answer),
    /// The rules leave the player one choice.
    Rules(Answer),
}

/// A game in play.
#[derive(Debug)]
pub struct Session<'c> {
    game: Game,
    record: RecordFile,
    catalog: Cow<'c, Catalog>,
    /// Where the table is drawn after each choice.
    svg: Option<PathBuf>,
    drawing_failed: bool,
}

const HELP: &str = "\
At any question:
  Enter        the choice in brackets
  NUMBER       a choice by its number; a maneuver by its code or in words (2B, 2 bank left)
  table        the ships: place, hull, shields, tokens, locks
  map          the table as a map, north up; the number of an obstacle stands on it
  ship [ID]    a ship in full, with its dial: the one that is asked, or the one of this id or name
  why [ID]     the last decision of the solo side, or of a ship, with all its reasons
  log [N]      the last N things that happened
  svg FILE     draws the table into FILE
  undo [N]     takes back your last choice, or the last N, with everything since
  save FILE    copies the record of the game
  quit         leaves; the game is kept, and goes on with `tallyho play FILE`";

impl<'c> Session<'c> {
    /// A game that goes on in its record.
    pub fn new(game: Game, record: RecordFile, catalog: Cow<'c, Catalog>, svg: Option<PathBuf>) -> Self {
        Session {
            game,
            record,
            catalog,
            svg,
            drawing_failed: false,
        }
    }

    /// Plays until the game is over and the player has seen it, or the player leaves. Whether it is over.
    ///
    /// # Errors
    /// The console or the record is gone.
    pub fn run(&mut self, console: &mut Console<'_>) -> Result<bool, PlayError> {
        for note in self.game.notes() {
            console.say(&format!("{FAINT}{note}{FAINT:#}"))?;
        }
        let happened = self.game.told_since(0);
        match self.game.answers().is_empty() {
            true => console.list(&happened)?,
            false => {
                let round = self.game.battle().round();
                console.say(&format!("The game goes on in round {round}."))?;
            }
        }
        console.list(&board::map(self.game.battle().table()))?;
        console.list(&board::list(self.game.battle()))?;
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

    /// The game is over; its end can be looked at, and taken back.
    fn over(&mut self, console: &mut Console<'_>) -> Result<Turn, PlayError> {
        let Some(typed) = console.ask("The game is over. Enter leaves; undo, why, log, table, map go on as before:")?
        else {
            return Ok(Turn::Leave);
        };
        if typed.is_empty() {
            return Ok(Turn::Leave);
        }
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
        let Some(question) = Question::of(self.game.battle(), suggested.as_ref(), self.game.titles()) else {
            return Ok(Turn::Leave);
        };
        if question.choices.is_empty() {
            // Nothing can be done, and something must be answered.
            let Some(request) = self.game.battle().pending() else {
                return Ok(Turn::Leave);
            };
            let nothing = suggested.unwrap_or_else(|| sim::harmless(self.game.battle(), request));
            return self.advance(console, &By::Rules(nothing));
        }
        if let Some(only) = question.only() {
            return self.advance(console, &By::Rules(only.clone()));
        }
        let Some(mut answer) = self.choose(console, &question)? else {
            return Ok(Turn::Again);
        };
        let Some(answer) = &mut answer else {
            return Ok(Turn::Leave);
        };
        // Actions may be linked to the one that was chosen, one after the other.
        while let Answer::Act(orders) = &answer {
            let Some(mut question) = Question::linked(self.game.battle(), orders, self.game.titles()) else {
                break;
            };
            if let Some(suggested) = &suggested {
                let wanted = question.choices.iter().position(|choice| choice.answer == *suggested);
                question.default = wanted.unwrap_or(0);
            }
            let Some(more) = self.choose(console, &question)? else {
                return Ok(Turn::Again);
            };
            let Some(more) = more else {
                return Ok(Turn::Leave);
            };
            if more == *answer {
                break;
            }
            *answer = more;
        }
        let answer = answer.clone();
        self.advance(console, &By::Person(answer))
    }

    /// Shows a question until it is answered: `None` when the game has changed meanwhile, `Some(None)` to leave.
    fn choose(&mut self, console: &mut Console<'_>, question: &Question) -> Result<Option<Option<Answer>>, PlayError> {
        console.say("")?;
        let battle = self.game.battle();
        console.say(&format!(
            "{STRONG}{}{STRONG:#}  {FAINT}(round {}, {} phase){FAINT:#}",
            question.heading,
            battle.round(),
            battle.phase().name()
        ))?;
        console.list(&question.facts)?;
        if question.dial {
            if let Some(ship) = self.asked() {
                console.list(&dial::grid(&ship.dial))?;
            }
        } else {
            for choice in &question.choices {
                console.say(&format!("  {:>2}  {}", choice.key, choice.words))?;
            }
        }
        let usual = question.choices.get(question.default);
        let usual = usual.map_or_else(String::new, |choice| {
            // The beginning of a long choice is enough: it stands above in full.
            let words = choice.words.split([':', ',']).next().unwrap_or_default();
            format!("{} {words}", choice.key)
        });
        loop {
            let Some(typed) = console.ask(&format!("Your choice? [{usual}]"))? else {
                return Ok(Some(None));
            };
            match self.command(console, &typed)? {
                Some(Turn::On) => return Ok(None),
                Some(Turn::Leave) => return Ok(Some(None)),
                Some(Turn::Again) => continue,
                None => {}
            }
            match question.meant(&typed) {
                Ok(choice) => return Ok(Some(Some(choice.answer.clone()))),
                Err(expected) => console.say(&format!("`{typed}`? {expected}; `help` tells what else."))?,
            }
        }
    }

    fn asked(&self) -> Option<&Ship> {
        let request = self.game.battle().pending()?;
        self.game.battle().table().ship(request.ship())
    }

    /// Carries out what is typed, if it is a command. `Turn::On`: the game has changed.
    fn command(&mut self, console: &mut Console<'_>, typed: &str) -> Result<Option<Turn>, PlayError> {
        let (word, rest) = typed.split_once(char::is_whitespace).unwrap_or((typed, ""));
        // A path may stand in quotation marks, as in a shell.
        let rest = rest.trim().trim_matches('"');
        match word.to_lowercase().as_str() {
            "help" | "?" => console.list(&HELP.lines().map(str::to_owned).collect::<Vec<_>>())?,
            "table" => console.list(&board::list(self.game.battle()))?,
            "map" => console.list(&board::map(self.game.battle().table()))?,
            "ship" => {
                let table = self.game.battle().table();
                let asked = self.asked().filter(|_| rest.is_empty());
                let of_name = |ship: &&Ship| ship.name.eq_ignore_ascii_case(rest);
                let ship = (asked.or_else(|| table.ships.iter().find(|ship| ship.id.eq_ignore_ascii_case(rest))))
                    .or_else(|| table.ships.iter().find(of_name));
                match ship {
                    Some(ship) => console.list(&board::ship(self.game.battle(), ship, self.game.titles()))?,
                    None => {
                        let ids: Vec<&str> = table.ships.iter().map(|ship| &*ship.id).collect();
                        console.say(&format!("There is no ship `{rest}`; there are {}.", ids.join(", ")))?;
                    }
                }
            }
            "why" => self.why(console, rest)?,
            "log" => {
                let count = rest.parse().unwrap_or(20);
                let lines: Vec<&String> = self
                    .game
                    .answers()
                    .iter()
                    .flat_map(|answered| &answered.events)
                    .collect();
                for line in &lines[lines.len().saturating_sub(count)..] {
                    console.say(line)?;
                }
            }
            "svg" if rest.is_empty() => console.say("Name a file, as in `svg table.svg`.")?,
            "svg" if same_file(Path::new(rest), self.record.path()) => {
                console.say(&format!("{rest} is the record of this game: name another file."))?;
            }
            "svg" => match std::fs::write(rest, self.picture()) {
                Ok(()) => console.say(&format!("The table is drawn in {rest}."))?,
                Err(error) => console.say(&format!("{rest} cannot be written: {error}"))?,
            },
            "save" if rest.is_empty() => {
                let path = self.record.path().display().to_string();
                console.say(&format!(
                    "The game is kept in {path} as it is played. `save FILE` makes a copy."
                ))?;
            }
            "save" => match copy(self.record.path(), Path::new(rest)) {
                Ok(()) => console.say(&format!("The game so far is copied to {rest}."))?,
                Err(error) => console.say(&format!("{rest} cannot be written: {error}"))?,
            },
            "undo" => return self.undo(console, rest).map(Some),
            "quit" | "exit" | "q" => return Ok(Some(Turn::Leave)),
            _ => return Ok(None),
        }
        Ok(Some(Turn::Again))
    }

    /// The last decision that was explained, of any ship or of one, in full.
    fn why(&self, console: &mut Console<'_>, ship: &str) -> io::Result<()> {
        let mut answers = self.game.answers().iter().rev();
        let explained = answers.find(|answered| {
            let of = ship.is_empty() || answered.ship.eq_ignore_ascii_case(ship);
            of && !answered.explanation.sentence.is_empty()
        });
        match explained {
            Some(answered) => console.list(&reasons(answered)),
            None => match self
                .game
                .battle()
                .table()
                .ships
                .iter()
                .find(|of| of.id.eq_ignore_ascii_case(ship))
            {
                Some(own) if own.side == squad::PLAYER => {
                    console.say(&format!("{} is yours: you chose.", words::title(own)))
                }
                _ => console.say("There is no such decision of the solo side yet."),
            },
        }
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
            .filter(|(_, answered)| answered.by == Hand::Human && !answered.forced);
        let chosen: Vec<usize> = own.map(|(place, _)| place).collect();
        let Some(&place) = count.checked_sub(1).and_then(|back| chosen.iter().rev().nth(back)) else {
            console.say(&format!(
                "You have made {} so far.",
                words::count(chosen.len() as u32, "choice")
            ))?;
            return Ok(Turn::Again);
        };
        let kept = answers[..place].to_vec();
        let (game, _) = Game::resume(self.game.header().clone(), &kept, &self.catalog)?;
        self.record.undone(place + 1)?;
        self.game = game;
        let asked = self.game.asked();
        console.say(&format!(
            "Back in round {}, before {}.",
            self.game.battle().round(),
            asked
        ))?;
        self.draw(console)?;
        Ok(Turn::On)
    }

    /// Plays a choice: first in a copy, then it is recorded, then it counts and is shown.
    fn advance(&mut self, console: &mut Console<'_>, by: &By) -> Result<Turn, PlayError> {
        let seed = self.game.header().beginning.seed;
        let number = self.game.answers().len() + 1;
        let mut faces: Vec<Roll> = Vec::new();
        let game = loop {
            let mut trial = self.game.clone();
            let mut seeded = of_choice(seed, number);
            let refused = if self.game.header().typed_dice {
                let mut typed = Typed::new(&faces, seeded);
                let refused = play(&mut trial, by, &mut typed);
                if let Some(missing) = typed.missing() {
                    let Some(more) = self.roll(console, missing, faces.len())? else {
                        return Ok(Turn::Leave);
                    };
                    faces.extend(more);
                    continue;
                }
                refused
            } else {
                play(&mut trial, by, &mut seeded)
            };
            match (refused, by) {
                (None, _) => break trial,
                (Some(refused), By::Person(_) | By::Rules(_)) => {
                    console.say(&format!("That cannot be done: {refused}."))?;
                    return Ok(Turn::Again);
                }
                // A commander whose choice is refused is at fault; the game goes on with the least it can do.
                (Some(refused), By::Commander(_)) => {
                    console.say(&format!(
                        "The solo side chose what the rules refuse ({refused}): please report this."
                    ))?;
                    let Some(request) = self.game.battle().pending() else {
                        return Ok(Turn::Leave);
                    };
                    let instead = By::Rules(sim::harmless(self.game.battle(), request));
                    return self.advance(console, &instead);
                }
            }
        };
        if let Some(answered) = game.answers().last() {
            self.record.choice(answered)?;
        }
        let before = self.game.battle().events().len();
        let revealed = matches!(self.game.battle().pending(), Some(Request::Fly { .. }));
        self.game = game;
        self.tell(console, before, revealed)?;
        self.draw(console)?;
        Ok(Turn::On)
    }

    /// Shows the last choice and what came of it.
    fn tell(&self, console: &mut Console<'_>, before: usize, revealed: bool) -> io::Result<()> {
        let Some(answered) = self.game.answers().last() else {
            return Ok(());
        };
        let ship = self.game.battle().table().ship(&answered.ship);
        let mut said = String::new();
        if !answered.explanation.sentence.is_empty() {
            let style = board::side_style(ship.map_or("", |ship| &ship.side));
            let sentence = match ship {
                Some(ship) => words::said(ship, &answered.explanation.sentence),
                None => answered.explanation.sentence.clone(),
            };
            said = sentence;
            // An attack tells the same with its dice.
            if !matches!(answered.answer, Answer::Attack(Some(_))) {
                console.say(&format!("{style}{said}{style:#}"))?;
            }
        } else if let Some(ship) = ship.filter(|_| revealed) {
            let (title, chosen) = (words::title(ship), words::answer(&answered.answer));
            console.say(&format!("{title} reveals {chosen}."))?;
        }
        let begins =
            |line: &&String| line.ends_with(" begins.") && (line.starts_with("The ") || line.starts_with("Round "));
        let end = answered
            .events
            .iter()
            .position(|line| begins(&line))
            .unwrap_or(answered.events.len());
        let (own, after) = answered.events.split_at(end);
        for line in own.iter().filter(|line| **line != said) {
            console.say(&format!("  {line}"))?;
        }
        self.tell_harm(console, before)?;
        for line in after {
            console.say(&format!("  {line}"))?;
        }
        let events = &self.game.battle().events()[before..];
        let engaging = events
            .iter()
            .any(|event| matches!(event, Event::PhaseBegan(Phase::Engagement)));
        let round = events.iter().any(|event| matches!(event, Event::RoundBegan(_)));
        if engaging || round {
            console.list(&board::map(self.game.battle().table()))?;
        }
        if round {
            console.list(&board::list(self.game.battle()))?;
        }
        Ok(())
    }

    /// What is left of the ships that were damaged.
    fn tell_harm(&self, console: &mut Console<'_>, before: usize) -> io::Result<()> {
        let battle = self.game.battle();
        let mut told: Vec<&str> = Vec::new();
        for event in &battle.events()[before..] {
            let Event::Suffered { ship, damage, .. } = event else {
                continue;
            };
            if damage.hits + damage.crits == 0 || told.contains(&&**ship) {
                continue;
            }
            told.push(ship);
            if let Some(ship) = battle.table().ship(ship).filter(|ship| ship.in_play()) {
                console.say(&format!(
                    "  {} is left with {}.",
                    words::title(ship),
                    board::left(battle, &ship.id)
                ))?;
            }
        }
        Ok(())
    }

    /// Asks for dice that are rolled on the player's own table; `None` to leave.
    fn roll(&self, console: &mut Console<'_>, missing: Missing, known: usize) -> io::Result<Option<Vec<Roll>>> {
        let (kind, faces) = match missing.attack {
            true => ("attack", "hit, crit, focus, blank, or h c f b"),
            false => ("defence", "evade, focus, blank, or e f b"),
        };
        let whose = self
            .asked()
            .map_or_else(String::new, |ship| format!("{}: ", words::title(ship)));
        let dice = words::count(missing.count as u32, &format!("{kind} die"));
        let (what, them) = match missing.count {
            1 => ("what it shows", "it"),
            _ => ("what they show", "them"),
        };
        console.say(&format!(
            "{whose}roll {dice} and type {what} ({faces}); Enter rolls {them} for you."
        ))?;
        loop {
            let Some(typed) = console.ask(&format!("{dice}?"))? else {
                return Ok(None);
            };
            if ["quit", "exit", "q"].contains(&typed.as_str()) {
                return Ok(None);
            }
            if typed.is_empty() {
                return Ok(Some(self.rolled_for(missing, known)));
            }
            let words: Vec<String> = typed
                .split(|letter: char| letter.is_whitespace() || letter == ',')
                .filter(|word| !word.is_empty())
                .map(str::to_lowercase)
                .collect();
            let faces: Option<Vec<Roll>> = (words.iter())
                .map(|word| match missing.attack {
                    true => attack_face(word).map(Roll::Attack),
                    false => defence_face(word).map(Roll::Defence),
                })
                .collect();
            match faces {
                Some(faces) if (1..=missing.count).contains(&faces.len()) => return Ok(Some(faces)),
                _ => console.say(&format!(
                    "Type {dice}: {faces_wanted}.",
                    faces_wanted = match missing.attack {
                        true => "hit, crit, focus or blank each",
                        false => "evade, focus or blank each",
                    }
                ))?,
            }
        }
    }

    /// Dice of the seed for who does not want to roll.
    fn rolled_for(&self, missing: Missing, known: usize) -> Vec<Roll> {
        let seed = self.game.header().beginning.seed;
        let number = self.game.answers().len() + 1;
        let mut dice = SeededDice::for_activation(seed, number as u32, &format!("rolled {known}"));
        let face = |_| match missing.attack {
            true => Roll::Attack(dice.attack()),
            false => Roll::Defence(dice.defence()),
        };
        (0..missing.count).map(face).collect()
    }

    fn picture(&self) -> String {
        let battle = self.game.battle();
        let title = format!("Round {}, {} phase", battle.round(), battle.phase().name());
        let lines = self.game.answers().last().map(|answered| {
            let mut lines = vec![answered.explanation.sentence.clone()];
            lines.extend(answered.events.iter().cloned());
            lines.retain(|line| !line.is_empty());
            lines
        });
        let trails = crate::record::picture::trails(battle);
        render::svg_history(
            battle.table(),
            battle.devices(),
            &trails,
            &title,
            &lines.unwrap_or_default(),
        )
    }

    fn draw(&mut self, console: &mut Console<'_>) -> io::Result<()> {
        let Some(path) = &self.svg else { return Ok(()) };
        match std::fs::write(path, self.picture()) {
            Ok(()) => self.drawing_failed = false,
            // Said once, not after every choice.
            Err(error) if !self.drawing_failed => {
                console.say(&format!("The table cannot be drawn in {}: {error}", path.display()))?;
                self.drawing_failed = true;
            }
            Err(_) => {}
        }
        Ok(())
    }
}

fn play(game: &mut Game, by: &By, dice: &mut dyn crate::dice::DiceSource) -> Option<crate::xwing::battle::Refused> {
    match by {
        By::Commander(hand) => game.play(*hand, dice).err(),
        By::Person(answer) => game.answer(answer.clone(), false, dice).err(),
        By::Rules(answer) => game.answer(answer.clone(), true, dice).err(),
    }
}

/// A decision in full: the sentence, then each reason with its rule and what was compared.
pub fn reasons(answered: &Answered) -> Vec<String> {
    let explanation = &answered.explanation;
    let head = format!("Round {}, {}: {}", answered.round, answered.ship, explanation.sentence);
    let why = render::why(&explanation.reasons);
    std::iter::once(head).chain(why.lines().map(str::to_owned)).collect()
}

/// Copies a record, and never over another file.
pub(super) fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let mut source = std::fs::File::open(from)?;
    let mut target = std::fs::File::create_new(to)?;
    io::copy(&mut source, &mut target)?;
    target.sync_all()
}
