//! Whole rounds of a game, as a state machine of values: planning, system, activation, engagement, end.
//!
//! A [`Battle`] stops where somebody must choose ([`Battle::pending`]) and goes on when the choice is given
//! ([`Battle::answer`]), up to the next one. It carries out what the rules say and refuses what they do not allow; who
//! chooses, and why, is not its concern. Everything that happens is recorded as an [`Event`].
//!
//! | what | where |
//! |---|---|
//! | what happened | [`event`] |
//! | what a ship is beside its place on the table: hull, agility, cards | [`fighter`] |
//! | phases, turn order, simultaneous fire, the end phase | `rounds` |
//! | a scenario: who arrives, and when it is over | [`mission`] |
//! | Political Escort | [`escort`] |
//! | maneuvers, Check Difficulty, obstacles, the edge | `activation` |
//! | what a stressed or ionized ship flies in the place of what it shows | `instead` |
//! | decloaking at the start of the Activation Phase | `decloaking` |
//! | actions | `acting` |
//! | every way to take an action | `possible` |
//! | the System Phase, devices | `devices` |
//! | disputes about what the rules leave open | `disputes` |
//! | bombs and mines that are dropped in a ship's own activation | `bombs` |
//! | jam tokens and what they take with them | [`jamming`] |
//! | the letters of target locks | `letters` |
//! | tractor tokens | [`tractor`] |
//! | attacks: pools, dice, spending, damage | [`attack`] |
//! | damage, and damage cards as they come to lie face up | `damage` |
//! | which interpreters of card effects there are | [`support`] |
//! | card effects: what happened, what conditions ask, the queue, what is offered | [`occasion`], [`conditions`], [`queue`], [`offer`] |
//! | a battle that follows a real table | `tabletop` |
//! | what no battle may do, told from its events alone | [`audit`] |

use std::{borrow::Cow, collections::BTreeSet, sync::Arc};

use serde::{Deserialize, Serialize};

use super::{
    ObjectId,
    action::{ActionDetail, ActionKind},
    combat::{self, AttackStep, Spending},
    damage_deck::{DeckFacts, Decks},
    device::{DropTemplate, PlacedDevice},
    edition::{Edition, Ties},
    effects::Window,
    maneuver::{Difficulty, Maneuver},
    movement::{Alignment, Execution},
    reposition::Decloak,
    ship::{Ship, Status},
    table::Table,
};
use crate::dice::DiceSource;

use occasion::Happening;

mod acting;
mod activation;
pub mod attack;
pub mod audit;
mod bombs;
pub mod conditions;
mod damage;
mod decloaking;
mod devices;
mod disputes;
pub mod escort;
pub mod event;
pub mod fighter;
mod instead;
pub mod jamming;
mod letters;
pub mod mission;
pub mod occasion;
pub mod offer;
mod possible;
pub mod queue;
mod recovering;
mod rounds;
pub mod support;
mod tabletop;
pub mod tractor;

use self::attack::Fought;
pub use self::{
    attack::{Bonus, Contested, DiceChoice, Duel, Windows},
    escort::{EscortEvent, EscortInPlay},
    event::{Event, LostAction, NoAttack},
    fighter::Fighter,
    jamming::Jammed,
    mission::{Mission, MissionInPlay},
    offer::{Choice, GivenAction, Offer},
    tabletop::ActedAtTable,
    tractor::Pull,
};

/// The phases of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Phase {
    /// Dials are set.
    Planning,
    /// Devices.
    System,
    /// Ships move and act, lowest initiative first.
    Activation,
    /// Ships attack, highest initiative first.
    Engagement,
    /// Round tokens go, charges come back.
    End,
    /// The battle is over.
    Over,
}

impl Phase {
    /// What players call it.
    pub const fn name(self) -> &'static str {
        match self {
            Phase::Planning => "planning",
            Phase::System => "system",
            Phase::Activation => "activation",
            Phase::Engagement => "engagement",
            Phase::End => "end",
            Phase::Over => "over",
        }
    }

    /// What players of an edition call it.
    pub const fn called(self, edition: Edition) -> &'static str {
        match (self, edition) {
            (Phase::Engagement, Edition::First) => "combat",
            _ => self.name(),
        }
    }
}

