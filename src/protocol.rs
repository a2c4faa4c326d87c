//! The wire types of protocol version 1, and nothing else. They are the source of `protocol/schema.json` and
//! `protocol/methods.json`; `protocol/README.md` is the specification in prose.
//!
//! Every message is a JSON-RPC 2.0 object. Names are `noun/verb`, fields are camelCase, unions carry `kind`.

pub mod apply;
pub mod event;
pub mod fault;
pub mod grid;
pub mod http;
pub mod lenient;
pub mod lifecycle;
pub mod methods;
pub mod plumbing;
pub mod round;
pub mod rpc;
pub mod schema;
pub mod snapshot;
pub mod solo;
pub mod status;
pub mod vassal;

/// The one version spoken. Raise it only when an old client would break; everything additive is a capability.
pub const PROTOCOL_VERSION: u32 = 1;

/// WebSocket subprotocol.
pub const SUBPROTOCOL: &str = "tallyho.v1.json";

/// The versions spoken.
pub const SUPPORTED: lifecycle::ProtocolRange = lifecycle::ProtocolRange {
    min: PROTOCOL_VERSION,
    max: PROTOCOL_VERSION,
};

/// First of the ten ports that a server tries and a client may probe. Unassigned by IANA, and below the ranges from
/// which Linux (32768) and Windows (49152, where it also reserves whole blocks) hand out ports of their own accord.
pub const DEFAULT_PORT: u16 = 17342;

/// How many ports from [`DEFAULT_PORT`] on are tried.
pub const PORTS_TRIED: u16 = 10;
