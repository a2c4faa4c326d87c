//! SA-5: from a chart entry to a maneuver on the dial.

use std::fmt;

use super::{
    chart::{BearingClass, Entry, Landmark, Speed, Word},
    nearest::{Measured, compared, nearest},
    options::Options,
    tally,
};
use crate::{
    decision::{Compared, Reason},
    dice::DiceSource,
    geometry::{Pose, angle},
    xwing::{
        maneuver::{Bearing, Difficulty, Maneuver, Side},
        measure::Object,
        movement::{self, Alignment},
        ship::Ship,
        table::Table,
    },
};

/// Why a maneuver on the dial was left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rejection {
    /// Its speed is not the one asked for.
    Speed,
    /// It goes to the wrong side.
    Direction,
    /// Another one turns the nose closer to the object, or farther from it.
    Nose,
    /// A seeded roll took another.
    Roll,
    /// Red, and the ship is stressed (SA-6.2).
    RedWhileStressed,
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rejection::Speed => "not the speed asked for",
            Rejection::Direction => "to the wrong side",
            Rejection::Nose => "another turns the nose better",
            Rejection::Roll => "a seeded roll took another",
            Rejection::RedWhileStressed => "red while stressed",
        })
    }
}

/// A maneuver that met an entry's bearings and colour and was left all the same.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RejectedManeuver {
    /// The maneuver.
    pub maneuver: Maneuver,
    /// Where it would end if nothing were in the way (a Tallon roll in its middle alignment).
    pub full_end: Pose,
    /// Why it was left.
    pub why: Rejection,
}

/// Angles to the nose that differ by no more than this are a tie, degrees.
const NOSE_TIE_DEGREES: f64 = 1e-6;

impl BearingClass {
    fn holds(self, bearing: Bearing) -> bool {
        match self {
            BearingClass::Straight => bearing == Bearing::Straight,
            BearingClass::Bank => matches!(bearing, Bearing::Bank(_)),
            BearingClass::Turn => matches!(bearing, Bearing::Turn(_)),
            BearingClass::Advanced => matches!(
                bearing,
                Bearing::Koiogran
                    | Bearing::SegnorsLoop(_)
                    | Bearing::TallonRoll(_)
                    | Bearing::Stationary
                    | Bearing::ReverseStraight
                    | Bearing::ReverseBank(_)
            ),
            BearingClass::Stationary => bearing == Bearing::Stationary,
            BearingClass::Reverse => is_reverse(bearing),
        }
    }
}

fn is_reverse(bearing: Bearing) -> bool {
    matches!(bearing, Bearing::ReverseStraight | Bearing::ReverseBank(_))
}

/// SA-5: the side of a bearing's label; `None` meets any direction.
fn side_of(bearing: Bearing) -> Option<Side> {
    match bearing {
        Bearing::Bank(side)
        | Bearing::Turn(side)
        | Bearing::SegnorsLoop(side)
        | Bearing::TallonRoll(side)
        | Bearing::ReverseBank(side) => Some(side),
        Bearing::Straight | Bearing::Koiogran | Bearing::ReverseStraight | Bearing::Stationary => None,
    }
}

/// SA-5: reverse speeds count negative for *slowest* only.
fn rank(maneuver: Maneuver, speed: Speed) -> i16 {
    let value = i16::from(maneuver.speed);
    if speed == Speed::Slowest && is_reverse(maneuver.bearing) {
        -value
    } else {
        value
    }
}

/// SA-5: the speed asked for among these maneuvers.
fn target_speed(maneuvers: &[Maneuver], speed: Speed) -> Option<i16> {
    if let Speed::Exactly(speed) = speed {
        return Some(i16::from(speed));
    }
    let mut speeds: Vec<_> = maneuvers.iter().map(|&m| rank(m, speed)).collect();
    speeds.sort_unstable();
    speeds.dedup();
    match speed {
        Speed::Slowest => speeds.first(),
        Speed::Fastest => speeds.last(),
        // An even count rounds up: index n/2 of the ascending list.
        _ => speeds.get(speeds.len() / 2),
    }
    .copied()
}

