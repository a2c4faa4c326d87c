//! What the server adds to the bare wire: from `solo/advance` to the first `table/apply`, over a loopback WebSocket, against
//! the same bytes echoed by the same socket code. Prints both and their ratio.
//!
//! `cargo bench --bench round_trip [-- --test]`; `--test` runs a few rounds only.

use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tallyho::bridge::host::{Host, HostConfig};
use tallyho::server::http::Shared;
use tallyho::server::hub::Hub;
use tallyho::server::limits::Limits;
use tallyho::server::listen::serve;
use tallyho::server::tokens::Tokens;
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};
use tokio_util::sync::CancellationToken;

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// The bare comparison; its `main` is for the conformance suite.
#[allow(dead_code)]
#[path = "../examples/ws_echo.rs"]
mod ws_echo;

async fn next(socket: &mut Socket) -> Value {
    loop {
        match socket
            .next()
            .await
            .expect("the connection holds")
            .expect("a good frame")
        {
            Message::Text(text) => return serde_json::from_str(&text).expect("JSON"),
            _ => continue,
        }
    }
}

async fn say(socket: &mut Socket, message: &Value) {
    socket
        .send(Message::text(message.to_string()))
        .await
        .expect("the connection holds");
}

fn position(rev: u64) -> Value {
    let ship = |id: String, side: &str, xws: &str, x: f64, y: f64, heading: f64| {
        json!({"id": id, "name": id, "side": side, "ship": xws, "size": "small", "x": x, "y": y, "heading": heading,
            "initiative": 3})
    };
    let solo = (0..4).map(|i| {
        ship(
            format!("T{i}"),
            "solo",
            "tielnfighter",
            200.0 + 120.0 * f64::from(i),
            700.0,
            180.0,
        )
    });
    let players = (0..4).map(|i| {
        ship(
            format!("X{i}"),
            "player",
            "t65xwing",
            230.0 + 110.0 * f64::from(i),
            250.0,
            0.0,
        )
    });
    let ships: Vec<_> = solo.chain(players).collect();
    let position = json!({"id": "bench", "area": {"w": 914.4, "h": 914.4}, "ships": ships, "obstacles": []});
    json!({"rev": rev, "snapshot": {"kind": "plain", "position": position}})
}

/// From the button to the first step. Between two rounds the ship is set back to waiting.
async fn advance(socket: &mut Socket, round: u64, id: &mut u64) -> Duration {
    let mut request = |method: &str, params: Value| {
        *id += 1;
        json!({"jsonrpc": "2.0", "id": *id, "method": method, "params": params})
    };
    let started = Instant::now();
    say(
        socket,
        &request("solo/advance", json!({"opId": format!("press {round}")})),
    )
    .await;
    let mut first = None;
    loop {
        let message = next(socket).await;
        match message["method"].as_str() {
            Some("table/requestSync") => say(socket, &request("table/sync", position(2 + round))).await,
            Some("table/apply") => {
                first.get_or_insert_with(|| started.elapsed());
                let step = &message["params"]["step"];
                let mut result = json!({"outcome": "applied", "rev": 2 + round});
                if step["to"].is_object() {
                    result["observed"] = step["to"].clone();
                }
                say(
                    socket,
                    &json!({"jsonrpc": "2.0", "id": message["id"], "result": result}),
                )
                .await;
            }
            Some("game/event") if message["params"]["event"]["kind"] == "activated" => {
                let ship = &message["params"]["event"]["ship"];
                say(
                    socket,
                    &request("solo/override", json!({"ship": ship, "activated": "waiting"})),
                )
                .await;
                return first.expect("a step came before the end");
            }
            _ => assert!(message.get("error").is_none(), "{message}"),
        }
    }
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times[times.len() / 2].as_secs_f64() * 1e6
}

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() {
    let rounds: u64 = if std::env::args().any(|argument| argument == "--test") {
        5
    } else {
        500
    };
    let limits = Limits {
        rate: 1e9,
        burst: 1e9,
        ..Limits::default()
    };
    let tokens = Tokens::random().expect("random bytes");
    let (hub, _) = Hub::start(
        Box::new(Host::new(HostConfig {
            seed: 1,
            ..HostConfig::default()
        })),
        tokens.clone(),
        limits,
    );
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let shared = Shared::new(hub.clone(), tokens.clone(), limits);
    tokio::spawn(serve(listener, shared, hub, limits, CancellationToken::new()));
    let echo = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let echo_address = echo.local_addr().expect("an address");
    tokio::spawn(ws_echo::serve(echo));

    let (mut bare, _) = connect_async(format!("ws://{echo_address}/ws"))
        .await
        .expect("the echo");
    let sample = json!({"jsonrpc": "2.0", "id": 1, "method": "solo/advance", "params": {"opId": "press 1"}});
    let mut echoes = Vec::new();
    for _ in 0..rounds {
        let started = Instant::now();
        say(&mut bare, &sample).await;
        next(&mut bare).await;
        echoes.push(started.elapsed());
    }

    let (mut table, _) = connect_async(format!("ws://{address}/ws")).await.expect("the server");
    let steps = ["say", "show", "dial", "move", "place", "token", "lock", "turret"];
    let params = json!({"protocol": {"min": 1, "max": 1}, "client": {"name": "bench"}, "auth": tokens.table.expose(),
        "role": "table", "capabilities": {"dialect": "plain", "steps": steps}});
    say(
        &mut table,
        &json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}),
    )
    .await;
    let answer = next(&mut table).await;
    assert!(answer["result"].is_object(), "{answer}");
    let mut id = 1;
    say(
        &mut table,
        &json!({"jsonrpc": "2.0", "id": id, "method": "table/sync", "params": position(1)}),
    )
    .await;
    let mut advances = Vec::new();
    for round in 0..rounds {
        advances.push(advance(&mut table, round, &mut id).await);
    }

    let (echo, advance) = (median(echoes), median(advances));
    println!("bare echo                    {echo:8.1} us (median of {rounds})");
    println!("solo/advance to table/apply  {advance:8.1} us, a fresh table/sync of 8 ships included");
    println!("ratio                        {:8.1}", advance / echo);
}
