//! Where a figure can move and what it costs (SWM 1.3), with or without attacks of opportunity (1.8).

use super::{
    ability::Effect,
    board::Board,
    figure::Figure,
    map::{DIRECTIONS, Map, Terrain},
    square::{Base, Space, Square},
    survey::{Squares, Survey, columns, shifted},
};

/// The most that a single step costs: a diagonal one into costly squares.
const MOST_STEP_COST: usize = 4;

/// Costs that lie ahead of a search at a time: that of a step, and the one under way.
const MOST_COSTS: usize = MOST_STEP_COST + 1;

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

/// What stands where for a mover.
#[derive(Debug, Clone)]
struct Ground<'b> {
    survey: &'b Survey,
    base: Base,
    manner: Manner,
    /// Squares of enemies in play.
    enemies: Squares,
    /// Squares of all others in play.
    taken: Squares,
    /// Squares from which a step would provoke an attack.
    threatened: Squares,
    /// Squares that a step to would provoke an attack.
    guarded: Option<Squares>,
    /// Squares beside walls, for those who climb them.
    beside_walls: Option<&'b Squares>,
}

impl<'b> Ground<'b> {
    fn new(board: &'b Board, mover: &Figure, manner: Manner) -> Self {
        let (map, survey) = (board.map(), board.survey());
        let none = || Squares::none(map.height());
        let mut ground = Ground {
            survey,
            base: mover.card.size,
            manner,
            enemies: none(),
            taken: none(),
            threatened: none(),
            guarded: None,
            beside_walls: manner.climbs.then(|| survey.beside_walls(map)),
        };
        for other in board
            .figures()
            .iter()
            .filter(|other| other.in_play() && other.id != mover.id)
        {
            let hostile = other.side != mover.side;
            ground.taken.add_space(other.space());
            if !hostile {
                continue;
            }
            ground.enemies.add_space(other.space());
            let strikes = strikes_at_comers(other);
            if manner.ignores_enemies && !strikes {
                continue;
            }
            for square in other.space().squares() {
                for beside in survey.neighbours(square) {
                    ground.threatened.add(beside);
                    if strikes {
                        ground.guarded.get_or_insert_with(none).add(beside);
                    }
                }
            }
        }
        ground
    }

    fn space_at(&self, at: Square) -> Space {
        Space::new(at, self.base)
    }

    fn contains(&self, space: Space) -> bool {
        usize::from(space.at.column) + usize::from(space.base.wide) <= self.survey.width()
            && usize::from(space.at.row) + usize::from(space.base.high) <= self.survey.height()
    }

    fn can_end(&self, space: Space) -> bool {
        let is_floor = |square| !self.survey.is_shut(square) && !self.survey.is_pit(square);
        space.squares().all(is_floor) && is_whole(self.survey, space) && !self.taken.meets(space)
    }

    /// Whether it climbs along a wall there.
    fn climbs_at(&self, space: Space) -> bool {
        self.beside_walls.is_some_and(|beside| beside.meets(space))
    }

    fn passes_enemies(&self, space: Space) -> bool {
        self.manner.ignores_enemies || !self.enemies.meets(space) || self.climbs_at(space)
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
        let passes = |square| !self.survey.is_shut(square) && (over_terrain || !self.survey.is_pit(square));
        part.squares().all(passes) && is_whole(self.survey, part)
    }

    /// Where one step leads, its direction by its place among [`DIRECTIONS`], and what it costs. Some part of its space takes
    /// the step with all its squares; what it leaves out where it squeezes lies over walls and pits only (SWM 1.3).
    fn step(&self, from: Square, direction: usize) -> Option<(Square, u16)> {
        let (east, south) = DIRECTIONS[direction];
        let leads = |square: Square| self.survey.steps(self.survey.index(square)) >> direction & 1 != 0;
        let length = if east != 0 && south != 0 { 2 } else { 1 };
        if self.base == Base::ONE {
            if !leads(from) {
                return None;
            }
            let to = shifted(from, (east, south))?;
            let new = self.space_at(to);
            let over_terrain = self.manner.over_terrain || self.climbs_at(new);
            let free = self.passes_enemies(new) && (over_terrain || !self.survey.is_pit(to));
            let costly = !over_terrain && self.survey.is_costly(to);
            return free.then_some((to, if costly { 2 * length } else { length }));
        }
        let to = shifted(from, (east, south))?;
        let (old, new) = (self.space_at(from), self.space_at(to));
        if !self.contains(new) || !self.passes_enemies(new) {
            return None;
        }
        let over_terrain = self.manner.over_terrain || self.climbs_at(new);
        let free = self.parts(old).zip(self.parts(new)).any(|(left, reached)| {
            self.may_pass(left, true) && self.may_pass(reached, over_terrain) && left.squares().all(leads)
        });
        if !free {
            return None;
        }
        let mut entered = new.squares().filter(|&square| !old.contains(square));
        let costly = !over_terrain && entered.any(|square| self.survey.is_costly(square));
        Some((to, if costly { 2 * length } else { length }))
    }

