//! One card: its id, what it has, its effects.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use super::{effect::Effect, vocabulary::vocabulary, weapon::CardWeapon};

vocabulary! {
    /// Kinds of cards.
    pub enum CardKind {
        Pilot = "pilot": "a pilot",
        ShipAbility = "ship-ability": "an ability of a ship, on the cards of its pilots",
        Upgrade = "upgrade": "an upgrade",
        Condition = "condition": "a condition",
        Damage = "damage": "a damage card",
    }
}

/// The id of a card: its kind and its xws id, for the second side of an upgrade with `#1`: `pilot:howlrunner`,
/// `upgrade:landingstruts#1`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct CardId {
    /// What it is.
    pub kind: CardKind,
    /// Its id among cards of the kind.
    pub xws: String,
    /// Which side, counted from 0.
    pub side: u8,
}

impl CardId {
    /// The first side of a card.
    pub fn new(kind: CardKind, xws: &str) -> Self {
        CardId {
            kind,
            xws: xws.to_owned(),
            side: 0,
        }
    }

    /// The other side of the card.
    #[must_use]
    pub fn other_side(&self) -> Self {
        CardId {
            side: u8::from(self.side == 0),
            ..self.clone()
        }
    }

    /// The id of a ship ability by its printed name: letters and digits in lower case.
    pub fn ship_ability(name: &str) -> Self {
        let letters = name.chars().filter(|letter| letter.is_alphanumeric());
        let xws: String = letters.flat_map(char::to_lowercase).collect();
        CardId::new(CardKind::ShipAbility, &xws)
    }
}

impl fmt::Display for CardId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.kind, self.xws)?;
        match self.side {
            0 => Ok(()),
            side => write!(f, "#{side}"),
        }
    }
}

impl FromStr for CardId {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            let kinds: Vec<&str> = CardKind::ALL.iter().map(|kind| kind.word()).collect();
            format!(
                "`{text}` is no card id; write a kind ({}), a colon and the xws id, as in `pilot:howlrunner`, with `#1` for the \
                 second side of an upgrade",
                kinds.join(", ")
            )
        };
        let (kind, rest) = text.split_once(':').ok_or_else(wrong)?;
        let kind = CardKind::ALL.iter().find(|known| known.word() == kind);
        let (xws, side) = match rest.split_once('#') {
            Some((xws, side)) => (xws, side.parse().ok().filter(|&side| side > 0)),
            None => (rest, Some(0)),
        };
        match (kind, side) {
            (Some(&kind), Some(side)) if !xws.is_empty() => Ok(CardId {
                kind,
                xws: xws.to_owned(),
                side,
            }),
            _ => Err(wrong()),
        }
    }
}

impl TryFrom<String> for CardId {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<CardId> for String {
    fn from(id: CardId) -> String {
        id.to_string()
    }
}

/// Charges or Force that a card has. What the catalog says must agree; an entry may leave it out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CardPool {
    /// How many.
    pub n: u8,
    /// How many come back each round; negative where one is lost each round.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub recovers: i8,
}

fn is_zero(number: &i8) -> bool {
    *number == 0
}

vocabulary! {
    /// What a card puts on the table.
    pub enum DeviceType {
        Bomb = "bomb": "a bomb",
        Mine = "mine": "a mine",
        Remote = "remote": "a remote",
        Obstacle = "obstacle": "an obstacle",
    }
}

/// A device that a card puts on the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CardDevice {
    /// What it is.
    pub kind: DeviceType,
}

/// One card.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CardEntry {
    /// Its id.
    pub id: CardId,
    /// Its charges.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub charges: Option<CardPool>,
    /// Its Force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub force: Option<CardPool>,
    /// Whether the catalog carries (the rest of) what it does: actions, slots, values.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub grants: bool,
    /// Whether the card has no text of rules at all.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub blank: bool,
    /// Whether nobody has compared the entry with its card yet; such a card counts as partly played at best.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub draft: bool,
    /// What of the card the effects do not say, where they say less; the card counts as partly played at best.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unread: Option<String>,
    /// The weapon that it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weapon: Option<CardWeapon>,
    /// The device that it puts on the table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<CardDevice>,
    /// Its effects.
    #[serde(default, rename = "effect", skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<Effect>,
}

impl CardEntry {
    /// A card without any text of rules.
    pub const fn blank(id: CardId) -> CardEntry {
        CardEntry {
            id,
            charges: None,
            force: None,
            grants: false,
            blank: true,
            draft: false,
            unread: None,
            weapon: None,
            device: None,
            effects: Vec::new(),
        }
    }
}

/// A file of cards.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CardFile {
    /// The cards.
    #[serde(default, rename = "card")]
    pub cards: Vec<CardEntry>,
}
