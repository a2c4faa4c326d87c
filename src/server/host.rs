//! What the server needs of the game behind it.

use serde_json::Value;

use crate::protocol::apply::{ApplyParams, ApplyResult};
use crate::protocol::event::GameEvent;
use crate::protocol::fault::Fault;
use crate::protocol::lifecycle::{ClientCapabilities, Role};
use crate::protocol::solo::{PromptParams, RollParams, RollResult};

/// Something the game wants sent.
#[derive(Debug, Clone, PartialEq)]
pub enum Outgoing {
    /// `table/apply`: carry out one step.
    Apply(ApplyParams),
    /// `table/prompt`: ask the human.
    Prompt(PromptParams),
    /// `dice/roll`: roll real dice.
    Roll(RollParams),
    /// `table/requestSync`: the snapshot is too old.
    RequestSync,
    /// `game/event`, for everyone.
    Event(GameEvent),
}

/// A game at one table. All calls come from one task, one after another, and answer at once.
pub trait TableHost: Send {
    /// A table is there; `resumed`: it is the one from before, with its memory. What waits for an answer is sent again.
    fn table_attached(&mut self, capabilities: &ClientCapabilities, resumed: bool) -> Vec<Outgoing>;
    /// The table is away; it may come back.
    fn table_detached(&mut self);
    /// A request of a client whose role may send it.
    fn request(&mut self, role: Role, method: &str, params: Value) -> (Result<Value, Fault>, Vec<Outgoing>);
    /// The table has answered a step; an error if the answer was one or could not be read.
    fn apply_answered(&mut self, action_id: &str, result: Result<ApplyResult, String>) -> Vec<Outgoing>;
    /// The human has chosen, or (none) the deadline has passed.
    fn prompt_answered(&mut self, prompt_id: &str, choice: Option<String>) -> Vec<Outgoing>;
    /// The dice were rolled, or (none) they were not.
    fn roll_answered(&mut self, roll_id: &str, result: Option<RollResult>) -> Vec<Outgoing>;
}
