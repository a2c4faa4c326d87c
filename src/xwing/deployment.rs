//! A table that is set up one thing after the other: obstacles in turn, the edges, the ships in ascending pilot skill (FE-2.2 to
//! FE-2.4), and for Political Escort the shuttle last (PE-3). Who chooses, and why, is not its concern.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{
    ObjectId,
    escort::setup::placing_skill,
    obstacle::Obstacle,
    obstacle_outlines::{ObstacleOutline, ObstacleOutlines},
    placing::{self, Misplaced, OBSTACLES},
    scenario::Edge,
    ship::{Ship, Status},
    table::{PlayArea, Table},
};
use crate::geometry::Pose;

/// The edges that a side may pick: players sit opposite each other at these (choice).
pub const EDGES: [Edge; 2] = [Edge::South, Edge::North];

/// How far places are apart that are tried near one that is refused, mm, and how far from it the last ones are, in such steps.
const STEP_MM: f64 = 5.0;
const STEPS: i32 = 80;
/// Places and turns that are tried before it is said that an obstacle has no room, mm and degrees.
const COARSE_MM: f64 = 20.0;
const TURNS: [f64; 4] = [0.0, 45.0, 90.0, 135.0];

/// A place as it is written down: mm, and degrees clockwise from north.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct At {
    /// From the west edge, mm.
    pub x: f64,
    /// From the south edge, mm.
    pub y: f64,
    /// Degrees clockwise from north.
    pub heading: f64,
}

impl From<Pose> for At {
    fn from(pose: Pose) -> At {
        At {
            x: pose.position.x,
            y: pose.position.y,
            heading: pose.heading,
        }
    }
}

impl From<At> for Pose {
    fn from(at: At) -> Pose {
        Pose::new(at.x, at.y, at.heading)
    }
}

/// One thing that is done in a set-up.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Placement {
    /// An obstacle is laid.
    Obstacle {
        /// The id of its outline.
        piece: String,
        /// Its centre and its turn.
        at: At,
    },
    /// No obstacle is laid, because none has room any more.
    NoObstacle,
    /// A side picks its edge.
    Edge {
        /// The edge.
        edge: Edge,
        /// Where along it the shuttle is meant to start, mm, if its side has made up its mind (PE-A8).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        along: Option<f64>,
    },
    /// A ship is placed.
    Ship {
        /// Its id.
        ship: ObjectId,
        /// Where.
        at: At,
    },
}

/// What is to be done next, and by which side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Turn {
    /// An obstacle is to be laid (FE-2.2).
    Obstacle {
        /// Whose turn it is.
        side: usize,
        /// Which one it is, from 1.
        number: usize,
    },
    /// An edge is to be picked (FE-2.3, PE-3).
    Edge {
        /// Who picks.
        side: usize,
    },
    /// A ship is to be placed (FE-2.4).
    Ship {
        /// Whose.
        side: usize,
        /// Those of the lowest skill, in the order of their ids: their owner picks one.
        ships: Vec<ObjectId>,
    },
}

impl Turn {
    /// Whose turn it is.
    pub const fn side(&self) -> usize {
        match self {
            Turn::Obstacle { side, .. } | Turn::Edge { side } | Turn::Ship { side, .. } => *side,
        }
    }
}

/// Why something may not be placed so. Nothing has changed then.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum BadPlacement {
    /// Something else is to be placed now.
    #[error("{0}")]
    NotNow(String),
    /// An obstacle that there is not, or not in this edition.
    #[error("there is no obstacle `{piece}` in this game: the obstacles are {known}")]
    UnknownPiece {
        /// What was named.
        piece: String,
        /// The ids that there are, in short, as [`Deployment::piece_names`] tells them.
        known: String,
    },
    /// An obstacle has room.
    #[error("an obstacle has room yet: lay it (FE-2.2)")]
    HasRoom,
    /// Numbers that are none.
    #[error("a place is two numbers in mm and a turn in degrees")]
    NoPlace,
    /// The place is not allowed.
    #[error("{}{}", wrong.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "), near.map_or_else(String::new, |at| format!(". A place near it that is allowed is {:.1},{:.1} @{:.0}", at.x, at.y, at.heading)))]
    Misplaced {
        /// All that is wrong, with distances.
        wrong: Vec<Misplaced>,
        /// A place near it, turned the same, that is allowed.
        near: Option<At>,
    },
}

/// The shuttle of Political Escort in a set-up (PE-3).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// The side that has it.
    pub defender: usize,
    /// Its id.
    pub shuttle: ObjectId,
}

