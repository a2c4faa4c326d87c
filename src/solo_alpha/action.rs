//! SA-8: what the ship does after its move.

use std::fmt;

use super::{
    approach::Heed,
    attitude::Attitude,
    citing,
    options::Options,
    outcome,
    sentence::{Causes, Named},
};
use crate::{
    decision::Reason,
    dice::{DiceSource, SeededDice},
    geometry::Pose,
    xwing::{
        ObjectId,
        action::ActionKind,
        edition::topic::Reload,
        maneuver::{Difficulty, Maneuver},
        movement::consequences::obstacle_kind,
        obstacle::ObstacleKind,
        reposition::{Block, BoostTemplate},
        ship::Ship,
        table::Table,
    },
};

mod ladder;
mod sequence;

pub use crate::xwing::action::{ActionDetail, FullArc};
pub(super) use ladder::covers;

/// What became of the maneuver, as far as Perform Action asks: expected or, better, observed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MoveResult {
    /// What was executed; a SLAM is flown at its speed. `None` outside an activation.
    pub maneuver: Option<Maneuver>,
    /// Whether the ship was on other ships and backed up.
    pub overlapped: bool,
    /// Obstacles whose effect it suffered.
    pub suffered: Vec<ObjectId>,
    /// Whether it was stopped at the edge (SA-7).
    pub edge: bool,
    /// Whether it was ionized when it activated (SA-6.1).
    pub ionized: bool,
    /// What the chart's entry asked to near or to shun: barrel rolls are aligned by it (SA-5).
    pub heed: Option<Heed>,
}

/// A line of an action ladder of SA-8. Its id is the attitude's first letter and the line's number: `SA-8-D1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Line {
    /// Whose ladder.
    pub attitude: Attitude,
    /// Which line, from 1.
    pub number: u8,
}

impl Line {
    /// The rule's id.
    pub fn id(self) -> String {
        let letter = match self.attitude {
            Attitude::Defensive => 'D',
            Attitude::Balanced => 'B',
            Attitude::Offensive => 'O',
        };
        format!("SA-8-{letter}{}", self.number)
    }
}

/// One action of the sequence that was chosen, or of one that was left.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedAction {
    /// Which action.
    pub kind: ActionKind,
    /// Its colour.
    pub difficulty: Difficulty,
    /// How.
    pub detail: ActionDetail,
    /// Where the ship stands afterwards.
    pub pose_after: Pose,
    /// The line of the ladder that it meets; `None` for a token that only opens the way to its link (SA-8.1).
    pub line: Option<Line>,
    /// What it does, measured beforehand.
    pub effect: Effect,
}

/// What an action does for the line that it meets.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// It opens the way to a linked action.
    OpensLink,
    /// Out of the firing arcs of these enemies.
    LeavesArcs(Vec<ObjectId>),
    /// Puts these enemies in a firing arc.
    GainsTargets(Vec<ObjectId>),
    /// Farther from an obstacle.
    Farther {
        /// The obstacle in the bullseye.
        obstacle: ObjectId,
        /// Distance before, mm.
        from_mm: f64,
        /// Distance after, mm.
        to_mm: f64,
    },
    /// So many enemies in the full arc.
    Covers(usize),
    /// So many enemies on the side of a token that works by the own printed arcs (FE-6.9).
    CoversSide(usize),
    /// On a ship this far away, mm.
    On(f64),
    /// A token that it lacks, or an upgrade that lacks a charge.
    Lacking,
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Effect::OpensLink => f.write_str("opens the way to the linked action"),
            Effect::LeavesArcs(ships) => write!(f, "leaves the firing arcs of {}", ships.join(", ")),
            Effect::GainsTargets(ships) => write!(f, "brings {} into a firing arc", ships.join(", ")),
            Effect::Farther {
                obstacle,
                from_mm,
                to_mm,
            } => write!(f, "is {to_mm:.1} mm from {obstacle} instead of {from_mm:.1} mm"),
            Effect::Covers(1) => f.write_str("covers the full arc that holds 1 enemy"),
            Effect::Covers(count) => write!(f, "covers the full arc that holds {count} enemies"),
            Effect::CoversSide(1) => f.write_str("covers the side that holds 1 enemy"),
            Effect::CoversSide(count) => write!(f, "covers the side that holds {count} enemies"),
            Effect::On(mm) => write!(f, "reaches a ship {mm:.1} mm away"),
            Effect::Lacking => f.write_str("gives what it lacks"),
        }
    }
}

