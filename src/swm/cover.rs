//! Cover (SWM 1.4): whether something obstructs the way from every corner of the attacker to the target.

use super::{
    map::{Map, Terrain},
    options::Options,
    square::{Space, Square},
    survey::{Columns, Squares, Survey, columns},
};

/// What gives a target cover: one thing for each corner of the attacker, in the order of the corners; empty without cover.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Obstruction {
    /// A wall or a closed door, by the square that it is nearest to.
    Wall(Square),
    /// Low objects.
    LowObjects(Square),
    /// Another figure, by its place among the spaces that were given.
    Figure(usize),
}

type Corner = (i32, i32);

/// The corner points of a space: north-west, north-east, south-west, south-east.
fn corners(space: Space) -> [Corner; 4] {
    let (west, north) = (i32::from(space.at.column), i32::from(space.at.row));
    let (wide, high) = (i32::from(space.base.wide), i32::from(space.base.high));
    [
        (west, north),
        (west + wide, north),
        (west, north + high),
        (west + wide, north + high),
    ]
}

/// All lines from one corner point to a space: the hull of both.
struct Fan {
    /// Its corner points in order around it, and how many there are.
    points: [Corner; 10],
    count: usize,
    /// Its two outer lines, from the corner point to where each first meets the space.
    sides: [(Corner, Corner); 2],
}

fn turn(a: Corner, b: Corner, c: Corner) -> i32 {
    (b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0)
}

/// An upright rectangle by its north-western and south-eastern corner points; a wall on an edge is one without a width.
type Rectangle = (Corner, Corner);

impl Fan {
    fn new(apex: Corner, space: Space) -> Fan {
        let own = corners(space);
        let mut points = [own[0], own[1], own[2], own[3], apex];
        points.sort_unstable();
        // The hull by the monotone chain, there and back; a corner point of the space itself is there twice.
        let (mut hull, mut count) = ([apex; 10], 0);
        for _ in 0..2 {
            let start = count;
            for (at, &point) in points.iter().enumerate() {
                if at > 0 && point == points[at - 1] {
                    continue;
                }
                while count >= start + 2 && turn(hull[count - 2], hull[count - 1], point) <= 0 {
                    count -= 1;
                }
                hull[count] = point;
                count += 1;
            }
            count -= 1;
            points.reverse();
        }
        let at = hull[..count].iter().position(|&point| point == apex).unwrap_or(0);
        let side = |step: usize| {
            let end = hull[(at + step) % count];
            // Where the line runs along the space, it meets the space at the nearer corner.
            let on_line = own.into_iter().filter(|&corner| turn(apex, end, corner) == 0);
            let away = |corner: &Corner| (corner.0 - apex.0).abs() + (corner.1 - apex.1).abs();
            (apex, on_line.min_by_key(away).unwrap_or(end))
        };
        let sides = [side(1), side(count - 1)];
        Fan {
            points: hull,
            count,
            sides,
        }
    }

    fn hull(&self) -> &[Corner] {
        &self.points[..self.count]
    }

    /// Whether its interior meets a rectangle's; or, of one without a width, whether that crosses its interior.
    fn is_crossed_by(&self, rectangle: Rectangle) -> bool {
        let ((west, north), (east, south)) = rectangle;
        let other = [(west, north), (east, north), (east, south), (west, south)];
        let extent = |points: &[Corner], from: Corner, to: Corner| {
            let turns = points.iter().map(|&point| turn(from, to, point));
            turns.fold((i32::MAX, i32::MIN), |(low, high), turn| {
                (low.min(turn), high.max(turn))
            })
        };
        // Two convex shapes are apart when the line along an edge of one of them parts them.
        let parts = |points: &[Corner], at: usize| {
            let (from, to) = (points[at], points[(at + 1) % points.len()]);
            let (a, b) = (extent(self.hull(), from, to), extent(&other, from, to));
            from != to && (a.1 <= b.0 || b.1 <= a.0)
        };
        !(0..self.count).any(|at| parts(self.hull(), at)) && !(0..4).any(|at| parts(&other, at))
    }

