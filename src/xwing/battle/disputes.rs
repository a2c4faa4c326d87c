//! FE-0.8: the sides of a battle do not agree about a question that the rules leave open.

use super::{Battle, Event, Refused};
use crate::{
    dice::DiceSource,
    xwing::{dispute::Dispute, edition::Dispute as Settled},
};

/// What a question is called is cut off after so many letters.
const MOST_LETTERS: usize = 200;

impl Battle {
    /// FE-14.13: both sides roll, the one that is asked now first; what is asked is asked still. Where the edition knows no such
    /// roll it is refused: there the rule counts that the program names.
    pub(super) fn dispute(&mut self, about: &str, dice: &mut dyn DiceSource) -> Result<(), Refused> {
        let request = self.pending.as_ref().ok_or(Refused::NotAsked)?;
        match self.table.rules.dispute {
            Settled::TheProgramSays => return Err(Refused::Dispute),
            Settled::Roll => {}
        }
        let asked = self
            .index(request.ship())
            .map(|index| self.side_of(&self.table.ships[index]));
        let asked = asked.unwrap_or(0);
        let other = (0..self.sides.len()).find(|side| *side != asked).unwrap_or(asked);
        let sides = [asked, other].map(|side| self.sides[side].name.clone());
        let about: String = about
            .trim()
            .chars()
            .filter(|letter| !letter.is_control())
            .take(MOST_LETTERS)
            .collect();
        let dispute = Dispute::settle(dice);
        self.events.push(Event::Disputed { about, sides, dispute });
        Ok(())
    }
}
