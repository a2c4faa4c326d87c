//! Between the reveal and the move: the maneuver that is to be executed becomes another one, or another colour.

use super::{Pick, Resolving, Work};
use crate::xwing::{
    ObjectId,
    battle::{
        Battle, Event, Flight,
        occasion::{Happening, Moved},
        offer::Choice,
    },
    effects::{
        Window,
        primitive::{ChangeManeuver, RotateShip},
    },
    maneuver::{Bearing, Difficulty, Maneuver, Side},
};

/// The changes that are carried out here: those to maneuvers of the rules.
pub(super) const fn is_played(change: ChangeManeuver) -> bool {
    !matches!(
        change,
        ChangeManeuver::Any
            | ChangeManeuver::Speed1
            | ChangeManeuver::Sideslip
            | ChangeManeuver::SideslipBank1
            | ChangeManeuver::TemplateTurnOrStraight
    )
}

/// A colour so many steps harder; purple stays what it is.
pub(in crate::xwing::battle) const fn harder(difficulty: Difficulty, by: i8) -> Difficulty {
    let step = match difficulty {
        Difficulty::Purple => return Difficulty::Purple,
        Difficulty::Blue => 0,
        Difficulty::White => 1,
        Difficulty::Red => 2,
    };
    match step + by {
        ..=0 => Difficulty::Blue,
        1 => Difficulty::White,
        _ => Difficulty::Red,
    }
}

const fn mirrored(side: Side) -> Side {
    match side {
        Side::Left => Side::Right,
        Side::Right => Side::Left,
    }
}

const fn other_way(bearing: Bearing) -> Option<Bearing> {
    Some(match bearing {
        Bearing::Bank(side) => Bearing::Bank(mirrored(side)),
        Bearing::Turn(side) => Bearing::Turn(mirrored(side)),
        Bearing::SegnorsLoop(side) => Bearing::SegnorsLoop(mirrored(side)),
        Bearing::TallonRoll(side) => Bearing::TallonRoll(mirrored(side)),
        Bearing::ReverseBank(side) => Bearing::ReverseBank(mirrored(side)),
        Bearing::Straight | Bearing::Koiogran | Bearing::Stationary | Bearing::ReverseStraight => return None,
    })
}

/// The ways in which a ship may rotate, degrees, right positive.
pub(super) fn rotations(rotate: &RotateShip) -> impl Iterator<Item = i16> {
    let sizes = rotate.degrees.iter().filter_map(|degrees| i16::try_from(*degrees).ok());
    sizes.flat_map(|size| [size, -size].into_iter().take(if size == 180 { 1 } else { 2 }))
}

impl Battle {
    /// The move that is chosen and not yet made, and whose it is.
    pub fn flying(&self) -> Option<(&ObjectId, Flight)> {
        let mut waiting = self.queue.work.iter().rev();
        waiting.find_map(|work| match work {
            Work::Fly { index, flight } => Some((&self.table.ships[*index].id, **flight)),
            _ => None,
        })
    }

    /// The maneuvers among which is chosen now, in the order of the choices that are offered.
    pub fn maneuvers_offered(&self) -> Option<&[Maneuver]> {
        match self.queue.work.last()? {
            Work::Pick {
                pick: Pick::Maneuver { options, .. },
                ..
            } => Some(options),
            _ => None,
        }
    }

    pub(super) fn flight_of(&self, ship: usize) -> Option<&Flight> {
        let mut waiting = self.queue.work.iter().rev();
        waiting.find_map(|work| match work {
            Work::Fly { index, flight } if *index == ship => Some(&**flight),
            _ => None,
        })
    }

    /// A moment of a move that is still to be made.
    pub(super) fn open_before_move(&mut self, window: Window, index: usize) {
        let Some(flight) = self.flight_of(index) else {
            return;
        };
        let moved = Moved {
            maneuver: flight.maneuver,
            full: false,
            ionized: flight.maneuver == self.table.rules.ion_maneuver(),
            obstacles: Vec::new(),
            overlapped: Vec::new(),
        };
        self.open(window, Some(index), None, Happening::Maneuver(Box::new(moved)));
    }

