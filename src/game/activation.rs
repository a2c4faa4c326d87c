//! One activation in progress: its stages, and how it moves from one to the next.

use std::collections::VecDeque;

use super::{
    ATTEMPTS, Effect, Event, Game, Prompt, SentStep,
    event::{DiceWanted, Topic},
    instruction,
    opponent::{ActionPlan, Flight, Opponent, Seen},
    round::{Ask, Checkpoint, Deed, Faces, Following, Mark, Moment},
    same_pose,
    step::{Movement, Step},
    undo::Done,
};
use crate::{
    dice::{AttackFace, DefenceFace, SeededDice},
    geometry::Pose,
    xwing::{ObjectId, effects::Window, escort::shuttle::is_shuttle, maneuver::Maneuver, ship::Ship},
};

/// The answers to the question before an activation is carried out.
pub const CARRY_OUT: &str = "Carry out";
/// See [`CARRY_OUT`].
pub const NOT_NOW: &str = "Not now";

/// Where an activation stands.
#[derive(Debug, Clone, PartialEq)]
pub enum Stage {
    /// Waits for a look at the table, or for real dice, before it decides.
    Look,
    /// Cards have their say before it activates.
    Ready,
    /// Waits for the players' consent.
    Confirm(Prompt),
    /// Shows and tells what was decided, sets the dial.
    Announce,
    /// Cards have their say before it moves.
    Reveal,
    /// Moves.
    Move,
    /// Carries out what the observed move led to.
    Settle,
    /// Acts.
    Act,
    /// Clears what was shown.
    Wrap,
}

/// What an activation is for.
#[derive(Debug, Clone, PartialEq)]
pub enum Purpose {
    /// A solo ship flies.
    Fly,
    /// An earlier activation is taken back.
    TakeBack(Box<Done>),
    /// What a step of the round led to is carried over to the table.
    Errand(Mark),
    /// A player's ship activates: what its players do is seen, and what follows is played.
    Follow(Box<Following>),
}

/// One activation in progress.
#[derive(Debug, Clone)]
pub struct Activation<Memory> {
    pub(super) ship: ObjectId,
    pub(super) name: String,
    pub(super) purpose: Purpose,
    pub(super) round: u32,
    pub(super) stage: Stage,
    /// Nothing goes on before the table was seen again.
    pub(super) awaits_sync: bool,
    /// The players asked to stop; it is taken back once the step on its way is answered.
    pub(super) stopping: bool,
    /// Real dice were asked for.
    pub(super) asked_for_dice: bool,
    /// The real dice, once rolled.
    pub(super) rolled: Option<(DefenceFace, AttackFace)>,
    /// The moments before it activates have come.
    pub(super) readied: bool,
    /// The moments after its dial was revealed have come.
    pub(super) revealed: bool,
    /// How many events there were when the actions of its cards were offered, once they were.
    pub(super) offered: Option<usize>,
    /// Something has happened in it beside the steps that it carried out.
    pub(super) touched: bool,
    /// Moments that come when the steps before them are carried out.
    pub(super) moments: VecDeque<Moment>,
    /// Where the ship stood before the action that is being taken, and whether it was stressed.
    pub(super) acting_from: (Pose, bool),
    pub(super) dice: SeededDice,
    pub(super) flight: Option<Flight<Memory>>,
    /// Steps of the current stage that are still to be sent.
    pub(super) todo: VecDeque<Step>,
    /// The step that was rejected and waits for another look at the table.
    pub(super) rejected: Option<Step>,
    /// How often the current part was tried in vain.
    pub(super) attempts: u32,
    pub(super) moved: bool,
    /// The move was begun and its end was not reported: the next snapshot tells.
    pub(super) pose_unknown: bool,
    /// Actions still to be taken; the front one is being taken.
    pub(super) actions: VecDeque<ActionPlan>,
    pub(super) acting_begun: bool,
    /// An action was performed: only what is linked to it may still follow.
    pub(super) acted: bool,
    pub(super) action_sentence: String,
    /// Where the ship stood when it began.
    pub(super) start: Pose,
    /// Takes back what was carried out, in the order in which it was carried out.
    pub(super) inverse: Vec<Step>,
    /// What cannot be taken back, or was left to the players.
    pub(super) by_hand: Vec<String>,
    /// The state of the round before it, where whole rounds are played.
    pub(super) before: Option<Box<Checkpoint>>,
    /// The maneuver that the players have declared for their shuttle, which the program carries out (PE-4.2).
    pub(super) told: Option<Maneuver>,
}

