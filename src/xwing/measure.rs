//! What a range ruler tells: distances, ranges, arcs.

use super::{
    ObjectId,
    arc::{LINE_SLACK_MM, Piece, Pieces},
    base,
    obstacle::Obstacle,
    print::Print,
    ship::{ArcDirection, Ship},
    size::Size,
    table::{Marker, Table},
    weapon::WeaponArc,
};
use crate::geometry::{
    Bounds, CONTACT_MM, Frame, Outline, Point, Pose, half_plane,
    polygon::{self, Area},
};

pub use super::arc::Arc;
pub use super::obstruction::{obstructed, obstructing};
pub use super::stance::Stance;

/// Anything that a distance is measured to (SA-0): a ship, an obstacle or a point.
#[derive(Debug, Clone, Copy)]
pub enum Object<'t> {
    /// A ship; it is its base.
    Ship(&'t Ship),
    /// An obstacle; it is its outline.
    Obstacle(&'t Obstacle),
    /// A point; it has no base.
    Marker(&'t Marker),
}

/// The corners of an object, without an allocation for a ship.
#[derive(Debug, Clone)]
pub(super) enum Corners<'t> {
    Base([Point; 4]),
    Outline(&'t [Point]),
    Own(Vec<Point>),
}

impl std::ops::Deref for Corners<'_> {
    type Target = [Point];

    fn deref(&self) -> &[Point] {
        match self {
            Corners::Base(corners) => corners,
            Corners::Outline(corners) => corners,
            Corners::Own(corners) => corners,
        }
    }
}

impl<'t> Object<'t> {
    /// The object of that id: a ship (in play or not), an obstacle or a point.
    pub fn find(table: &'t Table, id: &str) -> Option<Self> {
        let obstacle = || table.obstacles.iter().find(|obstacle| &*obstacle.id == id);
        let marker = || table.markers.iter().find(|marker| &*marker.id == id);
        table
            .ship(id)
            .map(Object::Ship)
            .or_else(|| obstacle().map(Object::Obstacle))
            .or_else(|| marker().map(Object::Marker))
    }

    /// Its id.
    pub fn id(&self) -> &'t ObjectId {
        match self {
            Object::Ship(ship) => &ship.id,
            Object::Obstacle(obstacle) => &obstacle.id,
            Object::Marker(marker) => &marker.id,
        }
    }

    /// What it covers.
    pub fn outline(&self) -> Outline {
        match self {
            Object::Ship(ship) => Outline::Convex(base::base(ship.size, ship.pose).corners().to_vec()),
            Object::Obstacle(obstacle) => Outline::Simple(obstacle.outline.to_vec()),
            Object::Marker(marker) => Outline::Point(marker.position),
        }
    }

    /// Its centre: of the base, of an obstacle's area (SA-5), or the point itself.
    pub fn centre(&self) -> Point {
        match self {
            Object::Ship(ship) => ship.pose.position,
            Object::Obstacle(obstacle) => polygon::centroid(&obstacle.outline),
            Object::Marker(marker) => marker.position,
        }
    }

    /// Its corners on the table.
    pub(super) fn corners(&self) -> Corners<'t> {
        match self {
            Object::Ship(ship) => Corners::Base(base::base(ship.size, ship.pose).corners()),
            Object::Obstacle(obstacle) => Corners::Outline(&obstacle.outline),
            Object::Marker(marker) => Corners::Outline(std::slice::from_ref(&marker.position)),
        }
    }

    /// The box around it.
    pub(super) fn bounds(&self) -> Bounds {
        match self {
            Object::Obstacle(obstacle) => obstacle.outline.bounds(),
            others => Bounds::of(&others.corners()),
        }
    }

    /// Its corners in a ship's frame.
    pub(super) fn corners_seen_from(&self, frame: &Frame) -> Corners<'t> {
        match self.corners() {
            Corners::Base(corners) => Corners::Base(corners.map(|corner| frame.to_local(corner))),
            others => Corners::Own(others.iter().map(|&corner| frame.to_local(corner)).collect()),
        }
    }

    /// A circle around it in a ship's frame, for a cheap first answer; none where it would not be cheap.
    fn circle_seen_from(&self, frame: &Frame) -> Option<(Point, f64)> {
        match self {
            Object::Ship(ship) => {
                let radius = base::circumradius(ship.size);
                Some((frame.to_local(ship.pose.position), radius))
            }
            Object::Obstacle(_) | Object::Marker(_) => None,
        }
    }
}

