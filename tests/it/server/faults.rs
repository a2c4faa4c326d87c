//! Exactly once, whatever happens on the way. A simulated table talks to the real hub through a line that drops, doubles and
//! delays messages and breaks; the server is killed and started again on its journal, the table reloads. Time is virtual, so
//! that minutes of waiting cost nothing, and every schedule is drawn from a seed.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};
use tallyho::protocol::http::{PollReply, PollRequest};
use tallyho::server::hub::{Hub, Inlet, PollOutcome, Trust};
use tallyho::server::limits::Limits;
use tallyho::server::outbox::{Outbound, Outlet};
use tallyho::server::tokens::Tokens;
use tokio::sync::mpsc;
use tokio::task::{JoinHandle, spawn_local};
use tokio::time::{sleep, timeout};

use super::client::{initialize, request};
use super::scripted_host::{ScriptedHost, Shared as Journal};

/// Activations that the player asks for in each schedule, and steps in each of them.
const PRESSES: u32 = 3;
const STEPS: usize = 4;
/// Longest delay on the line.
const DELAY: u64 = 400;
/// How many of the last actions a table remembers, as the Lua controller does.
const REMEMBERED: usize = 32;

#[derive(Clone)]
struct Dice(Arc<Mutex<ChaCha8Rng>>);

impl Dice {
    fn percent(&self, chance: f64) -> bool {
        self.0.lock().unwrap().random_bool(chance / 100.0)
    }

    fn delay(&self) -> Duration {
        Duration::from_millis(self.0.lock().unwrap().random_range(0..DELAY))
    }
}

/// What may happen to one message.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Arrive,
    Drop,
    Double,
    Delay,
    Break,
    KillServer,
    Reload,
}

impl Dice {
    fn fate(&self) -> Fate {
        match self.0.lock().unwrap().random_range(0..1000) {
            0..60 => Fate::Drop,
            60..120 => Fate::Double,
            120..220 => Fate::Delay,
            220..260 => Fate::Break,
            260..280 => Fate::KillServer,
            280..295 => Fate::Reload,
            _ => Fate::Arrive,
        }
    }
}

/// The server: the hub, and what is left when it is killed.
struct Server {
    hub: Hub,
    task: JoinHandle<()>,
    tokens: Tokens,
    journal: Journal,
    kills: u32,
}

impl Server {
    fn start(tokens: Tokens, journal: Journal, kills: u32) -> Server {
        journal.lock().unwrap().attached = false;
        let host = Box::new(ScriptedHost {
            journal: journal.clone(),
            steps: STEPS,
        });
        let (hub, task) = Hub::start(host, tokens.clone(), Limits::default());
        Server {
            hub,
            task,
            tokens,
            journal,
            kills,
        }
    }

    fn kill(&mut self) {
        self.task.abort();
        *self = Server::start(self.tokens.clone(), self.journal.clone(), self.kills + 1);
    }
}

/// What a table keeps in its save, and the truth about what happened on it.
#[derive(Default)]
struct Table {
    carried_out: Vec<String>,
    remembered: VecDeque<String>,
    pressed: u32,
    next_id: i64,
    session: Value,
    last_seq: u64,
    waiting_for: Option<i64>,
}

impl Table {
    /// The save holds what was carried out; the session does not survive.
    fn reload(&mut self) {
        self.session = Value::Null;
        self.last_seq = 0;
        self.waiting_for = None;
    }

    fn initialize(&mut self, tokens: &Tokens) -> Value {
        let mut message = initialize(tokens.table.expose(), "table");
        if self.session.is_string() {
            message["params"]["resume"] = json!({"session": self.session, "lastSeq": self.last_seq});
        }
        message["id"] = json!(self.id());
        self.waiting_for = message["id"].as_i64();
        message
    }

    fn id(&mut self) -> i64 {
        self.next_id += 1;
        self.next_id
    }

    /// The button: the same operation until it was taken, then the next one.
    fn press(&mut self) -> Option<Value> {
        (self.pressed < PRESSES).then(|| {
            let operation = format!("press {}", self.pressed);
            let id = self.id();
            self.waiting_for = Some(id);
            request(id, "solo/advance", json!({"opId": operation}))
        })
    }

