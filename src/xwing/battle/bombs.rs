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
    /// The devices that a ship could drop in this round, of those that go off so, with their templates; none in an edition that
    /// has a System Phase for it. One bomb or mine a ship and round, whichever of its cards; it may lie partly outside and
    /// under ships (FE-11.1).
    fn own_drops(&self, ship: &Ship, goes_off: Trigger) -> Vec<(String, DropTemplate)> {
        match self.table.rules.bombs {
            Bombs::SystemPhase => return Vec::new(),
            Bombs::OwnActivation => {}
        }
        let fresh = self.fighter(&ship.id).is_some_and(|fighter| !fighter.dropped);
        if !fresh || !ship.in_play() {
            return Vec::new();
        }
        let mut drops = Vec::new();
        for id in ship.devices().map(|device| &device.id) {
            let holding = ship.holding(id);
            let fits = device::rules_of(&holding).is_some_and(|rules| rules.goes_off == goes_off);
            if fits && device::is_ready(&holding) {
                drops.extend(
                    device::templates(&holding)
                        .into_iter()
                        .map(|template| (id.clone(), template)),
                );
            }
        }
        drops
    }

    /// The templates with which a ship may drop the bomb at hand as it reveals its maneuver.
    pub(super) fn reveal_drops(&self, ship: &Ship) -> Vec<DropTemplate> {
        let at_hand = ship.device.as_ref().map(|device| &device.id);
        let drops = self.own_drops(ship, Trigger::ActivationEnd).into_iter();
        let drops = drops.filter(|(id, _)| Some(id) == at_hand);
        drops.map(|(_, template)| template).collect()
    }

    /// FE-11.1: its other bombs, by card, that a ship may drop in place of the one at hand as it reveals its maneuver.
    pub fn other_drops(&self, ship: &Ship) -> Vec<(String, DropTemplate)> {
        let at_hand = ship.device.as_ref().map(|device| &device.id);
        let mut drops = self.own_drops(ship, Trigger::ActivationEnd);
        drops.retain(|(id, _)| Some(id) != at_hand);
        drops
    }

    /// A ship drops another bomb than the one at hand.
    pub(super) fn drop_other(
        &mut self,
        id: &str,
        device: &str,
        template: DropTemplate,
        dice: &mut dyn DiceSource,
    ) -> Result<(), Refused> {
        let index = self.asked(id)?;
        let ship = &self.table.ships[index];
        if !self
            .other_drops(ship)
            .iter()
            .any(|(other, by)| other == device && *by == template)
        {
            return Err(Refused::Drop {
                ship: ship.id.clone(),
                template,
            });
        }
        self.place_card(index, device, template, dice);
        Ok(())
    }

    /// The device of a card comes onto the table; the one at hand stays there.
    fn place_card(&mut self, index: usize, card: &str, template: DropTemplate, dice: &mut dyn DiceSource) {
        let ship = &mut self.table.ships[index];
        let at_hand = ship.device.as_ref().map(|device| device.id.clone());
        ship.take_device(card);
        self.place_device(index, template, dice);
        if let Some(at_hand) = at_hand {
            self.table.ships[index].take_device(&at_hand);
        }
        device::bring_forward(&mut self.table.ships[index]);
    }

    /// FE-11.1: as a ship reveals its maneuver it may drop a bomb, before it moves. An ionized ship reveals nothing.
    pub(super) fn offer_bomb(&mut self, index: usize) {
        let ship = &self.table.ships[index];
        match self.table.rules.bombs {
            Bombs::SystemPhase => return,
            Bombs::OwnActivation if ship.is_ionized() => return,
            Bombs::OwnActivation => {}
        }
        if !self.own_drops(ship, Trigger::ActivationEnd).is_empty() {
            let ship = ship.id.clone();
            self.ask_later(Request::Drop { ship });
        }
    }

    /// The cards whose actions drop mines of the ship, as orders name them, while it may take those actions.
    pub(super) fn mine_actions(&self, index: usize) -> Vec<String> {
        let ship = &self.table.ships[index];
        if ship.device.is_none() || ship.is_stressed() {
            return Vec::new();
        }
        let drops = self.own_drops(ship, Trigger::Touched).into_iter();
        let mut cards: Vec<String> = drops.map(|(id, _)| format!("upgrade:{id}")).collect();
        cards.dedup();
        cards
    }

    /// The template by which the action of that card drops a mine of the ship; `None` where it is no mine's, or the edition
    /// drops mines otherwise.
    pub(super) fn mine_of(&self, index: usize, card: &str) -> Option<DropTemplate> {
        match self.table.rules.bombs {
            Bombs::SystemPhase => return None,
            Bombs::OwnActivation => {}
        }
        let ship = &self.table.ships[index];
        let id = card.strip_prefix("upgrade:")?;
        let carried = ship.devices().any(|device| device.id == id);
        let holding = carried.then(|| ship.holding(id))?;
        let mine = device::rules_of(&holding).filter(|rules| rules.goes_off == Trigger::Touched)?;
        mine.templates.first().copied()
    }

    /// A ship drops a mine as its action (FE-11.1).
    pub(super) fn drop_as_action(
        &mut self,
        index: usize,
        card: &str,
        template: DropTemplate,
        dice: &mut dyn DiceSource,
    ) -> Result<(), &'static str> {
        if !self.mine_actions(index).iter().any(|mine| mine == card) {
            return Err("the mine's card is discarded, or the ship has dropped a device this round");
        }
        let ship = self.table.ships[index].id.clone();
        let acted = card.to_owned();
        self.events.push(Event::ActedByCard { ship, card: acted });
        if let Some(id) = card.strip_prefix("upgrade:") {
            self.place_card(index, id, template, dice);
        }
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
