//! Actions: what a ship may take, and what they do.

use super::{
    Battle, Event, Flight, GivenAction, LostAction, Order, Refused, Request,
    occasion::{Happening, Performed},
};
use crate::{
    dice::DiceSource,
    xwing::{
        ObjectId,
        action::{ActionDetail, ActionKind, ColoredAction},
        device::DeviceBook,
        edition::{Coordinate, IonActions, Locks, Reload, Slam},
        effects::{Window, predicate::EventWord},
        maneuver::{Bearing, Difficulty, Maneuver},
        measure::{self, Object},
        movement::{self, Alignment},
        obstacle::ObstacleKind,
        reposition::{self, Reposition, Sidestep},
        ship::Ship,
        table::Table,
    },
};

/// By what leave a ship takes an action.
enum Leave<'a> {
    /// It is on its bar.
    Bar {
        /// Whether another ship coordinates it.
        coordinated: bool,
        /// The action that it is linked to.
        previous: Option<ActionKind>,
    },
    /// A card gives it.
    Card(&'a GivenAction),
}

impl Battle {
    /// Takes actions in order; each after the first one must be linked to the one before it. In the first edition nothing is
    /// linked or red (FE-5.6): one standard action, or none (FE-5.1).
    pub(super) fn act(
        &mut self,
        id: &str,
        coordinated: bool,
        orders: &[Order],
        dice: &mut dyn DiceSource,
    ) -> Result<(), Refused> {
        let index = self.asked(id)?;
        // A single action is refused before it changes anything; of several a later one may be.
        let saved = (orders.len() > 1).then(|| {
            let events = std::mem::take(&mut self.events);
            let saved = self.clone();
            self.events = events;
            (saved, self.events.len())
        });
        let mut previous = None;
        let begun = self.events.len();
        for order in orders {
            let before = self.table.ships[index].tokens.stress;
            let leave = Leave::Bar { coordinated, previous };
            if let Err(refused) = self.perform(index, &leave, order, dice) {
                if self.is_disturbed_since(begun) {
                    // What the action before it set off, an obstacle or a mine, leaves no other.
                    let ship = &self.table.ships[index];
                    if ship.in_play() && ship.is_stressed() {
                        let (ship, cause) = (ship.id.clone(), LostAction::Stressed);
                        self.events.push(Event::ActionLost { ship, cause });
                    }
                    return Ok(());
                }
                if let Some((saved, length)) = saved {
                    let mut events = std::mem::take(&mut self.events);
                    events.truncate(length);
                    *self = saved;
                    self.events = events;
                }
                return Err(refused);
            }
            let mut own = 0;
            if let Order::Bar { kind, difficulty, .. } = order {
                previous = Some(*kind);
                own = u32::from(*difficulty == Difficulty::Red);
            }
            let ship = &self.table.ships[index];
            if !ship.in_play() || ship.tokens.stress > before + own {
                // What came of the action (an obstacle in a SLAM) ends it: nobody could know.
                break;
            }
        }
        Ok(())
    }

    /// Whether more has come of the actions since then than what they do by themselves.
    fn is_disturbed_since(&self, event: usize) -> bool {
        self.events[event..].iter().any(|event| {
            matches!(
                event,
                Event::Suffered { .. } | Event::Blasted { .. } | Event::MetObstacle { .. }
            )
        })
    }

    /// Takes the action that a card gives.
    pub(super) fn take_given(
        &mut self,
        given: &GivenAction,
        order: &Order,
        dice: &mut dyn DiceSource,
    ) -> Result<(), Refused> {
        let index = self.asked(&given.ship)?;
        self.perform(index, &Leave::Card(given), order, dice)
    }

