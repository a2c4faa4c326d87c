//! A game from its present place to where the player leaves it. Every choice is on the disk before what comes of it is shown.

use std::{
    io,
    path::{Path, PathBuf},
};

use super::{
    console::{Console, FAINT},
    dice,
    keyboard::{Asks, AtKeyboard},
    picture,
};
use crate::{
    record::{
        Hand, RecordError,
        beginning::BadBeginning,
        dice::{AllDice, Roll, Typed, of_choice},
        file::{AnsweredOf, Recording},
        game::Recorded,
        kind::Head as _,
        words::count,
    },
    render,
    same_file::same_file,
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

/// Who chooses what.
#[derive(Debug, Clone)]
enum By<Choice> {
    Commander(Hand),
    Person(Choice),
    /// The rules leave the player one choice.
    Rules(Choice),
}

/// A game in play.
#[derive(Debug)]
pub struct Session<'f, K: AtKeyboard> {
    game: Recorded<K>,
    record: Recording<K>,
    facts: &'f K::Facts,
    /// Where the table is drawn after each choice.
    svg: Option<PathBuf>,
    drawing_failed: bool,
}

/// Begins a game; where dice are typed in, those that its beginning takes are asked for. `None` when the player leaves.
///
/// # Errors
/// A beginning that cannot be played, or a console that is gone.
pub fn begin<K: AtKeyboard>(
    header: &K::Header,
    facts: &K::Facts,
    console: &mut Console<'_>,
) -> Result<Option<Recorded<K>>, PlayError> {
    if !header.typed_dice() {
        return Ok(Some(Recorded::begin(header.clone(), facts)?));
    }
    let mut known: Vec<Roll> = Vec::new();
    loop {
        let mut typed = Typed::new(&known, crate::sim::dice_of(header.seed(), header.game().unwrap_or(0)));
        let game = Recorded::begin_with(header.clone(), facts, &mut typed)?;
        let Some(missing) = typed.missing() else {
            return Ok(Some(game));
        };
        let whose = K::rolls_to_begin(header, known.len());
        let usual = dice::rolled_for(header.seed(), 0, missing, known.len());
        match dice::ask(console, &whose, missing, &usual)? {
            Some(rolls) => known.extend(rolls),
            None => return Ok(None),
        }
    }
}

impl<'f, K: AtKeyboard> Session<'f, K> {
    /// A game that goes on in its record.
    pub fn new(game: Recorded<K>, record: Recording<K>, facts: &'f K::Facts, svg: Option<PathBuf>) -> Self {
        Session {
            game,
            record,
            facts,
            svg,
            drawing_failed: false,
        }
    }

    /// The game as it stands.
    pub fn game(&self) -> &Recorded<K> {
        &self.game
    }

