//! What lies on the demo's table: the introductory scenario (SA-13), Rebel players against the Galactic Empire.

use std::collections::BTreeMap;

use anyhow::Context as _;

use crate::{
    bridge::{
        tts::{moves, units::Frame},
        virtual_table::{MatSpec, ObstacleSpec, ShipSpec, VirtualTable},
    },
    dice::{DefenceFace, DiceSource as _, SeededDice},
    geometry::{Point, Pose},
    xwing::{
        action::ActionKind,
        catalog::{Catalog, PilotFacts},
    },
};

/// SA-13: beyond range 2 of the edges, more than range 1 from each other and from the markers, mm.
const OBSTACLES: [(f64, f64); 6] = [
    (262.0, 300.0),
    (455.0, 262.0),
    (648.0, 310.0),
    (268.0, 500.0),
    (455.0, 452.0),
    (642.0, 512.0),
];
/// SA-13: the hyperspace markers; a third place for the last pair of a large demo.
const ARRIVALS: [(f64, f64); 3] = [(305.0, 690.0), (605.0, 690.0), (455.0, 790.0)];
/// Players begin within range 1 of their edge.
const PLAYERS: [(f64, f64); 2] = [(305.0, 60.0), (605.0, 60.0)];
/// Between the middles of two ships that arrive together, mm.
const ABREAST: f64 = 60.0;

/// Who plays.
#[derive(Debug)]
pub(super) struct Stage {
    /// GUIDs of the solo ships.
    pub solo: Vec<String>,
    /// GUIDs of the players' ships.
    pub players: Vec<String>,
    /// GUIDs of the obstacles.
    pub obstacles: Vec<String>,
    /// Where the mat lies.
    pub frame: Frame,
}

impl Stage {
    /// Sets the table.
    pub(super) fn set(table: &VirtualTable, catalog: &Catalog, seed: u64, solo_ships: u8) -> anyhow::Result<Self> {
        let mut dice = SeededDice::new(seed);
        let mat = MatSpec::default();
        let frame = Frame::new(mat.centre[0], mat.centre[1], mat.half, mat.half);
        table.add_mat(&mat)?;
        table.add_bags(&[])?;
        let mut obstacles = Vec::new();
        for (i, (x, y)) in OBSTACLES.into_iter().enumerate() {
            // A few millimetres and any direction: far from the limits, and no two games alike.
            let nudge = |dice: &mut SeededDice| dice.choose(21) as f64 - 10.0;
            let pose = Pose::new(
                x + nudge(&mut dice),
                y + nudge(&mut dice),
                15.0 * dice.choose(24) as f64,
            );
            obstacles.push(table.add_obstacle(&ObstacleSpec {
                guid: format!("0b57a{i}"),
                name: format!("Asteroid {}", i + 1),
                placement: placement(&frame, pose),
                ..ObstacleSpec::default()
            })?);
        }
        let mut stage = Stage {
            solo: Vec::new(),
            players: Vec::new(),
            obstacles,
            frame,
        };
        for (i, (pilot, (x, y))) in extremes(catalog, "t65xwing", "rebelalliance")?
            .into_iter()
            .zip(PLAYERS)
            .enumerate()
        {
            let spec = ship(
                catalog,
                pilot,
                format!("9a1e0{i}"),
                &pilot.name,
                "Blue",
                placement(&frame, Pose::new(x, y, 0.0)),
            )?;
            stage.players.push(table.add_ship(&spec)?);
        }
        // SA-13.1: two patrols of the lowest initiative, two of the highest, two reinforcements of the highest.
        let [high, low] = extremes(catalog, "tielnfighter", "galacticempire")?;
        let [reinforcement, _] = extremes(catalog, "tieininterceptor", "galacticempire")?;
        let first = dice.choose(2);
        let mut names: BTreeMap<&str, u32> = BTreeMap::new();
        for (i, pilot) in [low, low, high, high, reinforcement, reinforcement]
            .into_iter()
            .take(solo_ships.into())
            .enumerate()
        {
            let pair = i / 2;
            let (x, y) = if pair < 2 {
                ARRIVALS[(first + pair) % 2]
            } else {
                ARRIVALS[2]
            };
            // One die for each pair: blank left, focus towards the nearest player ship, evade right.
            if i % 2 == 0 {
                dice = SeededDice::new(seed.wrapping_add(1 + pair as u64));
            }
            let heading = match dice.clone().defence() {
                DefenceFace::Blank => 270.0,
                DefenceFace::Focus => nearest_player(Point::new(x, y)),
                DefenceFace::Evade => 90.0,
            };
            let middle = Pose::new(x, y, heading);
            let aside = if i % 2 == 0 { -ABREAST / 2.0 } else { ABREAST / 2.0 };
            let pose = middle.compose(Pose::new(aside, 0.0, 0.0));
            // The mod numbers pilots of one name.
            let count = names.entry(&pilot.name).or_default();
            *count += 1;
            let name = if *count == 1 {
                pilot.name.clone()
            } else {
                format!("{} {count}", pilot.name)
            };
            let spec = ship(
                catalog,
                pilot,
                format!("5010{i:02}"),
                &name,
                "",
                placement(&frame, pose),
            )?;
            stage.solo.push(table.add_ship(&spec)?);
        }
        Ok(stage)
    }
}