/// One Determine Approach step's look at the dial. Rolls for a side are made once and kept over SA-6's second look.
pub(super) struct Selection<'a, 't> {
    table: &'t Table,
    ship: &'a Ship,
    tally: Option<Object<'t>>,
    obstacle: Option<Option<Object<'t>>>,
    sides: [Option<Side>; 2],
    options: &'a Options,
    dice: &'a mut dyn DiceSource,
    reasons: &'a mut Vec<Reason>,
    rejected: Vec<RejectedManeuver>,
}

impl<'a, 't> Selection<'a, 't> {
    pub fn new(
        table: &'t Table,
        ship: &'a Ship,
        tally: Option<Object<'t>>,
        options: &'a Options,
        dice: &'a mut dyn DiceSource,
        reasons: &'a mut Vec<Reason>,
    ) -> Self {
        Self {
            table,
            ship,
            tally,
            obstacle: None,
            sides: [None; 2],
            options,
            dice,
            reasons,
            rejected: Vec::new(),
        }
    }

    pub fn into_rejected(self) -> Vec<RejectedManeuver> {
        self.rejected
    }

    pub fn explain(&mut self, rule: &str, text: String) {
        self.compare(rule, text, Vec::new());
    }

    fn compare(&mut self, rule: &str, text: String, compared: Vec<Compared>) {
        self.reasons.push(Reason {
            rule: rule.to_owned(),
            text,
            compared,
        });
    }

    pub fn reject(&mut self, maneuver: Maneuver, why: Rejection) {
        let full_end = movement::full_end(self.ship.size, self.ship.pose, maneuver, Alignment::Middle);
        // A second look of SA-6 may meet a maneuver again: the last reason is the one that counts.
        self.rejected.retain(|r| r.maneuver != maneuver);
        self.rejected.push(RejectedManeuver {
            maneuver,
            full_end,
            why,
        });
    }

    /// SA-5: a purple maneuver that the ship cannot pay for is not on its dial.
    fn dial(&self) -> impl Iterator<Item = Maneuver> {
        let force = self.ship.tokens.force;
        self.ship
            .dial
            .maneuvers()
            .iter()
            .copied()
            .filter(move |m| m.difficulty != Difficulty::Purple || force > 0)
    }

    /// SA-5: the maneuver that an entry selects, or `None` if nothing on the dial meets it.
    pub fn select(&mut self, entry: &Entry) -> Option<Maneuver> {
        let meets = |m: &Maneuver| {
            entry.bearings.iter().any(|class| class.holds(m.bearing))
                && (!entry.blue || m.difficulty == Difficulty::Blue)
        };
        let all: Vec<_> = self.dial().filter(meets).collect();
        let mut left = all.clone();
        if !self.options.speed_before_direction {
            self.keep_direction(entry, &mut left);
        }
        let target = target_speed(&left, entry.speed)?;
        left.retain(|&m| {
            // A fixed speed means forward moves of that speed.
            rank(m, entry.speed) == target && !(matches!(entry.speed, Speed::Exactly(_)) && is_reverse(m.bearing))
        });
        for &maneuver in all.iter().filter(|&&m| rank(m, entry.speed) != target) {
            self.reject(maneuver, Rejection::Speed);
        }
        if self.options.speed_before_direction {
            self.keep_direction(entry, &mut left);
        }
        let chosen = self.choose_bearing(entry, left)?;
        self.rejected.retain(|r| r.maneuver != chosen);
        Some(chosen)
    }

    /// SA-5 *Direction*: drops the maneuvers to the wrong side.
    fn keep_direction(&mut self, entry: &Entry, left: &mut Vec<Maneuver>) {
        let Some((word, landmark)) = entry.direction else {
            return;
        };
        if left.iter().all(|m| side_of(m.bearing).is_none()) {
            return;
        }
        let side = self.side(landmark);
        let wanted = match word {
            Word::Towards => side,
            Word::Away => side.opposite(),
        };
        let wrong: Vec<_> = left
            .extract_if(.., |m| side_of(m.bearing).is_some_and(|side| side != wanted))
            .collect();
        for maneuver in wrong {
            self.reject(maneuver, Rejection::Direction);
        }
    }

