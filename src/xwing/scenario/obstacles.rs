//! SA-13: where obstacles may lie.

use super::{
    ObstacleRules, Scenario, ScenarioError, Spacing,
    marker::{PlacedMarker, from_edges, holds_from_edges, somewhere},
    setup::PlacedObstacle,
};
use crate::{
    dice::DiceSource,
    geometry::{
        Polygon, Pose,
        polygon::{self, Area},
    },
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
    let ground = Ground::new(scenario, markers);
    (0..LAYOUTS).find_map(|_| {
        let mut placed: Vec<PlacedObstacle> = Vec::with_capacity(pieces.len());
        for piece in pieces {
            let found = (0..TRIES).find_map(|_| ground.one(piece, &placed, dice))?;
            placed.push(found);
        }
        Some(placed)
    })
}

/// What obstacles must keep away from, laid out once for all tries: set-up spends its time on them.
struct Ground<'s> {
    rules: &'s ObstacleRules,
    area: PlayArea,
    markers: Vec<Polygon>,
    /// What the deployment sides of the markers point at, where the rules ask for that.
    pointed_at: Vec<Polygon>,
}

impl<'s> Ground<'s> {
    fn new(scenario: &'s Scenario, markers: &[PlacedMarker]) -> Self {
        let rules = &scenario.obstacles;
        let area = scenario.play_area();
        let sides = || scenario.markers.deployment_sides.iter();
        let pointed_at = (markers.iter())
            .filter(|_| rules.off_deployment_sides)
            .flat_map(|marker| sides().map(|side| marker.strip(*side, area).to_vec().into()))
            .collect();
        Ground {
            rules,
            area,
            markers: markers.iter().map(|marker| marker.outline().to_vec().into()).collect(),
            pointed_at,
        }
    }

    /// A piece somewhere, if it may lie there.
    fn one(
        &self,
        piece: &ObstacleOutline,
        placed: &[PlacedObstacle],
        dice: &mut dyn DiceSource,
    ) -> Option<PlacedObstacle> {
        let (least, _) = self.rules.from_edges.limits_mm();
        let pose = Pose::new(
            somewhere(least, self.area.width - least, dice),
            somewhere(least, self.area.height - least, dice),
            dice.choose(TURNS) as f64 * (360.0 / TURNS as f64),
        );
        let outline = Polygon::from(piece.outline_at(pose));
        self.fits(&outline, placed).then(|| PlacedObstacle {
            piece: piece.id.clone(),
            pose,
            obstacle: Obstacle {
                id: format!("obstacle-{}", placed.len() + 1).into(),
                kind: piece.kind,
                outline,
            },
        })
    }

    fn fits(&self, outline: &Polygon, placed: &[PlacedObstacle]) -> bool {
        let rules = self.rules;
        // What is told soonest comes first.
        holds_from_edges(rules.from_edges, from_edges(self.area, outline))
            && (placed.iter()).all(|other| holds_between(rules.apart, outline, &other.obstacle.outline))
            && (self.markers.iter()).all(|marker| holds_between(rules.from_markers, outline, marker))
            && !(self.pointed_at.iter()).any(|strip| polygon::intersect(strip, outline))
    }
}

/// Whether two outlines are as far apart as a rule wants them.
fn holds_between(spacing: Spacing, a: &impl Area, b: &impl Area) -> bool {
    let (least, most) = spacing.limits_mm();
    match most.is_infinite() {
        true => polygon::are_apart(a, b, least),
        false => spacing.holds(polygon::distance(a, b)),
    }
}
