//! The rules of set-up (SA-13), checked with the geometry of another library: from poses and outlines alone, with none of the
//! functions that lay things down.

use geo::{Coord, Distance, Euclidean, Intersects, Line, LineString, Polygon};
use tallyho::{
    geometry::{Point, Pose},
    xwing::{
        scenario::setup::SetUp,
        ship::{Ship, Status},
    },
};

use super::{intro, wishes};

pub fn square(pose: Pose, side: f64) -> Polygon {
    let (sin, cos) = pose.heading.to_radians().sin_cos();
    let half = side / 2.0;
    let corner = |x: f64, y: f64| Coord {
        x: pose.position.x + x * cos + y * sin,
        y: pose.position.y - x * sin + y * cos,
    };
    let corners = [(-half, -half), (half, -half), (half, half), (-half, half)];
    Polygon::new(LineString(corners.map(|(x, y)| corner(x, y)).to_vec()), Vec::new())
}

pub fn polygon(outline: &[Point]) -> Polygon {
    Polygon::new(outline.iter().map(|point| (point.x, point.y)).collect(), Vec::new())
}

pub fn base_mm(ship: &Ship) -> f64 {
    use tallyho::xwing::size::Size;
    match ship.size {
        Size::Small => 40.0,
        Size::Medium => 60.0,
        Size::Large => 80.0,
        Size::Huge | Size::ShuttleToken => panic!("no such ship takes part"),
    }
}

/// Smallest distance of any corner from any edge of the 914.4 mm square.
fn from_edges(shape: &Polygon) -> f64 {
    let coordinates = shape.exterior().coords().flat_map(|corner| [corner.x, corner.y]);
    coordinates
        .map(|value| value.min(914.4 - value))
        .fold(f64::INFINITY, f64::min)
}

/// Whether a ray out of a marker's front (0), right (90) or left (-90) side meets the shape; one every millimetre.
fn side_points_at(marker: Pose, size: f64, turn: f64, shape: &Polygon) -> bool {
    let (sin, cos) = (marker.heading + turn).to_radians().sin_cos();
    (0..=size as i32).any(|step| {
        let across = f64::from(step) - size / 2.0;
        let at = |out: f64| Coord {
            x: marker.position.x + across * cos + out * sin,
            y: marker.position.y - across * sin + out * cos,
        };
        Line::new(at(size / 2.0), at(2000.0)).intersects(shape)
    })
}

/// What breaks a rule, exactly.
pub fn broken_rules(set_up: &SetUp) -> Vec<String> {
    broken_rules_within(set_up, 1e-6)
}

