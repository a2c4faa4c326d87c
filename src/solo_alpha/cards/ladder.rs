//! SA-12: the ladder that decides about an optional effect whose conditions and price are met. The first line that matches
//! decides.
//!
//! 1. It would change nothing: not used, and no die is rolled.
//! 2. It would destroy a ship of the own side: not used. It destroys an enemy: used.
//! 3. Effects on dice are solved exactly where attacks are played, not here.
//! 4. Extra actions, with the lines of SA-8 in the own activation: a token that may still matter.
//! 5. Moves: the three tests.
//! 6. Pure gains without a price, or paid from the card's own charges: used.
//! 7. Everything else: one defence die for the attitude. Offensive uses what threatens, Defensive what protects, Balanced
//!    what is ambiguous or helps a friend.
//! 8. What is not played here was asked before.

use super::{
    CardDecision, Context, actions,
    forced::{self, DEPTH, worth, worth_of},
    is_dear,
    losses::loss,
    reason, reveal,
};
use crate::{
    decision::{Compared, Reason},
    dice::{DiceSource, SeededDice},
    solo_alpha::{Options, attitude::Attitude, chart},
    xwing::{
        battle::{Battle, Choice, Offer, Request},
        effects::{Effect, Primitive, effect::Policy},
        weapon::Charges,
    },
};

/// What an effect is for, derived from what it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Polarity {
    /// It harms enemies or prepares an attack.
    Threat,
    /// It protects the own ship.
    Protection,
    /// Neither, or both; what helps a friend.
    Ambiguous,
}

impl Polarity {
    /// The attitude that uses it.
    const fn attitude(self) -> Attitude {
        match self {
            Polarity::Threat => Attitude::Offensive,
            Polarity::Protection => Attitude::Defensive,
            Polarity::Ambiguous => Attitude::Balanced,
        }
    }
}

/// One way to use the effect, looked at.
struct Seen {
    index: usize,
    /// What it is worth to the side, its price included.
    worth: f64,
    /// The same without the charges of the card.
    gain: f64,
    polarity: Polarity,
    destroys_friend: bool,
    destroys_enemy: bool,
    changes: bool,
}

/// SA-12: the ladder.
pub fn decide(
    battle: &Battle,
    offer: &Offer,
    effect: &Effect,
    context: Option<&Context>,
    options: &Options,
    dice: &mut dyn DiceSource,
) -> CardDecision {
    let seen: Vec<Seen> = (0..offer.choices.len())
        .filter_map(|index| look(battle, offer, index, options))
        .filter(|seen| !seen.destroys_friend)
        .collect();
    let use_it = |index: usize, text: String| CardDecision {
        choice: Some(index),
        orders: Vec::new(),
        reasons: vec![Reason {
            compared: compared(offer, &seen, Some(index)),
            ..reason(offer, text)
        }],
    };
    let leave = |text: &str| CardDecision {
        choice: offer.default.filter(|_| offer.must),
        orders: Vec::new(),
        reasons: vec![Reason {
            compared: compared(offer, &seen, None),
            ..reason(offer, format!("not used: {text}"))
        }],
    };
    if effect.policy == Some(Policy::Never) {
        return leave("it never helps a solo ship");
    }
    if seen.is_empty() {
        return leave("it would destroy a ship of the own side");
    }
    if let Some(kill) = seen.iter().find(|seen| seen.destroys_enemy) {
        return use_it(kill.index, "used: it destroys an enemy".to_owned());
    }
    let best = best(&seen);
    if offer.must {
        return use_it(
            best.index,
            format!("{} has to be done and is worth the most", offer.choices[best.index]),
        );
    }
    if reveal::is_too_early(battle, effect, options) {
        return leave("it acts after its move");
    }
    if let Some(text) = until_then(battle, offer, effect, options) {
        return match text {
            Ok(text) => use_it(best.index, format!("used: {text}")),
            Err(text) => leave(text),
        };
    }
    // Lines 4 and 5.
    if effect
        .steps
        .iter()
        .any(|step| matches!(step, Primitive::PerformAction(_)))
    {
        return by_actions(battle, offer, &seen, context, options, dice);
    }
    if let Some((index, text)) = by_moves(battle, &seen, options) {
        return match index {
            Some(index) => use_it(index, format!("used: {text}")),
            None => leave(&text),
        };
    }
    if !seen.iter().any(|seen| seen.changes) {
        return leave("it would change nothing");
    }
    let fixed = match effect.policy {
        Some(Policy::Always) => return use_it(best.index, "used: the card says so".to_owned()),
        Some(Policy::AttitudeOffensive) => Some(Polarity::Threat),
        Some(Policy::AttitudeDefensive) => Some(Polarity::Protection),
        Some(Policy::AttitudeBalanced) => Some(Polarity::Ambiguous),
        _ => None,
    };
    if fixed.is_none() && !is_dear(effect) {
        // Line 6.
        return match best.gain > 0.0 {
            true => use_it(
                best.index,
                format!("used: it gains {:.2} and costs nothing else", best.gain),
            ),
            false => leave("it gains nothing"),
        };
    }
    // Line 7.
    let polarity = fixed.unwrap_or(best.polarity);
    let die = dice.defence();
    let attitude = Attitude::from_die(die);
    let rolled = format!("rolled {}, {attitude}", chart::defence_name(die));
    match attitude == polarity.attitude() {
        true => use_it(best.index, format!("used: {rolled}, and it is for that")),
        false => leave(&format!("{rolled}, and it is not for that")),
    }
}

