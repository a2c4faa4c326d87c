//! The queue of messages that wait for one connection. The game task fills it without ever waiting; the connection's writer
//! empties it at the speed of the other side.

use tokio::sync::{mpsc, watch};

/// What a writer sends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outbound {
    /// A text message.
    Text(String),
    /// A binary message; the product never sends one.
    Binary(Vec<u8>),
    /// A ping, where there is such a thing.
    Ping,
    /// The last thing: close the connection.
    Close(Closing),
}

/// Why a connection is closed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Closing {
    /// WebSocket close code.
    pub code: u16,
    /// For people; at most 123 bytes go on the wire.
    pub reason: String,
}

impl Closing {
    /// A closing.
    pub fn new(code: u16, reason: impl Into<String>) -> Self {
        Closing {
            code,
            reason: reason.into(),
        }
    }
}

/// Close codes; which ones allow a reconnect stands in `protocol/README.md`.
pub mod code {
    /// Done.
    pub const NORMAL: u16 = 1000;
    /// The server ends.
    pub const SHUTDOWN: u16 = 1001;
    /// A frame that breaks the WebSocket rules.
    pub const PROTOCOL: u16 = 1002;
    /// A binary message.
    pub const UNSUPPORTED: u16 = 1003;
    /// Text that is no UTF-8.
    pub const NOT_UTF8: u16 = 1007;
    /// Too many messages in too little time.
    pub const RATE: u16 = 1008;
    /// A message that is too long.
    pub const TOO_BIG: u16 = 1009;
    /// No `initialize` in time.
    pub const LATE: u16 = 4001;
    /// No token or a wrong one.
    pub const AUTH: u16 = 4002;
    /// No protocol version in common.
    pub const VERSION: u16 = 4003;
    /// Nothing was heard for too long.
    pub const SILENT: u16 = 4007;
    /// The client reads too slowly.
    pub const SLOW: u16 = 4008;
    /// Another connection took over.
    pub const REPLACED: u16 = 4009;
    /// The session is over.
    pub const ENDED: u16 = 4010;
}

/// The filling end.
#[derive(Debug)]
pub struct Outbox {
    queue: mpsc::Sender<Outbound>,
    kill: watch::Sender<Option<Closing>>,
}

/// The emptying end.
#[derive(Debug)]
pub struct Outlet {
    queue: mpsc::Receiver<Outbound>,
    kill: watch::Receiver<Option<Closing>>,
}

/// A queue of at most `capacity` messages.
pub fn outbox(capacity: usize) -> (Outbox, Outlet) {
    let (queue, queue_out) = mpsc::channel(capacity);
    let (kill, kill_out) = watch::channel(None);
    let outlet = Outlet {
        queue: queue_out,
        kill: kill_out,
    };
    (Outbox { queue, kill }, outlet)
}

impl Outbox {
    /// Queues a text message.
    ///
    /// # Errors
    /// The queue is full or its reader is gone.
    pub fn send(&self, text: String) -> Result<(), Stuck> {
        self.queue.try_send(Outbound::Text(text)).map_err(|_| Stuck)
    }

    /// Queues a message as soon as there is room. Not for the hub, which never waits for a client.
    ///
    /// # Errors
    /// The reader of the queue is gone.
    pub async fn send_when_there_is_room(&self, message: Outbound) -> Result<(), Stuck> {
        self.queue.send(message).await.map_err(|_| Stuck)
    }

    /// Closes the connection after what is queued; at once, if the queue is full.
    pub fn close(self, closing: Closing) {
        if let Err(mpsc::error::TrySendError::Full(_)) = self.queue.try_send(Outbound::Close(closing.clone())) {
            self.kill(closing);
        }
    }

    /// Closes the connection at once, whatever is queued.
    pub fn kill(self, closing: Closing) {
        self.kill.send_replace(Some(closing));
    }

    /// Whether the other end is gone.
    pub fn is_gone(&self) -> bool {
        self.queue.is_closed()
    }
}

/// The client does not take its messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the client does not take its messages")]
pub struct Stuck;

impl Outlet {
    /// The next thing to send. After a [`Outbound::Close`] or when the other end is dropped there is nothing more.
    pub async fn next(&mut self) -> Option<Outbound> {
        let Outlet { queue, kill } = self;
        tokio::select! {
            biased;
            closing = killed(kill) => Some(Outbound::Close(closing)),
            outbound = queue.recv() => outbound,
        }
    }

    /// What is queued already.
    pub fn queued(&mut self) -> Option<Outbound> {
        self.queue.try_recv().ok()
    }

    /// Waits until the connection is to be closed at once; for ever if that never happens.
    pub async fn killed(&mut self) -> Closing {
        killed(&mut self.kill).await
    }
}

/// Waits until the value is there; for ever if it never comes.
pub(super) async fn killed(kill: &mut watch::Receiver<Option<Closing>>) -> Closing {
    let closing = kill
        .wait_for(Option::is_some)
        .await
        .ok()
        .and_then(|closing| closing.clone());
    match closing {
        Some(closing) => closing,
        None => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_close_follows_what_is_queued_unless_the_queue_is_full() {
        let (sender, mut outlet) = outbox(2);
        sender.send("a".into()).unwrap();
        sender.close(Closing::new(code::AUTH, "x"));
        assert_eq!(outlet.next().await, Some(Outbound::Text("a".into())));
        assert_eq!(
            outlet.next().await,
            Some(Outbound::Close(Closing::new(code::AUTH, "x")))
        );

        let (sender, mut outlet) = outbox(1);
        sender.send("a".into()).unwrap();
        assert_eq!(sender.send("b".into()), Err(Stuck));
        sender.close(Closing::new(code::SLOW, "x"));
        assert_eq!(
            outlet.next().await,
            Some(Outbound::Close(Closing::new(code::SLOW, "x")))
        );
    }

    #[tokio::test]
    async fn a_dropped_end_is_noticed() {
        let (sender, outlet) = outbox(1);
        assert!(!sender.is_gone());
        drop(outlet);
        assert!(sender.is_gone());
        assert_eq!(sender.send("a".into()), Err(Stuck));
        let (sender, mut outlet) = outbox(1);
        drop(sender);
        assert_eq!(outlet.next().await, None);
    }
}
