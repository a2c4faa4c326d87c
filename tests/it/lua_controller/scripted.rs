//! A server that does what a test says.

use std::{
    collections::{BTreeMap, BTreeSet},
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

/// A server that keeps the HTTP profile to the letter and otherwise does what the test says.
pub struct ScriptedServer {
    pub address: SocketAddr,
    pub state: Arc<Mutex<Script>>,
    _runtime: tokio::runtime::Runtime,
}

#[derive(Default)]
pub struct Script {
    session: String,
    sessions: u32,
    /// Messages to the client and their number.
    out: Vec<(u64, Value)>,
    sent: u64,
    seen: BTreeSet<String>,
    /// Requests and notifications of the client, in order.
    pub heard: Vec<(String, Value)>,
    answers: BTreeMap<String, Value>,
    asked: u64,
    pub refuse_token: bool,
    /// Another table took over: lost sessions are lost for good.
    pub replaced: bool,
    /// Answers to the client's next requests by method, in place of the usual ones; an error under `!`.
    pub results: BTreeMap<String, Value>,
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
    pub fn start() -> Self {
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
        let health = json!({ "name": "tallyho", "protocol": { "min": 1, "max": 1 } }).to_string();
        let app = axum::Router::new().route("/health", axum::routing::get(move || async move { health }));
        let app = app.route(
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
    pub fn ask(&self, method: &str, params: Value) -> String {
        let mut state = self.state.lock().unwrap();
        state.asked += 1;
        let id = format!("s{}", state.asked);
        state.send(json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    pub fn tell(&self, event: Value) {
        let mut state = self.state.lock().unwrap();
        let seq = state.sent + 1;
        state.send(json!({ "jsonrpc": "2.0", "method": "game/event", "params": { "seq": seq, "event": event } }));
    }

    /// The answer to a request is no longer wanted.
    pub fn cancel(&self, id: &str) {
        let mut state = self.state.lock().unwrap();
        state.send(json!({ "jsonrpc": "2.0", "method": "$/cancelRequest", "params": { "id": id } }));
    }

    pub fn answer(&self, id: &str) -> Option<Value> {
        self.state.lock().unwrap().answers.get(id).cloned()
    }

    pub fn heard(&self, method: &str) -> Vec<Value> {
        let state = self.state.lock().unwrap();
        state
            .heard
            .iter()
            .filter(|(name, _)| name == method)
            .map(|(_, params)| params.clone())
            .collect()
    }

    /// Forgets the session, as a server does that was started again.
    pub fn lose_session(&self) {
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
