//! A decision in one readable sentence, in the words of the ships' edition (FE-SOLO-1).

use std::fmt;

use super::{
    action::{ActionDecision, ActionDetail, Effect, FullArc, LostCause, PlannedAction, thousandths},
    approach::{Approach, Exception},
    device::OwnDrop,
    outcome::{EdgeTurn, Outcome},
};
use crate::xwing::{
    action::ActionKind,
    edition::Edition,
    maneuver::{Bearing, Maneuver},
    reposition::BoostTemplate,
    ship::{ArcDirection, Ship},
};

/// What a ship is called: its name, or its id where it has none.
pub fn called(ship: &Ship) -> &str {
    if ship.name.is_empty() { &ship.id } else { &ship.name }
}

/// A maneuver as players of the second edition say it: `blue 2 bank left`.
pub struct Spoken(pub Maneuver);

impl fmt::Display for Spoken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        SpokenIn(Edition::Second, self.0).fmt(f)
    }
}

/// A maneuver as players of an edition say it: `green 2 bank left` (FE-SOLO-1).
pub struct SpokenIn(pub Edition, pub Maneuver);

impl fmt::Display for SpokenIn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SpokenIn(edition, maneuver) = self;
        let color = edition.words().color(maneuver.difficulty);
        write!(f, "{color} {} ", maneuver.speed)?;
        match maneuver.bearing {
            Bearing::Straight => f.write_str("straight"),
            Bearing::Bank(side) => write!(f, "bank {}", side.name()),
            Bearing::Turn(side) => write!(f, "turn {}", side.name()),
            Bearing::Koiogran => f.write_str("Koiogran turn"),
            Bearing::SegnorsLoop(side) => write!(f, "Segnor's loop {}", side.name()),
            Bearing::TallonRoll(side) => write!(f, "Tallon roll {}", side.name()),
            Bearing::ReverseStraight => f.write_str("reverse straight"),
            Bearing::ReverseBank(side) => write!(f, "reverse bank {}", side.name()),
            Bearing::Stationary => f.write_str("stationary"),
        }
    }
}

/// An action as a list names it: `barrel roll left (10 mm back)`, `lock on Luke`, `focus`.
pub struct Named<'a>(pub Edition, pub &'a PlannedAction);

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        NamedDetailIn(self.0, self.1.kind, &self.1.detail).fmt(f)
    }
}

/// The same of an action that is not planned, in the words of the second edition: its kind, and how it is carried out.
pub struct NamedDetail<'a>(pub ActionKind, pub &'a ActionDetail);

impl fmt::Display for NamedDetail<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        NamedDetailIn(Edition::Second, self.0, self.1).fmt(f)
    }
}

/// The same in the words of an edition.
pub struct NamedDetailIn<'a>(pub Edition, pub ActionKind, pub &'a ActionDetail);

impl fmt::Display for NamedDetailIn<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NamedDetailIn(edition, kind, detail) = *self;
        match detail {
            ActionDetail::Token => f.write_str(token(kind)),
            ActionDetail::BarrelRoll { side, slide_mm } => {
                write!(f, "barrel roll {}", side.name())?;
                if *slide_mm == 0.0 {
                    return Ok(());
                }
                write!(f, " ({} mm {})", thousandths(slide_mm.abs()), along(*slide_mm))
            }
            ActionDetail::Boost(template) => write!(f, "boost {}", boost(*template)),
            ActionDetail::Slam { maneuver, .. } => write!(f, "SLAM by the {}", SpokenIn(edition, *maneuver)),
            ActionDetail::RotateArc(arcs) => {
                f.write_str("turret to ")?;
                directions(f, arcs)
            }
            ActionDetail::Lock(id) => write!(f, "{} on {id}", edition.words().lock),
            ActionDetail::Jam(id) => write!(f, "jam on {id}"),
            ActionDetail::Coordinate(id) => write!(f, "coordinate for {id}"),
            ActionDetail::Reinforce(arc) => write!(f, "reinforce {}", end(*arc)),
            ActionDetail::Reload(upgrade) => write!(f, "reload of {upgrade}"),
        }
    }
}