/// One side of the battle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Side {
    /// The side that its ships name.
    pub name: String,
    /// Whether its ships get dials in the planning phase (SA-1: solo ships get none).
    pub dials: bool,
    /// Whether its ships flee over the edge (SA-7: solo ships stop at it and turn).
    pub flees: bool,
}

/// How a battle begins.
#[derive(Debug, Clone, PartialEq)]
pub struct Setup {
    /// The ships as they are deployed, and the obstacles.
    pub table: Table,
    /// The rest about each ship; ships without an entry take no part.
    pub fighters: Vec<(ObjectId, Fighter)>,
    /// The sides, the first player's first: at the same initiative its ships come first.
    pub sides: Vec<Side>,
    /// Whether the next side is the first player in each next round, so that neither has an advantage.
    pub alternating: bool,
    /// After so many rounds it is over, whoever is left.
    pub rounds: Option<u32>,
    /// Whether guides count for overlap.
    pub guides: bool,
    /// The scenario that is played, if any: its ships to come are on the table's list, in reserve.
    pub mission: Option<MissionInPlay>,
    /// The game of Political Escort that is played, if any (PE).
    pub escort: Option<EscortInPlay>,
}

/// What somebody must choose.
#[derive(Debug, Clone, PartialEq)]
pub enum Request {
    /// The ship's dial for this round.
    Dial {
        /// The ship.
        ship: ObjectId,
    },
    /// Whether and how a cloaked ship decloaks, in the System Phase or at the start of the Activation Phase (FE-6.3).
    Decloak {
        /// The ship.
        ship: ObjectId,
    },
    /// Whether the ship drops its device, in the System Phase or as it reveals its maneuver (FE-11.1), and with which
    /// template: see [`Battle::drops`].
    Drop {
        /// The ship.
        ship: ObjectId,
    },
    /// Which obstacle a device goes off around.
    Detonate {
        /// The ship that dropped it; it may be gone.
        ship: ObjectId,
        /// The device.
        device: ObjectId,
    },
    /// Whether and how a ship that has become tractored is moved: see [`Battle::pulled`].
    Pull {
        /// The ship whose effect it was: who flies it is asked.
        ship: ObjectId,
        /// The ship that is moved.
        target: ObjectId,
    },
    /// Which maneuver of its dial, none of the red ones, a stressed ship executes that shows a red one: its opponent picks
    /// (FE-14.4). See [`Battle::pickable`].
    PickManeuver {
        /// An enemy of it: who flies that one is asked.
        ship: ObjectId,
        /// The ship that moves.
        target: ObjectId,
    },
    /// What a jam token takes with it, which the owner of the ship picks (FE-6.7). See [`Battle::jammable`].
    Jammed {
        /// The ship that had the jam token.
        ship: ObjectId,
    },
    /// Under which ship a mine goes off that was dropped on several (FE-11.2). See [`Battle::under_mine`].
    MineUnder {
        /// The ship that dropped it.
        ship: ObjectId,
        /// The mine.
        device: ObjectId,
    },
    /// How the ship moves.
    Fly {
        /// The ship.
        ship: ObjectId,
        /// What its dial, or the rules, fix; only a Tallon roll's alignment is left to choose.
        fixed: Option<Maneuver>,
    },
    /// The ship's action, with the actions linked to it.
    Act {
        /// The ship.
        ship: ObjectId,
        /// The ship that coordinates it; `None` in its own activation.
        coordinated_by: Option<ObjectId>,
    },
    /// Whom the ship attacks, if anybody.
    Attack {
        /// The ship.
        ship: ObjectId,
    },
    /// What the attacker does with its dice: see [`Battle::duel`].
    ModifyAttack {
        /// The attacker.
        ship: ObjectId,
    },
    /// What the defender spends on its dice: see [`Battle::duel`].
    ModifyDefence {
        /// The defender.
        ship: ObjectId,
    },
    /// What a side does in another window of an attack that cards touch: see [`Windows::turn`]. The two above may be
    /// answered in the same way where cards have a say.
    Dice {
        /// The attacker or the defender, whose side has its turn.
        ship: ObjectId,
        /// The window.
        window: combat::contest::Window,
    },
    /// Whether and how a card's effect is used, or a choice within it.
    Effect(Box<Offer>),
    /// An action that a card gives, if the ship takes it.
    CardAction(GivenAction),
}

