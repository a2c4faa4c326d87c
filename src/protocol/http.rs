//! The bodies of the two HTTP calls: `POST /v1/rpc` (the long poll) and `GET /health`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::lifecycle::ProtocolRange;

/// Body of `POST /v1/rpc`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct PollRequest {
    /// Session id of the `initialize` result; left out with `initialize` itself.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub session: String,
    /// Highest message number handled so far; 0 at first. Messages up to here are forgotten.
    #[serde(deserialize_with = "super::lenient::whole")]
    pub ack: u64,
    /// JSON-RPC messages of the client, in order. One that was sent before is not carried out again.
    #[serde(deserialize_with = "super::lenient::list")]
    pub messages: Vec<Value>,
    /// Longest wait for a message, ms; the server waits 5000 at most. Left out: 5000.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hold_ms: Option<u32>,
}

/// Reply to `POST /v1/rpc`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct PollReply {
    /// Session id; empty if there is no session.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub session: String,
    /// Number of the first message below. Messages with a number up to `ack` were sent again: skip them.
    pub first: u64,
    /// JSON-RPC messages of the server, numbered on from `first`.
    #[serde(deserialize_with = "super::lenient::list")]
    pub messages: Vec<Value>,
}

/// Reply to `GET /health`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Health {
    /// `tallyho`.
    pub name: String,
    /// Versions spoken.
    pub protocol: ProtocolRange,
    /// HMAC-SHA256 of the `nonce` asked for, under the table token, in hex: a client that knows the token compares it
    /// before it sends the token.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub proof: String,
    /// The same under the viewer token.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub viewer_proof: String,
}
