//! Range (SWM 1.1): the fewest squares from space to space, a diagonal counting 2, around walls. Nothing else changes it.

use super::{
    square::{Base, Space, Square},
    survey::Survey,
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
    pub fn from(survey: &Survey, space: Space) -> Ranges {
        let width = survey.width();
        let mut squares = vec![NONE; width * survey.height()];
        let mut next = Vec::with_capacity(squares.len());
        for square in space.squares() {
            squares[survey.index(square)] = 0;
            next.push(survey.index(square));
        }
        // A diagonal step counts as much as the two orthogonal ones that are free wherever it is, so it is never shorter.
        let mut done = 0;
        while let Some(&at) = next.get(done) {
            done += 1;
            let range = squares[at] + 1;
            let steps = survey.steps(at);
            // North, east, south, west: the first of all directions.
            for (place, by) in [-(width as isize), 1, width as isize, -1].into_iter().enumerate() {
                if steps >> place & 1 != 0 {
                    let to = at.wrapping_add_signed(by);
                    if squares[to] == NONE {
                        squares[to] = range;
                        next.push(to);
                    }
                }
            }
        }
        Ranges { width, squares }
    }

    /// The range of a square; `None` when walls shut it off.
    pub fn to(&self, square: Square) -> Option<u16> {
        let range = self.squares[usize::from(square.row) * self.width + usize::from(square.column)];
        (range != NONE).then_some(range)
    }

    /// The range of the nearest square of a space.
    pub fn to_space(&self, space: Space) -> Option<u16> {
        match space.base == Base::ONE {
            true => self.to(space.at),
            false => space.squares().filter_map(|square| self.to(square)).min(),
        }
    }
}
