//! Which effects are played at the moments outside an attack: the coverage of cards is reckoned by this, and what is not
//! played is asked.

use crate::xwing::{
    battle::{
        attack::Fought,
        conditions::{Scene, kind_of, knows, knows_maneuver, knows_query, knows_selector, knows_weapon},
        queue::{
            reveal,
            standing::{fixed_initiative, is_about_boosts, is_daring, names_actions},
        },
    },
    effects::{
        Amount, Cost, Effect, Predicate, Primitive, Role, Selector, State, Support, TokenWord, Window,
        predicate::ActionWord,
        primitive::{
            ActionRule, ArcRuleWord, BonusAttack, BonusTarget, CardWord, Flipped, Hidden, IgnoreObstacles,
            InitiativeWord, LockRule, Move, Pool, RepairedCard, Resource, Stat, StepRule, StressPermission, WeaponRule,
        },
        selector::Party,
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
    Window::WhileManeuver,
    Window::ActionHeader,
    Window::AfterManeuver,
    Window::AfterAction,
    Window::AfterActivate,
    Window::ActivationPhaseEnd,
    Window::EngagementStart,
    Window::BeforeEngage,
    Window::EngagementInitiative,
    Window::AfterEngage,
    Window::EngagementEnd,
    Window::EndPhaseStart,
    Window::EndPhase,
    Window::EndPhaseEnd,
    Window::Aftermath,
    Window::TokenGained,
    Window::TokenRemoved,
    Window::LockAcquired,
    Window::DamageSuffered,
    Window::RepositionEvent,
    Window::ShipDestroyed,
    Window::DamageCardEvent,
];

/// What the queue declares: what it makes of an effect at a moment, for a ship of a role.
pub fn supports(window: Window, role: Role, effect: &Effect) -> Support {
    let played = match window {
        Window::Passive | Window::WhileAction => is_standing(window, effect),
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
        && effect.steps.iter().all(|step| lasts(step) == effect.until.is_some())
        && effect.on.window.iter().all(|window| fits(*window, effect))
        && !effect.replaces
}

/// Whether what a step does lasts until something is over, so that the effect must say until when.
fn lasts(step: &Primitive) -> bool {
    matches!(
        step,
        Primitive::Initiative(_)
            | Primitive::StressPermission(_)
            | Primitive::IgnoreObstacles(_)
            | Primitive::LockRule(_)
    )
}

/// Whether what belongs to certain moments only stands in one of those.
fn fits(window: Window, effect: &Effect) -> bool {
    let changes = |step: &Primitive| matches!(step, Primitive::ChangeManeuver(_) | Primitive::ChangeDifficulty(_));
    let before_the_move = matches!(
        window,
        Window::AfterReveal | Window::BeforeManeuver | Window::WhileManeuver
    );
    let in_the_end = matches!(window, Window::EndPhaseStart | Window::EndPhase);
    let keeps = |step: &Primitive| matches!(step, Primitive::KeepToken(_));
    let bars = |step: &Primitive| match step {
        Primitive::StepRule(rules) => !rules.contains(&StepRule::PassiveSensorsOn),
        _ => false,
    };
    let steps = &effect.steps;
    let attacks = |step: &Primitive| matches!(step, Primitive::BonusAttack(_));
    let can_attack = matches!(
        window,
        Window::EngagementInitiative
            | Window::BeforeEngage
            | Window::AfterEngage
            | Window::DamageSuffered
            | Window::AfterManeuver
    );
    // While the maneuver is executed it may become another one, and nothing else.
    (window != Window::WhileManeuver || steps.iter().all(changes))
        && (before_the_move || !steps.iter().any(changes))
        && (can_attack || !steps.iter().any(attacks))
        && (in_the_end || !steps.iter().any(keeps))
        && (before_the_move || window == Window::BeforeReveal || !steps.iter().any(bars))
        && (window == Window::ActionHeader) == effect.cost.contains(&Cost::Action)
}

/// Whom a bonus attack has to be against, if the card says so.
pub(super) fn bonus_target(attack: &BonusAttack, scene: &Scene<'_>) -> Option<usize> {
    match attack.target {
        Some(BonusTarget::Subject) => scene.occasion.subject,
        _ => scene.chosen.0.first().and_then(|(_, ships)| ships.first().copied()),
    }
}

/// By how many steps an effect makes the maneuver harder that it changes.
pub(super) fn made_harder(steps: &[Primitive]) -> i8 {
    let each = steps.iter().map(|step| match step {
        Primitive::ChangeDifficulty(change) => change.by.unwrap_or(0),
        _ => 0,
    });
    each.sum()
}

/// Whether a constant effect is in force as the card says.
pub(super) fn is_standing(window: Window, effect: &Effect) -> bool {
    let colors = |step: &Primitive| match step {
        Primitive::ActionRule(rules) => {
            let colored = |rule: &ActionRule| matches!(rule, ActionRule::AsRed | ActionRule::RedAsWhite);
            rules.iter().any(colored)
        }
        _ => false,
    };
    let names = effect.conditions.iter().any(names_actions);
    // A rule of actions says of which ones; it is no choice, but for boosts by turns.
    let by_turns = |step: &Primitive| match step {
        Primitive::ActionRule(rules) => rules.contains(&ActionRule::TemplateTurn1),
        _ => false,
    };
    if is_about_boosts(effect) && effect.cost.is_empty() && effect.steps.iter().any(by_turns) {
        let free = effect.steps.len() == 1;
        return effect.on.role == Role::Own && window == Window::WhileAction && (free || is_daring(effect));
    }
    let fits = effect.steps.iter().all(|step| !colors(step) || (names && !effect.may));
    effect.on.role == Role::Own
        && effect.cost.is_empty()
        && effect.until.is_none()
        && effect.choose.is_empty()
        && fits
        && effect
            .conditions
            .iter()
            .all(|condition| match names_actions(condition) {
                true => window == Window::WhileAction,
                false => knows(condition),
            })
        && effect.steps.iter().all(stands)
}

/// Whether a constant step is carried out. Rules of squads have no part in a battle.
pub(super) fn stands(step: &Primitive) -> bool {
    match step {
        Primitive::ArcRule(rule) => matches!(rule.rule, ArcRuleWord::TurretFrontOrRear | ArcRuleWord::TurretNotRear),
        Primitive::ActionRule(rules) => rules.iter().all(|rule| {
            matches!(
                rule,
                ActionRule::OnlyFrontOrRear | ActionRule::AsRed | ActionRule::RedAsWhite
            )
        }),
        Primitive::IgnoreObstacles(words) => words.iter().all(|word| {
            matches!(
                word,
                IgnoreObstacles::AsteroidsMoving | IgnoreObstacles::Moving | IgnoreObstacles::Reposition
            )
        }),
        Primitive::LockRule(rules) => rules
            .iter()
            .all(|rule| matches!(rule, LockRule::Max2 | LockRule::Max3 | LockRule::CannotBeLocked)),
        Primitive::StressPermission(words) => words.iter().all(permits),
        Primitive::StepRule(rules) => rules.iter().all(|rule| {
            matches!(
                rule,
                StepRule::NoSlam
                    | StepRule::CannotBeCoordinated
                    | StepRule::OnlyFocusAndCardActions
                    | StepRule::OnlyDamageCardActions
                    | StepRule::NoBarActions
                    | StepRule::CannotAttack
                    | StepRule::NoStraights
                    | StepRule::NoPilotAbility
            )
        }),
        Primitive::Initiative(set) => set.who.is_own() && fixed_initiative(set.to).is_some(),
        Primitive::GrantAction(grant) => grant.who.is_own() && kind_of(grant.action).is_some(),
        Primitive::ChangeDifficulty(change) => {
            let filter = change.maneuvers.as_ref();
            let known = filter.is_some_and(|filter| knows_maneuver(filter) && filter.executed.is_empty());
            change.who.is_own() && known && change.by.is_some()
        }
        Primitive::WeaponRule(rules) => rules
            .iter()
            .all(|rule| matches!(rule, WeaponRule::MissileTurretArc | WeaponRule::CannonTurretArc)),
        Primitive::SquadRule(_) | Primitive::ShareAbility(_) => true,
        Primitive::StatChange(change) => matches!(change.stat, Stat::Agility | Stat::Attack),
        _ => false,
    }
}

/// Whether a permission while stressed is carried out.
fn permits(word: &StressPermission) -> bool {
    !matches!(
        word,
        StressPermission::OneAction | StressPermission::Coordinated | StressPermission::Ailerons
    )
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
        Cost::Action => true,
        Cost::ChargeOf(_) | Cost::Energy(_) | Cost::Die(_) | Cost::FlipThis | Cost::HarderManeuver(_) => false,
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
            who(&lose.who)
                && plays_amount(&lose.n)
                && plays_resource(lose.what, lose.of, &lose.who)
                && lose.of.is_none_or(|of| of == CardWord::This)
        }
        Primitive::PerformAction(perform) => {
            who(&perform.who) && perform.any_of.iter().all(|word| *word != ActionWord::DamageCard)
        }
        Primitive::RotateArc(rotate) => who(&rotate.who) && rotate.to.is_none(),
        Primitive::Reposition(moves) => who(&moves.who) && moves.any_of.iter().all(|word| *word != Move::Decloak),
        Primitive::RotateShip(rotate) => who(&rotate.who) && rotate.degrees.iter().all(|degrees| *degrees % 90 == 0),
        Primitive::DealDamage(deal) => who(&deal.who) && deal.matching == 0,
        Primitive::Repair(repair) => {
            let known = !matches!(repair.card, RepairedCard::Same | RepairedCard::FacedownThenFaceupShip);
            known && who(&repair.who) && plays_amount(&repair.n)
        }
        Primitive::Expose(expose) => who(&expose.who) && plays_amount(&expose.n),
        Primitive::Destroy(destroy) => who(&destroy.who),
        Primitive::DiscardWeapon(discard) => who(&discard.who),
        Primitive::OwnerChoice(branches) | Primitive::OpponentChoice(branches) => {
            branches.iter().flatten().all(plays_step)
        }
        Primitive::BonusAttack(attack) => {
            let target = matches!(attack.target, None | Some(BonusTarget::Target | BonusTarget::Subject));
            attack.who.is_own() && target && knows_weapon(&attack.weapon)
        }
        Primitive::KeepToken(keep) => who(&keep.who) && plays_amount(&keep.n) && gainable(&keep.token.0),
        Primitive::Condition(condition) => {
            let named = condition.assign.is_some() || condition.remove.is_some();
            named && who(&condition.to) && condition.one_of.is_empty() && !condition.facedown
        }
        Primitive::FlipCard(flip) => flip.card != Flipped::OfflineCards,
        Primitive::ChangeManeuver(words) => words.iter().all(|word| reveal::is_played(*word)),
        Primitive::ChangeDifficulty(change) => {
            let moving = change.who.is_own() || change.who == Selector::Party(Party::Subject);
            moving && change.by.is_some() && change.maneuvers.is_none()
        }
        Primitive::Initiative(set) => {
            let known = set.to == InitiativeWord::Equal || fixed_initiative(set.to).is_some();
            who(&set.who) && known
        }
        Primitive::StressPermission(_) | Primitive::IgnoreObstacles(_) | Primitive::LockRule(_) => stands(step),
        Primitive::StepRule(rules) => rules.iter().all(|rule| {
            matches!(
                rule,
                StepRule::NoMoreActions | StepRule::SkipAction | StepRule::PassiveSensorsOn
            )
        }),
        // SA-1: solo ships have no dials to look at, and look at none.
        Primitive::HiddenInformation(hidden) => matches!(hidden.what, Hidden::Dial | Hidden::Reveal),
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
        Resource::Charge => who.is_own() || of.is_some_and(|of| of != CardWord::This),
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
