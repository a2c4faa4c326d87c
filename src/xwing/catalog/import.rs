//! Reads a data set into a [`Catalog`]: an xwing-data2 checkout of the 2.x or the 3.x form, or one of the first edition.
//!
//! Whatever cannot be read becomes a [`Warning`] with file and field; the rest of the record, the file and the checkout
//! is read all the same. Fields that are left out on purpose (texts, pictures, which squad-building formats allow a card)
//! are listed where each kind of record is read; a field in no list is reported.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    fmt,
    path::{Path, PathBuf},
};

use serde_json::Value;

use super::{Catalog, PilotFacts, QuickBuild, ShipFacts, Source, UpgradeFacts};
use crate::xwing::edition::Edition;

mod fields;
mod first_edition;
mod pilot;
mod quick_build;
mod ship;
mod upgrade;

use fields::Fields;

/// The result of an import: what could be read, and what could not.
#[derive(Debug, Clone)]
pub struct Import {
    /// The facts.
    pub catalog: Catalog,
    /// What could not be read, in file order.
    pub warnings: Vec<Warning>,
}

/// Something in a checkout that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Warning {
    /// The file, from the data folder on, with `/`.
    pub file: String,
    /// The field, as in `pilots[wedgeantilles].initiative`; empty when it is the whole file.
    pub field: String,
    /// What is wrong, and what was done about it.
    pub problem: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.file)?;
        if !self.field.is_empty() {
            write!(f, "{}: ", self.field)?;
        }
        f.write_str(&self.problem)
    }
}

/// Why a folder cannot be imported at all.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// There is no ship data in it.
    #[error(
        "{} is no xwing-data2 checkout and no data set of the first edition: neither it nor its folder `data` has a folder \
         `pilots` with ship files, or a file `ships.js`",
        .0.display()
    )]
    NotACheckout(PathBuf),
    /// A folder of it cannot be listed.
    #[error("cannot list {}: {error}", path.display())]
    List {
        /// The folder.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
}

type Warnings = RefCell<Vec<Warning>>;

/// Reads the checkout in `folder`, which is the checkout itself or its `data` folder; which edition's it is shows in its
/// files. `progress` is told how many files of how many have been read.
///
/// # Errors
/// When the folder is no such checkout or cannot be listed. Everything else is a warning.
pub fn read(folder: &Path, progress: &mut dyn FnMut(usize, usize)) -> Result<Import, ImportError> {
    let (data, edition) = data_folder(folder)?;
    if edition == Edition::First {
        return Ok(first_edition::read(&data, progress));
    }
    let mut ship_files = Vec::new();
    for faction in list(&data.join("pilots"), true)? {
        ship_files.extend(list(&faction, false)?);
    }
    if ship_files.is_empty() {
        return Err(ImportError::NotACheckout(folder.to_owned()));
    }
    let warnings = Warnings::default();
    let upgrades_folder = data.join("upgrades");
    let upgrade_files = if upgrades_folder.is_dir() {
        list(&upgrades_folder, false)?
    } else {
        warn(
            &warnings,
            "upgrades",
            "",
            "there is no such folder; no upgrades are known",
        );
        Vec::new()
    };
    // Not every checkout has these, and nothing else needs them.
    let quick_builds_folder = data.join("quick-builds");
    let quick_build_files = match quick_builds_folder.is_dir() {
        true => list(&quick_builds_folder, false)?,
        false => Vec::new(),
    };
    let total = ship_files.len() + upgrade_files.len() + quick_build_files.len();

    let mut records = Records::default();
    let source = manifest(&data, &warnings);
    let kinds: [(&[PathBuf], AddFile); 3] = [
        (&ship_files, Records::add_ship_file),
        (&upgrade_files, Records::add_upgrade_file),
        (&quick_build_files, Records::add_quick_build_file),
    ];
    let files = (kinds.iter()).flat_map(|(files, add)| files.iter().map(move |path| (path, add)));
    for (done, (path, add)) in files.enumerate() {
        let file = relative(&data, path);
        if let Some(value) = read_json(path, &file, &warnings) {
            add(&mut records, &value, &file, &warnings);
        }
        progress(done + 1, total);
    }
    records.check_references(&warnings);
    Ok(Import {
        catalog: Catalog::new(source, records.ships, records.pilots, records.upgrades)
            .with_quick_builds(records.quick_builds),
        warnings: warnings.into_inner(),
    })
}