/// Who does what in a set-up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// The names of the sides.
    pub sides: [String; 2],
    /// Which has initiative, by its place.
    pub initiative: usize,
    /// Which lays the first obstacle (FE-2.2).
    pub obstacles_first: usize,
    /// Which picks its edge (FE-2.3, PE-3).
    pub picks_edge: usize,
    /// The shuttle, in Political Escort.
    pub run: Option<Run>,
}

/// A table that is being set up.
#[derive(Debug, Clone, PartialEq)]
pub struct Deployment {
    order: Order,
    /// Ships that are not placed yet are in reserve.
    table: Table,
    pieces: Vec<ObstacleOutline>,
    guides: bool,
    /// Obstacles that were laid, or had no room.
    laid: usize,
    /// The edge of the side that picks, once it has.
    edge: Option<Edge>,
    /// Where along the defender's edge its shuttle is meant to start, mm.
    along: Option<f64>,
    waiting: Vec<ObjectId>,
}

impl Deployment {
    /// A table with nothing on it. `table` has the ships wherever, and obstacles that are taken off it; with `guides` guides count
    /// for overlap.
    pub fn new(mut table: Table, order: Order, outlines: &ObstacleOutlines, guides: bool) -> Deployment {
        table.obstacles.clear();
        for ship in &mut table.ships {
            ship.status = Status::Reserved;
        }
        let pieces = outlines.all().iter();
        Deployment {
            order,
            pieces: (pieces.filter(|outline| placing::may_be_brought(&table.rules, outline.kind)))
                .cloned()
                .collect(),
            guides,
            laid: 0,
            edge: None,
            along: None,
            waiting: table.ships.iter().map(|ship| ship.id.clone()).collect(),
            table,
        }
    }

    /// The table as it is so far.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Who does what.
    pub fn order(&self) -> &Order {
        &self.order
    }

    /// The obstacles that may be brought.
    pub fn pieces(&self) -> &[ObstacleOutline] {
        &self.pieces
    }

    /// The ids of the obstacles that may be brought, in short: `coreasteroid0-5`.
    pub fn piece_names(&self) -> String {
        let mut sets: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for piece in &self.pieces {
            let set = piece.id.trim_end_matches(|letter: char| letter.is_ascii_digit());
            sets.entry(set).or_default().push(&piece.id[set.len()..]);
        }
        let sets = sets.into_iter().map(|(set, numbers)| match numbers.as_slice() {
            [] => set.to_owned(),
            [first, .., last] if is_run(&numbers) => format!("{set}{first}-{last}"),
            numbers => {
                let ids: Vec<String> = numbers.iter().map(|number| format!("{set}{number}")).collect();
                ids.join(", ")
            }
        });
        sets.collect::<Vec<_>>().join(", ")
    }

    /// A side's edge, once it is known.
    pub fn edge_of(&self, side: usize) -> Option<Edge> {
        let picked = self.edge?;
        Some(if side == self.order.picks_edge {
            picked
        } else {
            picked.opposite()
        })
    }

    /// Where along the defender's edge the shuttle is meant to start, mm, if its side has said.
    pub fn along(&self) -> Option<f64> {
        self.along
    }

    /// Ships of a side, placed or not, in the order of their ids, with the skill by which they are placed (PE-3).
    pub fn ships_of(&self, side: usize) -> impl Iterator<Item = (&Ship, u8)> {
        let ships = self.table.ships.iter();
        ships
            .filter(move |ship| ship.side == self.order.sides[side])
            .map(|ship| (ship, self.skill(ship)))
    }

    fn skill(&self, ship: &Ship) -> u8 {
        placing_skill(ship.initiative, self.is_shuttle(&ship.id))
    }

    /// Whether it is the shuttle.
    pub fn is_shuttle(&self, ship: &str) -> bool {
        self.order.run.as_ref().is_some_and(|run| *run.shuttle == *ship)
    }

    fn side_of(&self, ship: &Ship) -> usize {
        usize::from(ship.side != self.order.sides[0])
    }

    /// What is to be done next; `None` when the table is set up.
    pub fn turn(&self) -> Option<Turn> {
        if self.laid < OBSTACLES {
            let first = self.order.obstacles_first;
            return Some(Turn::Obstacle {
                side: if self.laid.is_multiple_of(2) { first } else { 1 - first },
                number: self.laid + 1,
            });
        }
        if self.edge.is_none() {
            return Some(Turn::Edge {
                side: self.order.picks_edge,
            });
        }
        let mut waiting: Vec<&Ship> = self.waiting.iter().filter_map(|id| self.table.ship(id)).collect();
        placing::in_placing_order(
            &mut waiting,
            |ship| self.skill(ship),
            |ship| self.side_of(ship) == self.order.initiative,
        );
        let first = *waiting.first()?;
        let of_first = |ship: &&&Ship| ship.side == first.side && self.skill(ship) == self.skill(first);
        let ships = waiting.iter().take_while(of_first).map(|ship| ship.id.clone());
        Some(Turn::Ship {
            side: self.side_of(first),
            ships: ships.collect(),
        })
    }

