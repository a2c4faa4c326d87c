//! One client on standard input and output: a JSON object a line. Nothing else is ever written to the output. A line that
//! is too long or no UTF-8 is answered with an error, and the conversation goes on with the next one.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use futures_util::StreamExt;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::time::timeout;
use tokio_util::codec::{AnyDelimiterCodec, AnyDelimiterCodecError, FramedRead};

use super::hub::{Ended, Hub, Inlet, Trust};
use super::limits::Limits;
use super::outbox::{Outbound, Outlet, code};
use crate::protocol::fault::{Fault, FaultKind};

/// How the conversation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// `exit` after `shutdown`, or the server was stopped.
    Orderly,
    /// The input ended, `exit` or `exit` came without `shutdown`.
    Abrupt,
}

/// Serves one client. It belongs to the process that started this one, so it needs no token.
pub async fn run(
    input: impl AsyncRead + Unpin,
    mut output: impl AsyncWrite + Unpin,
    hub: &Hub,
    limits: &Limits,
) -> End {
    let Ok((inlet, outlet)) = hub.connect(Trust::Parent, limits.outbox, None).await else {
        return End::Abrupt;
    };
    let delimiter = || b"\n".to_vec();
    let codec = AnyDelimiterCodec::new_with_max_length(delimiter(), delimiter(), limits.message_bytes);
    let mut lines = FramedRead::new(input, codec);
    let shut = AtomicBool::new(false);
    let reader = async {
        loop {
            let line = match lines.next().await {
                Some(Ok(line)) => line,
                Some(Err(AnyDelimiterCodecError::MaxChunkLengthExceeded)) => {
                    let words = format!("a line was longer than {} bytes and is skipped", limits.message_bytes);
                    if refuse(&inlet, FaultKind::Limit, words).await.is_err() {
                        return;
                    }
                    // After an error the reader says once that it has ended; then it skips the rest of the line.
                    let _ = lines.next().await;
                    continue;
                }
                Some(Err(AnyDelimiterCodecError::Io(error))) => {
                    tracing::error!(%error, "the input cannot be read");
                    return;
                }
                None => return,
            };
            let Ok(line) = std::str::from_utf8(&line) else {
                let words = "a line was no UTF-8 and is skipped".to_owned();
                match refuse(&inlet, FaultKind::Parse, words).await {
                    Ok(()) => continue,
                    Err(_) => return,
                }
            };
            if line.trim().is_empty() {
                continue;
            }
            if is_shutdown(line) {
                shut.store(true, Relaxed);
            }
            if inlet.message(line).await.is_err() {
                return;
            }
        }
    };
    let writer = write(outlet, &mut output, limits);
    tokio::pin!(writer);
    let ended = tokio::select! {
        ended = &mut writer => ended,
        () = reader => {
            // The input is at its end; what was asked for before is still answered.
            inlet.close().await;
            timeout(Duration::from_secs(1), writer).await.unwrap_or(ControlFlow::Break(()))
        }
    };
    match ended {
        ControlFlow::Continue(()) if shut.load(Relaxed) => End::Orderly,
        _ => End::Abrupt,
    }
}

async fn refuse(inlet: &Inlet, kind: FaultKind, words: String) -> Result<(), Ended> {
    tracing::warn!("{words}");
    inlet.unreadable(Fault::new(kind, words)).await
}

fn is_shutdown(line: &str) -> bool {
    use crate::protocol::rpc::Message;
    matches!(Message::parse(line), Ok(Message::Request { method, .. }) if method == "shutdown")
}

/// Writes until the conversation is closed; `Continue` if that was in order.
async fn write(mut outlet: Outlet, output: &mut (impl AsyncWrite + Unpin), limits: &Limits) -> ControlFlow<()> {
    loop {
        let text = match outlet.next().await {
            Some(Outbound::Text(text)) => text,
            Some(Outbound::Close(closing)) if closing.code == code::NORMAL => return ControlFlow::Continue(()),
            Some(Outbound::Binary(_) | Outbound::Ping) => continue,
            Some(Outbound::Close(_)) | None => return ControlFlow::Break(()),
        };
        let line = async {
            output.write_all(text.as_bytes()).await?;
            output.write_all(b"\n").await?;
            output.flush().await
        };
        if !matches!(timeout(limits.send, line).await, Ok(Ok(()))) {
            return ControlFlow::Break(());
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};

    use super::*;
    use crate::server::tokens::Tokens;

    #[tokio::test]
    async fn an_unreadable_line_is_answered_and_the_next_one_is_read() {
        let limits = Limits {
            message_bytes: 1000,
            ..Limits::default()
        };
        let game = crate::bridge::host::Host::new(crate::bridge::host::HostConfig::default());
        let (hub, _task) = Hub::start(Box::new(game), Tokens::random().unwrap(), limits);
        let (client, server) = tokio::io::duplex(256);
        let (input, output) = tokio::io::split(server);
        let conversation = tokio::spawn(async move { run(input, output, &hub, &limits).await });
        let (answers, mut questions) = tokio::io::split(client);
        let mut answers = BufReader::new(answers);
        let ping = |id: i64| format!("{}\n", json!({"jsonrpc": "2.0", "id": id, "method": "$/ping"}));
        let long = format!("{}\n", "x".repeat(5000));
        for (line, code) in [
            (&b"{\"jsonrpc\": \"\xc3\x28\"}\r\n"[..], -32700),
            (ping(1).as_bytes(), -32002),
            (long.as_bytes(), 1004),
            (ping(2).as_bytes(), -32002),
            (&b"\xff\n"[..], -32700),
        ] {
            questions.write_all(line).await.unwrap();
            let mut answer = String::new();
            answers.read_line(&mut answer).await.unwrap();
            let answer: Value = serde_json::from_str(&answer).unwrap();
            assert_eq!(answer["error"]["code"], code, "{answer}");
        }
        questions.shutdown().await.unwrap();
        let mut rest = String::new();
        answers.read_to_string(&mut rest).await.unwrap();
        assert_eq!((rest.as_str(), conversation.await.unwrap()), ("", End::Abrupt));
    }
}
