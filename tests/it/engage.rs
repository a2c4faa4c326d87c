//! Weapon (SA-9a, SA-9b, SA-9c), target (SA-9.1, SA-9.2, SA-9.3) and device rolls (SA-2) against an independent
//! implementation, over all 300 positions, and cases that these do not reach.

use serde_json::Value;
use tallyho::{
    bridge::{position::Position, text},
    dice::{AttackFace, SeededDice},
    solo_alpha::{
        attack::engage::{Blocked, Engagement, TargetRule, engage, no_abilities},
        device,
    },
    xwing::{catalog::Catalog, ship::Ship, table::Table, weapon::Weapon},
};

use crate::positions_300;

const SEEDS: u64 = 6;

fn texts(value: &Value) -> Vec<&str> {
    let list = value.as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter().filter_map(Value::as_str).collect()
}

fn decide(table: &Table, ship: &str, seed: u64) -> Engagement {
    engage(table, ship, &no_abilities, &mut SeededDice::new(seed)).unwrap()
}

/// What is wrong with an engagement, in words.
fn differences(found: &Engagement, expected: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    let weapons = expected["weapons"].as_array().unwrap();
    let names: Vec<&str> = weapons.iter().filter_map(|weapon| weapon["weapon"].as_str()).collect();
    let order: Vec<&str> = found.weapons.iter().map(|weapon| &*weapon.name).collect();
    if order != names {
        wrong.push(format!("weapons {order:?}, expected {names:?}"));
    }
    for (weapon, expected) in found.weapons.iter().zip(weapons) {
        let legal: Vec<&str> = weapon.legal.iter().map(|target| &*target.id).collect();
        if legal != texts(&expected["legal"]) {
            wrong.push(format!(
                "{}: legal {legal:?}, expected {}",
                weapon.name, expected["legal"]
            ));
        }
    }
    let blocked: Vec<String> = found
        .blocked
        .iter()
        .map(|blocked| match blocked {
            Blocked::Asteroid(id) => format!("asteroid:{id}"),
            other => other.to_string(),
        })
        .collect();
    if blocked != texts(&expected["blocked"]) {
        wrong.push(format!("blocked {blocked:?}, expected {}", expected["blocked"]));
    }
    let answers = expected["answers"].as_array().unwrap();
    let fits = match &found.attack {
        None => answers.is_empty(),
        Some(attack) => answers.iter().any(|answer| {
            answer["weapon"] == attack.weapon_name.as_str()
                && answer["target"] == *attack.target.id
                && answer["attack_range"] == attack.target.range
                && answer["obstructed"] == !attack.obstructing.is_empty()
                && (answer["distance"].as_f64().unwrap() - attack.target.distance_mm).abs() < 0.001
        }),
    };
    if !fits {
        wrong.push(format!("attack {:?}, expected {answers:?}", found.attack));
    }
    wrong
}

