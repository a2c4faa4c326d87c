//! The Quick Build cards of a faction's file.

use std::collections::BTreeMap;

use serde_json::Value;

use super::fields::Fields;
use crate::xwing::catalog::quick_build::{QuickBuild, QuickBuildPilot};

/// A card of that faction; `None` when it has no Threat or no pilot. `seen` counts the cards by first pilot and gives
/// the number in the id.
pub(super) fn read(fields: &Fields<'_>, faction: &str, seen: &mut BTreeMap<String, u32>) -> Option<QuickBuild> {
    let threat = fields.required_number("threat", "card");
    let pilots: Vec<QuickBuildPilot> = fields.records("pilots").iter().filter_map(pilot).collect();
    if pilots.is_empty() {
        fields.warn("pilots", "names no pilot; the card is left out");
    }
    fields.finish();
    let first = &pilots.first()?.pilot;
    let number = seen.entry(first.clone()).or_default();
    *number += 1;
    let id = match number {
        1 => first.clone(),
        number => format!("{first}-{number}"),
    };
    Some(QuickBuild {
        id,
        faction: faction.to_owned(),
        threat: threat?,
        pilots,
    })
}

fn pilot(fields: &Fields<'_>) -> Option<QuickBuildPilot> {
    let pilot = fields.required_text("id", "pilot");
    let mut upgrades = Vec::new();
    if let Some(slots) = fields.get("upgrades") {
        match slots.as_object() {
            None => fields.warn("upgrades", "is no map of slots; it is left out"),
            Some(slots) => {
                for (slot, cards) in slots {
                    upgrades.extend(fields.slot_cards(&format!("upgrades.{slot}"), cards));
                }
            }
        }
    }
    fields.finish();
    pilot.map(|pilot| QuickBuildPilot {
        pilot: pilot.to_owned(),
        upgrades,
    })
}

impl Fields<'_> {
    /// The ids in one slot of a Quick Build card.
    fn slot_cards(&self, place: &str, cards: &Value) -> Vec<String> {
        let Some(cards) = cards.as_array() else {
            self.warn(place, "is no list of ids; it is left out");
            return Vec::new();
        };
        let mut ids = Vec::new();
        for card in cards {
            match card.as_str() {
                Some(id) => ids.push(id.to_owned()),
                None => self.warn(place, "an entry is no text; it is left out"),
            }
        }
        ids
    }
}
