//! Devices (SA-2): worked cases out of `tests/cases/devices.txt`, and when and under whom they go off.
//!
//! A case is a section: `## ID what it is about`, a position in the text form with the ship that has the device as the active
//! one, `roll` with the attack dice that come up (none must be left, and none missing), then expectations: `dice`, the enemies
//! that give one; `drops`, the template or `nothing`; `charges` afterwards; `reaches`, the ships in reach of the device as
//! all stand.

use std::collections::VecDeque;

use tallyho::{
    bridge::{position::Position, text},
    commander::{Commander, solo::Solo},
    dice::{AttackFace, DefenceFace, DiceSource},
    geometry::Pose,
    solo_alpha::{Options, device as solo_device},
    xwing::{
        action::{ActionDetail, ActionKind},
        battle::{Answer, Battle, Event, Fighter, Flight, Order, Phase, Refused, Request, Setup, Side, audit::audit},
        catalog::Catalog,
        combat::{AttackStep, Spending},
        device,
        maneuver::Difficulty,
        movement::Alignment,
        table::Table,
    },
};

/// Attack dice as written; everything else is blank and first.
struct Script(VecDeque<AttackFace>);

impl DiceSource for Script {
    fn attack(&mut self) -> AttackFace {
        self.0.pop_front().expect("no die more than the case says")
    }
    fn defence(&mut self) -> DefenceFace {
        DefenceFace::Blank
    }
    fn choose(&mut self, _count: usize) -> usize {
        0
    }
}

fn faces(words: &str) -> VecDeque<AttackFace> {
    let words = words.split(',').map(str::trim).filter(|word| !word.is_empty());
    words
        .map(|word| match word {
            "blank" => AttackFace::Blank,
            "focus" => AttackFace::Focus,
            "hit" => AttackFace::Hit,
            "crit" => AttackFace::Crit,
            other => panic!("no such face: {other}"),
        })
        .collect()
}

/// A battle of the ships of a position, each out of the catalog, nobody with a dial but the players.
fn setup(table: Table) -> Setup {
    let fighter = |chassis: &str| {
        let resolved = Catalog::embedded().resolve(chassis, None, &[] as &[&str]).unwrap();
        Fighter::of(&resolved).unwrap()
    };
    let fighters = table.ships.iter().map(|ship| (ship.id.clone(), fighter(&ship.chassis)));
    let side = |name: &str| Side {
        name: name.to_owned(),
        dials: false,
        flees: false,
    };
    Setup {
        fighters: fighters.collect(),
        table,
        sides: vec![side("player"), side("solo")],
        alternating: false,
        rounds: Some(1),
        guides: false,
        mission: None,
        escort: None,
    }
}

fn position(fixture: &str) -> Position {
    text::parse(fixture, Catalog::embedded()).unwrap_or_else(|error| panic!("{error}\n{fixture}"))
}

