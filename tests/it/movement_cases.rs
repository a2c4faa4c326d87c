//! Single situations of maneuvers: bumps, advanced bearings, obstacles, edges.

use tallyho::{
    geometry::{Point, Pose},
    xwing::{
        maneuver::Maneuver,
        measure::{self, Arc, Object},
        movement::{self, Alignment, EdgePolicy, Execution, MovementOptions},
        ship::{Ship, Status},
        size::Size,
        table::{Marker, Table},
    },
};

use crate::tables::{MIDDLE, assert_pose, bare_ship, block, ids, ship, table};

fn fly(table: &Table, id: &str, code: &str, alignment: Alignment) -> Execution {
    let maneuver: Maneuver = code.parse().expect("a dial code");
    let ship = table.ship(id).expect("the ship is on the table");
    movement::execute(table, ship, maneuver, alignment, &MovementOptions::default())
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
    assert!(measure::in_arc(a.print(), a.pose, Arc::Front, &Object::Marker(&ahead)));
    assert!((measure::distance(a.size, a.pose, &Object::Marker(&ahead)) - 47.5).abs() < 1e-9);
}
