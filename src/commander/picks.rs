//! What any player picks in the same way, where rules ask for a pick that says little about how somebody plays: the maneuver
//! of a stressed enemy, what a jam token takes, under which ship a mine goes off.

use std::cmp::Reverse;

use crate::xwing::{
    ObjectId,
    battle::{Answer, Battle, Jammed, Request},
    maneuver::Maneuver,
    movement::{Alignment, EdgePolicy, MovementOptions, execute},
    ship::Ship,
    table::Table,
    targeting,
};

/// The answer to a request of that kind; `None` to any other, and where nothing can be picked.
pub fn pick(battle: &Battle, request: &Request) -> Option<Answer> {
    match request {
        Request::PickManeuver { target, .. } => stressed_maneuver(battle, target).map(Answer::PickManeuver),
        Request::Jammed { ship } => lost_to_jam(battle, ship).map(Answer::Jammed),
        Request::MineUnder { ship, device } => under_mine(battle, ship, device).map(Answer::MineUnder),
        _ => None,
    }
}

/// The maneuver that is worst for a stressed enemy (FE-14.4).
fn stressed_maneuver(battle: &Battle, target: &str) -> Option<Maneuver> {
    let options = MovementOptions {
        guides: battle.guides(),
        edge: EdgePolicy::Flee,
    };
    let ship = battle.table().ship(target)?;
    worst_maneuver(battle.table(), ship, battle.pickable(target), &options)
}

/// What an opponent picks for a ship where the rules let it (FE-14.4, FE-3.3): the maneuver that takes it over the edge, over most
/// obstacles, onto a ship, and then after which it can attack the fewest; of equal ones the first of its dial. `None` where there
/// is none to pick.
pub fn worst_maneuver(table: &Table, ship: &Ship, of: Vec<Maneuver>, options: &MovementOptions) -> Option<Maneuver> {
    let worth = |maneuver: &Maneuver| {
        let end = execute(table, ship, *maneuver, Alignment::Middle, options);
        let there = Ship {
            pose: end.pose,
            ..ship.clone()
        };
        let enemies = table.ships_in_play().filter(|other| other.is_enemy_of(ship));
        let attacked = enemies.filter(|enemy| {
            let mut weapons = there.weapons.iter();
            weapons.any(|weapon| targeting::legal_target(&table.rules, &there, weapon, enemy).is_some())
        });
        let attacked = attacked.count();
        (
            end.edge,
            end.suffered.len(),
            !end.overlapped.is_empty(),
            Reverse(attacked),
        )
    };
    // The first of equal ones: the last one that is looked at from behind.
    of.into_iter().rev().max_by_key(worth)
}

/// What a ship needs least (FE-6.7): before it attacks an evade token, afterwards a lock; a focus token serves both.
fn lost_to_jam(battle: &Battle, ship: &str) -> Option<Jammed> {
    let engaged = battle.has_engaged(ship);
    let need = |what: &Jammed| match what {
        Jammed::Focus => 2,
        Jammed::Evade => u8::from(engaged),
        Jammed::Lock(_) => u8::from(!engaged),
    };
    battle.jammable(ship).into_iter().min_by_key(need)
}

/// The enemy with the least hull and shields left, or else the friend with the most (FE-11.2).
fn under_mine(battle: &Battle, dropped_by: &str, device: &str) -> Option<ObjectId> {
    let side = battle.table().ship(dropped_by).map(|ship| &*ship.side);
    let own = |id: &ObjectId| battle.table().ship(id).map(|ship| &*ship.side) == side;
    let left = |id: &ObjectId| i64::from(battle.fighter(id).map_or(0, crate::xwing::battle::Fighter::left));
    let under = battle.under_mine(device).into_iter();
    under.min_by_key(|id| match own(id) {
        false => (false, left(id)),
        true => (true, -left(id)),
    })
}