    fn perform(
        &mut self,
        index: usize,
        leave: &Leave<'_>,
        order: &Order,
        dice: &mut dyn DiceSource,
    ) -> Result<(), Refused> {
        let ship = &self.table.ships[index];
        let id = ship.id.clone();
        let refuse = |why| Refused::Action { ship: id.clone(), why };
        if !ship.in_play() {
            return Err(refuse("it is not in play any more"));
        }
        // FE-5.3: no action while it is stressed, standard or free.
        let stressed = ship.is_stressed();
        let may = match order {
            Order::Bar { kind, difficulty, .. } => ship.may_act(ColoredAction {
                kind: *kind,
                difficulty: *difficulty,
            }),
            Order::Card(_) => !stressed || ship.standing.repairs_stressed,
        };
        if !may && !matches!(leave, Leave::Card(given) if given.while_stressed) {
            return Err(refuse("it is stressed"));
        }
        let from = ship.pose;
        let depth = self.queue.depth();
        // In its own activation it is what it was when it moved: the ion maneuver takes the tokens.
        let ionized = match leave {
            Leave::Bar { coordinated: false, .. } => self.ionized,
            _ => ship.is_ionized(),
        };
        match order {
            Order::Card(card) => {
                if !matches!(leave, Leave::Bar { previous: None, .. }) {
                    return Err(refuse("the action of a card is not linked to another one"));
                }
                if ionized && self.ion_bars(None) {
                    return Err(refuse("an ionized ship may only focus"));
                }
                if let Some(mine) = self.mine_of(index, card) {
                    return self.drop_as_action(index, card, mine, dice).map_err(refuse);
                }
                // What follows the action comes with it, as it does where the card offers it.
                return self.act_by_header(index, card, dice).map_err(refuse);
            }
            Order::Bar {
                kind,
                difficulty,
                detail,
            } => {
                let (kind, difficulty) = (*kind, *difficulty);
                // Some templates change the colour of the action.
                let wanted = |action: &ColoredAction| {
                    action.kind == kind && ship.color_of(detail, action.difficulty) == Some(difficulty)
                };
                let mut bar = ship.actions.iter();
                let offered = match leave {
                    Leave::Bar { previous: None, .. } => bar.any(|entry| wanted(&entry.action)),
                    Leave::Bar {
                        previous: Some(previous),
                        ..
                    } => bar.any(|entry| entry.action.kind == *previous && entry.linked.as_ref().is_some_and(wanted)),
                    Leave::Card(given) => given.actions.iter().any(wanted),
                };
                if !offered {
                    return Err(refuse(
                        "it is not on its action bar, not linked to the one before it, or not what the card gives",
                    ));
                }
                if !self.table.rules.actions.has(kind) {
                    return Err(refuse("the rulebook that is played has no such action"));
                }
                // FE-5.4
                if ship.performed.contains(&kind) {
                    return Err(refuse("it has taken that action this round"));
                }
                if ionized && self.ion_bars(Some(kind)) {
                    return Err(refuse("an ionized ship may only focus"));
                }
                // FE-5.2
                let own = matches!(leave, Leave::Bar { coordinated: false, .. });
                if kind == ActionKind::Slam && self.table.rules.slam == Slam::AnyOfItsSpeed && !own {
                    return Err(refuse("a SLAM is never a free action"));
                }
                if difficulty == Difficulty::Purple && ship.tokens.force == 0 {
                    return Err(refuse("it has no Force charge to pay for it"));
                }
                self.carry_out(index, kind, detail, dice).map_err(refuse)?;
                if !self.table.ships[index].in_play() {
                    // It left the table, or was destroyed, in its SLAM, and the record says so.
                    return Ok(());
                }
                let ship = &mut self.table.ships[index];
                ship.performed.push(kind);
                match difficulty {
                    Difficulty::Red => ship.tokens.stress += 1,
                    Difficulty::Purple => ship.tokens.force = ship.tokens.force.saturating_sub(1),
                    Difficulty::White | Difficulty::Blue => {}
                }
            }
        }
        if let Leave::Card(given) = leave {
            self.events.push(Event::CardAction {
                ship: id.clone(),
                owner: given.owner.clone(),
                card: given.card.clone(),
            });
        }
        self.events.push(Event::Acted {
            ship: id,
            order: order.clone(),
            from,
            to: self.table.ships[index].pose,
        });
        self.record_tokens(index);
        if let Order::Bar {
            kind,
            difficulty,
            detail,
        } = order
        {
            self.after_performing(index, depth, Performed::of(*kind, *difficulty, detail, stressed));
        }
        Ok(())
    }

