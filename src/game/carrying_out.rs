//! Sending steps, and the action step of an activation.

use super::{
    Effect, Event, Game, SentStep,
    activation::{Activation, Purpose, Stage},
    instruction,
    opponent::{ActionPlan, Opponent, Situation},
    round::{Mark, Moment},
    step::{Step, StepKind},
    undo::Done,
};
use crate::{
    decision::Reason,
    solo_alpha::sentence::SpokenIn,
    xwing::{
        ObjectId,
        action::ActionKind,
        battle::{self, ActedAtTable},
        edition::Edition,
        effects::Window,
        maneuver::Maneuver,
    },
};

impl<O: Opponent> Game<O> {
    /// Sends a step if the table can do it, else tells the players to do it and takes it as done.
    pub(super) fn issue(&mut self, step: Step) {
        let kind = step.kind();
        if self.can(kind) {
            let sent = SentStep {
                action_id: self.new_id("a"),
                rev: self.rev,
                step,
            };
            self.outstanding = Some(sent.clone());
            self.effects.push(Effect::Send(sent));
        } else {
            self.leave_to_the_players(step);
        }
    }

    /// Tells the players to do a step by hand and takes it as done.
    pub(super) fn leave_to_the_players(&mut self, step: Step) {
        if !step.changes_the_table() {
            // The dial is only decoration, lines too; what would have been said is an event for everyone already.
            return;
        }
        let text = instruction::sentence(&step, self.edition(), |id| self.name(id));
        self.instruct(text, true);
        // The maneuver itself is taken over where its stage ends, for what it leads to is worked out from the table before it.
        let is_the_maneuver = self.activation.as_ref().is_some_and(Activation::is_about_to_move);
        if !is_the_maneuver {
            self.carried_out(&step, None);
        }
    }

    /// Decides on the action from where the ship was seen.
    pub(super) fn decide_action(&mut self) {
        let acting = self.activation.as_ref().map(|activation| &activation.ship);
        if (self.battle().zip(acting)).is_some_and(|(battle, ship)| battle.is_mined(ship)) {
            self.skip_action_for_mine();
            return;
        }
        if self.has_acted_by_card() {
            return;
        }
        let acting = self.activation.as_ref().map(|activation| activation.ship.clone());
        let situation = acting.map_or_else(Situation::default, |ship| self.situation(&ship));
        let (Some(activation), Some(table)) = (self.activation.as_mut(), self.table.as_ref()) else {
            return;
        };
        let Some(flight) = &activation.flight else { return };
        // A copy: an action that is chosen again rolls as it did the first time.
        let mut dice = activation.dice.clone();
        let step = (self.opponent).act(table, &activation.ship, flight, &situation, &mut dice);
        activation.actions = step.actions.into();
        activation.acting_begun = false;
        activation.action_sentence = step.sentence.clone();
        let ship = activation.ship.clone();
        if let Some(card) = step.card {
            activation.moments.push_back(Moment::ActsByCard {
                ship: ship.clone(),
                card,
            });
        }
        if !step.sentence.is_empty() {
            self.effects.push(Effect::Event(Event::Decided {
                ship: ship.clone(),
                sentence: step.sentence.clone(),
                reasons: step.reasons,
            }));
            if let Some(activation) = self.activation.as_mut() {
                activation.todo.push_back(Step::Say {
                    ship: Some(ship),
                    text: step.sentence,
                });
            }
        }
    }

    /// FE-6.14, SA-8: the actions that cards of a solo ship add, damage cards among them, are offered once, before those of its
    /// bar. Whether they are.
    pub(super) fn offers_card_actions(&mut self) -> bool {
        let (Some(activation), Some(table), Some(battle)) = (&self.activation, &self.table, self.battle()) else {
            return false;
        };
        let Some(flight) = activation.flight.as_ref().filter(|_| activation.offered.is_none()) else {
            return false;
        };
        let ship = &activation.ship;
        let may = self.opens_moments() && !battle.is_mined(ship) && self.opponent.may_act(table, ship, flight);
        let events = battle.events().len();
        if let Some(activation) = self.activation.as_mut().filter(|_| may) {
            activation.offered = Some(events);
            activation.moments.push_back(Moment::CardActions);
        }
        may
    }

    /// Whether the ship that activates has taken the action of a card of its: then it takes no other.
    fn has_acted_by_card(&self) -> bool {
        let (Some(activation), Some(battle)) = (&self.activation, self.battle()) else {
            return false;
        };
        let since = activation
            .offered
            .and_then(|offered| battle.events().get(offered..))
            .unwrap_or_default();
        since
            .iter()
            .any(|event| matches!(event, battle::Event::ActedByCard { ship, .. } if *ship == activation.ship))
    }

