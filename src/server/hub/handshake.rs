//! `initialize`: who is calling, in which role, and whether an earlier session goes on.

use tokio::time::Instant;

use super::session::{Link, Mailbox, Session};
use super::task::Task;
use super::{ConnectionId, Trust};
use crate::protocol::fault::{Fault, FaultKind};
use crate::protocol::lifecycle::{ClientInfo, InitializeParams, InitializeResult, Limits as WireLimits, Role};
use crate::protocol::rpc::{Id, Message};
use crate::protocol::{PROTOCOL_VERSION, SUPPORTED};
use crate::server::outbox::{Closing, code};
use crate::server::tokens::{Grant, random_hex};

/// Over what a client says `initialize`.
pub(super) enum Caller {
    /// A stream.
    Stream(ConnectionId),
    /// A poll, with the grant of its `Authorization` header.
    Poll(Option<Grant>),
}

impl Task {
    /// Opens or resumes a session and sends everything that the client has to know at once: the result, the events it
    /// missed, the requests that wait for it.
    ///
    /// # Errors
    /// Bad parameters, a bad token, no common version, no room.
    pub(super) fn initialize(&mut self, caller: Caller, id: Id, params: serde_json::Value) -> Result<String, Fault> {
        let params: InitializeParams = serde_json::from_value(params)
            .map_err(|error| Fault::new(FaultKind::InvalidParams, format!("initialize: {error}")))?;
        let grant = self.grant(&caller, &params)?;
        if params.protocol.min > SUPPORTED.max || params.protocol.max < SUPPORTED.min {
            let message = format!(
                "no common version: the server speaks {} to {}",
                SUPPORTED.min, SUPPORTED.max
            );
            return Err(Fault::new(FaultKind::Version, message));
        }
        let role = grant.role(params.role);
        let earlier = params.resume.as_ref().filter(|resume| {
            self.sessions
                .get(&resume.session)
                .is_some_and(|session| session.role == role && !session.shut)
        });
        let missed = earlier.and_then(|resume| self.sessions[&resume.session].events.after(resume.last_seq));
        let (session, resumed) = match (earlier, &missed) {
            (Some(resume), Some(_)) => (resume.session.clone(), true),
            (earlier, _) => {
                if let Some(stale) = earlier {
                    // Too much was missed: the session cannot go on.
                    self.end_session(&stale.session, Closing::new(code::REPLACED, "begun anew"));
                }
                (self.new_session_id()?, false)
            }
        };
        if role == Role::Table {
            self.replace_table(&session);
        }
        self.take_over(&session, &caller);
        let entry = match self.sessions.remove(&session) {
            Some(mut earlier) => {
                earlier.link = self.link(caller, Some(earlier.link));
                earlier.capabilities = params.capabilities;
                earlier
            }
            None => Session::new(role, params.capabilities, self.link(caller, None), &self.limits),
        };
        let result = InitializeResult {
            protocol: PROTOCOL_VERSION,
            server: ClientInfo {
                name: env!("CARGO_PKG_NAME").into(),
                version: env!("CARGO_PKG_VERSION").into(),
            },
            session: session.clone(),
            seq: entry.events.newest(),
            role,
            limits: WireLimits {
                max_message_bytes: self.limits.message_bytes as u32,
                idle_ms: self.limits.silence.as_millis() as u32,
                history_events: self.limits.history_events as u32,
            },
            resumed,
        };
        self.sessions.insert(
            session.clone(),
            Session {
                since: Instant::now(),
                ..entry
            },
        );
        tracing::info!(
            client = params.client.name,
            version = params.client.version,
            ?role,
            resumed,
            "client initialized"
        );
        // A wire type made of strings and numbers always serialises.
        let outcome = Ok(serde_json::to_value(result).unwrap_or_default());
        self.deliver(&session, Message::Response { id: Some(id), outcome }.to_value());
        for event in missed.unwrap_or_default() {
            self.deliver_text(&session, event);
        }
        self.attach(&session, resumed);
        Ok(session)
    }

    fn grant(&self, caller: &Caller, params: &InitializeParams) -> Result<Grant, Fault> {
        let granted = match (params.auth.as_deref(), caller) {
            (Some(token), Caller::Stream(id)) if !self.is_parent(*id) => self.tokens.grant(token),
            (Some(token), Caller::Poll(_)) => self.tokens.grant(token),
            (None, Caller::Poll(bearer)) => *bearer,
            (_, Caller::Stream(id)) => self.is_parent(*id).then_some(Grant::Table),
        };
        granted.ok_or_else(|| {
            Fault::new(
                FaultKind::Auth,
                "the token is missing or wrong: take it from the running server (`tallyho status` says where it is)",
            )
        })
    }

    fn is_parent(&self, connection: ConnectionId) -> bool {
        self.connections
            .get(&connection)
            .is_some_and(|connection| connection.trust == Trust::Parent)
    }

    fn new_session_id(&mut self) -> Result<String, Fault> {
        if self.sessions.len() >= self.limits.sessions {
            let longest = self
                .sessions
                .iter()
                .filter(|(_, session)| !session.present(&self.limits))
                .min_by_key(|(_, session)| session.since)
                .map(|(id, _)| id.clone())
                .ok_or_else(|| Fault::new(FaultKind::Limit, "too many clients; try again later"))?;
            self.end_session(&longest, Closing::new(code::ENDED, "session over"));
        }
        random_hex(16).map_err(|error| Fault::new(FaultKind::Internal, error.to_string()))
    }

    /// One table at a time: the newest one counts, because a reloaded table begins anew without having said goodbye.
    fn replace_table(&mut self, session: &str) {
        if let Some(other) = self.table.take_if(|other| other != session) {
            tracing::info!("another table takes over");
            self.replaced.push_back(other.clone());
            if self.replaced.len() > self.limits.sessions {
                self.replaced.pop_front();
            }
            self.end_session(&other, Closing::new(code::REPLACED, "another table took over"));
        }
    }

    /// Ends the connection that the session had before, and gives it this one.
    fn take_over(&mut self, session: &str, caller: &Caller) {
        if let Some(Session {
            link: Link::Stream(Some(before)),
            ..
        }) = self.sessions.get(session)
        {
            let before = *before;
            self.close(before, Closing::new(code::REPLACED, "a newer connection took over"));
        }
        self.detach(session);
        if let Caller::Stream(id) = caller
            && let Some(connection) = self.connections.get_mut(id)
        {
            connection.session = Some(session.to_owned());
            connection.permit = None;
        }
    }

    fn link(&self, caller: Caller, before: Option<Link>) -> Link {
        match (caller, before) {
            (Caller::Stream(id), _) => Link::Stream(Some(id)),
            (Caller::Poll(_), Some(Link::Poll(mailbox))) => Link::Poll(mailbox.emptied()),
            (Caller::Poll(_), _) => Link::Poll(Mailbox::new(&self.limits)),
        }
    }
}
