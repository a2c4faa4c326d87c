//! Oriented rectangles: bases, guides and straight templates.

use super::{Frame, Point, Pose};

/// A rectangle anywhere on the table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rectangle {
    /// Its middle, mm.
    pub centre: Point,
    /// Unit vector along its length.
    pub forward: Point,
    /// Half of its extent across `forward`, mm.
    pub half_width: f64,
    /// Half of its extent along `forward`, mm.
    pub half_length: f64,
}

impl Rectangle {
    /// The rectangle of the given full width and length (mm) that stands at a pose.
    pub fn at(pose: Pose, width: f64, length: f64) -> Self {
        Self::in_frame(&pose.frame(), width, length)
    }

    /// The rectangle of the given full width and length (mm) in the middle of a frame, along it.
    pub fn in_frame(frame: &Frame, width: f64, length: f64) -> Self {
        Self {
            centre: frame.origin(),
            forward: frame.forward(),
            half_width: width / 2.0,
            half_length: length / 2.0,
        }
    }

    /// Unit vector across its length, to the right.
    pub fn right(&self) -> Point {
        Point::new(self.forward.y, -self.forward.x)
    }

    /// The corners, anticlockwise from the front left one.
    pub fn corners(&self) -> [Point; 4] {
        let along = self.forward * self.half_length;
        let across = self.right() * self.half_width;
        [
            self.centre + along - across,
            self.centre - along - across,
            self.centre - along + across,
            self.centre + along + across,
        ]
    }

    /// Radius of the circle around the rectangle, mm.
    pub fn circumradius(&self) -> f64 {
        (self.half_width * self.half_width + self.half_length * self.half_length).sqrt()
    }

    /// How deep two rectangles lie in each other, mm: the shortest shift that parts them. Zero or negative when they
    /// are apart; the negative number is then a lower bound of their distance.
    pub fn penetration(&self, other: &Rectangle) -> f64 {
        let offset = other.centre - self.centre;
        let apart = offset.length() - self.circumradius() - other.circumradius();
        if apart > 0.0 {
            return -apart;
        }
        let axes = [self.forward, self.right(), other.forward, other.right()];
        let mut depth = f64::INFINITY;
        for axis in axes {
            let overlap = self.reach(axis) + other.reach(axis) - offset.dot(axis).abs();
            depth = depth.min(overlap);
        }
        depth
    }

    /// Smallest distance between two rectangles, mm; 0 when they meet.
    pub fn distance(&self, other: &Rectangle) -> f64 {
        if self.penetration(other) >= 0.0 {
            return 0.0;
        }
        // Two convex areas that are apart are nearest at a corner of one of them.
        let to_self = other.corners().map(|corner| self.distance_squared_to(corner));
        let to_other = self.corners().map(|corner| other.distance_squared_to(corner));
        to_self.into_iter().chain(to_other).fold(f64::INFINITY, f64::min).sqrt()
    }

    /// Square of the smallest distance to a point, mm²; 0 inside.
    fn distance_squared_to(&self, point: Point) -> f64 {
        let offset = point - self.centre;
        let along = (offset.dot(self.forward).abs() - self.half_length).max(0.0);
        let across = (offset.dot(self.right()).abs() - self.half_width).max(0.0);
        along * along + across * across
    }

    /// Half of its shadow on a unit vector, mm.
    fn reach(&self, axis: Point) -> f64 {
        self.half_length * self.forward.dot(axis).abs() + self.half_width * self.right().dot(axis).abs()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn penetration_is_the_shortest_parting_shift() {
        let a = Rectangle::at(Pose::new(0.0, 0.0, 0.0), 40.0, 40.0);
        for (x, y, heading, depth) in [
            (0.0, 39.0, 0.0, 1.0),
            (-35.0, 10.0, 90.0, 5.0),
            (0.0, 40.0, 180.0, 0.0),
            (0.0, 44.0, 0.0, -4.0),
            (0.0, 20.0 + 800.0_f64.sqrt() - 2.0, 45.0, 2.0),
        ] {
            let b = Rectangle::at(Pose::new(x, y, heading), 40.0, 40.0);
            assert!((a.penetration(&b) - depth).abs() < 1e-9, "{x} {y} {heading}");
            assert!((b.penetration(&a) - depth).abs() < 1e-9, "{x} {y} {heading}");
        }
    }
}
