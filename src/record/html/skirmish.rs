//! Figures on a page.

use serde::Serialize;

use super::Drawn;
use crate::{
    record::course::{Moment, skirmish::GridScene},
    render,
    swm::{
        figure::{Figure, Side},
        map::Place,
    },
};

/// What is known of a skirmish.
#[derive(Debug, Serialize)]
pub struct Known {
    /// The size of a square in the drawing, and of the margin around them.
    square: f64,
    margin: f64,
    figures: Vec<KnownFigure>,
    /// Ends of each door, in squares.
    doors: Vec<[f64; 4]>,
}

/// A figure of the skirmish.
#[derive(Debug, Serialize)]
struct KnownFigure {
    id: String,
    name: String,
    automated: bool,
    /// Squares from west to east and from north to south.
    wide: u8,
    high: u8,
    hp: u16,
    says: String,
}

/// What is shown of a moment.
#[derive(Debug, Serialize)]
pub struct Shows {
    /// The figure that is asked.
    figure: String,
    figures: Vec<Stands>,
    /// The doors that are open.
    open: Vec<usize>,
}

/// How a figure stands: only what changes.
#[derive(Debug, Serialize)]
struct Stands {
    id: String,
    column: u8,
    row: u8,
    hp: u16,
    force: u16,
    activated: bool,
}

impl Drawn for GridScene {
    const STYLE: &'static str = include_str!("skirmish.css");
    const SCRIPT: &'static str = include_str!("skirmish.js");
    type Known = Known;
    type Shows = Shows;

    fn ground(moments: &[Moment<GridScene>]) -> String {
        let first = moments.first();
        first.map_or_else(String::new, |moment| render::ground_svg(moment.scene.board.map()))
    }

    fn known(moments: &[Moment<GridScene>]) -> Known {
        let (square, margin) = render::GRID;
        let board = moments.first().map(|moment| &moment.scene.board);
        // Figures may come in later, where a token is seen.
        let mut figures: Vec<KnownFigure> = Vec::new();
        for moment in moments {
            for figure in moment.scene.board.figures() {
                if !figures.iter().any(|known| known.id == figure.id) {
                    figures.push(known(figure));
                }
            }
        }
        Known {
            square,
            margin,
            figures,
            doors: board.map_or_else(Vec::new, |board| {
                board.map().doors().iter().map(|door| ends(door.place)).collect()
            }),
        }
    }

    fn shows(moments: &[Moment<GridScene>]) -> Vec<Shows> {
        let stands = |figure: &Figure| Stands {
            id: figure.id.clone(),
            column: figure.at.column,
            row: figure.at.row,
            hp: figure.hit_points,
            force: figure.force,
            activated: figure.activated,
        };
        let show = |moment: &Moment<GridScene>| {
            let GridScene { figure, board } = &moment.scene;
            let doors = board.map().doors().iter().enumerate();
            Shows {
                figure: figure.clone(),
                figures: board.figures().iter().map(stands).collect(),
                open: doors.filter(|(_, door)| door.open).map(|(number, _)| number).collect(),
            }
        };
        moments.iter().map(show).collect()
    }
}

/// The ends of a door, in squares from the north-western corner.
fn ends(place: Place) -> [f64; 4] {
    let (Place::East(at) | Place::South(at) | Place::Square(at)) = place;
    let (x, y) = (f64::from(at.column), f64::from(at.row));
    match place {
        Place::East(_) => [x + 1.0, y, x + 1.0, y + 1.0],
        Place::South(_) => [x, y + 1.0, x + 1.0, y + 1.0],
        Place::Square(_) => [x, y, x + 1.0, y + 1.0],
    }
}

fn known(figure: &Figure) -> KnownFigure {
    let card = &figure.card;
    let abilities: Vec<String> = card.abilities.iter().map(ToString::to_string).collect();
    KnownFigure {
        id: figure.id.clone(),
        name: card.name.clone(),
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