/// Actions in order as a list names them, joined by `, then `.
pub(super) struct NamedInOrder<'a>(pub Edition, pub &'a [PlannedAction]);

impl fmt::Display for NamedInOrder<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, action) in self.1.iter().enumerate() {
            if index > 0 {
                f.write_str(", then ")?;
            }
            Named(self.0, action).fmt(f)?;
        }
        Ok(())
    }
}

/// What a ship does in its Perform Action step, after its name: `barrel rolls left, sliding 10 mm back, which leaves the
/// firing arcs of Luke`, `loses its action to the overlap`, `takes no action`.
pub struct Performs<'a>(pub Edition, pub &'a ActionDecision);

impl fmt::Display for Performs<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Performs(edition, ActionDecision { lost, sequence, .. }) = *self;
        if !lost.is_empty() {
            f.write_str("loses its action to ")?;
            return causes(f, lost);
        }
        if sequence.is_empty() {
            return f.write_str("takes no action");
        }
        for (index, action) in sequence.iter().enumerate() {
            if index > 0 {
                f.write_str(", then ")?;
            }
            does(f, edition, action)?;
            match &action.effect {
                // What opens the way to a linked action says nothing beside that action.
                _ if action.line.is_none() => {}
                Effect::Lacking if action.detail == ActionDetail::Token => f.write_str(", of which it has none")?,
                Effect::Lacking => write!(f, ", which {}", edition.words().used_up)?,
                Effect::On(mm) => write!(f, ", {mm:.0} mm away")?,
                effect => write!(f, ", which {effect}")?,
            }
        }
        Ok(())
    }
}

/// What loses a ship its action, joined by `and`.
pub(super) struct Causes<'a>(pub &'a [LostCause]);

impl fmt::Display for Causes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        causes(f, self.0)
    }
}

fn causes(f: &mut fmt::Formatter<'_>, lost: &[LostCause]) -> fmt::Result {
    for (index, cause) in lost.iter().enumerate() {
        if index > 0 {
            f.write_str(" and ")?;
        }
        match cause {
            LostCause::Overlap => f.write_str("the overlap")?,
            LostCause::Obstacle(_, id) => f.write_str(id)?,
        }
    }
    Ok(())
}

/// An action as a verb of the ship.
fn does(f: &mut fmt::Formatter<'_>, edition: Edition, action: &PlannedAction) -> fmt::Result {
    match &action.detail {
        ActionDetail::Token if action.kind == ActionKind::Recover => {
            f.write_str("recovers shields with all its energy")
        }
        ActionDetail::Token => {
            let article = if action.kind == ActionKind::Evade { "an" } else { "a" };
            write!(f, "takes {article} {} token", token(action.kind))
        }
        ActionDetail::BarrelRoll { side, slide_mm } => {
            write!(f, "barrel rolls {}", side.name())?;
            if *slide_mm == 0.0 {
                return Ok(());
            }
            write!(f, ", sliding {} mm {}", thousandths(slide_mm.abs()), along(*slide_mm))
        }
        ActionDetail::Boost(template) => write!(f, "boosts {}", boost(*template)),
        ActionDetail::Slam { maneuver, .. } => write!(f, "SLAMs by the {}", SpokenIn(edition, *maneuver)),
        ActionDetail::RotateArc(arcs) => {
            f.write_str("turns its turret to ")?;
            directions(f, arcs)
        }
        ActionDetail::Lock(id) => write!(f, "{}s {id}", edition.words().lock),
        ActionDetail::Jam(id) => write!(f, "jams {id}"),
        ActionDetail::Coordinate(id) => write!(f, "coordinates {id}"),
        ActionDetail::Reinforce(arc) => write!(f, "reinforces {}", end(*arc)),
        ActionDetail::Reload(upgrade) => write!(f, "reloads {upgrade}"),
    }
}

