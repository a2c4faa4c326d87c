//! Joins a game to the wire: wire types in, wire types out, for one table. It knows no socket; the server calls it from
//! one task and sends what it returns.
//!
//! Everything that comes in is written to the journal before it is acted on, and every step before it is sent. After a
//! restart the journal is read back into the same state, so that a step on its way is sent again under its old id.

mod entry;
pub mod replay;
mod requests;
mod rounds;
pub mod scenario;
mod words;

use std::{collections::VecDeque, path::PathBuf};

use serde_json::Value;

use crate::{
    bridge::{
        names::Names,
        tts::{self, units::Frame},
    },
    decision::Reason,
    game::{
        Effect, Event, Game, GameConfig, TableAbilities,
        event::Topic,
        journal::{Damage, Journal},
        solo::SoloAlpha,
        step::StepKind,
    },
    protocol::{
        apply::{ApplyParams, ApplyResult},
        event::GameEvent,
        fault::{Fault, FaultKind},
        lifecycle::{ClientCapabilities, Dialect, Role},
        round::{DiceFrom, DiceInput, Plays, PromptTopic},
        snapshot::Snapshot,
        solo::{PromptParams, RollParams, RollResult},
    },
    solo_alpha::Options,
    xwing::{catalog::Catalog, table::Table},
};
pub(super) use entry::Entry;
pub(super) use requests::{changes_nothing, params, result};
use scenario::ServedScenario;

/// Operations whose answers are remembered, so that a press that arrives twice counts once.
pub(super) const REMEMBERED_OPERATIONS: usize = 256;

/// Something the game wants sent.
#[derive(Debug, Clone, PartialEq)]
pub enum Outgoing {
    /// `table/apply`: carry out one step.
    Apply(ApplyParams),
    /// `table/prompt`: ask the human.
    Prompt(PromptParams),
    /// `dice/roll`: roll real dice.
    Roll(RollParams),
    /// A question or a roll, by its id, is not waited for any longer.
    Withdraw(String),
    /// `table/requestSync`: the snapshot is too old.
    RequestSync,
    /// `game/event`, for everyone.
    Event(GameEvent),
}

/// What is fixed for a table.
#[derive(Debug, Clone)]
pub struct HostConfig {
    /// All rolls come from it.
    pub seed: u64,
    /// The choices that the rules leave open.
    pub options: Options,
    /// Where the game is recorded; an existing journal is resumed, with the seed and the options that stand in it.
    pub journal: Option<PathBuf>,
    /// Names the game for good; `None`: a random name.
    pub game: Option<String>,
    /// Facts of ships and pilots.
    pub catalog: &'static Catalog,
    /// Where dice come from, until the players choose otherwise.
    pub dice: DiceFrom,
    /// How much is played; `None`: whole rounds where the table can lead its players through them.
    pub plays: Option<Plays>,
    /// The scenario that is played, if any (SA-13).
    pub scenario: Option<ServedScenario>,
    /// Time the players have for a question, ms.
    pub prompt_deadline_ms: u32,
}

impl Default for HostConfig {
    fn default() -> Self {
        Self {
            seed: 0,
            options: Options::default(),
            journal: None,
            game: None,
            catalog: Catalog::embedded(),
            dice: DiceFrom::default(),
            plays: None,
            scenario: None,
            prompt_deadline_ms: 60_000,
        }
    }
}

/// How the table writes positions.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Units {
    /// mm and headings.
    Plain,
    /// World units.
    Tts(Frame),
}

/// A game at one table.
#[derive(Debug)]
pub struct Host {
    game: Game<SoloAlpha>,
    catalog: &'static Catalog,
    journal: Option<Journal>,
    attached: bool,
    terse: bool,
    dialect: Dialect,
    units: Units,
    names: Names,
    /// Which turret mount of a ship is turned.
    mounts: std::collections::BTreeMap<String, String>,
    snapshot: Option<Snapshot>,
    operations: VecDeque<(String, Value)>,
    /// The newest step in the journal, so that it is not written twice.
    recorded: String,
    /// What the players have to read as soon as there are any.
    notes: Vec<String>,
}

