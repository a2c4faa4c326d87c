//! What a game wants from the world outside.

use super::round::ledger::LedgerEntry;
use super::step::Step;
use crate::{
    decision::Reason,
    xwing::{ObjectId, battle::Phase},
};

/// Something that a game asks for or tells.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Carry out a step; [`super::Game::step_answered`] takes the answer. One is outstanding at a time.
    Send(SentStep),
    /// Ask the players; [`super::Game::prompt_answered`] takes the answer.
    Prompt(Prompt),
    /// Roll real dice; [`super::Game::roll_answered`] takes the answer.
    Roll(Roll),
    /// A question or a roll, by its id, is not waited for any longer: it was taken back, or passed over.
    Withdraw(String),
    /// Look at the table again; [`super::Game::observe`] takes it.
    RequestSync,
    /// Tell everyone.
    Event(Event),
}

/// A step on its way.
#[derive(Debug, Clone, PartialEq)]
pub struct SentStep {
    /// Never used twice; a table that sees it twice carries the step out once.
    pub action_id: String,
    /// Revision of the snapshot that it was computed from.
    pub rev: u64,
    /// The step.
    pub step: Step,
}

/// A question to the players.
#[derive(Debug, Clone, PartialEq)]
pub struct Prompt {
    /// Never used twice.
    pub id: String,
    /// The question.
    pub text: String,
    /// Answers.
    pub options: Vec<String>,
    /// Taken at the deadline.
    pub default: String,
    /// Time until then, ms.
    pub deadline_ms: u32,
    /// What it is about.
    pub topic: Topic,
    /// The ship that it is about.
    pub ship: Option<ObjectId>,
    /// The faces of so many dice are asked for: the answer is an option, or text that holds them.
    pub dice: Option<DiceWanted>,
}

/// What a question is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Topic {
    /// Whether a decision is carried out.
    Consent,
    /// Whom a player's ship attacks, if anybody.
    Attack,
    /// What a player's ship spends on its dice.
    Spend,
    /// The faces of dice that were rolled by hand.
    Dice,
    /// Whether an ability is used.
    Ability,
    /// What a player's ship does in its activation: the maneuver that it flew, its actions.
    Action,
    /// What is to be put on the table, and whether it is as the scenario has it.
    SetUp,
}

/// How many dice of each kind are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DiceWanted {
    /// Attack dice.
    pub attack: u32,
    /// Defence dice.
    pub defence: u32,
}

/// A request for real dice.
#[derive(Debug, Clone, PartialEq)]
pub struct Roll {
    /// Never used twice.
    pub id: String,
    /// What it is for.
    pub reason: String,
    /// How many dice.
    pub dice: DiceWanted,
    /// Whose they are.
    pub ship: ObjectId,
}

/// What happened, for everyone who watches.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A decision was made.
    Decided {
        /// The ship.
        ship: ObjectId,
        /// One sentence.
        sentence: String,
        /// Why.
        reasons: Vec<Reason>,
    },
    /// An activation is over.
    Activated {
        /// The ship.
        ship: ObjectId,
        /// One sentence.
        message: String,
    },
    /// A plan was given up or changed.
    Replanned {
        /// The ship.
        ship: ObjectId,
        /// Why.
        message: String,
    },
    /// A new round.
    Round(u32),
    /// A phase began, of that round.
    Phase(u32, Phase),
    /// Something happened in an attack.
    Attack(AttackShown),
    /// What is kept of a ship has changed.
    Ledger(LedgerEntry),
    /// Anything the players should read.
    Note(String),
    /// The state of play.
    Status(Status),
}

/// The state of play in short.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Status {
    /// Round, from 1.
    pub round: u32,
    /// The next solo ship.
    pub next: Option<ObjectId>,
    /// Solo ships that wait, in order.
    pub waiting: Vec<ObjectId>,
    /// All solo ships on the table, in id order.
    pub solo: Vec<ObjectId>,
    /// The ship that acts now.
    pub acting: Option<ObjectId>,
    /// The phase, where whole rounds are played.
    pub phase: Option<Phase>,
    /// The ship whose turn it is, of either side, where whole rounds are played.
    pub turn: Option<ObjectId>,
    /// One line for the players.
    pub text: String,
}

/// An attack as an overlay shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttackShown {
    /// The attacker.
    pub attacker: ObjectId,
    /// The defender.
    pub defender: ObjectId,
    /// How far it is.
    pub stage: AttackStage,
    /// The attack dice as they lie, in words.
    pub attack: Vec<String>,
    /// The defence dice as they lie, in words.
    pub defence: Vec<String>,
    /// One sentence.
    pub message: String,
}

/// How far an attack is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttackStage {
    /// Declared; the attack dice lie as rolled.
    Declared,
    /// The attacker has changed its dice.
    Modified,
    /// The defence dice lie as rolled.
    Defended,
    /// Over.
    Resolved,
}

/// Why the game refuses a request. Nothing has changed then.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// No snapshot of the table has come yet.
    #[error("no table has been seen yet; send `table/sync` first")]
    NoTable,
    /// No table is connected that could carry anything out.
    #[error("no table is connected that could carry the steps out; connect one and press again")]
    NotConnected,
    /// Case G2: one thing at a time.
    #[error("{acting} is still acting ({doing}); press again when it is done, or undo to stop it")]
    Busy {
        /// The ship's name.
        acting: String,
        /// What it waits for.
        doing: String,
    },
    /// No such object on the table.
    #[error("there is no {what} `{id}` on the table; `game/status` and the last snapshot name those that there are")]
    Unknown {
        /// What was looked for.
        what: &'static str,
        /// Its id.
        id: String,
    },
    /// A name that means nothing in a field.
    #[error("{field}: `{name}` is not known; write {known}")]
    UnknownName {
        /// The field.
        field: &'static str,
        /// What was written.
        name: String,
        /// What may be written.
        known: String,
    },
    /// The ship is not a solo ship.
    #[error("{0} is not flown by the solo rules; assign it first")]
    NotSolo(String),
    /// It has activated this round.
    #[error("{0} has already activated this round; set it to waiting to let it act again")]
    AlreadyActivated(String),
    /// The ship is not on the table.
    #[error("{0} is not in play; place it on the mat first")]
    NotInPlay(String),
    /// Ships that stand apart do not touch.
    #[error("{ship} and {other} stand {mm} mm apart: put the models against each other, then say that they touch")]
    NotAgainst {
        /// A ship's name.
        ship: String,
        /// The other's.
        other: String,
        /// How far apart they stand, mm.
        mm: u32,
    },
    /// What is told about a dial cannot be.
    #[error("{0}")]
    Dial(String),
    /// Nothing to take back.
    #[error("there is no activation to take back")]
    NothingToUndo,
    /// Only activations are played: nothing else is kept.
    #[error(
        "only activations are played here; choose whole rounds (`game/options`) to let the program keep hull and phases"
    )]
    OnlyActivations,
    /// Nothing is waited for.
    #[error("nothing is waited for")]
    NothingToSkip,
    /// The round is over, and nothing of it can be left out.
    #[error("the round is over, so that nothing of it can be left out; go on (`solo/advance`) to begin the next one")]
    RoundIsOver,
    /// The opponent cannot fly the ship.
    #[error("{0}")]
    CannotFly(String),
}
