//! Bombs and mines: how they are dropped, when they go off, and what they do then (SA-2).
//!
//! What each device is, is data (`data/devices.toml`); no card is named here. The functions are about a table and a device
//! on it, so that a battle and a real table use the same ones.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

pub use self::facts::{Around, DeviceBook, DeviceRules, Harm, Piece, Trigger};
use super::{
    ObjectId,
    base::base,
    catalog::normalized,
    edition::Edition,
    maneuver::Side,
    measure,
    movement::Execution,
    obstacle::Obstacle,
    ship::Ship,
    size::Size,
    table::{PlayArea, Table},
    template::{Path, Template},
};
use crate::{
    dice::{AttackFace, DiceSource},
    geometry::{CONTACT_MM, OVERLAP_MM, Point, Polygon, Pose, angle, polygon},
};

mod facts;

/// The template of a drop, behind the ship.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct DropTemplate {
    /// Its speed.
    pub speed: u8,
    /// The side of the ship that a bank ends on; none for a straight.
    pub bank: Option<Side>,
}

impl fmt::Display for DropTemplate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bearing = match self.bank {
            None => "straight",
            Some(Side::Left) => "left bank",
            Some(Side::Right) => "right bank",
        };
        write!(f, "{} {bearing}", self.speed)
    }
}

impl From<DropTemplate> for String {
    fn from(template: DropTemplate) -> String {
        let bearing = match template.bank {
            None => 'F',
            Some(Side::Left) => 'B',
            Some(Side::Right) => 'N',
        };
        format!("{}{bearing}", template.speed)
    }
}

impl TryFrom<String> for DropTemplate {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl FromStr for DropTemplate {
    type Err = String;

    /// As dials are written: `1F` straight, `1B` left bank, `1N` right bank.
    fn from_str(text: &str) -> Result<Self, String> {
        let refuse = || format!("`{text}` is no template of a drop; write a speed from 1 to 5 and F, B or N, as in 1F");
        let mut letters = text.chars();
        let (speed, bearing) = (letters.next().and_then(|c| c.to_digit(10)), letters.next());
        let bank = match bearing {
            Some('F') => None,
            Some('B') => Some(Side::Left),
            Some('N') => Some(Side::Right),
            _ => return Err(refuse()),
        };
        let most = if bank.is_some() { 3 } else { 5 };
        let speed = speed.filter(|speed| (1..=most).contains(speed)).ok_or_else(refuse)?;
        if letters.next().is_some() {
            return Err(refuse());
        }
        Ok(DropTemplate {
            speed: speed as u8,
            bank,
        })
    }
}

/// A piece of a device on the table.
#[derive(Debug, Clone, PartialEq)]
pub struct PlacedDevice {
    /// Its id.
    pub id: ObjectId,
    /// The id of the upgrade that it belongs to.
    pub device: String,
    /// Whose it is: the side's name.
    pub side: String,
    /// The ship that dropped it.
    pub dropped_by: ObjectId,
    /// Its middle, and where its tab points.
    pub pose: Pose,
    /// What it covers, mm; a simple polygon.
    pub outline: Polygon,
    /// Fuse markers on it.
    pub fuse: u32,
    /// The edition whose cards say what it does.
    pub edition: Edition,
}

impl PlacedDevice {
    /// What is known of it.
    pub fn rules(&self) -> Option<&'static DeviceRules> {
        DeviceBook::of(self.edition).device(&self.device)
    }

    /// The distance to a ship's base, mm; 0 when it is under the base.
    pub fn distance(&self, size: Size, pose: Pose) -> f64 {
        polygon::distance(&self.outline, &base(size, pose).corners())
    }

    /// The same as an obstacle, for whatever asks what a template or a base meets.
    pub(super) fn as_obstacle(&self) -> Obstacle {
        Obstacle {
            id: self.id.clone(),
            kind: super::obstacle::ObstacleKind::Debris,
            outline: self.outline.clone(),
        }
    }
}

