//! A player's own activation. Players move their ships at the table; the program sees where a ship stands, tells which maneuver
//! that was, and plays what follows as for a solo ship: Check Difficulty, obstacles with their dice, mines, damage cards, and
//! the cards of all ships. What only the players know it asks, with a default; what the table shows already it does not ask.

mod acting;

use std::collections::VecDeque;

use super::{
    Ask, Mark, Pick,
    acts::By,
    choices::Question,
    engagement::{lock_changes, token_changes},
    flown::{self, Flown},
    moments::Moment,
};
use crate::{
    dice::SeededDice,
    game::{
        Advance, Effect, Event, Game, Refusal, Scope,
        activation::{Activation, Purpose, Stage},
        called,
        event::Topic,
        opponent::{ActionPlan, Opponent},
        same_pose,
        step::{Step, Token},
        undo::Done,
    },
    solo_alpha::sentence::SpokenIn,
    xwing::{
        ObjectId,
        action::ActionKind,
        battle::{Battle, Phase},
        effects::Window,
        movement::{EdgePolicy, Execution, MovementOptions, consequences::tokens_after},
        ship::{Ship, Tokens},
        table::Table,
    },
};

/// The answer that a ship has activated, and that the players have seen to all that followed.
pub const BY_THE_PLAYERS: &str = "It has activated; we saw to it";
/// The answer that a ship was only put right.
pub const ONLY_PUT_RIGHT: &str = "Only put right: it still waits";

/// Maneuvers that are offered where the table does not tell which it was.
const MOST_GUESSES: usize = 7;

/// How far the activation of a player's ship has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Course {
    /// It has not moved yet: what comes before its dial is revealed does.
    Before,
    /// It has moved, and which maneuver that was is to be told.
    Maneuver,
    /// Check Difficulty, and what the move met.
    Settle,
    /// Its actions.
    Act,
    /// An action is carried out.
    Acting,
    /// What its actions set off, and what comes after its activation.
    Over,
    /// All is done.
    Done,
}

/// The activation of a player's ship as it is followed.
#[derive(Debug, Clone, PartialEq)]
pub struct Following {
    course: Course,
    /// The table before the ship moved.
    table: Table,
    /// The move.
    flown: Option<Execution>,
    /// It was ionized when it moved.
    ionized: bool,
    /// Who may act next, and after which action.
    turns: VecDeque<(ObjectId, Option<ActionKind>)>,
    /// The ship that acts, as it is by all that is accounted for: what the table shows beyond it, its players did.
    known: Option<Ship>,
    /// The action that is carried out.
    acting: Option<ActionPlan>,
    /// What it did, for everyone.
    said: Vec<String>,
}

impl Following {
    /// The table before the ship moved.
    pub(super) fn before_table(&self) -> &Table {
        &self.table
    }

    /// What the ship did, for everyone.
    pub(in crate::game) fn said(&self) -> String {
        self.said.join(" ")
    }
}

impl<O: Opponent> Game<O> {
    /// The activation of a player's ship that is followed.
    pub(in crate::game) fn following(&self) -> Option<&Following> {
        match &self.activation.as_ref()?.purpose {
            Purpose::Follow(following) => Some(following),
            _ => None,
        }
    }

    fn following_mut(&mut self) -> Option<&mut Following> {
        match &mut self.activation.as_mut()?.purpose {
            Purpose::Follow(following) => Some(following),
            _ => None,
        }
    }

    fn set_course(&mut self, course: Course) {
        if let Some(following) = self.following_mut() {
            following.course = course;
        }
    }

