//! SA-12: whether a ship may still attack or be attacked this round.

use super::losses::has_engaged;
use crate::{
    solo_alpha::{action::covers, nearest::enemies},
    xwing::{
        battle::{Battle, Phase},
        measure::Object,
        ship::Ship,
    },
};

/// Whether a token for attack or defence can still matter to a ship this round: it has not engaged and an enemy is or could
/// come into an arc of it, or an enemy that has not engaged holds it, or could hold it, in an arc.
pub fn may_still_fight(battle: &Battle, ship: &Ship) -> bool {
    let table = battle.table();
    let ready = !has_engaged(battle, ship);
    enemies(&table.ships, ship).into_iter().any(|enemy| {
        let fires = !has_engaged(battle, enemy);
        if !ready && !fires {
            return false;
        }
        // Whoever has yet to move may come into an arc or get one on somebody.
        if may_still_move(battle, ship) || may_still_move(battle, enemy) {
            return true;
        }
        (ready && covers(ship, &Object::Ship(enemy))) || (fires && covers(enemy, &Object::Ship(ship)))
    })
}

fn may_still_move(battle: &Battle, ship: &Ship) -> bool {
    match battle.phase() {
        Phase::Planning | Phase::System => true,
        Phase::Activation => !battle.done().contains(&ship.id),
        Phase::Engagement | Phase::End | Phase::Over => false,
    }
}
