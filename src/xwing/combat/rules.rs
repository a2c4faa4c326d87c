//! What of the rules of a table counts on the dice of an attack.

use crate::xwing::edition::{Evade, Reinforce, Rules, TokenSpending};

/// How tokens and results behave in an attack. The default is the second edition's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DiceRules {
    /// What an evade token does (SA-11, FE-6.5).
    pub evade: Evade,
    /// What a reinforce token does (FE-6.9).
    pub reinforce: Reinforce,
    /// How many tokens of a kind a step takes (FE-8.8).
    pub token_spending: TokenSpending,
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
        }
    }

    /// The most tokens of one kind that a step takes: no ship has more than 31 worth counting (FE-8.8, FE-14.14).
    pub const fn most_spent(&self) -> u8 {
        match self.token_spending {
            TokenSpending::OneOfAKind => 1,
            TokenSpending::Unlimited => 31,
        }
    }
}

impl Default for DiceRules {
    fn default() -> Self {
        DiceRules::SECOND
    }
}
