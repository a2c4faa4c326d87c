//! Laws of geometry and movement on random tables, with the `geo` crate as a second opinion.

use geo::{Area, BooleanOps, Coord, Distance, Euclidean, Intersects, LineString, MultiPolygon, Polygon};
use proptest::prelude::*;
use tallyho::{
    geometry::{Point, Pose, angle, polygon},
    xwing::{
        base::Footprint,
        edition::Edition,
        maneuver::{Bearing, Difficulty, Maneuver, Side},
        measure::{self, Arc, Object},
        movement::{self, Alignment, EdgePolicy, Execution, MovementOptions},
        obstacle::Obstacle,
        print::Print,
        reposition::{self, BoostTemplate, Reposition},
        ship::Ship,
        size::Size,
        table::{PlayArea, Table},
        template::{Path, Template},
    },
};

use crate::tables::{asteroid, bare_ship};

const SIZES: [Size; 3] = [Size::Small, Size::Medium, Size::Large];

fn size() -> impl Strategy<Value = Size> {
    prop::sample::select(&SIZES[..])
}

pub(crate) fn pose() -> impl Strategy<Value = Pose> {
    (250.0..650.0, 250.0..650.0, 0.0..360.0).prop_map(|(x, y, heading)| Pose::new(x, y, heading))
}

/// A star-shaped outline, most often concave.
pub(crate) fn outline() -> impl Strategy<Value = Vec<Point>> {
    let spoke = (0.1..1.0, 8.0..45.0);
    (pose(), prop::collection::vec(spoke, 3..12)).prop_map(|(middle, spokes)| {
        let turn: f64 = spokes.iter().map(|spoke| spoke.0).sum();
        let mut heading = 0.0;
        let corner = |(share, length): (f64, f64)| {
            heading += 360.0 * share / turn;
            Pose::new(middle.position.x, middle.position.y, heading).to_table(Point::new(0.0, length))
        };
        spokes.into_iter().map(corner).collect()
    })
}

pub(crate) fn maneuver() -> impl Strategy<Value = Maneuver> {
    let side = || prop::sample::select(&Side::BOTH[..]);
    let bearing = prop_oneof![
        (1u8..=5, Just(Bearing::Straight)),
        (1u8..=5, Just(Bearing::Koiogran)),
        (1u8..=3, side().prop_map(Bearing::Bank)),
        (1u8..=3, side().prop_map(Bearing::Turn)),
        (1u8..=3, side().prop_map(Bearing::SegnorsLoop)),
        (1u8..=3, side().prop_map(Bearing::TallonRoll)),
        (1u8..=2, Just(Bearing::ReverseStraight)),
        (1u8..=1, side().prop_map(Bearing::ReverseBank)),
        (0u8..=0, Just(Bearing::Stationary)),
    ];
    bearing.prop_map(|(speed, bearing)| Maneuver {
        speed,
        bearing,
        difficulty: Difficulty::White,
    })
}

/// A table with ship `A`, which moves, and others that it does not stand on.
pub(crate) fn table() -> impl Strategy<Value = Table> {
    let ships = prop::collection::vec((size(), pose()), 0..7);
    let obstacles = prop::collection::vec(outline(), 0..6);
    (size(), pose(), ships, obstacles).prop_map(|(size, pose, others, outlines)| {
        let mut ships = vec![bare_ship("A", size, pose)];
        for (index, (size, pose)) in others.into_iter().enumerate() {
            let ship = bare_ship(&format!("B{index}"), size, pose);
            if ships.iter().all(|other| measure::ship_distance(&ship, other) > 0.0) {
                ships.push(ship);
            }
        }
        let obstacles = outlines.into_iter().enumerate();
        let obstacles = obstacles
            .map(|(index, outline)| asteroid(&format!("O{index}"), outline))
            .collect();
        Table::new(PlayArea::STANDARD, ships, obstacles, Vec::new())
    })
}

pub(crate) fn mover(table: &Table) -> &Ship {
    table.ship("A").expect("every table has a ship A")
}

pub(crate) fn geo_polygon(corners: &[Point]) -> Polygon {
    let ring: LineString = corners
        .iter()
        .map(|corner| Coord {
            x: corner.x,
            y: corner.y,
        })
        .collect();
    Polygon::new(ring, Vec::new())
}

