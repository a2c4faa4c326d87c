//! Single situations of arcs, ranges, movement and repositions, most of them from public reports of other programs' bugs.

use tallyho::{
    geometry::{Point, Pose, angle},
    xwing::{
        maneuver::{Maneuver, Side},
        measure::{self, Arc, Object},
        movement::{self, Alignment, EdgePolicy, Execution, MovementOptions},
        obstacle::Obstacle,
        reposition::{self, Block, BoostTemplate, Decloak},
        ship::{ArcDirection, Ship, Status},
        size::Size,
        table::{Marker, PlayArea, Table},
        weapon::{Weapon, WeaponArc},
    },
};

use crate::tables::{asteroid, bare_ship};

/// Positions in these cases are from the middle of a wide table.
const MIDDLE: f64 = 1000.0;

fn at(x: f64, y: f64, heading: f64) -> Pose {
    Pose::new(MIDDLE + x, MIDDLE + y, heading)
}

fn ship(id: &str, size: Size, x: f64, y: f64, heading: f64) -> Ship {
    bare_ship(id, size, at(x, y, heading))
}

/// A block of the given middle, width and height, mm.
fn block(id: &str, x: f64, y: f64, width: f64, height: f64) -> Obstacle {
    let corners = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)];
    asteroid(
        id,
        corners.map(|(a, b)| at(x + a * width, y + b * height, 0.0).position),
    )
}

fn table(ships: Vec<Ship>, obstacles: Vec<Obstacle>) -> Table {
    let area = PlayArea {
        width: 2.0 * MIDDLE,
        height: 2.0 * MIDDLE,
    };
    Table::new(area, ships, obstacles, Vec::new())
}

fn fly(table: &Table, id: &str, code: &str, alignment: Alignment) -> Execution {
    let maneuver: Maneuver = code.parse().expect("a dial code");
    let ship = table.ship(id).expect("the ship is on the table");
    movement::execute(table, ship, maneuver, alignment, &MovementOptions::default())
}

fn ids(ids: &[tallyho::xwing::ObjectId]) -> Vec<&str> {
    ids.iter().map(|id| &**id).collect()
}

fn assert_pose(pose: Pose, x: f64, y: f64, heading: f64) {
    let expected = at(x, y, heading);
    assert!(
        pose.position.distance(expected.position) < 1e-5,
        "{pose:?}, expected {expected:?}"
    );
    assert!(
        angle::signed(pose.heading - heading).abs() < 1e-5,
        "{pose:?}, expected {expected:?}"
    );
}

fn sees(from: &Ship, to: &Ship) -> Vec<Arc> {
    let object = Object::Ship(to);
    Arc::ALL
        .into_iter()
        .filter(|&arc| measure::in_arc(from.size, from.pose, arc, &object))
        .collect()
}

/// Nearest is by base edge, not by centre.
#[test]
fn sa0_distance_is_from_edge_to_edge() {
    let solo = ship("S", Size::Small, 0.0, 0.0, 0.0);
    let near = ship("B", Size::Large, 60.0, 205.0, 180.0);
    let far = ship("A", Size::Small, -60.0, 195.0, 180.0);
    assert!((measure::ship_distance(&solo, &near) - 145.0).abs() < 0.05);
    assert!((measure::ship_distance(&solo, &far) - 156.28).abs() < 0.005);
}

#[test]
fn sa0_range_bands_are_closed_above() {
    let bands = [
        (0.0, Some(0)),
        (0.05, Some(0)),
        (0.051, Some(1)),
        (100.0, Some(1)),
        (100.001, Some(2)),
        (200.0, Some(2)),
        (300.0, Some(3)),
        (300.1, None),
    ];
    for (mm, range) in bands {
        assert_eq!(measure::range(mm), range, "{mm}");
    }
}

#[test]
fn sa0_a_reported_bump_is_range_0_in_both_directions() {
    let mut a = ship("A", Size::Small, 0.0, 0.0, 0.0);
    let b = ship("B", Size::Small, 0.0, 42.7, 0.0);
    assert_eq!(measure::range(measure::ship_distance(&a, &b)), Some(1));
    a.bumped.push("B".into());
    assert_eq!(measure::ship_distance(&a, &b), 0.0);
    assert_eq!(measure::ship_distance(&b, &a), 0.0);
}

