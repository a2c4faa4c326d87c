//! Cover (SWM 1.4): whether something obstructs the way from every corner of the attacker to the target.

use super::{
    map::{Map, Terrain},
    options::Options,
    square::{Space, Square},
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
    /// Its corner points in order around it.
    hull: Vec<Corner>,
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
        let mut points: Vec<Corner> = corners(space).into();
        points.push(apex);
        points.sort_unstable();
        points.dedup();
        // The hull by the monotone chain, there and back.
        let mut hull: Vec<Corner> = Vec::with_capacity(6);
        for _ in 0..2 {
            let start = hull.len();
            for &point in &points {
                while hull.len() >= start + 2 && turn(hull[hull.len() - 2], hull[hull.len() - 1], point) <= 0 {
                    hull.pop();
                }
                hull.push(point);
            }
            hull.pop();
            points.reverse();
        }
        let at = hull.iter().position(|&point| point == apex).unwrap_or(0);
        let side = |step: usize| {
            let end = hull[(at + step) % hull.len()];
            // Where the line runs along the space, it meets the space at the nearer corner.
            let on_line = corners(space)
                .into_iter()
                .filter(|&corner| turn(apex, end, corner) == 0);
            let away = |corner: &Corner| (corner.0 - apex.0).abs() + (corner.1 - apex.1).abs();
            (apex, on_line.min_by_key(away).unwrap_or(end))
        };
        let sides = [side(1), side(hull.len() - 1)];
        Fan { hull, sides }
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
            let (a, b) = (extent(&self.hull, from, to), extent(&other, from, to));
            from != to && (a.1 <= b.0 || b.1 <= a.0)
        };
        !(0..self.hull.len()).any(|at| parts(&self.hull, at)) && !(0..4).any(|at| parts(&other, at))
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
        let low = |by: fn(&Corner) -> i32| self.hull.iter().map(by).min().unwrap_or(0);
        let high = |by: fn(&Corner) -> i32| self.hull.iter().map(by).max().unwrap_or(0);
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