/// Distance from the base of a ship of that size at that pose to an object, mm; 0 when they meet (SA-0).
///
/// For two ships on the table see [`ship_distance`], which also honours a bump that the table reported.
pub fn distance(size: Size, pose: Pose, object: &Object) -> f64 {
    let base = base::base(size, pose);
    match object {
        Object::Ship(ship) => base.distance(&base::base(ship.size, ship.pose)),
        Object::Obstacle(obstacle) => polygon::distance(&base.corners(), &obstacle.outline),
        Object::Marker(marker) => polygon::distance(&base.corners(), &[marker.position]),
    }
}

/// Distance between two ships, mm; 0 when the table reported that they bumped (SA-0).
pub fn ship_distance(a: &Ship, b: &Ship) -> f64 {
    Stance::of(a).distance(&Stance::of(b))
}

/// The range band of a distance (SA-0): 0 is contact, n up to 100n mm inclusive; `None` beyond range 3. What contact is by
/// the rules of a table: [`Rules::range`](super::edition::Rules::range).
pub fn range(mm: f64) -> Option<u32> {
    if mm <= CONTACT_MM {
        return Some(0);
    }
    range_up_to(3, mm)
}

/// The range band of a distance, of so many bands of 100 mm; `None` beyond them (SA-0, FE-0.3).
pub(super) fn range_up_to(farthest: u32, mm: f64) -> Option<u32> {
    // A distance that is 100 but for rounding is range 1.
    const SLACK_MM: f64 = 1e-6;
    (1..=farthest).find(|&band| mm <= 100.0 * f64::from(band) + SLACK_MM)
}

/// Whether any part of an object lies in an arc of a base at that pose, at any range (SA-3.1, FE-0.4).
pub fn in_arc(print: Print, pose: Pose, arc: Arc, object: &Object) -> bool {
    let frame = pose.frame();
    let corners = || object.corners_seen_from(&frame);
    is_seen_in_arc(print, arc, object.circle_seen_from(&frame), corners)
}

/// As [`in_arc`], for an area given by a circle around it and its corners, seen from the ship.
pub(super) fn is_seen_in_arc<'c>(
    print: Print,
    arc: Arc,
    circle: Option<(Point, f64)>,
    corners: impl FnOnce() -> Corners<'c>,
) -> bool {
    let (size, pieces) = (print.size, arc.pieces_outside_base(print));
    match first_answer(pieces, size, circle) {
        FirstAnswer::Outside => return false,
        FirstAnswer::Inside => return true,
        FirstAnswer::Unknown => {}
    }
    let corners = corners();
    if is_under_base(size, &corners) {
        return is_seen_from_centre(print, arc, &corners);
    }
    pieces.iter().any(|piece| meets_piece(piece, &corners))
}

/// Distance from a base at that pose to the part of an object that lies in an arc, mm; `None` when no part does. This is
/// what attack range is measured by (SA-9, FE-8.4).
pub fn distance_in_arc(print: Print, pose: Pose, arc: Arc, object: &Object) -> Option<f64> {
    let frame = pose.frame();
    let corners = || object.corners_seen_from(&frame);
    let whole = || distance(print.size, pose, object);
    distance_seen_in_arc(print, arc, object.circle_seen_from(&frame), corners, whole)
}