fn placement(frame: &Frame, pose: Pose) -> [f64; 3] {
    let placement = frame.placement(pose);
    [placement.x, placement.y, placement.facing]
}

/// The bearing of the nearest player ship, to the nearest eighth of a circle.
fn nearest_player(from: Point) -> f64 {
    let nearest = PLAYERS
        .into_iter()
        .map(|(x, y)| Point::new(x, y) - from)
        .min_by(|a, b| a.length().total_cmp(&b.length()))
        .unwrap_or(Point::new(0.0, -1.0));
    (nearest.bearing() / 45.0).round() * 45.0
}

/// SA-13.1: the non-limited pilots of the highest and of the lowest initiative.
fn extremes<'c>(catalog: &'c Catalog, ship: &str, faction: &str) -> anyhow::Result<[&'c PilotFacts; 2]> {
    let mut generic: Vec<&PilotFacts> = catalog
        .pilots()
        .iter()
        .filter(|pilot| pilot.ship == ship && pilot.faction == faction && pilot.limited == 0)
        .filter(|pilot| pilot.standard_loadout.is_empty())
        .collect();
    generic.sort_by(|a, b| (a.initiative, &a.xws).cmp(&(b.initiative, &b.xws)));
    let (Some(low), Some(high)) = (generic.first(), generic.last()) else {
        anyhow::bail!("the catalog has no pilots of {ship}; leave --catalog out");
    };
    Ok([high, low])
}

/// A ship as the mod's spawner makes it.
fn ship(
    catalog: &Catalog,
    pilot: &PilotFacts,
    guid: String,
    name: &str,
    owner: &str,
    placement: [f64; 3],
) -> anyhow::Result<ShipSpec> {
    let facts = catalog
        .ship_of(&pilot.ship, &pilot.faction)
        .with_context(|| format!("the catalog has no ship {}", pilot.ship))?;
    Ok(ShipSpec {
        guid,
        name: name.to_owned(),
        ship_id: pilot.ship.clone(),
        size: Some(facts.size),
        initiative: pilot.initiative,
        faction: pilot.faction.clone(),
        owner: owner.to_owned(),
        placement,
        move_set: facts
            .dial
            .maneuvers()
            .iter()
            .map(|&maneuver| moves::dial_code(maneuver))
            .collect(),
        act_set: facts
            .actions
            .iter()
            .filter_map(|bar| action_code(bar.action.kind))
            .map(str::to_owned)
            .collect(),
        turrets: BTreeMap::new(),
    })
}

/// The mod's code of an action, where it has one.
fn action_code(kind: ActionKind) -> Option<&'static str> {
    Some(match kind {
        ActionKind::Focus => "F",
        ActionKind::Lock => "TL",
        ActionKind::Evade => "E",
        ActionKind::BarrelRoll => "BR",
        ActionKind::Boost => "B",
        ActionKind::Calculate => "C",
        ActionKind::Cloak => "CL",
        ActionKind::Reinforce => "R",
        ActionKind::RotateArc => "Rot",
        ActionKind::Reload => "RL",
        ActionKind::Coordinate => "Coord",
        ActionKind::Jam => "Jam",
        ActionKind::Slam | ActionKind::Recover => return None,
    })
}
