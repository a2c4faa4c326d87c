//! Every row of the table of limits.

use std::time::Duration;

use serde_json::json;
use tallyho::server::limits::Limits;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::{Bytes, Message};

use super::client::{Got, PATIENCE, Running, initialize, notification, request};

/// Asks for so many events of half a kilobyte each.
fn events(id: i64, count: usize) -> serde_json::Value {
    request(id, "solo/assign", json!({"ship": count.to_string()}))
}

#[tokio::test]
async fn an_oversize_message_is_told_so() {
    let limits = Limits {
        message_bytes: 64 << 10,
        ..Limits::default()
    };
    let (server, _) = Running::scripted(1, limits).await;
    let (mut socket, _) = server.session("table").await;
    let padded = |length: usize| Message::text(format!("{}{}", request(2, "$/ping", json!({})), " ".repeat(length)));
    socket.raw(padded(60 << 10)).await;
    assert_eq!(socket.message().await["result"], json!({}), "a big one is fine");
    socket.raw(padded(64 << 10)).await;
    assert_eq!(socket.got().await, Got::Close(1009));
    // Announced, but never sent.
    let (mut socket, _) = server.session("table").await;
    let stream = socket.stream.get_mut();
    stream
        .write_all(&[0x81, 0xff, 0, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff, 1, 2, 3, 4])
        .await
        .unwrap();
    assert_eq!(socket.got().await, Got::Close(1009));
    let head = format!(
        "POST /v1/rpc HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json",
        server.address
    );
    assert_eq!(server.http(&head, &" ".repeat((64 << 10) + 1)).await.0, 413);
}

#[tokio::test]
async fn a_binary_message_is_refused() {
    let (server, _) = Running::scripted(1, Limits::default()).await;
    let (mut socket, _) = server.session("table").await;
    socket.raw(Message::binary(Bytes::from_static(b"{}"))).await;
    assert_eq!(socket.got().await, Got::Close(1003));
}

#[tokio::test]
async fn text_that_is_no_utf8_and_broken_frames_are_refused() {
    let (server, _) = Running::scripted(1, Limits::default()).await;
    for (frame, code) in [
        (&[0x81, 0x82, 0, 0, 0, 0, 0xc3, 0x28][..], 1007),
        (&[0xf1, 0x80, 0, 0, 0, 0][..], 1002),
        (&[0x81, 0x02, b'{', b'}'][..], 1002),
    ] {
        let (mut socket, _) = server.session("cli").await;
        socket.stream.get_mut().write_all(frame).await.unwrap();
        assert_eq!(socket.got().await, Got::Close(code), "{frame:?}");
    }
}

#[tokio::test]
async fn a_flood_is_stopped() {
    let limits = Limits {
        rate: 5.0,
        burst: 20.0,
        ..Limits::default()
    };
    let (server, _) = Running::scripted(1, limits).await;
    let (mut socket, _) = server.session("table").await;
    for _ in 0..40 {
        socket.raw(Message::text(notification("$/ping").to_string())).await;
    }
    assert_eq!(socket.close_code().await, 1008);

    let reply = server
        .poll(json!({"messages": [initialize(server.tokens.table.expose(), "table")]}))
        .await;
    let head = format!(
        "POST /v1/rpc HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json",
        server.address
    );
    let body = json!({"session": reply["session"], "ack": 1, "messages": vec![notification("$/ping"); 40]}).to_string();
    assert_eq!(server.http(&head, &body).await.0, 429);
    let guess = json!({"messages": [initialize("wrong", "table")]}).to_string();
    let mut guesses = Vec::new();
    for _ in 0..25 {
        guesses.push(server.http(&head, &guess).await.0);
    }
    assert!(guesses.contains(&429), "guessing tokens is slow: {guesses:?}");
}

