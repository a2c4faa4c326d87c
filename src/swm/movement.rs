//! Where a figure can move and what it costs (SWM 1.3), with or without attacks of opportunity (1.8).

use std::{cmp::Reverse, collections::BinaryHeap};

use super::{
    ability::Effect,
    board::Board,
    figure::Figure,
    map::{DIRECTIONS, Direction, Map, Terrain},
    square::{Base, Space, Square},
};

/// How a figure moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Manner {
    /// Costly squares cost it nothing more, pits do not stop it.
    pub over_terrain: bool,
    /// It passes through enemies, and moving away from them provokes nothing.
    pub ignores_enemies: bool,
    /// Both beside walls (Wall Climber).
    pub climbs: bool,
    /// It passes gaps that are one square narrower than it is.
    pub squeezes: bool,
    /// Squares beside an enemy end its move, so that it provokes nothing (SWM-S6, SWM-M5).
    pub careful: bool,
}

impl Manner {
    /// How the figure moves by its card, without provoking attacks of opportunity.
    pub fn of(figure: &Figure) -> Manner {
        let has = |effect: Effect| figure.card.has(|other| *other == effect);
        Manner {
            over_terrain: has(Effect::IgnoresTerrain),
            ignores_enemies: has(Effect::IgnoresEnemies),
            climbs: has(Effect::ClimbsWalls),
            squeezes: figure.card.size.is_big() && !has(Effect::CannotSqueeze),
            careful: true,
        }
    }

    /// The same without regard to attacks of opportunity.
    pub fn reckless(self) -> Manner {
        Manner { careful: false, ..self }
    }
}

/// Whether a mover that leaves the square where it stands lets an enemy make an attack of opportunity (SWM 1.8): the square is
/// beside the enemy, wherever the step leads. Who ignores enemies provokes nothing, but for Jedi Reflexes. Melee Reach does not
/// count: it is for the figure's own turn.
pub fn provokes_by_leaving(board: &Board, mover: &Figure, enemy: &Figure) -> bool {
    let ignores = mover.card.has(|effect| *effect == Effect::IgnoresEnemies);
    (!ignores || strikes_at_comers(enemy)) && board.are_adjacent(mover.space(), enemy.space())
}

/// Whether a mover that has come to the square where it stands lets an enemy make one: beside an enemy with Jedi Reflexes.
pub fn provokes_by_coming(board: &Board, mover: &Figure, enemy: &Figure) -> bool {
    strikes_at_comers(enemy) && board.are_adjacent(mover.space(), enemy.space())
}

fn strikes_at_comers(enemy: &Figure) -> bool {
    enemy.card.has(|effect| *effect == Effect::StrikesAtComers)
}

const NONE: u16 = u16::MAX;

/// What every square costs: the least, and the square before it on the way.
#[derive(Debug, Clone)]
pub struct Ways<'b> {
    map: &'b Map,
    costs: Vec<u16>,
    before: Vec<Option<Square>>,
    can_end: Vec<bool>,
}

/// What stands where for a mover.
struct Ground<'b> {
    map: &'b Map,
    mover: &'b Figure,
    manner: Manner,
    /// Squares of enemies in play.
    enemies: Vec<bool>,
    /// Squares of all others in play.
    taken: Vec<bool>,
    /// Squares from which a step would provoke an attack.
    threatened: Vec<bool>,
    /// Squares that a step to would provoke an attack.
    guarded: Vec<bool>,
    /// Squares beside walls, for those who climb them.
    beside_walls: Vec<bool>,
}

impl<'b> Ground<'b> {
    fn new(board: &'b Board, mover: &'b Figure, manner: Manner) -> Self {
        let map = board.map();
        let count = usize::from(map.width()) * usize::from(map.height());
        let mut ground = Ground {
            map,
            mover,
            manner,
            enemies: vec![false; count],
            taken: vec![false; count],
            threatened: vec![false; count],
            guarded: Vec::new(),
            beside_walls: Vec::new(),
        };
        if manner.climbs {
            ground.beside_walls = map.squares().map(|square| map.is_beside_wall(square)).collect();
        }
        for other in board
            .figures()
            .iter()
            .filter(|other| other.in_play() && other.id != mover.id)
        {
            let hostile = other.side != mover.side;
            let strikes = hostile && strikes_at_comers(other);
            if strikes && ground.guarded.is_empty() {
                ground.guarded = vec![false; count];
            }
            for square in other.space().squares() {
                ground.taken[map.index(square)] = true;
                ground.enemies[map.index(square)] |= hostile;
                if !hostile || (manner.ignores_enemies && !strikes) {
                    continue;
                }
                for beside in map.neighbours(square) {
                    ground.threatened[map.index(beside)] = true;
                    if strikes {
                        ground.guarded[map.index(beside)] = true;
                    }
                }
            }
        }
        ground
    }

    fn any(&self, list: &[bool], space: Space) -> bool {
        space.squares().any(|square| list[self.map.index(square)])
    }

