//! Who meets whom, as `tallyho sim` and `tallyho balance` are told.

use std::path::{Path, PathBuf};

use anyhow::Context as _;

use super::super::{Failure, GlobalOptions, files::Files, scenario};
use crate::{
    dice::SeededDice,
    record::Start,
    sim::{Plan, balance::Ground, draw::Pool, field::Field, squad},
    xwing::{
        battle::Mission,
        catalog::Catalog,
        edition::Edition,
        scenario::{Scenario, muster::Wishes},
        squad::{Squad, xws},
    },
};

/// The word for every faction or variant there is.
const ALL: &str = "all";

/// Who meets whom, and where.
#[derive(Debug, Clone, clap::Args)]
pub struct Meeting {
    /// Play this scenario: `intro`, `mirror`, `starter` (first edition), or a scenario file [default: two lines that face each other]
    #[arg(long, value_name = "NAME|FILE")]
    scenario: Option<String>,
    /// The player's faction in a scenario, by xws id or name, or `all`
    #[arg(long, value_name = "FACTION", requires = "scenario")]
    faction: Option<String>,
    /// The solo side's faction in a scenario, or `all` [default: galacticempire, against it rebelalliance]
    #[arg(long, value_name = "FACTION", requires = "scenario")]
    enemy: Option<String>,
    /// A variant of the scenario, or `all`, the plain game included
    #[arg(long, value_name = "NAME", requires = "scenario")]
    variant: Option<String>,
    /// Every faction against every faction in every variant
    #[arg(long, requires = "scenario", conflicts_with_all = ["faction", "enemy", "variant", "squad", "enemy_squad"])]
    every_faction: bool,
    /// Player ships in a scenario [default: as the scenario says]
    #[arg(long, value_name = "N", requires = "scenario", conflicts_with = "squad")]
    players: Option<u32>,
    /// Take this ship type where a faction has a choice: SHIP, or GROUP=SHIP (repeatable)
    #[arg(long, value_name = "[GROUP=]SHIP", requires = "scenario")]
    take: Vec<String>,
    /// Fly the ace of the `ace` variant by this Quick Build card
    #[arg(long, value_name = "CARD", requires = "variant")]
    ace: Option<String>,
    /// The player's squad, an XWS file, in place of the scenario's or of --player
    #[arg(long, value_name = "FILE", conflicts_with_all = ["player", "faction"])]
    squad: Option<PathBuf>,
    /// The solo side's squad, an XWS file, in place of the scenario's or of --solo
    #[arg(long, value_name = "FILE", conflicts_with_all = ["solo", "enemy"])]
    enemy_squad: Option<PathBuf>,
    /// Draw both squads of two lines anew for each game, of one faction each, for so many points
    #[arg(long, value_name = "POINTS", conflicts_with_all = ["scenario", "player", "solo", "squad", "enemy_squad"], value_parser = clap::value_parser!(u32).range(1..=1000))]
    drawn: Option<u32>,
    /// The player's squad of two lines [default: 2*t65xwing; first edition: 2*xwing; --escort: 4*xwing/rookiepilot], for --escort
    /// or an XWS file
    #[arg(long, value_name = "SQUAD", conflicts_with = "scenario")]
    player: Option<String>,
    /// The solo side's squad of two lines [default: 4*tielnfighter; first edition: 4*tiefighter; --escort:
    /// 8*tiefighter/academypilot], for --escort or an XWS file
    #[arg(long, value_name = "SQUAD", conflicts_with = "scenario")]
    solo: Option<String>,
}

/// The squads of two lines where none are given.
const fn usual(edition: Edition) -> [&'static str; 2] {
    match edition {
        Edition::Second => ["2*t65xwing", "4*tielnfighter"],
        Edition::First => ["2*xwing", "4*tiefighter"],
    }
}

/// What a meeting comes to, read and looked up.
#[derive(Debug)]
pub struct Asked {
    /// The scenario, if one is played.
    pub scenario: Option<Scenario>,
    /// The player's squad file, if one is given.
    pub squad: Option<Squad>,
    /// What is wished for in a scenario: each is a meeting of its own.
    pub wishes: Vec<Wishes>,
}

impl Meeting {
    /// The files that are read.
    pub(in crate::cli) fn files(&self, global: &GlobalOptions) -> Files {
        Files::of(global)
            .reads("--scenario", self.scenario.as_deref().map(Path::new))
            .reads("--squad", self.squad.as_deref())
            .reads("--enemy-squad", self.enemy_squad.as_deref())
    }

