//! How long it takes to know what to do with dice: the worst rows of the table of attacks, single decisions, and pools
//! larger than any ship has.

use tallyho::xwing::combat::{
    Attack, AttackChoice, AttackDice, AttackTokens, DamageRule, DefenceTokens, DiceRules, Forecast, SpendFirst, attack,
};

fn main() {
    divan::main();
}

/// An attack: dice, focus, lock, calculate, Force; dice, focus, evade, calculate, Force, reinforce.
fn pools(attacker: [u8; 5], defender: [u8; 6]) -> Attack {
    let [attack_dice, focus, lock, calculate, force] = attacker;
    let attack_tokens = AttackTokens {
        focus,
        lock,
        calculate,
        force,
    };
    let [defence_dice, focus, evade, calculate, force, reinforce] = defender;
    let defence_tokens = DefenceTokens {
        focus,
        evade,
        calculate,
        force,
        reinforce,
    };
    Attack {
        rules: DiceRules::SECOND,
        attack_dice,
        attack_tokens,
        defence_dice,
        defence_tokens,
        rule: DamageRule::Results,
    }
}

const COMMON: ([u8; 5], [u8; 6]) = ([3, 1, 1, 0, 0], [3, 1, 1, 0, 0, 0]);
const FIVE_DICE: ([u8; 5], [u8; 6]) = ([5, 1, 1, 0, 0], [2, 1, 0, 0, 0, 0]);
const EVERYTHING: ([u8; 5], [u8; 6]) = ([6, 1, 1, 2, 3], [6, 1, 2, 2, 3, 1]);
const HUGE: ([u8; 5], [u8; 6]) = ([12, 1, 2, 2, 3], [12, 1, 2, 2, 3, 1]);

#[divan::bench(args = [COMMON, FIVE_DICE, EVERYTHING, HUGE])]
fn forecast(bencher: divan::Bencher<'_, '_>, case: &([u8; 5], [u8; 6])) {
    let attack = pools(case.0, case.1);
    bencher.bench(|| -> Forecast { attack.forecast() });
}

/// The attacker has rolled all blanks and focus results: the largest choice that the pool can leave it.
#[divan::bench(args = [COMMON, FIVE_DICE, EVERYTHING, HUGE])]
fn decide(bencher: divan::Bencher<'_, '_>, case: &([u8; 5], [u8; 6])) {
    let pools = pools(case.0, case.1);
    let dice = AttackDice {
        focuses: pools.attack_dice / 2,
        blanks: pools.attack_dice - pools.attack_dice / 2,
        ..AttackDice::default()
    };
    bencher.bench(|| -> AttackChoice {
        let defence = pools.defence();
        attack::choose(pools.rules, dice, pools.attack_tokens, &defence, SpendFirst::RoleOnly)
    });
}
