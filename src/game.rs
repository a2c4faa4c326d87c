//! One game at one table: what was observed, whose turn it is, the plan of the current activation, commands sent and
//! acknowledged, undo. A pure state machine: values in, [`Effect`]s out; no socket, no clock, no file, no global
//! randomness. The same inputs give the same states, so that a journal of the inputs is the whole game (see
//! [`journal`]).
//!
//! An activation runs through its [`activation::Stage`]s: look at the table, (roll real dice), decide, (ask the
//! players), announce, move, settle what the *observed* move led to, act from the observed pose. Between them come the
//! moments of cards, where whole rounds are played. A step that the table
//! rejects leads to another look at the table and a new plan that does not repeat what has been done.

pub mod activation;
pub mod answers;
pub mod carrying_out;
pub mod event;
pub mod instruction;
pub mod journal;
pub mod opponent;
mod plan;
pub mod requests;
pub mod round;
pub mod seats;
pub mod skirmish;
pub mod solo;
pub mod step;
pub mod undo;

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::Arc,
};

use crate::{
    dice::{AttackFace, DefenceFace, SeededDice},
    geometry::{Pose, angle},
    xwing::{ObjectId, action::ActionKind, catalog::asked::AttackValues, ship::Ship, table::Table},
};
use activation::{Activation, Stage};
pub use event::{AttackShown, AttackStage, Effect, Event, Prompt, Refusal, Roll, SentStep, Status};
use opponent::{Opponent, Situation};
use round::{
    Ask, DiceFrom, Plays, Whole,
    escort::Led,
    ledger::{Fighters, LedgerEntry, Report},
    scenario::TableMission,
};
use seats::Seats;
use step::{Step, StepKind};
use undo::Done;

/// Poses closer than this are the same pose, mm. Tables round, physics settles.
pub const SAME_POSE_MM: f64 = 1.0;

/// Headings closer than this are the same heading, degrees.
pub const SAME_POSE_DEGREES: f64 = 1.0;

/// Activations, and steps of whole rounds, that can be taken back.
const HISTORY: usize = 64;

/// Times that the same part of an activation is tried again before the players are asked to do it by hand.
const ATTEMPTS: u32 = 3;

/// Whether two poses agree as closely as a table can tell.
pub fn same_pose(a: Pose, b: Pose) -> bool {
    a.position.distance(b.position) <= SAME_POSE_MM && angle::signed(a.heading - b.heading).abs() <= SAME_POSE_DEGREES
}

/// What is fixed for a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameConfig {
    /// Names the game for good; action ids start with it.
    pub id: String,
    /// All rolls come from it.
    pub seed: u64,
    /// Where dice come from, until the players choose otherwise.
    pub dice: DiceFrom,
    /// How much is played; `None`: whole rounds where the table can lead its players through them.
    pub plays: Option<Plays>,
    /// Time the players have for a question, ms; after it the default counts.
    pub prompt_deadline_ms: u32,
}

/// What the connected table can do.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TableAbilities {
    /// Kinds of steps that it carries out.
    pub steps: BTreeSet<StepKind>,
    /// It can ask the players.
    pub prompt: bool,
    /// It can roll dice.
    pub dice: bool,
    /// It leads its players through whole rounds.
    pub rounds: bool,
}

/// A table as it was seen.
#[derive(Debug, Clone, PartialEq)]
pub struct Observation {
    /// The table.
    pub table: Table,
    /// Ships that the table lists as solo.
    pub solo: Vec<ObjectId>,
    /// Ships with a dial that can be set.
    pub dials: BTreeSet<ObjectId>,
    /// The table's own round number; 0 if it counts none.
    pub round: u32,
    /// Its revision.
    pub rev: u64,
    /// What the ships are beside their places on the table, as printed; those that no catalog knows are left out.
    pub fighters: Fighters,
    /// What the table says about shields and damage cards, where it does.
    pub reports: BTreeMap<ObjectId, Report>,
    /// Obstacles that lie beside the play area.
    pub loose: Vec<LoosePiece>,
    /// Cards of its ships whose attack value nobody knows yet, by their ids, with their titles (FE-SOLO-9).
    pub open_values: BTreeMap<String, String>,
}

/// An obstacle that lies beside the play area, to be laid down.
#[derive(Debug, Clone, PartialEq)]
pub struct LoosePiece {
    /// The object.
    pub id: ObjectId,
    /// Its obstacle id, as in `coreasteroid0`.
    pub piece: String,
    /// Where its own frame lies.
    pub pose: Pose,
}

/// How much one press plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// The next solo ship.
    Ship,
    /// All solo ships of the lowest initiative that still waits.
    Initiative,
    /// All solo ships that still wait.
    Round,
}

