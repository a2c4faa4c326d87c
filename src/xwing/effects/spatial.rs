//! Geometry among three places, and counts that are compared.

use serde::{Deserialize, Serialize};

use super::{
    arc::ArcWord,
    one_or_many::OneOrMany,
    range::RangeSpan,
    selector::{Query, Selector},
    state::State,
};

/// Somebody is in an arc of somebody, at a range of somebody, in a state; for a group: at least one is, unless `quantity`
/// says otherwise.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spatial {
    /// Who.
    pub who: Selector,
    /// In this arc, or one of these.
    #[serde(default, skip_serializing_if = "OneOrMany::is_empty")]
    pub in_arc: OneOrMany<ArcWord>,
    /// Of whom; the own ship when nothing is said.
    #[serde(default, skip_serializing_if = "Selector::is_own")]
    pub of: Selector,
    /// At this range.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_range: Option<RangeSpan>,
    /// Of whom; the own ship when nothing is said.
    #[serde(default, skip_serializing_if = "Selector::is_own")]
    pub range_of: Selector,
    /// In this state, or in all of these.
    #[serde(default, skip_serializing_if = "OneOrMany::is_empty")]
    pub state: OneOrMany<State>,
    /// How many of a group.
    #[serde(default, skip_serializing_if = "Quantity::is_some")]
    pub quantity: Quantity,
}

/// How many of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Quantity {
    /// At least one.
    #[default]
    Some,
    /// Nobody.
    None,
    /// This many or more.
    AtLeast(u8),
}

impl Quantity {
    fn is_some(&self) -> bool {
        *self == Quantity::Some
    }
}

/// How many ships or things qualify.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Count {
    /// Which.
    pub of: Query,
    /// This many or more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_least: Option<u8>,
    /// This many or fewer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_most: Option<u8>,
}

/// Two numbers compared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Compare {
    /// The one.
    pub left: Number,
    /// How.
    pub is: Comparison,
    /// The other.
    pub right: Number,
}

/// Comparisons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Comparison {
    /// The left one is greater.
    Greater,
    /// They are equal.
    Equal,
    /// The left one is less.
    Less,
}

/// A number of the game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Number {
    /// How many qualify.
    Count(Box<Query>),
    /// A ship's initiative.
    Initiative(Selector),
    /// A ship's damage cards.
    DamageCards(Selector),
    /// A ship's shields.
    Shields(Selector),
    /// Results that are not cancelled.
    Results,
}
