//! What somebody is asked about a card: the choices, and what is taken when nobody answers.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::xwing::{
    ObjectId,
    action::{ActionDetail, ColoredAction},
    effects::{TokenWord, Window},
    maneuver::Side,
    reposition::BoostTemplate,
    ship::ArcDirection,
};

/// One way to answer an [`Offer`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Choice {
    /// The effect is used.
    #[serde(rename_all = "camelCase")]
    Use {
        /// The ships that are chosen for it, in the order of the card.
        targets: Vec<ObjectId>,
        /// Which of its prices is paid, where it has several.
        price: usize,
    },
    /// One of the things that the card lets somebody pick.
    #[serde(rename_all = "camelCase")]
    Branch {
        /// Its place on the card.
        index: usize,
        /// What happens then.
        says: String,
    },
    /// A token of this kind is meant.
    Token(TokenWord),
    /// The turret turns there.
    Turn(Vec<ArcDirection>),
    /// The ship moves like this.
    Move(ActionDetail),
    /// The ship rotates where it stands, by so many degrees, right positive.
    Rotate(i16),
    /// The players have done by hand what the card says.
    Done,
}

/// A card's effect that is somebody's to use, or a choice within it.
#[derive(Debug, Clone, PartialEq)]
pub struct Offer {
    /// The ship whose player chooses.
    pub ship: ObjectId,
    /// The ship whose card it is.
    pub owner: ObjectId,
    /// The card's id, as in `pilot:howlrunner`.
    pub card: String,
    /// The effect's place on the card, from 0.
    pub effect: usize,
    /// The moment.
    pub window: Window,
    /// The ships or the ship that it is about, for what is picked within an effect.
    pub about: Option<ObjectId>,
    /// What may be chosen, at least one thing.
    pub choices: Vec<Choice>,
    /// Whether one of them has to be taken.
    pub must: bool,
    /// What is taken when nobody answers; `None` for none.
    pub default: Option<usize>,
    /// The key of the question, for what the program leaves to the players.
    pub asks: Option<String>,
}

/// An action that a card gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GivenAction {
    /// Who acts.
    pub ship: ObjectId,
    /// The ship whose card gives it.
    pub owner: ObjectId,
    /// The card's id.
    pub card: String,
    /// The actions to choose from, in the colours in which the card gives them.
    pub actions: Vec<ColoredAction>,
    /// Whether the ship may take it while it is stressed.
    pub while_stressed: bool,
}

/// A rotation in words, as in `rotate 90 degrees left`.
pub fn rotation(degrees: i16) -> String {
    match degrees.unsigned_abs() {
        180 => "rotate 180 degrees".to_owned(),
        size => format!("rotate {size} degrees {}", if degrees > 0 { "right" } else { "left" }),
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Choice::Use { targets, price } => {
                f.write_str("use it")?;
                if !targets.is_empty() {
                    write!(f, " on {}", targets.join(", "))?;
                }
                match price {
                    0 => Ok(()),
                    price => write!(f, " at its price {}", price + 1),
                }
            }
            Choice::Branch { says, .. } => f.write_str(says),
            Choice::Token(kind) => write!(f, "a {kind} token"),
            Choice::Turn(arcs) => {
                let arcs: Vec<&str> = arcs.iter().map(|arc| arc.name()).collect();
                write!(f, "turret to {}", arcs.join(" and "))
            }
            Choice::Move(ActionDetail::Boost(template)) => f.write_str(match template {
                BoostTemplate::Left => "boost left",
                BoostTemplate::Straight => "boost straight ahead",
                BoostTemplate::Right => "boost right",
                BoostTemplate::TurnLeft => "boost left by the turn",
                BoostTemplate::TurnRight => "boost right by the turn",
            }),
            Choice::Move(ActionDetail::BarrelRoll { side, slide_mm }) => {
                f.write_str(match side {
                    Side::Left => "barrel roll left",
                    Side::Right => "barrel roll right",
                })?;
                match *slide_mm {
                    0.0 => Ok(()),
                    slide => write!(
                        f,
                        " ({:.0} mm {})",
                        slide.abs(),
                        if slide > 0.0 { "forward" } else { "back" }
                    ),
                }
            }
            Choice::Move(_) => f.write_str("move"),
            Choice::Rotate(degrees) => f.write_str(&rotation(*degrees)),
            Choice::Done => f.write_str("done by hand"),
        }
    }
}
