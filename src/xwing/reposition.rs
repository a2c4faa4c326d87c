//! Barrel roll, boost and decloak: moves that are actions. SLAM is [`execute`](super::movement::execute) at the speed just flown.
//!
//! A reposition fails as a whole when the ship would be on another ship or an obstacle, when its template would lie on an
//! obstacle, or when the base would cross the edge of the play area (SA-8, FE-6.1 to FE-6.3).

use serde::{Deserialize, Serialize};

mod sideways;

pub use sideways::{Sidestep, knows_slide, legal_slides, places, places_over_obstacles, slides};

use sideways::{Way, sideways};

use super::{
    ObjectId,
    action::{ActionDetail, ActionKind},
    base::{self, Footprint},
    edition::{BarrelRoll, WhenDecloaking},
    maneuver::Side,
    movement::{MovementOptions, edge_depth},
    ship::Ship,
    size::Size,
    table::Table,
    template::{Path, Template},
};
use crate::geometry::{
    OVERLAP_MM, Polygon, Pose,
    polygon::{self, Boxed},
};

/// The templates of a boost: the straight or a bank of speed 1; a turn of speed 1 where a card lets a ship use it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BoostTemplate {
    /// Left bank.
    Left,
    /// Straight.
    Straight,
    /// Right bank.
    Right,
    /// Left turn.
    TurnLeft,
    /// Right turn.
    TurnRight,
}

impl BoostTemplate {
    /// The three that every ship that boosts may use.
    pub const ALL: [BoostTemplate; 3] = [BoostTemplate::Left, BoostTemplate::Straight, BoostTemplate::Right];
    /// The turns.
    pub const TURNS: [BoostTemplate; 2] = [BoostTemplate::TurnLeft, BoostTemplate::TurnRight];

    /// Whether it is a turn.
    pub const fn is_turn(self) -> bool {
        matches!(self, BoostTemplate::TurnLeft | BoostTemplate::TurnRight)
    }

    /// Those that a ship may use.
    pub fn of(ship: &Ship) -> impl Iterator<Item = BoostTemplate> + use<> {
        let turns = ship.standing.boost_turns.is_some().then_some(BoostTemplate::TURNS);
        BoostTemplate::ALL.into_iter().chain(turns.into_iter().flatten())
    }
}

/// Which way a cloaked ship leaves.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Decloak {
    /// Straight ahead: speed 2 on a small base, 1 on others.
    Forward,
    /// To a side, ending `slide_mm` forward of the middle (see [`slides`]).
    Sideways {
        /// Which side.
        side: Side,
        /// Forward positive, mm.
        slide_mm: f64,
    },
}

/// What stops a reposition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    /// It would end on this ship.
    Ship(ObjectId),
    /// It would end on this obstacle, or the template would lie on it.
    Obstacle(ObjectId),
    /// It would cross the edge.
    Edge,
}

/// A reposition as it would come out.
#[derive(Debug, Clone, PartialEq)]
pub struct Reposition {
    /// Where the ship would stand.
    pub pose: Pose,
    /// Why it cannot; `None` when it succeeds. Of several reasons ships come first, then obstacles, then the edge.
    pub blocked: Option<Block>,
    /// Obstacles under the template or the base, in id order: what it would fail by, or suffer if a card lets it through.
    pub crossed: Vec<ObjectId>,
}

/// Barrel roll: sideways by the straight template of speed 1, laid outwards from a small base, along the side of others
/// (SA-8, FE-6.1). Which `slide_mm` there are: [`knows_slide`].
pub fn barrel_roll(table: &Table, ship: &Ship, side: Side, slide_mm: f64, options: &MovementOptions) -> Reposition {
    let way = Way::new(&table.rules, ship.size, Sidestep::BarrelRoll);
    sideways(table, ship, way, side, slide_mm, options)
}

/// Boost: ahead by a template of speed 1 (SA-8, FE-6.2).
pub fn boost(table: &Table, ship: &Ship, template: BoostTemplate, options: &MovementOptions) -> Reposition {
    let template = match template {
        BoostTemplate::Left => Template::bank(1, Side::Left),
        BoostTemplate::Straight => Template::straight(1),
        BoostTemplate::Right => Template::bank(1, Side::Right),
        BoostTemplate::TurnLeft => Template::turn(1, Side::Left),
        BoostTemplate::TurnRight => Template::turn(1, Side::Right),
    };
    ahead(table, ship, template, options)
}

/// The legal barrel roll to each side that ends nearest to where a ship is seen, where any slide may be taken (FE-6.1); nothing
/// where [`ends`] has all of them.
pub fn rolls_seen<'a>(
    table: &'a Table,
    ship: &'a Ship,
    seen: Pose,
    options: &'a MovementOptions,
) -> impl Iterator<Item = (ActionDetail, Reposition)> + 'a {
    // As exact as a hand places it.
    let slid = (ship.pose.to_local(seen.position).y * 10.0).round() / 10.0;
    let sides = (table.rules.barrel_roll == BarrelRoll::AnySlide).then_some(Side::BOTH);
    sides.into_iter().flatten().filter_map(move |side| {
        let slide_mm = legal_slides(table, ship, Sidestep::BarrelRoll, side, options).nearest(slid)?;
        let end = barrel_roll(table, ship, side, slide_mm, options);
        Some((ActionDetail::BarrelRoll { side, slide_mm }, end))
    })
}