/// Takes in one file of a kind, of that name.
type AddFile = fn(&mut Records, &Value, &str, &Warnings);

#[derive(Default)]
struct Records {
    ships: Vec<ShipFacts>,
    pilots: Vec<PilotFacts>,
    upgrades: Vec<UpgradeFacts>,
    quick_builds: Vec<QuickBuild>,
    /// The files that they came from, in the same order.
    pilot_files: Vec<String>,
    upgrade_files: Vec<String>,
    quick_build_files: Vec<String>,
    /// How many Quick Build cards each first pilot has.
    cards_of: BTreeMap<String, u32>,
}

impl Records {
    fn add_ship_file(&mut self, value: &Value, file: &str, warnings: &Warnings) {
        let Some(fields) = Fields::of(value, file, "", warnings) else {
            return;
        };
        let Some((ship, faction)) = ship::read(&fields) else {
            fields.finish();
            return;
        };
        for pilot in fields.records("pilots") {
            let Some(pilot) = pilot::read(&pilot, &ship.xws, &faction) else {
                continue;
            };
            if self.pilots.iter().any(|other| other.xws == pilot.xws) {
                warn(
                    warnings,
                    file,
                    &format!("pilots[{}]", pilot.xws),
                    "a pilot of this id was read before; this one is left out",
                );
            } else {
                self.pilots.push(pilot);
                self.pilot_files.push(file.to_owned());
            }
        }
        fields.finish();
        self.add_ship(ship, file, warnings);
    }

    /// One record a ship id; a faction whose facts differ keeps its own, and that is said.
    fn add_ship(&mut self, ship: ShipFacts, file: &str, warnings: &Warnings) {
        let same_id = || self.ships.iter().filter(|other| other.xws == ship.xws);
        let faction = &ship.factions[0];
        if let Some(other) = same_id().find(|other| other.factions.contains(faction)) {
            if other.dial != ship.dial || other.stats != ship.stats {
                warn(
                    warnings,
                    file,
                    "xws",
                    &format!(
                        "`{}` was read before for {faction} with other facts; the first ones are kept",
                        ship.xws
                    ),
                );
            }
            return;
        }
        let same_facts = |other: &&ShipFacts| {
            let mut here = (*other).clone();
            here.factions = ship.factions.clone();
            here == ship
        };
        if let Some(position) = (self.ships.iter()).position(|other| other.xws == ship.xws && same_facts(&other)) {
            self.ships[position].factions.extend(ship.factions);
            return;
        }
        if let Some(other) = same_id().next() {
            let differs = differing(other, &ship);
            warn(
                warnings,
                file,
                "xws",
                &format!(
                    "`{}` has another {differs} for {faction} than for {}; both are kept, each for its faction",
                    ship.xws, other.factions[0]
                ),
            );
        }
        self.ships.push(ship);
    }

    fn add_upgrade_file(&mut self, value: &Value, file: &str, warnings: &Warnings) {
        let Some(list) = value.as_array() else {
            warn(
                warnings,
                file,
                "",
                &format!(
                    "expected a list of upgrades, found {}; the file is left out",
                    fields::kind(value)
                ),
            );
            return;
        };
        for (index, value) in list.iter().enumerate() {
            let Some(fields) = Fields::of(value, file, &fields::label("", index, value), warnings) else {
                continue;
            };
            if let Some(upgrade) = upgrade::read(&fields) {
                if self.upgrades.iter().any(|other| other.xws == upgrade.xws) {
                    fields.warn("xws", "an upgrade of this id was read before; this one is left out");
                } else {
                    self.upgrades.push(upgrade);
                    self.upgrade_files.push(file.to_owned());
                }
            }
            fields.finish();
        }
    }

