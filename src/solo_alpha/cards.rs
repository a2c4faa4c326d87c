//! SA-12: whether and how a solo ship uses what its cards offer.
//!
//! | what | where |
//! |---|---|
//! | the ladder: what decides about an optional effect | [`ladder`] |
//! | actions that cards give | [`actions`] |
//! | moves: the three tests, measured beforehand, and which of several ends | [`moves`] |
//! | what harms and gains are worth; choices that are forced | [`losses`], [`forced`] |
//! | whether a ship may still fight this round | [`chances`] |
//! | actions that cards add to those of the bar | [`header`] |
//! | between the reveal and the move | [`reveal`] |
//! | cards with two sides | [`sides`] |

pub mod actions;
pub mod chances;
pub mod forced;
pub mod header;
pub mod ladder;
pub mod losses;
pub mod moves;
pub mod reveal;
pub mod sides;

use super::{MoveResult, Options, attitude::Attitude};
use crate::{
    decision::Reason,
    dice::DiceSource,
    xwing::{
        ObjectId,
        battle::{Battle, Choice, Offer, Order},
        effects::{Effect, Window},
    },
};

/// The activation in which a card comes up, if it is the ship's own.
#[derive(Debug, Clone, PartialEq)]
pub struct Context {
    /// The ship that activates.
    pub ship: ObjectId,
    /// Its attitude.
    pub attitude: Attitude,
    /// What became of its move.
    pub result: MoveResult,
}

/// What is decided about an offer.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CardDecision {
    /// The place of what is chosen; `None` for none of it.
    pub choice: Option<usize>,
    /// The actions that the effect will give, as they will be taken: by which ship, and how.
    pub orders: Vec<(ObjectId, Order)>,
    /// Why.
    pub reasons: Vec<Reason>,
}

/// SA-12: what a solo ship chooses of what a card offers. `battle` is where the offer is asked about.
pub fn decide(
    battle: &Battle,
    offer: &Offer,
    context: Option<&Context>,
    options: &Options,
    dice: &mut dyn DiceSource,
) -> CardDecision {
    if let Some(key) = &offer.asks {
        // An effect that the program does not know is the players' to carry out; play goes on without it.
        return CardDecision {
            choice: offer.default,
            orders: Vec::new(),
            reasons: vec![Reason {
                rule: "SA-12".to_owned(),
                text: format!("ask {}: {key} is left to the players", offer.card),
                compared: Vec::new(),
            }],
        };
    }
    if let Some(offered) = battle.maneuvers_offered() {
        return reveal::pick(battle, offer, offered, options);
    }
    match offer.choices.first() {
        None => CardDecision::default(),
        Some(Choice::Move(_)) => forced::by_tests(battle, offer, options, dice),
        Some(Choice::Turn(_) | Choice::Rotate(_)) => forced::by_tests(battle, offer, options, dice),
        Some(Choice::Branch { .. } | Choice::Token(_)) => forced::least_loss(battle, offer, options, dice),
        Some(Choice::Use { .. } | Choice::Done) => match battle.offered(offer) {
            Some(effect) if offer.window == Window::ActionHeader => {
                header::decide(battle, offer, effect, context, options)
            }
            Some(effect) if reveal::changes_the_move(effect) => reveal::decide(battle, offer, effect, options),
            Some(effect) if sides::only_turns(effect) => sides::decide(battle, offer, dice),
            Some(effect) => ladder::decide(battle, offer, effect, context, options, dice),
            None => CardDecision::default(),
        },
    }
}

fn reason(offer: &Offer, text: String) -> Reason {
    Reason {
        rule: "SA-12".to_owned(),
        text: format!("{}: {text}", offer.card),
        compared: Vec::new(),
    }
}

/// Whether an effect costs more than charges of its own card.
fn is_dear(effect: &Effect) -> bool {
    use crate::xwing::effects::Cost;
    effect.cost.iter().any(|cost| !matches!(cost, Cost::Charge(_)))
}
