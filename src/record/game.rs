//! A game that is written down as it is played, or played again from what was written.

use super::{
    Hand,
    beginning::BadBeginning,
    dice::{AllDice, Given, Noted, Roll},
    file::{AnsweredOf, short_sum},
    kind::{Head as _, Kind},
};
use crate::{decision::Explanation, sim};

/// A game of some kind: how it stands, and what was chosen so far.
#[derive(Debug, Clone)]
pub struct Recorded<K: Kind> {
    header: K::Header,
    state: K,
    answers: Vec<AnsweredOf<K>>,
    notes: Vec<String>,
}

/// Where this program goes another way than the record that it plays again.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("choice {number} of the record, round {round}{}: {what}", if who.is_empty() { String::new() } else { format!(", {who}") })]
pub struct Astray {
    /// Which choice, from 1.
    pub number: usize,
    /// Its round.
    pub round: u32,
    /// The piece that was asked; empty where a side was.
    pub who: String,
    /// What is otherwise, in words.
    pub what: String,
    /// Whether the choice cannot be played at all, so that the rest of the record cannot either.
    pub ends: bool,
}

impl<K: Kind> Recorded<K> {
    /// A game before its first choice.
    ///
    /// # Errors
    /// A beginning that cannot be played.
    pub fn begin(header: K::Header, facts: &K::Facts) -> Result<Self, BadBeginning> {
        let mut dice = sim::dice_of(header.seed(), header.game().unwrap_or(0));
        Self::begin_with(header, facts, &mut dice)
    }

    /// As [`Recorded::begin`], with these dice.
    ///
    /// # Errors
    /// A beginning that cannot be played.
    pub fn begin_with(mut header: K::Header, facts: &K::Facts, dice: &mut dyn AllDice) -> Result<Self, BadBeginning> {
        let (state, notes) = K::begin(&mut header, facts, dice)?;
        Ok(Recorded {
            header,
            state,
            answers: Vec::new(),
            notes,
        })
    }

    /// A game that is played to its end by commanders, as a simulation plays it: the dice are those of the simulation.
    ///
    /// # Errors
    /// A beginning that cannot be played.
    pub fn played_out(header: K::Header, facts: &K::Facts, dice: &mut dyn AllDice) -> Result<Self, BadBeginning> {
        let mut game = Self::begin_with(header, facts, dice)?;
        while let Some(hand) = game.hand() {
            let hand = if hand == Hand::Human { Hand::Scripted } else { hand };
            let Err(_) = game.play(hand, dice) else {
                continue;
            };
            let Some(request) = game.state.pending() else { break };
            let instead = game.state.harmless(request);
            if game.answer(instead, true, dice).is_err() {
                break;
            }
        }
        Ok(game)
    }

