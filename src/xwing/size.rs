//! Base sizes and what follows from them.

use serde::{Deserialize, Serialize};

/// The size of a ship's base (SA-0, FE-0.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Size {
    /// 40 mm square.
    Small,
    /// 60 mm square.
    Medium,
    /// 80 mm square.
    Large,
    /// 80 mm wide and about 195 to 225 mm long; flown by hand, only measured here.
    Huge,
    /// The token of a shuttle that a mission brings (PE-1.1): large in every effect, with a footprint of its own.
    #[serde(rename = "shuttle_token")]
    ShuttleToken,
}

impl Size {
    /// Side of the square base, mm (huge: the width).
    pub const fn base_mm(self) -> f64 {
        match self {
            Size::Small => 40.0,
            Size::Medium => 60.0,
            Size::Large | Size::Huge => 80.0,
            Size::ShuttleToken => 45.0,
        }
    }

    /// The size that it counts as in every effect.
    pub const fn in_effects(self) -> Size {
        match self {
            Size::ShuttleToken => Size::Large,
            other => other,
        }
    }

    /// Length of the base along its heading, mm: square bases but for huge ones, of which this is the second edition's.
    pub const fn length_mm(self) -> f64 {
        match self {
            Size::Huge => 205.0,
            Size::ShuttleToken => 67.0,
            square => square.base_mm(),
        }
    }
}
