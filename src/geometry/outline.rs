//! What an object covers on the table.

use super::Point;

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
