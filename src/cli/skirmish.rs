//! What a skirmish of Star Wars Miniatures is played on and by whom, as commands are told it.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::{Context as _, anyhow, bail};

use crate::{
    bridge::grid::{self, GridPosition},
    json,
    sim::skirmish::{Ground, Muster},
    swm::{options::Options, roster::Roster, squad},
    text_file,
};

/// Columns and rows of a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    width: u8,
    height: u8,
}

impl std::str::FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Size, String> {
        let parts = text.split_once(['x', 'X']);
        let number = |text: &str| text.trim().parse::<u8>().ok().filter(|size| (4..=100).contains(size));
        let size = parts.and_then(|(width, height)| {
            Some(Size {
                width: number(width)?,
                height: number(height)?,
            })
        });
        size.ok_or_else(|| "write columns and rows, 4 to 100 each, as in 24x16".to_owned())
    }
}

/// The ground of a skirmish.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct Field {
    /// Play Star Wars Miniatures: --player and --solo are then squads of stat cards, as in '2*old-republic-guard,mira'
    #[arg(long)]
    pub swm: bool,
    /// Begin with this position, figures and all, as `decide --swm` reads it (docs/swm.md)
    #[arg(long, value_name = "FILE", requires = "swm", conflicts_with_all = ["map", "size", "roster", "points", "player", "solo"])]
    pub position: Option<PathBuf>,
    /// Play on this map, a position without figures [default: one by the dice]
    #[arg(long, value_name = "FILE", requires = "swm", conflicts_with = "size")]
    pub map: Option<PathBuf>,
    /// The size of a map by the dice [default: 20x14]
    #[arg(long, value_name = "COLUMNSxROWS", requires = "swm")]
    pub size: Option<Size>,
    /// Stat cards of your own, CSV or JSON, beside those of the program
    #[arg(long, value_name = "FILE", requires = "swm")]
    pub roster: Option<PathBuf>,
    /// Squads that are not given are drawn by the dice for so many points [default: 100]
    #[arg(long, value_name = "N", requires = "swm", value_parser = clap::value_parser!(u16).range(5..=1000))]
    pub points: Option<u16>,
    /// Choices of the rules where their text is silent, as a JSON object (docs/swm.md)
    #[arg(long, value_name = "FILE", requires = "swm")]
    pub switches: Option<PathBuf>,
}

/// Refuses options that only games of ships have: by their names, and whether they are given.
///
/// # Errors
/// One of them is given.
pub fn refuse_of_ships(options: &[(&str, bool)]) -> anyhow::Result<()> {
    let given: Vec<&str> = (options.iter())
        .filter(|(_, given)| *given)
        .map(|(name, _)| *name)
        .collect();
    let (are, them) = match given.len() {
        0 => return Ok(()),
        1 => ("is an option", "it"),
        _ => ("are options", "them"),
    };
    let given = given.join(", ");
    bail!(
        "{given} {are} of games of ships: leave {them} out, or leave --swm out (docs/swm.md lists what a skirmish has)"
    )
}

/// Points of a squad that is drawn, if nothing else is said.
const POINTS: u16 = 100;

/// The size of a map by the dice, if nothing else is said.
const SIZE: Size = Size { width: 20, height: 14 };

/// Reads a position or a map.
///
/// # Errors
/// A file that cannot be read or understood.
pub fn read_position(path: &Path) -> anyhow::Result<GridPosition> {
    let text = text_file::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    grid::parse(&text).map_err(|error| anyhow!("{}: {error}", path.display()))
}

impl Field {
    /// The stat cards that squads may be made of.
    ///
    /// # Errors
    /// A file that cannot be read or understood.
    fn roster(&self) -> anyhow::Result<Roster> {
        let Some(path) = &self.roster else {
            return Ok(Roster::sample().clone());
        };
        let text = text_file::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let own = Roster::read(&text).with_context(|| path.display().to_string())?;
        Ok(own.over(Roster::sample()))
    }

    /// The ground with its squads, the choices of the rules, and what of a position was filled in or is not played.
    ///
    /// # Errors
    /// A file or a squad that cannot be used.
    pub fn ground(
        &self,
        player: Option<&str>,
        automated: Option<&str>,
    ) -> anyhow::Result<(Ground, Options, Vec<String>)> {
        let switches = match &self.switches {
            None => None,
            Some(path) => {
                let text = text_file::read(path).with_context(|| format!("cannot read {}", path.display()))?;
                let read =
                    |value| serde_json::from_value::<Options>(value).map_err(|error| json::plain(&error.to_string()));
                let options = json::read(&text).and_then(read);
                Some(options.map_err(|error| anyhow!("{}: {error}", path.display()))?)
            }
        };
        if let Some(path) = &self.position {
            let position = read_position(path)?;
            let options = switches.unwrap_or(position.options);
            return Ok((Ground::Position(position.board), options, position.warnings));
        }
        let roster = Arc::new(self.roster()?);
        let muster = |given: Option<&str>, option: &str| match given {
            Some(text) => {
                let cards = squad::read(text, &roster).with_context(|| format!("--{option}"))?;
                anyhow::Ok(Muster::Given(cards))
            }
            None => Ok(Muster::Drawn {
                roster: Arc::clone(&roster),
                points: self.points.unwrap_or(POINTS),
            }),
        };
        let (player, automated) = (muster(player, "player")?, muster(automated, "solo")?);
        let Some(path) = &self.map else {
            let size = self.size.unwrap_or(SIZE);
            let ground = Ground::Random {
                width: size.width,
                height: size.height,
                automated,
                player,
            };
            return Ok((ground, switches.unwrap_or_default(), Vec::new()));
        };
        let position = read_position(path)?;
        let ground = Ground::Map {
            map: position.board.map().clone(),
            automated,
            player,
        };
        Ok((ground, switches.unwrap_or(position.options), position.warnings))
    }
}