impl Host {
    /// A game, new or resumed from its journal. A journal that cannot be used costs the record, not the game: the
    /// players are told.
    pub fn new(config: HostConfig) -> Host {
        let mut notes = Vec::new();
        let (journal, entries, damage) = open_journal(&config, &mut notes);
        let mut options = config.options.clone();
        let mut game = GameConfig {
            id: config.game.clone().unwrap_or_else(random_name),
            seed: config.seed,
            dice: rounds::dice_from(config.dice),
            plays: config.plays.map(rounds::plays),
            prompt_deadline_ms: config.prompt_deadline_ms,
        };
        let mut scenario = config.scenario.clone();
        let resumed = match entries.first() {
            Some(Entry::Started {
                game: id,
                seed,
                options: played,
                dice,
                plays,
                scenario: recorded,
                ..
            }) => {
                let recorded = recorded.as_deref().cloned();
                if scenario.is_some() && scenario != recorded {
                    notes.push(
                        "The recorded game goes on with the scenario that it began with; start with --new-game for \
                         another one."
                            .to_owned(),
                    );
                }
                scenario = recorded;
                game.id.clone_from(id);
                game.seed = *seed;
                game.dice = rounds::dice_from(*dice);
                game.plays = plays.map(rounds::plays);
                // Charts are a file of the user's and not in the journal.
                options = Options {
                    charts: options.charts,
                    ..played.clone()
                };
                true
            }
            _ => false,
        };
        let started = Entry::Started {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            game: game.id.clone(),
            seed: game.seed,
            options: options.clone(),
            dice: rounds::wire_dice(game.dice),
            plays: game.plays.map(rounds::wire_plays),
            scenario: scenario.clone().map(Box::new),
        };
        let mission = scenario.and_then(|scenario| match scenario.open(config.catalog, game.seed) {
            Ok(mission) => Some(mission),
            Err(error) => {
                notes.push(format!("The game goes on without its scenario: {error}."));
                None
            }
        });
        let game = Game::new(game, SoloAlpha { options });
        let mut host = Host {
            game: match mission {
                Some(mission) => game.with_mission(mission),
                None => game,
            },
            catalog: config.catalog,
            journal: None,
            attached: false,
            terse: false,
            dialect: Dialect::Plain,
            units: Units::Plain,
            names: Names::default(),
            mounts: std::collections::BTreeMap::new(),
            snapshot: None,
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

    /// A table is there; `resumed`: it is the one from before, with its memory. What waits for an answer is sent again
    /// under its old id; a table without its memory is looked at first.
    pub fn table_attached(&mut self, capabilities: &ClientCapabilities, resumed: bool) -> Vec<Outgoing> {
        self.input(Entry::Attached {
            capabilities: capabilities.clone(),
            resumed,
        })
        .1
    }

    /// The table is away; it may come back.
    pub fn table_detached(&mut self) {
        self.input(Entry::Detached);
    }

    /// A request of a client whose role may send it.
    pub fn request(&mut self, role: Role, method: &str, params: Value) -> (Result<Value, Fault>, Vec<Outgoing>) {
        if requests::changes_nothing(method) {
            return (self.answer(method, params), Vec::new());
        }
        let (answer, outgoing) = self.input(Entry::Request {
            role,
            method: method.to_owned(),
            params,
        });
        (answer.unwrap_or(Ok(Value::Null)), outgoing)
    }

    /// The table has answered a step; an error if the answer was one or could not be read.
    pub fn apply_answered(&mut self, action_id: &str, result: Result<ApplyResult, String>) -> Vec<Outgoing> {
        let (result, error) = match result {
            Ok(result) => (Some(result), None),
            Err(error) => (None, Some(error)),
        };
        self.input(Entry::Answered {
            action_id: action_id.to_owned(),
            result,
            error,
        })
        .1
    }

    /// The human has chosen, or (none) the deadline has passed.
    pub fn prompt_answered(&mut self, prompt_id: &str, choice: Option<String>) -> Vec<Outgoing> {
        self.input(Entry::Prompted {
            prompt_id: prompt_id.to_owned(),
            choice,
        })
        .1
    }

    /// The dice were rolled, or (none) they were not.
    pub fn roll_answered(&mut self, roll_id: &str, result: Option<RollResult>) -> Vec<Outgoing> {
        self.input(Entry::Rolled {
            roll_id: roll_id.to_owned(),
            result,
        })
        .1
    }

    /// Records what came in, acts on it, records the step that goes out.
    fn input(&mut self, entry: Entry) -> (Option<Result<Value, Fault>>, Vec<Outgoing>) {
        self.record(&entry);
        let (answer, mut outgoing) = self.handle(&entry);
        let sent = self.game.outstanding().map(|sent| Entry::Sent {
            action_id: sent.action_id.clone(),
            step: self.wire_step(&sent.step),
        });
        if let Some(Entry::Sent { action_id, .. }) = &sent
            && *action_id != self.recorded
        {
            self.recorded.clone_from(action_id);
            if let Some(sent) = &sent {
                self.record(sent);
            }
        }
        // Notes wait until somebody is there to read them.
        if self.attached {
            let notes = self
                .notes
                .drain(..)
                .map(|message| Outgoing::Event(GameEvent::Note { message }));
            outgoing.extend(notes);
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
                 rest of the round.",
                journal.path().display()
            ));
            self.journal = None;
        }
    }

