//! Whether and how a cloaked solo ship decloaks. The rules of Solo Alpha are silent: in the System Phase of the second
//! edition SA-12's answer to what is unclear, a defence die, decides (choice); at the start of the Activation Phase of the
//! first one it decloaks when it can, after its tally (FE-SOLO-12).

use super::{
    DecideError, Options, active,
    attitude::Attitude,
    cards::moves::{self, Candidate, Survey},
    chart::{Chart, defence_name},
    citing,
    nearest::TIE_MM,
    outcome::movement_options,
    tally,
};
use crate::{
    decision::{Compared, Reason},
    dice::DiceSource,
    geometry::Pose,
    xwing::{
        action::{ActionDetail, ActionKind},
        edition::solo::SoloDecloak,
        maneuver::Side,
        reposition::{self, BoostTemplate, Decloak},
        scenario::departure,
        ship::Ship,
        table::Table,
    },
};

/// What was decided.
#[derive(Debug, Clone, PartialEq)]
pub struct DecloakDecision {
    /// The way, if it decloaks.
    pub way: Option<Decloak>,
    /// Why.
    pub reasons: Vec<Reason>,
}

/// Whether and how a ship decloaks, as the table's rules read it.
///
/// # Errors
/// A ship that is unknown or not in play.
pub fn decide(
    table: &Table,
    ship_id: &str,
    options: &Options,
    dice: &mut dyn DiceSource,
) -> Result<DecloakDecision, DecideError> {
    let ship = active(table, ship_id)?;
    Ok(match table.rules.solo.decloak {
        SoloDecloak::ByDie => by_die(table, ship, options, dice),
        SoloDecloak::AfterTheTally => after_the_tally(table, ship, options, dice),
    })
}

/// FE-SOLO-12: forward if its tally is in the bullseye or the front sector, else towards the tally's side; where that is
/// blocked the other ways in the order towards, forward, away. **choice** Without a tally forward first, and a seeded roll
/// for the side, as where the tally has no side.
fn after_the_tally(table: &Table, ship: &Ship, options: &Options, dice: &mut dyn DiceSource) -> DecloakDecision {
    let movement = movement_options(options);
    let mut reasons = Vec::new();
    let goal = departure::goal(table, ship).map(|goal| &*goal.id);
    let tally = tally::identify(table, ship, goal, dice, &mut reasons);
    let chart = tally
        .as_ref()
        .map(|(_, object)| tally::chart(ship, object, &mut reasons));
    let across = tally.as_ref().map(|(_, object)| ship.pose.to_local(object.centre()).x);
    let towards = match across.filter(|x| x.abs() > TIE_MM) {
        Some(x) if x < 0.0 => Side::Left,
        Some(_) => Side::Right,
        None => Side::BOTH[dice.choose(2).min(1)],
    };
    let (towards, away) = (Way::Sideways(towards), Way::Sideways(towards.opposite()));
    let order = match chart {
        None | Some(Chart::Bullseye | Chart::Front) => [Way::Forward, towards, away],
        Some(Chart::Side | Chart::Rear) => [towards, Way::Forward, away],
    };
    let mut compared = Vec::new();
    let mut found = None;
    for way in order {
        let end = match way {
            Way::Forward => {
                let end = reposition::decloak(table, ship, Decloak::Forward, &movement);
                end.blocked.is_none().then_some(Decloak::Forward)
            }
            Way::Sideways(side) => reposition::decloak_slide(table, ship, side, &movement)
                .map(|slide_mm| Decloak::Sideways { side, slide_mm }),
        };
        compared.push(Compared {
            candidate: way.name().to_owned(),
            value: None,
            unit: String::new(),
            verdict: if end.is_some() { "taken" } else { "blocked" }.to_owned(),
        });
        if end.is_some() {
            found = end;
            break;
        }
    }
    let text = match (&found, &tally) {
        (None, _) => "stays cloaked: every way is blocked".to_owned(),
        (Some(_), Some((tally, _))) => format!("decloaks, {} first, after its tally {}", order[0].name(), tally.id),
        (Some(_), None) => "decloaks, forward first for want of a tally".to_owned(),
    };
    reasons.push(Reason {
        rule: "SA-12 FE-SOLO-12".to_owned(),
        text,
        compared,
    });
    citing::cite(&table.rules, &mut reasons);
    DecloakDecision { way: found, reasons }
}

/// Where a ship stands that has decloaked that way.
pub fn end(table: &Table, ship: &Ship, way: Decloak, options: &Options) -> Pose {
    reposition::decloak(table, ship, way, &movement_options(options)).pose
}

/// A way to decloak, the slide left open.
#[derive(Debug, Clone, Copy)]
enum Way {
    Forward,
    Sideways(Side),
}

impl Way {
    const fn name(self) -> &'static str {
        match self {
            Way::Forward => "forward",
            Way::Sideways(Side::Left) => "left",
            Way::Sideways(Side::Right) => "right",
        }
    }
}

/// SA-12 (choice): one defence die. Offensive decloaks if it can, Balanced if a way meets one of the three tests of moves,
/// Defensive stays cloaked. Which way: as SA-12 chooses among moves; where none meets a test the one that loses the
/// least, ahead before to a side.
fn by_die(table: &Table, ship: &Ship, options: &Options, dice: &mut dyn DiceSource) -> DecloakDecision {
    let movement = movement_options(options);
    let survey = Survey::new(table, ship);
    let mut ways: Vec<(Decloak, Candidate)> = Vec::new();
    for (way, end) in reposition::decloaks(table, ship, &movement) {
        if end.blocked.is_none() {
            let (kind, detail) = as_action(way);
            ways.push((way, survey.candidate(kind, detail, end.pose)));
        }
    }
    let die = dice.defence();
    let attitude = Attitude::from_die(die);
    let mut reasons = vec![Reason {
        rule: "SA-12".to_owned(),
        text: format!("decloak: rolled {} for the attitude, {attitude}", defence_name(die)),
        compared: Vec::new(),
    }];
    if attitude == Attitude::Defensive {
        return DecloakDecision { way: None, reasons };
    }
    let candidates = ways.iter().map(|(_, candidate)| candidate.clone()).collect();
    let choice = moves::choose(&survey, candidates, None, "decloak", options, dice);
    reasons.push(choice.reason);
    let chosen = choice.chosen.and_then(|chosen| {
        let found = ways.iter().find(|(_, candidate)| *candidate == chosen);
        found.map(|(way, _)| *way)
    });
    let least = || {
        let losses = |(_, candidate): &&(Decloak, Candidate)| candidate.tests.losses();
        ways.iter().min_by_key(losses).map(|(way, _)| *way)
    };
    let way = match attitude {
        Attitude::Offensive => chosen.or_else(least),
        _ => chosen,
    };
    DecloakDecision { way, reasons }
}

/// The way as the action that it resembles.
fn as_action(way: Decloak) -> (ActionKind, ActionDetail) {
    match way {
        Decloak::Forward => (ActionKind::Boost, ActionDetail::Boost(BoostTemplate::Straight)),
        Decloak::Sideways { side, slide_mm } => (ActionKind::BarrelRoll, ActionDetail::BarrelRoll { side, slide_mm }),
    }
}
