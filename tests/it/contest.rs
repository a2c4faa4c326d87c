//! Attacks with effects of cards, played exactly: against the independent enumeration, against the solver for tokens
//! alone, and laws.

use proptest::prelude::*;
use tallyho::xwing::combat::{
    Attack, AttackTokens, DamageRule, DefenceTokens, DiceRules, SpendFirst,
    contest::{
        Change, Contest, Dice, Effect, Face, FaceSet, HowMany, Need, Price, Resource, ResourceKind, Side, Solver,
        State, Window, WindowSet, tokens::Tools,
    },
};

const ORACLE: &str = include_str!("../cases/combat/dice-oracle.csv");

fn tokens_alone(attack: &Attack) -> Contest {
    Tools::of_tokens(attack, [SpendFirst::default(); 2])
        .contest(attack, Side::Attacker)
        .unwrap()
}

#[test]
fn sa_10_sa_11_windows_with_tokens_alone_agree_with_an_independent_enumeration() {
    let mut reader = csv::Reader::from_reader(ORACLE.as_bytes());
    let header = reader.headers().unwrap().clone();
    let mut rows = 0;
    for record in reader.records() {
        let record = record.unwrap();
        let cell = |name: &str| &record[header.iter().position(|column| column == name).unwrap()];
        let count = |name: &str| cell(name).parse::<u8>().unwrap();
        let attack = Attack {
            rules: if cell("edition") == "1e" {
                DiceRules::FIRST
            } else {
                DiceRules::SECOND
            },
            attack_dice: count("atk_dice"),
            attack_tokens: AttackTokens {
                focus: count("atk_focus"),
                lock: count("atk_lock"),
                calculate: count("atk_calculate"),
                force: count("atk_force"),
            },
            defence_dice: count("def_dice"),
            defence_tokens: DefenceTokens {
                focus: count("def_focus"),
                evade: count("def_evade"),
                calculate: count("def_calculate"),
                force: count("def_force"),
                reinforce: count("def_reinforce"),
            },
            rule: DamageRule::Results,
        };
        let contest = tokens_alone(&attack);
        let mut solver = Solver::new(&contest);
        let worth = solver.worth(&contest.start());
        let chances = solver.chances(&contest.start());
        let close = |name: &str, found: f64| {
            let expected: f64 = cell(name).parse().unwrap();
            assert!(
                (found - expected).abs() <= 1e-9,
                "{}: {name} is {found}, expected {expected}",
                cell("case")
            );
        };
        close("expected_damage", worth.net);
        close("expected_crits", worth.crits);
        for damage in 0..=5 {
            close(&format!("p_dmg_{damage}"), chances.get(damage).copied().unwrap_or(0.0));
        }
        rows += 1;
    }
    assert_eq!(rows, 140);
}