const fn token(kind: ActionKind) -> &'static str {
    match kind {
        ActionKind::Focus => "focus",
        ActionKind::Calculate => "calculate",
        ActionKind::Evade => "evade",
        ActionKind::Cloak => "cloak",
        ActionKind::Recover => "recover shields with all energy",
        other => other.name(),
    }
}

fn along(slide_mm: f64) -> &'static str {
    if slide_mm > 0.0 { "forward" } else { "back" }
}

const fn boost(template: BoostTemplate) -> &'static str {
    match template {
        BoostTemplate::Left => "left",
        BoostTemplate::Straight => "straight ahead",
        BoostTemplate::Right => "right",
        BoostTemplate::TurnLeft => "left by the turn",
        BoostTemplate::TurnRight => "right by the turn",
    }
}

const fn end(arc: FullArc) -> &'static str {
    match arc {
        FullArc::Fore => "fore",
        FullArc::Aft => "aft",
    }
}

fn directions(f: &mut fmt::Formatter<'_>, arcs: &[ArcDirection]) -> fmt::Result {
    for (index, arc) in arcs.iter().enumerate() {
        f.write_str(if index == 0 { "the " } else { " and " })?;
        f.write_str(arc.name())?;
    }
    Ok(())
}

/// The whole activation in one sentence.
pub(super) fn activation(
    ship: &Ship,
    approach: &Approach,
    outcome: &Outcome,
    drop: Option<&OwnDrop>,
    action: &ActionDecision,
) -> String {
    let flies = Flies {
        ship,
        approach,
        outcome,
    };
    let attitude = approach.attitude;
    match drop.filter(|drop| drop.check.drops) {
        Some(drop) if drop.is_the_action() => {
            format!("{flies}; {attitude}, it drops {} as its action.", drop.check.device)
        }
        Some(drop) => format!(
            "{flies}; {attitude}, it {}. Before it moves it drops {}.",
            Performs(ship.edition, action),
            drop.check.device
        ),
        None => format!("{flies}; {attitude}, it {}.", Performs(ship.edition, action)),
    }
}

/// What a ship does in its activation up to its action, without a full stop: `Iden is after Luke (220 mm, Near Front chart);
/// rolled focus/hit: 2 bank. It flies white 2 bank left`.
#[derive(Debug, Clone, Copy)]
pub struct Flies<'a> {
    /// The ship as it was before.
    pub ship: &'a Ship,
    /// What it determined.
    pub approach: &'a Approach,
    /// What is expected of the move.
    pub outcome: &'a Outcome,
}

