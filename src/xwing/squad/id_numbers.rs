//! FE-1.5: ID numbers, which tell ships apart that look alike.

use std::collections::BTreeMap;

use super::Squad;
use crate::xwing::catalog::Catalog;

/// The number of each ship of a squad, in the squad's order: copies of a ship with the same pilot are numbered from 1. In a
/// mirror match (both sides fly for one faction) every ship has a number.
pub fn id_numbers(squad: &Squad, mirror_match: bool) -> Vec<Option<u32>> {
    let kind = |ship: &super::SquadShip| (ship.ship.clone(), ship.pilot.clone());
    let mut counts: BTreeMap<_, u32> = BTreeMap::new();
    for ship in &squad.ships {
        *counts.entry(kind(ship)).or_default() += 1;
    }
    let mut given: BTreeMap<_, u32> = BTreeMap::new();
    let numbers = squad.ships.iter().map(|ship| {
        let number = given.entry(kind(ship)).or_default();
        *number += 1;
        (mirror_match || counts[&kind(ship)] > 1).then_some(*number)
    });
    numbers.collect()
}

/// Whether two squads make a mirror match: they fly for one faction, or for two that fly together (FE-1.2).
pub fn is_mirror_match(one: &Squad, other: &Squad, catalog: &Catalog) -> bool {
    catalog
        .edition()
        .rules()
        .factions
        .fly_together(&one.faction, &other.faction)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xwing::{edition::Edition, squad::SquadShip};

    fn squad(faction: &str, pilots: &[&str]) -> Squad {
        let ship = |pilot: &&str| SquadShip {
            place: String::new(),
            pilot: Some((*pilot).to_owned()),
            ship: "tiefighter".to_owned(),
            upgrades: Vec::new(),
            threat: None,
        };
        Squad {
            faction: faction.to_owned(),
            ships: pilots.iter().map(ship).collect(),
            ..Squad::default()
        }
    }

    #[test]
    fn fe_1_5_copies_are_numbered_and_in_a_mirror_match_all_ships() {
        let swarm = squad("galacticempire", &["academypilot", "howlrunner", "academypilot"]);
        assert_eq!(id_numbers(&swarm, false), [Some(1), None, Some(2)]);
        assert_eq!(id_numbers(&swarm, true), [Some(1), Some(1), Some(2)]);
        let catalog = Catalog::embedded_for(Edition::First);
        assert!(is_mirror_match(&swarm, &squad("firstorder", &[]), catalog));
        assert!(!is_mirror_match(&swarm, &squad("rebelalliance", &[]), catalog));
        assert!(!is_mirror_match(&swarm, &squad("firstorder", &[]), Catalog::embedded()));
    }
}
