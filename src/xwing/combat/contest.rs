//! Attacks in which more than tokens touches the dice: every window of an attack, with effects as data, played exactly.
//!
//! A [`Contest`] holds both pools, what both sides have to spend ([`Resource`]) and what may be done with it ([`Effect`]:
//! cards and tokens alike). Its rules are one transition function over a small [`State`]: the dice as a multiset of face
//! and "already rerolled", the effects and resources that are left, and how far the attack has come. The same function
//! serves the [`Solver`], which looks at every roll, and a battle, which has real dice.
//!
//! | what | where |
//! |---|---|
//! | faces, sets of faces, a pool of dice | [`faces`] |
//! | effects, what they cost and what they need | [`effect`] |
//! | the sides, and the windows in their order | [`schedule`] |
//! | where an attack stands; the transitions | [`state`] |
//! | which dice a change may be about; what still matters at a stage | `picks`, `live` |
//! | tokens as effects | [`tokens`] |
//! | what is expected of a state, and which step is best | [`solver`] |
//!
//! The order of an attack is fixed and one side decides at a time, so the attack is solved from its end: each window is a
//! decision process of one player whose value is that of the next window.

pub mod effect;
pub mod faces;
mod live;
mod picks;
pub mod schedule;
pub mod solver;
pub mod state;
pub mod tokens;

pub use self::{
    effect::{Ban, CancelOrder, Capped, Change, Effect, HowMany, Need, Price, Resource, ResourceKind},
    faces::{Dice, Face, FaceSet, Pool},
    schedule::{Side, Window, WindowSet},
    solver::{Choice, Solved, Solver, Weighed, Worth},
    state::{Contest, ContestError, Point, State, Step},
    tokens::Tools,
};
