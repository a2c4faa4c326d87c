//! Touching: the state of a pair of ships of which one overlapped the other and stayed in contact with it (FE-4.7).
//!
//! An overlap alone makes it. It ends when a move of either leaves them apart, and when both have changed their poses since
//! without overlapping each other again, even if their bases still meet. Both ships of a pair know of it; what one of them
//! no longer knows is over.

use super::{ObjectId, edition::Contact, measure::Object, ship::Ship, table::Table};
use crate::geometry::{CONTACT_MM, Pose};

/// One ship's part in touching another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touch {
    /// The other ship.
    pub ship: ObjectId,
    /// Whether this ship has changed its pose since they met.
    pub moved: bool,
}

/// Whether two ships touch each other since an overlap (FE-4.7).
pub fn are_touching(a: &Ship, b: &Ship) -> bool {
    knows(a, &b.id) && knows(b, &a.id)
}

fn knows(ship: &Ship, other: &ObjectId) -> bool {
    ship.touching.iter().any(|touch| touch.ship == *other)
}

impl Table {
    /// A ship has moved from a pose to where it stands now, and ended in contact with those that it overlapped on the way
    /// (FE-4.7). The pairs that its move parts are over, those that it overlapped are touching. Nothing where the rules know
    /// no such state.
    pub fn moved_into_contact(&mut self, index: usize, from: Pose, overlapped: &[ObjectId]) {
        self.moved(index, from);
        if self.rules.contact != Contact::Touching {
            return;
        }
        for other in overlapped {
            if let Some(place) = self.index(other) {
                self.set_touching(index, place, true);
            }
        }
    }

    /// Makes two ships touch each other, or not: neither has moved since then (FE-4.7). Nothing if they are one ship.
    pub fn set_touching(&mut self, a: usize, b: usize, touching: bool) {
        if a == b {
            return;
        }
        for (here, there) in [(a, b), (b, a)] {
            let there = self.ships[there].id.clone();
            let known = &mut self.ships[here].touching;
            known.retain(|touch| touch.ship != there);
            if touching {
                known.push(Touch {
                    ship: there,
                    moved: false,
                });
                known.sort_by(|a, b| a.ship.cmp(&b.ship));
            }
        }
    }

    /// A ship has moved from a pose to where it stands now, by a maneuver, an action or another effect (FE-4.7). A stationary
    /// maneuver changes nothing.
    pub fn moved(&mut self, index: usize, from: Pose) {
        if self.ships[index].touching.is_empty() || self.ships[index].pose == from {
            return;
        }
        let mut touching = std::mem::take(&mut self.ships[index].touching);
        let id = self.ships[index].id.clone();
        touching.retain_mut(|touch| {
            touch.moved = true;
            let Some(place) = self.index(&touch.ship) else {
                return false;
            };
            let (ship, other) = (&self.ships[index], &self.ships[place]);
            let still = other.touching.iter().any(|its| its.ship == id && !its.moved);
            let goes_on = still && other.in_play() && are_in_contact(ship, ship.pose, other);
            if !goes_on {
                self.ships[place].touching.retain(|its| its.ship != id);
            }
            goes_on
        });
        self.ships[index].touching = touching;
    }
}

impl Ship {
    /// Puts the ship elsewhere, as one that moved there: a bump that the table reported is over (SA-0), and so is touching
    /// ships that it is not in contact with there or that moved before it (FE-4.7). For places that are only thought of;
    /// ships of a table that is played on move by [`Table::moved`].
    pub fn move_to(&mut self, pose: Pose, table: &Table) {
        if self.pose == pose {
            return;
        }
        self.pose = pose;
        self.bumped.clear();
        if self.touching.is_empty() {
            return;
        }
        let mut touching = std::mem::take(&mut self.touching);
        touching.retain_mut(|touch| {
            touch.moved = true;
            table.ship(&touch.ship).is_some_and(|other| {
                let still = other.touching.iter().any(|its| its.ship == self.id && !its.moved);
                still && are_in_contact(self, pose, other)
            })
        });
        self.touching = touching;
    }
}

/// Whether two bases meet, the one of the first at that pose (FE-0.3).
fn are_in_contact(ship: &Ship, pose: Pose, other: &Ship) -> bool {
    super::measure::distance(ship.size, pose, &Object::Ship(other)) <= CONTACT_MM
}