/// The templates that a ship may drop its device with, the straight ones first: those of the card and, for ship types
/// that may, the banks of the same speed.
pub fn templates(ship: &Ship) -> Vec<DropTemplate> {
    let book = DeviceBook::of(ship.edition);
    let rules = ship.device.as_ref().and_then(|device| book.device(&device.id));
    let mut templates = rules.map_or_else(Vec::new, |rules| rules.templates.clone());
    if book.banks(&ship.chassis) {
        let straights = templates.iter().filter(|template| template.bank.is_none());
        let banks = straights.flat_map(|straight| {
            Side::BOTH.map(|side| DropTemplate {
                bank: Some(side),
                ..*straight
            })
        });
        let banks: Vec<DropTemplate> = banks.filter(|bank| !templates.contains(bank)).collect();
        templates.extend(banks);
    }
    templates
}

/// What is known of a ship's device; `None` without one, or for one that is not known.
pub fn rules_of(ship: &Ship) -> Option<&'static DeviceRules> {
    DeviceBook::of(ship.edition).device(&ship.device.as_ref()?.id)
}

/// Whether a ship has a device to drop: its card has a charge, or is not discarded for it.
pub fn is_ready(ship: &Ship) -> bool {
    let left = ship.device.as_ref().is_some_and(|device| device.charges.left > 0);
    left || rules_of(ship).is_some_and(|rules| rules.stays)
}

/// **choice** Of several bomb cards the first one that is ready comes to hand: it is the one that solo ships roll for
/// (FE-11.1, FE-SOLO-11).
pub fn bring_forward(ship: &mut Ship) {
    if ship.other_devices.is_empty() || is_ready(ship) {
        return;
    }
    let ids = ship.other_devices.iter().map(|device| device.id.clone());
    let ready = ids
        .collect::<Vec<_>>()
        .into_iter()
        .find(|id| is_ready(&ship.holding(id)));
    if let Some(id) = ready {
        ship.take_device(&id);
    }
}

/// The pose at the end of a template that is laid behind a ship, looking away from it.
fn template_end(ship: &Ship, template: DropTemplate) -> Pose {
    let rear = Pose::new(0.0, -ship.size.length_mm() / 2.0, 180.0);
    // Looking back, the ship's left is on the right.
    let (piece, turned) = match template.bank {
        None => (Template::straight(template.speed), 0.0),
        Some(side) => (
            Template::bank(template.speed, side.opposite()),
            45.0 * side.opposite().sign(),
        ),
    };
    let end = match piece {
        Template::Straight { length } => Point::new(0.0, length),
        Template::Curve { radius, degrees, side } => {
            let (sin, cos) = angle::sin_cos(degrees);
            Point::new(side.sign() * radius * (1.0 - cos), radius * sin)
        }
    };
    let end = Pose::new(end.x, end.y, turned);
    ship.pose.compose(rear).compose(end)
}

/// SA-2: the pieces that a ship's device has on the table when it is dropped with that template; none for a device that
/// is not known. The first is the one at the template's end.
pub fn dropped(ship: &Ship, template: DropTemplate, id: &str) -> Vec<PlacedDevice> {
    let book = DeviceBook::of(ship.edition);
    let Some(device) = &ship.device else {
        return Vec::new();
    };
    let Some((rules, piece)) = (book.device(&device.id)).and_then(|rules| Some((rules, book.piece(&rules.piece)?)))
    else {
        return Vec::new();
    };
    // The tab lies at the template's end and looks back along it.
    let end = template_end(ship, template);
    let middle = end.compose(Pose::new(0.0, piece.tab_mm, 180.0));
    let placed = |number: usize, piece: &Piece, pose: Pose| PlacedDevice {
        id: match number {
            0 => id.into(),
            number => format!("{id}-{}", number + 1).into(),
        },
        device: device.id.clone(),
        side: ship.side.clone(),
        dropped_by: ship.id.clone(),
        pose,
        outline: piece.outline().iter().map(|&corner| pose.to_table(corner)).collect(),
        fuse: rules.fuse,
        edition: ship.edition,
    };
    let beside = piece.beside.iter().enumerate().filter_map(|(number, beside)| {
        let pose = middle.compose(Pose::new(beside.x_mm, beside.y_mm, 0.0));
        Some(placed(number + 1, book.piece(&beside.piece)?, pose))
    });
    std::iter::once(placed(0, piece, middle)).chain(beside).collect()
}