/// Ships that will act, and what to tell the players.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Advance {
    /// In order; empty: nobody waits.
    pub ships: Vec<ObjectId>,
    /// One sentence.
    pub message: String,
}

/// What the players know better.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Override {
    /// `Some(None)` lifts the forced tally.
    pub tally: Option<Option<ObjectId>>,
    /// The roll of the next activation.
    pub roll: Option<(DefenceFace, AttackFace)>,
    /// Whether the ship has activated this round.
    pub activated: Option<bool>,
}

/// One game at one table.
#[derive(Debug)]
pub struct Game<O: Opponent> {
    opponent: O,
    config: GameConfig,
    abilities: Option<TableAbilities>,
    table: Option<Table>,
    dials: BTreeSet<ObjectId>,
    rev: u64,
    /// Something was carried out, or somebody else may have moved, since the last snapshot.
    stale: bool,
    round: u32,
    /// The table lost its memory, so its round number may be lower than ours.
    may_be_rewound: bool,
    /// The players were told that pressing again begins a new round.
    new_round_offered: bool,
    seats: Seats,
    activated: BTreeSet<ObjectId>,
    performed: BTreeMap<ObjectId, Vec<ActionKind>>,
    forced_tallies: BTreeMap<ObjectId, ObjectId>,
    rolls: BTreeMap<ObjectId, (DefenceFace, AttackFace)>,
    queue: VecDeque<ObjectId>,
    confirm: bool,
    activation: Option<Activation<O::Memory>>,
    outstanding: Option<SentStep>,
    numbers: u64,
    history: Vec<Done>,
    last_status: Option<Status>,
    plays: Option<Plays>,
    dice_from: DiceFrom,
    table_leads: bool,
    whole: Option<Whole>,
    /// Players' ships that were seen elsewhere, as they were before; their activations are still to be followed.
    moved_by_players: Vec<Ship>,
    /// What takes back a move that players have made by hand for a choice.
    players_moves: Vec<Step>,
    /// The press that came while the activation of a player's ship was followed.
    pressed: Option<(Scope, bool)>,
    /// What is waited for beside the steps of the table.
    ask: Ask,
    /// The scenario, if one is played.
    mission: Option<Arc<TableMission>>,
    /// Political Escort, if it is played.
    escort: Option<Led>,
    /// How many evade tokens mark Protect tokens beside the shuttle on the table (PE-6.2).
    protect_markers: u32,
    /// Obstacles that lie beside the play area.
    loose: Vec<LoosePiece>,
    /// Cards whose attack value is still to be asked for.
    open_values: BTreeMap<String, String>,
    /// What the players have read on cards whose attack value the data leaves open (FE-SOLO-9).
    attack_values: AttackValues,
    fighters: Fighters,
    last_ledger: Vec<LedgerEntry>,
    effects: Vec<Effect>,
}

