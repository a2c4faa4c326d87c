//! PE-A8: where an automated side sets up: obstacles, the defender's edge and the shuttle's start, both squads.

pub use crate::xwing::placing::OBSTACLES;

use crate::{
    decision::{Compared, Reason},
    dice::DiceSource,
    geometry::{OVERLAP_MM, Point, Pose, Rectangle, polygon},
    xwing::{
        ObjectId,
        base::base,
        edition::Rules,
        escort::Role,
        obstacle::Obstacle,
        obstacle_outlines::{ObstacleOutline, ObstacleOutlines},
        placing::{self, across, length},
        scenario::Edge,
        size::Size,
        table::PlayArea,
    },
};

/// No centre of an obstacle is tried nearer to an edge (FE-2.2: not at range 1-2), mm.
const FROM_EDGES_MM: f64 = 200.0;
/// Tries for one obstacle before all are taken up again, and how often that is done.
const TRIES: u32 = 200;
const LAYOUTS: u32 = 200;
/// Turns of an obstacle are multiples of this, degrees.
const TURN_DEGREES: f64 = 5.0;
/// The hind edge of what is placed is this far from its edge line, mm.
const HIND_MM: f64 = 20.0;
/// How far starts of the shuttle are apart, mm.
const STEP_MM: f64 = 20.0;
/// How wide the shuttle's lane is, mm.
const LANE_MM: f64 = 80.0;
/// Between the centres of neighbours, mm; less where there is no room.
const SPACING_MM: f64 = 100.0;
const LESS_SPACING_MM: f64 = 5.0;
/// The least room between two bases, mm.
const GAP_MM: f64 = 1.0;

/// How far from the edge the centre of a base of that size stands, mm.
pub fn depth(size: Size) -> f64 {
    HIND_MM + size.length_mm() / 2.0
}

/// Whether a piece lies in the middle third of the table, where an automated defender puts none: with its centre.
fn in_the_middle_third(area: PlayArea, piece: &Obstacle) -> bool {
    let x = polygon::centroid(&piece.outline).x;
    (area.width / 3.0..=area.width * 2.0 / 3.0).contains(&x)
}

/// Six obstacles at random legal places, one from each side in turn, whoever has initiative first; the defender puts none into
/// the middle third (PE-A8). Fewer if no room was found for six.
pub fn obstacles(
    rules: &Rules,
    area: PlayArea,
    outlines: &ObstacleOutlines,
    first: Role,
    dice: &mut dyn DiceSource,
) -> Vec<Obstacle> {
    let pieces = (outlines.all().iter()).filter(|outline| placing::may_be_brought(rules, outline.kind));
    let pieces: Vec<&ObstacleOutline> = pieces.collect();
    let mut best: Vec<Obstacle> = Vec::new();
    for _ in 0..LAYOUTS {
        let mut placed: Vec<Obstacle> = Vec::with_capacity(OBSTACLES);
        for place in 0..OBSTACLES {
            let placer = if place % 2 == 0 { first } else { first.other() };
            let id = format!("O{}", place + 1).into();
            match one_obstacle(rules, area, &pieces, &placed, placer == Role::Defender, dice) {
                Some((piece, pose)) => placed.push(piece.placed(id, pose)),
                None => break,
            }
        }
        if placed.len() > best.len() {
            best = placed;
        }
        if best.len() == OBSTACLES {
            break;
        }
    }
    best
}

/// One obstacle at a random legal place among those that lie (FE-2.2), not in the middle third where that is kept free (PE-A8):
/// which piece, and where. `None` if no place was found.
pub fn one_obstacle<'o>(
    rules: &Rules,
    area: PlayArea,
    pieces: &[&'o ObstacleOutline],
    others: &[Obstacle],
    keep_middle_free: bool,
    dice: &mut dyn DiceSource,
) -> Option<(&'o ObstacleOutline, Pose)> {
    if pieces.is_empty() {
        return None;
    }
    (0..TRIES).find_map(|_| {
        let (piece, pose) = somewhere(area, pieces, dice);
        let there = piece.placed("new".into(), pose);
        let fits = placing::check_obstacle(rules, area, &there, others).is_empty()
            && !(keep_middle_free && in_the_middle_third(area, &there));
        fits.then_some((piece, pose))
    })
}