    /// In the activation phase a player's ship that stands elsewhere has moved: its activation is followed when nothing else
    /// goes on.
    pub(super) fn players_moved(&mut self, before: Option<&Table>, table: &Table) {
        let activating = self.phase() == Some(Phase::Activation) && !self.activations_are_over();
        let Some(before) = before.filter(|_| activating) else {
            return;
        };
        let on_its_way = self.outstanding.as_ref().and_then(|sent| sent.step.moves()).cloned();
        for known in before.ships_in_play() {
            let id = &known.id;
            if self.seats.is_solo(id) || self.activated.contains(id) || on_its_way.as_ref() == Some(id) {
                continue;
            }
            let acts = self
                .activation
                .as_ref()
                .is_some_and(|activation| activation.ship == *id);
            if acts {
                continue;
            }
            let Some(now) = table.ship(id) else { continue };
            let waits = self.moved_by_players.iter().position(|ship| ship.id == *id);
            match waits {
                // It was put back before anybody asked.
                Some(place) if same_pose(self.moved_by_players[place].pose, now.pose) => {
                    self.moved_by_players.remove(place);
                }
                Some(_) => {}
                None if !same_pose(known.pose, now.pose) => self.moved_by_players.push(known.clone()),
                None => {}
            }
        }
    }

    fn activations_are_over(&self) -> bool {
        self.battle().is_some_and(Battle::activations_are_over)
    }

    /// Whether nothing else goes on, so that the activation of a player's ship can be followed.
    fn may_follow(&self) -> bool {
        self.activation.is_none()
            && self.ask == Ask::Nothing
            && self.abilities.is_some()
            && self.phase() == Some(Phase::Activation)
            && !self.activations_are_over()
            && self.asked_meanwhile().is_none()
    }

    /// Follows the activation of a player's ship that has moved, the first one in the order of play. Whether there was one.
    pub(in crate::game) fn follow_players(&mut self) -> bool {
        while self.may_follow() {
            let Some(own) = self.battle().map(|battle| battle.table().rules.same_skill) else {
                return false;
            };
            let moved = self.moved_by_players.iter();
            let first = moved.min_by_key(|ship| (ship.initiative, own.order(&ship.id)));
            let Some(first) = first.map(|ship| ship.id.clone()) else {
                return false;
            };
            let Some(place) = self.moved_by_players.iter().position(|ship| ship.id == first) else {
                return false;
            };
            let before = self.moved_by_players.remove(place);
            let Some(table) = self.table.clone() else { return false };
            let moved = table.ship(&first).filter(|now| !same_pose(now.pose, before.pose));
            if let Some(now) = moved.filter(|_| !self.activated.contains(&first)) {
                let now = now.clone();
                self.begin_following(Course::Maneuver, &before, &now, table);
                return true;
            }
        }
        false
    }

    /// It is the turn of a player's ship. If something comes before its dial is revealed, it does now; else nothing is to be
    /// waited for. Whether it does.
    pub(super) fn ready_next_player(&mut self) -> bool {
        if !self.may_follow() || !self.queue.is_empty() {
            return false;
        }
        let Some(table) = &self.table else { return false };
        let Some(ship) = self.next_to_activate(table).cloned() else {
            return false;
        };
        let Some(whole) = &mut self.whole else { return false };
        if self.seats.is_solo(&ship.id) || !whole.readied.insert(ship.id.clone()) {
            return false;
        }
        let mut tried = whole.battle.clone();
        let mut dice = SeededDice::new(0);
        tried.set_activated(&self.activated);
        for window in [Window::BeforeActivate, Window::BeforeReveal] {
            tried.moment_at_table(&ship.id, window, &mut dice);
        }
        // FE-11.1: where its players reveal the dial and move at once, a bomb that is dropped before the move comes here.
        tried.bomb_at_table(&ship.id, &mut dice);
        let comes_to_something = tried.pending().is_some() || tried.events().len() > whole.battle.events().len();
        if comes_to_something {
            whole.readied.remove(&ship.id);
            let table = table.clone();
            self.begin_following(Course::Before, &ship, &ship, table);
        }
        comes_to_something
    }

