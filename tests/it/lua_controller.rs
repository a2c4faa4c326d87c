//! The real controller against a scripted server: every kind of step, and everything that can go wrong with one.

use std::{
    collections::{BTreeMap, BTreeSet},
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tallyho::{
    bridge::{
        tts::install::{Connection, saved_object, script},
        virtual_table::{DialSpec, MatSpec, NetworkFault, ObstacleSpec, ShipSpec, VirtualTable, igu},
    },
    protocol::{
        apply::{ApplyResult, Outcome},
        snapshot::{Snapshot, SyncParams, TtsSnapshot},
    },
    xwing::size::Size,
};

/// A server that keeps the HTTP profile to the letter and otherwise does what the test says.
struct ScriptedServer {
    address: SocketAddr,
    state: Arc<Mutex<Script>>,
    _runtime: tokio::runtime::Runtime,
}

#[derive(Default)]
struct Script {
    session: String,
    sessions: u32,
    /// Messages to the client and their number.
    out: Vec<(u64, Value)>,
    sent: u64,
    seen: BTreeSet<String>,
    /// Requests and notifications of the client, in order.
    heard: Vec<(String, Value)>,
    answers: BTreeMap<String, Value>,
    asked: u64,
    refuse_token: bool,
    /// Another table took over: lost sessions are lost for good.
    replaced: bool,
    /// Answers to the client's next requests by method, in place of the usual ones; an error under `!`.
    results: BTreeMap<String, Value>,
    hold: Duration,
}

impl Script {
    fn send(&mut self, message: Value) {
        self.sent += 1;
        self.out.push((self.sent, message));
    }

    fn hear(&mut self, message: &Value) {
        let id = message.get("id").and_then(Value::as_str).unwrap_or_default().to_owned();
        let Some(method) = message.get("method").and_then(Value::as_str) else {
            self.answers.entry(id).or_insert_with(|| message.clone());
            return;
        };
        if !id.is_empty() && !self.seen.insert(id.clone()) {
            return;
        }
        self.heard.push((method.to_owned(), message["params"].clone()));
        if id.is_empty() {
            return;
        }
        if method == "initialize" && self.refuse_token {
            self.send(json!({ "jsonrpc": "2.0", "id": id,
                "error": { "code": 1001, "message": "wrong token", "data": { "kind": "auth", "retry": "never" } } }));
            return;
        }
        let usual = match method {
            "initialize" => {
                json!({ "protocol": 1, "server": { "name": "scripted", "version": "1" }, "session": self.session,
                "seq": 0, "role": "table", "resumed": false,
                "limits": { "maxMessageBytes": 1, "idleMs": 1, "historyEvents": 1 } })
            }
            "table/sync" => json!({ "rev": message["params"]["rev"], "ships": 2, "obstacles": 1, "warnings": [] }),
            "solo/advance" => json!({ "ships": ["aaaaaa"], "message": "one ship" }),
            _ => json!({ "message": "done" }),
        };
        let result = self.results.get(method).cloned().unwrap_or(usual);
        if let Some(error) = result.get("!") {
            self.send(json!({ "jsonrpc": "2.0", "id": id, "error": error }));
            return;
        }
        self.send(json!({ "jsonrpc": "2.0", "id": id, "result": result }));
    }
}

impl ScriptedServer {
    fn start() -> Self {
        let state = Arc::new(Mutex::new(Script {
            hold: Duration::from_millis(50),
            ..Script::default()
        }));
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let shared = Arc::clone(&state);
        let app = axum::Router::new().route(
            "/v1/rpc",
            axum::routing::post(move |body: String| {
                let shared = Arc::clone(&shared);
                async move { poll(&shared, &body).await.to_string() }
            }),
        );
        let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        runtime.spawn(async move { axum::serve(listener, app).await });
        Self {
            address,
            state,
            _runtime: runtime,
        }
    }

    /// Sends a request to the table and returns its id.
    fn ask(&self, method: &str, params: Value) -> String {
        let mut state = self.state.lock().unwrap();
        state.asked += 1;
        let id = format!("s{}", state.asked);
        state.send(json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    fn tell(&self, event: Value) {
        let mut state = self.state.lock().unwrap();
        let seq = state.sent + 1;
        state.send(json!({ "jsonrpc": "2.0", "method": "game/event", "params": { "seq": seq, "event": event } }));
    }

    fn answer(&self, id: &str) -> Option<Value> {
        self.state.lock().unwrap().answers.get(id).cloned()
    }

    fn heard(&self, method: &str) -> Vec<Value> {
        let state = self.state.lock().unwrap();
        state
            .heard
            .iter()
            .filter(|(name, _)| name == method)
            .map(|(_, params)| params.clone())
            .collect()
    }

    /// Forgets the session, as a server does that was started again.
    fn lose_session(&self) {
        let mut state = self.state.lock().unwrap();
        state.session.clear();
        state.out.clear();
    }
}

async fn poll(shared: &Mutex<Script>, body: &str) -> Value {
    let request: Value = serde_json::from_str(body).unwrap();
    let session = request["session"].as_str().unwrap_or_default().to_owned();
    {
        let mut state = shared.lock().unwrap();
        let messages = request["messages"].as_array().unwrap();
        if session.is_empty()
            && messages
                .first()
                .is_some_and(|message| message["method"] == "initialize")
        {
            state.sessions += 1;
            state.session = format!("session{}", state.sessions);
            state.out.clear();
            state.sent = 0;
        } else if session != state.session || session.is_empty() {
            return json!({ "first": 0, "messages": [{ "jsonrpc": "2.0",
                "error": { "code": 2003, "message": "no such session",
                    "data": { "kind": "sessionLost", "retry": if state.replaced { "never" } else { "reconnect" } } } }] });
        }
        let ack = request["ack"].as_u64().unwrap();
        state.out.retain(|(number, _)| *number > ack);
        for message in messages {
            state.hear(message);
        }
    }
    let start = Instant::now();
    loop {
        {
            let state = shared.lock().unwrap();
            if !state.out.is_empty() || start.elapsed() >= state.hold {
                let messages: Vec<&Value> = state.out.iter().map(|(_, message)| message).collect();
                return json!({ "session": state.session,
                    "first": state.out.first().map_or(state.sent + 1, |(number, _)| *number), "messages": messages });
            }
        }
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

/// A table with two ships, an obstacle and the controller, connected.
struct Setting {
    server: ScriptedServer,
    table: VirtualTable,
    controller: String,
    actions: std::cell::Cell<u32>,
}

const WING: &str = "aaaaaa";
const TIE: &str = "bbbbbb";
/// Where the TIE stands: facing world -x, that is rotY 90.
const TIE_AT: [f64; 3] = [5.0, 5.0, 90.0];

impl Setting {
    fn new() -> Self {
        let setting = Self::before_connecting();
        assert!(
            setting
                .table
                .run_until(6.0, |_| !setting.server.heard("table/sync").is_empty())
                .unwrap()
        );
        setting.table.run_for(0.5).unwrap();
        setting
    }

    fn before_connecting() -> Self {
        let server = ScriptedServer::start();
        let mut table = VirtualTable::new().unwrap();
        // The scripted server holds a poll for a moment only; so time need not run far ahead of it.
        table.set_patience(0.2);
        furnish(&table, &[]);
        let connection = Connection {
            port: server.address.port(),
            token: "secret".into(),
        };
        let controller = table.spawn_saved_object(&saved_object(&connection).unwrap()).unwrap();
        Self {
            server,
            table,
            controller,
            actions: std::cell::Cell::new(0),
        }
    }

    /// Has a step carried out and returns the result.
    fn apply(&self, step: Value) -> ApplyResult {
        self.actions.set(self.actions.get() + 1);
        self.apply_as(&format!("act{}", self.actions.get()), step)
    }

    fn apply_as(&self, action: &str, step: Value) -> ApplyResult {
        let id = self
            .server
            .ask("table/apply", json!({ "actionId": action, "rev": 1, "step": step }));
        let answered = self
            .table
            .run_until(40.0, |_| self.server.answer(&id).is_some())
            .unwrap();
        assert!(
            answered,
            "no answer; chat {:?}, errors {:?}",
            self.table.chat(),
            self.table.script_errors()
        );
        serde_json::from_value(self.server.answer(&id).unwrap()["result"].clone()).unwrap()
    }

    fn placement(&self, ship: &str) -> Value {
        let [x, y, facing] = self.table.placement(ship).unwrap();
        json!({ "x": x, "y": y, "facing": facing })
    }

    fn chat_has(&self, text: &str) -> bool {
        self.table.chat().iter().any(|line| line.contains(text))
    }

    fn snapshot(&self) -> TtsSnapshot {
        let last = self.server.heard("table/sync").pop().unwrap();
        match serde_json::from_value::<SyncParams>(last).unwrap().snapshot {
            Snapshot::Tts(snapshot) => snapshot,
            other => panic!("{other:?}"),
        }
    }

    #[track_caller]
    fn assert_no_errors(&self) {
        assert_eq!(self.table.script_errors(), Vec::<String>::new());
        let failed: Vec<String> = self
            .table
            .chat()
            .into_iter()
            .filter(|line| line.contains(" failed: "))
            .collect();
        assert_eq!(failed, Vec::<String>::new());
    }
}

fn furnish(table: &VirtualTable, without_bags: &[&str]) {
    table.add_mat(&MatSpec::default()).unwrap();
    table.add_bags(without_bags).unwrap();
    let wing = ShipSpec {
        guid: WING.into(),
        name: "Red Squadron Veteran".into(),
        ship_id: "t65xwing".into(),
        size: Some(Size::Small),
        initiative: 3,
        faction: "rebelalliance".into(),
        owner: "Blue".into(),
        placement: [0.0, 0.0, 180.0],
        move_set: vec!["bs1".into(), "wbl2".into(), "rk4".into()],
        act_set: vec!["F".into(), "TL".into(), "BR".into()],
        turrets: BTreeMap::from([("main".into(), "front".into())]),
    };
    table.add_ship(&wing).unwrap();
    let tie = ShipSpec {
        guid: TIE.into(),
        name: "Academy Pilot".into(),
        ship_id: "tielnfighter".into(),
        initiative: 1,
        faction: "galacticempire".into(),
        owner: String::new(),
        placement: TIE_AT,
        turrets: BTreeMap::new(),
        ..wing
    };
    table.add_ship(&tie).unwrap();
    table
        .add_obstacle(&ObstacleSpec {
            guid: "cccccc".into(),
            name: "Asteroid 1".into(),
            placement: [-6.0, 3.0, 33.0],
        })
        .unwrap();
}

fn to(x: f64, y: f64, facing: f64) -> Value {
    json!({ "x": x, "y": y, "facing": facing })
}

#[test]
fn it_connects_as_a_table_and_sends_the_table_raw() {
    let setting = Setting::new();
    let hello = &setting.server.heard("initialize")[0];
    assert_eq!(hello["auth"], "secret");
    assert_eq!(hello["role"], "table");
    let capabilities = &hello["capabilities"];
    assert_eq!(capabilities["dialect"], "tts");
    let steps: BTreeSet<&str> = capabilities["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| s.as_str().unwrap())
        .collect();
    assert_eq!(
        steps,
        BTreeSet::from(["dial", "lock", "move", "place", "say", "show", "token", "turret"])
    );
    assert_eq!(setting.server.heard("initialized").len(), 1);
    let seen = setting.snapshot();
    assert_eq!(seen.mats.len(), 1);
    assert!((seen.mats[0].half_x - 16.55).abs() < 1e-6);
    assert_eq!(seen.ships.len(), 2);
    let wing = seen.ships.iter().find(|ship| ship.guid == WING).unwrap();
    assert_eq!(
        (wing.ship_id.as_str(), wing.initiative.as_str(), wing.owner.as_str()),
        ("t65xwing", "init3", "Blue")
    );
    assert_eq!(wing.move_set, ["bs1", "wbl2", "rk4"]);
    assert_eq!(wing.turrets["main"], "front");
    assert!(wing.placed && !wing.busy && !wing.held);
    assert_eq!((wing.x, wing.z, wing.rot_y), (0.0, 0.0, 180.0));
    assert_eq!(seen.obstacles[0].name, "Asteroid 1");
    setting.assert_no_errors();
}

#[test]
fn a_move_is_carried_out_by_the_mod_and_the_pose_reported() {
    let setting = Setting::new();
    // Two ahead, 120 mm towards world -x.
    let goal = to(TIE_AT[0] - igu(120.0), TIE_AT[1], 90.0);
    let done = setting
        .apply(json!({ "kind": "move", "object": TIE, "code": "s2", "from": setting.placement(TIE), "to": goal }));
    assert_eq!(done.outcome, Outcome::Applied, "{}", done.reason);
    let observed = done.observed.unwrap();
    assert!((observed.x - (TIE_AT[0] - igu(120.0))).abs() < 1e-5 && (observed.y - 5.0).abs() < 1e-5);
    assert!(!done.bumped && done.rev > 1);
    setting.assert_no_errors();
}

#[test]
fn a_step_that_comes_again_is_answered_and_not_repeated() {
    let setting = Setting::new();
    let step = json!({ "kind": "move", "object": TIE, "code": "s1", "from": setting.placement(TIE),
        "to": to(TIE_AT[0] - igu(80.0), 5.0, 90.0) });
    let first = setting.apply_as("same", step.clone());
    let again = setting.apply_as("same", step);
    assert_eq!(first.outcome, Outcome::Applied);
    assert_eq!(again.outcome, Outcome::Duplicate);
    assert_eq!(again.observed, first.observed);
    assert!(
        (setting.table.placement(TIE).unwrap()[0] - (TIE_AT[0] - igu(80.0))).abs() < 1e-5,
        "moved once"
    );
    setting.assert_no_errors();
}

#[test]
fn a_bump_is_partial_with_the_observed_pose() {
    let setting = Setting::new();
    setting.table.put(WING, [TIE_AT[0] - igu(100.0), 5.0, 90.0]).unwrap();
    let goal = to(TIE_AT[0] - igu(120.0), 5.0, 90.0);
    let done = setting
        .apply(json!({ "kind": "move", "object": TIE, "code": "s2", "from": setting.placement(TIE), "to": goal }));
    assert_eq!(done.outcome, Outcome::Partial);
    assert!(done.bumped);
    let travelled = (TIE_AT[0] - done.observed.unwrap().x) / igu(1.0);
    // Base to base 60 mm, less two of the mod's guides face to face.
    assert!(travelled > 54.0 && travelled < 60.0, "{travelled}");
    setting.assert_no_errors();
}

#[test]
fn no_free_place_leaves_a_maneuver_where_it_is_and_refuses_a_boost() {
    let setting = Setting::new();
    // Just ahead, guides and all in the way: nothing from here to 80 mm ahead is free.
    setting.table.put(WING, [TIE_AT[0] - igu(38.0), 5.0, 90.0]).unwrap();
    let from = setting.placement(TIE);
    let maneuver = setting.apply(json!({ "kind": "move", "object": TIE, "code": "s1", "from": from,
        "to": to(TIE_AT[0] - igu(80.0), 5.0, 90.0) }));
    assert_eq!((maneuver.outcome, maneuver.bumped), (Outcome::Partial, true));
    let boost = setting.apply(json!({ "kind": "move", "object": TIE, "code": "s1b", "from": from,
        "to": to(TIE_AT[0] - igu(80.0), 5.0, 90.0) }));
    assert_eq!(boost.outcome, Outcome::Rejected);
    assert_eq!(setting.placement(TIE), from);
    setting.assert_no_errors();
}

#[test]
fn a_ship_stopped_at_once_has_bumped_and_is_not_taken_for_refused() {
    let setting = Setting::new();
    // A hair's breadth ahead of the guides: the first thousandth of the move would touch.
    setting.table.put(WING, [TIE_AT[0] - igu(45.15), 5.0, 90.0]).unwrap();
    let from = setting.placement(TIE);
    let done = setting.apply(json!({ "kind": "move", "object": TIE, "code": "s1", "from": from,
        "to": to(TIE_AT[0] - igu(5.15), 5.0, 90.0) }));
    assert_eq!((done.outcome, done.bumped), (Outcome::Partial, true), "{}", done.reason);
    assert!(done.reason.contains("stopped where it stood"), "{}", done.reason);
    setting.assert_no_errors();
}

#[test]
fn a_ship_that_stands_elsewhere_or_is_held_is_not_moved() {
    let setting = Setting::new();
    let from = setting.placement(TIE);
    setting.table.put(TIE, [TIE_AT[0] + igu(1.5), 5.0, 90.0]).unwrap();
    let step = json!({ "kind": "move", "object": TIE, "code": "s1", "from": from, "to": to(0.0, 5.0, 90.0) });
    let moved = setting.apply(step.clone());
    assert_eq!(moved.outcome, Outcome::Rejected);
    assert!(moved.reason.contains("somebody moved it"), "{}", moved.reason);
    // Within 1 mm it counts as in its place.
    setting.table.put(TIE, [TIE_AT[0] + igu(0.9), 5.0, 90.5]).unwrap();
    setting.table.hold(TIE, Some("White")).unwrap();
    let held = setting.apply(step.clone());
    assert!(held.reason.contains("held by a player"), "{}", held.reason);
    setting.table.hold(TIE, None).unwrap();
    assert_eq!(setting.apply(step).outcome, Outcome::Partial);
    setting.assert_no_errors();
}

#[test]
fn a_stuck_ship_is_told_with_the_remedy_and_freed_by_it() {
    let setting = Setting::new();
    setting.table.make_stuck(TIE).unwrap();
    let step = |setting: &Setting, x: f64| json!({ "kind": "move", "object": TIE, "code": "s1", "from": setting.placement(TIE), "to": to(x, 5.0, 90.0) });
    let first = setting.apply(step(&setting, TIE_AT[0] - igu(80.0)));
    assert_eq!(first.outcome, Outcome::Partial);
    assert!(first.reason.contains("diag"), "{}", first.reason);
    let next = setting.apply(step(&setting, TIE_AT[0] - igu(160.0)));
    assert_eq!(next.outcome, Outcome::Rejected);
    setting.table.select(&[TIE]).unwrap();
    setting
        .table
        .press(&setting.controller, "Ship is stuck", "White")
        .unwrap();
    setting.table.run_for(1.0).unwrap();
    let freed = setting.apply(step(&setting, TIE_AT[0] - igu(160.0)));
    assert_eq!(freed.outcome, Outcome::Applied, "{}", freed.reason);
    setting.assert_no_errors();
}

#[test]
fn a_ship_that_the_mod_refuses_in_silence_is_noticed() {
    let setting = Setting::new();
    setting.table.refuse_moves(TIE).unwrap();
    let from = setting.placement(TIE);
    let done = setting.apply(json!({ "kind": "move", "object": TIE, "code": "s1", "from": from,
        "to": to(TIE_AT[0] - igu(80.0), 5.0, 90.0) }));
    assert_eq!(done.outcome, Outcome::Rejected);
    assert!(done.reason.contains("spawn the ship again"), "{}", done.reason);
    setting.assert_no_errors();
}

#[test]
fn exact_placement_takes_the_tokens_along() {
    let setting = Setting::new();
    assert_eq!(
        setting
            .apply(json!({ "kind": "token", "object": TIE, "token": "focus", "count": 1 }))
            .outcome,
        Outcome::Applied
    );
    let done = setting
        .apply(json!({ "kind": "place", "object": TIE, "from": setting.placement(TIE), "to": to(-4.0, -7.0, 12.5) }));
    assert_eq!(done.outcome, Outcome::Applied, "{}", done.reason);
    let observed = done.observed.unwrap();
    assert!(
        (observed.x + 4.0).abs() < 1e-5 && (observed.y + 7.0).abs() < 1e-5 && (observed.facing - 12.5).abs() < 1e-5
    );
    setting.table.run_for(1.0).unwrap();
    let token = setting
        .table
        .evaluate(
            &setting.controller,
            "return Mod.ship_tokens(Guard.object('bbbbbb'))[1].getGUID()",
        )
        .unwrap();
    let [x, z, _] = setting.table.placement(&token).unwrap();
    assert!((x + 4.0).hypot(z + 7.0) < 2.5, "the token came along: {x} {z}");
    setting.assert_no_errors();
}

#[test]
fn tokens_come_and_go_one_by_one_although_the_mod_sheds_whole_stacks() {
    let setting = Setting::new();
    let token = |count: i32| {
        let done = setting.apply(json!({ "kind": "token", "object": TIE, "token": "stress", "count": count }));
        assert_eq!(done.outcome, Outcome::Applied, "{}", done.reason);
        setting.table.run_for(1.0).unwrap();
        setting
            .table
            .tokens(TIE)
            .unwrap()
            .get("Stress")
            .copied()
            .unwrap_or_default()
    };
    assert_eq!(token(1), 1);
    assert_eq!(token(2), 3);
    assert_eq!(token(-1), 2);
    assert_eq!(token(-5), 0, "never below none");
    let reinforce =
        setting.apply(json!({ "kind": "token", "object": TIE, "token": "reinforce", "count": 1, "side": "fore" }));
    assert_eq!(reinforce.outcome, Outcome::Applied);
    let unknown = setting.apply(json!({ "kind": "token", "object": TIE, "token": "force", "count": 1 }));
    assert_eq!(unknown.outcome, Outcome::Rejected);
    assert!(unknown.reason.contains("by hand"), "{}", unknown.reason);
    setting.assert_no_errors();
}

#[test]
fn locks_are_known_by_guid_even_between_ships_of_one_name() {
    let setting = Setting::new();
    // A third ship of the same name as the TIE.
    let twin = setting
        .table
        .add_ship(&ShipSpec {
            guid: "dddddd".into(),
            name: "Academy Pilot".into(),
            ship_id: "tielnfighter".into(),
            size: Some(Size::Small),
            placement: [-5.0, -5.0, 0.0],
            ..ShipSpec::default()
        })
        .unwrap();
    let lock = |object: &str, remove: bool| {
        let done = setting.apply(json!({ "kind": "lock", "object": object, "target": WING, "remove": remove }));
        assert_eq!(done.outcome, Outcome::Applied, "{}", done.reason);
        setting.table.run_for(0.5).unwrap();
        let before = setting.server.heard("table/sync").len();
        setting.table.press(&setting.controller, "Tallyho", "White").unwrap();
        assert!(
            setting
                .table
                .run_until(3.0, |_| setting.server.heard("table/sync").len() > before)
                .unwrap()
        );
        let seen = setting.snapshot();
        let wing = seen.ships.iter().find(|ship| ship.guid == WING).unwrap();
        wing.locked_by.values().cloned().collect::<BTreeSet<String>>()
    };
    assert_eq!(lock(TIE, false), BTreeSet::from([TIE.to_owned()]));
    assert_eq!(lock(&twin, false), BTreeSet::from([TIE.to_owned(), twin.clone()]));
    assert_eq!(lock(TIE, false).len(), 2, "a lock that is there is not laid twice");
    assert_eq!(lock(TIE, true), BTreeSet::from([twin.clone()]));
    assert_eq!(
        lock(TIE, true),
        BTreeSet::from([twin.clone()]),
        "no lock to take away is no error"
    );
    let rock = setting.apply(json!({ "kind": "lock", "object": TIE, "target": "cccccc" }));
    assert_eq!(rock.outcome, Outcome::Rejected);
    setting.assert_no_errors();
}

#[test]
fn turrets_dials_lines_and_words() {
    let setting = Setting::new();
    let turret = setting.apply(json!({ "kind": "turret", "object": WING, "mount": "main", "arc": "rear" }));
    assert_eq!(turret.outcome, Outcome::Applied, "{}", turret.reason);
    assert_eq!(setting.table.turret(WING, "main").unwrap(), "back");
    assert_eq!(
        setting
            .apply(json!({ "kind": "turret", "object": TIE, "mount": "main", "arc": "rear" }))
            .outcome,
        Outcome::Rejected
    );
    assert_eq!(
        setting
            .apply(json!({ "kind": "dial", "object": TIE, "code": "wbl2" }))
            .outcome,
        Outcome::Rejected,
        "no dial is assigned"
    );
    let dial = setting
        .table
        .add_dial(&DialSpec {
            guid: String::new(),
            ship: TIE.into(),
        })
        .unwrap();
    for code in ["wbl2", "bs1"] {
        let set = setting.apply(json!({ "kind": "dial", "object": TIE, "code": code }));
        assert_eq!(set.outcome, Outcome::Applied, "{}", set.reason);
        assert_eq!(setting.table.variable(&dial, "setStat").unwrap(), "true");
        assert_eq!(setting.table.variable(&dial, "setMan").unwrap(), code[1..]);
    }
    let moved = setting.apply(
        json!({ "kind": "move", "object": TIE, "code": "s1", "from": setting.placement(TIE),
        "to": to(TIE_AT[0] - igu(80.0), 5.0, 90.0) }),
    );
    assert_eq!(moved.outcome, Outcome::Applied);
    assert_eq!(
        setting.table.variable(&dial, "setStat").unwrap(),
        "false",
        "the dial is open again"
    );
    setting.apply(json!({ "kind": "show", "object": TIE, "lines": [[0.0, 0.0, 5.0, 5.0], [1.0, 1.0, 2.0, 2.0]] }));
    assert_eq!(setting.table.vector_lines(), 2);
    setting.apply(json!({ "kind": "show", "object": TIE, "lines": [] }));
    assert_eq!(setting.table.vector_lines(), 0);
    setting.apply(json!({ "kind": "say", "object": TIE, "text": "Academy Pilot turns [b]hard[/b] – because." }));
    assert!(setting.chat_has("Academy Pilot turns"));
    setting.assert_no_errors();
}

#[test]
fn unknown_steps_and_ships_are_refused_in_words() {
    let setting = Setting::new();
    assert_eq!(
        setting.apply(json!({ "kind": "teleport", "object": TIE })).outcome,
        Outcome::Rejected
    );
    let gone = setting.apply(json!({ "kind": "token", "object": "ffffff", "token": "focus", "count": 1 }));
    assert!(gone.reason.contains("gone"), "{}", gone.reason);
    let id = setting.server.ask(
        "dice/roll",
        json!({ "rollId": "r", "attack": 1, "defence": 0, "reason": "" }),
    );
    setting
        .table
        .run_until(5.0, |_| setting.server.answer(&id).is_some())
        .unwrap();
    assert_eq!(setting.server.answer(&id).unwrap()["error"]["code"], 3003);
    let id = setting.server.ask("table/dance", json!({}));
    setting
        .table
        .run_until(5.0, |_| setting.server.answer(&id).is_some())
        .unwrap();
    assert_eq!(setting.server.answer(&id).unwrap()["error"]["code"], -32601);
    setting.assert_no_errors();
}

#[test]
fn a_question_is_answered_by_a_button_or_by_its_default() {
    let setting = Setting::new();
    let ask = |id: &str| {
        setting.server.ask(
            "table/prompt",
            json!({ "promptId": id, "text": "Fly it?", "options": ["Yes", "No"],
            "default": "No", "deadlineMs": 5000 }),
        )
    };
    let pressed = ask("p1");
    setting
        .table
        .run_until(3.0, |table| {
            table.buttons(&setting.controller).unwrap().iter().any(|b| b == "Yes")
        })
        .unwrap();
    setting.table.press(&setting.controller, "Yes", "White").unwrap();
    setting
        .table
        .run_until(3.0, |_| setting.server.answer(&pressed).is_some())
        .unwrap();
    assert_eq!(setting.server.answer(&pressed).unwrap()["result"]["choice"], "Yes");
    let again = ask("p1");
    setting
        .table
        .run_until(3.0, |_| setting.server.answer(&again).is_some())
        .unwrap();
    assert_eq!(
        setting.server.answer(&again).unwrap()["result"]["choice"],
        "Yes",
        "asked again, answered alike"
    );
    let left = ask("p2");
    setting
        .table
        .run_until(8.0, |_| setting.server.answer(&left).is_some())
        .unwrap();
    assert_eq!(setting.server.answer(&left).unwrap()["result"]["choice"], "No");
    setting.table.run_for(0.1).unwrap();
    assert!(
        !setting
            .table
            .buttons(&setting.controller)
            .unwrap()
            .iter()
            .any(|b| b == "Yes"),
        "the question is gone"
    );
    setting.assert_no_errors();
}

#[test]
fn buttons_press_on_with_a_fresh_table_first() {
    let setting = Setting::new();
    let syncs = setting.server.heard("table/sync").len();
    setting
        .table
        .press(&setting.controller, "Next solo ship", "White")
        .unwrap();
    assert!(
        setting
            .table
            .run_until(3.0, |_| !setting.server.heard("solo/advance").is_empty())
            .unwrap()
    );
    assert_eq!(setting.server.heard("table/sync").len(), syncs + 1);
    let order: Vec<String> = setting
        .server
        .state
        .lock()
        .unwrap()
        .heard
        .iter()
        .map(|(name, _)| name.clone())
        .collect();
    assert_eq!(order[order.len() - 2..], ["table/sync", "solo/advance"]);
    let advance = &setting.server.heard("solo/advance")[0];
    assert_eq!(
        (advance["scope"].as_str(), advance["confirm"].as_bool()),
        (Some("ship"), Some(false))
    );
    setting.table.run_for(0.5).unwrap();
    setting.table.press(&setting.controller, "Ask first", "White").unwrap();
    setting
        .table
        .press(&setting.controller, "Whole round", "White")
        .unwrap();
    assert!(
        setting
            .table
            .run_until(3.0, |_| setting.server.heard("solo/advance").len() == 2)
            .unwrap()
    );
    let second = &setting.server.heard("solo/advance")[1];
    assert_eq!(
        (second["scope"].as_str(), second["confirm"].as_bool()),
        (Some("round"), Some(true))
    );
    assert_ne!(second["opId"], advance["opId"]);
    setting.assert_no_errors();
}

#[test]
fn auto_presses_on_until_nobody_waits() {
    let setting = Setting::new();
    setting.table.press(&setting.controller, "Auto", "White").unwrap();
    for flown in 1..=3 {
        assert!(
            setting
                .table
                .run_until(5.0, |_| setting.server.heard("solo/advance").len() == flown)
                .unwrap(),
            "{flown}"
        );
        setting.table.run_for(0.3).unwrap();
        if flown == 3 {
            break;
        }
        if flown == 2 {
            let none = json!({ "ships": [], "message": "Nobody is left." });
            setting
                .server
                .state
                .lock()
                .unwrap()
                .results
                .insert("solo/advance".into(), none);
        }
        setting
            .server
            .tell(json!({ "kind": "activated", "ship": "aaaaaa", "message": "done" }));
    }
    setting.table.run_for(20.0).unwrap();
    assert_eq!(setting.server.heard("solo/advance").len(), 3);
    assert!(
        setting
            .table
            .buttons(&setting.controller)
            .unwrap()
            .contains(&"Auto: off".to_owned())
    );
    setting.assert_no_errors();
}

#[test]
fn auto_waits_while_the_program_is_busy_and_ends_at_any_other_refusal() {
    let setting = Setting::new();
    let refuse = |kind: &str| {
        let fault = json!({ "code": 2004, "message": "not now", "data": { "kind": kind, "retry": "later" } });
        setting
            .server
            .state
            .lock()
            .unwrap()
            .results
            .insert("solo/advance".into(), json!({ "!": fault }));
    };
    refuse("busy");
    setting.table.press(&setting.controller, "Auto", "White").unwrap();
    assert!(
        setting
            .table
            .run_until(12.0, |_| setting.server.heard("solo/advance").len() >= 3)
            .unwrap()
    );
    assert!(
        setting
            .table
            .buttons(&setting.controller)
            .unwrap()
            .contains(&"Auto: on".to_owned())
    );
    refuse("noTable");
    let auto_is_off = |table: &VirtualTable| {
        table
            .buttons(&setting.controller)
            .unwrap()
            .contains(&"Auto: off".to_owned())
    };
    assert!(setting.table.run_until(12.0, auto_is_off).unwrap());
    assert!(setting.chat_has("not now"));
    setting.assert_no_errors();
}

#[test]
fn another_table_that_took_the_game_is_left_in_peace() {
    let setting = Setting::new();
    setting.server.state.lock().unwrap().replaced = true;
    setting.server.lose_session();
    assert!(
        setting
            .table
            .run_until(5.0, |_| setting.chat_has("Another table plays this game"))
            .unwrap()
    );
    let sessions = setting.server.heard("initialize").len();
    setting.table.run_for(60.0).unwrap();
    assert_eq!(
        setting.server.heard("initialize").len(),
        sessions,
        "it does not take the game back by itself"
    );
    setting.table.press(&setting.controller, "Connect", "White").unwrap();
    assert!(
        setting
            .table
            .run_until(5.0, |_| setting.server.heard("initialize").len() > sessions)
            .unwrap()
    );
    setting.assert_no_errors();
}

#[test]
fn ships_are_assigned_from_the_list_and_by_selection() {
    let setting = Setting::new();
    setting
        .table
        .press(&setting.controller, "Solo ships...", "White")
        .unwrap();
    setting.table.run_for(0.1).unwrap();
    setting
        .table
        .press(&setting.controller, "player: Academy Pilot", "White")
        .unwrap();
    assert!(
        setting
            .table
            .run_until(3.0, |_| !setting.server.heard("solo/assign").is_empty())
            .unwrap()
    );
    let assign = &setting.server.heard("solo/assign")[0];
    assert_eq!(
        (assign["ship"].as_str(), assign["solo"].as_bool()),
        (Some(TIE), Some(true))
    );
    assert_eq!(setting.snapshot().solo, [TIE]);
    setting.table.select(&[TIE, WING, "cccccc"]).unwrap();
    setting
        .table
        .choose_menu(&setting.controller, "Selected: solo on/off", "White")
        .unwrap();
    assert!(
        setting
            .table
            .run_until(3.0, |_| setting.server.heard("solo/assign").len() == 3)
            .unwrap()
    );
    setting.table.run_for(0.5).unwrap();
    assert_eq!(
        setting.snapshot().solo,
        [WING],
        "the TIE was given back, the X-wing taken, the rock is no ship"
    );
    setting.assert_no_errors();
}

#[test]
fn a_lost_session_begins_anew_and_sends_the_table_again() {
    let setting = Setting::new();
    let syncs = setting.server.heard("table/sync").len();
    setting.server.lose_session();
    assert!(
        setting
            .table
            .run_until(10.0, |_| setting.server.heard("table/sync").len() > syncs)
            .unwrap()
    );
    let hello = setting.server.heard("initialize").pop().unwrap();
    assert_eq!(hello["resume"]["session"], "session1");
    setting.assert_no_errors();
}

#[test]
fn lost_doubled_and_late_requests_carry_every_step_out_once() {
    let setting = Setting::new();
    setting.table.report_requests_twice(true).unwrap();
    let faults = [
        NetworkFault::LoseReply,
        NetworkFault::SendTwice,
        NetworkFault::LoseRequest,
        NetworkFault::Delay(Duration::from_millis(120)),
        NetworkFault::LoseReply,
        NetworkFault::LoseReply,
        NetworkFault::SendTwice,
    ];
    let mut x = TIE_AT[0];
    for round in 0..4 {
        setting.table.break_network(faults.iter().cloned().map(Some));
        let from = setting.placement(TIE);
        x -= igu(80.0);
        let done =
            setting.apply(json!({ "kind": "move", "object": TIE, "code": "s1", "from": from, "to": to(x, 5.0, 90.0) }));
        assert!(
            matches!(done.outcome, Outcome::Applied | Outcome::Duplicate),
            "{round}: {done:?}"
        );
        assert!((setting.table.placement(TIE).unwrap()[0] - x).abs() < 1e-5, "{round}");
    }
    assert_eq!(setting.server.heard("initialize").len(), 1, "the session lasted");
    setting.assert_no_errors();
}

#[test]
fn a_server_that_is_silent_is_given_up_and_found_again() {
    let mut setting = Setting::new();
    setting.table.set_patience(9.9);
    setting.table.break_network([Some(NetworkFault::Silence)]);
    let made = setting.table.requests_made();
    // The swallowed poll is given up after ten seconds, and the next one works.
    assert!(
        setting
            .table
            .run_until(60.0, |table| table.requests_made() > made + 2)
            .unwrap()
    );
    let done = setting.apply(json!({ "kind": "token", "object": TIE, "token": "focus", "count": 1 }));
    assert_eq!(done.outcome, Outcome::Applied);
    setting.assert_no_errors();
}

#[test]
fn another_program_on_the_port_is_told_with_the_remedy() {
    let setting = Setting::before_connecting();
    let pages = ["<html>It works!</html>", "{\"hello\":1}", "", "nonsense", "[]", "<"];
    setting
        .table
        .break_network(pages.map(|page| Some(NetworkFault::Answer(page.into()))));
    setting.table.run_for(15.0).unwrap();
    assert!(
        setting.chat_has("Something else answers on port"),
        "{:?}",
        setting.table.chat()
    );
    let told = setting
        .table
        .chat()
        .iter()
        .filter(|line| line.contains("Something else answers"))
        .count();
    assert_eq!(told, 1);
    // The player sets it right.
    setting.table.break_network([None]);
    setting.table.run_for(1.0).unwrap();
    setting.table.press(&setting.controller, "Connect", "White").unwrap();
    assert!(
        setting
            .table
            .run_until(60.0, |_| !setting.server.heard("table/sync").is_empty())
            .unwrap()
    );
    setting.assert_no_errors();
}

#[test]
fn nobody_on_the_port_is_told_once_and_the_port_can_be_typed_in() {
    let server = ScriptedServer::start();
    let table = VirtualTable::new().unwrap();
    furnish(&table, &[]);
    // A port on which nobody listens: one that was just given back.
    let free = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let connection = Connection {
        port: free,
        token: "secret".into(),
    };
    let controller = table.spawn_saved_object(&saved_object(&connection).unwrap()).unwrap();
    table.run_for(30.0).unwrap();
    let chat = table.chat();
    assert_eq!(
        chat.iter().filter(|line| line.contains("no answer on port")).count(),
        1,
        "{chat:?}"
    );
    let requests = table.requests_made();
    assert!((5..=12).contains(&requests), "it backs off: {requests} tries in 30 s");
    table.type_in(&controller, "port", "nonsense").unwrap();
    table
        .type_in(&controller, "port", &server.address.port().to_string())
        .unwrap();
    assert!(
        table
            .run_until(8.0, |_| !server.heard("table/sync").is_empty())
            .unwrap()
    );
    assert!(table.chat().iter().any(|line| line.contains("connected again")) || table.now() > 0.0);
    assert_eq!(table.script_errors(), Vec::<String>::new());
}

#[test]
fn a_refused_token_is_told_with_the_remedy_and_can_be_typed_in() {
    let setting = Setting::before_connecting();
    setting.server.state.lock().unwrap().refuse_token = true;
    setting.table.run_for(5.0).unwrap();
    assert!(setting.chat_has("tallyho install tts"), "{:?}", setting.table.chat());
    assert_eq!(setting.server.heard("initialize").len(), 1, "it does not hammer");
    setting.server.state.lock().unwrap().refuse_token = false;
    setting.table.type_in(&setting.controller, "token", "other").unwrap();
    assert!(
        setting
            .table
            .run_until(5.0, |_| !setting.server.heard("table/sync").is_empty())
            .unwrap()
    );
    assert_eq!(setting.server.heard("initialize").pop().unwrap()["auth"], "other");
    setting.assert_no_errors();
}

#[test]
fn what_the_mod_lacks_is_left_out_of_the_capabilities_and_told() {
    let server = ScriptedServer::start();
    let table = VirtualTable::new().unwrap();
    furnish(&table, &["Target Locks", "Jam"]);
    table.remove_mod_call("API_PerformMove").unwrap();
    let connection = Connection {
        port: server.address.port(),
        token: "secret".into(),
    };
    table.spawn_saved_object(&saved_object(&connection).unwrap()).unwrap();
    assert!(
        table
            .run_until(6.0, |_| !server.heard("table/sync").is_empty())
            .unwrap()
    );
    table.run_for(0.5).unwrap();
    let steps = server.heard("initialize")[0]["capabilities"]["steps"].clone();
    let steps: BTreeSet<&str> = steps.as_array().unwrap().iter().map(|s| s.as_str().unwrap()).collect();
    assert!(
        !steps.contains("move") && !steps.contains("lock") && steps.contains("token"),
        "{steps:?}"
    );
    let told = table
        .chat()
        .into_iter()
        .find(|line| line.contains("cannot do by itself"))
        .unwrap();
    assert!(told.contains("API_PerformMove") && told.contains("Jam"), "{told}");
    assert_eq!(table.script_errors(), Vec::<String>::new());
}

#[test]
fn a_mod_call_that_vanishes_in_the_middle_rejects_the_step() {
    let setting = Setting::new();
    setting.table.remove_mod_call("API_PerformMove").unwrap();
    setting.table.remove_mod_call("proxyPerformAction").unwrap();
    let from = setting.placement(TIE);
    let moved =
        setting.apply(json!({ "kind": "move", "object": TIE, "code": "s1", "from": from, "to": to(0.0, 5.0, 90.0) }));
    assert_eq!(moved.outcome, Outcome::Rejected);
    assert!(moved.reason.contains("The mod failed"), "{}", moved.reason);
    let token = setting.apply(json!({ "kind": "token", "object": TIE, "token": "focus", "count": 1 }));
    assert_eq!(token.outcome, Outcome::Rejected);
    assert!(token.reason.contains("by hand"), "{}", token.reason);
    setting.assert_no_errors();
}

#[test]
fn the_state_survives_a_reload_and_stays_small() {
    let setting = Setting::new();
    setting.table.press(&setting.controller, "Ask first", "White").unwrap();
    setting
        .table
        .press(&setting.controller, "Solo ships...", "White")
        .unwrap();
    setting.table.run_for(0.1).unwrap();
    setting
        .table
        .press(&setting.controller, "player: Academy Pilot", "White")
        .unwrap();
    let mut x = TIE_AT[0];
    let step = |setting: &Setting, x: f64| json!({ "kind": "move", "object": TIE, "code": "s1", "from": setting.placement(TIE), "to": to(x, 5.0, 90.0) });
    // More than are remembered.
    for _ in 0..20 {
        x -= igu(80.0);
        if x < -14.0 {
            x = 14.0;
            setting.table.put(TIE, [14.0 + igu(80.0), 5.0, 90.0]).unwrap();
        }
        assert_eq!(setting.apply(step(&setting, x)).outcome, Outcome::Applied);
    }
    for i in 0..20 {
        setting.apply(
            json!({ "kind": "token", "object": TIE, "token": "focus", "count": if i % 2 == 0 { 1 } else { -1 } }),
        );
    }
    assert_eq!(
        setting
            .apply(json!({ "kind": "lock", "object": TIE, "target": WING }))
            .outcome,
        Outcome::Applied
    );
    let last = step(&setting, x - igu(80.0));
    assert_eq!(setting.apply_as("last", last.clone()).outcome, Outcome::Applied);
    let saved = setting.table.save().unwrap();
    let size = setting.table.script_state(&setting.controller).unwrap().len();
    assert!(size < 5000, "{size} bytes");
    setting.table.load(&saved).unwrap();
    let sessions = setting.server.heard("initialize").len();
    assert!(
        setting
            .table
            .run_until(6.0, |_| setting.server.heard("initialize").len() > sessions)
            .unwrap()
    );
    setting.table.run_for(1.0).unwrap();
    assert_eq!(setting.snapshot().solo, [TIE]);
    let seen = setting.snapshot();
    let wing = seen.ships.iter().find(|ship| ship.guid == WING).unwrap();
    assert_eq!(
        wing.locked_by.values().next().map(String::as_str),
        Some(TIE),
        "lockers are known by GUID still"
    );
    assert!(
        setting
            .table
            .buttons(&setting.controller)
            .unwrap()
            .contains(&"Ask first: on".to_owned())
    );
    assert_eq!(setting.apply_as("last", last).outcome, Outcome::Duplicate);
    setting.assert_no_errors();
}

#[test]
fn a_rewind_makes_the_step_possible_again() {
    let setting = Setting::new();
    let before = setting.table.save().unwrap();
    let step = json!({ "kind": "move", "object": TIE, "code": "s1", "from": setting.placement(TIE),
        "to": to(TIE_AT[0] - igu(80.0), 5.0, 90.0) });
    assert_eq!(setting.apply_as("once", step.clone()).outcome, Outcome::Applied);
    setting.table.load(&before).unwrap();
    assert!((setting.table.placement(TIE).unwrap()[0] - TIE_AT[0]).abs() < 1e-9);
    let sessions = setting.server.heard("initialize").len();
    assert!(
        setting
            .table
            .run_until(6.0, |_| setting.server.heard("initialize").len() > sessions)
            .unwrap()
    );
    setting.table.run_for(0.5).unwrap();
    assert_eq!(
        setting.apply_as("once", step).outcome,
        Outcome::Applied,
        "the table is as if it had never happened"
    );
    setting.assert_no_errors();
}

#[test]
fn a_save_in_the_middle_of_a_move_is_told_from_where_the_ship_stands() {
    let setting = Setting::new();
    let step = json!({ "kind": "move", "object": TIE, "code": "s3", "from": setting.placement(TIE),
        "to": to(TIE_AT[0] - igu(160.0), 5.0, 90.0) });
    setting
        .server
        .ask("table/apply", json!({ "actionId": "cut", "rev": 1, "step": step }));
    let halfway = |table: &VirtualTable| (table.placement(TIE).unwrap()[0] - TIE_AT[0]).abs() > igu(40.0);
    assert!(setting.table.run_until(5.0, halfway).unwrap());
    let cut = setting.table.save().unwrap();
    setting.table.load(&cut).unwrap();
    let sessions = setting.server.heard("initialize").len();
    assert!(
        setting
            .table
            .run_until(6.0, |_| setting.server.heard("initialize").len() > sessions)
            .unwrap()
    );
    setting.table.run_for(0.5).unwrap();
    let done = setting.apply_as("cut", step);
    assert_eq!(done.outcome, Outcome::Partial, "{done:?}");
    assert!(done.reason.contains("loaded again"), "{}", done.reason);
    setting.assert_no_errors();
}

#[test]
fn the_sources_keep_to_the_subset_that_the_game_runs() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("lua");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let mut found = Vec::new();
    for file in files {
        let source = std::fs::read_to_string(&file).unwrap();
        for (line, what) in lint(&source) {
            found.push(format!(
                "{}:{line}: {what}",
                file.file_name().unwrap().to_string_lossy()
            ));
        }
    }
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn the_lint_finds_what_it_is_for() {
    for (source, what) in [
        ("local x = 7 // 2", "//"),
        ("local x = a & b", "&"),
        ("if a != b then end", "!="),
        ("t[#t + 1] = x", "# + 1"),
        ("t[#t+1] = x", "# + 1"),
        ("goto done", "goto"),
        ("local f = |x| x", "|"),
        ("s:match('^%s*(.-)%s*$')", "lazy"),
        ("Wait.stopAll()", "stopAll"),
        ("table.sort(names)", "sort"),
        ("local x <const> = 1", "<const>"),
        ("Global.setVar('a', 1)", "Global"),
        ("load('x')", "load"),
        ("local x = 1 << 2", "<<"),
        ("local s = '\\u{48}'", "\\u"),
    ] {
        let found = lint(source);
        assert!(found.iter().any(|(_, text)| text.contains(what)), "{source}: {found:?}");
    }
    assert_eq!(
        lint("local a = '//' -- a & b\nif a ~= b then s = string.gsub(s, '%s+$', '') end\n--[[ goto ]] x = - 1"),
        []
    );
}

/// What in a Lua source the game's interpreter does not take or does otherwise (see `docs/tts-install.md`).
fn lint(source: &str) -> Vec<(usize, String)> {
    let (code, texts) = split_lua(source);
    let mut found = Vec::new();
    let line_of = |at: usize| source[..at].matches('\n').count() + 1;
    for operator in ["//", "&", "|", "!=", "<<", ">>", "<const>", "<close>"] {
        for (at, _) in code.match_indices(operator) {
            found.push((line_of(at), format!("{operator} is not in the subset")));
        }
    }
    for (at, _) in code.match_indices('~') {
        if !code[at + 1..].starts_with('=') {
            found.push((line_of(at), "unary ~ is not in the subset".into()));
        }
    }
    let word = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
    for name in [
        "goto",
        "load",
        "loadstring",
        "require",
        "dofile",
        "io",
        "debug",
        "utf8",
        "stopAll",
        "unpack",
    ] {
        for (at, _) in code.match_indices(name) {
            let (before, after) = (code[..at].chars().next_back(), code[at + name.len()..].chars().next());
            if !word(before) && !word(after) {
                found.push((line_of(at), format!("{name} is not to be used")));
            }
        }
    }
    for call in ["Global.setVar", "Global.setTable"] {
        for (at, _) in code.match_indices(call) {
            found.push((line_of(at), format!("{call}: Global is not edited")));
        }
    }
    for (at, _) in code.match_indices("table.sort(") {
        let inside = &code[at + "table.sort(".len()..];
        if inside.find(')') < inside.find(',') || !inside.contains(',') {
            found.push((line_of(at), "table.sort without a comparison".into()));
        }
    }
    for (at, _) in code.match_indices('#') {
        let rest = code[at + 1..].trim_start();
        let name: usize = rest
            .chars()
            .take_while(|&c| c.is_alphanumeric() || "_.".contains(c))
            .map(char::len_utf8)
            .sum();
        let after: String = rest[name..].chars().filter(|c| !c.is_whitespace()).take(2).collect();
        if after == "+1" {
            found.push((line_of(at), "# + 1 appends cost the length of the list".into()));
        }
    }
    for (at, text) in texts {
        if text.contains("\\u") {
            found.push((line_of(at), "\\u is not in the subset".into()));
        }
        let letters: Vec<char> = text.chars().collect();
        for i in 1..letters.len() {
            let item = letters[i - 1] == '.'
                || letters[i - 1] == ']'
                || i >= 2 && letters[i - 2] == '%' && letters[i - 1].is_alphabetic();
            let ends = letters.get(i + 1).is_none_or(|&next| "()$%[.^".contains(next));
            if letters[i] == '-' && item && ends && !text.contains(' ') {
                found.push((line_of(at), format!("lazy pattern {text}")));
            }
        }
    }
    found
}

/// A Lua source with its comments and texts blanked out, and the texts with their places.
fn split_lua(source: &str) -> (String, Vec<(usize, String)>) {
    let bytes = source.as_bytes();
    let mut code = source.as_bytes().to_vec();
    let mut texts = Vec::new();
    let mut i = 0;
    let blank = |code: &mut Vec<u8>, from: usize, to: usize| {
        for byte in &mut code[from..to] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    };
    while i < bytes.len() {
        if source[i..].starts_with("--[[") {
            let end = source[i..].find("]]").map_or(bytes.len(), |at| i + at + 2);
            blank(&mut code, i, end);
            i = end;
        } else if source[i..].starts_with("--") {
            let end = source[i..].find('\n').map_or(bytes.len(), |at| i + at);
            blank(&mut code, i, end);
            i = end;
        } else if bytes[i] == b'"' || bytes[i] == b'\'' {
            let mut end = i + 1;
            while end < bytes.len() && bytes[end] != bytes[i] {
                end += if bytes[end] == b'\\' { 2 } else { 1 };
            }
            let end = end.min(bytes.len());
            texts.push((i, source[i + 1..end].to_owned()));
            blank(&mut code, i + 1, end);
            i = end + 1;
        } else {
            i += source[i..].chars().next().map_or(1, char::len_utf8);
        }
    }
    (String::from_utf8(code).unwrap(), texts)
}

#[test]
fn the_bundle_is_one_chunk_of_plain_text() {
    let script = script(&Connection {
        port: 1,
        token: "t".into(),
    })
    .unwrap();
    assert!(script.is_ascii() || script.chars().all(|letter| !letter.is_control() || letter == '\n'));
    assert!(mlua::Lua::new().load(&script).into_function().is_ok());
    // The game's editor and its limit of local names a function (200) are far away.
    assert!(script.len() < 200_000, "{}", script.len());
}
