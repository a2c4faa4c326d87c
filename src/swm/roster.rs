//! Stat cards as a table (SWM 3.2): the sourced sample figures that come with the program, and a user's own CSV or JSON.

use std::sync::{Arc, LazyLock};

use serde::Deserialize;

use super::{
    ability::{Abilities, Ability},
    figure::{Card, DEFAULT_SPEED, Kind},
    square::Base,
};
use crate::{json, visible::visible};

/// One line of a roster as it is written.
#[derive(Debug, Clone, Deserialize)]
struct Line {
    #[serde(default)]
    id: String,
    #[serde(default)]
    name: String,
    #[serde(default)]
    set: String,
    #[serde(default)]
    faction: String,
    #[serde(default)]
    cost: u16,
    #[serde(alias = "hp_max", alias = "hit_points")]
    hp: u16,
    #[serde(alias = "defense", alias = "defence")]
    def: i16,
    #[serde(alias = "attack")]
    atk: i16,
    #[serde(alias = "damage")]
    dmg: u16,
    #[serde(default)]
    speed: Option<u16>,
    #[serde(default)]
    size: Option<Base>,
    #[serde(default)]
    unique: Option<bool>,
    #[serde(default)]
    living: Option<bool>,
    #[serde(default)]
    commander: Option<bool>,
    #[serde(default, rename = "type", alias = "ai_type")]
    kind: Option<Kind>,
    #[serde(default)]
    droid: Option<bool>,
    /// The Force rating.
    #[serde(default, alias = "force_max")]
    force: Option<u16>,
    #[serde(default)]
    abilities: Names,
    #[serde(default)]
    force_powers: Names,
}

/// Names of abilities: a list, or one text with semicolons between them.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum Names {
    List(Vec<Named>),
    Text(String),
}

/// An ability: `Grenades 10`, or its name and its number apart.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum Named {
    Text(String),
    Apart {
        #[serde(alias = "name")]
        key: String,
        #[serde(default)]
        n: Option<u16>,
    },
}

