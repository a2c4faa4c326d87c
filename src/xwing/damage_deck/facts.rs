//! The damage cards as data: `data/damage-deck.toml`, or a deck of the user's own in the same form.

use std::{collections::BTreeSet, sync::LazyLock};

use serde::{Deserialize, Serialize};

use crate::dice::AttackFace;

/// What a card names as damaged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CardKind {
    /// The pilot.
    Pilot,
    /// The ship.
    Ship,
}

/// One title of the deck.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CardFacts {
    /// Its id, as in `fuel-leak`.
    pub id: String,
    /// Its title.
    pub name: String,
    /// What it names as damaged.
    pub kind: CardKind,
    /// How many of it the deck has.
    pub count: u8,
    /// What it does while it lies face up.
    #[serde(default, rename = "effect")]
    pub effects: Vec<Effect>,
}

/// One effect of a card.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Effect {
    /// When, and whose side the ship is on then.
    pub on: Trigger,
    /// What must hold, all of it.
    #[serde(default, rename = "if")]
    pub conditions: Vec<Condition>,
    /// What is paid for it.
    #[serde(default)]
    pub cost: Vec<Cost>,
    /// Whether it is left to the ship's player.
    #[serde(default)]
    pub may: bool,
    /// What happens, in order.
    #[serde(rename = "do")]
    pub steps: Vec<Step>,
}

/// When an effect happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trigger {
    /// The moment.
    pub window: Window,
    /// What the ship is in it.
    pub role: Role,
}

/// The moments that damage cards ask about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Window {
    /// A damage card is dealt or turned.
    DamageCardEvent,
    /// Before damage is suffered.
    DamageWould,
    /// After damage is suffered.
    DamageSuffered,
    /// The number of attack dice is counted.
    AttackRoll,
    /// Attack dice are modified.
    AttackModify,
    /// The number of defence dice is counted.
    DefenseRoll,
    /// Before the ship engages.
    BeforeEngage,
    /// After it has executed a maneuver.
    AfterManeuver,
    /// After it has performed an action.
    AfterAction,
    /// An action that the card adds.
    ActionHeader,
    /// All the time.
    Passive,
}

/// What the ship is in a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The ship whom it happens to.
    #[serde(rename = "self")]
    Own,
    /// The attacker.
    Attacker,
    /// The defender.
    Defender,
}

/// What must hold for an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Condition {
    /// The card itself was just dealt face up, or turned face up.
    DealtFaceup,
    /// The damage has hits.
    SuffersHit,
    /// The damage had crits.
    SufferedCrit,
    /// The ship moved through an obstacle or is on one.
    MetObstacle,
    /// The maneuver was not a straight one.
    ManeuverNotStraight,
    /// The maneuver was the ion maneuver.
    IonManeuver,
}

/// What is paid for an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cost {
    /// The action.
    Action,
}

/// One thing that an effect does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// The card is turned face down.
    RepairThis,
    /// All hits of the damage become crits.
    HitsBecomeCrits,
    /// The ship suffers damage.
    DealDamage(Dealt),
    /// It gains tokens.
    GainToken(Tokens),
    /// More or fewer dice.
    DiceCount(DiceCount),
    /// Dice may be modified by nothing but this.
    RestrictModification(Restriction),
    /// Maneuvers become harder.
    ChangeDifficulty(Difficulty),
    /// No other actions may be performed.
    OnlyActions(Vec<AllowedAction>),
    /// Attack dice are rolled outside an attack.
    RollCheck(RollCheck),
}

/// Damage to the own ship.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dealt {
    /// Hits.
    #[serde(default)]
    pub hit: u8,
    /// Crits.
    #[serde(default)]
    pub crit: u8,
}

/// Tokens to gain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tokens {
    /// Which.
    pub token: HarmfulToken,
    /// How many.
    pub n: u8,
}

/// Tokens that damage cards give.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HarmfulToken {
    /// Stress.
    Stress,
    /// Ion.
    Ion,
}

/// More or fewer dice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DiceCount {
    /// Of which pool.
    pub dice: Pool,
    /// How many more.
    pub by: i8,
}

