//! SA-12, what cards do when a ship is destroyed, in the whole games of `tests/cases/cards/fallen.toml`.

use serde::Deserialize;
use tallyho::{
    dice::SeededDice,
    sim::{self, Commanders, Plan, squad},
    xwing::{
        battle::{Battle, Event, Request, audit::audit},
        catalog::Catalog,
    },
};

const CASES: &str = include_str!("../../cases/cards/fallen.toml");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    says: String,
    player: String,
    solo: String,
    card: String,
    seed: u64,
    games: u64,
}

/// What came of a game.
#[derive(Debug, Default)]
struct Seen {
    destroyed: usize,
    card: usize,
}

fn play(case: &Case, plan: &Plan, number: u64) -> Seen {
    let place = || format!("{}: game {number}", case.says);
    let seed = sim::seed_of(case.seed, number);
    let mut dice = SeededDice::new(seed);
    let setup = sim::open(plan, number, seed, &mut dice).expect("two lines").setup;
    let mut battle = Battle::new(setup.clone(), &mut dice).expect("a set-up");
    let mut commanders = Commanders::new(plan);
    while let Some(request) = battle.pending().cloned() {
        // A device may go off when the ship that dropped it is gone.
        if !matches!(request, Request::Detonate { .. }) {
            let asked = battle.table().ship(request.ship());
            assert!(asked.is_some_and(|ship| ship.in_play()), "{}: {request:?}", place());
        }
        let answer = commanders.answer(&battle, &request, &mut dice);
        let taken = battle.answer(answer, &mut dice);
        taken.unwrap_or_else(|refused| panic!("{}: {request:?}: {refused}", place()));
    }
    assert_eq!(audit(&setup, battle.events()), [], "{}", place());
    let count = |what: &dyn Fn(&Event) -> bool| battle.events().iter().filter(|event| what(event)).count();
    Seen {
        destroyed: count(&|event| matches!(event, Event::Removed { .. })),
        card: count(
            &|event| matches!(event, Event::CardUsed { card, .. } | Event::CardChoice { card, .. } if *card == case.card),
        ),
    }
}

#[test]
fn sa_12_the_moment_of_a_destroyed_ship_ends_and_the_ship_with_it() {
    let file: File = toml::from_str(CASES).expect("the cases");
    assert!(file.case.len() >= 3);
    let squad = |text: &str| squad::read(text, Catalog::embedded()).unwrap_or_else(|error| panic!("{text}: {error}"));
    for case in &file.case {
        let plan = Plan::lines(squad(&case.player), squad(&case.solo));
        let mut all = Seen::default();
        for number in 0..case.games {
            let seen = play(case, &plan, number);
            all.destroyed += seen.destroyed;
            all.card += seen.card;
        }
        println!("{}: {all:?}", case.says);
        assert!(all.destroyed > 0 && all.card > 0, "{}: {all:?}", case.says);
    }
}
