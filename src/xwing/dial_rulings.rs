//! What a ship flies that may not fly what its dial shows, whose dial is another ship's, or that has none (FE-3.3, FE-4.3,
//! FE-14.4, SA-6.2).

use super::{
    edition::{Rules, StressedRed},
    maneuver::{Bearing, Difficulty, Maneuver},
    ship::Ship,
};

/// What a ship flies that may not fly what its dial shows: a white 2 straight, whose speed, bearing and colour nothing
/// changes (SA-6.2, FE-4.3).
pub const INSTEAD: Maneuver = Maneuver {
    speed: 2,
    bearing: Bearing::Straight,
    difficulty: Difficulty::White,
};

/// What the rules say of a dial.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ruling {
    /// The ship flies this.
    Flies(Maneuver),
    /// Its opponent picks one of these.
    OpponentPicks(Vec<Maneuver>),
}

/// FE-3.3: a dial of another ship shows this, or (none) there is no dial. The speed and the bearing are flown in the right
/// colour if the ship's own dial has them; else the opponent picks a legal one. What is red for a stressed ship comes to
/// [`of_stressed`] then.
pub fn of_wrong_dial(ship: &Ship, shown: Option<Maneuver>) -> Ruling {
    let dial = ship.dial.maneuvers();
    let own = shown.and_then(|shown| {
        let is_it = |own: &&Maneuver| (own.speed, own.bearing) == (shown.speed, shown.bearing);
        dial.iter().find(is_it)
    });
    match own {
        Some(own) => Ruling::Flies(*own),
        None => Ruling::OpponentPicks(
            dial.iter()
                .copied()
                .filter(|maneuver| ship.may_fly(*maneuver))
                .collect(),
        ),
    }
}

/// FE-4.3, FE-14.4: what a stressed ship flies that shows a red maneuver which it may not fly. **choice** A white 2 straight, too,
/// where the opponent would pick and its dial is all red.
pub fn of_stressed(rules: &Rules, ship: &Ship) -> Ruling {
    match rules.stressed_red {
        StressedRed::White2Straight => Ruling::Flies(INSTEAD),
        StressedRed::OpponentPicks => match not_red(ship) {
            none if none.is_empty() => Ruling::Flies(INSTEAD),
            some => Ruling::OpponentPicks(some),
        },
    }
}

/// The maneuvers of a ship's dial that are not red.
pub fn not_red(ship: &Ship) -> Vec<Maneuver> {
    let all = ship.dial.maneuvers().iter().copied();
    all.filter(|maneuver| maneuver.difficulty != Difficulty::Red).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        geometry::Pose,
        xwing::{catalog::Catalog, edition::Edition},
    };

    fn xwing(stress: u32) -> Ship {
        let resolved = Catalog::embedded_for(Edition::First).resolve("xwing", None, std::iter::empty::<&str>());
        let resolved = resolved.expect("a ship of the catalog");
        let mut ship = resolved.into_ship("a".into(), "player".to_owned(), Pose::default());
        ship.tokens.stress = stress;
        ship
    }

    fn code(text: &str) -> Maneuver {
        text.parse().expect("a dial code")
    }

    #[test]
    fn fe_3_3_what_another_dial_shows_is_flown_in_the_right_colour_or_the_opponent_picks() {
        // The TIE's white 2 straight is green on the X-wing's dial; it has no 1 turn, and no 5 straight.
        let ship = xwing(0);
        assert_eq!(of_wrong_dial(&ship, Some(code("2FW"))), Ruling::Flies(code("2FB")));
        assert_eq!(of_wrong_dial(&ship, Some(code("4KW"))), Ruling::Flies(code("4KR")));
        for shown in [Some(code("1TW")), Some(code("5FW")), None] {
            let Ruling::OpponentPicks(all) = of_wrong_dial(&ship, shown) else {
                panic!("{shown:?} is on its dial");
            };
            assert_eq!(all, ship.dial.maneuvers(), "{shown:?}");
        }
        // Legal is what it may fly.
        let Ruling::OpponentPicks(all) = of_wrong_dial(&xwing(1), None) else {
            panic!("it has no dial");
        };
        assert_eq!(all, not_red(&ship));
        assert!(all.len() < ship.dial.maneuvers().len());
    }

    #[test]
    fn fe_4_3_a_stressed_ship_that_shows_red_flies_a_white_2_straight_or_what_the_opponent_picks() {
        let ship = xwing(1);
        assert_eq!(of_stressed(&Rules::FIRST, &ship), Ruling::Flies(code("2FW")));
        let rules = Rules {
            stressed_red: StressedRed::OpponentPicks,
            ..Rules::FIRST
        };
        assert_eq!(of_stressed(&rules, &ship), Ruling::OpponentPicks(not_red(&ship)));
    }
}
