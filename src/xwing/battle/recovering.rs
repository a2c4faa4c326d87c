//! The recover action of huge ships (FE-6.8).

use super::Battle;
use crate::xwing::{action::ActionKind, size::Size};

impl Battle {
    /// The shields that recovering would bring back to a ship (FE-6.8): none where there is no such action, or ship.
    pub fn recoverable(&self, ship: &str) -> u32 {
        let index = self.index(ship);
        index.and_then(|index| self.shields_for_energy(index).ok()).unwrap_or(0)
    }

    /// The shields that the energy of a ship would bring back, at least one, or what is against it. **choice** Without a
    /// shield to restore, or without energy, nothing is recovered. The two cards of a ship are two ships here, each with its
    /// own shields.
    pub(super) fn shields_for_energy(&self, index: usize) -> Result<u32, &'static str> {
        let (ship, fighter) = (&self.table.ships[index], &self.fighters[index]);
        if !self.table.rules.actions.has(ActionKind::Recover) {
            return Err("the rulebook that is played has no such action");
        }
        if ship.size != Size::Huge {
            return Err("only huge ships recover");
        }
        let lacking = u32::from(fighter.shields.saturating_sub(fighter.integrity.shields));
        match (ship.tokens.energy, lacking) {
            (0, _) => Err("it has no energy tokens to recover with"),
            (_, 0) => Err("it has all its shields"),
            (energy, lacking) => Ok(energy.min(lacking)),
        }
    }

    /// FE-6.8: all its energy tokens go, and each restores one shield, to the maximum.
    pub(super) fn recover(&mut self, index: usize) -> Result<(), &'static str> {
        let shields = self.shields_for_energy(index)?;
        self.table.ships[index].tokens.energy = 0;
        self.recover_shields(index, shields);
        Ok(())
    }
}