/// As [`distance_in_arc`], for an area given by a circle around it and its corners, seen from the ship; `whole` measures
/// the distance to all of it.
pub(super) fn distance_seen_in_arc<'c>(
    print: Print,
    arc: Arc,
    circle: Option<(Point, f64)>,
    corners: impl FnOnce() -> Corners<'c>,
    whole: impl FnOnce() -> f64,
) -> Option<f64> {
    let (size, pieces) = (print.size, arc.pieces_outside_base(print));
    match first_answer(pieces, size, circle) {
        FirstAnswer::Outside => return None,
        FirstAnswer::Inside => return Some(whole()),
        FirstAnswer::Unknown => {}
    }
    let corners = corners();
    if is_under_base(size, &corners) {
        return is_seen_from_centre(print, arc, &corners).then_some(0.0);
    }
    let base = Base::of(size);
    let mut least = f64::INFINITY;
    for piece in pieces.iter() {
        parts_in_piece(piece, &corners, |a, b| {
            least = least.min(base.distance_squared_to_segment(a, b));
        });
    }
    least.is_finite().then(|| least.sqrt())
}

/// Whether an area wholly under the base lies in an arc.
fn is_seen_from_centre(print: Print, arc: Arc, corners: &[Point]) -> bool {
    let pieces = arc.pieces_from_centre(print);
    pieces.iter().any(|piece| meets_piece(piece, corners))
}

/// What the circle around an object tells about it and an arc.
enum FirstAnswer {
    /// No part of the object is in the arc.
    Outside,
    /// All of it is.
    Inside,
    /// Its outline must be looked at.
    Unknown,
}

fn first_answer(pieces: &Pieces, size: Size, circle: Option<(Point, f64)>) -> FirstAnswer {
    let Some((centre, radius)) = circle else {
        return FirstAnswer::Unknown;
    };
    let base = Base::of(size);
    if base.nearest(centre).distance(centre) <= radius {
        // It may lie under the base.
        return FirstAnswer::Unknown;
    }
    let mut outside = true;
    for piece in pieces.iter() {
        let excess = piece
            .planes()
            .iter()
            .map(|plane| plane.excess(centre))
            .fold(f64::NEG_INFINITY, f64::max);
        if excess < -radius {
            return FirstAnswer::Inside;
        }
        outside &= excess > radius + LINE_SLACK_MM;
    }
    if outside {
        FirstAnswer::Outside
    } else {
        FirstAnswer::Unknown
    }
}

/// The arcs a weapon fires in, given where the ship's turret indicator points. A double turret also fires opposite the
/// direction that is named. Without any indicator a turret is taken to point ahead (a double one astern, too).
pub fn weapon_arcs(arc: WeaponArc, turret: &[ArcDirection]) -> impl Iterator<Item = Arc> + use<> {
    let pointed = |direction: ArcDirection| turret.contains(&direction);
    let mut arcs = [None; 4];
    match arc {
        WeaponArc::Front => arcs[0] = Some(Arc::Front),
        WeaponArc::Rear => arcs[0] = Some(Arc::Rear),
        WeaponArc::Left => arcs[0] = Some(Arc::Left),
        WeaponArc::Right => arcs[0] = Some(Arc::Right),
        WeaponArc::FullFront => arcs[0] = Some(Arc::FullFront),
        WeaponArc::FullRear => arcs[0] = Some(Arc::FullRear),
        WeaponArc::Bullseye => arcs[0] = Some(Arc::Bullseye),
        WeaponArc::AllRound => arcs[0] = Some(Arc::AllRound),
        WeaponArc::SingleTurret | WeaponArc::DoubleTurret => {
            use ArcDirection::{Front, Left, Rear, Right};
            let double = arc == WeaponArc::DoubleTurret;
            for (arc, (direction, opposite)) in
                arcs.iter_mut()
                    .zip([(Front, Rear), (Rear, Front), (Left, Right), (Right, Left)])
            {
                let ahead = turret.is_empty() && (direction == Front || (double && direction == Rear));
                if ahead || pointed(direction) || (double && pointed(opposite)) {
                    *arc = Some(direction.arc());
                }
            }
        }
    }
    arcs.into_iter().flatten()
}

/// Whether all of an object, seen from the ship, lies under the ship's base.
pub(super) fn is_under_base(size: Size, corners: &[Point]) -> bool {
    let base = Base::of(size);
    corners.iter().all(|&corner| base.contains(corner))
}

