//! Reads the data set of the first edition (FE-0.1 "D"): `ships.js`, `pilots.js` and `upgrades.js`, each a list of records.
//!
//! Its colours and words become those of the facts: green is the colour that removes stress ([`Difficulty::Blue`]), pilot
//! skill the value that ships are ordered by, and a card that its attack discards has one charge.
//!
//! [`Difficulty::Blue`]: crate::xwing::maneuver::Difficulty::Blue

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use serde_json::Value;

use super::{
    Import, Records, Warnings,
    fields::{self, Fields},
    read_json, warn,
};
use crate::xwing::{
    catalog::{Catalog, PilotFacts, Source, UpgradeFacts, normalized},
    edition::Edition,
};

mod dial;
mod pilot;
mod ship;
mod upgrade;
mod words;

const SHIPS: &str = "ships.js";
const CONDITIONS: &str = "conditions.js";
const PILOTS: &str = "pilots.js";
const UPGRADES: &str = "upgrades.js";

/// The ids that the data set's printed names stand for.
#[derive(Default)]
struct Names {
    ships: BTreeMap<String, String>,
    conditions: BTreeMap<String, String>,
}

impl Names {
    /// The id of the ship that a field names; what the data does not have is kept, with a warning.
    fn ship(&self, fields: &Fields<'_>, key: &str, name: &str) -> String {
        self.ships.get(name).cloned().unwrap_or_else(|| {
            let id = normalized(name);
            fields.warn(key, &format!("`{name}` is no ship of the data; it is kept as `{id}`"));
            id
        })
    }

    /// The ids of the conditions that a field names.
    fn conditions(&self, fields: &Fields<'_>) -> Vec<String> {
        let named = fields.texts("conditions").into_iter();
        let ids = named.map(|name| {
            self.conditions.get(&name).cloned().unwrap_or_else(|| {
                let id = normalized(&name);
                fields.warn(
                    "conditions",
                    &format!("`{name}` is no condition of the data; it is kept as `{id}`"),
                );
                id
            })
        });
        ids.collect()
    }
}

/// Whether the folder holds such a data set.
pub(super) fn is_data_set(folder: &Path) -> bool {
    folder.join(SHIPS).is_file()
}

/// Reads the data set in that folder. `progress` is told how many files of how many have been read.
pub(super) fn read(data: &Path, progress: &mut dyn FnMut(usize, usize)) -> Import {
    let warnings = Warnings::default();
    let mut records = Records::default();
    let mut names = Names::default();
    let files = [SHIPS, CONDITIONS, PILOTS, UPGRADES];
    for (done, file) in files.into_iter().enumerate() {
        let list = list(data, file, &warnings);
        let each = list
            .iter()
            .enumerate()
            .filter_map(|(index, value)| Fields::of(value, file, &fields::label("", index, value), &warnings));
        match file {
            SHIPS => each.for_each(|fields| {
                if let Some(ship) = ship::read(&fields) {
                    names.ships.insert(ship.name.clone(), ship.xws.clone());
                    records.add_ship(ship, file, &warnings);
                }
                fields.finish();
            }),
            CONDITIONS => each.for_each(|fields| {
                if let (Some(name), Some(xws)) = (fields.text("name"), fields.text("xws")) {
                    names.conditions.insert(name.to_owned(), xws.to_owned());
                }
            }),
            PILOTS => {
                let read = each.filter_map(|fields| {
                    let pilot = pilot::read(&fields, &names, &records.ships);
                    fields.finish();
                    pilot
                });
                records.pilots = read.collect();
                records.pilot_files = vec![file.to_owned(); records.pilots.len()];
            }
            _ => {
                let read = each.filter_map(|fields| {
                    let upgrade = upgrade::read(&fields, &names);
                    fields.finish();
                    upgrade
                });
                records.upgrades = one_card_a_name(read.collect());
                records.upgrade_files = vec![file.to_owned(); records.upgrades.len()];
            }
        }
        progress(done + 1, files.len());
    }
    tell_apart(&mut records.pilots, &warnings);
    records.check_references(&warnings);
    let source = Source {
        edition: Edition::First,
        ..Source::default()
    };
    Import {
        catalog: Catalog::new(source, records.ships, records.pilots, records.upgrades),
        warnings: warnings.into_inner(),
    }
}

/// The records of a file.
fn list(data: &Path, file: &str, warnings: &Warnings) -> Vec<Value> {
    match read_json(&data.join(file), file, warnings) {
        None => Vec::new(),
        Some(Value::Array(list)) => list,
        Some(other) => {
            let found = fields::kind(&other);
            warn(
                warnings,
                file,
                "",
                &format!("expected a list, found {found}; the file is left out"),
            );
            Vec::new()
        }
    }
}

/// An id of the data belongs to one ship of one faction only. Where several pilots share one, each gets its ship behind it,
/// and its faction too where the ship is the same.
fn tell_apart(pilots: &mut [PilotFacts], warnings: &Warnings) {
    let suffixes: [fn(&PilotFacts) -> &str; 2] = [|pilot| &pilot.ship, |pilot| &pilot.faction];
    for suffix in suffixes {
        let repeated = repeated(pilots);
        for pilot in pilots.iter_mut().filter(|pilot| repeated.contains(&pilot.xws)) {
            pilot.xws = format!("{}-{}", pilot.xws, suffix(pilot));
        }
    }
    for xws in repeated(pilots) {
        let field = format!("[{xws}]");
        warn(
            warnings,
            PILOTS,
            &field,
            "is there twice for one ship and faction; the first one is kept",
        );
    }
}

/// Ids that more than one pilot has.
fn repeated(pilots: &[PilotFacts]) -> BTreeSet<String> {
    let mut seen = BTreeSet::new();
    let again = pilots.iter().filter(|pilot| !seen.insert(pilot.xws.clone()));
    again.map(|pilot| pilot.xws.clone()).collect()
}

/// A card with two sides has a record for each of them; together they are one upgrade.
fn one_card_a_name(read: Vec<UpgradeFacts>) -> Vec<UpgradeFacts> {
    let mut cards: Vec<UpgradeFacts> = Vec::new();
    for upgrade in read {
        match cards.iter_mut().find(|card| card.xws == upgrade.xws) {
            Some(card) => card.sides.extend(upgrade.sides),
            None => cards.push(upgrade),
        }
    }
    cards
}
