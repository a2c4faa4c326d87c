//! Who flies which ship.

use std::collections::{BTreeMap, BTreeSet};

use crate::xwing::{ObjectId, escort::shuttle::is_shuttle, table::Table};

/// The side of ships that the program flies, where the table program itself knows no sides.
pub const SOLO_SIDE: &str = "solo";

/// The side of everybody else's ships there.
pub const PLAYER_SIDE: &str = "player";

/// Which ships are solo: what the table lists, corrected by what the players asked for since.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Seats {
    listed: BTreeSet<ObjectId>,
    asked: BTreeMap<ObjectId, bool>,
}

impl Seats {
    /// Takes the table's own list. A request that the list agrees with has arrived there and is forgotten, so that a
    /// later change at the table counts again.
    pub fn list(&mut self, listed: impl IntoIterator<Item = ObjectId>) {
        self.listed = listed.into_iter().collect();
        self.asked.retain(|ship, solo| self.listed.contains(ship) != *solo);
    }

    /// Takes a request.
    pub fn ask(&mut self, ship: ObjectId, solo: bool) {
        if self.listed.contains(&ship) == solo {
            self.asked.remove(&ship);
        } else {
            self.asked.insert(ship, solo);
        }
    }

    /// Whether the ship is a solo ship.
    pub fn is_solo(&self, ship: &str) -> bool {
        match self.asked.get(ship) {
            Some(&solo) => solo,
            None => self.listed.contains(ship),
        }
    }

    /// All of them, also those that are not on the table now, in id order.
    pub fn solo(&self) -> BTreeSet<ObjectId> {
        let mut solo: BTreeSet<ObjectId> = self.listed.iter().filter(|ship| self.is_solo(ship)).cloned().collect();
        solo.extend(
            self.asked
                .iter()
                .filter(|(_, solo)| **solo)
                .map(|(ship, _)| ship.clone()),
        );
        solo
    }

    /// Solo ships in play that have not activated, in the order in which they act: by initiative, lowest first.
    /// **choice** Solo ships of equal initiative act in id order, so that it never depends on how a table lists them.
    pub fn order<'t>(&self, table: &'t Table, activated: &BTreeSet<ObjectId>) -> Vec<&'t ObjectId> {
        let mut waiting: Vec<_> = table
            .ships_in_play()
            .filter(|ship| self.is_solo(&ship.id) && !activated.contains(&ship.id))
            .collect();
        // PE-4.1: the shuttle of Political Escort comes before its side's ships of the same skill.
        let own = table.rules.same_skill;
        waiting.sort_by_key(|ship| (ship.initiative, !is_shuttle(ship), own.order(&ship.id)));
        waiting.into_iter().map(|ship| &ship.id).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(text: &str) -> ObjectId {
        text.into()
    }

    #[test]
    fn a_request_holds_until_the_table_agrees_and_then_the_table_counts_again() {
        let mut seats = Seats::default();
        seats.list([id("a")]);
        seats.ask(id("b"), true);
        seats.ask(id("a"), false);
        assert!(seats.is_solo("b") && !seats.is_solo("a"));
        // An old list does not undo the requests.
        seats.list([id("a")]);
        assert_eq!(seats.solo(), BTreeSet::from([id("b")]));
        // The table has taken them over: from here on it may change them.
        seats.list([id("b")]);
        seats.list([]);
        assert!(seats.solo().is_empty());
    }
}