pub(crate) fn base_corners(size: Size, pose: Pose) -> Vec<Point> {
    Object::Ship(&bare_ship("base", size, pose))
        .outline()
        .corners()
        .to_vec()
}

/// Carries a table to another place, or into its mirror image, object by object.
fn carried(table: &Table, point: impl Fn(Point) -> Point, heading: impl Fn(f64) -> f64) -> Table {
    let mut carried = table.clone();
    for ship in &mut carried.ships {
        let position = point(ship.pose.position);
        ship.pose = Pose::new(position.x, position.y, heading(ship.pose.heading));
    }
    for obstacle in &mut carried.obstacles {
        obstacle.outline = obstacle.outline.iter().map(|&corner| point(corner)).collect();
    }
    carried
}

fn mirrored_point(point: Point) -> Point {
    Point::new(PlayArea::STANDARD.width - point.x, point.y)
}

fn mirrored(table: &Table) -> Table {
    carried(table, mirrored_point, |heading| -heading)
}

fn mirrored_bearing(bearing: Bearing) -> Bearing {
    match bearing {
        Bearing::Bank(side) => Bearing::Bank(side.opposite()),
        Bearing::Turn(side) => Bearing::Turn(side.opposite()),
        Bearing::SegnorsLoop(side) => Bearing::SegnorsLoop(side.opposite()),
        Bearing::TallonRoll(side) => Bearing::TallonRoll(side.opposite()),
        Bearing::ReverseBank(side) => Bearing::ReverseBank(side.opposite()),
        other => other,
    }
}

fn mirrored_arc(arc: Arc) -> Arc {
    match arc {
        Arc::Left => Arc::Right,
        Arc::Right => Arc::Left,
        other => other,
    }
}

/// Asserts that two executions are the same but for where on the table they took place.
fn same_execution(found: &Execution, expected: &Execution, position: Point, heading: f64) -> Result<(), TestCaseError> {
    prop_assert!(
        (found.travelled_mm - expected.travelled_mm).abs() < 1e-5,
        "{found:?} {expected:?}"
    );
    prop_assert!(found.pose.position.distance(position) < 1e-5, "{found:?} {expected:?}");
    prop_assert!(
        angle::signed(found.pose.heading - heading).abs() < 1e-5,
        "{found:?} {expected:?}"
    );
    let facts = |execution: &Execution| {
        let Execution {
            full,
            edge,
            overlapped,
            bumped,
            crossed,
            overlapped_obstacles,
            started_on,
            suffered,
            ..
        } = execution.clone();
        (
            (full, edge),
            overlapped,
            bumped,
            crossed,
            overlapped_obstacles,
            started_on,
            suffered,
        )
    };
    prop_assert_eq!(facts(found), facts(expected));
    Ok(())
}

/// The template between start and end as a polygon of many corners, for a right-hand forward path.
fn traced_template(start: Pose, size: Size, template: Template) -> Vec<Point> {
    let half = size.base_mm() / 2.0;
    let steps = 400;
    let rim = |offset: f64| {
        (0..=steps).map(move |step| {
            let share = f64::from(step) / f64::from(steps);
            let local = match template {
                Template::Straight { length } => Point::new(offset, half + length * share),
                Template::Curve { radius, degrees, side } => {
                    let (sin, cos) = angle::sin_cos(degrees * share);
                    let reach = radius - offset;
                    Point::new(side.sign() * (radius - reach * cos), half + reach * sin)
                }
            };
            start.to_table(local)
        })
    };
    let back: Vec<Point> = rim(-10.0).collect();
    rim(10.0).chain(back.into_iter().rev()).collect()
}

