//! Who arrives when and where, what is locked on arrival, and the ending (SA-13).

use std::collections::BTreeSet;

use geo::{Distance, Euclidean};
use tallyho::{
    dice::SeededDice,
    geometry::{Point, Pose},
    solo_alpha::{self, Options, Situation},
    xwing::{
        catalog::Catalog,
        scenario::{
            Edge, Scenario, SideName, arrival,
            muster::{Muster, Wishes},
            setup::SetUp,
            standing::Standing,
        },
        ship::Status,
        table::Table,
    },
};

use super::{
    FACTIONS,
    checker::{base_mm, broken_rules, square},
    intro, wishes,
};

/// A table of the game with some ships destroyed.
fn destroyed(table: &Table, ids: &[&str]) -> Table {
    let mut table = table.clone();
    for id in ids {
        let ship = table
            .ships
            .iter_mut()
            .find(|ship| *ship.id == **id)
            .expect("the ship is there");
        assert_eq!(ship.status, Status::InPlay, "{id}");
        ship.status = Status::Destroyed;
    }
    table
}

fn bring_in(muster: &Muster, set_up: &SetUp, table: &Table, round: u32) -> (Table, Vec<String>) {
    let mut table = table.clone();
    let arrived = arrival::bring_in(Scenario::intro(), muster, &set_up.markers, &mut table, round, 5).unwrap();
    let mut ships: Vec<String> = arrived.ships.iter().map(ToString::to_string).collect();
    ships.sort();
    (table, ships)
}

#[test]
fn sa_13_waves_of_rounds_4_and_7_place_ships_by_what_is_destroyed() {
    let (muster, set_up) = intro(&wishes("rebelalliance", "galacticempire"), 5);
    let start = &set_up.table;
    let holds = |table: &Table| {
        let set_up = SetUp {
            table: table.clone(),
            ..set_up.clone()
        };
        assert_eq!(broken_rules(&set_up), Vec::<String>::new());
    };
    let (round_4, ships) = bring_in(&muster, &set_up, start, 4);
    assert_eq!(ships, ["patrol-3", "patrol-4"]);
    holds(&round_4);
    let one_down = destroyed(start, &["patrol-1"]);
    let (mixed, ships) = bring_in(&muster, &set_up, &one_down, 4);
    assert_eq!(ships, ["patrol-3", "reinforcement-1"]);
    holds(&mixed);
    assert_eq!(bring_in(&muster, &set_up, start, 5).1, Vec::<String>::new());
    let two_down = destroyed(&round_4, &["patrol-1", "patrol-3"]);
    assert_eq!(bring_in(&muster, &set_up, &two_down, 7).1, ["reinforcement-1"]);
    // All four patrols came, three are down: the additional one is a destroyed one that comes again.
    let three_down = destroyed(&round_4, &["patrol-1", "patrol-3", "patrol-2"]);
    let (last, ships) = bring_in(&muster, &set_up, &three_down, 7);
    assert_eq!(ships, ["patrol-5", "reinforcement-1"]);
    assert_eq!(last.ship("patrol-5").unwrap().chassis, "tielnfighter");
    assert_eq!(last.ship("patrol-1").unwrap().status, Status::Destroyed);
    holds(&last);
    let by_group = destroyed(&mixed, &["patrol-2", "reinforcement-1"]);
    assert_eq!(
        bring_in(&muster, &set_up, &by_group, 7).1,
        ["patrol-4", "reinforcement-2"]
    );
    // A wave is a function of the table: twice the same.
    assert_eq!(
        bring_in(&muster, &set_up, &by_group, 7),
        bring_in(&muster, &set_up, &by_group, 7)
    );
}

