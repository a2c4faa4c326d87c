//! Ships that are destroyed: what cards do at that moment, and what the ships do no more before they leave.

use super::{
    super::{Battle, Phase, occasion::Happening},
    Window,
};

impl Battle {
    /// The moment of a destroyed ship is opened before it leaves. Whether it stays until what comes of that is over.
    pub(in crate::xwing::battle) fn falls(&mut self, index: usize) -> bool {
        // Where a table moves the ships, nobody asks about cards.
        let by_hand = self.at_table && matches!(self.phase, Phase::Planning | Phase::Activation);
        if by_hand || !self.has_window(Window::ShipDestroyed) {
            return false;
        }
        let id = self.table.ships[index].id.clone();
        if !self.queue.fallen.contains(&id) {
            self.queue.fallen.push(id);
            self.open(Window::ShipDestroyed, Some(index), None, Happening::Moment);
        }
        !self.queue.is_empty()
    }

    /// Nothing waits any more and destroyed ships have left: no moment of a destroyed ship is open. This holds as well for
    /// one that left in another way, that is destroyed no longer, or whose last card for that moment is gone.
    pub(in crate::xwing::battle) fn nobody_falls(&mut self) {
        self.queue.fallen.clear();
    }

    /// Whether a ship goes on with its turn: it is in play and, where there is no simultaneous fire, not destroyed.
    pub(in crate::xwing::battle) fn goes_on(&self, index: usize) -> bool {
        let fires_still = self.phase == Phase::Engagement;
        self.table.ships[index].in_play() && (fires_still || !self.fighters[index].integrity.is_destroyed())
    }

    /// Whether destroyed ships wait to leave.
    pub(in crate::xwing::battle) fn has_fallen(&self) -> bool {
        !self.queue.fallen.is_empty()
    }
}
