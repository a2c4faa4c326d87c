//! How a solo ship moves an enemy that its effect has tractored. The rules of Solo Alpha are silent: it is used whenever it
//! improves the situation (SA-12).

use super::action::covers;
use crate::{
    decision::{Compared, Reason},
    geometry::Pose,
    xwing::{
        battle::{Battle, Pull},
        measure::Object,
        movement::MovementOptions,
        ship::Ship,
        table::Table,
    },
};

/// What a place of the pulled ship is worth to the one that pulls: obstacles that it meets, then how many ships of the
/// puller's side have it in a firing arc, less those that it has in its own (choice).
fn worth(table: &Table, puller: &Ship, target: &Ship, pose: Pose, obstacles: usize) -> (usize, i64) {
    let mut there = target.clone();
    there.move_to(pose, table);
    let ours = table.ships_in_play().filter(|ship| ship.side == puller.side);
    let arcs = ours
        .map(|ship| i64::from(covers(ship, &Object::Ship(&there))) - i64::from(covers(&there, &Object::Ship(ship))));
    (obstacles, arcs.sum())
}

/// SA-12 (choice): the move of a tractored enemy that is worth the most, if it is worth more than none; the first of equal
/// ones, straight ahead before to a side. A friend is not moved.
pub fn decide(battle: &Battle, puller: &str, target: &str) -> (Option<Pull>, Vec<Reason>) {
    let table = battle.table();
    let (Some(puller), Some(target)) = (table.ship(puller), table.ship(target)) else {
        return (None, Vec::new());
    };
    if !target.is_enemy_of(puller) {
        return (None, Vec::new());
    }
    let mut most = worth(table, puller, target, target.pose, 0);
    let mut chosen = None;
    let mut compared = Vec::new();
    for pull in Pull::all(table, target, &MovementOptions::default()) {
        let Some(end) = battle.pulled(&target.id, pull) else {
            continue;
        };
        let worth = worth(table, puller, target, end.pose, end.crossed.len());
        compared.push(Compared {
            candidate: match pull {
                Pull::Boost => "boost:straight".to_owned(),
                Pull::BarrelRoll { side, slide_mm } => {
                    format!("barrel-roll:{}:{slide_mm}", side.name())
                }
            },
            value: Some(worth.1 as f64),
            unit: "arcs".to_owned(),
            verdict: match worth.0 {
                0 => "no obstacle".to_owned(),
                1 => "1 obstacle".to_owned(),
                count => format!("{count} obstacles"),
            },
        });
        if worth > most {
            (most, chosen) = (worth, Some(pull));
        }
    }
    let text = match chosen {
        Some(_) => format!(
            "moves {} where it is worth the most: {} obstacles, {} arcs",
            target.id, most.0, most.1
        ),
        None => format!("leaves {} where it is: no move is worth more", target.id),
    };
    let reason = Reason {
        rule: "SA-12".to_owned(),
        text,
        compared,
    };
    (chosen, vec![reason])
}
