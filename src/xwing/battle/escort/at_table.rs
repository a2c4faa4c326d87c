//! Political Escort at a real table: the model of the shuttle, its moves as they were seen there, tokens that players change.

use super::{EscortInPlay, Leaving};
use crate::{
    dice::DiceSource,
    geometry::Pose,
    xwing::{
        battle::{Battle, Event, Fighter, Phase},
        escort::{blocking::Run, ending::leaving, shuttle::stand_in},
        ship::Status,
    },
};

impl Battle {
    /// The scenario is played from now on, or what is fixed of it is known better: what has come of it stays. Its shuttle is
    /// the model of that id, as `fighter` if it was not the shuttle before. Nothing if there is no such ship.
    pub fn escort_at_table(&mut self, play: EscortInPlay, fighter: Fighter) {
        let Some(index) = self.index(&play.shuttle) else {
            return;
        };
        let known = self.escort.take();
        let is_new = known.as_ref().is_none_or(|known| known.shuttle != play.shuttle);
        let course = known.map(|known| known.course).unwrap_or_default();
        stand_in(&mut self.table.ships[index], &play.defender, &play.options);
        if is_new {
            self.fighters[index] = fighter;
            self.table.ships[index].dial = self.fighters[index].dial.clone();
        }
        self.escort = Some(EscortInPlay { course, ..play });
        self.cards_change(index);
        self.recount = true;
    }

    /// The last round; `None`: play goes on until the shuttle's end (PE-7.3).
    pub fn set_last_round(&mut self, rounds: Option<u32>) {
        self.rounds = rounds;
    }

    /// Players have changed how many Protect tokens lie beside the shuttle (PE-6.2).
    pub fn set_protect(&mut self, tokens: u32) {
        if let Some(play) = &mut self.escort {
            play.course.protect = tokens;
        }
    }

    /// Whether a ship is the shuttle of a game that goes on: what is not seen of it players have lifted off the table.
    pub fn is_lifted(&self, id: &str) -> bool {
        let goes_on = self.escort.as_ref().is_some_and(|play| play.course.cause.is_none());
        goes_on && self.is_shuttle(id)
    }

    /// Players say that the shuttle is in play: a game that was over goes on, with the planning of its round. Nothing for other
    /// ships.
    pub fn shuttle_is_in_play(&mut self, id: &str, dice: &mut dyn DiceSource) {
        let is_shuttle = self.is_shuttle(id);
        let Some(play) = self.escort.as_mut().filter(|_| is_shuttle) else {
            return;
        };
        play.course.damage = None;
        if play.course.cause.take().is_some() && self.phase == Phase::Over {
            self.begin_phase(Phase::Planning, dice);
        }
    }

    /// Players say that the shuttle is destroyed: the game is over (PE-7.2). Nothing for other ships, or one in play.
    pub fn shuttle_is_lost(&mut self, id: &str) {
        if self.is_shuttle(id) && self.phase != Phase::Over && self.ends_with_the_shuttle() {
            self.end();
        }
    }

    /// The shuttle has moved at the table, from a pose to where it stands now: what the move means (PE-5, PE-7), which of its
    /// cards turn down (PE-8.5), and all that follows for any ship. Nothing if there is no such ship.
    pub fn ran_at_table(&mut self, id: &str, from: Pose, run: &Run, ionized: bool, dice: &mut dyn DiceSource) {
        let Some(index) = self.index(id).filter(|index| self.is_shuttle_at(*index)) else {
            return;
        };
        let area = self.table.area;
        let edge = self.escort.as_ref().map(|play| play.attackers_edge);
        let (size, to) = (self.table.ships[index].size, run.execution.pose);
        let left = edge.map_or(Leaving::Inside, |edge| leaving(area, size, to, edge));
        self.let_happen(dice, |battle, dice| {
            battle.shuttle_activates(index);
            let exits = battle.shuttle_ran(index, run, to);
            if left == Leaving::Inside {
                battle.after_move(index, from, &run.execution, ionized, dice);
                let moved = (battle.table.ships[index].id.clone(), run.execution.clone());
                battle.moved = Some(moved);
                return;
            }
            battle.leave(index, Status::Removed);
            let ship = battle.table.ships[index].id.clone();
            battle.events.push(match exits {
                true => Event::Escaped { ship },
                false => Event::Fled { ship },
            });
        });
    }

    /// The shuttle's activation is over at the table (PE-8.5). Nothing for other ships.
    pub fn shuttle_activated_at_table(&mut self, id: &str) {
        if let Some(index) = self.index(id).filter(|index| self.is_shuttle_at(*index)) {
            self.shuttle_activated(index);
        }
    }
}
