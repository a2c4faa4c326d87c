//! `tallyho play --escort`: a game of Political Escort in a terminal, against the automated other side.

use anyhow::bail;

use super::{New, squad_text};
use crate::{
    cli::{Failure, load_options, sim::escort::EscortArgs},
    play::{begin, console::Console},
    record::{Beginning, Start},
    sim::escort::EscortField,
    xwing::{
        catalog::Catalog,
        edition::{Edition, FirstEditionOptions},
    },
};

/// The game that the command line asks for, with what the rules leave to the player asked; `None` for who leaves.
///
/// # Errors
/// Options of other games, a squad that cannot be flown, or a file that cannot be read.
pub(super) fn beginning(
    escort: &EscortArgs,
    new: New,
    seed: u64,
    catalog: &Catalog,
    edition: Option<&FirstEditionOptions>,
    console: &mut Console<'_>,
) -> anyhow::Result<Option<Beginning>> {
    let foreign: Vec<&str> = [
        ("--faction", new.faction.is_some()),
        ("--enemy", new.enemy.is_some()),
        ("--players", new.players.is_some()),
        ("--variant", new.variant.is_some()),
        ("--ace", new.ace.is_some()),
        ("--take", !new.take.is_empty()),
        ("--squad", new.squad.is_some()),
    ]
    .into_iter()
    .filter_map(|(name, given)| given.then_some(name))
    .collect();
    if !foreign.is_empty() {
        bail!(
            "{} belongs to scenarios of Solo Alpha: leave it out, or leave --escort out (docs/escort.md)",
            foreign.join(", ")
        );
    }
    let read = |given: Option<&String>| given.map(|given| squad_text(given, catalog)).transpose();
    let (player, solo) = (read(new.player.as_ref())?, read(new.solo.as_ref())?);
    let (mut game, play) = escort.game((player.as_deref(), solo.as_deref()))?;
    if let Some(edition) = edition {
        game.edition = *edition;
    }
    let field = EscortField::new(game, catalog).map_err(|bad| Failure::with(2, bad.to_string()))?;
    let mut options = load_options(new.options.as_deref())?;
    options.escort = play;
    let Some(game) = begin::ask_roles(console, &field, options.escort.initiative)? else {
        return Ok(None);
    };
    let start = Start::Escort { game: Box::new(game) };
    Ok(Some(Beginning {
        rounds: Some(new.rounds.unwrap_or(begin::ROUNDS)),
        edition: Edition::First,
        set_up_by_hand: !new.quick_setup,
        ..Beginning::new(start, options, seed)
    }))
}
