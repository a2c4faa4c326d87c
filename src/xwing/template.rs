//! Maneuver templates and the path a base takes along one.
//!
//! A ship that stops half-way has both hashmarks on the template's centre line. So its path is exact: the centre line of the
//! start base, of the template and of the end base, one after the other, with the rear hashmark at an arc length and
//! the front hashmark at the first point ahead that is a base length away.

use super::maneuver::{Bearing, Maneuver, Side};
use super::size::Size;
use crate::geometry::{
    Bounds, Frame, HalfPlane, Point, Pose, angle, half_plane,
    polygon::{self, Area},
};

/// Half of the templates' width, mm.
pub const HALF_WIDTH_MM: f64 = 10.0;
/// Length of a straight template, a speed, mm.
const STRAIGHT_MM: f64 = 40.0;

/// A template's centre line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Template {
    /// Straight ahead.
    Straight {
        /// mm.
        length: f64,
    },
    /// Part of a circle.
    Curve {
        /// Radius of the centre line, mm.
        radius: f64,
        /// How far it turns, degrees.
        degrees: f64,
        /// To which side it bends, seen along the way it is flown.
        side: Side,
    },
}

impl Template {
    /// The straight template of a speed.
    pub fn straight(speed: u8) -> Self {
        Template::Straight {
            length: STRAIGHT_MM * f64::from(speed),
        }
    }

    /// The bank template of a speed (1 to 3).
    pub fn bank(speed: u8, side: Side) -> Self {
        Template::Curve {
            radius: 30.0 + 50.0 * f64::from(speed),
            degrees: 45.0,
            side,
        }
    }

    /// The turn template of a speed (1 to 3).
    pub fn turn(speed: u8, side: Side) -> Self {
        Template::Curve {
            radius: 7.5 + 27.5 * f64::from(speed),
            degrees: 90.0,
            side,
        }
    }

    /// Length of the centre line, mm.
    pub fn length(&self) -> f64 {
        match *self {
            Template::Straight { length } => length,
            Template::Curve { radius, degrees, .. } => radius * degrees.to_radians(),
        }
    }
}

/// The way of a base along a template, in the frame of the ship before it moves.
#[derive(Debug, Clone, Copy)]
pub struct Path {
    template: Template,
    /// Backwards: the same path mirrored in the line across the base.
    reverse: bool,
    /// Length of the base, mm.
    base: f64,
}

impl Path {
    /// The path of a base of that size along a template, forwards.
    pub fn forward(size: Size, template: Template) -> Self {
        Self {
            template,
            reverse: false,
            base: size.length_mm(),
        }
    }

    /// The path of a maneuver, without the turn at the end of the advanced ones; `None` for a stationary one.
    pub fn of(size: Size, maneuver: Maneuver) -> Option<Self> {
        let Maneuver { speed, bearing, .. } = maneuver;
        let (template, reverse) = match bearing {
            Bearing::Stationary => return None,
            Bearing::Straight | Bearing::Koiogran => (Template::straight(speed), false),
            Bearing::Bank(side) | Bearing::SegnorsLoop(side) => (Template::bank(speed, side), false),
            Bearing::Turn(side) | Bearing::TallonRoll(side) => (Template::turn(speed, side), false),
            Bearing::ReverseStraight => (Template::straight(speed), true),
            Bearing::ReverseBank(side) => (Template::bank(speed, side), true),
        };
        Some(Self {
            template,
            reverse,
            base: size.length_mm(),
        })
    }

    /// The template, as it is flown.
    pub fn template(&self) -> Template {
        self.template
    }

    /// Whether it is flown backwards.
    pub fn is_reverse(&self) -> bool {
        self.reverse
    }

    /// How far the rear hashmark travels (in a reverse maneuver the front one), mm: the base and the template.
    pub fn length(&self) -> f64 {
        self.base + self.template.length()
    }

    /// The pose at the end of the template, in the ship's frame before the move.
    pub fn end(&self) -> Pose {
        let half = self.base / 2.0;
        let (x, y, heading) = match self.template {
            Template::Straight { length } => (0.0, self.base + length, 0.0),
            Template::Curve { radius, degrees, side } => {
                let (sin, cos) = angle::sin_cos(degrees);
                (
                    side.sign() * (radius * (1.0 - cos) + half * sin),
                    half + radius * sin + half * cos,
                    side.sign() * degrees,
                )
            }
        };
        self.oriented(x, y, heading)
    }