    fn begin_following(&mut self, course: Course, before: &Ship, now: &Ship, mut table: Table) {
        // Others that were moved at the same time come later: they still stood where they stood.
        let later = self.moved_by_players.iter().chain(std::iter::once(before));
        for earlier in later {
            if let Some(ship) = table.ships.iter_mut().find(|ship| ship.id == earlier.id) {
                *ship = earlier.clone();
            }
        }
        let checkpoint = self.checkpoint();
        let dice = SeededDice::for_activation(self.config.seed, self.round, &before.id);
        let following = Following {
            course,
            table,
            flown: None,
            ionized: before.is_ionized(),
            turns: VecDeque::new(),
            known: None,
            acting: None,
            said: Vec::new(),
        };
        let mut activation = Activation::new(
            before.id.clone(),
            called(now).to_owned(),
            Purpose::Follow(Box::new(following)),
            self.round,
            before.pose,
            dice,
        );
        activation.stage = Stage::Settle;
        activation.awaits_sync = false;
        activation.touched = true;
        activation.before = checkpoint;
        activation.inverse = self.changes(now, before);
        let unready = self
            .whole
            .as_mut()
            .is_some_and(|whole| whole.readied.insert(before.id.clone()));
        if unready {
            let early = [Window::BeforeActivate, Window::BeforeReveal];
            activation.moments = early.into_iter().map(Moment::Once).collect();
            // Who has moved has dropped nothing before the move.
            if course == Course::Before {
                activation.moments.push_back(Moment::Bomb);
            }
        }
        self.activation = Some(activation);
        self.proceed();
        self.status();
    }

    /// What brings a ship from one state to the other at the table.
    fn changes(&self, from: &Ship, to: &Ship) -> Vec<Step> {
        let mut steps = Vec::new();
        if !same_pose(from.pose, to.pose) {
            steps.push(Step::Place {
                ship: to.id.clone(),
                from: from.pose,
                to: to.pose,
            });
        }
        if let Some(battle) = self.battle() {
            steps.extend(token_changes(from, to, battle));
        }
        steps.extend(lock_changes(from, to));
        if from.turret != to.turret {
            steps.push(Step::Turret {
                ship: to.id.clone(),
                arcs: to.turret.clone(),
            });
        }
        steps
    }

    /// Goes on with the activation of a player's ship, all that came before being carried out. False: it waits, or is over.
    pub(in crate::game) fn go_on_following(&mut self) -> bool {
        let Some(course) = self.following().map(|following| following.course) else {
            return false;
        };
        match course {
            Course::Before => {
                self.end_early_moments();
                return false;
            }
            Course::Maneuver => return self.tell_maneuver(),
            Course::Settle => self.settle_players_move(),
            Course::Act => return self.next_to_act(),
            Course::Acting => self.players_acted(),
            Course::Over => {
                self.set_course(Course::Done);
                if let Some(activation) = &mut self.activation {
                    activation.moments.push_back(Moment::ActionsOver);
                    activation.moments.push_back(Moment::Once(Window::AfterActivate));
                }
            }
            Course::Done => {
                self.finish();
                return false;
            }
        }
        true
    }

    /// What comes before the dial is revealed has come; the ship is its players' to move.
    fn end_early_moments(&mut self) {
        let Some(activation) = self.activation.take() else {
            return;
        };
        self.remember(Done {
            ship: activation.ship,
            name: activation.name,
            round: activation.round,
            roll: None,
            inverse: activation.inverse,
            by_hand: activation.by_hand,
            mark: Mark::Step,
            before: activation.before,
        });
        self.stale = true;
        self.drive();
        self.status();
    }

    /// How players' ships move.
    pub(super) fn players_options(&self) -> MovementOptions {
        MovementOptions {
            guides: self.battle().is_some_and(Battle::guides),
            edge: EdgePolicy::Flee,
        }
    }