    /// From where one step leads to a square, and what it costs; not from where a careful figure stays.
    fn step_back(&self, to: Square, direction: usize) -> Option<(Square, u16)> {
        let (east, south) = DIRECTIONS[direction];
        let from = shifted(to, (-east, -south))?;
        let space = self.space_at(from);
        if !self.contains(space) || self.ends_move(from) || !self.can_pass(space) {
            return None;
        }
        self.step(from, direction).map(|(_, by)| (from, by))
    }

    /// Whether it may be there on its way at all.
    fn can_pass(&self, space: Space) -> bool {
        let over_terrain = self.manner.over_terrain || self.climbs_at(space);
        self.passes_enemies(space) && self.parts(space).any(|part| self.may_pass(part, over_terrain))
    }

    /// Whether a careful figure does not go there: somebody may strike at who comes beside him.
    fn is_guarded(&self, at: Square) -> bool {
        let guarded = self.guarded.as_ref().filter(|_| self.manner.careful);
        guarded.is_some_and(|guarded| guarded.meets(self.space_at(at)))
    }

    /// Whether a careful figure stays where it is once it is there.
    fn ends_move(&self, at: Square) -> bool {
        self.manner.careful && self.threatened.meets(self.space_at(at))
    }
}

/// What a single step between two squares costs a figure that does not mind attacks of opportunity; `None` where none leads.
pub fn step_cost(board: &Board, mover: &Figure, from: Square, to: Square) -> Option<u16> {
    let by = |a: u8, b: u8| i8::try_from(i16::from(b) - i16::from(a)).ok();
    let direction = (by(from.column, to.column)?, by(from.row, to.row)?);
    let direction = DIRECTIONS.iter().position(|&other| other == direction)?;
    let ground = Ground::new(board, mover, Manner::of(mover).reckless());
    ground.step(from, direction).map(|(_, cost)| cost)
}

/// Whether terrain and walls let a figure stand where it is, whoever else stands there.
pub fn may_end_alone(map: &Map, figure: &Figure) -> bool {
    let space = figure.space();
    let fits = |square: Square| !map.is_shut(square) && map.terrain(square) != Terrain::Pit;
    let parted = |square: Square| {
        let (east, south) = (
            Square::new(square.column + 1, square.row),
            Square::new(square.column, square.row + 1),
        );
        space.contains(east) && map.is_east_shut(square) || space.contains(south) && map.is_south_shut(square)
    };
    map.contains_space(space) && space.squares().all(fits) && !space.squares().any(parted)
}

/// Whether no wall parts squares of a space.
fn is_whole(survey: &Survey, space: Space) -> bool {
    if space.base == Base::ONE {
        return true;
    }
    let west = i32::from(space.at.column);
    let (last_column, last_row) = (
        west + i32::from(space.base.wide) - 1,
        space.at.row + space.base.high - 1,
    );
    let (inner, all) = (columns(west, last_column - 1), columns(west, last_column));
    (space.at.row..=last_row).all(|row| {
        let walls = survey.rows()[usize::from(row)];
        walls.east & inner == 0 && (row == last_row || walls.south & all == 0)
    })
}

/// Whether a figure may end its move on a square.
pub fn may_end(board: &Board, mover: &Figure, at: Square) -> bool {
    let space = mover.space_at(at);
    board.map().contains_space(space) && Ground::new(board, mover, Manner::of(mover)).can_end(space)
}

/// No way leads there.
const NONE: u32 = u32::MAX;

/// What every square that can be reached costs: the least, and the square before it on the way.
#[derive(Debug, Clone)]
pub struct Ways<'b> {
    ground: Ground<'b>,
    /// For every square of the map its cost, and below that what breaks ties: the squares walked, or for onward ways the rank of the square that they lead over.
    keys: Vec<u32>,
    /// The square before, by its place on the map.
    before: Vec<u16>,
    /// Squares that are reached, row by row.
    reached: Vec<Square>,
}

const fn key(cost: u16, second: u16) -> u32 {
    (cost as u32) << 16 | second as u32
}

/// What a search is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Search {
    /// Ways from the starts; fewest squares among equal costs.
    From,
    /// Ways to them from everywhere, likewise.
    To,
    /// Ways from starts that cost something already; the lowest rank among equal costs.
    Onward,
}

