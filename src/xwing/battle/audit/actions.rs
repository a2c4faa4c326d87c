//! The audit of actions where the editions differ: whom a ship may lock, jam or coordinate, which cards act, which maneuver an
//! opponent picks, and that no jam token lies beside what it takes.

use super::{Books, Entry};
use crate::{
    geometry::CONTACT_MM,
    xwing::{
        ObjectId,
        action::{ActionDetail, ActionKind},
        base,
        edition::{CardActions, Jam, Locks, StressedRed},
        maneuver::{Difficulty, Maneuver},
        size::Size,
    },
};

/// How far two bases are from each other, mm.
fn apart(a: &Entry<'_>, b: &Entry<'_>) -> f64 {
    base::base(a.ship.size, a.pose).distance(&base::base(b.ship.size, b.pose))
}

impl Books<'_> {
    /// Whether there is such an action in the rulebook, and what it names can be chosen for it.
    pub(super) fn is_open(&mut self, ship: &ObjectId, kind: ActionKind, detail: &ActionDetail) {
        let known = self.rules.actions.has(kind);
        self.check(known, || format!("{ship} takes {kind:?}, which the rulebook has not"));
        let (ActionDetail::Lock(id) | ActionDetail::Jam(id) | ActionDetail::Coordinate(id)) = detail else {
            return;
        };
        let Some(entry) = self.ships.get(ship) else {
            return;
        };
        let reach = |range: f64| 100.0 * range + 2.0 * CONTACT_MM;
        let other = self.ships.get(id).filter(|other| other.in_play());
        let meant = match (detail, other) {
            (ActionDetail::Lock(_), Some(other)) => match self.rules.locks {
                Locks::AnyObject => true,
                Locks::Enemies => other.side != entry.side && apart(entry, other) <= reach(3.0),
            },
            // An obstacle.
            (ActionDetail::Lock(_), None) => self.rules.locks == Locks::AnyObject,
            (ActionDetail::Jam(_), Some(other)) => {
                let most = match self.rules.jam {
                    Jam::JammerPicks => 1.0,
                    Jam::OwnerPicks { range_1_only } if range_1_only && entry.ship.size != Size::Huge => 1.0,
                    Jam::OwnerPicks { .. } => 2.0,
                };
                other.side != entry.side && apart(entry, other) <= reach(most)
            }
            (ActionDetail::Coordinate(_), Some(other)) => {
                other.side == entry.side && id != ship && apart(entry, other) <= reach(2.0)
            }
            _ => false,
        };
        self.check(meant, || format!("{ship} takes {kind:?} on {id}, which it may not"));
    }

    /// FE-6.8: a huge ship gives all its energy for shields, one each, to the maximum. They have come back just before.
    pub(super) fn recovers(&mut self, ship: &ObjectId) {
        let Some(entry) = self.ships.get_mut(ship) else {
            return;
        };
        entry.recovers = true;
        let restored = std::mem::take(&mut entry.restored);
        let lacked = entry.most_shields.saturating_sub(entry.shields) + restored;
        let due = entry.tokens.energy.min(lacked);
        let huge = entry.ship.size == Size::Huge;
        self.check(huge && restored > 0 && restored == due, || {
            format!("{ship} recovers {restored} shields; its energy is good for {due}")
        });
    }

    /// FE-5.4: two copies of a card are one action.
    pub(super) fn acts_by_card(&mut self, ship: &ObjectId, card: &str) {
        let Some(entry) = self.ships.get_mut(ship) else {
            return;
        };
        let again = entry.card_actions.iter().any(|other| other == card);
        entry.card_actions.push(card.to_owned());
        let once = self.rules.card_actions == CardActions::EachName;
        self.check(!(again && once), || {
            format!("{ship} performs the action of {card} twice in a round")
        });
    }

    /// FE-14.4: where an opponent picks, he picks for a stressed ship, and no red maneuver.
    pub(super) fn is_picked_by_rule(&mut self, ship: &ObjectId, maneuver: Maneuver) {
        match self.rules.stressed_red {
            StressedRed::White2Straight => return,
            StressedRed::OpponentPicks => {}
        }
        let stressed = self.ships.get(ship).is_some_and(|entry| entry.tokens.stress > 0);
        self.check(stressed && maneuver.difficulty != Difficulty::Red, || {
            format!("{maneuver} is picked for {ship}, which may not be")
        });
    }

    /// FE-6.7: as soon as a ship has a jam token and a focus or an evade token, one of these goes with the jam token.
    pub(super) fn jam_is_settled(&mut self) {
        match self.rules.jam {
            Jam::JammerPicks => return,
            Jam::OwnerPicks { .. } => {}
        }
        let both =
            |entry: &Entry<'_>| entry.in_play() && entry.tokens.jam > 0 && entry.tokens.focus + entry.tokens.evade > 0;
        let found = self.ships.iter().find(|(_, entry)| both(entry));
        let found = found.map(|(id, _)| id.clone());
        self.check(found.is_none(), || {
            format!("{found:?} keeps a jam token beside what it takes")
        });
    }
}
