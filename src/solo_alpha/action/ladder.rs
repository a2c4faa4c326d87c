//! The three ladders of SA-8: which line an action would meet, measured beforehand.

use super::{
    ActionDetail, ActionFailure, Effect, Line, MoveResult, PlannedAction, RejectedAction,
    sequence::{Possible, PossibleKind},
};
use crate::{
    geometry::Pose,
    solo_alpha::{
        attitude::Attitude,
        nearest::{Measured, enemies},
        options::Options,
    },
    xwing::{
        action::{ActionKind, ColoredAction},
        edition::{
            Rules,
            topic::{ActionSet, IonActions},
        },
        maneuver::Difficulty,
        measure::{self, Object},
        movement::MovementOptions,
        ship::Ship,
        table::Table,
    },
};

mod moves;
mod sight;
mod targets;

pub(in crate::solo_alpha) use sight::covers;

/// One Perform Action step: the ship as it stands, and what its actions would do.
pub(super) struct Ladder<'a> {
    pub table: &'a Table,
    pub enemies: Vec<&'a Ship>,
    pub ship: Ship,
    /// Whether the ship has left the place that the table shows, so that a bump reported there is over (SA-0).
    moved: bool,
    pub attitude: Attitude,
    pub result: &'a MoveResult,
    movement: MovementOptions,
    options: &'a Options,
    pub rejected: Vec<RejectedAction>,
    /// Measured once for the ship as it stands; indices of `enemies`.
    exposed: Vec<usize>,
    targets: bool,
}

/// What an action changes, to be undone after looking at the link that follows it.
pub(super) struct Saved {
    ship: Ship,
    moved: bool,
    exposed: Vec<usize>,
    targets: bool,
}

impl<'a> Ladder<'a> {
    pub fn new(
        table: &'a Table,
        ship: Ship,
        moved: bool,
        attitude: Attitude,
        result: &'a MoveResult,
        movement: MovementOptions,
        options: &'a Options,
    ) -> Self {
        let mut enemies = enemies(&table.ships, &ship);
        enemies.sort_by(|a, b| a.id.cmp(&b.id));
        let mut ladder = Self {
            table,
            enemies,
            ship,
            moved,
            attitude,
            result,
            movement,
            options,
            rejected: Vec::new(),
            exposed: Vec::new(),
            targets: false,
        };
        ladder.look_around();
        ladder
    }

    fn look_around(&mut self) {
        match self.attitude {
            Attitude::Defensive => {
                self.exposed = (0..self.enemies.len())
                    .filter(|&i| covers(self.enemies[i], &Object::Ship(&self.ship)))
                    .collect();
            }
            Attitude::Offensive => {
                self.targets = self
                    .enemies
                    .iter()
                    .any(|enemy| covers(&self.ship, &Object::Ship(enemy)))
            }
            Attitude::Balanced => {}
        }
    }

    pub const fn line(&self, number: u8) -> Line {
        Line {
            attitude: self.attitude,
            number,
        }
    }

    /// Whether the ship may take an action now (SA-8): one that the rulebook has, once a round, not stressed, ionized as the
    /// edition says, Force for purple.
    pub fn may_take(&self, action: ColoredAction) -> bool {
        !self.ship.performed.contains(&action.kind)
            && self.table.rules.actions.has(action.kind)
            && self.ship.may_act(action)
            && (!self.result.ionized || open_to_ionized(&self.table.rules, action.kind))
            && (action.difficulty != Difficulty::Purple || self.ship.tokens.force > 0)
    }

    /// Carries an action out for the look at its link.
    pub fn enter(&mut self, action: &PlannedAction) -> Saved {
        let saved = Saved {
            ship: self.ship.clone(),
            moved: self.moved,
            exposed: self.exposed.clone(),
            targets: self.targets,
        };
        self.moved |= self.ship.pose != action.pose_after;
        action.apply(&mut self.ship);
        if changes_view(action.kind) {
            self.look_around();
        }
        saved
    }

    /// Takes it back.
    pub fn leave(&mut self, saved: Saved) {
        self.ship = saved.ship;
        self.moved = saved.moved;
        self.exposed = saved.exposed;
        self.targets = saved.targets;
    }

    /// Base to base distance to another ship, mm (SA-0).
    fn distance(&self, other: &Ship) -> f64 {
        if self.moved {
            measure::distance(self.ship.size, self.ship.pose, &Object::Ship(other))
        } else {
            measure::ship_distance(&self.ship, other)
        }
    }

