//! Simple polygons, convex or not, as slices of corners. A slice of one corner is a mere point.

use super::Point;

/// The edges of a polygon; a mere point has one edge without length.
pub fn edges(corners: &[Point]) -> impl Iterator<Item = (Point, Point)> + '_ {
    let previous = corners.iter().cycle().skip(corners.len().saturating_sub(1));
    previous.copied().zip(corners.iter().copied())
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
pub fn intersect(a: &[Point], b: &[Point]) -> bool {
    if boxes_apart(a, b) {
        return false;
    }
    edges(a).any(|(a0, a1)| edges(b).any(|(b0, b1)| segments_meet(a0, a1, b0, b1)))
        || a.first().is_some_and(|&corner| contains(b, corner))
        || b.first().is_some_and(|&corner| contains(a, corner))
}

/// Smallest distance between two areas, mm; 0 when they meet. Infinite when one is empty.
pub fn distance(a: &[Point], b: &[Point]) -> f64 {
    if intersect(a, b) {
        return 0.0;
    }
    // Borders that do not cross are nearest at a corner of one of them.
    corner_distance_squared(a, b).min(corner_distance_squared(b, a)).sqrt()
}

/// Whether two areas are within a distance of each other, mm.
pub fn within(a: &[Point], b: &[Point], mm: f64) -> bool {
    let ((a_low, a_high), (b_low, b_high)) = (bounding_box(a), bounding_box(b));
    let gap = |low: f64, high: f64| low - high > mm;
    // Boxes that are farther apart spare the measuring.
    let apart = gap(a_low.x, b_high.x) || gap(b_low.x, a_high.x) || gap(a_low.y, b_high.y) || gap(b_low.y, a_high.y);
    !apart && distance(a, b) <= mm
}

/// Square of the smallest distance from the corners of one to the border of the other.
fn corner_distance_squared(corners: &[Point], border: &[Point]) -> f64 {
    let mut least = f64::INFINITY;
    for (a, b) in edges(border) {
        for &corner in corners {
            let offset = corner - nearest_on_segment(corner, a, b);
            least = least.min(offset.dot(offset));
        }
    }
    least
}

/// Whether the boxes around two polygons are apart: a cheap first no.
fn boxes_apart(a: &[Point], b: &[Point]) -> bool {
    let (a_low, a_high) = bounding_box(a);
    let (b_low, b_high) = bounding_box(b);
    a_low.x > b_high.x || b_low.x > a_high.x || a_low.y > b_high.y || b_low.y > a_high.y
}

/// The lowest and highest coordinates.
pub fn bounding_box(corners: &[Point]) -> (Point, Point) {
    let start = (
        Point::new(f64::INFINITY, f64::INFINITY),
        Point::new(f64::NEG_INFINITY, f64::NEG_INFINITY),
    );
    corners.iter().fold(start, |(low, high), corner| {
        (
            Point::new(low.x.min(corner.x), low.y.min(corner.y)),
            Point::new(high.x.max(corner.x), high.y.max(corner.y)),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