/// An arc outside its base as `geo` polygons, out to 3 m.
fn traced_arc(print: Print, pose: Pose, arc: Arc) -> MultiPolygon {
    let far = 3000.0;
    let at = |bearing: f64| {
        let (sin, cos) = angle::sin_cos(bearing);
        Point::new(far * sin, far * cos)
    };
    let size = print.size;
    let half_angle = match (print.edition, size) {
        (Edition::First, Size::Small) => 40.45,
        (Edition::First, Size::Large | Size::Huge | Size::ShuttleToken) => 42.03,
        (Edition::Second, Size::Small) => 40.62,
        (_, Size::Medium) => 41.40,
        (Edition::Second, Size::Large | Size::Huge | Size::ShuttleToken) => 41.76,
    };
    let wedge = |from: f64, to: f64| {
        let middle = (from + to) / 2.0;
        vec![
            Point::ZERO,
            at(from),
            at((from + middle) / 2.0),
            at(middle),
            at((middle + to) / 2.0),
            at(to),
        ]
    };
    let local = match arc {
        Arc::Front => wedge(-half_angle, half_angle),
        Arc::Right => wedge(half_angle, 180.0 - half_angle),
        Arc::Rear => wedge(180.0 - half_angle, 180.0 + half_angle),
        Arc::Left => wedge(180.0 + half_angle, 360.0 - half_angle),
        Arc::FullFront => wedge(-90.0, 90.0),
        Arc::FullRear => wedge(90.0, 270.0),
        Arc::AllRound => [(-far, -far), (far, -far), (far, far), (-far, far)]
            .map(|(x, y)| Point::new(x, y))
            .to_vec(),
        Arc::Bullseye => [(-7.5, 0.0), (7.5, 0.0), (7.5, far), (-7.5, far)]
            .map(|(x, y)| Point::new(x, y))
            .to_vec(),
    };
    let corners: Vec<Point> = local.into_iter().map(|corner| pose.to_table(corner)).collect();
    geo_polygon(&corners).difference(&geo_polygon(&base_corners(size, pose)))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn distance_and_intersection_agree_with_geo(size in size(), pose in pose(), outline in outline()) {
        let base = base_corners(size, pose);
        let (ours, theirs) = (geo_polygon(&base), geo_polygon(&outline));
        prop_assert_eq!(polygon::intersect(&base, &outline), ours.intersects(&theirs));
        let expected = Euclidean.distance(&ours, &theirs);
        let obstacle = asteroid("O", outline);
        let object = Object::Obstacle(&obstacle);
        prop_assert!((measure::distance(size, pose, &object) - expected).abs() < 1e-9);
        let middle = object.centre();
        let centroid = geo::Centroid::centroid(&theirs).expect("an area has a centroid");
        prop_assert!(middle.distance(Point::new(centroid.x(), centroid.y())) < 1e-6);
    }

    #[test]
    fn bases_overlap_and_measure_as_geo_says(a in (size(), pose()), b in (size(), pose())) {
        let (first, second) = (geo_polygon(&base_corners(a.0, a.1)), geo_polygon(&base_corners(b.0, b.1)));
        let depth = Footprint::new(a.0, a.1, false).penetration(&Footprint::new(b.0, b.1, false));
        prop_assert_eq!(depth > 0.0, first.intersects(&second));
        let (a, b) = (bare_ship("A", a.0, a.1), bare_ship("B", b.0, b.1));
        let distance = measure::ship_distance(&a, &b);
        prop_assert!((distance - Euclidean.distance(&first, &second)).abs() < 1e-9);
        prop_assert!((distance - measure::ship_distance(&b, &a)).abs() < 1e-9);
        prop_assert!(depth <= 0.0 || distance == 0.0);
        prop_assert!(depth > 0.0 || -depth <= distance + 1e-9, "the negative depth bounds the distance from below");
    }

    /// SA-3.1, SA-9, FE-0.4, FE-8.4: an object's part in an arc, cut out by `geo`'s boolean operations.
    #[test]
    fn sa9_distance_in_arc_agrees_with_geo(
        size in size(), pose in pose(), outline in outline(), other in (self::size(), self::pose()),
        arc in prop::sample::select(&Arc::ALL[..]), edition in prop::sample::select(&Edition::ALL[..]),
    ) {
        let print = Print { edition, size };
        let (obstacle, ship) = (asteroid("O", outline), bare_ship("B", other.0, other.1));
        for object in [Object::Obstacle(&obstacle), Object::Ship(&ship)] {
            let area = geo_polygon(object.outline().corners());
            let part = traced_arc(print, pose, arc).intersection(&area);
            let found = measure::distance_in_arc(print, pose, arc, &object);
            prop_assert_eq!(found.is_some(), measure::in_arc(print, pose, arc, &object));
            let base = geo_polygon(&base_corners(size, pose));
            // `geo` works on a grid here, so slivers and the last digits are its own.
            if part.unsigned_area() > 0.01 {
                let expected = Euclidean.distance(&base, &part);
                prop_assert!(found.is_some_and(|found| (found - expected).abs() < 1e-3), "{found:?} {expected}");
            } else if part.0.is_empty() && found.is_some() {
                // Only what lies under the base, or a touch, is in an arc without an area in it.
                let outside = area.difference(&base);
                let grazed = traced_arc(print, pose, arc).iter().any(|piece| Euclidean.distance(piece, &area) < 1e-3);
                prop_assert!(outside.unsigned_area() < 1e-3 || grazed);
            }
        }
    }

    #[test]
    fn templates_meet_what_geo_says_they_meet(
        size in size(), pose in pose(), outline in outline(),
        curve in prop_oneof![Just(None), prop::sample::select(&Side::BOTH[..]).prop_map(Some)],
        turn in any::<bool>(), speed in 1u8..=3,
    ) {
        let template = match (curve, turn) {
            (None, _) => Template::straight(speed),
            (Some(side), true) => Template::turn(speed, side),
            (Some(side), false) => Template::bank(speed, side),
        };
        let traced = geo_polygon(&traced_template(pose, size, template));
        let path = Path::forward(size, template);
        let found = path.template_meets(&pose.frame(), path.length(), &outline);
        let gap = Euclidean.distance(&traced, &geo_polygon(&outline));
        // The traced rim is a polygon: at most 0.01 mm inside or outside the true one.
        prop_assert!(found == (gap == 0.0) || gap < 0.01 || nearly_clear(&traced, &outline));
    }

    /// Partial execution: both hashmarks are on the centre line, a base length apart, and the poses follow each other.
    #[test]
    fn partial_poses_lie_on_the_path(size in size(), maneuver in maneuver(), share in 0.0..1.0) {
        let Some(path) = Path::of(size, maneuver) else { return Ok(()) };
        let travelled = share * path.length();
        let pose = path.pose_at(travelled);
        let half = size.base_mm() / 2.0;
        for (hashmark, arc_length) in [(-half, Some(travelled)), (half, None)] {
            let reverse = matches!(maneuver.bearing, Bearing::ReverseBank(_) | Bearing::ReverseStraight);
            let mark = pose.to_table(Point::new(0.0, if reverse { -hashmark } else { hashmark }));
            let (distance, along) = on_centre_line(size, maneuver, mark);
            prop_assert!(distance < 1e-9, "{distance}");
            prop_assert!(arc_length.is_none_or(|length| (length - along).abs() < 1e-6), "{arc_length:?} {along}");
            prop_assert!(along >= travelled - 1e-6);
        }
        // No point of the base outruns what the search for contact relies on.
        let step = 0.01;
        let next = path.pose_at(travelled + step);
        let corners = base_corners(size, pose).into_iter().zip(base_corners(size, next));
        for (here, there) in corners {
            prop_assert!(here.distance(there) <= 4.0 * step);
        }
    }

    /// SA-7: the backed-up position is clear, a hair further is not, and neither is anything from there to the end.
    #[test]
    fn sa7_backing_up_stops_at_the_first_clear_place(
        table in table(), maneuver in maneuver(), guides in any::<bool>(),
    ) {
        let ship = mover(&table);
        let options = MovementOptions { guides, edge: EdgePolicy::Flee };
        let found = movement::execute(&table, ship, maneuver, Alignment::Middle, &options);
        let Some(path) = Path::of(ship.size, maneuver) else { return Ok(()) };
        let on_ships = |pose: Pose| -> Vec<_> {
            let footprint = Footprint::new(ship.size, pose, guides);
            let on = |other: &&Ship| {
                footprint.penetration(&Footprint::new(other.size, other.pose, guides)) > tallyho::geometry::OVERLAP_MM
            };
            let others = table.ships_in_play().filter(|other| other.id != ship.id).filter(on);
            others.map(|other| other.id.clone()).collect()
        };
        prop_assert_eq!(found.full, found.overlapped.is_empty());
        prop_assert!(found.travelled_mm == 0.0 || on_ships(found.pose).is_empty());
        // A Tallon roll that fails by its shift or its guides may be clear, unturned, at the end of the template.
        if found.full || found.travelled_mm == path.length() {
            return Ok(());
        }
        let at = |travelled: f64| ship.pose.compose(path.pose_at(travelled));
        prop_assert!(at(found.travelled_mm).position.distance(found.pose.position) < 1e-9);
        let hairs = [1e-4, 1e-5, 1e-6, 2e-7];
        prop_assert!(hairs.iter().any(|hair| !on_ships(at(found.travelled_mm + hair)).is_empty()));
        prop_assert!(!found.bumped.is_empty() || found.travelled_mm == 0.0);
        prop_assert!(found.bumped.iter().all(|id| found.overlapped.contains(id)));
        // Sampled twice in the finest step of the search, what it is on for longer must be known.
        let mut further = found.travelled_mm + 0.25;
        let mut before = Vec::new();
        while further < path.length() {
            let on = on_ships(at(further));
            prop_assert!(!on.is_empty(), "clear at {further}, found {}", found.travelled_mm);
            prop_assert!(before.iter().filter(|id| on.contains(id)).all(|id| found.overlapped.contains(id)));
            before = on;
            further += 0.25;
        }
    }

    /// SA-7: a solo ship never ends over an edge that it did not start over.
    #[test]
    fn sa7_solo_ships_stay_on_the_table(
        size in size(), across in 0.0..1.0, depth in 0.0..120.0, heading in 0.0..360.0, maneuver in maneuver(),
    ) {
        let width = PlayArea::STANDARD.width;
        let pose = Pose::new(60.0 + across * (width - 120.0), 57.0 + depth, heading);
        let ship = bare_ship("A", size, pose);
        let table = Table::new(PlayArea::STANDARD, vec![ship.clone()], Vec::new(), Vec::new());
        let options = MovementOptions::default();
        let found = movement::execute(&table, &ship, maneuver, Alignment::Middle, &options);
        let inside = |pose: Pose| {
            let corners = base_corners(size, pose);
            corners.iter().all(|c| c.x >= -1e-5 && c.y >= -1e-5 && c.x <= width + 1e-5 && c.y <= width + 1e-5)
        };
        prop_assert!(inside(found.pose));
        let flown = MovementOptions { edge: EdgePolicy::Flee, ..options };
        let fled = movement::execute(&table, &ship, maneuver, Alignment::Middle, &flown);
        prop_assert_eq!(fled.edge, !inside(fled.pose));
        prop_assert_eq!(fled.edge, found.edge);
        prop_assert_eq!(found.full, !found.edge);
    }

    #[test]
    fn a_mirrored_table_gives_the_mirrored_answer(table in table(), maneuver in maneuver()) {
        let image = mirrored(&table);
        let mirrored_maneuver = Maneuver { bearing: mirrored_bearing(maneuver.bearing), ..maneuver };
        let options = MovementOptions::default();
        for alignment in Alignment::ALL {
            let found = movement::execute(&table, mover(&table), maneuver, alignment, &options);
            let other = movement::execute(&image, mover(&image), mirrored_maneuver, alignment, &options);
            same_execution(&other, &found, mirrored_point(found.pose.position), -found.pose.heading)?;
        }
        for side in Side::BOTH {
            for slide in reposition::slides(mover(&table).size) {
                let found = reposition::barrel_roll(&table, mover(&table), side, slide, &options);
                let other = reposition::barrel_roll(&image, mover(&image), side.opposite(), slide, &options);
                same_reposition(&other, &found)?;
            }
        }
        let boosts = [
            (BoostTemplate::Left, BoostTemplate::Right),
            (BoostTemplate::Straight, BoostTemplate::Straight),
        ];
        for (here, there) in boosts {
            let found = reposition::boost(&table, mover(&table), here, &options);
            let other = reposition::boost(&image, mover(&image), there, &options);
            same_reposition(&other, &found)?;
        }
        for (here, there) in table.ships.iter().zip(&image.ships).filter(|(ship, _)| ship.id != mover(&table).id) {
            for arc in Arc::ALL {
                let (a, b) = (mover(&table), mover(&image));
                let found = measure::distance_in_arc(a.print(), a.pose, arc, &Object::Ship(here));
                let other = measure::distance_in_arc(b.print(), b.pose, mirrored_arc(arc), &Object::Ship(there));
                prop_assert!(same_distance(found, other), "{arc:?} {found:?} {other:?}");
                prop_assert_eq!(
                    measure::obstructing(&table, a, here, arc),
                    measure::obstructing(&image, b, there, mirrored_arc(arc))
                );
            }
        }
    }

    #[test]
    fn a_moved_and_rotated_table_gives_the_same_answer(
        table in table(), maneuver in maneuver(), turn in 0.0..360.0,
        shift in (2000.0..3000.0, 2000.0..3000.0),
    ) {
        let mut table = table;
        table.area = PlayArea { width: 10_000.0, height: 10_000.0 };
        let frame = Pose::new(shift.0, shift.1, turn);
        let carry = |point: Point| frame.to_table(point);
        let moved = carried(&table, carry, |heading| heading + turn);
        let options = MovementOptions { guides: false, edge: EdgePolicy::Flee };
        let found = movement::execute(&table, mover(&table), maneuver, Alignment::Back, &options);
        let other = movement::execute(&moved, mover(&moved), maneuver, Alignment::Back, &options);
        // The carried table lies wholly inside its area, the first one need not.
        let found = Execution { edge: other.edge, ..found };
        same_execution(&other, &found, carry(found.pose.position), found.pose.heading + turn)?;
        let seen = |table: &Table| -> Vec<_> {
            let ship = mover(table);
            let objects = table.ships.iter().map(Object::Ship).chain(table.obstacles.iter().map(Object::Obstacle));
            let distances = objects.flat_map(|object| {
                Arc::ALL.map(|arc| measure::distance_in_arc(ship.print(), ship.pose, arc, &object))
            });
            distances.collect()
        };
        for (here, there) in seen(&table).into_iter().zip(seen(&moved)) {
            prop_assert!(same_distance(here, there), "{here:?} {there:?}");
        }
    }

    /// SA-0: the order in which a table lists its objects never matters.
    #[test]
    fn sa0_the_order_of_objects_never_matters(table in table(), maneuver in maneuver(), seed in any::<u64>()) {
        let mut shuffled = table.clone();
        let rotate = |length: usize| if length == 0 { 0 } else { (seed % length as u64) as usize };
        let (ships, obstacles) = (rotate(shuffled.ships.len()), rotate(shuffled.obstacles.len()));
        shuffled.ships.rotate_left(ships);
        shuffled.ships.reverse();
        shuffled.obstacles.rotate_left(obstacles);
        shuffled.obstacles.reverse();
        let listed = Table::new(shuffled.area, shuffled.ships, shuffled.obstacles, shuffled.markers);
        let options = MovementOptions::default();
        let found = movement::executions(&table, mover(&table), maneuver, &options);
        prop_assert_eq!(found, movement::executions(&listed, mover(&listed), maneuver, &options));
        for other in table.ships_in_play() {
            prop_assert_eq!(
                measure::obstructing(&table, mover(&table), other, Arc::FullFront),
                measure::obstructing(&listed, mover(&listed), other, Arc::FullFront)
            );
        }
    }

    /// The same line is obstructed in both directions, and by what `geo` says it meets.
    #[test]
    fn obstruction_is_symmetric_and_agrees_with_geo(table in table()) {
        let a = mover(&table);
        for b in table.ships_in_play().filter(|other| other.id != a.id) {
            let (Some(there), Some(back)) = (arc_of_nearest(a, b), arc_of_nearest(b, a)) else { continue };
            let found = measure::obstructing(&table, a, b, there);
            prop_assert_eq!(&found, &measure::obstructing(&table, b, a, back));
            let (start, end) = closest_pair(a, b);
            let line = geo::Line::new(Coord { x: start.x, y: start.y }, Coord { x: end.x, y: end.y });
            let met = |obstacle: &&Obstacle| geo_polygon(&obstacle.outline).intersects(&line);
            let expected: Vec<_> = table.obstacles.iter().filter(met).map(|obstacle| obstacle.id.clone()).collect();
            prop_assert_eq!(found, expected);
        }
    }
}

