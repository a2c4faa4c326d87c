//! A game of ships at the keyboard.

use std::io;

use super::{
    board,
    console::{Console, FAINT, STRONG},
    dial,
    keyboard::{Asks, AtKeyboard, Sheet, Words},
    placing, question,
};
use crate::{
    decision::Reason,
    record::{
        Answered, Game, Start,
        kind::Kind as _,
        ships::{Asked, Asking, Chosen, Header, NotAccepted, ShipGame},
        words,
    },
    render,
    sim::squad,
    solo_alpha::shown,
    xwing::{
        battle::{Answer, Battle, Event, Phase, Request},
        edition::{Dispute, Edition},
        ship::Ship,
    },
};

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
  auto         in a set-up: everything that is left as it is proposed
  dispute [..] three attack dice each decide how the rules are read (first edition, option disputeRoll)
  undo [N]     takes back your last choice, or the last N, with everything since
  save FILE    copies the record of the game
  quit         leaves; the game is kept, and goes on with `tallyho play FILE`";

/// What is asked in a game of ships.
#[derive(Debug, Clone, PartialEq)]
pub enum Question {
    /// In the battle.
    Battle(question::Question),
    /// In the set-up.
    Placing(placing::Question),
}

fn asked(battle: &Battle) -> Option<&Ship> {
    battle.table().ship(battle.pending()?.ship())
}

impl AtKeyboard for ShipGame {
    const WORDS: Words = Words {
        table: "table",
        help: HELP,
    };
    type Question = Question;

    fn map(&self) -> Vec<String> {
        board::map(self.battle().table())
    }

    fn shown(&self, reasons: &[Reason]) -> Vec<Reason> {
        shown::reasons(&self.battle().table().rules, reasons.to_vec())
    }

    fn list(&self) -> Vec<String> {
        let mut lines = board::list(self.battle());
        lines.extend(placing::standing(self));
        lines
    }

    fn piece(&self, typed: &str) -> Result<Vec<String>, String> {
        let ships = &self.battle().table().ships;
        let of_name = |ship: &&Ship| ship.name.eq_ignore_ascii_case(typed);
        let ship = (asked(self.battle()).filter(|_| typed.is_empty()))
            .or_else(|| ships.iter().find(|ship| ship.id.eq_ignore_ascii_case(typed)))
            .or_else(|| ships.iter().find(of_name));
        let Some(ship) = ship else {
            let ids: Vec<&str> = ships.iter().map(|ship| &*ship.id).collect();
            return Err(format!("There is no ship `{typed}`; there are {}.", ids.join(", ")));
        };
        Ok(board::ship(self.battle(), ship, self.titles()))
    }

    fn asks(&self, suggested: Option<&Chosen>) -> Option<Asks<Chosen, Question>> {
        if self.set_up().is_some() {
            return placing::Question::of(self, suggested).map(|question| Asks::Open(Question::Placing(question)));
        }
        let answer = suggested.and_then(Chosen::answer);
        let question = question::Question::of(self.battle(), answer, self.titles())?;
        if question.choices.is_empty() {
            // Nothing can be done, and something must be answered.
            let request = self.pending()?;
            let nothing = suggested.cloned().unwrap_or_else(|| self.harmless(request));
            return Some(Asks::Settled(nothing));
        }
        Some(match question.only() {
            Some(only) => Asks::Settled(only.clone().into()),
            None => Asks::Open(Question::Battle(question)),
        })
    }

    /// Actions may be linked to the one that was chosen, one after the other.
    fn asks_further(&self, chosen: &Chosen, suggested: Option<&Chosen>) -> Option<Question> {
        let Some(Answer::Act(orders)) = chosen.answer() else {
            return None;
        };
        let mut question = question::Question::linked(self.battle(), orders, self.titles())?;
        if let Some(suggested) = suggested.and_then(Chosen::answer) {
            let mut choices = question.choices.iter();
            let wanted = choices.position(|choice| choice.answer == *suggested);
            question.default = wanted.unwrap_or(0);
        }
        Some(Question::Battle(question))
    }

    fn sheet(&self, question: &Question) -> Sheet {
        let battle = self.battle();
        let question = match question {
            Question::Battle(question) => question,
            Question::Placing(question) => return question.sheet(),
        };
        let mut lines = question.facts.clone();
        if question.dial {
            lines.extend(asked(battle).map(|ship| dial::grid(&ship.dial)).unwrap_or_default());
        } else {
            let choices = question.choices.iter();
            lines.extend(choices.map(|choice| format!("  {:>2}  {}", choice.key, choice.words)));
        }
        let usual = question.choices.get(question.default);
        Sheet {
            heading: format!(
                "{STRONG}{}{STRONG:#}  {FAINT}(round {}, {} phase){FAINT:#}",
                question.heading,
                battle.round(),
                battle.phase().called(battle.table().rules.edition)
            ),
            lines,
            usual: usual.map_or_else(String::new, |choice| {
                // The beginning of a long choice is enough: it stands above in full.
                let words = choice.words.split([':', ',']).next().unwrap_or_default();
                format!("{} {words}", choice.key)
            }),
        }
    }

    fn meant(&self, question: &Question, typed: &str) -> Result<Chosen, String> {
        match (question, self.set_up()) {
            (Question::Battle(question), _) => question.meant(typed).map(|choice| choice.answer.clone().into()),
            (Question::Placing(question), Some(set_up)) => question.meant(set_up.deployment(), typed),
            (Question::Placing(_), None) => Err("the table is set up".to_owned()),
        }
    }

