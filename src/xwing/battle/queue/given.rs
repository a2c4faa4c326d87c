//! Actions that cards give.

use super::{EffectId, Work};
use crate::{
    dice::DiceSource,
    xwing::{
        ObjectId,
        action::{ActionKind, ColoredAction},
        battle::{
            Battle, Order, Refused,
            conditions::{Scene, kind_of},
            offer::GivenAction,
        },
        edition::Reload,
        effects::{
            predicate::{ActionColor, ActionWord},
            primitive::PerformAction,
        },
        maneuver::Difficulty,
        measure::{self, Object},
        reposition,
        ship::Ship,
    },
};

impl Battle {
    /// The actions that a card gives a ship and that it can take now.
    pub(super) fn given_actions(
        &self,
        scene: &Scene<'_>,
        perform: &PerformAction,
        ship: usize,
        id: EffectId,
    ) -> Vec<ColoredAction> {
        let acting = scene.ship(ship);
        let destroyed = self.fighters[ship].integrity.is_destroyed();
        if !acting.in_play() || destroyed || (acting.stress_bars_actions() && !perform.even_while_stressed) {
            return Vec::new();
        }
        let color = |own: Difficulty| match perform.difficulty {
            None => own,
            Some(ActionColor::White) => Difficulty::White,
            Some(ActionColor::Red | ActionColor::AsRed) => Difficulty::Red,
            Some(ActionColor::Purple) => Difficulty::Purple,
        };
        let mut actions: Vec<ColoredAction> = Vec::new();
        for word in &perform.any_of {
            let of_bar = |bar: &Ship, white: bool| -> Vec<ColoredAction> {
                let entries = bar.actions.iter().map(|entry| entry.action);
                let fits = entries.filter(|action| !white || action.difficulty == Difficulty::White);
                fits.collect()
            };
            let offered = match word {
                ActionWord::Any | ActionWord::OnBar => of_bar(acting, false),
                ActionWord::White | ActionWord::WhiteOnBar => of_bar(acting, true),
                ActionWord::OnOwnBar => of_bar(scene.ship(id.ship), false),
                ActionWord::Same => scene
                    .occasion
                    .action()
                    .map(|action| action.action)
                    .into_iter()
                    .collect(),
                word => (kind_of(*word).into_iter())
                    .map(|kind| ColoredAction {
                        kind,
                        difficulty: Difficulty::White,
                    })
                    .collect(),
            };
            for action in offered {
                let action = ColoredAction {
                    difficulty: color(action.difficulty),
                    ..action
                };
                let known = actions.iter().any(|other| other.kind == action.kind);
                let may = perform.even_while_stressed || acting.may_act(action);
                if !known && may && self.could_take(ship, action) {
                    actions.push(action);
                }
            }
        }
        actions
    }

    /// Whether a ship could take an action now, stress left out of account, and it would not fail for sure.
    pub(in crate::xwing::battle) fn could_take(&self, index: usize, action: ColoredAction) -> bool {
        let ship = &self.table.ships[index];
        if ship.performed.contains(&action.kind)
            || self.fighters[index].changed.barred.contains(&action.kind)
            || !self.table.rules.actions.has(action.kind)
            || (ship.is_ionized() && self.ion_bars(Some(action.kind)))
            || (action.difficulty == Difficulty::Purple && ship.tokens.force == 0)
        {
            return false;
        }
        let options = self.movement(index);
        let others = || self.table.ships_in_play().filter(|other| other.id != ship.id);
        let range = |other: &Ship| self.table.rules.range(measure::ship_distance(ship, other));
        match action.kind {
            ActionKind::Focus | ActionKind::Evade | ActionKind::Calculate | ActionKind::Reinforce => true,
            ActionKind::Cloak => ship.tokens.cloak == 0,
            ActionKind::Recover => self.shields_for_energy(index).is_ok(),
            ActionKind::BarrelRoll | ActionKind::Boost => {
                let mut ends = reposition::ends(&self.table, ship, action.kind, &options);
                ends.any(|(_, end)| end.blocked.is_none())
            }
            ActionKind::RotateArc => ship.turret_turns().next().is_some(),
            ActionKind::Lock => {
                let near = |obstacle| {
                    let distance = measure::distance(ship.size, ship.pose, &Object::Obstacle(obstacle));
                    measure::range(distance).is_some()
                };
                others().any(|other| {
                    self.is_lockable(ship, &Object::Ship(other))
                        && !other.standing.cannot_be_locked
                        && range(other).is_some()
                }) || (self.table.obstacles.iter())
                    .any(|obstacle| self.is_lockable(ship, &Object::Obstacle(obstacle)) && near(obstacle))
            }
            ActionKind::Jam => others().any(|other| other.is_enemy_of(ship) && self.may_jam(ship, other)),
            ActionKind::Coordinate => {
                others().any(|other| !other.is_enemy_of(ship) && matches!(range(other), Some(1 | 2)))
            }
            ActionKind::Slam => self.moved.as_ref().is_some_and(|(moved, _)| *moved == ship.id),
            ActionKind::Reload if self.table.rules.reload == Reload::AllCards => {
                ship.weapons.iter().any(crate::xwing::weapon::Weapon::is_discarded)
            }
            ActionKind::Reload => {
                let special = ship
                    .weapons
                    .iter()
                    .filter_map(|weapon| weapon.special.as_ref()?.charges);
                let device = ship.device.iter().map(|device| device.charges);
                special.chain(device).any(|charges| charges.left < charges.max)
            }
        }
    }

    /// Gives a ship an action.
    pub(super) fn give_action(&mut self, id: EffectId, ship: usize, actions: Vec<ColoredAction>, while_stressed: bool) {
        let given = GivenAction {
            ship: self.table.ships[ship].id.clone(),
            owner: self.table.ships[id.ship].id.clone(),
            card: self.card_id(id),
            actions,
            while_stressed,
        };
        self.queue.work.push(Work::Given(given));
    }

    /// Somebody takes an action that a card gives, or none.
    pub(in crate::xwing::battle) fn act_as_given(
        &mut self,
        orders: &[Order],
        dice: &mut dyn DiceSource,
    ) -> Result<(), Refused> {
        let Some(Work::Given(given)) = self.queue.work.pop() else {
            return Err(Refused::NotAsked);
        };
        let done = match orders {
            [] => Ok(()),
            [order] => self.take_given(&given, order, dice),
            _ => {
                let (ship, why): (ObjectId, _) = (given.ship.clone(), "a card gives one action at a time");
                Err(Refused::Action { ship, why })
            }
        };
        if done.is_err() {
            self.queue.work.push(Work::Given(given));
        }
        done
    }
}
