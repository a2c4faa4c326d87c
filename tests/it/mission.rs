//! The introductory scenario in battle: arrivals, retreat, escape, endings, variants (SA-13), and the audit of them.

use std::sync::Arc;

use tallyho::{
    dice::SeededDice,
    geometry::{Point, Pose},
    sim::{self, Commanders, Plan, PlayerPolicy},
    xwing::{
        battle::{
            Battle, Event, Fighter, Setup,
            audit::audit,
            mission::{self, Mission},
        },
        catalog::Catalog,
        scenario::{Scenario, muster::Wishes},
        ship::Status,
    },
};

fn wishes(faction: &str, enemy: &str, player_ships: u32, variant: Option<&str>) -> Wishes {
    Wishes {
        faction: faction.to_owned(),
        enemy: enemy.to_owned(),
        player_ships,
        variant: variant.map(str::to_owned),
        ..Wishes::default()
    }
}

fn opening(wishes: &Wishes, seed: u64) -> Setup {
    let opening = mission::open(Scenario::intro().clone(), Catalog::embedded(), wishes, seed).unwrap();
    let mut setup = opening.setup;
    setup.rounds = Some(20);
    setup
}

fn plan(policy: PlayerPolicy) -> Plan {
    Plan {
        policy,
        ..Plan::of(Vec::new())
    }
}

/// A whole game without a refusal and without a violation.
fn play(mut setup: Setup, policy: PlayerPolicy, seed: u64) -> Battle {
    if policy == PlayerPolicy::Solo {
        for side in &mut setup.sides {
            (side.dials, side.flees) = (false, false);
        }
    }
    let start = setup.clone();
    let commanders = &mut Commanders::new(&plan(policy));
    let (battle, refused) = sim::play(setup, commanders, &mut SeededDice::new(seed)).unwrap();
    assert_eq!(refused, []);
    assert_eq!(audit(&start, battle.events()), []);
    battle
}

static FACTIONS: [&str; 7] = [
    "galacticrepublic",
    "separatistalliance",
    "rebelalliance",
    "galacticempire",
    "resistance",
    "firstorder",
    "scumandvillainy",
];

#[test]
fn sa_13_every_faction_plays_the_introductory_scenario_to_its_end() {
    let mut endings = std::collections::BTreeMap::<String, usize>::new();
    let mut arrived = 0;
    let mut saved = 0;
    for (place, faction) in FACTIONS.iter().enumerate() {
        for variant in [None, Some("ace"), Some("transport")] {
            let enemy = FACTIONS[(place + 3) % FACTIONS.len()];
            let wishes = wishes(faction, enemy, 2, variant);
            let mission = Arc::new(Mission::new(Scenario::intro().clone(), Catalog::embedded(), &wishes).unwrap());
            for seed in 0..4 {
                let policy = if seed % 2 == 0 {
                    PlayerPolicy::Scripted
                } else {
                    PlayerPolicy::Solo
                };
                let mut setup = Mission::open(&mission, Catalog::embedded(), seed).unwrap().setup;
                setup.rounds = Some(16);
                setup.alternating = seed == 3;
                let battle = play(setup, policy, seed);
                for event in battle.events() {
                    match event {
                        Event::Arrived { .. } => arrived += 1,
                        Event::Saved { .. } => saved += 1,
                        Event::Ended { ending, .. } => {
                            *endings.entry(ending.clone().unwrap_or_default()).or_default() += 1;
                        }
                        _ => {}
                    }
                }
            }
        }
    }
    // Each of the three ways to end came about, ships arrived, and some player flew home.
    assert_eq!(endings.len(), 3, "{endings:?}");
    assert!(arrived > 100 && saved > 0, "{arrived} arrived, {saved} saved");
}