    /// Tells the maneuver by where the ship stands, or asks for it. False: it is asked.
    fn tell_maneuver(&mut self) -> bool {
        let (Some(activation), Some(following)) = (&self.activation, self.following()) else {
            return false;
        };
        let id = activation.ship.clone();
        if self.is_the_shuttle(&id) && self.escort_in_play().is_some() {
            return self.tell_run();
        }
        let now = self.table.as_ref().and_then(|table| table.ship(&id));
        let (Some(now), Some(before)) = (now, following.table.ship(&id)) else {
            return false;
        };
        let maneuvers = flown::may_have_flown(&following.table, before, self.ruled_for(&id));
        let options = self.players_options();
        let guesses = flown::guesses(&following.table, before, &maneuvers, now.pose, &now.bumped, &options);
        let agreeing = flown::agreeing(&guesses);
        if let Some(question) = self.question_about_red(&id, agreeing) {
            // Who has pressed on is asked all the same: the answer may move the ship.
            self.put_choice(&id, question);
            return self.ask == Ask::Nothing;
        }
        if let [flown] = agreeing {
            let flown = flown.clone();
            self.players_flew(Some(flown));
            return true;
        }
        let likely = match agreeing {
            [] => &guesses[..guesses.len().min(MOST_GUESSES)],
            several => several,
        };
        let edition = self.edition();
        let pick = |flown: &Flown| {
            let text = SpokenIn(edition, flown.execution.maneuver).to_string();
            (text, Pick::Flew(Box::new(flown.clone())))
        };
        let mut picks: Vec<(String, Pick)> = likely.iter().map(pick).collect();
        // Of a Tallon roll each end has an option.
        picks.dedup_by(|a, b| a.0 == b.0);
        if agreeing.is_empty() {
            picks.extend(self.pick_for_wrong_dial(&id));
        }
        picks.push((BY_THE_PLAYERS.to_owned(), Pick::HasActivated));
        picks.push((ONLY_PUT_RIGHT.to_owned(), Pick::PutRight));
        // **choice** Who does not answer has flown what fits; if nothing does, their ship has activated, and nothing follows.
        let default = match agreeing.first() {
            Some(flown) => SpokenIn(edition, flown.execution.maneuver).to_string(),
            None => BY_THE_PLAYERS.to_owned(),
        };
        let question = Question {
            text: format!("{} has moved: which maneuver was that?", self.name(&id)),
            picks,
            default,
            topic: Topic::Action,
        };
        self.put_own_choice(&id, question)
    }

    /// The maneuver is known; none: the players saw to the activation themselves.
    pub(super) fn players_flew(&mut self, flown: Option<Flown>) {
        let Some(ship) = self.activation.as_ref().map(|activation| activation.ship.clone()) else {
            return;
        };
        let (name, edition) = (self.name(&ship), self.edition());
        let Some(following) = self.following_mut() else { return };
        match flown {
            None => {
                following.said.push(format!("{name} has activated."));
                following.course = Course::Done;
            }
            Some(flown) => {
                let spoken = SpokenIn(edition, flown.execution.maneuver);
                following.said.push(format!("{name} flew {spoken}."));
                following.flown = Some(flown.execution);
                following.course = Course::Settle;
                if let Some(activation) = &mut self.activation {
                    activation.moments.push_back(Moment::Revealed);
                }
            }
        }
    }

    /// The ship was only put right: it waits, and the game stands as before.
    pub(super) fn only_put_right(&mut self) {
        let Some(activation) = self.activation.take() else {
            return;
        };
        if let Some(before) = activation.before {
            self.come_back_to_table(*before);
        }
        self.status();
    }

