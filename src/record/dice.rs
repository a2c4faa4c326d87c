//! Dice of a game that is written down: what was rolled is noted, and comes again when the record is played again.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::{
    dice::{AttackFace, D20Source, DefenceFace, DiceSource, SeededDice},
    solo_alpha::chart,
};

/// One thing that came from a dice source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Roll {
    /// An attack die.
    Attack(AttackFace),
    /// A defence die.
    Defence(DefenceFace),
    /// A die of twenty sides, and what it shows.
    D20(u8),
    /// An even choice.
    Choice {
        /// What was chosen, from 0.
        chosen: u32,
        /// Of how many.
        count: u32,
    },
}

impl fmt::Display for Roll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Roll::Attack(face) => write!(f, "attack {}", chart::attack_name(*face)),
            Roll::Defence(face) => write!(f, "defence {}", chart::defence_name(*face)),
            Roll::D20(shows) => write!(f, "d20 {shows}"),
            Roll::Choice { chosen, count } => write!(f, "choice {chosen} of {count}"),
        }
    }
}

impl From<Roll> for String {
    fn from(roll: Roll) -> String {
        roll.to_string()
    }
}

impl TryFrom<String> for Roll {
    type Error = String;

    fn try_from(text: String) -> Result<Roll, String> {
        text.parse()
    }
}

impl FromStr for Roll {
    type Err = String;

    fn from_str(text: &str) -> Result<Roll, String> {
        let wrong = || {
            format!("`{text}` is no roll: write it as in `attack hit`, `defence evade`, `d20 17` or `choice 0 of 3`")
        };
        let (kind, rest) = text.split_once(' ').ok_or_else(wrong)?;
        let roll = match kind {
            "attack" => attack_face(rest).map(Roll::Attack),
            "defence" => defence_face(rest).map(Roll::Defence),
            "d20" => rest
                .parse()
                .ok()
                .filter(|shows| (1..=20).contains(shows))
                .map(Roll::D20),
            "choice" => rest.split_once(" of ").and_then(|(chosen, count)| {
                let (chosen, count) = (chosen.parse().ok()?, count.parse().ok()?);
                (chosen < count).then_some(Roll::Choice { chosen, count })
            }),
            _ => None,
        };
        roll.ok_or_else(wrong)
    }
}

/// The attack face of that name or that first letter.
pub fn attack_face(word: &str) -> Option<AttackFace> {
    face(word, &chart::ATTACK_FACES)
}

/// The defence face of that name or that first letter.
pub fn defence_face(word: &str) -> Option<DefenceFace> {
    face(word, &chart::DEFENCE_FACES)
}

fn face<Face: Copy>(word: &str, faces: &[(&'static str, Face)]) -> Option<Face> {
    let short = word.chars().count() == 1;
    let meant = |name: &str| match short {
        true => name.starts_with(word),
        false => name == word,
    };
    faces.iter().find(|(name, _)| meant(name)).map(|(_, face)| *face)
}

/// The dice of a game's choice by its number: the same whatever was rolled before it, so that a game that is resumed, or
/// goes another way from an earlier choice, needs to know no more than the number.
pub fn of_choice(seed: u64, number: usize) -> SeededDice {
    SeededDice::for_activation(seed, u32::try_from(number).unwrap_or(u32::MAX), "choice")
}

/// Dice of every game: which of them are rolled is the game's affair.
pub trait AllDice: DiceSource + D20Source {}

impl<D: DiceSource + D20Source> AllDice for D {}

/// Passes dice on and notes them.
pub struct Noted<'d> {
    dice: &'d mut dyn AllDice,
    /// What was rolled.
    pub rolls: Vec<Roll>,
}

impl<'d> Noted<'d> {
    /// Notes what this source gives.
    pub fn new(dice: &'d mut dyn AllDice) -> Self {
        let rolls = Vec::new();
        Noted { dice, rolls }
    }

    fn note_choice(&mut self, chosen: usize, count: usize) -> usize {
        let short = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        self.rolls.push(Roll::Choice {
            chosen: short(chosen),
            count: short(count.max(1)),
        });
        chosen
    }
}

impl fmt::Debug for Noted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Noted")
            .field("rolls", &self.rolls)
            .finish_non_exhaustive()
    }
}