    /// Whether an outer line touches a rectangle before it comes to the space. Touching the space itself does not count:
    /// a wall behind a figure is no cover.
    fn is_touched_by(&self, rectangle: Rectangle) -> bool {
        let ((west, north), (east, south)) = rectangle;
        self.sides.iter().any(|&(from, to)| {
            // The part of the line inside the rectangle, as fractions of its length; kept as (numerator, denominator).
            let (mut first, mut last) = ((0, 1), (1, 1));
            let less = |a: (i32, i32), b: (i32, i32)| a.0 * b.1 < b.0 * a.1;
            for (start, by, low, high) in [
                (from.0, to.0 - from.0, west, east),
                (from.1, to.1 - from.1, north, south),
            ] {
                if by == 0 {
                    if start < low || start > high {
                        return false;
                    }
                    continue;
                }
                let (near, far) = if by > 0 { (low, high) } else { (high, low) };
                let enters = ((near - start) * by.signum(), by.abs());
                let leaves = ((far - start) * by.signum(), by.abs());
                if less(first, enters) {
                    first = enters;
                }
                if less(leaves, last) {
                    last = leaves;
                }
            }
            from != to && !less(last, first) && less(first, (1, 1))
        })
    }

    fn bounds(&self) -> Rectangle {
        let low = |by: fn(&Corner) -> i32| self.hull().iter().map(by).min().unwrap_or(0);
        let high = |by: fn(&Corner) -> i32| self.hull().iter().map(by).max().unwrap_or(0);
        ((low(|c| c.0), low(|c| c.1)), (high(|c| c.0), high(|c| c.1)))
    }
}

fn rectangle(space: Space) -> Rectangle {
    let [north_west, _, _, south_east] = corners(space);
    (north_west, south_east)
}

/// What obstructs the way from one corner point to a target, the first found in this order: walls, figures, low objects.
fn obstruction(map: &Map, fan: &Fan, attacker: Space, others: &[Space], options: &Options) -> Option<Obstruction> {
    let ((west, north), (east, south)) = fan.bounds();
    let shuts =
        |wall: Rectangle| fan.is_crossed_by(wall) || (options.wall_touch_gives_cover && fan.is_touched_by(wall));
    // Squares that touch the box around the fan, for walls beside it.
    let column = |at: i32| at.clamp(0, i32::from(map.width()) - 1) as u8;
    let row = |at: i32| at.clamp(0, i32::from(map.height()) - 1) as u8;
    let squares = (row(north - 1)..=row(south))
        .flat_map(|row| (column(west - 1)..=column(east)).map(move |column| Square::new(column, row)));
    for square in squares.clone() {
        let ((west, north), (east, south)) = rectangle(Space::new(square, 1));
        let is_wall = (map.is_shut(square) && shuts(((west, north), (east, south))))
            || (map.is_east_shut(square) && shuts(((east, north), (east, south))))
            || (map.is_south_shut(square) && shuts(((west, south), (east, south))));
        if is_wall {
            return Some(Obstruction::Wall(square));
        }
    }
    let figure = (others.iter()).position(|&other| fan.is_crossed_by(rectangle(other)));
    if let Some(figure) = figure {
        return Some(Obstruction::Figure(figure));
    }
    squares
        .filter(|&square| map.terrain(square) == Terrain::LowObjects)
        .filter(|&square| {
            // Low objects in or beside the attacker's own space do not count (SWM 1.2).
            let space = Space::new(square, 1);
            !attacker.contains(square) && !map.are_adjacent(attacker, space)
        })
        .find(|&square| fan.is_crossed_by(rectangle(Space::new(square, 1))))
        .map(Obstruction::LowObjects)
}

