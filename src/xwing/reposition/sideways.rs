//! Moves to a side: barrel roll and decloak, in three places or at any slide (FE-6.1, FE-6.3).

use super::{Block, Reposition, blocked};
use crate::{
    geometry::{
        Bounds, OVERLAP_MM, Point, Pose, Rectangle,
        polygon::{self, Area, Boxed},
    },
    xwing::{
        base::{self, Footprint},
        edition::{BarrelRoll, Rules, WhenDecloaking},
        maneuver::Side,
        movement::{MovementOptions, edge_depth},
        obstacle::Obstacle,
        ship::Ship,
        size::Size,
        slide::Slides,
        table::Table,
    },
};

/// A move to a side by a straight template.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Sidestep {
    /// A barrel roll, by the straight of speed 1.
    BarrelRoll,
    /// A decloak: by the straight of speed 2, or on bases that are not small by that of speed 1, by the rules.
    Decloak,
}

/// How a base of a size moves to a side.
#[derive(Debug, Clone, Copy)]
pub(super) struct Way {
    /// Side of the base, mm.
    base: f64,
    /// Extent of the template away from the ship, mm.
    out: f64,
    /// Extent of the template along the ship, mm.
    along: f64,
    /// How far forward or back of the middle the template lies at most, mm.
    template_reach: f64,
    /// How far forward or back of the middle the ship ends at most, mm.
    reach: f64,
}

impl Way {
    pub(super) fn new(rules: &Rules, size: Size, step: Sidestep) -> Self {
        let small = size == Size::Small;
        // The narrow end lies against a small base, the long side against the others.
        let length = match (step, rules.decloaking) {
            (Sidestep::Decloak, WhenDecloaking::StartOfActivation) => 80.0,
            (Sidestep::Decloak, WhenDecloaking::SystemPhase) if small => 80.0,
            (Sidestep::Decloak | Sidestep::BarrelRoll, _) => 40.0,
        };
        let (out, along) = if small { (length, 20.0) } else { (20.0, length) };
        let base = size.base_mm();
        // FE-6.1: template and base stay in contact along the whole of the shorter one.
        let play = ((base - along) / 2.0).max(0.0);
        let (template_reach, reach) = match rules.barrel_roll {
            BarrelRoll::AnySlide => (play, 2.0 * play),
            BarrelRoll::ThreePlaces if small => (0.0, 10.0),
            BarrelRoll::ThreePlaces => (0.0, 20.0),
        };
        Self {
            base,
            out,
            along,
            template_reach,
            reach,
        }
    }

    /// How far forward or back of the middle the ship ends at most, mm.
    pub(super) fn reach(&self) -> f64 {
        self.reach
    }

    /// Where the ship ends, in its frame before the move.
    fn end(&self, side: Side, slide_mm: f64) -> Pose {
        Pose::new(side.sign() * (self.base + self.out), slide_mm, 0.0)
    }

    /// The template so far forward of the middle of the base.
    fn template(&self, ship: &Ship, side: Side, offset_mm: f64) -> Rectangle {
        let middle = Point::new(side.sign() * (self.base + self.out) / 2.0, offset_mm);
        Rectangle {
            centre: ship.pose.to_table(middle),
            forward: ship.pose.forward(),
            half_width: self.out / 2.0,
            half_length: self.along / 2.0,
        }
    }
}

/// The three end positions of a barrel roll along the heading, forward positive, mm; the middle first.
pub const fn slides(size: Size) -> [f64; 3] {
    match size {
        Size::Small => [0.0, 10.0, -10.0],
        Size::Medium | Size::Large | Size::Huge | Size::ShuttleToken => [0.0, 20.0, -20.0],
    }
}

/// Whether the rules know such an end position of a move to a side.
pub fn knows_slide(rules: &Rules, size: Size, step: Sidestep, slide_mm: f64) -> bool {
    match rules.barrel_roll {
        BarrelRoll::ThreePlaces => slides(size).contains(&slide_mm),
        BarrelRoll::AnySlide => slide_mm.abs() <= Way::new(rules, size, step).reach() + OVERLAP_MM,
    }
}

/// The end positions of a move to a side that are worth naming, mm along the heading, the middle first: the three that there
/// are; or of any slide the middle, half of the way and all of it, each replaced by the nearest that fits (FE-SOLO-7).
/// Where none fits, all of them.
pub fn places(table: &Table, ship: &Ship, step: Sidestep, side: Side, options: &MovementOptions) -> Vec<f64> {
    places_over(
        table,
        ship,
        step,
        side,
        options,
        ship.standing.repositions_over_obstacles,
    )
}

