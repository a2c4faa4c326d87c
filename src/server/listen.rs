//! The listening port: binding it, taking connections, ending them all.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::body::Body;
use axum::http::{Request, Response};
use axum::response::IntoResponse;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{Duration, sleep, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceExt;

use super::burst::Burst;
use super::http::Shared;
use super::hub::Hub;
use super::limits::Limits;
use super::security::Hosts;
use crate::protocol::{DEFAULT_PORT, PORTS_TRIED};

/// Binds the port that was asked for, or the first free one of the usual ones.
///
/// # Errors
/// The port is taken (`AddrInUse`), or the address cannot be used.
pub async fn bind(address: Option<IpAddr>, port: Option<u16>) -> io::Result<TcpListener> {
    let address = address.unwrap_or(Ipv4Addr::LOCALHOST.into());
    if let Some(port) = port {
        let wanted = SocketAddr::new(address, port);
        return TcpListener::bind(wanted)
            .await
            .map_err(|error| io::Error::new(error.kind(), format!("{wanted}: {error}")));
    }
    let last = DEFAULT_PORT + PORTS_TRIED - 1;
    for port in DEFAULT_PORT..=last {
        match TcpListener::bind((address, port)).await {
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => {}
            // Windows reserves blocks of ports, and says so thus.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {}
            outcome => return outcome,
        }
    }
    let message = format!("ports {DEFAULT_PORT} to {last} are all taken; choose one with --port");
    Err(io::Error::new(io::ErrorKind::AddrInUse, message))
}

/// Serves until `stop` is cancelled; then closes every connection (1001) and returns, at the latest after the time that the
/// limits give.
///
/// # Errors
/// The address of the listener cannot be read.
pub async fn serve(
    listener: TcpListener,
    shared: Shared,
    hub: Hub,
    limits: Limits,
    stop: CancellationToken,
) -> io::Result<()> {
    let gate = Arc::new(Gate {
        hosts: Hosts::new(listener.local_addr()?),
        refused: Burst::default(),
    });
    let turned_away = Burst::default();
    let sockets = shared.sockets().clone();
    let router = shared.router();
    let room = Arc::new(Semaphore::new(limits.sockets));
    let requests = TaskTracker::new();
    loop {
        let stream = tokio::select! {
            () = stop.cancelled() => break,
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => stream,
                Err(error) => {
                    // Out of file handles, most likely: trying again at once would only burn the processor.
                    tracing::warn!(%error, "cannot take a connection");
                    sleep(Duration::from_millis(100)).await;
                    continue;
                }
            },
        };
        let Ok(permit) = room.clone().try_acquire_owned() else {
            if let Some(unlogged) = turned_away.noted() {
                tracing::warn!(unlogged, "too many connections; one was turned away");
            }
            continue;
        };
        let (router, gate, stop) = (router.clone(), gate.clone(), stop.clone());
        requests.spawn(async move {
            serve_connection(stream, router, gate, &limits, stop).await;
            drop(permit);
        });
    }
    drop(listener);
    hub.shutdown().await;
    requests.close();
    sockets.close();
    let all = async {
        requests.wait().await;
        sockets.wait().await;
    };
    if timeout(limits.shutdown, all).await.is_err() {
        tracing::warn!("some connections did not end in time; they are cut off");
    }
    Ok(())
}

/// Serves the HTTP requests of one TCP connection; a socket that one of them opens lives on in a task of its own.
async fn serve_connection(
    stream: TcpStream,
    router: axum::Router,
    gate: Arc<Gate>,
    limits: &Limits,
    stop: CancellationToken,
) {
    // Messages are small and each one is wanted at once.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request: Request<Incoming>| {
        let (router, gate) = (router.clone(), gate.clone());
        async move { Ok::<_, std::convert::Infallible>(answer(request.map(Body::new), router, &gate).await) }
    });
    let connection = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.request)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    tokio::pin!(connection);
    let outcome = tokio::select! {
        outcome = &mut connection => outcome,
        () = stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = outcome {
        tracing::debug!(%error, "a connection ended badly");
    }
}

/// What every request passes before it is routed.
struct Gate {
    hosts: Hosts,
    refused: Burst,
}

async fn answer(request: Request<Body>, router: axum::Router, gate: &Gate) -> Response<Body> {
    if let Err(refusal) = gate.hosts.check(request.method(), request.uri(), request.headers()) {
        if let Some(unlogged) = gate.refused.noted() {
            tracing::warn!(
                status = refusal.status.as_u16(),
                host = ?request.headers().get("host"),
                origin = ?request.headers().get("origin"),
                unlogged,
                "refused a request; more of them within a minute are only counted",
            );
        }
        return (refusal.status, refusal.message).into_response();
    }
    match router.oneshot(request).await {
        Ok(response) => response,
        Err(never) => match never {},
    }
}
