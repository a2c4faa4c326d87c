//! A skirmish at a virtual table of squares: what the table shows goes in, steps come out, each is carried out once whatever
//! the line and the server do, and the journal plays it again.

use std::{collections::VecDeque, path::PathBuf};

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};
use tallyho::{
    bridge::{
        host::Outgoing,
        served::replay::replay,
        skirmish::{GridTable, SkirmishHost, SkirmishHostConfig},
        virtual_grid::VirtualGrid,
    },
    protocol::{
        apply::{ApplyParams, ApplyResult, Outcome, WireStep},
        event::GameEvent,
        fault::FaultKind,
        grid::{BoardStep, GridSnapshot},
        lifecycle::{ClientCapabilities, Role},
        round::{DiceFrom, PromptTopic},
        solo::RollResult,
    },
};

fn snapshot() -> GridSnapshot {
    let rows = [
        ".. .. .. .. .. .. .. ..",
        ".. .. .. o. .. .. .. ..",
        ".. .. ## .. .. ~. .. ..",
        ".. .. .. .. .. .. .. ..",
        ".. .. .. o. .. .. .. ..",
    ];
    let figure = |side: &str, at: &str, more: Value| {
        let mut figure = json!({"hp": 40, "hp_max": 40, "def": 14, "atk": 14, "dmg": 10, "side": side, "at": at});
        figure
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        figure
    };
    let figures = [
        ("trooper", figure("automated", "H1", json!({"name": "Trooper"}))),
        (
            "knight",
            figure(
                "automated",
                "G4",
                json!({"abilities": ["Melee Attack", "Double Attack"], "force": 2}),
            ),
        ),
        (
            "gunner",
            figure(
                "automated",
                "H5",
                json!({"abilities": ["Double Attack", "Careful Shot 4"], "hp": 30}),
            ),
        ),
        (
            "hero",
            figure(
                "player",
                "A2",
                json!({"abilities": ["Lightsaber Defense"], "force": 3, "hp": 80, "hp_max": 80}),
            ),
        ),
        ("friend", figure("player", "B4", json!({"abilities": ["Shields 1"]}))),
    ];
    GridSnapshot {
        map: rows.map(str::to_owned).to_vec(),
        edges: vec!["door E1-F1".to_owned()],
        figures: figures.map(|(id, figure)| (id.to_owned(), figure)).into(),
        switches: None,
        round: 1,
    }
}

fn capabilities() -> ClientCapabilities {
    let steps = [
        "say",
        "walk",
        "attack",
        "damage",
        "force",
        "activated",
        "remove",
        "put",
        "door",
    ];
    ClientCapabilities {
        steps: steps.map(str::to_owned).to_vec(),
        prompt: true,
        dice: true,
        ..ClientCapabilities::default()
    }
}

/// A table, a server with its journal, and the line between them.
struct Evening {
    host: SkirmishHost,
    table: VirtualGrid,
    journal: Option<PathBuf>,
    line: VecDeque<Outgoing>,
    events: Vec<GameEvent>,
    asked: Vec<String>,
    /// What the table's dice have shown; every fourth time nobody sees it.
    rolled: Vec<Option<u8>>,
    chaos: Option<ChaCha8Rng>,
    presses: u32,
    kills: u32,
}

impl Evening {
    fn config(journal: &Option<PathBuf>, dice: DiceFrom) -> SkirmishHostConfig {
        SkirmishHostConfig {
            seed: 11,
            journal: journal.clone(),
            game: Some("evening".to_owned()),
            dice,
            ..SkirmishHostConfig::default()
        }
    }

    fn new(journal: Option<PathBuf>, chaos: Option<u64>, dice: DiceFrom) -> Evening {
        let mut evening = Evening {
            host: SkirmishHost::new(Evening::config(&journal, dice)),
            table: VirtualGrid::new(snapshot()),
            journal,
            line: VecDeque::new(),
            events: Vec::new(),
            asked: Vec::new(),
            rolled: Vec::new(),
            chaos: chaos.map(ChaCha8Rng::seed_from_u64),
            presses: 0,
            kills: 0,
        };
        evening.attach();
        evening.sync();
        evening
    }

