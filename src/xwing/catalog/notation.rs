//! The short forms in which the fact table writes dials, weapons and actions, so that a record stays one readable line.
//!
//! - a dial: dial codes with blanks between, `1BB 1FB 2TW`;
//! - a primary weapon: arc and attack value, `Front Arc 3`;
//! - an action: its name, a colour before it unless it is white, and after `>` the action it is linked to:
//!   `Focus > red Barrel Roll`.

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use crate::xwing::{
    action::{ActionKind, BarAction, ColoredAction},
    maneuver::{Dial, Difficulty, Maneuver},
    weapon::{Weapon, WeaponArc},
};

/// Every action of the game.
pub const ACTIONS: [ActionKind; 14] = [
    ActionKind::Focus,
    ActionKind::Calculate,
    ActionKind::Evade,
    ActionKind::Lock,
    ActionKind::BarrelRoll,
    ActionKind::Boost,
    ActionKind::Slam,
    ActionKind::RotateArc,
    ActionKind::Reinforce,
    ActionKind::Reload,
    ActionKind::Coordinate,
    ActionKind::Jam,
    ActionKind::Cloak,
    ActionKind::Recover,
];

const COLOURS: [(&str, Difficulty); 4] = [
    ("white", Difficulty::White),
    ("red", Difficulty::Red),
    ("purple", Difficulty::Purple),
    ("blue", Difficulty::Blue),
];

const ARCS: [(&str, WeaponArc); 10] = [
    ("Front Arc", WeaponArc::Front),
    ("Rear Arc", WeaponArc::Rear),
    ("Left Arc", WeaponArc::Left),
    ("Right Arc", WeaponArc::Right),
    ("Full Front Arc", WeaponArc::FullFront),
    ("Full Rear Arc", WeaponArc::FullRear),
    ("Bullseye Arc", WeaponArc::Bullseye),
    ("Single Turret Arc", WeaponArc::SingleTurret),
    ("Double Turret Arc", WeaponArc::DoubleTurret),
    ("All Round", WeaponArc::AllRound),
];

/// The action of that name, whatever the case of its letters.
pub fn action_kind(name: &str) -> Option<ActionKind> {
    ACTIONS.into_iter().find(|kind| kind.name().eq_ignore_ascii_case(name))
}

/// The colour of that name, whatever the case of its letters.
pub fn difficulty(name: &str) -> Option<Difficulty> {
    (COLOURS.iter().find(|(text, _)| text.eq_ignore_ascii_case(name))).map(|&(_, colour)| colour)
}

/// The colour's name.
pub fn difficulty_name(difficulty: Difficulty) -> &'static str {
    COLOURS
        .iter()
        .find(|&&(_, colour)| colour == difficulty)
        .map_or("", |&(name, _)| name)
}

/// The arc that a card names so.
pub fn weapon_arc(name: &str) -> Option<WeaponArc> {
    (ARCS.iter().find(|(text, _)| text.eq_ignore_ascii_case(name))).map(|&(_, arc)| arc)
}

/// The arc's name as cards write it.
pub fn arc_name(arc: WeaponArc) -> &'static str {
    ARCS.iter().find(|&&(_, a)| a == arc).map_or("", |&(name, _)| name)
}

/// `red Boost`; white is left out.
pub fn write_colored(action: ColoredAction) -> String {
    match action.difficulty {
        Difficulty::White => action.kind.name().to_owned(),
        colour => format!("{} {}", difficulty_name(colour), action.kind.name()),
    }
}

/// `Focus > red Barrel Roll`.
pub fn write_action(action: &BarAction) -> String {
    match action.linked {
        None => write_colored(action.action),
        Some(linked) => format!("{} > {}", write_colored(action.action), write_colored(linked)),
    }
}

fn read_colored(text: &str) -> Option<ColoredAction> {
    let text = text.trim();
    if let Some(kind) = action_kind(text) {
        return Some(ColoredAction {
            kind,
            difficulty: Difficulty::White,
        });
    }
    let (colour, name) = text.split_once(' ')?;
    Some(ColoredAction {
        kind: action_kind(name.trim())?,
        difficulty: difficulty(colour)?,
    })
}

/// Reads what [`write_action`] writes.
pub fn read_action(text: &str) -> Option<BarAction> {
    let (action, linked) = match text.split_once('>') {
        Some((action, linked)) => (action, Some(read_colored(linked)?)),
        None => (text, None),
    };
    Some(BarAction {
        action: read_colored(action)?,
        linked,
    })
}

