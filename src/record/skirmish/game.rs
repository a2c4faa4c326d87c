//! A skirmish that is written down as it is played, or played again from what was written.

use super::{Answered, Choice, Header, dice::Noted};
use crate::{
    bridge::grid,
    dice::{D20Source, KnownD20, SeededDice},
    record::{
        Hand,
        dice::{Given, Roll, of_choice},
        file::short_sum,
    },
    sim,
    swm::{
        board::Board,
        commander::{Commander, Explanation, automated::Automated, harmless, scripted::Scripted},
        figure::Side,
        skirmish::{Answer, Correction, Refused, Request, Skirmish, words},
    },
};

/// A beginning that cannot be played.
#[derive(Debug, thiserror::Error)]
#[error("the skirmish cannot begin: {0}")]
pub struct BadBeginning(String);

/// Where this program goes another way than the record that it plays again.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("choice {number} of the record, round {round}{}: {what}", if figure.is_empty() { String::new() } else { format!(", {figure}") })]
pub struct Astray {
    /// Which choice, from 1.
    pub number: usize,
    /// Its round.
    pub round: u32,
    /// The figure that was asked; empty where a side was.
    pub figure: String,
    /// What is otherwise, in words.
    pub what: String,
    /// Whether the choice cannot be played at all, so that the rest of the record cannot either.
    pub ends: bool,
}

/// A skirmish, who plays it, and what was chosen so far.
#[derive(Debug, Clone)]
pub struct Skirmishing {
    header: Header,
    start: Board,
    skirmish: Skirmish,
    automated: Automated,
    scripted: Scripted,
    answers: Vec<Answered>,
    notes: Vec<String>,
}

impl Skirmishing {
    /// A skirmish before its first choice. Dice of the opening that the header does not have are rolled; where they are
    /// typed in and not known yet, there is `None`.
    ///
    /// # Errors
    /// A position that cannot be played.
    pub fn begin(header: Header, typed: Option<&[u8]>) -> Result<Option<Skirmishing>, BadBeginning> {
        match (header.opening.is_empty(), typed) {
            (false, _) => {
                let opening = header.opening.clone();
                let mut given = Given::new(&opening);
                Skirmishing::begin_with(header, &mut given).map(Some)
            }
            (true, Some(known)) => {
                let mut dice = KnownD20::new(known, SeededDice::new(header.seed));
                let begun = Skirmishing::begin_with(header, &mut dice)?;
                Ok((!dice.is_missing()).then_some(begun))
            }
            (true, None) => {
                let mut dice = sim::dice_of(header.seed, header.game.unwrap_or(0));
                Skirmishing::begin_with(header, &mut dice).map(Some)
            }
        }
    }

    fn begin_with(mut header: Header, dice: &mut dyn D20Source) -> Result<Skirmishing, BadBeginning> {
        let position = grid::understand(header.position.clone()).map_err(|error| BadBeginning(error.to_string()))?;
        let sides = [Side::Player, Side::Automated];
        if let Some(side) = sides.iter().find(|side| position.board.side(**side).next().is_none()) {
            let name = words::side(*side).to_lowercase();
            return Err(BadBeginning(format!("{name} has no figure in play")));
        }
        let mut noted = Noted::new(dice);
        let start = position.board;
        let skirmish = Skirmish::new(start.clone(), position.options, header.rounds, &mut noted);
        header.opening = noted.rolls;
        Ok(Skirmishing {
            header,
            start,
            skirmish,
            automated: Automated::default(),
            scripted: Scripted,
            answers: Vec::new(),
            notes: position.warnings,
        })
    }

    /// A skirmish of a simulation, played to its end and written down.
    ///
    /// # Errors
    /// A position that cannot be played.
    pub fn simulated(header: Header, dice: &mut dyn D20Source) -> Result<Skirmishing, BadBeginning> {
        let mut game = Skirmishing::begin_with(header, dice)?;
        while let Some(hand) = game.hand() {
            let hand = if hand == Hand::Human { Hand::Scripted } else { hand };
            if game.play(hand, dice).is_ok() {
                continue;
            }
            let Some(request) = game.skirmish.pending() else { break };
            let instead = harmless(&game.skirmish, request);
            if game.answer(instead, dice).is_err() {
                break;
            }
        }
        Ok(game)
    }

    /// A skirmish as it was written down, played again. Each choice of a commander is made anew and compared; where this
    /// program chooses or rolls otherwise, it is told, and the record counts.
    ///
    /// # Errors
    /// A position that cannot be played.
    pub fn resume(header: Header, answers: &[Answered]) -> Result<(Skirmishing, Vec<Astray>), BadBeginning> {
        let opening = header.opening.clone();
        let mut game = Skirmishing::begin_with(header, &mut Given::new(&opening))?;
        let mut astray = Vec::new();
        for answered in answers {
            if let Some(found) = game.again(answered) {
                let ends = found.ends;
                astray.push(found);
                if ends {
                    break;
                }
            }
        }
        Ok((game, astray))
    }

