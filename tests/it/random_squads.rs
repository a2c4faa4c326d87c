//! Squads put together at random from the whole catalog, in the introductory scenario: every game comes to its end without
//! a refusal and without a violation of the rules (SA-13).

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, PoisonError},
    thread,
};

use tallyho::{
    dice::{DiceSource, SeededDice},
    sim::{self, Commanders, Plan, PlayerPolicy},
    xwing::{
        battle::{Event, Fighter, Mission, audit::audit},
        catalog::{Catalog, PilotFacts},
        scenario::{Scenario, muster::Wishes},
        size::Size,
        squad::{Squad, SquadShip},
    },
};

pub static FACTIONS: [&str; 7] = [
    "galacticrepublic",
    "separatistalliance",
    "rebelalliance",
    "galacticempire",
    "resistance",
    "firstorder",
    "scumandvillainy",
];

/// Games of every faction against every other, on two threads.
const GAMES_EACH: u64 = 5;

/// Pilots of a faction that can be flown here.
pub fn flyable(faction: &str) -> Vec<&'static PilotFacts> {
    let catalog = Catalog::embedded();
    let can = |pilot: &&PilotFacts| {
        pilot.faction == faction
            && catalog
                .resolve(&pilot.ship, Some(&pilot.xws), &[] as &[&str])
                .is_ok_and(|resolved| {
                    resolved.size != Size::Huge
                        && !resolved.dial.maneuvers().is_empty()
                        && Fighter::of(&resolved).is_some()
                })
    };
    catalog.pilots().iter().filter(can).collect()
}

/// Ships of any pilots with any upgrades, as nobody would build them.
pub fn squad(faction: &str, pilots: &[&PilotFacts], ships: usize, dice: &mut dyn DiceSource) -> Squad {
    let upgrades = Catalog::embedded().upgrades();
    let ships = (0..ships).map(|place| {
        let pilot = pilots[dice.choose(pilots.len())];
        let count = dice.choose(5);
        let picked = (0..count).map(|_| upgrades[dice.choose(upgrades.len())].xws.clone());
        // The same card twice would be two weapons of one name.
        let picked: BTreeSet<String> = picked.collect();
        SquadShip {
            place: format!("pilots[{place}]"),
            pilot: Some(pilot.xws.clone()),
            ship: pilot.ship.clone(),
            upgrades: picked.into_iter().collect(),
            threat: None,
        }
    });
    Squad {
        name: String::new(),
        faction: faction.to_owned(),
        ships: ships.collect(),
        obstacles: Vec::new(),
        notes: Vec::new(),
    }
}

/// What came of a game, for the whole to be more than a row of games in which nothing happens.
#[derive(Debug, Default)]
struct Seen {
    games: u32,
    arrivals: u32,
    attacks: u32,
    drops: u32,
    blasts: u32,
    decloaked: u32,
    endings: u32,
}

fn play(number: u64, pilots: &[Vec<&PilotFacts>]) -> Seen {
    let mut dice = SeededDice::new(number);
    let pair = (number / GAMES_EACH) as usize;
    let (player, solo) = (pair % FACTIONS.len(), pair / FACTIONS.len());
    let variant = [None, Some("transport")][dice.choose(2)].map(str::to_owned);
    let ships = 1 + dice.choose(3);
    let wishes = Wishes {
        faction: FACTIONS[player].to_owned(),
        enemy: FACTIONS[solo].to_owned(),
        player_ships: 2,
        variant,
        squad: Some(squad(FACTIONS[player], &pilots[player], ships, &mut dice)),
        enemy_squad: Some(squad(FACTIONS[solo], &pilots[solo], 3 * ships, &mut dice)),
        ..Wishes::default()
    };
    let scenario = Scenario::intro().clone();
    let mission =
        Mission::new(scenario, Catalog::embedded(), &wishes).unwrap_or_else(|error| panic!("{number}: {error}"));
    let mut setup = Mission::open(&Arc::new(mission), Catalog::embedded(), number)
        .unwrap()
        .setup;
    setup.rounds = Some(10);
    setup.alternating = dice.choose(2) == 1;
    // Some begin cloaked, so that there is somebody to decloak.
    for ship in &mut setup.table.ships {
        ship.tokens.cloak = u32::from(dice.choose(8) == 0);
    }
    let policy = [PlayerPolicy::Scripted, PlayerPolicy::Solo][dice.choose(2)];
    if policy == PlayerPolicy::Solo {
        for side in &mut setup.sides {
            (side.dials, side.flees) = (false, false);
        }
    }
    let start = setup.clone();
    let mut commanders = Commanders::new(&Plan {
        policy,
        ..Plan::of(Vec::new())
    });
    let (battle, refused) = sim::play(setup, &mut commanders, &mut dice).unwrap();
    assert_eq!(refused, [], "game {number}");
    assert!(battle.pending().is_none(), "game {number}");
    let wrong = audit(&start, battle.events());
    let around = wrong
        .first()
        .map(|first| &battle.events()[first.event.saturating_sub(12)..=first.event]);
    assert_eq!(wrong, [], "game {number}: {around:#?}");
    let mut seen = Seen {
        games: 1,
        ..Seen::default()
    };
    for event in battle.events() {
        match event {
            Event::Arrived { .. } => seen.arrivals += 1,
            Event::Attacked { .. } => seen.attacks += 1,
            Event::Dropped { .. } => seen.drops += 1,
            Event::Blasted { .. } => seen.blasts += 1,
            Event::Decloaked { .. } => seen.decloaked += 1,
            Event::Ended { ending: Some(_), .. } => seen.endings += 1,
            _ => {}
        }
    }
    seen
}

#[test]
fn sa_13_random_squads_of_all_factions_play_to_the_end_without_a_violation() {
    let pilots: Vec<Vec<&PilotFacts>> = FACTIONS.iter().map(|faction| flyable(faction)).collect();
    let games = (FACTIONS.len() * FACTIONS.len()) as u64 * GAMES_EACH;
    let all = Mutex::new(Seen::default());
    thread::scope(|scope| {
        for half in 0..2 {
            let (pilots, all) = (&pilots, &all);
            scope.spawn(move || {
                for number in (half..games).step_by(2) {
                    let seen = play(number, pilots);
                    let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
                    all.games += seen.games;
                    all.arrivals += seen.arrivals;
                    all.attacks += seen.attacks;
                    all.drops += seen.drops;
                    all.blasts += seen.blasts;
                    all.decloaked += seen.decloaked;
                    all.endings += seen.endings;
                }
            });
        }
    });
    let all = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    assert_eq!(u64::from(all.games), games);
    let least = [
        all.arrivals,
        all.attacks,
        all.drops,
        all.blasts,
        all.decloaked,
        all.endings,
    ];
    assert!(least.iter().all(|count| *count >= 10), "{all:?}");
}
