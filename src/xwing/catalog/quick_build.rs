//! Quick Build cards: a pilot, or a few, with fixed upgrades and a Threat in place of points.

use serde::{Deserialize, Serialize};

use super::{Catalog, normalized};

/// A Quick Build card.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuickBuild {
    /// The id of its first pilot; with a number from 2 behind it where the pilot has several cards, as in `idenversio-2`.
    pub id: String,
    /// xws id of the faction.
    pub faction: String,
    /// The Threat of the whole card.
    pub threat: u32,
    /// Its ships: one, or several that are fielded together.
    pub pilots: Vec<QuickBuildPilot>,
}

/// One ship of a Quick Build card.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuickBuildPilot {
    /// xws id of the pilot.
    pub pilot: String,
    /// xws ids of the upgrades.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub upgrades: Vec<String>,
}

impl QuickBuildPilot {
    /// Whether a ship of that pilot and those upgrades, in any order, is what the card fields.
    pub fn is(&self, pilot: &str, upgrades: &[String]) -> bool {
        let sorted = |cards: &[String]| {
            let mut cards = cards.to_vec();
            cards.sort_unstable();
            cards
        };
        self.pilot == pilot
            && self.upgrades.len() == upgrades.len()
            && (self.upgrades == upgrades || sorted(&self.upgrades) == sorted(upgrades))
    }
}

impl Catalog {
    /// The same catalog with these Quick Build cards, in any order. Of two with one id the first is kept.
    #[must_use]
    pub fn with_quick_builds(self, mut quick_builds: Vec<QuickBuild>) -> Self {
        quick_builds.sort_by(|a, b| a.id.cmp(&b.id));
        quick_builds.dedup_by(|later, first| later.id == first.id);
        Self { quick_builds, ..self }
    }

    /// All Quick Build cards, by id.
    pub fn quick_builds(&self) -> &[QuickBuild] {
        &self.quick_builds
    }

    /// The Quick Build card of that id.
    pub fn quick_build(&self, id: &str) -> Option<&QuickBuild> {
        let found = self.quick_builds.binary_search_by(|card| (*card.id).cmp(id));
        found.ok().map(|index| &self.quick_builds[index])
    }

    /// The Quick Build cards that a text means: the one of that id, else all that field a pilot or a ship type of that id
    /// or printed name, in any spelling.
    pub fn find_quick_builds(&self, text: &str) -> Vec<&QuickBuild> {
        if let Some(card) = self.quick_build(text.trim()) {
            return vec![card];
        }
        let id = normalized(text);
        let ship = self.find_ship(text).map(|ship| ship.xws.as_str());
        let meant = |entry: &QuickBuildPilot| {
            let Some(pilot) = self.pilot(&entry.pilot) else {
                return entry.pilot == id;
            };
            pilot.xws == id || Some(pilot.ship.as_str()) == ship || normalized(&pilot.name) == id
        };
        if id.is_empty() {
            return Vec::new();
        }
        let cards = self.quick_builds.iter();
        cards.filter(|card| card.pilots.iter().any(meant)).collect()
    }
}
