//! Where a move of the mod ends. The paths are those of the rules; what differs is the mod's own: its base has round
//! guides that count, it backs up in coarse steps and comes forward in fine ones, and it drops the end turn of a move that
//! did not go all the way.

use mlua::{Lua, Table};

use super::scene::{pose_of_tts, tts_of_pose};
use crate::{
    geometry::{Point, Pose, Rectangle},
    xwing::{
        base,
        maneuver::{Bearing, Difficulty, Maneuver, Side},
        size::Size,
        template::{Path, Template},
    },
};

/// Parts of a move that the mod counts: a hundredth going back, a thousandth coming forward.
const PARTS: u32 = 1000;
const COARSE: u32 = PARTS / 100;
/// The mod's guides are spheres: radius, offset from the centre line, and how far their middle lies outside the edge, mm.
const GUIDE_RADIUS: f64 = 1.7;
const GUIDE_OFFSET: f64 = 11.38;
const GUIDE_OUT: f64 = 0.858;
/// Bases that touch do not overlap; rounding must not make them.
const SLACK: f64 = 1e-9;

/// A ship as the mod's collision check sees it.
#[derive(Debug, Clone, Copy)]
struct Hull {
    base: Rectangle,
    guides: [Point; 4],
}

impl Hull {
    fn new(size: Size, pose: Pose) -> Self {
        let base = base::base(size, pose);
        let out = base.half_length + GUIDE_OUT;
        Self {
            base,
            guides: [(-1.0, 1.0), (1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)]
                .map(|(side, end)| pose.to_table(Point::new(side * GUIDE_OFFSET, end * out))),
        }
    }

    fn overlaps(&self, other: &Hull) -> bool {
        if self.base.penetration(&other.base) > SLACK {
            return true;
        }
        let near = |guides: &[Point; 4], base: &Rectangle| {
            guides
                .iter()
                .any(|&guide| distance_to(base, guide) < GUIDE_RADIUS - SLACK)
        };
        near(&self.guides, &other.base)
            || near(&other.guides, &self.base)
            || self
                .guides
                .iter()
                .any(|a| other.guides.iter().any(|&b| a.distance(b) < 2.0 * GUIDE_RADIUS - SLACK))
    }
}

fn distance_to(base: &Rectangle, point: Point) -> f64 {
    let offset = point - base.centre;
    let along = (offset.dot(base.forward).abs() - base.half_length).max(0.0);
    let across = (offset.dot(base.right()).abs() - base.half_width).max(0.0);
    Point::new(across, along).length()
}

/// A move code, understood.
#[derive(Debug, Clone, Copy)]
enum Move {
    /// No change of place.
    Stationary { turn: f64 },
    /// Along a template, then perhaps a turn and a shift along the old heading.
    Along {
        path: Path,
        turn: f64,
        shift: f64,
        may_be_partial: bool,
    },
    /// At once to a place in the ship's frame.
    To(Pose),
}

/// Understands a move code of the mod.
fn decode(code: &str, size: Size) -> Option<Move> {
    let letters: Vec<char> = code.chars().collect();
    let side = |letter: char| match letter {
        'l' | 'e' => Some(Side::Left),
        'r' => Some(Side::Right),
        _ => None,
    };
    match letters.as_slice() {
        ['c', 's'] => Some(Move::Along {
            path: Path::forward(size, Template::straight(if size == Size::Small { 2 } else { 1 })),
            turn: 0.0,
            shift: 0.0,
            may_be_partial: false,
        }),
        [way @ ('r' | 'c'), to, place @ '1'..='3'] => {
            let side = side(*to)?;
            let small = size == Size::Small;
            let template = match (way, small) {
                ('c', true) => 80.0,
                (_, true) => 40.0,
                _ => 20.0,
            };
            let step = if small { 10.0 } else { 20.0 };
            let slide = match place {
                '1' => step,
                '2' => 0.0,
                _ => -step,
            };
            Some(Move::To(Pose::new(
                side.sign() * (size.base_mm() + template),
                slide,
                0.0,
            )))
        }
        ['s' | 'k', '0'] => Some(Move::Stationary {
            turn: if letters[0] == 'k' { 180.0 } else { 0.0 },
        }),
        ['s', speed @ '1'..='5', rest @ ..] => straight(size, *speed, rest),
        ['k', speed @ '1'..='5'] => along(size, *speed, Bearing::Koiogran, 180.0, 0.0),
        ['b', to, speed @ '1'..='3', rest @ ..] => {
            let side = side(*to)?;
            match rest {
                [] => along(size, *speed, Bearing::Bank(side), 0.0, 0.0),
                ['s'] => along(size, *speed, Bearing::SegnorsLoop(side), 180.0, 0.0),
                ['r'] => along(size, *speed, Bearing::ReverseBank(side), 0.0, 0.0),
                ['b'] => Some(Move::Along {
                    path: Path::forward(size, Template::bank(speed.to_digit(10)? as u8, side)),
                    turn: 0.0,
                    shift: 0.0,
                    may_be_partial: false,
                }),
                _ => None,
            }
        }
        ['t', to, speed @ '1'..='3', rest @ ..] => {
            let side = side(*to)?;
            let shift = match rest {
                [] => return along(size, *speed, Bearing::Turn(side), 0.0, 0.0),
                ['t'] => 0.0,
                // Front and back as the ship's new facing sees them.
                ['f', 't'] => -10.0,
                ['b', 't'] => 10.0,
                _ => return None,
            };
            along(size, *speed, Bearing::TallonRoll(side), side.sign() * 90.0, shift)
        }
        _ => None,
    }
}

