//! What of cards is played in an attack, told from the card alone: what `read` reads in every attack.

use super::{
    Fought,
    bonus::is_own_lock,
    gather::WINDOWS,
    read::{adds_a_matching_face, contest_window, rerolls_at_a_price},
};
use crate::xwing::{
    battle::conditions::{knows, knows_query, knows_selector, knows_weapon},
    effects::{
        Amount, Cost, Effect, Predicate, Primitive, Role, Selector, Support, TokenWord, Window,
        cost::ChargedCard,
        effect::Duration,
        predicate::{EventWord, ResultTest},
        primitive::{
            BonusAttack, BonusTarget, DamageCardRuleWord, FaceWord, Hidden, Lent, Modification, Pool, Resource,
            RestrictModification, Stat, WeaponRule,
        },
        selector::Party,
        weapon::{WeaponFilter, WeaponTerm, WeaponWord},
    },
};

/// What is made of an effect in a window of an attack, for a ship of a role. Windows that are none of an attack are asked.
pub fn supports(window: Window, role: Role, effect: &Effect) -> Support {
    match window {
        Window::Aftermath => return supports_bonus(role, effect),
        Window::AttackDeclare => return super::permits::supports(role, effect),
        _ => {}
    }
    if !WINDOWS.contains(&window) || !plays(window, role) || effect.is_asked() {
        return Support::Asked;
    }
    let lasts = !matches!(effect.until, None | Some(Duration::Attack));
    let replaces = effect.replaces != (window == Window::DamageWould);
    let chosen = match effect.choose.0.as_slice() {
        [] => true,
        [query] => (query.count.is_one() || matches!(query.count, Amount::All | Amount::Any)) && knows_query(query),
        _ => false,
    };
    let conditions = effect
        .conditions
        .iter()
        .all(|condition| condition_is_known(condition, window, effect));
    let paid = effect.cost.iter().all(cost_is_known);
    let steps = match effect.steps.as_slice() {
        [Primitive::OpponentChoice(options)] => {
            let at_once = effect.cost.is_empty() && !effect.may;
            let answered = at_once || matches!(window, Window::AttackModify | Window::DefenseModify);
            let mut options = options.iter().filter(|option| !option.is_empty());
            answered && options.all(|option| steps_are_known(option, window))
        }
        steps => rerolls_at_a_price(steps).is_some() || steps_are_known(steps, window),
    };
    if lasts || replaces || !chosen || !conditions || !paid || !steps {
        return Support::Asked;
    }
    match window {
        // Damage that does not come from an attack is not replaced here.
        Window::DamageWould if role != Role::Defender => Support::Partly,
        _ => Support::Played,
    }
}

/// A bonus attack that an effect gives, with all that it says of it.
#[derive(Debug, Clone)]
pub(super) struct Given<'e> {
    pub bonus: &'e BonusAttack,
    /// The weapons, where the card does not ask for another one than before.
    pub weapon: WeaponFilter,
    /// Whether it must be another weapon than the one of the attack before.
    pub another_weapon: bool,
    /// Whether the weapon's header asks for nothing.
    pub waived: bool,
    /// Whether the weapon's own charges are not paid: the price of the effect stands for them.
    pub free: bool,
    /// Tokens that the ship gains after the attack.
    pub gains_after: Vec<(TokenWord, u8)>,
}

/// The bonus attack that an effect gives; `None` for one that does more than is played of it.
pub(super) fn bonus_of(effect: &Effect) -> Option<Given<'_>> {
    let (first, rest) = effect.steps.split_first()?;
    let Primitive::BonusAttack(bonus) = first else {
        return None;
    };
    if effect.choose.0.len() > 1 || !bonus.who.is_own() || effect.until.is_some() {
        return None;
    }
    let others = |term: &WeaponTerm| term.kind == Some(WeaponWord::Other);
    let another_weapon = bonus.weapon.0.iter().any(others);
    let mut weapon = bonus.weapon.clone();
    for term in &mut weapon.0 {
        if others(term) {
            term.kind = Some(WeaponWord::Any);
        }
    }
    let mut given = Given {
        bonus,
        weapon,
        another_weapon,
        waived: false,
        free: bonus.weapon.0.iter().any(|term| term.kind == Some(WeaponWord::This))
            && effect.cost.iter().any(|cost| matches!(cost, Cost::Charge(_))),
        gains_after: Vec::new(),
    };
    for step in rest {
        match step {
            Primitive::WeaponRule(rules) if rules.0 == [WeaponRule::IgnoreRequirement] => given.waived = true,
            Primitive::GainToken(gained) if gained.who.is_own() && single_token(&gained.token.0) => {
                given
                    .gains_after
                    .push((*gained.token.iter().next()?, gained.n.at_most()?));
            }
            _ => return None,
        }
    }
    Some(given)
}

