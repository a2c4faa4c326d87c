//! A scenario in play (SA-13): who takes part, who arrives between rounds, and when it is over.

use std::sync::Arc;

use super::{Battle, Event, Fighter, Setup, Side};
use crate::geometry::Pose;
use crate::xwing::{
    ObjectId,
    catalog::Catalog,
    edition::{LeavingTheArea, RoundLimit, Victory},
    escort::ending::Cause,
    scenario::{
        Ending, Scenario, ScenarioError, SideName, arrival,
        marker::{self, PlacedMarker},
        muster::{Muster, Wishes, muster},
        setup::{PlacedObstacle, set_up},
        standing::Standing,
    },
    ship::{Ship, Status},
    size::Size,
    table::{PlayArea, Table},
};

/// A scenario and all who take part in it: the same for every game of one plan, so it is shared and never copied.
#[derive(Debug, Clone, PartialEq)]
pub struct Mission {
    /// What is played.
    pub scenario: Scenario,
    /// The ships.
    pub muster: Muster,
    /// What they are beside their places on the table, by id.
    pub fighters: Vec<(ObjectId, Fighter)>,
}

/// A mission in one game.
#[derive(Debug, Clone, PartialEq)]
pub struct MissionInPlay {
    /// What is played.
    pub mission: Arc<Mission>,
    /// Where ships arrive.
    pub markers: Vec<PlacedMarker>,
    /// Where the rolls of arrivals come from.
    pub seed: u64,
}

impl MissionInPlay {
    /// Where the markers lie on a table: as it shows them, else as they were laid from the seed.
    pub fn markers_on(&self, table: &Table) -> Vec<PlacedMarker> {
        let scenario = &self.mission.scenario;
        let shown = marker::shown_on(scenario, table);
        if shown.len() == scenario.markers.count as usize {
            return shown;
        }
        let mut markers = self.markers.clone();
        for marker in &mut markers {
            marker.pose = self.onto(table.area, marker.pose);
        }
        markers
    }

    /// A place of the scenario's area on a mat of another size: seen from the middle it is the same.
    pub fn onto(&self, area: PlayArea, pose: Pose) -> Pose {
        let own = self.mission.scenario.play_area();
        let (x, y) = ((area.width - own.width) / 2.0, (area.height - own.height) / 2.0);
        Pose::new(pose.position.x + x, pose.position.y + y, pose.heading)
    }
}

/// A game ready to begin.
#[derive(Debug, Clone, PartialEq)]
pub struct Opening {
    /// What [`Battle::new`] takes: ships that arrive later are in reserve. Both sides have what the scenario means them
    /// to have: the player dials and the way over the edge, the solo side neither; no limit of rounds, guides that do not
    /// count, one first player. Change what should differ.
    pub setup: Setup,
    /// The obstacles, with their pieces.
    pub obstacles: Vec<PlacedObstacle>,
    /// What was rolled, and what the players ought to know.
    pub notes: Vec<String>,
}

impl Mission {
    /// Musters the ships that are wished for (SA-13.1).
    ///
    /// # Errors
    /// What the scenario does not have, or a ship of which the catalog does not say enough to play it.
    pub fn new(scenario: Scenario, catalog: &Catalog, wishes: &Wishes) -> Result<Mission, ScenarioError> {
        let muster = muster(&scenario, catalog, wishes)?;
        let mut fighters = Vec::with_capacity(muster.recruits.len());
        for recruit in &muster.recruits {
            let ship = &recruit.ship;
            let pilot = Some(recruit.pilot.as_str()).filter(|pilot| !pilot.is_empty());
            let resolved = catalog
                .resolve(&ship.chassis, pilot, &recruit.upgrades)
                .map_err(|error| ScenarioError::Asked(error.to_string()))?;
            let fighter = Fighter::with_cards(&resolved, catalog.cards()).ok_or_else(|| {
                ScenarioError::Asked(format!(
                    "the catalog does not say the hull or the agility of {} ({}); take another ship, or give a catalog \
                     that has them",
                    ship.name, ship.chassis
                ))
            })?;
            fighters.push((ship.id.clone(), fighter));
        }
        Ok(Mission {
            scenario,
            muster,
            fighters,
        })
    }

