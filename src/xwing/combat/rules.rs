//! What of the rules of a table counts on the dice of an attack.

use crate::xwing::edition::{AddedResult, Evade, Reinforce, Rules, TokenSpending, TokenUse};

/// How tokens and results behave in an attack. The default is the second edition's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DiceRules {
    /// What an evade token does (SA-11, FE-6.5).
    pub evade: Evade,
    /// What a reinforce token does (FE-6.9).
    pub reinforce: Reinforce,
    /// How many tokens of a kind a step takes (FE-8.8).
    pub token_spending: TokenSpending,
    /// Which dice tokens may be spent on (FE-6.6, FE-6.13, FE-8.7).
    pub token_use: TokenUse,
    /// What an added result is to later effects (FE-8.7).
    pub added_result: AddedResult,
}

impl DiceRules {
    /// The second edition's.
    pub const SECOND: DiceRules = DiceRules::of(&Rules::SECOND);
    /// The first edition's, by its later rules.
    pub const FIRST: DiceRules = DiceRules::of(&Rules::FIRST);

    /// Those of a table.
    pub const fn of(rules: &Rules) -> Self {
        DiceRules {
            evade: rules.evade,
            reinforce: rules.reinforce,
            token_spending: rules.token_spending,
            token_use: rules.token_use,
            added_result: rules.added_result,
        }
    }

    /// The most tokens of one kind that a step takes: no ship has more than 31 worth counting (FE-8.8, FE-14.14).
    pub const fn most_spent(&self) -> u8 {
        match self.token_spending {
            TokenSpending::OneOfAKind => 1,
            TokenSpending::Unlimited => 31,
        }
    }

    /// Whether tokens may be spent that change no die, and locks on hits (FE-6.6, FE-6.13).
    pub const fn spends_freely(&self) -> bool {
        matches!(self.token_use, TokenUse::AnyDice)
    }

    /// Whether added results can be rerolled (FE-8.7).
    pub(super) const fn rerolls_added(&self) -> bool {
        matches!(self.added_result, AddedResult::NormalDie)
    }
}

impl Default for DiceRules {
    fn default() -> Self {
        DiceRules::SECOND
    }
}
