//! From a game of an X-Wing module to a position.

use super::{Kind, Plays, Profile, Rule, count, fits, name_of, property, some_names};
use crate::{
    bridge::{position::wire, vassal::Damage},
    geometry::{Point, Pose},
    protocol::vassal::{VassalPiece, VassalSnapshot},
    xwing::{
        catalog::{Catalog, PilotFacts},
        edition::Edition,
        escort::facts::EscortFacts,
        obstacle_outlines::FoundOutline,
        size::Size,
    },
};

/// How far from its ship's base a token lies at most where the profile does not say, mm.
const WITHIN_MM: f64 = 40.0;
/// The side of ships that nobody plays, in a position.
const SOLO: &str = "solo";
/// The side of the others.
const PLAYER: &str = "player";

/// What was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Flight {
    /// The position. The ids of its objects are those of the pieces.
    pub position: wire::Position,
    /// How pixels become millimetres.
    pub scale: Scale,
    /// Tokens that lie beside ships as pieces of their own.
    pub loose: Vec<Loose>,
    /// What was filled in or left aside.
    pub notes: Vec<String>,
}

/// A token that lies beside a ship.
#[derive(Debug, Clone, PartialEq)]
pub struct Loose {
    /// Its piece; empty while that is not known.
    pub piece: String,
    /// The ship to which it belongs.
    pub ship: String,
    /// Which token, by its name in a position.
    pub token: String,
    /// Where it lies, mm.
    pub at: (f64, f64),
}

/// The play area and how pixels become millimetres on it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    /// The play area; its north-western corner is the map's.
    pub area: wire::Area,
    /// Pixels of a millimetre.
    pub pixels_per_mm: f64,
    /// How far the front of a piece's picture is from up, degrees clockwise.
    pub heading_offset: f64,
}

impl Scale {
    /// The point of the table, mm east and north of its south-western corner, that a pixel of the map shows.
    pub fn to_mm(&self, (x, y): (i32, i32)) -> (f64, f64) {
        (
            f64::from(x) / self.pixels_per_mm,
            self.area.h - f64::from(y) / self.pixels_per_mm,
        )
    }

    /// The pixel of the map that shows a point of the table, mm.
    pub fn to_pixels(&self, (x, y): (f64, f64)) -> (i32, i32) {
        (
            (x * self.pixels_per_mm).round() as i32,
            ((self.area.h - y) * self.pixels_per_mm).round() as i32,
        )
    }

    /// The heading on the table of a piece that is turned so far, degrees clockwise from north.
    pub fn to_heading(&self, turned: f64) -> f64 {
        (turned + self.heading_offset).rem_euclid(360.0)
    }

    /// How far a piece of that heading is turned.
    pub fn to_turned(&self, heading: f64) -> f64 {
        (heading - self.heading_offset).rem_euclid(360.0)
    }

    fn point(&self, piece: &VassalPiece) -> (f64, f64) {
        self.to_mm((piece.x, piece.y))
    }
}

/// Reads the position of a game.
///
/// # Errors
/// A profile for another game, or a game without ships.
pub fn flight(snapshot: &VassalSnapshot, profile: &Profile, catalog: &Catalog) -> Result<Flight, Damage> {
    let (Plays::XWing, Some(pixels_per_mm)) = (profile.game, profile.pixels_per_mm) else {
        return Err(Damage::at(
            profile.name.clone(),
            "it is a profile of Star Wars Miniatures: add --swm",
        ));
    };
    let mut notes = Vec::new();
    let scale = Scale {
        area: area(snapshot, profile, &mut notes),
        pixels_per_mm,
        heading_offset: profile.heading_offset,
    };
    let mut position = wire::Position {
        area: scale.area,
        ..wire::Position::default()
    };
    let mut tokens = Vec::new();
    let mut factions: Vec<String> = Vec::new();
    let mut aside = Vec::new();
    let mut others = Vec::new();
    for piece in snapshot.pieces.iter().filter(|piece| profile.is_table(&piece.map)) {
        let Some(rule) = profile.rule(piece) else {
            aside.push(name_of(piece).to_owned());
            continue;
        };
        match rule.kind {
            Kind::Ship => {
                if rule.edition.is_some_and(|edition| edition != catalog.edition()) {
                    others.push(called(piece, rule).to_owned());
                }
                let pilot = pilot(piece, rule, catalog, &mut notes);
                let faction = pilot.map_or("", |pilot| &pilot.faction);
                let (solo, told) = profile.side(snapshot, piece, faction);
                factions.push(told);
                let mut ship = ship(piece, rule, pilot, &scale, &mut notes);
                ship.side = if solo { SOLO } else { PLAYER }.to_owned();
                position.ships.push(ship);
            }
            Kind::Obstacle => {
                (position.obstacles).push(obstacle(piece, rule, &scale, catalog, &mut notes));
            }
            Kind::Token => tokens.push((piece, rule)),
            Kind::Figure => notes.push(format!(
                "`{}` is a figure in the profile, which no game of X-Wing has",
                name_of(piece)
            )),
            Kind::Ignore => {}
        }
    }
    if position.ships.is_empty() {
        return Err(Damage::at(
            profile.name.clone(),
            "no piece on the table is a ship by this profile; `tallyho vassal dump` lists the pieces",
        ));
    }
    let mut loose = Vec::new();
    for (piece, rule) in tokens {
        let of_pilot = |ship: &wire::Ship| catalog.ship(&ship.ship).map_or(ship.size, |facts| Some(facts.size));
        let at = scale.point(piece);
        if let Some(ship) = give_token(&mut position.ships, name_of(piece), rule, at, of_pilot, &mut notes) {
            loose.push(Loose {
                piece: piece.id.clone(),
                ship,
                token: rule.token.clone().unwrap_or_default(),
                at,
            });
        }
    }
    told_of_sides(&position.ships, factions, &mut notes);
    if !others.is_empty() {
        let (played, other) = match catalog.edition() {
            Edition::First => (Edition::First, Edition::Second),
            Edition::Second => (Edition::Second, Edition::First),
        };
        notes.push(format!(
            "pieces of the {} edition, while the {} is played: {}; what that edition does not know stands there and does nothing. \
             Add `--edition {}` to play theirs",
            other.name(),
            played.name(),
            some_names(&others),
            other.name()
        ));
    }
    if !aside.is_empty() {
        notes.push(format!(
            "left aside, as the profile has no rule for them: {}",
            some_names(&aside)
        ));
    }
    Ok(Flight {
        position,
        scale,
        loose,
        notes,
    })
}

