//! What somebody who has mistyped a name may have meant.

use super::{Catalog, PilotFacts, ShipFacts, UpgradeFacts, normalized};
use crate::xwing::edition::Edition;

/// So many are proposed.
const MOST: usize = 3;
/// Names less alike than this have nothing to do with each other (Jaro-Winkler, 1 for the same).
const ALIKE: f64 = 0.84;

/// The names most like a text, the likest first; of equal ones in the order given.
fn near<'c, T>(text: &str, all: impl Iterator<Item = &'c T>, ids: impl Fn(&T) -> [String; 2]) -> Vec<&'c T> {
    let wanted = normalized(text);
    if wanted.is_empty() {
        return Vec::new();
    }
    let likeness = |item: &T| {
        let [id, name] = ids(item);
        // Who writes half of a name has not mistyped it.
        let within = wanted.len() >= 3 && (id.contains(&wanted) || name.contains(&wanted));
        let alike = strsim::jaro_winkler(&wanted, &id).max(strsim::jaro_winkler(&wanted, &name));
        if within { alike.max(ALIKE) } else { alike }
    };
    let mut found: Vec<(f64, &T)> = all.map(|item| (likeness(item), item)).collect();
    found.retain(|(likeness, _)| *likeness >= ALIKE);
    found.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    found.into_iter().take(MOST).map(|(_, item)| item).collect()
}

/// As in `is t65xwing (T-65 X-wing) meant?`; empty where nothing is alike.
fn proposed<'a>(found: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let found: Vec<String> = found.map(|(id, name)| format!("{id} ({name})")).collect();
    match found.split_last() {
        None => String::new(),
        Some((last, [])) => format!("is {last} meant?"),
        Some((last, others)) => format!("is {} or {last} meant?", others.join(", ")),
    }
}

impl Catalog {
    /// The other edition, if its own cards, and not this catalog, have a ship, a pilot or an upgrade of that id or name.
    pub fn other_edition_of(&self, text: &str) -> Option<Edition> {
        let knows = |catalog: &Catalog| {
            catalog.find_ship(text).is_some()
                || !catalog.find_pilots(text, None).is_empty()
                || catalog.find_upgrade(text).is_some()
        };
        let other = match self.edition() {
            Edition::Second => Edition::First,
            Edition::First => Edition::Second,
        };
        (!knows(self) && knows(Catalog::embedded_for(other))).then_some(other)
    }

    /// What is proposed, and as in `the first edition has it: add --edition first` where the other edition knows the text.
    fn or_of_other_edition(&self, text: &str, proposed: String) -> String {
        let Some(other) = self.other_edition_of(text) else {
            return proposed;
        };
        let other = format!("the {name} edition has it: add `--edition {name}`", name = other.name());
        match proposed.is_empty() {
            true => other,
            false => format!("{proposed} Or {other}"),
        }
    }

    /// `is ... meant?` for a ship that is not known, or that the other edition has it; empty where no name is alike.
    pub fn ships_meant(&self, text: &str) -> String {
        let mut found: Vec<&ShipFacts> = self.ships_like(text).into_iter().take(MOST).collect();
        if found.is_empty() {
            found = near(text, self.ships().iter(), |ship| {
                [ship.xws.clone(), normalized(&ship.name)]
            });
            found.dedup_by(|one, other| one.xws == other.xws);
        }
        let found = proposed(found.iter().map(|ship| (ship.xws.as_str(), ship.name.as_str())));
        self.or_of_other_edition(text, found)
    }

    /// The same for a pilot, of this ship where it is known.
    pub fn pilots_meant(&self, text: &str, ship: Option<&str>) -> String {
        let ids = |pilot: &PilotFacts| [pilot.xws.clone(), normalized(&pilot.name)];
        let own = self
            .pilots()
            .iter()
            .filter(|pilot| ship.is_none_or(|ship| pilot.ship == ship));
        let mut found = near(text, own, ids);
        if found.is_empty() {
            found = near(text, self.pilots().iter(), ids);
        }
        let found = proposed(found.iter().map(|pilot| (pilot.xws.as_str(), pilot.name.as_str())));
        self.or_of_other_edition(text, found)
    }

    /// The same for an upgrade.
    pub fn upgrades_meant(&self, text: &str) -> String {
        let ids = |upgrade: &UpgradeFacts| [upgrade.xws.clone(), normalized(&upgrade.name)];
        let found = near(text, self.upgrades().iter(), ids);
        let found = proposed(
            found
                .iter()
                .map(|upgrade| (upgrade.xws.as_str(), upgrade.name.as_str())),
        );
        self.or_of_other_edition(text, found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_mistyped_is_told_from_what_nobody_knows() {
        let catalog = Catalog::embedded();
        for (said, expected) in [
            (catalog.ships_meant("t65xwng"), "t65xwing (T-65 X-wing)"),
            (catalog.ships_meant("TIE fihgter"), "tielnfighter"),
            (catalog.ships_meant("falcon"), "modifiedyt1300lightfreighter"),
            (
                catalog.pilots_meant("luke skywaker", Some("t65xwing")),
                "lukeskywalker (Luke Skywalker)",
            ),
            (
                catalog.pilots_meant("luke", Some("t65xwing")),
                "lukeskywalker (Luke Skywalker)",
            ),
            (
                catalog.upgrades_meant("protontorpedos"),
                "protontorpedoes (Proton Torpedoes)",
            ),
        ] {
            assert!(said.contains(expected), "{said}: {expected}");
        }
        for (catalog, text, expected) in [
            (
                catalog,
                "xwing",
                "meant? Or the first edition has it: add `--edition first`",
            ),
            (
                Catalog::embedded_for(Edition::First),
                "t65xwing",
                "the second edition has it: add `--edition second`",
            ),
        ] {
            let said = catalog.ships_meant(text);
            assert!(said.ends_with(expected), "{said}");
        }
        for text in ["", "qqqq", "#"] {
            assert_eq!(catalog.ships_meant(text), "", "{text}");
            assert_eq!(catalog.pilots_meant(text, None), "", "{text}");
            assert_eq!(catalog.upgrades_meant(text), "", "{text}");
        }
    }
}
