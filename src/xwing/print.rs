//! What is printed on a ship's base: the lines of its arcs.

use super::{edition::Edition, ship::Ship, size::Size};

/// The print of a base: its size, and the edition whose arc lines it bears (SA-0, FE-0.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Print {
    /// Which edition printed it.
    pub edition: Edition,
    /// The size of the base.
    pub size: Size,
}

impl Print {
    /// A base of the second edition.
    pub const fn second(size: Size) -> Self {
        Self {
            edition: Edition::Second,
            size,
        }
    }

    /// A base of the first edition.
    pub const fn first(size: Size) -> Self {
        Self {
            edition: Edition::First,
            size,
        }
    }

    /// Half-angle of the front arc, degrees, from the centre of the base (SA-0, FE-0.4). Huge bases are given the large
    /// one's, and a medium one, which the first edition has not, the second edition's.
    pub const fn front_half_angle(self) -> f64 {
        match (self.edition, self.size.in_effects()) {
            (Edition::Second, Size::Small) => 40.62,
            (Edition::First | Edition::Second, Size::Medium) => 41.40,
            (Edition::Second, Size::Large | Size::Huge | Size::ShuttleToken) => 41.76,
            (Edition::First, Size::Small) => 40.45,
            (Edition::First, Size::Large | Size::Huge | Size::ShuttleToken) => 42.03,
        }
    }
}

impl Ship {
    /// What is printed on its base.
    pub const fn print(&self) -> Print {
        Print {
            edition: self.edition,
            size: self.size,
        }
    }
}
