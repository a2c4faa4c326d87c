//! Line of sight (SWM 1.4), exact: whether some straight line between two spaces neither crosses nor touches a wall.
//!
//! Lines that are clear form an open set, so only lines between inner points matter. Seen in coordinates where the other
//! square lies to the east and north of the first, no steeper than 45 degrees, a line is `y = m x + c`. For a fixed slope
//! `m` each square lets through an open interval of `c`, and each wall shuts a closed one. How these lie among each other
//! changes only at slopes that join two lattice points; it is enough to look at one slope between each two of those. With
//! such a slope as a fraction all bounds are whole multiples of the same unit, so that the rest is counting.

use std::sync::OnceLock;

use super::{
    map::Map,
    square::{Space, Square},
};

/// The map as one square sees another: mirrored and turned so that the other lies to the east and north, not steeper than
/// 45 degrees.
struct View<'m> {
    map: &'m Map,
    from: Square,
    east: i16,
    south: i16,
    turned: bool,
    /// Columns and rows to the other square, `wide` at least `high`, both at least 0.
    wide: i16,
    high: i16,
}

impl<'m> View<'m> {
    fn new(map: &'m Map, from: Square, to: Square) -> Self {
        let across = i16::from(to.column) - i16::from(from.column);
        let down = i16::from(to.row) - i16::from(from.row);
        let sign = |value: i16| if value < 0 { -1 } else { 1 };
        let turned = across.abs() < down.abs();
        let (wide, high) = if turned {
            (down.abs(), across.abs())
        } else {
            (across.abs(), down.abs())
        };
        View {
            map,
            from,
            east: sign(across),
            south: sign(down),
            turned,
            wide,
            high,
        }
    }

    /// The square of the map at a column and row of the view.
    fn square(&self, column: i16, row: i16) -> Square {
        let (across, down) = if self.turned { (row, column) } else { (column, row) };
        let place = |at: u8, by: i16| (i16::from(at) + by) as u8;
        Square::new(
            place(self.from.column, self.east * across),
            place(self.from.row, self.south * down),
        )
    }

    fn is_shut(&self, column: i16, row: i16) -> bool {
        self.map.is_shut(self.square(column, row))
    }

    /// Whether the edge between two neighbouring squares of the view is shut.
    fn is_edge_shut(&self, a: (i16, i16), b: (i16, i16)) -> bool {
        let (a, b) = (self.square(a.0, a.1), self.square(b.0, b.1));
        let first = a.min(b);
        if a.row == b.row {
            self.map.is_east_shut(first)
        } else {
            self.map.is_south_shut(first)
        }
    }
}

/// Unit intervals of `c` that are shut, from a first one on.
struct Shut {
    first: i32,
    count: i32,
    bits: Vec<u64>,
}

impl Shut {
    fn begin(&mut self, low: i32, high: i32) {
        self.first = low;
        self.count = (high - low).max(0);
        self.bits.clear();
        self.bits.resize((self.count as usize).div_ceil(64), 0);
    }

    fn shut(&mut self, low: i32, high: i32) {
        let low = (low - self.first).max(0);
        let high = (high - self.first).min(self.count);
        for unit in low..high {
            self.bits[unit as usize / 64] |= 1 << (unit as usize % 64);
        }
    }

    fn is_any_open(&self) -> bool {
        let shut: u32 = self.bits.iter().map(|word| word.count_ones()).sum();
        (shut as i32) < self.count
    }
}

/// Whether a line of slope `rise / run` joins the squares of a view.
fn is_open_at(view: &View<'_>, rise: i32, run: i32, shut: &mut Shut) -> bool {
    // All of `c` is in units of 1 / run. A square (i, j) lets through lines between its two corners that are farthest
    // apart across the slope.
    let across = |column: i32, row: i32| row * run - rise * column;
    let bounds = |column: i32, row: i32| {
        let corners = [
            across(column, row),
            across(column + 1, row),
            across(column, row + 1),
            across(column + 1, row + 1),
        ];
        let low = corners.into_iter().min().unwrap_or(0);
        let high = corners.into_iter().max().unwrap_or(0);
        (low, high)
    };
    let (wide, high) = (i32::from(view.wide), i32::from(view.high));
    let (from, to) = (bounds(0, 0), bounds(wide, high));
    shut.begin(from.0.max(to.0), from.1.min(to.1));
    if shut.count == 0 {
        return false;
    }
    let (least, most) = (shut.first, shut.first + shut.count);
    for column in 0..=wide {
        // Rows that a line of the open interval meets in this column, and the edges beneath and above them.
        let at_edges = [least + rise * column, least + rise * (column + 1)];
        let bottom = at_edges[0].min(at_edges[1]).div_euclid(run).max(0);
        let at_edges = [most + rise * column, most + rise * (column + 1)];
        let top = at_edges[0].max(at_edges[1]).div_euclid(run).min(high);
        for row in bottom..=top {
            let place = (column as i16, row as i16);
            if view.is_shut(place.0, place.1) {
                let (low, high) = bounds(column, row);
                shut.shut(low, high);
                continue;
            }
            if column < wide && view.is_edge_shut(place, (place.0 + 1, place.1)) {
                let (one, other) = (across(column + 1, row), across(column + 1, row + 1));
                shut.shut(one.min(other), one.max(other));
            }
            if row < high && view.is_edge_shut(place, (place.0, place.1 + 1)) {
                let (one, other) = (across(column, row + 1), across(column + 1, row + 1));
                shut.shut(one.min(other), one.max(other));
            }
        }
    }
    shut.is_any_open()
}

