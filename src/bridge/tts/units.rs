//! Units and frames: world units and `rotY` against mm and headings.

use crate::{
    geometry::{Point, Pose, angle},
    protocol::{apply::Placement, snapshot::TtsMat},
    xwing::table::PlayArea,
};

/// World units a millimetre, as the mod defines them.
pub const UNITS_PER_MM: f64 = 0.03637;

/// A ship's nose is at its local -z: its heading is its `rotY` and this.
const NOSE_DEGREES: f64 = 180.0;

/// A mat lies at about y = 1; hidden ones are parked below the table.
const MAT_HEIGHT: std::ops::RangeInclusive<f64> = 0.0..=3.0;

/// Hidden mats are shrunk to a tenth as well; the smallest real one has a half extent of 12.7.
const SMALLEST_HALF_EXTENT: f64 = 5.0;

/// Where the play area lies in the world: its origin is the south-west corner, north is world +z.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame {
    west: f64,
    south: f64,
    area: PlayArea,
}

impl Frame {
    /// The frame of a rectangle around a centre, all in world units.
    pub fn new(x: f64, z: f64, half_x: f64, half_z: f64) -> Self {
        Self {
            west: x - half_x,
            south: z - half_z,
            area: PlayArea {
                width: 2.0 * half_x / UNITS_PER_MM,
                height: 2.0 * half_z / UNITS_PER_MM,
            },
        }
    }

    /// The frame of a mat.
    pub fn of_mat(mat: &TtsMat) -> Self {
        Self::new(mat.x, mat.z, mat.half_x, mat.half_z)
    }

    /// The play area.
    pub fn area(&self) -> PlayArea {
        self.area
    }

    /// A point of the world in mm from the origin.
    pub fn point(&self, x: f64, z: f64) -> Point {
        Point::new((x - self.west) / UNITS_PER_MM, (z - self.south) / UNITS_PER_MM)
    }

    /// A point of the play area in world x and z.
    pub fn world(&self, point: Point) -> (f64, f64) {
        (self.west + point.x * UNITS_PER_MM, self.south + point.y * UNITS_PER_MM)
    }

    /// The pose of a ship.
    pub fn pose(&self, x: f64, z: f64, rot_y: f64) -> Pose {
        Pose {
            position: self.point(x, z),
            heading: angle::normalize(rot_y + NOSE_DEGREES),
        }
    }

    /// A pose as the table writes it.
    pub fn placement(&self, pose: Pose) -> Placement {
        let (x, y) = self.world(pose.position);
        Placement {
            x,
            y,
            facing: angle::normalize(pose.heading - NOSE_DEGREES),
        }
    }

    /// A placement of the table as a pose.
    pub fn pose_of(&self, placement: Placement) -> Pose {
        self.pose(placement.x, placement.y, placement.facing)
    }

    /// How many of these world points lie on the play area.
    fn holds(&self, points: &[(f64, f64)]) -> usize {
        let inside = |&&(x, z): &&(f64, f64)| {
            let point = self.point(x, z);
            (0.0..=self.area.width).contains(&point.x) && (0.0..=self.area.height).contains(&point.y)
        };
        points.iter().filter(inside).count()
    }
}

