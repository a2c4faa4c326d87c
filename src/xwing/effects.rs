//! The language of card effects: what a card does, as data.
//!
//! A card is a table of closed words (`docs/cards.md` is the user's page): when its effect comes up, what must hold, what it costs,
//! what happens. Nothing here executes anything, and no card is named; the interpreters of the windows read these values.
//!
//! | what | where |
//! |---|---|
//! | the moments and whose side the ship is on | [`window`] |
//! | what must hold | [`predicate`], [`spatial`], [`state`] |
//! | what is paid | [`cost`] |
//! | what happens | [`primitive`] |
//! | who, how many, which tokens, ranges and arcs | [`selector`], [`amount`], [`token`], [`range`], [`arc`] |
//! | an effect, a card, all cards | [`effect`], [`card`], [`book`] |
//! | the cards of a ship in play | [`in_play`] |
//! | what of a card is played | [`support`] |

mod check;
mod describe;
mod vocabulary;

pub mod amount;
pub mod arc;
pub mod book;
pub mod card;
pub mod cost;
pub mod effect;
pub mod in_play;
pub mod one_or_many;
pub mod predicate;
pub mod primitive;
pub mod range;
pub mod selector;
pub mod spatial;
pub mod state;
pub mod support;
pub mod token;
pub mod weapon;
pub mod window;

pub use self::{
    amount::Amount,
    book::CardBook,
    card::{CardEntry, CardId, CardKind},
    check::nested,
    cost::Cost,
    effect::Effect,
    in_play::{CardInPlay, CardsInPlay, Coming, EffectRef},
    one_or_many::OneOrMany,
    predicate::Predicate,
    primitive::Primitive,
    selector::{Query, Selector},
    state::State,
    support::{Support, Supports},
    token::TokenWord,
    window::{Role, Trigger, Window},
};
