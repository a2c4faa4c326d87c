//! One deck of damage cards in a game: what is left to draw, and what lies discarded.

use serde::{Deserialize, Serialize};

use super::facts::{CardFacts, DeckFacts};
use crate::dice::DiceSource;

/// One card: the place of its title in [`DeckFacts::cards`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Card(u8);

impl Card {
    /// The title at a place; `None` beyond what a deck may have.
    pub(super) fn at(place: usize) -> Option<Card> {
        u8::try_from(place).ok().map(Card)
    }

    /// What it is. `None` for a card of another deck.
    pub fn facts(self, facts: &DeckFacts) -> Option<&CardFacts> {
        facts.cards.get(usize::from(self.0))
    }
}

/// A deck in play. Cards that ships have are not in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DamageDeck {
    /// Left to draw; the last one is on top.
    draw: Vec<Card>,
    /// Discarded.
    discard: Vec<Card>,
}

impl DamageDeck {
    /// A full deck, shuffled. The same dice give the same order.
    pub fn shuffled(facts: &DeckFacts, dice: &mut dyn DiceSource) -> Self {
        let titles = (0u8..).zip(&facts.cards);
        let mut draw: Vec<Card> = titles
            .flat_map(|(index, card)| (0..card.count).map(move |_| Card(index)))
            .collect();
        shuffle(&mut draw, dice);
        DamageDeck {
            draw,
            discard: Vec::new(),
        }
    }

    /// How many cards are left to draw.
    pub fn left(&self) -> usize {
        self.draw.len()
    }

    /// The discarded cards.
    pub fn discarded(&self) -> &[Card] {
        &self.discard
    }

    /// The top card. When there is none left the discarded ones are shuffled; `None` if ships have all cards.
    pub fn draw(&mut self, dice: &mut dyn DiceSource) -> Option<Card> {
        if self.draw.is_empty() {
            self.draw.append(&mut self.discard);
            shuffle(&mut self.draw, dice);
        }
        self.draw.pop()
    }

    /// Takes the card that was drawn at the table out of the deck: the topmost of its title, else one that is discarded.
    /// `None` if there is none left.
    pub fn take(&mut self, facts: &DeckFacts, id: &str) -> Option<Card> {
        let index = facts.find(id)?;
        let wanted = |card: &Card| usize::from(card.0) == index;
        match self.draw.iter().rposition(wanted) {
            Some(place) => Some(self.draw.remove(place)),
            None => self
                .discard
                .iter()
                .rposition(wanted)
                .map(|place| self.discard.remove(place)),
        }
    }

    /// Puts a card on top, for the next draw.
    pub fn put_on_top(&mut self, card: Card) {
        self.draw.push(card);
    }

    /// Discards a card.
    pub fn discard(&mut self, card: Card) {
        self.discard.push(card);
    }
}

/// Shuffles so that every order is equally likely.
fn shuffle(cards: &mut [Card], dice: &mut dyn DiceSource) {
    for last in (1..cards.len()).rev() {
        cards.swap(last, dice.choose(last + 1).min(last));
    }
}
