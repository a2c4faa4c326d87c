//! The course of a game as one HTML file that needs nothing else: the table drawn, reasons, dice, a slider.

use serde::Serialize;

use super::course::{Course, Moment};
use crate::{
    decision::Compared,
    render::scene,
    xwing::{
        ship::{Ship, Status},
        table::Table,
    },
};

static PAGE: &str = include_str!("html/page.html");

/// What the page knows. Names are short, for there are many of them.
#[derive(Debug, Serialize)]
struct Data<'c> {
    title: &'c str,
    /// Of the beginning.
    notes: &'c [String],
    warnings: &'c [String],
    sides: Vec<(String, &'static str)>,
    ships: Vec<Known>,
    moments: Vec<Shown<'c>>,
}

/// A ship of the game.
#[derive(Debug, Serialize)]
struct Known {
    name: String,
    side: String,
    /// Half its base, mm.
    half: f64,
}

/// A moment: what is otherwise than in the one before of ships, and all of the rest.
#[derive(Debug, Serialize)]
struct Shown<'c> {
    round: u32,
    phase: &'c str,
    heading: &'c str,
    by: &'c str,
    sentence: &'c str,
    /// Rule, text, what was compared: candidate, value, verdict.
    reasons: Vec<(&'c str, &'c str, Vec<[String; 3]>)>,
    dice: &'c [String],
    events: &'c [String],
    ships: Vec<(usize, Option<Stands>)>,
    /// The ship that chooses.
    #[serde(skip_serializing_if = "Option::is_none")]
    actor: Option<usize>,
    #[serde(skip_serializing_if = "String::is_empty")]
    below: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    above: String,
}

/// How a ship on the table stands.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct Stands {
    /// Its transform.
    at: String,
    x: f64,
    y: f64,
    /// Hull, shields and tokens, in words.
    has: String,
}

/// Writes the page.
///
/// # Errors
/// None that is known: everything in a course can be written.
pub fn write(course: &Course) -> Result<String, serde_json::Error> {
    let empty = Table::new(
        crate::xwing::table::PlayArea::STANDARD,
        Vec::new(),
        Vec::new(),
        Vec::new(),
    );
    let ships = all_ships(&course.moments);
    let board = course
        .moments
        .iter()
        .map(|moment| &moment.table)
        .next_back()
        .unwrap_or(&empty);
    let mut before: Vec<Option<Stands>> = vec![None; ships.len()];
    let mut moments = Vec::with_capacity(course.moments.len());
    for moment in &course.moments {
        let mut changed = Vec::new();
        for (index, ship) in ships.iter().enumerate() {
            let now = stands(moment, &ship.id);
            if now != before[index] {
                changed.push((index, now.clone()));
                before[index] = now;
            }
        }
        let decided = moment.decided();
        let (drawn, above) = decided
            .as_ref()
            .map(|decided| scene::moment(&moment.table, &ships, decided))
            .unwrap_or_default();
        let below = scene::devices(moment.table.area, &ships, &moment.devices) + &drawn;
        let actor = moment.drawn.as_ref().map(|drawn| &drawn.ship);
        moments.push(Shown {
            round: moment.round,
            phase: &moment.phase,
            heading: &moment.heading,
            by: &moment.by,
            sentence: &moment.sentence,
            reasons: (moment.reasons.iter())
                .map(|reason| {
                    let compared = reason.compared.iter().map(cells);
                    (reason.rule.as_str(), reason.text.as_str(), compared.collect())
                })
                .collect(),
            dice: &moment.dice,
            events: &moment.events,
            ships: changed,
            actor: actor.and_then(|id| ships.iter().position(|ship| ship.id == *id)),
            below,
            above,
        });
    }
    let data = Data {
        title: &course.title,
        notes: &course.notes,
        warnings: &course.warnings,
        sides: scene::colours(&ships),
        ships: (ships.iter())
            .map(|ship| Known {
                name: super::words::title(ship),
                side: ship.side.clone(),
                half: ship.size.length_mm() / 2.0,
            })
            .collect(),
        moments,
    };
    // Nothing in it may end the script that holds it.
    let data = serde_json::to_string(&data)?.replace('<', "\\u003c");
    let page = PAGE.replace("{{title}}", &escape(&course.title));
    let page = page.replace("{{board}}", &scene::board(board, &ships));
    // Last, so that nothing in it is taken for a place to fill.
    Ok(page.replacen("{{data}}", &data, 1))
}

/// Every ship that is on a table at any time, as it was first seen.
fn all_ships(moments: &[Moment]) -> Vec<Ship> {
    let mut ships: Vec<Ship> = Vec::new();
    for moment in moments {
        for ship in moment.table.ships_in_play() {
            if !ships.iter().any(|known| known.id == ship.id) {
                ships.push(ship.clone());
            }
        }
    }
    ships
}

fn stands(moment: &Moment, id: &str) -> Option<Stands> {
    let place = moment.table.ships.iter().position(|ship| *ship.id == *id)?;
    let ship = &moment.table.ships[place];
    if ship.status != Status::InPlay {
        return None;
    }
    let mut has = Vec::new();
    if let Some((hull, shields)) = moment.left.get(place).copied().flatten() {
        has.push(match shields {
            0 => format!("hull {hull}"),
            _ => format!("hull {hull}+{shields}"),
        });
    }
    let tokens = super::words::tokens(&ship.tokens);
    if !tokens.is_empty() {
        has.push(tokens);
    }
    if !ship.locks.is_empty() {
        has.push(format!("lock on {}", ship.locks.join(", ")));
    }
    let tenth = |value: f64| (value * 10.0).round() / 10.0;
    Some(Stands {
        at: scene::place(moment.table.area, ship.pose),
        x: tenth(ship.pose.position.x),
        y: tenth(moment.table.area.height - ship.pose.position.y),
        has: has.join(" · "),
    })
}

fn cells(compared: &Compared) -> [String; 3] {
    [
        compared.candidate.clone(),
        crate::render::value(compared),
        compared.verdict.clone(),
    ]
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