    fn handle(&mut self, entry: &Entry) -> (Option<Result<Value, Fault>>, Vec<Outgoing>) {
        let mut answer = None;
        match entry {
            Entry::Started { .. } | Entry::SkirmishStarted { .. } | Entry::Sent { .. } => {}
            Entry::Attached { capabilities, resumed } => {
                self.attached = true;
                self.terse = capabilities.terse;
                self.dialect = capabilities.dialect;
                let abilities = TableAbilities {
                    steps: capabilities
                        .steps
                        .iter()
                        .filter_map(|word| StepKind::from_word(word))
                        .collect(),
                    prompt: capabilities.prompt,
                    dice: capabilities.dice,
                    rounds: capabilities.rounds,
                };
                self.game.attach(abilities, *resumed);
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
                let result = result.clone().ok_or_else(|| error.clone().unwrap_or_default());
                let answer = self.step_answer(result);
                self.game.step_answered(action_id, answer);
            }
            Entry::Prompted { prompt_id, choice } => self.game.prompt_answered(prompt_id, choice.as_deref()),
            Entry::Rolled { roll_id, result } => {
                let faces = result.as_ref().map(words::faces);
                self.game.roll_answered(roll_id, faces);
            }
        }
        let effects = self.game.take_effects();
        (
            answer,
            effects.into_iter().map(|effect| self.outgoing(effect)).collect(),
        )
    }

    fn outgoing(&self, effect: Effect) -> Outgoing {
        match effect {
            Effect::Send(sent) => Outgoing::Apply(ApplyParams {
                step: self.wire_step(&sent.step),
                action_id: sent.action_id,
                rev: sent.rev,
            }),
            Effect::Prompt(prompt) => Outgoing::Prompt(PromptParams {
                prompt_id: prompt.id,
                text: self.names.speak(&prompt.text),
                options: prompt.options,
                default: prompt.default,
                deadline_ms: prompt.deadline_ms,
                topic: match prompt.topic {
                    Topic::Consent => PromptTopic::Consent,
                    Topic::Attack => PromptTopic::Attack,
                    Topic::Spend => PromptTopic::Spend,
                    Topic::Dice => PromptTopic::Dice,
                    Topic::Ability => PromptTopic::Ability,
                    Topic::SetUp => PromptTopic::SetUp,
                },
                ship: prompt.ship.map(|id| id.to_string()).unwrap_or_default(),
                input: prompt.dice.map(|dice| DiceInput {
                    attack: dice.attack,
                    defence: dice.defence,
                }),
            }),
            Effect::Roll(roll) => Outgoing::Roll(RollParams {
                roll_id: roll.id,
                attack: roll.dice.attack,
                defence: roll.dice.defence,
                reason: self.names.speak(&roll.reason),
                ship: roll.ship.to_string(),
            }),
            Effect::Withdraw(id) => Outgoing::Withdraw(id),
            Effect::RequestSync => Outgoing::RequestSync,
            Effect::Event(event) => Outgoing::Event(self.wire_event(event)),
        }
    }

