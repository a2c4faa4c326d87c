//! SA-8 with actions that cards add. They have no place in its ladders; **choice**: repairs and what comes back to the own
//! ship are a Defensive line after jam, what is done to enemies or prepares an attack an Offensive line after lock, and
//! everything else shares the first Balanced line.

use super::{CardDecision, Context, actions::lowest_line, reason};
use crate::{
    dice::SeededDice,
    solo_alpha::{Options, action, attitude::Attitude},
    xwing::{
        battle::{Battle, Offer},
        effects::{
            Effect, Primitive, TokenWord,
            predicate::ActionWord,
            primitive::{Resource, StepRule},
        },
    },
};

/// The ladder that an action of a card belongs to.
pub fn ladder_of(effect: &Effect) -> Attitude {
    let of = |step: &Primitive| match step {
        Primitive::Repair(_) => Some(Attitude::Defensive),
        Primitive::Recover(recover) if recover.what == Resource::Shield => Some(Attitude::Defensive),
        Primitive::RemoveToken(remove) if remove.who.is_own() => Some(Attitude::Defensive),
        Primitive::PerformAction(perform) if perform.any_of.contains(&ActionWord::Cloak) => Some(Attitude::Defensive),
        Primitive::GainToken(gain) if !gain.who.is_own() && !gain.token.contains(&TokenWord::Focus) => {
            Some(Attitude::Offensive)
        }
        Primitive::Condition(condition) if !condition.to.is_own() => Some(Attitude::Offensive),
        Primitive::AcquireLock(_) | Primitive::Recover(_) => Some(Attitude::Offensive),
        Primitive::StepRule(rules) if rules.contains(&StepRule::PassiveSensorsOn) => Some(Attitude::Offensive),
        _ => None,
    };
    effect.steps.iter().find_map(of).unwrap_or(Attitude::Balanced)
}

/// The line of its ladder after which the action comes.
const fn after_line(attitude: Attitude) -> u8 {
    match attitude {
        // Reposition, reinforce, jam.
        Attitude::Defensive => 3,
        Attitude::Balanced => 0,
        // Reposition or turn the turret, lock for a weapon, lock.
        Attitude::Offensive => 3,
    }
}

/// SA-8: whether a ship performs the action of a card in its Perform Action step.
pub fn decide(
    battle: &Battle,
    offer: &Offer,
    effect: &Effect,
    context: Option<&Context>,
    options: &Options,
) -> CardDecision {
    let leave = |text: String| CardDecision {
        reasons: vec![reason(offer, text)],
        ..CardDecision::default()
    };
    let table = battle.table();
    let own = context.filter(|context| context.ship == offer.ship);
    let (Some(context), Some(ship)) = (own, table.ship(&offer.ship)) else {
        return leave("not used outside its own activation".to_owned());
    };
    let ladder = ladder_of(effect);
    if context.attitude != ladder {
        return leave(format!(
            "its action is for {ladder}, and the attitude is {}",
            context.attitude
        ));
    }
    let best = super::ladder::best_way(battle, offer, options);
    let Some(index) = best else {
        return leave("its action would cost more than it gains".to_owned());
    };
    // What the bar offers is looked at only for its line; ties are rolled for when the action is taken.
    let plan = action::decide(
        table,
        ship.clone(),
        false,
        context.attitude,
        &context.result,
        options,
        &mut SeededDice::new(0),
    );
    let after = after_line(ladder);
    match lowest_line(&plan) {
        Some(line) if line <= after => leave(format!("line {line} of the {ladder} ladder comes before its action")),
        _ => CardDecision {
            choice: Some(index),
            reasons: vec![reason(
                offer,
                format!("its action comes after line {after} of the {ladder} ladder, and no line before it applies"),
            )],
            ..CardDecision::default()
        },
    }
}
