//! A running server, and clients of both kinds, for tests.

use std::net::SocketAddr;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tallyho::server::host::TableHost;
use tallyho::server::http::Shared;
use tallyho::server::hub::Hub;
use tallyho::server::limits::Limits;
use tallyho::server::listen::serve;
use tallyho::server::tokens::Tokens;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};
use tokio_util::sync::CancellationToken;

use super::scripted_host::{ScriptedHost, Shared as Journal};

/// Far longer than anything takes here; a test that waits this long has failed.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// A server on a free port.
pub struct Running {
    pub address: SocketAddr,
    pub tokens: Tokens,
    pub hub: Hub,
    pub stop: CancellationToken,
    pub task: JoinHandle<std::io::Result<()>>,
}

impl Running {
    /// Starts one around a scripted game of so many steps an activation.
    pub async fn scripted(steps: usize, limits: Limits) -> (Running, Journal) {
        let (host, journal) = ScriptedHost::new(steps);
        (Running::start(host, limits).await, journal)
    }

    pub async fn start(host: Box<dyn TableHost>, limits: Limits) -> Running {
        let tokens = Tokens::random().unwrap();
        let (hub, _) = Hub::start(host, tokens.clone(), limits);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let stop = CancellationToken::new();
        let shared = Shared::new(hub.clone(), tokens.clone(), limits);
        let task = tokio::spawn(serve(listener, shared, hub.clone(), limits, stop.clone()));
        Running {
            address,
            tokens,
            hub,
            stop,
            task,
        }
    }

    /// A WebSocket that has said nothing yet.
    pub async fn socket(&self) -> Socket {
        let (stream, _) = connect_async(format!("ws://{}/ws", self.address)).await.unwrap();
        Socket { stream }
    }

    /// A WebSocket with a session in this role; the result of `initialize` too.
    pub async fn session(&self, role: &str) -> (Socket, Value) {
        let mut socket = self.socket().await;
        let token = if role == "viewer" {
            &self.tokens.viewer
        } else {
            &self.tokens.table
        };
        socket.send(initialize(token.expose(), role)).await;
        let answer = socket.message().await;
        assert!(answer["result"].is_object(), "{answer}");
        (socket, answer["result"].clone())
    }

    /// One HTTP request, head and body as given; the status and the body of the answer.
    pub async fn http(&self, head: &str, body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        let request = format!(
            "{head}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        timeout(PATIENCE, stream.read_to_end(&mut answer))
            .await
            .expect("an answer")
            .unwrap();
        let answer = String::from_utf8(answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").expect("an HTTP answer");
        assert!(
            !head.to_ascii_lowercase().contains("access-control"),
            "no CORS headers, ever: {head}"
        );
        let status = head
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok())
            .expect("a status");
        (status, body.to_owned())
    }

    /// One poll.
    pub async fn poll(&self, body: Value) -> Value {
        let head = format!(
            "POST /v1/rpc HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json",
            self.address
        );
        let (status, answer) = self.http(&head, &body.to_string()).await;
        assert_eq!(status, 200, "{answer}");
        serde_json::from_str(&answer).unwrap()
    }
}

/// A WebSocket client.
pub struct Socket {
    pub stream: WebSocketStream<MaybeTlsStream<TcpStream>>,
}

/// What a WebSocket gives.
#[derive(Debug, PartialEq)]
pub enum Got {
    Message(Value),
    Close(u16),
    /// The connection ended without a close.
    Cut,
}

impl Socket {
    pub async fn send(&mut self, message: Value) {
        self.raw(Message::text(message.to_string())).await;
    }

    pub async fn raw(&mut self, message: Message) {
        self.stream.send(message).await.unwrap();
    }

    pub async fn got(&mut self) -> Got {
        loop {
            return match timeout(PATIENCE, self.stream.next())
                .await
                .expect("something from the server")
            {
                Some(Ok(Message::Text(text))) => Got::Message(serde_json::from_str(&text).unwrap()),
                Some(Ok(Message::Close(frame))) => Got::Close(frame.map_or(1005, |frame| frame.code.into())),
                Some(Ok(_)) => continue,
                Some(Err(_)) | None => Got::Cut,
            };
        }
    }

    /// The next message.
    pub async fn message(&mut self) -> Value {
        match self.got().await {
            Got::Message(message) => message,
            other => panic!("expected a message, got {other:?}"),
        }
    }

    /// The code of the close, whatever comes before it.
    pub async fn close_code(&mut self) -> u16 {
        loop {
            match self.got().await {
                Got::Message(_) => {}
                Got::Close(code) => return code,
                Got::Cut => panic!("cut without a close"),
            }
        }
    }

    /// Sends a request and waits for its answer; what comes in between is dropped.
    pub async fn call(&mut self, id: i64, method: &str, params: Value) -> Value {
        self.send(request(id, method, params)).await;
        loop {
            let message = self.message().await;
            if message["id"] == id && message.get("method").is_none() {
                return message;
            }
        }
    }
}

pub fn request(id: i64, method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

pub fn notification(method: &str) -> Value {
    json!({"jsonrpc": "2.0", "method": method})
}

/// `initialize` with id 1.
pub fn initialize(token: &str, role: &str) -> Value {
    let client = json!({"name": "test", "version": "0"});
    request(
        1,
        "initialize",
        json!({"protocol": {"min": 1, "max": 1}, "client": client, "auth": token, "role": role}),
    )
}

/// `initialize` that resumes.
pub fn resume(token: &str, role: &str, session: &Value, last_seq: u64) -> Value {
    let mut message = initialize(token, role);
    message["params"]["resume"] = json!({"session": session, "lastSeq": last_seq});
    message
}

/// The answer of a table that has carried out a step.
pub fn applied(request: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": request["id"], "result": {"outcome": "applied", "rev": 2}})
}