impl<Memory> Activation<Memory> {
    pub(super) fn new(
        ship: ObjectId,
        name: String,
        purpose: Purpose,
        round: u32,
        start: Pose,
        dice: SeededDice,
    ) -> Self {
        Self {
            ship,
            name,
            purpose,
            round,
            stage: Stage::Look,
            awaits_sync: true,
            stopping: false,
            asked_for_dice: false,
            rolled: None,
            readied: false,
            revealed: false,
            offered: None,
            touched: false,
            moments: VecDeque::new(),
            acting_from: (start, false),
            dice,
            flight: None,
            todo: VecDeque::new(),
            rejected: None,
            attempts: 0,
            moved: false,
            pose_unknown: false,
            actions: VecDeque::new(),
            acting_begun: false,
            acted: false,
            action_sentence: String::new(),
            start,
            inverse: Vec::new(),
            by_hand: Vec::new(),
            before: None,
            told: None,
        }
    }

    /// Carries out steps that were worked out elsewhere.
    pub(super) fn run(&mut self, steps: Vec<Step>, before: Option<Box<Checkpoint>>) {
        self.stage = Stage::Wrap;
        self.awaits_sync = false;
        self.todo = steps.into();
        self.before = before;
    }

    /// Whether it only carries out steps that were worked out before it began.
    pub(super) fn is_errand(&self) -> bool {
        matches!(self.purpose, Purpose::Errand(_) | Purpose::TakeBack(_))
    }

    /// The step on its way is the maneuver.
    pub(super) fn is_about_to_move(&self) -> bool {
        self.stage == Stage::Move && self.purpose == Purpose::Fly && !self.moved
    }

    /// What it is doing, for the players.
    pub(super) fn doing(&self, outstanding: Option<&SentStep>) -> String {
        if self.awaits_sync {
            return "waiting for the table to be read".to_owned();
        }
        if matches!(self.purpose, Purpose::TakeBack(_)) {
            return "being taken back".to_owned();
        }
        if self.is_errand() && outstanding.is_none() {
            return "carrying out what follows".to_owned();
        }
        if matches!(self.purpose, Purpose::Follow(_)) && outstanding.is_none() {
            return "its players move it".to_owned();
        }
        match (&self.stage, outstanding) {
            (Stage::Confirm(_), _) => "waiting for your consent".to_owned(),
            (_, Some(sent)) => format!("waiting for the table to {}", instruction::verb(&sent.step)),
            _ => "deciding".to_owned(),
        }
    }
}

