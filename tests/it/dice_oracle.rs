//! Attacks against exact values of an independent enumeration, and laws of all attacks.

use proptest::prelude::*;
use tallyho::xwing::combat::{Attack, AttackTokens, DamageRule, DefenceTokens, DiceRules};

/// `case` to `def_reinforce` as `tallyho dice` reads them, then the expected values.
const ORACLE: &str = include_str!("../cases/combat/dice-oracle.csv");

fn tallyho() -> assert_cmd::Command {
    assert_cmd::Command::cargo_bin("tallyho").unwrap()
}

fn rows(text: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let rows = reader
        .records()
        .map(|row| row.unwrap().iter().map(str::to_owned).collect());
    (header, rows.collect())
}

#[test]
fn sa_10_sa_11_attacks_agree_with_an_independent_enumeration() {
    let output = tallyho().args(["dice", "-"]).write_stdin(ORACLE).unwrap();
    let output = String::from_utf8(output.stdout).unwrap();
    let (columns, expected) = rows(ORACLE);
    let (header, found) = rows(&output);
    let names = "case,expected_damage,expected_hits,expected_crits,p_dmg_0,p_dmg_1,p_dmg_2,p_dmg_3,p_dmg_4,p_dmg_5";
    assert_eq!(header.join(","), names);
    assert_eq!(found.len(), expected.len());
    assert_eq!(found.len(), 140);
    let mut wrong = Vec::new();
    for (found, expected) in found.iter().zip(&expected) {
        for (name, cell) in header.iter().zip(found) {
            let expected = &expected[columns.iter().position(|column| column == name).unwrap()];
            let same = match (cell.parse::<f64>(), expected.parse::<f64>()) {
                (Ok(cell), Ok(expected)) => (cell - expected).abs() <= 1e-9,
                _ => cell == expected,
            };
            if !same {
                wrong.push(format!("{}: {name} is {cell}, expected {expected}", found[0]));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn an_attack_with_more_dice_gets_more_columns() {
    let input = "def_reinforce,case,edition,atk_dice,atk_focus,atk_lock,atk_calculate,atk_force,def_dice,def_focus,\
                 def_evade,def_calculate,def_force,extra\n0,big,2e,7,0,0,0,0,0,0,0,0,0,x\n";
    let output = tallyho().args(["dice", "-"]).write_stdin(input).unwrap();
    let (header, found) = rows(&String::from_utf8(output.stdout).unwrap());
    assert_eq!(header.last().unwrap(), "p_dmg_7");
    assert_eq!(found[0][..2], ["big", "3.500000000000"]);
    assert_eq!(found[0].last().unwrap(), "0.007812500000");
}

#[test]
fn wrong_cells_are_named_by_line_and_column_and_nothing_is_computed() {
    let header = "case,edition,atk_dice,atk_focus,atk_lock,atk_calculate,atk_force,def_dice,def_focus,def_evade,\
                  def_calculate,def_force,def_reinforce";
    let input = format!(
        "{header}\na,2e,3,0,0,0,0,2,0,0,0,0,0\nb,3e,-1,0,0,0,0,2,0,0,0,0,0\nc,2e,3,0,0,0,0,21,,0,0,0,0\nd,1e,3,0,0\n"
    );
    let failed = tallyho()
        .args(["dice", "-"])
        .write_stdin(input)
        .assert()
        .failure()
        .code(1);
    let output = failed.get_output();
    assert!(output.stdout.is_empty());
    let message = String::from_utf8(output.stderr.clone()).unwrap();
    expect_test::expect![[r#"
        tallyho: standard input cannot be used: nothing was computed:
          line 3, column edition: `3e` is not possible; write 1e or 2e
          line 3, column atk_dice: `-1` is not possible; write a whole number of dice from 0 to 20
          line 4, column def_dice: `21` is not possible; write a whole number of dice from 0 to 20
          line 4, column def_focus: it is empty; write a whole number of tokens from 0 to 255
          line 5, column atk_calculate: the line ends before it; write a whole number of tokens from 0 to 255
          line 5, column atk_force: the line ends before it; write a whole number of charges from 0 to 255
          line 5, column def_dice: the line ends before it; write a whole number of dice from 0 to 20
          line 5, column def_focus: the line ends before it; write a whole number of tokens from 0 to 255
          line 5, column def_evade: the line ends before it; write a whole number of tokens from 0 to 255
          line 5, column def_calculate: the line ends before it; write a whole number of tokens from 0 to 255
          line 5, column def_force: the line ends before it; write a whole number of charges from 0 to 255
          line 5, column def_reinforce: the line ends before it; write a whole number of tokens from 0 to 255
    "#]]
    .assert_eq(&message);
    let missing = tallyho()
        .args(["dice", "-"])
        .write_stdin("case,edition\n")
        .assert()
        .failure();
    let message = String::from_utf8(missing.get_output().stderr.clone()).unwrap();
    assert!(message.contains("line 1: no column atk_dice, atk_focus"), "{message}");
}

prop_compose! {
    fn attack_tokens()(focus in 0u8..3, lock in 0u8..3, calculate in 0u8..3, force in 0u8..3) -> AttackTokens {
        AttackTokens { focus, lock, calculate, force }
    }
}

prop_compose! {
    fn defence_tokens()(
        focus in 0u8..3, evade in 0u8..3, calculate in 0u8..3, force in 0u8..3, reinforce in 0u8..3,
    ) -> DefenceTokens {
        DefenceTokens { focus, evade, calculate, force, reinforce }
    }
}

prop_compose! {
    fn attacks()(
        first in any::<bool>(), attack_dice in 0u8..6, attack_tokens in attack_tokens(),
        defence_dice in 0u8..5, defence_tokens in defence_tokens(),
    ) -> Attack {
        let rules = if first { DiceRules::FIRST } else { DiceRules::SECOND };
        Attack { rules, attack_dice, attack_tokens, defence_dice, defence_tokens, rule: DamageRule::Results }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn chances_add_up_and_carry_the_expected_damage(attack in attacks()) {
        let forecast = attack.forecast();
        let sum: f64 = forecast.chances.iter().sum();
        prop_assert!((sum - 1.0).abs() < 1e-12, "{sum}");
        let mean: f64 = forecast.chances.iter().enumerate().map(|(damage, chance)| damage as f64 * chance).sum();
        prop_assert!((mean - forecast.damage).abs() < 1e-12);
        prop_assert!(forecast.crits <= forecast.damage + 1e-12);
    }

    #[test]
    fn more_for_the_attacker_never_lowers_damage_and_more_for_the_defender_never_raises_it(
        attack in attacks(), more in 0usize..10,
    ) {
        let mut richer = attack;
        let raises = match more {
            0 => { richer.attack_dice += 1; true }
            1 => { richer.attack_tokens.focus += 1; true }
            2 => { richer.attack_tokens.lock += 1; true }
            3 => { richer.attack_tokens.calculate += 1; true }
            4 => { richer.attack_tokens.force += 1; true }
            5 => { richer.defence_dice += 1; false }
            6 => { richer.defence_tokens.focus += 1; false }
            7 => { richer.defence_tokens.evade += 1; false }
            8 => { richer.defence_tokens.force += 1; false }
            _ => { richer.defence_tokens.reinforce += 1; false }
        };
        let (before, after) = (attack.forecast().damage, richer.forecast().damage);
        if raises {
            prop_assert!(after >= before - 1e-12, "{before} {after}");
        } else {
            prop_assert!(after <= before + 1e-12, "{before} {after}");
        }
    }
}
