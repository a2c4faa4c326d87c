//! Executing a maneuver: where a ship ends, what it meets, what stops it (SA-7).

pub mod consequences;
pub mod observed;
mod tallon;

use std::cell::{LazyCell, OnceCell};

use serde::{Deserialize, Serialize};

use super::{
    ObjectId,
    base::{self, Footprint},
    edition::{Contact, ObstacleMet},
    maneuver::{Bearing, Maneuver},
    obstacle::Obstacle,
    ship::Ship,
    size::Size,
    table::{PlayArea, Table},
    template::Path,
};
use crate::geometry::{
    CONTACT_MM, Frame, OVERLAP_MM, Point, Pose, Rectangle, angle,
    polygon::{self, Boxed},
};

/// Going back, the search looks this often where it cannot tell how far the next change is, mm: for a clear place, and
/// for ships that it has not been on yet. What is open, or overlapped, for less of the way is not found.
const STEP_MM: f64 = 0.05;
const MEETING_STEP_MM: f64 = 0.25;
/// How exactly the first clear position is found, mm.
const CONTACT_PRECISION_MM: f64 = 1e-7;

/// Where the side hashmark of a Tallon roll is set against the template's end. Means nothing for other bearings.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Alignment {
    /// 10 mm forward along the heading before the maneuver.
    Forward,
    /// On the middle of the template.
    #[default]
    Middle,
    /// 10 mm back along the heading before the maneuver.
    Back,
    /// So far forward along the heading before the maneuver, mm: where any slide is allowed (FE-4.6).
    Slide(f64),
}

impl Alignment {
    /// The three places of the second edition, the middle first.
    pub const ALL: [Alignment; 3] = [Alignment::Middle, Alignment::Forward, Alignment::Back];

    /// The shift along the heading before the maneuver, mm.
    pub const fn shift_mm(self) -> f64 {
        match self {
            Alignment::Forward => 10.0,
            Alignment::Middle => 0.0,
            Alignment::Back => -10.0,
            Alignment::Slide(mm) => mm,
        }
    }

    /// The alignment of a shift along the heading before the maneuver, mm.
    pub fn of_shift(mm: f64) -> Self {
        let place = Alignment::ALL.into_iter().find(|place| place.shift_mm() == mm);
        place.unwrap_or(Alignment::Slide(mm))
    }
}

/// What happens to a ship that would end off the play area.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum EdgePolicy {
    /// It is where it is, and has fled: ships of players.
    Flee,
    /// It backs up until its base does not cross the edge: solo ships (SA-7).
    #[default]
    Stop,
}

/// How maneuvers are executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct MovementOptions {
    /// Whether guides count for overlap (SA-0, FE-0.2: by default they do not).
    pub guides: bool,
    /// What the edge of the play area does.
    pub edge: EdgePolicy,
}

/// A maneuver as it was executed. The turn that SA-7 makes at the edge is not in it. Ids are in id order where nothing
/// else is said.
#[derive(Debug, Clone, PartialEq)]
pub struct Execution {
    /// What was executed.
    pub maneuver: Maneuver,
    /// Where the ship ends.
    pub pose: Pose,
    /// Whether it was fully executed.
    pub full: bool,
    /// The alignment of a fully executed Tallon roll: where it was set down, which is not where it was meant to be if ships
    /// lie there and it may slide (FE-4.6).
    pub alignment: Option<Alignment>,
    /// How far the rear hashmark travelled, mm (the front one in a reverse maneuver): at most base plus template.
    pub travelled_mm: f64,
    /// Ships it was on, at the end of the template or while it backed up; in the first edition only those of them that it
    /// ends in contact with (FE-4.5).
    pub overlapped: Vec<ObjectId>,
    /// Of those, the ships it ends in contact with.
    pub bumped: Vec<ObjectId>,
    /// Whether its base crosses the edge (it has fled), or would have and it was stopped, by the policy.
    pub edge: bool,
    /// Obstacles under the template, between where it started and where it ends, in the order along the template.
    pub crossed: Vec<ObjectId>,
    /// Obstacles under its base at the end.
    pub overlapped_obstacles: Vec<ObjectId>,
    /// Obstacles under its base at the start.
    pub started_on: Vec<ObjectId>,
    /// Obstacles whose effect it suffers: crossed or overlapped, but one it started on only if the base ends on it (SA-7), or
    /// only if it is met again (FE-4.8). Those crossed come first, in the order along the template.
    pub suffered: Vec<ObjectId>,
}

