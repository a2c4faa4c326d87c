//! Dice of an attack.

use serde::{Deserialize, Serialize};

use crate::{
    dice::AttackFace,
    xwing::effects::{
        amount::Amount, one_or_many::OneOrMany, range::RangeSpan, selector::Selector, token::TokenSet,
        token::TokenWord, vocabulary::vocabulary,
    },
};

vocabulary! {
    /// Faces of dice, and groups of faces.
    pub enum FaceWord {
        Hit = "hit": "a hit",
        Crit = "crit": "a critical hit",
        Evade = "evade": "an evade",
        Focus = "focus": "a focus",
        Blank = "blank": "a blank",
        Success = "success": "a hit or an evade, by whose die it is",
        Matching = "matching": "the face that the event is about",
        Named = "named": "the face that the owner has named",
        Any = "any": "any face",
    }
}

impl FaceWord {
    /// Whether an attack die that shows this face is meant. Words that only an event can tell mean none.
    pub const fn is_attack(self, face: AttackFace) -> bool {
        match self {
            FaceWord::Hit => matches!(face, AttackFace::Hit),
            FaceWord::Crit => matches!(face, AttackFace::Crit),
            FaceWord::Focus => matches!(face, AttackFace::Focus),
            FaceWord::Blank => matches!(face, AttackFace::Blank),
            FaceWord::Success => matches!(face, AttackFace::Hit | AttackFace::Crit),
            FaceWord::Any => true,
            FaceWord::Evade | FaceWord::Matching | FaceWord::Named => false,
        }
    }
}

vocabulary! {
    /// Pools of dice.
    pub enum Pool {
        Attack = "attack": "attack dice",
        Defence = "defence": "defence dice",
        Own = "own": "the dice of the subject",
        Check = "check": "dice rolled outside an attack",
    }
}

vocabulary! {
    /// Whose dice. Without it: those of the window.
    pub enum Whose {
        Own = "self": "those of the subject",
        Other = "other": "those of its opponent",
    }
}

/// More or fewer dice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DiceCount {
    /// Of which pool.
    pub dice: Pool,
    /// How many more.
    pub by: i8,
}

/// A limit for the number of dice.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DiceLimit {
    /// Of which pool.
    pub dice: Pool,
    /// At least so many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<Amount>,
    /// At most so many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<Amount>,
}

/// Dice are rerolled. Exactly one of `n` and `up_to` is given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reroll {
    /// Of which pool.
    pub dice: Pool,
    /// Exactly so many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub n: Option<Amount>,
    /// So many or fewer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub up_to: Option<Amount>,
    /// Only dice with one of these faces.
    #[serde(default, skip_serializing_if = "OneOrMany::is_empty")]
    pub faces: OneOrMany<FaceWord>,
    /// The roller must reroll whatever the owner picks.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub forced: bool,
    /// It does not count as rerolling.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub uncounted: bool,
}

/// Results become another face. Exactly one of `n` and `up_to` is given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChangeResult {
    /// Whose results; those of the window's dice when nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whose: Option<Whose>,
    /// From one of these faces.
    pub from: OneOrMany<FaceWord>,
    /// To this one.
    pub to: FaceWord,
    /// Exactly so many, as far as there are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub n: Option<Amount>,
    /// So many or fewer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub up_to: Option<Amount>,
    /// Who picks the dice, when it is not the owner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Selector>,
}

/// Results are added.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AddResult {
    /// Of which face.
    pub face: FaceWord,
    /// How many.
    #[serde(default, skip_serializing_if = "Amount::is_one")]
    pub n: Amount,
    /// To whose results; those of the window's dice when nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whose: Option<Whose>,
}

/// Results are cancelled.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CancelResult {
    /// Of one of these faces.
    pub faces: OneOrMany<FaceWord>,
    /// How many.
    pub n: Amount,
}

