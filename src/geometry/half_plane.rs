//! Half-planes, and the convex regions that several of them bound: arcs and templates.

use super::Point;

/// All points `p` with `normal · p <= offset`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HalfPlane {
    /// Unit vector pointing out of it.
    pub normal: Point,
    /// Distance of its border from the origin along the normal, mm.
    pub offset: f64,
}

impl HalfPlane {
    /// The half-plane with this outward normal and offset (mm).
    pub const fn new(normal: Point, offset: f64) -> Self {
        Self { normal, offset }
    }

    /// How far outside a point lies, mm; negative inside.
    pub fn excess(&self, point: Point) -> f64 {
        self.normal.dot(point) - self.offset
    }
}

/// The part of the segment from `a` to `b` that lies in all half-planes, as shares of its length; borders count, with
/// `slack` mm to spare.
pub fn clip_segment(planes: &[HalfPlane], a: Point, b: Point, slack: f64) -> Option<(f64, f64)> {
    let (mut from, mut to) = (0.0_f64, 1.0_f64);
    for plane in planes {
        let (start, end) = (plane.excess(a) - slack, plane.excess(b) - slack);
        match (start <= 0.0, end <= 0.0) {
            (true, true) => {}
            (false, false) => return None,
            (true, false) => to = to.min(start / (start - end)),
            (false, true) => from = from.max(start / (start - end)),
        }
        if from > to {
            return None;
        }
    }
    Some((from, to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clipping_keeps_the_inner_part() {
        let strip = [
            HalfPlane::new(Point::new(1.0, 0.0), 5.0),
            HalfPlane::new(Point::new(-1.0, 0.0), 5.0),
        ];
        let clip = |ax, bx| clip_segment(&strip, Point::new(ax, 0.0), Point::new(bx, 3.0), 0.0);
        assert_eq!(clip(-10.0, 10.0), Some((0.25, 0.75)));
        assert_eq!(clip(5.0, 5.0), Some((0.0, 1.0)));
        assert_eq!(clip(5.0, 6.0), Some((0.0, 0.0)));
        assert_eq!(clip(5.1, 6.0), None);
    }
}