impl fmt::Display for Flies<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Flies {
            ship,
            approach,
            outcome,
        } = self;
        f.write_str(called(ship))?;
        match (&approach.tally, approach.chart) {
            (Some(tally), Some(chart)) => write!(
                f,
                " is after {} ({:.0} mm, {chart} chart); rolled {}: {}",
                tally.id, tally.distance_mm, approach.roll, approach.entry
            )?,
            _ if approach.exceptions.contains(&Exception::Ionized) => {
                write!(f, " is ionized; rolled {}", approach.roll)?;
            }
            _ => write!(f, " has no tally; rolled {}: {}", approach.roll, approach.entry)?,
        }
        for exception in &approach.exceptions {
            f.write_str(match exception {
                Exception::Ionized => "",
                Exception::StressedRed => " (a red maneuver while stressed made the die focus)",
                Exception::NoSuchManeuver => " (nothing on the dial met the roll, so the die became focus)",
                Exception::SlowestStraight => " (nothing on the dial met the entry)",
            })?;
        }
        write!(f, ". It flies {}", SpokenIn(ship.edition, approach.maneuver))?;
        let execution = &outcome.execution;
        if !execution.overlapped.is_empty() {
            write!(f, ", backs up from {}", execution.overlapped.join(", "))?;
        }
        match outcome.edge_turn {
            Some(EdgeTurn::About) => f.write_str(", stops at the edge and turns about"),
            Some(EdgeTurn::Quarter(side)) => write!(f, ", stops at the edge and turns {}", side.name()),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        geometry::Pose,
        solo_alpha::{action::Line, attitude::Attitude},
        xwing::{
            ObjectId,
            maneuver::{Difficulty, Side},
            obstacle::ObstacleKind,
        },
    };

    fn action(kind: ActionKind, detail: ActionDetail, effect: Effect) -> PlannedAction {
        PlannedAction {
            kind,
            difficulty: Difficulty::White,
            detail,
            pose_after: Pose::default(),
            line: (effect != Effect::OpensLink).then_some(Line {
                attitude: Attitude::Defensive,
                number: 1,
            }),
            effect,
        }
    }

    fn performs(sequence: Vec<PlannedAction>) -> String {
        let decision = ActionDecision {
            sequence,
            ..ActionDecision::default()
        };
        Performs(Edition::Second, &decision).to_string()
    }

    #[test]
    fn actions_are_told_in_words() {
        let roll = |slide_mm| ActionDetail::BarrelRoll {
            side: Side::Left,
            slide_mm,
        };
        let enemy: ObjectId = "E".into();
        let cases = [
            (
                ActionKind::Evade,
                ActionDetail::Token,
                Effect::Lacking,
                "evade",
                "takes an evade token, of which it has none",
            ),
            (
                ActionKind::BarrelRoll,
                roll(0.0),
                Effect::LeavesArcs(vec![enemy.clone()]),
                "barrel roll left",
                "barrel rolls left, which leaves the firing arcs of E",
            ),
            (
                ActionKind::BarrelRoll,
                roll(-10.0),
                Effect::GainsTargets(vec![enemy.clone()]),
                "barrel roll left (10 mm back)",
                "barrel rolls left, sliding 10 mm back, which brings E into a firing arc",
            ),
            (
                ActionKind::Boost,
                ActionDetail::Boost(BoostTemplate::Straight),
                Effect::LeavesArcs(vec![enemy.clone()]),
                "boost straight ahead",
                "boosts straight ahead, which leaves the firing arcs of E",
            ),
            (
                ActionKind::Lock,
                ActionDetail::Lock(enemy.clone()),
                Effect::On(90.0),
                "lock on E",
                "locks E, 90 mm away",
            ),
            (
                ActionKind::Reload,
                ActionDetail::Reload("protontorpedoes".to_owned()),
                Effect::Lacking,
                "reload of protontorpedoes",
                "reloads protontorpedoes, which lacks a charge",
            ),
            (
                ActionKind::Reinforce,
                ActionDetail::Reinforce(FullArc::Aft),
                Effect::Covers(2),
                "reinforce aft",
                "reinforces aft, which covers the full arc that holds 2 enemies",
            ),
            (
                ActionKind::RotateArc,
                ActionDetail::RotateArc(vec![ArcDirection::Left]),
                Effect::GainsTargets(vec![enemy]),
                "turret to the left",
                "turns its turret to the left, which brings E into a firing arc",
            ),
        ];
        for (kind, detail, effect, name, told) in cases {
            let action = action(kind, detail, effect);
            assert_eq!(Named(Edition::Second, &action).to_string(), name);
            assert_eq!(performs(vec![action]), told);
        }
        let focus = action(ActionKind::Focus, ActionDetail::Token, Effect::OpensLink);
        let lock = action(ActionKind::Lock, ActionDetail::Lock("E".into()), Effect::On(90.0));
        assert_eq!(
            performs(vec![focus, lock]),
            "takes a focus token, then locks E, 90 mm away"
        );
        assert_eq!(performs(Vec::new()), "takes no action");
        let lost = ActionDecision {
            lost: vec![
                LostCause::Obstacle(ObstacleKind::Asteroid, "A1".into()),
                LostCause::Overlap,
            ],
            ..ActionDecision::default()
        };
        assert_eq!(
            Performs(Edition::Second, &lost).to_string(),
            "loses its action to A1 and the overlap"
        );
    }
}
