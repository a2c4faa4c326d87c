//! Squads drawn by the dice, anew for each game: any pilots of one side of the war with any of the weapons and bombs that
//! their slots take, for so many points.

use std::collections::BTreeSet;

use super::squad::{MOST_SHIPS, Member, member};
use crate::{
    dice::DiceSource,
    xwing::{
        catalog::{
            Catalog, PilotFacts, UpgradeFacts,
            facts::{Cost, SideFacts},
        },
        squad::SquadShip,
    },
};

/// Slots whose cards are weapons or bombs: what cards of them do is known from their facts.
const ARMAMENTS: [&str; 5] = ["Torpedo", "Missile", "Cannon", "Turret", "Bomb"];

/// What squads are drawn from.
#[derive(Debug, Clone)]
pub struct Pool {
    /// Points of a squad.
    points: u32,
    /// Pilots that can be flown and have a price, by what squads are of.
    sides: Vec<Vec<(PilotFacts, u32)>>,
    /// Weapons and bombs with a price of their own and no restriction.
    armaments: Vec<(UpgradeFacts, u32)>,
}

impl Pool {
    /// All of a catalog for squads of so many points. `None` if nobody is so cheap.
    pub fn of(catalog: &Catalog, points: u32) -> Option<Pool> {
        let flyable = |pilot: &&PilotFacts| {
            let card = SquadShip {
                place: String::new(),
                pilot: Some(pilot.xws.clone()),
                ship: pilot.ship.clone(),
                upgrades: Vec::new(),
                threat: None,
            };
            let price = card.points(catalog).and_then(|price| u32::try_from(price).ok())?;
            let resolved = card.resolve(catalog)?;
            let flies = member(resolved, i32::try_from(price).ok(), catalog).is_ok() && (1..=points).contains(&price);
            flies.then(|| (PilotFacts::clone(pilot), price))
        };
        let mut sides: Vec<Vec<(PilotFacts, u32)>> = Vec::new();
        for factions in sides_of(catalog) {
            let of_side = |pilot: &&PilotFacts| factions.contains(&pilot.faction.as_str());
            let pilots = catalog.pilots().iter().filter(of_side);
            sides.push(pilots.filter_map(|pilot| flyable(&pilot)).collect());
        }
        sides.retain(|pilots| !pilots.is_empty());
        let armed = |upgrade: &&UpgradeFacts| {
            let one_slot =
                |side: &SideFacts| matches!(side.slots.as_slice(), [slot] if ARMAMENTS.contains(&slot.as_str()));
            upgrade.restrictions.is_empty()
                && upgrade.limited == 0
                && matches!(upgrade.sides.as_slice(), [side] if one_slot(side))
        };
        let armaments = catalog.upgrades().iter().filter(armed);
        let armaments = armaments.filter_map(|upgrade| match upgrade.cost {
            Some(Cost::Fixed(price)) => Some((upgrade.clone(), u32::try_from(price).ok()?)),
            _ => None,
        });
        (!sides.is_empty()).then(|| Pool {
            points,
            armaments: armaments.collect(),
            sides,
        })
    }

    /// The points of a squad.
    pub fn points(&self) -> u32 {
        self.points
    }

    /// A squad.
    pub fn draw(&self, catalog: &Catalog, dice: &mut dyn DiceSource) -> Vec<Member> {
        let side = &self.sides[pick(self.sides.len(), dice)];
        let mut left = self.points;
        let (mut squad, mut unique) = (Vec::new(), BTreeSet::new());
        while squad.len() < MOST_SHIPS {
            let may = |(pilot, price): &&(PilotFacts, u32)| {
                *price <= left && !(pilot.limited > 0 && unique.contains(&pilot.name))
            };
            let affordable: Vec<&(PilotFacts, u32)> = side.iter().filter(may).collect();
            if affordable.is_empty() {
                break;
            }
            let (pilot, price) = affordable[pick(affordable.len(), dice)];
            let mut spent = *price;
            let mut upgrades: Vec<String> = Vec::new();
            for slot in pilot.slots.iter().filter(|slot| ARMAMENTS.contains(&slot.as_str())) {
                let fits = |(upgrade, price): &&(UpgradeFacts, u32)| {
                    let slots = &upgrade.sides[0].slots;
                    slots[0] == *slot && spent + price <= left && !upgrades.contains(&upgrade.xws)
                };
                let fitting: Vec<&(UpgradeFacts, u32)> = self.armaments.iter().filter(fits).collect();
                // Half of the slots stay empty.
                let empty = dice.choose(2) == 0 || fitting.is_empty();
                if !empty {
                    let (upgrade, price) = fitting[pick(fitting.len(), dice)];
                    spent += price;
                    upgrades.push(upgrade.xws.clone());
                }
            }
            let card = SquadShip {
                place: String::new(),
                pilot: Some(pilot.xws.clone()),
                ship: pilot.ship.clone(),
                upgrades,
                threat: None,
            };
            // Weapons of which the data has no value are left out (FE-SOLO-9), and so is a ship that cannot be made.
            if let Some(Ok(member)) = card
                .resolve(catalog)
                .map(|resolved| member(resolved, i32::try_from(spent).ok(), catalog))
            {
                squad.push(member);
            }
            unique.insert(pilot.name.clone());
            left -= spent;
        }
        squad
    }
}

/// The factions whose ships fly together: in the first edition Rebel with Resistance, Imperial with First Order (FE-1.2).
fn sides_of(catalog: &Catalog) -> Vec<Vec<&str>> {
    let factions = catalog.edition().rules().factions;
    let all: BTreeSet<&str> = catalog.pilots().iter().map(|pilot| &*pilot.faction).collect();
    let primary: BTreeSet<&str> = all.iter().map(|faction| factions.primary(faction)).collect();
    let of = |side: &&str| {
        all.iter()
            .copied()
            .filter(|faction| factions.primary(faction) == *side)
            .collect()
    };
    primary.iter().map(of).collect()
}

fn pick(count: usize, dice: &mut dyn DiceSource) -> usize {
    dice.choose(count).min(count - 1)
}