    /// A file of Quick Build cards is called by its faction, as in `rebel-alliance.json`.
    fn add_quick_build_file(&mut self, value: &Value, file: &str, warnings: &Warnings) {
        let Some(fields) = Fields::of(value, file, "", warnings) else {
            return;
        };
        let name = Path::new(file).file_stem().unwrap_or_default().to_string_lossy();
        let faction = fields.faction("", &name);
        for card in fields.records("quick-builds") {
            if let Some(card) = quick_build::read(&card, &faction, &mut self.cards_of) {
                self.quick_builds.push(card);
                self.quick_build_files.push(file.to_owned());
            }
        }
        fields.finish();
    }
}

impl Records {
    /// A warning for each id that a record names but that no record has.
    fn check_references(&self, warnings: &Warnings) {
        let upgrades: BTreeSet<&str> = self.upgrades.iter().map(|upgrade| upgrade.xws.as_str()).collect();
        let ships: BTreeSet<&str> = self.ships.iter().map(|ship| ship.xws.as_str()).collect();
        for (pilot, file) in self.pilots.iter().zip(&self.pilot_files) {
            for id in pilot
                .standard_loadout
                .iter()
                .filter(|id| !upgrades.contains(id.as_str()))
            {
                let field = format!("pilots[{}].standardLoadout", pilot.xws);
                warn(
                    warnings,
                    file,
                    &field,
                    &format!("names the upgrade `{id}`, which the data does not have"),
                );
            }
        }
        let pilots: BTreeSet<&str> = self.pilots.iter().map(|pilot| pilot.xws.as_str()).collect();
        for (card, file) in self.quick_builds.iter().zip(&self.quick_build_files) {
            let field = format!("quick-builds[{}]", card.id);
            for entry in &card.pilots {
                if !pilots.contains(entry.pilot.as_str()) {
                    let problem = format!("names the pilot `{}`, which the data does not have", entry.pilot);
                    warn(warnings, file, &field, &problem);
                }
                for id in entry.upgrades.iter().filter(|id| !upgrades.contains(id.as_str())) {
                    let problem = format!("names the upgrade `{id}`, which the data does not have");
                    warn(warnings, file, &field, &problem);
                }
            }
        }
        for (upgrade, file) in self.upgrades.iter().zip(&self.upgrade_files) {
            let named = upgrade.restrictions.iter().flat_map(|restriction| &restriction.ships);
            for id in named.filter(|id| !ships.contains(id.as_str())) {
                let field = format!("[{}].restrictions", upgrade.xws);
                warn(
                    warnings,
                    file,
                    &field,
                    &format!("names the ship `{id}`, which the data does not have"),
                );
            }
        }
    }
}

/// The names of the facts in which two records of a ship differ.
fn differing(a: &ShipFacts, b: &ShipFacts) -> String {
    let facts = [
        ("name", a.name != b.name),
        ("size", a.size != b.size),
        ("dial", a.dial != b.dial),
        ("statline", a.stats != b.stats),
        ("action bar", a.actions != b.actions),
    ];
    let names: Vec<&str> = facts
        .iter()
        .filter(|(_, differs)| *differs)
        .map(|&(name, _)| name)
        .collect();
    names.join(", ")
}

fn warn(warnings: &Warnings, file: &str, field: &str, problem: &str) {
    let warning = Warning {
        file: printable(file),
        field: printable(field),
        problem: printable(problem),
    };
    let mut warnings = warnings.borrow_mut();
    if !warnings.contains(&warning) {
        warnings.push(warning);
    }
}

