//! Tolerant look-up: display names as players and table programs write them, and ids with other letters.

use super::{Catalog, PilotFacts, ShipFacts, UpgradeFacts};

/// Ids that versions of the data disagree about; each pair names one card.
const RENAMED: [(&str, &str); 1] = [("upsilonclassshuttle", "upsilonclasscommandshuttle")];

/// Lower-case ASCII letters and digits alone, accents taken off: how ids are made from names.
///
/// ```
/// assert_eq!(tallyho::xwing::catalog::normalized("Padmé “T-65” X-wing"), "padmet65xwing");
/// ```
pub fn normalized(text: &str) -> String {
    letters(text).collect()
}

/// Whether the text in [`normalized`] form is `id`.
fn matches(text: &str, id: &str) -> bool {
    letters(text).eq(id.chars())
}

fn letters(text: &str) -> impl Iterator<Item = char> + '_ {
    text.chars().filter_map(|letter| match letter {
        'a'..='z' | '0'..='9' => Some(letter),
        'A'..='Z' => Some(letter.to_ascii_lowercase()),
        'à'..='å' | 'À'..='Å' => Some('a'),
        'ç' | 'Ç' => Some('c'),
        'è'..='ë' | 'È'..='Ë' => Some('e'),
        'ì'..='ï' | 'Ì'..='Ï' => Some('i'),
        'ñ' | 'Ñ' => Some('n'),
        'ò'..='ö' | 'Ò'..='Ö' | 'ø' | 'Ø' => Some('o'),
        'ù'..='ü' | 'Ù'..='Ü' => Some('u'),
        _ => None,
    })
}

fn renamed(id: &str) -> Option<&'static str> {
    RENAMED.iter().find_map(|&(old, new)| {
        if id == old {
            Some(new)
        } else if id == new {
            Some(old)
        } else {
            None
        }
    })
}

impl Catalog {
    /// The ship of that id or printed name, in any spelling: `t65xwing`, `T-65 X-wing`, `t-65 x-WING`.
    pub fn find_ship(&self, text: &str) -> Option<&ShipFacts> {
        let id = normalized(text);
        if id.is_empty() {
            return None;
        }
        (self.ship(text).or_else(|| self.ship(&id)))
            .or_else(|| renamed(&id).and_then(|id| self.ship(id)))
            .or_else(|| self.ships().iter().find(|ship| matches(&ship.name, &id)))
    }

    /// All pilots of that id or printed name, in any spelling, in id order. A name alone may mean several: give the
    /// ship's id where it is known. A number at the end (`Academy Pilot 2`, as tables write for repeated names) is
    /// passed over when the name with it is unknown.
    pub fn find_pilots(&self, text: &str, ship: Option<&str>) -> Vec<&PilotFacts> {
        let exact = self.pilots_named(text, ship);
        if !exact.is_empty() {
            return exact;
        }
        match text.trim_end().rsplit_once(' ') {
            Some((name, number)) if number.bytes().all(|b| b.is_ascii_digit()) => self.pilots_named(name, ship),
            _ => exact,
        }
    }

    fn pilots_named(&self, text: &str, ship: Option<&str>) -> Vec<&PilotFacts> {
        let flies = |pilot: &PilotFacts| ship.is_none_or(|ship| pilot.ship == ship);
        let id = normalized(text);
        if id.is_empty() {
            return Vec::new();
        }
        if let Some(pilot) = self.pilot(text).or_else(|| self.pilot(&id))
            && flies(pilot)
        {
            return vec![pilot];
        }
        (self
            .pilots()
            .iter()
            .filter(|pilot| flies(pilot) && matches(&pilot.name, &id)))
        .collect()
    }

    /// The upgrade of that id or printed name, in any spelling, with the index of the side meant: a side's own title
    /// (`Servomotor S-foils (Open)`) names that side, anything else the first. Of several upgrades with one name the
    /// first by id.
    pub fn find_upgrade(&self, text: &str) -> Option<(&UpgradeFacts, usize)> {
        let id = normalized(text);
        if id.is_empty() {
            return None;
        }
        if let Some(upgrade) = self.upgrade(text).or_else(|| self.upgrade(&id)) {
            return Some((upgrade, 0));
        }
        self.upgrades().iter().find_map(|upgrade| {
            let side = upgrade.sides.iter().position(|side| matches(&side.title, &id));
            side.or_else(|| matches(&upgrade.name, &id).then_some(0))
                .map(|side| (upgrade, side))
        })
    }
}
