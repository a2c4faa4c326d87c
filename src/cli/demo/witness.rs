//! Stands between the server and the game and tells what passes, for the log.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, PoisonError, mpsc::Sender},
};

use serde_json::Value;

use crate::{
    bridge::host::{Host, Outgoing},
    protocol::{
        apply::{ApplyParams, ApplyResult, WireStep},
        event::GameEvent,
        fault::Fault,
        lifecycle::{ClientCapabilities, Role},
        snapshot::{Snapshot, SyncParams, TtsSnapshot},
        solo::RollResult,
    },
    server::host::TableHost,
};

/// Something that passed.
#[derive(Debug)]
pub(super) enum Told {
    /// The table was sent.
    Synced(Box<TtsSnapshot>),
    /// A ship was assigned.
    Assigned,
    /// The game said something.
    Event(GameEvent),
    /// A step was answered.
    Applied(WireStep, ApplyResult),
}

/// What a look at the table is called among what is owed.
const SYNC: &str = "sync";

/// What the game waits for from the table: answers, by their ids, and looks.
#[derive(Debug, Clone, Default)]
pub(super) struct Owed(Arc<Mutex<BTreeSet<String>>>);

impl Owed {
    /// Whether nothing is waited for.
    pub(super) fn is_nothing(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    fn owe(&self, id: &str) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(id.to_owned());
    }

    fn settle(&self, id: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
    }
}

/// The game, watched.
pub(super) struct Witness {
    host: Host,
    told: Sender<Told>,
    owed: Owed,
    outstanding: Option<ApplyParams>,
}

impl Witness {
    pub(super) fn new(host: Host, told: Sender<Told>, owed: Owed) -> Self {
        Self {
            host,
            told,
            owed,
            outstanding: None,
        }
    }

    fn tell(&self, told: Told) {
        // Nobody listens any more once the demo is over.
        let _ = self.told.send(told);
    }

    fn pass(&mut self, outgoing: Vec<Outgoing>) -> Vec<Outgoing> {
        for message in &outgoing {
            match message {
                Outgoing::Event(event) => self.tell(Told::Event(event.clone())),
                Outgoing::Apply(apply) => {
                    self.owed.owe(&apply.action_id);
                    self.outstanding = Some(apply.clone());
                }
                Outgoing::Prompt(prompt) => self.owed.owe(&prompt.prompt_id),
                Outgoing::Roll(roll) => self.owed.owe(&roll.roll_id),
                Outgoing::Withdraw(id) => self.owed.settle(id),
                Outgoing::RequestSync => self.owed.owe(SYNC),
            }
        }
        outgoing
    }
}

impl TableHost for Witness {
    fn table_attached(&mut self, capabilities: &ClientCapabilities, resumed: bool) -> Vec<Outgoing> {
        let outgoing = self.host.table_attached(capabilities, resumed);
        self.pass(outgoing)
    }

    fn table_detached(&mut self) {
        self.host.table_detached();
    }

    fn request(&mut self, role: Role, method: &str, params: Value) -> (Result<Value, Fault>, Vec<Outgoing>) {
        let snapshot = (method == "table/sync")
            .then(|| serde_json::from_value::<SyncParams>(params.clone()).ok())
            .flatten();
        let (answer, outgoing) = self.host.request(role, method, params);
        if answer.is_ok() {
            match method {
                "solo/assign" => self.tell(Told::Assigned),
                "table/sync" => self.owed.settle(SYNC),
                _ => {}
            }
        }
        if let Some(SyncParams {
            snapshot: Snapshot::Tts(raw),
            ..
        }) = snapshot
        {
            self.tell(Told::Synced(Box::new(raw)));
        }
        (answer, self.pass(outgoing))
    }

    fn apply_answered(&mut self, action_id: &str, result: Result<ApplyResult, String>) -> Vec<Outgoing> {
        if let (Some(sent), Ok(result)) = (&self.outstanding, &result)
            && sent.action_id == action_id
        {
            self.tell(Told::Applied(sent.step.clone(), result.clone()));
        }
        self.owed.settle(action_id);
        let outgoing = self.host.apply_answered(action_id, result);
        self.pass(outgoing)
    }

    fn prompt_answered(&mut self, prompt_id: &str, choice: Option<String>) -> Vec<Outgoing> {
        self.owed.settle(prompt_id);
        let outgoing = self.host.prompt_answered(prompt_id, choice);
        self.pass(outgoing)
    }

    fn roll_answered(&mut self, roll_id: &str, result: Option<RollResult>) -> Vec<Outgoing> {
        self.owed.settle(roll_id);
        let outgoing = self.host.roll_answered(roll_id, result);
        self.pass(outgoing)
    }
}