vocabulary! {
    /// Ways of changing dice.
    pub enum Modification {
        All = "all": "any modification",
        Reroll = "reroll": "rerolling",
        SpendFocus = "spend_focus": "spending focus tokens",
        SpendCalculate = "spend_calculate": "spending calculate tokens",
        SpendEvade = "spend_evade": "spending evade tokens",
        SpendGreen = "spend_green": "spending green tokens",
        SpendToken = "spend_token": "spending tokens",
        SpendNamed = "spend_named": "spending green tokens of the kind that was named",
        SpendLock = "spend_lock": "spending locks",
        LockReroll = "lock_reroll": "rerolling own dice by a lock",
        LockDefault = "lock_default": "what a lock does by itself",
        SecondFocus = "second_focus": "spending a second focus token",
        Force = "force": "what Force charges do by themselves",
    }
}

/// Modifying dice is forbidden or limited. At least one of the keys but `whose` is given.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RestrictModification {
    /// Whose dice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub whose: Option<Whose>,
    /// What is forbidden.
    #[serde(skip_serializing_if = "OneOrMany::is_empty")]
    pub forbid: OneOrMany<Modification>,
    /// What alone is allowed.
    #[serde(skip_serializing_if = "OneOrMany::is_empty")]
    pub only: OneOrMany<Modification>,
    /// How many dice at most may be rerolled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_rerolls: Option<u8>,
}

vocabulary! {
    /// How results are neutralized.
    pub enum NeutralizeRule {
        CritFirst = "crit_first": "crits are cancelled before hits",
        EvadeNotCrit = "evade_not_crit": "evades do not cancel crits",
    }
}

/// How results are neutralized.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NeutralizeOrder {
    /// How.
    pub rule: NeutralizeRule,
}

vocabulary! {
    /// What becomes of the range bonus.
    pub enum RangeBonusRule {
        None = "none": "it is not applied",
        AsRange1 = "as_range_1": "that of range 1 is applied",
    }
}

/// What becomes of the range bonus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RangeBonus {
    /// What becomes of it.
    pub rule: RangeBonusRule,
    /// Whose, when it is not that of the window.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whose: Option<Whose>,
}

/// The attack range counts as another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TreatAttackRange {
    /// This range.
    pub from: RangeSpan,
    /// Counts as this one.
    pub to: u8,
}

/// No dice are rolled; the attack counts as hitting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TreatAsHit {}

/// What results give.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Inflicted {
    /// Damage.
    Damage(InflictedDamage),
    /// A token for each result.
    Token(TokenWord),
    /// Nothing.
    Nothing,
}

/// Damage that results give.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct InflictedDamage {
    /// Hits.
    #[serde(skip_serializing_if = "crate::xwing::effects::cost::is_zero")]
    pub hit: u8,
    /// Crits.
    #[serde(skip_serializing_if = "crate::xwing::effects::cost::is_zero")]
    pub crit: u8,
}

/// Results give something else than damage: the first so much, the rest that.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InflictInstead {
    /// Only results of these faces; all when nothing is said.
    #[serde(default, skip_serializing_if = "OneOrMany::is_empty")]
    pub faces: OneOrMany<FaceWord>,
    /// What the attack gives before the rest is counted; it takes up as many results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<Inflicted>,
    /// What every result left over gives.
    pub rest: Inflicted,
}

vocabulary! {
    /// What may be lent.
    pub enum Lent {
        Focus = "focus": "focus tokens",
        Evade = "evade": "evade tokens",
        Calculate = "calculate": "calculate tokens",
        Force = "force": "Force charges",
        ForceAsDefault = "force_as_default": "Force charges, only for what they do by themselves",
        NetworkedRange = "networked_range": "the range at which calculate tokens are lent grows",
        Lock = "lock": "locks",
    }
}

/// A ship may spend what another one has.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LendResource {
    /// What.
    pub what: OneOrMany<Lent>,
    /// Whose it is.
    #[serde(default, skip_serializing_if = "Selector::is_own")]
    pub owner: Selector,
    /// Who spends it.
    pub spender: Selector,
    /// Tokens of these kinds that the spender has may not be spent then.
    #[serde(default, skip_serializing_if = "OneOrMany::is_empty")]
    pub instead_of: TokenSet,
}

vocabulary! {
    /// What becomes of obstruction.
    pub enum ObstructionRuleWord {
        IgnoreBeyondZero = "ignore_beyond_0": "obstacles that are not at range 0 do not obstruct",
    }
}

/// What becomes of obstruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ObstructionRule {
    /// What becomes of it.
    pub rule: ObstructionRuleWord,
}
