//! FE-2.1 to FE-2.4 (FE-2.2 obstacles, FE-2.3 edges), PE-3: a table that is set up one thing after the other, by a person or by what is proposed (PE-A8).

use std::collections::BTreeMap;

use tallyho::{
    dice::SeededDice,
    geometry::polygon,
    record::{Hand, ships::Chosen},
    sim::{
        Plan,
        by_hand::ByHand,
        escort::{EscortField, EscortGame, Holder},
        field::Field,
    },
    xwing::{
        ObjectId,
        battle::Battle,
        catalog::Catalog,
        deployment::{At, BadPlacement, Deployment, Placement, Turn},
        edition::{Edition, FirstEditionOptions},
        escort::{Role, setup::placing_skill},
        obstacle::Obstacle,
        obstacle_outlines::ObstacleOutlines,
        placing::{OBSTACLES, check_obstacle, check_ship},
        scenario::Edge,
    },
};

use super::keyboard::{recorded, told, typed_by_hand};

fn catalog() -> &'static Catalog {
    Catalog::embedded_for(Edition::First)
}

fn by_hand(game: EscortGame, seed: u64) -> ByHand {
    let field = EscortField::new(game, catalog()).expect("squads that can be flown");
    let plan = Plan {
        catalog: Some(std::sync::Arc::new(catalog().clone())),
        ..Plan::of(vec![Field::escort(field.clone())])
    };
    field.open_by_hand(&plan, true, &mut SeededDice::new(seed)).0
}

fn game(player: &str, solo: &str, role: Role, initiative: Holder) -> EscortGame {
    EscortGame {
        player: player.to_owned(),
        solo: solo.to_owned(),
        role: Some(role),
        initiative: Some(initiative),
        ..EscortGame::default()
    }
}

/// Mixed skills, equal ones on both sides, and a large base among them.
const SQUADS: [(&str, &str); 2] = [
    ("4*xwing/rookiepilot", "8*tiefighter/academypilot"),
    (
        "yt1300/outerrimsmuggler,xwing/rookiepilot,xwing/redsquadronpilot",
        "lambdaclassshuttle/omicrongrouppilot,2*tiefighter/obsidiansquadronpilot,tieinterceptor/avengersquadronpilot",
    ),
];

/// Whatever is proposed follows the rules of the set-up, in their order, whoever has which role and initiative.
#[test]
fn fe_2_pe_3_what_is_proposed_is_a_legal_set_up_in_the_order_of_the_rules() {
    for (seed, (player, solo)) in (0..6).flat_map(|seed| SQUADS.map(|squads| (seed, squads))) {
        for (role, initiative) in [
            (Role::Defender, Holder::Player),
            (Role::Defender, Holder::Solo),
            (Role::Attacker, Holder::Player),
            (Role::Attacker, Holder::Solo),
        ] {
            let mut set_up = by_hand(game(player, solo, role, initiative), seed);
            let holder = usize::from(initiative == Holder::Solo);
            let defender = usize::from(role == Role::Attacker);
            let mut dice = SeededDice::new(seed);
            let (mut laid_by, mut placed) = (Vec::new(), Vec::new());
            while let Some(turn) = set_up.turn() {
                let (placement, explanation) = set_up.propose(&mut dice).expect("something is proposed");
                assert!(!explanation.reasons.is_empty());
                match &turn {
                    Turn::Obstacle { side, .. } => laid_by.push(*side),
                    Turn::Edge { side } => {
                        assert_eq!(*side, defender, "PE-3: the defender picks");
                        assert_eq!(laid_by.len(), OBSTACLES, "after the last obstacle");
                    }
                    Turn::Ship { side, ships } => {
                        let skills = ships.iter().map(|id| {
                            let table = set_up.deployment().table();
                            placing_skill(table.ship(id).map_or(0, |ship| ship.initiative), &**id == "shuttle")
                        });
                        let skills: Vec<u8> = skills.collect();
                        assert!(skills.iter().all(|skill| *skill == skills[0]), "{ships:?}");
                        placed.push((skills[0], *side));
                    }
                }
                set_up.place(&placement).expect("it may be placed so");
            }
            let turns: Vec<usize> = (0..OBSTACLES).map(|place| (holder + place) % 2).collect();
            assert_eq!(laid_by, turns, "FE-2.2: in turn, the side with initiative first");
            let keys = placed.iter().map(|(skill, side)| (*skill, *side != holder));
            assert!(keys.is_sorted(), "FE-2.4: {placed:?}");
            assert_eq!(placed.last(), Some(&(12, defender)), "the shuttle is the last");
            let deployment = set_up.deployment();
            let table = deployment.table();
            for (place, obstacle) in table.obstacles.iter().enumerate() {
                let wrong = check_obstacle(&table.rules, table.area, obstacle, &table.obstacles[..place]);
                assert_eq!(wrong, [], "seed {seed}");
            }
            for side in 0..2 {
                let edge = deployment.edge_of(side).expect("an edge");
                for (ship, _) in deployment.ships_of(side) {
                    assert_eq!(check_ship(table, ship, edge, false), [], "seed {seed}");
                }
            }
            assert_eq!(deployment.edge_of(0), deployment.edge_of(1).map(Edge::opposite));
            let battle = Battle::new(set_up.setup(), &mut dice).expect("it begins");
            let exit = battle.escort().expect("the scenario").attackers_edge;
            assert_eq!(Some(exit), deployment.edge_of(1 - defender), "PE-7.1");
        }
    }
}