/// Whether an area, seen from the ship, has a part in a piece of an arc. A piece has no end, so an edge must reach it.
fn meets_piece(piece: &Piece, corners: &[Point]) -> bool {
    polygon::edges(corners).any(|(a, b)| half_plane::clip_segment(piece.planes(), a, b, LINE_SLACK_MM).is_some())
}

/// Calls `each` with segments that hold every point of the area in a piece of an arc that can be nearest to the base: the
/// area's border within the piece, and the piece's border within the area.
pub(super) fn parts_in_piece(piece: &Piece, corners: &[Point], mut each: impl FnMut(Point, Point)) {
    let mut met = false;
    for (a, b) in polygon::edges(corners) {
        if let Some((from, to)) = half_plane::clip_segment(piece.planes(), a, b, LINE_SLACK_MM) {
            met = true;
            each(a + (b - a) * from, a + (b - a) * to);
        }
    }
    if !met {
        return;
    }
    let mut crossings: Vec<f64> = Vec::new();
    for (index, border) in piece.planes().iter().enumerate() {
        // Where the border line crosses the area: between its first and second crossing, third and fourth, and so on.
        let along = Point::new(-border.normal.y, border.normal.x);
        let foot = border.normal * border.offset;
        crossings.clear();
        for (a, b) in polygon::edges(corners) {
            let (start, end) = (border.excess(a), border.excess(b));
            if (start > 0.0) != (end > 0.0) {
                let crossing = a + (b - a) * (start / (start - end));
                crossings.push((crossing - foot).dot(along));
            }
        }
        crossings.sort_by(f64::total_cmp);
        for pair in crossings.chunks_exact(2) {
            let (a, b) = (foot + along * pair[0], foot + along * pair[1]);
            let clipped =
                piece
                    .planes()
                    .iter()
                    .enumerate()
                    .try_fold((0.0_f64, 1.0_f64), |(from, to), (other, plane)| {
                        if other == index {
                            return Some((from, to));
                        }
                        let (start, end) = half_plane::clip_segment(std::slice::from_ref(plane), a, b, LINE_SLACK_MM)?;
                        Some((from.max(start), to.min(end))).filter(|(from, to)| from <= to)
                    });
            if let Some((from, to)) = clipped {
                each(a + (b - a) * from, a + (b - a) * to);
            }
        }
    }
}

/// Whether another ship is behind a ship: wholly behind the line of its rear edge.
pub fn is_behind(ship: &Ship, other: &Ship) -> bool {
    let rear = -ship.size.length_mm() / 2.0;
    let corners = base::base(other.size, other.pose).corners();
    corners.iter().all(|corner| ship.pose.to_local(*corner).y < rear)
}

/// A ship's base in its own frame, where its sides run along the axes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Base {
    half_width: f64,
    half_length: f64,
}

impl Base {
    pub(super) fn of(size: Size) -> Self {
        Self {
            half_width: size.base_mm() / 2.0,
            half_length: size.length_mm() / 2.0,
        }
    }

    pub(super) fn contains(&self, point: Point) -> bool {
        point.x.abs() <= self.half_width && point.y.abs() <= self.half_length
    }

    /// The point of the base that is nearest to a point.
    pub(super) fn nearest(&self, point: Point) -> Point {
        Point::new(
            point.x.clamp(-self.half_width, self.half_width),
            point.y.clamp(-self.half_length, self.half_length),
        )
    }

    pub(super) fn corners(&self) -> [Point; 4] {
        let (x, y) = (self.half_width, self.half_length);
        [
            Point::new(-x, y),
            Point::new(-x, -y),
            Point::new(x, -y),
            Point::new(x, y),
        ]
    }

    /// Square of the distance to a segment that lies outside the base or on its border, mm².
    fn distance_squared_to_segment(&self, a: Point, b: Point) -> f64 {
        let squared = |from: Point, to: Point| (from - to).dot(from - to);
        let ends = [a, b].map(|end| squared(end, self.nearest(end)));
        let corners = self
            .corners()
            .map(|corner| squared(corner, polygon::nearest_on_segment(corner, a, b)));
        ends.into_iter().chain(corners).fold(f64::INFINITY, f64::min)
    }
}
