//! Squads and Quick Build cards: a squad of such cards, and the Threat of ships that fly by one.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{Squad, SquadShip};
use crate::xwing::{
    catalog::{Catalog, QuickBuild, quick_build::QuickBuildPilot},
    edition::Edition,
};

/// A squad of these cards, in their order. A card that fields several ships counts with its first one; the others have
/// Threat 0. The faction is the first card's.
pub fn squad(name: &str, cards: &[&QuickBuild], catalog: &Catalog) -> Squad {
    let mut squad = Squad {
        name: name.to_owned(),
        faction: cards.first().map_or_else(String::new, |card| card.faction.clone()),
        ..Squad::default()
    };
    for card in cards {
        for (index, entry) in card.pilots.iter().enumerate() {
            let place = format!("pilots[{}]", squad.ships.len());
            let Some(pilot) = catalog.pilot(&entry.pilot) else {
                squad.notes.push(format!(
                    "{place}: the card `{}` names the pilot `{}`, who is not in the catalog; the ship is left out",
                    card.id, entry.pilot
                ));
                continue;
            };
            squad.ships.push(SquadShip {
                place,
                pilot: Some(pilot.xws.clone()),
                ship: pilot.ship.clone(),
                upgrades: entry.upgrades.clone(),
                threat: Some(if index == 0 { card.threat } else { 0 }),
            });
        }
    }
    squad
}

impl SquadShip {
    fn is(&self, entry: &QuickBuildPilot) -> bool {
        let pilot = self.pilot.as_deref();
        pilot.is_some_and(|pilot| entry.is(pilot, &self.upgrades))
    }

    /// Whether some Quick Build card fields a ship of this pilot with these upgrades.
    pub(super) fn flies_by_card(&self, catalog: &Catalog) -> bool {
        let mut entries = catalog.quick_builds().iter().flat_map(|card| &card.pilots);
        entries.any(|entry| self.is(entry))
    }
}

impl Squad {
    /// Gives every ship without Threat that of the Quick Build card that it flies by, where there is one: of cards of one
    /// ship first, then of cards of several, of which all ships must be there.
    pub fn find_threat(&mut self, catalog: &Catalog) {
        for ship in self.ships.iter_mut().filter(|ship| ship.threat.is_none()) {
            let cards = catalog.quick_builds().iter();
            let card = cards
                .filter(|card| card.pilots.len() == 1)
                .find(|card| ship.is(&card.pilots[0]));
            ship.threat = card.map(|card| card.threat);
        }
        for card in catalog.quick_builds().iter().filter(|card| card.pilots.len() > 1) {
            while let Some(ships) = self.ships_of(card) {
                for (index, ship) in ships.into_iter().enumerate() {
                    self.ships[ship].threat = Some(if index == 0 { card.threat } else { 0 });
                }
            }
        }
    }

    /// The ships without Threat that together are what a card fields, if they are there.
    fn ships_of(&self, card: &QuickBuild) -> Option<Vec<usize>> {
        let mut found: Vec<usize> = Vec::new();
        for entry in &card.pilots {
            let free =
                |(index, ship): &(usize, &SquadShip)| ship.threat.is_none() && !found.contains(index) && ship.is(entry);
            let (index, _) = self.ships.iter().enumerate().find(free)?;
            found.push(index);
        }
        Some(found)
    }

    /// The squad as an XWS file of its catalog's edition, with the Threat of its ships where they have one. [`super::xws::read`] reads it back.
    pub fn to_xws(&self, catalog: &Catalog) -> Value {
        match catalog.edition() {
            Edition::Second => self.version_2(catalog),
            Edition::First => super::xws::version_1(self, catalog),
        }
    }

    fn version_2(&self, catalog: &Catalog) -> Value {
        let ships = self.ships.iter().map(|ship| {
            let mut slots: BTreeMap<String, Vec<&str>> = BTreeMap::new();
            for upgrade in &ship.upgrades {
                let facts = catalog.upgrade(upgrade).and_then(|facts| facts.sides.first());
                let slot = facts.map_or("", |side| side.kind());
                let key = slot.to_lowercase().replace(' ', "-");
                slots.entry(key).or_default().push(upgrade);
            }
            let mut entry = json!({ "id": ship.pilot, "ship": ship.ship, "upgrades": slots });
            if let Some(threat) = ship.threat {
                entry["threat"] = json!(threat);
            }
            entry
        });
        let mut file = json!({
            "version": "2.0.0",
            "name": self.name,
            "faction": self.faction,
            "pilots": ships.collect::<Vec<Value>>(),
        });
        if let Some(points) = self.points(catalog) {
            file["points"] = json!(points);
        }
        file
    }
}
