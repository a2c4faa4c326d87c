//! A save of Vassal as a position: which profile reads it, and whose side nobody plays.

use std::{
    io::Read as _,
    path::{Path, PathBuf},
};

use anyhow::Context as _;

use crate::{
    bridge::{
        grid::{self, GridPosition},
        names::Names,
        position::{self, Position, Warning},
        vassal::{
            archive,
            game::Game,
            module::Module,
            profile::{self, Profile},
            save::{self, Save},
            table,
        },
    },
    protocol::vassal::VassalSnapshot,
    xwing::catalog::Catalog,
};

/// How a save of Vassal is read.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Saves of Vassal")]
pub(in crate::cli) struct Reading {
    /// What the module's pieces are, as `tallyho vassal probe` drafts it [default: the one that comes with the program]
    #[arg(long, value_name = "FILE")]
    profile: Option<PathBuf>,
    /// The module (.vmod) of the game, to tell where the squares of its boards are
    #[arg(long, value_name = "FILE")]
    module: Option<PathBuf>,
    /// The side that nobody plays, in the module's words, as in `galacticempire` [default: what the profile says]
    #[arg(long, value_name = "SIDE")]
    solo_side: Option<String>,
}

impl Reading {
    /// Whether anything is said that only a save of Vassal needs.
    pub(in crate::cli) fn is_given(&self) -> bool {
        self.profile.is_some() || self.module.is_some() || self.solo_side.is_some()
    }

    /// The module, if one is given.
    pub(super) fn module(&self) -> anyhow::Result<Option<Module>> {
        Ok(self.module.as_deref().map(Module::open).transpose()?)
    }

    /// The file of the user's own profile, if one is given; what is wrong with it is said at once.
    pub(super) fn checked_profile(&self) -> anyhow::Result<Option<PathBuf>> {
        if let Some(file) = &self.profile {
            Profile::open(file)?;
        }
        Ok(self.profile.clone())
    }

    /// The side that nobody plays, if one is named; else empty.
    pub(super) fn solo_side(&self) -> String {
        self.solo_side.clone().unwrap_or_default()
    }

    /// The profile that reads a table; the side that nobody plays is noted in the snapshot.
    pub(super) fn profile_for(&self, snapshot: &mut VassalSnapshot) -> anyhow::Result<Profile> {
        if let Some(side) = &self.solo_side {
            snapshot.automates.clone_from(side);
        }
        Ok(match &self.profile {
            Some(path) => Profile::open(path)?,
            None => Profile::for_game(snapshot)?,
        })
    }

    /// The snapshot of a save, and the profile that reads it.
    fn open(&self, path: &Path) -> anyhow::Result<(VassalSnapshot, Profile)> {
        let save = Save::open(path)?;
        let game = Game::of(&save.commands)?;
        let mut snapshot = table::snapshot(&game, &save.about, self.module()?.as_ref());
        let profile = self.profile_for(&mut snapshot)?;
        Ok((snapshot, profile))
    }

    /// The position of a save of X-Wing, and what its ships are called.
    pub(in crate::cli) fn flight(&self, path: &Path, catalog: &Catalog) -> anyhow::Result<(Position, Names)> {
        let (snapshot, profile) = self.open(path)?;
        let flight = profile::flight(&snapshot, &profile, catalog)?;
        let mut position =
            position::resolve(flight.position, catalog).with_context(|| format!("{}", path.display()))?;
        let notes = flight.notes.into_iter().map(|message| Warning {
            place: String::new(),
            message,
        });
        position.warnings.extend(notes);
        let mut names = Names::default();
        names.learn_ships(&position.table);
        Ok((position, names))
    }

    /// The position of a save of Star Wars Miniatures.
    pub(in crate::cli) fn skirmish(&self, path: &Path) -> anyhow::Result<GridPosition> {
        let (snapshot, profile) = self.open(path)?;
        let skirmish = profile::skirmish(&snapshot, &profile)?;
        let mut position = grid::understand(skirmish.position).with_context(|| format!("{}", path.display()))?;
        position.warnings.extend(skirmish.notes);
        Ok(position)
    }
}

/// The path of a file that begins as Vassal's saves do.
pub(in crate::cli) fn is_save(file: Option<&Path>) -> Option<&Path> {
    let path = file.filter(|path| *path != Path::new("-"))?;
    let mut begin = [0; 4];
    // What has no end or waits for somebody is no save; whoever reads it next says so.
    archive::open_file(path).ok()?.read_exact(&mut begin).ok()?;
    save::is_archive(&begin).then_some(path)
}
