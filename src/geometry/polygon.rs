//! Simple polygons, convex or not, by their corners. One corner is a mere point.

use std::{ops::Deref, sync::Arc};

use super::{Bounds, Point};

/// Anything that is given by its corners.
pub trait Area {
    /// Its corners in order around it.
    fn corners(&self) -> &[Point];

    /// The box around it.
    fn bounds(&self) -> Bounds {
        Bounds::of(self.corners())
    }
}

impl Area for [Point] {
    fn corners(&self) -> &[Point] {
        self
    }
}

impl<const N: usize> Area for [Point; N] {
    fn corners(&self) -> &[Point] {
        self
    }
}

impl Area for Vec<Point> {
    fn corners(&self) -> &[Point] {
        self
    }
}

/// A polygon that stays where it is and is looked at often: the box around it is known, and a copy costs nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct Polygon {
    corners: Arc<[Point]>,
    bounds: Bounds,
}

impl Polygon {
    /// The polygon with every corner somewhere else.
    #[must_use]
    pub fn map(&self, change: impl FnMut(Point) -> Point) -> Polygon {
        self.iter().copied().map(change).collect()
    }
}

impl Area for Polygon {
    fn corners(&self) -> &[Point] {
        &self.corners
    }

    fn bounds(&self) -> Bounds {
        self.bounds
    }
}

impl Deref for Polygon {
    type Target = [Point];

    fn deref(&self) -> &[Point] {
        &self.corners
    }
}

impl From<Vec<Point>> for Polygon {
    fn from(corners: Vec<Point>) -> Self {
        Polygon {
            bounds: Bounds::of(&corners),
            corners: corners.into(),
        }
    }
}

impl FromIterator<Point> for Polygon {
    fn from_iter<I: IntoIterator<Item = Point>>(corners: I) -> Self {
        corners.into_iter().collect::<Vec<_>>().into()
    }
}

/// An area that is compared with several others: the box around it is worked out once.
#[derive(Debug, Clone, Copy)]
pub struct Boxed<'a> {
    corners: &'a [Point],
    bounds: Bounds,
}

impl<'a> Boxed<'a> {
    /// The area with these corners.
    pub fn new(corners: &'a [Point]) -> Self {
        Boxed {
            corners,
            bounds: Bounds::of(corners),
        }
    }
}

impl Area for Boxed<'_> {
    fn corners(&self) -> &[Point] {
        self.corners
    }

    fn bounds(&self) -> Bounds {
        self.bounds
    }
}

/// The edges of a polygon; a mere point has one edge without length.
pub fn edges(corners: &[Point]) -> impl Iterator<Item = (Point, Point)> + '_ {
    let mut from = corners.last().copied().unwrap_or_default();
    corners.iter().map(move |&to| (std::mem::replace(&mut from, to), to))
}

/// Whether a point lies inside a polygon (even-odd; a point on the border may count either way).
pub fn contains(corners: &[Point], point: Point) -> bool {
    let mut inside = false;
    for (a, b) in edges(corners) {
        if (a.y > point.y) != (b.y > point.y) {
            let x = a.x + (b.x - a.x) * (point.y - a.y) / (b.y - a.y);
            if point.x < x {
                inside = !inside;
            }
        }
    }
    inside
}

/// Twice the signed area, mm²: positive for anticlockwise corners.
fn doubled_area(corners: &[Point]) -> f64 {
    let origin = corners.first().copied().unwrap_or_default();
    edges(corners).map(|(a, b)| (a - origin).cross(b - origin)).sum()
}

/// The centroid of the area; the mean of the corners where there is no area.
pub fn centroid(corners: &[Point]) -> Point {
    let Some(&origin) = corners.first() else {
        return Point::ZERO;
    };
    let doubled = doubled_area(corners);
    if doubled.abs() < 1e-9 {
        let sum = corners.iter().fold(Point::ZERO, |sum, &corner| sum + (corner - origin));
        return origin + sum * (1.0 / corners.len() as f64);
    }
    // Measured from the first corner, so that a far-away polygon loses no digits.
    let sum = edges(corners).fold(Point::ZERO, |sum, (a, b)| {
        let (a, b) = (a - origin, b - origin);
        sum + (a + b) * a.cross(b)
    });
    origin + sum * (1.0 / (3.0 * doubled))
}

