//! The scenario that a served game plays, as its journal keeps it.

use serde::{Deserialize, Serialize};

use crate::{
    game::round::scenario::TableMission,
    xwing::{
        battle::mission,
        catalog::Catalog,
        scenario::{Scenario, ScenarioError, muster::Wishes},
        squad::{Squad, xws},
    },
};

/// A scenario and what the players wish for. With the seed of the game it says all there is to set up and who arrives where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ServedScenario {
    /// Its name, as in `intro`.
    pub name: String,
    /// The text of the players' own scenario file: a record must not depend on a file that may change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The players' faction.
    pub faction: String,
    /// The solo side's faction.
    pub enemy: String,
    /// How many ships the players have; `None`: as usual in the scenario.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player_ships: Option<u32>,
    /// The variant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// Ship types to take where there is a choice.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub take: Vec<String>,
    /// The Quick Build card of the ace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ace: Option<String>,
    /// The text of the players' own squad, XWS.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub squad: Option<String>,
    /// The text of the solo side's own squad, XWS.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enemy_squad: Option<String>,
}

impl ServedScenario {
    /// The scenario in a game of that seed.
    ///
    /// # Errors
    /// What the scenario or the catalog does not have, a text that is no scenario or no squad.
    pub fn open(&self, catalog: &Catalog, seed: u64) -> Result<TableMission, ScenarioError> {
        let known = Scenario::named(&self.name, catalog.edition());
        let scenario = match (&self.text, known) {
            (Some(text), _) => Scenario::parse(text)?,
            (None, Some(known)) => known.clone(),
            (None, None) => return Err(ScenarioError::Asked(format!("there is no scenario `{}`", self.name))),
        };
        let read = |text: &Option<String>| -> Result<Option<Squad>, ScenarioError> {
            let squad = text.as_deref().map(|text| xws::read(text, catalog)).transpose();
            squad.map_err(|error| ScenarioError::Asked(format!("the squad: {error}")))
        };
        let wishes = Wishes {
            faction: self.faction.clone(),
            enemy: self.enemy.clone(),
            player_ships: self.player_ships.unwrap_or(scenario.player_ships.usual),
            variant: self.variant.clone(),
            take: self.take.clone(),
            ace: self.ace.clone(),
            squad: read(&self.squad)?,
            enemy_squad: read(&self.enemy_squad)?,
        };
        let opening = mission::open(scenario, catalog, &wishes, seed)?;
        let nothing = || ScenarioError::Asked(format!("`{}` is no scenario that can be served", self.name));
        Ok(TableMission {
            play: opening.setup.mission.ok_or_else(nothing)?,
            obstacles: opening.obstacles,
        })
    }
}
