//! SA-2: whether a solo ship drops its bomb or mine: in the System Phase, or in its own activation (FE-SOLO-11).

use super::{DecideError, active, citing, nearest::enemies};
use crate::{
    decision::{Compared, Reason},
    dice::{AttackFace, DiceSource},
    xwing::{
        ObjectId,
        device::{self, DropTemplate, PlacedDevice, Trigger},
        edition::topic::Bombs,
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
    let counts = |other: &&Ship| match table.rules.range(measure::ship_distance(ship, other)) {
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
    Ok(check_of(table, active(table, ship_id)?, dice))
}

fn check_of(table: &Table, ship: &Ship, dice: &mut dyn DiceSource) -> Option<DeviceCheck> {
    let device = ship.device.as_ref().filter(|_| device::is_ready(ship))?;
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
    let words = table.rules.edition.words();
    let text = match (enemies.len(), drops) {
        (0, _) => format!(
            "keeps {}: no enemy at {}, or in its rear arc at {}",
            device.id, words.to_range_1, words.to_range_2
        ),
        (dice, true) => format!(
            "drops {}: {dice} dice for enemies near, and a hit or crit among them",
            device.id
        ),
        (dice, false) => format!("keeps {}: {dice} dice for enemies near, and no hit or crit", device.id),
    };
    let mut reasons = vec![Reason {
        rule: "SA-2".to_owned(),
        text,
        compared: compared.collect(),
    }];
    citing::cite(&table.rules, &mut reasons);
    Some(DeviceCheck {
        device: device.id.clone(),
        enemies,
        rolled,
        drops,
        reasons,
    })
}

/// When a ship drops its device in its own activation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DropMoment {
    /// After its maneuver is chosen, before it moves: what is dropped when a dial is revealed.
    BeforeTheMove,
    /// In place of another action: mines.
    AsItsAction,
}

/// The roll for a device in the ship's own activation (FE-SOLO-11).
#[derive(Debug, Clone, PartialEq)]
pub struct OwnDrop {
    /// When.
    pub moment: DropMoment,
    /// The roll.
    pub check: DeviceCheck,
    /// Where it is dropped, if it is.
    pub place: Option<DropPlace>,
}

impl OwnDrop {
    /// Whether it takes the place of the ship's action.
    pub fn is_the_action(&self) -> bool {
        self.moment == DropMoment::AsItsAction && self.check.drops
    }
}

/// When the rules let a ship drop its device in its own activation; `None` where it has none that is ready, or the edition
/// has a System Phase for it.
pub fn moment(table: &Table, ship: &Ship) -> Option<DropMoment> {
    match table.rules.bombs {
        Bombs::SystemPhase => return None,
        Bombs::OwnActivation => {}
    }
    if !device::is_ready(ship) {
        return None;
    }
    // **choice** One that is not known is asked about as a bomb.
    let goes_off = device::rules_of(ship).map_or(Trigger::ActivationEnd, |rules| rules.goes_off);
    Some(match goes_off {
        Trigger::ActivationEnd => DropMoment::BeforeTheMove,
        Trigger::Touched => DropMoment::AsItsAction,
    })
}

/// FE-SOLO-11: the roll for the device of a ship at a moment of its own activation; `None` where this is not the moment. An
/// ionized ship reveals nothing, and so drops nothing before its move. The ship stands on the table where it is then.
pub fn in_activation(table: &Table, ship: &Ship, now: DropMoment, dice: &mut dyn DiceSource) -> Option<OwnDrop> {
    let its = moment(table, ship).filter(|its| *its == now)?;
    if its == DropMoment::BeforeTheMove && ship.is_ionized() {
        return None;
    }
    let check = check_of(table, ship, dice)?;
    let place = check.drops.then(|| place(table, ship));
    Some(OwnDrop {
        moment: its,
        check,
        place,
    })
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
        // FE-11.1: it may lie partly outside.
        if table.rules.bombs == Bombs::SystemPhase && !device::lies_inside(&table.area, &pieces) {
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
    let mut rule = "SA-2".to_owned();
    if table.rules.bombs == Bombs::OwnActivation {
        rule.push_str(" FE-SOLO-11");
    }
    DropPlace {
        template,
        reason: Reason {
            rule,
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
