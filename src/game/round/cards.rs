//! Cards outside attacks at a table: what is announced when their ships are first seen, and what players may choose when
//! their moment comes.

use crate::{
    game::{Game, called, opponent::Opponent},
    xwing::{battle::support::announcements, table::Table},
};

impl<O: Opponent> Game<O> {
    /// Tells the players, once a game and card, which cards of the ships on the table are asked about or played in part.
    pub(super) fn announce_cards(&mut self, table: &Table) {
        let Some(whole) = &mut self.whole else { return };
        let mut said = Vec::new();
        for ship in &table.ships {
            let Some(fighter) = self.fighters.get(&ship.id) else {
                continue;
            };
            for text in announcements(&fighter.cards) {
                if whole.announced.insert(text.clone()) {
                    said.push(format!("{} has {text}.", called(ship)));
                }
            }
        }
        if !said.is_empty() {
            self.note(&said.join(" "));
        }
    }
}
