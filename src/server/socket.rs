//! One WebSocket: a reader and a writer that never wait for each other, and an end that both sides agree on.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use tokio::sync::watch;
use tokio::time::{Instant, MissedTickBehavior, interval_at, sleep, timeout};
use tokio_tungstenite::tungstenite;

use super::limits::{Limits, Rate};
use super::outbox::{Closing, Outbound, Outlet, code, killed};

/// What holds for one socket.
#[derive(Debug, Clone, Copy)]
pub struct SocketOptions {
    /// Largest message or frame taken, bytes.
    pub message_bytes: usize,
    /// Whether binary messages are taken; the product closes with 1003.
    pub binary: bool,
    /// Messages a second and at once; none: no limit.
    pub rate: Option<(f64, f64)>,
    /// Time for one message to leave.
    pub send: Duration,
    /// Time for the other side to answer a close.
    pub close: Duration,
    /// Pause between two pings.
    pub ping: Duration,
    /// Silence after which the connection is dropped.
    pub silence: Duration,
}

impl From<&Limits> for SocketOptions {
    fn from(limits: &Limits) -> Self {
        SocketOptions {
            message_bytes: limits.message_bytes,
            binary: false,
            rate: Some((limits.rate, limits.burst)),
            send: limits.send,
            close: limits.close,
            ping: limits.ping,
            silence: limits.silence,
        }
    }
}

impl SocketOptions {
    /// Sets the sizes of an upgrade.
    pub fn configure(&self, upgrade: WebSocketUpgrade) -> WebSocketUpgrade {
        upgrade
            .max_message_size(self.message_bytes)
            .max_frame_size(self.message_bytes)
            .read_buffer_size(16 << 10)
            .write_buffer_size(64 << 10)
            // Must exceed the write buffer; a message of our own is far below it.
            .max_write_buffer_size((2 << 20).max(2 * self.message_bytes))
    }
}

/// A message that came in.
#[derive(Debug)]
pub enum Inbound {
    /// Text.
    Text(String),
    /// Bytes.
    Binary(Vec<u8>),
}

/// Takes what comes in.
pub trait Receiver: Send {
    /// Takes one message. It may wait, which holds back the other side; it may also end the connection.
    fn receive(&mut self, message: Inbound) -> impl Future<Output = ControlFlow<Closing>> + Send;
}

/// Serves one socket until it is closed: hands what comes in to `receiver`, sends what `outlet` gives.
pub async fn run(socket: WebSocket, options: &SocketOptions, receiver: &mut impl Receiver, outlet: Outlet) {
    let (sink, stream) = socket.split();
    let (wish, wishes) = watch::channel(None);
    let closing = AtomicBool::new(false);
    let reader = read(stream, options, receiver, &wish, &closing);
    let writer = write(sink, options, outlet, wishes);
    tokio::pin!(reader, writer);
    tokio::select! {
        () = &mut reader => {
            // After a broken frame nothing more can be read, but the other side can still be told why it ends.
            let why = wish.borrow().clone();
            if let Some(why) = why {
                let _ = timeout(options.close, &mut writer).await;
                if why.code == code::TOO_BIG {
                    // Dropping the connection under the rest of the message would take our close frame along.
                    sleep(options.close).await;
                }
            }
        }
        () = &mut writer => {
            // Leaving before the other side has answered would cut the connection under its last messages.
            closing.store(true, Relaxed);
            let _ = timeout(options.close, reader).await;
        }
    }
}

/// Ends a socket that is not served, and says why.
pub async fn end(socket: WebSocket, closing: Closing, options: &SocketOptions) {
    let (mut sink, mut stream) = socket.split();
    say_goodbye(&mut sink, closing, options.close).await;
    // Leaving before the other side has answered would cut the connection under the close.
    let answered = async { while let Some(Ok(_)) = stream.next().await {} };
    let _ = timeout(options.close, answered).await;
}

