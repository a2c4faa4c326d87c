//! A skirmish of the grid game at the keyboard: the automated side is played by its rules, which say why; the player is asked
//! for what only the player does.
//!
//! | what | where |
//! |---|---|
//! | the board as text | [`board`] |
//! | the questions and their answers | [`question`] |

use std::io;

use super::{
    console::{Console, STRONG},
    keyboard::{Asks, AtKeyboard, Sheet, Words},
};
use crate::{
    record::{
        course::by,
        file::AnsweredOf,
        kind::Kind as _,
        skirmish::{Asked, Choice, Chosen, SkirmishGame, Skirmishing},
    },
    render,
    swm::{
        figure::Side,
        skirmish::{Answer, Correction, Event, Refused},
    },
};
use question::{Question, find};

pub mod board;
pub mod question;

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

impl SkirmishGame {
    fn nobody(&self, typed: &str) -> String {
        let figures = self.skirmish().board().figures();
        let ids: Vec<&str> = figures.iter().map(|figure| figure.id.as_str()).collect();
        format!("There is no figure `{typed}`; there are {}.", ids.join(", "))
    }
}

impl AtKeyboard for SkirmishGame {
    const WORDS: Words = Words {
        table: "board",
        help: HELP,
    };
    type Question = Question;

    fn map(&self) -> Vec<String> {
        board::map(self.skirmish().board())
    }

    fn list(&self) -> Vec<String> {
        board::list(self.skirmish().board())
    }

    fn piece(&self, typed: &str) -> Result<Vec<String>, String> {
        let asked = self.pending().and_then(|request| request.figure());
        let typed = asked.filter(|_| typed.is_empty()).unwrap_or(typed);
        let figure = find(self.skirmish().board(), typed);
        figure.map(board::figure).ok_or_else(|| self.nobody(typed))
    }

    fn asks(&self, suggested: Option<&Chosen>) -> Option<Asks<Chosen, Question>> {
        let usual = suggested.and_then(|chosen| match &chosen.choice {
            Choice::Answer(answer) => Some(answer.clone()),
            Choice::Correct(_) => None,
        });
        Question::of(self.skirmish(), usual).map(Asks::Open)
    }

    fn sheet(&self, question: &Question) -> Sheet {
        let mut lines = question.facts.clone();
        let choices = question.choices.iter().enumerate();
        lines.extend(choices.map(|(number, choice)| format!("  {:>2}  {}", number + 1, choice.words)));
        let usual = question.usual.as_ref().map_or_else(String::new, |usual| {
            let place = question.choices.iter().position(|choice| choice.answer == *usual);
            match (place, usual) {
                (Some(place), _) => (place + 1).to_string(),
                (None, Answer::Move { way, .. }) => way.last().map_or_else(String::new, |end| format!("move {end}")),
                (None, other) => other.to_string(),
            }
        });
        Sheet {
            heading: format!("{STRONG}{}{STRONG:#}", question.heading),
            lines,
            usual,
        }
    }

    fn meant(&self, question: &Question, typed: &str) -> Result<Chosen, String> {
        question.meant(self.skirmish(), typed).map(Chosen::from)
    }

    fn correction(&self, word: &str, rest: &str) -> Option<Result<Chosen, String>> {
        let known = matches!(word, "hp" | "fp" | "put" | "ready" | "open" | "close");
        if !known && (word != "done" || rest.is_empty()) {
            return None;
        }
        let (first, second) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let second = second.trim();
        let correction = if matches!(word, "open" | "close") {
            let door = first.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
            door.map(|door| Correction::Door {
                door,
                open: word == "open",
            })
        } else {
            let Some(figure) = find(self.skirmish().board(), first).map(|figure| figure.id.clone()) else {
                return Some(Err(self.nobody(first)));
            };
            let number = second.parse().ok();
            match word {
                "hp" => number.map(|points| Correction::HitPoints { figure, points }),
                "fp" => number.map(|points| Correction::Force { figure, points }),
                "put" => second.parse().ok().map(|at| Correction::Place { figure, at }),
                _ => Some(Correction::Activated {
                    figure,
                    activated: word == "done",
                }),
            }
        };
        let written = "Write it as in `hp a 20`, `fp P 2`, `put P C4`, `ready P`, `done P`, `open 1`, `close 1`.";
        Some(correction.map(Chosen::from).ok_or_else(|| written.to_owned()))
    }

    fn is_meant(&self, who: &Asked, typed: &str) -> bool {
        find(self.skirmish().board(), typed).is_some_and(|figure| figure.id == who.figure)
    }

    fn unexplained(&self, typed: &str) -> String {
        match find(self.skirmish().board(), typed) {
            Some(own) if own.side == Side::Player => format!("{} is yours: you chose.", own.called()),
            _ => "There is no such decision of the automated side yet.".to_owned(),
        }
    }

    fn rolls_for(&self, choice: Option<&Chosen>) -> String {
        match choice.map(|chosen| &chosen.choice) {
            Some(Choice::Answer(answer)) => format!("For `{answer}`"),
            _ => "For the automated side".to_owned(),
        }
    }

    /// A plan from before a correction may not fit any more.
    fn misplanned(refused: &Refused) -> String {
        format!("What was planned cannot be done any more: {refused}.")
    }

    fn back(&self) -> Vec<String> {
        let back = format!("Back in round {}.", self.round());
        std::iter::once(back).chain(self.map()).collect()
    }

    fn tell(&self, before: &SkirmishGame, answered: &AnsweredOf<Self>, console: &mut Console<'_>) -> io::Result<()> {
        let board = self.skirmish().board();
        if !answered.explanation.sentence.is_empty() {
            let figure = answered.who.figure.as_str();
            let side = board.figure(figure).map_or(Side::Automated, |figure| figure.side);
            let style = board::side_style(side);
            let who = if figure.is_empty() {
                by::<SkirmishGame>(answered.by)
            } else {
                figure
            };
            console.say(&format!("{style}{who}{style:#}: {}", answered.explanation.sentence))?;
        }
        for line in &answered.events {
            console.say(&format!("  {line}"))?;
        }
        let mut events = self.events()[before.events().len()..].iter();
        let round = events.clone().any(|event| matches!(event, Event::RoundBegan { .. }));
        if round || events.any(|event| matches!(event, Event::PhaseBegan { .. })) {
            console.list(&self.map())?;
        }
        if round {
            console.list(&self.list())?;
        }
        Ok(())
    }

    fn picture(game: &Skirmishing) -> String {
        let skirmish = game.skirmish();
        let title = format!("Round {}", skirmish.round());
        render::grid_svg(skirmish.board(), None, skirmish.options(), &title)
    }
}
