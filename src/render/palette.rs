//! Colours: readable on white, told apart by people who do not see red and green alike, and on a grey printout by shape.

use std::collections::BTreeMap;

use crate::xwing::{maneuver::Difficulty, ship::Ship, table::Table};

/// The line to the tally.
pub(super) const TALLY: &str = "#b3261e";
/// Ranges and arcs of the deciding ship.
pub(super) const RANGE: &str = "#3b6ea8";
/// The pose after the action.
pub(super) const ACTION: &str = "#00796b";
/// What was looked at and left.
pub(super) const REJECTED: &str = "#8a8f98";
/// Text.
pub(super) const INK: &str = "#1f2430";
/// Lesser text.
pub(super) const FAINT_INK: &str = "#5c6370";

/// The side that the program flies, then the others in the order of their names.
const SIDES: [&str; 6] = ["#b04a1f", "#1f5fa8", "#5b7f2b", "#7a4a9e", "#8a6d1a", "#44707a"];

/// Which side has which colour.
#[derive(Debug)]
pub(super) struct Palette(BTreeMap<String, &'static str>);

impl Palette {
    /// The colours of a table's sides. The deciding ship's side comes first; without one, the side called `solo`.
    pub(super) fn of(table: &Table, deciding: Option<&str>) -> Self {
        let deciding = deciding.and_then(|id| table.ship(id));
        Palette::of_ships(&table.ships, deciding)
    }

    /// As [`Palette::of`], for these ships.
    pub(super) fn of_ships(ships: &[Ship], deciding: Option<&Ship>) -> Self {
        let solo = deciding.map_or("solo", |ship| ship.side.as_str());
        let mut names: Vec<&str> = ships.iter().map(|ship| ship.side.as_str()).collect();
        names.sort_by_key(|name| (*name != solo, *name));
        names.dedup();
        // The first colour stays free where nobody is called solo, so that a player's ships never wear it.
        let skip = usize::from(names.first() != Some(&solo));
        let colours = SIDES.iter().cycle().skip(skip);
        Palette(names.into_iter().map(str::to_owned).zip(colours.copied()).collect())
    }

    /// The colour of a side.
    pub(super) fn side(&self, side: &str) -> &'static str {
        self.0.get(side).copied().unwrap_or(SIDES[0])
    }

    /// All sides with their colours.
    pub(super) fn sides(&self) -> impl Iterator<Item = (&str, &'static str)> {
        self.0.iter().map(|(side, colour)| (side.as_str(), *colour))
    }
}

/// Fill and edge of a template by its maneuver's difficulty.
pub(super) const fn difficulty(difficulty: Difficulty) -> (&'static str, &'static str) {
    match difficulty {
        Difficulty::Blue => ("#9cc7f0", "#2b6cb0"),
        Difficulty::White => ("#ececec", "#6b7280"),
        Difficulty::Red => ("#f2a79e", "#b3261e"),
        Difficulty::Purple => ("#cdb4e8", "#6b3fa0"),
    }
}
