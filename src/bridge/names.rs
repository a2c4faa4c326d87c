//! What the objects of a table are called. Ids such as GUIDs say nothing to a player, so every text for people
//! speaks names; the ids stay in the fields that programs read.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    protocol::snapshot::TtsSnapshot,
    xwing::{ObjectId, table::Table},
};

/// Shorter ids are words that players read well (`S1`), and might be part of any text.
const SHORTEST_ID: usize = 6;

/// The names of a game's objects, each used once: a second `Academy Pilot` is `Academy Pilot 2`. An object keeps its name
/// as long as the table calls it the same, also when others leave.
#[derive(Debug, Clone, Default)]
pub(crate) struct Names {
    given: BTreeMap<String, Given>,
}

#[derive(Debug, Clone)]
struct Given {
    /// What the table calls it.
    on_the_table: String,
    /// What we call it.
    spoken: String,
}

impl Names {
    /// Takes the objects of a table, as id and name. Their order does not matter; those without a name have none here.
    pub(crate) fn learn<'a>(&mut self, objects: impl IntoIterator<Item = (&'a str, &'a str)>) {
        let objects: BTreeMap<&str, &str> = objects
            .into_iter()
            .map(|(id, name)| (id, name.trim()))
            .filter(|(_, name)| !name.is_empty())
            .collect();
        // None is known: another game, whose numbers begin anew.
        if !objects.keys().any(|id| self.given.contains_key(*id)) {
            self.given.clear();
        }
        self.given
            .retain(|id, given| objects.get(&**id).is_none_or(|name| **name == given.on_the_table));
        let mut taken: BTreeSet<String> = self.given.values().map(|given| given.spoken.clone()).collect();
        let mut doubles = Vec::new();
        for (id, name) in objects {
            if self.given.contains_key(id) {
                continue;
            }
            if taken.insert(name.to_owned()) {
                self.give(id, name, name.to_owned());
            } else {
                doubles.push((id, name));
            }
        }
        for (id, name) in doubles {
            // One of these is free, for there are more numbers than names.
            let spoken = (2..=taken.len() + 2)
                .map(|number| format!("{name} {number}"))
                .find(|candidate| !taken.contains(candidate));
            if let Some(spoken) = spoken {
                taken.insert(spoken.clone());
                self.give(id, name, spoken);
            }
        }
    }

    /// Takes the ships of a table whose ids are words of its own.
    pub(crate) fn learn_ships(&mut self, table: &Table) {
        self.learn(table.ships.iter().map(|ship| (&*ship.id, &*ship.name)));
    }

    /// Takes the objects of a Tabletop Simulator table and of the snapshot that it was read from. No player can read a
    /// GUID: a ship that has no name is called by what it is.
    pub(crate) fn learn_tts(&mut self, raw: &TtsSnapshot, table: &Table) {
        let ships = table.ships.iter().map(|ship| match (&*ship.name, &*ship.chassis) {
            ("", "") => (&*ship.id, "Nameless ship"),
            ("", chassis) => (&*ship.id, chassis),
            (name, _) => (&*ship.id, name),
        });
        let obstacles = raw
            .obstacles
            .iter()
            .filter(|raw| table.obstacles.iter().any(|obstacle| *obstacle.id == *raw.guid))
            .map(|raw| (&*raw.guid, &*raw.name));
        self.learn(ships.chain(obstacles));
    }

    /// Who is who, for a reader of ids that are spoken as they are: `A is Academy Pilot, B is Luke`. Nothing where all ids are
    /// told by name, or no ship has one.
    pub(crate) fn key(&self, table: &Table) -> Option<String> {
        let told = table.ships.iter().filter_map(|ship| {
            let name = self.of(&ship.id)?;
            (ship.id.len() < SHORTEST_ID && name != &*ship.id).then(|| format!("{} is {name}", ship.id))
        });
        let told: Vec<String> = told.collect();
        (!told.is_empty()).then(|| format!("{}.", told.join(", ")))
    }

    /// Calls the ships of a table by these names.
    pub(crate) fn give_to(&self, table: &mut Table) {
        for ship in &mut table.ships {
            if let Some(name) = self.of(&ship.id) {
                ship.name = name.to_owned();
            }
        }
    }

    /// The table as a picture shows it: obstacles and locked objects by their names. No reader knows a GUID.
    pub(crate) fn on_a_picture(&self, table: &Table) -> Table {
        let mut shown = table.clone();
        let rename = |id: &mut ObjectId| {
            if let Some(name) = self.of(id) {
                *id = name.into();
            }
        };
        shown.obstacles.iter_mut().for_each(|obstacle| rename(&mut obstacle.id));
        shown.ships.iter_mut().flat_map(|ship| &mut ship.locks).for_each(rename);
        shown
    }

    fn give(&mut self, id: &str, name: &str, spoken: String) {
        let on_the_table = name.to_owned();
        self.given.insert(id.to_owned(), Given { on_the_table, spoken });
    }

    /// The name of an object, if it has one.
    pub(crate) fn of(&self, id: &str) -> Option<&str> {
        self.given.get(id).map(|given| &*given.spoken)
    }

    /// A text with names in place of ids. Only whole words count, and an id that is part of a name stays.
    pub(crate) fn speak(&self, text: &str) -> String {
        let mut spoken = String::with_capacity(text.len() + 40);
        let mut rest = text;
        let mut within_a_word = false;
        while let Some(first) = rest.chars().next() {
            let found = if within_a_word { None } else { self.longest(rest) };
            let (length, words) = found.unwrap_or((first.len_utf8(), &rest[..first.len_utf8()]));
            spoken.push_str(words);
            within_a_word = rest[..length].ends_with(char::is_alphanumeric);
            rest = &rest[length..];
        }
        spoken
    }

    /// The longest id or name that a text begins with: its length in bytes, and what to say.
    fn longest(&self, text: &str) -> Option<(usize, &str)> {
        let ids = self
            .given
            .iter()
            .filter(|(id, _)| id.len() >= SHORTEST_ID)
            .map(|(id, given)| (&**id, &*given.spoken));
        let names = self.given.values().map(|given| (&*given.spoken, &*given.spoken));
        ids.chain(names)
            .filter(|(word, _)| {
                text.strip_prefix(word)
                    .is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
            })
            .map(|(word, spoken)| (word.len(), spoken))
            .max_by_key(|(length, _)| *length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(objects: &[(&str, &str)]) -> Names {
        let mut names = Names::default();
        names.learn(objects.iter().copied());
        names
    }

    #[test]
    fn ids_give_way_to_names_as_whole_words() {
        let names = names(&[
            ("0b57a3", "Asteroid 4"),
            ("501000", "Black Squadron Ace"),
            ("s1", "Wedge"),
        ]);
        for (text, expected) in [
            (
                "it backs up from 0b57a3, 501000.",
                "it backs up from Asteroid 4, Black Squadron Ace.",
            ),
            ("501000", "Black Squadron Ace"),
            ("1501000 and 0b57a3f stay", "1501000 and 0b57a3f stay"),
            ("s1 is read well enough", "s1 is read well enough"),
            ("größer: 0b57a3", "größer: Asteroid 4"),
        ] {
            assert_eq!(names.speak(text), expected);
        }
    }

    #[test]
    fn an_id_within_a_name_stays() {
        let names = names(&[("Falcon", "Millennium Falcon"), ("501000", "TIE (501000)")]);
        for (text, expected) in [
            ("Millennium Falcon flies", "Millennium Falcon flies"),
            ("Falcon flies", "Millennium Falcon flies"),
            ("TIE (501000) flies", "TIE (501000) flies"),
        ] {
            assert_eq!(names.speak(text), expected);
        }
    }

    #[test]
    fn doubles_are_numbered_whatever_their_order() {
        let objects = [("b", "Ace"), ("a", "Ace"), ("d", "Ace 2"), ("c", "Ace"), ("e", "")];
        let mut reversed = objects;
        reversed.reverse();
        for objects in [objects, reversed] {
            let names = names(&objects);
            let spoken = ["a", "b", "c", "d", "e"].map(|id| names.of(id));
            assert_eq!(spoken, [Some("Ace"), Some("Ace 3"), Some("Ace 4"), Some("Ace 2"), None]);
        }
    }

    #[test]
    fn a_number_stays_when_the_other_leaves_and_begins_anew_in_another_game() {
        let mut names = names(&[("a", "Ace"), ("b", "Ace")]);
        names.learn([("b", "Ace")]);
        assert_eq!(names.of("b"), Some("Ace 2"));
        names.learn([("b", "Howlrunner")]);
        assert_eq!(names.of("b"), Some("Howlrunner"));
        names.learn([("z", "Ace")]);
        assert_eq!((names.of("z"), names.of("a")), (Some("Ace"), None));
    }
}
