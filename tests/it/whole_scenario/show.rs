//! A virtual table with players who press the buttons, fly by a script, throw the mod's dice and type faces.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
    process::Command,
};

use serde_json::Value;
use tallyho::{
    bridge::{
        host::scenario::ServedScenario,
        tts::{
            install::{Connection, saved_object},
            moves, snapshot,
            units::{Frame, UNITS_PER_MM},
        },
        virtual_table::{CardSpec, MatSpec, ObstacleSpec, ShipSpec, VirtualTable, pilots},
    },
    dice::{DiceSource as _, SeededDice},
    game::round::scenario::TableMission,
    geometry::Pose,
    protocol::event::{AttackStage, GameEvent},
    server::tokens::Tokens,
    xwing::{ObjectId, catalog::Catalog, ship::Status, size::Size, table::Table},
};

use super::watched::Watched;
use crate::virtual_table::Server;

/// The side of the scenario's mat, mm.
pub const MAT_MM: f64 = 914.4;
/// Virtual seconds that one thing may take.
const PATIENCE: f64 = 400.0;

/// A game of the scenario at a virtual table.
pub struct Show {
    seed: u64,
    pub catalog: &'static Catalog,
    pub mission: TableMission,
    frame: Frame,
    /// GUID of each ship of the scenario.
    pub guids: BTreeMap<ObjectId, String>,
    pub table: VirtualTable,
    controller: String,
    server: Option<Server>,
    pub game: Watched,
    journal: PathBuf,
    /// What the players roll when they type.
    typed: SeededDice,
    /// Attacks of earlier servers.
    pub attacks: Vec<(bool, AttackStage)>,
    /// Servers so far.
    pub servers: u32,
    _folder: tempfile::TempDir,
}

/// How the table lies when the program first sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Laid {
    /// As the spawn list says.
    AsListed,
    /// Everything beside the mat.
    Beside,
}

/// What `tallyho serve --scenario intro` plays with these words.
fn served(faction: &str, wishes: &[&str]) -> ServedScenario {
    let enemy = if faction == "galacticempire" {
        "rebelalliance"
    } else {
        "galacticempire"
    };
    let word = |name: &str| {
        wishes
            .iter()
            .position(|word| *word == name)
            .map(|at| wishes[at + 1].to_owned())
    };
    ServedScenario {
        name: "intro".to_owned(),
        text: None,
        faction: faction.to_owned(),
        enemy: enemy.to_owned(),
        player_ships: None,
        variant: word("--variant"),
        take: Vec::new(),
        ace: None,
        squad: None,
        enemy_squad: None,
    }
}

/// The spawn list that `tallyho scenario intro` writes.
fn spawn_list(faction: &str, seed: u64, wishes: &[&str]) -> Value {
    let run = Command::new(env!("CARGO_BIN_EXE_tallyho"))
        .args(["scenario", "intro", "--faction", faction, "--format", "tts", "--seed"])
        .arg(seed.to_string())
        .args(wishes)
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    serde_json::from_slice(&run.stdout).unwrap()
}

fn tts(entry: &Value) -> [f64; 3] {
    ["x", "z", "rotY"].map(|axis| entry["tts"][axis].as_f64().unwrap())
}

