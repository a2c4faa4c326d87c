//! A table of Vassal before a game that knows none: raw pieces come in and become what a profile says that they are, steps of the
//! game go out as changes of pieces. Tables of other kinds pass through as they are.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::host::{Outgoing, TableHost};
use crate::{
    bridge::{
        names::Names,
        vassal::profile::Plays,
        vassal_table::{VassalReader, VassalTable},
    },
    private_file::write_private,
    protocol::{
        apply::{ApplyParams, ApplyResult, Outcome},
        fault::{Fault, FaultKind},
        lifecycle::{ClientCapabilities, Dialect, Role},
        snapshot::{Snapshot, SyncParams},
        solo::RollResult,
        vassal::VassalSnapshot,
    },
};

/// Steps of a game of ships that become changes of pieces.
const SHIP_STEPS: [&str; 6] = ["say", "move", "place", "token", "lay", "remove"];

/// Steps of a skirmish that become changes of pieces.
const FIGURE_STEPS: [&str; 9] = [
    "say",
    "walk",
    "attack",
    "damage",
    "force",
    "activated",
    "remove",
    "put",
    "door",
];

/// Fields with sentences for people.
const SENTENCES: [&str; 5] = ["message", "text", "sentence", "verdict", "candidate"];

/// A game whose table may be one of Vassal.
pub struct VassalHost {
    inner: Box<dyn TableHost>,
    reader: VassalReader,
    /// Whether the attached table is one of Vassal.
    attached: bool,
    /// What the last snapshot showed.
    seen: Option<VassalTable>,
    names: Names,
    /// A step that was asked for before there was a snapshot.
    waiting: Option<ApplyParams>,
    /// The step that the table was asked for last, as it was told.
    asked: Option<ApplyParams>,
    /// Where the table is written down as it was first seen, or as no profile reads it.
    kept: Option<PathBuf>,
}

impl VassalHost {
    /// A game whose tables are read so.
    pub fn around(inner: Box<dyn TableHost>, reader: VassalReader) -> VassalHost {
        VassalHost {
            inner,
            reader,
            attached: false,
            seen: None,
            names: Names::default(),
            waiting: None,
            asked: None,
            kept: None,
        }
    }

    /// Writes the table down in a file, for `tallyho vassal probe --live`: when it is first seen, and while no profile reads it.
    #[must_use]
    pub fn keeping(self, file: PathBuf) -> VassalHost {
        VassalHost {
            kept: Some(file),
            ..self
        }
    }

    /// A table that cannot be written down costs the draft of a profile, not the game.
    fn keep(&self, seen: &VassalSnapshot) {
        let Some(file) = &self.kept else { return };
        let written = serde_json::to_string(seen)
            .map_err(std::io::Error::from)
            .and_then(|text| write_private(file, &text));
        if let Err(error) = written {
            tracing::warn!("the table is not written down: {}: {error}", file.display());
        }
    }

    /// A snapshot in the game's terms; the answer also has what the profile does not know.
    fn sync(&mut self, role: Role, rev: u64, seen: &VassalSnapshot) -> (Result<Value, Fault>, Vec<Outgoing>) {
        let read = self.reader.read(seen);
        if self.seen.is_none() || read.is_err() {
            self.keep(seen);
        }
        let table = match read {
            Ok(table) => table,
            Err(damage) => {
                let fault = Fault::new(FaultKind::InvalidParams, damage.to_string());
                return (Err(fault), Vec::new());
            }
        };
        let names = table.names();
        self.names.learn(names.iter().map(|(id, name)| (&**id, &**name)));
        let snapshot = table.snapshot();
        let warnings = table.warnings();
        self.seen = Some(table);
        let mut outgoing: Vec<Outgoing> = self.waiting.take().map(Outgoing::Apply).into_iter().collect();
        let (mut answer, more) = self
            .inner
            .request(role, "table/sync", json!({"rev": rev, "snapshot": snapshot}));
        outgoing.extend(more);
        if let Ok(answer) = &mut answer
            && let Some(list) = answer.get_mut("warnings").and_then(Value::as_array_mut)
        {
            list.extend(warnings.into_iter().map(|warning| json!(warning)));
        }
        (answer, outgoing)
    }

    /// What goes out, in the table's terms.
    fn translated(&mut self, outgoing: Vec<Outgoing>) -> Vec<Outgoing> {
        if !self.attached {
            return outgoing;
        }
        let mut translated = Vec::new();
        for one in outgoing {
            match (one, &self.seen) {
                (Outgoing::Apply(asked), Some(table)) => {
                    let mut step = table.step(&asked.step);
                    self.speak_in(&mut step);
                    let asked = ApplyParams { step, ..asked };
                    self.asked = Some(asked.clone());
                    translated.push(Outgoing::Apply(asked));
                }
                // What the pieces are is not known before they are seen.
                (Outgoing::Apply(asked), None) => {
                    self.waiting = Some(asked);
                    translated.push(Outgoing::RequestSync);
                }
                (Outgoing::Event(mut event), _) => {
                    self.speak_in(&mut event);
                    translated.push(Outgoing::Event(event));
                }
                (Outgoing::Prompt(mut prompt), _) => {
                    prompt.text = self.speak(&prompt.text);
                    translated.push(Outgoing::Prompt(prompt));
                }
                (Outgoing::Roll(mut roll), _) => {
                    roll.reason = self.speak(&roll.reason);
                    translated.push(Outgoing::Roll(roll));
                }
                (other, _) => translated.push(other),
            }
        }
        translated
    }

