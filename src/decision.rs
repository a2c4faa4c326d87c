//! What every opponent returns: steps to carry out, and the reasons for them, each with the id of its rule.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// One reason: what a rule said, with the values that were compared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Reason {
    /// The rule's id, as in `SA-3.1c`.
    pub rule: String,
    /// What it led to, in one plain sentence.
    pub text: String,
    /// The candidates and their values, best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub compared: Vec<Compared>,
}

/// A candidate that a rule looked at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Compared {
    /// What was looked at: an object's id, a maneuver's code, an action.
    pub candidate: String,
    /// The value compared, in `unit`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// `mm`, `degrees`, `dice`; empty where there is no value.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unit: String,
    /// Why it was taken or left, in a few words.
    pub verdict: String,
}

/// Why somebody chose as it did, for those who want to read it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    /// The whole in one readable sentence; empty where there is nothing to say.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub sentence: String,
    /// Why, in the order of the rules, each with its id and the values that were compared.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<Reason>,
    /// What the piece is after, by its id: the tally of a move, the defender of an attack.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Arc<str>>,
}

impl Explanation {
    /// A choice in a sentence, with its reasons.
    pub const fn new(sentence: String, reasons: Vec<Reason>) -> Explanation {
        Explanation {
            sentence,
            reasons,
            after: None,
        }
    }
}

/// A decision of any opponent: who acts, what is to be done in order, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision<Step> {
    /// Id of the acting piece.
    pub actor: String,
    /// What is to be carried out, in order.
    pub steps: Vec<Step>,
    /// Why, in the order of the rules.
    pub reasons: Vec<Reason>,
    /// The whole in one readable sentence.
    pub sentence: String,
}