#[test]
fn sa_13_a_blocked_side_gives_way_to_another() {
    let (muster, set_up) = intro(&wishes("rebelalliance", "galacticempire"), 5);
    let mut table = set_up.table.clone();
    // Every side of both markers is taken, each by a player ship of its own.
    let player = table.ship("player-1").unwrap().clone();
    table
        .ships
        .retain(|ship| ship.side != "player" && ship.status != Status::InPlay);
    let mut number = 0;
    for marker in &set_up.markers {
        for turn in [0.0, 90.0, -90.0] {
            number += 1;
            let mut ship = player.clone();
            ship.id = format!("player-{number}").into();
            let side = marker.pose.compose(Pose::new(0.0, 0.0, turn));
            ship.pose = side.compose(Pose::new(0.0, 41.0, 0.0));
            table.ships.push(ship);
        }
    }
    table.ships.sort_by(|a, b| a.id.cmp(&b.id));
    let (after, ships) = bring_in(&muster, &set_up, &table, 4);
    assert_eq!(ships, Vec::<String>::new());
    assert!(
        after
            .ships
            .iter()
            .filter(|ship| ship.side == "solo")
            .all(|ship| ship.status == Status::Reserved)
    );
    // One ship gone, one side free: that is where the one ship arrives, whatever was rolled.
    for gone in 1..=6 {
        let mut table = table.clone();
        let id = format!("player-{gone}");
        let free = table.ship(&id).unwrap().pose;
        table.ships.retain(|ship| *ship.id != *id);
        let (after, ships) = bring_in(&muster, &set_up, &table, 4);
        assert_eq!(ships.len(), 1);
        let pose = after.ship(&ships[0]).unwrap().pose;
        assert!((pose.position.distance(free.position) - 1.0).abs() < 1e-6 && pose.heading == free.heading);
    }
}

/// The side that the first patrol of a set-up stands against, as the turn from its marker's front, and what was rolled.
fn rolled_side(set_up: &SetUp) -> (usize, i32, String) {
    let patrol = set_up.table.ship("patrol-1").unwrap();
    let note = set_up
        .notes
        .iter()
        .find(|note| note.contains("(patrol-1) arrives"))
        .unwrap();
    let marker = usize::from(note.contains("marker-2"));
    let roll = note.rsplit_once("rolled ").unwrap().1.trim_end_matches(").").to_owned();
    let turn = patrol.pose.heading - set_up.markers[marker].pose.heading;
    (marker, turn as i32, roll)
}

#[test]
fn sa_13_the_die_chooses_the_side_and_without_player_ships_a_focus_the_front() {
    let mut seen = BTreeSet::new();
    for seed in 0..60 {
        // All player ships have a higher initiative than the patrols, so that these arrive first.
        let wishes = Wishes {
            player_ships: 1,
            ..wishes("resistance", "firstorder")
        };
        let (marker, turn, roll) = rolled_side(&intro(&wishes, seed).1);
        let expected = match roll.as_str() {
            "blank" => -90,
            "evade" => 90,
            "focus" => 0,
            other => panic!("{other}"),
        };
        assert_eq!(turn, expected, "seed {seed}: {roll}");
        seen.insert((marker, roll));
    }
    assert_eq!(seen.len(), 6, "{seen:?}");
}

#[test]
fn sa_13_a_focus_takes_the_side_closest_to_the_nearest_player_ship() {
    let mut turns = BTreeSet::new();
    for seed in 0..120 {
        // Of the player ships only the second is there already: initiative 1, the patrols have 2.
        let (_, set_up) = intro(&wishes("rebelalliance", "resistance"), seed);
        let (marker, turn, roll) = rolled_side(&set_up);
        if roll != "focus" {
            continue;
        }
        let player = set_up.table.ship("player-2").unwrap();
        assert_eq!(player.initiative, 1);
        let (base, marker) = (square(player.pose, base_mm(player)), &set_up.markers[marker]);
        let away = |turn: i32| {
            let (sin, cos) = (marker.pose.heading + f64::from(turn)).to_radians().sin_cos();
            let half = marker.size_mm / 2.0;
            let middle = (marker.pose.position.x + half * sin, marker.pose.position.y + half * cos);
            Euclidean.distance(&geo::Point::from(middle), &base)
        };
        for other in [0, 90, -90] {
            assert!(
                away(turn) <= away(other) + 0.01,
                "seed {seed}: {turn} is not closer than {other}"
            );
        }
        turns.insert(turn);
    }
    assert!(turns.contains(&0) && turns.len() > 1, "{turns:?}");
}