    /// Check Difficulty as far as the table does not show it yet, and then what the move met (SA-7, SA-2).
    fn settle_players_move(&mut self) {
        let (Some(activation), Some(following)) = (&self.activation, self.following()) else {
            return;
        };
        let (id, from) = (activation.ship.clone(), activation.start);
        let (Some(execution), Some(before)) = (following.flown.clone(), following.table.ship(&id).cloned()) else {
            self.set_course(Course::Over);
            return;
        };
        let ionized = following.ionized;
        if self.is_the_shuttle(&id) && self.escort_in_play().is_some() {
            self.settle_run(&execution, ionized);
            self.set_course(Course::Over);
            return;
        }
        let Some(now) = self.table.as_ref().and_then(|table| table.ship(&id)).cloned() else {
            self.set_course(Course::Over);
            return;
        };
        if execution.edge && !self.retreats(&now) {
            self.players_ship_fled(&id);
            return;
        }
        let mut execution = execution;
        self.judge_contact(&now, &mut execution);
        if let Some(following) = self.following_mut() {
            following.flown = Some(execution.clone());
        }
        let before_tokens = before.tokens;
        let Some(following) = self.following() else { return };
        let due = if execution.edge {
            before_tokens
        } else {
            tokens_after(&following.table, &before, &execution)
        };
        let mut known = Ship {
            pose: execution.pose,
            tokens: due,
            ..before
        };
        let mut steps = Vec::new();
        for token in Token::ALL.into_iter().filter(|token| *token != Token::ReinforceAft) {
            let count = |tokens: &Tokens| *token.count_mut(&mut tokens.clone());
            let (held, seen, due) = (count(&before_tokens), count(&now.tokens), count(&due));
            // Whoever has changed it already has done it.
            if seen == held && due != held {
                *token.count_mut(&mut known.tokens) = held;
                steps.push(Step::Token {
                    ship: id.clone(),
                    token,
                    count: i32::try_from(i64::from(due) - i64::from(held)).unwrap_or(0),
                });
            }
        }
        let said = self
            .following()
            .map(|following| following.said.clone())
            .unwrap_or_default();
        let say = self.say(&id, &said);
        if let Some(following) = self.following_mut() {
            following.known = Some(known);
            following.turns = VecDeque::from([(id, None)]);
            following.course = Course::Act;
        }
        if let Some(activation) = &mut self.activation {
            activation.todo.extend(say);
            activation.todo.extend(steps);
            activation.moments.push_back(Moment::Moved {
                from,
                execution: Box::new(execution),
                ionized,
            });
        }
    }

    /// A step was carried out by the program: what it changes of the ship that acts is no action of the players.
    pub(in crate::game) fn account_for(&mut self, step: &Step) {
        let Some(known) = self.following_mut().and_then(|following| following.known.as_mut()) else {
            return;
        };
        take_over(known, step);
    }

    fn players_ship_fled(&mut self, id: &ObjectId) {
        if let Some(whole) = &mut self.whole {
            whole.battle.fled_at_table(id);
        }
        self.set_course(Course::Over);
        self.follow_in_activation(id, Vec::new());
    }

    /// Asks what a player's ship did; who has pressed on has said that nothing is to be asked. False: it is asked.
    pub(super) fn put_own_choice(&mut self, ship: &ObjectId, question: Question) -> bool {
        if self.pressed.is_some() {
            let Question { picks, default, .. } = question;
            let pick = picks.into_iter().find(|(text, _)| *text == default);
            self.picked(pick.map(|(_, pick)| pick), Some(ship.clone()));
        } else {
            self.put_choice(ship, question);
        }
        self.ask == Ask::Nothing
    }

    /// A snapshot was taken while the activation of a player's ship is followed: what the players did meanwhile is taken over.
    pub(in crate::game) fn follow_on(&mut self, before: Option<&Table>) {
        let Some(activation) = &self.activation else { return };
        let (id, start) = (activation.ship.clone(), activation.start);
        let course = self.following().map(|following| following.course);
        let now = self.table.as_ref().and_then(|table| table.ship(&id)).cloned();
        let known = before.and_then(|table| table.ship(&id)).cloned();
        if let (Some(now), Some(known)) = (&now, &known) {
            let moved = !same_pose(known.pose, now.pose);
            if moved && same_pose(now.pose, start) && course != Some(Course::Before) {
                self.players_took_back();
                return;
            }
            let back = self.changes(now, known);
            if let Some(activation) = &mut self.activation {
                activation.inverse.extend(back);
            }
            if moved && course == Some(Course::Maneuver) && self.asks_a_player_who_acts() {
                self.drop_ask();
            }
        }
        if matches!(self.ask, Ask::Placed(..)) {
            self.judge_placed();
        } else if course == Some(Course::Act) && self.asks_a_player_who_acts() {
            self.follow_table();
            let placing =
                matches!(&self.ask, Ask::Choice { picks, .. } if matches!(picks.first(), Some(Pick::Placed(..))));
            if !placing && self.shown_action().is_some() {
                self.drop_ask();
            }
        }
        self.proceed();
    }

