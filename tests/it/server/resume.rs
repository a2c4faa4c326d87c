use std::time::Duration;

use serde_json::{Value, json};
use tallyho::server::limits::Limits;
use tokio::time::timeout;

use super::client::{Got, PATIENCE, Running, applied, initialize, notification, request, resume};

fn events(id: i64, count: usize) -> Value {
    request(id, "solo/assign", json!({"ship": count.to_string()}))
}

#[tokio::test]
async fn missed_events_and_the_outstanding_step_come_again() {
    let (server, journal) = Running::scripted(2, Limits::default()).await;
    let (mut table, result) = server.session("table").await;
    table.call(2, "solo/advance", json!({})).await;
    assert_eq!(table.message().await["params"]["seq"], 1);
    let step = table.message().await;
    drop(table);
    let (mut other, _) = server.session("cli").await;
    other.call(2, "solo/assign", json!({"ship": "2"})).await;
    let mut table = server.socket().await;
    table
        .send(resume(server.tokens.table.expose(), "table", &result["session"], 1))
        .await;
    let again = table.message().await;
    assert_eq!(again["result"]["resumed"], true);
    assert_eq!(again["result"]["session"], result["session"]);
    assert_eq!(again["result"]["seq"], 3);
    assert_eq!(table.message().await["params"]["seq"], 2);
    assert_eq!(table.message().await["params"]["seq"], 3);
    assert_eq!(table.message().await, step, "the same step under the same ids");
    table.send(applied(&step)).await;
    assert_eq!(table.message().await["params"]["actionId"], "1-1");
    assert_eq!(journal.lock().unwrap().resumed, [false, true]);
    assert_eq!(
        table.call(2, "solo/advance", json!({})).await["result"]["message"],
        "advance 1",
        "answered from memory"
    );
}

#[tokio::test]
async fn a_gap_begins_a_new_session() {
    let limits = Limits {
        history_events: 4,
        ..Limits::default()
    };
    let (server, journal) = Running::scripted(2, limits).await;
    for (seen, resumed) in [(7, true), (6, true), (5, false), (0, false), (99, false)] {
        let (mut table, result) = server.session("table").await;
        table.send(events(2, 10)).await;
        for _ in 0..11 {
            table.message().await;
        }
        drop(table);
        let mut table = server.socket().await;
        table
            .send(resume(server.tokens.table.expose(), "table", &result["session"], seen))
            .await;
        let answer = table.message().await;
        let expected = seen + 4 >= 10 && seen <= 10;
        assert_eq!(answer["result"]["resumed"], expected, "{seen} {resumed}");
        assert_eq!(answer["result"]["session"] == result["session"], expected);
        assert_eq!(journal.lock().unwrap().resumed.last(), Some(&expected));
    }
}

#[tokio::test]
async fn a_newer_connection_replaces_the_older() {
    let (server, _) = Running::scripted(1, Limits::default()).await;
    let (mut older, result) = server.session("table").await;
    let mut newer = server.socket().await;
    newer
        .send(resume(server.tokens.table.expose(), "table", &result["session"], 0))
        .await;
    assert_eq!(newer.message().await["result"]["resumed"], true);
    assert_eq!(older.got().await, Got::Close(4009));
    assert_eq!(newer.call(2, "$/ping", json!({})).await["result"], json!({}));
}

#[tokio::test]
async fn another_table_takes_over_and_the_plan_goes_on_there() {
    let (server, journal) = Running::scripted(1, Limits::default()).await;
    let (mut older, _) = server.session("table").await;
    older.call(2, "solo/advance", json!({})).await;
    older.message().await;
    let step = older.message().await;
    let (mut newer, _) = server.session("table").await;
    assert_eq!(older.got().await, Got::Close(4009));
    let again = newer.message().await;
    assert_eq!(again["params"], step["params"]);
    newer.send(applied(&again)).await;
    assert_eq!(newer.message().await["params"]["event"]["kind"], "activated");
    assert_eq!(journal.lock().unwrap().resumed, [false, false]);
}