    /// Whether terrain lets the mover stand there with all its squares.
    fn is_floor(&self, square: Square) -> bool {
        !self.map.is_shut(square) && self.map.terrain(square) != Terrain::Pit
    }

    fn can_end(&self, space: Space) -> bool {
        space.squares().all(|square| self.is_floor(square))
            && is_whole(self.map, space)
            && !self.any(&self.taken, space)
    }

    /// Whether it climbs along a wall there.
    fn climbs_at(&self, space: Space) -> bool {
        self.manner.climbs && self.any(&self.beside_walls, space)
    }

    fn passes_enemies(&self, space: Space) -> bool {
        self.manner.ignores_enemies || self.climbs_at(space) || !self.any(&self.enemies, space)
    }

    /// The parts of its space that may carry it on its way: the whole, or where it squeezes all but one outer row or column.
    fn parts(&self, space: Space) -> impl Iterator<Item = Space> + use<> {
        let Space { at, base } = space;
        let narrow = Base {
            wide: base.wide.saturating_sub(1).max(1),
            high: base.high,
        };
        let low = Base {
            wide: base.wide,
            high: base.high.saturating_sub(1).max(1),
        };
        let east = Square::new(at.column + (base.wide - narrow.wide), at.row);
        let south = Square::new(at.column, at.row + (base.high - low.high));
        let squeezed = [
            Space::new(at, narrow),
            Space::new(east, narrow),
            Space::new(at, low),
            Space::new(south, low),
        ];
        let squeezes = self.manner.squeezes;
        [space]
            .into_iter()
            .chain(squeezed.into_iter().filter(move |_| squeezes))
    }

    /// Whether a part of its space may be there on its way.
    fn may_pass(&self, part: Space, over_terrain: bool) -> bool {
        let passes =
            |square: Square| !self.map.is_shut(square) && (over_terrain || self.map.terrain(square) != Terrain::Pit);
        part.squares().all(passes) && is_whole(self.map, part)
    }

    /// Where one step leads, and what it costs. Some part of its space takes the step with all its squares; what it leaves out
    /// where it squeezes lies over walls and pits only (SWM 1.3).
    fn step(&self, from: Square, direction: Direction) -> Option<(Square, u16)> {
        let to = shifted(from, direction)?;
        let (old, new) = (self.mover.space_at(from), self.mover.space_at(to));
        if !self.map.contains_space(new) || !self.passes_enemies(new) {
            return None;
        }
        let over_terrain = self.manner.over_terrain || self.climbs_at(new);
        let free = if new.base.is_big() {
            self.parts(old).zip(self.parts(new)).any(|(left, reached)| {
                self.may_pass(left, true)
                    && self.may_pass(reached, over_terrain)
                    && left.squares().all(|square| self.map.step(square, direction).is_some())
            })
        } else {
            self.map.step(from, direction).is_some() && (over_terrain || self.map.terrain(to) != Terrain::Pit)
        };
        if !free {
            return None;
        }
        let mut entered = new.squares().filter(|&square| !old.contains(square));
        let costly = !over_terrain && entered.any(|square| self.map.terrain(square).is_costly());
        let length = if direction.0 != 0 && direction.1 != 0 { 2 } else { 1 };
        Some((to, if costly { 2 * length } else { length }))
    }

    /// Whether it may be there on its way at all.
    fn can_pass(&self, space: Space) -> bool {
        let over_terrain = self.manner.over_terrain || self.climbs_at(space);
        self.passes_enemies(space) && self.parts(space).any(|part| self.may_pass(part, over_terrain))
    }

    /// Whether a careful figure does not go there: somebody may strike at who comes beside him.
    fn is_guarded(&self, at: Square) -> bool {
        self.manner.careful && !self.guarded.is_empty() && self.any(&self.guarded, self.mover.space_at(at))
    }

    /// Whether a careful figure stays where it is once it is there.
    fn ends_move(&self, at: Square) -> bool {
        self.manner.careful && self.any(&self.threatened, self.mover.space_at(at))
    }
}

/// What a single step between two squares costs a figure that does not mind attacks of opportunity; `None` where none leads.
pub fn step_cost(board: &Board, mover: &Figure, from: Square, to: Square) -> Option<u16> {
    let by = |a: u8, b: u8| i8::try_from(i16::from(b) - i16::from(a)).ok();
    let direction = (by(from.column, to.column)?, by(from.row, to.row)?);
    if !DIRECTIONS.contains(&direction) {
        return None;
    }
    let ground = Ground::new(board, mover, Manner::of(mover).reckless());
    ground.step(from, direction).map(|(_, cost)| cost)
}

/// Whether terrain and walls let a figure stand where it is, whoever else stands there.
pub fn may_end_alone(map: &Map, figure: &Figure) -> bool {
    let space = figure.space();
    let fits = |square: Square| !map.is_shut(square) && map.terrain(square) != Terrain::Pit;
    map.contains_space(space) && space.squares().all(fits) && is_whole(map, space)
}

