//! What the game asks of whoever flies the solo ships, whatever the rule set behind it.

use std::fmt::Debug;

use super::step::{Step, Token};
use crate::{
    commander::Explanation,
    decision::Reason,
    dice::{DiceSource, FixedRoll, SeededDice},
    geometry::{Point, Pose},
    solo_alpha::escort::Initiative,
    xwing::{
        ObjectId,
        action::{ActionDetail, ActionKind},
        battle::{Answer, Battle, EscortInPlay, Order, Request},
        escort::blocking::Run,
        maneuver::{Difficulty, Maneuver},
        movement::Execution,
        table::Table,
    },
};

/// Flies solo ships. It is asked three times in an activation, each time with the table as it was last seen: what to
/// fly, what the move as observed led to, and which action to take from there.
pub trait Opponent {
    /// What it remembers from the first question to the last.
    type Memory: Clone + Debug;

    /// Decides what the ship does.
    ///
    /// # Errors
    /// In plain words, why it cannot fly this ship; a player then flies it by hand.
    fn decide(
        &self,
        table: &Table,
        ship: &str,
        situation: &Situation,
        dice: FixedRoll<SeededDice>,
    ) -> Result<Flight<Self::Memory>, String>;

    /// The ship stands elsewhere than where it decided, moved by a card: the same maneuver from there. The dice are for ties.
    fn fly_from_here(&self, table: &Table, ship: &str, flight: &mut Flight<Self::Memory>, dice: &mut dyn DiceSource);

    /// What the move led to, judged by where the ship was really seen. `table` is the table before the move. What obstacles do
    /// is rolled for afterwards.
    fn settle(&self, table: &Table, ship: &str, flight: &mut Flight<Self::Memory>, seen: &Seen) -> Settled;

    /// What it chooses in a battle (attacks, what is spent on dice, cards), and why. The dice are for ties and for what it rolls
    /// for.
    fn choose(
        &self,
        battle: &Battle,
        request: &Request,
        within: Within<'_, Self::Memory>,
        dice: &mut dyn DiceSource,
    ) -> (Answer, Explanation);

    /// Whether its ships come before the players' at the same initiative.
    fn goes_first(&self) -> bool;

    /// Who has initiative in Political Escort (PE-A1).
    fn escort_initiative(&self) -> Initiative;

    /// Whether a ship of its has its action, on the table after the move.
    fn may_act(&self, table: &Table, ship: &str, flight: &Flight<Self::Memory>) -> bool;

    /// The action step, on the table after the move. Actions already performed are in the ship's `performed`.
    fn act(
        &self,
        table: &Table,
        ship: &str,
        flight: &Flight<Self::Memory>,
        situation: &Situation,
        dice: &mut dyn DiceSource,
    ) -> ActionStep;
}

/// What the players decided for the opponent.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Situation {
    /// The forced tally, if the players set one (SA-3.1).
    pub forced_tally: Option<ObjectId>,
    /// The game of Political Escort, if one is played.
    pub escort: Option<EscortSituation>,
}

/// What a decision needs to know of a game of Political Escort.
#[derive(Debug, Clone, PartialEq)]
pub struct EscortSituation {
    /// As it stands.
    pub play: EscortInPlay,
    /// Whether guides count for overlap.
    pub guides: bool,
    /// The maneuver that the players have declared for their shuttle (PE-4.2).
    pub told: Option<Maneuver>,
}

/// Actions that were decided together with the card that is to give them, by ship.
pub type Promised = Vec<(ObjectId, Order)>;

/// What a choice may go by beside the battle.
#[derive(Debug)]
pub struct Within<'a, Memory> {
    /// The activation in which it is asked, if it is in one.
    pub flight: Option<&'a Flight<Memory>>,
    /// What it has promised itself; a choice keeps it and adds to it.
    pub promised: &'a mut Promised,
}

/// A decision to fly.
#[derive(Debug, Clone)]
pub struct Flight<Memory> {
    /// The opponent's own.
    pub memory: Memory,
    /// The maneuver.
    pub maneuver: Maneuver,
    /// End position of a Tallon roll along the old heading, mm; else 0.
    pub slide_mm: f64,
    /// Where the ship stands.
    pub from: Pose,
    /// Where the move is expected to end, before any turn at the table's edge.
    pub to: Pose,
    /// Whether the move can be left to the table's own rules. A move cut short by the edge cannot: tables fly on.
    pub by_the_table: bool,
    /// What the ship flies at: lines from it to this point are shown.
    pub tally: Option<Point>,
    /// The lines that bound the arc that the tally is in, from and to; shown with it.
    pub arc: Vec<(Point, Point)>,
    /// Why.
    pub reasons: Vec<Reason>,
    /// All of it in one sentence.
    pub sentence: String,
    /// The dice as they stand before the action step.
    pub dice: SeededDice,
}

/// How a move went, as the table saw it.
#[derive(Debug, Clone, PartialEq)]
pub struct Seen {
    /// Where the ship stands now.
    pub pose: Pose,
    /// Whether the table met its own bump.
    pub bumped: bool,
    /// Ships it touches, where the table knows.
    pub touching: Vec<ObjectId>,
}

/// What a move led to.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Settled {
    /// Where the ship has to be put before anything else: the turn at the edge.
    pub turn_to: Option<Pose>,
    /// Tokens gained and lost, in the order of the rules.
    pub tokens: Vec<(Token, i32)>,
    /// Ships that it is in contact with for having backed up.
    pub touching: Vec<ObjectId>,
    /// What the players have to do.
    pub instructions: Vec<String>,
    /// How the move came out by the rules.
    pub execution: Option<Execution>,
    /// The same of the shuttle of Political Escort, in place of that (PE-5).
    pub run: Option<Box<Run>>,
    /// Why.
    pub reasons: Vec<Reason>,
}

/// The action step.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ActionStep {
    /// Actions in order; a linked one comes after the one it is linked to.
    pub actions: Vec<ActionPlan>,
    /// The card whose own action it takes instead, by its id: the drop of a mine.
    pub card: Option<String>,
    /// Why.
    pub reasons: Vec<Reason>,
    /// In one sentence.
    pub sentence: String,
}

/// One action and what carries it out.
#[derive(Debug, Clone, PartialEq)]
pub struct ActionPlan {
    /// Who performs it: the acting ship, or one that it coordinates.
    pub performer: ObjectId,
    /// Which action.
    pub kind: ActionKind,
    /// Its colour.
    pub difficulty: Difficulty,
    /// How.
    pub detail: ActionDetail,
    /// What the table does for it.
    pub steps: Vec<Step>,
    /// What the players do for it, where no step can.
    pub instruction: Option<String>,
}
