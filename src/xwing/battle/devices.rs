//! The System Phase and devices: decloaking, dropping, what goes off, and what it does (SA-2).

use super::{Battle, Event, Refused, Request, occasion::Happening};
use crate::{
    dice::DiceSource,
    geometry::Pose,
    xwing::{
        ObjectId,
        damage_deck::{Damage, DamageEvent},
        device::{self, Around, DropTemplate, Harm, PlacedDevice, Trigger},
        edition::Bombs,
        effects::{Window, predicate::EventWord},
        movement::Execution,
        reposition::{self, Block, Decloak, Reposition, Sidestep},
        ship::Ship,
        table::Table,
    },
};

impl Battle {
    /// Devices on the table, in the order in which they were placed.
    pub fn devices(&self) -> &[PlacedDevice] {
        &self.devices
    }

    /// The templates with which a ship could drop its device now, the pieces inside the play area; none without a charge.
    pub fn drops(&self, ship: &Ship) -> Vec<DropTemplate> {
        match self.table.rules.bombs {
            Bombs::SystemPhase => {}
            Bombs::OwnActivation => return self.reveal_drops(ship),
        }
        let ready = ship.device.as_ref().is_some_and(|device| device.charges.left > 0);
        let templates = if ready { device::templates(ship) } else { Vec::new() };
        let inside = |template: &DropTemplate| {
            let pieces = device::dropped(ship, *template, "");
            !pieces.is_empty() && device::lies_inside(&self.table.area, &pieces)
        };
        templates.into_iter().filter(inside).collect()
    }

    /// The next ship of the System Phase that has something to choose: lowest initiative first, decloaking before devices.
    pub(super) fn next_in_system_phase(&mut self) -> Option<Request> {
        let next = (self.waiting())
            .filter(|(ship, ..)| {
                let device = ship.device.as_ref().is_some_and(|device| device.charges.left > 0);
                ship.tokens.cloak > 0 || device || self.has_window(Window::SystemPhase)
            })
            .min_by_key(|&(_, initiative, side)| (initiative, self.rank(side)))
            .map(|(ship, ..)| (ship.id.clone(), ship.tokens.cloak > 0));
        let Some((ship, cloaked)) = next else {
            return self.begin(super::Phase::Activation);
        };
        self.done.push(ship.clone());
        // Decloaking first, then card effects, then devices.
        let subject = self.index(&ship);
        self.ask_later(Request::Drop { ship: ship.clone() });
        self.open(Window::SystemPhase, subject, None, Happening::Moment);
        if cloaked {
            self.ask_later(Request::Decloak { ship });
        }
        None
    }

    /// A cloaked ship may decloak: the cloak token goes, and the ship moves. A decloak that fails leaves both.
    pub(super) fn decloak(&mut self, id: &str, way: Option<Decloak>, dice: &mut dyn DiceSource) -> Result<(), Refused> {
        let index = self.asked(id)?;
        let Some(way) = way else {
            return Ok(());
        };
        let options = self.movement(index);
        let ship = &self.table.ships[index];
        let refuse = |why| Refused::Action {
            ship: ship.id.clone(),
            why,
        };
        if let Decloak::Sideways { slide_mm, .. } = way
            && !reposition::knows_slide(&self.table.rules, ship.size, Sidestep::Decloak, slide_mm)
        {
            return Err(refuse("a decloak has no such end position"));
        }
        let end = reposition::decloak(&self.table, ship, way, &options);
        if end.blocked.is_some() {
            return Err(refuse("something is in the way"));
        }
        let mines = self.mines_met(|table| reposition::decloak(table, ship, way, &options));
        let (ship, from) = (ship.id.clone(), ship.pose);
        self.table.ships[index].tokens.cloak = 0;
        self.table.ships[index].pose = end.pose;
        self.table.moved(index, from);
        self.events.push(Event::Decloaked {
            ship,
            from,
            to: end.pose,
        });
        self.record_tokens(index);
        self.meet_mines(index, &mines, dice);
        self.remove_destroyed();
        let what = Happening::Repositioned {
            what: EventWord::Decloak,
            obstacles: Vec::new(),
        };
        if self.table.ships[index].in_play() {
            self.open(Window::RepositionEvent, Some(index), None, what);
        }
        Ok(())
    }