/// Line 5: an effect whose next choice is a move of the own side is used if an end of it meets the tests; the first way
/// that has one. `None` for effects that are no moves.
fn by_moves(battle: &Battle, seen: &[Seen], options: &Options) -> Option<(Option<usize>, String)> {
    let mut left = None;
    for way in seen {
        let then = battle.preview(Some(way.index), &mut SeededDice::new(0))?;
        let Some(Request::Effect(next)) = then.pending() else {
            continue;
        };
        if !matches!(
            next.choices.first(),
            Some(Choice::Move(_) | Choice::Turn(_) | Choice::Rotate(_))
        ) {
            continue;
        }
        // Which of several is taken is rolled for when it is asked; any die does now.
        let decision = forced::by_tests(&then, next, options, &mut SeededDice::new(0));
        let text = decision
            .reasons
            .first()
            .map_or_else(String::new, |reason| reason.text.clone());
        let said = text
            .strip_prefix(&format!("{}: ", next.card))
            .unwrap_or(&text)
            .to_owned();
        if decision.choice.is_some() {
            return Some((Some(way.index), said));
        }
        left.get_or_insert(said);
    }
    left.map(|said| (None, said))
}

/// Whether a permission that lasts for a while is worth its price now: why it is, or why not. `None` for everything else.
fn until_then(
    battle: &Battle,
    offer: &Offer,
    effect: &Effect,
    options: &Options,
) -> Option<Result<&'static str, &'static str>> {
    let ship = battle.table().ship(&offer.owner)?;
    let steps = &effect.steps;
    effect.until?;
    if steps.iter().any(|step| matches!(step, Primitive::StressPermission(_))) {
        return Some(match ship.is_stressed() {
            true => Ok("it is stressed"),
            false => Err("it is not stressed"),
        });
    }
    if steps.iter().any(|step| matches!(step, Primitive::IgnoreObstacles(_))) {
        return Some(match reveal::meets_obstacles(battle, ship, options) {
            true => Ok("an obstacle is in its way"),
            false => Err("no obstacle is in its way"),
        });
    }
    None
}

/// The way to use an effect that is worth the most, if none of the own side is destroyed by it.
pub(super) fn best_way(battle: &Battle, offer: &Offer, options: &Options) -> Option<usize> {
    let seen: Vec<Seen> = (0..offer.choices.len())
        .filter_map(|index| look(battle, offer, index, options))
        .filter(|seen| !seen.destroys_friend)
        .collect();
    (!seen.is_empty()).then(|| best(&seen).index)
}

/// The way that is worth the most; of equal ones the first.
fn best(seen: &[Seen]) -> &Seen {
    let mut best = &seen[0];
    for other in &seen[1..] {
        if other.worth > best.worth + 1e-9 {
            best = other;
        }
    }
    best
}

fn compared(offer: &Offer, seen: &[Seen], taken: Option<usize>) -> Vec<Compared> {
    let each = seen.iter().map(|seen| Compared {
        candidate: offer.choices[seen.index].to_string(),
        value: Some(seen.worth),
        unit: "gain".to_owned(),
        verdict: if Some(seen.index) == taken { "taken" } else { "left" }.to_owned(),
    });
    each.collect()
}

/// The first way to use the effect whose actions are wanted.
fn by_actions(
    battle: &Battle,
    offer: &Offer,
    seen: &[Seen],
    context: Option<&Context>,
    options: &Options,
    dice: &mut dyn DiceSource,
) -> CardDecision {
    let mut reasons = Vec::new();
    // Prices that cost less first; otherwise the order of the card.
    let mut ways: Vec<&Seen> = seen.iter().collect();
    ways.sort_by(|a, b| b.worth.total_cmp(&a.worth).then(a.index.cmp(&b.index)));
    let mut looked_at: Vec<(crate::xwing::ObjectId, usize)> = Vec::new();
    for way in ways {
        for given in battle.actions_given(offer, &offer.choices[way.index]) {
            // The same ship is not asked again for another price.
            let key = (given.ship.clone(), given.actions.len());
            if looked_at.contains(&key) {
                continue;
            }
            looked_at.push(key);
            let decision = actions::decide(battle, &given, context, options, dice);
            reasons.extend(decision.reasons);
            if let Some(order) = decision.order {
                return CardDecision {
                    choice: Some(way.index),
                    orders: vec![(given.ship, order)],
                    reasons,
                };
            }
        }
    }
    CardDecision {
        choice: None,
        orders: Vec::new(),
        reasons,
    }
}

