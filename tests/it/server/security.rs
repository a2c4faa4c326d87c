use serde_json::{Value, json};
use tallyho::server::limits::Limits;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

use super::client::{Running, initialize, request};

/// Heads of requests that a page, a rebound name or a careless program would send, and what becomes of them.
#[tokio::test]
async fn what_is_refused_before_it_is_read() {
    let (server, _) = Running::scripted(1, Limits::default()).await;
    let own = server.address.to_string();
    let port = server.address.port();
    let body =
        json!({"session": "", "ack": 0, "messages": [initialize(server.tokens.table.expose(), "table")]}).to_string();
    let socket = "upgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==";
    let json = "content-type: application/json";
    let post = "POST /v1/rpc HTTP/1.1";
    for (what, head, expected) in [
        ("good", format!("{post}\r\nhost: {own}\r\n{json}"), 200),
        (
            "good by name",
            format!("{post}\r\nhost: localhost:{port}\r\n{json}; charset=utf-8"),
            200,
        ),
        (
            "own page",
            format!("{post}\r\nhost: {own}\r\n{json}\r\norigin: http://{own}\r\nsec-fetch-site: same-origin"),
            200,
        ),
        (
            "evil origin",
            format!("{post}\r\nhost: {own}\r\n{json}\r\norigin: https://evil.example"),
            403,
        ),
        (
            "null origin",
            format!("{post}\r\nhost: {own}\r\n{json}\r\norigin: null"),
            403,
        ),
        (
            "another port's page",
            format!("{post}\r\nhost: {own}\r\n{json}\r\norigin: http://127.0.0.1:1"),
            403,
        ),
        (
            "cross-site fetch",
            format!("{post}\r\nhost: {own}\r\n{json}\r\nsec-fetch-site: cross-site"),
            403,
        ),
        (
            "evil host",
            format!("{post}\r\nhost: evil.example:{port}\r\n{json}"),
            403,
        ),
        ("no host", format!("{post}\r\n{json}"), 403),
        (
            "two hosts",
            format!("{post}\r\nhost: {own}\r\nhost: {own}\r\n{json}"),
            403,
        ),
        ("old HTTP", format!("POST /v1/rpc HTTP/1.0\r\n{json}"), 403),
        (
            "text/plain",
            format!("{post}\r\nhost: {own}\r\ncontent-type: text/plain"),
            415,
        ),
        (
            "form",
            format!("{post}\r\nhost: {own}\r\ncontent-type: application/x-www-form-urlencoded"),
            415,
        ),
        ("no type", format!("{post}\r\nhost: {own}"), 415),
        (
            "odd type, wrong token",
            format!("{post}\r\nhost: {own}\r\ncontent-type: text/plain\r\nauthorization: Bearer x"),
            415,
        ),
        (
            "odd type with the token",
            format!(
                "{post}\r\nhost: {own}\r\ncontent-type: text/plain\r\nauthorization: Bearer {}",
                server.tokens.table.expose()
            ),
            200,
        ),
        (
            "preflight",
            format!("OPTIONS /v1/rpc HTTP/1.1\r\nhost: {own}\r\norigin: https://evil.example"),
            403,
        ),
        ("OPTIONS", format!("OPTIONS /v1/rpc HTTP/1.1\r\nhost: {own}"), 405),
        (
            "socket from an evil page",
            format!("GET /ws HTTP/1.1\r\nhost: {own}\r\n{socket}\r\norigin: https://evil.example"),
            403,
        ),
        (
            "socket from nowhere",
            format!("GET /ws HTTP/1.1\r\nhost: {own}\r\n{socket}\r\norigin: null"),
            403,
        ),
        (
            "socket by a rebound name",
            format!("GET /ws HTTP/1.1\r\nhost: evil.example:{port}\r\n{socket}"),
            403,
        ),
        (
            "evil absolute target",
            format!("GET http://evil.example/health HTTP/1.1\r\nhost: {own}"),
            403,
        ),
        ("health", format!("GET /health HTTP/1.1\r\nhost: {own}"), 200),
        (
            "health for an evil page",
            format!("GET /health HTTP/1.1\r\nhost: {own}\r\norigin: https://evil.example"),
            403,
        ),
        ("elsewhere", format!("GET /etc/passwd HTTP/1.1\r\nhost: {own}"), 404),
        ("GET on the poll", format!("GET /v1/rpc HTTP/1.1\r\nhost: {own}"), 405),
    ] {
        // The good ones end with what they got, not after the hold: the answer to initialize is there at once.
        let body = if head.starts_with("POST") { body.as_str() } else { "" };
        let (status, answer) = server.http(&head, body).await;
        assert_eq!(status, expected, "{what}: {answer}");
    }
}

#[tokio::test]
async fn a_socket_from_an_evil_page_is_not_opened() {
    let (server, _) = Running::scripted(1, Limits::default()).await;
    for (origin, good) in [
        ("https://evil.example", false),
        ("null", false),
        (&*format!("http://{}", server.address), true),
    ] {
        let mut handshake = format!("ws://{}/ws", server.address).into_client_request().unwrap();
        handshake.headers_mut().insert("origin", origin.parse().unwrap());
        assert_eq!(connect_async(handshake).await.is_ok(), good, "{origin}");
    }
}

