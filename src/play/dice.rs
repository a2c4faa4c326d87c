//! Dice that somebody rolls on their own table and types in.

use std::io;

use super::console::Console;
use crate::{
    dice::{D20Source as _, DiceSource as _, SeededDice},
    record::{
        dice::{Die, Missing, Roll, attack_face, defence_face},
        words::count,
    },
};

/// Dice of the seed for who does not want to roll: those of a choice by its number, after so many that are known.
pub(super) fn rolled_for(seed: u64, choice: usize, missing: Missing, known: usize) -> Vec<Roll> {
    let choice = u32::try_from(choice).unwrap_or(u32::MAX);
    let mut dice = SeededDice::for_activation(seed, choice, &format!("rolled {known}"));
    let roll = |_| match missing.die {
        Die::Attack => Roll::Attack(dice.attack()),
        Die::Defence => Roll::Defence(dice.defence()),
        Die::D20 => Roll::D20(dice.d20()),
    };
    (0..missing.count).map(roll).collect()
}

/// Asks for dice; `usual` for who types nothing. `None` to leave.
pub(super) fn ask(
    console: &mut Console<'_>,
    whose: &str,
    missing: Missing,
    usual: &[Roll],
) -> io::Result<Option<Vec<Roll>>> {
    let (kind, faces, wanted) = match missing.die {
        Die::Attack => (
            "attack die",
            "hit, crit, focus, blank, or h c f b",
            "hit, crit, focus or blank each",
        ),
        Die::Defence => (
            "defence die",
            "evade, focus, blank, or e f b",
            "evade, focus or blank each",
        ),
        Die::D20 => ("d20", "1 to 20", "a number from 1 to 20"),
    };
    let (dice, wanted) = match missing.die {
        Die::D20 => (format!("a {kind}"), wanted.to_owned()),
        _ => {
            let dice = count(missing.count as u32, kind);
            let wanted = format!("{dice}: {wanted}");
            (dice, wanted)
        }
    };
    let (what, them) = match missing.count {
        1 => ("what it shows", "it"),
        _ => ("what they show", "them"),
    };
    let whose = match whose {
        "" => String::new(),
        whose => format!("{whose}: "),
    };
    console.say(&format!(
        "{whose}roll {dice} and type {what} ({faces}); Enter rolls {them} for you."
    ))?;
    loop {
        let Some(typed) = console.ask(&format!("{dice}?"))? else {
            return Ok(None);
        };
        if ["quit", "exit", "q"].contains(&typed.as_str()) {
            return Ok(None);
        }
        if typed.is_empty() {
            if let [Roll::D20(shows)] = usual {
                console.say(&format!("It shows {shows}."))?;
            }
            return Ok(Some(usual.to_vec()));
        }
        let words = typed.split(|letter: char| letter.is_whitespace() || letter == ',');
        let rolls: Option<Vec<Roll>> = (words.filter(|word| !word.is_empty()))
            .map(|word| face(missing.die, &word.to_lowercase()))
            .collect();
        match rolls {
            Some(rolls) if (1..=missing.count).contains(&rolls.len()) => return Ok(Some(rolls)),
            _ => console.say(&format!("Type {wanted}."))?,
        }
    }
}

fn face(die: Die, word: &str) -> Option<Roll> {
    match die {
        Die::Attack => attack_face(word).map(Roll::Attack),
        Die::Defence => defence_face(word).map(Roll::Defence),
        Die::D20 => (word.parse().ok())
            .filter(|shows| (1..=20).contains(shows))
            .map(Roll::D20),
    }
}
