//! What an object covers on the table.

use super::{Point, polygon};

/// The area an object covers: a base, an obstacle, or a mere point.
#[derive(Debug, Clone, PartialEq)]
pub enum Outline {
    /// A convex polygon: a base or a straight template.
    Convex(Vec<Point>),
    /// A simple polygon that may be concave: an obstacle.
    Simple(Vec<Point>),
    /// A point: the distance to it is to the point itself (SA-0).
    Point(Point),
}

impl Outline {
    /// Its corners; a point is its own only corner.
    pub fn corners(&self) -> &[Point] {
        match self {
            Outline::Convex(corners) | Outline::Simple(corners) => corners,
            Outline::Point(point) => std::slice::from_ref(point),
        }
    }

    /// Smallest distance to another, mm; 0 when they meet.
    pub fn distance(&self, other: &Outline) -> f64 {
        polygon::distance(self.corners(), other.corners())
    }

    /// The centroid of its area.
    pub fn centroid(&self) -> Point {
        polygon::centroid(self.corners())
    }
}
