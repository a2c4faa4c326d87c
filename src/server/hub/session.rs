//! One session: what one client is owed, over however many connections.

use std::collections::{BTreeMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::Value;
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::{ConnectionId, PollOutcome};
use crate::protocol::http::PollReply;
use crate::protocol::lifecycle::{ClientCapabilities, Role};
use crate::protocol::rpc::{Id, Message};
use crate::server::limits::{Limits, Rate};

/// One session.
pub(super) struct Session {
    pub role: Role,
    pub capabilities: ClientCapabilities,
    pub link: Link,
    pub events: History,
    pub answers: Answers,
    pub pending: BTreeMap<i64, Pending>,
    pub next_id: i64,
    /// The client said `shutdown`.
    pub shut: bool,
    /// When `table/requestSync` was sent last, while no `table/sync` has come since.
    pub sync_wanted: Option<Instant>,
    /// The game knows this session as the attached table.
    pub attached: bool,
    /// Since when nobody is there (streams), or the last poll (HTTP).
    pub since: Instant,
}

/// How the client is reached.
pub(super) enum Link {
    /// Over a stream, or not at present.
    Stream(Option<ConnectionId>),
    /// By its own polls.
    Poll(Mailbox),
}

/// A request of ours that waits for its answer.
pub(super) struct Pending {
    pub awaiting: Awaiting,
    pub message: Value,
    pub sent: Instant,
    /// When the default is taken; none: it is sent again until it is answered.
    pub deadline: Option<Instant>,
}

/// What a request of ours was about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Awaiting {
    Apply(String),
    Prompt(String),
    Roll(String),
}

impl Session {
    pub fn new(role: Role, capabilities: ClientCapabilities, link: Link, limits: &Limits) -> Session {
        Session {
            role,
            capabilities,
            link,
            events: History::new(limits),
            answers: Answers {
                kept: VecDeque::new(),
                limit: limits.answers,
            },
            pending: BTreeMap::new(),
            next_id: 1,
            shut: false,
            sync_wanted: None,
            attached: false,
            since: Instant::now(),
        }
    }

    /// Whether somebody is there.
    pub fn present(&self, limits: &Limits) -> bool {
        match &self.link {
            Link::Stream(connection) => connection.is_some(),
            Link::Poll(mailbox) => mailbox.is_held() || self.since.elapsed() < limits.silence,
        }
    }
}

/// The newest events of a session, numbered without gaps, bounded in number and in bytes.
pub(super) struct History {
    kept: VecDeque<(u64, String)>,
    bytes: usize,
    newest: u64,
    max_events: usize,
    max_bytes: usize,
}

impl History {
    fn new(limits: &Limits) -> Self {
        History {
            kept: VecDeque::new(),
            bytes: 0,
            newest: 0,
            max_events: limits.history_events,
            max_bytes: limits.history_bytes,
        }
    }

    /// Number of the newest event; 0 before the first.
    pub fn newest(&self) -> u64 {
        self.newest
    }

    /// Number for the next event.
    pub fn number(&mut self) -> u64 {
        self.newest += 1;
        self.newest
    }

    /// Keeps the event of the newest number.
    pub fn keep(&mut self, text: String) {
        self.bytes += text.len();
        self.kept.push_back((self.newest, text));
        while self.kept.len() > self.max_events || self.bytes > self.max_bytes {
            let Some((_, dropped)) = self.kept.pop_front() else {
                break;
            };
            self.bytes -= dropped.len();
        }
    }

    /// The events after `last`, if every one of them is still there.
    pub fn after(&self, last: u64) -> Option<Vec<String>> {
        let missed = self.newest.checked_sub(last)?;
        let kept: Vec<_> = self
            .kept
            .iter()
            .filter(|(number, _)| *number > last)
            .map(|(_, text)| text.clone())
            .collect();
        (kept.len() as u64 == missed).then_some(kept)
    }
}

/// The answers given in a session, so that a request that comes twice is carried out once.
pub(super) struct Answers {
    kept: VecDeque<(Id, u64, Value)>,
    limit: usize,
}

/// What is known of a request's id.
#[derive(Debug, PartialEq)]
pub(super) enum Known {
    /// Nothing: a new request.
    New(u64),
    /// The same request was answered before, thus.
    Answered(Value),
    /// The id belongs to another request.
    Clash,
}

