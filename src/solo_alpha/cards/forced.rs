//! SA-12: choices that have to be made, and those between ends of a move. Of several harms the least, of several gains the
//! largest, by the table of losses; ties are rolled for. Choices of the other side are reckoned with as it would make them.

use super::{CardDecision, losses::loss, moves::Survey, reason};
use crate::{
    decision::{Compared, Reason},
    dice::{DiceSource, SeededDice},
    solo_alpha::{Options, outcome::movement_options},
    xwing::{
        action::{ActionDetail, ActionKind},
        battle::{Battle, Choice, Offer, Request},
        reposition,
    },
};

/// So deep are choices within choices looked at.
pub(super) const DEPTH: usize = 3;
/// Values that differ by less are equal.
const TIE: f64 = 1e-9;

/// What a state of the battle is worth to a side, against the state before: what the enemies have lost, less the own losses.
pub fn worth(before: &Battle, after: &Battle, side: &str, options: &Options) -> f64 {
    let each = before.table().ships_in_play().map(|ship| {
        let lost = loss(before, after, &ship.id, &options.card_losses);
        if ship.side == side { -lost } else { lost }
    });
    each.sum()
}

/// The worth of a choice: with what follows from it, each side choosing for itself.
pub(super) fn worth_of(
    before: &Battle,
    now: &Battle,
    choice: usize,
    side: &str,
    options: &Options,
    depth: usize,
) -> Option<f64> {
    // What is rolled afterwards is not known now: any dice do.
    let then = now.preview(Some(choice), &mut SeededDice::new(0))?;
    Some(match then.pending() {
        Some(Request::Effect(offer)) if offer.must && depth > 0 => {
            let ours = then.table().ship(&offer.ship).is_some_and(|ship| ship.side == side);
            let all = (0..offer.choices.len()).filter_map(|i| worth_of(before, &then, i, side, options, depth - 1));
            match ours {
                true => all.fold(f64::NEG_INFINITY, f64::max),
                false => all.fold(f64::INFINITY, f64::min),
            }
        }
        _ => worth(before, &then, side, options),
    })
}

/// A choice that has to be made: the one worth the most to whoever makes it.
pub fn least_loss(battle: &Battle, offer: &Offer, options: &Options, dice: &mut dyn DiceSource) -> CardDecision {
    let Some(chooser) = battle.table().ship(&offer.ship) else {
        return CardDecision::default();
    };
    let all: Vec<f64> = (0..offer.choices.len())
        .map(|i| worth_of(battle, battle, i, &chooser.side, options, DEPTH).unwrap_or(f64::NEG_INFINITY))
        .collect();
    let best = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let kept: Vec<usize> = (0..all.len()).filter(|&i| all[i] >= best - TIE).collect();
    let index = match kept.as_slice() {
        [] => None,
        [one] => Some(*one),
        several => Some(several[dice.choose(several.len()).min(several.len() - 1)]),
    };
    let words = |i: usize| offer.choices[i].to_string();
    let text = index.map_or_else(String::new, |index| format!("{}, what costs the least", words(index)));
    CardDecision {
        choice: index,
        orders: Vec::new(),
        reasons: vec![Reason {
            compared: (0..all.len())
                .map(|i| Compared {
                    candidate: words(i),
                    value: Some(-all[i]),
                    unit: "loss".to_owned(),
                    verdict: if Some(i) == index { "taken" } else { "left" }.to_owned(),
                })
                .collect(),
            ..reason(offer, text)
        }],
    }
}

/// A move or a turn of the turret: SA-12's three tests. Those of an enemy's ship are left.
pub fn by_tests(battle: &Battle, offer: &Offer, options: &Options, dice: &mut dyn DiceSource) -> CardDecision {
    let table = battle.table();
    let about = offer.about.as_ref().unwrap_or(&offer.ship);
    let (Some(ship), Some(chooser)) = (table.ship(about), table.ship(&offer.ship)) else {
        return CardDecision::default();
    };
    if ship.is_enemy_of(chooser) {
        return CardDecision {
            choice: None,
            orders: Vec::new(),
            reasons: vec![reason(offer, "an enemy's ship is not moved".to_owned())],
        };
    }
    let survey = Survey::new(table, ship);
    let movement = movement_options(options);
    let candidate = |choice: &Choice| match choice {
        Choice::Turn(arcs) => {
            let turned = survey.candidates(&[ActionKind::RotateArc], &movement);
            let detail = ActionDetail::RotateArc(arcs.clone());
            turned.into_iter().find(|candidate| candidate.detail == detail)
        }
        Choice::Rotate(degrees) => Some(survey.rotated(*degrees)),
        Choice::Move(detail) => {
            let (kind, end) = match *detail {
                ActionDetail::Boost(template) => {
                    (ActionKind::Boost, reposition::boost(table, ship, template, &movement))
                }
                ActionDetail::BarrelRoll { side, slide_mm } => (
                    ActionKind::BarrelRoll,
                    reposition::barrel_roll(table, ship, side, slide_mm, &movement),
                ),
                _ => return None,
            };
            Some(survey.candidate(kind, detail.clone(), end.pose))
        }
        _ => None,
    };
    let candidates: Vec<_> = offer.choices.iter().filter_map(candidate).collect();
    let choice = super::moves::choose(&survey, candidates, None, &offer.card, options, dice);
    let index = choice.chosen.and_then(|chosen| {
        let mut choices = offer.choices.iter();
        choices.position(|choice| match choice {
            Choice::Turn(arcs) => chosen.detail == ActionDetail::RotateArc(arcs.clone()),
            Choice::Move(detail) => chosen.detail == *detail,
            Choice::Rotate(degrees) => chosen.rotated == Some(*degrees),
            _ => false,
        })
    });
    CardDecision {
        choice: index.or(offer.default.filter(|_| offer.must)),
        orders: Vec::new(),
        reasons: vec![choice.reason],
    }
}