/// What may not be placed, and why: the distance and the remedy are told, and nothing has changed.
#[test]
fn fe_2_2_fe_2_4_pe_3_wrong_places_are_refused_with_the_distance_and_a_place_near_it() {
    let mut set_up = by_hand(game(SQUADS[1].0, SQUADS[1].1, Role::Defender, Holder::Player), 1);
    let obstacle = |piece: &str, x, y| Placement::Obstacle {
        piece: piece.to_owned(),
        at: At { x, y, heading: 0.0 },
    };
    let ship = |id: &str, x, y, heading| Placement::Ship {
        ship: id.into(),
        at: At { x, y, heading },
    };
    let refused = |set_up: &mut ByHand, placement: &Placement, expected: &[&str]| {
        let before = set_up.deployment().clone();
        let bad = set_up.place(placement).expect_err("it is not allowed");
        let said = bad.to_string();
        for expected in expected {
            assert!(said.contains(expected), "{expected}: {said}");
        }
        assert_eq!(*set_up.deployment(), before, "nothing has changed");
        bad
    };
    let mends = |set_up: &ByHand, placement: &Placement, bad: BadPlacement| {
        let BadPlacement::Misplaced { near: Some(at), .. } = bad else {
            panic!("{bad:?}")
        };
        let mended = match placement.clone() {
            Placement::Obstacle { piece, .. } => Placement::Obstacle { piece, at },
            Placement::Ship { ship, .. } => Placement::Ship { ship, at },
            other => other,
        };
        assert_eq!(set_up.deployment().check(&mended), Ok(()), "{mended:?}");
    };
    for (placement, expected) in [
        (
            obstacle("coreasteroid0", 457.0, 150.0),
            &["from the south edge", "more than 200 mm"][..],
        ),
        (obstacle("coreasteroid0", 457.0, -20.0), &["over the south edge"]),
        (obstacle("coreasteroid0", 10.0, 457.0), &["west edge"]),
    ] {
        let bad = refused(&mut set_up, &placement, expected);
        mends(&set_up, &placement, bad);
    }
    refused(
        &mut set_up,
        &obstacle("gascloud1", 457.0, 457.0),
        &[
            "no obstacle `gascloud1`",
            "core2asteroid0-5, coreasteroid0-5, pomasteroid1-3, pomdebris1-3, vt49decimatordebris0-2, yt2400debris0-2",
        ],
    );
    refused(&mut set_up, &Placement::NoObstacle, &["has room"]);
    refused(&mut set_up, &ship("P1", 457.0, 60.0, 0.0), &["obstacle 1 is laid now"]);
    refused(
        &mut set_up,
        &obstacle("coreasteroid0", f64::NAN, 457.0),
        &["two numbers"],
    );
    set_up.place(&obstacle("coreasteroid0", 457.0, 457.0)).expect("room");
    let near = obstacle("coreasteroid1", 520.0, 457.0);
    let bad = refused(&mut set_up, &near, &["from O1", "more than 100 mm apart"]);
    mends(&set_up, &near, bad);
    while matches!(set_up.turn(), Some(Turn::Obstacle { .. })) {
        let (placement, _) = set_up.propose(&mut SeededDice::new(4)).expect("a proposal");
        set_up.place(&placement).expect("it may lie there");
    }
    let edge = |edge| Placement::Edge { edge, along: None };
    refused(&mut set_up, &edge(Edge::West), &["south or north"]);
    set_up.place(&edge(Edge::South)).expect("an edge");
    // FE-2.4: the outer rim smuggler's skill is the lowest.
    refused(&mut set_up, &ship("P2", 400.0, 60.0, 0.0), &["ascending skill"]);
    for placement in [ship("P1", 400.0, 90.0, 0.0), ship("P1", 400.0, 57.0, 30.0)] {
        let bad = refused(&mut set_up, &placement, &["from the south edge", "100 mm"]);
        mends(&set_up, &placement, bad);
    }
    refused(&mut set_up, &ship("P1", 30.0, 60.0, 0.0), &["over the west edge"]);
    set_up.place(&ship("P1", 400.0, 60.0, 0.0)).expect("room");
    while let Some(Turn::Ship { side, ships }) = set_up.turn() {
        if side == 0 && !set_up.deployment().is_shuttle(&ships[0]) {
            // Beside the ship that stands there already.
            let on = ship(&ships[0], 410.0, 60.0, 0.0);
            let bad = refused(&mut set_up, &on, &["stands on P1"]);
            mends(&set_up, &on, bad);
        }
        if set_up.deployment().is_shuttle(&ships[0]) {
            // PE-3: turned it is deeper than the band, and must fill it.
            let turned = ship("shuttle", 700.0, 60.0, 45.0);
            let bad = refused(&mut set_up, &turned, &["from the south edge"]);
            mends(&set_up, &turned, bad);
            set_up
                .place(&ship("shuttle", 750.0, 56.6, 45.0))
                .expect("it fills the band");
            continue;
        }
        let (placement, _) = set_up.propose(&mut SeededDice::new(4)).expect("a proposal");
        set_up.place(&placement).expect("it may stand there");
    }
    assert_eq!(set_up.turn(), None);
}

