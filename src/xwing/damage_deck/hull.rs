//! What a ship has suffered: shields, and damage cards.

use serde::{Deserialize, Serialize};

use super::{
    deck::{Card, DamageDeck},
    facts::DeckFacts,
};
use crate::dice::DiceSource;

/// Damage to suffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Damage {
    /// Hits.
    pub hits: u8,
    /// Crits.
    pub crits: u8,
}

impl Damage {
    /// Each point of it in the order in which it is suffered, one at a time: whether it is a crit.
    pub fn points(self) -> impl Iterator<Item = bool> {
        (0..self.hits).map(|_| false).chain((0..self.crits).map(|_| true))
    }
}

/// How whole a ship is: its hull, its shields, its damage cards.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Integrity {
    /// The hull value; damage cards never lower it.
    pub hull: u8,
    /// Active shields.
    pub shields: u8,
    /// Damage cards face up.
    pub face_up: Vec<Card>,
    /// Damage cards face down.
    pub face_down: Vec<Card>,
    /// Damage for which no card was left in the deck.
    pub without_card: u8,
    /// What its face-up cards count beyond one damage each: see [`Integrity::weigh`].
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub more: u8,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the form that serde asks for")]
const fn is_nothing(count: &u8) -> bool {
    *count == 0
}

/// What happened while a ship suffered damage, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DamageEvent {
    /// A shield was lost.
    ShieldLost,
    /// A card was dealt.
    Dealt {
        /// The card; `None` when none was left in the deck.
        card: Option<Card>,
        /// Whether it lies face up.
        face_up: bool,
    },
    /// A card was turned face up.
    Exposed(Card),
    /// The damage has reached the hull value.
    Destroyed,
}

impl Integrity {
    /// A whole ship.
    pub fn new(hull: u8, shields: u8) -> Self {
        Integrity {
            hull,
            shields,
            ..Integrity::default()
        }
    }

    /// How much damage it has: its damage cards, each as much as it counts (FE-9.4).
    pub fn damage(&self) -> usize {
        self.cards() + usize::from(self.more)
    }

    /// How many damage cards it has, and damage for which no card was left.
    pub fn cards(&self) -> usize {
        self.face_up.len() + self.face_down.len() + usize::from(self.without_card)
    }

    /// Counts anew what the face-up cards count beyond one damage each (FE-9.1: Direct Hit 2). Whoever turns cards over
    /// does it.
    pub fn weigh(&mut self, facts: &DeckFacts) {
        let more = |card: &Card| card.facts(facts).map_or(0, |facts| facts.damage.saturating_sub(1));
        self.more = self.face_up.iter().map(more).fold(0, u8::saturating_add);
    }

    /// Whether its damage has reached its hull value.
    pub fn is_destroyed(&self) -> bool {
        self.damage() >= usize::from(self.hull)
    }

    /// Suffers one damage: it costs a shield as long as there is one, else a card is dealt, face up for a crit. What the card
    /// does then is for whoever has it in play. A destroyed ship suffers on.
    pub fn suffer_one(&mut self, crit: bool, deck: &mut DamageDeck, dice: &mut dyn DiceSource) -> DamageEvent {
        if self.shields > 0 {
            self.shields -= 1;
            return DamageEvent::ShieldLost;
        }
        self.deal(crit, deck, dice)
    }

    /// A card is dealt, whatever shields there are.
    pub fn deal(&mut self, face_up: bool, deck: &mut DamageDeck, dice: &mut dyn DiceSource) -> DamageEvent {
        let card = deck.draw(dice);
        match card {
            Some(card) if face_up => self.face_up.push(card),
            Some(card) => self.face_down.push(card),
            None => self.without_card = self.without_card.saturating_add(1),
        }
        DamageEvent::Dealt { card, face_up }
    }

    /// Repairs a face-up card: turns it face down. False if it does not lie there.
    pub fn turn_face_down(&mut self, card: Card) -> bool {
        match self.face_up.iter().rposition(|other| *other == card) {
            Some(place) => {
                let card = self.face_up.remove(place);
                self.face_down.push(card);
                true
            }
            None => false,
        }
    }

    /// Exposes a face-down card: turns it face up. False if it does not lie there.
    pub fn expose(&mut self, card: Card) -> bool {
        match self.face_down.iter().rposition(|other| *other == card) {
            Some(place) => {
                self.face_up.push(self.face_down.remove(place));
                true
            }
            None => false,
        }
    }

    /// Repairs a face-down card: discards it. False if it does not lie there.
    pub fn discard_face_down(&mut self, card: Card, deck: &mut DamageDeck) -> bool {
        match self.face_down.iter().rposition(|other| *other == card) {
            Some(place) => {
                deck.discard(self.face_down.remove(place));
                true
            }
            None => false,
        }
    }