/// SA-2: whether all pieces lie inside the play area: a drop that would leave it is not made.
pub fn lies_inside(area: &PlayArea, pieces: &[PlacedDevice]) -> bool {
    let inside = |corner: &Point| {
        corner.x >= -OVERLAP_MM
            && corner.y >= -OVERLAP_MM
            && corner.x <= area.width + OVERLAP_MM
            && corner.y <= area.height + OVERLAP_MM
    };
    pieces.iter().all(|piece| piece.outline.iter().all(inside))
}

/// Whether a maneuver, from where the ship stood to where it stands now, goes through a piece or ends on it.
pub fn touched(piece: &PlacedDevice, size: Size, from: Pose, execution: &Execution, to: Pose) -> bool {
    let through = Path::of(size, execution.maneuver)
        .is_some_and(|path| path.template_meets(&from.frame(), execution.travelled_mm, &piece.outline));
    through || lies_on(piece, size, to)
}

/// Whether a base lies on a piece.
pub fn lies_on(piece: &PlacedDevice, size: Size, pose: Pose) -> bool {
    polygon::intersect(&base(size, pose).corners(), &piece.outline)
}

/// Obstacles that a device may go off around: those at range 0-1 of it, in id order.
pub fn obstacles_near<'t>(table: &'t Table, piece: &PlacedDevice) -> impl Iterator<Item = &'t Obstacle> {
    let outline = piece.outline.clone();
    let near = move |obstacle: &&Obstacle| polygon::distance(&outline, &obstacle.outline) <= reach(1);
    table.obstacles.iter().filter(near)
}

/// Ships in play that a detonation reaches, in id order: within the device's range of the piece or of the obstacle
/// that it goes off around.
pub fn reached<'t>(table: &'t Table, piece: &PlacedDevice, obstacle: Option<&ObjectId>) -> Vec<&'t Ship> {
    let Some(rules) = piece.rules() else {
        return Vec::new();
    };
    let around = obstacle.and_then(|id| table.obstacles.iter().find(|obstacle| obstacle.id == *id));
    let outline = match (rules.around, around) {
        (Around::Device, _) => &piece.outline,
        (Around::Obstacle, Some(obstacle)) => &obstacle.outline,
        // No obstacle near: nothing happens.
        (Around::Obstacle, None) => return Vec::new(),
    };
    let near = |ship: &&Ship| polygon::distance(outline, &base(ship.size, ship.pose).corners()) <= reach(rules.range);
    table.ships_in_play().filter(near).collect()
}

/// How far a range reaches, mm: its line counts as inside (SA-0).
fn reach(range: u32) -> f64 {
    100.0 * f64::from(range) + CONTACT_MM
}

/// What a device does to one ship that it reaches: the dice that the ship rolls, and the harm of them all.
pub fn roll(rules: &DeviceRules, dice: &mut dyn DiceSource) -> (Vec<AttackFace>, Harm) {
    let rolled: Vec<AttackFace> = (0..rules.dice).map(|_| dice.attack()).collect();
    let harm = harm(rules, &rolled);
    (rolled, harm)
}

/// The harm of a device to one ship that rolled these faces for it.
pub fn harm(rules: &DeviceRules, rolled: &[AttackFace]) -> Harm {
    (rolled.iter().map(|face| rules.on(*face))).fold(rules.each, |sum, harm| sum.and(harm))
}

/// The device of that name, as players and table programs write it.
pub fn by_name(name: &str) -> Option<&'static DeviceRules> {
    let id = normalized(name);
    let mut devices = DeviceBook::embedded().devices().iter();
    devices.find(|rules| rules.id == id || normalized(&rules.name) == id)
}

/// How many enemies of a side and how many of its own ships, but one, stand within range 1 of an outline.
pub fn near(table: &Table, outline: &[Point], side: &str, but: &str) -> (usize, usize) {
    let close = |ship: &&Ship| {
        let apart = polygon::distance(outline, &base(ship.size, ship.pose).corners());
        measure::range(apart).is_some_and(|range| range <= 1)
    };
    let ships = table.ships_in_play().filter(|ship| *ship.id != *but).filter(close);
    let (enemies, friends): (Vec<&Ship>, Vec<&Ship>) = ships.partition(|ship| ship.side != side);
    (enemies.len(), friends.len())
}