/// The text form of positions and logs: `Barrel Roll:left:+10`, `Lock:E2`, `Focus`.
impl fmt::Display for PlannedAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.name())?;
        match &self.detail {
            // A reload is named alone: which upgrade regains the charge is in the detail.
            ActionDetail::Token | ActionDetail::Reload(_) => Ok(()),
            ActionDetail::BarrelRoll { side, slide_mm } if *slide_mm == 0.0 => write!(f, ":{}:0", side.name()),
            ActionDetail::BarrelRoll { side, slide_mm } => write!(f, ":{}:{:+}", side.name(), thousandths(*slide_mm)),
            ActionDetail::Boost(template) => f.write_str(match template {
                BoostTemplate::Left => ":left",
                BoostTemplate::Straight => ":straight",
                BoostTemplate::Right => ":right",
                BoostTemplate::TurnLeft => ":turn left",
                BoostTemplate::TurnRight => ":turn right",
            }),
            ActionDetail::Slam { maneuver, .. } => write!(f, ":{maneuver}"),
            ActionDetail::RotateArc(arcs) => {
                for (index, arc) in arcs.iter().enumerate() {
                    f.write_str(if index == 0 { ":" } else { "+" })?;
                    f.write_str(arc.name())?;
                }
                Ok(())
            }
            ActionDetail::Lock(id) | ActionDetail::Jam(id) | ActionDetail::Coordinate(id) => write!(f, ":{id}"),
            ActionDetail::Reinforce(FullArc::Fore) => f.write_str(":fore"),
            ActionDetail::Reinforce(FullArc::Aft) => f.write_str(":aft"),
        }
    }
}

/// A slide as it is written: it was found to a thousandth of a millimetre (FE-6.1).
pub(super) fn thousandths(mm: f64) -> f64 {
    (mm * 1000.0).round() / 1000.0
}

impl PlannedAction {
    /// Does to a ship what the action does to it: pose, tokens, locks, turret, and that the action was performed. Effects on
    /// other ships, and obstacles that a SLAM meets, are not in it.
    pub fn apply(&self, ship: &mut Ship) {
        ship.performed.push(self.kind);
        if ship.pose != self.pose_after {
            ship.pose = self.pose_after;
            // A reported bump counts until one of the pair moves (SA-0).
            ship.bumped.clear();
        }
        pay(self.difficulty, &mut ship.tokens.stress, &mut ship.tokens.force);
        let tokens = &mut ship.tokens;
        match (&self.detail, self.kind) {
            (ActionDetail::Token, ActionKind::Focus) => tokens.focus = tokens.focus.saturating_add(1),
            (ActionDetail::Token, ActionKind::Evade) => tokens.evade = tokens.evade.saturating_add(1),
            (ActionDetail::Token, ActionKind::Calculate) => tokens.calculate = tokens.calculate.saturating_add(1),
            (ActionDetail::Token, ActionKind::Recover) => tokens.energy = 0,
            (ActionDetail::Reinforce(_), _) => tokens.reinforce = tokens.reinforce.saturating_add(1),
            (ActionDetail::RotateArc(arcs), _) => ship.turret.clone_from(arcs),
            // A ship maintains one lock: a new one replaces it, unless a card lets it have more.
            (ActionDetail::Lock(id), _) => ship.lock(id.clone()),
            (ActionDetail::Slam { maneuver, .. }, _) => {
                tokens.disarm = tokens.disarm.saturating_add(1);
                if maneuver.difficulty == Difficulty::Blue {
                    tokens.stress = tokens.stress.saturating_sub(1);
                } else {
                    pay(maneuver.difficulty, &mut tokens.stress, &mut tokens.force);
                }
            }
            (ActionDetail::Reload(upgrade), _) => {
                tokens.disarm = tokens.disarm.saturating_add(1);
                // FE-6.10: all discarded torpedoes and missiles come back.
                if ship.edition.rules().reload == Reload::AllCards {
                    let specials = ship.weapons.iter_mut().filter_map(|weapon| weapon.special.as_mut());
                    for special in specials.filter(|special| matches!(special.slot.as_str(), "Torpedo" | "Missile")) {
                        if let Some(charges) = &mut special.charges {
                            charges.left = charges.max;
                        }
                    }
                    return;
                }
                let special = ship
                    .weapons
                    .iter_mut()
                    .filter(|weapon| weapon.id == *upgrade)
                    .find_map(|weapon| weapon.special.as_mut()?.charges.as_mut());
                let device = ship.device.as_mut().filter(|device| device.id == *upgrade);
                if let Some(charges) = special.or(device.map(|device| &mut device.charges)) {
                    charges.left = charges.left.saturating_add(1).min(charges.max);
                }
            }
            _ => {}
        }
    }
}