    fn attach(&mut self) {
        let outgoing = self.host.table_attached(&capabilities(), true);
        self.line.extend(outgoing);
    }

    fn request(&mut self, method: &str, params: Value) -> Result<Value, tallyho::protocol::fault::Fault> {
        let (answer, outgoing) = self.host.request(Role::Table, method, params);
        self.line.extend(outgoing);
        answer
    }

    fn sync(&mut self) {
        let mut shown = serde_json::to_value(self.table.snapshot()).unwrap();
        shown["kind"] = "grid".into();
        let answer = self.request("table/sync", json!({"rev": self.table.rev(), "snapshot": shown}));
        assert!(answer.is_ok(), "{answer:?}");
    }

    /// The button, with a fresh snapshot.
    fn press(&mut self, scope: &str) -> Option<Value> {
        self.sync();
        self.presses += 1;
        let params = json!({"opId": format!("press-{}", self.presses), "scope": scope, "rev": self.table.rev()});
        let answer = self.request("solo/advance", params.clone());
        // The same press once more, by a line that stutters, plays nothing more.
        if self.chaos.is_some() && answer.is_ok() {
            assert_eq!(self.request("solo/advance", params), answer);
        }
        match answer {
            Ok(answer) => Some(answer),
            Err(fault) => {
                assert_eq!(fault.kind, FaultKind::NothingToDo, "{fault:?}");
                None
            }
        }
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.chaos
            .as_mut()
            .is_some_and(|chaos| chaos.random_range(0..100) < percent)
    }

    /// Lets everything on the line arrive, or not; ends when nothing is on its way any more.
    fn run(&mut self) {
        let mut patience = 5_000;
        loop {
            patience -= 1;
            assert!(patience > 0, "it never comes to rest");
            if self.chance(8) {
                // The server is killed and started again on its journal.
                self.line.clear();
                self.host = SkirmishHost::new(Evening::config(&self.journal, DiceFrom::Program));
                self.kills += 1;
                self.attach();
                continue;
            }
            if self.line.len() > 1 && self.chance(10) {
                let first = self.line.pop_front();
                self.line.extend(first);
            }
            let Some(outgoing) = self.line.pop_front() else {
                let status = self.request("game/status", json!({})).unwrap();
                if status["turn"].as_str().unwrap_or_default().is_empty() && status["outstanding"] == "" {
                    return;
                }
                // Something was lost: after a while it is asked for again.
                self.attach();
                continue;
            };
            if self.chance(10) {
                continue;
            }
            let twice = self.chance(10);
            for _ in 0..=u32::from(twice) {
                self.arrive(&outgoing);
            }
        }
    }

    fn arrive(&mut self, outgoing: &Outgoing) {
        match outgoing {
            Outgoing::Apply(params) => {
                let result = self.table.apply(params);
                if !self.chance(10) {
                    let more = self.host.apply_answered(&params.action_id, Ok(result));
                    self.line.extend(more);
                }
            }
            Outgoing::Prompt(prompt) => {
                assert!(prompt.options.contains(&prompt.default), "{prompt:?}");
                if prompt.topic == PromptTopic::Dice {
                    assert_eq!(prompt.options.len(), 20);
                }
                self.asked.push(prompt.text.clone());
                // The first answer, whatever it is; dice as the program would roll them.
                let choice = match prompt.topic {
                    PromptTopic::Dice => prompt.default.clone(),
                    _ => prompt.options[0].clone(),
                };
                let more = self.host.prompt_answered(&prompt.prompt_id, Some(choice));
                self.line.extend(more);
            }
            Outgoing::RequestSync => self.sync(),
            Outgoing::Event(event) => self.events.push(event.clone()),
            // Each question is answered as it comes: there is none left to take back.
            Outgoing::Withdraw(_) => {}
            Outgoing::Roll(roll) => {
                assert_eq!((roll.attack, roll.defence, roll.d20), (0, 0, 1), "{roll:?}");
                let number = self.rolled.len() as u8;
                let shows = (number % 4 != 3).then_some(1 + number * 7 % 20);
                self.rolled.push(shows);
                let result = shows.map(|shows| RollResult {
                    d20: vec![shows],
                    ..RollResult::default()
                });
                let more = self.host.roll_answered(&roll.roll_id, result);
                self.line.extend(more);
            }
        }
    }