/// Whether an effect is a bonus attack that is asked for after everything else of an attack, for all its roles.
pub(in crate::xwing::battle) fn is_bonus_played(effect: &Effect) -> bool {
    let mut roles = effect.on.role.parts(Window::Aftermath).iter();
    roles.all(|role| supports_bonus(*role, effect) == Support::Played)
}

/// Bonus attacks with weapons that the ship has.
fn supports_bonus(role: Role, effect: &Effect) -> Support {
    let attacks = matches!(
        role,
        Role::Attacker
            | Role::Defender
            | Role::FriendAttacks
            | Role::FriendDefends
            | Role::EnemyAttacks
            | Role::EnemyDefends
    );
    let Some(given) = bonus_of(effect).filter(|_| attacks) else {
        return Support::Asked;
    };
    let conditions = effect.conditions.iter().all(|condition| match condition {
        Predicate::Result(test) => Fought::tells(test),
        condition => condition_is_known(condition, Window::AttackDamage, effect),
    });
    let costs = effect.cost.iter().all(|cost| match cost {
        Cost::Charge(Amount::Fixed(_)) | Cost::Force(Amount::Fixed(_)) => true,
        Cost::Gain(gain) => gain.who.is_own(),
        Cost::Spend(spend) => is_own_lock(spend) && given.bonus.target == Some(BonusTarget::Same),
        _ => false,
    });
    let target = matches!(
        given.bonus.target,
        None | Some(
            BonusTarget::Other
                | BonusTarget::OtherOrSameIfMissed
                | BonusTarget::Same
                | BonusTarget::Attacker
                | BonusTarget::Defender
                | BonusTarget::NotYetAttacked
                | BonusTarget::UnusedArc
        )
    );
    let chosen = effect.choose.iter().all(knows_query);
    match conditions && costs && target && chosen && knows_weapon(&given.weapon) {
        true => Support::Played,
        false => Support::Asked,
    }
}

fn plays(window: Window, role: Role) -> bool {
    match role {
        Role::Own | Role::Friend | Role::Enemy => window == Window::DamageWould,
        Role::Defender => true,
        Role::AnyShip
        | Role::Attacker
        | Role::FriendAttacks
        | Role::FriendDefends
        | Role::EnemyAttacks
        | Role::EnemyDefends => window != Window::DamageWould,
        _ => false,
    }
}

