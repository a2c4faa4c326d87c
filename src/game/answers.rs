//! What comes back from the table: answers to steps and questions, and snapshots that were asked for.

use super::{
    Effect, Event, Game,
    activation::{Activation, CARRY_OUT, Purpose, Stage},
    opponent::{Opponent, Seen},
    round::{Ask, Faces},
    same_pose,
    step::Step,
};
use crate::{
    geometry::Pose,
    xwing::{ObjectId, table::Table},
};

/// How a step went.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The outcome.
    pub outcome: Outcome,
    /// Why not.
    pub reason: String,
    /// The table's revision afterwards; 0 if it does not say.
    pub rev: u64,
    /// Where the ship stands now.
    pub pose: Option<Pose>,
    /// Whether the table met its own bump.
    pub bumped: bool,
    /// Ships it touches, where the table knows.
    pub touching: Vec<ObjectId>,
}

/// The outcome of a step. A step done earlier under the same id is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// As asked.
    Done,
    /// Begun; it ended otherwise.
    Partial,
    /// Not at all.
    Rejected,
}

impl<O: Opponent> Game<O> {
    /// The table answered a step. Answers to anything but the step on its way are late repeats and change nothing.
    pub fn step_answered(&mut self, action_id: &str, answer: Answer) {
        if self.outstanding.as_ref().is_none_or(|sent| sent.action_id != action_id) {
            return;
        }
        let Some(sent) = self.outstanding.take() else { return };
        if answer.rev != 0 {
            self.rev = answer.rev;
        }
        let is_the_maneuver = self.activation.as_ref().is_some_and(Activation::is_about_to_move);
        match answer.outcome {
            Outcome::Rejected => self.step_rejected(sent.step, &answer.reason),
            Outcome::Done | Outcome::Partial => match &sent.step {
                Step::Move { from, to, .. } | Step::Place { from, to, .. } => match (answer.pose, answer.outcome) {
                    (None, Outcome::Partial) => self.look_where_it_ended(sent.step.clone()),
                    (Some(pose), _) if !answer.bumped && same_pose(pose, *from) && !same_pose(*from, *to) => {
                        self.step_rejected(sent.step.clone(), "the table did not move it");
                    }
                    (pose, _) => {
                        let seen = Seen {
                            pose: pose.unwrap_or(*to),
                            bumped: answer.bumped,
                            touching: answer.touching,
                        };
                        if is_the_maneuver {
                            self.moved(seen);
                        } else {
                            self.carried_out(&sent.step, Some(&seen));
                        }
                        self.proceed();
                    }
                },
                step => {
                    self.carried_out(step, None);
                    if answer.outcome == Outcome::Partial {
                        self.note(&format!("The table did this only in part: {}.", answer.reason));
                    }
                    self.proceed();
                }
            },
        }
        self.status();
    }

    /// The move was begun and nobody said where it ended.
    fn look_where_it_ended(&mut self, step: Step) {
        if let Some(activation) = self.activation.as_mut() {
            activation.pose_unknown = true;
            activation.rejected = Some(step);
            activation.awaits_sync = true;
            self.effects.push(Effect::RequestSync);
        }
    }

    fn step_rejected(&mut self, step: Step, reason: &str) {
        let reason = if reason.is_empty() { "no reason given" } else { reason };
        if !step.changes_the_table() {
            // A dial that does not turn or a line that is not drawn holds nothing up.
            if matches!(step, Step::Dial { .. }) {
                self.note(&format!("The dial could not be set: {reason}."));
            }
            self.proceed();
            return;
        }
        let Some(activation) = self.activation.as_mut() else {
            return;
        };
        activation.rejected = Some(step);
        activation.awaits_sync = true;
        let ship = activation.ship.clone();
        let message = format!(
            "{}: the table refused a step ({reason}); looking at it again.",
            activation.name
        );
        self.effects.push(Effect::Event(Event::Replanned { ship, message }));
        self.effects.push(Effect::RequestSync);
    }

