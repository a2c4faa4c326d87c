//! The hub: one task that owns the game, its sessions and its connections, and takes a closed set of events. Nothing in it
//! waits for a client, and nothing outside it touches its state.

use std::panic::AssertUnwindSafe;

use tokio::sync::{OwnedSemaphorePermit, mpsc, oneshot};
use tokio::task::JoinHandle;

use super::host::TableHost;
use super::limits::Limits;
use super::outbox::{Outbox, Outlet, outbox};
use super::tokens::{Grant, Tokens};
use crate::protocol::fault::Fault;
use crate::protocol::http::{PollReply, PollRequest};
use crate::protocol::rpc::{Malformed, Message};

mod clients;
mod game;
mod handshake;
mod session;
mod task;
mod terse;

/// How far a connection is trusted before it has said anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// It must show a token.
    Stranger,
    /// It belongs to the process that started this one (stdio).
    Parent,
}

/// Names a connection for as long as the hub lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ConnectionId(u64);

/// Everything that can happen to the hub, but for the passing of time.
pub(super) enum Event {
    /// A stream was opened.
    Opened {
        outbox: Outbox,
        trust: Trust,
        /// Given back once the client has shown who it is.
        permit: Option<OwnedSemaphorePermit>,
        id: oneshot::Sender<ConnectionId>,
    },
    /// A message came over a stream.
    Message {
        connection: ConnectionId,
        message: Result<Message, Malformed>,
    },
    /// A stream is gone.
    Closed { connection: ConnectionId },
    /// A long poll came in. The sender is dropped when the caller waits no longer.
    Poll {
        request: PollRequest,
        bearer: Option<Grant>,
        reply: oneshot::Sender<PollOutcome>,
    },
    /// The server ends.
    Shutdown,
}

/// How a poll ended.
#[derive(Debug, PartialEq)]
pub enum PollOutcome {
    /// With messages, or released without any.
    Reply(PollReply),
    /// The client sends too much.
    TooMany,
    /// The server ends.
    Ending,
}

/// A handle on the hub, for the transports.
#[derive(Debug, Clone)]
pub struct Hub {
    events: mpsc::Sender<Event>,
}

/// The sending end of a stream: what the client says goes in here.
#[derive(Debug, Clone)]
pub struct Inlet {
    id: ConnectionId,
    events: mpsc::Sender<Event>,
}

/// The hub's task has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the server is ending")]
pub struct Ended;

impl Hub {
    /// Starts the task that owns `host`. It ends after [`Hub::shutdown`], or when every handle is dropped.
    pub fn start(host: Box<dyn TableHost>, tokens: Tokens, limits: Limits) -> (Hub, JoinHandle<()>) {
        let (events, inbox) = mpsc::channel(256);
        let task = tokio::spawn(task::run(host, tokens, limits, inbox));
        (Hub { events }, task)
    }

    /// Opens a stream: what is said goes into the inlet, what is to be sent comes out of the outlet.
    ///
    /// # Errors
    /// The hub has ended.
    pub async fn connect(
        &self,
        trust: Trust,
        capacity: usize,
        permit: Option<OwnedSemaphorePermit>,
    ) -> Result<(Inlet, Outlet), Ended> {
        let (outbox, outlet) = outbox(capacity);
        let (id, answer) = oneshot::channel();
        self.events
            .send(Event::Opened {
                outbox,
                trust,
                permit,
                id,
            })
            .await
            .map_err(|_| Ended)?;
        let id = answer.await.map_err(|_| Ended)?;
        Ok((
            Inlet {
                id,
                events: self.events.clone(),
            },
            outlet,
        ))
    }

    /// Carries out a poll: takes its messages and waits until there is something to send. The caller bounds the wait; what
    /// it does not wait for stays queued.
    ///
    /// # Errors
    /// The hub has ended.
    pub async fn poll(&self, request: PollRequest, bearer: Option<Grant>) -> Result<PollOutcome, Ended> {
        let (reply, answer) = oneshot::channel();
        self.events
            .send(Event::Poll { request, bearer, reply })
            .await
            .map_err(|_| Ended)?;
        answer.await.map_err(|_| Ended)
    }

    /// Closes every connection (1001) and ends the task.
    pub async fn shutdown(&self) {
        // If it has ended already, there is nothing to do.
        let _ = self.events.send(Event::Shutdown).await;
    }
}

impl Inlet {
    /// Hands one message in. Waits while the hub is busy, which holds back the client.
    ///
    /// # Errors
    /// The hub has ended.
    pub async fn message(&self, text: &str) -> Result<(), Ended> {
        let event = Event::Message {
            connection: self.id,
            message: Message::parse(text),
        };
        self.events.send(event).await.map_err(|_| Ended)
    }

    /// Something came that is no message: it is answered with an error, and the conversation goes on.
    ///
    /// # Errors
    /// The hub has ended.
    pub async fn unreadable(&self, fault: Fault) -> Result<(), Ended> {
        let malformed = Malformed {
            id: None,
            fault,
            answer: true,
        };
        let event = Event::Message {
            connection: self.id,
            message: Err(malformed),
        };
        self.events.send(event).await.map_err(|_| Ended)
    }

    /// The stream is gone.
    pub async fn close(self) {
        let _ = self.events.send(Event::Closed { connection: self.id }).await;
    }
}

/// Runs a call into the game so that a panic in it fails this one request and not the process.
pub(super) fn guarded<T>(call: impl FnOnce() -> T) -> Option<T> {
    std::panic::catch_unwind(AssertUnwindSafe(call))
        .inspect_err(|_| tracing::error!("the game panicked in a request; it goes on, please report this"))
        .ok()
}
