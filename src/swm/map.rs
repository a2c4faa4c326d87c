//! The map: terrain of squares, walls and doors on squares and on the edges between them (SWM 1.2).

use super::square::{Space, Square, column_letters};

/// The most squares a side.
pub const MOST_SQUARES: u8 = 100;

/// What a square holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Terrain {
    /// Nothing.
    #[default]
    Floor,
    /// Costs double to enter, gives cover.
    LowObjects,
    /// Costs double to enter.
    Difficult,
    /// Cannot be entered; sight crosses it.
    Pit,
    /// Stops movement, sight and range.
    Wall,
}

impl Terrain {
    /// Whether it costs double to enter.
    pub const fn is_costly(self) -> bool {
        matches!(self, Terrain::LowObjects | Terrain::Difficult)
    }
}

/// Where a wall or a door stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    /// On a whole square.
    Square(Square),
    /// On the edge between a square and its eastern neighbour.
    East(Square),
    /// On the edge between a square and its southern neighbour.
    South(Square),
}

/// A door (SWM 1.2): a wall unless it is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Door {
    /// Where it is.
    pub place: Place,
    /// Whether it is open now.
    pub open: bool,
    /// Whether it is open for good (Satchel Charge).
    pub stays: bool,
}

/// A direction of one step: (columns east, rows south).
pub type Direction = (i8, i8);

/// All steps, orthogonal ones first.
pub const DIRECTIONS: [Direction; 8] = [(0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1)];

/// A map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Map {
    width: u8,
    height: u8,
    terrain: Vec<Terrain>,
    /// Walls on the eastern edge of a square.
    east: Vec<bool>,
    /// Walls on the southern edge of a square.
    south: Vec<bool>,
    doors: Vec<Door>,
    /// Walls and closed doors together, kept up to date: squares, eastern and southern edges.
    shut: [Vec<bool>; 3],
    adjacent_past_corners: bool,
}

/// Letters of terrain on a map as text.
const TERRAIN: &str = ".o~:#+'";

/// Cells that follow each other without blanks, two letters each.
fn split_cells(text: &str) -> Vec<&str> {
    let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    if starts.len() < 4 || !starts.len().is_multiple_of(2) {
        return vec![text];
    }
    let ends = starts.iter().copied().skip(2).step_by(2).chain([text.len()]);
    starts
        .iter()
        .step_by(2)
        .zip(ends)
        .map(|(&start, end)| &text[start..end])
        .collect()
}

/// Text that is no map.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {message}")]
pub struct MapError {
    /// Row and square, as in `row 3, C3`.
    pub place: String,
    /// What is wrong, and what is expected.
    pub message: String,
}

impl MapError {
    fn new(place: impl Into<String>, message: impl Into<String>) -> Self {
        MapError {
            place: place.into(),
            message: message.into(),
        }
    }
}

impl Map {
    /// An open floor.
    ///
    /// # Errors
    /// A side of 0 or of more than [`MOST_SQUARES`].
    pub fn new(width: u8, height: u8) -> Result<Map, MapError> {
        for (side, squares) in [("width", width), ("height", height)] {
            if !(1..=MOST_SQUARES).contains(&squares) {
                return Err(MapError::new(
                    side,
                    format!("{squares} squares; a map has 1 to {MOST_SQUARES} a side"),
                ));
            }
        }
        let count = usize::from(width) * usize::from(height);
        Ok(Map {
            width,
            height,
            terrain: vec![Terrain::Floor; count],
            east: vec![false; count],
            south: vec![false; count],
            doors: Vec::new(),
            shut: [vec![false; count], vec![false; count], vec![false; count]],
            adjacent_past_corners: false,
        })
    }