impl Request {
    /// The ship that is asked.
    pub fn ship(&self) -> &ObjectId {
        match self {
            Request::Dial { ship }
            | Request::Decloak { ship }
            | Request::Drop { ship }
            | Request::Detonate { ship, .. }
            | Request::Pull { ship, .. }
            | Request::PickManeuver { ship, .. }
            | Request::Jammed { ship }
            | Request::MineUnder { ship, .. }
            | Request::Fly { ship, .. }
            | Request::Act { ship, .. }
            | Request::Attack { ship }
            | Request::ModifyAttack { ship }
            | Request::ModifyDefence { ship }
            | Request::Dice { ship, .. } => ship,
            Request::Effect(offer) => &offer.ship,
            Request::CardAction(given) => &given.ship,
        }
    }
}

/// A move as it is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Flight {
    /// The maneuver.
    pub maneuver: Maneuver,
    /// Means something in a Tallon roll only.
    pub alignment: Alignment,
    /// SA-7: how a ship turns that is stopped at the edge, degrees, right positive: 90, -90 or 180. Without it 180.
    pub edge_turn: Option<f64>,
}

/// One action as it is chosen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Order {
    /// An action of the action bar.
    Bar {
        /// Which.
        kind: ActionKind,
        /// Its colour, as the bar has it.
        difficulty: Difficulty,
        /// How.
        detail: ActionDetail,
    },
    /// The action that a card of the ship adds, by the id of the card, as in `damage:fuel-leak`: such as a damage card that
    /// lies face up and says how it is repaired.
    Card(String),
}

/// An attack as it is chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AttackOrder {
    /// The weapon's place among the ship's weapons.
    pub weapon: usize,
    /// The defender.
    pub target: ObjectId,
}

/// A choice: each kind answers the request of its name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Answer {
    /// The dial.
    Dial(Maneuver),
    /// How the ship decloaks, if it does.
    Decloak(Option<Decloak>),
    /// The template of the drop, if one is made.
    Drop(Option<DropTemplate>),
    /// Drops another bomb than the one at hand, by its card (FE-11.1): one of [`Battle::other_drops`].
    DropOther {
        /// The card's xws id.
        device: String,
        /// The template.
        template: DropTemplate,
    },
    /// The obstacle.
    Detonate(ObjectId),
    /// The move of the tractored ship, if one is made.
    Pull(Option<Pull>),
    /// The maneuver that a stressed ship executes.
    PickManeuver(Maneuver),
    /// What the jam token takes with it.
    Jammed(Jammed),
    /// The ship under which the mine goes off.
    MineUnder(ObjectId),
    /// The move.
    Fly(Flight),
    /// Actions in order; none to take none.
    Act(Vec<Order>),
    /// The attack, if one is made.
    Attack(Option<AttackOrder>),
    /// The attacker's next step.
    ModifyAttack(AttackStep),
    /// What the defender spends.
    ModifyDefence(Spending),
    /// The next step in an attack that cards touch.
    Dice(DiceChoice),
    /// The place of what is chosen among the choices of the offer; `None` for none of them. An action that a card gives is
    /// answered by [`Answer::Act`].
    Effect(Option<usize>),
    /// FE-0.8: the player disputes how the program reads the rules, whatever is asked: dice decide whose reading counts, where
    /// the rules have that, and what was asked is asked still.
    Dispute {
        /// What it is about, in the player's words.
        about: String,
    },
}

