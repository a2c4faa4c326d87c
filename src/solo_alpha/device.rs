//! SA-2: whether a solo ship drops its bomb or mine in the System Phase.

use super::{DecideError, active, nearest::enemies};
use crate::{
    decision::{Compared, Reason},
    dice::{AttackFace, DiceSource},
    xwing::{
        ObjectId,
        device::{self, DropTemplate, PlacedDevice},
        measure::{self, Arc, Object},
        ship::Ship,
        table::Table,
    },
};

/// The roll for a device.
#[derive(Debug, Clone, PartialEq)]
pub struct DeviceCheck {
    /// The device upgrade's id.
    pub device: String,
    /// The enemies that give a die each, in id order.
    pub enemies: Vec<ObjectId>,
    /// The dice, one an enemy.
    pub rolled: Vec<AttackFace>,
    /// Whether it drops the device. A drop that would leave the play area is not made: measure it where it is placed.
    pub drops: bool,
    /// Why.
    pub reasons: Vec<Reason>,
}

/// The enemies that give a ship a die for its device: at range 0-1, or in its rear arc at range 0-2; each once, in id
/// order.
pub fn threatened(table: &Table, ship: &Ship) -> Vec<ObjectId> {
    let counts = |other: &&Ship| match measure::range(measure::ship_distance(ship, other)) {
        Some(0 | 1) => true,
        Some(2) => measure::in_arc(ship.print(), ship.pose, Arc::Rear, &Object::Ship(other)),
        _ => false,
    };
    let mut ids: Vec<ObjectId> = enemies(&table.ships, ship)
        .into_iter()
        .filter(counts)
        .map(|other| other.id.clone())
        .collect();
    ids.sort_unstable();
    ids
}

/// SA-2: rolls for the device of a solo ship. `None` when it has none, or none with a charge left.
///
/// # Errors
/// A ship that is unknown or not in play.
pub fn check(table: &Table, ship_id: &str, dice: &mut dyn DiceSource) -> Result<Option<DeviceCheck>, DecideError> {
    let ship = active(table, ship_id)?;
    let Some(device) = ship.device.as_ref().filter(|device| device.charges.left > 0) else {
        return Ok(None);
    };
    let enemies = threatened(table, ship);
    let rolled: Vec<AttackFace> = enemies.iter().map(|_| dice.attack()).collect();
    let drops = rolled
        .iter()
        .any(|face| matches!(face, AttackFace::Hit | AttackFace::Crit));
    let compared = enemies.iter().zip(&rolled).map(|(id, face)| Compared {
        candidate: id.to_string(),
        value: table.ship(id).map(|other| measure::ship_distance(ship, other)),
        unit: "mm".to_owned(),
        verdict: face.word().to_owned(),
    });
    let text = match (enemies.len(), drops) {
        (0, _) => format!(
            "keeps {}: no enemy at range 0-1, or in its rear arc at range 0-2",
            device.id
        ),
        (dice, true) => format!(
            "drops {}: {dice} dice for enemies near, and a hit or crit among them",
            device.id
        ),
        (dice, false) => format!("keeps {}: {dice} dice for enemies near, and no hit or crit", device.id),
    };
    let reasons = vec![Reason {
        rule: "SA-2".to_owned(),
        text,
        compared: compared.collect(),
    }];
    Ok(Some(DeviceCheck {
        device: device.id.clone(),
        enemies,
        rolled,
        drops,
        reasons,
    }))
}

/// Where a device is dropped.
#[derive(Debug, Clone, PartialEq)]
pub struct DropPlace {
    /// The template; none when every drop would leave the play area, or the device is not known.
    pub template: Option<DropTemplate>,
    /// Why.
    pub reason: Reason,
}

/// SA-2 (choice): of the templates whose drop stays inside the play area, the one with the most enemies, less friends other
/// than the ship itself, within range 1 of the device; of equal ones a straight before a bank, then the first.
pub fn place(table: &Table, ship: &Ship) -> DropPlace {
    let mut best: Option<(i64, DropTemplate)> = None;
    let mut compared = Vec::new();
    for template in device::templates(ship) {
        let pieces = device::dropped(ship, template, "");
        let Some(first) = pieces.first() else {
            continue;
        };
        if !device::lies_inside(&table.area, &pieces) {
            compared.push(Compared {
                candidate: template.to_string(),
                value: None,
                unit: "enemies".to_owned(),
                verdict: "would leave the play area".to_owned(),
            });
            continue;
        }
        let (enemies, friends) = device::near(table, &first.outline, &ship.side, &ship.id);
        let worth = enemies as i64 - friends as i64;
        compared.push(Compared {
            candidate: template.to_string(),
            value: Some(worth as f64),
            unit: "enemies".to_owned(),
            verdict: format!("{enemies} enemies and {friends} friends within range 1"),
        });
        if best.is_none_or(|(most, _)| worth > most) {
            best = Some((worth, template));
        }
    }
    let template = best.map(|(_, template)| template);
    DropPlace {
        template,
        reason: Reason {
            rule: "SA-2".to_owned(),
            text: match template {
                Some(template) => format!("drops by the {template}: the most enemies less friends within range 1"),
                None => "drops nothing: every drop would leave the play area".to_owned(),
            },
            compared,
        },
    }
}

/// Which obstacle a device of a solo ship goes off around (choice): the one with the most enemies less friends within range
/// 1; of equal ones the nearest to the device, then the first by id. `None` when there is none at range 0-1.
pub fn obstacle(table: &Table, piece: &PlacedDevice) -> Option<(ObjectId, Reason)> {
    let mut best: Option<(i64, f64, ObjectId)> = None;
    let mut compared = Vec::new();
    for obstacle in device::obstacles_near(table, piece) {
        let (enemies, friends) = device::near(table, &obstacle.outline, &piece.side, "");
        let worth = enemies as i64 - friends as i64;
        let away = crate::geometry::polygon::distance(&piece.outline, &obstacle.outline);
        compared.push(Compared {
            candidate: obstacle.id.to_string(),
            value: Some(worth as f64),
            unit: "enemies".to_owned(),
            verdict: format!("{enemies} enemies and {friends} friends within range 1"),
        });
        if best
            .as_ref()
            .is_none_or(|(most, mm, _)| worth > *most || (worth == *most && away < *mm))
        {
            best = Some((worth, away, obstacle.id.clone()));
        }
    }
    let (worth, _, id) = best?;
    let reason = Reason {
        rule: "SA-2".to_owned(),
        text: format!(
            "{} goes off around {id}: {worth} enemies less friends within range 1",
            piece.device
        ),
        compared,
    };
    Some((id, reason))
}
