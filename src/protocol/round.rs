//! The whole round at a table: `game/correct`, `game/skip`, `game/options`, and what is kept of each ship.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A phase of the round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RoundPhase {
    /// The players set their dials.
    Planning,
    /// Devices.
    System,
    /// Ships move and act, lowest initiative first.
    #[default]
    Activation,
    /// Ships attack, highest initiative first.
    Engagement,
    /// Round tokens go, charges come back.
    End,
    /// The game is over.
    Over,
}

/// What is kept of a ship that no table shows for certain: hull, shields, damage cards, charges, and its turn.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ShipLedger {
    /// The ship.
    pub ship: String,
    /// Whether the program flies it.
    pub solo: bool,
    /// Hull left: the hull value less its damage cards. Left out where the hull value is not known: tell it with
    /// `game/correct`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hull: Option<u32>,
    /// The hull value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hull_max: Option<u32>,
    /// Active shields.
    pub shields: u32,
    /// The shield value.
    pub shields_max: u32,
    /// Damage cards that lie face up, by id.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "super::lenient::list")]
    pub face_up: Vec<String>,
    /// How many damage cards lie face down.
    #[serde(skip_serializing_if = "is_zero")]
    pub face_down: u32,
    /// Active Force charges.
    #[serde(skip_serializing_if = "is_zero")]
    pub force: u32,
    /// The most Force charges.
    #[serde(skip_serializing_if = "is_zero")]
    pub force_max: u32,
    /// Active charges of its cards, by id.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", deserialize_with = "super::lenient::map")]
    pub charges: BTreeMap<String, u32>,
    /// It has activated this round.
    pub activated: bool,
    /// It has engaged this round.
    pub engaged: bool,
    /// It is shot down: it may still have to fire, or to be taken off the table.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub destroyed: bool,
    /// Ships that it touches, so that they cannot attack each other (first edition).
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "super::lenient::list")]
    pub touching: Vec<String>,
    /// Ships that stand against it without touching it (first edition): if one of them did overlap the other, tell it with
    /// `game/correct`.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "super::lenient::list")]
    pub against: Vec<String>,
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// Parameters of `game/correct` (client request, role table or cli): the players tell what the program cannot see, or has
/// wrong. What is left out stays as it is.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CorrectParams {
    /// Unique per press.
    pub op_id: String,
    /// The ship; may be empty if only phase or round are set.
    pub ship: String,
    /// It suffers so many hits now: shields first, then cards from the deck.
    #[serde(deserialize_with = "super::lenient::count", skip_serializing_if = "is_zero")]
    pub hits: u32,
    /// It suffers so many crits now, after the hits.
    #[serde(deserialize_with = "super::lenient::count", skip_serializing_if = "is_zero")]
    pub crits: u32,
    /// Its hull left is this: face-down cards are dealt or taken away.
    #[serde(
        deserialize_with = "super::lenient::maybe_count",
        skip_serializing_if = "Option::is_none"
    )]
    pub hull: Option<u32>,
    /// Its hull value is this.
    #[serde(
        deserialize_with = "super::lenient::maybe_count",
        skip_serializing_if = "Option::is_none"
    )]
    pub hull_max: Option<u32>,
    /// Its active shields are so many.
    #[serde(
        deserialize_with = "super::lenient::maybe_count",
        skip_serializing_if = "Option::is_none"
    )]
    pub shields: Option<u32>,
    /// One of its damage cards changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub card: Option<CardCorrection>,
    /// Its active Force charges are so many.
    #[serde(
        deserialize_with = "super::lenient::maybe_count",
        skip_serializing_if = "Option::is_none"
    )]
    pub force: Option<u32>,
    /// Active charges of its cards, by id.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", deserialize_with = "super::lenient::map")]
    pub charges: BTreeMap<String, u32>,
    /// Counts of tokens by name (`focus`, `stress`, ...), for tables that do not show them.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", deserialize_with = "super::lenient::map")]
    pub tokens: BTreeMap<String, u32>,
    /// Other ships, and whether this one touches them, whatever the table reported.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", deserialize_with = "super::lenient::map")]
    pub touching: BTreeMap<String, bool>,
    /// Of a player's ship that has not activated, told alone. `missing`: it has no dial; a speed and a bearing as in `3T`, `4K`:
    /// what the dial of another ship shows that was set for it; `red`: its dial shows a red maneuver, and it is stressed. What it
    /// flies then is asked.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub dial: String,
    /// Its reinforce token covers `fore` or `aft`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reinforced: String,
    /// `done`: it has activated this round; `waiting`: it has not; empty: unchanged.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub activated: String,
    /// `done`: it has engaged this round; `waiting`: it has not; empty: unchanged.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub engaged: String,
    /// `destroyed`: it is shot down or gone; `inPlay`: it is not; empty: unchanged.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub state: String,
    /// The phase is this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<RoundPhase>,
    /// The round is this.
    #[serde(
        deserialize_with = "super::lenient::maybe_count",
        skip_serializing_if = "Option::is_none"
    )]
    pub round: Option<u32>,
}

/// A change of one damage card.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CardCorrection {
    /// What happens to it.
    pub change: CardChange,
    /// The card's id or title, in any spelling; empty: the top card of the deck, or any face-down card.
    #[serde(default)]
    pub name: String,
}

/// What happens to a damage card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum CardChange {
    /// It was dealt face up.
    DealFaceUp,
    /// It was dealt face down.
    DealFaceDown,
    /// It is turned face down.
    Repair,
    /// It is turned face up.
    Expose,
    /// It is discarded.
    Discard,
}

/// Parameters of `game/skip` (client request, role table or cli): do not wait any longer.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SkipParams {
    /// Unique per press.
    pub op_id: String,
    /// What is skipped.
    pub what: SkipWhat,
}

/// What is skipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SkipWhat {
    /// What is waited for: a step of the table is left to the players, a question takes its default, dice are rolled by
    /// the program.
    #[default]
    Step,
    /// The ship whose turn it is: it counts as done.
    Ship,
    /// The rest of the phase.
    Phase,
    /// The rounds after this one, in a game with a clock (Political Escort): time is up.
    Game,
}

/// Parameters of `game/options` (client request, role table or cli): how the game is played. What is left out stays.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct GameOptionsParams {
    /// Unique per press.
    pub op_id: String,
    /// Where dice come from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dice: Option<DiceFrom>,
    /// How much is played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plays: Option<Plays>,
}

/// Where dice come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum DiceFrom {
    /// The program rolls, by its seed, and shows the faces.
    #[default]
    Program,
    /// The table's own dice (`dice/roll`), where it can roll any; else the program.
    Table,
    /// The players roll by hand and type the faces (`table/prompt` with an input); else the program.
    Typed,
}

/// How much of the round is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Plays {
    /// Whole rounds: all phases, attacks and damage.
    Rounds,
    /// Only the activations of the solo ships; the players do the rest by themselves.
    #[default]
    Activations,
}

/// What a question is about, for panels that show some kinds in their own way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum PromptTopic {
    /// Whether a decision is carried out.
    #[default]
    Consent,
    /// Whom a player's ship attacks, if anybody.
    Attack,
    /// What a player's ship spends on its dice.
    Spend,
    /// The faces of dice that were rolled by hand.
    Dice,
    /// Whether an ability is used.
    Ability,
    /// What a player's ship does in its activation: the maneuver that it flew, its actions.
    Action,
    /// What is to be put on the table for a scenario, and whether it is as the scenario has it.
    SetUp,
}

/// Faces that the answer to a question tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct DiceInput {
    /// So many attack dice.
    pub attack: u32,
    /// So many defence dice.
    pub defence: u32,
}
