//! The dice and the tokens of both sides of one attack.

use crate::dice::{AttackFace, DefenceFace};

/// The most dice that a pool may have. No ship comes near it; how many a player owns is no limit (FE-8.9).
pub const MAX_DICE: u8 = 20;

/// Attack dice as they lie, in a pool of at most [`MAX_DICE`]. A die is rerolled at most once, so the focus and blank
/// results that have been rolled twice are counted apart; for hits and crits it makes no difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct AttackDice {
    /// Critical hits.
    pub crits: u8,
    /// Hits.
    pub hits: u8,
    /// Focus results rolled once.
    pub focuses: u8,
    /// Blanks rolled once.
    pub blanks: u8,
    /// Focus results that are rerolled already.
    pub rerolled_focuses: u8,
    /// Blanks that are rerolled already.
    pub rerolled_blanks: u8,
}

impl AttackDice {
    /// Dice as they come out of the first roll.
    pub fn rolled(faces: &[AttackFace]) -> Self {
        let mut dice = AttackDice::default();
        for face in faces {
            let count = match face {
                AttackFace::Crit => &mut dice.crits,
                AttackFace::Hit => &mut dice.hits,
                AttackFace::Focus => &mut dice.focuses,
                AttackFace::Blank => &mut dice.blanks,
            };
            *count = count.saturating_add(1);
        }
        dice
    }

    /// The dice after some focus results and blanks rolled once are rolled again and come out as these faces.
    ///
    /// Asking for more dice than there are takes those that are there.
    pub fn rerolled(mut self, focuses: u8, blanks: u8, faces: &[AttackFace]) -> Self {
        self.focuses = self.focuses.saturating_sub(focuses);
        self.blanks = self.blanks.saturating_sub(blanks);
        let new = AttackDice::rolled(faces);
        self.crits = self.crits.saturating_add(new.crits);
        self.hits = self.hits.saturating_add(new.hits);
        self.rerolled_focuses = self.rerolled_focuses.saturating_add(new.focuses);
        self.rerolled_blanks = self.rerolled_blanks.saturating_add(new.blanks);
        self
    }

    /// How many dice there are.
    pub fn count(&self) -> u8 {
        let faces = [
            self.crits,
            self.hits,
            self.focuses,
            self.blanks,
            self.rerolled_focuses,
            self.rerolled_blanks,
        ];
        faces.into_iter().fold(0, u8::saturating_add)
    }

    /// At most [`MAX_DICE`] of the dice, the best ones.
    pub(super) fn bounded(mut self) -> Self {
        let faces = [
            &mut self.crits,
            &mut self.hits,
            &mut self.focuses,
            &mut self.rerolled_focuses,
            &mut self.blanks,
            &mut self.rerolled_blanks,
        ];
        bound(faces);
        self
    }
}

/// Defence dice as they lie, in a pool of at most [`MAX_DICE`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct DefenceDice {
    /// Evade results.
    pub evades: u8,
    /// Focus results.
    pub focuses: u8,
    /// Blanks.
    pub blanks: u8,
}

impl DefenceDice {
    /// Dice as they come out of the roll.
    pub fn rolled(faces: &[DefenceFace]) -> Self {
        let mut dice = DefenceDice::default();
        for face in faces {
            let count = match face {
                DefenceFace::Evade => &mut dice.evades,
                DefenceFace::Focus => &mut dice.focuses,
                DefenceFace::Blank => &mut dice.blanks,
            };
            *count = count.saturating_add(1);
        }
        dice
    }

    /// How many dice there are.
    pub fn count(&self) -> u8 {
        self.evades.saturating_add(self.focuses).saturating_add(self.blanks)
    }

    /// At most [`MAX_DICE`] of the dice, the best ones.
    pub(super) fn bounded(mut self) -> Self {
        bound([&mut self.evades, &mut self.focuses, &mut self.blanks]);
        self
    }
}

/// Lowers counts, the later ones first, until they add up to no more than [`MAX_DICE`].
fn bound<const N: usize>(counts: [&mut u8; N]) {
    let mut room = MAX_DICE;
    for count in counts {
        *count = (*count).min(room);
        room -= *count;
    }
}

/// What the attacker can spend on attack dice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct AttackTokens {
    /// Focus tokens: one turns all focus results into hits.
    pub focus: u8,
    /// Locks on the defender: one rerolls any number of dice.
    pub lock: u8,
    /// Calculate tokens: each turns one focus result into a hit.
    pub calculate: u8,
    /// Force charges: the same.
    pub force: u8,
}

/// What the defender can spend on defence dice, and what protects it without being spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct DefenceTokens {
    /// Focus tokens: one turns all focus results into evades.
    pub focus: u8,
    /// Evade tokens: each turns one die into an evade (second edition) or adds an evade result (first).
    pub evade: u8,
    /// Calculate tokens: each turns one focus result into an evade.
    pub calculate: u8,
    /// Force charges: the same.
    pub force: u8,
    /// Reinforce tokens whose arc the attacker is in. They are not spent.
    pub reinforce: u8,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_die_that_was_rerolled_is_not_rerolled_again() {
        use AttackFace::{Blank, Crit, Focus, Hit};
        let first = AttackDice::rolled(&[Hit, Focus, Focus, Blank]);
        let second = first.rerolled(1, 1, &[Blank, Crit]);
        let expected = AttackDice {
            crits: 1,
            hits: 1,
            focuses: 1,
            rerolled_blanks: 1,
            ..AttackDice::default()
        };
        assert_eq!(second, expected);
        assert_eq!(second.count(), 4);
    }
}