/// Own ships of equal skill come in any order.
#[test]
fn fe_2_4_the_owner_says_which_of_equal_skill_comes_next() {
    let mut set_up = by_hand(game(SQUADS[0].0, SQUADS[0].1, Role::Attacker, Holder::Solo), 2);
    let mut dice = SeededDice::new(2);
    while !matches!(set_up.turn(), Some(Turn::Ship { side: 0, .. })) {
        let (placement, _) = set_up.propose(&mut dice).expect("a proposal");
        set_up.place(&placement).expect("allowed");
    }
    let ids = |set_up: &ByHand| match set_up.turn() {
        Some(Turn::Ship { ships, .. }) => ships,
        other => panic!("{other:?}"),
    };
    let own: Vec<ObjectId> = ["P1", "P2", "P3", "P4"].map(Into::into).to_vec();
    assert_eq!(ids(&set_up), own);
    let edge = set_up.deployment().edge_of(0).expect("an edge");
    let y = if edge == Edge::South { 60.0 } else { 854.4 };
    let at = At {
        x: 100.0,
        y,
        heading: 90.0,
    };
    set_up
        .place(&Placement::Ship { ship: "P3".into(), at })
        .expect("any of them, any facing");
    assert_eq!(ids(&set_up), ["P1", "P2", "P4"].map(ObjectId::from));
}

