//! What is paid for an effect: all of it or nothing.

use serde::{Deserialize, Serialize};

use super::{amount::Amount, one_or_many::OneOrMany, selector::Selector, token::TokenSet, vocabulary::vocabulary};

/// One part of a price.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cost {
    /// The action.
    Action,
    /// Charges of the card.
    Charge(Amount),
    /// Charges of another card.
    ChargeOf(ChargeOf),
    /// Force charges.
    Force(Amount),
    /// Energy.
    Energy(Amount),
    /// A token or a lock is spent.
    Spend(Spend),
    /// Harmful tokens are gained.
    Gain(Gain),
    /// Damage is suffered.
    Suffer(Suffer),
    /// Shields are spent.
    Shield(Amount),
    /// A result of a die is spent.
    Die(DieCost),
    /// A faceup side up for a facedown damage card of the own ship.
    Expose(Amount),
    /// The card is flipped.
    FlipThis,
    /// The maneuver becomes harder by so many steps.
    HarderManeuver(u8),
    /// One of these prices.
    Either(Vec<Vec<Cost>>),
}

impl Cost {
    /// Everybody whom it names.
    pub(super) fn selectors(&self) -> Vec<&Selector> {
        match self {
            Cost::Spend(spend) => std::iter::once(&spend.from).chain(&spend.on).collect(),
            Cost::Gain(gain) => vec![&gain.who],
            Cost::Suffer(suffer) => vec![&suffer.who],
            Cost::Either(prices) => prices.iter().flatten().flat_map(Cost::selectors).collect(),
            _ => Vec::new(),
        }
    }
}

vocabulary! {
    /// A card whose charges pay.
    pub enum ChargedCard {
        Astromech = "astromech": "an astromech",
        Torpedo = "torpedo": "a torpedo",
        Missile = "missile": "a missile",
        Illicit = "illicit": "an illicit card",
        Weapon = "weapon": "a special weapon",
        Upgrade = "upgrade": "another upgrade",
    }
}

/// Charges of another card.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChargeOf {
    /// Which card.
    pub card: ChargedCard,
    /// How many.
    #[serde(default, skip_serializing_if = "Amount::is_one")]
    pub n: Amount,
}

/// Tokens that are spent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spend {
    /// Of which kind.
    pub token: TokenSet,
    /// How many.
    #[serde(default, skip_serializing_if = "Amount::is_one")]
    pub n: Amount,
    /// Whose token.
    #[serde(default, skip_serializing_if = "Selector::is_own")]
    pub from: Selector,
    /// For a lock: on whom, when it is not any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on: Option<Selector>,
}

/// Harmful tokens that are gained.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Gain {
    /// Who gains them.
    #[serde(skip_serializing_if = "Selector::is_own")]
    pub who: Selector,
    /// Stress tokens.
    #[serde(skip_serializing_if = "is_zero")]
    pub stress: u8,
    /// Strain tokens.
    #[serde(skip_serializing_if = "is_zero")]
    pub strain: u8,
    /// Deplete tokens.
    #[serde(skip_serializing_if = "is_zero")]
    pub deplete: u8,
    /// Disarm tokens.
    #[serde(skip_serializing_if = "is_zero")]
    pub disarm: u8,
    /// Ion tokens.
    #[serde(skip_serializing_if = "is_zero")]
    pub ion: u8,
    /// Tractor tokens.
    #[serde(skip_serializing_if = "is_zero")]
    pub tractor: u8,
}

/// Damage that is suffered.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Suffer {
    /// Who suffers it.
    #[serde(skip_serializing_if = "Selector::is_own")]
    pub who: Selector,
    /// Hits.
    #[serde(skip_serializing_if = "is_zero")]
    pub hit: u8,
    /// Crits.
    #[serde(skip_serializing_if = "is_zero")]
    pub crit: u8,
    /// Damage of the kind that the effect takes away.
    #[serde(skip_serializing_if = "is_zero")]
    pub matching: u8,
}

/// A die that is spent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DieCost {
    /// With one of these faces.
    pub faces: OneOrMany<super::primitive::FaceWord>,
    /// How many dice.
    #[serde(default, skip_serializing_if = "Amount::is_one")]
    pub n: Amount,
}

pub(super) fn is_zero(value: &u8) -> bool {
    *value == 0
}
