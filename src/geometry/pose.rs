//! Where a model stands and which way it points.

use super::{Point, angle};

/// A position (centre of the base, mm) and a heading (degrees clockwise from north, in `[0, 360)`).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Pose {
    /// Centre of the base, mm.
    pub position: Point,
    /// Heading, degrees clockwise from north.
    pub heading: f64,
}

impl Pose {
    /// A pose from a position in mm and a heading in degrees, which is normalised.
    pub fn new(x: f64, y: f64, heading: f64) -> Self {
        Self {
            position: Point::new(x, y),
            heading: angle::normalize(heading),
        }
    }

    /// Unit vector of the nose.
    pub fn forward(&self) -> Point {
        let (sin, cos) = angle::sin_cos(self.heading);
        Point::new(sin, cos)
    }

    /// Unit vector to the ship's right.
    pub fn right(&self) -> Point {
        let (sin, cos) = angle::sin_cos(self.heading);
        Point::new(cos, -sin)
    }

    /// A point of the own frame (x to the right, y forward, mm) in the table's frame.
    pub fn to_table(&self, local: Point) -> Point {
        self.position + self.right() * local.x + self.forward() * local.y
    }

    /// A point of the table in the own frame (x to the right, y forward, mm).
    pub fn to_local(&self, table: Point) -> Point {
        let offset = table - self.position;
        Point::new(offset.dot(self.right()), offset.dot(self.forward()))
    }

    /// The pose that `local` (a pose in this one's frame) has on the table.
    pub fn compose(&self, local: Pose) -> Pose {
        Pose {
            position: self.to_table(local.position),
            heading: angle::normalize(self.heading + local.heading),
        }
    }
}
