//! Bombs and mines of the first edition, which are dropped in their ship's own activation (FE-11): bombs as it reveals its
//! maneuver, mines as its action. How they go off is the same in both editions and stands with the devices.

use super::{Battle, Event, Refused, Request};
use crate::{
    dice::DiceSource,
    xwing::{
        ObjectId,
        device::{self, DropTemplate, PlacedDevice, Trigger},
        edition::Bombs,
        ship::Ship,
    },
};

impl Battle {
    /// The templates with which a ship could drop its device in this round, if it goes off so; none in an edition that has a
    /// System Phase for it. One bomb or mine a ship and round; it may lie partly outside and under ships (FE-11.1).
    fn own_drops(&self, ship: &Ship, goes_off: Trigger) -> Vec<DropTemplate> {
        match self.table.rules.bombs {
            Bombs::SystemPhase => return Vec::new(),
            Bombs::OwnActivation => {}
        }
        let fresh = self.fighter(&ship.id).is_some_and(|fighter| !fighter.dropped);
        let ready = device::is_ready(ship) && device::rules_of(ship).is_some_and(|rules| rules.goes_off == goes_off);
        match fresh && ready && ship.in_play() {
            true => device::templates(ship),
            false => Vec::new(),
        }
    }

    /// The templates with which a ship may drop a bomb as it reveals its maneuver.
    pub(super) fn reveal_drops(&self, ship: &Ship) -> Vec<DropTemplate> {
        self.own_drops(ship, Trigger::ActivationEnd)
    }

    /// FE-11.1: as a ship reveals its maneuver it may drop a bomb, before it moves. An ionized ship reveals nothing.
    pub(super) fn offer_bomb(&mut self, index: usize) {
        let ship = &self.table.ships[index];
        match self.table.rules.bombs {
            Bombs::SystemPhase => return,
            Bombs::OwnActivation if ship.is_ionized() => return,
            Bombs::OwnActivation => {}
        }
        if !self.reveal_drops(ship).is_empty() {
            let ship = ship.id.clone();
            self.ask_later(Request::Drop { ship });
        }
    }

    /// The card whose action drops a mine of the ship, as orders name it, while it may take that action.
    pub(super) fn mine_action(&self, index: usize) -> Option<String> {
        let ship = &self.table.ships[index];
        let device = ship.device.as_ref()?;
        let may = !ship.is_stressed() && !self.own_drops(ship, Trigger::Touched).is_empty();
        may.then(|| format!("upgrade:{}", device.id))
    }

    /// The template by which the action of that card drops a mine of the ship; `None` where it is no mine's, or the edition
    /// drops mines otherwise.
    pub(super) fn mine_of(&self, index: usize, card: &str) -> Option<DropTemplate> {
        let ship = &self.table.ships[index];
        let named = ship.device.as_ref().map(|device| device.id.as_str()) == card.strip_prefix("upgrade:");
        let mine = device::rules_of(ship).filter(|rules| rules.goes_off == Trigger::Touched)?;
        match self.table.rules.bombs {
            Bombs::OwnActivation if named => mine.templates.first().copied(),
            _ => None,
        }
    }

    /// A ship drops a mine as its action (FE-11.1).
    pub(super) fn drop_as_action(
        &mut self,
        index: usize,
        template: DropTemplate,
        dice: &mut dyn DiceSource,
    ) -> Result<(), &'static str> {
        let Some(card) = self.mine_action(index) else {
            return Err("the mine's card is discarded, or the ship has dropped a device this round");
        };
        let ship = self.table.ships[index].id.clone();
        self.events.push(Event::ActedByCard { ship, card });
        self.place_device(index, template, dice);
        Ok(())
    }

    /// The ships that a mine lies under, by id; none where there is no such mine.
    pub fn under_mine(&self, device: &str) -> Vec<ObjectId> {
        let mut mines = self.devices.iter().filter(|piece| is_mine(piece));
        let mine = mines.find(|piece| *piece.id == *device);
        let lies_on = |piece: &PlacedDevice| {
            let ships = self.table.ships_in_play();
            let under = ships.filter(|ship| device::lies_on(piece, ship.size, ship.pose));
            under.map(|ship| ship.id.clone()).collect()
        };
        mine.map(lies_on).unwrap_or_default()
    }

    /// The ship under which a mine that has just been dropped goes off, if any. Of several the one nearest to its middle in the
    /// second edition (choice); in the first the one that drops it chooses, and is asked (FE-11.2).
    pub(super) fn goes_off_under(&mut self, dropped_by: usize, id: &ObjectId) -> Option<usize> {
        let under = self.under_mine(id);
        match (self.table.rules.bombs, under.as_slice()) {
            (Bombs::OwnActivation, [_, _, ..]) => {
                let ship = self.table.ships[dropped_by].id.clone();
                self.ask_later(Request::MineUnder {
                    ship,
                    device: id.clone(),
                });
                None
            }
            _ => {
                let middle = self.devices.iter().find(|piece| piece.id == *id)?.pose.position;
                let under = under.iter().filter_map(|ship| self.index(ship));
                let away = |index: &usize| self.table.ships[*index].pose.position.distance(middle);
                under.min_by(|a, b| away(a).total_cmp(&away(b)))
            }
        }
    }

    /// The one that dropped a mine on several ships chooses under which it goes off.
    pub(super) fn choose_under_mine(
        &mut self,
        asked: &ObjectId,
        device: &ObjectId,
        under: &ObjectId,
        dice: &mut dyn DiceSource,
    ) -> Result<(), Refused> {
        if !self.under_mine(device).contains(under) {
            return Err(Refused::Pick {
                ship: asked.clone(),
                why: "pick a ship that the mine lies under",
            });
        }
        let index = self.asked(under)?;
        self.meet_mines(index, std::slice::from_ref(device), dice);
        self.remove_destroyed();
        Ok(())
    }
}

fn is_mine(piece: &PlacedDevice) -> bool {
    piece.rules().is_some_and(|rules| rules.goes_off == Trigger::Touched)
}