    fn wire_event(&self, event: Event) -> GameEvent {
        match event {
            Event::Decided {
                ship,
                sentence,
                reasons,
            } => GameEvent::Decided {
                ship: ship.to_string(),
                sentence: self.names.speak(&sentence),
                // Viewers want them even where the table is terse; the server leaves them out for each client that is.
                reasons: self.spoken_reasons(reasons),
            },
            Event::Activated { ship, message } => GameEvent::Activated {
                ship: ship.to_string(),
                message: self.names.speak(&message),
            },
            Event::Replanned { ship, message } => GameEvent::Replanned {
                ship: ship.to_string(),
                message: self.names.speak(&message),
            },
            Event::Round(round) => GameEvent::Round { round },
            Event::Note(message) => GameEvent::Note {
                message: self.names.speak(&message),
            },
            Event::Status(status) => GameEvent::Status {
                round: status.round,
                next: status.next.map(|id| id.to_string()).unwrap_or_default(),
                waiting: u32::try_from(status.waiting.len()).unwrap_or(u32::MAX),
                text: self.names.speak(&status.text),
                phase: status.phase.map(rounds::wire_phase),
                turn: status.turn.map(|id| id.to_string()).unwrap_or_default(),
            },
            Event::Phase(round, phase) => GameEvent::Phase {
                round,
                phase: rounds::wire_phase(phase),
            },
            Event::Attack(shown) => GameEvent::Attack {
                attacker: shown.attacker.to_string(),
                defender: shown.defender.to_string(),
                stage: rounds::stage(shown.stage),
                attack: shown.attack,
                defence: shown.defence,
                message: self.names.speak(&shown.message),
            },
            Event::Ledger(entry) => GameEvent::Ledger {
                entry: rounds::entry(entry),
            },
        }
    }

    /// Reasons whose texts speak names; what was compared keeps its ids.
    fn spoken_reasons(&self, mut reasons: Vec<Reason>) -> Vec<Reason> {
        for reason in &mut reasons {
            reason.text = self.names.speak(&reason.text);
            for compared in &mut reason.compared {
                compared.verdict = self.names.speak(&compared.verdict);
            }
        }
        reasons
    }

    /// Takes a new snapshot.
    fn observe(&mut self, rev: u64, snapshot: &Snapshot) -> Result<requests::Understood, Fault> {
        let understood = self.understand(rev, snapshot)?;
        self.game.observe(understood.observation.clone());
        Ok(understood)
    }

    /// Reads a snapshot, with the ships that are solo now.
    fn understand(&mut self, rev: u64, snapshot: &Snapshot) -> Result<requests::Understood, Fault> {
        let mut understood = match snapshot {
            Snapshot::Tts(raw) => {
                let solo = self
                    .game
                    .solo_if_listed(raw.solo.iter().map(|guid| guid.as_str().into()));
                let reading = tts::snapshot::read(raw, &solo, self.catalog);
                self.units = Units::Tts(reading.frame);
                self.mounts = reading.mounts.clone();
                requests::Understood::of_tts(raw, reading, self.catalog, rev)
            }
            Snapshot::Plain { position } => {
                self.units = Units::Plain;
                requests::Understood::of_position(position, self.catalog, rev)?
            }
            Snapshot::Vassal(_) => {
                return Err(Fault::new(
                    FaultKind::InvalidParams,
                    "pieces of a Vassal module are read by a profile, and none was asked",
                ));
            }
            Snapshot::Grid(_) => {
                return Err(Fault::new(
                    FaultKind::InvalidParams,
                    "this server plays a game of ships: start it with --swm for a map of squares",
                ));
            }
        };
        self.learn_names(snapshot, &mut understood.observation.table);
        Ok(understood)
    }

    /// Learns what the objects are called, and calls the ships so.
    fn learn_names(&mut self, snapshot: &Snapshot, table: &mut Table) {
        match snapshot {
            Snapshot::Plain { .. } | Snapshot::Grid(_) | Snapshot::Vassal(_) => self.names.learn_ships(table),
            Snapshot::Tts(raw) => self.names.learn_tts(raw, table),
        }
        self.names.give_to(table);
    }
}

