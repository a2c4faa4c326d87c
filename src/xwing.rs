//! The rules of X-Wing: ships, dials, movement, arcs, ranges, obstacles. Knows no opponent, no table program.

pub mod action;
pub mod maneuver;
pub mod obstacle;
pub mod ship;
pub mod size;
pub mod table;
pub mod weapon;

/// Names one object of the table; the table program's own id (a TTS GUID, a fixture letter).
pub type ObjectId = std::sync::Arc<str>;