impl<O: Opponent> Game<O> {
    /// Decides for the acting ship on the table as it is now, and goes on from there.
    pub(super) fn decide(&mut self) {
        let Some(activation) = &self.activation else { return };
        let id = activation.ship.clone();
        let name = activation.name.clone();
        let Some(ship) = self.table.as_ref().and_then(|table| table.ship(&id)) else {
            self.give_up(&format!("{name} is no longer on the table."));
            return;
        };
        if !ship.in_play() {
            self.give_up(&format!("{name} is no longer in play."));
            return;
        }
        let start = ship.pose;
        if self.opens_moments()
            && let Some(activation) = self.activation.as_mut().filter(|activation| !activation.readied)
        {
            activation.readied = true;
            activation.stage = Stage::Ready;
            let before = [Window::BeforeActivate, Window::BeforeReveal];
            activation.moments = before.into_iter().map(Moment::Once).collect();
            self.proceed();
            return;
        }
        if self.ask_for_approach(&id) {
            return;
        }
        let rolled = self.activation.as_ref().and_then(|activation| activation.rolled);
        let mut dice = self.dice(&id);
        if let Some((defence, attack)) = rolled {
            dice.defence = Some(defence);
            dice.attack = Some(attack);
        }
        let situation = self.situation(&id);
        let decided = match &self.table {
            Some(table) => self.opponent.decide(table, &id, &situation, dice),
            None => return,
        };
        if let Ok(flight) = &decided
            && self.escape(&id, flight)
        {
            return;
        }
        let Some(activation) = self.activation.as_mut() else {
            return;
        };
        match decided {
            Err(reason) => {
                // The round must not hang on a ship that cannot be flown.
                self.activated.insert(id);
                self.activation = None;
                self.note(&format!("{name} is not flown: {reason}. Fly it by hand."));
                self.next_in_queue(None);
            }
            Ok(flight) => {
                if !activation.touched {
                    activation.start = start;
                }
                activation.dice = flight.dice.clone();
                let event = Event::Decided {
                    ship: id,
                    sentence: flight.sentence.clone(),
                    reasons: flight.reasons.clone(),
                };
                activation.flight = Some(flight);
                self.effects.push(Effect::Event(event));
                self.ask_consent();
            }
        }
    }

    /// Asks for real dice where that is wanted and they have not been rolled (SA-3.3).
    fn ask_for_approach(&mut self, id: &ObjectId) -> bool {
        // PE-A2: the shuttle has no approach that is rolled for.
        let races = self
            .table
            .as_ref()
            .and_then(|table| table.ship(id))
            .is_some_and(is_shuttle);
        let wanted = self.dice_from_outside() && !self.rolls.contains_key(id) && !races;
        let Some(activation) = self.activation.as_mut().filter(|_| wanted) else {
            return false;
        };
        if activation.asked_for_dice || activation.stage != Stage::Look {
            return false;
        }
        activation.asked_for_dice = true;
        let dice = DiceWanted { attack: 1, defence: 1 };
        self.ask_for_faces(id.clone(), dice, Deed::Approach, Faces::default());
        true
    }

    /// The dice of the approach are there; none: the program rolls.
    pub(super) fn approach_rolled(&mut self, faces: &Faces) {
        if let Some(activation) = self.activation.as_mut() {
            activation.rolled = faces.defence.front().copied().zip(faces.attack.front().copied());
            self.decide();
        }
    }

    fn ask_consent(&mut self) {
        let can_ask = self.abilities.as_ref().is_some_and(|abilities| abilities.prompt);
        let is_told = self
            .activation
            .as_ref()
            .is_some_and(|activation| activation.told.is_some());
        if !self.confirm || !can_ask || is_told {
            self.announce();
            return;
        }
        let id = self.new_id("q");
        let Some(activation) = self.activation.as_mut() else {
            return;
        };
        let sentence = activation.flight.as_ref().map_or("", |flight| &flight.sentence);
        let prompt = Prompt {
            id,
            text: sentence.to_owned(),
            options: vec![CARRY_OUT.to_owned(), NOT_NOW.to_owned()],
            default: CARRY_OUT.to_owned(),
            deadline_ms: self.config.prompt_deadline_ms,
            topic: Topic::Consent,
            ship: Some(activation.ship.clone()),
            dice: None,
        };
        activation.stage = Stage::Confirm(prompt.clone());
        self.effects.push(Effect::Prompt(prompt));
    }

    pub(super) fn announce(&mut self) {
        let Some(activation) = self.activation.as_mut() else {
            return;
        };
        let Some(flight) = &activation.flight else { return };
        let ship = activation.ship.clone();
        activation.stage = Stage::Announce;
        activation.todo.clear();
        if let Some(tally) = flight.tally {
            activation.todo.push_back(Step::Show {
                ship: ship.clone(),
                // The tally's line is the first one.
                lines: std::iter::once((flight.from.position, tally))
                    .chain(flight.arc.iter().copied())
                    .collect(),
            });
        }
        activation.todo.push_back(Step::Say {
            ship: Some(ship.clone()),
            text: flight.sentence.clone(),
        });
        if self.dials.contains(&ship) && activation.told.is_none() {
            activation.todo.push_back(Step::Dial {
                ship,
                maneuver: flight.maneuver,
            });
        }
        self.proceed();
    }