    /// Whether an ionized ship cannot take an action: SA-6.1 leaves it Focus alone, FE-7.2 all of them. `None`: that of a card.
    pub(super) fn ion_bars(&self, kind: Option<ActionKind>) -> bool {
        match self.table.rules.ion_actions {
            IonActions::FocusOnly => kind != Some(ActionKind::Focus),
            IonActions::Any => false,
        }
    }

    /// What follows an action: the moments of cards come below what the action itself asks for, a coordinated ship's action
    /// above all. So much waited before the action: `depth`.
    pub(super) fn after_performing(&mut self, index: usize, depth: usize, action: Performed) {
        self.remove_destroyed();
        let asked = self.queue.split_off(depth);
        let moved = match action.action.kind {
            ActionKind::BarrelRoll => Some(EventWord::BarrelRoll),
            ActionKind::Boost => Some(EventWord::Boost),
            _ => None,
        };
        if let Some(what) = moved {
            let obstacles = std::mem::take(&mut self.crossed);
            self.open(
                Window::RepositionEvent,
                Some(index),
                None,
                Happening::Repositioned { what, obstacles },
            );
        }
        if let (ActionKind::Lock, Some(target)) = (action.action.kind, &action.target) {
            let (other, what) = (self.index(target), Happening::Lock(target.clone()));
            self.open(Window::LockAcquired, Some(index), other, what);
        }
        self.open(Window::AfterAction, Some(index), None, Happening::Action(action));
        self.queue.append(asked);
    }

