//! Star Wars Miniatures positions: a map as rows of cells with the figures on it, as JSON for programs and as text for people
//! (`docs/swm.md`), and the answers to them.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use serde::{Deserialize, Serialize};

use self::lenient::Notes;
pub use self::{
    answer::Answer,
    text::parse as parse_text,
    write::{of_card, write},
};
use crate::{
    json,
    swm::{
        ability::{Abilities, Ability, Effect},
        board::{BadBoard, Board},
        figure::{Card, DEFAULT_SPEED, Figure, Kind, Modifiers, Side},
        map::{Door, Map, MapError, Place},
        options::Options,
        square::{Base, Space, Square},
        token::{Sighting, Token, reveal},
    },
    visible::{steers, visible},
};

mod answer;
mod lenient;
mod post;
mod text;
mod write;

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
    /// Trigger tokens that lie face down.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tokens: Vec<WireToken>,
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
    /// The squares that it takes up, where the map does not show it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<Base>,
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
    /// What commander effects and others add to its numbers now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modifiers: Option<Modifiers>,
}

/// A trigger token as it is written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WireToken {
    /// Where it lies.
    pub at: Square,
    /// Letters of the figures that come in when it is seen. They are described with the others, but not on the map.
    pub figures: Vec<String>,
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
    /// Trigger tokens that a player figure sees: their figures have come in.
    pub sightings: Vec<Sighting>,
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

/// A warning of a position as somebody reads it who has typed no JSON: `a: ...` in place of `figures.a: ...`.
pub fn spoken(warning: &str) -> &str {
    warning.strip_prefix("figures.").unwrap_or(warning)
}

/// Reads a position: JSON when it begins with `{`, else text.
///
/// # Errors
/// What cannot be used, with its place.
pub fn parse(text: &str) -> Result<GridPosition, GridError> {
    match text.trim_start_matches('\u{feff}').trim_start().starts_with('{') {
        true => parse_json(text),
        false => parse_text(text),
    }
}

