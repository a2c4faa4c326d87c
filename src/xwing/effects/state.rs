//! What a ship may be like.

use serde::{Deserialize, Serialize};

use super::{
    one_or_many::OneOrMany,
    predicate::{ActionWord, ManeuverFilter, Terrain},
    selector::Selector,
    token::{TokenSet, TokenWord},
};
use crate::xwing::size::Size;

/// A state of a ship, or a fact about it. *Own* is the card's ship.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// It has a stress token.
    Stressed,
    /// It has a strain token.
    Strained,
    /// It has a deplete token.
    Depleted,
    /// It has a disarm token.
    Disarmed,
    /// It has a jam token.
    Jammed,
    /// It has as many tractor tokens as its size takes.
    Tractored,
    /// It has as many ion tokens as its size takes.
    Ionized,
    /// It is cloaked.
    Cloaked,
    /// It touches a ship (FE-4.7).
    Touching,
    /// It has a focus token.
    Focused,
    /// It has an evade token.
    Evading,
    /// It has a calculate token.
    Calculating,
    /// It has a reinforce token.
    Reinforced,
    /// It has a token of this kind.
    Has(TokenSet),
    /// It has that many tokens of a kind.
    Tokens(TokenCount),
    /// It has a damage card.
    Damaged,
    /// It has a faceup damage card.
    CriticallyDamaged,
    /// It has no more damage cards than this.
    DamageCardsAtMost(u8),
    /// It has no more hull left than this.
    HullAtMost(u8),
    /// It has a shield left.
    Shielded,
    /// It has all its shields.
    ShieldsFull,
    /// The card has an active charge.
    ChargeActive,
    /// The card lacks a charge.
    ChargeDeficit,
    /// It has an active Force charge.
    ForceActive,
    /// All its Force charges are active.
    ForceFull,
    /// It lacks a Force charge.
    ForceDeficit,
    /// It has a lock on its opponent in the attack.
    HasLockOnOther,
    /// It has a lock on the attacker.
    HasLockOnAttacker,
    /// It has a lock on the defender.
    HasLockOnDefender,
    /// It has a lock on the own ship.
    HasLockOnSelf,
    /// The own ship has a lock on it.
    LockedBySelf,
    /// A friendly ship has a lock on it.
    LockedByFriend,
    /// An enemy has a lock on it.
    LockedByEnemy,
    /// The attacker has a lock on it.
    LockedByAttacker,
    /// An enemy has just locked it.
    JustLockedByEnemy,
    /// It has spent a calculate token in this attack.
    SpentCalculate,
    /// It has spent a green token in this attack.
    SpentGreen,
    /// It has defended this round.
    Defended,
    /// It has engaged this round.
    Engaged,
    /// It has performed one of these actions this round.
    Performed(OneOrMany<ActionWord>),
    /// It has such an action on its bar.
    OnBar(OneOrMany<ActionWord>),
    /// The action of the event is on its bar.
    ActionOnItsBar,
    /// It is destroyed.
    Destroyed,
    /// It is friendly to the own ship.
    Friendly,
    /// It carries a docked ship.
    Carrying,
    /// It is docked.
    Docked,
    /// Its configuration shows this side.
    Configuration(ConfigurationSide),
    /// Its configuration shows the same side as the own one.
    SameConfiguration,
    /// It is the ship whose card assigned the condition.
    ConditionSource,
    /// It has this condition.
    Condition(String),
    /// It is limited.
    Limited,
    /// It is not limited.
    NonLimited,
    /// It is one of these ships, by pilot; a name covers all versions of the pilot (`howlrunner`, `howlrunner-...`).
    Pilot(OneOrMany<String>),
    /// It is of one of these ship types.
    Ship(OneOrMany<String>),
    /// It is of the own ship type.
    SameShip,
    /// It has one of these ship abilities.
    ShipAbility(OneOrMany<String>),
    /// It has one of these keywords.
    Keyword(OneOrMany<String>),
    /// It has one of these upgrades.
    Upgrade(OneOrMany<String>),
    /// It has an upgrade of this name too.
    SameUpgrade,
    /// It has an upgrade of one of these types.
    UpgradeType(OneOrMany<String>),
    /// It is of one of these sizes.
    Size(OneOrMany<Size>),
    /// Its base is smaller than the own one.
    Smaller,
    /// Its base is larger than the own one.
    Larger,
    /// Its initiative compares so.
    Initiative(InitiativeTest),
    /// It has revealed such a maneuver.
    Revealed(ManeuverFilter),
    /// It has revealed a maneuver of the own speed.
    SameRevealedSpeed,
    /// It overlaps such an object.
    Overlaps(OneOrMany<Terrain>),
    /// It obstructs the attack.
    ObstructsTheAttack,
    /// The attack is obstructed by an obstacle.
    ObstructedByObstacle,
    /// Any of these.
    AnyOf(Vec<State>),
}

/// That many tokens of a kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TokenCount {
    /// Of which kind.
    pub token: TokenWord,
    /// This many or more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_least: Option<u8>,
    /// This many or fewer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_most: Option<u8>,
}

/// Sides of a configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConfigurationSide {
    /// The side called open, or the second side.
    Open,
    /// The side called closed, or the first side.
    Closed,
}

/// A comparison of initiatives.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InitiativeTest {
    /// Lower than that of this ship.
    LowerThan(Selector),
    /// Higher than that of this ship.
    HigherThan(Selector),
    /// Equal to that of this ship or higher.
    NotLowerThan(Selector),
    /// Equal to that of this ship or lower.
    NotHigherThan(Selector),
    /// This or higher.
    AtLeast(u8),
    /// This or lower.
    AtMost(u8),
}