impl Names {
    fn all(self) -> Vec<String> {
        match self {
            Names::List(names) => (names.into_iter())
                .map(|named| match named {
                    Named::Text(text) | Named::Apart { key: text, n: None } => text,
                    Named::Apart { key, n: Some(n) } => format!("{key} {n}"),
                })
                .collect(),
            Names::Text(text) => text.split(';').map(|name| name.trim().to_owned()).collect(),
        }
    }
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
    /// A field of a line of CSV that is not understood.
    #[error("line {line}, {column}: `{found}`: {why}")]
    Cell {
        /// The line of the file, from 1.
        line: u64,
        /// The heading of its column.
        column: String,
        /// What stands there.
        found: String,
        /// What is wrong with it.
        why: String,
    },
    /// CSV that is not understood; the message names the line.
    #[error(
        "{0}; expected the columns id, hp, def, atk, dmg, and where known name, cost, speed, size, unique, living, commander, type, abilities (with `;` between them)"
    )]
    Csv(#[from] csv::Error),
    /// JSON that is not understood; the message names line and column.
    #[error("{0}; expected a list of objects with id, hp, def, atk, dmg, and where known name, cost, speed, abilities")]
    Json(String),
    /// A figure that is defeated before it begins.
    #[error("the card `{0}` has 0 hit points: give it 1 or more")]
    Lifeless(String),
    /// A card with neither.
    #[error("a card has neither id nor name: give it one of them")]
    Nameless,
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
            let lines = json::read(text).map_err(BadRoster::Json)?;
            serde_path_to_error::deserialize(lines).map_err(|error| {
                let message = json::plain(&error.inner().to_string());
                BadRoster::Json(format!("{}: {message}", error.path()))
            })?
        } else {
            let mut reader = csv::ReaderBuilder::new()
                .trim(csv::Trim::All)
                .flexible(true)
                .from_reader(text.as_bytes());
            // Headings in capitals or with blanks are the same.
            let headings: Vec<String> = (reader.headers()?.iter())
                .map(|heading| heading.to_lowercase().replace([' ', '-'], "_"))
                .collect();
            let headings = csv::StringRecord::from(headings);
            let line = |record: csv::Result<csv::StringRecord>| {
                let record = record?;
                record
                    .deserialize(Some(&headings))
                    .map_err(|error| cell(error, &record, &headings))
            };
            reader.records().map(line).collect::<Result<_, _>>()?
        };
        if lines.iter().any(|line| line.id.is_empty() && line.name.is_empty()) {
            return Err(BadRoster::Nameless);
        }
        if let Some(line) = lines.iter().find(|line| line.hp == 0) {
            let called = if line.id.is_empty() { &line.name } else { &line.id };
            return Err(BadRoster::Lifeless(called.clone()));
        }
        let mut entries: Vec<Entry> = lines.into_iter().map(entry).collect();
        entries.sort_by(|a, b| a.id.cmp(&b.id));
        if let Some(pair) = entries.windows(2).find(|pair| pair[0].id == pair[1].id) {
            return Err(BadRoster::Twice(pair[0].id.clone()));
        }
        Ok(Roster(entries))
    }

    /// These cards, and of another roster those of other ids.
    #[must_use]
    pub fn over(mut self, other: &Roster) -> Roster {
        let more: Vec<Entry> = (other.0.iter())
            .filter(|entry| !self.0.iter().any(|own| own.id == entry.id))
            .cloned()
            .collect();
        self.0.extend(more);
        self.0.sort_by(|a, b| a.id.cmp(&b.id));
        self
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

/// What is wrong with a field of a line, by the heading of its column.
fn cell(error: csv::Error, record: &csv::StringRecord, headings: &csv::StringRecord) -> BadRoster {
    let csv::ErrorKind::Deserialize { pos, err } = error.kind() else {
        return BadRoster::Csv(error);
    };
    // What is none of a column's words is told without its column: it is the one that holds what the message quotes.
    let quoted = || {
        let csv::DeserializeErrorKind::Message(message) = err.kind() else {
            return None;
        };
        (record.iter()).position(|found| !found.is_empty() && message.contains(&format!("`{found}`")))
    };
    let place = (err.field().and_then(|field| usize::try_from(field).ok())).or_else(quoted);
    let text = |of: &csv::StringRecord| place.and_then(|place| of.get(place)).unwrap_or_default().to_owned();
    if headings.get(place.unwrap_or(usize::MAX)).is_none() {
        return BadRoster::Csv(error);
    }
    let why = match err.kind() {
        csv::DeserializeErrorKind::ParseInt(_) => "a whole number is expected here".to_owned(),
        csv::DeserializeErrorKind::ParseBool(_) => "`true` or `false` is expected here".to_owned(),
        csv::DeserializeErrorKind::Message(message) => json::plain(message),
        other => other.to_string(),
    };
    BadRoster::Cell {
        line: pos.as_ref().map_or(0, csv::Position::line),
        column: text(headings),
        found: text(record),
        why,
    }
}

/// A short name out of a long one: `Old Republic Captain` is `old-republic-captain`.
fn short(name: &str) -> String {
    let words = name
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-").to_lowercase()
}

fn entry(mut line: Line) -> Entry {
    if line.id.is_empty() {
        line.id = short(&line.name);
    }
    let mut names = line.abilities.all();
    names.extend(line.force_powers.all());
    if line.droid == Some(true) {
        names.push("Droid".to_owned());
    }
    names.extend(
        line.force
            .filter(|rating| *rating > 0)
            .map(|rating| format!("Force {rating}")),
    );
    let mut abilities: Vec<Ability> = Vec::new();
    for name in names.iter().filter(|name| !name.is_empty()) {
        let ability = Abilities::embedded().read(name);
        // What a card says twice, as with `droid` and an ability Droid, counts once.
        if !abilities.contains(&ability) {
            abilities.push(ability);
        }
    }
    let droid = abilities.iter().any(|ability| ability.name == "Droid");
    let card = Card {
        name: if line.name.is_empty() {
            visible(&line.id)
        } else {
            visible(&line.name)
        },
        size: line.size.unwrap_or_default(),
        speed: line.speed.unwrap_or(DEFAULT_SPEED),
        hit_points: line.hp,
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
        let schema = r#"[{"name": "Old Guard", "cost": 9, "size": "2", "hp_max": 30, "defense": 15, "attack": 6, "damage": 10,
            "force_max": 2, "droid": true, "abilities": [{"key": "double_attack"}, {"key": "grenades", "n": 20}, "Droid"],
            "force_powers": [{"key": "lightsaber_block", "cost": 1}], "ai_type": "shooter"}]"#;
        let card = &Roster::read(schema).unwrap().find("old-guard").unwrap().card.clone();
        let names: Vec<String> = card.abilities.iter().map(ToString::to_string).collect();
        assert_eq!(
            names,
            ["Double Attack", "Grenades 20", "Droid", "Lightsaber Block", "Force 2"]
        );
        assert!(!card.living && card.size == Base::from(2) && card.kind() == Kind::Shooter);
        let csv = "Name,HP,Def,Atk,Dmg,Size,Force Powers\nOld Guard,30,15,+6,10,6x12,Force 2; Lightsaber Block\n";
        let roster = Roster::read(csv).unwrap();
        let card = &roster.find("Old Guard").unwrap().card;
        assert_eq!(
            (card.attack, card.size.to_string(), card.abilities.len()),
            (6, "6x12".to_owned(), 2)
        );
        assert!(matches!(
            Roster::read("hp,def,atk,dmg\n30,15,6,10\n"),
            Err(BadRoster::Nameless)
        ));
        let twice = "id,hp,def,atk,dmg\na,10,14,5,10\na,20,14,5,10\n";
        assert!(matches!(Roster::read(twice), Err(BadRoster::Twice(id)) if id == "a"));
        for (text, told) in [
            (
                "id,hp,def,atk,dmg\na,ten,14,5,10\n",
                "line 2, hp: `ten`: a whole number is expected",
            ),
            (
                "id,HP,Def,Atk,Dmg\nb,10,14,5,10\na,10,14,x,10\n",
                "line 3, atk: `x`: a whole number is expected",
            ),
            (
                "id,hp,def,atk,dmg,unique\na,10,14,5,10,perhaps\n",
                "line 2, unique: `perhaps`: `true` or `false`",
            ),
            (
                "id,hp,def,atk,dmg,type\na,10,14,5,10,sniper\n",
                "line 2, type: `sniper`: ",
            ),
            ("id,hp,def,atk,dmg\na,0,14,5,10\n", "the card `a` has 0 hit points"),
            (
                "[{\"id\": \"a\", \"hp\": 0, \"def\": 1, \"atk\": 1, \"dmg\": 1}]",
                "the card `a` has 0 hit points",
            ),
            (
                "[{\"id\": \"a\", \"hp\": \"x\"}]",
                "[0].hp: a whole number from 0 to 65535 is expected, not the text",
            ),
            ("[{\"id\": \"a\", \"hp\": 1, \"hp\": 2}]", "[0].hp: it is there twice"),
            (
                "[{\"id\": \"a\", \"hp\": 1, \"def\": 1, \"atk\": 1, \"dmg\": 1, \"abilities\": 7}]",
                "[0].abilities: it has none",
            ),
        ] {
            let bad = Roster::read(text).unwrap_err().to_string();
            assert!(bad.starts_with(told), "{bad}");
            assert!(
                !bad.contains("field 1") && !bad.contains("enum") && !bad.contains("struct"),
                "{bad}"
            );
        }
    }
}