/// The bullseye is 15 mm wide and begins at the front edge.
#[test]
fn sa3_1_bullseye_is_a_strip() {
    let solo = ship("S", Size::Small, 0.0, 0.0, 0.0);
    let bullseye = |x: f64, y: f64| sees(&solo, &ship("E", Size::Small, x, y, 0.0)).contains(&Arc::Bullseye);
    assert!(bullseye(27.3, 150.0));
    assert!(bullseye(-27.3, 2000.0));
    assert!(!bullseye(27.7, 150.0));
    assert!(!bullseye(0.0, -150.0));
}

/// The front arc ends at the printed line, neither at the corner of the base nor at 45 degrees.
#[test]
fn sa3_1_front_arc_ends_at_the_printed_line() {
    let solo = ship("S", Size::Small, 0.0, 0.0, 0.0);
    let front = |x: f64| sees(&solo, &ship("E", Size::Small, x, 160.0, 0.0)).contains(&Arc::Front);
    assert!(front(174.0));
    assert!(front(174.38));
    assert!(!front(174.42));
    assert!(!front(185.0));
}

/// A large base that spans two arcs is in both; the line of the half-plane arcs counts for both of them.
#[test]
fn sa3_2_a_base_may_be_in_several_arcs() {
    let solo = ship("S", Size::Small, 0.0, 0.0, 0.0);
    let wide = ship("E", Size::Large, 150.0, 120.0, 0.0);
    assert_eq!(sees(&solo, &wide), [Arc::Front, Arc::Right, Arc::FullFront]);
    let touching_the_line = ship("E", Size::Small, 100.0, 20.0, 0.0);
    assert_eq!(
        sees(&solo, &touching_the_line),
        [Arc::Right, Arc::FullFront, Arc::FullRear]
    );
    let ahead_of_the_line = ship("E", Size::Small, 100.0, 20.1, 0.0);
    assert_eq!(sees(&solo, &ahead_of_the_line), [Arc::Right, Arc::FullFront]);
}

/// Arcs begin outside the own base: what reaches out from under it is seen only where it does.
#[test]
fn sa3_1_arcs_lie_outside_the_own_base() {
    let solo = ship("S", Size::Large, 0.0, 0.0, 0.0);
    let seen = |obstacle: &Obstacle| -> Vec<Arc> {
        let object = Object::Obstacle(obstacle);
        Arc::ALL
            .into_iter()
            .filter(|&arc| measure::in_arc(solo.size, solo.pose, arc, &object))
            .collect()
    };
    // Under the base from its middle to past the right edge.
    assert_eq!(seen(&block("O", 30.0, 10.0, 50.0, 10.0)), [Arc::Right, Arc::FullFront]);
    // Wholly under it: the wedge from the centre.
    assert_eq!(seen(&block("O", 0.0, -30.0, 10.0, 10.0)), [Arc::Rear, Arc::FullRear]);
    assert_eq!(seen(&block("O", -30.0, 8.0, 10.0, 10.0)), [Arc::Left, Arc::FullFront]);
    assert_eq!(
        seen(&block("O", 0.0, 20.0, 10.0, 10.0)),
        [Arc::Bullseye, Arc::Front, Arc::FullFront]
    );
    let marker = Marker {
        id: "M".into(),
        position: at(0.0, 20.0, 0.0).position,
    };
    let object = Object::Marker(&marker);
    assert!(measure::in_arc(solo.size, solo.pose, Arc::Front, &object));
    assert_eq!(measure::distance(solo.size, solo.pose, &object), 0.0);
}

/// The side arcs begin at the printed lines, so a little of what is ahead of or behind the base is in them.
#[test]
fn sa3_1_side_arcs_reach_round_the_corners() {
    let solo = ship("S", Size::Small, 0.0, 0.0, 0.0);
    for (x, y, arc) in [
        (18.5, 21.0, Arc::Right),
        (18.5, -21.0, Arc::Right),
        (-18.5, 21.0, Arc::Left),
        (-18.5, -21.0, Arc::Left),
        (17.5, 21.0, Arc::Front),
        (-17.5, -21.0, Arc::Rear),
    ] {
        let marker = Marker {
            id: "M".into(),
            position: at(x, y, 0.0).position,
        };
        let object = Object::Marker(&marker);
        let standard = [Arc::Front, Arc::Left, Arc::Right, Arc::Rear];
        let seen: Vec<_> = standard
            .into_iter()
            .filter(|&arc| measure::in_arc(solo.size, solo.pose, arc, &object))
            .collect();
        assert_eq!(seen, [arc], "{x} {y}");
        let distance = measure::distance_in_arc(solo.size, solo.pose, arc, &object).expect("in the arc");
        assert!((distance - 1.0).abs() < 1e-5);
    }
}

