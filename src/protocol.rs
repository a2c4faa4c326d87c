//! The wire types of protocol version 1, and nothing else. They are the source of `protocol/schema.json` and
//! `protocol/methods.json`; `protocol/README.md` is the specification in prose.
//!
//! Every message is a JSON-RPC 2.0 object. Names are `noun/verb`, fields are camelCase, unions carry `kind`.

pub mod apply;
pub mod event;
pub mod lenient;
pub mod lifecycle;
pub mod snapshot;
pub mod solo;

/// The one version spoken. Raise it only when an old client would break; everything additive is a capability.
pub const PROTOCOL_VERSION: u32 = 1;

/// WebSocket subprotocol.
pub const SUBPROTOCOL: &str = "tallyho.v1.json";
