//! SA-2: whether a solo ship drops its bomb or mine in the System Phase.

use super::{DecideError, active, nearest::enemies};
use crate::{
    decision::{Compared, Reason},
    dice::{AttackFace, DiceSource},
    xwing::{
        ObjectId,
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
        Some(2) => measure::in_arc(ship.size, ship.pose, Arc::Rear, &Object::Ship(other)),
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
        verdict: match face {
            AttackFace::Crit => "crit",
            AttackFace::Hit => "hit",
            AttackFace::Focus => "focus",
            AttackFace::Blank => "blank",
        }
        .to_owned(),
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
