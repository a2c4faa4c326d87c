//! SA-3.1 and SA-3.2: which object the ship is after, and which chart that means.

use super::{
    chart::Chart,
    nearest::{Measured, Nearest, TIE_MM, compared, enemies, nearest},
};
use crate::{
    decision::Reason,
    dice::DiceSource,
    xwing::{
        ObjectId,
        edition::topic::Locks,
        measure::{self, Arc, Object},
        ship::Ship,
        table::Table,
    },
};

/// How the tally was found: the part of SA-3.1 that named it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TallyRule {
    /// A scenario or the player named it.
    Forced,
    /// a) The nearest object it has locked.
    Locked,
    /// b) The nearest enemy in its bullseye arc at range 0-3.
    Bullseye,
    /// c) The same, front arc.
    Front,
    /// d) The same, either side arc.
    Side,
    /// e) The same, rear arc.
    Rear,
    /// f) b) to e) again beyond range 3.
    Beyond,
}

impl TallyRule {
    /// The rule's id.
    pub const fn id(self) -> &'static str {
        match self {
            TallyRule::Forced => "SA-3.1-forced",
            TallyRule::Locked => "SA-3.1a",
            TallyRule::Bullseye => "SA-3.1b",
            TallyRule::Front => "SA-3.1c",
            TallyRule::Side => "SA-3.1d",
            TallyRule::Rear => "SA-3.1e",
            TallyRule::Beyond => "SA-3.1f",
        }
    }
}

/// The object that the ship is after this activation.
#[derive(Debug, Clone, PartialEq)]
pub struct Tally {
    /// Its id.
    pub id: ObjectId,
    /// Which part of SA-3.1 named it.
    pub rule: TallyRule,
    /// Base to base, mm.
    pub distance_mm: f64,
    /// All that were equally near, in id order; more than one means that a seeded roll chose.
    pub candidates: Vec<ObjectId>,
}

/// The arcs that each chart stands for.
pub const fn arcs(chart: Chart) -> &'static [Arc] {
    match chart {
        Chart::Bullseye => &[Arc::Bullseye],
        Chart::Front => &[Arc::Front],
        Chart::Side => &[Arc::Left, Arc::Right],
        Chart::Rear => &[Arc::Rear],
    }
}

fn is_in(ship: &Ship, chart: Chart, object: &Object) -> bool {
    arcs(chart)
        .iter()
        .any(|&arc| measure::in_arc(ship.print(), ship.pose, arc, object))
}

/// Base to base distance, mm; a bump that the table reported counts as contact (SA-0).
pub(super) fn distance(ship: &Ship, object: &Object) -> f64 {
    match object {
        Object::Ship(other) => measure::ship_distance(ship, other),
        _ => measure::distance(ship.size, ship.pose, object),
    }
}

/// The object of that id, unless it is off the table or the ship itself.
fn on_table<'t>(table: &'t Table, ship: &Ship, id: &str) -> Option<Object<'t>> {
    Object::find(table, id).filter(|object| match object {
        Object::Ship(other) => other.in_play() && other.id != ship.id,
        _ => true,
    })
}

/// Whether the rules let ships lock such an object; a lock on another is somebody's note of where a ship is to go.
fn can_be_locked(table: &Table, object: &Object) -> bool {
    match table.rules.locks {
        Locks::AnyObject => true,
        Locks::Enemies => matches!(object, Object::Ship(_)),
    }
}

/// FE-SOLO-3: what a ship has "locked" and cannot lock, such as the corner that it makes for (SA-13), is a forced tally.
fn locked_place<'s>(table: &Table, ship: &'s Ship) -> Option<&'s str> {
    let mut locks = ship.locks.iter();
    let place = locks.find(|id| on_table(table, ship, id).is_some_and(|object| !can_be_locked(table, &object)))?;
    Some(place)
}