/// Executes a maneuver of a ship on the table, from its pose there (SA-7, FE-4.4).
///
/// It slides along the template to its end; from there it backs up to the first place where it is on no other ship and, by
/// the policy, not over the edge (SA-7, FE-4.5, FE-4.9). Ships it passes on the way are nothing to it. Obstacles never stop it.
pub fn execute(
    table: &Table,
    ship: &Ship,
    maneuver: Maneuver,
    alignment: Alignment,
    options: &MovementOptions,
) -> Execution {
    Departure::new(table, ship, options).execute(maneuver, alignment)
}

/// A ship about to move, with what lies around it laid out once for all the maneuvers that are tried from there.
#[derive(Debug, Clone)]
pub struct Departure<'t> {
    table: &'t Table,
    ship: &'t Ship,
    options: MovementOptions,
    frame: Frame,
    others: Vec<Neighbour<'t>>,
    started_on: Vec<ObjectId>,
}

/// Another ship in play.
#[derive(Debug, Clone)]
struct Neighbour<'t> {
    ship: &'t Ship,
    /// Worked out for those that a template comes near.
    footprint: OnceCell<Footprint>,
    /// How far the mover must at least travel along a template to come near it, mm.
    beyond: f64,
}

impl Neighbour<'_> {
    fn footprint(&self, guides: bool) -> &Footprint {
        let Neighbour { ship, footprint, .. } = self;
        footprint.get_or_init(|| Footprint::new(ship.size, ship.pose, guides))
    }
}

impl<'t> Departure<'t> {
    /// A ship on the table that moves from its pose there.
    pub fn new(table: &'t Table, ship: &'t Ship, options: &MovementOptions) -> Self {
        let reach = |other: &Ship| {
            // Guides and the Tallon roll's shift reach out by less than 20 mm.
            base::circumradius(ship.size) + base::circumradius(other.size) + ship.size.length_mm() + 20.0
        };
        let others = (table.ships_in_play())
            .filter(|other| other.id != ship.id)
            .map(|other| Neighbour {
                ship: other,
                footprint: OnceCell::new(),
                beyond: other.pose.position.distance(ship.pose.position) - reach(other),
            })
            .collect();
        let mut departure = Departure {
            table,
            ship,
            options: *options,
            frame: ship.pose.frame(),
            others,
            started_on: Vec::new(),
        };
        departure.started_on = departure.obstacles_under(&base::base(ship.size, ship.pose));
        departure
    }

