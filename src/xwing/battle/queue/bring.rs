//! Cards that effects bring into play or turn over, and tokens that stay in the End Phase.

use std::sync::Arc;

use super::EffectId;
use crate::xwing::{
    action::FullArc,
    battle::{Battle, Event, conditions::Scene},
    effects::{
        CardEntry, CardId, CardInPlay, CardKind, TokenWord,
        primitive::{AssignCondition, Flipped, InitiativeWord, SetInitiative},
    },
};

impl Battle {
    /// A card that a ship's cards may bring into play.
    fn brought(&self, ship: usize, id: &CardId) -> Option<Arc<CardEntry>> {
        let mut known = self.fighters[ship].brings.iter();
        known.find(|entry| entry.id == *id).cloned()
    }

    /// A condition is assigned to a ship, or removed from it.
    pub(super) fn bring_condition(&mut self, id: EffectId, condition: &AssignCondition, ship: usize) {
        if let Some(removed) = &condition.remove {
            let place = match removed.as_str() {
                "this" => Some((id.ship, id.card)),
                xws => {
                    let cards = self.fighters[ship].cards.iter();
                    let mut lying = cards.enumerate().filter(|(_, card)| card.entry.is_some());
                    let found = lying.find(|(_, card)| card.id.kind == CardKind::Condition && card.id.xws == *xws);
                    found.map(|(place, _)| (ship, place))
                }
            };
            if let Some((ship, place)) = place {
                self.remove_condition(ship, place);
            }
            return;
        }
        let Some(xws) = &condition.assign else { return };
        let card = CardId::new(CardKind::Condition, xws);
        let entry = self.brought(id.ship, &card);
        let source = self.table.ships[id.ship].id.clone();
        // A ship has a condition once; whoever assigns it anew is its source.
        let lying = self.fighters[ship].cards.iter();
        let known = lying
            .enumerate()
            .find(|(_, other)| *other.id == card && other.entry.is_some());
        let known = known.map(|(place, _)| place);
        let fighter = &mut self.fighters[ship];
        match known.and_then(|place| fighter.cards.get_mut(place)) {
            Some(card) => card.source = Some(source.clone()),
            None => {
                // What the condition assigns in its turn comes with it.
                let mut brings = fighter.brings.to_vec();
                brings.extend(self.fighters[id.ship].brings.iter().cloned());
                let fighter = &mut self.fighters[ship];
                brings.dedup_by(|a, b| a.id == b.id);
                fighter.brings = brings.into();
                fighter.cards.add(CardInPlay {
                    id: Arc::new(card.clone()),
                    entry,
                    charges: None,
                    recovers: 0,
                    source: Some(source.clone()),
                    earlier: false,
                });
            }
        }
        self.events.push(Event::Condition {
            ship: self.table.ships[ship].id.clone(),
            condition: card.to_string(),
            source: Some(source),
        });
        self.cards_are_others(ship);
    }

    fn remove_condition(&mut self, ship: usize, place: usize) {
        let Some(card) = self.fighters[ship].cards.get(place) else {
            return;
        };
        let condition = card.id.to_string();
        self.fighters[ship].cards.retire(place);
        let id = self.table.ships[ship].id.clone();
        self.events.push(Event::Condition {
            ship: id,
            condition,
            source: None,
        });
        self.cards_are_others(ship);
    }

    /// The cards of a ship have changed: what they do and when is looked at anew.
    pub(in crate::xwing::battle) fn cards_are_others(&mut self, ship: usize) {
        self.index_windows();
        self.fighters[ship].stands = None;
        self.put_standing_in_force(ship);
    }