/// Attack range is measured to the part inside the arc.
#[test]
fn sa9_attack_range_is_measured_inside_the_arc() {
    let solo = ship("S", Size::Small, 0.0, 0.0, 0.0);
    // Its near corner (40, 80) is outside the bullseye, whose edge is at 7.5.
    let turned = ship("E", Size::Small, 0.0, 80.0 + 800.0_f64.sqrt(), 45.0);
    let object = Object::Ship(&turned);
    let whole = measure::distance(solo.size, solo.pose, &object);
    assert!((whole - 60.0).abs() < 1e-9);
    let beside = ship("E", Size::Small, 20.0, 80.0 + 800.0_f64.sqrt(), 45.0);
    let inside = measure::distance_in_arc(solo.size, solo.pose, Arc::Bullseye, &Object::Ship(&beside));
    assert!((inside.expect("in the bullseye") - 72.5).abs() < 1e-5);
    let side = measure::distance_in_arc(solo.size, solo.pose, Arc::Left, &Object::Ship(&beside));
    assert_eq!(side, None);
}

#[test]
fn turrets_fire_where_their_indicator_points() {
    let arcs = |arc, turret: &[ArcDirection]| -> Vec<Arc> {
        let weapon = Weapon {
            id: "primary".to_owned(),
            arc,
            value: 2,
            min_range: 1,
            max_range: 3,
            special: None,
        };
        measure::weapon_arcs(&weapon, turret).collect()
    };
    assert_eq!(arcs(WeaponArc::SingleTurret, &[ArcDirection::Left]), [Arc::Left]);
    assert_eq!(
        arcs(WeaponArc::DoubleTurret, &[ArcDirection::Left, ArcDirection::Right]),
        [Arc::Left, Arc::Right]
    );
    assert_eq!(
        arcs(WeaponArc::DoubleTurret, &[ArcDirection::Rear]),
        [Arc::Front, Arc::Rear]
    );
    assert_eq!(arcs(WeaponArc::FullRear, &[ArcDirection::Left]), [Arc::FullRear]);
}

/// Of equally short lines the attacker takes a free one.
#[test]
fn obstruction_lets_the_attacker_choose_among_equal_lines() {
    let attacker = || ship("A", Size::Small, 0.0, 0.0, 0.0);
    let defender = || ship("D", Size::Small, 5.0, 200.0, 180.0);
    let obstructing = |rocks: Vec<Obstacle>| -> Vec<String> {
        let table = table(vec![attacker(), defender()], rocks);
        let (a, d) = (table.ship("A").expect("A"), table.ship("D").expect("D"));
        let there = measure::obstructing(&table, a, d, Arc::FullFront);
        assert_eq!(
            there,
            measure::obstructing(&table, d, a, Arc::FullFront),
            "the same lines back"
        );
        assert_eq!(!there.is_empty(), measure::obstructed(&table, a, d, Arc::FullFront));
        there.iter().map(|id| id.to_string()).collect()
    };
    // The bases face each other from x = -15 to 20.
    assert!(obstructing(vec![block("O1", 0.0, 100.0, 60.0, 10.0)]) == ["O1"]);
    assert!(obstructing(vec![block("O1", 0.0, 100.0, 28.0, 10.0)]).is_empty());
    assert!(
        obstructing(vec![
            block("O1", -10.0, 80.0, 30.0, 10.0),
            block("O2", 15.0, 120.0, 21.0, 10.0)
        ]) == ["O1"]
    );
    assert!(
        obstructing(vec![
            block("O1", -10.0, 80.0, 30.0, 10.0),
            block("O2", 15.0, 120.0, 19.0, 10.0)
        ])
        .is_empty()
    );
    // A rock under the defender lies on every line, too.
    assert!(obstructing(vec![block("O1", 5.0, 200.0, 60.0, 60.0)]) == ["O1"]);
    assert!(obstructing(vec![block("O1", 80.0, 100.0, 60.0, 60.0)]).is_empty());
}

