//! The words of the text form and what they mean.

use crate::{
    dice::{AttackFace, DefenceFace},
    solo_alpha::chart,
    xwing::{
        action::ActionKind,
        edition::Edition,
        maneuver::Difficulty,
        obstacle::ObstacleKind,
        ship::{ArcDirection, Status},
        size::Size,
        weapon::{Requirement, WeaponArc},
    },
};

/// A closed set of values, each with its word.
pub(super) type Vocabulary<T> = &'static [(&'static str, T)];

/// Kinds of obstacles: the words that begin their lines.
pub(super) const OBSTACLES: Vocabulary<ObstacleKind> = &[
    ("asteroid", ObstacleKind::Asteroid),
    ("debris", ObstacleKind::Debris),
    ("gascloud", ObstacleKind::GasCloud),
];

/// Editions.
pub(super) const EDITIONS: Vocabulary<Edition> = &[("first", Edition::First), ("second", Edition::Second)];

/// Base sizes.
pub(super) const SIZES: Vocabulary<Size> = &[
    ("small", Size::Small),
    ("medium", Size::Medium),
    ("large", Size::Large),
    ("huge", Size::Huge),
    ("shuttletoken", Size::ShuttleToken),
];

/// Where a ship is when it is not on the table.
pub(super) const STATUSES: Vocabulary<Status> = &[
    ("docked", Status::Docked),
    ("reserved", Status::Reserved),
    ("destroyed", Status::Destroyed),
    ("removed", Status::Removed),
];

/// Where a turret points.
pub(super) const DIRECTIONS: Vocabulary<ArcDirection> = &[
    ("front", ArcDirection::Front),
    ("rear", ArcDirection::Rear),
    ("left", ArcDirection::Left),
    ("right", ArcDirection::Right),
];

/// Where a weapon fires.
pub(super) const WEAPON_ARCS: Vocabulary<WeaponArc> = &[
    ("front", WeaponArc::Front),
    ("rear", WeaponArc::Rear),
    ("left", WeaponArc::Left),
    ("right", WeaponArc::Right),
    ("fullfront", WeaponArc::FullFront),
    ("fullrear", WeaponArc::FullRear),
    ("bullseye", WeaponArc::Bullseye),
    ("turret", WeaponArc::SingleTurret),
    ("doubleturret", WeaponArc::DoubleTurret),
    ("allround", WeaponArc::AllRound),
];

/// What an attack's header asks for.
pub(super) const REQUIREMENTS: Vocabulary<Requirement> = &[
    ("lock", Requirement::Lock),
    ("focus", Requirement::Focus),
    ("calculate", Requirement::Calculate),
];

/// Actions.
pub(super) const ACTIONS: Vocabulary<ActionKind> = &[
    ("focus", ActionKind::Focus),
    ("calculate", ActionKind::Calculate),
    ("evade", ActionKind::Evade),
    ("lock", ActionKind::Lock),
    ("barrelroll", ActionKind::BarrelRoll),
    ("boost", ActionKind::Boost),
    ("slam", ActionKind::Slam),
    ("rotatearc", ActionKind::RotateArc),
    ("reinforce", ActionKind::Reinforce),
    ("reload", ActionKind::Reload),
    ("coordinate", ActionKind::Coordinate),
    ("jam", ActionKind::Jam),
    ("cloak", ActionKind::Cloak),
    ("recover", ActionKind::Recover),
];

/// Colours of actions.
pub(super) const COLOURS: Vocabulary<Difficulty> = &[
    ("blue", Difficulty::Blue),
    ("white", Difficulty::White),
    ("red", Difficulty::Red),
    ("purple", Difficulty::Purple),
];

/// Faces of the defence die.
pub(super) const DEFENCE_FACES: Vocabulary<DefenceFace> = &chart::DEFENCE_FACES;

/// Faces of the attack die.
pub(super) const ATTACK_FACES: Vocabulary<AttackFace> = &chart::ATTACK_FACES;

