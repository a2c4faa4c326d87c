//! Sends every message back, over the product's own socket code. Only for the conformance suite and as the bare
//! comparison in `benches/round_trip.rs`; run it as `ws_echo [PORT]`.

use std::ops::ControlFlow;

use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::routing::any;
use tallyho::server::limits::Limits;
use tallyho::server::outbox::{Closing, Outbound, Outbox, code, outbox};
use tallyho::server::socket::{self, Inbound, SocketOptions};
use tokio::net::TcpListener;

/// The suite sends messages of 16 MiB.
const LARGEST: usize = 17 << 20;

struct Echo(Outbox);

impl socket::Receiver for Echo {
    async fn receive(&mut self, message: Inbound) -> ControlFlow<Closing> {
        let echo = match message {
            Inbound::Text(text) => Outbound::Text(text),
            Inbound::Binary(bytes) => Outbound::Binary(bytes),
        };
        match self.0.send_when_there_is_room(echo).await {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(Closing::new(code::NORMAL, "")),
        }
    }
}

async fn open(upgrade: WebSocketUpgrade) -> axum::response::Response {
    let limits = Limits {
        message_bytes: LARGEST,
        ..Limits::default()
    };
    let options = SocketOptions {
        binary: true,
        rate: None,
        ..SocketOptions::from(&limits)
    };
    options.configure(upgrade).on_upgrade(async move |socket| {
        let (sender, outlet) = outbox(limits.outbox);
        socket::run(socket, &options, &mut Echo(sender), outlet).await;
    })
}

/// Serves until the process ends.
pub async fn serve(listener: TcpListener) -> std::io::Result<()> {
    axum::serve(listener, Router::new().route("/ws", any(open))).await
}

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let port = std::env::args().nth(1).and_then(|port| port.parse().ok()).unwrap_or(0);
    let listener = TcpListener::bind(("127.0.0.1", port)).await?;
    println!("{}", listener.local_addr()?.port());
    serve(listener).await
}