    /// FE-0.8: a dispute is rolled for, where the rules have that.
    fn correction(&self, word: &str, rest: &str) -> Option<Result<Chosen, String>> {
        if word != "dispute" || self.set_up().is_some() {
            return None;
        }
        Some(match self.battle().table().rules.dispute {
            Dispute::Roll => Ok(Answer::Dispute { about: rest.to_owned() }.into()),
            Dispute::TheProgramSays => Err(match self.battle().edition() {
                Edition::First => "The program goes by the rules that `why` names; with the option disputeRoll of \
                     `--edition-options` three attack dice each decide (FE-0.8)."
                    .to_owned(),
                Edition::Second => "The program goes by the rules that `why` names.".to_owned(),
            }),
        })
    }

    fn is_meant(&self, who: &Asked, typed: &str) -> bool {
        who.ship.eq_ignore_ascii_case(typed)
    }

    fn unexplained(&self, typed: &str) -> String {
        let mut ships = self.battle().table().ships.iter();
        match ships.find(|of| of.id.eq_ignore_ascii_case(typed)) {
            Some(own) if own.side == squad::PLAYER => format!("{} is yours: you chose.", words::title(own)),
            _ => "There is no such decision of the solo side yet.".to_owned(),
        }
    }

    fn rolls_for(&self, _choice: Option<&Chosen>) -> String {
        asked(self.battle()).map_or_else(String::new, words::title)
    }

    fn rolls_to_begin(header: &Header, before: usize) -> String {
        match (&header.beginning.start, before % 2) {
            // PE-A1: only the automated side that has initiative rolls.
            (Start::Escort { .. }, _) => format!("Who attacks, {}'s die", Self::OPPONENT),
            (_, 0) => "Initiative, your die".to_owned(),
            (_, _) => format!("Initiative, {}'s die", Self::OPPONENT),
        }
    }

    fn misplanned(refused: &NotAccepted) -> String {
        format!("The solo side chose what the rules refuse ({refused}): please report this.")
    }

    fn place(&self) -> String {
        match self.set_up() {
            Some(_) => "in the set-up".to_owned(),
            None => format!("in round {}", self.round()),
        }
    }

    fn back(&self) -> Vec<String> {
        vec![format!("Back {}, before {}.", self.place(), self.asked())]
    }

    fn tell(&self, before: &ShipGame, answered: &Answered, console: &mut Console<'_>) -> io::Result<()> {
        if before.set_up().is_some() {
            let sentence = before.sentence(&answered.choice);
            console.say(&sentence)?;
            // What was placed without a word of its own is shown, and so is the whole table when it is set up.
            if self.set_up().is_none() {
                for line in &answered.events {
                    console.say(&format!("  {line}"))?;
                }
                console.list(&self.map())?;
                console.list(&self.list())?;
            }
            return Ok(());
        }
        let revealed = matches!(before.pending(), Some(Asking::Battle(Request::Fly { .. })));
        let before = before.events().len();
        let ship = self.battle().table().ship(&answered.who.ship);
        let mut said = String::new();
        if !answered.explanation.sentence.is_empty() {
            let style = board::side_style(ship.map_or("", |ship| &ship.side));
            said = match ship {
                Some(ship) => words::said(ship, &answered.explanation.sentence),
                None => answered.explanation.sentence.clone(),
            };
            // An attack tells the same with its dice.
            if !matches!(answered.choice.answer(), Some(Answer::Attack(Some(_)))) {
                console.say(&format!("{style}{said}{style:#}"))?;
            }
        } else if let Some((ship, answer)) = ship.filter(|_| revealed).zip(answered.choice.answer()) {
            let (title, chosen) = (words::title(ship), words::answer(self.battle().edition(), answer));
            console.say(&format!("{title} reveals {chosen}."))?;
        }
        let begins =
            |line: &String| line.ends_with(" begins.") && (line.starts_with("The ") || line.starts_with("Round "));
        let end = answered.events.iter().position(begins).unwrap_or(answered.events.len());
        let (own, after) = answered.events.split_at(end);
        for line in own.iter().filter(|line| **line != said) {
            console.say(&format!("  {line}"))?;
        }
        tell_harm(self.battle(), before, console)?;
        for line in after {
            console.say(&format!("  {line}"))?;
        }
        let mut events = self.events()[before..].iter();
        let engages = |event: &Event| matches!(event, Event::PhaseBegan(Phase::Engagement));
        let round = events.clone().any(|event| matches!(event, Event::RoundBegan(_)));
        if round || events.any(engages) {
            console.list(&self.map())?;
        }
        if round {
            console.list(&self.list())?;
        }
        Ok(())
    }

    fn picture(game: &Game) -> String {
        let battle = game.battle();
        let title = match game.state().set_up() {
            Some(_) => "Set-up".to_owned(),
            None => format!(
                "Round {}, {} phase",
                battle.round(),
                battle.phase().called(battle.table().rules.edition)
            ),
        };
        let lines = game.answers().last().map(|answered| {
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
}

/// What is left of the ships that were damaged.
fn tell_harm(battle: &Battle, before: usize, console: &mut Console<'_>) -> io::Result<()> {
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
            let (title, left) = (words::title(ship), board::left(battle, &ship.id));
            console.say(&format!("  {title} is left with {left}."))?;
        }
    }
    Ok(())
}
