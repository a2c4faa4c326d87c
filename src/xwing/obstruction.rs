//! Obstruction: what lies on the line of an attack.
//!
//! The line runs from the closest point of the attacker's base to the closest point of the defender within the arc, and
//! has no width. Where several lines are equally short, the attacker chooses: the one with the fewest obstacles.

use super::{
    ObjectId,
    arc::Arc,
    measure::{Base, Object, is_under_base, parts_in_piece},
    ship::Ship,
    size::Size,
    table::Table,
};
use crate::geometry::{Bounds, Point, polygon};

/// Lines whose lengths differ by less are equally short, mm.
const TIE_MM: f64 = 1e-6;

/// Whether the attack from one ship on another in an arc is obstructed. False when the target is not in the arc.
pub fn obstructed(table: &Table, from: &Ship, to: &Ship, arc: Arc) -> bool {
    !obstructing(table, from, to, arc).is_empty()
}

/// The ids of the obstacles (and huge ships) on the line of the attack from one ship on another in an arc, in id order.
pub fn obstructing(table: &Table, from: &Ship, to: &Ship, arc: Arc) -> Vec<ObjectId> {
    let blockers = blockers(table, from, to);
    if blockers.is_empty() {
        return Vec::new();
    }
    let lines = closest_lines(from, to, arc);
    let best = candidates(&lines, &blockers)
        .into_iter()
        .map(|(start, end)| {
            let met = blockers.iter().filter(|(_, corners)| line_meets(start, end, corners));
            met.map(|(id, _)| (*id).clone()).collect::<Vec<_>>()
        })
        .min_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
    best.unwrap_or_default()
}

/// What can lie in the way, seen from the attacker, in id order. Ships do not obstruct, but huge ones do.
fn blockers<'t>(table: &'t Table, from: &Ship, to: &Ship) -> Vec<(&'t ObjectId, Vec<Point>)> {
    let huge = table
        .ships_in_play()
        .filter(|ship| ship.size == Size::Huge && ship.id != from.id && ship.id != to.id)
        .map(Object::Ship);
    let objects = table.obstacles.iter().map(Object::Obstacle).chain(huge);
    // Nothing outside the box around both ships can be between them.
    let reach =
        Point::new(1.0, 1.0) * (from.size.length_mm().max(to.size.length_mm()) * std::f64::consts::FRAC_1_SQRT_2);
    let (a, b) = (from.pose.position, to.pose.position);
    let between = Bounds::of(&[a - reach, a + reach, b - reach, b + reach]);
    let frame = from.pose.frame();
    let mut found: Vec<_> = objects
        .filter(|object| !between.is_apart_from(&object.bounds()))
        .map(|object| (object.id(), object.corners_seen_from(&frame).to_vec()))
        .collect();
    found.sort_by(|a, b| a.0.cmp(b.0));
    found
}

/// All shortest lines from the attacker's base to the target in the arc, seen from the attacker. Of a continuum of
/// parallel ones the outermost are among them.
fn closest_lines(from: &Ship, to: &Ship, arc: Arc) -> Vec<(Point, Point)> {
    let corners = Object::Ship(to).corners_seen_from(&from.pose.frame());
    if is_under_base(from.size, &corners) {
        return Vec::new();
    }
    let base = Base::of(from.size);
    let mut lines: Vec<(f64, Point, Point)> = Vec::new();
    for piece in arc.pieces_outside_base(from.print()).iter() {
        parts_in_piece(piece, &corners, |a, b| {
            for end in [a, b] {
                let start = base.nearest(end);
                lines.push((start.distance(end), start, end));
            }
            for start in base.corners() {
                let end = polygon::nearest_on_segment(start, a, b);
                lines.push((start.distance(end), start, end));
            }
        });
    }
    let least = lines.iter().map(|line| line.0).fold(f64::INFINITY, f64::min);
    lines.retain(|line| line.0 <= least + TIE_MM);
    lines.into_iter().map(|(_, start, end)| (start, end)).collect()
}

/// The lines worth trying: the shortest ones, and between any two parallel ones a line in each gap between corners of
/// the blockers, for what is in the way changes only there.
fn candidates(lines: &[(Point, Point)], blockers: &[(&ObjectId, Vec<Point>)]) -> Vec<(Point, Point)> {
    let Some(&first) = lines.first() else {
        return Vec::new();
    };
    // The two outermost of the lines parallel to the first.
    let parallel = |line: &&(Point, Point)| (line.1 - line.0).distance(first.1 - first.0) <= 1e-3;
    let far_from = |origin: Point| {
        let by_distance =
            |a: &&(Point, Point), b: &&(Point, Point)| origin.distance(a.0).total_cmp(&origin.distance(b.0));
        lines
            .iter()
            .filter(parallel)
            .max_by(by_distance)
            .copied()
            .unwrap_or(first)
    };
    let left = far_from(first.0);
    let right = far_from(left.0);
    let width = left.0.distance(right.0);
    if width <= 1e-3 {
        return lines.to_vec();
    }
    let across = (right.0 - left.0) * (1.0 / width);
    let mut stops = vec![0.0, width];
    for (_, corners) in blockers {
        for (a, b) in polygon::edges(corners) {
            stops.push((b - left.0).dot(across));
            for (p, q) in [(left.0, right.0), (left.1, right.1)] {
                if let Some(crossing) = crossing(a, b, p, q) {
                    stops.push((crossing - left.0).dot(across));
                }
            }
        }
    }
    stops.retain(|&stop| (0.0..=width).contains(&stop));
    stops.sort_by(f64::total_cmp);
    let between = stops.windows(2).filter(|pair| pair[1] - pair[0] > 1e-6).map(|pair| {
        let share = (pair[0] + pair[1]) / 2.0 / width;
        (left.0 + (right.0 - left.0) * share, left.1 + (right.1 - left.1) * share)
    });
    let others = lines.iter().filter(|line| !parallel(line)).copied();
    between.chain(others).collect()
}

/// Where the segment from `a` to `b` crosses that from `p` to `q`, if it does.
fn crossing(a: Point, b: Point, p: Point, q: Point) -> Option<Point> {
    if !polygon::segments_meet(a, b, p, q) {
        return None;
    }
    let (along, other) = (b - a, q - p);
    let determinant = along.cross(other);
    (determinant != 0.0).then(|| a + along * ((p - a).cross(other) / determinant))
}

/// Whether a line meets an area.
fn line_meets(start: Point, end: Point, corners: &[Point]) -> bool {
    polygon::contains(corners, start) || polygon::edges(corners).any(|(a, b)| polygon::segments_meet(start, end, a, b))
}
