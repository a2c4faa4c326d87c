//! The routes: `/ws`, `POST /v1/rpc`, `GET /health`.

use std::ops::ControlFlow;
use std::sync::Arc;

use axum::body::{Body, HttpBody, to_bytes};
use axum::extract::ws::{WebSocket, WebSocketUpgrade};
use axum::extract::{Query, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use axum::{Json, Router};
use serde::Deserialize;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;
use tokio_util::task::TaskTracker;

use super::hub::{Hub, Inlet, PollOutcome, Trust};
use super::limits::Limits;
use super::outbox::{Closing, code};
use super::socket::{self, Inbound, SocketOptions};
use super::tokens::{Grant, Tokens};
use crate::protocol::http::{Health, PollReply, PollRequest};
use crate::protocol::{SUBPROTOCOL, SUPPORTED};

/// What every route needs.
#[derive(Clone)]
pub struct Shared {
    hub: Hub,
    tokens: Arc<Tokens>,
    limits: Limits,
    connections: Arc<Semaphore>,
    strangers: Arc<Semaphore>,
    /// Sockets outlive their HTTP request; shutdown waits for them here.
    sockets: TaskTracker,
}

impl Shared {
    /// The state of a server around this hub.
    pub fn new(hub: Hub, tokens: Tokens, limits: Limits) -> Shared {
        Shared {
            hub,
            tokens: Arc::new(tokens),
            limits,
            connections: Arc::new(Semaphore::new(limits.connections)),
            strangers: Arc::new(Semaphore::new(limits.unauthenticated)),
            sockets: TaskTracker::new(),
        }
    }

    /// The open sockets.
    pub fn sockets(&self) -> &TaskTracker {
        &self.sockets
    }

    /// The routes.
    pub fn router(self) -> Router {
        Router::new()
            .route("/ws", any(open_socket))
            .route("/v1/rpc", post(poll))
            .route("/health", get(health))
            .fallback(|| async { (StatusCode::NOT_FOUND, "nothing here; see /health") })
            .with_state(self)
    }
}

async fn open_socket(State(shared): State<Shared>, upgrade: WebSocketUpgrade) -> Response {
    let busy = || (StatusCode::SERVICE_UNAVAILABLE, "too many connections").into_response();
    let Ok(connection) = shared.connections.clone().try_acquire_owned() else {
        return busy();
    };
    let Ok(stranger) = shared.strangers.clone().try_acquire_owned() else {
        return busy();
    };
    let options = SocketOptions::from(&shared.limits);
    let token = shared.sockets.token();
    options
        .configure(upgrade)
        .protocols([SUBPROTOCOL])
        .on_upgrade(move |socket| async move {
            serve_socket(socket, &shared, &options, stranger).await;
            drop((connection, token));
        })
}

async fn serve_socket(socket: WebSocket, shared: &Shared, options: &SocketOptions, stranger: OwnedSemaphorePermit) {
    let connected = shared
        .hub
        .connect(Trust::Stranger, shared.limits.outbox, Some(stranger))
        .await;
    let Ok((inlet, outlet)) = connected else {
        // It came in while the server was ending, and is told so as the others are.
        return socket::end(socket, Closing::new(code::SHUTDOWN, "the server is ending"), options).await;
    };
    let mut client = Client { inlet };
    socket::run(socket, options, &mut client, outlet).await;
    client.inlet.close().await;
}

/// Hands the messages of a socket to the hub.
struct Client {
    inlet: Inlet,
}

impl socket::Receiver for Client {
    async fn receive(&mut self, message: Inbound) -> ControlFlow<Closing> {
        match message {
            Inbound::Text(text) if self.inlet.message(&text).await.is_ok() => ControlFlow::Continue(()),
            Inbound::Text(_) => ControlFlow::Break(Closing::new(code::SHUTDOWN, "the server is ending")),
            Inbound::Binary(_) => ControlFlow::Break(Closing::new(code::UNSUPPORTED, "text messages only")),
        }
    }
}

async fn poll(State(shared): State<Shared>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let bearer = bearer(&shared.tokens, &parts.headers);
    if bearer.is_none() && !is_json(&parts.headers) {
        // A page may send text/plain anywhere without asking; JSON it may not.
        let message = "Content-Type must be application/json";
        return (StatusCode::UNSUPPORTED_MEDIA_TYPE, message).into_response();
    }
    let request = match read(body, &shared.limits).await {
        Ok(request) => request,
        Err(refusal) => return refusal.into_response(),
    };
    let hold = request.hold_ms.map_or(shared.limits.hold, |ms| {
        shared.limits.hold.min(std::time::Duration::from_millis(ms.into()))
    });
    let nothing = PollReply {
        session: request.session.clone(),
        first: request.ack.saturating_add(1),
        messages: Vec::new(),
    };
    let ending = (StatusCode::SERVICE_UNAVAILABLE, "the server is ending");
    match timeout(hold, shared.hub.poll(request, bearer)).await {
        Ok(Ok(PollOutcome::Reply(reply))) => Json(reply).into_response(),
        Ok(Ok(PollOutcome::TooMany)) => (StatusCode::TOO_MANY_REQUESTS, "too many messages").into_response(),
        Ok(Ok(PollOutcome::Ending) | Err(_)) => ending.into_response(),
        Err(_) => Json(nothing).into_response(),
    }
}

/// The grant of an `Authorization: Bearer` header.
fn bearer(tokens: &Tokens, headers: &HeaderMap) -> Option<Grant> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme
        .eq_ignore_ascii_case("bearer")
        .then(|| tokens.grant(token.trim()))
        .flatten()
}