    /// A snapshot was taken; `before` is the table as it was known.
    pub(super) fn seen_again(&mut self, before: Option<&Table>) {
        let Some(activation) = self.activation.as_mut() else {
            return;
        };
        if !activation.awaits_sync {
            if matches!(activation.purpose, Purpose::Follow(_)) {
                self.follow_on(before);
            } else if matches!(self.ask, Ask::Placed(..)) {
                self.judge_placed();
                self.proceed();
            } else if matches!(activation.stage, Stage::Confirm(_)) {
                self.reconsider();
            } else {
                // A question that fell away with something else no longer holds it up.
                self.proceed();
            }
            return;
        }
        activation.awaits_sync = false;
        let seen = self
            .table
            .as_ref()
            .and_then(|table| table.ship(&activation.ship))
            .map(|ship| (ship.pose, ship.in_play()));
        if activation.is_errand() {
            let pose = seen.map_or_else(Pose::default, |(pose, _)| pose);
            if self.outstanding.is_some() {
                self.resend();
            } else {
                self.retry_step(pose);
            }
            return;
        }
        let Some((pose, true)) = seen else {
            let why = format!("{} is no longer on the table.", activation.name);
            self.give_up(&why);
            return;
        };
        let known = before
            .and_then(|table| table.ship(&activation.ship))
            .map(|ship| ship.pose);
        let rewound = activation.moved
            && same_pose(pose, activation.start)
            && known.is_some_and(|known| !same_pose(known, activation.start));
        if rewound {
            self.begin_again("the table was put back to before the activation");
            return;
        }
        match activation.stage {
            _ if matches!(self.ask, Ask::Choice { .. } | Ask::Dice { .. }) => self.resend(),
            Stage::Look => self.decide(),
            Stage::Confirm(_) => self.resend(),
            _ if activation.rejected.is_some() => {
                if activation.is_about_to_move() {
                    self.retry_move(pose)
                } else {
                    self.retry_step(pose)
                }
            }
            // It came back after a lost connection: the same step again, under its old number.
            _ if self.outstanding.is_some() => self.resend(),
            _ => self.proceed(),
        }
    }

    /// The maneuver was refused, or its end is unknown: from the fresh snapshot.
    fn retry_move(&mut self, pose: Pose) {
        let again = self.may_try_again();
        let Some(activation) = self.activation.as_mut() else {
            return;
        };
        activation.rejected = None;
        let Some(flight) = &activation.flight else { return };
        let arrived = same_pose(pose, flight.to) && !same_pose(flight.from, flight.to);
        if arrived || (activation.pose_unknown && !same_pose(pose, flight.from)) {
            // It did move; only the answer was lost. The table as known must show the ship where it started.
            let from = flight.from;
            let ship = activation.ship.clone();
            let bumped = self
                .table
                .as_ref()
                .and_then(|table| table.ship(&ship))
                .map(|ship| ship.bumped.clone());
            if let Some(ship) = self.ship_mut(&ship) {
                ship.pose = from;
            }
            let touching = bumped.unwrap_or_default();
            self.moved(Seen {
                pose,
                bumped: !touching.is_empty(),
                touching,
            });
            self.proceed();
        } else if again {
            activation.stage = Stage::Look;
            activation.todo.clear();
            self.decide();
        } else {
            let why = format!(
                "{} could not be moved; nothing was changed. Make sure nobody holds it and press again, or move it by hand and set it to done.",
                activation.name
            );
            self.give_up(&why);
        }
    }

    /// A step after the maneuver was refused: from the fresh snapshot, without repeating what has been done.
    fn retry_step(&mut self, pose: Pose) {
        let rejected = self
            .activation
            .as_ref()
            .and_then(|activation| activation.rejected.as_ref());
        let is_done = rejected.is_some_and(|step| self.shows_done(step));
        let again = self.may_try_again();
        let Some(activation) = self.activation.as_mut() else {
            return;
        };
        let Some(step) = activation.rejected.take() else {
            // An undo begins with a look at the table: the first place to leave is where the ship stands now.
            self.refresh_from();
            self.proceed();
            return;
        };
        let is_reposition = matches!(step, Step::Move { .. });
        match step {
            _ if is_done => {}
            Step::Move { to, .. } | Step::Place { to, .. } if same_pose(pose, to) => {
                self.carried_out(&step, None);
            }
            _ if !again => self.leave_to_the_players(step),
            // The roll or boost was measured from another place: choose again from here.
            _ if is_reposition && activation.stage == Stage::Act && activation.attempts == 1 && !activation.acted => {
                activation.todo.clear();
                self.decide_action();
            }
            // A table whose models are wider than the rules' bases refuses what just fits: it is put there instead.
            Step::Move { ship, to, .. } if activation.stage == Stage::Act => {
                let place = Step::Place { ship, from: pose, to };
                activation.todo.push_front(place);
            }
            _ => {
                activation.todo.push_front(step);
                self.refresh_from();
            }
        }
        self.proceed();
    }

