//! Bare tables for tests that ask about geometry alone.

use std::sync::Arc;

use tallyho::{
    geometry::{Point, Pose},
    xwing::{
        maneuver::Dial,
        obstacle::{Obstacle, ObstacleKind},
        ship::{Ship, Status, Tokens},
        size::Size,
    },
};

/// A ship without weapons, actions or a dial.
pub fn bare_ship(id: &str, size: Size, pose: Pose) -> Ship {
    Ship {
        id: id.into(),
        name: id.to_owned(),
        side: id.to_owned(),
        chassis: "xwing".to_owned(),
        size,
        pose,
        initiative: 1,
        status: Status::InPlay,
        tokens: Tokens::default(),
        locks: Vec::new(),
        turret: Vec::new(),
        dial: Arc::new(Dial::default()),
        weapons: Vec::new(),
        actions: Vec::new(),
        device: None,
        performed: Vec::new(),
        bumped: Vec::new(),
    }
}

/// An asteroid with these corners.
pub fn asteroid(id: &str, corners: impl IntoIterator<Item = Point>) -> Obstacle {
    Obstacle {
        id: id.into(),
        kind: ObstacleKind::Asteroid,
        outline: corners.into_iter().collect(),
    }
}
