//! Ships that get other places among those of a table, because others were put on it: what waits follows them.

use std::sync::Arc;

use super::{EffectId, Pick, Queue, Resolving, Work};
use crate::xwing::battle::{
    conditions::Chosen,
    occasion::{Happening, Occasion},
};

/// Gives everything that waits the new places of its ships.
pub(super) fn renumber(queue: &mut Queue, places: &[usize]) {
    if places.iter().enumerate().all(|(old, new)| old == *new) {
        return;
    }
    for (_, subject) in &mut queue.opened {
        *subject = subject.map(|ship| place(places, ship));
    }
    for work in &mut queue.work {
        of_work(work, places);
    }
}

/// The new place of a ship.
pub(in crate::xwing::battle) fn place(places: &[usize], ship: usize) -> usize {
    places.get(ship).copied().unwrap_or(ship)
}

fn of_work(work: &mut Work, places: &[usize]) {
    match work {
        Work::Level { occasion, waiting } => {
            of_occasion(occasion, places);
            for effect in waiting {
                of_effect(effect, places);
            }
        }
        Work::Decide { effect, occasion, .. } => {
            of_effect(effect, places);
            of_occasion(occasion, places);
        }
        Work::Steps(resolving) => of_resolving(resolving, places),
        Work::Pick { resolving, pick, .. } => {
            of_resolving(resolving, places);
            match pick {
                Pick::Branch(_) => {}
                Pick::Gain { ship, .. }
                | Pick::Lose { ship, .. }
                | Pick::Turn { ship }
                | Pick::Move { ship }
                | Pick::Rotate { ship }
                | Pick::Discard { ship }
                | Pick::Maneuver { ship, .. } => {
                    *ship = place(places, *ship);
                }
            }
        }
        Work::Fly { index, .. }
        | Work::BeforeMove { index, .. }
        | Work::ActionStep { index, .. }
        | Work::Obstacles { index, .. }
        | Work::Acted { index }
        | Work::Activated { index }
        | Work::Engage { index }
        | Work::Engaged { index } => *index = place(places, *index),
        Work::Aftermath { fought } => fought.renumber(places),
        Work::Bonus { effect, target, .. } => {
            of_effect(effect, places);
            *target = target.map(|ship| place(places, ship));
        }
        Work::Given(_) | Work::Ask(_) | Work::Duel => {}
    }
}

fn of_effect(effect: &mut EffectId, places: &[usize]) {
    effect.ship = place(places, effect.ship);
}

fn of_occasion(occasion: &mut Arc<Occasion>, places: &[usize]) {
    let occasion = Arc::make_mut(occasion);
    for ship in [&mut occasion.subject, &mut occasion.other] {
        *ship = ship.map(|ship| place(places, ship));
    }
    if let Happening::Attack(fought) = &mut occasion.what {
        fought.renumber(places);
    }
}

fn of_resolving(resolving: &mut Resolving, places: &[usize]) {
    of_effect(&mut resolving.effect, places);
    of_occasion(&mut resolving.occasion, places);
    resolving.each = resolving.each.map(|ship| place(places, ship));
    of_chosen(&mut resolving.chosen, places);
}

/// Gives ships that were chosen their new places.
pub(in crate::xwing::battle) fn of_chosen(chosen: &mut Chosen, places: &[usize]) {
    for ship in chosen.0.iter_mut().flat_map(|(_, ships)| ships) {
        *ship = place(places, *ship);
    }
}
