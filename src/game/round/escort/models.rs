//! Which models of a table are the ships of the squads, and which one is the shuttle (PE-1.1, PE-10.9).

use super::{
    Led, TableShip,
    set_up::{Item, Reply},
};
use crate::{
    game::{Game, called, opponent::Opponent},
    xwing::{
        ObjectId,
        escort::{facts::EscortFacts, shuttle::SHUTTLE_ID},
        ship::{Ship, Status},
        size::Size,
    },
};

/// So many models are offered for the shuttle.
const MODELS_SHOWN: usize = 8;

impl<O: Opponent> Game<O> {
    /// Finds the models of the squads' ships: by name, type and skill, then by type and skill, then by type; those in play
    /// first. What is bound stays so while its model is on that side.
    pub(super) fn bind_squads(&mut self, led: &Led) {
        let Some(whole) = &mut self.whole else { return };
        let (progress, seats, table) = (&mut whole.escort, &self.seats, whole.battle.table());
        progress
            .bound
            .retain(|(solo, _), id| table.ship(id).is_some() && seats.is_solo(id) == *solo);
        let mut models: Vec<&Ship> = table.ships.iter().collect();
        models.sort_by_key(|ship| !ship.in_play());
        type Likeness = fn(&TableShip, &Ship) -> bool;
        let ways: [Likeness; 3] = [
            |own, ship| ship.name.starts_with(&own.name) && own.ship == ship.chassis && own.skill == ship.initiative,
            |own, ship| own.ship == ship.chassis && own.skill == ship.initiative,
            |own, ship| own.ship == ship.chassis,
        ];
        for alike in ways {
            for solo in [false, true] {
                for (place, own) in led.game.squad(solo).ships.iter().enumerate() {
                    if progress.bound.contains_key(&(solo, place)) {
                        continue;
                    }
                    let free = |ship: &&&Ship| {
                        seats.is_solo(&ship.id) == solo
                            && Some(&ship.id) != progress.shuttle.as_ref()
                            && progress.bound.values().all(|id| *id != ship.id)
                            && alike(own, ship)
                    };
                    if let Some(ship) = models.iter().find(free) {
                        progress.bound.insert((solo, place), ship.id.clone());
                    }
                }
            }
        }
    }

    /// The ships of the solo squad that no model is known for.
    pub(super) fn missing_models(&self) -> Vec<String> {
        let Some((led, progress)) = self.escort.as_ref().zip(self.escort_progress()) else {
            return Vec::new();
        };
        let ships = led.game.solo.ships.iter().enumerate();
        let missing = ships.filter(|(place, _)| !progress.bound.contains_key(&(true, *place)));
        missing.map(|(_, ship)| ship.name.clone()).collect()
    }

    pub(super) fn solo_models_known(&self, led: &Led) -> bool {
        let bound = self.escort_progress().map(|progress| &progress.bound);
        bound.is_some_and(|bound| (0..led.game.solo.ships.len()).all(|place| bound.contains_key(&(true, place))))
    }

    /// Which model is the shuttle: one of that name, a large base that no ship of the squads is, else a question (PE-1.1,
    /// PE-10.9).
    pub(super) fn find_shuttle(&mut self, led: &Led) -> bool {
        let Some(whole) = &self.whole else { return true };
        let progress = &whole.escort;
        if progress.shuttle.is_some() {
            return false;
        }
        let facts = &EscortFacts::embedded().shuttle;
        let table = whole.battle.table();
        let free = |ship: &&Ship| ship.status != Status::Destroyed && progress.bound.values().all(|id| *id != ship.id);
        let is_named = |ship: &&Ship| {
            let name = ship.name.to_lowercase();
            *ship.id == *SHUTTLE_ID
                || ship.chassis == facts.chassis
                || name.contains("senator")
                || name.contains("emperor's shuttle")
        };
        let named: Vec<&Ship> = table.ships.iter().filter(is_named).collect();
        let own = |ship: &&Ship| Some(self.seats.is_solo(&ship.id)) == progress.solo_defends;
        let large: Vec<&Ship> = (table.ships.iter())
            .filter(free)
            .filter(|ship| ship.size == Size::Large || ship.name.to_lowercase().contains("shuttle"))
            .collect();
        let large_own: Vec<&Ship> = large.iter().copied().filter(own).collect();
        let found = match (&named[..], &large[..], &large_own[..]) {
            ([only], ..) | ([], [only], _) | ([], _, [only]) => only.id.clone(),
            ([], [], _) => return true,
            _ => {
                let several = if named.is_empty() { large } else { named };
                let picks: Vec<(String, Reply)> = (several.iter().take(MODELS_SHOWN))
                    .map(|ship| (format!("{} ({})", called(ship), ship.id), Reply::Model(ship.id.clone())))
                    .collect();
                let default = picks[0].0.clone();
                let text = "Which model is the shuttle (PE-1.1)?".to_owned();
                return self.ask_in_set_up(Item::Model, text, picks, &default);
            }
        };
        self.take_model(led, found);
        false
    }

    pub(super) fn take_model(&mut self, led: &Led, id: ObjectId) {
        if let Some(whole) = &mut self.whole {
            whole.escort.bound.retain(|_, other| *other != id);
            whole.escort.shuttle = Some(id.clone());
        }
        let marked = self.table.as_ref().and_then(|table| table.ship(&id));
        self.protect_markers = marked.map_or(0, |ship| ship.tokens.evade);
        self.bind_squads(led);
        self.install_escort(led);
    }
}
