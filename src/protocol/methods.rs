//! The table of methods: the source of `protocol/methods.json` and of what a role may call.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;

use super::apply::{ApplyParams, ApplyResult};
use super::event::EventParams;
use super::lifecycle::{InitializeParams, InitializeResult, Role};
use super::plumbing::{CancelParams, Empty, ProgressParams};
use super::round::{CorrectParams, GameOptionsParams, SkipParams};
use super::snapshot::{SyncParams, SyncResult};
use super::solo::{
    AdvanceParams, AdvanceResult, AssignParams, Done, OverrideParams, PreviewParams, PreviewResult, PromptParams,
    PromptResult, RollParams, RollResult, UndoParams,
};
use super::status::StatusResult;

/// Who sends a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Direction {
    /// The client.
    ClientToServer,
    /// The server.
    ServerToClient,
    /// Either.
    Both,
}

/// One method.
#[derive(Debug, Clone, Copy)]
pub struct Method {
    /// Its name.
    pub name: &'static str,
    /// Who sends it.
    pub direction: Direction,
    /// Whether it is answered.
    pub request: bool,
    /// Roles that may send it (for messages of the server: roles that get it).
    pub roles: &'static [Role],
    /// First protocol version that has it.
    pub since: u32,
    /// What it is for.
    pub summary: &'static str,
    params: fn(&mut SchemaGenerator) -> Schema,
    result: Option<fn(&mut SchemaGenerator) -> Schema>,
}

impl Method {
    /// The method of that name.
    pub fn find(name: &str) -> Option<&'static Method> {
        METHODS.iter().find(|method| method.name == name)
    }

    /// Schema of the parameters; a named type is a reference into the generator's definitions.
    pub fn params(&self, generator: &mut SchemaGenerator) -> Schema {
        (self.params)(generator)
    }

    /// Schema of the result, for a request.
    pub fn result(&self, generator: &mut SchemaGenerator) -> Option<Schema> {
        self.result.map(|result| result(generator))
    }
}

fn schema<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

const ANYONE: &[Role] = &[Role::Table, Role::Viewer, Role::Cli];
const PLAYERS: &[Role] = &[Role::Table, Role::Cli];
const TABLE: &[Role] = &[Role::Table];

macro_rules! methods {
    ($($name:literal $direction:ident $roles:ident since $since:literal: $params:ty $(=> $result:ty)?, $summary:literal;)*) => {
        /// Every method of the protocol.
        pub const METHODS: &[Method] = &[$(Method {
            name: $name,
            direction: Direction::$direction,
            request: methods!(@request $($result)?),
            roles: $roles,
            since: $since,
            summary: $summary,
            params: schema::<$params>,
            result: methods!(@result $($result)?),
        }),*];
    };
    (@request $result:ty) => { true };
    (@request) => { false };
    (@result $result:ty) => { Some(schema::<$result>) };
    (@result) => { None };
}

methods! {
    "initialize" ClientToServer ANYONE since 1: InitializeParams => InitializeResult, "Opens or resumes a session; first of all.";
    "initialized" ClientToServer ANYONE since 1: Empty, "The client has handled the result of `initialize`.";
    "shutdown" ClientToServer ANYONE since 1: Empty => Empty, "No more requests will come.";
    "exit" ClientToServer ANYONE since 1: Empty, "Ends the session and its connection.";
    "table/sync" ClientToServer TABLE since 1: SyncParams => SyncResult, "The whole table as it stands.";
    "table/requestSync" ServerToClient TABLE since 1: Empty, "Please send `table/sync`.";
    "table/apply" ServerToClient TABLE since 1: ApplyParams => ApplyResult, "Carry out one step, once.";
    "table/prompt" ServerToClient TABLE since 1: PromptParams => PromptResult, "Ask the human; there is a default and a deadline.";
    "dice/roll" ServerToClient TABLE since 1: RollParams => RollResult, "Roll real dice.";
    "solo/advance" ClientToServer PLAYERS since 1: AdvanceParams => AdvanceResult, "Play the next solo ship, or several.";
    "solo/preview" ClientToServer ANYONE since 1: PreviewParams => PreviewResult, "Decide, and carry nothing out.";
    "solo/undo" ClientToServer PLAYERS since 1: UndoParams => Done, "Take the last step, turn or phase back.";
    "solo/override" ClientToServer PLAYERS since 1: OverrideParams => Done, "The player knows better.";
    "solo/assign" ClientToServer PLAYERS since 1: AssignParams => Done, "Fly a ship from now on, or stop flying it.";
    "game/correct" ClientToServer PLAYERS since 1: CorrectParams => Done, "What the program cannot see or has wrong: hull, shields, cards, charges, turns, phase.";
    "game/skip" ClientToServer PLAYERS since 1: SkipParams => Done, "Do not wait any longer: for this step, this ship, this phase.";
    "game/options" ClientToServer PLAYERS since 1: GameOptionsParams => Done, "How the game is played: dice, how much of the round.";
    "game/status" ClientToServer ANYONE since 1: Empty => StatusResult, "How the game stands.";
    "game/event" ServerToClient ANYONE since 1: EventParams, "Something happened.";
    "$/cancelRequest" Both ANYONE since 1: CancelParams, "An answer is no longer wanted, and still owed.";
    "$/progress" ServerToClient ANYONE since 1: ProgressParams, "How far a request with a `progressToken` is.";
    "$/ping" Both ANYONE since 1: Empty => Empty, "Are you there?";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_well_formed() {
        for (i, method) in METHODS.iter().enumerate() {
            assert!(
                METHODS[i + 1..].iter().all(|other| other.name != method.name),
                "{}",
                method.name
            );
            let bare = ["initialize", "initialized", "shutdown", "exit"].contains(&method.name);
            assert!(bare || method.name.matches('/').count() == 1, "{}", method.name);
        }
    }

    #[test]
    fn a_viewer_changes_nothing() {
        let open: Vec<_> = METHODS
            .iter()
            .filter(|method| method.direction == Direction::ClientToServer && method.roles.contains(&Role::Viewer))
            .map(|method| method.name)
            .collect();
        assert_eq!(
            open,
            [
                "initialize",
                "initialized",
                "shutdown",
                "exit",
                "solo/preview",
                "game/status"
            ]
        );
    }
}