#[test]
fn sa_2_worked_cases() {
    let file = include_str!("../cases/devices.txt");
    let mut cases = 0;
    for section in file.split("\n## ").skip(1) {
        let (id, _) = section.split_once(' ').unwrap();
        let lines = section.lines().skip(1);
        let fixture: Vec<&str> = lines
            .clone()
            .filter(|line| line.starts_with("ship ") || line.starts_with("active "))
            .collect();
        let roll = lines.clone().find_map(|line| line.strip_prefix("roll")).unwrap();
        let position = position(&fixture.join("\n"));
        let active = position.active.as_deref().unwrap();
        let start = setup(position.table);
        let ship = start.table.ship(active).unwrap().clone();
        let mut dice = Script(faces(roll));
        // The deck is shuffled first; the script has no dice for that.
        let mut battle = Battle::new(start.clone(), &mut dice).unwrap();
        let threatened = solo_device::threatened(battle.table(), &ship);
        let mut solo = Solo::new(Options::default());
        while battle.phase() == Phase::System {
            let request = battle.pending().unwrap().clone();
            let answer = solo.answer(&battle, &request, &mut dice, None);
            battle.answer(answer, &mut dice).unwrap();
        }
        assert!(dice.0.is_empty(), "{id}: dice are left");
        let piece = battle.devices().first();
        let list = |ids: Vec<String>| {
            if ids.is_empty() {
                "none".to_owned()
            } else {
                ids.join(",")
            }
        };
        for line in lines.filter_map(|line| line.strip_prefix("=> ")) {
            let (key, expected) = line.split_once(' ').unwrap();
            let found = match key {
                "dice" => list(threatened.iter().map(ToString::to_string).collect()),
                "drops" => (battle.events().iter())
                    .find_map(|event| match event {
                        Event::Dropped { template, .. } => Some(String::from(*template)),
                        _ => None,
                    })
                    .unwrap_or_else(|| "nothing".to_owned()),
                "charges" => {
                    let charges = battle.table().ship(active).unwrap().device.as_ref().unwrap().charges;
                    format!("{}/{}", charges.left, charges.max)
                }
                "reaches" => {
                    let reached = device::reached(battle.table(), piece.unwrap(), None);
                    list(reached.iter().map(|ship| ship.id.to_string()).collect())
                }
                other => panic!("{id}: no such key: {other}"),
            };
            assert_eq!(found, expected, "{id}: {key}");
        }
        assert_eq!(audit(&start, battle.events()), [], "{id}");
        cases += 1;
    }
    assert!(cases >= 10, "{cases} cases");
}

/// Answers: drops by these templates, flies these maneuvers, does nothing else.
fn run(battle: &mut Battle, dice: &mut dyn DiceSource, drops: &[(&str, &str)], flights: &[(&str, &str)]) {
    let of = |list: &[(&str, &str)], id: &str| {
        list.iter()
            .find(|(ship, _)| *ship == id)
            .map(|(_, text)| text.to_string())
    };
    while let Some(request) = battle.pending().cloned() {
        let id = request.ship().clone();
        let answer = match request {
            Request::Drop { .. } => Answer::Drop(of(drops, &id).map(|text| text.parse().unwrap())),
            Request::Detonate { device, .. } => {
                let piece = battle.devices().iter().find(|piece| piece.id == device).unwrap();
                Answer::Detonate(device::obstacles_near(battle.table(), piece).last().unwrap().id.clone())
            }
            Request::Fly { .. } => Answer::Fly(Flight {
                maneuver: of(flights, &id).unwrap_or_else(|| "2FB".to_owned()).parse().unwrap(),
                alignment: Alignment::Middle,
                edge_turn: None,
            }),
            Request::Act { .. } => Answer::Act(Vec::new()),
            Request::Attack { .. } => Answer::Attack(None),
            Request::ModifyAttack { .. } => Answer::ModifyAttack(AttackStep::Finish {
                spending: Spending::default(),
                changed: 0,
            }),
            Request::ModifyDefence { .. } => Answer::ModifyDefence(Spending::default()),
            other => panic!("{other:?}"),
        };
        battle.answer(answer, dice).unwrap();
    }
}

/// Dice of one face, and a first choice.
struct Always(AttackFace);

impl DiceSource for Always {
    fn attack(&mut self) -> AttackFace {
        self.0
    }
    fn defence(&mut self) -> DefenceFace {
        DefenceFace::Blank
    }
    fn choose(&mut self, _count: usize) -> usize {
        0
    }
}

fn blasted(battle: &Battle) -> Vec<String> {
    let ships = battle.events().iter().filter_map(|event| match event {
        Event::Blasted { ship, harm, .. } => Some(format!("{ship} {} {} {}", harm.hits, harm.crits, harm.ion)),
        _ => None,
    });
    ships.collect()
}

fn place_of(battle: &Battle, wanted: impl Fn(&Event) -> bool) -> usize {
    battle.events().iter().position(wanted).expect("it happens")
}

