//! A ship's move: the maneuver, Check Difficulty, obstacles and the edge.

use super::{
    Battle, Event, Flight, LostAction, Refused, Request,
    occasion::{Happening, Moved},
};
use crate::{
    dice::DiceSource,
    geometry::{Pose, angle},
    xwing::{
        ObjectId,
        damage_deck::Damage,
        effects::{Window, effect::Duration},
        maneuver::Maneuver,
        movement::{
            self, EdgePolicy, Execution, MovementOptions,
            consequences::{ObstacleEffect, dice_come_later, obstacle_effect, obstacle_kind, tokens_after},
        },
        obstacle::ObstacleKind,
        scenario::departure,
        ship::Status,
    },
};

/// What a maneuver leaves for the Perform Action step.
#[derive(Debug, Default)]
pub(super) struct Landed {
    /// Why there is no action.
    pub(super) lost: Option<LostAction>,
    /// The obstacles whose dice come in place of the step, or after it (FE-4.8).
    pub(super) obstacles: Vec<ObjectId>,
}

impl Battle {
    /// How ships of a side move.
    pub(super) fn movement(&self, index: usize) -> MovementOptions {
        let side = &self.sides[self.side_of(&self.table.ships[index])];
        MovementOptions {
            guides: self.guides,
            edge: if side.flees { EdgePolicy::Flee } else { EdgePolicy::Stop },
        }
    }

    pub(super) fn fly(&mut self, id: &str, fixed: Option<Maneuver>, flight: Flight) -> Result<(), Refused> {
        let index = self.asked(id)?;
        let ship = &self.table.ships[index];
        let on_dial = match fixed {
            Some(fixed) => flight.maneuver == fixed,
            None => ship.dial.maneuvers().contains(&flight.maneuver),
        };
        if !on_dial {
            let (ship, maneuver) = (ship.id.clone(), flight.maneuver);
            return Err(Refused::Maneuver { ship, maneuver });
        }
        if fixed.is_none() && self.shows_red(index, flight.maneuver) {
            return Ok(());
        }
        let id = self.table.ships[index].id.clone();
        let picked = self.picked.take_if(|(target, _)| *target == id);
        let flight = Flight {
            maneuver: match picked {
                Some((_, picked)) => picked,
                None => self.allowed(index, flight.maneuver),
            },
            ..flight
        };
        self.shuttle_chooses(index);
        // A solo ship, which has no dial, reveals what it flies.
        self.fighters[index].set.get_or_insert(flight.maneuver);
        self.done.push(id);
        self.moved = None;
        self.fly_later(index, flight);
        self.offer_bomb(index);
        Ok(())
    }

    /// The maneuver that was chosen, and the Perform Action step after what it triggers: move, check stress, act (FE-4.2).
    pub(super) fn take_off(&mut self, index: usize, flight: Flight, dice: &mut dyn DiceSource) {
        if !self.goes_on(index) {
            return;
        }
        let depth = self.queue.depth();
        self.shuttle_activates(index);
        let flight = Flight {
            maneuver: self.allowed(index, flight.maneuver),
            ..flight
        };
        let landed = self.execute(index, flight, false, dice);
        self.expire_for(index, &[Duration::Maneuver]);
        if self.table.ships[index].in_play() {
            self.act_later(depth, index, landed);
        }
    }

    /// The Perform Action step: the ship acts, or it is told why it does not.
    pub(super) fn action_step(&mut self, index: usize, lost: Option<LostAction>) -> Option<Request> {
        if !self.table.ships[index].in_play() {
            return None;
        }
        let ship = self.table.ships[index].id.clone();
        let stressed = self.table.ships[index]
            .stress_bars_actions()
            .then_some(LostAction::Stressed);
        match lost.or(stressed) {
            Some(cause) => {
                self.events.push(Event::ActionLost { ship, cause });
                None
            }
            None => Some(Request::Act {
                ship,
                coordinated_by: None,
            }),
        }
    }