    /// The squads of both sides, the player's first, where they are given.
    pub fn squads(&self) -> (Option<&str>, Option<&str>) {
        (self.player.as_deref(), self.solo.as_deref())
    }

    /// Options that a skirmish of figures does not have, and whether they are given.
    pub fn of_ships(&self) -> [(&'static str, bool); 11] {
        [
            ("--scenario", self.scenario.is_some()),
            ("--faction", self.faction.is_some()),
            ("--enemy", self.enemy.is_some()),
            ("--variant", self.variant.is_some()),
            ("--every-faction", self.every_faction),
            ("--players", self.players.is_some()),
            ("--take", !self.take.is_empty()),
            ("--ace", self.ace.is_some()),
            ("--squad", self.squad.is_some()),
            ("--enemy-squad", self.enemy_squad.is_some()),
            ("--drawn", self.drawn.is_some()),
        ]
    }

    fn player(&self, catalog: &Catalog) -> &str {
        self.player.as_deref().unwrap_or(usual(catalog.edition())[0])
    }

    fn solo(&self, catalog: &Catalog) -> &str {
        self.solo.as_deref().unwrap_or(usual(catalog.edition())[1])
    }

    /// Reads the files that are named and looks up what `all` means.
    ///
    /// # Errors
    /// A file that cannot be read, or a scenario that is not there.
    pub fn asked(&self, catalog: &Catalog) -> anyhow::Result<Asked> {
        let read = |path: &Option<PathBuf>| {
            let squad = path.as_deref().map(|path| scenario::read_squad(path, catalog));
            squad.transpose()
        };
        let (squad, enemy_squad) = (read(&self.squad)?, read(&self.enemy_squad)?);
        let scenario = self.scenario.as_deref().map(|name| scenario::scenario(name, catalog));
        let Some(scenario) = scenario.transpose()? else {
            return Ok(Asked {
                scenario: None,
                squad,
                wishes: Vec::new(),
            });
        };
        let only = scenario.only_faction().filter(|_| !self.every_faction);
        let faction = self.faction.as_deref().or(only);
        if faction.is_none() && squad.is_none() && !self.every_faction {
            return Err(Failure::with(
                2,
                "give the player's --faction (or `all`), a --squad, or --every-faction".to_owned(),
            ));
        }
        let every = || {
            scenario
                .squads
                .iter()
                .map(|squad| squad.faction.clone())
                .collect::<Vec<_>>()
        };
        let factions = match (&squad, faction) {
            (Some(squad), _) => vec![squad.faction.clone()],
            (None, Some(faction)) if faction != ALL => vec![faction.to_owned()],
            _ => every(),
        };
        let variants: Vec<Option<String>> = match self.variant.as_deref() {
            None if !self.every_faction => vec![None],
            Some(variant) if variant != ALL => vec![Some(variant.to_owned())],
            _ => std::iter::once(None)
                .chain(scenario.variants.iter().map(|variant| Some(variant.id.clone())))
                .collect(),
        };
        let mut wishes = Vec::new();
        for variant in &variants {
            for faction in &factions {
                let enemies = match (self.enemy.as_deref(), self.every_faction) {
                    (Some(enemy), _) if enemy != ALL => vec![enemy.to_owned()],
                    (None, false) if xws::faction(faction) == Some("galacticempire") => {
                        vec!["rebelalliance".to_owned()]
                    }
                    (None, false) => vec!["galacticempire".to_owned()],
                    _ => every(),
                };
                wishes.extend(enemies.into_iter().map(|enemy| Wishes {
                    faction: faction.clone(),
                    enemy,
                    player_ships: self.players.unwrap_or(scenario.player_ships.usual),
                    variant: variant.clone(),
                    take: self.take.clone(),
                    ace: self.ace.clone(),
                    squad: squad.clone(),
                    enemy_squad: enemy_squad.clone(),
                }));
            }
        }
        Ok(Asked {
            scenario: Some(scenario),
            squad,
            wishes,
        })
    }

    /// The meetings.
    ///
    /// # Errors
    /// What cannot be read, and ships that the scenario or the catalog does not have.
    pub fn fields(&self, catalog: &Catalog) -> anyhow::Result<Vec<Field>> {
        let asked = self.asked(catalog)?;
        if let Some(scenario) = &asked.scenario {
            let fields = asked.wishes.iter().map(|wishes| {
                let mission = Mission::new(scenario.clone(), catalog, wishes)?;
                Ok(Field::mission(mission))
            });
            return fields.collect();
        }
        if let Some(points) = self.drawn {
            let pool = Pool::of(catalog, points);
            let none = || {
                Failure::with(
                    2,
                    format!("--drawn: no ship of the catalog costs {points} points or less"),
                )
            };
            return Ok(vec![Field::drawn(pool.ok_or_else(none)?)]);
        }
        let read = |option: &str, text: &str| {
            squad::read(text, catalog).map_err(|error| Failure::with(2, format!("--{option}: {error}")))
        };
        let player = match &asked.squad {
            Some(squad) => {
                squad::of_squad(squad, catalog).map_err(|error| Failure::with(2, format!("--squad: {error}")))?
            }
            None => read("player", self.player(catalog))?,
        };
        let solo = match &self.enemy_squad {
            Some(path) => {
                let squad = scenario::read_squad(path, catalog)?;
                squad::of_squad(&squad, catalog).map_err(|error| Failure::with(2, format!("--enemy-squad: {error}")))?
            }
            None => read("solo", self.solo(catalog))?,
        };
        let name = |own: &str, file: &Option<PathBuf>| match file {
            Some(path) => path.display().to_string(),
            None => own.to_owned(),
        };
        let sides = [
            name(self.player(catalog), &self.squad),
            name(self.solo(catalog), &self.enemy_squad),
        ];
        Ok(vec![Field::lines(sides, player, solo)])
    }

    /// The player's side alone, with its points if all prices are known, for enemies of a faction.
    ///
    /// # Errors
    /// What cannot be read, and `all` where one squad is meant.
    pub fn one_side(&self, catalog: &Catalog, against: &str) -> anyhow::Result<(Ground, Option<u32>)> {
        if self.drawn.is_some() {
            return Err(Failure::with(
                2,
                "--drawn names no squad: give one with --player or --squad".to_owned(),
            ));
        }
        let asked = self.asked(catalog)?;
        let sum = |points: Vec<Option<u32>>| points.into_iter().sum::<Option<u32>>();
        let Some(scenario) = asked.scenario else {
            let player = match &asked.squad {
                Some(squad) => squad::of_squad(squad, catalog),
                None => squad::read(self.player(catalog), catalog),
            };
            let player = player.map_err(|error| Failure::with(2, error.to_string()))?;
            let points = sum(player.iter().map(|member| member.points()).collect());
            return Ok((Ground::Lines(player), points));
        };
        let [wishes] = &asked.wishes[..] else {
            return Err(Failure::with(
                2,
                "give one faction and one variant, not `all`".to_owned(),
            ));
        };
        let wishes = Wishes {
            enemy: against.to_owned(),
            ..wishes.clone()
        };
        let field = Field::mission(Mission::new(scenario.clone(), catalog, &wishes)?);
        let start = field.open(&Plan::of(Vec::new()), 0, &mut SeededDice::new(0))?;
        let own = start.entrants.iter().filter(|entrant| entrant.side == 0);
        let points = sum(own.map(|entrant| entrant.points).collect());
        Ok((Ground::Scenario(Box::new(scenario), Box::new(wishes)), points))
    }

    /// What a record says of each of the meetings, in their order.
    ///
    /// # Errors
    /// What cannot be read.
    pub fn starts(&self, catalog: &Catalog) -> anyhow::Result<Vec<Start>> {
        let text = |path: &Option<PathBuf>| {
            let read = path.as_deref().map(|path| {
                let read = crate::text_file::read(path);
                read.with_context(|| format!("cannot read {}", path.display()))
            });
            read.transpose()
        };
        let (squad, enemy_squad) = (text(&self.squad)?, text(&self.enemy_squad)?);
        let asked = self.asked(catalog)?;
        let Some(name) = &self.scenario else {
            return Ok(vec![Start::Squads {
                player: squad.unwrap_or_else(|| self.player(catalog).to_owned()),
                solo: enemy_squad.unwrap_or_else(|| self.solo(catalog).to_owned()),
            }]);
        };
        let scenario = match Scenario::named(name, catalog.edition()) {
            Some(known) => known.id.clone(),
            None => text(&Some(PathBuf::from(name)))?.unwrap_or_default(),
        };
        let start = |wishes: Wishes| Start::Scenario {
            scenario: scenario.clone(),
            faction: wishes.faction,
            enemy: wishes.enemy,
            player_ships: wishes.player_ships,
            variant: wishes.variant,
            ace: wishes.ace,
            take: wishes.take,
            squad: squad.clone(),
            enemy_squad: enemy_squad.clone(),
        };
        Ok(asked.wishes.into_iter().map(start).collect())
    }

    /// What is played, in words.
    pub fn title(&self) -> String {
        match &self.scenario {
            Some(scenario) => format!("scenario {scenario}"),
            None => "two lines".to_owned(),
        }
    }
}