/// A band that is full does not stop the game (choice).
#[test]
fn fe_2_4_a_ship_without_room_may_stand_anywhere_on_the_table() {
    let mut set_up = by_hand(
        EscortGame {
            unchecked: true,
            ..game(
                "8*yt1300/outerrimsmuggler",
                "tiefighter",
                Role::Attacker,
                Holder::Player,
            )
        },
        3,
    );
    let mut dice = SeededDice::new(3);
    let mut places = (0..).map(|place| 40.0 + 119.0 * f64::from(place));
    let place = |deployment: &Deployment, ship: &ObjectId, x: f64| {
        let edge = deployment.edge_of(0).expect("an edge");
        let y = if edge == Edge::South { 50.0 } else { 864.4 };
        Placement::Ship {
            ship: ship.clone(),
            at: At { x, y, heading: 0.0 },
        }
    };
    while let Some(turn) = set_up.turn() {
        match turn {
            Turn::Ship { side: 0, ships } => {
                let x = places.next().expect("another");
                let placement = place(set_up.deployment(), &ships[0], x);
                if set_up.place(&placement).is_ok() {
                    continue;
                }
                // The eighth: nothing is wide enough for it.
                assert_eq!(&*ships[0], "P8");
                assert_eq!(set_up.deployment().room_for("P8"), None);
                let at = At {
                    x: 457.0,
                    y: 300.0,
                    heading: 0.0,
                };
                set_up
                    .place(&Placement::Ship { ship: "P8".into(), at })
                    .expect("it has no room in its band");
            }
            _ => {
                let (placement, _) = set_up.propose(&mut dice).expect("a proposal");
                set_up.place(&placement).expect("allowed");
            }
        }
    }
}

const DEFENDS: [&str; 7] = [
    "--escort",
    "--role=defender",
    "--escort-initiative=player",
    "--player-shuttle=hullupgrade",
    "--seed=11",
    "--rounds=12",
    "--dice=seeded",
];

#[test]
fn pe_3_a_person_sets_up_leaves_comes_back_takes_back_and_plays() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.jsonl");
    let svg = folder.path().join("table.svg");
    // A place that is refused, then one that is not; pictures on the way; a second obstacle, and away.
    let lines = format!(
        "table\nmap\ncoreasteroid3 457,150 @45\ncoreasteroid3 300,450 @45\nsvg {}\n\nwhy\nquit\n",
        svg.display()
    );
    let shown = typed_by_hand(&DEFENDS, &path, &lines);
    told(
        &shown,
        &[
            "Set-up: obstacle 1 of 6, yours to lay (FE-2.2)",
            "You are the defender. You have initiative. 0 obstacles on the table.",
            "That cannot be done: O1 is ",
            "from the south edge: every point of it must be more than 200 mm from it. A place near it that is allowed is",
            "You lay coreasteroid3 at 300,450 @45.",
            "The solo side lays ",
            "obstacle 3 of 6, yours to lay",
            "PE-A8",
            "a random legal place",
        ],
    );
    assert!(std::fs::read_to_string(&svg).expect("a picture").contains("Set-up"));
    assert!(recorded(&path).state().set_up().is_some());
    // On with it: the south edge, the ships in an order of one's own, one taken back.
    let lines = "\nsouth\nP3 200,60 @0\nP1\nundo\nP2 300 60\n\n\n760,60 @0\nquit\n";
    let shown = typed_by_hand(&[], &path, lines);
    told(
        &shown,
        &[
            "The game goes on in the set-up.",
            "the edge, yours to pick",
            "You take the south edge.",
            "P1 Rookie Pilot or P2 Rookie Pilot or P3 Rookie Pilot or P4 Rookie Pilot, yours to place (FE-2.4)",
            "You place P3 Rookie Pilot at 200,60 @0.",
            "Back in the set-up, before P1 Rookie Pilot or P2 Rookie Pilot or P4 Rookie Pilot",
            "You place P2 Rookie Pilot at 300,60 @0.",
            "The shuttle comes last (PE-3)",
            "at 760,60 @0",
            "The solo side places S1 Academy Pilot at ",
            "Round 1 begins",
        ],
    );
    let game = recorded(&path);
    assert!(game.state().set_up().is_none());
    let battle = game.battle();
    let pose = |id: &str| {
        battle
            .table()
            .ship(id)
            .map(|ship| (ship.pose.position.x, ship.pose.position.y))
    };
    assert_eq!((pose("P3"), pose("P2")), (Some((200.0, 60.0)), Some((300.0, 60.0))));
    assert_eq!(pose("shuttle"), Some((760.0, 60.0)));
    assert_eq!(battle.escort().map(|play| play.attackers_edge), Some(Edge::North));
    let placed = game
        .answers()
        .iter()
        .filter(|answered| matches!(answered.choice, Chosen::Placed { .. }));
    let mut by: BTreeMap<bool, usize> = BTreeMap::new();
    placed.for_each(|answered| *by.entry(answered.by == Hand::Human).or_default() += 1);
    // Three obstacles each, the defender's edge, five ships of his and eight of the other side's.
    assert_eq!((by.get(&true), by.get(&false)), (Some(&9), Some(&11)));
    // It is replayed as it was, with the set-up as its first moments, to the end.
    typed_by_hand(&[], &path, &"\n".repeat(600));
    let replay = |arguments: &[&str]| {
        let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_tallyho"));
        let run = command.arg("replay").args(arguments).arg(&path).assert().success();
        String::from_utf8(run.get_output().stdout.clone()).expect("text")
    };
    replay(&["--check"]);
    let listed = replay(&["--list"]);
    told(
        &listed,
        &[
            "round 0  set-up",
            "You lay coreasteroid3 at 300,450 @45.",
            "The shuttle has left over",
        ],
    );
}