    /// Carries one action out, or says what is against it and changes nothing.
    fn carry_out(
        &mut self,
        index: usize,
        kind: ActionKind,
        detail: &ActionDetail,
        dice: &mut dyn DiceSource,
    ) -> Result<(), &'static str> {
        const MISMATCH: &str = "what is said about it belongs to another action";
        let options = self.movement(index);
        let (table, ship) = (&self.table, &self.table.ships[index]);
        match (kind, detail) {
            // FE-6.6
            (ActionKind::Focus, ActionDetail::Token) => self.table.ships[index].tokens.focus += 1,
            // FE-6.5
            (ActionKind::Evade, ActionDetail::Token) => self.table.ships[index].tokens.evade += 1,
            (ActionKind::Calculate, ActionDetail::Token) => self.table.ships[index].tokens.calculate += 1,
            (ActionKind::Cloak, ActionDetail::Token) => {
                if ship.tokens.cloak > 0 {
                    return Err("it is cloaked already");
                }
                self.table.ships[index].tokens.cloak += 1;
            }
            (ActionKind::BarrelRoll, ActionDetail::BarrelRoll { side, slide_mm }) => {
                if !reposition::knows_slide(&table.rules, ship.size, Sidestep::BarrelRoll, *slide_mm) {
                    return Err("a barrel roll has no such end position");
                }
                let roll = |table: &Table| reposition::barrel_roll(table, ship, *side, *slide_mm, &options);
                let (end, mines) = (roll(table), self.mines_met(roll));
                self.reposition(index, end, &mines, dice)?;
            }
            (ActionKind::Boost, ActionDetail::Boost(template)) => {
                let boost = |table: &Table| reposition::boost(table, ship, *template, &options);
                let (end, mines) = (boost(table), self.mines_met(boost));
                self.reposition(index, end, &mines, dice)?;
            }
            (ActionKind::Slam, ActionDetail::Slam { maneuver, alignment }) => {
                self.slam(index, *maneuver, *alignment, dice)?;
            }
            // FE-6.11
            (ActionKind::RotateArc, ActionDetail::RotateArc(arcs)) => {
                if ship.turret.is_empty() || arcs.is_empty() || arcs.len() > 2 || !ship.may_point(arcs) {
                    return Err("it has no such turret arc");
                }
                self.table.ships[index].turret.clone_from(arcs);
            }
            (ActionKind::Lock, ActionDetail::Lock(target)) => {
                let object = Object::find(table, target).ok_or("there is no such object to lock")?;
                if !self.is_lockable(ship, &object) {
                    return Err("it is no enemy ship, and nothing else is locked");
                }
                let distance = match object {
                    Object::Ship(other)
                        if !other.in_play() || other.id == ship.id || other.standing.cannot_be_locked =>
                    {
                        return Err("it cannot be locked");
                    }
                    Object::Ship(other) => measure::ship_distance(ship, other),
                    Object::Obstacle(_) => measure::distance(ship.size, ship.pose, &object),
                    Object::Marker(_) => return Err("a point cannot be locked"),
                };
                if measure::range(distance).is_none() {
                    return Err("the object is beyond range 3");
                }
                self.table.ships[index].lock(target.clone());
            }
            (ActionKind::Jam, ActionDetail::Jam(target)) => {
                let other = self.other(ship, target, true)?;
                self.jams(ship, &table.ships[other])?;
                self.jam_ship(index, other);
            }
            // FE-6.4
            (ActionKind::Coordinate, ActionDetail::Coordinate(friend)) => {
                let other = self.other(ship, friend, false)?;
                if table.ships[other].standing.cannot_be_coordinated {
                    return Err("the ship cannot be coordinated");
                }
                let range = table.rules.range(measure::ship_distance(ship, &table.ships[other]));
                if !matches!(range, Some(1 | 2)) {
                    return Err("the ship to coordinate is not at range 1-2");
                }
                let request = Request::Act {
                    ship: friend.clone(),
                    coordinated_by: Some(ship.id.clone()),
                };
                match table.rules.coordinate {
                    // It may be chosen, and can do nothing (FE-5.3).
                    Coordinate::FreeAction if table.ships[other].is_stressed() => {
                        let (ship, cause) = (friend.clone(), LostAction::Stressed);
                        self.events.push(Event::ActionLost { ship, cause });
                    }
                    Coordinate::FreeAction | Coordinate::UnstressedOnly => self.ask_later(request),
                }
            }
            // FE-6.9
            (ActionKind::Reinforce, ActionDetail::Reinforce(arc)) => {
                self.table.ships[index].tokens.reinforce += 1;
                self.fighters[index].reinforced.push(*arc);
            }
            (ActionKind::Recover, ActionDetail::Token) => self.recover(index)?,
            (ActionKind::Reload, detail) => match (table.rules.reload, detail) {
                (Reload::OneCharge, ActionDetail::Reload(upgrade)) => self.reload(index, upgrade)?,
                (Reload::AllCards, ActionDetail::Token) => self.turn_up_ordnance(index, None)?,
                (Reload::AllCards, ActionDetail::Reload(upgrade)) => self.turn_up_ordnance(index, Some(upgrade))?,
                _ => return Err(MISMATCH),
            },
            _ => return Err(MISMATCH),
        }
        self.settle_jam(index);
        Ok(())
    }

    /// Another ship in play, an enemy or a friend.
    fn other(&self, ship: &Ship, id: &ObjectId, enemy: bool) -> Result<usize, &'static str> {
        let index = self.index(id).ok_or("there is no such ship")?;
        let other = &self.table.ships[index];
        if !other.in_play() || other.id == ship.id || other.is_enemy_of(ship) != enemy {
            return Err("it cannot be done to that ship");
        }
        Ok(index)
    }

    fn reposition(
        &mut self,
        index: usize,
        end: Reposition,
        mines: &[ObjectId],
        dice: &mut dyn DiceSource,
    ) -> Result<(), &'static str> {
        // FE-5.5: another place, direction or action is chosen; nothing has happened.
        if end.blocked.is_some() {
            return Err("something is in the way");
        }
        let from = std::mem::replace(&mut self.table.ships[index].pose, end.pose);
        self.table.moved(index, from);
        self.go_over(index, &end.crossed, dice);
        self.meet_mines(index, mines, dice);
        self.crossed = end.crossed;
        Ok(())
    }

    /// Obstacles that a ship was moved through or onto by something else than a maneuver have their effect.
    pub(super) fn go_over(&mut self, index: usize, crossed: &[ObjectId], dice: &mut dyn DiceSource) {
        for obstacle in crossed {
            if self.meet_obstacle(index, obstacle, dice) == Some(ObstacleKind::Debris) {
                self.table.ships[index].tokens.stress += 1;
                self.record_tokens(index);
            }
        }
    }

    /// A second maneuver at the speed just flown. It fails if the ship would flee, but in the first edition, where it is flown
    /// like any other (FE-6.12).
    fn slam(
        &mut self,
        index: usize,
        maneuver: Maneuver,
        alignment: Alignment,
        dice: &mut dyn DiceSource,
    ) -> Result<(), &'static str> {
        let ship = &self.table.ships[index];
        let flown = self.moved.as_ref().filter(|(id, _)| *id == ship.id);
        let speed = flown.map(|(_, execution)| execution.maneuver.speed);
        if speed != Some(maneuver.speed) || !ship.dial.maneuvers().contains(&maneuver) {
            return Err("a SLAM is a maneuver of the dial at the speed just flown");
        }
        // A red action's own stress comes after it: what is on the ship now counts.
        if self.allowed(index, maneuver) != maneuver {
            return Err("it cannot take that maneuver now");
        }
        let options = self.movement(index);
        let end = movement::execute(&self.table, ship, maneuver, alignment, &options);
        if end.edge && self.table.rules.slam == Slam::NotOverTheEdge {
            return Err("it would flee");
        }
        // A Tallon roll backs up only when no alignment completes.
        if matches!(maneuver.bearing, Bearing::TallonRoll(_)) && !end.full {
            let ends = movement::executions(&self.table, ship, maneuver, &options);
            if ends.iter().any(|end| end.full) {
                return Err("another alignment of the Tallon roll completes");
            }
        }
        let flight = Flight {
            maneuver,
            alignment,
            edge_turn: None,
        };
        self.execute(index, flight, true, dice);
        if self.table.ships[index].in_play() {
            self.table.ships[index].tokens.disarm += 1;
        }
        Ok(())
    }

    /// What a ship may lock (FE-6.13: enemy ships, and no obstacles or points).
    pub(super) fn is_lockable(&self, ship: &Ship, object: &Object<'_>) -> bool {
        match (self.table.rules.locks, object) {
            (Locks::AnyObject, _) => true,
            (Locks::Enemies, Object::Ship(other)) => other.is_enemy_of(ship),
            (Locks::Enemies, _) => false,
        }
    }

    /// FE-6.10: discarded torpedo and missile cards are turned face up, all of them or the named one, and the ship gets a
    /// weapons disabled token. Bombs are left out.
    fn turn_up_ordnance(&mut self, index: usize, only: Option<&str>) -> Result<(), &'static str> {
        self.turn_up_cards(index, only)?;
        self.table.ships[index].tokens.disarm += 1;
        Ok(())
    }

    /// Discarded torpedoes and missiles of a ship lie face up again, or it is said that there are none.
    pub(super) fn turn_up_cards(&mut self, index: usize, only: Option<&str>) -> Result<(), &'static str> {
        let ship = &mut self.table.ships[index];
        let mut any = false;
        for weapon in (ship.weapons.iter_mut()).filter(|weapon| only.is_none_or(|id| weapon.id == id)) {
            if let Some(charges) = weapon.discarded() {
                charges.left = charges.max;
                any = true;
            }
        }
        if any {
            Ok(())
        } else {
            Err("it has no discarded torpedo or missile card to turn up")
        }
    }

    fn reload(&mut self, index: usize, upgrade: &str) -> Result<(), &'static str> {
        self.recover_charge(index, upgrade)?;
        self.table.ships[index].tokens.disarm += 1;
        Ok(())
    }

    /// A special weapon or a device of a ship gets a charge back, or it is said what is against it.
    pub(super) fn recover_charge(&mut self, index: usize, upgrade: &str) -> Result<(), &'static str> {
        let ship = &mut self.table.ships[index];
        let weapons = ship.weapons.iter_mut().filter(|weapon| weapon.id == upgrade);
        let weapon = weapons
            .filter_map(|weapon| weapon.special.as_mut()?.charges.as_mut())
            .next();
        let device = ship.device.as_mut().filter(|device| device.id == upgrade);
        let charges = weapon.or_else(|| device.map(|device| &mut device.charges));
        let charges = charges.filter(|charges| charges.left < charges.max);
        if DeviceBook::embedded()
            .device(upgrade)
            .is_some_and(|device| device.keeps_no_charge)
        {
            return Err("its charge cannot be recovered");
        }
        charges.ok_or("no card of that name lacks a charge")?.left += 1;
        Ok(())
    }
}
