//! How much of all cards is played: by kind, by faction, by window.

use std::{collections::BTreeMap, sync::Arc};

use serde::Serialize;

use super::Catalog;
use crate::xwing::{
    damage_deck::DeckFacts,
    effects::{CardEntry, CardId, CardKind, Support, Supports, Window, support::together},
};

/// How many cards are played, partly played, asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Tally {
    /// Carried out as written.
    pub played: usize,
    /// Carried out, but for a part.
    pub partly: usize,
    /// Asked about.
    pub asked: usize,
}

impl Tally {
    /// Counts one more.
    pub fn count(&mut self, support: Support) {
        *match support {
            Support::Played => &mut self.played,
            Support::Partly => &mut self.partly,
            Support::Asked => &mut self.asked,
        } += 1;
    }

    /// All that were counted.
    pub fn total(&self) -> usize {
        self.played + self.partly + self.asked
    }
}

/// A card of the catalog, with what of it is played.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CardState {
    /// Its id.
    pub id: CardId,
    /// Its printed name.
    pub name: String,
    /// The factions that may have it; empty for any.
    pub factions: Vec<String>,
    /// What of it is played. A card without an entry is asked about.
    pub state: Support,
    /// Whether it has no text of rules at all.
    pub blank: bool,
}

/// What is written of a card: a damage card's entry stands with the damage deck.
pub fn entry_of<'c>(catalog: &'c Catalog, id: &CardId) -> Option<&'c Arc<CardEntry>> {
    match id.kind {
        CardKind::Damage => {
            let mut deck = deck_of(catalog).cards.iter();
            deck.find(|card| card.id == id.xws)?.face_up().entry.as_ref()
        }
        _ => catalog.cards().card(&id.to_string()),
    }
}

/// The damage deck that the cards of a catalog are played with.
fn deck_of(catalog: &Catalog) -> &'static DeckFacts {
    DeckFacts::of(catalog.edition().rules().damage_deck)
}

/// What of every card of the catalog is played, in the order of their ids.
pub fn states(catalog: &Catalog, interpreters: &[Supports]) -> Vec<CardState> {
    let book = catalog.cards();
    let mut all: BTreeMap<CardId, CardState> = BTreeMap::new();
    let mut put = |id: CardId, name: &str, factions: &[String]| {
        let entry = entry_of(catalog, &id);
        let state = all.entry(id.clone()).or_insert_with(|| CardState {
            id,
            name: name.to_owned(),
            factions: Vec::new(),
            state: entry.map_or(Support::Asked, |entry| entry.support(interpreters)),
            blank: entry.is_some_and(|entry| entry.blank),
        });
        let new = factions.iter().filter(|faction| !state.factions.contains(faction));
        let new: Vec<String> = new.cloned().collect();
        state.factions.extend(new);
    };
    for pilot in catalog.pilots() {
        let faction = std::slice::from_ref(&pilot.faction);
        put(CardId::new(CardKind::Pilot, &pilot.xws), &pilot.name, faction);
        if !pilot.ship_ability.is_empty() {
            put(CardId::ship_ability(&pilot.ship_ability), &pilot.ship_ability, faction);
        }
    }
    for upgrade in catalog.upgrades() {
        let limits = upgrade
            .restrictions
            .iter()
            .flat_map(|restriction| &restriction.factions);
        let factions: Vec<String> = limits.cloned().collect();
        for (side, facts) in (0u8..).zip(&upgrade.sides) {
            let title = if facts.title.is_empty() {
                &upgrade.name
            } else {
                &facts.title
            };
            let id = CardId {
                side,
                ..CardId::new(CardKind::Upgrade, &upgrade.xws)
            };
            put(id, title, &factions);
            if !facts.ship_ability.is_empty() {
                put(
                    CardId::ship_ability(&facts.ship_ability),
                    &facts.ship_ability,
                    &factions,
                );
            }
        }
    }
    for card in book.cards().filter(|card| card.id.kind == CardKind::Condition) {
        put(card.id.clone(), &card.id.xws, &[]);
    }
    for card in &deck_of(catalog).cards {
        put(CardId::clone(&card.face_up().id), &card.name, &[]);
    }
    all.into_values().collect()
}

/// What a card comes to in one window: its effects there. `None` when it has none there.
pub fn in_window(card: &CardEntry, window: Window, interpreters: &[Supports]) -> Option<Support> {
    let mut effects = card
        .effects
        .iter()
        .filter(|effect| effect.on.window.contains(&window))
        .peekable();
    effects.peek()?;
    Some(together(effects.map(|effect| effect.support(interpreters))))
}

/// How much of the cards is played.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Coverage {
    /// Cards with text, by kind.
    pub kinds: BTreeMap<&'static str, Tally>,
    /// Cards with text that a faction may have, those of every faction under `any`.
    pub factions: BTreeMap<String, Tally>,
    /// Cards with an effect in a window, in the order of a round.
    pub windows: Vec<(Window, Tally)>,
    /// All cards with text.
    pub all: Tally,
}

impl Coverage {
    /// Counts the cards of a catalog.
    pub fn of(catalog: &Catalog, interpreters: &[Supports]) -> Coverage {
        let mut coverage = Coverage {
            kinds: BTreeMap::new(),
            factions: BTreeMap::new(),
            windows: Vec::new(),
            all: Tally::default(),
        };
        let states = states(catalog, interpreters);
        for card in states.iter().filter(|card| !card.blank) {
            coverage.all.count(card.state);
            coverage.kinds.entry(card.id.kind.word()).or_default().count(card.state);
            let any = ["any".to_owned()];
            let factions = if card.factions.is_empty() {
                &any[..]
            } else {
                &card.factions
            };
            for faction in factions {
                coverage.factions.entry(faction.clone()).or_default().count(card.state);
            }
        }
        for &window in Window::ALL {
            let mut tally = Tally::default();
            for card in &states {
                let entry = entry_of(catalog, &card.id);
                if let Some(support) = entry.and_then(|entry| in_window(entry, window, interpreters)) {
                    tally.count(support);
                }
            }
            if tally.total() > 0 {
                coverage.windows.push((window, tally));
            }
        }
        coverage
    }
}
