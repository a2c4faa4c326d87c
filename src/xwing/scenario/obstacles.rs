//! SA-13: where obstacles may lie.

use super::{
    Scenario, ScenarioError, Spacing,
    marker::{PlacedMarker, from_edges, holds_from_edges, somewhere},
    setup::PlacedObstacle,
};
use crate::{
    dice::DiceSource,
    geometry::{Point, Pose, polygon},
    xwing::{catalog::Catalog, obstacle::Obstacle, obstacle_outlines::ObstacleOutline, table::PlayArea},
};

/// Tries for one obstacle before all are taken up again.
const TRIES: u32 = 150;
/// How often all are taken up again before the markers are laid anew.
const LAYOUTS: u32 = 20;

/// Turns are multiples of this, degrees.
const TURNS: usize = 72;

/// The outlines of the scenario's pieces, in its order.
pub(super) fn pieces<'c>(scenario: &Scenario, catalog: &'c Catalog) -> Result<Vec<&'c ObstacleOutline>, ScenarioError> {
    let find = |piece: &String| {
        catalog.outlines().find(piece).ok_or_else(|| {
            ScenarioError::Asked(format!(
                "no obstacle `{piece}` is known; give its outline with --obstacles"
            ))
        })
    };
    scenario.obstacles.pieces.iter().map(find).collect()
}

/// Lays the obstacles one after another where the rules allow it; `None` when many layouts did not end well.
pub(super) fn place(
    scenario: &Scenario,
    pieces: &[&ObstacleOutline],
    markers: &[PlacedMarker],
    dice: &mut dyn DiceSource,
) -> Option<Vec<PlacedObstacle>> {
    (0..LAYOUTS).find_map(|_| {
        let mut placed: Vec<PlacedObstacle> = Vec::with_capacity(pieces.len());
        for piece in pieces {
            let found = (0..TRIES).find_map(|_| one(scenario, piece, &placed, markers, dice))?;
            placed.push(found);
        }
        Some(placed)
    })
}

fn one(
    scenario: &Scenario,
    piece: &ObstacleOutline,
    placed: &[PlacedObstacle],
    markers: &[PlacedMarker],
    dice: &mut dyn DiceSource,
) -> Option<PlacedObstacle> {
    let area = scenario.play_area();
    let (least, _) = scenario.obstacles.from_edges.limits_mm();
    let pose = Pose::new(
        somewhere(least, area.width - least, dice),
        somewhere(least, area.height - least, dice),
        dice.choose(TURNS) as f64 * (360.0 / TURNS as f64),
    );
    let obstacle = piece.placed(format!("obstacle-{}", placed.len() + 1).into(), pose);
    fits(scenario, area, &obstacle.outline, placed, markers).then(|| PlacedObstacle {
        piece: piece.id.clone(),
        pose,
        obstacle,
    })
}

fn fits(
    scenario: &Scenario,
    area: PlayArea,
    outline: &[Point],
    placed: &[PlacedObstacle],
    markers: &[PlacedMarker],
) -> bool {
    let rules = &scenario.obstacles;
    let sides = || scenario.markers.deployment_sides.iter().copied();
    holds_from_edges(rules.from_edges, from_edges(area, outline))
        && (markers.iter()).all(|marker| holds_between(rules.from_markers, outline, &marker.outline()))
        && !(rules.off_deployment_sides
            && (markers.iter()).any(|marker| sides().any(|side| marker.points_at(side, area, outline))))
        && (placed.iter()).all(
            |PlacedObstacle {
                 obstacle: Obstacle { outline: other, .. },
                 ..
             }| { holds_between(rules.apart, outline, other) },
        )
}

/// Whether two outlines are as far apart as a rule wants them. Boxes around them and single corners tell most of it, which is
/// all the time that set-up takes.
fn holds_between(spacing: Spacing, a: &[Point], b: &[Point]) -> bool {
    let (least, most) = spacing.limits_mm();
    if let (Some(&corner), Some(&other)) = (a.first(), b.first())
        && corner.distance(other) < least
    {
        return false;
    }
    if most.is_infinite() {
        let ((a_low, a_high), (b_low, b_high)) = (polygon::bounding_box(a), polygon::bounding_box(b));
        let x = (b_low.x - a_high.x).max(a_low.x - b_high.x).max(0.0);
        let y = (b_low.y - a_high.y).max(a_low.y - b_high.y).max(0.0);
        if Point::new(x, y).length() >= least {
            return true;
        }
    }
    spacing.holds(polygon::distance(a, b))
}