impl Show {
    /// Sets the table, connects the controller and gives the solo side its models.
    pub fn begin(faction: &str, seed: u64, wishes: &[&str], laid: Laid) -> Self {
        let catalog = Catalog::embedded();
        let list = spawn_list(faction, seed, wishes);
        let scenario = served(faction, wishes);
        let mission = scenario.open(catalog, seed).unwrap();
        let half = MAT_MM / 2.0 * UNITS_PER_MM;
        let frame = Frame::new(0.0, 0.0, half, half);
        let mut table = VirtualTable::new().unwrap();
        table.set_patience(1.0);
        table.add_bags(&[]).unwrap();
        table.add_dice(seed as u32).unwrap();
        let mat = MatSpec {
            half,
            ..MatSpec::default()
        };
        table.add_mat(&mat).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let journal = folder.path().join("game.jsonl");
        let game = Watched::begin(seed, &journal, Some(scenario));
        let server = Server::of(0, Tokens::random().unwrap(), Box::new(game.clone()));
        let mut show = Self {
            seed,
            catalog,
            mission,
            frame,
            guids: BTreeMap::new(),
            table,
            controller: String::new(),
            server: Some(server),
            game,
            journal,
            typed: SeededDice::new(seed),
            attacks: Vec::new(),
            servers: 1,
            _folder: folder,
        };
        for (number, obstacle) in list["obstacles"].as_array().unwrap().iter().enumerate() {
            let spec = ObstacleSpec {
                guid: format!("0b57a{number}"),
                name: obstacle["piece"].as_str().unwrap().to_owned(),
                placement: match laid {
                    Laid::AsListed => tts(obstacle),
                    Laid::Beside => [-22.0, 4.0 * number as f64 - 10.0, 30.0],
                },
                ..ObstacleSpec::default()
            };
            show.table.add_obstacle(&spec).unwrap();
        }
        for (number, ship) in list["ships"].as_array().unwrap().iter().enumerate() {
            show.add_ship(number, ship, laid);
        }
        let server = show.server.as_ref().unwrap();
        let connection = Connection {
            port: server.port,
            token: server.tokens.table.expose().into(),
        };
        show.table.keep_replies();
        show.controller = show
            .table
            .spawn_saved_object(&saved_object(&connection).unwrap())
            .unwrap();
        show.until("connected", |show| show.lua("return Link.state") == "up");
        show.table.run_for(0.5).unwrap();
        show
    }

    /// The players give the solo side its models.
    pub fn assign(&self) {
        let solo: Vec<String> = (self.guids.iter())
            .filter(|(id, _)| !id.starts_with("player"))
            .map(|(_, guid)| guid.clone())
            .collect();
        let selected: Vec<&str> = solo.iter().map(String::as_str).collect();
        self.table.select(&selected).unwrap();
        self.press("Selected: solo on/off");
        self.until("all are assigned", |show| show.game.status().solo.len() == solo.len());
    }

    /// The players do what the set-up asks of them, until it is over. The questions, in order.
    pub fn set_up(&mut self) -> Vec<String> {
        let mut asked = Vec::new();
        for _ in 0..200 {
            self.table.run_for(0.3).unwrap();
            if self.lua("return tostring(Panel.questions.n > 0)") == "true" {
                asked.push(self.lua("return Panel.questions[1].text"));
                self.answer();
                continue;
            }
            let text = self.game.status().text;
            if self.calm() && text.contains("planning") {
                return asked;
            }
        }
        panic!("the set-up does not end: {:?}, {asked:?}", self.game.status());
    }

    /// The ship of the scenario that the players are asked to put down: it is put near the player edge.
    fn put_down(&self, question: &str) {
        let name = |own: &str| {
            let mut recruits = self.mission.play.mission.muster.recruits.iter();
            recruits
                .find(|recruit| *recruit.ship.id == *own)
                .unwrap()
                .ship
                .name
                .clone()
        };
        let own = self
            .guids
            .keys()
            .find(|own| question.contains(&format!("put {} down", name(own))));
        let own = own.unwrap_or_else(|| panic!("{question}"));
        let number: f64 = own.rsplit_once('-').unwrap().1.parse().unwrap();
        let pose = Pose::new(200.0 * number + 100.0, 55.0, 0.0);
        let placed = self.frame.placement(pose);
        self.table
            .put(&self.guids[own], [placed.x, placed.y, placed.facing])
            .unwrap();
        self.table.run_for(2.0).unwrap();
    }

