//! The course of a game as one HTML file that needs nothing else: the table drawn, reasons, dice, a slider. The page is the same
//! for all games; each draws its own table on it.

use serde::Serialize;

use super::course::{Course, Moment};
use crate::decision::Compared;

mod ships;
mod skirmish;

static PAGE: &str = include_str!("html/page.html");

/// A table that can be drawn on a page.
pub trait Drawn: Sized {
    /// How it looks.
    const STYLE: &'static str;
    /// The script that draws it: it defines `draw(index, moment)`, and finds what [`Drawn::known`] knows in `data.table`, what
    /// [`Drawn::shows`] shows of a moment in `moment.shows`.
    const SCRIPT: &'static str;
    /// What is known of the whole game.
    type Known: Serialize;
    /// What is shown of a moment.
    type Shows: Serialize;

    /// What the pieces stand on, as SVG.
    fn ground(moments: &[Moment<Self>]) -> String;
    /// What is known of the whole game.
    fn known(moments: &[Moment<Self>]) -> Self::Known;
    /// What is shown, moment by moment.
    fn shows(moments: &[Moment<Self>]) -> Vec<Self::Shows>;
}

/// What the page knows. Names are short, for there are many of them.
#[derive(Debug, Serialize)]
struct Data<'c, Known, Shows> {
    title: &'c str,
    /// Of the beginning.
    notes: &'c [String],
    warnings: &'c [String],
    table: Known,
    moments: Vec<Shown<'c, Shows>>,
}

/// A moment.
#[derive(Debug, Serialize)]
struct Shown<'c, Shows> {
    round: u32,
    phase: &'c str,
    heading: &'c str,
    by: &'c str,
    sentence: &'c str,
    /// Rule, text, what was compared: candidate, value, verdict.
    reasons: Vec<(&'c str, &'c str, Vec<[String; 3]>)>,
    dice: &'c [String],
    events: &'c [String],
    shows: Shows,
}

/// Writes the page.
///
/// # Errors
/// None that is known: everything in a course can be written.
pub fn write<S: Drawn>(course: &Course<S>) -> Result<String, serde_json::Error> {
    let shown = |(moment, shows)| {
        let moment: &Moment<S> = moment;
        Shown {
            round: moment.round,
            phase: &moment.phase,
            heading: &moment.heading,
            by: &moment.by,
            sentence: &moment.sentence,
            reasons: (moment.reasons.iter())
                .map(|reason| {
                    let compared = reason.compared.iter().map(cells);
                    (reason.rule.as_str(), reason.text.as_str(), compared.collect())
                })
                .collect(),
            dice: &moment.dice,
            events: &moment.events,
            shows,
        }
    };
    let data = Data {
        title: &course.title,
        notes: &course.notes,
        warnings: &course.warnings,
        table: S::known(&course.moments),
        moments: course
            .moments
            .iter()
            .zip(S::shows(&course.moments))
            .map(shown)
            .collect(),
    };
    // Nothing in it may end the script that holds it.
    let data = serde_json::to_string(&data)?.replace('<', "\\u003c");
    let page = PAGE.replace("{{style}}", S::STYLE).replace("{{script}}", S::SCRIPT);
    let page = page.replace("{{title}}", &escape(&course.title));
    let page = page.replace("{{board}}", &S::ground(&course.moments));
    // Last, so that nothing in it is taken for a place to fill.
    Ok(page.replacen("{{data}}", &data, 1))
}

fn cells(compared: &Compared) -> [String; 3] {
    [
        compared.candidate.clone(),
        crate::render::value(compared),
        compared.verdict.clone(),
    ]
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
