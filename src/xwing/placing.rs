//! Where obstacles and ships may be placed before a game (FE-2.2 to FE-2.4), and by whom.

use super::{
    ObjectId,
    base::{self, Footprint},
    edition::{ObstacleMet, ObstaclePlacing, Rules},
    movement::edge_depth,
    obstacle::{Obstacle, ObstacleKind},
    scenario::Edge,
    ship::Ship,
    size::Size,
    table::{PlayArea, Table},
};
use crate::geometry::{
    OVERLAP_MM, Point, Pose,
    polygon::{self, Area},
};

/// How many obstacles are placed in all (FE-2.2).
pub const OBSTACLES: usize = 6;
/// How deep the band along an edge is in which ships are placed, mm: within range 1 (FE-2.4).
pub const BAND_MM: f64 = 100.0;
/// How near the edge line the hindmost point must be of a base that is too deep for the band, mm (FE-2.4, a choice).
pub const FILLS_MM: f64 = 1.0;

/// Why an obstacle or a ship may not be placed so.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Misplaced {
    /// A part of it is off the play area.
    #[error("{id} reaches {mm:.1} mm over the {} edge: put it inside the play area", edge.word())]
    OffTheArea {
        /// What.
        id: ObjectId,
        /// Over which edge.
        edge: Edge,
        /// How far, mm.
        mm: f64,
    },
    /// An obstacle lies at range 1-2 of an edge.
    #[error("{id} is {mm:.1} mm from the {} edge: every point of it must be more than 200 mm from it", edge.word())]
    NearEdge {
        /// The obstacle.
        id: ObjectId,
        /// Which edge.
        edge: Edge,
        /// How far away, mm.
        mm: f64,
    },
    /// An obstacle lies at range 1 of another.
    #[error("{id} is {mm:.1} mm from {other}: obstacles must be more than 100 mm apart")]
    NearObstacle {
        /// The obstacle.
        id: ObjectId,
        /// The other one.
        other: ObjectId,
        /// How far away, mm.
        mm: f64,
    },
    /// An obstacle lies on another, where the rules do not ask for more than that it does not.
    #[error("{id} lies on {other}: put it where no obstacle lies")]
    OnObstacle {
        /// The obstacle.
        id: ObjectId,
        /// The other one.
        other: ObjectId,
    },
    /// A ship reaches out of the band along its edge.
    #[error(
        "{id} reaches {mm:.1} mm from the {} edge: put all of its base within 100 mm of it, or with its hindmost point on the \
         edge line if it is deeper than that", edge.word()
    )]
    OutOfTheBand {
        /// The ship.
        id: ObjectId,
        /// Its own edge.
        edge: Edge,
        /// How far its foremost point is from it, mm.
        mm: f64,
    },
    /// A ship stands on another.
    #[error("{id} stands on {other}: put it where nothing stands")]
    OnShip {
        /// The ship.
        id: ObjectId,
        /// The other one.
        other: ObjectId,
    },
}

/// How far points are from an edge of the play area into it, mm: the least and the most. Negative outside.
fn depths(area: PlayArea, edge: Edge, corners: &[Point]) -> (f64, f64) {
    let depth = |corner: &Point| match edge {
        Edge::South => corner.y,
        Edge::North => area.height - corner.y,
        Edge::West => corner.x,
        Edge::East => area.width - corner.x,
    };
    corners
        .iter()
        .map(depth)
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), depth| {
            (least.min(depth), most.max(depth))
        })
}

/// How long an edge is, mm.
pub fn length(area: PlayArea, edge: Edge) -> f64 {
    match edge {
        Edge::South | Edge::North => area.width,
        Edge::West | Edge::East => area.height,
    }
}

/// Where along an edge and how far from it, mm, as a pose that faces straight across.
pub fn across(area: PlayArea, edge: Edge, along: f64, depth: f64) -> Pose {
    match edge {
        Edge::South => Pose::new(along, depth, 0.0),
        Edge::North => Pose::new(along, area.height - depth, 180.0),
        Edge::West => Pose::new(depth, along, 90.0),
        Edge::East => Pose::new(area.width - depth, along, 270.0),
    }
}

/// The same base moved straight towards an edge, or away from it, until its hindmost point is on the edge line (FE-2.4).
pub fn on_the_line(area: PlayArea, size: Size, pose: Pose, edge: Edge) -> Pose {
    let (hindmost, _) = depths(area, edge, &base::base(size, pose).corners());
    let (x, y) = (pose.position.x, pose.position.y);
    match edge {
        Edge::South => Pose::new(x, y - hindmost, pose.heading),
        Edge::North => Pose::new(x, y + hindmost, pose.heading),
        Edge::West => Pose::new(x - hindmost, y, pose.heading),
        Edge::East => Pose::new(x + hindmost, y, pose.heading),
    }
}

/// Whether squads may bring obstacles of this kind: the first edition has no gas clouds, and its first rulebook no debris
/// (FE-4.8, FE-14.6).
pub const fn may_be_brought(rules: &Rules, kind: ObstacleKind) -> bool {
    match rules.obstacle_met {
        ObstacleMet::Second => true,
        ObstacleMet::First => !matches!(kind, ObstacleKind::GasCloud),
        ObstacleMet::Rulebook2012 => matches!(kind, ObstacleKind::Asteroid),
    }
}