/// A game of the introductory scenario as it begins, its ships moved where a test wants them.
fn placed(seed: u64, variant: Option<&str>, places: &[(&str, f64, f64, f64)]) -> Setup {
    let mut setup = opening(&wishes("rebelalliance", "galacticempire", 2, variant), seed);
    setup.table.obstacles.clear();
    for &(id, x, y, heading) in places {
        let ship = setup.table.ships.iter_mut().find(|ship| &*ship.id == id).unwrap();
        ship.pose = Pose::new(x, y, heading);
    }
    setup
}

/// Takes the weapons off all ships, those that come later included.
fn disarm(setup: &mut Setup) {
    let mission = Arc::make_mut(&mut setup.mission.as_mut().unwrap().mission);
    let recruits = mission.muster.recruits.iter_mut().map(|recruit| &mut recruit.ship);
    for ship in setup.table.ships.iter_mut().chain(recruits) {
        ship.weapons.clear();
    }
}

fn events<'b>(battle: &'b Battle, wanted: &dyn Fn(&Event) -> bool) -> Vec<&'b Event> {
    battle.events().iter().filter(|event| wanted(event)).collect()
}

#[test]
fn sa_13_a_player_who_flees_over_the_player_edge_is_saved_and_over_another_is_lost() {
    let setup = placed(
        3,
        None,
        &[("player-1", 200.0, 25.0, 180.0), ("player-2", 30.0, 400.0, 270.0)],
    );
    let battle = play(setup, PlayerPolicy::Scripted, 3);
    // The scripted player would not, so both are made to: nothing on their dials keeps them on the table.
    let saved = events(
        &battle,
        &|event| matches!(event, Event::Saved { ship } if &**ship == "player-1"),
    );
    let fled = events(
        &battle,
        &|event| matches!(event, Event::Fled { ship } if &**ship == "player-2"),
    );
    assert_eq!((saved.len(), fled.len()), (1, 1));
    assert_eq!(battle.ending().map(|ending| ending.without.as_str()), Some("player"));
    assert_eq!(battle.winner(), Some("solo"));
}

#[test]
fn sa_13_waves_arrive_at_4_and_7_and_destroyed_ships_return_as_new_ones() {
    // Unarmed and far away, nobody shoots anybody down: two more patrols at 4, one reinforcement at 7.
    let mut setup = placed(5, None, &[]);
    disarm(&mut setup);
    setup.rounds = Some(8);
    let calm = setup.clone();
    let arrivals = |battle: &Battle| -> Vec<(u32, String)> {
        let mut round = 0;
        let mut found = Vec::new();
        for event in battle.events() {
            match event {
                Event::RoundBegan(now) => round = *now,
                Event::Arrived { ship, .. } => found.push((round, ship.to_string())),
                _ => {}
            }
        }
        found
    };
    let battle = play(calm, PlayerPolicy::Solo, 1);
    let expected = [(4, "patrol-3"), (4, "patrol-4"), (7, "reinforcement-1")];
    assert_eq!(arrivals(&battle), expected.map(|(round, id)| (round, id.to_owned())));

    // All patrols are destroyed before the game begins: those that return are new ships with new numbers.
    for ship in &mut setup.table.ships {
        if ship.id.starts_with("patrol") {
            ship.status = Status::Destroyed;
        }
    }
    let battle = play(setup, PlayerPolicy::Solo, 1);
    let expected = [
        (4, "reinforcement-1"),
        (4, "patrol-5"),
        (7, "patrol-6"),
        (7, "reinforcement-2"),
    ];
    let mut found = arrivals(&battle);
    let mut expected = expected.map(|(round, id)| (round, id.to_owned())).to_vec();
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
    let returned = battle.events().iter().find_map(|event| match event {
        Event::Arrived { ship, instead_of, .. } if &**ship == "patrol-5" => instead_of.clone(),
        _ => None,
    });
    assert_eq!(returned, Some("patrol-1".into()));
    assert_eq!(
        battle.fighter("patrol-5").map(Fighter::left),
        battle.fighter("patrol-2").map(Fighter::left)
    );
}

