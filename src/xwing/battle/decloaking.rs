//! Decloaking at the start of the Activation Phase (FE-6.3).

use super::Battle;
use crate::xwing::{ObjectId, edition::WhenDecloaking};

impl Battle {
    /// The next cloaked ship that is asked whether it decloaks, at the start of the Activation Phase, when all other effects
    /// of that moment are over: ascending skill, then the side with initiative, one side's own ships in id order (FE-4.1).
    /// Stress does not keep a ship from it.
    pub(super) fn next_to_decloak(&mut self) -> Option<ObjectId> {
        match self.table.rules.decloaking {
            WhenDecloaking::SystemPhase => return None,
            // At a table the players have had their say when the activations are over.
            WhenDecloaking::StartOfActivation if self.activation_over => return None,
            WhenDecloaking::StartOfActivation => {}
        }
        if self.decloaking.is_none() {
            let mut cloaked: Vec<(u8, usize, ObjectId)> = (self.waiting())
                .filter(|(ship, ..)| ship.tokens.cloak > 0)
                .map(|(ship, skill, side)| (skill, self.rank(side), ship.id.clone()))
                .collect();
            let own = self.table.rules.same_skill;
            cloaked.sort_by(|a, b| (b.0, b.1, own.order(&b.2)).cmp(&(a.0, a.1, own.order(&a.2))));
            self.decloaking = Some(cloaked.into_iter().map(|(.., id)| id).collect());
        }
        while let Some(id) = self.decloaking.as_mut().and_then(Vec::pop) {
            if self
                .table
                .ship(&id)
                .is_some_and(|ship| ship.in_play() && ship.tokens.cloak > 0)
            {
                return Some(id);
            }
        }
        None
    }
}
