//! A game of any kind behind the wire: wire types in, wire types out, for one table. It knows no socket; the server calls it
//! from one task and sends what it returns.
//!
//! Everything that comes in is written to the journal before it is acted on, and every step before it is sent. After a
//! restart the journal is read back into the same state, so that a step on its way is sent again under its old id.

mod entry;
pub mod replay;

use std::{collections::VecDeque, fmt, path::Path};

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

pub use self::entry::Entry;
use crate::{
    game::journal::{Damage, Journal},
    protocol::{
        apply::{ApplyParams, ApplyResult, WireStep},
        event::GameEvent,
        fault::{Fault, FaultKind},
        lifecycle::{ClientCapabilities, Role},
        solo::{PromptParams, RollParams, RollResult},
    },
};

/// Operations whose answers are remembered, so that a press that arrives twice counts once.
const REMEMBERED_OPERATIONS: usize = 256;

/// Something the game wants sent.
#[derive(Debug, Clone, PartialEq)]
pub enum Outgoing {
    /// `table/apply`: carry out one step.
    Apply(ApplyParams),
    /// `table/prompt`: ask the human.
    Prompt(PromptParams),
    /// `dice/roll`: roll real dice.
    Roll(RollParams),
    /// A question or a roll, by its id, is not waited for any longer.
    Withdraw(String),
    /// `table/requestSync`: the snapshot is too old.
    RequestSync,
    /// `game/event`, for everyone.
    Event(GameEvent),
}

/// A game in its own terms, which reads and writes wire types. The journal, the table that comes and goes, and presses that
/// arrive twice are the [`Host`]'s.
pub trait Served: Sized + fmt::Debug {
    /// What the first line of its journals is called in the file.
    const FIRST: &'static str;
    /// What it is called in messages.
    const NAME: &'static str;

    /// What is fixed for a table.
    type Config;
    /// The table as it was seen.
    type Seen: Clone + fmt::Debug;
    /// A step that a table carries out.
    type Step: Clone + fmt::Debug;

    /// Where the game is recorded.
    fn journal(config: &Self::Config) -> Option<&Path>;
    /// Whether this first line of a journal begins a game of this kind.
    fn begins(first: &Entry) -> bool;
    /// A game, new or as the first line of its journal began it, and that line. Notes are for the players.
    fn begin(config: &Self::Config, first: Option<&Entry>, notes: &mut Vec<String>) -> (Self, Entry);

    /// A table is there; `resumed`: it is the one from before, with its memory.
    fn attach(&mut self, capabilities: &ClientCapabilities, resumed: bool);
    /// The table is away; it may come back.
    fn detach(&mut self);
    /// Whether a table is there.
    fn is_attached(&self) -> bool;
    /// Gives up what is under way: the game's ids begin with another name from here on.
    fn abandon(&mut self, id: String);

    /// Answers a request.
    ///
    /// # Errors
    /// Why it is not done.
    fn answer(&mut self, method: &str, params: Value) -> Result<Value, Fault>;
    /// The table has answered a step; an error if the answer was one or could not be read.
    fn step_answered(&mut self, action_id: &str, result: Result<ApplyResult, String>);
    /// The human has chosen, or (none) the deadline has passed.
    fn prompt_answered(&mut self, prompt_id: &str, choice: Option<&str>);
    /// The dice were rolled, or (none) they were not.
    fn roll_answered(&mut self, roll_id: &str, result: Option<&RollResult>);
    /// What it wants sent since the last call.
    fn take_outgoing(&mut self) -> Vec<Outgoing>;

    /// The table as it was last seen.
    fn seen(&self) -> Option<Self::Seen>;
    /// The step that is on its way, with its id.
    fn outstanding(&self) -> Option<(&str, &Self::Step)>;
    /// A step as the table is told it.
    fn wire(&self, step: &Self::Step) -> WireStep;
}

/// A game at one table.
#[derive(Debug)]
pub struct Host<G: Served> {
    pub(super) game: G,
    pub(super) journal: Option<Journal>,
    operations: VecDeque<(String, Value)>,
    /// The newest step in the journal, so that it is not written twice.
    recorded: String,
    /// What the players have to read as soon as there are any.
    notes: Vec<String>,
}

