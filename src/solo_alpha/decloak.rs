//! Whether a cloaked solo ship decloaks in the System Phase. The rules of Solo Alpha are silent: SA-12's answer to what is
//! unclear, a defence die, decides (choice).

use super::{
    DecideError, Options, active,
    attitude::Attitude,
    cards::moves::{self, Candidate, Survey},
    chart::defence_name,
    outcome::movement_options,
};
use crate::{
    decision::Reason,
    dice::DiceSource,
    xwing::{
        action::{ActionDetail, ActionKind},
        maneuver::Side,
        reposition::{self, BoostTemplate, Decloak},
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

/// SA-12 (choice): one defence die. Offensive decloaks if it can, Balanced if a way meets one of the three tests of moves,
/// Defensive stays cloaked. Which way: as SA-12 chooses among moves; where none meets a test the one that loses the
/// least, ahead before to a side.
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
    let movement = movement_options(options);
    let sideways = Side::BOTH
        .into_iter()
        .flat_map(|side| reposition::slides(ship.size).map(|slide_mm| Decloak::Sideways { side, slide_mm }));
    let survey = Survey::new(table, ship);
    let mut ways: Vec<(Decloak, Candidate)> = Vec::new();
    for way in std::iter::once(Decloak::Forward).chain(sideways) {
        let end = reposition::decloak(table, ship, way, &movement);
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
        return Ok(DecloakDecision { way: None, reasons });
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
    Ok(DecloakDecision { way, reasons })
}

/// The way as the action that it resembles.
fn as_action(way: Decloak) -> (ActionKind, ActionDetail) {
    match way {
        Decloak::Forward => (ActionKind::Boost, ActionDetail::Boost(BoostTemplate::Straight)),
        Decloak::Sideways { side, slide_mm } => (ActionKind::BarrelRoll, ActionDetail::BarrelRoll { side, slide_mm }),
    }
}