    /// A card is turned to its other side: the card itself, the configuration of ships, or the side of reinforce tokens.
    pub(super) fn turn_card(&mut self, id: EffectId, what: Flipped, whose: &[usize]) {
        match what {
            Flipped::This => self.turn_over(id.ship, id.card),
            Flipped::Configuration => {
                for &ship in whose {
                    if let Some(place) = self.configuration(ship) {
                        self.turn_over(ship, place);
                    }
                }
            }
            Flipped::ReinforceSide => {
                for &ship in whose {
                    for side in &mut self.fighters[ship].reinforced {
                        *side = match side {
                            FullArc::Fore => FullArc::Aft,
                            FullArc::Aft => FullArc::Fore,
                        };
                    }
                }
            }
            Flipped::OfflineCards => {}
        }
    }

    /// The place of a card of a ship that can be turned over.
    fn configuration(&self, ship: usize) -> Option<usize> {
        let places = self.fighters[ship].other_bars.iter().map(|(place, _)| *place);
        places.filter(|place| self.can_turn(ship, *place)).min()
    }

    /// Whether the other side of a card is known.
    pub(super) fn can_turn(&self, ship: usize, place: usize) -> bool {
        let card = self.fighters[ship].cards.get(place);
        card.is_some_and(|card| self.brought(ship, &card.id.other_side()).is_some())
    }

    /// Whether something of that kind can be turned over.
    pub(super) fn can_turn_card(&self, id: EffectId, what: Flipped, whose: &[usize]) -> bool {
        match what {
            Flipped::This => self.can_turn(id.ship, id.card),
            Flipped::Configuration => whose.iter().any(|ship| self.configuration(*ship).is_some()),
            Flipped::ReinforceSide => whose.iter().any(|ship| !self.fighters[*ship].reinforced.is_empty()),
            Flipped::OfflineCards => false,
        }
    }

    fn turn_over(&mut self, ship: usize, place: usize) {
        let Some(card) = self.fighters[ship].cards.get(place) else {
            return;
        };
        let Some(other) = self.brought(ship, &card.id.other_side()) else {
            return;
        };
        let up = Arc::clone(card.entry.as_ref().unwrap_or(&other));
        let fighter = &mut self.fighters[ship];
        if !fighter.cards.turn(place, &other) {
            return;
        }
        // The side that lies below now can come up again.
        let mut brings = fighter.brings.to_vec();
        if !brings.iter().any(|known| known.id == up.id) {
            brings.push(up);
        }
        fighter.brings = brings.into();
        let bar = fighter.other_bars.iter_mut().find(|(card, _)| *card == place);
        if let Some((_, bar)) = bar {
            std::mem::swap(bar, &mut fighter.actions);
        }
        self.events.push(Event::Flipped {
            ship: self.table.ships[ship].id.clone(),
            card: other.id.to_string(),
        });
        self.cards_change(ship);
        self.cards_are_others(ship);
        self.record_standing(ship);
    }

    /// Tokens of these kinds stay in this End Phase.
    /// Of several kinds so many together.
    pub(super) fn keep_tokens(&mut self, ship: usize, kinds: &[TokenWord], count: u32) {
        let mut left = count;
        for &kind in kinds {
            let held = self.tokens(&self.table.ships[ship].id, kind).unwrap_or(0);
            let count = held.min(left);
            if count == 0 {
                continue;
            }
            left -= count;
            self.fighters[ship].kept.push((kind, count));
            self.events.push(Event::Kept {
                ship: self.table.ships[ship].id.clone(),
                token: kind,
                count,
            });
        }
    }

    /// The initiative that an effect gives.
    pub(super) fn initiative_by(&self, scene: &Scene<'_>, set: &SetInitiative, id: EffectId) -> Option<u8> {
        let other = || scene.chosen.0.first()?.1.first().copied();
        match set.to {
            // The own ship acts as the chosen one, or the chosen one as the own.
            InitiativeWord::Equal if set.who.is_own() => Some(scene.ship(other()?).initiative),
            InitiativeWord::Equal => Some(scene.ship(id.ship).initiative),
            word => super::standing::fixed_initiative(word),
        }
    }
}
