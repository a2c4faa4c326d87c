//! Who is in whose firing arcs (SA-8).

use crate::xwing::{
    measure::{self, Object},
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
    for arc in shooter
        .weapons
        .iter()
        .flat_map(|weapon| measure::weapon_arcs(weapon.arc, &shooter.turret))
    {
        let bit = 1 << arc as u8;
        if seen & bit == 0 {
            seen |= bit;
            let inside = measure::distance_in_arc(shooter.print(), shooter.pose, arc, target);
            if inside.is_some_and(|mm| measure::range(mm).is_some()) {
                return true;
            }
        }
    }
    false
}

fn circumradius(size: Size) -> f64 {
    (size.base_mm() + size.length_mm()) / 2.0
}

/// Whether a target is in a weapon's arc and range, measured inside the arc (SA-9).
pub(super) fn reaches(ship: &Ship, weapon: &Weapon, target: &Object) -> bool {
    measure::weapon_arcs(weapon.arc, &ship.turret).any(|arc| {
        measure::distance_in_arc(ship.print(), ship.pose, arc, target)
            .and_then(measure::range)
            .is_some_and(|range| (weapon.min_range..=weapon.max_range).contains(&range))
    })
}