    /// Reads rows of cells with blanks between them. A cell is a letter for the terrain and one for the figure that stands
    /// there: `.` floor, `o` low objects, `~` difficult, `:` pit, `#` wall, `+` closed door, `'` open door; `.` nobody,
    /// else the figure's letter. A row may begin with its number, and a first row of column letters is passed over. Cells may
    /// also follow each other without blanks, or be one letter: the terrain, or a figure on the floor.
    /// The figures come back with all squares that bear their letter, in order of the rows.
    ///
    /// # Errors
    /// The first cell that cannot be read, with its place.
    pub fn read<'t>(rows: impl IntoIterator<Item = &'t str>) -> Result<(Map, Vec<(char, Square)>), MapError> {
        let mut lines: Vec<Vec<&str>> = Vec::new();
        for row in rows {
            let mut cells: Vec<&str> = row.split_whitespace().collect();
            let is_heading = |cells: &[&str]| {
                (0..)
                    .zip(cells)
                    .all(|(column, cell)| column <= u8::MAX.into() && *cell == column_letters(column as u8))
            };
            if cells.is_empty() || (lines.is_empty() && is_heading(&cells)) {
                continue;
            }
            if cells[0].trim_end_matches([':', '|']).parse::<u32>().is_ok() {
                cells.remove(0);
            }
            lines.push(cells.into_iter().flat_map(split_cells).collect());
        }
        let side = |count: usize, name: &str| {
            u8::try_from(count)
                .ok()
                .filter(|count| (1..=MOST_SQUARES).contains(count))
                .ok_or_else(|| MapError::new(name, format!("{count} squares; a map has 1 to {MOST_SQUARES} a side")))
        };
        let height = side(lines.len(), "height")?;
        let width = side(lines[0].len(), "row 1")?;
        let mut map = Map::new(width, height)?;
        let mut figures = Vec::new();
        for (row, cells) in (0..).zip(&lines) {
            if cells.len() != usize::from(width) {
                return Err(MapError::new(
                    format!("row {}", row + 1),
                    format!("{} cells, but the first row has {width}", cells.len()),
                ));
            }
            for (column, cell) in (0..).zip(cells) {
                let square = Square::new(column, row);
                if let Some(figure) = map.read_cell(square, cell)? {
                    figures.push((figure, square));
                }
            }
        }
        map.refresh();
        Ok((map, figures))
    }

    fn read_cell(&mut self, square: Square, cell: &str) -> Result<Option<char>, MapError> {
        let place = || format!("row {}, {square}", u16::from(square.row) + 1);
        let mut letters = cell.chars();
        let short = |letter: char| match TERRAIN.contains(letter) {
            true if letter == '#' => ('#', '#'),
            true => (letter, '.'),
            false => ('.', letter),
        };
        let whole = match (letters.next(), letters.next(), letters.next()) {
            (Some(terrain), Some(figure), None) => Some((terrain, figure)),
            (Some(letter), None, _) => Some(short(letter)),
            _ => None,
        };
        let Some((terrain, figure)) = whole else {
            return Err(MapError::new(
                place(),
                format!("`{cell}` is no cell: write two letters, terrain and figure, as in `..` or `oa`"),
            ));
        };
        let mut door = |open| {
            self.doors.push(Door {
                place: Place::Square(square),
                open,
                stays: false,
            });
            Terrain::Floor
        };
        let terrain = match terrain {
            '.' => Terrain::Floor,
            'o' => Terrain::LowObjects,
            '~' => Terrain::Difficult,
            ':' => Terrain::Pit,
            '#' => Terrain::Wall,
            '+' => door(false),
            '\'' => door(true),
            other => {
                return Err(MapError::new(
                    place(),
                    format!(
                        "`{other}` is no terrain: . floor, o low objects, ~ difficult, : pit, # wall, + door, ' open door"
                    ),
                ));
            }
        };
        let index = self.index(square);
        self.terrain[index] = terrain;
        match figure {
            '.' => Ok(None),
            '#' if terrain == Terrain::Wall => Ok(None),
            figure if figure.is_alphanumeric() => Ok(Some(figure)),
            other => Err(MapError::new(
                place(),
                format!("`{other}` is no figure: a letter, or `.` for nobody"),
            )),
        }
    }

    /// The map as [`Map::read`] reads it, with column letters and row numbers; walls and doors on edges are not part of it.
    pub fn write(&self, figure: impl Fn(Square) -> Option<char>) -> String {
        let label = self.height.to_string().len();
        let mut text = " ".repeat(label);
        for column in 0..self.width {
            text.push_str(&format!(" {:2}", column_letters(column)));
        }
        for row in 0..self.height {
            text.truncate(text.trim_end().len());
            text.push_str(&format!("\n{:label$}", u16::from(row) + 1));
            for column in 0..self.width {
                let square = Square::new(column, row);
                let door = self.doors.iter().find(|door| door.place == Place::Square(square));
                let terrain = match (door, self.terrain(square)) {
                    (Some(Door { open: true, .. }), _) => '\'',
                    (Some(_), _) => '+',
                    (None, Terrain::Floor) => '.',
                    (None, Terrain::LowObjects) => 'o',
                    (None, Terrain::Difficult) => '~',
                    (None, Terrain::Pit) => ':',
                    (None, Terrain::Wall) => '#',
                };
                let nobody = if terrain == '#' { '#' } else { '.' };
                text.push(' ');
                text.push(terrain);
                text.push(figure(square).unwrap_or(nobody));
            }
        }
        text.push('\n');
        text
    }

    /// Squares from west to east.
    pub const fn width(&self) -> u8 {
        self.width
    }

    /// Squares from north to south.
    pub const fn height(&self) -> u8 {
        self.height
    }

    /// All squares, row by row from the north.
    pub fn squares(&self) -> impl Iterator<Item = Square> + use<> {
        let (width, height) = (self.width, self.height);
        (0..height).flat_map(move |row| (0..width).map(move |column| Square::new(column, row)))
    }

    /// Whether a square is on the map.
    pub const fn contains(&self, square: Square) -> bool {
        square.column < self.width && square.row < self.height
    }

    /// Whether a whole space is on the map.
    pub fn contains_space(&self, space: Space) -> bool {
        let fits = |at: u8, size: u8, side: u8| u16::from(at) + u16::from(size) <= u16::from(side);
        fits(space.at.column, space.base.wide, self.width) && fits(space.at.row, space.base.high, self.height)
    }

    /// The place of a square in lists of all squares.
    pub fn index(&self, square: Square) -> usize {
        usize::from(square.row) * usize::from(self.width) + usize::from(square.column)
    }

    /// The terrain of a square of the map.
    pub fn terrain(&self, square: Square) -> Terrain {
        self.terrain[self.index(square)]
    }

    /// Whether a wall or a closed door stands on a square's edge or beside it (Wall Climber).
    pub fn is_beside_wall(&self, square: Square) -> bool {
        DIRECTIONS.into_iter().any(|direction| {
            let column = square.column.checked_add_signed(direction.0);
            let row = square.row.checked_add_signed(direction.1);
            let (Some(column), Some(row)) = (column, row) else {
                return false;
            };
            let beside = Square::new(column, row);
            self.contains(beside)
                && (self.is_shut(beside)
                    || ((direction.0 == 0 || direction.1 == 0) && self.step(square, direction).is_none()))
        })
    }

    /// The same map with one door open.
    pub fn with_door_open(&self, door: usize) -> Map {
        let mut map = self.clone();
        map.doors[door].open = true;
        map.refresh();
        map
    }

    /// Whether a figure is beside a door, or in it (SWM 1.2): on a square that the door joins, or on one that touches the door
    /// and from which a single step leads to such a square. To be asked of [`Map::with_door_open`].
    pub fn is_beside_door(&self, space: Space, door: &Door) -> bool {
        space.squares().any(|own| match door.place {
            Place::Square(at) => own == at || self.are_neighbours(own, at),
            Place::East(at) => {
                let other = Square::new(at.column + 1, at.row);
                let touches = (at.column..=other.column).contains(&own.column) && own.row.abs_diff(at.row) <= 1;
                let joined = own == at || own == other;
                touches && (joined || self.are_neighbours(own, at) || self.are_neighbours(own, other))
            }
            Place::South(at) => {
                let other = Square::new(at.column, at.row + 1);
                let touches = (at.row..=other.row).contains(&own.row) && own.column.abs_diff(at.column) <= 1;
                let joined = own == at || own == other;
                touches && (joined || self.are_neighbours(own, at) || self.are_neighbours(own, other))
            }
        })
    }

    /// Changes the terrain of a square of the map.
    pub fn set_terrain(&mut self, square: Square, terrain: Terrain) {
        let index = self.index(square);
        self.terrain[index] = terrain;
        self.refresh();
    }

    /// Puts a wall where it is said.
    pub fn add_wall(&mut self, place: Place) {
        match place {
            Place::Square(square) => {
                let index = self.index(square);
                self.terrain[index] = Terrain::Wall;
            }
            Place::East(square) => {
                let index = self.index(square);
                self.east[index] = true;
            }
            Place::South(square) => {
                let index = self.index(square);
                self.south[index] = true;
            }
        }
        self.refresh();
    }

    /// Puts a door where it is said.
    pub fn add_door(&mut self, door: Door) {
        self.doors.retain(|other| other.place != door.place);
        self.doors.push(door);
        self.refresh();
    }

    /// Its doors.
    pub fn doors(&self) -> &[Door] {
        &self.doors
    }

    /// Opens or closes the door of that number. Whether that changed anything.
    pub fn set_door(&mut self, door: usize, open: bool) -> bool {
        match self.doors.get_mut(door) {
            Some(door) if door.open != open && !door.stays => door.open = open,
            _ => return false,
        }
        self.refresh();
        true
    }

    /// The edge between two squares that share one.
    pub fn edge_between(a: Square, b: Square) -> Option<Place> {
        let (first, second) = (a.min(b), a.max(b));
        match (
            second.row - first.row,
            i16::from(second.column) - i16::from(first.column),
        ) {
            (0, 1) => Some(Place::East(first)),
            (1, 0) => Some(Place::South(first)),
            _ => None,
        }
    }

    fn refresh(&mut self) {
        for (shut, terrain) in self.shut[0].iter_mut().zip(&self.terrain) {
            *shut = *terrain == Terrain::Wall;
        }
        self.shut[1].clone_from(&self.east);
        self.shut[2].clone_from(&self.south);
        for at in 0..self.doors.len() {
            let Door { place, open, .. } = self.doors[at];
            if open {
                continue;
            }
            let (list, square) = match place {
                Place::Square(square) => (0, square),
                Place::East(square) => (1, square),
                Place::South(square) => (2, square),
            };
            let index = self.index(square);
            self.shut[list][index] = true;
        }
    }

    /// Walls and closed doors on squares, on eastern and on southern edges, by [`Map::index`].
    pub(super) fn shut(&self) -> [&[bool]; 3] {
        [&self.shut[0], &self.shut[1], &self.shut[2]]
    }

    /// Whether a square is a wall or a closed door.
    pub fn is_shut(&self, square: Square) -> bool {
        self.shut[0][self.index(square)]
    }

    /// Whether the edge to a square's eastern neighbour is a wall or a closed door.
    pub fn is_east_shut(&self, square: Square) -> bool {
        self.shut[1][self.index(square)]
    }

    /// Whether the edge to a square's southern neighbour is a wall or a closed door.
    pub fn is_south_shut(&self, square: Square) -> bool {
        self.shut[2][self.index(square)]
    }

    /// Where one step leads as far as walls allow it (SWM 1.2): no wall is entered or crossed, and a diagonal step does not
    /// touch the corner or the end of a wall.
    pub fn step(&self, from: Square, (east, south): Direction) -> Option<Square> {
        let column = from.column.checked_add_signed(east)?;
        let row = from.row.checked_add_signed(south)?;
        let to = Square::new(column, row);
        if !self.contains(to) || self.is_shut(from) || self.is_shut(to) {
            return None;
        }
        if east == 0 || south == 0 {
            let shut = match Map::edge_between(from, to)? {
                Place::East(square) => self.is_east_shut(square),
                Place::South(square) => self.is_south_shut(square),
                Place::Square(_) => false,
            };
            return (!shut).then_some(to);
        }
        // The corner that the step goes through, and the four squares and four edges that meet there.
        let west = from.column.min(column);
        let north = from.row.min(row);
        let corner = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(c, r)| Square::new(west + c, north + r));
        let [north_west, north_east, south_west, _] = corner;
        let touches = corner.iter().any(|&square| self.is_shut(square))
            || self.is_east_shut(north_west)
            || self.is_east_shut(south_west)
            || self.is_south_shut(north_west)
            || self.is_south_shut(north_east);
        (!touches).then_some(to)
    }

    /// Whether squares that touch at the corner or the end of a wall are adjacent all the same (an open question of the rules).
    /// They are where one can be reached from the other by two orthogonal steps, which is where they see each other.
    pub fn set_adjacent_past_corners(&mut self, adjacent: bool) {
        self.adjacent_past_corners = adjacent;
    }

    /// Whether squares that touch at the corner or the end of a wall are adjacent.
    pub const fn is_adjacent_past_corners(&self) -> bool {
        self.adjacent_past_corners
    }

    /// Whether a single step that walls allow joins two squares (SWM 1.1), or the switch for corners of walls does.
    pub fn are_neighbours(&self, a: Square, b: Square) -> bool {
        let apart = |a: u8, b: u8| i8::try_from(i16::from(b) - i16::from(a)).unwrap_or(i8::MAX);
        let direction = (apart(a.column, b.column), apart(a.row, b.row));
        if !DIRECTIONS.contains(&direction) {
            return false;
        }
        if self.step(a, direction) == Some(b) {
            return true;
        }
        let around = |first: Direction, second: Direction| {
            self.step(a, first).and_then(|corner| self.step(corner, second)) == Some(b)
        };
        let (across, down) = ((direction.0, 0), (0, direction.1));
        self.adjacent_past_corners
            && direction.0 != 0
            && direction.1 != 0
            && (around(across, down) || around(down, across))
    }

    /// The squares that are neighbours of a square.
    pub fn neighbours(&self, square: Square) -> impl Iterator<Item = Square> + '_ {
        DIRECTIONS.into_iter().filter_map(move |(east, south)| {
            let column = square.column.checked_add_signed(east)?;
            let beside = Square::new(column, square.row.checked_add_signed(south)?);
            (self.contains(beside) && self.are_neighbours(square, beside)).then_some(beside)
        })
    }

    /// Whether two spaces are adjacent (SWM 1.1): two of their squares are neighbours. Not through a wall.
    pub fn are_adjacent(&self, a: Space, b: Space) -> bool {
        let near = |at: u8, size: u8, other: u8, other_size: u8| {
            u16::from(at) <= u16::from(other) + u16::from(other_size)
                && u16::from(other) <= u16::from(at) + u16::from(size)
        };
        near(a.at.column, a.base.wide, b.at.column, b.base.wide)
            && near(a.at.row, a.base.high, b.at.row, b.base.high)
            && (a.squares()).any(|one| b.squares().any(|other| self.are_neighbours(one, other)))
    }

    /// Whether any square of a space holds a terrain (SWM 1.3).
    pub fn is_on(&self, space: Space, terrain: Terrain) -> bool {
        space.squares().any(|square| self.terrain(square) == terrain)
    }
}