    /// A ship of the spawn list with its cards; one that comes later stands beside the mat.
    fn add_ship(&mut self, number: usize, entry: &Value, laid: Laid) {
        let text = |field: &str| entry[field].as_str().unwrap().to_owned();
        let at = if entry.get("tts").is_some() && laid == Laid::AsListed {
            tts(entry)
        } else {
            [24.0 + 3.0 * (number / 4) as f64, 3.0 * (number % 4) as f64 - 6.0, 0.0]
        };
        let solo = text("side") == "solo";
        let guid = self
            .table
            .add_ship(&ShipSpec {
                guid: format!("{}0{number:04}", if solo { "5" } else { "9" }),
                name: text("name"),
                ship_id: text("ship"),
                size: Some(match entry["size"].as_str().unwrap() {
                    "small" => Size::Small,
                    "medium" => Size::Medium,
                    _ => Size::Large,
                }),
                initiative: entry["initiative"].as_u64().unwrap() as u8,
                faction: text("faction"),
                owner: if solo { String::new() } else { "Blue".into() },
                placement: at,
                ..ShipSpec::default()
            })
            .unwrap();
        let upgrades: Vec<&str> = (entry["upgrades"].as_array().unwrap().iter())
            .map(|id| id.as_str().unwrap())
            .collect();
        let facts = self
            .catalog
            .resolve(&text("ship"), Some(&text("pilot")), &upgrades)
            .unwrap();
        self.table
            .add_cards(&CardSpec {
                ship: guid.clone(),
                place: [-30.0 - 12.0 * (number / 6) as f64, -20.0 + 8.0 * (number % 6) as f64],
                upgrades: (upgrades.iter())
                    .filter_map(|id| Some(self.catalog.upgrade(id)?.name.clone()))
                    .collect(),
                shields: facts.shields,
                ..CardSpec::default()
            })
            .unwrap();
        self.guids.insert(entry["id"].as_str().unwrap().into(), guid);
    }

    pub fn lua(&self, code: &str) -> String {
        self.table.evaluate(&self.controller, code).unwrap()
    }

    pub fn buttons(&self) -> Vec<String> {
        self.table.buttons(&self.controller).unwrap()
    }

    #[track_caller]
    pub fn press(&self, label: &str) {
        self.table.run_for(0.1).unwrap();
        self.table.press(&self.controller, label, "Black").unwrap();
        self.table.run_for(0.1).unwrap();
    }

    #[track_caller]
    pub fn until(&self, what: &str, condition: impl Fn(&Self) -> bool) {
        let held = self.table.run_until(PATIENCE, |_| condition(self)).unwrap();
        let chat = self.table.chat();
        assert!(
            held,
            "{what}: status {:?}, buttons {:?}, chat {:#?}",
            self.game.status(),
            self.buttons(),
            &chat[chat.len().saturating_sub(25)..]
        );
    }

    /// No message is on its way and no press unanswered.
    fn quiet(&self) -> bool {
        self.lua("return tostring(Link.state == 'up' and not Panel.pressed and Link.outbox.n == 0)") == "true"
    }

    /// Nothing is under way: no step, no press, no dice, no question.
    pub fn calm(&self) -> bool {
        let idle = "return tostring(Steps.running == nil and Steps.waiting.n == 0 and Dice.current == nil \
                    and Panel.questions.n == 0)";
        self.quiet() && self.lua(idle) == "true" && self.game.status().outstanding.is_empty()
    }

    /// The table as the program reads it, by the ids of the scenario, with who was shot down.
    pub fn look(&self) -> Table {
        let status = self.game.status();
        let solo: BTreeSet<ObjectId> = status.solo.iter().map(|guid| guid.as_str().into()).collect();
        let raw = self.game.with(|seen| seen.raw.clone());
        let mut table = snapshot::read(&raw, &solo, self.catalog).table;
        for ship in &mut table.ships {
            if status
                .ledger
                .iter()
                .any(|entry| *entry.ship == *ship.id && entry.destroyed)
            {
                ship.status = Status::Destroyed;
            }
        }
        table
    }

    /// As [`Show::look`], in the scenario's own ids.
    pub fn scenario_table(&self) -> Table {
        let mut table = self.look();
        let names: BTreeMap<&str, &ObjectId> = self.guids.iter().map(|(id, guid)| (guid.as_str(), id)).collect();
        for ship in &mut table.ships {
            if let Some(id) = names.get(&*ship.id) {
                ship.id = (*id).clone();
            }
            ship.side = if ship.id.starts_with("player") {
                "player"
            } else {
                "solo"
            }
            .to_owned();
        }
        Table::new(table.area, table.ships, table.obstacles, table.markers)
    }

