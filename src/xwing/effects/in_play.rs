//! The cards of one ship as they lie beside the table, and which of their effects come up when.

use std::{fmt, sync::Arc};

use super::{
    book::CardBook,
    card::{CardEntry, CardId},
    effect::Effect,
    window::{Role, Window},
};
use crate::xwing::{ObjectId, weapon::Charges};

/// A card in play.
#[derive(Debug, Clone, PartialEq)]
pub struct CardInPlay {
    /// Its id.
    pub id: Arc<CardId>,
    /// What it does; `None` for a card that the book does not have.
    pub entry: Option<Arc<CardEntry>>,
    /// Its charges. Those of a special weapon are with the weapon (`Ship::weapons`), and it has none here.
    pub charges: Option<Charges>,
    /// How many charges come back each round; negative where some are lost.
    pub recovers: i32,
    /// For a condition: the ship whose card assigned it.
    pub source: Option<ObjectId>,
    /// Whether it came into play before this round.
    pub earlier: bool,
}

impl CardInPlay {
    /// The card as the book has it, without charges.
    pub fn of(id: &CardId, book: &CardBook) -> CardInPlay {
        CardInPlay {
            id: Arc::new(id.clone()),
            entry: book.card(&id.to_string()).cloned(),
            charges: None,
            recovers: 0,
            source: None,
            earlier: false,
        }
    }

    /// Its effects.
    pub fn effects(&self) -> &[Effect] {
        self.entry.as_ref().map_or(&[], |entry| &entry.effects)
    }
}

/// One effect of one card in play: the place of the card, the place of the effect on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EffectRef {
    /// Which card of the ship.
    pub card: usize,
    /// Which of its effects.
    pub effect: usize,
}

/// An effect that comes up.
#[derive(Debug, Clone, Copy)]
pub struct Coming<'a> {
    /// Where it stands.
    pub at: EffectRef,
    /// Its card.
    pub card: &'a CardInPlay,
    /// What it does.
    pub effect: &'a Effect,
}

impl fmt::Display for Coming<'_> {
    /// The card's id; with the effect's number where the card has several.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.card.id.fmt(f)?;
        match self.card.effects().len() {
            0 | 1 => Ok(()),
            _ => write!(f, " ({})", self.at.effect + 1),
        }
    }
}

/// Where the index says that an effect comes up.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Indexed {
    window: Window,
    role: Role,
    at: EffectRef,
}

/// The cards of one ship, with an index from window and role to effects that is made when a card comes into play.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CardsInPlay {
    cards: Vec<CardInPlay>,
    /// The places of cards of which nothing comes up.
    ignored: Vec<usize>,
    /// Sorted by window and role, then by the cards' ids, so that the order in which cards are named does not matter.
    index: Arc<[Indexed]>,
}

impl CardsInPlay {
    /// These cards.
    pub fn new(cards: Vec<CardInPlay>) -> CardsInPlay {
        let mut all = CardsInPlay {
            cards,
            ignored: Vec::new(),
            index: Arc::default(),
        };
        all.make_index();
        all
    }

    fn make_index(&mut self) {
        let mut index = Vec::new();
        for (card, in_play) in self.cards.iter().enumerate() {
            if self.ignored.contains(&card) {
                continue;
            }
            for (effect, text) in in_play.effects().iter().enumerate() {
                for &window in &text.on.window {
                    let at = EffectRef { card, effect };
                    let roles = text.on.role.parts(window).iter();
                    index.extend(roles.map(|&role| Indexed { window, role, at }));
                }
            }
        }
        index.sort_by(|a: &Indexed, b| {
            let key = |entry: &Indexed| (entry.window, entry.role, &*self.cards[entry.at.card].id, entry.at);
            key(a).cmp(&key(b))
        });
        self.index = index.into();
    }

