//! A skirmish at a table of squares: the players move their own figures there, the program plays the automated ones, one
//! activation after the other. A pure state machine: values in, [`Effect`]s out, as the game of ships is.
//!
//! An activation runs in a skirmish of its own ([`crate::swm::skirmish::Skirmish::activation`]), on the board as it was last
//! seen. What happens in it becomes steps that the table carries out one at a time; what only the players know is asked. A
//! step that the table does not carry out leads to another look at it: what it shows then counts, and the figure goes on
//! from there.

use std::collections::{BTreeSet, VecDeque};

use self::activation::{Acting, Waits};
pub use self::{
    event::{Effect, Event, Prompt, Roll, Sent, Status},
    step::{Step, StepKind},
};
use crate::{
    decision::Reason,
    dice::SeededDice,
    game::round::DiceFrom,
    swm::{board::Board, figure::Side, opponent, options::Options, skirmish::Refused},
};

mod activation;
pub mod answers;
mod dice;
mod event;
mod status;
mod step;
mod undo;

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
    /// Where dice come from, until the players choose otherwise.
    pub dice: DiceFrom,
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
    /// It can roll dice of twenty sides.
    pub dice: bool,
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

    /// A table connected. What was on its way is sent again under its old number: every step says how it is afterwards, so
    /// that a table which has carried it out already changes nothing.
    pub fn attach(&mut self, abilities: Abilities) {
        self.abilities = Some(abilities);
        if let Some(sent) = &self.outstanding {
            self.effects.push(Effect::Send(sent.clone()));
        } else if let Some(acting) = &self.acting {
            match &acting.waits {
                Waits::Prompt(prompt) => self.effects.push(Effect::Prompt(prompt.clone())),
                Waits::Roll(roll) => self.effects.push(Effect::Roll(roll.clone())),
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
}
