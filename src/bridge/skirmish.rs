//! Joins a skirmish at a table of squares to the wire types, as [`super::host`] joins a game of ships: the same protocol, the
//! same journal of what came in, the same steps under ids for ever. It knows no socket.

use std::{
    collections::VecDeque,
    path::{Path, PathBuf},
};

use serde_json::Value;

use super::host::{Entry, Outgoing, REMEMBERED_OPERATIONS, random_name};
use crate::{
    game::{
        journal::{Damage, Journal},
        skirmish::{Abilities, Effect, Event, SkirmishConfig, SkirmishGame, StepKind, answers::StepAnswer},
    },
    protocol::{
        apply::{ApplyParams, ApplyResult, Outcome},
        event::GameEvent,
        fault::Fault,
        lifecycle::{ClientCapabilities, Role},
        round::PromptTopic,
        solo::{PromptParams, RollResult},
    },
};

pub mod replay;
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
    /// Whether the players roll the dice and tell what they show.
    pub typed_dice: bool,
    /// Time the players have for a question, ms.
    pub prompt_deadline_ms: u32,
}

impl Default for SkirmishHostConfig {
    fn default() -> Self {
        SkirmishHostConfig {
            seed: 0,
            journal: None,
            game: None,
            typed_dice: false,
            prompt_deadline_ms: 60_000,
        }
    }
}

/// A skirmish at one table.
#[derive(Debug)]
pub struct SkirmishHost {
    game: SkirmishGame,
    journal: Option<Journal>,
    attached: bool,
    operations: VecDeque<(String, Value)>,
    /// The newest step in the journal, so that it is not written twice.
    recorded: String,
    /// What the players have to read as soon as there are any.
    notes: Vec<String>,
}

impl SkirmishHost {
    /// A game, new or resumed from its journal. A journal that cannot be used costs the record, not the game: the players
    /// are told.
    pub fn new(config: SkirmishHostConfig) -> SkirmishHost {
        let mut notes = Vec::new();
        let (journal, entries, damage) = open_journal(config.journal.as_deref(), &mut notes);
        let mut game = SkirmishConfig {
            id: config.game.unwrap_or_else(random_name),
            seed: config.seed,
            typed_dice: config.typed_dice,
            prompt_deadline_ms: config.prompt_deadline_ms,
        };
        let resumed = match entries.first() {
            Some(Entry::SkirmishStarted {
                game: id,
                seed,
                typed_dice,
                ..
            }) => {
                game.id.clone_from(id);
                (game.seed, game.typed_dice) = (*seed, *typed_dice);
                true
            }
            _ => false,
        };
        let started = Entry::SkirmishStarted {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            game: game.id.clone(),
            seed: game.seed,
            typed_dice: game.typed_dice,
        };
        let mut host = SkirmishHost {
            game: SkirmishGame::new(game),
            journal: None,
            attached: false,
            operations: VecDeque::new(),
            recorded: String::new(),
            notes,
        };
        if resumed {
            host.replay(entries);
            if let Some(damage) = damage {
                // What the table has carried out since is not known any more: its ids must not be used again.
                host.game.abandon(random_name());
                host.notes.push(format!(
                    "The record of the game was damaged: {damage}. Play goes on from there; check whose turn it is."
                ));
            }
        }
        host.journal = journal;
        if !resumed {
            host.record(&started);
        }
        host
    }

    /// Reads the journal back. What it wants sent has been sent, or is sent again when the table is back.
    fn replay(&mut self, entries: Vec<Entry>) {
        let mut diverged = false;
        for entry in entries.into_iter().skip(1) {
            if let Entry::Sent { action_id, step } = &entry {
                diverged |= self.on_its_way() != Some((action_id.clone(), step.clone()));
                self.recorded.clone_from(action_id);
                continue;
            }
            self.handle(&entry);
        }
        self.game.detach();
        self.attached = false;
        if diverged {
            // Another version decides otherwise than the one that wrote the journal. Its ids must not be used again.
            self.game.abandon(random_name());
            self.notes.push(
                "This version decides otherwise than the one that recorded the game; the activation that was running is \
                 given up."
                    .to_owned(),
            );
        }
    }

    /// A table is there; what waits for an answer is sent again under its old id.
    pub fn table_attached(&mut self, capabilities: &ClientCapabilities, resumed: bool) -> Vec<Outgoing> {
        let capabilities = capabilities.clone();
        self.input(Entry::Attached { capabilities, resumed }).1
    }

    /// The table is away; it may come back.
    pub fn table_detached(&mut self) {
        self.input(Entry::Detached);
    }

    /// A request of a client whose role may send it.
    pub fn request(&mut self, role: Role, method: &str, params: Value) -> (Result<Value, Fault>, Vec<Outgoing>) {
        if super::host::changes_nothing(method) {
            return (self.answer(method, params), Vec::new());
        }
        let method = method.to_owned();
        let (answer, outgoing) = self.input(Entry::Request { role, method, params });
        (answer.unwrap_or(Ok(Value::Null)), outgoing)
    }