    /// The effects that come up in a window for a ship of a role.
    pub fn effects(&self, window: Window, role: Role) -> impl Iterator<Item = Coming<'_>> {
        let start = self
            .index
            .partition_point(|entry| (entry.window, entry.role) < (window, role));
        let rest = self.index[start..].iter();
        rest.take_while(move |entry| (entry.window, entry.role) == (window, role))
            .filter_map(|entry| self.effect(entry.at))
    }

    /// Whether any effect comes up in a window, whatever the role.
    pub fn has(&self, window: Window) -> bool {
        let start = self.index.partition_point(|entry| entry.window < window);
        self.index.get(start).is_some_and(|entry| entry.window == window)
    }

    /// An effect by its place.
    pub fn effect(&self, at: EffectRef) -> Option<Coming<'_>> {
        let card = self.cards.get(at.card)?;
        let effect = card.effects().get(at.effect)?;
        Some(Coming { at, card, effect })
    }

    /// The place of a card.
    pub fn find(&self, id: &CardId) -> Option<usize> {
        self.cards.iter().position(|card| *card.id == *id)
    }

    /// A card, to count its charges. What it does changes only by [`CardsInPlay::flip`].
    pub fn get_mut(&mut self, card: usize) -> Option<&mut CardInPlay> {
        self.cards.get_mut(card)
    }

    /// Spends charges of a card: all of them or none. False when it has not so many.
    pub fn spend(&mut self, card: usize, count: u32) -> bool {
        let charges = self.cards.get_mut(card).and_then(|card| card.charges.as_mut());
        match charges {
            Some(charges) if charges.left >= count => {
                charges.left -= count;
                true
            }
            _ => count == 0,
        }
    }

    /// Gives charges back to a card, as far as it lacks some. Returns how many.
    pub fn recover(&mut self, card: usize, count: u32) -> u32 {
        let charges = self.cards.get_mut(card).and_then(|card| card.charges.as_mut());
        charges.map_or(0, |charges| {
            let back = count.min(charges.max.saturating_sub(charges.left));
            charges.left += back;
            back
        })
    }

    /// What comes back by itself at the end of a round, and what is lost by itself.
    pub fn end_round(&mut self) {
        for card in &mut self.cards {
            if let Some(charges) = &mut card.charges {
                let left = i64::from(charges.left) + i64::from(card.recovers);
                charges.left = left.clamp(0, i64::from(charges.max)) as u32;
            }
        }
    }

    /// A round begins: what is in play came in an earlier one.
    pub fn begin_round(&mut self) {
        for card in &mut self.cards {
            card.earlier = true;
        }
    }

    /// Ignores the cards at these places from now on, and no others: nothing of them comes up.
    pub fn ignore(&mut self, places: Vec<usize>) {
        if self.ignored != places {
            self.ignored = places;
            self.make_index();
        }
    }

    /// The places of cards that are ignored.
    pub fn ignored(&self) -> &[usize] {
        &self.ignored
    }

    /// Whether a card at a place is ignored.
    pub fn is_ignored(&self, card: usize) -> bool {
        self.ignored.contains(&card)
    }

    /// Brings a card into play, such as a condition.
    pub fn add(&mut self, card: CardInPlay) {
        self.cards.push(card);
        self.make_index();
    }

    /// Lets a card do nothing any more. It keeps its place, so that those of the others do not change.
    pub fn retire(&mut self, card: usize) {
        if let Some(card) = self.cards.get_mut(card) {
            card.entry = None;
            card.source = None;
            self.make_index();
        }
    }

    /// Takes a card out of play. The places of the cards after it change.
    pub fn remove(&mut self, card: usize) {
        if card < self.cards.len() {
            self.cards.remove(card);
            self.ignored.retain(|place| *place != card);
            for place in self.ignored.iter_mut().filter(|place| **place > card) {
                *place -= 1;
            }
            self.make_index();
        }
    }

    /// Turns a card to its other side, which the book must have. Charges that the side does not have are not counted any
    /// more. False when there is no such side.
    pub fn flip(&mut self, card: usize, book: &CardBook) -> bool {
        let other = self.cards.get(card).map(|card| card.id.other_side().to_string());
        match other.and_then(|id| book.card(&id)) {
            Some(entry) => self.turn(card, entry),
            None => false,
        }
    }

    /// Turns a card to its other side, which is given. False when that is not the card's other side.
    pub fn turn(&mut self, card: usize, other: &Arc<CardEntry>) -> bool {
        let Some(in_play) = self.cards.get_mut(card) else {
            return false;
        };
        if other.id != in_play.id.other_side() {
            return false;
        }
        in_play.entry = Some(Arc::clone(other));
        in_play.id = Arc::new(other.id.clone());
        self.make_index();
        true
    }
}

