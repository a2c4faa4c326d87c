//! Answers to grid positions for programs: who activates in which order, and what each would do.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::swm::{
    opponent::{Step, Turn, activation::Waiting},
    square::Square,
    token::Sighting,
};

/// The answer to a position: a line of `tallyho decide --swm --jsonl`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Answer {
    /// The position's id.
    pub id: String,
    /// Automated figures that have yet to activate, in the order in which they would if nothing changed.
    pub order: Vec<String>,
    /// What each would do if it activated now.
    pub decisions: BTreeMap<String, Decision>,
    /// Trigger tokens that a player figure sees: their figures have come in and are among those who decide.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub revealed: Vec<Revealed>,
    /// What of the position was filled in or is not played.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// A trigger token that was seen.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Revealed {
    /// Where it lay.
    pub token: Square,
    /// The player figure that saw it.
    pub seen_by: String,
    /// Who came in, and on which square each.
    pub figures: BTreeMap<String, Square>,
}

/// What one figure would do.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Decision {
    /// `shooter`, `melee` or `hybrid`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The rule that decided, as in `SWM-S3`.
    pub rule: &'static str,
    /// All squares that it walks, in order.
    pub steps: Vec<Square>,
    /// From where it attacks; null without an attack.
    pub fire: Option<Square>,
    /// Whom it attacks first; null without an attack.
    pub target: Option<String>,
    /// Where it ends.
    pub end: Square,
    /// How many attacks it makes; 0 where an area attack replaces them.
    pub attacks: u8,
    /// The area attack that it uses; null without one.
    pub area: Option<String>,
    /// The whole in one sentence.
    pub sentence: String,
}

impl Decision {
    /// A turn for programs.
    pub fn of(turn: &Turn) -> Decision {
        let (mut steps, mut attacks, mut area) = (Vec::new(), 0, None);
        for step in &turn.steps {
            match step {
                Step::Move { way, .. } => steps.extend(way),
                Step::Attack { attacks: count, .. } => attacks = *count,
                Step::Area { ability, .. } => area = Some(ability.clone()),
            }
        }
        Decision {
            kind: turn.kind.name(),
            rule: turn.rule,
            steps,
            fire: turn.fire,
            target: turn.target.clone(),
            end: turn.end,
            attacks,
            area,
            sentence: turn.sentence.clone(),
        }
    }
}

impl Answer {
    /// The answer to the position of that id.
    pub fn new(id: &str, order: &[Waiting], sightings: &[Sighting], warnings: Vec<String>) -> Answer {
        let revealed = sightings.iter().map(|sighting| Revealed {
            token: sighting.at,
            seen_by: sighting.by.clone(),
            figures: sighting.figures.iter().cloned().collect(),
        });
        Answer {
            revealed: revealed.collect(),
            id: id.to_owned(),
            order: order.iter().map(|waiting| waiting.figure.clone()).collect(),
            decisions: (order.iter())
                .map(|waiting| (waiting.figure.clone(), Decision::of(&waiting.turn)))
                .collect(),
            warnings,
        }
    }
}
