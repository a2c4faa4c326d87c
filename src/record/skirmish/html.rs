//! A skirmish as one page for a browser that needs no network and no other file.

use serde::Serialize;

use super::course::Moment;
use crate::{
    record::course::Course,
    render,
    swm::{
        figure::{Figure, Side},
        map::Place,
    },
};

const PAGE: &str = include_str!("page.html");

#[derive(Serialize)]
struct Shown<'c> {
    round: u32,
    heading: &'c str,
    by: &'c str,
    sentence: &'c str,
    reasons: Vec<(&'c str, &'c str, Vec<[String; 3]>)>,
    dice: &'c [String],
    events: &'c [String],
    figure: &'c str,
    figures: Vec<Stands<'c>>,
    /// The doors that are open.
    open: Vec<usize>,
}

/// How a figure stands: only what changes.
#[derive(Serialize)]
struct Stands<'c> {
    id: &'c str,
    column: u8,
    row: u8,
    hp: u16,
    force: u16,
    activated: bool,
}

#[derive(Serialize)]
struct Known<'c> {
    id: &'c str,
    name: &'c str,
    automated: bool,
    /// Squares from west to east and from north to south.
    wide: u8,
    high: u8,
    hp: u16,
    says: String,
}

#[derive(Serialize)]
struct Data<'c> {
    title: &'c str,
    notes: &'c [String],
    square: f64,
    margin: f64,
    figures: Vec<Known<'c>>,
    /// Ends of each door, in squares.
    doors: Vec<[f64; 4]>,
    moments: Vec<Shown<'c>>,
}

fn known(figure: &Figure) -> Known<'_> {
    let card = &figure.card;
    let abilities: Vec<String> = card.abilities.iter().map(ToString::to_string).collect();
    Known {
        id: &figure.id,
        name: &card.name,
        automated: figure.side == Side::Automated,
        wide: card.size.wide,
        high: card.size.high,
        hp: card.hit_points,
        says: format!(
            "Defense {}, Attack {:+}, Damage {}{}{}",
            card.defense,
            card.attack,
            card.damage,
            if abilities.is_empty() { "" } else { "; " },
            abilities.join(", ")
        ),
    }
}

/// Writes the page.
///
/// # Errors
/// None that is known: everything in a course can be written.
pub fn write(course: &Course<Moment>) -> Result<String, serde_json::Error> {
    let moments = course.moments.iter().map(|moment| Shown {
        round: moment.round,
        heading: &moment.heading,
        by: &moment.by,
        sentence: &moment.sentence,
        reasons: (moment.reasons.iter())
            .map(|reason| {
                let compared = reason.compared.iter().map(|compared| {
                    let value = render::value(compared);
                    [compared.candidate.clone(), value, compared.verdict.clone()]
                });
                (reason.rule.as_str(), reason.text.as_str(), compared.collect())
            })
            .collect(),
        dice: &moment.dice,
        events: &moment.events,
        figure: &moment.figure,
        figures: (moment.board.figures().iter())
            .map(|figure| Stands {
                id: &figure.id,
                column: figure.at.column,
                row: figure.at.row,
                hp: figure.hit_points,
                force: figure.force,
                activated: figure.activated,
            })
            .collect(),
        open: (moment.board.map().doors().iter().enumerate())
            .filter(|(_, door)| door.open)
            .map(|(number, _)| number)
            .collect(),
    });
    let board = course.moments.first().map(|moment| &moment.board);
    let doors = board.map_or_else(Vec::new, |board| {
        let ends = |place: Place| {
            let (Place::East(at) | Place::South(at) | Place::Square(at)) = place;
            let (x, y) = (f64::from(at.column), f64::from(at.row));
            match place {
                Place::East(_) => [x + 1.0, y, x + 1.0, y + 1.0],
                Place::South(_) => [x, y + 1.0, x + 1.0, y + 1.0],
                Place::Square(_) => [x, y, x + 1.0, y + 1.0],
            }
        };
        board.map().doors().iter().map(|door| ends(door.place)).collect()
    });
    let (square, margin) = render::GRID;
    let data = Data {
        title: &course.title,
        notes: &course.notes,
        square,
        margin,
        figures: board.map_or_else(Vec::new, |board| board.figures().iter().map(known).collect()),
        doors,
        moments: moments.collect(),
    };
    // Nothing in it may end the script that holds it.
    let data = serde_json::to_string(&data)?.replace('<', "\\u003c");
    let ground = board.map_or_else(String::new, |board| render::ground_svg(board.map()));
    let page = PAGE.replace("{{title}}", &escape(&course.title));
    let page = page.replace("{{board}}", &ground);
    // Last, so that nothing in it is taken for a place to fill.
    Ok(page.replacen("{{data}}", &data, 1))
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
