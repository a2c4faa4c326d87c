//! Who plays a scenario: the options that `tallyho scenario` and `tallyho serve` share.

use std::path::{Path, PathBuf};

use anyhow::Context as _;

use super::{read_text, usual_enemy};
use crate::{
    bridge::host::scenario::ServedScenario,
    xwing::{
        catalog::Catalog,
        scenario::{Scenario, muster::Wishes},
        squad::{Squad, xws},
    },
};

/// The options, each of a scenario that is named by an argument `scenario`. The group `side` says whose ships the players have.
#[derive(Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("side").args(["faction", "squad"])))]
pub struct WishArgs {
    /// The players' faction, by xws id or name
    #[arg(long, value_name = "FACTION", requires = "scenario")]
    faction: Option<String>,
    /// The solo side's faction [default: galacticempire, against it rebelalliance]
    #[arg(long, value_name = "FACTION", requires = "scenario")]
    enemy: Option<String>,
    /// Players' ships: one player may fly them all, or each player one [default: as the scenario says]
    #[arg(long, value_name = "N", requires = "scenario")]
    players: Option<u32>,
    /// A variant of the scenario, as in `ace` or `transport`
    #[arg(long, value_name = "NAME", requires = "scenario")]
    variant: Option<String>,
    /// Take this ship type where the faction has a choice: SHIP, or GROUP=SHIP for one group alone (repeatable)
    #[arg(long, value_name = "[GROUP=]SHIP", requires = "scenario")]
    take: Vec<String>,
    /// Fly the ace by this Quick Build card (`tallyho squad cards` lists them) [default: the scenario's]
    #[arg(long, value_name = "CARD", requires = "variant")]
    ace: Option<String>,
    /// Field the players' own squad, an XWS file, in place of the scenario's
    #[arg(long, value_name = "FILE", requires = "scenario", conflicts_with = "players")]
    pub squad: Option<PathBuf>,
    /// Field the solo side's own squad, an XWS file, in place of the scenario's: its ships in the order in which they arrive
    #[arg(long, value_name = "FILE", requires = "scenario", conflicts_with = "enemy")]
    pub enemy_squad: Option<PathBuf>,
}

impl WishArgs {
    /// What the players wish for.
    ///
    /// # Errors
    /// A squad file that cannot be read.
    pub fn wishes(&self, scenario: &Scenario, catalog: &Catalog) -> anyhow::Result<Wishes> {
        let read = |path: &Option<PathBuf>| path.as_deref().map(|path| read_squad(path, catalog)).transpose();
        let squad = read(&self.squad)?;
        let faction = self.faction(squad.as_ref(), Some(scenario));
        Ok(Wishes {
            enemy: self.enemy(&faction),
            faction,
            player_ships: self.players.unwrap_or(scenario.player_ships.usual),
            variant: self.variant.clone(),
            take: self.take.clone(),
            ace: self.ace.clone(),
            enemy_squad: read(&self.enemy_squad)?,
            squad,
        })
    }

    /// The same, as a served game keeps it: with the texts of the files.
    ///
    /// # Errors
    /// As for [`WishArgs::wishes`].
    pub fn served(&self, name: &str, text: Option<String>, catalog: &Catalog) -> anyhow::Result<ServedScenario> {
        let squad = self
            .squad
            .as_deref()
            .map(|path| read_squad(path, catalog))
            .transpose()?;
        let text_of = |path: &Option<PathBuf>| path.as_deref().map(read_text).transpose();
        let faction = self.faction(squad.as_ref(), Scenario::named(name, catalog.edition()));
        Ok(ServedScenario {
            name: name.to_owned(),
            text,
            enemy: self.enemy(&faction),
            faction,
            player_ships: self.players,
            variant: self.variant.clone(),
            take: self.take.clone(),
            ace: self.ace.clone(),
            squad: text_of(&self.squad)?,
            enemy_squad: text_of(&self.enemy_squad)?,
        })
    }

    fn faction(&self, squad: Option<&Squad>, scenario: Option<&Scenario>) -> String {
        match (squad, &self.faction) {
            (Some(squad), _) => squad.faction.clone(),
            (None, Some(faction)) => faction.clone(),
            (None, None) => scenario.and_then(Scenario::only_faction).unwrap_or_default().to_owned(),
        }
    }

    fn enemy(&self, faction: &str) -> String {
        let usual = || usual_enemy(faction).to_owned();
        self.enemy.clone().unwrap_or_else(usual)
    }

    /// The variant.
    pub fn variant(&self) -> Option<&str> {
        self.variant.as_deref()
    }
}

/// Reads a squad file.
pub fn read_squad(path: &Path, catalog: &Catalog) -> anyhow::Result<Squad> {
    xws::read(&read_text(path)?, catalog).with_context(|| path.display().to_string())
}
