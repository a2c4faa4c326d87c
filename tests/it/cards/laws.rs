//! The law of effects in fights at random: nothing is ever offered that cannot be paid, or that would do nothing.

use std::sync::Arc;

use tallyho::{
    dice::{DiceSource, SeededDice},
    sim::{Commanders, Plan},
    xwing::{
        battle::{Answer, Battle, Choice, Event, Mission, Request},
        catalog::{Catalog, PilotFacts},
        combat::contest::{Change, Price, Step},
        scenario::{Scenario, muster::Wishes},
    },
};

use crate::random_squads::{FACTIONS, flyable, squad};

/// What was looked at.
#[derive(Debug, Default)]
pub(super) struct Looked {
    pub steps: u32,
    pub uses: u32,
}

/// Whether what an effect of an attack does can be seen: in the state that follows, or beside it.
pub(super) fn check_steps(battle: &Battle, looked: &mut Looked) {
    let Some(windows) = battle.duel().and_then(|duel| duel.windows.as_ref()) else {
        return;
    };
    let (contest, state) = (&windows.cards.contest, windows.state);
    let Some((window, side, steps)) = windows.turn() else {
        return;
    };
    for step in steps.into_iter().filter(|step| *step != Step::DONE) {
        if state.under_way().is_some() {
            continue;
        }
        looked.steps += 1;
        let effect = &contest.effects()[usize::from(step.effect.expect("an effect"))];
        let what = || {
            format!(
                "{window:?} of {side:?}: {} ({effect:?}) in {state:?}",
                windows.words(step)
            )
        };
        assert_eq!(effect.side, side, "{}", what());
        for price in &effect.price {
            let (place, count) = match *price {
                Price::Spend { resource, count } => (resource, count),
                Price::Suffer { life, damage } => (life, damage),
            };
            assert!(state.left(place) >= count, "cannot be paid: {}", what());
        }
        let after = contest.take(state, step);
        let beside = effect.does.iter().any(|change| {
            matches!(
                change,
                Change::Prize { .. }
                    | Change::Wound { .. }
                    | Change::Order(_)
                    | Change::Cap { .. }
                    | Change::Count { .. }
                    | Change::Limit { .. }
                    | Change::Guess { .. }
                    | Change::Strike { .. }
            )
        });
        let gained = effect.does.iter().any(|change| match *change {
            Change::Stock { resource, by } => by > 0 || state.left(resource) > 0,
            Change::Forbid { .. } => contest.bans(&after) != contest.bans(&state),
            _ => false,
        });
        let dice = after.attack_dice() != state.attack_dice() || after.defence_dice() != state.defence_dice();
        let goes_on = after.under_way().is_some();
        assert!(beside || gained || dice || goes_on, "does nothing: {}", what());
    }
}

/// Whether each way to use an effect outside of dice does anything beside being used.
pub(super) fn check_offer(battle: &Battle, request: &Request, looked: &mut Looked) {
    let Request::Effect(offer) = request else { return };
    assert!(!offer.choices.is_empty(), "{offer:?}");
    if offer.asks.is_some() {
        return;
    }
    for (place, choice) in offer.choices.iter().enumerate() {
        if !matches!(choice, Choice::Use { .. }) {
            continue;
        }
        looked.uses += 1;
        let mut used = battle.clone();
        let told = used.events().len();
        let mut dice = SeededDice::new(place as u64);
        let taken = used.answer(Answer::Effect(Some(place)), &mut dice);
        assert_eq!(taken, Ok(()), "{offer:?}");
        let does = |event: &Event| !matches!(event, Event::CardChoice { .. } | Event::CardUsed { .. });
        let asked = matches!(used.pending(), Some(Request::CardAction(_)))
            || matches!(used.pending(), Some(Request::Effect(next)) if next.card == offer.card);
        assert!(
            asked || used.events()[told..].iter().any(does),
            "{choice} does nothing: {offer:?}"
        );
    }
}

fn fight(number: u64, pilots: &[Vec<&PilotFacts>], looked: &mut Looked) {
    let mut dice = SeededDice::new(0x5eed + number);
    let (player, solo) = (dice.choose(FACTIONS.len()), dice.choose(FACTIONS.len()));
    let wishes = Wishes {
        faction: FACTIONS[player].to_owned(),
        enemy: FACTIONS[solo].to_owned(),
        player_ships: 2,
        squad: Some(squad(FACTIONS[player], &pilots[player], 3, &mut dice)),
        enemy_squad: Some(squad(FACTIONS[solo], &pilots[solo], 6, &mut dice)),
        ..Wishes::default()
    };
    let mission = Mission::new(Scenario::intro().clone(), Catalog::embedded(), &wishes).expect("a scenario");
    let mut setup = Mission::open(&Arc::new(mission), Catalog::embedded(), number)
        .expect("a table")
        .setup;
    setup.rounds = Some(6);
    let mut battle = Battle::new(setup, &mut dice).expect("a battle");
    let mut commanders = Commanders::new(&Plan::of(Vec::new()));
    while let Some(request) = battle.pending().cloned() {
        check_steps(&battle, looked);
        check_offer(&battle, &request, looked);
        let answer = commanders.answer(&battle, &request, &mut dice);
        battle.answer(answer, &mut dice).expect("the rules allow it");
    }
}

#[test]
fn sa_12_nothing_is_offered_that_cannot_be_paid_or_does_nothing() {
    let pilots: Vec<Vec<&PilotFacts>> = FACTIONS.iter().map(|faction| flyable(faction)).collect();
    let mut looked = Looked::default();
    for number in 0..30 {
        fight(number, &pilots, &mut looked);
    }
    assert!(looked.steps > 400 && looked.uses > 150, "{looked:?}");
}
