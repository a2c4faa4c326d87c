//! Trigger tokens of solo scenarios (Carsten's Part II): face down on the map until a player figure sees one within 8 squares,
//! then its figures come in there.

use super::{
    board::Board,
    figure::{Figure, Side},
    movement::may_end_alone,
    square::{Space, Square},
};

/// How far player figures see tokens, squares of range. Figures are seen at any distance.
pub const SIGHT: u16 = 8;

/// A trigger token with the figures that it stands for. They are nowhere until it is seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// Where it lies.
    pub at: Square,
    /// Who comes in, in this order.
    pub figures: Vec<Figure>,
}

/// A token that was seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sighting {
    /// Where the token lay.
    pub at: Square,
    /// The player figure that saw it: of several the nearest, then the first by its id.
    pub by: String,
    /// Who came in, and on which square each.
    pub figures: Vec<(String, Square)>,
    /// Those for whom there was no room on the whole map.
    pub left_out: Vec<String>,
}

/// The player figure that sees a token, if one does: in line of sight, and within 8 squares counted around walls (SWM-P2).
pub fn seen_by(board: &Board, at: Square) -> Option<&Figure> {
    let space = Space::new(at, 1);
    let ranges = board.ranges(space);
    let near = board.side(Side::Player).filter_map(|figure| {
        let range = ranges.to_space(figure.space()).filter(|range| *range <= SIGHT)?;
        board.sees(space, figure.space()).then_some((range, figure))
    });
    near.min_by(|a, b| (a.0, &a.1.id).cmp(&(b.0, &b.1.id)))
        .map(|(_, figure)| figure)
}

/// Where a figure comes in (SWM-P2): on the token, or on the free squares nearest to it, then north and west.
fn place_for(board: &Board, figure: &Figure, token: Square) -> Option<Square> {
    let ranges = board.ranges(Space::new(token, 1));
    let mut moved = figure.clone();
    let mut best: Option<(u16, Square)> = None;
    for at in board.map().squares() {
        moved.at = at;
        let space = moved.space();
        if !may_end_alone(board.map(), &moved) || board.is_taken(space, figure) {
            continue;
        }
        let Some(range) = ranges.to_space(space) else { continue };
        if best.is_none_or(|best| (range, at) < best) {
            best = Some((range, at));
        }
    }
    best.map(|(_, at)| at)
}

/// Brings in the figures of all tokens that are seen now (SWM-P2), in the order of the tokens. Those who come in see nothing for
/// the players, so that one look is enough.
pub fn reveal(board: &mut Board) -> Vec<Sighting> {
    let mut sightings = Vec::new();
    for token in board.tokens().to_vec() {
        let Some(by) = seen_by(board, token.at).map(|figure| figure.id.clone()) else {
            continue;
        };
        board.remove_token(token.at);
        let mut sighting = Sighting {
            at: token.at,
            by,
            figures: Vec::new(),
            left_out: Vec::new(),
        };
        for mut figure in token.figures {
            let id = figure.id.clone();
            match place_for(board, &figure, token.at) {
                Some(at) => {
                    figure.at = at;
                    match board.add(figure) {
                        Ok(()) => sighting.figures.push((id, at)),
                        Err(_) => sighting.left_out.push(id),
                    }
                }
                None => sighting.left_out.push(id),
            }
        }
        sightings.push(sighting);
    }
    sightings
}