    /// Plays one choice of a record.
    pub fn again(&mut self, answered: &Answered) -> Option<Astray> {
        let astray = |what: String, ends: bool| {
            Some(Astray {
                number: answered.number,
                round: answered.round,
                figure: answered.figure.clone(),
                what,
                ends,
            })
        };
        let Some(request) = self.skirmish.pending().cloned() else {
            return astray("the skirmish is over here".to_owned(), true);
        };
        let asked = request.figure().unwrap_or_default();
        if asked != answered.figure {
            let who = if asked.is_empty() { "a side" } else { asked };
            return astray(format!("{who} is asked here"), true);
        }
        let mut found = None;
        if answered.by != Hand::Human {
            let mut dice = Given::new(&answered.chose_by);
            let (answer, explanation) = self.choose(answered.by, &request, &mut dice);
            let now = Choice::Answer(answer);
            if now != answered.choice {
                let what = format!(
                    "this version chooses {}, the record has {}",
                    said(&now),
                    said(&answered.choice)
                );
                found = astray(what, false);
            } else if explanation != answered.explanation {
                found = astray("this version gives other reasons for the same choice".to_owned(), false);
            } else if dice.is_astray() {
                found = astray("this version rolls other dice for the same choice".to_owned(), false);
            }
        }
        let mut dice = Given::new(&answered.rolled);
        let before = self.skirmish.events().len();
        if let Err(refused) = self.carry_out(&answered.choice, &mut dice) {
            return astray(format!("the rules refuse what was chosen: {refused}"), true);
        }
        if self.digest_since(before) != answered.digest || dice.is_astray() {
            found = found.or_else(|| astray("something else comes of it".to_owned(), false));
        }
        self.answers.push(answered.clone());
        found
    }

    fn carry_out(&mut self, choice: &Choice, dice: &mut dyn D20Source) -> Result<(), Refused> {
        match choice {
            Choice::Answer(answer) => self.skirmish.answer(answer.clone(), dice),
            Choice::Correct(correction) => self.skirmish.correct(correction.clone(), dice),
        }
    }

    /// How it began.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The board at the beginning.
    pub fn start(&self) -> &Board {
        &self.start
    }

    /// The skirmish as it stands.
    pub fn skirmish(&self) -> &Skirmish {
        &self.skirmish
    }

    /// What was chosen so far.
    pub fn answers(&self) -> &[Answered] {
        &self.answers
    }

    /// What the players ought to know about the beginning.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Who has to choose; `None` when it is over.
    pub fn hand(&self) -> Option<Hand> {
        let request = self.skirmish.pending()?;
        Some(match self.skirmish.side_of(request) {
            Side::Player => self.header.player,
            Side::Automated => Hand::Solo,
        })
    }

    /// What a commander would choose now. Nothing happens but that it remembers its plan.
    fn choose(&mut self, hand: Hand, request: &Request, dice: &mut dyn D20Source) -> (Answer, Explanation) {
        let commander: &mut dyn Commander = match hand {
            Hand::Solo => &mut self.automated,
            Hand::Human | Hand::Scripted => &mut self.scripted,
        };
        let answer = commander.answer(&self.skirmish, request, dice);
        let explanation = commander.explanation().unwrap_or_default();
        (answer, explanation)
    }

    /// What the scripted player would choose now, for who wants a suggestion.
    pub fn suggestion(&mut self) -> Option<Answer> {
        let request = self.skirmish.pending().cloned()?;
        let mut dice = of_choice(self.header.seed, self.answers.len());
        Some(self.choose(Hand::Scripted, &request, &mut dice).0)
    }

    /// Lets a commander choose and plays it.
    ///
    /// # Errors
    /// What the rules do not allow: a fault of the commander.
    pub fn play(&mut self, hand: Hand, dice: &mut dyn D20Source) -> Result<&Answered, Refused> {
        let request = self.skirmish.pending().cloned().ok_or(Refused::NotAsked)?;
        let mut noted = Noted::new(dice);
        let (answer, explanation) = self.choose(hand, &request, &mut noted);
        let chose_by = noted.rolls;
        self.accept(hand, Choice::Answer(answer), explanation, chose_by, dice)
    }

    /// Plays a choice that somebody made.
    ///
    /// # Errors
    /// What the rules do not allow; nothing has changed then.
    pub fn answer(&mut self, answer: Answer, dice: &mut dyn D20Source) -> Result<&Answered, Refused> {
        let choice = Choice::Answer(answer);
        self.accept(Hand::Human, choice, Explanation::default(), Vec::new(), dice)
    }

    /// Sets what the players have otherwise.
    ///
    /// # Errors
    /// What cannot be so; nothing has changed then.
    pub fn correct(&mut self, correction: Correction, dice: &mut dyn D20Source) -> Result<&Answered, Refused> {
        let choice = Choice::Correct(correction);
        self.accept(Hand::Human, choice, Explanation::default(), Vec::new(), dice)
    }

    fn accept(
        &mut self,
        by: Hand,
        choice: Choice,
        explanation: Explanation,
        chose_by: Vec<Roll>,
        dice: &mut dyn D20Source,
    ) -> Result<&Answered, Refused> {
        let request = self.skirmish.pending().ok_or(Refused::NotAsked)?;
        let figure = request.figure().unwrap_or_default().to_owned();
        let round = self.skirmish.round();
        let before = self.skirmish.events().len();
        let mut noted = Noted::new(dice);
        self.carry_out(&choice, &mut noted)?;
        let answered = Answered {
            number: self.answers.len() + 1,
            round,
            figure,
            by,
            choice,
            explanation,
            chose_by,
            rolled: noted.rolls,
            events: words::events(self.skirmish.board(), &self.skirmish.events()[before..]),
            digest: self.digest_since(before),
        };
        self.answers.push(answered);
        Ok(&self.answers[self.answers.len() - 1])
    }

    /// A sum of what has happened since so many events, and of what is asked now.
    fn digest_since(&self, before: usize) -> String {
        let events = &self.skirmish.events()[before..];
        short_sum(format!("{events:?} {:?}", self.skirmish.pending()).as_bytes())
    }
}

/// A choice as it is typed.
pub(super) fn said(choice: &Choice) -> String {
    match choice {
        Choice::Answer(answer) => format!("`{answer}`"),
        Choice::Correct(_) => "a correction".to_owned(),
    }
}