#[test]
fn sa_2_a_bomb_goes_off_at_the_end_of_the_activation_phase_under_everybody_near() {
    let fixture = "ship S btla4ywing solo 457,457 @0 device protonbombs charges 2/2\n\
                   ship A t65xwing player 457,330 @0\nship B t65xwing player 700,700 @0\n";
    let start = setup(position(fixture).table);
    let mut dice = Always(AttackFace::Blank);
    let mut battle = Battle::new(start.clone(), &mut dice).unwrap();
    // A overtakes the bomb, S is gone far ahead, B was never near.
    run(
        &mut battle,
        &mut dice,
        &[("S", "1F")],
        &[("A", "1FB"), ("S", "3FW"), ("B", "2FB")],
    );
    assert_eq!(blasted(&battle), ["A 0 1 0"]);
    assert!(battle.devices().is_empty());
    let went_off = place_of(&battle, |event| matches!(event, Event::Detonated { .. }));
    let last_move = battle
        .events()
        .iter()
        .rposition(|event| matches!(event, Event::Flew { .. }))
        .unwrap();
    let engagement = place_of(&battle, |event| matches!(event, Event::PhaseBegan(Phase::Engagement)));
    assert!(last_move < went_off && went_off < engagement);
    assert_eq!(audit(&start, battle.events()), []);
    // A record in which the bomb never goes off, or goes off twice, is found.
    let mut without = battle.events().to_vec();
    without.remove(went_off);
    assert_ne!(audit(&start, &without), []);
    let mut twice = battle.events().to_vec();
    twice.insert(went_off, twice[went_off].clone());
    assert_ne!(audit(&start, &twice), []);
}

#[test]
fn sa_2_a_mine_goes_off_under_the_first_ship_that_moves_through_it_or_ends_on_it() {
    let fixture = "ship S btla4ywing solo 457,457 @0 device proximitymines charges 2/2\n\
                   ship A t65xwing player 457,280 @0\nship B t65xwing player 600,250 @0\n";
    let start = setup(position(fixture).table);
    let mut dice = Always(AttackFace::Hit);
    let mut battle = Battle::new(start.clone(), &mut dice).unwrap();
    run(&mut battle, &mut dice, &[("S", "1F")], &[("A", "2FB"), ("S", "3FW")]);
    // One hit, and one for each of two dice.
    assert_eq!(blasted(&battle), ["A 3 0 0"]);
    assert!(battle.devices().is_empty());
    assert_eq!(audit(&start, battle.events()), []);
    // Nobody near: it stays.
    let mut start = start;
    start.table.ships[0].pose = Pose::new(800.0, 280.0, 0.0);
    let mut battle = Battle::new(start.clone(), &mut dice).unwrap();
    run(&mut battle, &mut dice, &[("S", "1F")], &[("A", "2FB"), ("S", "3FW")]);
    let left = battle.devices().len();
    assert_eq!((blasted(&battle).len(), left), (0, 1));
    assert_eq!(audit(&start, battle.events()), []);
}

#[test]
fn sa_2_a_mine_goes_off_under_a_boost_and_under_whom_it_is_dropped_on() {
    // Dropped on A.
    let fixture =
        "ship S btla4ywing solo 457,457 @0 device connernets charges 1/1\nship A t65xwing player 457,380 @0\n";
    let start = setup(position(fixture).table);
    let mut dice = Always(AttackFace::Blank);
    let mut battle = Battle::new(start.clone(), &mut dice).unwrap();
    while battle.phase() == Phase::System {
        battle
            .answer(Answer::Drop(Some("1F".parse().unwrap())), &mut dice)
            .unwrap();
    }
    assert_eq!(blasted(&battle), ["A 1 0 3"]);
    assert_eq!(battle.table().ship("A").unwrap().tokens.ion, 3);
    assert_eq!(audit(&start, battle.events()), []);
    // A boosts into it.
    let fixture =
        "ship S btla4ywing solo 457,457 @0 device connernets charges 1/1\nship A rz2awing player 457,150 @0\n";
    let start = setup(position(fixture).table);
    let mut battle = Battle::new(start.clone(), &mut dice).unwrap();
    battle
        .answer(Answer::Drop(Some("1F".parse().unwrap())), &mut dice)
        .unwrap();
    let mut boosted = false;
    while let Some(request) = battle.pending().cloned() {
        let answer = match request {
            Request::Fly { ship, .. } => Answer::Fly(Flight {
                maneuver: if &*ship == "A" { "2FB" } else { "3FW" }.parse().unwrap(),
                alignment: Alignment::Middle,
                edge_turn: None,
            }),
            Request::Act { ship, .. } if &*ship == "A" => {
                boosted = true;
                Answer::Act(vec![Order::Bar {
                    kind: ActionKind::Boost,
                    difficulty: Difficulty::White,
                    detail: ActionDetail::Boost(tallyho::xwing::reposition::BoostTemplate::Straight),
                }])
            }
            Request::Act { .. } => Answer::Act(Vec::new()),
            _ => break,
        };
        battle.answer(answer, &mut dice).unwrap();
    }
    assert!(boosted);
    assert_eq!(blasted(&battle), ["A 1 0 3"]);
    assert_eq!(audit(&start, battle.events()), []);
}

