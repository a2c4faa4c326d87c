//! What somebody must choose in a skirmish, the answers, and why one is not accepted.

use serde::{Deserialize, Serialize};

use crate::swm::{figure::Side, square::Square};

/// What somebody must choose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "asked", rename_all = "snake_case")]
pub enum Request {
    /// Who won the initiative says which side goes first.
    First {
        /// The side that won.
        side: Side,
    },
    /// The next figure to activate.
    Activate {
        /// Whose.
        side: Side,
    },
    /// What the active figure does next.
    Act {
        /// The figure.
        figure: String,
    },
    /// Whether a figure attacks one that moves away from it (SWM 1.8).
    Opportunity {
        /// Who may attack.
        figure: String,
        /// Who moves.
        mover: String,
    },
    /// Whether a figure spends a Force point to repeat a roll that went against it (SWM 1.10).
    Reroll {
        /// The figure.
        figure: String,
        /// What was rolled.
        rolled: u8,
        /// What is added to it.
        bonus: i16,
        /// What it must reach.
        needs: i16,
        /// Whether it is an attack; else it is a save.
        attack: bool,
    },
    /// Whether a figure uses a Force power against a hit, by its place among those that fit.
    Defend {
        /// The figure.
        figure: String,
        /// Who hit it.
        attacker: String,
        /// The damage of the hit.
        damage: u16,
        /// Names of the powers that fit.
        powers: Vec<String>,
    },
    /// Whether a figure that was hit from beside it spends Force points to attack back (SWM 1.10).
    Riposte {
        /// The figure.
        figure: String,
        /// Who hit it.
        attacker: String,
    },
    /// Whether a figure takes the damage of a hit in place of a friend beside it (SWM 3.4).
    Intercept {
        /// Who may take it.
        figure: String,
        /// Who was hit.
        ally: String,
        /// The damage.
        damage: u16,
    },
    /// How much damage a figure takes that has abilities against it which the players carry out by hand (SWM 3.4). The
    /// players are asked, whoever moves the figure.
    ByHand {
        /// The figure.
        figure: String,
        /// What it would take.
        damage: u16,
        /// The abilities.
        abilities: Vec<String>,
    },
}

impl Request {
    /// The figure that is asked; `None` where a side is.
    pub fn figure(&self) -> Option<&str> {
        match self {
            Request::First { .. } | Request::Activate { .. } => None,
            Request::Act { figure }
            | Request::Opportunity { figure, .. }
            | Request::Reroll { figure, .. }
            | Request::Defend { figure, .. }
            | Request::Riposte { figure, .. }
            | Request::Intercept { figure, .. }
            | Request::ByHand { figure, .. } => Some(figure),
        }
    }
}

/// A choice: each kind answers the request of its name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// The side that goes first.
    First(Side),
    /// The figure that activates.
    Activate(String),
    /// The active figure walks these squares.
    Move {
        /// The squares, in order.
        way: Vec<Square>,
        /// Whether it spends a Force point to come 2 squares farther.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        force: bool,
    },
    /// The active figure attacks.
    Attack {
        /// Whom.
        target: String,
        /// Whether it gives up moving on this turn, for what rewards that.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        stays: bool,
        /// Friends that spend their activation on this attack (combined fire, SWM 1.7).
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        with: Vec<String>,
    },
    /// The active figure uses an area attack in place of its attacks.
    Area {
        /// The ability's name.
        ability: String,
        /// The target in the middle.
        target: String,
    },
    /// The active figure is done.
    Done,
    /// Whether it does what is asked.
    Yes(bool),
    /// The power that is used, by its place; `None` to use none.
    Power(Option<usize>),
    /// The damage that is taken.
    Damage(u16),
}

/// Something that the players have otherwise than the program: what an ability did that they carry out by hand, or a slip.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "correct", rename_all = "snake_case")]
pub enum Correction {
    /// Hit points left; 0 takes it off the map.
    HitPoints {
        /// The figure.
        figure: String,
        /// How many.
        points: u16,
    },
    /// Force points left.
    Force {
        /// The figure.
        figure: String,
        /// How many.
        points: u16,
    },
    /// Whether it has activated this round.
    Activated {
        /// The figure.
        figure: String,
        /// Whether it has.
        activated: bool,
    },
    /// Where it stands.
    Place {
        /// The figure.
        figure: String,
        /// Its north-western square.
        at: Square,
    },
    /// A door.
    Door {
        /// Its number.
        door: usize,
        /// Whether it is open.
        open: bool,
    },
}

/// Why an answer is not accepted. The skirmish stands where it stood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// An answer to another question, or to none.
    #[error("that is no answer to what is asked")]
    NotAsked,
    /// A figure that is not there, is not of that side, or has activated.
    #[error("`{0}` cannot activate: it is not of that side, is defeated, or has activated this round")]
    Activate(String),
    /// A move that the rules do not allow.
    #[error("`{figure}` cannot move so: {why}")]
    Move {
        /// The figure.
        figure: String,
        /// What is against it.
        why: &'static str,
    },
    /// An attack that the rules do not allow.
    #[error("`{figure}` cannot make that attack: {why}")]
    Attack {
        /// The figure.
        figure: String,
        /// What is against it.
        why: String,
    },
    /// A correction of something that is not there or cannot be so.
    #[error("{0}")]
    Correct(&'static str),
}