    /// What the maneuver of a ship could be changed to, but for those that it could not execute then.
    pub(super) fn other_maneuvers(&self, ship: usize, words: &[ChangeManeuver], by: i8) -> Vec<Maneuver> {
        let Some(now) = self.flight_of(ship).map(|flight| flight.maneuver) else {
            return Vec::new();
        };
        if now == self.table.rules.ion_maneuver() {
            // An ionized ship reveals nothing.
            return Vec::new();
        }
        let dial = self.table.ships[ship].dial.maneuvers();
        let basic = |bearing| matches!(bearing, Bearing::Straight | Bearing::Bank(_) | Bearing::Turn(_));
        let near = |speed: u8| speed.abs_diff(now.speed) == 1;
        let mut found: Vec<Maneuver> = Vec::new();
        for word in words {
            let of_dial = |fits: &dyn Fn(&Maneuver) -> bool| dial.iter().filter(|m| fits(m)).copied().collect();
            let at_speed = |speed: Option<u8>| speed.map(|speed| Maneuver { speed, ..now });
            let (slower, faster) = (now.speed.checked_sub(1), now.speed.checked_add(1));
            let with = |bearing, difficulty| Maneuver {
                bearing,
                difficulty,
                ..now
            };
            let segnor = [Side::Left, Side::Right].map(|side| with(Bearing::SegnorsLoop(side), now.difficulty));
            let options: Vec<Maneuver> = match word {
                ChangeManeuver::SameSpeedAndDifficulty => {
                    of_dial(&|m| m.speed == now.speed && m.difficulty == now.difficulty)
                }
                ChangeManeuver::SameSpeedNotRed => {
                    of_dial(&|m| m.speed == now.speed && m.difficulty != Difficulty::Red)
                }
                ChangeManeuver::SameDifficulty => of_dial(&|m| m.difficulty == now.difficulty),
                ChangeManeuver::SameBearingSpeed1 => of_dial(&|m| m.bearing == now.bearing && near(m.speed)),
                ChangeManeuver::BasicNextSpeed => of_dial(&|m| basic(m.bearing) && Some(m.speed) == faster),
                ChangeManeuver::OtherSpeed1 => [faster, slower].into_iter().filter_map(at_speed).collect(),
                ChangeManeuver::Faster => at_speed(faster).into_iter().collect(),
                ChangeManeuver::Slower => at_speed(slower).into_iter().collect(),
                ChangeManeuver::OtherDirection => {
                    let other = other_way(now.bearing).map(|bearing| with(bearing, now.difficulty));
                    other.into_iter().collect()
                }
                ChangeManeuver::WhiteStationary => vec![Maneuver {
                    speed: 0,
                    bearing: Bearing::Stationary,
                    difficulty: Difficulty::White,
                }],
                ChangeManeuver::Koiogran => vec![with(Bearing::Koiogran, now.difficulty)],
                ChangeManeuver::RedKoiogran => vec![with(Bearing::Koiogran, Difficulty::Red)],
                ChangeManeuver::Segnor => segnor.to_vec(),
                _ => Vec::new(),
            };
            found.extend(options);
        }
        found.sort_unstable_by_key(ToString::to_string);
        found.dedup();
        let possible = |m: &Maneuver| {
            let length = match m.bearing {
                Bearing::Stationary => m.speed == 0,
                Bearing::Turn(_) | Bearing::Bank(_) | Bearing::SegnorsLoop(_) | Bearing::TallonRoll(_) => {
                    (1..=3).contains(&m.speed)
                }
                Bearing::ReverseStraight | Bearing::ReverseBank(_) => (1..=2).contains(&m.speed),
                Bearing::Straight | Bearing::Koiogran => (1..=5).contains(&m.speed),
            };
            let flown = Maneuver {
                difficulty: harder(m.difficulty, by),
                ..*m
            };
            *m != now && length && self.allowed(ship, flown) == flown
        };
        found.retain(possible);
        found
    }

    /// Somebody picks the maneuver that takes the place of the revealed one.
    pub(super) fn pick_maneuver(
        &mut self,
        resolving: Resolving,
        ship: usize,
        words: &[ChangeManeuver],
        dice: &mut dyn crate::dice::DiceSource,
    ) -> Option<crate::xwing::battle::Request> {
        // What makes it harder may stand before the change or after it.
        let effect = self.effect(resolving.effect);
        let by = effect.map_or(0, |effect| super::support::made_harder(&effect.steps));
        let options = self.other_maneuvers(ship, words, by);
        let choices = options.iter().enumerate().map(|(index, maneuver)| Choice::Branch {
            index,
            says: format!("the maneuver {maneuver}"),
        });
        let choices = choices.collect();
        let chooser = resolving.effect.ship;
        self.pick(
            resolving,
            Pick::Maneuver { ship, options },
            chooser,
            ship,
            choices,
            dice,
        )
    }

    /// The maneuver of a ship becomes another one.
    pub(super) fn change_flight(&mut self, ship: usize, change: impl FnOnce(Maneuver) -> Maneuver) {
        let mut waiting = self.queue.work.iter_mut().rev();
        let flight = waiting.find_map(|work| match work {
            Work::Fly { index, flight } if *index == ship => Some(flight),
            _ => None,
        });
        let Some(flight) = flight else { return };
        let changed = change(flight.maneuver);
        if changed != flight.maneuver {
            flight.maneuver = changed;
            let ship = self.table.ships[ship].id.clone();
            self.events.push(Event::ManeuverChanged {
                ship,
                maneuver: changed,
            });
        }
    }
}
