//! Tolerant look-up: display names as players and table programs write them, and ids with other letters.

use super::{Catalog, PilotFacts, ShipFacts, UpgradeFacts};

/// Ids that versions of the data disagree about; each pair names one card.
const RENAMED: [(&str, &str); 1] = [("upsilonclassshuttle", "upsilonclasscommandshuttle")];

/// What players call ships whose printed names say something else, in [`normalized`] form, and the ships meant.
const NICKNAMES: [(&str, &[&str]); 12] = [
    ("falcon", FALCON),
    ("firespray", &["firesprayclasspatrolcraft"]),
    ("ghost", &["vcx100lightfreighter"]),
    ("hawk", &["hwk290lightfreighter"]),
    ("houndstooth", &["yv666lightfreighter"]),
    ("millenniumfalcon", FALCON),
    ("outrider", &["yt2400lightfreighter", "yt2400lightfreighter2023"]),
    ("phantom", &["attackshuttle", "sheathipedeclassshuttle", "tiephphantom"]),
    ("razorcrest", &["st70assaultship"]),
    ("slave1", &["firesprayclasspatrolcraft"]),
    ("slavei", &["firesprayclasspatrolcraft"]),
    (
        "tiefighter",
        &["tielnfighter", "tiefofighter", "tiesffighter", "modifiedtielnfighter"],
    ),
];

const FALCON: &[&str] = &[
    "modifiedyt1300lightfreighter",
    "scavengedyt1300",
    "customizedyt1300lightfreighter",
];

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

/// Whether the letters of `id` all occur in `text`, in that order: `tieinterceptor` in `tieininterceptor`.
fn in_order(id: &str, text: &str) -> bool {
    let mut letters = text.chars();
    id.chars().all(|wanted| letters.any(|letter| letter == wanted))
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

    /// The ship that players mean by an everyday name: the likeliest of those that are called so, as `TIE fighter` is the
    /// TIE/ln. `None` for what is no such name: it may be a slip of the pen.
    pub fn everyday_ship(&self, text: &str) -> Option<&ShipFacts> {
        let nickname = NICKNAMES.iter().any(|(name, _)| *name == normalized(text));
        self.ships_like(text).first().copied().filter(|_| nickname)
    }

    /// Ships that an everyday or half-remembered name may mean, the likeliest first: `X-wing`, `TIE fighter`, `falcon`.
    pub fn ships_like(&self, text: &str) -> Vec<&ShipFacts> {
        /// Ids are shorter; what is longer is not looked for.
        const LONGEST: usize = 60;
        let id = normalized(text);
        if id.len() < 3 || id.len() > LONGEST {
            return Vec::new();
        }
        if let Some((_, ships)) = NICKNAMES.iter().find(|(name, _)| *name == id) {
            let found: Vec<&ShipFacts> = ships.iter().filter_map(|ship| self.ship(ship)).collect();
            if !found.is_empty() {
                return found;
            }
        }
        let found = self.ships_whose_name(|name| name.contains(&id));
        if !found.is_empty() || id.len() < 6 {
            return found;
        }
        self.ships_whose_name(|name| name.starts_with(&id[..1]) && in_order(&id, name))
    }

    /// Ships whose id or normalized name is such, the shortest id first.
    fn ships_whose_name(&self, is_such: impl Fn(&str) -> bool) -> Vec<&ShipFacts> {
        let mut found: Vec<_> = (self.ships().iter())
            .filter(|ship| is_such(&ship.xws) || is_such(&normalized(&ship.name)))
            .collect();
        found.sort_by_key(|ship| (ship.xws.len(), &ship.xws));
        found.dedup_by(|a, b| a.xws == b.xws);
        found
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
