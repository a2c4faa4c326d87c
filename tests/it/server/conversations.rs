//! The golden conversations of `protocol/conversations`, held with the real game over all three transports, each message
//! checked against the schema. `UPDATE_EXPECT=1` writes down what the server says now.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};
use tallyho::bridge::host::{Host, HostConfig};
use tallyho::bridge::skirmish::{SkirmishHost, SkirmishHostConfig};
use tallyho::bridge::vassal::profile::Plays;
use tallyho::bridge::vassal_table::VassalReader;
use tallyho::protocol::methods::{METHODS, Method};
use tallyho::protocol::round::DiceFrom;
use tallyho::protocol::rpc::Message;
use tallyho::protocol::schema::{documents, generate};
use tallyho::server::host::TableHost;
use tallyho::server::hub::Hub;
use tallyho::server::limits::Limits;
use tallyho::server::stdio::{self, End};
use tallyho::server::tokens::Tokens;
use tallyho::server::vassal::VassalHost;
use tallyho::xwing::catalog::Catalog;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf, split};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::client::{Got, PATIENCE, Running, Socket};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("protocol")
}

fn conversations() -> Vec<(PathBuf, Vec<Value>)> {
    let mut files: Vec<_> = std::fs::read_dir(folder().join("conversations"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "ndjson"))
        .collect();
    files.sort();
    assert!(files.len() >= 6, "{files:?}");
    files
        .into_iter()
        .map(|path| {
            let text = std::fs::read_to_string(&path).unwrap();
            let lines = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            (path, lines)
        })
        .collect()
}

/// The game that a conversation is about: what its first line names, else one of ships.
fn host(lines: &[Value]) -> Box<dyn TableHost> {
    let game: Option<String> = Some("example".into());
    let skirmish = |dice| {
        Box::new(SkirmishHost::new(SkirmishHostConfig {
            seed: 7,
            game: game.clone(),
            dice,
            ..SkirmishHostConfig::default()
        }))
    };
    let ships = || {
        Box::new(Host::new(HostConfig {
            seed: 7,
            game: game.clone(),
            ..HostConfig::default()
        }))
    };
    // As `tallyho serve` puts it before every game.
    let before_vassal = |inner: Box<dyn TableHost>, plays| {
        let reader = VassalReader::new(plays, Catalog::embedded(), None);
        Box::new(VassalHost::around(inner, reader))
    };
    match lines[0]["game"].as_str() {
        Some("skirmish") => skirmish(DiceFrom::Program),
        Some("vassal-skirmish") => before_vassal(skirmish(DiceFrom::Table), Plays::StarWarsMiniatures),
        Some("vassal-ships") => before_vassal(ships(), Plays::XWing),
        _ => ships(),
    }
}

/// A client on one of the transports.
enum Line {
    Socket(Running, Box<Socket>),
    Polls {
        server: Running,
        session: Value,
        ack: u64,
        come: VecDeque<Value>,
    },
    Pipe(Pipe),
}

struct Pipe {
    input: WriteHalf<DuplexStream>,
    output: Lines<BufReader<ReadHalf<DuplexStream>>>,
    task: JoinHandle<End>,
}

impl Line {
    async fn open(transport: &str, host: Box<dyn TableHost>) -> Line {
        let limits = Limits::default();
        match transport {
            "stdio" => {
                let (ours, theirs) = tokio::io::duplex(1 << 20);
                let (hub, _) = Hub::start(host, Tokens::random().unwrap(), limits);
                let task = tokio::spawn(async move {
                    let (input, output) = split(theirs);
                    stdio::run(input, output, &hub, &limits).await
                });
                let (output, input) = split(ours);
                Line::Pipe(Pipe {
                    input,
                    output: BufReader::new(output).lines(),
                    task,
                })
            }
            "http" => Line::Polls {
                server: Running::start(host, limits).await,
                session: json!(""),
                ack: 0,
                come: VecDeque::new(),
            },
            _ => {
                let server = Running::start(host, limits).await;
                let socket = server.socket().await;
                Line::Socket(server, Box::new(socket))
            }
        }
    }

    fn tokens(&self) -> [String; 2] {
        match self {
            Line::Socket(server, _) | Line::Polls { server, .. } => [
                server.tokens.table.expose().to_owned(),
                server.tokens.viewer.expose().to_owned(),
            ],
            // A parent needs none.
            Line::Pipe(_) => ["unused".to_owned(), "unused".to_owned()],
        }
    }

