//! Obstacles.

use serde::{Deserialize, Serialize};

use super::ObjectId;
use crate::geometry::Polygon;

/// What an obstacle is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ObstacleKind {
    /// A rock.
    Asteroid,
    /// A debris field.
    Debris,
    /// A gas cloud.
    GasCloud,
}

/// An obstacle as it lies on the table.
#[derive(Debug, Clone, PartialEq)]
pub struct Obstacle {
    /// The table's id.
    pub id: ObjectId,
    /// What it is.
    pub kind: ObstacleKind,
    /// Its outline on the table, mm; a simple polygon, concave ones included.
    pub outline: Polygon,
}
