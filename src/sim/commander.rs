//! Who chooses for a side.

use crate::{
    dice::DiceSource,
    xwing::battle::{Answer, Battle, Request},
};

/// Chooses for the ships of one side.
pub trait Commander {
    /// The choice that is asked. The dice are for ties and for rolls that the choice itself needs.
    fn answer(&mut self, battle: &Battle, request: &Request, dice: &mut dyn DiceSource) -> Answer;
}
