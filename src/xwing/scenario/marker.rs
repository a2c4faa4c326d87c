//! Hyperspace markers: where they may lie (SA-13), what their sides point at, where a ship stands against a side.

use super::{Edge, MARGIN_MM, MarkerRules, MarkerSide, Scenario, ScenarioError, Spacing};
use crate::{
    dice::DiceSource,
    geometry::{
        Bounds, Point, Pose, Rectangle,
        polygon::{self, Area},
    },
    xwing::{
        ObjectId,
        size::Size,
        table::{PlayArea, Table},
    },
};

/// Positions are multiples of this, mm: coarse enough to be read, fine enough to be anywhere.
const GRID_MM: f64 = 0.1;
/// A play mat may be this much shorter at each edge than the area says, mm (the mod's 3 foot mat is 910 mm wide);
/// distances from edges hold on either.
pub(super) const MAT_MM: f64 = 2.5;
/// Tries for all markers together.
const TRIES: u32 = 20_000;

/// A hyperspace marker on the table.
#[derive(Debug, Clone, PartialEq)]
pub struct PlacedMarker {
    /// Its id: `marker-1` and so on.
    pub id: ObjectId,
    /// Its centre, and where its front points.
    pub pose: Pose,
    /// Its side, mm.
    pub size_mm: f64,
}

impl PlacedMarker {
    /// What it covers.
    pub fn outline(&self) -> [Point; 4] {
        Rectangle::at(self.pose, self.size_mm, self.size_mm).corners()
    }

    /// The pose of the middle of a side, pointing out of the marker.
    fn side(&self, side: MarkerSide) -> Pose {
        let turn = match side {
            MarkerSide::Front => 0.0,
            MarkerSide::Left => 270.0,
            MarkerSide::Right => 90.0,
            MarkerSide::Back => 180.0,
        };
        let turned = self.pose.compose(Pose::new(0.0, 0.0, turn));
        turned.compose(Pose::new(0.0, self.size_mm / 2.0, 0.0))
    }

    /// The middle of a side.
    pub fn middle(&self, side: MarkerSide) -> Point {
        self.side(side).position
    }

    /// SA-13: whether a side points directly at something: any of it lies in the strip as wide as the side that runs
    /// straight away from it, to the end of the table (choice).
    pub fn points_at(&self, side: MarkerSide, area: PlayArea, outline: &(impl Area + ?Sized)) -> bool {
        polygon::intersect(&self.strip(side, area), outline)
    }

    /// The strip that a side points at.
    pub(super) fn strip(&self, side: MarkerSide, area: PlayArea) -> [Point; 4] {
        let length = area.width + area.height;
        let middle = self.side(side).compose(Pose::new(0.0, length / 2.0, 0.0));
        Rectangle::at(middle, self.size_mm + 2.0 * MARGIN_MM, length).corners()
    }

    /// Where a ship stands against a side: its rear edge along it, in the middle, its nose pointing away.
    pub fn arrival(&self, side: MarkerSide, size: Size) -> Pose {
        self.side(side).compose(Pose::new(0.0, size.length_mm() / 2.0, 0.0))
    }
}

/// The markers that a table shows as points named `marker-1` and so on, their fronts towards the player edge.
pub fn shown_on(scenario: &Scenario, table: &Table) -> Vec<PlacedMarker> {
    let is_marker = |id: &str| {
        id.strip_prefix("marker-")
            .is_some_and(|number| number.parse::<u32>().is_ok())
    };
    let shown = table.markers.iter().filter(|point| is_marker(&point.id));
    shown
        .map(|point| PlacedMarker {
            id: point.id.clone(),
            pose: Pose::new(point.position.x, point.position.y, towards(scenario.player_edge)),
            size_mm: scenario.markers.size_mm,
        })
        .collect()
}

/// The heading that points straight at an edge, degrees.
pub(super) fn towards(edge: Edge) -> f64 {
    match edge {
        Edge::North => 0.0,
        Edge::East => 90.0,
        Edge::South => 180.0,
        Edge::West => 270.0,
    }
}

/// A number on the grid, evenly from `low..=high`; `low` if there is no room.
pub(super) fn somewhere(low: f64, high: f64, dice: &mut dyn DiceSource) -> f64 {
    let steps = ((high - low) / GRID_MM).floor().max(0.0) as usize;
    // Rounded, so that the written form is as short as the grid is coarse.
    ((low / GRID_MM).ceil() + dice.choose(steps + 1) as f64).min((high / GRID_MM).floor()) / (1.0 / GRID_MM)
}

/// The distance of an outline from the nearest edge of the area, mm; negative where it is over it.
pub(super) fn from_edges(area: PlayArea, outline: &(impl Area + ?Sized)) -> f64 {
    let Bounds { low, high } = outline.bounds();
    let sides = [low.x, low.y, area.width - high.x, area.height - high.y];
    sides.into_iter().fold(f64::INFINITY, f64::min)
}

/// Whether a distance from the nearest edge satisfies a rule, on a mat that is a little shorter as well.
pub(super) fn holds_from_edges(spacing: Spacing, mm: f64) -> bool {
    spacing.holds(mm) && spacing.holds(mm - MAT_MM)
}

/// Lays the markers (SA-13): apart and from the edges as the rules say, fronts towards the player edge, no side pointing
/// at another marker.
///
/// # Errors
/// None of many tries satisfied all rules.
pub(super) fn place(scenario: &Scenario, dice: &mut dyn DiceSource) -> Result<Vec<PlacedMarker>, ScenarioError> {
    let rules = &scenario.markers;
    let area = scenario.play_area();
    let (least, _) = rules.from_edges.limits_mm();
    let near = least + rules.size_mm / 2.0 + MAT_MM;
    let heading = towards(scenario.player_edge);
    for _ in 0..TRIES {
        let markers: Vec<PlacedMarker> = (1..=rules.count)
            .map(|number| PlacedMarker {
                id: format!("marker-{number}").into(),
                pose: Pose::new(
                    somewhere(near, area.width - near, dice),
                    somewhere(near, area.height - near, dice),
                    heading,
                ),
                size_mm: rules.size_mm,
            })
            .collect();
        if fits(rules, area, &markers) {
            return Ok(markers);
        }
    }
    Err(ScenarioError::NoRoom(format!(
        "no place for {} markers was found in {TRIES} tries; loosen markers.apart or markers.from_edges, or enlarge the area",
        rules.count
    )))
}

fn fits(rules: &MarkerRules, area: PlayArea, markers: &[PlacedMarker]) -> bool {
    markers.iter().enumerate().all(|(index, marker)| {
        let outline = marker.outline();
        holds_from_edges(rules.from_edges, from_edges(area, &outline))
            && (markers[index + 1..].iter())
                .all(|other| rules.apart.holds(polygon::distance(&outline, &other.outline())))
            && (markers.iter().filter(|other| other.id != marker.id)).all(|other| {
                let sides = rules.deployment_sides.iter();
                sides
                    .copied()
                    .all(|side| !marker.points_at(side, area, &other.outline()))
            })
    })
}