    /// Sends the next step, or moves on to the next stage, until something has to be waited for.
    pub(super) fn proceed(&mut self) {
        loop {
            let Some(activation) = self.activation.as_mut() else {
                return;
            };
            if activation.awaits_sync || self.outstanding.is_some() {
                return;
            }
            // A table that is away gets what follows when it is back.
            if activation.is_errand() && self.abilities.is_none() {
                activation.awaits_sync = true;
                return;
            }
            if activation.stopping {
                self.take_back_unfinished();
                return;
            }
            if let Some(step) = activation.todo.pop_front() {
                self.issue(step);
                continue;
            }
            match activation.purpose {
                Purpose::Fly | Purpose::Follow(_) => {}
                Purpose::TakeBack(_) => {
                    self.taken_back();
                    return;
                }
                Purpose::Errand(_) => {
                    self.errand_done();
                    return;
                }
            }
            if self.ask != Ask::Nothing {
                return;
            }
            if let Some(request) = self.asked_meanwhile() {
                self.have_chosen(&request);
                continue;
            }
            let Some(activation) = self.activation.as_mut() else {
                return;
            };
            if let Some(moment) = activation.moments.pop_front() {
                self.come_to(moment, Faces::default());
                continue;
            }
            if matches!(activation.purpose, Purpose::Follow(_)) {
                match self.go_on_following() {
                    true => continue,
                    false => return,
                }
            }
            match activation.stage {
                Stage::Look | Stage::Confirm(_) => return,
                Stage::Ready => {
                    activation.stage = Stage::Look;
                    self.decide();
                    return;
                }
                Stage::Announce => {
                    activation.stage = Stage::Reveal;
                    if !std::mem::replace(&mut activation.revealed, true) {
                        activation.moments.extend([Moment::Revealed, Moment::Bomb]);
                    }
                }
                Stage::Reveal => {
                    activation.stage = Stage::Move;
                    if !self.set_out() {
                        return;
                    }
                }
                Stage::Move => {
                    // A move that the players made by hand is taken as it was expected.
                    if !activation.moved {
                        let seen = activation.flight.as_ref().map(|flight| flight.to);
                        match seen {
                            Some(pose) => self.moved(Seen {
                                pose,
                                bumped: false,
                                touching: Vec::new(),
                            }),
                            None => return,
                        }
                    }
                    if let Some(activation) = self.activation.as_mut() {
                        activation.stage = Stage::Settle;
                        activation.attempts = 0;
                    }
                }
                Stage::Settle => {
                    activation.attempts = 0;
                    if self.offers_card_actions() {
                        continue;
                    }
                    if let Some(activation) = self.activation.as_mut() {
                        activation.stage = Stage::Act;
                    }
                    self.decide_action();
                }
                Stage::Act => self.next_action(),
                Stage::Wrap => {
                    self.finish();
                    return;
                }
            }
        }
    }

    /// The maneuver is sent, from where the ship stands now. False: it cannot be any more.
    fn set_out(&mut self) -> bool {
        let (Some(activation), Some(table)) = (self.activation.as_mut(), self.table.as_ref()) else {
            return false;
        };
        let (Some(ship), Some(flight)) = (table.ship(&activation.ship), activation.flight.as_mut()) else {
            return false;
        };
        if !ship.in_play() {
            let why = format!("{} is no longer in play.", activation.name);
            self.give_up(&why);
            return false;
        }
        if !same_pose(ship.pose, flight.from) {
            let id = activation.ship.clone();
            let label = format!("{id} set out again");
            let mut dice = SeededDice::for_activation(self.config.seed, activation.round, &label);
            self.opponent.fly_from_here(table, &id, flight, &mut dice);
        }
        let step = move_step(&activation.ship, flight);
        activation.todo.push_back(step);
        true
    }

