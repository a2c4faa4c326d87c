//! What cards change about how a ship acts and flies, for as long as they do.

use crate::xwing::{
    action::{ActionDetail, ActionKind, ColoredAction},
    maneuver::{Bearing, Difficulty, Maneuver},
};

/// Red maneuvers that a ship may execute while it is stressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RedWhileStressed {
    /// Straights, banks and turns.
    pub basic: bool,
    /// Segnor's loops.
    pub segnor: bool,
    /// All other advanced ones.
    pub advanced: bool,
}

impl RedWhileStressed {
    /// All of them.
    pub const ALL: RedWhileStressed = RedWhileStressed {
        basic: true,
        segnor: true,
        advanced: true,
    };

    /// Whether a bearing is among them.
    pub fn covers(self, bearing: Bearing) -> bool {
        match bearing {
            Bearing::Straight | Bearing::Bank(_) | Bearing::Turn(_) => self.basic,
            Bearing::SegnorsLoop(_) => self.segnor,
            _ => self.advanced,
        }
    }
}

/// How a ship may boost by turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TurnBoost {
    /// As by the other templates.
    Free,
    /// A white boost is treated as red; a red one uses the other templates.
    AsRed,
}

/// What cards change about how a ship acts and flies.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Standing {
    /// Actions of the bar that it may perform while it is stressed.
    pub acts_stressed: Vec<ActionKind>,
    /// White actions of the bar that it may perform while it is stressed, whichever they are.
    pub acts_white_stressed: bool,
    /// Whether it may perform the actions of damage cards while it is stressed.
    pub repairs_stressed: bool,
    /// Red maneuvers that it may execute while it is stressed.
    pub flies_red: RedWhileStressed,
    /// How many locks it may maintain beyond the one that every ship may.
    pub more_locks: u8,
    /// Whether nobody can lock it.
    pub cannot_be_locked: bool,
    /// Whether it may boost and barrel roll through obstacles and onto them.
    pub repositions_over_obstacles: bool,
    /// Whether it may boost by the turns of speed 1, and whether a white boost counts as red then.
    pub boost_turns: Option<TurnBoost>,
    /// Whether it can be coordinated.
    pub cannot_be_coordinated: bool,
    /// Whether a card keeps it from attacking.
    pub cannot_attack: bool,
}

impl Standing {
    /// The colour in which an action that is offered in a colour is taken so; `None` when it cannot be.
    pub fn color_of(&self, detail: &ActionDetail, offered: Difficulty) -> Option<Difficulty> {
        let turn = matches!(detail, ActionDetail::Boost(template) if template.is_turn());
        match (turn, self.boost_turns, offered) {
            (false, ..) | (true, Some(TurnBoost::Free), _) => Some(offered),
            (true, Some(TurnBoost::AsRed), Difficulty::White) => Some(Difficulty::Red),
            (true, Some(TurnBoost::AsRed) | None, _) => None,
        }
    }
}

impl super::Ship {
    /// Whether stress does not keep the ship from an action: it has none, or a card lets it.
    pub fn may_act(&self, action: ColoredAction) -> bool {
        !self.is_stressed()
            || self.standing.acts_stressed.contains(&action.kind)
            || (self.standing.acts_white_stressed && action.difficulty == Difficulty::White)
    }

    /// The colour in which an action that is offered in a colour is taken so; `None` when it cannot be.
    pub fn color_of(&self, detail: &ActionDetail, offered: Difficulty) -> Option<Difficulty> {
        self.standing.color_of(detail, offered)
    }

    /// Whether stress keeps the ship from every action.
    pub fn stress_bars_actions(&self) -> bool {
        self.is_stressed() && self.standing.acts_stressed.is_empty() && !self.standing.acts_white_stressed
    }

    /// Whether stress does not keep the ship from a maneuver: it is not red, the ship has none, or a card lets it.
    pub fn may_fly(&self, maneuver: Maneuver) -> bool {
        maneuver.difficulty != Difficulty::Red
            || !self.is_stressed()
            || self.standing.flies_red.covers(maneuver.bearing)
    }

    /// The ship acquires a lock. It maintains as many as it may: the oldest goes.
    pub fn lock(&mut self, object: crate::xwing::ObjectId) {
        self.locks.retain(|other| *other != object);
        let most = 1 + usize::from(self.standing.more_locks);
        while self.locks.len() >= most {
            self.locks.remove(0);
        }
        self.locks.push(object);
    }
}