    /// The pose when the rear hashmark (in a reverse maneuver the front one) has travelled `travelled` mm, in the ship's
    /// frame before the move. Clamped to the path.
    pub fn pose_at(&self, travelled: f64) -> Pose {
        if travelled >= self.length() {
            return self.end();
        }
        let travelled = travelled.max(0.0);
        match self.template {
            Template::Straight { .. } => self.oriented(0.0, travelled, 0.0),
            Template::Curve { radius, degrees, side } => {
                let (rear, front) = self.hashmarks(radius, degrees, travelled);
                let middle = (rear + front) * 0.5;
                let heading = angle::signed((front - rear).bearing());
                self.oriented(side.sign() * middle.x, middle.y, side.sign() * heading)
            }
        }
    }

    /// The frame of [`Path::pose_at`], but for rounding: the nose is taken from the hashmarks without an angle, which is
    /// most of the work.
    pub(super) fn frame_at(&self, travelled: f64) -> Frame {
        if travelled >= self.length() {
            return self.end().frame();
        }
        let travelled = travelled.max(0.0);
        let end = if self.reverse { -1.0 } else { 1.0 };
        match self.template {
            Template::Straight { .. } => Frame::new(Point::new(0.0, end * travelled), Point::new(0.0, 1.0)),
            Template::Curve { radius, degrees, side } => {
                let (rear, front) = self.hashmarks(radius, degrees, travelled);
                let (middle, nose) = ((rear + front) * 0.5, (front - rear) * (1.0 / self.base));
                Frame::new(
                    Point::new(side.sign() * middle.x, end * middle.y),
                    Point::new(side.sign() * end * nose.x, nose.y),
                )
            }
        }
    }

    /// How far any point of the base moves at most for each mm that its rear hashmark travels. Along a straight all move as
    /// it does; in a curve the outer corners are faster, and the more so the longer the base is beside the radius.
    pub(super) fn fastest_point(&self) -> f64 {
        match self.template {
            Template::Straight { .. } => 1.0,
            Template::Curve { radius, .. } => 1.0 + 0.85 * self.base / radius,
        }
    }

    /// The hashmarks of the right-hand path, rear and front.
    fn hashmarks(&self, radius: f64, degrees: f64, travelled: f64) -> (Point, Point) {
        let rear = self.curve_point(radius, degrees, travelled);
        (rear, self.front_hashmark(radius, degrees, travelled, rear))
    }

    /// Turns a pose of the forward path into one of this path.
    fn oriented(&self, x: f64, y: f64, heading: f64) -> Pose {
        if self.reverse {
            Pose::new(x, -y, -heading)
        } else {
            Pose::new(x, y, heading)
        }
    }

    /// A point of the right-hand path at an arc length from the rear hashmark's start.
    fn curve_point(&self, radius: f64, degrees: f64, arc_length: f64) -> Point {
        let half = self.base / 2.0;
        let on_template = arc_length - self.base;
        if on_template <= 0.0 {
            return Point::new(0.0, arc_length - half);
        }
        let turned = (on_template / radius).to_degrees();
        let (sin, cos) = angle::sin_cos(turned.min(degrees));
        let on_arc = Point::new(radius * (1.0 - cos), half + radius * sin);
        let beyond = on_template - radius * degrees.to_radians();
        if beyond > 0.0 {
            on_arc + Point::new(sin, cos) * beyond
        } else {
            on_arc
        }
    }

