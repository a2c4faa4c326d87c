//! A table of the plain dialect that carries steps out and remembers them, and a session that joins it to a host.

use std::collections::{BTreeMap, VecDeque};

use serde_json::{Value, json};
use tallyho::{
    bridge::host::{Host, HostConfig, Outgoing},
    game::step::StepKind,
    protocol::{
        apply::{ApplyParams, ApplyResult, Outcome, Placement, WireStep},
        event::GameEvent,
        fault::Fault,
        lifecycle::{ClientCapabilities, Role},
        solo::PromptParams,
    },
};

/// A ship as it lies on the table.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    pub side: &'static str,
    pub ship: &'static str,
    pub initiative: u8,
    pub at: Placement,
    pub tokens: BTreeMap<String, u32>,
    pub locks: Vec<String>,
    /// It was taken off the table.
    pub off: bool,
    /// Its pilot.
    pub pilot: Option<&'static str>,
    /// Its upgrades.
    pub upgrades: Vec<&'static str>,
    /// Its device, as positions write it.
    pub device: Option<Value>,
}

/// What a table may do wrong with a step.
pub type Fault1 = Box<dyn FnMut(&mut Models, &ApplyParams) -> Option<ApplyResult>>;

pub type Models = BTreeMap<String, Model>;

/// A table.
pub struct PlainTable {
    pub models: Models,
    pub obstacles: Vec<Value>,
    /// Outcomes by action id.
    pub memory: BTreeMap<String, ApplyResult>,
    /// What was carried out, in order.
    pub carried_out: Vec<(String, WireStep)>,
    pub rev: u64,
    /// List objects the other way round.
    pub reversed: bool,
    /// What is off the table lies in reserve beside it, to be put down.
    pub reserve: bool,
    /// The edition of its ships, where it says so.
    pub edition: Option<&'static str>,
    /// Options of that edition, where there are any.
    pub rules: Option<Value>,
    /// Asked before a step is carried out.
    pub fault: Option<Fault1>,
}

fn at(x: f64, y: f64, facing: f64) -> Placement {
    Placement { x, y, facing }
}

fn model(side: &'static str, ship: &'static str, initiative: u8, at: Placement) -> Model {
    Model {
        side,
        ship,
        initiative,
        at,
        tokens: BTreeMap::new(),
        locks: Vec::new(),
        off: false,
        device: None,
        pilot: None,
        upgrades: Vec::new(),
    }
}

pub fn same_place(a: Placement, b: Placement) -> bool {
    let turn = (a.facing - b.facing).rem_euclid(360.0);
    (a.x - b.x).abs() <= 1.0 && (a.y - b.y).abs() <= 1.0 && turn.min(360.0 - turn) <= 1.0
}

impl PlainTable {
    /// Three TIE fighters of two initiatives against two X-wings.
    pub fn skirmish() -> Self {
        let models = [
            ("solo1", model("solo", "tielnfighter", 1, at(300.0, 800.0, 180.0))),
            ("solo2", model("solo", "tielnfighter", 3, at(450.0, 800.0, 180.0))),
            ("solo3", model("solo", "tieininterceptor", 3, at(600.0, 800.0, 180.0))),
            ("xwing1", model("player", "t65xwing", 2, at(350.0, 120.0, 0.0))),
            ("xwing2", model("player", "t65xwing", 4, at(550.0, 120.0, 0.0))),
        ];
        let rock = |id: &str, x: f64, y: f64| {
            json!({"id": id, "kind": "asteroid",
                "points": [[x - 20.0, y - 15.0], [x + 20.0, y - 15.0], [x + 15.0, y + 20.0], [x - 15.0, y + 20.0]]})
        };
        Self {
            models: models.into_iter().map(|(id, model)| (id.to_owned(), model)).collect(),
            obstacles: vec![rock("rock1", 250.0, 450.0), rock("rock2", 680.0, 420.0)],
            memory: BTreeMap::new(),
            carried_out: Vec::new(),
            rev: 1,
            reversed: false,
            reserve: false,
            edition: None,
            rules: None,
            fault: None,
        }
    }

    pub fn snapshot(&self) -> Value {
        let mut ships: Vec<Value> = self
            .models
            .iter()
            .map(|(id, model)| {
                let mut tokens: serde_json::Map<String, Value> = model
                    .tokens
                    .iter()
                    .map(|(name, count)| (name.clone(), json!(count)))
                    .collect();
                tokens.insert("lock".to_owned(), json!(model.locks));
                let mut ship = json!({"id": id, "side": model.side, "ship": model.ship, "x": model.at.x, "y": model.at.y,
                    "heading": model.at.facing, "initiative": model.initiative, "tokens": tokens,
                    "status": match (model.off, self.reserve) {
                        (false, _) => "in_play",
                        (true, false) => "removed",
                        (true, true) => "reserved",
                    }});
                if let Some(pilot) = model.pilot {
                    ship["pilot"] = json!(pilot);
                }
                if !model.upgrades.is_empty() {
                    ship["upgrades"] = json!(model.upgrades);
                }
                if let Some(device) = &model.device {
                    ship["device"] = device.clone();
                }
                ship
            })
            .collect();
        let mut obstacles = self.obstacles.clone();
        if self.reversed {
            ships.reverse();
            obstacles.reverse();
        }
        let mut position = json!({"ships": ships, "obstacles": obstacles});
        if let Some(edition) = self.edition {
            position["edition"] = json!(edition);
        }
        if let Some(rules) = &self.rules {
            position["rules"] = rules.clone();
        }
        json!({"rev": self.rev, "snapshot": {"kind": "plain", "position": position}})
    }

