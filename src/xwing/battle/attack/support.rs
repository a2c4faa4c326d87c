//! What of cards is played in an attack, told from the card alone: what `read` reads in every attack.

use super::{Fought, gather::WINDOWS, read::contest_window};
use crate::xwing::{
    battle::conditions::{knows, knows_query, knows_selector, knows_weapon},
    effects::{
        Amount, Cost, Effect, Predicate, Primitive, Role, Selector, Support, TokenWord, Window,
        effect::Duration,
        predicate::{EventWord, ResultTest},
        primitive::{
            BonusAttack, BonusTarget, FaceWord, Hidden, Lent, Modification, Pool, Resource, RestrictModification,
        },
        selector::Party,
        weapon::WeaponWord,
    },
};

/// What is made of an effect in a window of an attack, for a ship of a role. Windows that are none of an attack are asked.
pub fn supports(window: Window, role: Role, effect: &Effect) -> Support {
    if window == Window::Aftermath {
        return supports_bonus(role, effect);
    }
    if !WINDOWS.contains(&window) || !plays(window, role) || effect.is_asked() {
        return Support::Asked;
    }
    let lasts = !matches!(effect.until, None | Some(Duration::Attack));
    let replaces = effect.replaces != (window == Window::DamageWould);
    let chosen = match effect.choose.0.as_slice() {
        [] => true,
        [query] => query.count.is_one() && knows_query(query),
        _ => false,
    };
    let conditions = effect
        .conditions
        .iter()
        .all(|condition| condition_is_known(condition, window));
    let paid = effect.cost.iter().all(cost_is_known);
    let steps = match effect.steps.as_slice() {
        [Primitive::OpponentChoice(options)] if effect.cost.is_empty() && !effect.may => options
            .iter()
            .filter(|option| !option.is_empty())
            .all(|option| steps_are_known(option, window)),
        steps => steps_are_known(steps, window),
    };
    if lasts || replaces || !chosen || !conditions || !paid || !steps || !touches_the_attack(&effect.steps) {
        return Support::Asked;
    }
    match window {
        // Damage that does not come from an attack is not replaced here.
        Window::DamageWould => Support::Partly,
        _ => Support::Played,
    }
}

/// The bonus attack that an effect gives, and nothing else.
pub(super) fn bonus_of(effect: &Effect) -> Option<&BonusAttack> {
    match effect.steps.as_slice() {
        [Primitive::BonusAttack(bonus)]
            if effect.may && effect.choose.is_empty() && bonus.who.is_own() && effect.until.is_none() =>
        {
            Some(bonus)
        }
        _ => None,
    }
}

/// Whether an effect is a bonus attack that is asked for after everything else of an attack, for all its roles.
pub(in crate::xwing::battle) fn is_bonus_played(effect: &Effect) -> bool {
    let mut roles = effect.on.role.parts(Window::Aftermath).iter();
    roles.all(|role| supports_bonus(*role, effect) == Support::Played)
}

/// Bonus attacks of the attacker and of the defender with weapons that the ship fires anyway.
fn supports_bonus(role: Role, effect: &Effect) -> Support {
    let Some(bonus) = bonus_of(effect).filter(|_| matches!(role, Role::Attacker | Role::Defender)) else {
        return Support::Asked;
    };
    let conditions = effect.conditions.iter().all(|condition| match condition {
        Predicate::Result(test) => Fought::tells(test),
        condition => condition_is_known(condition, Window::AttackDamage),
    });
    let costs = effect.cost.iter().all(|cost| match cost {
        Cost::Charge(Amount::Fixed(_)) | Cost::Force(Amount::Fixed(_)) => true,
        Cost::Gain(gain) => {
            let others = [gain.strain, gain.deplete, gain.disarm, gain.ion, gain.tractor];
            gain.who.is_own() && others == [0; 5]
        }
        _ => false,
    });
    let target = matches!(
        bonus.target,
        None | Some(
            BonusTarget::Other
                | BonusTarget::OtherOrSameIfMissed
                | BonusTarget::Same
                | BonusTarget::Attacker
                | BonusTarget::Defender
        )
    );
    let weapon = knows_weapon(&bonus.weapon) && !bonus.weapon.0.iter().any(|term| term.kind == Some(WeaponWord::This));
    match conditions && costs && target && weapon {
        true => Support::Played,
        false => Support::Asked,
    }
}

