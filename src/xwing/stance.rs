//! A ship where it stands, or would stand, laid out once for many measurements.

use super::{
    arc::Arc,
    base,
    edition::Contact,
    measure::{self, Corners},
    ship::Ship,
    touching,
};
use crate::geometry::{CONTACT_MM, Frame, Point, Pose, Rectangle};

/// A ship at a pose, its own or another, with its frame and its base worked out. What is asked of many pairs of ships is
/// asked of these.
#[derive(Debug, Clone, Copy)]
pub struct Stance<'s> {
    /// The ship. Its pose is not asked for.
    pub ship: &'s Ship,
    /// Where it stands.
    pub pose: Pose,
    frame: Frame,
    base: Rectangle,
    /// Radius of the circle around the base, mm.
    radius: f64,
}

impl<'s> Stance<'s> {
    /// A ship where it is.
    pub fn of(ship: &'s Ship) -> Self {
        Self::at(ship, ship.pose)
    }

    /// A ship as if it were there.
    pub fn at(ship: &'s Ship, pose: Pose) -> Self {
        let frame = pose.frame();
        Stance {
            ship,
            pose,
            frame,
            base: Rectangle::in_frame(&frame, ship.size.base_mm(), ship.size.length_mm()),
            radius: base::circumradius(ship.size),
        }
    }

    /// Whether the two bases are farther apart than that, mm, by as much as circles around them tell.
    pub fn is_surely_beyond(&self, other: &Stance<'_>, mm: f64) -> bool {
        let offset = self.pose.position - other.pose.position;
        let reach = mm + self.radius + other.radius;
        offset.dot(offset) > reach * reach
    }

    /// Distance between two ships, mm; 0 when the table reported that they bumped (SA-0).
    pub fn distance(&self, other: &Stance<'_>) -> f64 {
        match self.has_bumped(other) {
            true => 0.0,
            false => self.apart(other),
        }
    }

    /// Distance between the two bases as they stand, mm.
    pub(super) fn apart(&self, other: &Stance<'_>) -> f64 {
        self.base.distance(&other.base)
    }

    /// Whether the table reported that the two ships bumped (SA-0).
    pub(super) fn has_bumped(&self, other: &Stance<'_>) -> bool {
        self.ship.bumped.contains(&other.ship.id) || other.ship.bumped.contains(&self.ship.id)
    }

    /// Whether two ships cannot attack each other because of how their bases meet (FE-4.7, FE-14.5). Never in the second
    /// edition, where that is a matter of range. What a table reported as a bump counts as an overlap.
    pub fn touches(&self, other: &Stance<'_>, contact: Contact) -> bool {
        match contact {
            Contact::RangeZero => false,
            Contact::Touching => self.has_bumped(other) || touching::are_touching(self.ship, other.ship),
            Contact::AnyContact => self.has_bumped(other) || self.apart(other) <= CONTACT_MM,
        }
    }

    /// Whether any part of another ship lies in an arc, at any range (SA-3.1, FE-0.4).
    pub fn has_in_arc(&self, arc: Arc, other: &Stance<'_>) -> bool {
        let corners = || self.corners_of(other);
        measure::is_seen_in_arc(self.ship.print(), arc, Some(self.circle_around(other)), corners)
    }

    /// Distance to the part of another ship that lies in an arc, mm; `None` when no part does (SA-9, FE-8.4). `whole` is asked for
    /// the distance between the bases ([`Stance::apart`]) where all of it does.
    pub(super) fn distance_in_arc(&self, arc: Arc, other: &Stance<'_>, whole: impl FnOnce() -> f64) -> Option<f64> {
        let corners = || self.corners_of(other);
        measure::distance_seen_in_arc(self.ship.print(), arc, Some(self.circle_around(other)), corners, whole)
    }

    /// The circle around another base in the own frame.
    fn circle_around(&self, other: &Stance<'_>) -> (Point, f64) {
        (self.frame.to_local(other.pose.position), other.radius)
    }

    /// The corners of another base in the own frame.
    fn corners_of(&self, other: &Stance<'_>) -> Corners<'static> {
        Corners::Base(other.base.corners().map(|corner| self.frame.to_local(corner)))
    }
}
