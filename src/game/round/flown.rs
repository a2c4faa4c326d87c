//! Which maneuver a player's ship has flown, told from where it stood and where it stands.

use crate::{
    geometry::{Pose, angle},
    xwing::{
        ObjectId,
        action::{ActionKind, BarAction},
        dial_rulings::INSTEAD,
        edition::StressedRed,
        maneuver::{Bearing, Difficulty, Maneuver},
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

/// What a ship may fly: its ion maneuver, what it was ruled to fly, or else what its dial has, and the white 2 straight of a
/// stressed ship whose dial has no other 2 straight (FE-4.3, SA-6.2).
pub fn may_have_flown(table: &Table, ship: &Ship, ruled: Option<Maneuver>) -> Vec<Maneuver> {
    if ship.is_ionized() {
        return vec![table.rules.ion_maneuver()];
    }
    if let Some(ruled) = ruled {
        return vec![ruled];
    }
    let mut all = ship.dial.maneuvers().to_vec();
    let barred = all.iter().any(|maneuver| !ship.may_fly(*maneuver));
    let known = |all: &[Maneuver]| (all.iter()).any(|own| (own.speed, own.bearing) == (INSTEAD.speed, INSTEAD.bearing));
    // **choice** Where the dial has a 2 straight of its own that was flown, unless the players told that it showed red.
    if barred && table.rules.stressed_red == StressedRed::White2Straight && !known(&all) {
        all.push(INSTEAD);
    }
    all
}

/// The maneuver of another ship's dial that ends where the ship stands, while its own dial has no such speed and bearing: the
/// likeliest, if there is one (FE-3.3).
pub fn of_another_dial(table: &Table, ship: &Ship, pose: Pose, options: &MovementOptions) -> Option<Maneuver> {
    let own = ship.dial.maneuvers();
    let bearings = "FTBNYKLPERASDO".chars().filter_map(Bearing::from_letter);
    let foreign = bearings.flat_map(|bearing| {
        (0..=5).filter_map(move |speed| {
            let maneuver = Maneuver {
                speed,
                bearing,
                difficulty: Difficulty::White,
            };
            Path::of(ship.size, maneuver).is_some().then_some(maneuver)
        })
    });
    let foreign = foreign.filter(|shown| {
        !own.iter()
            .any(|own| (own.speed, own.bearing) == (shown.speed, shown.bearing))
    });
    let ends = foreign.flat_map(|maneuver| movement::executions(table, ship, maneuver, options));
    let fitting = ends
        .map(|end| (apart(end.pose, pose), end.maneuver))
        .filter(|(off, _)| *off <= NEAR);
    fitting.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, maneuver)| maneuver)
}

/// Every maneuver of these that the ship may have flown from where it stands on the table to the pose, the likeliest first. Where it
/// stands at the end of none, a move that was stopped on its way counts, by a ship in `touching` or the nearest one, and one
/// that an action followed.
pub fn guesses(
    table: &Table,
    ship: &Ship,
    maneuvers: &[Maneuver],
    pose: Pose,
    touching: &[ObjectId],
    options: &MovementOptions,
) -> Vec<Flown> {
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
