//! Who is in whose firing arcs (SA-8).

use crate::xwing::{
    edition::Rules,
    measure::{self, Arc, Object},
    ship::Ship,
    size::Size,
    weapon::Weapon,
};

/// SA-8 *in a firing arc*: in any arc of any weapon, the part inside the arc at range 0-3.
pub(in crate::solo_alpha) fn covers(shooter: &Ship, target: &Object) -> bool {
    let Object::Ship(other) = target else {
        return false;
    };
    // No corner is farther out than the diagonal, so most pairs need no exact distance.
    let reach = 301.0 + circumradius(shooter.size) + circumradius(other.size);
    if shooter.pose.position.distance(other.pose.position) > reach {
        return false;
    }
    let mut seen: u8 = 0;
    for weapon in &shooter.weapons {
        for arc in measure::weapon_arcs(weapon.arc, &shooter.turret) {
            let reach = reach_of(weapon, arc);
            let bit = 1 << arc as u8;
            if seen & bit == 0 {
                // What reaches less far than its arc may be followed by another weapon that reaches farther.
                seen |= if reach == 3 { bit } else { 0 };
                let inside = measure::distance_in_arc(shooter.print(), shooter.pose, arc, target);
                if inside.and_then(measure::range).is_some_and(|range| range <= reach) {
                    return true;
                }
            }
        }
    }
    false
}

/// How far a weapon's arc counts as a firing arc: a printed one to range 3, whatever the weapon. FE-SOLO-8: of what fires
/// all round no arc is printed, so its reach is the arc.
fn reach_of(weapon: &Weapon, arc: Arc) -> u32 {
    match arc {
        Arc::AllRound => weapon.max_range.min(3),
        _ => 3,
    }
}

fn circumradius(size: Size) -> f64 {
    (size.base_mm() + size.length_mm()) / 2.0
}

/// Whether a target is in a weapon's arc and range, measured inside the arc (SA-9). FE-SOLO-1: where contact is range 1 a ship
/// in contact is in reach of what fires at range 1.
pub(super) fn reaches(rules: &Rules, ship: &Ship, weapon: &Weapon, target: &Object) -> bool {
    measure::weapon_arcs(weapon.arc, &ship.turret).any(|arc| {
        measure::distance_in_arc(ship.print(), ship.pose, arc, target)
            .and_then(|mm| rules.range(mm))
            .is_some_and(|range| (weapon.min_range..=weapon.max_range).contains(&range))
    })
}
