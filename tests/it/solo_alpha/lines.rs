//! Every line of the three ladders of SA-8, and every exception of SA-6, is really taken by somebody.

use std::collections::BTreeSet;

use tallyho::{
    dice::{AttackFace, DefenceFace, FixedRoll, SeededDice},
    solo_alpha::{self, Options, Situation},
};

use crate::positions_300;

/// Lines SA-8-D1 to SA-8-D6, SA-8-B1 to SA-8-B4, SA-8-O1 to SA-8-O6; exceptions SA-6.1 to SA-6.4; tally rules.
const RULES: [&str; 27] = [
    "SA-8-D1",
    "SA-8-D2",
    "SA-8-D3",
    "SA-8-D4",
    "SA-8-D5",
    "SA-8-D6",
    "SA-8-B1",
    "SA-8-B2",
    "SA-8-B3",
    "SA-8-B4",
    "SA-8-O1",
    "SA-8-O2",
    "SA-8-O3",
    "SA-8-O4",
    "SA-8-O5",
    "SA-8-O6",
    "SA-8.1",
    "SA-6.1",
    "SA-6.2",
    "SA-6.3",
    "SA-3.1-forced",
    "SA-3.1a",
    "SA-3.1b",
    "SA-3.1c",
    "SA-3.1d",
    "SA-3.1e",
    "SA-3.1f",
];

#[test]
fn every_line_and_exception_is_taken_somewhere() {
    let mut open: BTreeSet<&str> = RULES.into();
    let rolls = [DefenceFace::Evade, DefenceFace::Focus, DefenceFace::Blank]
        .into_iter()
        .flat_map(|defence| {
            [AttackFace::Crit, AttackFace::Hit, AttackFace::Focus, AttackFace::Blank].map(|attack| (defence, attack))
        });
    let rolls: Vec<_> = rolls.collect();
    for (_, position, _) in positions_300::all() {
        let situation = Situation {
            forced_tally: position.forced_tally.clone(),
        };
        for &(defence, attack) in &rolls {
            let mut dice = FixedRoll {
                defence: Some(defence),
                attack: Some(attack),
                rest: SeededDice::new(1),
            };
            let active = position.active.as_deref().expect("the position names an active ship");
            let activation = solo_alpha::decide(&position.table, active, &situation, &Options::default(), &mut dice)
                .expect("decides");
            for reason in &activation.reasons {
                open.remove(reason.rule.as_str());
            }
        }
        if open.is_empty() {
            return;
        }
    }
    assert!(open.is_empty(), "never taken: {open:?}");
}