#[tokio::test]
async fn a_session_waits_only_so_long() {
    let limits = Limits {
        grace: Duration::from_millis(150),
        ..Limits::default()
    };
    let (server, journal) = Running::scripted(1, limits).await;
    let (table, result) = server.session("table").await;
    drop(table);
    tokio::time::sleep(Duration::from_millis(400)).await;
    let mut table = server.socket().await;
    table
        .send(resume(server.tokens.table.expose(), "table", &result["session"], 0))
        .await;
    assert_eq!(table.message().await["result"]["resumed"], false);
    assert_eq!(journal.lock().unwrap().resumed, [false, false]);
}

/// A poll session, as the table's Lua sees it.
struct Polls<'s> {
    server: &'s Running,
    session: Value,
    ack: u64,
}

impl Polls<'_> {
    async fn open(server: &Running, terse: bool) -> Polls<'_> {
        let mut first = initialize(server.tokens.table.expose(), "table");
        first["params"]["capabilities"] = json!({"terse": terse, "dialect": "tts"});
        let reply = server.poll(json!({"messages": [first]})).await;
        assert_eq!(reply["first"], 1);
        assert_eq!(reply["messages"][0]["result"]["session"], reply["session"]);
        Polls {
            server,
            session: reply["session"].clone(),
            ack: 1,
        }
    }

    /// The new messages that a poll brings.
    async fn poll(&mut self, messages: Value) -> Vec<Value> {
        let body = json!({"session": self.session, "ack": self.ack, "messages": messages, "holdMs": 300});
        let reply = self.server.poll(body).await;
        let first = reply["first"].as_u64().unwrap();
        let messages = reply["messages"].as_array().cloned().unwrap_or_default();
        assert!(first <= self.ack + 1, "no gap");
        let new = messages
            .into_iter()
            .skip((self.ack + 1 - first) as usize)
            .collect::<Vec<_>>();
        self.ack += new.len() as u64;
        new
    }
}

#[tokio::test]
async fn a_poll_that_got_lost_brings_the_same_again() {
    let (server, journal) = Running::scripted(2, Limits::default()).await;
    let mut table = Polls::open(&server, false).await;
    let advance = json!([request(2, "solo/advance", json!({}))]);
    let first = table.poll(advance.clone()).await;
    assert_eq!(first.len(), 3, "answer, event, step: {first:?}");
    // The reply got lost: the client sends the same again.
    table.ack = 1;
    let again = table.poll(advance).await;
    assert_eq!(again[..3], first[..], "the same messages under the same numbers");
    assert_eq!(
        again[3..],
        [first[0].clone()],
        "and the request is answered once more, from memory"
    );
    assert_eq!(journal.lock().unwrap().advances, 1);
    let answer = json!([applied(&first[2])]);
    let next = table.poll(answer.clone()).await;
    assert_eq!(next[0]["params"]["actionId"], "1-1");
    assert_eq!(
        table.poll(answer).await,
        Vec::<Value>::new(),
        "an answer that comes twice does nothing"
    );
    let last = table.poll(json!([applied(&next[0])])).await;
    assert_eq!(last[0]["params"]["event"]["kind"], "activated");
}

#[tokio::test]
async fn replies_are_short_and_plain_for_a_poor_reader() {
    let (server, _) = Running::scripted(1, Limits::default()).await;
    let table = Polls::open(&server, true).await;
    let mut ack = 1;
    let mut seen = 0;
    let mut messages = json!([events(2, 12)]);
    while seen < 13 {
        let head = format!(
            "POST /v1/rpc HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json",
            server.address
        );
        let body = json!({"session": table.session, "ack": ack, "messages": messages}).to_string();
        let (_, text) = server.http(&head, &body).await;
        assert!(text.len() < 2500, "{}", text.len());
        for bad in ["null", "\\u", "\\/"] {
            assert!(!text.contains(bad), "{text}");
        }
        let reply: Value = serde_json::from_str(&text).unwrap();
        let count = reply["messages"].as_array().map_or(0, Vec::len) as u64;
        assert!(count > 0);
        ack += count;
        seen += count;
        messages = json!([]);
    }
}

