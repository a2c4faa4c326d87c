//! Exactly once, whatever happens on the way. A simulated table talks to the real hub through a line that drops, doubles and
//! delays messages and breaks; the server is killed and started again on its journal, the table reloads. Time is virtual, so
//! that minutes of waiting cost nothing, and every schedule is drawn from a seed.

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};
use tallyho::bridge::host::{Host, HostConfig};
use tallyho::protocol::http::{PollReply, PollRequest};
use tallyho::server::host::TableHost;
use tallyho::server::hub::{Hub, Inlet, PollOutcome, Trust};
use tallyho::server::limits::Limits;
use tallyho::server::outbox::{Outbound, Outlet};
use tallyho::server::tokens::Tokens;
use tempfile::TempDir;
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

/// The game behind the server, and what is left of it when the server is killed.
enum Game {
    /// A script, which lets the test see what was planned.
    Scripted(Journal),
    /// The real one with its journal.
    Real(TempDir),
}

impl Game {
    fn host(&self) -> Box<dyn TableHost> {
        match self {
            Game::Scripted(journal) => {
                journal.lock().unwrap().attached = false;
                Box::new(ScriptedHost {
                    journal: journal.clone(),
                    steps: STEPS,
                })
            }
            Game::Real(folder) => {
                let journal = Some(folder.path().join("game.jsonl"));
                Box::new(Host::new(HostConfig {
                    seed: 7,
                    journal,
                    ..HostConfig::default()
                }))
            }
        }
    }
}

/// The server.
struct Server {
    hub: Hub,
    task: JoinHandle<()>,
    tokens: Tokens,
    game: Game,
    kills: u32,
}

impl Server {
    fn start(game: Game) -> Server {
        let tokens = Tokens::random().unwrap();
        let (hub, task) = Hub::start(game.host(), tokens.clone(), Limits::default());
        Server {
            hub,
            task,
            tokens,
            game,
            kills: 0,
        }
    }

    async fn kill(&mut self) {
        self.task.abort();
        let _ = (&mut self.task).await;
        (self.hub, self.task) = Hub::start(self.game.host(), self.tokens.clone(), Limits::default());
        self.kills += 1;
    }
}

/// What a table keeps in its save, and the truth about what happened on it.
struct Table {
    carried_out: Vec<String>,
    remembered: VecDeque<String>,
    /// Ships that lie there: id, x, y, heading, and how often each was moved.
    ships: Vec<(String, [f64; 3], u32)>,
    pressed: u32,
    next_id: i64,
    rev: u64,
    session: Value,
    last_seq: u64,
    waiting_for: Option<i64>,
    /// The player may press: nothing is known to be going on.
    idle: bool,
    /// The server said that nothing is left to do.
    settled: bool,
}

impl Table {
    fn new() -> Table {
        let solo = (0..PRESSES).map(|i| (format!("T{i}"), [250.0 + 200.0 * f64::from(i), 700.0, 180.0], 0));
        let player = ("X1".to_owned(), [450.0, 200.0, 0.0], 0);
        Table {
            carried_out: Vec::new(),
            remembered: VecDeque::new(),
            ships: solo.chain([player]).collect(),
            pressed: 0,
            next_id: 0,
            rev: 0,
            session: Value::Null,
            last_seq: 0,
            waiting_for: None,
            idle: false,
            settled: false,
        }
    }

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
        message["params"]["capabilities"] = json!({"steps": ["dial", "move", "place", "token", "lock"]});
        message["id"] = json!(self.id());
        self.waiting_for = message["id"].as_i64();
        message
    }

    fn id(&mut self) -> i64 {
        self.next_id += 1;
        self.next_id
    }

    /// The button: the same operation until it was taken, then the next one; at last the question whether all is done.
    fn press(&mut self) -> Value {
        let id = self.id();
        self.waiting_for = Some(id);
        self.idle = false;
        match self.pressed < PRESSES {
            true => request(id, "solo/advance", json!({"opId": format!("press {}", self.pressed)})),
            false => request(id, "game/status", json!({})),
        }
    }

    fn sync(&mut self) -> Value {
        self.rev += 1;
        let id = self.id();
        let ship = |(id, [x, y, heading], _): &(String, [f64; 3], u32)| {
            let (side, xws) = if id.starts_with('T') {
                ("solo", "tielnfighter")
            } else {
                ("player", "t65xwing")
            };
            json!({"id": id, "side": side, "ship": xws, "size": "small", "x": x, "y": y, "heading": heading, "initiative": 2})
        };
        let ships: Vec<_> = self.ships.iter().map(ship).collect();
        let position = json!({"id": "p", "area": {"w": 914.4, "h": 914.4}, "ships": ships, "obstacles": []});
        request(
            id,
            "table/sync",
            json!({"rev": self.rev, "snapshot": {"kind": "plain", "position": position}}),
        )
    }

    fn carry_out(&mut self, params: &Value) -> Value {
        let action = params["actionId"].as_str().unwrap().to_owned();
        let step = &params["step"];
        let ship = self.ships.iter_mut().find(|(id, ..)| step["object"] == id.as_str());
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
        let mut result = json!({"outcome": outcome, "rev": self.rev});
        if let Some((_, pose, moves)) = ship {
            if outcome == "applied" && step["to"].is_object() {
                *pose = ["x", "y", "facing"].map(|field| step["to"][field].as_f64().unwrap());
                *moves += u32::from(step["kind"] == "move");
            }
            let [x, y, facing] = *pose;
            result["observed"] = json!({"x": x, "y": y, "facing": facing});
        }
        result
    }

    /// Takes one message of the server; what it says to that.
    fn take(&mut self, message: &Value) -> Option<Value> {
        match message["method"].as_str() {
            Some("table/apply") => {
                let result = self.carry_out(&message["params"]);
                return Some(json!({"jsonrpc": "2.0", "id": message["id"], "result": result}));
            }
            Some("table/requestSync") => return Some(self.sync()),
            Some("game/event") => {
                let seq = message["params"]["seq"].as_u64().unwrap();
                if seq == self.last_seq + 1 {
                    self.last_seq = seq;
                }
                self.idle |= message["params"]["event"]["kind"] == "activated";
                return None;
            }
            Some(_) => return None,
            None => {}
        }
        if self.waiting_for.is_none() || message["id"].as_i64() != self.waiting_for {
            return None;
        }
        self.waiting_for = None;
        let result = &message["result"];
        if result["session"].is_string() {
            self.session = result["session"].clone();
            self.idle = true;
            if result["resumed"] == false {
                self.last_seq = 0;
                return Some(self.sync());
            }
        } else if result["ships"].is_array() {
            self.pressed += 1;
        } else if result["waiting"].is_array() {
            self.settled = result["waiting"] == json!([]) && result["outstanding"] == "";
        } else if message["error"]["data"]["retry"] == "resync" {
            return Some(self.sync());
        }
        None
    }
}