    /// Has the controller read the table.
    pub fn sync(&self) {
        let rev = self.game.status().rev;
        self.press("Tallyho");
        self.until("the table is read", |show| show.game.status().rev > rev && show.calm());
    }

    /// The players' ship whose turn it is flies by the script and takes a focus token.
    pub fn fly(&mut self, guid: &str) {
        let table = self.look();
        let ship = table.ship(guid).unwrap();
        let choice = pilots::choose(&table, ship).expect("a maneuver");
        let moved = self.table.fly(guid, &moves::maneuver_code(choice.maneuver)).unwrap();
        self.until("it rests", |show| show.table.at_rest(guid).unwrap());
        if moved && choice.may_act {
            self.table.take_token(guid, "Focus").unwrap();
        }
        self.table.run_for(1.0).unwrap();
        let rev = self.game.status().rev;
        self.press("Tallyho");
        self.until("the table is read", |show| show.game.status().rev > rev);
        // What the move leads to is played, and what only the players know is asked.
        for _ in 0..200 {
            self.table.run_for(0.2).unwrap();
            if !self.waits() {
                break;
            }
        }
        let [x, z, _] = self.table.placement(guid).unwrap();
        let half = MAT_MM / 2.0 * UNITS_PER_MM;
        if z < -half {
            // SA-13: over the player edge it is safe, and the program takes its model off.
            self.until("it is safe", |show| show.calm() && show.game.status().turn != guid);
            return;
        }
        if x.abs() > half || z.abs() > half {
            // It fled, as the program has seen.
            self.until("it is gone", |show| {
                show.calm()
                    && show
                        .game
                        .status()
                        .ledger
                        .iter()
                        .all(|entry| entry.ship != guid || entry.destroyed)
            });
            return;
        }
        // A ship that did not move at all is passed over by its own button.
        if self.game.status().turn == guid {
            self.press("Skip this ship");
            self.until("it is passed over", |show| {
                show.game.status().turn != guid && show.calm()
            });
        }
    }

    /// Answers the question that is shown: the first attack and the best spending, faces as the players roll them.
    fn answer(&mut self) {
        let question = self.lua("return Panel.questions[1].id");
        let buttons = self.buttons();
        let has = |label: &str| buttons.iter().any(|button| button == label);
        let asked = self.lua("return Panel.questions[1].text");
        if asked.starts_with("Please put ") && asked.contains("range") {
            self.put_down(&asked);
            // Its ship was seen: nothing is to be answered any more.
            if self.lua("local q = Panel.questions[1] return q ~= nil and q.id or ''") != question {
                return;
            }
        }
        let label = if buttons.iter().any(|button| button.starts_with("Done (default)")) {
            "Done (default)"
        } else if has("Done") {
            "Done"
        } else if has("Crit") {
            match self.typed.attack() {
                tallyho::dice::AttackFace::Crit => "Crit",
                tallyho::dice::AttackFace::Hit => "Hit",
                tallyho::dice::AttackFace::Focus => "Focus",
                tallyho::dice::AttackFace::Blank => "Blank",
            }
        } else if has("Evade") {
            match self.typed.defence() {
                tallyho::dice::DefenceFace::Evade => "Evade",
                tallyho::dice::DefenceFace::Focus => "Focus",
                tallyho::dice::DefenceFace::Blank => "Blank",
            }
        } else if buttons.iter().any(|button| button.starts_with("Type the faces")) {
            // The dice roll; they are waited for.
            self.table.run_for(1.0).unwrap();
            return;
        } else {
            let Some(label) = buttons.iter().find(|button| button.ends_with("(default)")).cloned() else {
                // It fell away before its buttons were looked at.
                assert_ne!(
                    self.lua("local q = Panel.questions[1] return q ~= nil and q.id or ''"),
                    question,
                    "{buttons:?}"
                );
                return;
            };
            self.press(&label);
            self.until("answered", |show| {
                show.lua("local q = Panel.questions[1] return q ~= nil and q.id or ''") != question
            });
            return;
        };
        self.press(label);
    }

