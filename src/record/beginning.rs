//! How a game begins: everything that its first table follows from.

use serde::{Deserialize, Serialize};

use crate::{
    dice::DiceSource,
    sim::{self, Plan, PlayerPolicy, squad},
    solo_alpha::Options,
    xwing::{
        battle::{Setup, mission},
        catalog::Catalog,
        scenario::{Scenario, muster::Wishes},
        squad::xws,
    },
};

/// Who chooses for the player's ships.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Hand {
    /// Somebody at the keyboard.
    #[default]
    Human,
    /// The scripted player.
    Scripted,
    /// Solo Alpha.
    Solo,
}

/// What is played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Start {
    /// Two squads in lines across obstacles.
    Squads {
        /// The player's, as [`squad::read`] reads it.
        player: String,
        /// The solo side's.
        solo: String,
        /// After so many rounds it is over.
        rounds: u32,
    },
    /// A scenario.
    Scenario {
        /// The id of a built-in scenario, as in `intro`, or the text of a scenario file.
        scenario: String,
        /// The players' faction.
        faction: String,
        /// The solo side's faction.
        enemy: String,
        /// How many ships the players have.
        player_ships: u32,
        /// The variant.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        variant: Option<String>,
        /// The Quick Build card of the ace.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ace: Option<String>,
        /// Ship types to take where there is a choice.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        take: Vec<String>,
        /// The players' own squad: the text of an XWS file.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        squad: Option<String>,
    },
}

/// How a game begins.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Beginning {
    /// What is played.
    pub start: Start,
    /// Who chooses for the player's ships.
    pub player: Hand,
    /// The options of the opponent.
    pub options: Options,
    /// Where all dice come from that nobody types in.
    pub seed: u64,
    /// Which game of a simulation it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<u64>,
}

/// A beginning that cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadBeginning(pub String);

impl Beginning {
    /// The first table, and what the players ought to know about it. The dice place what lies at random.
    ///
    /// # Errors
    /// A squad, scenario or ship that cannot be used; the message says which and what to do.
    pub fn open(&self, catalog: &Catalog, dice: &mut dyn DiceSource) -> Result<(Setup, Vec<String>), BadBeginning> {
        match &self.start {
            Start::Squads { player, solo, rounds } => {
                let plan = self.plan(player, solo, *rounds, catalog)?;
                let start = sim::open(&plan, 0, self.seed, dice).map_err(|error| BadBeginning(error.to_string()))?;
                Ok((start.setup, Vec::new()))
            }
            Start::Scenario {
                scenario,
                faction,
                enemy,
                player_ships,
                variant,
                ace,
                take,
                squad,
            } => {
                let bad = |error: &dyn std::fmt::Display| BadBeginning(error.to_string());
                let known = Scenario::built_in().into_iter().find(|known| known.id == *scenario);
                let scenario = match known {
                    Some(known) => known.clone(),
                    None => Scenario::parse(scenario).map_err(|error| bad(&error))?,
                };
                let squad = squad.as_deref().map(|text| xws::read(text, catalog)).transpose();
                let wishes = Wishes {
                    faction: faction.clone(),
                    enemy: enemy.clone(),
                    player_ships: *player_ships,
                    variant: variant.clone(),
                    ace: ace.clone(),
                    take: take.clone(),
                    squad: squad.map_err(|error| bad(&error))?,
                    enemy_squad: None,
                };
                // As a simulation sets up its games.
                let seed = self.game.map_or(self.seed, |game| sim::seed_of(self.seed, game));
                let opening = mission::open(scenario, catalog, &wishes, seed).map_err(|error| bad(&error))?;
                let mut setup = opening.setup;
                setup.guides = self.options.guides_overlap;
                for side in setup.sides.iter_mut().filter(|side| side.name == squad::PLAYER) {
                    side.dials = self.player != Hand::Solo;
                    side.flees = self.player != Hand::Solo;
                }
                Ok((setup, opening.notes))
            }
        }
    }

    fn plan(&self, player: &str, solo: &str, rounds: u32, catalog: &Catalog) -> Result<Plan, BadBeginning> {
        let read = |whose: &str, text: &str| {
            squad::read(text, catalog).map_err(|error| BadBeginning(format!("the {whose} squad: {error}")))
        };
        Ok(Plan {
            policy: match self.player {
                Hand::Human | Hand::Scripted => PlayerPolicy::Scripted,
                Hand::Solo => PlayerPolicy::Solo,
            },
            options: self.options.clone(),
            player_options: self.options.clone(),
            rounds,
            seed: self.seed,
            ..Plan::lines(read("player's", player)?, read("solo", solo)?)
        })
    }

    /// What it is, in a line: who against whom, and the seed.
    pub fn title(&self) -> String {
        let what = match &self.start {
            Start::Squads { player, solo, .. } => format!("{player} against {solo}"),
            Start::Scenario {
                scenario,
                faction,
                enemy,
                variant,
                ..
            } => {
                let parsed = Scenario::parse(scenario).ok();
                let name = parsed
                    .as_ref()
                    .map_or(&Scenario::intro().name, |scenario| &scenario.name);
                let variant = variant
                    .as_ref()
                    .map_or_else(String::new, |name| format!(", variant {name}"));
                format!("{name}: {faction} against {enemy}{variant}")
            }
        };
        let game = self.game.map_or_else(String::new, |game| format!(", game {game}"));
        format!("{what}, seed {}{game}", self.seed)
    }
}
