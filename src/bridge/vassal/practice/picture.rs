//! Pictures of boards and pieces, drawn from plain shapes.

use std::io;

/// Red, green, blue, opacity.
pub type Colour = [u8; 4];

/// Nothing.
const CLEAR: Colour = [0, 0, 0, 0];
const LINE: Colour = [20, 20, 24, 255];
const WHITE: Colour = [245, 245, 240, 255];

/// A picture as PNG, from the colour of each point; the centre of the first pixel is (0.5, 0.5).
///
/// # Errors
/// When the picture cannot be encoded.
pub fn draw(wide: u32, high: u32, colour: impl Fn(f64, f64) -> Colour) -> io::Result<Vec<u8>> {
    let mut pixels = Vec::with_capacity(wide as usize * high as usize * 4);
    for row in 0..high {
        for column in 0..wide {
            pixels.extend(colour(f64::from(column) + 0.5, f64::from(row) + 0.5));
        }
    }
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, wide, high);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().map_err(io::Error::other)?;
    writer.write_image_data(&pixels).map_err(io::Error::other)?;
    writer.finish().map_err(io::Error::other)?;
    Ok(bytes)
}

/// A figure from above: a disc with a line from its centre to the front, which is up.
///
/// # Errors
/// When the picture cannot be encoded.
pub fn disc(size: u32, colour: Colour) -> io::Result<Vec<u8>> {
    let middle = f64::from(size) / 2.0;
    draw(size, size, |x, y| {
        let (east, south) = (x - middle, y - middle);
        let from_middle = east.hypot(south);
        if from_middle > middle - 1.0 {
            CLEAR
        } else if from_middle > middle - 3.5 {
            LINE
        } else if east.abs() < 2.0 && south < 0.0 {
            WHITE
        } else {
            colour
        }
    })
}

/// A ship from above: its square base with the front arc and a pointed hull, the front up.
///
/// # Errors
/// When the picture cannot be encoded.
pub fn base(size: u32, colour: Colour) -> io::Result<Vec<u8>> {
    let middle = f64::from(size) / 2.0;
    draw(size, size, |x, y| {
        let (east, north) = (x - middle, middle - y);
        let edge = middle - east.abs().max(north.abs());
        // The sides of an arc of 80 degrees and a bit.
        let arc = (east.abs() - north.max(0.0) * 0.86).abs() < 1.5 && north > 0.0;
        let hull = east.abs() < (middle * 0.75 - north) * 0.35 && north > -middle * 0.6;
        if edge < 2.0 || arc {
            LINE
        } else if hull {
            colour
        } else {
            [60, 64, 72, 255]
        }
    })
}

/// A rock.
///
/// # Errors
/// When the picture cannot be encoded.
pub fn rock(size: u32) -> io::Result<Vec<u8>> {
    let middle = f64::from(size) / 2.0;
    draw(size, size, |x, y| {
        let (east, south) = (x - middle, y - middle);
        let radius = middle * (0.85 + 0.1 * (3.0 * libm::atan2(south, east)).sin());
        if east.hypot(south) < radius {
            [120, 108, 96, 255]
        } else {
            CLEAR
        }
    })
}

/// What marks a piece that has moved: a small triangle.
///
/// # Errors
/// When the picture cannot be encoded.
pub fn moved() -> io::Result<Vec<u8>> {
    draw(12, 12, |x, y| match (x - 6.0).abs() < y / 2.0 {
        true => [230, 180, 40, 255],
        false => CLEAR,
    })
}

/// A board of squares, each in its colour, with lines between them.
///
/// # Errors
/// When the picture cannot be encoded.
pub fn squares(columns: u32, rows: u32, square: u32, colour: impl Fn(u32, u32) -> Colour) -> io::Result<Vec<u8>> {
    draw(columns * square, rows * square, |x, y| {
        let (x, y) = (x as u32, y as u32);
        match x.is_multiple_of(square) || y.is_multiple_of(square) {
            true => [150, 150, 145, 255],
            false => colour(x / square, y / square),
        }
    })
}

/// A board of one colour with a thin frame.
///
/// # Errors
/// When the picture cannot be encoded.
pub fn plain(wide: u32, high: u32, colour: Colour) -> io::Result<Vec<u8>> {
    let (east, south) = (f64::from(wide) - 2.0, f64::from(high) - 2.0);
    draw(wide, high, |x, y| match x < 2.0 || y < 2.0 || x > east || y > south {
        true => WHITE,
        false => colour,
    })
}
