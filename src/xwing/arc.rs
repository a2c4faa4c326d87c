//! Arcs: which parts of the table a ship's base divides off.
//!
//! The printed lines cross at the centre of the base and an arc exists only outside the own base (SA-0, SA-3.1). Each arc
//! is a union of at most four convex pieces, described in the ship's frame (x to the right, y forward).

use std::sync::LazyLock;

use super::{edition::Edition, print::Print, size::Size};
use crate::geometry::{HalfPlane, Point, angle};

/// Half of the bullseye's width, mm, on every base (SA-0).
pub const BULLSEYE_HALF_MM: f64 = 7.5;

/// Parts within this of an arc's line are on it, and so in it, mm.
pub const LINE_SLACK_MM: f64 = 1e-6;

/// The arcs of a base. Where their lines run is printed on it ([`Print`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Arc {
    /// The 15 mm strip ahead of the front edge.
    Bullseye,
    /// Standard front arc.
    Front,
    /// Standard left arc.
    Left,
    /// Standard right arc.
    Right,
    /// Standard rear arc.
    Rear,
    /// All ahead of the line through the side hashmarks, the line included.
    FullFront,
    /// All behind that line, the line included.
    FullRear,
    /// Everything around the base: where turret weapons of the first edition fire (FE-0.4). No line is printed for it.
    AllRound,
}

/// One convex piece of an arc: where all its half-planes hold.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    planes: [HalfPlane; 4],
    used: usize,
}

impl Piece {
    fn new(planes: &[HalfPlane]) -> Self {
        let mut piece = Piece {
            planes: [HalfPlane::new(Point::ZERO, 0.0); 4],
            used: planes.len(),
        };
        piece.planes[..planes.len()].copy_from_slice(planes);
        piece
    }

    /// The half-planes, in the ship's frame.
    pub(super) fn planes(&self) -> &[HalfPlane] {
        &self.planes[..self.used]
    }
}

/// The pieces of one arc of one base.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pieces {
    pieces: [Piece; 4],
    used: usize,
}

impl Pieces {
    fn new(pieces: &[Piece]) -> Self {
        let mut all = Pieces {
            pieces: [Piece::new(&[]); 4],
            used: pieces.len(),
        };
        all.pieces[..pieces.len()].copy_from_slice(pieces);
        all
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Piece> {
        self.pieces[..self.used].iter()
    }
}

const AHEAD: Point = Point::new(0.0, 1.0);
const ASTERN: Point = Point::new(0.0, -1.0);
const PORT: Point = Point::new(-1.0, 0.0);
const STARBOARD: Point = Point::new(1.0, 0.0);

/// Everything at least `distance` mm from the centre towards `direction`.
fn beyond(direction: Point, distance: f64) -> HalfPlane {
    HalfPlane::new(-direction, -distance)
}

impl Arc {
    /// All arcs that lines are printed for.
    pub const ALL: [Arc; 7] = [
        Arc::Bullseye,
        Arc::Front,
        Arc::Left,
        Arc::Right,
        Arc::Rear,
        Arc::FullFront,
        Arc::FullRear,
    ];

    /// Those, and what has no lines.
    const EVERY: [Arc; 8] = {
        let [a, b, c, d, e, f, g] = Arc::ALL;
        [a, b, c, d, e, f, g, Arc::AllRound]
    };

    /// The lines that bound the arc, as if it began at the centre of the base: for objects wholly under it (SA-3.1).
    pub(super) fn pieces_from_centre(self, print: Print) -> Pieces {
        let [first, second] = self.bounds(print);
        match self {
            // Whatever is in the bullseye is in the front arc, too.
            Arc::Bullseye => {
                let [left, right] = Arc::Front.bounds(print);
                Pieces::new(&[Piece::new(&[first, second, left, right])])
            }
            _ => Pieces::new(&[Piece::new(&[first, second])]),
        }
    }

    /// The arc outside the base (SA-3.1).
    pub(super) fn pieces_outside_base(self, print: Print) -> &'static Pieces {
        /// By edition, size and arc: every measurement inside an arc asks for them.
        static PIECES: LazyLock<[[[Pieces; Arc::EVERY.len()]; 4]; 2]> = LazyLock::new(|| {
            let sizes = [Size::Small, Size::Medium, Size::Large, Size::Huge];
            Edition::ALL
                .map(|edition| sizes.map(|size| Arc::EVERY.map(|arc| arc.cut_outside_base(Print { edition, size }))))
        });
        &PIECES[print.edition as usize][print.size.in_effects() as usize][self as usize]
    }

    fn cut_outside_base(self, print: Print) -> Pieces {
        let size = print.size;
        let (half_width, half_length) = (size.base_mm() / 2.0, size.length_mm() / 2.0);
        let [first, second] = self.bounds(print);
        let with = |edge: HalfPlane| Piece::new(&[first, second, edge]);
        let (front, rear) = (beyond(AHEAD, half_length), beyond(ASTERN, half_length));
        let (left, right) = (beyond(PORT, half_width), beyond(STARBOARD, half_width));
        match self {
            Arc::Bullseye => Pieces::new(&[with(front)]),
            // On a square base the lines leave through the front edge; a huge one's long sides lie in the front arc too.
            Arc::Front if size != Size::Huge => Pieces::new(&[with(front)]),
            Arc::Rear if size != Size::Huge => Pieces::new(&[with(rear)]),
            Arc::Front | Arc::FullFront => Pieces::new(&[with(front), with(left), with(right)]),
            Arc::Rear | Arc::FullRear => Pieces::new(&[with(rear), with(left), with(right)]),
            Arc::Left => Pieces::new(&[with(left), with(front), with(rear)]),
            Arc::Right => Pieces::new(&[with(right), with(front), with(rear)]),
            Arc::AllRound => Pieces::new(&[with(front), with(rear), with(left), with(right)]),
        }
    }

