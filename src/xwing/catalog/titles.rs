//! What players call what the data know by ids. Every text for people speaks titles; ids stay in what programs read.

use std::{collections::BTreeMap, sync::OnceLock};

use super::{Catalog, normalized};
use crate::xwing::{
    damage_deck::DeckFacts,
    edition::{DamageDeckKind, Edition},
    effects::{CardId, CardKind},
    squad::xws,
};

/// The printed names of everything that a catalog has an id for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Titles {
    /// By the whole id of a card, as in `pilot:howlrunner`.
    cards: BTreeMap<String, String>,
    /// By the bare id of a ship, an upgrade, a pilot or a faction, where the id is no word of a language.
    bare: BTreeMap<String, String>,
}

impl Titles {
    /// The titles of a catalog.
    pub fn of(catalog: &Catalog) -> Titles {
        let mut titles = Titles::default();
        for (id, name) in xws::FACTION_NAMES {
            titles.name(id, name);
        }
        // What an obstacle does to dice is written like a card.
        for (id, name) in [
            ("asteroid", "asteroid"),
            ("debris", "debris field"),
            ("gascloud", "gas cloud"),
        ] {
            titles.cards.insert(format!("obstacle:{id}"), name.to_owned());
        }
        for card in DamageDeckKind::ALL.iter().flat_map(|kind| &DeckFacts::of(*kind).cards) {
            titles.card(&card.face_up().id, &card.name);
        }
        for ship in catalog.ships() {
            titles.name(&ship.xws, &ship.name);
        }
        for upgrade in catalog.upgrades() {
            titles.name(&upgrade.xws, &upgrade.name);
            for (side, facts) in (0u8..).zip(&upgrade.sides) {
                let title = match facts.title.as_str() {
                    "" => &upgrade.name,
                    title => title,
                };
                let id = CardId {
                    side,
                    ..CardId::new(CardKind::Upgrade, &upgrade.xws)
                };
                titles.card(&id, title);
                titles.ability(&facts.ship_ability);
                if let Some(device) = &facts.device {
                    titles.name(&normalized(&device.name), &device.name);
                }
            }
        }
        for pilot in catalog.pilots() {
            titles.name(&pilot.xws, &pilot.name);
            titles.card(&CardId::new(CardKind::Pilot, &pilot.xws), &pilot.name);
            titles.ability(&pilot.ship_ability);
        }
        titles
    }

