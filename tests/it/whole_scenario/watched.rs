//! The game behind a server, looked at by a test.

use std::{
    path::Path,
    sync::{Arc, Mutex},
};

use serde_json::{Value, json};
use tallyho::{
    bridge::host::{Host, HostConfig, Outgoing, scenario::ServedScenario},
    protocol::{
        apply::ApplyResult,
        event::GameEvent,
        fault::Fault,
        lifecycle::{ClientCapabilities, Role},
        snapshot::{Snapshot, SyncParams, TtsSnapshot},
        solo::RollResult,
        status::StatusResult,
    },
    server::host::TableHost,
};

/// The game behind the server, and what passed.
#[derive(Clone)]
pub struct Watched(Arc<Mutex<Seen>>);

pub struct Seen {
    host: Host,
    pub raw: TtsSnapshot,
    pub events: Vec<GameEvent>,
}

impl Watched {
    /// A game of a scenario, or one that goes on from its journal.
    pub fn begin(seed: u64, journal: &Path, scenario: Option<ServedScenario>) -> Self {
        let host = Host::new(HostConfig {
            seed,
            game: Some("scenario".into()),
            journal: Some(journal.to_owned()),
            prompt_deadline_ms: 30_000,
            scenario,
            ..HostConfig::default()
        });
        Self(Arc::new(Mutex::new(Seen {
            host,
            raw: TtsSnapshot::default(),
            events: Vec::new(),
        })))
    }

    pub fn with<R>(&self, act: impl FnOnce(&mut Seen) -> R) -> R {
        act(&mut self.0.lock().unwrap())
    }

    pub fn status(&self) -> StatusResult {
        let (answer, _) = self.with(|seen| seen.host.request(Role::Viewer, "game/status", json!({})));
        serde_json::from_value(answer.unwrap()).unwrap()
    }

    fn pass(seen: &mut Seen, outgoing: Vec<Outgoing>) -> Vec<Outgoing> {
        for message in &outgoing {
            if let Outgoing::Event(event) = message {
                seen.events.push(event.clone());
            }
        }
        outgoing
    }
}

impl TableHost for Watched {
    fn table_attached(&mut self, capabilities: &ClientCapabilities, resumed: bool) -> Vec<Outgoing> {
        self.with(|seen| {
            let outgoing = seen.host.table_attached(capabilities, resumed);
            Self::pass(seen, outgoing)
        })
    }

    fn table_detached(&mut self) {
        self.with(|seen| seen.host.table_detached());
    }

    fn request(&mut self, role: Role, method: &str, params: Value) -> (Result<Value, Fault>, Vec<Outgoing>) {
        self.with(|seen| {
            if method == "table/sync"
                && let Ok(sync) = serde_json::from_value::<SyncParams>(params.clone())
                && let Snapshot::Tts(raw) = sync.snapshot
            {
                seen.raw = raw;
            }
            let (answer, outgoing) = seen.host.request(role, method, params);
            (answer, Self::pass(seen, outgoing))
        })
    }

    fn apply_answered(&mut self, action_id: &str, result: Result<ApplyResult, String>) -> Vec<Outgoing> {
        self.with(|seen| {
            let outgoing = seen.host.apply_answered(action_id, result);
            Self::pass(seen, outgoing)
        })
    }

    fn prompt_answered(&mut self, prompt_id: &str, choice: Option<String>) -> Vec<Outgoing> {
        self.with(|seen| {
            let outgoing = seen.host.prompt_answered(prompt_id, choice);
            Self::pass(seen, outgoing)
        })
    }

    fn roll_answered(&mut self, roll_id: &str, result: Option<RollResult>) -> Vec<Outgoing> {
        self.with(|seen| {
            let outgoing = seen.host.roll_answered(roll_id, result);
            Self::pass(seen, outgoing)
        })
    }
}
