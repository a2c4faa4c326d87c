//! SA-13 at a table: which model is which ship of the scenario, who arrives between rounds, who retreats, and when it is over.
//!
//! What arrives is put on the table by it, where a model waits in reserve; else the players are asked to put it down at the
//! pose that the dice gave it. So it is at set-up: `set_up`. Where the transport goes: `goals`.

mod arrivals;
mod goals;
mod set_up;

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::Arc,
};

use super::{Ask, Mark};
use crate::{
    game::{
        Game, SAME_POSE_MM,
        instruction::pose_words,
        opponent::Opponent,
        seats::{PLAYER_SIDE, SOLO_SIDE},
    },
    geometry::{Point, Pose},
    xwing::{
        ObjectId,
        battle::{Phase, mission::MissionInPlay},
        scenario::{Scenario, SideName, departure, muster::Recruit, setup::PlacedObstacle, standing::Standing},
        ship::{Ship, Status},
        table::Table,
    },
};
pub use set_up::{AS_IT_LIES, BY_OURSELVES, DONE, LOOK_AGAIN, Reply, WITHOUT};
use set_up::{Item, SetUp};

/// A scenario as a game at a table needs it: what is played, and where the seed lays the obstacles.
#[derive(Debug, Clone, PartialEq)]
pub struct TableMission {
    /// What is played.
    pub play: MissionInPlay,
    /// The obstacles, for tables on which none lie yet.
    pub obstacles: Vec<PlacedObstacle>,
}

/// How far the scenario has come.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Progress {
    /// The ship of the table that each ship of the scenario is.
    bound: BTreeMap<ObjectId, ObjectId>,
    /// Ships of the scenario that have been in play.
    arrived: BTreeSet<ObjectId>,
    /// Destroyed ships whose model flies as another one.
    fallen: BTreeSet<ObjectId>,
    /// Ships that came back as new ones.
    returned: Vec<Ship>,
    /// Who arrives in this round and is not placed yet.
    coming: VecDeque<Coming>,
    /// Whom the players were asked to put down, and where.
    awaited: BTreeMap<ObjectId, (String, Pose)>,
    /// Ships that the game goes on without: there is no model.
    absent: BTreeSet<ObjectId>,
    /// Points that ships make for, by their ids in the scenario.
    goals: BTreeMap<ObjectId, Point>,
    /// How far the set-up has come.
    set_up: SetUp,
    /// What of it needs no more asking.
    settled: BTreeSet<Item>,
    /// What the players are asked about.
    asked: Option<Item>,
    /// What they say is done, and the next look has to show.
    expected: Option<Item>,
    /// The last round whose arrivals are known.
    round: u32,
    /// The players know what is played.
    announced: bool,
    /// The ending that was told.
    told: Option<String>,
}

/// A ship that arrives.
#[derive(Debug, Clone, PartialEq)]
struct Coming {
    ship: Ship,
    /// The mustered ship that comes back as this one.
    instead_of: Option<ObjectId>,
    /// What was rolled.
    notes: Vec<String>,
}

impl Progress {
    /// The scenario's ship that a ship of the table is.
    fn bound_to(&self, ship: &str) -> Option<&ObjectId> {
        let found = self.bound.iter().find(|(_, table)| ***table == *ship);
        found.map(|(own, _)| own)
    }
}

fn is_solo(recruit: &Recruit) -> bool {
    recruit.ship.side == SideName::Solo.as_str()
}

/// A pose a little further in, so that a ship which a table has let settle at the edge has not left.
fn nearer(table: &Table, pose: Pose) -> Pose {
    let centre = table.area.centre();
    let inward = |at: f64, middle: f64| at + (middle - at).clamp(-SAME_POSE_MM, SAME_POSE_MM);
    Pose::new(
        inward(pose.position.x, centre.x),
        inward(pose.position.y, centre.y),
        pose.heading,
    )
}

impl<O: Opponent> Game<O> {
    /// The game is one of a scenario.
    #[must_use]
    pub fn with_mission(mut self, mission: TableMission) -> Self {
        self.mission = Some(Arc::new(mission));
        self
    }

    /// SA-13: whatever of the scenario is due happens: retreats, arrivals at the beginning of a round, its ending. Nothing
    /// where no scenario is played, or while something else goes on.
    pub(crate) fn scenario_goes_on(&mut self) {
        self.escort_goes_on();
        let Some(mission) = self.mission.clone() else { return };
        let play = &mission.play;
        let idle = self.leads() && self.activation.is_none() && self.abilities.is_some() && self.table.is_some();
        let Some(whole) = self.whole.as_mut().filter(|_| idle) else {
            return;
        };
        whole.progress.round = whole.progress.round.min(self.round);
        self.bind(play);
        self.announce_scenario(play);
        self.take_back_what_is_seen();
        if self.ask != Ask::Nothing {
            return;
        }
        self.tell_what_is_not_seen();
        if self.set_up_goes_on(&mission) || self.retreat(&play.mission.scenario) {
            return;
        }
        self.call_arrivals(play);
        if self.next_arrival(play) {
            return;
        }
        self.tell_ending();
    }

