//! A game that is written down as it is played, or played again from what was written.

use std::sync::Arc;

use super::{
    Answered, Beginning, Hand, Header,
    beginning::BadBeginning,
    dice::{Given, Noted},
    file, words,
};
use crate::{
    commander::{Commander as _, Explanation, scripted::Scripted, solo::Solo},
    dice::DiceSource,
    sim::{self, squad},
    xwing::{
        battle::{Answer, BadSetup, Battle, Refused, Request},
        catalog::{Catalog, Titles},
    },
};

/// A game: the battle, who plays it, and what was chosen so far.
#[derive(Debug, Clone)]
pub struct Game {
    header: Header,
    battle: Battle,
    solo: Solo,
    solo_player: Solo,
    scripted: Scripted,
    answers: Vec<Answered>,
    notes: Vec<String>,
    titles: Arc<Titles>,
}

/// Where this program goes another way than the record that it plays again.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("choice {number} of the record, round {round}, {ship}: {what}")]
pub struct Astray {
    /// Which choice, from 1.
    pub number: usize,
    /// Its round.
    pub round: u32,
    /// The ship that was asked.
    pub ship: String,
    /// What is otherwise, in words.
    pub what: String,
    /// Whether the choice cannot be played at all, so that the rest of the record cannot either.
    pub ends: bool,
}

impl From<BadSetup> for BadBeginning {
    fn from(bad: BadSetup) -> BadBeginning {
        BadBeginning(bad.to_string())
    }
}

impl Game {
    /// A game before its first choice.
    ///
    /// # Errors
    /// A beginning that cannot be played.
    pub fn begin(header: Header, catalog: &Catalog) -> Result<Game, BadBeginning> {
        let mut dice = sim::dice_of(header.beginning.seed, header.beginning.game.unwrap_or(0));
        Game::begin_with(header, catalog, &mut dice)
    }

    /// As [`Game::begin`], with the dice that go on to be those of a simulation.
    fn begin_with(header: Header, catalog: &Catalog, dice: &mut dyn DiceSource) -> Result<Game, BadBeginning> {
        let (setup, mut notes) = header.beginning.open(catalog, dice)?;
        let titles = Titles::of(catalog);
        notes.iter_mut().for_each(|note| titles.speak_in(note));
        let options = header.beginning.options.clone();
        let player_options = header.beginning.player_options().clone();
        Ok(Game {
            battle: Battle::new(setup, dice)?,
            solo: Solo::new(options),
            solo_player: Solo::new(player_options),
            scripted: Scripted::default(),
            answers: Vec::new(),
            header,
            notes,
            titles: Arc::new(titles),
        })
    }

