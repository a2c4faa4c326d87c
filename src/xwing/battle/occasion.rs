//! What happened, as a value: what opens a level of the ability queue, and what conditions ask about.

use super::attack::Fought;
use crate::xwing::{
    ObjectId,
    action::{ActionDetail, ActionKind, ColoredAction},
    damage_deck::{Card, Damage, facts::CardKind},
    effects::{TokenWord, Window, predicate::EventWord},
    maneuver::{Difficulty, Maneuver},
    movement::Execution,
};

/// A maneuver that was executed.
#[derive(Debug, Clone, PartialEq)]
pub struct Moved {
    /// As it was executed, in the colour it had.
    pub maneuver: Maneuver,
    /// Whether it was fully executed.
    pub full: bool,
    /// Whether it was the ion maneuver.
    pub ionized: bool,
    /// Obstacles that it went through, or that the ship is on.
    pub obstacles: Vec<ObjectId>,
    /// Ships that it was on and backed up from.
    pub overlapped: Vec<ObjectId>,
}

impl Moved {
    /// What conditions ask about a maneuver that was executed.
    pub fn of(execution: &Execution, ionized: bool) -> Self {
        let mut obstacles = execution.suffered.clone();
        obstacles.extend(execution.overlapped_obstacles.iter().cloned());
        obstacles.sort();
        obstacles.dedup();
        Moved {
            maneuver: execution.maneuver,
            full: execution.full,
            ionized,
            obstacles,
            overlapped: execution.overlapped.clone(),
        }
    }
}

/// An action that was performed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Performed {
    /// Which, and its colour.
    pub action: ColoredAction,
    /// The ship or object that it was about.
    pub target: Option<ObjectId>,
    /// Whether the ship was stressed when it performed it.
    pub stressed: bool,
}

impl Performed {
    /// What conditions ask about an action that was performed.
    pub fn of(kind: ActionKind, difficulty: Difficulty, detail: &ActionDetail, stressed: bool) -> Self {
        let target = match detail {
            ActionDetail::Lock(id) | ActionDetail::Jam(id) | ActionDetail::Coordinate(id) => Some(id.clone()),
            _ => None,
        };
        Performed {
            action: ColoredAction { kind, difficulty },
            target,
            stressed,
        }
    }
}

/// What exactly happened.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Happening {
    /// Nothing more than the moment itself.
    #[default]
    Moment,
    /// A maneuver is or was executed.
    Maneuver(Box<Moved>),
    /// An action was performed.
    Action(Performed),
    /// Tokens of a kind are or were gained, removed or spent.
    Token {
        /// Of which kind.
        token: TokenWord,
        /// How many.
        count: u32,
    },
    /// An object was locked.
    Lock(ObjectId),
    /// Damage would be, or was, suffered.
    Damage {
        /// How much.
        damage: Damage,
        /// Shields that were lost.
        shields: u8,
        /// Cards that were dealt.
        cards: u8,
        /// How many cards the ship had in play before: one that came with the damage does not answer it.
        known: usize,
    },
    /// An attack is over.
    Attack(Fought),
    /// A step of initiative in the Engagement Phase.
    Initiative(u8),
    /// A boost, a barrel roll or a decloak, and the obstacles that it went through or onto.
    Repositioned {
        /// Which of them.
        what: EventWord,
        /// The obstacles.
        obstacles: Vec<ObjectId>,
    },
    /// A damage card was dealt faceup, exposed or repaired.
    DamageCard {
        /// The card.
        card: Card,
        /// What happened to it.
        what: EventWord,
        /// Its place among the cards in play of its ship.
        place: usize,
        /// What it names as damaged.
        damaged: CardKind,
    },
}

/// One event: at a moment, to a ship.
#[derive(Debug, Clone, PartialEq)]
pub struct Occasion {
    /// Its number: no effect enters the queue twice for the same one.
    pub id: u64,
    /// The moment.
    pub window: Window,
    /// The place of the ship that it is about; `None` for moments of a phase, where every ship is its own subject.
    pub subject: Option<usize>,
    /// The place of the other ship, if there is one.
    pub other: Option<usize>,
    /// What happened.
    pub what: Happening,
}

