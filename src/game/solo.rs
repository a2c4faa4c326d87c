//! The Solo Alpha opponent in the game's terms: what it decides, as steps.

mod escort;

use super::{
    called,
    opponent::{ActionPlan, ActionStep, Flight, Opponent, Seen, Settled, Situation, Within},
    same_pose,
    step::Token,
};
use crate::{
    commander::{Commander as _, Explanation, solo::Solo},
    decision::Reason,
    dice::{DiceSource, FixedRoll, SeededDice},
    geometry::{Point, Pose, angle},
    solo_alpha::{
        self, MoveResult, Options, Outcome, PlannedAction,
        action::{ActionDecision, ActionDetail},
        chart::Chart,
        device::DropMoment,
        escort::{Initiative, protect::LineOfProtect},
        options::FirstPlayer,
        sentence::Performs,
        tally,
    },
    xwing::{
        battle::{Answer, Battle, Request},
        edition::ShowRanges,
        measure::{self, Object},
        movement::Alignment,
        ship::Ship,
        table::Table,
    },
};

/// How far the lines of an arc are shown, mm.
const RANGE_3_MM: f64 = 300.0;

/// Flies by the Solo Alpha rules.
#[derive(Debug, Clone)]
pub struct SoloAlpha {
    /// The choices that the rules leave open.
    pub options: Options,
}

/// What Solo Alpha remembers in an activation.
#[derive(Debug, Clone)]
pub enum Memory {
    /// Of a ship.
    Flies(Box<Flying>),
    /// Of the shuttle of Political Escort.
    Races(Box<escort::Racer>),
}

impl Memory {
    /// The ship's, if it is not the shuttle.
    fn flying(&self) -> Option<&Flying> {
        match self {
            Memory::Flies(flying) => Some(flying),
            Memory::Races(_) => None,
        }
    }
}

/// What is remembered of a ship.
#[derive(Debug, Clone)]
pub struct Flying {
    activation: solo_alpha::Activation,
    /// The ship before its move.
    before: Ship,
    /// The move as it is expected, or as it came out.
    outcome: Outcome,
    result: MoveResult,
    /// It was said that it will protect the shuttle (PE-A6).
    protects: bool,
}

impl Opponent for SoloAlpha {
    type Memory = Memory;

    fn decide(
        &self,
        table: &Table,
        ship: &str,
        situation: &Situation,
        mut dice: FixedRoll<SeededDice>,
    ) -> Result<Flight<Memory>, String> {
        if let Some(game) = situation.escort.as_ref().filter(|game| *game.play.shuttle == *ship) {
            return escort::race(table, ship, game, dice);
        }
        let told = situation;
        let options = &*escort::preferring(table, ship, told, &self.options);
        let (table, aims) = escort::aims_of(table, ship, told, options, &mut dice);
        let table = &*table;
        let situation = solo_alpha::Situation {
            forced_tally: told.forced_tally.clone().or(aims.tally),
        };
        let failed = |error: solo_alpha::DecideError| error.to_string();
        let activation = solo_alpha::decide(table, ship, &situation, options, &mut dice.clone()).map_err(failed)?;
        // The dice as they stand before the action, so that an action chosen anew rolls as the one in the decision did.
        let (approach, _) = solo_alpha::approach(table, ship, &situation, options, &mut dice).map_err(failed)?;
        solo_alpha::expect(table, ship, &approach, options, &mut dice).map_err(failed)?;
        let before = table.ship(ship).ok_or("it is not on the table")?;
        let execution = &activation.execution.execution;
        let result = activation.move_result(before);
        let protects = escort::expects_to_protect(table, before, &activation, &result, told);
        let mut reasons = aims.reasons;
        reasons.extend(activation.reasons.iter().cloned());
        let (sentence, protects) = match protects {
            Some((sentence, reason)) => {
                reasons.push(reason);
                (sentence, true)
            }
            None => (activation.sentence.clone(), false),
        };
        let tally = activation
            .approach
            .tally
            .as_ref()
            .and_then(|tally| Object::find(table, &tally.id));
        Ok(Flight {
            maneuver: execution.maneuver,
            slide_mm: execution.alignment.map_or(0.0, Alignment::shift_mm),
            from: before.pose,
            to: execution.pose,
            by_the_table: !execution.edge,
            tally: tally.map(|object| object.centre()),
            arc: match (tally, activation.approach.chart) {
                // FE-0.7: they reach to range 3.
                (Some(object), Some(chart)) if table.rules.show_ranges == ShowRanges::Always => {
                    arc_lines(before, chart, &object)
                }
                _ => Vec::new(),
            },
            reasons,
            sentence,
            dice: dice.rest,
            memory: Memory::Flies(Box::new(Flying {
                result,
                before: before.clone(),
                outcome: activation.execution.clone(),
                activation,
                protects,
            })),
        })
    }

