//! Who has the initiative, from the points of two squads (FE-2.1, FE-14.1).

use crate::{dice::AttackFace, xwing::edition::FirstInitiative};

/// What the rules look at in a side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Side {
    /// Points of its squad.
    pub total: i32,
    /// Whether it flies for the Empire, the First Order included.
    pub imperial: bool,
}

/// Who has the initiative for the whole game, or says who has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Initiative {
    /// This side, 0 or 1, has it.
    Has(usize),
    /// This side, 0 or 1, chooses who has it.
    Chooses(usize),
}

/// Compares two sides. `roll` is asked for one attack die of side 0, and only if the totals are equal and nothing else
/// decides: on a hit or a critical hit side 0 chooses, else side 1.
pub fn compare(rule: FirstInitiative, sides: [Side; 2], roll: impl FnOnce() -> AttackFace) -> Initiative {
    let lower = match sides[0].total.cmp(&sides[1].total) {
        std::cmp::Ordering::Less => Some(0),
        std::cmp::Ordering::Greater => Some(1),
        std::cmp::Ordering::Equal => None,
    };
    match (rule, lower) {
        // FE-2.1
        (FirstInitiative::LowerTotalChooses, Some(side)) => Initiative::Chooses(side),
        (FirstInitiative::LowerTotalChooses, None) => rolled(roll()),
        // FE-14.1
        (FirstInitiative::LowerTotal, Some(side)) => Initiative::Has(side),
        (FirstInitiative::LowerTotal, None) => match sides.map(|side| side.imperial) {
            [true, false] => Initiative::Has(0),
            [false, true] => Initiative::Has(1),
            _ => rolled(roll()),
        },
    }
}

fn rolled(face: AttackFace) -> Initiative {
    match face {
        AttackFace::Hit | AttackFace::Crit => Initiative::Chooses(0),
        AttackFace::Focus | AttackFace::Blank => Initiative::Chooses(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(total: i32, imperial: bool) -> Side {
        Side { total, imperial }
    }

    #[test]
    fn fe_2_1_the_lower_total_chooses_and_equal_totals_roll() {
        let by = |sides, face| compare(FirstInitiative::LowerTotalChooses, sides, || face);
        let rebel_98 = [side(98, false), side(100, true)];
        assert_eq!(by(rebel_98, AttackFace::Blank), Initiative::Chooses(0));
        assert_eq!(by([rebel_98[1], rebel_98[0]], AttackFace::Hit), Initiative::Chooses(1));
        let equal = [side(100, false), side(100, true)];
        for (face, chooser) in [
            (AttackFace::Hit, 0),
            (AttackFace::Crit, 0),
            (AttackFace::Focus, 1),
            (AttackFace::Blank, 1),
        ] {
            assert_eq!(by(equal, face), Initiative::Chooses(chooser), "{face:?}");
        }
    }

    #[test]
    fn fe_14_1_the_lower_total_has_it_and_of_equal_ones_the_imperial_side() {
        let by = |sides, face| compare(FirstInitiative::LowerTotal, sides, || face);
        assert_eq!(
            by([side(98, false), side(100, true)], AttackFace::Blank),
            Initiative::Has(0)
        );
        assert_eq!(
            by([side(100, false), side(100, true)], AttackFace::Hit),
            Initiative::Has(1)
        );
        assert_eq!(
            by([side(100, true), side(100, false)], AttackFace::Blank),
            Initiative::Has(0)
        );
        // None or two of the Empire: the die.
        for imperial in [false, true] {
            let sides = [side(100, imperial); 2];
            assert_eq!(by(sides, AttackFace::Crit), Initiative::Chooses(0));
            assert_eq!(by(sides, AttackFace::Focus), Initiative::Chooses(1));
        }
    }

    #[test]
    fn no_die_is_rolled_that_nobody_needs() {
        for rule in [FirstInitiative::LowerTotalChooses, FirstInitiative::LowerTotal] {
            let sides = [side(90, false), side(100, false)];
            compare(rule, sides, || panic!("a roll for unequal totals"));
        }
    }
}