    /// Executes a maneuver, as [`execute`].
    pub fn execute(&self, maneuver: Maneuver, alignment: Alignment) -> Execution {
        let Departure {
            table, ship, options, ..
        } = *self;
        let start = ship.pose;
        let started_on = self.started_on.clone();
        let Some(path) = Path::of(ship.size, maneuver) else {
            // A stationary maneuver is always fully executed, overlaps no ship, and meets again what it stands on.
            return Execution {
                maneuver,
                pose: start,
                full: true,
                alignment: None,
                travelled_mm: 0.0,
                overlapped: Vec::new(),
                bumped: Vec::new(),
                edge: options.edge == EdgePolicy::Flee
                    && edge_depth(&table.area, &base::base(ship.size, start)) > OVERLAP_MM,
                crossed: Vec::new(),
                overlapped_obstacles: started_on.clone(),
                suffered: suffered(table, ship, &[], &started_on, &started_on),
                started_on,
            };
        };
        let is_tallon = matches!(maneuver.bearing, Bearing::TallonRoll(_));
        let alignment = if is_tallon {
            self.aligned(&path, maneuver.bearing, alignment)
        } else {
            alignment
        };
        let full_pose = self.on_table(full_pose(&path, maneuver.bearing, alignment));
        let mut search = BackingUp::new(self, &path);
        let mut pose = full_pose;
        let mut full = true;
        let mut travelled_mm = path.length();
        let mut edge = false;
        // SA-7: ships first.
        if search.depth_on_ships(full_pose) > OVERLAP_MM {
            full = false;
            travelled_mm = search.back_up(travelled_mm, false);
            pose = search.pose_at(travelled_mm);
        }
        let mut final_base = base::base(ship.size, pose);
        if edge_depth(&table.area, &final_base) > OVERLAP_MM {
            edge = true;
            // SA-7: still outside, so the edge rule applies, and it backs up further for ships.
            if options.edge == EdgePolicy::Stop {
                full = false;
                travelled_mm = search.back_up(travelled_mm, true);
                pose = search.pose_at(travelled_mm);
                final_base = base::base(ship.size, pose);
            }
        }
        let bumped = search.bumped_ids(pose);
        let overlapped = match table.rules.contact {
            Contact::RangeZero => search.met_ids(),
            Contact::Touching | Contact::AnyContact => bumped.clone(),
        };

        let overlapped_obstacles = self.obstacles_under(&final_base);
        let crossed = self.obstacles_crossed(&path, travelled_mm);
        let suffered = suffered(table, ship, &crossed, &overlapped_obstacles, &started_on);
        Execution {
            maneuver,
            pose,
            full,
            alignment: (full && is_tallon).then_some(alignment),
            travelled_mm,
            overlapped,
            bumped,
            edge,
            crossed,
            overlapped_obstacles,
            started_on,
            suffered,
        }
    }

    /// A pose of the ship's frame on the table.
    fn on_table(&self, local: Pose) -> Pose {
        Pose {
            position: self.frame.to_table(local.position),
            heading: angle::normalize(self.ship.pose.heading + local.heading),
        }
    }

    /// Obstacles that an area lies on, in the table's order.
    fn obstacles_under(&self, base: &Rectangle) -> Vec<ObjectId> {
        let corners = base.corners();
        let base = Boxed::new(&corners);
        let obstacles = self.table.obstacles.iter();
        obstacles
            .filter(|obstacle| polygon::intersect(&base, &obstacle.outline))
            .map(|obstacle| obstacle.id.clone())
            .collect()
    }

    /// Obstacles that the template lies on as far as the ship has come, in the order along the template.
    fn obstacles_crossed(&self, path: &Path, travelled: f64) -> Vec<ObjectId> {
        let Some(laid) = path.laid(&self.frame, travelled) else {
            return Vec::new();
        };
        let obstacles = self.table.obstacles.iter();
        let mut crossed: Vec<&Obstacle> = obstacles.filter(|obstacle| laid.meets(&obstacle.outline)).collect();
        if crossed.len() > 1 {
            let contact = |obstacle: &&Obstacle| path.first_contact(&self.frame, travelled, &obstacle.outline);
            crossed.sort_by(|a, b| contact(a).total_cmp(&contact(b)).then_with(|| a.id.cmp(&b.id)));
        }
        crossed.into_iter().map(|obstacle| obstacle.id.clone()).collect()
    }
}

/// All ends that a maneuver may come to: for a Tallon roll each alignment that completes, or if none does the one partial
/// execution (SA-5, FE-SOLO-7); for every other maneuver its only end.
pub fn executions(table: &Table, ship: &Ship, maneuver: Maneuver, options: &MovementOptions) -> Vec<Execution> {
    if !matches!(maneuver.bearing, Bearing::TallonRoll(_)) {
        return vec![execute(table, ship, maneuver, Alignment::Middle, options)];
    }
    let departure = Departure::new(table, ship, options);
    let alignments = departure.alignments(maneuver).into_iter();
    let mut all: Vec<Execution> = alignments
        .map(|alignment| departure.execute(maneuver, alignment))
        .collect();
    if all.iter().any(|execution| execution.full) {
        all.retain(|execution| execution.full);
    } else {
        all.truncate(1);
    }
    all
}

/// Where a maneuver ends on the table if nothing is in its way, from this pose.
pub fn full_end(size: Size, start: Pose, maneuver: Maneuver, alignment: Alignment) -> Pose {
    match Path::of(size, maneuver) {
        Some(path) => start.compose(full_pose(&path, maneuver.bearing, alignment)),
        None => start,
    }
}

