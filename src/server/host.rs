//! What the server needs of the game behind it.

use serde_json::Value;

pub use crate::bridge::served::Outgoing;
use crate::bridge::served::{Host, Served};
use crate::protocol::apply::ApplyResult;
use crate::protocol::fault::Fault;
use crate::protocol::lifecycle::{ClientCapabilities, Role};
use crate::protocol::solo::RollResult;

/// A game at one table. All calls come from one task, one after another, and answer at once.
pub trait TableHost: Send {
    /// A table is there; `resumed`: it is the one from before, with its memory. What waits for an answer is sent again.
    fn table_attached(&mut self, capabilities: &ClientCapabilities, resumed: bool) -> Vec<Outgoing>;
    /// The table is away; it may come back.
    fn table_detached(&mut self);
    /// A request of a client whose role may send it. One with an `opId` that came before is answered from memory.
    fn request(&mut self, role: Role, method: &str, params: Value) -> (Result<Value, Fault>, Vec<Outgoing>);
    /// The table has answered a step; an error if the answer was one or could not be read.
    fn apply_answered(&mut self, action_id: &str, result: Result<ApplyResult, String>) -> Vec<Outgoing>;
    /// The human has chosen, or (none) the deadline has passed.
    fn prompt_answered(&mut self, prompt_id: &str, choice: Option<String>) -> Vec<Outgoing>;
    /// The dice were rolled, or (none) they were not.
    fn roll_answered(&mut self, roll_id: &str, result: Option<RollResult>) -> Vec<Outgoing>;
}

impl<G: Served + Send> TableHost for Host<G> {
    fn table_attached(&mut self, capabilities: &ClientCapabilities, resumed: bool) -> Vec<Outgoing> {
        Host::table_attached(self, capabilities, resumed)
    }

    fn table_detached(&mut self) {
        Host::table_detached(self);
    }

    fn request(&mut self, role: Role, method: &str, params: Value) -> (Result<Value, Fault>, Vec<Outgoing>) {
        Host::request(self, role, method, params)
    }

    fn apply_answered(&mut self, action_id: &str, result: Result<ApplyResult, String>) -> Vec<Outgoing> {
        Host::apply_answered(self, action_id, result)
    }

    fn prompt_answered(&mut self, prompt_id: &str, choice: Option<String>) -> Vec<Outgoing> {
        Host::prompt_answered(self, prompt_id, choice)
    }

    fn roll_answered(&mut self, roll_id: &str, result: Option<RollResult>) -> Vec<Outgoing> {
        Host::roll_answered(self, roll_id, result)
    }
}
