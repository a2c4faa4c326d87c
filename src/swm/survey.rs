//! What is worked out of a map once for each state of its doors, and shared by all who ask: where steps lead, who would be
//! beside whom, rows of walls as bits, lines of sight, ranges.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use super::{
    map::{DIRECTIONS, Direction, Map, Terrain},
    range::Ranges,
    sight::Sight,
    square::{Base, Space, Square},
};

/// One bit for each column of a row, the westernmost the lowest.
pub type Columns = u128;

/// Columns from one to another, both counted in, as far as there may be any.
pub(super) fn columns(from: i32, to: i32) -> Columns {
    let (from, to) = (from.max(0), to.min(Columns::BITS as i32 - 1));
    match to - from {
        count if count < 0 => 0,
        count => (Columns::MAX >> (Columns::BITS as i32 - 1 - count)) << from,
    }
}

/// A set of squares, a number of bits for each row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Squares(Vec<Columns>);

impl Squares {
    /// No square of a map of so many rows.
    pub fn none(rows: u8) -> Squares {
        Squares(vec![0; usize::from(rows)])
    }

    /// Adds a square.
    pub fn add(&mut self, square: Square) {
        self.0[usize::from(square.row)] |= 1 << square.column;
    }

    /// Adds all squares of a space.
    pub fn add_space(&mut self, space: Space) {
        let bits = space_columns(space);
        for row in space_rows(space) {
            self.0[row] |= bits;
        }
    }

    /// Whether a square is one of them.
    pub fn contains(&self, square: Square) -> bool {
        self.0[usize::from(square.row)] >> square.column & 1 != 0
    }

    /// Whether any square of a space is one of them.
    pub fn meets(&self, space: Space) -> bool {
        if space.base == Base::ONE {
            return self.contains(space.at);
        }
        let bits = space_columns(space);
        space_rows(space).any(|row| self.0[row] & bits != 0)
    }

    /// Those of a row.
    pub fn row(&self, row: usize) -> Columns {
        self.0[row]
    }
}

fn space_columns(space: Space) -> Columns {
    let west = i32::from(space.at.column);
    columns(west, west + i32::from(space.base.wide) - 1)
}

fn space_rows(space: Space) -> std::ops::Range<usize> {
    usize::from(space.at.row)..usize::from(space.at.row) + usize::from(space.base.high)
}

/// What a row of the map holds.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Row {
    /// Walls and closed doors on squares.
    pub shut: Columns,
    /// On eastern edges.
    pub east: Columns,
    /// On southern edges.
    pub south: Columns,
    /// Low objects.
    pub low: Columns,
    /// Squares that cost double to enter.
    pub costly: Columns,
    /// Pits.
    pub pits: Columns,
}

/// Memory that ranges may take up before they are counted anew, in numbers of two bytes.
const MOST_RANGES: usize = 16_000_000;

/// What is worked out of a map as its doors stand.
#[derive(Debug)]
pub struct Survey {
    width: usize,
    height: usize,
    /// For each square a bit for each of [`DIRECTIONS`]: whether a step leads there.
    steps: Box<[u8]>,
    /// The same: whether the square there is a neighbour.
    neighbours: Box<[u8]>,
    rows: Box<[Row]>,
    sight: Sight,
    ranges: Mutex<BTreeMap<Space, Arc<Ranges>>>,
    beside_walls: OnceLock<Squares>,
    beside_doors: OnceLock<Box<[Squares]>>,
}

/// The place of a direction among [`DIRECTIONS`], by columns east and rows south, each one more than it is.
const PLACES: [[u8; 3]; 3] = [[7, 0, 4], [3, u8::MAX, 1], [6, 2, 5]];

/// The square that a step leads to, on the map or not.
pub(super) fn shifted(square: Square, (east, south): Direction) -> Option<Square> {
    Some(Square::new(
        square.column.checked_add_signed(east)?,
        square.row.checked_add_signed(south)?,
    ))
}

impl Survey {
    /// Of a map as its doors stand now.
    pub fn new(map: &Map) -> Survey {
        let bits = |leads: &dyn Fn(Square, Direction) -> bool| -> Box<[u8]> {
            let of = |square: Square| {
                (DIRECTIONS.into_iter().enumerate())
                    .filter(|&(_, direction)| leads(square, direction))
                    .fold(0_u8, |bits, (place, _)| bits | 1 << place)
            };
            map.squares().map(of).collect()
        };
        let steps = bits(&|square, direction| map.step(square, direction).is_some());
        let neighbours = match map.is_adjacent_past_corners() {
            true => bits(&|square, direction| {
                shifted(square, direction).is_some_and(|to| map.contains(to) && map.are_neighbours(square, to))
            }),
            false => steps.clone(),
        };
        let mut rows = vec![Row::default(); usize::from(map.height())].into_boxed_slice();
        for square in map.squares() {
            let (row, bit) = (&mut rows[usize::from(square.row)], 1 << square.column);
            let mut set = |holds: bool, columns: fn(&mut Row) -> &mut Columns| {
                if holds {
                    *columns(row) |= bit;
                }
            };
            set(map.is_shut(square), |row| &mut row.shut);
            set(map.is_east_shut(square), |row| &mut row.east);
            set(map.is_south_shut(square), |row| &mut row.south);
            let terrain = map.terrain(square);
            set(terrain == Terrain::LowObjects, |row| &mut row.low);
            set(terrain.is_costly(), |row| &mut row.costly);
            set(terrain == Terrain::Pit, |row| &mut row.pits);
        }
        Survey {
            width: usize::from(map.width()),
            height: usize::from(map.height()),
            steps,
            neighbours,
            rows,
            sight: Sight::new(map),
            ranges: Mutex::new(BTreeMap::new()),
            beside_walls: OnceLock::new(),
            beside_doors: OnceLock::new(),
        }
    }

