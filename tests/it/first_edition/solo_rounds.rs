//! FE-SOLO-2, FE-SOLO-9, FE-SOLO-10, FE-SOLO-11: the solo rules in whole rounds of the first edition, against a scripted player.

use std::{collections::BTreeSet, sync::Arc};

use tallyho::{
    commander::{Commander as _, Explanation, scripted::Scripted, solo::Solo},
    dice::SeededDice,
    sim::{self, Plan, field::Field},
    solo_alpha::Options,
    xwing::{
        battle::{Battle, Event, Mission, Request, audit::audit},
        catalog::Catalog,
        edition::{Edition, Rules},
        scenario::{Scenario, muster::Wishes},
        ship::Device,
        weapon::Charges,
    },
};

/// Everybody acts by ascending skill, the player's ships first at equal skill, then by id; what the solo ships do is legal,
/// comes in words and cites both rules; bombs and mines are dropped in the own activation.
#[test]
fn fe_solo_2_and_11_whole_rounds_are_played_in_order_and_explained() {
    let catalog = Catalog::embedded_for(Edition::First);
    let factions = ["rebelalliance", "galacticempire", "scumandvillainy", "firstorder"];
    let (mut rules, mut dropped) = (BTreeSet::new(), 0);
    for seed in 0..12_u64 {
        let faction = |place: u64| factions[(place % 4) as usize].to_owned();
        let wishes = Wishes {
            faction: faction(seed),
            enemy: faction(seed / 4 + seed + 1),
            player_ships: 3,
            ..Wishes::default()
        };
        let mission = Mission::new(Scenario::intro_first().clone(), catalog, &wishes).expect("its ships are known");
        let plan = Plan {
            rules: Rules::FIRST,
            rounds: 9,
            catalog: Some(Arc::new(catalog.clone())),
            ..Plan::of(vec![Field::mission(mission)])
        };
        let mut dice = SeededDice::new(seed);
        let mut setup = sim::open(&plan, 0, seed, &mut dice).expect("it can be set up").setup;
        let solo_ships = setup.table.ships.iter_mut().filter(|ship| ship.side == "solo");
        for (place, ship) in solo_ships.enumerate() {
            let id = if place % 2 == 0 {
                "seismiccharges"
            } else {
                "proximitymines"
            };
            ship.device = Some(Device {
                id: id.to_owned(),
                charges: Charges { left: 1, max: 1 },
            });
        }
        let start = setup.clone();
        let mut battle = Battle::new(setup, &mut dice).expect("it can begin");
        let (mut solo, mut player) = (Solo::new(Options::default()), Scripted::default());
        let mut flown = Vec::new();
        while let Some(request) = battle.pending().cloned() {
            let ship = battle.table().ship(request.ship()).expect("a ship of the table");
            let order = (battle.round(), ship.initiative, ship.side == "solo", ship.id.clone());
            if matches!(request, Request::Fly { .. }) {
                flown.push(order);
            }
            let answer = if ship.side == "solo" {
                let mut said = Explanation::default();
                let answer = solo.answer(&battle, &request, &mut dice, Some(&mut said));
                for reason in &said.reasons {
                    let adapted = reason.rule.starts_with("SA-") && !matches!(&*reason.rule, "SA-0" | "SA-12");
                    assert!(
                        !adapted || reason.rule.contains(" FE-SOLO-"),
                        "{request:?}: {}",
                        reason.rule
                    );
                    rules.insert(reason.rule.clone());
                }
                answer
            } else {
                player.answer(&battle, &request, &mut dice, None)
            };
            battle
                .answer(answer.clone(), &mut dice)
                .unwrap_or_else(|error| panic!("seed {seed}: {request:?}: {answer:?}: {error}"));
        }
        let mut sorted = flown.clone();
        sorted.sort();
        assert_eq!(flown, sorted, "seed {seed}");
        assert_eq!(audit(&start, battle.events()), [], "seed {seed}");
        dropped += battle
            .events()
            .iter()
            .filter(|event| matches!(event, Event::Dropped { .. }))
            .count();
    }
    assert!(dropped > 0, "nobody has dropped anything");
    let adaptations = ["3", "4", "8", "9", "10", "11"].map(|number| format!(" FE-SOLO-{number}"));
    for adapted in adaptations {
        assert!(
            rules.iter().any(|rule| rule.ends_with(&adapted)),
            "{adapted} in {rules:?}"
        );
    }
}
