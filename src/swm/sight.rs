//! Line of sight (SWM 1.4), exact: whether some straight line between two spaces neither crosses nor touches a wall.
//!
//! Lines that are clear form an open set, so only lines between inner points matter. Seen in coordinates where the other
//! square lies to the east and north of the first, no steeper than 45 degrees, a line is `y = m x + c`. For a fixed slope
//! `m` each square lets through an open interval of `c`, and each wall shuts a closed one. How these lie among each other
//! changes only at slopes that join two lattice points; it is enough to look at one slope between each two of those. With
//! such a slope as a fraction all bounds are whole multiples of the same unit, so that the rest is counting.

use std::sync::{
    OnceLock,
    atomic::{AtomicU64, Ordering},
};

use super::{
    map::Map,
    square::{Space, Square},
};

/// The map as one square sees another: mirrored and turned so that the other lies to the east and north, not steeper than
/// 45 degrees; and what stands between the two.
struct View {
    /// Columns and rows to the other square, `wide` at least `high`, both at least 0.
    wide: i32,
    high: i32,
    obstacles: Vec<Obstacle>,
}

/// A wall in a view: on the square whose south-western corner point is given, on its eastern or on its northern edge.
#[derive(Clone, Copy)]
enum Obstacle {
    Square(i32, i32),
    East(i32, i32),
    North(i32, i32),
}

impl View {
    /// Collects what stands in the hull of both squares: every line between them runs there.
    fn new(map: &Map, from: Square, to: Square) -> Self {
        let mut obstacles = Vec::new();
        let across = i32::from(to.column) - i32::from(from.column);
        let down = i32::from(to.row) - i32::from(from.row);
        let turned = across.abs() < down.abs();
        let row = i32::from(map.width());
        // Steps of a column and of a row of the view in lists of all squares, and which edges lie across each.
        let [squares, east, south] = map.shut();
        let by_column = (if across < 0 { -1 } else { 1 }, east);
        let by_row = (if down < 0 { -row } else { row }, south);
        let ((wide, high), (column_step, column_edges), (row_step, row_edges)) = match turned {
            true => ((down.abs(), across.abs()), by_row, by_column),
            false => ((across.abs(), down.abs()), by_column, by_row),
        };
        // An edge is listed with the western or northern one of its two squares.
        let edge = |edges: &[bool], at: i32, step: i32| edges[(if step > 0 { at } else { at + step }) as usize];
        let start = map.index(from) as i32;
        for column in 0..=wide {
            let bottom = if column == 0 { 0 } else { high * (column - 1) / wide };
            let top = ((high * (column + 1) + wide - 1) / wide).min(high);
            for row in bottom..=top {
                let at = start + column * column_step + row * row_step;
                if squares[at as usize] {
                    obstacles.push(Obstacle::Square(column, row));
                    continue;
                }
                if column < wide && edge(column_edges, at, column_step) {
                    obstacles.push(Obstacle::East(column, row));
                }
                if row < high && edge(row_edges, at, row_step) {
                    obstacles.push(Obstacle::North(column, row));
                }
            }
        }
        View { wide, high, obstacles }
    }
}

/// Unit intervals of `c` from a first one on: a bit for each that is shut.
type Units = [u128; 2];

/// So many bits from the lowest on.
const fn low_bits(count: i32) -> Units {
    const BITS: i32 = u128::BITS as i32;
    match count {
        ..=0 => [0, 0],
        1..BITS => [(1 << count) - 1, 0],
        BITS => [u128::MAX, 0],
        _ => [
            u128::MAX,
            if count >= 2 * BITS {
                u128::MAX
            } else {
                (1 << (count - BITS)) - 1
            },
        ],
    }
}

/// Whether a line of slope `rise / run` joins the squares of a view.
fn is_open_at(view: &View, rise: i32, run: i32) -> bool {
    // All of `c` is in units of 1 / run. A square (i, j) lets through lines between its two corners that are farthest
    // apart across the slope.
    let across = |column: i32, row: i32| row * run - rise * column;
    let bounds = |column: i32, row: i32| match rise >= 0 {
        true => (across(column + 1, row), across(column, row + 1)),
        false => (across(column, row), across(column + 1, row + 1)),
    };
    let (from, to) = (bounds(0, 0), bounds(view.wide, view.high));
    let (first, last) = (from.0.max(to.0), from.1.min(to.1));
    let count = last - first;
    if count <= 0 {
        return false;
    }
    let mut open = low_bits(count);
    for &obstacle in &view.obstacles {
        let (one, other) = match obstacle {
            Obstacle::Square(column, row) => bounds(column, row),
            Obstacle::East(column, row) => (across(column + 1, row), across(column + 1, row + 1)),
            Obstacle::North(column, row) => (across(column, row + 1), across(column + 1, row + 1)),
        };
        let (below, above) = (low_bits(one.min(other) - first), low_bits(one.max(other) - first));
        for (open, (below, above)) in open.iter_mut().zip(below.into_iter().zip(above)) {
            *open &= below | !above;
        }
    }
    open != [0, 0]
}

/// A slope as a fraction.
#[derive(Clone, Copy)]
struct Slope {
    rise: i32,
    run: i32,
}

/// Whether a line joins the squares of a view whose slope lies between two neighbouring fractions of the Stern-Brocot tree.
/// Walks down the tree as far as there are slopes of lattice points, and tries one slope in each gap between those.
fn is_open_between(view: &View, low: Slope, high: Slope, fall: bool) -> bool {
    let (wide, tall) = (view.wide, view.high);
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
        return is_open_at(view, rise, middle.run);
    }
    is_open_between(view, low, middle, fall) || is_open_between(view, middle, high, fall)
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
    if view.obstacles.is_empty() {
        return true;
    }
    let (level, upright) = (Slope { rise: 0, run: 1 }, Slope { rise: 1, run: 0 });
    // Most pairs that see each other do so along the line between their middles.
    is_open_at(&view, view.high, view.wide)
        || is_open_between(&view, level, upright, false)
        // Squares in one row may be joined by a line that falls, too.
        || (view.high == 0 && is_open_between(&view, level, upright, true))
}

/// Line of sight from every square of a map to every other, each worked out when it is first asked for.
#[derive(Debug)]
pub struct Sight {
    width: usize,
    /// For each square, once asked for, two bits for every other one: whether it is known, and whether it is seen.
    rows: Vec<OnceLock<Box<[AtomicU64]>>>,
}

/// Squares that one number of a row is about.
const SQUARES: usize = 32;

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
            (0..self.rows.len().div_ceil(SQUARES))
                .map(|_| AtomicU64::new(0))
                .collect()
        });
        let (word, bit) = (&row[index(to) / SQUARES], 2 * (index(to) % SQUARES));
        // Both bits are set at once, so that whoever finds it known finds the answer.
        let known = word.load(Ordering::Relaxed) >> bit;
        if known & 1 != 0 {
            return known & 2 != 0;
        }
        let seen = is_seen(map, from, to);
        word.fetch_or((1 | u64::from(seen) << 1) << bit, Ordering::Relaxed);
        seen
    }

    /// Whether a line of sight joins any squares of two spaces (SWM 1.4).
    pub fn sees(&self, map: &Map, from: Space, to: Space) -> bool {
        from.squares()
            .any(|one| to.squares().any(|other| self.is_seen(map, one, other)))
    }
}
