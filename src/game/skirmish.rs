//! A skirmish at a table of squares: the players move their own figures there, the program plays the automated ones, one
//! activation after the other. A pure state machine: values in, [`Effect`]s out, as the game of ships is.
//!
//! An activation runs in a skirmish of its own ([`Skirmish::activation`]), on the board as it was last seen. What happens in
//! it becomes steps that the table carries out one at a time; what only the players know is asked. A step that the table
//! does not carry out leads to another look at it: what it shows then counts, and the figure goes on from there.

use std::collections::{BTreeSet, VecDeque};

use crate::{
    decision::Reason,
    dice::{D20Source, KnownD20, SeededDice},
    swm::{
        board::Board,
        commander::{Commander, automated::Automated, harmless},
        figure::{Figure, Side},
        opponent,
        options::Options,
        skirmish::{Answer, Correction, Event as Happened, Refused, Request, Skirmish, words},
    },
};

pub mod answers;
mod step;
mod undo;

pub use step::{Step, StepKind};

/// Activations that can be taken back.
const HISTORY: usize = 64;

/// Times that an activation is tried again on what the table shows, before it is left to the players.
const ATTEMPTS: u32 = 3;

/// What is fixed for a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkirmishConfig {
    /// Names the game for good; action ids start with it.
    pub id: String,
    /// All rolls come from it.
    pub seed: u64,
    /// Whether the players roll the dice and tell what they show.
    pub typed_dice: bool,
    /// Time the players have for a question, ms; after it the default counts.
    pub prompt_deadline_ms: u32,
}

/// What the connected table can do.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Abilities {
    /// Kinds of steps that it carries out; the players are told the others.
    pub steps: BTreeSet<StepKind>,
    /// It can ask the players.
    pub prompt: bool,
}

/// A table as it was seen.
#[derive(Debug, Clone)]
pub struct Observation {
    /// The map with the figures.
    pub board: Board,
    /// Choices of the rules.
    pub options: Options,
    /// The table's own round number; 0 if it counts none.
    pub round: u32,
    /// Its revision.
    pub rev: u64,
}

/// How much one press plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// The next figure.
    Figure,
    /// A phase: the next two (SWM 1.7).
    Phase,
    /// All that still wait this round.
    Round,
}

/// A step on its way.
#[derive(Debug, Clone, PartialEq)]
pub struct Sent {
    /// Its id, for ever.
    pub action_id: String,
    /// Revision of the snapshot that it follows from.
    pub rev: u64,
    /// The step.
    pub step: Step,
}

/// A question to the players.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    /// Names it for ever.
    pub id: String,
    /// The question.
    pub text: String,
    /// The answers.
    pub options: Vec<String>,
    /// The one that is taken at the deadline.
    pub default: String,
    /// Time until then, ms.
    pub deadline_ms: u32,
    /// The figure that it is about.
    pub figure: String,
    /// Whether a die is asked for.
    pub die: bool,
}

/// What the players and viewers are told.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A decision was made.
    Decided {
        /// The figure.
        figure: String,
        /// One sentence.
        sentence: String,
        /// Why.
        reasons: Vec<Reason>,
    },
    /// An activation is over.
    Activated {
        /// The figure.
        figure: String,
        /// One sentence.
        message: String,
    },
    /// A plan was given up or changed.
    Replanned {
        /// The figure.
        figure: String,
        /// Why.
        message: String,
    },
    /// A new round.
    Round(u32),
    /// Anything the players should read.
    Note(String),
    /// How it stands.
    Status(Status),
}

/// How it stands.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Status {
    /// The round.
    pub round: u32,
    /// All automated figures in play.
    pub automated: Vec<String>,
    /// Those that have yet to activate.
    pub waiting: Vec<String>,
    /// Who acts now.
    pub acting: Option<String>,
    /// One line.
    pub text: String,
}

/// What the game wants from the world.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Carry out a step.
    Send(Sent),
    /// Ask the players.
    Prompt(Prompt),
    /// Look at the table again.
    RequestSync,
    /// Tell everybody.
    Event(Event),
}

