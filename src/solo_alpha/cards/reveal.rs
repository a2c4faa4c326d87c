//! SA-12 between the reveal and the move: another maneuver, another colour, an action before the move.
//!
//! **choice** What the chart chose stands, unless the move, measured beforehand, bumps, meets an obstacle or the edge, or
//! is red while the ship is stressed; then the first change that does not is taken. A ship acts before its move only if it
//! would lose the action after it.

use super::{CardDecision, reason};
use crate::{
    dice::SeededDice,
    solo_alpha::{Options, outcome::movement_options},
    xwing::{
        battle::{Battle, Flight, Offer},
        effects::{Effect, Primitive, primitive::StepRule},
        maneuver::{Difficulty, Maneuver},
        measure::{self, Object},
        movement::{self, consequences::obstacle_kind},
        obstacle::ObstacleKind,
        ship::Ship,
    },
};

/// What is wrong with a maneuver, measured beforehand; `None` when it goes well.
fn fault(battle: &Battle, ship: &Ship, flight: Flight, options: &Options) -> Option<&'static str> {
    if !ship.may_fly(flight.maneuver) {
        return Some("red while it is stressed");
    }
    let table = battle.table();
    let movement = movement_options(options);
    let execution = movement::execute(table, ship, flight.maneuver, flight.alignment, &movement);
    if !execution.overlapped.is_empty() {
        Some("on another ship")
    } else if !execution.suffered.is_empty() {
        Some("through an obstacle or onto one")
    } else if execution.edge {
        Some("over the edge")
    } else {
        None
    }
}

/// Whether the ship that is about to move would have no action afterwards.
fn loses_its_action(battle: &Battle, options: &Options) -> bool {
    let Some((id, flight)) = battle.flying() else {
        return false;
    };
    let table = battle.table();
    let Some(ship) = table.ship(id) else { return false };
    let execution = movement::execute(
        table,
        ship,
        flight.maneuver,
        flight.alignment,
        &movement_options(options),
    );
    let stops = |kind| matches!(kind, Some(ObstacleKind::Asteroid | ObstacleKind::GasCloud));
    let stressed = movement::consequences::tokens_after(table, ship, &execution).stress > 0;
    stressed
        || execution.edge
        || !execution.overlapped.is_empty()
        || execution.suffered.iter().any(|id| stops(obstacle_kind(table, id)))
}

/// Whether an obstacle is in the way of a ship: of the move that is to be made, or else at range 0-1 of where it stands.
pub(super) fn meets_obstacles(battle: &Battle, ship: &Ship, options: &Options) -> bool {
    let table = battle.table();
    match battle.flying().filter(|(id, _)| **id == ship.id) {
        Some((_, flight)) => {
            let movement = movement_options(options);
            let execution = movement::execute(table, ship, flight.maneuver, flight.alignment, &movement);
            !execution.suffered.is_empty()
        }
        None => table.obstacles.iter().any(|obstacle| {
            let distance = measure::distance(ship.size, ship.pose, &Object::Obstacle(obstacle));
            measure::range(distance).is_some_and(|range| range <= 1)
        }),
    }
}

/// What this decides about: whether an effect changes the move that is to be made.
pub fn changes_the_move(effect: &Effect) -> bool {
    let changes = |step: &Primitive| matches!(step, Primitive::ChangeManeuver(_) | Primitive::ChangeDifficulty(_));
    effect.steps.iter().any(changes)
}

/// Whether an effect lets the ship act before its move in place of afterwards, and there is nothing to lose.
pub fn is_too_early(battle: &Battle, effect: &Effect, options: &Options) -> bool {
    let instead = |step: &Primitive| match step {
        Primitive::StepRule(rules) => rules.contains(&StepRule::NoMoreActions) || rules.contains(&StepRule::SkipAction),
        _ => false,
    };
    effect.steps.iter().any(instead) && !loses_its_action(battle, options)
}

/// SA-12: whether the move is changed.
pub fn decide(battle: &Battle, offer: &Offer, effect: &Effect, options: &Options) -> CardDecision {
    let table = battle.table();
    let flying = battle.flying().and_then(|(id, flight)| Some((table.ship(id)?, flight)));
    let (Some((ship, flight)), Some(owner)) = (flying, table.ship(&offer.owner)) else {
        return CardDecision::default();
    };
    let decision = |choice: Option<usize>, text: String| CardDecision {
        choice: choice.or(offer.default.filter(|_| offer.must)),
        reasons: vec![reason(offer, text)],
        ..CardDecision::default()
    };
    if ship.is_enemy_of(owner) && !offer.must {
        return decision(None, "not used: an enemy's move is left".to_owned());
    }
    let new = effect
        .steps
        .iter()
        .any(|step| matches!(step, Primitive::ChangeManeuver(_)));
    let now = flight.maneuver;
    if !new {
        let then = (0..offer.choices.len()).find_map(|index| {
            let then = battle.preview(Some(index), &mut SeededDice::new(0))?;
            Some((index, then.flying()?.1.maneuver))
        });
        return match then {
            Some((index, then)) if helps(ship, now, then) || offer.must => {
                decision(Some(index), format!("used: {now} becomes {then}"))
            }
            _ => decision(None, "not used: another colour changes nothing".to_owned()),
        };
    }
    let Some(wrong) = fault(battle, ship, flight, options) else {
        return decision(None, format!("not used: {now} goes well"));
    };
    let good = |maneuver: Maneuver| fault(battle, ship, Flight { maneuver, ..flight }, options).is_none();
    for index in 0..offer.choices.len() {
        let Some(then) = battle.preview(Some(index), &mut SeededDice::new(0)) else {
            continue;
        };
        let offered = then.maneuvers_offered().map(<[Maneuver]>::to_vec);
        let offered = offered
            .or_else(|| Some(vec![then.flying()?.1.maneuver]))
            .unwrap_or_default();
        if offered.into_iter().any(good) {
            return decision(Some(index), format!("used: {now} would go {wrong}"));
        }
    }
    decision(
        None,
        format!("not used: {now} would go {wrong}, and no change would go better"),
    )
}

/// Whether the other colour spares stress or takes tokens off.
fn helps(ship: &Ship, now: Maneuver, then: Maneuver) -> bool {
    let tokens = &ship.tokens;
    match (now.difficulty, then.difficulty) {
        (Difficulty::Red, Difficulty::White | Difficulty::Blue) => true,
        (Difficulty::White, Difficulty::Blue) => tokens.stress + tokens.strain + tokens.deplete > 0,
        _ => false,
    }
}

/// SA-12: which maneuver takes the place of the revealed one: the first that goes well.
pub fn pick(battle: &Battle, offer: &Offer, offered: &[Maneuver], options: &Options) -> CardDecision {
    let table = battle.table();
    let flying = battle.flying().and_then(|(id, flight)| Some((table.ship(id)?, flight)));
    let Some((ship, flight)) = flying else {
        return CardDecision {
            choice: offer.default,
            ..CardDecision::default()
        };
    };
    let good = |maneuver: &Maneuver| {
        let maneuver = *maneuver;
        fault(battle, ship, Flight { maneuver, ..flight }, options).is_none()
    };
    let place = offered.iter().position(good).unwrap_or(0);
    let text = offered.get(place).map_or_else(String::new, |maneuver| {
        format!("{maneuver}, the first of what it may be that goes well")
    });
    CardDecision {
        choice: Some(place).filter(|place| *place < offer.choices.len()),
        reasons: vec![reason(offer, text)],
        ..CardDecision::default()
    }
}
