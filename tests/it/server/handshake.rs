use std::time::Duration;

use serde_json::{Value, json};
use tallyho::server::limits::Limits;
use tokio_tungstenite::tungstenite::Message;

use super::client::{Got, Running, applied, initialize, notification, request};

fn code(answer: &Value) -> (i64, &str) {
    (
        answer["error"]["code"].as_i64().unwrap_or(0),
        answer["error"]["data"]["kind"].as_str().unwrap_or(""),
    )
}

#[tokio::test]
async fn a_session_opens_lives_and_ends() {
    let (server, _) = Running::scripted(1, Limits::default()).await;
    let (mut socket, result) = server.session("table").await;
    assert_eq!(result["protocol"], 1);
    assert_eq!(result["role"], "table");
    assert_eq!(result["resumed"], false);
    assert_eq!(result["session"].as_str().map(str::len), Some(32));
    assert_eq!(
        result["limits"],
        json!({"maxMessageBytes": 1 << 20, "idleMs": 45_000, "historyEvents": 256})
    );
    socket.send(notification("initialized")).await;
    assert_eq!(socket.call(2, "$/ping", json!({})).await["result"], json!({}));
    assert_eq!(
        code(&socket.call(3, "initialize", json!({})).await),
        (-32600, "invalidRequest")
    );
    assert_eq!(socket.call(4, "shutdown", json!({})).await["result"], json!({}));
    assert_eq!(
        code(&socket.call(5, "game/status", json!({})).await),
        (-32600, "invalidRequest")
    );
    socket.send(notification("exit")).await;
    assert_eq!(socket.got().await, Got::Close(1000));
}

#[tokio::test]
async fn nothing_comes_before_initialize() {
    let (server, _) = Running::scripted(1, Limits::default()).await;
    let mut socket = server.socket().await;
    socket.send(notification("solo/advance")).await;
    assert_eq!(
        code(&socket.call(7, "game/status", json!({})).await),
        (-32002, "notInitialized")
    );
    socket.send(initialize(server.tokens.table.expose(), "table")).await;
    assert_eq!(
        socket.message().await["result"]["role"],
        "table",
        "it may still begin properly"
    );
    let mut socket = server.socket().await;
    socket.send(notification("exit")).await;
    assert_eq!(socket.got().await, Got::Close(1000));
}

#[tokio::test]
async fn a_wrong_token_or_version_is_told_and_ends_the_connection() {
    let (server, _) = Running::scripted(1, Limits::default()).await;
    let good = server.tokens.table.expose();
    for (message, kind, close) in [
        (initialize("wrong", "table"), (1001, "auth"), 4002),
        (initialize(&good[1..], "table"), (1001, "auth"), 4002),
        (initialize("", "viewer"), (1001, "auth"), 4002),
        (
            request(
                1,
                "initialize",
                json!({"protocol": {"min": 2, "max": 9}, "client": {"name": "x"}, "auth": good}),
            ),
            (1003, "version"),
            4003,
        ),
    ] {
        let mut socket = server.socket().await;
        socket.send(message).await;
        let answer = socket.message().await;
        assert_eq!(code(&answer), kind);
        assert_eq!(socket.got().await, Got::Close(close));
        if close == 4003 {
            assert_eq!(answer["error"]["data"]["supported"], json!({"min": 1, "max": 1}));
        }
    }
    let mut socket = server.socket().await;
    socket.send(request(1, "initialize", json!({"client": 7}))).await;
    assert_eq!(code(&socket.message().await), (-32602, "invalidParams"));
    socket.send(initialize(good, "table")).await;
    assert_eq!(
        socket.message().await["result"]["role"],
        "table",
        "bad parameters may be mended"
    );
}

#[tokio::test]
async fn a_late_initialize_is_too_late() {
    let limits = Limits {
        initialize: Duration::from_millis(150),
        ..Limits::default()
    };
    let (server, _) = Running::scripted(1, limits).await;
    let mut socket = server.socket().await;
    assert_eq!(socket.got().await, Got::Close(4001));
    let (mut socket, _) = server.session("cli").await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(
        socket.call(2, "$/ping", json!({})).await["result"],
        json!({}),
        "who is in stays in"
    );
}

