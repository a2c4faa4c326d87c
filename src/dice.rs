//! Dice: their faces, and where rolls come from.

use rand::RngExt as _;
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng as _};
use serde::{Deserialize, Serialize};

/// A face of the defence die: 3 evade, 2 focus, 3 blank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DefenceFace {
    /// Cancels a hit.
    Evade,
    /// May become an evade.
    Focus,
    /// Nothing.
    Blank,
}

/// A face of the attack die: 3 hit, 1 crit, 2 focus, 2 blank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AttackFace {
    /// A critical hit.
    Crit,
    /// A hit.
    Hit,
    /// May become a hit.
    Focus,
    /// Nothing.
    Blank,
}

impl DefenceFace {
    /// The face in a word.
    pub const fn word(self) -> &'static str {
        match self {
            DefenceFace::Evade => "evade",
            DefenceFace::Focus => "focus",
            DefenceFace::Blank => "blank",
        }
    }

    /// The face that a word means, in any case; tables call the focus an eye.
    pub fn from_word(word: &str) -> Option<DefenceFace> {
        match word.trim().to_ascii_lowercase().as_str() {
            "evade" => Some(DefenceFace::Evade),
            "focus" | "eye" => Some(DefenceFace::Focus),
            "blank" => Some(DefenceFace::Blank),
            _ => None,
        }
    }
}

impl AttackFace {
    /// The face in a word.
    pub const fn word(self) -> &'static str {
        match self {
            AttackFace::Crit => "crit",
            AttackFace::Hit => "hit",
            AttackFace::Focus => "focus",
            AttackFace::Blank => "blank",
        }
    }

    /// The face that a word means, in any case; tables call the focus an eye.
    pub fn from_word(word: &str) -> Option<AttackFace> {
        match word.trim().to_ascii_lowercase().as_str() {
            "crit" => Some(AttackFace::Crit),
            "hit" => Some(AttackFace::Hit),
            "focus" | "eye" => Some(AttackFace::Focus),
            "blank" => Some(AttackFace::Blank),
            _ => None,
        }
    }
}

/// Where rolls and even choices come from: seeded, scripted, typed in, or the table's own dice.
pub trait DiceSource {
    /// Rolls one defence die.
    fn defence(&mut self) -> DefenceFace;
    /// Rolls one attack die.
    fn attack(&mut self) -> AttackFace;
    /// An even choice of `0..count`; `count` is at least 1. The caller lists the tied in id order (SA-0).
    fn choose(&mut self, count: usize) -> usize;
}

/// Where the rolls of twenty-sided dice come from, and even choices.
pub trait D20Source {
    /// Rolls one die: 1 to 20.
    fn d20(&mut self) -> u8;
    /// An even choice of `0..count`; `count` is at least 1. The caller lists the tied in a fixed order.
    fn pick(&mut self, count: usize) -> usize;
}

/// A reproducible source: the same seed gives the same rolls on every platform.
#[derive(Debug, Clone)]
pub struct SeededDice(ChaCha8Rng);

impl SeededDice {
    /// A source from a game's seed.
    pub fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// The source of one activation: the same whatever happened before it, so that a preview, a replay and a resumed
    /// game roll alike.
    pub fn for_activation(seed: u64, round: u32, ship: &str) -> Self {
        // FNV-1a over the parts; std's hasher is not promised to stay the same between releases.
        let bytes = seed
            .to_le_bytes()
            .into_iter()
            .chain(round.to_le_bytes())
            .chain(ship.bytes());
        Self::new(bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        }))
    }
}

impl DiceSource for SeededDice {
    fn defence(&mut self) -> DefenceFace {
        match self.0.random_range(0..8u8) {
            0..3 => DefenceFace::Evade,
            3..5 => DefenceFace::Focus,
            _ => DefenceFace::Blank,
        }
    }

    fn attack(&mut self) -> AttackFace {
        match self.0.random_range(0..8u8) {
            0 => AttackFace::Crit,
            1..4 => AttackFace::Hit,
            4..6 => AttackFace::Focus,
            _ => AttackFace::Blank,
        }
    }

    fn choose(&mut self, count: usize) -> usize {
        // A u32 range: `usize` ranges would differ between 32- and 64-bit platforms.
        self.0.random_range(0..count.max(1) as u32) as usize
    }
}

impl D20Source for SeededDice {
    fn d20(&mut self) -> u8 {
        self.0.random_range(1..=20u8)
    }

    fn pick(&mut self, count: usize) -> usize {
        self.choose(count)
    }
}

/// A fixed first roll of each die (typed in, or read from the table's dice), the rest from another source.
#[derive(Debug, Clone)]
pub struct FixedRoll<S> {
    /// The defence die, taken once.
    pub defence: Option<DefenceFace>,
    /// The attack die, taken once.
    pub attack: Option<AttackFace>,
    /// Everything else.
    pub rest: S,
}

impl<S: DiceSource> DiceSource for FixedRoll<S> {
    fn defence(&mut self) -> DefenceFace {
        self.defence.take().unwrap_or_else(|| self.rest.defence())
    }

    fn attack(&mut self) -> AttackFace {
        self.attack.take().unwrap_or_else(|| self.rest.attack())
    }

    fn choose(&mut self, count: usize) -> usize {
        self.rest.choose(count)
    }
}

/// Twenty-sided dice that somebody rolls and tells; even choices come from a seed. Where those that are known run out,
/// [`KnownD20::is_missing`] says so: what came of it is thrown away, and asked for again with one more.
#[derive(Debug, Clone)]
pub struct KnownD20<'k> {
    known: std::slice::Iter<'k, u8>,
    choices: SeededDice,
    missing: u32,
}

impl<'k> KnownD20<'k> {
    /// The dice that are known, and what decides even choices.
    pub fn new(known: &'k [u8], choices: SeededDice) -> Self {
        KnownD20 {
            known: known.iter(),
            choices,
            missing: 0,
        }
    }

    /// Whether a die must be rolled that is not known yet.
    pub fn is_missing(&self) -> bool {
        self.missing > 0
    }
}

impl D20Source for KnownD20<'_> {
    fn d20(&mut self) -> u8 {
        if let (0, Some(shows)) = (self.missing, self.known.next()) {
            return *shows;
        }
        // In turns, so that the two dice of an initiative that are not known do not tie for ever.
        self.missing += 1;
        if self.missing % 2 == 1 { 20 } else { 1 }
    }

    fn pick(&mut self, count: usize) -> usize {
        self.choices.pick(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dice_that_are_not_told_yet_are_missed() {
        let mut dice = KnownD20::new(&[7], SeededDice::new(1));
        assert_eq!((dice.d20(), dice.is_missing()), (7, false));
        assert_ne!(dice.d20(), dice.d20());
        assert!(dice.is_missing());
    }
}