/// Why an answer is not accepted. The battle stands where it stood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// An answer to another question, or to none.
    #[error("that is no answer to what is asked: see `pending`")]
    NotAsked,
    /// Not on the dial, or not what the dial shows.
    #[error("`{ship}` cannot fly {maneuver}: it is not on its dial, or not what its dial shows")]
    Maneuver {
        /// The ship.
        ship: ObjectId,
        /// What was chosen.
        maneuver: Maneuver,
    },
    /// An action that the ship cannot take.
    #[error("`{ship}` cannot take that action: {why}")]
    Action {
        /// The ship.
        ship: ObjectId,
        /// What is against it.
        why: &'static str,
    },
    /// An attack that the ship cannot make.
    #[error("`{ship}` cannot make that attack: {why}")]
    Attack {
        /// The ship.
        ship: ObjectId,
        /// What is against it.
        why: &'static str,
    },
    /// Something that a card does not offer, or nothing where something has to be chosen.
    #[error("`{ship}` cannot choose that: it is not among what the card offers, and one of these has to be taken")]
    Choice {
        /// The ship.
        ship: ObjectId,
    },
    /// A device that cannot be dropped so.
    #[error(
        "`{ship}` cannot drop its device by the {template}: it has no charge or no such template, or the device would leave the play area"
    )]
    Drop {
        /// The ship.
        ship: ObjectId,
        /// What was chosen.
        template: DropTemplate,
    },
    /// An obstacle that a device cannot go off around.
    #[error("`{device}` cannot go off around `{obstacle}`: choose an obstacle at range 0-1 of it")]
    Obstacle {
        /// The device.
        device: ObjectId,
        /// What was chosen.
        obstacle: ObjectId,
    },
    /// A tractored ship that cannot be moved so.
    #[error("`{ship}` cannot be moved so: a ship or the edge is in the way")]
    Pull {
        /// The ship.
        ship: ObjectId,
    },
    /// Something that is not among what can be picked.
    #[error("`{ship}` cannot pick that: {why}")]
    Pick {
        /// The ship that is asked.
        ship: ObjectId,
        /// What is against it.
        why: &'static str,
    },
    /// A dispute where the rules have no roll for it.
    #[error(
        "the program goes by the rules that its reasons name (FE-0.8): ask why; the option disputeRoll lets three dice each decide"
    )]
    Dispute,
    /// Spending what is not there, or on dice that are not there.
    #[error("`{ship}` cannot spend that: it has not so many tokens, or not so many such dice")]
    Spending {
        /// The ship.
        ship: ObjectId,
    },
}

/// A battle that cannot begin.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadSetup {
    /// A ship about which nothing is said.
    #[error("ship `{0}` has no hull and agility: give it an entry among the fighters")]
    NoFighter(ObjectId),
    /// A ship that cannot move.
    #[error("ship `{0}` has no maneuver on its dial: give it one, or leave it out")]
    EmptyDial(ObjectId),
    /// A ship of no side.
    #[error("ship `{0}` belongs to no side of the battle: name its side among the sides")]
    NoSide(ObjectId),
}

/// A battle in play.
#[derive(Debug, Clone)]
pub struct Battle {
    table: Table,
    /// In the order of the table's ships.
    fighters: Vec<Fighter>,
    sides: Vec<Side>,
    alternating: bool,
    rounds: Option<u32>,
    guides: bool,
    mission: Option<MissionInPlay>,
    escort: Option<EscortInPlay>,
    /// Whether it follows a real table, where players move the ships.
    at_table: bool,
    /// Whether the activations of this round at the table are over.
    activation_over: bool,
    /// Whether ships have left or arrived since it was last asked whether it is over.
    recount: bool,
    /// The place of the scenario's ending that has come.
    ending: Option<usize>,
    facts: &'static DeckFacts,
    decks: Decks,
    round: u32,
    phase: Phase,
    /// Ships that have had their turn in this phase.
    done: Vec<ObjectId>,
    /// The initiative whose ships engage now.
    engaging: Option<u8>,
    /// Ships that are shot down, and stay until they have had their own turn in this phase (FE-9.5).
    dying: Vec<ObjectId>,
    /// The side that has lost by leaving the play area (FE-14.15).
    forfeited: Option<usize>,
    /// The last move, and whose it was.
    moved: Option<(ObjectId, Execution)>,
    /// Obstacles that the last boost or barrel roll went through or onto.
    crossed: Vec<ObjectId>,
    /// Whether the ship that moved last was ionized when it did.
    ionized: bool,
    /// Cloaked ships that are still to be asked at the start of this Activation Phase, the next one last; none before it.
    decloaking: Option<Vec<ObjectId>>,
    /// The ship whose move led over a mine that takes its action (FE-11.2): until another one moves.
    mined: Option<ObjectId>,
    /// The maneuver that an opponent has picked, and the ship that is to fly it.
    picked: Option<(ObjectId, Maneuver)>,
    /// The letters of target locks.
    letters: letters::Letters,
    duel: Option<Duel>,
    /// Attacks that are over, until their aftermath is: a bonus attack lies above the one that gave it.
    fought: Vec<Fought>,
    /// The bonus attack that is offered.
    bonus: Option<Bonus>,
    /// Ships that have made, or declined, their bonus attack of the round.
    bonus_made: Vec<ObjectId>,
    /// The attacks of the phase.
    fired: Vec<attack::Fired>,
    /// Devices on the table.
    devices: Vec<PlacedDevice>,
    /// How many have been dropped.
    devices_dropped: u32,
    /// Bombs that are still to go off at the end of this Activation Phase, the next one last; none before its end.
    detonations: Option<Vec<ObjectId>>,
    /// Cards that no file knows, about which the players were asked.
    unknown_cards: BTreeSet<String>,
    /// What waits: card effects, and what comes after them.
    queue: queue::Queue,
    pending: Option<Request>,
    events: Vec<Event>,
}