impl Occasion {
    /// Whether a card was itself dealt faceup or exposed.
    pub fn is_turned_up(&self, ship: usize, card: usize) -> bool {
        match self.what {
            Happening::DamageCard { what, place, .. } => {
                what != EventWord::Repair && self.subject == Some(ship) && place == card
            }
            _ => false,
        }
    }

    /// Whether a card came into play with what happened, or has been carried out when it did: no effect of it answers.
    pub(super) fn came_with(&self, ship: usize, card: usize) -> bool {
        match self.what {
            Happening::Damage { known, .. } => self.subject == Some(ship) && card >= known,
            _ => self.is_turned_up(ship, card),
        }
    }

    /// The maneuver.
    pub fn maneuver(&self) -> Option<&Moved> {
        match &self.what {
            Happening::Maneuver(moved) => Some(moved),
            _ => None,
        }
    }

    /// The action.
    pub fn action(&self) -> Option<&Performed> {
        match &self.what {
            Happening::Action(action) => Some(action),
            _ => None,
        }
    }

    /// The token.
    pub fn token(&self) -> Option<TokenWord> {
        match self.what {
            Happening::Token { token, .. } => Some(token),
            _ => None,
        }
    }

    /// The attack that is over.
    pub fn attack(&self) -> Option<&Fought> {
        match &self.what {
            Happening::Attack(fought) => Some(fought),
            _ => None,
        }
    }

    /// The initiative that engages.
    pub fn initiative(&self) -> Option<u8> {
        match self.what {
            Happening::Initiative(initiative) => Some(initiative),
            _ => None,
        }
    }

    /// The obstacles that a ship went through or onto.
    pub fn obstacles(&self) -> Option<&[ObjectId]> {
        match &self.what {
            Happening::Maneuver(moved) => Some(&moved.obstacles),
            Happening::Repositioned { obstacles, .. } => Some(obstacles),
            _ => None,
        }
    }

    /// The object that was locked.
    pub fn object(&self) -> Option<&ObjectId> {
        match &self.what {
            Happening::Lock(object) => Some(object),
            _ => None,
        }
    }

    /// Whether it was that. `None` for words that nothing here tells.
    pub fn is(&self, word: EventWord) -> Option<bool> {
        let damage = match &self.what {
            Happening::Damage {
                damage, shields, cards, ..
            } => Some((*damage, *shields, *cards)),
            _ => None,
        };
        Some(match word {
            // A card that is dealt by itself is no damage.
            EventWord::Damage => damage.is_some_and(|(damage, ..)| damage.hits + damage.crits > 0),
            EventWord::Hit => damage.is_some_and(|(damage, ..)| damage.hits > 0),
            EventWord::Crit => damage.is_some_and(|(damage, ..)| damage.crits > 0),
            EventWord::ShieldLost => damage.is_some_and(|(_, shields, _)| shields > 0),
            EventWord::CardDealt => damage.is_some_and(|(.., cards)| cards > 0),
            EventWord::Expose | EventWord::Repair => {
                matches!(self.what, Happening::DamageCard { what, .. } if what == word)
            }
            EventWord::Overlap | EventWord::OverlapShip => {
                self.maneuver().is_some_and(|moved| !moved.overlapped.is_empty())
            }
            EventWord::Destroyed => self.window == Window::ShipDestroyed,
            EventWord::BarrelRoll | EventWord::Boost | EventWord::Decloak => {
                matches!(self.what, Happening::Repositioned { what, .. } if what == word)
            }
            EventWord::ShipCard | EventWord::PilotCard => {
                let wanted = match word {
                    EventWord::ShipCard => CardKind::Ship,
                    _ => CardKind::Pilot,
                };
                let Happening::DamageCard { damaged, .. } = &self.what else {
                    return None;
                };
                *damaged == wanted
            }
            // A card says it of itself: whoever asks for it knows which one that is.
            EventWord::DealtFaceup => return None,
            // Nothing docks, so nothing deploys.
            EventWord::Deploy | EventWord::EmergencyDeploy => false,
            _ => return None,
        })
    }
}
