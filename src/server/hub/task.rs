//! The hub's task: its state, its loop and its clock.

use std::collections::{BTreeMap, VecDeque};

use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tokio::time::{Instant, sleep_until};

use super::game::ProgressOf;
use super::session::{Link, Session};
use super::{ConnectionId, Event, Trust};
use crate::server::host::TableHost;
use crate::server::limits::{Limits, Rate};
use crate::server::outbox::{Closing, Outbox, code};
use crate::server::tokens::Tokens;

/// Everything the hub owns.
pub(super) struct Task {
    pub host: Box<dyn TableHost>,
    pub tokens: Tokens,
    pub limits: Limits,
    pub connections: BTreeMap<ConnectionId, Connection>,
    pub sessions: BTreeMap<String, Session>,
    /// The session of the table, if there is one.
    pub table: Option<String>,
    /// Sessions that another table took over from: they are told not to come back by themselves.
    pub replaced: VecDeque<String>,
    pub progress: Option<ProgressOf>,
    /// How fast those may knock who have no session.
    pub strangers: Rate,
    next_connection: u64,
}

/// A stream.
pub(super) struct Connection {
    pub outbox: Outbox,
    pub trust: Trust,
    pub permit: Option<OwnedSemaphorePermit>,
    /// Its session, once `initialize` went well.
    pub session: Option<String>,
    pub opened: Instant,
}

/// Runs until it is told to end or nobody is left who could tell it anything.
pub(super) async fn run(host: Box<dyn TableHost>, tokens: Tokens, limits: Limits, mut inbox: mpsc::Receiver<Event>) {
    let mut task = Task {
        host,
        tokens,
        limits,
        connections: BTreeMap::new(),
        sessions: BTreeMap::new(),
        table: None,
        replaced: VecDeque::new(),
        progress: None,
        strangers: Rate::new(limits.rate, limits.burst),
        next_connection: 1,
    };
    loop {
        let next = task.next_deadline();
        let alarm = async {
            match next {
                Some(at) => sleep_until(at).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            () = alarm => task.on_time(),
            event = inbox.recv() => match event {
                None | Some(Event::Shutdown) => break,
                Some(event) => task.on_event(event),
            },
        }
        task.settle();
    }
    task.end();
}

impl Task {
    fn on_event(&mut self, event: Event) {
        match event {
            Event::Opened {
                outbox,
                trust,
                permit,
                id,
            } => {
                let connection = ConnectionId(self.next_connection);
                self.next_connection += 1;
                let opened = Instant::now();
                self.connections.insert(
                    connection,
                    Connection {
                        outbox,
                        trust,
                        permit,
                        session: None,
                        opened,
                    },
                );
                if id.send(connection).is_err() {
                    self.connections.remove(&connection);
                }
            }
            Event::Message { connection, message } => self.on_message(connection, message),
            Event::Closed { connection } => self.on_closed(connection),
            Event::Poll { request, bearer, reply } => self.on_poll(request, bearer, reply),
            Event::Shutdown => {}
        }
    }

    /// When something is due that no event will bring.
    fn next_deadline(&self) -> Option<Instant> {
        let limits = &self.limits;
        let late = self
            .connections
            .values()
            .filter(|connection| connection.session.is_none())
            .map(|connection| connection.opened + limits.initialize);
        let sessions = self.sessions.values().flat_map(|session| {
            let present = session.present(limits);
            let away = match &session.link {
                Link::Stream(Some(_)) => None,
                Link::Poll(mailbox) if mailbox.is_held() => None,
                Link::Poll(_) if session.attached => Some(session.since + limits.silence),
                Link::Stream(None) | Link::Poll(_) => Some(session.since + limits.grace),
            };
            // An absent client gets everything again when it comes back, so only deadlines run while it is away.
            let due = session
                .pending
                .values()
                .filter_map(move |pending| pending.deadline.or(present.then_some(pending.sent + limits.resend)));
            let look = session
                .sync_wanted
                .filter(|_| present)
                .map(|asked| asked + limits.resend);
            due.chain(away).chain(look)
        });
        late.chain(sessions).min()
    }

    fn on_time(&mut self) {
        let now = Instant::now();
        let late: Vec<_> = self
            .connections
            .iter()
            .filter(|(_, connection)| connection.session.is_none() && connection.opened + self.limits.initialize <= now)
            .map(|(id, _)| *id)
            .collect();
        for connection in late {
            self.close(connection, Closing::new(code::LATE, "no initialize in time"));
        }
        let over: Vec<_> = self
            .sessions
            .iter()
            .filter(|(_, session)| !session.present(&self.limits))
            .map(|(id, session)| (id.clone(), session.since + self.limits.grace <= now))
            .collect();
        for (session, over) in over {
            self.detach(&session);
            if over {
                tracing::info!("a session ended: its client did not come back");
                self.end_session(&session, Closing::new(code::ENDED, "session over"));
            }
        }
        self.on_due(now);
    }

    /// Finishes what an event began: streams whose transport is gone, progress that is over, polls that can be answered.
    fn settle(&mut self) {
        let gone: Vec<_> = self
            .connections
            .iter()
            .filter(|(_, connection)| connection.outbox.is_gone())
            .map(|(id, _)| *id)
            .collect();
        for connection in gone {
            self.on_closed(connection);
        }
        self.end_progress();
        let full: Vec<_> = self
            .sessions
            .iter()
            .filter(|(_, session)| matches!(&session.link, Link::Poll(mailbox) if mailbox.len() > self.limits.outbox))
            .map(|(id, _)| id.clone())
            .collect();
        for session in full {
            self.end_session(&session, Closing::new(code::SLOW, "too many messages wait"));
        }
        for (id, session) in &mut self.sessions {
            if let Link::Poll(mailbox) = &mut session.link {
                mailbox.flush(id, self.limits.reply_bytes);
            }
        }
    }

    fn end(mut self) {
        for connection in std::mem::take(&mut self.connections).into_values() {
            connection
                .outbox
                .close(Closing::new(code::SHUTDOWN, "the server is ending"));
        }
        for session in self.sessions.values_mut() {
            if let Link::Poll(mailbox) = &mut session.link {
                mailbox.end();
            }
        }
    }
}
