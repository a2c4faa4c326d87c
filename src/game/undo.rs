//! Taking an activation back, step by step.

use std::collections::VecDeque;

use super::{
    Effect, Event, Game, HISTORY, Refusal,
    activation::{Activation, Purpose, Stage},
    opponent::{Opponent, Seen},
    round::{Checkpoint, Mark},
    same_pose,
    step::{Step, Token},
};
use crate::{
    dice::{AttackFace, DefenceFace, SeededDice},
    geometry::Pose,
    xwing::{ObjectId, ship::Status},
};

/// An activation that was carried out.
#[derive(Debug, Clone, PartialEq)]
pub struct Done {
    /// The ship.
    pub ship: ObjectId,
    /// What the players call it.
    pub name: String,
    /// The round it belongs to.
    pub round: u32,
    /// The roll that the players had set for it.
    pub roll: Option<(DefenceFace, AttackFace)>,
    /// Takes back what was carried out, in the order in which it was carried out.
    pub inverse: Vec<Step>,
    /// What no table can take back.
    pub by_hand: Vec<String>,
    /// How far back it reaches.
    pub mark: Mark,
    /// The state of the round before it, where whole rounds are played.
    pub before: Option<Box<Checkpoint>>,
}

impl Done {
    /// This and what was done after it, as one.
    fn and_then(mut self, later: Done) -> Done {
        self.inverse.extend(later.inverse);
        self.by_hand.extend(later.by_hand);
        self.roll = self.roll.or(later.roll);
        self
    }
}

impl<O: Opponent> Game<O> {
    pub(super) fn remember(&mut self, done: Done) {
        self.history.push(done);
        if self.history.len() > HISTORY {
            self.history.remove(0);
        }
    }

    /// Takes the last thing back that reaches so far, with everything since, or stops what runs and takes back what it did so
    /// far.
    ///
    /// # Errors
    /// Nothing to take back, something is being taken back already, or no table that could do it.
    pub fn undo(&mut self, reach: Mark) -> Result<String, Refusal> {
        if self.activation.is_some() {
            return self.stop();
        }
        if self.abilities.is_none() {
            return Err(Refusal::NotConnected);
        }
        let mut done = self.history.pop().ok_or(Refusal::NothingToUndo)?;
        while done.mark < reach
            && let Some(earlier) = self.history.pop()
        {
            done = earlier.and_then(done);
        }
        let message = if done.before.is_some() {
            format!("Taking back the last of {}.", done.name)
        } else {
            format!("Taking back the activation of {}.", done.name)
        };
        self.begin_taking_back(done);
        self.status();
        Ok(message)
    }

    fn stop(&mut self) -> Result<String, Refusal> {
        let busy = self.busy();
        let Some(activation) = self.activation.as_mut() else {
            return Err(Refusal::NothingToUndo);
        };
        if matches!(activation.purpose, Purpose::TakeBack(_)) {
            return Err(busy);
        }
        self.queue.clear();
        self.pressed = None;
        let name = activation.name.clone();
        let before_it = matches!(activation.stage, Stage::Look | Stage::Ready | Stage::Confirm(_));
        let untouched = !activation.touched && activation.inverse.is_empty() && self.outstanding.is_none();
        if before_it && untouched && self.asked_meanwhile().is_none() {
            self.withdraw_consent();
            self.drop_ask();
            self.activation = None;
            self.outstanding = None;
            self.status();
            return Ok(format!("{name} does not act; it still waits."));
        }
        self.withdraw_consent();
        let unread = self.placed_unread();
        self.drop_ask();
        let Some(activation) = self.activation.as_mut() else {
            return Err(Refusal::NothingToUndo);
        };
        activation.inverse.extend(unread);
        // Pressed twice, the answer is not waited for any longer; another look at the table tells what was done.
        if activation.stopping {
            self.outstanding = None;
        }
        activation.stopping = true;
        activation.awaits_sync = false;
        activation.rejected = None;
        self.proceed();
        Ok(format!("{name} stops; what it did is taken back."))
    }

    /// The stopped activation has no step on its way any more.
    pub(super) fn take_back_unfinished(&mut self) {
        let Some(activation) = self.activation.take() else {
            return;
        };
        let done = Done {
            ship: activation.ship,
            name: activation.name,
            round: activation.round,
            roll: None,
            inverse: activation.inverse,
            by_hand: activation.by_hand,
            mark: Mark::Turn,
            before: activation.before,
        };
        self.begin_taking_back(done);
        self.status();
    }

    /// The question whether a decision is carried out is not waited for any longer.
    fn withdraw_consent(&mut self) {
        if let Some(Stage::Confirm(prompt)) = self.activation.as_ref().map(|activation| &activation.stage) {
            self.effects.push(Effect::Withdraw(prompt.id.clone()));
        }
    }

    fn begin_taking_back(&mut self, mut done: Done) {
        done.inverse.extend(self.placed_unread());
        self.drop_ask();
        let mut activation = Activation::new(
            done.ship.clone(),
            done.name.clone(),
            Purpose::TakeBack(Box::new(done.clone())),
            done.round,
            Pose::default(),
            SeededDice::for_activation(self.config.seed, done.round, &done.ship),
        );
        activation.stage = Stage::Wrap;
        let mut todo: VecDeque<Step> = done.inverse.into_iter().rev().collect();
        if done.mark == Mark::Turn && !done.ship.is_empty() {
            todo.push_back(Step::Show {
                ship: done.ship,
                lines: Vec::new(),
            });
        }
        activation.todo = todo;
        self.activation = Some(activation);
        self.effects.push(Effect::RequestSync);
    }