#[tokio::test]
async fn messages_that_are_none_are_told_so() {
    let (server, journal) = Running::scripted(1, Limits::default()).await;
    let (mut socket, _) = server.session("table").await;
    for (text, code_and_id) in [
        ("junk", (-32700, Value::Null)),
        ("[]", (-32600, Value::Null)),
        (
            r#"[{"jsonrpc":"2.0","id":1,"method":"solo/advance"}]"#,
            (-32600, Value::Null),
        ),
        (
            r#"{"jsonrpc":"2.0","id":null,"method":"solo/advance"}"#,
            (-32600, Value::Null),
        ),
        (
            r#"{"jsonrpc":"2.0","id":1.5,"method":"solo/advance"}"#,
            (-32600, Value::Null),
        ),
        (
            r#"{"jsonrpc":"2.0","id":8,"method":"solo/advance","params":[1]}"#,
            (-32602, json!(8)),
        ),
        (r#"{"jsonrpc":"2.0","id":9,"method":"no/such"}"#, (-32601, json!(9))),
        (
            r#"{"jsonrpc":"2.0","id":"ten","method":"$/unknown"}"#,
            (-32601, json!("ten")),
        ),
        (
            r#"{"jsonrpc":"2.0","id":11,"method":"table/apply"}"#,
            (-32601, json!(11)),
        ),
    ] {
        socket.raw(Message::text(text)).await;
        let answer = socket.message().await;
        assert_eq!(
            (answer["error"]["code"].as_i64().unwrap(), answer["id"].clone()),
            (code_and_id.0, code_and_id.1),
            "{text}"
        );
    }
    // None of these is answered: the next answer is the ping's.
    for text in [
        r#"{"jsonrpc":"2.0","method":"no/such"}"#,
        r#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":3}}"#,
        r#"{"jsonrpc":"2.0","method":"solo/advance","params":7}"#,
        r#"{"jsonrpc":"2.0","id":77,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"?"}}"#,
    ] {
        socket.raw(Message::text(text)).await;
    }
    socket
        .raw(Message::text(
            r#"{"jsonrpc":"2.0","id":1E+15,"method":"$/ping","params":[]}"#,
        ))
        .await;
    assert_eq!(
        socket.message().await,
        json!({"jsonrpc": "2.0", "id": 1_000_000_000_000_000_i64, "result": {}})
    );
    assert_eq!(journal.lock().unwrap().advances, 0);
}

#[tokio::test]
async fn a_step_is_asked_for_answered_and_followed_by_the_next() {
    let (server, journal) = Running::scripted(2, Limits::default()).await;
    let (mut socket, _) = server.session("table").await;
    socket
        .send(request(2, "solo/advance", json!({"opId": "a", "progressToken": "p"})))
        .await;
    let answer = socket.message().await;
    assert_eq!(answer["result"]["ships"], json!(["a"]));
    let progress =
        |value: Value| json!({"jsonrpc": "2.0", "method": "$/progress", "params": {"token": "p", "value": value}});
    assert_eq!(
        socket.message().await,
        progress(json!({"kind": "begin", "title": "advance 1"}))
    );
    let event = socket.message().await;
    assert_eq!(
        (&event["method"], &event["params"]["seq"]),
        (&json!("game/event"), &json!(1))
    );
    let first = socket.message().await;
    assert_eq!(
        (&first["method"], &first["params"]["actionId"]),
        (&json!("table/apply"), &json!("1-0"))
    );
    assert_eq!(
        code(&socket.call(3, "solo/advance", json!({"opId": "b"})).await),
        (2004, "busy")
    );
    socket.send(applied(&first)).await;
    assert_eq!(socket.message().await, progress(json!({"kind": "report", "done": 1})));
    let second = socket.message().await;
    assert_eq!(second["params"]["actionId"], "1-1");
    socket.send(applied(&first)).await;
    socket
        .send(json!({"jsonrpc": "2.0", "id": second["id"], "result": {"outcome": "sideways"}}))
        .await;
    assert_eq!(socket.message().await, progress(json!({"kind": "report", "done": 2})));
    assert_eq!(socket.message().await["params"]["event"]["kind"], "activated");
    assert_eq!(socket.message().await, progress(json!({"kind": "end", "done": 2})));
    let journal = journal.lock().unwrap();
    assert_eq!(journal.bad_answers.len(), 1);
    assert!(journal.bad_answers[0].contains("sideways"), "{:?}", journal.bad_answers);
}

#[tokio::test]
async fn an_operation_or_id_that_comes_twice_is_carried_out_once() {
    let (server, journal) = Running::scripted(0, Limits::default()).await;
    let (mut socket, _) = server.session("table").await;
    let first = socket.call(2, "solo/advance", json!({"opId": "a"})).await;
    assert_eq!(
        socket.call(2, "solo/advance", json!({"opId": "a"})).await,
        first,
        "the same id"
    );
    assert_eq!(
        socket.call(3, "solo/advance", json!({"opId": "a"})).await["result"],
        first["result"],
        "the same opId"
    );
    assert_eq!(
        code(&socket.call(2, "solo/advance", json!({"opId": "b"})).await),
        (-32600, "invalidRequest")
    );
    let (mut again, _) = server.session("table").await;
    assert_eq!(
        again.call(2, "solo/advance", json!({"opId": "a"})).await["result"],
        first["result"],
        "a new session"
    );
    assert_eq!(journal.lock().unwrap().advances, 1);
    assert_ne!(
        again.call(3, "solo/advance", json!({"opId": "b"})).await["result"],
        first["result"]
    );
}

#[tokio::test]
async fn a_prompt_has_a_deadline_and_a_roll_an_end() {
    let limits = Limits {
        roll: Duration::from_millis(100),
        ..Limits::default()
    };
    let (server, journal) = Running::scripted(1, limits).await;
    let (mut socket, _) = server.session("table").await;
    socket.call(2, "solo/advance", json!({"confirm": true})).await;
    assert_eq!(socket.message().await["method"], "game/event");
    let prompt = socket.message().await;
    assert_eq!(prompt["method"], "table/prompt");
    let cancel = socket.message().await;
    assert_eq!(
        (&cancel["method"], &cancel["params"]["id"]),
        (&json!("$/cancelRequest"), &prompt["id"])
    );
    assert_eq!(journal.lock().unwrap().choices, [None]);

    socket.call(3, "solo/advance", json!({"confirm": true})).await;
    assert_eq!(socket.message().await["method"], "game/event");
    let prompt = socket.message().await;
    socket
        .send(json!({"jsonrpc": "2.0", "id": prompt["id"], "result": {"choice": "yes"}}))
        .await;
    assert_eq!(socket.message().await["method"], "table/apply");
    assert_eq!(journal.lock().unwrap().choices, [None, Some("yes".into())]);

    socket.call(4, "solo/override", json!({})).await;
    let roll = socket.message().await;
    assert_eq!(roll["method"], "dice/roll");
    socket
        .send(json!({"jsonrpc": "2.0", "id": roll["id"], "result": {"attack": ["hit"], "defence": []}}))
        .await;
    socket.call(5, "solo/override", json!({"opId": "other"})).await;
    assert_eq!(socket.message().await["method"], "dice/roll");
    assert_eq!(socket.message().await["method"], "$/cancelRequest");
    let rolls = &journal.lock().unwrap().rolls;
    assert_eq!(rolls.len(), 2);
    assert_eq!(
        rolls[0].as_ref().map(|roll| roll.attack.clone()),
        Some(vec!["hit".to_owned()])
    );
    assert_eq!(rolls[1], None);
}

#[tokio::test]
async fn a_step_without_an_answer_is_sent_again_under_its_id() {
    let limits = Limits {
        resend: Duration::from_millis(100),
        ..Limits::default()
    };
    let (server, _) = Running::scripted(1, limits).await;
    let (mut socket, _) = server.session("table").await;
    socket.call(2, "solo/advance", json!({})).await;
    assert_eq!(socket.message().await["method"], "game/event");
    let first = socket.message().await;
    assert_eq!(first["method"], "table/apply");
    assert_eq!(socket.message().await, first);
    socket.send(applied(&first)).await;
    assert_eq!(socket.message().await["params"]["event"]["kind"], "activated");
}

#[tokio::test]
async fn a_panic_fails_one_request_and_not_the_server() {
    let (server, _) = Running::scripted(0, Limits::default()).await;
    let (mut socket, _) = server.session("table").await;
    assert_eq!(
        code(&socket.call(2, "solo/advance", json!({"ship": "panic"})).await),
        (-32603, "internal")
    );
    assert_eq!(socket.call(3, "$/ping", json!({})).await["result"], json!({}));
}

/// What one client cannot read is left out for that client alone.
#[tokio::test]
async fn a_terse_table_gets_no_reasons_and_its_viewers_do() {
    let (server, _) = Running::scripted(1, Limits::default()).await;
    let mut table = server.socket().await;
    let mut hello = initialize(server.tokens.table.expose(), "table");
    hello["params"]["capabilities"] = json!({"terse": true, "steps": []});
    table.send(hello).await;
    table.message().await;
    let (mut viewer, _) = server.session("viewer").await;
    table.call(2, "solo/advance", json!({})).await;
    let told = table.message().await;
    let seen = viewer.message().await;
    assert_eq!(told["params"]["event"]["kind"], "decided");
    assert_eq!(told["params"]["event"].get("reasons"), None);
    assert_eq!(seen["params"]["event"]["reasons"][0]["rule"], "SA-3.1");
    let preview = async |socket: &mut super::client::Socket| socket.call(3, "solo/preview", json!({})).await;
    assert_eq!(preview(&mut table).await["result"].get("reasons"), None);
    assert!(preview(&mut viewer).await["result"]["reasons"].is_array());
}