/// A client that takes nothing is put out, and nobody else notices.
#[tokio::test]
async fn a_slow_reader_is_closed_and_holds_nobody_up() {
    let limits = Limits {
        outbox: 16,
        rate: 1e6,
        burst: 1e6,
        send: Duration::from_millis(500),
        ..Limits::default()
    };
    let (server, _) = Running::scripted(1, limits).await;
    let (mut slow, _) = server.session("viewer").await;
    let (mut quick, _) = server.session("cli").await;
    let mut id = 2;
    // More than the system's own buffers between the two can take.
    for _ in 0..60 {
        quick
            .send(request(id, "solo/assign", json!({"ship": "10", "length": 20_000})))
            .await;
        for _ in 0..11 {
            quick.message().await;
        }
        id += 1;
    }
    let mut last = None;
    let ended = timeout(PATIENCE, async {
        loop {
            match slow.got().await {
                Got::Message(message) => last = Some(message["params"]["seq"].clone()),
                end => return end,
            }
        }
    });
    let end = ended.await.unwrap();
    assert!(matches!(end, Got::Close(4008) | Got::Cut), "{end:?}");
    assert!(
        last.is_some_and(|seq| seq.as_u64() < Some(60 * 10)),
        "it did not get everything"
    );
    assert_eq!(quick.call(id, "$/ping", json!({})).await["result"], json!({}));
}

#[tokio::test]
async fn a_full_outbox_closes_at_once() {
    let limits = Limits {
        outbox: 8,
        ..Limits::default()
    };
    let (server, _) = Running::scripted(1, limits).await;
    let (mut socket, _) = server.session("cli").await;
    // Asked for in one go, so that the writer has no chance in between.
    socket.send(events(2, 5000)).await;
    assert_eq!(socket.close_code().await, 4008);
}

#[tokio::test]
async fn silence_ends_a_connection_and_pings_keep_it() {
    let limits = Limits {
        ping: Duration::from_millis(50),
        silence: Duration::from_millis(300),
        ..Limits::default()
    };
    let (server, _) = Running::scripted(1, limits).await;
    // The client answers pings only while it reads.
    let (mut awake, _) = server.session("cli").await;
    let stays = timeout(Duration::from_millis(900), awake.got()).await;
    assert!(stays.is_err(), "{stays:?}");
    let (mut asleep, _) = server.session("viewer").await;
    tokio::time::sleep(Duration::from_millis(600)).await;
    assert_eq!(asleep.close_code().await, 4007);
}

#[tokio::test]
async fn half_an_open_connection_is_dropped() {
    let limits = Limits {
        request: Duration::from_millis(200),
        ..Limits::default()
    };
    let (server, _) = Running::scripted(1, limits).await;
    let own = server.address;
    for start in [
        String::new(),
        "GET /ws HTT".to_owned(),
        format!("GET /ws HTTP/1.1\r\nhost: {own}\r\n"),
        format!(
            "POST /v1/rpc HTTP/1.1\r\nhost: {own}\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{{"
        ),
    ] {
        let mut stream = TcpStream::connect(own).await.unwrap();
        stream.write_all(start.as_bytes()).await.unwrap();
        let mut answer = String::new();
        let ended = timeout(PATIENCE, stream.read_to_string(&mut answer)).await;
        assert!(ended.is_ok(), "still open after {start:?}");
        assert!(
            answer.is_empty() || answer.starts_with("HTTP/1.1 408"),
            "{start:?}: {answer}"
        );
    }
}

#[tokio::test]
async fn there_is_room_for_so_many_and_no_more() {
    let limits = Limits {
        connections: 5,
        unauthenticated: 2,
        ..Limits::default()
    };
    let (server, _) = Running::scripted(1, limits).await;
    let open = async || connect_async(format!("ws://{}/ws", server.address)).await;
    let first = server.socket().await;
    let mut second = server.socket().await;
    assert!(open().await.is_err(), "two strangers at most");
    second.send(initialize(server.tokens.table.expose(), "table")).await;
    second.message().await;
    let mut known = Vec::new();
    for _ in 0..3 {
        known.push(server.session("viewer").await);
    }
    assert!(open().await.is_err(), "five at most");
    drop(first);
    known.pop();
    // The server notices the end of a connection a moment later.
    let again = timeout(PATIENCE, async { while open().await.is_err() {} }).await;
    assert!(again.is_ok());
}

