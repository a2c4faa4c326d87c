//! Star Wars Miniatures positions: a map as rows of cells with the figures on it, as JSON for programs and as text for people
//! (`docs/swm.md`), and the answers to them.

use std::{collections::BTreeMap, sync::Arc};

use serde::{Deserialize, Serialize};

pub use self::{answer::Answer, text::parse as parse_text};
use crate::swm::{
    ability::Abilities,
    board::{BadBoard, Board},
    figure::{Card, DEFAULT_SPEED, Figure, Kind, Side},
    map::{Door, Map, MapError, Place},
    options::Options,
    square::{Space, Square},
};

mod answer;
mod text;

/// A position as it is written.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Wire {
    /// Names the position in answers.
    pub id: String,
    /// Rows of cells, as [`Map::read`] reads them.
    pub map: Vec<String>,
    /// Walls and doors between squares, as in `wall C4-D4`, `door C4-D4`, `open C4-D4`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub edges: Vec<String>,
    /// Figures by the letter that stands for them on the map: small letters are automated, capitals are the players'.
    pub figures: BTreeMap<String, WireFigure>,
    /// Choices of the rules that differ from the defaults.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub switches: Option<Options>,
}

/// A figure as it is written.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct WireFigure {
    /// What it is called.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Hit points now; 0: defeated.
    pub hp: Option<u16>,
    /// Hit points at the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hp_max: Option<u16>,
    /// Defense.
    pub def: Option<i16>,
    /// The bonus on the attack roll.
    pub atk: Option<i16>,
    /// Damage of a hit.
    pub dmg: Option<u16>,
    /// Squares of a move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speed: Option<u16>,
    /// Squares a side, where the map does not show it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u8>,
    /// Special abilities and Force powers, as in `Grenades 10`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub abilities: Vec<String>,
    /// Force points left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub force: Option<u16>,
    /// Whether it has activated this round.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub activated: bool,
    /// How it fights, where somebody knows better than the rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ai_type: Option<Kind>,
    /// What it costs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<u16>,
    /// Whether it is unique.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unique: bool,
    /// Whether it is alive; if not said, whatever is no Droid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub living: Option<bool>,
    /// Whether it has a commander effect.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub commander: bool,
    /// Whose it is, where the letter does not say it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<Side>,
    /// Its north-western square, where the map does not show it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<Square>,
}

/// A position that was understood.
#[derive(Debug, Clone)]
pub struct GridPosition {
    /// Names it in answers.
    pub id: String,
    /// The map with the figures.
    pub board: Board,
    /// Choices of the rules.
    pub options: Options,
    /// What was filled in or is not played.
    pub warnings: Vec<String>,
}

/// A position that cannot be used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum GridError {
    /// Not JSON of that form.
    #[error("{place}: {message}")]
    Json {
        /// The path of the field, or line and column.
        place: String,
        /// What the reader said.
        message: String,
    },
    /// A line of text that is not understood.
    #[error("line {line}: {message}")]
    Text {
        /// From 1.
        line: usize,
        /// What is wrong, and what is expected.
        message: String,
    },
    /// The map.
    #[error("map: {0}")]
    Map(#[from] MapError),
    /// A wall or a door between squares.
    #[error(
        "edges[{index}]: `{text}` is no edge: write `wall`, `door` or `open` and two neighbouring squares, as in `wall C4-D4`"
    )]
    Edge {
        /// From 0.
        index: usize,
        /// What is there.
        text: String,
    },
    /// A figure.
    #[error("figures.{id}: {message}")]
    Figure {
        /// Its letter.
        id: String,
        /// What is wrong, and what to do.
        message: String,
    },
    /// Figures that cannot stand where they do.
    #[error("{0}")]
    Board(#[from] BadBoard),
}

/// Reads a position as JSON.
///
/// # Errors
/// What cannot be used, with its place.
pub fn parse_json(text: &str) -> Result<GridPosition, GridError> {
    let deserializer = &mut serde_json::Deserializer::from_str(text);
    let mut unknown = Vec::new();
    let mut note = |path: serde_ignored::Path<'_>| unknown.push(path.to_string());
    let mut track = serde_path_to_error::Track::new();
    let tracked = serde_path_to_error::Deserializer::new(&mut *deserializer, &mut track);
    let wire: Result<Wire, _> = serde_ignored::deserialize(tracked, &mut note);
    let wire = wire
        .and_then(|wire| deserializer.end().map(|()| wire))
        .map_err(|error| {
            let path = track.path().to_string();
            GridError::Json {
                place: if path == "." { "the position".to_owned() } else { path },
                message: error.to_string(),
            }
        })?;
    let mut position = understand(wire)?;
    let notes = unknown
        .into_iter()
        .map(|path| format!("{path}: no such field; it is left aside"));
    position.warnings.extend(notes);
    Ok(position)
}

fn edge(text: &str) -> Option<(Place, Option<bool>)> {
    let mut words = text.split_whitespace();
    let (kind, squares, None) = (words.next()?, words.next()?, words.next()) else {
        return None;
    };
    let (a, b) = squares.split_once('-')?;
    let place = Map::edge_between(a.parse().ok()?, b.parse().ok()?)?;
    match kind {
        "wall" => Some((place, None)),
        "door" => Some((place, Some(false))),
        "open" => Some((place, Some(true))),
        _ => None,
    }
}