#[test]
fn pe_3_auto_and_quick_setup_take_what_is_proposed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("auto.jsonl");
    let shown = typed_by_hand(&DEFENDS, &path, "450,450\nauto\nundo\n\nauto\nquit\n");
    told(
        &shown,
        &[
            "all that is left is placed as it is proposed",
            "Back in the set-up",
            "Round 1 begins",
        ],
    );
    let game = recorded(&path);
    let rest = |answered: &&tallyho::record::Answered| matches!(answered.choice, Chosen::Rest { .. });
    assert_eq!(game.answers().iter().filter(rest).count(), 1);
    assert_eq!(game.battle().table().obstacles.len(), OBSTACLES);
    let quick = folder.path().join("quick.jsonl");
    let arguments = [&DEFENDS[..], &["--quick-setup"]].concat();
    let shown = typed_by_hand(&arguments, &quick, "quit\n");
    assert!(
        !shown.contains("Set-up:") && shown.contains("Round 1 begins"),
        "{shown}"
    );
}

#[test]
fn fe_2_an_ordinary_game_is_set_up_in_turn_and_by_the_first_rulebook() {
    let folder = tempfile::tempdir().expect("a folder");
    let squads = [
        "--edition=first",
        "--player=2*xwing/rookiepilot",
        "--solo=2*tiefighter/academypilot",
        "--seed=4",
    ];
    let path = folder.path().join("game.jsonl");
    let shown = typed_by_hand(&squads, &path, &"\n".repeat(10));
    told(
        &shown,
        &[
            "obstacle 1 of 6, yours to lay",
            "The solo side takes the north edge.",
            "The solo side places S1 Academy Pilot at ",
            "You place P1 Rookie Pilot at ",
            "Round 1 begins",
        ],
    );
    let order = |shown: &str, first: &str, then: &str| {
        let (first, then) = (
            shown.find(first).expect("the first"),
            shown.find(then).expect("the other"),
        );
        assert!(first < then, "{shown}");
    };
    order(&shown, "places S2", "You place P1");
    // FE-14.3: the Imperial side begins, the Rebel side picks its edge.
    let options = folder.path().join("options.json");
    std::fs::write(&options, r#"{"rulebook2012": true}"#).expect("a file");
    let options = format!("--edition-options={}", options.display());
    let old = folder.path().join("old.jsonl");
    let shown = typed_by_hand(&[&squads[..], &[&options]].concat(), &old, &"\n".repeat(10));
    order(&shown, "The solo side lays ", "You lay ");
    told(&shown, &["the edge, yours to pick"]);
}

fn none_lies_on_another(obstacles: &[Obstacle]) -> bool {
    obstacles.iter().enumerate().all(|(place, one)| {
        let others = &obstacles[..place];
        others
            .iter()
            .all(|other| !polygon::intersect(&one.outline, &other.outline))
    })
}

/// Where obstacles keep from edges alone they still do not lie on each other, though each side's draw is the same.
#[test]
fn fe_14_3_what_is_proposed_lies_on_no_other_obstacle_and_what_does_is_refused() {
    let options = FirstEditionOptions {
        obstacles_keep_from_edges_only: Some(true),
        ..FirstEditionOptions::default()
    };
    let mut nearer_than_range_1 = false;
    for seed in 0..16 {
        let (player, solo) = SQUADS[0];
        let mut setup = by_hand(game(player, solo, Role::Defender, Holder::Player), seed).setup();
        setup.table.rules = options.rules();
        let mut set_up = ByHand::of(setup, ["player", "solo"], Some(1), ObstacleOutlines::embedded());
        while matches!(set_up.turn(), Some(Turn::Obstacle { .. })) {
            // The same draw for each obstacle.
            let (placement, _) = set_up.propose(&mut SeededDice::new(seed)).expect("a proposal");
            set_up.place(&placement).expect("what is proposed is allowed");
            let lying = &set_up.deployment().table().obstacles;
            assert!(none_lies_on_another(lying), "seed {seed}: {lying:?}");
            let last = lying.len() - 1;
            nearer_than_range_1 |= lying[..last]
                .iter()
                .any(|other| polygon::within(&lying[last].outline, &other.outline, 100.0));
            if !matches!(set_up.turn(), Some(Turn::Obstacle { .. })) {
                break;
            }
            let before = set_up.deployment().clone();
            let bad = set_up.place(&placement).expect_err("something lies there");
            let BadPlacement::Misplaced { near: Some(at), .. } = &bad else {
                panic!("{bad:?}")
            };
            let on = format!("O{} lies on O{}: put it where no obstacle lies", last + 2, last + 1);
            assert!(bad.to_string().contains(&on), "{bad}");
            assert_eq!(*set_up.deployment(), before, "nothing has changed");
            let Placement::Obstacle { piece, .. } = placement else {
                panic!("{placement:?}")
            };
            let beside = Placement::Obstacle { piece, at: *at };
            assert_eq!(set_up.deployment().check(&beside), Ok(()));
        }
    }
    assert!(nearer_than_range_1, "the distance of FE-2.2 is not asked");
}

#[test]
fn fe_14_3_the_prompt_says_the_limit_that_holds_and_a_wrong_name_tells_the_right_ones() {
    let folder = tempfile::tempdir().expect("a folder");
    let options = folder.path().join("options.json");
    std::fs::write(&options, r#"{"obstaclesKeepFromEdgesOnly": true}"#).expect("a file");
    let options = format!("--edition-options={}", options.display());
    let squads = [
        "--edition=first",
        "--player=2*xwing/lukeskywalker",
        "--solo=3*tiefighter",
        "--seed=3",
    ];
    let path = folder.path().join("edges.jsonl");
    let lines = format!("pieces\n{}", "\n".repeat(3));
    let shown = typed_by_hand(&[&squads[..], &[&options]].concat(), &path, &lines);
    told(
        &shown,
        &[
            "more than 200 mm from every edge, not on another obstacle (FE-14.3).",
            "there is no obstacle `pieces` in this game: the obstacles are core2asteroid0-5, coreasteroid0-5",
        ],
    );
    assert!(!shown.contains("more than 100 mm"), "{shown}");
    let game = recorded(&path);
    let state = game.state();
    let lying = &state.set_up().expect("a set-up").deployment().table().obstacles;
    assert!(lying.len() == OBSTACLES && none_lies_on_another(lying), "{lying:?}");
    let usual = folder.path().join("usual.jsonl");
    let shown = typed_by_hand(&squads, &usual, "\n");
    told(
        &shown,
        &["more than 200 mm from every edge, more than 100 mm from other obstacles."],
    );
}