    /// The table has answered a step; an error if the answer was one or could not be read.
    pub fn apply_answered(&mut self, action_id: &str, result: Result<ApplyResult, String>) -> Vec<Outgoing> {
        let (result, error) = match result {
            Ok(result) => (Some(result), None),
            Err(error) => (None, Some(error)),
        };
        let action_id = action_id.to_owned();
        self.input(Entry::Answered {
            action_id,
            result,
            error,
        })
        .1
    }

    /// The human has chosen, or (none) the deadline has passed.
    pub fn prompt_answered(&mut self, prompt_id: &str, choice: Option<String>) -> Vec<Outgoing> {
        let prompt_id = prompt_id.to_owned();
        self.input(Entry::Prompted { prompt_id, choice }).1
    }

    /// Dice were rolled: a skirmish asks for none so, see `docs/swm.md`.
    pub fn roll_answered(&mut self, roll_id: &str, result: Option<RollResult>) -> Vec<Outgoing> {
        let roll_id = roll_id.to_owned();
        self.input(Entry::Rolled { roll_id, result }).1
    }

    /// Records what came in, acts on it, records the step that goes out.
    fn input(&mut self, entry: Entry) -> (Option<Result<Value, Fault>>, Vec<Outgoing>) {
        self.record(&entry);
        let (answer, mut outgoing) = self.handle(&entry);
        if let Some((action_id, step)) = self.on_its_way()
            && action_id != self.recorded
        {
            self.recorded.clone_from(&action_id);
            self.record(&Entry::Sent { action_id, step });
        }
        // Notes wait until somebody is there to read them.
        if self.attached {
            let notes = self.notes.drain(..);
            outgoing.extend(notes.map(|message| Outgoing::Event(GameEvent::Note { message })));
        }
        (answer, outgoing)
    }

    /// Writes to the journal. A full disk ends the record, not the game: half a record would be worse than none.
    fn record(&mut self, entry: &Entry) {
        let Some(journal) = &mut self.journal else { return };
        if let Err(error) = journal.append(entry) {
            tracing::warn!(journal = %journal.path().display(), %error, "the game can no longer be recorded");
            self.notes.push(format!(
                "The game can no longer be recorded in {} ({error}): play goes on, but a restart of the program loses the \
                 rest of it.",
                journal.path().display()
            ));
            self.journal = None;
        }
    }

    fn handle(&mut self, entry: &Entry) -> (Option<Result<Value, Fault>>, Vec<Outgoing>) {
        let mut answer = None;
        match entry {
            Entry::Started { .. } | Entry::SkirmishStarted { .. } | Entry::Sent { .. } | Entry::Rolled { .. } => {}
            Entry::Attached { capabilities, .. } => {
                self.attached = true;
                let steps = capabilities.steps.iter();
                self.game.attach(Abilities {
                    steps: steps.filter_map(|word| StepKind::from_word(word)).collect(),
                    prompt: capabilities.prompt,
                });
            }
            Entry::Detached => {
                self.attached = false;
                self.game.detach();
            }
            Entry::Request { method, params, .. } => answer = Some(self.answer(method, params.clone())),
            Entry::Answered {
                action_id,
                result,
                error,
            } => {
                let went = match result {
                    Some(ApplyResult {
                        outcome: Outcome::Applied | Outcome::Duplicate,
                        ..
                    }) => StepAnswer::Done,
                    Some(result) => StepAnswer::Otherwise {
                        reason: result.reason.clone(),
                    },
                    None => StepAnswer::Otherwise {
                        reason: error.clone().unwrap_or_default(),
                    },
                };
                self.game.step_answered(action_id, went);
            }
            Entry::Prompted { prompt_id, choice } => self.game.prompt_answered(prompt_id, choice.as_deref()),
        }
        let effects = self.game.take_effects();
        (
            answer,
            effects.into_iter().map(|effect| self.outgoing(effect)).collect(),
        )
    }

    /// The step that is on its way, as the journal has it.
    fn on_its_way(&self) -> Option<(String, crate::protocol::apply::WireStep)> {
        let sent = self.game.outstanding()?;
        Some((sent.action_id.clone(), words::step(&sent.step)))
    }

    fn outgoing(&self, effect: Effect) -> Outgoing {
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
            Effect::RequestSync => Outgoing::RequestSync,
            Effect::Event(event) => Outgoing::Event(wire_event(event)),
        }
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

fn open_journal(path: Option<&Path>, notes: &mut Vec<String>) -> (Option<Journal>, Vec<Entry>, Option<Damage>) {
    let Some(path) = path else {
        return (None, Vec::new(), None);
    };
    let why = match Journal::open(path) {
        Ok((journal, contents)) if matches!(contents.entries.first(), None | Some(Entry::SkirmishStarted { .. })) => {
            let damage = contents.damage.filter(|damage| !damage.torn);
            return (Some(journal), contents.entries, damage);
        }
        // Written on, it would never be read back: no restart could tell which game it is.
        Ok(_) => format!(
            "journal {}: its first line does not begin a skirmish; start with --new-game to set it aside",
            path.display()
        ),
        Err(error) => error.to_string(),
    };
    // Who started the program may be long gone from it when a table reads the note.
    tracing::warn!("the game is not recorded: {why}");
    notes.push(format!("The game is not recorded: {why}."));
    (None, Vec::new(), None)
}