    /// The players put their ship back to where it stood: its activation has not happened.
    fn players_took_back(&mut self) {
        self.drop_ask();
        let Some(activation) = self.activation.take() else {
            return;
        };
        self.outstanding = None;
        if let Some(before) = activation.before {
            self.come_back_to_table(*before);
        }
        self.effects.push(Effect::Event(Event::Replanned {
            message: format!("{} is back where it was and waits.", activation.name),
            ship: activation.ship,
        }));
        self.stale = true;
        self.status();
    }

    /// Whether the players are asked what their own ship did, and not about a card or for dice.
    pub(super) fn asks_a_player_who_acts(&self) -> bool {
        let Ask::Choice { picks, .. } = &self.ask else {
            return false;
        };
        let own = |pick: &Pick| match pick {
            Pick::Flew(_) | Pick::HasActivated | Pick::PutRight | Pick::Act(_) | Pick::Fly(..) => true,
            Pick::Placed(placing, _) => placing.by == By::Bar,
            _ => false,
        };
        self.following().is_some() && picks.iter().any(own)
    }

    /// The button while the activation of a player's ship is followed: the players are done with it. What was asked takes its
    /// default, and play goes on. `None`: nothing of it waits for the press.
    pub(in crate::game) fn press_on(&mut self, scope: Scope, confirm: bool) -> Option<Advance> {
        self.following()?;
        let own = self.asks_a_player_who_acts();
        if self.ask != Ask::Nothing && !own {
            return None;
        }
        if own && let Ask::Choice { prompt, .. } = self.ask.clone() {
            self.effects.push(Effect::Withdraw(prompt.id.clone()));
            self.pressed = Some((scope, confirm));
            self.choice_made(&prompt.id, None);
        }
        // It went on with the press already, or will when the steps under way are carried out.
        let message = match &self.activation {
            Some(activation) => format!("{} finishes first.", activation.name),
            None => self.current_status().text,
        };
        if self.following().is_some() {
            self.pressed = Some((scope, confirm));
        }
        Some(Advance {
            ships: Vec::new(),
            message,
        })
    }

    /// The activation of a player's ship is over: the press that came meanwhile counts now.
    pub(in crate::game) fn go_on_after_press(&mut self) {
        if self.activation.is_some() || self.ask != Ask::Nothing || !self.queue.is_empty() {
            return;
        }
        if let Some((scope, confirm)) = self.pressed.take()
            && let Err(refusal) = self.advance(scope, None, confirm, None)
            && !matches!(refusal, Refusal::Busy { .. })
        {
            self.note(&refusal.to_string());
        }
    }

    /// Leaves out what is left of the activation of a player's ship. False: none is followed.
    pub(super) fn leave_out_the_rest(&mut self) -> Option<String> {
        self.following()?;
        let name = self.activation.as_ref()?.name.clone();
        if self.asks_a_player_who_acts() || matches!(self.ask, Ask::Placed(..)) {
            self.drop_ask();
        }
        self.leave_out_actions();
        self.set_course(Course::Done);
        self.proceed();
        Some(format!("{name} counts as activated; the rest is left out."))
    }
}

/// A ship after a step of its own.
fn take_over(ship: &mut Ship, step: &Step) {
    match step {
        Step::Token { ship: id, token, count } if *id == ship.id => {
            let held = token.count_mut(&mut ship.tokens);
            *held = held.saturating_add_signed(*count);
        }
        Step::Lock {
            ship: id,
            target,
            remove,
        } if *id == ship.id => {
            ship.locks.retain(|lock| lock != target);
            if !remove {
                ship.locks.push(target.clone());
            }
        }
        Step::Turret { ship: id, arcs } if *id == ship.id => ship.turret.clone_from(arcs),
        Step::Move { ship: id, to, .. } | Step::Place { ship: id, to, .. } if *id == ship.id => ship.pose = *to,
        _ => {}
    }
}
