//! Range (SWM 1.1): the fewest squares from space to space, a diagonal counting 2, around walls. Nothing else changes it.

use std::collections::VecDeque;

use super::{
    map::Map,
    square::{Space, Square},
};

/// The range from one space to every square.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ranges {
    width: usize,
    squares: Vec<u16>,
}

const NONE: u16 = u16::MAX;

impl Ranges {
    /// Counts from a space.
    pub fn from(map: &Map, space: Space) -> Ranges {
        let mut ranges = Ranges {
            width: usize::from(map.width()),
            squares: vec![NONE; usize::from(map.width()) * usize::from(map.height())],
        };
        let mut next = VecDeque::new();
        for square in space.squares() {
            ranges.squares[map.index(square)] = 0;
            next.push_back(square);
        }
        // A diagonal step counts as much as the two orthogonal ones that are free wherever it is, so it is never shorter.
        while let Some(square) = next.pop_front() {
            let range = ranges.squares[map.index(square)] + 1;
            for direction in [(0, -1), (1, 0), (0, 1), (-1, 0)] {
                if let Some(to) = map.step(square, direction) {
                    let entry = &mut ranges.squares[map.index(to)];
                    if *entry == NONE {
                        *entry = range;
                        next.push_back(to);
                    }
                }
            }
        }
        ranges
    }

    /// The range of a square; `None` when walls shut it off.
    pub fn to(&self, square: Square) -> Option<u16> {
        let range = self.squares[usize::from(square.row) * self.width + usize::from(square.column)];
        (range != NONE).then_some(range)
    }

    /// The range of the nearest square of a space.
    pub fn to_space(&self, space: Space) -> Option<u16> {
        space.squares().filter_map(|square| self.to(square)).min()
    }
}
