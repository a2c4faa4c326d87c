//! Sight and cover again by another way: many sampled lines on many small maps, without any of the program's geometry.

use tallyho::{
    dice::{D20Source, SeededDice},
    swm::{
        cover::{cover, is_covered},
        map::{Map, Place, Terrain},
        options::Options,
        sight,
        square::{Base, Space, Square},
        survey::{Squares, Survey},
    },
};

const EPSILON: f64 = 1e-7;
const MAPS: u64 = 10_000;

type Point = (f64, f64);
/// West, north, east, south.
type Rectangle = [f64; 4];

fn rectangle(square: Square) -> Rectangle {
    let (west, north) = (f64::from(square.column), f64::from(square.row));
    [west, north, west + 1.0, north + 1.0]
}

/// The part of a line inside a closed rectangle, as fractions of its length.
fn inside(from: Point, to: Point, [west, north, east, south]: Rectangle) -> Option<(f64, f64)> {
    let (mut first, mut last) = (0.0_f64, 1.0_f64);
    for (start, by, low, high) in [
        (from.0, to.0 - from.0, west, east),
        (from.1, to.1 - from.1, north, south),
    ] {
        if by.abs() < EPSILON {
            if start < low - EPSILON || start > high + EPSILON {
                return None;
            }
            continue;
        }
        let (a, b) = ((low - start) / by, (high - start) / by);
        (first, last) = (first.max(a.min(b)), last.min(a.max(b)));
    }
    (first <= last + EPSILON).then_some((first, last))
}

/// Squares and edges that are walls.
struct Walls {
    squares: Vec<Rectangle>,
    edges: Vec<Rectangle>,
}

impl Walls {
    fn new(map: &Map) -> Walls {
        let mut walls = Walls {
            squares: Vec::new(),
            edges: Vec::new(),
        };
        for square in map.squares() {
            let [west, north, east, south] = rectangle(square);
            if map.is_shut(square) {
                walls.squares.push([west, north, east, south]);
            }
            if map.is_east_shut(square) {
                walls.edges.push([east, north, east, south]);
            }
            if map.is_south_shut(square) {
                walls.edges.push([west, south, east, south]);
            }
        }
        walls
    }

    fn touch(&self, from: Point, to: Point) -> bool {
        self.squares
            .iter()
            .chain(&self.edges)
            .any(|&wall| inside(from, to, wall).is_some())
    }
}

/// A small random map.
fn map(dice: &mut SeededDice) -> Map {
    let (width, height) = (2 + dice.pick(5) as u8, 1 + dice.pick(5) as u8);
    let mut map = Map::new(width, height).unwrap();
    for square in map.squares() {
        match dice.pick(14) {
            0 | 1 => map.set_terrain(square, Terrain::Wall),
            2 | 3 => map.set_terrain(square, Terrain::LowObjects),
            4 if square.column + 1 < width => map.add_wall(Place::East(square)),
            5 if square.row + 1 < height => map.add_wall(Place::South(square)),
            _ => {}
        }
    }
    map
}

fn points(square: Square, samples: u32, shift: f64) -> impl Iterator<Item = Point> {
    let at = move |step: u32| (f64::from(step) + 0.5 + shift) / (f64::from(samples) + 2.0 * shift.abs());
    let (west, north) = (f64::from(square.column), f64::from(square.row));
    (0..samples).flat_map(move |x| (0..samples).map(move |y| (west + at(x), north + at(y))))
}

fn sampled_sight(walls: &Walls, a: Square, b: Square, samples: u32) -> bool {
    points(a, samples, 0.1).any(|from| points(b, samples, -0.07).any(|to| !walls.touch(from, to)))
}

#[test]
fn swm_1_4_sight_is_what_sampled_lines_find_on_ten_thousand_maps() {
    let mut dice = SeededDice::new(4);
    let (mut seen, mut narrow) = (0, 0);
    for _ in 0..MAPS {
        let map = map(&mut dice);
        let squares: Vec<Square> = map.squares().filter(|square| !map.is_shut(*square)).collect();
        if squares.len() < 2 {
            continue;
        }
        let (a, b) = (squares[dice.pick(squares.len())], squares[dice.pick(squares.len())]);
        if a == b {
            continue;
        }
        let walls = Walls::new(&map);
        let exact = sight::is_seen(&map, a, b);
        assert_eq!(exact, sight::is_seen(&map, b, a));
        let found = sampled_sight(&walls, a, b, 4) || (exact && sampled_sight(&walls, a, b, 14));
        assert!(
            exact || !found,
            "{a} {b}: sampling finds a line\n{}",
            map.write(|_| None)
        );
        seen += u32::from(exact);
        // A line narrower than the samples is missed: rarely.
        narrow += u32::from(exact && !found);
    }
    assert!(
        seen > 4000 && narrow * 200 < seen,
        "{narrow} of {seen} are found by the exact answer only"
    );
}

/// Whether a line from a corner of the attacker to a point of the target is obstructed.
fn is_obstructed(walls: &Walls, things: &[Rectangle], target: Rectangle, from: Point, to: Point) -> bool {
    let enters = inside(from, to, target).map_or(1.0, |(first, _)| first);
    // A wall counts when it is touched before the line comes to the target; one behind or beside the target does not.
    let before = |wall: &Rectangle| inside(from, to, *wall).is_some_and(|(first, _)| first < enters - EPSILON);
    // One on the target's own border counts where the line goes through it.
    let through = |edge: &Rectangle| {
        let [west, north, east, south] = *edge;
        let shrunk = match west == east {
            true => [west, north + 1e-4, east, south - 1e-4],
            false => [west + 1e-4, north, east - 1e-4, south],
        };
        let runs_along = (west == east && from.0 == to.0) || (north == south && from.1 == to.1);
        !runs_along && inside(from, to, shrunk).is_some_and(|(first, _)| first < enters + EPSILON)
    };
    // Figures and low objects count when the line passes through them, the target's own square included.
    let passes = |thing: &Rectangle| {
        let [west, north, east, south] = *thing;
        let shrunk = [west + 1e-4, north + 1e-4, east - 1e-4, south - 1e-4];
        inside(from, to, shrunk).is_some_and(|(first, last)| last - first > EPSILON)
    };
    walls.squares.iter().any(before)
        || walls.edges.iter().any(|edge| before(edge) || through(edge))
        || things.iter().any(passes)
}

