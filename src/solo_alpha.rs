//! The opponent for X-Wing: the Solo Alpha rules (SA-0 to SA-12), and as FE-SOLO adapts them to the first edition. What an
//! adaptation changes is a field of the table's [`Rules`](crate::xwing::edition::Rules); reasons then cite both ids.
//!
//! | rules | where |
//! |---|---|
//! | SA-0 nearest, ties | `nearest` |
//! | SA-3.1, SA-3.2 tally and chart | [`tally`] |
//! | SA-3.3 to SA-3.5, SA-6 roll, dial, attitude, exceptions | [`approach()`] |
//! | SA-4 charts | [`chart`], `data/charts.toml` |
//! | SA-5 from an entry to a maneuver | [`selection`] |
//! | SA-7 the move as expected, the edge, Check Difficulty | [`outcome`] |
//! | SA-8 actions | [`action`] |
//! | SA-2 devices | [`device`] |
//! | FE-SOLO-12 decloaking | [`decloak`] |
//! | FE-SOLO-2 who comes first | [`initiative`] |
//! | SA-9 weapon and target | [`attack::engage()`] |
//! | SA-10, SA-11 dice | [`attack::dice`] |
//! | SA-12 card effects | [`cards`] |
//! | PE-A Political Escort | [`escort`] |
//! | which ids a reason cites | [`citing`] |
//!
//! Everything is a plain function of the table, the options and the dice. SA-1 (no dial in the Planning Phase) is carried
//! out by there being nothing to call before the ship activates.

use crate::{
    decision::Reason,
    dice::{DefenceFace, DiceSource},
    geometry::Pose,
    xwing::{ObjectId, ship::Ship, size::Size, table::Table},
};

pub mod action;
pub mod approach;
pub mod attack;
pub mod attitude;
pub mod cards;
pub mod chart;
pub mod citing;
pub mod decloak;
pub mod device;
pub mod escort;
pub mod initiative;
mod nearest;
pub mod options;
pub mod outcome;
pub mod selection;
pub mod sentence;
pub mod shown;
pub mod tally;
pub mod tractor;

pub use action::{ActionDecision, MoveResult, PlannedAction};
pub use approach::Approach;
pub use attitude::Attitude;
use device::{DropMoment, OwnDrop};
pub use options::Options;
pub use outcome::Outcome;

/// What a decision needs to know beside the table.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Situation {
    /// SA-3.1: a tally that a scenario or the player names; it comes before everything else.
    pub forced_tally: Option<ObjectId>,
}

/// The activation of one solo ship, decided.
#[derive(Debug, Clone, PartialEq)]
pub struct Activation {
    /// The ship.
    pub ship: ObjectId,
    /// Determine Approach (SA-3 to SA-6).
    pub approach: Approach,
    /// The roll for its device, where that is made in its own activation (FE-SOLO-11).
    pub drop: Option<OwnDrop>,
    /// The maneuver as it is expected to come out, with the turn at the edge and the tokens afterwards (SA-7).
    pub execution: Outcome,
    /// The action from the expected end (SA-8). On a table, choose it anew from the observed one: [`perform_action`].
    pub action: ActionDecision,
    /// Why, in the order of the rules; the action's own reasons are at the end.
    pub reasons: Vec<Reason>,
    /// The whole in one readable sentence.
    pub sentence: String,
}

impl Activation {
    /// The outcome as Perform Action asks for it. What the table reports afterwards may be put in its place.
    pub fn move_result(&self, ship_before: &Ship) -> MoveResult {
        move_result(&self.approach, &self.execution, ship_before)
    }
}

/// The outcome, expected or observed, as Perform Action asks for it.
pub fn move_result(approach: &Approach, outcome: &Outcome, ship_before: &Ship) -> MoveResult {
    MoveResult {
        maneuver: Some(approach.maneuver),
        overlapped: !outcome.execution.overlapped.is_empty(),
        suffered: outcome.execution.suffered.clone(),
        edge: outcome.execution.edge,
        ionized: ship_before.is_ionized(),
        heed: approach.heed.clone(),
    }
}

/// Why there is no decision.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DecideError {
    /// No ship of that id.
    #[error("there is no ship `{0}` on the table: check its id")]
    UnknownShip(String),
    /// A ship that is not in play cannot activate (SA-0).
    #[error("`{0}` is not in play: a docked, reserved, destroyed or removed ship does not activate")]
    NotInPlay(String),
    /// A huge ship: the solo rules are not about them (FE-SOLO-15).
    #[error("`{0}` is huge: huge ships have rules of their own, which this version does not play; fly it by hand")]
    Huge(String),
    /// A ship whose dial is empty.
    #[error("`{0}` has no maneuver on its dial: fly it by hand, or correct its ship type or its dial")]
    EmptyDial(String),
}

fn active<'t>(table: &'t Table, id: &str) -> Result<&'t Ship, DecideError> {
    let ship = table.ship(id).ok_or_else(|| DecideError::UnknownShip(id.to_owned()))?;
    match ship {
        ship if !ship.in_play() => Err(DecideError::NotInPlay(id.to_owned())),
        ship if ship.size == Size::Huge => Err(DecideError::Huge(id.to_owned())),
        ship => Ok(ship),
    }
}