fn straight(size: Size, speed: char, rest: &[char]) -> Option<Move> {
    match rest {
        [] => along(size, speed, Bearing::Straight, 0.0, 0.0),
        ['r'] => along(size, speed, Bearing::ReverseStraight, 0.0, 0.0),
        ['b'] => Some(Move::Along {
            path: Path::forward(size, Template::straight(speed.to_digit(10)? as u8)),
            turn: 0.0,
            shift: 0.0,
            may_be_partial: false,
        }),
        _ => None,
    }
}

fn along(size: Size, speed: char, bearing: Bearing, turn: f64, shift: f64) -> Option<Move> {
    let maneuver = Maneuver {
        speed: speed.to_digit(10)? as u8,
        bearing,
        // The colour does not change the path.
        difficulty: Difficulty::White,
    };
    Some(Move::Along {
        path: Path::of(size, maneuver)?,
        turn,
        shift,
        may_be_partial: true,
    })
}

/// How a move ends.
#[derive(Debug, Clone, Copy, PartialEq)]
enum End {
    /// No such code.
    Unknown,
    /// No free place: it stays.
    Overlap,
    /// There; the index says which ship stopped it.
    At(Pose, Option<usize>),
}

fn carry_out(code: &str, size: Size, start: Pose, others: &[(Size, Pose)]) -> End {
    let hulls: Vec<Hull> = others.iter().map(|&(size, pose)| Hull::new(size, pose)).collect();
    let meets = |pose: Pose| {
        let hull = Hull::new(size, pose);
        hulls.iter().position(|other| hull.overlaps(other))
    };
    match decode(code, size) {
        None => End::Unknown,
        // The mod does not look at collisions where nothing moves.
        Some(Move::Stationary { turn }) => End::At(start.compose(Pose::new(0.0, 0.0, turn)), None),
        Some(Move::To(place)) => {
            let pose = start.compose(place);
            if meets(pose).is_some() {
                End::Overlap
            } else {
                End::At(pose, None)
            }
        }
        Some(Move::Along {
            path,
            turn,
            shift,
            may_be_partial,
        }) => {
            let end = path.end();
            let full = Pose::new(end.position.x, end.position.y + shift, end.heading + turn);
            let full = start.compose(full);
            if meets(full).is_none() {
                return End::At(full, None);
            }
            if !may_be_partial {
                return End::Overlap;
            }
            let pose_at = |part: u32| {
                let travelled = path.length() * f64::from(part) / f64::from(PARTS);
                start.compose(path.pose_at(travelled))
            };
            let mut part = PARTS;
            let mut hit = meets(pose_at(part));
            while hit.is_some() && part > 0 {
                part -= COARSE;
                let now = meets(pose_at(part));
                if now.is_none() {
                    break;
                }
                hit = now;
            }
            if meets(pose_at(part)).is_some() {
                return End::Overlap;
            }
            while part < PARTS && meets(pose_at(part + 1)).is_none() {
                part += 1;
            }
            let stopped_by = meets(pose_at((part + 1).min(PARTS))).or(hit).or_else(|| meets(full));
            End::At(pose_at(part), stopped_by)
        }
    }
}

fn size_of(word: &str) -> Size {
    match word {
        "medium" => Size::Medium,
        "large" => Size::Large,
        "huge" => Size::Huge,
        _ => Size::Small,
    }
}