    /// The two lines that bound the arc, in the ship's frame: each from the edge of the base to where it is `reach_mm`
    /// away from the base. None for what goes all round.
    pub fn lines(self, print: Print, reach_mm: f64) -> impl Iterator<Item = (Point, Point)> {
        let size = print.size;
        let (half_width, half_length) = (size.base_mm() / 2.0, size.length_mm() / 2.0);
        let (sin, cos) = angle::sin_cos(print.front_half_angle());
        // The printed line through the right front: it leaves the base at its front edge, or on a long base at its side.
        let along = Point::new(sin, cos);
        let start = along * (half_width / sin).min(half_length / cos);
        // Beyond the corner that distance is measured from the corner.
        let aside = start - Point::new(half_width, half_length);
        let ahead = aside.dot(along);
        let end = start + along * ((ahead * ahead - aside.dot(aside) + reach_mm * reach_mm).sqrt() - ahead);
        let diagonal = |x: f64, y: f64| {
            let flip = |point: Point| Point::new(x * point.x, y * point.y);
            (flip(start), flip(end))
        };
        let bullseye = |x: f64| (Point::new(x, half_length), Point::new(x, half_length + reach_mm));
        let across = |x: f64| {
            (
                Point::new(x * half_width, 0.0),
                Point::new(x * (half_width + reach_mm), 0.0),
            )
        };
        let lines = match self {
            Arc::Bullseye => Some([bullseye(-BULLSEYE_HALF_MM), bullseye(BULLSEYE_HALF_MM)]),
            Arc::Front => Some([diagonal(-1.0, 1.0), diagonal(1.0, 1.0)]),
            Arc::Left => Some([diagonal(-1.0, 1.0), diagonal(-1.0, -1.0)]),
            Arc::Right => Some([diagonal(1.0, 1.0), diagonal(1.0, -1.0)]),
            Arc::Rear => Some([diagonal(-1.0, -1.0), diagonal(1.0, -1.0)]),
            Arc::FullFront | Arc::FullRear => Some([across(-1.0), across(1.0)]),
            Arc::AllRound => None,
        };
        lines.into_iter().flatten()
    }

    /// The two lines of the arc, the base left out of account. (The half-plane arcs need one; it stands twice.)
    fn bounds(self, print: Print) -> [HalfPlane; 2] {
        let (sin, cos) = angle::sin_cos(print.front_half_angle());
        // Normals of the four half-lines, pointing out of the front and rear arcs.
        let diagonal = |x: f64, y: f64| HalfPlane::new(Point::new(x * cos, y * sin), 0.0);
        match self {
            Arc::Bullseye => [
                HalfPlane::new(STARBOARD, BULLSEYE_HALF_MM),
                HalfPlane::new(PORT, BULLSEYE_HALF_MM),
            ],
            Arc::Front => [diagonal(1.0, -1.0), diagonal(-1.0, -1.0)],
            Arc::Rear => [diagonal(1.0, 1.0), diagonal(-1.0, 1.0)],
            Arc::Right => [diagonal(-1.0, 1.0), diagonal(-1.0, -1.0)],
            Arc::Left => [diagonal(1.0, 1.0), diagonal(1.0, -1.0)],
            Arc::FullFront => [beyond(AHEAD, 0.0); 2],
            Arc::FullRear => [beyond(ASTERN, 0.0); 2],
            // Everything is on the inner side of a half-plane whose border is nowhere.
            Arc::AllRound => [HalfPlane::new(Point::ZERO, 0.0); 2],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        geometry::Pose,
        xwing::{
            measure::{self, Object},
            table::Marker,
        },
    };

    #[test]
    fn the_lines_of_an_arc_run_from_the_base_to_the_reach_along_its_bounds() {
        let sizes = [Size::Small, Size::Medium, Size::Large, Size::Huge];
        let prints = Edition::ALL.map(|edition| sizes.map(|size| Print { edition, size }));
        for print in prints.into_iter().flatten() {
            let size = print.size;
            for arc in Arc::ALL {
                for (start, end) in arc.lines(print, 300.0) {
                    let distance = |point: Point| {
                        let marker = Marker {
                            id: "m".into(),
                            position: point,
                        };
                        measure::distance(size, Pose::default(), &Object::Marker(&marker))
                    };
                    assert!(distance(start) < 1e-9, "{print:?} {arc:?} {start:?}");
                    assert!((distance(end) - 300.0).abs() < 1e-9, "{print:?} {arc:?} {end:?}");
                    // Both ends lie on the bounds: a nudge to one side is in the arc, to the other side out of it.
                    let aside = {
                        let along = end - start;
                        Point::new(along.y, -along.x) * (0.01 / along.length())
                    };
                    let inside = |point: Point| {
                        let marker = Marker {
                            id: "m".into(),
                            position: point,
                        };
                        measure::in_arc(print, Pose::default(), arc, &Object::Marker(&marker))
                    };
                    assert_ne!(inside(end + aside), inside(end - aside), "{print:?} {arc:?}");
                }
            }
        }
    }
}