    async fn send(&mut self, message: Value) {
        match self {
            Line::Socket(_, socket) => socket.send(message).await,
            Line::Pipe(pipe) => pipe.input.write_all(format!("{message}\n").as_bytes()).await.unwrap(),
            Line::Polls { .. } => self.poll(json!([message])).await,
        }
    }

    async fn poll(&mut self, messages: Value) {
        let Line::Polls {
            server,
            session,
            ack,
            come,
        } = self
        else {
            return;
        };
        let body = json!({"session": session, "ack": ack, "messages": messages, "holdMs": 100});
        let reply = server.poll(body).await;
        if reply["session"].is_string() {
            *session = reply["session"].clone();
        }
        for (number, message) in (reply["first"].as_u64().unwrap()..).zip(reply["messages"].as_array().unwrap()) {
            if number == 0 || number > *ack {
                *ack = number;
                come.push_back(message.clone());
            }
        }
    }

    /// The next message, if there is one soon.
    async fn next(&mut self, patience: Duration) -> Option<Value> {
        match self {
            Line::Socket(_, socket) => match timeout(patience, socket.got()).await.ok()? {
                Got::Message(message) => Some(message),
                Got::Close(_) | Got::Cut => None,
            },
            Line::Pipe(pipe) => {
                let line = timeout(patience, pipe.output.next_line()).await.ok()?.unwrap()?;
                Some(serde_json::from_str(&line).expect("only JSON on standard output"))
            }
            Line::Polls { .. } => {
                let until = tokio::time::Instant::now() + patience;
                loop {
                    if let Line::Polls { come, .. } = self
                        && let Some(message) = come.pop_front()
                    {
                        return Some(message);
                    }
                    if tokio::time::Instant::now() >= until {
                        return None;
                    }
                    self.poll(json!([])).await;
                }
            }
        }
    }
}

/// Replaces what differs from run to run by its name, and drops null fields, which HTTP leaves out.
fn normal(message: &Value) -> Value {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(object) => {
                object.retain(|_, field| !field.is_null());
                object.values_mut().for_each(strip);
            }
            Value::Array(items) => items.iter_mut().for_each(strip),
            _ => {}
        }
    }
    let mut message = message.clone();
    strip(&mut message);
    if let Some(result) = message.get_mut("result").and_then(Value::as_object_mut)
        && result.contains_key("session")
    {
        result["session"] = json!("$SESSION");
        result["server"]["version"] = json!("$VERSION");
    }
    message
}

fn fill(message: &Value, [table, viewer]: &[String; 2]) -> Value {
    let text = message.to_string().replace("$TOKEN", table).replace("$VIEWER", viewer);
    serde_json::from_str(&text).unwrap()
}

async fn hold(path: &Path, lines: &[Value], transport: &str, update: bool) {
    let mut line = Line::open(transport, host(lines)).await;
    let tokens = line.tokens();
    let mut written = Vec::new();
    let mut i = 0;
    while i < lines.len() {
        let at = format!("{}:{} over {transport}", path.display(), i + 1);
        written.push(lines[i].clone());
        if let Some(message) = lines[i].get("client") {
            line.send(fill(message, &tokens)).await;
            while update && let Some(message) = line.next(Duration::from_millis(300)).await {
                written.push(json!({"server": normal(&message)}));
            }
        } else if let Some(expected) = lines[i].get("server") {
            written.pop();
            if !update {
                let got = line
                    .next(PATIENCE)
                    .await
                    .unwrap_or_else(|| panic!("{at}: nothing came"));
                assert_eq!(normal(&got), normal(expected), "{at}");
            }
        } else {
            assert!(lines[i].get("about").is_some(), "{at}: neither client nor server");
        }
        i += 1;
    }
    if update {
        let text: String = written.iter().map(|line| format!("{line}\n")).collect();
        std::fs::write(path, text).unwrap();
    } else if let Line::Pipe(pipe) = line {
        assert_eq!(
            timeout(PATIENCE, pipe.task).await.unwrap().unwrap(),
            End::Orderly,
            "{}",
            path.display()
        );
    } else {
        let more = line.next(Duration::from_millis(50)).await;
        assert!(
            more.is_none() || !matches!(line, Line::Socket(..)),
            "{}: {more:?} after the end",
            path.display()
        );
    }
}

