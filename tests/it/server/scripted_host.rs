//! A game with a script: each `solo/advance` is so many steps, asked for one after the other. What it has planned and what
//! was answered survives it, as a journal would.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tallyho::decision::Reason;
use tallyho::protocol::apply::{ApplyParams, ApplyResult, WireStep};
use tallyho::protocol::event::GameEvent;
use tallyho::protocol::fault::{Fault, FaultKind};
use tallyho::protocol::lifecycle::{ClientCapabilities, Role};
use tallyho::protocol::round::PromptTopic;
use tallyho::protocol::solo::{PromptParams, RollParams, RollResult};
use tallyho::server::host::{Outgoing, TableHost};

/// What outlives a host.
#[derive(Debug, Default)]
pub struct Journal {
    /// Action ids planned so far.
    pub planned: Vec<String>,
    /// Steps that still have to be asked for; the first one is outstanding.
    pub waiting: VecDeque<ApplyParams>,
    /// Whether a table is there.
    pub attached: bool,
    /// Whether each table so far was a resumed one.
    pub resumed: Vec<bool>,
    /// Answers to prompts and rolls.
    pub choices: Vec<Option<String>>,
    pub rolls: Vec<Option<RollResult>>,
    /// Answers that the table refused or garbled.
    pub bad_answers: Vec<String>,
    pub advances: u32,
    /// Operations that were carried out, with their results.
    pub operations: BTreeMap<String, Value>,
}

/// A handle on what outlives a host.
pub type Shared = Arc<Mutex<Journal>>;

/// The host.
pub struct ScriptedHost {
    pub journal: Shared,
    /// Steps for each `solo/advance`.
    pub steps: usize,
}

impl ScriptedHost {
    pub fn new(steps: usize) -> (Box<ScriptedHost>, Shared) {
        let journal = Shared::default();
        (
            Box::new(ScriptedHost {
                journal: journal.clone(),
                steps,
            }),
            journal,
        )
    }

    fn next(&self, journal: &Journal) -> Vec<Outgoing> {
        match journal.waiting.front() {
            Some(step) if journal.attached => vec![Outgoing::Apply(step.clone())],
            _ => vec![],
        }
    }
}

impl TableHost for ScriptedHost {
    fn table_attached(&mut self, _: &ClientCapabilities, resumed: bool) -> Vec<Outgoing> {
        let mut journal = self.journal.lock().unwrap();
        journal.attached = true;
        journal.resumed.push(resumed);
        self.next(&journal)
    }

    fn table_detached(&mut self) {
        self.journal.lock().unwrap().attached = false;
    }

    fn request(&mut self, _: Role, method: &str, params: Value) -> (Result<Value, Fault>, Vec<Outgoing>) {
        assert_ne!(params["ship"], "panic", "a mistake in the game");
        let mut journal = self.journal.lock().unwrap();
        let operation = params["opId"].as_str();
        match method {
            "table/sync" => (Ok(json!({"rev": params["rev"], "ships": 2, "obstacles": 0})), vec![]),
            "solo/advance" if operation.is_some_and(|operation| journal.operations.contains_key(operation)) => {
                let result = journal.operations[operation.unwrap_or_default()].clone();
                (Ok(result), self.next(&journal))
            }
            "solo/advance" if !journal.waiting.is_empty() => {
                (Err(Fault::new(FaultKind::Busy, "a plan is being carried out")), vec![])
            }
            "solo/advance" => {
                journal.advances += 1;
                let sentence = format!("advance {}", journal.advances);
                for i in 0..self.steps {
                    let action_id = format!("{}-{i}", journal.advances);
                    journal.planned.push(action_id.clone());
                    let text = format!("step {i}");
                    let step = WireStep::Say {
                        object: String::new(),
                        text,
                    };
                    journal.waiting.push_back(ApplyParams {
                        action_id,
                        rev: 1,
                        step,
                    });
                }
                let reasons = vec![Reason {
                    rule: "SA-3.1".into(),
                    text: "nearest".into(),
                    compared: vec![],
                }];
                let event = GameEvent::Decided {
                    ship: "a".into(),
                    sentence: sentence.clone(),
                    reasons,
                };
                let mut outgoing = vec![Outgoing::Event(event)];
                if params["confirm"] == true {
                    outgoing.push(Outgoing::Prompt(PromptParams {
                        prompt_id: "p1".into(),
                        text: "Carry it out?".into(),
                        options: vec!["yes".into(), "no".into()],
                        default: "no".into(),
                        deadline_ms: 400,
                        topic: PromptTopic::Consent,
                        ship: String::new(),
                        input: None,
                    }));
                } else {
                    outgoing.extend(self.next(&journal));
                }
                let result = json!({"ships": ["a"], "message": sentence});
                if let Some(operation) = operation {
                    journal.operations.insert(operation.to_owned(), result.clone());
                }
                (Ok(result), outgoing)
            }
            "solo/preview" => {
                let reasons = json!([{"rule": "SA-3.1", "text": "nearest"}]);
                (
                    Ok(json!({"ship": "a", "sentence": "It would turn.", "reasons": reasons})),
                    vec![],
                )
            }
            "solo/override" => {
                let roll = RollParams {
                    roll_id: "r1".into(),
                    attack: 3,
                    defence: 0,
                    d20: 0,
                    reason: "attack".into(),
                    ship: String::new(),
                };
                (Ok(json!({"message": "rolling"})), vec![Outgoing::Roll(roll)])
            }
            "solo/assign" => {
                let count = params["ship"].as_str().and_then(|ship| ship.parse().ok()).unwrap_or(1);
                let text = "x".repeat(params["length"].as_u64().unwrap_or(500) as usize);
                let note = |i| {
                    Outgoing::Event(GameEvent::Note {
                        message: format!("note {i} {text}"),
                    })
                };
                (Ok(json!({"message": "noted"})), (0..count).map(note).collect())
            }
            "solo/undo" => (
                Err(Fault::new(FaultKind::NothingToDo, "nothing to take back")),
                vec![Outgoing::RequestSync],
            ),
            "game/status" => (Ok(json!({"table": journal.attached, "text": "scripted"})), vec![]),
            other => (Err(Fault::new(FaultKind::MethodNotFound, other)), vec![]),
        }
    }

    fn apply_answered(&mut self, action_id: &str, result: Result<ApplyResult, String>) -> Vec<Outgoing> {
        let mut journal = self.journal.lock().unwrap();
        if let Err(error) = result {
            journal.bad_answers.push(error);
        }
        if journal.waiting.front().is_some_and(|step| step.action_id == action_id) {
            journal.waiting.pop_front();
            if journal.waiting.is_empty() {
                return vec![Outgoing::Event(GameEvent::Activated {
                    ship: "a".into(),
                    message: "done".into(),
                })];
            }
        }
        self.next(&journal)
    }

    fn prompt_answered(&mut self, _: &str, choice: Option<String>) -> Vec<Outgoing> {
        let mut journal = self.journal.lock().unwrap();
        if choice.as_deref() != Some("yes") {
            journal.waiting.clear();
        }
        journal.choices.push(choice);
        self.next(&journal)
    }

    fn roll_answered(&mut self, _: &str, result: Option<RollResult>) -> Vec<Outgoing> {
        self.journal.lock().unwrap().rolls.push(result);
        vec![]
    }
}