    /// Carries a step out, once.
    pub fn apply(&mut self, params: &ApplyParams) -> ApplyResult {
        if let Some(first) = self.memory.get(&params.action_id) {
            return ApplyResult {
                outcome: if first.outcome == Outcome::Rejected {
                    Outcome::Rejected
                } else {
                    Outcome::Duplicate
                },
                ..first.clone()
            };
        }
        let faulty = self.fault.as_mut().and_then(|fault| fault(&mut self.models, params));
        let result = faulty.unwrap_or_else(|| {
            let result = carry_out(&mut self.models, &params.step);
            if result.outcome != Outcome::Rejected {
                self.carried_out.push((params.action_id.clone(), params.step.clone()));
            }
            result
        });
        self.rev += 1;
        let result = ApplyResult {
            rev: self.rev,
            ..result
        };
        self.memory.insert(params.action_id.clone(), result.clone());
        result
    }
}

pub fn answer(outcome: Outcome, observed: Option<Placement>, reason: &str) -> ApplyResult {
    ApplyResult {
        outcome,
        reason: reason.to_owned(),
        rev: 0,
        observed,
        bumped: false,
        touching: Vec::new(),
    }
}

fn carry_out(models: &mut Models, step: &WireStep) -> ApplyResult {
    match step {
        WireStep::Say { .. }
        | WireStep::Show { .. }
        | WireStep::Dial { .. }
        | WireStep::Turret { .. }
        | WireStep::Lay { .. } => answer(Outcome::Applied, None, ""),
        WireStep::Board { .. } | WireStep::Pieces { .. } => {
            answer(Outcome::Rejected, None, "this table has no squares")
        }
        WireStep::Remove { object, back } => {
            let Some(model) = models.get_mut(object) else {
                return answer(Outcome::Rejected, None, "no such ship");
            };
            model.off = back.is_none();
            model.at = back.unwrap_or(model.at);
            answer(Outcome::Applied, None, "")
        }
        WireStep::Move { object, from, to, .. } | WireStep::Place { object, from, to } => {
            let Some(model) = models.get_mut(object) else {
                return answer(Outcome::Rejected, None, "no such ship");
            };
            if !same_place(model.at, *from) {
                return answer(Outcome::Rejected, Some(model.at), "it stands elsewhere");
            }
            model.at = *to;
            // What lay in reserve is in play when it is put down there.
            model.off &= !(0.0..914.0).contains(&to.x);
            answer(Outcome::Applied, Some(*to), "")
        }
        WireStep::Token {
            object, token, count, ..
        } => {
            let Some(model) = models.get_mut(object) else {
                return answer(Outcome::Rejected, None, "no such ship");
            };
            let held = model.tokens.entry(token.clone()).or_default();
            *held = held.saturating_add_signed(*count);
            if *held == 0 {
                model.tokens.remove(token);
            }
            answer(Outcome::Applied, None, "")
        }
        WireStep::Lock { object, target, remove } => {
            let Some(model) = models.get_mut(object) else {
                return answer(Outcome::Rejected, None, "no such ship");
            };
            model.locks.retain(|lock| lock != target);
            if !remove {
                model.locks.push(target.clone());
            }
            answer(Outcome::Applied, None, "")
        }
    }
}

/// What players answer to a question.
pub type Chooser = Box<dyn FnMut(&PromptParams) -> Option<String>>;

/// A host and a table, and what passes between them.
pub struct Session {
    /// Answers in place of `consent`.
    pub chooser: Option<Chooser>,
    pub host: Host,
    pub table: PlainTable,
    pub waiting: VecDeque<Outgoing>,
    pub events: Vec<GameEvent>,
    pub prompts: Vec<PromptParams>,
    /// What the players answer to questions; `None`: nothing before the deadline.
    pub consent: Option<String>,
    /// Questions and rolls that were withdrawn.
    pub withdrawn: Vec<String>,
    presses: u32,
}

pub fn everything() -> ClientCapabilities {
    ClientCapabilities {
        steps: StepKind::ALL.iter().map(|kind| kind.word().to_owned()).collect(),
        prompt: true,
        ..ClientCapabilities::default()
    }
}

pub fn config(seed: u64) -> HostConfig {
    HostConfig {
        seed,
        game: Some(format!("game{seed}")),
        ..HostConfig::default()
    }
}