/// The text without what would steer a terminal, and no longer than a line or two: it may quote anything from the data.
fn printable(text: &str) -> String {
    const MOST: usize = 300;
    let clean = text
        .chars()
        .map(|letter| if letter.is_control() { '\u{fffd}' } else { letter });
    let mut short: String = clean.take(MOST).collect();
    if text.chars().nth(MOST).is_some() {
        short.push_str(" ...");
    }
    short
}

/// The folder that holds the data, and the edition that it belongs to.
fn data_folder(folder: &Path) -> Result<(PathBuf, Edition), ImportError> {
    for candidate in [folder.join("data"), folder.to_owned()] {
        if candidate.join("pilots").is_dir() {
            return Ok((candidate, Edition::Second));
        }
        if first_edition::is_data_set(&candidate) {
            return Ok((candidate, Edition::First));
        }
    }
    Err(ImportError::NotACheckout(folder.to_owned()))
}

/// The folders, or the `.json` files, in a folder, sorted by name. Only plain files count: a named pipe would hang us.
fn list(folder: &Path, folders: bool) -> Result<Vec<PathBuf>, ImportError> {
    let failed = |error| ImportError::List {
        path: folder.to_owned(),
        error,
    };
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let wanted = if folders {
            path.is_dir()
        } else {
            path.is_file()
                && path
                    .extension()
                    .is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
        };
        if wanted {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

fn relative(data: &Path, path: &Path) -> String {
    let parts = path.strip_prefix(data).unwrap_or(path).components();
    let parts: Vec<_> = parts.map(|part| part.as_os_str().to_string_lossy()).collect();
    parts.join("/")
}

fn read_json(path: &Path, file: &str, warnings: &Warnings) -> Option<Value> {
    let bytes = match crate::text_file::bytes(path) {
        Ok(bytes) => bytes,
        Err(error) => {
            warn(
                warnings,
                file,
                "",
                &format!("cannot be read ({error}); the file is left out"),
            );
            return None;
        }
    };
    // Some editors put a byte order mark before the text; JSON does not allow for it.
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    match serde_json::from_slice(text) {
        Ok(value) => Some(value),
        Err(error) => {
            warn(
                warnings,
                file,
                "",
                &format!(
                    "is not JSON ({}); the file is left out",
                    crate::json::plain(&error.to_string())
                ),
            );
            None
        }
    }
}

/// The version that the manifest names, and a warning for each file that it lists but that is not there.
fn manifest(data: &Path, warnings: &Warnings) -> Source {
    let file = "manifest.json";
    let path = data.join(file);
    if !path.is_file() {
        warn(
            warnings,
            file,
            "",
            "there is no manifest; all ship and upgrade files found are read",
        );
        return Source::default();
    }
    let Some(manifest) = read_json(&path, file, warnings) else {
        return Source::default();
    };
    let version = match &manifest["version"] {
        Value::String(version) => version.clone(),
        other => {
            warn(
                warnings,
                file,
                "version",
                &format!("expected text, found {}", fields::kind(other)),
            );
            String::new()
        }
    };
    let texts = |value: &Value| -> Vec<String> {
        let list = value.as_array().into_iter().flatten();
        list.filter_map(|item| item.as_str().map(str::to_owned)).collect()
    };
    let factions = manifest["pilots"].as_array().into_iter().flatten();
    let mut listed: Vec<String> = factions.flat_map(|faction| texts(&faction["ships"])).collect();
    listed.extend(texts(&manifest["upgrades"]));
    listed.extend(texts(&manifest["quick-builds"]));
    for name in listed {
        let inside = name.strip_prefix("data/").unwrap_or(&name);
        if !data.join(inside).is_file() {
            warn(
                warnings,
                file,
                &name,
                "the manifest lists this file, but it is not there",
            );
        }
    }
    Source {
        version,
        ..Source::default()
    }
}
