//! SA-13: set-up: markers, obstacles and the first ships, from a seed.

use super::{
    Scenario, ScenarioError, arrival,
    marker::{self, PlacedMarker},
    muster::Muster,
    obstacles,
};
use crate::{
    dice::SeededDice,
    geometry::Pose,
    xwing::{
        catalog::Catalog,
        obstacle::Obstacle,
        table::{Marker, Table},
    },
};

/// How often markers are laid anew when the obstacles find no room beside them.
const TRIES: u32 = 40;

/// An obstacle of a set-up.
#[derive(Debug, Clone, PartialEq)]
pub struct PlacedObstacle {
    /// Its obstacle id, as in `coreasteroid0`.
    pub piece: String,
    /// Where its own frame lies.
    pub pose: Pose,
    /// The obstacle itself.
    pub obstacle: Obstacle,
}

/// A table ready for the first round.
#[derive(Debug, Clone, PartialEq)]
pub struct SetUp {
    /// Hyperspace markers.
    pub markers: Vec<PlacedMarker>,
    /// Obstacles.
    pub obstacles: Vec<PlacedObstacle>,
    /// Everything on the table; ships that arrive later are reserved. Markers are points at their centres.
    pub table: Table,
    /// What was rolled, and what the players ought to know.
    pub notes: Vec<String>,
}

/// Sets a scenario up (SA-13). The same seed gives the same table.
///
/// # Errors
/// No layout that satisfies all rules was found, or an obstacle is not known.
pub fn set_up(scenario: &Scenario, muster: &Muster, catalog: &Catalog, seed: u64) -> Result<SetUp, ScenarioError> {
    let pieces = obstacles::pieces(scenario, catalog)?;
    let mut dice = SeededDice::for_activation(seed, 0, "set-up");
    for _ in 0..TRIES {
        let markers = marker::place(scenario, &mut dice)?;
        let Some(obstacles) = obstacles::place(scenario, &pieces, &markers, &mut dice) else {
            continue;
        };
        let mut table = Table::new(
            scenario.play_area(),
            muster.recruits.iter().map(|recruit| recruit.ship.clone()).collect(),
            obstacles.iter().map(|placed| placed.obstacle.clone()).collect(),
            (markers.iter())
                .map(|marker| Marker {
                    id: marker.id.clone(),
                    position: marker.pose.position,
                })
                .collect(),
        )
        .with_rules(catalog.rules());
        let mut notes = muster.notes.clone();
        notes.extend(arrival::bring_in(scenario, muster, &markers, &mut table, 0, seed)?.notes);
        return Ok(SetUp {
            markers,
            obstacles,
            table,
            notes,
        });
    }
    Err(ScenarioError::NoRoom(format!(
        "no room for {} obstacles was found in {TRIES} tries; loosen the distances of [obstacles], field smaller or fewer \
         pieces, or try another --seed",
        pieces.len()
    )))
}