impl Session {
    pub fn new(seed: u64) -> Self {
        Self::with(config(seed), PlainTable::skirmish(), &everything())
    }

    pub fn with(config: HostConfig, table: PlainTable, capabilities: &ClientCapabilities) -> Self {
        let mut session = Self::new_unpumped(config, table, capabilities);
        session.sync();
        session.pump();
        session
    }

    /// Connected, and not looked at yet.
    pub fn new_unpumped(config: HostConfig, table: PlainTable, capabilities: &ClientCapabilities) -> Self {
        let mut session = Self {
            host: Host::new(config),
            table,
            waiting: VecDeque::new(),
            events: Vec::new(),
            prompts: Vec::new(),
            consent: None,
            chooser: None,
            withdrawn: Vec::new(),
            presses: 0,
        };
        let outgoing = session.host.table_attached(capabilities, false);
        session.waiting.extend(outgoing);
        session
    }

    pub fn request(&mut self, method: &str, params: Value) -> Result<Value, Fault> {
        let (answer, outgoing) = self.host.request(Role::Table, method, params);
        self.waiting.extend(outgoing);
        answer
    }

    pub fn sync(&mut self) -> Value {
        let snapshot = self.table.snapshot();
        self.request("table/sync", snapshot)
            .expect("the snapshot is understood")
    }

    /// Presses the button and does not wait.
    pub fn press(&mut self, scope: &str) -> Result<Value, Fault> {
        self.presses += 1;
        let op_id = format!("press{}", self.presses);
        self.request("solo/advance", json!({"opId": op_id, "scope": scope}))
    }

    /// Presses the button and lets everything happen that follows.
    pub fn play(&mut self, scope: &str) -> Value {
        let answer = self.press(scope).expect("nothing else goes on");
        self.pump();
        answer
    }

    /// Handles one message; false: there is none.
    pub fn step(&mut self) -> bool {
        let Some(outgoing) = self.waiting.pop_front() else {
            return false;
        };
        let more = match outgoing {
            Outgoing::Apply(params) => {
                let result = self.table.apply(&params);
                self.host.apply_answered(&params.action_id, Ok(result))
            }
            Outgoing::RequestSync => {
                self.sync();
                Vec::new()
            }
            Outgoing::Prompt(prompt) => {
                let choice = match &mut self.chooser {
                    Some(chooser) => chooser(&prompt),
                    None => self.consent.clone(),
                };
                let id = prompt.prompt_id.clone();
                self.prompts.push(prompt);
                self.host.prompt_answered(&id, choice)
            }
            Outgoing::Roll(params) => self.host.roll_answered(&params.roll_id, None),
            // The question is taken off the screen; what was answered before is no longer waited for.
            Outgoing::Withdraw(id) => {
                self.withdrawn.push(id);
                Vec::new()
            }
            Outgoing::Event(event) => {
                self.events.push(event);
                Vec::new()
            }
        };
        self.waiting.extend(more);
        true
    }

    /// Lets everything happen.
    pub fn pump(&mut self) {
        for _ in 0..10_000 {
            if !self.step() {
                return;
            }
        }
        panic!(
            "the game does not come to rest: {:?} {:?}",
            self.waiting,
            &self.events[self.events.len().saturating_sub(12)..]
        );
    }

    /// Goes on until the table is asked to do a step of this kind, which stays undone.
    pub fn pump_until(&mut self, kind: &str) {
        for _ in 0..10_000 {
            let next = self.waiting.front().unwrap_or_else(|| panic!("no {kind} step came"));
            if matches!(next, Outgoing::Apply(params) if kind_of(&params.step) == kind) {
                return;
            }
            self.step();
        }
        panic!("no {kind} step came");
    }

    pub fn status(&mut self) -> Value {
        self.request("game/status", Value::Null).unwrap()
    }

    pub fn activated(&self) -> Vec<String> {
        let ship = |event: &GameEvent| match event {
            GameEvent::Activated { ship, .. } => Some(ship.clone()),
            _ => None,
        };
        self.events.iter().filter_map(ship).collect()
    }

    /// Everything that was told to everybody.
    pub fn told(&self) -> String {
        format!("{:?}", self.events)
    }

    pub fn count_steps(&self, kind: &str) -> usize {
        self.table
            .carried_out
            .iter()
            .filter(|(_, step)| kind_of(step) == kind)
            .count()
    }
}

pub fn kind_of(step: &WireStep) -> &'static str {
    match step {
        WireStep::Say { .. } => "say",
        WireStep::Show { .. } => "show",
        WireStep::Dial { .. } => "dial",
        WireStep::Move { .. } => "move",
        WireStep::Place { .. } => "place",
        WireStep::Token { .. } => "token",
        WireStep::Lock { .. } => "lock",
        WireStep::Turret { .. } => "turret",
        WireStep::Remove { .. } => "remove",
        WireStep::Board { .. } => "board",
        WireStep::Pieces { .. } => "pieces",
        WireStep::Lay { .. } => "lay",
    }
}