impl Answers {
    pub fn look_up(&self, id: &Id, method: &str, params: &Value) -> Known {
        let mut hasher = DefaultHasher::new();
        method.hash(&mut hasher);
        params.to_string().hash(&mut hasher);
        let fingerprint = hasher.finish();
        match self.kept.iter().find(|(known, ..)| known == id) {
            None => Known::New(fingerprint),
            Some((_, known, answer)) if *known == fingerprint => Known::Answered(answer.clone()),
            Some(_) => Known::Clash,
        }
    }

    pub fn keep(&mut self, id: Id, fingerprint: u64, answer: Value) {
        if self.kept.len() == self.limit {
            self.kept.pop_front();
        }
        self.kept.push_back((id, fingerprint, answer));
    }
}

/// The messages that an HTTP client has not acknowledged, numbered from 1, and the poll that waits for more.
pub(super) struct Mailbox {
    first: u64,
    /// The highest number that was in a reply; 0 before the first.
    sent: u64,
    messages: VecDeque<(usize, Value)>,
    held: Option<oneshot::Sender<PollOutcome>>,
    pub rate: Rate,
}

impl Mailbox {
    pub fn new(limits: &Limits) -> Mailbox {
        let rate = Rate::new(limits.rate, limits.burst);
        Mailbox {
            first: 1,
            sent: 0,
            messages: VecDeque::new(),
            held: None,
            rate,
        }
    }

    pub fn len(&self) -> usize {
        self.messages.len()
    }

    /// Puts a message at the end.
    pub fn post(&mut self, message: Value) {
        self.messages.push_back((message.to_string().len(), message));
    }

    /// Forgets the messages up to number `ack`. What was never sent cannot have been handled, whatever the client says.
    pub fn acknowledge(&mut self, ack: u64) {
        let ack = ack.min(self.sent);
        while self.first <= ack && self.messages.pop_front().is_some() {
            self.first += 1;
        }
    }

    /// Lets a poll wait; one that waited before is released with nothing.
    pub fn hold(&mut self, session: &str, reply: oneshot::Sender<PollOutcome>) {
        if let Some(older) = self.held.replace(reply) {
            let nothing = PollReply {
                session: session.to_owned(),
                first: self.first,
                messages: Vec::new(),
            };
            let _ = older.send(PollOutcome::Reply(nothing));
        }
    }

    /// Whether a poll waits, and its caller with it.
    pub fn is_held(&self) -> bool {
        self.held.as_ref().is_some_and(|held| !held.is_closed())
    }

    /// Answers the poll that waits, if there is something to send. Whatever does not arrive stays until it is acknowledged.
    pub fn flush(&mut self, session: &str, limit: usize) {
        if self.messages.is_empty() || !self.is_held() {
            return;
        }
        let Some(held) = self.held.take() else { return };
        let envelope = r#"{"session":"","first":18446744073709551615,"messages":[]}"#.len() + session.len();
        let mut bytes = envelope;
        let messages: Vec<_> = self
            .messages
            .iter()
            .take_while(|(length, _)| {
                let is_first = bytes == envelope;
                bytes += length + 1;
                is_first || bytes < limit
            })
            .map(|(_, message)| message.clone())
            .collect();
        self.sent = self.sent.max(self.first + messages.len() as u64 - 1);
        let reply = PollReply {
            session: session.to_owned(),
            first: self.first,
            messages,
        };
        let _ = held.send(PollOutcome::Reply(reply));
    }

    /// An empty mailbox whose numbers go on: its client begins anew, and is sent what it still needs.
    pub fn emptied(mut self) -> Mailbox {
        self.first += self.messages.len() as u64;
        self.sent = self.first - 1;
        self.messages.clear();
        self
    }

    /// Answers the poll that waits with a refusal.
    pub fn refuse(self, refusal: PollOutcome) {
        if let Some(held) = self.held {
            let _ = held.send(refusal);
        }
    }

    /// Ends the poll that waits.
    pub fn end(&mut self) {
        if let Some(held) = self.held.take() {
            let _ = held.send(PollOutcome::Ending);
        }
    }
}