/// Docked and destroyed ships are not there, other ships do not obstruct, huge ones do.
#[test]
fn sa0_only_obstacles_and_huge_ships_obstruct() {
    let pair = || {
        vec![
            ship("A", Size::Small, 0.0, 0.0, 0.0),
            ship("D", Size::Small, 0.0, 400.0, 180.0),
        ]
    };
    let obstructed = |between: Ship| {
        let mut ships = pair();
        ships.push(between);
        let table = table(ships, Vec::new());
        measure::obstructed(
            &table,
            table.ship("A").expect("A"),
            table.ship("D").expect("D"),
            Arc::Front,
        )
    };
    let huge = ship("H", Size::Huge, 0.0, 200.0, 90.0);
    assert!(!obstructed(ship("L", Size::Large, 0.0, 200.0, 0.0)));
    assert!(obstructed(huge.clone()));
    assert!(!obstructed(Ship {
        status: Status::Destroyed,
        ..huge
    }));
}

/// A bump: back to contact, and the ships passed on the way are nothing.
#[test]
fn sa7_a_bump_ends_in_contact() {
    let blocker = ship("B", Size::Small, 0.0, 110.0, 0.0);
    let table = table(vec![ship("A", Size::Small, 0.0, 0.0, 0.0), blocker.clone()], Vec::new());
    let bumped = fly(&table, "A", "2FW", Alignment::Middle);
    assert_pose(bumped.pose, 0.0, 70.0, 0.0);
    assert!(!bumped.full && !bumped.edge);
    assert_eq!((ids(&bumped.overlapped), ids(&bumped.bumped)), (vec!["B"], vec!["B"]));
    assert!((bumped.travelled_mm - 70.0).abs() < 1e-5);
    assert_eq!(
        measure::range(measure::distance(Size::Small, bumped.pose, &Object::Ship(&blocker))),
        Some(0)
    );
    let passed = fly(&table, "A", "4FW", Alignment::Middle);
    assert_pose(passed.pose, 0.0, 200.0, 0.0);
    assert!(passed.full && passed.overlapped.is_empty());
    // Nose to tail with another ship it may end where it began.
    let stuck = fly(&table, "B", "1SW", Alignment::Middle);
    assert_pose(stuck.pose, 0.0, 40.0, 0.0);
    let queue = self::table(
        vec![
            ship("A", Size::Small, 0.0, 0.0, 0.0),
            ship("B", Size::Small, 0.0, 40.0, 0.0),
            ship("C", Size::Small, 0.0, 80.0, 0.0),
        ],
        Vec::new(),
    );
    let still = fly(&queue, "A", "1FW", Alignment::Middle);
    assert_pose(still.pose, 0.0, 0.0, 0.0);
    assert_eq!(
        (ids(&still.overlapped), ids(&still.bumped)),
        (vec!["B", "C"], vec!["B"])
    );
    assert!(still.travelled_mm < 1e-5);
}

/// A ship that it is on only for a short part of the way back, while it is deep in another, is overlapped, too.
#[test]
fn sa7_a_ship_grazed_while_backing_up_is_overlapped() {
    let ships = vec![
        bare_ship("A", Size::Medium, Pose::new(487.946_312, 578.129_492, 136.837_121)),
        bare_ship("B", Size::Medium, Pose::new(543.204_195, 428.656_528, 0.0)),
        bare_ship("C", Size::Medium, Pose::new(590.721_757, 487.230_026, 132.004_779)),
    ];
    let turned = fly(&table(ships, Vec::new()), "A", "2RR", Alignment::Middle);
    assert_eq!(
        (ids(&turned.overlapped), ids(&turned.bumped)),
        (vec!["B", "C"], vec!["B"])
    );
}

/// Docked ships are not there to bump into.
#[test]
fn sa0_ships_off_the_table_block_nothing() {
    let docked = Ship {
        status: Status::Docked,
        ..ship("B", Size::Small, 0.0, 80.0, 0.0)
    };
    let table = table(vec![ship("A", Size::Small, 0.0, 0.0, 0.0), docked], Vec::new());
    assert!(fly(&table, "A", "1FW", Alignment::Middle).full);
}

