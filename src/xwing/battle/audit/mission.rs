//! The audit of a scenario (SA-13): who may arrive when and where, who may leave over an edge, when it must end.

use std::collections::BTreeMap;

use super::{Books, Entry};
use crate::{
    geometry::{CONTACT_MM, Point, polygon},
    xwing::{
        ObjectId,
        base::base,
        battle::{Event, Phase},
        edition::RoundLimit,
        scenario::{
            Arrives, Edge, LockOnArrival, Scenario, SideName, Spacing,
            standing::{Count, Standing, group_of},
            wave,
        },
        ship::Status,
    },
};

impl Books<'_> {
    /// How the scenario stands by the books.
    fn standing(&self, scenario: &Scenario) -> Standing {
        let mut counts: BTreeMap<String, Count> = BTreeMap::new();
        for (id, entry) in &self.ships {
            let Some(group) = group_of(scenario, id) else {
                continue;
            };
            counts.entry(group.to_owned()).or_default().add(entry.status);
        }
        Standing(counts)
    }

    /// A round begins: the last one has not ended the game, and so many may arrive.
    pub(super) fn scenario_goes_on(&mut self, round: u32) {
        let Some(play) = self.mission else {
            return;
        };
        let scenario = &play.mission.scenario;
        let standing = self.standing(scenario);
        let over = scenario.ended(self.round, &standing).map(|ending| ending.says.clone());
        self.check(self.round == 0 || over.is_none(), || {
            format!("round {round} begins, and it was over: {over:?}")
        });
        let muster = &play.mission.muster;
        let variant = muster.variant.as_deref();
        let arrivals = wave::arrivals(scenario, variant, muster.player_ships, round, &standing);
        self.expected = (arrivals.unwrap_or_default().into_iter())
            .map(|arrival| (arrival.group, arrival.count))
            .collect();
    }

    /// A ship arrives: one that waits or takes the place of a destroyed one, as the round's waves say, where its group
    /// arrives, on nothing.
    pub(super) fn arrived(&mut self, event: &Event) {
        let Event::Arrived {
            ship, instead_of, pose, ..
        } = event
        else {
            return;
        };
        let Some(play) = self.mission else {
            return self.wrong(format!("{ship} arrives, and no scenario is played"));
        };
        let between = self.phase == Phase::End;
        self.check(between, || format!("{ship} arrives in the middle of a round"));
        let mission = &*play.mission;
        let before = self.ships.get(ship).map(|entry| entry.status);
        let returns = instead_of
            .as_ref()
            .map(|old| self.ships.get(old).map(|entry| entry.status));
        let may = matches!(
            (before, returns),
            (Some(Status::Reserved), None) | (None, Some(Some(Status::Destroyed)))
        );
        self.check(may, || {
            format!("{ship} arrives and does not wait: {before:?}, {returns:?}")
        });
        // As it was mustered, whatever it looked like while it waited.
        let original = instead_of.as_ref().unwrap_or(ship);
        let mut recruits = mission.muster.recruits.iter();
        let Some(recruit) = recruits.find(|recruit| recruit.ship.id == *original) else {
            return self.wrong(format!("{ship} arrives and was never mustered"));
        };
        let fighter = mission.fighters.iter().find(|(id, _)| id == original).map(|(_, f)| f);
        let entry = Entry::new(&recruit.ship, fighter, self.sides);
        self.ships.insert(ship.clone(), entry);
        let Some(entry) = self.ships.get_mut(ship) else {
            return;
        };
        (entry.status, entry.pose) = (Status::InPlay, *pose);
        self.stands(ship, true);
        let Some(group) = group_of(&mission.scenario, ship).and_then(|group| mission.scenario.group(group)) else {
            return self.wrong(format!("{ship} arrives and is of no group"));
        };
        let called = self.expected.get_mut(&group.id).filter(|left| **left > 0);
        let called = called.map(|left| *left -= 1).is_some();
        let (id, round) = (&group.id, self.round);
        self.check(called, || format!("{ship} of {id} arrives in round {round} uncalled"));
        self.arrives_where_it_may(ship, &group.arrives);
    }

    fn arrives_where_it_may(&mut self, ship: &ObjectId, arrives: &Arrives) {
        let (Some(play), Some(entry)) = (self.mission, self.ships.get(ship)) else {
            return;
        };
        let corners = base(entry.ship.size, entry.pose).corners();
        let (width, height) = (self.area.width, self.area.height);
        let fits = match arrives {
            Arrives::Marker => play.markers.iter().any(|marker| {
                let apart = polygon::distance(&marker.outline(), &corners);
                apart <= CONTACT_MM && !polygon::contains(&marker.outline(), entry.pose.position)
            }),
            Arrives::PlayerEdge(spacing) | Arrives::FarEdge(spacing) => {
                let near = play.mission.scenario.player_edge;
                let edge = match arrives {
                    Arrives::FarEdge(_) => near.opposite(),
                    _ => near,
                };
                let out = |corner: &Point| match edge {
                    Edge::South => corner.y,
                    Edge::North => height - corner.y,
                    Edge::West => corner.x,
                    Edge::East => width - corner.x,
                };
                let depths = corners.iter().map(out);
                match spacing {
                    Spacing::Within(range) => depths.fold(0.0, f64::max) <= 100.0 * f64::from(*range),
                    Spacing::At(range) | Spacing::Beyond(range) => {
                        let least = if matches!(spacing, Spacing::At(_)) {
                            range.saturating_sub(1)
                        } else {
                            *range
                        };
                        depths.fold(f64::INFINITY, f64::min) >= 100.0 * f64::from(least)
                    }
                }
            }
            Arrives::Corner(_) => self.nearest_corner(ship) <= 100.0,
        };
        self.check(fits, || format!("{ship} arrives where its group does not"));
    }

    /// The distance of a ship's base from the nearest corner of the table, mm.
    fn nearest_corner(&self, ship: &ObjectId) -> f64 {
        let Some(entry) = self.ships.get(ship) else {
            return f64::INFINITY;
        };
        let corners = base(entry.ship.size, entry.pose).corners();
        let (width, height) = (self.area.width, self.area.height);
        [(0.0, 0.0), (width, 0.0), (0.0, height), (width, height)]
            .into_iter()
            .map(|(x, y)| polygon::distance(&corners, &[Point::new(x, y)]))
            .fold(f64::INFINITY, f64::min)
    }

    /// SA-13: a ship is saved over the edge of its side alone.
    pub(super) fn is_saved(&mut self, ship: &ObjectId) {
        let may = self.mission.zip(self.ships.get(ship)).is_some_and(|(play, entry)| {
            let scenario = &play.mission.scenario;
            let Some(retreat) = scenario
                .retreat
                .filter(|retreat| retreat.side.as_str() == entry.ship.side)
            else {
                return false;
            };
            let corners = base(entry.ship.size, entry.pose).corners();
            let beyond = |edge: Edge| {
                corners.iter().any(|corner| match edge {
                    Edge::South => corner.y < 0.0,
                    Edge::North => corner.y > self.area.height,
                    Edge::West => corner.x < 0.0,
                    Edge::East => corner.x > self.area.width,
                })
            };
            let edges = [Edge::South, Edge::North, Edge::West, Edge::East];
            let any = retreat.edge == crate::xwing::scenario::RetreatEdge::Any;
            edges
                .into_iter()
                .any(|edge| (any || edge == scenario.player_edge) && beyond(edge))
        });
        self.check(may, || format!("{ship} is saved where it cannot be"));
    }

    /// SA-13, the transport: a ship that makes for a corner leaves the table within range 1 of one.
    pub(super) fn has_escaped(&mut self, ship: &ObjectId) {
        let near = self.nearest_corner(ship) <= 100.0 + CONTACT_MM;
        let makes_for_it = self.mission.is_some_and(|play| {
            let scenario = &play.mission.scenario;
            let group = group_of(scenario, ship).and_then(|group| scenario.group(group));
            group.is_some_and(|group| group.lock == Some(LockOnArrival::OppositeCorner))
        });
        self.check(near && makes_for_it, || {
            format!("{ship} leaves the table where it may not")
        });
    }

    /// It ends: as the scenario says, or without an ending at the last round; the winner is the one by the books.
    pub(super) fn ended(&mut self, winner: Option<&str>, ending: Option<&str>) {
        let sides = self.sides;
        let has = |name: &str, status: Status| {
            let mut all = self.ships.values();
            all.any(|entry| entry.ship.side == name && entry.status == status)
        };
        let mut expected_ending = None;
        let mut lost: Option<SideName> = None;
        if let Some(play) = self.mission {
            let scenario = &play.mission.scenario;
            if let Some(ending) = scenario.ended(self.round, &self.standing(scenario)) {
                expected_ending = Some(ending.says.as_str());
                lost = Some(ending.without);
            }
        }
        let left: Vec<&str> = (sides.iter().map(|side| &*side.name))
            .filter(|name| lost.is_none_or(|lost| lost.as_str() != *name))
            .filter(|name| has(name, Status::InPlay) || (lost.is_some() && has(name, Status::Reserved)))
            .collect();
        let expected = match left.as_slice() {
            _ if self.forfeited.is_some() => {
                let mut others = sides
                    .iter()
                    .enumerate()
                    .filter(|(place, _)| Some(*place) != self.forfeited);
                others.next().map(|(_, side)| &*side.name)
            }
            [only] => Some(*only),
            [_, _] if lost.is_none() && self.rules.round_limit == RoundLimit::ByScore => self.ahead(),
            _ => None,
        };
        // The shuttle's end names a winner and an ending of its own: its audit checks that.
        if self.shuttle.is_some() {
            return;
        }
        self.check(winner == expected, || {
            format!("{winner:?} is named the winner, and {left:?} have ships")
        });
        self.check(ending == expected_ending, || {
            format!("{ending:?} is named the ending, and {expected_ending:?} has come")
        });
    }
}
