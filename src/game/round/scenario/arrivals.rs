//! SA-13: who arrives between rounds, and how a ship of the scenario comes to the table.

use super::{Coming, Item};
use crate::{
    game::{
        Game,
        instruction::pose_words,
        opponent::Opponent,
        round::{Checkpoint, Mark},
        step::{Step, StepKind},
    },
    xwing::{
        ObjectId,
        battle::{Phase, mission::MissionInPlay},
        scenario::{arrival, departure},
        ship::{Ship, Status},
    },
};

impl<O: Opponent> Game<O> {
    /// SA-13: at the beginning of a round, who arrives and where.
    pub(super) fn call_arrivals(&mut self, play: &MissionInPlay) {
        let round = self.round;
        let begins = self.phase() == Some(Phase::Planning)
            && self.battle().is_some_and(|battle| battle.round() == round)
            && self.whole.as_ref().is_some_and(|whole| {
                whole.progress.announced && whole.progress.round < round && whole.progress.coming.is_empty()
            });
        if !begins {
            return;
        }
        let over = self.scenario_ending().is_some();
        let Some(mut table) = self.scenario_table(play) else {
            return;
        };
        if let Some(whole) = &mut self.whole {
            whole.progress.round = round;
        }
        let mission = &play.mission;
        if over {
            return;
        }
        let markers = play.markers_on(&table);
        let (scenario, muster) = (&mission.scenario, &mission.muster);
        let mut arrived = match arrival::bring_in(scenario, muster, &markers, &mut table, round, play.seed) {
            Ok(arrived) => arrived,
            Err(error) => {
                self.note(&format!("Nobody arrives: {error}."));
                return;
            }
        };
        let Some(whole) = &mut self.whole else { return };
        let progress = &mut whole.progress;
        for id in &arrived.ships {
            let Some(ship) = table.ship(id) else { continue };
            let told = format!("({id})");
            let (notes, others) = arrived.notes.into_iter().partition(|note| note.contains(&told));
            arrived.notes = others;
            let original = mission.original(ship).filter(|original| *original != id);
            if original.is_some() {
                progress.returned.push(ship.clone());
            }
            progress.coming.push_back(Coming {
                ship: ship.clone(),
                instead_of: original.cloned(),
                notes,
            });
        }
        for note in arrived.notes {
            self.note(&note);
        }
    }

    /// Brings the next ship that arrives to the table. Whether there was one.
    pub(super) fn next_arrival(&mut self, play: &MissionInPlay) -> bool {
        let before = self.checkpoint();
        let Some(whole) = &mut self.whole else { return false };
        match whole.progress.coming.pop_front() {
            Some(coming) => {
                self.bring(play, coming, before);
                true
            }
            None => false,
        }
    }

    /// A ship comes to the table at its pose: its model is put there, or the players are asked for one. An undo comes back
    /// to the state `before`.
    pub(super) fn bring(&mut self, play: &MissionInPlay, coming: Coming, before: Option<Box<Checkpoint>>) {
        let Some(whole) = &mut self.whole else { return };
        let (own, pose) = (coming.ship.id.clone(), coming.ship.pose);
        let progress = &mut whole.progress;
        let known = self.table.as_ref();
        let is_there = |id: &&ObjectId| known.is_some_and(|table| table.ship(id).is_some());
        let model = match &coming.instead_of {
            None => progress.bound.get(&own).filter(is_there).cloned(),
            // The model that was shot down serves again.
            Some(original) => progress.bound.get(original).filter(is_there).cloned(),
        };
        if let Some(original) = &coming.instead_of {
            progress.fallen.insert(original.clone());
            progress.bound.remove(original);
        }
        let mut said = coming.notes;
        let Some(id) = model else {
            let name = coming.ship.name.clone();
            let ask = format!("Please put {name} ({own}) down: {}.", pose_words(pose));
            progress.awaited.insert(own.clone(), (name, pose));
            said.push(ask.clone());
            self.ask_for(Item::Ship(own), ask, said.join(" "));
            return;
        };
        progress.bound.insert(own.clone(), id.clone());
        progress.arrived.insert(own.clone());
        let goal = departure::goal_id(&own);
        let locks = coming.ship.locks.iter().filter(|lock| **lock != goal);
        let locks = locks
            .map(|lock| progress.bound.get(lock).unwrap_or(lock).clone())
            .collect();
        let fighters = &play.mission.fighters;
        let fighter = |original: &ObjectId| fighters.iter().find(|(id, _)| id == original);
        let anew = coming.instead_of.as_ref().and_then(fighter);
        let anew = anew.map(|(_, fighter)| (&coming.ship, fighter.clone()));
        whole.battle.arrive_at_table(&id, pose, locks, anew);
        said.extend(self.tell_battle());
        let mut steps = Vec::new();
        let off = |ship: &Ship| matches!(ship.status, Status::Destroyed | Status::Removed);
        if self.table.as_ref().and_then(|table| table.ship(&id)).is_some_and(off) {
            steps.push(Step::Remove {
                ship: id.clone(),
                back: Some(pose),
            });
        }
        steps.extend(self.differences());
        let text = said.join(" ");
        if self.can(StepKind::Say) {
            let ship = Some(id.clone());
            steps.insert(0, Step::Say { ship, text });
        } else {
            self.note(&text);
        }
        self.begin_errand(&id, steps, Mark::Step, before);
    }
}