    /// A game of a simulation, played to its end and written down.
    ///
    /// # Errors
    /// A beginning that cannot be played.
    pub fn simulated(beginning: Beginning, catalog: &Catalog) -> Result<Game, BadBeginning> {
        let mut dice = sim::dice_of(beginning.seed, beginning.game.unwrap_or(0));
        let header = Header::new(beginning, catalog, false);
        let mut game = Game::begin_with(header, catalog, &mut dice)?;
        while let Some(hand) = game.hand() {
            let hand = if hand == Hand::Human { Hand::Scripted } else { hand };
            let Err(_) = game.play(hand, &mut dice) else {
                continue;
            };
            // As a simulation goes on: see `sim::play`.
            let Some(request) = game.battle.pending() else { break };
            let instead = sim::harmless(&game.battle, request);
            if game.answer(instead, true, &mut dice).is_err() {
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
        header: Header,
        answers: &[Answered],
        catalog: &Catalog,
    ) -> Result<(Game, Vec<Astray>), BadBeginning> {
        let mut game = Game::begin(header, catalog)?;
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
                ship: answered.ship.to_string(),
                what,
                ends,
            })
        };
        let Some(request) = self.battle.pending().cloned() else {
            return astray("the game is over here".to_owned(), true);
        };
        if *request.ship() != answered.ship {
            return astray(format!("{} is asked here", request.ship()), true);
        }
        let mut found = None;
        if answered.by != Hand::Human {
            let mut dice = Given::new(&answered.chose_by);
            let (answer, explanation) = self.choose(answered.by, &request, &mut dice);
            if answer != answered.answer {
                let (now, then) = (self.chosen(&answer), self.chosen(&answered.answer));
                found = astray(format!("this version chooses {now}, the record has {then}"), false);
            } else if explanation != answered.explanation {
                found = astray("this version gives other reasons for the same choice".to_owned(), false);
            } else if dice.is_astray() {
                found = astray("this version rolls other dice for the same choice".to_owned(), false);
            }
        }
        let mut dice = Given::new(&answered.rolled);
        let before = self.battle.events().len();
        if let Err(refused) = self.battle.answer(answered.answer.clone(), &mut dice) {
            return astray(format!("the rules refuse what was chosen: {refused}"), true);
        }
        if self.digest_since(before) != answered.digest || dice.is_astray() {
            found = found.or_else(|| astray("something else comes of it".to_owned(), false));
        }
        self.answers.push(answered.clone());
        found
    }

    /// How the game began.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The battle as it stands.
    pub fn battle(&self) -> &Battle {
        &self.battle
    }

    /// What was chosen so far.
    pub fn answers(&self) -> &[Answered] {
        &self.answers
    }

    /// What the players ought to know about the beginning.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The printed names of what the facts of this game know by ids.
    pub fn titles(&self) -> &Titles {
        &self.titles
    }

    /// What it is, in a line for people.
    pub fn title(&self) -> String {
        self.titles.speak(&self.header.beginning.title())
    }

    /// What has happened since so many events, in words for people.
    pub fn told_since(&self, before: usize) -> Vec<String> {
        let mut lines = words::events(&self.battle, before);
        lines.iter_mut().for_each(|line| self.titles.speak_in(line));
        lines
    }

    /// What is asked now, in words for people; empty when nothing is.
    pub fn asked(&self) -> String {
        let request = self.battle.pending();
        let words = request.map(|request| words::request(&self.battle, request));
        self.titles.speak(&words.unwrap_or_default())
    }

    /// A choice of what is asked now, in words for people.
    pub fn chosen(&self, answer: &Answer) -> String {
        self.titles.speak(&words::chosen(&self.battle, answer))
    }

    /// The same as a whole sentence with the ship's name.
    pub fn sentence(&self, answer: &Answer) -> String {
        self.titles.speak(&words::chose(&self.battle, answer))
    }

    /// Who has to choose; `None` when it is over.
    pub fn hand(&self) -> Option<Hand> {
        let request = self.battle.pending()?;
        Some(match self.is_players(request) {
            true => self.header.beginning.player,
            false => Hand::Solo,
        })
    }

    fn is_players(&self, request: &Request) -> bool {
        let ship = self.battle.table().ship(request.ship());
        ship.is_some_and(|ship| ship.side == squad::PLAYER)
    }

    /// What a commander would choose now. Nothing happens but that it remembers.
    fn choose(&mut self, hand: Hand, request: &Request, dice: &mut dyn DiceSource) -> (Answer, Explanation) {
        let mut explanation = Explanation::default();
        let said = Some(&mut explanation);
        let players = self.is_players(request);
        let answer = match hand {
            Hand::Human | Hand::Scripted => self.scripted.answer(&self.battle, request, dice, said),
            Hand::Solo if players => self.solo_player.answer(&self.battle, request, dice, said),
            Hand::Solo => self.solo.answer(&self.battle, request, dice, said),
        };
        self.titles.speak_in(&mut explanation.sentence);
        for reason in &mut explanation.reasons {
            self.titles.speak_in(&mut reason.text);
            for compared in &mut reason.compared {
                self.titles.speak_in(&mut compared.candidate);
            }
        }
        (answer, explanation)
    }

    /// What the scripted player would choose now, for who wants a suggestion.
    pub fn suggestion(&mut self) -> Option<Answer> {
        let request = self.battle.pending().cloned()?;
        let mut dice = super::dice::of_choice(self.header.beginning.seed, self.answers.len());
        Some(self.choose(Hand::Scripted, &request, &mut dice).0)
    }

    /// Lets a commander choose and plays it.
    ///
    /// # Errors
    /// What the rules do not allow: a fault of the commander.
    pub fn play(&mut self, hand: Hand, dice: &mut dyn DiceSource) -> Result<&Answered, Refused> {
        let request = self.battle.pending().cloned().ok_or(Refused::NotAsked)?;
        let mut noted = Noted::new(dice);
        let (answer, explanation) = self.choose(hand, &request, &mut noted);
        let chose_by = noted.rolls;
        self.accept(hand, answer, explanation, chose_by, dice)
    }

    /// Plays a choice that somebody made; `forced`: there was nothing else to choose.
    ///
    /// # Errors
    /// What the rules do not allow; nothing has changed then.
    pub fn answer(&mut self, answer: Answer, forced: bool, dice: &mut dyn DiceSource) -> Result<&Answered, Refused> {
        self.accept(Hand::Human, answer, Explanation::default(), Vec::new(), dice)?;
        let last = self.answers.len() - 1;
        self.answers[last].forced = forced;
        Ok(&self.answers[last])
    }

    fn accept(
        &mut self,
        by: Hand,
        answer: Answer,
        explanation: Explanation,
        chose_by: Vec<super::dice::Roll>,
        dice: &mut dyn DiceSource,
    ) -> Result<&Answered, Refused> {
        let ship = self.battle.pending().ok_or(Refused::NotAsked)?.ship().clone();
        let round = self.battle.round();
        let before = self.battle.events().len();
        let mut noted = Noted::new(dice);
        self.battle.answer(answer.clone(), &mut noted)?;
        let answered = Answered {
            number: self.answers.len() + 1,
            round,
            ship,
            by,
            forced: false,
            answer,
            explanation,
            chose_by,
            rolled: noted.rolls,
            events: self.told_since(before),
            digest: self.digest_since(before),
        };
        self.answers.push(answered);
        Ok(&self.answers[self.answers.len() - 1])
    }

    /// A sum of what has happened since so many events, and of what is asked now.
    fn digest_since(&self, before: usize) -> String {
        let events = &self.battle.events()[before..];
        file::short_sum(format!("{events:?} {:?}", self.battle.pending()).as_bytes())
    }
}