fn over(server: &Server, table: &Table) -> bool {
    match &server.game {
        Game::Scripted(journal) => table.pressed == PRESSES && journal.lock().unwrap().waiting.is_empty(),
        Game::Real(_) => table.settled,
    }
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
                server.kill().await;
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
            if open && table.idle && table.waiting_for.is_none() {
                say = table.press();
                continue 'line;
            }
            // A table that hears nothing presses again; one that hears nothing at all connects anew.
            let patience = Duration::from_secs(if open { 45 } else { 3 });
            match timeout(patience, arrivals.recv()).await {
                Ok(Some(message)) => {
                    let answer = table.take(&message);
                    open |= table.session.is_string() && table.waiting_for.is_none();
                    if let Some(answer) = answer {
                        say = answer;
                        continue 'line;
                    }
                }
                Err(_) if open => {
                    say = table.press();
                    continue 'line;
                }
                Ok(None) | Err(_) => break 'line,
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
    let mut quiet = 0;
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
            Fate::KillServer => server.kill().await,
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
        let heard = !reply.messages.is_empty();
        for (number, message) in (reply.first..).zip(reply.messages) {
            if number > ack {
                ack = number;
                messages.extend(table.take(&message));
            }
        }
        quiet = if heard { 0 } else { quiet + 1 };
        if quiet > 9 || (table.idle && table.waiting_for.is_none()) {
            messages.push(table.press());
            quiet = 0;
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

/// Plays one schedule. Each step that the table carried out must be one that was planned, in order and once.
fn run(seed: u64, by_polls: bool, game: Game) -> Tally {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    let schedule = async {
        let dice = Dice(Arc::new(Mutex::new(ChaCha8Rng::seed_from_u64(seed))));
        let mut server = Server::start(game);
        let mut table = Table::new();
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
        let once: BTreeSet<_> = table.carried_out.iter().collect();
        assert_eq!(
            once.len(),
            table.carried_out.len(),
            "seed {seed}: a step was carried out twice"
        );
        match &server.game {
            Game::Scripted(journal) => {
                let journal = journal.lock().unwrap();
                assert_eq!(journal.advances, PRESSES, "seed {seed}: each press counts once");
                assert_eq!(journal.planned.len(), PRESSES as usize * STEPS);
                assert_eq!(
                    table.carried_out, journal.planned,
                    "seed {seed}: every step once and in order"
                );
                assert!(journal.bad_answers.is_empty(), "seed {seed}: {:?}", journal.bad_answers);
            }
            Game::Real(_) => {
                let moves: Vec<_> = table.ships.iter().map(|(id, _, moves)| (id.as_str(), *moves)).collect();
                assert_eq!(
                    moves,
                    [("T0", 1), ("T1", 1), ("T2", 1), ("X1", 0)],
                    "seed {seed}: each solo ship flew once"
                );
            }
        }
        tally.kills = server.kills;
        tally
    };
    tokio::task::LocalSet::new().block_on(&runtime, schedule)
}

fn many(seeds: u64, by_polls: bool, game: impl Fn() -> Game) {
    let mut total = Tally::default();
    for seed in 0..seeds {
        let tally = run(seed, by_polls, game());
        total.connections += tally.connections;
        total.kills += tally.kills;
        total.reloads += tally.reloads;
    }
    let enough = u32::try_from(seeds).unwrap() / 4;
    assert!(total.kills > enough && total.reloads > enough, "the line was too good");
    assert!(total.connections > 4 * enough, "the line was too good");
}

#[test]
fn every_step_once_and_in_order_over_streams() {
    many(400, false, || Game::Scripted(Journal::default()));
}

#[test]
fn every_step_once_and_in_order_over_polls() {
    many(400, true, || Game::Scripted(Journal::default()));
}

#[test]
fn the_real_game_flies_each_ship_once_over_streams() {
    many(60, false, || Game::Real(TempDir::new().unwrap()));
}

#[test]
fn the_real_game_flies_each_ship_once_over_polls() {
    many(60, true, || Game::Real(TempDir::new().unwrap()));
}
