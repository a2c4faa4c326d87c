//! PE-6: Protect (PE-6.1); PE-A6 and PE-A7: Protect played automatically.

use tallyho::{
    solo_alpha::{
        attitude::Attitude,
        escort::protect::{LineOfProtect, line, spend, wanted},
    },
    xwing::{
        combat::Uncancelled,
        escort::protect::{Die, NoProtect, cancel, may_protect},
        ship::Ship,
        table::Table,
        weapon::{Weapon, WeaponArc},
    },
};

use super::cases::{file, read};

/// FE-8.3: each evade cancels a hit, and a critical hit only when no hit is left.
fn evaded(results: Uncancelled, evades: u8) -> Uncancelled {
    let hits = results.hits.min(evades);
    Uncancelled {
        hits: results.hits - hits,
        crits: results.crits.saturating_sub(evades - hits),
    }
}

#[test]
fn pe_6_3_pe_a7_a_token_cancels_the_worst_that_is_left() {
    let text = file("protect.txt");
    for case in read(&text) {
        let dice = case.given("dice").expect("`dice`");
        let number = |place: usize| dice[place].parse::<u8>().expect("a number");
        let results = Uncancelled {
            hits: number(0),
            crits: number(1),
        };
        let left = evaded(results, number(3));
        let (die, reason) = spend(results, left, case.options().protect_order);
        assert_eq!(reason.rule, "PE-A7");
        let told = match die {
            None => "keep".to_owned(),
            Some(die) => {
                let word = match die {
                    Die::Crit => "crit",
                    Die::Hit => "hit",
                };
                let then = cancel(results, left, die);
                format!("cancel {word} leaves {} {}", then.hits, then.crits)
            }
        };
        assert_eq!(told, case.expected[0].join(" "), "{}", case.title);
    }
}

/// The shuttle at 457,220, an escort beside it, two attackers ahead that have it in arc.
const TABLE: &str = "## t
shuttle 457,220 @0
escort E small 540,220 @0
attacker A small 440,400 @180
attacker B small 500,400 @180
";

fn armed() -> Table {
    let mut table = read(TABLE)[0].table();
    for ship in &mut table.ships {
        if ship.side == "attacker" {
            ship.weapons = vec![Weapon {
                id: "primary".to_owned(),
                arc: WeaponArc::Front,
                value: 2,
                min_range: 1,
                max_range: 3,
                special: None,
            }];
        }
    }
    table
}

fn with(table: &Table, change: impl FnOnce(&mut Ship)) -> Ship {
    let mut escort = table.ship("E").expect("the escort").clone();
    change(&mut escort);
    escort
}

#[test]
fn pe_6_1_who_may_protect() {
    let table = armed();
    let shuttle = table.ship("shuttle").expect("the shuttle");
    let escort = table.ship("E").expect("the escort");
    assert_eq!(may_protect(escort, shuttle, false), Ok(()));
    assert_eq!(may_protect(escort, shuttle, true), Err(NoProtect::Done));
    // C5
    let stressed = with(&table, |ship| ship.tokens.stress = 1);
    assert_eq!(may_protect(&stressed, shuttle, false), Err(NoProtect::Stressed));
    // Up to 100 mm between the bases, contact included.
    for (x, expected) in [(517.0, Ok(())), (617.0, Ok(())), (617.1, Err(NoProtect::TooFar))] {
        let moved = with(&table, |ship| ship.pose.position.x = x);
        assert_eq!(may_protect(&moved, shuttle, false), expected, "{x}");
    }
    assert_eq!(may_protect(shuttle, shuttle, false), Err(NoProtect::NoEscort));
    let enemy = table.ship("A").expect("an attacker");
    assert_eq!(may_protect(enemy, shuttle, false), Err(NoProtect::NoEscort));
}

#[test]
fn pe_a6_f8_an_escort_protects_as_long_as_shooters_outnumber_tokens() {
    let table = armed();
    let shuttle = table.ship("shuttle").expect("the shuttle");
    let escort = table.ship("E").expect("the escort");
    for (tokens, expected) in [(0, true), (1, true), (2, false)] {
        let (wanted, reason) = wanted(&table, escort, shuttle, tokens, false);
        assert_eq!(wanted, expected, "{tokens} tokens");
        assert_eq!((reason.rule.as_str(), reason.compared.len()), ("PE-A6", 2));
    }
    let mut turned = table.clone();
    for ship in &mut turned.ships {
        if ship.side == "attacker" {
            ship.pose.heading = 0.0;
        }
    }
    assert!(
        !wanted(&turned, escort, shuttle, 0, false).0,
        "a token without a shooter is wasted"
    );
    assert_eq!(line(Attitude::Defensive), LineOfProtect::First);
    assert_eq!(line(Attitude::Balanced), LineOfProtect::First);
    assert_eq!(line(Attitude::Offensive), LineOfProtect::Last);
}