    fn fly_from_here(&self, table: &Table, ship: &str, flight: &mut Flight<Memory>, dice: &mut dyn DiceSource) {
        let Memory::Flies(memory) = &mut flight.memory else {
            escort::from_here(table, ship, flight);
            return;
        };
        let approach = &memory.activation.approach;
        let expected = solo_alpha::expect(table, ship, approach, &self.options, dice);
        let (Ok((outcome, _)), Some(before)) = (expected, table.ship(ship)) else {
            return;
        };
        let execution = &outcome.execution;
        flight.maneuver = execution.maneuver;
        flight.slide_mm = execution.alignment.map_or(0.0, Alignment::shift_mm);
        (flight.from, flight.to) = (before.pose, execution.pose);
        flight.by_the_table = !execution.edge;
        memory.result = solo_alpha::move_result(&memory.activation.approach, &outcome, before);
        memory.before = before.clone();
        memory.outcome = outcome.clone();
        memory.activation.execution = outcome;
    }

    fn settle(&self, table: &Table, ship: &str, flight: &mut Flight<Memory>, seen: &Seen) -> Settled {
        let Some(before) = table.ship(ship) else {
            return Settled::default();
        };
        let memory = match &mut flight.memory {
            Memory::Flies(memory) => memory,
            Memory::Races(racer) => return escort::settle(table, before, racer, seen),
        };
        let expected = &memory.activation.execution;
        // A bump where none was expected counts, however near the ship came to its end.
        let as_expected = same_pose(seen.pose, expected.execution.pose)
            && (seen.touching.is_empty() || !expected.execution.overlapped.is_empty());
        let outcome = if as_expected {
            expected.clone()
        } else {
            let activation = &memory.activation;
            match solo_alpha::observe(table, ship, activation, seen.pose, &seen.touching, &self.options) {
                Ok(outcome) => outcome,
                Err(_) => return Settled::default(),
            }
        };
        memory.result = solo_alpha::move_result(&memory.activation.approach, &outcome, before);
        let mut settled = Settled {
            turn_to: outcome.edge_turn.map(|turn| Pose {
                position: seen.pose.position,
                heading: angle::normalize(seen.pose.heading + turn.degrees()),
            }),
            tokens: token_changes(before, &outcome.tokens),
            touching: outcome.execution.bumped.clone(),
            execution: Some(outcome.execution.clone()),
            ..Settled::default()
        };
        if !as_expected {
            let backed_up = &outcome.execution.overlapped;
            settled.reasons.insert(
                0,
                Reason {
                    rule: "SA-7".to_owned(),
                    text: if backed_up.is_empty() {
                        format!("{} ended elsewhere than the rules expect.", called(before))
                    } else {
                        format!(
                            "{} was stopped by {} and loses its action.",
                            called(before),
                            backed_up.join(", ")
                        )
                    },
                    compared: Vec::new(),
                },
            );
        }
        memory.outcome = outcome;
        settled
    }

    fn choose(
        &self,
        battle: &Battle,
        request: &Request,
        within: Within<'_, Memory>,
        dice: &mut dyn DiceSource,
    ) -> (Answer, Explanation) {
        let mut explanation = Explanation::default();
        // FE-SOLO-11: the roll was made, and told, when the maneuver was chosen.
        let flown = within.flight.and_then(|flight| flight.memory.flying());
        if let (Request::Drop { ship }, Some(memory)) = (request, flown)
            && let Some(drop) = memory.activation.drop.as_ref()
            && drop.moment == DropMoment::BeforeTheMove
            && memory.before.id == *ship
        {
            let template = drop.place.as_ref().and_then(|place| place.template);
            return (Answer::Drop(template), explanation);
        }
        let mut solo = Solo::new(self.options.clone()).with_given(std::mem::take(within.promised));
        if let Some(memory) = flown {
            let approach = memory.activation.approach.clone();
            solo = solo.flying(approach, memory.outcome.clone(), memory.before.clone());
        }
        let answer = solo.answer(battle, request, dice, Some(&mut explanation));
        *within.promised = solo.into_given();
        (answer, explanation)
    }

    fn escort_initiative(&self) -> Initiative {
        self.options.escort.initiative
    }

    fn goes_first(&self) -> bool {
        self.options.first_player == FirstPlayer::Solo
    }

    fn may_act(&self, table: &Table, ship: &str, flight: &Flight<Memory>) -> bool {
        let (actor, memory) = (table.ship(ship), flight.memory.flying());
        // PE-1: the shuttle performs no action.
        (actor.zip(memory)).is_some_and(|(actor, memory)| solo_alpha::action::may_act(table, actor, &memory.result))
    }