    fn measured<'s>(&self, ships: impl Iterator<Item = &'s Ship>) -> Vec<Measured<'s>> {
        ships
            .map(|ship| Measured {
                object: Object::Ship(ship),
                distance: self.distance(ship),
            })
            .collect()
    }

    /// All ways to take an action that meet a line, and which line.
    pub fn possible(&mut self, kind: ActionKind) -> Vec<Possible> {
        use ActionKind as A;
        use Attitude::{Balanced, Defensive, Offensive};
        let tokens = &self.ship.tokens;
        match (self.attitude, kind) {
            // SA-8-D1, SA-8-O1: "else" gives the rank within the line.
            (Defensive, A::BarrelRoll) | (Offensive, A::BarrelRoll) => self.repositions(kind, 1, 0),
            (Defensive, A::Boost) | (Offensive, A::Boost) => self.repositions(kind, 1, 1),
            (Defensive, A::Slam) => self.slams(),
            (Offensive, A::RotateArc) => self.rotations(),
            // SA-8-B2
            (Balanced, A::BarrelRoll | A::Boost) => self.evasions(kind),
            (Defensive, A::Reinforce) => self.reinforcements(),
            (Defensive, A::Jam) => self.jams(),
            (Balanced, A::Coordinate) => self.coordinations(),
            (Offensive, A::Lock) => self.locks(),
            (Offensive, A::Reload) => self.reloads(),
            // SA-8-D4, SA-8-D5, SA-8-D6, SA-8-B3, SA-8-B4, SA-8-O5, SA-8-O6.
            (Defensive, A::Evade) if tokens.evade == 0 => self.token(4),
            (Defensive, A::Cloak) => self.cloaks(),
            (Defensive, A::Focus) if tokens.focus == 0 => self.token(5),
            (Defensive, A::Calculate) if tokens.calculate == 0 => self.token(6),
            (Balanced, A::Focus) if tokens.focus == 0 => self.token(3),
            (Balanced, A::Calculate) if tokens.calculate == 0 => self.token(4),
            (Offensive, A::Focus) if tokens.focus == 0 => self.token(5),
            (Offensive, A::Calculate) if tokens.calculate == 0 => self.token(6),
            _ => Vec::new(),
        }
    }

    fn stays(&self, line: u8, detail: ActionDetail, effect: Effect) -> Possible {
        Possible {
            line: Some(line),
            rank: 0,
            gain: 0.0,
            detail,
            pose: self.ship.pose,
            effect,
            kind: PossibleKind::Stays,
        }
    }

    fn token(&self, line: u8) -> Vec<Possible> {
        vec![self.stays(line, ActionDetail::Token, Effect::Lacking)]
    }

    /// FE-SOLO-8, `soloCloak`: after evade, without a target. No line of SA-8 names it.
    fn cloaks(&self) -> Vec<Possible> {
        let covered = |enemy: &&Ship| covers(&self.ship, &Object::Ship(enemy));
        let wanted = self.table.rules.solo.cloaks && self.ship.tokens.cloak == 0;
        if !wanted || self.enemies.iter().any(covered) {
            return Vec::new();
        }
        let mut cloak = self.stays(4, ActionDetail::Token, Effect::Lacking);
        cloak.rank = 1;
        vec![cloak]
    }

    fn reject(&mut self, kind: ActionKind, line: u8, detail: ActionDetail, pose: Pose, why: ActionFailure) {
        self.rejected.push(RejectedAction {
            action: PlannedAction {
                kind,
                difficulty: Difficulty::White,
                detail,
                pose_after: pose,
                line: Some(self.line(line)),
                effect: Effect::OpensLink,
            },
            why,
        });
    }

    /// Why no action meets a line, in words.
    pub fn why_not(&self, number: u8) -> &'static str {
        use Attitude::{Balanced, Defensive, Offensive};
        match (self.attitude, number) {
            (Defensive, 1) if self.exposed.is_empty() => "it is in no enemy's firing arc",
            (Defensive, 1) => "no barrel roll, boost or SLAM takes it out of an enemy's firing arc",
            (Defensive, 2) => "it cannot reinforce, or there is no enemy",
            (Defensive, 3) => "it cannot jam an enemy at range 1",
            (Defensive, 4) => "it has an evade token or cannot evade",
            (Defensive, 5) | (Balanced, 3) | (Offensive, 5) => "it has a focus token or cannot focus",
            (Defensive, 6) | (Balanced, 4) | (Offensive, 6) => "it has a calculate token or cannot calculate",
            (Balanced, 1) => "it cannot coordinate a friendly ship",
            (Balanced, 2) => "no obstacle is ahead, or no barrel roll or boost takes it farther from it",
            (Offensive, 1) if self.targets => "an enemy is in its firing arc",
            (Offensive, 1) => "no barrel roll, boost or rotation puts an enemy in its firing arc",
            (Offensive, 2) => "no weapon that needs a lock has an enemy to lock in its arc and range",
            (Offensive, 3) => "it cannot lock the nearest enemy",
            (Offensive, 4) => "an enemy is in its firing arc, or it has nothing to reload",
            _ => "no such line",
        }
    }

    /// The last line of the attitude's ladder. FE-SOLO-1: where there is no calculate action its line is dead.
    pub const fn last_line(&self) -> u8 {
        let last = match self.attitude {
            Attitude::Balanced => 4,
            Attitude::Defensive | Attitude::Offensive => 6,
        };
        match self.table.rules.actions {
            ActionSet::Second => last,
            ActionSet::First | ActionSet::Rulebook2012 => last - 1,
        }
    }
}

/// Whether an ionized ship may take an action of that kind (SA-6.1, FE-SOLO-5).
pub(super) const fn open_to_ionized(rules: &Rules, kind: ActionKind) -> bool {
    match rules.ion_actions {
        IonActions::FocusOnly => matches!(kind, ActionKind::Focus),
        IonActions::Any => true,
    }
}

/// Whether an action changes who sees whom.
pub(super) const fn changes_view(kind: ActionKind) -> bool {
    matches!(
        kind,
        ActionKind::BarrelRoll | ActionKind::Boost | ActionKind::Slam | ActionKind::RotateArc
    )
}