/// Every barrel roll or every boost of a ship, as it would come out; nothing for other actions. Each is measured when it is
/// asked for.
pub fn ends<'a>(
    table: &'a Table,
    ship: &'a Ship,
    kind: ActionKind,
    options: &'a MovementOptions,
) -> impl Iterator<Item = (ActionDetail, Reposition)> + 'a {
    let sides = (kind == ActionKind::BarrelRoll).then_some(Side::BOTH);
    let rolls = (sides.into_iter().flatten())
        .flat_map(move |side| {
            let places = places(table, ship, Sidestep::BarrelRoll, side, options).into_iter();
            places.map(move |slide_mm| (side, slide_mm))
        })
        .map(|(side, slide_mm)| {
            let end = barrel_roll(table, ship, side, slide_mm, options);
            (ActionDetail::BarrelRoll { side, slide_mm }, end)
        });
    let templates = (kind == ActionKind::Boost).then(|| BoostTemplate::of(ship));
    let boosts = (templates.into_iter().flatten())
        .map(|template| (ActionDetail::Boost(template), boost(table, ship, template, options)));
    rolls.chain(boosts)
}

/// Decloak: ahead or to a side by a straight template, of speed 2 on a small base, 1 on others; or of speed 2 on all (FE-6.3).
pub fn decloak(table: &Table, ship: &Ship, way: Decloak, options: &MovementOptions) -> Reposition {
    match way {
        Decloak::Forward => {
            let speed = match table.rules.decloaking {
                WhenDecloaking::SystemPhase if ship.size != Size::Small => 1,
                WhenDecloaking::SystemPhase | WhenDecloaking::StartOfActivation => 2,
            };
            ahead(table, ship, Template::straight(speed), options)
        }
        Decloak::Sideways { side, slide_mm } => {
            let way = Way::new(&table.rules, ship.size, Sidestep::Decloak);
            sideways(table, ship, way, side, slide_mm, options)
        }
    }
}

/// The slide of a decloak to a side that fits, the nearest to the middle (FE-SOLO-12).
pub fn decloak_slide(table: &Table, ship: &Ship, side: Side, options: &MovementOptions) -> Option<f64> {
    let fits = |slide_mm: &f64| {
        let way = Decloak::Sideways {
            side,
            slide_mm: *slide_mm,
        };
        decloak(table, ship, way, options).blocked.is_none()
    };
    // The middle, or what fits nearest to it, comes first.
    let places = places(table, ship, Sidestep::Decloak, side, options);
    places.into_iter().find(fits)
}

/// Every decloak that is worth naming, as it would come out, ahead first. Each is measured when it is asked for.
pub fn decloaks<'a>(
    table: &'a Table,
    ship: &'a Ship,
    options: &'a MovementOptions,
) -> impl Iterator<Item = (Decloak, Reposition)> + 'a {
    let sideways = Side::BOTH.into_iter().flat_map(move |side| {
        let places = places(table, ship, Sidestep::Decloak, side, options).into_iter();
        places.map(move |slide_mm| Decloak::Sideways { side, slide_mm })
    });
    let ways = std::iter::once(Decloak::Forward).chain(sideways);
    ways.map(move |way| (way, decloak(table, ship, way, options)))
}

fn ahead(table: &Table, ship: &Ship, template: Template, options: &MovementOptions) -> Reposition {
    let path = Path::forward(ship.size, template);
    let pose = ship.pose.compose(path.end());
    let frame = ship.pose.frame();
    let laid = path.laid(&frame, path.length());
    let meets = |outline: &Polygon| laid.is_some_and(|laid| laid.meets(outline));
    blocked(table, ship, pose, meets, options)
}

impl Reposition {
    /// What keeps a ship from it that goes over no obstacle of its own will, even where a card lets it.
    pub fn in_the_way(&self) -> Option<Block> {
        let over = || self.crossed.first().cloned().map(Block::Obstacle);
        self.blocked.clone().or_else(over)
    }
}

/// A reposition to a pose, given which obstacles its template meets.
fn blocked(
    table: &Table,
    ship: &Ship,
    pose: Pose,
    template_meets: impl Fn(&Polygon) -> bool,
    options: &MovementOptions,
) -> Reposition {
    let footprint = Footprint::new(ship.size, pose, options.guides);
    let on_ship = table
        .ships_in_play()
        .filter(|other| other.id != ship.id)
        .find(|other| footprint.penetration(&Footprint::new(other.size, other.pose, options.guides)) > OVERLAP_MM);
    let base = base::base(ship.size, pose);
    let corners = base.corners();
    let area = Boxed::new(&corners);
    let crossed: Vec<ObjectId> = table
        .obstacles
        .iter()
        .filter(|obstacle| !ship.ignored_obstacles.contains(&obstacle.kind))
        .filter(|obstacle| polygon::intersect(&area, &obstacle.outline) || template_meets(&obstacle.outline))
        .map(|obstacle| obstacle.id.clone())
        .collect();
    let blocked = on_ship
        .map(|other| Block::Ship(other.id.clone()))
        .or_else(|| {
            let first = crossed.first().filter(|_| !ship.standing.repositions_over_obstacles);
            first.cloned().map(Block::Obstacle)
        })
        .or_else(|| (edge_depth(&table.area, &base) > OVERLAP_MM).then_some(Block::Edge));
    Reposition { pose, blocked, crossed }
}
