//! Plane geometry in millimetres and degrees: poses, outlines, template paths, arcs and distances.
//!
//! North is +y, headings grow clockwise from north. Nothing here knows what a ship is.

pub mod angle;
pub mod bounds;
pub mod half_plane;
pub mod outline;
pub mod point;
pub mod polygon;
pub mod pose;
pub mod rectangle;

pub use bounds::Bounds;
pub use half_plane::HalfPlane;
pub use outline::Outline;
pub use point::Point;
pub use polygon::Polygon;
pub use pose::{Frame, Pose};
pub use rectangle::Rectangle;

/// Lengths closer than this are the same length (mm): the contact tolerance of SA-0.
pub const CONTACT_MM: f64 = 0.05;

/// How far one body must reach into another, or past an edge, to be on it (mm). Positions come rounded to about this
/// much, so that less is a touch, not an overlap.
pub const OVERLAP_MM: f64 = 1e-6;
