//! Changes of pieces as the commands that other players carry out.
//!
//! No trait runs here: what a module's code would do besides (its own reports, trails, marks that follow others) does not happen.

use std::{collections::BTreeMap, sync::Arc};

use crate::{
    bridge::vassal::{
        command::{Basic, Command, Move},
        game::Game,
        module::Module,
        piece::Piece,
        secret::Secret,
        traits::Place,
    },
    protocol::vassal::{PieceChange, Spot},
};

/// Why a change was not made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The game is not here yet, or no more.
    #[error("there is no game yet: the room's owner has not sent it")]
    NoGame,
    /// A piece that is not there.
    #[error("no piece {0} is in the game")]
    Unknown(String),
    /// A piece that is not where the change begins.
    #[error("piece {piece} is at {x},{y} and not where it was expected")]
    Elsewhere {
        /// The piece.
        piece: String,
        /// Pixels east.
        x: i32,
        /// Pixels south.
        y: i32,
    },
    /// Something that only the module's own code does.
    #[error("{0} needs a Vassal with the module: let a player do it, or use the plugin")]
    NeedsModule(String),
    /// A change that the piece does not take.
    #[error("{0}")]
    Unusable(String),
}

/// Pieces that were taken off, to be put back.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Restorable(BTreeMap<String, Piece>);

impl Restorable {
    /// Remembers a piece that a command takes off.
    pub(super) fn note(&mut self, game: &Game, command: &Command) {
        for basic in command.basics() {
            if let Basic::Remove { id } = basic
                && let Some(piece) = game.piece(id)
            {
                self.0.insert(id.clone(), piece.clone());
            }
        }
    }
}

/// The pieces of a module's palettes, of which new ones are made.
#[derive(Debug, Clone, Default)]
pub struct Palette {
    /// By the number of the slot, and by name where only one slot has it.
    pieces: Arc<BTreeMap<String, Piece>>,
    /// What the ids of new pieces begin with.
    maker: String,
    made: u64,
}

impl Palette {
    /// The palettes of a module; ids of new pieces begin with a word that nobody else uses.
    pub(super) fn of(module: &Module, maker: &str) -> Palette {
        let mut pieces = BTreeMap::new();
        let name = |piece: &Piece| piece.name();
        for slot in &module.slots {
            let called = name(&slot.piece);
            let same = module.slots.iter().filter(|other| name(&other.piece) == called);
            if same.count() == 1 {
                pieces.insert(called, slot.piece.clone());
            }
        }
        for slot in &module.slots {
            pieces.insert(slot.id.clone(), slot.piece.clone());
        }
        Palette {
            pieces: Arc::new(pieces),
            maker: maker.to_owned(),
            made: 0,
        }
    }

    /// The command that lays a new piece.
    pub(super) fn lay(&mut self, slot: &str, at: &Spot, game: &Game) -> Result<Command, Refused> {
        let missing = || Refused::NeedsModule(format!("a new piece `{slot}`"));
        let mut piece = self.pieces.get(slot).ok_or_else(missing)?.clone();
        // The map that has the boards is the table.
        let table = game.boards().iter().find(|(_, boards)| !boards.is_empty());
        let place = spot(at, table.map(|(map, _)| map.clone()));
        piece.core_mut().set_place(&place);
        self.made += 1;
        Ok(Command::one(Basic::Add {
            id: Some(format!("{}-{}", self.maker, self.made)),
            piece,
        }))
    }
}

/// The commands of a change.
pub(super) fn commands(
    game: &Game,
    removed: &Restorable,
    change: &PieceChange,
    player: &Secret,
) -> Result<Vec<Command>, Refused> {
    match change {
        PieceChange::Move { piece, from, to, .. } => moved(game, piece, from, to, player),
        PieceChange::Turn { piece, heading } => {
            let old = find(game, piece)?;
            let mut new = old.clone();
            if !new.turn(*heading) {
                return Err(Refused::Unusable(format!("nothing turns piece {piece}")));
            }
            Ok(changed(piece, old, &new))
        }
        PieceChange::Property { piece, name, value } => {
            let old = find(game, piece)?;
            let mut new = old.clone();
            (new.set_property(name, value)).map_err(|damage| Refused::Unusable(format!("piece {piece}: {damage}")))?;
            Ok(changed(piece, old, &new))
        }
        PieceChange::Remove { piece } => {
            find(game, piece)?;
            Ok(vec![Command::one(Basic::Remove { id: piece.clone() })])
        }
        PieceChange::Restore { piece, at } => {
            if game.piece(piece).is_some() {
                return Ok(Vec::new());
            }
            let mut own = removed
                .0
                .get(piece)
                .ok_or_else(|| Refused::Unknown(piece.clone()))?
                .clone();
            let place = spot(at, own.core().place().map);
            own.core_mut().set_place(&place);
            Ok(vec![Command::one(Basic::Add {
                id: Some(piece.clone()),
                piece: own,
            })])
        }
        PieceChange::Key { .. } => Err(Refused::NeedsModule("a key stroke".to_owned())),
        PieceChange::Add { .. } => Err(Refused::NeedsModule("a new piece".to_owned())),
    }
}

fn find<'g>(game: &'g Game, piece: &str) -> Result<&'g Piece, Refused> {
    game.piece(piece).ok_or_else(|| Refused::Unknown(piece.to_owned()))
}

/// The command that gives a piece its new state; none where it is the old one.
fn changed(id: &str, old: &Piece, new: &Piece) -> Vec<Command> {
    let (before, after) = (old.state(), new.state());
    if before == after {
        return Vec::new();
    }
    vec![Command::one(Basic::Change {
        id: id.to_owned(),
        new: after,
        old: Some(before),
    })]
}

/// A spot as a place; without a map that on which the piece lies.
fn spot(spot: &Spot, map: Option<String>) -> Place {
    Place {
        map: Some(spot.map.clone()).filter(|map| !map.is_empty()).or(map),
        x: spot.x,
        y: spot.y,
    }
}

fn moved(game: &Game, id: &str, from: &Spot, to: &Spot, player: &Secret) -> Result<Vec<Command>, Refused> {
    let piece = find(game, id)?;
    let at = game.place(id).unwrap_or_default();
    let (from, to) = (spot(from, at.map.clone()), spot(to, at.map.clone()));
    if at == to {
        return Ok(Vec::new());
    }
    if at != from {
        return Err(Refused::Elsewhere {
            piece: id.to_owned(),
            x: at.x,
            y: at.y,
        });
    }
    // Vassal notes where a piece was, and marks it as moved, before it moves it.
    let mut noted = piece.clone();
    noted.core_mut().set_place(&at);
    noted.note_old_place(&at);
    let mut commands = changed(id, piece, &noted);
    commands.push(Command::one(Basic::Move(Move {
        id: Some(id.to_owned()),
        under: game.top_at(&to).filter(|top| top != id),
        map: to.map,
        to: (to.x, to.y),
        old_map: at.map,
        from: (at.x, at.y),
        old_under: game.below(id),
        player: Some(player.clone()),
    })));
    Ok(commands)
}