    /// Finds the models of the scenario's ships: by id, else by side, ship type and initiative, ships in play first. What is
    /// bound stays so, unless its side changes.
    fn bind(&mut self, play: &MissionInPlay) {
        let Some(whole) = &mut self.whole else { return };
        let (progress, battle) = (&mut whole.progress, &whole.battle);
        let (muster, seats) = (&play.mission.muster, &self.seats);
        let recruit = |own: &ObjectId| muster.recruits.iter().find(|recruit| recruit.ship.id == *own);
        progress
            .bound
            .retain(|own, table| recruit(own).is_none_or(|recruit| seats.is_solo(table) == is_solo(recruit)));
        let mut models: Vec<&Ship> = battle.table().ships.iter().collect();
        models.sort_by_key(|ship| !ship.in_play());
        type Likeness = fn(&Recruit, &Ship) -> bool;
        // A player's squad need not be the scenario's.
        let ways: [Likeness; 4] = [
            |recruit, ship| recruit.ship.id == ship.id,
            |recruit, ship| recruit.ship.chassis == ship.chassis && recruit.ship.initiative == ship.initiative,
            |recruit, ship| recruit.ship.chassis == ship.chassis,
            |recruit, _| !is_solo(recruit),
        ];
        for alike in ways {
            for recruit in &muster.recruits {
                let own = &recruit.ship.id;
                if progress.bound.contains_key(own) || progress.fallen.contains(own) {
                    continue;
                }
                let free = |ship: &&&Ship| {
                    seats.is_solo(&ship.id) == is_solo(recruit)
                        && alike(recruit, ship)
                        && progress.bound_to(&ship.id).is_none()
                };
                if let Some(ship) = models.iter().find(free) {
                    progress.bound.insert(own.clone(), ship.id.clone());
                }
            }
        }
        // A ship that came back and for which no model was free: one that was put down since.
        let returned = progress.returned.clone();
        for back in returned.iter().filter(|back| progress.awaited.contains_key(&back.id)) {
            let free = |ship: &&&Ship| {
                ship.in_play()
                    && seats.is_solo(&ship.id) == (back.side == SOLO_SIDE)
                    && ship.chassis == back.chassis
                    && progress.bound_to(&ship.id).is_none()
            };
            if let Some(ship) = models.iter().find(free) {
                progress.bound.insert(back.id.clone(), ship.id.clone());
            }
        }
        for (own, table) in &progress.bound {
            if battle.table().ship(table).is_some_and(Ship::in_play) {
                progress.awaited.remove(own);
                progress.absent.remove(own);
                progress.arrived.insert(own.clone());
            }
        }
        self.take_goals(play);
    }

    /// What is played, once.
    fn announce_scenario(&mut self, play: &MissionInPlay) {
        let Some(whole) = &mut self.whole else { return };
        let progress = &mut whole.progress;
        if progress.announced || progress.bound.is_empty() {
            return;
        }
        progress.announced = true;
        // Who begins in the middle has set the table up.
        if self.round > 1 || whole.battle.phase() != Phase::Planning {
            progress.set_up = SetUp::Over;
        }
        progress.round = self.round;
        let (scenario, muster) = (&play.mission.scenario, &play.mission.muster);
        let mut text = format!("{}: {} against {}.", scenario.name, muster.faction, muster.enemy);
        for marker in &play.markers_on(whole.battle.table()) {
            text.push_str(&format!(" {}: {}.", marker.id, pose_words(marker.pose)));
        }
        let missing: Vec<&str> = (muster.recruits.iter())
            .filter(|recruit| !progress.bound.contains_key(&recruit.ship.id))
            .map(|recruit| &*recruit.ship.name)
            .collect();
        if !missing.is_empty() {
            text.push_str(&format!(" Not on the table yet: {}.", missing.join(", ")));
        }
        self.note(&text);
    }

    /// SA-13: whether a player's ship stands over the edge over which it may leave.
    pub(super) fn retreats(&self, ship: &Ship) -> bool {
        let (Some(mission), Some(table)) = (&self.mission, &self.table) else {
            return false;
        };
        departure::retreats(
            &mission.play.mission.scenario,
            table.area,
            SideName::Player.as_str(),
            ship.size,
            nearer(table, ship.pose),
        )
    }

    /// SA-13: players' ships that stand over the edge over which they may leave are safe. Whether there was one.
    fn retreat(&mut self, scenario: &Scenario) -> bool {
        let Some(whole) = &self.whole else { return false };
        let (progress, table) = (&whole.progress, whole.battle.table());
        let leaves = |ship: &&Ship| {
            let stands = matches!(ship.status, Status::InPlay | Status::Reserved);
            let has_flown = progress
                .bound_to(&ship.id)
                .is_some_and(|own| progress.arrived.contains(own));
            stands
                && has_flown
                && !self.seats.is_solo(&ship.id)
                && departure::retreats(
                    scenario,
                    table.area,
                    SideName::Player.as_str(),
                    ship.size,
                    nearer(table, ship.pose),
                )
        };
        let Some(id) = table.ships.iter().find(leaves).map(|ship| ship.id.clone()) else {
            return false;
        };
        let before = self.checkpoint();
        if let Some(whole) = &mut self.whole {
            whole.battle.saved_at_table(&id);
        }
        self.follow_battle(&id, String::new(), Mark::Step, before);
        true
    }

