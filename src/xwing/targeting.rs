//! Whether a ship may attack, whom, and at which range.

use std::fmt;

use super::{
    ObjectId,
    measure::{self, Arc, Object},
    obstacle::ObstacleKind,
    ship::Ship,
    table::Table,
    weapon::{Requirement, Weapon},
};
use crate::geometry::CONTACT_MM;

/// Why a ship does not attack at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Blocked {
    /// It has a disarm token.
    Disarmed,
    /// It is cloaked.
    Cloaked,
    /// It is at range 0 of an asteroid.
    Asteroid(ObjectId),
}

impl fmt::Display for Blocked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Blocked::Disarmed => f.write_str("it is disarmed"),
            Blocked::Cloaked => f.write_str("it is cloaked"),
            Blocked::Asteroid(id) => write!(f, "it is on the asteroid {id}"),
        }
    }
}

/// An attack that a weapon can make now.
#[derive(Debug, Clone, PartialEq)]
pub struct LegalTarget {
    /// The defender.
    pub id: ObjectId,
    /// The arc that it is attacked in.
    pub arc: Arc,
    /// Attack range, measured inside that arc.
    pub range: u32,
    /// The same in mm.
    pub distance_mm: f64,
    /// Base to base, mm: what "nearest" means (SA-0).
    pub nearest_mm: f64,
}

/// Whether a ship may attack another with a weapon, and at which range; of several arcs the one with the shortest way.
///
/// Not at range 0, unless the card's range begins there.
pub fn legal_target(ship: &Ship, weapon: &Weapon, target: &Ship) -> Option<LegalTarget> {
    if let Some(special) = &weapon.special {
        let fulfilled = |requirement: &Requirement| match requirement {
            Requirement::Lock => ship.locks.contains(&target.id),
            Requirement::Focus => ship.tokens.focus > 0,
            Requirement::Calculate => ship.tokens.calculate > 0,
        };
        let met = special.requires.is_empty() || special.requires.iter().any(fulfilled);
        if !met || !weapon.has_charge() {
            return None;
        }
    }
    let nearest_mm = measure::ship_distance(ship, target);
    let object = Object::Ship(target);
    measure::weapon_arcs(weapon, &ship.turret)
        .filter_map(|arc| {
            let inside = measure::distance_in_arc(ship.size, ship.pose, arc, &object)?;
            // Ships in contact are at range 0 of each other, wherever in the arc the rest of the base is.
            let distance_mm = if nearest_mm <= CONTACT_MM { 0.0 } else { inside };
            let range = measure::range(distance_mm)?;
            (weapon.min_range..=weapon.max_range)
                .contains(&range)
                .then(|| LegalTarget {
                    id: target.id.clone(),
                    arc,
                    range,
                    distance_mm,
                    nearest_mm,
                })
        })
        .min_by(|a, b| a.distance_mm.total_cmp(&b.distance_mm))
}

/// All that keeps a ship from attacking (SA-7: a disarm token, an asteroid under the base).
pub fn blocked(table: &Table, ship: &Ship) -> Vec<Blocked> {
    let mut blocked = Vec::new();
    if ship.tokens.disarm > 0 {
        blocked.push(Blocked::Disarmed);
    }
    if ship.tokens.cloak > 0 {
        blocked.push(Blocked::Cloaked);
    }
    let rocks = table.obstacles.iter().filter(|obstacle| {
        obstacle.kind == ObstacleKind::Asteroid
            && measure::distance(ship.size, ship.pose, &Object::Obstacle(obstacle)) <= CONTACT_MM
    });
    blocked.extend(rocks.map(|rock| Blocked::Asteroid(rock.id.clone())));
    blocked
}
