//! The spawn list: what a script of Tabletop Simulator needs to put a scenario on the table.

use serde::Serialize;

use super::Ready;
use crate::{
    bridge::tts::units::{Frame, UNITS_PER_MM},
    geometry::Pose,
    protocol::apply::Placement,
    xwing::{
        scenario::{Scenario, muster::Muster},
        ship::Status,
        size::Size,
    },
};

/// Names the form of the list; `docs/scenarios.md` describes it.
const FORMAT: &str = "tallyho-spawn-1";

#[derive(Serialize)]
struct List<'a> {
    format: &'static str,
    title: &'a str,
    /// mm.
    area: [f64; 2],
    markers: Vec<Marker<'a>>,
    obstacles: Vec<Obstacle<'a>>,
    ships: Vec<Ship<'a>>,
    notes: &'a [String],
}

/// Where something stands: mm and heading, and world units about the middle of the mat.
#[derive(Serialize)]
struct Place {
    mm: [f64; 3],
    tts: Tts,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Tts {
    x: f64,
    z: f64,
    rot_y: f64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Marker<'a> {
    id: &'a str,
    size_mm: f64,
    #[serde(flatten)]
    place: Place,
}

#[derive(Serialize)]
struct Obstacle<'a> {
    id: &'a str,
    /// xws id of the piece.
    piece: &'a str,
    #[serde(flatten)]
    place: Place,
}

#[derive(Serialize)]
struct Ship<'a> {
    id: &'a str,
    name: &'a str,
    side: &'a str,
    group: &'a str,
    faction: &'a str,
    ship: &'a str,
    pilot: &'a str,
    upgrades: &'a [String],
    initiative: u8,
    size: Size,
    status: Status,
    locks: Vec<&'a str>,
    /// Only for ships in play.
    #[serde(flatten)]
    place: Option<Place>,
}

/// Writes the list.
pub(super) fn list(scenario: &Scenario, muster: &Muster, ready: &Ready, title: &str) -> anyhow::Result<String> {
    let area = scenario.play_area();
    let half = |mm: f64| mm / 2.0 * UNITS_PER_MM;
    let frame = Frame::new(0.0, 0.0, half(area.width), half(area.height));
    let place = |pose: Pose| {
        let Placement { x, y, facing } = frame.placement(pose);
        Place {
            mm: [
                rounded(pose.position.x),
                rounded(pose.position.y),
                rounded(pose.heading),
            ],
            tts: Tts {
                x: rounded(x),
                z: rounded(y),
                rot_y: rounded(facing),
            },
        }
    };
    let list = List {
        format: FORMAT,
        title,
        area: [area.width, area.height],
        markers: (ready.markers.iter())
            .map(|marker| Marker {
                id: &marker.id,
                size_mm: marker.size_mm,
                place: place(marker.pose),
            })
            .collect(),
        obstacles: (ready.obstacles.iter())
            .map(|placed| Obstacle {
                id: &placed.obstacle.id,
                piece: &placed.piece,
                // An obstacle has no nose: its heading is its rotY.
                place: Place {
                    tts: Tts {
                        rot_y: rounded(placed.pose.heading),
                        ..place(placed.pose).tts
                    },
                    ..place(placed.pose)
                },
            })
            .collect(),
        ships: (ready.table.ships.iter())
            .map(|ship| {
                let recruit = muster.recruit_of(ship);
                Ship {
                    id: &ship.id,
                    name: &ship.name,
                    side: &ship.side,
                    group: recruit.map_or("", |recruit| &recruit.group),
                    faction: recruit.map_or("", |recruit| &recruit.faction),
                    ship: &ship.chassis,
                    pilot: recruit.map_or("", |recruit| &recruit.pilot),
                    upgrades: recruit.map_or(&[], |recruit| &recruit.upgrades),
                    initiative: ship.initiative,
                    size: ship.size,
                    status: ship.status,
                    locks: ship.locks.iter().map(|id| &**id).collect(),
                    place: ship.in_play().then(|| place(ship.pose)),
                }
            })
            .collect(),
        notes: &ready.notes,
    };
    Ok(serde_json::to_string_pretty(&list)? + "\n")
}

/// Four digits behind the point: finer than any table.
fn rounded(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}
