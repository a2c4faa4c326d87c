//! `initialize` and its kin.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Parameters of `initialize` (client request, first of all).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InitializeParams {
    /// Versions that the client speaks.
    pub protocol: ProtocolRange,
    /// Who is calling.
    pub client: ClientInfo,
    /// The token. It decides the role; the claim below only narrows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auth: Option<String>,
    /// What the client wants to be.
    #[serde(default)]
    pub role: Role,
    /// What the client can do; absent means no.
    #[serde(default, deserialize_with = "super::lenient::record")]
    pub capabilities: ClientCapabilities,
    /// Continue an earlier session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resume: Option<Resume>,
}

/// Lowest and highest protocol version spoken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProtocolRange {
    /// Lowest.
    #[serde(deserialize_with = "super::lenient::whole")]
    pub min: u32,
    /// Highest.
    #[serde(deserialize_with = "super::lenient::whole")]
    pub max: u32,
}

/// Name and version of a program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ClientInfo {
    /// Name.
    pub name: String,
    /// Version.
    #[serde(default)]
    pub version: String,
}

/// What a connection may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Carries out steps. One at a time.
    Table,
    /// Watches.
    #[default]
    Viewer,
    /// A command-line client: may ask and command, carries nothing out.
    Cli,
}

/// What a client can do. Everything is optional; absent means no.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ClientCapabilities {
    /// The dialect of its snapshots and steps.
    pub dialect: Dialect,
    /// Step kinds that it can carry out (`move`, `token`, ...). Missing ones are announced as instructions instead.
    #[serde(deserialize_with = "super::lenient::list")]
    pub steps: Vec<String>,
    /// It can ask the human (`table/prompt`).
    pub prompt: bool,
    /// It can roll real dice (`dice/roll`): those of the game that is played.
    pub dice: bool,
    /// It leads its players through whole rounds: phases, attacks, damage (`game/*`, questions about attacks, typed dice). Without it only the activations of the solo ships are played.
    pub rounds: bool,
    /// It wants short events (one sentence, no list of reasons).
    pub terse: bool,
}

/// How a table writes positions and moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    /// mm, degrees clockwise from north, dial codes.
    #[default]
    Plain,
    /// Tabletop Simulator units, rotY, the Unified mod's move codes.
    Tts,
    /// Pieces of a Vassal module in pixels; a profile says what they are.
    Vassal,
}

/// What a returning client remembers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Resume {
    /// Session id of the earlier `initialize`.
    pub session: String,
    /// Highest `seq` that it handled.
    #[serde(default, deserialize_with = "super::lenient::whole")]
    pub last_seq: u64,
}

/// Result of `initialize`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InitializeResult {
    /// The version chosen.
    pub protocol: u32,
    /// The server.
    pub server: ClientInfo,
    /// Session id: keep it for `resume`.
    pub session: String,
    /// `seq` of the newest event so far.
    pub seq: u64,
    /// The role granted.
    pub role: Role,
    /// Limits that hold.
    pub limits: Limits,
    /// Whether the earlier session went on; if not, send a full `table/sync`.
    pub resumed: bool,
}

/// Limits that hold for a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Limits {
    /// Largest message taken, bytes.
    pub max_message_bytes: u32,
    /// Silence after which a connection is dropped, ms.
    pub idle_ms: u32,
    /// Events kept for a resume.
    pub history_events: u32,
}