/// What gives the target cover against the attacker, one thing for each corner of the attacker's space; empty when one
/// corner is free, or when they are adjacent. `others` are the spaces of all other figures.
pub fn cover(map: &Map, attacker: Space, target: Space, others: &[Space], options: &Options) -> Vec<Obstruction> {
    if map.are_adjacent(attacker, target) {
        return Vec::new();
    }
    // A big figure may use any corner of any of its squares.
    let (wide, high) = (i32::from(attacker.base.wide), i32::from(attacker.base.high));
    let (west, north) = (i32::from(attacker.at.column), i32::from(attacker.at.row));
    let mut found = Vec::with_capacity(4);
    for down in 0..=high {
        for across in 0..=wide {
            let fan = Fan::new((west + across, north + down), target);
            match obstruction(map, &fan, attacker, others, options) {
                Some(obstruction) => found.push(obstruction),
                None => return Vec::new(),
            }
        }
    }
    found
}

/// A line between two lattice points, row by row from north to south; exact.
#[derive(Clone, Copy)]
struct Edge {
    north: Corner,
    south: Corner,
    /// Where it meets the northern border of the row that it has come to: whole columns, and a rest in parts of `high`.
    whole: i32,
    rest: i32,
    high: i32,
    by_whole: i32,
    by_rest: i32,
}

impl Edge {
    /// `None` of a level line.
    fn new(a: Corner, b: Corner) -> Option<Edge> {
        let (north, south) = if a.1 < b.1 { (a, b) } else { (b, a) };
        let (wide, high) = (south.0 - north.0, south.1 - north.1);
        (high > 0).then(|| Edge {
            north,
            south,
            whole: north.0,
            rest: 0,
            high,
            by_whole: wide.div_euclid(high),
            by_rest: wide.rem_euclid(high),
        })
    }

    /// Goes on to the next row.
    fn advance(&mut self) {
        self.whole += self.by_whole;
        self.rest += self.by_rest;
        if self.rest >= self.high {
            self.rest -= self.high;
            self.whole += 1;
        }
    }

    /// The whole column at or west of where it is.
    fn floor(&self) -> i32 {
        self.whole
    }

    /// The whole column at or east of where it is.
    fn ceil(&self) -> i32 {
        self.whole + i32::from(self.rest > 0)
    }
}

/// What stands in the way of attacks from a space, as bits.
struct Scene<'a> {
    survey: &'a Survey,
    /// Figures that give cover; those on the target's squares are the target.
    screens: &'a Squares,
    target: Space,
    /// Low objects in or beside the attacker's own space, from one row on: they do not count (SWM 1.2).
    near: (i32, Vec<Columns>),
    /// Whether a line that only touches a wall is obstructed.
    touch: bool,
}