/// Reads a position as JSON.
///
/// # Errors
/// What cannot be used, with its place.
pub fn parse_json(text: &str) -> Result<GridPosition, GridError> {
    let value = json::read(text.trim_start_matches('\u{feff}')).map_err(|message| GridError::Json {
        place: "the position".to_owned(),
        message,
    })?;
    let mut notes = Notes::default();
    let value = lenient::position(value, &mut notes)?;
    let mut unknown = Vec::new();
    let mut note = |path: serde_ignored::Path<'_>| unknown.push(path.to_string());
    let mut track = serde_path_to_error::Track::new();
    let tracked = serde_path_to_error::Deserializer::new(value, &mut track);
    let wire: Result<Wire, _> = serde_ignored::deserialize(tracked, &mut note);
    let wire = wire.map_err(|error| {
        let path = track.path().to_string();
        GridError::Json {
            place: if path == "." { "the position".to_owned() } else { path },
            message: json::plain(&error.to_string()),
        }
    })?;
    let mut position = understand(wire)?;
    let unknown = (unknown.into_iter()).map(|path| format!("{path}: no such field; it is left aside"));
    position.warnings.extend(notes.0.into_iter().chain(unknown));
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
    let at = squares[0];
    let farthest = |of: fn(&Square) -> u8| squares.iter().map(of).max().unwrap_or_default();
    let least = squares.iter().map(|square| square.column).min().unwrap_or_default();
    let base = Base {
        wide: farthest(|square| square.column) - least + 1,
        high: farthest(|square| square.row) - at.row + 1,
    };
    let space = Space::new(at, base);
    let whole = base.squares() == squares.len() && squares.iter().all(|square| space.contains(*square));
    if !whole {
        return Err(wrong(format!(
            "its letter stands on {} squares that make no block; give each figure a letter of its own",
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
    let mut figures: Vec<Figure> = Vec::new();
    let mut given = wire.figures;
    let options = wire.switches.unwrap_or_default();
    map.set_adjacent_past_corners(options.adjacent_past_corners);
    let hidden: BTreeSet<&String> = wire.tokens.iter().flat_map(|token| &token.figures).collect();
    let mut waiting: BTreeMap<String, Figure> = BTreeMap::new();
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
        if let (Some(at), Some(space)) = (figure.at, &shown)
            && at != space.at
        {
            let message = format!(
                "its letter stands on {}, and `at` says {at}: leave one of them out",
                space.at
            );
            return Err(GridError::Figure { id, message });
        }
        let shown = match hidden.contains(&id) {
            // Where it will stand is not known yet.
            true if shown.is_none() => wire
                .tokens
                .iter()
                .find(|token| token.figures.contains(&id))
                .map(|token| Space::new(token.at, figure.size.unwrap_or_default())),
            _ => shown,
        };
        if shown.is_none() && figure.at.is_none() && figure.hp != Some(0) {
            warnings.push(format!("figures.{id}: it is not on the map: it takes no part"));
            continue;
        }
        let understood = self::figure(&id, &figure, shown, &mut warnings)?;
        let misplaced = match (hidden.contains(&id), understood.side) {
            (true, Side::Player) => Some("a token names it, but only automated figures wait under tokens"),
            (true, _) if standing.contains_key(&id) => Some("a token names it, but it is on the map already"),
            _ => None,
        };
        if let Some(message) = misplaced {
            let message = message.to_owned();
            return Err(GridError::Figure { id, message });
        }
        match hidden.contains(&id) {
            true => drop(waiting.insert(id, understood)),
            false => figures.push(understood),
        }
    }
    let mut board = Board::new(map, figures)?;
    for token in &wire.tokens {
        let mut come = Vec::new();
        for id in &token.figures {
            let missing = || GridError::Figure {
                id: id.clone(),
                message: "a token names it, but nothing is said about it, or two tokens name it".to_owned(),
            };
            come.push(waiting.remove(id).ok_or_else(missing)?);
        }
        board.add_token(Token {
            at: token.at,
            figures: come,
        })?;
    }
    let sightings = reveal(&mut board);
    for sighting in &sightings {
        let come: Vec<String> = sighting
            .figures
            .iter()
            .map(|(id, at)| format!("{id} at {at}"))
            .collect();
        warnings.push(format!(
            "{} sees the token at {}: {} come in",
            sighting.by,
            sighting.at,
            come.join(", ")
        ));
        for id in &sighting.left_out {
            warnings.push(format!("figures.{id}: there is no room for it on the map"));
        }
    }
    Ok(GridPosition {
        id: visible(&wire.id),
        board,
        options,
        sightings,
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
    within_bounds(wire).map_err(|message| wrong(&message))?;
    if id.chars().any(steers) {
        return Err(GridError::Figure {
            id: visible(id),
            message: "its letter has a character in it that is not seen: take another one".to_owned(),
        });
    }
    let mut abilities: Vec<_> = wire
        .abilities
        .iter()
        .map(|text| Abilities::embedded().read(&visible(text)))
        .collect();
    for ability in abilities.iter().filter(|ability| !ability.known) {
        warnings.push(format!(
            "figures.{id}: the ability {ability} is not known: carry it out by hand"
        ));
    }
    // Who has Force points has a Force rating.
    let rated = |ability: &Ability| ability.effects.iter().any(|effect| matches!(effect, Effect::Force(_)));
    if let Some(points) = wire.force.filter(|points| *points > 0)
        && !abilities.iter().any(rated)
    {
        abilities.push(Abilities::embedded().read(&format!("Force {points}")));
    }
    let fallback = Card::default();
    let hit_points = wire.hp.unwrap_or(fallback.hit_points);
    let at = match (wire.at, shown) {
        (Some(at), _) => at,
        (None, Some(space)) => space.at,
        // Defeated: it stands nowhere.
        (None, None) => Square::new(0, 0),
    };
    let size = wire.size.or(shown.map(|space| space.base)).unwrap_or_default();
    let droid = abilities.iter().any(|ability| ability.name == "Droid");
    let card = Card {
        name: visible(&wire.name),
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
    figure.modifiers = wire.modifiers.unwrap_or_default();
    Ok(figure)
}

/// The most that a number of a card may be, far beyond all printed ones: sums of them stay numbers.
const MOST: i64 = 9990;
/// The most squares of a single move.
const MOST_SPEED: i64 = 100;

/// Whether all numbers of a figure are such as cards have.
fn within_bounds(wire: &WireFigure) -> Result<(), String> {
    let modifiers = wire.modifiers.unwrap_or_default();
    let numbers = [
        ("hp", wire.hp.map(i64::from), MOST),
        ("hp_max", wire.hp_max.map(i64::from), MOST),
        ("def", wire.def.map(i64::from), MOST),
        ("atk", wire.atk.map(i64::from), MOST),
        ("dmg", wire.dmg.map(i64::from), MOST),
        ("force", wire.force.map(i64::from), MOST),
        ("speed", wire.speed.map(i64::from), MOST_SPEED),
        ("modifiers: attack", Some(modifiers.attack.into()), MOST),
        ("modifiers: defense", Some(modifiers.defense.into()), MOST),
        ("modifiers: damage", Some(modifiers.damage.into()), MOST),
        ("modifiers: speed", Some(modifiers.speed.into()), MOST_SPEED),
    ];
    let beyond = |number: &i64, most: i64| !(-most..=most).contains(number);
    for (field, number, most) in numbers {
        if let Some(number) = number.filter(|number| beyond(number, most)) {
            return Err(format!("{field}: {number} is beyond {most}"));
        }
    }
    Ok(())
}