    /// The piece of that id as it would lie there.
    fn piece(&self, id: &str, at: At) -> Option<Obstacle> {
        let outline = self.pieces.iter().find(|outline| outline.id.eq_ignore_ascii_case(id))?;
        Some(outline.placed(format!("O{}", self.laid + 1).into(), at.into()))
    }

    /// All that is wrong with where something is placed.
    fn wrong(&self, placement: &Placement) -> Vec<Misplaced> {
        match placement {
            Placement::Obstacle { piece, at } => self.piece(piece, *at).map_or_else(Vec::new, |piece| {
                placing::check_obstacle(&self.table.rules, self.table.area, &piece, &self.table.obstacles)
            }),
            Placement::Ship { ship, at } => match self.table.ship(ship) {
                Some(ship) => self.wrong_ship(ship, *at),
                None => Vec::new(),
            },
            Placement::NoObstacle | Placement::Edge { .. } => Vec::new(),
        }
    }

    fn wrong_ship(&self, ship: &Ship, at: At) -> Vec<Misplaced> {
        let Some(edge) = self.edge_of(self.side_of(ship)) else {
            return Vec::new();
        };
        let there = Ship {
            pose: at.into(),
            ..ship.clone()
        };
        placing::check_ship(&self.table, &there, edge, self.guides)
    }

    /// Whether something may be placed so now.
    ///
    /// # Errors
    /// Why not, with distances and the remedy.
    pub fn check(&self, placement: &Placement) -> Result<(), BadPlacement> {
        let turn = self
            .turn()
            .ok_or_else(|| BadPlacement::NotNow("all is set up".to_owned()))?;
        match (&turn, placement) {
            (Turn::Obstacle { .. }, Placement::Obstacle { piece, at }) => {
                if !is_place(*at) {
                    return Err(BadPlacement::NoPlace);
                }
                if self.piece(piece, *at).is_none() {
                    return Err(BadPlacement::UnknownPiece {
                        piece: piece.clone(),
                        known: self.piece_names(),
                    });
                }
            }
            (Turn::Obstacle { .. }, Placement::NoObstacle) => {
                return match self.room() {
                    Some(_) => Err(BadPlacement::HasRoom),
                    None => Ok(()),
                };
            }
            (Turn::Edge { .. }, Placement::Edge { edge, .. }) if EDGES.contains(edge) => return Ok(()),
            (Turn::Ship { ships, .. }, Placement::Ship { ship, at }) if ships.contains(ship) => {
                if !is_place(*at) {
                    return Err(BadPlacement::NoPlace);
                }
            }
            (Turn::Obstacle { number, .. }, _) => {
                return Err(BadPlacement::NotNow(format!("obstacle {number} is laid now (FE-2.2)")));
            }
            (Turn::Edge { .. }, _) => {
                return Err(BadPlacement::NotNow(format!(
                    "the edge is picked now: {} or {}",
                    EDGES[0].word(),
                    EDGES[1].word()
                )));
            }
            (Turn::Ship { ships, .. }, _) => {
                return Err(BadPlacement::NotNow(format!(
                    "ships are placed in ascending skill (FE-2.4): now {}",
                    ships.join(" or ")
                )));
            }
        }
        match self.wrong(placement) {
            wrong if wrong.is_empty() || self.is_crowded(placement, &wrong) => Ok(()),
            wrong => Err(BadPlacement::Misplaced { wrong, near: None }),
        }
    }

    /// **Choice** Where a ship has no room left in its band, it may stand wherever its base is inside the play area: the text does
    /// not know that case, and the game must be able to begin.
    fn is_crowded(&self, placement: &Placement, wrong: &[Misplaced]) -> bool {
        let Placement::Ship { ship, .. } = placement else {
            return false;
        };
        let off = wrong.iter().any(|wrong| matches!(wrong, Misplaced::OffTheArea { .. }));
        !off && self.room_for(ship).is_none()
    }

