//! What a card says of its own coming to lie face up: it is carried out before anything else goes on.

use std::sync::Arc;

use super::{EffectId, Happening, Occasion, Work};
use crate::{
    dice::DiceSource,
    xwing::{battle::Battle, effects::Window},
};

impl Battle {
    /// Carries out what a card of a ship does at a moment, before the game goes on. What others answer to it waits in the
    /// queue, and so does what somebody has to decide.
    pub(in crate::xwing::battle) fn happens_at_once(
        &mut self,
        ship: usize,
        card: usize,
        window: Window,
        what: Happening,
        dice: &mut dyn DiceSource,
    ) {
        let occasion = Arc::new(Occasion {
            id: self.queue.next,
            window,
            subject: Some(ship),
            other: None,
            what,
        });
        self.queue.next += 1;
        let count = self.fighters[ship]
            .cards
            .get(card)
            .map_or(0, |card| card.effects().len());
        for effect in 0..count {
            let id = EffectId { ship, card, effect };
            let Some(text) = self.effect(id).filter(|text| text.on.window.contains(&window)) else {
                continue;
            };
            let mut choices = self.choices(id, text, &occasion);
            let decided = !text.may && self.asks(text).is_none() && choices.len() == 1;
            let occasion = Arc::clone(&occasion);
            if choices.is_empty() || !self.plays_role(text, ship, &occasion) {
                continue;
            }
            if !decided {
                let waiting = vec![id];
                self.queue.work.push(Work::Level { occasion, waiting });
                continue;
            }
            let choice = choices.remove(0);
            self.resolve(id, Arc::clone(&occasion), &choice, dice);
            let own = |work: &mut Work| matches!(work, Work::Steps(steps) if steps.effect == id && Arc::ptr_eq(&steps.occasion, &occasion));
            while let Some(Work::Steps(steps)) = self.queue.work.pop_if(own) {
                if self.step(*steps, dice).is_some() {
                    break;
                }
            }
        }
    }
}