/// As [`places`], for a move that obstacles do not stop: they are suffered (FE-7.3).
pub fn places_over_obstacles(
    table: &Table,
    ship: &Ship,
    step: Sidestep,
    side: Side,
    options: &MovementOptions,
) -> Vec<f64> {
    places_over(table, ship, step, side, options, true)
}

fn places_over(
    table: &Table,
    ship: &Ship,
    step: Sidestep,
    side: Side,
    options: &MovementOptions,
    over_obstacles: bool,
) -> Vec<f64> {
    if table.rules.barrel_roll == BarrelRoll::ThreePlaces {
        return slides(ship.size).to_vec();
    }
    let way = Way::new(&table.rules, ship.size, step);
    let (half, full) = (way.reach / 2.0, way.reach);
    let named = if full > 0.0 {
        vec![0.0, half, -half, full, -full]
    } else {
        vec![0.0]
    };
    let fitting = Ground::new(table, ship, side, way, options, over_obstacles).slides();
    match fitting.is_empty() {
        true => named,
        false => fitting.nearest_to_each(named),
    }
}

/// The slides at which a move to a side is legal, mm along the heading, forward positive (FE-6.1). If there is any on the
/// side that was declared, the move must be made there. Of three places those that are free.
pub fn legal_slides(table: &Table, ship: &Ship, step: Sidestep, side: Side, options: &MovementOptions) -> Slides {
    let way = Way::new(&table.rules, ship.size, step);
    match table.rules.barrel_roll {
        BarrelRoll::AnySlide => Ground::new(
            table,
            ship,
            side,
            way,
            options,
            ship.standing.repositions_over_obstacles,
        )
        .slides(),
        BarrelRoll::ThreePlaces => {
            let reach = way.reach;
            let free = |slide_mm: f64| sideways(table, ship, way, side, slide_mm, options).blocked.is_none();
            Slides::of_points([-reach, 0.0, reach].into_iter().filter(|&slide_mm| free(slide_mm)))
        }
    }
}

/// A move to a side that ends `slide_mm` forward of the middle.
pub(super) fn sideways(
    table: &Table,
    ship: &Ship,
    way: Way,
    side: Side,
    slide_mm: f64,
    options: &MovementOptions,
) -> Reposition {
    match table.rules.barrel_roll {
        BarrelRoll::ThreePlaces => {
            let corners = way.template(ship, side, 0.0).corners();
            let template = Boxed::new(&corners);
            let pose = ship.pose.compose(way.end(side, slide_mm));
            blocked(
                table,
                ship,
                pose,
                |outline| polygon::intersect(&template, outline),
                options,
            )
        }
        BarrelRoll::AnySlide => {
            let over = ship.standing.repositions_over_obstacles;
            Ground::new(table, ship, side, way, options, over).at(slide_mm)
        }
    }
}

/// What lies where a ship may come by a move to a side, laid out once for all slides.
struct Ground<'t> {
    table: &'t Table,
    ship: &'t Ship,
    side: Side,
    way: Way,
    guides: bool,
    /// The ships that it may come to lie on.
    ships: Vec<(&'t Ship, Footprint)>,
    /// The obstacles that it or its template may come to lie on.
    obstacles: Vec<&'t Obstacle>,
    over_obstacles: bool,
}

impl<'t> Ground<'t> {
    fn new(
        table: &'t Table,
        ship: &'t Ship,
        side: Side,
        way: Way,
        options: &MovementOptions,
        over_obstacles: bool,
    ) -> Self {
        let middle = ship.pose.compose(way.end(side, 0.0)).position;
        // Guides reach out by less than 2 mm.
        let near = way.reach + base::circumradius(ship.size) + 5.0;
        let ships = table
            .ships_in_play()
            .filter(|other| other.id != ship.id)
            .filter(|other| other.pose.position.distance(middle) <= near + base::circumradius(other.size))
            .map(|other| (other, Footprint::new(other.size, other.pose, options.guides)))
            .collect();
        // From the ship's own middle to the far corner of where it may end.
        let far = Point::new(1.0, 1.0) * (way.base + way.out + near);
        let here = ship.pose.position;
        let around = Bounds::of(&[here - far, here + far]);
        let obstacles = (table.obstacles.iter())
            .filter(|obstacle| !ship.ignored_obstacles.contains(&obstacle.kind))
            .filter(|obstacle| !around.is_apart_from(&obstacle.outline.bounds()))
            .collect();
        Self {
            table,
            ship,
            side,
            way,
            guides: options.guides,
            ships,
            obstacles,
            over_obstacles,
        }
    }

