//! A board as it is written: what [`super::understand`] reads back into the same board.

use std::collections::BTreeMap;

use super::{Wire, WireFigure, WireToken};
use crate::swm::{
    board::Board,
    figure::{Card, Figure, Modifiers},
    map::{Map, Place},
    options::Options,
    square::Square,
};

/// Writes a board down. Figures are told by their squares, whatever their ids are.
pub fn write(board: &Board, options: &Options, id: &str) -> Wire {
    let map = board.map();
    let waiting = board.tokens().iter().flat_map(|token| &token.figures);
    let figures: BTreeMap<String, WireFigure> = (board.figures().iter().chain(waiting))
        .map(|own| (own.id.clone(), figure(own)))
        .collect();
    let tokens = board.tokens().iter().map(|token| WireToken {
        at: token.at,
        figures: token.figures.iter().map(|own| own.id.clone()).collect(),
    });
    Wire {
        id: id.to_owned(),
        map: map.write(|_| None).lines().map(str::to_owned).collect(),
        edges: edges(map),
        figures,
        tokens: tokens.collect(),
        switches: (*options != Options::default()).then(|| options.clone()),
    }
}

fn edges(map: &Map) -> Vec<String> {
    let name = |kind: &str, square: Square, east: bool| {
        let other = match east {
            true => Square::new(square.column + 1, square.row),
            false => Square::new(square.column, square.row + 1),
        };
        format!("{kind} {square}-{other}")
    };
    let is_door = |place: Place| map.doors().iter().any(|door| door.place == place);
    let mut edges = Vec::new();
    for square in map.squares() {
        if map.is_east_shut(square) && !is_door(Place::East(square)) {
            edges.push(name("wall", square, true));
        }
        if map.is_south_shut(square) && !is_door(Place::South(square)) {
            edges.push(name("wall", square, false));
        }
    }
    for door in map.doors() {
        let kind = if door.open { "open" } else { "door" };
        match door.place {
            Place::East(square) => edges.push(name(kind, square, true)),
            Place::South(square) => edges.push(name(kind, square, false)),
            // Those of whole squares are on the map.
            Place::Square(_) => {}
        }
    }
    edges
}

/// A figure as it stands.
fn figure(own: &Figure) -> WireFigure {
    WireFigure {
        hp: Some(own.hit_points),
        force: Some(own.force),
        activated: own.activated,
        side: Some(own.side),
        at: Some(own.at),
        modifiers: (own.modifiers != Modifiers::default()).then_some(own.modifiers),
        ..of_card(&own.card)
    }
}

/// A figure as its card has it, of no side and nowhere.
pub fn of_card(card: &Card) -> WireFigure {
    WireFigure {
        name: card.name.clone(),
        hp: Some(card.hit_points),
        hp_max: Some(card.hit_points),
        def: Some(card.defense),
        atk: Some(card.attack),
        dmg: Some(card.damage),
        speed: Some(card.speed),
        size: Some(card.size),
        abilities: card.abilities.iter().map(ToString::to_string).collect(),
        force: Some(card.force()),
        ai_type: card.kind,
        cost: Some(card.cost),
        unique: card.unique,
        living: Some(card.living),
        commander: card.commander,
        ..WireFigure::default()
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        bridge::grid::understand,
        dice::SeededDice,
        swm::{arena, options::Options, roster::Roster},
    };

    #[test]
    fn what_is_written_is_read_back() {
        let cards: Vec<_> = Roster::sample()
            .entries()
            .iter()
            .map(|entry| entry.card.clone())
            .collect();
        for seed in 0..20 {
            let mut dice = SeededDice::new(seed);
            let board = arena::skirmish(&cards, 13, 11, 5, &mut dice).unwrap();
            let wire = super::write(&board, &Options::default(), "x");
            let text = serde_json::to_string(&wire).unwrap();
            let read = understand(serde_json::from_str(&text).unwrap()).unwrap();
            assert_eq!(read.board.figures(), board.figures(), "{seed}");
            assert_eq!(super::write(&read.board, &read.options, "x"), wire, "{seed}");
            for square in board.map().squares() {
                assert_eq!(board.map().terrain(square), read.board.map().terrain(square));
            }
        }
    }
}