fn area(snapshot: &VassalSnapshot, profile: &Profile, notes: &mut Vec<String>) -> wire::Area {
    let maps = snapshot.maps.iter().filter(|map| profile.is_table(&map.name));
    let boards = maps.flat_map(|map| &map.boards);
    let names: Vec<&str> = boards.map(|board| &*board.name).collect();
    let known = names
        .iter()
        .find_map(|name| profile.areas.iter().find(|area| fits(&area.board, name)));
    match known {
        Some(area) => wire::Area {
            w: area.mm[0],
            h: area.mm[1],
        },
        None => {
            notes.push(format!(
                "the profile does not say how large the board {} is; 3 feet square is taken",
                names
                    .first()
                    .map_or_else(|| "of the game".to_owned(), |name| format!("`{name}`"))
            ));
            wire::Area::default()
        }
    }
}

fn pilot<'c>(
    piece: &VassalPiece,
    rule: &Rule,
    catalog: &'c Catalog,
    notes: &mut Vec<String>,
) -> Option<&'c PilotFacts> {
    let values = rule.pilot.iter().filter_map(|name| property(piece, name));
    for value in values.filter(|value| !value.trim().is_empty()) {
        let found = catalog.find_pilots(value.trim(), None);
        if let Some(pilot) = found.first() {
            if found.len() > 1 {
                notes.push(format!(
                    "`{value}` may be any of {} pilots; `{}` of `{}` is taken",
                    found.len(),
                    pilot.xws,
                    pilot.ship
                ));
            }
            return Some(pilot);
        }
    }
    None
}

/// What a ship's piece calls its pilot.
fn called<'p>(piece: &'p VassalPiece, rule: &Rule) -> &'p str {
    let mut names = rule.pilot.iter().rev().filter_map(|name| property(piece, name));
    names.find(|name| !name.trim().is_empty()).unwrap_or(name_of(piece))
}

/// The size that an outline of such a width has, or that a name tells.
fn size(piece: &VassalPiece, scale: &Scale) -> Size {
    let width = (piece.width > 0).then(|| f64::from(piece.width) / scale.pixels_per_mm);
    let name = name_of(piece).to_lowercase();
    match width {
        Some(width) if width < 50.0 => Size::Small,
        Some(width) if width < 70.0 => Size::Medium,
        Some(_) => Size::Large,
        None if name.contains("huge") => Size::Huge,
        None if name.contains("large") => Size::Large,
        None if name.contains("medium") => Size::Medium,
        None => Size::Small,
    }
}

/// Whether a piece that is no pilot's is the shuttle of Political Escort by its name: it counts as large, whatever its picture
/// (PE-1.1).
fn is_shuttle(name: &str) -> bool {
    let shuttle = &EscortFacts::embedded().shuttle.name;
    name.to_lowercase().contains(&shuttle.to_lowercase())
}

