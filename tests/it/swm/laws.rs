//! Laws of sight, range and cover, over random maps.

use proptest::prelude::*;
use tallyho::swm::{
    map::{Map, Place, Terrain},
    range::Ranges,
    sight,
    square::{Space, Square},
    survey::Survey,
};

/// A map with walls on squares and edges.
fn maps() -> impl Strategy<Value = Map> {
    let size = (2..12_u8, 2..10_u8);
    size.prop_flat_map(|(width, height)| {
        let count = usize::from(width) * usize::from(height);
        let cell = prop_oneof![6 => Just(0_u8), 1 => Just(1), 1 => Just(2), 1 => Just(3)];
        proptest::collection::vec(cell, count).prop_map(move |cells| {
            let mut map = Map::new(width, height).unwrap();
            for (index, cell) in cells.into_iter().enumerate() {
                let square = Square::new((index % usize::from(width)) as u8, (index / usize::from(width)) as u8);
                match cell {
                    1 => map.set_terrain(square, Terrain::Wall),
                    2 if square.column + 1 < width => map.add_wall(Place::East(square)),
                    3 if square.row + 1 < height => map.add_wall(Place::South(square)),
                    _ => {}
                }
            }
            map
        })
    })
}

/// Whether a sampled line between two squares is clear: no wall is crossed or touched.
fn clear(map: &Map, from: (f64, f64), to: (f64, f64)) -> bool {
    const SLACK: f64 = 1e-9;
    // Whether the segment meets an upright closed rectangle.
    let meets = |west: f64, north: f64, east: f64, south: f64| {
        let (mut first, mut last) = (0.0_f64, 1.0_f64);
        for (start, by, low, high) in [
            (from.0, to.0 - from.0, west, east),
            (from.1, to.1 - from.1, north, south),
        ] {
            if by.abs() < 1e-12 {
                if start < low - SLACK || start > high + SLACK {
                    return false;
                }
                continue;
            }
            let (a, b) = ((low - start) / by, (high - start) / by);
            first = first.max(a.min(b) - SLACK);
            last = last.min(a.max(b) + SLACK);
        }
        first <= last
    };
    map.squares().all(|square| {
        let (west, north) = (f64::from(square.column), f64::from(square.row));
        let (east, south) = (west + 1.0, north + 1.0);
        let touches = map.is_shut(square) && meets(west, north, east, south)
            || map.is_east_shut(square) && meets(east, north, east, south)
            || map.is_south_shut(square) && meets(west, south, east, south);
        !touches
    })
}

/// A brute-force checker: many inner points of both squares.
fn sampled(map: &Map, from: Square, to: Square, samples: u8) -> bool {
    let points = |square: Square| {
        let inner = move |step: u8| (f64::from(step) + 0.5) / f64::from(samples);
        (0..samples).flat_map(move |x| {
            (0..samples).map(move |y| (f64::from(square.column) + inner(x), f64::from(square.row) + inner(y)))
        })
    };
    points(from).any(|a| points(to).any(|b| clear(map, a, b)))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    /// SWM 1.4: sight is the same in both directions, and is wherever sampling finds a line.
    #[test]
    fn sight_is_symmetric_and_agrees_with_sampling(map in maps(), a in 0..120_usize, b in 0..120_usize) {
        let squares: Vec<Square> = map.squares().collect();
        let (a, b) = (squares[a % squares.len()], squares[b % squares.len()]);
        let seen = sight::is_seen(&map, a, b);
        prop_assert_eq!(seen, sight::is_seen(&map, b, a));
        if a != b && !map.is_shut(a) && !map.is_shut(b) {
            let found = sampled(&map, a, b, 7);
            prop_assert!(seen || !found, "{a} {b}: sampling finds a line\n{}", map.write(|_| None));
            // The other way round sampling may miss a narrow line; a finer one finds all but the narrowest.
            if seen && !found {
                prop_assert!(sampled(&map, a, b, 61), "{a} {b}: no line is found\n{}", map.write(|_| None));
            }
        }
    }

    /// A wall more never lets anybody see more.
    #[test]
    fn a_wall_never_creates_sight(map in maps(), wall in 0..120_usize, a in 0..120_usize, b in 0..120_usize) {
        let squares: Vec<Square> = map.squares().collect();
        let [wall, a, b] = [wall, a, b].map(|index| squares[index % squares.len()]);
        let before = sight::is_seen(&map, a, b);
        let mut more = map.clone();
        more.set_terrain(wall, Terrain::Wall);
        prop_assert!(before || !sight::is_seen(&more, a, b));
    }

    /// SWM 1.1: who is beside somebody has him beside it, and nobody is beside a wall.
    #[test]
    fn neighbours_are_neighbours_both_ways(map in maps(), a in 0..120_usize, b in 0..120_usize, past in any::<bool>()) {
        let mut map = map;
        map.set_adjacent_past_corners(past);
        let squares: Vec<Square> = map.squares().collect();
        let (a, b) = (squares[a % squares.len()], squares[b % squares.len()]);
        let near = map.are_neighbours(a, b);
        prop_assert_eq!(near, map.are_neighbours(b, a));
        prop_assert!(!near || !map.is_shut(a) && !map.is_shut(b));
        prop_assert_eq!(near, Survey::new(&map).are_neighbours(a, b));
    }

    /// SWM 1.1: range is symmetric and obeys the triangle inequality.
    #[test]
    fn range_is_a_distance(map in maps(), a in 0..120_usize, b in 0..120_usize, c in 0..120_usize) {
        let squares: Vec<Square> = map.squares().filter(|square| !map.is_shut(*square)).collect();
        prop_assume!(!squares.is_empty());
        let [a, b, c] = [a, b, c].map(|index| squares[index % squares.len()]);
        let survey = Survey::new(&map);
        let range = |from: Square, to: Square| Ranges::from(&survey, Space::new(from, 1)).to(to);
        prop_assert_eq!(range(a, b), range(b, a));
        if let (Some(ab), Some(bc)) = (range(a, b), range(b, c)) {
            let ac = range(a, c);
            prop_assert!(ac.is_some_and(|ac| ac <= ab + bc), "{ac:?} {ab} {bc}");
        }
    }
}
