//! What clients send and are sent: routing, answering, delivering, ending.

use serde_json::Value;
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::handshake::Caller;
use super::session::{Known, Link};
use super::task::Task;
use super::{ConnectionId, PollOutcome, terse};
use crate::protocol::fault::{Fault, FaultKind, Retry};
use crate::protocol::http::{PollReply, PollRequest};
use crate::protocol::rpc::{Id, Malformed, Message, RpcError};
use crate::server::outbox::{Closing, code};
use crate::server::tokens::Grant;

/// Room for the envelope of a reply around one message.
const ENVELOPE: usize = 120;

impl Task {
    /// A message came over a stream.
    pub(super) fn on_message(&mut self, connection: ConnectionId, message: Result<Message, Malformed>) {
        let Some(session) = self
            .connections
            .get(&connection)
            .map(|connection| connection.session.clone())
        else {
            return;
        };
        match session {
            Some(session) => self.on_session_message(&session, message),
            None => self.on_first_message(connection, message),
        }
    }

    fn on_first_message(&mut self, connection: ConnectionId, message: Result<Message, Malformed>) {
        match message {
            Ok(Message::Request { id, method, params }) if method == "initialize" => {
                if let Err(fault) = self.initialize(Caller::Stream(connection), id.clone(), params) {
                    let closing = match fault.kind {
                        FaultKind::Auth => Some(Closing::new(code::AUTH, "token missing or wrong")),
                        FaultKind::Version => Some(Closing::new(code::VERSION, "no common protocol version")),
                        _ => None,
                    };
                    self.tell(connection, &failure(Some(id), fault));
                    if let Some(closing) = closing {
                        self.close(connection, closing);
                    }
                }
            }
            Ok(Message::Request { id, .. }) => self.tell(connection, &failure(Some(id), not_initialized())),
            Ok(Message::Notification { method, .. }) if method == "exit" => {
                self.close(connection, Closing::new(code::NORMAL, "exit"));
            }
            Ok(_) => {}
            Err(malformed) if malformed.answer => self.tell(connection, &failure(malformed.id, malformed.fault)),
            Err(_) => {}
        }
    }

    /// A poll came in.
    pub(super) fn on_poll(&mut self, request: PollRequest, bearer: Option<Grant>, reply: oneshot::Sender<PollOutcome>) {
        let mut messages: Vec<_> = request
            .messages
            .into_iter()
            .map(Message::from_value)
            .map(terse::refused_id)
            .collect();
        let initialize = match messages.first() {
            Some(Ok(Message::Request { id, method, params })) if method == "initialize" => {
                Some((id.clone(), params.clone()))
            }
            _ => None,
        };
        let session = if self.sessions.contains_key(&request.session) {
            request.session
        } else if let Some((id, params)) = initialize {
            if !self.strangers.take(1) {
                let _ = reply.send(PollOutcome::TooMany);
                return;
            }
            drop(messages.remove(0));
            match self.initialize(Caller::Poll(bearer), id.clone(), params) {
                Ok(session) => session,
                Err(fault) => {
                    let _ = reply.send(without_session(vec![failure(Some(id), fault)]));
                    return;
                }
            }
        } else {
            let outcome = match self.strangers.take(1) {
                true => self.refuse_poll(&request.session, messages),
                false => PollOutcome::TooMany,
            };
            let _ = reply.send(outcome);
            return;
        };
        let Some(entry) = self.sessions.get_mut(&session) else {
            return;
        };
        let Link::Poll(mailbox) = &mut entry.link else {
            let fault = Fault::new(
                FaultKind::InvalidRequest,
                "this session lives on a stream; resume it with initialize",
            );
            let _ = reply.send(without_session(vec![failure(None, fault)]));
            return;
        };
        if !mailbox.rate.take(messages.len() + 1) {
            let _ = reply.send(PollOutcome::TooMany);
            return;
        }
        mailbox.acknowledge(request.ack);
        entry.since = Instant::now();
        if !entry.attached {
            self.attach(&session, true);
        }
        for message in messages {
            self.on_session_message(&session, message);
        }
        match self.sessions.get_mut(&session).map(|entry| &mut entry.link) {
            Some(Link::Poll(mailbox)) => mailbox.hold(&session, reply),
            // `exit` was among the messages.
            _ => drop(reply.send(PollOutcome::Reply(PollReply::default()))),
        }
    }

    /// The answer to a poll whose session is not known.
    fn refuse_poll(&self, session: &str, messages: Vec<Result<Message, Malformed>>) -> PollOutcome {
        let fault = if session.is_empty() {
            not_initialized()
        } else if self.replaced.iter().any(|replaced| replaced == session) {
            let fault = Fault::new(
                FaultKind::SessionLost,
                "another table took over; press its button here to take it back",
            );
            Fault {
                retry: Retry::Never,
                ..fault
            }
        } else {
            Fault::new(
                FaultKind::SessionLost,
                "this session is unknown or over: send initialize, then table/sync",
            )
        };
        let mut answers: Vec<Value> = messages
            .into_iter()
            .filter_map(|message| match message {
                Ok(Message::Request { id, .. }) => Some(failure(Some(id), fault.clone())),
                Err(malformed) if malformed.answer => Some(failure(malformed.id, malformed.fault)),
                _ => None,
            })
            .collect();
        if answers.is_empty() {
            answers.push(failure(None, fault));
        }
        without_session(answers)
    }