    /// SA-2: a device is dropped. A drop that would leave the play area is not made.
    pub(super) fn drop_device(
        &mut self,
        id: &str,
        template: Option<DropTemplate>,
        dice: &mut dyn DiceSource,
    ) -> Result<(), Refused> {
        let index = self.asked(id)?;
        let Some(template) = template else {
            return Ok(());
        };
        let ship = &self.table.ships[index];
        if !self.drops(ship).contains(&template) {
            return Err(Refused::Drop {
                ship: ship.id.clone(),
                template,
            });
        }
        self.place_device(index, template, dice);
        device::bring_forward(&mut self.table.ships[index]);
        Ok(())
    }

    /// The pieces of a ship's device come to lie at the end of a template, and a mine that lies under a ship goes off.
    pub(super) fn place_device(&mut self, index: usize, template: DropTemplate, dice: &mut dyn DiceSource) {
        let ship = &self.table.ships[index];
        self.devices_dropped += 1;
        let pieces = device::dropped(ship, template, &format!("device-{}", self.devices_dropped));
        if let Some(device) = &mut self.table.ships[index].device {
            device.charges.left = device.charges.left.saturating_sub(1);
        }
        self.fighters[index].dropped = true;
        self.events.push(Event::Dropped {
            ship: self.table.ships[index].id.clone(),
            template,
            pieces: pieces.clone(),
        });
        for piece in pieces {
            let id = piece.id.clone();
            self.devices.push(piece);
            if let Some(under) = self.goes_off_under(index, &id) {
                self.meet_mines(under, &[id], dice);
            }
        }
        self.remove_destroyed();
    }

    /// The end of the Activation Phase: bombs go off one after the other, in the order in which they were placed (choice).
    /// `None` when all have; otherwise whom to ask for an obstacle, or nobody.
    pub(super) fn next_detonation(&mut self, dice: &mut dyn DiceSource) -> Option<Option<Request>> {
        if self.detonations.is_none() {
            let bombs = self.devices.iter().rev().filter(|piece| {
                let rules = piece.rules();
                rules.is_some_and(|rules| rules.goes_off == Trigger::ActivationEnd)
            });
            self.detonations = Some(bombs.map(|piece| piece.id.clone()).collect());
        }
        let Some(id) = self.detonations.as_mut().and_then(Vec::pop) else {
            self.detonations = None;
            return None;
        };
        let Some(piece) = self.devices.iter_mut().find(|piece| piece.id == id) else {
            return Some(None);
        };
        if piece.fuse > 0 {
            piece.fuse -= 1;
            self.events.push(Event::FuseBurned { device: id });
            return Some(None);
        }
        let piece = piece.clone();
        if piece.rules().is_some_and(|rules| rules.around == Around::Obstacle) {
            let near = device::obstacles_near(&self.table, &piece);
            let near: Vec<ObjectId> = near.map(|obstacle| obstacle.id.clone()).collect();
            match &near[..] {
                [] => self.detonate(&id, None, dice),
                [only] => self.detonate(&id, Some(only), dice),
                _ => {
                    let ship = piece.dropped_by;
                    return Some(Some(Request::Detonate { ship, device: id }));
                }
            }
        } else {
            self.detonate(&id, None, dice);
        }
        Some(None)
    }

    /// The obstacle that a device goes off around was chosen.
    pub(super) fn choose_obstacle(
        &mut self,
        device: &ObjectId,
        obstacle: &ObjectId,
        dice: &mut dyn DiceSource,
    ) -> Result<(), Refused> {
        let piece = self.devices.iter().find(|piece| piece.id == *device);
        let piece = piece.ok_or(Refused::NotAsked)?;
        if !device::obstacles_near(&self.table, piece).any(|near| near.id == *obstacle) {
            return Err(Refused::Obstacle {
                device: device.clone(),
                obstacle: obstacle.clone(),
            });
        }
        self.detonate(device, Some(obstacle), dice);
        Ok(())
    }

    fn detonate(&mut self, id: &ObjectId, obstacle: Option<&ObjectId>, dice: &mut dyn DiceSource) {
        let Some(place) = self.devices.iter().position(|piece| piece.id == *id) else {
            return;
        };
        let piece = self.devices.remove(place);
        let reached: Vec<ObjectId> = (device::reached(&self.table, &piece, obstacle).into_iter())
            .map(|ship| ship.id.clone())
            .collect();
        self.events.push(Event::Detonated {
            device: id.clone(),
            obstacle: obstacle.cloned(),
        });
        if let Some(obstacle) = obstacle {
            self.table.obstacles.retain(|other| other.id != *obstacle);
        }
        for ship in reached {
            if let Some(index) = self.index(&ship) {
                self.blast(index, &piece, dice);
            }
        }
        if let Some(text) = piece.rules().and_then(|rules| rules.not_played.as_ref()) {
            self.events.push(Event::Noted {
                ship: piece.dropped_by,
                text: format!("{}: {text}", piece.device),
            });
        }
        self.remove_destroyed();
    }

