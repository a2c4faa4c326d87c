//! Barrel roll, boost and decloak: where they end and what stops them.

use tallyho::xwing::{
    maneuver::Side,
    movement::MovementOptions,
    obstacle::Obstacle,
    reposition::{self, Block, BoostTemplate, Decloak},
    ship::Ship,
    size::Size,
};

use crate::tables::{MIDDLE, assert_pose, block, ids, ship, table};

#[test]
fn sa8_barrel_rolls_slide_along_the_heading_and_mind_the_template() {
    let options = MovementOptions::default();
    let roll = |size, rocks: Vec<Obstacle>, others: Vec<Ship>, side, slide| {
        let mut ships = vec![ship("A", size, 0.0, 0.0, 0.0)];
        ships.extend(others);
        let table = table(ships, rocks);
        reposition::barrel_roll(&table, table.ship("A").expect("A"), side, slide, &options)
    };
    for (size, lateral, slides) in [
        (Size::Small, 80.0, [0.0, 10.0, -10.0]),
        (Size::Medium, 80.0, [0.0, 20.0, -20.0]),
        (Size::Large, 100.0, [0.0, 20.0, -20.0]),
    ] {
        assert_eq!(reposition::slides(size), slides);
        for slide in slides {
            for side in Side::BOTH {
                let rolled = roll(size, Vec::new(), Vec::new(), side, slide);
                assert_pose(rolled.pose, side.sign() * lateral, slide, 0.0);
                assert_eq!(rolled.blocked, None);
            }
        }
    }
    let rock = |x, y| vec![block("O", x, y, 2.0, 2.0)];
    let obstacle = Some(Block::Obstacle("O".into()));
    // Small: the template is 20 along the ship and 40 out.
    assert_eq!(
        roll(Size::Small, rock(40.0, 10.5), Vec::new(), Side::Right, 0.0).blocked,
        obstacle
    );
    assert_eq!(
        roll(Size::Small, rock(40.0, 11.5), Vec::new(), Side::Right, 0.0).blocked,
        None
    );
    assert_eq!(
        roll(Size::Small, rock(40.0, 10.5), Vec::new(), Side::Left, 0.0).blocked,
        None
    );
    // Medium: 40 along, 20 out.
    assert_eq!(
        roll(Size::Medium, rock(40.0, 20.5), Vec::new(), Side::Right, -20.0).blocked,
        obstacle
    );
    assert_eq!(
        roll(Size::Medium, rock(40.0, 21.5), Vec::new(), Side::Right, -20.0).blocked,
        None
    );
    // The base counts where it ends.
    assert_eq!(
        roll(Size::Small, rock(90.0, 25.0), Vec::new(), Side::Right, 10.0).blocked,
        obstacle
    );
    assert_eq!(
        roll(Size::Small, rock(90.0, 25.0), Vec::new(), Side::Right, 0.0).blocked,
        None
    );
    let neighbour = || vec![ship("B", Size::Small, 100.0, 35.0, 0.0)];
    assert_eq!(
        roll(Size::Small, Vec::new(), neighbour(), Side::Right, 0.0).blocked,
        Some(Block::Ship("B".into()))
    );
    assert_eq!(
        roll(Size::Small, Vec::new(), neighbour(), Side::Right, -10.0).blocked,
        None
    );
}

#[test]
fn sa8_boost_and_decloak_fail_on_obstacles_ships_and_the_edge() {
    let options = MovementOptions::default();
    let alone = |size| table(vec![ship("A", size, 0.0, 0.0, 0.0)], Vec::new());
    let small = alone(Size::Small);
    let a = small.ship("A").expect("A");
    let bank = (37.573_593_128_807_15, 90.710_678_118_654_76);
    assert_pose(
        reposition::boost(&small, a, BoostTemplate::Straight, &options).pose,
        0.0,
        80.0,
        0.0,
    );
    assert_pose(
        reposition::boost(&small, a, BoostTemplate::Left, &options).pose,
        -bank.0,
        bank.1,
        -45.0,
    );
    assert_pose(
        reposition::boost(&small, a, BoostTemplate::Right, &options).pose,
        bank.0,
        bank.1,
        45.0,
    );
    let right = |slide_mm| Decloak::Sideways {
        side: Side::Right,
        slide_mm,
    };
    assert_pose(
        reposition::decloak(&small, a, Decloak::Forward, &options).pose,
        0.0,
        120.0,
        0.0,
    );
    assert_pose(
        reposition::decloak(&small, a, right(-10.0), &options).pose,
        120.0,
        -10.0,
        0.0,
    );
    let large = alone(Size::Large);
    let a = large.ship("A").expect("A");
    assert_pose(
        reposition::decloak(&large, a, Decloak::Forward, &options).pose,
        0.0,
        120.0,
        0.0,
    );
    assert_pose(
        reposition::decloak(&large, a, right(20.0), &options).pose,
        100.0,
        20.0,
        0.0,
    );

    let rocky = table(
        vec![ship("A", Size::Small, 0.0, 0.0, 0.0)],
        vec![block("O", 0.0, 25.0, 4.0, 4.0)],
    );
    let boosted = reposition::boost(&rocky, rocky.ship("A").expect("A"), BoostTemplate::Straight, &options);
    assert_eq!(
        (boosted.blocked, ids(&boosted.crossed)),
        (Some(Block::Obstacle("O".into())), vec!["O"])
    );
    let edge = table(vec![ship("A", Size::Small, 0.0, MIDDLE - 90.0, 0.0)], Vec::new());
    let a = edge.ship("A").expect("A");
    assert_eq!(
        reposition::boost(&edge, a, BoostTemplate::Straight, &options).blocked,
        Some(Block::Edge)
    );
}
