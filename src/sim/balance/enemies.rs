//! Enemy squads of a wanted strength, drawn by dice.

use std::ops::RangeInclusive;

use crate::{
    dice::DiceSource,
    xwing::{
        catalog::{Catalog, PilotFacts},
        size::Size,
        squad::{Squad, SquadShip},
    },
};

/// Draws for one squad; the one nearest to what is wanted is taken.
const DRAWS: usize = 200;
/// A draw this near to what is wanted is taken at once, as a share of it.
const NEAR: f64 = 0.02;
/// Ships of a squad cost between these shares of what one of them should, where there are such.
const ALIKE: (f64, f64) = (0.6, 1.6);

/// The pilots that enemy squads are made of: those of a faction that may fly any number of times, without upgrades.
#[derive(Debug, Clone, PartialEq)]
pub struct Pool {
    faction: String,
    /// Pilot, ship type and points, by points.
    pilots: Vec<(String, String, u32)>,
}

impl Pool {
    /// The pilots of a faction. `None` when the catalog has none with a price.
    pub fn of(faction: &str, catalog: &Catalog) -> Option<Pool> {
        let flies = |pilot: &&PilotFacts| {
            let ship = catalog.ship_of(&pilot.ship, &pilot.faction);
            pilot.faction == faction
                && pilot.limited == 0
                && pilot.standard_loadout.is_empty()
                && ship.is_some_and(|ship| {
                    ship.size != Size::Huge
                        && !ship.dial.maneuvers().is_empty()
                        && ship.stats.hull.is_some()
                        && ship.stats.agility.is_some()
                        && !ship.stats.weapons.is_empty()
                })
        };
        let priced = |pilot: &PilotFacts| {
            let points = u32::try_from(pilot.cost?).ok().filter(|points| *points > 0)?;
            Some((pilot.xws.clone(), pilot.ship.clone(), points))
        };
        let mut pilots: Vec<_> = catalog.pilots().iter().filter(flies).filter_map(priced).collect();
        pilots.sort_by(|a, b| (a.2, &a.0).cmp(&(b.2, &b.0)));
        (!pilots.is_empty()).then(|| Pool {
            faction: faction.to_owned(),
            pilots,
        })
    }

    /// The least and the most that one ship costs.
    pub fn prices(&self) -> (u32, u32) {
        let price = |pilot: Option<&(String, String, u32)>| pilot.map_or(1, |(.., points)| *points);
        (price(self.pilots.first()), price(self.pilots.last()))
    }

    /// A squad of about so many points and of such a number of ships.
    pub fn draw(
        &self,
        points: f64,
        ships: RangeInclusive<usize>,
        catalog: &Catalog,
        dice: &mut dyn DiceSource,
    ) -> Squad {
        let (cheapest, dearest) = self.prices();
        let mut best: Option<(f64, Vec<usize>)> = None;
        for _ in 0..DRAWS {
            // Numbers of ships that can cost about so much.
            let fits = |count: &usize| {
                let count = *count as f64;
                count * f64::from(cheapest) <= points * 1.02 && points * 0.98 <= count * f64::from(dearest)
            };
            let mut counts: Vec<usize> = ships.clone().filter(fits).collect();
            if counts.is_empty() {
                let few = points < f64::from(cheapest) * *ships.start() as f64;
                counts.push(if few { *ships.start() } else { *ships.end() });
            }
            let count = counts[dice.choose(counts.len())].max(1);
            let each = points / count as f64;
            let alike =
                |(.., price): &(String, String, u32)| (ALIKE.0 * each..=ALIKE.1 * each).contains(&f64::from(*price));
            let mut among: Vec<usize> = (0..self.pilots.len())
                .filter(|&place| alike(&self.pilots[place]))
                .collect();
            if among.is_empty() {
                // Beyond all prices: the cheapest, or the dearest.
                among.push(if each < f64::from(cheapest) {
                    0
                } else {
                    self.pilots.len() - 1
                });
            }
            let drawn: Vec<usize> = (0..count).map(|_| among[dice.choose(among.len())]).collect();
            let sum: u32 = drawn.iter().map(|&place| self.pilots[place].2).sum();
            let off = (f64::from(sum) - points).abs();
            if best.as_ref().is_none_or(|(least, _)| off < *least) {
                best = Some((off, drawn));
            }
            if off <= NEAR * points {
                break;
            }
        }
        let drawn = best.map(|(_, drawn)| drawn).unwrap_or_default();
        let ships = drawn.into_iter().enumerate().map(|(index, place)| {
            let (pilot, ship, _) = &self.pilots[place];
            SquadShip {
                place: format!("pilots[{index}]"),
                pilot: catalog.pilot(pilot).map(|pilot| pilot.xws.clone()),
                ship: ship.clone(),
                upgrades: Vec::new(),
                threat: None,
            }
        });
        Squad {
            faction: self.faction.clone(),
            ships: ships.collect(),
            ..Squad::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::SeededDice;

    #[test]
    fn squads_cost_about_what_is_wanted() {
        let catalog = Catalog::embedded();
        let factions = [
            "rebelalliance",
            "galacticempire",
            "scumandvillainy",
            "resistance",
            "firstorder",
            "galacticrepublic",
            "separatistalliance",
        ];
        for faction in factions {
            let pool = Pool::of(faction, catalog).unwrap();
            let mut dice = SeededDice::new(3);
            let mut off = 0.0;
            for step in 0..40 {
                let wanted = 150.0 + f64::from(step) * 3.0;
                let squad = pool.draw(wanted, 5..=6, catalog, &mut dice);
                assert!((5..=6).contains(&squad.ships.len()), "{faction}");
                assert!(
                    crate::xwing::squad::check::legal(&squad, catalog).is_empty(),
                    "{faction}"
                );
                off += (f64::from(squad.points(catalog).unwrap()) - wanted).abs() / wanted / 40.0;
            }
            assert!(off < 0.05, "{faction}: {off}");
        }
        assert_eq!(Pool::of("nobody", catalog), None);
    }
}