fn condition_is_known(condition: &Predicate, window: Window, effect: &Effect) -> bool {
    match condition {
        Predicate::AllOf(inner) => inner.iter().all(|inner| condition_is_known(inner, window, effect)),
        Predicate::Result(test) => match test {
            ResultTest::Hit
            | ResultTest::ResultsAtLeast(_)
            | ResultTest::ResultsExceedShields
            | ResultTest::OnlyBlank
            | ResultTest::AttackerModifiedDice
            | ResultTest::DiceAtMost(_) => true,
            ResultTest::SameFaces => adds_a_matching_face(effect),
            _ => false,
        },
        Predicate::Event(words) if window == Window::DamageWould => {
            matches!(
                words.0.as_slice(),
                [EventWord::Damage
                    | EventWord::Hit
                    | EventWord::Crit
                    | EventWord::FaceupCard
                    | EventWord::FacedownCard]
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
        Amount::ForEach(query) => match query.who {
            Party::OwnToken | Party::OtherToken | Party::FriendlyLockOnDefender => true,
            _ => knows_query(query),
        },
        _ => false,
    }
}

fn cost_is_known(cost: &Cost) -> bool {
    match cost {
        Cost::Charge(Amount::Any | Amount::Between(..)) => true,
        Cost::ChargeOf(charge) => charge.card != ChargedCard::Upgrade && number_is_known(&charge.n),
        Cost::Charge(amount) | Cost::Force(amount) | Cost::Shield(amount) => number_is_known(amount),
        Cost::Spend(spend) => {
            let words = spend.token.iter().flat_map(|word| word.kinds());
            let mut words = words.peekable();
            words.peek().is_some()
                && words.all(|word| *word != TokenWord::EnemyLock || !spend.from.is_own())
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
    let known = |amount: &Amount| {
        matches!(
            amount,
            Amount::All | Amount::Any | Amount::Between(..) | Amount::Matching
        ) || number_is_known(amount)
    };
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
            let by_results = window == Window::AttackDeclared
                && limit.dice == Pool::Defence
                && limit.min.is_none()
                && limit.max == Some(Amount::Matching);
            limit.dice != Pool::Check && (by_results || bounds.into_iter().flatten().all(number_is_known))
        }
        Primitive::Reroll(reroll) => {
            (!reroll.uncounted || reroll.n == Some(Amount::All) && reroll.faces.is_empty())
                && reroll.dice != Pool::Check
                && faces_are_known(&reroll.faces.0)
                && count_is_known(reroll.n.as_ref(), reroll.up_to.as_ref())
        }
        // A face that is named before the roll.
        Primitive::ChangeResult(change) if change.to == FaceWord::Named => {
            matches!(window, Window::AttackRoll | Window::DefenseRoll)
                && change.by.is_none()
                && change.from.0 == [FaceWord::Any]
                && change.n == Some(Amount::Fixed(1))
        }
        Primitive::ChangeResult(change) => {
            change.by.as_ref().is_none_or(is_one)
                && change.to != FaceWord::Any
                && faces_are_known(&change.from.0)
                && faces_are_known(&[change.to])
                && count_is_known(change.n.as_ref(), change.up_to.as_ref())
        }
        // The face that all dice show.
        Primitive::AddResult(added) if added.face == FaceWord::Matching => number_is_known(&added.n),
        Primitive::AddResult(added) => {
            added.face != FaceWord::Any && faces_are_known(&[added.face]) && number_is_known(&added.n)
        }
        Primitive::CancelResult(cancel) => faces_are_known(&cancel.faces.0) && count_is_known(Some(&cancel.n), None),
        Primitive::PreventDamage(prevent) => {
            window == Window::DamageWould && is_one(&prevent.who) && count_is_known(Some(&prevent.n), None)
        }
        Primitive::DamageCardRule(rule) => {
            let turned = matches!(rule.rule, DamageCardRuleWord::Facedown | DamageCardRuleWord::Faceup);
            window == Window::DamageWould && turned && is_one(&rule.who)
        }
        Primitive::Expose(exposed) => is_one(&exposed.who) && number_is_known(&exposed.n),
        Primitive::Lose(lost) => lost.what == Resource::Shield && is_one(&lost.who) && number_is_known(&lost.n),
        Primitive::AcquireLock(lock) => knows_selector(&lock.who) && is_one(&lock.on),
        Primitive::RotateArc(rotate) => is_one(&rotate.who) && rotate.to.as_ref().is_some_and(is_one),
        Primitive::TransferToken(moved) => {
            is_one(&moved.from) && is_one(&moved.to) && number_is_known(&moved.n) && words_are_known(&moved.token.0)
        }
        Primitive::StatChange(change) => change.stat == Stat::AgilityAsSpeed && window == Window::DefenseRoll,
        Primitive::HiddenInformation(hidden) => hidden.what == Hidden::OwnChoiceOfCard,
        Primitive::RestrictModification(rule) => restriction_is_known(rule),
        Primitive::ObstructionRule(_) => window == Window::AttackDeclared,
        Primitive::NeutralizeOrder(_) | Primitive::RangeBonus(_) | Primitive::TreatAsHit(_) => true,
        Primitive::DealDamage(dealt) => is_one(&dealt.who),
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
            let count = gained.n == Amount::Matching || number_is_known(&gained.n);
            single_token(&gained.token.0) && count && is_one(&gained.who)
        }
        Primitive::RemoveToken(removed) => {
            words_are_known(&removed.token.0) && number_is_known(&removed.n) && is_one(&removed.who)
        }
        Primitive::Recover(recovered) => {
            let what = match recovered.what {
                Resource::Force | Resource::Shield => true,
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

/// Whether the kinds of tokens that words cover are known.
fn words_are_known(words: &[TokenWord]) -> bool {
    !words.is_empty() && words.iter().all(|word| !word.kinds().is_empty())
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
                | Modification::SecondFocus
        )
    });
    let named = rule.forbid.0 == [Modification::SpendNamed];
    (forbidden || named) && matches!(rule.only.0.as_slice(), [] | [Modification::Force])
}
