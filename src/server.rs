//! Sockets: everything between a client's bytes and the game's values.
//!
//! A connection (WebSocket, stdio) or a poll (HTTP) only frames messages; [`hub`] owns the sessions and the game, in one task.
//! [`security`] looks at every HTTP request before it is routed. `protocol/README.md` is the specification.

pub mod burst;
pub mod host;
pub mod http;
pub mod hub;
pub mod instance;
pub mod limits;
pub mod listen;
pub mod log;
pub mod outbox;
pub mod security;
pub mod socket;
pub mod stdio;
pub mod tokens;
pub mod vassal;