    /// Everything that can be taken back has been.
    pub(super) fn taken_back(&mut self) {
        let Some(activation) = self.activation.take() else {
            return;
        };
        let Purpose::TakeBack(done) = activation.purpose else {
            return;
        };
        if let Some(before) = done.before {
            self.come_back(*before);
        } else if done.round == self.round {
            self.activated.remove(&done.ship);
            self.performed.remove(&done.ship);
            if let Some(ship) = self.ship_mut(&done.ship) {
                ship.performed.clear();
            }
        }
        if let Some(roll) = done.roll {
            self.rolls.insert(done.ship.clone(), roll);
        }
        self.new_round_offered = false;
        self.stale = true;
        let mut text = match (done.mark, self.leads()) {
            (Mark::Turn, _) | (_, false) => format!("{} is back where it was and waits.", done.name),
            (Mark::Step | Mark::Phase, true) => format!("The last of {} is taken back.", done.name),
        };
        if !done.by_hand.is_empty() {
            text.push_str(" To be taken back by hand, if it was done: ");
            text.push_str(&done.by_hand.join(" "));
        }
        self.effects.push(Effect::Event(Event::Replanned {
            ship: done.ship,
            message: text,
        }));
        self.status();
    }

    /// Carries a step over into the table as it is known, and notes how it is taken back.
    pub(super) fn carried_out(&mut self, step: &Step, seen: Option<&Seen>) {
        let inverse = self.change_table(step, seen);
        self.account_for(step);
        self.note_reinforced(step);
        self.follow_table();
        self.stale = true;
        if let Some(activation) = self.activation.as_mut() {
            activation.inverse.extend(inverse);
        }
    }

    fn change_table(&mut self, step: &Step, seen: Option<&Seen>) -> Option<Step> {
        match step {
            Step::Say { .. } | Step::Show { .. } | Step::Dial { .. } => None,
            // Its outline is seen at the next look.
            Step::Lay { object, from, to } => Some(Step::Lay {
                object: object.clone(),
                from: *to,
                to: *from,
            }),
            Step::Move { ship: id, to, .. } | Step::Place { ship: id, to, .. } => {
                let pose = seen.map_or(*to, |seen| seen.pose);
                let touching = seen.map(|seen| seen.touching.clone()).unwrap_or_default();
                // SA-0: a bump that left ships a guide's width apart holds until one of the pair moves.
                let moved = self.ship_mut(id).is_some_and(|ship| !same_pose(ship.pose, pose));
                if let Some(table) = self.table.as_mut().filter(|_| moved) {
                    for other in &mut table.ships {
                        other.bumped.retain(|bumped| bumped != id);
                        if touching.contains(&other.id) {
                            other.bumped.push(id.clone());
                        }
                    }
                }
                let area = self.table.as_ref()?.area;
                let ship = self.ship_mut(id)?;
                let before = std::mem::replace(&mut ship.pose, pose);
                // A model from beside the mat comes into play, and goes back there (SA-13).
                match ship.status {
                    Status::Reserved if area.holds(pose.position) => ship.status = Status::InPlay,
                    Status::InPlay if !area.holds(pose.position) => ship.status = Status::Reserved,
                    _ => {}
                }
                if moved {
                    ship.bumped = touching;
                }
                Some(Step::Place {
                    ship: id.clone(),
                    from: pose,
                    to: before,
                })
            }
            // No token of its own: it marks a Protect token (PE-6.2).
            Step::Token {
                ship: id,
                token: Token::Evade,
                count,
            } if self.is_the_shuttle(id) => {
                self.protect_markers = self.protect_markers.saturating_add_signed(*count);
                Some(Step::Token {
                    ship: id.clone(),
                    token: Token::Evade,
                    count: -count,
                })
            }
            Step::Token { ship: id, token, count } => {
                let held = token.count_mut(&mut self.ship_mut(id)?.tokens);
                let before = *held;
                *held = held.saturating_add_signed(*count);
                // Only what was there could be taken away.
                let change = i64::from(before) - i64::from(*held);
                (change != 0).then(|| Step::Token {
                    ship: id.clone(),
                    token: *token,
                    count: i32::try_from(change).unwrap_or(0),
                })
            }
            Step::Lock {
                ship: id,
                target,
                remove,
            } => {
                let ship = self.ship_mut(id)?;
                let held = ship.locks.contains(target);
                if *remove {
                    ship.locks.retain(|lock| lock != target);
                } else if !held {
                    ship.locks.push(target.clone());
                }
                (held == *remove).then(|| Step::Lock {
                    ship: id.clone(),
                    target: target.clone(),
                    remove: !remove,
                })
            }
            Step::Remove { ship: id, back } => {
                let ship = self.ship_mut(id)?;
                let pose = ship.pose;
                match back {
                    Some(back) => {
                        ship.pose = *back;
                        ship.status = Status::InPlay;
                        Some(Step::Remove {
                            ship: id.clone(),
                            back: None,
                        })
                    }
                    None => {
                        ship.status = Status::Removed;
                        Some(Step::Remove {
                            ship: id.clone(),
                            back: Some(pose),
                        })
                    }
                }
            }
            Step::Turret { ship: id, arcs } => {
                let ship = self.ship_mut(id)?;
                let before = std::mem::replace(&mut ship.turret, arcs.clone());
                (!before.is_empty() && before != *arcs).then(|| Step::Turret {
                    ship: id.clone(),
                    arcs: before,
                })
            }
        }
    }
}
