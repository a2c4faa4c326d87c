//! The server from outside: over its sockets, its command line, and faulty connections.

mod client;
mod faults;
mod handshake;
mod limits;
mod resume;
mod scripted_host;
mod security;
mod shutdown;