    /// Plays until the game is over and the player has seen it, or the player leaves. Whether it is over.
    ///
    /// # Errors
    /// The console or the record is gone.
    pub fn run(&mut self, console: &mut Console<'_>) -> Result<bool, PlayError> {
        for note in self.game.notes() {
            console.say(&format!("{FAINT}{note}{FAINT:#}"))?;
        }
        let state = self.game.state();
        match self.game.answers().is_empty() {
            true => console.list(&state.told_since(0))?,
            false => console.say(&format!("The {} goes on {}.", K::NAME, state.place()))?,
        }
        console.list(&state.map())?;
        console.list(&state.list())?;
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
        let asked = format!(
            "The {} is over. Enter leaves; undo, why, log, table, map go on as before:",
            K::NAME
        );
        let Some(typed) = console.ask(&asked)?.filter(|typed| !typed.is_empty()) else {
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
        let mut question = match self.game.state().asks(suggested.as_ref()) {
            None => return Ok(Turn::Leave),
            Some(Asks::Settled(choice)) => return self.advance(console, &By::Rules(choice)),
            Some(Asks::Open(question)) => question,
        };
        let mut before: Option<K::Choice> = None;
        loop {
            let chosen = match self.choose(console, &question)? {
                Ok(chosen) => chosen,
                Err(turn) => return Ok(turn),
            };
            let further = match before.as_ref() == Some(&chosen) {
                true => None,
                false => self.game.state().asks_further(&chosen, suggested.as_ref()),
            };
            match further {
                None => return self.advance(console, &By::Person(chosen)),
                Some(further) => question = further,
            }
            before = Some(chosen);
        }
    }

    /// Shows a question until it is answered; what is done next, where something else was typed than an answer.
    fn choose(
        &mut self,
        console: &mut Console<'_>,
        question: &K::Question,
    ) -> Result<Result<K::Choice, Turn>, PlayError> {
        let sheet = self.game.state().sheet(question);
        console.say("")?;
        console.say(&sheet.heading)?;
        console.list(&sheet.lines)?;
        loop {
            let Some(typed) = console.ask(&format!("Your choice? [{}]", sheet.usual))? else {
                return Ok(Err(Turn::Leave));
            };
            match self.command(console, &typed)? {
                Some(Turn::Again) => continue,
                Some(turn) => return Ok(Err(turn)),
                None => {}
            }
            match self.game.state().meant(question, &typed) {
                Ok(choice) => return Ok(Ok(choice)),
                Err(expected) => console.say(&format!("`{typed}`? {expected}; `help` tells what else."))?,
            }
        }
    }

    /// Carries out what is typed, if it is a command. `Turn::On`: the game has changed.
    fn command(&mut self, console: &mut Console<'_>, typed: &str) -> Result<Option<Turn>, PlayError> {
        let (word, rest) = typed.split_once(char::is_whitespace).unwrap_or((typed, ""));
        // A path may stand in quotation marks, as in a shell.
        let rest = rest.trim().trim_matches('"');
        let word = word.to_lowercase();
        let state = self.game.state();
        let table = K::WORDS.table;
        match word.as_str() {
            "help" | "?" => console.list(&K::WORDS.help.lines().map(str::to_owned).collect::<Vec<_>>())?,
            "table" => console.list(&state.list())?,
            "map" => console.list(&state.map())?,
            "ship" | "figure" => match state.piece(rest) {
                Ok(lines) => console.list(&lines)?,
                Err(none) => console.say(&none)?,
            },
            "why" => self.why(console, rest)?,
            "log" => {
                let wanted = rest.parse().unwrap_or(20);
                let answers = self.game.answers().iter();
                let lines: Vec<&String> = answers.flat_map(|answered| &answered.events).collect();
                for line in &lines[lines.len().saturating_sub(wanted)..] {
                    console.say(line)?;
                }
            }
            "svg" if rest.is_empty() => console.say(&format!("Name a file, as in `svg {table}.svg`."))?,
            "svg" if same_file(Path::new(rest), self.record.path()) => {
                console.say(&format!("{rest} is the record of this {}: name another file.", K::NAME))?;
            }
            "svg" => match picture::draw_into(Path::new(rest), &K::picture(&self.game)) {
                Ok(()) => console.say(&format!("The {table} is drawn in {rest}."))?,
                Err(why) => console.say(&why)?,
            },
            "save" if rest.is_empty() => console.say(&format!(
                "The {} is kept in {} as it is played. `save FILE` makes a copy.",
                K::NAME,
                self.record.path().display()
            ))?,
            "save" => match copy(self.record.path(), Path::new(rest)) {
                Ok(()) => console.say(&format!("The {} so far is copied to {rest}.", K::NAME))?,
                Err(error) => console.say(&format!("{rest} cannot be written: {error}"))?,
            },
            "undo" => return self.undo(console, rest).map(Some),
            "quit" | "exit" | "q" => return Ok(Some(Turn::Leave)),
            word => match state.correction(word, rest) {
                None => return Ok(None),
                Some(Ok(correction)) => return self.advance(console, &By::Person(correction)).map(Some),
                Some(Err(written)) => console.say(&written)?,
            },
        }
        Ok(Some(Turn::Again))
    }

    /// The last decision that was explained, of any piece or of one, in full.
    fn why(&self, console: &mut Console<'_>, piece: &str) -> io::Result<()> {
        let state = self.game.state();
        let mut answers = self.game.answers().iter().rev();
        let explained = answers.find(|answered| {
            let of = piece.is_empty() || state.is_meant(&answered.who, piece);
            of && !answered.explanation.sentence.is_empty()
        });
        match explained {
            Some(answered) => console.list(&reasons(state, answered)),
            None => console.say(&state.unexplained(piece)),
        }
    }

    /// Takes back the last choices of the player, with everything since.
    fn undo(&mut self, console: &mut Console<'_>, rest: &str) -> Result<Turn, PlayError> {
        let back: usize = match rest.parse() {
            Ok(back) => back,
            Err(_) if rest.is_empty() => 1,
            Err(_) => {
                console.say("Say how many of your choices, as in `undo 2`.")?;
                return Ok(Turn::Again);
            }
        };
        let answers = self.game.answers();
        let own = |(_, answered): &(usize, &AnsweredOf<K>)| answered.by == Hand::Human && !answered.forced;
        let chosen: Vec<usize> = (answers.iter().enumerate())
            .filter(own)
            .map(|(place, _)| place)
            .collect();
        let Some(&place) = back.checked_sub(1).and_then(|back| chosen.iter().rev().nth(back)) else {
            let choices = count(chosen.len() as u32, "choice");
            console.say(&format!("You have made {choices} so far."))?;
            return Ok(Turn::Again);
        };
        let kept = answers[..place].to_vec();
        let (game, _) = Recorded::resume(self.game.header().clone(), &kept, self.facts)?;
        self.record.undone(place + 1)?;
        self.game = game;
        console.list(&self.game.state().back())?;
        self.draw(console)?;
        Ok(Turn::On)
    }

    /// Plays a choice: first in a copy, then it is recorded, then it counts and is shown.
    fn advance(&mut self, console: &mut Console<'_>, by: &By<K::Choice>) -> Result<Turn, PlayError> {
        let (seed, number) = (self.game.header().seed(), self.game.answers().len() + 1);
        let mut known: Vec<Roll> = Vec::new();
        let game = loop {
            let mut trial = self.game.clone();
            let mut seeded = of_choice(seed, number);
            let refused = if self.game.header().typed_dice() {
                let mut typed = Typed::new(&known, seeded);
                let refused = play(&mut trial, by, &mut typed);
                if let Some(missing) = typed.missing() {
                    let choice = match by {
                        By::Person(choice) | By::Rules(choice) => Some(choice),
                        By::Commander(_) => None,
                    };
                    let whose = self.game.state().rolls_for(choice);
                    let usual = dice::rolled_for(seed, number, missing, known.len());
                    match dice::ask(console, &whose, missing, &usual)? {
                        Some(rolls) => known.extend(rolls),
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
                (Some(refused), By::Person(_) | By::Rules(_)) => {
                    console.say(&format!("That cannot be done: {refused}."))?;
                    return Ok(Turn::Again);
                }
                // The game goes on with the least that can be done.
                (Some(refused), By::Commander(_)) => {
                    console.say(&K::misplanned(&refused))?;
                    let Some(request) = self.game.state().pending() else {
                        return Ok(Turn::Leave);
                    };
                    let instead = By::Rules(self.game.state().harmless(request));
                    return self.advance(console, &instead);
                }
            }
        };
        if let Some(answered) = game.answers().last() {
            self.record.choice(answered)?;
        }
        let before = std::mem::replace(&mut self.game, game);
        if let Some(answered) = self.game.answers().last() {
            self.game.state().tell(before.state(), answered, console)?;
        }
        self.draw(console)?;
        Ok(Turn::On)
    }

    fn draw(&mut self, console: &mut Console<'_>) -> io::Result<()> {
        let Some(path) = &self.svg else { return Ok(()) };
        match std::fs::write(path, K::picture(&self.game)) {
            Ok(()) => self.drawing_failed = false,
            // Said once, not after every choice.
            Err(error) if !self.drawing_failed => {
                let table = K::WORDS.table;
                console.say(&format!("The {table} cannot be drawn in {}: {error}", path.display()))?;
                self.drawing_failed = true;
            }
            Err(_) => {}
        }
        Ok(())
    }
}

fn play<K: AtKeyboard>(game: &mut Recorded<K>, by: &By<K::Choice>, dice: &mut dyn AllDice) -> Option<K::Refused> {
    match by {
        By::Commander(hand) => game.play(*hand, dice).err(),
        By::Person(choice) => game.answer(choice.clone(), false, dice).err(),
        By::Rules(choice) => game.answer(choice.clone(), true, dice).err(),
    }
}

/// A decision in full: the sentence, then each reason with its rule and what was compared.
fn reasons<K: AtKeyboard>(state: &K, answered: &AnsweredOf<K>) -> Vec<String> {
    let explanation = &answered.explanation;
    let who = match answered.who.to_string() {
        side if side.is_empty() => String::new(),
        piece => format!(", {piece}"),
    };
    let head = format!("Round {}{who}: {}", answered.round, explanation.sentence);
    let why = render::why(&state.shown(&explanation.reasons));
    std::iter::once(head).chain(why.lines().map(str::to_owned)).collect()
}

/// Copies a record, and never over another file.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let mut source = std::fs::File::open(from)?;
    let mut target = std::fs::File::create_new(to)?;
    io::copy(&mut source, &mut target)?;
    target.sync_all()
}
