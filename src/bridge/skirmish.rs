//! Joins a skirmish at a table of squares to the wire types, as [`super::host`] joins a game of ships.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{
    host::{dice_from, wire_dice},
    served::{self, Entry, Outgoing, Served, random_name},
};
use crate::{
    game::{
        self,
        skirmish::{Abilities, Effect, Event, SkirmishConfig, SkirmishGame, Step, StepKind, answers::StepAnswer},
    },
    protocol::{
        apply::{ApplyParams, ApplyResult, Outcome, WireStep},
        event::GameEvent,
        fault::Fault,
        lifecycle::ClientCapabilities,
        round::{DiceFrom, PromptTopic},
        solo::{PromptParams, RollParams, RollResult},
    },
    swm::board::Board,
};

mod requests;
mod words;

/// What is fixed for a table.
#[derive(Debug, Clone)]
pub struct SkirmishHostConfig {
    /// All rolls come from it.
    pub seed: u64,
    /// Where the game is recorded; an existing journal is resumed, with the seed that stands in it.
    pub journal: Option<PathBuf>,
    /// Names the game for good; `None`: a random name.
    pub game: Option<String>,
    /// Where dice come from, until the players choose otherwise.
    pub dice: DiceFrom,
    /// Time the players have for a question, ms.
    pub prompt_deadline_ms: u32,
}

impl Default for SkirmishHostConfig {
    fn default() -> Self {
        SkirmishHostConfig {
            seed: 0,
            journal: None,
            game: None,
            dice: DiceFrom::default(),
            prompt_deadline_ms: 60_000,
        }
    }
}

/// A skirmish at one table.
pub type SkirmishHost = served::Host<GridTable>;

/// A skirmish, as a host serves it.
#[derive(Debug)]
pub struct GridTable {
    game: SkirmishGame,
    attached: bool,
}

impl Served for GridTable {
    const FIRST: &'static str = "skirmishStarted";
    const NAME: &'static str = "a skirmish of Star Wars Miniatures";
    type Config = SkirmishHostConfig;
    type Seen = Board;
    type Step = Step;

    fn journal(config: &SkirmishHostConfig) -> Option<&Path> {
        config.journal.as_deref()
    }

    fn begins(first: &Entry) -> bool {
        matches!(first, Entry::SkirmishStarted { .. })
    }

    fn begin(config: &SkirmishHostConfig, first: Option<&Entry>, _notes: &mut Vec<String>) -> (GridTable, Entry) {
        let mut game = SkirmishConfig {
            id: config.game.clone().unwrap_or_else(random_name),
            seed: config.seed,
            dice: dice_from(config.dice),
            prompt_deadline_ms: config.prompt_deadline_ms,
        };
        if let Some(Entry::SkirmishStarted {
            game: id,
            seed,
            typed_dice,
            dice,
            ..
        }) = first
        {
            game.id.clone_from(id);
            game.seed = *seed;
            // Journals of earlier versions only tell whether they are typed.
            let earlier = if *typed_dice {
                DiceFrom::Typed
            } else {
                DiceFrom::Program
            };
            game.dice = dice_from(dice.unwrap_or(earlier));
        }
        let started = Entry::SkirmishStarted {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            game: game.id.clone(),
            seed: game.seed,
            typed_dice: game.dice == game::round::DiceFrom::Typed,
            dice: Some(wire_dice(game.dice)).filter(|dice| *dice == DiceFrom::Table),
        };
        let table = GridTable {
            game: SkirmishGame::new(game),
            attached: false,
        };
        (table, started)
    }

    fn attach(&mut self, capabilities: &ClientCapabilities, _resumed: bool) {
        self.attached = true;
        let steps = capabilities.steps.iter();
        self.game.attach(Abilities {
            steps: steps.filter_map(|word| StepKind::from_word(word)).collect(),
            prompt: capabilities.prompt,
            dice: capabilities.dice,
        });
    }

    fn detach(&mut self) {
        self.attached = false;
        self.game.detach();
    }

    fn is_attached(&self) -> bool {
        self.attached
    }

    fn abandon(&mut self, id: String) {
        self.game.abandon(id);
    }

    fn answer(&mut self, method: &str, params: Value) -> Result<Value, Fault> {
        self.answer_request(method, params)
    }

    fn step_answered(&mut self, action_id: &str, result: Result<ApplyResult, String>) {
        let went = match result {
            Ok(ApplyResult {
                outcome: Outcome::Applied | Outcome::Duplicate,
                ..
            }) => StepAnswer::Done,
            Ok(ApplyResult { reason, .. }) | Err(reason) => StepAnswer::Otherwise { reason },
        };
        self.game.step_answered(action_id, went);
    }

    fn prompt_answered(&mut self, prompt_id: &str, choice: Option<&str>) {
        self.game.prompt_answered(prompt_id, choice);
    }

    fn roll_answered(&mut self, roll_id: &str, result: Option<&RollResult>) {
        let shows = result.and_then(|result| result.d20.first().copied());
        self.game.roll_answered(roll_id, shows);
    }

    fn take_outgoing(&mut self) -> Vec<Outgoing> {
        let effects = self.game.take_effects();
        effects.into_iter().map(outgoing).collect()
    }

    fn seen(&self) -> Option<Board> {
        self.game.board().cloned()
    }

    fn outstanding(&self) -> Option<(&str, &Step)> {
        let sent = self.game.outstanding()?;
        Some((&sent.action_id, &sent.step))
    }

    fn wire(&self, step: &Step) -> WireStep {
        words::step(step)
    }
}

fn outgoing(effect: Effect) -> Outgoing {
    match effect {
        Effect::Send(sent) => Outgoing::Apply(ApplyParams {
            step: words::step(&sent.step),
            action_id: sent.action_id,
            rev: sent.rev,
        }),
        Effect::Prompt(prompt) => Outgoing::Prompt(PromptParams {
            prompt_id: prompt.id,
            text: prompt.text,
            options: prompt.options,
            default: prompt.default,
            deadline_ms: prompt.deadline_ms,
            topic: if prompt.die {
                PromptTopic::Dice
            } else {
                PromptTopic::Ability
            },
            ship: prompt.figure,
            input: None,
        }),
        Effect::Roll(roll) => Outgoing::Roll(RollParams {
            roll_id: roll.id,
            attack: 0,
            defence: 0,
            d20: 1,
            reason: roll.reason,
            ship: roll.figure,
        }),
        Effect::RequestSync => Outgoing::RequestSync,
        Effect::Event(event) => Outgoing::Event(wire_event(event)),
    }
}

fn wire_event(event: Event) -> GameEvent {
    match event {
        Event::Decided {
            figure,
            sentence,
            reasons,
        } => GameEvent::Decided {
            ship: figure,
            sentence,
            reasons,
        },
        Event::Activated { figure, message } => GameEvent::Activated { ship: figure, message },
        Event::Replanned { figure, message } => GameEvent::Replanned { ship: figure, message },
        Event::Round(round) => GameEvent::Round { round },
        Event::Note(message) => GameEvent::Note { message },
        Event::Status(status) => GameEvent::Status {
            round: status.round,
            next: String::new(),
            waiting: u32::try_from(status.waiting.len()).unwrap_or(u32::MAX),
            phase: None,
            turn: status.acting.unwrap_or_default(),
            text: status.text,
        },
    }
}