#[test]
fn sa_2_a_seismic_charge_goes_off_around_an_obstacle_that_is_chosen_and_removed() {
    let fixture = "ship S btla4ywing solo 457,457 @0 device seismiccharges charges 2/2\n\
                   ship A t65xwing player 300,300 @0\n";
    let mut start = setup(position(fixture).table);
    let rock = tallyho::xwing::obstacle_outlines::ObstacleOutlines::embedded()
        .find("coreasteroid1")
        .unwrap();
    start.table.obstacles = [("O1", 380.0, 340.0), ("O2", 530.0, 340.0), ("O3", 800.0, 800.0)]
        .map(|(id, x, y)| rock.placed(id.into(), Pose::new(x, y, 0.0)))
        .to_vec();
    let mut dice = Always(AttackFace::Blank);
    let mut battle = Battle::new(start.clone(), &mut dice).unwrap();
    // The opponent takes the one with the enemy near.
    let mut solo = Solo::new(Options::default());
    let mut asked = 0;
    while let Some(request) = battle.pending().cloned() {
        if battle.phase() == Phase::Engagement {
            break;
        }
        let answer = match &request {
            Request::Drop { .. } => Answer::Drop(Some("1F".parse().unwrap())),
            Request::Fly { ship, .. } => Answer::Fly(Flight {
                maneuver: if &**ship == "A" { "1FB" } else { "3FW" }.parse().unwrap(),
                alignment: Alignment::Middle,
                edge_turn: None,
            }),
            Request::Detonate { device, .. } => {
                asked += 1;
                let far = Answer::Detonate("O3".into());
                let refused = battle.answer(far, &mut dice).unwrap_err();
                assert!(matches!(&refused, Refused::Obstacle { device: refused, .. } if refused == device));
                solo.answer(&battle, &request, &mut dice, None)
            }
            _ => Answer::Act(Vec::new()),
        };
        battle.answer(answer, &mut dice).unwrap();
    }
    assert_eq!(asked, 1);
    assert_eq!(blasted(&battle), ["A 1 0 0"]);
    let left: Vec<&str> = battle.table().obstacles.iter().map(|obstacle| &*obstacle.id).collect();
    assert_eq!(left, ["O2", "O3"]);
    assert_eq!(audit(&start, battle.events()), []);
}

#[test]
fn sa_2_a_cluster_mine_is_three_pieces_and_a_fuse_burns_one_round() {
    let fixture =
        "ship S btla4ywing solo 457,457 @0 device clustermines charges 1/1\nship A t65xwing player 457,200 @0\n";
    let table = position(fixture).table;
    let pieces = device::dropped(table.ship("S").unwrap(), "1F".parse().unwrap(), "d");
    let places: Vec<(f64, f64)> = (pieces.iter())
        .map(|piece| (piece.pose.position.x.round(), piece.pose.position.y.round()))
        .collect();
    assert_eq!(places.len(), 3);
    assert_eq!((places[1].0 - places[2].0).abs(), 80.0, "{places:?}");
    assert!(
        pieces.iter().all(|piece| (piece.pose.position.y - 377.5).abs() < 2.0),
        "{places:?}"
    );

    let fixture =
        "ship S btla4ywing solo 457,457 @0 device electroprotonbomb charges 1/1\nship A t65xwing player 457,230 @0\n";
    let mut start = setup(position(fixture).table);
    start.rounds = Some(2);
    let mut dice = Always(AttackFace::Blank);
    let mut battle = Battle::new(start.clone(), &mut dice).unwrap();
    run(&mut battle, &mut dice, &[("S", "1F")], &[("A", "1FB"), ("S", "1FB")]);
    let burned = place_of(&battle, |event| matches!(event, Event::FuseBurned { .. }));
    let second = place_of(&battle, |event| matches!(event, Event::RoundBegan(2)));
    let went_off = place_of(&battle, |event| matches!(event, Event::Detonated { .. }));
    assert!(burned < second && second < went_off);
    // Four blanks: A loses its two shields and nothing else.
    let a = battle.fighter("A").unwrap();
    assert_eq!((a.integrity.shields, a.integrity.damage()), (0, 0));
    assert_eq!(audit(&start, battle.events()), []);
}