/// The pose at the end of a fully executed maneuver, in the ship's frame before it.
fn full_pose(path: &Path, bearing: Bearing, alignment: Alignment) -> Pose {
    let end = path.end();
    let (x, y) = (end.position.x, end.position.y);
    match bearing {
        Bearing::Koiogran | Bearing::SegnorsLoop(_) => Pose::new(x, y, end.heading + 180.0),
        Bearing::TallonRoll(_) => Pose::new(x, y + alignment.shift_mm(), 180.0),
        _ => end,
    }
}

/// What is crossed or overlapped counts, but an obstacle that the ship starts on only if the base ends on it (SA-7), or only
/// if it is met again (FE-4.8); by the rulebook of 2012 only what is overlapped (FE-14.6). What a card lets the ship ignore
/// does not count.
fn suffered(
    table: &Table,
    ship: &Ship,
    crossed: &[ObjectId],
    overlapped: &[ObjectId],
    started_on: &[ObjectId],
) -> Vec<ObjectId> {
    let on_the_way = crossed.iter().filter(|id| {
        overlapped.contains(id)
            || match table.rules.obstacle_met {
                ObstacleMet::Second => !started_on.contains(id),
                // The template begins before the base: what it lies on is met again.
                ObstacleMet::First => true,
                ObstacleMet::Rulebook2012 => false,
            }
    });
    let at_the_end = overlapped.iter().filter(|id| !crossed.contains(id));
    let ignored = |id: &&ObjectId| {
        let kind = consequences::obstacle_kind(table, id);
        kind.is_some_and(|kind| ship.ignored_obstacles.contains(&kind) || !consequences::has_effect(&table.rules, kind))
    };
    on_the_way
        .chain(at_the_end)
        .filter(|id| !ignored(id))
        .cloned()
        .collect()
}

/// How far a base reaches over the edge of the play area, mm; zero or negative inside.
pub(super) fn edge_depth(area: &PlayArea, base: &Rectangle) -> f64 {
    let depth = |corner: Point| {
        (-corner.x)
            .max(-corner.y)
            .max(corner.x - area.width)
            .max(corner.y - area.height)
    };
    base.corners().into_iter().map(depth).fold(f64::NEG_INFINITY, f64::max)
}

/// The search backwards along a path for the first place where a ship may stand.
struct BackingUp<'a, 't> {
    departure: &'a Departure<'t>,
    path: &'a Path,
    /// The ships that the path comes near.
    others: Vec<Near<'a, 't>>,
}

/// A ship that a path comes near.
struct Near<'a, 't> {
    neighbour: &'a Neighbour<'t>,
    /// Whether the mover was on it.
    met: bool,
    /// How deep the mover lay in it when it was last looked at, mm.
    depth: f64,
    /// Whether it is too far away to matter for now.
    aside: bool,
}

impl<'a, 't> BackingUp<'a, 't> {
    fn new(departure: &'a Departure<'t>, path: &'a Path) -> Self {
        let near = |other: &&Neighbour<'_>| other.beyond <= path.length();
        let others = departure
            .others
            .iter()
            .filter(near)
            .map(|neighbour| Near {
                neighbour,
                met: false,
                depth: f64::NEG_INFINITY,
                aside: false,
            })
            .collect();
        Self {
            departure,
            path,
            others,
        }
    }

    fn pose_at(&self, travelled: f64) -> Pose {
        self.departure.on_table(self.path.pose_at(travelled))
    }

    fn footprint(&self, pose: Pose) -> Footprint {
        Footprint::new(self.departure.ship.size, pose, self.departure.options.guides)
    }

    /// How deep the ship would lie in others, mm; remembers which it would be on.
    fn depth_on_ships(&mut self, pose: Pose) -> f64 {
        self.depth_and_gap(&pose.frame()).0
    }

