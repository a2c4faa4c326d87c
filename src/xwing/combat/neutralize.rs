//! Neutralize Results: which results stay, and what an attack does that hits.

use serde::{Deserialize, Serialize};

use super::contest::CancelOrder;

/// Whose dice rules are played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum Edition {
    /// An evade token and a reinforce token add an evade result; one token of a kind in an attack (FE-6.5, FE-6.9, FE-8.8).
    #[serde(rename = "1e")]
    First,
    /// An evade token changes a die; a reinforce token cancels a result if more than one would land.
    #[default]
    #[serde(rename = "2e")]
    Second,
}

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
/// Evades cancel hits before crits. In the second edition each reinforce token then cancels one more result as long as
/// more than one is left; in the first it is an evade result.
pub fn neutralize(edition: Edition, hits: u8, crits: u8, evades: u8, reinforce: u8) -> Uncancelled {
    let left = Uncancelled { hits, crits };
    match edition {
        Edition::First => left.without(evades.saturating_add(reinforce)),
        Edition::Second => {
            let left = left.without(evades);
            left.without(reinforce.min(left.count().saturating_sub(1)))
        }
    }
}

/// The same where an effect has changed what evades cancel.
pub fn neutralize_by(
    edition: Edition,
    order: CancelOrder,
    attack: Uncancelled,
    evades: u8,
    reinforce: u8,
) -> Uncancelled {
    let swapped = |left: Uncancelled| Uncancelled {
        hits: left.crits,
        crits: left.hits,
    };
    match order {
        CancelOrder::HitsFirst => neutralize(edition, attack.hits, attack.crits, evades, reinforce),
        CancelOrder::CritsFirst => swapped(neutralize(edition, attack.crits, attack.hits, evades, reinforce)),
        CancelOrder::HitsOnly => {
            let left = attack.without(evades.min(attack.hits));
            neutralize(edition, left.hits, left.crits, 0, reinforce)
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
        assert_eq!(neutralize(Edition::Second, 2, 1, 1, 0), left(1, 1));
        assert_eq!(neutralize(Edition::Second, 2, 2, 3, 0), left(0, 1));
        assert_eq!(neutralize(Edition::Second, 1, 1, 5, 0), left(0, 0));
    }

    #[test]
    fn reinforce_leaves_one_result_in_the_second_edition_and_is_an_evade_in_the_first() {
        assert_eq!(neutralize(Edition::Second, 2, 1, 0, 1), left(1, 1));
        assert_eq!(neutralize(Edition::Second, 1, 0, 0, 1), left(1, 0));
        assert_eq!(neutralize(Edition::Second, 1, 2, 0, 2), left(0, 1));
        assert_eq!(neutralize(Edition::Second, 1, 1, 0, 5), left(0, 1));
        assert_eq!(neutralize(Edition::First, 1, 0, 0, 1), left(0, 0));
        assert_eq!(neutralize(Edition::First, 2, 1, 1, 1), left(0, 1));
    }

    #[test]
    fn a_weapon_of_fixed_damage_asks_only_whether_it_hits() {
        assert_eq!(DamageRule::Fixed(1).damage(left(2, 2)), left(1, 0));
        assert_eq!(DamageRule::Fixed(1).damage(left(0, 0)), left(0, 0));
        assert_eq!(DamageRule::Results.damage(left(2, 2)), left(2, 2));
    }
}