    /// Two rounds: all automated figures, then the table begins a new round.
    fn two_rounds(&mut self) {
        for _ in 0..2 {
            while self.request("game/status", json!({})).unwrap()["waiting"] != json!([]) {
                let Some(answer) = self.press("ship") else { return };
                self.run();
                assert!(!answer["message"].as_str().unwrap().is_empty());
            }
            self.table.next_round();
            self.sync();
        }
    }
}

/// What the table looks like, and the steps that were carried out but for what is only read.
fn outcome(evening: &Evening) -> (Value, Vec<String>) {
    let steps = evening.table.carried_out.iter();
    let steps = steps.filter(|(_, step)| !matches!(step, WireStep::Say { .. }));
    let steps = steps.map(|(_, step)| serde_json::to_string(step).unwrap()).collect();
    (serde_json::to_value(evening.table.snapshot()).unwrap(), steps)
}

#[test]
fn a_virtual_grid_table_carries_a_skirmish_out() {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("game.jsonl");
    let mut evening = Evening::new(Some(journal.clone()), None, DiceFrom::Program);
    evening.two_rounds();
    let kinds: std::collections::BTreeSet<String> = (evening.table.carried_out.iter())
        .map(|(_, step)| {
            let step = serde_json::to_value(step).unwrap();
            step["does"]["kind"].as_str().unwrap_or("say").to_owned()
        })
        .collect();
    for kind in ["walk", "attack", "damage", "activated", "say"] {
        assert!(kinds.contains(kind), "{kind} is not among {kinds:?}");
    }
    assert!(
        evening.asked.iter().any(|text| text.contains("hero")),
        "{:?}",
        evening.asked
    );
    let decided = |event: &&GameEvent| matches!(event, GameEvent::Decided { reasons, .. } if reasons.iter().any(|reason| reason.rule.starts_with("SWM-")));
    assert!(evening.events.iter().filter(decided).count() >= 6);
    // The journal plays it again, step by step.
    let again = replay::<GridTable>(&journal, &SkirmishHostConfig::default()).unwrap();
    assert!(again.astray.is_empty() && again.damage.is_none(), "{:?}", again.astray);
    let board = again.seen.unwrap();
    for (id, piece) in &evening.table.pieces {
        let figure = board.figure(id).unwrap();
        assert_eq!(
            (figure.hit_points, figure.force),
            (if piece.on_map { piece.hp } else { 0 }, piece.force),
            "{id}"
        );
        assert!(!piece.on_map || figure.at.to_string() == piece.at, "{id}");
    }
}

#[test]
fn each_step_is_carried_out_once_whatever_the_line_and_the_server_do() {
    let calm = {
        let mut evening = Evening::new(None, None, DiceFrom::Program);
        evening.two_rounds();
        outcome(&evening)
    };
    let (mut kills, mut asked) = (0, 0);
    for seed in 0..30 {
        let folder = tempfile::tempdir().unwrap();
        let journal = folder.path().join("game.jsonl");
        let mut evening = Evening::new(Some(journal.clone()), Some(seed), DiceFrom::Program);
        evening.two_rounds();
        assert_eq!(outcome(&evening), calm, "seed {seed}");
        let ids: std::collections::BTreeSet<&String> = evening.table.carried_out.iter().map(|(id, _)| id).collect();
        assert_eq!(
            ids.len(),
            evening.table.carried_out.len(),
            "seed {seed}: a step was carried out twice"
        );
        assert!(
            replay::<GridTable>(&journal, &SkirmishHostConfig::default())
                .unwrap()
                .astray
                .is_empty(),
            "seed {seed}"
        );
        kills += evening.kills;
        asked += evening.asked.len();
    }
    assert!(kills > 30 && asked > 30, "{kills} {asked}");
}

