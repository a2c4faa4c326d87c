//! Single situations of ranges, arcs and obstruction, most of them from public reports of other programs' bugs.

use tallyho::xwing::{
    measure::{self, Arc, Object},
    obstacle::Obstacle,
    ship::{ArcDirection, Ship, Status},
    size::Size,
    table::Marker,
    weapon::{Weapon, WeaponArc},
};

use crate::tables::{at, block, ship, table};

fn sees(from: &Ship, to: &Ship) -> Vec<Arc> {
    let object = Object::Ship(to);
    Arc::ALL
        .into_iter()
        .filter(|&arc| measure::in_arc(from.print(), from.pose, arc, &object))
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
            .filter(|&arc| measure::in_arc(solo.print(), solo.pose, arc, &object))
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
    assert!(measure::in_arc(solo.print(), solo.pose, Arc::Front, &object));
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
            .filter(|&arc| measure::in_arc(solo.print(), solo.pose, arc, &object))
            .collect();
        assert_eq!(seen, [arc], "{x} {y}");
        let distance = measure::distance_in_arc(solo.print(), solo.pose, arc, &object).expect("in the arc");
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
    let inside = measure::distance_in_arc(solo.print(), solo.pose, Arc::Bullseye, &Object::Ship(&beside));
    assert!((inside.expect("in the bullseye") - 72.5).abs() < 1e-5);
    let side = measure::distance_in_arc(solo.print(), solo.pose, Arc::Left, &Object::Ship(&beside));
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
        measure::weapon_arcs(weapon.arc, turret).collect()
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
