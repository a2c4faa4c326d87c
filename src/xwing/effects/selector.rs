//! Whom an effect means.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{
    amount::Amount, arc::ArcWord, one_or_many::OneOrMany, predicate::Predicate, range::RangeSpan, state::State,
    vocabulary::vocabulary,
};

vocabulary! {
    /// A word for one ship or thing, or for a group of them.
    pub enum Party {
        Own = "self": "the card's own ship",
        Subject = "subject": "the ship that the window is about",
        Other = "other": "the opponent of the subject in the attack, or the other ship of the event",
        Attacker = "attacker": "the attacker",
        Defender = "defender": "the defender",
        Target = "target": "the chosen ship or thing",
        SecondTarget = "second_target": "the second choice",
        Each = "each": "each one that `for_each` comes to",
        ThisDevice = "device": "the device that the event is about",
        ConditionSource = "condition_source": "the ship whose card assigned the condition",
        CoordinatedShip = "coordinated_ship": "the ship that was chosen to coordinate",
        JammedShip = "jammed_ship": "the ship that was jammed",
        LockedObject = "locked_object": "the object that was locked",
        Carrier = "carrier": "the ship that carries the own one",
        ThisCard = "card": "the card itself",
        Attack = "attack": "the attack itself",
        Obstacle = "obstacle": "an obstacle",
        Friend = "friend": "a friendly ship, the own one included",
        OtherFriend = "other_friend": "another friendly ship",
        Enemy = "enemy": "an enemy ship",
        AnyShip = "any_ship": "any ship",
        OtherShip = "other_ship": "any ship but the own one",
        AnyShipOrRemote = "any_ship_or_remote": "any ship or remote",
        FriendOfSubject = "friend_of_subject": "a ship friendly to the subject, but another one",
        FriendOfAttacker = "friend_of_attacker": "a ship friendly to the attacker, but another one",
        FriendOfDefender = "friend_of_defender": "a ship friendly to the defender, but another one",
        EnemyOfSubject = "enemy_of_subject": "an enemy of the subject",
        OtherThanDefender = "other_ship_than_defender": "any ship but the defender",
        Wing = "wing": "a ship of the own wing",
        FriendlyDevice = "friendly_device": "a friendly device",
        FriendlyBomb = "friendly_bomb": "a friendly bomb",
        FriendlyRemote = "friendly_remote": "a friendly remote",
        EnemyRemote = "enemy_remote": "an enemy remote",
        Device = "any_device": "a device",
        BombOrMine = "bomb_or_mine": "a bomb or mine",
        Object = "object": "anything that may be locked",
        ShipMovedThrough = "ship_moved_through": "a ship that was moved through",
        DieRerolled = "die_rerolled": "a die that was rerolled",
        OwnToken = "own_token": "a token of the own ship",
        OtherToken = "other_token": "a token of the other ship",
        TokenRemoved = "token_removed": "a token that was removed",
        OwnDamageCard = "own_damage_card": "a damage card of the own ship",
        FriendlyLockOnDefender = "friendly_lock_on_defender": "a lock that a friendly ship has on the defender",
    }
}

/// A party, or a name that `as` gave to a choice.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum Selector {
    /// A word of the language.
    Party(Party),
    /// A choice by its name.
    Named(String),
}

impl Selector {
    /// The card's own ship.
    pub const OWN: Selector = Selector::Party(Party::Own);

    /// Whether it is the card's own ship.
    pub fn is_own(&self) -> bool {
        *self == Selector::OWN
    }
}

impl Default for Selector {
    fn default() -> Self {
        Selector::OWN
    }
}

impl From<String> for Selector {
    fn from(text: String) -> Self {
        match Party::ALL.iter().find(|party| party.word() == text) {
            Some(&party) => Selector::Party(party),
            None => Selector::Named(text),
        }
    }
}

impl From<Selector> for String {
    fn from(selector: Selector) -> String {
        selector.to_string()
    }
}

impl From<Party> for Selector {
    fn from(party: Party) -> Self {
        Selector::Party(party)
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Selector::Party(party) => party.fmt(f),
            Selector::Named(name) => f.write_str(name),
        }
    }
}

/// Ships or things of a kind, with what must hold of each: what an effect chooses among, repeats for, or counts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Query {
    /// Of which kind.
    pub who: Party,
    /// In this arc, or one of these.
    #[serde(default, skip_serializing_if = "OneOrMany::is_empty")]
    pub arc: OneOrMany<ArcWord>,
    /// Whose arc; the own ship's when nothing is said.
    #[serde(default, skip_serializing_if = "Selector::is_own")]
    pub arc_of: Selector,
    /// At this range.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<RangeSpan>,
    /// Measured from whom; the own ship when nothing is said.
    #[serde(default, skip_serializing_if = "Selector::is_own")]
    pub range_of: Selector,
    /// In this state, or in all of these.
    #[serde(default, skip_serializing_if = "OneOrMany::is_empty")]
    pub state: OneOrMany<State>,
    /// In none of these states.
    #[serde(default, skip_serializing_if = "OneOrMany::is_empty")]
    pub not_state: OneOrMany<State>,
    /// What else must hold; `target` is the one that is looked at.
    #[serde(default, rename = "if", skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Predicate>,
    /// How many are chosen; one when nothing is said.
    #[serde(default, skip_serializing_if = "Amount::is_one")]
    pub count: Amount,
    /// A name for the choice.
    #[serde(default, rename = "as", skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}