impl<G: Served> Host<G> {
    /// A game, new or resumed from its journal. A journal that cannot be used costs the record, not the game: the
    /// players are told.
    pub fn new(config: G::Config) -> Self {
        let mut notes = Vec::new();
        let opened = G::journal(&config).map(open_journal::<G>);
        let recorded = opened.and_then(|opened| {
            // Who started the program may be long gone from it when a table reads the note.
            let told = opened.inspect_err(|why| tracing::warn!("the game is not recorded: {why}"));
            told.map_err(|why| notes.push(format!("The game is not recorded: {why}.")))
                .ok()
        });
        let first = recorded.as_ref().and_then(|(_, entries, _)| entries.first());
        let resumed = first.is_some();
        let (game, first) = G::begin(&config, first, &mut notes);
        let mut host = Host::of(game, notes);
        let Some((journal, entries, damage)) = recorded else {
            return host;
        };
        if resumed {
            host.read_back(entries);
            if let Some(damage) = &damage {
                // What the table has carried out since is not known any more: its ids must not be used again.
                host.game.abandon(random_name());
                host.notes.push(format!(
                    "The record of the game was damaged: {damage}. Play goes on from there; check whose turn it is."
                ));
            }
        }
        host.journal = Some(journal);
        if !resumed {
            host.record(&first);
            if let Some(damage) = damage {
                host.notes.push(format!(
                    "The record of the last game was damaged from its beginning: {damage}. A new game begins."
                ));
            }
        }
        host
    }

    fn of(game: G, notes: Vec<String>) -> Self {
        Host {
            game,
            journal: None,
            operations: VecDeque::new(),
            recorded: String::new(),
            notes,
        }
    }

    /// Reads the journal back. What it wants sent has been sent, or is sent again when the table is back.
    fn read_back(&mut self, entries: Vec<Entry>) {
        let mut diverged = false;
        for entry in entries.into_iter().skip(1) {
            if let Entry::Sent { action_id, step } = &entry {
                diverged |= self.on_its_way() != Some((action_id.clone(), step.clone()));
                self.recorded.clone_from(action_id);
                continue;
            }
            self.handle(&entry);
        }
        self.game.detach();
        if diverged {
            // Another version decides otherwise than the one that wrote the journal. Its ids must not be used again.
            self.game.abandon(random_name());
            self.notes.push(
                "This version decides otherwise than the one that recorded the game; the activation that was running is \
                 given up."
                    .to_owned(),
            );
        }
    }

    /// A table is there; `resumed`: it is the one from before, with its memory. What waits for an answer is sent again
    /// under its old id; a table without its memory is looked at first.
    pub fn table_attached(&mut self, capabilities: &ClientCapabilities, resumed: bool) -> Vec<Outgoing> {
        let capabilities = capabilities.clone();
        self.input(Entry::Attached { capabilities, resumed }).1
    }

    /// The table is away; it may come back.
    pub fn table_detached(&mut self) {
        self.input(Entry::Detached);
    }

    /// A request of a client whose role may send it.
    pub fn request(&mut self, role: Role, method: &str, params: Value) -> (Result<Value, Fault>, Vec<Outgoing>) {
        if changes_nothing(method) {
            return (self.game.answer(method, params), Vec::new());
        }
        let method = method.to_owned();
        let (answer, outgoing) = self.input(Entry::Request { role, method, params });
        (answer.unwrap_or(Ok(Value::Null)), outgoing)
    }

    /// The table has answered a step; an error if the answer was one or could not be read.
    pub fn apply_answered(&mut self, action_id: &str, result: Result<ApplyResult, String>) -> Vec<Outgoing> {
        let (result, error) = match result {
            Ok(result) => (Some(result), None),
            Err(error) => (None, Some(error)),
        };
        let action_id = action_id.to_owned();
        self.input(Entry::Answered {
            action_id,
            result,
            error,
        })
        .1
    }

    /// The human has chosen, or (none) the deadline has passed.
    pub fn prompt_answered(&mut self, prompt_id: &str, choice: Option<String>) -> Vec<Outgoing> {
        let prompt_id = prompt_id.to_owned();
        self.input(Entry::Prompted { prompt_id, choice }).1
    }

    /// The dice were rolled, or (none) they were not.
    pub fn roll_answered(&mut self, roll_id: &str, result: Option<RollResult>) -> Vec<Outgoing> {
        let roll_id = roll_id.to_owned();
        self.input(Entry::Rolled { roll_id, result }).1
    }

    /// Records what came in, acts on it, records the step that goes out.
    fn input(&mut self, entry: Entry) -> (Option<Result<Value, Fault>>, Vec<Outgoing>) {
        self.record(&entry);
        let (answer, mut outgoing) = self.handle(&entry);
        if let Some((action_id, step)) = self.on_its_way()
            && action_id != self.recorded
        {
            self.recorded.clone_from(&action_id);
            self.record(&Entry::Sent { action_id, step });
        }
        // Notes wait until somebody is there to read them.
        if self.game.is_attached() {
            let notes = self.notes.drain(..);
            outgoing.extend(notes.map(|message| Outgoing::Event(GameEvent::Note { message })));
        }
        (answer, outgoing)
    }

