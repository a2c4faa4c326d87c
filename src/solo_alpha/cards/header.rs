//! SA-8 with actions that cards add. They have no place in its ladders; **choice**: repairs and what comes back to the own
//! ship are a Defensive line after jam, what is done to enemies or prepares an attack an Offensive line after lock, and
//! everything else shares the first Balanced line. Actions of damage cards of the first edition come just before the first
//! line that gives a token (FE-SOLO-8).

use super::{CardDecision, Context, actions::lowest_line, reason};
use crate::{
    decision::Reason,
    dice::SeededDice,
    solo_alpha::{Options, action, attitude::Attitude},
    xwing::{
        battle::{Battle, Offer},
        edition::solo::DamageCardActions,
        effects::{
            Effect, Primitive, TokenWord,
            predicate::ActionWord,
            primitive::{Pool, Resource, Stat, StepRule},
        },
        ship::Ship,
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

/// FE-SOLO-8: the ladder of the action that repairs a face-up damage card, by what the card does: one that takes attack dice
/// is for Offensive, one that closes the action bar for any attitude (`None`), and one that hurts or weakens the defence
/// for Defensive.
fn ladder_of_damage(card: &[Effect]) -> Option<Attitude> {
    let steps = || card.iter().flat_map(|effect| &effect.steps);
    let closes = |step: &Primitive| match step {
        Primitive::StepRule(rules) => {
            rules.contains(&StepRule::OnlyDamageCardActions) || rules.contains(&StepRule::NoBarActions)
        }
        _ => false,
    };
    let disarms = |step: &Primitive| match step {
        Primitive::StatChange(change) => change.stat == Stat::Attack,
        Primitive::DiceCount(count) => count.dice == Pool::Attack,
        _ => false,
    };
    if steps().any(closes) {
        None
    } else if steps().any(disarms) {
        Some(Attitude::Offensive)
    } else {
        Some(Attitude::Defensive)
    }
}

/// FE-SOLO-8: the last line before the first one that gives a token, evade or focus.
const fn before_tokens(attitude: Attitude) -> u8 {
    match attitude {
        Attitude::Defensive => 3,
        Attitude::Balanced => 2,
        Attitude::Offensive => 4,
    }
}

/// What a damage card does that lies face up, if the card of that id is one.
fn damage_card<'b>(battle: &'b Battle, card: &str) -> Option<&'b [Effect]> {
    let id = card.strip_prefix("damage:")?;
    let facts = battle.deck_facts().cards.iter().find(|facts| facts.id == id)?;
    Some(facts.effects())
}

/// FE-SOLO-8: whether a ship repairs a damage card in its Perform Action step.
fn decide_on_damage(
    battle: &Battle,
    offer: &Offer,
    card: &[Effect],
    (ship, context): (&Ship, &Context),
    options: &Options,
) -> CardDecision {
    let say = |choice: Option<usize>, text: String| CardDecision {
        choice,
        reasons: vec![Reason {
            rule: "SA-8 FE-SOLO-8".to_owned(),
            text: format!("{}: {text}", offer.card),
            compared: Vec::new(),
        }],
        ..CardDecision::default()
    };
    let attitude = context.attitude;
    let repair = (!offer.choices.is_empty()).then_some(0);
    match ladder_of_damage(card) {
        None => {
            return say(
                repair,
                "it closes the other lines, so its action comes first".to_owned(),
            );
        }
        Some(ladder) if ladder != attitude => {
            return say(
                None,
                format!("its action is for {ladder}, and the attitude is {attitude}"),
            );
        }
        Some(_) => {}
    }
    // What the bar offers is looked at only for its line; ties are rolled for when the action is taken.
    let mut dice = SeededDice::new(0);
    let plan = action::decide(
        battle.table(),
        ship.clone(),
        false,
        attitude,
        &context.result,
        options,
        &mut dice,
    );
    let after = before_tokens(attitude);
    match lowest_line(&plan) {
        Some(line) if line <= after => say(
            None,
            format!("line {line} of the {attitude} ladder comes before its action"),
        ),
        _ => say(
            repair,
            format!("its action comes before the tokens of the {attitude} ladder, and no line before them applies"),
        ),
    }
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
    if table.rules.solo.damage_card_actions == DamageCardActions::BeforeTokens
        && let Some(card) = damage_card(battle, &offer.card)
    {
        return decide_on_damage(battle, offer, card, (ship, context), options);
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xwing::{damage_deck::DeckFacts, edition::DamageDeckKind, effects::Window};

    /// FE-SOLO-8 names the cards; the program knows them by what they do.
    #[test]
    fn fe_solo_8_damage_cards_belong_to_the_ladders_that_the_rules_page_names() {
        let named = [
            ("console-fire", Some(Attitude::Defensive)),
            ("structural-damage", Some(Attitude::Defensive)),
            ("major-hull-breach", Some(Attitude::Defensive)),
            ("loose-stabilizer", Some(Attitude::Defensive)),
            ("weapon-malfunction", Some(Attitude::Offensive)),
            ("weapons-failure", Some(Attitude::Offensive)),
            ("damaged-sensor-array", None),
        ];
        let mut seen = 0;
        for kind in [DamageDeckKind::Core2012, DamageDeckKind::Core2015] {
            for card in &DeckFacts::of(kind).cards {
                let mut effects = card.effects().iter();
                let repairs = effects.any(|effect| effect.on.window.contains(&Window::ActionHeader));
                let known = named.iter().find(|(id, _)| *id == card.id);
                assert_eq!(repairs, known.is_some(), "{}", card.id);
                if let Some((_, ladder)) = known {
                    seen += 1;
                    assert_eq!(ladder_of_damage(card.effects()), *ladder, "{}", card.id);
                }
            }
        }
        assert!(seen >= named.len());
    }
}
