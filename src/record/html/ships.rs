//! Ships on a page.

use serde::Serialize;

use super::Drawn;
use crate::{
    record::{
        course::{Moment, ships::ShipScene},
        words,
    },
    render::scene,
    xwing::ship::{Ship, Status},
};

/// What is known of a game of ships.
#[derive(Debug, Serialize)]
pub struct Known {
    sides: Vec<(String, &'static str)>,
    ships: Vec<KnownShip>,
}

/// A ship of the game.
#[derive(Debug, Serialize)]
struct KnownShip {
    name: String,
    side: String,
    /// Half its base, mm.
    half: f64,
}

/// Of a moment what is otherwise than in the one before, and what is drawn of the choice.
#[derive(Debug, Serialize)]
pub struct Shows {
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

impl Drawn for ShipScene {
    const STYLE: &'static str = include_str!("ships.css");
    const SCRIPT: &'static str = include_str!("ships.js");
    type Known = Known;
    type Shows = Shows;

    fn ground(moments: &[Moment<ShipScene>]) -> String {
        let empty = ShipScene::default();
        let last = moments.last().map_or(&empty, |moment| &moment.scene);
        scene::board(&last.table, &all_ships(moments))
    }

    fn known(moments: &[Moment<ShipScene>]) -> Known {
        let ships = all_ships(moments);
        Known {
            sides: scene::colours(&ships),
            ships: (ships.iter())
                .map(|ship| KnownShip {
                    name: words::title(ship),
                    side: ship.side.clone(),
                    half: ship.size.length_mm() / 2.0,
                })
                .collect(),
        }
    }

    fn shows(moments: &[Moment<ShipScene>]) -> Vec<Shows> {
        let ships = all_ships(moments);
        let mut before: Vec<Option<Stands>> = vec![None; ships.len()];
        let show = |moment: &Moment<ShipScene>| {
            let mut changed = Vec::new();
            for (index, ship) in ships.iter().enumerate() {
                let now = stands(&moment.scene, &ship.id);
                if now != before[index] {
                    changed.push((index, now.clone()));
                    before[index] = now;
                }
            }
            let table = &moment.scene.table;
            let decided = moment.decided();
            let drawn = decided.as_ref().map(|decided| scene::moment(table, &ships, decided));
            let (drawn, above) = drawn.unwrap_or_default();
            let actor = moment.scene.drawn.as_ref().map(|drawn| &drawn.ship);
            Shows {
                ships: changed,
                actor: actor.and_then(|id| ships.iter().position(|ship| ship.id == *id)),
                below: scene::devices(table.area, &ships, &moment.scene.devices) + &drawn,
                above,
            }
        };
        moments.iter().map(show).collect()
    }
}

/// Every ship that is on a table at any time, as it was first seen.
fn all_ships(moments: &[Moment<ShipScene>]) -> Vec<Ship> {
    let mut ships: Vec<Ship> = Vec::new();
    for moment in moments {
        for ship in moment.scene.table.ships_in_play() {
            if !ships.iter().any(|known| known.id == ship.id) {
                ships.push(ship.clone());
            }
        }
    }
    ships
}

fn stands(moment: &ShipScene, id: &str) -> Option<Stands> {
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
    let tokens = words::tokens_by(&ship.tokens, ship.edition.words());
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
