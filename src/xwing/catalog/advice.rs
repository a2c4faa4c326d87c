//! What a user's file of cards says that cannot be wrong by its form and yet may not be meant: ids that nobody knows, words
//! where no card of the program has them.

use std::{collections::BTreeSet, sync::LazyLock};

use serde_json::Value;

use super::Catalog;
use crate::xwing::effects::{CardBook, CardEntry, CardId, CardKind, Effect, Primitive, Role, Window, nested};

/// What the cards of the program have where.
struct Usual {
    /// A role in a window.
    roles: BTreeSet<(Window, Role)>,
    /// A step, and whether it is in an attack.
    steps: BTreeSet<(String, bool)>,
}

/// The roles and steps that the cards of the program have.
static USUAL: LazyLock<Usual> = LazyLock::new(|| {
    let mut usual = Usual {
        roles: BTreeSet::new(),
        steps: BTreeSet::new(),
    };
    for effect in CardBook::embedded().cards().flat_map(|card| &card.effects) {
        for &window in &effect.on.window {
            usual.roles.insert((window, effect.on.role));
            usual.steps.extend(words(effect).map(|word| (word, is_attack(window))));
        }
    }
    usual
});

/// Whether a window is part of an attack.
fn is_attack(window: Window) -> bool {
    (Window::Weapon..=Window::Aftermath).contains(&window)
}

/// The words of all steps of an effect.
fn words(effect: &Effect) -> impl Iterator<Item = String> {
    let mut all: Vec<&Primitive> = effect.steps.iter().collect();
    let mut at = 0;
    while at < all.len() {
        all.extend(nested(all[at]));
        at += 1;
    }
    all.into_iter().filter_map(|step| {
        let value = serde_json::to_value(step).ok()?;
        value.as_object()?.keys().next().cloned()
    })
}

impl Catalog {
    /// What may not be meant in cards of a user's file, with the card, the field and the remedy. Cards of the book are known,
    /// so that cards may name each other.
    pub fn advice(&self, cards: &[CardEntry]) -> Vec<String> {
        let mut advice = Vec::new();
        for card in cards {
            if !self.knows_card(&card.id) {
                advice.push(format!(
                    "card `{0}`, id: no catalog has a {1} `{2}`; check the id (`tallyho catalog list`), or it never comes into play",
                    card.id, card.id.kind, card.id.xws
                ));
            }
            for (place, effect) in card.effects.iter().enumerate() {
                let mut say = |text: String| advice.push(format!("card `{}`, effect {}, {text}", card.id, place + 1));
                for &window in &effect.on.window {
                    if !USUAL.roles.contains(&(window, effect.on.role)) {
                        let roles: Vec<&str> = (USUAL.roles.iter())
                            .filter(|(other, _)| *other == window)
                            .map(|(_, role)| role.word())
                            .collect();
                        say(format!(
                            "on: no card of the program has the role `{}` at `{window}`, and it may never come up; there are: {}",
                            effect.on.role,
                            roles.join(", ")
                        ));
                    }
                    for word in words(effect) {
                        if !USUAL.steps.contains(&(word.clone(), is_attack(window))) {
                            let moment = if is_attack(window) { "in" } else { "outside" };
                            say(format!(
                                "do: no card of the program has `{word}` {moment} an attack, and at `{window}` it may do nothing; \
                                 choose another window or another word (docs/cards.md lists them)"
                            ));
                        }
                    }
                }
                let value = serde_json::to_value(effect).unwrap_or_default();
                self.unknown_ids(&value, "", &mut say);
            }
        }
        advice
    }

    fn knows_card(&self, id: &CardId) -> bool {
        let in_book = || CardBook::embedded().card(&id.to_string()).is_some();
        match id.kind {
            CardKind::Pilot => !self.find_pilots(&id.xws, None).is_empty(),
            CardKind::Upgrade => self.find_upgrade(&id.xws).is_some(),
            CardKind::ShipAbility | CardKind::Condition | CardKind::Damage => in_book(),
        }
    }

    /// Ids that the conditions and steps of an effect name, and that nobody knows.
    fn unknown_ids(&self, value: &Value, path: &str, say: &mut impl FnMut(String)) {
        match value {
            Value::Object(map) => {
                for (key, inner) in map {
                    let path = format!("{path}{}{key}", if path.is_empty() { "" } else { "." });
                    let kind = match key.as_str() {
                        "pilot" => Some(CardKind::Pilot),
                        "upgrade" => Some(CardKind::Upgrade),
                        "ship_ability" => Some(CardKind::ShipAbility),
                        "condition" | "assign" | "one_of" => Some(CardKind::Condition),
                        _ => None,
                    };
                    let named = match inner {
                        Value::String(text) => vec![text.as_str()],
                        Value::Array(all) => all.iter().filter_map(Value::as_str).collect(),
                        _ => Vec::new(),
                    };
                    for xws in named {
                        let known = match kind {
                            Some(kind) => self.knows_card(&CardId::new(kind, xws)),
                            None if key == "ship" => self.find_ship(xws).is_some(),
                            None => true,
                        };
                        if !known {
                            say(format!(
                                "{path}: nothing of the id `{xws}` is known; check its spelling"
                            ));
                        }
                    }
                    self.unknown_ids(inner, &path, say);
                }
            }
            Value::Array(all) => all.iter().for_each(|inner| self.unknown_ids(inner, path, say)),
            _ => {}
        }
    }
}