/// The advanced maneuvers turn at the end, and only there.
#[test]
fn sa7_koiogran_segnor_and_tallon_turn_only_when_they_complete() {
    let alone = table(vec![ship("A", Size::Small, 0.0, 0.0, 0.0)], Vec::new());
    assert_pose(fly(&alone, "A", "3KR", Alignment::Middle).pose, 0.0, 160.0, 180.0);
    let bank = (52.218_253_804_964_8, 126.066_017_177_982_1);
    assert_pose(fly(&alone, "A", "2LR", Alignment::Middle).pose, -bank.0, bank.1, 135.0);
    assert_pose(fly(&alone, "A", "2PR", Alignment::Middle).pose, bank.0, bank.1, 225.0);
    for (alignment, shift) in [
        (Alignment::Forward, 10.0),
        (Alignment::Middle, 0.0),
        (Alignment::Back, -10.0),
    ] {
        let right = fly(&alone, "A", "1RR", alignment);
        assert_pose(right.pose, 55.0, 55.0 + shift, 180.0);
        assert_eq!(right.alignment, Some(alignment));
        assert_pose(fly(&alone, "A", "1ER", alignment).pose, -55.0, 55.0 + shift, 180.0);
    }
    let blocked = table(
        vec![
            ship("A", Size::Small, 0.0, 0.0, 0.0),
            ship("B", Size::Small, 0.0, 180.0, 0.0),
        ],
        Vec::new(),
    );
    assert_pose(fly(&blocked, "A", "3KR", Alignment::Middle).pose, 0.0, 140.0, 0.0);
}

/// A Tallon roll tries all three alignments before it counts as overlapping.
#[test]
fn sa5_a_tallon_roll_tries_all_alignments() {
    let options = MovementOptions::default();
    let roll: Maneuver = "1RR".parse().expect("a dial code");
    let ends = |y: f64| {
        let table = table(
            vec![
                ship("A", Size::Small, 0.0, 0.0, 0.0),
                ship("B", Size::Small, 60.0, y, 0.0),
            ],
            Vec::new(),
        );
        movement::executions(&table, table.ship("A").expect("A"), roll, &options)
    };
    let alignments = |y: f64| -> Vec<_> { ends(y).iter().map(|end| end.alignment).collect() };
    use Alignment::{Back, Forward, Middle};
    assert_eq!(alignments(200.0), [Some(Middle), Some(Forward), Some(Back)]);
    assert_eq!(alignments(100.0), [Some(Middle), Some(Back)]);
    assert_eq!(alignments(90.0), [Some(Back)]);
    let [partial] = &ends(80.0)[..] else {
        panic!("one partial end")
    };
    assert!(!partial.full && partial.alignment.is_none());
    assert_eq!(ids(&partial.bumped), ["B"]);
    assert!(partial.pose.heading < 90.0, "it does not turn");
}

/// Obstacles: under the template, under the base, and where it started.
#[test]
fn sa7_an_obstacle_it_starts_on_counts_only_where_it_ends() {
    let rocks = || {
        vec![
            block("O1", 0.0, 15.0, 20.0, 20.0),
            block("O2", 0.0, 60.0, 10.0, 10.0),
            block("O3", 15.0, 60.0, 8.0, 10.0),
            block("O4", 15.0, 130.0, 10.0, 10.0),
        ]
    };
    let table = table(vec![ship("A", Size::Small, 0.0, 0.0, 0.0)], rocks());
    let flown = fly(&table, "A", "2FW", Alignment::Middle);
    assert_eq!(ids(&flown.started_on), ["O1"]);
    assert_eq!(ids(&flown.crossed), ["O1", "O2"], "O3 is under the swept base alone");
    assert_eq!(ids(&flown.overlapped_obstacles), ["O4"]);
    assert_eq!(ids(&flown.suffered), ["O2", "O4"]);
    let stays = fly(&table, "A", "0OR", Alignment::Middle);
    assert!(stays.full && stays.crossed.is_empty());
    assert_eq!(
        (ids(&stays.overlapped_obstacles), ids(&stays.suffered)),
        (vec!["O1"], vec!["O1"])
    );
}

