//! A game that is over, or left, looked at in the terminal: moment by moment, forth and back.

use std::io;

use super::{
    board,
    console::{Console, FAINT, STRONG},
};
use crate::{
    record::course::{Course, Moment},
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

/// Steps through a course until its reader leaves.
///
/// # Errors
/// Nobody reads any more, or the input cannot be read.
pub fn view(course: &Course, console: &mut Console<'_>) -> io::Result<()> {
    console.say(&course.title)?;
    for note in &course.notes {
        console.say(&format!("{FAINT}{note}{FAINT:#}"))?;
    }
    let count = course.moments.len();
    console.say(&format!("{count} moments. Type `help` for what can be typed."))?;
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
                console.list(&board::map(&course.moments[place].table))?;
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

/// All moments, a line each.
pub fn list(course: &Course) -> Vec<String> {
    course
        .moments
        .iter()
        .enumerate()
        .map(|(index, moment)| line(index, moment))
        .collect()
}

fn line(index: usize, moment: &Moment) -> String {
    format!(
        "{:>4}  round {:<2} {:<10}  {}  {}",
        index + 1,
        moment.round,
        moment.phase,
        moment.heading,
        moment.sentence
    )
}

fn show(console: &mut Console<'_>, moment: &Moment, place: usize, count: usize) -> io::Result<()> {
    console.say("")?;
    let by = match moment.by.as_str() {
        "" => String::new(),
        by => format!(", chosen by {by}"),
    };
    console.say(&format!(
        "{STRONG}{}{STRONG:#}  {FAINT}({} of {count}, round {} {}{by}){FAINT:#}",
        moment.heading,
        place + 1,
        moment.round,
        moment.phase
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
        let reasons = moment.reasons.len();
        let plural = if reasons == 1 { "" } else { "s" };
        console.say(&format!("{FAINT}  {reasons} reason{plural}: type `why`.{FAINT:#}"))?;
    }
    Ok(())
}