fn plays(window: Window, role: Role) -> bool {
    match role {
        Role::Own | Role::Friend => window == Window::DamageWould,
        Role::Attacker
        | Role::Defender
        | Role::FriendAttacks
        | Role::FriendDefends
        | Role::EnemyAttacks
        | Role::EnemyDefends => window != Window::DamageWould,
        _ => false,
    }
}

/// Whether anything in it is of the attack: an effect that only gives tokens at its moments is not played here.
fn touches_the_attack(steps: &[Primitive]) -> bool {
    steps.iter().any(|step| match step {
        Primitive::OpponentChoice(options) | Primitive::OwnerChoice(options) => {
            options.iter().any(|option| touches_the_attack(option))
        }
        Primitive::GainToken(gained) => gained.token.iter().all(|word| counts_for_dice(*word)),
        Primitive::RemoveToken(removed) => removed.token.iter().all(|word| counts_for_dice(*word)),
        Primitive::DealDamage(_) | Primitive::HiddenInformation(_) => false,
        _ => true,
    })
}

fn counts_for_dice(word: TokenWord) -> bool {
    matches!(word, TokenWord::Focus | TokenWord::Evade | TokenWord::Calculate)
}

fn condition_is_known(condition: &Predicate, window: Window) -> bool {
    match condition {
        Predicate::AllOf(inner) => inner.iter().all(|inner| condition_is_known(inner, window)),
        Predicate::Result(test) => match test {
            ResultTest::Hit
            | ResultTest::ResultsAtLeast(_)
            | ResultTest::ResultsExceedShields
            | ResultTest::OnlyBlank => true,
            ResultTest::DiceAtMost(_) => !matches!(window, Window::AttackRoll | Window::DefenseRoll),
            _ => false,
        },
        Predicate::Event(words) if window == Window::DamageWould => {
            matches!(
                words.0.as_slice(),
                [EventWord::Damage | EventWord::Hit | EventWord::Crit]
            )
        }
        Predicate::Event(_) | Predicate::Action(_) | Predicate::Maneuver(_) | Predicate::Token(_) => false,
        _ => knows(condition),
    }
}

/// Whether a selector means one ship.
fn is_one(selector: &Selector) -> bool {
    let one = match selector {
        Selector::Named(_) => true,
        Selector::Party(party) => matches!(
            party,
            Party::Own | Party::Subject | Party::Other | Party::Attacker | Party::Defender | Party::Target
        ),
    };
    one && knows_selector(selector)
}

fn number_is_known(amount: &Amount) -> bool {
    match amount {
        Amount::Fixed(_) => true,
        Amount::ForEach(query) => knows_query(query),
        _ => false,
    }
}

fn cost_is_known(cost: &Cost) -> bool {
    match cost {
        Cost::Charge(amount) | Cost::Force(amount) | Cost::Shield(amount) => number_is_known(amount),
        Cost::Spend(spend) => {
            let words = spend.token.iter().flat_map(|word| word.kinds());
            let mut words = words.peekable();
            words.peek().is_some()
                && words.all(|word| *word != TokenWord::EnemyLock)
                && number_is_known(&spend.n)
                && is_one(&spend.from)
        }
        Cost::Gain(gain) => is_one(&gain.who),
        Cost::Suffer(suffer) => is_one(&suffer.who),
        Cost::Die(die) => number_is_known(&die.n) && faces_are_known(&die.faces.0),
        Cost::Either(prices) => prices.iter().flatten().all(cost_is_known),
        _ => false,
    }
}

fn faces_are_known(faces: &[FaceWord]) -> bool {
    let known = |face: &FaceWord| !matches!(face, FaceWord::Matching | FaceWord::Named);
    faces.iter().all(known)
}

fn count_is_known(n: Option<&Amount>, up_to: Option<&Amount>) -> bool {
    let known =
        |amount: &Amount| matches!(amount, Amount::All | Amount::Any | Amount::Between(..)) || number_is_known(amount);
    n.is_none_or(known) && up_to.is_none_or(known) && n.is_some() != up_to.is_some()
}

