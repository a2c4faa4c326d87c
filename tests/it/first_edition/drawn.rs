//! Whole games of the first edition with squads drawn from all of its ships: every one comes to its end without a refusal and
//! without a violation of the rules (FE-3 to FE-11).

use tallyho::{
    sim::{self, Commanders, Plan, PlayerPolicy, draw::Pool, field::Field},
    xwing::{
        battle::{Event, audit::audit},
        catalog::Catalog,
        edition::{Edition, FirstEditionOptions, Rules},
    },
};

/// How many games are played of each kind.
const GAMES: u64 = 8;

/// Plays games by these rules; the problems, and how many attacks, damage cards face up and destroyed ships there were.
fn games(rules: Rules, policy: PlayerPolicy, seed: u64, count: u64) -> (Vec<String>, [usize; 3]) {
    let pool = Pool::of(Catalog::embedded_for(Edition::First), 60).unwrap();
    let plan = Plan {
        rules,
        policy,
        seed,
        rounds: 12,
        ..Plan::of(vec![Field::drawn(pool)])
    };
    let mut commanders = Commanders::new(&plan);
    let (mut problems, mut seen) = (Vec::new(), [0; 3]);
    for game in 0..count {
        let mut dice = sim::dice_of(plan.seed, game);
        let start = sim::open(&plan, game, sim::seed_of(plan.seed, game), &mut dice).unwrap();
        let setup = start.setup.clone();
        let (battle, refused) = sim::play(start.setup, &mut commanders, &mut dice).unwrap();
        problems.extend(refused.iter().map(|refused| format!("game {game}: {refused}")));
        let found = audit(&setup, battle.events());
        problems.extend(found.iter().map(|violation| format!("game {game}: {violation}")));
        if !matches!(battle.events().last(), Some(Event::Ended { .. })) {
            problems.push(format!("game {game} did not end"));
        }
        for event in battle.events() {
            match event {
                Event::AttackResolved { .. } => seen[0] += 1,
                Event::Repaired { .. } => seen[1] += 1,
                Event::Removed { .. } => seen[2] += 1,
                _ => {}
            }
        }
    }
    (problems, seen)
}

#[test]
fn drawn_squads_play_to_the_end_by_the_rules() {
    let rulebook = FirstEditionOptions {
        rulebook_2012: true,
        ..FirstEditionOptions::default()
    };
    let plays = [
        (Rules::FIRST, PlayerPolicy::Scripted, 1),
        (Rules::FIRST, PlayerPolicy::Solo, 2),
        (rulebook.rules(), PlayerPolicy::Scripted, 3),
    ];
    let mut sum = [0; 3];
    for (rules, policy, seed) in plays {
        let (problems, seen) = games(rules, policy, seed, GAMES);
        assert!(problems.is_empty(), "{policy:?}, seed {seed}:\n{}", problems.join("\n"));
        for (sum, seen) in sum.iter_mut().zip(seen) {
            *sum += seen;
        }
    }
    assert!(
        sum.iter().all(|count| *count > 0),
        "attacks, cards turned down, ships destroyed: {sum:?}"
    );
}

/// FE-14: every option that docs/rules.md lists, each alone and all rows of the rulebook of 2012 but that one, plays to the end.
#[test]
fn fe_14_each_option_alone_is_played_by_the_rules() {
    let docs = include_str!("../../../docs/rules.md");
    let listed = docs.split("## Options of the first edition").nth(1).expect("the list");
    let listed = listed.split("\n## ").next().unwrap_or_default();
    let names: Vec<&str> = (listed.lines())
        .filter_map(|line| line.strip_prefix("| `")?.split('`').next())
        .collect();
    assert!(names.len() > 20, "not the whole list: {names:?}");
    for (seed, name) in (40..).zip(names) {
        let mut alone = FirstEditionOptions::default();
        alone.switch(name, true).expect(name);
        let mut without = FirstEditionOptions {
            rulebook_2012: true,
            ..FirstEditionOptions::default()
        };
        without.switch(name, false).expect(name);
        // The squad rules are no part of a game, and tell nothing here.
        for rules in [alone.rules(), without.rules()] {
            let (problems, seen) = games(rules, PlayerPolicy::Scripted, seed, 1);
            assert!(problems.is_empty(), "{name}:\n{}", problems.join("\n"));
            assert!(seen[0] > 0, "{name}: nobody attacked");
        }
    }
}