    /// The slides at which the move is legal.
    fn slides(&self) -> Slides {
        let fits = |slide_mm: f64| {
            let pose = self.end(slide_mm);
            let free_of_obstacles = || self.over_obstacles || !self.lies_on_any(&base::base(self.ship.size, pose));
            !self.is_outside(pose) && self.ship_under(pose).is_none() && free_of_obstacles()
        };
        if self.ships.is_empty() && self.obstacles.is_empty() && self.is_well_inside() {
            return Slides::between(-self.way.reach, self.way.reach);
        }
        let ends = Slides::search(self.way.reach, fits);
        let play = self.way.template_reach;
        if self.over_obstacles || self.obstacles.is_empty() || ends.is_empty() {
            return ends;
        }
        // The ship slides on from wherever the template may lie.
        let offsets = Slides::search(play, |offset| !self.lies_on_any(&self.template(offset)));
        ends.common(&offsets.widened(play))
    }

    /// The move that ends at a slide, with the template where it meets the fewest obstacles; of such places the nearest to
    /// half of the slide.
    fn at(&self, slide_mm: f64) -> Reposition {
        let pose = self.end(slide_mm);
        let ship = self.ship_under(pose);
        let base = base::base(self.ship.size, pose);
        let mut under: Vec<&Obstacle> = Vec::new();
        if !self.obstacles.is_empty() {
            let template = self.best_template(slide_mm);
            let met = |obstacle: &&Obstacle| lies_on(&base, obstacle) || lies_on(&template, obstacle);
            under.extend(self.obstacles.iter().copied().filter(met));
        }
        let crossed: Vec<_> = under.into_iter().map(|obstacle| obstacle.id.clone()).collect();
        let first = crossed.first().filter(|_| !self.over_obstacles);
        let blocked = ship
            .map(|ship| Block::Ship(ship.id.clone()))
            .or_else(|| first.cloned().map(Block::Obstacle))
            .or_else(|| self.is_outside(pose).then_some(Block::Edge));
        Reposition { pose, blocked, crossed }
    }

    fn best_template(&self, slide_mm: f64) -> Rectangle {
        let play = self.way.template_reach;
        let (least, most) = ((slide_mm - play).max(-play), (slide_mm + play).min(play));
        let (least, most) = (least.min(most), most.max(least));
        let middle = (least + most) / 2.0;
        let count = |offset: f64| {
            let template = self.template(offset);
            self.obstacles
                .iter()
                .filter(|obstacle| lies_on(&template, obstacle))
                .count()
        };
        let fewest = count(middle);
        if fewest == 0 || play == 0.0 {
            return self.template(middle);
        }
        for allowed in 0..fewest {
            // The ends of what is searched are sums of the ends of what was found: the same but for rounding.
            let within = Slides::between(least - OVERLAP_MM, most + OVERLAP_MM);
            let found = Slides::search(play, |offset| count(offset) <= allowed).common(&within);
            if let Some(offset) = found.nearest(middle) {
                return self.template(offset);
            }
        }
        self.template(middle)
    }

    fn end(&self, slide_mm: f64) -> Pose {
        self.ship.pose.compose(self.way.end(self.side, slide_mm))
    }

    fn template(&self, offset_mm: f64) -> Rectangle {
        self.way.template(self.ship, self.side, offset_mm)
    }

    fn is_outside(&self, pose: Pose) -> bool {
        edge_depth(&self.table.area, &base::base(self.ship.size, pose)) > OVERLAP_MM
    }

    /// Whether no end can be over the edge: neither of the outermost is, and the play area is convex.
    fn is_well_inside(&self) -> bool {
        let reach = self.way.reach;
        [-reach, reach]
            .iter()
            .all(|&slide_mm| !self.is_outside(self.end(slide_mm)))
    }

    fn ship_under(&self, pose: Pose) -> Option<&'t Ship> {
        let footprint = Footprint::new(self.ship.size, pose, self.guides);
        let mut ships = self.ships.iter();
        let found = ships.find(|(_, other)| footprint.penetration(other) > OVERLAP_MM);
        found.map(|(other, _)| *other)
    }

    fn lies_on_any(&self, area: &Rectangle) -> bool {
        self.obstacles.iter().any(|obstacle| lies_on(area, obstacle))
    }
}

/// Whether a base or a template lies on an obstacle. Where they only touch it does not.
fn lies_on(area: &Rectangle, obstacle: &Obstacle) -> bool {
    let inner = Rectangle {
        half_width: area.half_width - OVERLAP_MM,
        half_length: area.half_length - OVERLAP_MM,
        ..*area
    };
    let corners = inner.corners();
    polygon::intersect(&Boxed::new(&corners), &obstacle.outline)
}
