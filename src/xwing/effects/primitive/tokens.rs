//! Tokens, locks, charges.

use serde::{Deserialize, Serialize};

use crate::xwing::effects::{
    amount::Amount, one_or_many::OneOrMany, selector::Selector, token::TokenSet, vocabulary::vocabulary,
};

/// A ship gains tokens; of several kinds the owner picks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GainToken {
    /// Who.
    #[serde(default, skip_serializing_if = "Selector::is_own")]
    pub who: Selector,
    /// Which.
    pub token: TokenSet,
    /// How many.
    #[serde(default, skip_serializing_if = "Amount::is_one")]
    pub n: Amount,
}

/// A ship loses tokens; of several kinds the owner picks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RemoveToken {
    /// Who.
    #[serde(default, skip_serializing_if = "Selector::is_own")]
    pub who: Selector,
    /// Which.
    pub token: TokenSet,
    /// How many.
    #[serde(default, skip_serializing_if = "Amount::is_one")]
    pub n: Amount,
}

/// Tokens go from one ship to another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TransferToken {
    /// Whose token.
    #[serde(default, skip_serializing_if = "Selector::is_own")]
    pub from: Selector,
    /// Who gets it.
    #[serde(default, skip_serializing_if = "Selector::is_own")]
    pub to: Selector,
    /// Which.
    pub token: TokenSet,
    /// How many.
    #[serde(default, skip_serializing_if = "Amount::is_one")]
    pub n: Amount,
}

vocabulary! {
    /// What a token becomes before it is gained.
    pub enum TokenReplacement {
        Redirect = "redirect": "another ship gains it",
        Action = "action": "the ship performs the action instead",
        Stress = "stress": "a stress token",
        Evade = "evade": "an evade token",
        Jam = "jam": "a jam token",
        Tractor = "tractor": "a tractor token",
        OnCard = "on_card": "it is laid on the card",
    }
}

/// A token that would be gained becomes something else.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReplaceToken {
    /// What.
    pub with: OneOrMany<TokenReplacement>,
    /// Who gains it then, when it is another ship.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Selector>,
}

/// Tokens are not removed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeepToken {
    /// Whose.
    #[serde(default, skip_serializing_if = "Selector::is_own")]
    pub who: Selector,
    /// Which.
    pub token: TokenSet,
    /// How many of them.
    #[serde(default = "all", skip_serializing_if = "is_all")]
    pub n: Amount,
}

fn all() -> Amount {
    Amount::All
}

fn is_all(amount: &Amount) -> bool {
    *amount == Amount::All
}

/// A ship acquires a lock.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AcquireLock {
    /// Who.
    #[serde(default, skip_serializing_if = "Selector::is_own")]
    pub who: Selector,
    /// On whom.
    pub on: Selector,
}

vocabulary! {
    /// Rules of locks.
    pub enum LockRule {
        Max2 = "max_2": "it may have two locks",
        Max3 = "max_3": "it may have three locks",
        CannotBeLocked = "cannot_be_locked": "it cannot be locked",
        RangeBeyond3 = "range_beyond_3": "it may lock beyond range 3",
        Beyond3Not1 = "beyond_3_not_1": "it locks beyond range 3, not at range 1",
        Range1To4 = "range_1_4": "it locks at range 1-4",
        AnyRange = "any_range": "it locks at any range",
        AnyRangeOnMarked = "any_range_on_marked": "it locks the marked ship at any range",
        FromFriends = "measured_from_friends": "range is measured from a friendly ship",
        FromRemote = "measured_from_remote": "range is measured from a remote",
        ForFriends = "for_friends": "friendly ships do so",
    }
}

vocabulary! {
    /// What comes back or is lost.
    pub enum Resource {
        Charge = "charge": "charges",
        Force = "force": "Force charges",
        Shield = "shield": "shields",
        Energy = "energy": "energy",
        Recovery = "recovery": "what would be recovered",
    }
}

vocabulary! {
    /// Cards whose charges are meant.
    pub enum CardWord {
        This = "this": "this card",
        Upgrade = "upgrade": "an upgrade",
        Talent = "talent": "a talent",
        Weapon = "weapon": "a special weapon",
        Illicit = "illicit": "an illicit card",
        Astromech = "astromech": "an astromech",
        Chosen = "chosen": "the chosen card",
        Any = "any": "any card",
    }
}

/// Something comes back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recover {
    /// What.
    pub what: Resource,
    /// How many.
    #[serde(default, skip_serializing_if = "Amount::is_one")]
    pub n: Amount,
    /// Whose.
    #[serde(default, skip_serializing_if = "Selector::is_own")]
    pub who: Selector,
    /// Of which card, for charges: this one when nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<CardWord>,
}

/// Something is lost, not as a price.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lose {
    /// What.
    pub what: Resource,
    /// How many.
    #[serde(default, skip_serializing_if = "Amount::is_one")]
    pub n: Amount,
    /// Whose.
    #[serde(default, skip_serializing_if = "Selector::is_own")]
    pub who: Selector,
    /// Of which card, for charges: this one when nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<CardWord>,
}

vocabulary! {
    /// What is done with tokens on the card.
    pub enum Banking {
        Store = "store": "tokens are laid on the card",
        Take = "take": "tokens are taken from the card",
        AddFuse = "add_fuse": "a fuse marker is laid on the device",
        RemoveFuse = "remove_fuse": "a fuse marker is taken from the device",
    }
}

/// Tokens lie on the card.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CardBank {
    /// What is done.
    pub how: Banking,
    /// Which tokens.
    #[serde(default, skip_serializing_if = "OneOrMany::is_empty")]
    pub token: TokenSet,
    /// How many.
    #[serde(default, skip_serializing_if = "Amount::is_one")]
    pub n: Amount,
}