    /// Sets a game up (SA-13). The same seed gives the same table and, in later rounds, the same rolls of arrivals.
    ///
    /// # Errors
    /// No table that satisfies all rules was found.
    pub fn open(mission: &Arc<Mission>, catalog: &Catalog, seed: u64) -> Result<Opening, ScenarioError> {
        let laid = set_up(&mission.scenario, &mission.muster, catalog, seed)?;
        let side = |name: SideName| Side {
            name: name.as_str().to_owned(),
            dials: name == SideName::Player,
            flees: name == SideName::Player,
        };
        let second = match mission.scenario.first_player {
            SideName::Player => SideName::Solo,
            SideName::Solo => SideName::Player,
        };
        Ok(Opening {
            setup: Setup {
                table: laid.table,
                fighters: mission.fighters.clone(),
                sides: vec![side(mission.scenario.first_player), side(second)],
                alternating: false,
                rounds: None,
                guides: false,
                mission: Some(MissionInPlay {
                    mission: Arc::clone(mission),
                    markers: laid.markers,
                    seed,
                }),
                escort: None,
            },
            obstacles: laid.obstacles,
            notes: laid.notes,
        })
    }

    /// The ship, mustered at the beginning, that a ship of the table is, or in whose place it came (SA-13: destroyed ships
    /// may return as new ones).
    pub fn original(&self, ship: &Ship) -> Option<&ObjectId> {
        self.muster.recruit_of(ship).map(|recruit| &recruit.ship.id)
    }
}

/// A game of a scenario, ready to begin: the ships that are wished for, set up from a seed (SA-13).
///
/// # Errors
/// What the scenario or the catalog does not have, or no table that satisfies all rules.
pub fn open(scenario: Scenario, catalog: &Catalog, wishes: &Wishes, seed: u64) -> Result<Opening, ScenarioError> {
    let mission = Arc::new(Mission::new(scenario, catalog, wishes)?);
    Mission::open(&mission, catalog, seed)
}

impl Battle {
    /// The scenario, if one is played.
    pub fn mission(&self) -> Option<&MissionInPlay> {
        self.mission.as_ref()
    }

    /// SA-13: at the beginning of a round the ships arrive that the scenario sends.
    pub(super) fn arrive(&mut self) {
        let Some(play) = &self.mission else {
            return;
        };
        let Mission {
            scenario,
            muster,
            fighters,
        } = &*play.mission;
        let waves = scenario.waves.iter();
        let further = scenario.variants.iter().flat_map(|variant| &variant.waves);
        if !waves.chain(further).any(|wave| wave.round == self.round) {
            return;
        }
        let before: Vec<ObjectId> = self.table.ships.iter().map(|ship| ship.id.clone()).collect();
        let arrived = arrival::bring_in(scenario, muster, &play.markers, &mut self.table, self.round, play.seed);
        // Ships that were not known stand at their places in id order, and so must what is known of them.
        for index in 0..self.table.ships.len() {
            let ship = &self.table.ships[index];
            if before.binary_search(&ship.id).is_ok() {
                continue;
            }
            let original = play.mission.original(ship);
            let known = fighters.iter().find(|(id, _)| Some(id) == original);
            // Every recruit has an entry: `Mission::new` makes one for each.
            if let Some((_, fighter)) = known.or(fighters.first()) {
                self.fighters.insert(index, fighter.clone());
            }
        }
        let came = arrived
            .as_ref()
            .map(|arrived| arrived.ships.clone())
            .unwrap_or_default();
        match arrived {
            Ok(arrived) => {
                for id in arrived.ships {
                    let Some(ship) = self.table.ship(&id) else {
                        continue;
                    };
                    let instead_of = play.mission.original(ship).filter(|original| **original != id);
                    self.events.push(Event::Arrived {
                        name: ship.name.clone(),
                        instead_of: instead_of.cloned(),
                        pose: ship.pose,
                        locks: ship.locks.clone(),
                        ship: id,
                    });
                }
                let notes = arrived.notes.into_iter();
                self.events.extend(notes.map(|text| Event::Told { text }));
            }
            // Unknown is a value: the round is played without them.
            Err(error) => self.events.push(Event::Told {
                text: format!("Nobody arrives: {error}."),
            }),
        }
        // The cards of those who come take hold of them as they do at set-up.
        for id in came {
            if let Some(index) = self.index(&id) {
                self.put_standing_in_force(index);
                self.put_permits_in_force(index);
            }
        }
        self.index_windows();
    }

    /// Whether it is over, after ships have left or a round has begun: by an ending of the scenario, without one when one
    /// side at most has ships left.
    pub(super) fn is_decided(&mut self) -> bool {
        if self.escort.is_some() {
            return self.escort_is_decided();
        }
        if !std::mem::take(&mut self.recount) {
            return false;
        }
        let Some(play) = &self.mission else {
            return self.sides.iter().filter(|side| self.has_ships(side)).count() <= 1;
        };
        let scenario = &play.mission.scenario;
        let standing = Standing::of(scenario, &self.table);
        let ending = scenario.ended(self.round, &standing);
        self.ending = ending.and_then(|ending| scenario.endings.iter().position(|other| other == ending));
        self.ending.is_some()
    }