    /// What an entry names: the tally, or the nearest obstacle, which is looked for once.
    pub fn object(&mut self, landmark: Landmark) -> Option<Object<'t>> {
        match landmark {
            Landmark::Tally => self.tally,
            Landmark::NearestObstacle => match self.obstacle {
                Some(known) => known,
                None => {
                    let obstacle = self.find_nearest_obstacle();
                    self.obstacle = Some(obstacle);
                    obstacle
                }
            },
        }
    }

    fn find_nearest_obstacle(&mut self) -> Option<Object<'t>> {
        let measured: Vec<_> = self
            .table
            .obstacles
            .iter()
            .map(|obstacle| {
                let object = Object::Obstacle(obstacle);
                Measured {
                    object,
                    distance: tally::distance(self.ship, &object),
                }
            })
            .collect();
        let found = nearest(&measured, self.dice)?;
        let id = found.chosen.object.id();
        let text = match found.tied.len() {
            1 => format!("nearest obstacle {id}"),
            _ => format!(
                "nearest obstacle {id}: a seeded roll among the equally near {}",
                found.tied_ids().join(", ")
            ),
        };
        let values = measured
            .iter()
            .map(|m| {
                let verdict = if m.object.id() == id { "taken" } else { "not nearer" };
                compared(m.object.id(), m.distance, verdict)
            })
            .collect();
        self.compare("SA-0", text, values);
        Some(found.chosen.object)
    }

    /// SA-5 *Direction*: the half of the table that the object's centre lies in.
    fn side(&mut self, landmark: Landmark) -> Side {
        let slot = landmark as usize;
        if let Some(side) = self.sides[slot] {
            return side;
        }
        let object = self.object(landmark);
        let across = object.map(|object| self.ship.pose.to_local(object.centre()).x);
        let side = match (across, object) {
            (Some(x), Some(object)) if x.abs() > super::nearest::TIE_MM => {
                let side = if x < 0.0 { Side::Left } else { Side::Right };
                let name = if side == Side::Left { "left" } else { "right" };
                let value = compared(object.id(), x, format!("on the {name}"));
                let text = format!("{} lies to the {name} of the centre line", object.id());
                self.compare("SA-5", text, vec![value]);
                side
            }
            (_, object) => {
                let side = Side::BOTH[self.dice.choose(2).min(1)];
                let name = if side == Side::Left { "left" } else { "right" };
                let what = match object {
                    Some(object) => format!("{} has no side, its centre is on the centre line", object.id()),
                    None => "there is no obstacle on the table".to_owned(),
                };
                self.explain("SA-5", format!("{what}: a seeded roll takes it as on the {name}"));
                side
            }
        };
        self.sides[slot] = Some(side);
        side
    }

    /// SA-5: of two bearings left at the same speed, towards takes the one whose full end pose turns the nose closest to
    /// the object, away the farthest; still tied, a seeded roll.
    fn choose_bearing(&mut self, entry: &Entry, mut left: Vec<Maneuver>) -> Option<Maneuver> {
        if left.len() <= 1 {
            return left.pop();
        }
        if let Some((word, landmark)) = entry.direction
            && let Some(object) = self.object(landmark)
        {
            let angles: Vec<_> = left
                .iter()
                .map(|&m| {
                    let end = movement::full_end(self.ship.size, self.ship.pose, m, Alignment::Middle);
                    let bearing = (object.centre() - end.position).bearing();
                    angle::signed(bearing - end.heading).abs()
                })
                .collect();
            let best = match word {
                Word::Towards => angles.iter().copied().fold(f64::INFINITY, f64::min),
                Word::Away => angles.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            };
            let is_best = |angle: f64| (angle - best).abs() <= NOSE_TIE_DEGREES;
            let values = left
                .iter()
                .zip(&angles)
                .map(|(m, &angle)| Compared {
                    candidate: m.to_string(),
                    value: Some(angle),
                    unit: "degrees".to_owned(),
                    verdict: if is_best(angle) { "best" } else { "left" }.to_owned(),
                })
                .collect();
            let text = format!(
                "several bearings at that speed: {} {} by the nose",
                word.name(),
                object.id()
            );
            self.compare("SA-5", text, values);
            let (best, worse): (Vec<_>, Vec<_>) = left.iter().zip(&angles).partition(|&(_, &angle)| is_best(angle));
            for (&maneuver, _) in worse {
                self.reject(maneuver, Rejection::Nose);
            }
            left = best.into_iter().map(|(&m, _)| m).collect();
        }
        self.roll_among(left)
    }

    fn roll_among(&mut self, mut left: Vec<Maneuver>) -> Option<Maneuver> {
        if left.len() <= 1 {
            return left.pop();
        }
        // In the order of their codes, as SA-0 orders ids.
        left.sort_by_key(|m| (m.speed, m.bearing.letter()));
        let index = self.dice.choose(left.len()).min(left.len() - 1);
        let chosen = left.remove(index);
        for &maneuver in &left {
            self.reject(maneuver, Rejection::Roll);
        }
        let others = left.iter().map(Maneuver::to_string).collect::<Vec<_>>().join(", ");
        self.explain(
            "SA-5",
            format!("{chosen} and {others} are equal: a seeded roll took {chosen}"),
        );
        Some(chosen)
    }

    /// SA-6.4: the slowest straight; if the dial has none, its slowest maneuver. Red ones only if nothing else can be
    /// executed by a stressed ship.
    pub fn slowest_straight(&mut self, rule: &'static str) -> Option<Maneuver> {
        let ship = self.ship;
        let legal = |m: &Maneuver| ship.may_fly(*m);
        let straight = |m: &Maneuver| m.bearing == Bearing::Straight;
        let all: Vec<_> = self.dial().collect();
        let attempts: [(&str, Vec<Maneuver>); 3] = [
            (
                "the slowest straight",
                all.iter().copied().filter(|m| legal(m) && straight(m)).collect(),
            ),
            (
                "no straight can be executed: the slowest maneuver",
                all.iter().copied().filter(legal).collect(),
            ),
            ("every maneuver is red and the ship is stressed: the slowest", all),
        ];
        for (how, mut left) in attempts {
            let Some(target) = target_speed(&left, Speed::Slowest) else {
                continue;
            };
            left.retain(|&m| rank(m, Speed::Slowest) == target);
            let chosen = self.roll_among(left)?;
            self.rejected.retain(|r| r.maneuver != chosen);
            self.explain(rule, format!("{how}, {chosen}"));
            return Some(chosen);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dial(codes: &str) -> Vec<Maneuver> {
        codes.split(' ').map(|code| code.parse().unwrap()).collect()
    }

    #[test]
    fn sa_5_speed_ranks_distinct_speeds_and_average_rounds_up() {
        let straights = dial("2FB 3FB 4FW 5FW");
        assert_eq!(target_speed(&straights, Speed::Average), Some(4));
        assert_eq!(target_speed(&straights[..2], Speed::Average), Some(3));
        assert_eq!(target_speed(&dial("2BB 2NB 3BW 3NW"), Speed::Average), Some(3));
        assert_eq!(target_speed(&dial("1TW 1YW 2TW 2YW 3TW"), Speed::Average), Some(2));
        assert_eq!(target_speed(&[], Speed::Slowest), None);
    }

    #[test]
    fn sa_5_reverse_counts_negative_for_slowest_only() {
        let mixed = dial("0OR 1SR 2SR 1FB 2FB");
        assert_eq!(target_speed(&mixed, Speed::Slowest), Some(-2));
        assert_eq!(target_speed(&dial("0OR 1SR"), Speed::Fastest), Some(1));
        assert_eq!(target_speed(&dial("0OR 1SR 2SR"), Speed::Average), Some(1));
    }
}