    /// Executes a maneuver with all that follows from it. The dice of a SLAM's obstacles are rolled at once.
    pub(super) fn execute(&mut self, index: usize, flight: Flight, slam: bool, dice: &mut dyn DiceSource) -> Landed {
        let mut options = self.movement(index);
        let ship = &self.table.ships[index];
        let (id, from, ionized) = (ship.id.clone(), ship.pose, ship.is_ionized());
        let run = self.run_of_shuttle(index, flight.maneuver);
        let mut execution = match &run {
            Some(run) => {
                // PE-7: it leaves over edges, although solo ships stop at them.
                options.edge = EdgePolicy::Flee;
                run.execution.clone()
            }
            None => movement::execute(&self.table, ship, flight.maneuver, flight.alignment, &options),
        };
        let mut escapes = false;
        if execution.edge && options.edge == EdgePolicy::Stop && self.mission.is_some() {
            // SA-13, the transport: at its goal it is not stopped.
            options.edge = EdgePolicy::Flee;
            let on = movement::execute(&self.table, ship, flight.maneuver, flight.alignment, &options);
            escapes = departure::escapes(&self.table, ship, on.pose);
            match escapes {
                true => execution = on,
                false => options.edge = EdgePolicy::Stop,
            }
        }
        let stopped = execution.edge && options.edge == EdgePolicy::Stop;
        let edge_turn = stopped.then(|| flight.edge_turn.unwrap_or(180.0));
        let to = Pose {
            position: execution.pose.position,
            heading: angle::normalize(execution.pose.heading + edge_turn.unwrap_or(0.0)),
        };
        let mut tokens = tokens_after(&self.table, ship, &execution);
        // SA-7: the edge's stress and disarm are for ships that stop at it; a ship that flees is gone.
        if execution.edge && !stopped {
            tokens = ship.tokens;
        }
        self.events.push(Event::Flew {
            ship: id.clone(),
            from,
            execution: Box::new(execution.clone()),
            edge_turn,
            to,
            slam,
        });
        if let Some(run) = &run {
            escapes = self.shuttle_ran(index, run, to);
        }
        let ship = &mut self.table.ships[index];
        ship.pose = to;
        if execution.edge && !stopped {
            let (ship, mission) = (&self.table.ships[index], &self.mission);
            let safe = mission.as_ref().is_some_and(|play| {
                departure::retreats(&play.mission.scenario, self.table.area, &ship.side, ship.size, to)
            });
            self.leave(index, Status::Removed);
            self.events.push(match (escapes, safe) {
                (true, _) => Event::Escaped { ship: id },
                (false, true) => Event::Saved { ship: id },
                (false, false) => Event::Fled { ship: id },
            });
            if !escapes && !safe {
                self.left_the_area(index);
            }
            return Landed::default();
        }
        if ship.tokens != tokens {
            ship.tokens = tokens;
            self.record_tokens(index);
        }
        let later = !slam && dice_come_later(&self.table.rules);
        let at_once: &[ObjectId] = if later { &[] } else { &execution.suffered };
        let bars = |id: &ObjectId| obstacle_kind(&self.table, id).is_some_and(|kind| kind != ObstacleKind::Debris);
        let barred = execution.suffered.iter().any(bars);
        let mut lost = (!execution.overlapped.is_empty()).then_some(LostAction::Overlap);
        lost = lost.or(barred.then_some(LostAction::Obstacle));
        let mined = self.after_moving(index, from, (&execution, at_once), ionized, dice);
        lost = lost.or(mined.then_some(LostAction::Mine));
        if stopped {
            lost = lost.or(Some(LostAction::Edge));
        }
        let obstacles = if later { execution.suffered.clone() } else { Vec::new() };
        self.moved = Some((id, execution));
        Landed { lost, obstacles }
    }

    /// What follows once a ship has moved from a pose to where it stands: obstacles (SA-7, FE-4.8), mines (SA-2), the moment of
    /// cards, damage cards among them.
    pub(super) fn after_move(
        &mut self,
        index: usize,
        from: Pose,
        execution: &Execution,
        ionized: bool,
        dice: &mut dyn DiceSource,
    ) {
        self.after_moving(index, from, (execution, &execution.suffered), ionized, dice);
    }

    /// As [`Battle::after_move`], with the obstacles whose dice are rolled at once. Whether a mine takes its action (FE-11.2).
    fn after_moving(
        &mut self,
        index: usize,
        from: Pose,
        (execution, obstacles): (&Execution, &[ObjectId]),
        ionized: bool,
        dice: &mut dyn DiceSource,
    ) -> bool {
        self.table.moved_into_contact(index, from, &execution.bumped);
        for obstacle in obstacles {
            self.meet_obstacle(index, obstacle, dice);
        }
        let mines = self.mines_flown_over(index, from, execution);
        let mined = self.meet_mines(index, &mines, dice);
        self.mined = mined.then(|| self.table.ships[index].id.clone());
        self.ionized = ionized;
        self.remove_destroyed();
        if self.has_window(Window::AfterManeuver) && self.goes_on(index) {
            let moved = Moved::of(execution, ionized);
            self.open(
                Window::AfterManeuver,
                Some(index),
                None,
                Happening::Maneuver(Box::new(moved)),
            );
        }
        mined
    }

    /// The dice of the obstacles that a ship met in its maneuver, once its Perform Action step is over (FE-4.8).
    pub(super) fn meet_obstacles_later(&mut self, index: usize, obstacles: &[ObjectId], dice: &mut dyn DiceSource) {
        for obstacle in obstacles {
            if self.goes_on(index) {
                self.meet_obstacle(index, obstacle, dice);
            }
        }
        self.remove_destroyed();
    }

    /// A ship moves through an obstacle or onto it: the die is rolled (SA-7, FE-4.8). What kind it is.
    pub(super) fn meet_obstacle(
        &mut self,
        index: usize,
        obstacle: &ObjectId,
        dice: &mut dyn DiceSource,
    ) -> Option<ObstacleKind> {
        let kind = obstacle_kind(&self.table, obstacle)?;
        let face = dice.attack();
        let effect = obstacle_effect(kind, face);
        self.events.push(Event::MetObstacle {
            ship: self.table.ships[index].id.clone(),
            obstacle: obstacle.clone(),
            face,
            effect,
        });
        match effect {
            ObstacleEffect::Nothing => {}
            ObstacleEffect::Hit => self.suffer(index, Damage { hits: 1, crits: 0 }, dice),
            ObstacleEffect::Crit => self.suffer(index, Damage { hits: 0, crits: 1 }, dice),
            ObstacleEffect::Strain => {
                self.table.ships[index].tokens.strain += 1;
                self.record_tokens(index);
            }
        }
        Some(kind)
    }
}