fn somewhere<'o>(
    area: PlayArea,
    pieces: &[&'o ObstacleOutline],
    dice: &mut dyn DiceSource,
) -> (&'o ObstacleOutline, Pose) {
    let piece = pieces[dice.choose(pieces.len()).min(pieces.len() - 1)];
    let mut at = |length: f64| FROM_EDGES_MM + dice.choose((length - 2.0 * FROM_EDGES_MM).max(1.0) as usize) as f64;
    let (x, y) = (at(area.width), at(area.height));
    let turn = dice.choose((360.0 / TURN_DEGREES) as usize) as f64 * TURN_DEGREES;
    (piece, Pose::new(x, y, turn))
}

/// The defender's edge, and where the shuttle starts.
#[derive(Debug, Clone, PartialEq)]
pub struct Start {
    /// The defender's edge.
    pub edge: Edge,
    /// Where along it, mm.
    pub along: f64,
    /// The shuttle's pose.
    pub pose: Pose,
    /// Why.
    pub reasons: Vec<Reason>,
}

/// PE-A8: the edge and start whose lane straight across meets the fewest obstacles, then the one nearest the middle; even: a
/// seeded roll. `edges` are those that the defender may pick, in order.
pub fn start(
    area: PlayArea,
    obstacles: &[Obstacle],
    size: Size,
    edges: &[Edge],
    dice: &mut dyn DiceSource,
) -> Option<Start> {
    start_where(area, obstacles, size, edges, &|_| true, dice)
}

/// As [`start`], among the starts that are allowed.
pub fn start_where(
    area: PlayArea,
    obstacles: &[Obstacle],
    size: Size,
    edges: &[Edge],
    allowed: &dyn Fn(Pose) -> bool,
    dice: &mut dyn DiceSource,
) -> Option<Start> {
    let mut found: Vec<(usize, f64, Edge, f64)> = Vec::new();
    for &edge in edges {
        let (length, half) = (length(area, edge), size.base_mm() / 2.0);
        let steps = ((length / 2.0 - half) / STEP_MM).floor().max(0.0) as i32;
        for step in -steps..=steps {
            let off = f64::from(step) * STEP_MM;
            let along = length / 2.0 + off;
            if !allowed(across(area, edge, along, depth(size))) {
                continue;
            }
            found.push((met(area, obstacles, edge, along), off.abs(), edge, along));
        }
    }
    let fewest = found.iter().map(|(met, ..)| *met).min()?;
    let clear: Vec<_> = found.iter().filter(|(met, ..)| *met == fewest).collect();
    let nearest = clear.iter().map(|(_, off, ..)| *off).fold(f64::INFINITY, f64::min);
    let tied: Vec<_> = clear
        .iter()
        .filter(|(_, off, ..)| *off <= nearest + OVERLAP_MM)
        .collect();
    let chosen = tied[if tied.len() > 1 {
        dice.choose(tied.len()).min(tied.len() - 1)
    } else {
        0
    }];
    let &&(_, _, edge, along) = chosen;
    let compared = edges.iter().map(|&other| {
        let best = found.iter().filter(|(_, _, edge, _)| *edge == other);
        let least = best.map(|(met, ..)| *met).min().unwrap_or(0);
        Compared {
            candidate: other.word().to_owned(),
            value: Some(least as f64),
            unit: "obstacles".to_owned(),
            verdict: if other == edge { "taken" } else { "not better" }.to_owned(),
        }
    });
    let text = format!(
        "the {} edge, {along:.1} mm along it: the lane meets {fewest} obstacles, {nearest:.0} mm from the middle{}",
        edge.word(),
        if tied.len() > 1 {
            "; a seeded roll among equals"
        } else {
            ""
        }
    );
    Some(Start {
        edge,
        along,
        pose: across(area, edge, along, depth(size)),
        reasons: vec![Reason {
            rule: "PE-A8".to_owned(),
            text,
            compared: compared.collect(),
        }],
    })
}

/// How many obstacles lie on the lane straight across from a place along an edge.
fn met(area: PlayArea, obstacles: &[Obstacle], edge: Edge, along: f64) -> usize {
    let across_mm = match edge {
        Edge::South | Edge::North => area.height,
        Edge::West | Edge::East => area.width,
    };
    let middle = across(area, edge, along, across_mm / 2.0);
    let lane: [Point; 4] = Rectangle::at(middle, LANE_MM, across_mm).corners();
    (obstacles.iter())
        .filter(|obstacle| polygon::intersect(&polygon::Boxed::new(&lane), &obstacle.outline))
        .count()
}

/// A ship to be placed.
#[derive(Debug, Clone, PartialEq)]
pub struct ToPlace {
    /// Its id.
    pub ship: ObjectId,
    /// Its pilot skill.
    pub skill: u8,
    /// Its base.
    pub size: Size,
}

