//! Actions, as written: in the words of the ship data.

use serde::{Deserialize, Serialize};

use crate::xwing::{
    action::{ActionKind, BarAction, ColoredAction},
    maneuver::Difficulty,
};

/// An action that replaces one of the ship type's, in the words of the ship data; the name alone means a white action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "no action: give its name, or an object with `type`, `difficulty` and, where it has one, `linked`; the names are \
                 Focus, Calculate, Evade, Lock, Barrel Roll, Boost, SLAM, Rotate Arc, Reinforce, Reload, Coordinate, Jam and \
                 Cloak, the colours White, Red and Purple"
)]
pub enum Action {
    /// A white action.
    Name(ActionKind),
    /// With its colour, and what it is linked to.
    Full {
        /// Which action.
        #[serde(rename = "type")]
        kind: ActionKind,
        /// Its colour.
        #[serde(default)]
        difficulty: Colour,
        /// The action that may follow at once.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        linked: Option<Linked>,
    },
}

/// The second half of a linked action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Linked {
    /// Which action.
    #[serde(rename = "type")]
    pub kind: ActionKind,
    /// Its colour.
    #[serde(default)]
    pub difficulty: Colour,
}

/// A colour as the ship data capitalises it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the colours of `Difficulty`")]
pub enum Colour {
    #[serde(alias = "blue")]
    Blue,
    #[default]
    #[serde(alias = "white")]
    White,
    #[serde(alias = "red")]
    Red,
    #[serde(alias = "purple")]
    Purple,
}

impl From<Colour> for Difficulty {
    fn from(colour: Colour) -> Self {
        match colour {
            Colour::Blue => Difficulty::Blue,
            Colour::White => Difficulty::White,
            Colour::Red => Difficulty::Red,
            Colour::Purple => Difficulty::Purple,
        }
    }
}

impl From<Difficulty> for Colour {
    fn from(difficulty: Difficulty) -> Self {
        match difficulty {
            Difficulty::Blue => Colour::Blue,
            Difficulty::White => Colour::White,
            Difficulty::Red => Colour::Red,
            Difficulty::Purple => Colour::Purple,
        }
    }
}

impl From<Action> for BarAction {
    fn from(action: Action) -> Self {
        let (kind, difficulty, linked) = match action {
            Action::Name(kind) => (kind, Colour::White, None),
            Action::Full {
                kind,
                difficulty,
                linked,
            } => (kind, difficulty, linked),
        };
        BarAction {
            action: ColoredAction {
                kind,
                difficulty: difficulty.into(),
            },
            linked: linked.map(|linked| ColoredAction {
                kind: linked.kind,
                difficulty: linked.difficulty.into(),
            }),
        }
    }
}

impl From<BarAction> for Action {
    fn from(bar: BarAction) -> Self {
        Action::Full {
            kind: bar.action.kind,
            difficulty: bar.action.difficulty.into(),
            linked: bar.linked.map(|linked| Linked {
                kind: linked.kind,
                difficulty: linked.difficulty.into(),
            }),
        }
    }
}