/// The point of a segment that is nearest to a point.
pub fn nearest_on_segment(point: Point, a: Point, b: Point) -> Point {
    let along = b - a;
    let length_squared = along.dot(along);
    if length_squared == 0.0 {
        return a;
    }
    let share = ((point - a).dot(along) / length_squared).clamp(0.0, 1.0);
    a + along * share
}

/// Whether two segments meet, shared end points included.
pub fn segments_meet(a: Point, b: Point, c: Point, d: Point) -> bool {
    let (ab, cd) = (b - a, d - c);
    let (c_side, d_side) = (ab.cross(c - a), ab.cross(d - a));
    let (a_side, b_side) = (cd.cross(a - c), cd.cross(b - c));
    if (c_side > 0.0) != (d_side > 0.0) && (a_side > 0.0) != (b_side > 0.0) && c_side != d_side && a_side != b_side {
        return true;
    }
    let on = |p: Point, u: Point, v: Point, side: f64| side == 0.0 && (p - u).dot(p - v) <= 0.0;
    on(c, a, b, c_side) || on(d, a, b, d_side) || on(a, c, d, a_side) || on(b, c, d, b_side)
}

/// Whether two areas meet: their borders cross, or one lies in the other.
pub fn intersect(a: &(impl Area + ?Sized), b: &(impl Area + ?Sized)) -> bool {
    !a.bounds().is_apart_from(&b.bounds()) && have_common_points(a.corners(), b.corners())
}

fn have_common_points(a: &[Point], b: &[Point]) -> bool {
    edges(a).any(|(a0, a1)| edges(b).any(|(b0, b1)| segments_meet(a0, a1, b0, b1)))
        || a.first().is_some_and(|&corner| contains(b, corner))
        || b.first().is_some_and(|&corner| contains(a, corner))
}

/// Smallest distance between two areas, mm; 0 when they meet. Infinite when one is empty.
pub fn distance(a: &(impl Area + ?Sized), b: &(impl Area + ?Sized)) -> f64 {
    if intersect(a, b) {
        return 0.0;
    }
    borders_distance_squared(a, b, f64::INFINITY).sqrt()
}

/// Whether two areas are within a distance of each other, mm.
pub fn within(a: &(impl Area + ?Sized), b: &(impl Area + ?Sized), mm: f64) -> bool {
    // Boxes that are farther apart spare the measuring.
    let apart = a.bounds().distance_squared(&b.bounds()) > mm * mm;
    !apart && distance(a, b) <= mm
}

/// Whether two areas are at least so far from each other, mm. Boxes around them and their corners tell most of it.
pub fn are_apart(a: &(impl Area + ?Sized), b: &(impl Area + ?Sized), mm: f64) -> bool {
    let squared = mm * mm;
    if a.bounds().distance_squared(&b.bounds()) >= squared {
        return true;
    }
    let Some(corners) = corners_apart(a.corners(), b.corners(), squared) else {
        return false;
    };
    // What is so far from both ends of an edge is farther from all of it than half of the edge brings it nearer.
    let half_edge_squared = longest_edge_squared(a.corners()).max(longest_edge_squared(b.corners())) / 4.0;
    let far = corners - half_edge_squared >= squared || borders_distance_squared(a, b, squared) >= squared;
    far && !intersect(a, b)
}

/// Square of the smallest distance between corners of two areas; `None` where it is less than `least`.
fn corners_apart(a: &[Point], b: &[Point], least: f64) -> Option<f64> {
    let mut nearest = f64::INFINITY;
    for &one in a {
        for &other in b {
            let offset = one - other;
            nearest = nearest.min(offset.dot(offset));
        }
        if nearest < least {
            return None;
        }
    }
    Some(nearest)
}

fn longest_edge_squared(corners: &[Point]) -> f64 {
    let squares = edges(corners).map(|(a, b)| (b - a).dot(b - a));
    squares.fold(0.0, f64::max)
}