impl Battle {
    /// A battle before its first round, up to the first choice. The dice shuffle the damage decks.
    ///
    /// # Errors
    /// A ship without an entry among the fighters or the sides.
    pub fn new(mut setup: Setup, dice: &mut dyn DiceSource) -> Result<Battle, BadSetup> {
        let mut entries = std::mem::take(&mut setup.fighters);
        let mut fighters = Vec::with_capacity(setup.table.ships.len());
        for ship in &setup.table.ships {
            let place = entries.iter().position(|(id, _)| *id == ship.id);
            let place = place.ok_or_else(|| BadSetup::NoFighter(ship.id.clone()))?;
            if ship.dial.maneuvers().is_empty() {
                return Err(BadSetup::EmptyDial(ship.id.clone()));
            }
            if !setup.sides.iter().any(|side| side.name == ship.side) {
                return Err(BadSetup::NoSide(ship.id.clone()));
            }
            fighters.push(entries.swap_remove(place).1);
        }
        let mut battle = Battle::assemble(setup, fighters, dice);
        battle.note_what_is_not_played();
        battle.enter(dice);
        battle.advance(dice);
        Ok(battle)
    }

    /// A battle before anything has happened, `fighters` in the order of the table's ships.
    fn assemble(setup: Setup, fighters: Vec<Fighter>, dice: &mut dyn DiceSource) -> Battle {
        let facts = DeckFacts::of(setup.table.rules.damage_deck);
        let sides = setup.sides.iter().map(|side| &*side.name);
        let decks = Decks::shuffled(facts, setup.table.rules.damage_decks, sides, dice);
        Battle {
            table: setup.table,
            fighters,
            sides: setup.sides,
            alternating: setup.alternating,
            rounds: setup.rounds,
            guides: setup.guides,
            mission: setup.mission,
            escort: setup.escort,
            at_table: false,
            activation_over: false,
            recount: true,
            ending: None,
            facts,
            decks,
            round: 0,
            phase: Phase::End,
            done: Vec::new(),
            engaging: None,
            dying: Vec::new(),
            forfeited: None,
            moved: None,
            crossed: Vec::new(),
            ionized: false,
            decloaking: None,
            mined: None,
            picked: None,
            letters: letters::Letters::default(),
            duel: None,
            fought: Vec::new(),
            bonus: None,
            bonus_made: Vec::new(),
            fired: Vec::new(),
            devices: Vec::new(),
            devices_dropped: 0,
            detonations: None,
            unknown_cards: BTreeSet::new(),
            queue: queue::Queue::default(),
            pending: None,
            events: Vec::new(),
        }
    }

    /// The battle as it stands, with an empty record: to see what would come of something, which the record, long as it
    /// grows, has no part in.
    fn without_record(&self) -> Battle {
        Battle {
            table: self.table.clone(),
            fighters: self.fighters.clone(),
            sides: self.sides.clone(),
            alternating: self.alternating,
            rounds: self.rounds,
            guides: self.guides,
            mission: self.mission.clone(),
            escort: self.escort.clone(),
            at_table: self.at_table,
            activation_over: self.activation_over,
            recount: self.recount,
            ending: self.ending,
            facts: self.facts,
            decks: self.decks.clone(),
            round: self.round,
            phase: self.phase,
            done: self.done.clone(),
            engaging: self.engaging,
            dying: self.dying.clone(),
            forfeited: self.forfeited,
            moved: self.moved.clone(),
            crossed: self.crossed.clone(),
            ionized: self.ionized,
            decloaking: self.decloaking.clone(),
            mined: self.mined.clone(),
            picked: self.picked.clone(),
            letters: self.letters.clone(),
            duel: self.duel.clone(),
            fought: self.fought.clone(),
            bonus: self.bonus.clone(),
            bonus_made: self.bonus_made.clone(),
            fired: self.fired.clone(),
            devices: self.devices.clone(),
            devices_dropped: self.devices_dropped,
            detonations: self.detonations.clone(),
            unknown_cards: self.unknown_cards.clone(),
            queue: self.queue.clone(),
            pending: self.pending.clone(),
            events: Vec::new(),
        }
    }

