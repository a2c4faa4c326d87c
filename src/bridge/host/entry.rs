//! Lines of the journal.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::scenario::ServedScenario;
use crate::{
    protocol::{
        apply::{ApplyResult, WireStep},
        lifecycle::{ClientCapabilities, Role},
        round::{DiceFrom, Plays},
        solo::RollResult,
    },
    solo_alpha::Options,
};

/// One line: what came in, or the step that went out.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "entry", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub(in crate::bridge) enum Entry {
    /// The first line.
    Started {
        version: String,
        game: String,
        seed: u64,
        options: Options,
        #[serde(default)]
        dice: DiceFrom,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        plays: Option<Plays>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        scenario: Option<Box<ServedScenario>>,
    },
    /// The first line of a skirmish at a table of squares.
    SkirmishStarted {
        version: String,
        game: String,
        seed: u64,
        #[serde(default)]
        typed_dice: bool,
    },
    /// A table connected.
    Attached {
        capabilities: ClientCapabilities,
        resumed: bool,
    },
    /// It went away.
    Detached,
    /// A request that may change something.
    Request { role: Role, method: String, params: Value },
    /// A step was answered.
    Answered {
        action_id: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        result: Option<ApplyResult>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<String>,
    },
    /// A question was answered.
    Prompted {
        prompt_id: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        choice: Option<String>,
    },
    /// Dice were rolled.
    Rolled {
        roll_id: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        result: Option<RollResult>,
    },
    /// A step is about to be sent. It follows from the lines before; it stands here to tell whether it still does.
    Sent { action_id: String, step: WireStep },
}
