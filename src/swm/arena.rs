//! Random maps and squads, for simulations and tests: rooms with doors, low objects, difficult ground and pits.

use std::sync::Arc;

use super::{
    board::Board,
    figure::{Card, Figure, Side},
    map::{Door, Map, Place, Terrain},
    square::{Space, Square},
};
use crate::dice::D20Source;

/// A random map of that size: about one square in twelve a wall, one in ten low objects, a few difficult ones and pits, some
/// walls and doors on edges.
pub fn map(width: u8, height: u8, dice: &mut dyn D20Source) -> Option<Map> {
    let mut map = Map::new(width, height).ok()?;
    for square in map.squares() {
        let terrain = match dice.pick(120) {
            0..10 => Terrain::Wall,
            10..22 => Terrain::LowObjects,
            22..27 => Terrain::Difficult,
            27..30 => Terrain::Pit,
            _ => Terrain::Floor,
        };
        map.set_terrain(square, terrain);
        let place = match dice.pick(24) {
            0 if square.column + 1 < width => Place::East(square),
            1 if square.row + 1 < height => Place::South(square),
            _ => continue,
        };
        match dice.pick(3) {
            0 => map.add_door(Door {
                place,
                open: false,
                stays: false,
            }),
            _ => map.add_wall(place),
        }
    }
    Some(map)
}

/// Puts two squads on a map, the automated one in the west, the players' in the east, wherever there is room. Those for
/// whom there is none are left out.
pub fn deploy(map: &Map, automated: &[Arc<Card>], player: &[Arc<Card>], dice: &mut dyn D20Source) -> Vec<Figure> {
    let mut figures: Vec<Figure> = Vec::new();
    let third = map.width().div_ceil(3);
    let sides = [
        (Side::Automated, automated, 'a', 0, third),
        (Side::Player, player, 'A', map.width() - third, map.width()),
    ];
    for (side, cards, first, west, east) in sides {
        for (index, card) in (0..).zip(cards) {
            let id = match char::from_u32(u32::from(first) + index % 26) {
                Some(letter) if index < 26 => letter.to_string(),
                Some(letter) => format!("{letter}{}", index / 26),
                None => continue,
            };
            let free = |at: &Square| {
                let space = Space::new(*at, card.size);
                map.contains_space(space)
                    && (west..east).contains(&at.column)
                    && space
                        .squares()
                        .all(|square| !map.is_shut(square) && map.terrain(square) != Terrain::Pit)
                    && !figures.iter().any(|other| other.space().overlaps(space))
            };
            let squares: Vec<Square> = map.squares().filter(free).collect();
            if squares.is_empty() {
                continue;
            }
            let at = squares[dice.pick(squares.len())];
            // A big base must not stand across a wall between squares.
            let figure = Figure::new(id, side, Arc::clone(card), at);
            if super::movement::may_end_alone(map, &figure) {
                figures.push(figure);
            }
        }
    }
    figures
}

/// A random skirmish: a map, and two squads out of some cards of about equal cost.
pub fn skirmish(cards: &[Arc<Card>], width: u8, height: u8, figures: usize, dice: &mut dyn D20Source) -> Option<Board> {
    if cards.is_empty() {
        return None;
    }
    let map = map(width, height, dice)?;
    let mut squad = || {
        (0..figures)
            .map(|_| Arc::clone(&cards[dice.pick(cards.len())]))
            .collect::<Vec<_>>()
    };
    let (automated, player) = (squad(), squad());
    let figures = deploy(&map, &automated, &player, dice);
    Board::new(map, figures).ok()
}