    /// The first point ahead of `rear` on the right-hand path that is a base length away from it.
    fn front_hashmark(&self, radius: f64, degrees: f64, travelled: f64, rear: Point) -> Point {
        let half = self.base / 2.0;
        let base = self.base;
        let turned = if travelled < base {
            // From the straight: a chord between the straight, `gap` short of the template, and the circle.
            let gap = base - travelled;
            let reach = (radius * radius + gap * gap).sqrt();
            let cosine = (2.0 * radius * radius + gap * gap - base * base) / (2.0 * radius) / reach;
            (cosine.abs() <= 1.0).then(|| (libm::acos(cosine) - libm::atan2(gap, radius)).max(0.0))
        } else {
            // From the circle: a chord of it.
            let sine = base / (2.0 * radius);
            (sine <= 1.0).then(|| (travelled - base) / radius + 2.0 * libm::asin(sine))
        };
        if let Some(turned) = turned.map(f64::to_degrees).filter(|&turned| turned <= degrees) {
            let (sin, cos) = angle::sin_cos(turned);
            return Point::new(radius * (1.0 - cos), half + radius * sin);
        }
        // On the straight behind the template: how far along it is the base length reached?
        let (sin, cos) = angle::sin_cos(degrees);
        let direction = Point::new(sin, cos);
        let end = Point::new(radius * (1.0 - cos), half + radius * sin);
        let offset = end - rear;
        let along = offset.dot(direction);
        let across_squared = offset.dot(offset) - along * along;
        end + direction * ((base * base - across_squared).max(0.0).sqrt() - along)
    }

    /// Whether the template, laid from a ship at `start`, lies on an area, as far as a ship has come that travelled
    /// `travelled` mm. The part under the start base is no template.
    pub fn template_meets(&self, start: &Frame, travelled: f64, area: &(impl Area + ?Sized)) -> bool {
        self.laid(start, travelled).is_some_and(|laid| laid.meets(area))
    }

    /// The template, laid from a ship at `start`, as far as a ship has come that travelled `travelled` mm; `None` where it
    /// has not come past its own base.
    pub(super) fn laid(&self, start: &Frame, travelled: f64) -> Option<LaidTemplate> {
        let length = travelled.min(self.length()) - self.base;
        if length <= 0.0 {
            return None;
        }
        let side = match self.template {
            Template::Straight { .. } => 1.0,
            Template::Curve { side, .. } => side.sign(),
        };
        let (planes, (right, ahead)) = self.template_planes(length);
        let mut laid = LaidTemplate {
            template: self.template,
            start: *start,
            side,
            end: if self.reverse { -1.0 } else { 1.0 },
            half_base: self.base / 2.0,
            planes,
            bounds: Bounds::of(&[]),
        };
        let corners = [
            (-HALF_WIDTH_MM, 0.0),
            (-HALF_WIDTH_MM, ahead),
            (right, 0.0),
            (right, ahead),
        ];
        laid.bounds = Bounds::of(&corners.map(|(x, y)| laid.on_table(Point::new(x, y))));
        Some(laid)
    }

    /// How far a ship has come when its template, laid from `start`, first lies on an area that it lies on after
    /// `travelled` mm: obstacles are met in this order. Exact to a hundredth of a millimetre.
    pub fn first_contact(&self, start: &Frame, travelled: f64, area: &(impl Area + ?Sized)) -> f64 {
        let (mut clear, mut met) = (self.base.min(travelled), travelled);
        while met - clear > 0.01 {
            let middle = (clear + met) / 2.0;
            if self.template_meets(start, middle, area) {
                met = middle;
            } else {
                clear = middle;
            }
        }
        met
    }

    /// The half-planes around the template's first `length` mm, in the template's frame, and how far that reaches to the
    /// right and ahead, mm.
    fn template_planes(&self, length: f64) -> ([HalfPlane; 4], (f64, f64)) {
        let start = HalfPlane::new(Point::new(0.0, -1.0), 0.0);
        match self.template {
            Template::Straight { .. } => {
                let planes = [
                    start,
                    HalfPlane::new(Point::new(0.0, 1.0), length),
                    HalfPlane::new(Point::new(1.0, 0.0), HALF_WIDTH_MM),
                    HalfPlane::new(Point::new(-1.0, 0.0), HALF_WIDTH_MM),
                ];
                (planes, (HALF_WIDTH_MM, length))
            }
            Template::Curve { radius, .. } => {
                let (sin, cos) = angle::sin_cos((length / radius).to_degrees());
                let outward = Point::new(sin, cos);
                let centre = Point::new(radius, 0.0);
                let planes = [
                    start,
                    HalfPlane::new(outward, outward.dot(centre)),
                    // The wedge of at most a quarter circle lies left of its centre and above it; the ring is cut in
                    // `LaidTemplate::meets_edge`.
                    HalfPlane::new(Point::new(1.0, 0.0), radius + HALF_WIDTH_MM),
                    HalfPlane::new(Point::new(-1.0, 0.0), HALF_WIDTH_MM),
                ];
                // The end of its inner rim is farthest to the right, that of the outer rim farthest ahead.
                let right = radius - (radius - HALF_WIDTH_MM) * cos;
                (planes, (right, (radius + HALF_WIDTH_MM) * sin))
            }
        }
    }
}