    /// Whether it is over in the middle of a round: by an objective of a scenario, or where a side is beaten as soon as it has
    /// no ships (FE-10.2, FE-13.1), or has left the play area where that loses the game (FE-14.15).
    pub(super) fn ends_now(&mut self) -> bool {
        let looks = match self.table.rules.victory {
            Victory::AtOnce => true,
            Victory::EndOfRound => self.mission.is_some(),
        };
        self.forfeited.is_some() || (looks && self.is_decided())
    }

    /// FE-14.15: a ship has left the play area; where the rules say so its side has lost the game.
    pub(super) fn left_the_area(&mut self, index: usize) {
        if self.table.rules.leaving == LeavingTheArea::GameLost {
            let side = self.side_of(&self.table.ships[index]);
            self.forfeited.get_or_insert(side);
        }
    }

    /// FE-10.3: what a side has scored: the cost of the enemy ships that are destroyed or have left, upgrades included; half of
    /// a large one's, rounded down, at half or less of its hull and shields where that is played. None if a cost is not known.
    pub fn score(&self, side: &str) -> Option<u32> {
        let enemies = self
            .table
            .ships
            .iter()
            .zip(&self.fighters)
            .filter(|(ship, _)| ship.side != side);
        let mut score = 0;
        for (ship, fighter) in enemies {
            let gone = matches!(ship.status, Status::Destroyed | Status::Removed);
            let whole = u32::from(fighter.integrity.hull) + u32::from(fighter.shields);
            let halved = self.table.rules.large_half_points && ship.size == Size::Large && 2 * fighter.left() <= whole;
            score += match (gone, halved) {
                (true, _) => fighter.points?,
                (false, true) => fighter.points? / 2,
                (false, false) => 0,
            };
        }
        Some(score)
    }

    /// FE-10.3: the side with the higher score, where the rules ask for it and several sides are left.
    fn ahead_at_the_limit(&self) -> Option<&str> {
        if self.table.rules.round_limit == RoundLimit::Undecided {
            return None;
        }
        let scores = self
            .sides
            .iter()
            .map(|side| Some((self.score(&side.name)?, side.name.as_str())));
        let mut scores: Vec<(u32, &str)> = scores.collect::<Option<_>>()?;
        scores.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        match scores.as_slice() {
            [first, second, ..] if first.0 > second.0 => Some(first.1),
            _ => None,
        }
    }

    /// What is said of the ending that has come.
    pub(super) fn ending_says(&self) -> Option<String> {
        let cause = self.escort.as_ref().and_then(super::EscortInPlay::cause);
        let by_escort = cause.map(Cause::sentence);
        by_escort.or_else(|| self.ending().map(|ending| ending.says.clone()))
    }

    /// The scenario's ending that has come.
    pub fn ending(&self) -> Option<&Ending> {
        self.mission.as_ref()?.mission.scenario.endings.get(self.ending?)
    }

    /// The side that has won, when it is over: the one that has ships left when no other has; by an ending of the
    /// scenario the one that the ending is not about, though all its ships be in reserve. Nobody when no side has any. At a
    /// limit of rounds the score may decide (FE-10.3).
    pub fn winner(&self) -> Option<&str> {
        if self.phase != super::Phase::Over {
            return None;
        }
        if let Some(play) = &self.escort {
            let role = self.escort_winner()?;
            let mut sides = self.sides.iter();
            return sides.find(|side| play.role(&side.name) == role).map(|side| &*side.name);
        }
        let waits = |side: &Side| {
            let own = |ship: &Ship| ship.side == side.name && ship.status == Status::Reserved;
            self.ending.is_some() && self.table.ships.iter().any(own)
        };
        if let Some(forfeited) = self.forfeited {
            let mut others = self.sides.iter().enumerate().filter(|(place, _)| *place != forfeited);
            return others.next().map(|(_, side)| side.name.as_str());
        }
        let lost = |side: &Side| self.ending().is_some_and(|ending| ending.without.as_str() == side.name);
        let mut left = (self.sides.iter()).filter(|side| !lost(side) && (self.has_ships(side) || waits(side)));
        match (left.next(), left.next()) {
            (Some(side), None) => Some(&side.name),
            (Some(_), Some(_)) if self.ending.is_none() => self.ahead_at_the_limit(),
            _ => None,
        }
    }
}
