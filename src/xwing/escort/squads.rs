//! What a squad may bring to the scenario, and the upgrades of the shuttle (PE-2).

use super::facts::EscortFacts;
use crate::xwing::{
    catalog::{
        Catalog, UpgradeFacts,
        facts::{Cost, Grant, Restriction},
    },
    size::Size,
    squad::{
        Squad, SquadShip,
        check::{self, Problem},
    },
};

/// Where the shuttle's upgrades stand in messages.
pub const SHUTTLE_PLACE: &str = "shuttle";

/// A squad for both roles (PE-2.1): its ships, and what the shuttle carries when its owner defends.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EscortSquad {
    /// The ships.
    pub squad: Squad,
    /// Ids of the shuttle's upgrades. They never move to another ship (PE-10.6).
    pub shuttle: Vec<String>,
}

/// What was found about a squad.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Review {
    /// Rules that it breaks.
    pub problems: Vec<Problem>,
    /// What its player ought to know: abilities that are blank, upgrades that do nothing.
    pub notes: Vec<String>,
    /// Its points with the shuttle's upgrades, in both games (PE-2.2); `None` where a price is not known.
    pub points: Option<i32>,
}

/// The points of an upgrade on the shuttle, a large ship.
fn price(upgrade: &UpgradeFacts) -> Option<i32> {
    match upgrade.cost.as_ref()? {
        Cost::Fixed(points) => Some(*points),
        Cost::Variable { by, values } => {
            let key = match by.as_str() {
                "agility" => EscortFacts::embedded().shuttle.agility.to_string(),
                "initiative" => EscortFacts::embedded().shuttle.skill.to_string(),
                "size" => "large".to_owned(),
                _ => return None,
            };
            let mut values = values.iter();
            values.find_map(|(known, points)| known.eq_ignore_ascii_case(&key).then_some(*points))
        }
    }
}

impl EscortSquad {
    /// What the shuttle's upgrades cost (PE-8.2); `None` where a price is not known.
    pub fn shuttle_points(&self, catalog: &Catalog) -> Option<i32> {
        (self.shuttle.iter())
            .map(|xws| catalog.upgrade(xws).and_then(price))
            .sum()
    }

    /// All points, the same in both games (PE-2.1, PE-2.2); `None` where a price is not known.
    pub fn points(&self, catalog: &Catalog) -> Option<i32> {
        Some(self.squad.points(catalog)? + self.shuttle_points(catalog)?)
    }

    /// Checks the squad by the rules of squad building (FE-1) and by the scenario's own (PE-2).
    pub fn review(&self, catalog: &Catalog) -> Review {
        let facts = &EscortFacts::embedded().squads;
        // PE-2.2: the names of the shuttle's upgrades count as those of any other ship.
        let mut whole = self.squad.clone();
        whole.ships.push(SquadShip {
            place: SHUTTLE_PLACE.to_owned(),
            pilot: None,
            ship: EscortFacts::embedded().shuttle.chassis.clone(),
            upgrades: self.shuttle.clone(),
            threat: None,
        });
        let mut review = Review {
            problems: check::legal(&whole, catalog),
            points: self.points(catalog),
            ..Review::default()
        };
        if self.squad.ships.is_empty() {
            review.wrong("squad", "has no ship; add at least one".to_owned());
        }
        for ship in &whole.ships {
            self.banned(ship, facts.banned.as_slice(), catalog, &mut review);
            let blank = ship
                .pilot
                .as_ref()
                .filter(|pilot| facts.without_ability.contains(pilot));
            if let Some(pilot) = blank {
                let name = ship.pilot(catalog).map_or(pilot.as_str(), |pilot| &pilot.name);
                review.notes.push(format!("{name} flies without ability (PE-2.4)"));
            }
        }
        self.shuttle_slots(catalog, &mut review);
        match review.points {
            Some(points) if points > facts.points => review.wrong(
                "squad",
                format!(
                    "has {points} points with the shuttle's upgrades, {} are allowed (PE-2.1); take {} out",
                    facts.points,
                    points - facts.points
                ),
            ),
            Some(_) => {}
            None => review.notes.push(
                "the price of a card is not known, so the total is not checked (PE-2.1); add it up by hand".to_owned(),
            ),
        }
        review
    }