    fn act(
        &self,
        table: &Table,
        ship: &str,
        flight: &Flight<Memory>,
        situation: &Situation,
        dice: &mut dyn DiceSource,
    ) -> ActionStep {
        // PE-1: the shuttle performs no action.
        let Some(memory) = flight.memory.flying() else {
            return ActionStep::default();
        };
        let attitude = memory.activation.approach.attitude;
        let Some(actor) = table.ship(ship) else {
            return ActionStep::default();
        };
        // FE-SOLO-11: the drop of a mine is the action, and was told with the maneuver.
        let mine = memory.activation.drop.as_ref().filter(|drop| drop.is_the_action());
        if let (Some(mine), true) = (mine, solo_alpha::action::may_act(table, actor, &memory.result)) {
            return ActionStep {
                card: Some(format!("upgrade:{}", mine.check.device)),
                ..ActionStep::default()
            };
        }
        // PE-A6
        let acts = solo_alpha::action::may_act(table, actor, &memory.result);
        let protect = |at| {
            let found = escort::protect(table, ship, attitude, at, situation);
            found.filter(|_| acts)
        };
        let mut reasons = Vec::new();
        if let Some((order, reason)) = protect(LineOfProtect::First) {
            reasons.push(reason);
            if order.is_some() {
                return escort::protects(actor, reasons, memory.protects);
            }
        }
        let options = escort::preferring(table, ship, situation, &self.options);
        let decision = solo_alpha::perform_action(table, ship, attitude, &memory.result, &options, dice);
        let Ok(mut decision) = decision else {
            return ActionStep::default();
        };
        reasons.append(&mut decision.reasons);
        if decision.sequence.is_empty()
            && let Some((order, reason)) = protect(LineOfProtect::Last)
        {
            reasons.push(reason);
            if order.is_some() {
                return escort::protects(actor, reasons, memory.protects);
            }
        }
        let mut actions = Vec::new();
        self.plan(table, actor, &decision, situation, dice, &mut actions);
        // What the decision already said is not said again.
        let expected = &memory.activation.action;
        let changed = memory.protects
            || decision.sequence.len() != expected.sequence.len()
            || decision.lost != expected.lost
            || (decision.sequence.iter().zip(&expected.sequence))
                .any(|(a, b)| (a.kind, &a.detail) != (b.kind, &b.detail));
        let sentence = if changed {
            action_sentence(actor, &decision)
        } else {
            String::new()
        };
        ActionStep {
            actions,
            card: None,
            reasons,
            sentence,
        }
    }
}

impl SoloAlpha {
    /// The steps of a decided sequence, and of the action that a coordinate gives away.
    fn plan(
        &self,
        table: &Table,
        actor: &Ship,
        decision: &ActionDecision,
        situation: &Situation,
        dice: &mut dyn DiceSource,
        plans: &mut Vec<ActionPlan>,
    ) {
        let mut pose = actor.pose;
        for planned in &decision.sequence {
            plans.push(plan_of(table, actor, planned, pose));
            pose = planned.pose_after;
            // SA-8.2: the coordinated ship takes an action outside its own activation, PE-A5 among its lines.
            if let ActionDetail::Coordinate(friend) = &planned.detail
                && let Some(friend) = table.ship(friend)
                && let options = escort::preferring(table, &friend.id, situation, &self.options)
                && let Ok((_, given)) = solo_alpha::action_outside_activation(table, &friend.id, &options, dice)
            {
                // A coordinate cannot be coordinated, so this goes no deeper.
                let own: Vec<_> = given
                    .sequence
                    .iter()
                    .filter(|action| !matches!(action.detail, ActionDetail::Coordinate(_)))
                    .cloned()
                    .collect();
                let mut friend_pose = friend.pose;
                for planned in &own {
                    plans.push(plan_of(table, friend, planned, friend_pose));
                    friend_pose = planned.pose_after;
                }
            }
        }
    }
}

/// The lines that bound the arcs of a chart that an object is in, up to range 3.
fn arc_lines(ship: &Ship, chart: Chart, object: &Object) -> Vec<(Point, Point)> {
    let on_the_table = |(from, to)| (ship.pose.to_table(from), ship.pose.to_table(to));
    tally::arcs(chart)
        .iter()
        .filter(|&&arc| measure::in_arc(ship.print(), ship.pose, arc, object))
        .flat_map(|arc| arc.lines(ship.print(), RANGE_3_MM))
        .map(on_the_table)
        .collect()
}

/// Tokens gained and lost between two states.
fn token_changes(before: &Ship, after: &crate::xwing::ship::Tokens) -> Vec<(Token, i32)> {
    let (mut before, mut after) = (before.tokens, *after);
    let changes = Token::ALL.into_iter().map(|token| {
        let change = i64::from(*token.count_mut(&mut after)) - i64::from(*token.count_mut(&mut before));
        (token, i32::try_from(change).unwrap_or(0))
    });
    // Both sides of reinforce share a count.
    changes
        .filter(|(token, change)| *change != 0 && *token != Token::ReinforceAft)
        .collect()
}

fn plan_of(table: &Table, actor: &Ship, planned: &PlannedAction, from: Pose) -> ActionPlan {
    let way = (planned.kind, planned.difficulty, &planned.detail);
    ActionPlan::of(table, actor, way, from, planned.pose_after)
}

fn action_sentence(actor: &Ship, decision: &ActionDecision) -> String {
    let name = called(actor);
    format!("{name} {}.", Performs(actor.edition, decision))
}