/// Whether a hundredth of a millimetre decides between touching and not: `outline` only just reaches into `area`.
fn nearly_clear(area: &Polygon, outline: &[Point]) -> bool {
    area.intersection(&geo_polygon(outline)).unsigned_area() < 0.05
}

fn same_distance(a: Option<f64>, b: Option<f64>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => (a - b).abs() < 1e-6,
        (None, None) => true,
        _ => false,
    }
}

fn same_reposition(found: &Reposition, mirrored: &Reposition) -> Result<(), TestCaseError> {
    prop_assert_eq!(&found.blocked, &mirrored.blocked);
    prop_assert_eq!(&found.crossed, &mirrored.crossed);
    prop_assert!(found.pose.position.distance(mirrored_point(mirrored.pose.position)) < 1e-9);
    prop_assert!(angle::signed(found.pose.heading + mirrored.pose.heading).abs() < 1e-9);
    Ok(())
}

/// Distance of a point from the centre line of base, template and base, and how far along it is, in the ship's frame.
fn on_centre_line(size: Size, maneuver: Maneuver, mark: Point) -> (f64, f64) {
    let half = size.base_mm() / 2.0;
    let speed = f64::from(maneuver.speed);
    let (side, radius, degrees) = match maneuver.bearing {
        Bearing::Bank(side) | Bearing::SegnorsLoop(side) | Bearing::ReverseBank(side) => {
            (side.sign(), [80.0, 130.0, 180.0][maneuver.speed as usize - 1], 45.0_f64)
        }
        Bearing::Turn(side) | Bearing::TallonRoll(side) => {
            (side.sign(), [35.0, 62.5, 90.0][maneuver.speed as usize - 1], 90.0)
        }
        _ => {
            let ahead = mark.y.abs() + half;
            assert!(ahead <= 4.0 * half + 40.0 * speed);
            let reverse = maneuver.bearing == Bearing::ReverseStraight;
            return (mark.x.abs(), if reverse { half - mark.y } else { mark.y + half });
        }
    };
    let reverse = matches!(maneuver.bearing, Bearing::ReverseBank(_));
    let mark = Point::new(mark.x * side, if reverse { -mark.y } else { mark.y });
    let centre = Point::new(radius, half);
    let arm = mark - centre;
    // Angle around the circle from the template's start.
    let turned = libm::atan2(arm.y, -arm.x).to_degrees();
    if mark.y <= half && arm.y <= 0.0 {
        return (mark.x.abs(), mark.y + half);
    }
    if turned <= degrees {
        return ((arm.length() - radius).abs(), 2.0 * half + radius * turned.to_radians());
    }
    let (sin, cos) = angle::sin_cos(degrees);
    let end = centre + Point::new(-radius * cos, radius * sin);
    let beyond = mark - end;
    let along = beyond.dot(Point::new(sin, cos));
    let across = beyond.dot(Point::new(cos, -sin)).abs();
    (across, 2.0 * half + radius * degrees.to_radians() + along)
}

