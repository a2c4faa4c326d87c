//! Damage: hull, shields, and the deck of damage cards.
//!
//! | what | where |
//! |---|---|
//! | which cards there are and what they do, `data/damage-deck.toml`, `data/first-edition/damage-deck-*.toml` | [`facts`] |
//! | one shuffled deck | [`deck`] |
//! | the decks of a game, one for all or one a side | [`decks`] |
//! | what a ship has suffered | [`hull`] |
//!
//! What a card does is data; the code names none. While it lies face up it is one of its ship's cards in play, and a battle
//! carries it out like all others.

pub mod deck;
pub mod decks;
pub mod facts;
pub mod hull;

pub use self::{
    deck::{Card, DamageDeck},
    decks::Decks,
    facts::{CardFacts, DeckFacts},
    hull::{Damage, DamageEvent, Integrity},
};