    /// Takes one message of the server; what it answers, if anything.
    fn take(&mut self, message: &Value) -> Option<Value> {
        if message["method"] == "table/apply" {
            let action = message["params"]["actionId"].as_str().unwrap().to_owned();
            let outcome = if self.remembered.contains(&action) {
                "duplicate"
            } else {
                self.carried_out.push(action.clone());
                self.remembered.push_back(action);
                if self.remembered.len() > REMEMBERED {
                    self.remembered.pop_front();
                }
                "applied"
            };
            return Some(json!({"jsonrpc": "2.0", "id": message["id"], "result": {"outcome": outcome}}));
        }
        if message["method"] == "game/event" {
            let seq = message["params"]["seq"].as_u64().unwrap();
            if seq == self.last_seq + 1 {
                self.last_seq = seq;
            }
            return None;
        }
        let id = message["id"].as_i64();
        if message.get("method").is_none() && id.is_some() && id == self.waiting_for {
            if let Some(session) = message["result"].get("session") {
                if message["result"]["resumed"] == false {
                    self.last_seq = 0;
                }
                self.session = session.clone();
                self.waiting_for = None;
            } else if message["result"]["ships"].is_array() {
                self.pressed += 1;
                self.waiting_for = None;
            } else if message["error"].is_object() {
                self.waiting_for = None;
            }
        }
        None
    }
}

fn over(server: &Server, table: &Table) -> bool {
    table.pressed == PRESSES && server.journal.lock().unwrap().waiting.is_empty()
}

/// One connection, until it breaks or everything is done. True if the table reloads.
async fn stream(server: &mut Server, table: &mut Table, dice: &Dice) -> bool {
    let connected = server.hub.connect(Trust::Stranger, 256, None).await;
    let Ok((inlet, outlet)) = connected else { return false };
    let (arrive, mut arrivals) = mpsc::unbounded_channel();
    let receiver = spawn_local(receive(outlet, arrive, dice.clone()));
    let mut reload = false;
    let mut say = table.initialize(&server.tokens);
    let mut open = false;
    'line: loop {
        match dice.fate() {
            Fate::Arrive => send(&inlet, say.clone()).await,
            Fate::Drop => {}
            Fate::Double => {
                send(&inlet, say.clone()).await;
                later(&inlet, say.clone(), dice.delay());
            }
            Fate::Delay => later(&inlet, say.clone(), dice.delay()),
            Fate::Break => break,
            Fate::KillServer => {
                server.kill();
                break;
            }
            Fate::Reload => {
                reload = true;
                break;
            }
        }
        loop {
            if over(server, table) {
                break 'line;
            }
            // A table that hears nothing presses again, and after a while connects anew.
            let patience = Duration::from_secs(if open { 45 } else { 3 });
            match timeout(patience, arrivals.recv()).await {
                Ok(Some(message)) => {
                    let answer = table.take(&message);
                    if !open && table.session.is_string() && table.waiting_for.is_none() {
                        open = true;
                    }
                    if let Some(answer) = answer {
                        say = answer;
                        continue 'line;
                    }
                    let idle = server.journal.lock().unwrap().waiting.is_empty();
                    if open
                        && table.waiting_for.is_none()
                        && idle
                        && let Some(press) = table.press()
                    {
                        say = press;
                        continue 'line;
                    }
                }
                Ok(None) | Err(_) if !open => break 'line,
                Ok(None) => break 'line,
                Err(_) => match table.press() {
                    Some(press) => {
                        say = press;
                        continue 'line;
                    }
                    None => break 'line,
                },
            }
        }
    }
    receiver.abort();
    inlet.close().await;
    reload
}

async fn send(inlet: &Inlet, message: Value) {
    // A server that was killed does not hear it.
    let _ = inlet.message(&message.to_string()).await;
}

fn later(inlet: &Inlet, message: Value, delay: Duration) {
    let inlet = inlet.clone();
    spawn_local(async move {
        sleep(delay).await;
        send(&inlet, message).await;
    });
}

/// Brings what the server sends to the table, badly.
async fn receive(mut outlet: Outlet, arrive: mpsc::UnboundedSender<Value>, dice: Dice) {
    while let Some(Outbound::Text(text)) = outlet.next().await {
        let message: Value = serde_json::from_str(&text).unwrap();
        let later = |message, delay| {
            let arrive = arrive.clone();
            spawn_local(async move {
                sleep(delay).await;
                let _ = arrive.send(message);
            });
        };
        match dice.fate() {
            Fate::Drop => {}
            Fate::Double => {
                let _ = arrive.send(message.clone());
                later(message, dice.delay());
            }
            Fate::Delay => later(message, dice.delay()),
            Fate::Break => return,
            Fate::Arrive | Fate::KillServer | Fate::Reload => {
                let _ = arrive.send(message);
            }
        }
    }
}