    /// What must be chosen now; `None` when the battle is over.
    pub fn pending(&self) -> Option<&Request> {
        self.pending.as_ref()
    }

    /// Takes a choice and goes on to the next one.
    ///
    /// # Errors
    /// When the rules do not allow it; nothing has changed then.
    pub fn answer(&mut self, answer: Answer, dice: &mut dyn DiceSource) -> Result<(), Refused> {
        let request = self.pending.clone().ok_or(Refused::NotAsked)?;
        if let Answer::Dispute { about } = &answer {
            return self.dispute(about, dice);
        }
        match (request, answer) {
            (Request::Dial { ship }, Answer::Dial(maneuver)) => self.set_dial(&ship, maneuver)?,
            (Request::Decloak { ship }, Answer::Decloak(way)) => self.decloak(&ship, way, dice)?,
            (Request::Drop { ship }, Answer::Drop(template)) => self.drop_device(&ship, template, dice)?,
            (Request::Drop { ship }, Answer::DropOther { device, template }) => {
                self.drop_other(&ship, &device, template, dice)?;
            }
            (Request::Detonate { device, .. }, Answer::Detonate(obstacle)) => {
                self.choose_obstacle(&device, &obstacle, dice)?;
            }
            (Request::Pull { ship, target }, Answer::Pull(pull)) => self.pull(&ship, &target, pull, dice)?,
            (Request::PickManeuver { ship, target }, Answer::PickManeuver(maneuver)) => {
                self.pick_for_stressed(&ship, &target, maneuver)?;
            }
            (Request::Jammed { ship }, Answer::Jammed(what)) => self.lose_to_jam(&ship, &what)?,
            (Request::MineUnder { ship, device }, Answer::MineUnder(under)) => {
                self.choose_under_mine(&ship, &device, &under, dice)?;
            }
            (Request::Fly { ship, fixed }, Answer::Fly(flight)) => self.fly(&ship, fixed, flight)?,
            (Request::Act { ship, coordinated_by }, Answer::Act(orders)) => {
                self.act(&ship, coordinated_by.is_some(), &orders, dice)?;
            }
            (Request::Attack { ship }, Answer::Attack(order)) => self.declare(&ship, order, dice)?,
            (Request::ModifyAttack { ship }, Answer::ModifyAttack(step)) => self.modify_attack(&ship, step, dice)?,
            (Request::ModifyDefence { ship }, Answer::ModifyDefence(spending)) => {
                self.modify_defence(&ship, spending, dice)?;
            }
            (
                Request::ModifyAttack { .. } | Request::ModifyDefence { .. } | Request::Dice { .. },
                Answer::Dice(choice),
            ) => self.answer_dice(choice, dice)?,
            (Request::Effect(_), Answer::Effect(choice)) if self.asks_for_protect() => {
                self.answer_protect(choice, dice)?;
            }
            (Request::Effect(_), Answer::Effect(choice)) => self.answer_effect(choice, dice)?,
            (Request::CardAction(_), Answer::Act(orders)) => self.act_as_given(&orders, dice)?,
            _ => return Err(Refused::NotAsked),
        }
        self.advance(dice);
        Ok(())
    }