/// A primary weapon: id `primary`, range 1-3.
pub fn primary_weapon(arc: WeaponArc, value: u32) -> Weapon {
    Weapon {
        id: "primary".to_owned(),
        arc,
        value,
        min_range: 1,
        max_range: 3,
        special: None,
    }
}

/// `Front Arc 3`.
pub fn write_primary(weapon: &Weapon) -> String {
    format!("{} {}", arc_name(weapon.arc), weapon.value)
}

fn read_primary(text: &str) -> Option<Weapon> {
    let (arc, value) = text.trim().rsplit_once(' ')?;
    Some(primary_weapon(weapon_arc(arc.trim())?, value.parse().ok()?))
}

/// `1BB 1FB 2TW`.
pub fn write_dial(dial: &Dial) -> String {
    let codes: Vec<String> = dial.maneuvers().iter().map(ToString::to_string).collect();
    codes.join(" ")
}

type Text<'de> = std::borrow::Cow<'de, str>;

fn bad_action<E: serde::de::Error>(text: &str) -> E {
    E::custom(format!(
        "`{text}` is not an action: write it as in `Focus > red Barrel Roll`"
    ))
}

/// Serde form of a dial.
pub(super) mod dial {
    use super::*;

    pub fn serialize<S: Serializer>(dial: &Arc<Dial>, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&write_dial(dial))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<Dial>, D::Error> {
        let text = Text::deserialize(deserializer)?;
        let maneuvers: Result<Vec<Maneuver>, _> = text.split_ascii_whitespace().map(str::parse).collect();
        Ok(Arc::new(Dial::new(maneuvers.map_err(D::Error::custom)?)))
    }
}

/// Serde form of primary weapons.
pub(super) mod primary_weapons {
    use super::*;

    pub fn serialize<S: Serializer>(weapons: &[Weapon], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(weapons.iter().map(write_primary))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Weapon>, D::Error> {
        let texts = Vec::<Text>::deserialize(deserializer)?;
        let read = |text: &Text| {
            read_primary(text).ok_or_else(|| {
                D::Error::custom(format!(
                    "`{text}` is not a primary weapon: write arc and value, as in `Front Arc 3`"
                ))
            })
        };
        texts.iter().map(read).collect()
    }
}

/// Serde form of one action.
pub(super) mod action {
    use super::*;

    pub fn serialize<S: Serializer>(action: &BarAction, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&write_action(action))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BarAction, D::Error> {
        let text = Text::deserialize(deserializer)?;
        read_action(&text).ok_or_else(|| bad_action(&text))
    }
}

/// Serde form of an action bar.
pub(super) mod actions {
    use super::*;

    pub fn serialize<S: Serializer>(actions: &[BarAction], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(actions.iter().map(write_action))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<BarAction>, D::Error> {
        let texts = Vec::<Text>::deserialize(deserializer)?;
        texts
            .iter()
            .map(|text| read_action(text).ok_or_else(|| bad_action(text)))
            .collect()
    }
}

/// Serde form of an action bar that may be absent.
pub(super) mod optional_actions {
    use super::*;

    pub fn serialize<S: Serializer>(actions: &Option<Vec<BarAction>>, serializer: S) -> Result<S::Ok, S::Error> {
        actions
            .as_ref()
            .map(|actions| actions.iter().map(write_action).collect::<Vec<_>>())
            .serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<BarAction>>, D::Error> {
        actions::deserialize(deserializer).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_read_back_as_written() {
        for text in ["Focus", "red Boost", "Barrel Roll > red Lock", "purple Evade > SLAM"] {
            assert_eq!(
                read_action(text).map(|action| write_action(&action)).as_deref(),
                Some(text)
            );
        }
        assert_eq!(read_action("white Focus"), read_action("focus"));
        assert_eq!(read_action("Sneeze"), None);
        assert_eq!(read_action("green Focus"), None);
        assert_eq!(read_action(""), None);
        assert_eq!(read_action("Focus > white"), None);
    }

    #[test]
    fn every_action_and_arc_is_named() {
        for kind in ACTIONS {
            assert_eq!(action_kind(kind.name()), Some(kind));
        }
        for (name, arc) in ARCS {
            assert_eq!(weapon_arc(name), Some(arc));
            assert_eq!(arc_name(arc), name);
        }
    }

    #[test]
    fn weapons_need_arc_and_value() {
        assert_eq!(
            read_primary("Full Front Arc 4"),
            Some(primary_weapon(WeaponArc::FullFront, 4))
        );
        assert_eq!(read_primary("Front Arc"), None);
        assert_eq!(read_primary("Sideways Arc 3"), None);
        assert_eq!(read_primary("Front Arc -1"), None);
    }
}
