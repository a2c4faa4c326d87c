//! `tallyho play --swm`: a skirmish of Star Wars Miniatures in a terminal.

use super::New;
use crate::{
    bridge::grid,
    cli::skirmish::{Field, refuse_of_ships},
    dice::SeededDice,
    record::{Hand, skirmish::Header},
};

/// The skirmish that the command line asks for.
///
/// # Errors
/// A ground or squad that cannot be used.
pub(super) fn header(field: &Field, new: &New, seed: u64, typed_dice: bool) -> anyhow::Result<Header> {
    refuse_of_ships(&[
        ("--scenario", new.scenario.is_some()),
        ("--faction", new.faction.is_some()),
        ("--enemy", new.enemy.is_some()),
        ("--players", new.players.is_some()),
        ("--variant", new.variant.is_some()),
        ("--ace", new.ace.is_some()),
        ("--take", !new.take.is_empty()),
        ("--squad", new.squad.is_some()),
        ("--options", new.options.is_some()),
    ])?;
    let (ground, options, warnings) = field.ground(new.player.as_deref(), new.solo.as_deref())?;
    let board = ground.open(&mut SeededDice::for_activation(seed, 0, "ground"))?;
    let id = field.position.as_ref().and_then(|path| path.file_stem());
    let id = id.map_or_else(String::new, |id| id.to_string_lossy().into_owned());
    let position = grid::write(&board, &options, &id);
    // What the game says itself as it begins is not said twice.
    let told = grid::understand(position.clone()).map(|position| position.warnings);
    let told = told.unwrap_or_default();
    for warning in warnings.iter().filter(|warning| !told.contains(warning)) {
        crate::cli::console::tell!("warning: {}", grid::spoken(warning));
    }
    Ok(Header {
        typed_dice,
        ..Header::new(position, new.rounds, seed, Hand::Human)
    })
}
