//! The audit of the System Phase and of devices (SA-2): who may decloak or drop, what goes off when, and whom it reaches.

use super::Books;
use crate::{
    geometry::{CONTACT_MM, Polygon, Pose, polygon},
    xwing::{
        ObjectId,
        base::base,
        battle::{Event, Phase},
        damage_deck::Damage,
        device::{self, Around, DeviceRules, PlacedDevice, Trigger},
        edition::{Bombs, Tractor, WhenDecloaking},
        movement::Execution,
        ship::Tokens,
        size::Size,
    },
};

/// What lies on the table, and what goes off now.
#[derive(Default)]
pub(super) struct Devices {
    /// On the table.
    placed: Vec<PlacedDevice>,
    /// The last that went off, with the outline that its range is measured from.
    blast: Option<(PlacedDevice, Polygon)>,
    /// Ships that it has reached.
    reached: Vec<ObjectId>,
    /// Obstacles that are gone.
    removed: Vec<ObjectId>,
}

/// Whether the card of a device stays when it is dropped.
fn stays(piece: &PlacedDevice) -> bool {
    piece.rules().is_some_and(|rules| rules.stays)
}

impl Books<'_> {
    pub(super) fn device_event(&mut self, event: &Event) {
        match event {
            Event::Decloaked { ship, from, to } => self.decloaked(ship, *from, *to),
            Event::Dropped { ship, template, pieces } => {
                self.in_play(ship, "drops a device");
                self.drops_in_time(ship, pieces);
                let area = self.area;
                // FE-11.1: it may lie partly outside.
                let inside = device::lies_inside(&area, pieces) || self.rules.bombs == Bombs::OwnActivation;
                self.check(inside && !pieces.is_empty(), || {
                    format!("{ship} drops a device over the edge")
                });
                let Some(entry) = self.ships.get_mut(ship) else {
                    return;
                };
                let card = pieces.first().map_or("", |piece| &*piece.device);
                let may = device::templates(&entry.ship.holding(card)).contains(template);
                let once = !std::mem::replace(&mut entry.dropped, true);
                let left = entry.device_charges.iter_mut().find(|(id, _)| id == card);
                let charge = left.as_ref().is_some_and(|(_, left)| *left > 0) || pieces.iter().any(stays);
                if let Some((_, left)) = left {
                    *left = left.saturating_sub(1);
                }
                // No template of a speed is longer than its bank.
                let base = base(entry.ship.size, entry.pose).corners();
                let near = pieces.first().is_some_and(|piece| {
                    let apart = polygon::distance(&base, &piece.outline);
                    apart <= 65.0 * f64::from(template.speed)
                });
                self.check(may && once && charge && near, || {
                    format!("{ship} drops a device by the {template}, and may not")
                });
                self.devices.placed.extend(pieces.iter().cloned());
            }
            Event::FuseBurned { device } => {
                let piece = self.devices.placed.iter_mut().find(|piece| piece.id == *device);
                let burns = piece
                    .filter(|piece| piece.fuse > 0)
                    .map(|piece| piece.fuse -= 1)
                    .is_some();
                self.check(burns, || format!("{device} has no fuse that burns"));
            }
            Event::Detonated { device, obstacle } => self.detonated(device, obstacle.as_ref()),
            Event::Blasted {
                ship,
                device,
                rolled,
                harm,
            } => {
                self.in_play(ship, "is reached by a device");
                let twice = self.devices.reached.contains(ship);
                self.devices.reached.push(ship.clone());
                let (Some(entry), Some((piece, outline))) = (self.ships.get(ship), &self.devices.blast) else {
                    return self.wrong(format!("{device} reaches {ship} and has not gone off"));
                };
                let Some(rules) = piece.rules() else {
                    return self.wrong(format!("{device} is not known and goes off"));
                };
                let apart = polygon::distance(outline, &base(entry.ship.size, entry.pose).corners());
                let near =
                    rules.goes_off == Trigger::Touched || apart <= 100.0 * f64::from(rules.range) + 2.0 * CONTACT_MM;
                let fits = rolled.len() == usize::from(rules.dice) && *harm == device::harm(rules, rolled);
                let same = piece.id == *device;
                let mine = (rules.goes_off == Trigger::Touched).then(|| outline.clone());
                self.check(near && fits && same && !twice, || {
                    format!("{device} reaches {ship}, {apart:.1} mm away, with {rolled:?}: {harm:?}")
                });
                let damage = Damage {
                    hits: harm.hits,
                    crits: harm.crits,
                };
                self.owed = (damage != Damage::default()).then(|| (ship.clone(), damage));
                if let Some(mine) = mine {
                    self.meets_mine(ship, device, &mine);
                }
            }
            Event::Pulled { ship, by, from, to } => {
                self.may_be_pulled(ship, by);
                self.moves_in_place(ship, *from, *to, "is pulled");
            }
            _ => {}
        }
    }

    /// The mines on the table that a maneuver leads over.
    pub(super) fn mines_under(&self, size: Size, from: Pose, execution: &Execution, to: Pose) -> Vec<ObjectId> {
        let mines = self.devices.placed.iter().filter(|piece| {
            let touched = |rules: &DeviceRules| rules.goes_off == Trigger::Touched;
            piece.rules().is_some_and(touched) && device::touched(piece, size, from, execution, to)
        });
        mines.map(|piece| piece.id.clone()).collect()
    }

    /// The charges of a card are told. Those of a device are known to the last; of a weapon's, which the attack spends before
    /// it is told, only that they came back counts.
    pub(super) fn card_charges(&mut self, ship: &ObjectId, card: &str, left: u32) {
        let Some(entry) = self.ships.get_mut(ship) else {
            return;
        };
        let is = |xws: &str| card.strip_prefix("upgrade:") == Some(xws);
        let mut most = None;
        if let Some(device) = entry.ship.devices().find(|device| is(&device.id)) {
            most = Some(device.charges.max);
        }
        if let Some((_, kept)) = entry.device_charges.iter_mut().find(|(id, _)| is(id)) {
            *kept = left;
        }
        for (weapon, charges) in entry.ship.weapons.iter().zip(&mut entry.charges) {
            match charges {
                // A card that is discarded is gone, whether it had charges or not.
                _ if left == 0 && is(&weapon.id) => *charges = Some(0),
                Some(charges) if is(&weapon.id) => *charges = left.max(*charges),
                _ => {}
            }
        }
        self.check(most.is_none_or(|most| left <= most), || {
            format!("{card} of {ship} has {left} charges of {most:?}")
        });
    }

    fn decloaked(&mut self, ship: &ObjectId, from: Pose, to: Pose) {
        let phase = self.phase;
        let cloaked = self.ships.get(ship).is_some_and(|entry| entry.tokens.cloak > 0);
        let now = match self.rules.decloaking {
            WhenDecloaking::SystemPhase => phase == Phase::System,
            WhenDecloaking::StartOfActivation => self.decloaks_in_order(ship),
        };
        self.check(cloaked && now, || {
            format!("{ship} decloaks in {phase:?}, out of order, or is not cloaked")
        });
        if let Some(entry) = self.ships.get_mut(ship) {
            entry.tokens = Tokens {
                cloak: 0,
                ..entry.tokens
            };
        }
        self.moves_in_place(ship, from, to, "decloaks");
    }

    /// FE-6.3: before any ship moves, in ascending skill, the side with initiative first.
    fn decloaks_in_order(&mut self, ship: &ObjectId) -> bool {
        let Some(entry) = self.ships.get(ship) else {
            return false;
        };
        let key = (entry.initiative, self.rank(entry.side));
        let in_order = self.last_decloak.is_none_or(|last| last <= key);
        self.last_decloak = Some(key);
        in_order && self.phase == Phase::Activation && self.turns.is_empty()
    }

    /// A device is dropped in the System Phase; in the first edition (FE-11.1) a bomb before its ship moves, which is not
    /// ionized, and a mine as the action of its card.
    fn drops_in_time(&mut self, ship: &ObjectId, pieces: &[PlacedDevice]) {
        let phase = self.phase;
        let Some(entry) = self.ships.get(ship) else {
            return;
        };
        let mine = (pieces.iter()).any(|piece| (piece.rules()).is_some_and(|rules| rules.goes_off == Trigger::Touched));
        let in_time = match self.rules.bombs {
            Bombs::SystemPhase => phase == Phase::System,
            Bombs::OwnActivation if mine => {
                let acts = |piece: &PlacedDevice| entry.card_actions.contains(&format!("upgrade:{}", piece.device));
                phase == Phase::Activation && pieces.iter().all(acts)
            }
            Bombs::OwnActivation => {
                let ionized = entry.tokens.ion >= entry.ship.ion_limit();
                phase == Phase::Activation && !self.turns.contains(ship) && !ionized
            }
        };
        self.check(in_time, || format!("{ship} drops a device in {phase:?}, out of time"));
    }

    /// FE-7.3: a small ship, once a round, by its opponent.
    fn may_be_pulled(&mut self, ship: &ObjectId, by: &ObjectId) {
        match self.rules.tractor {
            Tractor::WhenTractored => return,
            Tractor::FirstOnSmall => {}
        }
        let side = self.ships.get(by).map(|entry| entry.side);
        let Some(entry) = self.ships.get_mut(ship) else {
            return;
        };
        let again = std::mem::replace(&mut entry.pulled, true);
        let may = entry.ship.size == Size::Small && side.is_some_and(|side| side != entry.side) && !again;
        self.check(may, || format!("{by} pulls {ship}, which it may not"));
    }

    /// A ship is moved from where it stood to where it may stand.
    fn moves_in_place(&mut self, ship: &ObjectId, from: Pose, to: Pose, does: &str) {
        self.in_play(ship, does);
        let Some(entry) = self.ships.get_mut(ship) else {
            return;
        };
        let stood = std::mem::replace(&mut entry.pose, to);
        self.check(from == stood, || {
            format!("{ship} {does} from {from:?}, not from {stood:?}")
        });
        self.stands(ship, true);
    }

    fn detonated(&mut self, id: &ObjectId, obstacle: Option<&ObjectId>) {
        let Some(place) = self.devices.placed.iter().position(|piece| piece.id == *id) else {
            return self.wrong(format!("{id} goes off and does not lie on the table"));
        };
        let piece = self.devices.placed.remove(place);
        let (phase, fuse) = (self.phase, piece.fuse);
        let bomb = piece
            .rules()
            .is_some_and(|rules| rules.goes_off == Trigger::ActivationEnd);
        let waiting = self
            .ships
            .iter()
            .any(|(id, entry)| entry.in_play() && !self.turns.contains(id));
        let now = !bomb || (phase == Phase::Activation && !waiting);
        self.check(now && fuse == 0, || {
            format!("{id} goes off in {phase:?}, too early or with a fuse on it")
        });
        let around = obstacle.and_then(|id| self.obstacles.iter().find(|obstacle| obstacle.id == *id));
        let gone = obstacle.is_some_and(|id| self.devices.removed.contains(id));
        let outline = around.map_or_else(|| piece.outline.clone(), |obstacle| obstacle.outline.clone());
        let near = polygon::distance(&outline, &piece.outline) <= 100.0 + CONTACT_MM;
        let asked = piece.rules().is_some_and(|rules| rules.around == Around::Obstacle);
        let fits = around.is_some() == obstacle.is_some() && near && !gone && (asked || obstacle.is_none());
        self.check(fits, || format!("{id} goes off around {obstacle:?}"));
        self.devices.removed.extend(obstacle.cloned());
        self.devices.reached.clear();
        self.devices.blast = Some((piece, outline));
    }

    /// The Engagement Phase begins: every bomb without a fuse has gone off.
    pub(super) fn bombs_are_gone(&mut self) {
        let left = self.devices.placed.iter().find(|piece| {
            piece.fuse == 0
                && (piece.rules()).is_some_and(|rules| rules.goes_off == Trigger::ActivationEnd && rules.fuse == 0)
        });
        let left = left.map(|piece| piece.id.clone());
        self.check(left.is_none(), || format!("{left:?} has not gone off"));
    }
}
