//! The shuttle (PE-1): a ship that cannot attack and cannot act, and is large in every effect.

use std::sync::Arc;

use super::{EscortOptions, ShuttleBase, facts::EscortFacts};
use crate::{
    geometry::Pose,
    xwing::{
        ObjectId,
        edition::Edition,
        maneuver::{Bearing, Difficulty, Maneuver, Side},
        ship::{Ship, Standing, Tokens},
        size::Size,
    },
};

/// The id that the program gives the shuttle.
pub const SHUTTLE_ID: &str = "shuttle";

/// The 2 straight, green (PE-1).
pub const STRAIGHT: Maneuver = Maneuver {
    speed: 2,
    bearing: Bearing::Straight,
    difficulty: Difficulty::Blue,
};

/// The white 1 bank to a side (PE-1).
pub const fn bank(side: Side) -> Maneuver {
    Maneuver {
        speed: 1,
        bearing: Bearing::Bank(side),
        difficulty: Difficulty::White,
    }
}

/// Its three maneuvers: the 2 straight, the left and the right bank.
pub const MANEUVERS: [Maneuver; 3] = [STRAIGHT, bank(Side::Left), bank(Side::Right)];

/// The size that its base has on the table (PE-1.1); in every other effect it is large.
pub const fn size(options: &EscortOptions) -> Size {
    match options.shuttle_base {
        ShuttleBase::Large => Size::Large,
        ShuttleBase::Token => Size::ShuttleToken,
    }
}

/// The shuttle of a side, at a pose (PE-1). It obeys the rules of any ship (PE-1.2, PE-10.4), and tokens that a card gives
/// it stay (PE-1.3). It has no weapon, no action bar and no firing arc.
pub fn shuttle(id: ObjectId, side: &str, pose: Pose, options: &EscortOptions) -> Ship {
    let facts = &EscortFacts::embedded().shuttle;
    Ship {
        name: facts.name.clone(),
        chassis: facts.chassis.clone(),
        initiative: facts.skill,
        standing: Standing {
            // PE-1: no free actions either, so nobody coordinates it.
            cannot_be_coordinated: true,
            ..Standing::default()
        },
        dial: Arc::new(facts.dial()),
        ..Ship::bare(id, side, Edition::First, size(options), pose)
    }
}

/// Whether a ship is a shuttle of the scenario.
pub fn is_shuttle(ship: &Ship) -> bool {
    ship.chassis == EscortFacts::embedded().shuttle.chassis
}

/// Any model will do for the shuttle (PE-10.9): this ship of a table is it from now on. Its place, its name and what lies
/// beside it stay; an evade token there marks a Protect token and is none of its own (PE-6.2).
pub fn stand_in(model: &mut Ship, side: &str, options: &EscortOptions) {
    let tokens = Tokens {
        evade: 0,
        force: 0,
        ..model.tokens
    };
    *model = Ship {
        name: std::mem::take(&mut model.name),
        status: model.status,
        tokens,
        locks: std::mem::take(&mut model.locks),
        bumped: std::mem::take(&mut model.bumped),
        touching: std::mem::take(&mut model.touching),
        ..shuttle(model.id.clone(), side, model.pose, options)
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pe_1_its_dial_is_that_of_the_facts() {
        let ship = shuttle(
            SHUTTLE_ID.into(),
            "defender",
            Pose::new(457.2, 60.0, 0.0),
            &EscortOptions::default(),
        );
        let mut known = MANEUVERS.to_vec();
        known.sort();
        assert_eq!(ship.dial.maneuvers(), known);
        assert!(ship.weapons.is_empty() && ship.actions.is_empty(), "PE-1.3");
        assert_eq!(ship.ion_limit(), 2, "PE-10.7");
    }
}
