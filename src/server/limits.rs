//! Every limit of the server in one place. Tests shrink the times; the sizes and counts are what `protocol/README.md` says.

use std::time::Duration;

use tokio::time::Instant;

/// Limits that hold for connections and sessions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// Largest message or HTTP body taken, bytes; beyond: close 1009, HTTP 413.
    pub message_bytes: usize,
    /// TCP connections at one time; beyond: closed at once.
    pub sockets: usize,
    /// WebSockets at one time; beyond: HTTP 503.
    pub connections: usize,
    /// WebSockets at one time that have not said a good `initialize` yet; beyond: HTTP 503.
    pub unauthenticated: usize,
    /// Sessions at one time, resting ones counted; beyond: the one that rested longest is forgotten.
    pub sessions: usize,
    /// Messages that wait for one client; beyond: close 4008.
    pub outbox: usize,
    /// Messages a second that one client may send on the average; beyond: close 1008, HTTP 429.
    pub rate: f64,
    /// Messages that one client may send at once.
    pub burst: f64,
    /// Events kept for a resume.
    pub history_events: usize,
    /// Bytes of events kept for a resume.
    pub history_bytes: usize,
    /// Answers kept for requests that come twice.
    pub answers: usize,
    /// Bytes of one HTTP reply, unless a single message is longer.
    pub reply_bytes: usize,
    /// Time for a good `initialize`; beyond: close 4001.
    pub initialize: Duration,
    /// Time for the head of an HTTP request, and again for its body.
    pub request: Duration,
    /// Time for one message to leave; beyond: the connection is dropped.
    pub send: Duration,
    /// Time for the other side to answer a close.
    pub close: Duration,
    /// Pause between two pings.
    pub ping: Duration,
    /// Silence after which a connection is dropped (4007), and an HTTP client counts as away.
    pub silence: Duration,
    /// Time for which a session waits for its client.
    pub grace: Duration,
    /// Longest wait of a poll for a message.
    pub hold: Duration,
    /// Time after which a step that got no answer is sent again, under the same action id.
    pub resend: Duration,
    /// Time that the table has for a dice roll; then the program rolls.
    pub roll: Duration,
    /// Time for everything to end at shutdown.
    pub shutdown: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            message_bytes: 1 << 20,
            sockets: 64,
            connections: 16,
            unauthenticated: 4,
            sessions: 64,
            outbox: 256,
            rate: 50.0,
            burst: 200.0,
            history_events: 256,
            history_bytes: 1 << 20,
            answers: 256,
            reply_bytes: 2500,
            initialize: Duration::from_secs(5),
            request: Duration::from_secs(10),
            send: Duration::from_secs(10),
            close: Duration::from_secs(2),
            ping: Duration::from_secs(15),
            silence: Duration::from_secs(45),
            grace: Duration::from_secs(600),
            hold: Duration::from_secs(5),
            resend: Duration::from_secs(20),
            roll: Duration::from_secs(60),
            shutdown: Duration::from_secs(3),
        }
    }
}

/// A token bucket: how fast one client may send.
#[derive(Debug)]
pub struct Rate {
    per_second: f64,
    burst: f64,
    left: f64,
    since: Instant,
}

impl Rate {
    /// A full bucket.
    pub fn new(per_second: f64, burst: f64) -> Self {
        Rate {
            per_second,
            burst,
            left: burst,
            since: Instant::now(),
        }
    }

    /// Takes `count` messages out; false if there are not that many left.
    pub fn take(&mut self, count: usize) -> bool {
        let now = Instant::now();
        let refill = now.duration_since(self.since).as_secs_f64() * self.per_second;
        self.since = now;
        self.left = (self.left + refill).min(self.burst);
        let enough = self.left >= count as f64;
        if enough {
            self.left -= count as f64;
        }
        enough
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_bucket_empties_and_fills_again() {
        let mut rate = Rate::new(10.0, 5.0);
        assert!(rate.take(5));
        assert!(!rate.take(1));
        tokio::time::advance(Duration::from_millis(250)).await;
        assert!(rate.take(2));
        assert!(!rate.take(1));
        tokio::time::advance(Duration::from_secs(60)).await;
        assert!(rate.take(5));
        assert!(!rate.take(1));
    }
}
