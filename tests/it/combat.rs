//! What is spent on dice (SA-10, SA-11): worked cases, laws, and a solver without shortcuts as second opinion.

use std::collections::HashMap;

use proptest::prelude::*;
use tallyho::{
    bridge::text,
    dice::{AttackFace, DefenceFace},
    solo_alpha::attack::dice::{Thrift, attacking, defending, thrift_attacking, thrift_defending},
    xwing::{
        catalog::Catalog,
        combat::{
            Attack, AttackDice, AttackStep, AttackTokens, DamageRule, DefenceDice, DefenceTokens, DiceRules, Means,
            SpendFirst, Spending, Uncancelled, neutralize::neutralize,
        },
        edition::{Evade, TokenSpending},
    },
};

/// Attack dice from letters: C crit, H hit, F focus, B blank.
fn attack_dice(letters: &str) -> AttackDice {
    let face = |letter| match letter {
        'C' => AttackFace::Crit,
        'H' => AttackFace::Hit,
        'F' => AttackFace::Focus,
        _ => AttackFace::Blank,
    };
    AttackDice::rolled(&letters.chars().map(face).collect::<Vec<_>>())
}

/// Defence dice from letters: E evade, F focus, B blank.
fn defence_dice(letters: &str) -> DefenceDice {
    let face = |letter| match letter {
        'E' => DefenceFace::Evade,
        'F' => DefenceFace::Focus,
        _ => DefenceFace::Blank,
    };
    DefenceDice::rolled(&letters.chars().map(face).collect::<Vec<_>>())
}

fn against(agility: u8, attack_tokens: AttackTokens) -> Attack {
    Attack {
        attack_tokens,
        defence_dice: agility,
        ..Attack::default()
    }
}

fn defend(attack: (u8, u8), letters: &str, tokens: DefenceTokens, first: SpendFirst) -> (Spending, u8) {
    let thrift = Thrift { first, because: None };
    let attack = Uncancelled {
        hits: attack.0,
        crits: attack.1,
    };
    let dice = defence_dice(letters);
    let found = defending(DiceRules::SECOND, DamageRule::Results, attack, dice, tokens, &thrift);
    (found.spending, found.damage.count())
}

