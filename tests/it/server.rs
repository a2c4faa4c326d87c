//! The server from outside: over its sockets, its command line, and faulty connections.

mod client;
mod command_line;
mod conversations;
mod faults;
mod handshake;
mod limits;
mod resume;
mod scripted_host;
mod security;
mod shutdown;
