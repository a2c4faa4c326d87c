//! What a commander says about its choices.

use std::collections::BTreeSet;

use tallyho::{
    commander::{Commander as _, Explanation, scripted::Scripted, solo::Solo},
    dice::SeededDice,
    sim::{self, Plan, squad},
    solo_alpha::Options,
    xwing::{
        battle::{Battle, Request},
        catalog::Catalog,
        measure::Object,
    },
};

/// Every choice of the opponent comes in words, with rule ids; to ask for them changes neither choice nor dice.
#[test]
fn the_opponent_explains_each_choice_and_plays_the_same_when_nobody_listens() {
    let read = |text: &str| squad::read(text, Catalog::embedded()).unwrap();
    let plan = Plan {
        rounds: 8,
        ..Plan::lines(
            read("t65xwing/lukeskywalker+protontorpedoes,btla4ywing"),
            read("3*tielnfighter,tieadvancedx1/darthvader,lambdaclasst4ashuttle"),
        )
    };
    let mut rules = BTreeSet::new();
    for seed in 0..6 {
        let mut dice = SeededDice::new(seed);
        let mut battle = Battle::new(sim::open(&plan, 0, 0, &mut dice).unwrap().setup, &mut dice).unwrap();
        let (mut solo, mut player) = (Solo::new(Options::default()), Scripted::default());
        while let Some(request) = battle.pending().cloned() {
            let ship = battle.table().ship(request.ship()).unwrap();
            if ship.side == squad::PLAYER {
                let answer = player.answer(&battle, &request, &mut dice, None);
                battle.answer(answer, &mut dice).unwrap();
                continue;
            }
            let (mut silent, mut silent_dice) = (solo.clone(), dice.clone());
            let mut said = Explanation::default();
            let answer = solo.answer(&battle, &request, &mut dice, Some(&mut said));
            assert_eq!(silent.answer(&battle, &request, &mut silent_dice, None), answer);
            assert_eq!(format!("{silent_dice:?}"), format!("{dice:?}"), "{request:?}");
            assert!(said.sentence.ends_with('.'), "{request:?}: {said:?}");
            assert!(!said.reasons.is_empty(), "{request:?}: {said:?}");
            if matches!(request, Request::Fly { .. } | Request::Attack { .. }) {
                let after = said.after.as_deref();
                assert!(
                    after.is_none_or(|id| Object::find(battle.table(), id).is_some()),
                    "{said:?}"
                );
            }
            rules.extend(said.reasons.into_iter().map(|reason| reason.rule));
            battle.answer(answer, &mut dice).unwrap();
        }
    }
    for rule in ["SA-3.1", "SA-9", "SA-10", "SA-11", "SA-8"] {
        assert!(rules.iter().any(|known| known.starts_with(rule)), "{rule} in {rules:?}");
    }
}