#[test]
fn sa_11_the_lock_before_the_focus_token_and_the_values_of_the_worked_cases() {
    // Cases A1 and A3 without their cards: focus alone 1.25, nothing 0.390625; the lock on one blank 1.75.
    let focus = AttackTokens {
        focus: 1,
        ..AttackTokens::default()
    };
    let found = attacking(&against(2, focus), attack_dice("HFB"), &Thrift::default());
    assert_eq!(found.choice.best().worth.damage, 1.25);
    assert_eq!(found.choice.options[1].worth.damage, 0.390625);
    let found = attacking(&against(2, focus), attack_dice("HFF"), &Thrift::default());
    assert_eq!(found.choice.best().worth.damage, 2.25);
    let lock = AttackTokens {
        lock: 1,
        ..AttackTokens::default()
    };
    let found = attacking(&against(2, lock), attack_dice("HHB"), &Thrift::default());
    assert_eq!(found.choice.best().worth.damage, 1.75);
    let both = AttackTokens {
        lock: 1,
        focus: 1,
        ..AttackTokens::default()
    };
    // Rerolls before changes: the lock on the blank first, the focus token once the dice have come to rest.
    let found = attacking(&against(2, both), attack_dice("HFB"), &Thrift::default());
    let reroll = AttackStep::Reroll {
        means: Means::Lock,
        focuses: 0,
        blanks: 1,
        hits: 0,
        crits: 0,
    };
    assert_eq!(found.step, reroll);
    expect_test::expect![[r#"
        spends lock to reroll 1 blank: 2.000 damage expected
          spends lock to reroll 1 blank: 2 damage, chosen
          spends lock to reroll 1 focus result and 1 blank: 1.7587890625 damage, less damage
          spends focus on 1 focus result: 1.25 damage, less damage
          spends nothing: 0.390625 damage, less damage
    "#]]
    .assert_eq(&shown(&found.reasons[0]));
}

fn shown(reason: &tallyho::decision::Reason) -> String {
    let mut text = format!("{}\n", reason.text);
    for compared in &reason.compared {
        let value = compared.value.unwrap();
        text += &format!(
            "  {}: {value} {}, {}\n",
            compared.candidate, compared.unit, compared.verdict
        );
    }
    text
}

#[test]
fn sa_11_nothing_is_spent_that_cannot_change_the_outcome() {
    let tokens = AttackTokens {
        focus: 1,
        lock: 1,
        calculate: 2,
        force: 2,
    };
    let nothing = AttackStep::Finish {
        spending: Spending::default(),
        changed: 0,
    };
    assert_eq!(
        attacking(&against(2, tokens), attack_dice("HHC"), &Thrift::default()).step,
        nothing
    );
    // First edition, two dice against an evade token and agility that cannot be beaten by one hit.
    let hopeless = Attack {
        rules: DiceRules::FIRST,
        attack_tokens: tokens,
        defence_tokens: DefenceTokens {
            evade: 1,
            reinforce: 1,
            ..DefenceTokens::default()
        },
        ..Attack::default()
    };
    assert_eq!(
        attacking(&hopeless, attack_dice("FF"), &Thrift::default()).step,
        nothing
    );
    // A weapon of fixed damage: once a hit cannot be stopped, more hits are of no use.
    let fixed = Attack {
        rule: DamageRule::Fixed(1),
        ..against(0, tokens)
    };
    assert_eq!(attacking(&fixed, attack_dice("HFB"), &Thrift::default()).step, nothing);
    assert_ne!(attacking(&fixed, attack_dice("FB"), &Thrift::default()).step, nothing);
}

#[test]
fn sa_11_as_little_as_does_it_and_the_least_valuable_of_equals() {
    let tokens = AttackTokens {
        focus: 1,
        calculate: 2,
        force: 2,
        ..AttackTokens::default()
    };
    let spending = |letters: &str| {
        attacking(&against(1, tokens), attack_dice(letters), &Thrift::default())
            .step
            .spending()
    };
    assert_eq!(spending("HFF"), Spending::of(Means::Focus, 1));
    assert_eq!(spending("HHF"), Spending::of(Means::Calculate, 1));
}

#[test]
fn case_f2_a_focus_token_that_changes_nothing_is_kept() {
    let tokens = DefenceTokens {
        focus: 1,
        ..DefenceTokens::default()
    };
    let attack = Uncancelled { hits: 3, crits: 0 };
    let defend = |rule| {
        defending(
            DiceRules::SECOND,
            rule,
            attack,
            defence_dice("FFB"),
            tokens,
            &Thrift::default(),
        )
    };
    let fixed = defend(DamageRule::Fixed(1));
    assert_eq!((fixed.spending, fixed.damage.count()), (Spending::default(), 1));
    assert_eq!(fixed.sentence, "Spends nothing, for nothing would lower the 1 damage.");
    // With a weapon whose damage is its results the same token is spent.
    let results = defend(DamageRule::Results);
    assert_eq!(
        (results.spending, results.damage.count()),
        (Spending::of(Means::Focus, 1), 1)
    );
}

#[test]
fn sa_10_cancels_as_much_as_can_be_with_as_little_as_does_it() {
    let all = DefenceTokens {
        focus: 1,
        evade: 2,
        calculate: 1,
        force: 1,
        reinforce: 0,
    };
    let shared = SpendFirst::Shared;
    assert_eq!(defend((1, 0), "EFB", all, shared), (Spending::default(), 0));
    assert_eq!(
        defend((2, 0), "EFB", all, shared),
        (Spending::of(Means::Calculate, 1), 0)
    );
    assert_eq!(
        defend((2, 0), "EFB", all, SpendFirst::RoleOnly),
        (Spending::of(Means::Evade, 1), 0)
    );
    // Two more are needed: one focus token does it, where two others would.
    assert_eq!(
        defend((3, 0), "EFF", all, SpendFirst::RoleOnly),
        (Spending::of(Means::Focus, 1), 0)
    );
    // Not all can be cancelled: what can be is.
    let mut both = Spending::of(Means::Focus, 1);
    both.add(Means::Evade, 1);
    assert_eq!(defend((4, 1), "FFB", all, SpendFirst::RoleOnly), (both, 2));
    // A second-edition evade token needs a die.
    assert_eq!(defend((2, 0), "", all, shared), (Spending::default(), 2));
    // Reinforce does the rest by itself: nothing more is spent on the second of two results.
    let reinforced = DefenceTokens {
        evade: 1,
        reinforce: 1,
        ..DefenceTokens::default()
    };
    assert_eq!(defend((3, 0), "EB", reinforced, shared), (Spending::default(), 1));
}

#[test]
fn sa_10_sa_11_who_has_engaged_decides_what_goes_first() {
    let fixture = "ship A tielnfighter solo 457,200 @0\nship B t65xwing player 457,400 @180\n";
    let table = text::parse(fixture, Catalog::embedded()).unwrap().table;
    let (solo, player) = (table.ship("A").unwrap(), table.ship("B").unwrap());
    let role_only = |thrift: Thrift| thrift.first == SpendFirst::RoleOnly;
    assert!(role_only(thrift_attacking(&table, solo, &[])));
    assert!(!role_only(thrift_attacking(
        &table,
        solo,
        std::slice::from_ref(&player.id)
    )));
    assert!(role_only(thrift_defending(
        &table,
        solo,
        std::slice::from_ref(&player.id)
    )));
    assert!(!role_only(thrift_defending(
        &table,
        solo,
        std::slice::from_ref(&solo.id)
    )));
    assert_eq!(thrift_defending(&table, solo, &[]).because, Some(player.id.clone()));
    // Facing away, neither has the other in arc.
    let away = "ship A tielnfighter solo 457,200 @180\nship B t65xwing player 457,400 @0\n";
    let table = text::parse(away, Catalog::embedded()).unwrap().table;
    let solo = table.ship("A").unwrap();
    assert!(!role_only(thrift_attacking(&table, solo, &[])) && !role_only(thrift_defending(&table, solo, &[])));
}

#[test]
fn more_dice_than_anybody_rolls_are_bounded_and_not_fatal() {
    let many = AttackDice::rolled(&[AttackFace::Hit; 600]);
    let tokens = AttackTokens {
        focus: 255,
        lock: 255,
        calculate: 255,
        force: 255,
    };
    let found = attacking(&against(255, tokens), many, &Thrift::default());
    assert!(found.choice.best().worth.damage > 0.0);
    let tokens = DefenceTokens {
        focus: 255,
        ..DefenceTokens::default()
    };
    let attack = Uncancelled { hits: 100, crits: 100 };
    let dice = DefenceDice::rolled(&[DefenceFace::Focus; 600]);
    let found = defending(
        DiceRules::SECOND,
        DamageRule::Results,
        attack,
        dice,
        tokens,
        &Thrift::default(),
    );
    assert_eq!((found.spending, found.evades), (Spending::of(Means::Focus, 1), 20));
}

/// A die by itself, and whether it was rerolled.
type Die = (AttackFace, bool);

/// The attacker's window without a shortcut: any die may be rerolled, any focus result changed, in any order.
struct PlainSolver {
    attack: Attack,
    known: HashMap<(Vec<Die>, AttackTokens), f64>,
}

const FACES: [(AttackFace, f64); 4] = [
    (AttackFace::Crit, 1.0),
    (AttackFace::Hit, 3.0),
    (AttackFace::Focus, 2.0),
    (AttackFace::Blank, 2.0),
];

impl PlainSolver {
    fn damage(&self, dice: &[Die]) -> f64 {
        let count = |face: AttackFace| dice.iter().filter(|die| die.0 == face).count() as u8;
        let (hits, crits) = (count(AttackFace::Hit), count(AttackFace::Crit));
        let Attack {
            rules,
            defence_dice,
            defence_tokens,
            ..
        } = self.attack;
        // Every sequence of defence faces, and for each the best of all ways to spend.
        let sequences = 3_usize.pow(u32::from(defence_dice));
        let mut expected = 0.0;
        for code in 0..sequences {
            let (mut rest, mut chance, mut faces) = (code, 1.0, [0_u8; 3]);
            for _ in 0..defence_dice {
                faces[rest % 3] += 1;
                chance *= [3.0, 2.0, 3.0][rest % 3] / 8.0;
                rest /= 3;
            }
            let [evades, focuses, blanks] = faces;
            let singles = defence_tokens.calculate + defence_tokens.force;
            let turned = if defence_tokens.focus > 0 {
                focuses
            } else {
                singles.min(focuses)
            };
            let evades = match rules.evade {
                Evade::AddsAResult => evades + turned + defence_tokens.evade.min(rules.most_spent()),
                Evade::ChangesADie => evades + turned + defence_tokens.evade.min(focuses + blanks - turned),
            };
            expected += chance * f64::from(neutralize(rules, hits, crits, evades, defence_tokens.reinforce).count());
        }
        expected
    }

    fn value(&mut self, mut dice: Vec<Die>, tokens: AttackTokens) -> f64 {
        dice.sort_unstable();
        let key = (dice, tokens);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let dice = key.0.clone();
        let mut best = self.damage(&dice);
        for (index, die) in dice.iter().enumerate() {
            if die.0 != AttackFace::Focus {
                continue;
            }
            let mut changed = dice.clone();
            changed[index].0 = AttackFace::Hit;
            for spent in 0..2 {
                let mut left = tokens;
                let token = if spent == 0 {
                    &mut left.calculate
                } else {
                    &mut left.force
                };
                if *token > 0 {
                    *token -= 1;
                    best = best.max(self.value(changed.clone(), left));
                }
            }
        }
        if tokens.focus > 0 {
            let turn = |die: &Die| {
                if die.0 == AttackFace::Focus {
                    (AttackFace::Hit, die.1)
                } else {
                    *die
                }
            };
            let left = AttackTokens {
                focus: tokens.focus - 1,
                ..tokens
            };
            best = best.max(self.value(dice.iter().map(turn).collect(), left));
        }
        if tokens.lock > 0 {
            let left = AttackTokens {
                lock: tokens.lock - 1,
                ..tokens
            };
            for chosen in 1..1_u32 << dice.len() {
                let picked = |index: usize| chosen & (1 << index) != 0;
                if (0..dice.len()).any(|index| picked(index) && dice[index].1) {
                    continue;
                }
                let mut pools = vec![(dice.clone(), 1.0)];
                for index in (0..dice.len()).filter(|&index| picked(index)) {
                    let each = |(pool, chance): &(Vec<Die>, f64)| {
                        let (pool, chance) = (pool.clone(), *chance);
                        FACES.map(|(face, ways)| {
                            let mut pool = pool.clone();
                            pool[index] = (face, true);
                            (pool, chance * ways / 8.0)
                        })
                    };
                    pools = pools.iter().flat_map(each).collect();
                }
                let value = pools
                    .into_iter()
                    .map(|(pool, chance)| chance * self.value(pool, left))
                    .sum();
                best = best.max(value);
            }
        }
        self.known.insert(key, best);
        best
    }

    /// The value of the whole attack.
    fn forecast(attack: Attack) -> f64 {
        let mut solver = PlainSolver {
            attack,
            known: HashMap::new(),
        };
        let mut pools = vec![(Vec::new(), 1.0)];
        for _ in 0..attack.attack_dice {
            let each = |(pool, chance): &(Vec<Die>, f64)| {
                let (pool, chance) = (pool.clone(), *chance);
                FACES.map(|(face, ways)| {
                    let mut pool = pool.clone();
                    pool.push((face, false));
                    (pool, chance * ways / 8.0)
                })
            };
            pools = pools.iter().flat_map(each).collect();
        }
        pools
            .into_iter()
            .map(|(pool, chance)| chance * solver.value(pool, attack.attack_tokens))
            .sum()
    }
}

prop_compose! {
    fn small_attacks()(
        (first, unlimited) in (any::<bool>(), any::<bool>()),
        attack_dice in 1u8..4,
        (focus, lock, calculate, force) in (0u8..2, 0u8..3, 0u8..2, 0u8..2),
        defence_dice in 0u8..4,
        (def_focus, evade, def_calculate, def_force, reinforce) in (0u8..2, 0u8..3, 0u8..2, 0u8..2, 0u8..2),
    ) -> Attack {
        let mut rules = if first { DiceRules::FIRST } else { DiceRules::SECOND };
        if unlimited {
            rules.token_spending = TokenSpending::Unlimited;
        }
        // FE-8.8: one lock a step, which the plain solver knows nothing of.
        let lock = lock.min(rules.most_spent());
        Attack {
            rules,
            attack_dice,
            attack_tokens: AttackTokens { focus, lock, calculate, force },
            defence_dice,
            defence_tokens: DefenceTokens { focus: def_focus, evade, calculate: def_calculate, force: def_force, reinforce },
            rule: DamageRule::Results,
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn sa_11_the_solvers_shortcuts_lose_no_damage(attack in small_attacks()) {
        let (found, plain) = (attack.forecast().damage, PlainSolver::forecast(attack));
        prop_assert!((found - plain).abs() < 1e-12, "{found} {plain}");
    }

    #[test]
    fn sa_11_step_by_step_is_worth_what_the_whole_attack_is(attack in small_attacks()) {
        // The mean over all first rolls of what the first decision expects is the forecast.
        let mut sum = 0.0;
        let pools = 4_usize.pow(u32::from(attack.attack_dice));
        for code in 0..pools {
            let (mut rest, mut chance, mut faces) = (code, 1.0, Vec::new());
            for _ in 0..attack.attack_dice {
                let (face, ways) = FACES[rest % 4];
                faces.push(face);
                chance *= ways / 8.0;
                rest /= 4;
            }
            let found = attacking(&attack, AttackDice::rolled(&faces), &Thrift::default());
            sum += chance * found.choice.best().worth.damage;
        }
        prop_assert!((sum - attack.forecast().damage).abs() < 1e-12);
    }
}
