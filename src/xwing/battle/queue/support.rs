//! Which effects are played at the moments outside an attack: the coverage of cards is reckoned by this, and what is not
//! played is asked.

use crate::xwing::{
    battle::{
        attack::Fought,
        conditions::{knows, knows_query, knows_selector},
    },
    effects::{
        Amount, Cost, Effect, Predicate, Primitive, Role, Selector, State, Support, TokenWord, Window,
        predicate::ActionWord,
        primitive::{
            ActionRule, ArcRuleWord, CardWord, IgnoreObstacles, Move, Pool, RepairedCard, Resource, WeaponRule,
        },
    },
};

/// The moments at which effects are played here.
pub const WINDOWS: &[Window] = &[
    Window::Setup,
    Window::RoundStart,
    Window::SystemPhase,
    Window::ActivationPhaseStart,
    Window::BeforeActivate,
    Window::BeforeReveal,
    Window::AfterReveal,
    Window::BeforeManeuver,
    Window::AfterManeuver,
    Window::AfterAction,
    Window::AfterActivate,
    Window::ActivationPhaseEnd,
    Window::EngagementStart,
    Window::BeforeEngage,
    Window::AfterEngage,
    Window::EngagementEnd,
    Window::EndPhaseStart,
    Window::EndPhaseEnd,
    Window::Aftermath,
    Window::TokenGained,
    Window::TokenRemoved,
    Window::LockAcquired,
    Window::DamageSuffered,
    Window::RepositionEvent,
];

/// What the queue declares: what it makes of an effect at a moment, for a ship of a role.
pub fn supports(window: Window, role: Role, effect: &Effect) -> Support {
    let played = match window {
        Window::Passive | Window::WhileAction => is_standing(effect),
        _ => WINDOWS.contains(&window) && plays_role(window, role) && is_played(effect),
    };
    if played { Support::Played } else { Support::Asked }
}

/// Whether what an effect says is carried out whole by the queue, at the moments at which it plays.
pub(super) fn is_played(effect: &Effect) -> bool {
    !effect.is_asked()
        && effect
            .conditions
            .iter()
            .all(|condition| knows_after(condition, &effect.on.window.0))
        && effect.choose.0.len() <= 2
        && effect.choose.iter().all(knows_query)
        && effect.cost.iter().all(plays_cost)
        && effect.steps.iter().all(plays_step)
        && effect.until.is_none()
        && !effect.replaces
}

/// Whether a constant effect is in force as the card says.
fn is_standing(effect: &Effect) -> bool {
    effect.on.role == Role::Own
        && effect.conditions.is_empty()
        && effect.cost.is_empty()
        && effect.steps.iter().all(stands)
}

/// Whether a constant step is carried out. Rules of squads have no part in a battle.
pub(super) fn stands(step: &Primitive) -> bool {
    match step {
        Primitive::ArcRule(rule) => matches!(rule.rule, ArcRuleWord::TurretFrontOrRear | ArcRuleWord::TurretNotRear),
        Primitive::ActionRule(rules) => rules.iter().all(|rule| *rule == ActionRule::OnlyFrontOrRear),
        Primitive::IgnoreObstacles(words) => words
            .iter()
            .all(|word| matches!(word, IgnoreObstacles::AsteroidsMoving | IgnoreObstacles::Moving)),
        Primitive::WeaponRule(rules) => rules
            .iter()
            .all(|rule| matches!(rule, WeaponRule::MissileTurretArc | WeaponRule::CannonTurretArc)),
        Primitive::SquadRule(_) | Primitive::ShareAbility(_) => true,
        _ => false,
    }
}

/// Whether a condition is answered at those moments: how an attack ended is known after it, and then only.
fn knows_after(condition: &Predicate, windows: &[Window]) -> bool {
    let after_attacks = windows.iter().all(|window| *window == Window::Aftermath);
    match condition {
        Predicate::Not(inner) => knows_after(inner, windows),
        Predicate::AnyOf(inner) | Predicate::AllOf(inner) => inner.iter().all(|inner| knows_after(inner, windows)),
        Predicate::Result(test) => after_attacks && Fought::tells(test),
        Predicate::Own(State::SpentCalculate | State::SpentGreen) => after_attacks,
        condition => knows(condition),
    }
}

fn plays_role(window: Window, role: Role) -> bool {
    match role {
        Role::Attacker
        | Role::Defender
        | Role::FriendAttacks
        | Role::FriendDefends
        | Role::EnemyAttacks
        | Role::EnemyDefends => window == Window::Aftermath,
        Role::Own | Role::Friend | Role::Enemy | Role::AnyShip => window != Window::Aftermath,
        _ => false,
    }
}

