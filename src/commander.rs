//! Who chooses for a side of a battle, and what is said about a choice.
//!
//! | what | where |
//! |---|---|
//! | Solo Alpha as a commander | [`solo`] |
//! | Political Escort | `escort` |
//! | a player who looks one maneuver ahead | [`scripted`] |
//! | a set-up: what an automated side does, what is proposed to a person | [`deployment`] |
//! | what any of them picks alike | [`picks`] |

pub use crate::decision::Explanation;
use crate::{
    dice::DiceSource,
    xwing::battle::{Answer, Battle, Request},
};

pub mod deployment;
pub mod escort;
pub mod picks;
pub mod scripted;
pub mod solo;

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
