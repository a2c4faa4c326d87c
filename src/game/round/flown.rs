//! Which maneuver a player's ship has flown, told from where it stood and where it stands.

use crate::{
    geometry::{Pose, angle},
    xwing::{
        ObjectId,
        action::{ActionKind, BarAction},
        maneuver::Maneuver,
        movement::{self, Execution, MovementOptions, observed::observed},
        reposition,
        ship::Ship,
        table::Table,
        template::Path,
    },
};

/// How far from its end a ship may stand, mm and degrees: hands and physics are not exact, and the guides of models make them
/// bump earlier than bases do.
const NEAR: f64 = 6.0;

/// Ends that are closer to each other than this, mm and degrees, cannot be told apart.
const ALIKE: f64 = 1.5;

/// A maneuver that may have been flown.
#[derive(Debug, Clone, PartialEq)]
pub struct Flown {
    /// As it came out, the ship where it was seen unless it was moved on by an action.
    pub execution: Execution,
    /// How far the ship stands from where it would end, mm and degrees taken together.
    pub off: f64,
}

/// How far two poses are apart, mm and degrees taken together.
pub fn apart(a: Pose, b: Pose) -> f64 {
    let turn = angle::signed(a.heading - b.heading).abs();
    a.position.distance(b.position).hypot(turn)
}

/// Whether a ship that stands at one pose was put at the other.
pub fn near(a: Pose, b: Pose) -> bool {
    apart(a, b) <= NEAR
}

/// Every maneuver that the ship may have flown from where it stands on the table to the pose, the likeliest first. Where it
/// stands at the end of none, a move that was stopped on its way counts, by a ship in `touching` or the nearest one, and one
/// that an action followed.
pub fn guesses(table: &Table, ship: &Ship, pose: Pose, touching: &[ObjectId], options: &MovementOptions) -> Vec<Flown> {
    let maneuvers: Vec<Maneuver> = match ship.is_ionized() {
        true => vec![table.rules.ion_maneuver()],
        false => ship.dial.maneuvers().to_vec(),
    };
    let mut guesses: Vec<Flown> = maneuvers
        .iter()
        .flat_map(|&maneuver| movement::executions(table, ship, maneuver, options))
        .map(|execution| Flown {
            off: apart(execution.pose, pose),
            execution,
        })
        .collect();
    if guesses.iter().all(|guess| guess.off > NEAR) {
        let stopped = maneuvers
            .iter()
            .filter_map(|&m| stopped(table, ship, m, pose, touching, options));
        guesses.extend(stopped.collect::<Vec<_>>());
    }
    for guess in &mut guesses {
        if guess.off <= NEAR {
            guess.execution.pose = pose;
        }
    }
    if guesses.iter().all(|guess| guess.off > NEAR) {
        for guess in &mut guesses {
            if let Some(off) = moved_on(table, ship, &guess.execution, pose, options) {
                guess.off = off;
            }
        }
    }
    // Equal ones stay in the order of the dial.
    guesses.sort_by(|a, b| a.off.total_cmp(&b.off));
    guesses
}

/// The guesses that agree with where the ship stands: one if that tells the maneuver, several if it does not, none if it stands
/// at no end.
pub fn agreeing(guesses: &[Flown]) -> &[Flown] {
    let best = guesses.first().map_or(f64::MAX, |guess| guess.off);
    let alike = guesses
        .iter()
        .take_while(|guess| guess.off <= NEAR && guess.off <= best + ALIKE);
    &guesses[..alike.count()]
}

/// The maneuver, stopped on its way by a ship that is touched now.
pub fn stopped(
    table: &Table,
    ship: &Ship,
    maneuver: Maneuver,
    pose: Pose,
    touching: &[ObjectId],
    options: &MovementOptions,
) -> Option<Flown> {
    let execution = observed(table, ship, maneuver, pose, touching, options);
    let path = Path::of(ship.size, maneuver)?;
    let on_the_way = ship.pose.compose(path.pose_at(execution.travelled_mm));
    let off = apart(on_the_way, pose);
    (off <= NEAR && !execution.bumped.is_empty()).then_some(Flown { execution, off })
}

/// How far the ship stands from the nearest end of a boost or a barrel roll after the maneuver, if it is near one.
fn moved_on(table: &Table, ship: &Ship, flown: &Execution, pose: Pose, options: &MovementOptions) -> Option<f64> {
    let after = Ship {
        pose: flown.pose,
        ..ship.clone()
    };
    let kinds = [ActionKind::BarrelRoll, ActionKind::Boost].into_iter();
    let of_bar = kinds.filter(|kind| {
        let is_it =
            |entry: &BarAction| entry.action.kind == *kind || entry.linked.is_some_and(|linked| linked.kind == *kind);
        ship.actions.iter().any(is_it)
    });
    let ends = of_bar.flat_map(|kind| {
        let seen = (kind == ActionKind::BarrelRoll).then(|| reposition::rolls_seen(table, &after, pose, options));
        reposition::ends(table, &after, kind, options).chain(seen.into_iter().flatten())
    });
    let free = ends.filter(|(_, end)| end.blocked.is_none());
    let off = free.map(|(_, end)| apart(end.pose, pose)).min_by(f64::total_cmp)?;
    (off <= NEAR).then_some(off)
}
