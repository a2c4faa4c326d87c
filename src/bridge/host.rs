//! Joins a game of ships to the wire: wire types in, wire types out, as [`super::served`] wants it.

mod requests;
mod rounds;
pub mod scenario;
mod words;

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::{
    bridge::{
        names::Names,
        served::{self, Entry, Served, random_name},
        tts::{self, units::Frame},
    },
    decision::Reason,
    game::{
        Effect, Event, Game, GameConfig, TableAbilities,
        event::Topic,
        round::escort::TableEscort,
        solo::SoloAlpha,
        step::{Step, StepKind},
    },
    protocol::{
        apply::{ApplyParams, ApplyResult, WireStep},
        event::GameEvent,
        fault::{Fault, FaultKind},
        lifecycle::{ClientCapabilities, Dialect},
        round::{DiceFrom, DiceInput, Plays, PromptTopic},
        snapshot::Snapshot,
        solo::{PromptParams, RollParams, RollResult},
    },
    solo_alpha::{Options, shown},
    xwing::{
        catalog::{Catalog, UpgradeFacts, asked::AttackValues},
        device::PlacedDevice,
        edition::FirstEditionOptions,
        table::Table,
    },
};
pub(super) use rounds::{dice_from, wire_dice};
use scenario::ServedScenario;
pub use served::Outgoing;

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
    /// Options of the first edition that the catalog's rules are made of, where there are some; kept in the journal.
    pub edition_options: Option<FirstEditionOptions>,
    /// Attack values that the catalog was given, as its data leaves them open (FE-SOLO-9); kept in the journal.
    pub attack_values: AttackValues,
    /// Where dice come from, until the players choose otherwise.
    pub dice: DiceFrom,
    /// How much is played; `None`: whole rounds where the table can lead its players through them.
    pub plays: Option<Plays>,
    /// The scenario that is played, if any (SA-13).
    pub scenario: Option<ServedScenario>,
    /// The game of Political Escort that is played, if any (PE).
    pub escort: Option<TableEscort>,
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
            edition_options: None,
            attack_values: AttackValues::new(),
            dice: DiceFrom::default(),
            plays: None,
            scenario: None,
            escort: None,
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

/// A game of ships at one table.
pub type Host = served::Host<ShipTable>;

/// A game of ships, as a host serves it.
#[derive(Debug)]
pub struct ShipTable {
    game: Game<SoloAlpha>,
    catalog: &'static Catalog,
    /// The attack values that this catalog was given since the game began (FE-SOLO-9).
    values_taken: AttackValues,
    attached: bool,
    terse: bool,
    dialect: Dialect,
    units: Units,
    names: Names,
    /// Which turret mount of a ship is turned.
    mounts: std::collections::BTreeMap<String, String>,
    snapshot: Option<Snapshot>,
}

/// A table of ships as it was seen, with the devices that the game keeps on it.
#[derive(Debug, Clone, PartialEq)]
pub struct SeenTable {
    /// The table.
    pub table: Table,
    /// Devices that were dropped and have not gone off.
    pub devices: Vec<PlacedDevice>,
}

impl Served for ShipTable {
    const FIRST: &'static str = "started";
    const NAME: &'static str = "a game of ships";
    type Config = HostConfig;
    type Seen = SeenTable;
    type Step = Step;

    fn journal(config: &HostConfig) -> Option<&Path> {
        config.journal.as_deref()
    }

    fn begins(first: &Entry) -> bool {
        matches!(first, Entry::Started { .. })
    }

    fn begin(config: &HostConfig, first: Option<&Entry>, notes: &mut Vec<String>) -> (ShipTable, Entry) {
        let mut options = config.options.clone();
        let mut game = GameConfig {
            id: config.game.clone().unwrap_or_else(random_name),
            seed: config.seed,
            dice: rounds::dice_from(config.dice),
            plays: config.plays.map(rounds::plays),
            prompt_deadline_ms: config.prompt_deadline_ms,
        };
        let mut scenario = config.scenario.clone();
        let mut escort = config.escort.clone();
        let mut edition = Some(config.catalog.edition());
        let mut edition_options = config.edition_options;
        let mut attack_values = config.attack_values.clone();
        if let Some(Entry::Started {
            game: id,
            seed,
            options: played,
            dice,
            plays,
            scenario: recorded,
            escort: led,
            edition: begun,
            edition_options: agreed,
            attack_values: told,
            ..
        }) = first
        {
            if let Some(begun) = begun.filter(|begun| *begun != config.catalog.edition()) {
                notes.push(format!(
                    "The recorded game is of the {} edition, and the facts of ships are of the {}; start with --new-game for \
                     another one.",
                    begun.name(),
                    config.catalog.edition().name()
                ));
            }
            edition = *begun;
            edition_options = *agreed;
            attack_values.clone_from(told);
            let recorded = recorded.as_deref().cloned();
            if scenario.is_some() && scenario != recorded {
                notes.push(
                    "The recorded game goes on with the scenario that it began with; start with --new-game for \
                         another one."
                        .to_owned(),
                );
            }
            scenario = recorded;
            let led = led.as_deref().cloned();
            if escort.is_some() && escort != led {
                notes.push(
                    "The recorded game goes on as it began, not with the squads and options of Political Escort that it was \
                     started with now; start with --new-game for another one."
                        .to_owned(),
                );
            }
            escort = led;
            game.id.clone_from(id);
            game.seed = *seed;
            game.dice = rounds::dice_from(*dice);
            game.plays = plays.map(rounds::plays);
            // Charts are a file of the user's and not in the journal.
            options = Options {
                charts: options.charts,
                ..played.clone()
            };
        }
        let started = Entry::Started {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            game: game.id.clone(),
            seed: game.seed,
            options: options.clone(),
            dice: rounds::wire_dice(game.dice),
            plays: game.plays.map(rounds::wire_plays),
            scenario: scenario.clone().map(Box::new),
            escort: escort.clone().map(Box::new),
            edition,
            edition_options,
            attack_values,
        };
        let mission = scenario.and_then(|scenario| match scenario.open(config.catalog, game.seed) {
            Ok(mission) => Some(mission),
            Err(error) => {
                notes.push(format!("The game goes on without its scenario: {error}."));
                None
            }
        });
        let game = Game::new(game, SoloAlpha { options });
        let table = ShipTable {
            game: match (mission, escort) {
                (_, Some(escort)) => game.with_escort(escort, config.catalog.outlines()),
                (Some(mission), None) => game.with_mission(mission),
                (None, None) => game,
            },
            catalog: config.catalog,
            values_taken: AttackValues::new(),
            attached: false,
            terse: false,
            dialect: Dialect::Plain,
            units: Units::Plain,
            names: Names::default(),
            mounts: std::collections::BTreeMap::new(),
            snapshot: None,
        };
        (table, started)
    }