    /// The titles of the catalog that the program carries with it, gathered at the first call.
    pub fn embedded() -> &'static Titles {
        static TITLES: OnceLock<Titles> = OnceLock::new();
        TITLES.get_or_init(|| Titles::of(Catalog::embedded()))
    }

    /// The titles of an edition, as [`Titles::embedded`].
    pub fn embedded_for(edition: Edition) -> &'static Titles {
        static FIRST: OnceLock<Titles> = OnceLock::new();
        match edition {
            Edition::Second => Titles::embedded(),
            Edition::First => FIRST.get_or_init(|| Titles::of(Catalog::embedded_for(edition))),
        }
    }

    fn card(&mut self, id: &CardId, name: &str) {
        self.cards.insert(id.to_string(), name.to_owned());
    }

    fn ability(&mut self, name: &str) {
        if !name.is_empty() {
            self.card(&CardId::ship_ability(name), name);
        }
    }

    /// Of two things of one id the first one names it: a pilot and the card of the same person are called the same.
    fn name(&mut self, id: &str, name: &str) {
        // `boost` in a sentence is no pilot, whatever pilots there are, and a number is no droid.
        let word = name
            .trim_matches(|letter: char| !letter.is_alphanumeric())
            .to_lowercase();
        if word != id && id.chars().any(char::is_alphabetic) {
            self.bare.entry(id.to_owned()).or_insert_with(|| name.to_owned());
        }
    }

    /// The printed name of what has this id.
    pub fn printed(&self, id: &str) -> Option<&str> {
        self.bare.get(id).or_else(|| self.cards.get(id)).map(String::as_str)
    }

    /// What is said in place of a word: the printed name of what has this id. `None` for every other word.
    pub fn title(&self, id: &str) -> Option<String> {
        if let Some(name) = self.printed(id) {
            return Some(name.to_owned());
        }
        // At the beginning of a sentence.
        if id.contains(':') && id.starts_with(char::is_uppercase) {
            return self.title(&id.to_lowercase());
        }
        // Conditions, and cards of a user's own, have an id alone: at least its kind is left out.
        let id: CardId = id.parse().ok().filter(|_| id.contains(':'))?;
        let mut letters = id.xws.chars();
        let first = letters.next()?;
        Some(first.to_uppercase().chain(letters).collect())
    }

    /// A text with printed names in place of ids. Only whole words count.
    pub fn speak(&self, text: &str) -> String {
        let mut spoken = String::with_capacity(text.len() + 16);
        let mut rest = text;
        let of_an_id = |letter: char| letter.is_alphanumeric() || "-:#".contains(letter);
        while !rest.is_empty() {
            let end = rest.find(|letter| !of_an_id(letter)).unwrap_or(rest.len());
            // What ends a word is no part of it: `pilot:howlrunner: 2 dice`.
            let word = rest[..end].trim_end_matches([':', '-', '#']);
            match self.title(word) {
                Some(title) => spoken.push_str(&title),
                None => spoken.push_str(word),
            }
            let after = rest[end..].chars().next().map_or(0, char::len_utf8);
            spoken.push_str(&rest[word.len()..end + after]);
            rest = &rest[end + after..];
        }
        spoken
    }

    /// As [`Titles::speak`], in place; a text without ids is left alone.
    pub fn speak_in(&self, text: &mut String) {
        let spoken = self.speak(text);
        if spoken != *text {
            *text = spoken;
        }
    }

    /// The bare ids that are never said to people.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.bare.keys().map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_give_way_to_printed_names_as_whole_words() {
        let titles = Titles::of(Catalog::embedded());
        for (text, expected) in [
            (
                "P1 uses pilot:lukeskywalker: pilot:darthvader.",
                "P1 uses Luke Skywalker: Darth Vader.",
            ),
            ("ship-ability:autothrusters: not used.", "Autothrusters: not used."),
            ("`upgrade:r2d2` (2)", "`R2-D2` (2)"),
            (
                "attacks with protontorpedoes at range 2",
                "attacks with Proton Torpedoes at range 2",
            ),
            ("a t65xwing, of rebelalliance", "a T-65 X-wing, of Rebel Alliance"),
            ("upgrade:s-foils, xpilot:lukeskywalker", "S-foils, xpilot:lukeskywalker"),
            ("condition:suppressivefire", "Suppressivefire"),
            ("hate, boost: 2 - 1; 066, C-3PO#", "hate, boost: 2 - 1; 066, C-3PO#"),
            ("größer: r2d2", "größer: R2-D2"),
            ("Pilot:howlrunner: reroll 1 blank.", "“Howlrunner”: reroll 1 blank."),
            (
                "obstacle:gascloud: turn 1 blank to evade",
                "gas cloud: turn 1 blank to evade",
            ),
            ("", ""),
        ] {
            assert_eq!(titles.speak(text), expected);
        }
    }

    #[test]
    fn every_card_of_the_catalog_has_a_title_and_none_is_an_id() {
        let catalog = Catalog::embedded();
        let titles = Titles::of(catalog);
        for pilot in catalog.pilots() {
            let said = titles.speak(&format!("pilot:{}", pilot.xws));
            assert_eq!(said, pilot.name);
        }
        for upgrade in catalog.upgrades() {
            for (side, facts) in upgrade.sides.iter().enumerate() {
                let id = match side {
                    0 => format!("upgrade:{}", upgrade.xws),
                    side => format!("upgrade:{}#{side}", upgrade.xws),
                };
                let title = if facts.title.is_empty() {
                    &upgrade.name
                } else {
                    &facts.title
                };
                assert_eq!(titles.speak(&id), *title, "{id}");
            }
        }
        for id in titles.ids() {
            let said = titles.speak(id);
            assert_ne!(said, id);
        }
    }
}