impl DiceSource for Noted<'_> {
    fn defence(&mut self) -> DefenceFace {
        let face = self.dice.defence();
        self.rolls.push(Roll::Defence(face));
        face
    }

    fn attack(&mut self) -> AttackFace {
        let face = self.dice.attack();
        self.rolls.push(Roll::Attack(face));
        face
    }

    fn choose(&mut self, count: usize) -> usize {
        let chosen = self.dice.choose(count);
        self.note_choice(chosen, count)
    }
}

impl D20Source for Noted<'_> {
    fn d20(&mut self) -> u8 {
        let shows = self.dice.d20();
        self.rolls.push(Roll::D20(shows));
        shows
    }

    fn pick(&mut self, count: usize) -> usize {
        let chosen = self.dice.pick(count);
        self.note_choice(chosen, count)
    }
}

/// Dice as a record has them. Whoever asks for others than were rolled is told so by [`Given::is_astray`].
#[derive(Debug, Clone)]
pub struct Given<'r> {
    rolls: std::slice::Iter<'r, Roll>,
    astray: bool,
    /// How many dice of twenty sides were asked for in vain.
    lacking: u32,
}

impl<'r> Given<'r> {
    /// These, in order.
    pub fn new(rolls: &'r [Roll]) -> Self {
        Given {
            rolls: rolls.iter(),
            astray: false,
            lacking: 0,
        }
    }

    /// Whether other dice were asked for than were rolled, or fewer.
    pub fn is_astray(&self) -> bool {
        self.astray || self.rolls.len() > 0
    }
}

impl DiceSource for Given<'_> {
    fn defence(&mut self) -> DefenceFace {
        match self.rolls.next() {
            Some(Roll::Defence(face)) => *face,
            _ => {
                self.astray = true;
                DefenceFace::Blank
            }
        }
    }

    fn attack(&mut self) -> AttackFace {
        match self.rolls.next() {
            Some(Roll::Attack(face)) => *face,
            _ => {
                self.astray = true;
                AttackFace::Blank
            }
        }
    }

    fn choose(&mut self, count: usize) -> usize {
        match self.rolls.next() {
            Some(Roll::Choice { chosen, count: of }) if *of as usize == count.max(1) => *chosen as usize,
            _ => {
                self.astray = true;
                0
            }
        }
    }
}

impl D20Source for Given<'_> {
    fn d20(&mut self) -> u8 {
        match self.rolls.next() {
            Some(Roll::D20(shows)) => *shows,
            _ => {
                self.astray = true;
                unknown_d20(&mut self.lacking)
            }
        }
    }

    fn pick(&mut self, count: usize) -> usize {
        self.choose(count)
    }
}

/// Dice that somebody rolls on their own table and types in; even choices come from a seed. Where the faces that are known
/// run out, [`Typed::missing`] says what must be rolled: what came of it is thrown away, and asked for again with more.
#[derive(Debug, Clone)]
pub struct Typed<'f> {
    faces: std::slice::Iter<'f, Roll>,
    choices: SeededDice,
    missing: Option<Missing>,
    /// How many dice of twenty sides were asked for in vain.
    lacking: u32,
}

/// A kind of die.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Die {
    /// An attack die.
    Attack,
    /// A defence die.
    Defence,
    /// A die of twenty sides.
    D20,
}

/// Dice that must be rolled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Missing {
    /// Which.
    pub die: Die,
    /// How many at most, as far as can be told.
    pub count: usize,
    closed: bool,
}

impl<'f> Typed<'f> {
    /// The faces that are known, and what decides even choices.
    pub fn new(faces: &'f [Roll], choices: SeededDice) -> Self {
        Typed {
            faces: faces.iter(),
            choices,
            missing: None,
            lacking: 0,
        }
    }

    /// What must be rolled and is not known yet.
    pub fn missing(&self) -> Option<Missing> {
        self.missing
    }

    /// How many known faces nobody asked for.
    pub fn left(&self) -> usize {
        self.faces.len()
    }

