//! The letters of target locks (FE-6.13): both tokens of a lock show one, A, B, C and so on, the first that is free; numbers
//! follow when they run out.

use super::{Battle, Event};
use crate::xwing::{ObjectId, edition::Locks};

/// Which letter each lock has.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Letters(Vec<Lettered>);

#[derive(Debug, Clone, PartialEq)]
struct Lettered {
    ship: ObjectId,
    target: ObjectId,
    place: usize,
}

/// The letter of that place, as in A or 27.
fn letter(place: usize) -> String {
    let letter = u8::try_from(place).ok().filter(|place| *place < 26);
    letter.map_or_else(|| (place + 1).to_string(), |place| char::from(b'A' + place).to_string())
}

impl Battle {
    /// The letter of a ship's lock on another, in an edition whose locks have letters (FE-6.13).
    pub fn lock_letter(&self, ship: &str, target: &str) -> Option<String> {
        let mut all = self.letters.0.iter();
        let found = all.find(|lettered| *lettered.ship == *ship && *lettered.target == *target)?;
        Some(letter(found.place))
    }

    /// Gives new locks their letters and frees those of locks that are gone.
    pub(super) fn letter_locks(&mut self) {
        match self.table.rules.locks {
            Locks::AnyObject => return,
            Locks::Enemies => {}
        }
        let ships = &self.table.ships;
        self.letters.0.retain(|lettered| {
            let ship = ships.iter().find(|ship| ship.id == lettered.ship);
            ship.is_some_and(|ship| ship.locks.contains(&lettered.target))
        });
        for ship in ships {
            for target in &ship.locks {
                let all = &mut self.letters.0;
                if all.iter().any(|known| known.ship == ship.id && known.target == *target) {
                    continue;
                }
                let free = (0..).find(|place| all.iter().all(|known| known.place != *place));
                let place = free.unwrap_or(all.len());
                all.push(Lettered {
                    ship: ship.id.clone(),
                    target: target.clone(),
                    place,
                });
                self.events.push(Event::LockLettered {
                    ship: ship.id.clone(),
                    target: target.clone(),
                    letter: letter(place),
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::letter;

    #[test]
    fn fe_6_13_numbers_follow_when_the_letters_run_out() {
        assert_eq!([0, 1, 25, 26, 30].map(letter), ["A", "B", "Z", "27", "31"]);
    }
}