    fn attach(&mut self, capabilities: &ClientCapabilities, resumed: bool) {
        self.attached = true;
        self.terse = capabilities.terse;
        self.dialect = capabilities.dialect;
        let steps = capabilities.steps.iter();
        let abilities = TableAbilities {
            steps: steps.filter_map(|word| StepKind::from_word(word)).collect(),
            prompt: capabilities.prompt,
            dice: capabilities.dice,
            rounds: capabilities.rounds,
        };
        self.game.attach(abilities, resumed);
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
        let answer = self.step_answer(result);
        self.game.step_answered(action_id, answer);
    }

    fn prompt_answered(&mut self, prompt_id: &str, choice: Option<&str>) {
        self.game.prompt_answered(prompt_id, choice);
    }

    fn roll_answered(&mut self, roll_id: &str, result: Option<&RollResult>) {
        self.game.roll_answered(roll_id, result.map(words::faces));
    }

    fn take_outgoing(&mut self) -> Vec<Outgoing> {
        self.take_attack_values();
        let effects = self.game.take_effects();
        effects.into_iter().map(|effect| self.outgoing(effect)).collect()
    }

    fn seen(&self) -> Option<SeenTable> {
        Some(SeenTable {
            table: self.game.table()?.clone(),
            devices: self
                .game
                .battle()
                .map_or_else(Vec::new, |battle| battle.devices().to_vec()),
        })
    }

    fn outstanding(&self) -> Option<(&str, &Step)> {
        let sent = self.game.outstanding()?;
        Some((&sent.action_id, &sent.step))
    }

    fn wire(&self, step: &Step) -> WireStep {
        self.wire_step(step)
    }
}

impl ShipTable {
    /// FE-SOLO-9: the players have told an attack value: ships are read with it from now on, those that were read already once
    /// more.
    fn take_attack_values(&mut self) {
        let told = self.game.attack_values();
        if *told == self.values_taken {
            return;
        }
        self.values_taken = told.clone();
        let values = told.iter().filter(|(card, _)| {
            let open = |upgrade: &UpgradeFacts| upgrade.xws == **card;
            self.catalog.open_attack_values().any(open)
        });
        let values = values.map(|(card, value)| (card.clone(), *value)).collect();
        match self.catalog.clone().with_attack_values(&values) {
            // Facts live as long as the program; a few cards at most are asked about.
            Ok(catalog) => self.catalog = Box::leak(Box::new(catalog)),
            Err(_) => return,
        }
        if let Some(snapshot) = self.snapshot.take() {
            if let Ok(understood) = self.understand(self.game.rev(), &snapshot) {
                self.game.arm(&understood.observation.table);
            }
            self.snapshot = Some(snapshot);
        }
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
                    Topic::Action => PromptTopic::Action,
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
                d20: 0,
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
    fn spoken_reasons(&self, reasons: Vec<Reason>) -> Vec<Reason> {
        let mut reasons = match self.game.table() {
            Some(table) => shown::reasons(&table.rules, reasons),
            None => reasons,
        };
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

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use serde_json::json;

    use super::*;
    use crate::{
        bridge::served::replay::replay,
        game::journal::{Journal, tests::SmallDisk},
        protocol::{apply::Outcome, lifecycle::Role},
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
            let replayed = replay::<ShipTable>(&path, &HostConfig::default()).unwrap();
            assert_eq!((replayed.astray, replayed.damage), (Vec::new(), None));
            assert_eq!(replayed.seen, host.game.seen());
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
            let replayed = replay::<ShipTable>(&path, &HostConfig::default()).unwrap();
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
}
