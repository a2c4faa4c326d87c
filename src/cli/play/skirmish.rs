//! `tallyho play --swm`: a skirmish of Star Wars Miniatures in a terminal.

use super::New;
use crate::{
    bridge::grid,
    cli::skirmish::Field,
    dice::SeededDice,
    record::{Hand, skirmish::Header},
};

/// The skirmish that the command line asks for.
///
/// # Errors
/// A ground or squad that cannot be used.
pub(super) fn header(field: &Field, new: &New, seed: u64, typed_dice: bool) -> anyhow::Result<Header> {
    let (ground, options) = field.ground(new.player.as_deref(), new.solo.as_deref())?;
    let board = ground.open(&mut SeededDice::for_activation(seed, 0, "ground"))?;
    let id = field.position.as_ref().and_then(|path| path.file_stem());
    let id = id.map_or_else(String::new, |id| id.to_string_lossy().into_owned());
    let position = grid::write(&board, &options, &id);
    Ok(Header {
        typed_dice,
        ..Header::new(position, new.rounds, seed, Hand::Human)
    })
}
