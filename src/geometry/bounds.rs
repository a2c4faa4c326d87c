//! Boxes along the axes of the table around areas: cheap first answers.

use super::Point;

/// The box along the axes around some points; around none it is empty and infinitely far from everything.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// The lowest coordinates, mm.
    pub low: Point,
    /// The highest coordinates, mm.
    pub high: Point,
}

impl Bounds {
    /// The box around points.
    pub fn of(points: &[Point]) -> Self {
        let nothing = Bounds {
            low: Point::new(f64::INFINITY, f64::INFINITY),
            high: Point::new(f64::NEG_INFINITY, f64::NEG_INFINITY),
        };
        points.iter().fold(nothing, |Bounds { low, high }, point| Bounds {
            low: Point::new(low.x.min(point.x), low.y.min(point.y)),
            high: Point::new(high.x.max(point.x), high.y.max(point.y)),
        })
    }

    /// The box around a segment.
    pub fn of_segment(a: Point, b: Point) -> Self {
        Bounds {
            low: Point::new(a.x.min(b.x), a.y.min(b.y)),
            high: Point::new(a.x.max(b.x), a.y.max(b.y)),
        }
    }

    /// Whether two boxes have no point in common.
    pub fn is_apart_from(&self, other: &Bounds) -> bool {
        self.low.x > other.high.x || other.low.x > self.high.x || self.low.y > other.high.y || other.low.y > self.high.y
    }

    /// The displacement from one box to the other along the shortest way, mm; zero along an axis on which they meet.
    fn gap(&self, other: &Bounds) -> Point {
        let gap =
            |low: f64, high: f64, other_low: f64, other_high: f64| (other_low - high).max(low - other_high).max(0.0);
        Point::new(
            gap(self.low.x, self.high.x, other.low.x, other.high.x),
            gap(self.low.y, self.high.y, other.low.y, other.high.y),
        )
    }

    /// Square of the smallest distance between two boxes, mm²; 0 when they meet. What they hold is not nearer.
    pub fn distance_squared(&self, other: &Bounds) -> f64 {
        let gap = self.gap(other);
        gap.dot(gap)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_as_far_apart_as_their_nearest_points() {
        let unit = Bounds::of(&[Point::new(1.0, 0.0), Point::new(0.0, 1.0)]);
        for (x, y, squared) in [(3.0, 0.5, 4.0), (-3.0, 5.0, 25.0), (0.5, -1.0, 1.0), (1.0, 1.0, 0.0)] {
            let other = Bounds::of(&[Point::new(x, y)]);
            assert_eq!(unit.distance_squared(&other), squared, "{x} {y}");
            assert_eq!(other.distance_squared(&unit), squared, "{x} {y}");
            assert_eq!(unit.is_apart_from(&other), squared > 0.0, "{x} {y}");
        }
        let nothing = Bounds::of(&[]);
        assert!(unit.is_apart_from(&nothing) && unit.distance_squared(&nothing) == f64::INFINITY);
    }
}
