//! A decision in plain text: the sentence first, then the points, then the reasons with their rule ids.

use super::{canvas::number, decision::Decided};
use crate::decision::{Compared, Reason};

/// Widest line.
const WIDTH: usize = 100;
/// Column where texts begin, after the names and the rule ids.
const INDENT: usize = 14;

/// Writes a decision as text for a terminal, without colours.
pub fn report(decided: &Decided<'_>) -> String {
    let mut out = paragraph(decided.sentence);
    out.push_str("\n\n");
    for (name, value) in &decided.facts {
        row(&mut out, name, value);
    }
    out.push('\n');
    out.push_str(&why(decided.reasons));
    out
}

/// Reasons as text for a terminal: rule ids, texts, compared values.
pub fn why(reasons: &[Reason]) -> String {
    let mut out = String::from("Why\n");
    for reason in reasons {
        row(&mut out, &reason.rule, &reason.text);
        compared(&mut out, reason);
    }
    out
}

/// A text in lines for a terminal.
pub fn paragraph(text: &str) -> String {
    textwrap::fill(&printable(text), WIDTH)
}

fn row(out: &mut String, name: &str, value: &str) {
    let head = format!("  {:<width$}", printable(name), width = INDENT - 2);
    // An id that is too long for its column keeps a space behind it.
    let head = if head.ends_with(' ') { head } else { format!("{head} ") };
    let indent = " ".repeat(INDENT);
    let options = textwrap::Options::new(WIDTH)
        .initial_indent(&head)
        .subsequent_indent(&indent);
    out.push_str(&textwrap::fill(&printable(value), options));
    out.push('\n');
}

/// The candidates of a reason as a small table.
fn compared(out: &mut String, reason: &Reason) {
    let width = |text: fn(&Compared) -> String| reason.compared.iter().map(|c| text(c).chars().count()).max();
    let names = width(|compared| printable(&compared.candidate)).unwrap_or(0);
    let values = width(value).unwrap_or(0);
    for compared in &reason.compared {
        let line = format!(
            "{:INDENT$}{:<names$}  {:>values$}  {}",
            "",
            printable(&compared.candidate),
            value(compared),
            printable(&compared.verdict)
        );
        out.push_str(line.trim_end());
        out.push('\n');
    }
}

/// A compared value with its unit.
pub fn value(compared: &Compared) -> String {
    match (compared.value, compared.unit.as_str()) {
        (None, _) => String::new(),
        (Some(value), "mm") => format!("{value:.1} mm"),
        (Some(value), "degrees") => format!("{value:.1} degrees"),
        // One is spoken of as one: `1 square`.
        (Some(1.0), unit) => format!("1 {}", one(unit)).trim_end().to_owned(),
        (Some(value), unit) => format!("{} {unit}", number(value)).trim_end().to_owned(),
    }
}

/// A unit of one: the first word of several, `squares from the nearest enemy`, or all of them, `hit points`.
fn one(unit: &str) -> String {
    let (counted, rest) = match unit.split_once(" from ") {
        Some((counted, rest)) => (counted, format!(" from {rest}")),
        None => (unit, String::new()),
    };
    let counted = match counted {
        "dice" => "die",
        plural => plural.strip_suffix('s').unwrap_or(plural),
    };
    counted.to_owned() + &rest
}

/// Names of pieces come from outside: nothing of them may steer a terminal.
fn printable(text: &str) -> String {
    text.chars()
        .map(|letter| if crate::visible::steers(letter) { ' ' } else { letter })
        .collect()
}