    /// Does it.
    ///
    /// # Errors
    /// Why it may not be done, with distances, and a place near it that is allowed. Nothing has changed then.
    pub fn place(&mut self, placement: &Placement) -> Result<(), BadPlacement> {
        self.check(placement).map_err(|bad| match bad {
            BadPlacement::Misplaced { wrong, .. } => BadPlacement::Misplaced {
                wrong,
                near: self.near(placement),
            },
            bad => bad,
        })?;
        match placement {
            Placement::Obstacle { piece, at } => {
                if let Some(piece) = self.piece(piece, *at) {
                    self.table.obstacles.push(piece);
                }
                self.laid += 1;
            }
            Placement::NoObstacle => self.laid += 1,
            Placement::Edge { edge, along } => {
                self.edge = Some(*edge);
                self.along = *along;
            }
            Placement::Ship { ship, at } => {
                self.waiting.retain(|waiting| waiting != ship);
                if let Some(ship) = self.table.ships.iter_mut().find(|other| other.id == *ship) {
                    ship.pose = (*at).into();
                    ship.status = Status::InPlay;
                }
            }
        }
        Ok(())
    }

    /// A place near one that is not allowed, turned the same, that is.
    pub fn near(&self, placement: &Placement) -> Option<At> {
        let at = match placement {
            Placement::Obstacle { at, .. } | Placement::Ship { at, .. } => *at,
            Placement::NoObstacle | Placement::Edge { .. } => return None,
        };
        let moved = |at: At| match placement.clone() {
            Placement::Obstacle { piece, .. } => Placement::Obstacle { piece, at },
            Placement::Ship { ship, .. } => Placement::Ship { ship, at },
            other => other,
        };
        // What is too deep for the band has to stand on the edge line exactly.
        let on_line = match placement {
            Placement::Ship { ship, .. } => self.table.ship(ship).and_then(|ship| {
                let edge = self.edge_of(self.side_of(ship))?;
                Some(At::from(placing::on_the_line(
                    self.table.area,
                    ship.size,
                    at.into(),
                    edge,
                )))
            }),
            _ => None,
        };
        let around = |middle: At| Self::around(middle, &|at| self.wrong(&moved(at)).is_empty());
        around(at).or_else(|| around(on_line?))
    }

    /// A place around one, or itself, that is allowed.
    fn around(at: At, allowed: &dyn Fn(At) -> bool) -> Option<At> {
        // Squares around it, of growing size; of one square the nearest place.
        let mut squares = (0..=STEPS).map(|steps| {
            let along = -steps..=steps;
            let sides = along.flat_map(|step| [(step, -steps), (step, steps), (-steps, step), (steps, step)]);
            let places = sides.map(|(dx, dy)| {
                let off = f64::from(dx * dx + dy * dy);
                let (x, y) = (at.x + f64::from(dx) * STEP_MM, at.y + f64::from(dy) * STEP_MM);
                (off, At { x, y, ..at })
            });
            let allowed = places.filter(|(_, at)| allowed(*at));
            allowed.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, at)| at)
        });
        squares.find_map(|at| at)
    }

    /// Some place where an obstacle may lie; `None` when none was found.
    pub fn room(&self) -> Option<Placement> {
        let area = self.table.area;
        let along = |length: f64| (1..(length / COARSE_MM) as u32).map(|step| f64::from(step) * COARSE_MM);
        let places = along(area.width).flat_map(|x| along(area.height).map(move |y| (x, y)));
        let mut all = places.flat_map(|(x, y)| {
            let turned = TURNS.into_iter().map(move |heading| At { x, y, heading });
            turned.flat_map(|at| {
                let pieces = self.pieces.iter();
                pieces.map(move |piece| Placement::Obstacle {
                    piece: piece.id.clone(),
                    at,
                })
            })
        });
        all.find(|placement| self.wrong(placement).is_empty())
    }

    /// A place for a ship along its edge, facing straight across, the first from the left; `None` when it has no room.
    pub fn room_for(&self, ship: &str) -> Option<At> {
        let ship = self.table.ship(ship)?;
        let edge = self.edge_of(self.side_of(ship))?;
        let area = self.table.area;
        let steps = (placing::length(area, edge) / STEP_MM) as u32;
        let places = (0..=steps).map(|step| {
            let depth = ship.size.length_mm() / 2.0;
            At::from(placing::across(area, edge, f64::from(step) * STEP_MM, depth))
        });
        places.into_iter().find(|at| self.wrong_ship(ship, *at).is_empty())
    }

    /// The play area.
    pub fn area(&self) -> PlayArea {
        self.table.area
    }
}

/// Whether these are whole numbers, each the next one after that before it.
fn is_run(numbers: &[&str]) -> bool {
    let number = |text: &str| text.parse::<u32>().ok();
    numbers.windows(2).all(|pair| match (number(pair[0]), number(pair[1])) {
        (Some(before), Some(after)) => after == before.saturating_add(1),
        _ => false,
    })
}

/// Whether these are numbers that a place can have.
fn is_place(at: At) -> bool {
    const FARTHEST: f64 = 1e6;
    [at.x, at.y, at.heading]
        .iter()
        .all(|number| number.is_finite() && number.abs() <= FARTHEST)
}
