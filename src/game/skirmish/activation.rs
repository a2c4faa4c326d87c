//! One activation at a table: who acts, its choices and those of the players, its steps, and what follows where the table shows
//! something else.

use super::{
    Effect, Event, HISTORY, SkirmishGame, Step,
    answers::{self, AGREE, NOT_NOW},
    event::{Prompt, Roll, Sent},
    step, undo,
};
use crate::{
    dice::{KnownD20, SeededDice},
    swm::{
        board::Board,
        commander::{Commander as _, automated::Automated, harmless},
        figure::{Figure, Side},
        skirmish::{Answer, Correction, Event as Happened, Request, Skirmish, words},
    },
};

/// What an activation waits for, beside a step on its way.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Waits {
    Nothing,
    Prompt(Prompt),
    Roll(Roll),
    Sync,
}

/// The activation under way.
#[derive(Debug, Clone)]
pub(super) struct Acting {
    pub figure: String,
    pub skirmish: Skirmish,
    pub automated: Automated,
    /// Events that have become steps.
    pub told: usize,
    /// The next choice's number, for its dice.
    pub choice: u32,
    /// Dice that the players have told for the choice under way.
    pub known: Vec<u8>,
    /// The answer whose dice are being asked for.
    pub answer: Option<Answer>,
    pub waits: Waits,
    pub attempts: u32,
    pub finished: bool,
}

impl SkirmishGame {
    pub(super) fn next_activation(&mut self) {
        let Some(board) = self.board.as_ref().filter(|_| self.queue > 0) else {
            return;
        };
        let over = [Side::Player, Side::Automated]
            .iter()
            .any(|side| board.side(*side).next().is_none());
        if over {
            self.queue = 0;
            return;
        }
        self.queue -= 1;
        let mut skirmish = Skirmish::activation(board.clone(), self.options.clone(), self.round, Side::Automated);
        let mut automated = Automated::default();
        let number = self.activated.len() as u32;
        let mut dice = self.dice("who", number);
        let Some(request) = skirmish.pending().cloned() else {
            return;
        };
        let (figure, explanation) = match self.wanted.take() {
            Some(figure) => (figure, None),
            None => match automated.answer(&skirmish, &request, &mut dice) {
                Answer::Activate(figure) => (figure, automated.explanation()),
                _ => return,
            },
        };
        let before = board.clone();
        if let Err(refused) = skirmish.answer(Answer::Activate(figure.clone()), &mut dice) {
            self.effects.push(Effect::Event(Event::Note(refused.to_string())));
            return;
        }
        if let Some(explanation) = explanation {
            self.effects.push(Effect::Event(Event::Decided {
                figure: figure.clone(),
                sentence: explanation.sentence,
                reasons: explanation.reasons,
            }));
        }
        self.history.push(undo::Before {
            figure: figure.clone(),
            board: before,
            activated: self.activated.clone(),
            round: self.round,
        });
        if self.history.len() > HISTORY {
            self.history.remove(0);
        }
        let mut acting = Acting {
            figure: figure.clone(),
            skirmish,
            automated,
            told: 0,
            choice: 0,
            known: Vec::new(),
            answer: None,
            waits: Waits::Nothing,
            attempts: 0,
            finished: false,
        };
        if self.confirm && self.abilities.as_ref().is_some_and(|abilities| abilities.prompt) {
            let sentence = self
                .preview(Some(&figure))
                .map_or_else(|_| figure.clone(), |(_, sentence, _)| sentence);
            acting.waits = Waits::Prompt(self.prompt(&figure, sentence, &[AGREE, NOT_NOW], AGREE, false));
        }
        self.acting = Some(acting);
        match self.question().cloned() {
            Some(prompt) => self.effects.push(Effect::Prompt(prompt)),
            None => self.go_on(),
        }
    }

    pub(super) fn prompt(&mut self, figure: &str, text: String, options: &[&str], default: &str, die: bool) -> Prompt {
        self.numbers += 1;
        Prompt {
            id: format!("{}-q{}", self.config.id, self.numbers),
            text,
            options: options.iter().map(|option| (*option).to_owned()).collect(),
            default: default.to_owned(),
            deadline_ms: self.config.prompt_deadline_ms,
            figure: figure.to_owned(),
            die,
        }
    }