#[test]
fn activations_are_taken_back_one_after_the_other() {
    let mut evening = Evening::new(None, None, DiceFrom::Program);
    let before = outcome(&evening).0;
    for _ in 0..3 {
        assert!(evening.press("ship").is_some());
        evening.run();
    }
    assert_ne!(outcome(&evening).0, before);
    for number in 0..3 {
        let answer = evening
            .request("solo/undo", json!({"opId": format!("undo-{number}")}))
            .unwrap();
        assert!(answer["message"].as_str().unwrap().contains("taken back"), "{answer}");
        evening.run();
    }
    assert_eq!(outcome(&evening).0, before);
    let fault = evening.request("solo/undo", json!({})).unwrap_err();
    assert_eq!(fault.kind, FaultKind::NothingToDo);
    // And forth again: the same dice come to the same end.
    evening.press("round");
    evening.run();
    let status = evening.request("game/status", json!({})).unwrap();
    assert_eq!(status["waiting"], json!([]));
}

#[test]
fn what_the_table_does_otherwise_counts() {
    let mut evening = Evening::new(None, None, DiceFrom::Program);
    // Somebody puts a player's figure where the knight is going to walk, while it walks.
    evening.press("ship");
    let walk = loop {
        let outgoing = evening.line.pop_front().expect("a figure walks");
        if let Outgoing::Apply(ApplyParams {
            step: WireStep::Board {
                does: BoardStep::Walk { way, .. },
            },
            ..
        }) = &outgoing
        {
            let end = way.last().unwrap().clone();
            evening.line.push_front(outgoing);
            break end;
        }
        evening.arrive(&outgoing);
    };
    evening
        .table
        .by_hand(|pieces| pieces.get_mut("friend").unwrap().at = walk.clone());
    evening.run();
    let replanned = evening
        .events
        .iter()
        .any(|event| matches!(event, GameEvent::Replanned { .. }));
    assert!(replanned, "{:?}", evening.events);
    let places: std::collections::BTreeSet<&String> = evening.table.pieces.values().map(|piece| &piece.at).collect();
    assert_eq!(
        places.len(),
        evening.table.pieces.len(),
        "two figures stand on one square"
    );
    // A table that answers nothing but errors does not stop the game: it is left to the players.
    let mut evening = Evening::new(None, None, DiceFrom::Program);
    evening.press("ship");
    for _ in 0..200 {
        match evening.line.pop_front() {
            Some(Outgoing::Apply(params)) => {
                let more = evening.host.apply_answered(&params.action_id, Err("broken".to_owned()));
                evening.line.extend(more);
            }
            Some(other) => evening.arrive(&other),
            None => break,
        }
    }
    let by_hand =
        |event: &GameEvent| matches!(event, GameEvent::Replanned { message, .. } if message.contains("by hand"));
    assert!(evening.events.iter().any(by_hand), "{:?}", evening.events);
    let status = evening.request("game/status", json!({})).unwrap();
    assert_eq!(
        (&status["turn"], &status["outstanding"]),
        (&Value::Null, &json!("")),
        "{status}"
    );
}

#[test]
fn players_may_roll_the_dice_and_be_asked_first() {
    let mut evening = Evening::new(None, None, DiceFrom::Typed);
    evening.two_rounds();
    assert!(
        evening.asked.iter().any(|text| text.contains("roll a d20")),
        "{:?}",
        evening.asked
    );
    let mut evening = Evening::new(None, None, DiceFrom::Program);
    evening.sync();
    let rev = evening.table.rev();
    evening
        .request("solo/advance", json!({"opId": "one", "confirm": true, "rev": rev}))
        .unwrap();
    let asked = evening.line.iter().find_map(|outgoing| match outgoing {
        Outgoing::Prompt(prompt) => Some(prompt.clone()),
        _ => None,
    });
    let prompt = asked.expect("the players are asked first");
    assert_eq!(prompt.options, ["Carry out", "Not now"]);
    evening.line.clear();
    let more = evening
        .host
        .prompt_answered(&prompt.prompt_id, Some("Not now".to_owned()));
    assert!(!more.iter().any(|outgoing| matches!(outgoing, Outgoing::Apply(_))));
    let status = evening.request("game/status", json!({})).unwrap();
    assert_eq!(status["waiting"].as_array().unwrap().len(), 3, "{status}");
}