/// PE-A8: escorts on both sides of the shuttle, outward by skill, lowest next to it. In the order of `ships`.
pub fn escorts(area: PlayArea, start: &Start, shuttle: Size, ships: &[ToPlace]) -> Vec<(ObjectId, Pose)> {
    let mut order: Vec<&ToPlace> = ships.iter().collect();
    order.sort_by(|a, b| (a.skill, &a.ship).cmp(&(b.skill, &b.ship)));
    let mut spacing = SPACING_MM;
    loop {
        if let Some(places) = beside(area, start, shuttle, &order, spacing) {
            return places;
        }
        spacing -= LESS_SPACING_MM;
        if spacing < Size::Small.base_mm() {
            // So many ships have no room beside it; they stand in a line from the left.
            return line(area, start.edge, &order, None);
        }
    }
}

/// Places outward from the shuttle in turn left and right; on one side alone where the other is full.
fn beside(
    area: PlayArea,
    start: &Start,
    shuttle: Size,
    ships: &[&ToPlace],
    spacing: f64,
) -> Option<Vec<(ObjectId, Pose)>> {
    let length = length(area, start.edge);
    // How far each side is taken: the last centre and the half width of what stands there.
    let half = shuttle.base_mm() / 2.0;
    let mut taken = [(start.along, half), (start.along, half)];
    let mut places = Vec::with_capacity(ships.len());
    for (place, ship) in ships.iter().enumerate() {
        let own = ship.size.base_mm() / 2.0;
        let try_side = |side: usize, taken: &[(f64, f64); 2]| {
            let (centre, half) = taken[side];
            let step = spacing.max(half + own + GAP_MM);
            let at = if side == 0 { centre - step } else { centre + step };
            (at - own >= 0.0 && at + own <= length).then_some(at)
        };
        let sides = if place % 2 == 0 { [0, 1] } else { [1, 0] };
        let (side, at) = sides
            .into_iter()
            .find_map(|side| try_side(side, &taken).map(|at| (side, at)))?;
        taken[side] = (at, own);
        places.push((ship.ship.clone(), across(area, start.edge, at, depth(ship.size))));
    }
    Some(places)
}

/// PE-A8: attackers at equal distances along their edge, the middle one opposite the shuttle as far as there is room.
pub fn attackers(area: PlayArea, start: &Start, ships: &[ToPlace]) -> Vec<(ObjectId, Pose)> {
    let mut order: Vec<&ToPlace> = ships.iter().collect();
    order.sort_by(|a, b| (a.skill, &a.ship).cmp(&(b.skill, &b.ship)));
    line(area, start.edge.opposite(), &order, Some(start.along))
}

/// A squad in the middle of its edge, by skill, the lowest on the left: for games without a shuttle (choice).
pub fn in_line(area: PlayArea, edge: Edge, ships: &[ToPlace]) -> Vec<(ObjectId, Pose)> {
    let mut order: Vec<&ToPlace> = ships.iter().collect();
    order.sort_by(|a, b| (a.skill, &a.ship).cmp(&(b.skill, &b.ship)));
    line(area, edge, &order, None)
}

/// A line along an edge with its middle ship at a place, moved along if it would not fit.
fn line(area: PlayArea, edge: Edge, ships: &[&ToPlace], middle: Option<f64>) -> Vec<(ObjectId, Pose)> {
    let length = length(area, edge);
    let widest = ships.iter().map(|ship| ship.size.base_mm()).fold(0.0, f64::max);
    let count = ships.len().max(1) as f64;
    let room = length - widest;
    let spacing = match count > 1.0 {
        true => SPACING_MM
            .min(room / (count - 1.0))
            .max(widest.min(room / (count - 1.0))),
        false => 0.0,
    };
    let first = match middle {
        Some(middle) => middle - ((ships.len().saturating_sub(1)) / 2) as f64 * spacing,
        None => (length - (count - 1.0) * spacing) / 2.0,
    };
    let most = length - widest / 2.0 - (count - 1.0) * spacing;
    let first = first.min(most).max(widest / 2.0);
    let ships = ships.iter().enumerate();
    ships
        .map(|(place, ship)| {
            let along = first + place as f64 * spacing;
            (ship.ship.clone(), across(area, edge, along, depth(ship.size)))
        })
        .collect()
}

/// Whether no two of these bases lie on each other.
pub fn are_clear(placed: &[(Size, Pose)]) -> bool {
    placed.iter().enumerate().all(|(place, (size, pose))| {
        let own = base(*size, *pose);
        let others = &placed[..place];
        others
            .iter()
            .all(|(size, pose)| own.penetration(&base(*size, *pose)) <= OVERLAP_MM)
    })
}