fn plays_amount(amount: &Amount) -> bool {
    match amount {
        Amount::Fixed(_) | Amount::Between(..) | Amount::All | Amount::Any => true,
        Amount::Matching => false,
        Amount::ForEach(query) => knows_query(query),
    }
}

fn plays_cost(cost: &Cost) -> bool {
    let counted = |amount: &Amount| matches!(amount, Amount::Fixed(_));
    match cost {
        Cost::Charge(amount) | Cost::Force(amount) | Cost::Shield(amount) | Cost::Expose(amount) => counted(amount),
        Cost::Spend(spend) => {
            counted(&spend.n)
                && knows_selector(&spend.from)
                && spend.on.as_ref().is_none_or(knows_selector)
                && single_kinds(&spend.token.0)
        }
        Cost::Gain(gain) => knows_selector(&gain.who),
        Cost::Suffer(suffer) => suffer.matching == 0 && knows_selector(&suffer.who),
        Cost::Either(ways) => ways.iter().flatten().all(plays_cost),
        Cost::Action
        | Cost::ChargeOf(_)
        | Cost::Energy(_)
        | Cost::Die(_)
        | Cost::FlipThis
        | Cost::HarderManeuver(_) => false,
    }
}

fn single_kinds(words: &[TokenWord]) -> bool {
    words.iter().all(|word| !word.kinds().is_empty())
}

/// Whether tokens of such kinds can be gained: locks are acquired in another way.
fn gainable(words: &[TokenWord]) -> bool {
    let locks = |kind: &TokenWord| matches!(kind, TokenWord::Lock | TokenWord::EnemyLock);
    single_kinds(words) && !words.iter().flat_map(|word| word.kinds()).any(locks)
}

fn plays_step(step: &Primitive) -> bool {
    let who = |selector: &Selector| knows_selector(selector);
    match step {
        Primitive::GainToken(gain) => who(&gain.who) && plays_amount(&gain.n) && gainable(&gain.token.0),
        Primitive::RemoveToken(remove) => who(&remove.who) && plays_amount(&remove.n) && single_kinds(&remove.token.0),
        Primitive::TransferToken(transfer) => {
            who(&transfer.from) && who(&transfer.to) && plays_amount(&transfer.n) && gainable(&transfer.token.0)
        }
        Primitive::AcquireLock(lock) => who(&lock.who) && who(&lock.on),
        Primitive::Recover(recover) => {
            who(&recover.who) && plays_amount(&recover.n) && plays_resource(recover.what, recover.of, &recover.who)
        }
        Primitive::Lose(lose) => {
            who(&lose.who) && plays_amount(&lose.n) && plays_resource(lose.what, lose.of, &lose.who)
        }
        Primitive::PerformAction(perform) => {
            who(&perform.who) && perform.any_of.iter().all(|word| *word != ActionWord::DamageCard)
        }
        Primitive::RotateArc(rotate) => who(&rotate.who) && rotate.to.is_none(),
        Primitive::Reposition(moves) => who(&moves.who) && moves.any_of.iter().all(|word| *word != Move::Decloak),
        Primitive::DealDamage(deal) => who(&deal.who) && deal.matching == 0,
        Primitive::Repair(repair) => {
            let known = !matches!(
                repair.card,
                RepairedCard::This | RepairedCard::Same | RepairedCard::FacedownThenFaceupShip
            );
            known && who(&repair.who) && plays_amount(&repair.n)
        }
        Primitive::Expose(expose) => who(&expose.who) && plays_amount(&expose.n),
        Primitive::Destroy(destroy) => who(&destroy.who),
        Primitive::OwnerChoice(branches) | Primitive::OpponentChoice(branches) => {
            branches.iter().flatten().all(plays_step)
        }
        Primitive::ForEach(each) => knows_query(&each.of) && each.steps.iter().all(plays_step),
        Primitive::RollCheck(check) => {
            matches!(check.dice, Pool::Attack | Pool::Defence)
                && plays_amount(&check.n)
                && check.branches.iter().flat_map(|branch| &branch.steps).all(plays_step)
        }
        _ => false,
    }
}

fn plays_resource(what: Resource, of: Option<CardWord>, who: &Selector) -> bool {
    match what {
        Resource::Charge => of.is_none_or(|of| of == CardWord::This) && who.is_own(),
        Resource::Force | Resource::Shield => true,
        Resource::Energy | Resource::Recovery => false,
    }
}

/// Whether an effect puts a device on the table: those have rules of their own and never enter the queue.
pub(super) fn is_of_devices(effect: &Effect) -> bool {
    let steps = &effect.steps;
    steps
        .iter()
        .any(|step| matches!(step, Primitive::PlaceDevice(_) | Primitive::DeviceRule(_)))
}