    /// The next step that moves a ship, which need not be the one that acts, starts where that ship stands.
    fn refresh_from(&mut self) {
        let (Some(activation), Some(table)) = (self.activation.as_mut(), self.table.as_ref()) else {
            return;
        };
        let next = activation.todo.iter_mut().find_map(|step| match step {
            Step::Move { ship, from, .. } | Step::Place { ship, from, .. } => Some((ship, from)),
            _ => None,
        });
        if let Some((ship, from)) = next
            && let Some(seen) = table.ship(ship)
        {
            *from = seen.pose;
        }
    }

    /// Tokens and locks that were to be taken away are gone, a ship that was to leave has left: the players were faster.
    fn shows_done(&self, step: &Step) -> bool {
        let ship = |id: &str| self.table.as_ref().and_then(|table| table.ship(id));
        match step {
            Step::Token { ship: id, token, count } if *count < 0 => {
                ship(id).is_none_or(|ship| *token.count_mut(&mut ship.tokens.clone()) == 0)
            }
            Step::Lock {
                ship: id,
                target,
                remove,
            } => ship(id).is_some_and(|ship| ship.locks.contains(target) != *remove),
            Step::Remove { ship: id, back: None } => ship(id).is_none_or(|ship| !ship.in_play()),
            _ => false,
        }
    }

    /// The plan starts from scratch.
    fn begin_again(&mut self, why: &str) {
        self.drop_ask();
        let Some(activation) = self.activation.as_mut() else {
            return;
        };
        activation.stage = Stage::Look;
        activation.moved = false;
        activation.asked_for_dice = activation.rolled.is_some();
        activation.readied = false;
        activation.revealed = false;
        activation.touched = false;
        activation.moments.clear();
        activation.todo.clear();
        activation.rejected = None;
        activation.actions.clear();
        activation.acted = false;
        activation.inverse.clear();
        activation.by_hand.clear();
        activation.attempts = 0;
        let ship = activation.ship.clone();
        let message = format!("{} plans again: {why}.", activation.name);
        self.outstanding = None;
        self.performed.remove(&ship);
        if let Some(ship) = self.ship_mut(&ship) {
            ship.performed.clear();
        }
        self.effects.push(Effect::Event(Event::Replanned { ship, message }));
        self.rewind_round();
        self.decide();
    }

    /// The table changed while the players were asked: if the plan changes with it, they are asked again.
    fn reconsider(&mut self) {
        let Some(activation) = &self.activation else { return };
        let Some(old) = &activation.flight else { return };
        let (maneuver, from, sentence) = (old.maneuver, old.from, old.sentence.clone());
        let id = activation.ship.clone();
        let mut dice = self.dice(&id);
        if let Some((defence, attack)) = activation.rolled {
            dice.defence = Some(defence);
            dice.attack = Some(attack);
        }
        let Some(table) = &self.table else { return };
        let unchanged = self
            .opponent
            .decide(table, &id, &self.situation(&id), dice)
            .is_ok_and(|new| new.maneuver == maneuver && same_pose(new.from, from) && new.sentence == sentence);
        if !unchanged {
            let message = format!("{}: the table changed, so the plan is made again.", activation.name);
            self.effects.push(Effect::Event(Event::Replanned { ship: id, message }));
            self.decide();
        }
    }

    /// The players answered a question; `None`: the deadline passed and the default counts.
    pub fn prompt_answered(&mut self, prompt_id: &str, choice: Option<&str>) {
        let Some(activation) = &self.activation else {
            self.choice_made(prompt_id, choice);
            return;
        };
        let Stage::Confirm(prompt) = &activation.stage else {
            self.choice_made(prompt_id, choice);
            return;
        };
        if prompt.id != prompt_id {
            return;
        }
        let choice = choice.filter(|choice| prompt.options.iter().any(|option| option == choice));
        if choice.unwrap_or(&prompt.default) == CARRY_OUT {
            self.announce();
        } else {
            let name = activation.name.clone();
            self.activation = None;
            self.queue.clear();
            self.note(&format!("{name} does not act now; it still waits."));
        }
        self.status();
    }

    /// The table's dice were read; `None`: they were not, and the seeded dice take their place.
    pub fn roll_answered(&mut self, roll_id: &str, faces: Option<Faces>) {
        self.table_rolled(roll_id, faces);
    }
}