    /// Ends the activation without marking the ship; what was carried out can still be taken back.
    pub(super) fn give_up(&mut self, why: &str) {
        self.drop_ask();
        self.queue.clear();
        self.outstanding = None;
        if let Some(activation) = self.activation.take() {
            if !activation.inverse.is_empty() {
                self.remember(Done {
                    ship: activation.ship.clone(),
                    name: activation.name,
                    round: activation.round,
                    roll: None,
                    inverse: activation.inverse,
                    by_hand: activation.by_hand,
                    mark: Mark::Turn,
                    before: activation.before,
                });
            }
            self.effects.push(Effect::Event(Event::Replanned {
                ship: activation.ship,
                message: why.to_owned(),
            }));
        }
        self.stale = true;
        self.status();
    }

    /// Another look at the table, and another try; too many: false.
    pub(super) fn may_try_again(&mut self) -> bool {
        match self.activation.as_mut() {
            Some(activation) => {
                activation.attempts += 1;
                activation.attempts < ATTEMPTS
            }
            None => false,
        }
    }

    /// The ship was seen after its move: works out what the move led to.
    pub(super) fn moved(&mut self, seen: Seen) {
        let (Some(activation), Some(table)) = (self.activation.as_mut(), self.table.as_ref()) else {
            return;
        };
        let Some(flight) = activation.flight.as_mut() else {
            return;
        };
        let ship = activation.ship.clone();
        let name = activation.name.clone();
        let ionized = table.ship(&ship).is_some_and(Ship::is_ionized);
        if !same_pose(seen.pose, flight.to) {
            self.effects.push(Effect::Event(Event::Replanned {
                ship: ship.clone(),
                message: format!("{name} ended elsewhere than expected; going on from where it stands."),
            }));
        }
        let settled = self.opponent.settle(table, &ship, flight, &seen);
        let mut seen = seen;
        if seen.bumped && seen.touching.is_empty() {
            seen.touching.clone_from(&settled.touching);
        }
        activation.moved = true;
        activation.pose_unknown = false;
        let step = move_step(&ship, flight);
        if let Some(run) = settled.run {
            activation.moments.push_back(Moment::Ran {
                from: flight.from,
                run,
                ionized,
            });
        }
        if let Some(execution) = settled.execution {
            // What follows from the move comes when its tokens are there.
            activation.moments.push_back(Moment::Moved {
                from: flight.from,
                execution: Box::new(execution),
                ionized,
            });
        }
        if let Some(pose) = settled.turn_to {
            activation.todo.push_back(Step::Place {
                ship: ship.clone(),
                from: seen.pose,
                to: pose,
            });
        }
        for (token, count) in settled.tokens {
            activation.todo.push_back(Step::Token {
                ship: ship.clone(),
                token,
                count,
            });
        }
        if !settled.reasons.is_empty() {
            self.effects.push(Effect::Event(Event::Decided {
                ship: ship.clone(),
                sentence: settled
                    .reasons
                    .iter()
                    .map(|reason| reason.text.as_str())
                    .collect::<Vec<_>>()
                    .join(" "),
                reasons: settled.reasons,
            }));
        }
        self.carried_out(&step, Some(&seen));
        for text in settled.instructions {
            self.instruct(text, false);
        }
    }
}

fn move_step<Memory>(ship: &ObjectId, flight: &Flight<Memory>) -> Step {
    if flight.by_the_table {
        Step::Move {
            ship: ship.clone(),
            movement: Movement::Maneuver {
                maneuver: flight.maneuver,
                slide_mm: flight.slide_mm,
            },
            from: flight.from,
            to: flight.to,
        }
    } else {
        Step::Place {
            ship: ship.clone(),
            from: flight.from,
            to: flight.to,
        }
    }
}