#[test]
fn sa_13_the_ace_locks_the_nearest_player_ship_as_it_arrives() {
    for faction in FACTIONS {
        let wishes = Wishes {
            variant: Some("ace".into()),
            ..wishes("rebelalliance", faction)
        };
        let (muster, set_up) = intro(&wishes, 5);
        let ace = muster
            .recruits
            .iter()
            .find(|recruit| &*recruit.ship.id == "reinforcement-1")
            .unwrap();
        let pilot = Catalog::embedded().pilot(&ace.pilot).unwrap();
        assert!(pilot.limited > 0 && pilot.faction == faction && !ace.upgrades.is_empty());
        let table = destroyed(&set_up.table, &["patrol-1"]);
        let (table, ships) = bring_in(&muster, &set_up, &table, 4);
        assert_eq!(ships, ["patrol-3", "reinforcement-1"]);
        let ship = table.ship("reinforcement-1").unwrap();
        let away = |player: &str| {
            let player = table.ship(player).unwrap();
            Euclidean.distance(&square(ship.pose, base_mm(ship)), &square(player.pose, base_mm(player)))
        };
        let nearest = if away("player-1") < away("player-2") {
            "player-1"
        } else {
            "player-2"
        };
        assert_eq!(ship.locks.iter().map(|id| &**id).collect::<Vec<_>>(), [nearest]);
        assert!(table.ship("patrol-3").unwrap().locks.is_empty());
    }
}

#[test]
fn sa_13_the_transport_is_after_the_opposite_corner() {
    for seed in 0..6 {
        let wishes = Wishes {
            variant: Some("transport".into()),
            ..wishes("rebelalliance", "scumandvillainy")
        };
        let (_, set_up) = intro(&wishes, seed);
        let table = &set_up.table;
        let transport = table.ship("transport-1").unwrap();
        let goal = table
            .markers
            .iter()
            .find(|marker| &*marker.id == "transport-1-goal")
            .unwrap()
            .position;
        let start = transport.pose.position;
        assert!(
            start.y > 914.4 - 65.0 && (start.x < 65.0 || start.x > 914.4 - 65.0),
            "{start:?}"
        );
        assert_eq!(goal, Point::new(if start.x < 457.0 { 914.4 } else { 0.0 }, 0.0));
        let mut dice = SeededDice::new(seed);
        let situation = Situation::default();
        let activation = solo_alpha::decide(table, &transport.id, &situation, &Options::default(), &mut dice).unwrap();
        let tally = activation.approach.tally.unwrap();
        assert_eq!((&*tally.id, tally.rule.id()), ("transport-1-goal", "SA-3.1-forced"));
    }
}

#[test]
fn sa_13_the_game_ends_and_ships_are_saved_as_the_text_says() {
    let scenario = Scenario::intro();
    let (_, set_up) = intro(&wishes("rebelalliance", "galacticempire"), 1);
    let ended = |table: &Table, round| {
        scenario
            .ended(round, &Standing::of(scenario, table))
            .map(|end| end.without)
    };
    assert_eq!(ended(&set_up.table, 1), None);
    let beaten = destroyed(&set_up.table, &["patrol-1", "patrol-2"]);
    assert_eq!(ended(&beaten, 6), None);
    assert_eq!(ended(&beaten, 7), Some(SideName::Solo));
    let mut lost = destroyed(&set_up.table, &["player-1"]);
    assert_eq!(ended(&lost, 2), None);
    lost.ships
        .iter_mut()
        .filter(|ship| &*ship.id == "player-2")
        .for_each(|ship| ship.status = Status::Removed);
    assert_eq!(ended(&lost, 2), Some(SideName::Player));
    assert!(scenario.saves(SideName::Player, Edge::South));
    assert!(!scenario.saves(SideName::Player, Edge::North));
    assert!(!scenario.saves(SideName::Solo, Edge::South));
}
