//! Bare tables for tests that ask about geometry alone.

use tallyho::{
    geometry::{Point, Pose, angle},
    xwing::{
        ObjectId,
        edition::Edition,
        obstacle::{Obstacle, ObstacleKind},
        ship::Ship,
        size::Size,
        table::{PlayArea, Table},
    },
};

/// A ship without weapons, actions or a dial.
pub fn bare_ship(id: &str, size: Size, pose: Pose) -> Ship {
    Ship {
        name: id.to_owned(),
        chassis: "xwing".to_owned(),
        ..Ship::bare(id.into(), id, Edition::Second, size, pose)
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

/// Positions in these cases are from the middle of a wide table.
pub const MIDDLE: f64 = 1000.0;

/// A pose from the middle of the wide table.
pub fn at(x: f64, y: f64, heading: f64) -> Pose {
    Pose::new(MIDDLE + x, MIDDLE + y, heading)
}

/// A bare ship at a pose from the middle.
pub fn ship(id: &str, size: Size, x: f64, y: f64, heading: f64) -> Ship {
    bare_ship(id, size, at(x, y, heading))
}

/// A block of the given middle, width and height, mm.
pub fn block(id: &str, x: f64, y: f64, width: f64, height: f64) -> Obstacle {
    let corners = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)];
    asteroid(
        id,
        corners.map(|(a, b)| at(x + a * width, y + b * height, 0.0).position),
    )
}

/// The wide table: 2 m square.
pub fn table(ships: Vec<Ship>, obstacles: Vec<Obstacle>) -> Table {
    let area = PlayArea {
        width: 2.0 * MIDDLE,
        height: 2.0 * MIDDLE,
    };
    Table::new(area, ships, obstacles, Vec::new())
}

/// Ids as plain texts.
pub fn ids(ids: &[ObjectId]) -> Vec<&str> {
    ids.iter().map(|id| &**id).collect()
}

/// Asserts a pose from the middle of the wide table, within 0.00001 mm and degrees.
pub fn assert_pose(pose: Pose, x: f64, y: f64, heading: f64) {
    let expected = at(x, y, heading);
    assert!(
        pose.position.distance(expected.position) < 1e-5,
        "{pose:?}, expected {expected:?}"
    );
    assert!(
        angle::signed(pose.heading - heading).abs() < 1e-5,
        "{pose:?}, expected {expected:?}"
    );
}
