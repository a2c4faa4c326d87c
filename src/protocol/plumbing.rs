//! The optional `$/` methods.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::rpc::Id;

/// Parameters of `$/cancelRequest` (both directions): the answer is no longer wanted. It is still owed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CancelParams {
    /// Id of the sender's own request.
    pub id: Id,
}

/// Parameters of `$/progress` (server notification) for a request that carried a `progressToken`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProgressParams {
    /// The token of the request.
    pub token: Id,
    /// How far it is.
    pub value: Progress,
}

/// How far a long piece of work is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Progress {
    /// It has begun.
    Begin {
        /// What is being done.
        title: String,
    },
    /// Another step was answered by the table.
    Report {
        /// Steps answered so far.
        done: u32,
    },
    /// Nothing more will come for this token.
    End {
        /// Steps answered in all.
        done: u32,
    },
}

/// Empty parameters and empty results. `{}` and not null, which Lua cannot hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Empty {}