/// At the edge: ships first; what still crosses the edge backs up further.
#[test]
fn sa7_the_edge_stops_a_solo_ship_after_ships_have() {
    let top = |y: f64| MIDDLE - y;
    let solo = || ship("A", Size::Small, 0.0, top(100.0), 0.0);
    let alone = table(vec![solo()], Vec::new());
    let stopped = fly(&alone, "A", "3FW", Alignment::Middle);
    assert_pose(stopped.pose, 0.0, top(20.0), 0.0);
    assert!(stopped.edge && !stopped.full && stopped.overlapped.is_empty());
    let flee = MovementOptions {
        edge: EdgePolicy::Flee,
        ..MovementOptions::default()
    };
    let maneuver: Maneuver = "3FW".parse().expect("a dial code");
    let fled = movement::execute(&alone, alone.ship("A").expect("A"), maneuver, Alignment::Middle, &flee);
    assert!(fled.edge && fled.full);
    assert_pose(fled.pose, 0.0, top(-60.0), 0.0);
    // Backing off a ship leaves it on the table: an overlap, no edge.
    let near = table(vec![solo(), ship("B", Size::Small, 0.0, top(25.0), 0.0)], Vec::new());
    let overlap = fly(&near, "A", "1FW", Alignment::Middle);
    assert!(!overlap.edge && ids(&overlap.bumped) == ["B"]);
    assert_pose(overlap.pose, 0.0, top(65.0), 0.0);
    // It would pass the ship, but the edge sends it back onto it.
    let both = fly(&near, "A", "3FW", Alignment::Middle);
    assert!(both.edge && ids(&both.bumped) == ["B"]);
    assert_pose(both.pose, 0.0, top(65.0), 0.0);
}

/// Obstacles take effect in the order in which they are met, whatever their ids.
#[test]
fn sa7_obstacles_are_met_along_the_template() {
    let rocks = vec![
        block("O1", 0.0, 150.0, 6.0, 6.0),
        block("O2", 15.0, 220.0, 6.0, 6.0),
        block("O3", 5.0, 40.0, 6.0, 6.0),
    ];
    let table = table(vec![ship("A", Size::Small, 0.0, 0.0, 0.0)], rocks);
    let flown = fly(&table, "A", "5FW", Alignment::Middle);
    assert_eq!(ids(&flown.crossed), ["O3", "O1"]);
    assert_eq!(ids(&flown.overlapped_obstacles), ["O2"]);
    assert_eq!(ids(&flown.suffered), ["O3", "O1", "O2"]);
}

#[test]
fn guides_count_for_overlap_only_by_the_option() {
    let table = table(
        vec![
            ship("A", Size::Small, 0.0, 0.0, 0.0),
            ship("B", Size::Small, 0.0, 110.0, 180.0),
        ],
        Vec::new(),
    );
    let maneuver: Maneuver = "2FW".parse().expect("a dial code");
    let options = MovementOptions {
        guides: true,
        ..MovementOptions::default()
    };
    let found = movement::execute(
        &table,
        table.ship("A").expect("A"),
        maneuver,
        Alignment::Middle,
        &options,
    );
    // Guide against guide: 1.7 mm each.
    assert_pose(found.pose, 0.0, 70.0 - 3.4, 0.0);
    assert_eq!(ids(&found.bumped), ["B"]);
}

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

/// Huge ships and odd speeds must not break anything.
#[test]
fn huge_ships_break_nothing() {
    let ships = vec![
        ship("A", Size::Huge, 0.0, 0.0, 30.0),
        ship("B", Size::Huge, 40.0, 260.0, 80.0),
    ];
    let table = table(ships, vec![block("O", 100.0, 100.0, 30.0, 30.0)]);
    for code in [
        "0NW", "1BW", "3YW", "5FW", "0OW", "1SR", "2DR", "4KR", "3LR", "3RR", "9",
    ] {
        let Ok(maneuver) = code.parse::<Maneuver>() else {
            continue;
        };
        let a = table.ship("A").expect("A");
        for found in movement::executions(&table, a, maneuver, &MovementOptions::default()) {
            assert!(
                found.pose.position.x.is_finite() && found.pose.heading.is_finite(),
                "{code}"
            );
        }
    }
    let (a, b) = (table.ship("A").expect("A"), table.ship("B").expect("B"));
    assert_eq!(measure::ship_distance(a, b), measure::ship_distance(b, a));
    let ahead = Marker {
        id: "M".into(),
        position: a.pose.to_table(Point::new(0.0, 150.0)),
    };
    assert!(measure::in_arc(a.size, a.pose, Arc::Front, &Object::Marker(&ahead)));
    assert!((measure::distance(a.size, a.pose, &Object::Marker(&ahead)) - 47.5).abs() < 1e-9);
}
