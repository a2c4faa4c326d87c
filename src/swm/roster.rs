//! Stat cards as a table (SWM 3.2): the sourced sample figures that come with the program, and a user's own CSV or JSON.

use std::sync::{Arc, LazyLock};

use serde::Deserialize;

use super::{
    ability::Abilities,
    figure::{Card, DEFAULT_SPEED, Kind},
};

/// One line of a roster as it is written.
#[derive(Debug, Clone, Deserialize)]
struct Line {
    id: String,
    #[serde(default)]
    name: String,
    #[serde(default)]
    set: String,
    #[serde(default)]
    faction: String,
    #[serde(default)]
    cost: u16,
    #[serde(alias = "hp_max")]
    hp: u16,
    #[serde(alias = "defense")]
    def: i16,
    #[serde(alias = "attack")]
    atk: i16,
    #[serde(alias = "damage")]
    dmg: u16,
    #[serde(default)]
    speed: Option<u16>,
    #[serde(default)]
    size: Option<u8>,
    #[serde(default)]
    unique: Option<bool>,
    #[serde(default)]
    living: Option<bool>,
    #[serde(default)]
    commander: Option<bool>,
    #[serde(default, rename = "type", alias = "ai_type")]
    kind: Option<Kind>,
    #[serde(default)]
    abilities: Names,
}

/// Names of abilities: a list, or one text with semicolons between them.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum Names {
    List(Vec<String>),
    Text(String),
}

impl Default for Names {
    fn default() -> Self {
        Names::List(Vec::new())
    }
}

/// A stat card with where it is from.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// A short name, as in `old-republic-captain`.
    pub id: String,
    /// The set that it was published in.
    pub set: String,
    /// Its faction.
    pub faction: String,
    /// The card.
    pub card: Arc<Card>,
}

/// Stat cards, in order of their ids.
#[derive(Debug, Clone, Default)]
pub struct Roster(Vec<Entry>);

/// A roster that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum BadRoster {
    /// CSV that is not understood; the message names line and field.
    #[error(
        "{0}; expected the columns id, hp, def, atk, dmg, and where known name, cost, speed, size, unique, living, commander, type, abilities (with `;` between them)"
    )]
    Csv(#[from] csv::Error),
    /// JSON that is not understood; the message names line and column.
    #[error("{0}; expected a list of objects with id, hp, def, atk, dmg, and where known name, cost, speed, abilities")]
    Json(#[from] serde_json::Error),
    /// Two cards of one id.
    #[error("the card `{0}` is there twice: give each an id of its own")]
    Twice(String),
}

static SAMPLE: LazyLock<Roster> =
    LazyLock::new(|| Roster::read(include_str!("../../data/swm-figures.csv")).unwrap_or_default());

impl Roster {
    /// The figures that come with the program.
    pub fn sample() -> &'static Roster {
        &SAMPLE
    }

    /// Reads a roster: JSON when it begins with `[`, else CSV with a line of headings.
    ///
    /// # Errors
    /// What is not understood, with its place.
    pub fn read(text: &str) -> Result<Roster, BadRoster> {
        let text = text.trim_start_matches('\u{feff}');
        let lines: Vec<Line> = if text.trim_start().starts_with('[') {
            serde_json::from_str(text)?
        } else {
            let mut reader = csv::ReaderBuilder::new()
                .trim(csv::Trim::All)
                .flexible(true)
                .from_reader(text.as_bytes());
            reader.deserialize().collect::<Result<_, _>>()?
        };
        let mut entries: Vec<Entry> = lines.into_iter().map(entry).collect();
        entries.sort_by(|a, b| a.id.cmp(&b.id));
        if let Some(pair) = entries.windows(2).find(|pair| pair[0].id == pair[1].id) {
            return Err(BadRoster::Twice(pair[0].id.clone()));
        }
        Ok(Roster(entries))
    }

    /// All cards, in order of their ids.
    pub fn entries(&self) -> &[Entry] {
        &self.0
    }

    /// The card of that id, or of that name without regard to case.
    pub fn find(&self, name: &str) -> Option<&Entry> {
        let same = |entry: &&Entry| entry.id == name || entry.card.name.eq_ignore_ascii_case(name);
        self.0.iter().find(same)
    }
}

fn entry(line: Line) -> Entry {
    let names = match line.abilities {
        Names::List(names) => names,
        Names::Text(text) => text.split(';').map(|name| name.trim().to_owned()).collect(),
    };
    let abilities: Vec<_> = (names.iter())
        .filter(|name| !name.is_empty())
        .map(|name| Abilities::embedded().read(name))
        .collect();
    let droid = abilities.iter().any(|ability| ability.name == "Droid");
    let card = Card {
        name: if line.name.is_empty() {
            line.id.clone()
        } else {
            line.name
        },
        size: line.size.unwrap_or(1).clamp(1, 12),
        speed: line.speed.unwrap_or(DEFAULT_SPEED),
        hit_points: line.hp.max(1),
        defense: line.def,
        attack: line.atk,
        damage: line.dmg,
        cost: line.cost,
        unique: line.unique.unwrap_or(false),
        living: line.living.unwrap_or(!droid),
        commander: line.commander.unwrap_or(false),
        abilities,
        kind: line.kind,
    };
    Entry {
        id: line.id,
        set: line.set,
        faction: line.faction,
        card: Arc::new(card),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_is_read_whole_and_its_figures_fight_as_their_abilities_say() {
        let roster = Roster::read(include_str!("../../data/swm-figures.csv")).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(roster.entries().len(), Roster::sample().entries().len());
        let kind = |id: &str| roster.find(id).unwrap().card.kind();
        // SWM 3.3 says how each of these fights.
        for (id, expected) in [
            ("atton-rand", Kind::Shooter),
            ("bao-dur", Kind::Hybrid),
            ("mira", Kind::Shooter),
            ("squint", Kind::Melee),
            ("wookiee-elite-warrior", Kind::Melee),
            ("old-republic-scout", Kind::Shooter),
            ("darth-revan", Kind::Melee),
        ] {
            assert_eq!(kind(id), expected, "{id}");
        }
        let captain = roster.find("Old Republic Captain").unwrap();
        assert_eq!((captain.card.attack, captain.card.extra_attacks()), (8, 1));
    }

    #[test]
    fn a_users_roster_may_be_json_and_mistakes_are_named() {
        let json = r#"[{"id": "guard", "hp": 10, "def": 14, "atk": 5, "dmg": 10, "abilities": ["Grenades 10"]}]"#;
        let roster = Roster::read(json).unwrap();
        assert_eq!(roster.find("guard").unwrap().card.abilities[0].number, Some(10));
        let twice = "id,hp,def,atk,dmg\na,10,14,5,10\na,20,14,5,10\n";
        assert!(matches!(Roster::read(twice), Err(BadRoster::Twice(id)) if id == "a"));
        let bad = Roster::read("id,hp,def,atk,dmg\na,ten,14,5,10\n")
            .unwrap_err()
            .to_string();
        assert!(bad.contains("line") && bad.contains("hp"), "{bad}");
    }
}