fn ship(
    piece: &VassalPiece,
    rule: &Rule,
    pilot: Option<&PilotFacts>,
    scale: &Scale,
    notes: &mut Vec<String>,
) -> wire::Ship {
    let (x, y) = scale.point(piece);
    let name = pilot
        .map_or_else(|| called(piece, rule), |pilot| &pilot.name)
        .to_owned();
    let mut ship = wire::Ship {
        id: piece.id.clone(),
        x,
        y,
        heading: scale.to_heading(piece.heading.unwrap_or(0.0)),
        initiative: count(piece, &rule.initiative).and_then(|number| u8::try_from(number).ok()),
        ..wire::Ship::default()
    };
    match pilot {
        Some(pilot) => {
            ship.ship = pilot.ship.clone();
            ship.pilot = Some(pilot.xws.clone());
        }
        None => {
            let size = match is_shuttle(&name) {
                true => Size::Large,
                false => size(piece, scale),
            };
            if !is_shuttle(&name) {
                notes.push(format!(
                    "no pilot `{name}` is known: the ship stands there with a {} base and does nothing",
                    format!("{size:?}").to_lowercase()
                ));
            }
            ship.ship = "unknown".to_owned();
            ship.size = Some(size);
            ship.initiative = ship.initiative.or(Some(0));
            ship.dial = Some(Vec::new());
            ship.weapons = Some(Vec::new());
            ship.actions = Some(Vec::new());
        }
    }
    ship.name = Some(name);
    for (token, properties) in &rule.tokens {
        let number = count(piece, properties).unwrap_or(0).clamp(0, 99);
        match ship.tokens.count_mut(token) {
            Some(own) => *own = u32::try_from(number).unwrap_or(0),
            None => notes.push(format!("the profile names a token `{token}` that no position has")),
        }
    }
    ship
}

fn obstacle(
    piece: &VassalPiece,
    rule: &Rule,
    scale: &Scale,
    catalog: &Catalog,
    notes: &mut Vec<String>,
) -> wire::Obstacle {
    let (x, y) = scale.point(piece);
    let heading = scale.to_heading(piece.heading.unwrap_or(0.0));
    let name = name_of(piece);
    let known = rule.shape.as_deref().and_then(|shape| catalog.outlines().find(shape));
    let own = || -> Option<Vec<Point>> {
        let corners = piece.outline.iter();
        let point = |[east, south]: &[f64; 2]| Point::new(east / scale.pixels_per_mm, -south / scale.pixels_per_mm);
        (piece.outline.len() >= 3).then(|| corners.map(point).collect())
    };
    let frame = Pose::new(x, y, heading).frame();
    let (kind, points) = match (known, own()) {
        (Some(outline), _) => (outline.kind, outline.points.clone()),
        (None, Some(points)) => {
            let kind = rule
                .obstacle
                .unwrap_or_else(|| crate::xwing::obstacle_outlines::kind_of_name(name));
            (kind, points)
        }
        (None, None) => {
            let FoundOutline { outline, known } = catalog.outlines().find_or_default(name);
            if !known {
                notes.push(format!(
                    "the outline of the obstacle `{name}` is not known; a middling one is taken"
                ));
            }
            (rule.obstacle.unwrap_or(outline.kind), outline.points.clone())
        }
    };
    let points = points.into_iter().map(|point| {
        let Point { x, y } = frame.to_table(point);
        [x, y]
    });
    wire::Obstacle {
        id: piece.id.clone(),
        kind,
        points: points.collect(),
        shape: None,
        x: None,
        y: None,
        heading: None,
    }
}

/// Gives a loose token to the ship whose base it lies nearest to, and tells which that is.
fn give_token(
    ships: &mut [wire::Ship],
    name: &str,
    rule: &Rule,
    (x, y): (f64, f64),
    size: impl Fn(&wire::Ship) -> Option<Size>,
    notes: &mut Vec<String>,
) -> Option<String> {
    let Some(token) = rule.token.as_deref() else {
        notes.push(format!("the profile does not say which token `{name}` is"));
        return None;
    };
    let distance = |ship: &wire::Ship| {
        let half = size(ship).unwrap_or(Size::Small).base_mm() / 2.0;
        (ship.x - x).hypot(ship.y - y) - half
    };
    let nearest = ships.iter_mut().min_by(|one, other| {
        distance(one)
            .total_cmp(&distance(other))
            .then_with(|| one.id.cmp(&other.id))
    });
    let within = rule.within_mm.unwrap_or(WITHIN_MM);
    match nearest.filter(|ship| distance(ship) <= within) {
        Some(ship) => match ship.tokens.count_mut(token) {
            Some(count) => {
                *count += 1;
                return Some(ship.id.clone());
            }
            None => notes.push(format!("the profile names a token `{token}` that no position has")),
        },
        None => notes.push(format!("the token `{name}` lies beside no ship and is left aside")),
    }
    None
}

/// Says so where one side has no ship.
fn told_of_sides(ships: &[wire::Ship], mut factions: Vec<String>, notes: &mut Vec<String>) {
    let solo = ships.iter().filter(|ship| ship.side == SOLO).count();
    if solo > 0 && solo < ships.len() {
        return;
    }
    factions.sort();
    factions.dedup();
    let here: Vec<String> = factions.iter().map(|faction| format!("`{faction}`")).collect();
    notes.push(format!(
        "{} ship is on the side that nobody plays; say which side that is by --solo-side: here {} {}",
        if solo == 0 { "no" } else { "every" },
        if here.len() == 1 { "is" } else { "are" },
        here.join(", ")
    ));
}