/// A template where it lies on the table, laid out once for all the areas that it may meet.
#[derive(Debug, Clone, Copy)]
pub(super) struct LaidTemplate {
    template: Template,
    /// The ship before it moves.
    start: Frame,
    /// 1 for a template that bends to the right, -1 to the left.
    side: f64,
    /// 1 for one that is flown ahead, -1 backwards.
    end: f64,
    /// Half of the base's length, mm.
    half_base: f64,
    /// The half-planes around it, in the frame of a right-hand forward template whose start is the origin.
    planes: [HalfPlane; 4],
    bounds: Bounds,
}

impl LaidTemplate {
    /// Whether it lies on an area.
    pub fn meets(&self, area: &(impl Area + ?Sized)) -> bool {
        let corners = area.corners();
        !self.bounds.is_apart_from(&area.bounds())
            && (polygon::edges(corners).any(|(a, b)| self.meets_edge(self.in_template(a), self.in_template(b)))
                || polygon::contains(corners, self.on_table(Point::ZERO)))
    }

    fn in_template(&self, corner: Point) -> Point {
        let local = self.start.to_local(corner);
        Point::new(local.x * self.side, local.y * self.end - self.half_base)
    }

    fn on_table(&self, point: Point) -> Point {
        let local = Point::new(point.x * self.side, (point.y + self.half_base) * self.end);
        self.start.to_table(local)
    }