#[tokio::test]
async fn the_subprotocol_is_chosen_when_offered() {
    let (server, _) = Running::scripted(1, Limits::default()).await;
    let mut handshake = format!("ws://{}/ws", server.address).into_client_request().unwrap();
    handshake
        .headers_mut()
        .insert("sec-websocket-protocol", "other, tallyho.v1.json".parse().unwrap());
    let (_, answer) = connect_async(handshake).await.unwrap();
    assert_eq!(answer.headers()["sec-websocket-protocol"], "tallyho.v1.json");
}

/// The role comes from the token; a claim can only make it smaller.
#[tokio::test]
async fn a_viewer_cannot_act_whatever_it_claims() {
    let (server, journal) = Running::scripted(1, Limits::default()).await;
    let mut socket = server.socket().await;
    socket.send(initialize(server.tokens.viewer.expose(), "table")).await;
    assert_eq!(socket.message().await["result"]["role"], "viewer");
    let sync = json!({"rev": 1, "snapshot": {"kind": "tts"}});
    for (id, method, params) in [
        (2, "table/sync", sync.clone()),
        (3, "solo/advance", json!({})),
        (4, "solo/undo", json!({})),
        (5, "solo/override", json!({})),
        (6, "solo/assign", json!({})),
    ] {
        let answer = socket.call(id, method, params).await;
        assert_eq!(answer["error"]["data"]["kind"], "role", "{method}");
        assert_eq!(answer["error"]["code"], 1002);
    }
    assert!(socket.call(7, "solo/preview", json!({})).await["result"].is_object());
    assert!(socket.call(8, "game/status", json!({})).await["result"].is_object());
    let (mut narrowed, result) = server.session("cli").await;
    assert_eq!(result["role"], "cli");
    assert_eq!(
        narrowed.call(2, "table/sync", sync).await["error"]["data"]["kind"],
        "role"
    );
    let journal = journal.lock().unwrap();
    assert_eq!(journal.advances, 0);
    assert!(journal.resumed.is_empty(), "no table was ever attached");
}

/// A viewer that learns a table's session id still is a viewer.
#[tokio::test]
async fn a_viewer_cannot_take_over_the_tables_session() {
    let (server, _) = Running::scripted(1, Limits::default()).await;
    let (mut table, result) = server.session("table").await;
    let mut socket = server.socket().await;
    socket
        .send(super::client::resume(
            server.tokens.viewer.expose(),
            "table",
            &result["session"],
            0,
        ))
        .await;
    let answer = socket.message().await;
    assert_eq!(
        (&answer["result"]["role"], &answer["result"]["resumed"]),
        (&json!("viewer"), &json!(false))
    );
    assert_ne!(answer["result"]["session"], result["session"]);
    assert_eq!(table.call(2, "$/ping", json!({})).await["result"], json!({}));
}

#[tokio::test]
async fn health_proves_who_is_there_and_tells_nothing_else() {
    let (server, _) = Running::scripted(1, Limits::default()).await;
    let head = |query: &str| format!("GET /health{query} HTTP/1.1\r\nhost: {}", server.address);
    let (status, body) = server.http(&head(""), "").await;
    let body: Value = serde_json::from_str(&body).unwrap();
    assert_eq!(
        (status, body),
        (200, json!({"name": "tallyho", "protocol": {"min": 1, "max": 1}}))
    );
    let nonce = "0123456789abcdef";
    let (_, body) = server.http(&head(&format!("?nonce={nonce}")), "").await;
    let body: Value = serde_json::from_str(&body).unwrap();
    assert!(server.tokens.table.proves(nonce, body["proof"].as_str().unwrap()));
    assert!(
        server
            .tokens
            .viewer
            .proves(nonce, body["viewerProof"].as_str().unwrap())
    );
    assert_ne!(body["proof"], body["viewerProof"]);
    assert_eq!(server.http(&head("?nonce=short"), "").await.0, 400);
    assert_eq!(
        server.http(&head(&format!("?nonce={}", "x".repeat(129))), "").await.0,
        400
    );
}

/// Everything that HTTP can carry wrongly ends in a plain answer.
#[tokio::test]
async fn junk_over_http_is_answered_plainly() {
    let (server, _) = Running::scripted(1, Limits::default()).await;
    let head = format!(
        "POST /v1/rpc HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json",
        server.address
    );
    for body in [
        "",
        "junk",
        "[]x",
        "{\"messages\": 7}",
        "{\"ack\": -1}",
        "{\"ack\": 1.5}",
    ] {
        assert_eq!(server.http(&head, body).await.0, 400, "{body}");
    }
    let kinds = |reply: &Value| -> Vec<String> {
        let messages = reply["messages"].as_array().unwrap();
        messages
            .iter()
            .map(|message| message["error"]["data"]["kind"].as_str().unwrap().to_owned())
            .collect()
    };
    let status = request(5, "game/status", json!({}));
    let reply = server
        .poll(json!({"messages": [status, 7, {"jsonrpc": "2.0", "method": "initialized"}]}))
        .await;
    assert_eq!(kinds(&reply), ["notInitialized", "invalidRequest"]);
    let reply = server
        .poll(json!({"session": "0123", "ack": 3, "messages": [status]}))
        .await;
    assert_eq!(kinds(&reply), ["sessionLost"]);
    assert_eq!(reply["messages"][0]["id"], 5);
    let reply = server.poll(json!({"session": "0123", "ack": 3})).await;
    assert_eq!(kinds(&reply), ["sessionLost"]);
    assert_eq!(reply["messages"][0]["error"]["data"]["retry"], "reconnect");
    let reply = server.poll(json!({"messages": [initialize("wrong", "table")]})).await;
    assert_eq!(kinds(&reply), ["auth"]);
}
