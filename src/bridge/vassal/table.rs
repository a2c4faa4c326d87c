//! A decoded game as the snapshot that a plugin would send of it: what the players may see, in Vassal's own words and pixels. Saves,
//! games on a server and games with the plugin are all read from there on by the same profiles.

use super::{
    game::Game,
    inventory::BOOKKEEPING,
    module::{Grid, Module},
    outline,
    piece::Piece,
    save::About,
};
use crate::protocol::vassal::{VassalBoard, VassalGrid, VassalMap, VassalModule, VassalPiece, VassalSnapshot};

/// The snapshot of a game. What a player hides, turns face down or keeps in a closed deck is not in it. Grids and sizes of boards
/// stand in the module alone.
pub fn snapshot(game: &Game, about: &About, module: Option<&Module>) -> VassalSnapshot {
    let pieces = game.pieces().filter(|(id, _)| game.concealed(id).is_none());
    VassalSnapshot {
        module: VassalModule {
            name: about.module.clone(),
            version: about.module_version.clone(),
            vassal: about.vassal_version.clone(),
        },
        maps: (game.boards().keys()).map(|name| map(game, name, module)).collect(),
        pieces: pieces.filter_map(|(id, own)| piece(game, id, own)).collect(),
        ..VassalSnapshot::default()
    }
}

fn map(game: &Game, name: &str, module: Option<&Module>) -> VassalMap {
    let placed = game.boards().get(name).map_or(&[][..], Vec::as_slice);
    let whole = |size: u32| i32::try_from(size).unwrap_or(i32::MAX);
    let boards = match module.and_then(|module| module.map(name)) {
        Some(map) => (map.laid_out(placed).into_iter())
            .map(|own| {
                let (width, height) = own.board.size.unwrap_or_default();
                VassalBoard {
                    name: own.board.name.clone(),
                    x: own.at.0,
                    y: own.at.1,
                    width: whole(width),
                    height: whole(height),
                    reversed: own.reversed,
                    grid: grid(&own.board.grid),
                }
            })
            .collect(),
        None => (placed.iter())
            .map(|own| VassalBoard {
                name: own.name.clone(),
                reversed: own.reversed,
                ..VassalBoard::default()
            })
            .collect(),
    };
    VassalMap {
        name: name.to_owned(),
        boards,
    }
}

fn grid(grid: &Grid) -> Option<VassalGrid> {
    if *grid == Grid::None {
        return None;
    }
    let Some(square) = grid.square() else {
        return Some(VassalGrid {
            kind: grid.name().to_owned(),
            ..VassalGrid::default()
        });
    };
    Some(VassalGrid {
        kind: "square".to_owned(),
        dx: square.dx,
        dy: square.dy,
        x0: square.origin.0,
        y0: square.origin.1,
    })
}

/// A piece that lies on a map.
fn piece(game: &Game, id: &str, own: &Piece) -> Option<VassalPiece> {
    let place = game.place(id)?;
    let mut properties = own.properties();
    properties.retain(|name, _| !BOOKKEEPING.contains(&&**name));
    let labels = own
        .traits()
        .iter()
        .filter(|own| own.id() == "label" && !own.state.trim().is_empty());
    let outline = outline::outline(own).unwrap_or_default();
    let (width, height) = match outline.is_empty() {
        true => (0.0, 0.0),
        false => outline::extent(&outline),
    };
    Some(VassalPiece {
        id: id.to_owned(),
        name: own.name(),
        basic: own.name(),
        gpid: own.slot(),
        map: place.map?,
        x: place.x,
        y: place.y,
        heading: own.heading(),
        width: width.round() as i32,
        height: height.round() as i32,
        layer: i32::try_from(game.layer(id)).unwrap_or(i32::MAX),
        properties,
        labels: labels.map(|own| own.state.trim().to_owned()).collect(),
        outline: outline.into_iter().map(|(x, y)| [x, y]).collect(),
        ..VassalPiece::default()
    })
}
