//! The plastic a ship stands on: its base and its guides.

use super::size::Size;
use crate::geometry::{Frame, Point, Pose, Rectangle};

/// Size of a guide, mm: across the ship and out of the base.
const GUIDE_WIDTH_MM: f64 = 3.5;
const GUIDE_LENGTH_MM: f64 = 1.7;
/// Distance of a guide's middle from the ship's centre line, mm, on every size.
const GUIDE_OFFSET_MM: f64 = 11.8;
/// The side of the centre line and the end of the base that each guide is at.
const GUIDES: [(f64, f64); 4] = [(-1.0, 1.0), (1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)];

/// The base of a ship of that size at that pose.
pub fn base(size: Size, pose: Pose) -> Rectangle {
    Rectangle::at(pose, size.base_mm(), size.length_mm())
}

/// Radius of the circle around a base of that size, mm.
pub(super) fn circumradius(size: Size) -> f64 {
    let (width, length) = (size.base_mm(), size.length_mm());
    (width * width + length * length).sqrt() / 2.0
}

/// What of a ship counts for overlap: the base, and its four guides where the option asks for them (SA-0).
#[derive(Debug, Clone, Copy)]
pub struct Footprint {
    base: Rectangle,
    guides: bool,
}

impl Footprint {
    /// The footprint of a ship of that size at that pose.
    pub fn new(size: Size, pose: Pose, guides: bool) -> Self {
        Self::in_frame(size, &pose.frame(), guides)
    }

    /// The footprint of a ship of that size in the middle of a frame.
    pub(super) fn in_frame(size: Size, frame: &Frame, guides: bool) -> Self {
        let base = Rectangle::in_frame(frame, size.base_mm(), size.length_mm());
        Self { base, guides }
    }

    /// The base alone.
    pub fn base(&self) -> &Rectangle {
        &self.base
    }

    /// The guides that count.
    fn guides(&self) -> impl Iterator<Item = Rectangle> + '_ {
        let all: &[(f64, f64)] = if self.guides { &GUIDES } else { &[] };
        all.iter().map(|(side, end)| {
            let base = &self.base;
            let frame = Frame::new(base.centre, base.forward);
            let out = base.half_length + GUIDE_LENGTH_MM / 2.0;
            Rectangle {
                centre: frame.to_table(Point::new(side * GUIDE_OFFSET_MM, end * out)),
                forward: base.forward,
                half_width: GUIDE_WIDTH_MM / 2.0,
                half_length: GUIDE_LENGTH_MM / 2.0,
            }
        })
    }

    /// How deep two ships lie in each other, mm: the depth of their deepest pair of parts, so that no shorter shift parts
    /// them. Zero or negative when they are apart.
    pub fn penetration(&self, other: &Footprint) -> f64 {
        let mut depth = self.base.penetration(&other.base);
        for mine in self.guides() {
            depth = depth.max(mine.penetration(&other.base));
        }
        for theirs in other.guides() {
            depth = depth.max(self.base.penetration(&theirs));
            for mine in self.guides() {
                depth = depth.max(mine.penetration(&theirs));
            }
        }
        depth
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guides_reach_past_the_front_edge_only_where_they_are() {
        let still = |guides| Footprint::new(Size::Small, Pose::new(0.0, 0.0, 0.0), guides);
        let ahead = |x, guides| Footprint::new(Size::Small, Pose::new(x, 41.0, 180.0), guides);
        assert!((still(false).penetration(&ahead(0.0, false)) + 1.0).abs() < 1e-9);
        // A gap of 1 mm is less than the 1.7 mm that a guide reaches out; two that face each other share 1 mm.
        assert!((still(true).penetration(&ahead(0.0, true)) - 1.0).abs() < 1e-9);
        assert!((still(true).penetration(&ahead(5.0, true)) - 0.7).abs() < 1e-9);
        // Beside the other base there is nothing for them to meet.
        assert!(still(true).penetration(&ahead(60.0, true)) < 0.0);
    }
}