#[tokio::test]
async fn golden_conversations_over_websocket() {
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    for (path, lines) in conversations() {
        hold(&path, &lines, "websocket", update).await;
    }
}

#[tokio::test]
async fn golden_conversations_over_http() {
    for (path, lines) in conversations() {
        hold(&path, &lines, "http", false).await;
    }
}

#[tokio::test]
async fn golden_conversations_over_stdio() {
    for (path, lines) in conversations() {
        hold(&path, &lines, "stdio", false).await;
    }
}

#[test]
fn the_committed_schema_is_the_one_of_the_types() {
    for file in generate() {
        let committed = std::fs::read_to_string(folder().join(file.name))
            .unwrap_or_default()
            .replace("\r\n", "\n");
        assert!(
            committed == file.text,
            "{} must be written again: tallyho schema --out protocol",
            file.name
        );
    }
}

/// Checks a value against one type of the schema.
struct Checks {
    schema: Value,
    compiled: BTreeMap<String, jsonschema::Validator>,
}

impl Checks {
    fn new() -> Checks {
        Checks {
            schema: documents().0,
            compiled: BTreeMap::new(),
        }
    }

    fn check(&mut self, reference: &Value, value: &Value, at: &str) {
        let reference = reference["$ref"]
            .as_str()
            .expect("a named type")
            .trim_start_matches("schema.json");
        let schema = &self.schema;
        let validator = self.compiled.entry(reference.to_owned()).or_insert_with(|| {
            let mut one = schema.clone();
            one["$ref"] = json!(reference);
            jsonschema::validator_for(&one).expect("a good schema")
        });
        let errors: Vec<_> = validator.iter_errors(value).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{at}: {reference}: {errors:?}\n{value}");
    }
}

#[test]
fn golden_conversations_keep_to_the_schema() {
    let (_, index) = documents();
    let entries: BTreeMap<&str, &Value> = index["methods"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| (entry["method"].as_str().unwrap(), entry))
        .collect();
    let mut checks = Checks::new();
    let mut used = BTreeSet::new();
    for (path, lines) in conversations() {
        let mut asked: BTreeMap<(bool, String), String> = BTreeMap::new();
        for (i, line) in lines.iter().enumerate() {
            let at = format!("{}:{}", path.display(), i + 1);
            let (by_client, message) = match (line.get("client"), line.get("server")) {
                (Some(message), None) => (true, message),
                (None, Some(message)) => (false, message),
                _ => continue,
            };
            let parsed = Message::from_value(message.clone()).unwrap_or_else(|error| panic!("{at}: {error:?}"));
            match parsed {
                Message::Request { id, method, params } => {
                    asked.insert((by_client, id.to_value().to_string()), method.clone());
                    // A conversation may show how nonsense is refused.
                    if let Some(entry) = entries
                        .get(&*method)
                        .filter(|_| params != json!({}) || method != "initialize")
                    {
                        used.insert(method.clone());
                        checks.check(&entry["params"], &params, &at);
                    } else {
                        assert!(
                            by_client,
                            "{at}: the server uses {method}, which the index does not have"
                        );
                    }
                }
                Message::Notification { method, params } => {
                    if let Some(entry) = entries.get(&*method) {
                        used.insert(method);
                        checks.check(&entry["params"], &params, &at);
                    } else {
                        assert!(
                            by_client,
                            "{at}: the server uses {method}, which the index does not have"
                        );
                    }
                }
                Message::Response { id, outcome } => {
                    let id = id.expect("an id").to_value().to_string();
                    let method = asked
                        .get(&(!by_client, id))
                        .unwrap_or_else(|| panic!("{at}: answers nothing"));
                    match outcome {
                        Ok(result) => checks.check(&entries[&**method]["result"], &result, &at),
                        Err(error) => {
                            let error = serde_json::to_value(error).unwrap();
                            checks.check(&json!({"$ref": "#/$defs/RpcError"}), &error, &at);
                        }
                    }
                }
            }
        }
    }
    let requests: BTreeSet<_> = METHODS.iter().map(|method| method.name.to_owned()).collect();
    let unused: Vec<_> = requests.difference(&used).collect();
    // Those have no place in a short conversation; each has its own test.
    assert!(unused.len() <= 6, "methods that no conversation shows: {unused:?}");
    assert!(Method::find("table/apply").is_some_and(|method| method.request));
}
