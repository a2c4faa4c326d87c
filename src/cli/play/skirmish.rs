//! `tallyho play --swm`: a skirmish of Star Wars Miniatures in a terminal.

use std::path::{Path, PathBuf};

use super::{Console, free_name};
use crate::{
    bridge::grid,
    cli::skirmish::Field,
    dice::SeededDice,
    play::skirmish::session::{self, Session},
    record::{
        Hand,
        skirmish::{File, Header, Skirmishing},
    },
};

/// What a new skirmish is.
pub(super) struct New<'a> {
    pub field: &'a Field,
    pub player: Option<&'a str>,
    pub solo: Option<&'a str>,
    pub rounds: Option<u32>,
    pub seed: u64,
    pub typed: bool,
    pub save: Option<PathBuf>,
}

/// Begins a skirmish; `None` when the player leaves before it has begun.
///
/// # Errors
/// A ground, squad or record file that cannot be used.
pub(super) fn begin(new: New<'_>, console: &mut Console<'_>) -> anyhow::Result<Option<(Skirmishing, File)>> {
    let (ground, options) = new.field.ground(new.player, new.solo)?;
    let board = ground.open(&mut SeededDice::for_activation(new.seed, 0, "ground"))?;
    let id = new.field.position.as_ref().and_then(|path| path.file_stem());
    let id = id.map_or_else(String::new, |id| id.to_string_lossy().into_owned());
    let position = grid::write(&board, &options, &id);
    let mut header = Header::new(position, new.rounds, new.seed, Hand::Human);
    header.typed_dice = new.typed;
    let Some(game) = session::begin(&header, console)? else {
        return Ok(None);
    };
    let path = match new.save {
        Some(path) => path,
        None => free_name(new.seed)?,
    };
    let record = File::create(&path, game.header())?;
    Ok(Some((game, record)))
}

/// A skirmish that was left, from its record.
///
/// # Errors
/// A record that cannot be used.
pub(super) fn resume(path: &Path, console: &mut Console<'_>) -> anyhow::Result<(Skirmishing, File)> {
    let (mut record, read) = File::open(path)?;
    super::nobody_played(path, read.header.player)?;
    if let Some(damage) = &read.damage {
        console.say(&format!("The record was damaged: {damage}."))?;
    }
    let (game, astray) = Skirmishing::resume(read.header, &read.answers)?;
    for astray in astray.iter().take(3) {
        let ends = if astray.ends {
            " The skirmish goes on from before it."
        } else {
            ""
        };
        console.say(&format!("At {astray}.{ends}"))?;
    }
    if game.answers().len() < read.answers.len() {
        record.undone(game.answers().len() + 1)?;
    }
    Ok((game, record))
}

/// Plays it until the player leaves.
///
/// # Errors
/// The console or the record is gone.
pub(super) fn play(
    (game, record): (Skirmishing, File),
    svg: Option<PathBuf>,
    console: &mut Console<'_>,
) -> anyhow::Result<()> {
    console.say(&game.header().title())?;
    let path = record.path().to_owned();
    Session::new(game, record, svg).run(console)?;
    console.say(&format!(
        "The skirmish is kept: `tallyho play {0}` goes on with it, `tallyho replay {0}` shows it.",
        super::typed(&path)
    ))?;
    Ok(())
}
