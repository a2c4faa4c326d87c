//! What a choice about a card would come to: for whoever decides, never for the game itself.

use super::{EffectId, Work};
use crate::{
    dice::DiceSource,
    xwing::{
        battle::{
            Battle,
            offer::{Choice, GivenAction, Offer},
        },
        effects::Primitive,
    },
};

impl Battle {
    /// The battle after a choice about the card that is asked about, up to the next choice that it leads to or to where it
    /// is done with. `None` when nothing of a card is asked, or the choice is not offered.
    pub fn preview(&self, choice: Option<usize>, dice: &mut dyn DiceSource) -> Option<Battle> {
        let mut then = self.clone();
        let below = then.queue.work.len().checked_sub(1)?;
        then.pending = None;
        then.answer_effect(choice, dice).ok()?;
        while then.pending.is_none() && then.queue.work.len() > below {
            then.pending = then.work(dice);
        }
        Some(then)
    }

    /// The actions that an effect would give, if it is used as offered.
    pub fn actions_given(&self, offer: &Offer, choice: &Choice) -> Vec<GivenAction> {
        let Some(Work::Decide {
            effect: id, occasion, ..
        }) = self.queue.work.last()
        else {
            return Vec::new();
        };
        let (Some(effect), Choice::Use { targets, .. }) = (self.effect(*id), choice) else {
            return Vec::new();
        };
        let id: EffectId = *id;
        let chosen = self.chosen(effect, targets);
        let scene = self.scene(id, occasion, &chosen, None);
        let mut given = Vec::new();
        for step in &effect.steps {
            let Primitive::PerformAction(perform) = step else {
                continue;
            };
            for ship in scene.select(&perform.who).unwrap_or_default() {
                let actions = self.given_actions(&scene, perform, ship, id);
                if !actions.is_empty() {
                    given.push(GivenAction {
                        ship: self.table.ships[ship].id.clone(),
                        owner: offer.owner.clone(),
                        card: offer.card.clone(),
                        actions,
                        while_stressed: perform.even_while_stressed,
                    });
                }
            }
        }
        given
    }
}
