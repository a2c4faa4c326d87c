//! The rules of X-Wing: ships, dials, movement, arcs, ranges, obstacles. Knows no opponent, no table program.

pub mod action;
pub mod arc;
pub mod base;
pub mod battle;
pub mod catalog;
pub mod combat;
pub mod damage_deck;
pub mod deployment;
pub mod device;
pub mod dial_rulings;
pub mod dispute;
pub mod edition;
pub mod effects;
pub mod escort;
pub mod maneuver;
pub mod measure;
pub mod movement;
pub mod obstacle;
pub mod obstacle_outlines;
pub mod obstruction;
pub mod placing;
pub mod print;
pub mod reposition;
pub mod scenario;
pub mod ship;
pub mod size;
pub mod slide;
pub mod squad;
pub(crate) mod stance;
pub mod table;
pub mod targeting;
pub mod template;
pub mod touching;
pub mod weapon;

/// Names one object of the table; the table program's own id (a TTS GUID, a fixture letter).
pub type ObjectId = std::sync::Arc<str>;