impl<O: Opponent> Game<O> {
    /// A game that has seen no table yet.
    pub fn new(config: GameConfig, opponent: O) -> Self {
        Self {
            plays: config.plays,
            dice_from: config.dice,
            table_leads: false,
            whole: None,
            moved_by_players: Vec::new(),
            players_moves: Vec::new(),
            pressed: None,
            ask: Ask::Nothing,
            mission: None,
            escort: None,
            protect_markers: 0,
            loose: Vec::new(),
            open_values: BTreeMap::new(),
            attack_values: AttackValues::new(),
            fighters: Fighters::new(),
            last_ledger: Vec::new(),
            opponent,
            config,
            abilities: None,
            table: None,
            dials: BTreeSet::new(),
            rev: 0,
            stale: true,
            round: 1,
            may_be_rewound: true,
            new_round_offered: false,
            seats: Seats::default(),
            activated: BTreeSet::new(),
            performed: BTreeMap::new(),
            forced_tallies: BTreeMap::new(),
            rolls: BTreeMap::new(),
            queue: VecDeque::new(),
            confirm: false,
            activation: None,
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

    /// The table as last seen, with what was carried out since.
    pub fn table(&self) -> Option<&Table> {
        self.table.as_ref()
    }

    /// Revision of the last snapshot.
    pub fn rev(&self) -> u64 {
        self.rev
    }

    /// The ships that would be solo if the table listed these.
    pub fn solo_if_listed(&self, listed: impl IntoIterator<Item = ObjectId>) -> BTreeSet<ObjectId> {
        let mut seats = self.seats.clone();
        seats.list(listed);
        seats.solo()
    }

    /// The step that is on its way, if any.
    pub fn outstanding(&self) -> Option<&SentStep> {
        self.outstanding.as_ref()
    }

    /// A table connected. What was on its way is sent again under its old number; a table that does not remember its
    /// session is looked at first, for it may have been rewound.
    pub fn attach(&mut self, abilities: TableAbilities, resumed: bool) {
        self.table_leads = abilities.rounds;
        self.abilities = Some(abilities);
        self.may_be_rewound |= !resumed;
        let Some(activation) = self.activation.as_mut() else {
            self.resend();
            self.status();
            return;
        };
        if !resumed {
            activation.awaits_sync = true;
        }
        if activation.awaits_sync {
            self.effects.push(Effect::RequestSync);
        } else {
            self.resend();
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
        self.queue.clear();
        self.activation = None;
        self.outstanding = None;
        // What was asked is asked again, under another id.
        self.ask = Ask::Nothing;
        self.stale = true;
    }

    /// What the table may have lost: the step on its way, and the question that waits beside it (a correction sends steps
    /// while a question is open).
    fn resend(&mut self) {
        if let Some(sent) = &self.outstanding {
            self.effects.push(Effect::Send(sent.clone()));
        }
        if let Some(Stage::Confirm(prompt)) = self.activation.as_ref().map(|activation| &activation.stage) {
            self.effects.push(Effect::Prompt(prompt.clone()));
        } else {
            self.ask_again();
        }
    }

    /// The table was seen.
    pub fn observe(&mut self, observation: Observation) {
        let Observation {
            mut table,
            solo,
            dials,
            round,
            rev,
            fighters,
            reports,
            loose,
            open_values,
        } = observation;
        if self.is_another_game(&table) {
            self.begin_anew();
        }
        self.seats.list(solo);
        self.dials = dials;
        self.fighters = fighters;
        self.loose = loose;
        self.open_values = open_values;
        self.rev = rev;
        self.stale = false;
        // A lower number is a table put back to an earlier state, or only a snapshot from before the last message.
        if round > self.round || (round != 0 && round < self.round && self.may_be_rewound) {
            self.begin_round(round);
        }
        self.may_be_rewound = false;
        for ship in &mut table.ships {
            if let Some(performed) = self.performed.get(&ship.id) {
                for kind in performed {
                    if !ship.performed.contains(kind) {
                        ship.performed.push(*kind);
                    }
                }
            }
        }
        let before = self.table.take();
        // While a step is on its way the snapshot may be from before or after it: for the acting ship the answer
        // counts.
        if let (Some(activation), Some(_), Some(before)) = (&self.activation, &self.outstanding, &before)
            && !activation.awaits_sync
            && let Some(known) = before.ship(&activation.ship)
            && let Some(seen) = table.ships.iter_mut().find(|ship| ship.id == activation.ship)
        {
            *seen = known.clone();
        }
        self.take_round(before.as_ref(), &mut table, &reports);
        self.table = Some(table);
        if self.shuttle_was_moved() {
            // Its players have flown it: the question is answered.
            self.drop_ask();
        }
        self.seen_again(before.as_ref());
        if self.activation.is_none() {
            if self.judge_placed() {
                self.carry_on();
            }
            self.looked();
            self.scenario_goes_on();
            if self.asked_meanwhile().is_some() || !self.moved_by_players.is_empty() {
                self.drive();
            }
        }
        self.status();
    }

    /// Who is on whose side has changed; everything else on the table is as it was.
    pub fn take_sides(&mut self, table: &Table) {
        for ship in self.table.iter_mut().flat_map(|known| &mut known.ships) {
            if let Some(other) = table.ship(&ship.id) {
                ship.side.clone_from(&other.side);
            }
        }
        self.follow_table();
        self.status();
    }

    /// A table that shares no ship with the one before is another game.
    fn is_another_game(&self, table: &Table) -> bool {
        self.table.as_ref().is_some_and(|before| {
            !before.ships.is_empty()
                && !table.ships.is_empty()
                && !before.ships.iter().any(|ship| table.ship(&ship.id).is_some())
        })
    }

    fn begin_anew(&mut self) {
        self.drop_ask();
        self.seats = Seats::default();
        self.activated.clear();
        self.performed.clear();
        self.forced_tallies.clear();
        self.rolls.clear();
        self.queue.clear();
        self.history.clear();
        self.activation = None;
        self.outstanding = None;
        self.whole = None;
        self.moved_by_players.clear();
        self.pressed = None;
        self.last_ledger.clear();
        self.protect_markers = 0;
        self.round = 1;
        self.new_round_offered = false;
        self.note("None of the ships is known from before: a new game begins with round 1.");
    }

    fn begin_round(&mut self, round: u32) {
        if round < self.round {
            self.note(&format!(
                "The table is back in round {round}; all solo ships count as waiting. Set those that have already \
                 activated to done."
            ));
        }
        self.round = round;
        self.new_round_offered = false;
        self.put_battle_into_round();
        self.moved_by_players.clear();
        self.activated.clear();
        self.performed.clear();
        // A ship that acts right now finishes; the new round counts from its end.
        let acting = self.activation.as_ref().map(|activation| activation.ship.clone());
        self.queue.clear();
        if let Some(table) = &mut self.table {
            for ship in &mut table.ships {
                if Some(&ship.id) != acting.as_ref() {
                    ship.performed.clear();
                }
            }
        }
        self.effects.push(Effect::Event(Event::Round(round)));
    }

    /// Round, who waits, what goes on.
    pub fn current_status(&self) -> Status {
        let Some(table) = &self.table else {
            return Status {
                round: self.round,
                text: "Waiting for a table.".to_owned(),
                ..Status::default()
            };
        };
        let waiting: Vec<ObjectId> = self.seats.order(table, &self.activated).into_iter().cloned().collect();
        let acting = self.activation.as_ref().map(|activation| activation.ship.clone());
        let next = waiting.iter().find(|id| Some(*id) != acting.as_ref()).cloned();
        let in_round = self.scenario_text().or_else(|| {
            let plays = self.any_solo_in_play();
            plays.then(|| self.round_text(table)).flatten()
        });
        let text = if let Some(activation) = &self.activation {
            format!(
                "Round {}: {} acts ({}).",
                self.round,
                activation.name,
                self.doing(activation)
            )
        } else if let Some(text) = in_round {
            text
        } else if let Some(ship) = next.as_ref().and_then(|id| table.ship(id)) {
            // The player is first player in Solo Alpha: at equal initiative the players' ships go first.
            format!(
                "Round {}: next is {} (initiative {}), after the players' ships of initiative {} and lower.",
                self.round,
                called(ship),
                ship.initiative,
                ship.initiative
            )
        } else if self.any_solo_in_play() {
            format!("Round {}: all solo ships have activated.", self.round)
        } else {
            "No solo ship is on the table: assign one.".to_owned()
        };
        let text = match self.escort_standing() {
            Some(standing) => format!("{text} {standing}"),
            None => text,
        };
        Status {
            round: self.round,
            next,
            waiting,
            solo: self.seats.solo().into_iter().collect(),
            acting,
            phase: self.phase(),
            turn: self.turn(),
            text,
        }
    }

    /// What the activation that runs is doing, for the players.
    fn doing(&self, activation: &Activation<O::Memory>) -> String {
        match &self.ask {
            Ask::Choice { .. } if !activation.awaits_sync => "waiting for your answer".to_owned(),
            Ask::Dice { .. } if !activation.awaits_sync => "waiting for the dice".to_owned(),
            _ => activation.doing(self.outstanding.as_ref()),
        }
    }

    fn status(&mut self) {
        self.tell_ledger();
        let status = self.current_status();
        if self.last_status.as_ref() == Some(&status) {
            return;
        }
        self.last_status = Some(status.clone());
        self.effects.push(Effect::Event(Event::Status(status)));
    }

    fn note(&mut self, text: &str) {
        self.effects.push(Effect::Event(Event::Note(text.to_owned())));
    }

    fn situation(&self, ship: &str) -> Situation {
        Situation {
            forced_tally: self.forced_tallies.get(ship).cloned(),
            escort: self.escort_situation(ship),
        }
    }

    fn dice(&self, ship: &str) -> crate::dice::FixedRoll<SeededDice> {
        let fixed = self.rolls.get(ship);
        crate::dice::FixedRoll {
            defence: fixed.map(|roll| roll.0),
            attack: fixed.map(|roll| roll.1),
            rest: SeededDice::for_activation(self.config.seed, self.round, ship),
        }
    }

    /// A number that is never used again, as the end of an id.
    fn new_id(&mut self, letter: &str) -> String {
        self.numbers += 1;
        format!("{}-{letter}{}", self.config.id, self.numbers)
    }

    fn name(&self, id: &str) -> String {
        self.table
            .as_ref()
            .and_then(|table| table.ship(id))
            .map_or_else(|| id.to_owned(), |ship| called(ship).to_owned())
    }

    fn names(&self, ids: &[ObjectId]) -> String {
        let names: Vec<_> = ids.iter().map(|id| self.name(id)).collect();
        names.join(", then ")
    }

    fn ship_mut(&mut self, id: &str) -> Option<&mut Ship> {
        self.table.as_mut()?.ships.iter_mut().find(|ship| &*ship.id == id)
    }
}

/// What the players call a ship: its name, or where it has none, its id.
fn called(ship: &Ship) -> &str {
    if ship.name.is_empty() { &ship.id } else { &ship.name }
}

/// The ship of that id.
fn known_ship<'t>(table: &'t Table, id: &str) -> Result<&'t Ship, Refusal> {
    table.ship(id).ok_or_else(|| Refusal::Unknown {
        what: "ship",
        id: id.to_owned(),
    })
}

/// A roll as the players write it.
pub fn roll_text((defence, attack): (DefenceFace, AttackFace)) -> String {
    format!("{}/{}", defence.word(), attack.word())
}