/// What a word means, or the words to choose from.
pub(super) fn meaning<T: Copy>(word: &str, vocabulary: Vocabulary<T>) -> Result<T, String> {
    match vocabulary.iter().find(|(known, _)| *known == word) {
        Some((_, value)) => Ok(*value),
        None => Err(format!("expected one of {}", listed(vocabulary))),
    }
}

/// The word of a value. Every value of the type has one; a test sees to that.
pub(super) fn word_for<T: Copy + PartialEq>(value: T, vocabulary: Vocabulary<T>) -> &'static str {
    vocabulary
        .iter()
        .find(|(_, known)| *known == value)
        .map_or("", |(word, _)| word)
}

/// The words of a vocabulary, for an error.
pub(super) fn listed<T>(vocabulary: Vocabulary<T>) -> String {
    let words: Vec<&str> = vocabulary.iter().map(|(word, _)| *word).collect();
    words.join(", ")
}

/// A roll as typed: `evade/hit`; either half may be `?`, which is rolled.
///
/// # Errors
/// The faces to choose from.
pub fn roll(text: &str) -> Result<(Option<DefenceFace>, Option<AttackFace>), String> {
    let expected = || {
        format!(
            "expected a defence face and an attack face, as in evade/hit: ({}) / ({}), or ? for either",
            listed(DEFENCE_FACES),
            listed(ATTACK_FACES)
        )
    };
    let (defence, attack) = text.split_once('/').ok_or_else(expected)?;
    let defence = match defence {
        "?" => None,
        face => Some(meaning(face, DEFENCE_FACES).map_err(|_| expected())?),
    };
    let attack = match attack {
        "?" => None,
        face => Some(meaning(face, ATTACK_FACES).map_err(|_| expected())?),
    };
    Ok((defence, attack))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_complete<T: Copy + PartialEq + std::fmt::Debug>(vocabulary: Vocabulary<T>, values: &[T]) {
        for value in values {
            let word = word_for(*value, vocabulary);
            assert_eq!(
                meaning(word, vocabulary),
                Ok(*value),
                "{value:?} has no word of its own"
            );
        }
        assert_eq!(vocabulary.len(), values.len());
    }

    #[test]
    fn every_value_has_a_word_of_its_own() {
        use ActionKind as A;
        use WeaponArc as W;
        is_complete(
            OBSTACLES,
            &[ObstacleKind::Asteroid, ObstacleKind::Debris, ObstacleKind::GasCloud],
        );
        is_complete(
            SIZES,
            &[Size::Small, Size::Medium, Size::Large, Size::Huge, Size::ShuttleToken],
        );
        is_complete(
            STATUSES,
            &[Status::Docked, Status::Reserved, Status::Destroyed, Status::Removed],
        );
        is_complete(
            WEAPON_ARCS,
            &[
                W::Front,
                W::Rear,
                W::Left,
                W::Right,
                W::FullFront,
                W::FullRear,
                W::Bullseye,
                W::SingleTurret,
                W::DoubleTurret,
                W::AllRound,
            ],
        );
        is_complete(
            ACTIONS,
            &[
                A::Focus,
                A::Calculate,
                A::Evade,
                A::Lock,
                A::BarrelRoll,
                A::Boost,
                A::Slam,
                A::RotateArc,
                A::Reinforce,
                A::Reload,
                A::Coordinate,
                A::Jam,
                A::Cloak,
                A::Recover,
            ],
        );
        is_complete(
            COLOURS,
            &[Difficulty::Blue, Difficulty::White, Difficulty::Red, Difficulty::Purple],
        );
        is_complete(
            REQUIREMENTS,
            &[Requirement::Lock, Requirement::Focus, Requirement::Calculate],
        );
    }

    #[test]
    fn a_roll_is_two_faces_or_question_marks() {
        assert_eq!(roll("evade/hit"), Ok((Some(DefenceFace::Evade), Some(AttackFace::Hit))));
        assert_eq!(roll("?/crit"), Ok((None, Some(AttackFace::Crit))));
        for wrong in ["", "evade", "hit/evade", "evade/hit/hit", "evade / hit"] {
            assert!(roll(wrong).is_err(), "{wrong}");
        }
    }
}