/// An arc of `from` that holds the nearest point of `to`.
fn arc_of_nearest(from: &Ship, to: &Ship) -> Option<Arc> {
    let nearest = measure::ship_distance(from, to);
    Arc::ALL.into_iter().find(|&arc| {
        let inside = measure::distance_in_arc(from.print(), from.pose, arc, &Object::Ship(to));
        inside.is_some_and(|inside| (inside - nearest).abs() < 1e-9)
    })
}

/// The closest points of two bases.
fn closest_pair(a: &Ship, b: &Ship) -> (Point, Point) {
    let (ours, theirs) = (base_corners(a.size, a.pose), base_corners(b.size, b.pose));
    let from = |corners: &[Point], border: &[Point]| {
        let pairs = corners.iter().flat_map(|&corner| {
            polygon::edges(border).map(move |(p, q)| (corner, polygon::nearest_on_segment(corner, p, q)))
        });
        let pairs: Vec<_> = pairs.collect();
        pairs
            .into_iter()
            .min_by(|a, b| a.0.distance(a.1).total_cmp(&b.0.distance(b.1)))
            .expect("a base has corners")
    };
    let (one, other) = (from(&ours, &theirs), from(&theirs, &ours));
    if one.0.distance(one.1) <= other.0.distance(other.1) {
        one
    } else {
        (other.1, other.0)
    }
}