/// What breaks a rule on a table that lays things down so exactly, mm and degrees.
pub fn broken_rules_within(set_up: &SetUp, tolerance: f64) -> Vec<String> {
    let mut broken = Vec::new();
    let mut rule = |holds: bool, text: String| {
        if !holds {
            broken.push(text);
        }
    };
    let table = &set_up.table;
    rule(
        (table.area.width - 914.4).abs() < tolerance && (table.area.height - 914.4).abs() < tolerance,
        "the area is 3 x 3 feet".into(),
    );
    rule(set_up.markers.len() == 2, "there are two markers".into());
    let markers: Vec<Polygon> = set_up
        .markers
        .iter()
        .map(|marker| square(marker.pose, marker.size_mm))
        .collect();
    let apart = Euclidean.distance(&markers[0], &markers[1]);
    rule(
        apart > 200.0 && apart <= 300.0,
        format!("markers are at range 3 of each other: {apart}"),
    );
    for (index, marker) in set_up.markers.iter().enumerate() {
        let edges = from_edges(&markers[index]);
        rule(
            edges > 300.0,
            format!("{} is beyond range 3 of edges: {edges}", marker.id),
        );
        rule(
            marker.pose.heading == 180.0,
            format!("{} faces the player edge", marker.id),
        );
        for turn in [0.0, 90.0, -90.0] {
            let at = side_points_at(marker.pose, marker.size_mm, turn, &markers[1 - index]);
            rule(
                !at,
                format!("no side of {} points at the other marker ({turn})", marker.id),
            );
        }
    }
    rule(table.obstacles.len() == 6, "there are six obstacles".into());
    let obstacles: Vec<Polygon> = table
        .obstacles
        .iter()
        .map(|obstacle| polygon(&obstacle.outline))
        .collect();
    for (index, obstacle) in obstacles.iter().enumerate() {
        let edges = from_edges(obstacle);
        rule(
            edges > 200.0,
            format!("obstacle {index} is beyond range 2 of edges: {edges}"),
        );
        for other in &obstacles[index + 1..] {
            let apart = Euclidean.distance(obstacle, other);
            rule(
                apart > 100.0,
                format!("obstacles are beyond range 1 of each other: {apart}"),
            );
        }
        for (marker, shape) in set_up.markers.iter().zip(&markers) {
            let apart = Euclidean.distance(obstacle, shape);
            rule(
                apart > 100.0,
                format!("obstacle {index} is beyond range 1 of {}: {apart}", marker.id),
            );
            for turn in [0.0, 90.0, -90.0] {
                let at = side_points_at(marker.pose, marker.size_mm, turn, obstacle);
                rule(
                    !at,
                    format!("no side of {} points at obstacle {index} ({turn})", marker.id),
                );
            }
        }
    }
    let ships: Vec<&Ship> = table
        .ships
        .iter()
        .filter(|ship| ship.status == Status::InPlay)
        .collect();
    let bases: Vec<Polygon> = ships.iter().map(|ship| square(ship.pose, base_mm(ship))).collect();
    for (ship, base) in ships.iter().zip(&bases) {
        let name = &ship.id;
        rule(from_edges(base) >= 0.0, format!("{name} is on the table"));
        if ship.id.starts_with("player-") {
            let top = base.exterior().coords().map(|corner| corner.y).fold(0.0, f64::max);
            rule(
                top <= 100.0,
                format!("{name} is within range 1 of the player edge: {top}"),
            );
            rule(
                ship.pose.heading.abs() < tolerance,
                format!("{name} flies away from its edge"),
            );
        } else if ship.id.starts_with("patrol-") || ship.id.starts_with("reinforcement-") {
            rule(
                stands_against(ship, set_up, tolerance),
                format!("{name} stands against a deployment side"),
            );
        }
        for (other, shape) in ships.iter().zip(&bases).filter(|(other, _)| other.id > ship.id) {
            // Bases that only touch are no overlap.
            let smaller = square(other.pose, base_mm(other) - 0.001 - 2.0 * tolerance);
            rule(
                !base.intersects(&smaller),
                format!("{name} and {} do not overlap: {shape:?}", other.id),
            );
        }
        for obstacle in &obstacles {
            rule(!base.intersects(obstacle), format!("{name} stands on no obstacle"));
        }
    }
    broken
}

/// Whether its rear edge lies along a front, left or right side of a marker, middle on middle, its nose pointing away.
fn stands_against(ship: &Ship, set_up: &SetUp, tolerance: f64) -> bool {
    set_up.markers.iter().any(|marker| {
        [0.0, 90.0, -90.0].into_iter().any(|turn: f64| {
            let heading = (marker.pose.heading + turn).rem_euclid(360.0);
            let out = (marker.size_mm + base_mm(ship)) / 2.0;
            let (sin, cos) = heading.to_radians().sin_cos();
            let (x, y) = (marker.pose.position.x + out * sin, marker.pose.position.y + out * cos);
            let off = (ship.pose.position.x - x).hypot(ship.pose.position.y - y);
            off < tolerance && (ship.pose.heading - heading).abs() < tolerance
        })
    })
}

#[test]
fn the_checker_finds_what_is_wrong() {
    let (_, good) = intro(&wishes("rebelalliance", "galacticempire"), 3);
    assert_eq!(broken_rules(&good), Vec::<String>::new());
    let mut bad = Vec::new();
    let mut with = |change: &dyn Fn(&mut SetUp)| {
        let mut set_up = good.clone();
        change(&mut set_up);
        bad.push(!broken_rules(&set_up).is_empty());
    };
    with(&|set_up| set_up.markers[0].pose.position.x = 300.0);
    with(&|set_up| set_up.markers[0].pose.heading = 90.0);
    with(&|set_up| {
        let outline = &mut set_up.table.obstacles[0].outline;
        *outline = outline.map(|point| point - Point::new(400.0, 0.0));
    });
    with(&|set_up| {
        let front = set_up.markers[0].pose.position - set_up.table.obstacles[1].outline[0];
        let outline = &mut set_up.table.obstacles[1].outline;
        *outline = outline.map(|point| point + front + Point::new(0.0, -150.0));
    });
    with(&|set_up| {
        set_up
            .table
            .ships
            .iter_mut()
            .for_each(|ship| ship.pose.position.y += 61.0)
    });
    with(&|set_up| set_up.table.ships[0].pose.heading += 1.0);
    assert_eq!(bad, [true; 6]);
}