/// SA-3.1: the tally, or `None` when there is nothing to be after.
pub(super) fn identify<'t>(
    table: &'t Table,
    ship: &Ship,
    forced: Option<&str>,
    dice: &mut dyn DiceSource,
    reasons: &mut Vec<Reason>,
) -> Option<(Tally, Object<'t>)> {
    let words = table.rules.edition.words();
    if let Some(id) = forced.or_else(|| locked_place(table, ship)) {
        match on_table(table, ship, id) {
            Some(object) => {
                let measured = Measured {
                    object,
                    distance: distance(ship, &object),
                };
                let sole = Nearest {
                    chosen: measured,
                    tied: vec![measured],
                };
                return Some(found(
                    TallyRule::Forced,
                    sole,
                    &[measured],
                    "named as the tally",
                    reasons,
                ));
            }
            None => reasons.push(Reason {
                rule: TallyRule::Forced.id().to_owned(),
                text: format!("{id} was named as the tally but is not on the table"),
                compared: Vec::new(),
            }),
        }
    }
    // SA-3.1a
    let locked: Vec<_> = ship
        .locks
        .iter()
        .filter_map(|id| on_table(table, ship, id))
        .filter(|object| can_be_locked(table, object))
        .map(|object| Measured {
            object,
            distance: distance(ship, &object),
        })
        .collect();
    if let Some(found_lock) = nearest(&locked, dice) {
        return Some(found(
            TallyRule::Locked,
            found_lock,
            &locked,
            match table.rules.locks {
                Locks::AnyObject => "nearest object it has locked",
                Locks::Enemies => "nearest ship that it has a target lock on",
            },
            reasons,
        ));
    }
    let measured: Vec<_> = enemies(&table.ships, ship)
        .into_iter()
        .map(|enemy| {
            let object = Object::Ship(enemy);
            Measured {
                object,
                distance: distance(ship, &object),
            }
        })
        .collect();
    // SA-3.1b to e within range 3, then SA-3.1f the same beyond it.
    for beyond in [false, true] {
        for chart in Chart::ALL {
            let inside: Vec<_> = measured
                .iter()
                .copied()
                .filter(|m| measure::range(m.distance).is_none() == beyond && is_in(ship, chart, &m.object))
                .collect();
            let Some(found_enemy) = nearest(&inside, dice) else {
                continue;
            };
            let (rule, how) = match (beyond, chart) {
                (true, Chart::Bullseye) => (TallyRule::Beyond, "in its bullseye arc"),
                (true, Chart::Front) => (TallyRule::Beyond, "in its front arc"),
                (true, Chart::Side) => (TallyRule::Beyond, "in a side arc"),
                (true, Chart::Rear) => (TallyRule::Beyond, "in its rear arc"),
                (false, Chart::Bullseye) => (TallyRule::Bullseye, "in its bullseye arc"),
                (false, Chart::Front) => (TallyRule::Front, "in its front arc"),
                (false, Chart::Side) => (TallyRule::Side, "in a side arc"),
                (false, Chart::Rear) => (TallyRule::Rear, "in its rear arc"),
            };
            let how = match beyond {
                true => format!("nearest enemy beyond range 3, {how}"),
                false => format!("nearest enemy {how} at {}", words.to_range_3),
            };
            let mut result = found(rule, found_enemy, &inside, &how, reasons);
            add_others(&mut result, &measured, &inside, beyond, reasons);
            return Some(result);
        }
    }
    reasons.push(Reason {
        rule: "SA-3.1".to_owned(),
        text: "no tally: no enemy is on the table and nothing is locked".to_owned(),
        compared: Vec::new(),
    });
    None
}

fn found<'t>(
    rule: TallyRule,
    nearest: Nearest<'t>,
    measured: &[Measured<'t>],
    how: &str,
    reasons: &mut Vec<Reason>,
) -> (Tally, Object<'t>) {
    let Measured { object, distance } = nearest.chosen;
    let mut sorted: Vec<_> = measured.to_vec();
    sorted.sort_by(|a, b| {
        a.distance
            .total_cmp(&b.distance)
            .then_with(|| a.object.id().cmp(b.object.id()))
    });
    let text = match nearest.tied.len() {
        1 => format!("tally {}: {how}", object.id()),
        // SA-0: the log names all candidates of a tie.
        _ => format!(
            "tally {}: {how}; a seeded roll among the equally near {}",
            object.id(),
            nearest.tied_ids().join(", ")
        ),
    };
    reasons.push(Reason {
        rule: rule.id().to_owned(),
        text,
        compared: sorted
            .iter()
            .map(|m| {
                let verdict = if m.object.id() == object.id() {
                    "taken"
                } else if m.distance <= distance + TIE_MM {
                    "equally near"
                } else {
                    "farther"
                };
                compared(m.object.id(), m.distance, verdict)
            })
            .collect(),
    });
    let tally = Tally {
        id: object.id().clone(),
        rule,
        distance_mm: distance,
        candidates: nearest.tied_ids(),
    };
    (tally, object)
}

/// Adds the enemies that were measured but do not meet the rule, so that the log shows every distance compared.
fn add_others(
    result: &mut (Tally, Object<'_>),
    measured: &[Measured<'_>],
    inside: &[Measured<'_>],
    beyond: bool,
    reasons: &mut [Reason],
) {
    let Some(reason) = reasons.last_mut().filter(|r| r.rule == result.0.rule.id()) else {
        return;
    };
    let mut others: Vec<_> = measured
        .iter()
        .filter(|m| !inside.iter().any(|i| i.object.id() == m.object.id()))
        .collect();
    others.sort_by(|a, b| {
        a.distance
            .total_cmp(&b.distance)
            .then_with(|| a.object.id().cmp(b.object.id()))
    });
    reason.compared.extend(others.into_iter().map(|m| {
        let verdict = if !beyond && measure::range(m.distance).is_none() {
            "beyond range 3"
        } else {
            "not in that arc"
        };
        compared(m.object.id(), m.distance, verdict)
    }));
}

/// SA-3.2: the first arc, in the order bullseye, front, side, rear, that any part of the tally is in.
pub(super) fn chart(ship: &Ship, tally: &Object, reasons: &mut Vec<Reason>) -> Chart {
    // The four arcs cover the whole plane around the centre, so only rounding can leave an object in none of them.
    let chart = Chart::ALL
        .into_iter()
        .find(|&chart| is_in(ship, chart, tally))
        .unwrap_or(Chart::Rear);
    reasons.push(Reason {
        rule: "SA-3.2".to_owned(),
        text: format!("{chart} chart: the first arc that {} is in", tally.id()),
        compared: Vec::new(),
    });
    chart
}