    /// Writes to the journal. A full disk ends the record, not the game: half a record would be worse than none.
    fn record(&mut self, entry: &Entry) {
        let Some(journal) = &mut self.journal else { return };
        if let Err(error) = journal.append(entry) {
            tracing::warn!(journal = %journal.path().display(), %error, "the game can no longer be recorded");
            self.notes.push(format!(
                "The game can no longer be recorded in {} ({error}): play goes on, but a restart of the program loses the \
                 rest of it.",
                journal.path().display()
            ));
            self.journal = None;
        }
    }

    fn handle(&mut self, entry: &Entry) -> (Option<Result<Value, Fault>>, Vec<Outgoing>) {
        let mut answer = None;
        match entry {
            Entry::Started { .. } | Entry::SkirmishStarted { .. } | Entry::Sent { .. } => {}
            Entry::Attached { capabilities, resumed } => self.game.attach(capabilities, *resumed),
            Entry::Detached => self.game.detach(),
            Entry::Request { method, params, .. } => answer = Some(self.answer_once(method, params.clone())),
            Entry::Answered {
                action_id,
                result,
                error,
            } => {
                let result = result.clone().ok_or_else(|| error.clone().unwrap_or_default());
                self.game.step_answered(action_id, result);
            }
            Entry::Prompted { prompt_id, choice } => self.game.prompt_answered(prompt_id, choice.as_deref()),
            Entry::Rolled { roll_id, result } => self.game.roll_answered(roll_id, result.as_ref()),
        }
        (answer, self.game.take_outgoing())
    }

    /// A press that arrives twice is answered from memory. Refused ones are not remembered: nothing has changed.
    fn answer_once(&mut self, method: &str, params: Value) -> Result<Value, Fault> {
        let operation = params.get("opId").and_then(Value::as_str).unwrap_or_default();
        if operation.is_empty() || method == "table/sync" {
            return self.game.answer(method, params);
        }
        if let Some((_, answer)) = self.operations.iter().find(|(known, _)| known == operation) {
            return Ok(answer.clone());
        }
        let operation = operation.to_owned();
        let answer = self.game.answer(method, params)?;
        self.operations.push_back((operation, answer.clone()));
        if self.operations.len() > REMEMBERED_OPERATIONS {
            self.operations.pop_front();
        }
        Ok(answer)
    }

    /// The step that is on its way, as the journal has it.
    fn on_its_way(&self) -> Option<(String, WireStep)> {
        let (action_id, step) = self.game.outstanding()?;
        Some((action_id.to_owned(), self.game.wire(step)))
    }
}

/// Requests that are not part of the record.
fn changes_nothing(method: &str) -> bool {
    matches!(method, "solo/preview" | "game/status")
}

/// A journal to write on, what stands in it, and what it lost but for a line that was never whole.
///
/// # Errors
/// Why it cannot be used.
fn open_journal<G: Served>(path: &Path) -> Result<(Journal, Vec<Entry>, Option<Damage>), String> {
    let (journal, contents) = Journal::open(path).map_err(|error| error.to_string())?;
    if let Some(other) = contents.entries.first().filter(|first| !G::begins(first)) {
        // Written on, it would never be read back: no restart could tell which game it is.
        return Err(format!(
            "{} is the record of {}, and {} is played: start with --new-game to set it aside and record this one",
            path.display(),
            other.game(),
            G::NAME
        ));
    }
    let damage = contents.damage.filter(|damage| !damage.torn);
    Ok((journal, contents.entries, damage))
}

/// What a request says.
pub(super) fn params<T: DeserializeOwned>(method: &str, value: Value) -> Result<T, Fault> {
    // A request without parameters asks for the defaults, and Lua writes an empty record as a list.
    let value = match value {
        Value::Null => Value::Object(serde_json::Map::new()),
        Value::Array(items) if items.is_empty() => Value::Object(serde_json::Map::new()),
        other => other,
    };
    serde_path_to_error::deserialize(value).map_err(|error| {
        let field = match error.path().to_string() {
            root if root == "." => String::new(),
            field => format!("{field}: "),
        };
        let message = format!("{method}: {field}{}", error.inner());
        Fault::new(FaultKind::InvalidParams, message)
    })
}

/// An answer as it is sent.
pub(super) fn result(value: &impl Serialize) -> Result<Value, Fault> {
    serde_json::to_value(value).map_err(|error| Fault::new(FaultKind::Internal, error.to_string()))
}

/// A name that no other game has.
pub(super) fn random_name() -> String {
    use rand::TryRng as _;
    // Without the system's randomness the process and its start still tell games apart.
    let number = rand::rngs::SysRng.try_next_u64().unwrap_or_else(|_| {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        since.map_or(0, |since| since.as_nanos() as u64) ^ u64::from(std::process::id()).rotate_left(40)
    });
    format!("g{:010x}", number >> 24)
}

#[cfg(test)]
mod tests {
    use super::random_name;

    #[test]
    fn games_have_names_of_their_own() {
        assert_ne!(random_name(), random_name());
    }
}
