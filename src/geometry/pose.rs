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

    /// The own frame, for carrying many points over.
    pub fn frame(&self) -> Frame {
        let (sin, cos) = angle::sin_cos(self.heading);
        Frame {
            origin: self.position,
            forward: Point::new(sin, cos),
        }
    }

    /// A point of the own frame (x to the right, y forward, mm) in the table's frame.
    pub fn to_table(&self, local: Point) -> Point {
        self.frame().to_table(local)
    }

    /// A point of the table in the own frame (x to the right, y forward, mm).
    pub fn to_local(&self, table: Point) -> Point {
        self.frame().to_local(table)
    }

    /// The pose that `local` (a pose in this one's frame) has on the table.
    pub fn compose(&self, local: Pose) -> Pose {
        Pose {
            position: self.to_table(local.position),
            heading: angle::normalize(self.heading + local.heading),
        }
    }
}

/// The frame of a pose, its sine and cosine taken once.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame {
    origin: Point,
    forward: Point,
}

impl Frame {
    /// The frame whose origin is there and whose y grows along a unit vector.
    pub fn new(origin: Point, forward: Point) -> Self {
        Self { origin, forward }
    }

    /// The frame that `local` (a frame in this one) is on the table.
    pub fn compose(&self, local: &Frame) -> Frame {
        let Point { x: sin, y: cos } = self.forward;
        let Point { x, y } = local.forward;
        Frame {
            origin: self.to_table(local.origin),
            forward: Point::new(cos * x + sin * y, cos * y - sin * x),
        }
    }

    /// Where it is on the table, mm.
    pub fn origin(&self) -> Point {
        self.origin
    }

    /// Unit vector along which its y grows.
    pub fn forward(&self) -> Point {
        self.forward
    }

    /// A point of this frame (x to the right, y forward, mm) in the table's frame.
    pub fn to_table(&self, local: Point) -> Point {
        let Point { x: sin, y: cos } = self.forward;
        self.origin + Point::new(cos * local.x + sin * local.y, cos * local.y - sin * local.x)
    }

    /// A point of the table in this frame (x to the right, y forward, mm).
    pub fn to_local(&self, table: Point) -> Point {
        let Point { x: sin, y: cos } = self.forward;
        let offset = table - self.origin;
        Point::new(offset.x * cos - offset.y * sin, offset.x * sin + offset.y * cos)
    }
}
