//! What a ship may do with an action: every way that the rules allow now, for whoever offers a choice.

use super::{Battle, Order};
use crate::{
    geometry::Pose,
    xwing::{
        action::{ActionDetail, ActionKind, ColoredAction, FullArc},
        device::DeviceBook,
        edition::Reload,
        maneuver::Bearing,
        measure::{self, Object},
        movement::{self, Alignment, Execution},
        reposition,
        ship::Ship,
        weapon::Weapon,
    },
};

/// An action taken in one way, with the colour that it has then.
fn order(ship: &Ship, action: ColoredAction, detail: ActionDetail) -> Option<Order> {
    Some(Order::Bar {
        kind: action.kind,
        difficulty: ship.color_of(&detail, action.difficulty)?,
        detail,
    })
}

impl Battle {
    /// The actions of a ship's bar that it could take now, each once; after an action only those that are linked to it.
    /// Stress, what it has performed this round, an ion token and what there is to do it to are heeded. None if there is
    /// no such ship.
    pub fn open_actions(&self, ship: &str, after: Option<ActionKind>) -> Vec<ColoredAction> {
        let Some(index) = self.index(ship) else {
            return Vec::new();
        };
        let ship = &self.table.ships[index];
        if !ship.in_play() || self.fighters[index].integrity.is_destroyed() {
            return Vec::new();
        }
        let bar = ship.actions.iter();
        let offered = bar.filter_map(|entry| match after {
            None => Some(entry.action),
            Some(kind) => entry.linked.filter(|_| entry.action.kind == kind),
        });
        let mut open: Vec<ColoredAction> = Vec::new();
        for action in offered {
            if !open.contains(&action) && ship.may_act(action) && self.could_take(index, action) {
                open.push(action);
            }
        }
        open
    }

    /// Every way to take an action, with the colour that it has then. None where there is no such ship, or nothing to do it to.
    pub fn orders_of(&self, ship: &str, action: ColoredAction) -> Vec<Order> {
        let Some(index) = self.index(ship) else {
            return Vec::new();
        };
        let ship = &self.table.ships[index];
        let details = self.details_of(index, action.kind).into_iter();
        details.filter_map(|detail| order(ship, action, detail)).collect()
    }

    /// As [`Battle::orders_of`], of an action that moves the ship, with where it stands after each; none of other actions.
    pub fn ends_of(&self, ship: &str, action: ColoredAction) -> Vec<(Order, Pose)> {
        let Some(index) = self.index(ship) else {
            return Vec::new();
        };
        let ship = &self.table.ships[index];
        let ends = self.moves_of(index, action.kind).into_iter();
        ends.filter_map(|(detail, pose)| Some((order(ship, action, detail)?, pose)))
            .collect()
    }

    /// As [`Battle::ends_of`], for a ship that was seen to end there: where a roll may slide anywhere (FE-6.1) the legal one to
    /// each side that ends nearest comes before those that have a name.
    pub fn ends_near(&self, ship: &str, action: ColoredAction, seen: Pose) -> Vec<(Order, Pose)> {
        let named = self.ends_of(ship, action);
        let Some(index) = self
            .index(ship)
            .filter(|_| action.kind == ActionKind::BarrelRoll && !named.is_empty())
        else {
            return named;
        };
        let (table, ship, options) = (&self.table, &self.table.ships[index], self.movement(index));
        let rolls = reposition::rolls_seen(table, ship, seen, &options);
        let rolls = rolls.filter_map(|(detail, end)| Some((order(ship, action, detail)?, end.pose)));
        rolls.chain(named).collect()
    }

