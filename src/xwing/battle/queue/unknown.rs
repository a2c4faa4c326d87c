//! What no card file knows: the players are asked, and play goes on.

use std::sync::Arc;

use super::{EffectId, Occasion, UNKNOWN_CARD, Work, support};
use crate::xwing::{
    battle::{Battle, Choice, Offer, occasion::Happening},
    effects::{Effect, Primitive, Window},
};

impl Battle {
    /// Puts a question about each card of a ship that no file knows, once a game and card: what it does is the players' to
    /// carry out.
    pub(in crate::xwing::battle) fn ask_about_unknown_cards(&mut self, ship: usize) {
        for card in 0..self.fighters[ship].cards.iter().count() {
            let effect = EffectId { ship, card, effect: 0 };
            let known = self.fighters[ship]
                .cards
                .get(card)
                .is_none_or(|card| card.entry.is_some());
            let id = self.card_id(effect);
            if known || !self.table.ships[ship].in_play() || !self.unknown_cards.insert(id.clone()) {
                continue;
            }
            let owner = self.table.ships[ship].id.clone();
            let occasion = Occasion {
                id: self.queue.next,
                window: Window::Setup,
                subject: None,
                other: None,
                what: Happening::Moment,
            };
            self.queue.next += 1;
            self.queue.work.push(Work::Decide {
                effect,
                occasion: Arc::new(occasion),
                offer: Box::new(Offer {
                    ship: owner.clone(),
                    owner,
                    card: id,
                    effect: 0,
                    window: Window::Setup,
                    about: None,
                    choices: vec![Choice::Done],
                    must: false,
                    default: None,
                    asks: Some(UNKNOWN_CARD.to_owned()),
                }),
            });
        }
    }

    /// The key of the question about an effect that is not played here.
    pub(super) fn asks(&self, effect: &Effect) -> Option<String> {
        if support::is_played(effect) && !self.leaves_to_the_table(effect) {
            return None;
        }
        Some(effect.ask.clone().unwrap_or_else(|| "by_hand".to_owned()))
    }

    /// Whether an effect is played in a battle, but not where a table's players and bridges move the ships: attacks are made
    /// there in the engagement phase alone.
    pub(super) fn leaves_to_the_table(&self, effect: &Effect) -> bool {
        let attacks = |step: &Primitive| matches!(step, Primitive::BonusAttack(_));
        self.follows_the_table() && effect.steps.iter().any(attacks)
    }
}
