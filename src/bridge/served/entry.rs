//! Lines of the journal.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    bridge::host::scenario::ServedScenario,
    game::round::escort::TableEscort,
    protocol::{
        apply::{ApplyResult, WireStep},
        lifecycle::{ClientCapabilities, Role},
        round::{DiceFrom, Plays},
        solo::RollResult,
    },
    solo_alpha::Options,
    xwing::{
        catalog::asked::AttackValues,
        edition::{Edition, FirstEditionOptions},
    },
};

/// One line: what came in, or the step that went out.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "entry", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Entry {
    /// The first line of a game of ships.
    Started {
        /// The version of the program that began it.
        version: String,
        /// Names the game for good.
        game: String,
        /// All rolls come from it.
        seed: u64,
        /// The choices that the rules leave open.
        options: Options,
        /// Where dice come from, until the players choose otherwise.
        #[serde(default)]
        dice: DiceFrom,
        /// How much is played.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        plays: Option<Plays>,
        /// The scenario that is played.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        scenario: Option<Box<ServedScenario>>,
        /// The game of Political Escort that is played.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        escort: Option<Box<TableEscort>>,
        /// The edition whose ships and rules are played; journals of older versions do not say it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        edition: Option<Edition>,
        /// Options of the first edition, where there are some.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        edition_options: Option<FirstEditionOptions>,
        /// Attack values that the data leaves open (FE-SOLO-9).
        #[serde(default, skip_serializing_if = "AttackValues::is_empty")]
        attack_values: AttackValues,
    },
    /// The first line of a skirmish at a table of squares.
    SkirmishStarted {
        /// The version of the program that began it.
        version: String,
        /// Names the game for good.
        game: String,
        /// All rolls come from it.
        seed: u64,
        /// Whether the players roll the dice and tell what they show.
        #[serde(default)]
        typed_dice: bool,
        /// Where they come from else; none: as `typed_dice` says.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        dice: Option<DiceFrom>,
    },
    /// A table connected.
    Attached {
        /// What it can do.
        capabilities: ClientCapabilities,
        /// Whether it is the one from before, with its memory.
        resumed: bool,
    },
    /// It went away.
    Detached,
    /// A request that may change something.
    Request {
        /// Who sent it.
        role: Role,
        /// Its method.
        method: String,
        /// What it says.
        params: Value,
    },
    /// A step was answered.
    Answered {
        /// The step.
        action_id: String,
        /// How it went.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        result: Option<ApplyResult>,
        /// Why there is no answer, or none that can be read.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<String>,
    },
    /// A question was answered.
    Prompted {
        /// The question.
        prompt_id: String,
        /// What was chosen; none: the deadline has passed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        choice: Option<String>,
    },
    /// Dice were rolled.
    Rolled {
        /// The roll.
        roll_id: String,
        /// What they show; none: they were not rolled.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        result: Option<RollResult>,
    },
    /// A step is about to be sent. It follows from the lines before; it stands here to tell whether it still does.
    Sent {
        /// Its id, for ever.
        action_id: String,
        /// The step.
        step: WireStep,
    },
}

impl Entry {
    /// What kind of game a first line begins.
    pub fn game(&self) -> &'static str {
        match self {
            Entry::Started { .. } => "a game of ships",
            Entry::SkirmishStarted { .. } => "a skirmish of Star Wars Miniatures",
            _ => "no game (its first line begins none)",
        }
    }

    /// The line in a few words.
    pub fn words(&self) -> String {
        match self {
            Entry::Started { .. } | Entry::SkirmishStarted { .. } => "the game begins".to_owned(),
            Entry::Attached { resumed: true, .. } => "the table is back".to_owned(),
            Entry::Attached { .. } => "a table connects".to_owned(),
            Entry::Detached => "the table goes away".to_owned(),
            Entry::Request { method, .. } => method.clone(),
            Entry::Answered { error: Some(error), .. } => format!("a step failed: {error}"),
            Entry::Answered { .. } => "a step is carried out".to_owned(),
            Entry::Prompted {
                choice: Some(choice), ..
            } => format!("the players choose: {choice}"),
            Entry::Prompted { .. } => "the players choose nothing".to_owned(),
            Entry::Rolled { .. } => "dice are rolled".to_owned(),
            Entry::Sent { .. } => "a step is sent".to_owned(),
        }
    }
}
