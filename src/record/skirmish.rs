//! Skirmishes of the grid game written down as they are played, and played again from what was written: the same journal of
//! choices as other games have, see [`super::file`].

use serde::{Deserialize, Serialize};

use super::{
    Hand,
    dice::Roll,
    file::{FORMAT, Head, Numbered, Recording},
};
use crate::{
    bridge::grid::Wire,
    swm::{
        commander::Explanation,
        skirmish::{Answer, Correction},
    },
};

pub mod course;
pub mod dice;
mod game;
pub mod html;

pub use game::{Astray, BadBeginning, Skirmishing};

/// The file of a skirmish.
pub type File = Recording<Header, Answered>;

/// The first line of the record of a skirmish: everything that its first board follows from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Header {
    /// The form of the record.
    pub format: u32,
    /// The version of the program that began it.
    pub version: String,
    /// The map with its figures, and the choices of the rules.
    pub position: Wire,
    /// It is over after so many rounds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u32>,
    /// Where all dice come from.
    pub seed: u64,
    /// The number of the skirmish in a simulation; its dice are then those of the simulation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<u64>,
    /// Who plays the player's figures.
    pub player: Hand,
    /// Whether somebody rolls the dice on their own table and types them in.
    #[serde(default)]
    pub typed_dice: bool,
    /// Dice that were rolled before the first choice.
    #[serde(default)]
    pub opening: Vec<Roll>,
}

impl Header {
    /// The header of a skirmish that begins now; the dice of its opening are still to be rolled.
    pub fn new(position: Wire, rounds: Option<u32>, seed: u64, player: Hand) -> Header {
        Header {
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            position,
            rounds,
            seed,
            game: None,
            player,
            typed_dice: false,
            opening: Vec::new(),
        }
    }

    /// What is played, in a line.
    pub fn title(&self) -> String {
        let name = match self.position.id.as_str() {
            "" => String::new(),
            id => format!(" {id}"),
        };
        format!("Star Wars Miniatures, skirmish{name}, seed {}", self.seed)
    }
}

impl Head for Header {
    fn form(&self) -> u32 {
        self.format
    }
}

/// What somebody did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Choice {
    /// An answer to what was asked.
    Answer(Answer),
    /// Something that the players have otherwise.
    Correct(Correction),
}

/// A choice that was made and accepted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Answered {
    /// Which choice of the skirmish, from 1.
    pub number: usize,
    /// The round.
    pub round: u32,
    /// The figure that was asked; empty where a side was.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub figure: String,
    /// Who chose.
    pub by: Hand,
    /// What was chosen.
    pub choice: Choice,
    /// Why.
    #[serde(default)]
    pub explanation: Explanation,
    /// Dice that the choice itself took: ties.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chose_by: Vec<Roll>,
    /// Dice that were rolled for what came of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rolled: Vec<Roll>,
    /// What came of it, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<String>,
    /// A sum of what came of it, to the last bit.
    pub digest: String,
}

impl Numbered for Answered {
    fn number(&self) -> usize {
        self.number
    }
}
