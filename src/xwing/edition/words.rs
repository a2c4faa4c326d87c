//! What an edition calls the same thing (FE-SOLO-1).

use super::Edition;
use crate::xwing::maneuver::Difficulty;

/// The words of an edition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Words {
    /// What ships are ordered by.
    pub order_value: &'static str,
    /// The same in a letter or two.
    pub order_letters: &'static str,
    /// The phase in which ships attack.
    pub engagement: &'static str,
    /// The colour of easy maneuvers.
    pub easy: &'static str,
    /// The token pair that a ship has on another.
    pub lock: &'static str,
    /// The token that forbids attacks.
    pub disarm: &'static str,
    /// What is said of a ship with that token.
    pub disarmed: &'static str,
    /// A weapon from an upgrade card.
    pub special_weapon: &'static str,
    /// What such a weapon has used up when it cannot fire again.
    pub used_up: &'static str,
    /// The token pair as an action bar and a card's header write it.
    pub lock_icon: &'static str,
    /// What is said of a card that a squad has once.
    pub unique: &'static str,
    /// Tokens of the other edition that it does not have.
    pub absent_tokens: &'static [&'static str],
    /// The range bands from contact to 1, as texts write them.
    pub to_range_1: &'static str,
    /// The same up to 2.
    pub to_range_2: &'static str,
    /// The same up to 3.
    pub to_range_3: &'static str,
}

impl Words {
    const SECOND: Words = Words {
        order_value: "initiative",
        order_letters: "I",
        engagement: "engagement",
        easy: "blue",
        lock: "lock",
        disarm: "disarm",
        disarmed: "it is disarmed",
        special_weapon: "special weapon",
        used_up: "lacks a charge",
        lock_icon: "Lock",
        unique: "limited 1",
        absent_tokens: &[],
        to_range_1: "range 0-1",
        to_range_2: "range 0-2",
        to_range_3: "range 0-3",
    };

    const FIRST: Words = Words {
        order_value: "pilot skill",
        order_letters: "PS",
        engagement: "combat",
        easy: "green",
        lock: "target lock",
        disarm: "weapons disabled",
        disarmed: "its weapons are disabled",
        special_weapon: "secondary weapon",
        used_up: "lies discarded",
        lock_icon: "Target Lock",
        unique: "unique",
        absent_tokens: &["calculate", "force", "strain", "deplete"],
        to_range_1: "range 1",
        to_range_2: "range 1-2",
        to_range_3: "range 1-3",
    };

    /// A colour.
    pub const fn color(&self, difficulty: Difficulty) -> &'static str {
        match difficulty {
            Difficulty::Blue => self.easy,
            Difficulty::White => "white",
            Difficulty::Red => "red",
            Difficulty::Purple => "purple",
        }
    }
}

impl Edition {
    /// What it calls things.
    pub const fn words(self) -> &'static Words {
        match self {
            Edition::Second => &Words::SECOND,
            Edition::First => &Words::FIRST,
        }
    }
}
