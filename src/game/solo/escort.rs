//! Political Escort for the opponent of a table (PE-A): the shuttle's race, and what escorts and attackers do otherwise.

use std::borrow::Cow;

use super::{Memory, Settled, token_changes};
use crate::{
    commander::escort::{prefers_on, protects_on, racing_on},
    decision::Reason,
    dice::{DiceSource, FixedRoll, SeededDice},
    game::{
        opponent::{ActionStep, EscortSituation, Flight, Seen, Situation},
        same_pose,
    },
    solo_alpha::{
        self, Attitude, MoveResult, Options,
        escort::{
            aims::{Aims, aims},
            protect::LineOfProtect,
            race::{self, Candidate, choosing, comes_to},
        },
        sentence::{Flies, SpokenIn, called},
    },
    xwing::{
        battle::Order,
        escort::{
            blocking::{self, Run, movement},
            ending::Leaving,
            protect::PROTECT,
        },
        maneuver::Maneuver,
        movement::{consequences::tokens_after, observed::observed},
        ship::Ship,
        size::Size,
        table::Table,
    },
};

/// The longest straight that tables have a template for.
const LONGEST_STRAIGHT: u8 = 5;

/// What the opponent remembers of the shuttle's activation.
#[derive(Debug, Clone)]
pub struct Racer {
    run: Run,
    /// The maneuver that was chosen, of which clearing makes a longer one.
    chosen: Maneuver,
    escort: EscortSituation,
}

/// PE-A2: what the shuttle flies; or what its players have told.
pub(super) fn race(
    table: &Table,
    ship: &str,
    escort: &EscortSituation,
    dice: FixedRoll<SeededDice>,
) -> Result<Flight<Memory>, String> {
    let mut own = dice.rest;
    let racing = racing_on(table, &escort.play, ship, escort.guides).ok_or("it is not on the table")?;
    let decision = race::decide(&racing, &mut own).ok_or("its dial has none of the shuttle's maneuvers")?;
    let alike = |told: &Maneuver, candidate: &Candidate| {
        (told.speed, told.bearing) == (candidate.maneuver.speed, candidate.maneuver.bearing)
    };
    let taken = |candidate: &&Candidate| match &escort.told {
        Some(told) => alike(told, candidate),
        None => candidate.maneuver == decision.maneuver,
    };
    let candidate = decision.candidates.iter().find(taken);
    let candidate = candidate.ok_or("that maneuver is not on its dial now")?;
    let (sentence, reasons) = match escort.told {
        None => (decision.sentence, decision.reasons),
        Some(_) => told(racing.shuttle, candidate),
    };
    Ok(flight(racing.shuttle, candidate, escort, (sentence, reasons), own))
}

/// What its players have declared (PE-4.2).
fn told(shuttle: &Ship, candidate: &Candidate) -> (String, Vec<Reason>) {
    let maneuver = SpokenIn(shuttle.edition, candidate.maneuver);
    let comes_to = comes_to(candidate);
    let reason = Reason {
        rule: "PE-4.2".to_owned(),
        text: format!("{maneuver}, as its players declared: {comes_to}"),
        compared: Vec::new(),
    };
    let sentence = format!("{} flies {maneuver}: {comes_to}.", called(shuttle));
    (sentence, vec![reason])
}

fn flight(
    shuttle: &Ship,
    candidate: &Candidate,
    escort: &EscortSituation,
    (sentence, reasons): (String, Vec<Reason>),
    dice: SeededDice,
) -> Flight<Memory> {
    let run = candidate.run.clone();
    let flown = run.execution.maneuver;
    Flight {
        maneuver: flown,
        slide_mm: 0.0,
        from: shuttle.pose,
        to: run.execution.pose,
        // A table moves what stands on a base by a template that it has.
        by_the_table: candidate.leaving == Leaving::Inside
            && shuttle.size == Size::Large
            && flown.speed <= LONGEST_STRAIGHT,
        tally: None,
        arc: Vec::new(),
        reasons,
        sentence,
        dice,
        memory: Memory::Races(Box::new(Racer {
            run,
            chosen: candidate.maneuver,
            escort: escort.clone(),
        })),
    }
}

/// The shuttle stands elsewhere than where it decided: the same maneuver from there.
pub(super) fn from_here(table: &Table, ship: &str, flight: &mut Flight<Memory>) {
    let racer = match &flight.memory {
        Memory::Races(racer) => Racer::clone(racer),
        Memory::Flies(_) => return,
    };
    let Some(racing) = racing_on(table, &racer.escort.play, ship, racer.escort.guides) else {
        return;
    };
    let candidates = race::candidates(&racing);
    let Some(candidate) = candidates.iter().find(|other| other.maneuver == racer.chosen) else {
        return;
    };
    let told = (
        std::mem::take(&mut flight.sentence),
        std::mem::take(&mut flight.reasons),
    );
    *flight = self::flight(racing.shuttle, candidate, &racer.escort, told, flight.dice.clone());
}