pub(super) fn install(lua: &Lua, host: &Table) -> mlua::Result<()> {
    host.set(
        "probe_move",
        lua.create_function(
            |lua, (code, size, x, z, rot, others): (String, String, f64, f64, f64, Vec<Table>)| {
                let mut ships = Vec::with_capacity(others.len());
                for other in others {
                    let pose = pose_of_tts(other.get("x")?, other.get("z")?, other.get("rot")?);
                    ships.push((size_of(&other.get::<String>("size")?), pose));
                }
                let result = lua.create_table()?;
                match carry_out(&code, size_of(&size), pose_of_tts(x, z, rot), &ships) {
                    End::Unknown => result.set("kind", "unknown")?,
                    End::Overlap => result.set("kind", "overlap")?,
                    End::At(pose, bumped) => {
                        let [x, z, rot] = tts_of_pose(pose);
                        result.set("kind", "move")?;
                        result.set("x", x)?;
                        result.set("z", z)?;
                        result.set("rot", rot)?;
                        result.set("bumped", bumped.map(|index| index + 1))?;
                    }
                }
                Ok(result)
            },
        )?,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(code: &str, others: &[(Size, Pose)]) -> End {
        carry_out(code, Size::Small, Pose::new(0.0, 0.0, 0.0), others)
    }

    #[track_caller]
    fn assert_at(end: End, x: f64, y: f64, heading: f64, bumped: bool) {
        let End::At(pose, by) = end else {
            panic!("{end:?}");
        };
        let close = pose.position.distance(Point::new(x, y)) < 1e-6 && (pose.heading - heading).abs() < 1e-6;
        assert!(close && by.is_some() == bumped, "{pose:?} {by:?}");
    }

    #[test]
    fn whole_moves_end_where_the_rules_say() {
        assert_at(end("s2", &[]), 0.0, 120.0, 0.0, false);
        assert_at(end("k4", &[]), 0.0, 200.0, 180.0, false);
        assert_at(end("tr1", &[]), 55.0, 55.0, 90.0, false);
        assert_at(end("tl3t", &[]), -110.0, 110.0, 180.0, false);
        assert_at(end("tl3ft", &[]), -110.0, 100.0, 180.0, false);
        assert_at(end("s1b", &[]), 0.0, 80.0, 0.0, false);
        assert_at(end("rr1", &[]), 80.0, 10.0, 0.0, false);
        assert_at(end("cl3", &[]), -120.0, -10.0, 0.0, false);
        assert_at(end("s0", &[]), 0.0, 0.0, 0.0, false);
        assert_at(end("s1r", &[]), 0.0, -80.0, 0.0, false);
    }

    #[test]
    fn a_bump_stops_a_guide_short_and_drops_the_turn() {
        let ahead = [(Size::Small, Pose::new(0.0, 150.0, 0.0))];
        let End::At(pose, Some(0)) = end("k3", &ahead) else {
            panic!();
        };
        assert_eq!(pose.heading, 0.0, "the end turn is dropped");
        // Two guides face each other: 150 - 40 - 2 * (0.858 + 1.7), found in thousandths of 160 mm.
        let contact = 150.0 - 40.0 - 2.0 * (GUIDE_OUT + GUIDE_RADIUS);
        assert!(
            pose.position.y <= contact && pose.position.y > contact - 0.17,
            "{}",
            pose.position.y
        );
    }

    #[test]
    fn boosts_and_rolls_are_never_partial() {
        let ahead = [(Size::Small, Pose::new(0.0, 100.0, 0.0))];
        assert_eq!(end("s1b", &ahead), End::Overlap);
        let beside = [(Size::Small, Pose::new(100.0, 0.0, 0.0))];
        assert_eq!(end("rr2", &beside), End::Overlap);
    }

    #[test]
    fn nothing_free_on_the_way_is_an_overlap() {
        let everywhere = [
            (Size::Small, Pose::new(0.0, 80.0, 0.0)),
            (Size::Small, Pose::new(0.0, 40.0, 0.0)),
        ];
        assert_eq!(end("s1", &everywhere), End::Overlap);
    }

    #[test]
    fn other_words_are_no_moves() {
        for code in ["", "s9", "bx2", "diag", "tl3x", "rl4", "r1"] {
            assert_eq!(end(code, &[]), End::Unknown, "{code}");
        }
    }
}
