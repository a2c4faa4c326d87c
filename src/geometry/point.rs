//! A point or a displacement in the plane, in millimetres.

use std::ops::{Add, Mul, Neg, Sub};

/// A point, or the displacement between two. `x` grows to the east, `y` to the north; both in mm.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Point {
    /// East, mm.
    pub x: f64,
    /// North, mm.
    pub y: f64,
}

impl Point {
    /// The origin.
    pub const ZERO: Point = Point { x: 0.0, y: 0.0 };

    /// A point from its coordinates in mm.
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// Scalar product, mm².
    pub fn dot(self, other: Point) -> f64 {
        self.x * other.x + self.y * other.y
    }

    /// z-part of the cross product, mm²: positive when `other` lies to the left of `self`.
    pub fn cross(self, other: Point) -> f64 {
        self.x * other.y - self.y * other.x
    }

    /// Length, mm. Not `f64::hypot`, whose last bit differs between platforms.
    pub fn length(self) -> f64 {
        self.dot(self).sqrt()
    }

    /// Distance to another point, mm.
    pub fn distance(self, other: Point) -> f64 {
        (self - other).length()
    }

    /// Bearing of this displacement, degrees clockwise from north in `[0, 360)`.
    pub fn bearing(self) -> f64 {
        super::angle::normalize(libm::atan2(self.x, self.y).to_degrees())
    }
}

impl Add for Point {
    type Output = Point;
    fn add(self, other: Point) -> Point {
        Point::new(self.x + other.x, self.y + other.y)
    }
}

impl Sub for Point {
    type Output = Point;
    fn sub(self, other: Point) -> Point {
        Point::new(self.x - other.x, self.y - other.y)
    }
}

impl Mul<f64> for Point {
    type Output = Point;
    fn mul(self, factor: f64) -> Point {
        Point::new(self.x * factor, self.y * factor)
    }
}

impl Neg for Point {
    type Output = Point;
    fn neg(self) -> Point {
        Point::new(-self.x, -self.y)
    }
}