    /// How deep the ship would lie in others, and how near the nearest is that it has not been on yet, mm.
    fn depth_and_gap(&mut self, frame: &Frame) -> (f64, f64) {
        let mut deepest = f64::NEG_INFINITY;
        let mut gap = f64::INFINITY;
        if self.others.is_empty() {
            return (deepest, gap);
        }
        let guides = self.departure.options.guides;
        let footprint = Footprint::in_frame(self.departure.ship.size, frame, guides);
        for near in self.others.iter_mut().filter(|near| !near.aside) {
            let depth = footprint.penetration(near.neighbour.footprint(guides));
            near.depth = depth;
            near.met |= depth > OVERLAP_MM;
            deepest = deepest.max(depth);
            if !near.met {
                gap = gap.min(-depth);
            }
        }
        (deepest, gap)
    }

    /// How deep the ship would lie in others or over the edge, and how far it can go back before anything changes, mm.
    fn look(&mut self, travelled: f64, mind_edge: bool) -> (f64, f64) {
        let Departure { table, ship, .. } = self.departure;
        let frame = self.departure.frame.compose(&self.path.frame_at(travelled));
        let (mut depth, gap) = self.depth_and_gap(&frame);
        if mind_edge {
            let base = Rectangle::in_frame(&frame, ship.size.base_mm(), ship.size.length_mm());
            depth = depth.max(edge_depth(&table.area, &base));
        }
        // As long as no point of the base has moved by the depth, it cannot be clear; by the gap, it meets no new ship.
        let fastest = self.path.fastest_point();
        let until_clear = (depth / fastest).max(STEP_MM);
        let until_met = (gap / fastest).max(MEETING_STEP_MM);
        (depth, until_clear.min(until_met))
    }

    /// The first place, going back from `from`, where the ship is clear; at the latest where it started.
    fn back_up(&mut self, from: f64, mind_edge: bool) -> f64 {
        let mut blocked = from;
        let (mut depth, mut step) = self.look(blocked, mind_edge);
        let mut clear = blocked;
        let mut depth_at_blocked = depth;
        while depth > OVERLAP_MM {
            if clear <= 0.0 {
                return 0.0;
            }
            (blocked, depth_at_blocked) = (clear, depth);
            clear = (blocked - step).max(0.0);
            (depth, step) = self.look(clear, mind_edge);
        }
        // Whoever is farther away than any point of the base moves between here and there has no part in the rest.
        let moved = self.path.fastest_point() * (blocked - clear);
        for near in &mut self.others {
            near.aside = near.depth < -moved;
        }
        let (mut over, mut under) = (depth_at_blocked - OVERLAP_MM, depth - OVERLAP_MM);
        for turn in 1_u32.. {
            let gap = blocked - clear;
            if gap <= CONTACT_PRECISION_MM {
                break;
            }
            // The depth hardly bends on so short a way, so a straight line through both ends tells where it is used up; a
            // step short of the end that is kept, so that both ends close in. Where it bends after all, halves go on.
            let straight = gap * (under / (under - over));
            let ahead = match straight.is_finite() && turn % 3 != 0 {
                true => straight.clamp(CONTACT_PRECISION_MM / 2.0, gap - CONTACT_PRECISION_MM / 2.0),
                false => gap / 2.0,
            };
            let here = clear + ahead;
            let depth = self.look(here, mind_edge).0 - OVERLAP_MM;
            if depth <= 0.0 {
                (clear, under) = (here, depth);
            } else {
                (blocked, over) = (here, depth);
            }
        }
        for near in &mut self.others {
            near.aside = false;
        }
        clear
    }

    fn met(&self) -> impl Iterator<Item = &'a Neighbour<'t>> {
        self.others.iter().filter(|near| near.met).map(|near| near.neighbour)
    }

    fn met_ids(&self) -> Vec<ObjectId> {
        self.met().map(|other| other.ship.id.clone()).collect()
    }

    /// The ships it was on that it touches at the end.
    fn bumped_ids(&self, pose: Pose) -> Vec<ObjectId> {
        let footprint = LazyCell::new(|| self.footprint(pose));
        let guides = self.departure.options.guides;
        self.met()
            .filter(|other| footprint.penetration(other.footprint(guides)) >= -CONTACT_MM)
            .map(|other| other.ship.id.clone())
            .collect()
    }
}
