//! Attack values that the data leaves open: asked for once and kept, never guessed (FE-SOLO-9).

use std::collections::BTreeMap;

use super::{Catalog, UpgradeFacts};

/// Attack dice as somebody has read them on a card, by the card's xws id; `None` for a card that is flown without its attack.
pub type AttackValues = BTreeMap<String, Option<u32>>;

/// The most attack dice that a card is believed to have.
pub const MOST_ATTACK_DICE: u32 = 10;

/// A value that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadAttackValue {
    /// The catalog leaves no value of such a card open.
    #[error("`{card}` has no attack value that is open here{remedy}")]
    NotOpen {
        /// The card.
        card: String,
        /// Which cards have one, and what else helps.
        remedy: String,
    },
    /// No number of dice.
    #[error("`{card}` has 1 to {MOST_ATTACK_DICE} attack dice, not {value}; `none` leaves its attack out")]
    Dice {
        /// The card.
        card: String,
        /// What was given.
        value: u32,
    },
}

impl Catalog {
    /// The upgrades with an attack whose value the data does not say.
    pub fn open_attack_values(&self) -> impl Iterator<Item = &UpgradeFacts> {
        self.upgrades.iter().filter(|upgrade| is_open(upgrade))
    }

    /// The same facts with the values that somebody has read on the cards. Cards are named by id or name.
    ///
    /// # Errors
    /// A card whose value is not open, or what is no number of dice.
    pub fn with_attack_values(mut self, values: &AttackValues) -> Result<Catalog, BadAttackValue> {
        for (card, value) in values {
            let known = self.find_upgrade(card).map(|(upgrade, _)| upgrade.xws.clone());
            let not_open = || BadAttackValue::NotOpen {
                card: card.clone(),
                remedy: self.what_is_open(card),
            };
            let at = known
                .and_then(|id| self.upgrades.iter().position(|upgrade| upgrade.xws == id))
                .filter(|at| is_open(&self.upgrades[*at]))
                .ok_or_else(not_open)?;
            if let Some(value) = value.filter(|value| !(1..=MOST_ATTACK_DICE).contains(value)) {
                let card = card.clone();
                return Err(BadAttackValue::Dice { card, value });
            }
            for side in &mut self.upgrades[at].sides {
                side.attack = side.attack.take().and_then(|attack| match (attack.value, value) {
                    (Some(_), _) => Some(attack),
                    (None, Some(_)) => Some(super::facts::AttackFacts {
                        value: *value,
                        ..attack
                    }),
                    (None, None) => None,
                });
            }
        }
        Ok(self)
    }

    fn what_is_open(&self, card: &str) -> String {
        if let Some(other) = self.other_edition_of(card) {
            return format!(
                "; the {name} edition has it: add `--edition {name}`",
                name = other.name()
            );
        }
        let open: Vec<String> = self
            .open_attack_values()
            .map(|upgrade| format!("`{}`", upgrade.xws))
            .collect();
        match open.is_empty() {
            true => "; no card has one".to_owned(),
            false => format!("; open is that of {}", open.join(", ")),
        }
    }
}

fn is_open(upgrade: &UpgradeFacts) -> bool {
    let mut attacks = upgrade.sides.iter().filter_map(|side| side.attack.as_ref());
    attacks.any(|attack| attack.value.is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xwing::{catalog::ResolveNote, edition::Edition};

    fn values(card: &str, value: Option<u32>) -> AttackValues {
        AttackValues::from([(card.to_owned(), value)])
    }

    /// Weapons and notes of a Y-Wing with the one card whose value the data leaves open.
    fn armed(catalog: &Catalog) -> (Vec<(String, u32)>, Vec<ResolveNote>) {
        let resolved = catalog.resolve("ywing", None, ["twinlaserturret"]).unwrap();
        let weapons = resolved.weapons.iter();
        let special = weapons.filter(|weapon| weapon.special.is_some());
        (
            special.map(|weapon| (weapon.id.clone(), weapon.value)).collect(),
            resolved.notes,
        )
    }

    #[test]
    fn an_open_value_is_asked_for_until_it_is_given_fe_solo_9() {
        let first = Catalog::embedded_for(Edition::First);
        let open: Vec<&str> = first.open_attack_values().map(|upgrade| &*upgrade.xws).collect();
        assert_eq!(open, ["twinlaserturret"]);
        let asked = ResolveNote::NoAttackValue("twinlaserturret".to_owned());
        assert_eq!(armed(first), (Vec::new(), vec![asked.clone()]));
        assert!(asked.to_string().contains("`--value twinlaserturret=N`"), "{asked}");

        for name in ["twinlaserturret", "Twin Laser Turret"] {
            let told = first.clone().with_attack_values(&values(name, Some(3))).unwrap();
            assert_eq!(armed(&told), (vec![("twinlaserturret".to_owned(), 3)], Vec::new()));
            assert_eq!(told.open_attack_values().count(), 0);
        }
        let without = first
            .clone()
            .with_attack_values(&values("twinlaserturret", None))
            .unwrap();
        assert_eq!(armed(&without), (Vec::new(), Vec::new()));
    }

    #[test]
    fn values_that_are_printed_or_no_dice_are_refused() {
        let first = Catalog::embedded_for(Edition::First);
        for (catalog, card, value, told) in [
            (first, "ioncannonturret", 4, "open is that of `twinlaserturret`"),
            (first, "nothing of the kind", 4, "open is that of `twinlaserturret`"),
            (first, "twinlaserturret", 0, "1 to 10 attack dice, not 0"),
            (first, "twinlaserturret", 11, "1 to 10 attack dice, not 11"),
            (Catalog::embedded(), "twinlaserturret", 3, "add `--edition first`"),
        ] {
            let refused = catalog.clone().with_attack_values(&values(card, Some(value)));
            let refused = refused.unwrap_err().to_string();
            assert!(refused.contains(told), "{refused}");
        }
    }
}
