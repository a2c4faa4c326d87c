//! SA-12 for cards with two sides (**choice**): the side that attacks better when the die is Offensive, the other when it is
//! Defensive, and it stays as it is when the die is Balanced. No die where the sides are equal in that.

use super::{CardDecision, reason};
use crate::{
    dice::DiceSource,
    solo_alpha::{attitude::Attitude, chart},
    xwing::{
        battle::{Battle, Offer},
        effects::{
            CardEntry, Effect, Primitive, Role, Window,
            primitive::{Flipped, Pool},
        },
    },
};

/// Whether all that an effect does is to turn its card over.
pub fn only_turns(effect: &Effect) -> bool {
    let this = |step: &Primitive| matches!(step, Primitive::FlipCard(flip) if flip.card == Flipped::This);
    effect.may && effect.cost.is_empty() && effect.steps.iter().all(this)
}

/// How much a side leans towards attacking: attack dice it gains, defence dice it gives up.
fn lean(entry: &CardEntry) -> i32 {
    let own = |effect: &&Effect| matches!(effect.on.role, Role::Attacker | Role::Defender);
    let steps = entry.effects.iter().filter(own).flat_map(|effect| {
        let defends = effect.on.window.contains(&Window::DefenseRoll);
        effect.steps.iter().map(move |step| (defends, step))
    });
    let each = steps.map(|(defends, step)| match step {
        Primitive::DiceCount(change) if change.dice == Pool::Defence || defends => -i32::from(change.by),
        Primitive::DiceCount(change) => i32::from(change.by),
        _ => 0,
    });
    each.sum()
}

/// SA-12: whether a card is turned over.
pub fn decide(battle: &Battle, offer: &Offer, dice: &mut dyn DiceSource) -> CardDecision {
    let decision = |choice: Option<usize>, text: String| CardDecision {
        choice,
        reasons: vec![reason(offer, text)],
        ..CardDecision::default()
    };
    let Some(fighter) = battle.fighter(&offer.owner) else {
        return CardDecision::default();
    };
    let lies = (fighter.cards.iter())
        .filter_map(|card| card.entry.as_ref())
        .find(|entry| entry.id.to_string() == offer.card);
    let below = lies.and_then(|up| fighter.brings.iter().find(|entry| entry.id == up.id.other_side()));
    let (Some(up), Some(below)) = (lies, below) else {
        return CardDecision::default();
    };
    let (now, then) = (lean(up), lean(below));
    if now == then {
        return decision(None, "not turned: neither side attacks better".to_owned());
    }
    let die = dice.defence();
    let attitude = Attitude::from_die(die);
    let wanted = match attitude {
        Attitude::Offensive => then > now,
        Attitude::Defensive => then < now,
        Attitude::Balanced => false,
    };
    let rolled = format!("rolled {}, {attitude}", chart::defence_name(die));
    match wanted {
        true => decision(
            Some(0),
            format!("turned over: {rolled}, and the other side is for that"),
        ),
        false => decision(None, format!("not turned: {rolled}")),
    }
}