/// The mat that is played on: of those that lie on the table in full size the one with the most ships, then the largest,
/// then the first by GUID. `None` if there is none.
pub fn played_mat<'m>(mats: &'m [TtsMat], ships: &[(f64, f64)]) -> Option<&'m TtsMat> {
    let lies_there = |mat: &&TtsMat| {
        let finite = [mat.x, mat.y, mat.z, mat.half_x, mat.half_z]
            .iter()
            .all(|value| value.is_finite());
        finite
            && MAT_HEIGHT.contains(&mat.y)
            && mat.half_x >= SMALLEST_HALF_EXTENT
            && mat.half_z >= SMALLEST_HALF_EXTENT
    };
    mats.iter().filter(lies_there).min_by(|a, b| {
        let holds = |mat: &TtsMat| Frame::of_mat(mat).holds(ships);
        let size = |mat: &TtsMat| mat.half_x * mat.half_z;
        holds(b)
            .cmp(&holds(a))
            .then_with(|| size(b).total_cmp(&size(a)))
            .then_with(|| a.guid.cmp(&b.guid))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn mat(guid: &str, x: f64, y: f64, half: f64) -> TtsMat {
        TtsMat {
            guid: guid.to_owned(),
            x,
            y,
            half_x: half,
            half_z: half,
            ..TtsMat::default()
        }
    }

    #[test]
    fn the_standard_mat_has_its_corner_at_the_origin_and_north_at_plus_z() {
        let frame = Frame::of_mat(&mat("0db84a", -20.5142, 1.0, 16.55));
        assert!((frame.area().width - 910.1).abs() < 0.1);
        let corner = frame.point(-20.5142 - 16.55, -16.55);
        assert!(corner.length() < 1e-9);
        // rotY 180: the nose, at local -z, points to world +z.
        assert_eq!(frame.pose(-20.5142, 0.0, 180.0).heading, 0.0);
        // A larger rotY is a turn to the right.
        assert_eq!(frame.pose(-20.5142, 0.0, 270.0).heading, 90.0);
        let north = frame.pose(-20.5142, 1.0, 180.0);
        assert!(north.position.y > frame.area().centre().y);
    }

    #[test]
    fn parked_and_shrunken_mats_are_not_played_on() {
        let mats = [
            mat("a", 0.0, -5.0, 16.55),
            mat("b", 0.0, 1.0, 1.27),
            mat("c", 20.0, 0.96, 12.7),
        ];
        assert_eq!(played_mat(&mats, &[]).map(|mat| &*mat.guid), Some("c"));
        assert_eq!(played_mat(&mats[..2], &[]), None);
        let broken = [mat("d", f64::NAN, 1.0, 16.0)];
        assert_eq!(played_mat(&broken, &[]), None);
    }

    #[test]
    fn of_two_mats_the_one_with_the_ships_is_played_on() {
        let mats = [mat("large", -20.5, 1.0, 16.55), mat("small", 20.5, 1.0, 12.7)];
        assert_eq!(played_mat(&mats, &[]).map(|mat| &*mat.guid), Some("large"));
        let ships = [(20.0, 3.0), (22.0, -4.0), (-20.0, 0.0)];
        assert_eq!(played_mat(&mats, &ships).map(|mat| &*mat.guid), Some("small"));
        let reversed = [mats[1].clone(), mats[0].clone()];
        assert_eq!(played_mat(&reversed, &ships).map(|mat| &*mat.guid), Some("small"));
    }

    proptest! {
        #[test]
        fn to_the_table_and_back_is_the_same_pose(
            x in -60.0..60.0f64, z in -40.0..40.0f64, half in 5.0..40.0f64,
            px in -200.0..1200.0f64, py in -200.0..1200.0f64, heading in 0.0..360.0f64,
        ) {
            let frame = Frame::new(x, z, half, half);
            let pose = Pose::new(px, py, heading);
            let back = frame.pose_of(frame.placement(pose));
            prop_assert!(back.position.distance(pose.position) < 1e-9);
            prop_assert!(angle::signed(back.heading - pose.heading).abs() < 1e-9);
        }

        #[test]
        fn distances_and_turns_are_the_same_in_both(
            ax in -30.0..30.0f64, az in -30.0..30.0f64, bx in -30.0..30.0f64, bz in -30.0..30.0f64,
            rot in 0.0..360.0f64, turn in -180.0..180.0f64,
        ) {
            let frame = Frame::new(3.0, -2.0, 16.0, 16.0);
            let world = ((ax - bx).powi(2) + (az - bz).powi(2)).sqrt();
            let (a, b) = (frame.pose(ax, az, rot), frame.pose(bx, bz, rot + turn));
            prop_assert!((a.position.distance(b.position) * UNITS_PER_MM - world).abs() < 1e-9);
            prop_assert!((angle::signed(b.heading - a.heading - turn)).abs() < 1e-9);
        }
    }
}
