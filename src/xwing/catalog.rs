//! Ships, pilots, upgrades and Quick Build cards as data: what the rules need to know of a card, by its xws id.
//!
//! The facts come from one table an edition (`data/catalog.json`, `data/first-edition/catalog.json`, both embedded) or, at
//! run time, from a user's newer checkout of the data; [`import`] reads those. [`Catalog::resolve`] turns a ship, a pilot and upgrades into the parts that a
//! [`crate::xwing::ship::Ship`] is made of.

use super::{
    edition::{Edition, Rules},
    effects::CardBook,
    obstacle_outlines::ObstacleOutlines,
};
use std::{
    path::{Path, PathBuf},
    sync::{LazyLock, OnceLock},
};

mod advice;
pub mod asked;
pub mod coverage;
pub mod facts;
pub mod import;
mod names;
mod near;
pub mod notation;
pub mod quick_build;
pub mod resolve;
mod table;
pub mod titles;

pub use facts::{PilotFacts, ShipFacts, UpgradeFacts};
pub use names::normalized;
pub use quick_build::QuickBuild;
pub use resolve::{ResolveNote, Resolved};
pub use table::Source;
pub use titles::Titles;

/// The fact table of the second edition that the program carries with it.
static EMBEDDED: &str = include_str!("../../data/catalog.json");
/// The fact table of the first edition.
static EMBEDDED_FIRST: &str = include_str!("../../data/first-edition/catalog.json");

/// All known ships, pilots and upgrades.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Catalog {
    source: Source,
    /// Sorted by id, then by factions; an id occurs twice only where the facts differ by faction.
    ships: Vec<ShipFacts>,
    /// Sorted by id, which is unique.
    pilots: Vec<PilotFacts>,
    /// Sorted by id, which is unique.
    upgrades: Vec<UpgradeFacts>,
    /// Sorted by id, which is unique.
    quick_builds: Vec<QuickBuild>,
    /// The user's obstacle outlines, where they replace the embedded ones.
    outlines: Option<ObstacleOutlines>,
    /// What cards do, where the user's file adds to the embedded book.
    cards: Option<CardBook>,
    /// The rules that are played with them, where the players have agreed on options.
    rules: Option<Rules>,
}

/// Why no catalog could be read.
#[derive(Debug, thiserror::Error)]
pub enum CatalogError {
    /// The file cannot be read.
    #[error("cannot read {}: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// The text is not a fact table.
    #[error(
        "this is not a fact table ({}); `tallyho catalog import DIR --out FILE` writes one",
        crate::json::plain(&.0.to_string())
    )]
    NotATable(serde_json::Error),
    /// A table of another version.
    #[error(
        "the fact table's format is `{found}`, this program reads `{expected}`; write it anew with `tallyho catalog import`"
    )]
    Format {
        /// What the file says.
        found: String,
        /// What it should say.
        expected: &'static str,
    },
    /// The folder is no checkout.
    #[error(transparent)]
    Import(#[from] import::ImportError),
}

impl Catalog {
    /// A catalog of these records, in any order. Of two records with one id the first is kept.
    pub fn new(
        source: Source,
        mut ships: Vec<ShipFacts>,
        mut pilots: Vec<PilotFacts>,
        mut upgrades: Vec<UpgradeFacts>,
    ) -> Self {
        // Stable sorts, so that the first of equals stays first and is the one that `dedup` keeps.
        pilots.sort_by(|a, b| a.xws.cmp(&b.xws));
        pilots.dedup_by(|later, first| later.xws == first.xws);
        upgrades.sort_by(|a, b| a.xws.cmp(&b.xws));
        upgrades.dedup_by(|later, first| later.xws == first.xws);
        for ship in &mut ships {
            ship.factions.sort();
        }
        ships.sort_by(|a, b| (&a.xws, &a.factions).cmp(&(&b.xws, &b.factions)));
        ships.dedup_by(|later, first| (&later.xws, &later.factions) == (&first.xws, &first.factions));
        for ship in &mut ships {
            ship.pilots.clear();
        }
        for pilot in &pilots {
            let start = ships.partition_point(|ship| ship.xws < pilot.ship);
            let record = (ships[start..].iter_mut().take_while(|ship| ship.xws == pilot.ship))
                .find(|ship| ship.factions.contains(&pilot.faction));
            if let Some(ship) = record {
                ship.pilots.push(pilot.xws.clone());
            }
        }
        Self {
            source,
            ships,
            pilots,
            upgrades,
            quick_builds: Vec::new(),
            outlines: None,
            cards: None,
            rules: None,
        }
    }

    /// The same cards, played by these rules of their edition.
    #[must_use]
    pub fn with_rules(self, rules: Rules) -> Self {
        Self {
            rules: Some(rules),
            ..self
        }
    }

