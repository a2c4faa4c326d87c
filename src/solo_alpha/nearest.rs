//! SA-0: nearest, with its tie rule.

use crate::{
    decision::Compared,
    dice::DiceSource,
    xwing::{ObjectId, measure::Object, ship::Ship},
};

/// SA-0: distances that differ by no more than this are equal, mm.
pub(super) const TIE_MM: f64 = 0.001;

/// An object and how far it is, mm.
#[derive(Debug, Clone, Copy)]
pub(super) struct Measured<'t> {
    pub object: Object<'t>,
    pub distance: f64,
}

/// Those of the list that are nearest within [`TIE_MM`], in id order.
pub(super) fn tied_nearest<'t>(measured: &[Measured<'t>]) -> Vec<Measured<'t>> {
    let least = measured.iter().map(|m| m.distance).fold(f64::INFINITY, f64::min);
    let mut tied: Vec<_> = measured
        .iter()
        .copied()
        .filter(|m| m.distance <= least + TIE_MM)
        .collect();
    tied.sort_by(|a, b| a.object.id().cmp(b.object.id()));
    tied
}

/// The nearest of the list; a tie is a seeded roll among the tied in id order (SA-0).
pub(super) fn nearest<'t>(measured: &[Measured<'t>], dice: &mut dyn DiceSource) -> Option<Nearest<'t>> {
    let tied = tied_nearest(measured);
    let chosen = match tied.len() {
        0 => return None,
        1 => tied[0],
        count => tied[dice.choose(count).min(count - 1)],
    };
    Some(Nearest { chosen, tied })
}

/// The nearest object, and all that were as near.
pub(super) struct Nearest<'t> {
    pub chosen: Measured<'t>,
    pub tied: Vec<Measured<'t>>,
}

impl Nearest<'_> {
    pub fn tied_ids(&self) -> Vec<ObjectId> {
        self.tied.iter().map(|m| m.object.id().clone()).collect()
    }
}

/// A distance as a compared value.
pub(super) fn compared(candidate: &str, distance: f64, verdict: impl Into<String>) -> Compared {
    Compared {
        candidate: candidate.to_owned(),
        value: Some(distance),
        unit: "mm".to_owned(),
        verdict: verdict.into(),
    }
}

/// The other ships on the table that are enemies (SA-0), in id order.
pub(super) fn enemies<'t>(ships: &'t [Ship], ship: &Ship) -> Vec<&'t Ship> {
    ships
        .iter()
        .filter(|other| other.in_play() && other.id != ship.id && other.is_enemy_of(ship))
        .collect()
}