/// Why something is not done.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// No snapshot has come.
    #[error("the table has not been seen yet: send `table/sync` first")]
    NoTable,
    /// No table is connected.
    #[error("no table is connected that could carry it out")]
    NotConnected,
    /// Something goes on.
    #[error("{0} acts; wait until it has finished, or skip what is waited for")]
    Busy(String),
    /// Nobody of that name.
    #[error("there is no figure `{0}`")]
    Unknown(String),
    /// It cannot activate.
    #[error("`{0}` cannot activate: it is no automated figure, is defeated, or has activated this round")]
    CannotActivate(String),
    /// Nothing to take back, or to skip.
    #[error("there is nothing to {0}")]
    Nothing(&'static str),
    /// A side has nobody.
    #[error("the skirmish is over: one side has no figure left")]
    Over,
    /// What the players set cannot be so.
    #[error("{0}")]
    Refused(#[from] Refused),
}

/// What an activation waits for, beside a step on its way.
#[derive(Debug, Clone, PartialEq)]
enum Waits {
    Nothing,
    Prompt(Prompt),
    Sync,
}

/// The activation under way.
#[derive(Debug, Clone)]
struct Acting {
    figure: String,
    skirmish: Skirmish,
    automated: Automated,
    /// Events that have become steps.
    told: usize,
    /// The next choice's number, for its dice.
    choice: u32,
    /// Dice that the players have told for the choice under way.
    known: Vec<u8>,
    /// The answer whose dice are being asked for.
    answer: Option<Answer>,
    waits: Waits,
    attempts: u32,
    finished: bool,
}

/// A skirmish at one table.
#[derive(Debug)]
pub struct SkirmishGame {
    config: SkirmishConfig,
    abilities: Option<Abilities>,
    board: Option<Board>,
    options: Options,
    rev: u64,
    round: u32,
    activated: BTreeSet<String>,
    new_round_offered: bool,
    /// Activations that are still to come of a press.
    queue: usize,
    /// The figure that a press named, and whether the players want to agree first.
    wanted: Option<String>,
    confirm: bool,
    /// A press waits for a fresh look.
    pressed: bool,
    acting: Option<Acting>,
    steps: VecDeque<Step>,
    outstanding: Option<Sent>,
    numbers: u64,
    history: Vec<undo::Before>,
    last_status: Option<Status>,
    effects: Vec<Effect>,
}

impl SkirmishGame {
    /// A game that has seen no table yet.
    pub fn new(config: SkirmishConfig) -> SkirmishGame {
        SkirmishGame {
            config,
            abilities: None,
            board: None,
            options: Options::default(),
            rev: 0,
            round: 1,
            activated: BTreeSet::new(),
            new_round_offered: false,
            queue: 0,
            wanted: None,
            confirm: false,
            pressed: false,
            acting: None,
            steps: VecDeque::new(),
            outstanding: None,
            numbers: 0,
            history: Vec::new(),
            last_status: None,
            effects: Vec::new(),
        }
    }

    /// What it wants from the world since the last call. Call it after every other method.
    pub fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    /// The board as it was last seen, with what was carried out since.
    pub fn board(&self) -> Option<&Board> {
        self.acting
            .as_ref()
            .map(|acting| acting.skirmish.board())
            .or(self.board.as_ref())
    }

    /// Revision of the last snapshot.
    pub fn rev(&self) -> u64 {
        self.rev
    }

    /// The step that is on its way, if any.
    pub fn outstanding(&self) -> Option<&Sent> {
        self.outstanding.as_ref()
    }

    /// The question that waits, if any.
    pub fn question(&self) -> Option<&Prompt> {
        match &self.acting.as_ref()?.waits {
            Waits::Prompt(prompt) => Some(prompt),
            _ => None,
        }
    }

    /// Whether the players roll the dice.
    pub fn typed_dice(&self) -> bool {
        self.config.typed_dice
    }

    /// Who rolls the dice from now on.
    pub fn set_typed_dice(&mut self, typed: bool) -> String {
        self.config.typed_dice = typed;
        match typed {
            true => "The players roll the dice and tell what they show.".to_owned(),
            false => "The program rolls the dice.".to_owned(),
        }
    }

    /// A table connected. What was on its way is sent again under its old number: every step says how it is afterwards, so
    /// that a table which has carried it out already changes nothing.
    pub fn attach(&mut self, abilities: Abilities) {
        self.abilities = Some(abilities);
        if let Some(sent) = &self.outstanding {
            self.effects.push(Effect::Send(sent.clone()));
        } else if let Some(acting) = &self.acting {
            match &acting.waits {
                Waits::Prompt(prompt) => self.effects.push(Effect::Prompt(prompt.clone())),
                Waits::Sync => self.effects.push(Effect::RequestSync),
                Waits::Nothing => self.go_on(),
            }
        } else if self.pressed {
            self.effects.push(Effect::RequestSync);
        }
        self.status();
    }

    /// The table is gone. Nothing is lost; play goes on when it is back.
    pub fn detach(&mut self) {
        self.abilities = None;
    }

    /// Gives up whatever goes on. Ids of the game begin with another name from here on.
    pub fn abandon(&mut self, id: String) {
        self.config.id = id;
        self.queue = 0;
        self.pressed = false;
        self.acting = None;
        self.steps.clear();
        self.outstanding = None;
    }

    /// The table was seen.
    pub fn observe(&mut self, seen: Observation) {
        self.rev = seen.rev;
        self.options = seen.options;
        if seen.round > self.round || (seen.round != 0 && self.board.is_none()) {
            self.begin_round(seen.round);
        }
        let mut board = seen.board;
        for figure in board.figures() {
            if figure.activated {
                self.activated.insert(figure.id.clone());
            }
        }
        let ids: Vec<String> = self.activated.iter().cloned().collect();
        for id in ids {
            if let Some(figure) = board.figure_mut(&id) {
                figure.activated = true;
            }
        }
        match &self.acting {
            None if self.steps.is_empty() && self.outstanding.is_none() => self.board = Some(board),
            // While steps are on their way the snapshot may be from before or after them: their answers count.
            None => {}
            Some(acting) if acting.waits == Waits::Sync => self.follow(&board),
            Some(_) => {}
        }
        if std::mem::take(&mut self.pressed) {
            self.next_activation();
        }
        self.status();
    }

    fn begin_round(&mut self, round: u32) {
        self.round = round;
        self.activated.clear();
        self.new_round_offered = false;
        for board in [self.board.as_mut()].into_iter().flatten() {
            let ids: Vec<String> = board.figures().iter().map(|figure| figure.id.clone()).collect();
            for id in ids {
                if let Some(figure) = board.figure_mut(&id) {
                    figure.activated = false;
                }
            }
        }
        self.effects.push(Effect::Event(Event::Round(round)));
    }

    fn waiting(&self) -> Vec<String> {
        let board = self.board.iter().flat_map(|board| board.side(Side::Automated));
        board
            .filter(|figure| !self.activated.contains(&figure.id))
            .map(|figure| figure.id.clone())
            .collect()
    }

    /// The button. Who will act, if that is settled already, and one sentence.
    ///
    /// # Errors
    /// Why nothing is played.
    pub fn advance(
        &mut self,
        scope: Scope,
        figure: Option<&str>,
        confirm: bool,
        rev: Option<u64>,
    ) -> Result<(Vec<String>, String), Refusal> {
        if self.abilities.is_none() {
            return Err(Refusal::NotConnected);
        }
        if let Some(acting) = &self.acting {
            return Err(Refusal::Busy(acting.figure.clone()));
        }
        let board = self.board.as_ref().ok_or(Refusal::NoTable)?;
        if [Side::Player, Side::Automated]
            .iter()
            .any(|side| board.side(*side).next().is_none())
        {
            return Err(Refusal::Over);
        }
        let waiting = self.waiting();
        if let Some(id) = figure {
            if board.figure(id).is_none() {
                return Err(Refusal::Unknown(id.to_owned()));
            }
            if !waiting.iter().any(|known| known == id) {
                return Err(Refusal::CannotActivate(id.to_owned()));
            }
        }
        if waiting.is_empty() {
            if !std::mem::replace(&mut self.new_round_offered, true) {
                let next = self.round + 1;
                let message = format!("All automated figures have activated. Press again to begin round {next}.");
                return Ok((Vec::new(), message));
            }
            self.begin_round(self.round + 1);
        }
        let waiting = self.waiting();
        self.queue = match scope {
            Scope::Figure => 1,
            Scope::Phase => 2,
            Scope::Round => waiting.len(),
        }
        .min(waiting.len());
        self.wanted = figure.map(str::to_owned);
        self.confirm = confirm;
        let message = format!(
            "Round {}: {} of {} automated figures.",
            self.round,
            self.queue,
            waiting.len()
        );
        if rev == Some(self.rev) {
            self.next_activation();
        } else {
            self.pressed = true;
            self.effects.push(Effect::RequestSync);
        }
        let who = self.acting.iter().map(|acting| acting.figure.clone()).collect();
        self.status();
        Ok((who, message))
    }

    /// What the next figure would do, or the one that is named.
    ///
    /// # Errors
    /// Why nothing can be said.
    pub fn preview(&self, figure: Option<&str>) -> Result<(String, String, Vec<Reason>), Refusal> {
        let board = self.board.as_ref().ok_or(Refusal::NoTable)?;
        let mut dice = self.dice("preview", 0);
        let id = match figure {
            Some(id) => id.to_owned(),
            None => {
                let (next, _) = opponent::activation::next(board, &self.options, &mut dice);
                next.ok_or(Refusal::Nothing("play this round"))?
            }
        };
        let own = board.figure(&id).ok_or_else(|| Refusal::Unknown(id.clone()))?;
        if own.side != Side::Automated || !own.in_play() {
            return Err(Refusal::CannotActivate(id));
        }
        let turn = opponent::decide(board, own, &self.options, &mut dice);
        Ok((id, turn.sentence, turn.reasons))
    }

    fn dice(&self, figure: &str, choice: u32) -> SeededDice {
        SeededDice::for_activation(self.config.seed, self.round, &format!("{figure} {choice}"))
    }

    fn next_activation(&mut self) {
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

    fn prompt(&mut self, figure: &str, text: String, options: &[&str], default: &str, die: bool) -> Prompt {
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
    fn go_on(&mut self) {
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

    fn wait_for(&mut self, prompt: Prompt) {
        self.effects.push(Effect::Prompt(prompt.clone()));
        if let Some(acting) = &mut self.acting {
            acting.waits = Waits::Prompt(prompt);
        }
        self.status();
    }

    /// Plays an answer; where the players roll, first in a copy, until all its dice are known.
    fn play(&mut self, answer: Answer) {
        let typed = self.config.typed_dice && self.abilities.as_ref().is_some_and(|abilities| abilities.prompt);
        let Some(acting) = &mut self.acting else { return };
        let seeded = SeededDice::for_activation(
            self.config.seed,
            self.round,
            &format!("{} {}", acting.figure, acting.choice),
        );
        let mut skirmish = acting.skirmish.clone();
        let outcome = if typed {
            let known = acting.known.clone();
            let mut dice = KnownD20::new(&known, seeded.clone());
            let outcome = skirmish.answer(answer.clone(), &mut dice);
            if dice.is_missing() {
                acting.answer = Some(answer.clone());
                let (figure, mut rolled) = (acting.figure.clone(), seeded);
                // The die that the program would roll, if the players tell none.
                let default = (0..=known.len()).map(|_| rolled.d20()).last().unwrap_or(1).to_string();
                let options: Vec<String> = (1..=20).map(|shows: u8| shows.to_string()).collect();
                let options: Vec<&str> = options.iter().map(String::as_str).collect();
                let text = format!("{figure}, `{answer}`: roll a d20. What does it show?");
                let prompt = self.prompt(&figure, text, &options, &default, true);
                self.wait_for(prompt);
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
    fn follow(&mut self, seen: &Board) {
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

    /// How it stands.
    pub fn current_status(&self) -> Status {
        let board = self.board();
        let Some(board) = board else {
            return Status {
                round: self.round,
                text: "Waiting for a table.".to_owned(),
                ..Status::default()
            };
        };
        let automated = board.side(Side::Automated).map(|figure| figure.id.clone()).collect();
        let waiting = self.waiting();
        let acting = self.acting.as_ref().map(|acting| acting.figure.clone());
        let round = self.round;
        let text = match &self.acting {
            Some(acting) => {
                let doing = match (&self.outstanding, &acting.waits) {
                    (Some(sent), _) => sent.step.words(),
                    (None, Waits::Prompt(prompt)) => prompt.text.clone(),
                    (None, Waits::Sync) => "waiting for the table to be read".to_owned(),
                    (None, Waits::Nothing) => String::new(),
                };
                format!("Round {round}: {} acts. {doing}", acting.figure)
                    .trim_end()
                    .to_owned()
            }
            None => match waiting.len() {
                0 => format!("Round {round}: all automated figures have activated."),
                1 => format!("Round {round}: 1 automated figure has yet to activate."),
                many => format!("Round {round}: {many} automated figures have yet to activate."),
            },
        };
        Status {
            round,
            automated,
            waiting,
            acting,
            text,
        }
    }

    fn status(&mut self) {
        let status = self.current_status();
        if self.last_status.as_ref() != Some(&status) {
            self.last_status = Some(status.clone());
            self.effects.push(Effect::Event(Event::Status(status)));
        }
    }
}

/// What the players answer to whether a decision is carried out.
const AGREE: &str = "Carry out";
const NOT_NOW: &str = "Not now";

fn fallback(acting: Option<&Acting>, request: &Request) -> Answer {
    acting.map_or(Answer::Done, |acting| harmless(&acting.skirmish, request))
}
