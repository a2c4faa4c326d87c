//! Faces of both kinds of dice, sets of them, and a pool as a multiset.

use crate::dice::{AttackFace, DefenceFace};

/// Which dice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dice {
    /// The attacker's.
    Attack,
    /// The defender's.
    Defence,
}

/// A face of either die. Attack dice have no evade, defence dice no hit and no crit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Face {
    /// A critical hit.
    Crit,
    /// A hit.
    Hit,
    /// An evade.
    Evade,
    /// A focus result.
    Focus,
    /// A blank.
    Blank,
}

impl Face {
    /// All faces, in the order of their numbers.
    pub const ALL: [Face; 5] = [Face::Crit, Face::Hit, Face::Evade, Face::Focus, Face::Blank];

    /// The face in a word.
    pub const fn name(self) -> &'static str {
        match self {
            Face::Crit => "crit",
            Face::Hit => "hit",
            Face::Evade => "evade",
            Face::Focus => "focus result",
            Face::Blank => "blank",
        }
    }
}

impl From<AttackFace> for Face {
    fn from(face: AttackFace) -> Self {
        match face {
            AttackFace::Crit => Face::Crit,
            AttackFace::Hit => Face::Hit,
            AttackFace::Focus => Face::Focus,
            AttackFace::Blank => Face::Blank,
        }
    }
}

impl From<DefenceFace> for Face {
    fn from(face: DefenceFace) -> Self {
        match face {
            DefenceFace::Evade => Face::Evade,
            DefenceFace::Focus => Face::Focus,
            DefenceFace::Blank => Face::Blank,
        }
    }
}

/// A set of faces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct FaceSet(u8);

impl FaceSet {
    /// No face.
    pub const NONE: FaceSet = FaceSet(0);
    /// Every face.
    pub const ANY: FaceSet = FaceSet(0b1_1111);
    /// Hits, crits and evades.
    pub const SUCCESS: FaceSet = FaceSet(0b0_0111);

    /// These faces.
    pub const fn of(faces: &[Face]) -> Self {
        let mut bits = 0;
        let mut index = 0;
        while index < faces.len() {
            bits |= 1 << faces[index] as u8;
            index += 1;
        }
        FaceSet(bits)
    }

    /// Whether a face is among them.
    pub const fn has(self, face: Face) -> bool {
        self.0 & (1 << face as u8) != 0
    }

    /// The faces of both.
    pub const fn with(self, other: FaceSet) -> Self {
        FaceSet(self.0 | other.0)
    }

    /// The faces but for those of another.
    pub const fn without(self, other: FaceSet) -> Self {
        FaceSet(self.0 & !other.0)
    }

    /// The faces, in the order of their numbers.
    pub fn each(self) -> impl Iterator<Item = Face> {
        Face::ALL.into_iter().filter(move |&face| self.has(face))
    }
}

/// Dice as they lie: how many show each face, those that were rerolled apart (and those that were
/// added, where these are never rerolled): a die is rerolled once (FE-8.7).
///
/// Five bits a count: no pool has more than [`super::super::MAX_DICE`] dice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Pool(u64);

const BITS: u32 = 5;
const MASK: u64 = (1 << BITS) - 1;

impl Pool {
    const fn shift(face: Face, rerolled: bool) -> u32 {
        (face as u32 * 2 + rerolled as u32) * BITS
    }

    /// How many dice show a face and were, or were not, rerolled.
    pub const fn at(self, face: Face, rerolled: bool) -> u8 {
        ((self.0 >> Self::shift(face, rerolled)) & MASK) as u8
    }

    /// How many dice show a face.
    pub const fn count(self, face: Face) -> u8 {
        self.at(face, false) + self.at(face, true)
    }

    /// How many dice show any of these faces.
    pub fn count_of(self, faces: FaceSet) -> u8 {
        faces.each().map(|face| self.count(face)).sum()
    }

    /// How many dice there are.
    pub fn total(self) -> u8 {
        self.count_of(FaceSet::ANY)
    }

    /// So many dice more of a face, as many as the pool has room for.
    pub fn add(&mut self, face: Face, rerolled: bool, count: u8) {
        let room = (MASK as u8) - self.at(face, rerolled);
        self.0 += u64::from(count.min(room)) << Self::shift(face, rerolled);
    }

    /// Takes so many dice of a face away, or all if there are fewer; tells how many.
    pub fn take(&mut self, face: Face, rerolled: bool, count: u8) -> u8 {
        let taken = count.min(self.at(face, rerolled));
        self.0 -= u64::from(taken) << Self::shift(face, rerolled);
        taken
    }

    /// Takes so many dice of a face away, rerolled ones first: the others may still be rerolled. Tells how many of them
    /// were rerolled, and how many were not.
    pub fn take_any(&mut self, face: Face, count: u8) -> (u8, u8) {
        let rerolled = self.take(face, true, count);
        (rerolled, self.take(face, false, count - rerolled))
    }

    /// The pool without the difference between rerolled dice and others of a face.
    pub(super) fn merged(mut self, face: Face) -> Self {
        let rerolled = self.take(face, true, u8::MAX);
        self.add(face, false, rerolled);
        self
    }

    /// Dice as they come out of the first roll.
    pub fn rolled(faces: impl IntoIterator<Item = Face>) -> Self {
        let mut pool = Pool::default();
        for face in faces {
            pool.add(face, false, 1);
        }
        pool
    }
}
