//! Where a Tallon roll is set down at the end of its template (SA-5, FE-4.6).

use super::{Alignment, Departure, full_end, full_pose};
use crate::{
    geometry::{OVERLAP_MM, Pose},
    xwing::{
        base::Footprint,
        edition::Tallon,
        maneuver::{Bearing, Maneuver},
        size::Size,
        slide::Slides,
        template::{HALF_WIDTH_MM, Path},
    },
};

/// How far a base of that size slides at most at the end of the template, mm: the end stays inside the side (FE-4.6).
fn reach(size: Size) -> f64 {
    size.length_mm() / 2.0 - HALF_WIDTH_MM
}

impl Departure<'_> {
    /// The slides of a Tallon roll at which the ship lies on no other, mm along the heading before it (FE-4.6). Nothing for
    /// other bearings.
    pub fn tallon_slides(&self, maneuver: Maneuver) -> Slides {
        match (maneuver.bearing, Path::of(self.ship.size, maneuver)) {
            (Bearing::TallonRoll(_), Some(path)) => self.free_slides(&path, maneuver.bearing),
            _ => Slides::default(),
        }
    }

    /// The alignments of a maneuver that are worth trying, the middle first: the three that there are; or where any slide is
    /// allowed the middle, half of the way and all of it, each replaced by the nearest that is free (FE-SOLO-7). Of
    /// other bearings the middle alone, which means nothing.
    pub fn alignments(&self, maneuver: Maneuver) -> Vec<Alignment> {
        if !matches!(maneuver.bearing, Bearing::TallonRoll(_)) {
            return vec![Alignment::Middle];
        }
        match self.table.rules.tallon {
            Tallon::ThreePlaces => Alignment::ALL.to_vec(),
            Tallon::AnySlide => {
                let full = reach(self.ship.size);
                let named = [0.0, full / 2.0, -full / 2.0, full, -full];
                let free = self.tallon_slides(maneuver).nearest_to_each(named);
                let alignments: Vec<_> = free.into_iter().map(Alignment::of_shift).collect();
                if alignments.is_empty() {
                    vec![Alignment::Middle]
                } else {
                    alignments
                }
            }
        }
    }

    /// The slide at which a Tallon roll was set down if the ship is seen there, where any slide is allowed (FE-4.6).
    pub(super) fn alignment_seen(&self, maneuver: Maneuver, pose: Pose) -> Option<Alignment> {
        let any = self.table.rules.tallon == Tallon::AnySlide;
        if !any || !matches!(maneuver.bearing, Bearing::TallonRoll(_)) {
            return None;
        }
        let middle = full_end(self.ship.size, self.ship.pose, maneuver, Alignment::Middle);
        let slide = (pose.position - middle.position).dot(self.ship.pose.forward());
        Some(Alignment::of_shift(slide))
    }

    /// The alignment that a Tallon roll is set down at where it was meant to be at one: that, or the nearest that lies on no
    /// ship where it must slide there (FE-4.6).
    pub(super) fn aligned(&self, path: &Path, bearing: Bearing, meant: Alignment) -> Alignment {
        match self.table.rules.tallon {
            Tallon::ThreePlaces => meant,
            Tallon::AnySlide => {
                let full = reach(self.ship.size);
                let slide = meant.shift_mm().clamp(-full, full);
                if self.is_free(path, bearing, slide) {
                    return Alignment::of_shift(slide);
                }
                let nearest = self.free_slides(path, bearing).nearest(slide);
                nearest.map_or(Alignment::Middle, Alignment::of_shift)
            }
        }
    }

    fn free_slides(&self, path: &Path, bearing: Bearing) -> Slides {
        Slides::search(reach(self.ship.size), |slide| self.is_free(path, bearing, slide))
    }

    /// Whether a Tallon roll at a slide ends on no other ship.
    fn is_free(&self, path: &Path, bearing: Bearing, slide: f64) -> bool {
        let pose = self.on_table(full_pose(path, bearing, Alignment::Slide(slide)));
        let guides = self.options.guides;
        let footprint = Footprint::new(self.ship.size, pose, guides);
        let near = self
            .others
            .iter()
            .filter(|other| other.beyond <= path.length() + reach(self.ship.size));
        near.into_iter()
            .all(|other| footprint.penetration(other.footprint(guides)) <= OVERLAP_MM)
    }
}