#[test]
fn a_device_is_dropped_once_a_round_with_a_charge_and_a_template_that_it_has() {
    let fixture =
        "ship S btla4ywing solo 457,457 @0 device protonbombs charges 1/2\nship A t65xwing player 457,330 @0\n";
    let mut start = setup(position(fixture).table);
    start.rounds = Some(2);
    let mut dice = Always(AttackFace::Blank);
    let mut battle = Battle::new(start, &mut dice).unwrap();
    let banks = battle.answer(Answer::Drop(Some("1B".parse().unwrap())), &mut dice);
    assert!(matches!(banks, Err(Refused::Drop { .. })));
    battle
        .answer(Answer::Drop(Some("1F".parse().unwrap())), &mut dice)
        .unwrap();
    // No charge is left, so nobody is asked in the second round.
    let mut asked = 0;
    while let Some(request) = battle.pending().cloned() {
        asked += usize::from(matches!(request, Request::Drop { .. }));
        let answer = match request {
            Request::Fly { .. } => Answer::Fly(Flight {
                maneuver: "2FB".parse().unwrap(),
                alignment: Alignment::Middle,
                edge_turn: None,
            }),
            Request::Attack { .. } => Answer::Attack(None),
            _ => Answer::Act(Vec::new()),
        };
        battle.answer(answer, &mut dice).unwrap();
    }
    assert_eq!((asked, battle.round()), (0, 2));
}

#[test]
fn sa_2_a_device_whose_card_gives_charges_back_is_dropped_again() {
    let fixture = "ship S tiesebomber solo 457,457 @0 device bombletgenerator charges 1/2\n\
                   ship A t65xwing player 100,100 @0\n";
    let mut start = setup(position(fixture).table);
    start.rounds = Some(3);
    let upgrades = ["bombletgenerator"];
    let resolved = (Catalog::embedded()).resolve("tiesebomber", None, upgrades).unwrap();
    let bomber = start.fighters.iter_mut().find(|(id, _)| &**id == "S").unwrap();
    bomber.1 = Fighter::of(&resolved).unwrap();
    let mut dice = Always(AttackFace::Blank);
    let mut battle = Battle::new(start.clone(), &mut dice).unwrap();
    while let Some(request) = battle.pending().cloned() {
        let answer = match request {
            Request::Drop { .. } => Answer::Drop(Some("1F".parse().unwrap())),
            Request::Fly { .. } => Answer::Fly(Flight {
                maneuver: "2FB".parse().unwrap(),
                alignment: Alignment::Middle,
                edge_turn: None,
            }),
            Request::Effect(_) => Answer::Effect(Some(0)),
            Request::Attack { .. } => Answer::Attack(None),
            Request::Act { .. } => Answer::Act(Vec::new()),
            other => panic!("{other:?}"),
        };
        battle.answer(answer, &mut dice).unwrap();
    }
    let dropped = battle
        .events()
        .iter()
        .filter(|event| matches!(event, Event::Dropped { .. }));
    assert_eq!(dropped.count(), 3);
    assert_eq!(audit(&start, battle.events()), []);
    // Without the charges that came back the later drops are found.
    let mut without = battle.events().to_vec();
    without.retain(|event| !matches!(event, Event::CardCharges { .. }));
    assert_ne!(audit(&start, &without), []);
}