    /// A sentence with names in place of the ids of pieces.
    fn speak(&self, text: &str) -> String {
        let Some(table) = &self.seen else {
            return text.to_owned();
        };
        let mut text = text.to_owned();
        for (id, name) in table.names() {
            if text.contains(&id)
                && let Some(spoken) = self.names.of(&id)
            {
                text = text.replace(&format!("{name} ({id})"), spoken);
            }
        }
        self.names.speak(&text)
    }

    fn speak_in<T: serde::Serialize + serde::de::DeserializeOwned>(&self, message: &mut T) {
        fn walk(value: &mut Value, speak: &dyn Fn(&str) -> String) {
            match value {
                Value::Object(fields) => {
                    for (name, value) in fields {
                        match value {
                            Value::String(text) if SENTENCES.contains(&&**name) => *text = speak(text),
                            value => walk(value, speak),
                        }
                    }
                }
                Value::Array(items) => items.iter_mut().for_each(|item| walk(item, speak)),
                _ => {}
            }
        }
        let Ok(mut value) = serde_json::to_value(&*message) else {
            return;
        };
        walk(&mut value, &|text| self.speak(text));
        if let Ok(spoken) = serde_json::from_value(value) {
            *message = spoken;
        }
    }
}

impl TableHost for VassalHost {
    fn table_attached(&mut self, capabilities: &ClientCapabilities, resumed: bool) -> Vec<Outgoing> {
        self.attached = capabilities.dialect == Dialect::Vassal;
        if !self.attached {
            return self.inner.table_attached(capabilities, resumed);
        }
        if !resumed {
            self.seen = None;
        }
        let steps: &[&str] = match self.reader.plays() {
            Plays::XWing => &SHIP_STEPS,
            Plays::StarWarsMiniatures => &FIGURE_STEPS,
        };
        let inner = ClientCapabilities {
            dialect: Dialect::Plain,
            steps: steps.iter().map(|step| (*step).to_owned()).collect(),
            // Buttons for dice of twenty sides are what modules have; X-Wing's roll pieces on a map of their own, with faces that
            // no button tells.
            dice: capabilities.dice && self.reader.plays() == Plays::StarWarsMiniatures,
            ..capabilities.clone()
        };
        let outgoing = self.inner.table_attached(&inner, resumed);
        self.translated(outgoing)
    }

    fn table_detached(&mut self) {
        self.inner.table_detached();
    }

    fn request(&mut self, role: Role, method: &str, params: Value) -> (Result<Value, Fault>, Vec<Outgoing>) {
        let is_raw = method == "table/sync" && params.pointer("/snapshot/kind").is_some_and(|kind| kind == "vassal");
        let (answer, outgoing) = if is_raw {
            match serde_path_to_error::deserialize(params) {
                Ok(SyncParams {
                    rev,
                    snapshot: Snapshot::Vassal(seen),
                }) => self.sync(role, rev, &seen),
                Ok(_) => self.inner.request(role, method, Value::Null),
                Err(error) => {
                    let message = format!("{method}: {}: {}", error.path(), error.inner());
                    (Err(Fault::new(FaultKind::InvalidParams, message)), Vec::new())
                }
            }
        } else {
            self.inner.request(role, method, params)
        };
        let answer = match answer {
            Ok(mut answer) if self.attached => {
                self.speak_in(&mut answer);
                Ok(answer)
            }
            Err(fault) if self.attached => Err(Fault {
                message: self.speak(&fault.message),
                ..fault
            }),
            other => other,
        };
        (answer, self.translated(outgoing))
    }

    fn apply_answered(&mut self, action_id: &str, result: Result<ApplyResult, String>) -> Vec<Outgoing> {
        let result = match (result, &mut self.seen) {
            (Ok(result), Some(table)) if self.attached => {
                let asked = self.asked.take().filter(|asked| asked.action_id == action_id);
                if let Some(asked) = asked.filter(|_| result.outcome != Outcome::Rejected) {
                    table.carried_out(&asked.step);
                }
                Ok(ApplyResult {
                    observed: result.observed.map(|observed| table.observed(observed)),
                    ..result
                })
            }
            (result, _) => result,
        };
        let outgoing = self.inner.apply_answered(action_id, result);
        self.translated(outgoing)
    }

    fn prompt_answered(&mut self, prompt_id: &str, choice: Option<String>) -> Vec<Outgoing> {
        let outgoing = self.inner.prompt_answered(prompt_id, choice);
        self.translated(outgoing)
    }

    fn roll_answered(&mut self, roll_id: &str, result: Option<RollResult>) -> Vec<Outgoing> {
        let outgoing = self.inner.roll_answered(roll_id, result);
        self.translated(outgoing)
    }
}