impl Scene<'_> {
    /// Low objects of a row that count.
    fn low(&self, row: i32) -> Columns {
        let near = usize::try_from(row - self.near.0)
            .ok()
            .and_then(|row| self.near.1.get(row));
        self.survey.rows()[row as usize].low & !near.copied().unwrap_or(0)
    }

    fn figures(&self, row: i32) -> Columns {
        let own = row - i32::from(self.target.at.row);
        let target = match (0..i32::from(self.target.base.high)).contains(&own) {
            true => {
                let west = i32::from(self.target.at.column);
                columns(west, west + i32::from(self.target.base.wide) - 1)
            }
            false => 0,
        };
        self.screens.row(row as usize) & !target
    }

    /// Whether a wall stands on any of these squares, eastern or southern edges of a row, which may be off the map.
    fn is_walled(&self, row: i32, squares: Columns, east: Columns, south: Columns) -> bool {
        let row = usize::try_from(row).ok().and_then(|row| self.survey.rows().get(row));
        row.is_some_and(|row| row.shut & squares | row.east & east | row.south & south != 0)
    }

    /// Whether something crosses the interior of a fan. Between the borders of a row the fan's interior reaches over an open
    /// range of columns.
    fn crosses(&self, fan: &Fan) -> bool {
        let hull = fan.hull();
        let mut edges = [None; 5];
        for (at, edge) in edges.iter_mut().enumerate().take(hull.len()) {
            *edge = Edge::new(hull[at], hull[(at + 1) % hull.len()]);
        }
        let ((_, north), (_, south)) = fan.bounds();
        for row in north..south {
            let (mut from, mut to) = (i32::MAX, i32::MIN);
            let (mut border_from, mut border_to) = (i32::MAX, i32::MIN);
            for edge in edges.iter_mut().flatten() {
                if (edge.north.1..edge.south.1).contains(&row) {
                    (from, to) = (from.min(edge.floor()), to.max(edge.ceil()));
                    edge.advance();
                    (border_from, border_to) = (border_from.min(edge.floor()), border_to.max(edge.ceil()));
                }
            }
            let (from, to) = (from.min(border_from), to.max(border_to) - 1);
            let squares = columns(from, to);
            let south_edges = if row + 1 < south {
                columns(border_from, border_to - 1)
            } else {
                0
            };
            if self.is_walled(row, squares, columns(from, to - 1), south_edges)
                || (self.figures(row) | self.low(row)) & squares != 0
            {
                return true;
            }
        }
        false
    }

    /// Whether a wall touches a line before its end.
    fn touches(&self, from: Corner, to: Corner) -> bool {
        // The point where it begins, of rows that it only touches there.
        let start = columns(from.0 - 1, from.0);
        let Some(mut edge) = Edge::new(from, to) else {
            let (squares, east) = match to.0 - from.0 {
                0 => return false,
                wide if wide > 0 => (columns(from.0 - 1, to.0 - 1), columns(from.0 - 1, to.0 - 2)),
                _ => (columns(to.0, from.0), columns(to.0, from.0 - 1)),
            };
            return self.is_walled(from.1 - 1, squares, east, squares) || self.is_walled(from.1, squares, east, 0);
        };
        let (north, south) = (edge.north, edge.south);
        let falls = north == from;
        let start_east = columns(from.0 - 1, from.0 - 1);
        if falls && self.is_walled(north.1 - 1, start, start_east, start)
            || !falls && self.is_walled(south.1, start, start_east, 0)
        {
            return true;
        }
        (north.1..south.1).any(|row| {
            let (high_floor, high_ceil) = (edge.floor(), edge.ceil());
            edge.advance();
            let (low_floor, low_ceil) = (edge.floor(), edge.ceil());
            // Its end itself does not count: an upright line has other points there.
            let ends_here = if falls { row + 1 == south.1 } else { row == north.1 };
            let slants = ends_here && north.0 != south.0;
            let eastwards = (to.0 > from.0) == falls;
            let (mut first, mut last) = match eastwards {
                true => (high_ceil - 1, low_floor),
                false => (low_ceil - 1, high_floor),
            };
            if slants && to.0 > from.0 {
                last = to.0 - 1;
            } else if slants {
                first = to.0;
            }
            let border = if falls && ends_here {
                0
            } else {
                columns(low_ceil - 1, low_floor)
            };
            self.is_walled(row, columns(first, last), columns(first, last - 1), border)
        })
    }
}

/// Whether a target has cover against an attacker, as [`cover`] says, found with a few steps for each row between them.
/// `screens` are the squares of all figures but the attacker's.
pub fn is_covered(survey: &Survey, attacker: Space, target: Space, screens: &Squares, options: &Options) -> bool {
    if survey.are_adjacent(attacker, target) {
        return false;
    }
    let (wide, high) = (i32::from(attacker.base.wide), i32::from(attacker.base.high));
    let (west, north) = (i32::from(attacker.at.column), i32::from(attacker.at.row));
    let mut near = vec![0; usize::from(attacker.base.high) + 2];
    for square in attacker.squares() {
        near[usize::from(square.row - attacker.at.row) + 1] |= 1 << square.column;
        for beside in survey.neighbours(square) {
            near[usize::from(beside.row + 1 - attacker.at.row)] |= 1 << beside.column;
        }
    }
    let scene = Scene {
        survey,
        screens,
        target,
        near: (north - 1, near),
        touch: options.wall_touch_gives_cover,
    };
    (0..=high).all(|down| {
        (0..=wide).all(|across| {
            let fan = Fan::new((west + across, north + down), target);
            scene.crosses(&fan) || (scene.touch && fan.sides.iter().any(|&(from, to)| scene.touches(from, to)))
        })
    })
}
