//! Choices of the rules where their text is silent (SWM 2 and 6), with their defaults.

use serde::{Deserialize, Serialize};

use super::square::{Base, Space, Square};

/// A side of the map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum North {
    /// The first row is in the north.
    #[default]
    FirstRow,
    /// The last row is.
    LastRow,
    /// The first column is; the first row lies in the east.
    FirstColumn,
    /// The last column is; the first row lies in the west.
    LastColumn,
}

impl North {
    /// What comes first where north decides, then east (SWM-A5, SWM-A6): the lower, the better.
    pub fn compass(self, at: Square) -> (i16, i16) {
        let (row, column) = (i16::from(at.row), i16::from(at.column));
        match self {
            North::FirstRow => (row, -column),
            North::LastRow => (-row, column),
            North::FirstColumn => (column, row),
            North::LastColumn => (-column, -row),
        }
    }

    /// The same of a space: its northernmost row, and of that its easternmost square.
    pub fn compass_of(self, space: Space) -> (i16, i16) {
        if space.base == Base::ONE {
            return self.compass(space.at);
        }
        let squares = space.squares().map(|square| self.compass(square));
        squares.min().unwrap_or_else(|| self.compass(space.at))
    }
}

/// What a melee figure does when every way to its player figure would provoke (SWM-M5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fallback {
    /// It goes for the next-nearest one that it can reach.
    #[default]
    NextPc,
    /// It stays.
    Stay,
}

/// All switches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// SWM-S2: the best field of fire before the shortest way; else the other way round.
    pub fof_first: bool,
    /// SWM-S3 against SWM-S1: whether a shooter in low objects with a target moves away all the same.
    pub scoot_from_cover: bool,
    /// SWM-M5.
    pub aoo_fallback: Fallback,
    /// SWM-G4: whether it moves only to make an area attack possible.
    pub area_moves: bool,
    /// Cover (1.4): whether a line that only touches a wall is obstructed.
    pub wall_touch_gives_cover: bool,
    /// Whether squares that touch at the corner or the end of a wall are adjacent (1.1).
    pub adjacent_past_corners: bool,
    /// SWM-T3: whether cover counts where targets only decide the direction of a move.
    pub cover_in_movement_ties: bool,
    /// SWM-M1: whether it spends a Force point to move 2 squares farther.
    pub force_movement: bool,
    /// Which side of the map is north.
    pub north: North,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            fof_first: true,
            scoot_from_cover: false,
            aoo_fallback: Fallback::NextPc,
            area_moves: false,
            wall_touch_gives_cover: true,
            adjacent_past_corners: false,
            cover_in_movement_ties: false,
            force_movement: true,
            north: North::FirstRow,
        }
    }
}
