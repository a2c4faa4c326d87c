//! The Perform Action step, and the actions that cards add to those of the bar (FE-6.14).

use std::sync::Arc;

use super::{EffectId, Happening, Headers, Occasion, Work};
use crate::{
    dice::DiceSource,
    xwing::{
        battle::{Battle, Event, LostAction, Request, activation::Landed},
        edition::CardActions,
        effects::{Role, Window},
        escort::protect::PROTECT,
    },
};

impl Battle {
    /// Puts the Perform Action step, and the end of the activation after it, below what the move has triggered.
    pub(in crate::xwing::battle) fn act_later(&mut self, depth: usize, index: usize, landed: Landed) {
        let Landed { lost, obstacles } = landed;
        let depth = depth.min(self.queue.work.len());
        let headers = Headers::ToCome;
        self.queue.work.insert(depth, Work::ActionStep { index, lost, headers });
        if !obstacles.is_empty() {
            self.queue.work.insert(depth, Work::Obstacles { index, obstacles });
        }
        if self.has_window(Window::AfterActivate) {
            self.queue.work.insert(depth, Work::Activated { index });
        }
    }

    /// The Perform Action step: actions that cards add come first, as far as the ship wants one of them.
    pub(super) fn offer_headers(
        &mut self,
        index: usize,
        lost: Option<LostAction>,
        headers: Headers,
    ) -> Option<Request> {
        if headers == Headers::Taken || !self.goes_on(index) {
            return None;
        }
        if self.is_shuttle_at(index) {
            // PE-1: it performs no action, not even that of a damage card.
            self.shuttle_activated(index);
            return None;
        }
        self.refresh_standing();
        let ship = &self.table.ships[index];
        let before = self.queue.acted_before.as_ref() == Some(&ship.id);
        let lost = lost.or_else(|| before.then_some(LostAction::Card));
        // While it is stressed, damage cards alone may let it act.
        let stressed = ship.is_stressed() && !ship.standing.repairs_stressed;
        let may = lost.is_none() && !stressed && !(self.ionized && self.ion_bars(None));
        if headers == Headers::Offered || !may || !self.has_window(Window::ActionHeader) {
            // At a table its players or its bridge carry the rest of the step out.
            return match self.follows_the_table() {
                true => None,
                false => self.action_step(index, lost),
            };
        }
        let headers = Headers::Offered;
        self.queue.work.push(Work::ActionStep { index, lost, headers });
        self.open(Window::ActionHeader, Some(index), None, Happening::Moment);
        None
    }

    /// The Perform Action step of a ship begins at a table: the actions that its cards add are offered, as far as it may act. What
    /// it does instead is not played here. Nothing if there is no such ship, or in a phase without activations.
    pub fn headers_at_table(&mut self, id: &str, dice: &mut dyn DiceSource) {
        let free = self.follows_the_table() && self.pending.is_none() && self.has_window(Window::ActionHeader);
        if let Some(index) = self.index(id).filter(|_| free) {
            let headers = Headers::ToCome;
            let lost = None;
            self.queue.work.push(Work::ActionStep { index, lost, headers });
            self.go_on_at_table(dice);
        }
    }

    /// Whether a ship may act and has yet to, so that a card's own action may be it: in its Perform Action step, or when it
    /// is asked for its action.
    pub(super) fn may_act_by(&self, id: EffectId) -> bool {
        let (ship, fighter) = (&self.table.ships[id.ship], &self.fighters[id.ship]);
        let of_damage = self.is_damage_at(id.ship, id.card);
        let barred = match of_damage {
            true => ship.is_stressed() && !ship.standing.repairs_stressed,
            false => ship.is_stressed() || fighter.changed.only_damage_cards,
        };
        let asked = matches!(&self.pending, Some(Request::Act { ship: asked, .. }) if *asked == ship.id);
        let mut waiting = self.queue.work.iter().rev();
        let open = asked
            || waiting.any(
                |work| matches!(work, Work::ActionStep { index, headers: Headers::Offered, .. } if *index == id.ship),
            );
        open && !barred && !self.has_performed(id)
    }

    /// Whether a ship has performed a card's action this round. In the first edition two copies of a card are one action
    /// (FE-5.4).
    fn has_performed(&self, id: EffectId) -> bool {
        let fighter = &self.fighters[id.ship];
        let name = |card: usize| fighter.cards.get(card).map(|card| &card.id);
        match self.table.rules.card_actions {
            CardActions::EachCopy => fighter.performed.contains(&(id.card, id.effect)),
            CardActions::EachName => {
                let mut performed = fighter.performed.iter();
                performed.any(|(card, effect)| *effect == id.effect && name(*card) == name(id.card))
            }
        }
    }

    /// The cards whose action a ship may take now that it is asked for its action, by their ids.
    pub fn card_actions(&self, ship: &str) -> Vec<String> {
        let Some(ship) = self.index(ship) else {
            return Vec::new();
        };
        let occasion = self.header_of(ship);
        let open = self.headers(ship).filter(|id| {
            let effect = self.effect(*id);
            effect.is_some_and(|effect| !self.choices(*id, effect, &occasion).is_empty())
        });
        let mut cards: Vec<String> = open.map(|id| self.card_id(id)).collect();
        cards.extend(self.mine_actions(ship));
        cards.extend(self.protect_action(ship));
        cards.dedup();
        cards
    }

    /// The actions that cards of a ship add.
    fn headers(&self, ship: usize) -> impl Iterator<Item = EffectId> {
        let effects = self.fighters[ship].cards.effects(Window::ActionHeader, Role::Own);
        effects.map(move |coming| EffectId {
            ship,
            card: coming.at.card,
            effect: coming.at.effect,
        })
    }

    fn header_of(&self, ship: usize) -> Occasion {
        Occasion {
            id: self.queue.next,
            window: Window::ActionHeader,
            subject: Some(ship),
            other: None,
            what: Happening::Moment,
        }
    }

    /// A ship that is asked for its action takes that of a card.
    pub(in crate::xwing::battle) fn act_by_header(
        &mut self,
        ship: usize,
        card: &str,
        dice: &mut dyn DiceSource,
    ) -> Result<(), &'static str> {
        if card == PROTECT {
            return self.act_protect(ship);
        }
        let occasion = self.header_of(ship);
        let found = self
            .headers(ship)
            .filter(|id| self.card_id(*id) == card)
            .find_map(|id| {
                let choices = self.choices(id, self.effect(id)?, &occasion);
                Some((id, choices.into_iter().next()?))
            });
        let Some((id, choice)) = found else {
            return Err("no card of it has such an action, or it can do nothing now");
        };
        self.queue.next += 1;
        self.resolve(id, Arc::new(occasion), &choice, dice);
        Ok(())
    }

    /// The card's own action is the ship's action.
    pub(super) fn act_by(&mut self, id: EffectId) {
        let mut waiting = self.queue.work.iter_mut().rev();
        let step = waiting.find_map(|work| match work {
            Work::ActionStep { index, headers, .. } if *index == id.ship => Some(headers),
            _ => None,
        });
        if let Some(headers) = step {
            *headers = Headers::Taken;
        }
        self.fighters[id.ship].performed.push((id.card, id.effect));
        self.events.push(Event::ActedByCard {
            ship: self.table.ships[id.ship].id.clone(),
            card: self.card_id(id),
        });
    }
}
