//! Angles in degrees, clockwise positive.

/// Brings any angle into `[0, 360)`.
pub fn normalize(degrees: f64) -> f64 {
    // Sums and differences of headings lie in these; the remainder would give the same bits, but takes ten times as long.
    let wrapped = match degrees {
        0.0..360.0 => return degrees,
        360.0..720.0 => return degrees - 360.0,
        _ if -360.0 < degrees && degrees < 0.0 => degrees + 360.0,
        _ => degrees.rem_euclid(360.0),
    };
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_near_the_circle_wrap_to_the_bits_of_the_remainder() {
        let whole = |degrees: f64| {
            let wrapped = degrees.rem_euclid(360.0);
            if wrapped >= 360.0 { 0.0 } else { wrapped }
        };
        for start in [-720.0, -360.0, -0.0, 0.0, 90.0, 360.0, 720.0, 1080.0] {
            for step in [0.0, 1e-300, 1e-14, 1e-9, 0.1, 1.0 / 3.0, 45.0, 359.9] {
                for degrees in [start + step, start - step] {
                    assert_eq!(normalize(degrees).to_bits(), whole(degrees).to_bits(), "{degrees:?}");
                }
            }
        }
    }
}