/// A slope as a fraction.
#[derive(Clone, Copy)]
struct Slope {
    rise: i32,
    run: i32,
}

/// Whether a line joins the squares of a view whose slope lies between two neighbouring fractions of the Stern-Brocot tree.
/// Walks down the tree as far as there are slopes of lattice points, and tries one slope in each gap between those.
fn is_open_between(view: &View<'_>, low: Slope, high: Slope, fall: bool, shut: &mut Shut) -> bool {
    let (wide, tall) = (i32::from(view.wide), i32::from(view.high));
    let too_flat = high.rise * (wide + 1) <= (tall - 1) * high.run;
    let too_steep = low.rise * (wide - 1) >= (tall + 1) * low.run;
    if too_flat || too_steep {
        return false;
    }
    let middle = Slope {
        rise: low.rise + high.rise,
        run: low.run + high.run,
    };
    if middle.run > wide + 1 || middle.rise > tall + 1 {
        let rise = if fall { -middle.rise } else { middle.rise };
        return is_open_at(view, rise, middle.run, shut);
    }
    is_open_between(view, low, middle, fall, shut) || is_open_between(view, middle, high, fall, shut)
}

/// Whether a line of sight joins two squares (SWM 1.4). The same in both directions.
pub fn is_seen(map: &Map, from: Square, to: Square) -> bool {
    if from == to {
        return true;
    }
    // Nobody stands on a wall, and a line that begins inside one touches it.
    if map.is_shut(from) || map.is_shut(to) {
        return false;
    }
    let view = View::new(map, from, to);
    let mut shut = Shut {
        first: 0,
        count: 0,
        bits: Vec::new(),
    };
    let (level, upright) = (Slope { rise: 0, run: 1 }, Slope { rise: 1, run: 0 });
    // Most pairs that see each other do so along the line between their middles.
    is_open_at(&view, i32::from(view.high), i32::from(view.wide), &mut shut)
        || is_open_between(&view, level, upright, false, &mut shut)
        // Squares in one row may be joined by a line that falls, too.
        || (view.high == 0 && is_open_between(&view, level, upright, true, &mut shut))
}

/// Line of sight from every square of a map to every other, worked out when it is first asked for.
#[derive(Debug)]
pub struct Sight {
    width: usize,
    rows: Vec<OnceLock<Box<[u64]>>>,
}

impl Sight {
    /// For a map as its doors stand now.
    pub fn new(map: &Map) -> Sight {
        let squares = usize::from(map.width()) * usize::from(map.height());
        Sight {
            width: usize::from(map.width()),
            rows: (0..squares).map(|_| OnceLock::new()).collect(),
        }
    }

    /// Whether a line of sight joins two squares of the map that it was made for.
    pub fn is_seen(&self, map: &Map, from: Square, to: Square) -> bool {
        let index = |square: Square| usize::from(square.row) * self.width + usize::from(square.column);
        let row = self.rows[index(from)].get_or_init(|| {
            let mut bits = vec![0_u64; self.rows.len().div_ceil(64)];
            for other in map.squares() {
                if is_seen(map, from, other) {
                    bits[index(other) / 64] |= 1 << (index(other) % 64);
                }
            }
            bits.into_boxed_slice()
        });
        row[index(to) / 64] & (1 << (index(to) % 64)) != 0
    }

    /// Whether a line of sight joins any squares of two spaces (SWM 1.4).
    pub fn sees(&self, map: &Map, from: Space, to: Space) -> bool {
        from.squares()
            .any(|one| to.squares().any(|other| self.is_seen(map, one, other)))
    }
}