#[tokio::test]
async fn a_held_poll_is_answered_as_soon_as_something_happens() {
    let (server, _) = Running::scripted(1, Limits::default()).await;
    let table = Polls::open(&server, false).await;
    let body = json!({"session": table.session, "ack": 1});
    let held = server.poll(body.clone());
    let act = async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        let (mut other, _) = server.session("cli").await;
        other.call(2, "solo/assign", json!({"ship": "1"})).await;
    };
    let (reply, ()) = timeout(Duration::from_secs(3), async { tokio::join!(held, act) })
        .await
        .expect("before the hold ends");
    assert_eq!(reply["messages"][0]["params"]["event"]["kind"], "note");
    // A second poll releases the first one with nothing.
    let body = json!({"session": table.session, "ack": 2});
    let (first, second) = timeout(PATIENCE, async {
        tokio::join!(server.poll(body.clone()), async {
            tokio::time::sleep(Duration::from_millis(100)).await;
            let ping = request(9, "$/ping", json!({}));
            server
                .poll(json!({"session": table.session, "ack": 2, "messages": [ping]}))
                .await
        })
    })
    .await
    .unwrap();
    assert_eq!(first["messages"].as_array().map(Vec::len), Some(0));
    assert_eq!(second["messages"][0]["id"], 9);
}

#[tokio::test]
async fn a_poll_session_rests_comes_back_and_ends() {
    let limits = Limits {
        silence: Duration::from_millis(200),
        hold: Duration::from_millis(50),
        ..Limits::default()
    };
    let (server, journal) = Running::scripted(1, limits).await;
    let mut table = Polls::open(&server, false).await;
    let step = table
        .poll(json!([request(2, "solo/advance", json!({}))]))
        .await
        .pop()
        .unwrap();
    assert!(journal.lock().unwrap().attached);
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert!(!journal.lock().unwrap().attached, "silent: away");
    assert_eq!(
        table.poll(json!([])).await,
        std::slice::from_ref(&step),
        "back: the step comes again"
    );
    assert_eq!(journal.lock().unwrap().resumed, [false, true]);
    // The same table loads anew: the old session is told for good, the new one goes on.
    let mut reloaded = Polls::open(&server, false).await;
    let lost = server.poll(json!({"session": table.session, "ack": table.ack})).await;
    assert_eq!(
        lost["messages"][0]["error"]["data"],
        json!({"kind": "sessionLost", "retry": "never"})
    );
    let again = reloaded.poll(json!([])).await;
    assert_eq!(again[0]["params"], step["params"]);
    reloaded.poll(json!([request(3, "shutdown", json!({}))])).await;
    reloaded.poll(json!([notification("exit")])).await;
    let lost = server.poll(json!({"session": reloaded.session, "ack": 0})).await;
    assert_eq!(lost["messages"][0]["error"]["data"]["retry"], "reconnect");
    assert!(!journal.lock().unwrap().attached);
}

#[tokio::test]
async fn a_poll_session_may_be_resumed_by_name() {
    let (server, _) = Running::scripted(1, Limits::default()).await;
    let mut table = Polls::open(&server, false).await;
    let first = table.poll(json!([request(2, "solo/advance", json!({}))])).await;
    let message = resume(server.tokens.table.expose(), "table", &table.session, 0);
    let reply = server.poll(json!({"ack": 0, "messages": [message]})).await;
    assert_eq!(reply["session"], table.session);
    assert_eq!(reply["first"], 5, "the numbers go on");
    assert_eq!(reply["messages"][0]["result"]["resumed"], true);
    assert_eq!(reply["messages"][1], first[1], "the missed event");
    assert_eq!(reply["messages"][2], first[2], "the step that waits");
}
