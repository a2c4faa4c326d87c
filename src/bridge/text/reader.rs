//! From text to the wire type of positions, with the place of every word.

mod ship;

use std::collections::HashMap;

use super::{
    TextError,
    token::{Spot, Word, Words},
    words::{self, meaning},
};
use crate::{
    bridge::position::wire::{Area, Marker, Obstacle, Position, Roll},
    xwing::{edition::FirstEditionOptions, obstacle::ObstacleKind},
};

/// What may begin a line, for the error of a line that begins otherwise.
const LINES: &str =
    "id, edition, rules, area, ship, asteroid, debris, gascloud, point, active, forced, roll, tag or # for a comment";

/// Where each part of a position stands in the text, by its path in the wire type.
#[derive(Debug, Default)]
pub(super) struct Places(HashMap<String, Spot>);

impl Places {
    fn note(&mut self, path: String, word: &Word<'_>) {
        self.0.insert(path, word.spot);
    }

    /// The spot of a path, or of the nearest part around it.
    pub(super) fn find(&self, path: &str) -> Spot {
        let mut path = path;
        loop {
            if let Some(spot) = self.0.get(path) {
                return *spot;
            }
            match path.rfind(['.', '[']) {
                Some(end) => path = &path[..end],
                None => return Spot { line: 1, column: 1 },
            }
        }
    }
}

/// Reads a whole text.
pub(super) fn read(text: &str) -> Result<(Position, Places), TextError> {
    let mut position = Position::default();
    let mut places = Places::default();
    for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let mut words = Words::new(line, index + 1);
        let Some(first) = words.next()? else { continue };
        match &*first.text {
            "id" => position.id = single(&mut words, "a name for the position", "id", &mut places)?,
            "edition" => {
                let word = words.expect("the edition, first or second")?;
                places.note("edition".to_owned(), &word);
                let edition = meaning(&word.text, words::EDITIONS).map_err(|message| word.error(message))?;
                position.edition = Some(edition);
            }
            "rules" => {
                places.note("rules".to_owned(), &first);
                rules(position.rules.get_or_insert_default(), &mut words)?;
            }
            "area" => position.area = area(&mut words, &mut places)?,
            "ship" => {
                let path = format!("ships[{}]", position.ships.len());
                places.note(path.clone(), &first);
                position.ships.push(ship::read(&mut words, &path, &mut places)?);
            }
            "point" => {
                let path = format!("points[{}]", position.points.len());
                places.note(path.clone(), &first);
                let id = words.expect("the point's id")?;
                places.note(format!("{path}.id"), &id);
                let place = words.expect("its place as x,y")?;
                let (x, y) = pair(&place, ',')?;
                places.note(format!("{path}.x"), &place);
                places.note(format!("{path}.y"), &place);
                position.points.push(Marker {
                    id: id.text.into_owned(),
                    x,
                    y,
                });
            }
            "active" => position.active = Some(single(&mut words, "a ship's id", "active", &mut places)?),
            "forced" => {
                position.forced_tally = Some(single(&mut words, "an object's id", "forced_tally", &mut places)?);
            }
            "roll" => {
                let word = words.expect("the dice as defence/attack, as in evade/hit")?;
                let (defence, attack) = words::roll(&word.text).map_err(|message| word.error(message))?;
                position.roll = Roll { defence, attack };
            }
            "tag" => {
                while let Some(word) = words.next()? {
                    position.tags.push(word.text.into_owned());
                }
            }
            other => match meaning(other, words::OBSTACLES) {
                Ok(kind) => {
                    let path = format!("obstacles[{}]", position.obstacles.len());
                    places.note(path.clone(), &first);
                    position.obstacles.push(obstacle(kind, &mut words, &path, &mut places)?);
                }
                Err(_) if other.contains(['/', '*', '+']) => {
                    return Err(first.error(
                        "a squad is typed so (`tallyho squad check`, `play`, `sim`); a position has a line a ship, with its \
                         place, as in `ship A xwing solo 457,300 @0 pilot rookiepilot`",
                    ));
                }
                Err(_) => return Err(first.error(format!("no line begins so; expected {LINES}"))),
            },
        }
        words.end()?;
    }
    Ok((position, places))
}