    /// Whether an edge, in the template's frame, has a part in the template.
    fn meets_edge(&self, a: Point, b: Point) -> bool {
        let Some((from, to)) = half_plane::clip_segment(&self.planes, a, b, 0.0) else {
            return false;
        };
        let Template::Curve { radius, .. } = self.template else {
            return true;
        };
        let centre = Point::new(radius, 0.0);
        let (p, q) = (a + (b - a) * from, a + (b - a) * to);
        let (outer, inner) = (radius + HALF_WIDTH_MM, radius - HALF_WIDTH_MM);
        // The distance to the centre is convex along the edge: least at the nearest point, most at an end.
        let nearest = polygon::nearest_on_segment(centre, p, q).distance(centre);
        let farthest = p.distance(centre).max(q.distance(centre));
        nearest <= outer && farthest >= inner
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Rectangle;

    const SIZES: [Size; 3] = [Size::Small, Size::Medium, Size::Large];

    fn path(size: Size, code: &str) -> Path {
        let maneuver: Maneuver = code.parse().expect("a dial code");
        Path::of(size, maneuver).expect("a moving maneuver")
    }

    fn assert_pose(pose: Pose, (x, y, heading): (f64, f64, f64), tolerance: f64, what: &str) {
        let off = pose.position.distance(Point::new(x, y));
        let turned = angle::signed(pose.heading - heading).abs();
        assert!(
            off < tolerance && turned < tolerance,
            "{what}: {pose:?}, expected {x} {y} {heading}"
        );
    }

    #[test]
    fn no_point_of_a_base_is_faster_than_told() {
        const STEP_MM: f64 = 0.01;
        for size in SIZES {
            for code in ["3FW", "2SW", "1BW", "2BW", "3BW", "1TW", "2TW", "3TW", "1AW", "2DW"] {
                let path = path(size, code);
                let corners = |travelled: f64| {
                    let frame = path.frame_at(travelled);
                    Rectangle::in_frame(&frame, size.base_mm() + 3.4, size.length_mm() + 3.4).corners()
                };
                let mut travelled = 0.0;
                let mut fastest = 0.0_f64;
                while travelled + STEP_MM < path.length() {
                    let moved = corners(travelled).into_iter().zip(corners(travelled + STEP_MM));
                    let speeds = moved.map(|(from, to)| from.distance(to) / STEP_MM);
                    fastest = speeds.fold(fastest, f64::max);
                    travelled += 0.5;
                }
                let told = path.fastest_point();
                // Not much less, either: the search would take many more steps.
                assert!(
                    fastest <= told + 1e-6 && fastest > told - 0.7,
                    "{size:?} {code}: {fastest} of {told}"
                );
            }
        }
    }

    /// The end poses measured on real templates, for small, medium and large bases.
    #[test]
    fn end_poses_are_the_measured_ones() {
        let banks = [
            [(37.574, 90.711), (44.645, 107.782), (51.716, 124.853)],
            [(52.218, 126.066), (59.289, 143.137), (66.360, 160.208)],
            [(66.863, 161.421), (73.934, 178.492), (81.005, 195.563)],
        ];
        let turns = [[55.0, 65.0, 75.0], [82.5, 92.5, 102.5], [110.0, 120.0, 130.0]];
        for (index, size) in SIZES.into_iter().enumerate() {
            let base = size.base_mm();
            for speed in 1..=5 {
                let ahead = base + 40.0 * f64::from(speed);
                assert_pose(
                    path(size, &format!("{speed}FW")).end(),
                    (0.0, ahead, 0.0),
                    1e-9,
                    "straight",
                );
                assert_pose(
                    path(size, &format!("{speed}SW")).end(),
                    (0.0, -ahead, 0.0),
                    1e-9,
                    "reverse straight",
                );
            }
            for speed in 1..=3 {
                let (x, y) = banks[speed - 1][index];
                assert_pose(
                    path(size, &format!("{speed}NW")).end(),
                    (x, y, 45.0),
                    6e-4,
                    "right bank",
                );
                assert_pose(
                    path(size, &format!("{speed}BW")).end(),
                    (-x, y, -45.0),
                    6e-4,
                    "left bank",
                );
                assert_pose(
                    path(size, &format!("{speed}DW")).end(),
                    (x, -y, -45.0),
                    6e-4,
                    "reverse right bank",
                );
                assert_pose(
                    path(size, &format!("{speed}AW")).end(),
                    (-x, -y, 45.0),
                    6e-4,
                    "reverse left bank",
                );
                let reach = turns[speed - 1][index];
                assert_pose(
                    path(size, &format!("{speed}YW")).end(),
                    (reach, reach, 90.0),
                    1e-9,
                    "right turn",
                );
                assert_pose(
                    path(size, &format!("{speed}TW")).end(),
                    (-reach, reach, -90.0),
                    1e-9,
                    "left turn",
                );
            }
        }
    }

    /// The frame without an angle is that of the pose.
    #[test]
    fn partial_frames_are_those_of_the_poses() {
        for size in SIZES {
            for code in ["1YW", "3TW", "2NW", "1BW", "3FW", "1SW", "1DW", "1AW"] {
                let path = path(size, code);
                for step in -1..=41 {
                    let travelled = f64::from(step) / 40.0 * path.length();
                    let (frame, exact) = (path.frame_at(travelled), path.pose_at(travelled).frame());
                    let off = frame.origin().distance(exact.origin()) + frame.forward().distance(exact.forward());
                    assert!(off < 1e-12, "{code} {size:?} {travelled}: {frame:?}, {exact:?}");
                }
            }
        }
    }

    /// Partial poses of the exact rod model.
    #[test]
    fn partial_poses_are_the_measured_ones() {
        type Row = (Size, &'static str, [(f64, f64, f64); 4], f64);
        let rows: [Row; 5] = [
            (
                Size::Small,
                "1YW",
                [
                    (2.9852, 19.7760, 8.5839),
                    (11.4286, 36.4130, 34.8499),
                    (23.8753, 46.9646, 66.3111),
                    (40.4128, 53.4219, 85.4744),
                ],
                94.978,
            ),
            (
                Size::Medium,
                "2YW",
                [
                    (1.6283, 19.9558, 3.1114),
                    (6.6379, 39.2564, 12.7833),
                    (14.4000, 56.3181, 28.6854),
                    (25.1206, 70.1127, 47.0201),
                ],
                158.175,
            ),
            (
                Size::Small,
                "2NW",
                [
                    (0.7715, 19.9851, 2.2108),
                    (3.0769, 39.7619, 8.8499),
                    (7.6043, 58.9782, 17.6646),
                    (15.0230, 77.2737, 26.4794),
                ],
                142.102,
            ),
            (
                Size::Large,
                "1NW",
                [
                    (1.2650, 19.9800, 1.8123),
                    (5.1676, 39.6648, 7.4228),
                    (11.6863, 58.2548, 16.9872),
                    (18.7596, 75.3281, 27.9688),
                ],
                142.832,
            ),
            (
                Size::Large,
                "3YW",
                [
                    (1.1216, 19.9843, 1.6068),
                    (4.5604, 39.7392, 6.5465),
                    (10.2997, 58.6512, 14.9214),
                    (17.7778, 75.8323, 26.3878),
                ],
                221.372,
            ),
        ];
        for (size, code, poses, length) in rows {
            let path = path(size, code);
            assert!((path.length() - length).abs() < 6e-4, "{code} {size:?}");
            for (step, expected) in poses.into_iter().enumerate() {
                let travelled = 20.0 * (step + 1) as f64;
                assert_pose(
                    path.pose_at(travelled),
                    expected,
                    1e-4,
                    &format!("{code} {size:?} {travelled}"),
                );
            }
        }
    }

    #[test]
    fn the_path_begins_at_rest_and_ends_at_the_template_for_every_size() {
        for size in [Size::Small, Size::Medium, Size::Large, Size::Huge] {
            for code in [
                "1FW", "5KW", "1YW", "3TW", "2BW", "1NW", "0NW", "1SW", "1AW", "3LW", "2RW",
            ] {
                let path = path(size, code);
                assert_pose(path.pose_at(0.0), (0.0, 0.0, 0.0), 1e-6, code);
                let end = path.end();
                let nearly = path.pose_at(path.length() - 1e-9);
                assert_pose(nearly, (end.position.x, end.position.y, end.heading), 1e-6, code);
            }
        }
    }

    #[test]
    fn the_template_begins_at_the_base_and_grows_with_the_way_flown() {
        let straight = path(Size::Small, "2FW");
        let start = Pose::new(0.0, 0.0, 0.0).frame();
        let square = |x: f64, y: f64| {
            [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(a, b)| Point::new(x + a, y + b))
        };
        // (corner block, travelled, met)
        let cases = [
            ((0.0, 18.0), 120.0, false),
            ((0.0, 22.0), 120.0, true),
            ((0.0, 22.0), 40.0, false),
            ((0.0, 60.0), 78.0, false),
            ((0.0, 60.0), 80.0, true),
            ((10.9, 60.0), 120.0, true),
            ((11.1, 60.0), 120.0, false),
            ((0.0, 100.9), 120.0, true),
            ((0.0, 101.1), 120.0, false),
        ];
        for ((x, y), travelled, met) in cases {
            assert_eq!(
                straight.template_meets(&start, travelled, &square(x, y)),
                met,
                "{x} {y} {travelled}"
            );
            let reverse = path(Size::Small, "2SW");
            assert_eq!(
                reverse.template_meets(&start, travelled, &square(-x, -y)),
                met,
                "reverse {x} {y} {travelled}"
            );
        }
        // A rock that holds the whole template meets it, though no border crosses.
        let rock = [(-90.0, -90.0), (90.0, -90.0), (90.0, 190.0), (-90.0, 190.0)].map(|(x, y)| Point::new(x, y));
        assert!(straight.template_meets(&start, 120.0, &rock));
        // The inside of a turn is free: the ring is 25 to 45 mm from its centre.
        let turn = path(Size::Small, "1YW");
        assert!(!turn.template_meets(&start, turn.length(), &square(35.0, 42.0)));
        assert!(turn.template_meets(&start, turn.length(), &square(35.0 - 24.5, 21.0)));
        assert!(!turn.template_meets(&start, turn.length(), &square(35.0 - 20.0, 21.0)));
    }
}