/// What a colour costs: red a stress, purple a Force charge.
fn pay(difficulty: Difficulty, stress: &mut u32, force: &mut u32) {
    match difficulty {
        Difficulty::Red => *stress = stress.saturating_add(1),
        Difficulty::Purple => *force = force.saturating_sub(1),
        Difficulty::White | Difficulty::Blue => {}
    }
}

/// Why an action that could be taken was left.
#[derive(Debug, Clone, PartialEq)]
pub enum ActionFailure {
    /// A reposition that would not succeed.
    Blocked(Block),
    /// A SLAM that would flee.
    WouldFlee,
    /// It would not leave the firing arc of any of these enemies.
    StaysInArcs,
    /// No enemy would be in a firing arc.
    GainsNoTarget,
    /// It would not be farther from the obstacle.
    NotFarther,
}

impl fmt::Display for ActionFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ActionFailure::Blocked(Block::Ship(id) | Block::Obstacle(id)) => write!(f, "fails: {id} is in the way"),
            ActionFailure::Blocked(Block::Edge) => f.write_str("fails: it would cross the edge"),
            ActionFailure::WouldFlee => f.write_str("fails: it would flee"),
            ActionFailure::StaysInArcs => f.write_str("leaves no enemy firing arc"),
            ActionFailure::GainsNoTarget => f.write_str("brings no enemy into a firing arc"),
            ActionFailure::NotFarther => f.write_str("is no farther from the obstacle"),
        }
    }
}

/// An action that was measured beforehand and left.
#[derive(Debug, Clone, PartialEq)]
pub struct RejectedAction {
    /// The action, with the pose it would end in.
    pub action: PlannedAction,
    /// Why it was left.
    pub why: ActionFailure,
}

/// Why a sequence that meets a line was left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Preference {
    /// Another meets a higher line.
    HigherLine,
    /// Another comes first within the line: barrel roll, else boost, else SLAM or rotate.
    EarlierInLine,
    /// Another has more actions (SA-8.1).
    MoreActions,
    /// Another has more white actions (SA-8.1).
    MoreWhite,
    /// Another is better aligned (SA-5), or ends farther from the obstacle.
    Alignment,
    /// Equal: a seeded roll took another.
    Roll,
}

impl fmt::Display for Preference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Preference::HigherLine => "another meets a higher line",
            Preference::EarlierInLine => "another comes before it in the line",
            Preference::MoreActions => "another has more actions",
            Preference::MoreWhite => "another has more white actions",
            Preference::Alignment => "another ends better",
            Preference::Roll => "a seeded roll took another",
        })
    }
}

/// A sequence that would meet a line of the ladder and was left for another.
#[derive(Debug, Clone, PartialEq)]
pub struct Alternative {
    /// The actions in order.
    pub sequence: Vec<PlannedAction>,
    /// The highest line that it meets.
    pub line: Line,
    /// Why it was left.
    pub why: Preference,
}

/// The text form of actions in order, joined by ` > `.
pub(super) struct InOrder<'a>(pub &'a [PlannedAction]);

impl fmt::Display for InOrder<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, action) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str(" > ")?;
            }
            action.fmt(f)?;
        }
        Ok(())
    }
}

impl fmt::Display for Alternative {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        InOrder(&self.sequence).fmt(f)
    }
}

/// Why the Perform Action step is lost (SA-7). Its text form is `overlap` or `asteroid:O1`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LostCause {
    /// It was on another ship.
    Overlap,
    /// It met this obstacle.
    Obstacle(ObstacleKind, ObjectId),
}

impl fmt::Display for LostCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LostCause::Overlap => f.write_str("overlap"),
            LostCause::Obstacle(kind, id) => {
                let kind = match kind {
                    ObstacleKind::Asteroid => "asteroid",
                    ObstacleKind::Debris => "debris",
                    ObstacleKind::GasCloud => "gascloud",
                };
                write!(f, "{kind}:{id}")
            }
        }
    }
}

