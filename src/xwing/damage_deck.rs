//! Damage: hull, shields, and the deck of damage cards.
//!
//! | what | where |
//! |---|---|
//! | which cards there are and what they do, `data/damage-deck.toml` | [`facts`] |
//! | one shuffled deck | [`deck`] |
//! | what a ship suffers | [`hull`] |
//!
//! What a card does is data; the code names none. Effects that answer damage itself (a card that is dealt face up, hits
//! that become crits, damage after critical damage) are carried out here; the others are for whoever plays their window.

pub mod deck;
pub mod facts;
pub mod hull;

pub use self::{
    deck::{Card, DamageDeck},
    facts::{CardFacts, DeckFacts},
    hull::{Damage, DamageEvent, HarmfulToken, Integrity},
};
