//! Attack values that the data leaves open: the players are asked once what is printed on the card, and what they say is kept
//! for the game (FE-SOLO-9).

use super::{Ask, Pick, choices::Question};
use crate::{
    game::{Game, event::Topic, opponent::Opponent},
    xwing::{catalog::asked::AttackValues, table::Table},
};

/// The answer that a card is flown without its attack.
pub const WITHOUT_ITS_ATTACK: &str = "It is flown without its attack";

/// The most dice that are offered; no such card has more.
const MOST_OFFERED: u32 = 6;

impl<O: Opponent> Game<O> {
    /// What the players have told; a bridge reads their ships with it from then on.
    pub fn attack_values(&self) -> &AttackValues {
        &self.attack_values
    }

    /// Before the dials are revealed the players are asked for the attack value of the first card that has none. Whether they are.
    pub(super) fn asks_for_attack_value(&mut self) -> bool {
        let unknown = self
            .open_values
            .iter()
            .find(|(card, _)| !self.attack_values.contains_key(*card));
        let Some((card, title)) = unknown.map(|(card, title)| (card.clone(), title.clone())) else {
            return false;
        };
        let value = |dice: Option<u32>| Pick::AttackValue(card.clone(), dice);
        let mut picks: Vec<(String, Pick)> = (1..=MOST_OFFERED)
            .map(|dice| (counted(dice), value(Some(dice))))
            .collect();
        picks.push((WITHOUT_ITS_ATTACK.to_owned(), value(None)));
        let question = Question {
            text: format!("{title}: how many attack dice are printed on the card? The data does not say (FE-SOLO-9)."),
            picks,
            // Never guessed.
            default: WITHOUT_ITS_ATTACK.to_owned(),
            topic: Topic::SetUp,
        };
        self.put_choice(&"".into(), question);
        self.ask != Ask::Nothing
    }

    /// The players have read the card.
    pub(super) fn attack_value_told(&mut self, card: String, value: Option<u32>) {
        let title = self.open_values.remove(&card).unwrap_or_else(|| card.clone());
        self.note(&match value {
            Some(dice) => format!("{title} attacks with {} (FE-SOLO-9).", counted(dice)),
            None => format!("{title} is flown without its attack (FE-SOLO-9)."),
        });
        self.attack_values.insert(card, value);
    }

    /// Ships that were read with what the players told have the weapons of those cards.
    pub fn arm(&mut self, table: &Table) {
        let Some(whole) = &mut self.whole else { return };
        for ship in &table.ships {
            let told = ship
                .weapons
                .iter()
                .filter(|weapon| self.attack_values.contains_key(&weapon.id));
            let kept = whole.battle.table().ship(&ship.id);
            let new: Vec<_> = told
                .filter(|weapon| kept.is_some_and(|kept| kept.weapons.iter().all(|other| other.id != weapon.id)))
                .cloned()
                .collect();
            if new.is_empty() {
                continue;
            }
            whole
                .battle
                .put_right(&ship.id, |ship, _, _, _| ship.weapons.extend(new.iter().cloned()));
            if let Some(known) = self
                .table
                .as_mut()
                .and_then(|table| table.ships.iter_mut().find(|other| other.id == ship.id))
            {
                known.weapons.extend(new);
            }
        }
    }
}

/// As in `1 attack die`.
fn counted(dice: u32) -> String {
    format!("{dice} attack {}", if dice == 1 { "die" } else { "dice" })
}
