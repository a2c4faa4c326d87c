//! Squads as players bring them: lists of pilots and upgrades from a builder, what they cost, and whether they obey the
//! rules of squad building (SA-13, FE-1).
//!
//! [`xws::read`] takes the interchange format of the squad builders, leniently; [`quick_build`] puts squads of Quick Build
//! cards together; [`check`] has the rules, [`initiative`] what follows from two squads' points, [`id_numbers`] the numbers of
//! ships that look alike.

use super::catalog::{
    Catalog, PilotFacts, Resolved, UpgradeFacts,
    facts::{Cost, Grant},
};

pub mod check;
pub mod id_numbers;
pub mod initiative;
pub mod quick_build;
pub mod xws;

/// A squad.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Squad {
    /// What its owner calls it; may be empty.
    pub name: String,
    /// xws id of the faction; empty if the file names none.
    pub faction: String,
    /// Its ships, in the file's order.
    pub ships: Vec<SquadShip>,
    /// Ids of the obstacles that it brings.
    pub obstacles: Vec<String>,
    /// What was not understood or was filled in.
    pub notes: Vec<String>,
}

/// A ship of a squad. Its pilot and its upgrades are ids that the catalog knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SquadShip {
    /// Where it stands in the file, as in `pilots[2]`.
    pub place: String,
    /// xws id of the pilot; `None` if the catalog knows only the ship.
    pub pilot: Option<String>,
    /// xws id of the ship type.
    pub ship: String,
    /// xws ids of its upgrades, those of a standard loadout first.
    pub upgrades: Vec<String>,
    /// Its Threat, if it flies by a Quick Build card and that is known. Of a card that fields several ships, the first has
    /// the Threat of the card and the others have 0.
    pub threat: Option<u32>,
}

impl SquadShip {
    /// Its pilot's facts.
    pub fn pilot<'c>(&self, catalog: &'c Catalog) -> Option<&'c PilotFacts> {
        catalog.pilot(self.pilot.as_deref()?)
    }

    /// The upgrades that are not part of the pilot's card.
    pub fn bought<'c>(&self, catalog: &'c Catalog) -> Vec<&'c UpgradeFacts> {
        let own = self.pilot(catalog).map_or(&[][..], |pilot| &pilot.standard_loadout);
        let bought = self.upgrades.iter().filter(|upgrade| !own.contains(upgrade));
        bought.filter_map(|upgrade| catalog.upgrade(upgrade)).collect()
    }

    /// Its points by the catalog: pilot and bought upgrades, which others of its upgrades may make cheaper. `None` where the
    /// catalog has no price.
    pub fn points(&self, catalog: &Catalog) -> Option<i32> {
        let pilot = self.pilot(catalog)?;
        let bought = self.bought(catalog);
        let grants = bought
            .iter()
            .filter_map(|upgrade| upgrade.sides.first())
            .flat_map(|side| &side.grants);
        let discounts: Vec<(&str, i32)> = grants
            .filter_map(|grant| match grant {
                Grant::Discount { slot, amount } => Some((slot.as_str(), *amount)),
                _ => None,
            })
            .collect();
        let price = |upgrade: &UpgradeFacts| {
            let price = price(catalog, upgrade, pilot)?;
            let kind = upgrade.sides.first().map_or("", |side| side.kind());
            let off = discounts.iter().filter(|(slot, _)| slot.is_empty() || *slot == kind);
            let off: i32 = off.map(|(_, amount)| amount).sum();
            // What costs nothing, or less, stays as it is.
            Some(price.min((price - off).max(0)))
        };
        (bought.iter()).try_fold(pilot.cost?, |sum, upgrade| Some(sum + price(upgrade)?))
    }

    /// Its parts, put together for the table; `None` if the catalog knows neither pilot nor ship.
    pub fn resolve(&self, catalog: &Catalog) -> Option<Resolved> {
        catalog.resolve(&self.ship, self.pilot.as_deref(), &self.upgrades).ok()
    }
}

/// What an upgrade costs on a pilot's ship.
fn price(catalog: &Catalog, upgrade: &UpgradeFacts, pilot: &PilotFacts) -> Option<i32> {
    match upgrade.cost.as_ref()? {
        Cost::Fixed(points) => Some(*points),
        Cost::Variable { by, values } => {
            let ship = catalog.ship_of(&pilot.ship, &pilot.faction)?;
            let agility = pilot.stats.as_ref().map_or(ship.stats.agility, |stats| stats.agility);
            let key = match by.as_str() {
                "initiative" => pilot.initiative.to_string(),
                "agility" => agility?.to_string(),
                "size" => format!("{:?}", ship.size),
                _ => return None,
            };
            let same = |(known, points): (&String, &i32)| known.eq_ignore_ascii_case(&key).then_some(*points);
            values.iter().find_map(same)
        }
    }
}

impl Squad {
    /// Points of all ships; `None` where one has no price.
    pub fn points(&self, catalog: &Catalog) -> Option<i32> {
        self.ships.iter().map(|ship| ship.points(catalog)).sum()
    }

    /// Threat of all ships, if each has it.
    pub fn threat(&self) -> Option<u32> {
        match self.ships.is_empty() {
            true => None,
            false => self.ships.iter().map(|ship| ship.threat).sum(),
        }
    }
}