#[test]
fn swm_1_4_cover_is_what_sampled_lines_find_on_ten_thousand_maps() {
    let mut dice = SeededDice::new(5);
    let options = Options::default();
    let (mut covered, mut bare, mut narrow) = (0, 0, 0);
    for _ in 0..MAPS {
        let map = map(&mut dice);
        let squares: Vec<Square> = map.squares().filter(|square| !map.is_shut(*square)).collect();
        if squares.len() < 3 {
            continue;
        }
        let [a, b, other] = [(); 3].map(|()| squares[dice.pick(squares.len())]);
        let near = map.are_neighbours(a, b);
        if a == b || a == other || b == other || near {
            continue;
        }
        let others = [Space::new(other, 1)];
        let exact = !cover(&map, Space::new(a, 1), Space::new(b, 1), &others, &options).is_empty();
        let walls = Walls::new(&map);
        let mut things = vec![rectangle(other)];
        things.extend(
            (map.squares())
                .filter(|&square| {
                    map.terrain(square) == Terrain::LowObjects && square != a && !map.are_neighbours(a, square)
                })
                .map(rectangle),
        );
        let target = rectangle(b);
        let [west, north, east, south] = rectangle(a);
        let corners = [(west, north), (east, north), (west, south), (east, south)];
        let found = |samples: u32| {
            corners.iter().all(|&from| {
                let ends = [
                    (target[0], target[1]),
                    (target[2], target[1]),
                    (target[0], target[3]),
                    (target[2], target[3]),
                ];
                ends.into_iter()
                    .chain(points(b, samples, 0.03))
                    .any(|to| is_obstructed(&walls, &things, target, from, to))
            })
        };
        let sampled = found(5) || (exact && found(40));
        let drawn = || {
            map.write(|square| {
                [(a, 'a'), (b, 'B'), (other, 'x')]
                    .iter()
                    .find(|one| one.0 == square)
                    .map(|one| one.1)
            })
        };
        assert!(
            exact || !sampled,
            "{a} {b}: sampling finds cover\n{}{:?}",
            drawn(),
            walls.edges
        );
        covered += u32::from(exact);
        bare += u32::from(!exact);
        narrow += u32::from(exact && !sampled);
    }
    assert!(
        covered > 2000 && bare > 500 && narrow * 200 < covered,
        "{covered} covered, {bare} not, {narrow} missed"
    );
}

/// Cover is looked for row by row with bits; the exact geometry of single walls and squares says the same.
#[test]
fn swm_1_4_cover_found_in_bits_is_the_exact_one_for_bases_of_any_size() {
    let mut dice = SeededDice::new(6);
    let (mut covered, mut bare) = (0, 0);
    for round in 0..6_000 {
        let (width, height) = (3 + dice.pick(14) as u8, 3 + dice.pick(12) as u8);
        let mut map = Map::new(width, height).unwrap();
        let density = 12 + dice.pick(60);
        for square in map.squares() {
            match dice.pick(density) {
                0 | 1 => map.set_terrain(square, Terrain::Wall),
                2 | 3 => map.set_terrain(square, Terrain::LowObjects),
                4 if square.column + 1 < width => map.add_wall(Place::East(square)),
                5 if square.row + 1 < height => map.add_wall(Place::South(square)),
                _ => {}
            }
        }
        map.set_adjacent_past_corners(round % 5 == 0);
        let survey = Survey::new(&map);
        let mut space = |most: usize| {
            let base = Base {
                wide: 1 + dice.pick(most) as u8,
                high: 1 + dice.pick(most) as u8,
            };
            let at = |side: u8, size: u8, dice: &mut SeededDice| dice.pick(usize::from(side - size) + 1) as u8;
            let at = Square::new(at(width, base.wide, &mut dice), at(height, base.high, &mut dice));
            Space::new(at, base)
        };
        let (attacker, target) = (space(3), space(3));
        let others: Vec<Space> = (0..round % 4).map(|_| space(2)).collect();
        if attacker.overlaps(target)
            || others
                .iter()
                .any(|other| other.overlaps(target) || other.overlaps(attacker))
        {
            continue;
        }
        let mut screens = Squares::none(height);
        others.iter().for_each(|&other| screens.add_space(other));
        // Those on the squares of the target are the target itself.
        screens.add_space(target);
        let options = Options {
            wall_touch_gives_cover: round % 3 != 0,
            ..Options::default()
        };
        let exact = !cover(&map, attacker, target, &others, &options).is_empty();
        assert_eq!(
            is_covered(&survey, attacker, target, &screens, &options),
            exact,
            "round {round}: {attacker:?} {target:?} {others:?}\n{}",
            map.write(|_| None)
        );
        assert_eq!(
            survey.are_adjacent(attacker, target),
            map.are_adjacent(attacker, target)
        );
        covered += u32::from(exact);
        bare += u32::from(!exact);
    }
    assert!(covered > 1000 && bare > 1000, "{covered} covered, {bare} not");
}
