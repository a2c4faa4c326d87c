//! Which dice a change may be about.

use super::{
    effect::{Change, HowMany},
    faces::{Dice, Face},
    state::State,
};

/// Whether dice, or a number, are picked for a change.
pub(super) const fn is_picked(change: Change) -> bool {
    matches!(
        change,
        Change::Reroll { .. } | Change::Turn { .. } | Change::Cancel { .. } | Change::Guess { .. }
    )
}

/// The dice that a change may touch, and how many of them.
fn eligible(state: &State, change: Change) -> Option<([u8; 5], HowMany)> {
    let (pool, faces, how_many, once) = match change {
        Change::Reroll { dice, faces, how_many } => (state.pool(dice), faces, how_many, true),
        Change::Turn {
            dice, from, how_many, ..
        } => (state.pool(dice), from, how_many, false),
        Change::Cancel { dice, faces, how_many } => (state.pool(dice), faces, how_many, false),
        _ => return None,
    };
    let counts = Face::ALL.map(|face| match (faces.has(face), once) {
        (false, _) => 0,
        (true, true) => pool.at(face, false),
        (true, false) => pool.count(face),
    });
    Some((counts, how_many))
}

/// Whether a change would touch anything.
pub(super) fn touches(state: &State, change: Change) -> bool {
    match change {
        Change::Turn { dice, from, to, .. } => from.each().any(|face| face != to && state.pool(dice).count(face) > 0),
        _ => eligible(state, change).is_none_or(|(counts, _)| counts.iter().any(|count| *count > 0)),
    }
}

/// Calls `visit` with every way to pick dice for a change; a change without a pick has one empty way.
pub(super) fn each_pick(state: &State, change: Change, mut visit: impl FnMut([u8; 5])) {
    if let Change::Guess { least } = change {
        let most = u8::try_from(state.dice[Dice::Defence as usize]).unwrap_or(0);
        for guess in least..=most.max(least) {
            visit([guess, 0, 0, 0, 0]);
        }
        return;
    }
    let Some((counts, how_many)) = eligible(state, change) else {
        return visit([0; 5]);
    };
    let total: u8 = counts.iter().sum();
    let (least, most) = match how_many {
        HowMany::Exactly(count) => (count.min(total), count.min(total)),
        HowMany::UpTo(count) => (1, count.min(total)),
        HowMany::All => (total, total),
    };
    if most == 0 {
        return;
    }
    each_multiset(&counts, least, most, 0, [0; 5], &mut visit);
}

/// Calls `visit` with every choice of at least and at most so many, no more of each kind than there are.
fn each_multiset(counts: &[u8; 5], least: u8, most: u8, kind: usize, picked: [u8; 5], visit: &mut impl FnMut([u8; 5])) {
    if kind == counts.len() {
        if least == 0 {
            visit(picked);
        }
        return;
    }
    let rest: u8 = counts[kind + 1..].iter().sum();
    for count in least.saturating_sub(rest)..=counts[kind].min(most) {
        let mut picked = picked;
        picked[kind] = count;
        each_multiset(
            counts,
            least.saturating_sub(count),
            most - count,
            kind + 1,
            picked,
            visit,
        );
    }
}
