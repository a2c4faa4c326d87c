//! Plane geometry in millimetres and degrees: poses, outlines, template paths, arcs and distances.
//!
//! North is +y, headings grow clockwise from north. Nothing here knows what a ship is.

pub mod angle;
pub mod outline;
pub mod point;
pub mod pose;

pub use outline::Outline;
pub use point::Point;
pub use pose::Pose;

/// Lengths closer than this are the same length (mm): the contact tolerance of SA-0.
pub const CONTACT_MM: f64 = 0.05;