impl std::ops::Deref for CardsInPlay {
    type Target = [CardInPlay];

    /// All cards, in the order in which they came into play.
    fn deref(&self) -> &[CardInPlay] {
        &self.cards
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CARDS: &str = r#"
[[card]]
id = "pilot:b"
[[card.effect]]
on = { window = ["attack_modify", "defense_modify"], role = "attacker_or_defender" }
may = true
do = [{ reroll = { dice = "own", up_to = 1 } }]
[[card.effect]]
on = { window = "aftermath", role = "attacker" }
do = [{ gain_token = { token = "stress" } }]
[[card]]
id = "pilot:a"
[[card.effect]]
on = { window = "defense_modify", role = "defender" }
do = [{ add_result = { face = "evade" } }]
[[card]]
id = "pilot:a#1"
[[card.effect]]
on = { window = "attack_roll", role = "attacker" }
do = [{ dice_count = { dice = "attack", by = 1 } }]
"#;

    fn cards(ids: &[&str]) -> (CardsInPlay, CardBook) {
        let book = CardBook::default().with_file("cards.toml", CARDS).unwrap();
        let cards = ids
            .iter()
            .map(|id| CardInPlay::of(&id.parse().unwrap(), &book))
            .collect();
        (CardsInPlay::new(cards), book)
    }

    fn coming(cards: &CardsInPlay, window: Window, role: Role) -> Vec<String> {
        cards.effects(window, role).map(|coming| coming.to_string()).collect()
    }

    #[test]
    fn effects_come_up_in_their_windows_whatever_the_order_of_the_cards() {
        for ids in [
            ["pilot:b", "pilot:a", "pilot:nobody"],
            ["pilot:nobody", "pilot:a", "pilot:b"],
        ] {
            let (cards, _) = cards(&ids);
            assert_eq!(
                coming(&cards, Window::DefenseModify, Role::Defender),
                ["pilot:a", "pilot:b (1)"]
            );
            assert_eq!(coming(&cards, Window::AttackModify, Role::Attacker), ["pilot:b (1)"]);
            assert_eq!(coming(&cards, Window::AttackModify, Role::Defender), [""; 0]);
            assert_eq!(coming(&cards, Window::Aftermath, Role::Attacker), ["pilot:b (2)"]);
            assert!(cards.has(Window::Aftermath) && !cards.has(Window::AttackRoll));
            let known: Vec<bool> = cards.iter().map(|card| card.entry.is_some()).collect();
            assert_eq!(known, ids.map(|id| id != "pilot:nobody"));
        }
    }

    #[test]
    fn a_card_that_is_flipped_comes_up_with_its_other_side() {
        let (mut cards, book) = cards(&["pilot:a", "pilot:b"]);
        assert!(cards.flip(0, &book) && !cards.flip(1, &book) && !cards.flip(7, &book));
        assert_eq!(coming(&cards, Window::AttackRoll, Role::Attacker), ["pilot:a#1"]);
        assert_eq!(coming(&cards, Window::DefenseModify, Role::Defender), ["pilot:b (1)"]);
        assert!(cards.flip(0, &book));
        cards.remove(1);
        assert_eq!(coming(&cards, Window::DefenseModify, Role::Defender), ["pilot:a"]);
    }

    #[test]
    fn charges_are_paid_wholly_or_not_at_all_and_come_back_up_to_their_number() {
        let (mut cards, _) = cards(&["pilot:a", "pilot:b"]);
        cards.cards[0].charges = Some(Charges { left: 2, max: 3 });
        cards.cards[0].recovers = 1;
        assert!(!cards.spend(0, 3) && cards.spend(0, 2) && !cards.spend(1, 1) && cards.spend(1, 0));
        assert_eq!(cards[0].charges, Some(Charges { left: 0, max: 3 }));
        cards.end_round();
        assert_eq!(
            (cards.recover(0, 5), cards.recover(0, 1), cards.recover(1, 1)),
            (2, 0, 0)
        );
        cards.cards[0].recovers = -2;
        cards.end_round();
        assert_eq!(cards[0].charges, Some(Charges { left: 1, max: 3 }));
    }
}