    /// Goes on as far as it can without the table and the players.
    pub(super) fn go_on(&mut self) {
        loop {
            if self.outstanding.is_some() {
                return;
            }
            if let Some(step) = self.steps.pop_front() {
                self.send(step);
                continue;
            }
            let Some(acting) = &mut self.acting else {
                return;
            };
            if acting.waits != Waits::Nothing {
                return;
            }
            if acting.finished {
                self.finish();
                continue;
            }
            let Some(request) = acting.skirmish.pending().cloned() else {
                acting.finished = true;
                continue;
            };
            self.choose(&request);
        }
    }

    /// Lets whoever is asked choose; the players' choices are asked for.
    fn choose(&mut self, request: &Request) {
        let prompts = self.abilities.as_ref().is_some_and(|abilities| abilities.prompt);
        let Some(acting) = &mut self.acting else { return };
        let side = acting.skirmish.side_of(request);
        if let Some(answer) = acting.answer.clone() {
            self.play(answer);
            return;
        }
        if side == Side::Automated {
            let number = acting.choice;
            let figure = acting.figure.clone();
            let mut dice =
                SeededDice::for_activation(self.config.seed, self.round, &format!("{figure} chooses {number}"));
            let answer = acting.automated.answer(&acting.skirmish, request, &mut dice);
            if let Some(explanation) = acting.automated.explanation() {
                self.effects.push(Effect::Event(Event::Decided {
                    figure: request.figure().unwrap_or(&figure).to_owned(),
                    sentence: explanation.sentence,
                    reasons: explanation.reasons,
                }));
            }
            self.play(answer);
            return;
        }
        let (options, default) = answers::options(request);
        if !prompts {
            self.play(answers::meant(request, &default).unwrap_or_else(|| fallback(self.acting.as_ref(), request)));
            return;
        }
        let figure = request.figure().unwrap_or_default().to_owned();
        let text = words::request(acting.skirmish.board(), request);
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        let prompt = self.prompt(&figure, text, &options, &default, false);
        self.wait_for(prompt);
    }

    pub(super) fn wait_for(&mut self, prompt: Prompt) {
        self.effects.push(Effect::Prompt(prompt.clone()));
        if let Some(acting) = &mut self.acting {
            acting.waits = Waits::Prompt(prompt);
        }
        self.status();
    }

    /// Plays an answer; where its dice come from outside, first in a copy, until all of them are known.
    pub(super) fn play(&mut self, answer: Answer) {
        let outside = self.dice_from_outside();
        let Some(acting) = &mut self.acting else { return };
        let seeded = SeededDice::for_activation(
            self.config.seed,
            self.round,
            &format!("{} {}", acting.figure, acting.choice),
        );
        let mut skirmish = acting.skirmish.clone();
        let known = acting.known.clone();
        let outcome = if outside || !known.is_empty() {
            let mut dice = KnownD20::new(&known, seeded.clone());
            let outcome = skirmish.answer(answer.clone(), &mut dice);
            if dice.is_missing() {
                acting.answer = Some(answer.clone());
                self.ask_for_a_die(&answer);
                return;
            }
            outcome
        } else {
            let mut dice = seeded;
            skirmish.answer(answer, &mut dice)
        };
        acting.answer = None;
        acting.known.clear();
        acting.choice += 1;
        match outcome {
            Ok(()) => acting.skirmish = skirmish,
            Err(refused) => {
                // A plan from before the table was seen anew may not fit any more: the figure does the least it can.
                let figure = acting.figure.clone();
                let Some(request) = acting.skirmish.pending().cloned() else {
                    return;
                };
                let mut dice = SeededDice::new(self.config.seed);
                let instead = harmless(&acting.skirmish, &request);
                acting.finished |= acting.skirmish.answer(instead, &mut dice).is_err();
                let message = format!("What was planned cannot be done: {refused}.");
                self.effects.push(Effect::Event(Event::Replanned { figure, message }));
            }
        }
        self.tell();
    }

