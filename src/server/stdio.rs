//! One client on standard input and output: a JSON object a line. Nothing else is ever written to the output.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use futures_util::StreamExt;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::time::timeout;
use tokio_util::codec::{FramedRead, LinesCodec, LinesCodecError};

use super::hub::{Hub, Trust};
use super::limits::Limits;
use super::outbox::{Outbound, Outlet, code};

/// How the conversation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// `exit` after `shutdown`, or the server was stopped.
    Orderly,
    /// The input ended, `exit` came without `shutdown`, or a line was too long.
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
    let mut lines = FramedRead::new(input, LinesCodec::new_with_max_length(limits.message_bytes));
    let shut = AtomicBool::new(false);
    let reader = async {
        loop {
            let line = match lines.next().await {
                Some(Ok(line)) => line,
                Some(Err(LinesCodecError::MaxLineLengthExceeded)) => {
                    tracing::error!("a line was longer than {} bytes", limits.message_bytes);
                    return;
                }
                Some(Err(LinesCodecError::Io(error))) => {
                    tracing::error!(%error, "the input cannot be read");
                    return;
                }
                None => return,
            };
            if line.trim().is_empty() {
                continue;
            }
            if is_shutdown(&line) {
                shut.store(true, Relaxed);
            }
            if inlet.message(&line).await.is_err() {
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
