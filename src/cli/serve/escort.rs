//! `tallyho serve --escort`: Political Escort at a table, from the same words as `tallyho play --escort`.

use anyhow::bail;

use super::{Args, PlaysChoice};
use crate::{
    cli::{Failure, GlobalOptions, files::Files, play::squad_text},
    game::round::escort::{TableEscort, TableShip, TableSquad},
    sim::escort::{EscortField, EscortGame, Holder},
    solo_alpha::escort::EscortPlay,
    xwing::{
        catalog::Catalog,
        edition::{Edition, FirstEditionOptions},
    },
};

/// What the command line says of a game, before its squads are read.
pub(super) struct Told {
    game: EscortGame,
    play: EscortPlay,
    /// The options of every command, in the edition of the scenario.
    pub(super) global: GlobalOptions,
}

/// What is asked for; `None` if it is another game.
///
/// # Errors
/// A file that cannot be read, or an option that there is not, or that does not go with the scenario.
pub(super) fn told(arguments: &Args, global: &GlobalOptions) -> anyhow::Result<Option<Told>> {
    if !arguments.escort.escort {
        return Ok(None);
    }
    if arguments.plays == Some(PlaysChoice::Activations) {
        bail!("Political Escort is led through whole rounds: leave --plays activations out");
    }
    if global.edition == Some(Edition::Second) {
        bail!("Political Escort is played with first-edition ships: leave --edition second out");
    }
    // The squads are read with the catalog of the edition, which is not there yet.
    let squads = (arguments.player.as_deref(), arguments.solo.as_deref());
    let (game, play) = arguments.escort.game(squads, &Files::of(global))?;
    let mut global = global.clone();
    global.edition = Some(Edition::First);
    if game.edition != FirstEditionOptions::default() && global.edition_options.is_none() {
        global.begun.options = Some(game.edition);
    }
    Ok(Some(Told { game, play, global }))
}

impl Told {
    /// Reads and checks the squads: the game as a table plays it, and how the opponent does.
    ///
    /// # Errors
    /// A squad that cannot be read or breaks a rule, with its place and the remedy.
    pub(super) fn read(self, arguments: &Args, catalog: &Catalog) -> anyhow::Result<(TableEscort, EscortPlay)> {
        let mut game = self.game;
        if let Some(player) = &arguments.player {
            game.player = squad_text(player, catalog)?;
        }
        if let Some(solo) = &arguments.solo {
            game.solo = squad_text(solo, catalog)?;
        }
        let field = EscortField::new(game, catalog).map_err(|bad| Failure::with(2, bad.to_string()))?;
        let own = field.game();
        let game = TableEscort {
            player: squad(&field, 0),
            solo: squad(&field, 1),
            role: own.role,
            solo_first: own.initiative.map(|holder| holder == Holder::Solo),
            dial: own.dial,
            rounds: arguments.rounds,
            options: own.options,
            notes: field.notes.clone(),
        };
        Ok((game, self.play))
    }
}

fn squad(field: &EscortField, side: usize) -> TableSquad {
    let squad = field.squad(side);
    let ships = squad.members.iter().map(|member| TableShip {
        name: member.name().to_owned(),
        ship: member.chassis().to_owned(),
        skill: member.order_value(),
        size: member.size(),
        points: member.points().and_then(|points| i32::try_from(points).ok()),
    });
    TableSquad {
        ships: ships.collect(),
        points: squad.points,
        upgrades: squad.upgrades,
        hull: squad.hull,
        shields: squad.shields,
    }
}
