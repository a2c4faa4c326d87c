//! The damage cards as data: `data/damage-deck.toml`, those of the first edition in `data/first-edition/`, or a deck of the
//! user's own in the same form.

use std::{
    collections::BTreeSet,
    sync::{Arc, LazyLock},
};

use serde::{Deserialize, Serialize};

use super::deck::Card;
use crate::xwing::{
    edition::DamageDeckKind,
    effects::{self, CardEntry, CardId, CardInPlay, Effect},
};

/// What a card names as damaged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CardKind {
    /// The pilot.
    Pilot,
    /// The ship.
    Ship,
}

/// One title of the deck.
#[derive(Debug, Clone, PartialEq)]
pub struct CardFacts {
    /// Its id, as in `fuel-leak`.
    pub id: String,
    /// Its title.
    pub name: String,
    /// What it names as damaged.
    pub kind: CardKind,
    /// How many of it the deck has.
    pub count: u8,
    /// How much damage it counts as while it lies face up; face down every card is one (FE-9.4).
    pub damage: u8,
    /// The card as it lies face up: one of the cards in play of its ship.
    face_up: CardInPlay,
}

impl CardFacts {
    /// What it does while it lies face up, in the language of card effects.
    pub fn effects(&self) -> &[Effect] {
        self.face_up.effects()
    }

    /// The card as it lies face up among the cards in play of a ship.
    pub fn face_up(&self) -> &CardInPlay {
        &self.face_up
    }
}

/// All titles of a deck.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DeckFacts {
    /// The titles.
    pub cards: Vec<CardFacts>,
}

/// A title as a file writes it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenCard {
    id: String,
    name: String,
    kind: CardKind,
    count: u8,
    #[serde(default = "one")]
    damage: u8,
    #[serde(default, rename = "effect")]
    effects: Vec<Effect>,
}

const fn one() -> u8 {
    1
}

/// A deck as a file writes it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenDeck {
    #[serde(rename = "card")]
    cards: Vec<WrittenCard>,
}

impl WrittenCard {
    /// The title, with its effects as an entry of its own.
    fn read(self) -> Result<CardFacts, String> {
        if self.damage == 0 {
            return Err(format!("card `{}`: a card counts as 1 damage at least", self.id));
        }
        let blank = self.effects.is_empty();
        let entry = CardEntry {
            id: CardId::new(effects::CardKind::Damage, &self.id),
            charges: None,
            force: None,
            grants: false,
            blank,
            draft: false,
            unread: None,
            weapon: None,
            device: None,
            effects: self.effects,
        };
        entry.check().map_err(|fault| format!("card `{}`: {fault}", self.id))?;
        let face_up = CardInPlay {
            id: Arc::new(entry.id.clone()),
            entry: Some(Arc::new(entry)),
            charges: None,
            recovers: 0,
            source: None,
            earlier: false,
        };
        Ok(CardFacts {
            id: self.id,
            name: self.name,
            kind: self.kind,
            count: self.count,
            damage: self.damage,
            face_up,
        })
    }
}

/// The most cards that a deck may have.
const MAX_CARDS: u32 = 250;