fn open_journal(config: &HostConfig, notes: &mut Vec<String>) -> (Option<Journal>, Vec<Entry>, Option<Damage>) {
    let Some(path) = &config.journal else {
        return (None, Vec::new(), None);
    };
    let why = match Journal::open(path) {
        Ok((journal, contents)) if matches!(contents.entries.first(), None | Some(Entry::Started { .. })) => {
            let damage = contents.damage.filter(|damage| !damage.torn);
            return (Some(journal), contents.entries, damage);
        }
        // Written on, it would never be read back: no restart could tell which game it is.
        Ok(_) => format!(
            "journal {}: its first line does not begin a game; move the file away to start a new one",
            path.display()
        ),
        Err(error) => error.to_string(),
    };
    // Who started the program may be long gone from it when a table reads the note.
    tracing::warn!("the game is not recorded: {why}");
    notes.push(format!("The game is not recorded: {why}."));
    (None, Vec::new(), None)
}

/// A name that no other game has.
pub(super) fn random_name() -> String {
    use rand::TryRng as _;
    // Without the system's randomness the process and its start still tell games apart.
    let number = rand::rngs::SysRng.try_next_u64().unwrap_or_else(|_| {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        since.map_or(0, |since| since.as_nanos() as u64) ^ u64::from(std::process::id()).rotate_left(40)
    });
    format!("g{:010x}", number >> 24)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{
        game::journal::tests::SmallDisk,
        protocol::apply::{Outcome, WireStep},
    };

    /// Plays a round of two ships at a table that does all it is asked; what came out, with its answers.
    fn play(host: &mut Host) -> Vec<Outgoing> {
        let capabilities = ClientCapabilities {
            steps: vec!["say".to_owned(), "move".to_owned(), "token".to_owned()],
            ..ClientCapabilities::default()
        };
        let ship = |id: &str, side: &str, y: f64| json!({"id": id, "side": side, "ship": "tielnfighter", "x": 100, "y": y, "heading": 0});
        let ships = [
            ship("a", "solo", 100.0),
            ship("b", "solo", 300.0),
            ship("c", "player", 700.0),
        ];
        let sync = json!({"rev": 1, "snapshot": {"kind": "plain", "position": {"ships": ships}}});
        let mut waiting: VecDeque<Outgoing> = host.table_attached(&capabilities, false).into();
        let ask = |host: &mut Host, method: &str, params: &Value| {
            let (answer, outgoing) = host.request(Role::Table, method, params.clone());
            assert!(answer.is_ok(), "{method}: {answer:?}");
            outgoing
        };
        waiting.extend(ask(host, "table/sync", &sync));
        waiting.extend(ask(host, "solo/advance", &json!({"scope": "round", "rev": 1})));
        let mut seen = Vec::new();
        while let Some(outgoing) = waiting.pop_front() {
            match &outgoing {
                Outgoing::Apply(apply) => {
                    let done = ApplyResult {
                        outcome: Outcome::Applied,
                        reason: String::new(),
                        rev: 0,
                        observed: match &apply.step {
                            WireStep::Move { to, .. } => Some(*to),
                            _ => None,
                        },
                        bumped: false,
                        touching: Vec::new(),
                    };
                    waiting.extend(host.apply_answered(&apply.action_id, Ok(done)));
                }
                Outgoing::RequestSync => waiting.extend(ask(host, "table/sync", &sync)),
                Outgoing::Event(_) | Outgoing::Prompt(_) | Outgoing::Roll(_) | Outgoing::Withdraw(_) => {}
            }
            seen.push(outgoing);
        }
        seen
    }

    #[test]
    fn a_disk_that_fills_up_in_mid_game_is_told_once_and_play_goes_on() {
        let host = || {
            Host::new(HostConfig {
                game: Some("g".to_owned()),
                ..HostConfig::default()
            })
        };
        let undisturbed = play(&mut host());
        let activated = |outgoing: &&Outgoing| matches!(outgoing, Outgoing::Event(GameEvent::Activated { .. }));
        assert_eq!(undisturbed.iter().filter(activated).count(), 2);
        let on_a_disk = |lines: usize| {
            let disk = SmallDisk::default();
            disk.leave_room_for(lines);
            let mut host = host();
            host.journal = Some(Journal::on(PathBuf::from("game.jsonl"), Box::new(disk.clone())));
            (play(&mut host), disk.text())
        };
        let (seen, whole) = on_a_disk(1000);
        assert_eq!(seen, undisturbed);
        let lines = whole.lines().count();
        assert!(lines > 10, "{whole}");
        for room in 0..lines {
            let (seen, written) = on_a_disk(room);
            let (notes, rest): (Vec<_>, Vec<_>) = seen.into_iter().partition(|outgoing| {
                matches!(outgoing, Outgoing::Event(GameEvent::Note { message }) if message.contains("no longer be recorded"))
            });
            assert_eq!(notes.len(), 1, "room for {room} lines");
            assert_eq!(rest, undisturbed, "room for {room} lines");
            // What was written can be read again.
            assert!(
                whole.starts_with(&written) && written.lines().count() == room,
                "{written}"
            );
        }
    }

    #[test]
    fn a_journal_played_again_gives_every_decision_and_event_as_they_were() {
        let folder = tempfile::tempdir().unwrap();
        for seed in 0..4 {
            let path = folder.path().join(format!("{seed}.jsonl"));
            let mut host = Host::new(HostConfig {
                seed,
                journal: Some(path.clone()),
                ..HostConfig::default()
            });
            let live = play(&mut host);
            let replayed = replay::replay(&path, Catalog::embedded()).unwrap();
            assert_eq!((replayed.astray, replayed.damage), (Vec::new(), None));
            assert_eq!(replayed.table.as_ref(), host.game.table());
            let mut again: Vec<Outgoing> = replayed.lines.into_iter().flat_map(|line| line.outgoing).collect();
            let mut once = live;
            // What is sent together may have been answered in another order than it came.
            let key = |outgoing: &Outgoing| format!("{outgoing:?}");
            again.sort_by_key(key);
            once.sort_by_key(key);
            assert_eq!(again, once, "seed {seed}");
            let decided = |outgoing: &&Outgoing| matches!(outgoing, Outgoing::Event(GameEvent::Decided { .. }));
            assert!(once.iter().filter(decided).count() >= 2);
            // A step that this program would not send is told with its line.
            let text = std::fs::read_to_string(&path).unwrap();
            let unsealed: String = (text.lines())
                .map(|line| line.rsplit_once(",\"sum\"").unwrap().0.to_owned() + "}\n")
                .collect();
            let line = 1 + unsealed
                .lines()
                .position(|line| line.contains("\"entry\":\"sent\""))
                .unwrap();
            let changed = unsealed.replacen("\"actionId\":\"", "\"actionId\":\"x", 1);
            std::fs::write(&path, changed).unwrap();
            let replayed = replay::replay(&path, Catalog::embedded()).unwrap();
            assert_eq!(replayed.astray.first(), Some(&line));
        }
    }

    #[test]
    fn a_damaged_journal_is_gone_on_with_under_other_ids_and_the_players_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.jsonl");
        let config = || HostConfig {
            journal: Some(path.clone()),
            game: Some("g".to_owned()),
            ..HostConfig::default()
        };
        play(&mut Host::new(config()));
        let bytes = std::fs::read(&path).unwrap();
        let lines: Vec<usize> = (bytes.iter().enumerate())
            .filter(|(_, byte)| **byte == b'\n')
            .map(|(at, _)| at)
            .collect();
        // From the middle of the second line on, every fiftieth byte of the journal.
        for at in (lines[0] + 10..bytes.len()).step_by(50) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            std::fs::write(&path, &damaged).unwrap();
            let mut host = Host::new(config());
            let kept = std::fs::read(&path).unwrap();
            let whole = lines.iter().rfind(|end| **end < at).map_or(0, |end| end + 1);
            assert_eq!(
                kept,
                bytes[..whole],
                "byte {at}: everything before the damage, and nothing else"
            );
            let outgoing = host.table_attached(&ClientCapabilities::default(), false);
            let told = outgoing.iter().any(|outgoing| {
                matches!(outgoing, Outgoing::Event(GameEvent::Note { message }) if message.contains("damaged"))
            });
            // A line whose end is gone was never acted on, which is nothing to tell.
            let torn = at == bytes.len() - 1;
            assert_eq!(told, !torn, "byte {at}: {outgoing:?}");
        }
    }

    #[test]
    fn games_have_names_of_their_own() {
        assert_ne!(random_name(), random_name());
    }
}