    /// The rules that are played: those agreed on, else the edition's as written.
    pub fn rules(&self) -> Rules {
        self.rules.unwrap_or(self.edition().rules())
    }

    /// The same ships with other obstacle outlines.
    #[must_use]
    pub fn with_outlines(self, outlines: ObstacleOutlines) -> Self {
        Self {
            outlines: Some(outlines),
            ..self
        }
    }

    /// The outlines of obstacles: the user's, else the embedded ones.
    pub fn outlines(&self) -> &ObstacleOutlines {
        match &self.outlines {
            Some(outlines) => outlines,
            None => ObstacleOutlines::embedded(),
        }
    }

    /// The same ships with another book of what cards do.
    #[must_use]
    pub fn with_cards(self, cards: CardBook) -> Self {
        Self {
            cards: Some(cards),
            ..self
        }
    }

    /// What cards do: the user's book, else the embedded one. Of cards of the first edition only facts are known; what they
    /// do stands on them alone, and the second edition's cards of the same id do something else.
    pub fn cards(&self) -> &CardBook {
        static NONE: LazyLock<CardBook> = LazyLock::new(CardBook::default);
        match (&self.cards, self.edition()) {
            (Some(cards), _) => cards,
            (None, Edition::Second) => CardBook::embedded(),
            (None, Edition::First) => &NONE,
        }
    }

    /// The second edition's table that the program carries with it, parsed at the first call.
    pub fn embedded() -> &'static Catalog {
        Catalog::embedded_for(Edition::Second)
    }

    /// The same for an edition.
    pub fn embedded_for(edition: Edition) -> &'static Catalog {
        static CATALOGS: [OnceLock<Catalog>; 2] = [OnceLock::new(), OnceLock::new()];
        let (place, text) = match edition {
            Edition::Second => (0, EMBEDDED),
            Edition::First => (1, EMBEDDED_FIRST),
        };
        CATALOGS[place]
            .get_or_init(|| Catalog::from_json(text).expect("the embedded tables are read by a test of every build"))
    }

    /// Reads a fact table, or imports a checkout of the data when `path` is a folder. The warnings of the import come
    /// with it.
    ///
    /// # Errors
    /// When there is no such file, it is not a fact table, or the folder is no checkout.
    pub fn load(path: &Path) -> Result<(Catalog, Vec<import::Warning>), CatalogError> {
        if path.is_dir() {
            let import = import::read(path, &mut |_, _| {})?;
            return Ok((import.catalog, import.warnings));
        }
        let text = crate::text_file::read(path).map_err(|error| CatalogError::Read {
            path: path.to_owned(),
            error,
        })?;
        Ok((Catalog::from_json(&text)?, Vec::new()))
    }

    /// Where the facts came from.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The edition that its cards belong to.
    pub fn edition(&self) -> Edition {
        self.source.edition
    }

    /// This catalog if it is of that edition, else the embedded one of that edition.
    pub fn of_edition(&self, edition: Edition) -> &Catalog {
        match self.edition() == edition {
            true => self,
            false => Catalog::embedded_for(edition),
        }
    }

    /// All ships, by id.
    pub fn ships(&self) -> &[ShipFacts] {
        &self.ships
    }

    /// All pilots, by id.
    pub fn pilots(&self) -> &[PilotFacts] {
        &self.pilots
    }

    /// All upgrades, by id.
    pub fn upgrades(&self) -> &[UpgradeFacts] {
        &self.upgrades
    }

    /// The ship of that id; where its facts differ by faction, the first record ([`Catalog::ship_of`] tells apart).
    pub fn ship(&self, xws: &str) -> Option<&ShipFacts> {
        self.ship_records(xws).first()
    }

    /// The ship of that id as that faction flies it; any faction's if that one is not listed.
    pub fn ship_of(&self, xws: &str, faction: &str) -> Option<&ShipFacts> {
        let records = self.ship_records(xws);
        let own = records.iter().find(|ship| ship.factions.iter().any(|f| f == faction));
        own.or(records.first())
    }

    /// Every record of that ship id: one, or several where the facts differ by faction.
    pub fn ship_records(&self, xws: &str) -> &[ShipFacts] {
        let start = self.ships.partition_point(|ship| *ship.xws < *xws);
        let count = self.ships[start..].partition_point(|ship| ship.xws == xws);
        &self.ships[start..start + count]
    }

    /// The pilot of that id.
    pub fn pilot(&self, xws: &str) -> Option<&PilotFacts> {
        let found = self.pilots.binary_search_by(|pilot| (*pilot.xws).cmp(xws));
        found.ok().map(|index| &self.pilots[index])
    }

    /// The upgrade of that id.
    pub fn upgrade(&self, xws: &str) -> Option<&UpgradeFacts> {
        let found = self.upgrades.binary_search_by(|upgrade| (*upgrade.xws).cmp(xws));
        found.ok().map(|index| &self.upgrades[index])
    }
}
