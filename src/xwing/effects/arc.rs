//! Arcs as cards name them.

use super::vocabulary::vocabulary;
use crate::xwing::arc::Arc;

vocabulary! {
    /// An arc of a ship.
    pub enum ArcWord {
        Bullseye = "bullseye": "the bullseye arc",
        Front = "front": "the front arc",
        Rear = "rear": "the rear arc",
        Left = "left": "the left arc",
        Right = "right": "the right arc",
        FullFront = "full_front": "the full front arc",
        FullRear = "full_rear": "the full rear arc",
        Turret = "turret": "the arc that a turret points at",
        Firing = "any_firing": "any arc of a weapon",
        Attack = "attack_arc": "the arc of the attack that is made",
        Reinforced = "reinforced_full_arc": "the full arc that a reinforce token covers",
        Behind = "behind": "behind the ship: wholly behind the line of its rear edge",
    }
}

impl ArcWord {
    /// The arc of the base, for words that name one whatever the ship carries.
    pub const fn of_the_base(self) -> Option<Arc> {
        match self {
            ArcWord::Bullseye => Some(Arc::Bullseye),
            ArcWord::Front => Some(Arc::Front),
            ArcWord::Rear => Some(Arc::Rear),
            ArcWord::Left => Some(Arc::Left),
            ArcWord::Right => Some(Arc::Right),
            ArcWord::FullFront => Some(Arc::FullFront),
            ArcWord::FullRear => Some(Arc::FullRear),
            ArcWord::Turret | ArcWord::Firing | ArcWord::Attack | ArcWord::Reinforced | ArcWord::Behind => None,
        }
    }
}

vocabulary! {
    /// Where a turret points.
    pub enum TurretWord {
        Front = "front": "ahead",
        Rear = "rear": "astern",
        Left = "left": "to the left",
        Right = "right": "to the right",
    }
}
