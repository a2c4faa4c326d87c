//! Dice that were rolled outside the program: by the table, or by hand and typed in.

use std::collections::VecDeque;

use crate::{
    dice::{AttackFace, DefenceFace, DiceSource},
    game::event::DiceWanted,
};

/// Faces that are known, in the order in which they are used.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Faces {
    /// Attack dice.
    pub attack: VecDeque<AttackFace>,
    /// Defence dice.
    pub defence: VecDeque<DefenceFace>,
}

impl Faces {
    /// Adds what was rolled later.
    pub fn extend(&mut self, more: Faces) {
        self.attack.extend(more.attack);
        self.defence.extend(more.defence);
    }

    /// As many faces of each kind as are wanted, and no more; `None` if there are fewer.
    pub fn exactly(mut self, wanted: DiceWanted) -> Option<Faces> {
        let (attack, defence) = (wanted.attack as usize, wanted.defence as usize);
        if self.attack.len() < attack || self.defence.len() < defence {
            return None;
        }
        self.attack.truncate(attack);
        self.defence.truncate(defence);
        Some(self)
    }

    /// Rolls so many dice.
    pub fn rolled(wanted: DiceWanted, dice: &mut dyn DiceSource) -> Faces {
        Faces {
            attack: (0..wanted.attack).map(|_| dice.attack()).collect(),
            defence: (0..wanted.defence).map(|_| dice.defence()).collect(),
        }
    }

    /// Reads faces as players type them: `hit hit focus`, `2h 1f`, `hhfb`, attack dice first. `None` if a word is no face, or if
    /// there are not as many as wanted.
    pub fn parse(text: &str, wanted: DiceWanted) -> Option<Faces> {
        let mut letters = Vec::new();
        for word in text
            .split(|c: char| !c.is_ascii_alphanumeric())
            .filter(|word| !word.is_empty())
        {
            let digits = word.chars().take_while(char::is_ascii_digit).count();
            let (count, rest) = word.split_at(digits);
            let count: usize = if count.is_empty() { 1 } else { count.parse().ok()? };
            if rest.is_empty() || count > MOST {
                return None;
            }
            let whole = initial(rest);
            let faces: Vec<char> = match whole {
                Some(letter) => vec![letter],
                // `hhfb`: a letter a die.
                None => rest
                    .chars()
                    .map(|c| initial(c.encode_utf8(&mut [0; 4])))
                    .collect::<Option<_>>()?,
            };
            letters.extend((0..count).flat_map(|_| faces.iter().copied()));
        }
        let (attack, defence) = (wanted.attack as usize, wanted.defence as usize);
        if letters.len() != attack + defence {
            return None;
        }
        let (ours, theirs) = letters.split_at(attack);
        let attack_face = |letter: &char| match letter {
            'c' => Some(AttackFace::Crit),
            'h' => Some(AttackFace::Hit),
            'f' => Some(AttackFace::Focus),
            'b' => Some(AttackFace::Blank),
            _ => None,
        };
        let defence_face = |letter: &char| match letter {
            'e' => Some(DefenceFace::Evade),
            'f' => Some(DefenceFace::Focus),
            'b' => Some(DefenceFace::Blank),
            _ => None,
        };
        Some(Faces {
            attack: ours.iter().map(attack_face).collect::<Option<_>>()?,
            defence: theirs.iter().map(defence_face).collect::<Option<_>>()?,
        })
    }
}

/// Nobody types more dice of one face than this.
const MOST: usize = 20;

/// The letter of a face's name, singular or plural.
fn initial(word: &str) -> Option<char> {
    Some(match word.to_ascii_lowercase().as_str() {
        "c" | "crit" | "crits" => 'c',
        "h" | "hit" | "hits" => 'h',
        "f" | "focus" | "focuses" | "eye" | "eyes" => 'f',
        "b" | "blank" | "blanks" => 'b',
        "e" | "evade" | "evades" => 'e',
        _ => return None,
    })
}

/// Gives known faces, and notes how many more of them were asked for. What is made with such a die is not meant to stay:
/// the dice are asked for, and all is done again with more faces.
pub struct GivenDice<'d> {
    faces: Faces,
    missing: DiceWanted,
    /// For choices, which no die makes.
    rest: &'d mut dyn DiceSource,
}

impl<'d> GivenDice<'d> {
    /// Dice of which these faces are known.
    pub fn new(faces: Faces, rest: &'d mut dyn DiceSource) -> Self {
        GivenDice {
            faces,
            missing: DiceWanted::default(),
            rest,
        }
    }

    /// The first roll that could not be given: dice of one kind. What was asked for after it may hang on how it falls.
    pub fn missing(&self) -> DiceWanted {
        self.missing
    }
}

impl DiceSource for GivenDice<'_> {
    fn defence(&mut self) -> DefenceFace {
        self.faces.defence.pop_front().unwrap_or_else(|| {
            if self.missing.attack == 0 {
                self.missing.defence += 1;
            }
            DefenceFace::Blank
        })
    }

    fn attack(&mut self) -> AttackFace {
        self.faces.attack.pop_front().unwrap_or_else(|| {
            if self.missing.defence == 0 {
                self.missing.attack += 1;
            }
            AttackFace::Blank
        })
    }

    fn choose(&mut self, count: usize) -> usize {
        self.rest.choose(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::SeededDice;

    #[test]
    fn faces_are_read_as_players_type_them() {
        use AttackFace::{Blank, Crit, Focus, Hit};
        let three = DiceWanted { attack: 3, defence: 0 };
        for (text, expected) in [
            ("hit hit focus", Some([Hit, Hit, Focus])),
            ("2h 1f", Some([Hit, Hit, Focus])),
            ("2 h", None),
            ("hcb", Some([Hit, Crit, Blank])),
            ("Crit, HIT; eye", Some([Crit, Hit, Focus])),
            ("3 hits", None),
            ("3hits", Some([Hit, Hit, Hit])),
            ("hit hit", None),
            ("hit hit evade", None),
            ("hit hit hit hit", None),
            ("roll", None),
            ("99999999999h", None),
            ("", None),
        ] {
            let read = Faces::parse(text, three).map(|faces| Vec::from(faces.attack));
            assert_eq!(read, expected.map(Vec::from), "{text}");
        }
        let both = DiceWanted { attack: 1, defence: 2 };
        let read = Faces::parse("f e b", both).expect("three faces");
        assert_eq!(read.attack, [Focus]);
        assert_eq!(read.defence, [DefenceFace::Evade, DefenceFace::Blank]);
    }

    #[test]
    fn only_the_first_roll_that_is_missing_is_asked_for() {
        let mut rest = SeededDice::new(1);
        let faces = Faces {
            attack: [AttackFace::Hit].into(),
            defence: VecDeque::new(),
        };
        let mut dice = GivenDice::new(faces, &mut rest);
        assert_eq!(dice.attack(), AttackFace::Hit);
        assert_eq!(dice.missing(), DiceWanted::default());
        for _ in 0..2 {
            dice.defence();
        }
        dice.attack();
        assert_eq!(dice.missing(), DiceWanted { attack: 0, defence: 2 });
    }
}