    /// What a device does to one ship.
    fn blast(&mut self, index: usize, piece: &PlacedDevice, dice: &mut dyn DiceSource) {
        let Some(rules) = piece.rules() else {
            return;
        };
        let (rolled, harm) = device::roll(rules, dice);
        self.events.push(Event::Blasted {
            ship: self.table.ships[index].id.clone(),
            device: piece.id.clone(),
            rolled,
            harm,
        });
        self.take_harm(index, harm, dice);
    }

    pub(super) fn take_harm(&mut self, index: usize, harm: Harm, dice: &mut dyn DiceSource) {
        let damage = Damage {
            hits: harm.hits,
            crits: harm.crits,
        };
        if damage != Damage::default() {
            self.suffer(index, damage, dice);
        }
        self.deal_faceup(index, harm.face_up, dice);
        let integrity = &mut self.fighters[index].integrity;
        let lost = harm.shields.min(integrity.shields);
        if lost > 0 {
            integrity.shields -= lost;
            self.events.push(Event::Suffered {
                ship: self.table.ships[index].id.clone(),
                damage: Damage::default(),
                outcome: vec![DamageEvent::ShieldLost; usize::from(lost)],
            });
        }
        let tokens = &mut self.table.ships[index].tokens;
        let before = *tokens;
        tokens.ion += u32::from(harm.ion);
        tokens.strain += u32::from(harm.strain);
        tokens.disarm += u32::from(harm.disarm);
        tokens.stress += u32::from(harm.stress);
        if *tokens != before {
            self.record_tokens(index);
        }
    }

    /// Mines that a maneuver goes through or ends on.
    pub(super) fn mines_flown_over(&self, index: usize, from: Pose, execution: &Execution) -> Vec<ObjectId> {
        let ship = &self.table.ships[index];
        self.mines()
            .filter(|piece| device::touched(piece, ship.size, from, execution, ship.pose))
            .map(|piece| piece.id.clone())
            .collect()
    }

    /// Mines that a reposition goes through or ends on: what it would cross on a table where they lie as obstacles.
    pub(super) fn mines_met(&self, reposition: impl Fn(&Table) -> Reposition) -> Vec<ObjectId> {
        if self.mines().next().is_none() {
            return Vec::new();
        }
        let mines = self.mines().map(PlacedDevice::as_obstacle).collect();
        reposition(&Table::new(self.table.area, Vec::new(), mines, Vec::new()).with_rules(self.table.rules)).crossed
    }

    fn mines(&self) -> impl Iterator<Item = &PlacedDevice> {
        (self.devices.iter()).filter(|piece| piece.rules().is_some_and(|rules| rules.goes_off == Trigger::Touched))
    }

    /// Mines go off under a ship, one after the other. Whether one of them takes its action (FE-11.2).
    pub(super) fn meet_mines(&mut self, index: usize, mines: &[ObjectId], dice: &mut dyn DiceSource) -> bool {
        let mut takes_action = false;
        for id in mines {
            let Some(place) = self.devices.iter().position(|piece| piece.id == *id) else {
                continue;
            };
            let piece = self.devices.remove(place);
            self.events.push(Event::Detonated {
                device: id.clone(),
                obstacle: None,
            });
            takes_action |= piece.rules().is_some_and(|rules| rules.takes_action);
            self.blast(index, &piece, dice);
        }
        takes_action
    }

    /// Whether the last move of a ship led over a mine that takes its Perform Action step (FE-11.2).
    pub fn is_mined(&self, ship: &str) -> bool {
        self.mined.as_ref().is_some_and(|mined| **mined == *ship)
    }

    /// Whether a reposition that may lie on obstacles is stopped by a ship or the edge all the same.
    pub(super) fn is_stopped(&self, end: &Reposition, ship: &Ship) -> bool {
        match end.blocked {
            None => false,
            Some(Block::Ship(_) | Block::Edge) => true,
            Some(Block::Obstacle(_)) => {
                let base = crate::xwing::base::base(ship.size, end.pose);
                crate::xwing::movement::edge_depth(&self.table.area, &base) > crate::geometry::OVERLAP_MM
            }
        }
    }
}
