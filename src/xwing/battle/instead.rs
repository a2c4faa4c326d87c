//! What a ship flies: what its dial shows, and what takes its place when it is ionized, stressed or cannot pay.

use super::{Battle, Event, Refused, Request};
use crate::xwing::{
    ObjectId,
    dial_rulings::{INSTEAD, not_red},
    edition::StressedRed,
    maneuver::{Difficulty, Maneuver},
    ship::Ship,
};

impl Battle {
    /// What a ship's dial, ion tokens (SA-6.1, FE-7.2), stress or its opponent fix about its move.
    pub(super) fn fixed_maneuver(&self, index: usize) -> Option<Maneuver> {
        let ship = &self.table.ships[index];
        if ship.is_ionized() {
            return Some(self.table.rules.ion_maneuver());
        }
        if let Some((_, picked)) = self.picked.as_ref().filter(|(target, _)| *target == ship.id) {
            return Some(*picked);
        }
        Some(self.allowed(index, self.shown(index)?))
    }

    /// What a ship's dial shows: what was set, in the colour that damage cards have given it since.
    fn shown(&self, index: usize) -> Option<Maneuver> {
        let set = self.fighters[index].set?;
        let now = (self.table.ships[index].dial.maneuvers().iter())
            .find(|entry| (entry.speed, entry.bearing) == (set.speed, set.bearing))
            .copied();
        Some(now.unwrap_or(set))
    }

    /// A red maneuver of a stressed ship (FE-4.3, FE-7.1), or a purple one that cannot be paid, gives way to a white 2 straight. **choice** So
    /// it does, too, where the opponent would pick and nobody is left to, or its stress came after the dial was revealed.
    pub(super) fn allowed(&self, index: usize, maneuver: Maneuver) -> Maneuver {
        let ship = &self.table.ships[index];
        match maneuver.difficulty {
            Difficulty::Red if !ship.may_fly(maneuver) => INSTEAD,
            Difficulty::Purple if ship.tokens.force == 0 => INSTEAD,
            _ => maneuver,
        }
    }

    /// FE-14.4: whom to ask for the maneuver of a stressed ship that shows a red one: an enemy in play, the first by id.
    /// Nobody where a white 2 straight is flown instead, where one has been picked, or where none can be.
    pub(super) fn ask_opponent_for_maneuver(&self, index: usize) -> Option<Request> {
        match self.table.rules.stressed_red {
            StressedRed::White2Straight => return None,
            StressedRed::OpponentPicks => {}
        }
        let ship = &self.table.ships[index];
        let picked = self.picked.as_ref().is_some_and(|(target, _)| *target == ship.id);
        let barred = |maneuver: &Maneuver| maneuver.difficulty == Difficulty::Red && !ship.may_fly(*maneuver);
        if picked || ship.is_ionized() || !self.shown(index).as_ref().is_some_and(barred) {
            return None;
        }
        if self.pickable(&ship.id).is_empty() {
            return None;
        }
        Some(Request::PickManeuver {
            ship: self.opponent_of(ship)?.clone(),
            target: ship.id.clone(),
        })
    }

    /// An enemy in play of a ship, for what its opponent decides: the first by id.
    pub(super) fn opponent_of(&self, ship: &Ship) -> Option<&ObjectId> {
        let mut enemies = self.table.ships_in_play().filter(|other| other.is_enemy_of(ship));
        enemies.next().map(|enemy| &enemy.id)
    }

    /// The maneuvers that its opponent may pick for a stressed ship that shows a red one: those of its dial that are not red
    /// (FE-14.4).
    pub fn pickable(&self, target: &str) -> Vec<Maneuver> {
        self.table.ship(target).map(not_red).unwrap_or_default()
    }

    /// The opponent picks.
    pub(super) fn pick_for_stressed(
        &mut self,
        asked: &ObjectId,
        target: &ObjectId,
        maneuver: Maneuver,
    ) -> Result<(), Refused> {
        if !self.pickable(target).contains(&maneuver) {
            return Err(Refused::Pick {
                ship: asked.clone(),
                why: "pick a maneuver of the dial that is not red",
            });
        }
        self.picked = Some((target.clone(), maneuver));
        self.events.push(Event::ManeuverChanged {
            ship: target.clone(),
            maneuver,
        });
        Ok(())
    }

    /// A ship without a dial chooses a red maneuver although it is stressed: that is what it shows, and its opponent picks
    /// (FE-14.4). Whether he is asked.
    pub(super) fn shows_red(&mut self, index: usize, maneuver: Maneuver) -> bool {
        let before = self.fighters[index].set.replace(maneuver);
        let asks = self.ask_opponent_for_maneuver(index).is_some();
        if !asks {
            self.fighters[index].set = before;
        }
        asks
    }
}