impl<'b> Ways<'b> {
    /// The ways of a figure from a square, as far as a budget lets it go.
    pub fn from(board: &'b Board, mover: &Figure, at: Square, manner: Manner, budget: u16) -> Ways<'b> {
        Ways::search(board, mover, &[(at, 0, 0)], manner, budget, Search::From)
    }

    /// The ways of a figure from everywhere to any of these squares: costs of getting there.
    pub fn to(board: &'b Board, mover: &Figure, ends: &[Square], manner: Manner) -> Ways<'b> {
        let ends: Vec<(Square, u16, u16)> = ends.iter().map(|&end| (end, 0, 0)).collect();
        Ways::search(board, mover, &ends, manner, u16::MAX, Search::To)
    }

    /// The ways of a figure over any of some squares, given with what it costs to come there, the cheapest first, and a rank;
    /// and on from there as from a new start. Among equal costs over the one with the lowest rank: [`Ways::start`] tells it.
    pub fn onward(
        board: &'b Board,
        mover: &Figure,
        over: &[(Square, u16, u16)],
        manner: Manner,
        budget: u16,
    ) -> Ways<'b> {
        Ways::search(board, mover, over, manner, budget, Search::Onward)
    }

    fn search(
        board: &'b Board,
        mover: &Figure,
        starts: &[(Square, u16, u16)],
        manner: Manner,
        budget: u16,
        search: Search,
    ) -> Ways<'b> {
        let ground = Ground::new(board, mover, manner);
        let survey = ground.survey;
        let count = survey.width() * survey.height();
        let mut keys = vec![NONE; count];
        let mut before = vec![u16::MAX; count];
        let mut reached = Vec::new();
        // Squares by cost, as many costs ahead as one step may have: each entry the tie-breaker and the place of the square, so
        // that they are worked off in the same order every time.
        let mut next: [Vec<u32>; MOST_COSTS] = Default::default();
        let mut starts = starts.iter().peekable();
        let (mut cost, mut idle) = (0_u16, 0);
        while idle < next.len() || starts.peek().is_some() {
            let now = usize::from(cost) % next.len();
            while let Some(&(at, _, second)) = starts.next_if(|(_, from, _)| *from <= cost) {
                let index = survey.index(at);
                if key(cost, second) < keys[index] {
                    if keys[index] == NONE {
                        reached.push(at);
                    }
                    (keys[index], before[index]) = (key(cost, second), u16::MAX);
                    next[now].push(u32::from(second) << 16 | index as u32);
                }
            }
            let mut entries = std::mem::take(&mut next[now]);
            idle = if entries.is_empty() { idle + 1 } else { 0 };
            entries.sort_unstable();
            for entry in entries.drain(..) {
                let (second, index) = ((entry >> 16) as u16, (entry & 0xffff) as usize);
                let at = Square::new((index % survey.width()) as u8, (index / survey.width()) as u8);
                if keys[index] != key(cost, second) || (search != Search::To && ground.ends_move(at)) {
                    continue;
                }
                for direction in 0..DIRECTIONS.len() {
                    let found = match search {
                        Search::From | Search::Onward => ground.step(at, direction),
                        // The step that leads from there to here.
                        Search::To => ground.step_back(at, direction),
                    };
                    let Some((to, by)) = found else { continue };
                    // The square that is entered: backwards that is the one the search comes from.
                    if ground.guarded.is_some() && ground.is_guarded(if search == Search::To { at } else { to }) {
                        continue;
                    }
                    let total = cost.saturating_add(by);
                    let better = key(total, if search == Search::Onward { second } else { second + 1 });
                    let place = survey.index(to);
                    if total <= budget && better < keys[place] {
                        if keys[place] == NONE {
                            reached.push(to);
                        }
                        (keys[place], before[place]) = (better, index as u16);
                        next[usize::from(total) % MOST_COSTS].push(better << 16 | place as u32);
                    }
                }
            }
            next[now] = entries;
            cost = cost.saturating_add(1);
        }
        reached.sort_unstable();
        Ways {
            ground,
            keys,
            before,
            reached,
        }
    }

    /// The least cost of a square; `None` where no way leads.
    pub fn cost(&self, at: Square) -> Option<u16> {
        let key = self.keys[self.ground.survey.index(at)];
        (key != NONE).then_some((key >> 16) as u16)
    }

    /// Of ways over several squares the rank of the one that the way leads over.
    pub fn start(&self, at: Square) -> usize {
        (self.keys[self.ground.survey.index(at)] & 0xffff) as usize
    }

    /// Squares where the figure may end within a budget, with their costs, row by row.
    pub fn ends(&self, budget: u16) -> impl Iterator<Item = (Square, u16)> + '_ {
        self.reached.iter().filter_map(move |&at| {
            let cost = self.cost(at)?;
            (cost <= budget && self.may_end(at)).then_some((at, cost))
        })
    }

    /// Whether the figure may end there.
    pub fn may_end(&self, at: Square) -> bool {
        let space = self.ground.space_at(at);
        self.ground.contains(space) && self.ground.can_end(space)
    }

    /// The squares of the way to a square, the first step first; empty where it begins.
    pub fn way(&self, to: Square) -> Vec<Square> {
        let mut way = Vec::new();
        let mut index = self.ground.survey.index(to);
        while self.before[index] != u16::MAX {
            way.push(self.square(index));
            index = usize::from(self.before[index]);
        }
        way.reverse();
        way
    }

    fn square(&self, index: usize) -> Square {
        let width = self.ground.survey.width();
        Square::new((index % width) as u8, (index / width) as u8)
    }
}