    fn moves_of(&self, index: usize, kind: ActionKind) -> Vec<(ActionDetail, Pose)> {
        let (table, ship) = (&self.table, &self.table.ships[index]);
        let options = self.movement(index);
        if kind != ActionKind::Slam {
            let ends = reposition::ends(table, ship, kind, &options);
            let free = ends.filter(|(_, end)| end.blocked.is_none());
            return free.map(|(detail, end)| (detail, end.pose)).collect();
        }
        let flown = self.moved.as_ref().filter(|(id, _)| *id == ship.id);
        let speed = flown.map(|(_, execution)| execution.maneuver.speed);
        let dial = ship.dial.maneuvers().iter().copied();
        let fits = dial.filter(|&m| Some(m.speed) == speed && self.allowed(index, m) == m);
        let ends = fits.flat_map(|maneuver| movement::executions(table, ship, maneuver, &options));
        let slam = |end: Execution| {
            let alignment = match end.maneuver.bearing {
                Bearing::TallonRoll(_) => end.alignment.unwrap_or_default(),
                _ => Alignment::Middle,
            };
            let maneuver = end.maneuver;
            (ActionDetail::Slam { maneuver, alignment }, end.pose)
        };
        ends.filter(|end| !end.edge).map(slam).collect()
    }

    fn details_of(&self, index: usize, kind: ActionKind) -> Vec<ActionDetail> {
        let (table, ship) = (&self.table, &self.table.ships[index]);
        let others = || table.ships_in_play().filter(|other| other.id != ship.id);
        let range = |other: &Ship| table.rules.range(measure::ship_distance(ship, other));
        match kind {
            ActionKind::Focus | ActionKind::Calculate | ActionKind::Evade | ActionKind::Cloak => {
                vec![ActionDetail::Token]
            }
            ActionKind::BarrelRoll | ActionKind::Boost | ActionKind::Slam => {
                let moves = self.moves_of(index, kind).into_iter();
                moves.map(|(detail, _)| detail).collect()
            }
            ActionKind::RotateArc => (ship.turret_turns())
                .map(|arcs| ActionDetail::RotateArc(arcs.to_vec()))
                .collect(),
            ActionKind::Lock => {
                let ships = others()
                    .filter(|other| {
                        other.is_enemy_of(ship) && !other.standing.cannot_be_locked && range(other).is_some()
                    })
                    .map(|other| &other.id);
                let near = |obstacle| {
                    let distance = measure::distance(ship.size, ship.pose, &Object::Obstacle(obstacle));
                    measure::range(distance).is_some()
                };
                let obstacles = (table.obstacles.iter())
                    .filter(|obstacle| self.is_lockable(ship, &Object::Obstacle(obstacle)) && near(obstacle))
                    .map(|obstacle| &obstacle.id);
                let objects = ships.chain(obstacles).filter(|id| !ship.locks.contains(id));
                objects.map(|id| ActionDetail::Lock(id.clone())).collect()
            }
            ActionKind::Jam => others()
                .filter(|other| other.is_enemy_of(ship) && self.may_jam(ship, other))
                .map(|other| ActionDetail::Jam(other.id.clone()))
                .collect(),
            ActionKind::Coordinate => others()
                .filter(|other| !other.is_enemy_of(ship) && !other.standing.cannot_be_coordinated)
                .filter(|other| matches!(range(other), Some(1 | 2)))
                .map(|other| ActionDetail::Coordinate(other.id.clone()))
                .collect(),
            ActionKind::Reinforce => [FullArc::Fore, FullArc::Aft].map(ActionDetail::Reinforce).to_vec(),
            ActionKind::Recover => {
                let any = self.shields_for_energy(index).is_ok();
                any.then_some(ActionDetail::Token).into_iter().collect()
            }
            // All discarded torpedoes and missiles at once (FE-6.10).
            ActionKind::Reload if table.rules.reload == Reload::AllCards => {
                let any = ship.weapons.iter().any(Weapon::is_discarded);
                any.then_some(ActionDetail::Token).into_iter().collect()
            }
            ActionKind::Reload => {
                let special = ship.weapons.iter();
                let weapons = special.filter_map(|weapon| Some((&weapon.id, weapon.special.as_ref()?.charges?)));
                let device = ship.device.iter().map(|device| (&device.id, device.charges));
                let keeps = |id: &str| {
                    let device = DeviceBook::embedded().device(id);
                    device.is_some_and(|device| device.keeps_no_charge)
                };
                weapons
                    .chain(device)
                    .filter(|(id, charges)| charges.left < charges.max && !keeps(id))
                    .map(|(id, _)| ActionDetail::Reload(id.clone()))
                    .collect()
            }
        }
    }
}
