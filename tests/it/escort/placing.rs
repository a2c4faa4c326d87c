//! PE-3: where ships may be placed; PE-A8: where an automated side places them.

use tallyho::{
    dice::SeededDice,
    geometry::{Pose, polygon},
    solo_alpha::escort::placing::{self, ToPlace},
    xwing::{
        edition::Rules,
        escort::{
            Role,
            setup::{BadPlace, Step, may_be_placed, placing_skill},
        },
        obstacle::Obstacle,
        obstacle_outlines::ObstacleOutlines,
        placing::check_obstacle,
        scenario::Edge,
        size::Size,
        table::PlayArea,
    },
};

use crate::tables::asteroid;

const AREA: PlayArea = PlayArea::STANDARD;
const EDGES: [Edge; 2] = [Edge::South, Edge::North];

#[test]
fn pe_3_a5_the_shuttle_stands_within_range_1_of_its_edge_or_fills_it() {
    let at = |x, y, heading| may_be_placed(AREA, Size::Large, Pose::new(x, y, heading), Edge::South);
    assert_eq!(at(457.2, 60.0, 0.0), Ok(()));
    assert_eq!(at(457.2, 60.1, 0.0), Err(BadPlace::OutOfTheBand));
    assert_eq!(at(457.2, 39.9, 0.0), Err(BadPlace::OffTheArea));
    // Turned it is 113.14 deep: only with its hindmost corner on the line.
    assert_eq!(at(457.2, 56.57, 45.0), Ok(()));
    assert_eq!(at(457.2, 60.0, 45.0), Err(BadPlace::OutOfTheBand));
    assert_eq!(at(30.0, 60.0, 0.0), Err(BadPlace::OffTheArea));
    let north = |y| may_be_placed(AREA, Size::Large, Pose::new(457.2, y, 90.0), Edge::North);
    assert_eq!(north(914.4 - 60.0), Ok(()));
    assert_eq!(north(60.0), Err(BadPlace::OutOfTheBand));
}

#[test]
fn pe_3_the_shuttle_is_placed_last_and_the_defender_picks_his_edge_after_the_obstacles() {
    assert!(Step::Obstacles < Step::Edges && Step::Edges < Step::Ships && Step::Ships < Step::Shuttle);
    assert_eq!((placing_skill(0, true), placing_skill(9, false)), (12, 9));
}

fn rock(id: &str, x: f64, y: f64) -> Obstacle {
    let corners = [(-21.0, -21.0), (21.0, -21.0), (21.0, 21.0), (-21.0, 21.0)];
    asteroid(id, corners.map(|(a, b)| Pose::new(x + a, y + b, 0.0).position))
}

#[test]
fn pe_a8_the_lane_with_the_fewest_obstacles_nearest_the_middle() {
    let start = |rocks: &[Obstacle], seed| {
        placing::start(AREA, rocks, Size::Large, &EDGES, &mut SeededDice::new(seed)).expect("there is room")
    };
    let bare = start(&[], 1);
    assert!((bare.along - 457.2).abs() < 1e-9);
    // A rock on the middle: its lane is 80 wide, so it is clear 80 aside, and not 60, of a rock of 42.
    let rocks = [rock("A", 457.2, 400.0)];
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..32 {
        let start = start(&rocks, seed);
        assert!(((start.along - 457.2).abs() - 80.0).abs() < 1e-9, "{start:?}");
        assert!(may_be_placed(AREA, Size::Large, start.pose, start.edge).is_ok());
        assert!(start.reasons[0].text.contains("a seeded roll"));
        seen.insert(format!("{} {:.1}", start.edge.word(), start.along));
    }
    assert_eq!(seen.len(), 4, "both edges and both sides: {seen:?}");
}

#[test]
fn pe_a8_obstacles_lie_as_fe_2_2_says_and_the_defender_keeps_the_middle_free() {
    for seed in 0..20 {
        let mut dice = SeededDice::new(seed);
        let laid = placing::obstacles(
            &Rules::FIRST,
            AREA,
            ObstacleOutlines::embedded(),
            Role::Defender,
            &mut dice,
        );
        assert_eq!(laid.len(), 6, "seed {seed}");
        for (place, piece) in laid.iter().enumerate() {
            assert_eq!(check_obstacle(&Rules::FIRST, AREA, piece, &laid[..place]), []);
            for corner in piece.outline.iter() {
                assert!(corner.x > 200.0 && corner.y > 200.0 && corner.x < 714.4 && corner.y < 714.4);
            }
            if place % 2 == 0 {
                let x = polygon::centroid(&piece.outline).x;
                assert!(!(304.8..=609.6).contains(&x), "the defender's piece lies at {x}");
            }
        }
    }
}

#[test]
fn pe_a8_squads_stand_clear_within_range_1_of_their_edges() {
    for seed in 0..40 {
        let mut dice = SeededDice::new(seed);
        let laid = placing::obstacles(
            &Rules::FIRST,
            AREA,
            ObstacleOutlines::embedded(),
            Role::Attacker,
            &mut dice,
        );
        let start = placing::start(AREA, &laid, Size::Large, &EDGES, &mut dice).expect("there is room");
        let count = 1 + (seed as usize % 8);
        let ships: Vec<ToPlace> = (0..count)
            .map(|place| ToPlace {
                ship: format!("S{place}").into(),
                skill: (place * 7 % 5) as u8,
                size: if place % 4 == 3 && count < 7 {
                    Size::Large
                } else {
                    Size::Small
                },
            })
            .collect();
        let size = |id: &str| ships.iter().find(|ship| &*ship.ship == id).map(|ship| ship.size);
        for (edge, placed) in [
            (start.edge, placing::escorts(AREA, &start, Size::Large, &ships)),
            (start.edge.opposite(), placing::attackers(AREA, &start, &ships)),
        ] {
            let mut bases: Vec<(Size, Pose)> = placed
                .iter()
                .map(|(id, pose)| (size(id).expect("a ship of the squad"), *pose))
                .collect();
            assert_eq!(bases.len(), count);
            for (size, pose) in &bases {
                assert_eq!(may_be_placed(AREA, *size, *pose, edge), Ok(()), "seed {seed}: {pose:?}");
            }
            if edge == start.edge {
                bases.push((Size::Large, start.pose));
            }
            assert!(placing::are_clear(&bases), "seed {seed}: {bases:?}");
        }
    }
    // Where there is room they are 100 apart, and the middle attacker is opposite the shuttle.
    let start = placing::start(AREA, &[], Size::Large, &EDGES, &mut SeededDice::new(3)).expect("there is room");
    let ships: Vec<ToPlace> = (0..3_u8)
        .map(|place| ToPlace {
            ship: format!("S{place}").into(),
            skill: place,
            size: Size::Small,
        })
        .collect();
    let along = |placed: Vec<(tallyho::xwing::ObjectId, Pose)>| -> Vec<f64> {
        placed
            .iter()
            .map(|(_, pose)| (pose.position.x * 10.0).round() / 10.0)
            .collect()
    };
    assert_eq!(
        along(placing::escorts(AREA, &start, Size::Large, &ships)),
        [357.2, 557.2, 257.2]
    );
    assert_eq!(along(placing::attackers(AREA, &start, &ships)), [357.2, 457.2, 557.2]);
}