/// What comes of one way to use the effect.
fn look(battle: &Battle, offer: &Offer, index: usize, options: &Options) -> Option<Seen> {
    let owner = battle.table().ship(&offer.owner)?;
    // What is rolled afterwards is not known now: any dice do.
    let then = battle.preview(Some(index), &mut SeededDice::new(0))?;
    let destroyed = |battle: &Battle, id: &str| {
        let gone = battle.table().ship(id).is_none_or(|ship| !ship.in_play());
        gone || battle
            .fighter(id)
            .is_some_and(|fighter| fighter.integrity.is_destroyed())
    };
    let (mut threat, mut protection, mut other) = (0.0, 0.0, 0.0);
    let (mut destroys_friend, mut destroys_enemy, mut changes) = (false, false, then.pending().is_some());
    for ship in battle.table().ships_in_play() {
        let lost = loss(battle, &then, &ship.id, &options.card_losses);
        let dies = destroyed(&then, &ship.id) && !destroyed(battle, &ship.id);
        let differs = then.table().ship(&ship.id) != Some(ship)
            || then.fighter(&ship.id).map(|f| &f.integrity) != battle.fighter(&ship.id).map(|f| &f.integrity);
        changes |= differs;
        if ship.is_enemy_of(owner) {
            destroys_enemy |= dies;
            threat += lost.max(0.0);
            // What takes something bad off an enemy, or gives it something good, is never for the own side.
            other -= (-lost).max(0.0);
        } else {
            destroys_friend |= dies;
            let locks = then.table().ship(&ship.id).map_or(0, |after| after.locks.len());
            match ship.id == owner.id {
                true if locks > ship.locks.len() => threat += options.card_losses.lock,
                true => protection += (-lost).max(0.0),
                false => other += (-lost).max(0.0),
            }
        }
    }
    // The own side may choose next: what it makes of it counts.
    let mut followed = 0.0;
    if let Some(Request::Effect(next)) = then.pending()
        && next.must
        && threat == 0.0
        && protection == 0.0
        && let Some(chooser) = battle.table().ship(&next.ship)
        && !chooser.is_enemy_of(owner)
    {
        followed = worth_of(battle, battle, index, &owner.side, options, DEPTH)?.max(0.0);
        let about = next.about.as_ref().and_then(|id| battle.table().ship(id));
        match about.is_some_and(|about| about.is_enemy_of(owner)) {
            true => threat += followed,
            false => other += followed,
        }
    }
    // An attack of the own side may follow.
    if let Some(Request::Attack { ship }) = then.pending()
        && battle.table().ship(ship).is_some_and(|ship| !ship.is_enemy_of(owner))
    {
        threat += options.card_losses.damage;
    }
    // A choice of the other side may follow: it is a threat if anything is.
    if then.pending().is_some() && threat == 0.0 && protection == 0.0 {
        let enemy_chooses = then.pending().is_some_and(|request| {
            let chooser = battle.table().ship(request.ship());
            chooser.is_some_and(|chooser| chooser.is_enemy_of(owner))
        });
        if enemy_chooses {
            threat += options.card_losses.stress;
        }
    }
    let polarity = if threat > protection && threat > other {
        Polarity::Threat
    } else if protection > threat && protection > other {
        Polarity::Protection
    } else {
        Polarity::Ambiguous
    };
    let worth = worth(battle, &then, &owner.side, options);
    let charges = charge_cost(battle, &then, &offer.owner, options);
    let worth = if then.pending().is_some() {
        worth + threat.max(followed)
    } else {
        worth
    };
    Some(Seen {
        index,
        worth,
        gain: worth + charges,
        polarity,
        destroys_friend,
        destroys_enemy,
        changes,
    })
}

/// What the charges are worth that were spent.
fn charge_cost(before: &Battle, after: &Battle, id: &str, options: &Options) -> f64 {
    let (Some(had), Some(has)) = (before.fighter(id), after.fighter(id)) else {
        return 0.0;
    };
    let left = |charges: Option<Charges>| charges.map_or(0, |charges| charges.left);
    let spent = had.cards.iter().zip(has.cards.iter()).map(|(card, now)| {
        let each = match card.recovers > 0 {
            true => options.card_losses.recurring_charge,
            false => options.card_losses.charge,
        };
        (f64::from(left(card.charges)) - f64::from(left(now.charges))).max(0.0) * each
    });
    spent.sum()
}