/// Whether no wall parts squares of a space.
fn is_whole(map: &Map, space: Space) -> bool {
    space.squares().all(|square| {
        let (east, south) = (
            Square::new(square.column + 1, square.row),
            Square::new(square.column, square.row + 1),
        );
        let parted =
            space.contains(east) && map.is_east_shut(square) || space.contains(south) && map.is_south_shut(square);
        !parted
    })
}

/// Whether a figure may end its move on a square.
pub fn may_end(board: &Board, mover: &Figure, at: Square) -> bool {
    let space = mover.space_at(at);
    board.map().contains_space(space) && Ground::new(board, mover, Manner::of(mover)).can_end(space)
}

fn shifted(square: Square, (east, south): Direction) -> Option<Square> {
    Some(Square::new(
        square.column.checked_add_signed(east)?,
        square.row.checked_add_signed(south)?,
    ))
}

impl<'b> Ways<'b> {
    /// The ways of a figure from a square, as far as a budget lets it go.
    pub fn from(board: &'b Board, mover: &Figure, at: Square, manner: Manner, budget: u16) -> Ways<'b> {
        Ways::search(board, mover, &[at], manner, budget, false)
    }

    /// The ways of a figure from everywhere to any of these squares: costs of getting there.
    pub fn to(board: &'b Board, mover: &Figure, ends: &[Square], manner: Manner) -> Ways<'b> {
        Ways::search(board, mover, ends, manner, u16::MAX, true)
    }

    fn search(
        board: &'b Board,
        mover: &Figure,
        starts: &[Square],
        manner: Manner,
        budget: u16,
        backwards: bool,
    ) -> Ways<'b> {
        let ground = Ground::new(board, mover, manner);
        let map = board.map();
        let count = usize::from(map.width()) * usize::from(map.height());
        let mut costs = vec![NONE; count];
        let mut before = vec![None; count];
        // Fewest steps among equal costs, then the order of the squares: the same way every time.
        let mut next = BinaryHeap::new();
        for &at in starts {
            costs[map.index(at)] = 0;
            next.push(Reverse((0_u16, 0_u16, at)));
        }
        let mut steps = vec![NONE; count];
        for &at in starts {
            steps[map.index(at)] = 0;
        }
        while let Some(Reverse((cost, walked, at))) = next.pop() {
            if (cost, walked) != (costs[map.index(at)], steps[map.index(at)]) {
                continue;
            }
            if !backwards && ground.ends_move(at) {
                continue;
            }
            for direction in DIRECTIONS {
                let found = if backwards {
                    // The step that leads from there to here.
                    shifted(at, (-direction.0, -direction.1))
                        .filter(|&from| {
                            map.contains_space(mover.space_at(from)) && ground.can_pass(mover.space_at(from))
                        })
                        .filter(|&from| !ground.ends_move(from))
                        .and_then(|from| ground.step(from, direction).map(|(_, by)| (from, by)))
                } else {
                    ground.step(at, direction)
                };
                let Some((to, by)) = found else { continue };
                // The square that is entered: backwards that is the one the search comes from.
                if ground.is_guarded(if backwards { at } else { to }) {
                    continue;
                }
                let better = (cost.saturating_add(by), walked + 1);
                let index = map.index(to);
                if better.0 <= budget && better < (costs[index], steps[index]) {
                    (costs[index], steps[index]) = better;
                    before[index] = Some(at);
                    next.push(Reverse((better.0, better.1, to)));
                }
            }
        }
        let can_end = map.squares().map(|at| {
            let space = mover.space_at(at);
            map.contains_space(space) && ground.can_end(space)
        });
        Ways {
            map,
            costs,
            before,
            can_end: can_end.collect(),
        }
    }

    /// The least cost of a square; `None` where no way leads.
    pub fn cost(&self, at: Square) -> Option<u16> {
        let cost = self.costs[self.map.index(at)];
        (cost != NONE).then_some(cost)
    }

    /// Squares where the figure may end within a budget, with their costs, row by row.
    pub fn ends(&self, budget: u16) -> impl Iterator<Item = (Square, u16)> + '_ {
        self.map.squares().filter_map(move |at| {
            let index = self.map.index(at);
            let cost = self.costs[index];
            (cost <= budget && cost != NONE && self.can_end[index]).then_some((at, cost))
        })
    }

    /// Whether the figure may end there.
    pub fn may_end(&self, at: Square) -> bool {
        self.can_end[self.map.index(at)]
    }

    /// The squares of the way to a square, the first step first; empty where it begins.
    pub fn way(&self, to: Square) -> Vec<Square> {
        let mut way = Vec::new();
        let mut at = to;
        while let Some(before) = self.before[self.map.index(at)] {
            way.push(at);
            at = before;
        }
        way.reverse();
        way
    }

    /// The squares of the way from a square to where a backwards search ends.
    pub fn way_from(&self, from: Square) -> Vec<Square> {
        let mut way = Vec::new();
        let mut at = from;
        while let Some(next) = self.before[self.map.index(at)] {
            way.push(next);
            at = next;
        }
        way
    }
}
