//! PE-A3 to PE-A5: whom a ship is after in the scenario, and whom it locks and attacks before others.

use super::{AttackerTally, EscortPlay, EscortTally};
use crate::{
    decision::Reason,
    dice::DiceSource,
    solo_alpha::nearest::{Measured, compared, nearest},
    xwing::{
        ObjectId,
        measure::{self, Object},
        ship::Ship,
        table::{Marker, Table},
    },
};

/// The id of the point ahead of the shuttle (PE-A3, `screen`).
pub const SCREEN: &str = "screen";
/// How far ahead of the shuttle's centre that point is, mm.
const SCREEN_AHEAD_MM: f64 = 120.0;

/// What a ship is after.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Aims {
    /// Its forced tally, if it has one.
    pub tally: Option<ObjectId>,
    /// The ship that it locks and attacks before others (PE-A5).
    pub prefers: Option<ObjectId>,
    /// A point that has to be on the table for the tally.
    pub point: Option<Marker>,
    /// Why.
    pub reasons: Vec<Reason>,
}

/// Whom a ship is after (PE-A3, PE-A4). Nobody in particular if it is the shuttle or there is none in play.
pub fn aims(table: &Table, ship: &Ship, shuttle: &str, play: &EscortPlay, dice: &mut dyn DiceSource) -> Aims {
    let Some(shuttle) = table
        .ship(shuttle)
        .filter(|shuttle| shuttle.in_play() && shuttle.id != ship.id)
    else {
        return Aims::default();
    };
    match ship.is_enemy_of(shuttle) {
        true => attacker(table, ship, shuttle, play.attacker_tally),
        false => escort(table, shuttle, play.escort_tally, dice),
    }
}

fn attacker(table: &Table, ship: &Ship, shuttle: &Ship, tally: AttackerTally) -> Aims {
    let (takes, text) = match tally {
        AttackerTally::Shuttle => (true, "only the shuttle's end wins".to_owned()),
        AttackerTally::Solo => (false, "it flies as SA-3.1 says".to_owned()),
        AttackerTally::Mixed => {
            // The lists of a table are in id order.
            let own = table.ships.iter().filter(|other| other.side == ship.side);
            let ids: Vec<&ObjectId> = own.map(|other| &other.id).collect();
            let half = ids.len().div_ceil(2);
            let place = ids.iter().position(|id| **id == ship.id).unwrap_or(0);
            let text = format!(
                "number {} of {}: the first {half} fly at the shuttle",
                place + 1,
                ids.len()
            );
            (place < half, text)
        }
    };
    let tally = takes.then(|| shuttle.id.clone());
    Aims {
        prefers: tally.clone(),
        reasons: vec![Reason {
            rule: "PE-A4".to_owned(),
            text: match &tally {
                Some(id) => format!("tally {id}: {text}"),
                None => format!("no forced tally: {text}"),
            },
            compared: Vec::new(),
        }],
        tally,
        point: None,
    }
}

fn escort(table: &Table, shuttle: &Ship, tally: EscortTally, dice: &mut dyn DiceSource) -> Aims {
    let reason = |text: String| Reason {
        rule: "PE-A3".to_owned(),
        text,
        compared: Vec::new(),
    };
    match tally {
        EscortTally::Solo => Aims {
            reasons: vec![reason("no forced tally: it flies as SA-3.1 says".to_owned())],
            ..Aims::default()
        },
        EscortTally::Screen => {
            let forward = shuttle.pose.forward();
            let at = shuttle.pose.position + forward * SCREEN_AHEAD_MM;
            let text = format!("tally {SCREEN}: the point {SCREEN_AHEAD_MM} mm ahead of the shuttle");
            Aims {
                tally: Some(SCREEN.into()),
                point: Some(Marker {
                    id: SCREEN.into(),
                    position: at,
                }),
                reasons: vec![reason(text)],
                ..Aims::default()
            }
        }
        EscortTally::Guard => {
            let attackers = table.ships_in_play().filter(|other| other.is_enemy_of(shuttle));
            let measured: Vec<Measured<'_>> = attackers
                .map(|other| Measured {
                    object: Object::Ship(other),
                    distance: measure::ship_distance(shuttle, other),
                })
                .collect();
            let near: Vec<Measured<'_>> = measured
                .iter()
                .copied()
                .filter(|m| measure::range(m.distance).is_some())
                .collect();
            let chosen = nearest(&near, dice);
            let id = chosen.as_ref().map(|chosen| chosen.chosen.object.id().clone());
            let text = match (&id, chosen.as_ref().map_or(0, |chosen| chosen.tied.len())) {
                (None, _) => "no forced tally: no attacker is within range 3 of the shuttle".to_owned(),
                (Some(id), 1) => format!("tally {id}: the attacker nearest to the shuttle"),
                (Some(id), _) => format!("tally {id}: a seeded roll among the attackers nearest to the shuttle"),
            };
            let mut reason = reason(text);
            reason.compared = (measured.iter())
                .map(|m| {
                    let verdict = match measure::range(m.distance) {
                        _ if id.as_ref() == Some(m.object.id()) => "taken",
                        None => "beyond range 3 of the shuttle",
                        Some(_) => "not nearer",
                    };
                    compared(m.object.id(), m.distance, verdict)
                })
                .collect();
            Aims {
                tally: id,
                reasons: vec![reason],
                ..Aims::default()
            }
        }
    }
}