#[test]
fn the_tables_own_dice_are_rolled_and_read_where_the_game_wants_them() {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("game.jsonl");
    let mut evening = Evening::new(Some(journal.clone()), None, DiceFrom::Table);
    evening.two_rounds();
    let rolled: Vec<u8> = evening.rolled.iter().copied().flatten().collect();
    assert!(evening.rolled.len() >= 4, "{:?}", evening.rolled);
    // What nobody saw is asked for; what was seen counts, in its order.
    assert!(
        evening.asked.iter().any(|text| text.contains("roll a d20")),
        "{:?}",
        evening.asked
    );
    let shown = evening.table.carried_out.iter().filter_map(|(_, step)| match step {
        WireStep::Board {
            does: BoardStep::Attack { rolled, .. },
        } => Some(*rolled),
        _ => None,
    });
    let shown: Vec<u8> = shown.collect();
    let counted = shown.iter().filter(|die| rolled.contains(die)).count();
    assert!(counted * 2 >= shown.len(), "{rolled:?} {shown:?}");
    let again = replay::<GridTable>(&journal, &SkirmishHostConfig::default()).unwrap();
    assert!(again.astray.is_empty(), "{:?}", again.astray);
    // The choice can be made at the table, too.
    let mut evening = Evening::new(None, None, DiceFrom::Program);
    evening
        .request("game/options", json!({"opId": "dice", "dice": "table"}))
        .unwrap();
    assert_eq!(evening.request("game/status", json!({})).unwrap()["dice"], "table");
    evening.two_rounds();
    assert!(!evening.rolled.is_empty());
}

#[test]
fn what_cannot_be_done_is_an_answer_with_a_reason() {
    let mut evening = Evening::new(None, None, DiceFrom::Program);
    let fault = |evening: &mut Evening, method: &str, params: Value| evening.request(method, params).unwrap_err();
    assert_eq!(
        fault(&mut evening, "solo/advance", json!({"ship": "nobody"})).kind,
        FaultKind::UnknownObject
    );
    assert_eq!(
        fault(&mut evening, "solo/advance", json!({"ship": "hero"})).kind,
        FaultKind::Illegal
    );
    assert_eq!(
        fault(&mut evening, "solo/assign", json!({})).kind,
        FaultKind::NotImplemented
    );
    assert_eq!(
        fault(&mut evening, "table/dance", json!({})).kind,
        FaultKind::MethodNotFound
    );
    assert_eq!(fault(&mut evening, "game/skip", json!({})).kind, FaultKind::NothingToDo);
    let plain = json!({"rev": 2, "snapshot": {"kind": "plain", "position": {}}});
    assert!(fault(&mut evening, "table/sync", plain).message.contains("--swm"));
    let bad = json!({"rev": 2, "snapshot": {"kind": "grid", "map": [".. .x"], "figures": {"P": {"hp": "many"}}}});
    assert_eq!(fault(&mut evening, "table/sync", bad).kind, FaultKind::InvalidParams);
    // Corrections and previews.
    let told = evening
        .request(
            "game/correct",
            json!({"ship": "trooper", "hull": 10, "activated": "done"}),
        )
        .unwrap();
    assert!(
        told["message"]
            .as_str()
            .unwrap()
            .contains("Trooper (trooper) has 10 hit points"),
        "{told}"
    );
    let preview = evening.request("solo/preview", json!({})).unwrap();
    assert!(
        ["knight", "gunner"].contains(&preview["ship"].as_str().unwrap()),
        "{preview}"
    );
    assert!(preview["reasons"].as_array().is_some_and(|reasons| !reasons.is_empty()));
    assert_eq!(
        fault(&mut evening, "game/correct", json!({"ship": "trooper"})).kind,
        FaultKind::InvalidParams
    );
    // A server that has seen nothing says what it needs.
    let mut host = SkirmishHost::new(SkirmishHostConfig::default());
    let (answer, _) = host.request(Role::Table, "solo/advance", json!({}));
    assert_eq!(answer.unwrap_err().kind, FaultKind::NoTable);
    host.table_attached(&capabilities(), false);
    let (answer, _) = host.request(Role::Table, "solo/advance", json!({}));
    assert_eq!(answer.unwrap_err().kind, FaultKind::StaleState);
    // An answer to nothing is dropped.
    let done = ApplyResult {
        outcome: Outcome::Applied,
        reason: String::new(),
        rev: 0,
        observed: None,
        bumped: false,
        touching: Vec::new(),
    };
    assert!(host.apply_answered("who-1", Ok(done)).is_empty());
}