    /// FE-11.2: a mine has taken the action of the ship that activates.
    fn skip_action_for_mine(&mut self) {
        let Some(activation) = &mut self.activation else { return };
        let ship = activation.ship.clone();
        let text = format!("{} has no action: a mine takes it.", activation.name);
        activation.actions.clear();
        activation.acting_begun = false;
        activation.action_sentence.clone_from(&text);
        activation.todo.push_back(Step::Say {
            ship: Some(ship.clone()),
            text: text.clone(),
        });
        self.effects.push(Effect::Event(Event::Decided {
            ship,
            sentence: text.clone(),
            reasons: vec![Reason {
                rule: "FE-11.2".to_owned(),
                text,
                compared: Vec::new(),
            }],
        }));
    }

    /// The steps of the current action are done: on to the next one.
    pub(super) fn next_action(&mut self) {
        let Some(activation) = self.activation.as_mut() else {
            return;
        };
        if activation.acting_begun
            && let Some(done) = activation.actions.pop_front()
        {
            activation.attempts = 0;
            activation.acting_begun = false;
            self.has_acted(done);
            return;
        }
        let Some(activation) = self.activation.as_mut() else {
            return;
        };
        let Some(plan) = activation.actions.front() else {
            activation.stage = Stage::Wrap;
            activation.moments.push_back(Moment::ActionsOver);
            activation.moments.push_back(Moment::Once(Window::AfterActivate));
            if activation.flight.as_ref().is_some_and(|flight| flight.tally.is_some()) {
                activation.todo.push_back(Step::Show {
                    ship: activation.ship.clone(),
                    lines: Vec::new(),
                });
            }
            return;
        };
        activation.acting_begun = true;
        let performer = self.table.as_ref().and_then(|table| table.ship(&plan.performer));
        activation.acting_from = performer.map_or((activation.start, false), |ship| (ship.pose, ship.is_stressed()));
        activation.todo.extend(plan.steps.iter().cloned());
        if let Some(text) = plan.instruction.clone() {
            self.instruct(text, false);
        }
    }

    /// An action of the activation was performed. What it leads to comes before the next one.
    pub(super) fn has_acted(&mut self, done: ActionPlan) {
        let (ship, kind) = (done.performer, done.kind);
        if let Some(activation) = &mut self.activation {
            let (from, stressed) = activation.acting_from;
            activation.acted = true;
            activation.moments.push_back(Moment::Acted {
                ship: ship.clone(),
                act: ActedAtTable {
                    from,
                    kind,
                    difficulty: done.difficulty,
                    detail: done.detail,
                    stressed,
                },
            });
        }
        self.note_performed(&ship, kind);
    }

    /// A ship has performed an action this round.
    pub(super) fn note_performed(&mut self, ship: &ObjectId, kind: ActionKind) {
        self.performed.entry(ship.clone()).or_default().push(kind);
        if let Some(ship) = self.ship_mut(ship) {
            ship.performed.push(kind);
        }
    }

    /// Tells the players to do something: at the table if it can talk, else as a note to everyone.
    pub(super) fn instruct(&mut self, text: String, at_once: bool) {
        let can_say = self.can(StepKind::Say);
        let Some(activation) = self.activation.as_mut() else {
            return;
        };
        activation.by_hand.push(text.clone());
        if !can_say {
            self.note(&text);
            return;
        }
        let say = Step::Say {
            ship: Some(activation.ship.clone()),
            text,
        };
        if at_once {
            activation.todo.push_front(say);
        } else {
            activation.todo.push_back(say);
        }
    }

    pub(super) fn can(&self, kind: StepKind) -> bool {
        self.abilities
            .as_ref()
            .is_some_and(|abilities| abilities.steps.contains(&kind))
    }

    pub(super) fn finish(&mut self) {
        let Some(activation) = self.activation.take() else {
            return;
        };
        if activation.round == self.round {
            self.activated.insert(activation.ship.clone());
        }
        let roll = self.rolls.remove(&activation.ship);
        let maneuver = activation.flight.as_ref().map(|flight| flight.maneuver);
        let mut message = match &activation.purpose {
            Purpose::Follow(following) => following.said(),
            _ => finished_message(self.edition(), &activation.name, maneuver, &activation.action_sentence),
        };
        for text in &activation.by_hand {
            message.push(' ');
            message.push_str(text);
        }
        self.remember(Done {
            ship: activation.ship.clone(),
            name: activation.name,
            round: activation.round,
            roll,
            inverse: activation.inverse,
            by_hand: activation.by_hand,
            mark: Mark::Turn,
            before: activation.before,
        });
        self.effects.push(Effect::Event(Event::Activated {
            ship: activation.ship,
            message,
        }));
        self.stale = true;
        self.next_in_queue(None);
        self.go_on_after_press();
        if self.activation.is_none() && self.leads() {
            self.drive();
            self.scenario_goes_on();
        }
    }
}

fn finished_message(edition: Edition, name: &str, maneuver: Option<Maneuver>, action: &str) -> String {
    match maneuver {
        Some(maneuver) if action.is_empty() => format!("{name} flew {}.", SpokenIn(edition, maneuver)),
        Some(maneuver) => format!("{name} flew {}. {action}", SpokenIn(edition, maneuver)),
        None => format!("{name} is done."),
    }
}