prop_compose! {
    fn attacks()(
        dice in (0u8..6, 0u8..5), attacker in (0u8..2, 0u8..2, 0u8..3, 0u8..3),
        defender in (0u8..2, 0u8..3, 0u8..3, 0u8..2, 0u8..2), first in any::<bool>(),
    ) -> Attack {
        let (focus, lock, calculate, force) = attacker;
        let attack_tokens = AttackTokens { focus, lock, calculate, force };
        let (focus, evade, calculate, force, reinforce) = defender;
        let defence_tokens = DefenceTokens { focus, evade, calculate, force, reinforce };
        let rules = if first { DiceRules::FIRST } else { DiceRules::SECOND };
        Attack {
            rules, attack_dice: dice.0, attack_tokens, defence_dice: dice.1, defence_tokens, rule: DamageRule::Results,
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn windows_with_tokens_alone_are_worth_what_the_solver_for_tokens_says(attack in attacks()) {
        let contest = tokens_alone(&attack);
        let worth = Solver::new(&contest).worth(&contest.start());
        let forecast = attack.forecast();
        prop_assert!((worth.net - forecast.damage).abs() < 1e-12, "{} {}", worth.net, forecast.damage);
        prop_assert!((worth.crits - forecast.crits).abs() < 1e-12, "{} {}", worth.crits, forecast.crits);
        // Where the defender has nothing to spend both are thrifty alike.
        let bare = DefenceTokens { reinforce: attack.defence_tokens.reinforce, ..DefenceTokens::default() };
        if attack.defence_tokens == bare {
            prop_assert!((worth.spent[0] - forecast.attacker_spends).abs() < 1e-9);
        }
    }
}

/// Two-sided attack of the second edition: attack dice, focus, lock; defence dice, focus.
fn attack(attack_dice: u8, focus: u8, lock: u8, defence_dice: u8, defence_focus: u8) -> Attack {
    let attack_tokens = AttackTokens {
        focus,
        lock,
        ..AttackTokens::default()
    };
    let defence_tokens = DefenceTokens {
        focus: defence_focus,
        ..DefenceTokens::default()
    };
    Attack {
        attack_dice,
        attack_tokens,
        defence_dice,
        defence_tokens,
        ..Attack::default()
    }
}

fn card(group: u8, window: Window, side: Side, does: Change) -> Effect {
    Effect {
        windows: WindowSet::of(&[window]),
        side,
        group,
        repeats: false,
        must: false,
        referred: false,
        needs: Vec::new(),
        price: Vec::new(),
        does: vec![does],
    }
}

fn with(attack: &Attack, change: impl FnOnce(&mut Tools)) -> Contest {
    let mut tools = Tools::of_tokens(attack, [SpendFirst::default(); 2]);
    change(&mut tools);
    tools.contest(attack, Side::Attacker).unwrap()
}

/// H, C, E, F, B.
fn faces(letters: &str) -> impl Iterator<Item = Face> {
    letters.chars().map(|letter| match letter {
        'H' => Face::Hit,
        'C' => Face::Crit,
        'E' => Face::Evade,
        'F' => Face::Focus,
        _ => Face::Blank,
    })
}

fn rolled(contest: &Contest, letters: &str) -> State {
    contest.rolled(contest.start(), faces(letters))
}

/// What is expected, and the effect that is used next (by its place among those of cards), if any.
fn next(contest: &Contest, state: &State) -> (f64, Option<usize>) {
    let mut solver = Solver::new(contest);
    let step = solver.choose(state).and_then(|choice| choice.best().step.effect);
    (solver.worth(state).net, step.map(usize::from))
}

fn reroll_one() -> Change {
    Change::Reroll {
        dice: Dice::Attack,
        faces: FaceSet::ANY,
        how_many: HowMany::UpTo(1),
    }
}

#[test]
fn a1_a_cards_reroll_comes_before_the_token() {
    let howlrunner = card(0, Window::AttackModify, Side::Attacker, reroll_one());
    let contest = with(&attack(3, 1, 0, 2, 0), |tools| tools.cards.push(howlrunner));
    assert_eq!(next(&contest, &rolled(&contest, "HFB")), (2.0, Some(0)));
    assert_eq!(next(&contest, &rolled(&contest, "HFF")), (2.25, Some(2)));
    assert_eq!(next(&contest, &rolled(&contest, "HHH")).1, None);
    let bare = with(&attack(3, 1, 0, 2, 0), |_| ());
    assert_eq!(next(&bare, &rolled(&bare, "HFB")).0, 1.25);
}

#[test]
fn a3_the_free_reroll_keeps_the_lock() {
    let predator = card(0, Window::AttackModify, Side::Attacker, reroll_one());
    let contest = with(&attack(3, 0, 1, 2, 0), |tools| tools.cards.push(predator));
    assert_eq!(next(&contest, &rolled(&contest, "HHB")), (1.75, Some(0)));
    assert_eq!(next(&contest, &rolled(&contest, "HBB")), (329.0 / 256.0, Some(0)));
}

#[test]
fn a4_a_mandatory_change_comes_before_the_lock_is_spent() {
    let contest = with(&attack(3, 0, 1, 2, 0), |tools| {
        let resource = tools.find(Side::Attacker, ResourceKind::Lock).unwrap();
        let change = Change::Turn {
            dice: Dice::Attack,
            from: FaceSet::of(&[Face::Hit]),
            to: Face::Crit,
            how_many: HowMany::Exactly(1),
        };
        tools.cards.push(Effect {
            must: true,
            needs: vec![Need::Stock { resource, at_least: 1 }],
            ..card(0, Window::AttackModify, Side::Attacker, change)
        });
    });
    assert_eq!(next(&contest, &rolled(&contest, "HBB")), (329.0 / 256.0, Some(0)));
}

#[test]
fn a5_a_change_of_the_other_sides_dice_is_used_where_it_costs_damage_or_a_token() {
    for (defence, focus, expected) in [
        ("EEB", 0, (1.0, true)),
        ("EBB", 0, (2.0, true)),
        ("BBB", 0, (2.0, false)),
        ("EEB", 1, (0.0, true)),
    ] {
        let contest = with(&attack(2, 0, 0, 3, focus), |tools| {
            let change = Change::Turn {
                dice: Dice::Defence,
                from: FaceSet::of(&[Face::Evade]),
                to: Face::Focus,
                how_many: HowMany::Exactly(1),
            };
            tools.cards.push(card(0, Window::DefenceModify, Side::Attacker, change));
        });
        let state = contest.rolled(rolled(&contest, "HH"), faces(defence));
        let found = next(&contest, &state);
        assert_eq!((found.0, found.1 == Some(0)), expected, "{defence}");
    }
}

#[test]
fn a7_damage_to_oneself_is_counted_against_the_gain_and_never_the_last_hull() {
    for (dice, life, expected) in [
        ("FFH", 5, (2.25 - 1.0, true)),
        ("FHH", 5, (1.25, false)),
        ("FFH", 0, (0.390625, false)),
    ] {
        let contest = with(&attack(3, 0, 0, 2, 0), |tools| {
            let life = tools.resource(Resource {
                kind: ResourceKind::Life,
                side: Side::Attacker,
                left: life,
                rank: 0,
            });
            let change = Change::Turn {
                dice: Dice::Attack,
                from: FaceSet::of(&[Face::Focus]),
                to: Face::Crit,
                how_many: HowMany::All,
            };
            let price = vec![Price::Suffer { life, damage: 1 }];
            tools.cards.push(Effect {
                price,
                ..card(0, Window::AttackModify, Side::Attacker, change)
            });
        });
        let found = next(&contest, &rolled(&contest, dice));
        assert_eq!((found.0, found.1 == Some(0)), expected, "{dice}");
    }
}
