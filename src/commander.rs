//! Who chooses for a side of a battle, and what is said about a choice.
//!
//! | what | where |
//! |---|---|
//! | Solo Alpha as a commander | [`solo`] |
//! | a player who looks one maneuver ahead | [`scripted`] |

use serde::{Deserialize, Serialize};

use crate::{
    decision::Reason,
    dice::DiceSource,
    xwing::{
        ObjectId,
        battle::{Answer, Battle, Request},
    },
};

pub mod scripted;
pub mod solo;

/// A choice in words.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    /// The whole in one readable sentence; empty where there is nothing to say.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub sentence: String,
    /// Why, in the order of the rules, each with its id and the values that were compared.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<Reason>,
    /// What the ship is after: the tally of a move, the defender of an attack.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<ObjectId>,
}

/// Chooses for the ships of one side.
pub trait Commander {
    /// The choice that is asked. The dice are for ties and for rolls that the choice itself needs. Whoever wants the choice
    /// in words passes something to write them into; the choice and the dice taken are the same with and without.
    fn answer(
        &mut self,
        battle: &Battle,
        request: &Request,
        dice: &mut dyn DiceSource,
        explanation: Option<&mut Explanation>,
    ) -> Answer;
}