/// Decides a solo ship's activation: where to, and what to do there if all comes out as expected.
///
/// Dice are taken in the order of the rules: ties for the tally, the defence die, the attack die, then whatever else the
/// rules leave to a roll.
///
/// # Errors
/// A ship that is unknown, not in play, or has an empty dial.
pub fn decide(
    table: &Table,
    ship_id: &str,
    situation: &Situation,
    options: &Options,
    dice: &mut dyn DiceSource,
) -> Result<Activation, DecideError> {
    let ship = active(table, ship_id)?;
    let mut reasons = Vec::with_capacity(16);
    let approach = approach::determine(table, ship, situation, options, dice, &mut reasons)
        .ok_or_else(|| DecideError::EmptyDial(ship_id.to_owned()))?;
    let mut drop = device::in_activation(table, ship, DropMoment::BeforeTheMove, dice);
    note_drop(drop.as_ref(), &mut reasons);
    let execution = outcome::expect(table, ship, &approach, options, dice, &mut reasons);
    let mut there = ship.clone();
    there.move_to(execution.pose, table);
    there.tokens = execution.tokens;
    let moved = there.pose != ship.pose;
    let result = move_result(&approach, &execution, ship);
    if drop.is_none() && action::may_act(table, &there, &result) {
        drop = device::in_activation(table, &there, DropMoment::AsItsAction, dice);
        note_drop(drop.as_ref(), &mut reasons);
    }
    let action = match drop.as_ref().is_some_and(OwnDrop::is_the_action) {
        true => ActionDecision::default(),
        false => action::decide(table, there, moved, approach.attitude, &result, options, dice),
    };
    reasons.extend(action.reasons.iter().cloned());
    citing::cite(&table.rules, &mut reasons);
    let sentence = sentence::activation(ship, &approach, &execution, drop.as_ref(), &action);
    Ok(Activation {
        ship: ship.id.clone(),
        approach,
        drop,
        execution,
        action,
        reasons,
        sentence,
    })
}

fn note_drop(drop: Option<&OwnDrop>, reasons: &mut Vec<Reason>) {
    if let Some(drop) = drop {
        reasons.extend(drop.check.reasons.iter().cloned());
        reasons.extend(drop.place.iter().map(|place| place.reason.clone()));
    }
}

/// Only the Determine Approach step of [`decide`], with its reasons.
///
/// # Errors
/// As [`decide`].
pub fn approach(
    table: &Table,
    ship_id: &str,
    situation: &Situation,
    options: &Options,
    dice: &mut dyn DiceSource,
) -> Result<(Approach, Vec<Reason>), DecideError> {
    let ship = active(table, ship_id)?;
    let mut reasons = Vec::new();
    let approach = approach::determine(table, ship, situation, options, dice, &mut reasons)
        .ok_or_else(|| DecideError::EmptyDial(ship_id.to_owned()))?;
    citing::cite(&table.rules, &mut reasons);
    Ok((approach, reasons))
}

/// The move of [`decide`] as it is expected to come out (SA-7), with its reasons. With [`approach()`] before it, it takes the
/// same dice.
///
/// # Errors
/// A ship that is unknown or not in play.
pub fn expect(
    table: &Table,
    ship_id: &str,
    approach: &Approach,
    options: &Options,
    dice: &mut dyn DiceSource,
) -> Result<(Outcome, Vec<Reason>), DecideError> {
    let ship = active(table, ship_id)?;
    let mut reasons = Vec::new();
    let outcome = outcome::expect(table, ship, approach, options, dice, &mut reasons);
    citing::cite(&table.rules, &mut reasons);
    Ok((outcome, reasons))
}

/// The move as it really came out on a table that moves by its own rules: the ship, still in `table` where it stood
/// before, was seen at `pose`, in contact with `touching`. The turn at the edge is the expected one.
///
/// # Errors
/// A ship that is unknown or not in play.
pub fn observe(
    table: &Table,
    ship_id: &str,
    activation: &Activation,
    pose: Pose,
    touching: &[ObjectId],
    options: &Options,
) -> Result<Outcome, DecideError> {
    let ship = active(table, ship_id)?;
    Ok(outcome::observe(
        table,
        ship,
        &activation.execution,
        pose,
        touching,
        options,
    ))
}

/// SA-8: the action of a ship that stands on the table where its move has taken it, with the tokens it then has.
///
/// # Errors
/// A ship that is unknown or not in play.
pub fn perform_action(
    table: &Table,
    ship_id: &str,
    attitude: Attitude,
    result: &MoveResult,
    options: &Options,
    dice: &mut dyn DiceSource,
) -> Result<ActionDecision, DecideError> {
    let ship = active(table, ship_id)?;
    Ok(action::decide(
        table,
        ship.clone(),
        false,
        attitude,
        result,
        options,
        dice,
    ))
}

/// SA-8.2: an action outside the ship's own activation: one defence die for the attitude, then the same list.
///
/// # Errors
/// A ship that is unknown or not in play.
pub fn action_outside_activation(
    table: &Table,
    ship_id: &str,
    options: &Options,
    dice: &mut dyn DiceSource,
) -> Result<(DefenceFace, ActionDecision), DecideError> {
    let ship = active(table, ship_id)?;
    let die = dice.defence();
    let attitude = Attitude::from_die(die);
    let result = MoveResult {
        ionized: ship.is_ionized(),
        ..MoveResult::default()
    };
    let mut decision = action::decide(table, ship.clone(), false, attitude, &result, options, dice);
    decision.reasons.insert(
        0,
        Reason {
            rule: "SA-8.2".to_owned(),
            text: format!(
                "an action outside its activation: rolled {} for the attitude, {attitude}",
                chart::defence_name(die)
            ),
            compared: Vec::new(),
        },
    );
    citing::cite(&table.rules, &mut decision.reasons);
    Ok((die, decision))
}
