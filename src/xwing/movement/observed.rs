//! A maneuver that a table carried out by its own rules, judged by where the ship was seen afterwards.

use super::{Departure, EdgePolicy, Execution, MovementOptions, execute, executions, suffered};
use crate::{
    geometry::{Pose, angle},
    xwing::{ObjectId, base, maneuver::Maneuver, measure, ship::Ship, table::Table, template::Path},
};

/// Poses closer than this are the same, mm and degrees: tables round, and physics settles.
const SAME: f64 = 1.0;

/// How far a table's own bump may leave two ships apart, mm: both have guides of up to 2.7 mm.
const BUMP_GAP_MM: f64 = 5.5;

/// The execution that took `ship` (as it stood before) to `pose`. Where that is an end that the rules expect, it is that
/// execution; else the ship is taken to have stopped at the point of its template nearest to `pose`, for the ships in
/// `touching`, or if nobody knows which, for the nearest one.
pub fn observed(
    table: &Table,
    ship: &Ship,
    maneuver: Maneuver,
    pose: Pose,
    touching: &[ObjectId],
    options: &MovementOptions,
) -> Execution {
    let same = |other: &Execution| {
        other.pose.position.distance(pose.position) <= SAME
            && angle::signed(other.pose.heading - pose.heading).abs() <= SAME
    };
    let mut expected = executions(table, ship, maneuver, options);
    let seen = Departure::new(table, ship, options).alignment_seen(maneuver, pose);
    expected.extend(seen.map(|alignment| execute(table, ship, maneuver, alignment, options)));
    if let Some(index) = expected.iter().position(same) {
        let mut execution = expected.swap_remove(index);
        // The table's word on whom it touches counts, but only if it did back up.
        if !execution.full && !touching.is_empty() && !execution.edge {
            execution.overlapped = touching.to_vec();
            execution.overlapped.sort();
            execution.bumped.clone_from(&execution.overlapped);
        }
        execution.pose = pose;
        return execution;
    }
    let departure = Departure::new(table, ship, options);
    let (travelled_mm, crossed) = match Path::of(ship.size, maneuver) {
        Some(path) => {
            let travelled = nearest_on(&path, ship.pose, pose);
            let crossed = departure.obstacles_crossed(&path, travelled);
            (travelled, crossed)
        }
        None => (0.0, Vec::new()),
    };
    let mut overlapped = touching.to_vec();
    if overlapped.is_empty() {
        overlapped.extend(nearest_ship(table, ship, pose));
    }
    overlapped.sort();
    let overlapped_obstacles = departure.obstacles_under(&base::base(ship.size, pose));
    let suffered = suffered(table, ship, &crossed, &overlapped_obstacles, &departure.started_on);
    Execution {
        maneuver,
        pose,
        full: false,
        alignment: None,
        travelled_mm,
        bumped: overlapped.clone(),
        overlapped,
        edge: options.edge == EdgePolicy::Flee
            && super::edge_depth(&table.area, &base::base(ship.size, pose)) > crate::geometry::OVERLAP_MM,
        crossed,
        overlapped_obstacles,
        started_on: departure.started_on,
        suffered,
    }
}

/// How far along the path the centre comes nearest to where the ship was seen.
fn nearest_on(path: &Path, start: Pose, pose: Pose) -> f64 {
    let gap = |travelled: f64| start.compose(path.pose_at(travelled)).position.distance(pose.position);
    let step = path.length() / 200.0;
    let nearest =
        |range: &mut dyn Iterator<Item = f64>| range.min_by(|a, b| gap(*a).total_cmp(&gap(*b))).unwrap_or(0.0);
    let coarse = nearest(&mut (0..=200).map(|i| f64::from(i) * step));
    let fine = nearest(&mut (-50..=50).map(|i| coarse + f64::from(i) * step / 50.0));
    fine.clamp(0.0, path.length())
}

/// The ship that it must have stopped for.
fn nearest_ship(table: &Table, ship: &Ship, pose: Pose) -> Option<ObjectId> {
    table
        .ships_in_play()
        .filter(|other| other.id != ship.id)
        .map(|other| {
            (
                measure::distance(ship.size, pose, &measure::Object::Ship(other)),
                &other.id,
            )
        })
        .filter(|(gap, _)| *gap <= BUMP_GAP_MM)
        .min_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.cmp(b.1)))
        .map(|(_, id)| id.clone())
}