    fn lacks(&mut self, die: Die) {
        match &mut self.missing {
            None => {
                self.missing = Some(Missing {
                    die,
                    count: 1,
                    // Whether a second one is rolled may depend on what the first shows.
                    closed: die == Die::D20,
                });
            }
            Some(missing) if missing.die == die && !missing.closed => missing.count += 1,
            // What follows may depend on what is not known.
            Some(missing) => missing.closed = true,
        }
    }
}

impl DiceSource for Typed<'_> {
    fn defence(&mut self) -> DefenceFace {
        if let (None, Some(Roll::Defence(face))) = (self.missing, self.faces.next()) {
            return *face;
        }
        self.lacks(Die::Defence);
        DefenceFace::Blank
    }

    fn attack(&mut self) -> AttackFace {
        if let (None, Some(Roll::Attack(face))) = (self.missing, self.faces.next()) {
            return *face;
        }
        self.lacks(Die::Attack);
        AttackFace::Blank
    }

    fn choose(&mut self, count: usize) -> usize {
        self.choices.choose(count)
    }
}

impl D20Source for Typed<'_> {
    fn d20(&mut self) -> u8 {
        if let (None, Some(Roll::D20(shows))) = (self.missing, self.faces.next()) {
            return *shows;
        }
        self.lacks(Die::D20);
        unknown_d20(&mut self.lacking)
    }

    fn pick(&mut self, count: usize) -> usize {
        self.choices.pick(count)
    }
}

/// What stands for a die that is not known: 20 and 1 in turns, so that two that must differ do.
fn unknown_d20(lacking: &mut u32) -> u8 {
    *lacking += 1;
    if *lacking % 2 == 1 { 20 } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rolls_are_written_and_read() {
        let faces = chart::ATTACK_FACES.iter().map(|(_, face)| Roll::Attack(*face));
        let others = chart::DEFENCE_FACES.iter().map(|(_, face)| Roll::Defence(*face));
        let choice = Roll::Choice { chosen: 2, count: 33 };
        for roll in faces.chain(others).chain([choice, Roll::D20(17)]) {
            assert_eq!(roll.to_string().parse(), Ok(roll));
            let json = serde_json::to_string(&roll).unwrap();
            assert_eq!(serde_json::from_str::<Roll>(&json).unwrap(), roll);
        }
        for wrong in [
            "",
            "attack",
            "attack evade",
            "defence hit",
            "choice 3 of 3",
            "choice",
            "roll hit",
            "d20 0",
            "d20 21",
        ] {
            assert!(wrong.parse::<Roll>().is_err(), "{wrong}");
        }
        assert_eq!(
            (attack_face("f"), defence_face("e")),
            (Some(AttackFace::Focus), Some(DefenceFace::Evade))
        );
    }

    #[test]
    fn noted_dice_come_again_and_others_are_seen() {
        let mut seeded = SeededDice::new(7);
        let mut noted = Noted::new(&mut seeded);
        let roll = |dice: &mut dyn AllDice| (dice.attack(), dice.defence(), dice.choose(5), dice.d20(), dice.pick(4));
        let first = roll(&mut noted);
        let rolls = noted.rolls;
        let mut given = Given::new(&rolls);
        assert!(given.is_astray(), "not all were asked for yet");
        assert_eq!(roll(&mut given), first);
        assert!(!given.is_astray());
        given.attack();
        assert!(given.is_astray());
        let mut given = Given::new(&rolls);
        given.defence();
        assert!(given.is_astray());
    }

    #[test]
    fn dice_that_are_not_typed_yet_are_told() {
        let faces = [Roll::Attack(AttackFace::Hit)];
        let mut typed = Typed::new(&faces, SeededDice::new(1));
        assert_eq!((typed.attack(), typed.missing()), (AttackFace::Hit, None));
        typed.attack();
        typed.attack();
        let missing = typed.missing().unwrap();
        assert_eq!((missing.die, missing.count), (Die::Attack, 2));
        typed.defence();
        typed.attack();
        assert_eq!(typed.missing().map(|missing| missing.count), Some(2));
        let mut typed = Typed::new(&[Roll::D20(7)], SeededDice::new(1));
        assert_eq!((typed.d20(), typed.missing()), (7, None));
        assert_ne!(typed.d20(), typed.d20());
        let missing = typed.missing().unwrap();
        assert_eq!((missing.die, missing.count), (Die::D20, 1), "one after the other");
    }
}
