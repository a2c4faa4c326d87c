//! A decision in one readable sentence.

use std::fmt::{self, Write as _};

use super::{
    action::{ActionDecision, LostCause, side_name},
    approach::{Approach, Exception},
    outcome::{EdgeTurn, Outcome},
};
use crate::xwing::{
    maneuver::{Bearing, Difficulty, Maneuver},
    ship::Ship,
};

/// What a ship is called: its name, or its id where it has none.
pub fn called(ship: &Ship) -> &str {
    if ship.name.is_empty() { &ship.id } else { &ship.name }
}

/// A maneuver as players say it: `blue 2 bank left`.
pub struct Spoken(pub Maneuver);

impl fmt::Display for Spoken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let color = match self.0.difficulty {
            Difficulty::Blue => "blue",
            Difficulty::White => "white",
            Difficulty::Red => "red",
            Difficulty::Purple => "purple",
        };
        write!(f, "{color} {} ", self.0.speed)?;
        match self.0.bearing {
            Bearing::Straight => f.write_str("straight"),
            Bearing::Bank(side) => write!(f, "bank {}", side_name(side)),
            Bearing::Turn(side) => write!(f, "turn {}", side_name(side)),
            Bearing::Koiogran => f.write_str("Koiogran turn"),
            Bearing::SegnorsLoop(side) => write!(f, "Segnor's loop {}", side_name(side)),
            Bearing::TallonRoll(side) => write!(f, "Tallon roll {}", side_name(side)),
            Bearing::ReverseStraight => f.write_str("reverse straight"),
            Bearing::ReverseBank(side) => write!(f, "reverse bank {}", side_name(side)),
            Bearing::Stationary => f.write_str("stationary"),
        }
    }
}

/// The whole activation in one sentence.
pub(super) fn activation(ship: &Ship, approach: &Approach, outcome: &Outcome, action: &ActionDecision) -> String {
    let mut text = String::with_capacity(200);
    // Writing to a string cannot fail.
    let _ = write(&mut text, ship, approach, outcome, action);
    text
}

fn write(
    text: &mut String,
    ship: &Ship,
    approach: &Approach,
    outcome: &Outcome,
    action: &ActionDecision,
) -> fmt::Result {
    text.push_str(called(ship));
    match (&approach.tally, approach.chart) {
        (Some(tally), Some(chart)) => write!(
            text,
            " is after {} ({:.0} mm, {chart} chart); rolled {}: {}",
            tally.id, tally.distance_mm, approach.roll, approach.entry
        )?,
        _ if approach.exceptions.contains(&Exception::Ionized) => {
            write!(text, " is ionized; rolled {}", approach.roll)?;
        }
        _ => write!(text, " has no tally; rolled {}: {}", approach.roll, approach.entry)?,
    }
    for exception in &approach.exceptions {
        text.push_str(match exception {
            Exception::Ionized => "",
            Exception::StressedRed => " (a red maneuver while stressed made the die focus)",
            Exception::NoSuchManeuver => " (nothing on the dial met the roll, so the die became focus)",
            Exception::SlowestStraight => " (nothing on the dial met the entry)",
        });
    }
    write!(text, ". It flies {}", Spoken(approach.maneuver))?;
    let execution = &outcome.execution;
    if !execution.overlapped.is_empty() {
        write!(text, ", backs up from {}", execution.overlapped.join(", "))?;
    }
    match outcome.edge_turn {
        Some(EdgeTurn::About) => text.push_str(", stops at the edge and turns about"),
        Some(EdgeTurn::Quarter(side)) => write!(text, ", stops at the edge and turns {}", side_name(side))?,
        None => {}
    }
    write!(text, "; {}, it ", approach.attitude)?;
    if !action.lost.is_empty() {
        let causes = action.lost.iter().map(|cause| match cause {
            LostCause::Overlap => "the overlap".to_owned(),
            LostCause::Obstacle(_, id) => id.to_string(),
        });
        write!(
            text,
            "loses its action to {}.",
            causes.collect::<Vec<_>>().join(" and ")
        )
    } else if action.sequence.is_empty() {
        text.push_str("takes no action.");
        Ok(())
    } else {
        write!(text, "takes {action}")?;
        if let Some(step) = action
            .sequence
            .iter()
            .filter(|step| step.line.is_some())
            .min_by_key(|step| step.line)
        {
            write!(text, ", which {}", step.effect)?;
        }
        text.push('.');
        Ok(())
    }
}
