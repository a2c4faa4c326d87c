//! A game that is over, or left, looked at in the terminal: moment by moment, forth and back.

use std::io;

use super::{
    board,
    console::{Console, FAINT, STRONG},
};
use crate::{
    record::{
        course::{Course, Moment, ships::ShipScene, skirmish::GridScene},
        words,
    },
    render,
};

const HELP: &str = "\
  Enter, next   the next moment
  back          the one before
  first, last   the first, the last
  to N          moment N
  round N       where round N begins
  list          all moments, a line each; `list N` those of round N
  why           the reasons in full
  map           the table as a map
  quit          leaves";

/// A table that can be shown as a map of letters.
pub trait Mapped {
    /// The map, a line each.
    fn map(&self) -> Vec<String>;
}

impl Mapped for ShipScene {
    fn map(&self) -> Vec<String> {
        board::map(&self.table)
    }
}

impl Mapped for GridScene {
    fn map(&self) -> Vec<String> {
        super::skirmish::board::map(&self.board)
    }
}

/// Steps through a course until its reader leaves.
///
/// # Errors
/// Nobody reads any more, or the input cannot be read.
pub fn view<S: Mapped>(course: &Course<S>, console: &mut Console<'_>) -> io::Result<()> {
    console.say(&course.title)?;
    for note in course.notes.iter().chain(&course.warnings) {
        console.say(&format!("{FAINT}{note}{FAINT:#}"))?;
    }
    let count = course.moments.len();
    console.say(&format!(
        "{}. Type `help` for what can be typed.",
        words::count(count as u32, "moment")
    ))?;
    let mut place = 0;
    let Some(moment) = course.moments.first() else {
        return Ok(());
    };
    show(console, moment, place, count)?;
    loop {
        let Some(typed) = console.ask(&format!("{} of {count}:", place + 1))? else {
            return Ok(());
        };
        let (word, rest) = typed.split_once(char::is_whitespace).unwrap_or((&typed, ""));
        let number = rest.trim().parse::<usize>().ok();
        let wanted = match (word.to_lowercase().as_str(), number) {
            ("" | "next" | "n", _) => Some(place + 1),
            ("back" | "b", _) => place.checked_sub(1),
            ("first", _) => Some(0),
            ("last", _) => Some(count - 1),
            ("to", Some(number)) => number.checked_sub(1),
            ("round", Some(round)) => course.moments.iter().position(|moment| moment.round as usize == round),
            ("list", round) => {
                let moments = course.moments.iter().enumerate();
                for (index, moment) in
                    moments.filter(|(_, moment)| round.is_none_or(|round| moment.round as usize == round))
                {
                    console.say(&line(index, moment))?;
                }
                continue;
            }
            ("why", _) if course.moments[place].reasons.is_empty() => {
                console.say(no_reasons(&course.moments[place]))?;
                continue;
            }
            ("why", _) => {
                console.list(
                    &render::why(&course.moments[place].reasons)
                        .lines()
                        .map(str::to_owned)
                        .collect::<Vec<_>>(),
                )?;
                continue;
            }
            ("map", _) => {
                console.list(&course.moments[place].scene.map())?;
                continue;
            }
            ("quit" | "exit" | "q", _) => return Ok(()),
            ("help" | "?", _) => {
                console.list(&HELP.lines().map(str::to_owned).collect::<Vec<_>>())?;
                continue;
            }
            _ => {
                console.say("Type `help` for what can be typed.")?;
                continue;
            }
        };
        match wanted.and_then(|wanted| Some((wanted, course.moments.get(wanted)?))) {
            Some((wanted, moment)) => {
                place = wanted;
                show(console, moment, place, count)?;
            }
            None => console.say("There is no such moment.")?,
        }
    }
}

/// Why a moment has no reasons.
fn no_reasons(moment: &Moment<impl Sized>) -> &'static str {
    match moment.by.as_str() {
        "" => "Nothing was chosen here.",
        "the player" => "The player chose this, and told nobody why.",
        "the scripted player" => "The scripted player chose this by what it expects of damage; it gives no reasons.",
        _ => "There was nothing to weigh here.",
    }
}

/// All moments, a line each.
pub fn list<S>(course: &Course<S>) -> Vec<String> {
    course
        .moments
        .iter()
        .enumerate()
        .map(|(index, moment)| line(index, moment))
        .collect()
}

fn line(index: usize, moment: &Moment<impl Sized>) -> String {
    // A sentence that begins with the ship says all that the heading says.
    let ship = moment.heading.split(':').next().unwrap_or_default();
    let told = match (moment.sentence.as_str(), moment.heading.as_str()) {
        ("", heading) => heading.to_owned(),
        (sentence, _) if !ship.is_empty() && sentence.starts_with(ship) => sentence.to_owned(),
        (sentence, "") => sentence.to_owned(),
        (sentence, heading) if heading.ends_with('?') => format!("{heading} {sentence}"),
        (sentence, heading) => format!("{heading}: {sentence}"),
    };
    // A game without phases needs no column for them.
    let phase = match moment.phase.as_str() {
        "" => String::new(),
        phase => format!(" {phase:<10}"),
    };
    format!("{:>4}  round {:<2}{phase}  {told}", index + 1, moment.round)
}

fn show(console: &mut Console<'_>, moment: &Moment<impl Sized>, place: usize, count: usize) -> io::Result<()> {
    console.say("")?;
    let by = match moment.by.as_str() {
        "" => String::new(),
        by => format!(", chosen by {by}"),
    };
    let phase = match moment.phase.as_str() {
        "" => String::new(),
        phase => format!(" {phase}"),
    };
    console.say(&format!(
        "{STRONG}{}{STRONG:#}  {FAINT}({} of {count}, round {}{phase}{by}){FAINT:#}",
        moment.heading,
        place + 1,
        moment.round,
    ))?;
    console.say(&moment.sentence)?;
    let dice: Vec<&str> = (moment.dice.iter().map(String::as_str))
        .filter(|roll| !roll.starts_with("choice"))
        .collect();
    if !dice.is_empty() {
        console.say(&format!("  dice: {}", dice.join(", ")))?;
    }
    for event in &moment.events {
        console.say(&format!("  {event}"))?;
    }
    if !moment.reasons.is_empty() {
        let reasons = words::count(moment.reasons.len() as u32, "reason");
        console.say(&format!("{FAINT}  {reasons}: type `why`.{FAINT:#}"))?;
    }
    Ok(())
}
