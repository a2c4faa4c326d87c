//! Which dice a change may be about.

use super::{
    effect::{Capped, Change, HowMany},
    faces::{Dice, Face, FaceSet},
    schedule::Side,
    state::State,
};

/// Whether dice, or a number, are picked for a change.
pub(super) const fn is_picked(change: Change) -> bool {
    matches!(
        change,
        Change::Reroll { .. } | Change::Turn { .. } | Change::Cancel { .. } | Change::Guess { .. }
    )
}

/// How many dice of each face a change of a side may touch, and at least and at most how many of all of them; `None` for a
/// change that picks no dice.
fn eligible(state: &State, side: Side, change: Change) -> Option<([u8; 5], u8, u8)> {
    let (pool, faces, how_many, once) = match change {
        Change::Reroll { dice, faces, how_many } => (state.pool(dice), faces, how_many, true),
        // A die that shows the face already is not turned to it.
        Change::Turn {
            dice,
            from,
            to,
            how_many,
        } => (state.pool(dice), from.without(FaceSet::of(&[to])), how_many, false),
        Change::Cancel { dice, faces, how_many } => (state.pool(dice), faces, how_many, false),
        _ => return None,
    };
    let mut counts = Face::ALL.map(|face| match (faces.has(face), once) {
        (false, _) => 0,
        (true, true) => pool.at(face, false),
        (true, false) => pool.count(face),
    });
    let mut room = u8::MAX;
    // What is capped is what a side does with its own dice.
    if let Change::Reroll { dice, .. } | Change::Turn { dice, .. } = change
        && side.dice() == dice
    {
        let focuses = &mut counts[Face::Focus as usize];
        *focuses = (*focuses).min(state.cap(dice, Capped::Focuses));
        if once {
            room = state.cap(dice, Capped::Rerolls);
        }
    }
    let total: u8 = counts.iter().sum::<u8>().min(room);
    let (least, most) = match how_many {
        HowMany::Exactly(count) => (count.min(total), count.min(total)),
        HowMany::UpTo(count) => (1, count.min(total)),
        HowMany::All => (total, total),
    };
    Some((counts, least, most))
}

/// Whether a change of a side would touch anything.
pub(super) fn touches(state: &State, side: Side, change: Change) -> bool {
    match change {
        Change::RollAgain { dice } => state.pool(dice).total() > 0,
        _ => eligible(state, side, change).is_none_or(|(.., most)| most > 0),
    }
}

/// Calls `visit` with every way to pick dice for a change of a side; a change without a pick has one empty way.
pub(super) fn each_pick(state: &State, side: Side, change: Change, mut visit: impl FnMut([u8; 5])) {
    if let Change::Guess { least } = change {
        let most = u8::try_from(state.dice[Dice::Defence as usize]).unwrap_or(0);
        for guess in least..=most.max(least) {
            visit([guess, 0, 0, 0, 0]);
        }
        return;
    }
    let Some((counts, least, most)) = eligible(state, side, change) else {
        return visit([0; 5]);
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