/// The edges of the play area.
const EDGES: [Edge; 4] = [Edge::South, Edge::North, Edge::West, Edge::East];

/// All that is wrong with where an obstacle is placed among those that lie already (FE-2.2): it keeps beyond range 2 of every
/// edge, and beyond range 1 of every other obstacle where the rules ask for that (FE-14.3). **Choice** Where they do not,
/// obstacles still have no point in common: they are pieces of card, and do not lie on each other. Its own entry among the others
/// is passed over.
pub fn check_obstacle(rules: &Rules, area: PlayArea, obstacle: &Obstacle, others: &[Obstacle]) -> Vec<Misplaced> {
    let mut wrong = Vec::new();
    for edge in EDGES {
        let (mm, _) = depths(area, edge, obstacle.outline.corners());
        let id = obstacle.id.clone();
        if mm < 0.0 {
            wrong.push(Misplaced::OffTheArea { id, edge, mm: -mm });
        } else if rules.range(mm).is_some_and(|range| range <= 2) {
            wrong.push(Misplaced::NearEdge { id, edge, mm });
        }
    }
    for other in others.iter().filter(|other| other.id != obstacle.id) {
        let (id, other_id) = (obstacle.id.clone(), other.id.clone());
        match rules.obstacle_placing {
            ObstaclePlacing::EdgesAndEachOther => {
                let mm = polygon::distance(&obstacle.outline, &other.outline);
                if rules.range(mm).is_some_and(|range| range <= 1) {
                    wrong.push(Misplaced::NearObstacle {
                        id,
                        other: other_id,
                        mm,
                    });
                }
            }
            ObstaclePlacing::EdgesOnly => {
                if polygon::intersect(&obstacle.outline, &other.outline) {
                    wrong.push(Misplaced::OnObstacle { id, other: other_id });
                }
            }
        }
    }
    wrong
}

/// All that is wrong with where a base of that size is placed for the side of that edge (FE-2.4): it keeps inside the play
/// area and wholly within range 1 of its edge, or fills that depth if it is turned so that it is deeper.
pub fn check_base(area: PlayArea, id: &ObjectId, size: Size, pose: Pose, edge: Edge) -> Vec<Misplaced> {
    let base = base::base(size, pose);
    let corners = base.corners();
    if edge_depth(&area, &base) > OVERLAP_MM {
        let over = |edge| {
            let (least, _) = depths(area, edge, &corners);
            (least < -OVERLAP_MM).then(|| Misplaced::OffTheArea {
                id: id.clone(),
                edge,
                mm: -least,
            })
        };
        return EDGES.into_iter().filter_map(over).collect();
    }
    let (hindmost, foremost) = depths(area, edge, &corners);
    let fits = foremost <= BAND_MM + OVERLAP_MM;
    let too_deep = foremost - hindmost > BAND_MM;
    if fits || (too_deep && hindmost <= FILLS_MM + OVERLAP_MM) {
        return Vec::new();
    }
    vec![Misplaced::OutOfTheBand {
        id: id.clone(),
        edge,
        mm: foremost,
    }]
}

/// All that is wrong with where a ship is placed for the side of that edge (FE-2.4), other ships included.
pub fn check_ship(table: &Table, ship: &Ship, edge: Edge, guides: bool) -> Vec<Misplaced> {
    let mut wrong = check_base(table.area, &ship.id, ship.size, ship.pose, edge);
    let footprint = Footprint::new(ship.size, ship.pose, guides);
    let others = table.ships_in_play().filter(|other| other.id != ship.id);
    let under =
        others.filter(|other| footprint.penetration(&Footprint::new(other.size, other.pose, guides)) > OVERLAP_MM);
    wrong.extend(under.map(|other| Misplaced::OnShip {
        id: ship.id.clone(),
        other: other.id.clone(),
    }));
    wrong
}

/// Which of two sides places the first obstacle (FE-2.2): the one with initiative, or by the rulebook of 2012 the Imperial one
/// (FE-14.3). `imperial` is that side; **choice** with none or two of them the initiative decides there, too.
pub const fn first_to_place(rules: &Rules, initiative: usize, imperial: Option<usize>) -> usize {
    match (rules.obstacle_placing, imperial) {
        (ObstaclePlacing::EdgesOnly, Some(imperial)) => imperial,
        (ObstaclePlacing::EdgesOnly | ObstaclePlacing::EdgesAndEachOther, _) => initiative,
    }
}

/// Which of two sides picks its edge after the last obstacle (FE-2.3): the one that did not begin to place them.
pub const fn picks_edge(rules: &Rules, initiative: usize, imperial: Option<usize>) -> usize {
    1 - first_to_place(rules, initiative, imperial)
}

/// The order in which ships are placed (FE-2.4): by ascending pilot skill, of equal skill the side with initiative first.
/// Own ships of equal skill stay in the order given: their owner picks it.
pub fn in_placing_order<T>(ships: &mut [T], skill: impl Fn(&T) -> u8, has_initiative: impl Fn(&T) -> bool) {
    ships.sort_by_key(|ship| (skill(ship), !has_initiative(ship)));
}