/// What the shuttle's move led to, by where it was seen. One that clears is put where the rules have it.
pub(super) fn settle(table: &Table, before: &Ship, racer: &mut Racer, seen: &Seen) -> Settled {
    let (play, guides) = (&racer.escort.play, racer.escort.guides);
    let expected = &racer.run;
    let as_expected = same_pose(seen.pose, expected.execution.pose)
        && (seen.touching.is_empty() || !expected.execution.overlapped.is_empty());
    let mut settled = Settled::default();
    if !as_expected && expected.cleared.is_some() {
        settled.turn_to = Some(expected.execution.pose);
    } else if !as_expected {
        let options = movement(guides);
        let flown = expected.execution.maneuver;
        let execution = observed(table, before, flown, seen.pose, &seen.touching, &options);
        let state = play.state();
        racer.run = blocking::seen(table, before, execution, choosing(before), state, &play.options, guides);
    }
    let run = &racer.run;
    settled.touching.clone_from(&run.execution.bumped);
    if !run.execution.edge {
        settled.tokens = token_changes(before, &tokens_after(table, before, &run.execution));
    }
    settled.run = Some(Box::new(run.clone()));
    settled
}

/// PE-A3, PE-A4: whom a ship is after, and the table with what it is after on it.
pub(super) fn aims_of<'t>(
    table: &'t Table,
    ship: &str,
    situation: &Situation,
    options: &Options,
    dice: &mut dyn DiceSource,
) -> (Cow<'t, Table>, Aims) {
    let mut table = Cow::Borrowed(table);
    let Some((escort, own)) = situation.escort.as_ref().zip(table.ship(ship)) else {
        return (table, Aims::default());
    };
    let mut aims = aims(&table, own, &escort.play.shuttle, &options.escort, dice);
    if let Some(point) = aims.point.take() {
        table.to_mut().markers.push(point);
    }
    (table, aims)
}

/// PE-A5: the options of a ship, with whom it locks before others.
pub(super) fn preferring<'o>(
    table: &Table,
    ship: &str,
    situation: &Situation,
    options: &'o Options,
) -> Cow<'o, Options> {
    match &situation.escort {
        Some(escort) => prefers_on(table, &escort.play, ship, options),
        None => Cow::Borrowed(options),
    }
}

/// PE-A6: Protect, where its line comes up. `None` where no such game is played, or the ship is no escort.
pub(super) fn protect(
    table: &Table,
    ship: &str,
    attitude: Attitude,
    at: LineOfProtect,
    situation: &Situation,
) -> Option<(Option<Order>, Reason)> {
    protects_on(table, &situation.escort.as_ref()?.play, ship, attitude, at)
}

/// The action step of an escort that protects the shuttle. `told`: it was said with the maneuver.
pub(super) fn protects(ship: &Ship, reasons: Vec<Reason>, told: bool) -> ActionStep {
    ActionStep {
        card: Some(PROTECT.to_owned()),
        sentence: match told {
            true => String::new(),
            false => format!("{} protects the shuttle.", called(ship)),
        },
        reasons,
        ..ActionStep::default()
    }
}

/// Whether an escort will protect the shuttle where its move is expected to end, and why; and what it does in a sentence.
pub(super) fn expects_to_protect(
    table: &Table,
    before: &Ship,
    activation: &solo_alpha::Activation,
    result: &MoveResult,
    situation: &Situation,
) -> Option<(String, Reason)> {
    situation.escort.as_ref()?;
    let mut there = table.clone();
    let place = there.ships.iter().position(|ship| ship.id == before.id)?;
    let mut moved = before.clone();
    moved.move_to(activation.execution.pose, table);
    moved.tokens = activation.execution.tokens;
    there.ships[place] = moved;
    let ship = &there.ships[place];
    if !solo_alpha::action::may_act(&there, ship, result) {
        return None;
    }
    let attitude = activation.approach.attitude;
    let last = activation.action.sequence.is_empty().then_some(LineOfProtect::Last);
    let lines = std::iter::once(LineOfProtect::First).chain(last);
    let (_, reason) = (lines.into_iter())
        .filter_map(|at| protect(&there, &before.id, attitude, at, situation))
        .find(|(order, _)| order.is_some())?;
    let flies = Flies {
        ship: before,
        approach: &activation.approach,
        outcome: &activation.execution,
    };
    Some((format!("{flies}; {attitude}; it protects the shuttle."), reason))
}
