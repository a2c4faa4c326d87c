//! Where the program puts what is its own in the set-up of Political Escort (PE-A8).

pub(super) use crate::xwing::deployment::EDGES;

use super::{Led, Place};
use crate::{
    dice::SeededDice,
    game::{Game, opponent::Opponent},
    geometry::Pose,
    solo_alpha::escort::placing::{self, Start, ToPlace},
    xwing::{
        ObjectId,
        escort::shuttle::size,
        obstacle::Obstacle,
        obstacle_outlines::ObstacleOutline,
        placing::{across, check_base, may_be_brought},
        scenario::Edge,
        ship::Ship,
        table::PlayArea,
    },
};

/// How deep the shuttle of players who have not put it down yet is thought to stand, mm.
const DEPTH_MM: f64 = 60.0;

impl<O: Opponent> Game<O> {
    /// PE-A8: the automated defender's edge among these, and where its shuttle starts.
    pub(super) fn escort_start(&self, led: &Led, edges: &[Edge]) -> Option<Start> {
        let table = self.table.as_ref()?;
        let mut dice = SeededDice::for_activation(self.config.seed, 0, "the defender's edge");
        placing::start(table.area, &table.obstacles, size(&led.game.options), edges, &mut dice)
    }

    /// The edge at which a side's ships stand already: all that are in play within its band (FE-2.4), one at least.
    pub(super) fn edge_of(&self, solo: bool) -> Option<Edge> {
        let table = self.table.as_ref()?;
        let own: Vec<_> = (table.ships_in_play())
            .filter(|ship| self.seats.is_solo(&ship.id) == solo)
            .collect();
        let within = |edge: &Edge| {
            let fits = |ship: &&Ship| check_base(table.area, &ship.id, ship.size, ship.pose, *edge).is_empty();
            !own.is_empty() && own.iter().all(fits)
        };
        EDGES.into_iter().find(within)
    }

    /// PE-A8: where the ships of the solo side are put, in the order of their squad.
    pub(super) fn solo_places(&self, led: &Led, edge: Edge) -> Vec<(Place, Pose)> {
        let (Some(table), Some(progress)) = (&self.table, self.escort_progress()) else {
            return Vec::new();
        };
        let area = table.area;
        let base = size(&led.game.options);
        let to_place: Vec<ToPlace> = (led.game.solo.ships.iter().enumerate())
            .map(|(place, ship)| ToPlace {
                ship: id_of(place),
                skill: ship.skill,
                size: ship.size,
            })
            .collect();
        let placed = match progress.solo_defends {
            Some(true) => match self.escort_start(led, &[edge]) {
                Some(start) => placing::escorts(area, &start, base, &to_place),
                None => Vec::new(),
            },
            // The players put their shuttle down last: where it will stand is not known, or it lies there already.
            _ => placing::attackers(area, &self.opposite(area, edge), &to_place),
        };
        let places = 0..led.game.solo.ships.len();
        let pose_of = |place: usize| placed.iter().find(|(id, _)| *id == id_of(place)).map(|(_, pose)| *pose);
        places
            .filter_map(|place| Some(((true, place), pose_of(place)?)))
            .collect()
    }

    fn opposite(&self, area: PlayArea, edge: Edge) -> Start {
        let progress = self.escort_progress();
        let shuttle = progress.and_then(|progress| self.table.as_ref()?.ship(progress.shuttle.as_ref()?));
        let along = match shuttle.filter(|ship| ship.in_play()) {
            Some(ship) => ship.pose.position.x,
            None => area.width / 2.0,
        };
        Start {
            edge,
            along,
            pose: across(area, edge, along, DEPTH_MM),
            reasons: Vec::new(),
        }
    }

    /// FE-2.2, PE-A8: the obstacle that the program lays next: which piece, and where. A loose piece that the table can lay
    /// comes first.
    pub(super) fn next_obstacle(&self, led: &Led, number: usize, solo_defends: bool) -> Option<(String, Pose)> {
        let table = self.table.as_ref()?;
        let usual = |outline: &&ObstacleOutline| may_be_brought(&table.rules, outline.kind);
        let known: Vec<&ObstacleOutline> = led.outlines.all().iter().filter(usual).collect();
        let loose: Vec<&ObstacleOutline> = (known.iter().copied())
            .filter(|outline| self.loose.iter().any(|piece| piece.piece == outline.id))
            .collect();
        let pieces = if loose.is_empty() { &known } else { &loose };
        let mut dice = SeededDice::for_activation(self.config.seed, 0, &format!("obstacle {number}"));
        let lying: &[Obstacle] = &table.obstacles;
        let found = placing::one_obstacle(&table.rules, table.area, pieces, lying, solo_defends, &mut dice);
        found.map(|(piece, pose)| (piece.id.clone(), pose))
    }
}

fn id_of(place: usize) -> ObjectId {
    format!("{place:02}").into()
}
