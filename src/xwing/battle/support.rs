//! Which interpreters of card effects a battle has. Each declares what it carries out; what a card is said to be (played,
//! partly, asked) follows from this list alone.

use super::attack;
use crate::xwing::effects::Supports;

/// The interpreters of card effects, each with what it declares.
pub const INTERPRETERS: &[Supports] = &[attack::support::supports];