impl DeckFacts {
    /// The deck of the second edition.
    pub fn embedded() -> &'static DeckFacts {
        static DECK: LazyLock<DeckFacts> = LazyLock::new(|| {
            // The file is part of the program, and a test reads it.
            DeckFacts::from_toml(include_str!("../../../data/damage-deck.toml")).unwrap_or_default()
        });
        &DECK
    }

    /// The deck that is played with (FE-9.2, FE-14.9).
    pub fn of(kind: DamageDeckKind) -> &'static DeckFacts {
        static CORE_2015: LazyLock<DeckFacts> = LazyLock::new(|| {
            DeckFacts::from_toml(include_str!("../../../data/first-edition/damage-deck-tfa.toml")).unwrap_or_default()
        });
        static CORE_2012: LazyLock<DeckFacts> = LazyLock::new(|| {
            DeckFacts::from_toml(include_str!("../../../data/first-edition/damage-deck-core.toml")).unwrap_or_default()
        });
        match kind {
            DamageDeckKind::Second => DeckFacts::embedded(),
            DamageDeckKind::Core2015 => &CORE_2015,
            DamageDeckKind::Core2012 => &CORE_2012,
        }
    }

    /// A deck from its text.
    ///
    /// # Errors
    /// Text that is not of this form, a title that stands twice, or more than 250 cards; with the place and the remedy.
    pub fn from_toml(text: &str) -> Result<DeckFacts, String> {
        let written: WrittenDeck = toml::from_str(text).map_err(|error| error.to_string())?;
        let mut ids = BTreeSet::new();
        let mut deck = DeckFacts::default();
        for card in written.cards {
            if !ids.insert(card.id.clone()) {
                return Err(format!("card `{}` stands twice: give its number as `count`", card.id));
            }
            deck.cards.push(card.read()?);
        }
        if deck.size() > MAX_CARDS {
            return Err(format!(
                "{} cards are too many: a deck has {MAX_CARDS} at most",
                deck.size()
            ));
        }
        Ok(deck)
    }

    /// How many cards it has.
    pub fn size(&self) -> u32 {
        self.cards.iter().map(|card| u32::from(card.count)).sum()
    }

    /// The card of a title, by its id.
    pub fn card(&self, id: &str) -> Option<Card> {
        Card::at(self.find(id)?)
    }

    /// The place of a title among the cards.
    pub fn find(&self, id: &str) -> Option<usize> {
        self.cards.iter().position(|card| card.id == id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deck_of_the_second_edition_has_its_33_cards() {
        let deck = DeckFacts::from_toml(include_str!("../../../data/damage-deck.toml")).unwrap();
        let counts: Vec<(&str, u8)> = deck.cards.iter().map(|card| (&*card.id, card.count)).collect();
        assert_eq!(deck.size(), 33);
        assert_eq!(counts[..2], [("direct-hit", 5), ("fuel-leak", 4)]);
        assert!(counts[2..].iter().all(|(_, count)| *count == 2));
        let pilots = deck.cards.iter().filter(|card| card.kind == CardKind::Pilot);
        assert_eq!(pilots.map(|card| card.count).sum::<u8>(), 8);
        assert!(deck.cards.iter().all(|card| !card.effects().is_empty()));
        // While it lies face up it is a card in play.
        let leak = &deck.cards[1];
        assert_eq!(leak.face_up().id.to_string(), "damage:fuel-leak");
        assert_eq!(deck.card("fuel-leak").and_then(|card| card.facts(&deck)), Some(leak));
    }

    #[test]
    fn fe_9_2_the_decks_of_the_first_edition_have_their_33_cards() {
        for text in [
            include_str!("../../../data/first-edition/damage-deck-tfa.toml"),
            include_str!("../../../data/first-edition/damage-deck-core.toml"),
        ] {
            let deck = DeckFacts::from_toml(text).unwrap();
            let heavy: Vec<(&str, u8)> = (deck.cards.iter().filter(|card| card.damage > 1))
                .map(|card| (&*card.id, card.damage))
                .collect();
            assert_eq!((deck.size(), heavy), (33, vec![("direct-hit", 2)]));
            let counts = deck.cards.iter().map(|card| (card.id == "direct-hit", card.count));
            assert!(
                counts
                    .clone()
                    .all(|(direct, count)| count == if direct { 7 } else { 2 })
            );
            assert_eq!(counts.count(), 14);
            let pilots = deck.cards.iter().filter(|card| card.kind == CardKind::Pilot);
            assert_eq!(pilots.map(|card| card.count).sum::<u8>(), 8);
        }
    }

    #[test]
    fn a_deck_that_cannot_be_is_refused() {
        let card = "[[card]]\nid = \"a\"\nname = \"A\"\nkind = \"ship\"\ncount = 2\n";
        let twice = DeckFacts::from_toml(&format!("{card}{card}")).unwrap_err();
        assert_eq!(twice, "card `a` stands twice: give its number as `count`");
        let wrong = DeckFacts::from_toml(&card.replace("ship", "hull")).unwrap_err();
        assert!(wrong.contains("line 4"), "{wrong}");
        assert!(DeckFacts::from_toml(&card.replace("count = 2", "count = 251")).is_err());
        let nothing = DeckFacts::from_toml(&format!("{card}damage = 0\n")).unwrap_err();
        assert_eq!(nothing, "card `a`: a card counts as 1 damage at least");
    }
}
