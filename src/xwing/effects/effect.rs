//! One effect of a card.

use serde::{Deserialize, Serialize};

use super::{
    cost::Cost, one_or_many::OneOrMany, predicate::Predicate, primitive::Primitive, selector::Query,
    vocabulary::vocabulary, window::Trigger,
};

/// One effect of a card.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Effect {
    /// When it comes up, and what the ship is then.
    pub on: Trigger,
    /// What must hold, all of it.
    #[serde(default, rename = "if", skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Predicate>,
    /// Who or what is chosen: the `target`, then the `second_target`.
    #[serde(default, skip_serializing_if = "OneOrMany::is_empty")]
    pub choose: OneOrMany<Query>,
    /// What is paid for it: all or nothing, when it resolves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cost: Vec<Cost>,
    /// Whether it is left to the ship's player.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub may: bool,
    /// What happens, in order.
    #[serde(rename = "do")]
    pub steps: Vec<Primitive>,
    /// How long what happens lasts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Duration>,
    /// Whether it stands in for the event.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub replaces: bool,
    /// How the opponent decides, where the derived policy would be wrong.
    #[serde(default, rename = "use", skip_serializing_if = "Option::is_none")]
    pub policy: Option<Policy>,
    /// The question to the player, by its key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ask: Option<String>,
}

vocabulary! {
    /// How long something lasts.
    pub enum Duration {
        Attack = "attack": "until the end of the attack",
        Maneuver = "maneuver": "until the end of the maneuver",
        Phase = "phase": "until the end of the phase",
        Round = "round": "until the end of the round",
        Game = "game": "until the end of the game",
    }
}

vocabulary! {
    /// How the opponent decides about an optional effect.
    pub enum Policy {
        Always = "always": "whenever it can",
        IfItChangesOutcome = "if_it_changes_outcome": "when it changes what comes of it",
        AttitudeOffensive = "attitude_offensive": "when the attitude is Offensive",
        AttitudeDefensive = "attitude_defensive": "when the attitude is Defensive",
        AttitudeBalanced = "attitude_balanced": "when the attitude is Balanced",
        Never = "never": "never",
        AskPlayer = "ask_player": "the player is asked",
    }
}

impl Effect {
    /// Whether only the player can say what comes of it.
    pub fn is_asked(&self) -> bool {
        self.policy == Some(Policy::AskPlayer)
    }
}
