//! Whether a ship may attack, whom, and at which range.

use std::{cell::LazyCell, fmt};

use super::{
    ObjectId, base,
    edition::{Contact, ObstacleMet, Rules},
    measure::{self, Arc, Stance},
    obstacle::{Obstacle, ObstacleKind},
    ship::Ship,
    size::Size,
    table::Table,
    weapon::{Requirement, Weapon, WeaponArc, WhileDisarmed},
};
use crate::geometry::{CONTACT_MM, polygon};

/// Why a ship does not attack at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Blocked {
    /// It has a disarm token.
    Disarmed,
    /// It is cloaked.
    Cloaked,
    /// It is at range 0 of an asteroid (SA-7), or its base lies on one (FE-8.2).
    Asteroid(ObjectId),
    /// A card keeps it from attacking.
    Card,
}

impl fmt::Display for Blocked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Blocked::Disarmed => f.write_str("it is disarmed"),
            Blocked::Cloaked => f.write_str("it is cloaked"),
            Blocked::Asteroid(id) => write!(f, "it is on the asteroid {id}"),
            Blocked::Card => f.write_str("a card keeps it from attacking"),
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
/// Not at range 0, unless the card's range begins there (SA-9); where contact is range 1, not a ship that it touches
/// (FE-8.2).
pub fn legal_target(rules: &Rules, ship: &Ship, weapon: &Weapon, target: &Ship) -> Option<LegalTarget> {
    legal_target_from(rules, &Stance::of(ship), weapon, &Stance::of(target))
}

/// As [`legal_target`], for ships where they stand or would stand.
pub fn legal_target_from(rules: &Rules, from: &Stance<'_>, weapon: &Weapon, to: &Stance<'_>) -> Option<LegalTarget> {
    match is_out_of_range(from, to) {
        true => None,
        false => legal_target_in_reach(rules, from, weapon, to),
    }
}

/// As [`legal_target_from`], for ships that are not known to be out of range ([`is_out_of_range`]).
pub fn legal_target_in_reach(
    rules: &Rules,
    from: &Stance<'_>,
    weapon: &Weapon,
    to: &Stance<'_>,
) -> Option<LegalTarget> {
    let (ship, target) = (from.ship, to.ship);
    if from.touches(to, rules.contact) {
        return None;
    }
    let disarm = ship.tokens.disarm;
    if disarm > 0 && fires_although_disarmed(ship) {
        let locked = || ship.locks.contains(&target.id);
        let permits = weapon.special.as_ref().map(|special| special.permits.disarmed);
        if !weapon.fires_disarmed(disarm) || (permits == Some(WhileDisarmed::OneTokenAtLocked) && !locked()) {
            return None;
        }
    }
    if let Some(special) = &weapon.special {
        let fulfilled = |requirement: &Requirement| match requirement {
            Requirement::Lock => ship.locks.contains(&target.id),
            Requirement::Focus => ship.tokens.focus > 0,
            Requirement::Calculate => ship.tokens.calculate > 0,
        };
        let met = special.requires.is_empty()
            || special.requires.iter().any(fulfilled)
            || special.permits.waived.contains(&target.id);
        if !met || !weapon.has_charge() {
            return None;
        }
    }
    let apart = LazyCell::new(|| from.apart(to));
    let bumped = from.has_bumped(to);
    let nearest = || if bumped { 0.0 } else { *apart };
    let mut best: Option<(f64, Arc, u32)> = None;
    let mut look = |arc: WeaponArc, least: u32, most: u32| {
        for arc in measure::weapon_arcs(arc, &ship.turret) {
            // Most ships are in no arc of a weapon, which is told sooner than how far away they are.
            let Some(inside) = from.distance_in_arc(arc, to, || *apart) else {
                continue;
            };
            // Ships in contact are at range 0 of each other, wherever in the arc the rest of the base is. Without a range 0
            // the part in the arc is measured to like any other (FE-8.4).
            let at_range_0 = rules.contact == Contact::RangeZero && nearest() <= CONTACT_MM;
            let distance_mm = if at_range_0 { 0.0 } else { inside };
            let range = rules
                .attack_range(ship.size, distance_mm)
                .filter(|range| (least..=most).contains(range));
            if let Some(range) = range
                && best.is_none_or(|(shortest, ..)| distance_mm < shortest)
            {
                best = Some((distance_mm, arc, range));
            }
        }
    };
    let open = weapon.special.is_none() && target.open_at_range_0;
    let least = if open { 0 } else { weapon.min_range };
    look(weapon.arc, least, weapon.max_range);
    for other in weapon.special.iter().flat_map(|special| &special.permits.also) {
        look(other.arc, other.min_range, other.max_range);
    }
    let (distance_mm, arc, range) = best?;
    Some(LegalTarget {
        id: target.id.clone(),
        arc,
        range,
        distance_mm,
        nearest_mm: nearest(),
    })
}

/// Whether two ships are so far from each other that no weapon reaches, by as much as circles around their bases tell.
pub fn is_out_of_range(from: &Stance<'_>, to: &Stance<'_>) -> bool {
    // Range 3 ends at 300 mm, range 5 at 500 (FE-0.3). The rest is far more than any rounding.
    let reach_mm = if from.ship.size == Size::Huge { 501.0 } else { 301.0 };
    from.is_surely_beyond(to, reach_mm)
}

/// Whether a card lets a disarmed ship fire any of its weapons now.
fn fires_although_disarmed(ship: &Ship) -> bool {
    let disarm = ship.tokens.disarm;
    ship.weapons.iter().any(|weapon| weapon.fires_disarmed(disarm))
}

/// All that keeps a ship from attacking (SA-7, FE-7.4, FE-8.2): a disarm token, a cloak token, an asteroid under the base.
pub fn blocked(table: &Table, ship: &Ship) -> Vec<Blocked> {
    let mut blocked = Vec::new();
    if ship.tokens.disarm > 0 && !fires_although_disarmed(ship) {
        blocked.push(Blocked::Disarmed);
    }
    if ship.tokens.cloak > 0 {
        blocked.push(Blocked::Cloaked);
    }
    if ship.standing.cannot_attack {
        blocked.push(Blocked::Card);
    }
    let base = base::base(ship.size, ship.pose).corners();
    let holds_fire = |obstacle: &Obstacle| {
        let asteroid = obstacle.kind == ObstacleKind::Asteroid;
        match table.rules.obstacle_met {
            ObstacleMet::Second => asteroid && polygon::within(&base, &obstacle.outline, CONTACT_MM),
            ObstacleMet::First => asteroid && polygon::intersect(&base, &obstacle.outline),
            ObstacleMet::Rulebook2012 => polygon::intersect(&base, &obstacle.outline),
        }
    };
    let rocks = (table.obstacles.iter()).filter(|obstacle| !ship.fires_on_obstacles && holds_fire(obstacle));
    blocked.extend(rocks.map(|rock| Blocked::Asteroid(rock.id.clone())));
    blocked
}
