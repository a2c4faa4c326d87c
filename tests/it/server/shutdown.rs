use std::time::Duration;

use serde_json::json;
use tallyho::server::limits::Limits;
use tokio::time::timeout;

use super::client::{Got, PATIENCE, Running, initialize};

#[tokio::test]
async fn everyone_is_told_and_it_ends_in_time() {
    let (server, _) = Running::scripted(1, Limits::default()).await;
    let (mut table, _) = server.session("table").await;
    let (mut viewer, _) = server.session("viewer").await;
    let mut stranger = server.socket().await;
    // One that never answers the close.
    let (deaf, _) = server.session("viewer").await;
    let ends = async {
        tokio::time::sleep(Duration::from_millis(50)).await;
        server.stop.cancel();
        for socket in [&mut table, &mut viewer, &mut stranger] {
            assert_eq!(socket.got().await, Got::Close(1001));
        }
    };
    ends.await;
    let Running { task, address, .. } = server;
    timeout(Duration::from_secs(4), task)
        .await
        .expect("within three seconds")
        .unwrap()
        .unwrap();
    assert!(
        tokio::net::TcpStream::connect(address).await.is_err(),
        "the port is free again"
    );
    drop(deaf);
}

/// One whose socket is open before the hub knows of it, as happens when a signal comes right after it.
#[tokio::test]
async fn who_comes_in_while_it_ends_is_told_too() {
    let (server, _) = Running::scripted(1, Limits::default()).await;
    server.hub.shutdown().await;
    let mut late = server.socket().await;
    assert_eq!(late.got().await, Got::Close(1001));
}

#[tokio::test]
async fn a_held_poll_ends_too() {
    let (server, _) = Running::scripted(1, Limits::default()).await;
    let reply = server
        .poll(json!({"messages": [initialize(server.tokens.table.expose(), "table")]}))
        .await;
    let head = format!(
        "POST /v1/rpc HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json",
        server.address
    );
    let body = json!({"session": reply["session"], "ack": 1}).to_string();
    let stop = async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        server.stop.cancel();
    };
    let ((status, _), ()) = timeout(PATIENCE, async { tokio::join!(server.http(&head, &body), stop) })
        .await
        .unwrap();
    assert_eq!(status, 503);
    timeout(Duration::from_secs(4), server.task)
        .await
        .expect("within three seconds")
        .unwrap()
        .unwrap();
}