/// `rules NAME NAME=off ...`: options of the first edition, each switched on unless it says `=off`.
fn rules(options: &mut FirstEditionOptions, words: &mut Words<'_>) -> Result<(), TextError> {
    let mut next = Some(words.expect("an option of the first edition, as in rulebook2012")?);
    while let Some(word) = next {
        let (name, on) = match word.text.split_once('=') {
            None | Some((_, "on")) => (word.text.split('=').next().unwrap_or_default(), true),
            Some((name, "off")) => (name, false),
            Some(_) => return Err(word.error("expected an option alone, or with =on or =off behind it")),
        };
        options
            .switch(name, on)
            .map_err(|error| word.error(format!("no such option: {error}")))?;
        next = words.next()?;
    }
    Ok(())
}

fn single(words: &mut Words<'_>, what: &str, path: &str, places: &mut Places) -> Result<String, TextError> {
    let word = words.expect(what)?;
    places.note(path.to_owned(), &word);
    Ok(word.text.into_owned())
}

fn area(words: &mut Words<'_>, places: &mut Places) -> Result<Area, TextError> {
    let word = words.expect("the play area as width x height, as in 914.4x914.4")?;
    places.note("area".to_owned(), &word);
    let (w, h) = pair(&word, 'x')?;
    Ok(Area { w, h })
}

/// `asteroid ID SHAPE X,Y @TURN` or `asteroid ID points X,Y X,Y X,Y ...`.
fn obstacle(kind: ObstacleKind, words: &mut Words<'_>, path: &str, places: &mut Places) -> Result<Obstacle, TextError> {
    let id = words.expect("the obstacle's id")?;
    places.note(format!("{path}.id"), &id);
    let mut obstacle = Obstacle {
        id: id.text.into_owned(),
        kind,
        points: Vec::new(),
        shape: None,
        x: None,
        y: None,
        heading: None,
    };
    let shape = words.expect("`points` or a known outline's id, as in coreasteroid0")?;
    if !shape.quoted && shape.text == "points" {
        places.note(format!("{path}.points"), &shape);
        while let Some(corner) = words.next()? {
            places.note(format!("{path}.points[{}]", obstacle.points.len()), &corner);
            let (x, y) = pair(&corner, ',')?;
            obstacle.points.push([x, y]);
        }
        return Ok(obstacle);
    }
    places.note(format!("{path}.shape"), &shape);
    obstacle.shape = Some(shape.text.into_owned());
    let place = words.expect("its place as x,y")?;
    let (x, y) = place_on(
        &place,
        match kind {
            ObstacleKind::Asteroid => "asteroid ID OUTLINE X,Y @TURN",
            ObstacleKind::Debris => "debris ID OUTLINE X,Y @TURN",
            ObstacleKind::GasCloud => "gascloud ID OUTLINE X,Y @TURN",
        },
    )?;
    places.note(format!("{path}.x"), &place);
    places.note(format!("{path}.y"), &place);
    (obstacle.x, obstacle.y) = (Some(x), Some(y));
    if let Some(turn) = words.next()? {
        places.note(format!("{path}.heading"), &turn);
        obstacle.heading = Some(heading(&turn)?);
    }
    Ok(obstacle)
}

/// Two numbers with a letter between them.
fn pair(word: &Word<'_>, between: char) -> Result<(f64, f64), TextError> {
    let numbers = word.text.split_once(between);
    let parsed = numbers.and_then(|(first, second)| Some((number(first)?, number(second)?)));
    parsed.ok_or_else(|| {
        let example = match between {
            ',' => "a place as x,y in millimetres without a space, as in 457,300.5",
            _ => "width x height in millimetres without a space, as in 914.4x914.4",
        };
        word.error(format!("expected {example}"))
    })
}

/// A place within a line of that shape; the shape tells which word was forgotten.
fn place_on(word: &Word<'_>, line: &str) -> Result<(f64, f64), TextError> {
    pair(word, ',').map_err(|mut error| {
        error.message.push_str(&format!("; such a line is `{line}`"));
        error
    })
}

fn number(text: &str) -> Option<f64> {
    // `parse` would also take `inf` and `nan`, which are no places.
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

fn heading(word: &Word<'_>) -> Result<f64, TextError> {
    let degrees = word.text.strip_prefix('@').and_then(number);
    degrees.ok_or_else(|| word.error("expected @ and a heading in degrees clockwise from north, as in @90"))
}