/// The block of squares that bears a figure's letter.
fn block(id: &str, squares: &[Square]) -> Result<Space, GridError> {
    let wrong = |message: String| GridError::Figure {
        id: id.to_owned(),
        message,
    };
    let side = (1..=u8::MAX)
        .find(|side| usize::from(*side) * usize::from(*side) >= squares.len())
        .unwrap_or(1);
    let at = squares[0];
    let space = Space::new(at, side);
    let whole =
        usize::from(side) * usize::from(side) == squares.len() && squares.iter().all(|square| space.contains(*square));
    if !whole {
        return Err(wrong(format!(
            "its letter stands on {} squares that make no square block; give each figure a letter of its own",
            squares.len()
        )));
    }
    Ok(space)
}

/// The position that a wire type stands for.
///
/// # Errors
/// What cannot be used, with its place.
pub fn understand(wire: Wire) -> Result<GridPosition, GridError> {
    let (mut map, cells) = Map::read(wire.map.iter().map(String::as_str))?;
    for (index, text) in wire.edges.iter().enumerate() {
        let bad = || GridError::Edge {
            index,
            text: text.clone(),
        };
        let (place, door) = edge(text).ok_or_else(bad)?;
        let (Place::East(square) | Place::South(square) | Place::Square(square)) = place;
        if !map.contains(square) {
            return Err(bad());
        }
        match door {
            None => map.add_wall(place),
            Some(open) => map.add_door(Door {
                place,
                open,
                stays: false,
            }),
        }
    }
    let mut standing: BTreeMap<String, Vec<Square>> = BTreeMap::new();
    for (letter, square) in cells {
        standing.entry(letter.to_string()).or_default().push(square);
    }
    let mut warnings = Vec::new();
    let mut figures = Vec::new();
    let mut given = wire.figures;
    for id in standing.keys() {
        if !given.contains_key(id) {
            warnings.push(format!(
                "figures.{id}: nothing is said about it; it is taken for a figure of 10/14/+4/10"
            ));
            given.insert(id.clone(), WireFigure::default());
        }
    }
    for (id, figure) in given {
        let shown = standing.get(&id).map(|squares| block(&id, squares)).transpose()?;
        figures.push(self::figure(&id, &figure, shown, &mut warnings)?);
    }
    Ok(GridPosition {
        id: wire.id,
        board: Board::new(map, figures)?,
        options: wire.switches.unwrap_or_default(),
        warnings,
    })
}

fn figure(id: &str, wire: &WireFigure, shown: Option<Space>, warnings: &mut Vec<String>) -> Result<Figure, GridError> {
    let wrong = |message: &str| GridError::Figure {
        id: id.to_owned(),
        message: message.to_owned(),
    };
    let by_letter = match id.chars().next() {
        Some(letter) if letter.is_lowercase() => Some(Side::Automated),
        Some(letter) if letter.is_uppercase() => Some(Side::Player),
        _ => None,
    };
    let side = wire.side.or(by_letter).ok_or_else(|| {
        wrong("the letter does not say whose it is: give `side` as automated or player, or take a letter")
    })?;
    let abilities: Vec<_> = wire
        .abilities
        .iter()
        .map(|text| Abilities::embedded().read(text))
        .collect();
    for ability in abilities.iter().filter(|ability| !ability.known) {
        warnings.push(format!(
            "figures.{id}: the ability {ability} is not known: carry it out by hand"
        ));
    }
    let fallback = Card::default();
    let hit_points = wire.hp.unwrap_or(fallback.hit_points);
    let at = match (wire.at, shown) {
        (Some(at), _) => at,
        (None, Some(space)) => space.at,
        (None, None) if hit_points == 0 => Square::new(0, 0),
        (None, None) => {
            return Err(wrong(
                "it is not on the map: put its letter there, or give `at` as a square",
            ));
        }
    };
    let size = wire.size.or(shown.map(|space| space.size)).unwrap_or(1);
    if !(1..=12).contains(&size) {
        return Err(wrong("`size` is 1 to 12 squares a side"));
    }
    let droid = abilities.iter().any(|ability| ability.name == "Droid");
    let card = Card {
        name: wire.name.clone(),
        size,
        speed: wire.speed.unwrap_or(DEFAULT_SPEED),
        hit_points: wire.hp_max.unwrap_or(hit_points).max(1),
        defense: wire.def.unwrap_or(fallback.defense),
        attack: wire.atk.unwrap_or(fallback.attack),
        damage: wire.dmg.unwrap_or(fallback.damage),
        cost: wire.cost.unwrap_or(0),
        unique: wire.unique,
        living: wire.living.unwrap_or(!droid),
        commander: wire.commander,
        abilities,
        kind: wire.ai_type,
    };
    let mut figure = Figure::new(id, side, Arc::new(card), at);
    figure.hit_points = hit_points;
    figure.activated = wire.activated;
    if let Some(force) = wire.force {
        figure.force = force;
    }
    Ok(figure)
}