/// Polls until something makes the table begin anew. True if it reloads.
async fn polls(server: &mut Server, table: &mut Table, dice: &Dice) -> bool {
    let mut session = String::new();
    let mut ack = 0;
    let mut messages = vec![table.initialize(&server.tokens)];
    loop {
        if over(server, table) {
            return false;
        }
        let request = PollRequest {
            session: session.clone(),
            ack,
            messages: messages.clone(),
            hold_ms: None,
        };
        let mut reply = None;
        match dice.fate() {
            Fate::Drop => {}
            Fate::KillServer => server.kill(),
            Fate::Reload => return true,
            // The request arrives, the reply does not.
            Fate::Break => drop(poll(&server.hub, request).await),
            Fate::Double => {
                let (first, second) = tokio::join!(poll(&server.hub, request.clone()), poll(&server.hub, request));
                reply = if dice.percent(50.0) { first } else { second };
            }
            Fate::Delay => {
                sleep(dice.delay()).await;
                reply = poll(&server.hub, request).await;
            }
            Fate::Arrive => reply = poll(&server.hub, request).await,
        }
        // A reply that never comes is given up, and the same messages are sent again.
        let Some(reply) = reply else {
            sleep(Duration::from_secs(10)).await;
            continue;
        };
        if reply.session.is_empty() {
            return false;
        }
        session = reply.session;
        messages.clear();
        for (number, message) in (reply.first..).zip(reply.messages) {
            if number > ack {
                ack = number;
                messages.extend(table.take(&message));
            }
        }
        let idle = server.journal.lock().unwrap().waiting.is_empty();
        if idle && table.waiting_for.is_none() {
            messages.extend(table.press());
        }
    }
}

/// One poll, given up when the hold is over, as the HTTP layer does.
async fn poll(hub: &Hub, request: PollRequest) -> Option<PollReply> {
    let nothing = PollReply {
        session: request.session.clone(),
        first: request.ack + 1,
        messages: vec![],
    };
    match timeout(Duration::from_secs(5), hub.poll(request, None)).await {
        Ok(Ok(PollOutcome::Reply(reply))) => Some(reply),
        Ok(_) => None,
        Err(_) => Some(nothing),
    }
}

/// What a schedule did, to show that the faults really happened.
#[derive(Default)]
struct Tally {
    connections: u32,
    kills: u32,
    reloads: u32,
}

fn run(seed: u64, by_polls: bool) -> Tally {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    let schedule = async {
        let dice = Dice(Arc::new(Mutex::new(ChaCha8Rng::seed_from_u64(seed))));
        let mut server = Server::start(Tokens::random().unwrap(), Journal::default(), 0);
        let mut table = Table::default();
        let mut tally = Tally::default();
        let whole = async {
            while !over(&server, &table) {
                tally.connections += 1;
                let reload = match by_polls {
                    true => polls(&mut server, &mut table, &dice).await,
                    false => stream(&mut server, &mut table, &dice).await,
                };
                if reload {
                    tally.reloads += 1;
                    table.reload();
                }
                sleep(dice.delay()).await;
            }
        };
        let ended = timeout(Duration::from_secs(24 * 3600), whole).await;
        assert!(ended.is_ok(), "seed {seed}: the game hangs");
        let journal = server.journal.lock().unwrap();
        assert_eq!(journal.advances, PRESSES, "seed {seed}: each press counts once");
        assert_eq!(journal.planned.len(), PRESSES as usize * STEPS);
        assert_eq!(
            table.carried_out, journal.planned,
            "seed {seed}: every step once and in order"
        );
        assert!(journal.bad_answers.is_empty(), "seed {seed}: {:?}", journal.bad_answers);
        tally.kills = server.kills;
        tally
    };
    tokio::task::LocalSet::new().block_on(&runtime, schedule)
}

fn many(by_polls: bool) {
    let mut total = Tally::default();
    for seed in 0..400 {
        let tally = run(seed, by_polls);
        total.connections += tally.connections;
        total.kills += tally.kills;
        total.reloads += tally.reloads;
    }
    assert!(
        total.connections > 500 && total.kills > 50 && total.reloads > 50,
        "the line was too good"
    );
}

#[test]
fn every_step_once_and_in_order_over_streams() {
    many(false);
}

#[test]
fn every_step_once_and_in_order_over_polls() {
    many(true);
}