#[test]
fn sa_9_engagements_agree_with_an_independent_implementation() {
    let mut wrong = Vec::new();
    let (mut rows, mut attacks) = (0, 0);
    for (_, position, expected) in positions_300::all() {
        rows += 1;
        let attacker = expected["engage"]["attacker"].as_str().unwrap();
        for seed in 0..SEEDS {
            let found = decide(&position.table, attacker, seed);
            attacks += usize::from(found.attack.is_some());
            let solid = &expected["solid"];
            let found = differences(&found, &expected["engage"]);
            wrong.extend(
                found
                    .into_iter()
                    .map(|text| format!("{} (solid: {solid}): {text}", position.id)),
            );
            wrong.dedup();
        }
    }
    assert_eq!((rows, attacks), (300, 159 * SEEDS as usize));
    assert!(wrong.is_empty(), "{} differences\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn sa_2_device_checks_agree_with_an_independent_implementation() {
    let mut wrong = Vec::new();
    for (_, position, expected) in positions_300::all() {
        let ship = position.table.ship(position.active.as_deref().unwrap()).unwrap();
        let found = device::threatened(&position.table, ship);
        let found: Vec<&str> = found.iter().map(|id| &**id).collect();
        let expected = &expected["device_check"];
        if found != texts(&expected["enemies"]) || expected["dice"] != found.len() {
            wrong.push(format!("{}: {found:?}, expected {expected}", position.id));
        }
    }
    assert!(wrong.is_empty(), "{} differences\n{}", wrong.len(), wrong.join("\n"));
}

fn position(fixture: &str) -> Position {
    text::parse(fixture, Catalog::embedded()).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn sa_9_a_lock_weapon_needs_the_lock_on_its_target_and_a_charge() {
    let fixture = |lock: &str| {
        format!(
            "ship A t65xwing solo 457,200 @0 weapon protontorpedoes {lock}\n\
             ship B tielnfighter player 430,360 @180\nship C tielnfighter player 500,400 @180\n"
        )
    };
    let mut locked = position(&fixture("lock C"));
    let found = decide(&locked.table, "A", 0).attack.unwrap();
    assert_eq!((&*found.weapon_name, &*found.target.id), ("protontorpedoes", "C"));
    assert_eq!((found.rule, found.attack_dice), (TargetRule::Locked, 4));
    // Without a charge the primary, and still the locked one before the nearest.
    let torpedoes = |weapon: &&mut Weapon| weapon.special.is_some();
    let ship = locked.table.ships.iter_mut().find(|ship| &*ship.id == "A").unwrap();
    let weapon = ship.weapons.iter_mut().find(torpedoes).unwrap();
    weapon.special.as_mut().unwrap().charges.as_mut().unwrap().left = 0;
    let found = decide(&locked.table, "A", 0).attack.unwrap();
    assert_eq!((&*found.weapon_name, &*found.target.id), ("primary:Front Arc:3", "C"));
    // Without a lock the nearest.
    let free = position(&fixture(""));
    let found = decide(&free.table, "A", 0).attack.unwrap();
    assert_eq!((&*found.weapon_name, &*found.target.id), ("primary:Front Arc:3", "B"));
    assert_eq!(found.rule, TargetRule::Nearest);
}

#[test]
fn sa_9_2_most_abilities_come_before_the_nearest() {
    let table = position(
        "ship A t65xwing solo 457,200 @0\nship B tielnfighter player 430,360 @180\nship C tielnfighter player 500,400 @180\n",
    )
    .table;
    let abilities = |_: &Weapon, target: &Ship| u32::from(&*target.id == "C");
    let found = engage(&table, "A", &abilities, &mut SeededDice::new(0))
        .unwrap()
        .attack
        .unwrap();
    assert_eq!((&*found.target.id, found.rule), ("C", TargetRule::MostAbilities));
    let reasons = decide(&table, "A", 0).reasons;
    let rules: Vec<&str> = reasons.iter().map(|reason| &*reason.rule).collect();
    assert_eq!(rules, ["SA-9c", "SA-9.3", "SA-9"]);
}

#[test]
fn sa_9_range_bonus_and_its_exceptions() {
    let dice = |fixture: &str| {
        let found = decide(&position(fixture).table, "A", 0).attack.unwrap();
        (found.target.range, found.attack_dice, found.defence_bonus)
    };
    assert_eq!(
        dice("ship A t65xwing solo 457,200 @0\nship B tielnfighter player 457,300 @180\n"),
        (1, 4, 0)
    );
    assert_eq!(
        dice("ship A t65xwing solo 457,200 @0\nship B tielnfighter player 457,400 @180\n"),
        (2, 3, 0)
    );
    assert_eq!(
        dice("ship A t65xwing solo 457,200 @0\nship B tielnfighter player 457,500 @180\n"),
        (3, 3, 1)
    );
    let ordnance = "ship A t65xwing solo 457,200 @0 weapon protontorpedoes lock B\n\
                    ship B tielnfighter player 457,500 @180\n";
    assert_eq!(dice(ordnance), (3, 4, 0));
    let cannon = "ship A t65xwing solo 457,200 @0 weapon ioncannon\nship B tielnfighter player 457,500 @180\n";
    assert_eq!(dice(cannon), (3, 3, 1));
}

#[test]
fn case_b5_a_ship_in_contact_is_no_target() {
    let table = position(
        "ship A t65xwing solo 457,200 @0\nship B tielnfighter player 457,240 @180\nship C tielnfighter player 457,500 @180\n",
    )
    .table;
    let found = decide(&table, "A", 0).attack.unwrap();
    assert_eq!(&*found.target.id, "C");
    let ship = table.ship("A").unwrap();
    assert_eq!(
        device::threatened(&table, ship).len(),
        1,
        "it counts for the bomb check"
    );
}

#[test]
fn case_f1_an_evade_token_does_not_make_a_target() {
    // Two equal targets, the farther one with an evade token, and the other way round: the nearest decides.
    for (near, far) in [("evade 1", ""), ("", "evade 1")] {
        let table = position(&format!(
            "ship A t65xwing solo 457,200 @0\nship B tielnfighter player 430,360 @180 {near}\n\
             ship C tielnfighter player 500,400 @180 {far}\n"
        ))
        .table;
        assert_eq!(&*decide(&table, "A", 0).attack.unwrap().target.id, "B");
    }
}

#[test]
fn case_f5_a_destroyed_ship_neither_shoots_nor_is_shot_at() {
    let table = position(
        "ship A t65xwing solo 457,200 @0\nship B tielnfighter player 457,300 @180 destroyed\n\
         ship C tielnfighter solo 500,300 @180 destroyed\n",
    )
    .table;
    let found = decide(&table, "A", 0);
    assert_eq!(found.attack, None);
    assert_eq!(found.sentence, "A has nobody to attack.");
    assert!(engage(&table, "C", &no_abilities, &mut SeededDice::new(0)).is_err());
}

#[test]
fn a_disarmed_ship_does_not_attack_and_says_why() {
    let table = position("ship A t65xwing solo 457,200 @0 disarm 1\nship B tielnfighter player 457,300 @180\n").table;
    let found = decide(&table, "A", 0);
    assert_eq!((found.attack, found.blocked), (None, vec![Blocked::Disarmed]));
    assert_eq!(found.sentence, "A does not attack: it is disarmed.");
}

#[test]
fn sa_2_a_hit_or_crit_drops_the_device() {
    let table = position(
        "ship A tiesabomber solo 457,200 @0 device protonbombs\nship B tielnfighter player 457,120 @180\n\
         ship C tielnfighter player 457,20 @180\n",
    )
    .table;
    let mut dropped = 0;
    for seed in 0..40 {
        let check = device::check(&table, "A", &mut SeededDice::new(seed)).unwrap().unwrap();
        assert_eq!(check.enemies.len(), 2);
        let hit = check
            .rolled
            .iter()
            .any(|face| matches!(face, AttackFace::Hit | AttackFace::Crit));
        assert_eq!(check.drops, hit);
        dropped += usize::from(check.drops);
    }
    assert!((1..40).contains(&dropped));
    let unarmed = position("ship A tielnfighter solo 457,200 @0\n").table;
    assert_eq!(device::check(&unarmed, "A", &mut SeededDice::new(0)).unwrap(), None);
}