    /// The table as the scenario knows it: its own ids and sides, and what has become of each ship.
    fn scenario_table(&self, play: &MissionInPlay) -> Option<Table> {
        let whole = self.whole.as_ref()?;
        let progress = &whole.progress;
        let table = whole.battle.table();
        let mut ships: Vec<Ship> = Vec::new();
        for ship in &table.ships {
            let mut ship = ship.clone();
            let side = if self.seats.is_solo(&ship.id) {
                SOLO_SIDE
            } else {
                PLAYER_SIDE
            };
            ship.side = side.to_owned();
            if let Some(own) = progress.bound_to(&ship.id) {
                ship.id = own.clone();
                let gone = matches!(ship.status, Status::Reserved | Status::Removed);
                if gone {
                    // A model that was in play and lies beside the table has left it.
                    let has_flown = progress.arrived.contains(own);
                    ship.status = if has_flown { Status::Removed } else { Status::Reserved };
                }
            }
            ships.push(ship);
        }
        let recruits = play.mission.muster.recruits.iter().map(|recruit| &recruit.ship);
        for ship in recruits.chain(&progress.returned) {
            if ships.iter().all(|other| other.id != ship.id) {
                let mut ship = ship.clone();
                let (fallen, absent) = (progress.fallen.contains(&ship.id), progress.absent.contains(&ship.id));
                ship.status = match (fallen, absent) {
                    (true, _) => Status::Destroyed,
                    (_, true) => Status::Removed,
                    (false, false) => Status::Reserved,
                };
                ships.push(ship);
            }
        }
        Some(Table::new(
            table.area,
            ships,
            table.obstacles.clone(),
            table.markers.clone(),
        ))
    }

    /// The words of the ending that has come, if any: not before both sides have been there.
    fn scenario_ending(&self) -> Option<String> {
        let play = &self.mission.as_ref()?.play;
        let progress = &self.whole.as_ref().filter(|_| self.leads())?.progress;
        let scenario = &play.mission.scenario;
        let ending = scenario.ended(progress.round, &Standing::of(scenario, &self.scenario_table(play)?))?;
        let recruits = play.mission.muster.recruits.iter();
        let mut lost = recruits.filter(|recruit| recruit.ship.side == ending.without.as_str());
        let was_there = lost.any(|recruit| progress.arrived.contains(&recruit.ship.id));
        (progress.coming.is_empty() && was_there).then(|| ending.says.clone())
    }

    fn tell_ending(&mut self) {
        let ending = self.scenario_ending();
        let Some(whole) = &mut self.whole else { return };
        if whole.progress.told == ending {
            return;
        }
        whole.progress.told.clone_from(&ending);
        if let Some(says) = ending {
            self.note(&format!("The game is over. {says}"));
        }
    }

    /// Whether the scenario has more to come, although no solo ship is on the table.
    pub(super) fn scenario_waits(&self) -> bool {
        self.mission.is_some() && self.scenario_ending().is_none()
    }

    /// What the button answers when the scenario is over; `None` while a round is under way.
    pub(super) fn scenario_over(&self) -> Option<String> {
        let between = matches!(self.phase()?, Phase::Planning | Phase::End | Phase::Over);
        let says = self.scenario_ending().filter(|_| between)?;
        Some(format!(
            "The game is over. {says} If that is wrong, put it right or undo, and go on."
        ))
    }

    /// One line about the scenario, where it matters more than the phase.
    pub(crate) fn scenario_text(&self) -> Option<String> {
        if let Some(text) = self.escort_text() {
            return Some(text);
        }
        self.mission.as_ref()?;
        let round = self.round;
        if let Some(says) = self.scenario_over() {
            return Some(format!("Round {round}: {says}"));
        }
        let whole = self.whole.as_ref().filter(|_| self.leads())?;
        if let Some(text) = self.set_up_text() {
            return Some(text);
        }
        let awaited = whole.progress.awaited.iter().map(|(own, (name, pose))| {
            let pose = pose_words(*pose);
            format!("put {name} ({own}) down {pose}")
        });
        let awaited: Vec<String> = awaited.collect();
        if whole.battle.phase() == Phase::Planning && !awaited.is_empty() {
            return Some(format!(
                "Round {round}, planning: {}; set your dials, then go on.",
                awaited.join("; ")
            ));
        }
        let solo = whole
            .battle
            .table()
            .ships_in_play()
            .filter(|ship| self.seats.is_solo(&ship.id));
        if solo.count() == 0 && whole.progress.announced {
            return Some(format!(
                "Round {round}: no solo ship is on the table now; others may come. Go on."
            ));
        }
        None
    }
}