    /// Plays until the round that follows begins, or the game is over.
    pub fn play_round(&mut self, round: u32, mut between: impl FnMut(&mut Self)) {
        self.press("Next");
        for _ in 0..600 {
            self.table.run_for(0.2).unwrap();
            let status = self.game.status();
            if status.round > round || status.text.contains("The game is over") {
                return;
            }
            if self.waits() {
                continue;
            }
            between(self);
            self.take_turn();
        }
        panic!("round {round} does not end: {:?}", self.game.status());
    }

    /// One thing more: an answer, a flight or a press.
    pub fn play_step(&mut self) {
        self.table.run_for(0.2).unwrap();
        if !self.waits() {
            self.take_turn();
        }
    }

    /// Answers what is asked, and lets what is under way go on. Whether there was anything.
    fn waits(&mut self) -> bool {
        if self.lua("return tostring(Panel.questions.n > 0)") == "true" {
            self.answer();
            return true;
        }
        let under_way = !self.calm();
        if under_way {
            self.table.run_for(0.5).unwrap();
        }
        under_way
    }

    /// The players fly the ship whose turn it is, or press on.
    fn take_turn(&mut self) {
        let status = self.game.status();
        let phase = serde_json::to_value(status.phase).unwrap();
        let solo = status.turn.is_empty() || status.solo.contains(&status.turn);
        if phase == "activation" && !solo {
            self.fly(&status.turn);
        } else {
            self.press("Next");
        }
    }

    /// Ends the server and starts another on the same journal.
    pub fn kill_the_server(&mut self) {
        self.note_attacks();
        let (port, tokens) = self.server.take().unwrap().stop();
        self.table.run_for(3.0).unwrap();
        self.servers += 1;
        // The scenario stands in the journal.
        self.game = Watched::begin(self.seed, &self.journal, None);
        self.server = Some(Server::of(port, tokens, Box::new(self.game.clone())));
        self.until("connected again", |show| {
            show.lua("return Link.state") == "up" && show.game.with(|seen| !seen.raw.ships.is_empty()) && show.quiet()
        });
    }

    /// Saves the table and loads it at once: every script begins anew.
    pub fn load_the_table(&self) {
        let saved = self.table.save().unwrap();
        self.table.load(&saved).unwrap();
        self.until("loaded", |show| {
            show.lua("return tostring(Link.state == 'up' and Rounds.on())") == "true" && show.calm()
        });
    }

    pub fn note_attacks(&mut self) {
        let solo = self.game.status().solo;
        let events = self.game.with(|seen| seen.events.clone());
        for event in events {
            if let GameEvent::Attack { attacker, stage, .. } = event {
                self.attacks.push((solo.contains(&attacker), stage));
            }
        }
    }

    pub fn said(&self, part: &str) -> usize {
        self.table.chat().iter().filter(|line| line.contains(part)).count()
    }

    /// Table and ledger agree.
    #[track_caller]
    pub fn assert_agreement(&self) {
        self.sync();
        let status = self.game.status();
        let half = MAT_MM / 2.0 * UNITS_PER_MM;
        let raw = self.game.with(|seen| seen.raw.clone());
        for entry in &status.ledger {
            let [x, z, facing] = self.table.placement(&entry.ship).unwrap();
            let on_the_mat = x.abs() <= half && z.abs() <= half;
            assert_eq!(on_the_mat, !entry.destroyed, "{entry:?}");
            let seen = raw.ships.iter().find(|ship| ship.guid == entry.ship).unwrap();
            assert!((seen.x - x).abs() < 1e-5 && (seen.z - z).abs() < 1e-5 && (seen.rot_y - facing).abs() < 1e-3);
            if entry.shields_max > 0 {
                assert_eq!(seen.shields, Some(entry.shields), "{entry:?}");
            }
            if entry.destroyed {
                assert!(self.table.tokens(&entry.ship).unwrap().is_empty(), "{entry:?}");
            }
        }
        // Between two rounds no round token lies on the table.
        for guid in self.guids.values() {
            for token in ["Focus", "Evade", "Calculate"] {
                let tokens = self.table.tokens(guid).unwrap();
                assert!(!tokens.contains_key(token), "{guid}: {tokens:?}");
            }
        }
    }
}
