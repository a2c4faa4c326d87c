//! Jam tokens, and what they take with them.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Battle, Refused, Request};
use crate::xwing::{
    ObjectId,
    edition::Jam,
    measure::{self, Arc, Stance},
    ship::Ship,
    size::Size,
};

/// What a jam token takes with it (FE-6.7).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Jammed {
    /// A focus token.
    Focus,
    /// An evade token.
    Evade,
    /// The ship's lock on that one.
    Lock(ObjectId),
}

impl fmt::Display for Jammed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Jammed::Focus => f.write_str("the focus token"),
            Jammed::Evade => f.write_str("the evade token"),
            Jammed::Lock(target) => write!(f, "the lock on {target}"),
        }
    }
}

impl Battle {
    /// Whether a ship can jam an enemy in play, or what is against it. In the first edition (FE-6.7) a small or a large ship
    /// jams one that has no jam token, at range 1, or at range 1-2 inside its front arc; a huge one at range 1-2.
    pub(super) fn jams(&self, ship: &Ship, other: &Ship) -> Result<(), &'static str> {
        let range_1_only = match self.table.rules.jam {
            Jam::JammerPicks => {
                let near = self.table.rules.range(measure::ship_distance(ship, other)) == Some(1);
                return near.then_some(()).ok_or("the ship to jam is not at range 1");
            }
            Jam::OwnerPicks { range_1_only } => range_1_only,
        };
        let range = self.table.rules.range(measure::ship_distance(ship, other));
        if ship.size == Size::Huge {
            let near = matches!(range, Some(1 | 2));
            return near.then_some(()).ok_or("the ship to jam is not at range 1-2");
        }
        if other.tokens.jam > 0 {
            return Err("the ship to jam has a jam token");
        }
        let in_arc = || {
            let (from, to) = (Stance::of(ship), Stance::of(other));
            let inside = from.distance_in_arc(Arc::Front, &to, || from.apart(&to));
            inside.and_then(measure::range).is_some_and(|range| range <= 2)
        };
        match range {
            Some(1) => Ok(()),
            Some(2) if !range_1_only && in_arc() => Ok(()),
            _ if range_1_only => Err("the ship to jam is not at range 1"),
            _ => Err("the ship to jam is not at range 1, nor at range 1-2 in the front arc"),
        }
    }

    /// Whether the jam action of a ship may be offered against an enemy, in the second edition at range 0, too.
    pub(super) fn may_jam(&self, ship: &Ship, other: &Ship) -> bool {
        match self.table.rules.jam {
            Jam::JammerPicks => self
                .table
                .rules
                .range(measure::ship_distance(ship, other))
                .is_some_and(|range| range <= 1),
            Jam::OwnerPicks { .. } => self.jams(ship, other).is_ok(),
        }
    }

    /// A ship jams an enemy: it gets a jam token. In the first edition a huge ship gives stress instead, until there are two
    /// such tokens (FE-6.7).
    pub(super) fn jam_ship(&mut self, index: usize, other: usize) {
        let by_stress = match self.table.rules.jam {
            Jam::JammerPicks => false,
            Jam::OwnerPicks { .. } => self.table.ships[index].size == Size::Huge,
        };
        let tokens = &mut self.table.ships[other].tokens;
        if by_stress {
            tokens.stress = tokens.stress.max(2);
        } else {
            tokens.jam += 1;
            self.settle_jam(other);
        }
        self.record_tokens(other);
    }

    /// A ship has jam tokens, or has gained something while it had one: what that does at once is done.
    pub(super) fn settle_jam(&mut self, index: usize) {
        match self.table.rules.jam {
            Jam::JammerPicks => self.jam_takes_first(index),
            Jam::OwnerPicks { .. } => self.jam_meets(index),
        }
    }

    /// A jam token goes at once, and takes a green token or the lock with it. **choice** The first it has of focus,
    /// evade, calculate, reinforce, lock.
    fn jam_takes_first(&mut self, index: usize) {
        let ship = &mut self.table.ships[index];
        while ship.tokens.jam > 0 {
            let tokens = &mut ship.tokens;
            let green = [
                &mut tokens.focus,
                &mut tokens.evade,
                &mut tokens.calculate,
                &mut tokens.reinforce,
            ];
            let taken = green.into_iter().find(|count| **count > 0).map(|count| *count -= 1);
            if taken.is_some() {
                if ship.tokens.reinforce == 0 {
                    self.fighters[index].reinforced.clear();
                }
            } else if ship.locks.pop().is_none() {
                return;
            }
            ship.tokens.jam -= 1;
        }
    }

    /// FE-6.7: as soon as a ship has a jam token together with a focus token, an evade token or a lock of its own, the jam
    /// token goes, and its owner removes one of those. **choice** Jam tokens stack, each waits for its own victim.
    fn jam_meets(&mut self, index: usize) {
        while self.table.ships[index].tokens.jam > 0 {
            let ship = &self.table.ships[index];
            let request = Request::Jammed { ship: ship.id.clone() };
            // One thing after the other: the next token is looked at when that is answered.
            if self.is_put_off(&request) {
                return;
            }
            let mut victims = self.jammable(&ship.id);
            match victims.len() {
                0 => return,
                1 => {
                    self.table.ships[index].tokens.jam -= 1;
                    self.take_victim(index, &victims.remove(0));
                }
                _ => {
                    self.table.ships[index].tokens.jam -= 1;
                    self.record_tokens(index);
                    self.ask_later(request);
                    return;
                }
            }
        }
    }

    /// What a jam token could take from a ship with it (FE-6.7).
    pub fn jammable(&self, ship: &str) -> Vec<Jammed> {
        let Some(ship) = self.table.ship(ship) else {
            return Vec::new();
        };
        let tokens = [(ship.tokens.focus, Jammed::Focus), (ship.tokens.evade, Jammed::Evade)];
        let tokens = tokens.into_iter().filter(|(count, _)| *count > 0);
        let locks = ship.locks.iter().cloned().map(Jammed::Lock);
        tokens.map(|(_, what)| what).chain(locks).collect()
    }

    fn take_victim(&mut self, index: usize, what: &Jammed) {
        let ship = &mut self.table.ships[index];
        match what {
            Jammed::Focus => ship.tokens.focus = ship.tokens.focus.saturating_sub(1),
            Jammed::Evade => ship.tokens.evade = ship.tokens.evade.saturating_sub(1),
            Jammed::Lock(target) => {
                ship.locks.retain(|lock| lock != target);
                self.record_locks(index);
            }
        }
        self.record_tokens(index);
    }

    /// The owner of a ship removes what the jam token takes with it.
    pub(super) fn lose_to_jam(&mut self, id: &ObjectId, what: &Jammed) -> Result<(), Refused> {
        let index = self.asked(id)?;
        if !self.jammable(id).contains(what) {
            return Err(Refused::Pick {
                ship: id.clone(),
                why: "pick a focus token, an evade token or a lock that it has",
            });
        }
        self.take_victim(index, what);
        self.settle_jam(index);
        Ok(())
    }
}
