//! The player's buttons: `solo/*`, and the questions back: `table/prompt`, `dice/roll`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::round::{DiceInput, PromptTopic};

/// Parameters of `solo/advance` (client request, role table or cli): the button.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
#[derive(Default)]
pub struct AdvanceParams {
    /// Unique per press: a repeat is answered from memory and does nothing again.
    pub op_id: String,
    /// How much to play.
    pub scope: AdvanceScope,
    /// This ship instead of the next by initiative.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub ship: String,
    /// Ask (`table/prompt`) before anything is carried out.
    pub confirm: bool,
    /// Revision of the snapshot sent just before the press; 0: none. The table is then not asked for another one.
    #[serde(deserialize_with = "super::lenient::whole", skip_serializing_if = "is_zero")]
    pub rev: u64,
    /// If given, `$/progress` notifications carry it until the last step is answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub progress_token: Option<super::rpc::Id>,
}

fn is_zero(rev: &u64) -> bool {
    *rev == 0
}

/// How much one press plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum AdvanceScope {
    /// The next solo ship.
    #[default]
    Ship,
    /// All solo ships of the lowest initiative that still waits.
    Initiative,
    /// All solo ships that still wait this round.
    Round,
}

/// Result of `solo/advance`: the plan that begins; its steps follow as `table/apply`, its end as `game/event`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct AdvanceResult {
    /// Ships that will act, in order; empty: nobody is left this round, or a phase begins that the message names.
    #[serde(deserialize_with = "super::lenient::list")]
    pub ships: Vec<String>,
    /// One plain sentence.
    pub message: String,
}

/// Parameters of `solo/preview` (any role): decide and carry nothing out.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct PreviewParams {
    /// Which ship; empty: the next.
    pub ship: String,
}

/// Result of `solo/preview`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PreviewResult {
    /// The ship.
    pub ship: String,
    /// The decision in one sentence.
    pub sentence: String,
    /// The reasons, unless the client is terse.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<crate::decision::Reason>,
}

/// Parameters of `solo/assign`: fly a ship from now on, or stop flying it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct AssignParams {
    /// Unique per press.
    pub op_id: String,
    /// The ship.
    pub ship: String,
    /// Solo from now on, or not.
    pub solo: bool,
}

/// Parameters of `solo/undo`: take back the last activation, or in whole rounds the last step, turn or phase.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct UndoParams {
    /// Unique per press.
    pub op_id: String,
    /// How much is taken back.
    pub scope: UndoScope,
}

/// How much is taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum UndoScope {
    /// The last thing: an activation, a step of an attack, a correction, the beginning of a phase.
    #[default]
    Step,
    /// The last turn of a ship: its activation, or its whole attack.
    Turn,
    /// Everything since the last phase began, and its beginning.
    Phase,
}

/// Parameters of `solo/override`: the player knows better.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct OverrideParams {
    /// Unique per press.
    pub op_id: String,
    /// The ship.
    pub ship: String,
    /// Its forced tally from now on (SA-3.1), an object's id; `none` lifts it; empty: unchanged.
    pub tally: String,
    /// The roll of its next activation, as `evade/hit`; empty: rolled.
    pub roll: String,
    /// `done`: it has activated this round; `waiting`: it has not; empty: unchanged.
    pub activated: String,
}

/// Result of the `solo/*` requests that only change something.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Done {
    /// What happened, in one plain sentence.
    pub message: String,
}

/// Parameters of `table/prompt` (server request): ask the human.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PromptParams {
    /// Names the question for good.
    pub prompt_id: String,
    /// The question.
    pub text: String,
    /// Answers to choose from.
    pub options: Vec<String>,
    /// The one taken at the deadline.
    pub default: String,
    /// Time until then, ms.
    pub deadline_ms: u32,
    /// What it is about.
    #[serde(default, skip_serializing_if = "is_consent")]
    pub topic: PromptTopic,
    /// The ship that it is about; empty if none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub ship: String,
    /// The faces of dice are asked for. The choice is then an option, or the faces as text: `hit hit focus`, `2h 1f`,
    /// `evade blank`; attack dice first. A text that cannot be read is asked for again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<DiceInput>,
}

fn is_consent(topic: &PromptTopic) -> bool {
    *topic == PromptTopic::Consent
}

/// Result of `table/prompt`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct PromptResult {
    /// The option chosen, or the faces that were asked for.
    pub choice: String,
}

/// Parameters of `dice/roll` (server request): roll real dice.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RollParams {
    /// Names the roll for good.
    pub roll_id: String,
    /// Attack dice.
    pub attack: u32,
    /// Defence dice.
    pub defence: u32,
    /// Dice of twenty sides: what a skirmish of figures rolls.
    #[serde(default, skip_serializing_if = "is_none")]
    pub d20: u32,
    /// What it is for.
    pub reason: String,
    /// The ship whose dice they are; empty if none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub ship: String,
}

fn is_none(count: &u32) -> bool {
    *count == 0
}

/// Result of `dice/roll`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct RollResult {
    /// Faces of the attack dice: `crit`, `hit`, `focus`, `blank`.
    #[serde(deserialize_with = "super::lenient::list")]
    pub attack: Vec<String>,
    /// Faces of the defence dice: `evade`, `focus`, `blank`.
    #[serde(deserialize_with = "super::lenient::list")]
    pub defence: Vec<String>,
    /// What the dice of twenty sides show, 1 to 20 each.
    #[serde(deserialize_with = "super::lenient::list", skip_serializing_if = "Vec::is_empty")]
    pub d20: Vec<u8>,
}
