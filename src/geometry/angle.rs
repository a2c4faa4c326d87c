//! Angles in degrees, clockwise positive.

/// Brings any angle into `[0, 360)`.
pub fn normalize(degrees: f64) -> f64 {
    let wrapped = degrees.rem_euclid(360.0);
    // `rem_euclid` of a tiny negative number rounds up to 360 itself.
    if wrapped >= 360.0 { 0.0 } else { wrapped }
}

/// Brings any angle into `(-180, 180]`: the signed turn, right positive.
pub fn signed(degrees: f64) -> f64 {
    let wrapped = normalize(degrees);
    if wrapped > 180.0 { wrapped - 360.0 } else { wrapped }
}

/// Sine and cosine of an angle in degrees, exact at multiples of 90.
///
/// Exact quarter turns keep a mirrored or rotated table's answer free of rounding noise.
pub fn sin_cos(degrees: f64) -> (f64, f64) {
    match normalize(degrees) {
        0.0 => (0.0, 1.0),
        90.0 => (1.0, 0.0),
        180.0 => (0.0, -1.0),
        270.0 => (-1.0, 0.0),
        other => libm::sincos(other.to_radians()),
    }
}