fn is_json(headers: &HeaderMap) -> bool {
    headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split(';').next())
        .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

async fn read(body: Body, limits: &Limits) -> Result<PollRequest, (StatusCode, String)> {
    let too_large = || {
        (
            StatusCode::PAYLOAD_TOO_LARGE,
            format!("at most {} bytes", limits.message_bytes),
        )
    };
    // What `Content-Length` announces is refused before any of it is read.
    if body.size_hint().lower() > limits.message_bytes as u64 {
        return Err(too_large());
    }
    let bytes = match timeout(limits.request, to_bytes(body, limits.message_bytes)).await {
        Ok(Ok(bytes)) => bytes,
        Ok(Err(error)) => {
            let too_long =
                std::error::Error::source(&error).is_some_and(|cause| cause.is::<http_body_util::LengthLimitError>());
            return Err(match too_long {
                true => too_large(),
                false => (StatusCode::BAD_REQUEST, "the body broke off".to_owned()),
            });
        }
        Err(_) => return Err((StatusCode::REQUEST_TIMEOUT, "the body took too long".to_owned())),
    };
    serde_json::from_slice(&bytes).map_err(|error| {
        let message = format!("the body must be {{\"session\":...,\"ack\":0,\"messages\":[...]}}: {error}");
        (StatusCode::BAD_REQUEST, message)
    })
}

#[derive(Deserialize)]
struct HealthQuery {
    #[serde(default)]
    nonce: String,
}

async fn health(State(shared): State<Shared>, Query(query): Query<HealthQuery>) -> Response {
    let nonce = query.nonce;
    let proofs = match nonce.len() {
        0 => (String::new(), String::new()),
        16..=128 => (shared.tokens.table.proof(&nonce), shared.tokens.viewer.proof(&nonce)),
        _ => return (StatusCode::BAD_REQUEST, "the nonce must have 16 to 128 characters").into_response(),
    };
    let (proof, viewer_proof) = proofs;
    Json(Health {
        name: env!("CARGO_PKG_NAME").into(),
        protocol: SUPPORTED,
        proof,
        viewer_proof,
    })
    .into_response()
}
