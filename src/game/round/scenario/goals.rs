//! SA-13, the transport: the corner that a ship makes for is always its tally, and there it leaves the table.

use crate::{
    game::{
        Game,
        opponent::{Flight, Opponent},
        round::Mark,
    },
    solo_alpha::sentence::SpokenIn,
    xwing::{
        ObjectId,
        battle::mission::MissionInPlay,
        movement::{self, Alignment, EdgePolicy, MovementOptions},
        scenario::{LockOnArrival, departure},
        table::{Marker, Table},
    },
};

impl<O: Opponent> Game<O> {
    /// Ships that make for a corner have one from the moment they stand on the mat: the one opposite to where they stand.
    pub(super) fn take_goals(&mut self, play: &MissionInPlay) {
        let Some(whole) = &mut self.whole else { return };
        let (progress, table) = (&mut whole.progress, whole.battle.table());
        let recruits = play.mission.muster.recruits.iter();
        let mut new = false;
        for recruit in recruits.filter(|recruit| recruit.lock == Some(LockOnArrival::OppositeCorner)) {
            let own = &recruit.ship.id;
            let model = progress.bound.get(own).and_then(|id| table.ship(id));
            if let Some(ship) = model.filter(|ship| ship.in_play() && !progress.goals.contains_key(own)) {
                let corner = departure::opposite_corner(table.area, ship.pose);
                progress.goals.insert(own.clone(), corner);
                new = true;
            }
        }
        if new && let Some(mut table) = self.table.take() {
            self.lend_goals(&mut table);
            self.table = Some(table);
            self.follow_table();
        }
    }

    /// No table shows the points that ships make for.
    pub(in crate::game::round) fn lend_goals(&self, table: &mut Table) {
        let Some(whole) = &self.whole else { return };
        let progress = &whole.progress;
        for (own, position) in &progress.goals {
            let Some(model) = progress.bound.get(own) else { continue };
            let id = departure::goal_id(model);
            if let Err(place) = table.markers.binary_search_by(|marker| marker.id.cmp(&id)) {
                let position = *position;
                table.markers.insert(place, Marker { id, position });
            }
        }
    }

    /// A maneuver that would carry a ship over the edge at its goal is not stopped there: the ship escapes, which is its
    /// activation. Whether it did.
    pub(crate) fn escape(&mut self, id: &ObjectId, flight: &Flight<O::Memory>) -> bool {
        let Some(table) = self.table.as_ref().filter(|_| self.leads() && self.mission.is_some()) else {
            return false;
        };
        let Some(ship) = table.ship(id).filter(|ship| departure::goal(table, ship).is_some()) else {
            return false;
        };
        let options = MovementOptions {
            guides: false,
            edge: EdgePolicy::Flee,
        };
        let alignment = Alignment::of_shift(flight.slide_mm);
        let on = movement::execute(table, ship, flight.maneuver, alignment, &options);
        if !on.edge || !departure::escapes(table, ship, on.pose) {
            return false;
        }
        let sentence = format!(
            "{} flies {} over the edge at the corner that it was making for (SA-13).",
            self.name(id),
            SpokenIn(table.rules.edition, flight.maneuver)
        );
        let before = self.activation.take().and_then(|activation| activation.before);
        self.activated.insert(id.clone());
        if let Some(whole) = &mut self.whole {
            whole.battle.escaped_at_table(id);
        }
        self.follow_battle(id, sentence, Mark::Turn, before);
        true
    }
}