/// Square of the smallest distance between borders that do not cross, or `least` if that is less.
fn borders_distance_squared(a: &(impl Area + ?Sized), b: &(impl Area + ?Sized), least: f64) -> f64 {
    // They are nearest at a corner of one of them.
    let least = corner_distance_squared((a.corners(), a.bounds()), b.corners(), least);
    corner_distance_squared((b.corners(), b.bounds()), a.corners(), least)
}

/// Square of the smallest distance from the corners of one, in a box, to the border of the other; `least` if that is less.
fn corner_distance_squared((corners, bounds): (&[Point], Bounds), border: &[Point], mut least: f64) -> f64 {
    for (a, b) in edges(border) {
        // What is farther away than the nearest so far is not measured.
        if bounds.distance_squared(&Bounds::of_segment(a, b)) >= least {
            continue;
        }
        for &corner in corners {
            let offset = corner - nearest_on_segment(corner, a, b);
            least = least.min(offset.dot(offset));
        }
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Pose;

    fn polygon(corners: &[(f64, f64)]) -> Vec<Point> {
        corners.iter().map(|&(x, y)| Point::new(x, y)).collect()
    }

    #[test]
    fn concave_outlines_keep_their_notch() {
        // A U that opens to the north: its notch is not part of it.
        let cup = polygon(&[
            (0.0, 0.0),
            (30.0, 0.0),
            (30.0, 30.0),
            (20.0, 30.0),
            (20.0, 10.0),
            (10.0, 10.0),
            (10.0, 30.0),
            (0.0, 30.0),
        ]);
        let pin = polygon(&[(14.0, 15.0), (16.0, 15.0), (16.0, 40.0), (14.0, 40.0)]);
        assert!(!intersect(&cup, &pin));
        assert_eq!(distance(&cup, &pin), 4.0);
        assert_eq!(distance(&cup, &[Point::new(15.0, 13.0)]), 3.0);
        assert_eq!(distance(&cup, &[Point::new(15.0, 5.0)]), 0.0);
        assert_eq!(distance(&pin, &[Point::new(19.0, 44.0)]), 5.0);
    }

    #[test]
    fn centroid_is_that_of_the_area_in_either_winding() {
        let mut wedge = polygon(&[(600.0, 600.0), (630.0, 600.0), (600.0, 630.0), (600.0, 615.0)]);
        let middle = centroid(&wedge);
        assert!((middle.x - 610.0).abs() < 1e-9 && (middle.y - 610.0).abs() < 1e-9);
        wedge.reverse();
        assert!(centroid(&wedge).distance(middle) < 1e-9);
        assert_eq!(centroid(&[Point::new(3.0, 4.0)]), Point::new(3.0, 4.0));
    }

    #[test]
    fn areas_are_apart_by_their_distance_whatever_is_told_first() {
        let wedge = [(0.0, 0.0), (60.0, 5.0), (30.0, 12.0), (5.0, 50.0)].map(|(x, y)| Point::new(x, y));
        let hook = [
            (0.0, 0.0),
            (40.0, 0.0),
            (40.0, 40.0),
            (30.0, 40.0),
            (30.0, 10.0),
            (0.0, 10.0),
        ];
        let hook = polygon(&hook);
        for step in 0..360 {
            let pose = Pose::new(
                f64::from(step % 37) * 5.0 - 60.0,
                f64::from(step % 23) * 7.0 - 60.0,
                f64::from(step),
            );
            let turned: Polygon = hook.iter().map(|&corner| pose.to_table(corner)).collect();
            let exact = distance(&wedge, &turned);
            assert!((exact - distance(&turned, &wedge)).abs() < 1e-9, "{pose:?}");
            assert!(
                (exact - distance(&wedge[..], &turned.to_vec())).abs() < 1e-9,
                "{pose:?}"
            );
            let around = [exact - 1e-6, exact + 1e-6].map(|mm| mm.max(1e-9));
            for mm in [0.5, 10.0, 40.0].into_iter().chain(around) {
                let (apart, near) = (are_apart(&wedge, &turned, mm), within(&wedge, &turned, mm));
                assert_eq!((apart, near), (exact >= mm, exact <= mm), "{pose:?} {mm} {exact}");
            }
        }
    }
}
