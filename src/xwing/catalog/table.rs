//! The fact table as a file: JSON, one record a line, sorted by id, so that a change shows as a change of few lines.

use serde::{Deserialize, Serialize};

use super::{Catalog, CatalogError, PilotFacts, QuickBuild, ShipFacts, UpgradeFacts};
use crate::xwing::edition::Edition;

/// What the table's `format` field says.
const FORMAT: &str = "tallyho-catalog-1";

/// The notice under which the data sets that the table of that edition was compiled from were published.
const fn notice(edition: Edition) -> &'static str {
    match edition {
        Edition::Second => include_str!("notice.txt"),
        Edition::First => include_str!("notice_first_edition.txt"),
    }
}

#[derive(Deserialize)]
struct Table {
    format: String,
    #[serde(default)]
    source: Source,
    ships: Vec<ShipFacts>,
    pilots: Vec<PilotFacts>,
    upgrades: Vec<UpgradeFacts>,
    /// Tables written before there were any have none.
    #[serde(default)]
    quick_builds: Vec<QuickBuild>,
}

/// Where a table's facts came from.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Source {
    /// The data set's own version number, or empty.
    #[serde(default)]
    pub version: String,
    /// The edition that the cards belong to.
    #[serde(default, skip_serializing_if = "is_second")]
    pub edition: Edition,
}

fn is_second(edition: &Edition) -> bool {
    *edition == Edition::Second
}

impl Catalog {
    /// Reads a fact table.
    ///
    /// # Errors
    /// When the text is not such a table; the error names line and column.
    pub fn from_json(text: &str) -> Result<Catalog, CatalogError> {
        let table: Table = serde_json::from_str(text).map_err(CatalogError::NotATable)?;
        if table.format != FORMAT {
            return Err(CatalogError::Format {
                found: table.format,
                expected: FORMAT,
            });
        }
        let catalog = Catalog::new(table.source, table.ships, table.pilots, table.upgrades);
        Ok(catalog.with_quick_builds(table.quick_builds))
    }

    /// Writes the fact table; [`Catalog::from_json`] reads it back. The same facts give the same bytes.
    ///
    /// # Errors
    /// When the writer fails.
    pub fn write_json(&self, mut out: impl std::io::Write) -> std::io::Result<()> {
        let notice: Vec<&str> = notice(self.edition()).lines().collect();
        writeln!(out, "{{\"format\":\"{FORMAT}\",")?;
        writeln!(out, "\"notice\":[")?;
        lines(&mut out, &notice)?;
        writeln!(out, "],")?;
        writeln!(out, "\"source\":{},", serde_json::to_string(self.source())?)?;
        writeln!(out, "\"ships\":[")?;
        lines(&mut out, self.ships())?;
        writeln!(out, "],")?;
        writeln!(out, "\"pilots\":[")?;
        lines(&mut out, self.pilots())?;
        writeln!(out, "],")?;
        writeln!(out, "\"upgrades\":[")?;
        lines(&mut out, self.upgrades())?;
        writeln!(out, "],")?;
        writeln!(out, "\"quick_builds\":[")?;
        lines(&mut out, self.quick_builds())?;
        writeln!(out, "]}}")
    }
}

/// One record a line.
fn lines<T: Serialize>(out: &mut impl std::io::Write, records: &[T]) -> std::io::Result<()> {
    for (index, record) in records.iter().enumerate() {
        let comma = if index + 1 < records.len() { "," } else { "" };
        writeln!(out, "{}{comma}", serde_json::to_string(record)?)?;
    }
    Ok(())
}