fn steps_are_known(steps: &[Primitive], window: Window) -> bool {
    let mut rest = steps.iter().peekable();
    while let Some(step) = rest.next() {
        let known = match (step, rest.peek()) {
            (Primitive::OwnerChoice(options), _) => options.iter().all(|option| steps_are_known(option, window)),
            (Primitive::HiddenInformation(hidden), Some(Primitive::AddResult(added))) => {
                rest.next();
                hidden.what == Hidden::GuessNumber
                    && window == Window::DefenseRoll
                    && added.face == FaceWord::Evade
                    && added.n.is_one()
            }
            _ => step_is_known(step, window),
        };
        if !known {
            return false;
        }
    }
    contest_window(window).is_some()
}

fn step_is_known(step: &Primitive, window: Window) -> bool {
    match step {
        Primitive::DiceCount(count) => count.dice != Pool::Check,
        Primitive::DiceLimit(limit) => {
            let bounds = [&limit.min, &limit.max];
            limit.dice != Pool::Check && bounds.into_iter().flatten().all(number_is_known)
        }
        Primitive::Reroll(reroll) => {
            !reroll.uncounted
                && reroll.dice != Pool::Check
                && faces_are_known(&reroll.faces.0)
                && count_is_known(reroll.n.as_ref(), reroll.up_to.as_ref())
        }
        Primitive::ChangeResult(change) => {
            change.by.is_none()
                && change.to != FaceWord::Any
                && faces_are_known(&change.from.0)
                && faces_are_known(&[change.to])
                && count_is_known(change.n.as_ref(), change.up_to.as_ref())
        }
        Primitive::AddResult(added) => {
            added.face != FaceWord::Any && faces_are_known(&[added.face]) && number_is_known(&added.n)
        }
        Primitive::CancelResult(cancel) => faces_are_known(&cancel.faces.0) && count_is_known(Some(&cancel.n), None),
        Primitive::PreventDamage(prevent) => {
            window == Window::DamageWould && is_one(&prevent.who) && count_is_known(Some(&prevent.n), None)
        }
        Primitive::RestrictModification(rule) => restriction_is_known(rule),
        Primitive::NeutralizeOrder(_) | Primitive::RangeBonus(_) | Primitive::TreatAsHit(_) => true,
        Primitive::DealDamage(dealt) => dealt.matching == 0 && dealt.facedown == 0 && is_one(&dealt.who),
        Primitive::LendResource(lent) => {
            // Evade tokens are of no use on attack dice, and are not lent for them.
            let known = |what: &Lent| {
                matches!(
                    what,
                    Lent::Focus | Lent::Evade | Lent::Calculate | Lent::Force | Lent::ForceAsDefault
                )
            };
            lent.what.iter().all(known) && lent.instead_of.is_empty() && is_one(&lent.owner) && is_one(&lent.spender)
        }
        Primitive::GainToken(gained) => {
            single_token(&gained.token.0) && number_is_known(&gained.n) && is_one(&gained.who)
        }
        Primitive::RemoveToken(removed) => {
            single_token(&removed.token.0) && number_is_known(&removed.n) && is_one(&removed.who)
        }
        Primitive::Recover(recovered) => {
            let what = match recovered.what {
                Resource::Force => true,
                Resource::Charge => recovered.of.is_none() && recovered.who.is_own(),
                _ => false,
            };
            what && number_is_known(&recovered.n) && is_one(&recovered.who)
        }
        Primitive::InflictInstead(_) => true,
        Primitive::ForEach(each) => {
            let dice = |step: &Primitive| {
                matches!(
                    step,
                    Primitive::Reroll(_)
                        | Primitive::ChangeResult(_)
                        | Primitive::AddResult(_)
                        | Primitive::CancelResult(_)
                        | Primitive::DiceCount(_)
                ) && step_is_known(step, window)
            };
            knows_query(&each.of) && matches!(each.steps.as_slice(), [step] if dice(step))
        }
        _ => false,
    }
}

fn single_token(words: &[TokenWord]) -> bool {
    matches!(words, [word] if matches!(word.kinds(), [kind] if !matches!(kind, TokenWord::Lock | TokenWord::EnemyLock)))
}

fn restriction_is_known(rule: &RestrictModification) -> bool {
    let forbidden = rule.forbid.iter().all(|word| {
        matches!(
            word,
            Modification::All
                | Modification::Reroll
                | Modification::SpendFocus
                | Modification::SpendCalculate
                | Modification::SpendEvade
                | Modification::SpendGreen
                | Modification::SpendToken
                | Modification::SpendLock
                | Modification::LockReroll
        )
    });
    rule.max_rerolls.is_none() && forbidden && matches!(rule.only.0.as_slice(), [] | [Modification::Force])
}