    /// A game as it was written down, played again. Each choice of a commander is made anew and compared; where this
    /// program chooses or rolls otherwise, it is told, and the record counts.
    ///
    /// # Errors
    /// A beginning that cannot be played.
    pub fn resume(
        header: K::Header,
        answers: &[AnsweredOf<K>],
        facts: &K::Facts,
    ) -> Result<(Self, Vec<Astray>), BadBeginning> {
        let mut game = Self::begin(header, facts)?;
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
    pub fn again(&mut self, answered: &AnsweredOf<K>) -> Option<Astray> {
        let astray = |what: String, ends: bool| {
            Some(Astray {
                number: answered.number,
                round: answered.round,
                who: answered.who.to_string(),
                what,
                ends,
            })
        };
        let Some(request) = self.state.pending().cloned() else {
            return astray(format!("the {} is over here", K::NAME), true);
        };
        let who = self.state.who(&request);
        if who != answered.who {
            let who = match who.to_string() {
                side if side.is_empty() => "a side".to_owned(),
                piece => piece,
            };
            return astray(format!("{who} is asked here"), true);
        }
        let mut found = None;
        if answered.by != Hand::Human {
            let mut dice = Given::new(&answered.chose_by);
            let (choice, explanation) = self.state.choose(answered.by, &request, &mut dice);
            if choice != answered.choice {
                let (now, then) = (self.state.chosen(&choice), self.state.chosen(&answered.choice));
                found = astray(format!("this version chooses {now}, the record has {then}"), false);
            } else if explanation != answered.explanation {
                found = astray("this version gives other reasons for the same choice".to_owned(), false);
            } else if dice.is_astray() {
                found = astray("this version rolls other dice for the same choice".to_owned(), false);
            }
        }
        let mut dice = Given::new(&answered.rolled);
        let before = self.state.events().len();
        if let Err(refused) = self.state.carry_out(&answered.choice, &mut dice) {
            return astray(format!("the rules refuse what was chosen: {refused}"), true);
        }
        if self.digest_since(before) != answered.digest || dice.is_astray() {
            found = found.or_else(|| astray("something else comes of it".to_owned(), false));
        }
        self.answers.push(answered.clone());
        found
    }

    /// How the game began.
    pub fn header(&self) -> &K::Header {
        &self.header
    }

    /// The game as it stands.
    pub fn state(&self) -> &K {
        &self.state
    }

    /// What was chosen so far.
    pub fn answers(&self) -> &[AnsweredOf<K>] {
        &self.answers
    }

    /// What the players ought to know about the beginning.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// What it is, in a line for people.
    pub fn title(&self) -> String {
        self.state.title(&self.header)
    }

    /// Who has to choose; `None` when it is over.
    pub fn hand(&self) -> Option<Hand> {
        let request = self.state.pending()?;
        Some(match self.state.is_players(request) {
            true => self.header.player(),
            false => Hand::Solo,
        })
    }

    /// What the scripted player would choose now, for who wants a suggestion.
    pub fn suggestion(&mut self) -> Option<K::Choice> {
        let request = self.state.pending().cloned()?;
        let mut dice = super::dice::of_choice(self.header.seed(), self.answers.len());
        Some(self.state.choose(Hand::Scripted, &request, &mut dice).0)
    }

    /// Lets a commander choose and plays it.
    ///
    /// # Errors
    /// What the rules do not allow: a fault of the commander.
    pub fn play(&mut self, hand: Hand, dice: &mut dyn AllDice) -> Result<&AnsweredOf<K>, K::Refused> {
        let request = self.state.pending().cloned().ok_or_else(K::not_asked)?;
        let mut noted = Noted::new(dice);
        let (choice, explanation) = self.state.choose(hand, &request, &mut noted);
        let chose_by = noted.rolls;
        self.accept(hand, choice, explanation, chose_by, false, dice)
    }

    /// Plays a choice that somebody made; `forced`: there was nothing else to choose.
    ///
    /// # Errors
    /// What the rules do not allow; nothing has changed then.
    pub fn answer(
        &mut self,
        choice: impl Into<K::Choice>,
        forced: bool,
        dice: &mut dyn AllDice,
    ) -> Result<&AnsweredOf<K>, K::Refused> {
        self.accept(
            Hand::Human,
            choice.into(),
            Explanation::default(),
            Vec::new(),
            forced,
            dice,
        )
    }

    fn accept(
        &mut self,
        by: Hand,
        choice: K::Choice,
        explanation: Explanation,
        chose_by: Vec<Roll>,
        forced: bool,
        dice: &mut dyn AllDice,
    ) -> Result<&AnsweredOf<K>, K::Refused> {
        let request = self.state.pending().ok_or_else(K::not_asked)?;
        let who = self.state.who(request);
        let round = self.state.round();
        let before = self.state.events().len();
        let mut noted = Noted::new(dice);
        self.state.carry_out(&choice, &mut noted)?;
        let answered = AnsweredOf::<K> {
            number: self.answers.len() + 1,
            round,
            who,
            by,
            forced,
            choice,
            explanation,
            chose_by,
            rolled: noted.rolls,
            events: self.state.told_since(before),
            digest: self.digest_since(before),
        };
        self.answers.push(answered);
        Ok(&self.answers[self.answers.len() - 1])
    }

    /// A sum of what has happened since so many events, and of what is asked now.
    fn digest_since(&self, before: usize) -> String {
        let events = &self.state.events()[before..];
        short_sum(format!("{events:?} {:?}", self.state.pending()).as_bytes())
    }
}
