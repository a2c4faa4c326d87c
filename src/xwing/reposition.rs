//! Barrel roll, boost and decloak: moves that are actions. SLAM is [`execute`](super::movement::execute) at the speed just flown.
//!
//! A reposition fails as a whole when the ship would be on another ship or an obstacle, when its template would lie on an
//! obstacle, or when the base would cross the edge of the play area.

use serde::{Deserialize, Serialize};

use super::{
    ObjectId,
    action::{ActionDetail, ActionKind},
    base::{self, Footprint},
    edition,
    maneuver::Side,
    movement::{MovementOptions, edge_depth},
    ship::Ship,
    size::Size,
    table::Table,
    template::{Path, Template},
};
use crate::geometry::{
    OVERLAP_MM, Point, Polygon, Pose, Rectangle,
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

/// The three end positions of a barrel roll along the heading, forward positive, mm; the middle first.
pub const fn slides(size: Size) -> [f64; 3] {
    match size {
        Size::Small => [0.0, 10.0, -10.0],
        Size::Medium | Size::Large | Size::Huge | Size::ShuttleToken => [0.0, 20.0, -20.0],
    }
}

/// Whether a barrel roll of a base of that size may end so far forward of the middle, by the rules of the table: in one of
/// three places, or at any slide of template and base, within 20 mm on a small base and 40 mm on a large one (FE-6.1).
pub fn is_slide(table: &Table, size: Size, slide_mm: f64) -> bool {
    match table.rules.barrel_roll {
        edition::BarrelRoll::ThreePlaces => slides(size).contains(&slide_mm),
        edition::BarrelRoll::AnySlide => {
            let most = if size == Size::Small { 20.0 } else { 40.0 };
            slide_mm.abs() <= most + OVERLAP_MM
        }
    }
}

/// The same of a decloak; a large base does not slide in one where any slide may be taken (FE-6.3).
pub fn is_decloak_slide(table: &Table, size: Size, slide_mm: f64) -> bool {
    match table.rules.barrel_roll {
        edition::BarrelRoll::AnySlide if size != Size::Small => slide_mm == 0.0,
        _ => is_slide(table, size, slide_mm),
    }
}

/// Barrel roll: sideways by the straight template of speed 1, laid outwards from a small base, along the side of others.
pub fn barrel_roll(table: &Table, ship: &Ship, side: Side, slide_mm: f64, options: &MovementOptions) -> Reposition {
    let template = match ship.size {
        Size::Small => SideTemplate { out: 40.0, along: 20.0 },
        Size::Medium | Size::Large | Size::Huge | Size::ShuttleToken => SideTemplate { out: 20.0, along: 40.0 },
    };
    sideways(table, ship, side, slide_mm, template, options)
}

/// Boost: ahead by a template of speed 1.
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
        .flat_map(|side| slides(ship.size).map(|slide_mm| (side, slide_mm)))
        .map(|(side, slide_mm)| {
            let end = barrel_roll(table, ship, side, slide_mm, options);
            (ActionDetail::BarrelRoll { side, slide_mm }, end)
        });
    let templates = (kind == ActionKind::Boost).then(|| BoostTemplate::of(ship));
    let boosts = (templates.into_iter().flatten())
        .map(|template| (ActionDetail::Boost(template), boost(table, ship, template, options)));
    rolls.chain(boosts)
}

/// Decloak: ahead or to a side by a straight template, of speed 2 on a small base, 1 on others.
pub fn decloak(table: &Table, ship: &Ship, way: Decloak, options: &MovementOptions) -> Reposition {
    let small = ship.size == Size::Small;
    match way {
        Decloak::Forward => ahead(table, ship, Template::straight(if small { 2 } else { 1 }), options),
        Decloak::Sideways { side, slide_mm } if small => {
            let template = SideTemplate { out: 80.0, along: 20.0 };
            sideways(table, ship, side, slide_mm, template, options)
        }
        Decloak::Sideways { side, slide_mm } => barrel_roll(table, ship, side, slide_mm, options),
    }
}

/// The slide of a decloak to a side that fits, the nearest to the middle.
pub fn decloak_slide(table: &Table, ship: &Ship, side: Side, options: &MovementOptions) -> Option<f64> {
    let fits = |slide_mm: &f64| {
        let way = Decloak::Sideways {
            side,
            slide_mm: *slide_mm,
        };
        decloak(table, ship, way, options).blocked.is_none()
    };
    slides(ship.size).into_iter().find(fits)
}

/// A template beside the base, its middle on the side hashmark.
struct SideTemplate {
    /// Extent away from the ship, mm.
    out: f64,
    /// Extent along the ship, mm.
    along: f64,
}

fn sideways(
    table: &Table,
    ship: &Ship,
    side: Side,
    slide_mm: f64,
    template: SideTemplate,
    options: &MovementOptions,
) -> Reposition {
    let base = ship.size.base_mm();
    let block = Rectangle {
        centre: ship
            .pose
            .to_table(Point::new(side.sign() * (base + template.out) / 2.0, 0.0)),
        forward: ship.pose.forward(),
        half_width: template.out / 2.0,
        half_length: template.along / 2.0,
    };
    let corners = block.corners();
    let block = Boxed::new(&corners);
    let pose = ship
        .pose
        .compose(Pose::new(side.sign() * (base + template.out), slide_mm, 0.0));
    check(
        table,
        ship,
        pose,
        |outline| polygon::intersect(&block, outline),
        options,
    )
}

fn ahead(table: &Table, ship: &Ship, template: Template, options: &MovementOptions) -> Reposition {
    let path = Path::forward(ship.size, template);
    let pose = ship.pose.compose(path.end());
    let frame = ship.pose.frame();
    let laid = path.laid(&frame, path.length());
    let meets = |outline: &Polygon| laid.is_some_and(|laid| laid.meets(outline));
    check(table, ship, pose, meets, options)
}

impl Reposition {
    /// What keeps a ship from it that goes over no obstacle of its own will, even where a card lets it.
    pub fn in_the_way(&self) -> Option<Block> {
        let over = || self.crossed.first().cloned().map(Block::Obstacle);
        self.blocked.clone().or_else(over)
    }
}

/// Whether a ship may stand at that pose, given which obstacles its template meets.
fn check(
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