    /// Discards all cards, for a ship that leaves the game.
    pub fn discard_all(&mut self, deck: &mut DamageDeck) {
        for card in self.face_up.drain(..).chain(self.face_down.drain(..)) {
            deck.discard(card);
        }
        self.without_card = 0;
        self.more = 0;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{dice::SeededDice, xwing::damage_deck::DeckFacts};

    /// A ship that suffers damage from a deck whose next cards are these.
    fn suffer(ship: &mut Integrity, damage: (u8, u8), cards: &[&str]) -> Vec<DamageEvent> {
        let facts = DeckFacts::embedded();
        let mut dice = SeededDice::new(1);
        let mut deck = DamageDeck::shuffled(facts, &mut dice);
        let next: Vec<Card> = cards.iter().map(|id| deck.take(facts, id).unwrap()).collect();
        for card in next.into_iter().rev() {
            deck.put_on_top(card);
        }
        let (hits, crits) = damage;
        let points = Damage { hits, crits }.points();
        points.map(|crit| ship.suffer_one(crit, &mut deck, &mut dice)).collect()
    }

    /// The ids of face-up cards and the number of face-down ones.
    fn lies(ship: &Integrity) -> (Vec<&'static str>, usize) {
        let id = |card: &Card| &*card.facts(DeckFacts::embedded()).unwrap().id;
        (ship.face_up.iter().map(id).collect(), ship.face_down.len())
    }

    #[test]
    fn shields_first_then_cards_face_up_for_crits() {
        let mut ship = Integrity::new(4, 2);
        let events = suffer(&mut ship, (1, 2), &["structural-damage"]);
        assert_eq!(events[..2], [DamageEvent::ShieldLost; 2]);
        assert_eq!((ship.shields, lies(&ship)), (0, (vec!["structural-damage"], 0)));
        assert!(!ship.is_destroyed());
        // Hits before crits: the one shield takes the hit.
        let mut ship = Integrity::new(2, 1);
        suffer(&mut ship, (1, 1), &["weapons-failure"]);
        assert_eq!(lies(&ship), (vec!["weapons-failure"], 0));
        let mut ship = Integrity::new(2, 0);
        suffer(&mut ship, (2, 0), &["direct-hit", "direct-hit"]);
        assert_eq!((lies(&ship), ship.is_destroyed()), ((vec![], 2), true));
    }

    #[test]
    fn a_card_is_exposed_and_repaired_where_it_lies() {
        let mut ship = Integrity::new(3, 0);
        suffer(&mut ship, (1, 0), &["fuel-leak"]);
        let card = ship.face_down[0];
        assert!(ship.expose(card) && !ship.expose(card));
        assert_eq!(lies(&ship), (vec!["fuel-leak"], 0));
        assert!(ship.turn_face_down(card) && !ship.turn_face_down(card));
        assert_eq!(lies(&ship), (vec![], 1));
    }

    proptest! {
        #[test]
        fn no_card_is_lost_or_made(
            seed in any::<u64>(), hull in 1u8..12, shields in 0u8..8,
            blows in prop::collection::vec((0u8..5, 0u8..5, any::<bool>()), 1..12),
        ) {
            let facts = DeckFacts::embedded();
            let mut dice = SeededDice::new(seed);
            let mut deck = DamageDeck::shuffled(facts, &mut dice);
            let mut full: Vec<Card> = (0..facts.size()).filter_map(|_| deck.draw(&mut dice)).collect();
            full.sort_unstable();
            let mut dice = SeededDice::new(seed);
            let mut deck = DamageDeck::shuffled(facts, &mut dice);
            let mut ships = [Integrity::new(hull, shields), Integrity::new(hull, 0)];
            for (hits, crits, first) in blows {
                let ship = &mut ships[usize::from(first)];
                let (shields, damage) = (usize::from(ship.shields), ship.damage());
                let points = Damage { hits, crits }.points();
                let events: Vec<_> = points.map(|crit| ship.suffer_one(crit, &mut deck, &mut dice)).collect();
                let dealt = events.iter().filter(|event| matches!(event, DamageEvent::Dealt { .. })).count();
                let lost = events.iter().filter(|event| matches!(event, DamageEvent::ShieldLost)).count();
                prop_assert_eq!(dealt + lost, usize::from(hits + crits));
                prop_assert_eq!(ship.damage(), damage + dealt);
                prop_assert_eq!(usize::from(ship.shields), shields - lost);
                prop_assert!(ship.shields == 0 || dealt == 0, "a card although there is a shield");
                if ship.is_destroyed() && first {
                    ship.discard_all(&mut deck);
                    prop_assert_eq!(ship.damage(), 0);
                }
                let mut all = deck.discarded().to_vec();
                let mut rest = deck.clone();
                for _ in 0..deck.left() {
                    all.extend(rest.draw(&mut dice.clone()));
                }
                for ship in &ships {
                    all.extend(ship.face_up.iter().chain(&ship.face_down));
                }
                all.sort_unstable();
                prop_assert_eq!(&all, &full);
            }
        }
    }
}