#[test]
fn sa_13_the_game_goes_on_without_solo_ships_until_round_7() {
    let mut setup = placed(5, None, &[]);
    disarm(&mut setup);
    for ship in &mut setup.table.ships {
        if ship.in_play() && ship.side == "solo" {
            ship.status = Status::Destroyed;
        }
    }
    let mission = setup.mission.as_mut().unwrap();
    let without_waves = Arc::make_mut(&mut mission.mission);
    without_waves.scenario.waves.retain(|wave| wave.round == 0);
    let battle = play(setup, PlayerPolicy::Scripted, 1);
    assert_eq!(battle.round(), 7);
    assert_eq!(battle.ending().map(|ending| ending.without.as_str()), Some("solo"));
    assert_eq!(battle.winner(), Some("player"));
}

#[test]
fn sa_13_the_transport_leaves_the_table_at_its_corner_and_is_stopped_elsewhere() {
    for (goes, x, y, heading) in [(true, 840.0, 74.0, 135.0), (false, 870.0, 450.0, 90.0)] {
        let mut setup = placed(5, Some("transport"), &[("transport-1", x, y, heading)]);
        setup.rounds = Some(1);
        // Its corner is the one in the south-east.
        let goal = setup
            .table
            .markers
            .iter_mut()
            .find(|marker| &*marker.id == "transport-1-goal");
        goal.unwrap().position = Point::new(914.4, 0.0);
        let battle = play(setup, PlayerPolicy::Solo, 2);
        let escaped = events(&battle, &|event| matches!(event, Event::Escaped { .. }));
        assert_eq!(!escaped.is_empty(), goes);
        let status = battle.table().ship("transport-1").unwrap().status;
        assert_eq!(status, if goes { Status::Removed } else { Status::InPlay });
    }
}

#[test]
fn the_first_player_changes_each_round_where_that_is_wanted() {
    let mut setup = placed(5, None, &[]);
    setup.alternating = true;
    setup.rounds = Some(3);
    for ship in &mut setup.table.ships {
        (ship.initiative, ship.weapons) = (3, Vec::new());
    }
    let battle = play(setup, PlayerPolicy::Solo, 2);
    let mut first = Vec::new();
    let mut new_round = false;
    for event in battle.events() {
        match event {
            Event::RoundBegan(_) => new_round = true,
            Event::Flew { ship, .. } if new_round => {
                new_round = false;
                first.push(battle.table().ship(ship).unwrap().side.clone());
            }
            _ => {}
        }
    }
    assert_eq!(first, ["player", "solo", "player"]);
}

#[test]
fn the_audit_finds_arrivals_and_endings_that_the_scenario_does_not_allow() {
    let mut setup = placed(5, None, &[]);
    disarm(&mut setup);
    setup.rounds = Some(8);
    let start = setup.clone();
    let battle = play(setup, PlayerPolicy::Solo, 1);
    let events = battle.events();
    let place = events
        .iter()
        .position(|event| matches!(event, Event::Arrived { .. }))
        .unwrap();
    let changed = |change: &dyn Fn(&mut Vec<Event>)| {
        let mut events = events.to_vec();
        change(&mut events);
        audit(&start, &events)
    };
    let moved = changed(&|events| {
        if let Event::Arrived { pose, .. } = &mut events[place] {
            pose.position.y = 600.0;
            pose.position.x = 100.0;
        }
    });
    assert_ne!(moved, [], "away from the markers");
    let twice = changed(&|events| events.insert(place, events[place].clone()));
    assert_ne!(twice, [], "the same ship twice");
    let uncalled = changed(&|events| {
        let arrival = events.remove(place);
        let round = events
            .iter()
            .position(|event| matches!(event, Event::RoundBegan(2)))
            .unwrap();
        events.insert(round + 1, arrival);
    });
    assert_ne!(uncalled, [], "in a round without a wave");
    let ended = changed(&|events| {
        if let Some(Event::Ended { ending, .. }) = events.last_mut() {
            *ending = Some("It is over.".to_owned());
        }
    });
    assert_ne!(ended, [], "an ending that the scenario has not");
}
