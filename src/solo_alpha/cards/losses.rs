//! SA-12: what harms and gains are worth, to choose between them: a table of losses, and two states compared by it.

use serde::{Deserialize, Serialize};

use super::chances::may_still_fight;
use crate::xwing::{
    battle::{Battle, Phase},
    ship::Ship,
    weapon::Charges,
};

/// What is lost with each thing, one damage being 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Losses {
    /// A damage card.
    pub damage: f64,
    /// So much more when it is dealt face up.
    pub critical: f64,
    /// A card that is exposed.
    pub exposed: f64,
    /// A shield.
    pub shield: f64,
    /// A lock.
    pub lock: f64,
    /// A green token that can still matter this round; another is worth nothing.
    pub green: f64,
    /// A stress token.
    pub stress: f64,
    /// A strain token.
    pub strain: f64,
    /// A deplete token.
    pub deplete: f64,
    /// A deplete token of a ship that cannot attack any more this round.
    pub late_deplete: f64,
    /// A jam token.
    pub jam: f64,
    /// An ion token.
    pub ion: f64,
    /// An ion token that ionizes the ship.
    pub ionizing: f64,
    /// A tractor token.
    pub tractor: f64,
    /// A disarm token of a ship that has not engaged; later it is worth nothing.
    pub disarm: f64,
    /// A charge that comes back.
    pub recurring_charge: f64,
    /// Another charge.
    pub charge: f64,
    /// A Force charge.
    pub force: f64,
    /// A step of initiative while attacks are still to come.
    pub initiative: f64,
}

impl Default for Losses {
    fn default() -> Self {
        Losses {
            damage: 1.0,
            critical: 0.3,
            exposed: 0.5,
            shield: 1.0,
            lock: 0.3,
            green: 0.45,
            stress: 0.35,
            strain: 0.3,
            deplete: 0.4,
            late_deplete: 0.15,
            jam: 0.2,
            ion: 0.4,
            ionizing: 0.8,
            tractor: 0.3,
            disarm: 0.5,
            recurring_charge: 0.15,
            charge: 0.3,
            force: 0.25,
            initiative: 0.05,
        }
    }
}

/// What one ship loses between two states of a battle; negative where it gains.
pub fn loss(before: &Battle, after: &Battle, id: &str, losses: &Losses) -> f64 {
    let (Some(was), Some(is)) = (before.table().ship(id), after.table().ship(id)) else {
        return 0.0;
    };
    let (Some(had), Some(has)) = (before.fighter(id), after.fighter(id)) else {
        return 0.0;
    };
    let less = |before: u32, after: u32| f64::from(before) - f64::from(after);
    let dealt = has.integrity.damage() as f64 - had.integrity.damage() as f64;
    let turned = has.integrity.face_up.len() as f64 - had.integrity.face_up.len() as f64;
    // Cards that are dealt face up are critical damage, others that lie face up now were exposed.
    let critical = if dealt > 0.0 { turned.min(dealt) } else { 0.0 };
    let mut sum = dealt * losses.damage + critical * losses.critical + (turned - critical) * losses.exposed;
    sum += less(had.integrity.shields.into(), has.integrity.shields.into()) * losses.shield;
    sum += (was.locks.len() as f64 - is.locks.len() as f64) * losses.lock;
    sum += tokens(before, was, is, losses);
    sum += less(was.tokens.force, is.tokens.force) * losses.force;
    if !has_engaged(before, was) {
        sum += less(was.initiative.into(), is.initiative.into()) * losses.initiative;
    }
    for (card, now) in had.cards.iter().zip(has.cards.iter()) {
        let left = |charges: Option<Charges>| charges.map_or(0, |charges| charges.left);
        let each = match card.recovers > 0 {
            true => losses.recurring_charge,
            false => losses.charge,
        };
        sum += less(left(card.charges), left(now.charges)) * each;
    }
    sum
}

fn tokens(before: &Battle, was: &Ship, is: &Ship, losses: &Losses) -> f64 {
    let more = |before: u32, after: u32| f64::from(after) - f64::from(before);
    let (a, b) = (&was.tokens, &is.tokens);
    let engaged = has_engaged(before, was);
    let green = match may_still_fight(before, was) {
        true => losses.green,
        false => 0.0,
    };
    let deplete = if engaged { losses.late_deplete } else { losses.deplete };
    let ionizes = !was.is_ionized() && is.is_ionized();
    let ion = if ionizes { losses.ionizing } else { losses.ion };
    let greens = more(a.focus, b.focus)
        + more(a.evade, b.evade)
        + more(a.calculate, b.calculate)
        + more(a.reinforce, b.reinforce);
    more(a.stress, b.stress) * losses.stress
        + more(a.strain, b.strain) * losses.strain
        + more(a.deplete, b.deplete) * deplete
        + more(a.jam, b.jam) * losses.jam
        + more(a.ion, b.ion) * ion
        + more(a.tractor, b.tractor) * losses.tractor
        + more(a.disarm, b.disarm) * if engaged { 0.0 } else { losses.disarm }
        - greens * green
}

/// Whether a ship has had its turn to attack this round.
pub fn has_engaged(battle: &Battle, ship: &Ship) -> bool {
    match battle.phase() {
        Phase::Engagement => battle.has_engaged(&ship.id),
        Phase::End | Phase::Over => true,
        Phase::Planning | Phase::System | Phase::Activation => false,
    }
}