/// Reads until the stream ends. Once the connection is closing, whatever still comes is dropped; but it is read, because only
/// reading sends the answer to a close and sees the end.
async fn read(
    mut stream: SplitStream<WebSocket>,
    options: &SocketOptions,
    receiver: &mut impl Receiver,
    wish: &watch::Sender<Option<Closing>>,
    closing: &AtomicBool,
) {
    let mut rate = options.rate.map(|(per_second, burst)| Rate::new(per_second, burst));
    let close = |why: Closing| {
        closing.store(true, Relaxed);
        wish.send_replace(Some(why));
    };
    loop {
        let message = match timeout(options.silence, stream.next()).await {
            Ok(Some(Ok(message))) => message,
            Ok(Some(Err(error))) => match reason(error) {
                Some(why) if !closing.load(Relaxed) => {
                    close(why);
                    continue;
                }
                _ => return,
            },
            Ok(None) => return,
            Err(_) => {
                if closing.load(Relaxed) {
                    return;
                }
                close(Closing::new(code::SILENT, "nothing heard for too long"));
                continue;
            }
        };
        if closing.load(Relaxed) {
            continue;
        }
        if rate.as_mut().is_some_and(|rate| !rate.take(1)) {
            close(Closing::new(code::RATE, "too many messages"));
            continue;
        }
        let inbound = match message {
            Message::Text(text) => Inbound::Text(text.as_str().to_owned()),
            Message::Binary(bytes) if options.binary => Inbound::Binary(bytes.into()),
            Message::Binary(_) => {
                close(Closing::new(code::UNSUPPORTED, "text messages only"));
                continue;
            }
            Message::Ping(_) | Message::Pong(_) => continue,
            Message::Close(_) => {
                closing.store(true, Relaxed);
                continue;
            }
        };
        if let ControlFlow::Break(why) = receiver.receive(inbound).await {
            close(why);
        }
    }
}

/// Sends until a close was sent or the other side is gone or does not take its messages.
async fn write(
    mut sink: SplitSink<WebSocket, Message>,
    options: &SocketOptions,
    mut outlet: Outlet,
    mut wishes: watch::Receiver<Option<Closing>>,
) {
    let mut ping = interval_at(Instant::now() + options.ping, options.ping);
    ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut wish = None;
    loop {
        let outbound = match &wish {
            // What was said before goes out before the close.
            Some(closing) => outlet
                .queued()
                .unwrap_or_else(|| Outbound::Close(Closing::clone(closing))),
            None => tokio::select! {
                biased;
                closing = killed(&mut wishes) => {
                    wish = Some(closing);
                    continue;
                }
                outbound = outlet.next() => outbound.unwrap_or(Outbound::Close(Closing::new(code::NORMAL, ""))),
                _ = ping.tick() => Outbound::Ping,
            },
        };
        let message = match outbound {
            Outbound::Text(text) => Message::Text(text.into()),
            Outbound::Binary(bytes) => Message::Binary(bytes.into()),
            Outbound::Ping => Message::Ping(Default::default()),
            Outbound::Close(closing) => return say_goodbye(&mut sink, closing, options.close).await,
        };
        let sent = tokio::select! {
            sent = timeout(options.send, sink.send(message)) => matches!(sent, Ok(Ok(()))),
            closing = outlet.killed() => return say_goodbye(&mut sink, closing, options.close).await,
        };
        if !sent {
            return;
        }
    }
}

async fn say_goodbye(sink: &mut SplitSink<WebSocket, Message>, closing: Closing, limit: Duration) {
    let mut end = closing.reason.len().min(123);
    while !closing.reason.is_char_boundary(end) {
        end -= 1;
    }
    let frame = CloseFrame {
        code: closing.code,
        reason: closing.reason[..end].into(),
    };
    let _ = timeout(limit, sink.send(Message::Close(Some(frame)))).await;
}

/// What to tell the other side about a read error; nothing if it cannot hear it any more.
fn reason(error: axum::Error) -> Option<Closing> {
    use tungstenite::Error;
    match *error.into_inner().downcast::<Error>().ok()? {
        Error::Capacity(_) => Some(Closing::new(code::TOO_BIG, "message too long")),
        Error::Utf8(_) => Some(Closing::new(code::NOT_UTF8, "text must be UTF-8")),
        Error::Protocol(tungstenite::error::ProtocolError::ResetWithoutClosingHandshake) => None,
        Error::Protocol(_) => Some(Closing::new(code::PROTOCOL, "not a good WebSocket frame")),
        _ => None,
    }
}
