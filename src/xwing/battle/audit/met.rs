//! The audit of what a ship meets on its way: an action that leads over a debris field or a mine may leave the ship stressed,
//! and was declared before it was.

use super::{Books, Entry};
use crate::{
    geometry::{Point, Pose, polygon},
    xwing::{ObjectId, action::ActionKind, base::circumradius, battle::Order, template},
};

/// A template is so wide, and a bent one bulges less than that out of the straight way, mm.
const TEMPLATE_MM: f64 = 2.0 * template::HALF_WIDTH_MM;

/// An obstacle or a device that a ship met by something else than its maneuver.
pub(super) struct Met {
    /// How much stress the ship had then.
    stress: u32,
    /// What the obstacle or the device covers.
    outline: Vec<Point>,
}

impl Entry<'_> {
    /// How much stress the ship had when it declared the action that has led it from one place to another: what it met on
    /// that way came later.
    pub(super) fn stress_before_action(&self, order: &Order, from: Pose, to: Pose) -> u32 {
        let moves = matches!(
            order,
            Order::Bar {
                kind: ActionKind::BarrelRoll | ActionKind::Boost,
                ..
            }
        );
        let way = [from.position, to.position];
        let reach = circumradius(self.ship.size) + TEMPLATE_MM;
        let in_action = |met: &&Met| moves && polygon::distance(&way, &met.outline) <= reach;
        self.met
            .iter()
            .find(in_action)
            .map_or(self.tokens.stress, |met| met.stress)
    }

    fn meets(&mut self, outline: &[Point]) {
        self.met.push(Met {
            stress: self.tokens.stress,
            outline: outline.to_vec(),
        });
    }
}

impl Books<'_> {
    pub(super) fn meets_obstacle(&mut self, ship: &ObjectId, obstacle: &ObjectId) {
        let Some(known) = self.obstacles.iter().find(|known| known.id == *obstacle) else {
            return self.wrong(format!("{ship} meets {obstacle}, which is not on the table"));
        };
        let Some(entry) = self.ships.get_mut(ship) else {
            return;
        };
        if let Some(place) = entry.flown_over.iter().position(|flown| flown == obstacle) {
            entry.flown_over.remove(place);
            return;
        }
        entry.meets(&known.outline);
    }

    /// A mine goes off under a ship. One that its maneuver led over went off in the maneuver.
    pub(super) fn meets_mine(&mut self, ship: &ObjectId, id: &ObjectId, mine: &[Point]) {
        let Some(entry) = self.ships.get_mut(ship) else {
            return;
        };
        match entry.flown_over.iter().position(|flown| flown == id) {
            Some(place) => {
                entry.flown_over.remove(place);
            }
            None => entry.meets(mine),
        }
    }
}