/// What the ship does in its Perform Action step. Its text form is `lost`, `none`, or the actions joined by ` > `.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ActionDecision {
    /// Why the step is lost; empty if it is not.
    pub lost: Vec<LostCause>,
    /// The actions in order; empty if the step is lost, the ship may not act, or no line applies.
    pub sequence: Vec<PlannedAction>,
    /// Actions that were measured beforehand and would fail or have no effect.
    pub rejected: Vec<RejectedAction>,
    /// Sequences that would meet a line and were left for the chosen one.
    pub alternatives: Vec<Alternative>,
    /// Why.
    pub reasons: Vec<Reason>,
}

impl fmt::Display for ActionDecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.lost.is_empty() {
            return f.write_str("lost");
        }
        if self.sequence.is_empty() {
            return f.write_str("none");
        }
        InOrder(&self.sequence).fmt(f)
    }
}

fn reason(rule: &str, text: String) -> Reason {
    Reason {
        rule: rule.to_owned(),
        text,
        compared: Vec::new(),
    }
}

/// SA-7 and SA-8: the action of a ship that stands where `ship` says; `moved` tells that the table still shows it, and any
/// bump with it, where it was before.
pub(super) fn decide(
    table: &Table,
    ship: Ship,
    moved: bool,
    attitude: Attitude,
    result: &MoveResult,
    options: &Options,
    dice: &mut dyn DiceSource,
) -> ActionDecision {
    let mut decision = by_the_ladder(table, ship, moved, attitude, result, options, dice);
    citing::cite(&table.rules, &mut decision.reasons);
    decision
}

fn by_the_ladder(
    table: &Table,
    ship: Ship,
    moved: bool,
    attitude: Attitude,
    result: &MoveResult,
    options: &Options,
    dice: &mut dyn DiceSource,
) -> ActionDecision {
    let lost = lost_causes(table, result);
    if !lost.is_empty() {
        let text = format!("the Perform Action step is lost to {}", Causes(&lost));
        return ActionDecision {
            lost,
            reasons: vec![reason("SA-7", text)],
            ..ActionDecision::default()
        };
    }
    let movement = outcome::movement_options(options);
    let ladder = |ship| ladder::Ladder::new(table, ship, moved, attitude, result, movement, options);
    let barred = if result.edge {
        Some(reason("SA-7", "it was stopped at the edge: it does not act".to_owned()))
    } else if ship.stress_bars_actions() {
        let mut stressed = reason("SA-8", "stressed: it may not act".to_owned());
        if table.rules.solo.stressed_line_told {
            stressed.rule.push_str(" FE-SOLO-13");
            stressed.text.push_str(&line_missed(table, ship.clone(), ladder));
        }
        Some(stressed)
    } else {
        None
    };
    match barred {
        Some(reason) => ActionDecision {
            reasons: vec![reason],
            ..ActionDecision::default()
        },
        None => ladder(ship).decide(dice),
    }
}

/// Whether a ship gets an action after its move: none that took the step, no edge, no stress.
pub fn may_act(table: &Table, ship: &Ship, result: &MoveResult) -> bool {
    lost_causes(table, result).is_empty() && !result.edge && !ship.stress_bars_actions()
}

/// FE-SOLO-13: which line a stressed ship would have met. What would have been rolled for is not.
fn line_missed<'t>(table: &'t Table, mut ship: Ship, ladder: impl FnOnce(Ship) -> ladder::Ladder<'t>) -> String {
    ship.tokens.stress = 0;
    let instead = ladder(ship).decide(&mut SeededDice::new(0));
    match instead.sequence.first().and_then(|first| Some((first.line?, first))) {
        Some((line, first)) => format!(
            "; without stress it would have met {} by {}",
            line.id(),
            Named(table.rules.edition, first)
        ),
        None => "; it would have met no line without stress either".to_owned(),
    }
}

/// SA-7: overlapping ships, asteroids and gas clouds lose the step. In the order of their texts.
fn lost_causes(table: &Table, result: &MoveResult) -> Vec<LostCause> {
    let mut lost: Vec<_> = result
        .suffered
        .iter()
        .filter_map(|id| Some((obstacle_kind(table, id)?, id)))
        .filter(|(kind, _)| matches!(kind, ObstacleKind::Asteroid | ObstacleKind::GasCloud))
        .map(|(kind, id)| LostCause::Obstacle(kind, id.clone()))
        .chain(result.overlapped.then_some(LostCause::Overlap))
        .collect();
    lost.sort_by_cached_key(LostCause::to_string);
    lost
}