    /// The table as it stands.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The table without the ships that are shot down but still to fire (simultaneous fire): nobody attacks them again.
    pub fn targets(&self) -> Cow<'_, Table> {
        self.targets_of("")
    }

    /// As [`Battle::targets`], as a ship sees it that is asked for its attack: it may be shot down itself, and fires still.
    /// For a bonus attack only the weapons and targets that its card allows are there.
    pub fn targets_of(&self, attacker: &str) -> Cow<'_, Table> {
        if let Some(bonus) = self.bonus.as_ref().filter(|bonus| *bonus.ship == *attacker) {
            let mut table = self.table.clone();
            for ship in &mut table.ships {
                if ship.id == bonus.ship {
                    for (place, weapon) in ship.weapons.iter_mut().enumerate() {
                        if !bonus.allowed.iter().any(|(allowed, _)| *allowed == place) {
                            // No range lies between these.
                            (weapon.min_range, weapon.max_range) = (1, 0);
                        }
                    }
                } else if ship.in_play() && !bonus.allowed.iter().any(|(_, target)| *target == ship.id) {
                    ship.status = Status::Reserved;
                }
            }
            return Cow::Owned(table);
        }
        if !self.fighters.iter().any(|fighter| fighter.integrity.is_destroyed()) {
            return Cow::Borrowed(&self.table);
        }
        let mut table = self.table.clone();
        for (ship, fighter) in table.ships.iter_mut().zip(&self.fighters) {
            if ship.in_play() && fighter.integrity.is_destroyed() && *ship.id != *attacker {
                ship.status = Status::Destroyed;
            }
        }
        Cow::Owned(table)
    }

    /// What a ship is beside its place on the table.
    pub fn fighter(&self, id: &str) -> Option<&Fighter> {
        self.index(id).map(|index| &self.fighters[index])
    }

    /// The sides, the first player's of the first round first.
    pub fn sides(&self) -> &[Side] {
        &self.sides
    }

    /// The round, from 1.
    pub fn round(&self) -> u32 {
        self.round
    }

    /// The phase.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Ships that have had their turn in this phase.
    pub fn done(&self) -> &[ObjectId] {
        &self.done
    }

    /// The move of the ship that acts now.
    pub fn moved(&self) -> Option<&Execution> {
        self.moved.as_ref().map(|(_, execution)| execution)
    }

    /// The attack under way.
    pub fn duel(&self) -> Option<&Duel> {
        self.duel.as_ref()
    }

    /// Whether guides count for overlap.
    pub fn guides(&self) -> bool {
        self.guides
    }

    /// All that has happened, in order.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    fn has_ships(&self, side: &Side) -> bool {
        self.table.ships_in_play().any(|ship| ship.side == side.name)
    }

    fn index(&self, id: &str) -> Option<usize> {
        self.table.index(id)
    }

    /// The index of a ship that is asked: only ships of the table are.
    fn asked(&self, id: &str) -> Result<usize, Refused> {
        self.index(id).ok_or(Refused::NotAsked)
    }

    fn side_of(&self, ship: &Ship) -> usize {
        let place = self.sides.iter().position(|side| side.name == ship.side);
        // `new` refuses ships of no side.
        place.unwrap_or(0)
    }

    /// The edition whose cards are played with.
    pub fn edition(&self) -> Edition {
        self.table.rules.edition
    }

    /// Which place a side has among players of the same initiative in this round: the first player's is 0. In the first
    /// edition the side with initiative has it for the whole game (FE-4.1).
    pub fn rank(&self, side: usize) -> usize {
        let count = self.sides.len().max(1);
        let shift = if self.alternating && self.table.rules.ties == Ties::PlayerOrder {
            self.round.saturating_sub(1) as usize % count
        } else {
            0
        };
        (side + count - shift) % count
    }

    /// Records the tokens of a ship after they have changed.
    fn record_tokens(&mut self, index: usize) {
        let ship = &self.table.ships[index];
        self.events.push(Event::Tokens {
            ship: ship.id.clone(),
            tokens: ship.tokens,
        });
    }

    /// Unknown is a value: what cards do that nothing here plays is said once, and play goes on.
    fn note_what_is_not_played(&mut self) {
        for (ship, fighter) in self.table.ships.iter().zip(&self.fighters) {
            for note in &fighter.notes {
                self.events.push(Event::Noted {
                    ship: ship.id.clone(),
                    text: note.clone(),
                });
            }
        }
    }

    /// Lets the cards of the ships take hold at set-up.
    fn enter(&mut self, _dice: &mut dyn DiceSource) {
        self.index_windows();
        for index in 0..self.fighters.len() {
            self.settle_damage_cards(index);
            self.put_standing_in_force(index);
            self.put_permits_in_force(index);
            self.ask_about_unknown_cards(index);
        }
        self.open(Window::Setup, None, None, Happening::Moment);
    }

    fn cards_change(&mut self, index: usize) {
        let (dial, actions) = queue::standing::in_force(&self.fighters[index]);
        let ship = &mut self.table.ships[index];
        if *ship.dial != dial {
            ship.dial = Arc::new(dial);
        }
        ship.actions = actions;
    }
}