    fn on_session_message(&mut self, session: &str, message: Result<Message, Malformed>) {
        match message {
            Ok(Message::Request { id, method, params }) => self.on_request(session, id, &method, params),
            Ok(Message::Notification { method, .. }) if method == "exit" => {
                self.end_session(session, Closing::new(code::NORMAL, "exit"));
            }
            Ok(Message::Notification { method, .. }) => {
                // `$/cancelRequest` among them: requests are answered at once, so its answer is on its way already.
                tracing::trace!(method, "notification");
            }
            Ok(Message::Response { id, outcome }) => self.on_response(session, id, outcome),
            Err(malformed) if malformed.answer => self.deliver(session, failure(malformed.id, malformed.fault)),
            Err(malformed) => tracing::debug!(error = malformed.fault.message, "malformed message dropped"),
        }
    }

    fn on_request(&mut self, session: &str, id: Id, method: &str, params: Value) {
        let Some(entry) = self.sessions.get(session) else {
            return;
        };
        let fingerprint = match entry.answers.look_up(&id, method, &params) {
            Known::Answered(answer) => return self.deliver(session, answer),
            Known::Clash => {
                let fault = Fault::new(
                    FaultKind::InvalidRequest,
                    "this id was used for another request of the session",
                );
                return self.deliver(session, failure(Some(id), fault));
            }
            Known::New(fingerprint) => fingerprint,
        };
        let (outcome, begun, outgoing) = self.dispatch(session, method, params);
        let message = Message::Response {
            id: Some(id.clone()),
            outcome: outcome.map_err(RpcError::from),
        };
        let answer = message.to_value();
        if let Some(entry) = self.sessions.get_mut(session) {
            entry.answers.keep(id, fingerprint, answer.clone());
        }
        self.deliver(session, answer);
        if let Some(progress) = begun {
            self.begin_progress(progress);
        }
        self.send_out(outgoing);
    }

    /// Gives a message to a client, now or at its next poll. A client on a stream that is not there misses it: events come
    /// again from the history, requests from the list of those that wait, answers when the client asks again.
    pub(super) fn deliver(&mut self, session: &str, mut message: Value) {
        if let Some(entry) = self.sessions.get(session) {
            if entry.capabilities.terse {
                terse::drop_reasons(&mut message);
            }
            if matches!(entry.link, Link::Poll(_)) {
                terse::plain(&mut message);
                if entry.capabilities.terse {
                    terse::shorten(&mut message, self.limits.reply_bytes - ENVELOPE);
                }
            }
        }
        match self.sessions.get_mut(session).map(|entry| &mut entry.link) {
            Some(Link::Poll(mailbox)) => mailbox.post(message),
            Some(Link::Stream(Some(connection))) => {
                let connection = *connection;
                self.tell(connection, &message);
            }
            Some(Link::Stream(None)) | None => {}
        }
    }

    /// As [`Task::deliver`], for a message out of the history.
    pub(super) fn deliver_text(&mut self, session: &str, text: String) {
        if let Ok(message) = serde_json::from_str(&text) {
            self.deliver(session, message);
        }
    }

    fn tell(&mut self, connection: ConnectionId, message: &Value) {
        if let Some(entry) = self.connections.get(&connection)
            && entry.outbox.send(message.to_string()).is_err()
            && let Some(entry) = self.forget(connection)
        {
            entry
                .outbox
                .kill(Closing::new(code::SLOW, "messages were not taken in time"));
        }
    }

    /// Closes a stream from our side.
    pub(super) fn close(&mut self, connection: ConnectionId, closing: Closing) {
        if let Some(entry) = self.forget(connection) {
            entry.outbox.close(closing);
        }
    }

    /// A stream is gone.
    pub(super) fn on_closed(&mut self, connection: ConnectionId) {
        self.forget(connection);
    }

    fn forget(&mut self, connection: ConnectionId) -> Option<super::task::Connection> {
        let entry = self.connections.remove(&connection)?;
        if let Some(session) = &entry.session
            && let Some(state) = self.sessions.get_mut(session)
            && matches!(&state.link, Link::Stream(Some(id)) if *id == connection)
        {
            state.link = Link::Stream(None);
            state.since = Instant::now();
            self.detach(session);
        }
        Some(entry)
    }

    /// Ends a session for good.
    pub(super) fn end_session(&mut self, session: &str, closing: Closing) {
        self.detach(session);
        let Some(entry) = self.sessions.remove(session) else {
            return;
        };
        self.table.take_if(|table| table == session);
        match entry.link {
            Link::Stream(Some(connection)) => self.close(connection, closing),
            Link::Stream(None) => {}
            // A dropped poll is answered like one that comes too late.
            Link::Poll(mailbox) => mailbox.refuse(self.refuse_poll(session, Vec::new())),
        }
    }
}

fn not_initialized() -> Fault {
    Fault::new(FaultKind::NotInitialized, "send initialize first")
}

/// An error response.
fn failure(id: Option<Id>, fault: Fault) -> Value {
    Message::Response {
        id,
        outcome: Err(fault.into()),
    }
    .to_value()
}

/// A reply to a poll that has no session.
fn without_session(mut messages: Vec<Value>) -> PollOutcome {
    messages.iter_mut().for_each(terse::plain);
    PollOutcome::Reply(PollReply {
        session: String::new(),
        first: 0,
        messages,
    })
}
