//! What goes out of a skirmish at a table: steps on their way, questions, rolls, what everybody is told.

use super::Step;
use crate::decision::Reason;

/// A step on its way.
#[derive(Debug, Clone, PartialEq)]
pub struct Sent {
    /// Its id, for ever.
    pub action_id: String,
    /// Revision of the snapshot that it follows from.
    pub rev: u64,
    /// The step.
    pub step: Step,
}

/// A question to the players.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    /// Names it for ever.
    pub id: String,
    /// The question.
    pub text: String,
    /// The answers.
    pub options: Vec<String>,
    /// The one that is taken at the deadline.
    pub default: String,
    /// Time until then, ms.
    pub deadline_ms: u32,
    /// The figure that it is about.
    pub figure: String,
    /// Whether a die is asked for.
    pub die: bool,
}

/// A die of twenty sides that the table rolls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Roll {
    /// Names it for ever.
    pub id: String,
    /// What it is for.
    pub reason: String,
    /// The figure that it is rolled for.
    pub figure: String,
}

/// What the players and viewers are told.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A decision was made.
    Decided {
        /// The figure.
        figure: String,
        /// One sentence.
        sentence: String,
        /// Why.
        reasons: Vec<Reason>,
    },
    /// An activation is over.
    Activated {
        /// The figure.
        figure: String,
        /// One sentence.
        message: String,
    },
    /// A plan was given up or changed.
    Replanned {
        /// The figure.
        figure: String,
        /// Why.
        message: String,
    },
    /// A new round.
    Round(u32),
    /// Anything the players should read.
    Note(String),
    /// How it stands.
    Status(Status),
}

/// How it stands.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Status {
    /// The round.
    pub round: u32,
    /// All automated figures in play.
    pub automated: Vec<String>,
    /// Those that have yet to activate.
    pub waiting: Vec<String>,
    /// Who acts now.
    pub acting: Option<String>,
    /// One line.
    pub text: String,
}

/// What the game wants from the world.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Carry out a step.
    Send(Sent),
    /// Ask the players.
    Prompt(Prompt),
    /// Roll a die at the table.
    Roll(Roll),
    /// Look at the table again.
    RequestSync,
    /// Tell everybody.
    Event(Event),
}