/// A pool of dice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pool {
    /// Attack dice.
    Attack,
    /// Defence dice.
    Defence,
}

/// What alone may modify dice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Restriction {
    /// The one thing.
    pub only: OnlyBy,
}

/// What alone may modify dice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnlyBy {
    /// Force charges, for what they do by themselves.
    Force,
}

/// Maneuvers that become harder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Difficulty {
    /// Which.
    pub maneuvers: Maneuvers,
    /// By how many steps.
    pub by: i8,
}

/// Groups of maneuvers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Maneuvers {
    /// Left and right turns.
    Turns,
}

/// Actions that stay allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AllowedAction {
    /// Focus.
    Focus,
    /// Those of damage cards.
    DamageCards,
}

/// One attack die outside an attack.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RollCheck {
    /// The faces on which it happens.
    pub attack: Vec<AttackFace>,
    /// What happens.
    pub then: Vec<Step>,
}

/// All titles of a deck.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeckFacts {
    /// The titles.
    #[serde(rename = "card")]
    pub cards: Vec<CardFacts>,
}

/// The most cards that a deck may have.
const MAX_CARDS: u32 = 250;

impl DeckFacts {
    /// The deck of the second edition.
    pub fn embedded() -> &'static DeckFacts {
        static DECK: LazyLock<DeckFacts> = LazyLock::new(|| {
            // The file is part of the program, and a test reads it.
            DeckFacts::from_toml(include_str!("../../../data/damage-deck.toml"))
                .unwrap_or_else(|_| DeckFacts { cards: Vec::new() })
        });
        &DECK
    }

    /// A deck from its text.
    ///
    /// # Errors
    /// Text that is not of this form, a title that stands twice, or more than 250 cards; with the place and the remedy.
    pub fn from_toml(text: &str) -> Result<DeckFacts, String> {
        let deck: DeckFacts = toml::from_str(text).map_err(|error| error.to_string())?;
        let mut ids = BTreeSet::new();
        for card in &deck.cards {
            if !ids.insert(&card.id) {
                return Err(format!("card `{}` stands twice: give its number as `count`", card.id));
            }
        }
        if deck.size() > MAX_CARDS {
            return Err(format!(
                "{} cards are too many: a deck has {MAX_CARDS} at most",
                deck.size()
            ));
        }
        Ok(deck)
    }

    /// How many cards it has.
    pub fn size(&self) -> u32 {
        self.cards.iter().map(|card| u32::from(card.count)).sum()
    }

    /// The place of a title among the cards.
    pub fn find(&self, id: &str) -> Option<usize> {
        self.cards.iter().position(|card| card.id == id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deck_of_the_second_edition_has_its_33_cards() {
        let deck = DeckFacts::from_toml(include_str!("../../../data/damage-deck.toml")).unwrap();
        let counts: Vec<(&str, u8)> = deck.cards.iter().map(|card| (&*card.id, card.count)).collect();
        assert_eq!(deck.size(), 33);
        assert_eq!(counts[..2], [("direct-hit", 5), ("fuel-leak", 4)]);
        assert!(counts[2..].iter().all(|(_, count)| *count == 2));
        let pilots = deck.cards.iter().filter(|card| card.kind == CardKind::Pilot);
        assert_eq!(pilots.map(|card| card.count).sum::<u8>(), 8);
        assert!(deck.cards.iter().all(|card| !card.effects.is_empty()));
        // What is written comes back.
        let again = DeckFacts::from_toml(&toml::to_string(&deck).unwrap()).unwrap();
        assert_eq!(again, deck);
    }

    #[test]
    fn a_deck_that_cannot_be_is_refused() {
        let card = "[[card]]\nid = \"a\"\nname = \"A\"\nkind = \"ship\"\ncount = 2\n";
        let twice = DeckFacts::from_toml(&format!("{card}{card}")).unwrap_err();
        assert_eq!(twice, "card `a` stands twice: give its number as `count`");
        let wrong = DeckFacts::from_toml(&card.replace("ship", "hull")).unwrap_err();
        assert!(wrong.contains("line 4"), "{wrong}");
        assert!(DeckFacts::from_toml(&card.replace("count = 2", "count = 251")).is_err());
    }
}
