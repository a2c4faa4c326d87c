//! A skirmish of the grid game, as it is written down: how it begins, who chooses, what is asked. Its record is the same journal
//! of choices as that of other games, see [`super::file`].

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{
    Hand,
    beginning::BadBeginning,
    dice::{AllDice, Given, Noted, Roll},
    file::{FORMAT, Recording},
    game::Recorded,
    kind::{Head, Kind},
};
use crate::{
    bridge::grid::{self, Wire},
    decision::Explanation,
    swm::{
        commander::{Commander, automated::Automated, harmless, scripted::Scripted},
        figure::Side,
        skirmish::{Answer, Correction, Event, Refused, Request, Skirmish, words},
    },
};

/// A skirmish that is written down.
pub type Skirmishing = Recorded<SkirmishGame>;

/// The file of a skirmish.
pub type File = Recording<SkirmishGame>;

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

    fn seed(&self) -> u64 {
        self.seed
    }

    fn game(&self) -> Option<u64> {
        self.game
    }

    fn player(&self) -> Hand {
        self.player
    }

    fn typed_dice(&self) -> bool {
        self.typed_dice
    }
}

/// The figure that was asked; empty where a side was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// Its id.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub figure: String,
}

impl fmt::Display for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.figure)
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

/// What was chosen for a figure or a side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chosen {
    /// What somebody did.
    pub choice: Choice,
}

impl From<Answer> for Chosen {
    fn from(answer: Answer) -> Chosen {
        let choice = Choice::Answer(answer);
        Chosen { choice }
    }
}

impl From<Correction> for Chosen {
    fn from(correction: Correction) -> Chosen {
        let choice = Choice::Correct(correction);
        Chosen { choice }
    }
}

/// A skirmish, and who chooses for its sides.
#[derive(Debug, Clone)]
pub struct SkirmishGame {
    skirmish: Skirmish,
    automated: Automated,
    scripted: Scripted,
}

impl SkirmishGame {
    /// The skirmish as it stands.
    pub fn skirmish(&self) -> &Skirmish {
        &self.skirmish
    }
}

impl Kind for SkirmishGame {
    const NAME: &'static str = "skirmish";
    const OPPONENT: &'static str = "the automated side";

    type Header = Header;
    type Facts = ();
    type Request = Request;
    type Who = Asked;
    type Choice = Chosen;
    type Event = Event;
    type Refused = Refused;

    /// The dice of the opening are those of the header; where it has none yet, they are rolled and kept in it.
    fn begin(
        header: &mut Header,
        _facts: &(),
        dice: &mut dyn AllDice,
    ) -> Result<(SkirmishGame, Vec<String>), BadBeginning> {
        let bad = |why: String| BadBeginning(format!("the skirmish cannot begin: {why}"));
        let position = grid::understand(header.position.clone()).map_err(|error| bad(error.to_string()))?;
        for side in [Side::Player, Side::Automated] {
            if position.board.side(side).next().is_none() {
                let name = words::side(side).to_lowercase();
                return Err(bad(format!("{name} has no figure in play")));
            }
        }
        let opening = header.opening.clone();
        let mut given = Given::new(&opening);
        let mut noted = match opening.is_empty() {
            true => Noted::new(dice),
            false => Noted::new(&mut given),
        };
        let skirmish = Skirmish::new(position.board, position.options, header.rounds, &mut noted);
        header.opening = noted.rolls;
        let game = SkirmishGame {
            skirmish,
            automated: Automated::default(),
            scripted: Scripted,
        };
        let notes = position.warnings.iter().map(|note| grid::spoken(note).to_owned());
        Ok((game, notes.collect()))
    }

    fn round(&self) -> u32 {
        self.skirmish.round()
    }

    fn pending(&self) -> Option<&Request> {
        self.skirmish.pending()
    }

    fn events(&self) -> &[Event] {
        self.skirmish.events()
    }

    fn who(&self, request: &Request) -> Asked {
        Asked {
            figure: request.figure().unwrap_or_default().to_owned(),
        }
    }

    fn is_players(&self, request: &Request) -> bool {
        self.skirmish.side_of(request) == Side::Player
    }

    fn choose(&mut self, by: Hand, request: &Request, dice: &mut dyn AllDice) -> (Chosen, Explanation) {
        let commander: &mut dyn Commander = match by {
            Hand::Solo => &mut self.automated,
            Hand::Human | Hand::Scripted => &mut self.scripted,
        };
        let answer = commander.answer(&self.skirmish, request, dice);
        (answer.into(), commander.explanation().unwrap_or_default())
    }

    fn not_asked() -> Refused {
        Refused::NotAsked
    }

    fn harmless(&self, request: &Request) -> Chosen {
        harmless(&self.skirmish, request).into()
    }

    fn carry_out(&mut self, chosen: &Chosen, dice: &mut dyn AllDice) -> Result<(), Refused> {
        match &chosen.choice {
            Choice::Answer(answer) => self.skirmish.answer(answer.clone(), dice),
            Choice::Correct(correction) => self.skirmish.correct(correction.clone(), dice),
        }
    }

    fn title(&self, header: &Header) -> String {
        header.title()
    }

    fn asked(&self) -> String {
        let request = self.skirmish.pending();
        request.map_or_else(String::new, |request| words::request(self.skirmish.board(), request))
    }

    fn chosen(&self, chosen: &Chosen) -> String {
        match &chosen.choice {
            Choice::Answer(answer) => format!("`{answer}`"),
            Choice::Correct(_) => "a correction".to_owned(),
        }
    }

    fn sentence(&self, chosen: &Chosen) -> String {
        let board = self.skirmish.board();
        match &chosen.choice {
            Choice::Answer(answer) => words::answer(board, answer),
            Choice::Correct(correction) => words::correction(board, correction),
        }
    }

    fn told_since(&self, before: usize) -> Vec<String> {
        words::events(self.skirmish.board(), &self.skirmish.events()[before..])
    }
}

impl Skirmishing {
    /// The skirmish as it stands.
    pub fn skirmish(&self) -> &Skirmish {
        self.state().skirmish()
    }
}
