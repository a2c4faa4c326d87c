//! Maneuvers: what a ship flies, and where it may stand.

use super::Books;
use crate::{
    geometry::OVERLAP_MM,
    xwing::{
        ObjectId, base,
        battle::{Event, Phase},
        edition::{Contact, IonActions},
        maneuver::{Bearing, Difficulty, Maneuver},
    },
};

impl Books<'_> {
    pub(super) fn flew(&mut self, event: &Event) {
        let Event::Flew {
            ship,
            from,
            execution,
            edge_turn,
            to,
            slam,
        } = event
        else {
            return;
        };
        if !slam {
            self.turn(ship, Phase::Activation);
        }
        let Some(entry) = self.ships.get(ship) else {
            return self.wrong(format!("{ship} flies and is unknown"));
        };
        let flown = execution.maneuver;
        let size = entry.ship.size;
        let same = |other: Maneuver| (other.speed, other.bearing) == (flown.speed, flown.bearing);
        let changed = entry.changed.is_some_and(same);
        let listed = changed || entry.ship.dial.maneuvers().iter().any(|other| same(*other));
        let instead = flown.speed == 2 && flown.bearing == Bearing::Straight;
        let ionized = entry.tokens.ion >= entry.ship.ion_limit();
        let legal = if ionized {
            let difficulty = match self.rules.ion_actions {
                IonActions::FocusOnly => Difficulty::Blue,
                IonActions::Any => Difficulty::White,
            };
            (flown.speed, flown.bearing, flown.difficulty) == (1, Bearing::Straight, difficulty)
        } else {
            listed || instead
        };
        let clears = self.shuttle == Some(ship) && flown.bearing == Bearing::Straight && flown.speed > 2;
        let (legal, instead) = (legal || clears, instead || clears);
        let as_set = ionized || *slam || changed || entry.dial.is_none_or(|dial| same(dial) || instead);
        let stressed = entry.tokens.stress > 0 && !entry.standing.flies_red.covers(flown.bearing);
        let stood = entry.pose;
        let sides = self.sides;
        let flees = sides[entry.side].flees;
        self.check(legal && as_set, || format!("{ship} flies {flown}, which it may not"));
        self.check(!(stressed && flown.difficulty == Difficulty::Red), || {
            format!("{ship} flies the red {flown} while stressed")
        });
        self.check(*from == stood, || {
            format!("{ship} starts from {from:?}, not from {stood:?}")
        });
        let turns = edge_turn.is_none_or(|turn| [90.0, -90.0, 180.0].contains(&turn) && execution.edge && !flees);
        self.check(turns, || format!("{ship} turns {edge_turn:?} at the edge"));
        // A ship that is not stopped at the edge has left the table; where it does so comes next.
        let leaves = execution.edge && edge_turn.is_none();
        let overlapped = execution.overlapped.iter().filter(|id| *id == ship).count();
        self.check(overlapped == 0, || format!("{ship} overlaps itself"));
        let mines = self.mines_under(size, *from, execution, *to);
        if self.rules.contact == Contact::Touching && edge_turn.is_none() {
            let others = execution
                .overlapped
                .iter()
                .filter_map(|id| Some((id.clone(), self.ships.get(id)?.pose)));
            let pairs: Vec<_> = others.map(|other| [(ship.clone(), *to), other]).collect();
            self.touching.extend(pairs);
        }
        if let Some(entry) = self.ships.get_mut(ship) {
            entry.pose = *to;
            entry.changed = None;
            entry.flown_over.clone_from(&execution.suffered);
            entry.flown_over.extend(mines);
            entry.met.clear();
        }
        self.leaving = leaves.then(|| ship.clone());
        if !leaves {
            // A turn in place at the edge may end on a neighbour; the rules ask for the turn all the same.
            self.stands(ship, *edge_turn == Some(180.0) || edge_turn.is_none());
        }
    }

    /// A ship on the table stands inside the play area and on no other ship.
    pub(super) fn stands(&mut self, ship: &ObjectId, alone: bool) {
        // Backing up ends where a ship is clear to a tenth of a micrometre; the rest is rounding.
        const SLACK_MM: f64 = 2.0 * OVERLAP_MM + 1e-6;
        let Some(entry) = self.ships.get(ship) else {
            return;
        };
        let own = base::base(entry.ship.size, entry.pose);
        let area = self.area;
        let out = own.corners().into_iter().any(|corner| {
            corner.x < -SLACK_MM
                || corner.y < -SLACK_MM
                || corner.x > area.width + SLACK_MM
                || corner.y > area.height + SLACK_MM
        });
        let on: Vec<ObjectId> = self
            .ships
            .iter()
            .filter(|(id, other)| *id != ship && other.in_play())
            .filter(|(_, other)| own.penetration(&base::base(other.ship.size, other.pose)) > SLACK_MM)
            .map(|(id, _)| id.clone())
            .collect();
        self.check(!out, || format!("{ship} stands over the edge"));
        self.check(!alone || on.is_empty(), || format!("{ship} stands on {on:?}"));
    }
}