    /// Columns of the map.
    pub const fn width(&self) -> usize {
        self.width
    }

    /// Rows of the map.
    pub const fn height(&self) -> usize {
        self.height
    }

    /// The place of a square in lists of all squares.
    pub fn index(&self, square: Square) -> usize {
        usize::from(square.row) * self.width + usize::from(square.column)
    }

    /// For each of [`DIRECTIONS`] a bit: whether walls let a step from a square lead there, as [`Map::step`] has it.
    pub fn steps(&self, index: usize) -> u8 {
        self.steps[index]
    }

    pub(super) fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Whether a square is a wall or a closed door.
    pub fn is_shut(&self, square: Square) -> bool {
        self.rows[usize::from(square.row)].shut >> square.column & 1 != 0
    }

    /// Whether a square is a pit.
    pub fn is_pit(&self, square: Square) -> bool {
        self.rows[usize::from(square.row)].pits >> square.column & 1 != 0
    }

    /// Whether a square costs double to enter.
    pub fn is_costly(&self, square: Square) -> bool {
        self.rows[usize::from(square.row)].costly >> square.column & 1 != 0
    }

    /// Whether two squares are neighbours (SWM 1.1): see [`Map::are_neighbours`].
    pub fn are_neighbours(&self, a: Square, b: Square) -> bool {
        let (east, south) = (
            i16::from(b.column) - i16::from(a.column) + 1,
            i16::from(b.row) - i16::from(a.row) + 1,
        );
        if !(0..3).contains(&east) || !(0..3).contains(&south) {
            return false;
        }
        match PLACES[south as usize][east as usize] {
            u8::MAX => false,
            place => self.neighbours[self.index(a)] >> place & 1 != 0,
        }
    }

    /// The squares that are neighbours of a square.
    pub fn neighbours(&self, square: Square) -> impl Iterator<Item = Square> + use<> {
        let bits = self.neighbours[self.index(square)];
        let there = DIRECTIONS.into_iter().enumerate();
        there.filter_map(move |(place, direction)| {
            (bits >> place & 1 != 0).then(|| shifted(square, direction)).flatten()
        })
    }

    /// Whether two spaces are adjacent (SWM 1.1): two of their squares are neighbours. Not through a wall.
    pub fn are_adjacent(&self, a: Space, b: Space) -> bool {
        if a.base == Base::ONE && b.base == Base::ONE {
            return self.are_neighbours(a.at, b.at);
        }
        let near = |at: u8, size: u8, other: u8, other_size: u8| {
            u16::from(at) <= u16::from(other) + u16::from(other_size)
                && u16::from(other) <= u16::from(at) + u16::from(size)
        };
        near(a.at.column, a.base.wide, b.at.column, b.base.wide)
            && near(a.at.row, a.base.high, b.at.row, b.base.high)
            && (a.squares()).any(|one| b.squares().any(|other| self.are_neighbours(one, other)))
    }

    /// Whether a line of sight joins any squares of two spaces (SWM 1.4).
    pub fn sees(&self, map: &Map, from: Space, to: Space) -> bool {
        self.sight.sees(map, from, to)
    }

    /// Ranges from a space (SWM 1.1), counted when they are first asked for.
    pub fn ranges(&self, from: Space) -> Arc<Ranges> {
        let mut known = self.ranges.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(ranges) = known.get(&from) {
            return Arc::clone(ranges);
        }
        if (known.len() + 1) * self.steps.len() > MOST_RANGES {
            known.clear();
        }
        let ranges = Arc::new(Ranges::from(self, from));
        known.insert(from, Arc::clone(&ranges));
        ranges
    }

    /// Squares beside walls, for those who climb them.
    pub fn beside_walls(&self, map: &Map) -> &Squares {
        self.beside_walls.get_or_init(|| {
            let mut beside = Squares::none(map.height());
            for square in map.squares().filter(|&square| map.is_beside_wall(square)) {
                beside.add(square);
            }
            beside
        })
    }

    /// For each door the squares from which a figure opens it (SWM 1.2). Other doors count as they stand: a closed one is a
    /// wall, and nobody is adjacent past that.
    pub fn beside_doors(&self, map: &Map) -> &[Squares] {
        self.beside_doors.get_or_init(|| {
            let squares = |door: usize| {
                let mut beside = Squares::none(map.height());
                let open = map.with_door_open(door);
                for square in map.squares() {
                    if open.is_beside_door(Space::new(square, 1), &map.doors()[door]) {
                        beside.add(square);
                    }
                }
                beside
            };
            (0..map.doors().len()).map(squares).collect()
        })
    }
}
