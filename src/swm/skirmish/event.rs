//! What happened in a skirmish, one value after the other. The events alone tell the whole course of it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::request::Correction;
use crate::swm::{figure::Side, square::Square};

/// Why an attack is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// On the figure's turn.
    Turn,
    /// The second one of Twin Attack.
    Twin,
    /// A power that replaces the attacks of the turn by others.
    Power,
    /// An enemy moved away (SWM 1.8).
    Opportunity,
    /// Riposte.
    Riposte,
}

/// Why a figure saves.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Against {
    /// Damage of an ability.
    Ability(String),
    /// A hit, with a power of its own.
    Hit(String),
    /// An illusion of the figure that it hit.
    Illusion(String),
}

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// A round began, from 1.
    RoundBegan {
        /// Its number.
        round: u32,
    },
    /// Both sides rolled for initiative.
    Initiative {
        /// The players' die.
        player: u8,
        /// The automated side's die.
        automated: u8,
    },
    /// It was said who goes first.
    GoesFirst {
        /// The side.
        side: Side,
    },
    /// The other side's turn to activate figures.
    PhaseBegan {
        /// The side.
        side: Side,
    },
    /// A figure activated.
    Activated {
        /// The figure.
        figure: String,
    },
    /// A figure gained Force points.
    ForceGained {
        /// The figure.
        figure: String,
        /// How many.
        points: u16,
    },
    /// A figure spent Force points.
    ForceSpent {
        /// The figure.
        figure: String,
        /// How many.
        points: u16,
    },
    /// A player figure saw a trigger token: those who waited under it came in.
    Revealed {
        /// Where it lay.
        token: Square,
        /// Who saw it.
        by: String,
        /// Who came in, and on which square each.
        figures: BTreeMap<String, Square>,
    },
    /// A figure took one step.
    Stepped {
        /// The figure.
        figure: String,
        /// From where.
        from: Square,
        /// To where.
        to: Square,
    },
    /// An attack was rolled.
    Attacked {
        /// The attacker.
        attacker: String,
        /// The target.
        target: String,
        /// Why.
        cause: Cause,
        /// The die.
        rolled: u8,
        /// What is added to it.
        bonus: i16,
        /// What it must reach.
        defense: i16,
        /// Whether the roll was repeated with the Force.
        repeated: bool,
        /// Whether it hits.
        hit: bool,
        /// Whether it does double damage.
        critical: bool,
    },
    /// A save was rolled.
    Saved {
        /// The figure.
        figure: String,
        /// Against what.
        against: Against,
        /// The die.
        rolled: u8,
        /// What is added to it.
        bonus: u8,
        /// What it must reach.
        needs: u8,
        /// Whether the roll was repeated with the Force.
        repeated: bool,
        /// Whether it succeeds.
        succeeds: bool,
    },
    /// An area attack was used.
    Area {
        /// The attacker.
        attacker: String,
        /// The ability.
        ability: String,
        /// The target in the middle.
        target: String,
        /// All in the blast.
        affected: Vec<String>,
    },
    /// A figure used a power against a hit.
    Defended {
        /// The figure.
        figure: String,
        /// The power.
        power: String,
    },
    /// Friends spent their activation to help an attack (SWM 1.7).
    CombinedFire {
        /// The attacker.
        attacker: String,
        /// They.
        friends: Vec<String>,
    },
    /// A figure took the damage of a hit on a friend.
    Intercepted {
        /// The figure.
        figure: String,
        /// Who was hit.
        ally: String,
    },
    /// The players said how much damage is left after what they carry out by hand.
    DamageSet {
        /// The figure.
        figure: String,
        /// What it would have taken.
        from: u16,
        /// What it takes.
        to: u16,
    },
    /// The players have something otherwise.
    Corrected {
        /// What.
        correction: Correction,
    },
    /// A figure lost hit points.
    Damaged {
        /// The figure.
        figure: String,
        /// How many.
        damage: u16,
        /// What it has left.
        left: u16,
    },
    /// A figure gained hit points.
    Healed {
        /// The figure.
        figure: String,
        /// What it has now.
        left: u16,
    },
    /// A figure was defeated.
    Defeated {
        /// The figure.
        figure: String,
    },
    /// A figure's turn ended.
    TurnEnded {
        /// The figure.
        figure: String,
    },
    /// A door opened or closed.
    Door {
        /// Its number.
        door: usize,
        /// Whether it is open now.
        open: bool,
    },
    /// It is over.
    Ended {
        /// The side that is left, if only one is.
        winner: Option<Side>,
    },
}