    /// PE-2.3: huge ships, upgrades for huge ships only, and those of the list.
    fn banned(&self, ship: &SquadShip, list: &[String], catalog: &Catalog, review: &mut Review) {
        let size = ship
            .pilot(catalog)
            .and_then(|pilot| catalog.ship_of(&pilot.ship, &pilot.faction));
        let size = size.or_else(|| catalog.ship(&ship.ship)).map(|facts| facts.size);
        if size == Some(Size::Huge) {
            review.wrong(
                &ship.place,
                format!(
                    "`{}` is huge, which is not allowed here (PE-2.3); take it out",
                    ship.ship
                ),
            );
        }
        for xws in &ship.upgrades {
            let upgrade = catalog.upgrade(xws);
            let huge_only = upgrade.is_some_and(|upgrade| {
                let mut entries = upgrade.restrictions.iter();
                entries.any(|entry| !entry.sizes.is_empty() && entry.sizes.iter().all(|size| *size == Size::Huge))
            });
            if list.contains(xws) || huge_only {
                let name = upgrade.map_or(xws.as_str(), |upgrade| &upgrade.name);
                review.wrong(
                    &ship.place,
                    format!("{name} is not allowed in this scenario (PE-2.3); take it out"),
                );
            }
        }
    }

    /// PE-1: two crew and a modification, of its faction, as on a large ship.
    fn shuttle_slots(&self, catalog: &Catalog, review: &mut Review) {
        let facts = &EscortFacts::embedded().shuttle;
        let (mut crew, mut modifications) = (0, 0);
        for xws in &self.shuttle {
            let Some(upgrade) = catalog.upgrade(xws) else {
                review.wrong(
                    SHUTTLE_PLACE,
                    format!("`{xws}` is not in the catalog; write the id of an upgrade"),
                );
                continue;
            };
            match upgrade.sides.first().map_or("", |side| side.kind()) {
                kind if kind.eq_ignore_ascii_case("crew") => crew += upgrade.sides[0].slots.len().max(1),
                kind if kind.eq_ignore_ascii_case("modification") => modifications += 1,
                kind => review.wrong(
                    SHUTTLE_PLACE,
                    format!(
                        "{} is no crew and no modification but {kind}, for which the shuttle has no slot (PE-1); take \
                         it out",
                        upgrade.name
                    ),
                ),
            }
            for entry in &upgrade.restrictions {
                if !self.allows(entry) {
                    review.wrong(
                        SHUTTLE_PLACE,
                        format!(
                            "{} is not for a large ship of this faction (PE-1); take it out",
                            upgrade.name
                        ),
                    );
                }
            }
            // PE-2.5
            let adds_action = upgrade
                .sides
                .iter()
                .flat_map(|side| &side.grants)
                .any(|grant| matches!(grant, Grant::Action(_)));
            if adds_action || upgrade.action {
                review.notes.push(format!(
                    "{} {} an action, which the shuttle cannot perform (PE-2.5)",
                    upgrade.name,
                    if adds_action { "adds" } else { "has" }
                ));
            }
        }
        for (have, most, what) in [
            (crew, facts.crew, "crew"),
            (modifications, facts.modifications, "modification"),
        ] {
            if have > most {
                review.wrong(
                    SHUTTLE_PLACE,
                    format!(
                        "has {have} {what} upgrades, its slots take {most} (PE-1); take {} out",
                        have - most
                    ),
                );
            }
        }
    }

    /// Whether the shuttle meets an entry of an upgrade's restrictions. An entry is judged if all its facts are known.
    fn allows(&self, entry: &Restriction) -> bool {
        let judged = Restriction {
            factions: entry.factions.clone(),
            ships: entry.ships.clone(),
            sizes: entry.sizes.clone(),
            ..Restriction::default()
        };
        *entry != judged
            || judged == Restriction::default()
            || entry.factions.contains(&self.squad.faction)
            || entry.sizes.contains(&Size::Large)
    }
}

impl Review {
    fn wrong(&mut self, place: &str, message: String) {
        self.problems.push(Problem {
            place: place.to_owned(),
            message,
        });
    }
}