#[tokio::test]
async fn sockets_beyond_the_limit_are_turned_away_and_come_back() {
    let limits = Limits {
        sockets: 3,
        request: Duration::from_millis(300),
        ..Limits::default()
    };
    let (server, _) = Running::scripted(1, limits).await;
    let mut hogs = Vec::new();
    for _ in 0..3 {
        hogs.push(TcpStream::connect(server.address).await.unwrap());
    }
    let mut turned_away = TcpStream::connect(server.address).await.unwrap();
    let mut rest = Vec::new();
    let end = timeout(PATIENCE, turned_away.read_to_end(&mut rest))
        .await
        .expect("closed at once");
    assert!(rest.is_empty(), "{end:?}");
    // The hogs said nothing and are dropped; then there is room.
    let head = format!("GET /health HTTP/1.1\r\nhost: {}", server.address);
    tokio::time::sleep(Duration::from_millis(600)).await;
    assert_eq!(server.http(&head, "").await.0, 200);
}

#[tokio::test]
async fn the_oldest_resting_session_makes_room() {
    let limits = Limits {
        sessions: 2,
        ..Limits::default()
    };
    let (server, _) = Running::scripted(1, limits).await;
    let (first, _) = server.session("viewer").await;
    let (_second, _) = server.session("viewer").await;
    let mut third = server.socket().await;
    third.send(initialize(server.tokens.viewer.expose(), "viewer")).await;
    assert_eq!(third.message().await["error"]["data"]["kind"], "limit");
    drop(first);
    let entered = timeout(PATIENCE, async {
        loop {
            third.send(initialize(server.tokens.viewer.expose(), "viewer")).await;
            if third.message().await["result"].is_object() {
                break;
            }
        }
    });
    assert!(entered.await.is_ok());
}

/// Announced too long, and never sent.
#[tokio::test]
async fn an_announced_body_over_the_limit_is_refused_at_once() {
    let (server, _) = Running::scripted(1, Limits::default()).await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let head = format!(
        "POST /v1/rpc HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
        server.address,
        (1 << 20) + 1
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = [0; 12];
    timeout(Duration::from_secs(3), stream.read_exact(&mut answer))
        .await
        .expect("long before the body's time is up")
        .unwrap();
    assert_eq!(&answer, b"HTTP/1.1 413");
}

/// Ids come back as they were, or are refused.
#[tokio::test]
async fn ids_are_sent_back_unchanged_or_refused() {
    let (server, _) = Running::scripted(1, Limits::default()).await;
    let mut first = initialize(server.tokens.table.expose(), "table");
    first["params"]["capabilities"] = json!({"terse": true});
    let reply = server.poll(json!({"messages": [first]})).await;
    let session = reply["session"].clone();
    let mut ack = 1;
    for (id, good) in [
        ("plain".to_owned(), true),
        ("\"quoted\"\nand é".to_owned(), true),
        ("i".repeat(256), true),
        ("i".repeat(257), false),
        ("back\\slash".to_owned(), false),
        ("bell\u{7}".to_owned(), false),
        ("\u{85}".to_owned(), false),
    ] {
        let ping = json!({"jsonrpc": "2.0", "id": id, "method": "$/ping"});
        let reply = server
            .poll(json!({"session": session, "ack": ack, "messages": [ping]}))
            .await;
        let answers = reply["messages"].as_array().unwrap();
        let answer = answers.last().unwrap();
        if good {
            assert_eq!((&answer["id"], &answer["result"]), (&json!(id), &json!({})), "{reply}");
        } else {
            assert_eq!(answer["error"]["code"], -32600, "{reply}");
            assert!(answer.get("id").is_none(), "{reply}");
        }
        ack = reply["first"].as_u64().unwrap() + answers.len() as u64 - 1;
    }
}