/// The messages of a reply to a request, as the table of pending requests sees them.
pub(super) fn request(id: i64, method: &str, params: &impl serde::Serialize) -> Value {
    // Wire types are structs of strings, numbers and lists: they always serialise.
    let params = serde_json::to_value(params).unwrap_or_default();
    Message::Request {
        id: Id::Number(id),
        method: method.to_owned(),
        params,
    }
    .to_value()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn history_is_replayed_only_without_gaps() {
        let limits = Limits {
            history_events: 3,
            history_bytes: 10,
            ..Limits::default()
        };
        let mut history = History::new(&limits);
        assert_eq!(history.after(0), Some(vec![]));
        assert_eq!(history.after(1), None);
        for text in ["a", "b", "c", "d"] {
            history.number();
            history.keep(text.into());
        }
        assert_eq!(history.after(4), Some(vec![]));
        assert_eq!(history.after(1), Some(vec!["b".into(), "c".into(), "d".into()]));
        assert_eq!(history.after(0), None);
        assert_eq!(history.after(5), None);
        history.number();
        history.keep("123456789".into());
        assert_eq!(history.after(3), Some(vec!["d".into(), "123456789".into()]));
        history.number();
        history.keep("far too long for this".into());
        assert_eq!(history.after(5), None, "an event over the limit is not kept");
        assert_eq!(history.after(6), Some(vec![]));
    }

    #[test]
    fn answers_know_repeats_and_clashes() {
        let mut answers = Answers {
            kept: VecDeque::new(),
            limit: 2,
        };
        let id = |number| Id::Number(number);
        let Known::New(fingerprint) = answers.look_up(&id(1), "a", &json!({})) else {
            panic!("new")
        };
        answers.keep(id(1), fingerprint, json!("first"));
        assert_eq!(
            answers.look_up(&id(1), "a", &json!({})),
            Known::Answered(json!("first"))
        );
        assert_eq!(answers.look_up(&id(1), "b", &json!({})), Known::Clash);
        assert_eq!(answers.look_up(&id(1), "a", &json!({"x": 1})), Known::Clash);
        answers.keep(id(2), 0, json!(2));
        answers.keep(id(3), 0, json!(3));
        assert!(matches!(answers.look_up(&id(1), "a", &json!({})), Known::New(_)));
    }

    #[tokio::test]
    async fn a_mailbox_sends_again_until_acknowledged_and_keeps_replies_short() {
        let mut mailbox = Mailbox::new(&Limits::default());
        let poll = |mailbox: &mut Mailbox, limit| {
            let (sender, mut receiver) = oneshot::channel();
            mailbox.hold("s", sender);
            mailbox.flush("s", limit);
            receiver.try_recv().ok()
        };
        let reply = |first, messages: &[Value]| {
            Some(PollOutcome::Reply(PollReply {
                session: "s".into(),
                first,
                messages: messages.to_vec(),
            }))
        };
        assert_eq!(poll(&mut mailbox, 2500), None);
        for text in ["a", "b", "c"] {
            mailbox.post(json!(text.repeat(1000)));
        }
        let long = |text: &str| json!(text.repeat(1000));
        assert_eq!(poll(&mut mailbox, 2500), reply(1, &[long("a"), long("b")]));
        mailbox.acknowledge(1);
        assert_eq!(poll(&mut mailbox, 2500), reply(2, &[long("b"), long("c")]));
        assert_eq!(poll(&mut mailbox, 100), reply(2, &[long("b")]), "at least one");
        mailbox.acknowledge(99);
        assert_eq!(poll(&mut mailbox, 2500), None);
        mailbox.post(json!(4));
        mailbox.acknowledge(99);
        assert_eq!(
            poll(&mut mailbox, 2500),
            reply(4, &[json!(4)]),
            "it was not sent before"
        );
    }

    #[tokio::test]
    async fn a_newer_poll_releases_the_older() {
        let mut mailbox = Mailbox::new(&Limits::default());
        let (first, mut first_reply) = oneshot::channel();
        mailbox.hold("s", first);
        assert!(mailbox.is_held());
        let (second, second_reply) = oneshot::channel();
        mailbox.hold("s", second);
        assert!(matches!(first_reply.try_recv(), Ok(PollOutcome::Reply(reply)) if reply.messages.is_empty()));
        drop(second_reply);
        assert!(!mailbox.is_held(), "its caller is gone");
        mailbox.post(json!(1));
        mailbox.flush("s", 2500);
        assert_eq!(mailbox.len(), 1, "nothing was lost");
    }
}
