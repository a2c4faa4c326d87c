//! Neutralize Results: which results stay, and what an attack does that hits.

use super::{contest::CancelOrder, rules::DiceRules};
use crate::xwing::edition::Reinforce;

/// Results that no evade has cancelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Uncancelled {
    /// Hits.
    pub hits: u8,
    /// Crits.
    pub crits: u8,
}

impl Uncancelled {
    /// All of them.
    pub fn count(self) -> u8 {
        self.hits.saturating_add(self.crits)
    }

    /// The rest after that many are cancelled, hits before crits.
    fn without(self, cancelled: u8) -> Self {
        Uncancelled {
            hits: self.hits.saturating_sub(cancelled),
            crits: self.crits.saturating_sub(cancelled.saturating_sub(self.hits)),
        }
    }
}

/// What stays of hits and crits against so many evade results and reinforce tokens.
///
/// Evades cancel hits before crits (FE-8.3). A reinforce token then cancels one more result as long as more than one is left,
/// or it is an evade result itself (FE-6.9).
pub fn neutralize(rules: DiceRules, hits: u8, crits: u8, evades: u8, reinforce: u8) -> Uncancelled {
    let left = Uncancelled { hits, crits };
    match rules.reinforce {
        Reinforce::AddsAnEvade => left.without(evades.saturating_add(reinforce)),
        Reinforce::CancelsOne => {
            let left = left.without(evades);
            left.without(reinforce.min(left.count().saturating_sub(1)))
        }
    }
}

/// The same where an effect has changed what evades cancel.
pub fn neutralize_by(
    rules: DiceRules,
    order: CancelOrder,
    attack: Uncancelled,
    evades: u8,
    reinforce: u8,
) -> Uncancelled {
    let swapped = |left: Uncancelled| Uncancelled {
        hits: left.crits,
        crits: left.hits,
    };
    // A result that a reinforce token adds is bound by the same order.
    let (evades, reinforce) = match rules.reinforce {
        Reinforce::AddsAnEvade => (evades.saturating_add(reinforce), 0),
        Reinforce::CancelsOne => (evades, reinforce),
    };
    match order {
        CancelOrder::HitsFirst => neutralize(rules, attack.hits, attack.crits, evades, reinforce),
        CancelOrder::CritsFirst => swapped(neutralize(rules, attack.crits, attack.hits, evades, reinforce)),
        CancelOrder::HitsOnly => {
            let left = attack.without(evades.min(attack.hits));
            neutralize(rules, left.hits, left.crits, 0, reinforce)
        }
    }
}

/// What an attack does that hits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum DamageRule {
    /// Each uncancelled result is damage.
    #[default]
    Results,
    /// So much damage, however many results are left.
    Fixed(u8),
}

impl DamageRule {
    /// The damage of these results.
    pub fn damage(self, left: Uncancelled) -> Uncancelled {
        match self {
            DamageRule::Results => left,
            DamageRule::Fixed(_) if left.count() == 0 => Uncancelled::default(),
            DamageRule::Fixed(damage) => Uncancelled { hits: damage, crits: 0 },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(hits: u8, crits: u8) -> Uncancelled {
        Uncancelled { hits, crits }
    }

    #[test]
    fn evades_cancel_hits_before_crits() {
        assert_eq!(neutralize(DiceRules::SECOND, 2, 1, 1, 0), left(1, 1));
        assert_eq!(neutralize(DiceRules::SECOND, 2, 2, 3, 0), left(0, 1));
        assert_eq!(neutralize(DiceRules::SECOND, 1, 1, 5, 0), left(0, 0));
    }

    #[test]
    fn reinforce_leaves_one_result_in_the_second_edition_and_is_an_evade_in_the_first() {
        assert_eq!(neutralize(DiceRules::SECOND, 2, 1, 0, 1), left(1, 1));
        assert_eq!(neutralize(DiceRules::SECOND, 1, 0, 0, 1), left(1, 0));
        assert_eq!(neutralize(DiceRules::SECOND, 1, 2, 0, 2), left(0, 1));
        assert_eq!(neutralize(DiceRules::SECOND, 1, 1, 0, 5), left(0, 1));
        assert_eq!(neutralize(DiceRules::FIRST, 1, 0, 0, 1), left(0, 0));
        assert_eq!(neutralize(DiceRules::FIRST, 2, 1, 1, 1), left(0, 1));
        let only_hits = |rules| neutralize_by(rules, CancelOrder::HitsOnly, left(1, 1), 0, 2);
        assert_eq!(only_hits(DiceRules::FIRST), left(0, 1));
        assert_eq!(only_hits(DiceRules::SECOND), left(0, 1));
        let only_crit = |rules| neutralize_by(rules, CancelOrder::HitsOnly, left(0, 2), 0, 1);
        assert_eq!(
            (only_crit(DiceRules::FIRST), only_crit(DiceRules::SECOND)),
            (left(0, 2), left(0, 1))
        );
    }

    #[test]
    fn a_weapon_of_fixed_damage_asks_only_whether_it_hits() {
        assert_eq!(DamageRule::Fixed(1).damage(left(2, 2)), left(1, 0));
        assert_eq!(DamageRule::Fixed(1).damage(left(0, 0)), left(0, 0));
        assert_eq!(DamageRule::Results.damage(left(2, 2)), left(2, 2));
    }
}