    /// Turns what has happened into steps.
    fn tell(&mut self) {
        let Some(acting) = &mut self.acting else { return };
        let events = acting.skirmish.events()[acting.told..].to_vec();
        acting.told += events.len();
        let ended = events
            .iter()
            .any(|event| matches!(event, Happened::TurnEnded { .. } | Happened::Ended { .. }));
        acting.finished |= ended;
        let steps = step::steps(self.board.as_ref(), acting.skirmish.board(), &events);
        for step in &steps {
            step.put_on(self.board.as_mut());
        }
        self.steps.extend(steps);
    }

    fn finish(&mut self) {
        let Some(acting) = self.acting.take() else { return };
        self.activated.insert(acting.figure.clone());
        let mut events = acting.skirmish.events().iter();
        let ended = events.any(|event| matches!(event, Happened::TurnEnded { .. } | Happened::Ended { .. }));
        if ended {
            self.board = Some(acting.skirmish.board().clone());
        } else if let Some(figure) = self.board.as_mut().and_then(|board| board.figure_mut(&acting.figure)) {
            // A turn that was cut short: what the table shows counts.
            figure.activated = true;
            self.steps.push_back(Step::Activated {
                figure: acting.figure.clone(),
                activated: true,
            });
        }
        let named = acting.skirmish.board().figure(&acting.figure);
        let name = named.map_or_else(|| acting.figure.clone(), Figure::called);
        self.effects.push(Effect::Event(Event::Activated {
            figure: acting.figure.clone(),
            message: format!("{name} has finished."),
        }));
        self.confirm &= self.queue > 0;
        if ended {
            self.next_activation();
        } else if self.queue > 0 {
            // The next figure starts from what the table really shows.
            self.pressed = true;
            self.effects.push(Effect::RequestSync);
        }
        self.status();
    }

    fn send(&mut self, step: Step) {
        let able = self
            .abilities
            .as_ref()
            .is_none_or(|abilities| abilities.steps.contains(&step.kind()));
        if !able {
            // The players carry it out, or only read it.
            self.effects.push(Effect::Event(Event::Note(step.words())));
            return;
        }
        self.numbers += 1;
        let sent = Sent {
            action_id: format!("{}-{}", self.config.id, self.numbers),
            rev: self.rev,
            step,
        };
        self.effects.push(Effect::Send(sent.clone()));
        self.outstanding = Some(sent);
        self.status();
    }

    /// The activation follows what the table shows. A figure that has yet to move and to attack begins its turn anew from
    /// there; another one has finished, for what it has done cannot be done again.
    pub(super) fn follow(&mut self, seen: &Board) {
        let Some(acting) = &mut self.acting else { return };
        acting.waits = Waits::Nothing;
        let id = acting.figure.clone();
        let before = self
            .history
            .last()
            .and_then(|before| before.board.figure(&id))
            .map(|figure| figure.at);
        let now = seen.figure(&id).filter(|figure| figure.in_play());
        let fresh = now.filter(|figure| Some(figure.at) == before && !acting.skirmish.has_attacked());
        self.board = Some(seen.clone());
        let Some(force) = fresh.map(|figure| figure.force) else {
            acting.finished = true;
            self.go_on();
            return;
        };
        let mut board = seen.clone();
        if let Some(figure) = board.figure_mut(&id) {
            figure.activated = false;
        }
        let mut dice = SeededDice::new(self.config.seed);
        let mut skirmish = Skirmish::activation(board, self.options.clone(), self.round, Side::Automated);
        let begun = skirmish.answer(Answer::Activate(id.clone()), &mut dice).is_ok();
        // What it gains when it activates it has gained already.
        let points = Correction::Force {
            figure: id,
            points: force,
        };
        acting.finished = !begun || skirmish.correct(points, &mut dice).is_err();
        acting.told = skirmish.events().len();
        acting.skirmish = skirmish;
        acting.automated = Automated::default();
        self.go_on();
    }
}

fn fallback(acting: Option<&Acting>, request: &Request) -> Answer {
    acting.map_or(Answer::Done, |acting| harmless(&acting.skirmish, request))
}
